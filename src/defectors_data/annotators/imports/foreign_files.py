"""The records that format readers return, and functions that parse untrusted files.

XML with a document type declaration is rejected, because it can declare entities. Offsets are code
points unless a name gives another unit.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, NoReturn
from xml.etree import ElementTree as ET
from xml.parsers import expat

from defectors_data import given_files
from defectors_data.given_files import GivenFileError
from defectors_data.package.published_folder import DESCRIPTOR
from defectors_data.readers.exports.exported_records import COLUMNS, RECORDS, VOCABULARIES
from defectors_data.text.offsets import OffsetConverter, Span

_DEEPEST = 200
"""Maximum depth of nested XML elements."""


@dataclass
class ForeignRecord:
    """A record in a file from another tool."""

    table: str | None = None
    """`mentions`, `testimonies` or `figures`; None if the file does not state it."""
    cells: dict[str, str] = field(default_factory=dict)
    """The cells, by the names of the published columns."""
    spans: list[Span | None] = field(default_factory=list)
    """The spans of its parts; None for a part whose offsets are not valid for the text."""

    @property
    def id(self) -> str | None:
        """The id of the record, if it has one."""
        return self.cells.get(COLUMNS[self.table][0].name) if self.table else None


class ForeignArticle(NamedTuple):
    """An article in a file, with its records."""

    name: str
    """The name of the file, for messages."""
    sha256: str
    """SHA-256 of the article's text in UTF-8."""
    records: Callable[[str], list[ForeignRecord]]
    """A function that returns the records; its argument is the text of the article."""


class KnownCodes:
    """The codes of the project, by name: kinds of records, terms and speakers."""

    def __init__(self, terms: Mapping[str, Mapping[str, str]], speakers: Mapping[str, str]) -> None:
        """Store the labels of the terms of each vocabulary, and the names of speakers."""
        self.unknown: dict[str, None] = {}
        """Names that are not codes, in the order of their look-up; used as an ordered set."""
        self._tables = _by_name({table: _SINGULAR[table] for table in RECORDS})
        self._terms = {column: _by_name(terms[table]) for column, table in VOCABULARIES.items()}
        self._speakers = _by_name(speakers)

    def apply(self, found: ForeignRecord, name: str, vocabulary: str = "") -> None:
        """Apply a code to a record: set its kind, or add a term of any or the given vocabulary."""
        folded = _folded(name)
        if not vocabulary and (table := self._tables.get(folded)):
            found.table = table
            return
        for column, terms in self._terms.items():
            if (term := terms.get(folded)) and vocabulary in ("", VOCABULARIES[column]):
                add_term(found, column, term)
                return
        self.unknown[name] = None

    def speaker(self, name: str) -> str | None:
        """Return the id of the speaker with this name or id, or None."""
        return self._speakers.get(_folded(name))


_SINGULAR = {"mentions": "mention", "testimonies": "testimony", "figures": "figure"}


def _by_name(labels: Mapping[str, str]) -> dict[str, str]:
    """Return codes by their labels and by themselves, folded."""
    found = {}
    for code, label in labels.items():
        found[_folded(label)] = code
        found[_folded(code)] = code
    return found


def _folded(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())


def table_of(cells: Mapping[str, str]) -> str | None:
    """Return the table whose key is among the cells, or None."""
    # The last is meant: a figure may also have the key of its testimony.
    found = [table for table in RECORDS if COLUMNS[table][0].name in cells]
    return found[-1] if found else None


def add_term(found: ForeignRecord, column: str, term: str) -> None:
    """Add a theme to a record, or replace its term of another vocabulary."""
    before = found.cells.get(column)
    if column != "themes" or not before:
        found.cells[column] = term
    elif term not in before.split(";"):
        found.cells[column] = f"{before};{term}"


# ---- offsets -------------------------------------------------------------------------------------


def span_in(text: str, start: object, end: object) -> Span | None:
    """Return a span, or None if it is empty or outside the text; digits may be strings."""
    try:
        span = Span(int(str(start)), int(str(end)))
    except ValueError:
        return None
    return span if 0 <= span.start < span.end <= len(text) else None


