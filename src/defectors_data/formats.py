"""A table as CSV, as Parquet, and as one hash of its cells.

A cell has one text: that of its CSV. The logical hash is made of these texts, so it is the same whichever format, and
whichever version of a Parquet writer, the cells were read from. Every option of a writer is named, because the same
inputs must give the same bytes.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

Cells = list[str | None]
"""A row of a table as texts; null is None."""

MEDIA_TYPES = {"csv": "text/csv", "parquet": "application/vnd.apache.parquet"}
"""By the ending of a file."""


class Written(NamedTuple):
    """What a file holds: how much, and the hash of it."""

    size: int
    """In bytes."""
    sha256: str
    """In lower-case hexadecimal."""

    @classmethod
    def of(cls, content: bytes) -> Written:
        """Return what a file of these bytes holds."""
        return cls(len(content), hashlib.sha256(content).hexdigest())


def to_csv(table: pa.Table) -> bytes:
    """Return a table as CSV: UTF-8, header, comma, line feed, quoted where needed (RFC 4180); null is empty."""
    rows = [table.column_names, *([cell or "" for cell in row] for row in cells(table))]
    return "".join(map(_csv_row, rows)).encode()


def _csv_row(row: list[str]) -> str:
    """Return a row that ends in a line feed; a lone carriage return in a cell is quoted like a line feed."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=",", quotechar='"', lineterminator="\r\n", quoting=csv.QUOTE_MINIMAL).writerow(row)
    return out.getvalue().removesuffix("\r\n") + "\n"


def cells(table: pa.Table) -> Iterator[Cells]:
    """Give the rows of a table as texts."""
    return ([cell_text(value) for value in row.values()] for row in table.to_pylist())


def csv_cells(content: bytes) -> Iterator[Cells]:
    """Give the rows of a CSV without its header as texts, as `cells` gives those of the table it was made from."""
    lines = csv.reader(io.StringIO(content.decode(), newline=""), strict=True)
    next(lines)
    return ([cell or None for cell in row] for row in lines)


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


def logical_hash(columns: list[str], rows: Iterable[Cells]) -> str:
    """Return `sha256:` and the SHA-256, in lower-case hex, of a table's cells.

    What is hashed is one JSON array a line, the names of the columns first, then each row in order: UTF-8, no spaces,
    nothing but what JSON demands escaped, null for null, every other cell the text that the CSV has.
    """
    digest = hashlib.sha256()
    for row in [columns, *rows]:
        digest.update(json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n")
    return f"sha256:{digest.hexdigest()}"


PARQUET_OPTIONS: dict[str, Any] = {
    "row_group_size": 1024 * 1024,
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
    "compression_level": 9,
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


def to_parquet(table: pa.Table) -> bytes:
    """Return a table as Parquet: zstd, descriptions on the fields, types that pandas restores."""
    out = pa.BufferOutputStream()
    restored = table.replace_schema_metadata({"pandas": json.dumps(for_pandas(table.schema))})
    pq.write_table(restored, out, **PARQUET_OPTIONS)
    return bytes(out.getvalue().to_pybytes())


_PANDAS = {
    pa.string(): ("unicode", "object"),
    pa.int64(): ("int64", "Int64"),
    pa.float64(): ("float64", "float64"),
    pa.bool_(): ("bool", "boolean"),
    pa.date32(): ("date", "object"),
}


def for_pandas(schema: pa.Schema) -> dict[str, Any]:
    """Return what pandas reads to restore nullable integers as `Int64` and booleans as `boolean`.

    The layout is that of pandas' developer documentation, "Storing pandas DataFrame objects in Apache Parquet".
    """
    return {
        "index_columns": [],
        "column_indexes": [],
        "columns": [
            {
                "name": field.name,
                "field_name": field.name,
                "pandas_type": _PANDAS[field.type][0],
                "numpy_type": _PANDAS[field.type][1],
                "metadata": None,
            }
            for field in schema
        ],
        "creator": {"library": "pyarrow", "version": pa.__version__},
        "pandas_version": "2.2.0",
    }
