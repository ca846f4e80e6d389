"""Measure how well quantities are read and how well quotations and quantities are detected.

`tests/quantities.csv` has phrases with the quantities that they express, `tests/articles/` invented articles in which
each quotation and quantity is marked. Some of both may be reserved, which means that nobody looked at what is misread
in them: the phrases with `set_apart`, and the articles whose file name begins with `reserved_` (`is_reserved`).
`tools/docs/generate.py` writes the page into docs/annotators/quantities.md.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import read_context
from defectors_data.evidence.completeness_ledger import units_by_noun
from defectors_data.text.detection import detect
from defectors_data.text.quantities import Quantity, readings

TESTS = Path(__file__).parents[2] / "tests"
_CONTEXT = read_context(FileTree(TESTS / "invented"))[0]

UNITS = units_by_noun(_CONTEXT) if _CONTEXT else {}
TABLE, ARTICLES = TESTS / "quantities.csv", TESTS / "articles"


class Score(NamedTuple):
    """Counts over phrases: quantities that are printed, that were found, and that were read as expected."""

    phrases: int = 0
    expected: int = 0
    found: int = 0
    numbers: int = 0
    """Found, with the expected value, bounds and hedge."""
    units: int = 0
    """Of these, with the expected unit, asserted or guessed."""
    open: int = 0
    """Readings that are not as expected, but that the annotator can correct without `override`: guesses."""
    wrong: int = 0
    """Readings that are asserted and not as expected: the right figure would need an `override`."""
    alarms: int = 0
    """Quantities that are found where none is printed, which an annotator waives."""


def is_reserved(name: str) -> bool:
    """Return whether an article belongs to the half that the code was not changed for."""
    return name.startswith("reserved_")


def phrases(*, set_apart: bool, styled: bool) -> dict[tuple[str, str], list[Quantity]]:
    """Return the expected quantities of each phrase that has a kind, by kind and phrase, with or without a style."""
    found: dict[tuple[str, str], list[Quantity]] = defaultdict(list)
    with TABLE.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            if row["kind"] and bool(row["set_apart"]) == set_apart and bool(row["style"]) == styled:
                listed = found[row["kind"], row["phrase"]]
                if row["hedge"]:
                    value, low, high = (float(row[key]) if row[key] else None for key in ("value", "low", "high"))
                    listed.append(Quantity(value, low, high, row["hedge"], row["unit"] or None))
    return dict(found)


def score(phrase: str, expected: list[Quantity]) -> Score:
    """Return the counts of one phrase; each quantity that is found accounts for one that is expected."""
    found = [reading.quantity for reading in readings(phrase, UNITS)]
    numbers = units = open_ = 0
    left, others, extra = list(expected), list[Quantity](), 0
    for said in found:
        if same := next((other for other in left if other[:4] == said[:4]), None):
            left.remove(same)
            numbers += 1
            units += (said.unit or said.likely_unit) == same.unit
            open_ += said.unit is None and said.likely_unit != same.unit
        else:
            others.append(said)
    for said in others:
        if same := next((other for other in left if said.agrees(other)), None):
            left.remove(same)
            open_ += 1
        else:
            extra += 1
    alarms = max(0, extra - len(left))
    return Score(1, len(expected), len(found), numbers, units, open_, len(found) - units - open_ - alarms, alarms)


def measure(*, set_apart: bool, styled: bool) -> dict[str, Score]:
    """Return the counts of each kind of phrase, and under "all" their sums."""
    scores: dict[str, Score] = defaultdict(Score)
    for (kind, phrase), expected in phrases(set_apart=set_apart, styled=styled).items():
        for name in (kind, "all"):
            scores[name] = Score(*map(sum, zip(scores[name], score(phrase, expected), strict=True)))
    return scores


# ---- articles ----------------------------------------------------------------------------------------------------


class Marked(NamedTuple):
    """An article without its marks, and the spans of what is marked in it."""

    text: str
    quotations: list[tuple[int, int]]
    quantities: list[tuple[int, int]]


def marked(article: str) -> Marked:
    """Read an article in which quotations are in square brackets and quantities in braces."""
    text, spans, open_ = "", {"]": list[tuple[int, int]](), "}": list[tuple[int, int]]()}, list[int]()
    for piece in re.split(r"([\[\]{}])", article):
        if piece in {"[", "{"}:
            open_.append(len(text))
        elif piece in spans:
            spans[piece].append((open_.pop(), len(text)))
        else:
            text += piece
    return Marked(text, sorted(spans["]"]), sorted(spans["}"]))


class Detected(NamedTuple):
    """Counts over articles: what is printed, how much of it was found, what was found, how much of that is printed."""

    expected: int = 0
    recalled: int = 0
    found: int = 0
    right: int = 0


NEAR = 3
"""Maximum distance in code points from the start of a marked quotation to that of the one found.

