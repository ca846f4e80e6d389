"""Positions in a text: spans, lines and columns, word boundaries, and offsets in other units.

Offsets are zero-based code points; ends are exclusive.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import attrgetter
from typing import NamedTuple, Protocol


class Span(NamedTuple):
    """A run of code points: zero-based start, exclusive end."""

    start: int
    end: int


class SpanLike(Protocol):
    """Anything with a start and an exclusive end, such as a span or a detection."""

    @property
    def start(self) -> int:
        """The offset of the first code point."""
        ...

    @property
    def end(self) -> int:
        """The offset after the last code point."""
        ...


def overlaps(one: SpanLike, others: Iterable[SpanLike]) -> bool:
    """Return whether one span has a code point in common with any of the others."""
    return any(one.start < other.end and other.start < one.end for other in others)


def is_inside(inner: SpanLike, spans: Iterable[SpanLike]) -> bool:
    """Return whether any of the spans contains the inner one."""
    return any(span.start <= inner.start and inner.end <= span.end for span in spans)


def any_overlap(some: Iterable[SpanLike], others: Sequence[SpanLike]) -> bool:
    """Return whether any of some spans has a code point in common with any of the others."""
    return any(overlaps(each, others) for each in some)


def are_inside(inner: Iterable[SpanLike], spans: Sequence[SpanLike]) -> bool:
    """Return whether each of the inner spans is in one of the others."""
    return all(is_inside(each, spans) for each in inner)


def extent(spans: Sequence[SpanLike]) -> Span:
    """Return the span from the beginning of the first of several spans to the end of the last."""
    return Span(spans[0].start, spans[-1].end)


def with_context(span: Span, most: int, stops: Iterable[Span]) -> Span:
    """Return a span with up to `most` code points of context, cut short at `stops`.

    The end may be greater than the length of the text.
    """
    start, end = max(span.start - most, 0), span.end + most
    for stop in stops:
        if stop.start < span.start:
            start = max(start, min(stop.end, span.start))
        if stop.end > span.end:
            end = min(end, max(stop.start, span.end))
    return Span(start, end)


class SpanIndex:
    """An index of numbered runs of a text, to find those that contain another run."""

    def __init__(self, runs: Iterable[Sequence[int]]) -> None:
        """Index runs given as start, end and number."""
        self._runs = sorted((start, end, number) for start, end, number in runs)
        self._starts = [start for start, _, _ in self._runs]
        # The furthest end up to each run: it shows when no earlier run can contain the one that is
        # looked for.
        self._reach = list(accumulate((end for _, end, _ in self._runs), max))

    def around(self, start: int, end: int) -> list[int]:
        """Return the numbers of the runs that contain a run, sorted."""
        at, found = bisect_right(self._starts, start), set[int]()
        while at and self._reach[at - 1] >= end:
            at -= 1
            if self._runs[at][1] >= end:
                found.add(self._runs[at][2])
        return sorted(found)

    def contains(self, start: int, end: int) -> bool:
        """Return whether any run contains the given one."""
        at = bisect_right(self._starts, start)
        return at > 0 and self._reach[at - 1] >= end


# ---- word boundaries -----------------------------------------------------------------------------


def cuts_a_word(text: str, span: Span) -> bool:
    """Return whether a span starts or ends inside a word."""
    return any(inside_word(text, at) for at in span)


_APOSTROPHES, _SIGNS = "'’", "$€£¥"
_CONTRACTED = re.compile(r"(?!s\b)\w")
"""A letter that continues a word after an apostrophe; a possessive s does not."""


def _is_word_character(character: str) -> bool:
    """Return whether a character is a letter, digit, combining mark, joiner or soft hyphen."""
    return (
        character.isalnum()
        or character in "\u00ad\u200c\u200d\u2060"
        or unicodedata.combining(character) > 0
    )


def inside_word(text: str, at: int) -> bool:
    """Return whether an offset is inside a word, a contraction, a number or an amount of money."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if before.isspace() or after.isspace():
        return False
    if _is_word_character(before) and _is_word_character(after):
        return True
    if before in _APOSTROPHES and text[at - 2 : at - 1].isalnum() and after.isalnum():
        return True  # after the apostrophe of "don't"
    if before.isalnum() and after in _APOSTROPHES and _CONTRACTED.match(text, at + 1):
        return True  # before the apostrophe of "don't", but not of "keeper's"
    if before in _SIGNS and after.isdigit():
        return True  # "$40"
    in_number = before in ".," and text[at - 2 : at - 1].isdigit() and after.isdigit()
    return in_number or (before.isdigit() and after in ".," and text[at + 1 : at + 2].isdigit())


