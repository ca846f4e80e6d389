"""The types that tools infer from a CSV or Parquet file alone, and the columns that they misread.

The rule is that of `frictionless validate FILE` (frictionless 5). A tool reads the first `SAMPLE`
rows and tries the types in the order of `_FITS`. A type is chosen if the cells that fit it, minus
those that do not, are at least 90% of the cells. An empty cell of a CSV file does not count; a null
in Parquet fits every type, so a column that is almost empty there becomes a year with a month.
Every cell that does not fit the chosen type is an error to the tool. Types that need rare forms of
text, such as places on a map, are not tried here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from defectors_data.package.cells import MAX_CELLS_LISTED, cell_text

if TYPE_CHECKING:
    from defectors_data.package.tables_reader import PackageTables

SAMPLE = 99
"""The number of rows from which a tool infers types: a hundred with the header."""

_CONFIDENCE = 0.9
_FLAGS = "true True TRUE 1 false False FALSE 0".split()


def _is_text_like(pattern: str) -> Callable[[Any], bool]:
    compiled = re.compile(pattern)
    return lambda cell: isinstance(cell, str) and compiled.fullmatch(cell) is not None


_is_day = _is_text_like("[0-9]{4}-(0?[1-9]|1[0-2])-(0?[1-9]|[12][0-9]|3[01])")
_is_whole = _is_text_like(r"\s*[+-]?[0-9]+(_[0-9]+)*\s*")
_is_decimal = _is_text_like(r"\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*")


def _is_date(cell: Any) -> bool:
    return isinstance(cell, date) or _is_day(cell)


def _is_array(cell: Any) -> bool:
    if not isinstance(cell, str) or "[" not in cell:
        return False
    try:
        return isinstance(json.loads(cell), list)
    except ValueError:
        return False


def _is_integer(cell: Any) -> bool:
    if isinstance(cell, float):
        return cell.is_integer()
    return _is_whole(cell) or (isinstance(cell, int) and not isinstance(cell, bool))


def _is_number(cell: Any) -> bool:
    return isinstance(cell, float) or _is_integer(cell) or _is_decimal(cell)


def _is_flag(cell: Any) -> bool:
    return isinstance(cell, bool) or cell in _FLAGS


_FITS: Mapping[str, Callable[[Any], bool]] = {
    "a year with a month": _is_text_like(r"\s*[0-9]+\s*-\s*(0*[1-9]|0*1[0-2])\s*"),
    "a list": _is_array,
    "a time": _is_text_like("([01]?[0-9]|2[0-3]):[0-5]?[0-9]:[0-5]?[0-9]"),
    "a date": _is_date,
    "a whole number": _is_integer,
    "a number": _is_number,
    "true or false": _is_flag,
    "text": lambda cell: isinstance(cell, str),
}
"""The types in the order in which tools try them; a function says whether a filled cell fits."""


def inferred_type(sample: Sequence[Any], *, null_fits: bool) -> str | None:
    """Return the type that a tool infers from the first cells of a column.

    It is None if no type fits enough cells. `null_fits` is True for Parquet, and False for CSV,
    where empty cells do not count.
    """
    counted, scores = len(sample), dict.fromkeys(_FITS, 0)
    for cell in sample:
        if cell is None and not null_fits:
            counted -= 1
        for kind, fits in _FITS.items():
            # A type with too many misfits is no longer tried.
            if scores[kind] < len(sample) * (_CONFIDENCE - 1):
                continue
            if cell is not None:
                scores[kind] += 1 if fits(cell) else -1
            elif null_fits:
                scores[kind] += 1
            if counted and scores[kind] >= counted * _CONFIDENCE:
                return kind
    return None


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
    for column, cells in sample.items():
        texts = [cell_text(cell) for cell in cells]
        kinds = {
            f"{name}.csv": inferred_type(texts, null_fits=False),
            f"{name}.parquet": inferred_type(cells, null_fits=True),
        }
        for file, kind in kinds.items():
            if kind is None or kind == "text":
                continue
            row = _misfit(tables, name, (key, column), kind, as_text=file.endswith(".csv"))
            if row is not None:
                yield f"    {file}: {column} as {kind}, which {row} does not have"


def _misfit(
    tables: PackageTables, name: str, columns: tuple[str, str], kind: str, *, as_text: bool
) -> str | None:
    """Return the key of a row whose cell does not fit the type, or None if all fit."""
    key, column = columns
    fits = _FITS[kind]
    for batch in tables.batches(name, list(dict.fromkeys(columns))):
        # A column has far fewer different cells than rows.
        for cell in batch.column(column).unique().to_pylist():
            shown = cell_text(cell) if as_text else cell
            if shown is not None and not fits(shown):
                row = batch.column(column).to_pylist().index(cell)
                return str(batch.column(key)[row])
    return None
