"""Write a corpus of any layout as shards: documents and their texts together, in the order of ids."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel
from pydantic_core import from_json

from defectors_data.corpus import json_reader, reader
from defectors_data.corpus.files import Tree, bytes_of
from defectors_data.corpus.findings import Finding, Place, in_order
from defectors_data.corpus.reader import CorpusReader, RawDocument
from defectors_data.models.annotation import Annotations, Part
from defectors_data.package import filesystem


class NotWritten(ValueError):
    """Packed texts cannot be rewritten; the message says why."""


class Loose(NamedTuple):
    """A document on its way into a shard: the id of its source, its line without line end, and its text in UTF-8."""

    id: str
    line: bytes
    text: bytes


class Sharded(NamedTuple):
    """What came of it: findings and nothing written, or how much was."""

    findings: list[Finding]
    sources: int = 0
    shards: int = 0


def write_shards(root: Path, out: Path, *, size: int, on_progress: Callable[[int, float], None]) -> Sharded:
    """Write the corpus below `root` as shards of `size` documents to the new folder `out`.

    Shards may be in any order. `on_progress` is called with the number of documents that were read, and their share.

    Raises:
        OSError: the file system refused; nothing is left of what was written.
    """
    tree = Tree(root)
    corpus = CorpusReader(tree)
    with closing(sqlite3.connect("", isolation_level=None)) as sorter:
        sorter.execute("CREATE TABLE documents (id TEXT, line BLOB, text BLOB)")
        findings = list(corpus.findings) if not corpus.can_be_read else []
        read, total = 0, max(1, corpus.size)
        for batch in corpus.batches():
            for raw in batch.documents:
                if loose := _loose(raw, tree, findings):
                    sorter.execute("INSERT INTO documents VALUES (?, ?, ?)", loose)
                read += len(raw.data)
            on_progress(_count(sorter), min(1.0, read / total))
        findings += [finding for finding in corpus.findings if not corpus.shards or corpus.can_be_read]
        if not findings:
            findings += reader.read_context(tree)[1]
        if not findings and not _count(sorter):
            findings.append(reader.no_annotations())
        if findings:
            return Sharded(in_order(findings))
        return Sharded([], _count(sorter), _write(sorter, tree, out, size))


def _count(sorter: sqlite3.Connection) -> int:
    return int(sorter.execute("SELECT count(*) FROM documents").fetchone()[0])


def _loose(raw: RawDocument, tree: Tree, findings: list[Finding]) -> Loose | None:
    """Return a document on its way into a shard, if it names a source that has a text."""
    if not raw.line:
        read = reader.read_document(raw, tree)
        findings += read.findings
        if read.file is None or read.text is None:
            return None
        return Loose(read.file.content.source.id, line(read.file.content), read.text.encode())
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
        findings.append(reader.shard_without_texts(raw.file, f"the source of line {raw.line} has none"))
        return None
    return Loose(name, raw.data, text)


_SHARED = ("dataset.yaml", "annotations/vocabulary.yaml", *(f"annotations/{name}" for name in reader.LISTS))
"""Files that are about no source, which are copied as they are; of lists the name without its ending."""


def _write(sorter: sqlite3.Connection, tree: Tree, out: Path, size: int) -> int:
    """Write the shards to a folder next to `out`, then give it its name; returns how many there are."""
    staged = out.with_name(f".{out.name}.new")
    made: list[Path] = []
    try:
        above = [folder for folder in staged.absolute().parents if not folder.exists()]
        for folder in (*reversed(above), staged, staged / "annotations", staged / "seeds"):
            filesystem.make_folder(folder)
            made.append(folder)
        names = [f"{name}{ending}" for name in _SHARED for ending in ("", ".yaml", ".jsonl")]
        for file in (name for name in names if (tree.root / name).is_file()):
            _write_file(staged / file, (tree.root / file).read_bytes(), made)
        documents = sorter.execute("SELECT id, line, text FROM documents ORDER BY id, rowid")
        number = 0
        while some := [Loose(*row) for row in documents.fetchmany(size)]:
            shard = packed(some)
            _write_file(staged / f"annotations/part-{number:05d}.jsonl", shard.annotations, made)
            _write_file(staged / f"seeds/part-{number:05d}.parquet", shard.texts, made)
            number += 1
        filesystem.move(staged, out)
    except BaseException:
        _remove(made)
        raise
    return number


def _write_file(path: Path, data: bytes, made: list[Path]) -> None:
    made.append(path)
    filesystem.write(path, data)


def _remove(made: list[Path]) -> None:
    for path in reversed(made):
        with suppress(OSError):
            if path.is_dir():
                filesystem.remove_folder(path)
            else:
                filesystem.remove_file(path)


class Packed(NamedTuple):
    """The two files of a shard, as bytes."""

    annotations: bytes
    texts: bytes


def packed(sources: Sequence[Loose]) -> Packed:
    """Return the shard of these documents, in their order."""
    rows = {"source_id": [source.id for source in sources], "text": [source.text.decode() for source in sources]}
    out = pa.BufferOutputStream()
    table = pa.table(rows, schema=pa.schema([pa.field(name, pa.string(), nullable=False) for name in rows]))
    pq.write_table(table, out, compression="zstd", use_dictionary=False, write_statistics=["source_id"])
    return Packed(b"".join(source.line + b"\n" for source in sources), out.getvalue().to_pybytes())


def texts_without(packed: bytes, ending: str, gone: Collection[int]) -> bytes:
    """Return the packed texts of a shard without some rows, counted from 0: they are nowhere in the bytes.

    What could hold more than the rows is not taken along: dictionaries become values, and metadata goes.

    Raises:
        NotWritten: a column is of a type that cannot be written anew.
    """
    try:
        return _texts_without(packed, gone, is_parquet=ending == ".parquet")
    except pa.ArrowException as error:
        raise NotWritten(str(error)) from None


def _texts_without(packed: bytes, gone: Collection[int], *, is_parquet: bool) -> bytes:
    table = (
        pq.read_table(pa.BufferReader(packed)) if is_parquet else pa.ipc.open_file(pa.BufferReader(packed)).read_all()
    )
    rows = pa.array([i for i in range(table.num_rows) if i not in gone], pa.int64())
    fields = [pa.field(field.name, _plain_type(field.type), nullable=field.nullable) for field in table.schema]
    columns = [_as_type(column, field.type).take(rows) for column, field in zip(table.columns, fields, strict=True)]
    left = pa.Table.from_arrays(columns, schema=pa.schema(fields))
    out = pa.BufferOutputStream()
    if is_parquet:
        pq.write_table(left, out, compression="zstd", use_dictionary=False, write_statistics=["source_id"])
    else:
        with pa.ipc.new_file(out, left.schema) as writer:
            writer.write_table(left)
    return out.getvalue().to_pybytes()


def _as_type(column: pa.ChunkedArray[Any], kind: pa.DataType) -> pa.ChunkedArray[Any]:
    """Return a column as another type; where Arrow has no way from one to the other, value by value."""
    if column.type == kind:
        return column
    try:
        return column.cast(kind)
    except pa.ArrowNotImplementedError:
        return pa.chunked_array([pa.array(column.to_pylist(), kind)])


def _plain_type(kind: Any) -> Any:
    """Return a type whose arrays hold the values of their rows and nothing else.

    Raises:
        NotWritten: there is none.
    """
    if pa.types.is_union(kind):
        raise NotWritten("it has a column of a union type")
    if isinstance(kind, pa.BaseExtensionType):
        return _plain_type(kind.storage_type)
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return _plain_type(kind.value_type)
    if pa.types.is_struct(kind):
        return pa.struct([_plain_field(field) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(_plain_type(kind.key_type), _plain_type(kind.item_type))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_plain_field(kind.value_field), kind.list_size)
    if pa.types.is_large_list(kind):
        return pa.large_list(_plain_field(kind.value_field))
    if pa.types.is_list(kind) or isinstance(kind, pa.ListViewType | pa.LargeListViewType):
        return pa.list_(_plain_field(kind.value_field))
    views = {pa.string_view(): pa.string(), pa.binary_view(): pa.binary()}
    return views.get(kind, kind)


def _plain_field(field: Any) -> Any:
    return pa.field(field.name, _plain_type(field.type), nullable=field.nullable)


def line(content: Annotations) -> bytes:
    """Return all that is annotated about a source as one line of JSON, without what ends it: what was typed."""
    return json.dumps(_plain(content), ensure_ascii=False, separators=(",", ":")).encode()


def _plain(value: Any) -> Any:
    """Return a model as what people would have typed: evidence without more to say is a string."""
    if isinstance(value, tuple):
        items = [_plain(item) for item in value]
        alone = len(value) == 1 and isinstance(value[0], Part) and isinstance(items[0], str)
        return items[0] if alone else items
    if isinstance(value, BaseModel):
        typed = {name: _plain(getattr(value, name)) for name in value.model_fields_set}
        typed = {name: typed[name] for name in type(value).model_fields if name in typed}
        return typed["text"] if isinstance(value, Part) and typed.keys() == {"text"} else typed
    return value if isinstance(value, str | bool | int | float | None) else value.isoformat()
