"""Many 64-bit numbers, each with others beside it if need be, of which few are held: sorted runs in a scratch file.

What is asked of them is always which are equal. Equal numbers begin with the same bits, so each run is cut where the
first bits change, and the pieces of all runs that begin alike are looked at together. This is external sorting (Knuth,
The Art of Computer Programming, volume 3, 5.4) without its merge. The numbers are hashes: their first bits are even.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from defectors_data import fs

Array: TypeAlias = NDArray[np.uint64]

_BITS = 6
PARTS = 1 << _BITS
"""Parts in which the numbers are looked at, one after the other."""

HELD = 1 << 16
"""Rows that are held before they become a run."""

_FEW = 1 << 10
"""Rows for which there is room from the beginning: the room grows in few steps, so that little lies scattered."""

_CUTS = np.arange(1, PARTS, dtype=np.uint64) << np.uint64(64 - _BITS)


class _Run(NamedTuple):
    """A run: where in the scratch file it begins, and at which of its rows each part does."""

    offset: int
    cuts: list[int]


class Runs:
    """Rows of 64-bit numbers that are asked for by the first of each."""

    def __init__(self, width: int = 1) -> None:
        """Begin without a row; `width` numbers stand in each."""
        self._rows: Array = np.empty((_FEW, width), np.uint64)
        """What is held: the first `_count` of these."""
        self._count = 0
        self._scratch: fs.Scratch | None = None
        self._runs: list[_Run] = []
        self._cuts: list[int] | None = None
        """Where in what is held each part begins, the end behind them; None where it is not in order."""

    def add(self, *columns: Array) -> None:
        """Take further rows, given as columns.

        Raises:
            fs.NoScratch: the scratch file cannot be written.
        """
        self._cuts, taken, size = None, 0, len(columns[0])
        while taken < size:
            self._make_room(size - taken)
            end = min(size, taken + len(self._rows) - self._count)
            for number, column in enumerate(columns):
                self._rows[self._count : self._count + end - taken, number] = column[taken:end]
            self._count, taken = self._count + end - taken, end

    def part(self, number: int) -> Array:
        """Return the rows of a part, shape (rows, width), ordered by their first number.

        Raises:
            fs.NoScratch: the scratch file cannot be read.
        """
        cuts = self._ordered()
        held = self._rows[cuts[number] : cuts[number + 1]]
        pieces = [self._read(run, number) for run in self._runs]
        return _in_order(np.concatenate([*pieces, held])) if pieces else held

    def _make_room(self, more: int) -> None:
        """Hold more rows, up to as many as may be held; where there are so many, they become a run."""
        size, width = self._rows.shape
        if self._count + more > size < HELD:
            larger = np.empty((min(HELD, max(2 * size, self._count + more)), width), np.uint64)
            larger[: self._count] = self._rows[: self._count]
            self._rows = larger
        elif self._count == size:
            cuts = self._ordered()
            if self._scratch is None:
                self._scratch = fs.Scratch()
            self._runs.append(_Run(self._scratch.add(self._rows.data), cuts))
            self._cuts, self._count = None, 0

    def _ordered(self) -> list[int]:
        """Put what is held in order, and return where in it each part begins, and the end."""
        if self._cuts is None:
            rows = _in_order(self._rows[: self._count])
            self._cuts = [0, *np.searchsorted(rows[:, 0], _CUTS).tolist(), len(rows)]
        return self._cuts

    def _read(self, run: _Run, number: int) -> Array:
        assert self._scratch is not None  # noqa: S101  # there is a run
        width = self._rows.shape[1]
        first, end = run.cuts[number], run.cuts[number + 1]
        data = self._scratch.at(run.offset + first * 8 * width, (end - first) * 8 * width)
        return np.frombuffer(data, np.uint64).reshape(-1, width)


def _in_order(rows: Array) -> Array:
    """Put rows in the order of their first number, where they are, and return them."""
    if rows.shape[1] == 1:
        rows[:, 0].sort()
    else:
        rows[:] = rows[np.argsort(rows[:, 0])]
    return rows
