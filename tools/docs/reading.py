"""Measure how well quantities are read: recall and precision over tests/quantities.csv.

The short phrases that are set apart were written, with their readings, before the code that reads them was changed; the
sentences were written after it. The code was not changed for either. `tools/docs/generate.py` writes the table in
docs/annotators/quantities.md.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from defectors_data.text.quantities import Quantity, readings

TABLE = Path(__file__).parents[2] / "tests" / "quantities.csv"


class Score(NamedTuple):
    """Counts over phrases: quantities that are printed, that were found, and that were read as expected."""

    phrases: int = 0
    expected: int = 0
    found: int = 0
    numbers: int = 0
    """Found, with the expected value, bounds and hedge."""
    units: int = 0
    """Of these, with the expected unit, asserted or guessed."""
    wrong: int = 0
    """Units that are asserted and wrong."""


def phrases(*, set_apart: bool) -> dict[tuple[str, str], list[Quantity]]:
    """Return the expected quantities of each phrase that has a kind, by kind and phrase."""
    found: dict[tuple[str, str], list[Quantity]] = defaultdict(list)
    with TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            if row["kind"] and bool(row["set_apart"]) == set_apart:
                listed = found[row["kind"], row["phrase"]]
                if row["hedge"]:
                    value, low, high = (float(row[key]) if row[key] else None for key in ("value", "low", "high"))
                    listed.append(Quantity(value, low, high, row["hedge"], row["unit"] or None))
    return dict(found)


def score(phrase: str, expected: list[Quantity]) -> Score:
    """Return the counts of one phrase; each quantity that is found accounts for one that is expected."""
    found = [reading.quantity for reading in readings(phrase)]
    numbers = units = wrong = 0
    left = list(expected)
    for said in found:
        if same := next((other for other in left if other[:4] == said[:4]), None):
            left.remove(same)
            numbers += 1
            units += (said.unit or said.likely_unit) == same.unit
            wrong += said.unit not in (None, same.unit)
    return Score(1, len(expected), len(found), numbers, units, wrong)


def measure(*, set_apart: bool) -> dict[str, Score]:
    """Return the counts of each kind of phrase, and under "all" their sums."""
    scores: dict[str, Score] = defaultdict(Score)
    for (kind, phrase), expected in phrases(set_apart=set_apart).items():
        for name in (kind, "all"):
            scores[name] = Score(*map(sum, zip(scores[name], score(phrase, expected), strict=True)))
    return scores


def page() -> str:
    """Return the measure for docs/annotators/quantities.md: recall and precision in a sentence, and a table by kind."""
    scores = measure(set_apart=True)
    total = scores.pop("all")
    recall, precision = 100 * total.numbers / total.expected, 100 * total.numbers / total.found
    sentence = (
        f"`tests/quantities.csv` has {total.phrases} phrases that are set apart: they are not tested, and were written"
        " with their expected readings, the short ones before the code was, the whole sentences after it. Of their"
        f" {total.expected} quantities {total.numbers} are found with the right value, bounds and hedge (recall"
        f" {recall:.1f} percent), and of {total.found} readings {total.numbers} are right (precision {precision:.1f}"
        f" percent). The unit of {total.units} is right, asserted or guessed; {total.wrong} are asserted and wrong."
        " Phrases and code have the same author, who knew what was hard, so other articles may be read less well; the"
        " sentences come closest to them."
    )
    lines = [
        sentence,
        "",
        "| kind | phrases | quantities | found | read right | unit right | unit asserted, wrong |",
        "|---" * 7 + "|",
        *(f"| {kind} | {' | '.join(map(str, scores[kind]))} |" for kind in sorted(scores)),
        f"| **all** | {' | '.join(map(str, total))} |",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())
