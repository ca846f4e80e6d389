"""Tables as they pass by, into one CSV and one Parquet each: what is written never has to be held.

A CSV has, byte for byte, what `formats.to_csv` would make of the whole table, and the logical hash is that of
`formats.logical_hash`; both are made by column. A Parquet has a row group for each run of rows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from io import IOBase
from typing import Any, NamedTuple, TypeAlias, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from defectors_data import fs
from defectors_data.formats import PARQUET_OPTIONS, Written, cell_text, for_pandas

ROWS = 64 * 1024
"""Rows that are held before they are written, at least; a row group has so many, or a few more."""


class Finished(NamedTuple):
    """A table that was written."""

    rows: int
    csv: Written
    parquet: Written
    logical_hash: str


Column: TypeAlias = Any
"""An Arrow array; of texts, where not said otherwise."""

Open = Callable[[str], fs.NewFile]
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
        self.writer = pq.ParquetWriter(pa.PythonFile(cast(IOBase, self.parquet), mode="w"), restored, **options)
        self.digest = hashlib.sha256()
        self.rows = 0
        self.waiting: list[pa.Table] = []
        self.csv.add((",".join(schema.names) + "\n").encode())
        self.digest.update(json.dumps(schema.names, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")

    def take(self, table: pa.Table) -> None:
        """Take rows; they are written when there are enough of them."""
        self.waiting.append(table)
        if sum(held.num_rows for held in self.waiting) >= ROWS:
            self._flush()

    def _flush(self) -> None:
        table = pa.concat_tables(self.waiting).combine_chunks() if self.waiting else self.schema.empty_table()
        self.waiting = []
        self.rows += table.num_rows
        if table.num_rows:
            cells = [text_of(column.combine_chunks()) for column in table.columns]
            self.csv.add(joined([quoted(cell) for cell in cells], "", "\n"))
            self.digest.update(joined([as_json(cell) for cell in cells], "[", "]\n"))
        self.writer.write_table(table.cast(self.restored))

    def close(self) -> Finished:
        """Write what is left, and return what the files hold."""
        if self.waiting or not self.rows:
            self._flush()
        self.writer.close()
        self.csv.close()
        self.parquet.close()
        logical = f"sha256:{self.digest.hexdigest()}"
        return Finished(
            self.rows, Written(self.csv.size, self.csv.sha256), Written(self.parquet.size, self.parquet.sha256), logical
        )


_OF_TABLE = {"row_group_size"}
"""Options of `write_table` that a writer of several does not take."""


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


def quoted(cells: Column) -> Column:
    """Return texts as a CSV has them: in quotation marks where a comma, a mark or a line end is in them; null empty."""
    needs: Column = pc.match_substring_regex(cells, '[",\r\n]')
    if pc.any(needs).as_py():
        marked = pc.binary_join_element_wise('"', pc.replace_substring(cells, '"', '""'), '"', "")
        cells = pc.if_else(needs, marked, cells)
    return pc.fill_null(cells, "")


def as_json(cells: Column) -> Column:
    """Return texts as JSON has them, and null as null."""
    needs: Column = pc.match_substring_regex(cells, '["\\\\\\x00-\\x1f]')
    marked = pc.binary_join_element_wise('"', cells, '"', "")
    if pc.any(needs).as_py():
        odd = [json.dumps(text, ensure_ascii=False) for text in cells.filter(needs).to_pylist()]
        marked = pc.replace_with_mask(marked, pc.fill_null(needs, False), pa.array(odd, pa.string()))  # noqa: FBT003
    return pc.fill_null(marked, "null")


def joined(columns: list[Column], before: str, after: str) -> memoryview:
    """Return rows of texts as bytes: cells with commas between them, and what stands before and after each row."""
    rows: Column = pc.binary_join_element_wise(*columns, ",")
    rows = pc.binary_join_element_wise(before, rows, after, "")
    _, offsets, data = rows.buffers()
    ends = memoryview(offsets).cast("i")
    return memoryview(data)[ends[rows.offset] : ends[rows.offset + len(rows)]]
