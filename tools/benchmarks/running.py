"""Runs a command as a process of its own, and tells what it cost; and which commands are measured."""

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
    """What a process and its children took."""

    cpu: float
    """Seconds of CPU time, the user's and the system's."""
    wall: float
    """Seconds on the clock."""
    memory: float
    """The most memory that one of the processes held, in MB (1,000,000 bytes)."""


class Failed(Exception):
    """A command that is measured ended with a fault; what it printed stands in the message."""


def cost(command: list[str], log: Path) -> Cost:
    """Run a command to its end; what it prints goes to a file."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.monotonic()
    with log.open("wb") as printed:
        process = subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=printed, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise Failed(f"{' '.join(command)}: {log.read_text(encoding='utf-8', errors='replace')[-2000:]}")
    return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024 / 1e6)


# ---- what is measured ------------------------------------------------------------------------------------------

OURS = (sys.executable, "-m", "defectors_data")
"""Our command line: what is measured of ours begins with it."""
_BUILD = (*OURS, "build", "--root", "{corpus}", "--out", "{out}/package")
_SMALL = (*OURS, "build", "--root", "{small}", "--out", "{out}/package")
_FEWER = ("--without", "ledger", "--without", "provenance")
_PLAIN = (*_FEWER, "--without", "rules")
"""Builds that were measured with an option which no longer exists: they are recorded, and not run any more."""
_PEER = (str(PEERS / "python"), str(HERE / "peers.py"))
MILLION = 1_000_000


class Task(NamedTuple):
    """A command that is measured: `{corpus}`, `{result}`, `{cldf}` and `{out}` stand for folders."""

    what: str
    """What it does, in words."""
    command: tuple[str, ...]
    most: int = MILLION
    """Annotations up to which it is measured."""
    once_from: int = 10 * MILLION
    """Annotations from which on it is run once."""
    needs: str = ""
    """An option of ours without which it cannot be run."""


TASKS: Mapping[str, Task] = {
    "ours": Task(
        "`defectors-data build`, one process, without ledger, provenance and the codebook’s rules",
        (*_BUILD, *_PLAIN, "--jobs", "1"),
        most=10 * MILLION,
        needs="build --without rules",
    ),
    "ours-2": Task("the same, two processes", (*_BUILD, *_PLAIN, "--jobs", "2"), needs="build --without rules"),
    "ours-rules": Task(
        "`defectors-data build`, one process, without ledger and provenance",
        (*_BUILD, *_FEWER, "--jobs", "1"),
        most=100_000,
        once_from=100_000,
        needs="build --jobs",
    ),
    "ours-full": Task(
        "`defectors-data build`, one process, all tables",
        (*_BUILD, "--jobs", "1"),
        most=10 * MILLION,
        once_from=MILLION,
        needs="build --jobs",
    ),
    "ours-small": Task("`defectors-data build` of a file for each source, all tables", _SMALL, most=1_000),
    "ours-dask": Task(
        "the same on Dask, two workers",
        (*_BUILD, *_PLAIN, "--scheduler", "local", "--jobs", "2"),
        needs="build --without rules",
    ),
    "ours-full-2": Task("`defectors-data build`, two processes, all tables", (*_BUILD, "--jobs", "2")),
    "ours-full-dask": Task(
        "`defectors-data build` on Dask, two workers, all tables",
        (*_BUILD, "--scheduler", "local", "--jobs", "2"),
        needs="build --scheduler",
    ),
    "verify-fast": Task(
        "`defectors-data verify --fast` of the result", (*OURS, "verify", "--fast", "{result}"), needs="verify --fast"
    ),
    "duckdb": Task(
        "DuckDB: JSON to six tables as CSV and Parquet, without a check",
        (*_PEER, "duckdb", "{corpus}", "{out}"),
    ),
    "floor": Task(
        "the floor: plain Python reads and hashes the texts, finds each quotation, writes testimonies and spans",
        (sys.executable, str(HERE / "floor.py"), "{corpus}", "{out}"),
    ),
    "frictionless": Task(
        "`frictionless validate` of the result",
        (str(Path(sys.executable).parent / "frictionless"), "validate", "{result}/datapackage.json"),
        once_from=MILLION,
    ),
    "pandera": Task(
        "pandera: testimonies and figures of the result validated",
        (*_PEER, "pandera", "{result}", "{out}"),
    ),
    "datasets": Task(
        "Hugging Face datasets: six tables of the result loaded, and written as CSV and Parquet",
        (*_PEER, "datasets", "{result}", "{out}"),
    ),
    "cldf": Task(
        "`cldf validate` of articles, speakers, testimonies and figures as CLDF",
        (str(PEERS / "cldf"), "validate", "{cldf}/Generic-metadata.json"),
        once_from=100_000,
    ),
    "cassis": Task(
        "dkpro-cassis: each text with its testimonies and figures as a CAS",
        (*_PEER, "cassis", "{corpus}", "{out}"),
        most=10_000,
    ),
}
PREPARING_CLDF = (*_PEER, "cldf-prepared", "{result}", "{out}")
"""Makes what `cldf` validates, and is not measured."""


def filled(command: tuple[str, ...], folders: Mapping[str, Path]) -> list[str]:
    """Return a command with its folders."""
    return [word.format(**folders) for word in command]


def can(needs: str) -> bool:
    """Tell whether our command line has an option: `build --jobs`."""
    command, _, option = needs.partition(" ")
    if not option:
        return True
    environment = {**os.environ, "COLUMNS": "200", "NO_COLOR": "1"}
    told = subprocess.run([*OURS, command, "--help"], cwd=PROJECT, env=environment, capture_output=True, check=False)
    return option in told.stdout.decode()
