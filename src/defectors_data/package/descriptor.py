"""The descriptor of the data package, `datapackage.json`, and the inspection of a finished package.

Data Package standard, version 2. A Parquet file is a resource without `type`, so that frictionless without extras
checks only its bytes. Before a package is published, each Parquet file is compared here with its CSV, cell by cell.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from defectors_data.models.fields import edtf_bounds
from defectors_data.models.project import Contributor, Dataset
from defectors_data.models.schemas import table_schema
from defectors_data.models.tables import ROWS, RowModel, listed, sentence
from defectors_data.package import validation
from defectors_data.package.cells import MEDIA_TYPES, FileDigest, cell_text, csv_cells, media_type
from defectors_data.package.published_folder import DESCRIPTOR, PROFILE
from defectors_data.package.tables_reader import MOST_LISTED, PackageTables

if TYPE_CHECKING:
    from defectors_data.package.tables_writer import WrittenTable


class InvalidPackageError(Exception):
    """The package is not valid. This is a bug in this program, because the annotations were checked before."""


class PackageContents(NamedTuple):
    """The contents of a package, for its descriptor."""

    tables: Mapping[str, WrittenTable]
    """The tables that were written, by name."""
    others: Mapping[str, FileDigest]
    """The other files by path, except the descriptor."""
    sources: list[dict[str, str]]
    """The sources, as the Data Package standard describes them."""
    left_out: str = ""
    """A sentence that says which tables are left out, and why; "" if the package is complete."""


MOST_ROWS = 100_000
"""Maximum number of rows in all tables for validation with frictionless; larger packages are validated with DuckDB."""

_MEMORY_LIMIT = "64MB"
"""Memory that DuckDB may use during a build before it writes to a temporary folder."""


def inspect(folder: Path, *, most_rows: int = MOST_ROWS) -> None:
    """Validate a finished package with frictionless, and compare each Parquet file with its CSV cell by cell.

    A package with more than `most_rows` rows is validated with DuckDB, with the same result.

    Raises:
        InvalidPackageError: the package has faults; the message lists the first five without the content of cells.
    """
    descriptor = json.loads((folder / DESCRIPTOR).read_text(encoding="utf-8"))
    if _rows(folder, descriptor) > most_rows:
        # In a separate process: DuckDB takes more memory than the build, and keeps it until its process ends.
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            report = process.submit(validation.validate, folder, memory_limit=_MEMORY_LIMIT).result()
        faults = [str(fault) for fault in report.faults]
    else:
        faults = [*_unequal(folder, descriptor), *_not_valid(folder, descriptor)]
    refuse(faults)


def refuse(faults: Sequence[str]) -> None:
    """Raise `InvalidPackageError` with the first five faults, if there are any."""
    if faults:
        raise InvalidPackageError("; ".join(faults[:5]))


def _rows(folder: Path, descriptor: dict[str, Any]) -> int:
    names = [resource["name"] for resource in descriptor["resources"] if resource.get("type") == "table"]
    tables = PackageTables(folder, names)
    return sum(map(tables.number, names))


def _unequal(folder: Path, descriptor: dict[str, Any]) -> Iterator[str]:
    """Yield the tables whose CSV and Parquet differ, with the first row that differs."""
    for resource in descriptor["resources"]:
        if resource.get("type") == "table":
            name = resource["name"]
            tables = PackageTables(folder, [name])
            opened = os.open(folder / resource["path"], os.O_RDONLY | os.O_CLOEXEC)
            with os.fdopen(opened, encoding="utf-8", newline="") as file:
                cells = ([cell_text(cell) for cell in row.values()] for row in tables.rows(name))
                # A missing row is None, which differs from any row.
                pairs = zip_longest(csv_cells(file), chain([tables.columns(name)], cells))
                number = next((i for i, (one, other) in enumerate(pairs, start=1) if one != other), None)
            if number is not None:
                yield f"{name}, row {number}: CSV and Parquet differ"


def _not_valid(folder: Path, descriptor: dict[str, Any]) -> Iterator[str]:
    """Yield the places where frictionless finds an error."""
    import frictionless  # noqa: PLC0415  # slow to import

    report = frictionless.Package.from_descriptor(descriptor, basepath=str(folder)).validate()
    for task in report.tasks:
        for error in task.errors:
            row, column = getattr(error, "row_number", "?"), getattr(error, "field_name", "?")
            yield f"{task.name}, row {row}, {column}: {error.type}"
    if report.errors:
        yield "the descriptor is not valid"


# ---- the descriptor ----------------------------------------------------------------------------------------

_DIALECT = {"header": True, "delimiter": ",", "lineTerminator": "\n", "quoteChar": '"', "doubleQuote": True}


def descriptor(dataset: Dataset, contents: PackageContents, *, created: str) -> dict[str, Any]:
    """Return the descriptor of a package; `created` is a time in RFC 3339."""
    described = [row for row in ROWS if row.TABLE.name in contents.tables]
    resources = [_csv_resource(row, contents.tables[row.TABLE.name].csv) for row in described]
    resources += [_parquet_resource(row, contents.tables[row.TABLE.name].parquet) for row in described]
    resources += [_file_resource(path, written) for path, written in contents.others.items()]
    return {
        "$schema": PROFILE,
        "name": dataset.name,
        "title": dataset.title,
        "description": "\n\n".join(filter(None, (dataset.summary.strip(), contents.left_out))),
        **({"homepage": dataset.homepage} if dataset.homepage else {}),
        "id": f"https://doi.org/{dataset.doi}" if dataset.doi else _content_id(contents),
        "version": dataset.version,
        "created": created,
        "licenses": [dataset.licence.model_dump()],
        "sources": contents.sources,
        "contributors": [_contributor(c) for c in dataset.contributors],
        "keywords": list(dataset.keywords),
        "temporal": _period(dataset.coverage.time),
        "spatial": [{"name": place} for place in dataset.coverage.places],
        "resources": resources,
    }


def _content_id(contents: PackageContents) -> str:
    """Return a UUID (RFC 9562, version 5) that is the same for two packages if and only if their tables are equal."""
    # Only CSV files count: Parquet files have the same cells, and documents may be reworded.
    sums = "".join(f"{name} {table.csv.sha256}\n" for name, table in contents.tables.items())
    return uuid.uuid5(uuid.UUID(int=0), sums).urn


def _period(time: str) -> dict[str, str]:
    """Return an EDTF date with its earliest and latest possible days; an open end is left out."""
    bounds = {"start": edtf_bounds(time).first, "end": edtf_bounds(time).last}
    return {"name": time, **{end: day.isoformat() for end, day in bounds.items() if day}}


def sources(tables: PackageTables) -> list[dict[str, str]]:
    """Return the property `sources`: title, outlet and date of the first `MOST_LISTED` articles, and how many more."""
    columns = ["title", "outlet", "published"]
    found = [
        {"title": ", ".join(row[name] for name in columns if row[name])}
        for row in islice(tables.rows("sources", columns), MOST_LISTED)
    ]
    more = tables.number("sources") - len(found)
    return [*found, {"title": f"and {more:,} more: the table `sources` has a row for each"}] if more else found


def _contributor(contributor: Contributor) -> dict[str, Any]:
    names = {"givenName": contributor.given, "familyName": contributor.family}
    stated = {key: name for key, name in names.items() if name}
    return {"title": contributor.title, **stated, "roles": list(contributor.roles)}


def _csv_resource(row: type[RowModel], written: FileDigest) -> dict[str, Any]:
    table = row.TABLE
    return {
        "name": table.name,
        "type": "table",
        "title": table.title,
        "description": f"{sentence(row)} Rows are ordered by {listed(table.order)}.",
        "path": f"data/{table.name}.csv",
        "format": "csv",
        "mediatype": MEDIA_TYPES[".csv"],
        "encoding": "utf-8",
        "dialect": _DIALECT,
        "schema": table_schema(row),
        "orderedBy": list(table.order),
        **_checksum(written),
    }


def _parquet_resource(row: type[RowModel], written: FileDigest) -> dict[str, Any]:
    table = row.TABLE
    return {
        "name": f"{table.name}-parquet",
        "title": f"{table.title} as Parquet",
        "description": f"The same rows and columns as {table.name}, cell by cell.",
        "path": f"data/{table.name}.parquet",
        "format": "apache-parquet",
        "mediatype": MEDIA_TYPES[".parquet"],
        "alternateOf": table.name,
        **_checksum(written),
    }


def _file_resource(path: str, written: FileDigest) -> dict[str, Any]:
    stem, _, ending = path.lower().partition(".")  # the standard recommends lower case
    return {
        "name": stem.replace("/", "-"),
        "path": path,
        "format": ending or "txt",
        "mediatype": media_type(path),
        **_checksum(written),
    }


def _checksum(written: FileDigest) -> dict[str, Any]:
    return {"bytes": written.size, "hash": f"sha256:{written.sha256}"}
