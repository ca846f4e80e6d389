"""The articles and records that the readers of other programs' formats return."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from defectors_data.readers.exports.exported_records import COLUMNS, RECORDS
from defectors_data.text.offsets import Span


class ForeignLabel(NamedTuple):
    """A label, layer or code of a record, as the file has it."""

    name: str
    vocabulary: str = ""
    """The table of terms that contains it, if the file states it."""


class Link(NamedTuple):
    """A relation from a record to another one."""

    name: str
    to: str
    """The `key` of the other record."""


class Selector(NamedTuple):
    """A selector of a part: its words with their context, and its span, as far as it states them."""

    exact: str = ""
    prefix: str = ""
    suffix: str = ""
    span: tuple[int, int] | None = None


@dataclass
class ForeignRecord:
    """A record, or an annotation that may be part of one, in a file from another program."""

    table: str | None = None
    """`mentions`, `testimonies` or `figures`; None if the file does not state it."""
    cells: dict[str, str] = field(default_factory=dict)
    """The cells, by the names of the published columns."""
    spans: list[Span | None] = field(default_factory=list)
    """The spans of its parts in the article; None for a part that was not found."""
    selectors: list[Selector] = field(default_factory=list)
    """The selectors of its parts, if the file does not have the text of the article."""
    labels: list[ForeignLabel] = field(default_factory=list)
    """Its labels, in the order of the file."""
    speakers: list[str] = field(default_factory=list)
    """Names of its speaker; a later name is preferred."""
    key: str = ""
    """Its identifier in the file, to which links refer."""
    links: list[Link] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    """Labels that the note of the draft keeps."""
    problem: str = ""
    """The reason why it cannot be imported, if the file itself shows one."""
    sources: list[Span] = field(default_factory=list)
    """The spans of the words that name its speaker."""
    attribution: list[Span] = field(default_factory=list)
    """The spans of all words that say who speaks, such as a name and “said”."""

    @property
    def id(self) -> str | None:
        """The id of the record, if it has one."""
        if not self.table:
            return None
        return self.cells.get(COLUMNS[self.table][0].name)


@dataclass
class ForeignArticle:
    """An article in a file, with its records, and what identifies it."""

    name: str
    """The name of the file or of the source in it, for messages."""
    records: list[ForeignRecord]
    text: str | None = None
    """The article's text in the file, without byte order mark and carriage returns."""
    sha256: str = ""
    """SHA-256 of the article's text, if the file has it instead of the text."""
    address: str = ""
    """The address of the article, if the file has it instead of the text."""
    note: str = ""
    """A sentence about how the file was read."""
    problem: str = ""
    """The reason why the article cannot be imported, if the file itself shows one."""


def folded(text: str) -> str:
    """Return a text without byte order mark, and with line feeds as line ends."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def table_of(cells: Mapping[str, str]) -> str | None:
    """Return the table whose key is among the cells, or None."""
    # The last is meant: a figure may also have the key of its testimony.
    found = [table for table in RECORDS if COLUMNS[table][0].name in cells]
    return found[-1] if found else None


def add_comment(record: ForeignRecord, words: str) -> None:
    """Add to a record the cells of a comment; one that is not a JSON object becomes its note."""
    try:
        cells = json.loads(words)
    except (ValueError, RecursionError):
        cells = None
    if isinstance(cells, dict):
        record.cells |= {str(key): str(value) for key, value in cells.items()}
        record.table = record.table or table_of(record.cells)
    elif words:
        record.cells.setdefault("note", words)
