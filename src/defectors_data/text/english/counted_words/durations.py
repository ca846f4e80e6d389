"""What a time lasted or separates: "time for which Orr spoke"."""

from __future__ import annotations

from defectors_data.text.english.counted_words.clauses import NumberClause, relative_clause
from defectors_data.text.english.counted_words.number_context import (
    TIMES,
    CountedWords,
    NumberContext,
    begins_clause_after,
    is_verb_form,
)
from defectors_data.text.english.sentences import tokens
from defectors_data.text.offsets import Span

_RELATIVE_TIMES = frozenset(("after", "before", "since"))
_OF_DURATION = frozenset("for in over within during".split())


def of_time(context: NumberContext, clause: NumberClause | None) -> CountedWords | None:
    """Return what lasted, by the words after a time or by the clause; None if they are unclear."""
    i = _after_unit(context)
    following = context.word_at(i)
    if following in _RELATIVE_TIMES:
        words, end = context.words_to_end(i)
        return CountedWords(f"time {words}", Span(context.number.first, end)) if words else None
    if following == "of":
        return None
    if clause and clause.preposition in _OF_DURATION:
        span = context.with_start(clause.start)._replace(end=context.start_of(i))
        return CountedWords(f"time {relative_clause(clause)}", span)
    return _of_following_clause(context, i)


def _after_unit(context: NumberContext) -> int:
    """Return the token after the unit of a time: after "years" or "a week"."""
    i = context.after
    return i + (context.word_at(i).rstrip("s") in TIMES)


def _preposition_of_time(context: NumberContext) -> int | None:
    """Return the token of the preposition before a time: "for the next [12 days]"."""
    i = context.before_number()
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
