"""Memory settings of a process that handles many rows; they never change what comes out."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from importlib.abc import MetaPathFinder

import pyarrow as pa

_SPARING = "jemalloc"
"""An allocator that gives memory back sooner than the others, where pyarrow has it."""


@cache
def spare() -> None:
    """Have pyarrow leave pandas out, and keep little memory that it does not use.

    pyarrow imports pandas with the first value that it takes from Python, to tell whether it is one of pandas' own;
    none is. Who wants pandas later gets it.
    """
    if _SPARING in pa.supported_memory_backends():
        pa.set_memory_pool(pa.jemalloc_memory_pool())
    if "pandas" in sys.modules:
        return
    without = _Without()
    sys.meta_path.insert(0, without)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(without)


class _Without(MetaPathFinder):
    """Keeps pandas out."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002
        """Refuse pandas, and leave the rest to others."""
        if fullname == "pandas":
            raise ModuleNotFoundError(name=fullname)


def give_back() -> None:
    """Return memory to the system that is free: of many small pieces much is kept, and would stay kept.

    glibc, malloc_trim(3); elsewhere nothing is done.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
