"""The registry and the runner of rules.

A rule is a function: its name is the code of its findings, and its docstring is the published rule.
Rules do not print, do not change anything and do not depend on each other. A rule does not report
consequences of another error. A message never repeats what an annotator entered about a protected
person: it names the field and gives the place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from defectors_data.corpus.findings import Finding, Path, UnreadError
from defectors_data.evidence.annotated_document import Document

Scope: TypeAlias = Literal["document", "corpus"]
RuleFunction: TypeAlias = Callable[..., Iterator[Finding]]
Subjects: TypeAlias = Callable[[Document], Iterable[tuple[Path, Any]]]
HINT_ON_AGE = (
    "Record the age of a named speaker on a mention; waive any other age as `protected_attribute`."
)
"""What to do about an age, for several rules."""


class Rule(NamedTuple):
    """A registered rule."""

    code: str
    """The code of its findings."""
    function: RuleFunction
    on: str
    """The kind of subject: a key of `subjects.SUBJECTS` or, if the scope is `corpus`, of
    `corpus_index.COUNTS`."""
    scope: Scope
    waits: bool
    """Whether it is applied after the others, and skips records that have a finding."""
    unique_ids: bool
    """Whether it is skipped for a document in which an id is used twice, because it looks records
    up by id."""
    complete: bool
    """Whether it is skipped while a record cannot be read, because the missing record could cause
    its findings."""
    codebook: tuple[str, ...]
    """The numbers of the codebook rules that it enforces."""

    @property
    def sentence(self) -> str:
        """The published rule: the docstring of the function that is named after the code."""
        # Exactly one function must be named after the code; otherwise, this assignment fails.
        [named] = (
            each.function for each in RULES if each.code == self.code == code_of(each.function)
        )
        return " ".join((named.__doc__ or "").split())


def code_of(function: Callable[..., object]) -> str:
    """Return the code of the findings of a rule: its function's name, with hyphens."""
    return function.__name__.replace("_", "-")


RULES: list[Rule] = []
"""Every rule, in the order of definition. Several functions may share a code."""


def rule(
    *,
    on: str,
    scope: Scope = "document",
    waits: bool = False,
    unique_ids: bool = False,
    complete: bool = False,
    code: str | None = None,
    codebook: str | tuple[str, ...] = (),
) -> Callable[[RuleFunction], RuleFunction]:
    """Register a function as a rule.

    A rule for documents is called once for each subject, with the document and the path and value
    of the subject. A rule with the scope `corpus` is called once, with a `corpus_index.CorpusView`.
    For the arguments, see the fields of
    `Rule`. If `code` is that of another rule, the function is part of that rule, and its own
    docstring is not published.
    """

    def register(function: RuleFunction) -> RuleFunction:
        numbers = (codebook,) if isinstance(codebook, str) else codebook
        RULES.append(
            Rule(
                code or code_of(function), function, on, scope, waits, unique_ids, complete, numbers
            )
        )
        return function

    return register


class DocumentFindings(NamedTuple):
    """The findings of the rules in one document, and the numbers of subjects that were checked."""

    findings: list[Finding]
    counts: Counter[str]
    """The numbers of subjects, by kind."""
    skipped: set[str]
    """The codes of the rules that need what could not be read of a shared file."""


def apply(document: Document, subjects: Mapping[str, Subjects]) -> DocumentFindings:
    """Apply the rules on the given kinds of subjects to a document.

    `subjects` maps each kind to the function that finds its subjects. Records with a finding are
    added to
    `document.faulty`.
    """
    by_kind, unread = _subjects(document, subjects)
    counts = Counter({kind: len(found) for kind, found in by_kind.items()})
    result = DocumentFindings([], counts, {each.code for each in RULES if each.on in unread})
    # The first two steps of a path lead to its record or, for a mention, to the speaker.
    faulty = {cited.path[:2] for cited in document.cited if cited.path not in document.spans}
    rules = [each for each in RULES if each.scope == "document" and by_kind.get(each.on)]
    if document.has_duplicate_ids:
        rules = [each for each in rules if not each.unique_ids]
    if not document.is_complete:
        rules = [each for each in rules if not each.complete]
    for waits in (False, True):
        for each in (each for each in rules if each.waits == waits):
            for path, subject in by_kind[each.on]:
                try:
                    found = [*each.function(document, path, subject)]
                except UnreadError:
                    result.skipped.add(each.code)
                    continue
                if found:
                    result.findings.extend(found)
                    faulty.add(path[:2])
        # The rules of the second pass read `document.faulty`, so the findings of the first must be
        # in it.
        if faulty:
            document.faulty |= {name for path, _, name in document.records if path in faulty}
    return result


def _subjects(
    document: Document, subjects: Mapping[str, Subjects]
) -> tuple[dict[str, list[tuple[Path, Any]]], set[str]]:
    """Return the subjects of a document by kind, and the kinds that could not be read."""
    by_kind, unread = dict[str, list[tuple[Path, Any]]](), set[str]()
    for kind, find in subjects.items():
        try:
            by_kind[kind] = list(find(document))
        except UnreadError:
            unread.add(kind)
    return by_kind, unread


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in order.

    Of findings with the same code and cause, only the first is returned, with their number.
    """
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in sorted(set(findings)):
        # A finding without a cause is alone in its group.
        key = (finding.code, finding.cause) if finding.cause else finding
        groups.setdefault(key, []).append(finding)
    return sorted(_merged(*group) for group in groups.values())


def _merged(first: Finding, *more: Finding) -> Finding:
    if not more:
        return first
    place = more[0].place
    further = f"{len(more)} more like this, from line {place.line} of {place.file} onwards."
    return first._replace(help=(*first.help, further), number=1 + len(more))
