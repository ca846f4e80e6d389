"""What many sources must not have in common, found in columns of numbers: no source is held, and no id.

64 bits of a hash stand for an id, a name or a text. Two that are equal may be a fault, and are looked at again; two
that differ are none. So nothing is missed, and what is looked at for nothing costs a moment.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from defectors_data.corpus import Corpus
from defectors_data.judging import Judged, named_in, short

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST = 1_000
"""Lines with a fault of their own that are looked at again: whoever has more mends these first."""


class Crossed:
    """The sources of a corpus, block by block in their order, and what of them has to be looked at again."""

    def __init__(self) -> None:
        """Begin with no source."""
        self.blocks: list[tuple[int, str, int]] = []
        """Of each block the number of its first source, its file, and the number of its first line."""
        self.sources, self.texts, self.names, self.people = (array("Q") for _ in range(4))
        self.at = array("Q")
        self.told: list[tuple[int, int]] = []
        self.unread: list[tuple[str, int]] = []
        self.doubtful: list[tuple[str, int]] = []
        self.users: dict[str, int] = {}
        """For each shared speaker that is used, a source that does."""
        self.last: tuple[tuple[str, int], str] = (("", 0), "")
        """The last source that could be read: its file and line, and its id."""
        self.count = 0

    def add(self, judged: Judged) -> None:
        """Take the next block; blocks come in the order of the corpus."""
        traces = judged.traces
        self.blocks.append((self.count, judged.file, judged.first))
        self.unread += [(judged.file, line) for line in judged.unread]
        self.doubtful += [(judged.file, line) for line in judged.doubtful]
        if judged.ids[0] and judged.ids[0] <= self.last[1]:
            self.unread += [self.last[0], (judged.file, judged.ends[0])]
        if judged.ids[1]:
            self.last = (judged.file, judged.ends[1]), judged.ids[1]
        for mine, theirs in (
            (self.sources, traces.sources),
            (self.texts, traces.texts),
            (self.names, traces.names),
            (self.people, traces.people),
        ):
            mine.extend(theirs)
        self.at.extend(self.count + number for number in traces.at)
        self.told += [(name, self.count + number) for name, number in traces.told]
        for speaker, number in traces.uses.items():
            self.users.setdefault(speaker, self.count + number)
        self.count += judged.sources

    def suspects(self, world: Corpus, words: Iterable[str]) -> dict[str, set[int]]:
        """Return the lines to look at again, by file; `words` are the free texts that belong to no source.

        Where lines cannot be read it is these alone: what they break can only be said when they can.
        """
        if self.unread:
            return _by_file(self.unread[:MOST])
        numbers = set(self._alike()) | set(self._named(words)) | set(self.users.values())
        numbers |= {int(number) for number in self._like_shared(world)}
        return _by_file([*self.doubtful[:MOST], *map(self._line, sorted(numbers))])

    def _alike(self) -> Iterator[int]:
        """Give the sources that have an id, a name or a text in common with another."""
        import numpy as np  # noqa: PLC0415  # slow to import

        sources, texts, names, people = (
            np.frombuffer(column, dtype=np.uint64) for column in (self.sources, self.texts, self.names, self.people)
        )
        at = np.frombuffer(self.at, dtype=np.uint64)
        order = np.arange(len(sources), dtype=np.uint64)
        for column, where in (
            (texts, order),
            (people, at),
            (np.concatenate([sources, names]), np.concatenate([order, at])),
        ):
            yield from map(int, where[_again(column)])

    def _named(self, words: Iterable[str]) -> Iterator[int]:
        """Give the sources whose records are named elsewhere, and those that name them."""
        import numpy as np  # noqa: PLC0415

        told = [*self.told, *((short(name), -1) for text in words for name in named_in(text))]
        if not told:
            return
        sources = np.frombuffer(self.sources, dtype=np.uint64)
        known = np.flatnonzero(np.isin(sources, np.array([name for name, _ in told], dtype=np.uint64)))
        by_name = defaultdict(list)
        for number in map(int, known):
            by_name[int(sources[number])].append(number)
        for name, teller in told:
            yield from by_name.get(name, ())
            if teller >= 0:
                yield teller

    def _like_shared(self, world: Corpus) -> NDArray[np.uint64]:
        """Return the sources with an id or a name that a shared speaker has."""
        import numpy as np  # noqa: PLC0415

        shared = world.shared.content.speakers
        ids = np.array([short(speaker.id) for speaker in shared], dtype=np.uint64)
        people = np.array([short(f"{speaker.kind} {speaker.name}") for speaker in shared], dtype=np.uint64)
        at = np.frombuffer(self.at, dtype=np.uint64)
        mine = np.isin(np.frombuffer(self.names, dtype=np.uint64), ids)
        mine |= np.isin(np.frombuffer(self.people, dtype=np.uint64), people)
        sources = np.flatnonzero(np.isin(np.frombuffer(self.sources, dtype=np.uint64), ids)).astype(np.uint64)
        return np.concatenate([at[mine], sources])

    def _line(self, number: int) -> tuple[str, int]:
        """Return file and line of a source."""
        first, file, line = self.blocks[bisect_right(self.blocks, number, key=lambda block: block[0]) - 1]
        return file, line + number - first


def _again(column: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Tell of each value whether it stands elsewhere in the column, too."""
    import numpy as np  # noqa: PLC0415

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
