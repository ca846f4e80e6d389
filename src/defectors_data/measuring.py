"""Texts of many sources as one run of bytes: what is counted in them, and their offsets in other units.

Everything is found in columns: where a byte goes on a code point, where a line ends. Of texts like those of articles
these are few, so an offset costs a look into a short list. `spans` does the same for one text and one offset.
"""

from __future__ import annotations

import hashlib
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]
Answers: TypeAlias = NDArray[np.bool_]
Column: TypeAlias = Any
"""An Arrow array."""

_SPACE, _TAB, _LINE_END, _DELETE = b" \t\n\x7f"
_GOES_ON = 0x80
"""The upper two bits of a byte that does not begin a code point."""

_MARK_OF_ORDER = 0xFEFF
_ODD_SPACES = [0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000]


class Texts:
    """The texts of some sources, one behind the other; offsets into a text are code points."""

    def __init__(self, column: Column) -> None:
        """Take an Arrow array of texts, none of them null."""
        _, offsets, data = column.buffers()
        bounds = np.frombuffer(offsets, np.int32)[column.offset : column.offset + len(column) + 1].astype(np.int64)
        self.data = np.frombuffer(data or b"", np.uint8)[bounds[0] : bounds[-1]]
        self.bounds: Numbers = bounds - bounds[0]
        """Where each text begins, in bytes, and where the last one ends."""
        self._goes_on: Numbers = np.flatnonzero((self.data & 0xC0) == _GOES_ON)
        self._behind: Numbers = self._goes_on - np.arange(len(self._goes_on))
        """For each of these bytes, how many code points begin before it."""
        self._pairs: Numbers = np.flatnonzero(self.data >= 0xF0)  # noqa: PLR2004  # two units of UTF-16
        self._line_ends: Numbers = np.flatnonzero(self.data == _LINE_END)
        self._first: Numbers = self._code_points(self.bounds)

    @property
    def chars(self) -> Numbers:
        """The code points of each text."""
        return np.diff(self._first)

    def text(self, number: int) -> str:
        """Return a text."""
        return bytes(self.data[self.bounds[number] : self.bounds[number + 1]]).decode()

    def sums(self) -> list[str]:
        """Return the SHA-256 of each text, in lower-case hexadecimal."""
        data, bounds = self.data.data, self.bounds.tolist()
        return [hashlib.sha256(data[start:end]).hexdigest() for start, end in pairwise(bounds)]

    # ---- what stands in them ---------------------------------------------------------------------------------

    def odd(self) -> Answers:
        """Tell which texts hold a control character other than tab and line feed, or begin with a mark of order."""
        data = self.data
        low = (data < _SPACE) & (data != _LINE_END) & (data != _TAB) | (data == _DELETE)
        wide, at = self._wide()
        high = (wide < 0xA0) | ((wide == _MARK_OF_ORDER) & np.isin(at - 2, self.bounds))  # noqa: PLR2004
        return self._holding(np.concatenate([np.flatnonzero(low), at[high]]))

    def with_odd_spaces(self) -> Answers:
        """Tell which texts hold white space other than space, tab and line feed; control characters apart."""
        wide, at = self._wide()
        return self._holding(at[(wide == 0xA0) | np.isin(wide, _ODD_SPACES)])  # noqa: PLR2004

    @cached_property
    def words(self) -> list[int]:
        """How many runs between spaces, tabs and line feeds each text has, if it has no odd sign."""
        is_space = self.data <= _SPACE
        begins = ~is_space
        begins[1:] &= is_space[:-1]
        firsts = self.bounds[:-1][np.diff(self.bounds) > 0]
        begins[firsts] = ~is_space[firsts]
        return [int(np.count_nonzero(begins[start:end])) for start, end in pairwise(self.bounds.tolist())]

    def _wide(self) -> tuple[Numbers, Numbers]:
        """Return the code points that two or three bytes stand for, and where the last of these bytes is."""
        at = self._goes_on
        last, before = self.data[at].astype(np.int64) & 0x3F, self.data[at - 1].astype(np.int64)
        far = self.data[at - 2].astype(np.int64)
        wide = np.where(before >= 0xC0, (before & 0x1F) << 6 | last, (far & 0x0F) << 12 | (before & 0x3F) << 6 | last)  # noqa: PLR2004
        whole = ((before >= 0xC0) & (before < 0xE0)) | ((before < 0xC0) & (far >= 0xE0) & (far < 0xF0))  # noqa: PLR2004
        return wide[whole], at[whole]

    def _holding(self, places: Numbers) -> Answers:
        found: Answers = np.zeros(len(self.bounds) - 1, np.bool_)
        found[np.searchsorted(self.bounds, places, "right") - 1] = True
        return found

    # ---- offsets ---------------------------------------------------------------------------------------------

    def _code_points(self, places: Numbers) -> Numbers:
        """Return how many code points begin before bytes, over all texts."""
        return places - np.searchsorted(self._goes_on, places)

    def places(self, texts: Numbers, offsets: Numbers) -> Numbers:
        """Return the bytes, over all texts, at which code points of texts begin."""
        over_all = self._first[texts] + offsets
        return over_all + np.searchsorted(self._behind, over_all, "right")

    def in_bytes(self, texts: Numbers, places: Numbers) -> Numbers:
        """Return offsets in bytes of UTF-8."""
        return places - self.bounds[texts]

    def in_utf16(self, texts: Numbers, offsets: Numbers, places: Numbers) -> Numbers:
        """Return offsets in units of UTF-16."""
        if not len(self._pairs):
            return offsets
        return offsets + np.searchsorted(self._pairs, places) - np.searchsorted(self._pairs, self.bounds[texts])

    def lines(self, texts: Numbers, places: Numbers) -> tuple[Numbers, Numbers]:
        """Return lines and columns, both from 1, columns in code points."""
        before = np.searchsorted(self._line_ends, places)
        first = np.searchsorted(self._line_ends, self.bounds[texts])
        starts = self.bounds[texts]
        behind = before > first
        starts[behind] = self._line_ends[before[behind] - 1] + 1
        return before - first + 1, self._code_points(places) - self._code_points(starts) + 1

    def cut(self, starts: Numbers, ends: Numbers) -> Column:
        """Return the words between bytes, as Arrow has them."""
        bounds = np.concatenate([[0], np.cumsum(ends - starts)])
        taken = np.arange(bounds[-1]) + np.repeat(starts - bounds[:-1], ends - starts)
        buffers: Any = [None, pa.py_buffer(bounds.astype(np.int32).data), pa.py_buffer(self.data[taken].data)]
        return pa.Array.from_buffers(pa.string(), len(starts), buffers)
