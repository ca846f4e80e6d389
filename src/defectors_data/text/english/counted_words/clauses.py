"""The clause before a number: its subject, its verb and the preposition of the number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from defectors_data.text.english import cue_words, reporting_verbs
from defectors_data.text.english.counted_words.number_context import (
    BE,
    LEVELS,
    LONGEST,
    MEASURES,
    NOMINATIVE,
    STOPS,
    TIMES,
    NumberContext,
    begins_clause_after,
    is_verb_form,
    without_article,
)
from defectors_data.text.english.sentences import Token
from defectors_data.text.english.sources import SourceWords, Subject, main_subject, subject_before
from defectors_data.text.offsets import Span, extent, overlaps

_ADJUNCTS = (" among ", " for ", " from ", " through ", " to ")
_LONGEST_ADJUNCT = 8
_GOES_ON = re.compile(r" *(?:and|or|in|on|[“\"\d])|, [A-Z][\w ]*,? and\b")
AMOUNTS = frozenset("usd usd_per_month percent factor other".split())
COMPARED = frozenset(("down", "higher", "lower", "up"))
BY = COMPARED | frozenset(
    "advance advanced climb climbed contracted decline declined decrease decreased dip dipped drop dropped edged"
    " expand expanded fall fallen fell gain gained grew grow grown increase increased jump jumped leapt narrowed"
    " plummet plummeted plunge plunged rise risen rose sank shrank shrink slid slide slip slipped slump slumped soar"
    " soared surge surged tumble tumbled widened".split()
)
"""Words of movement before what something moved by."""
_REACHED = ("averag", "exceed", "hit", "pass", "reach", "surpass", "top", "total")
"""Beginnings of verbs before a level, which their subject has: "[the price] reached $12"."""
_PARTICLES = frozenset("in off out over up".split())
"""Prepositions before an amount that are a part of the verb: "handed [over] $12"."""
_WITH_RECEIVER = frozenset(
    "awarded cost costs fined gave give gives owe owed owes paid pay pays save saved saves".split()
)
"""Verbs with an object before the amount: "cost [the mill] $12"."""
_BEFORE_TIME = frozenset("at during for in on over".split())
STATES = BE | frozenset("had has have remain remains".split())
_BETWEEN_AMOUNTS = frozenset(", ( ) - – — about by from or to".split())
_SEEN = ("help", "let", "make", "making", "saw", "see")
_TOTALS = frozenset(("average", "sum", "total"))
_STANDS = BE | frozenset("remain remained remains stand standing stands stood".split())
_IN_NOUN = frozenset("for in of on".split())
_DEFINITE = frozenset("the its their his her".split())
_IN_VERB = frozenset("able due hope hopes likely set thought to".split())
_INTENDING = frozenset(
    "aim aims expect expects intend intends plan plans seek seeks want wants".split()
)
_MODALS = frozenset("will would can could may might must should".split())


def is_bare_verb(context: NumberContext, i: int) -> bool:
    """Return whether a word after "to" or "would" is probably a verb: "to drive"."""
    token, before = context.line[i], context.line[i - 1]
    is_word = token.is_noun and token.word.isalpha() and not token.is_capitalized
    return is_word and before.word in {"to", *_MODALS}


def noun_to(context: NumberContext, last: int) -> Span | None:
    """Return the noun phrase that ends with a token, if one does: "price of lamps in Rome"."""
    line, first = context.line, last + 1
    while first > 0 and not may_be_verb(context, first - 1):
        token = line[first - 1]
        is_noun = token.is_noun and (token.is_capitalized or not token.word.endswith("ing"))
        is_article = "determiner" in token.classes
        if not (is_noun or is_article or token.word in _IN_NOUN):
            break
        first -= 1
        if is_article and line[first - 1].word not in _IN_NOUN:
            break
    first += first <= last and bool(line[first].classes & {"conjunction", "preposition"})
    is_noun = first <= last and line[last].is_noun and line[last].word not in BY
    return extent(line[first : last + 1]) if is_noun else None


def may_be_verb(context: NumberContext, k: int) -> bool:
    """Return whether a word is probably a verb with a subject."""
    token, before = context.line[k], context.line[max(k - 1, 0)]
    if "determiner" in before.classes or context.word_at(k + 1) == "of" or token.is_capitalized:
        return False
    verb = cue_words().get(token.word)
    is_verb = verb is not None and (not verb.may_be_noun or context.word_at(k + 1) == "to")
    is_verb |= token.is_noun and before.word in NOMINATIVE | STATES
    is_verb |= k > 0 and is_bare_verb(context, k) and not token.is_plural
    is_verb |= token.word in STATES or "auxiliary" in token.classes
    is_verb |= token.word in BY and before.is_plural  # "lamp sales [drop] by"
    return is_verb or is_verb_form(token)


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
    preposition = "by" * (context.word_at(context.at) == "by")
    if context.line[i].word == "of" and context.line[i - 1].word in _TOTALS:
        i -= 2 + ("determiner" in context.line[i - 2].classes)  # "paid [a total of] $12"
    if i < 1:
        return None
    if "preposition" in context.line[i].classes and context.line[i].word not in BY:
        preposition = context.line[i].word
        i -= 1
    last = _before_amounts(context, i)
    clause = _with_verb(context, last, preposition)
    is_moved = any(token.word == "from" for token in context.line[last + 1 : i])
    if clause and last < i and preposition == "to" and not is_moved:
        is_moved = not BY.isdisjoint(clause.predicate.split())
        return clause if is_moved else None  # "led Orr 47 percent to 39 percent"
    return clause


def _before_amounts(context: NumberContext, i: int) -> int:
    """Return the last token before other amounts of the clause, as in "fell $1, or 2 percent, to"."""
    last = i
    while last >= 0:
        token = context.line[last]
        is_number = overlaps(Span(token.start, token.end), context.others)
        is_number &= not token.word.endswith("ed")  # "the number has doubled in three years"
        is_joint = token.word in _BETWEEN_AMOUNTS
        if not (is_number or token.word in MEASURES or is_joint):
            break
        last -= 1
    skipped = context.line[last + 1 : i + 1]
    has_number = any(overlaps(Span(t.start, t.end), context.others) for t in skipped)
    return last if has_number else i


def _with_verb(context: NumberContext, last: int, preposition: str) -> NumberClause | None:
    """Return the clause of the last verb up to a token whose subject begins a clause."""
    for k in range(last, max(-1, last - LONGEST), -1):
        token = context.line[k]
        if token.word in STOPS or token.classes & {"subordinator", "conjunction"}:
            return None
        is_verb = is_verb_form(token) and context.word_at(k + 1) != "of"  # "the cost of"
        is_verb |= "auxiliary" in token.classes
        is_verb |= not preposition and _is_verb_of_amount(context, k)
        is_verb |= token.word in BY - COMPARED and k > 0 and context.line[k - 1].is_plural
        is_verb |= token.word.endswith("ing") and k > 0 and is_in_verb(context, k - 1)
        if not (is_verb or (k > 0 and is_bare_verb(context, k))):
            continue
        first = k
        while first > 0 and is_in_verb(context, first - 1):
            first -= 1
        found = None
        if token.word in BY and k == last:
            found = _of_infinitive(context, first, k, preposition)
        if found is None and context.line[first].word != "to":
            found = _with_subject(context, first, k, last, preposition)
        if found:
            return found
    return None


def _of_infinitive(
    context: NumberContext, first: int, verb: int, preposition: str
) -> NumberClause | None:
    """Return the clause of what is expected or seen to move: "Orr expects [lamp sales to grow]"."""
    noun = noun_to(context, first - 1) if first > 1 else None
    is_base = context.line[first].word in ("to", context.line[verb].word)
    before = (
        context.line[max(0, sum(t.start < noun.start for t in context.line) - 1)] if noun else None
    )
    is_seen = before is not None and before.word.startswith(_SEEN)
    is_seen |= context.line[first].word == "to" and context.line[first - 1].is_plural
    if noun is None or not (is_base and is_seen):
        return None
    said = without_article(context.without_numbers(noun))
    predicate = context.line[verb].word
    clause = NumberClause(noun.start, said, predicate, preposition, is_direct=True)
    return clause if said else None


def _is_verb_of_amount(context: NumberContext, k: int) -> bool:
    """Return whether a word in -s directly before an amount is its verb: "the mill [owes] $12"."""
    token, before = context.line[k], context.line[max(0, k - 1)]
    is_verb = context.number.unit in AMOUNTS and token.is_noun and not token.is_capitalized
    is_verb &= k == context.at - 1
    return is_verb and token.word.isalpha() and token.word.endswith("s") and not before.is_plural


def is_in_verb(context: NumberContext, i: int) -> bool:
    """Return whether a word before a verb is a part of it: "[has never] sold", "[wants to] sell"."""
    token = context.line[i]
    is_part = bool(token.classes & {"auxiliary", "adverb"}) or token.word in _IN_VERB
    is_verb = is_verb_form(token) or token.word.endswith("ing") or token.word in _INTENDING
    return is_part or (is_verb and context.line[i + 1].word in ("to", "be"))


def _with_subject(
    context: NumberContext, first: int, verb: int, last: int, preposition: str
) -> NumberClause | None:
    if context.line[first].word == "there":
        return None  # "Orr said there are 12 lamps"
    subject = _subject_to(context, first - 1)
    is_measured = context.number.unit in AMOUNTS | TIMES | {"mile"} or not preposition
    if first > 1 and context.line[first - 1].word in ("and", "but") and is_measured:
        subject = _subject_of_both(context, first - 1)
    if subject is None or subject.source is None:
        return None
    if not _begins_clause(context, subject.first):
        return None
    is_said = context.line[verb].word in reporting_verbs() and context.number.unit not in TIMES
    is_object = verb == last and not preposition and context.text[context.number.start] in "$£€"
    is_said &= context.line[verb].word not in BY  # "sales declined 12%"
    if is_said and not (is_object and cue_words()[context.line[verb].word].kind != "speech"):
        return None
    source = subject.source.span
    if subject.source.kind == "pronoun":  # "I’ve lit 12 lamps"
        source = Span(source.start, max(source.end, context.line[subject.first].end))
    inside = [t for t in context.line if source.start <= t.start < source.end]
    described = [
        token for of, token in pairwise(inside) if of.word == "of"
    ]  # "numbers of lost lamps"
    verbal = (token for token in inside if token not in described)
    is_verbal = any(is_verb_form(t) or t.classes & {"adverb", "auxiliary"} for t in verbal)
    if is_verbal and len(inside) > 1:
        return None  # "Orr never met Pelt, who"
    is_doing = len(inside) > 1 and inside[0].word.endswith("ing") and not inside[0].is_capitalized
    if is_doing and (inside[1].is_capitalized or inside[1].classes):
        return None  # "suggesting Orr could keep it for 12 days"
    is_relative = context.line[subject.first].word in ("who", "which", "that")
    is_long = any("preposition" in t.classes and t.word != "of" for t in inside)
    is_object = source.start > context.line[0].start and "determiner" in inside[0].classes
    if is_relative and is_long and not is_object:
        return None  # "help for those who", but "it signed a deal with Rome which"
    if preposition and _is_of_other_verb(context, first, verb, last, preposition):
        return None
    start = min(source.start, max(context.line[subject.first].start, source.start))
    end = context.line[last].end
    end += context.text[end : end + 1] in ("”", '"')
    words = context.without_numbers(Span(context.line[first].start, end))
    said = context.without_numbers(source)
    is_long = len(words.split()) + len(said.split()) > LONGEST
    if not words or not said or is_long:
        return None
    between = context.line[verb + 1 : last + 1]
    is_direct = all(
        t.classes & {"adverb", "preposition", "objective"}
        or t.word in {*COMPARED, "likely", "worth"}
        or is_verb_form(t)
        for t in between
    )
    if "auxiliary" in context.line[verb].classes and len(between) == 1:
        is_direct |= not between[0].classes & {"determiner", "pronoun"}
    is_direct |= context.number.unit == "event"
    is_given = context.line[verb].word in _WITH_RECEIVER
    is_direct |= is_given and context.line[context.at - 1].word != "the"
    if not preposition and not is_direct:
        return None
    return NumberClause(start, context.as_subject(said), words, preposition, is_direct)


def _is_of_other_verb(
    context: NumberContext, first: int, verb: int, last: int, preposition: str
) -> bool:
    """Return whether a number is rather that of another verb or noun: "it announced plans to cut
    prices by 12%", "it announced plans for 12 years", "the lamps sold in 12 weeks were red".
    """
    line, after = context.line, range(context.after, len(context.line))
    cues = (cue_words().get(token.word) for token in line[verb:last])
    is_said = any(cue is not None and cue.kind == "speech" for cue in cues)
    if is_said and line[last].word.isalpha() and not may_be_verb(context, last):
        return True
    infinitives = range(verb + 2, last * (preposition != "for"))
    if any(line[i].word == "to" and is_bare_verb(context, i + 1) for i in infinitives):
        return True
    stop = next((i for i in after if line[i].word in STOPS or line[i].classes & _JOINTS), len(line))
    is_participle = first == verb == last and "past" in line[verb].classes
    return is_participle and any(may_be_verb(context, i) for i in after if i < stop)


_JOINTS = frozenset(("conjunction", "subordinator"))


def _subject_to(context: NumberContext, last: int) -> Subject | None:
    """Return the subject that ends with a token; of words with a verb in them, the noun after it:
    "[the mill]" in "Orr warned the mill would burn".
    """
    subject = subject_before(context.text, context.line, last)
    source = subject.source if subject else None
    inside = [t for t in context.line if source and source.span.start <= t.start < source.span.end]
    if source and not any(is_verb_form(t) for t in inside):
        return subject
    is_relative = context.line[last].word in ("who", "which", "that")
    noun = noun_to(context, last - is_relative)
    if noun is None:
        return subject
    if is_relative:
        return Subject(last, SourceWords(noun, noun, "description"))
    first = sum(token.start < noun.start for token in context.line)
    before = context.line[max(0, first - 1)]
    is_start = not first or before.word in {*STOPS, "that", *reporting_verbs()}
    return Subject(first, SourceWords(noun, noun, "description")) if is_start else subject


def _subject_of_both(context: NumberContext, conjunction: int) -> Subject | None:
    """Return the subject of two verbs: "Orr left and walked 12 miles"."""
    before = [*takewhile(_is_in_clause, reversed(context.line[:conjunction]))]
    has_verb = any(is_verb_form(t) or "auxiliary" in t.classes for t in before)
    if len(before) < conjunction or not has_verb:
        return None
    found = main_subject(context.text, context.line, conjunction, is_any=True)
    first = sum(token.start < found.span.start for token in context.line) if found else 0
    return Subject(first, found)


def _begins_clause(context: NumberContext, first: int) -> bool:
    """Return whether a subject begins its clause, and is no part of a longer one."""
    is_relative = context.line[first].word in ("who", "which")
    if not first or is_relative or begins_clause_after(context.line[first - 1]):
        return True
    i = first - 1
    while i > 0 and context.line[i].is_noun:
        i -= 1
    is_after_time = i < first - 1 and "preposition" in context.line[i].classes
    is_after_time &= bool(context.line[first].classes & {"determiner", "pronoun"})
    return is_after_time and (not i or context.line[i - 1].word in STOPS)  # "In Rome the mill"


def _is_in_clause(token: Token) -> bool:
    return token.word not in ("that", "which", "who", "whether")


def relative_clause(clause: NumberClause) -> str:
    """Return a clause as a relative clause: "that Orr won", "for which Orr spoke"."""
    which = f"{clause.preposition} which" if clause.preposition else "that"
    return f"{which} {clause.subject} {clause.predicate}"


def counted_by_clause(context: NumberContext, clause: NumberClause, suffix: str) -> str:
    """Return what an amount counts by the subject and the verb of its clause; "" if unclear."""
    words = clause.predicate.split()
    is_level = clause.preposition == "at" and words[-1] in _STANDS
    if is_level or (words[-1] in BE and not clause.preposition):
        return without_article(clause.subject) + suffix
    preposition = clause.preposition
    if preposition in LEVELS:
        if moved := _object_of(words):
            return moved + suffix
        noun = "amount" if suffix else "level"
        return f"{noun}{suffix} {preposition} which {clause.subject} {clause.predicate}"
    is_passed = context.word_at(context.at) in ("above", "below", "past") and is_moved(clause)
    if is_reached(clause) or is_passed:  # "[lamp sales] fell below 12 percent"
        return without_article(clause.subject) + suffix
    if preposition in _PARTICLES and context.line[context.at - 1].word == preposition:
        return f"{_noun(context)}{suffix} that {clause.subject} {clause.predicate} {preposition}"
    if preposition not in ("by", "for") and (preposition or not clause.is_direct):
        return ""
    noun = _noun(context)
    if preposition == "for":
        return f"{noun}{suffix} for which {clause.subject} {clause.predicate}"
    if preposition == "by" or words[-1] in COMPARED or is_moved(clause):
        return f"{noun}{suffix} by which {clause.subject} {clause.predicate}{_words_after(context)}"
    return f"{noun}{suffix} that {clause.subject} {clause.predicate}{_words_after(context)}"


def is_moved(clause: NumberClause) -> bool:
    """Return whether a subject moved by a number: "[lamp sales] rose 12 percent"."""
    has_verb = not (BY - COMPARED).isdisjoint(clause.predicate.split())
    return has_verb and clause.preposition in ("", "by")


def is_reached(clause: NumberClause) -> bool:
    """Return whether a subject has the level of a number: "[lamp sales] reached 12 million"."""
    is_verb = clause.predicate.rpartition(" ")[2].startswith(_REACHED)
    return is_verb and not clause.preposition and clause.subject.rpartition(" ")[2].islower()


def _noun(context: NumberContext) -> str:
    if context.number.unit == "percent":
        return "percentage"
    return "points" if context.is_points() else "amount"


def _object_of(predicate: Sequence[str]) -> str:
    """Return what is moved to a level: "raise [the price of lamps] to $12"; "" if nothing."""
    predicate = [
        *predicate[:-1],
        *(word for word in predicate[-1:] if word not in ("back", "up", "down")),
    ]
    moving = max((i for i, word in enumerate(predicate) if word == "to"), default=0)
    places = (i for i, word in enumerate(predicate) if i > moving and word in _DEFINITE)
    determined = [i for i in places if predicate[i - 1] not in _BEFORE_TIME]
    return " ".join(predicate[determined[0] + 1 :]) if determined else ""


def _words_after(context: NumberContext) -> str:
    """Return the words after an amount, such as " to the mill"; "" if they may be cut off."""
    words = context.text[context.start_of(context.after_measure()) : context.rest.end].rstrip()
    is_adjunct = words.startswith(_ADJUNCTS) and len(words.split()) <= _LONGEST_ADJUNCT
    is_whole = not _GOES_ON.match(context.text, context.rest.end)
    return words if is_adjunct and is_whole else ""
