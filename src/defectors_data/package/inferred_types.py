"""The columns of CSV and Parquet files whose types frictionless infers wrongly from a file alone.

Like other tools, it infers the type of a column from the first `SAMPLE` rows: that of at least 90%
of the cells. Every cell that does not fit this type is then an error. A null in Parquet fits every
type, so a column that is almost empty there becomes a year with a month.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from defectors_data.package.cells import MAX_CELLS_LISTED, cell_text

if TYPE_CHECKING:
    from frictionless import Field

    from defectors_data.package.tables_reader import PackageTables

SAMPLE = 99
"""The number of rows from which types are inferred: a hundred with the header."""

_NAMES = {
    "yearmonth": "a year with a month",
    "array": "a list",
    "time": "a time",
    "date": "a date",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}
"""The types of frictionless in words; others have the form of rare texts."""


def advice(tables: PackageTables) -> list[str]:
    """Return a warning, in lines, about the columns that tools misread without the descriptor."""
    found = [line for name in sorted(tables.names) for line in _misread(tables, name)]
    if not found:
        return []
    listed = found[:MAX_CELLS_LISTED]
    if len(found) > MAX_CELLS_LISTED:
        listed.append(f"    and {len(found) - MAX_CELLS_LISTED} more")
    begin = "A tool that infers types misreads these columns, unless it reads datapackage.json:"
    return [begin, *listed]


def _misread(tables: PackageTables, name: str) -> Iterator[str]:
    """Yield a line for each column of a table that a tool misreads, in CSV or Parquet."""
    first = next(iter(tables.batches(name)), None)
    sample = first.slice(0, SAMPLE).to_pydict() if first is not None else {}
    key = next(iter(sample), "")
    texts = {}
    for column, cells in sample.items():
        texts[column] = [cell_text(cell) or "" for cell in cells]
    inferred = {"csv": _inferred(texts), "parquet": _inferred(sample)}
    for column in sample:
        for ending, fields in inferred.items():
            field = fields[column]
            if field.type in ("string", "any"):
                continue
            row = _misfit(tables, name, (key, column), field, as_text=ending == "csv")
            if row is not None:
                kind = _NAMES.get(field.type, field.type)
                yield f"    {name}.{ending}: {column} as {kind}, which {row} does not have"


def _inferred(sample: dict[str, list[Any]]) -> dict[str, Field]:
    """Return the fields that are inferred from the first cells of each column, by column."""
    from frictionless import Detector  # noqa: PLC0415  # slow to import

    # All columns at once: each call makes a field of every type, which takes most of the time.
    rows = [list(cells) for cells in zip(*sample.values(), strict=True)]
    fields = Detector().detect_schema(rows, labels=list(sample)).fields
    return {field.name: field for field in fields}


def _misfit(
    tables: PackageTables, name: str, columns: tuple[str, str], field: Field, *, as_text: bool
) -> str | None:
    """Return the key of a row whose cell does not fit the type, or None if all fit."""
    key, column = columns
    read = field.create_cell_reader()
    for batch in tables.batches(name, list(dict.fromkeys(columns))):
        # A column has far fewer different cells than rows.
        for cell in batch.column(column).unique().to_pylist():
            shown = cell_text(cell) if as_text else cell
            _, notes = read(shown)
            if notes:
                row = batch.column(column).to_pylist().index(cell)
                return str(batch.column(key)[row])
    return None
