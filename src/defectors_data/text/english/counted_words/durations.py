"""What a time lasted or separates: "time for which Orr spoke"."""

from __future__ import annotations

import re

from defectors_data.text.english.counted_words.clauses import NumberClause, relative_clause
from defectors_data.text.english.counted_words.noun_phrases import OF_PLURALS
from defectors_data.text.english.counted_words.number_context import (
    BE,
    RATE,
    TIMES,
    CountedWords,
    NumberContext,
    begins_clause_after,
    is_verb_form,
)
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.english.sources import phrase_at
from defectors_data.text.offsets import Span

_SUPERLATIVE = re.compile(r"\b(?:\w+est|first|worst|best|least|most|only)\b")
_RELATIVE_TIMES = frozenset(("after", "before", "since"))
_OF_DURATION = frozenset("for in over within during".split())
_SPENDING = frozenset("spend spending spends spent".split())
_PLACES_OF_TIME = frozenset("at on without".split())
"""Words between a time and what it is spent at: "four years [at] the mill"."""
_PLACE_OF_TIME = re.compile(
    r" in (?!the (?:last|past|next)\b)(?:(?:the|a|his|her) )?[a-z]+\b(?! [A-Z])"
)
_LASTING = frozenset(
    "last lasted lasts live lived serve served spend spent stay stayed take takes took wait waited"
    " work worked".split()
)


def _is_duration(clause: NumberClause) -> bool:
    """Return whether a time is that of the clause: "for a week", "lasted a week"."""
    is_lasting = clause.preposition in _OF_DURATION | {"after"}
    return bool(is_lasting or not _LASTING.isdisjoint(clause.predicate.split()))


def of_time(context: NumberContext, clause: NumberClause | None) -> CountedWords | None:
    """Return what lasted, by the words after a time or by the clause; None if they are unclear."""
    i = _after_unit(context)
    following, after = context.word_at(i), context.word_at(i + 1)
    rate = RATE.match(context.text, context.start_of(i))
    has_verb = clause is not None and clause.predicate.rpartition(" ")[2] not in OF_PLURALS
    if rate and clause and has_verb and not clause.preposition:  # "they work 40 hours a week"
        said = f"{context.words(context.after, i)}{rate[0]} {relative_clause(clause)}"
        return CountedWords(said, context.with_start(clause.start))
    if following.endswith("ing") and context.line[context.at - 1].word in _SPENDING:
        words, end = context.words_to_end(i)  # "spent two years building it"
        span = context.with_start(context.line[context.at - 1].start)._replace(end=end)
        return CountedWords(words and f"time spent {words}", span)
    if following == "away" and clause and clause.predicate.split()[0] in BE:
        return CountedWords(f"time until {clause.subject}", context.with_start(clause.start))
    is_left = following == "to" and after in ("come", "go", "wait")  # "12 days to go"
    if following in _RELATIVE_TIMES or is_left:
        words, end = context.words_to_end(i)
        return CountedWords(f"time {words}", Span(context.number.first, end)) if words else None
    if following == "of" or (_is_noun_of_time(context, i) and following != "in"):
        return None
    if _PLACE_OF_TIME.match(context.text, context.start_of(i)):
        return None  # "years in prison"
    place = context.line[i + 1 : i + 2]
    if following == "in" and place and place[0].is_capitalized and "date" not in place[0].classes:
        if place[0].word == "may":
            return None
        span = Span(context.number.first, place[0].end)
        return CountedWords(f"time in {context.text[place[0].start : place[0].end]}", span)
    if following in _PLACES_OF_TIME and not (clause and _is_duration(clause)):
        phrase = phrase_at(context.line, i + 1, context.last())
        if phrase and not context.line[i + 1].classes & {"date", "time"}:
            span = Span(context.number.first, context.line[phrase.end - 1].end)
            return CountedWords(f"time {context.words(i, phrase.end)}", span)
    is_every = context.line[context.at - 1].word == "every"
    is_whole = clause is not None and (
        clause.preposition == "in" or not _SUPERLATIVE.search(clause.predicate)
    )
    if clause and is_whole and _is_duration(clause):
        preposition = "at" if is_every else clause.preposition
        relative = relative_clause(clause._replace(preposition=preposition))
        noun = "interval" if is_every else "time"
        span = context.with_start(clause.start)._replace(end=context.start_of(i))
        return CountedWords(f"{noun} {relative}", span)
    return _of_following_clause(context, i) or (None if clause else _of_doing(context))


def _of_doing(context: NumberContext) -> CountedWords | None:
    """Return what was done for some time: "[living as a miller] for two years"."""
    end = context.before_number()
    if end < 1 or context.line[end].word not in ("for", "over"):
        return None
    start = end - 1
    while start > 0 and end - start < _LONGEST_DOING and not _is_doing(context.line[start]):
        token = context.line[start]
        if not (token.is_noun or token.classes & _OF_DOING or token.word == "as"):
            return None
        start -= 1
    is_after_sign = start > 0 and context.line[start - 1].word == ","
    if not (is_after_sign and _is_doing(context.line[start])):
        return None
    said = f"time {context.words(start, end)}"
    return CountedWords(said, context.with_start(context.line[start].start))


_LONGEST_DOING = 8
_OF_DOING = frozenset(("adverb", "determiner", "preposition", "pronoun", "objective"))


def _is_doing(token: Token) -> bool:
    return token.word.endswith("ing") and not token.is_capitalized


def _after_unit(context: NumberContext) -> int:
    """Return the token after the unit of a time: after "years" or "a week"."""
    i = context.after
    return i + (context.word_at(i).rstrip("s") in TIMES)


def _is_noun_of_time(context: NumberContext, i: int) -> bool:
    """Return whether a token after a time can be a noun that the time is of."""
    if i >= len(context.line) or context.line[i].start >= context.rest.end:
        return False
    token = context.line[i]
    return token.is_noun and not token.classes & {"time", "date", "adverb", "determiner"}


def _preposition_of_time(context: NumberContext) -> int | None:
    """Return the token of the preposition before a time: "for the next [12 days]"."""
    i = context.before_number()
    while i >= 0 and context.line[i].word in (
        "next",
        "last",
        "past",
        "first",
        "the",
        "his",
        "her",
    ):
        i -= 1
    return i if i >= 0 and context.line[i].word in _OF_DURATION else None


def _of_following_clause(context: NumberContext, i: int) -> CountedWords | None:
    """Return what lasted if a clause follows: "for 12 days, the keepers left"."""
    at = _preposition_of_time(context)
    if at is None or i + 2 >= len(context.line) or context.line[i].word != ",":
        return None
    if at > 0 and not begins_clause_after(context.line[at - 1]):
        return None
    words, end = context.words_to_end(i + 1)
    line = [*tokens(words, 0, len(words))]
    has_verb = any(is_verb_form(t) or "auxiliary" in t.classes for t in line[1:])
    is_subject = line[0].is_noun if line else False
    is_subject |= bool(line and line[0].classes & {"pronoun", "determiner", "adverb"})
    if not (has_verb and is_subject):
        return None
    said = f"time {context.line[at].word} which {words}"
    return CountedWords(said, Span(context.number.first, end))
