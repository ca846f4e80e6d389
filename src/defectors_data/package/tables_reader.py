"""The reader of published tables: of their Parquet files, and of CSV files as Arrow tables.

Two readers do without Arrow: `csv_rows` in `cells.py`, because `check` must start fast, and
`verify.py`, which must work without this project.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, TypeAlias, TypeVar

from defectors_data.models.closed_vocabularies import TermKind
from defectors_data.package import published_folder

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

Row: TypeAlias = dict[str, Any]

MOST_LISTED = 50
"""Maximum number of sources that the descriptor and the documents list individually."""

BATCH = 4 * 1024
"""Maximum number of rows in a batch."""


def _in_memory(file: BinaryIO) -> pa.BufferReader:
    """Return the rest of a file in memory that belongs to Arrow.

    Most functions of pyarrow read in threads. A thread that still uses a Python object when the
    process ends aborts it, so these functions get neither a Python file nor Python bytes.
    """
    import pyarrow as pa  # noqa: PLC0415  # slow to import

    content = file.read()
    buffer = pa.allocate_buffer(len(content))
    with pa.FixedSizeBufferWriter(buffer) as writer:
        writer.write(content)
    return pa.BufferReader(buffer)


def read_csv(file: BinaryIO, schema: pa.Schema) -> pa.Table:
    """Return the rows of a published CSV file, with the columns and types of the schema.

    Raises:
        pyarrow.ArrowException: a column is missing, or a cell does not have the type of its column.
    """
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.csv  # noqa: PLC0415

    source: Any = _in_memory(file)
    # In one block, because a row must not extend over two.
    reading = pa.csv.ReadOptions(use_threads=False, block_size=max(1, source.size()))
    parsing = pa.csv.ParseOptions(newlines_in_values=True)
    converting = pa.csv.ConvertOptions(
        column_types=schema,
        include_columns=schema.names,
        null_values=[""],
        strings_can_be_null=True,
        true_values=["true"],
        false_values=["false"],
    )
    return pa.csv.read_csv(source, reading, parsing, converting).cast(schema)


class PackageTables:
    """The finished tables of a package.

    A table that was left out is read as one without rows or columns, and a column that was left out
    as empty if it is asked for by name.
    """

    def __init__(self, folder: Path, names: Collection[str]) -> None:
        """Set the folder that contains `data/`, and the names of its tables."""
        self.folder, self.names = folder, tuple(names)
        self._schemas: dict[str, pa.Schema] = {}
        self._metadata: dict[str, pq.FileMetaData] = {}

    def has(self, name: str) -> bool:
        """Return whether the package has the table `name`."""
        return name in self.names

    def number(self, name: str) -> int:
        """Return the number of rows of a table."""
        metadata = self._described(name)
        return metadata.num_rows if metadata else 0

    def column_names(self, name: str) -> list[str]:
        """Return the names of the columns that a table has; none if it was left out."""
        return list(self.schema(name).names) if self.has(name) else []

    def has_values(self, name: str, column: str) -> bool:
        """Return whether any cell of a column is filled, by the statistics of the Parquet file."""
        metadata = self._described(name)
        if metadata is None:
            return False
        at = self.schema(name).get_field_index(column)
        for group in range(metadata.num_row_groups):
            chunk = metadata.row_group(group).column(at)
            if not chunk.statistics or chunk.statistics.null_count != chunk.num_values:
                return True
        return False

    def schema(self, name: str) -> pa.Schema:
        """Return the Arrow schema of a table.

        Raises:
            KeyError: the table was left out.
        """
        if name not in self._schemas:
            with self._opened(name) as file:
                if file is None:
                    raise KeyError(name)
                self._schemas[name] = file.schema_arrow
        return self._schemas[name]

    def table(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """Return a whole table, with all columns or with some in this order.

        Raises:
            KeyError: the table was left out.
        """
        with self._opened(name) as file:
            if file is None:
                raise KeyError(name)
            if columns is None:
                return file.read(use_threads=False)
            return _filled(file.read(list(columns), use_threads=False), columns)

    def rows(self, name: str, columns: Sequence[str] | None = None) -> Iterator[Row]:
        """Yield the rows of a table in order, with all or some columns."""
        for batch in self.batches(name, columns):
            yield from batch.to_pylist()

    def terms(self, kind: TermKind | Literal["measure"]) -> list[Row]:
        """Return the terms of a vocabulary, or the measures, each as a row with its `term`."""
        if kind == "measure":
            return [{**row, "term": row["measure"]} for row in self.rows("measures")]
        return [row for row in self.rows("terms") if row["kind"] == kind]

    def labels(self, kind: TermKind | Literal["measure"]) -> dict[str, str]:
        """Return the labels of the terms of a vocabulary, or of the measures, by term."""
        return {row["term"]: row["label"] for row in self.terms(kind)}

    def among(
        self, name: str, column: str, values: Collection[str], columns: Sequence[str] | None = None
    ) -> Iterator[Row]:
        """Yield the rows whose cell in `column` is one of `values`.

        The rows have this column and `columns` (default: all). Row groups that cannot contain such
        a row are not read.
        """
        import pyarrow as pa  # noqa: PLC0415  # slow to import
        import pyarrow.compute as pc  # noqa: PLC0415

        wanted = pa.array(sorted(values), pa.string())
        if columns is not None:
            columns = [column, *(other for other in columns if other != column)]
        with self._opened(name) as file:
            if not file or not values or column not in file.schema_arrow.names:
                return
            groups = _groups_with(file, column, sorted(values))
            for batch in _batches(file, columns, groups):
                yield from batch.filter(pc.is_in(batch[column], value_set=wanted)).to_pylist()

    def by_source(self, columns: Mapping[str, Sequence[str]]) -> Iterator[dict[str, list[Row]]]:
        """Yield the rows of each source, by table.

        `columns` lists the columns to read besides `source_id`, by table. In each of these tables,
        every row must have a source, and rows must be ordered by source.
        """
        of_source = itemgetter("source_id")
        empty: tuple[str, Iterator[Row]] = ("", iter(()))  # no source has an empty id
        grouped, next_of = {}, {}
        for name, wanted in columns.items():
            grouped[name] = groupby(self.rows(name, ["source_id", *wanted]), of_source)
            next_of[name] = next(grouped[name], empty)
        for source in self.rows("sources", ["source_id"]):
            found: dict[str, list[Row]] = {name: [] for name in columns}
            for name, (source_id, rows) in next_of.items():
                if source_id == source["source_id"]:
                    # `groupby` loses the rows of a group when the next one begins.
                    found[name] = list(rows)
                    next_of[name] = next(grouped[name], empty)
            yield found

    def count(self, name: str, column: str) -> Counter[Any]:
        """Return the number of rows for each value of a column; null is counted as None."""
        import pyarrow.compute as pc  # noqa: PLC0415

        found: Counter[Any] = Counter()
        for batch in self.batches(name, [column]):
            values, counts = pc.value_counts(batch[column]).flatten()
            found.update(dict(zip(values.to_pylist(), counts.to_pylist(), strict=True)))
        return found

    def sum(self, name: str, column: str) -> int:
        """Return the sum of a column of integers."""
        import pyarrow.compute as pc  # noqa: PLC0415

        total: int = 0
        for batch in self.batches(name, [column]):
            total += pc.sum(batch[column]).as_py() or 0  # null if the batch has no values
        return total

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a table in order, in batches of at most `BATCH` rows."""
        with self._opened(name) as file:
            if file:
                yield from _batches(file, columns, range(file.num_row_groups))

    def _described(self, name: str) -> pq.FileMetaData | None:
        """Return the metadata of a Parquet file, which is opened once; None if it was left out."""
        if self.has(name) and name not in self._metadata:
            with self._opened(name):
                pass
        return self._metadata.get(name)

    @contextmanager
    def _opened(self, name: str) -> Iterator[pq.ParquetFile | None]:
        import pyarrow.parquet as pq  # noqa: PLC0415

        if not self.has(name):
            yield None
            return
        with published_folder.opened(self.folder, f"data/{name}.parquet") as opened:
            # Without read-ahead, whose buffers are never freed, this thread alone reads the Python
            # file.
            known = self._metadata.get(name)
            file = pq.ParquetFile(opened, metadata=known, pre_buffer=False)
            self._metadata[name] = file.metadata
            yield file


