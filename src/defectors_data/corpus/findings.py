"""Findings, files with the places of their values, and the formats of printed findings.

A finding is a value: a place, a code, one sentence, and at most three lines of help. Code that
reads or checks files returns findings; only the command line prints them. A bug in this program is
an exception, never a finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel

HELP_LINES = 3

MOST_SHOWN = 100
"""Maximum number of findings in one file that are printed; the rest are only counted."""


Path: TypeAlias = tuple[str | int, ...]
"""The path of a value in a file: keys of mappings, and positions in lists, from 0."""


class Place(NamedTuple):
    """A place in a file: path, line and column from 1, columns counted in code points."""

    file: str
    line: int = 1
    column: int = 1

    def text(self, relocate: Relocate = str) -> str:
        """Return the place as `file:line:column`, with the path that `relocate` makes of it."""
        return f"{relocate(self.file)}:{self.line}:{self.column}"


class Finding(NamedTuple):
    """One fault: its place, the code of the rule, a sentence, and up to three lines of help."""

    place: Place
    code: str
    message: str
    help: tuple[str, ...] = ()
    cause: str = ""
    """A key for a mistake that may cause several findings, or empty.

    Of the findings with the same code and the same key, only one is reported; those without a key
    are all reported.
    """
    number: int = 1
    """The number of findings, with the same code and key, for which this one is reported."""


DRAFT = "draft-record"
"""The code of the findings on drafts, which are counted apart."""


class Totals(NamedTuple):
    """The numbers of drafts and of other findings, as commands and pages show them."""

    drafts: int
    others: int

    def __str__(self) -> str:
        """Return both in words, such as "5 drafts, 4 findings"; no drafts are not mentioned."""
        from defectors_data.models.counts import counted  # noqa: PLC0415

        others = counted(self.others, "finding")
        if not self.drafts:
            return others
        return f"{counted(self.drafts, 'draft')}, {others}"


def totals(findings: Iterable[Finding]) -> Totals:
    """Return how many findings there are, also where one is reported for several."""
    numbers = Counter[bool]()
    for each in findings:
        numbers[each.code == DRAFT] += each.number
    return Totals(numbers[True], numbers[False])


class RuleReport(NamedTuple):
    """A rule, with the numbers of items checked and of findings.

    Both numbers are None if the rule was not applied; the number of items is also None if it is
    unknown.
    """

    rule: str
    """The code of its findings."""
    looked_at: str
    """The kind of item that the rule checks, in words for users."""
    seen: int | None
    findings: int | None


Relocate: TypeAlias = Callable[[str], str]
"""A function that converts a path below the project's root into the path to print."""


def lines(
    findings: Iterable[Finding], worded: Callable[..., str], *, relocate: Relocate = str
) -> Iterator[str]:
    """Yield findings as `worded` (`text` or `github`) formats them, at most `MOST_SHOWN` per file.

    For each file with more findings, a line at the end says how many are left out. This number is a
    minimum, because reading a file stops after a limited number of findings.
    """
    count: Counter[str] = Counter()
    for finding in findings:
        count[finding.place.file] += 1
        if count[finding.place.file] <= MOST_SHOWN:
            yield worded(finding, relocate=relocate)
    for file, number in count.items():
        if number > MOST_SHOWN:
            yield printable(
                f"{relocate(file)}: at least {number - MOST_SHOWN} more. Fix the findings above "
                "first."
            )


def text(finding: Finding, *, relocate: Relocate = str) -> str:
    """Return a finding as `file:line:column: code: sentence`, with its help indented below."""
    rows = (f"    {printable(row)}" for row in finding.help[:HELP_LINES])
    return "\n".join([head(finding, relocate=relocate), *rows])


def head(finding: Finding, *, relocate: Relocate = str) -> str:
    """Return a finding as `file:line:column: code: sentence`."""
    return printable(f"{finding.place.text(relocate)}: {finding.code}: {finding.message}")


def github(finding: Finding, *, relocate: Relocate = str) -> str:
    """Return a finding as a workflow command, which GitHub shows in a pull request."""
    file, line, column = finding.place
    place = {"file": relocate(file), "line": line, "col": column, "title": finding.code}
    properties = ",".join(
        f"{key}={str(value).translate(_IN_PROPERTY)}" for key, value in place.items()
    )
    body = "\n".join(map(printable, [finding.message, *finding.help[:HELP_LINES]]))
    return f"::error {properties}::{body.translate(_IN_DATA)}"


