"""Why the cells of a record hold what they hold, read from the table of provenance."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import NamedTuple

from defectors_data.wording import Row, Rows


class Certificate(NamedTuple):
    """What some columns of a record rest on."""

    columns: tuple[str, ...]
    basis: str
    told: str | None
    """How they were made, or what there is to know."""
    spans: tuple[Row, ...]
    """The words they rest on."""


class Certificates:
    """Gives the certificates of any record."""

    def __init__(self, rows: Rows) -> None:
        """Take the tables as rows; `provenance` and `spans` are looked up."""
        self.of_cell: dict[tuple[str, str, str | None], list[Row]] = defaultdict(list)
        for row in rows["provenance"]:  # of a shared speaker, a row for each source
            self.of_cell[row["table"], row["column"], row["record_id"]].append(row)
        self.spans = {row["span_id"]: row for row in rows["spans"]}
        self.of_field: dict[tuple[str, str], list[str]] = defaultdict(list)
        for span in rows["spans"]:
            self.of_field[span["record_id"], span["field"]].append(span["span_id"])

    def of(self, table: str, record_id: str, row: Row, *, without: Collection[str] = ()) -> list[Certificate]:
        """Return the certificates of a record's cells that are not empty, those of the same words together."""
        grouped: dict[tuple[str, str | None, tuple[str, ...]], list[str]] = defaultdict(list)
        for column, cell in row.items():
            if cell is not None and column not in without:
                grouped[self._cell(table, record_id, column)].append(column)
        return [
            Certificate(tuple(columns), basis, told, tuple(self.spans[name] for name in names))
            for (basis, told, names), columns in grouped.items()
        ]

    def _cell(self, table: str, record_id: str, column: str) -> tuple[str, str | None, tuple[str, ...]]:
        [whole] = self.of_cell[table, column, None]
        own = self.of_cell.get((table, column, record_id), [])
        made = own[0] if own else whole
        told = f"by {made['function']} from {made['inputs']}" if made["function"] else made["note"]
        if own:
            return made["basis"], told, tuple(name for row in own for name in (row["spans"] or "").split(";") if name)
        return whole["basis"], told, tuple(self.of_field[record_id, whole["span_field"] or ""])