def _batches(
    file: pq.ParquetFile, columns: Sequence[str] | None, groups: Iterable[int]
) -> Iterator[pa.RecordBatch]:
    wanted = list(columns) if columns else None
    absent = set(wanted or ()) - set(file.schema_arrow.names)
    for batch in file.iter_batches(BATCH, list(groups), wanted, use_threads=False):
        if wanted and absent:
            yield _filled(batch, wanted)
        else:
            yield batch


_Rows = TypeVar("_Rows", "pa.Table", "pa.RecordBatch")


def _filled(rows: _Rows, columns: Sequence[str]) -> _Rows:
    """Return these columns of rows in this order; columns that are missing are empty."""
    import pyarrow as pa  # noqa: PLC0415  # slow to import

    for column in columns:
        if column not in rows.schema.names:
            rows = rows.append_column(column, pa.nulls(rows.num_rows))
    return rows.select(list(columns))


def _groups_with(file: pq.ParquetFile, column: str, values: Sequence[str]) -> list[int]:
    """Return the row groups that may contain one of the values, which are ordered."""
    at = file.schema_arrow.get_field_index(column)
    found = []
    for group in range(file.num_row_groups):
        statistics = file.metadata.row_group(group).column(at).statistics
        if statistics is None or not statistics.has_min_max:
            found.append(group)
            continue
        nearest = bisect_left(values, str(statistics.min))
        if nearest < len(values) and values[nearest] <= str(statistics.max):
            found.append(group)
    return found
