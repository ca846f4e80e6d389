"""Compare CPU time and memory of `verify --fast` and `frictionless validate` on the same package.

`python tools/benchmarks/validation.py [ANNOTATIONS]` builds the package from an invented corpus. The default is 10,000
annotations, which give about 100,000 rows.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import generator

OURS = (sys.executable, "-m", "defectors_data")
THEIRS = (sys.executable, "-m", "frictionless", "validate")


def measure(*command: str) -> tuple[float, int]:
    """Run a command, and return its user and system time in seconds and its peak memory in MB.

    Raises:
        CalledProcessError: the command failed.
    """
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        corpus, package = Path(place) / "corpus", Path(place) / "dist"
        generator.generate(corpus, int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
        subprocess.run([*OURS, "build", "--root", str(corpus), "--out", str(package)], check=True)
        seconds, memory = measure(*OURS, "verify", "--fast", str(package))
        their_seconds, their_memory = measure(*THEIRS, str(package / "datapackage.json"))
        print(f"verify --fast {seconds:.2f} s, {memory} MB; frictionless {their_seconds:.2f} s, {their_memory} MB")
        print(f"{their_seconds / seconds:.1f} times as fast")
