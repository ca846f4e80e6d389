"""The words that say what a number counts, by the order of the words around it.

A noun phrase after the number says it, with a clause that restricts it: "men who fled in May".
Otherwise a noun phrase with "of" before the number does, or the subject and verb of its clause:
"amount by which Orr fell". Where the order leaves it open, nothing is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import takewhile
from typing import NamedTuple

from defectors_data.text.english import STATES, is_plural, means_person, reporting_verbs, rows
from defectors_data.text.english.sentences import Token, sentences, tokens
from defectors_data.text.english.sources import Subject, main_subject, phrase_at, subject_before
from defectors_data.text.offsets import Span, overlaps, paragraphs_around


class NumberInClause(NamedTuple):
    """A number in a text."""

    start: int
    end: int
    first: int
    """The offset from which its hedge is included."""
    unit: str
    """Its unit, or the likely one; "" if neither is known."""


class CountedWords(NamedTuple):
    """What a number counts, and the words around the number that say it."""

    counted: str
    """ "" if the order of the words does not show it."""
    span: Span


class _Clause(NamedTuple):
    """The subject and the verb of the clause of a number."""

    start: int
    subject: str
    predicate: str
    """The verb with the words between it and the number, without `preposition`."""
    preposition: str
    """The preposition before the number; "" if there is none."""
    is_direct: bool
    """Whether nothing else can be the object of the verb."""

    @property
    def verb(self) -> str:
        return self.predicate.split()[-1] if self.is_direct else ""


_LONGEST = 14
"""Maximum number of words of a clause that says what is counted."""
_SKIPPED = frozenset("additional combined estimated mere minus plus record total".split())
"""Adjectives before a number that do not say what is counted."""
_MEASURES = frozenset(
    "cent cents percent percentage point points % dollar dollars yen euros pounds".split()
)
_TIMES = frozenset("year month week day hour minute".split())
_AMOUNTS = frozenset("usd usd_per_month percent factor other".split())
_OF_TOTALS = frozenset(
    "amount average couple handful high lot low maximum minimum number pair peak rate sum total".split()
)
"""Nouns before "of" that do not say what is counted: "a total of 12"."""
_BY = frozenset(
    "advanced climbed declined decreased dropped fell gained grew increased jumped plunged rose"
    " slipped soared surged tumbled up down higher lower".split()
)
"""Words of movement before what something moved by."""
_MOVES = _BY | {"cut", "declined", "raised", "reduced", "went"}
_PARTICLES = frozenset("in out off up".split())
_VERBS = frozenset(
    "bought built cost costs cut donated earn earned earns fell froze gained gave get gets give gives"
    " got grew hit hits kept lost made make makes need needs paid pay pays put raise received rose sell"
    " sells send sends sent set shot sold spend spends spent trails win wins won wrote".split()
)
"""Frequent verbs before numbers; other words in -s may be nouns."""
_SUPERLATIVE = re.compile(r"\b(?:\w+est|first|worst|best|least|most|only)\b")
_RATE = re.compile(
    r" (?:an?|per|each) (?!(?:hundred|thousand|million)\b)[a-z]+(?: of [a-z]+(?: [a-z]+)?)?\b"
    r"|-an?-[a-z]+| (?:apiece|each)\b"
)
"""What an amount is for: "$8 [a share]", "$5 [per ton of coal]"."""
_STOPS = frozenset(",;:()[]—–-.!?…")
_JOINED = re.compile(r"[-\u2010\u2011]\w+(?:-\w+)*")
_PERIOD = re.compile(r"\b(?:minute|hour|day|week|month|year|decade|centur(?:y|ie))s?$")
"""A period that is a part of its number."""
_RELATIVE_TIMES = frozenset(("after", "before", "since"))
_NOT_RELATIVE = frozenset("among between of over with".split())
_OF_DURATION = frozenset("for in over within during".split())
_PLACE_OF_TIME = re.compile(
    r" in (?!the (?:last|past|next)\b)(?:(?:the|a|his|her) )?[a-z]+\b(?! [A-Z])"
)
_ON_THE = re.compile(r" on the [a-z]+\b")
_MODALS = frozenset("will would can could may might must should".split())
_TO_VERBS = frozenset(
    "aims expects hopes intends needs plans seeks tends tries wants agree aim expect hope intend need"
    " plan seek tend try want".split()
)
_LEVELS = frozenset(("to", "at", "from"))
_ADJUNCTS = (" among ", " for ", " from ", " through ", " to ")
_LONGEST_ADJUNCT = 8
_SHORTEST_CLAUSE = 2
_SAYING = frozenset("added argued asked said says testified told".split())
_GOES_ON = re.compile(r" *(?:and|or|in|on|[“\"\d])")
_NO_NOUNS = frozenset("ahead behind last less more next short shy this".split())
_HEDGE_AFTER = re.compile(r" or (?:more|less|fewer|so)\b")
_LASTING = frozenset(
    "last lasted lasts live lived serve served spend spent stay stayed take takes took wait waited"
    " work worked".split()
)
_CLOSES = frozenset(("close", "settle", "finish", "trade"))
_TERM = re.compile(r"[“\"][\w-]+(?: [\w-]+)?[”\"]")
_QUOTE = re.compile(r"[\"“”«»]|''|``")


_GRAMMATICAL = frozenset(
    "determiner pronoun objective preposition auxiliary subordinator conjunction number".split()
)
_NOT_MEASURED = frozenset(("country", "event", "item", "person"))
_COUNTED_UNITS = frozenset("barrels families households".split())
_HAVE = frozenset("had has have".split())
_NO_CONTENT = frozenset(
    "amount billion dozen figure hundred last less level mark million more next number past plus point"
    " points share thousand time times trillion".split()
)


def says_nothing(counted: str) -> bool:
    """Return whether words do not say what is counted: only an article, a number or a unit."""
    return all(_is_empty(token) for token in tokens(counted, 0, len(counted)))


def _is_empty(token: Token) -> bool:
    is_number = token.word.rstrip("%").lstrip("$€£").replace(",", "").replace(".", "").isdigit()
    is_known = token.word in _NO_CONTENT or token.word in _units_of_measure()
    is_grammatical = bool(token.classes & _GRAMMATICAL) and token.word not in _HAVE
    return not token.is_word or is_number or is_known or is_grammatical


@cache
def _units_of_measure() -> frozenset[str]:
    """Return the nouns of units that name no object: "years", "dollars"."""
    measured = (row["noun"] for row in rows("units") if row["unit"] not in _NOT_MEASURED)
    return frozenset(measured) - _COUNTED_UNITS


def counted_words(
    text: str, number: NumberInClause, others: Sequence[Span], dates: Sequence[Span]
) -> CountedWords:
    """Return what a number counts.

    Args:
        text: the text.
        number: the number.
        others: the other numbers around it, with their hedges, in order.
        dates: the dates, names and ordinals around it.
    """
    found = _Reader(text, number, others, dates).read()
    counted, span = _without_stray_marks(found.counted), found.span
    capitals = [word for word in counted.split() if word.isupper() and len(word) > 1]
    is_headline = len(capitals) > _MOST_CAPITALS
    if says_nothing(counted) or _COMPARED.match(counted) or is_headline:
        return found._replace(counted="")
    if (at := text.find(counted, number.end, span.end)) >= 0:
        end = at + len(counted)
        is_open = bool(_TERM.match(text, at - 1, end + 1))
        span = Span(span.start, end + is_open)
    return CountedWords(counted, span)


def _without_stray_marks(counted: str) -> str:
    """Return words without a quotation mark that has no other, as in "“loopholes"."""
    marks = [hit.start() for hit in _QUOTE.finditer(counted)]
    is_quoted = marks == [0, len(counted) - 1]
    if len(marks) % 2 == 0 and not is_quoted:
        return counted
    return _QUOTE.sub("", counted).strip()


class _Reader:
    def __init__(
        self, text: str, number: NumberInClause, others: Sequence[Span], dates: Sequence[Span]
    ) -> None:
        if hedge := _HEDGE_AFTER.match(text, number.end):
            number = number._replace(end=hedge.end())
        self.text, self.number = text, number
        self.dates = [each for each in dates if text[each.end : each.end + 1] != "-"]
        self.others = [each for each in others if not overlaps(each, [number])]
        around = Span(number.start, number.end)
        lines = sentences(text, (), within=around)
        self.line = next((line for line in lines if line[-1].end > number.start), [])
        self.at = sum(token.end <= number.first for token in self.line)
        """The first token of the number, with its hedge."""
        self.at += text.startswith("by ", number.first)  # "by a third"
        self.after = sum(token.start < number.end for token in self.line)
        """The first token after the number."""
        self.rest = Span(number.end, self.end_of_clause())
        self.span = Span(number.first, max(self.rest.end, number.end))

    def read(self) -> CountedWords:
        """Return what the number counts."""
        text, number = self.text, self.number
        joined = _JOINED.match(text, number.end)
        if joined and not _RATE.match(text, number.end):  # "131-page document"
            end = self.end_of_noun_phrase()
            return CountedWords(text[number.start : end], self.span)
        clause = self.clause()
        if number.unit in _AMOUNTS or self.is_measure(self.after):
            return self.of_amount(clause)
        return self.of_noun(clause)

    # ---- nouns after the number

    def of_noun(self, clause: _Clause | None) -> CountedWords:
        """Return what a number of persons, objects or periods counts."""
        text, number, rest = self.text, self.number, self.rest
        end = self.end_of_noun_phrase()
        if said := self.of_crowd():
            return CountedWords(said, self.span)
        if number.unit in _TIMES and (found := self.of_time(clause)):
            return found
        if number.unit in _TIMES and _PERIOD.search(text, number.start, number.end):
            if self.after < len(self.line) and self.line[self.after].word == "of":
                return CountedWords(f"time {text[number.end : end].strip()}", self.span)
            return CountedWords("", self.span)  # "a week", "decades"
        counted = _without_article(text[number.end : end].strip().removeprefix("of "))
        if number.unit == "event" and (said := self.of_times(clause)):
            start = clause.start if clause else number.first
            return CountedWords(said, self.with_start(start))
        of = _OF_TOTAL.match(text, number.end)
        if of and (whole := self.after_other(of.end())):
            return CountedWords(whole, self.span)  # "12 of the 14 boats"
        if not counted and (whole := self.after_other(number.end)):
            return CountedWords(whole, self.with_end_of(whole))  # "three $5 prizes"
        if not counted or self.has_no_noun(Span(number.end, end)):
            is_level = clause is not None and clause.preposition in _LEVELS
            is_level |= clause is not None and clause.predicate in _BE and not clause.preposition
            is_level &= not any(t.word in _NO_NOUNS for t in self.line[self.after : self.after + 1])
            if clause and clause.predicate in ("range", "ranged", "ranges"):
                said = _without_article(clause.subject)  # "estimates range from 12 to 14"
                return CountedWords(said, self.with_start(clause.start))
            if clause and is_level and (said := self.of_clause(clause, "")):
                return CountedWords(said, self.with_start(clause.start))
            said = self.without_noun()
            if said == "children":
                start = self.line[self.at - 2].start  # "mother of three"
                return CountedWords(said, Span(start, number.end))
            return CountedWords(said, self.span)
        first, *others = counted.split()
        if (
            number.unit == "person"
            and first in STATES
            and not any(is_plural(each) for each in others)
        ):
            return CountedWords(f"people {first}", self.with_end_of(first))  # "left nine dead"
        if counted in ("us", "you"):
            following = next(tokens(text, end, rest.end), None)
            is_place = following is not None and "preposition" in following.classes
            words = text[end : rest.end] * is_place  # "20 of us on the pier"
            return CountedWords(words and f"people{words}", self.span)
        if number.unit == "mile" and (far := _FAR.match(text, end, rest.end)):
            return CountedWords(f"distance {far['where']}", self.span)  # "12 miles east of Rome"
        restriction = self.restriction(counted, Span(end, rest.end))
        is_bare = not restriction and self.is_bare(end)
        if counted in ("last", "past") and (whole := self.after_other(rest.end)):
            counted, is_bare = whole, True  # "12 of the last 14 boats"
        if number.unit in _TIMES and clause:
            clause = None
        is_state = clause is not None and clause.predicate in _BE and not clause.preposition
        if not is_bare or not clause or is_state or clause.preposition in _NOT_RELATIVE:
            return CountedWords(counted + restriction, self.span)
        if number.unit == "mile" and " " not in counted:
            counted = "distance"
        relative = _relative(clause)
        if clause.preposition and number.unit == "person":
            relative = relative.replace(" which ", " whom ", 1)
        return CountedWords(f"{counted} {relative}", self.with_start(clause.start))

    def with_end_of(self, words: str) -> Span:
        """Return the words of the number up to the end of words that follow it."""
        at = self.text.find(words, self.number.end)
        return Span(self.number.first, at + len(words))

    def of_times(self, clause: _Clause | None) -> str:
        """Return how often what was so: "the mill lost twice to Orr"."""
        is_time = _TIMES_OF_EVENT.search(
            self.text, self.number.start, self.number.end + len(" times")
        )
        if not is_time or (clause and clause.preposition):
            return ""
        if clause is None:
            i = self.after + (self.after < len(self.line) and self.line[self.after].word == "times")
            is_comma = self.is_start() and i + 2 < len(self.line) and self.line[i].word == ","
            return f"times that {self.words_to_end(i + 1)[0]}" if is_comma else ""
        i = self.after + (self.after < len(self.line) and self.line[self.after].word == "times")
        if i + 1 < self.last() and self.line[i].word in ("to", "against", "with", "for"):
            return f"times that {clause.subject} {clause.predicate} {self.words_to_end(i)[0]}"
        return f"times that {clause.subject} {clause.predicate}"

    def after_other(self, at: int) -> str:
        """Return the noun phrase after the number that directly follows an offset."""
        end = next((each.end for each in self.others if 0 <= each.start - at <= 1), len(self.text))
        first = sum(token.start < end for token in self.line)
        phrase = phrase_at(self.line, first, len(self.line))
        if phrase is None:
            return ""
        end = phrase.head_end
        while end > phrase.start + 1 and self.line[end - 1].is_capitalized:
            if self.line[end - 2].is_capitalized or not self.line[end - 2].is_plural:
                break
            end -= 1  # "12 of the 14 meetings Orr had"
        return self.text[self.line[phrase.start].start : self.line[end - 1].end]

    def is_duration(self, clause: _Clause) -> bool:
        """Return whether a time is that of the clause: "for a week", "lasted a week"."""
        return bool(clause.preposition or not _LASTING.isdisjoint(clause.predicate.split()))

    # ---- durations

    def of_time(self, clause: _Clause | None) -> CountedWords | None:
        """Return what lasted, by the words after a time or by the clause; None if they are unclear."""
        i = self.after_unit()
        following = self.line[i].word if i < len(self.line) else ""
        after = self.line[i + 1].word if i + 1 < len(self.line) else ""
        is_left = following == "to" and after in ("come", "go", "wait")  # "12 days to go"
        if following in _RELATIVE_TIMES or is_left:
            words, end = self.words_to_end(i)
            return CountedWords(f"time {words}", Span(self.number.first, end)) if words else None
        if following in _NOMINATIVE and i > self.after:
            words, end = self.words_to_end(i)
            return (
                CountedWords(f"time that {words}", Span(self.number.first, end)) if words else None
            )
        if following == "of" or (self.is_noun_of_time(i) and following != "in"):
            return None
        if _PLACE_OF_TIME.match(self.text, self.start_of(i)):
            return None  # "years in prison"
        place = self.line[i + 1 : i + 2]
        if (
            following == "in"
            and place
            and place[0].is_capitalized
            and "date" not in place[0].classes
        ):
            span = Span(self.number.first, place[0].end)
            return CountedWords(f"time in {self.text[place[0].start : place[0].end]}", span)
        if on := _ON_THE.match(self.text, self.start_of(i)):
            return CountedWords(f"time{on[0]}", Span(self.number.first, on.end()))
        is_every = self.line[self.at - 1].word == "every"
        is_whole = clause is not None and not _SUPERLATIVE.search(clause.predicate)
        if clause and is_whole and self.is_duration(clause):
            preposition = "at" if is_every else clause.preposition
            relative = _relative(clause._replace(preposition=preposition))
            noun = "interval" if is_every else "time"
            span = self.with_start(clause.start)._replace(end=self.start_of(i))
            return CountedWords(f"{noun} {relative}", span)
        found = self.of_following_clause(i) or self.of_infinitive() or self.of_there_was()
        return found or self.of_pronoun()

    def after_unit(self) -> int:
        """Return the token after the unit of a time: after "years" or "a week"."""
        i = self.after
        is_unit = i < len(self.line) and self.line[i].word.rstrip("s") in _TIMES
        return i + is_unit

    def is_noun_of_time(self, i: int) -> bool:
        """Return whether a token after a time can be a noun that the time is of."""
        if i >= len(self.line) or self.line[i].start >= self.rest.end:
            return False
        token = self.line[i]
        return token.is_noun and not token.classes & {"time", "date", "adverb", "determiner"}

    def words_to_end(self, i: int) -> tuple[str, int]:
        """Return the words from a token to the end of its clause, and where they end."""
        end = i + 1
        while end < len(self.line) and end < i + _LONGEST and not self.ends_clause(end):
            is_end = self.line[end].word == "and" or "date" in self.line[end].classes
            if is_end and end > i + 1:
                while self.line[end - 1].classes & _FUNCTION_WORDS:
                    end -= 1
                break
            end += 1
        span = Span(self.line[i].start, self.line[end - 1].end)
        words = self.without_numbers(span) if end > i + 1 else ""
        if not words and end > i + 1:
            numbers = [each.start for each in self.others if each.start > span.start]
            end = sum(token.start < min(numbers, default=0) for token in self.line)
            span = Span(span.start, max(span.start, self.line[max(i, end - 1)].end))
            words = self.without_numbers(span) if end > i + 1 else ""
        return words, span.end

    def preposition_of_time(self) -> int | None:
        """Return the token of the preposition before a time: "for the next [12 days]"."""
        i = self.before_number()
        while i >= 0 and self.line[i].word in (
            "next",
            "last",
            "past",
            "first",
            "the",
            "his",
            "her",
        ):
            i -= 1
        return i if i >= 0 and self.line[i].word in _OF_DURATION else None

    def of_following_clause(self, i: int) -> CountedWords | None:
        """Return what lasted if a clause follows: "for 12 days, the keepers left"."""
        at = self.preposition_of_time()
        if at is None or i + 2 >= len(self.line) or self.line[i].word != ",":
            return None
        if at > 0 and not _is_boundary(self.line[at - 1]):
            return None
        words, end = self.words_to_end(i + 1)
        line = [*tokens(words, 0, len(words))]
        has_verb = any(_is_verb(t) or "auxiliary" in t.classes for t in line[1:])
        is_subject = line[0].is_noun if line else False
        is_subject |= bool(line and line[0].classes & {"pronoun", "determiner", "adverb"})
        if not (has_verb and is_subject):
            return None
        said = f"time {self.line[at].word} which {words}"
        return CountedWords(said, Span(self.number.first, end))

    def of_infinitive(self) -> CountedWords | None:
        """Return what lasted if an infinitive precedes: "to avoid the tax for 12 days"."""
        at = self.preposition_of_time()
        if at is None:
            return None
        for k in range(at - 1, max(0, at - _LONGEST), -1):
            if self.line[k].word in _STOPS or self.line[k].classes & {"subordinator"}:
                return None
            if self.line[k - 1].word == "," and self.line[k].word.endswith("ing"):
                span = Span(self.line[k].start, self.line[at - 1].end)
                words = self.without_numbers(span)
                return (
                    CountedWords(f"time of {words}", self.with_start(span.start)) if words else None
                )
            before = k - 1 - ("adverb" in self.line[k - 1].classes)  # "to possibly avoid"
            if self.line[before].word == "to" and self.is_bare_verb(k):
                span = Span(self.line[k].start, self.line[at - 1].end)
                words = self.without_numbers(span)
                said = f"time {self.line[at].word} which to {words}"
                return CountedWords(said, self.with_start(span.start)) if words else None
        return None

    def of_there_was(self) -> CountedWords | None:
        """Return what there was in a time: "there were 12 fires in 14 days"."""
        at = self.preposition_of_time()
        if at is None:
            return None
        starts = (k for k in range(at - 2, -1, -1) if self.line[k].word == "there")
        start = next(starts, None)
        if start is None or self.line[start + 1].word not in _BE or at - start > _LONGEST:
            return None
        span = Span(self.line[start].start, self.line[at - 1].end)
        words = self.without_numbers(span).replace("There", "there", 1)
        said = f"time {self.line[at].word} which {words}"
        return CountedWords(said, self.span) if words else None

    def of_pronoun(self) -> CountedWords | None:
        """Return what lasted if a pronoun begins the clause: "I've known her for 12 days"."""
        at = self.preposition_of_time()
        if at is None:
            return None
        for k in range(at - 1, max(-1, at - _LONGEST), -1):
            token = self.line[k]
            if token.word in _STOPS or token.classes & {"subordinator", "conjunction"}:
                return None
            stem, apostrophe, _ = token.word.partition("’")
            if stem in _NOMINATIVE and apostrophe and at > k + 1:
                span = Span(token.start, self.line[at - 1].end)
                words = self.as_subject(self.text[slice(*span)])
                said = f"time {self.line[at].word} which {words}"
                return CountedWords(said, self.with_start(span.start))
        return None

    def is_bare_verb(self, i: int) -> bool:
        """Return whether a word after "to" or "would" is probably a verb: "to drive"."""
        token, before = self.line[i], self.line[i - 1]
        if "adverb" in before.classes and i > 1:
            before = self.line[i - 2]
        is_modal = before.word in _MODALS
        is_infinitive = before.word == "to" and self.line[max(0, i - 2)].word != "according"
        if token.word == "last":
            return is_modal or is_infinitive
        is_word = token.is_noun and token.word.isalpha() and not token.is_capitalized
        is_word &= not token.is_plural and not token.classes & {"determiner", "time", "objective"}
        return (is_modal or is_infinitive) and is_word

    def is_bare(self, end: int) -> bool:
        """Return whether no preposition is in the noun phrase after the number."""
        words = tokens(self.text, self.number.end, end)
        return not any("preposition" in t.classes and t.word != "of" for t in words)

    def without_noun(self) -> str:
        """Return what a number without a noun counts: "12 died in the fire"."""
        words = self.text[slice(*self.rest)].strip()
        before = [token.word for token in self.line[max(0, self.at - 2) : self.at]]
        if before[1:] == ["of"] and before[0] in ("audience", "crowd", "group"):
            return f"people in the {before[0]}"
        if before[1:] == ["of"] and before[0] in ("father", "mother", "parent"):
            return "children"
        first = words.partition(" ")[0].casefold()
        if self.number.unit == "person" and first in STATES:
            return f"people {words}"
        second = words.split()[1:2]
        is_finite = first in _DYING or (first in _OF_PLURALS and not STATES.isdisjoint(second))
        if is_finite and self.is_start():
            return f"people who {words}"
        return ""

    def of_crowd(self) -> str:
        """Return the people whom a vague number counts: "dozens in the crowd had lamps"."""
        i, last = self.after, self.last()
        if not _VAGUE.search(self.text, self.number.start, self.number.end) or i >= last:
            return ""
        end = i
        if self.line[i].word in _PLACES:
            phrase = phrase_at(self.line, i + 1, last)
            end = phrase.head_end if phrase else i
            end = next((k for k in range(i + 2, end) if _is_verb(self.line[k])), end)
        if self.line[i].word in ("more", "others") and i + 1 < last:
            i = end = i + 1  # "hundreds more came"
        if end == i and self.line[i].word.endswith("ing"):
            return f"people {self.words_to_end(i)[0]}" if self.words_to_end(i)[0] else ""
        is_verb = end < last and (_is_verb(self.line[end]) or "auxiliary" in self.line[end].classes)
        where = self.text[self.line[i].start : self.line[end - 1].end] if end > i else ""
        is_place = is_verb or not where or self.line[i + 1].is_capitalized
        if not is_place and "determiner" not in self.line[i + 1].classes:
            return ""  # "millions in advertising"
        said = f"people {where}".strip()
        if is_verb and self.is_start():
            said += f" who {self.text[self.line[end].start : self.rest.end]}"
        return said if said != "people" else ""

    def is_start(self) -> bool:
        """Return whether the number begins a clause, so that it counts its subject."""
        i = self.at - 1
        while i >= 0 and "adverb" in self.line[i].classes:
            i -= 1
        return i < 0 or _is_boundary(self.line[i])

    # ---- amounts, percentages and other measures

    def of_amount(self, clause: _Clause | None) -> CountedWords:
        """Return what an amount of money, a percentage or a level counts."""
        after = self.after_measure()
        rate = _RATE.match(self.text, self.start_of(after))
        suffix = rate[0].replace("-", " ") if rate else ""
        if rate:
            after = sum(token.start < rate.end() for token in self.line)
        if after < self.last() and self.line[after].word in _BY:
            return CountedWords("", self.span)  # "12 percent lower than"
        if said := self.between_rivals() or self.between_dashes(after):
            return CountedWords(said, self.span)
        following = self.line[after] if after < len(self.line) else None
        is_cut = following and following.start >= max(self.rest.end, self.number.end + 1)
        if following and is_cut and following.word != "of":
            following = None
        if following and (said := self.of_whole_or_clause(after, following, suffix)):
            return CountedWords(said, self.span)
        if before := self.noun_before():
            return CountedWords(before[1] + suffix, self.with_start(before[0]))
        is_whole = not suffix or (rate is not None and rate[0].startswith("-"))
        if following and is_whole and (said := self.of_noun_after(after, following)):
            return CountedWords(said, self.span)
        if found := self.of_moved():
            return found
        if self.number.unit == "factor":
            return CountedWords(self.of_multiple(after), self.span)
        if clause and clause.preposition == "with" and (found := self.of_rival()):
            return found
        if clause and (said := self.of_clause(clause, suffix)):
            return CountedWords(said, self.with_start(clause.start))
        return self.of_rival() or self.of_participle(suffix) or CountedWords("", self.span)

    def of_multiple(self, after: int) -> str:
        """Return what is multiplied: "twice the number of lamps"; "" if nothing follows."""
        phrase = phrase_at(self.line, after, self.last())
        if phrase is None or "determiner" not in self.line[after].classes:
            return ""
        end = max(phrase.end, phrase.head_end)
        ends = (i for i in range(phrase.start + 1, end) if self.line[i].word in ("as", "than"))
        end = next(ends, end)
        return _without_article(self.text[self.line[after].start : self.line[end - 1].end])

    def of_moved(self) -> CountedWords | None:
        """Return what is moved to a level, as in "raise the wage to $15", or by a share of it, as
        in "cutting the tax by a third".
        """
        to = self.before_number()
        if to < 1 or self.line[to].word not in ("to", "by"):
            return None
        verbs = (k for k in range(to - 1, max(-1, to - _LONGEST), -1) if self.line[k].word in _MOVE)
        at = next(verbs, None)
        if at is None or at + 1 == to:
            return None
        between = self.line[at + 1 : to]
        is_phrase = not any(_is_verb(t) or t.word in (*_STOPS, "to", "and") for t in between)
        is_by = self.line[to].word == "by"
        is_gerund = self.line[at].word.endswith("ing") and self.number.unit == "percent"
        if not is_phrase or (is_by and not is_gerund):
            return None
        span = Span(self.line[at + 1].start, self.line[to - 1].end)
        words = _without_article(self.without_numbers(span))
        prefix = "share of " * is_by
        start = self.line[at].start  # "cutting the tax by a third"
        return CountedWords(prefix + words, self.with_start(start)) if words else None

    def between_rivals(self) -> str:
        """Return the share of one of two rivals: "Orr leads Pelt, 12 percent to 14 percent"."""
        paragraph = paragraphs_around(self.text, Span(self.number.start, self.number.end))
        start = max(paragraph.start, self.line[0].start)
        if moved := _MOVED_BY.search(self.text, start, self.number.first):
            unit = "points" if self.is_points() else "percentage"
            return f"{unit} by which {moved['name']} is {moved['way']}"
        rivals = [*_RIVALS.finditer(self.text, start, self.number.first)]
        if not rivals:
            return ""
        if _ENDS_BY.search(self.text, start, self.number.first) and rivals[-1]["by"] is not None:
            one, verb, other = rivals[-1]["one"], rivals[-1]["verb"], rivals[-1]["other"]
            is_doing = verb.endswith("ing")
            unit = "points" if self.is_points() else "percentage"
            return f"{unit} by which {one} {'is ' * is_doing}{verb} {other}"
        whole = self.whole_before() or "share"
        if _TO_RIVAL.match(self.text, self.number.end):
            return f"{whole} for {rivals[-1]['one']}"
        if _FROM_RIVAL.search(self.text, start, self.number.first):
            return f"{whole} for {rivals[-1]['other']}"
        return ""

    def between_dashes(self, after: int) -> str:
        """Return the share that does what follows: "most - 12 percent - named Orr"."""
        is_apart = self.number.unit == "percent" and after + 1 < len(self.line)
        if not is_apart or self.line[after].word not in _DASHES:
            return ""
        if self.line[self.at - 1].word not in _DASHES or not _is_verb(self.line[after + 1]):
            return ""
        return f"share that {self.words_to_end(after + 1)[0]}"

    def of_rival(self) -> CountedWords | None:
        """Return the share of the whole before of a name: "and Orr with 12 percent"."""
        whole = self.whole_before() if self.number.unit == "percent" else ""
        name = _NAME_BEFORE.search(self.text, self.line[0].start, self.number.first)
        name = name or _NAME_AFTER.match(self.text, self.start_of(self.after_measure()))
        if not whole or not name:
            return None
        preposition = name.groupdict().get("of") or "for"
        return CountedWords(f"{whole} {preposition} {name['name']}", self.span)

    def of_participle(self, suffix: str) -> CountedWords | None:
        """Return what is done with an amount, as in "keepers making $12 a day"."""
        i = self.before_number()
        if i < 1 or not self.line[i].word.endswith("ing"):
            return None
        if not (self.line[i - 1].is_plural or self.line[i - 1].word == "those"):
            done = _DONE.get(self.line[i].word)
            start = self.line[i].start
            return CountedWords(f"amount{suffix} {done}", self.with_start(start)) if done else None
        start = i - 1
        while start > 0 and self.line[start - 1].is_noun and not self.line[start - 1].is_plural:
            start -= 1
        nouns = _without_article(self.text[self.line[start].start : self.line[i - 1].end])
        said = f"amount{suffix} that {nouns} are {self.line[i].word}"
        return CountedWords(said, self.with_start(self.line[start].start))

    def of_whole_or_clause(self, after: int, following: Token, suffix: str) -> str:
        """Return what an amount counts if "of" or a relative clause follows it; "" otherwise."""
        is_percent = self.number.unit == "percent"
        is_date = any("time" in token.classes for token in self.line[after + 1 : after + 2])
        if following.word in ("that", "which", "who") and not is_date:
            noun = "amount"
            if is_percent:
                noun = self.whole_before() or "share"
            return f"{noun}{suffix} {self.one_clause(after)}"
        with_words = self.text[following.start : self.rest.end].strip()
        if following.word == "with" and is_percent and " " in with_words:
            return f"share {with_words}"
        is_in = following.word == "in" and not (is_percent or suffix)
        after_of = self.line[after + 1].word if after + 1 < len(self.line) else ""
        if following.word == "of" and is_percent and after_of == "what":
            return f"share of {self.words_to_end(after + 1)[0]}"
        is_in &= after_of not in _NOT_MADE_OF
        if following.word == "of" or is_in:
            prefix = "share of " if is_percent and not suffix else ""
            return self.of_whole(after + 1, prefix)
        return ""

    def one_clause(self, i: int) -> str:
        """Return the words from a token on, without a second finite verb."""
        last = self.last()
        verbs = [k for k in range(i, last) if "auxiliary" in self.line[k].classes]
        verbs = [k for k in verbs if k > i + 2 and self.line[k - 1].is_noun]
        end = verbs[0] if verbs and self.line[verbs[0]].word in _BE else last
        return self.text[self.line[i].start : self.line[end - 1].end]

    def of_noun_after(self, after: int, following: Token) -> str:
        """Return what an amount counts if a noun or a verb directly follows it; "" otherwise."""
        is_percent = self.number.unit == "percent"
        words = self.text[following.start : self.rest.end].strip()
        is_share = is_percent and after == self.after and self.text[self.number.end - 1] != "%"
        if is_share and following.word in ("the", "its", "their"):
            return self.of_whole(after, "share of ")  # "half the vote"
        is_doing = following.word.endswith("ing") and "-" not in following.word
        if is_percent and is_doing and " " in words:
            return f"share {words}"
        is_verb = bool(following.classes & {"auxiliary", "past"}) or following.word in _FINITE
        is_verb |= following.word in _PRESENT and " " in words
        is_spent = following.word in _DONE.values() and self.line[self.at - 1].word != ","
        if self.number.unit == "usd" and is_spent and not self.is_start():
            return f"amount {words}"  # "the $5 million spent in Rome"
        if is_percent and (is_verb or self.is_predicate_of_share(after)):
            whole = self.whole_before()
            return f"{whole} who {words}" if whole else f"share that {words}"
        verb = next((t for t in self.line[after + 1 : self.last()] if not t.is_capitalized), None)
        if following.is_capitalized and verb and _is_verb(verb) and not is_percent:
            words = self.text[following.start : verb.end]
            return f"amount that {words}"  # "the $3 million Ada Orr raised"
        if self.number.unit == "usd" and _is_verb(following) and self.is_start():
            return f"amount that {words}"  # "Millions of dollars flowed in"
        if is_percent and (said := self.of_predicate(after)):
            return said
        is_noun = following.is_noun and not following.classes & {"time", "date", "determiner"}
        after_verb = self.line[after + 1] if after + 1 < self.last() else following
        is_noun &= not _is_verb(following) or after_verb.is_plural
        if not is_noun or following.word in _NO_NOUNS:
            return ""
        phrase = phrase_at(self.line, after, self.last())
        if phrase is None:
            return ""
        end = self.after_name(phrase.end)
        prefix = "share of " if is_share else ""
        is_adjective = is_percent and " " not in words and not following.is_plural
        if is_adjective and not is_share and self.is_listed():
            return f"share that is {words}"  # "37% liberal to 32% conservative"
        return self.with_restriction(prefix, phrase.start, end)

    def after_name(self, end: int) -> int:
        """Return where a noun phrase ends that begins with a name: "Orr [funding bill]"."""
        is_name = self.line[end - 1].is_capitalized
        while is_name and end < self.last() and self.line[end].is_noun:
            token = self.line[end]
            if _is_verb(token) or token.classes & {"determiner", "time", "date"}:
                break
            end += 1
        return end

    def of_predicate(self, after: int) -> str:
        """Return the share of a subject that is something: "the crew is 12 percent red"."""
        clause = self.clause()
        is_last = self.line[after].is_word and self.line[after].end >= self.rest.end
        if not (clause and is_last and clause.predicate in _BE and not clause.preposition):
            return ""
        whole = _without_article(clause.subject)
        return f"share of {whole} that is {self.text[slice(*self.line[after][:2])]}"

    def is_predicate_of_share(self, i: int) -> bool:
        """Return whether the word after a percentage is its verb: "53% describe themselves"."""
        while i < self.last() and "adverb" in self.line[i].classes:
            i += 1
        if i + 1 >= self.last() or self.line[i].is_capitalized or not self.line[i].is_noun:
            return False
        after = self.line[i + 1]
        follows = {"determiner", "pronoun", "objective", "subordinator"}
        is_verb = not self.line[i].is_plural and "determiner" not in self.line[i].classes
        return is_verb and (after.is_capitalized or bool(after.classes & follows))

    def is_listed(self) -> bool:
        """Return whether nothing but a comma, "to" or the start of a clause precedes the number."""
        return self.is_start() or self.line[self.at - 1].word == "to"

    def of_whole(self, start: int, prefix: str) -> str:
        """Return "share of" with the noun phrase that starts at a token, and its restriction."""
        first = start
        while first < len(self.line) and "adverb" in self.line[first].classes:
            first += 1  # "of likely voters"
        phrase = phrase_at(self.line, first, len(self.line))
        if phrase is None or phrase.head_end == first:
            return ""
        head = self.line[phrase.head_end - 1]
        is_when = bool(head.classes & {"time", "date"}) or head.word[0].isdigit()
        if not prefix and (is_when or head.is_capitalized):
            return ""  # "$20 million in 2015"
        said = self.with_restriction(prefix, start, phrase.end)
        return said or self.with_restriction(prefix, start, phrase.head_end)

    def with_restriction(self, prefix: str, start: int, end: int) -> str:
        """Return the words of a noun phrase with the clause that restricts it."""
        ends = (i for i in range(start + 1, end) if _ends_counted(self.line, i))
        ends = (i for i in ends if self.line[i].word != "with")  # "adults with a sign"
        end = next(ends, end)
        while end > start + 2 and self.line[end - 1].word == "order":
            end -= 2  # "in order to"
        while end > start + 1 and _is_incomplete(self.line[end - 1]):
            end -= 1
        span = Span(self.line[start].start, self.line[end - 1].end)
        words = self.without_numbers(span)
        if not words or span.end > self.rest.end:
            return words and prefix + words
        return prefix + words + self.restriction(words, Span(span.end, self.rest.end))

    def whole_before(self) -> str:
        """Return "share of" with the whole of the last percentage before in the paragraph."""
        paragraph = paragraphs_around(self.text, Span(self.number.start, self.number.end))
        before = [*_WHOLE.finditer(self.text, paragraph.start, self.number.start)]
        if not before:
            return ""
        line = [*tokens(self.text, before[-1].end(), self.number.start)]
        phrase = phrase_at(line, 0, len(line))
        if phrase is None:
            return ""
        ends = (i for i in range(1, phrase.head_end) if _ends_counted(line, i))
        words = self.text[line[0].start : line[next(ends, phrase.head_end) - 1].end]
        return f"share of {words}"

    def noun_before(self) -> tuple[int, str] | None:
        """Return the start and the words of the noun phrase before "of" and the number: "a rate of
        5 percent".
        """
        i = self.before_number()
        if self.line[self.at - 1].word in ("a", "an"):
            return None  # "a target of an 80 percent reduction"
        if i < 1 or self.line[i].word != "of" or not self.line[i - 1].is_noun:
            return None
        start = i
        while start > 0 and self.line[start - 1].is_noun and not _is_verb(self.line[start - 1]):
            start -= 1
            if "determiner" in self.line[start].classes:
                break
            if self.line[start - 1].word == "of" and start > 1:
                start -= 1  # "a margin of error of 3 percent"
        while start + 2 < i and self.line[start].is_capitalized and self.line[i - 1].is_plural:
            names = [*takewhile(lambda t: t.is_capitalized, self.line[start:i])]
            verb = start + len(names)
            is_verb = verb < i - 1 and self.line[verb].word.endswith("s")
            if not is_verb or names[-1].word.endswith("’s"):
                break
            start = verb + 1  # "Orr advocates tax increases of $5"
        words = self.text[self.line[start].start : self.line[i - 1].end] if start < i else ""
        words = _without_article(words)
        is_total = words in _OF_TOTALS
        is_total |= overlaps(Span(self.line[start].start, self.line[i - 1].end), self.others)
        return (self.line[start].start, words) if words and not is_total else None

    def of_clause(self, clause: _Clause, suffix: str) -> str:
        """Return what an amount counts by the subject and the verb of its clause; "" if unclear."""
        words = clause.predicate.split()
        if words[-1] == "of":
            return ""  # "is up an average of 12 points"
        is_be = words[-1] in _BE and not clause.preposition
        if is_be and len(clause.subject) > len("they"):
            return _without_article(clause.subject) + suffix
        if is_be:
            return ""
        preposition = clause.preposition
        if preposition in _LEVELS:
            noun = "amount" if suffix else "level"
            return f"{noun}{suffix} {preposition} which {clause.subject} {clause.predicate}"
        after = self.after_measure()
        if after < len(self.line) and _is_verb(self.line[after]):
            return ""  # "a plan bounded by $5 failed"
        if preposition == "with" and self.number.unit == "percent":
            return f"share with which {clause.subject} {clause.predicate}"
        if preposition not in ("by", "for") and (preposition or not clause.is_direct):
            return ""
        noun = "amount"
        if self.number.unit == "percent":
            noun = "percentage"
        elif self.is_points():
            noun = "points"
        if preposition == "for":
            return f"{noun}{suffix} for which {clause.subject} {clause.predicate}"
        is_by_people = preposition == "by" and not _CHOSEN.isdisjoint(words)
        if is_by_people and self.number.unit == "percent":
            return f"share by whom {clause.subject} {clause.predicate}"
        if preposition == "by" or not _BY.isdisjoint(words):
            return f"{noun}{suffix} by which {clause.subject} {clause.predicate}"
        return f"{noun}{suffix} that {clause.subject} {clause.predicate}{self.adjunct()}"

    def adjunct(self) -> str:
        """Return the words after an amount, such as " to the mill"; "" if they may be cut off."""
        words = self.text[self.start_of(self.after_measure()) : self.rest.end].rstrip()
        is_adjunct = words.startswith(_ADJUNCTS) and len(words.split()) <= _LONGEST_ADJUNCT
        is_adjunct &= not _CLOSES.intersection(words.split()[1:2])
        is_whole = not _GOES_ON.match(self.text, self.rest.end)
        return words if is_adjunct and is_whole else ""

    def is_points(self) -> bool:
        return self.after < len(self.line) and self.line[self.after].word in ("point", "points")

    def is_measure(self, i: int) -> bool:
        return i < len(self.line) and self.line[i].word in _MEASURES

    def after_measure(self) -> int:
        """Return the token after the unit of an amount, such as "Canadian dollars"."""
        end = i = self.after
        i += i < len(self.line) and self.line[i].word == "of"  # "thousands of dollars"
        while i < len(self.line) and (self.line[i].is_capitalized or self.is_measure(i)):
            i += 1
            if self.is_measure(i - 1):
                end = i
        return end

    def start_of(self, i: int) -> int:
        """Return the end of the token before `i`, or of the number."""
        return self.line[i - 1].end if i > self.after else self.number.end

    # ---- the clause before the number

    def before_number(self) -> int:
        """Return the last token before the number, without "a record" and the like."""
        i = self.at - 1
        while i >= 0 and (
            self.line[i].classes & {"determiner", "adverb"}
            or self.line[i].word in _SKIPPED
            or (self.line[i].word in ("last", "next", "past") and self.line[i - 1].word == "the")
        ):
            is_minus = self.line[i].word == "minus" and self.line[i - 1].word == "or"
            i -= 1 + is_minus
        return i

    def clause(self) -> _Clause | None:
        """Return the subject and the verb of the number's clause; None if they are not clear."""
        i = self.before_number()
        if i < 1:
            return None
        preposition = ""
        is_or = self.line[i].word == "or" and self.line[i - 1].word == ","
        if is_or:
            i -= 2  # "Orr fell $1, or 2 percent"
        elif "preposition" in self.line[i].classes:
            is_particle = self.number.unit in _AMOUNTS and self.line[i].word in _PARTICLES
            is_particle &= "determiner" not in self.line[self.at - 1].classes or i == self.at - 1
            is_moved = self.line[i].word in _BY
            if not (is_particle or is_moved):
                preposition = self.line[i].word
                i -= 1
        is_close = preposition == "at" and self.line[i].word in _CLOSES
        if is_close and i > 1 and self.line[i - 1].word == "to":
            last = self.before_amounts(i - 2, is_apart=True)
            clause = None if last is None else self.with_verb(last, preposition)
            closed = f"{self.line[i].word}ed".replace("ee", "e")
            return clause and clause._replace(predicate=closed)  # "rose 5 percent to close at"
        last = self.before_amounts(i, is_apart=is_or)
        if last is None:
            return None
        clause = self.with_verb(last, preposition)
        is_rival = last < i and preposition == "to" and self.line[i].word != ","
        if clause and is_rival and _MOVES.isdisjoint(clause.predicate.split()):
            return None  # "led Orr 47 percent to 39 percent"
        return clause

    def before_amounts(self, i: int, *, is_apart: bool) -> int | None:
        """Return the last token before other amounts of the clause, as in "fell $1, or 2 percent,
        to"; None if other words follow them.
        """
        last = i
        while last >= 0:
            token = self.line[last]
            is_number = overlaps(Span(token.start, token.end), self.others)
            is_joint = token.word in ("or", ",", "to", "from") and last < i + 1
            if not (is_number or token.word in _MEASURES or is_joint):
                break
            last -= 1
        skipped = self.line[last + 1 : i + 1]
        has_number = any(overlaps(Span(t.start, t.end), self.others) for t in skipped)
        if has_number:
            return last
        return None if is_apart else i

    def with_verb(self, last: int, preposition: str) -> _Clause | None:
        """Return the clause of the last verb up to a token whose subject begins a clause."""
        for k in range(last, max(-1, last - _LONGEST), -1):
            token = self.line[k]
            if token.word in _STOPS or token.classes & {"subordinator", "conjunction"}:
                return None
            is_verb = _is_verb(token) or "auxiliary" in token.classes
            if not (is_verb or (k > 0 and self.is_bare_verb(k))):
                continue
            first = k
            while first > 0 and self.is_in_verb(first - 1):
                first -= 1
            if self.line[first].word == "to":
                continue
            found = self.with_subject(first, k, last, preposition)
            if found:
                return found
            is_passive = any("auxiliary" in t.classes for t in self.line[max(0, k - 3) : k])
            if k == last and preposition and not is_passive:
                return None  # "a plan bounded by two rules"
        return None

    def is_in_verb(self, i: int) -> bool:
        token = self.line[i]
        is_part = bool(token.classes & {"auxiliary", "adverb"}) or token.word in ("to", "able")
        is_before = _is_verb(token) or token.word in _TO_VERBS
        return is_part or (is_before and self.line[i + 1].word in ("to", "be"))

    def with_subject(self, first: int, verb: int, last: int, preposition: str) -> _Clause | None:
        subject = subject_before(self.text, self.line, first - 1)
        is_measured = self.number.unit in _AMOUNTS | _TIMES | {"mile"} or not preposition
        if first > 1 and self.line[first - 1].word in ("and", "but") and is_measured:
            subject = self.subject_of_both(first - 1)
        if subject is None or subject.source is None:
            return None
        if not self.begins_clause(subject.first, subject.source.kind):
            return None
        is_be = (
            self.line[verb].word in _BE
            and verb < last
            and self.number.unit not in _AMOUNTS | _TIMES
        )
        is_said = self.line[verb].word in reporting_verbs() and self.number.unit not in _TIMES
        if is_said or (is_be and self.is_predicate(verb + 1)):
            return None
        if _is_verb(self.line[subject.first]) or ", " in self.text[slice(*subject.source.span)]:
            return None
        source = subject.source.span
        inside = [t for t in self.line if source.start <= t.start < source.end]
        if any(_is_verb(t) or "adverb" in t.classes for t in inside):
            return None  # "Orr never met Pelt, who"
        is_relative = self.line[subject.first].word in ("who", "which", "that")
        if is_relative and any("preposition" in t.classes for t in inside):
            return None  # "a list for those who"
        if inside[1:] and inside[0].word.endswith("ing") and not inside[0].is_capitalized:
            source = Span(inside[1].start, source.end)  # "claiming the mill cost $5"
        start = min(source.start, max(self.line[subject.first].start, source.start))
        end = self.line[last].end
        end += self.text[end : end + 1] in ("”", '"')
        words = self.without_numbers(Span(self.line[first].start, end))
        said = self.without_numbers(source)
        is_apart = "--" in self.text[source.end : self.line[first].start]
        is_long = is_apart or len(words.split()) + len(said.split()) > _LONGEST
        if not words or not said or is_long or words.count("“") != words.count("”"):
            return None
        between = self.line[verb + 1 : last + 1]
        is_direct = all(
            t.classes & {"adverb", "preposition", "objective"}
            or t.word in (*_BY, "likely", "worth")
            or _is_verb(t)
            for t in between
        )
        if "auxiliary" in self.line[verb].classes and len(between) == 1:
            is_object = between[0].is_capitalized or between[0].classes & {"determiner", "pronoun"}
            is_direct |= not is_object
        is_passive = verb > first and any(t.word in _BE for t in self.line[first:verb])
        is_passive |= self.line[verb].word in _BE and verb < last
        if is_passive and not preposition and self.number.unit not in _AMOUNTS | {"event"}:
            return None  # "was chosen over three others"
        is_giving = self.number.unit == "usd" and self.line[verb].word in _GIVING
        is_direct |= self.number.unit == "event" or is_giving
        if not preposition and not is_direct:
            return None
        return _Clause(start, self.as_subject(said), words, preposition, is_direct)

    def subject_of_both(self, conjunction: int) -> Subject | None:
        """Return the subject of two verbs: "Orr left and walked 12 miles"."""
        before = [*takewhile(_is_in_clause, reversed(self.line[:conjunction]))]
        is_one = len(before) == conjunction and any(_is_verb(t) for t in before)
        if not is_one or any(t.word in ("although", "because", "if", "though") for t in before):
            return None
        found = main_subject(self.text, self.line, conjunction, is_any=True)
        first = sum(token.start < found.span.start for token in self.line) if found else 0
        if self.line[first].word.endswith("ed"):
            return None  # "Flanked by Orr, she walked"
        return Subject(first, found)

    def begins_clause(self, first: int, kind: str) -> bool:
        """Return whether a subject begins its clause, and is no part of a longer one."""
        if not first:
            return True
        before = self.line[first - 1]
        if before.word == ",":
            is_list = kind == "group" and self.line[first].is_capitalized
            return not is_list  # "of Orr, Pelt and Vane"
        is_that = self.line[first].word == "that" and self.number.unit in _TIMES
        if self.line[first].word in ("who", "which") or is_that:
            return True
        if before.word in ("and", "or"):
            if kind == "pronoun" and self.line[first].word in _NOMINATIVE:
                return True
            earlier = [*takewhile(_is_in_clause, reversed(self.line[: first - 1]))]
            return any(_is_verb(t) or "auxiliary" in t.classes for t in earlier)
        return _is_boundary(before)

    def is_predicate(self, i: int) -> bool:
        """Return whether a word after "is" is neither a participle nor "up" or "down"."""
        token = self.line[i]
        is_participle = token.word.endswith(("ed", "en", "ing")) or _is_verb(token)
        return not (is_participle or token.word in _BY or "adverb" in token.classes)

    def without_numbers(self, span: Span) -> str:
        """Return words without the numbers in them; "" if they are amounts or several."""
        inside = [each for each in self.others if overlaps(each, [span])]
        if not inside:
            return " ".join(self.text[slice(*span)].split())
        if len(inside) > 1:
            return ""
        cut = inside[0]
        after = [*tokens(self.text, cut.end, span.end)]
        is_amount = any(token.word in _MEASURES for token in after[:_UNIT])
        if not after or not after[0].is_noun or is_amount:
            return ""
        before = [*tokens(self.text, span.start, max(cut.start, span.start))]
        words = self.text[span.start : max(cut.start, span.start)] + self.text[cut.end : span.end]
        return " ".join(words.split()) if not before or after[0].is_noun else ""

    def as_subject(self, words: str) -> str:
        """Return a subject within a sentence: "the mill" for "The mill"."""
        first, lower = words.split(maxsplit=1)[0], words[0].lower() + words[1:]
        token = next(tokens(words, 0, len(words)))
        is_common = bool(token.classes & {"determiner", "pronoun"})
        if re.match(r"[A-Z][a-z]+-[a-z]+ [a-z]", words):
            return lower  # "Record-breaking crowds"
        if first not in ("The", "A", "An") and re.search(
            rf"[a-z,] {re.escape(first)}\b", self.text
        ):
            return words  # a name: "by Our Mill"
        is_common |= bool(re.search(rf"\b{re.escape(first.lower())}\b", self.text))
        return lower if is_common and first[:2] not in ("I", "I’", "I'") else words

    # ---- the words that are evidence

    def with_start(self, start: int) -> Span:
        """Return the words of the number from an offset, if no number or quotation is between."""
        before = Span(start, self.span.start)
        is_clear = not overlaps(before, self.others) and not self.has_mark(before)
        return Span(start, self.span.end) if is_clear and start < self.span.start else self.span

    def last(self) -> int:
        """Return the token after the clause of the number."""
        return sum(token.start < self.rest.end for token in self.line)

    def end_of_clause(self) -> int:
        """Return where the clause of the number ends, or another number begins."""
        i = self.after
        while i < len(self.line) and not self.ends_clause(i):
            i += 1
        end = self.line[i - 1].end if i > self.after else self.number.end
        starts = [each.start for each in (*self.others, *self.dates)]
        following = min((start for start in starts if start >= self.number.end), default=end)
        if following < end:
            return self.without_function_words(Span(self.number.end, following))
        is_term = self.text[end : end + 1] in ("”", '"') and not self.has_mark(Span(end, end + 1))
        return end + is_term

    def has_mark(self, span: Span) -> bool:
        """Return whether a quotation begins or ends in a span; a short one is a term."""
        marks = [hit.start() for hit in _QUOTE.finditer(self.text, *span)]
        terms = [Span(*hit.span()) for hit in _TERM.finditer(self.text, self.line[0].start)]
        return any(not overlaps(Span(at, at + 1), terms) for at in marks)

    def ends_clause(self, i: int) -> bool:
        token = self.line[i]
        start = self.line[i - 1].end if i > self.after else self.number.end
        if token.word in _STOPS or self.has_mark(Span(start, token.start)):
            return True
        after = self.line[i + 1].word if i + 1 < len(self.line) else ""
        if token.word == "or" and after in ("more", "less", "fewer", "so"):
            return False  # a hedge: "$5 or more"
        if token.word in ("but", "or", "while", "when", "because", "after", "compared"):
            return True
        return token.word == "and" and not self.is_joined(i)

    def is_joined(self, i: int) -> bool:
        """Return whether "and" joins words within what is counted: "uniformed and plainclothes
        officers", but not "14 bells were melted and sold".
        """
        stops = (
            k
            for k in range(i + 1, len(self.line))
            if self.line[k].word in _STOPS or self.line[k].word in ("and", "but", "or", "while")
        )
        stop = next(stops, len(self.line))
        before, after = self.line[self.after : i], self.line[i + 1 : stop]
        if before and after and before[-1].is_capitalized and after[0].is_capitalized:
            return True  # "the Trade and Investment Pact"
        if not before or not after or after[0].is_capitalized:
            return False
        is_counted = any(overlaps(Span(t.start, t.end), self.others) for t in after)
        has_verb = any(_is_verb(t) or t.classes & {"auxiliary", "pronoun"} for t in after)
        is_restricted = any(
            _is_verb(t) or "auxiliary" in t.classes or t.word in ("who", "that") for t in before
        )
        if is_restricted and not (is_counted or has_verb) and self.line[i - 1].is_plural:
            return after[0].is_plural or (len(after) > 1 and after[0].is_noun)
        if before[-1].word.endswith("ing") and after[0].word.endswith("ing"):
            return True  # "troops advising and assisting"
        nouns = [*takewhile(lambda t: t.is_noun and "determiner" not in t.classes, after)]
        is_noun_phrase = all(t.is_noun or t.word == "of" for t in before)
        last = after[len(nouns)] if len(nouns) < len(after) else None
        is_noun_phrase &= not (last and overlaps(Span(*last[:2]), self.others))
        are_several = any(t.is_plural or t.word in _COLLECTIVE for t in nouns)
        are_nouns = are_several and "past" not in nouns[0].classes
        is_finite = (
            bool(nouns) and nouns[0].word.endswith("ed") and any(t.is_plural for t in before)
        )
        return is_noun_phrase and are_nouns and not is_finite

    def without_function_words(self, before: Span) -> int:
        """Return where words before another number end without "in the" and the like."""
        words = [*tokens(self.text, *before)]
        while words and words[-1].classes & _FUNCTION_WORDS:
            words.pop()
        return words[-1].end if words else before.start

    def end_of_noun_phrase(self) -> int:
        """Return where the noun phrase after a number ends: "of the keepers", "-page document"."""
        joined = _JOINED.match(self.text, *self.rest)
        start = joined.end() if joined else self.rest.start
        line = [*tokens(self.text, start, self.rest.end)]
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
        ends = (i for i in range(first, end) if _ends_counted(line, i))
        if self.number.unit not in _TIMES:  # "lamps with the sign"
            ends = (i for i in ends if line[i].word != "with")
        end = next(ends, end)
        if end <= phrase.head_end:
            end = _end_of_subject(line, phrase.start, end)
        elif (head_end := _end_of_subject(line, phrase.start, phrase.head_end)) < phrase.head_end:
            end = head_end
        while end < len(line) and line[end - 1].word.endswith("’s") and line[end].is_word:
            owned = end
            while owned < len(line) and (line[owned].is_noun or "adverb" in line[owned].classes):
                owned += 1
            if owned == end:
                break
            end = owned  # "years of Orr's very old mill"
        at = line[end - 1].end
        marks = _QUOTE.findall(self.text, self.number.end, at)
        return at + bool(len(marks) % 2 and _QUOTE.match(self.text, at))  # "the “lamps”"

    def restriction(self, counted: str, rest: Span) -> str:
        """Return the clause that restricts what is counted, as in " who fled in May"; "" if
        none directly follows.
        """
        line = [*tokens(self.text, *rest)]
        verb = next((each for each in line if "adverb" not in each.classes), None)
        if verb and verb.word in ("short", "shy", "ahead", "behind"):
            return f" {self.text[slice(*rest)].strip()}"
        head = re.split(r" (?:of|in|from|for|with) ", counted)[0]
        words_of_head = re.findall(r"\w+", head) or [""]
        noun, unit = words_of_head[-1].casefold(), self.number.unit
        is_cut = bool(_OPENS.match(self.text, rest.end))  # "who said they would “help”"
        if verb is None or is_cut or unit == "factor":
            return ""
        second = line[1] if line[1:] else None
        is_subject = verb.is_capitalized or verb.word in _NOMINATIVE
        is_clause = second is not None and bool(_is_verb(second) or second.classes & {"auxiliary"})
        if is_subject and is_clause and verb is line[0] and not line[0].classes & {"date", "time"}:
            words = self.text[slice(*rest)].strip()
            return f" that {words}" if len(line) <= _LONGEST_RESTRICTION else ""
        if verb.word in ("who", "that", "which") and verb is not line[-1]:
            kept = [*self.first_clause(line)]
            end = rest.end if len(kept) == len(line) else kept[-1].end
            words = self.text[rest.start : end].strip()
            if words.endswith(" not"):
                return ""
            return f" {words}" if len(kept) <= _LONGEST_RESTRICTION else ""
        after = line[line.index(verb) + 1].word if verb is not line[-1] else ""
        finite = next((each.start for each in line if "auxiliary" in each.classes), 0)
        is_past = verb.word.endswith("ed") and after in _AFTER_PARTICIPLE
        is_participle = verb.word in STATES or (is_past and after in ("of", "by"))
        is_participle |= verb.word.startswith("un") and verb.word.endswith("ed")
        is_participle |= is_past and bool(finite or not self.is_start())
        if unit == "percent" and verb.word in _BE and after:
            is_active = True  # "12 percent of the crew is red"
        elif not is_plural(noun) and unit != "percent":
            is_active = False
        else:
            is_present = unit in ("person", "item", "percent") and bool(after)
            is_present &= verb.is_noun and not (
                verb.is_capitalized or verb.word.endswith(("ed", "ing", "s"))
            )
            is_present &= not verb.classes & {"date", "time", "determiner", "number", "past"}
            is_present &= verb.word not in ("early", "last", "late", "next")
            is_active = verb.word in _OF_PLURALS | _FINITE or is_present or is_past
            is_active |= unit == "percent" and verb.word.endswith("ed")
        following = line[line.index(verb) + 1] if after else None
        has_object = following is not None and "date" not in following.classes
        has_object &= following is not None and bool(
            following.is_capitalized or following.classes & {"determiner", "objective"}
        )
        is_active |= verb.word.endswith("ed") and has_object and is_plural(noun)
        is_doing = verb.word.endswith("ing") and verb.is_noun and verb.word not in _NOT_DOING
        is_participle |= is_doing and is_plural(noun)
        if not (is_active or is_participle):
            return ""
        if is_participle and finite:  # "49 people killed in the attack were millers"
            rest = Span(rest.start, finite)
        words = self.text[slice(*rest)].strip()
        if is_doing:
            kept = [*takewhile(lambda each: each.word not in _NOMINATIVE, line)]
            while kept[1:] and (kept[-1].classes & _FUNCTION_WORDS or "time" in kept[-1].classes):
                kept.pop()
            words = self.text[rest.start : kept[-1].end].strip()
        if len(words.split()) > _LONGEST_RESTRICTION:
            return ""
        plurals = [word for word in words_of_head if is_plural(word.casefold())]
        is_person = unit == "person" or means_person((plurals or [noun])[-1].casefold())
        pronoun = "who" if is_person else "that"
        return f" {words}" if is_participle else f" {pronoun} {words}"

    def first_clause(self, line: Sequence[Token]) -> Iterator[Token]:
        """Yield the words of a relative clause without the verb after it: "who left [said that]"."""
        for i, token in enumerate(line):
            is_after = i > _SHORTEST_CLAUSE and line[i - 1].is_noun
            if is_after and token.word in _SAYING and "past" not in line[i - 1].classes:
                return
            yield token

    def has_no_noun(self, words: Span) -> bool:
        """Return whether words after a number are a verb or a date: "died", "last year"."""
        line = [*tokens(self.text, *words)]
        if not line:
            return True
        first, *others = line
        if "auxiliary" in first.classes or first.word in ("last", "this", "next"):
            return True
        if first.word.endswith("ing") and not any(
            t.is_plural and "’" not in t.word for t in others
        ):
            return True  # "at 263 entering the race"
        is_participle = "past" in first.classes or first.word.endswith("ed")
        # "12 armed men", "12 lost boats"
        inner = (each for each in others if each.word != "and")
        nouns = takewhile(lambda each: each.is_noun and "determiner" not in each.classes, inner)
        return is_participle and not any(each.is_plural for each in nouns)


