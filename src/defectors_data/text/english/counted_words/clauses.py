"""The clause before a number: its subject, its verb and the preposition of the number."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import NamedTuple

from defectors_data.text.english import reporting_verbs
from defectors_data.text.english.counted_words.number_context import (
    BE,
    LEVELS,
    LONGEST,
    MEASURES,
    NOMINATIVE,
    STOPS,
    TIMES,
    CountedWords,
    NumberContext,
    begins_clause_after,
    is_verb_form,
    without_article,
)
from defectors_data.text.english.sentences import Token
from defectors_data.text.english.sources import Subject, main_subject, subject_before
from defectors_data.text.offsets import Span, overlaps

_ADJUNCTS = (" among ", " for ", " from ", " in ", " through ", " to ")
_LONGEST_ADJUNCT = 8
_GOES_ON = re.compile(r" *(?:and|or|in|on|[“\"\d])|, [A-Z][\w ]*,? and\b")
AMOUNTS = frozenset("usd usd_per_month percent factor other".split())
BY = frozenset(
    "advanced climbed declined decreased dropped fell gained grew increased jumped plunged rose"
    " slipped soared surged tumbled up down higher lower".split()
)
"""Words of movement before what something moved by."""
_MOVES = BY | {"cut", "declined", "raised", "reduced", "went"}
_PARTICLES = frozenset("in out off up".split())
_MODALS = frozenset("will would can could may might must should".split())
_TO_VERBS = frozenset(
    "aims expects hopes intends needs plans seeks tends tries wants agree aim expect hope intend need"
    " plan seek tend try want".split()
)
FAVORING = frozenset(
    "back backed backs favor favored favoured favors favour go prefer preferred prefers support supported"
    " supports".split()
)
"""Verbs of shares of voters: "keepers [back] Orr by 12 points"."""
_CLOSED = {"close": "closed", "end": "ended", "finish": "finished", "settle": "settled"}
_CLOSES = frozenset(("close", "settle", "finish", "trade"))
_GIVING = frozenset(
    "charged cost costs fined gave give given gives giving lent loaned offered owed owes paid pay"
    " pays sent".split()
)
"""Verbs with two objects: "gave [the mill] $5"."""


def is_bare_verb(context: NumberContext, i: int) -> bool:
    """Return whether a word after "to" or "would" is probably a verb: "to drive"."""
    token, before = context.line[i], context.line[i - 1]
    if "adverb" in before.classes and i > 1:
        before = context.line[i - 2]
    is_modal = before.word in _MODALS
    is_infinitive = before.word == "to" and context.line[max(0, i - 2)].word != "according"
    if token.word == "last":
        return is_modal
    is_word = token.is_noun and token.word.isalpha() and not token.is_capitalized
    is_word &= not token.is_plural and not token.classes & {"determiner", "time", "objective"}
    return (is_modal or is_infinitive) and is_word


class NumberClause(NamedTuple):
    """The subject and the verb of the clause of a number."""

    start: int
    subject: str
    predicate: str
    """The verb with the words between it and the number, without `preposition`."""
    preposition: str
    """The preposition before the number; "" if there is none."""
    is_direct: bool
    """Whether nothing else can be the object of the verb."""


def clause_of(context: NumberContext) -> NumberClause | None:
    """Return the subject and the verb of the number's clause; None if they are not clear."""
    i = context.before_number()
    if i < 1:
        return None
    preposition = ""
    is_or = context.line[i].word == "or" and context.line[i - 1].word == ","
    if is_or:
        i -= 2  # "Orr fell $1, or 2 percent"
    elif "preposition" in context.line[i].classes:
        is_particle = context.number.unit in AMOUNTS and context.line[i].word in _PARTICLES
        is_particle &= "determiner" not in context.line[context.at - 1].classes
        is_moved = context.line[i].word in BY
        if not (is_particle or is_moved):
            preposition = context.line[i].word
            i -= 1
    last = _before_amounts(context, i, is_apart=is_or)
    if last is None:
        return None
    clause = _with_verb(context, last, preposition)
    is_rival = last < i and preposition == "to" and context.line[i].word != ","
    if clause and is_rival and _MOVES.isdisjoint(clause.predicate.split()):
        return None  # "led Orr 47 percent to 39 percent"
    return clause


