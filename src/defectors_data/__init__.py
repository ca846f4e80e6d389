"""Hand annotations of news articles, proved against the articles' own words and published as a data package.

`tables()` names the published tables, `load(name)` gives one as a pandas DataFrame (or for polars or Arrow),
`describe(name)` says what its columns mean, `why(cell)` on which words a cell rests, `cite()` how the dataset is cited,
and `descriptor()` gives the metadata.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from defectors_data.dataset import Engine, cite, describe, descriptor, load, tables, why

__all__ = ["Engine", "cite", "describe", "descriptor", "load", "tables", "why"]


def __getattr__(name: str) -> Any:
    """Import the reader's library when it is asked for: the command line starts without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from defectors_data import dataset  # noqa: PLC0415

    return getattr(dataset, name)


def __dir__() -> list[str]:
    """Name what can be asked for, so that an editor completes it."""
    return sorted({*globals(), *__all__})
