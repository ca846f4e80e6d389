"""Stata files (`.dta` version 118, Stata 14 or later; UTF-8), one for each table.

The label of a variable is the beginning of the column's description. Columns with a closed list of
values are integers with value labels, dates are `%td`, Booleans are 0 and 1, and texts of more than
2,045 bytes are `strL`. An empty string represents a missing text, because Stata has no missing
strings. `variables.csv` lists all variables with their columns.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from defectors_data.models.columns import Column, RowModel
from defectors_data.readers.article_copies import ExportError
from defectors_data.readers.exports.exported_records import ExportedCorpus, Files

if TYPE_CHECKING:
    import pandas as pd

LONGEST_NAME, LONGEST_LABEL = 32, 80
"""Maximum lengths of a variable's name and label; no column of a table has a longer name."""
EARLIEST, LATEST = date(1678, 1, 1), date(2261, 12, 31)
"""The first and the last day that pandas can write."""
_WRITTEN = datetime(1980, 1, 1)  # noqa: DTZ001  # the format has no time zone
"""The time in each file, fixed so that the same tables give the same bytes."""


def files(corpus: ExportedCorpus) -> Files:
    """Yield the list of variables and a file for each table.

    Raises:
        ExportError: a table contains a date that cannot be written.
    """
    tables = {row: _variables(published) for row, published in corpus.published().items()}
    listed = io.StringIO()
    writer = csv.writer(listed, lineterminator="\n")
    writer.writerow(["table", "variable", "column", "description"])
    for row, variables in tables.items():
        for name, column in variables.items():
            writer.writerow([row.TABLE.name, name, column.name, column.description])
    yield "variables.csv", listed.getvalue().encode()
    for row, variables in tables.items():
        yield f"{row.TABLE.name}.dta", _file(corpus, row, variables)


def variable_names(names: Sequence[str]) -> list[str]:
    """Return the names of variables for columns: a reserved word gets an underscore in front."""
    from pandas.io.stata import StataParser  # noqa: PLC0415  # slow to import

    reserved = StataParser().RESERVED_WORDS  # type: ignore[attr-defined]  # the stubs lack it
    prefixes = {name: "_" for name in names if name in reserved}
    return [f"{prefixes.get(name, '')}{name}" for name in names]


def _variables(published: Sequence[Column]) -> dict[str, Column]:
    """Return the columns of a table, by the name of the variable."""
    names = variable_names([column.name for column in published])
    return dict(zip(names, published, strict=True))


def _file(corpus: ExportedCorpus, row: type[RowModel], variables: Mapping[str, Column]) -> bytes:
    import pandas as pd  # noqa: PLC0415  # slow to import

    table = row.TABLE.name
    found = list(corpus.tables.rows(table))
    series, descriptions = {}, dict[Any, str]()
    formats: dict[Any, Any] = {}
    for name, column in variables.items():
        series[name] = _series(table, column, [each[column.name] for each in found])
        descriptions[name] = shorten(column.description, LONGEST_LABEL, placeholder="…")
        if column.type is date:
            formats[name] = "%td"
    written = io.BytesIO()
    pd.DataFrame(series).to_stata(
        written,
        version=118,
        write_index=False,
        time_stamp=_WRITTEN,
        data_label=shorten(row.TABLE.title, LONGEST_LABEL, placeholder="…"),
        convert_dates=formats,
        variable_labels=descriptions,
    )
    return written.getvalue()


def _series(table: str, column: Column, cells: list[Any]) -> pd.Series[Any]:
    import pandas as pd  # noqa: PLC0415

    if column.choices and cells:  # pandas cannot write value labels for an empty table
        return pd.Series(pd.Categorical(cells, categories=list(column.choices)))
    if column.type is str:
        return pd.Series([cell or "" for cell in cells], dtype=object)
    if column.type is date:
        if not all(cell is None or EARLIEST <= cell <= LATEST for cell in cells):
            problem = f"A date in {column.name} of {table} is before 1678 or after 2261"
            raise ExportError(f"{problem}: choose another format.")
        return pd.Series(pd.to_datetime(cells))
    # In pandas, a column of plain integers cannot have empty cells, so a column with empty cells is
    # written as floats.
    if None in cells or column.type is float:
        return pd.Series(cells, dtype="float64")
    kind = "int8" if column.type is bool else "int64"
    return pd.Series(cells, dtype=kind)
