"""Guesses at what a number counts where the order of words leaves it open: a person chooses one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from defectors_data.text.english import cue_words, is_plural, means_person
from defectors_data.text.english.counted_words import number_context as words_around
from defectors_data.text.english.counted_words.clauses import (
    BY,
    NumberClause,
    is_bare_verb,
    is_in_verb,
)
from defectors_data.text.english.counted_words.noun_phrases import NOT_DOING, OF_TOTALS
from defectors_data.text.english.counted_words.number_context import (
    LEVELS,
    TIMES,
    CountedWords,
    NumberContext,
    without_article,
)
from defectors_data.text.english.sources import phrase_at, subject_before
from defectors_data.text.offsets import Span, extent, overlaps

_JOINED = re.compile(r"\b(?:and|as|or|to|from|than|with|against)(?: \w+){0,3} $")
"""Words after which a number counts what the one before it does: "from $12 [to an estimated] $14"."""
_COMPARED = re.compile(r"(?:more|less|fewer|(?!per)\w+er)(?: \w+)? than ")
_OF_MOVE = re.compile(r"level|\w+ by which")
_RELATIVE = re.compile(r" (?:who|that|(?:\w+ )?which) ")
_MOVES = re.compile(
    r"(?:advanc|climb|declin|decreas|drop|f[ae]ll|gain|gr[eo]w|increas|jump|plu(?:mmet|ng)|r[io]s[ei]"
    r"|shr[aiu]nk|sl[iu]|soar|surg)\w*"
)
_STATES = words_around.BE | {"had", "has", "have"}
_LINKS = frozenset("( after before since until worth".split())
_EMPTY = words_around.BEFORE_PERIOD | frozenset(
    "( , - as current estimated final full record than".split()
)
"""Words between a number and its preposition, or the noun before it."""
_PARTICLES = frozenset("in off out over up".split())
_NEAR = LEVELS | frozenset(("above", "below", "between"))
"""Prepositions before a level, which its subject has: "[sales] fell below 12"."""
_CLAUSE = frozenset("that when which while who".split())
_PRESENT = frozenset(
    "exceed give gives leaves owe owes reach reaches remain remains take takes".split()
)
"""Verbs before numbers that are in no other list."""
_IN_NOUN = frozenset("for in of on".split())
_OF = frozenset(("of",))
_LONGEST_CLAUSE = 13
"""Maximum number of words of a subject and its predicate."""


def possible_counted(
    context: NumberContext, known: Sequence[str], *, is_near: bool
) -> Iterator[CountedWords]:
    """Yield what a number may count, the likeliest first.

    `known` is what the numbers before it count, the nearest first; `is_near` says whether the first
    of them is in the same sentence.
    """
    number, line = context.number, context.line
    i, preposition = _before(context)
    clauses = [*_clauses(context, i, preposition)]
    ends = [i, *(first - 1 for first, _ in _verbs(context, i) if preposition in _NEAR)]
    nouns = list[CountedWords]()
    for span in filter(None, [_noun_before(context, end) for end in ends]):
        words = without_article(context.without_numbers(span))
        nouns.append(CountedWords(words, context.with_start(span.start)))
    of_known = [CountedWords(each, context.span) for each in known[: int(is_near)]]
    is_moved = preposition in _NEAR and bool(known) and _OF_MOVE.match(known[0])
    if not is_moved and _JOINED.search(context.text, line[0].start, number.first):
        yield from of_known
    if preposition in (*_NEAR, "of", "worth", "("):
        yield from nouns
    if number.unit in TIMES or context.word_at(context.after) == "seconds":
        yield from _of_time(context, clauses, preposition, i)
    else:
        yield from _of_following(context, clauses, known)
        yield from [_of_clause(context, each) for each in clauses]
    yield from nouns
    yield from _noun_after(context)
    yield from of_known


def _before(context: NumberContext) -> tuple[int, str]:
    """Return the last token before the number and its prepositions, and the last of these."""
    i = context.before_number()
    preposition = "by" * (context.word_at(context.at) == "by")
    while i >= 0:
        word, classes = context.line[i].word, context.line[i].classes
        is_empty = word in _EMPTY or "determiner" in classes
        is_other = overlaps(context.line[i], context.others) or "time" in classes
        is_particle = word in _PARTICLES and i > 0 and _is_verb(context, i - 1)
        if is_particle and (preposition or context.number.unit not in TIMES):
            break
        if word in OF_TOTALS and preposition == "of":
            preposition = ""  # "a sum of $12"
        elif "preposition" in classes or word in _LINKS:
            preposition = preposition or word
        elif not (is_empty or (is_other and preposition in LEVELS)):
            break  # "[fell] from $12 to $14"
        i -= 1
    return i, preposition


def _noun_before(context: NumberContext, i: int, links: frozenset[str] = _IN_NOUN) -> Span | None:
    """Return the noun phrase that ends with a token: "price of lamps in Rome"."""
    line = context.line
    i -= i > 0 and _is_doing(context, i) and line[i - 1].is_noun  # "prices [rising] to $12"
    first = i + 1
    while first > 0 and not (_is_verb(context, first - 1) or _is_doing(context, first - 1)):
        token = line[first - 1]
        is_article = "determiner" in token.classes
        if not (token.is_noun or is_article or (token.word in links and first <= i)):
            break
        first -= 1
        if is_article and line[first - 1].word not in links:
            break
    while first <= i and line[first].classes & {"adverb", "conjunction", "preposition"}:
        first += 1
    is_noun = first <= i and line[i].is_noun and line[i].word not in BY
    return extent(line[first : i + 1]) if is_noun else None


def _noun_after(context: NumberContext) -> Iterator[CountedWords]:
    """Yield the noun phrase after the number, or after the next: "five or six [lamps]"."""
    i, line = context.after_measure(), context.line
    following = line[i + 1 : i + 2] if context.word_at(i) in ("and", "or", "to") else []
    i += 2 * any(overlaps(each, context.others) for each in following)
    i += context.word_at(i) in ("back", "in", "of")
    phrase = phrase_at(line, i, len(line))
    if phrase and not _is_verb(context, i):
        yield CountedWords(without_article(context.words(i, phrase.end)), context.span)


def _of_time(
    context: NumberContext, clauses: Sequence[NumberClause], preposition: str, before: int
) -> Iterator[CountedWords]:
    """Yield what was so for a time: "years on probation", "time in which Orr was away"."""
    after = context.text[context.number.end : context.rest.end].strip()
    which = f"{preposition} which" if preposition.isalpha() and preposition != "of" else "that"
    if context.word_at(context.at - 1) == "every":
        which = "in which"
    if not preposition:
        yield CountedWords(after, context.span)
    elif before < 0 or words_around.begins_clause_after(context.line[before]):
        i = context.after + (context.word_at(context.after).rstrip("s") in TIMES)
        i += context.word_at(i) == ","  # "for 12 days, the keepers left"
        yield CountedWords(
            f"time {which} {_clause_at(context, i, len(context.line))}", context.span
        )
    for each in clauses:
        said = f"time {which} {each.subject} {each.predicate}"
        yield CountedWords(said, context.with_start(each.start))
    yield CountedWords(after, context.span)


def _of_following(
    context: NumberContext, clauses: Sequence[NumberClause], known: Sequence[str]
) -> Iterator[CountedWords]:
    """Yield what the words after a number without a noun say: "Of the boats, 12 [burned]"."""
    i, unit = context.after, context.number.unit
    after = context.text[context.start_of(i) : context.rest.end].strip()
    compared = _clause_at(context, context.after_measure(), len(context.line))
    for each in clauses[: bool(_COMPARED.match(compared))]:
        noun = "percentage" if unit == "percent" else "factor"
        said = f"{noun} by which {each.subject} {each.predicate} {compared}"
        yield CountedWords(said, context.with_start(each.start))
    is_verb = i < len(context.line) and _is_verb(context, i)
    if is_verb or unit in ("item", "person"):
        yield from _noun_after(context)
        for noun in [_RELATIVE.split(each)[0] for each in known[:2]]:
            is_person = unit == "person" or means_person(noun.split()[-1])
            pronoun = " who" if is_person else " that"
            pronoun *= not (is_person and context.word_at(i).endswith("ed"))  # "12 injured"
            said = f"{noun}{pronoun} {after}"
            yield from [CountedWords(each, context.span) for each in (said, noun)][not is_verb :]


def _of_clause(context: NumberContext, clause: NumberClause) -> CountedWords:
    """Return what an amount counts by a clause before it."""
    _, subject, predicate, preposition, _ = clause
    is_percent = context.number.unit == "percent"
    noun = "percentage" if is_percent else "amount"
    words = predicate.split()
    is_moved = preposition == "by" or any(_MOVES.fullmatch(each) for each in words)
    is_moved |= preposition in ("up", "down") and words[-1] in _STATES
    if is_moved and preposition in ("by", "", "up", "down"):
        said = f"{noun} by which {subject} {predicate} {preposition}".removesuffix("by").strip()
    elif preposition in _NEAR or words[-1] in _STATES or context.number.unit == "factor":
        said = without_article(subject)
    elif preposition.isalpha() and preposition not in ("of", "worth") and not is_percent:
        said = f"{noun} {preposition} which {subject} {predicate}"
    else:
        said = f"{'share' if is_percent else noun} that {subject} {predicate}"
    return CountedWords(said, context.with_start(clause.start))


def _verbs(context: NumberContext, last: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last tokens of the verbs before the number, the nearest first."""
    k = last
    while k > 0:
        first = k
        if _is_verb(context, k):
            while first > 0 and is_in_verb(context, first - 1):
                first -= 1
            yield first, k
        k = first - 1


