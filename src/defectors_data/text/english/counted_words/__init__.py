"""The words that say what a number counts, by the order of the words around it.

A noun phrase after the number says it, with a clause that restricts it: "men who fled in May".
Otherwise a noun phrase with "of" before the number does, or the subject and verb of its clause:
"amount by which Orr fell". Where the order leaves it open, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from defectors_data.text.english import rows
from defectors_data.text.english.counted_words.amounts import of_amount, of_level
from defectors_data.text.english.counted_words.candidates import possible_counted
from defectors_data.text.english.counted_words.clauses import AMOUNTS, clause_of
from defectors_data.text.english.counted_words.counts import of_noun, of_time
from defectors_data.text.english.counted_words.noun_phrases import parts_of
from defectors_data.text.english.counted_words.number_context import (
    QUOTE,
    TERM,
    TIMES,
    CountedWords,
    NumberContext,
    NumberInClause,
    without_article,
)
from defectors_data.text.english.counted_words.rivals import of_pair
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.offsets import Span

__all__ = ["CountedWords", "NumberInClause", "counted_candidates", "counted_words", "says_nothing"]

_MOST, _LONGEST = 4, 16
"""Maximum numbers of guesses at what a number counts, and of the words of one."""

_OPEN_END = re.compile(r" (?:estimated |expected |thought )?(?:a|an|and|as|of|or|so|than|the|to)$")
_PARTICIPLES = frozenset("donated earned given needed owed paid pledged raised spent".split())
"""What is done with an amount: "$12 [given]"."""
_GRAMMATICAL = frozenset(
    "determiner pronoun objective preposition auxiliary subordinator conjunction number".split()
)
_NOT_MEASURED = frozenset(("country", "event", "item", "person"))
_COUNTED_UNITS = frozenset("barrels families households".split())
_NO_CONTENT = frozenset(
    "amount billion dozen figure hundred last less level mark million more next number past plus point"
    " points share thousand time times trillion".split()
)


def _read(context: NumberContext) -> CountedWords:
    """Return what the number counts."""
    number = context.number
    if number.unit in AMOUNTS and (found := of_pair(context)):
        return found
    clause = clause_of(context)
    if found := parts_of(context):
        return found
    if number.unit in AMOUNTS or context.is_measure(context.after):
        return of_amount(context, clause)
    if number.unit in TIMES and (found := of_time(context, clause)):
        return found
    found = of_noun(context, clause)
    if number.unit not in TIMES:
        return found if found.counted else of_level(context, "") or found
    if says_nothing(found.counted) and clause and not clause.preposition:
        counted = f"time that {clause.subject} {clause.predicate}"
        return CountedWords(counted, context.with_start(clause.start))
    return found


def says_nothing(counted: str) -> bool:
    """Return whether words do not say what is counted: only an article, a number or a unit."""
    return all(_is_empty(token) for token in tokens(counted, 0, len(counted)))


def _is_empty(token: Token) -> bool:
    is_number = token.word.rstrip("%").lstrip("$€£").replace(",", "").replace(".", "").isdigit()
    is_known = token.word in _NO_CONTENT or token.word in _units_of_measure()
    is_grammatical = bool(token.classes & _GRAMMATICAL)
    return not token.is_word or is_number or is_known or is_grammatical


@cache
def _units_of_measure() -> frozenset[str]:
    """Return the nouns of units that name no object: "years", "dollars"."""
    measured = (row["noun"] for row in rows("units") if row["unit"] not in _NOT_MEASURED)
    return frozenset(measured) - _COUNTED_UNITS


def counted_words(
    text: str, number: NumberInClause, others: Sequence[Span], dates: Sequence[Span]
) -> CountedWords:
    """Return what a number counts.

    Args:
        text: the text.
        number: the number.
        others: the other numbers around it, with their hedges, in order.
        dates: the dates, names and ordinals around it.
    """
    found = _read(NumberContext(text, number, others, dates))
    counted, span = _without_stray_marks(found.counted), _with_mark(text, found.span)
    if open_end := _OPEN_END.search(counted):
        counted = counted[: open_end.start()]
    if counted in _PARTICIPLES:
        counted = f"amount {counted}"
    if says_nothing(counted):
        return CountedWords("", span)
    if (at := text.find(counted, number.end, span.end)) >= 0:
        end = at + len(counted)
        is_open = bool(TERM.match(text, at - 1, end + 1))
        span = Span(span.start, end + is_open)
    return CountedWords(counted, span)


def counted_candidates(
    text: str, number: NumberInClause, others: Sequence[Span], dates: Sequence[Span], known: str
) -> list[CountedWords]:
    """Return at most four guesses at what a number counts that `counted_words` leaves open, the
    likeliest first and, last, `known`: what the number before it counts.
    """
    context, found = NumberContext(text, number, others, dates), dict[str, CountedWords]()
    for words, start in (*possible_counted(context), (known, number.first)):
        said = " ".join(_without_stray_marks(without_article(words)).split())
        if len(said.split()) <= _LONGEST and not says_nothing(said):
            found.setdefault(said.casefold(), CountedWords(said, context.with_start(start)))
    return [*found.values()][:_MOST]


def _with_mark(text: str, span: Span) -> Span:
    """Return a span with the mark after it, if that closes a quotation that begins in it."""
    is_open = len(QUOTE.findall(text, *span)) % 2 == 1
    return Span(span.start, span.end + bool(is_open and QUOTE.match(text, span.end)))


def _without_stray_marks(counted: str) -> str:
    """Return words without a quotation mark that has no other, as in "“loopholes"."""
    marks = [hit.start() for hit in QUOTE.finditer(counted)]
    is_quoted = marks == [0, len(counted) - 1]
    if len(marks) % 2 == 0 and not is_quoted:
        return counted
    return QUOTE.sub("", counted).strip()
