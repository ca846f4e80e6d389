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
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs/developers/benchmarks.md"
WORK = PROJECT / "build" / "bench"
GENERATOR = Path(__file__).parent / "generator.py"
SMALLEST = str(Path(__file__).parent / "smallest.py")
PROFILED = str(Path(__file__).parent / "profiled.py")
OURS = (sys.executable, "-m", "defectors_data")
FRICTIONLESS = str(Path(sys.executable).parent / "frictionless")
PEERS = PROJECT / "build/peers/bin/python"
"""An environment with the programs in `peers.lock`."""
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
    goal: str = ""
    """What the project wants at most; empty if it has set itself nothing."""


def builds(small_size: int, large_size: int) -> Iterable[Row]:
    """Measure the builds of two corpora, and the validation of the packages."""
    small, large = built(small_size), built(large_size)
    reference = cost(FRICTIONLESS, "validate", large.package / "datapackage.json")
    verified = cost(*OURS, "verify", large.package)
    fast = cost(*OURS, "verify", "--fast", large.package)
    documents = large_size // 10
    growth = large.cost.cpu / small.cost.cpu
    size = f"{large_size:,} annotations"
    yield Row(f"build / `frictionless validate` of its result, {size}", ratio(large.cost, reference), "1.5 x")
    yield Row("build with every rule, CPU for each article", f"{1000 * large.cost.cpu / documents:.2g} ms")
    yield Row(f"build of {size} / of {small_size:,}, CPU", f"{growth:.3g} x")
    yield Row(f"build, memory, {size}", megabytes(large.cost), "310 MB")
    yield Row(f"`verify --fast` / `frictionless validate`, {size}", ratio(fast, reference), "0.16 x")
    yield Row(f"`verify`, memory, {size}", megabytes(verified), "310 MB")
    yield from speeds(large.corpus)


