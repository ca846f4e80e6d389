"""Guesses at what a number counts where the order of words leaves it open: a person chooses one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from defectors_data.text.english import cue_words
from defectors_data.text.english.counted_words import number_context as words_around
from defectors_data.text.english.counted_words.clauses import (
    BY,
    STATES,
    is_in_verb,
    may_be_verb,
    noun_to,
)
from defectors_data.text.english.counted_words.noun_phrases import end_of_noun_phrase
from defectors_data.text.english.counted_words.number_context import TIMES, NumberContext
from defectors_data.text.english.sources import subject_before
from defectors_data.text.offsets import Span, overlaps

_MOVES = re.compile(r"\b(?:climb|drop|f[ae]ll|gain|gr[eo]w|increas|jump|r[io]s[ei]|shrink|soar)")
_EMPTY = frozenset("( , - as average current final last next past record sum than worth".split())
"""Words between a number and its preposition, or the noun before it."""
_LEVELS = words_around.LEVELS | {"above", "below", "between"}
"""Prepositions before a level, which its subject has: "[sales] fell below 12"."""
_PARTICLES = BY | frozenset("in off out over".split())
_APART = frozenset(",:;")
_ENDS = words_around.STOPS | frozenset("that when which while who".split())


def possible_counted(context: NumberContext) -> Iterator[tuple[str, int]]:
    """Yield what a number may count and where the words that say so start, the likeliest first."""
    i, preposition = _before(context)
    nouns = [(context.without_numbers(each), each.start) for each in [noun_to(context, i)] if each]
    if preposition in {*_LEVELS, "of"} or context.word_at(context.at - 1) in ("(", "worth"):
        yield from nouns
    is_start = i < 0 or words_around.begins_clause_after(context.line[i])
    is_start |= preposition == "over"  # "In Rome over the past 12 days 14 lamps were sold"
    if is_start and preposition and context.number.unit in TIMES:
        at = context.after + (context.word_at(context.after).rstrip("s") in TIMES)
        at += context.word_at(at) == ","
        while at < len(context.line) and overlaps(context.line[at], context.others):
            at += 1
        does = _until(context, at, len(context.line))
        yield f"time {preposition} which {does}", context.number.first
    stops = [k for k in range(i, 0, -1) if context.line[k].word in _APART]
    near = [*_of_clauses(context, i, range(i, max(stops, default=0), -1), preposition)]
    yield from near
    yield from nouns
    yield context.text[context.number.end : end_of_noun_phrase(context)], context.number.first
    if stops and not near:
        yield from _of_clauses(context, i, range(stops[0], 0, -1), preposition)


def _of_clauses(
    context: NumberContext, i: int, verbs: range, preposition: str
) -> Iterator[tuple[str, int]]:
    """Yield what a number may count by each verb before it, and where the clause starts."""
    for verb in (k for k in verbs if may_be_verb(context, k)):
        first = verb
        while first > 0 and is_in_verb(context, first - 1):
            first -= 1
        span = _subject(context, first) if context.line[first].word != "to" else None
        cue = cue_words().get(context.line[verb].word)
        is_said = cue is not None and cue.kind == "speech"  # "Orr said that 12 were lost"
        if span and not is_said and (said := context.without_numbers(span)):
            does = _until(context, first, i + 1) or context.words(first, verb + 1)
            yield _of_clause(context, context.as_subject(said), does, preposition), span.start


def _before(context: NumberContext) -> tuple[int, str]:
    """Return the last token before the number and its prepositions, and the last of these."""
    i = context.before_number()
    preposition = "by" * (context.word_at(context.at) == "by")
    while i >= 0:
        token, word = context.line[i], context.line[i].word
        is_particle = word in _PARTICLES and context.number.unit not in TIMES
        is_particle &= word in BY or (i > 0 and may_be_verb(context, i - 1))
        if "preposition" in token.classes and (preposition or not is_particle):
            preposition = preposition.replace("of", "") or word  # "by an average of $12"
        elif not (word in _EMPTY or "determiner" in token.classes) and not (
            preposition in _LEVELS and overlaps(token, context.others)
        ):
            break  # "[fell] from $12 to $14"
        i -= 1
    return i, preposition


def _of_clause(context: NumberContext, subject: str, predicate: str, preposition: str) -> str:
    """Return what an amount or a time counts by a clause before it."""
    *_, verb, last = "", *predicate.split()
    is_time, is_percent = context.number.unit in TIMES, context.number.unit == "percent"
    is_moved = _MOVES.search(predicate) or (last in BY and verb in STATES)
    if preposition == "by" or (is_moved and not preposition and not is_time):
        return f"{'percentage' if is_percent else 'amount'} by which {subject} {predicate}"
    if not is_time and (preposition in _LEVELS or last in STATES):
        return subject
    noun = "time" if is_time else "share" if is_percent else "amount"
    which = "that" if preposition in ("", "of") or is_percent else f"{preposition} which"
    return f"{noun} {which} {subject} {predicate}"


def _until(context: NumberContext, first: int, last: int) -> str:
    """Return the words from one token up to another, a sign, a clause or another number."""
    line = context.line[first:last]
    ends = [t.start for t in line if t.word in _ENDS or overlaps(t, context.others)]
    if not ends:
        return context.words(first, last)
    end = context.without_function_words(Span(line[0].start, ends[0]))
    return context.text[line[0].start : end]


def _subject(context: NumberContext, first: int) -> Span | None:
    """Return the subject before the verb that begins with a token; None if it is unclear."""
    read = subject_before(context.text, context.line, first - 1)
    source = read.source.span if read and read.source else None
    is_near = source and source.end == context.line[first - 1].end
    return source if is_near else noun_to(context, first - 1) or source
