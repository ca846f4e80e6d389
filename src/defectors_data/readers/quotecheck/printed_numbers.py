"""Numbers that an article prints among the same words as a manuscript."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from defectors_data.package.tables_reader import Row
from defectors_data.readers.quotecheck.articles import ArticleText, PublishedRecords
from defectors_data.readers.quotecheck.figure_comparison import printed_quantities
from defectors_data.readers.quotecheck.word_index import WordIndex
from defectors_data.text.detection import Detection, detect
from defectors_data.text.english.polarity import polarity_cue
from defectors_data.text.offsets import Span, sentences_around
from defectors_data.text.wording_differences import WORD, key

_FEWEST_WORDS = 4
"""Number of words around a number that two texts do not share by chance.

A whole sentence of fewer words is enough.
"""


class PrintedNumber(NamedTuple):
    """A number of an article that is printed among the same words as one of a manuscript."""

    article: ArticleText
    sentence: str
    figure: Row | None
    """The figure whose evidence has the number, if there is one."""


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
                    best, most = PrintedNumber(article, sentence, figure), rank
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
        for figure_id in article.figures_at(Span(number.start, number.end)):
            figure = self._records.figures[figure_id]
            printed = printed_quantities(figure, self._records.units)
            if number.quantity and any(number.quantity.agrees(each) for each in printed):
                return figure
        return None


def _sentence(text: str, number: Detection) -> Span:
    return sentences_around(text, Span(number.start, number.end))


def _surroundings(text: str, number: Detection) -> _Surroundings:
    start, end = _sentence(text, number)
    before = [key(word) for word in WORD.findall(text[start : number.start])]
    after = [key(word) for word in WORD.findall(text[number.end : end])]
    is_denied = polarity_cue(text, Span(number.start, number.end)) is not None
    return _Surroundings(before[::-1], after, is_denied)


def _common(one: list[str], other: list[str]) -> int:
    """Return how many words two lists begin with that are the same."""
    number = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        number += 1
    return number
