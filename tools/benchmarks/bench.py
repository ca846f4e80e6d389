"""Measure builds, checks and validations of an invented corpus, and write docs/developers/benchmarks.md: `make bench`.

Each measured command is a new process with compiled bytecode. Its CPU time is user and system time, including its
child processes; its memory is the peak of the largest process. Ratios depend little on the machine.
"""

from __future__ import annotations

import argparse
import compileall
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs/developers/benchmarks.md"
WORK = PROJECT / "build" / "bench"
GENERATOR = Path(__file__).parent / "generator.py"
OURS = (sys.executable, "-m", "defectors_data")
FRICTIONLESS = str(Path(sys.executable).parent / "frictionless")
SMALL, LARGE, CHECKED = 10_000, 100_000, 10_000
"""Numbers of annotations of the three corpora; an article has ten."""


RUNS = 5
"""Measured runs of a short command."""


class Cost(NamedTuple):
    """The cost of a process and its children."""

    cpu: float
    """User and system time, in seconds."""
    memory: float
    """Peak memory of the largest process, in MB (1,000,000 bytes)."""


class CommandFailedError(Exception):
    """A measured command failed. The message contains the end of its output."""


def cost(*command: str | Path) -> Cost:
    """Run a command and return its cost.

    Raises:
        CommandFailedError: the command ended with an exit code other than 0.
    """
    words = [str(word) for word in command]
    print(" ".join(words[1:]), file=sys.stderr, flush=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    WORK.mkdir(parents=True, exist_ok=True)
    log = WORK / "log.txt"
    with log.open("wb") as printed:
        process = subprocess.Popen(words, cwd=PROJECT, env=environment, stdout=printed, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise CommandFailedError(log.read_text(encoding="utf-8", errors="replace")[-2000:])
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024 / 1e6)


class Built(NamedTuple):
    """A corpus that was generated and built, and the cost of the build by one process."""

    corpus: Path
    package: Path
    cost: Cost


def built(annotations: int) -> Built:
    """Generate a corpus of shards and build its package."""
    corpus, package = WORK / f"corpus-{annotations}", WORK / f"package-{annotations}"
    generate(corpus, annotations)
    shutil.rmtree(package, ignore_errors=True)
    return Built(corpus, package, cost(*OURS, "build", "--root", corpus, "--out", package, "--jobs", "1"))


def generate(folder: Path, annotations: int, *options: str) -> None:
    """Generate a corpus in a process of its own, because a child process inherits the peak memory of its parent."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([sys.executable, str(GENERATOR), str(folder), str(annotations), *options], check=True)


class Row(NamedTuple):
    """A line of the page."""

    what: str
    measured: str


def builds(small_size: int, large_size: int) -> Iterable[Row]:
    """Measure the builds of two corpora, and the validation of the packages."""
    small, large = built(small_size), built(large_size)
    reference = cost(FRICTIONLESS, "validate", large.package / "datapackage.json")
    fast = cost(*OURS, "verify", "--fast", large.package)
    documents = large_size // 10
    growth = large.cost.cpu / small.cost.cpu
    size = f"{large_size:,} annotations"
    yield Row(f"build / `frictionless validate` of its result, {size}", ratio(large.cost, reference))
    yield Row("build with every rule, CPU for each article", f"{1000 * large.cost.cpu / documents:.2g} ms")
    yield Row(f"build of {size} / of {small_size:,}, CPU", f"{growth:.3g} x")
    yield Row(f"build, memory, {size}", megabytes(large.cost))
    yield Row(f"`verify --fast` / `frictionless validate`, {size}", ratio(fast, reference))
    yield Row(f"`verify --fast`, memory, {size}", megabytes(fast))
    speeds = in_process(large.corpus)
    yield Row("text read for quotations and numbers, each second of CPU", f"{speeds['text'] / 1e3:,.0f} kB")
    yield Row("quotations found in their articles, each second of CPU", f"{speeds['quotations']:,.0f}")


def checks(annotations: int) -> Iterable[Row]:
    """Measure `check` of a corpus of YAML files, before and after an edit of one article, and of the four articles."""
    corpus = WORK / "checked"
    generate(corpus, annotations, "--small")
    check = (*OURS, "check", "--root", corpus)
    first = cost(*check)
    edited = next(path for path in corpus.glob("annotations/*.yaml") if "-" in path.stem)
    # A line at the end changes the file and nothing that it says.
    edited.write_text(edited.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    again = cost(*check)
    imports, four = alternated((sys.executable, "-c", "import pydantic, typer"), (*OURS, "check"))
    yield Row(f"`check` of {annotations // 10:,} articles after an edit of one / before it", ratio(again, first))
    yield Row("`check` of the four articles / `import pydantic, typer`", ratio(four, imports))


def alternated(one: Sequence[str], other: Sequence[str]) -> tuple[Cost, Cost]:
    """Return the median costs of two short commands, which are run by turns after one run to warm up."""
    pairs = [(cost(*one), cost(*other)) for _ in range(RUNS + 1)][1:]
    costs = [sorted(costs)[RUNS // 2] for costs in zip(*pairs, strict=True)]
    return costs[0], costs[1]


def in_process(corpus: Path) -> dict[str, float]:
    """Return how many bytes of text are read and how many quotations are found in a second of CPU time."""
    command = [sys.executable, str(Path(__file__).parent / "speed.py"), str(corpus)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    speeds: dict[str, float] = json.loads(printed)
    return speeds


def ratio(one: Cost, other: Cost) -> str:
    """Return the ratio of two CPU times."""
    return f"{one.cpu / other.cpu:.2f} x"


def megabytes(one: Cost) -> str:
    """Return the memory of a command."""
    return f"{one.memory:.0f} MB"


PAGE_TEXT = """\
# Benchmarks

This page says how long builds and checks take, and how much memory they need. `make bench` measures
and writes it in one run. A build is one that users run: one process applies every rule, writes every
table, and validates the finished package.

The corpus is invented (`tools/benchmarks/generator.py`). Each of its articles has 6 kB of text,
about seven testimonies and three figures, and fifteen quotations and numbers. Ratios are of CPU
time, and depend little on the machine.

| what | measured |
|---|---|
{rows}

Measured with Python {python} on {machine}. `frictionless validate` reads the
published tables only; a build also reads the texts and accounts for each quotation and number in
them. A corpus with more numbers or longer articles takes longer in comparison.
"""


def page(rows: Iterable[Row]) -> str:
    """Return the page."""
    lines = [f"| {row.what} | {row.measured} |" for row in rows]
    machine = f"{os.cpu_count()} cores ({platform.machine()})"
    return PAGE_TEXT.format(rows="\n".join(lines), python=platform.python_version(), machine=machine)


def main() -> None:
    """Measure, and write and print the page."""
    parser = argparse.ArgumentParser(description="Measure builds and checks, and write the page.")
    parser.add_argument("--sizes", type=int, nargs=3, default=[SMALL, LARGE, CHECKED], metavar="N")
    parser.add_argument("--page", type=Path, default=PAGE)
    asked = parser.parse_args()
    compileall.compile_dir(PROJECT / "src", quiet=1)
    small, large, checked = asked.sizes
    text = page([*builds(small, large), *checks(checked)])
    asked.page.write_text(text, encoding="utf-8")
    print(text)
    shutil.rmtree(WORK)


if __name__ == "__main__":
    main()
