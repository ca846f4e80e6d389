"""Where the time of a command goes: `python stages.py RECORD build --root ...` runs it, and looks at it now and then.

After every hundredth of a second of CPU time it notes which function of ours is at work, whatever library it has
called; so nothing of it is slowed down. What other processes do is not seen: the command has to do its work in one.
"""

from __future__ import annotations

import json
import signal
import sys
from collections import Counter
from pathlib import Path
from types import FrameType

EVERY = 0.01
"""Seconds of CPU time between two looks."""
OURS = "defectors_data."
BEGINNING = "defectors_data.__main__"


def look(frame: FrameType | None) -> str:
    """Return the innermost function of ours that is at work, as `room:function`, or what runs before any is."""
    while frame:
        module = str(frame.f_globals.get("__name__"))
        if module.startswith(OURS) and module != BEGINNING and frame.f_code.co_name != "<module>":
            return f"{module.removeprefix(OURS)}:{frame.f_code.co_qualname.partition('.<locals>')[0]}"
        frame = frame.f_back
    return "start"


def run(record: Path, arguments: list[str]) -> None:
    """Run a command of ours, and write how often each function was seen."""
    seen: Counter[str] = Counter()
    signal.signal(signal.SIGPROF, lambda _, frame: seen.update([look(frame)]))
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    from defectors_data.__main__ import main  # noqa: PLC0415  # what is imported is seen, too

    sys.argv = ["defectors-data", *arguments]
    try:
        main()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        record.write_text(json.dumps(dict(seen.most_common())) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run(Path(sys.argv[1]), sys.argv[2:])
