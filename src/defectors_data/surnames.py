"""Where a surname is still printed after its bearer was taken out.

A document that does not hear the person may mean another one by the surname alone. So its texts stay, and are reported.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, NamedTuple

from defectors_data import reader, yamlediting
from defectors_data.context import Context, ListFile
from defectors_data.evidence.document import Document
from defectors_data.executors import Executor, serial
from defectors_data.project_file import ProjectFile
from defectors_data.reader import Batch, CorpusReader
from defectors_data.vocabularies import RecordTable
from defectors_data.withdrawing import record_of, slug


class Printed(NamedTuple):
    """A line that contains the surname, and the record that prints it, if a record does."""

    file: str
    line: int
    table: RecordTable | None = None
    record_id: str | None = None


def printed(corpus: CorpusReader, surnames: Collection[str], executor: Executor = serial) -> list[Printed]:
    """Return the lines of a corpus that contain a surname, with or without its accents, in the order of the files."""
    sought = frozenset(map(slug, surnames)) - {slug("")}
    context, _ = corpus.context
    if not sought or not context:
        return []
    lists: tuple[ListFile[Any], ...] = (context.shared.listed, context.tombstones, context.comparisons)
    files: list[ProjectFile[Any]] = [context.dataset, context.vocabulary]
    files += (file for listed in lists for file, _ in listed.files())
    found = {line for file in files for line in _lines(file, sought)}
    for some in executor(_printed_in, corpus.batches(), context, sought):
        found |= some
    return sorted(found, key=lambda each: (each.file, each.line, each.record_id or ""))


def _printed_in(batch: Batch, context: Context, sought: Collection[str]) -> set[Printed]:
    """Return the lines of a batch of documents that contain a surname."""
    documents = (document for document, _ in reader.documents_in(batch, context) if document)
    return {line for document in documents for line in _lines(document.file, sought, document)}


def _lines(file: ProjectFile[Any], sought: Collection[str], document: Document | None = None) -> Iterator[Printed]:
    for path, text in file.texts():
        if _contains(text, sought):
            record = record_of(document, path) if document else (None, None)
            yield Printed(file.file, file.place(*path).line, *record)
    comments = yamlediting.comments(file.typed) if "#" in file.typed and not file.is_line else ()
    yield from (Printed(file.file, line) for line, words in comments if _contains(words, sought))


def _contains(text: str, sought: Collection[str]) -> bool:
    plain = slug(text)
    return any(name in plain for name in sought)
