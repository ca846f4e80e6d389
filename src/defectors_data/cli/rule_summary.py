"""The summary of a run in words: the applied rules with their items, and the skipped rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from defectors_data.models.counts import counted

if TYPE_CHECKING:
    from defectors_data.corpus.findings import RuleReport

_NOUNS = {
    "sources": "source",
    "speakers of articles": "speaker of articles",
    "testimonies": "testimony",
    "figures": "figure",
    "waivers": "waiver",
    "quotations": "quotation",
    "numbers": "number",
}
"""The nouns of the items that the summary counts."""

RECORDS = ("sources", "testimonies", "figures")
"""The items that the first line of `build` counts."""

GREEN = (*RECORDS, "quotations", "numbers")
"""The items that the line of `check` counts if there are no findings."""

_MOST_NAMED = 4
"""Maximum number of skipped rules that are named; if there are more, only their number is given."""


def summary(rules: Sequence[RuleReport], *, verbose: bool) -> Iterator[str]:
    """Yield lines on the skipped rules and, if `verbose`, on those that were applied."""
    skipped = [rule.rule for rule in rules if rule.findings is None]
    idle = [rule.rule for rule in rules if rule.seen == 0 and rule.findings is not None]
    if verbose:
        applied, checked = len(rules) - len(skipped), ", ".join(counts(rules))
        over = f" over {checked}" if checked else ""
        yield f"Checked: {counted(applied, 'rule')}{over}."
    if verbose and idle:
        yield f"Nothing to check: {', '.join(idle)}."
    if skipped:
        named = f"{len(skipped)} rules, which need what could not be read"
        if verbose or len(skipped) <= _MOST_NAMED:
            named = ", ".join(skipped)
        until = "Not applied"
        if any(rule.findings for rule in rules):
            until = "Skipped until the problems above are fixed"
        yield f"{until}: {named}."


def counts(rules: Sequence[RuleReport], items: Iterable[str] = _NOUNS) -> list[str]:
    """Return the number of checked items of each kind, such as `4 sources`."""
    seen = {rule.looked_at: rule.seen for rule in rules if rule.seen is not None}
    return [counted(seen[what], _NOUNS[what]) for what in items if what in seen]


def table(rules: Sequence[RuleReport]) -> Iterator[str]:
    """Yield a line for each rule: its code, and the numbers of items checked and of findings."""
    width = max(len(rule.rule) for rule in rules)
    for rule in rules:
        seen = "?" if rule.seen is None else rule.seen
        found = "skipped" if rule.findings is None else f"{rule.findings} found"
        yield f"{rule.rule:<{width}}  {seen:>6} {rule.looked_at}: {found}"


def record(rule: RuleReport) -> dict[str, object]:
    """Return a rule as a dictionary for `--format json`."""
    return {**rule._asdict(), "skipped": rule.findings is None}
