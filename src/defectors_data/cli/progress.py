"""Colour and progress display for terminals; a file or a pipe receives plain lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Timer
from time import monotonic
from types import TracebackType
from typing import Self, TextIO

PATIENCE = 1.0
"""Seconds after which a command that is still running shows its progress."""

_FINDING = re.compile(r"^(?P<place>\S.*?:\d+:\d+:) (?P<code>[a-z0-9-]+):", re.MULTILINE)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def takes_colour(stream: TextIO | None, environment: Mapping[str, str]) -> bool:
    """Return whether a stream takes colour: a terminal, without NO_COLOR and TERM=dumb.

    As no-color.org specifies, NO_COLOR disables colour unless its value is empty.
    """
    plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
    return is_terminal(stream) and not plain


def coloured(finding: str) -> str:
    """Return a finding with its place in bold and its code in red."""
    return _FINDING.sub("\x1b[1m\\g<place>\x1b[0m \x1b[31m\\g<code>\x1b[0m:", finding)


class ProgressDisplay:
    """A progress display: one line that is updated and removed, or a line for each step.

    The single line is shown only on a terminal that takes colour, once the command has taken longer
    than `after` seconds, and never in CI, where it would fill the log.
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
        """Show progress on `stream` in one line, or call `say` with a line for each step."""
        self._say = say
        is_animated = takes_colour(stream, environment) and not environment.get("CI")
        self._stream = stream if is_animated and not quiet and not say else None
        self._after = after
        self._timer: Timer | None = None

    def __enter__(self) -> Self:
        """Start the timer; the line is shown when it expires."""
        if self._stream:
            from rich.console import Console  # noqa: PLC0415  # needed only on a terminal

            self._status = Console(file=self._stream).status("Starting")
            self._timer = Timer(self._after, self._status.start)
            self._timer.daemon = True  # a command that ends early does not wait for it
            self._timer.start()
        return self

    def __call__(self, step: str) -> None:
        """Show a step; if the terminal has been closed, the error is ignored."""
        if self._say:
            self._say(f"{step} ...")
        elif self._timer:
            with suppress(OSError):
                self._status.update(step)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Remove the line."""
        if self._timer:
            self._timer.cancel()
            self._timer.join()  # otherwise it could start the line after it was removed
            with suppress(OSError):
                self._status.stop()


def rate(step: Callable[[str], None]) -> Callable[[int, float], None]:
    """Return a progress callback: the sources, the sources per second, and the remaining time."""
    start = monotonic()

    def on_progress(sources: int, share: float) -> None:
        if share >= 1:
            step(f"{sources:,} sources are processed; finishing")
            return
        # On a coarse clock, no time may have passed yet.
        seconds = max(monotonic() - start, 0.001)
        left = seconds / share - seconds if share else 0.0
        step(
            f"{sources:,} sources ({share:.0%}), {sources / seconds:,.0f} a second, {left:,.0f} s left"
        )

    return on_progress
