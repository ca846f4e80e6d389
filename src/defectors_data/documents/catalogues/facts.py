"""The facts that all catalogue formats state.

They are gathered from `dataset.yaml`, the tables, and the hashes of the files.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import metadata
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from defectors_data.documents.protection import protection
from defectors_data.documents.readme import not_claimed, unread_by_persons
from defectors_data.models.columns import RowModel, sentence
from defectors_data.models.project import Dataset
from defectors_data.models.tables import ROW_OF, ROWS
from defectors_data.package.cells import FileDigest, media_type
from defectors_data.package.tables_reader import PackageTables

if TYPE_CHECKING:
    from defectors_data.package.tables_writer import WrittenTable

PURPOSES = {
    "datapackage.json": (
        "Descriptor of the Frictionless data package: every file, table and column."
    ),
    "SHA256SUMS": "SHA-256 checksums of all other files.",
    "README.md": "What the package contains and how to use it.",
    "LICENSE": "Licences of the annotations, the quoted words and the programs.",
    "CITATION.cff": "Citation of the dataset, for reference managers and hosts of repositories.",
    "CHANGELOG.md": "What changed in the data in each version.",
    "datasheet.md": (
        "Datasheet: how the dataset was made, its uses and limitations, and how people are "
        "protected."
    ),
    "agreement.json": (
        "Agreement of two readings of the same articles: passages, and each code with its number "
        "of records and its interval."
    ),
    "croissant.json": (
        "Croissant metadata for machine learning: files, tables, columns, uses and limitations."
    ),
    "vocabulary.ttl": "The vocabularies as SKOS concept schemes, in Turtle.",
    "index.html": "Page to browse and search the dataset.",
    "es.html": "Page in Spanish: what the dataset is, and how to ask for a removal.",
    "verify.py": "Verifier of the package; it needs only Python.",
}
"""The purpose of each file that contains no table, by path."""
_OF_FOLDERS = {"charts": "Chart."}
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
    columns: tuple[str, ...]
    """The names of its columns: a package may lack some of the model's."""
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
    agreement: Mapping[str, Any] | None = None
    """The content of `agreement.json`, if there is one."""
    not_claimed: str = ""
    """A sentence that names the sources for which no completeness is claimed, if there are any."""
    protection: str = ""
    """What the tables can state of protected persons, and what the publisher promises."""
    unread: str = ""
    """A sentence that asks for readings by persons, if an article has none."""


def gather(
    dataset: Dataset,
    tables: PackageTables,
    finished: Mapping[str, WrittenTable],
    *,
    agreement: Mapping[str, Any] | None = None,
    created: str | None = None,
) -> Facts:
    """Return the facts about a package.

    Args:
        dataset: the content of `dataset.yaml`.
        tables: the finished tables.
        finished: the row counts, sizes and hashes of the tables, by name.
        agreement: the content of `agreement.json`, if there are readings to compare.
        created: the time of the build in RFC 3339; by default midnight of the day of the release.
    """
    published, csv, parquet = [], [], []
    for row in ROWS:
        name = row.TABLE.name
        if name in finished:
            written = finished[name]
            published.append(PublishedTable(row, written.columns, written.rows))
            csv.append(published_file(f"data/{name}.csv", written.csv))
            parquet.append(published_file(f"data/{name}.parquet", written.parquet))
    return Facts(
        dataset,
        tables=tuple(published),
        files=(*csv, *parquet),
        languages=tuple(sorted(tables.count("sources", "language"))),
        # The clock is not read, so that the same annotations give the same bytes on any day.
        created=created or f"{dataset.released.isoformat()}T00:00:00Z",
        program=metadata.version("defectors-data"),
        agreement=agreement,
        not_claimed=not_claimed(tables),
        protection=protection(dataset, tables),
        unread=unread_by_persons(tables),
    )


def published_file(path: str, written: FileDigest) -> PublishedFile:
    """Return the facts about a file; for the file of a table, they are about the table."""
    name, suffix = PurePosixPath(path).stem, PurePosixPath(path).suffix
    title, purpose = path, PURPOSES.get(path)
    if path.startswith("data/") and name in ROW_OF:
        row = ROW_OF[name]
        title, purpose = f"{row.TABLE.title} as {_FORMATS[suffix]}", sentence(row)
    elif purpose is None:
        purpose = _OF_FOLDERS.get(path.partition("/")[0])
    return PublishedFile(path, title, purpose, media_type(path), written.size, written.sha256)
