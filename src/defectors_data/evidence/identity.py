"""Identity of records for released ids: hashes of the words and their places, and of everything that is annotated.

The place of words is their number among all occurrences of the same words in the article, and the total of these. It
stays the same if the article changes elsewhere, and changes if the words are printed once more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic_core import to_json

from defectors_data.corpus.context import Context
from defectors_data.corpus.project_file import Path
from defectors_data.evidence.document import Document, per_document
from defectors_data.models.fields import Record
from defectors_data.models.project import Released


class Identity(NamedTuple):
    """A record, with the hashes that a release records for its id."""

    table: str
    id: str
    path: Path
    words: str | None
    """Hash of the words of the evidence and of their places, or of the name; None if the record has neither."""
    content: str
    """Hash of everything that is annotated."""
    corrected: str | None = None
    """The version in which the record was corrected."""

    def since(self, before: Mapping[str, Released]) -> str | None:
        """Return whether the record was `added` or `changed` since the last release, or None."""
        if entry := before.get(self.id):
            return None if (self.words, self.content) == (entry.words, entry.content) else "changed"
        return "added"

    def is_reassigned(self, released: Released) -> bool:
        """Return whether the id has other words, another place or another name than when it was released."""
        return None not in (self.words, released.words) and self.words != released.words

    def is_corrected(self, released: Released) -> bool:
        """Return whether the record was corrected after the last release in which it changed."""
        return self.corrected is not None and number(self.corrected) > number(released.changed)


def number(version: str) -> tuple[int, ...]:
    """Return a version as a tuple of numbers, for comparison."""
    return tuple(map(int, version.split(".")))


def next_version(version: str, state: str) -> str:
    """Return the next version: `added` records raise the second number, otherwise the third is raised."""
    major, minor, patch = number(version)
    return f"{major}.{minor + 1}.0" if state == "added" else f"{major}.{minor}.{patch + 1}"


def last_version(entries: Iterable[Released]) -> str:
    """Return the last version that was released."""
    return max((entry.changed for entry in entries), key=number)


def least_version(entries: Iterable[Released], counts: Mapping[str, int]) -> str:
    """Return the lowest version that the data may have, given the numbers of records `added` and `changed`."""
    last = last_version(entries)
    states = [state for state in ("added", "changed") if counts.get(state)]
    return next_version(last, states[0]) if states else last


@lru_cache(maxsize=1)
def released(context: Context) -> Mapping[str, Released]:
    """Return the released ids with their hashes; empty if nothing was released."""
    return {entry.id: entry for entry in context.releases}


@per_document
def identities(document: Document) -> list[Identity]:
    """Return the identities of the source and of all records of a document."""
    source = document.source
    readings = [reading.model_dump(mode="json") for reading in document.content.readings]
    content = _hash([_content(source), *readings])
    first = [*(text.sha256 for text in document.content.earlier), source.sha256][0]
    found = [Identity("sources", source.id, ("source",), _hash([source.seed, first]), content)]
    items = [*document.speakers, *document.mentions, *document.testimonies, *document.figures]
    records: dict[Path, Any] = dict([*items, *document.waivers, *document.relations, *document.errata])
    for path, table, name in document.records:
        record = records[path]
        words: object = _words(document, path) if table != "speakers" else getattr(record, "name", None)
        corrected = getattr(record, "corrected", None)
        version = corrected.version if corrected else None
        found.append(Identity(table, name, path, _hash(words) if words else None, _content(record), version))
    return found


def shared_identities(context: Context) -> Iterator[Identity]:
    """Yield the identities of the dataset and of the shared speakers; the paths are positions in their list."""
    facts = context.dataset.content.model_dump(mode="json", exclude={"version", "released", "doi", "homepage", "names"})
    notes = [entry.model_dump(mode="json") for entry in context.comparisons]
    digest = _hash([facts, context.vocabulary.content.model_dump(mode="json"), notes])
    yield Identity("dataset", context.dataset.content.name, (), None, digest)
    for i, speaker in enumerate(context.shared.listed):
        corrected = speaker.corrected.version if speaker.corrected else None
        yield Identity("speakers", speaker.id, (i,), _hash(speaker.name), _content(speaker), corrected)


def _words(document: Document, path: Path) -> list[tuple[str, int, int]] | None:
    """Return the parts of a record's evidence, each with its number among equal words and the total of these."""
    text, found = document.text, []
    for start, end in document.evidence_of(path):
        words = text[start:end]
        before = text.count(words, 0, start)
        found.append((words, before + 1, before + text.count(words, start)))
    return found or None


def _content(record: Record) -> str:
    left_out = {"id", "corrected", "mentions"}
    return _hash(record.model_dump(mode="json", exclude=left_out, exclude_defaults=True))


def _hash(value: Any) -> str:
    return hashlib.sha256(to_json(value)).hexdigest()
