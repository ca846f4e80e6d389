"""What is wrong with a file: the first faults are kept, all are counted, and no cell is ever told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

MOST_SHOWN = 20
"""Faults of one file and kind that are told one by one; the others are counted."""


class Fault(NamedTuple):
    """One fault: where it is, as far as it has a place, and what must be so; row 1 is the header."""

    file: str
    row: int | None
    column: str | None
    sentence: str
    promised: bool = False
    """Whether it breaks a promise of these packages beyond the standard, which frictionless does not know."""

    def __str__(self) -> str:
        """Return the fault as a line, as the verifier words its own."""
        place = self.file if self.row is None else f"{self.file}:{self.row}"
        return f"{place}: {f'{self.column} ' if self.column else ''}{self.sentence}"


class Tally:
    """The faults of one file."""

    def __init__(self, file: str) -> None:
        """Begin with none."""
        self.file = file
        self._kept: dict[bool, list[Fault]] = {False: [], True: []}
        self._number = {False: 0, True: 0}

    def add(
        self, sentence: str, rows: Iterable[int | None] = (None,), *, column: str | None = None, promised: bool = False
    ) -> None:
        """Count a fault in each of the rows."""
        left = iter(rows)
        room = MOST_SHOWN - len(self._kept[promised])
        kept = [
            Fault(self.file, None if row is None else int(row), column, sentence, promised)
            for row in islice(left, room)
        ]
        self._kept[promised] += kept
        self._number[promised] += len(kept) + sum(1 for _ in left)

    def faults(self) -> Iterator[Fault]:
        """Give those that were kept by row, of the standard first, and one that counts the others."""
        for promised, kept in self._kept.items():
            yield from sorted(kept, key=lambda fault: (fault.row or 0, fault.column or ""))
            if more := self._number[promised] - len(kept):
                yield Fault(self.file, None, None, f"and {more:,} more faults", promised)

    def number(self, *, promised: bool) -> int:
        """Return how many faults there are of one kind."""
        return self._number[promised]
