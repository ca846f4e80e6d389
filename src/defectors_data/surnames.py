"""Where a surname is still printed after its bearer was taken out.

A source that does not hear the person may mean another one by the surname alone. So its texts stay, and are reported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from defectors_data import lines, parts, reading, yamlediting
from defectors_data.corpus import Corpus, Document, Shard
from defectors_data.files import Tree
from defectors_data.findings import MOST_SHOWN
from defectors_data.vocabularies import RecordTable
from defectors_data.withdrawing import record_of, slug


class Printed(NamedTuple):
    """A line that contains the surname, and the record that prints it, if a record does."""

    file: str
    line: int
    table: RecordTable | None = None
    record_id: str | None = None


def printed(corpus: Corpus, surnames: Collection[str]) -> list[Printed]:
    """Return the lines of a corpus that contain a surname, with or without its accents, in the order of the files."""
    sought = set(map(slug, surnames)) - {slug("")}
    return sorted({line for document in corpus.documents() for line in _lines(document, sought)}, key=_order)


def printed_in_parts(root: Path, surnames: Collection[str]) -> list[Printed]:
    """Return the same of the lines of parts: the first ones, where there are many."""
    tree, sought = Tree(root), set(map(slug, surnames)) - {slug("")}
    found: dict[str, list[int]] = {}
    for file in lines.names(tree) if sought else ():
        for block in parts.blocks(tree.opened, file, None):
            numbers = [block.first + i for i, line in enumerate(block.lines) if _holds(line.decode(), sought)]
            if numbers and sum(map(len, found.values())) <= MOST_SHOWN:
                found.setdefault(file, []).extend(numbers)
    corpus, _ = reading.read(root, only=found)
    return printed(corpus, surnames) if corpus else []


def _lines(document: Document[Any], sought: Collection[str]) -> Iterator[Printed]:
    for path, text in document.texts():
        if _holds(text, sought):
            place = document.place(*path)
            table, record_id = record_of(document, path) if isinstance(document, Shard) else (None, None)
            yield Printed(parts.without_number(place.file), place.line, table, record_id)
    comments = yamlediting.comments(document.typed) if "#" in document.typed else ()
    yield from (Printed(document.file, line) for line, words in comments if _holds(words, sought))


def _holds(text: str, sought: Collection[str]) -> bool:
    plain = slug(text) if sought else ""
    return any(name in plain for name in sought)


def _order(each: Printed) -> tuple[str, int, str]:
    return each.file, each.line, each.record_id or ""
