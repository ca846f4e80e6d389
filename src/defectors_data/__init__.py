"""Hand annotations of news articles, checked against the articles' own words and published as a data package.

`tables()` lists the published tables, `load(name)` returns one as a pandas DataFrame (or for polars or Arrow), and
`describe(name)` explains its columns. `find(text)` searches the articles' words, `compare(measure)` compares figures,
`why(cell)` shows the words that support a cell, `cite()` returns a citation, and `descriptor()` the metadata.
`__version__` is the version of the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from defectors_data.dataset import (
        Dates,
        Engine,
        Explanation,
        cite,
        compare,
        describe,
        descriptor,
        find,
        load,
        tables,
        why,
    )

    __version__: str

__all__ = [
    "Dates",
    "Engine",
    "Explanation",
    "cite",
    "compare",
    "describe",
    "descriptor",
    "find",
    "load",
    "tables",
    "why",
]


def __getattr__(name: str) -> Any:
    """Import the library for readers on first use, so that the command line starts without it."""
    if name == "__version__":
        from importlib import metadata  # noqa: PLC0415

        return metadata.version("defectors-data")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from defectors_data import dataset  # noqa: PLC0415

    return getattr(dataset, name)


def __dir__() -> list[str]:
    """Return the public names, for completion in an editor."""
    return sorted({*globals(), *__all__, "__version__"})
