"""How a cell is written: its text in a CSV, and the options of the Parquet writer.

A cell has one text, so the bytes of a CSV depend on its cells alone. Every option of a writer is named, because the
same inputs must give the same bytes.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pyarrow as pa


import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from defectors_data.package.tables_reader import Tables

Cells = list[str | None]
"""A row of a table as texts; null is None."""

MEDIA_TYPES = {
    ".csv": "text/csv",
    ".parquet": "application/vnd.apache.parquet",
    ".md": "text/markdown",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".py": "text/x-python",
    ".json": "application/ld+json",
}
"""By the ending of a file; the descriptor, which is other JSON, lists itself nowhere."""


class Written(NamedTuple):
    """What a file contains: how much, and the hash of it."""

    size: int
    """In bytes."""
    sha256: str
    """In lower-case hexadecimal."""

    @classmethod
    def of(cls, content: bytes) -> Written:
        """Return what a file of these bytes contains."""
        return cls(len(content), hashlib.sha256(content).hexdigest())


def csv_cells(lines: Iterable[str]) -> Iterator[Cells]:
    """Give the rows of a CSV as texts, its header first; an empty cell is None.

    `lines` is the CSV, opened with `newline=""`.
    """
    return ([cell or None for cell in row] for row in csv.reader(lines, strict=True))


def cell_text(value: object) -> str | None:
    """Return the text of a cell, as its CSV has it before quoting; null is None."""
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case float():
            return str(int(value)) if value.is_integer() else repr(value)
        case date():
            return value.isoformat()
        case _:
            return str(value)


ROW_GROUP = 8 * 1024
"""Rows in each row group of a Parquet file but the last."""

PARQUET_OPTIONS: dict[str, Any] = {
    "row_group_size": ROW_GROUP,
    "version": "2.6",
    "use_dictionary": True,
    "compression": "zstd",
    "write_statistics": True,
    "use_deprecated_int96_timestamps": False,
    "coerce_timestamps": None,
    "allow_truncated_timestamps": False,
    "data_page_size": 1024 * 1024,
    "flavor": None,
    "filesystem": None,
    "compression_level": 3,
    "use_byte_stream_split": False,
    "column_encoding": None,
    "data_page_version": "1.0",
    "use_compliant_nested_type": True,
    "encryption_properties": None,
    "write_batch_size": 1024,
    "dictionary_pagesize_limit": 1024 * 1024,
    "store_schema": True,
    "write_page_index": False,
    "write_page_checksum": True,
    "sorting_columns": None,
    "store_decimal_as_integer": False,
    "write_time_adjusted_to_utc": False,
    "max_rows_per_page": 20_000,
    "bloom_filter_options": None,
    "use_content_defined_chunking": False,
}
"""Every option of `pyarrow.parquet.write_table`, so that none is left to a default that may change."""


def for_pandas(schema: pa.Schema) -> dict[str, Any]:
    """Return what pandas reads to restore nullable integers as `Int64` and booleans as `boolean`.

    The layout is that of pandas' developer documentation, "Storing pandas DataFrame objects in Apache Parquet".
    """
    import pyarrow as pa  # noqa: PLC0415  # slow to import, and a check needs none

    types = {
        pa.string(): ("unicode", "object"),
        pa.int64(): ("int64", "Int64"),
        pa.float64(): ("float64", "float64"),
        pa.bool_(): ("bool", "boolean"),
        pa.date32(): ("date", "object"),
    }
    return {
        "index_columns": [],
        "column_indexes": [],
        "columns": [
            {
                "name": field.name,
                "field_name": field.name,
                "pandas_type": types[field.type][0],
                "numpy_type": types[field.type][1],
                "metadata": None,
            }
            for field in schema
        ],
        "creator": {"library": "pyarrow", "version": pa.__version__},
        "pandas_version": "2.2.0",
    }


# ---- spreadsheets ------------------------------------------------------------------------------------------------


FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet takes for a formula (OWASP, CSV Injection)."""

MOST_NAMED = 20
"""Cells that are named one by one."""


def advice(tables: Tables) -> list[str]:
    """Return lines that name the text cells that begin like a formula; none where there are none.

    A row is named by its first column, which is its key.
    """
    number, named = 0, list[str]()
    for name in sorted(tables.names):
        for batch in tables.batches(name):
            cells = sorted(_cells(batch))
            number += len(cells)
            named += [f"    {name}.csv: {column} of {key}" for key, column in cells[: MOST_NAMED - len(named)]]
    if not number:
        return []
    begin = "1 published cell begins" if number == 1 else f"{number} published cells begin"
    more = [f"    and {number - MOST_NAMED} more"] if number > MOST_NAMED else []
    return [f"{begin} like a formula. In a spreadsheet, import the CSV with every column as text:", *named, *more]


def _cells(batch: pa.RecordBatch) -> Iterator[tuple[str, str]]:
    """Give the key and the column of each text cell that begins like a formula."""
    import pyarrow as pa  # noqa: PLC0415  # slow to import, and a check needs none
    import pyarrow.compute as pc  # noqa: PLC0415

    for column, cells in zip(batch.schema.names, batch.columns, strict=True):
        if pa.types.is_string(cells.type):
            begin = pc.match_substring_regex(cells, f"^[{re.escape(''.join(FORMULA))}]")
            yield from ((str(key), column) for key in batch.column(0).filter(begin).to_pylist())
