"""What a process that does nothing but check packages can do without."""

from __future__ import annotations

import importlib.abc
import sys
from collections.abc import Sequence
from types import ModuleType

_SPARING = "jemalloc"
"""An allocator that gives memory back sooner than the others, where pyarrow has it."""


class _NoPandas(importlib.abc.MetaPathFinder):
    """Says that pandas is not there."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> None:
        """Refuse pandas, and leave all else to others.

        Raises:
            ModuleNotFoundError: pandas is looked for.
        """
        del path, target
        if name == "pandas":
            raise ModuleNotFoundError(name)


def begin() -> None:
    """Let pyarrow do without pandas, and with little memory, as long as the process lasts.

    Each value that pyarrow takes from Python might be one of pandas, so with the first of them it imports pandas to
    ask: a third of a second. It looks for pandas once only, and here it does so in vain.
    """
    import pyarrow as pa  # noqa: PLC0415  # slow, and what is here must be said before it is used

    finder = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        pa.scalar(0)
    finally:
        sys.meta_path.remove(finder)
    if _SPARING in pa.supported_memory_backends():
        pa.set_memory_pool(pa.jemalloc_memory_pool())
