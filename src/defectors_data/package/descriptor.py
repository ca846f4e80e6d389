"""The descriptor of the data package, `datapackage.json`, and the inspection of a finished package.

The descriptor follows the Data Package standard, version 2. A Parquet file is a resource without
`type`, so that frictionless, if installed without extras, checks only its bytes.
"""

from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from defectors_data.models.columns import RowModel, sentence
from defectors_data.models.counts import listed
from defectors_data.models.fields import edtf_bounds
from defectors_data.models.project import Contributor, Dataset
from defectors_data.models.schemas import table_schema
from defectors_data.models.tables import ROWS
from defectors_data.package import validation
from defectors_data.package.cells import MEDIA_TYPES, FileDigest, media_type, single_date
from defectors_data.package.published_folder import PROFILE
from defectors_data.package.tables_reader import MOST_LISTED, PackageTables

if TYPE_CHECKING:
    from defectors_data.package.tables_writer import WrittenTable


class InvalidPackageError(Exception):
    """The package is not valid: a bug in this program, because annotations are checked before."""


class PackageContents(NamedTuple):
    """The contents of a package, for its descriptor."""

    tables: Mapping[str, WrittenTable]
    """The tables that were written, by name."""
    others: Mapping[str, FileDigest]
    """The other files by path, except the descriptor."""
    sources: list[dict[str, str]]
    """The sources, as the Data Package standard describes them."""
    term_kinds: Collection[str] = ()
    """The kinds of terms that the package has; a corpus need not have ranks or branches."""
    notes: Sequence[str] = ()
    """Sentences on who read the articles, and on what is left out; "" where there is none."""


def inspect(folder: Path) -> None:
    """Validate a finished package.

    Raises:
        InvalidPackageError: the package has faults; the message lists the first five, without the
            contents of cells.
        filesystem.NoTemporarySpaceError: memory or the temporary folder is full.
    """
    report = validation.validate_apart(folder)
    refuse([str(fault) for fault in report.faults])


def refuse(faults: Sequence[str]) -> None:
    """Raise `InvalidPackageError` with the first five faults, if there are any."""
    if faults:
        raise InvalidPackageError("; ".join(faults[:5]))


# ---- the descriptor ------------------------------------------------------------------------------

_DIALECT = {
    "header": True,
    "delimiter": ",",
    "lineTerminator": "\n",
    "quoteChar": '"',
    "doubleQuote": True,
}


def descriptor(dataset: Dataset, contents: PackageContents, *, created: str) -> dict[str, Any]:
    """Return the descriptor of a package; `created` is a time in RFC 3339 format."""
    described = [row for row in ROWS if row.TABLE.name in contents.tables]
    resources = [_csv_resource(row, contents) for row in described]
    resources += [
        _parquet_resource(row, contents.tables[row.TABLE.name].parquet) for row in described
    ]
    resources += [_file_resource(path, written) for path, written in contents.others.items()]
    found: dict[str, Any] = {"$schema": PROFILE, "name": dataset.name, "title": dataset.title}
    found["description"] = "\n\n".join(filter(None, (dataset.described, *contents.notes)))
    if dataset.homepage:
        found["homepage"] = dataset.homepage
    found["id"] = f"https://doi.org/{dataset.doi}" if dataset.doi else _content_id(contents)
    found |= {
        "version": dataset.version,
        "created": created,
        "licenses": [_licence(dataset)],
        "sources": contents.sources,
        "contributors": [_contributor(each) for each in dataset.contributors],
        "keywords": list(dataset.keywords),
    }
    if dataset.coverage.time:
        found["temporal"] = _period(dataset.coverage.time)
    if dataset.coverage.places:
        found["spatial"] = [{"name": place} for place in dataset.coverage.places]
    found["resources"] = resources
    return found


def _licence(dataset: Dataset) -> dict[str, str]:
    """Return the licence, with a title that says what it covers."""
    licence = dataset.licence
    title = f"{licence.title} (for the annotations, not for the quoted words)"
    return {"name": licence.name, "title": title, "path": licence.path}


def _content_id(contents: PackageContents) -> str:
    """Return a UUID (RFC 9562, version 5): two packages share it if their tables are equal."""
    # Only CSV files count: Parquet files have the same cells, and documents may be reworded.
    sums = "".join(f"{name} {table.csv.sha256}\n" for name, table in contents.tables.items())
    return uuid.uuid5(uuid.UUID(int=0), sums).urn


def _period(time: str) -> dict[str, str]:
    """Return an EDTF date with its earliest and latest possible days; an open end is left out."""
    bounds = edtf_bounds(time)
    period = {"name": time}
    if bounds.first:
        period["start"] = bounds.first.isoformat()
    if bounds.last:
        period["end"] = bounds.last.isoformat()
    return period


def sources(tables: PackageTables) -> list[dict[str, str]]:
    """Return the property `sources`: the first `MOST_LISTED` articles, and the count of others."""
    found = []
    columns = ["title", "outlet", "outlet_basis", "published", "published_basis"]
    for row in islice(tables.rows("sources", columns), MOST_LISTED):
        facts = [row["title"], row["outlet"], single_date(row["published"] or "")]
        for i, basis in enumerate((row["outlet_basis"], row["published_basis"]), start=1):
            if facts[i] and basis != "stated":
                facts[i] += f" (basis: {basis})"
        found.append({"title": ", ".join(filter(None, facts))})
    if more := tables.number("sources") - len(found):
        found.append({"title": f"and {more:,} more: the table `sources` has a row for each"})
    return found


def _contributor(contributor: Contributor) -> dict[str, Any]:
    described: dict[str, Any] = {"title": contributor.title}
    if contributor.given:
        described["givenName"] = contributor.given
    if contributor.family:
        described["familyName"] = contributor.family
    return {**described, "roles": list(contributor.roles)}


def _csv_resource(row: type[RowModel], contents: PackageContents) -> dict[str, Any]:
    table = row.TABLE
    written = contents.tables[table.name]
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
        "schema": table_schema(row, written.columns, contents.term_kinds, contents.tables),
        "orderedBy": list(table.order),
        **_checksum(written.csv),
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
