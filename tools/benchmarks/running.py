"""The commands that are measured, and a function that runs one and returns its cost."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PEERS = PROJECT / "build" / "peers" / "bin"


class Cost(NamedTuple):
    """The cost of a process and its children."""

    cpu: float
    """User and system time, in seconds."""
    wall: float
    """Elapsed time, in seconds."""
    memory: float
    """Peak memory of the largest process, in MB (1,000,000 bytes)."""


class CommandFailedError(Exception):
    """A measured command failed. The message contains the end of its output."""


def cost(command: list[str], log: Path) -> Cost:
    """Run a command with its output in a log file, and return its cost.

    Raises:
        CommandFailedError: the command ended with an exit code other than 0.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.monotonic()
    with log.open("wb") as printed:
        process = subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=printed, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise CommandFailedError(f"{' '.join(command)}: {log.read_text(encoding='utf-8', errors='replace')[-2000:]}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024 / 1e6)


# ---- what is measured ------------------------------------------------------------------------------------------

OURS = (sys.executable, "-m", "defectors_data")
"""The command line of this project."""
_BUILD = (*OURS, "build", "--root", "{corpus}", "--out", "{out}/package")
_PEER = (str(PEERS / "python"), str(HERE / "peers.py"))
MILLION = 1_000_000


class Task(NamedTuple):
    """A command that is measured. `{corpus}`, `{result}`, `{cldf}` and `{out}` are replaced by folders."""

    what: str
    """Its description on the page."""
    command: tuple[str, ...]
    most: int = MILLION
    """Largest number of annotations for which it is measured."""
    once_from: int = 10 * MILLION
    """Number of annotations from which it is run only once."""


TASKS: Mapping[str, Task] = {
    "ours": Task("`defectors-data build`, one process", (*_BUILD, "--jobs", "1"), once_from=MILLION),
    "ours-2": Task("`defectors-data build`, two processes", (*_BUILD, "--jobs", "2"), once_from=MILLION),
    "ours-dask": Task(
        "`defectors-data build` on Dask, two workers",
        (*_BUILD, "--scheduler", "local", "--jobs", "2"),
        once_from=MILLION,
    ),
    "verify-fast": Task(
        "`defectors-data verify --fast` of the result", (*OURS, "verify", "--fast", "{result}"), once_from=MILLION
    ),
    "duckdb": Task(
        "DuckDB: JSON to six tables as CSV and Parquet, without checks",
        (*_PEER, "duckdb", "{corpus}", "{out}"),
    ),
    "floor": Task(
        "plain Python baseline: read and hash the texts, find the evidence, write testimonies and spans",
        (sys.executable, str(HERE / "floor.py"), "{corpus}", "{out}"),
    ),
    "frictionless": Task(
        "`frictionless validate` of the result",
        (str(Path(sys.executable).parent / "frictionless"), "validate", "{result}/datapackage.json"),
        once_from=MILLION,
    ),
    "pandera": Task(
        "pandera: validate testimonies and figures of the result",
        (*_PEER, "pandera", "{result}", "{out}"),
    ),
    "datasets": Task(
        "Hugging Face datasets: load six tables of the result and write them as CSV and Parquet",
        (*_PEER, "datasets", "{result}", "{out}"),
    ),
    "cldf": Task(
        "`cldf validate` of articles, speakers, testimonies and figures as CLDF",
        (str(PEERS / "cldf"), "validate", "{cldf}/Generic-metadata.json"),
        once_from=100_000,
    ),
    "cassis": Task(
        "dkpro-cassis: write each text with its testimonies and figures as a CAS",
        (*_PEER, "cassis", "{corpus}", "{out}"),
        most=10_000,
    ),
}
PREPARING_CLDF = (*_PEER, "cldf-prepared", "{result}", "{out}")
"""The command that writes the input of `cldf validate`. It is not measured."""


def filled(command: tuple[str, ...], folders: Mapping[str, Path]) -> list[str]:
    """Return a command with its folders filled in."""
    return [word.format(**folders) for word in command]
