"""What many sources must not have in common, found in columns of numbers: no source is held, and no id.

64 bits of a hash stand for an id, a name or a text. Two that are equal may be a fault, and are looked at again; two
that differ are none. So nothing is missed, and what is looked at for nothing costs a moment.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from defectors_data.corpus import Corpus
from defectors_data.judging import Judged, named_in, short
from defectors_data.spilling import PARTS, Runs

MOST = 1_000
"""Lines with a fault of their own that are looked at again: whoever has more mends these first."""


class Crossed:
    """The sources of a corpus, block by block in their order, and what of them has to be looked at again."""

    def __init__(self) -> None:
        """Begin with no source."""
        self.blocks: list[tuple[int, str, int]] = []
        """Of each block the number of its first source, its file, and the number of its first line."""
        self.sources, self.texts, self.names, self.people, self.told = (Runs(2) for _ in range(5))
        """Each a hash, and the number of the source that it is of."""
        self.unread: list[tuple[str, int]] = []
        self.doubtful: list[tuple[str, int]] = []
        self.users: dict[str, int] = {}
        """For each shared speaker that is used, a source that does."""
        self.last: tuple[tuple[str, int], str] = (("", 0), "")
        """The last source that could be read: its file and line, and its id."""
        self.count = 0

    def add(self, judged: Judged) -> None:
        """Take the next block; blocks come in the order of the corpus.

        Raises:
            fs.NoScratch: there is no room for what is too much to hold.
        """
        traces = judged.traces
        self.blocks.append((self.count, judged.file, judged.first))
        self.unread += [(judged.file, line) for line in judged.unread]
        self.doubtful += [(judged.file, line) for line in judged.doubtful]
        if judged.ids[0] and judged.ids[0] <= self.last[1]:
            self.unread += [self.last[0], (judged.file, judged.ends[0])]
        if judged.ids[1]:
            self.last = (judged.file, judged.ends[1]), judged.ids[1]
        order, at = range(len(traces.sources)), traces.at
        for mine, theirs, numbers in (
            (self.sources, traces.sources, order),
            (self.texts, traces.texts, order),
            (self.names, traces.names, at),
            (self.people, traces.people, at),
            (self.told, [name for name, _ in traces.told], [number for _, number in traces.told]),
        ):
            mine.add(np.array(theirs, np.uint64), np.array(numbers, np.uint64) + np.uint64(self.count))
        for speaker, number in traces.uses.items():
            self.users.setdefault(speaker, self.count + number)
        self.count += judged.sources

    @property
    def unseen(self) -> int:
        """Lines with a fault of their own beyond those that are looked at again."""
        return max(0, len(self.unread) - MOST)

    def suspects(self, world: Corpus, words: Iterable[str]) -> dict[str, set[int]]:
        """Return the lines to look at again, by file; `words` are the free texts that belong to no source.

        Where lines cannot be read it is these alone: what they break can only be said when they can.
        """
        if self.unread:
            return _by_file(self.unread[:MOST])
        numbers = set(self._in_common(world, words)) | set(self.users.values())
        return _by_file([*self.doubtful[:MOST], *map(self._line, sorted(numbers))])

    def _in_common(self, world: Corpus, words: Iterable[str]) -> Iterator[int]:
        """Give the sources that have an id, a name or a text in common with another, or with what all share."""
        shared = world.shared.content.speakers
        ids = _hashes(speaker.id for speaker in shared)
        people = _hashes(f"{speaker.kind} {speaker.name}" for speaker in shared)
        named = _hashes(name for text in words for name in named_in(text))
        for part in range(PARTS):
            columns = (self.sources, self.texts, self.names, self.people, self.told)
            sources, texts, names, persons, told = (runs.part(part) for runs in columns)
            known = np.concatenate([sources, names])
            for rows, found in (
                (texts, _again(texts[:, 0])),
                (persons, _again(persons[:, 0]) | np.isin(persons[:, 0], people)),
                (known, _again(known[:, 0]) | np.isin(known[:, 0], ids)),
                (sources, np.isin(sources[:, 0], np.concatenate([told[:, 0], named]))),
                (told, np.ones(len(told), bool)),
            ):
                yield from map(int, rows[found, 1])

    def _line(self, number: int) -> tuple[str, int]:
        """Return file and line of a source."""
        first, file, line = self.blocks[bisect_right(self.blocks, number, key=lambda block: block[0]) - 1]
        return file, line + number - first


def _hashes(words: Iterable[str]) -> NDArray[np.uint64]:
    return np.array([short(each) for each in words], np.uint64)


def _again(column: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Tell of each value whether it stands elsewhere in the column, too."""
    order = np.argsort(column, kind="stable")
    equal = np.zeros(len(column), dtype=bool)
    if len(column) > 1:
        same = column[order][1:] == column[order][:-1]
        equal[order[1:]] |= same
        equal[order[:-1]] |= same
    return equal


def _by_file(lines: Iterable[tuple[str, int]]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for file, line in lines:
        found[file].add(line)
    return dict(found)
