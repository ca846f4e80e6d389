"""The tables of a package without what could endanger relatives of soldiers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from defectors_data.models.tables import ROW_OF
from defectors_data.package.tables_reader import PackageTables, Row
from defectors_data.rows.labels import READ_OF_RELATIVES, with_endangered_relatives

if TYPE_CHECKING:
    import pyarrow as pa

_PAIRS = (
    ("record_table", "record_id"),
    ("table_name", "record_id"),
    ("repeats_table", "repeats_id"),
)
"""Pairs of columns with the table and the key of another row."""


class TablesWithoutRelatives(PackageTables):
    """The tables without testimonies that report relatives in danger, and what rests on them.

    These are the rows that refer to such a testimony, directly or not, and the rows of `persons`
    that summarise one. Numbers in other rows still count the whole package.
    """

    def __init__(self, folder: Path, names: Collection[str]) -> None:
        """Read the references of all rows."""
        super().__init__(folder, names)
        self._gone = set[tuple[str | None, str | None]]()
        rows = dict[str, list[Row]]()
        for name, columns in READ_OF_RELATIVES.items():
            rows[name] = list(super().rows(name, columns))
        endangered = with_endangered_relatives(rows)
        for row in rows["testimonies"]:
            if row["testimony_id"] in endangered:
                self._gone |= {
                    ("testimonies", row["testimony_id"]),
                    ("persons", row["speaker_id"]),
                }
        number = 0
        while number != len(self._gone):
            number = len(self._gone)
            for name in self.names:
                self._find_dependents(name)

    def _find_dependents(self, name: str) -> None:
        key = ROW_OF[name].TABLE.key
        for batch in super().batches(name):
            for row in batch.to_pylist():
                if not self._gone.isdisjoint(_references(name, row)):
                    self._gone.add((name, row[key]))

    def number(self, name: str) -> int:
        """Return the number of rows of a table that are kept."""
        return sum(batch.num_rows for batch in self.batches(name))

    def batches(self, name: str, columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a table that are kept, in order."""
        import pyarrow as pa  # noqa: PLC0415  # slow to import

        key = ROW_OF[name].TABLE.key
        read = columns and [key, *(column for column in columns if column != key)]
        for batch in super().batches(name, read):
            kept = [(name, found) not in self._gone for found in batch[key].to_pylist()]
            rest = batch.filter(pa.array(kept, pa.bool_()))
            yield rest.select(list(columns)) if columns else rest

    def among(
        self, name: str, column: str, values: Collection[str], columns: Sequence[str] | None = None
    ) -> Iterator[Row]:
        """Yield the rows that are kept whose cell in `column` is one of `values`."""
        read = columns and [column, *(other for other in columns if other != column)]
        yield from (row for row in self.rows(name, read) if row[column] in values)


def _references(name: str, row: Row) -> Iterator[tuple[str | None, str | None]]:
    """Yield the table and key of each row to which a row refers."""
    for column, (table, _) in ROW_OF[name].TABLE.refers.items():
        yield table, row[column]
    for table_column, column in _PAIRS:
        yield row.get(table_column), row.get(column)
    for operand in (row.get("operands") or "").split(";"):
        yield "figures", operand
