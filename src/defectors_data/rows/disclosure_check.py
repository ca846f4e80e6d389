"""Final check that nothing to be published reveals more about a protected person than it may.

The rules on annotations should have found any such fault; this check reads only the finished rows
and texts, so that a bug in an earlier step is found before a release. The articles' own words are
quoted as printed and are not checked. A message names the table, the source and the column, but
never the content of a cell.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from defectors_data.evidence.record_ids import ids_in
from defectors_data.models import tables
from defectors_data.models.columns import columns
from defectors_data.models.tables import WITHHELD

if TYPE_CHECKING:
    from defectors_data.package.tables_reader import PackageTables

_NAMES = {"name", "speaker_name"}
_QUOTED = {"text", "exact", "prefix", "suffix", "title", "subtitle", "dateline", "source_title"}
"""Columns that contain the articles' own words."""

_OF_FIGURES = {"comparisons", "relations"}
"""Tables that combine numbers from different speakers without linking persons."""

Row = Mapping[str, Any]
Rows = Mapping[str, list[dict[str, Any]]]


def leaks(rows: Rows) -> list[str]:
    """Return the places where rows reveal more about a protected person than they may."""
    persons = {row["speaker_id"]: row["source_id"] for row in rows["speakers"] if row["protected"]}
    if not persons:
        return []
    theirs = persons | _records(rows, persons)
    return [*_filled(rows, persons), *_telling_ids(rows), *_elsewhere(rows, theirs)]


def _records(rows: Rows, persons: Mapping[str, str]) -> dict[str, str]:
    """Return the sources of the records of protected persons, by the ids of the records."""
    records = dict[str, str]()
    for table, key in _SPOKEN.items():
        for row in rows[table]:
            if row["speaker_id"] in persons:
                records[row[key]] = row["source_id"]
    for row in rows["figures"]:
        if row["attributed_to"] in persons or row["testimony_id"] in records:
            records[row["figure_id"]] = row["source_id"]
    return records


_SPOKEN = {"testimonies": "testimony_id", "mentions": "mention_id"}
"""The tables of records with one speaker, and their keys."""


_SPEAKER_KEYS = {"persons": "person_id"}
"""The column with the id of a speaker, in tables where it is not `speaker_id`."""


def _filled(rows: Rows, persons: Collection[str]) -> Iterator[str]:
    """Yield the filled cells that must be empty for protected persons."""
    pseudonyms = {row["speaker_id"] for row in rows["speakers"] if row["pseudonym_possible"]}
    for table, withheld in WITHHELD.items():
        key = _SPEAKER_KEYS.get(table, "speaker_id")
        for row in rows.get(table, ()):
            if row[key] not in persons:
                continue
            for column in withheld:
                is_pseudonym = column in _NAMES and row[key] in pseudonyms
                # A package has some columns only if they have values.
                if row.get(column) is not None and not is_pseudonym:
                    yield f"{table}, a row of {row['source_id']}: {column} is filled"


def _telling_ids(rows: Rows) -> Iterator[str]:
    """Yield the ids of protected persons that contain more than a source and a number."""
    for row in rows["speakers"]:
        # A pattern that contained the source's id would have to be compiled for each source.
        end = row["speaker_id"].removeprefix(row["source_id"])
        if row["protected"] and not re.fullmatch("-speaker-[1-9][0-9]*", end):
            place = f"speakers, a row of {row['source_id']}"
            yield f"{place}: speaker_id contains more than source and number"


def _elsewhere(rows: Rows, theirs: Mapping[str, str]) -> Iterator[str]:
    """Yield the places where rows of a source name persons or records of another source.

    `theirs` are the sources of protected persons and of their records, by id.
    """
    columns = dict[tuple[str, str], set[tuple[str, str | None]]]()
    for table in sorted(rows.keys() - _OF_FIGURES):
        for name, cells in _texts(table, rows[table]):
            columns[table, name] = cells
    # Most cells are repeated in other rows and tables.
    distinct = set().union(*columns.values())
    # The joined texts are searched first; cells are searched only if a text contains a foreign id.
    texts = defaultdict(list)
    for source, cell in distinct:
        texts[source].append(cell or "")
    foreign = set()
    for source, of_source in texts.items():
        for name in ids_in("\n".join(of_source)):
            if theirs.get(name, source) != source:
                foreign.add((source, name))
    if foreign:
        for (table, name), pairs in sorted(columns.items()):
            for source in _sources_naming(foreign, pairs):
                place = f"{table}, a row of {source}: {name}"
                yield f"{place} names a protected person or a record of theirs"


