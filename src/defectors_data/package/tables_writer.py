"""The writer of tables: rows become Arrow tables, and these one CSV and one Parquet file each.

Both files are written in groups of `cells.ROW_GROUP` rows, so their bytes do not depend on the
batches in which the rows arrive. The CSV follows RFC 4180, except that lines end in a line feed
alone. Cells are quoted only where necessary, and null is written as an empty cell.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from datetime import date
from functools import lru_cache
from io import IOBase
from operator import itemgetter
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from defectors_data.models.columns import RowModel, columns
from defectors_data.models.tables import ONLY_WITH_ROWS, ONLY_WITH_VALUES, ROW_OF
from defectors_data.package.cells import (
    PARQUET_OPTIONS,
    ROW_GROUP,
    FileDigest,
    cell_text,
    pandas_metadata,
)
from defectors_data.package.filesystem import NewFile
from defectors_data.package.tables_reader import PackageTables, Row

MOST_WAITING = 64
"""Maximum number of small tables before they are merged: each takes more memory than its rows."""


class WrittenTable(NamedTuple):
    """The row count and columns of a written table, and its CSV and Parquet files."""

    rows: int
    columns: tuple[str, ...]
    csv: FileDigest
    parquet: FileDigest


Column: TypeAlias = Any
"""An Arrow array, of strings unless stated otherwise."""


Open = Callable[[str], NewFile]
"""A function that creates a file, given its path in the package."""


class TableWriter:
    """A writer of one table; rows are written in the order in which they arrive."""

    def __init__(self, name: str, schema: pa.Schema, open_: Open) -> None:
        """Open the files of a table and write the header."""
        self.schema = schema.with_metadata({"pandas": json.dumps(pandas_metadata(schema))})
        options = {key: value for key, value in PARQUET_OPTIONS.items() if key != "row_group_size"}
        # If the second file or the writer cannot be opened, the files opened before it are closed.
        with ExitStack() as opened:
            self.csv = open_(f"data/{name}.csv")
            opened.callback(self.csv.close)
            self.parquet = open_(f"data/{name}.parquet")
            opened.callback(self.parquet.close)
            file = pa.PythonFile(cast(IOBase, self.parquet), mode="w")
            self.writer = pq.ParquetWriter(file, self.schema, **options)
            opened.pop_all()
        self.rows = 0
        self.waiting: list[pa.Table] = []
        self.number_waiting = 0
        self.csv.add((",".join(schema.names) + "\n").encode())

    def take(self, table: pa.Table) -> None:
        """Add rows, and write every row group that is complete."""
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
        rows = rows.combine_chunks()
        for batch in rows.to_batches():
            self.csv.add(as_csv([text_of(column) for column in batch.columns]))
        # The cast only adds the metadata of the schema.
        self.writer.write_table(rows.cast(self.schema), row_group_size=ROW_GROUP)
        self.rows += rows.num_rows

    def close(self) -> WrittenTable:
        """Write the remaining rows, close the files, and return their sizes and hashes."""
        rows = pa.concat_tables(self.waiting) if self.waiting else self.schema.empty_table()
        if rows.num_rows or not self.rows:
            self._write(rows)
        self.waiting = []
        self.abandon()
        csv = FileDigest(self.csv.size, self.csv.sha256)
        parquet = FileDigest(self.parquet.size, self.parquet.sha256)
        return WrittenTable(self.rows, tuple(self.schema.names), csv, parquet)

    def abandon(self) -> None:
        """Close the files without writing the remaining rows."""
        self.writer.close()
        self.csv.close()
        self.parquet.close()


# ---- CSV, by column ------------------------------------------------------------------------------

# Declared, because mypy does not know the parameters of these pyarrow functions.
_joined: Callable[..., Column] = pc.binary_join_element_wise
_joined_lists: Callable[..., Column] = pc.binary_join
_replaced: Callable[..., Column] = pc.replace_with_mask


def text_of(column: Column) -> Column:
    """Return the CSV texts of a column; null stays null."""
    if pa.types.is_string(column.type):
        return _quoted(column)
    if pa.types.is_floating(column.type):
        # A column has few distinct numbers; each is converted once.
        encoded = column.dictionary_encode()
        texts = [cell_text(value) for value in encoded.dictionary.to_pylist()]
        return pa.array(texts, pa.string()).take(encoded.indices)
    return column.cast(pa.string())


def as_csv(columns: list[Column]) -> memoryview:
    """Return columns of quoted texts as lines of CSV in UTF-8; null becomes an empty cell."""
    *cells, last = (column.fill_null("") for column in columns)
    # The last argument is the separator, so the line feed has to be part of the last cell.
    lines = _joined(*cells, _joined(last, "\n", ""), ",")
    all_lines = pa.ListArray.from_arrays(pa.array([0, len(lines)], pa.int32()), lines)
    [whole] = _joined_lists(all_lines, "")
    return memoryview(whole.as_buffer())


_SPECIAL = '[",\n\r]'


def _quoted(texts: Column) -> Column:
    """Return texts, with quotation marks around those that require them."""
    # One search in all cells at once.
    if not re.search(_SPECIAL.encode(), texts.buffers()[2] or b""):
        return texts
    needed = pc.match_substring_regex(texts, _SPECIAL)
    chosen = pc.replace_substring(texts.filter(needed), '"', '""')
    return _replaced(texts, needed, _joined('"', chosen, '"', ""))


# ---- rows as Arrow tables ---------------------------------------------------------------------

_ARROW_TYPES: dict[type, pa.DataType] = {
    str: pa.string(),
    int: pa.int64(),
    float: pa.float64(),
    bool: pa.bool_(),
    date: pa.date32(),
}


@lru_cache
def arrow_schema(row: type[RowModel]) -> pa.Schema:
    """Return the Arrow schema of a row model, with each column's description and unit."""
    fields = []
    for column in columns(row):
        metadata = {"description": column.description}
        if column.unit:
            metadata["unit"] = column.unit
        arrow_type = _ARROW_TYPES[column.type]
        fields.append(
            pa.field(column.name, arrow_type, nullable=column.nullable, metadata=metadata)
        )
    return pa.schema(fields)


