"""What a number of persons, objects, periods or events counts: "games that Orr won"."""

from __future__ import annotations

import re

from defectors_data.text.english import STATES, is_plural
from defectors_data.text.english.counted_words.clauses import (
    NumberClause,
    counted_by_clause,
    of_closing,
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
    QUOTE,
    TIMES,
    CountedWords,
    NumberContext,
    is_verb_form,
    without_article,
)
from defectors_data.text.english.sentences import tokens
from defectors_data.text.english.sources import phrase_at
from defectors_data.text.offsets import Span

_PERIOD = re.compile(r"\b(?:minute|hour|day|week|month|year|decade|centur(?:y|ie))s?$")
"""A period that is a part of its number."""
_NOT_RELATIVE = frozenset("among between including of over with".split())
_FAR = re.compile(r" (?P<where>(?:east|west|north|south|\w+east|\w+west|from|off|outside)\b.*)")
_VAGUE = re.compile(r"(?i)\b(?:dozens|hundreds|thousands|millions|scores)$")
_PLACES = frozenset("across along around at from in inside near on outside".split())
_TO_OTHER = re.compile(r" to (?=[\d])")
_OF_TOTAL = re.compile(
    r" (?:out )?of (?:all )?(?:(?:the|its|his|her|their|these|those) )?(?:(?:first|top|other) )?"
)
_TIMES_OF_EVENT = re.compile(r"(?i)\b(?:once|twice|thrice|times)\b")
_HAS_OTHER_VERB = re.compile(r" (?:by|is|to) ")
"""What shows that a preposition may be that of another verb: "hurt him by leaving five men [to] 12 boys"."""
_CROWDS = ("audience", "crowd", "group")
_DYING = frozenset("deserted died escaped fled".split())
"""Verbs whose subject is probably persons."""


def of_noun(context: NumberContext, clause: NumberClause | None) -> CountedWords:
    """Return what a number of persons, objects or periods counts."""
    text, number, rest = context.text, context.number, context.rest
    end = end_of_noun_phrase(context)
    if number.unit in TIMES and _PERIOD.search(text, number.start, number.end):
        if context.word_at(context.after) == "of":
            return CountedWords(f"time {text[number.end : end].strip()}", context.span)
        return CountedWords("", context.span)  # "a week", "decades"
    counted = without_article(text[number.end : end].strip().removeprefix("of "))
    if number.unit == "event" and (said := _of_times(context, clause)):
        start = clause.start if clause else number.first
        return CountedWords(said, context.with_start(start))
    of = _OF_TOTAL.match(text, number.end)
    if of and (whole := after_other(context, of.end())):
        return CountedWords(whole, context.with_end_of(whole))  # "12 of the 14 boats"
    if not counted and (pair := _TO_OTHER.match(text, number.end)):
        whole = after_other(context, pair.end())
        return CountedWords(whole, context.span)  # "12 to 14 votes"
    if not counted and (whole := after_other(context, number.end)):
        return CountedWords(whole, context.with_end_of(whole))  # "three $5 prizes"
    if not counted or has_no_noun(context, Span(number.end, end)):
        is_level = clause is not None and clause.preposition in LEVELS
        is_level |= clause is not None and clause.predicate in BE and not clause.preposition
        is_level &= not any(
            t.word in NO_NOUNS for t in context.line[context.after : context.after + 1]
        )
        if clause and is_level and (said := counted_by_clause(context, clause, "")):
            return CountedWords(said, context.with_start(clause.start))
        before = noun_before(context)
        if before and before[1].split()[-1] == "population":
            return CountedWords(before[1], context.with_start(before[0]))
        if closing := of_closing(context, ""):
            return closing
        said = _without_noun(context)
        if said == "children" or said.endswith(_CROWDS):
            start = context.line[context.at - 2].start  # "mother of three"
            return CountedWords(said, Span(start, number.end))
        return CountedWords(said, context.span)
    first, *others = counted.split()
    if number.unit == "person" and first in STATES and not any(is_plural(each) for each in others):
        return CountedWords(f"people {first}", context.with_end_of(first))  # "left nine dead"
    if counted in ("us", "you"):
        following = next(tokens(text, end, rest.end), None)
        is_place = following is not None and "preposition" in following.classes
        words = text[end : rest.end] * is_place  # "20 of us on the pier"
        return CountedWords(words and f"people{words}", context.span)
    if number.unit == "mile" and (far := _FAR.match(text, end, rest.end)):
        return CountedWords(f"distance {far['where']}", context.span)  # "12 miles east of Rome"
    restriction = restricting_clause(context, counted, Span(end, rest.end))
    is_bare = not restriction and has_no_preposition(context, end)
    if counted in ("last", "past") and (whole := after_other(context, rest.end)):
        counted, is_bare = whole, True  # "12 of the last 14 boats"
    if number.unit in TIMES and clause:
        clause = None
    is_state = clause is not None and clause.predicate in BE and not clause.preposition
    if not is_bare or not clause or is_state or clause.preposition in _NOT_RELATIVE:
        return CountedWords(counted + restriction, context.span)
    if number.unit == "mile" and " " not in counted:
        counted = "distance"
    if clause.preposition and _HAS_OTHER_VERB.search(clause.predicate):
        return CountedWords(counted + restriction, context.span)
    relative = relative_clause(clause)
    if clause.preposition and number.unit == "person":
        relative = relative.replace(" which ", " whom ", 1)
    return CountedWords(f"{counted} {relative}", context.with_start(clause.start))


