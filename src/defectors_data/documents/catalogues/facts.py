"""The facts that all catalogue formats state, gathered from `dataset.yaml`, the tables, and the hashes of the files."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from defectors_data.documents.readme import not_claimed
from defectors_data.models.project import Dataset
from defectors_data.models.tables import ROW_OF, ROWS, RowModel, sentence
from defectors_data.package.cells import FileDigest, media_type
from defectors_data.package.tables_reader import PackageTables

if TYPE_CHECKING:
    from defectors_data.package.tables_writer import WrittenTable

PURPOSES = {
    "datapackage.json": "Descriptor of the Frictionless data package: every file, table and column.",
    "SHA256SUMS": "SHA-256 checksums of all other files.",
    "README.md": "What the package contains and how to use it.",
    "LICENSE": "Licences of the annotations, the quoted words and the programs.",
    "CITATION.cff": "Citation of the dataset, for reference managers and hosts of repositories.",
    "CHANGELOG.md": "What changed in the data in each version.",
    "datasheet.md": "Datasheet: how the dataset was made, its uses and limitations, and how people are protected.",
    "codebook.md": "Codebook: the rules of the annotations, each with an example that passes and one that fails.",
    "croissant.json": "Croissant metadata for machine learning: files, tables, columns, uses and limitations.",
    "index.html": "Page to browse and search the dataset.",
    "verify.py": "Verifier of the package; it needs only Python.",
}
"""The purpose of each file, by path; for the files of a table, the description of the table is used instead."""
_OF_FOLDERS = {
    "charts": "Chart.",
    "refi-qda": "The terms with their definitions, as a codebook for NVivo, MAXQDA, ATLAS.ti and QualCoder (REFI-QDA).",
    "w3c": "The records of an article as Web Annotations (W3C, 2017).",
}
"""The purpose of the files in each folder, by the name of the folder."""

_FORMATS = {".csv": "CSV", ".parquet": "Parquet"}


class PublishedFile(NamedTuple):
    """A file of the package."""

    path: str
    title: str
    purpose: str | None
    media_type: str
    size: int
    """The size in bytes."""
    sha256: str


class PublishedTable(NamedTuple):
    """A table of the package."""

    row: type[RowModel]
    """The model of its rows."""
    rows: int
    """The number of rows."""


class Facts(NamedTuple):
    """The facts that the catalogue formats state."""

    dataset: Dataset
    tables: tuple[PublishedTable, ...]
    files: tuple[PublishedFile, ...]
    """The files of the tables, in the order of the tables: CSV first, then Parquet."""
    languages: tuple[str, ...]
    """BCP 47 tags of the sources' languages."""
    created: str
    """The time of the build in RFC 3339."""
    program: str
    """The version of defectors-data that made the package."""
    agreement: tuple[Mapping[str, Any], ...] = ()
    """The rows of the table `agreement`."""
    not_claimed: str = ""
    """A sentence that names the sources for which no completeness is claimed, if there are any."""


def gather(
    dataset: Dataset,
    tables: PackageTables,
    finished: Mapping[str, WrittenTable],
    *,
    created: str | None = None,
) -> Facts:
    """Return the facts about a package; `finished` has the row counts, sizes and hashes of the tables, by name.

    `created` is the time of the build in RFC 3339, by default midnight of the day of the release.
    """
    published = tuple(
        PublishedTable(row, finished[row.TABLE.name].rows)
        for row in ROWS
        if row.TABLE.name in finished
    )
    names = [table.row.TABLE.name for table in published]
    files = [published_file(f"data/{name}.csv", finished[name].csv) for name in names]
    files += [published_file(f"data/{name}.parquet", finished[name].parquet) for name in names]
    languages = tuple(sorted(tables.count("sources", "language")))
    # The clock is not read, so that the same annotations produce the same bytes on any day.
    time, program = (
        created or f"{dataset.released.isoformat()}T00:00:00Z",
        metadata.version("defectors-data"),
    )
    agreement = tuple(tables.rows("agreement"))
    return Facts(
        dataset, published, tuple(files), languages, time, program, agreement, not_claimed(tables)
    )


def published_file(path: str, written: FileDigest) -> PublishedFile:
    """Return the facts about a file; if the file contains a table, its title and purpose are those of the table."""
    name, suffix = PurePosixPath(path).stem, PurePosixPath(path).suffix
    row = ROW_OF.get(name) if path.startswith("data/") else None
    title = f"{row.TABLE.title} as {_FORMATS[suffix]}" if row else path
    purpose = (
        sentence(row) if row else PURPOSES.get(path) or _OF_FOLDERS.get(path.partition("/")[0])
    )
    return PublishedFile(path, title, purpose, media_type(path), written.size, written.sha256)
