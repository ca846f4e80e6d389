"""What the numbers of polls and votes count: the shares of rivals, and the lead of one of them."""

from __future__ import annotations

import re

from defectors_data.text.english.counted_words.clauses import NumberClause
from defectors_data.text.english.counted_words.number_context import (
    FUNCTION_WORDS,
    CountedWords,
    NumberContext,
    is_verb_form,
)
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.offsets import Span

_NAMED = r"[A-Z][\w.-]+(?: [A-Z][\w-]+)*"
_HOLDING = frozenset("had has have held hold holds built enjoyed enjoys maintains opened".split())
_RIVALS = re.compile(
    rf"(?:(?P<one>{_NAMED}) )?"
    r"(?:would (?:\w+ly )?)?\b(?:(?:is |was )?(?:\w+ly |now )?"
    r"(?:leading|leads?|led|trailing|trails?|beating|beats?|defeat|defeated|edged|edges|topped|tops|trounced"
    rf"|ahead of|behind)) (?P<other>{_NAMED})"
)
_PERCENT = r"(?:%| percent| per cent)"
_TO_RIVAL = re.compile(rf"{_PERCENT}?(?: to | ?[-–] ?)[\d.,]*\d(?P<percent>{_PERCENT})?")
_FROM_RIVAL = re.compile(rf"[\d.,]*\d(?P<percent>{_PERCENT})?(?: to | ?[-–] ?)$")
_OF_POINTS = re.compile(
    r"[- ](?:(?:percentage[- ])?points?|percent|votes?) (?P<noun>advantage|deficit|edge|lead|margin)\b"
)
_OF_LEAD = frozenset("against among for in of on over with".split())
"""Prepositions after "lead" and the like."""


def of_pair(context: NumberContext) -> CountedWords | None:
    """Return the share of one of two rivals: "Orr leads Pelt, 12 percent to 14 percent".

    Of other pairs of percentages, nothing is said. Return None for numbers that are no pair.
    """
    text, number = context.text, context.number
    after = _TO_RIVAL.match(text, number.end)
    before = _FROM_RIVAL.search(text, context.line[0].start, number.first)
    said = _between_rivals(context, is_first=bool(after), is_second=bool(before))
    if said:
        return CountedWords(said, context.span)
    pair = after or before
    is_of_shares = pair is not None and pair["percent"] and number.unit == "percent"
    is_followed = before and context.word_at(context.after_measure()) in ("of", "for")
    if not is_of_shares or is_followed:
        return None
    return CountedWords("", context.span)


def _between_rivals(context: NumberContext, *, is_first: bool, is_second: bool) -> str:
    text, first = context.text, context.number.first
    rivals = [*_RIVALS.finditer(text, context.line[0].start, first)]
    if not rivals:
        return ""
    one, other = rivals[-1].group("one", "other")
    between = [*tokens(text, rivals[-1].end("other"), first)]
    if any(is_verb_form(t) or "auxiliary" in t.classes for t in between):
        return ""
    if is_first:
        return f"share for {one}" if one else ""
    return f"share for {other}" if is_second else ""


def of_lead(context: NumberContext, clause: NumberClause | None) -> CountedWords | None:
    """Return whose lead or margin a number of points is: "lead that Orr has over Pelt"; None for
    other words.
    """
    text = context.text
    found = _OF_POINTS.match(text, context.number.end)
    if not found:
        return None
    noun = found["noun"]
    rest = _over_whom(context, found.end())
    span = Span(context.number.first, found.end() + len(rest))
    if clause and not clause.preposition and not _HOLDING.isdisjoint(clause.predicate.split()):
        said = f"{noun} that {clause.subject} {clause.predicate}{rest}"
        return CountedWords(said, span._replace(start=context.with_start(clause.start).start))
    said = f"{noun}{rest}" if rest else ""
    return CountedWords(said, span)


def _over_whom(context: NumberContext, start: int) -> str:
    """Return the words after "lead", such as " over Pelt among women"; "" if none are clear."""
    line = [*tokens(context.text, start, context.rest.end)]
    if not line or line[0].word not in _OF_LEAD or context.is_cut:
        return ""
    end = 1
    while end < len(line) and not _is_finite(line, end):
        end += 1
    is_whole = end > 1 and not line[end - 1].classes & FUNCTION_WORDS
    return context.text[start : line[end - 1].end] if is_whole else ""


def _is_finite(line: list[Token], i: int) -> bool:
    """Return whether a word after a noun is a verb: "lead over Pelt [has] gone"."""
    is_verb = is_verb_form(line[i]) or "auxiliary" in line[i].classes
    return is_verb and line[i - 1].is_noun
