"""Fingerprints of records: hashes of their words and places, and of all annotations.

They show whether a released id still belongs to the same record. The place of words consists of the
number of their occurrence among all occurrences of the same words in the article, and of the total
of these. It does not change if the article changes elsewhere, but does if another occurrence is
added.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic_core import to_json

from defectors_data.corpus.findings import Finding, Path, Place
from defectors_data.corpus.shared_context import Context, SharedSpeaker
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.models.annotation import Correction
from defectors_data.models.closed_vocabularies import RecordChange
from defectors_data.models.fields import Record
from defectors_data.models.project import ReleasedId, Tombstone
from defectors_data.models.versions import last_version, number


class RecordFingerprint(NamedTuple):
    """A record, with the hashes that a release records for its id."""

    table: str
    id: str
    path: Path
    words: str | None
    """Hash of what identifies the record; None if nothing does.

    A record is identified by the words of its evidence with their places, a speaker by the name,
    and a source by its seed and first text.
    """
    content: str
    """Hash of everything that is annotated."""
    meaning: str | None = None
    """Hash of all that is annotated but words, checksums and notes; None for the dataset."""
    corrected: Correction | None = None
    """The correction that the record states."""

    def since(self, before: Mapping[str, ReleasedId]) -> str | None:
        """Return `added`, `changed` or None for a record, compared with the last release."""
        change = self.change(before.get(self.id))
        return "added" if change == "addition" else change and "changed"

    def change(self, before: ReleasedId | None) -> RecordChange | None:
        """Return the kind of change since the last release, or None if nothing differs."""
        if before is None:
            return "addition"
        # `meaning` is not compared: a record does not change if only the way to compute this hash
        # does.
        if (self.words, self.content) == (before.words, before.content):
            return None
        if self.is_reassigned(before):
            return "id-reassigned"
        # Without a recorded meaning, the change counts as wording, which claims less.
        if before.meaning in (None, self.meaning):
            return "wording"
        return "meaning"

    def entry(self, before: ReleasedId | None, version: str) -> ReleasedId:
        """Return the entry that a release of this version makes for the id."""
        change = self.change(before)
        # The entry of the dataset always takes the new version, even if nothing in it changed:
        # `last_version` reads it.
        is_same = before and not change and self.table != "dataset"
        return ReleasedId.model_validate(
            {
                "table": self.table,
                "id": self.id,
                "first": before.first if before else version,
                "changed": before.changed if before and is_same else version,
                "change": change or (before and before.change),
                "words": self.words,
                "meaning": self.meaning,
                "content": self.content,
            }
        )

    def is_reassigned(self, released: ReleasedId) -> bool:
        """Return whether the id was released for other words, another place or another name."""
        return None not in (self.words, released.words) and self.words != released.words

    def is_corrected_after(self, version: str) -> bool:
        """Return whether the record states a correction in a later version."""
        # As text, 1.10.0 would come before 1.9.0.
        return self.corrected is not None and number(self.corrected.version) > number(version)


@lru_cache(maxsize=1)
def last_released(context: Context) -> str:
    """Return the last version that was released."""
    return last_version(released(context).values())


def doi_of_last_release(context: Context) -> str | None:
    """Return the DOI in dataset.yaml if it is that of the last release, whose version is still
    stated there; a person who raised the version by hand stated the DOI of the new one.
    """
    stated = context.dataset.content
    if stated.version == last_released(context):
        return stated.doi
    return None


@lru_cache(maxsize=1)
def first_released(context: Context) -> str:
    """Return the first version that was released."""
    return min((entry.first for entry in released(context).values()), key=number)


@lru_cache(maxsize=1)
def new_tombstones(context: Context) -> list[Tombstone]:
    """Return the tombstones of the records that were taken down since the last release."""
    before = released(context)
    return [
        stone for stone in context.tombstones if stone.id not in before or before[stone.id].content
    ]


@lru_cache(maxsize=1)
def released(context: Context) -> Mapping[str, ReleasedId]:
    """Return the released ids with their hashes; empty if nothing was released."""
    return {entry.id: entry for entry in context.releases}


@per_document
def identities(document: Document) -> list[RecordFingerprint]:
    """Return the fingerprints of the source and of all records of a document."""
    source = document.source
    readings = [reading.model_dump(mode="json") for reading in document.content.readings]
    content = _hash([_content(source), *readings])
    # The first text that was annotated: a source keeps its identity when its text is corrected.
    first = [*(text.sha256 for text in document.content.earlier), source.sha256][0]
    found = [
        _identity("sources", source.id, ("source",), [source.seed, first], source)._replace(
            content=content
        )
    ]
    items = [*document.speakers, *document.mentions, *document.testimonies, *document.figures]
    records: dict[Path, Any] = dict(
        [*items, *document.waivers, *document.relations, *document.errata]
    )
    for path, table, name in document.records:
        record = records[path]
        # Speakers have no evidence: a name is what identifies them.
        words: object = (
            _words(document, path) if table != "speakers" else getattr(record, "name", None)
        )
        found.append(_identity(table, name, path, words, record))
    return found


def shared_identities(context: Context) -> Iterator[RecordFingerprint]:
    """Yield the fingerprints of the dataset, and of shared speakers by position."""
    # These change with every release, or are not published.
    apart = {"version", "released", "last_release", "doi", "homepage", "names", "words_budget"}
    facts = context.dataset.content.model_dump(mode="json", exclude=apart)
    pairs = [*context.comparisons, *context.statements]
    notes = [entry.model_dump(mode="json") for entry in pairs]
    # The examples of codes are only quoted in the exported codebook.
    vocabulary = context.vocabulary.content.model_dump(mode="json", exclude={"examples"})
    digest = _hash([facts, vocabulary, notes])
    yield RecordFingerprint("dataset", context.dataset.content.name, (), None, digest)
    for i, speaker in enumerate(context.shared.listed):
        yield identity_of_speaker(speaker, (i,))


def identity_of_speaker(speaker: SharedSpeaker, path: Path = ()) -> RecordFingerprint:
    """Return the fingerprint of a shared speaker."""
    return _identity("speakers", speaker.id, path, speaker.name, speaker)


def withdrawn_entry(stone: Tombstone, before: ReleasedId | None, version: str) -> ReleasedId:
    """Return the entry that a release of this version makes for a withdrawn record."""
    if before and before.content is None:
        return before
    first = before.first if before else version
    return ReleasedId(
        table=stone.table, id=stone.id, first=first, changed=version, change="withdrawn"
    )


def id_reassigned(place: Place, table: str) -> Finding:
    """Return the finding on an id that identifies another record than in the published package."""
    message = "In the published package, the record with this id has other words, another place, or another name."
    hint = "Give the new record a new id."
    if table == "sources":
        message = "In the published package, the text of this article is different."
        hint = "If the article was corrected, restore its seed and `sha256`, and run `defectors-data reanchor`."
    return Finding(place, "id-reassigned", message, (hint, UNRELEASED))


UNRELEASED = "If the id was never released, `defectors-data build --change-ids` accepts the change."


def _words(document: Document, path: Path) -> list[tuple[str, int, int]] | None:
    """Return the parts of a record's evidence, with number and total of their occurrences."""
    text, found = document.text, []
    for start, end in document.evidence_of(path):
        words = text[start:end]
        before = text.count(words, 0, start)
        found.append((words, before + 1, before + text.count(words, start)))
    return found or None


def _identity(table: str, name: str, path: Path, words: object, record: Any) -> RecordFingerprint:
    of_words = _hash(words) if words else None
    meaning, content = _content(record, _NO_MEANING), _content(record)
    return RecordFingerprint(table, name, path, of_words, content, meaning, record.corrected)


_NO_MEANING = frozenset("evidence note override sha256 boilerplate captions pull_quotes".split())
"""Keys that do not change what a record means: words of the article, checksums and notes."""


def _content(record: Record, left_out: frozenset[str] = frozenset()) -> str:
    # Each mention is a record with its own hash, so a change to it must not change the hash of its
    # speaker.
    left_out |= {"id", "corrected", "mentions"}
    # Defaults are left out, so that a new optional key changes no hash that was released.
    return _hash(record.model_dump(mode="json", exclude=set(left_out), exclude_defaults=True))


def _hash(value: Any) -> str:
    return hashlib.sha256(to_json(value)).hexdigest()
