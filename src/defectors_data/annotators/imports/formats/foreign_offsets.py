"""Offsets of other programs as spans of an article's text.

Programs count code points or UTF-16 code units, in a text whose line ends have one or two
characters, and state the last character of a selection or the one after it. Each format has a
standard, but not every program follows it. So the words that a file quotes decide or, if it quotes
none, how many selections begin and end with whole words.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

from defectors_data.annotators.imports.formats.foreign_records import folded
from defectors_data.text.offsets import OffsetConverter, Span, cuts_a_word


class OffsetsError(ValueError):
    """The offsets of a file do not fit its texts; the message gives the reason."""


class Selection(NamedTuple):
    """The offsets of a selection as a file has them, and its words, if the file quotes them."""

    start: object
    end: object
    words: str = ""


class Selections(NamedTuple):
    """The selections of a text, which may have a byte order mark and carriage returns."""

    text: str
    found: Sequence[Selection]


class Convention(NamedTuple):
    """How a program counts."""

    utf16: bool = False
    """UTF-16 code units instead of code points."""
    returns: bool = False
    """A line end has two characters."""
    last: bool = False
    """The end is the last character, not the one after it."""

    def __str__(self) -> str:
        """Return the convention in words."""
        unit = "UTF-16 code units" if self.utf16 else "code points"
        line_ends = "CR LF" if self.returns else "LF"
        end = "included" if self.last else "excluded"
        return f"{unit}, {line_ends} as line end, the last offset {end}"


def span_in(text: str, start: object, end: object) -> Span | None:
    """Return a span, or None if it is empty or outside the text; digits may be strings."""
    try:
        span = Span(int(str(start)), int(str(end)))
    except ValueError:
        return None
    return span if 0 <= span.start < span.end <= len(text) else None


def converter(text: str, way: Convention) -> Callable[[Selection], Span | None]:
    """Return a function that converts a selection to a span of the folded text.

    It returns None if the selection is empty, outside the text, or begins or ends inside a code
    point.
    """
    plain = folded(text)
    counted = text.removeprefix("\ufeff") if way.returns else plain
    offsets = OffsetConverter(counted)
    points = range(len(counted) + 1)
    # The offset after each carriage return that the folded text does not have.
    returns = [found.end() for found in re.finditer("\r(?=\n)", counted)]

    def point(number: int) -> int | None:
        at = number
        if way.utf16:
            at = bisect_left(points, number, key=offsets.utf16)
        if not 0 <= at < len(points) or (way.utf16 and offsets.utf16(at) != number):
            return None
        return at - bisect_right(returns, at)

    def span(selection: Selection) -> Span | None:
        try:
            start, end = int(str(selection.start)), int(str(selection.end)) + way.last
        except ValueError:
            return None
        return span_in(plain, point(start), point(end))

    return span


CODE_POINTS = Convention()
UTF16 = Convention(utf16=True)


def convention(
    found: Iterable[Selections], standard: Convention, *, by_whole_words: bool = False
) -> tuple[Convention, str]:
    """Return the convention that fits best, and a sentence that says so.

    The standard of the format is preferred if it fits as well as any other; the sentence is empty
    if there was nothing to choose from. Whole words decide only if `by_whole_words` is set: where a
    format requires that words are quoted, they do.

    Raises:
        OffsetsError: whole words decide, and fewer than half of the selections have them.
    """
    given = [each for each in found if each.found]
    ways = [standard, *map(Convention._make, product((False, True), repeat=3))]
    if not any("\r" in each.text for each in given):
        standard = standard._replace(returns=False)
        ways = [standard, *[way for way in ways if not way.returns]]
    results = {way: _spans(given, way) for way in ways}
    scores = {way: _score(given, spans) for way, spans in results.items()}
    best = max(scores, key=lambda way: scores[way])
    every = [selection for each in given for selection in each.found]
    number = sum(bool(selection.words) for selection in every)
    equal, begun, whole = scores[best]
    is_same = all(spans == results[standard] for spans in results.values())
    is_guess = not (equal or begun or by_whole_words)
    # Whole words do not outweigh words that are quoted and fit the standard.
    is_quoted = not by_whole_words and 0 < number == scores[standard].equal
    shown = f"{whole} of {len(every)} selections begin and end with whole words"
    if by_whole_words and not begun and 2 * whole < len(every):
        raise OffsetsError(f"its offsets fit no way of counting: at best, {shown}")
    if is_same or is_guess or is_quoted or (best == standard and equal == number):
        return standard, ""
    if begun:
        shown = f"{begun} of {number} selections begin with the quoted words"
    if equal:
        shown = f"{equal} of {number} selections have the quoted words"
    return best, f"offsets were read as {best}: {shown}."


def spans_of(given: Selections, way: Convention) -> list[Span | None]:
    """Return the span of each selection in the folded text.

    It is None if the selection is not valid for the text, or quotes other words than it has there.
    """
    to_span, text = converter(given.text, way), folded(given.text)
    found = []
    for selection in given.found:
        span, quoted = to_span(selection), _letters(selection.words)
        if span and quoted and quoted != _letters(text[slice(*span)]):
            span = None
        found.append(span)
    return found


def _on_one_line(words: str) -> str:
    """Return words with spaces as line ends, which some programs write as a backslash and an n."""
    return words.replace("\\n", " ").replace("\n", " ")


def _letters(words: str) -> str:
    """Return words without white space."""
    return "".join(_on_one_line(words).split())


def _spans(given: Iterable[Selections], way: Convention) -> list[Span | None]:
    spans = list[Span | None]()
    for each in given:
        spans += map(converter(each.text, way), each.found)
    return spans


class _Score(NamedTuple):
    """How many spans have the quoted words, begin with them, and are whole words."""

    equal: int
    begun: int
    whole: int


def _score(given: Iterable[Selections], spans: Iterable[Span | None]) -> _Score:
    pairs = list[tuple[str, Selection]]()
    for each in given:
        text = folded(each.text)
        pairs += [(text, selection) for selection in each.found]
    equal = begun = whole = 0
    for (text, selection), span in zip(pairs, spans, strict=True):
        if span is None:
            continue
        words = text[slice(*span)]
        found, quoted = _on_one_line(words), _on_one_line(selection.words)
        equal += bool(quoted) and found == quoted
        # Some programs shorten the words in a name.
        begun += bool(quoted) and found.startswith(quoted.rstrip(".…"))
        whole += words == words.strip() and not cuts_a_word(text, span)
    return _Score(equal, begun, whole)
