"""The figure that a number in a manuscript most likely states."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from defectors_data.package.tables_reader import Row
from defectors_data.readers.quotecheck.articles import PublishedRecords
from defectors_data.rows.cell_provenance import override_of
from defectors_data.text import wording_differences
from defectors_data.text.detection import Detection, detect
from defectors_data.text.english.polarity import polarity_cue
from defectors_data.text.offsets import Span
from defectors_data.text.quantities import Quantity

_WORD = re.compile(r"[^\W\d_]{3,}")
_STEM = 5
"""Number of initial letters by which words are compared, so that plurals and tenses match."""
_FUNCTION_WORDS = frozenset(
    "about after again against all almost also among and any are around because been before being "
    "between both but can could day days did does during each even ever every for from had has "
    "have her here him his how into its just least like many month months more most much must "
    "nearly never not only other our out over per roughly said same says she should since some "
    "such than that the their them then there these they this those through today told too under "
    "until upon very was week weeks were what when where which while who whose why will with "
    "within without would year years you".split()
)
"""Words that do not show what is counted."""


def _sentence(text: str, found: Detection) -> str:
    """Return the sentence that contains a number."""
    start, end = -1, len(text)
    for mark in ("\n", ". ", "! ", "? "):
        start = max(start, text.rfind(mark, 0, found.start))
        at = text.find(mark, found.end)
        if at >= 0:
            end = min(end, at)
    return text[start + 1 : end]


class FigureMatch(NamedTuple):
    """A figure, and whether a number agrees with it."""

    figure: Row
    agrees: bool


class _DescribedFigure(NamedTuple):
    row: Row
    printed: Sequence[Quantity]
    counted: set[str]
    """The first letters of the words of what it counts."""
    described: set[str]
    """These, and those of its measure."""


class FigureSearch:
    """A search in figures, whose words are read once."""

    def __init__(self, articles: PublishedRecords) -> None:
        """Read the words that show what each figure counts."""
        self._units = articles.units
        self._figures = list[_DescribedFigure]()
        for row in articles.figures.values():
            counted = _stems(f"{row['counted']}. {row['text']}", articles.units)
            label = articles.labels.get(row["measure"], "")
            measure = _stems(label, articles.units)
            printed = printed_quantities(row, articles.units)
            self._figures.append(_DescribedFigure(row, printed, counted, counted | measure))

    def most_likely(self, text: str, found: Detection) -> FigureMatch | None:
        """Return the figure that a number in a text states, or None.

        A figure of the same number must share a word with the sentence, or the number must be
        large and have the same unit. One of another number must count what the number counts: they
        must share one of the words after the number. Figures of the same number are preferred;
        among them, those that agree, and then those that share the most words. One that is not
        affirmed is compared only if a word near the number may deny or suppose it, too.
        """
        said = found.quantity
        if said is None:
            return None
        sentence = _stems(_sentence(text, found), self._units)
        nouns = _nouns(text, found)
        is_affirmed = polarity_cue(text, Span(found.start, found.end)) is None
        same, others = list[tuple[bool, int, Row]](), list[tuple[bool, int, Row]]()
        for row, printed, counted, described in self._figures:
            if said.unit not in {None, *(figure.unit for figure in printed)}:
                continue
            if is_affirmed and row["polarity"] != "affirmed":
                continue
            shared = len(sentence & described)
            agrees = any(said.agrees(figure) for figure in printed)
            common = _numbers([said]) & _numbers(printed)
            is_large = max(common, default=0.0) >= _LARGE and said.unit is not None
            if common and (shared or is_large):
                same.append((agrees, shared, row))
            is_about = bool(nouns & counted) or not nouns
            if is_about and shared >= _ENOUGH_WORDS[said.unit is not None]:
                others.append((agrees, shared, row))
        candidates = same or others
        if not candidates:
            return None
        agrees, _, row = max(candidates, key=lambda candidate: candidate[:2])
        return FigureMatch(row, agrees)


_LARGE = 1_000
"""Numbers that two figures of one unit seldom have in common by chance."""
_ENOUGH_WORDS = (3, 2)
"""Minimum number of words shared with a figure of another number, without and with a unit."""


_AFTER = re.compile(r"[-\u2010\u2011\s]*((?:\w[\w’'-]*[ \u00a0]+){0,5}\w[\w’'-]*)")


def _nouns(text: str, found: Detection) -> set[str]:
    """Return the first letters of the words directly after a number: what it counts."""
    after = _AFTER.match(text, found.end)
    words: list[str] = []
    for word in after[1].split() if after else []:
        folded = wording_differences.fold(word)
        if folded in _FUNCTION_WORDS and words:
            break
        if folded not in _FUNCTION_WORDS:
            words += _WORD.findall(folded)
    return {word[:_STEM] for word in words}


def printed_quantities(row: Row, units: Mapping[str, str]) -> list[Quantity]:
    """Return the quantities that an article prints in the words of a figure.

    Only a figure with an `override` differs from its words; if these cannot be read, the quantity
    is that of the figure.
    """
    numbers = row["value"], row["low"], row["high"], row["hedge"], row["unit"]
    recorded = Quantity(*numbers, polarity=row["polarity"])
    if override_of(row["note"]) is None:
        return [recorded]
    read = [found.quantity for found in detect(row["text"], units) if found.quantity]
    return [each._replace(unit=each.unit or recorded.unit) for each in read] or [recorded]


def _numbers(quantities: Sequence[Quantity]) -> set[float]:
    bounds = [number for each in quantities for number in each[:3]]
    return {number for number in bounds if number is not None}


def _stems(text: str, units: Mapping[str, str]) -> set[str]:
    """Return the first letters (see `_STEM`) of the words that may show what is counted."""
    # Numbers are removed from last to first, so that the offsets of the others remain valid.
    for found in reversed(detect(text, units)):
        if found.kind != "quotation":
            text = f"{text[: found.start]} {text[found.end :]}"
    words = _WORD.findall(wording_differences.fold(text))
    return {word[:_STEM] for word in words if word not in _FUNCTION_WORDS}
