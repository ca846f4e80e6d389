"""What all documents share: the facts about the dataset, the vocabulary, and the lists that are about no one source.

The context is read once and sent to every process that works on documents. The lists (shared speakers, tombstones,
notes on comparisons) are YAML files, or shards with an entry in each line, of which only the lines are in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Generic, TypeVar, cast

from pydantic_core import from_json

from defectors_data.corpus.findings import Place
from defectors_data.corpus.project_file import Path, ProjectFile
from defectors_data.models.annotation import SharedInstitution, SharedPerson
from defectors_data.models.fields import Record
from defectors_data.models.project import Comparison, Dataset, Tombstone, Vocabulary

Item = TypeVar("Item", bound=Record)


class ListFile(Generic[Item]):
    """A file that lists entries: YAML with one key, or a shard with an entry in each line."""

    def __init__(self, file: ProjectFile[Record], key: str) -> None:
        """Take a YAML file and the key that its entries are under."""
        self.file, self.key, self.written = file.file, key, file

    @property
    def exists(self) -> bool:
        """Whether there is such a file."""
        return bool(self.written.places)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Item]:
        return iter(self._items)

    @property
    def _items(self) -> Sequence[Item]:
        return cast(Sequence[Item], getattr(self.written.content, self.key))

    def place(self, i: int, *path: str | int) -> Place:
        """Return the place of an entry, counted from 0, or of a value in it."""
        return self.written.place(self.key, i, *path)

    def texts(self, keys: frozenset[str] | None = None) -> Iterator[tuple[int, Path, str]]:
        """Give every text of the entries, or those under some keys: number of the entry, path in it, text."""
        for path, text in self.written.texts(keys):
            yield int(path[1]), path[2:], text

    def files(self) -> Iterator[tuple[ProjectFile[Any], dict[Path, Item]]]:
        """Give the file, or each line of a shard, and the entries in it by their paths."""
        yield self.written, {(self.key, i): item for i, item in enumerate(self)}


class ListShard(ListFile[Item]):
    """A shard with an entry in each line; an entry becomes a model when it is asked for."""

    def __init__(self, file: str, key: str, lines: Sequence[bytes], model: type[Record]) -> None:
        """Take the lines, each of which is known to be valid; `model` is that of a file with all entries."""
        self.file, self.key, self.lines, self.model = file, key, lines, model

    @property
    def exists(self) -> bool:
        """Whether there is such a file."""
        return True

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[Item]:
        return (self.entry(i) for i in range(len(self.lines)))

    def entry(self, i: int) -> Item:
        """Return an entry, counted from 0."""
        return cast(Item, getattr(self.model.model_validate({self.key: [from_json(self.lines[i])]}), self.key)[0])

    def place(self, i: int, *path: str | int) -> Place:
        """Return the place of an entry, counted from 0, or of a value in it."""
        return self._line(i).place(*path)

    def texts(self, keys: frozenset[str] | None = None) -> Iterator[tuple[int, Path, str]]:
        """Give every text of the entries, or those under some keys: number of the entry, path in it, text."""
        for i, item in enumerate(self):
            yield from ((i, (key,), text) for key, text in vars(item).items() if type(text) is str and _is(key, keys))

    def files(self) -> Iterator[tuple[ProjectFile[Any], dict[Path, Item]]]:
        """Give each line, and the entry in it by its path there."""
        for i in range(len(self)):
            line = self._line(i)
            yield line, {(): line.content}

    def _line(self, i: int) -> ProjectFile[Any]:
        return ProjectFile(self.file, self.entry(i), partial(self._places, i), typed=self.lines[i].decode(), line=i + 1)

    def _places(self, i: int) -> Mapping[Path, Place]:
        from defectors_data.corpus import json_reader  # noqa: PLC0415  # only where something is wrong

        return json_reader.parse(self.lines[i].decode(), file=self.file, line=i + 1).places


def _is(key: str, keys: frozenset[str] | None) -> bool:
    return keys is None or key in keys


SharedSpeaker = SharedPerson | SharedInstitution


class SharedSpeakers(Mapping[str, SharedSpeaker]):
    """The speakers that several sources may refer to, by id."""

    def __init__(self, listed: ListFile[SharedSpeaker]) -> None:
        """Take the list; of an id that is given twice the last entry counts, and a rule reports it."""
        self.listed = listed
        self.file = listed.file

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {speaker.id: i for i, speaker in enumerate(self.listed)}

    @property
    def has_duplicate_ids(self) -> bool:
        """Whether an id is given twice among the shared speakers: it is not known then whom a reference means."""
        return len(self) < len(self.listed)

    @cached_property
    def _entries(self) -> Sequence[SharedSpeaker] | None:
        return None if isinstance(self.listed, ListShard) else list(self.listed)

    def __getitem__(self, name: str) -> SharedSpeaker:
        number = self._numbers[name]
        if isinstance(self.listed, ListShard):
            return cast(SharedSpeaker, self.listed.entry(number))
        return cast(Sequence[SharedSpeaker], self._entries)[number]

    def __contains__(self, name: object) -> bool:
        return name in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


@dataclass(frozen=True, eq=False)
class Context:
    """What all documents share."""

    dataset: ProjectFile[Dataset]
    vocabulary: ProjectFile[Vocabulary]
    shared: SharedSpeakers
    tombstones: ListFile[Tombstone]
    comparisons: ListFile[Comparison]
