"""Measure small commands and the imports that they need, and compare both in docs/developers/benchmarks.md.

Each command alternates with the one that it is compared with (A B A B). Each run is a new process with compiled
bytecode. The result is the ratio of the medians of CPU time, which depends little on the machine.
"""

from __future__ import annotations

import compileall
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import defectors_data
import page
from recorded import RESULTS

PROJECT = Path(__file__).parents[2]
RUNS = 9
"""Measured runs of each command, after one run to warm up."""

SEED_SIZE = 1_000_000
"""Size in bytes of the seed in which missing words are searched for."""

_WORDS = (
    "the a of and to in who said that they crossed at dawn with no more than old bridge river hotel sergeant walked "
    "waited counted seven forty letters rain maize radio border kitchen told asked nobody answered again"
).split()


class Bar(NamedTuple):
    """A command, the command that it is compared with, and the largest accepted ratio of their CPU times."""

    what: str
    command: tuple[str, ...]
    against: tuple[str, ...]
    most: float


class Measured(NamedTuple):
    """The result of a bar: ratio of the medians, lowest and highest ratio of the pairs, median CPU time in seconds."""

    bar: Bar
    ratio: float
    lowest: float
    highest: float
    seconds: float


def bars(seed: Path) -> Iterator[Bar]:
    """Yield the bars; `seed` is a large text without the words that are searched for."""
    checking, helping = ("-c", "import pydantic, typer"), ("-c", "import typer")
    yield Bar("`defectors-data check` of the corpus", ("-m", "defectors_data", "check"), checking, 2.5)
    yield Bar("`defectors-data --help`", ("-m", "defectors_data", "--help"), helping, 2.5)
    yield Bar("finding the words nearest to a missing quotation in a seed of 1 MB", _search(seed), checking, 10)


def _search(seed: Path) -> tuple[str, ...]:
    """Return a command that searches a seed for its last words in reverse order."""
    words = " ".join(reversed(seed.read_text(encoding="utf-8").split()[-60:]))
    imports = "from pathlib import Path; from defectors_data.text.near_matches import nearest"
    return "-c", f"{imports}; nearest({words!r}, Path({str(seed)!r}).read_text(encoding='utf-8'))"


def invented_text(size: int) -> str:
    """Return a text of a size in bytes, in paragraphs of a few sentences. It is the same in every run."""
    chance = random.Random(0)  # noqa: S311  # nothing is secret
    sentences: list[str] = []
    while size > 0:
        words = chance.choices(_WORDS, k=chance.randrange(5, 25))
        sentences.append(" ".join(words).capitalize() + chance.choice([". ", ". ", ".\n\n"]))
        size -= len(sentences[-1])
    return "".join(sentences)


def measure(bar: Bar) -> Measured:
    """Run a command and the one that it is compared with alternately."""
    pairs = [(_seconds(bar.command), _seconds(bar.against)) for _ in range(RUNS + 1)][1:]
    ratios = [command / against for command, against in pairs]
    seconds = statistics.median(command for command, _ in pairs)
    ratio = seconds / statistics.median(against for _, against in pairs)
    return Measured(bar, ratio, min(ratios), max(ratios), seconds)


def _seconds(command: tuple[str, ...]) -> float:
    """Run a command, and return its user and system time in seconds."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *command], cwd=PROJECT, env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def record(measured: list[Measured]) -> dict[str, Any]:
    """Return the results as JSON values."""
    rows = [
        {
            "what": bar.what,
            "against": bar.against[1],
            "ratio": round(ratio, 2),
            "lowest": round(lowest, 2),
            "highest": round(highest, 2),
            "seconds": round(seconds, 2),
            "bar": bar.most,
        }
        for bar, ratio, lowest, highest, seconds in measured
    ]
    return {"runs": RUNS, "bars": rows}


def main() -> None:
    """Measure all bars, record the results and write the page."""
    compileall.compile_dir(Path(defectors_data.__file__).parent, quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        seed = Path(folder) / "seed.txt"
        seed.write_text(invented_text(SEED_SIZE), encoding="utf-8")
        text = json.dumps(record([measure(bar) for bar in bars(seed)]), indent=1)
    (RESULTS / "start.json").write_text(f"{text}\n", encoding="utf-8")
    page.write()


if __name__ == "__main__":
    main()
