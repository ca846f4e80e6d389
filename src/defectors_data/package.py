"""The files of the data package: each table as CSV and as Parquet, and `datapackage.json`, all as bytes.

Data Package standard, version 2. A Parquet file is a resource without `type`, so that a frictionless without extras
checks its bytes and no more; that it equals the CSV is proved here, cell by cell, for every package before it is
published.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from defectors_data import validation
from defectors_data.formats import MEDIA_TYPES, Written, cells, csv_cells, logical_hash, to_csv, to_parquet
from defectors_data.models import Contributor, Dataset
from defectors_data.rows import ROWS, Row, listed, sentence
from defectors_data.schemas import encoded, table_schema

PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json"
DESCRIPTOR = "datapackage.json"


class NotValid(Exception):
    """The package that was built is not valid: a fault of this program, since what people wrote was checked."""


def data_files(tables: Mapping[str, pa.Table]) -> dict[str, bytes]:
    """Return the files of the tables by their paths: each as CSV, then each as Parquet."""
    data = {f"data/{name}.csv": to_csv(table) for name, table in tables.items()}
    return data | {f"data/{name}.parquet": to_parquet(table) for name, table in tables.items()}


def files(
    dataset: Dataset,
    tables: Mapping[str, pa.Table],
    data: Mapping[str, bytes],
    extra: Mapping[str, tuple[str, bytes]],
    *,
    created: str,
) -> dict[str, bytes]:
    """Return every file of the package by its path: data, extra files and the descriptor.

    `data` are the files of the tables; `extra` gives further files by path, each with its media type. `created` is a
    time in RFC 3339.
    """
    data = {**data, **{path: content for path, (_, content) in extra.items()}}
    held = Held(
        hashes={name: logical_hash(table.column_names, cells(table)) for name, table in tables.items()},
        files={path: Written.of(content) for path, content in data.items()},
        media_types={path: media_type for path, (media_type, _) in extra.items()},
        sources=[_source(row) for row in tables["sources"].to_pylist()],
    )
    return {**data, DESCRIPTOR: encoded(descriptor(dataset, held, created=created))}


class Held(NamedTuple):
    """What a package holds, as its descriptor tells it."""

    hashes: Mapping[str, str | None]
    """The logical hash of each table, by name; None where it has none."""
    files: Mapping[str, Written]
    """Every file, by path, but the descriptor."""
    media_types: Mapping[str, str]
    """The files that are no tables, by path."""
    sources: list[dict[str, str]]
    """The sources, as the Data Package standard describes them."""
    unordered: Collection[str] = ()
    """Tables whose rows do not stand in the order of their columns, but in that of their sources."""
    parts: Mapping[str, Sequence[str]] = MappingProxyType({})
    """The part files of those files that are in parts, by path; `files` tells what they are one behind the other."""


MOST_ROWS = 100_000
"""Rows in all tables up to which frictionless itself validates a package; above, it is done with DuckDB."""


def inspect(folder: Path, *, most_rows: int = MOST_ROWS) -> None:
    """Validate a finished package with frictionless, and prove that each Parquet file holds the cells of its CSV.

    A package of more rows than `most_rows` is validated with DuckDB, with the same verdict: the cells of CSV and
    Parquet are compared with each other, and the logical hash is left as the build stated it.

    Raises:
        NotValid: there is a fault; the message lists where the first of them are, and no cell.
    """
    descriptor = json.loads((folder / DESCRIPTOR).read_text(encoding="utf-8"))
    if _rows(folder, descriptor) > most_rows:
        faults = [str(fault) for fault in validation.validate(folder).faults]
    else:
        faults = [*_unequal(folder, descriptor), *_not_valid(folder, descriptor)]
    if faults:
        raise NotValid("; ".join(faults[:5]))


def _rows(folder: Path, descriptor: dict[str, Any]) -> int:
    """Return how many rows the tables have in all, as their Parquet files say."""
    parquets = [resource for resource in descriptor["resources"] if resource["format"] == "apache-parquet"]
    files = [path for resource in parquets for path in _listed(resource["path"])]
    rows = 0
    for path in files:
        opened = os.open(
            folder / path, os.O_RDONLY | os.O_CLOEXEC
        )  # pyarrow cannot, where a locale has no such letters
        with os.fdopen(opened, "rb") as file:
            rows += pq.read_metadata(file).num_rows
    return rows


def _listed(path: str | list[str]) -> list[str]:
    return [path] if isinstance(path, str) else path


def _unequal(folder: Path, descriptor: dict[str, Any]) -> Iterator[str]:
    """Name the files whose cells, as a reader gets them, are not those of the table that was built."""
    for resource in descriptor["resources"]:
        if "logicalHash" not in resource:
            continue
        content = (folder / resource["path"]).read_bytes()
        if resource["format"] == "csv":
            columns = [field["name"] for field in resource["schema"]["fields"]]
            read = logical_hash(columns, csv_cells(content))
        else:
            table = pq.read_table(pa.BufferReader(content))
            read = logical_hash(table.column_names, cells(table))
        if read != resource["logicalHash"]:
            yield f"{resource['path']}: its cells are not those of the table"


def _not_valid(folder: Path, descriptor: dict[str, Any]) -> Iterator[str]:
    """Name the places where frictionless finds a fault."""
    import frictionless  # noqa: PLC0415  # slow, and needed here alone

    report = frictionless.Package.from_descriptor(descriptor, basepath=str(folder)).validate()
    for task in report.tasks:
        for error in task.errors:
            row, column = getattr(error, "row_number", "?"), getattr(error, "field_name", "?")
            yield f"{task.name}, row {row}, {column}: {error.type}"
    if report.errors:
        yield "the descriptor is at fault"


# ---- the descriptor ----------------------------------------------------------------------------------------

_DIALECT = {"header": True, "delimiter": ",", "lineTerminator": "\n", "quoteChar": '"', "doubleQuote": True}


def descriptor(dataset: Dataset, held: Held, *, created: str) -> dict[str, Any]:
    """Return the descriptor of a package; `created` is a time in RFC 3339."""
    described = [row for row in ROWS if row.TABLE.name in held.hashes]
    resources = [_csv_resource(row, held) for row in described]
    resources += [_parquet_resource(row, held) for row in described]
    resources += [_file_resource(path, held) for path in held.media_types]
    return {
        "$schema": PROFILE,
        "name": dataset.name,
        "title": dataset.title,
        "description": dataset.summary.strip(),
        **({"homepage": dataset.homepage} if dataset.homepage else {}),
        **({"id": f"https://doi.org/{dataset.doi}"} if dataset.doi else {}),
        "version": dataset.version,
        "created": created,
        "licenses": [dataset.licence.model_dump()],
        "sources": held.sources,
        "contributors": [_contributor(c) for c in dataset.contributors],
        "keywords": list(dataset.keywords),
        "resources": resources,
    }


def _source(row: Mapping[str, Any]) -> dict[str, str]:
    """Return an article as a source of the package: what the text itself tells of its publication."""
    parts = [row["title"], row["outlet"], row["published"]]
    return {"title": ", ".join(part for part in parts if part)}


def _contributor(contributor: Contributor) -> dict[str, Any]:
    names = {"givenName": contributor.given, "familyName": contributor.family}
    said = {key: name for key, name in names.items() if name}
    return {"title": contributor.title, **said, "roles": list(contributor.roles)}


def _csv_resource(row: type[Row], held: Held) -> dict[str, Any]:
    name, path = row.TABLE.name, f"data/{row.TABLE.name}.csv"
    by_source = name in held.unordered
    order = "the order of their sources" if by_source else f"ordered by {listed(row.TABLE.order)}"
    return {
        "name": name,
        "type": "table",
        "title": row.TABLE.title,
        "description": f"{sentence(row)} Rows are {'in ' if by_source else ''}{order}.",
        "path": held.parts.get(path, path),
        "format": "csv",
        "mediatype": MEDIA_TYPES["csv"],
        "encoding": "utf-8",
        "dialect": _DIALECT,
        "schema": table_schema(row),
        "orderedBy": [] if by_source else list(row.TABLE.order),
        **_logical(held, name),
        **_proof(held.files[path]),
    }


def _logical(held: Held, name: str) -> dict[str, str]:
    return {"logicalHash": logical} if (logical := held.hashes[name]) else {}


def _parquet_resource(row: type[Row], held: Held) -> dict[str, Any]:
    name, path = row.TABLE.name, f"data/{row.TABLE.name}.parquet"
    return {
        "name": f"{name}-parquet",
        "title": f"{row.TABLE.title} as Parquet",
        "description": f"The same rows and columns as {name}, cell by cell.",
        "path": held.parts.get(path, path),
        "format": "apache-parquet",
        "mediatype": MEDIA_TYPES["parquet"],
        "alternateOf": name,
        **_logical(held, name),
        **_proof(held.files[path]),
    }


def _file_resource(path: str, held: Held) -> dict[str, Any]:
    stem, _, ending = path.lower().partition(".")
    return {
        "name": stem.replace("/", "-"),
        "path": path,
        "format": ending,
        "mediatype": held.media_types[path],
        **_proof(held.files[path]),
    }


def _proof(written: Written) -> dict[str, Any]:
    return {"bytes": written.size, "hash": f"sha256:{written.sha256}"}
