"""What SIGINT, SIGTERM and SIGHUP do to a command: they end it with 128 plus their number, until a release stands.

The handler that is installed is the only state. A process that never calls `listen` (a library's user, a notebook)
keeps its own handlers: nothing here then changes anything.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))

_Handler = Callable[[int, FrameType | None], None]
_came: list[int] = []


class Stopped(BaseException):
    """A signal asked this process to end."""

    def __init__(self, number: int) -> None:
        """Keep which signal it was."""
        super().__init__(f"signal {number}")
        self.number = number


def listen() -> None:
    """From now on a signal raises `Stopped`; one that whoever started this process had ignored stays ignored."""
    _came.clear()
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)


@contextmanager
def kept() -> Iterator[Callable[[], None]]:
    """Keep signals for later, so that no step is cut in two.

    Gives a function that raises `Stopped` if a signal came; so does leaving, unless an exception is on its way.
    """
    before = _handler()
    _install(_keep)
    try:
        yield stop_if_one_came
    finally:
        _install(before)
    if _handler() is _stop:
        stop_if_one_came()


@contextmanager
def heard() -> Iterator[None]:
    """Inside `kept`, let a signal stop what takes long and changes nothing."""
    _install(_stop)
    try:
        stop_if_one_came()
        yield
    finally:
        _install(_keep)


def ignore() -> None:
    """From now on, and for good, a signal does nothing: what it could have stopped is about to be done.

    One that came a moment ago meets `_nothing`; the system's own way of ignoring then lasts until the process is gone.
    """
    _install(_nothing)
    for number in SIGNALS:
        if signal.getsignal(number) is _nothing:
            signal.signal(number, signal.SIG_IGN)


def _handler() -> object:
    """Return the handler that `listen` and what came after it installed, if any."""
    installed = [signal.getsignal(number) for number in SIGNALS]
    return next((handler for handler in installed if handler in (_stop, _keep)), None)


def _install(handler: object) -> None:
    """Put a handler into the place of `_stop` or `_keep`, wherever one is; nothing else is touched."""
    for number in SIGNALS:
        if callable(handler) and signal.getsignal(number) in (_stop, _keep):
            signal.signal(number, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    """Stop, once: a second signal must not cut off the cleaning up that the first one began."""
    _install(_keep)
    _keep(number, frame)
    raise Stopped(number)


def _keep(number: int, _: FrameType | None) -> None:
    _came.append(number)


def _nothing(_: int, __: FrameType | None) -> None:
    pass


def stop_if_one_came() -> None:
    """Raise `Stopped` for a signal that came, where what it raised was lost."""
    if _came and _handler():
        raise Stopped(_came[0])
