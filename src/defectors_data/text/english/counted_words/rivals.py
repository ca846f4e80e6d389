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
    rf"(?:(?P<of>\b(?:for|from|in|of|the|with) )?(?P<one>{_NAMED}) )?"
    r"(?:would (?:\w+ly )?)?\b(?P<verb>(?:is |was )?(?:\w+ly |now )?"
    r"(?:leading|leads?|led|trailing|trails?|beating|beats?|defeat|defeated|edged|edges|topped|tops|trounced"
    rf"|ahead of|behind)) (?P<other>{_NAMED})(?P<by>(?: in [A-Z][\w-]+)? by)?"
)
_ENDS_BY = re.compile(r"\bby\s+$")
_PERCENT = r"(?:%| percent| per cent)"
_TO_RIVAL = re.compile(rf"{_PERCENT}?(?: to | ?[-–] ?)[\d.,]*\d(?P<percent>{_PERCENT})?")
_FROM_RIVAL = re.compile(rf"(?P<from>\bfrom )?[\d.,]*\d(?P<percent>{_PERCENT})?(?: to | ?[-–] ?)$")
_OTHER_RIVAL = re.compile(r";|\band [A-Z]")


def of_pair(context: NumberContext) -> CountedWords | None:
    """Return the share of one of two rivals: "Orr leads Pelt, 12 percent to 14 percent".

    Of other pairs of percentages, nothing is said. Return None for numbers that are no pair.
    """
    text, number = context.text, context.number
    after = _TO_RIVAL.match(text, number.end)
    before = _FROM_RIVAL.search(text, context.line[0].start, number.first)
    said = _between_rivals(context, is_first=bool(after), is_second=bool(before))
    pair = after or before
    is_of_shares = pair is not None and pair["percent"] and number.unit == "percent"
    is_moved = bool(before and before["from"])
    is_moved |= bool(after) and text.endswith("from ", 0, number.first)
    is_followed = before and context.word_at(context.after_measure()) in ("of", "for")
    if said or (is_of_shares and not (is_moved or is_followed)):
        return CountedWords(said, context.span)
    return None


def _between_rivals(context: NumberContext, *, is_first: bool, is_second: bool) -> str:
    text, first = context.text, context.number.first
    rivals = [*_RIVALS.finditer(text, context.line[0].start, first)]
    if not rivals:
        return ""
    one, verb, other = rivals[-1].group("one", "verb", "other")
    between = [*tokens(text, rivals[-1].end("other"), first)]
    has_verb = any(is_verb_form(t) or "auxiliary" in t.classes for t in between)
    if has_verb or _OTHER_RIVAL.search(text, rivals[-1].end(), first):
        return ""
    if rivals[-1]["of"]:
        one = ""  # "the keeper of Rome leads Orr"
    if is_first:
        return f"share for {one}" if one else ""
    if is_second:
        return f"share for {other}"
    if one and rivals[-1]["by"] is not None and _ENDS_BY.search(text, 0, first):
        unit = "points" if context.is_points() else "percentage"
        is_doing = verb.endswith("ing") and not verb.startswith(("is", "was"))
        return f"{unit} by which {context.as_subject(one)} {'is ' * is_doing}{verb} {other}"
    return ""
