"""A claim about a testimony is borne out by its words, or by words that are named for it."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calling import run
from conftest import INVENTED, PROJECT, documents_of, edit, found_in
from defectors_data.documents.datasheet import exceptions
from defectors_data.evidence import consistency
from defectors_data.models.annotation import Testimony
from defectors_data.models.tables import ROW_OF
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers.dataset import trace
from defectors_data.rows.records import arrow_schema
from defectors_data.rules import testimonies
from defectors_data.text.offsets import Span

WORDS = st.text(string.ascii_lowercase + "éñ", min_size=1, max_size=8)


def triggered(text: str, *triggers: str) -> bool:
    return consistency.triggered(text, [Span(0, len(text))], triggers)


@pytest.mark.parametrize(
    ("text", "trigger"),
    [
        ("They paid, and left.", "paid"),
        ("PAY was low", "pay"),
        ("the armies left", "arm*"),
        ("they don’t stop", "don't stop"),
        ("the standard\u00a0of living", "standard of living"),
        ("a U.S.-backed plan", "U.S."),
    ],
)
def test_a_trigger_is_found_as_it_is_read(text: str, trigger: str) -> None:
    assert triggered(text, trigger)


@pytest.mark.parametrize(
    ("text", "trigger"), [("disarmed", "arm*"), ("payment", "pay"), ("repay", "pay"), ("", "pay"), ("axb", "a.b")]
)
def test_a_trigger_is_not_found_inside_a_word(text: str, trigger: str) -> None:
    assert not triggered(text, trigger)


@given(st.lists(WORDS, min_size=1, max_size=6), WORDS)
def test_a_word_is_a_trigger_where_it_is_one_of_the_words(words: list[str], trigger: str) -> None:
    assert triggered(" ".join(words), trigger) == (trigger in words)


def test_nothing_is_found_without_triggers_or_outside_the_spans() -> None:
    assert not consistency.triggered("pay", [Span(0, 3)], ())
    assert not consistency.triggered("pay more", [Span(4, 8)], ("pay",))


def test_a_reporting_verb_inside_quotation_marks_is_ignored() -> None:
    text = "“He said it,” she told us of the so-called plan."
    assert [text[slice(*verb)] for verb in testimonies.reporting_verbs(text, [Span(0, len(text))])] == ["told"]


def test_a_theme_is_certified_by_the_words_that_are_named_for_it(package: Path) -> None:
    [traced] = trace(package, "testimony_themes/second-t2.will_to_return/theme", seeds=INVENTED / "seeds")
    assert [words.exact for words in traced.words] == ["wonders who will light the lamps now"]


def left_without_second_t1(root: Path) -> list[Testimony]:
    """Take down the testimony whose words support a theme of the next; return the testimonies that are left."""
    ran = run("takedown", "second-t1", "--reason", "error", "--root", root)
    assert ran.returncode == 0, ran.stderr
    return [testimony for document in documents_of(root) for _, testimony in document.testimonies]


def test_a_theme_is_removed_with_its_supporting_words(copied: Path) -> None:
    edit(
        copied,
        "annotations/901_second.yaml",
        "    themes: [will_to_return]\n",
        "    themes: [other, will_to_return]\n",
    )
    [testimony] = [t for t in left_without_second_t1(copied) if t.id == "second-t2"]
    assert (testimony.themes, testimony.support) == (("other",), ())


@pytest.mark.deep
def test_a_testimony_without_any_theme_left_is_removed(copied: Path) -> None:
    assert "second-t2" not in {testimony.id for testimony in left_without_second_t1(copied)}


def test_words_of_another_protected_person_support_no_attribute(copied: Path) -> None:
    speakers = "  - id: second-speaker-2\n    kind: person\n    role: other\n    anonymity: unnamed\n    mentions:\n"
    speakers += "      - {id: second-m6, evidence: The Harbour After}\n\ntestimonies:\n"
    edit(copied, "annotations/901_second.yaml", "\ntestimonies:\n", speakers)
    edit(
        copied,
        "annotations/901_second.yaml",
        "    speaker: bruno-salt\n    mode: direct\n",
        "    speaker: second-speaker-2\n    mode: direct\n",
    )
    other = "antecedent: second-m6, rival: second-m1"
    edit(copied, "annotations/901_second.yaml", "antecedent: second-m1", other)
    assert found_in(copied) == []
    edit(
        copied,
        "annotations/901_second.yaml",
        "words: wonders who will light the lamps now",
        'words: {text: cannot serve, prefix: "towers. “Two keepers "}',
    )
    assert {finding.code for finding in found_in(copied)} == {"protected-speaker-linked"}


def test_every_exception_of_the_real_corpus_is_counted() -> None:
    names = [path.stem for path in (PROJECT / "dist/data").glob("*.parquet")]
    counted = exceptions(PackageTables(PROJECT / "dist", names))
    text = "".join(path.read_text(encoding="utf-8") for path in (PROJECT / "annotations").glob("0*.yaml"))
    assert sum(number for _, reason, number, _, _ in counted if reason == "support") == text.count("{claim: ")
    assert any(reason == "waiver" and number for _, reason, number, _, _ in counted)
    assert all(number <= of for _, _, number, of, _ in counted)


def test_testimonies_that_share_words_are_exceptions(tmp_path: Path) -> None:
    places = [("a-t1", 0, 9), ("a-t2", 9, 20), ("a-t3", 12, 14), ("b-t1", 2, 5), ("b-t1", 4, 8)]
    shown = {"record_table": "testimonies", "field": "evidence", "part": 1}
    spans = [
        {**shown, "record_id": name, "source_id": name[0], "start": start, "end": end} for name, start, end in places
    ]
    told = [
        {"testimony_id": name, "source_id": name[0], "mode": "indirect"} for name in ("a-t1", "a-t2", "a-t3", "b-t1")
    ]
    (tmp_path / "data").mkdir()
    tables: dict[str, Sequence[Mapping[str, object]]]
    tables = {"sources": [{"source_id": "a"}, {"source_id": "b"}], "spans": spans, "testimonies": told}
    for table, rows in tables.items():
        found = [{name: row.get(name) for name in ROW_OF[table].model_fields} for row in rows]
        pq.write_table(pa.Table.from_pylist(found, schema=nullable(table)), tmp_path / f"data/{table}.parquet")
    counted = exceptions(PackageTables(tmp_path, ["sources", "spans", "testimonies"]))
    assert counted[-1] == ("duplicate-evidence", "note", 1, 4, "testimonies")


def nullable(table: str) -> pa.Schema:
    return pa.schema([field.with_nullable(nullable=True) for field in arrow_schema(ROW_OF[table])])
