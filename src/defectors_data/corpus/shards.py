"""Shards: JSON Lines files of documents, with their texts packed in a file of the same name.

`annotations/X.jsonl` has a line for each source; `seeds/X.parquet` or `seeds/X.arrow` has a row for
each line, in the same order, with the columns `source_id` and `text`. Without such a file each text
is a file in `seeds/`. Lines and rows are read in blocks, so that no file is in memory as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import IOBase
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

if TYPE_CHECKING:
    import pyarrow as pa

BLOCK = 256
"""Maximum number of documents that are read and processed together."""

LONGEST = 8 * 1024 * 1024
"""Maximum length of a line in bytes."""

PACKED = (".parquet", ".arrow")
"""File extensions of packed texts."""

_COLUMNS = ["source_id", "text"]


class ShardTextsError(Exception):
    """The texts of a shard cannot be read; the message says why."""


class ShardBlock(NamedTuple):
    """Consecutive lines of a shard, and their texts."""

    first: int
    """Number of the first line in its file, from 1."""
    lines: list[bytes]
    """The lines, without line endings."""
    texts: pa.RecordBatch | None
    """The rows for these lines, `source_id` and `text`; None if texts are files in `seeds/`."""


def blocks(
    open_: Callable[[str], BinaryIO], annotations: str, packed: str | None, *, size: int = BLOCK
) -> Iterator[ShardBlock]:
    """Yield a shard in blocks of at most `size` sources.

    Args:
        open_: a function that opens a file of the project for reading, given its path.
        annotations: path of the shard.
        packed: path of the file that packs its texts, if there is one.
        size: maximum number of sources in a block.

    Raises:
        ShardTextsError: `packed` cannot be read, or does not contain exactly one text for each
            line.
        OSError: a file cannot be read.
    """
    rows = _batches(open_, packed, size) if packed else None
    first = 1
    with open_(annotations) as file:
        while found := list(islice(lines(file), size)):
            # Rows come in batches of the same size, so each batch must have exactly as many rows as
            # there are lines.
            texts = next(rows, None) if rows else None
            number = texts.num_rows if texts is not None else 0
            if rows and number != len(found):
                raise ShardTextsError(_mismatch(annotations, first - 1, len(found), number))
            yield ShardBlock(first, found, texts)
            first += len(found)
    if rows and next(rows, None) is not None:
        raise ShardTextsError(_mismatch(annotations, first - 1, 0, 1))


def _mismatch(annotations: str, before: int, lines: int, rows: int) -> str:
    if rows > lines:
        return f"it has more rows than {annotations} has lines (lines: {before + lines})"
    return f"it has fewer rows than {annotations} has lines (rows: {before + rows})"


def lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file without line endings.

    A line that is too long is truncated, and ends the iteration.
    """
    # Two bytes beyond the limit: one for the line feed, and one that shows that the line is longer.
    while line := file.readline(LONGEST + 2):
        yield line.removesuffix(b"\n")
        if len(line) > LONGEST + 1:
            return


def _batches(open_: Callable[[str], BinaryIO], packed: str, size: int) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a packed file, exactly `size` in each batch except the last."""
    import pyarrow as pa  # noqa: PLC0415  # slow, and only shards need it

    waiting: list[pa.RecordBatch] = []
    try:
        for batch in _rows(open_, packed, size):
            waiting.append(batch)
            while sum(each.num_rows for each in waiting) >= size:
                # One chunk, since a batch cannot be sliced across several.
                joined = pa.Table.from_batches(waiting).combine_chunks().to_batches()[0]
                yield joined.slice(0, size)
                waiting = [joined.slice(size)] if joined.num_rows > size else []
        if waiting:
            yield pa.Table.from_batches(waiting).combine_chunks().to_batches()[0]
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno:
            raise
        # pyarrow reports a truncated file as an OSError without a number.
        raise ShardTextsError(
            "it is damaged, or its content does not match its file extension"
        ) from None


def _rows(open_: Callable[[str], BinaryIO], packed: str, size: int) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a packed file in batches of any size, as strings without nulls."""
    import pyarrow as pa  # noqa: PLC0415

    with open_(packed) as file:
        batches = _parquet(file, size) if packed.endswith(".parquet") else _arrow(file)
        for batch in batches:
            if not set(_COLUMNS) <= set(batch.schema.names):
                raise ShardTextsError("it has no columns `source_id` and `text`")
            columns = [batch.column(name) for name in _COLUMNS]
            if any(column.null_count for column in columns):
                raise ShardTextsError("it has an empty cell")
            if batch.num_rows:
                # Writers choose between several types for strings, such as large_string and
                # dictionary.
                texts = [column.cast(pa.string()) for column in columns]
                yield pa.RecordBatch.from_arrays(texts, names=_COLUMNS)


def _parquet(file: BinaryIO, size: int) -> Iterator[pa.RecordBatch]:
    import pyarrow.parquet as pq  # noqa: PLC0415

    # Without read-ahead: its buffers would stay in memory until the end, and it uses threads.
    opened = pq.ParquetFile(file, pre_buffer=False)
    names = [name for name in _COLUMNS if name in opened.schema_arrow.names]
    # In one thread: reading takes little time, and the other cores process batches.
    return opened.iter_batches(batch_size=size, columns=names, use_threads=False)


def _arrow(file: BinaryIO) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa  # noqa: PLC0415

    # An Arrow file is a stream between two marks. Read as a stream, it is read in this thread only:
    # a thread of pyarrow that uses a Python file when the process ends would abort it.
    if file.read(len(_MARK)) != _MARK:
        raise pa.ArrowInvalid("not an Arrow file")
    options = pa.ipc.IpcReadOptions(use_threads=False)
    return iter(pa.ipc.open_stream(pa.PythonFile(cast(IOBase, file), mode="r"), options=options))


_MARK = b"ARROW1\0\0"