def _of_times(context: NumberContext, clause: NumberClause | None) -> str:
    """Return how often what was so: "the mill lost twice to Orr"."""
    is_time = _TIMES_OF_EVENT.search(
        context.text, context.number.start, context.number.end + len(" times")
    )
    if not is_time or (clause and clause.preposition):
        return ""
    i = context.after + (context.word_at(context.after) == "times")
    if clause is None:
        is_comma = context.is_start() and context.word_at(i) == "," and i + 2 < len(context.line)
        is_comma = is_comma and not QUOTE.search(
            context.text, context.number.end, context.start_of(i + 2)
        )
        return f"times that {context.words_to_end(i + 1)[0]}" if is_comma else ""
    return f"times that {clause.subject} {clause.predicate}"


def _without_noun(context: NumberContext) -> str:
    """Return what a number without a noun counts: "12 died in the fire"."""
    words = context.text[slice(*context.rest)].strip()
    before = [token.word for token in context.line[max(0, context.at - 2) : context.at]]
    if before[1:] == ["of"] and before[0] in _CROWDS:
        return f"people in the {before[0]}"
    if before[1:] == ["of"] and before[0] in ("father", "mother", "parent"):
        return "children"
    first = words.partition(" ")[0].casefold()
    if context.number.unit == "person" and first in STATES:
        return f"people {words}"
    if first in _DYING and context.is_start():
        return f"people who {words}"
    return ""


def of_crowd(context: NumberContext) -> str:
    """Return the people whom a vague number counts: "dozens in the crowd had lamps"."""
    i, last = context.after, context.last()
    if not _VAGUE.search(context.text, context.number.start, context.number.end) or i >= last:
        return ""
    end = i
    if context.line[i].word in _PLACES:
        phrase = phrase_at(context.line, i + 1, last)
        end = phrase.head_end if phrase else i
        end = next((k for k in range(i + 2, end) if is_verb_form(context.line[k])), end)
    if context.line[i].word in ("more", "others") and i + 1 < last:
        i = end = i + 1  # "hundreds more came"
    if end == i and context.line[i].word.endswith("ing"):
        return f"people {context.words_to_end(i)[0]}" if context.words_to_end(i)[0] else ""
    is_verb = end < last and (
        is_verb_form(context.line[end]) or "auxiliary" in context.line[end].classes
    )
    where = context.words(i, end)
    is_place = is_verb or not where
    if not is_place and "determiner" not in context.line[i + 1].classes:
        return ""  # "millions in advertising"
    said = f"people {where}".strip()
    if is_verb and context.is_start():
        said += f" who {context.text[context.line[end].start : context.rest.end]}"
    return said if said != "people" else ""
