"""The writer of tables: rows arrive in the declared order, and become one CSV file and one Parquet file per table.

The bytes depend on the rows alone, not on how they arrive: both files are written in runs of `formats.ROW_GROUP` rows.
A CSV is RFC 4180 with line feeds, quoted only where needed; null is empty.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from io import IOBase
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from defectors_data.package.cells import PARQUET_OPTIONS, ROW_GROUP, Written, cell_text, for_pandas

MOST_WAITING = 64
"""Tables that wait to be written; more are copied into one, since small ones take much more memory than their rows."""


class Finished(NamedTuple):
    """A table that was written."""

    rows: int
    csv: Written
    parquet: Written


Column: TypeAlias = Any
"""An Arrow array; of texts, unless stated otherwise."""


class File(Protocol):
    """A file that is being written: on a disk, or in memory until it is whole."""

    @property
    def size(self) -> int:
        """Bytes that were written."""

    @property
    def sha256(self) -> str:
        """The SHA-256 of what was written, in lower-case hexadecimal."""

    def add(self, data: bytes | memoryview, /) -> int:
        """Append bytes, and return how many."""

    def close(self) -> None:
        """Write what is left; a second call does nothing."""


Open = Callable[[str], File]
"""Makes a new file of a package, by its path."""


class TableWriter:
    """Writes one table, in the order in which its rows arrive."""

    def __init__(self, name: str, schema: pa.Schema, open_: Open) -> None:
        """Open the files of a table and write the header."""
        self.schema = schema.with_metadata({"pandas": json.dumps(for_pandas(schema))})
        options = {key: value for key, value in PARQUET_OPTIONS.items() if key != "row_group_size"}
        with ExitStack() as opened:
            self.csv = open_(f"data/{name}.csv")
            opened.callback(self.csv.close)
            self.parquet = open_(f"data/{name}.parquet")
            opened.callback(self.parquet.close)
            self.writer = pq.ParquetWriter(pa.PythonFile(cast(IOBase, self.parquet), mode="w"), self.schema, **options)
            opened.pop_all()
        self.rows = 0
        self.waiting: list[pa.Table] = []
        self.number_waiting = 0
        self.csv.add((",".join(schema.names) + "\n").encode())

    def take(self, table: pa.Table) -> None:
        """Take rows, and write those that fill a row group."""
        self.waiting.append(table)
        self.number_waiting += table.num_rows
        if self.number_waiting >= ROW_GROUP:
            rows = pa.concat_tables(self.waiting)
            whole = rows.num_rows - rows.num_rows % ROW_GROUP
            for start in range(0, whole, ROW_GROUP):
                self._write(rows.slice(start, ROW_GROUP))
            self.waiting, self.number_waiting = [rows.slice(whole)], rows.num_rows - whole
        elif len(self.waiting) > MOST_WAITING:
            self.waiting = [pa.concat_tables(self.waiting).combine_chunks()]

    def _write(self, rows: pa.Table) -> None:
        """Write a row group."""
        rows = rows.combine_chunks()
        for batch in rows.to_batches():
            self.csv.add(as_csv([text_of(column) for column in batch.columns]))
        self.writer.write_table(rows.cast(self.schema), row_group_size=ROW_GROUP)
        self.rows += rows.num_rows

    def close(self) -> Finished:
        """Write what is left, and return what the files contain."""
        rows = pa.concat_tables(self.waiting) if self.waiting else self.schema.empty_table()
        if rows.num_rows or not self.rows:
            self._write(rows)
        self.waiting = []
        self.abandon()
        csv, parquet = (Written(file.size, file.sha256) for file in (self.csv, self.parquet))
        return Finished(self.rows, csv, parquet)

    def abandon(self) -> None:
        """Close the files without the rows that wait."""
        self.writer.close()
        self.csv.close()
        self.parquet.close()


# ---- cells, by column ----------------------------------------------------------------------------------------


def text_of(column: Column) -> Column:
    """Return the texts that a column's cells have in a CSV, before any is quoted; null stays null."""
    if pa.types.is_string(column.type):
        return column
    if pa.types.is_floating(column.type):
        encoded = column.dictionary_encode()
        texts = pa.array([cell_text(value) for value in encoded.dictionary.to_pylist()], pa.string())
        return texts.take(encoded.indices)
    return column.cast(pa.string())


def as_csv(columns: list[Column]) -> memoryview:
    """Return rows of texts as lines of a CSV; null is empty."""
    *cells, last = [_filled(_quoted(column)) for column in columns]
    rows = _joined(*cells, _joined(last, "\n", ""), ",")
    data, ends = _held(rows)
    return data[ends[0] : ends[-1]].data


_joined: Callable[..., Column] = pc.binary_join_element_wise
"""Joins texts row by row, the last one between the others."""

_instead: Callable[..., Column] = pc.replace_with_mask
"""Puts cells where a row is marked, one by one."""


def _quoted(texts: Column) -> Column:
    """Return texts in quotation marks where a comma, a quotation mark or a line end is in them."""
    data, ends = _held(texts)
    held = data[ends[0] : ends[-1]].tobytes()
    if not any(sign in held for sign in (b'"', b",", b"\n", b"\r")):
        return texts
    signs = np.frombuffer(held, np.uint8)
    at = np.flatnonzero((signs == ord('"')) | (signs == ord(",")) | (signs == ord("\n")) | (signs == ord("\r")))
    needed = np.zeros(len(texts), np.bool_)
    needed[np.searchsorted(ends, at + ends[0], "right") - 1] = True
    rows = pa.Array.from_buffers(
        pa.bool_(), len(needed), [None, pa.py_buffer(np.packbits(needed, bitorder="little").data)]
    )
    chosen = texts.filter(rows)
    if b'"' in held:
        chosen = pc.replace_substring(chosen, '"', '""')
    return _instead(texts, rows, _joined('"', chosen, '"', ""))


def _filled(texts: Column) -> Column:
    """Return texts, nothing instead of null."""
    return pc.fill_null(texts, "") if texts.null_count else texts


def _held(texts: Column) -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return the bytes of all texts of a column, and where in them each begins and the last ends."""
    _, offsets, data = texts.buffers()
    bounds = np.frombuffer(offsets, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    return np.frombuffer(data or b"", np.uint8), bounds
