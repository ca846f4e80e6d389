"""Shards: JSON Lines files of documents, with their texts packed in a Parquet or Arrow file of the same name.

`annotations/X.jsonl` has a line for each source; `seeds/X.parquet` or `seeds/X.arrow` has a row for each line, in the
same order, with the columns `source_id` and `text`. Without such a file each text is a file in `seeds/`. No file is
read whole: lines and rows are read in blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import IOBase
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

if TYPE_CHECKING:
    import pyarrow as pa

Opened = Callable[[str], BinaryIO]
"""Opens a file of the project for reading, by its path."""

BLOCK = 256
"""Documents that are read together; no more are processed together."""

LONGEST = 8 * 1024 * 1024
"""Bytes that a line may have."""

PACKED = (".parquet", ".arrow")
"""Endings of files that pack the texts of a shard."""


class Unpacked(Exception):
    """The texts of a shard cannot be read; the message says why."""


class Block(NamedTuple):
    """Some lines of a shard, and their texts."""

    first: int
    """Number of the first line in its file, from 1."""
    lines: list[bytes]
    """The lines, without line ends."""
    texts: pa.RecordBatch | None
    """Their rows, `source_id` and `text`; None where each text is a file in `seeds/`."""


def blocks(open_: Opened, annotations: str, packed: str | None, *, size: int = BLOCK) -> Iterator[Block]:
    """Give a shard in blocks of at most `size` sources.

    Raises:
        Unpacked: `packed` holds no texts, or not one for each line.
        OSError: a file cannot be read.
    """
    rows = _batches(open_, packed, size) if packed else None
    first = 1
    with open_(annotations) as file:
        while found := list(islice(lines(file), size)):
            texts = next(rows, None) if rows else None
            if rows and (texts is None or texts.num_rows != len(found)):
                raise Unpacked(_unlike(annotations, first - 1, len(found), texts.num_rows if texts is not None else 0))
            yield Block(first, found, texts)
            first += len(found)
    if rows and next(rows, None) is not None:
        raise Unpacked(_unlike(annotations, first - 1, 0, 1))


def _unlike(annotations: str, before: int, lines: int, rows: int) -> str:
    """Word that there are not as many lines as rows, behind those that there are of both."""
    if rows > lines:
        return f"{annotations} has {before + lines} lines, and it has more rows"
    return f"it has {before + rows} rows, and {annotations} has more lines"


def lines(file: BinaryIO) -> Iterator[bytes]:
    """Give the lines of a file, none longer than is allowed and one byte more."""
    while line := file.readline(LONGEST + 2):
        yield line.removesuffix(b"\n")
        if len(line) > LONGEST + 1:
            return


def _batches(open_: Opened, packed: str, size: int) -> Iterator[pa.RecordBatch]:
    """Give the rows of a packed file, exactly `size` in each batch but the last."""
    import pyarrow as pa  # noqa: PLC0415  # slow, and parts alone need it

    waiting: list[pa.RecordBatch] = []
    try:
        for batch in _rows(open_, packed, size):
            waiting.append(batch)
            while sum(each.num_rows for each in waiting) >= size:
                joined = pa.Table.from_batches(waiting).combine_chunks().to_batches()[0]
                yield joined.slice(0, size)
                waiting = [joined.slice(size)] if joined.num_rows > size else []
        if waiting:
            yield pa.Table.from_batches(waiting).combine_chunks().to_batches()[0]
    except pa.ArrowException:
        raise Unpacked("it cannot be read as what its name says it is") from None


def _rows(open_: Opened, packed: str, size: int) -> Iterator[pa.RecordBatch]:
    """Give the rows of a packed file as they come, `source_id` and `text` as strings, nothing null."""
    import pyarrow as pa  # noqa: PLC0415

    with open_(packed) as file:
        for batch in _parquet(file, size) if packed.endswith(".parquet") else _arrow(file):
            columns = {name: batch.column(name) for name in ("source_id", "text") if name in batch.schema.names}
            if len(columns) < 2:  # noqa: PLR2004  # the two
                raise Unpacked("it has no columns `source_id` and `text`")
            if any(column.null_count for column in columns.values()):
                raise Unpacked("a cell of it is empty")
            texts = {name: column.cast(pa.string()) for name, column in columns.items()}
            if batch.num_rows:
                yield pa.RecordBatch.from_arrays(list(texts.values()), names=list(texts))


def _parquet(file: BinaryIO, size: int) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet as pq  # noqa: PLC0415

    opened = pq.ParquetFile(file, pre_buffer=False)  # what is read ahead is kept to the end
    names = [name for name in ("source_id", "text") if name in opened.schema_arrow.names]
    return opened.iter_batches(batch_size=size, columns=names, use_threads=False)


def _arrow(file: BinaryIO) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa  # noqa: PLC0415

    opened = pa.ipc.open_file(pa.PythonFile(cast(IOBase, file)))
    return (opened.get_batch(i) for i in range(opened.num_record_batches))
