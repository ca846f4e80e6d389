"""Advice on published cells that a spreadsheet would run as a formula.

The articles' words are published unchanged, so such cells cannot be avoided: this is advice to readers, not a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa

    from defectors_data.published_tables import Tables

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet takes for a formula (OWASP, CSV Injection)."""

MOST_NAMED = 20
"""Cells that are named one by one."""


def advice(tables: Tables) -> list[str]:
    """Return lines that name the text cells that begin like a formula; none where there are none.

    A row is named by its first column, which is its key.
    """
    number, named = 0, list[str]()
    for name in sorted(tables.names):
        for batch in tables.batches(name):
            cells = sorted(_cells(batch))
            number += len(cells)
            named += [f"    {name}.csv: {column} of {key}" for key, column in cells[: MOST_NAMED - len(named)]]
    if not number:
        return []
    begin = "1 published cell begins" if number == 1 else f"{number} published cells begin"
    more = [f"    and {number - MOST_NAMED} more"] if number > MOST_NAMED else []
    return [f"{begin} like a formula. In a spreadsheet, import the CSV with every column as text:", *named, *more]


def _cells(batch: pa.RecordBatch) -> Iterator[tuple[str, str]]:
    """Give the key and the column of each text cell that begins like a formula."""
    import pyarrow as pa  # noqa: PLC0415  # slow to import, and a check needs none
    import pyarrow.compute as pc  # noqa: PLC0415

    for column, cells in zip(batch.schema.names, batch.columns, strict=True):
        if pa.types.is_string(cells.type):
            begin = pc.match_substring_regex(cells, f"^[{re.escape(''.join(FORMULA))}]")
            yield from ((str(key), column) for key in batch.column(0).filter(begin).to_pylist())