def _clauses(context: NumberContext, last: int, preposition: str) -> Iterator[NumberClause]:
    """Yield the clauses before the number, the nearest first."""
    is_nearest = True
    for first, verb in _verbs(context, last):
        span = _subject(context, first)
        if span is None or context.line[first].word == "to":
            continue
        subject = context.without_numbers(span) or context.text[slice(*span)]
        predicate = _clause_at(context, first, last + 1)
        if not 0 < len(predicate.split()) <= _LONGEST_CLAUSE - len(subject.split()):
            predicate = context.words(first, verb + 1)
        doing = _participle(context, subject, verb + 1, last)
        for each in filter(None, [doing * is_nearest, predicate]):
            said = context.as_subject(subject)
            yield NumberClause(span.start, said, each, preposition, is_direct=False)
        is_nearest = False


def _participle(context: NumberContext, subject: str, first: int, last: int) -> str:
    """Return the predicate that a participle means: "was selling lamps" of "left, selling lamps"."""
    found = [k for k in range(first, last + 1) if _is_doing(context, k)]
    found = [k for k in found if context.line[k - 1].word in (",", "-", "after", "by", "while")]
    words = _clause_at(context, found[-1], last + 1) if found else ""
    if not words or words.startswith("having "):
        return words.replace("having", "had", 1)
    noun = subject.rsplit(maxsplit=1)[-1]
    is_several = noun in ("they", "we") or (noun.islower() and is_plural(noun))
    return f"were {words}" if is_several else f"was {words}"