def checks(annotations: int) -> Iterable[Row]:
    """Measure `check` of a corpus of YAML files after an edit of one article, and of the four articles."""
    corpus = WORK / "checked"
    generate(corpus, annotations, "--small")
    check = (*OURS, "check", "--root", corpus)
    cost(*check)  # fills the cache
    edited = next(path for path in corpus.glob("annotations/*.yaml") if "-" in path.stem)
    # A line at the end changes the file and nothing that it says.
    edited.write_text(edited.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    again, every = cost(*check), cost(*check, "--no-cache")
    imports = (sys.executable, "-c", "import pydantic, typer")
    reference, smallest, four, uncached = alternated(
        imports, (sys.executable, SMALLEST), (*OURS, "check"), (*OURS, "check", "--no-cache")
    )
    edited_one = f"`check` of {annotations // 10:,} articles after an edit of one / with `--no-cache`"
    yield Row(edited_one, ratio(again, every), "0.15 x")
    yield Row("`check` of the four articles, unchanged / `import pydantic, typer`", ratio(four, reference), "3.5 x")
    yield Row("`check --no-cache` of the four articles / that import", ratio(uncached, reference), "3.5 x")
    yield Row("`check` of the four articles, unchanged / `smallest.py`", ratio(four, smallest))
    yield Row("`check --no-cache` of the four articles / `smallest.py`", ratio(uncached, smallest))


def alternated(*commands: Sequence[str]) -> list[Cost]:
    """Return the median costs of short commands, which are run by turns after one run to warm up."""
    runs = [[cost(*command) for command in commands] for _ in range(RUNS + 1)][1:]
    return [sorted(costs)[RUNS // 2] for costs in zip(*runs, strict=True)]


def speeds(corpus: Path) -> Iterator[Row]:
    """Measure how fast texts are read and quotations are found, here and by other programs."""
    texts = WORK / "texts.json"
    ours = output(sys.executable, "speed.py", corpus, texts)
    yield Row("text read for numbers and quotations, each second of CPU", measured(ours["text"], 1e3, "kB"))
    others: dict[str, Any] = {}
    if PEERS.exists():
        others = output(PEERS, "peers.py", texts)
    for name in ("quantulum3", "recognizers_text", "text2num"):
        yield Row(f"the same by {name}", measured(others.get(name), 1e3, "kB"))
    yield Row("quotations found in their articles, each second of CPU", measured(ours["quotations"]))
    name = "linkml_reference_validator"
    yield Row(f"the same by {name}", measured(others.get(name)))


def measured(speed: Any, unit: float = 1, name: str = "") -> str:
    """Return a speed in a unit, or why there is none."""
    if isinstance(speed, float):
        return f"{speed / unit:,.0f} {name}".rstrip()
    return f"not measured ({speed or 'it could not be installed'})"


def output(python: str | Path, script: str, *arguments: Path) -> dict[str, Any]:
    """Return what a script next to this one prints as JSON."""
    command = [python, Path(__file__).parent / script, *arguments]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found: dict[str, Any] = json.loads(printed)
    return found


def ratio(one: Cost, other: Cost) -> str:
    """Return the ratio of two CPU times."""
    return f"{one.cpu / other.cpu:.2f} x"


def megabytes(one: Cost) -> str:
    """Return the memory of a command."""
    return f"{one.memory:.0f} MB"


PAGE_TEXT = """\
# Benchmarks

`make bench` measures all of this in one run, and writes this page. A build applies every rule,
writes every table, and validates the package, in one process.

The corpus is invented (`tools/benchmarks/generator.py`): articles of 6 kB with about seven
testimonies and three figures. Ratios are of CPU time, and depend little on the machine.

| what | measured | goal, at most |
|---|---|---|
{rows}

Measured with Python {python} on {machine}. `frictionless validate` reads the
published tables only; a build also reads the texts and accounts for each quotation and number in
them. pydantic and typer import most of themselves when they are first used:
`tools/benchmarks/smallest.py` is the smallest program that uses both. text2num is written in Rust.

## Where the time goes

| part | build of {small} annotations | `check --no-cache` of the four articles |
|---|---|---|
{parts}

Shares of the CPU time, by the module that was running (`tools/benchmarks/profiled.py`).
"""


def profiles(annotations: int) -> Iterator[str]:
    """Yield a line for each part of a build and of a check, with its shares of the CPU time of both."""
    corpus = WORK / f"corpus-{annotations}"
    build = shares("build", "--root", corpus, "--out", WORK / "profiled", "--jobs", "1")
    check = shares("check", "--no-cache")
    for part, share in build.items():
        yield f"| {part} | {share:.0%} | {check[part]:.0%} |"


def shares(*command: str | Path) -> dict[str, float]:
    """Return the share of each part in the CPU time of a command."""
    words = [sys.executable, PROFILED, *map(str, command)]
    printed = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=PROJECT).stdout
    found: dict[str, float] = json.loads(printed.splitlines()[-1])
    return found


def page(rows: Iterable[Row], parts: Iterable[str], small: int) -> str:
    """Return the page."""
    lines = [f"| {row.what} | {row.measured} | {row.goal} |" for row in rows]
    return PAGE_TEXT.format(
        rows="\n".join(lines),
        parts="\n".join(parts),
        small=f"{small:,}",
        python=platform.python_version(),
        machine=f"{os.cpu_count()} cores ({platform.machine()})",
    )


def main() -> None:
    """Measure, and write and print the page."""
    parser = argparse.ArgumentParser(description="Measure builds and checks, and write the page.")
    parser.add_argument("--sizes", type=int, nargs=3, default=[SMALL, LARGE, CHECKED], metavar="N")
    parser.add_argument("--page", type=Path, default=PAGE)
    asked = parser.parse_args()
    compileall.compile_dir(PROJECT / "src", quiet=1)
    small, large, checked = asked.sizes
    rows = [*builds(small, large), *checks(checked)]
    text = page(rows, profiles(small), small)
    asked.page.write_text(text, encoding="utf-8")
    print(text)
    shutil.rmtree(WORK)


if __name__ == "__main__":
    main()
