"""What every format says of the dataset: its own facts, its tables, and its files with their bytes and hashes."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

import pyarrow as pa

from defectors_data.formats import MEDIA_TYPES
from defectors_data.models import Dataset
from defectors_data.rows import ROWS, Row, sentence

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


class Held(NamedTuple):
    """A published table."""

    row: type[Row]
    number: int
    """Rows that it holds."""


class Facts(NamedTuple):
    """What every format says."""

    dataset: Dataset
    tables: tuple[Held, ...]
    files: tuple[File, ...]
    """The files of the tables: the CSV files first, then the Parquet files, in the order of the tables."""
    languages: tuple[str, ...]
    """Languages of the sources, by their tags."""


def gather(dataset: Dataset, tables: Mapping[str, pa.Table], data: Mapping[str, bytes]) -> Facts:
    """Return the facts; `data` are the files of the tables, by path."""
    held = tuple(Held(row, tables[row.TABLE.name].num_rows) for row in ROWS if row.TABLE.name in tables)
    files = tuple(file(path, MEDIA_TYPES[path.rpartition(".")[2]], content) for path, content in data.items())
    languages = {str(language) for language in tables["sources"].column("language").to_pylist()}
    return Facts(dataset, held, files, tuple(sorted(languages)))


def file(path: str, media_type: str, content: bytes) -> File:
    """Return a file with its size and hash; a file of a table is called by the table's title."""
    row = {row.TABLE.name: row for row in ROWS}.get(PurePosixPath(path).stem) if path.startswith("data/") else None
    title = f"{row.TABLE.title} as {_ENDINGS[PurePosixPath(path).suffix]}" if row else path
    purpose = sentence(row) if row else PURPOSES.get(path) or ("Chart." if path.startswith("charts/") else None)
    return File(path, title, purpose, media_type, len(content), hashlib.sha256(content).hexdigest())


_ENDINGS = {".csv": "CSV", ".parquet": "Parquet"}
