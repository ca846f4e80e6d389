"""A sampling profiler for a command: `python stages.py RECORD build --root ...`.

After every 0.01 s of CPU time, it records the innermost function of this project, so time in libraries is attributed to
their callers. Sampling hardly slows the command. Child processes are not profiled.
"""

from __future__ import annotations

import json
import signal
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

EVERY = 0.01
"""Seconds of CPU time between two samples."""
OURS = "defectors_data."
BEGINNING = "defectors_data.__main__"


def look(frame: FrameType | None) -> str:
    """Return the innermost function of this project as `module:function`, or `start` if there is none."""
    while frame:
        module = str(frame.f_globals.get("__name__"))
        if module.startswith(OURS) and module != BEGINNING and frame.f_code.co_name != "<module>":
            return f"{module.removeprefix(OURS)}:{frame.f_code.co_qualname.partition('.<locals>')[0]}"
        frame = frame.f_back
    return "start"


def run(record: Path, arguments: list[str]) -> None:
    """Run a command of this project, and write the number of samples of each function as JSON."""
    seen: Counter[str] = Counter()
    signal.signal(signal.SIGPROF, lambda _, frame: seen.update([look(frame)]))
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    from defectors_data.__main__ import main  # noqa: PLC0415  # imports are profiled too

    sys.argv = ["defectors-data", *arguments]
    try:
        main()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        record.write_text(json.dumps(dict(seen.most_common())) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2:])
