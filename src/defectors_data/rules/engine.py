"""The runner of rules: applies those on documents to one document, and counts what they looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from defectors_data.evidence.document import Document
from defectors_data.findings import Finding
from defectors_data.project_file import Path
from defectors_data.rules.registry import RULES, Rule
from defectors_data.rules.things import THINGS


class Applied(NamedTuple):
    """What the rules found in a document."""

    findings: list[Finding]
    waiting: list[Finding]
    """Findings of rules that wait until nothing else is wrong."""
    counts: Counter[str]
    """How many things there were, by what rules are on."""


def apply(document: Document, *, only: Callable[[Rule], bool] | None = None) -> Applied:
    """Apply the rules of scope `document`, or some of them, to a document."""
    applied = Applied([], [], Counter())
    things: dict[str, list[tuple[Path, Any]]] = {}
    for each in RULES:
        if each.scope != "document" or (only and not only(each)):
            continue
        if each.on not in things:
            things[each.on] = list(THINGS[each.on](document))
            applied.counts[each.on] = len(things[each.on])
        if each.unique_ids and document.has_duplicate_ids:
            continue
        found = applied.waiting if each.waits else applied.findings
        for path, thing in things[each.on]:
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
