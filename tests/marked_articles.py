"""Invented articles in which each quotation is in square brackets and each quantity in braces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from conftest import INVENTED, PROJECT, documents_of
from defectors_data.evidence.completeness_ledger import units_by_noun
from defectors_data.text.detection import detect

ARTICLES = PROJECT / "tests" / "articles"
UNITS = units_by_noun(documents_of(INVENTED)[0].context)


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


def detected() -> Iterator[tuple[str, str, Detected]]:
    """Yield the name of each article, a kind, and the counts."""
    for path in sorted(ARTICLES.glob("*.txt")):
        article = marked(path.read_text(encoding="utf-8"))
        found = detect(article.text, UNITS)
        said = [(item.start, item.end) for item in found if item.kind == "quotation"]
        numbers = [(item.start, item.end) for item in found if item.kind == "quantity"]
        yield path.stem, "quotations", compared(article.quotations, said, near=NEAR)
        yield path.stem, "quantities", compared(article.quantities, numbers, near=len(article.text))