def _sources_naming(
    foreign: set[tuple[str, str]], cells: Iterable[tuple[str, str | None]]
) -> set[str]:
    """Return the sources whose cells name an id that is foreign to the source."""
    sources = set()
    for source, cell in cells:
        named = {(source, name) for name in ids_in(cell or "")}
        if named & foreign:
            sources.add(source)
    return sources


def _texts(
    table: str, found: list[dict[str, Any]]
) -> Iterator[tuple[str, set[tuple[str, str | None]]]]:
    """Yield the name of each free-text column, with its distinct pairs of source and cell."""
    if found:
        for name in _free_text(table) & found[0].keys():
            yield name, {(row["source_id"], row[name]) for row in found}


@cache
def _free_text(table: str) -> frozenset[str]:
    names = set()
    for column in columns(tables.ROW_OF[table]):
        if column.type is str and not column.choices:
            names.add(column.name)
    return frozenset(names - _QUOTED)


_OF_TERMS = ("measures", "terms")


def leaks_in_texts(texts: Mapping[str, bytes], tables: PackageTables) -> list[str]:
    """Return the texts and shared rows that name a protected person or a record of theirs.

    `texts` are the files of the release other than data files, by path. Rows that belong to no
    source (of vocabularies and of shared speakers) are checked like texts.
    """
    named = {}
    for path, content in texts.items():
        # The path is checked too: a file may be named after a record.
        named[path] = ids_in(f"{path}\n{content.decode('utf-8', errors='replace')}")
    for table in _OF_TERMS:
        named[f"the table {table}"] = _ids_of(tables.rows(table))
    shared = (row for row in tables.rows("speakers") if row["source_id"] is None)
    named["a shared row of the table speakers"] = _ids_of(shared)
    theirs = _protected(set().union(*named.values()), tables)
    found = [what for what, names in named.items() if names & theirs]
    return [f"{what} names a protected person or a record of theirs" for what in found]


def _ids_of(rows: Iterable[Row]) -> set[str]:
    found = set[str]()
    for row in rows:
        for cell in row.values():
            if type(cell) is str:
                found |= ids_in(cell)
    return found


def _protected(names: set[str], tables: PackageTables) -> set[str]:
    """Return the names that are ids of protected persons or of their records."""
    speakers_of = dict[str, set[str]]()
    for table, key in _SPOKEN.items():
        for row in tables.among(table, key, names, ["speaker_id"]):
            speakers_of[row[key]] = {row["speaker_id"]}
    speakers_of |= _speakers_of_figures(names, tables)
    persons = names.union(*speakers_of.values()) - {None}
    flags = tables.among("speakers", "speaker_id", persons, ["protected"])
    protected = {row["speaker_id"] for row in flags if row["protected"]}
    theirs = {name for name, speakers in speakers_of.items() if speakers & protected}
    return protected & names | theirs


def _speakers_of_figures(names: set[str], tables: PackageTables) -> dict[str, set[str]]:
    """Return the speakers of each figure among the names.

    A figure belongs both to the speaker to whom it is attributed and to that of its testimony.
    """
    columns = ["attributed_to", "testimony_id"]
    figures = list(tables.among("figures", "figure_id", names, columns))
    around = {row["testimony_id"] for row in figures} - {None}
    spoken = tables.among("testimonies", "testimony_id", around, ["speaker_id"])
    speakers = {row["testimony_id"]: row["speaker_id"] for row in spoken}
    speakers_of = dict[str, set[str]]()
    for row in figures:
        attributed_to: str = row["attributed_to"]
        speaker = speakers.get(row["testimony_id"], attributed_to)
        speakers_of[row["figure_id"]] = {attributed_to, speaker}
    return speakers_of
