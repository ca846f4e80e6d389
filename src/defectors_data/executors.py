"""Executors: map a function over batches, in this process, in a pool of processes, or on a Dask cluster.

Each gives the results in the order of the batches, and hands out only a few batches ahead, so that memory does not grow
with the corpus. None changes what comes out.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Batch = TypeVar("Batch")
Result = TypeVar("Result")


class Executor(Protocol):
    """Maps a function over batches; `shared` are the arguments that are the same for all."""

    def __call__(self, function: Callable[..., Result], batches: Iterable[Batch], *shared: object) -> Iterator[Result]:
        """Give the result of each batch, in order."""
        ...


def serial(function: Callable[..., Result], batches: Iterable[Batch], *shared: object) -> Iterator[Result]:
    """Process one batch after the other, in this process."""
    with rare_garbage_collection():
        for batch in batches:
            yield function(batch, *shared)


def pool(jobs: int) -> Executor:
    """Return an executor of `jobs` processes of this machine; of one, this process."""
    return serial if jobs == 1 else partial(_pooled, jobs)


_AHEAD = 2
"""Batches that are handed out ahead for each process."""


def _pooled(jobs: int, function: Callable[..., Result], batches: Iterable[Batch], *shared: object) -> Iterator[Result]:
    import multiprocessing  # noqa: PLC0415  # slow to import, and small corpora need no other process
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, context, initializer=_start, initargs=(function, shared)) as processes:
        waiting: deque[Future[Result]] = deque()
        try:
            for batch in batches:
                waiting.append(processes.submit(_work, batch))
                if len(waiting) > _AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            processes.shutdown(wait=True, cancel_futures=True)


_function: Callable[..., Any]
_shared: tuple[object, ...]


def _start(function: Callable[..., Any], shared: tuple[object, ...]) -> None:
    """Keep, in a process of a pool, what all batches share."""
    global _function, _shared  # a process has one
    _function, _shared = function, shared
    gc.set_threshold(_RARELY)


def _work(batch: object) -> Any:
    return _function(batch, *_shared)


@contextmanager
def rare_garbage_collection() -> Iterator[None]:
    """Look for reference cycles rarely: there are very many objects, and few refer to each other."""
    before = gc.get_threshold()
    gc.set_threshold(_RARELY)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        gc.set_threshold(*before)


_RARELY = 500_000
"""Objects that are made between two collections."""


# ---- memory ------------------------------------------------------------------------------------------------------


_SPARING = "jemalloc"
"""An allocator that gives memory back sooner than the others, where pyarrow has it."""


@cache
def spare() -> None:
    """Have pyarrow leave pandas out, and keep little memory that it does not use.

    pyarrow imports pandas with the first value that it takes from Python, to tell whether it is one of pandas' own;
    none is. Who wants pandas later gets it.
    """
    import pyarrow as pa  # noqa: PLC0415  # slow to import, and a check needs none

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
