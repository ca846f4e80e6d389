"""Run a command of the project, and print the shares of its CPU time by part, as JSON: `profiled.py check --root X`.

The stack is looked at after each `EVERY` seconds of CPU time, which slows the command by about a hundredth. Other
threads and calls of libraries count for the part that waits for them.
"""

from __future__ import annotations

import json
import signal
import time
from contextlib import suppress
from types import FrameType

EVERY = 0.002

PARTS = {
    "importing modules": ("<frozen importlib",),
    "compiling regular expressions": ("/re/_compiler.py",),
    "making models": ("/pydantic/_internal/",),
    "verification by `verify.py`": ("/package/verify.py",),
    "validation of the package": ("/package/validation.py",),
    "documents and charts": ("/documents/",),
    "reading files": ("/corpus/",),
    "rows of tables": ("/rows/",),
    "evidence and rules": ("/rules/", "/evidence/", "/published_ids.py"),
    "writing files": ("/package/",),
    "the rest": ("",),
}
"""The parts, with words from the paths of their modules; a stack belongs to the first part that is in it."""

ENCLOSING = ("/package/atomic_publication.py", "/package/signals.py")
"""Modules that call all the others."""


def part_of(frame: FrameType | None) -> str:
    """Return the part to which a stack belongs."""
    paths = list[str]()
    while frame:
        paths.append(frame.f_code.co_filename)
        frame = frame.f_back
    inner = [path for path in paths if not path.endswith(ENCLOSING)]
    return next(part for part, words in PARTS.items() if any(word in path for word in words for path in inner))


def main() -> None:
    """Run the command, and print the shares."""
    found = dict.fromkeys(PARTS, 0.0)
    before = time.process_time()

    def look(_: int, frame: FrameType | None) -> None:
        nonlocal before
        now = time.process_time()
        # During a long call of a library, signals wait.
        found[part_of(frame)] += now - before
        before = now

    signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    from defectors_data.__main__ import main as command  # noqa: PLC0415  # its imports are measured

    with suppress(SystemExit):
        command()
    signal.setitimer(signal.ITIMER_PROF, 0)
    print(json.dumps({part: spent / sum(found.values()) for part, spent in found.items()}))


main()