def clause_ending(context: NumberContext, last: int) -> NumberClause | None:
    """Return the subject and the verb of the clause that ends with a token, with the object of the
    verb: "Orr carried Rome".
    """
    return _with_verb(context, last, "by")


def _before_amounts(context: NumberContext, i: int, *, is_apart: bool) -> int | None:
    """Return the last token before other amounts of the clause, as in "fell $1, or 2 percent,
    to"; None if other words follow them.
    """
    last = i
    while last >= 0:
        token = context.line[last]
        is_number = overlaps(Span(token.start, token.end), context.others)
        is_number &= not token.word.endswith("ed")  # "the number has doubled in three years"
        is_joint = token.word in ("or", ",", "to", "from") and last < i + 1
        if not (is_number or token.word in MEASURES or is_joint):
            break
        last -= 1
    skipped = context.line[last + 1 : i + 1]
    has_number = any(overlaps(Span(t.start, t.end), context.others) for t in skipped)
    if has_number:
        return last
    return None if is_apart else i


def _with_verb(context: NumberContext, last: int, preposition: str) -> NumberClause | None:
    """Return the clause of the last verb up to a token whose subject begins a clause."""
    for k in range(last, max(-1, last - LONGEST), -1):
        token = context.line[k]
        if token.word in STOPS or token.classes & {"subordinator", "conjunction"}:
            return None
        is_verb = is_verb_form(token) or "auxiliary" in token.classes
        is_verb |= k < last and _is_favoring(context, k)
        if not (is_verb or (k > 0 and is_bare_verb(context, k))):
            continue
        first = k
        while first > 0 and _is_in_verb(context, first - 1):
            first -= 1
        if context.line[first].word == "to":
            continue
        found = _with_subject(context, first, k, last, preposition)
        if found:
            return found
        is_passive = any("auxiliary" in t.classes for t in context.line[max(0, k - 3) : k])
        if k == last and preposition and not is_passive:
            return None  # "a plan bounded by two rules"
    return None


def _is_favoring(context: NumberContext, i: int) -> bool:
    """Return whether a word is a verb of voters: "keepers [back] Orr"."""
    before = context.line[i - 1] if i > 0 else None
    is_subject = before is not None and (before.is_plural or before.word in ("they", "we", "who"))
    return is_subject and context.line[i].word in FAVORING


def _is_in_verb(context: NumberContext, i: int) -> bool:
    token = context.line[i]
    is_part = bool(token.classes & {"auxiliary", "adverb"}) or token.word in ("to", "able")
    is_before = is_verb_form(token) or token.word in _TO_VERBS
    return is_part or (is_before and context.line[i + 1].word in ("to", "be"))


