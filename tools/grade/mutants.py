"""The annotations as plain YAML values, and functions that make mutants of them, each with one change."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from defectors_data import pipeline
from defectors_data.corpus import yaml_reader
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.evidence import anchors, document_batches
from defectors_data.evidence.annotated_document import Document, EvidenceField
from defectors_data.pipeline import Options
from defectors_data.text.offsets import Span

Steps: TypeAlias = tuple[str | int, ...]
GONE = object()
"""Passed to `put` to delete a value."""
LISTS = ("speakers", "testimonies", "figures", "relations", "waivers")
"""The lists of records in the file of a source."""


class Mutant(NamedTuple):
    """One change to one file: the changed record, a description of the change, the file, and its new content."""

    record: str
    change: str
    file: str
    content: Any


@dataclass(frozen=True)
class SourceFile:
    """The annotations of a source as plain YAML values (strings, lists, dictionaries), and its document."""

    content: dict[str, Any]
    document: Document

    @property
    def id(self) -> str:
        """The id of the source."""
        return self.document.source.id

    @property
    def file(self) -> str:
        """The path of the annotations."""
        return self.document.file.file

    @property
    def text(self) -> str:
        """The text of the seed."""
        return self.document.text

    def records(self, field: str) -> list[tuple[Steps, dict[str, Any]]]:
        """Return the records of a list, each with its path."""
        return [((field, i), record) for i, record in enumerate(self.content.get(field, []))]

    def mentions(self) -> list[tuple[Steps, dict[str, Any]]]:
        """Return the mentions of all speakers, each with its path."""
        speakers = self.records("speakers")
        return [((*path, "mentions", i), m) for path, s in speakers for i, m in enumerate(s.get("mentions", []))]

    def evidence(self, *tables: str) -> Iterator[Evidence]:
        """Yield each part of the evidence of records and sources, and of what attests attributes."""
        for cited in self.document.cited:
            is_whole = cited.field == "evidence" or cited.table in ("sources", "mentions")
            if is_whole and (not tables or cited.table in tables):
                for i, span in enumerate(self.document.at(cited.path)[: len(cited.parts)]):
                    yield Evidence(self, cited, i, span)

    def changed(self, record: str, change: str, path: Steps, value: Any) -> Mutant:
        """Return the mutant with another value at a path."""
        return Mutant(record, change, self.file, put(self.content, path, value))

    def added(self, field: str, record: Any, change: str = "") -> Mutant:
        """Return the mutant with one more record in a list."""
        return self.changed(name_of(record), change, (field, len(self.content[field])), record)

    def hidden(self) -> list[str]:
        """Return the ids of the speakers who are not publicly named."""
        return [speaker.id for _, speaker in self.document.speakers if speaker.protected]


@dataclass(frozen=True)
class Evidence:
    """One part of the evidence of a record, and its span."""

    source: SourceFile
    cited: EvidenceField
    i: int
    span: Span

    @property
    def words(self) -> str:
        """The words of the part."""
        return self.source.text[slice(*self.span)]

    @property
    def direct(self) -> bool:
        """Whether this is a part of direct speech."""
        return self.cited.table == "testimonies" and at(self.source.content, self.cited.path[:-1])["mode"] == "direct"

    def typed(self) -> list[Any]:
        """Return all parts of the evidence as plain YAML values."""
        return listed(at(self.source.content, self.cited.path))

    def part(self, span: Span) -> dict[str, Any]:
        """Return the part for a span, with its neighbours if the same words are found elsewhere."""
        words = self.source.text[slice(*span)]
        starts = anchors.occurrences(words, self.source.text)
        chosen = {} if self.cited.every or len(starts) == 1 else anchors.neighbours(span, self.source.text)
        unbalanced = self.cited.parts[self.i].unbalanced
        return {
            "text": words,
            **{key: str(each) for key, each in chosen.items()},
            **({"unbalanced": unbalanced} if unbalanced else {}),
        }

    def replaced(self, change: str, *parts: Any, of: int = 1) -> Mutant:
        """Return the mutant with other parts in place of this one, or in place of `of` parts from this one on."""
        typed = self.typed()
        typed[self.i : self.i + of] = parts
        where = f"{self.cited.field} {self.i + 1}: {change}".removeprefix("evidence ")
        return self.source.changed(self.cited.record_id, where, self.cited.path, typed)

    def moved(self, start: int = 0, end: int = 0) -> Iterator[Mutant]:
        """Yield the mutant with start and end moved by so many code points; none if the new span contains no words."""
        moved = Span(self.span.start + start, self.span.end + end)
        within = 0 <= moved.start < moved.end <= len(self.source.text) and moved != self.span
        if within and any(character.isalnum() for character in self.source.text[slice(*moved)]):
            change = ", ".join(f"{name} {by:+d}" for name, by in (("start", start), ("end", end)) if by)
            yield self.replaced(change, self.part(moved))


def source_files(root: Path) -> list[SourceFile]:
    """Return the sources in a folder. Exit if its annotations have findings."""
    corpus = CorpusReader(FileTree(root))
    checked = pipeline.run(corpus, Options(tables=False))
    if checked.context is None or checked.findings:
        sys.exit(f"The annotations have findings, the first in {checked.findings[0].place.file}. Run `check`.")
    return [
        SourceFile(
            yaml_reader.parse((root / each.file.file).read_text(encoding="utf-8"), file=each.file.file).value, each
        )
        for each in document_batches.all_documents(corpus, checked.context)
    ]


def terms(project: Sequence[SourceFile], name: str) -> list[str]:
    """Return the terms of a list of the vocabulary."""
    return [term.term for term in getattr(project[0].document.context.vocabulary.content, name)]


def at(content: Any, path: Steps) -> Any:
    """Return the value at a path."""
    for step in path:
        content = content[step]
    return content


def put(content: Any, path: Steps, value: Any) -> Any:
    """Return a copy with another value at a path. `GONE` deletes; the index after the end of a list appends."""
    step: Any = path[0]
    copy: Any = [*content] if isinstance(content, list) else {**content}
    if len(path) > 1:
        copy[step] = put(copy[step], path[1:], value)
    elif value is GONE:
        del copy[step]
    elif isinstance(copy, list) and step == len(copy):
        copy.append(value)
    else:
        copy[step] = value
    return copy


def listed(evidence: Any) -> list[Any]:
    """Return evidence as a list of parts."""
    return [*evidence] if isinstance(evidence, list) else [evidence]


def name_of(record: Any) -> str:
    """Return the id of a record, or of the shared speaker that it refers to."""
    return str(record.get("use") or record["id"])


# ---- words of a seed ---------------------------------------------------------------------------------------

WORD = re.compile(r"\w+")
CLAUSE_END = re.compile(r"[.,;:!?—–](?=\s)")


def in_a_word(text: str, offset: int) -> bool:
    """Return whether an offset is between two word characters."""
    return bool(re.fullmatch(r"\w\w", text[max(0, offset - 1) : offset + 1]))


def words_in(text: str, start: int, end: int) -> list[Span]:
    """Return the spans of words between two offsets, without words that contain an apostrophe."""
    found = (Span(*hit.span()) for hit in WORD.finditer(text, max(0, start), end))
    return [word for word in found if text[word.start - 1] not in "'’" and text[word.end : word.end + 1] not in "'’"]


def cuts(text: str, span: Span) -> list[tuple[int, int]]:
    """Return the moves of start and end that remove a word, half of the words, all but one, or clauses at one end."""
    words = words_in(text, *span)
    if len(words) < 2:  # noqa: PLR2004  # one word must remain
        return []
    clauses = [hit.end() for hit in CLAUSE_END.finditer(text, *span) if words[0].end < hit.end() < words[-1].start]
    starts = [words[1].start, words[len(words) // 2].start, words[-1].start]
    starts += [next(word.start for word in words if word.start > end) for end in clauses]
    ends = [words[0].end, words[len(words) // 2 - 1].end, words[-2].end, *clauses]
    moves = {(start - span.start, 0) for start in starts} | {(0, end - span.end) for end in ends}
    return sorted(moves - {(0, 0)})


def without_record(source: SourceFile, path: Steps, name: str) -> Mutant:
    """Return the mutant without a record and without references to it."""
    content = put(source.content, path, GONE)
    for field, key in (("figures", "testimony"), ("waivers", "repeats")):
        for i, record in enumerate(content.get(field, [])):
            if record.get(key) == name:
                content = put(content, (field, i, key), GONE)
    return Mutant(name, "", source.file, content)


Operator: TypeAlias = Callable[[Sequence[SourceFile]], Iterator[Mutant]]
"""A kind of damage: a function that yields all mutants that it can make from the sources."""
