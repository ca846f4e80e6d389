"""An export without relatives contains no words of what it leaves out, and counts only what remains."""

from __future__ import annotations

import html
import json
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calling import run
from conftest import PROJECT
from defectors_data.models.tables import ROW_OF
from defectors_data.package import published_folder
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers.exports import FORMATS
from defectors_data.readers.exports.tables.without_relatives import write_without_relatives
from defectors_data.rows.persons import person_rows
from defectors_data.rows.spans import revealed

RUN = 6
"""Number of words in a row by which words of a removed testimony are recognised."""


def read(package: Path) -> PackageTables:
    return PackageTables(package, published_folder.table_names(published_folder.package_descriptor(package)))


@pytest.fixture(scope="module")
def whole() -> PackageTables:
    return read(PROJECT / "dist")


@pytest.fixture(scope="module")
def reduced(whole: PackageTables, tmp_path_factory: pytest.TempPathFactory) -> PackageTables:
    return write_without_relatives(whole, tmp_path_factory.mktemp("reduced"))


def texts_in(file: Path) -> Iterator[str]:
    """Yield the texts of an exported file."""
    if file.suffix == ".xlsx":
        with zipfile.ZipFile(file) as book:
            yield from (html.unescape(book.read(name).decode()) for name in book.namelist())
    elif file.suffix == ".json":
        yield from strings(json.loads(file.read_text("utf-8")))
    elif file.suffix in (".jsonl", ".ndjson"):
        yield from strings([json.loads(line) for line in file.read_text("utf-8").splitlines()])
    else:
        yield file.read_bytes().decode("utf-8", "replace")


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from strings(list(value.values()))
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


@pytest.fixture(scope="module")
def left_out(whole: PackageTables, reduced: PackageTables) -> list[dict[str, Any]]:
    """Return the spans of the words of the testimonies that are left out."""
    names = [{row["testimony_id"] for row in tables.rows("testimonies")} for tables in (whole, reduced)]
    parts = whole.among("spans", "record_id", names[0] - names[1])
    return [part for part in parts if part["field"] == "evidence"]


@pytest.mark.parametrize("form", [name for name, each in FORMATS.items() if not each.needs_text])
def test_no_format_contains_words_of_what_is_left_out(
    form: str, left_out: list[dict[str, Any]], tmp_path: Path
) -> None:
    runs = set[str]()
    for part in left_out:
        words = part["exact"].split()
        runs |= {" ".join(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}
    assert len(runs) > 50

    def found(name: str, *given: str) -> set[str]:
        ran = run("export", form, "--package", PROJECT / "dist", "--out", tmp_path / name, *given)
        assert ran.returncode == 0, ran.stderr
        files = [file for file in (tmp_path / name).rglob("*") if file.is_file()]
        cells = "\n".join(" ".join(text.split()) for file in files for text in texts_in(file))
        return {words for words in runs if words in cells}

    assert found("fewer", "--without-relatives") == set()
    if form not in ("codebook", "hypothesis"):  # without articles that have an address, nothing is quoted
        assert found("all")


def test_spans_and_contexts_do_not_touch_what_is_left_out(
    whole: PackageTables, reduced: PackageTables, left_out: list[dict[str, Any]]
) -> None:
    assert left_out
    for row in reduced.rows("spans"):
        start = row["start_offset"] - len(row["prefix"] or "")
        end = row["end_offset"] + len(row["suffix"] or "")
        for part in left_out:
            is_apart = end <= part["start_offset"] or part["end_offset"] <= start
            assert part["source_id"] != row["source_id"] or is_apart, row["span_id"]
    # A pull quote may repeat a part only, elsewhere in the article.
    spans = {row["span_id"] for row in reduced.rows("spans", ["span_id"])}
    assert "defection-into-exile.pull_quotes.1" not in spans
    assert "defection-into-exile.pull_quotes.2" in spans
    dropped = {row["span_id"] for row in whole.rows("spans", ["span_id"])} - spans
    for row in reduced.rows("provenance"):
        assert dropped.isdisjoint((row["spans"] or "").split(";")), row


def test_persons_are_those_speakers_and_summarise_what_remains(reduced: PackageTables) -> None:
    speakers = list(reduced.rows("speakers"))
    names = ("mentions", "testimonies", "motives")
    derived = {row["person_id"]: row for row in person_rows(speakers, *(reduced.rows(name) for name in names))}
    assert {row["person_id"]: row for row in reduced.rows("persons")} == derived
    needed = {row["speaker_id"] for row in reduced.rows("testimonies")}
    needed |= {row["attributed_to"] for row in reduced.rows("figures")}
    needed |= {row["part_of"] for row in speakers}
    assert {row["speaker_id"] for row in speakers} <= needed


def test_numbers_count_what_remains(whole: PackageTables, reduced: PackageTables) -> None:
    for tables in (whole, reduced):
        used = Counter[tuple[str, str]]()
        for name in tables.names:
            for column, kind in ROW_OF[name].TABLE.terms.items():
                used.update((kind, row[column]) for row in tables.rows(name, [column]) if row[column])
        for row in tables.rows("terms"):
            assert row["used"] == used[row["kind"], row["term"]], row["term"]
        figures = [row["measure"] for row in tables.rows("figures") if row["polarity"] == "affirmed"]
        for row in tables.rows("measures"):
            assert row["figures"] == figures.count(row["measure"]), row["measure"]
        for row in tables.rows("sources"):
            spans = list(tables.among("spans", "source_id", [row["source_id"]]))
            assert row["chars_revealed"] == sum(end - start for start, end in revealed(spans))


def test_all_references_lead_to_rows_that_remain(reduced: PackageTables) -> None:
    ids = {name: {row[ROW_OF[name].TABLE.key] for row in reduced.rows(name)} for name in reduced.names}
    every = set().union(*ids.values())
    for name in reduced.names:
        for row in reduced.rows(name):
            for column, (table, _) in ROW_OF[name].TABLE.refers.items():
                assert row[column] is None or row[column] in ids[table], row
            for column in ("attribution_id", "part_of", "record_id"):
                is_kept = row.get(column) in every or row.get("record_table") == "waivers"
                assert row.get(column) is None or is_kept or name == "provenance", row


def test_a_request_whose_words_are_left_out_is_empty(whole: PackageTables, reduced: PackageTables) -> None:
    def requests(tables: PackageTables) -> dict[str, str | None]:
        return {row["speaker_id"]: row["request"] for row in tables.rows("speakers")}

    before, after = requests(whole), requests(reduced)
    assert before["breaking-ranks-speaker-3"] == "fear_of_reprisal"
    assert after["breaking-ranks-speaker-3"] is None
    assert after["trapped-in-colombia-speaker-3"] == before["trapped-in-colombia-speaker-3"] == "told_not_to_talk"
