"""Findings: what is wrong with the files of a project, and the formats in which findings are printed.

A finding is a value: a place, a code, one sentence, and at most three lines of help. Code that reads or checks files
returns findings; only the command line prints them. A bug in this program is an exception, never a finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

HELP_LINES = 3

MOST_SHOWN = 100
"""Maximum number of findings in one file that are printed; the rest are only counted."""


Path: TypeAlias = tuple[str | int, ...]
"""The path of a value in a file: keys of mappings, and positions in lists, from 0."""


class Place(NamedTuple):
    """A place in a file: path below the project's root, line and column from 1, columns counted in code points."""

    file: str
    line: int = 1
    column: int = 1


class Finding(NamedTuple):
    """One fault: its place, the code of the rule, a sentence, and up to three lines of help."""

    place: Place
    code: str
    message: str
    help: tuple[str, ...] = ()
    cause: str = ""
    """A key for a mistake that may cause several findings, or empty.

    Of the findings with the same code and the same key, only one is reported; those without a key are all reported.
    """


Relocate: TypeAlias = Callable[[str], str]
"""A function that converts a path below the project's root into the path to print."""


def lines(findings: Iterable[Finding], worded: Callable[..., str], *, relocate: Relocate = str) -> Iterator[str]:
    """Yield findings as `worded` (`text` or `github`) formats them, at most `MOST_SHOWN` per file.

    For each file with more findings, a line at the end says how many are left out. This number is a minimum, because
    reading a file stops after a limited number of findings.
    """
    count: Counter[str] = Counter()
    for finding in findings:
        count[finding.place.file] += 1
        if count[finding.place.file] <= MOST_SHOWN:
            yield worded(finding, relocate=relocate)
    for file, number in count.items():
        if number > MOST_SHOWN:
            yield printable(f"{relocate(file)}: at least {number - MOST_SHOWN} more. Fix the findings above first.")


def text(finding: Finding, *, relocate: Relocate = str) -> str:
    """Return a finding as `file:line:column: code: sentence`, with its lines of help below, indented by four spaces."""
    rows = (f"    {printable(row)}" for row in finding.help[:HELP_LINES])
    return "\n".join([head(finding, relocate=relocate), *rows])


def head(finding: Finding, *, relocate: Relocate = str) -> str:
    """Return a finding as `file:line:column: code: sentence`."""
    file, line, column = finding.place
    return printable(f"{relocate(file)}:{line}:{column}: {finding.code}: {finding.message}")


def github(finding: Finding, *, relocate: Relocate = str) -> str:
    """Return a finding as a workflow command, which GitHub shows next to the line in a pull request."""
    file, line, column = finding.place
    place = {"file": relocate(file), "line": line, "col": column, "title": finding.code}
    properties = ",".join(f"{key}={str(value).translate(_IN_PROPERTY)}" for key, value in place.items())
    body = "\n".join(map(printable, [finding.message, *finding.help[:HELP_LINES]]))
    return f"::error {properties}::{body.translate(_IN_DATA)}"


# Replacements in workflow commands: the characters that GitHub's own toolkit escapes, and how it escapes them.
_IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = {**_IN_DATA, **str.maketrans({":": "%3A", ",": "%2C"})}


def record(finding: Finding, *, relocate: Relocate = str) -> dict[str, object]:
    """Return a finding as a dictionary for `--format json`."""
    file, line, column = finding.place
    return {
        "file": relocate(file),
        "line": line,
        "column": column,
        "code": finding.code,
        "message": finding.message,
        "help": list(finding.help[:HELP_LINES]),
    }


def printable(words: str) -> str:
    """Replace invisible characters with their code points (`<U+001B>`), so that no file can control a terminal."""
    return "".join(c if c.isprintable() else f"<U+{ord(c):04X}>" for c in words)
