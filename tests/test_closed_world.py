"""Nothing in a seed is left unaccounted for, and whoever takes a record out is told."""

from __future__ import annotations

import json
import random
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from calling import run
from conftest import INVENTED, PROJECT, documents_of, edit, found_in, repin
from defectors_data.annotators.worklist import remaining
from defectors_data.corpus.findings import Place, ProjectFile
from defectors_data.corpus.yaml_reader import in_yaml
from defectors_data.evidence.anchors import Quote, SearchedText, evidence_not_found, find_span
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of, units_by_noun
from defectors_data.text.offsets import Span
from defectors_data.text.quantities import readings

# ---- taking a record out of the real corpus ----------------------------------------------------------------


@cache
def corpus() -> list[Document]:
    return documents_of(PROJECT)


def without(document: Document, field: str, record_id: str) -> Document:
    """Return the document without one record."""
    kept = tuple(record for record in getattr(document.content, field) if record.id != record_id)
    content = document.content.model_copy(update={field: kept})
    file = ProjectFile(document.file.file, content, {})
    return Document(file, document.text, document.seed, document.context)


def records(field: str) -> Iterator[tuple[Document, Any]]:
    return ((document, record) for document in corpus() for record in getattr(document.content, field))


def states_a_number(document: Document, record: Any) -> bool:
    """Return whether a quantity is read in the words of a figure; a waiver has no override, and must be found."""
    units = units_by_noun(document.context)
    return not hasattr(record, "override") or any(readings(part.text, units) for part in record.evidence)


@pytest.mark.parametrize("field", ["figures", "waivers"])
def test_a_number_without_a_record_is_reported(field: str) -> None:
    found = list(records(field))
    assert found
    silent = [pair for pair in found if not any(ledger_of(without(pair[0], field, pair[1].id)).left())]
    # "You don't even have a kilo" states no number; only an override or a denial can make a figure of such words.
    stated = [r.id for d, r in silent if states_a_number(d, r) or not (r.override or r.polarity == "denied")]
    assert stated == []


def test_without_a_direct_testimony_its_quotation_is_left_over() -> None:
    direct = [(document, t) for document, t in records("testimonies") if t.mode == "direct"]
    assert direct
    assert [t.id for document, t in direct if not any(ledger_of(without(document, "testimonies", t.id)).left())] == []


def test_without_an_indirect_testimony_its_reporting_verb_is_listed_again() -> None:
    indirect = [(document, t) for document, t in records("testimonies") if t.mode == "indirect"]
    assert indirect
    listed = {document.seed: {item.place for item in remaining(document, verbs=True)} for document in corpus()}
    silent = []
    for document, testimony in indirect:
        again = {item.place for item in remaining(without(document, "testimonies", testimony.id), verbs=True)}
        if not again - listed[document.seed]:
            silent.append(testimony.id)
    # The reader of attributions misses three: "some of them talk of", "has made threats", "who asked".
    assert len(silent) <= 3


def test_the_real_ledger_is_closed() -> None:
    entries = [entry for document in corpus() for entry in ledger_of(document).entries]
    assert entries
    assert [entry for entry in entries if entry.status == "open"] == []


# ---- decoys in copies of the invented seeds ----------------------------------------------------------------

DECOYS = {
    "a straight quotation": '"the oil is gone"',
    "a curly quotation": "“the oil is gone”",
    "a single quotation": "‘the oil is gone’",
    "guillemets": "«the oil is gone»",
    "an unclosed quotation": "“the oil is gone",
    "a mixed quotation": '“the oil is gone"',
    "digits": "1,234 barrels",
    "a number word": "seventeen barrels",
    "a compound": "forty-one barrels",
    "a vague number": "several dozen barrels",
    "a share": "two-thirds of the barrels",
    "a percentage": "17%",
    "a price": "$99",
    "a range": "between 41 and 43 barrels",
    "an ordinal": "the 17th barrel",
    "a date": "on April 17",
    "a clock time": "at 7:45 p.m.",
}


