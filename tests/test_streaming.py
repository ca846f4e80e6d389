"""The bytes of a table's files depend on its rows alone, and its CSV is what Python's csv module writes."""

from __future__ import annotations

import csv
import inspect
import io
import itertools
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, strategies

from defectors_data.models.tables import ROW_OF
from defectors_data.package import filesystem
from defectors_data.package.cells import PARQUET_OPTIONS, ROW_GROUP, FileDigest, cell_text, csv_cells
from defectors_data.package.tables_writer import TableWriter, WrittenTable, arrow_schema, as_csv, text_of

TYPES = {"a": pa.int64(), "b": pa.string(), "c": pa.float64(), "d": pa.bool_(), "e": pa.date32()}
SCHEMA = pa.schema([pa.field(name, of) for name, of in TYPES.items()])
ROWS = strategies.tuples(
    strategies.none() | strategies.integers(-(2**63), 2**63 - 1),
    strategies.none()
    | strategies.text(strategies.sampled_from('a,"\n\r \té🙂'), min_size=1)
    | strategies.text(strategies.characters(codec="utf-8"), min_size=1),
    strategies.none() | strategies.floats(allow_nan=False, allow_infinity=False),
    strategies.none() | strategies.booleans(),
    strategies.none() | strategies.dates(),
)


def table_of(rows: Sequence[tuple[Any, ...]]) -> pa.Table:
    columns = zip(*rows, strict=True) if rows else [()] * len(SCHEMA)
    return pa.Table.from_arrays([pa.array(c, f.type) for c, f in zip(columns, SCHEMA, strict=True)], schema=SCHEMA)


def files_of(tables: Iterator[pa.Table] | Sequence[pa.Table]) -> tuple[bytes, bytes, WrittenTable]:
    """Return the CSV file and the Parquet file of tables that arrive one after the other."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "data").mkdir()
        writer = TableWriter("t", SCHEMA, lambda path: filesystem.NewFile(folder / path))
        for table in tables:
            writer.take(table)
        finished = writer.close()
        return (folder / "data/t.csv").read_bytes(), (folder / "data/t.parquet").read_bytes(), finished


def by_python(rows: Sequence[tuple[Any, ...]]) -> bytes:
    """Write a CSV by the csv module, which quotes a lone carriage return only if rows end in one."""
    lines = [",".join(SCHEMA.names) + "\n"]
    for row in rows:
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\r\n").writerow([cell_text(cell) or "" for cell in row])
        lines.append(out.getvalue().removesuffix("\r\n") + "\n")
    return "".join(lines).encode()


@given(strategies.lists(ROWS, max_size=20))
def test_a_csv_file_equals_the_output_of_the_csv_module(rows: list[tuple[Any, ...]]) -> None:
    written, parquet, finished = files_of([table_of(rows)])
    assert written == by_python(rows)
    assert finished == WrittenTable(len(rows), tuple(SCHEMA.names), FileDigest.of(written), FileDigest.of(parquet))
    header, *cells = csv_cells(io.StringIO(written.decode(), newline=""))
    assert header == SCHEMA.names
    assert cells == [[cell_text(cell) for cell in row] for row in rows]
    read = pq.read_table(pa.BufferReader(parquet)).to_pylist()
    assert [tuple(row.values()) for row in read] == rows


@given(strategies.lists(ROWS, max_size=12), strategies.lists(strategies.integers(0, 12), max_size=4))
def test_how_rows_arrive_changes_no_byte(rows: list[tuple[Any, ...]], cuts: list[int]) -> None:
    table, places = table_of(rows), [0, *sorted(cuts), len(rows)]
    pieces = [table.slice(start, max(0, end - start)) for start, end in itertools.pairwise(places)]
    assert files_of(pieces) == files_of([table])


@pytest.mark.parametrize("size", [1_000, ROW_GROUP - 1, ROW_GROUP, ROW_GROUP + 1, 30_000])
def test_row_groups_are_cut_at_a_number_of_rows(size: int) -> None:
    rows = [(i, None if i % 7 == 0 else f"row {i % 100}", i / 4, i % 2 == 0, date(2026, 1, 1)) for i in range(20_000)]
    table = table_of(rows)
    written, parquet, finished = files_of(table.slice(start, size) for start in range(0, len(rows), size))
    assert (written, parquet) == files_of([table])[:2]
    assert finished.rows == len(rows)
    groups = pq.ParquetFile(pa.BufferReader(parquet)).metadata
    sizes = [groups.row_group(i).num_rows for i in range(groups.num_row_groups)]
    assert sizes == [ROW_GROUP, ROW_GROUP, len(rows) - 2 * ROW_GROUP]


def test_a_table_without_rows_is_a_header() -> None:
    written, parquet, finished = files_of([])
    assert (written, finished.rows) == (b"a,b,c,d,e\n", 0)
    assert pq.read_table(pa.BufferReader(parquet)).num_rows == 0


def test_a_slice_is_written_as_its_own_rows() -> None:
    table = table_of([(1, 'x,\n"y"', 2.0, True, None), (None, None, 0.5, None, date(2019, 2, 3))])
    for start, line in enumerate([b'1,"x,\n""y""",2,true,\n', b",,0.5,,2019-02-03\n"]):
        [batch] = table.slice(start, 1).to_batches()
        assert bytes(as_csv([text_of(column) for column in batch.columns])) == line


def test_every_option_of_the_parquet_writer_is_named() -> None:
    taken = {*inspect.signature(pq.write_table).parameters, *inspect.signature(pq.ParquetWriter).parameters}
    assert taken - {"table", "where", "schema", "kwargs", "options", "writer_engine_version"} == PARQUET_OPTIONS.keys()


def test_an_abandoned_table_is_closed(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    writer = TableWriter("tombstones", arrow_schema(ROW_OF["tombstones"]), lambda p: filesystem.NewFile(tmp_path / p))
    writer.abandon()
    assert (tmp_path / "data/tombstones.csv").read_bytes() == b"record_table,record_id,date,reason_class\n"
