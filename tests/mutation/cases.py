"""For `make grade-code`: the checks on every case of `tests/findings/`, in one test and on proofs that are made once.

mutmut runs the tests as they are and then, in a fork of that process, for each mutant: no check changes what reading
and anchoring gave, so the proofs of the first run hold in all. The cases of the rule that is mutated come first, then
those of its module: most mutants need no more.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import test_findings
import test_rules
from conftest import INVENTED
from defectors_data import checks, findings, proving
from defectors_data.checks.seen import SEEN
from defectors_data.proving import Proof
from defectors_data.reading import read


class Case(NamedTuple):
    """A fault's code, the proof of the corpus that has it, and what is said of it."""

    code: str
    proof: Proof
    expected: str


def proved(changes: list[dict[str, object]]) -> Proof | None:
    """Return the proof of the invented corpus with changes, or None where they leave no corpus."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(shutil.copytree(INVENTED, Path(folder) / "project"))
        for change in changes:
            test_findings.damage(root, change)
        corpus = read(root).corpus
        return proving.prove(corpus) if corpus else None


def written() -> Iterator[tuple[str, list[dict[str, object]], str]]:
    """Return the code, the changes and the expected words of every case."""
    for code in test_findings.CODES:
        case = test_findings.case(code)
        yield code, case["fault"], (test_findings.FOLDER / code / "expected.txt").read_text(encoding="utf-8")
        yield code, case["quiet"], ""
    for path in test_rules.CASES.values():
        expected = path.read_text(encoding="utf-8").partition(test_rules.MARK)[2]
        yield path.parent.name, test_rules.changes(path), expected


@cache
def cases() -> tuple[Case, ...]:
    """Return every case in which there is a corpus to check."""
    found = ((code, proved(changes), expected) for code, changes, expected in written())
    return tuple(Case(code, proof, expected) for code, proof, expected in found if proof)


def nearness(code: str) -> int:
    """Return how far a fault is from the function under mutation: its own, of its module, or of another."""
    module, _, mutant = os.environ.get("MUTANT_UNDER_TEST", "").rpartition(".")
    function = re.match(r"x_(\w+)__mutmut", mutant)
    if function and function[1].replace("_", "-") == code:
        return 0
    modules = {check.__name__.replace("_", "-"): check.__module__ for check in checks.CHECKS}
    return 1 if modules.get(code) == module else 2


def test_every_case_is_told_to_the_letter() -> None:
    for case in sorted(cases(), key=lambda case: nearness(case.code)):
        said = "".join(findings.text(finding) + "\n" for finding in checks.run(case.proof))
        assert said == case.expected, case.code


def test_the_cases_are_many() -> None:
    assert len(cases()) > len(checks.CHECKS) * 2


def test_what_is_examined_is_what_is_run_with_what_each_rule_saw() -> None:
    for case in cases()[::20]:
        found, seen = checks.examine(case.proof)
        assert found == checks.run(case.proof)
        assert [rule.code for rule in seen] == [checks.code_of(check) for check in checks.CHECKS]
        told = [finding.code for finding in found]
        assert all(rule.findings == told.count(rule.code) for rule in seen if rule.findings)
        assert all(
            rule.seen == len([*SEEN[check].places(case.proof)]) for check, rule in zip(checks.CHECKS, seen, strict=True)
        )
