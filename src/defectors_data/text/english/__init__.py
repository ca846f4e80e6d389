"""Tables of English words and patterns, as CSV files, and what the form of a word says about it.

`labels.csv` has patterns of numbers that are not quantities, `units.csv` the nouns of units,
`hedges.csv` the phrases that hedge a number, and `verbs.csv` the reporting verbs. Each row has an
example and, where words can mislead, a counter-example; tests/test_english_tables.py tests row by
row.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parent


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of a table."""
    lines = (_FOLDER / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    return tuple(csv.DictReader(lines, strict=True))


def expanded(pattern: str) -> str:
    """Return a pattern of `labels.csv` in which each `<NAME>` is replaced by that part of
    `label_parts.csv`.
    """
    parts = {row["name"]: row["pattern"] for row in rows("label_parts")}
    while (inner := _PART.sub(lambda hit: parts[hit[1]], pattern)) != pattern:
        pattern = inner
    return pattern


_PART = re.compile(r"<([A-Z_]{3,})>")


@cache
def _listed(name: str) -> frozenset[str]:
    """Return plurals whose ending misleads about whether they mean persons; LICENSE names the
    source.
    """
    return frozenset((_FOLDER / f"{name}.txt").read_text("ascii").split())


# `[^eo]ans` leaves out jeans, beans, oceans and loans.
_PERSONS = re.compile(r".{2,}(?:ers|ors|ists|ees|ians|[^eo]ans|men|women|people|children|ants)")
_PLURALS = ("men", "people", "children", "craft")
_SAME_AS_SINGULAR = {"sheep", "cattle", "deer", "crew", "mps"}
_SHORTEST_PLURAL = 4
"""Number of letters below which a word in -s, such as "was" or "his", is rarely a plural."""


def is_plural(word: str) -> bool:
    """Return whether a word in lower case looks like a plural noun."""
    if word.endswith(_PLURALS) or word in _SAME_AS_SINGULAR:
        return True
    # A word in -ss, such as "glass", is a singular.
    return len(word) >= _SHORTEST_PLURAL and word[-1] == "s" != word[-2]


def likely_unit(noun: str) -> str | None:
    """Return `person` if a plural noun probably means persons, or None."""
    formed = bool(_PERSONS.fullmatch(noun))
    exceptions = _listed("things") if formed else _listed("persons")
    return "person" if formed != (noun in exceptions) else None
