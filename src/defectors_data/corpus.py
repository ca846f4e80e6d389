"""The corpus: every file that people wrote, with its seed, and where in the file each thing was typed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from defectors_data.findings import Place
from defectors_data.models import (
    Annotations,
    Comparisons,
    Dataset,
    Figure,
    LocalSpeaker,
    Mention,
    Part,
    ProtectedMention,
    Record,
    Relation,
    SharedInstitution,
    SharedPerson,
    SharedReference,
    SharedSpeakers,
    Speaker,
    SpeakerEntry,
    Testimony,
    Tombstones,
    Vocabulary,
    Waiver,
)
from defectors_data.vocabularies import RecordTable

Path: TypeAlias = tuple[str | int, ...]
"""Where in a file something was typed: keys, and positions from 0 in lists."""

Content = TypeVar("Content", bound=Record)


@dataclass(frozen=True, eq=False, repr=False)
class Document(Generic[Content]):
    """One file that people wrote: its content, and where each thing in it was typed."""

    file: str
    content: Content
    places: Mapping[Path, Place]
    typed: str = field(default="", kw_only=True)
    """The file as typed, where it is YAML."""

    def place(self, *path: str | int) -> Place:
        """Return the place of a path, or of the nearest thing around it."""
        while not (found := self.places.get(path)) and path:
            path = path[:-1]
        return found or Place(self.file)

    def texts(self, keys: Collection[str] | None = None) -> list[tuple[Path, str]]:
        """Return every text of the file, or those that stand under some keys, each with its path."""
        found: list[tuple[Path, str]] = []
        _collect(self.content, (), keys, found)
        return found


def _collect(value: Any, path: Path, keys: Collection[str] | None, found: list[tuple[Path, str]]) -> None:
    """Add the texts in a model or in a tuple to those that were found: whatever else there is, is no text."""
    for key, item in enumerate(value) if type(value) is tuple else vars(value).items():
        if type(item) is str:
            if keys is None or key in keys:
                found.append(((*path, key), item))
        elif item and (type(item) is tuple or hasattr(item, "__dict__")):
            _collect(item, (*path, key), keys, found)


class Cited(NamedTuple):
    """One field of one record that holds evidence, and where it was typed."""

    table: RecordTable
    record_id: str
    field: str
    path: Path
    parts: tuple[Part, ...]
    every: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Shard(Document[Annotations]):
    """One source with all that is annotated about it, and the text of its seed."""

    text: str
    packed: str | None = None
    """The file that holds the text with others; None where it is a file of its own."""

    @property
    def seed(self) -> str:
        """The seed's path below the project's folder; of a text that is packed, that of the pack and its name."""
        return f"{self.packed or 'seeds'}/{self.content.source.seed}"

    @property
    def in_part(self) -> bool:
        """Whether the source is a line of a part."""
        file, _, number = self.file.rpartition("#")
        return file.endswith(".jsonl") and number.isdigit()

    def withdrawn(self, start: int, end: int) -> bool:
        """Tell whether any of a run of the seed was taken out; in code points, the end exclusive."""
        return any(run.start < end and start < run.end for run in self.content.withdrawn)

    def entries(self) -> Iterator[tuple[Path, SpeakerEntry]]:
        """Return the speakers of the file, each with its path."""
        return ((("speakers", i), entry) for i, entry in enumerate(self.content.speakers))

    def speakers(self) -> Iterator[tuple[Path, LocalSpeaker]]:
        """Return the speakers that the file itself describes, each with its path."""
        return ((path, entry) for path, entry in self.entries() if not isinstance(entry, SharedReference))

    @cached_property
    def described(self) -> dict[str, Speaker]:
        """The speakers that the file itself describes, by id."""
        return {speaker.id: speaker for _, speaker in self.speakers()}

    @cached_property
    def referred(self) -> tuple[str, ...]:
        """The ids of the speakers of `annotations/speakers.yaml` that the file refers to."""
        return tuple(entry.id for _, entry in self.entries() if isinstance(entry, SharedReference))

    def mentions(self) -> Iterator[tuple[Path, str, Mention | ProtectedMention]]:
        """Return the mentions, each with its path and the id of its speaker."""
        for path, entry in self.entries():
            mentions: tuple[Mention | ProtectedMention, ...] = entry.mentions
            for i, mention in enumerate(mentions):
                yield (*path, "mentions", i), entry.id, mention

    def testimonies(self) -> Iterator[tuple[Path, Testimony]]:
        """Return the testimonies, each with its path."""
        return ((("testimonies", i), item) for i, item in enumerate(self.content.testimonies))

    def figures(self) -> Iterator[tuple[Path, Figure]]:
        """Return the figures, each with its path."""
        return ((("figures", i), item) for i, item in enumerate(self.content.figures))

    def relations(self) -> Iterator[tuple[Path, Relation]]:
        """Return the relations, each with its path."""
        return ((("relations", i), item) for i, item in enumerate(self.content.relations))

    def waivers(self) -> Iterator[tuple[Path, Waiver]]:
        """Return the waivers, each with its path."""
        return ((("waivers", i), item) for i, item in enumerate(self.content.waivers))

    def cited(self) -> Iterator[Cited]:
        """Return every field of every record that holds evidence, in the order of the file."""
        return iter(self._cited)

    @cached_property
    def _cited(self) -> tuple[Cited, ...]:
        return tuple(self._all_cited())

    def _all_cited(self) -> Iterator[Cited]:
        yield from self._cited_by_source()
        for path, _, mention in self.mentions():
            yield Cited("mentions", mention.id, "evidence", (*path, "evidence"), mention.evidence)
            for name, evidence in mention.licensed_by or ():
                if evidence:
                    yield Cited("mentions", mention.id, name, (*path, "licensed_by", name), evidence)
        for path, testimony in self.testimonies():
            yield Cited("testimonies", testimony.id, "evidence", (*path, "evidence"), testimony.evidence)
            for i, because in enumerate(testimony.because):
                yield Cited("testimonies", testimony.id, because.claim, (*path, "because", i, "words"), because.words)
        for path, figure in self.figures():
            yield Cited("figures", figure.id, "evidence", (*path, "evidence"), figure.evidence)
        for path, waiver in self.waivers():
            yield Cited("waivers", waiver.id, "evidence", (*path, "evidence"), waiver.evidence, waiver.all)

    def _cited_by_source(self) -> Iterator[Cited]:
        source = self.content.source
        for name in ("title", "subtitle", "dateline", "url", "furniture"):
            if evidence := getattr(source, name):
                yield Cited("sources", source.id, name, ("source", name), evidence)
        for name, fact in source.facts().items():
            if fact.evidence:
                yield Cited("sources", source.id, name, ("source", name, "evidence"), fact.evidence)


@dataclass(frozen=True, eq=False, repr=False)
class Corpus:
    """Everything that people wrote, with the seeds they wrote about."""

    dataset: Document[Dataset]
    vocabulary: Document[Vocabulary]
    shared: Document[SharedSpeakers]
    tombstones: Document[Tombstones]
    comparisons: Document[Comparisons]
    shards: tuple[Shard, ...]

    def documents(self) -> tuple[Document[Any], ...]:
        """Return every file but the list of tombstones, which no hand writes."""
        return (self.dataset, self.vocabulary, self.shared, self.comparisons, *self.shards)

    @cached_property
    def shared_speakers(self) -> dict[str, SharedPerson | SharedInstitution]:
        """The speakers of `annotations/speakers.yaml`, by id."""
        return {speaker.id: speaker for speaker in self.shared.content.speakers}

    def heard(self, shard: Shard) -> dict[str, Speaker]:
        """Return the speakers that a shard's records may refer to, by id."""
        shared = self.shared_speakers
        return shard.described | {name: shared[name] for name in shard.referred if name in shared}
