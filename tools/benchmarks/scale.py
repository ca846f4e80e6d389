"""Measure other tools, and builds of invented corpora, and record their costs: `scale.py SIZE ...`.

The commands of one size alternate (A B A B), so that a temporary load of the machine affects all of them. The page uses
medians, and ratios within one run. Each size is recorded in a separate file in tools/benchmarks/results/.
"""

from __future__ import annotations

import argparse
import compileall
import importlib.metadata
import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import running
from running import MILLION, PROJECT, TASKS, Cost

RESULTS = Path(__file__).parent / "results"
WORK = PROJECT / "build" / "bench"
ROUNDS = 5
FEWER = 3
"""Rounds from 100,000 to a million annotations; larger sizes have one round."""
PROFILED_UNTIL = 10_000
"""Largest number of annotations for which a build is profiled. The shares hardly change with the size."""
_VERSIONS = ("duckdb", "pandera", "datasets", "pycldf", "dkpro-cassis", "pyarrow", "pandas")


def measure(size: int, names: list[str], rounds: int) -> dict[str, Any]:
    """Measure the named tasks that can run at a size, and return the results."""
    folders = {name: WORK / str(size) / name for name in ("corpus", "made", "cldf", "out")}
    folders["result"] = folders["made"] / "package"
    log = WORK / str(size) / "log.txt"
    asked = [name for name in names if size <= TASKS[name].most]
    _corpus(folders["corpus"], size)
    _prepared(asked, folders, log)
    runs: dict[str, list[Cost]] = {name: [] for name in asked}
    for i in range(rounds):
        for name in asked:
            if not runs[name] or size < TASKS[name].once_from:
                print(f"{size:,}: {name}, {i + 1} of {rounds}", file=sys.stderr, flush=True)
                with _empty(folders["out"]):
                    runs[name].append(running.cost(running.filled(TASKS[name].command, folders), log))
    costs_of = {name: [[round(number, 4) for number in cost] for cost in costs] for name, costs in runs.items()}
    stages = _stages(folders, log) if "ours" in asked and size <= PROFILED_UNTIL else {}
    return {**_facts(size, folders), "runs": costs_of, "stages": stages}


def _corpus(folder: Path, size: int) -> None:
    """Write the corpus in a separate process, because child processes inherit the peak memory of this one."""
    shutil.rmtree(folder, ignore_errors=True)
    generator = Path(__file__).parent / "generator.py"
    subprocess.run([sys.executable, str(generator), str(folder), str(size)], check=True)


def _prepared(asked: list[str], folders: dict[str, Path], log: Path) -> None:
    """Make the inputs of the tasks. This is not measured."""
    made, cldf = folders["made"], folders["cldf"]
    for folder in (made, cldf):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
    if any("{result}" in word or "{cldf}" in word for name in asked for word in TASKS[name].command):
        running.cost(running.filled(TASKS["ours"].command, {**folders, "out": made}), log)
    if "cldf" in asked:
        running.cost(running.filled(running.PREPARING_CLDF, {**folders, "out": cldf}), log)


@contextmanager
def _empty(folder: Path) -> Iterator[None]:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    yield
    shutil.rmtree(folder)


def _stages(folders: dict[str, Path], log: Path) -> dict[str, int]:
    """Return the number of samples of each function in a build by one process."""
    record = WORK / "stages.json"
    arguments = TASKS["ours"].command[len(running.OURS) :]
    command = [sys.executable, str(Path(__file__).parent / "stages.py"), str(record)]
    with _empty(folders["out"]):
        running.cost([*command, *running.filled(arguments, folders)], log)
    seen: dict[str, int] = json.loads(record.read_text(encoding="utf-8"))
    return seen


def _facts(size: int, folders: dict[str, Path]) -> dict[str, Any]:
    annotated = sum(path.stat().st_size for path in (folders["corpus"] / "annotations").glob("*.jsonl"))
    return {
        "annotations": size,
        "megabytes_of_annotations": round(annotated / 1e6, 1),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "versions": _versions(),
    }


def _versions() -> dict[str, str]:
    """Return the versions of the tools that are measured."""
    code = f"from importlib.metadata import version; print(*map(version, {_VERSIONS}))"
    printed = subprocess.run([str(running.PEERS / "python"), "-c", code], capture_output=True, check=True, text=True)
    versions = dict(zip(_VERSIONS, printed.stdout.split(), strict=True))
    return {**versions, "frictionless": importlib.metadata.version("frictionless")}


def main() -> None:
    """Measure and record each size."""
    parser = argparse.ArgumentParser(description="Measure builds and other tools, and record their costs.")
    parser.add_argument("sizes", type=int, nargs="+", help="number of annotations, a multiple of ten")
    parser.add_argument(
        "--only", default=",".join(TASKS), help=f"tasks to run, separated by commas: {', '.join(TASKS)}"
    )
    parser.add_argument("--rounds", type=int, help=f"runs of each task; {ROUNDS}, {FEWER} or 1, by size")
    parser.add_argument("--results", type=Path, default=RESULTS, help="folder for the results")
    asked = parser.parse_args()
    compileall.compile_dir(PROJECT / "src", quiet=1)
    asked.results.mkdir(exist_ok=True)
    for size in asked.sizes:
        rounds = asked.rounds or (ROUNDS if size < MILLION // 10 else FEWER if size <= MILLION else 1)
        (WORK / str(size)).mkdir(parents=True, exist_ok=True)
        record = measure(size, asked.only.split(","), rounds)
        text = json.dumps(record, indent=1)
        (asked.results / f"scale-{size}.json").write_text(f"{text}\n", encoding="utf-8")
        shutil.rmtree(WORK / str(size))


if __name__ == "__main__":
    main()
