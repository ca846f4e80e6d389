"""The noun phrase after a number, and the clause that restricts it: "men who fled in May"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from defectors_data.text.english import STATES, cue_words, is_plural, means_person, reporting_verbs
from defectors_data.text.english.counted_words.number_context import (
    MEASURES,
    NO_NOUNS,
    NOMINATIVE,
    PRESENT,
    RATE,
    SINGULARS,
    STOPS,
    CountedWords,
    NumberContext,
    is_verb_form,
    without_article,
)
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.english.sources import phrase_at
from defectors_data.text.offsets import Span, extent

JOINED = re.compile(r"[-\u2010\u2011](\w+)((?:-\w+)*)")
_OF_MEMBERS = frozenset(("member", "person", "strong"))
_NO_PARTS = re.compile(r".+(?:[^b]ed|ing|s|way)")
"""Nouns joined to a number that name no part: "four-wheeled", "10-times faster"."""
_KNOWN = frozenset("the these those my your his her its our their".split())
_OF_TOTALS = frozenset(
    "amount average couple handful high lot low maximum minimum number order pair peak rate sum total".split()
)
"""Nouns before "of" that do not say what is counted: "a total of 12"."""
NOT_DOING = frozenset(
    "according beginning coming concerning during following going heading including leading"
    " regarding starting".split()
)
_OPENS = re.compile(r"\s[“\"«]")
FINITE = frozenset(
    "agreed appeared argued arrived attended came competed crossed debated defected deserted died"
    " disagreed disapproved escaped fell fled gathered grew joined marched participated remain remained"
    " remains resigned responded returned rose said signed stayed talked took voted went".split()
)
"""Verbs in the past that are rarely participles after a noun."""
OF_PLURALS = frozenset("are were have had will would could can may might must do did".split())
_AFTER_PARTICIPLE = frozenset("at by down for from in of on online out to up with".split())
_IRREGULAR = frozenset(
    "bought built caught found given held kept lost made paid seen sold spent taken".split()
)
"""Participles without "-ed": "lamps [bought] in Rome"."""
_ADJECTIVES = frozenset("able available capable due eligible likely responsible unable".split())
"""Adjectives after a noun: "keepers [eligible to vote]"."""
_LONGEST_RESTRICTION = 16
"""Maximum number of words of a clause that restricts what is counted."""
_BEFORE_MORE = frozenset("age aged ages and coming earlier last next order past".split())
_END_COUNTED = frozenset(
    "agree agreed approve are at become becomes believe brings come comes disagree disapprove follows gives go goes has"
    " have includes is know lack live makes means need needed needs on oppose provides remain remains said say says"
    " self-identify suggests takes think to told want wanted wants was were with".split()
)
"""Prepositions and verbs that follow what is counted: "days [with help]", "people [live]"."""


def after_other(context: NumberContext, at: int) -> str:
    """Return the noun phrase after the number that directly follows an offset."""
    end = next(
        (each.end for each in context.others if 0 <= each.start - at <= 1), len(context.text)
    )
    first = sum(token.start < end for token in context.line)
    phrase = phrase_at(context.line, first, len(context.line))
    if phrase is None:
        return ""
    return context.words(phrase.start, phrase.head_end)


def has_no_preposition(context: NumberContext, end: int) -> bool:
    """Return whether no preposition is in the noun phrase after the number."""
    words = tokens(context.text, context.number.end, end)
    return not any("preposition" in t.classes and t.word != "of" for t in words)


def with_restriction(context: NumberContext, prefix: str, start: int, end: int) -> str:
    """Return the words of a noun phrase with the clause that restricts it."""
    end = after_name(context.line, end, context.last())
    ends = (i for i in range(start + 1, end) if ends_counted(context.line, i))
    end = next(ends, end)
    joints = (i for i in range(start + 1, end - 1) if context.line[i].word == "and")
    end = next((i for i in joints if is_verb_form(context.line[i + 1])), end)  # "rise and sits"
    verbs = (i for i in range(start + 1, end) if is_present(context.line, i))
    end = next(verbs, end)
    end = _without_fragment(context.line, start, end)
    if context.number.unit == "percent" and context.is_start():
        end = verb_of_share(context.line, start, context.last()) or end
    span = extent(context.line[start:end])
    words = context.without_numbers(span)
    if not words:
        return ""
    return prefix + words + restricting_clause(context, words, Span(span.end, context.rest.end))


def verb_of_share(line: Sequence[Token], start: int, last: int) -> int:
    """Return the verb of the clause that a share begins, which can follow a participle: "half of those
    asked in Rome [said]"; 0 if it is not clear.
    """
    participle = 0
    for i in range(start + 1, last - 1):
        token, before, after = line[i], line[i - 1], line[i + 1]
        is_and_age = after.word.isdigit()  # "aged between 18 and 34"
        is_other = "determiner" in token.classes and before.is_noun  # "the money [the] mill had"
        is_other &= "determiner" not in before.classes
        is_other |= bool(token.classes & _ENDS_SUBJECT) and not is_and_age
        if token.word in STOPS or is_other:
            break
        is_object = after.is_capitalized or bool(after.classes & _OBJECTS)
        is_third = token.is_plural and token.word.endswith("s") and not token.is_capitalized
        is_third &= before.is_noun and is_object
        is_third &= not (before.is_plural or before.is_capitalized or token.classes)
        is_base = token.word in PRESENT and (is_object or after.is_plural)
        is_base &= before.word.endswith("s") or before.is_plural or participle > 0
        verb = cue_words().get(token.word)
        is_said = verb is not None and "clause" in verb.takes
        is_said &= participle == i - 1 or not (verb and verb.may_be_noun)
        if not participle and is_verb_form(token) and not (is_said and is_object):
            participle = i
        elif "auxiliary" in token.classes or token.word in FINITE or is_third or is_base or is_said:
            return i
    return 0


_ENDS_SUBJECT = frozenset(("pronoun", "subordinator", "conjunction"))


def end_of_noun_phrase(context: NumberContext) -> int:
    """Return where the noun phrase after a number ends: "of the keepers", "-page document"."""
    joined = JOINED.match(context.text, *context.rest)
    start = joined.end() if joined else context.rest.start
    line = [*tokens(context.text, start, context.rest.end)]
    is_of = bool(line) and line[0].word == "of"
    at = int(is_of)
    while at < len(line) and "adverb" in line[at].classes:
        at += 1  # "12 likely voters"
    phrase = phrase_at(line, at, len(line))
    if phrase is None:
        return start
    end = phrase.end
    if phrase.head_end < len(line) and line[phrase.head_end].word == "and":
        end = _end_of_joined(line, phrase.head_end)
    first = phrase.start + 1
    # "weeks of paid leave"
    inside = (i for i in range(first, end) if line[i - 1].word != "of")
    ends = (i for i in inside if ends_counted(line, i))
    ends = (i for i in ends if line[i].word != "with")  # "lamps with the sign"
    ends = (i for i in ends if not line[i - 1].word.isdigit())  # "more top 20 hits"
    end = next(ends, end)
    limit = min(end, phrase.head_end)
    subject_end = _end_of_subject(line, phrase.start, limit)
    if subject_end < limit and not joined:
        end = subject_end
    while end > phrase.start + 1 and is_verb_form(line[end - 1]) and line[end - 2].is_noun:
        if line[end - 2].word.isdigit():
            break
        end -= 1  # "members of the slate prevailed"
    end = _without_fragment(line, phrase.start, after_name(line, end, len(line)))
    return line[end - 1].end


def after_name(line: Sequence[Token], end: int, last: int) -> int:
    """Return where a noun phrase ends that seems to end with a name or an owner: "Roman [law
    firms]", "Orr's [mills]".
    """
    before = line[end - 1]
    is_before = before.word.endswith("’s") or (before.is_capitalized and not before.is_plural)
    while is_before and end < last and line[end].is_noun and not line[end].classes:
        if line[end].word in _END_COUNTED:
            break
        end += 1
    return end


def noun_before(context: NumberContext) -> tuple[int, str] | None:
    """Return the start and the words of the noun phrase before "of" and the number: "a rate of
    5 percent".
    """
    i = context.before_number()
    if i < 1 or context.line[i].word != "of" or not context.line[i - 1].is_noun:
        return None
    if any(token.word in ("a", "an", "the") for token in context.line[i + 1 : context.at]):
        return None  # "the making of a $12 lamp"
    start, words = noun_phrase_to(context, i - 1)
    first = sum(token.start < start for token in context.line)
    owners = [t.end for t in context.line[first:i] if t.word.endswith(("’s", "s’"))]
    if owners and owners[-1] < context.line[i - 1].start:
        start, words = owners[-1] + 1, context.text[owners[-1] + 1 : context.line[i - 1].end]
    elif "determiner" not in next(tokens(context.text, start, context.number.start)).classes:
        # without one, the words before may be a verb: "seeks damages of"
        start, words = context.line[i - 1].start, context.words(i - 1, i)
    words = without_article(words)
    return None if words in _OF_TOTALS | NO_NOUNS else (start, words)


def noun_phrase_to(context: NumberContext, last: int) -> tuple[int, str]:
    """Return the start and the words of the noun phrase that ends with a token."""
    start = last
    while start > 0 and "determiner" not in context.line[start].classes:
        before = context.line[start - 1]
        if before.word == "of" and start > 1:
            start -= 1  # "a margin of error"
        elif not before.is_noun or is_verb_form(before):
            break
        start -= 1
    return context.line[start].start, context.words(start, last + 1)


def parts_of(context: NumberContext) -> CountedWords | None:
    """Return the parts that a number counts with its noun: "a 12-member [panel]", "a 10-month [plan]",
    "a two year [deal]"; None for other words.
    """
    text, number, end = context.text, context.number, end_of_noun_phrase(context)
    joined = JOINED.match(text, number.end)
    noun = joined[1] if joined else context.word_at(context.after)
    is_joined = bool(joined) or (
        noun in SINGULARS and not context.line[context.after].is_capitalized
    )
    if RATE.match(text, number.end) or not is_joined:
        return None
    after = joined.end() if joined else context.line[context.after].end
    whole = text[after:end].strip()
    first = whole.partition(" ")[0]
    if not joined and first in ("", "old"):
        return None
    if not whole or not noun.islower():
        return CountedWords("", context.span)
    parts = "members" if noun in _OF_MEMBERS else _plural(noun)
    said = f"{parts} of the {whole}"
    if _NO_PARTS.fullmatch(noun):
        said = text[number.start : end]
    elif noun in MEASURES and noun != "point":
        said = whole  # "a billion-dollar deal"
    elif noun == "long" or (joined and joined[2]):
        said = f"length of the {whole}"  # "decades-long", "12-foot-high"
    elif first in ("high", "low"):
        said = f"{parts} since such a {whole}"
    elif first in ("highs", "lows"):
        said = f"{parts} since such {whole}"
    return CountedWords(said, Span(number.first, end))


def _plural(noun: str) -> str:
    """Return the plural of a noun in lower case."""
    if noun.endswith("y") and noun[-2:-1] not in "aeou":
        return f"{noun[:-1]}ies"
    if noun.endswith(("ch", "sh", "x")):
        return f"{noun}es"
    return {"foot": "feet", "man": "men", "woman": "women"}.get(noun, f"{noun}s")


def restricting_clause(context: NumberContext, counted: str, rest: Span) -> str:
    """Return the clause that restricts what is counted, as in " who fled in May"; "" if
    none directly follows.
    """
    line = [*tokens(context.text, *rest)]
    verb = next((each for each in line if "adverb" not in each.classes), None)
    head = re.split(r" (?:of|in|from|for|with) ", counted)[0]
    words_of_head = re.findall(r"\w+", head) or [""]
    noun, unit = words_of_head[-1].casefold(), context.number.unit
    is_cut = bool(_OPENS.match(context.text, rest.end))  # "who said they would “help”"
    is_cut |= context.is_cut and rest.end == context.rest.end  # "men who sold [12 lamps]"
    is_cut |= context.text.startswith(("’", "'"), rest.start)  # "12 millers’ lamps"
    if verb is None or is_cut:
        return ""
    second = line[1] if line[1:] else None
    is_subject = verb.is_capitalized or verb.word in NOMINATIVE
    is_clause = second is not None and bool(is_verb_form(second) or second.classes & {"auxiliary"})
    if is_subject and is_clause and verb is line[0] and not line[0].classes & {"date", "time"}:
        words = context.text[slice(*rest)].strip()
        return f" that {words}" if len(line) <= _LONGEST_RESTRICTION else ""
    if verb.word in ("who", "that", "which") and verb is not line[-1]:
        if second and second.word in ("does", "has", "is", "was") and is_plural(noun):
            return ""  # "a feud between two men that has lasted"
        words = context.text[slice(*rest)].strip()
        return f" {words}" if len(line) <= _LONGEST_RESTRICTION else ""
    after = line[line.index(verb) + 1].word if verb is not line[-1] else ""
    said = verb_of_share(line, 0, len(line))
    finite = next((each.start for each in line if "auxiliary" in each.classes), 0)
    finite = line[said].start if said else finite
    is_past = verb.word.endswith("ed") or verb.word in _IRREGULAR
    is_past &= after in _AFTER_PARTICIPLE
    is_participle = verb.word in STATES or (is_past and after in ("of", "by"))
    is_participle |= is_past and bool(finite or not context.is_start())
    is_participle |= (verb.word, after) == ("set", "to")  # "lamps set to fall"
    is_participle |= verb.word in _ADJECTIVES or (is_past and verb.word in _IRREGULAR)
    is_participle &= verb.word not in FINITE
    is_present = unit in ("person", "item", "percent") and bool(after) and verb.is_noun
    is_present &= not (verb.is_capitalized or verb.word.endswith(("ed", "ing", "s")))
    is_present &= not verb.classes & {"date", "time", "determiner", "number", "past"}
    is_present &= verb.word not in NO_NOUNS
    is_active = verb.word in OF_PLURALS | FINITE or is_present or is_past
    following = line[line.index(verb) + 1] if after else None
    has_object = following is not None and "date" not in following.classes
    has_object &= following is not None and bool(
        following.is_capitalized or following.classes & {"determiner", "objective"}
    )
    is_active |= verb.word.endswith("ed") and has_object and is_plural(noun)
    is_doing = verb.word.endswith("ing") and verb.is_noun and verb.word not in NOT_DOING
    is_participle |= is_doing and is_plural(noun)
    is_known = context.at > 0 and context.line[context.at - 1].word in _KNOWN
    if not is_participle and (is_known or not is_active):
        return ""  # "the two mills will close": these are all, whatever they do
    if is_doing:
        ends = (b.start for a, b in pairwise(line) if b.word in OF_PLURALS and a.is_noun)
        finite = 0 if verb.word in reporting_verbs() else next(ends, 0)
    if is_participle and finite:  # "49 people killed in the attack were millers"
        rest = Span(rest.start, finite)
    words = context.text[slice(*rest)].strip()
    if len(words.split()) > _LONGEST_RESTRICTION:
        return ""
    plurals = [word for word in words_of_head if is_plural(word.casefold())]
    is_person = unit == "person" or means_person((plurals or [noun])[-1].casefold())
    is_person |= unit == "percent" and (
        verb.word in reporting_verbs() or (not plurals and words_of_head[0] == "those")
    )
    pronoun = "who" if is_person else "that"
    return f" {words}" if is_participle else f" {pronoun} {words}"


def has_no_noun(context: NumberContext, words: Span) -> bool:
    """Return whether words after a number are a verb or a date: "died", "last year"."""
    first, *others = tokens(context.text, *words)
    if first.word.endswith("ing") and not any(t.is_plural and "’" not in t.word for t in others):
        return True  # "at 263 entering the race"
    is_participle = "past" in first.classes or first.word.endswith("ed")
    # "12 armed men", "12 lost boats"
    inner = (each for each in others if each.word != "and")
    nouns = takewhile(lambda each: each.is_noun and "determiner" not in each.classes, inner)
    return is_participle and not any(each.is_plural for each in nouns)


def _end_of_joined(line: Sequence[Token], end: int) -> int:
    """Return where a noun phrase ends with what "and" joins: "volunteers and security guards"."""
    joined = phrase_at(line, end + 1, len(line))
    is_verb = is_verb_form(line[end + 1]) or line[end + 1].word in _END_COUNTED
    return joined.end if joined and not is_verb else end


def _end_of_subject(line: Sequence[Token], start: int, end: int) -> int:
    """Return where the subject of a verb ends: at its last plural, as in "two phones lack it"."""
    stops = (i for i in range(start, end) if "preposition" in line[i].classes)
    head = range(start, next(stops, end))
    plurals = [i for i in head if line[i].is_plural and not line[i].is_capitalized]
    is_followed = plurals and plurals[-1] < head[-1]
    return plurals[-1] + 1 if is_followed else end


def is_present(line: Sequence[Token], i: int) -> bool:
    """Return whether a word after a plural is probably its verb: "men [consider] it old"."""
    token, before = line[i], line[i - 1]
    if token.word.removesuffix("s") in PRESENT and token.word.endswith("s") and before.is_noun:
        return not before.is_plural and token.word != "works"  # "the crew [lives] in Rome"
    if not before.is_plural or (before.is_capitalized and not before.means_person):
        return False
    after = line[i + 1] if i + 1 < len(line) else None
    has_object = after is not None and bool(after.classes & _OBJECTS)
    has_object |= bool(
        after
        and after.is_plural
        and before.word.isalpha()
        and before.word not in _PLURAL_ADJECTIVES
    )
    is_base = token.is_noun and not token.classes and not token.is_capitalized
    return token.word in PRESENT or (is_base and has_object)


_OBJECTS = frozenset(("determiner", "objective", "pronoun"))
_PLURAL_ADJECTIVES = frozenset(
    "arms customs goods hours news sales savings sports works years".split()
)
"""Plurals that can be part of a longer noun: "sales figures"."""


def _without_fragment(line: Sequence[Token], start: int, end: int) -> int:
    """Return where a noun phrase ends without the words that begin another: "in [the last]"."""
    if line[end - 1].word.endswith(("’s", "s’")):  # "in the mill’s [14 lamps]"
        while end > start + 1 and "preposition" not in line[end - 1].classes:
            end -= 1
    while end > start + 1 and _begins_more(line[end - 1]):
        end -= 1
    return end


def _begins_more(token: Token) -> bool:
    return token.word in _BEFORE_MORE or bool(token.classes & {"determiner", "preposition"})


def ends_counted(line: Sequence[Token], i: int) -> bool:
    """Return whether a word after a noun is no part of what is counted."""
    after = line[i + 1].word if i + 1 < len(line) else ""
    is_regular = line[i].word.endswith("ed")
    is_verb = is_regular and after in _AFTER_PARTICIPLE
    is_verb |= not is_regular and line[i - 1].is_plural and is_verb_form(line[i])
    return line[i].word in _END_COUNTED or "past" in line[i].classes or is_verb