def unused_columns(tables: PackageTables) -> frozenset[str]:
    """Return the columns that a package does not have, as table.column.

    They are in `ONLY_WITH_VALUES`, or in tables of `ONLY_WITH_ROWS`.
    """
    unused = list[str]()
    for table in ONLY_WITH_ROWS:
        if not tables.has(table):
            unused += [f"{table}.{column}" for column in ROW_OF[table].model_fields]
    for group in ONLY_WITH_VALUES:
        if not any(tables.has_values(*column.split(".")) for column in group):
            unused += group
    return frozenset(unused)


def schema_without(name: str, unused: frozenset[str]) -> pa.Schema:
    """Return the Arrow schema of a table without unused columns."""
    schema = arrow_schema(ROW_OF[name])
    return pa.schema([field for field in schema if f"{name}.{field.name}" not in unused])


def without_provenance(batch: pa.RecordBatch, name: str, unused: frozenset[str]) -> pa.Table:
    """Return rows of a table; those of `provenance` without what they say of unused columns."""
    rows = pa.Table.from_batches([batch])
    if name != "provenance":
        return rows
    # The id of a row that describes a column is table.column.
    is_unused = pc.is_in(rows["provenance_id"], value_set=pa.array(sorted(unused), pa.string()))
    rows = rows.filter(pc.invert(is_unused))
    # Columns are listed as `speakers.branch; ` or, with the column of a join, `... = term; `. An
    # unused column is never the last one.
    pattern = rf"\b({'|'.join(sorted(unused))})( = \w+)?; "
    for column in ("inputs", "joined_on"):
        number = rows.column_names.index(column)
        shorter = pc.replace_substring_regex(rows[column], pattern, "")
        rows = rows.set_column(number, rows.field(number), shorter)
    return rows


def arrow(name: str, rows: Sequence[Row]) -> pa.Table:
    """Return rows as the Arrow table of the given name; cells are matched with columns by name.

    Raises:
        ValueError: a row has other keys than the columns of its model.
    """
    schema = arrow_schema(ROW_OF[name])
    names = set(schema.names)
    for row in rows:
        if row.keys() != names:
            raise ValueError(f"a row of {name} has other keys than its model")
    arrays = []
    for field in schema:
        cells = [row[field.name] for row in rows]
        arrays.append(pa.array(cells, field.type))
    return pa.Table.from_arrays(arrays, schema=schema)


def merged(name: str, tables: Sequence[pa.Table]) -> pa.Table:
    """Return several tables of the same name as one, with the rows in the declared order."""
    order: list[tuple[str, Literal["ascending", "descending"]]]
    order = [(column, "ascending") for column in ROW_OF[name].TABLE.order]
    # One chunk, so that the bytes of a file do not depend on the batches.
    return pa.concat_tables([arrow(name, []), *tables]).sort_by(order).combine_chunks()


def ordered(name: str, found: Iterable[Row]) -> list[Row]:
    """Return rows in the declared order of their table; rows without `source_id` come first."""
    order = ROW_OF[name].TABLE.order
    of_order = itemgetter(*order)
    # In this table, `source_id` may be null, and None cannot be compared with text.
    if name == "speakers":
        return sorted(found, key=lambda row: tuple(cell or "" for cell in of_order(row)))
    return sorted(found, key=of_order)
