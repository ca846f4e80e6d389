"""Tables as they pass by, into one CSV and one Parquet each: what is written never has to be held.

A CSV has, byte for byte, what `formats.to_csv` would make of the whole table, and is made by column; so its hash says
what the logical hash of a small table says. A Parquet has a row group for each run of rows.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from io import IOBase
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from defectors_data.formats import PARQUET_OPTIONS, Written, cell_text, for_pandas

HELD = 40 * 1024 * 1024
"""Bytes of rows that all tables hold together before those of one are written, as a row group."""

ROWS = 8 * 1024
"""Rows that are made into text together."""


class Finished(NamedTuple):
    """A table that was written."""

    rows: int
    csv: Written
    parquet: Written


Column: TypeAlias = Any
"""An Arrow array; of texts, where not said otherwise."""


class File(Protocol):
    """A file that is being written: on a disk, or held until it is whole."""

    @property
    def size(self) -> int:
        """Bytes that were written."""

    @property
    def sha256(self) -> str:
        """The SHA-256 of what was written, in lower-case hexadecimal."""

    def add(self, data: bytes | memoryview, /) -> int:
        """Write bytes behind those that were written, and return how many."""

    def close(self) -> None:
        """Write what is left; doing it twice does no harm."""


Open = Callable[[str], File]
"""Makes a new file of a package, by its path."""


class TableWriter:
    """Writes one table, in the order in which its rows come."""

    def __init__(self, name: str, schema: pa.Schema, open_: Open) -> None:
        """Open the files of a table and write its header."""
        self.schema = schema
        self.csv = open_(f"data/{name}.csv")
        self.parquet = open_(f"data/{name}.parquet")
        restored = schema.with_metadata({"pandas": json.dumps(for_pandas(schema))})
        options = {key: value for key, value in PARQUET_OPTIONS.items() if key not in _OF_TABLE}
        self.restored = restored
        file = pa.PythonFile(cast(IOBase, self.parquet), mode="w")
        self.writer = pq.ParquetWriter(file, restored, compression_level=_LEVEL, **options)
        self.rows = 0
        self.waiting: list[pa.Table] = []
        self.held = 0
        self.csv.add((",".join(schema.names) + "\n").encode())

    def take(self, table: pa.Table) -> None:
        """Take rows; they are held until somebody has them written."""
        self.waiting.append(table)
        self.held += table.nbytes

    def flush(self) -> None:
        """Write what is held, as a row group."""
        table = pa.concat_tables(self.waiting).combine_chunks() if self.waiting else self.schema.empty_table()
        self.waiting, self.held = [], 0
        self.rows += table.num_rows
        for rows in table.to_batches(ROWS):
            self.csv.add(as_csv([text_of(column) for column in rows.columns]))
        self.writer.write_table(table.cast(self.restored))

    def close(self) -> Finished:
        """Write what is left, and return what the files hold."""
        if self.waiting or not self.rows:
            self.flush()
        self.writer.close()
        self.csv.close()
        self.parquet.close()
        return Finished(
            self.rows, Written(self.csv.size, self.csv.sha256), Written(self.parquet.size, self.parquet.sha256)
        )


def flush_where_most(writers: Iterable[TableWriter]) -> None:
    """Have those tables written that hold most, until all together hold no more than is allowed."""
    writers = list(writers)
    while sum(writer.held for writer in writers) > HELD:
        max(writers, key=lambda writer: writer.held).flush()


_OF_TABLE = {"row_group_size", "compression_level"}
"""Options of `write_table` that a writer of several does not take, or that are others here."""


_LEVEL = 3
"""Of compression by zstd: what more of it saves takes long."""


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
    """Return rows of texts as a CSV has them: marked where a comma, a mark or a line end is in them; null is empty."""
    *cells, last = [_filled(_quoted(column)) for column in columns]
    rows = _joined(*cells, _joined(last, "\n", ""), ",")
    data, ends = _held(rows)
    return data[ends[0] : ends[-1]].data


_joined: Callable[..., Column] = pc.binary_join_element_wise
"""Joins texts row by row, the last one between the others."""

_instead: Callable[..., Column] = pc.replace_with_mask
"""Puts cells where a row is marked, one by one."""


def _quoted(texts: Column) -> Column:
    """Return texts in quotation marks where a CSV needs them."""
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
