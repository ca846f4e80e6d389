"""Readings and decisions without the parts that contain removed words or names."""

from __future__ import annotations

import re
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
from defectors_data.text.occurrences import Run, merged, occurrences, overlap, repeats

DECISIONS = ".decisions.md"
"""The end of the name of a page of decisions on the differences between readings of an article."""


class EditedReading(NamedTuple):
    """A reading or a page of decisions without what contains removed words or names."""

    file: str
    text: str | None
    """The new text; None if the whole file is removed."""
    records: int
    """Number of records or lines that are removed."""


def edited_readings(corpus: CorpusReader, removal: Removal) -> Iterator[EditedReading]:
    """Yield the readings that change.

    A reading is removed as a whole if its source is, or if it cannot be read or edited.
    """
    documents = {FilePath(document.source.seed).stem: document for document in removal.documents}
    for file, stem in corpus.readings.items():
        if not file.endswith((".yaml", DECISIONS)):
            continue  # another page, whose lines are listed
        text = (corpus.tree.root / file).read_text(encoding="utf-8", errors="replace")
        document = documents.get(stem)
        if document and document.source.id in removal.removed:
            yield EditedReading(file, None, 0)
            continue
        edited: EditedReading | None
        if file.endswith(DECISIONS):
            edited = _edited_decisions(removal, file, text, document)
        else:
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
    _add_dependents(removal, value, cuts)
    try:
        edited = yaml_editor.without(text, cuts)
    except yaml_editor.UneditableTextError:
        return EditedReading(file, None, 0)
    # The name may be left in a comment.
    if has_name(removal, edited, names):
        return EditedReading(file, None, len(cuts))
    return EditedReading(file, edited, len(cuts))


def _add_dependents(removal: Removal, value: Mapping[str, Any], cuts: set[Path]) -> None:
    """Add the paths of the records of a reading that refer to removed ones.

    All records of a speaker are removed only if a speaker is, since a mention may share words with
    a removed testimony.
    """
    is_of_speaker = "speakers" in removal.removed.values()
    names = set[str]()
    before = -1
    while len(cuts) != before:
        before = len(cuts)
        for path, entry in _entries_of_reading(value):
            if not isinstance(entry, dict):
                continue
            if path in cuts and (is_of_speaker or path[0] != "speakers"):
                names |= {str(entry[key]) for key in ("label", "id") if key in entry}
            elif not names.isdisjoint(str(entry.get(key)) for key in _REFERENCES):
                cuts.add(path)


_REFERENCES = ("speaker", "attributed_to", "testimony", "a", "b", "first", "second")
"""Keys of a record of a reading that name another record."""


# ---- decisions -----------------------------------------------------------------------------------


def _edited_decisions(
    removal: Removal, file: str, text: str, document: Document | None
) -> EditedReading:
    """Return a page without the lines that have a name, removed words or a removed id.

    Lines about a line of the article from which words are removed are left out, too.
    """
    names = [removal.name] if removal.name else []
    passages, withdrawn = None, set[int]()
    if document:
        names = names_in(removal, document)
        passages = _new_passages(removal, document)
    if document and passages:
        for start, end in passages.runs:
            last = document.text.count("\n", 0, max(start, end - 1)) + 1
            withdrawn.update(range(document.text.count("\n", 0, start) + 1, last + 1))
    kept, removed = list[str](), 0
    for item in _ITEM.findall(text):
        quoted = [words for words in _QUOTED.findall(item) if len(words.split()) > 1]
        is_quoting = passages is not None and any(map(passages.contain, quoted))
        if is_about_removed(removal, item, names) or is_quoting or _cited_lines(item) & withdrawn:
            removed += 1
        else:
            kept.append(item)
    return EditedReading(file, "".join(kept), removed)


_ITEM = re.compile(r".*(?:\n(?=[ \t]+\S).*)*(?:\n|$)")
"""A line with the indented lines after it."""
_QUOTED = re.compile(r"[\"“]([^\"“”]+)[\"”]")
_LINES = re.compile(r"\blines? (\d+(?:(?:, | and |-|–)\d+)*)", re.IGNORECASE)


def _cited_lines(item: str) -> set[int]:
    """Return the numbers of the lines of the article that an item names: `lines 3, 5 and 7`."""
    numbers = re.findall(r"\d+", " ".join(_LINES.findall(item)))
    return {int(number) for number in numbers}


# ---- words in a reading --------------------------------------------------------------------------


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
        selectors = (str(given.get("prefix", "")), str(given.get("suffix", "")))
        number = int(occurrence) if occurrence.isdecimal() else None
        quote = Quote(words, Place(self.document.file.file), *selectors, number)
        text = SearchedText(self.document.seed, self.document.text, near=False)
        span, _ = anchors.find_span(quote, text)
        if span:
            # The selectors are words of the article, too.
            before, after = len(quote.prefix), len(quote.suffix)
            return overlap([(span.start - before, span.end + after)], self.runs)
        # Words that are typed otherwise than in the article, or that it has several times
        withdrawn = [self.document.text[start:end] for start, end in self.runs]
        typed = f"{quote.prefix}{words}{quote.suffix}"
        for run in withdrawn:
            if occurrences(run, words) or occurrences(typed, run):
                return True
        return any(repeats(run, around.strip()) for run in withdrawn for around in selectors)


def _new_passages(removal: Removal, document: Document) -> _Passages | None:
    """Return the withdrawn runs of a text, or None if the takedown does not add any."""
    runs = withdrawn_runs(removal, document)
    if runs != merged(already_withdrawn(document)):
        return _Passages(document, runs)
    return None
