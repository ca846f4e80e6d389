"""A double of `fs`, the room that writes: at a chosen call it dies, fails, or lets a signal come in.

Death is an exception after which no call writes any more, as after SIGKILL: whatever the program does on its way out,
the disk keeps what it had. A file system that lacks something is another kind of double: it refuses one operation.
"""

from __future__ import annotations

import errno
import hashlib
import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from defectors_data.package import filesystem, signals

OPERATIONS = ("make_folder", "write", "copy", "sync_folder", "move", "exchange", "remove_file", "remove_folder", "lock")

WAYS = ("exchange", "in place")
"""Ways of publishing; the second one is taken where the file system cannot exchange folders."""


class Died(BaseException):
    """The process is gone."""


class Fault(NamedTuple):
    """What happens, and whether before the operation or when it is done."""

    kind: str
    number: int
    late: bool
    lasting: bool = False

    def __str__(self) -> str:
        name = errno.errorcode[self.number] if self.kind == "fail" else signal.Signals(self.number).name
        return f"{name}{' after' if self.late else ''}{' for good' if self.lasting else ''}"


KILLS = [Fault("kill", signal.SIGKILL, late) for late in (False, True)]
FAILURES = [Fault("fail", number, late) for number in (errno.EIO, errno.ENOSPC, errno.EACCES) for late in (False, True)]
LASTING = [Fault("fail", number, late=False, lasting=True) for number in (errno.EIO, errno.ENOSPC, errno.EACCES)]
STOPS = [Fault("stop", number, late) for number in (signal.SIGINT, signal.SIGTERM) for late in (False, True)]


def put(folder: Path, files: Mapping[str, bytes]) -> dict[str, str]:
    """Write files into an unfinished folder, and return their SHA-256 sums."""
    for name in sorted({Path(name).parent.as_posix() for name in files} - {"."}):
        filesystem.make_folder(folder / name)
    for name in sorted(files):
        filesystem.write(folder / name, files[name])
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}


@contextmanager
def broken(way: str, fault: Fault | None, at: int) -> Iterator[list[str]]:
    """Put the double into the place of `fs`; gives the list of the calls that were made."""
    calls: list[str] = []
    dead = False

    def strike() -> None:
        nonlocal dead
        dead = fault is not None and fault.kind == "kill"
        if fault:
            _strike(fault)

    def doubled(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def act(*arguments: Any, **options: Any) -> Any:
            if dead:
                raise Died
            calls.append(f"{name} {Path(arguments[0]).name}")
            meets = fault is not None and (len(calls) == at or (fault.lasting and len(calls) > at))
            late = fault is not None and fault.late
            if meets and not late:
                strike()
            refusal = errno.EINVAL if name == "exchange" and way == "in place" else 0
            result: Any = None if refusal else real(*arguments, **options)
            if meets and late:
                if name == "lock" and fault and fault.kind == "fail":
                    result.release()  # a lock that was not given is not held
                strike()
            if refusal:
                raise OSError(refusal, os.strerror(refusal))
            return result

        return act

    with pytest.MonkeyPatch.context() as patch:
        for name in OPERATIONS:
            patch.setattr(filesystem, name, doubled(name, getattr(filesystem, name)))
        yield calls


def _strike(fault: Fault) -> None:
    if fault.kind == "kill":
        raise Died
    if fault.kind == "fail":
        raise OSError(fault.number, os.strerror(fault.number))
    os.kill(os.getpid(), fault.number)


def ended(act: Callable[[], object]) -> int | None:
    """Run as a command would; return the exit code, None where the process was killed."""
    before = {number: signal.getsignal(number) for number in signals.SIGNALS}
    signals.listen()
    try:
        act()
    except Died:
        return None
    except OSError:
        return 3
    except signals.StoppedBySignal as stopped:
        return 128 + stopped.number
    else:
        return 0
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
