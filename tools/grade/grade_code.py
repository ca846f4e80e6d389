"""Measure the tests by mutation testing: change the code of each part and count the changes that a test detects.

`make grade-code` writes tools/grade/grade-code.csv. mutmut creates all mutants that it can in the functions of each
part, and runs the tests that cover each function. No mutant is excluded by hand: equivalent mutants count as survived,
and so do mutants that no test covers. build/grade-code/*/survivors.txt lists the survivors.
"""

from __future__ import annotations

import ast
import csv
import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

PROJECT = Path(__file__).parents[2]
TABLE = PROJECT / "tools/grade/grade-code.csv"
WORK = PROJECT / "build/grade-code"
RUN = [sys.executable, "-c", "from mutmut.__main__ import cli; cli()"]


class Part(NamedTuple):
    """A part of the code that is measured: its files, and the tests that cover it."""

    name: str
    files: str
    tests: Sequence[str]


PARTS = (
    Part("anchoring.py", "src/defectors_data/evidence/anchoring.py", ("test_anchoring.py",)),
    Part("quantities.py", "src/defectors_data/text/quantities.py", ("mutation/phrases.py",)),
    Part("rules/", "src/defectors_data/rules/*.py", ("mutation/cases.py",)),
)

SETTINGS = """\
[mutmut]
source_paths=src
only_mutate={files}
also_copy=
    annotations
    dataset.yaml
    docs
    seeds
pytest_add_cli_args_test_selection=
    {tests}
timeout_multiplier=1.0
timeout_constant=30.0
"""
KILLED = {1, 3}
"""Exit codes of pytest if a test failed, or if the change broke the test run."""
TIMEOUTS = {-24, 24, 36, 152, 255}
"""Exit codes that mutmut records for a run that it stopped after the time limit."""


def main(names: Sequence[str]) -> None:
    """Measure the named parts, or all parts, with JOBS processes or one for each core."""
    parts = [part for part in PARTS if not names or part.name in names]
    measured = {part.name: row(part.name, graded(part)) for part in parts}
    rows = {**(written() if names else {}), **measured}
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["module", "mutants", "killed", "timeouts", "survived"])
        table.writerows(rows[part.name] for part in PARTS if part.name in rows)
    print(TABLE.read_text(encoding="utf-8"), end="")


def graded(part: Part) -> dict[str, int | None]:
    """Run the mutants of a part, and return the exit code of each by the name of the mutant."""
    work = WORK / part.name.strip("/")
    shutil.rmtree(work, ignore_errors=True)
    for folder in ("annotations", "docs", "seeds", "src", "tests"):
        shutil.copytree(PROJECT / folder, work / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("dataset.yaml", "pyproject.toml"):
        shutil.copy2(PROJECT / file, work)
    for path in work.glob(part.files):
        path.write_text(undecorated(path.read_text(encoding="utf-8")), encoding="utf-8")
    tests = "\n    ".join(f"tests/{name}" for name in part.tests)
    (work / "setup.cfg").write_text(SETTINGS.format(files=part.files, tests=tests), encoding="utf-8")
    jobs = os.environ.get("JOBS") or str(os.cpu_count() or 1)
    environment = {**os.environ, "CI": "1", "PYTHONPATH": str(WORK / "mutmut")}
    with (work / "log.txt").open("wb") as log:
        subprocess.run([*RUN, "run", "--max-children", jobs], cwd=work, check=True, env=environment, stdout=log)
    exit_codes: dict[str, int | None] = {}
    for meta in sorted((work / "mutants").rglob("*.py.meta")):
        exit_codes |= json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
    survivors = [name for name, code in exit_codes.items() if code not in KILLED | TIMEOUTS]
    (work / "survivors.txt").write_text("".join(f"{name}\n" for name in survivors), encoding="utf-8")
    return exit_codes


DECORATORS = {"rule", "per_document"}
"""Decorators of functions that are mutated."""


def undecorated(code: str) -> str:
    """Return a module with `DECORATORS` called below their functions, because mutmut skips decorated functions."""
    lines = code.splitlines()
    for node in reversed(ast.parse(code).body):
        if isinstance(node, ast.FunctionDef):
            calls = [ast.unparse(decorator) for decorator in node.decorator_list]
            if calls and {call.partition("(")[0] for call in calls} <= DECORATORS:
                lines.insert(node.end_lineno or 0, "\n".join(f"{node.name} = {call}({node.name})" for call in calls))
                del lines[node.decorator_list[0].lineno - 1 : node.lineno - 1]
    return "\n".join([*lines, ""])


def row(name: str, exit_codes: dict[str, int | None]) -> list[str]:
    """Return the row of the table for a part, from the exit codes of its mutants."""
    codes = exit_codes.values()
    count = Counter("killed" if c in KILLED else "timeouts" if c in TIMEOUTS else "survived" for c in codes)
    return [name, str(len(codes)), *(str(count[key]) for key in ("killed", "timeouts", "survived"))]


def written() -> dict[str, list[str]]:
    """Return the rows of the last run by part."""
    if not TABLE.exists():
        return {}
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {line[0]: line for line in csv.reader(file, strict=True)}


if __name__ == "__main__":
    main(sys.argv[1:])
