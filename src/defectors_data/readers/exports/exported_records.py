"""The exported articles and records, read from the published tables and the reader's copies.

Offsets are Unicode code points, zero-based and end-exclusive, unless a name gives another unit.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from defectors_data.models.columns import Column, RowModel, columns
from defectors_data.models.project import CodeExample
from defectors_data.models.tables import ROW_OF, ROWS
from defectors_data.package.cells import cell_text
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers.article_copies import text_of

RECORDS = ("mentions", "testimonies", "figures")
"""The tables whose rows are annotations of a text."""

_PLACES = {"source_id", "text", "parts", "start_offset", "end_offset"}
"""Columns that formats express as the position of an annotation."""
COMPUTED = frozenset(
    "interval_low interval_high low_open high_open rounded_low rounded_high "
    "as_of_from as_of_to".split()
)
"""Columns that are computed from others."""


def _columns(table: str) -> tuple[Column, ...]:
    left_out = _PLACES | COMPUTED
    return tuple(column for column in columns(ROW_OF[table]) if column.name not in left_out)


COLUMNS = {table: _columns(table) for table in RECORDS}
COLUMNS["speakers"] = tuple(columns(ROW_OF["speakers"]))
"""The columns of records and speakers that formats export, by table; the key comes first."""

VOCABULARIES: dict[str, Literal["theme", "measure", "population"]] = {
    "themes": "theme",
    "measure": "measure",
    "population": "population",
}
"""The kinds of terms, by the column with the terms. The terms in `themes` are joined by `;`."""


class ExportedPart(NamedTuple):
    """A part of a record's evidence: a row of the table `spans`."""

    start_offset: int
    end_offset: int
    start_utf16: int
    end_utf16: int
    exact: str
    prefix: str | None = None
    suffix: str | None = None


class ExportedRecord(NamedTuple):
    """A mention, testimony or figure: its table, the parts of its evidence, and its cells."""

    table: str
    parts: tuple[ExportedPart, ...]
    cells: Mapping[str, str]
    """The non-empty cells by column, as the CSV file has them; the first one is the key."""
    attribution: tuple[ExportedPart, ...] = ()
    """The parts of the words that say who speaks."""

    @property
    def id(self) -> str:
        """The key of the record."""
        return self.cells[COLUMNS[self.table][0].name]


class ExportedArticle(NamedTuple):
    """A source with its records."""

    cells: Mapping[str, str]
    """The cells of its row in `sources` that are not empty."""
    text: str
    """The text of the seed; "" if the format does not need it."""
    records: tuple[ExportedRecord, ...]

    @property
    def stem(self) -> str:
        """The name of the seed without `.txt`, which is also used for the article's files."""
        return Path(self.cells["seed_file"]).stem


class ExportedCorpus(NamedTuple):
    """The exported content of a published package."""

    name: str
    title: str
    version: str
    terms: Mapping[str, Sequence[Mapping[str, Any]]]
    """The rows of themes, measures and populations, by kind."""
    speakers: Mapping[str, Mapping[str, str]]
    """The non-empty cells of each speaker, by id."""
    articles: Iterable[ExportedArticle]
    """The articles in the order of their ids; they can be read only once, one at a time."""
    tables: PackageTables
    examples: Sequence[CodeExample] = ()
    """Testimonies that the codebook quotes as examples of codes."""

    def guid(self, *names: str) -> str:
        """Return a UUID (version 5, RFC 9562) made from the name of the dataset and these names."""
        # The namespace is arbitrary, but must never change: other files refer to these ids.
        return str(uuid.uuid5(uuid.NAMESPACE_URL, "/".join((self.name, *names))))

    def columns(self, table: str) -> list[Column]:
        """Return the columns of `COLUMNS` that the package has."""
        names = self.tables.column_names(table)
        return [column for column in COLUMNS[table] if column.name in names]

    def published(self) -> dict[type[RowModel], list[Column]]:
        """Return the columns that the package has, by the row model of their table."""
        found = {}
        for row in ROWS:
            if self.tables.has(row.TABLE.name):
                found[row] = columns(row, self.tables.column_names(row.TABLE.name))
        return found

    def choices(self, column: str, closed: tuple[str, ...]) -> tuple[str, ...]:
        """Return the permitted values of a column: `closed` (empty for free text), or its terms."""
        if column not in VOCABULARIES:
            return closed
        return tuple(row["term"] for row in self.terms[VOCABULARIES[column]])


Files = Iterator[tuple[str, bytes]]
"""The files of an export: paths relative to its folder, with their bytes."""
Format = Callable[[ExportedCorpus], Files]


def filled(row: Mapping[str, Any], names: Iterable[str]) -> dict[str, str]:
    """Return the non-empty cells of a row in the columns `names`, as the CSV file has them."""
    texts = {}
    for name in names:
        text = cell_text(row[name])
        if text is not None:
            texts[name] = text
    return texts


def values(column: str, cell: str) -> list[str]:
    """Return the values of a cell: several if it contains joined terms, otherwise one."""
    return cell.split(";") if column == "themes" else [cell]


def corpus(
    tables: PackageTables, descriptor: Mapping[str, Any], seeds: Path | None
) -> ExportedCorpus:
    """Return the content of a package for an export, with the texts if `seeds` is given."""
    name, title, version = descriptor["name"], descriptor["title"], descriptor["version"]
    terms = dict[str, list[dict[str, Any]]]()
    for kind in VOCABULARIES.values():
        terms[kind] = tables.terms(kind)
    columns = [column.name for column in COLUMNS["speakers"]]
    rows = tables.rows("speakers", columns)
    speakers = {row["speaker_id"]: filled(row, columns) for row in rows}
    return ExportedCorpus(name, title, version, terms, speakers, articles(tables, seeds), tables)


def articles(tables: PackageTables, seeds: Path | None) -> Iterator[ExportedArticle]:
    """Yield each article with its records and, if the folder of the seeds is given, its text.

    Raises:
        ExportError: a copy of an article is missing, or differs from the article that was
            annotated.
    """
    wanted = {"spans": ["record_table", "record_id", "field", *ExportedPart._fields]}
    for table in RECORDS:
        wanted[table] = [column.name for column in COLUMNS[table]]
    rows = tables.by_source(wanted)
    for source, found in zip(tables.rows("sources"), rows, strict=True):
        parts: dict[tuple[str, str], list[ExportedPart]] = {}
        for span in found["spans"]:
            if span["field"] in ("evidence", "attribution"):
                part = ExportedPart(*[span[name] for name in ExportedPart._fields])
                parts.setdefault((span["field"], span["record_id"]), []).append(part)
        records = []
        for table in RECORDS:
            key = wanted[table][0]
            for row in found[table]:
                cells = filled(row, wanted[table])
                evidence = tuple(parts["evidence", row[key]])
                attribution = tuple(parts.get(("attribution", row[key]), ()))
                records.append(ExportedRecord(table, evidence, cells, attribution))
        text = text_of(source, seeds) if seeds else ""
        yield ExportedArticle(filled(source, source), text, tuple(records))
