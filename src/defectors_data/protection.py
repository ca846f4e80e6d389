"""A last look at what is to be published: does anything in it tell more of a protected person than it may?

The rules on annotations should have seen to it; this reads the finished tables and texts alone, so that a mistake
anywhere before is found before a release. The articles' own words are quoted as printed and not looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa

_EMPTY = {
    "speakers": ("name", "gender", "note"),
    "mentions": ("rank", "age", "years_of_service", "affiliation"),
    "testimonies_joined": (
        "speaker_name",
        "speaker_gender",
        "mention_rank",
        "mention_age",
        "mention_years_of_service",
        "mention_affiliation",
    ),
}
"""Columns that are null in every row of a protected person."""

_QUOTED = {"text", "exact", "prefix", "suffix", "title", "subtitle", "dateline", "source_title"}
"""Columns that hold the articles' own words."""

_OF_FIGURES = {"comparisons", "relations"}
"""Tables that put numbers beside each other, whoever states them, and join no persons."""

_BY_SOURCE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")

Rows = Mapping[str, list[dict[str, Any]]]


def leaks(tables: Mapping[str, pa.Table], texts: Mapping[str, bytes]) -> list[str]:
    """Return where a release tells more of a protected person than it may: table, row and column, and never a cell.

    `texts` are the files of the release that are no data, by path.
    """
    rows = {name: table.to_pylist() for name, table in tables.items()}
    persons = {row["speaker_id"]: row["source_id"] for row in rows["speakers"] if row["protected"]}
    theirs = persons | _records(rows, persons)
    return [*_filled(rows, persons), *_elsewhere(rows, theirs), *_in_texts(texts, theirs)]


def _records(rows: Rows, persons: Mapping[str, str]) -> dict[str, str]:
    """Return the records of protected persons by id, each with its source."""
    spoken = [row for row in rows["testimonies"] if {row["speaker_id"], row["about_speaker_id"]} & persons.keys()]
    records = {row["testimony_id"]: row["source_id"] for row in spoken}
    records |= {row["mention_id"]: row["source_id"] for row in rows["mentions"] if row["speaker_id"] in persons}
    stated = [row for row in rows["figures"] if row["attributed_to"] in persons or row["testimony_id"] in records]
    return records | {row["figure_id"]: row["source_id"] for row in stated}


def _filled(rows: Rows, persons: Mapping[str, str]) -> Iterator[str]:
    """Find cells of protected persons that have to be empty, and ids that are more than source and number."""
    for table, columns in _EMPTY.items():
        for number, row in enumerate(rows[table], start=1):
            if row["speaker_id"] in persons:
                yield from (
                    f"{table}, row {number}: {column} is filled" for column in columns if row[column] is not None
                )
    for number, row in enumerate(rows["speakers"], start=1):
        if row["protected"] and not re.fullmatch(rf"{row['source_id']}-speaker-[1-9][0-9]*", row["speaker_id"]):
            yield f"speakers, row {number}: speaker_id is more than source and number"


def _elsewhere(rows: Rows, theirs: Mapping[str, str]) -> Iterator[str]:
    """Find ids of protected persons and of their records in rows of another source."""
    sources = {row["testimony_id"]: row["source_id"] for row in rows["testimonies"]}
    for table, found in rows.items():
        if table in _OF_FIGURES:
            continue
        for number, row in enumerate(found, start=1):
            source = row.get("source_id") or sources.get(row.get("testimony_id", ""))
            if table == "provenance":  # a row is about one cell: all that it names is of that cell's source
                source = theirs.get(str(row["record_id"]).partition(".")[0])
            for column, cell in row.items():
                if isinstance(cell, str) and column not in _QUOTED:
                    named = theirs.keys() & set(_BY_SOURCE.findall(cell))
                    if any(theirs[name] != source for name in named):
                        yield f"{table}, row {number}: {column} names a protected person or a record of theirs"


def _in_texts(texts: Mapping[str, bytes], theirs: Mapping[str, str]) -> Iterator[str]:
    """Find ids of protected persons and of their records in file names and in texts."""
    for path, content in texts.items():
        if theirs.keys() & set(_BY_SOURCE.findall(f"{path}\n{content.decode('utf-8', errors='replace')}")):
            yield f"{path} names a protected person or a record of theirs"