_MOVE = frozenset(
    "boost boosted boosting cut cuts cutting increase increased increases increasing limit limited"
    " lower lowered lowering lowers raise raised raises raising reduce reduced reduces reducing"
    " slash slashed slashing".split()
)
"""Verbs of what makes something more or less."""
_FAR = re.compile(r" (?P<where>(?:east|west|north|south|\w+east|\w+west|from|off|outside)\b.*)")
_GIVING = frozenset(
    "charged cost costs fined gave give given gives giving lent loaned offered owed owes paid pay"
    " pays sent".split()
)
"""Verbs with two objects: "gave [the mill] $5"."""
_NOT_MADE_OF = frozenset("a addition all an cash exchange her his its return the total".split())
_NOT_DOING = frozenset(
    "according beginning coming concerning during following going heading including leading"
    " regarding starting".split()
)
_DONE = {
    "donating": "donated",
    "earning": "earned",
    "losing": "lost",
    "making": "made",
    "paying": "paid",
    "raising": "raised",
    "receiving": "received",
    "saving": "saved",
    "spending": "spent",
    "winning": "won",
}
"""The passive participles of verbs of amounts."""
_PRESENT = frozenset(
    "approve believe disagree disapprove favor favour feel know live need oppose prefer say see support"
    " think want work".split()
)
"""Verbs of shares in polls: "49 percent [live] with others"."""
_NOMINATIVE = frozenset("he i it she they we you".split())
_VAGUE = re.compile(r"(?i)\b(?:dozens|hundreds|thousands|millions|scores)$")
_PLACES = frozenset("across along around at from in inside near on outside".split())
_NAME_BEFORE = re.compile(
    r"(?P<name>[A-Z][\w.-]+)(?:['’]s)?"
    r"(?: (?:was|is|came|finished|placed)(?: in)? (?:first|second|third|fourth|fifth|last))?"
    r"(?: at| with| on| by| had| has| got| received)?,? \(?$"
)
_NAMED = r"[A-Z][\w.-]+(?: [A-Z][\w-]+)*"
_RIVALS = re.compile(
    rf"(?P<one>{_NAMED}) (?P<verb>(?:is |was )?(?:leading|leads?|led|trailing|trails?|beating|beats?|defeated"
    rf"|edged|edges|topped|tops|ahead of|behind)) (?P<other>{_NAMED})(?P<by>(?: in [A-Z][\w-]+)? by)?"
)
_ENDS_BY = re.compile(r"\bby\s+$")
_MOVED_BY = re.compile(rf"(?P<name>{_NAMED}) (?P<way>up|down|ahead|behind) by\s+$")
_TO_RIVAL = re.compile(r"(?: percent| per cent)?(?: to | ?- ?|-)\d")
_FROM_RIVAL = re.compile(r"\d(?:%| percent| per cent)?(?: to | ?- ?|-)$")
_DASHES = frozenset("—–-")
_CHOSEN = frozenset(
    "approved backed chosen favored favoured named opposed picked preferred seen supported viewed".split()
)
_OF_TOTAL = re.compile(r" of (?:all )?(?:(?:the|its|his|her|their|these|those) )?(?=[\d])")
_TIMES_OF_EVENT = re.compile(r"(?i)\b(?:once|twice|thrice|times)\b")
_NAME_AFTER = re.compile(r" (?P<of>for|in|among) (?P<name>[A-Z][\w-]+(?: [A-Z][\w-]+)*)")
_MOST_CAPITALS = 3
"""Number of words in capital letters that are no headline."""
_COMPARED = re.compile(r"(?:shy|short|ahead|behind|worth)\b")
_OPENS = re.compile(r"\s[“\"«]")
_UNIT = 3
"""Maximum number of words of a unit such as "United States dollars"."""
_WHOLE = re.compile(r"(?:%| per ?cent) of ")
_BE = frozenset("be is are was were been".split())
_FUNCTION_WORDS = frozenset(("preposition", "determiner", "auxiliary", "conjunction"))
_COLLECTIVE = frozenset("crew personnel police staff".split())
_FINITE = frozenset(
    "agreed arrived attended came crossed defected deserted died escaped fell fled gathered grew"
    " joined marched participated remained returned rose said signed took voted went".split()
)
"""Verbs in the past that are rarely participles after a noun."""
_DYING = frozenset("deserted died escaped fled".split())
"""Verbs whose subject is probably persons."""
_OF_PLURALS = frozenset("are were have had will would could can may might must do did".split())
_AFTER_PARTICIPLE = frozenset("at by down for from in of on out to up with".split())
_LONGEST_RESTRICTION = 16
"""Maximum number of words of a clause that restricts what is counted."""
_END_COUNTED = frozenset(
    "agree agreed are at believe come disagree go have know lack live need on oppose said say told"
    " self-identify think to want were with".split()
)
"""Prepositions and verbs that follow what is counted: "days [with help]", "people [live]"."""


