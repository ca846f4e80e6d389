"""What a package of this kind promises beyond the standard: the order of rows, offsets, and a Parquet of each table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from defectors_data.columnar import keys
from defectors_data.columnar.batches import Arrow, pc
from defectors_data.columnar.cells import Array, Column, places, run_starts
from defectors_data.columnar.tallying import Tally

ROWS = 1 << 15
"""Rows of a Parquet that are read at a time."""

Columns = Mapping[str, Column]


class Order:
    """Each row comes after the one before it, by the columns that the descriptor names: `orderedBy`."""

    def __init__(self, names: Sequence[str]) -> None:
        """Begin before the first row."""
        self.names = names
        self._last: list[Arrow] = []

    def add(self, first: int, columns: Columns, tally: Tally) -> None:
        """Look at further rows."""
        now = [_filled(columns[name]) for name in self.names]
        if any(column is None for column in now):
            return  # of a type that cannot be compared, and told elsewhere
        size = len(now[0])
        starts = columns[self.names[0]].starts
        agreed = None if starts is None else np.ones(size, bool)
        if agreed is not None:
            agreed[starts] = False
            agreed = agreed[1:]
        within = _after([column.slice(0, size - 1) for column in now], [column.slice(1) for column in now], agreed)
        rows = (first + 1 + np.flatnonzero(~within)).tolist()
        if self._last and not _after(self._last, [column.slice(0, 1) for column in now])[0]:
            rows.insert(0, first)
        tally.add(f"must come after the row before it by {', '.join(self.names)}", rows, promised=True)
        self._last = [column.slice(size - 1) for column in now]


def _after(before: Sequence[Arrow], this: Sequence[Arrow], agreed: Array | None = None) -> Array:
    """Return which rows of the second come after those of the first.

    A column is asked only of rows in which those before it agree; of the first, that may be known.
    """
    after, left = np.zeros(len(this[0]), bool), np.arange(len(this[0]))
    for old, new in zip(before, this, strict=True):
        if agreed is None:
            after[left] = pc.less(old_left := _taken(old, left), new_left := _taken(new, left))
            agreed = pc.equal(old_left, new_left).to_numpy(zero_copy_only=False)
        else:
            differ = np.flatnonzero(~agreed)
            after[differ] = pc.less(_taken(old, differ), _taken(new, differ))
        left, agreed = left[agreed], None
        if not len(left):
            break
    return after


def _taken(column: Arrow, rows: Array) -> Arrow:
    return column if len(rows) == len(column) else column.take(pa.array(rows))


def _filled(column: Column) -> Arrow:
    """Return values in which null comes before all others; None if they are not known."""
    values = column.values
    if values is None or not values.null_count:
        return values
    if pa.types.is_string(values.type):
        return pc.fill_null(values, "")
    numbers = values.cast(pa.int32()) if pa.types.is_date32(values.type) else values
    return pc.fill_null(numbers.cast(pa.float64()), float("-inf"))


def _narrow(numbers: Array) -> Array:
    """Return whole numbers in four bytes each, where they are small enough."""
    small = numbers.min(initial=0) >= -_LARGEST and numbers.max(initial=0) <= _LARGEST
    return numbers.astype(np.int32) if small else numbers


_LARGEST = np.iinfo(np.int32).max


def _joined(pieces: list[Array]) -> Array:
    """Put pieces together, and let go of them."""
    whole = np.concatenate(pieces) if pieces else np.empty(0, np.int64)
    pieces.clear()
    return whole


class Lengths:
    """How many code points each source has, by the hash of its id: twelve bytes for each."""

    def __init__(self) -> None:
        """Begin with no source."""
        self._ids: list[Array] = []
        self._chars: list[Array] = []

    def add(self, ids: Column, chars: Column) -> None:
        """Take up some rows of the sources."""
        if chars.values is not None:
            self._ids.append(keys.of_texts(ids.texts))
            self._chars.append(_narrow(pc.fill_null(chars.values, 0).to_numpy(zero_copy_only=False)))

    def settle(self) -> None:
        """Put the sources in order; there are no more."""
        ids = _joined(self._ids)
        order = np.argsort(ids)
        self._ids.append(ids[order])
        del ids
        self._chars.append(_joined(self._chars)[order])

    def of(self, column: Column) -> Array:
        """Return the length of the source of each row; -1 where there is none."""
        ids = pc.fill_null(column.texts, "") if column.texts.null_count else column.texts
        starts = run_starts(ids) if column.starts is None else column.starts
        known, chars = self._ids[0], self._chars[0]
        if not len(known):
            return np.full(len(ids), -1)
        asked = keys.of_texts(ids.take(pa.array(starts)))
        at = np.minimum(np.searchsorted(known, asked), len(known) - 1)
        found = np.where(known[at] == asked, chars[at], -1)
        return np.repeat(found, np.diff([*starts, len(ids)]))


def check_offsets(first: int, columns: Columns, lengths: Lengths | None, tally: Tally) -> None:
    """Hold the offsets of some rows against each other, their words, and the length of their source."""
    start, end = (_numbers(columns.get(name)) for name in ("start", "end"))
    if start is None or end is None:
        return

    def must(sentence: str, kept: Array) -> None:
        tally.add(sentence, first + np.flatnonzero(~kept), promised=True)

    must("must have 0 <= start < end", (start >= 0) & (start < end))
    if lengths and "source_id" in columns:
        must("must end within its source", end <= lengths.of(columns["source_id"]))
    units = [_numbers(columns.get(name)) for name in ("start_utf16", "end_utf16", "start_byte", "end_byte")]
    if any(unit is None for unit in units):
        return
    start_utf16, end_utf16, start_byte, end_byte = (np.asarray(unit) for unit in units)
    for name, points, utf16, octets in (
        ("start", start, start_utf16, start_byte),
        ("end", end, end_utf16, end_byte),
        ("the length", end - start, end_utf16 - start_utf16, end_byte - start_byte),
    ):
        # A code point is one or two UTF-16 units, each of them one to three bytes of UTF-8.
        fits = (points <= utf16) & (utf16 <= 2 * points) & (utf16 <= octets) & (octets <= 3 * utf16)
        must(f"must have {name} in UTF-16 units and in bytes that can be that in code points", fits)
    if "exact" in columns:
        words = columns["exact"].texts
        long, wide = (pc.fill_null(f(words), 0).to_numpy(zero_copy_only=False) for f in _SIZES)
        must("must have an exact as long as its offsets say", (long == end - start) & (wide == end_byte - start_byte))


_SIZES = (pc.utf8_length, pc.binary_length)


def _numbers(column: Column | None) -> Array | None:
    if column is None or column.values is None or column.values.type != pa.int64():
        return None
    values = pc.fill_null(column.values, 0) if column.values.null_count else column.values
    return np.asarray(values.to_numpy(zero_copy_only=False))


class Twin:
    """The Parquet beside a CSV has the same columns and the same rows."""

    def __init__(self, paths: Sequence[Path], names: Sequence[str], tally: Tally) -> None:
        """Open the first file; a Parquet that cannot be read is told to the tally."""
        self.tally = tally
        self._names = list(names)
        self._batches = self._read(paths)
        self._rest: pa.RecordBatch | None = None
        self._ended = False

    def _read(self, paths: Sequence[Path]) -> Iterator[pa.RecordBatch]:
        for path in paths:
            try:
                with pq.ParquetFile(path, pre_buffer=False) as file:  # what is read ahead is kept to the end
                    if file.schema_arrow.names != self._names:
                        self.tally.add("must have the columns of the CSV", promised=True)
                        self._ended = True
                        return
                    yield from file.iter_batches(batch_size=ROWS, use_threads=False)
            except (OSError, pa.ArrowException) as error:
                self.tally.add(f"cannot be read ({type(error).__name__})", promised=True)
                self._ended = True
                return

    def add(self, first: int, columns: Sequence[Column]) -> None:
        """Compare further rows of the CSV."""
        done, number = 0, len(columns[0].texts)
        while done < number and not self._ended:
            batch = self._rest or next(self._batches, None)
            if batch is None:
                self._ended = True
                if not self.tally.number(promised=True):
                    self.tally.add("must have as many rows as the CSV", promised=True)
                return
            size = min(batch.num_rows, number - done)
            for column, there in zip(columns, batch.columns, strict=True):
                self._compare(first + done, column, there.slice(0, size), slice(done, done + size))
            self._rest = batch.slice(size) if size < batch.num_rows else None
            done += size

    def finish(self) -> None:
        """Say if there is more in the Parquet than in the CSV."""
        if not self._ended and any(batch.num_rows for batch in (self._rest or pa.record_batch({}), *self._batches)):
            self.tally.add("must have as many rows as the CSV", promised=True)

    def _compare(self, first: int, column: Column, there: Arrow, rows: slice) -> None:
        values = column.values if column.values is not None else column.texts
        here = values.slice(rows.start, rows.stop - rows.start)
        if here.type != there.type:
            try:
                there = there.cast(here.type)
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
                self.tally.add("must have the type of the CSV", [first], column=column.judge.name, promised=True)
                return
        if here.equals(there):
            return
        unlike = pc.or_(
            pc.xor(here.is_null(), there.is_null()), pc.fill_null(pc.not_equal(here, there), fill_value=False)
        )
        self.tally.add("must be as in the CSV", first + places(unlike), column=column.judge.name, promised=True)