def _subject(context: NumberContext, first: int) -> Span | None:
    """Return the subject before the verb that begins with a token."""
    line, end = context.line, first - 1
    read = subject_before(context.text, line, end)
    source = read.source.span if read and read.source else None
    if source and source.end == line[end].end:
        return source
    if end and line[end].word in ("that", "which", "who"):
        end -= 1 + (line[end - 1].word in (",", "-"))
        return _noun_before(context, end, _OF) or source
    return _noun_before(context, end) or source


def _clause_at(context: NumberContext, first: int, last: int) -> str:
    """Return the words from one token up to another, a sign, a clause or another number."""
    line = context.line[first:last]
    ends = [t.start for t in line if t.word in words_around.STOPS or t.word in _CLAUSE]
    ends += [each.start for each in context.others if line and overlaps(each, [extent(line)])]
    if not ends:
        return context.words(first, last)
    end = context.without_function_words(Span(line[0].start, min(ends)))
    return context.text[line[0].start : end].strip()


def _is_doing(context: NumberContext, k: int) -> bool:
    token, before = context.line[k], context.line[max(k - 1, 0)].word
    is_noun = token.is_capitalized or before.endswith(("’s", "s’"))
    return token.word.endswith("ing") and token.word not in NOT_DOING and not is_noun


def _is_verb(context: NumberContext, k: int) -> bool:
    """Return whether a word is probably a verb with a subject."""
    token, before = context.line[k], context.line[max(k - 1, 0)]
    verb = cue_words().get(token.word)
    is_verb = verb is not None and verb.kind != "adjective"
    is_verb &= not (verb and verb.may_be_noun) or context.word_at(k + 1) == "to"
    is_verb &= not token.word.endswith("ing") and not token.is_capitalized
    is_verb |= token.is_noun and before.word in words_around.NOMINATIVE | {"has", "have", "had"}
    is_verb |= k > 0 and is_bare_verb(context, k) and not token.is_plural
    is_noun = before.word in ("a", "an", "her", "his", "its", "our", "the", "their")
    if is_noun or context.word_at(k + 1) == "of":
        return False
    is_verb |= token.word in _PRESENT or "auxiliary" in token.classes
    return is_verb or words_around.is_verb_form(token)