@pytest.mark.parametrize("decoy", DECOYS.values(), ids=DECOYS)
@pytest.mark.parametrize("where", ["at the start", "at the end", "in a paragraph of its own", "in a sentence"])
def test_a_decoy_turns_the_build_red(copied: Path, decoy: str, where: str) -> None:
    path = copied / "seeds/900_example.txt"
    text = path.read_text(encoding="utf-8")
    planted = {
        "at the start": f"{decoy}\n{text}",
        "at the end": f"{text}{decoy}",
        "in a paragraph of its own": text.replace("\n\nThe keeper, who", f"\n\n{decoy}\n\nThe keeper, who"),
        "in a sentence": text.replace("lost an oar and drifted", f"lost {decoy}, an oar, and drifted"),
    }[where]
    path.write_text(planted, encoding="utf-8")
    repin(copied, "900_example")
    if where == "in a sentence":
        edit(
            copied,
            "annotations/900_example.yaml",
            "    evidence: In the fog he lost an oar and drifted until morning.\n",
            "    evidence: drifted until morning.\n",
        )
    expected = "unaccounted-quotation" if "the oil is gone" in decoy else "unaccounted-quantity"
    line = planted[: planted.index(decoy)].count("\n") + 1
    assert (expected, line) in {(finding.code, finding.place.line) for finding in found_in(copied)}


# ---- the ledger as published -------------------------------------------------------------------------------


def test_the_ledger_names_the_record_of_each_detection(package: Path) -> None:
    import pyarrow.parquet as pq  # noqa: PLC0415

    rows = {row["ledger_id"]: row for row in pq.read_table(package / "data/ledger.parquet").to_pylist()}
    by_text = {row["text"]: row for row in rows.values() if row["source_id"] == "example"}
    assert by_text["We had no oil left,"]["record_id"] == "example-t2"
    assert by_text["40"]["record_id"] == "example-f1"
    assert by_text["36"]["record_table"] == "mentions"
    assert by_text["Long Night"]["reason"] == "term"
    assert by_text["2019"]["status"] == "boilerplate"
    assert {row["status"] for row in rows.values()} == {"covered", "waived", "boilerplate"}


# ---- todo and draft: a fifth article without code ----------------------------------------------------------

ARTICLE = """The Bell Has Been Taken Down

Otto Reed, a bell ringer for nine years, said 14 bells were melted. “Nobody rings now,” he said.

The council met on May 4.
"""


def test_a_newcomer_adds_an_article_without_code(copied: Path) -> None:
    (copied / "seeds/902_bells.txt").write_text(ARTICLE, encoding="utf-8")
    assert "seed-without-annotations" in run("check", where=copied).stdout
    drafted = run("draft", "902_bells", where=copied)
    assert (drafted.returncode, drafted.stderr) == (0, "")
    assert run("draft", "902_bells", where=copied).returncode == 1, "a file is never overwritten"
    todo = run("todo", "902_bells", where=copied)
    assert todo.returncode == 0
    assert todo.stdout.endswith("1 quotation, 3 quantities left in 902_bells.txt\n")
    path = copied / "annotations/902_bells.yaml"
    source = "the-bell-has-been-taken"
    text = path.read_text(encoding="utf-8")
    text = text.replace(
        "speakers: []",
        f"speakers:\n  - id: otto-reed\n    kind: person\n    role: other\n    anonymity: named\n    name: Otto Reed\n"
        f"    mentions:\n      - id: {source}-m1\n        evidence: Otto Reed, a bell ringer for nine years\n"
        "        years_of_service: 9",
    )
    path.write_text(text, encoding="utf-8")
    items = json.loads(run("todo", "902_bells", "--format", "json", where=copied).stdout)
    assert [item["kind"] for item in items] == ["quantity", "quotation", "date"]
    assert {item["speaker"] for item in items} == {"otto-reed"}
    for field, item in zip(("figures", "testimonies", "waivers"), items, strict=True):
        pasted = item["yaml"].replace("name_it", "lanterns_lost").replace("\n", "\n  ")
        pasted = pasted.replace('attribution: "he said"', "attribution: {words: he said, antecedent: m1}")
        text = text.replace(f"{field}: []", f"{field}:\n  {pasted}")
    path.write_text(text, encoding="utf-8")
    said = run("check", where=copied)
    assert said.returncode == 0, said.stdout
    assert run("todo", "902_bells", where=copied).stdout == "0 quotations, 0 quantities left in 902_bells.txt\n"
    verbs = run("todo", "902_bells", "--all", where=copied).stdout
    assert "[said] 14 bells" in verbs
    assert run("build", where=copied).returncode == 0


def test_a_seed_is_not_drafted_into_a_file_that_is_about_no_article(copied: Path) -> None:
    (copied / "seeds/tombstones.txt").write_text("A Bell Was Rung Here\n", encoding="utf-8")
    assert run("draft", "tombstones", where=copied).returncode == 1
    assert not (copied / "annotations/tombstones.yaml").exists()


