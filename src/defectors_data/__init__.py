"""Annotations of news articles, checked against the articles and published as a data package.

`tables()` lists the published tables, `load(name)` returns one as a pandas or polars DataFrame or
an Arrow table, and `describe(name)` explains its columns. `find(text)` searches the quoted words of
the articles, `compare(measure)` compares the figures of a measure, `why(cell)` shows the words that
support a cell, `cite()` returns a citation, and `descriptor()` returns the metadata. Reading a file
that was changed after it was published gives a `ChangedFileWarning`. `__version__` is the version
of the library.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from defectors_data.readers.dataset import (
        ChangedFileWarning,
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
    "ChangedFileWarning",
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
    """Return a public object of the library by its name.

    The module `dataset` is imported only on first use, because the command line starts faster
    without it.
    """
    if name == "__version__":
        from importlib import metadata  # noqa: PLC0415

        return metadata.version("defectors-data")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from defectors_data.readers import dataset  # noqa: PLC0415

    return getattr(dataset, name)


def __dir__() -> list[str]:
    """Return the names of the module, also those that are imported on first use, for editors."""
    return sorted({*globals(), *__all__, "__version__"})
