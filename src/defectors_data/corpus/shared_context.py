"""The context that all documents share: the dataset, the vocabulary and the shared lists.

The context is read once and sent to every process that works on documents. The lists (shared
speakers, tombstones, notes on comparisons, released ids) are YAML files, or shards with one entry
per line. Of a shard, only the lines are kept in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from typing import Any, Generic, TypeVar, cast

from pydantic_core import from_json

from defectors_data.corpus.findings import PartlyRead, Path, Place, ProjectFile
from defectors_data.models.annotation import SharedInstitution, SharedPerson
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.models.fields import Record
from defectors_data.models.project import (
    Changelog,
    ComparisonNote,
    Dataset,
    ReleasedId,
    StatementRelation,
    Tombstone,
    Vocabulary,
)

VOCABULARY_LISTS = {
    "themes": "themes",
    "measure": "measures",
    "population": "populations",
    "role": "roles",
    "rank_class": "rank_classes",
    "branch": "branches",
    "unit": "units",
    "factor": "factors",
    "act": "act_kinds",
    "place": "places",
}
"""The list of the vocabulary with the terms of a key of records, by key."""

Item = TypeVar("Item", bound=Record)


class ListFile(Generic[Item]):
    """A list of entries in a file: a key of a YAML file, or a shard with one entry per line."""

    def __init__(self, file: ProjectFile[Record], key: str) -> None:
        """Store a YAML file, and the key of its list of entries."""
        self.file, self.key, self.written = file.file, key, file

    @property
    def exists(self) -> bool:
        """Whether the file exists."""
        # A list without a file is read as an empty list that has no places.
        return bool(self.written.places)

    @property
    def unread(self) -> frozenset[str]:
        """The ids of the entries that are left out because they are invalid."""
        return frozenset(name for _, name in self.written.unread or ())

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    @property
    def _items(self) -> Sequence[Item]:
        return cast(Sequence[Item], getattr(self.written.content, self.key))

    def entry(self, i: int) -> Item:
        """Return an entry by its position, from 0."""
        return self._items[i]

    def place(self, i: int, *path: str | int) -> Place:
        """Return the place of an entry, given by its position from 0, or of a value in it."""
        return self.written.place(self.key, i, *path)

    def typed(self) -> bytes:
        """Return the text of the file."""
        return self.written.typed.encode()

    def files(self) -> Iterator[tuple[ProjectFile[Any], dict[Path, Item]]]:
        """Yield the file, or each line of a shard, with a dictionary of its entries by path."""
        content = self.written.content
        keys = [self.key]
        if not isinstance(content, PartlyRead):
            keys = list(type(content).model_fields)
        entries: dict[Path, Item] = {}
        for key in keys:
            entries.update({(key, i): item for i, item in enumerate(getattr(content, key))})
        yield self.written, entries


class InnerList(ListFile[Item]):
    """A list in a YAML file that another list represents."""

    def files(self) -> Iterator[tuple[ProjectFile[Any], dict[Path, Item]]]:
        """Yield nothing: the other list yields the file with the entries of both."""
        return iter(())


class ListShard(ListFile[Item]):
    """A shard with one entry per line.

    The model of an entry is built on each access, to save memory.
    """

    def __init__(self, file: str, key: str, lines: Sequence[bytes], model: type[Record]) -> None:
        """Store the lines, all of which must be valid.

        `model` describes a YAML file that contains the whole list.
        """
        self.file, self.key, self.lines, self.model = file, key, lines, model

    @property
    def exists(self) -> bool:
        """Whether the file exists."""
        return True

    @property
    def unread(self) -> frozenset[str]:
        """No ids: a shard with an invalid line is not read at all."""
        return frozenset()

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[Item]:
        return (self.entry(i) for i in range(len(self.lines)))

    def entry(self, i: int) -> Item:
        """Return an entry by its position, from 0."""
        # Only the whole list has a model, so the entry is validated as a list of one.
        return cast(
            Item,
            getattr(self.model.model_validate({self.key: [from_json(self.lines[i])]}), self.key)[0],
        )

    def place(self, i: int, *path: str | int) -> Place:
        """Return the place of an entry, given by its position from 0, or of a value in it."""
        return self._line(i).place(*path)

    def typed(self) -> bytes:
        """Return the lines, each after a line feed."""
        return b"".join(b"\n" + line for line in self.lines)

    def files(self) -> Iterator[tuple[ProjectFile[Any], dict[Path, Item]]]:
        """Yield each line as a file, with a dictionary of its only entry by path."""
        for i in range(len(self)):
            line = self._line(i)
            yield line, {(): line.content}

    def _line(self, i: int) -> ProjectFile[Any]:
        return ProjectFile(
            self.file,
            self.entry(i),
            partial(self._places, i),
            typed=self.lines[i].decode(),
            line=i + 1,
        )

    def _places(self, i: int) -> Mapping[Path, Place]:
        from defectors_data.corpus import json_reader  # noqa: PLC0415  # only needed for a finding

        return json_reader.parse(self.lines[i].decode(), file=self.file, line=i + 1).places


SharedSpeaker = SharedPerson | SharedInstitution


class SharedSpeakers(Mapping[str, SharedSpeaker]):
    """A mapping from ids to the speakers that several sources may refer to."""

    def __init__(self, listed: ListFile[SharedSpeaker]) -> None:
        """Store the list.

        If an id is repeated, its last entry is used, and a rule reports the repetition.
        """
        self.listed = listed
        self.file = listed.file

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {speaker.id: i for i, speaker in enumerate(self.listed)}

    @property
    def has_duplicate_ids(self) -> bool:
        """Whether an id of a shared speaker is used twice, so that references are ambiguous."""
        return len(self) < len(self.listed)

    def __getitem__(self, name: str) -> SharedSpeaker:
        return self.listed.entry(self._numbers[name])

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


@dataclass(frozen=True, eq=False)  # compared by identity, so that caches can use it as a key
class Context:
    """The content of the files that all documents share."""

    dataset: ProjectFile[Dataset]
    vocabulary: ProjectFile[Vocabulary]
    shared: SharedSpeakers
    tombstones: ListFile[Tombstone]
    comparisons: ListFile[ComparisonNote]
    statements: ListFile[StatementRelation]
    changelog: ProjectFile[Changelog]
    releases: ListFile[ReleasedId]

    @property
    def lists(self) -> tuple[ListFile[Any], ...]:
        """The lists that all documents share."""
        pairs = self.comparisons, self.statements
        return (self.tombstones, self.shared.listed, *pairs, self.releases)

    @property
    def is_complete(self) -> bool:
        """Whether everything in the files could be read."""
        files = (self.dataset, self.vocabulary, self.changelog)
        has_gaps = any(each.unread for each in self.lists)
        return not has_gaps and all(file.is_complete for file in files)

    @cached_property
    def checksum(self) -> bytes:
        """The SHA-256 of the files, which must all have been read."""
        typed = [self.dataset.typed.encode(), self.vocabulary.typed.encode()]
        typed += [line.encode() for line in self.changelog.content.lines]
        for listed in self.lists:
            typed += [listed.file.encode(), listed.typed()]
        return sha256(b"".join(sha256(each).digest() for each in typed)).digest()

    @cached_property
    def roles_at_risk(self) -> frozenset[str]:
        """The roles whose speakers may have a pseudonym as their only printed name."""
        return frozenset(
            role.term for role in self.vocabulary.content.roles if role.pseudonym_possible
        )

    @cached_property
    def triggers_by_theme(self) -> dict[str, tuple[str, ...]]:
        """The triggers of each theme, by its term."""
        return _by_term(self.vocabulary.content.themes, "triggers")

    @cached_property
    def units_by_measure(self) -> dict[str, tuple[str, ...]]:
        """The units of each measure, by its term."""
        return _by_term(self.vocabulary.content.measures, "units")

    @cached_property
    def spellings(self) -> dict[str, tuple[str, ...]]:
        """The spellings of each place in the articles, by its term."""
        return _by_term(self.vocabulary.content.places, "spellings")

    @cached_property
    def terms(self) -> dict[str, frozenset[str]]:
        """The terms of the vocabulary, by the key under which records name them.

        A unit may also be built in.
        """
        vocabulary = self.vocabulary.content
        found = {}
        for key, name in VOCABULARY_LISTS.items():
            # A term whose entry is invalid has a finding there, so it counts as defined.
            unread = {term for where, term in self.vocabulary.unread or () if where == name}
            found[key] = frozenset({term.term for term in getattr(vocabulary, name)} | unread)
        return found | {"unit": found["unit"] | frozenset(MEANINGS["Unit"])}

    @property
    def codes_required(self) -> tuple[str, ...]:
        """The codes that each testimony must have in a corpus that codes motives or acts."""
        vocabulary = self.vocabulary.content
        is_coded = vocabulary.factors or vocabulary.act_kinds
        return ("access", "outlet_kind") if is_coded else ()

    @cached_property
    def triggers_by_attribute(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """The triggers of each value of an attribute of speakers, by attribute and value."""
        vocabulary = self.vocabulary.content
        terms = {
            "role": vocabulary.roles,
            "rank_class": vocabulary.rank_classes,
            "branch": vocabulary.branches,
        }
        found = {}
        for attribute, listed in terms.items():
            if triggers := _by_term((term for term in listed if term.triggers), "triggers"):
                found[attribute] = triggers
        return found


def _by_term(terms: Iterable[Any], key: str) -> dict[str, tuple[Any, ...]]:
    """Return the values of a key by term; if a term is defined twice, its values are joined."""
    found: dict[str, tuple[Any, ...]] = {}
    for term in terms:
        found[term.term] = (*found.get(term.term, ()), *getattr(term, key))
    return found
