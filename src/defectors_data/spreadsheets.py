"""Advice on published cells that a spreadsheet would run as a formula.

The articles' words are published unchanged, so such cells cannot be avoided: this is advice to readers, not a finding.
"""

from __future__ import annotations

from defectors_data.published_tables import Tables

_FORMULA = r"^[=+\-@\t\r]"
"""What a cell begins with that a spreadsheet takes for a formula (OWASP, CSV Injection)."""

MOST_NAMED = 20
"""Cells that are named one by one."""


def advice(tables: Tables) -> list[str]:
    """Return lines that name the text cells of these tables that begin like a formula; none where there are none.

    A row is named by its first column, which is its key.
    """
    import pyarrow as pa  # noqa: PLC0415  # slow to import
    import pyarrow.compute as pc  # noqa: PLC0415

    cells: list[tuple[str, str, str]] = []
    for name in sorted(tables.names):
        for batch in tables.batches(name):
            for column in batch.schema.names:
                if pa.types.is_string(batch.schema.field(column).type):
                    begin = pc.fill_null(pc.match_substring_regex(batch[column], _FORMULA), fill_value=False)
                    cells += [(name, str(key), column) for key in batch.filter(begin)[0].to_pylist()]
    if not cells:
        return []
    begin = "1 published cell begins" if len(cells) == 1 else f"{len(cells)} published cells begin"
    more = [f"    and {len(cells) - MOST_NAMED} more"] if len(cells) > MOST_NAMED else []
    return [
        f"{begin} like a formula. In a spreadsheet, import the CSV with every column as text:",
        *(f"    {name}.csv: {column} of {key}" for name, key, column in cells[:MOST_NAMED]),
        *more,
    ]
