"""What the numbers of polls and votes count: the shares of rivals."""

from __future__ import annotations

import re

from defectors_data.text.english.counted_words.number_context import (
    CountedWords,
    NumberContext,
    is_verb_form,
)
from defectors_data.text.english.sentences import tokens

_NAMED = r"[A-Z][\w.-]+(?: [A-Z][\w-]+)*"
_RIVALS = re.compile(
    rf"(?:(?P<one>{_NAMED}) )?"
    r"(?:would (?:\w+ly )?)?\b(?:(?:is |was )?(?:\w+ly |now )?"
    r"(?:leading|leads?|led|trailing|trails?|beating|beats?|defeat|defeated|edged|edges|topped|tops|trounced"
    rf"|ahead of|behind)) (?P<other>{_NAMED})"
)
_PERCENT = r"(?:%| percent| per cent)"
_TO_RIVAL = re.compile(rf"{_PERCENT}?(?: to | ?[-–] ?)[\d.,]*\d(?P<percent>{_PERCENT})?")
_FROM_RIVAL = re.compile(rf"[\d.,]*\d(?P<percent>{_PERCENT})?(?: to | ?[-–] ?)$")


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
    start = before.start() if before else number.first
    if text.endswith("from ", 0, start):
        return None  # "fell from 9% to 7%"
    return CountedWords("", context.span) if is_of_shares else None


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