def up_to_words(text: str, span: Span, within: Span) -> Span:
    """Return a span extended over the marks that are joined to it, and after it over white space, up
    to the next words, but not beyond `within`.

    Marks that are joined only to the next word, as in `left, (who`, are left out.
    """
    start, end = span
    while start > within.start and _is_mark(text[start - 1]):
        start -= 1
    last = min(within.end, len(text))
    while end < last and not _is_word_character(text[end]):
        end += 1
    if end < last:
        spaces = [at for at in range(span.end, end) if text[at].isspace()]
        end = max(spaces, default=end - 1) + 1
    while inside_word(text, end) and end > span.end:
        end -= 1
    return Span(start, end)


def _is_mark(character: str) -> bool:
    return not _is_word_character(character) and not character.isspace()


LONGEST_WORD = 1_000
"""Maximum number of code points by which each end of a run is extended."""


def on_word_boundaries(text: str, start: int, end: int) -> Span:
    """Return a run extended to whole words, by `LONGEST_WORD` at most, without outer spaces."""
    first, last = start - LONGEST_WORD, end + LONGEST_WORD
    while start > first and inside_word(text, start):
        start -= 1
    while end < last and inside_word(text, end):
        end += 1
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)


# ---- lines, columns and other units --------------------------------------------------------------


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column of an offset, counted from 1."""
    starts = line_starts(text)
    line = bisect_right(starts, offset)
    return line, offset - starts[line - 1] + 1


@lru_cache(maxsize=4)  # the cache keeps whole texts in memory
def line_starts(text: str) -> tuple[int, ...]:
    """Return the offsets at which the lines of a text start."""
    # Searching for line feeds takes thirty times as long.
    lengths = [len(line) + 1 for line in text.split("\n")]
    return tuple(accumulate(lengths[:-1], initial=0))


_SENTENCE_END = re.compile(r"[.!?…\n](?:(?<=\n)|[\"”’'»)\]]*(?=\s))")


@lru_cache(maxsize=4)  # the cache keeps whole texts in memory
def surroundings(text: str, span: Span) -> tuple[Span, ...]:
    """Return the sentences of a span, these with their neighbours, and also the span's paragraphs.

    Each of the three contains the one before. A quotation that ends in a full stop ends a sentence.
    """
    own = sentences_around(text, span)
    near = with_neighbours(text, own)
    first, last = paragraphs_around(text, span)
    return own, near, Span(min(near.start, first), max(near.end, last))


def paragraphs_around(text: str, span: Span) -> Span:
    """Return the paragraphs that a span has a part of."""
    last = text.find("\n", span.end)
    if last < 0:
        last = len(text)
    return Span(text.rfind("\n", 0, span.start) + 1, last)


def sentences_around(text: str, span: Span) -> Span:
    """Return the sentences that a span has a part of, without white space around them."""
    marks = _sentence_marks(text)
    first = bisect_left(marks, span.start, key=_end)
    start = text.rfind("\n", 0, span.start) + 1
    if first:
        start = max(start, marks[first - 1].end)
    while start < span.start and text[start].isspace():
        start += 1
    # The span may include the full stop and the closing quotation mark.
    last = bisect_left(marks, max(span.end, span.start + 1), key=_end)
    end = len(text)
    if last < len(marks):
        is_line_feed = text[marks[last].start] == "\n"
        end = marks[last].start if is_line_feed else marks[last].end
    return Span(start, max(end, span.end))


_end = attrgetter("end")


@lru_cache(maxsize=4)  # the cache keeps whole texts in memory
def _sentence_marks(text: str) -> tuple[Span, ...]:
    return tuple(sentence_ends(text))


def sentence_ends(text: str, start: int = 0) -> Iterator[Span]:
    """Yield what ends each sentence from an offset on: a mark with closing marks, or a line feed."""
    for hit in _SENTENCE_END.finditer(text, start):
        if _is_end(text, hit):
            yield Span(*hit.span())


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, without white space around them."""
    found = []
    start = 0
    for end in [*(mark.end for mark in sentence_ends(text)), len(text)]:
        sentence = text[start:end].strip()
        if sentence:
            found.append(sentence)
        start = end
    return found


_NEXT = re.compile(r"[^\S\n]*\S")