def _with_subject(
    context: NumberContext, first: int, verb: int, last: int, preposition: str
) -> NumberClause | None:
    subject = subject_before(context.text, context.line, first - 1)
    is_measured = context.number.unit in AMOUNTS | TIMES | {"mile"} or not preposition
    if first > 1 and context.line[first - 1].word in ("and", "but") and is_measured:
        subject = _subject_of_both(context, first - 1)
    if subject is None or subject.source is None:
        return None
    if not _begins_clause(context, subject.first, subject.source.kind):
        return None
    is_be = (
        context.line[verb].word in BE and verb < last and context.number.unit not in AMOUNTS | TIMES
    )
    is_said = context.line[verb].word in reporting_verbs() and context.number.unit not in TIMES
    is_said &= context.line[verb].word not in FAVORING or preposition != "by"
    if is_said or (is_be and _is_adjective_or_noun(context, verb + 1)):
        return None
    if (
        is_verb_form(context.line[subject.first])
        or ", " in context.text[slice(*subject.source.span)]
    ):
        return None
    source = subject.source.span
    if subject.source.kind == "pronoun":  # "I’ve lit 12 lamps"
        source = Span(source.start, max(source.end, context.line[subject.first].end))
    inside = [t for t in context.line if source.start <= t.start < source.end]
    if any(is_verb_form(t) or "adverb" in t.classes for t in inside):
        return None  # "Orr never met Pelt, who"
    is_relative = context.line[subject.first].word in ("who", "which", "that")
    if is_relative and any("preposition" in t.classes for t in inside):
        return None  # "a list for those who"
    if inside[1:] and inside[0].word.endswith("ing") and not inside[0].is_capitalized:
        source = Span(inside[1].start, source.end)  # "claiming the mill cost $5"
    start = min(source.start, max(context.line[subject.first].start, source.start))
    end = context.line[last].end
    end += context.text[end : end + 1] in ("”", '"')
    words = context.without_numbers(Span(context.line[first].start, end))
    said = context.without_numbers(source)
    if said.casefold() in ("what", "which", "who"):
        return None  # "Who lives at home at 29?"
    is_long = len(words.split()) + len(said.split()) > LONGEST
    if not words or not said or is_long or words.count("“") != words.count("”"):
        return None
    if words in _MODALS:
        return None  # "will more than double 12 lamps"
    between = context.line[verb + 1 : last + 1]
    is_direct = all(
        t.classes & {"adverb", "preposition", "objective"}
        or t.word in (*BY, "likely", "worth")
        or is_verb_form(t)
        for t in between
    )
    if "auxiliary" in context.line[verb].classes and len(between) == 1:
        is_direct |= not between[0].classes & {"determiner", "pronoun"}
    is_passive = verb > first and any(t.word in BE for t in context.line[first:verb])
    is_passive |= context.line[verb].word in BE and verb < last
    is_passive &= context.line[context.at - 1].word != "every"
    if is_passive and not preposition and context.number.unit not in AMOUNTS | {"event"}:
        return None  # "was chosen over three others"
    is_giving = context.number.unit == "usd" and context.line[verb].word in _GIVING
    is_direct |= context.number.unit == "event" or is_giving
    if not preposition and not is_direct:
        return None
    return NumberClause(start, context.as_subject(said), words, preposition, is_direct)


def _subject_of_both(context: NumberContext, conjunction: int) -> Subject | None:
    """Return the subject of two verbs: "Orr left and walked 12 miles"."""
    before = [*takewhile(_is_in_clause, reversed(context.line[:conjunction]))]
    has_verb = any(is_verb_form(t) or "auxiliary" in t.classes for t in before)
    has_verb &= all(t.word not in reporting_verbs() for t in before)  # "Orr says Pelt left and"
    is_one = len(before) == conjunction and has_verb
    if not is_one or any(t.word in ("although", "because", "if", "though") for t in before):
        return None
    found = main_subject(context.text, context.line, conjunction, is_any=True)
    first = sum(token.start < found.span.start for token in context.line) if found else 0
    return Subject(first, found)


def _begins_clause(context: NumberContext, first: int, kind: str) -> bool:
    """Return whether a subject begins its clause, and is no part of a longer one."""
    if not first:
        return True
    before = context.line[first - 1]
    if before.word == ",":
        names = (context.line[first], context.line[max(0, first - 2)])
        is_list = kind == "group" and all(token.is_capitalized for token in names)
        return not is_list  # "of Orr, Pelt and Vane"
    is_that = context.line[first].word == "that" and context.number.unit in TIMES
    if context.line[first].word in ("who", "which") or is_that:
        return True
    if before.word in ("and", "or"):
        if kind == "pronoun" and context.line[first].word in NOMINATIVE:
            return True
        earlier = [*takewhile(_is_in_clause, reversed(context.line[: first - 1]))]
        return any(is_verb_form(t) or "auxiliary" in t.classes for t in earlier)
    return begins_clause_after(before)


