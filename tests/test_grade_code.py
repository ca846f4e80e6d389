"""The tests notice changes to the code that proves, and what they do not notice is not counted as noticed."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

import grade_code
from conftest import PROJECT

with grade_code.TABLE.open(encoding="utf-8", newline="") as _file:
    ROWS = list(csv.DictReader(_file, strict=True))


def test_only_a_failing_test_kills() -> None:
    failed, broken, passed, unreached, timed_out, never_run, crashed = 1, 3, 0, 33, 36, None, -9
    ends = dict(enumerate((failed, broken, passed, unreached, timed_out, never_run, crashed)))
    row = grade_code.row("part.py", {str(name): end for name, end in ends.items()})
    assert row == ["part.py", "7", "2", "1", "4"]


def test_every_part_was_measured() -> None:
    # The rules were measured when they were in the folder checks/; `make grade-code` renames the line.
    assert [row["module"].replace("checks/", "rules/") for row in ROWS] == [part.name for part in grade_code.PARTS]


@pytest.mark.parametrize(
    "path", sorted((PROJECT / "src/defectors_data/rules").glob("*.py")), ids=lambda path: path.stem
)
def test_no_rule_is_left_out_for_its_decorator(path: Path) -> None:
    code = path.read_text(encoding="utf-8")
    names = re.findall(r"^@(?:rule|per_document)\b(?:.|\n)*?\ndef (\w+)\(", code, re.MULTILINE)
    plain = grade_code.undecorated(code)
    assert not re.search(r"^@(rule|per_document)\b", plain, re.MULTILINE)
    called = re.findall(r"^(\w+) = (?:rule|per_document)\b.*\(\1\)$", plain, re.MULTILINE)
    assert list(dict.fromkeys(called)) == names  # a function may be registered for two subjects
    compile(plain, path.name, "exec")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["module"])
def test_at_least_85_in_a_hundred_mutants_are_killed_and_a_timeout_is_no_kill(row: dict[str, str]) -> None:
    mutants, killed, timeouts, survived = (int(row[key]) for key in ("mutants", "killed", "timeouts", "survived"))
    assert mutants == killed + timeouts + survived
    assert killed >= 0.85 * mutants