# Replacements in workflow commands: the characters that GitHub's own toolkit escapes, and how it
# escapes them.
_IN_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTY = {**_IN_DATA, **str.maketrans({":": "%3A", ",": "%2C"})}


def record(finding: Finding, *, relocate: Relocate = str) -> dict[str, object]:
    """Return a finding as a dictionary for `--format json`; with others of the same cause, it is one
    and has their number.
    """
    file, line, column = finding.place
    return {
        "file": relocate(file),
        "line": line,
        "column": column,
        "code": finding.code,
        "message": finding.message,
        "help": list(finding.help[:HELP_LINES]),
        "number": finding.number,
    }


def printable(words: str) -> str:
    """Replace invisible characters with their code points (`<U+001B>`).

    Otherwise a file could control a terminal.
    """
    return "".join([_printable(character) for character in words])


def _printable(character: str) -> str:
    if character.isprintable():
        return character
    return f"<U+{ord(character):04X}>"


Content = TypeVar("Content", bound=BaseModel)


class FieldText(NamedTuple):
    """A text in a file, with its path and the field of the model that contains it."""

    path: Path
    text: str
    model: type[BaseModel]
    field: str


class UnreadError(Exception):
    """A value is needed that could not be read; what is wrong with it has its own finding."""


class PartlyRead:
    """The values of a shared file that could be read, as attributes.

    Any other attribute of its model raises `UnreadError`, so that no rule takes it for absent.
    """

    def __init__(self, values: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Store the values by name."""
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        """Raise an error for a value that could not be read."""
        if name.startswith("__"):
            raise AttributeError(name)
        raise UnreadError(name)

    def __iter__(self) -> Iterator[Any]:
        """Raise an error, because some values could not be read."""
        raise UnreadError


class ProjectFile(Generic[Content]):
    """A file, or a line of a shard: its content, and the place of each value."""

    def __init__(
        self,
        file: str,
        content: Content,
        places: Mapping[Path, Place] | Callable[[], Mapping[Path, Place]],
        *,
        typed: str = "",
        line: int = 1,
        unread: Collection[tuple[str, str]] | None = None,
    ) -> None:
        """Store the content and the places of its values.

        Args:
            file: path below the project's folder.
            content: the model of the file, or of the line.
            places: the places of all values, or a function that computes them when a place is first
                needed.
            typed: the text of the file, or of the line.
            line: the number of the line in its shard, from 1; 1 for a whole file.
            unread: the list and the id (or term) of each record that is left out because it is
                invalid, with an empty id if it is unknown; for a key that is left out, the key and
                an empty id; None if nothing is left out.
        """
        self.unread = unread
        self.file, self.content, self.typed, self.line, self._places = (
            file,
            content,
            typed,
            line,
            places,
        )

    @property
    def is_complete(self) -> bool:
        """Whether everything in the file could be read."""
        return self.unread is None

    @property
    def is_line(self) -> bool:
        """Whether this is a line of a shard."""
        return self.file.endswith(".jsonl")

    @cached_property
    def places(self) -> Mapping[Path, Place]:
        """The place of each value, by its path."""
        return self._places() if callable(self._places) else self._places

    def place(self, *path: str | int) -> Place:
        """Return the place of a value, or of the nearest value that contains it."""
        while not (found := self.places.get(path)) and path:
            path = path[:-1]
        return found or Place(self.file, self.line)

    def texts(self) -> list[tuple[Path, str]]:
        """Return every text in the file, each with its path."""
        return [(path, text) for path, text, _, _ in self.fields]

    @cached_property
    def fields(self) -> list[FieldText]:
        """Every text in the file, with its path and its field."""
        found: list[FieldText] = []
        if isinstance(self.content, PartlyRead):
            raise UnreadError(self.file)
        _collect(self.content, (), type(self.content), "", found)
        return found


def _collect(
    value: Any, path: Path, model: type[BaseModel], field: str, found: list[FieldText]
) -> None:
    """Add the texts in a model or a tuple to `found`; no other value contains text."""
    # Every value of a corpus passes through here, and `type(x) is` is faster than `isinstance`.
    in_list = type(value) is tuple
    items = enumerate(value) if in_list else vars(value).items()
    for key, item in items:
        name = field if in_list else str(key)
        if type(item) is str:
            found.append(FieldText((*path, key), item, model, name))
        elif type(item) is tuple:
            if item:
                _collect(item, (*path, key), model, name, found)
        # Models have a `__dict__`; numbers and booleans have none.
        elif item is not None and hasattr(item, "__dict__"):
            _collect(item, (*path, key), type(item), "", found)