def _is_adjective_or_noun(context: NumberContext, i: int) -> bool:
    """Return whether a word after "is" is neither a participle nor "up" or "down"."""
    token = context.line[i]
    is_participle = token.word.endswith(("ed", "en", "ing")) or is_verb_form(token)
    return not (is_participle or token.word in BY or "adverb" in token.classes)


def _is_in_clause(token: Token) -> bool:
    return token.word not in ("that", "which", "who", "whether")


def of_closing(context: NumberContext, suffix: str) -> CountedWords | None:
    """Return what ended a day at a level: "Orr rose $2, [to close at $12]"."""
    i = context.before_number()
    verbs = (k for k in range(1, i - 2) if _is_verb(context.line[k]))
    verb = next(verbs, 0)
    if not verb or context.line[i].word != "at" or context.line[i - 2].word != "to":
        return None
    closed = _CLOSED.get(context.line[i - 1].word)
    subject = main_subject(context.text, context.line, verb, is_any=True)
    if closed is None or subject is None or subject.span.end != context.line[verb - 1].end:
        return None
    noun = "amount" if suffix else "level"
    words = context.as_subject(context.text[slice(*subject.span)])
    said = f"{noun}{suffix} at which {words} {closed}"
    return CountedWords(said, context.with_start(context.line[i - 2].start))


def _is_verb(token: Token) -> bool:
    return is_verb_form(token) or "auxiliary" in token.classes


def relative_clause(clause: NumberClause) -> str:
    """Return a clause as a relative clause: "that Orr won", "for which Orr spoke"."""
    which = f"{clause.preposition} which" if clause.preposition else "that"
    return f"{which} {clause.subject} {clause.predicate}"


def counted_by_clause(context: NumberContext, clause: NumberClause, suffix: str) -> str:
    """Return what an amount counts by the subject and the verb of its clause; "" if unclear."""
    words = clause.predicate.split()
    if words[-1] == "of":
        return ""  # "is up an average of 12 points"
    is_be = words[-1] in BE and not clause.preposition
    if is_be and len(clause.subject) > len("they"):
        return without_article(clause.subject) + suffix
    if is_be:
        return ""
    preposition = clause.preposition
    if preposition in LEVELS:
        noun = "amount" if suffix else "level"
        return f"{noun}{suffix} {preposition} which {clause.subject} {clause.predicate}"
    after = context.after_measure()
    if after < len(context.line) and is_verb_form(context.line[after]):
        return ""  # "a plan bounded by $5 failed"
    if preposition == "with" and context.number.unit == "percent":
        return f"share with which {clause.subject} {clause.predicate}"
    if preposition not in ("by", "for") and (preposition or not clause.is_direct):
        return ""
    noun = "amount"
    if context.number.unit == "percent":
        noun = "percentage"
    elif context.is_points():
        noun = "points"
    if preposition == "for":
        return f"{noun}{suffix} for which {clause.subject} {clause.predicate}"
    if preposition == "by" or not BY.isdisjoint(words):
        return f"{noun}{suffix} by which {clause.subject} {clause.predicate}{_among(context)}"
    where = _words_after(context)
    if where.startswith(" in "):
        where = ""
    return f"{noun}{suffix} that {clause.subject} {clause.predicate}{where}"


def _among(context: NumberContext) -> str:
    """Return the group or the place after "leads by 12 points", such as " among women"; "" if none
    is clear.
    """
    following = context.line[context.after_measure() + 1 : context.after_measure() + 2]
    is_place = bool(following) and following[0].is_capitalized
    words = _words_after(context)
    return words if words.startswith(" among ") or (is_place and words.startswith(" in ")) else ""


def _words_after(context: NumberContext) -> str:
    """Return the words after an amount, such as " to the mill"; "" if they may be cut off."""
    words = context.text[context.start_of(context.after_measure()) : context.rest.end].rstrip()
    is_adjunct = words.startswith(_ADJUNCTS) and len(words.split()) <= _LONGEST_ADJUNCT
    is_adjunct &= not _CLOSES.intersection(words.split()[1:2])
    is_whole = not _GOES_ON.match(context.text, context.rest.end)
    return words if is_adjunct and is_whole else ""
