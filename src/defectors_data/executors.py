"""Executors map a function over batches, in this process, in a pool, or on a Dask cluster.

All of them yield the same results in the order of the batches, and submit at most a few batches
ahead, so that the memory needed does not grow with the corpus.
"""

from __future__ import annotations

import gc
import sys
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cache, partial
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Batch = TypeVar("Batch")
Result = TypeVar("Result")


class Executor(Protocol):
    """A callable that maps a function over batches, with the same `shared` arguments for all."""

    def __call__(
        self, function: Callable[..., Result], batches: Iterable[Batch], *shared: object
    ) -> Iterator[Result]:
        """Yield the result of each batch, in order."""
        ...


def serial(
    function: Callable[..., Result], batches: Iterable[Batch], *shared: object
) -> Iterator[Result]:
    """Process the batches in this process, one after the other."""
    for batch in batches:
        yield function(batch, *shared)


def pool(jobs: int) -> Executor:
    """Return an executor that uses `jobs` processes on this machine, or `serial` if `jobs` is 1."""
    return serial if jobs == 1 else partial(_pooled, jobs)


class CachingExecutor:
    """An executor in this process that keeps the results of its last run for equal batches.

    The cache is valid as long as only batches change, not the function, the shared arguments, or
    files that batches refer to.
    """

    def __init__(self, key: Callable[[Any], Hashable]) -> None:
        """Begin with an empty cache; `key` returns what identifies a batch and its content."""
        self._key, self._results = key, dict[Hashable, Any]()

    def __call__(
        self, function: Callable[..., Result], batches: Iterable[Batch], *shared: object
    ) -> Iterator[Result]:
        """Yield the result of each batch, in order."""
        # Only results of this run are kept, so that the cache does not grow with each run.
        before, self._results = self._results, {}
        for batch in batches:
            key = self._key(batch)
            self._results[key] = before[key] if key in before else function(batch, *shared)
            yield self._results[key]


_AHEAD = 2
"""Number of batches submitted ahead for each process."""


def _pooled(
    jobs: int, function: Callable[..., Result], batches: Iterable[Batch], *shared: object
) -> Iterator[Result]:
    import multiprocessing  # noqa: PLC0415  # slow to import
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    # A forked process would copy locks that pyarrow's threads have acquired, and could wait for
    # them forever.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(
        jobs, context, initializer=_start, initargs=(function, shared)
    ) as processes:
        waiting: deque[Future[Result]] = deque()
        try:
            for batch in batches:
                waiting.append(processes.submit(_work, batch))
                if len(waiting) > _AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # If the caller stops early, the batches that have not started are not processed.
            processes.shutdown(wait=True, cancel_futures=True)


_function: Callable[..., Any]
_shared: tuple[object, ...]


def _start(function: Callable[..., Any], shared: tuple[object, ...]) -> None:
    """Store the function and the shared arguments in a process of a pool, once for all batches."""
    global _function, _shared  # a process has one of each
    _function, _shared = function, shared
    gc.set_threshold(_RARELY)


def _work(batch: object) -> Any:
    return _function(batch, *_shared)


_RARELY = 500_000
"""Number of new objects after which garbage is collected; high, because few form cycles."""


# ---- memory ------------------------------------------------------------------------------------------------------


LEAST_ADDRESS_SPACE = 3 * 1024**3
"""Minimum address space (`ulimit -v`) in bytes; with less, Arrow and DuckDB may wait forever."""
LEAST_TO_LOAD = 256 * 1024**2
"""Minimum address space in bytes; with less, libraries may end the process while they are loaded."""


class AddressSpaceError(MemoryError):
    """The limit on the address space of this process is too low for Arrow and DuckDB."""


def low_limit(least: int = LEAST_ADDRESS_SPACE) -> str:
    """Return a sentence if the limit on the address space is less than `least`, in bytes; else ""."""
    try:
        import resource  # noqa: PLC0415  # Windows has none, and no such limit
    except ImportError:
        return ""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY or limit >= least:
        return ""
    needed = LEAST_ADDRESS_SPACE // 1024
    return f"The limit on memory is too low: set `ulimit -v {needed}` or a higher one."


_SPARING = "jemalloc"
"""The allocator that returns memory to the system soonest; some builds of pyarrow lack it."""


@cache
def spare() -> None:
    """Reduce pyarrow's memory: an allocator that returns memory soon, and no import of pandas.

    pyarrow imports pandas when it converts its first Python value, to check for pandas types, which
    are not used here. Later imports of pandas succeed.

    Raises:
        AddressSpaceError: the limit on the address space is too low.
    """
    if problem := low_limit():
        raise AddressSpaceError(problem)
    import pyarrow as pa  # noqa: PLC0415  # slow to import

    if _SPARING in pa.supported_memory_backends():
        pa.set_memory_pool(pa.jemalloc_memory_pool())
    if "pandas" in sys.modules:
        return
    without = _PandasBlocker()
    sys.meta_path.insert(0, without)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(without)


class _PandasBlocker(MetaPathFinder):
    """An import hook that hides pandas."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002
        """Raise an error for pandas, and leave other modules to the next finder."""
        if fullname == "pandas":
            raise ModuleNotFoundError(name=fullname)


def give_back() -> None:
    """Return free memory to the system with malloc_trim(3); without glibc, do nothing."""
    import ctypes  # noqa: PLC0415  # only a build needs it

    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