def utf16_spans(text: str) -> Callable[[object, object], Span | None]:
    """Return a function that converts offsets in UTF-16 code units to a span of code points.

    The function returns None if an offset is inside a code point, or the span is empty or outside
    the text.
    """
    offsets, points = OffsetConverter(text), range(len(text) + 1)

    def point(unit: object) -> int | None:
        at = bisect_left(points, int(str(unit)), key=offsets.utf16)
        return at if at < len(points) and offsets.utf16(at) == int(str(unit)) else None

    def span(start: object, end: object) -> Span | None:
        try:
            return span_in(text, point(start), point(end))
        except ValueError:
            return None

    return span


# ---- files ---------------------------------------------------------------------------------------


def files_of(path: Path, *endings: str) -> dict[str, bytes]:
    """Return the bytes of the files with these extensions in a folder or zip, by name.

    Any other single file is returned, too. The descriptor of an export is left out.

    Raises:
        GivenFileError: there are no such files, or an archive is damaged, too large, or contains a
            path that leads out of it.
        OSError: a file could not be read.
    """
    if path.is_dir():
        found = {}
        for each in sorted(path.iterdir()):
            if each.name.endswith(endings) and each.name != DESCRIPTOR:
                found[each.name] = given_files.read(each)
    else:
        data = given_files.read(path)
        if not given_files.is_archive(data):
            return {path.name: data}
        found = given_files.unzipped(data, path.name, lambda name: name.endswith(endings))
    if not found:
        problem = f"it contains no file whose name ends in {' or '.join(endings)}"
        raise GivenFileError(problem, path.name)
    return found


def decoded(data: bytes, file: str) -> str:
    """Return UTF-8 bytes as text, without a byte order mark."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"byte 0x{data[error.start]:02X} is not valid UTF-8"
        raise GivenFileError(problem, file, line) from None


def json_of(data: bytes, file: str) -> Any:
    """Return the value of a JSON file (RFC 8259)."""

    def refuse(constant: str) -> NoReturn:
        raise GivenFileError(f"{constant} is not valid JSON", file)

    try:
        value = json.loads(decoded(data, file), parse_constant=refuse)
        json.dumps(value, ensure_ascii=False).encode()  # fails for half of a surrogate pair
    except json.JSONDecodeError as error:
        problem = f"it is not valid JSON: {error.msg.partition(':')[0].lower()}"
        raise GivenFileError(problem, file, error.lineno, error.colno) from None
    except RecursionError:
        raise GivenFileError("it is nested too deeply", file) from None
    except UnicodeEncodeError:
        raise GivenFileError("it contains half of a surrogate pair", file) from None
    except GivenFileError:  # from `refuse`; it is a ValueError, too
        raise
    except ValueError:
        raise GivenFileError("it contains a number with too many digits", file) from None
    return value


def xml_of(data: bytes, file: str) -> ET.Element:
    """Return the root of an XML document; the names in it have no namespaces."""
    builder, depth = ET.TreeBuilder(), 0
    parser = expat.ParserCreate(namespace_separator="}")
    parser.buffer_text = True  # otherwise, expat reports each line of a text separately

    def refuse(problem: str) -> NoReturn:
        raise GivenFileError(
            problem, file, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1
        )

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            refuse("it is nested too deeply")
        builder.start(_local(name), {_local(key): value for key, value in attributes.items()})

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        builder.end(_local(name))

    def doctype(*_: object) -> None:
        refuse("it has a document type declaration, which is not allowed")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = builder.data
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(data, True)  # noqa: FBT003  # it takes no keyword
        return builder.close()
    except expat.ExpatError as error:
        problem = f"it is not valid XML: {expat.ErrorString(error.code)}"
        raise GivenFileError(problem, file, error.lineno, error.offset + 1) from None


def _local(name: str) -> str:
    return name.rpartition("}")[2]


def children(element: ET.Element | None, name: str) -> Iterator[ET.Element]:
    """Yield the children of an element that have a given name; nothing if the element is None."""
    if element is not None:
        yield from element.findall(name)