def _is_end(text: str, hit: re.Match[str]) -> bool:
    """Return whether a sentence ends here: `“Why?” he asked.` is one sentence."""
    if hit[0] == "\n":
        return True
    following = _NEXT.match(text, hit.end())
    if following and following[0][-1].islower():
        return False
    return hit[0] != "." or not _is_abbreviation(text, hit.start())


_ABBREVIATED = re.compile(
    # a title: "Gov. Reed"
    r"(?:(?P<title>Mr|Mrs|Ms|Dr|Gen|Maj|Capt|Col|Sgt|Lt|Cpl|Pvt|Cmdr|Adm|Brig|Sens?|Reps?|Gov|Rev|Prof|Pres|St)"
    # what a number or a day follows: "Feb. 9"
    r"|(?P<numbered>Nos?|ca?|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)"
    # initials: "Ada J. Orr", "U.S. Senate", "S.&P. 500"
    r"|(?P<initials>[A-HJ-Z]|(?:[A-Z]\.&?)+[A-Z]))\Z"
)
_WORD_BEFORE = re.compile(r"(?<![\w.&])[^\W\d_](?:[\w.&]*\w)?\Z")
_WORD_AFTER = re.compile(r"[^\S\n]+([^\W\d_]+|\d)")
_LONGEST_ABBREVIATION = 12
_BEGINNINGS = frozenset(
    "A After All An And As At But By For From He Her His How If In It Its No Not On One Or Our She So"
    " Some That The Their Then There These They This Those To We What When Where While Who Why With You".split()
)
"""Words that often begin a sentence: "in the U.S. The"."""


def _is_abbreviation(text: str, stop: int) -> bool:
    """Return whether the full stop at an offset abbreviates a word in a sentence: "Gov. Reed"."""
    word = _WORD_BEFORE.search(text, max(0, stop - _LONGEST_ABBREVIATION), stop)
    found = word and _ABBREVIATED.match(text, word.start(), stop)
    following = _WORD_AFTER.match(text, stop + 1)
    if not found or not following:
        return False
    is_number = following[1].isdigit()
    if found["numbered"] or (is_number and "&" in found[0]):
        return is_number
    return bool(found["title"]) or not (is_number or following[1] in _BEGINNINGS)


def with_neighbours(text: str, sentences: Span) -> Span:
    """Return sentences with the sentence before them and the one after, if there are any."""
    before = len(text[: sentences.start].rstrip())
    after = len(text) - len(text[sentences.end :].lstrip())
    start, end = sentences
    if before:
        start = sentences_around(text, Span(before - 1, before)).start
    if after < len(text):
        end = sentences_around(text, Span(after, after + 1)).end
    return Span(start, end)


_CONTEXT = 60
"""Maximum number of code points that are shown on each side of a span."""


def in_line(text: str, span: Span) -> str:
    """Return a span in [brackets] in its line, with 60 code points at most on each side."""
    start = max(text.rfind("\n", 0, span.start) + 1, span.start - _CONTEXT)
    end = text.find("\n", span.end)
    if end < 0:
        end = len(text)
    end = min(end, span.end + _CONTEXT)
    # No word is cut.
    while start < span.start and inside_word(text, start):
        start += 1
    while end > span.end and inside_word(text, end):
        end -= 1
    return f"{text[start : span.start]}[{text[span.start : span.end]}]{text[span.end : end]}"


LAST_OF_TWO_BYTES = 0xFFFF
"""The last code point that UTF-16 encodes in two bytes."""


class OffsetConverter:
    """Conversion of offsets in a text from code points to other units."""

    def __init__(self, text: str) -> None:
        """Index the text; the index has three integers for each code point beyond ASCII."""
        wide = [(found.start(), found[0]) for found in _WIDE.finditer(text)]
        self._at = [at for at, _ in wide]
        self._utf16 = list(accumulate((ord(c) > LAST_OF_TWO_BYTES for _, c in wide), initial=0))
        self._utf8 = list(accumulate((len(c.encode()) - 1 for _, c in wide), initial=0))

    def utf16(self, offset: int) -> int:
        """Return the number of UTF-16 code units before a code point."""
        return offset + self._utf16[bisect_left(self._at, offset)]

    def utf8(self, offset: int) -> int:
        """Return the number of bytes of UTF-8 before a code point."""
        return offset + self._utf8[bisect_left(self._at, offset)]


_WIDE = re.compile(r"[^\x00-\x7f]")
