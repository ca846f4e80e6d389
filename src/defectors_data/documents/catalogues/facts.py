"""What every format says of the dataset: its own facts, its tables, and its files with their bytes and hashes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from defectors_data.models.annotation import Dataset
from defectors_data.models.tables import ROWS, Row, sentence
from defectors_data.package.cells import MEDIA_TYPES, Written
from defectors_data.package.tables_reader import Tables

if TYPE_CHECKING:
    from defectors_data.package.writer import Finished

PURPOSES = {
    "datapackage.json": "Descriptor of the Frictionless data package: every file, table and column.",
    "SHA256SUMS": "SHA-256 of every file but this one.",
    "README.md": "What the package holds and how it is used.",
    "datasheet.md": "Datasheet: how the dataset was made, what it may be used for, and how people are protected.",
    "codebook.md": "Codebook: the rules of the annotations, each with an example that passes and one that fails.",
    "croissant.json": "Croissant metadata: files, tables, columns, and what to know before a model is made of them.",
    "index.html": "Page that shows the whole dataset, to search and to read.",
    "verify.py": "Verifier of the package; it needs Python alone.",
}
"""What the files are for that hold no table."""


class File(NamedTuple):
    """A file of the package."""

    path: str
    title: str
    purpose: str | None
    media_type: str
    size: int
    """In bytes."""
    sha256: str


class Contents(NamedTuple):
    """A published table."""

    row: type[Row]
    number: int
    """How many rows it has."""


class Facts(NamedTuple):
    """What every format says."""

    dataset: Dataset
    tables: tuple[Contents, ...]
    files: tuple[File, ...]
    """The files of the tables: the CSV files first, then the Parquet files, in the order of the tables."""
    languages: tuple[str, ...]
    """Languages of the sources, by their tags."""


def gather(dataset: Dataset, tables: Tables, finished: Mapping[str, Finished]) -> Facts:
    """Return the facts; `finished` are the tables as they were written, by name."""
    contents = tuple(Contents(row, finished[row.TABLE.name].rows) for row in ROWS if row.TABLE.name in finished)
    names = [table.row.TABLE.name for table in contents]
    files = [file(f"data/{name}.csv", finished[name].csv) for name in names]
    files += [file(f"data/{name}.parquet", finished[name].parquet) for name in names]
    return Facts(dataset, contents, tuple(files), tuple(sorted(tables.count("sources", "language"))))


def file(path: str, written: Written) -> File:
    """Return a file with its size and hash; a file of a table is called by the table's title."""
    row = {row.TABLE.name: row for row in ROWS}.get(PurePosixPath(path).stem) if path.startswith("data/") else None
    title = f"{row.TABLE.title} as {_ENDINGS[PurePosixPath(path).suffix]}" if row else path
    purpose = sentence(row) if row else PURPOSES.get(path) or ("Chart." if path.startswith("charts/") else None)
    return File(path, title, purpose, MEDIA_TYPES[PurePosixPath(path).suffix], written.size, written.sha256)


_ENDINGS = {".csv": "CSV", ".parquet": "Parquet"}
