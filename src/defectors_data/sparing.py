"""What keeps a process that makes many rows small and quick: only how memory is had, never what comes out."""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder

import pyarrow as pa


def spare() -> None:
    """Have pyarrow leave pandas out, and take its memory where all else does.

    pyarrow imports pandas with the first list that becomes a column, to tell whether it is one of pandas' own; none is.
    Who wants pandas later gets it. Its own memory it gives back to the system at once, only to ask for it again.
    """
    pa.set_memory_pool(pa.system_memory_pool())
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
