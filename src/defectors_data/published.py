"""The published package as a reader's library: tables as data frames, what their columns mean, why a cell says that.

Everything is read from the package that is installed with the library; nothing is fetched. pandas, polars and pyarrow
are imported by the function that needs them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

from defectors_data import tracing

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

Engine = Literal["pandas", "polars", "arrow"]
"""What a table is loaded into."""


def tables() -> list[str]:
    """Return the names of the published tables."""
    return [resource["name"] for resource in _tables()]


@overload
def load(table: str, *, engine: Literal["pandas"] = "pandas") -> pd.DataFrame: ...
@overload
def load(table: str, *, engine: Literal["polars"]) -> pl.DataFrame: ...
@overload
def load(table: str, *, engine: Literal["arrow"]) -> pa.Table: ...
def load(table: str, *, engine: Engine = "pandas") -> pd.DataFrame | pl.DataFrame | pa.Table:
    """Return a published table, one row for each of its records, in the published order.

    Offsets are Unicode code points, counted from 0, the end exclusive. In pandas, nullable integers are `Int64`,
    booleans `boolean`, dates `datetime.date`. Arrow's fields carry the sentence that `describe` gives.

    Args:
        table: One of `tables()`.
        engine: `pandas`, `polars` or `arrow`; polars has to be installed (`pip install polars`).

    Raises:
        KeyError: there is no table of this name.
        ValueError: there is no engine of this name.
        ModuleNotFoundError: the engine is not installed.
    """
    path = _folder() / "data" / f"{_resource(table)['name']}.parquet"
    if engine == "pandas":
        import pandas as pd  # noqa: PLC0415

        return pd.read_parquet(path)
    if engine == "polars":
        return _into_polars(path)
    if engine == "arrow":
        import pyarrow.parquet as pq  # noqa: PLC0415

        return pq.read_table(path)
    raise ValueError(f"There is no engine {engine!r}. There are: {', '.join(get_args(Engine))}.")


def describe(table: str) -> pd.DataFrame:
    """Return the columns of a table as a pandas DataFrame, one row for each.

    Its columns: `column`, `type`, `unit` (of a number that has one), `nullable` (whether a cell may be empty),
    `values` (of a closed vocabulary, with ` | ` between), `example` (invented) and `meaning`.

    Raises:
        KeyError: there is no table of this name.
    """
    import pandas as pd  # noqa: PLC0415

    fields = _resource(table)["schema"]["fields"]
    return pd.DataFrame([_described(field) for field in fields])


def cite(record: str | None = None) -> str:
    """Return how the dataset is cited, or one record of it: TABLE/ID, such as `testimonies/` and an id.

    Raises:
        KeyError: there is no such record.
    """
    said = str(json.loads((_folder() / "croissant.json").read_text(encoding="utf-8"))["citeAs"])
    if record is None:
        return said
    table, _, name = record.partition("/")
    key = _resource(table)["schema"]["primaryKey"][0]
    if name not in load(table, engine="arrow").column(key).to_pylist():
        raise KeyError(f"The table {table} has no row of that {key}.")
    return f"{said.removesuffix('.')}, {record}."


def why(cell: str) -> str:
    """Return why a cell holds what it holds: its certificate, and the published words with a caret under them.

    `print(why("figures/ID/value"))` shows one cell, `why("figures/ID")` every filled one of the row.

    Raises:
        KeyError: there is no such cell, or it is empty.
    """
    try:
        found = tracing.trace(_folder(), cell)
    except tracing.NoCell as error:
        raise KeyError(str(error)) from None
    return "\n".join(line for item in found for line in tracing.lines(item))


def descriptor() -> dict[str, Any]:
    """Return the package's `datapackage.json`."""
    content: dict[str, Any] = json.loads((_folder() / "datapackage.json").read_text(encoding="utf-8"))
    return content


def _tables() -> list[dict[str, Any]]:
    return [resource for resource in descriptor()["resources"] if resource.get("type") == "table"]


def _resource(table: str) -> dict[str, Any]:
    found = {resource["name"]: resource for resource in _tables()}
    if table not in found:
        raise KeyError(f"There is no table {table!r}. There are: {', '.join(found)}.")
    return found[table]


def _described(field: dict[str, Any]) -> dict[str, Any]:
    return {
        "column": field["name"],
        "type": field["type"],
        "unit": field.get("unit"),
        "nullable": not field["constraints"]["required"],
        "values": " | ".join(field["constraints"].get("enum", [])) or None,
        "example": field["example"],
        "meaning": field["description"],
    }


def _into_polars(path: Path) -> pl.DataFrame:
    """Return a table for polars, which the library does without where nobody asks for it."""
    try:
        import polars as pl  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("polars is not installed: pip install polars", name="polars") from error
    return pl.read_parquet(path)


def _folder() -> Path:
    """Return where the published package is: in the installed package, or in the checkout that it runs from."""
    installed = Path(__file__).parent / "dist"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "dist"
