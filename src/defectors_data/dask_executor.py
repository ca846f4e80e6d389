"""An executor on a Dask cluster: one that is running, or one of processes on this machine.

A batch that was lost with its worker is processed again by another; `process` is pure, so nothing changes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import metadata
from time import sleep
from typing import TYPE_CHECKING, Any, TypeVar

from defectors_data.executors import spare
from defectors_data.package.object_store import INSTALL, NotReached

if TYPE_CHECKING:
    from distributed import Client, Future

Batch = TypeVar("Batch")
Result = TypeVar("Result")

HERE = "local"
"""Asks for a cluster on this machine, in place of an address."""

AHEAD = 4
"""Tasks for each thread of the cluster that are handed out ahead of the one that is waited for."""

NOBODY = "127.0.0.1:0"
"""Where a cluster of this machine tells how it is: to nobody on other machines, and at no port of its own."""

PATIENCE = 10
"""Seconds that a scheduler may take to answer."""


LOOKS, BETWEEN_LOOKS = 600, 0.1
"""How often it is looked whether tasks that were called off have come to an end, and the seconds between two looks."""


class Lost(Exception):
    """The cluster could not do its work; the message says why."""


class OtherVersion(Exception):
    """A worker has other versions than the process that asks; the message says which."""


@contextmanager
def cluster(scheduler: str, jobs: int) -> Iterator[Cluster]:
    """Give a cluster: that of a scheduler, or `jobs` processes of this machine, which end with it.

    Raises:
        NotReached: Dask is not installed, or no scheduler answers.
    """
    try:
        import distributed  # noqa: PLC0415  # of an extra
    except ModuleNotFoundError:
        raise NotReached(f"--scheduler needs Dask, which is not installed: {INSTALL}.") from None
    with ExitStack() as stack:
        at: Any = scheduler
        if scheduler == HERE:
            at = distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,
                processes=True,
                host="127.0.0.1",
                dashboard_address=NOBODY,
                worker_dashboard_address=NOBODY,
                silence_logs=50,
            )
            stack.enter_context(at)
        try:
            client = distributed.Client(at, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            words = " ".join(str(error).split())[:200]
            raise NotReached(f"No scheduler of Dask answers at {scheduler}: {words}.") from None
        at_work = Cluster(stack.enter_context(client))
        if scheduler == HERE:
            client.run(spare)
        else:  # the processes of this machine end here, whatever they are at; others may do other work, too
            stack.callback(at_work.stop)
        yield at_work


class Cluster:
    """A cluster that does tasks."""

    def __init__(self, client: Client) -> None:
        """Take a client that is connected."""
        self.client = client
        self.waiting: deque[Future[Any]] = deque()
        """Tasks that were handed out, in order."""

    def __call__(self, function: Callable[..., Result], batches: Iterable[Batch], *shared: object) -> Iterator[Result]:
        """Give the result of each batch, in order: an executor (`executors`).

        Only some batches are handed out ahead, and a result is let go when it was given.

        Raises:
            Lost: workers died over and over, the scheduler did, or a worker has other versions of what makes bytes.
        """
        kept = self.client.submit(_itself, (function, shared, versions()), pure=False)
        for batch in batches:
            self.waiting.append(self.client.submit(_work, batch, kept, pure=False))
            while len(self.waiting) > self._ahead():
                yield self._result(self.waiting.popleft())
        while self.waiting:
            yield self._result(self.waiting.popleft())

    def _ahead(self) -> int:
        return AHEAD * max(1, sum(map(int, self.client.ncores().values())))

    def _result(self, future: Future[Any]) -> Any:
        import distributed  # noqa: PLC0415
        from distributed.comm.core import CommClosedError  # noqa: PLC0415

        try:
            return future.result()
        except (distributed.CancelledError, distributed.KilledWorker, CommClosedError) as error:
            words = " ".join(str(error).split())[:300]
            raise Lost(f"the cluster lost a task for good ({type(error).__name__}: {words})") from None
        except OtherVersion as error:
            raise Lost(str(error)) from None
        except ModuleNotFoundError as error:
            raise Lost(f"a worker has no {error.name}: install the same on all machines") from None

    def stop(self) -> None:
        """Call off what was not begun, and wait for what was: after this, nothing is written any more."""
        keys = {str(future.key) for future in self.waiting}
        if not keys:
            return
        with suppress(Exception):  # a cluster that is gone does nothing any more
            self.client.cancel(list(self.waiting))
            for _ in range(LOOKS):
                if not any(self.client.run(_is_at, keys).values()):
                    return
                sleep(BETWEEN_LOOKS)


def _is_at(keys: Collection[str], dask_worker: Any) -> bool:
    """Tell whether a worker is at one of these tasks."""
    return any(str(task.key) in keys for task in dask_worker.state.executing)


def _itself(shared: object) -> object:
    """Return what all batches share: workers keep it, and it is made anew where it was lost with one."""
    return shared


def _work(batch: object, kept: tuple[Callable[..., Any], tuple[object, ...], tuple[str, ...]]) -> Any:
    """Process a batch on a worker, which must have the versions of what asks for it."""
    function, shared, wanted = kept
    if versions() != wanted:
        raise OtherVersion(f"a worker has {', '.join(versions())}, and {', '.join(wanted)} is asked for")
    return function(batch, *shared)


def versions() -> tuple[str, ...]:
    """Return the versions of all that decides which bytes are written."""
    return tuple(f"{name} {metadata.version(name)}" for name in ("defectors-data", "pyarrow", "pydantic"))