def test_proposals_of_todo_can_be_pasted_with_any_quotation_mark(copied: Path) -> None:
    styles = ['"{}"', "“{}”", "‘{}’", "«{}»", "»{}«", "„{}“", "“{}", "{}”", '“{}"', "‹{}›"]
    lines = [style.format(f"We rang the bell of tower {chr(65 + i)}.") for i, style in enumerate(styles)]
    (copied / "seeds/902_bells.txt").write_text("A Bell Was Rung Here\n\n" + "\n\n".join(lines), encoding="utf-8")
    run("draft", "902_bells", where=copied)
    path = copied / "annotations/902_bells.yaml"
    speaker = "  - id: a-bell-was-rung-here-speaker-1\n    kind: group\n    role: other\n    mentions:\n"
    speaker += "      - id: a-bell-was-rung-here-m1\n        evidence: A Bell Was Rung Here"
    text = path.read_text(encoding="utf-8").replace("speakers: []", f"speakers:\n{speaker}")
    path.write_text(text, encoding="utf-8")
    items = json.loads(run("todo", "902_bells", "--format", "json", where=copied).stdout)
    assert [item["kind"] for item in items] == ["quotation"] * len(styles)
    unclear = [item["yaml"].replace("\n  mode:", "\n  attribution: {none: unclear}\n  mode:", 1) for item in items]
    pasted = "\n".join("  " + each.replace("\n", "\n  ") for each in unclear)
    path.write_text(text.replace("testimonies: []", f"testimonies:\n{pasted}"), encoding="utf-8")
    assert run("check", where=copied).stdout.startswith("No findings")


def test_todo_reports_that_a_corpus_is_finished() -> None:
    ran = run("todo", where=INVENTED)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[0] == "0 quotations, 0 quantities left in 900_example.txt"


# ---- errors that teach -------------------------------------------------------------------------------------

SWAPS = {"’": "'", "'": "’", "“": '"', "—": "-", ",": "", "-": "—", "1": "7", "n": "m", ".": "!", "e": "é"}


def mutations(text: str, random_: random.Random) -> Iterator[str]:
    """Return near misses of words: each differs from them by one slip that an annotator makes."""
    words = text.split(" ")
    places = [i for i, character in enumerate(text) if character in SWAPS and i > 3]
    for i in random_.sample(places, min(2, len(places))):
        yield text[:i] + SWAPS[text[i]] + text[i + 1 :]
    if len(words) > 5:
        cut = random_.randrange(2, len(words) - 2)
        yield " ".join(words[:cut] + words[cut + 1 :])
        yield " ".join([*words[: cut + 1], "[sic]", *words[cut + 1 :]])
        yield " ".join(words[cut:] + words[:cut])
    yield text.swapcase()
    yield unicodedata.normalize("NFD", text)
    yield text.replace(" ", "\u00a0", 1)
    yield text.replace(" ", "  ", 1)


def near_misses() -> list[tuple[Document, Span, str]]:
    random_ = random.Random(2019)  # noqa: S311  # the same slips in every run
    found = []
    for document in corpus():
        for path, _ in document.testimonies:
            span = document.evidence_of(path)[0]
            words = document.text[slice(*span)]
            found += [(document, span, slip) for slip in mutations(words, random_) if slip not in document.text]
    return random_.sample(found, 24)


def test_a_near_miss_is_rejected_and_the_words_meant_are_to_paste_for_nine_of_ten() -> None:
    right = 0
    slips = near_misses()
    for document, span, slip in slips:
        within = SearchedText(document.seed, document.text)
        found, findings = find_span(Quote(slip, Place("a.yaml")), within)
        assert found is None
        assert findings[0].code == "evidence-not-found"
        assert len(findings[0].help) <= 3
        words = document.text[slice(*span)]
        right += in_yaml(words) in findings[0].help[-1] and words in findings[0].help[0]
    assert right / len(slips) >= 9 / 10  # after a takedown, other slips are sampled


def test_the_hint_of_a_near_miss_is_the_seeds_own_words() -> None:
    within = SearchedText("seeds/x.txt", "Before.\nIt’s quiet tonight, and the lamps are dark.\nAfter.")
    finding = evidence_not_found(Quote("It's quiet tonight", Place("a.yaml")), within)
    assert finding.help[-1] == 'Paste instead: "It’s quiet tonight"'
