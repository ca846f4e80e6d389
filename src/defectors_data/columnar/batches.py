"""A CSV → batches of columns, each cell a string or null.

pyarrow reads what is plain. From the first record on that it refuses (a cell too many, a quotation mark left open, a
byte that is no UTF-8), Python's `csv` goes on as frictionless would, so that both see the same cells.
"""

from __future__ import annotations

import codecs
import csv
import io
import mmap
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

import pyarrow as pa
import pyarrow.compute
import pyarrow.csv

from defectors_data.columnar.parts import Parts
from defectors_data.columnar.tallying import Tally

Arrow = Any
"""An array of pyarrow; its published types know less of `compute` than it can."""

pc: Any = pyarrow.compute

BLOCK = 1 << 21
"""Bytes of a file that pyarrow is given at a time."""

BLOCK_AHEAD = 3 << 19
"""The same of several files: pyarrow holds thirty-two of these ahead."""

ROWS = 1 << 14
"""Rows of a batch that Python reads."""

csv.field_size_limit(1 << 30)


class Layout(NamedTuple):
    """How a table lies in its files."""

    paths: Sequence[Path]
    names: list[str]
    missing: list[list[str]]
    """For each column, what stands for no value."""
    dialect: csv.Dialect
    encoding: str


class Batch(NamedTuple):
    """Some rows of a table: the number of the first (the header is row 1) and the columns."""

    first: int
    columns: list[Arrow]


def batches(layout: Layout, tally: Tally) -> Iterator[Batch]:
    """Give the rows of a table; what keeps it from being read, and rows of another length, are told to the tally."""
    done = 0
    try:
        labels = _header(layout)
        if labels != layout.names:
            tally.add("must have the columns of its schema", [1])
        if labels is None or len(labels) != len(layout.names):
            return
        if labels == layout.names and _plain(layout):
            for batch in filter(len, _by_columns(layout)):
                yield Batch(done + 2, _with_nulls(layout, batch.columns))
                done += batch.num_rows
            return
    except pa.ArrowInvalid:
        pass
    except (OSError, ValueError, LookupError, csv.Error) as error:
        tally.add(f"cannot be read ({type(error).__name__})")
        return
    yield from _told(layout, done, tally)


def _told(layout: Layout, done: int, tally: Tally) -> Iterator[Batch]:
    """Read on with Python, and tell what cannot be read."""
    try:
        yield from _by_rows(layout, done, tally)
    except (UnicodeError, csv.Error) as error:
        tally.add(f"cannot be read to its end ({type(error).__name__})")


def _header(layout: Layout) -> list[str] | None:
    with _text(layout) as text:
        return next(csv.reader(text, layout.dialect), None)


def _text(layout: Layout) -> io.TextIOWrapper:
    encoding = codecs.lookup(layout.encoding).name
    stream = io.BufferedReader(Parts(layout.paths, headed=True), BLOCK_AHEAD)
    return io.TextIOWrapper(stream, "utf-8-sig" if encoding == "utf-8" else encoding, newline="")


def _plain(layout: Layout) -> bool:
    """Say whether pyarrow reads this dialect as Python does; in a single column it takes a blank line for a cell."""
    dialect = layout.dialect
    if len(layout.names) == 1 and "" not in layout.missing[0]:
        return False
    marks = f"{dialect.delimiter}{dialect.quotechar}"
    odd = dialect.escapechar or dialect.skipinitialspace or dialect.quoting == csv.QUOTE_NONE
    return len(marks) == 2 and marks.isascii() and not odd and codecs.lookup(layout.encoding).name == "utf-8"  # noqa: PLR2004  # one character each


def _by_columns(layout: Layout) -> Iterator[pa.RecordBatch]:
    alike = all(missing == layout.missing[0] for missing in layout.missing)
    with ExitStack() as held:
        stream, forget = _opened(layout.paths, held)
        reader = pa.csv.open_csv(
            cast("IO[Any]", stream),
            read_options=pa.csv.ReadOptions(block_size=BLOCK if forget else BLOCK_AHEAD, use_threads=False),
            parse_options=pa.csv.ParseOptions(
                delimiter=layout.dialect.delimiter,
                quote_char=str(layout.dialect.quotechar),
                double_quote=True,
                escape_char=False,
                newlines_in_values=True,
                ignore_empty_lines=False,
            ),
            convert_options=pa.csv.ConvertOptions(
                check_utf8=True,
                column_types=dict.fromkeys(layout.names, pa.string()),
                null_values=layout.missing[0] if alike else [],
                strings_can_be_null=True,
                quoted_strings_can_be_null=True,
            ),
        )
        for batch in reader:
            if forget:
                forget()
            yield batch


def _opened(paths: Sequence[Path], held: ExitStack) -> tuple[Any, Callable[[], None] | None]:
    """Open a table for pyarrow, and return what lets go of what was read.

    A single file is mapped: what pyarrow asks for ahead takes no room until it is looked at, and nothing is copied.
    """
    if len(paths) > 1:
        return held.enter_context(Parts(paths, headed=True)), None
    with io.FileIO(paths[0]) as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    return held.enter_context(pa.BufferReader(pa.py_buffer(mapped))), lambda: mapped.madvise(mmap.MADV_DONTNEED)


def _with_nulls(layout: Layout, columns: list[Arrow]) -> list[Arrow]:
    """Make null what stands for no value where the columns of a table do not agree on that."""
    if all(missing == layout.missing[0] for missing in layout.missing):
        return columns
    return [_blanked(column, missing) for column, missing in zip(columns, layout.missing, strict=True)]


def _blanked(column: Arrow, missing: list[str]) -> Arrow:
    none = pa.scalar(None, pa.string())
    return pc.if_else(pc.is_in(column, value_set=pa.array(missing, pa.string())), none, column) if missing else column


def _by_rows(layout: Layout, done: int, tally: Tally) -> Iterator[Batch]:
    width = len(layout.names)
    with _text(layout) as text:
        rows = csv.reader(text, layout.dialect)
        number = done + 2
        for taken in _chunks(islice(rows, done + 1, None)):
            ragged = [at for at, row in enumerate(taken, number) if len(row) != width]
            tally.add("must have a cell for each column", ragged)
            squared: list[Any] = [[*row[:width], *[""] * (width - len(row))] for row in taken]
            columns = [pa.array(cells, pa.string()) for cells in zip(*squared, strict=True)]
            blanked = [_blanked(column, missing) for column, missing in zip(columns, layout.missing, strict=True)]
            yield Batch(number, blanked)
            number += len(taken)


def _chunks(rows: Iterator[list[str]]) -> Iterator[list[list[str]]]:
    while taken := list(islice(rows, ROWS)):
        yield taken
