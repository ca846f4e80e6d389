"""A last look at what is to be published: does anything in it say more of a protected person than it may?

The rules on annotations should have found it; this reads the finished rows and texts alone, so that a mistake anywhere
before is found before a release. The articles' own words are quoted as printed and not looked at. A message names the
table, the source and the column, and never a cell.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from defectors_data.package.tables_reader import Tables

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
"""Columns that contain the articles' own words."""

_OF_FIGURES = {"comparisons", "relations"}
"""Tables that combine numbers, by whichever speaker, and join no persons."""

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")

Row = Mapping[str, Any]
Rows = Mapping[str, list[dict[str, Any]]]


def leaks(rows: Rows) -> list[str]:
    """Return where the rows of some sources, by table, say more of a protected person than they may."""
    persons = {row["speaker_id"]: row["source_id"] for row in rows["speakers"] if row["protected"]}
    if not persons:
        return []
    return [*_filled(rows, persons), *_elsewhere(rows, persons | _records(rows, persons))]


def _records(rows: Rows, persons: Mapping[str, str]) -> dict[str, str]:
    """Return the records of protected persons by id, each with its source."""
    spoken = [row for row in rows["testimonies"] if {row["speaker_id"], row["about_speaker_id"]} & persons.keys()]
    records = {row["testimony_id"]: row["source_id"] for row in spoken}
    records |= {row["mention_id"]: row["source_id"] for row in rows["mentions"] if row["speaker_id"] in persons}
    stated = [row for row in rows["figures"] if row["attributed_to"] in persons or row["testimony_id"] in records]
    return records | {row["figure_id"]: row["source_id"] for row in stated}


def _filled(rows: Rows, persons: Collection[str]) -> Iterator[str]:
    """Find cells of protected persons that have to be empty, and ids that are more than source and number."""
    for table, columns in _EMPTY.items():
        for row in rows.get(table, ()):
            if row["speaker_id"] in persons:
                filled = (column for column in columns if row[column] is not None)
                yield from (f"{table}, a row of {row['source_id']}: {column} is filled" for column in filled)
    for row in rows["speakers"]:
        if row["protected"] and not re.fullmatch(rf"{row['source_id']}-speaker-[1-9][0-9]*", row["speaker_id"]):
            yield f"speakers, a row of {row['source_id']}: speaker_id is more than source and number"


def _elsewhere(rows: Rows, theirs: Mapping[str, str]) -> Iterator[str]:
    """Find ids of protected persons and of their records in rows of another source."""
    for table, found in rows.items():
        if table in _OF_FIGURES:
            continue
        for source, own in groupby(found, itemgetter("source_id")):  # rows are ordered by source
            cells = {name: set(column) for name, column in _columns(list(own)) if name not in _QUOTED}
            texts = {name: "\n".join(filter(_is_text, column)) for name, column in cells.items()}
            abroad = {name for name in _ids("\n".join(texts.values())) if theirs.get(name, source) != source}
            for name, text in texts.items() if abroad else ():
                if _ids(text) & abroad:
                    yield f"{table}, a row of {source}: {name} names a protected person or a record of theirs"


def _columns(rows: list[dict[str, Any]]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    return zip(rows[0], zip(*(row.values() for row in rows), strict=True), strict=True)


def _is_text(cell: object) -> bool:
    return type(cell) is str


def leaks_in_texts(texts: Mapping[str, bytes], tables: Tables) -> list[str]:
    """Return which texts of a release name a protected person or a record of theirs; and which shared rows do.

    `texts` are the files that are no data, by path; `tables` are the finished tables. Rows that belong to no source,
    of the vocabulary and of shared speakers, are read as texts.
    """
    named = {path: _ids(f"{path}\n{content.decode('utf-8', errors='replace')}") for path, content in texts.items()}
    for table in ("measures", "populations", "themes"):
        named[f"the table {table}"] = {name for row in tables.rows(table) for name in _ids_of(row)}
    shared = (row for row in tables.rows("speakers") if row["source_id"] is None)
    named["a shared row of the table speakers"] = {name for row in shared for name in _ids_of(row)}
    theirs = _protected(set().union(*named.values()), tables)
    return [f"{what} names a protected person or a record of theirs" for what, names in named.items() if names & theirs]


def _ids(text: str) -> set[str]:
    return set(_ID.findall(text))


def _ids_of(row: Row) -> set[str]:
    return {name for cell in row.values() if type(cell) is str for name in _ids(cell)}


def _protected(names: set[str], tables: Tables) -> set[str]:
    """Return those of some ids that are of protected persons or of their records."""
    spoken = tables.among("testimonies", "testimony_id", names, ["speaker_id", "about_speaker_id"])
    whose = {row["testimony_id"]: {row["speaker_id"], row["about_speaker_id"]} for row in spoken}
    whose |= {
        row["mention_id"]: {row["speaker_id"]} for row in tables.among("mentions", "mention_id", names, ["speaker_id"])
    }
    stated = list(tables.among("figures", "figure_id", names, ["attributed_to", "testimony_id"]))
    around = {row["testimony_id"] for row in stated} - {None}
    spoken = tables.among("testimonies", "testimony_id", around, ["speaker_id", "about_speaker_id"])
    speakers = {row["testimony_id"]: {row["speaker_id"], row["about_speaker_id"]} for row in spoken}
    whose |= {row["figure_id"]: {row["attributed_to"], *speakers.get(row["testimony_id"], ())} for row in stated}
    persons = names.union(*whose.values()) - {None}
    protected = {
        r["speaker_id"] for r in tables.among("speakers", "speaker_id", persons, ["protected"]) if r["protected"]
    }
    return protected & names | {name for name, of in whose.items() if of & protected}
