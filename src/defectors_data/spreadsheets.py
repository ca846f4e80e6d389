"""Advice on published cells that a spreadsheet would run as a formula.

The articles' words are published unchanged, so such cells cannot be avoided: this is advice to readers, not a finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet takes for a formula (OWASP, CSV Injection)."""

MOST_NAMED = 20
"""Cells that are named one by one."""


def advice(tables: Mapping[str, pa.Table]) -> list[str]:
    """Return lines that name the text cells of these tables that begin like a formula; none where there are none.

    A row is named by its first column, which is its key.
    """
    cells = sorted(
        (name, str(key), column)
        for name, table in tables.items()
        for column in table.column_names
        for key, value in zip(table[0].to_pylist(), table[column].to_pylist(), strict=True)
        if isinstance(value, str) and value.startswith(FORMULA)
    )
    if not cells:
        return []
    begin = "1 published cell begins" if len(cells) == 1 else f"{len(cells)} published cells begin"
    more = [f"    and {len(cells) - MOST_NAMED} more"] if len(cells) > MOST_NAMED else []
    return [
        f"{begin} like a formula. In a spreadsheet, import the CSV with every column as text:",
        *(f"    {name}.csv: {column} of {key}" for name, key, column in cells[:MOST_NAMED]),
        *more,
    ]
