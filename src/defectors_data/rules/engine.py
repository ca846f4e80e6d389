"""The registry and the runner of rules.

A rule is a function; its name is the code of its findings and its docstring the published rule. None prints, none
changes anything, none needs another to have run; the mere consequence of another fault is not reported. A message
repeats nothing that was typed about a protected person: it names the field and gives the place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from defectors_data.corpus.findings import Finding
from defectors_data.corpus.project_file import Path
from defectors_data.evidence.document import Document

Scope: TypeAlias = Literal["document", "corpus"]
Subject: TypeAlias = tuple[Path, Any]
Subjects: TypeAlias = Callable[[Document], Iterable[Subject]]
Function: TypeAlias = Callable[..., Iterator[Finding]]


class Rule(NamedTuple):
    """A registered rule."""

    code: str
    """The code of its findings."""
    function: Function
    on: str
    """What it looks at: a key of `subjects.SUBJECTS`; of a rule across documents, a kind of key of the corpus index."""
    scope: Scope
    waits: bool
    """Whether it is applied only while nothing else is wrong, so that one fault is reported once."""
    unique_ids: bool
    """Whether it is applied only to documents in which no id is given twice, as it looks records up by their ids."""
    codebook: tuple[str, ...]
    """The numbers of the rules of the codebook that it enforces."""

    @property
    def sentence(self) -> str:
        """The published rule."""
        return " ".join((self.function.__doc__ or "").split())


RULES: list[Rule] = []
"""Every rule, in the order in which the modules define them; one code may have a function for each scope."""


def rule(
    *,
    on: str,
    scope: Scope = "document",
    waits: bool = False,
    unique_ids: bool = False,
    code: str | None = None,
    codebook: str | tuple[str, ...] = (),
) -> Callable[[Function], Function]:
    """Register a function as a rule.

    A rule on a document is called with the document, and path and value of each thing that it is `on`. A rule across
    documents is called once, with the corpus (`rules.index`). A second function that reports under the `code` of
    another is part of that rule, whose docstring is published. `codebook` gives the numbers of the rules of the
    codebook that it enforces.
    """

    def register(function: Function) -> Function:
        numbers = (codebook,) if isinstance(codebook, str) else codebook
        RULES.append(Rule(code or function.__name__.replace("_", "-"), function, on, scope, waits, unique_ids, numbers))
        return function

    return register


class Applied(NamedTuple):
    """What the rules found in a document."""

    findings: list[Finding]
    waiting: list[Finding]
    """Findings of rules that wait until nothing else is wrong."""
    counts: Counter[str]
    """How many things there were, by what rules are on."""


def apply(document: Document, subjects: Mapping[str, Subjects]) -> Applied:
    """Apply the rules of scope `document` that are on one of some subjects to a document."""
    applied = Applied([], [], Counter())
    found_on: dict[str, list[Subject]] = {}
    for each in RULES:
        if each.scope != "document" or each.on not in subjects:
            continue
        if each.on not in found_on:
            found_on[each.on] = list(subjects[each.on](document))
            applied.counts[each.on] = len(found_on[each.on])
        if each.unique_ids and document.has_duplicate_ids:
            continue
        found = applied.waiting if each.waits else applied.findings
        for path, thing in found_on[each.on]:
            found.extend(each.function(document, path, thing))
    return applied


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings in order, those of one cause as one: the first, with how many more there are and where."""
    causes: dict[tuple[str, str], list[Finding]] = {}
    found: list[Finding] = []
    for finding in sorted(set(findings)):
        if finding.cause:
            causes.setdefault((finding.code, finding.cause), []).append(finding)
        else:
            found.append(finding)
    for same in causes.values():
        first, *more = same
        if more:
            hint = f"{len(more)} more like it, from line {more[0].place.line} of {more[0].place.file} on."
            first = first._replace(help=(*first.help, hint))
        found.append(first)
    return sorted(found)
