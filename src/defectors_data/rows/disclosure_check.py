"""Final check that nothing to be published reveals more about a protected person than it may.

The rules on annotations should have found any such fault; this check reads only the finished rows and texts, so that a
bug in an earlier step is found before a release. The articles' own words are quoted as printed and are not checked. A
message names the table, the source and the column, but never the content of a cell.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from defectors_data.models import tables
from defectors_data.models.tables import WITHHELD

if TYPE_CHECKING:
    from defectors_data.package.tables_reader import PackageTables

_NAMES = {"name", "speaker_name"}
_QUOTED = {"text", "exact", "prefix", "suffix", "title", "subtitle", "dateline", "source_title"}
"""Columns that contain the articles' own words."""

_OF_FIGURES = {"comparisons", "relations"}
"""Tables that combine numbers from different speakers without linking persons."""

_ID = re.compile(
    r"[a-z0-9]++(?:-[a-z0-9]++)++"
)  # possessive: no backtracking in words without a hyphen

Row = Mapping[str, Any]
Rows = Mapping[str, list[dict[str, Any]]]


def leaks(rows: Rows) -> list[str]:
    """Return the places where rows, given by table, reveal more about a protected person than they may."""
    persons = {row["speaker_id"]: row["source_id"] for row in rows["speakers"] if row["protected"]}
    if not persons:
        return []
    return [*_filled(rows, persons), *_elsewhere(rows, persons | _records(rows, persons))]


def _records(rows: Rows, persons: Mapping[str, str]) -> dict[str, str]:
    """Return the sources of the records of protected persons, by the ids of the records."""
    spoken = [row for row in rows["testimonies"] if row["speaker_id"] in persons]
    records = {row["testimony_id"]: row["source_id"] for row in spoken}
    records |= {
        row["mention_id"]: row["source_id"]
        for row in rows["mentions"]
        if row["speaker_id"] in persons
    }
    stated = [
        row
        for row in rows["figures"]
        if row["attributed_to"] in persons or row["testimony_id"] in records
    ]
    return records | {row["figure_id"]: row["source_id"] for row in stated}


def _filled(rows: Rows, persons: Collection[str]) -> Iterator[str]:
    """Yield the filled cells that must be empty for protected persons, and ids with more than a source and a number."""
    pseudonyms = {row["speaker_id"] for row in rows["speakers"] if row["pseudonym_possible"]}
    for table, columns in WITHHELD.items():
        for row in rows.get(table, ()):
            if row["speaker_id"] in persons:
                filled = [column for column in columns if row[column] is not None]
                filled = [
                    column
                    for column in filled
                    if column not in _NAMES or row["speaker_id"] not in pseudonyms
                ]
                yield from (
                    f"{table}, a row of {row['source_id']}: {column} is filled" for column in filled
                )
    for row in rows["speakers"]:
        # A pattern that contained the source's id would have to be compiled for each source.
        end = row["speaker_id"].removeprefix(row["source_id"])
        if row["protected"] and not re.fullmatch("-speaker-[1-9][0-9]*", end):
            yield f"speakers, a row of {row['source_id']}: speaker_id contains more than source and number"


def _elsewhere(rows: Rows, theirs: Mapping[str, str]) -> Iterator[str]:
    """Yield the places where rows of a source name a protected person from another source or that person's records."""
    found = {
        (table, name): cells
        for table in rows.keys() - _OF_FIGURES
        for name, cells in _texts(table, rows[table])
    }
    # The joined texts are searched first; single cells are searched only if a text contains a foreign id.
    texts = defaultdict(list)
    for source, cell in set().union(
        *found.values()
    ):  # most cells are repeated in other rows and tables
        texts[source].append(cell or "")
    foreign = {
        (source, name)
        for source, cells in texts.items()
        for name in ids_in("\n".join(cells))
        if theirs.get(name, source) != source
    }
    for (table, name), cells in sorted(found.items()) if foreign else ():
        sources = {
            source
            for source, cell in cells
            if any((source, each) in foreign for each in ids_in(cell or ""))
        }
        yield from (
            f"{table}, a row of {s}: {name} names a protected person or a record of theirs"
            for s in sources
        )


def _texts(
    table: str, found: list[dict[str, Any]]
) -> Iterator[tuple[str, set[tuple[str, str | None]]]]:
    """Yield the name of each free-text column, with its distinct cells as pairs of source and cell."""
    for name in _free_text(table) if found else ():
        if name in found[0]:
            yield name, {(row["source_id"], row[name]) for row in found}


@cache
def _free_text(table: str) -> frozenset[str]:
    columns = tables.columns(tables.ROW_OF[table])
    return (
        frozenset(column.name for column in columns if column.type is str and not column.choices)
        - _QUOTED
    )


def leaks_in_texts(texts: Mapping[str, bytes], tables: PackageTables) -> list[str]:
    """Return the texts and shared rows of a release that name a protected person or one of that person's records.

    `texts` are the files other than data files, by path; `tables` are the finished tables. Rows that belong to no
    source (of vocabularies and of shared speakers) are checked like texts.
    """
    # The path is checked too: a file may be named after a record.
    named = {
        path: ids_in(f"{path}\n{content.decode('utf-8', errors='replace')}")
        for path, content in texts.items()
    }
    for table in (
        "measures",
        "populations",
        "themes",
        "roles",
        "rank_classes",
        "branches",
        "units",
    ):
        named[f"the table {table}"] = {name for row in tables.rows(table) for name in _ids_of(row)}
    shared = (row for row in tables.rows("speakers") if row["source_id"] is None)
    named["a shared row of the table speakers"] = {name for row in shared for name in _ids_of(row)}
    theirs = _protected(set().union(*named.values()), tables)
    return [
        f"{what} names a protected person or a record of theirs"
        for what, names in named.items()
        if names & theirs
    ]


def ids_in(text: str) -> set[str]:
    """Return the words of a text that may be ids: only those with a hyphen, because others may be common words."""
    return set(_ID.findall(text)) if "-" in text else set()


def _ids_of(row: Row) -> set[str]:
    return {name for cell in row.values() if type(cell) is str for name in ids_in(cell)}


def _protected(names: set[str], tables: PackageTables) -> set[str]:
    """Return the names that are ids of protected persons or of their records."""
    whose: dict[str, set[str]] = {}
    for table, key in (("testimonies", "testimony_id"), ("mentions", "mention_id")):
        whose |= {
            row[key]: {row["speaker_id"]} for row in tables.among(table, key, names, ["speaker_id"])
        }
    stated = list(tables.among("figures", "figure_id", names, ["attributed_to", "testimony_id"]))
    around = {row["testimony_id"] for row in stated} - {None}
    spoken = tables.among("testimonies", "testimony_id", around, ["speaker_id"])
    speakers = {row["testimony_id"]: row["speaker_id"] for row in spoken}
    # A figure belongs both to the speaker to whom it is attributed and to the speaker of its testimony.
    whose |= {
        row["figure_id"]: {
            row["attributed_to"],
            speakers.get(row["testimony_id"], row["attributed_to"]),
        }
        for row in stated
    }
    persons = names.union(*whose.values()) - {None}
    protected = {
        r["speaker_id"]
        for r in tables.among("speakers", "speaker_id", persons, ["protected"])
        if r["protected"]
    }
    return protected & names | {name for name, of in whose.items() if of & protected}
