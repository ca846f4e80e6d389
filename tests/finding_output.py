"""What a command wrote of its findings, and its exit code."""

from __future__ import annotations

import re

from calling import Ran
from defectors_data.corpus import findings


def told_of_findings(out: str) -> str:
    """Return what is told before the line that says what was skipped."""
    return out.partition("Skipped until the problems above are fixed: ")[0]


def one_finding(ran: Ran) -> str:
    """Return the only finding that a command has told: file, line, column, code, a sentence, and what to do."""
    assert (ran.returncode, ran.stderr) == (1, "1 finding.\n"), ran
    return one_well_said(told_of_findings(ran.stdout))


def one_well_said(told: str) -> str:
    """Return what is told of a finding, which must have all its parts."""
    head, *help_lines = told.rstrip("\n").split("\n")
    assert re.fullmatch(r"\S+:[1-9][0-9]*:[1-9][0-9]*: [a-z0-9-]+: \S.*[.]", head), head
    assert all(line.startswith("    ") for line in help_lines), told
    assert len(help_lines) <= findings.HELP_LINES
    assert help_lines or re.search(
        r"needed|[Ee]xpected|must|at most|fill it|write it|take it out|remove it|start it with|begin with|not one of",
        head,
    ), head
    assert "Traceback" not in told
    return told