def _is_verb(token: Token) -> bool:
    """Return whether a word is probably a verb in the past, or a frequent one in the present."""
    if token.is_capitalized:
        return False
    is_past = "past" in token.classes or (
        token.word.endswith("ed") and len(token.word) > len("need")
    )
    return is_past or token.word in _VERBS


def _is_in_clause(token: Token) -> bool:
    return token.word not in ("that", "which", "who", "whether")


def _is_boundary(token: Token) -> bool:
    """Return whether a clause can begin after a word or sign."""
    starts = {"subordinator", "conjunction", "date", "time", "adverb"}
    is_said = token.word in reporting_verbs()  # "he said he paid"
    return token.word in _STOPS or is_said or bool(token.classes & starts)


def _relative(clause: _Clause) -> str:
    which = f"{clause.preposition} which" if clause.preposition else "that"
    return f"{which} {clause.subject} {clause.predicate}"


_ARTICLE = re.compile(r"(?:the|an?|these|those|its|their|his|her) ", re.IGNORECASE)


def _without_article(words: str) -> str:
    found = _ARTICLE.match(words)
    return words[found.end() :] if found else words


def _end_of_joined(line: Sequence[Token], end: int) -> int:
    """Return where a noun phrase ends with what "and" joins: "volunteers and security guards"."""
    if end + 1 >= len(line) or line[end].word != "and" or "determiner" in line[end + 1].classes:
        return end
    if _is_verb(line[end + 1]):
        return end
    joined = phrase_at(line, end + 1, len(line))
    return joined.end if joined else end


def _end_of_subject(line: Sequence[Token], start: int, end: int) -> int:
    """Return where the subject of a verb ends: at its last plural, as in "two phones lack it"."""
    stops = (i for i in range(start, end) if "preposition" in line[i].classes)
    head = range(start, next(stops, end))
    plurals = [i for i in head if line[i].is_plural and not line[i].is_capitalized]
    is_followed = plurals and plurals[-1] < head[-1]
    return plurals[-1] + 1 if is_followed else end


def _is_incomplete(token: Token) -> bool:
    is_before_more = token.word in ("last", "next", "past", "earlier", "age", "aged", "ages")
    return "determiner" in token.classes or is_before_more


def _ends_counted(line: Sequence[Token], i: int) -> bool:
    """Return whether a word after a noun is no part of what is counted."""
    after = line[i + 1].word if i + 1 < len(line) else ""
    is_participle = line[i].word.endswith("ed") and after in _AFTER_PARTICIPLE
    return line[i].word in _END_COUNTED or "past" in line[i].classes or is_participle
