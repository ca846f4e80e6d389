"""One part as one task, wherever it runs: its two files in, its part files of every table out, and little returned.

A task depends on nothing but its part and on what all parts share, writes whole files of its own, and writes the same
bytes each time: so it may be done twice, or be cut off and done elsewhere. What it wrote to an object store it reads
back, and both formats must hold the cells that were judged; a package on a disk is read back as a whole before it is
published. `joined` then tells what the part files of a table are together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from defectors_data import bulk, parts
from defectors_data.corpus import Corpus
from defectors_data.files import Tree, why_not
from defectors_data.formats import Written
from defectors_data.judging import Asked, Judged
from defectors_data.stores import Store
from defectors_data.streaming import TableWriter, text_of


class NotAlike(Exception):
    """Who works on a part is not what asked for it, or its files do not hold what was written; the message says how."""


class Given(NamedTuple):
    """A part: its files, and the name that its part files get."""

    file: str
    packed: str | None
    name: str
    whole: bool
    """Whether tables without rows get files, too: those of the first part do, so that every table has one."""
    written: bool
    """Whether part files are written."""


@dataclass(frozen=True)
class Shared:
    """What all parts share."""

    root: Store
    out: Store
    world: Corpus
    asked: Asked
    schemas: Mapping[str, pa.Schema]
    """The tables that are made, by name."""
    versions: tuple[str, ...]


@dataclass
class Portion:
    """What became of a part."""

    judged: list[Judged] = field(default_factory=list)
    """Without their tables."""
    size: int = 0
    """Bytes of its annotations."""
    unpacked: str | None = None
    """Why its texts cannot be had."""
    refused: str | None = None
    """Why it cannot be read."""
    files: dict[str, Written] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    chars: int = 0
    shown: int = 0


def versions() -> tuple[str, ...]:
    """Return the versions of all that decides which bytes are written."""
    return tuple(f"{name} {metadata.version(name)}" for name in ("defectors-data", "pyarrow", "pydantic"))


def portion(given: Given, shared: Shared) -> Portion:
    """Judge a part; where nothing in it is doubtful, write its part files.

    Raises:
        NotAlike: another version of the program works here, or the store gave back other cells than it was given.
        OSError: a file cannot be written.
    """
    if versions() != shared.versions:
        raise NotAlike(f"a worker has {', '.join(versions())}, and {', '.join(shared.versions)} is asked for")
    made = Portion()
    tables: dict[str, list[pa.Table]] = {name: [] for name in shared.schemas}
    tree = Tree(Path(shared.root.place))
    try:
        with bulk.few_collections():
            for block in parts.blocks(shared.root.opened, given.file, given.packed):
                judged = bulk.judged(block, given.file, given.packed, tree, shared.world, shared.asked)
                made.size += sum(map(len, block.lines)) + len(block.lines)
                for name, table in judged.tables.items():
                    tables[name].append(table)
                made.judged.append(replace(judged, tables={}))
    except parts.Unpacked as error:
        made.unpacked = str(error)
    except OSError as error:
        made.refused = why_not(error)
    if given.written and is_right(made):
        _write(given, shared, tables, made)
    return made


def is_right(made: Portion) -> bool:
    """Tell whether nothing in a part is doubtful by itself."""
    doubtful = any(judged.unread or judged.doubtful or judged.bare for judged in made.judged)
    return not (made.unpacked or made.refused or doubtful)


def paths(table: str, part: str) -> tuple[str, str]:
    """Return the part files of a table: all of a format lie in one folder, which readers of Parquet read as one."""
    return f"data/{table}.csv/{part}.csv", f"data/{table}.parquet/{part}.parquet"


# ---- writing -------------------------------------------------------------------------------------------------


class _Held(BytesIO):
    """A file that is held until it is whole."""

    add = BytesIO.write

    @property
    def size(self) -> int:
        """Bytes that were written."""
        return self.getbuffer().nbytes

    @property
    def sha256(self) -> str:
        """The SHA-256 of what was written, in lower-case hexadecimal."""
        return hashlib.sha256(self.getbuffer()).hexdigest()

    def close(self) -> None:
        """Leave it open: what it holds is still to be had."""


def _write(given: Given, shared: Shared, tables: Mapping[str, Sequence[pa.Table]], made: Portion) -> None:
    for name, schema in shared.schemas.items():
        table = pa.concat_tables([schema.empty_table(), *tables[name]]).combine_chunks()
        made.rows[name] = table.num_rows
        if name == "sources":
            made.chars, made.shown = (pc.sum(table[column]).as_py() or 0 for column in ("chars", "chars_revealed"))
        if table.num_rows or given.whole:
            write_table(table, paths(name, given.name), shared.out, made)


def write_table(table: pa.Table, files: tuple[str, str], out: Store, made: Portion) -> None:
    """Write a table of a part in both formats; from a store, read both back and hold them against it."""
    held = {file: _Held() for file in files}
    names = iter(held)
    writer = TableWriter("", table.schema, lambda _: held[next(names)])
    writer.take(table)
    done = writer.close()
    for (file, content), written in zip(held.items(), (done.csv, done.parquet), strict=True):
        out.put(file, content.getvalue())
        made.files[file] = written
        if not out.on_disk:
            back = out.read(file)
            if Written.of(back) != written or not _holds(back, table):
                raise NotAlike(f"{file} does not hold what was written")


def _holds(content: bytes, table: pa.Table) -> bool:
    """Tell whether a file has the cells of a table, as a reader gets them."""
    if content.startswith(b"PAR1"):
        return bool(pq.read_table(pa.BufferReader(content)).equals(table))
    texts = pa.table([text_of(column.combine_chunks()) for column in table.columns], names=table.column_names)
    return bool(_csv_table(content).equals(texts))


def _csv_table(content: bytes) -> pa.Table:
    """Return the cells of a CSV as texts; what is empty is null."""
    names = content[: content.index(b"\n")].decode().split(",")
    return pyarrow.csv.read_csv(
        BytesIO(content),
        read_options=pyarrow.csv.ReadOptions(use_threads=False, block_size=max(1024 * 1024, len(content))),
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types={name: pa.string() for name in names},
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    ).combine_chunks()


# ---- part files as one table -----------------------------------------------------------------------------------


def joined(files: Sequence[tuple[str, str]], out: Store) -> Written:
    """Return what part files, each with its SHA-256, are together in their order.

    Of CSVs the first header alone counts, as it does for frictionless. Each file is read back, so that none is
    described that changed.

    Raises:
        NotAlike: a file does not have its SHA-256 any more.
        OSError: a file cannot be read.
    """
    size, digest = 0, hashlib.sha256()
    for number, (file, sha256) in enumerate(files):
        content = memoryview(out.read(file))
        if hashlib.sha256(content).hexdigest() != sha256:
            raise NotAlike(f"{file} does not hold what was written")
        if number and file.endswith(".csv"):
            content = content[bytes(content[:LONGEST_HEADER]).index(b"\n") + 1 :]
        size += len(content)
        digest.update(content)
    return Written(size, digest.hexdigest())


LONGEST_HEADER = 64 * 1024
"""Bytes that the names of all columns have at most."""
