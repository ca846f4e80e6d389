"""What a number of persons, objects or events counts, and what a time lasted: "games that Orr won"."""

from __future__ import annotations

import re

from defectors_data.text.english import means_person
from defectors_data.text.english.counted_words.clauses import (
    NumberClause,
    counted_by_clause,
    is_moved,
    is_reached,
    relative_clause,
)
from defectors_data.text.english.counted_words.noun_phrases import (
    after_other,
    end_of_noun_phrase,
    has_no_noun,
    has_no_preposition,
    noun_before,
    restricting_clause,
)
from defectors_data.text.english.counted_words.number_context import (
    BE,
    LEVELS,
    NO_NOUNS,
    PRONOUNS,
    RATE,
    TIMES,
    CountedWords,
    NumberContext,
    begins_clause_after,
    is_verb_form,
    without_article,
)
from defectors_data.text.english.sentences import tokens
from defectors_data.text.offsets import Span, overlaps

_PERIOD = re.compile(r"\b(?:minute|hour|day|week|month|year|decade|centur(?:y|ie))s?$")
"""A period that is a part of its number."""
_OF_NUMBER = re.compile(r"(?:the )?(?:number|total) of ", re.IGNORECASE)
_NOT_RELATIVE = frozenset("among between including of over with".split())
_OF_TOTAL = re.compile(
    r" (?:out )?of (?:all )?(?:(?:the|its|his|her|our|their|these|those) )?(?:\w+['’]s )?"
    r"(?:(?:first|last|past|top|other) )?"
)
_PART_OF = re.compile(
    r" (?:out )?of (?:all )?(?:(?:the|its|his|her|our|their|these|those) )?(?:[\w ]{1,20}['’]s )?$"
)
_TIMES_OF_EVENT = re.compile(r"(?i)\b(?:once|twice|thrice|times)\b")
_BEFORE_OF = {
    "audience": "people in the audience",
    "crowd": "people in the crowd",
    "dad": "children",
    "father": "children",
    "grandfather": "grandchildren",
    "grandmother": "grandchildren",
    "mom": "children",
    "mother": "children",
    "mum": "children",
    "parent": "children",
    "population": "people",
}
"""What a number without a noun counts by the noun before "of": "a crowd of 12"."""
_RELATIVE_TIMES = frozenset(("after", "before", "since"))
_HARMED = frozenset("affected arrested displaced employed employs injured killed wounded".split())
_OF_DURATION = frozenset("for in over within during".split())


def of_noun(context: NumberContext, clause: NumberClause | None) -> CountedWords:
    """Return what a number of persons, objects or periods counts."""
    text, number, rest = context.text, context.number, context.rest
    end = end_of_noun_phrase(context)
    is_period = number.unit in TIMES and _PERIOD.search(text, number.start, number.end)
    if is_period and not text.startswith(" of ", number.end):
        return CountedWords("", context.span)  # "a week", "decades"
    counted = without_article(text[number.end : end].strip().removeprefix("of "))
    counted = "" if counted in NO_NOUNS else counted  # "12 million [next] year"
    if number.unit == "event" and (said := _of_times(context, clause)):
        start = clause.start if clause else number.first
        return CountedWords(said, context.with_start(start))
    of = _OF_TOTAL.match(text, number.end)
    if of and (whole := after_other(context, of.end())):
        return CountedWords(whole, context.with_end_of(whole))  # "12 of the 14 boats"
    if not counted and (whole := after_other(context, number.end)):
        return CountedWords(whole, context.with_end_of(whole))  # "three $5 prizes"
    if not counted or has_no_noun(context, Span(number.end, end)):
        if clause and not clause.preposition and (of_number := _OF_NUMBER.match(clause.subject)):
            said = clause.subject[of_number.end() :]
            return CountedWords(said, context.with_start(clause.start))
        is_level = clause is not None and (
            clause.preposition in {*LEVELS, "by"} or is_reached(clause) or is_moved(clause)
        )
        if clause and _is_number_of(clause):
            return CountedWords(without_article(clause.subject), context.with_start(clause.start))
        is_killed = clause is not None and clause.predicate.rpartition(" ")[2] in _HARMED
        if clause and is_killed and not clause.preposition and number.unit == "person":
            said = f"people {relative_clause(clause)}"  # "the wave killed 12"
            return CountedWords(said, context.with_start(clause.start))
        if clause and is_level and (said := counted_by_clause(context, clause, "")):
            return CountedWords(said, context.with_start(clause.start))
        before = context.line[max(0, context.at - 2) : context.at]
        said = _BEFORE_OF.get(before[0].word, "") if before else ""
        if before and before[-1].word == "population":  # "Rome, population 12,000"
            return CountedWords("people", Span(before[-1].start, number.end))
        if said and before[-1].word == "of":
            return CountedWords(said, Span(before[0].start, number.end))
        noun = noun_before(context)
        if noun and before[-1].word == "of":  # "unemployment of 12 million"
            return CountedWords(noun[1], context.with_start(noun[0]))
        return CountedWords("", context.span)
    rate = RATE.match(text, end)
    if rate and rate.end() <= rest.end and number.unit not in TIMES:
        counted, end = counted + rate[0], rate.end()
    if _is_whole_of_part(context):
        return CountedWords(counted, Span(number.first, end))
    restriction = restricting_clause(context, counted, Span(end, rest.end))
    is_bare = not restriction and has_no_preposition(context, end)
    if number.unit in TIMES and clause:
        clause = None
    is_state = clause is not None and clause.predicate in BE and not clause.preposition
    if not is_bare or not clause or is_state or clause.preposition in _NOT_RELATIVE:
        return CountedWords(counted + restriction, context.span)
    relative = relative_clause(clause)
    if clause.preposition and number.unit == "person":
        relative = relative.replace(" which ", " whom ", 1)
    return CountedWords(f"{counted} {relative}", context.with_start(clause.start))


