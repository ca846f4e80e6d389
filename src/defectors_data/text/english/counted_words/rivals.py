"""What the numbers of polls and votes count: the shares of rivals, and the lead of one of them."""

from __future__ import annotations

import re

from defectors_data.text.english import is_plural
from defectors_data.text.english.counted_words.clauses import FAVORING, NumberClause, clause_ending
from defectors_data.text.english.counted_words.noun_phrases import GROUP, GROUP_FIRST
from defectors_data.text.english.counted_words.number_context import (
    FUNCTION_WORDS,
    CountedWords,
    NumberContext,
    is_verb_form,
    without_article,
)
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.english.sources import main_subject
from defectors_data.text.offsets import Span

_NAMED = r"[A-Z][\w.-]+(?: [A-Z][\w-]+)*"
_LEAD = r"(?:lead|edge|advantage)"
_HOLDING = frozenset("had has have held hold holds built enjoyed enjoys maintains opened".split())
_HAS_LEAD = rf"(?:with|{'|'.join(sorted(_HOLDING))}) (?:only )?an? (?:[a-z]+ )?{_LEAD} over"
_RIVALS = re.compile(
    rf"(?:(?P<of>\b(?:for|from|in|of|the|with) )?(?P<one>{_NAMED}) )?"
    r"(?:would (?:\w+ly )?)?\b(?P<verb>(?:is |was )?(?:\w+ly |now )?"
    r"(?:leading|leads?|led|trailing|trails?|beating|beats?|defeat|defeated|edged|edges|topped|tops|trounced"
    rf"|ahead of|behind|{_HAS_LEAD})) "
    rf"(?P<other>{_NAMED})(?P<by>(?: in [A-Z][\w-]+)? by)?"
)
_ENDS_BY = re.compile(r"\bby\s+$")
_PERCENT = r"(?:%| percent| per cent)"
_TO_RIVAL = re.compile(rf"{_PERCENT}?(?: to | ?[-–] ?)[\d.,]*\d(?P<percent>{_PERCENT})?")
_FROM_RIVAL = re.compile(rf"(?P<from>\bfrom )?[\d.,]*\d(?P<percent>{_PERCENT})?(?: to | ?[-–] ?)$")
_OTHER_RIVAL = re.compile(r";|\band [A-Z]")
_GROUP_BEFORE = re.compile(rf"(?: in [A-Z]\w+)? {GROUP}(?:,| by)? $")
_GROUP_AFTER = re.compile(rf"{_PERCENT}?,? {GROUP}(?=[,;:.()—–\n]| [-—–] | while | and \d|$)")
_LONGEST_GROUP = 9
"""Maximum number of words of a group of voters."""
_WINNING = frozenset(
    "ahead beat beats carried carries defeat defeated defeats lead leads led prevailed prevails topped"
    " tops win wins won".split()
)
"""Verbs whose subject has the greater share, which is the first."""
_LEADING = frozenset("beating leading".split())
_OBJECTIVE = {"he": "him", "she": "her", "they": "them"}
_OF_POINTS = re.compile(
    r"[- ](?:(?:percentage[- ])?points?|percent|votes?) (?P<noun>advantage|deficit|edge|lead|margin)\b"
)
_MARGIN = re.compile(
    r"\b(?:(?:[Tt]he|[Aa]n?) )?(?:overall )?[Mm]argins? of (?P<error>(?:sampling )?error)\b"
    r"(?P<whose>[^;:]*?) ?(?:plus or minus|\+/-|±) ?$"
)
_OF_MARGIN = re.compile(r" (?:for|among) (?:[a-z’'-]+ ){0,3}(?!is\b|was\b)(?:[A-Z]\w+ )?[a-z]+\b")
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
    is_moved = bool(before and before["from"])
    is_moved |= bool(after) and text.endswith("from ", 0, number.first)
    is_followed = before and context.word_at(context.after_measure()) in ("of", "for")
    if not is_of_shares or is_moved or is_followed:
        return None
    return (after and _of_winner(context)) or CountedWords("", context.span)


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
    share = _share(context, rivals[-1].end("other"))
    if is_first:
        return f"{share} for {one}" if one else ""
    if is_second:
        return f"{share} for {other}"
    if one and rivals[-1]["by"] is not None and _ENDS_BY.search(text, 0, first):
        unit = "points" if context.is_points() else "percentage"
        is_doing = verb.endswith("ing") and not verb.startswith(("is", "was"))
        return f"{unit} by which {context.as_subject(one)} {'is ' * is_doing}{verb} {other}"
    return ""


