"""What a number in a manuscript most likely states: a figure, or a number printed among its words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from defectors_data.package.tables_reader import Row
from defectors_data.readers.quotecheck.articles import ArticleText, PublishedRecords
from defectors_data.readers.quotecheck.word_index import WordIndex
from defectors_data.rows.cell_provenance import override_of
from defectors_data.text import wording_differences
from defectors_data.text.detection import Detection, detect
from defectors_data.text.english.polarity import polarity_cue
from defectors_data.text.offsets import Span, sentences_around
from defectors_data.text.quantities import Quantity
from defectors_data.text.wording_differences import WORD, key

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


def _sentence(text: str, number: Detection) -> Span:
    """Return the sentence that contains a number."""
    return sentences_around(text, number.span)


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
            printed = _printed(row, articles.units)
            self._figures.append(_DescribedFigure(row, printed, counted, counted | measure))

    def likely(self, text: str, found: Detection) -> list[FigureMatch]:
        """Return the figures that a number in a text may state, the likeliest first: all that agree with
        it, or else at most one.

        A figure of the same number must share a word with the sentence, or the number must be
        large and have the same unit. One of another number must count what the number counts: they
        must share one of the words after the number. Figures of the same number are preferred,
        unless another shares clearly more words; among them, those that agree, and then those that
        share the most words. One that is not
        affirmed is compared only if a word near the number may deny or suppose it, too.
        """
        said = found.quantity
        if said is None:
            return []
        sentence = _stems(text[slice(*_sentence(text, found))], self._units)
        nouns = _nouns(text, found)
        is_affirmed = polarity_cue(text, found.span) is None
        same, others = list[_Candidate](), list[_Candidate]()
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
        differing = max(others, key=_agreement, default=None)
        if differing:
            same = [each for each in same if each[1] + _CLEARLY_MORE > differing[1]]
        best = max(same, key=_agreement, default=differing)
        agreeing = sorted([each for each in same if each[0]], key=_agreement, reverse=True)
        meant = agreeing or [best] if best else []
        return [FigureMatch(row, agrees) for agrees, _, row in meant]


_Candidate: TypeAlias = tuple[bool, int, Row]
"""Whether a number agrees with a figure, how many words both share, and the figure."""


def _agreement(candidate: _Candidate) -> tuple[bool, int]:
    return candidate[:2]


_CLEARLY_MORE = 2
"""Number of words that a figure of another number must share more than one of the same number."""
_LARGE = 1_000
"""Numbers that two figures of one unit seldom have in common by chance."""
_ENOUGH_WORDS = (3, 2)
"""Minimum number of words shared with a figure of another number, without and with a unit."""


_AFTER = re.compile(r"[-\u2010\u2011\s]*((?:\w[\w’'-]*[ \u00a0]+){0,5}\w[\w’'-]*)")


def _nouns(text: str, found: Detection) -> set[str]:
    """Return the first letters of the words directly after a number: what it counts."""
    after = _AFTER.match(text, found.end)
    words: list[str] = []
    following = after[1].split() if after else []
    for word in following:
        folded = wording_differences.fold(word)
        if folded in _FUNCTION_WORDS and words:
            break
        if folded not in _FUNCTION_WORDS:
            words += _WORD.findall(folded)
    return {word[:_STEM] for word in words}


def _printed(row: Row, units: Mapping[str, str]) -> list[Quantity]:
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


# ---- numbers among the same words ----------------------------------------------------------------

_FEWEST_WORDS = 4
"""Number of words around a number that two texts do not share by chance.

A whole sentence of fewer words is enough.
"""


_WORDS_BEFORE = 3


class PrintedNumber(NamedTuple):
    """A number of an article that is printed among the same words as one of a manuscript."""

    article: ArticleText
    sentence: str
    figure: Row | None
    """The figure whose evidence has the number, if there is one."""
    may_be_denied: bool
    """Whether words that may deny or suppose the number are in the manuscript, too: a word for
    this, or the three words directly before the number in the article."""


class _Surroundings(NamedTuple):
    """The words of a sentence before and after a number, the nearest first."""

    before: list[str]
    after: list[str]
    is_denied: bool

    def shared(self, other: _Surroundings) -> int:
        """Return how many words next to both numbers are the same."""
        return _common(self.before, other.before) + _common(self.after, other.after)


class NumberSearch:
    """A search for numbers by the words around them, in articles whose words are indexed."""

    def __init__(self, records: PublishedRecords, index: WordIndex) -> None:
        """Take the records and articles of a package, and the index of the articles' words."""
        self._records = records
        self._index = index
        self._numbers: dict[int, list[Detection]] = {}

    def printed(self, text: str, found: Detection) -> PrintedNumber | None:
        """Return the number of an article that shares the most adjacent words with one of a text,
        or None.

        It has the same value, hedge and unit there, and both or neither may be denied.
        """
        said = _surroundings(text, found)
        total = len(said.before) + len(said.after)
        best: PrintedNumber | None = None
        most = (max(1, min(_FEWEST_WORDS, total)), False)
        for number in self._candidates(text[found.start : found.end], said):
            article = self._records.articles[number]
            for other in self._same(number, found):
                around = _surroundings(article.text, other)
                figure = self._figure(article, other)
                rank = (said.shared(around), figure is not None)
                if rank >= most and around.is_denied == said.is_denied:
                    sentence = article.text[slice(*_sentence(article.text, other))]
                    has_same = _common(said.before, around.before) >= _WORDS_BEFORE
                    may_be_denied = said.is_denied or has_same
                    best, most = PrintedNumber(article, sentence, figure, may_be_denied), rank
        return best

    def _candidates(self, number: str, said: _Surroundings) -> list[int]:
        """Return the articles that have a number and the words next to it."""
        sides = [said.before[:2], said.after[:2]]
        found = set[int]()
        for side in filter(None, sides):
            found |= {*self._index.with_all(" ".join([number, *side]))}
        return sorted(found)

    def _same(self, number: int, found: Detection) -> Iterator[Detection]:
        """Yield the numbers of an article that agree with a number."""
        if number not in self._numbers:
            text = self._records.articles[number].text
            self._numbers[number] = detect(text, self._records.units)
        for other in self._numbers[number]:
            if found.quantity and other.quantity and found.quantity.agrees(other.quantity):
                yield other

    def _figure(self, article: ArticleText, number: Detection) -> Row | None:
        """Return the figure of an article that a number is, or None."""
        for figure_id in article.figures_at(number.span):
            figure = self._records.figures[figure_id]
            printed = _printed(figure, self._records.units)
            if number.quantity and any(number.quantity.agrees(each) for each in printed):
                return figure
        return None


def _surroundings(text: str, number: Detection) -> _Surroundings:
    start, end = _sentence(text, number)
    before = [key(word) for word in WORD.findall(text[start : number.start])]
    after = [key(word) for word in WORD.findall(text[number.end : end])]
    is_denied = polarity_cue(text, number.span) is not None
    return _Surroundings(before[::-1], after, is_denied)


def _common(one: list[str], other: list[str]) -> int:
    """Return how many words two lists begin with that are the same."""
    number = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        number += 1
    return number
