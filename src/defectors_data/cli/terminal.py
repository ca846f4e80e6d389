"""What a person at a terminal gets beyond plain lines: colour, and how far a long command has come.

Whether a stream is a terminal is asked here; what the environment says is given. A file or a pipe gets plain lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Timer
from time import monotonic
from types import TracebackType
from typing import Self, TextIO

PATIENCE = 1.0
"""Seconds after which a command that is still at work says what it does."""

_FINDING = re.compile(r"^(?P<place>\S.*?:\d+:\d+:) (?P<code>[a-z0-9-]+):", re.MULTILINE)


def is_terminal(stream: TextIO | None) -> bool:
    """Say whether a person reads the stream."""
    return stream is not None and not stream.closed and stream.isatty()


def takes_colour(stream: TextIO | None, environment: Mapping[str, str]) -> bool:
    """Say whether a stream is to be coloured: on a terminal alone, and never where NO_COLOR asks for none.

    no-color.org: any value but the empty one counts.
    """
    plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
    return is_terminal(stream) and not plain


def coloured(finding: str) -> str:
    """Return a finding with its place in bold and its code in red; the words stay as they are."""
    return _FINDING.sub("\x1b[1m\\g<place>\x1b[0m \x1b[31m\\g<code>\x1b[0m:", finding)


class Steps:
    """Tells which step a long command is at: each on a line of its own, or in one line that changes and goes away.

    That line is shown on a terminal alone, and only once the command has taken longer than `after` seconds.
    """

    def __init__(
        self,
        stream: TextIO | None,
        environment: Mapping[str, str],
        *,
        say: Callable[[str], None] | None = None,
        quiet: bool = False,
        after: float = PATIENCE,
    ) -> None:
        """Take the stream that the line is shown on, or what says every step on a line of its own."""
        self._say = say
        self._stream = stream if is_terminal(stream) and not quiet and not say else None
        self._colour, self._after = takes_colour(stream, environment), after
        self._timer: Timer | None = None

    def __enter__(self) -> Self:
        """Begin to wait."""
        if self._stream:
            from rich.console import Console  # noqa: PLC0415  # on a terminal alone

            self._status = Console(file=self._stream, no_color=not self._colour).status("Starting")
            self._timer = Timer(self._after, self._status.start)
            self._timer.daemon = True
            self._timer.start()
        return self

    def __call__(self, step: str) -> None:
        """Tell that a step begins; a terminal that is gone changes nothing."""
        if self._say:
            self._say(f"{step} ...")
        elif self._timer:
            with suppress(OSError):
                self._status.update(step)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the line away, whatever happened."""
        if self._timer:
            self._timer.cancel()
            self._timer.join()
            with suppress(OSError):
                self._status.stop()


def passing(step: Callable[[str], None]) -> Callable[[int, float], None]:
    """Return what tells how many sources have passed, how fast, and how long the rest will take."""
    start = monotonic()

    def told(sources: int, share: float) -> None:
        seconds = max(monotonic() - start, 0.001)
        left = seconds / share - seconds if share else 0.0
        if share >= 1:
            step(f"{sources:,} sources are processed; finishing")
            return
        step(f"{sources:,} sources ({share:.0%}), {sources / seconds:,.0f} a second, {left:,.0f} s left")

    return told