def _is_whole_of_part(context: NumberContext) -> bool:
    """Return whether a number is that of which another is a part, which the rest of the sentence is
    about: "three of the mill's [12 lamps] were lit".
    """
    before = _PART_OF.search(context.text, context.line[0].start, context.number.first)
    return before is not None and any(each.end == before.start() for each in context.others)


def _is_number_of(clause: NumberClause) -> bool:
    """Return whether a number is what a subject is: "[the death toll] is 12", not "keepers are 65"."""
    words = clause.subject.casefold().split()
    has_person = any(means_person(word) for word in words) and "age" not in words
    is_number = clause.predicate.rpartition(" ")[2] in BE and not clause.preposition
    return is_number and not has_person and PRONOUNS.isdisjoint(words)


def _of_times(context: NumberContext, clause: NumberClause | None) -> str:
    """Return how often what was so: "the mill lost twice to Orr"."""
    is_time = _TIMES_OF_EVENT.search(
        context.text, context.number.start, context.number.end + len(" times")
    )
    if not is_time or clause is None or clause.preposition:
        return ""
    verb, *others = clause.predicate.split()
    is_clear = verb not in BE and "not" not in others and (others or verb != "has")
    return f"times that {clause.subject} {clause.predicate}" if is_clear else ""


def of_time(context: NumberContext, clause: NumberClause | None) -> CountedWords | None:
    """Return what lasted, by the words after a time or by the clause; None if they are unclear."""
    i = _after_unit(context)
    following = context.word_at(i)
    if following in _RELATIVE_TIMES:
        words, end = context.words_to_end(i)
        return CountedWords(f"time {words}", Span(context.number.first, end)) if words else None
    if following == "of":
        return None
    if before := noun_before(context):  # "a term of 12 years"
        return CountedWords(before[1], context.with_start(before[0]))
    if clause and not clause.preposition and (said := _of_state(context, clause, i)):
        return said
    if clause and clause.preposition in _OF_DURATION:
        span = context.with_start(clause.start)._replace(end=context.start_of(i))
        return CountedWords(f"time {relative_clause(clause)}", span)
    return _of_following_clause(context, i)


def _of_state(context: NumberContext, clause: NumberClause, i: int) -> CountedWords | None:
    """Return what a time is or takes: "[the term] is 12 years", "it took 12 years [to light it]"."""
    span = context.with_start(clause.start)
    if clause.predicate in BE and clause.subject.casefold() not in PRONOUNS:
        return CountedWords(without_article(clause.subject), span)
    is_taking = not {"take", "takes", "taking", "took"}.isdisjoint(clause.predicate.split())
    if not is_taking:
        return None
    words, end = context.words_to_end(i) if context.word_at(i) in ("for", "to") else ("", span.end)
    said = f"time that {clause.subject} {clause.predicate} {words}".strip()
    return CountedWords(said, span._replace(end=max(end, span.end)))


def _after_unit(context: NumberContext) -> int:
    """Return the token after the unit of a time: after "years" or "a week"."""
    i = context.after
    return i + (context.word_at(i).rstrip("s") in TIMES)


def _of_following_clause(context: NumberContext, i: int) -> CountedWords | None:
    """Return what lasted if a clause follows: "for 12 days, the keepers left"."""
    at = context.before_number()
    if at < 0 or context.line[at].word not in _OF_DURATION or context.word_at(i) != ",":
        return None
    if at > 0 and not begins_clause_after(context.line[at - 1]):
        return None
    words, end = context.words_to_end(i + 1)
    if not words:  # before another number: "in 12 years, it sold [14 lamps]"
        span = Span(context.line[i].end, end)
        numbers = [each.start for each in context.others if overlaps(each, [span])]
        end = context.without_function_words(span._replace(end=min(numbers, default=end)))
        words = context.text[span.start : end].strip()
    line = [*tokens(words, 0, len(words))]
    has_verb = any(is_verb_form(t) or "auxiliary" in t.classes for t in line[1:])
    if not has_verb:
        return None
    said = f"time {context.line[at].word} which {words}"
    return CountedWords(said, Span(context.number.first, end))
