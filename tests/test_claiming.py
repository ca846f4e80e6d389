"""Triggers propose, reporting verbs are found outside quotation marks, and exceptions are counted."""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import PROJECT
from defectors_data.documents.datasheet import exceptions
from defectors_data.evidence import consistency
from defectors_data.models.tables import ROW_OF
from defectors_data.package.tables_reader import PackageTables
from defectors_data.package.tables_writer import arrow_schema
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


def test_every_kind_of_exception_in_the_real_corpus_is_counted() -> None:
    names = [path.stem for path in (PROJECT / "dist/data").glob("*.parquet")]
    counted = exceptions(PackageTables(PROJECT / "dist", names))
    assert any(reason == "waiver" and number for _, reason, number, _, _ in counted)
    assert all(number <= of for _, _, number, of, _ in counted)


def test_testimonies_that_share_words_are_exceptions(tmp_path: Path) -> None:
    places = [("a-t1", 0, 9), ("a-t2", 9, 20), ("a-t3", 12, 14), ("b-t1", 2, 5), ("b-t1", 4, 8)]
    shown = {"record_table": "testimonies", "field": "evidence", "part": 1}
    spans = [
        {**shown, "record_id": name, "source_id": name[0], "start_offset": start, "end_offset": end}
        for name, start, end in places
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
