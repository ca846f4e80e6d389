"""Comparison of the ids of a corpus with those of the package that was published from it.

Only a few columns of its CSV files are read, so that `check` stays fast. A build compares all
columns.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.record_fingerprints import released
from defectors_data.models.annotation import Speaker
from defectors_data.package.cells import csv_rows
from defectors_data.text.offsets import Span, any_overlap

MOST_BYTES = 32 * 1024 * 1024
"""Maximum size of the file of spans; a package with a larger one is compared by a build only."""


class Identity(NamedTuple):
    """What an id identifies; values that do not apply are empty."""

    table: str
    texts: tuple[str, ...] = ()
    """The SHA-256 of the article's text and, for a source, those of its earlier texts."""
    spans: tuple[Span, ...] = ()
    """The spans of the evidence or, for a speaker without a name, of the mentions."""
    name: str = ""
    """The name of a speaker."""

    def is_same(self, published: Identity) -> bool:
        """Return whether this is what the id identified when it was published.

        If the text of an article was replaced, spans are not compared.
        """
        if self.table == "sources":
            return published.texts[0] in self.texts
        if self.table != published.table or (
            self.name and published.name and self.name != published.name
        ):
            return False
        if not self.spans or not published.spans or self.texts != published.texts:
            return True
        return any_overlap(self.spans, published.spans)


class PublishedIds(NamedTuple):
    """The ids of a package, each with what it identifies."""

    identities: Mapping[str, Identity] = MappingProxyType({})
    unread: str = ""
    """Why the ids were not read."""


NO_PACKAGE = PublishedIds()


def changed_ids(
    before: Mapping[str, Identity], now: Mapping[str, Identity], context: Context
) -> list[str]:
    """Return the unreleased ids that were published for another record."""
    shared = {speaker.id: of_speaker(speaker) for speaker in context.shared.listed}
    owners = defaultdict[Identity, set[str]](set)
    for name, identity in before.items():
        owners[identity].add(name)
    found = list[str]()
    for name in sorted(before.keys() - released(context).keys()):
        current = now.get(name) or shared.get(name)
        # Words that were published under other ids only are no edited form of this record's words.
        if current and not (current.is_same(before[name]) and name in owners.get(current, (name,))):
            found.append(name)
    return found


def identities(document: Document) -> Iterator[tuple[str, Identity]]:
    """Yield the ids of a source and its records, each with what it identifies."""
    source = document.source
    earlier = [text.sha256 for text in document.content.earlier]
    yield source.id, Identity("sources", (source.sha256, *earlier))
    for path, table, name in document.records:
        yield name, Identity(table, (source.sha256,), document.evidence_of(path))
    mentioned = defaultdict[str, tuple[Span, ...]](tuple)
    for path, _ in document.mentions:
        mentioned[document.entry_of(path).id] += document.evidence_of(path)
    for _, speaker in document.speakers:
        identity = of_speaker(speaker)
        if not identity.name:
            spans = tuple(sorted(mentioned[speaker.id]))
            identity = identity._replace(texts=(source.sha256,), spans=spans)
        yield speaker.id, identity


def of_speaker(speaker: Speaker) -> Identity:
    """Return what the id of a speaker identifies."""
    return Identity("speakers", name=getattr(speaker, "name", None) or "")


def published(folder: Path) -> PublishedIds:
    """Return the ids of the package in a folder; none if there is no package."""
    spans = folder / "data/spans.csv"
    if not spans.is_file():
        return NO_PACKAGE
    if spans.stat().st_size > MOST_BYTES:
        return PublishedIds(unread="is too large to be compared here; `build` compares it")
    try:
        return PublishedIds(_read(folder))
    except (OSError, KeyError, ValueError, csv.Error):
        return PublishedIds(unread="cannot be read")


def _read(folder: Path) -> dict[str, Identity]:
    found = dict[str, Identity]()
    texts = dict[str, str]()
    for row in csv_rows(folder, "sources"):
        texts[row["source_id"]] = row["sha256"]
        found[row["source_id"]] = Identity("sources", (row["sha256"],))
    for row in csv_rows(folder, "speakers"):
        found[row["speaker_id"]] = Identity("speakers", name=row["name"])
    for row in csv_rows(folder, "spans"):
        if row["field"] == "evidence":
            span = Span(int(row["start_offset"]), int(row["end_offset"]))
            before = found.get(
                row["record_id"], Identity(row["record_table"], (texts[row["source_id"]],))
            )
            found[row["record_id"]] = before._replace(spans=(*before.spans, span))
    for row in csv_rows(folder, "mentions"):
        speaker, mention = found[row["speaker_id"]], found.get(row["mention_id"])
        if mention and not speaker.name:
            spans = tuple(sorted((*speaker.spans, *mention.spans)))
            found[row["speaker_id"]] = speaker._replace(texts=mention.texts, spans=spans)
    return found
