"""The format of cells: their text in CSV, and the options of the Parquet writer.

The same cells must always produce the same bytes, so each value has exactly one text, and every
option of the writer is set.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pyarrow as pa

    from defectors_data.package.tables_reader import PackageTables

Cells = list[str | None]
"""A row of a CSV as texts; null is None."""

MEDIA_TYPES = {
    ".csv": "text/csv",
    ".parquet": "application/vnd.apache.parquet",
    ".md": "text/markdown",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".py": "text/x-python",
    ".json": "application/ld+json",
    ".jsonld": "application/ld+json",
    ".qdc": "application/xml",
    ".cff": "application/yaml",
    ".ttl": "text/turtle",
    "": "text/plain",
}
"""Media types by file extension."""


def media_type(path: str) -> str:
    """Return the media type of a file; JSON files are JSON-LD, except the one on agreement."""
    if path == "agreement.json":
        return "application/json"
    return MEDIA_TYPES[PurePosixPath(path).suffix]


class FileDigest(NamedTuple):
    """The size in bytes of a file, and its SHA-256 in lower-case hexadecimal."""

    size: int
    sha256: str

    @classmethod
    def of(cls, content: bytes) -> FileDigest:
        """Return the size and hash of these bytes."""
        return cls(len(content), hashlib.sha256(content).hexdigest())


def csv_cells(lines: Iterable[str]) -> Iterator[Cells]:
    """Yield the header and then the rows of a CSV file opened with `newline=""`.

    An empty cell is None.
    """
    for row in csv.reader(lines, strict=True):
        yield [cell or None for cell in row]


def csv_rows(folder: Path, table: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a published table from its CSV file, with cells as text.

    Raises:
        OSError: the file cannot be read.
        ValueError: it is not UTF-8.
        csv.Error: it is not CSV.
    """
    text = (folder / f"data/{table}.csv").read_bytes().decode("utf-8-sig")
    yield from csv.DictReader(io.StringIO(text, newline=""), strict=True)


def joined(items: Iterable[str]) -> str | None:
    """Return the cell of a list: its items, joined by `;`; null for none."""
    return ";".join(items) or None


def cells_of(record: object, *names: str) -> dict[str, Any]:
    """Return columns that repeat fields of a record, or null where its model has no such field."""
    values = vars(record)  # much faster than `getattr` with a default
    return {name: values.get(name) for name in names}


def cell_text(value: object) -> str | None:
    """Return the CSV text of a value, before quoting; None, which is null, stays None."""
    match value:
        case None:
            return None
        case bool():
            return "true" if value else "false"
        case float():
            # `repr` returns the fewest digits that are read back as the same number.
            return str(int(value)) if value.is_integer() else repr(value)
        case date():
            return value.isoformat()
        case _:
            return str(value)


_PLAIN_DATE = re.compile("[0-9]{4}(-[0-9]{2}){0,2}")


def edtf_cell(date: str | None) -> str | None:
    """Return an EDTF date as a cell: a day, month or year alone becomes an interval with itself.

    Otherwise, a tool would infer a type from the form of most cells, such as days, and refuse the
    others.
    """
    if date and _PLAIN_DATE.fullmatch(date):
        return f"{date}/{date}"
    return date


def single_date(cell: str) -> str:
    """Return the EDTF date that `edtf_cell` made into this cell."""
    first, _, last = cell.partition("/")
    return first if first == last else cell


ROW_GROUP = 8 * 1024
"""Rows in each row group of a Parquet file except the last."""

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
"""Every option of `pyarrow.parquet.write_table`, because versions of pyarrow differ in defaults."""


def pandas_metadata(schema: pa.Schema) -> dict[str, Any]:
    """Return the metadata from which pandas restores types such as `Int64` and `boolean`.

    Format: pandas developer documentation, "Storing pandas DataFrame objects in Apache Parquet
    format".
    """
    import pyarrow as pa  # noqa: PLC0415  # slow to import

    types = {
        pa.string(): ("unicode", "object"),
        pa.int64(): ("int64", "Int64"),
        pa.float64(): ("float64", "float64"),
        pa.bool_(): ("bool", "boolean"),
        pa.date32(): ("date", "object"),
    }
    columns = []
    for field in schema:
        kind, numpy = types[field.type]
        column = {"name": field.name, "field_name": field.name}
        columns.append({**column, "pandas_type": kind, "numpy_type": numpy, "metadata": None})
    creator = {"library": "pyarrow", "version": pa.__version__}
    return {
        "index_columns": [],
        "column_indexes": [],
        "columns": columns,
        "creator": creator,
        "pandas_version": "2.2.0",
    }


# ---- spreadsheets --------------------------------------------------------------------------------


FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a cell that a spreadsheet may read as a formula (OWASP, CSV Injection)."""

MAX_CELLS_LISTED = 20
"""Maximum number of cells listed individually; the rest are counted."""


def advice(tables: PackageTables) -> list[str]:
    """Return the lines of a warning about text cells that begin like a spreadsheet formula.

    There are no lines if there are no such cells. Each cell is identified by its table, its column
    and the key of its row, which is the first column.
    """
    number, listed = 0, list[str]()
    for name in sorted(tables.names):
        for batch in tables.batches(name):
            cells = sorted(_cells(batch))
            number += len(cells)
            for key, column in cells[: MAX_CELLS_LISTED - len(listed)]:
                listed.append(f"    {name}.csv: {column} of {key}")
    if not number:
        return []
    if number > MAX_CELLS_LISTED:
        listed.append(f"    and {number - MAX_CELLS_LISTED} more")
    begin = "1 published cell begins" if number == 1 else f"{number} published cells begin"
    to_do = "Import these CSV files into a spreadsheet with every column as text:"
    return [f"{begin} like a formula. {to_do}", *listed]


def _cells(batch: pa.RecordBatch) -> Iterator[tuple[str, str]]:
    """Yield the key and the column of each text cell that begins like a formula."""
    import pyarrow as pa  # noqa: PLC0415  # slow to import
    import pyarrow.compute as pc  # noqa: PLC0415

    for column, cells in zip(batch.schema.names, batch.columns, strict=True):
        # A negative number also begins with "-", but is not a formula.
        if pa.types.is_string(cells.type):
            begin = pc.match_substring_regex(cells, f"^[{re.escape(''.join(FORMULA))}]")
            if pc.any(begin).as_py():
                for key in batch.column(0).filter(begin).to_pylist():
                    yield str(key), column
