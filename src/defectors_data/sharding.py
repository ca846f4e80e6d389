"""A corpus into parts: sources and their texts together, in the order of ids, the same bytes each time."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel

from defectors_data.corpus import Shard
from defectors_data.models import Annotations, Part


class Packed(NamedTuple):
    """The two files of a part, as bytes."""

    annotations: bytes
    texts: bytes


class Loose(NamedTuple):
    """A source on its way into a part: its id, its line without what ends it, and its text in UTF-8."""

    id: str
    line: bytes
    text: bytes


class NotWritten(ValueError):
    """Packed texts cannot be written anew; the message says why."""


def loose(shard: Shard) -> Loose:
    """Return a source on its way into a part."""
    return Loose(shard.content.source.id, line(shard.content), shard.text.encode())


def packed(sources: Sequence[Loose]) -> Packed:
    """Return the part that holds these sources, in their order."""
    rows = {"source_id": [source.id for source in sources], "text": [source.text.decode() for source in sources]}
    out = pa.BufferOutputStream()
    table = pa.table(rows, schema=pa.schema([pa.field(name, pa.string(), nullable=False) for name in rows]))
    pq.write_table(table, out, compression="zstd", use_dictionary=False, write_statistics=["source_id"])
    return Packed(b"".join(source.line + b"\n" for source in sources), out.getvalue().to_pybytes())


def texts_without(packed: bytes, ending: str, gone: Collection[int]) -> bytes:
    """Return the packed texts of a part without some rows, counted from 0: they are nowhere in the bytes.

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


def keep(source: Loose) -> bytes:
    """Return a source as bytes that can be put one behind the other."""
    held = (source.id.encode(), source.line, source.text)
    return b"".join(len(data).to_bytes(8, "little") + data for data in held)


def kept(data: bytes) -> Iterator[Loose]:
    """Give the sources that were kept one behind the other."""
    at, held = 0, list[bytes]()
    while at < len(data):
        size = int.from_bytes(data[at : at + 8], "little")
        held.append(data[at + 8 : at + 8 + size])
        at += 8 + size
        if len(held) == len(Loose._fields):
            yield Loose(held[0].decode(), held[1], held[2])
            held = []


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
