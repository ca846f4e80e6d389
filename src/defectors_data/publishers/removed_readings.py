"""Readings without the records that contain removed words or names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Path, Place
from defectors_data.corpus.reader import CorpusReader
from defectors_data.edits import yaml_editor
from defectors_data.evidence import anchors
from defectors_data.evidence.anchors import Quote, SearchedText
from defectors_data.evidence.annotated_document import Document
from defectors_data.publishers.removal import (
    LISTS,
    Removal,
    already_withdrawn,
    has_name,
    is_about_removed,
    names_in,
    withdrawn_runs,
)
from defectors_data.text.occurrences import (
    Run,
    merged,
    occurrences,
    overlap,
)


class EditedReading(NamedTuple):
    """A reading without the records that contain removed words or names."""

    file: str
    text: str | None
    """The new text; None if the whole file is removed."""
    records: int
    """Number of records that are removed."""


def edited_readings(corpus: CorpusReader, removal: Removal) -> Iterator[EditedReading]:
    """Yield the readings that change.

    A reading is removed as a whole if its source is, or if it cannot be read or edited.
    """
    documents = {FilePath(document.source.seed).stem: document for document in removal.documents}
    for file, stem in corpus.readings.items():
        if not file.endswith(".yaml"):
            continue  # a page for people, such as one on an adjudication, whose lines are listed
        text = (corpus.tree.root / file).read_text(encoding="utf-8", errors="replace")
        document = documents.get(stem)
        if document and document.source.id in removal.removed:
            yield EditedReading(file, None, 0)
            continue
        edited = _edited_reading(removal, file, text, document)
        if edited and edited.text != text:
            yield edited


def _edited_reading(
    removal: Removal, file: str, text: str, document: Document | None
) -> EditedReading | None:
    name = [removal.name] if removal.name else []
    names = names_in(removal, document) if document else name
    value = yaml_reader.parse(text, file=file).value
    if not isinstance(value, dict):
        if document or is_about_removed(removal, text, names):
            return EditedReading(file, None, 0)
        return None
    passages = _new_passages(removal, document) if document else None
    cuts = set()
    for path, entry in _entries_of_reading(value):
        is_about = any(is_about_removed(removal, each, names) for each in _strings(entry))
        if is_about or (passages and passages.are_quoted_by(entry, str(path[-1]))):
            cuts.add(path)
    try:
        edited = yaml_editor.without(text, cuts)
    except yaml_editor.UneditableTextError:
        return EditedReading(file, None, 0)
    # The name may be left in a comment.
    if has_name(removal, edited, names):
        return EditedReading(file, None, len(cuts))
    return EditedReading(file, edited, len(cuts))


def _entries_of_reading(value: Mapping[str, Any]) -> Iterator[tuple[Path, Any]]:
    """Yield the records of a reading, and the facts about its source, each with its path."""
    for key, listed in value.items():
        if isinstance(listed, list):
            yield from (((key, i), entry) for i, entry in enumerate(listed))
        elif isinstance(listed, dict):
            yield from (((key, name), entry) for name, entry in listed.items())
        else:
            yield (key,), listed


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings in a YAML value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _strings(list(value.values()))
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


_QUOTING = (
    "evidence",
    "attribution",
    "words",
    "against",
    "by",
    "rival",
    "text",
    "title",
    "subtitle",
    "dateline",
    *LISTS,
)
"""Keys of words of the article in a reading."""
_OF_ATTRIBUTES = ("attested_by", "shown_by")
"""Keys of mappings of attributes to such words."""


def _quoted_parts(value: Any, key: str = "text") -> Iterator[Any]:
    """Yield the parts of evidence in a YAML value, as typed: strings, or mappings with `text`."""
    if isinstance(value, str):
        if key in _QUOTING:
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from _quoted_parts(item, key)
    elif isinstance(value, dict) and isinstance(value.get("text"), str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            inner = "evidence" if key in _OF_ATTRIBUTES else str(name)
            yield from _quoted_parts(item, inner)


class _Passages(NamedTuple):
    """The withdrawn runs of a text."""

    document: Document
    runs: list[Run]

    def are_quoted_by(self, entry: Any, key: str) -> bool:
        """Return whether an entry of a reading, at a key, quotes words of these runs."""
        return any(self.contain(part) for part in _quoted_parts(entry, key))

    def contain(self, part: Any) -> bool:
        """Return whether a part of evidence, as typed, has words in these runs."""
        given = part if isinstance(part, dict) else {"text": part}
        words, occurrence = given["text"].strip(), str(given.get("occurrence", ""))
        around = (str(given.get("prefix", "")), str(given.get("suffix", "")))
        number = int(occurrence) if occurrence.isdecimal() else None
        quote = Quote(words, Place(self.document.file.file), *around, number)
        text = SearchedText(self.document.seed, self.document.text, near=False)
        span, _ = anchors.find_span(quote, text)
        if span:
            return overlap([span], self.runs)
        # Words that are typed otherwise than in the article, or that it has several times
        withdrawn = [self.document.text[start:end] for start, end in self.runs]
        return any(occurrences(run, words) or occurrences(words, run) for run in withdrawn)


def _new_passages(removal: Removal, document: Document) -> _Passages | None:
    """Return the withdrawn runs of a text, or None if the takedown does not add any."""
    runs = withdrawn_runs(removal, document)
    return _Passages(document, runs) if runs != merged(already_withdrawn(document)) else None
