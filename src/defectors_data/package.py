"""The files of the data package: each table as CSV and as Parquet, and `datapackage.json`, all as bytes.

Data Package standard, version 2. A Parquet file is a resource without `type`, so that a frictionless without extras
checks its bytes and no more; that it equals the CSV is for the tests to prove. Every option of a writer is named,
because the same inputs must give the same bytes.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from defectors_data.models import Dataset
from defectors_data.rows import ROWS, Row, sentence
from defectors_data.schemas import encoded, table_schema

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
DESCRIPTOR = "datapackage.json"


class NotValid(Exception):
    """The package that was built is not valid: a fault of this program, since what people wrote was checked."""


def files(
    dataset: Dataset, tables: Mapping[str, pa.Table], extra: Mapping[str, tuple[str, bytes]], *, created: str
) -> dict[str, bytes]:
    """Return every file of the package by its path: data, extra files and the descriptor.

    `extra` gives further files by path, each with its media type. `created` is a time in RFC 3339.
    """
    data = {f"data/{name}.csv": to_csv(table) for name, table in tables.items()}
    data |= {f"data/{name}.parquet": to_parquet(table) for name, table in tables.items()}
    data |= {path: content for path, (_, content) in extra.items()}
    media_types = {path: media_type for path, (media_type, _) in extra.items()}
    return {**data, DESCRIPTOR: encoded(_descriptor(dataset, tables, data, media_types, created))}


def inspect(folder: Path) -> None:
    """Validate a finished package with frictionless.

    Raises:
        NotValid: frictionless found a fault; the message lists where the first of them are, and no cell.
    """
    import frictionless  # noqa: PLC0415  # slow, and needed here alone

    descriptor = json.loads((folder / DESCRIPTOR).read_text(encoding="utf-8"))
    report = frictionless.Package.from_descriptor(descriptor, basepath=str(folder)).validate()
    if not report.valid:
        faults = [(task.name, error) for task in report.tasks for error in task.errors]
        places = [
            f"{name}, row {getattr(error, 'row_number', '?')}, {getattr(error, 'field_name', '?')}: {error.type}"
            for name, error in faults
        ]
        raise NotValid("; ".join(places[:5]) or "the descriptor is at fault")


# ---- data --------------------------------------------------------------------------------------------------


def to_csv(table: pa.Table) -> bytes:
    """Return a table as CSV: UTF-8, header, comma, line feed, quoted where needed (RFC 4180); null is empty."""
    rows = [table.column_names, *([_cell(value) for value in row.values()] for row in table.to_pylist())]
    return "".join(map(_csv_row, rows)).encode()


def _csv_row(cells: list[str]) -> str:
    """Return a row that ends in a line feed; a lone carriage return in a cell is quoted like a line feed."""
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=",", quotechar='"', lineterminator="\r\n", quoting=csv.QUOTE_MINIMAL).writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float():
            return str(int(value)) if value.is_integer() else repr(value)
        case date():
            return value.isoformat()
        case _:
            return str(value)


def to_parquet(table: pa.Table) -> bytes:
    """Return a table as Parquet: zstd, one row group, descriptions on the fields, types that pandas restores."""
    out = pa.BufferOutputStream()
    pq.write_table(
        table.replace_schema_metadata({"pandas": json.dumps(_for_pandas(table.schema))}),
        out,
        version="2.6",
        compression="zstd",
        compression_level=9,
        data_page_version="1.0",
        use_dictionary=True,
        write_statistics=True,
        store_schema=True,
        write_page_index=False,
        row_group_size=1024 * 1024,
    )
    return bytes(out.getvalue().to_pybytes())


_PANDAS = {
    pa.string(): ("unicode", "object"),
    pa.int64(): ("int64", "Int64"),
    pa.float64(): ("float64", "float64"),
    pa.bool_(): ("bool", "boolean"),
    pa.date32(): ("date", "object"),
}


def _for_pandas(schema: pa.Schema) -> dict[str, Any]:
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


# ---- the descriptor ----------------------------------------------------------------------------------------

_DIALECT = {"header": True, "delimiter": ",", "lineTerminator": "\n", "quoteChar": '"', "doubleQuote": True}


def _descriptor(
    dataset: Dataset,
    tables: Mapping[str, pa.Table],
    data: Mapping[str, bytes],
    media_types: Mapping[str, str],
    created: str,
) -> dict[str, Any]:
    described = [row for row in ROWS if row.TABLE.name in tables]
    resources = [_csv_resource(row, data) for row in described]
    resources += [_parquet_resource(row, data) for row in described]
    resources += [_file_resource(path, media_types[path], data) for path in media_types]
    return {
        "$schema": PROFILE,
        "name": dataset.name,
        "title": dataset.title,
        "description": dataset.summary.strip(),
        "version": dataset.version,
        "created": created,
        "licenses": [dataset.licence.model_dump()],
        "sources": [_source(row) for row in tables["sources"].to_pylist()],
        "contributors": [{"title": c.title, "roles": list(c.roles)} for c in dataset.contributors],
        "keywords": list(dataset.keywords),
        "resources": resources,
    }


def _source(row: Mapping[str, Any]) -> dict[str, str]:
    """Return an article as a source of the package: what the text itself tells of its publication."""
    parts = [row["title"], row["outlet"], row["published"]]
    return {"title": ", ".join(part for part in parts if part)}


def _csv_resource(row: type[Row], data: Mapping[str, bytes]) -> dict[str, Any]:
    name, path = row.TABLE.name, f"data/{row.TABLE.name}.csv"
    return {
        "name": name,
        "type": "table",
        "title": row.TABLE.title,
        "description": f"{sentence(row)} Rows are ordered {row.TABLE.order}.",
        "path": path,
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "dialect": _DIALECT,
        "schema": table_schema(row),
        **_proof(data[path]),
    }


def _parquet_resource(row: type[Row], data: Mapping[str, bytes]) -> dict[str, Any]:
    name, path = row.TABLE.name, f"data/{row.TABLE.name}.parquet"
    return {
        "name": f"{name}-parquet",
        "title": f"{row.TABLE.title} as Parquet",
        "description": f"The same rows and columns as {name}, cell by cell.",
        "path": path,
        "format": "apache-parquet",
        "mediatype": "application/vnd.apache.parquet",
        "alternateOf": name,
        **_proof(data[path]),
    }


def _file_resource(path: str, media_type: str, data: Mapping[str, bytes]) -> dict[str, Any]:
    stem, _, ending = path.lower().partition(".")
    return {
        "name": stem.replace("/", "-"),
        "path": path,
        "format": ending,
        "mediatype": media_type,
        **_proof(data[path]),
    }


def _proof(content: bytes) -> dict[str, Any]:
    return {"bytes": len(content), "hash": f"sha256:{hashlib.sha256(content).hexdigest()}"}
