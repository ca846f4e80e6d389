"""What a fault in people's work is, and the lines it prints as.

A finding is a value: where, which rule, one sentence, at most three lines of help. Rooms that read or check
return findings; only the command line prints them. A fault of this program is an exception, never a finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, Protocol, TypeAlias

HELP_LINES = 3

MOST_SHOWN = 100
"""Findings of one file that are shown to people; the others are counted."""


class Place(NamedTuple):
    """A place in a file: path from the project's root, line and column from 1, columns in code points."""

    file: str
    line: int = 1
    column: int = 1


class Finding(NamedTuple):
    """One fault: where it is, the code of the rule, a sentence, and up to three lines that help to mend it."""

    place: Place
    code: str
    message: str
    help: tuple[str, ...] = ()
    cause: str = ""
    """What one mistake is called that may cause many findings: those of one code and cause are reported once."""


Relocate: TypeAlias = Callable[[str], str]


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings by file, line and column, and drop exact repeats."""
    return sorted(set(findings))


class Worded(Protocol):
    """A way to write a finding."""

    def __call__(self, finding: Finding, *, relocate: Relocate) -> str:
        """Return the finding as it is shown."""
        ...


def lines(findings: Iterable[Finding], worded: Worded, *, relocate: Relocate = str) -> Iterator[str]:
    """Return findings as they are shown: of each file at most `MOST_SHOWN`, and then how many there are more.

    There may be more than these, too: what floods a file is not all told.
    """
    count: Counter[str] = Counter()
    for finding in findings:
        count[finding.place.file] += 1
        if count[finding.place.file] <= MOST_SHOWN:
            yield worded(finding, relocate=relocate)
    for file, number in count.items():
        if number > MOST_SHOWN:
            yield printable(f"{relocate(file)}: at least {number - MOST_SHOWN} findings more. Mend these first.")


def text(finding: Finding, *, relocate: Relocate = str) -> str:
    """Return a finding as `file:line:column: code: sentence`, help lines below it, indented by four."""
    file, line, column = finding.place
    head = f"{relocate(file)}:{line}:{column}: {finding.code}: {finding.message}"
    return "\n".join([printable(head), *(f"    {printable(row)}" for row in finding.help[:HELP_LINES])])


def github(finding: Finding, *, relocate: Relocate = str) -> str:
    """Return a finding as a workflow command, which GitHub shows beside the line in a pull request."""
    file, line, column = finding.place
    place = {"file": relocate(file), "line": line, "col": column, "title": finding.code}
    properties = ",".join(f"{key}={_escape(str(value), _PROPERTY)}" for key, value in place.items())
    body = "\n".join(map(printable, [finding.message, *finding.help[:HELP_LINES]]))
    return f"::error {properties}::{_escape(body, _DATA)}"


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


# Workflow commands, escaped as GitHub's own toolkit escapes them.
_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = {**_DATA, ":": "%3A", ",": "%2C"}


def _escape(words: str, table: Mapping[str, str]) -> str:
    return words.translate({ord(key): value for key, value in table.items()})


def printable(words: str) -> str:
    """Show control and other invisible characters by their code point, so that no file can steer a terminal."""
    return "".join(c if c.isprintable() else f"<U+{ord(c):04X}>" for c in words)
