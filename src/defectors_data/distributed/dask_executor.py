"""An executor on a Dask cluster: a running one, or one with processes on this machine.

A batch that is lost with its worker is processed again by another worker; the function is pure, so
the result is the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from importlib import metadata
from time import sleep
from typing import TYPE_CHECKING, Any, TypeVar

from defectors_data.distributed.object_store import INSTALL, UnreachableError
from defectors_data.executors import spare

if TYPE_CHECKING:
    from distributed import Client, Future

Batch = TypeVar("Batch")
Result = TypeVar("Result")

HERE = "local"
"""The word that, in place of an address, requests a cluster on this machine."""

AHEAD = 4
"""Number of tasks submitted ahead for each thread of the cluster."""

NOBODY = "127.0.0.1:0"
"""The address of a local cluster's dashboard: any free port, reachable from this machine only."""

PATIENCE = 10
"""Maximum time to wait for a scheduler's answer, in seconds."""

LOOKS, BETWEEN_LOOKS = 600, 0.1
"""Maximum number of checks for cancelled tasks that still run, and seconds between two."""


class ClusterError(Exception):
    """The cluster failed; the message gives the reason."""


class VersionMismatchError(Exception):
    """A worker and the client have different versions of packages; the message lists the versions."""


@contextmanager
def cluster(scheduler: str, jobs: int) -> Iterator[Cluster]:
    """Yield an executor on a scheduler's cluster or, for `local`, on `jobs` processes here.

    Local processes end with the context; the cluster of a scheduler keeps running.

    Raises:
        UnreachableError: Dask is not installed, or no scheduler answers.
    """
    try:
        import distributed  # noqa: PLC0415  # in an optional extra
    except ModuleNotFoundError:
        raise UnreachableError(
            f"--scheduler needs Dask, which is not installed: {INSTALL}."
        ) from None
    with ExitStack() as stack:
        at: Any = scheduler
        if scheduler == HERE:
            at = distributed.LocalCluster(
                n_workers=jobs,
                threads_per_worker=1,  # more threads would compete for the GIL
                processes=True,
                host="127.0.0.1",
                dashboard_address=NOBODY,
                worker_dashboard_address=NOBODY,
                silence_logs=50,  # logging.CRITICAL
            )
            stack.enter_context(at)
        try:
            # Not the default client, because other Dask code in this process must not use this
            # cluster.
            client = distributed.Client(at, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            words = " ".join(str(error).split())[:200]
            raise UnreachableError(f"No Dask scheduler answers at {scheduler}: {words}.") from None
        at_work = Cluster(stack.enter_context(client))
        if scheduler == HERE:
            client.run(spare)
        else:  # a scheduler's cluster keeps running, so its tasks must be stopped; local tasks end with their processes
            stack.callback(at_work.stop)
        yield at_work


class Cluster:
    """An executor that submits batches to a cluster."""

    def __init__(self, client: Client) -> None:
        """Create an executor that uses the connected `client`."""
        self.client = client
        self.waiting: deque[Future[Any]] = deque()
        """Submitted tasks whose results have not been requested yet, in order."""

    def __call__(
        self, function: Callable[..., Result], batches: Iterable[Batch], *shared: object
    ) -> Iterator[Result]:
        """Yield the result of each batch, in order, as an `executors.Executor` does.

        Only a few batches are submitted ahead, and the cluster releases each result once it has
        been fetched.

        Raises:
            ClusterError: workers died repeatedly, the scheduler died, or a worker lacks a package
                or has a different version of one.
        """
        # `pure=False`, because Dask would otherwise treat equal calls, even from another build, as
        # the same task.
        kept = self.client.submit(_itself, (function, shared, versions()), pure=False)
        for batch in batches:
            self.waiting.append(self.client.submit(run_task, batch, kept, pure=False))
            # Threads are counted each time, because workers may join or leave; at first there may
            # be none.
            while len(self.waiting) > AHEAD * max(1, sum(map(int, self.client.ncores().values()))):
                yield self._result(self.waiting.popleft())
        while self.waiting:
            yield self._result(self.waiting.popleft())

    def _result(self, future: Future[Any]) -> Any:
        import distributed  # noqa: PLC0415
        from distributed.comm.core import CommClosedError  # noqa: PLC0415

        try:
            return future.result()
        except (distributed.CancelledError, distributed.KilledWorker, CommClosedError) as error:
            words = " ".join(str(error).split())[:300]
            raise ClusterError(
                f"the cluster lost a task ({type(error).__name__}: {words})"
            ) from None
        except VersionMismatchError as error:
            raise ClusterError(str(error)) from None
        except ModuleNotFoundError as error:
            raise ClusterError(
                f"a worker has no {error.name}: install the same packages on all machines"
            ) from None

    def stop(self) -> None:
        """Cancel waiting tasks, and wait for running tasks, so that nothing is written afterwards."""
        keys = {str(future.key) for future in self.waiting}
        if not keys:
            return
        with suppress(Exception):  # the cluster may be gone, and its tasks with it
            self.client.cancel(list(self.waiting))
            for _ in range(LOOKS):
                if not any(self.client.run(_is_at, keys).values()):
                    return
                sleep(BETWEEN_LOOKS)


def _is_at(keys: Collection[str], dask_worker: Any) -> bool:
    """Return whether a worker is executing one of these tasks."""
    return any(str(task.key) in keys for task in dask_worker.state.executing)


def _itself(shared: object) -> object:
    """Return the argument unchanged.

    Dask stores the result of this task, and computes it again if a worker is lost.
    """
    return shared


def run_task(
    batch: object, kept: tuple[Callable[..., Any], tuple[object, ...], tuple[str, ...]]
) -> Any:
    """Process a batch on a worker, and return the result.

    Raises:
        VersionMismatchError: the worker and the client have different versions of packages.
    """
    function, shared, wanted = kept
    if versions() != wanted:
        raise VersionMismatchError(
            f"a worker has {', '.join(versions())}, but the client has {', '.join(wanted)}"
        )
    return function(batch, *shared)


def versions() -> tuple[str, ...]:
    """Return the names and versions of the packages that affect the bytes of the published files."""
    return tuple(
        f"{name} {metadata.version(name)}" for name in ("defectors-data", "pyarrow", "pydantic")
    )