def of_margin(context: NumberContext) -> CountedWords | None:
    """Return a margin of error with what has it: "margin of sampling error for all men"; None for
    other words.
    """
    before = context.text[context.line[0].start : context.number.first]
    found = _MARGIN.search(before)
    if not found:
        return None
    after = _OF_MARGIN.match(context.text, context.start_of(context.after_measure()))
    whose = after or _OF_MARGIN.match(found["whose"])
    said = f"margin of {found['error']}{whose[0] if whose else ''}"
    start = context.with_start(context.line[0].start + found.start()).start
    end = after.end() if after else context.line[context.after_measure() - 1].end
    return CountedWords(said, Span(start, end))


def _share(context: NumberContext, at: int) -> str:
    """Return "share", with the group of voters that is before or after a pair of percentages.

    Args:
        context: one of the two numbers.
        at: the offset from which a group before the pair is searched for.
    """
    text, number = context.text, context.number
    pair = _FROM_RIVAL.search(text, context.line[0].start, number.first)
    first = pair.start() if pair else number.first
    other = _TO_RIVAL.match(text, number.end)
    end = other.end() if other else number.end
    found = _GROUP_AFTER.match(text, end)
    found = found or _GROUP_BEFORE.fullmatch(text, at, first)
    found = found or GROUP_FIRST.match(text, context.line[0].start, first)
    if not found:
        return "share"
    group = found["group"].partition(" by ")[0]
    words = [*tokens(group, 0, len(group))]
    has_verb = any("auxiliary" in token.classes for token in words)
    is_long = len(words) > _LONGEST_GROUP
    return "share" if has_verb or is_long else f"share of {without_article(group)}"


def _of_winner(context: NumberContext) -> CountedWords | None:
    """Return the share of the subject of the first of two percentages: "Orr won, 60 percent to
    40 percent", "keepers favored Orr, 60 percent to 40 percent".
    """
    i = context.at - 1
    while i > 0 and (context.line[i].word in (",", "by") or "adverb" in context.line[i].classes):
        i -= 1
    if i < 1:
        return None
    if context.line[i].word in _LEADING and not context.line[i - 1].is_word:
        subject = main_subject(context.text, context.line, i - 1)
        if subject is None or subject.kind != "name":
            return None
        share = _share(context, context.line[i].end)
        said = f"{share} for {context.text[slice(*subject.span)]}"
        return CountedWords(said, context.with_start(context.line[i].start))
    clause = clause_ending(context, i)
    if clause is None or context.text.startswith(",", clause.start + len(clause.subject)):
        return None  # "Orr, with mills across the state, won"
    said = _of_subject(context, clause, context.line[i].end)
    return CountedWords(said, context.with_start(clause.start)) if said else None


def _of_subject(context: NumberContext, clause: NumberClause, end: int) -> str:
    verbs = clause.predicate.split()
    if not _WINNING.isdisjoint(verbs):
        subject = _OBJECTIVE.get(clause.subject, clause.subject)
        return f"{_share(context, end)} for {subject}"
    is_favoring = not FAVORING.isdisjoint(verbs) and is_plural(
        clause.subject.split()[-1].casefold()
    )
    if is_favoring and len(verbs) > 1:
        return f"share of {without_article(clause.subject)} who {clause.predicate}"
    return ""


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
    owner = context.line[context.at - 1]
    if "’s" in owner.word and owner.is_capitalized:
        name = re.search(rf"{_NAMED}['’]s $", text[: context.number.first])
        words = text[name.start() : owner.end - len("’s")] if name else ""
        said = f"{noun} of {words}{rest}" if words else ""
        return CountedWords(said, context.with_start(name.start())) if name else None
    if clause and clause.preposition == "by":
        said = f"{noun} by which {clause.subject} {clause.predicate}{rest}"
        return CountedWords(said, span._replace(start=context.with_start(clause.start).start))
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
