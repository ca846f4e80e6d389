"""Signal handling of commands.

Until a command has published, SIGINT, SIGTERM and SIGHUP end it with exit code 128 plus the number
of the signal. A process that never calls `listen`, such as a notebook that imports the library,
keeps its own handlers, and the functions of this module have no effect.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)

_Handler = Callable[[int, FrameType | None], None]
_came: list[int] = []
"""The numbers of the signals received since `listen` was called, in order."""


class StoppedBySignal(BaseException):
    """A signal asked this process to end."""

    def __init__(self, number: int) -> None:
        """Store the number of the signal."""
        super().__init__(f"signal {number}")
        self.number = number


def listen() -> None:
    """Raise `StoppedBySignal` on signals from now on.

    Signals that the parent process ignored stay ignored.
    """
    _came.clear()
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)


@contextmanager
def deferred() -> Iterator[Callable[[], None]]:
    """Defer signals while the context is open, so that no step is interrupted.

    Yields `stop_if_one_came`, which is also called on exit, unless an exception is being raised.
    """
    before = _handler()
    _install(_keep)
    try:
        yield stop_if_one_came
    finally:
        _install(before)
    # Inside another `deferred`, signals are still deferred, and the outer context raises the
    # exception.
    if _handler() is _stop:
        stop_if_one_came()


@contextmanager
def allowed() -> Iterator[None]:
    """Allow signals inside `deferred`, for a long step that changes nothing."""
    _install(_stop)
    try:
        stop_if_one_came()
        yield
    finally:
        _install(_keep)


def ignore() -> None:
    """Ignore all further signals, because the next step cannot be undone."""
    # A signal that arrived just before may still call a Python handler, so a no-op is installed
    # before SIG_IGN.
    _install(_nothing)
    for number in SIGNALS:
        if signal.getsignal(number) is _nothing:
            signal.signal(number, signal.SIG_IGN)


def stop_if_one_came() -> None:
    """Raise `StoppedBySignal` if a signal came, even if a library replaced the exception."""
    if _came and _handler():
        raise StoppedBySignal(_came[0])


def _handler() -> _Handler | None:
    """Return the handler of this module that is installed, `_stop` or `_keep`, or None."""
    installed = [signal.getsignal(number) for number in SIGNALS]
    return next((handler for handler in (_stop, _keep) if handler in installed), None)


def _install(handler: _Handler | None) -> None:
    """Install a handler in place of `_stop` or `_keep`; handlers of other code are kept."""
    for number in SIGNALS:
        if handler and signal.getsignal(number) in (_stop, _keep):
            signal.signal(number, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    _install(_keep)  # a second signal must not interrupt the clean-up after the first one
    _keep(number, frame)
    raise StoppedBySignal(number)


def _keep(number: int, _: FrameType | None) -> None:
    _came.append(number)


def _nothing(_: int, __: FrameType | None) -> None:
    pass