It allows for marks and spaces.
"""


def compared(expected: list[tuple[int, int]], found: list[tuple[int, int]], *, near: int) -> Detected:
    """Compare marked spans with those found: a marked span is recalled if a span that begins near it overlaps it."""
    recalled = sum(
        any(abs(other[0] - start) <= near and other[0] < end and start < other[1] for other in found)
        for start, end in expected
    )
    right = sum(any(other[0] < end and start < other[1] for other in expected) for start, end in found)
    return Detected(len(expected), recalled, len(found), right)


def detected(*, set_apart: bool) -> Iterator[tuple[str, str, Detected]]:
    """Yield the name of each article of a half, a kind, and the counts."""
    for path in sorted(ARTICLES.glob("*.txt")):
        if is_reserved(path.stem) == set_apart:
            article = marked(path.read_text(encoding="utf-8"))
            found = detect(article.text, UNITS)
            said = [(item.start, item.end) for item in found if item.kind == "quotation"]
            numbers = [(item.start, item.end) for item in found if item.kind == "quantity"]
            yield path.stem, "quotations", compared(article.quotations, said, near=NEAR)
            yield path.stem, "quantities", compared(article.quantities, numbers, near=len(article.text))


# ---- the page ----------------------------------------------------------------------------------------------------

_HEAD = "| kind | phrases | quantities | found | read right | unit right | left open | asserted, wrong | false alarms |"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}" if whole else "100.0"


def _table(scores: dict[str, Score]) -> Iterator[str]:
    yield from (_HEAD, "|---" * 9 + "|")
    total = scores["all"]
    yield from (f"| {kind} | {' | '.join(map(str, scores[kind]))} |" for kind in sorted(set(scores) - {"all"}))
    yield f"| **all** | {' | '.join(map(str, total))} |"


def _summary(name: str, total: Score) -> str:
    return (
        f"| {name} | {total.phrases} | {total.expected} | {_percent(total.numbers, total.expected)} |"
        f" {_percent(total.numbers, total.found)} | {_percent(total.units, total.expected)} | {total.wrong} |"
        f" {total.alarms} |"
    )


def _sums(counts: Iterable[tuple[str, str, Detected]]) -> dict[str, Detected]:
    sums: dict[str, Detected] = defaultdict(Detected)
    for _, kind, each in counts:
        sums[kind] = Detected(*map(sum, zip(sums[kind], each, strict=True)))
    return sums


_ABOUT_PHRASES = (
    "`tests/quantities.csv` has phrases in the style of many kinds of articles, each with the reading that a "
    "careful person would give. The first author of the phrases also wrote the code. The other authors saw "
    "neither the code nor its tests, and were given only the conventions for values, hedges and units. In a "
    "few phrases that count the dead, killed or missing, the expected unit was later corrected to `person`.\n\n"
    "The phrases form two sets. “Reserved” phrases, marked with `set_apart` in the file, were all written by "
    "one author, and nobody has looked at which of them are misread. The code was changed to read the "
    "“development” phrases, some of which were once reserved, so its results on them say little about other "
    "text. Phrases with “no style” are not assigned to a style of article.\n\n"
    "A wrong reading counts as “left open” if it is a guess, which an annotator corrects without `override`, "
    "and as “asserted” if the right figure needs an `override`. A false alarm is a quantity that is found "
    "where none is printed; an annotator waives it with a reason."
)


def page() -> str:
    """Return the measure for docs/annotators/quantities.md: how it was made, and tables."""
    held, developed = (measure(set_apart=apart, styled=True) for apart in (True, False))
    rows = [
        ("reserved", held),
        ("development", developed),
        ("development, no style", measure(set_apart=False, styled=False)),
    ]
    name = "reserved" if held else "development"
    articles = sorted(path.stem.removeprefix("reserved_").replace("_", " ") for path in ARTICLES.glob("*.txt"))
    lines = [
        _ABOUT_PHRASES if held else f"{_ABOUT_PHRASES} At present, no phrase is reserved.",
        "",
        "| set | phrases | quantities | recall | precision | unit right | asserted, wrong | false alarms |",
        "|---" * 8 + "|",
        *(_summary(half, scores["all"]) for half, scores in rows if scores),
        "",
        (
            "Recall and precision, in percent, count quantities with the right value, bounds and hedge. The following "
            f"table gives the results for the {name} phrases, by kind:"
        ),
        "",
        *_table(held or developed),
        "",
        (
            f"`tests/articles/` has {len(articles)} invented articles ({', '.join(articles)}). Quotations and "
            "quantities were marked in them by hand."
        ),
        "",
        "| set | articles | what | printed | found | recall | detected | right | precision |",
        "|---" * 9 + "|",
    ]
    for half, apart in (("reserved", True), ("development", False)):
        counts = list(detected(set_apart=apart))
        number = len({stem for stem, *_ in counts})
        lines += (
            f"| {half} | {number} | {kind} | {each.expected} | {each.recalled} |"
            f" {_percent(each.recalled, each.expected)} | {each.found} | {each.right} |"
            f" {_percent(each.right, each.found)} |"
            for kind, each in _sums(counts).items()
        )
    return "\n".join(lines)


if __name__ == "__main__":
    print(page())
