"""Conversion of a corpus to shards: documents and their texts, ordered by id."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel
from pydantic_core import from_json

from defectors_data.corpus import document_reader, json_reader, reader
from defectors_data.corpus.document_reader import RawDocument
from defectors_data.corpus.file_tree import FileTree, bytes_of
from defectors_data.corpus.findings import Finding, Place
from defectors_data.corpus.reader import CorpusReader
from defectors_data.edits import json_editor
from defectors_data.models.annotation import Annotations
from defectors_data.models.fields import Part
from defectors_data.package import atomic_publication, filesystem


class ShardWriteError(ValueError):
    """Packed texts cannot be rewritten; the message states the reason."""


class ShardDocument(NamedTuple):
    """A document for a shard: the id of its source, its line without ending, its UTF-8 text."""

    id: str
    line: bytes
    text: bytes


class ShardResult(NamedTuple):
    """The findings that prevented writing, or the numbers of sources and shards written."""

    findings: list[Finding]
    sources: int = 0
    shards: int = 0


def write_shards(
    root: Path, out: Path, *, size: int, on_progress: Callable[[int, float], None]
) -> ShardResult:
    """Write the corpus below `root` as shards of `size` documents to the new folder `out`.

    The documents of the corpus may be in any order. `on_progress` is called with the number of
    documents read and the share of bytes read, from 0 to 1.

    Raises:
        OSError: a file could not be read or written; no files are left behind.
    """
    tree = FileTree(root)
    corpus = CorpusReader(tree)
    with closing(sqlite3.connect("", isolation_level=None)) as sorter:  # in a temporary file
        sorter.execute("CREATE TABLE documents (id TEXT, line BLOB, text BLOB)")
        findings = list(corpus.findings) if not corpus.can_be_read else []
        sources, read, total = 0, 0, max(1, corpus.size)
        for batch in corpus.batches():
            for raw in batch.documents:
                if loose := _loose(raw, tree, findings):
                    sorter.execute("INSERT INTO documents VALUES (?, ?, ?)", loose)
                    sources += 1
                read += len(raw.data)
            on_progress(sources, min(1.0, read / total))
        findings += [
            finding for finding in corpus.findings if not corpus.shards or corpus.can_be_read
        ]
        if not findings:
            findings += reader.read_context(tree)[1]
        if not findings and not sources:
            findings.append(reader.no_annotations())
        if findings:
            return ShardResult(sorted(set(findings)))
        return ShardResult([], sources, _write(sorter, tree, out, size))


def _loose(raw: RawDocument, tree: FileTree, findings: list[Finding]) -> ShardDocument | None:
    """Return a document for a shard, or None after adding the reason to `findings`."""
    if not raw.line:
        read = document_reader.read_document(raw, tree)
        findings += read.findings
        if read.file is None or read.text is None:
            return None
        return ShardDocument(
            read.file.content.source.id, line(read.file.content), read.text.encode()
        )
    # A line of a shard is copied unchanged, so it is not validated: only the id and the seed of its
    # source are read.
    try:
        typed: Any = from_json(raw.data)
        name, seed = str(typed["source"]["id"]), str(typed["source"]["seed"])
    except (ValueError, KeyError, TypeError):
        place = Place(raw.file, raw.line)
        findings.append(json_reader.json_syntax(place, "it has no `source` with `id` and `seed`"))
        return None
    if raw.packed:
        text = raw.text if raw.row_id == name else None
    else:
        text, faults = bytes_of(tree, f"seeds/{seed}") if "/" not in seed else (None, [])
        findings += faults
    if text is None:
        findings.append(
            document_reader.shard_without_texts(
                raw.file, f"there is no text for the source in line {raw.line}"
            )
        )
        return None
    return ShardDocument(name, raw.data, text)


_SHARED = (
    "dataset.yaml",
    reader.CHANGELOG,
    "annotations/vocabulary.yaml",
    *(f"annotations/{name}" for name in (*reader.LISTS, reader.STATEMENTS)),
)
"""Files that all sources share, which are copied; lists have no extension here."""


_TEXTS = pa.schema(
    [
        pa.field("source_id", pa.string(), nullable=False),
        pa.field("text", pa.string(), nullable=False),
    ]
)
"""Columns of a shard of texts."""


def _write(sorter: sqlite3.Connection, tree: FileTree, out: Path, size: int) -> int:
    """Write the shards, rename their folder to `out`, and return the number of shards."""
    number = 0
    # Next to the target, because a folder can be renamed in one step only within a file system.
    with (
        atomic_publication.parents(out),
        TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as temporary,
    ):
        staged = Path(temporary, out.name)
        for folder in (staged, staged / "annotations", staged / "seeds"):
            filesystem.make_folder(folder)
        shared = [f"{name}{ending}" for name in _SHARED for ending in ("", ".yaml", ".jsonl")]
        readings = CorpusReader(tree).readings
        folders = {folder for file in readings for folder in Path(file).parents}
        for folder in sorted(folders - {Path(), Path("annotations")}):
            filesystem.make_folder(staged / folder)
        for file in (*shared, *readings):
            if (tree.root / file).is_file():
                filesystem.write(staged / file, (tree.root / file).read_bytes())
        documents = sorter.execute("SELECT id, line, text FROM documents ORDER BY id, rowid")
        while some := [ShardDocument(*row) for row in documents.fetchmany(size)]:
            lines = b"".join(source.line + b"\n" for source in some)
            filesystem.write(staged / f"annotations/part-{number:05d}.jsonl", lines)
            ids = [source.id for source in some]
            texts = [source.text.decode() for source in some]
            table = pa.table({"source_id": ids, "text": texts}, schema=_TEXTS)
            filesystem.write(staged / f"seeds/part-{number:05d}.parquet", _as_parquet(table))
            number += 1
        filesystem.move(staged, out)
    return number


def _as_parquet(table: pa.Table) -> bytes:
    out = pa.BufferOutputStream()
    # Texts do not repeat, so a dictionary would take time and space; statistics would repeat whole
    # texts in the footer.
    pq.write_table(
        table, out, compression="zstd", use_dictionary=False, write_statistics=["source_id"]
    )
    return out.getvalue().to_pybytes()


def texts_without(packed: bytes, ending: str, removed: Collection[int]) -> bytes:
    """Return the packed texts of a shard without the `removed` rows, counted from 0.

    Dictionaries, extension types and metadata may contain data from removed rows. Therefore, the
    remaining rows are converted to Python values, and their types are inferred again.

    Raises:
        ShardWriteError: the values of a column cannot be converted.
    """
    source, out = pa.BufferReader(packed), pa.BufferOutputStream()
    is_parquet = ending == ".parquet"
    try:
        table = pq.read_table(source) if is_parquet else pa.ipc.open_file(source).read_all()
        arrays = [_array_without(column, removed) for column in table.columns]
        table = pa.Table.from_arrays(arrays, names=table.column_names)
        if is_parquet:
            return _as_parquet(table)
        with pa.ipc.new_file(out, table.schema) as writer:
            writer.write_table(table)
        return out.getvalue().to_pybytes()
    except (pa.ArrowException, ValueError) as error:
        # Arrow's message may repeat a cell.
        raise ShardWriteError(
            f"the values of a column cannot be converted ({type(error).__name__})"
        ) from None


def _array_without(column: pa.ChunkedArray[Any], removed: Collection[int]) -> pa.Array[Any]:
    cells = [cell for i, cell in enumerate(column.to_pylist()) if i not in removed]
    # Without rows, the inferred type would be null, but the reader expects texts.
    return pa.array(cells) if cells else pa.array(cells, pa.string())


def line(content: Annotations) -> bytes:
    """Return the annotations of a source as one line of JSON with only the typed keys."""
    return json_editor.dumped(_plain(content)).encode()


def _plain(value: Any) -> Any:
    """Return a model as plain values, with evidence in the short form that annotators type."""
    if isinstance(value, tuple):
        items = [_plain(item) for item in value]
        alone = len(value) == 1 and isinstance(value[0], Part) and isinstance(items[0], str)
        return items[0] if alone else items
    if isinstance(value, BaseModel):
        # Only the keys that were typed: an optional key that was left out stays out.
        typed = {name: _plain(getattr(value, name)) for name in value.model_fields_set}
        typed = {name: typed[name] for name in type(value).model_fields if name in typed}
        if isinstance(value, Part) and typed.keys() == {"text"}:
            return typed["text"]
        return typed
    if isinstance(value, str | bool | int | float | None):
        return value
    return value.isoformat()
