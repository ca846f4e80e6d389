"""Grade the tests: change the code of the checks, one expression at a time, and count the changes that a test notices.

`make grade-code` writes tools/grade/grade-code.csv. mutmut makes the mutants, every one that it can inside the
functions of each part, and runs the tests that reach the function. None is left out by hand: a mutant that means
the same as the code counts as survived, and so does one that no test reaches. build/grade-code/*/survivors.txt lists
them.
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
    """A part of the code that is graded: its files, and the tests that hold it."""

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
NOTICED = {1, 3}
"""How pytest ends where a test failed, or where the change broke the run itself."""
TIMEOUTS = {-24, 24, 36, 152, 255}
"""How mutmut records a run that it ended because it took too long."""


def main(names: Sequence[str]) -> None:
    """Grade the parts that are named, or all; JOBS processes, or one for each core."""
    parts = [part for part in PARTS if not names or part.name in names]
    measured = {part.name: row(part.name, graded(part)) for part in parts}
    rows = {**(written() if names else {}), **measured}
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["module", "mutants", "killed", "timeouts", "survived"])
        table.writerows(rows[part.name] for part in PARTS if part.name in rows)
    print(TABLE.read_text(encoding="utf-8"), end="")


def graded(part: Part) -> dict[str, int | None]:
    """Return every mutant of a part, with what its run ended with."""
    room = WORK / part.name.strip("/")
    shutil.rmtree(room, ignore_errors=True)
    for folder in ("annotations", "docs", "seeds", "src", "tests"):
        shutil.copytree(PROJECT / folder, room / folder, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("dataset.yaml", "pyproject.toml"):
        shutil.copy2(PROJECT / file, room)
    for path in room.glob(part.files):
        path.write_text(undecorated(path.read_text(encoding="utf-8")), encoding="utf-8")
    tests = "\n    ".join(f"tests/{name}" for name in part.tests)
    (room / "setup.cfg").write_text(SETTINGS.format(files=part.files, tests=tests), encoding="utf-8")
    jobs = os.environ.get("JOBS") or str(os.cpu_count() or 1)
    environment = {**os.environ, "CI": "1", "PYTHONPATH": str(WORK / "mutmut")}
    with (room / "log.txt").open("wb") as log:
        subprocess.run([*RUN, "run", "--max-children", jobs], cwd=room, check=True, env=environment, stdout=log)
    ends: dict[str, int | None] = {}
    for meta in sorted((room / "mutants").rglob("*.py.meta")):
        ends |= json.loads(meta.read_text(encoding="utf-8"))["exit_code_by_key"]
    survivors = [name for name, end in ends.items() if end not in NOTICED | TIMEOUTS]
    (room / "survivors.txt").write_text("".join(f"{name}\n" for name in survivors), encoding="utf-8")
    return ends


DECORATORS = {"rule", "per_document"}
"""What decorates functions that are mutated."""


def undecorated(code: str) -> str:
    """Return a module with some decorators called below their function: mutmut passes over decorated functions."""
    lines = code.splitlines()
    for node in reversed(ast.parse(code).body):
        if isinstance(node, ast.FunctionDef):
            calls = [ast.unparse(decorator) for decorator in node.decorator_list]
            if calls and {call.partition("(")[0] for call in calls} <= DECORATORS:
                lines.insert(node.end_lineno or 0, "\n".join(f"{node.name} = {call}({node.name})" for call in calls))
                del lines[node.decorator_list[0].lineno - 1 : node.lineno - 1]
    return "\n".join([*lines, ""])


def row(name: str, ends: dict[str, int | None]) -> list[str]:
    """Return the line of the table for a part."""
    count = Counter("killed" if e in NOTICED else "timeouts" if e in TIMEOUTS else "survived" for e in ends.values())
    return [name, str(len(ends)), *(str(count[key]) for key in ("killed", "timeouts", "survived"))]


def written() -> dict[str, list[str]]:
    """Return the lines of the last run, by part."""
    if not TABLE.exists():
        return {}
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {line[0]: line for line in csv.reader(file, strict=True)}


if __name__ == "__main__":
    main(sys.argv[1:])
