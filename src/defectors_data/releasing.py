"""A corpus of parts becomes a published package as its sources pass by; any finding, and nothing is published.

The files are those of a small release where one pass over the sources can make them: every table but those that put
all figures beside each other, the codebook, a README, the descriptor.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pyarrow.compute as pc

from defectors_data import bulk, codebook, examining, fs, judging, package, publishing, readme, tabling
from defectors_data.bulk import Seen, Told
from defectors_data.corpus import Corpus
from defectors_data.formats import Written
from defectors_data.judging import Asked, Judged
from defectors_data.models import Dataset
from defectors_data.reading import read
from defectors_data.rows import ROWS
from defectors_data.schemas import encoded
from defectors_data.sparing import give_back, spare
from defectors_data.streaming import Finished, TableWriter, flush_where_most

UNORDERED = frozenset({"speakers", "testimony_themes", "exceptions", "provenance"})
"""Tables whose order is not that of sources first: their rows stand as their sources pass by."""

OTHERS = {"README.md": "text/markdown", "codebook.md": "text/markdown"}
"""Files that are no tables, with their media types."""


class Released(NamedTuple):
    """What came of a build: findings and nothing published, or what happened to the published folder."""

    seen: Seen
    outcome: publishing.Outcome | None
    warnings: list[str]
    """What went wrong after the release had taken its place, and does not matter to it."""


def release(
    root: Path, out: Path, asked: Asked, *, jobs: int = 1, created: str | None = None, told: Told | None = None
) -> Released:
    """Publish the parts below `root` to the folder `out`, or return every finding and publish nothing.

    Raises:
        publishing.AnotherBuild: another process publishes to `out`.
        OSError: the file system refused; `out` is as it was.
        package.NotValid: what was built is not valid, a fault of this program; `out` is as it was.
    """
    spare()
    left_out = judging.left_out_tables(asked)
    names = [row.TABLE.name for row in ROWS if row.TABLE.name not in left_out]
    files = [f"data/{name}.{ending}" for name in names for ending in ("csv", "parquet")]
    found: list[Seen] = []

    def make(folder: Path) -> Mapping[str, str] | None:
        writing = _Writing(folder, names)
        seen = bulk.examine(root, asked, jobs=jobs, take=writing.take, told=told)
        found.append(seen)
        if seen.examined.findings:
            writing.abandon()
            return None
        return writing.finish(root, seen, left_out, created)

    with publishing.Site.hold(out) as site:
        outcome = site.publish_written([*files, *OTHERS, package.DESCRIPTOR], make, inspect=inspect)
    return Released(found[0], outcome, site.warnings)


_MANY = 16
"""Blocks after which memory is given back."""


class _Writing:
    """The package that is being written into a folder."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self.folder = folder
        schemas = {row.TABLE.name: tabling.arrow_schema(row) for row in ROWS}
        self.tables = {name: TableWriter(name, schemas[name], lambda path: fs.NewFile(folder / path)) for name in names}
        self.chars = self.shown = 0
        self.blocks = 0

    def take(self, judged: Judged) -> None:
        """Write the rows of a block."""
        self.blocks += 1
        if not self.blocks % _MANY:
            give_back()
        if judged.bare:
            raise package.NotValid(f"cells without a certificate: {', '.join(judged.bare[:5])}")
        for name, table in judged.tables.items():
            self.tables[name].take(table)
        flush_where_most(self.tables.values())
        sources = judged.tables.get("sources")
        if sources is not None and sources.num_rows:
            self.chars += pc.sum(sources["chars"]).as_py() or 0
            self.shown += pc.sum(sources["chars_revealed"]).as_py() or 0

    def abandon(self) -> None:
        """Close what was opened."""
        for table in self.tables.values():
            table.close()

    def finish(self, root: Path, seen: Seen, left_out: frozenset[str], created: str | None) -> dict[str, str]:
        """Write what is of no source, and all that is no table; returns the SHA-256 sums of all files."""
        corpus = read(root, only={}).corpus
        if corpus is None:
            raise package.NotValid("the files that all sources share have changed since they were read")
        for name, table in tabling.of_all(corpus, seen.used, left_out).items():
            self.tables[name].take(table)
        tables = {name: writer.close() for name, writer in self.tables.items()}
        others = documents(corpus, tables, (self.chars, self.shown), created)
        for path, content in others.items():
            fs.write(self.folder / path, content)
        return sums(others) | {path: written.sha256 for path, written in _files(tables).items()}


def documents(
    corpus: Corpus,
    tables: Mapping[str, Finished],
    shown: tuple[int, int],
    created: str | None,
    parts: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> dict[str, bytes]:
    """Return what is no table, by path, the descriptor last.

    `shown` are the code points of all sources, and those that the package shows; `parts` are the part files of those
    files of tables that are in parts.
    """
    dataset = corpus.dataset.content
    counts = {name: table.rows for name, table in tables.items()}
    others = {
        "README.md": readme.stream_readme(dataset, counts, *shown, in_parts=bool(parts)),
        "codebook.md": codebook.codebook(corpus.vocabulary.content, examining.sentences()),
    }
    held = package.Held(
        hashes=dict.fromkeys(tables),
        files=_files(tables) | {path: Written.of(content) for path, content in others.items()},
        media_types=OTHERS,
        sources=[_sources_in_sum(counts["sources"])],
        unordered=UNORDERED,
        parts=parts,
    )
    described = package.descriptor(dataset, held, created=created or released(dataset))
    return {**others, package.DESCRIPTOR: encoded(described)}


def sums(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the SHA-256 of files, by path."""
    return {path: hashlib.sha256(content).hexdigest() for path, content in files.items()}


def _files(tables: Mapping[str, Finished]) -> dict[str, Written]:
    files = {f"data/{name}.csv": table.csv for name, table in tables.items()}
    return files | {f"data/{name}.parquet": table.parquet for name, table in tables.items()}


def inspect(folder: Path) -> None:
    """Validate a finished package with DuckDB, however small it is: it has no logical hashes."""
    give_back()
    package.inspect(folder, most_rows=0)


def released(dataset: Dataset) -> str:
    """Return the time that a descriptor gives where none is asked for: the day of the release."""
    return f"{dataset.released.isoformat()}T00:00:00Z"


def _sources_in_sum(count: int) -> dict[str, str]:
    return {"title": f"{count:,} articles; the table `sources` has a row for each."}
