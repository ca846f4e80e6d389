"""Parts: what is annotated about many sources in one file of JSON Lines, and their texts in one file beside it.

`annotations/X.jsonl` has a line for each source; `seeds/X.parquet` or `seeds/X.arrow` has a row for each line, in the
same order, with the columns `source_id` and `text`. Without such a file each text is a file of its own in `seeds/`.
Nothing is read whole: lines and rows pass by in blocks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from io import IOBase
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

if TYPE_CHECKING:
    import pyarrow as pa

Opened = Callable[[str], BinaryIO]
"""Opens a file of the project for reading, by its path."""

BLOCK = 256
"""Sources that are looked at together."""

LONGEST = 8 * 1024 * 1024
"""Bytes that a line may have."""

PACKED = (".parquet", ".arrow")
"""Endings of files that hold the texts of a part."""


class Unpacked(Exception):
    """The texts of a part cannot be had; the message says why."""


class Block(NamedTuple):
    """Some lines of a part, and the texts that stand beside them."""

    first: int
    """Number of the first line in its file, from 1."""
    lines: list[bytes]
    """The lines, without what ends them."""
    texts: pa.RecordBatch | None
    """The rows beside them: `source_id` and `text`; None where each text is a file of its own."""


def blocks(open_: Opened, annotations: str, packed: str | None, *, size: int = BLOCK) -> Iterator[Block]:
    """Give a part in blocks of at most `size` sources.

    Raises:
        Unpacked: `packed` holds no texts, or not one for each line.
        OSError: a file cannot be read.
    """
    rows = _batches(open_, packed, size) if packed else None
    first = 1
    with open_(annotations) as file:
        while lines := list(islice(_lines(file), size)):
            texts = next(rows, None) if rows else None
            if rows and (texts is None or texts.num_rows != len(lines)):
                raise Unpacked(_unlike(annotations, first - 1, len(lines), texts.num_rows if texts is not None else 0))
            yield Block(first, lines, texts)
            first += len(lines)
    if rows and next(rows, None) is not None:
        raise Unpacked(_unlike(annotations, first - 1, 0, 1))


def _unlike(annotations: str, before: int, lines: int, rows: int) -> str:
    """Word that there are not as many lines as rows, behind those that there are of both."""
    if rows > lines:
        return f"{annotations} has {before + lines} lines, and it has more rows"
    return f"it has {before + rows} rows, and {annotations} has more lines"


def _lines(file: BinaryIO) -> Iterator[bytes]:
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


# ---- names -------------------------------------------------------------------------------------------------


def name_of(annotations: str, line: int) -> str:
    """Return how a line of a part is called while it is worked on: each source has a file of its own to be known by."""
    return f"{annotations}#{line}"


_NUMBERED = re.compile(r"(\.jsonl)#[0-9]+")


def without_number(words: str) -> str:
    """Return words in which lines of parts are called by their files alone."""
    return _NUMBERED.sub(r"\1", words)
