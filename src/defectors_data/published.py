"""The published package as a reader's library: the tables as pandas DataFrames, and the descriptor."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def tables() -> list[str]:
    """Return the names of the published tables."""
    return [resource["name"] for resource in descriptor()["resources"] if resource.get("type") == "table"]


def load(table: str) -> pd.DataFrame:
    """Return a published table, one row for each of its records.

    Nullable integers are `Int64`, booleans `boolean`, dates `datetime.date`. Offsets are Unicode code points.

    Raises:
        KeyError: there is no table of this name.
    """
    import pandas as pd  # noqa: PLC0415  # slow, and needed here alone

    if table not in tables():
        raise KeyError(f"There is no table {table!r}. There are: {', '.join(tables())}.")
    return pd.read_parquet(_folder() / "data" / f"{table}.parquet")


def descriptor() -> dict[str, Any]:
    """Return the package's `datapackage.json`."""
    content: dict[str, Any] = json.loads((_folder() / "datapackage.json").read_text(encoding="utf-8"))
    return content


def _folder() -> Path:
    """Return where the published package is: in the installed package, or in the checkout that it runs from."""
    installed = Path(__file__).parent / "dist"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "dist"
