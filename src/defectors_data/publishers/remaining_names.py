"""Search for what a takedown leaves: lines that contain a name, a removed id or removed words."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from defectors_data.corpus.findings import ProjectFile
from defectors_data.corpus.reader import Batch, CorpusReader
from defectors_data.corpus.shared_context import Context
from defectors_data.edits import yaml_editor
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.document_batches import documents_in
from defectors_data.evidence.record_ids import ids_in
from defectors_data.executors import Executor, serial
from defectors_data.models.closed_vocabularies import RecordTable
from defectors_data.publishers.removal import record_of, shared_files, whole_slug
from defectors_data.text.occurrences import occurrences


class PublishedLine(NamedTuple):
    """A line in which something remains, with the table and id of its record, if any."""

    file: str
    line: int
    """The number of the line; 0 means the name of the file."""
    table: RecordTable | None = None
    record_id: str | None = None


class Sought(NamedTuple):
    """What is searched for."""

    slugs: frozenset[str] = frozenset()
    """Names, as returned by `whole_slug`."""
    ids: frozenset[str] = frozenset()
    passages: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls, names: Iterable[str], ids: Iterable[str] = (), passages: Iterable[str] = ()
    ) -> Sought:
        """Return what is searched for; names in a script without slugs are searched for as words."""
        slugs, words = set[str](), set[str](passages)
        for name in names:
            if whole_slug(name) == whole_slug(""):
                words.add(name)
            else:
                slugs.add(whole_slug(name))
        return cls(frozenset(slugs), frozenset(ids), frozenset(words))

    def is_in(self, text: str) -> bool:
        """Return whether a text contains a name, an id or a passage."""
        return self._names(text) or any(occurrences(text, words) for words in self.passages)

    def lines(self, text: str) -> list[int]:
        """Return the numbers of the lines in which a name, an id or a passage begins."""
        found = set[int]()
        for words in self.passages:
            found |= {text.count("\n", 0, start) + 1 for start, _ in occurrences(text, words)}
        lines = text.split("\n") if self._names(text) else []
        for i, line in enumerate(lines):
            two = "\n".join(lines[i : i + 2])
            if self._names(line) or (self._names(two) and not self._names(lines[i + 1])):
                found.add(i + 1)
        return sorted(found)

    def _names(self, text: str) -> bool:
        plain = whole_slug(text)
        found = any(name in plain for name in self.slugs)
        return found or not self.ids.isdisjoint(ids_in(text))


_LARGEST = 2 * 1024 * 1024
"""Maximum size in bytes of the other files that are searched."""


# ---- the corpus ----------------------------------------------------------------------------------


def in_corpus(
    corpus: CorpusReader, sought: Sequence[Sought], executor: Executor = serial
) -> list[list[PublishedLine]]:
    """Return the lines of a corpus in which each sought name remains, ordered by file and line."""
    found = [set[PublishedLine]() for _ in sought]
    context, _ = corpus.context
    if context and any(map(any, sought)):
        for file in shared_files(context):
            _add(found, (_lines(file, each) for each in sought))
        for some in executor(_in_batch, corpus.batches(), context, sought):
            _add(found, some)
    return [sorted(lines, key=_in_order) for lines in found]


def _add(found: Sequence[set[PublishedLine]], more: Iterable[Iterable[PublishedLine]]) -> None:
    for lines, others in zip(found, more, strict=True):
        lines.update(others)


def _in_order(each: PublishedLine) -> tuple[str, int, str]:
    return each.file, each.line, each.record_id or ""


def _in_batch(batch: Batch, context: Context, sought: Sequence[Sought]) -> list[set[PublishedLine]]:
    found = [set[PublishedLine]() for _ in sought]
    for document, _ in documents_in(batch, context):
        if document:
            _add(found, (_lines(document.file, each, document) for each in sought))
    return found


def _lines(
    file: ProjectFile[Any], sought: Sought, document: Document | None = None
) -> Iterator[PublishedLine]:
    for path, text in file.texts():
        if sought.is_in(text):
            record = record_of(document, path) if document else (None, None)
            yield PublishedLine(file.file, file.place(*path).line, *record)
    comments = yaml_editor.comments(file.typed) if "#" in file.typed and not file.is_line else ()
    yield from (PublishedLine(file.file, line) for line, words in comments if sought.is_in(words))


# ---- other files ---------------------------------------------------------------------------------


class OtherFiles(NamedTuple):
    """The text files of a project other than annotations, seeds and the package."""

    root: Path
    changed: Mapping[str, Path | None]
    """The new files of the takedown by the path of the old ones; None for a removed file."""
    out: Path
    """The package, which is not searched."""
    also: Collection[str] = ()
    """Annotations that are searched, too."""

    def names(self) -> Iterator[str]:
        """Yield the path of each file that remains.

        `seeds/`, `build/`, virtual environments, and hidden folders except `.github/` are left out.
        """
        annotations = (self.root / file for file in self.also if file.startswith("annotations/"))
        apart = [self.root / "seeds", self.root / "build", self.out]
        for path in (*annotations, *_other_files(self.root, apart)):
            file = path.relative_to(self.root).as_posix()
            if path.is_file() and self.changed.get(file, path):
                yield file

    def text(self, file: str) -> str:
        """Return the text of a file, as the takedown leaves it; "" for a large or binary file."""
        path = self.changed.get(file) or self.root / file
        data = b"\0" if path.stat().st_size > _LARGEST else path.read_bytes()
        if b"\0" in data:
            return ""
        return data.decode("utf-8", errors="replace")


def in_other_files(search: OtherFiles, sought: Sought) -> Iterator[PublishedLine]:
    """Yield the lines of other files in which something remains, and files named by a name."""
    if not any(sought):
        return
    for file in search.names():
        if sought.is_in(file):
            yield PublishedLine(file, 0)
        for line in sought.lines(search.text(file)):
            yield PublishedLine(file, line)


def _other_files(root: Path, apart: Collection[Path]) -> Iterator[Path]:
    for at, folders, names in os.walk(root):
        here = Path(at)
        folders[:] = sorted(
            name
            for name in folders
            if (name == ".github" or not name.startswith("."))
            and here / name not in apart
            and not (here / name / "pyvenv.cfg").exists()
        )
        annotated: tuple[str, ...] = ()
        if here == root / "annotations":
            annotated = (".yaml", ".jsonl")
        elif here == root:
            annotated = ("dataset.yaml",)
        yield from (here / name for name in sorted(names) if not name.endswith(annotated))
