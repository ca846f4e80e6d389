"""Alignment of an article's old text with a corrected one.

The texts are compared in lower case and with one style of quotation marks, dashes and spaces. A
span is located by a passage around it that occurs exactly once in each text, with neighbouring
words on both sides or up to the ends of the line. A passage with neighbours on one side only is
enough if the other side does not contradict it and the alignment of the two texts from beginning to
end gives the same place. A few identical words are not enough. Offsets count code points from 0,
and ends are exclusive.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from defectors_data.text.offsets import Span, paragraphs_around
from defectors_data.text.wording_differences import fold

_FEWEST = 4
"""Minimum number of words, neighbours included, with which a passage identifies a place."""
_NEIGHBOURS = (4, 8, 16, 32)
"""Numbers of words on each side, inside the line, that are tried before whole lines."""
_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"\w+|[^\w ]")


class TextAlignment:
    """Two texts, with the places in the second text where passages from the first occur."""

    def __init__(self, old: str, new: str) -> None:
        """Align the texts."""
        self.old, self.new = old, new
        self._old, self._new = fold(old), fold(new)
        self._runs = sorted(_equal_runs(self._old, self._new))

    def is_in_order(self, span: Span, place: Span) -> bool:
        """Return whether the alignment maps the start of a span to the start of a place."""
        # The end is beyond that of any run, so a run that starts where the span starts is found
        # too.
        at = bisect_right(self._runs, (span.start, len(self._old) + 1, 0)) - 1
        start, end, shift = self._runs[at] if at >= 0 else (0, 0, 0)
        return start <= span.start < end and span.start + shift == place.start

    def place_of(self, span: Span) -> Span | None:
        """Return the place of a span in the new text, or None if its context does not show it."""
        around = list(passages_around(self._old, span))
        if place := self._first(around, span, start=True, end=True):
            return place
        before = [Span(passage.start, span.end) for passage in around]
        after = [Span(span.start, passage.end) for passage in around]
        sides = {
            self._first(self._long(before), span, start=True),
            self._first(self._long(after), span, end=True),
            self._first(self._long([span]), span),
        }
        sides.discard(None)
        # If the sides give different places, neither can be trusted.
        place = sides.pop() if len(sides) == 1 else None
        if place and self.is_in_order(span, place):
            return place
        return None

    def between_neighbours(self, span: Span) -> Span | None:
        """Return the span of edited words between neighbours that are unique in both, or None."""
        for left, right in passages_around(self._old, span):
            before, after = self._old[left : span.start], self._old[span.end : right]
            start, end = _only(before, self._new), _only(after, self._new)
            if start is None or end is None:
                continue
            edited = Span(start + len(before), end)
            # An edit of more than twice the length is more likely another passage.
            if 0 < edited.end - edited.start <= 2 * (span.end - span.start):
                return edited
        return None

    def _long(self, passages: Iterable[Span]) -> Iterator[Span]:
        """Yield the passages that have enough words."""
        for passage in passages:
            if len(_WORD.findall(self._old[slice(*passage)])) >= _FEWEST:
                yield passage

    def _first(
        self, passages: Iterable[Span], span: Span, *, start: bool = False, end: bool = False
    ) -> Span | None:
        """Return the place of a span by the first passage around it that is unique, or None.

        On a side with neighbours, a passage that reaches an end of its line in the old text must
        also do so in the new.
        """
        for passage in passages:
            words = self._old[slice(*passage)]
            at = _only(words, self._new)
            if at is None or _only(words, self._old) is None:
                continue
            fits = True
            if start:
                fits = self._keeps_edge(passage.start, at)
            if end:
                fits = fits and self._keeps_edge(passage.end, at + len(words))
            if fits:
                return Span(at + span.start - passage.start, at + span.end - passage.start)
        return None

    def _keeps_edge(self, ours: int, theirs: int) -> bool:
        """Return whether an offset at an end of a line is also at one in the new text."""
        return _is_edge(self._new, theirs) or not _is_edge(self._old, ours)


def _only(words: str, text: str) -> int | None:
    """Return the offset of words that occur exactly once, or None."""
    at = text.find(words)
    if at >= 0 and text.find(words, at + 1) < 0:
        return at
    return None


def _is_edge(text: str, at: int) -> bool:
    return at in (0, len(text)) or "\n" in text[at - 1 : at + 1]


def passages_around(text: str, span: Span) -> Iterator[Span]:
    """Yield ever larger passages around a span: words of its line, lines, the text."""
    first, last = paragraphs_around(text, span)
    before = [found.start() for found in _WORD.finditer(text, first, span.start)]
    after = [found.end() for found in _WORD.finditer(text, span.end, last)]
    for count in _NEIGHBOURS:
        start = before[-count] if len(before) >= count else first
        end = after[count - 1] if len(after) >= count else last
        yield Span(start, end)
    # The line alone, then with one and with two lines on each side.
    for _ in range(3):
        yield Span(first, last)
        # Blank lines are skipped: they would add no words to the passage.
        first = text.rfind("\n", 0, len(text[:first].rstrip("\n"))) + 1
        following = _WORD.search(text, last)
        last = text.find("\n", following.end()) if following else len(text)
        last = last if last >= 0 else len(text)
    # The whole text is the last attempt: it shows the place if nothing around the span changed.
    yield Span(0, len(text))


_LINE = re.compile(r"[^\n]*\n?")


def _equal_runs(old: str, new: str) -> Iterator[tuple[int, int, int]]:
    """Yield the runs that are in both texts, in order: start, end, shift to the new text.

    Lines are aligned first, and the words of lines that differ afterwards.
    """
    ours, theirs = _offsets(old, _LINE), _offsets(new, _LINE)
    for tag, a, a_end, b, b_end in _opcodes(old, new, ours, theirs):
        if tag == "equal":
            yield ours[a].start, ours[a_end - 1].end, theirs[b].start - ours[a].start
        elif tag == "replace":
            mine = _offsets(old, _TOKEN, ours[a].start, ours[a_end - 1].end)
            other = _offsets(new, _TOKEN, theirs[b].start, theirs[b_end - 1].end)
            for kind, i, i_end, j, _ in _opcodes(old, new, mine, other):
                if kind == "equal":  # the spaces between words may differ in number
                    for own, new_one in zip(mine[i:i_end], other[j:], strict=False):
                        yield *own, new_one.start - own.start


def _offsets(
    text: str, pattern: re.Pattern[str], start: int = 0, end: int | None = None
) -> list[Span]:
    end = len(text) if end is None else end
    found = pattern.finditer(text, start, end)
    return [Span(*each.span()) for each in found if each[0]]


def _opcodes(
    old: str, new: str, ours: Sequence[Span], theirs: Sequence[Span]
) -> Sequence[tuple[str, int, int, int, int]]:
    old_words = [old[slice(*each)] for each in ours]
    new_words = [new[slice(*each)] for each in theirs]
    # `autojunk` would ignore frequent words in texts of 200 words or more.
    return SequenceMatcher(None, old_words, new_words, autojunk=False).get_opcodes()
