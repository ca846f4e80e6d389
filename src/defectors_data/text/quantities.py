"""Parser of quantities: number, bounds, hedge and unit, by the grammar of docs/annotators/quantities.md.

The words around a number state its hedge (before or after it) and its unit (mostly after it). Where the grammar can
only guess, it makes a proposal, and the annotator decides: about a unit that is guessed from the form of an unknown
noun (`likely_unit`), and about a preposition that may hedge the number or mean a place or a topic (`other_hedge`).

Dates, clock times, ordinals, list numbers and numbers in names are not quantities, and neither is "one" as a pronoun or
an article.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.text import quantity_words
from defectors_data.text.non_quantities import RELATIVE, Label, LabelKind, labels
from defectors_data.text.numerals import (
    MEASURES,
    NUMBERS,
    PERIODS,
    SCALES,
    SHORT,
    WORDS,
    Numeral,
    Tokens,
    is_digits,
    narrow,
    numerals,
    plain_value,
    tokens,
    with_parts,
)
from defectors_data.text.quantity_words import CURRENCIES, DECADES, MEASURED, UNITS, likely_unit

OtherKind: TypeAlias = LabelKind | Literal["ordinal"]


class Quantity(NamedTuple):
    """A quantity as its words state it; None means unknown."""

    value: float | None
    low: float | None
    high: float | None
    hedge: str
    unit: str | None
    """The unit that the words state; None if they state none, or it can only be guessed."""
    likely_unit: str | None = None
    """A guess at the unit, if the words do not state it."""
    other_hedge: str | None = None
    """Another hedge that the words may mean: a preposition can hedge a number, or mean a place or a topic."""
    other_scale: float | None = None
    """The factor between the two meanings, if the words have two: 20m can be 20 metres or 20 million."""

    def agrees(self, other: Quantity) -> bool:
        """Return whether another quantity has the same numbers, hedge and unit; a guess permits both meanings."""
        read = [self, *([_quantity(self.value or 0.0, self.other_hedge)] if self.other_hedge else [])]
        read += [each.scaled(self.other_scale) for each in read] if self.other_scale else []
        return any(each[:4] == other[:4] for each in read) and self.unit in (None, other.unit)

    def scaled(self, scale: float) -> Quantity:
        """Return the quantity with its numbers multiplied by `scale`."""
        value, low, high = (None if number is None else round(number * scale, 6) for number in self[:3])
        return self._replace(value=value, low=low, high=high)


class LocatedQuantity(NamedTuple):
    """A quantity in a text, with the span of its number and its currency or percent sign in code points."""

    start: int
    end: int
    quantity: Quantity


@lru_cache(maxsize=1 << 10)
def numbers(words: str) -> frozenset[float]:
    """Return the value of every number in a phrase, regardless of its unit; "decade" is 10."""
    found = {numeral.value for numeral in numerals(tokens(narrow(words)))}
    return frozenset(found | ({10.0} if "decade" in words.casefold() else set()))


def read_quantity(words: str, units: Mapping[str, str] = UNITS) -> Quantity | None:
    """Return the first quantity of a phrase, or None if it contains none; `units` are the units of nouns."""
    found = readings(words, units)
    return found[0].quantity if found else None


def readings(text: str, units: Mapping[str, str] = UNITS) -> list[LocatedQuantity]:
    """Return the quantities of a text, in order."""
    return _Phrase(text, units).readings()


def analyse(
    text: str, units: Mapping[str, str] = UNITS
) -> tuple[list[LocatedQuantity], list[tuple[int, int, OtherKind]]]:
    """Return the quantities of a text, and the start, end and kind of every other number."""
    phrase = _Phrase(text, units)
    ordinals = [n for n in phrase.numerals if n.kind == "ordinal" and not phrase.labelled(n)]
    others: list[tuple[int, int, OtherKind]] = [(n.start, n.end, "ordinal") for n in ordinals]
    others += [(label.start, label.end, label.kind) for label in phrase.labels]
    return phrase.readings(), sorted(others)


def may_contain_numbers(text: str) -> bool:
    """Return whether a text has a digit or a word of `_NEEDED`; if it has neither, `analyse` finds no number."""
    return bool(_DIGIT.search(text)) or not _NEEDED.isdisjoint(_words(text.casefold()))


def _words(text: str) -> list[bytes]:
    """Return the runs of ASCII letters in a text, including those inside longer words."""
    # `encode` and `translate` are faster than a regular expression over the same text.
    return text.encode(errors="replace").translate(_ONLY_LETTERS).split()


# ---- the parser --------------------------------------------------------------------------------------------

_STOPS = set('.,;:!?()[]“”"«»—–…')
_NEGATORS = {"not", "t", "never", "no", "nor", "without", "cannot", "nobody", "neither", "hardly"}
_PRONOUNS = {"them", "us", "you", "whom", "which", "it", "others", "he", "she", "they", "we", "i"}
_PREPOSITIONS = set("of in on at for with from to and who that were was".split())
_CLAUSES = (_PREPOSITIONS - {"of", "and"}) | set(
    "whose is are had has have as by but when after before while said than thereabouts".split()
)
"""Words that end the noun phrase of a number even if no noun has come yet: "of the 14 who crossed in his week"."""
_OTHERS = {"of", "day", "time", "another", "more", "by", "thing"}
"""Words after "one" that make it idiomatic."""
_ARTICLES = {"a", "an"}
_EACH = {*_ARTICLES, "per", "each", "every", "/"}
"""Words between a number and the period in which it occurs: "five a day"."""
_THE = set("the this that these those his her its their our my your a an".split())
"""Words that begin another noun phrase: "up from a few hundred the week before"."""
_APOSTROPHES = {"'", "’"}
_PERCENT = {"%", "percent", "per"}
_PLUS = {"plus", "odd", "some", "ish"}
_NO_NOUNS = _THE | _CLAUSES | _PLUS | set("something strong square cubic to old".split())
"""Words after a number and a hyphen that do not name what is counted."""
_VERB = 9
"""Maximum number of words between a verb of movement and "from", as in "rose 3 percent ($2), from"."""
_SUBJECT = 12
"""Maximum number of words before a number in which its subject is sought."""
_ADVERBS = set("towards besides perhaps always sometimes afterwards overseas does times hours days weeks".split())
"""Words after a noun that look like plurals, but do not form a compound with it."""
_NEGATED = {"more_than": "up_to", "less_than": "at_least"}
_CLOSE = {"just", "little", "slightly", "fractionally", "marginally"}
"""Words before "under" and "below" that make them mean nearly: "just under 40"."""
_ENDS = {".", "!", "?"}
_BEFORE_PAST = quantity_words.CLIMBS | quantity_words.TOTALS | quantity_words.ELSEWHERE["past"]
_ENDING = {"or", "and", "-", "odd", "ish", "+"}
"""Words that begin a hedge after a number, never one before the next number: "a dozen or so 12-year-olds"."""
_NEAR = 3
"""Maximum number of words between a part and the whole: "31 of the 38"."""
_CHILD = 12
"""The highest number that is not guessed to be an age after "at", as in "at 12"."""
_UNCOUNTED = {"percent", "factor", "event", *quantity_words.PERIODS}
"""Units that a number without a noun rarely takes over from a number before it."""
_DEICTIC = {"last", "this", "next", "that", "past", "previous"}
"""Words before a period that names a time and is not counted: "11 trams broke down last week"."""
_HYPHENS = {"-", "‑"}
_NEVER_LOST = (NUMBERS.keys() | SCALES.keys()) - {"one", "score"}
"""Number words that are always found; "one" is mostly a pronoun."""
_PARTS = {"third", "thirds", "quarter", "quarters"}
_LABELLED = "\0"
"""The word that replaces each word of a label when the numbers around it are read again."""
_DIGITS = frozenset("0123456789")
_DIGIT = re.compile("[0-9０-９½¼¾⅓⅔]")
_ONLY_LETTERS = bytes(byte if chr(byte).isascii() and chr(byte).isalpha() else ord(" ") for byte in range(256))
"""Table that translates every byte but an ASCII letter to a space."""
_UNITS_COUNTED_ALONE = (noun for noun, unit in UNITS.items() if unit in MEASURED)
_NEEDED = {word.encode() for word in (*WORDS, *MEASURES, *DECADES, "single", "full", "even", *_UNITS_COUNTED_ALONE)}
"""Words in ASCII letters: any text that contains a number has a digit or one of these."""


_SPANNED = {"over": {"past", "last", "next", "coming", "following", "first"}, "within": {"past", "last"}}
"""Words after "over" and "within" that make them mean a span of time: "over the next two years"."""
_TO = {"to", "through", "till", "up to", "to as many as", "-", "–", "—", "‑", "- to", "- to -"}
"""Words and signs between the numbers of a range."""
_EVEN: list[list[str]] = [[], ["even"], ["perhaps"], ["maybe"], ["possibly"]]
"""Words after "or" between the numbers of a range."""
_OR = 3
"""The largest multiple of the first number that may follow "or": "two or three", but not "two or 500"."""
_COMMA = 1.5
"""The largest multiple of the first number that may follow a comma: "five, six men", but not "two, four"."""
_UNITS_OF_KINDS = {"share": "percent", "factor": "factor"}
_AMERICAN = {"us", "u", "american", "dollar", "dollars"}
_LETTERS_OF_SIGN = 3
"""Maximum number of letters in a currency sign such as US$ and MX$, and in the sign of a unit."""

Units: TypeAlias = tuple[str | None, str | None]
"""The unit that words state, and a guess at it if they state none; either may be None."""


class _Phrase:
    """A text with its tokens, numbers and labels, which is parsed for quantities."""

    def __init__(self, text: str, units: Mapping[str, str]) -> None:
        self.units = units
        text = narrow(text)
        self._read(text, tokens(text))
        if cut := {i for label in self.labels for at in label[:2] if (i := self._cut(at)) is not None}:
            self._read(text, with_parts(text, cut))  # "On May 12 300 soldiers left"

    def _read(self, text: str, found: Tokens) -> None:
        self.tokens = found
        self.words, self.starts, self.ends = found[1:]
        self.numerals: list[Numeral] = numerals(found)
        self.labels: list[Label] = labels(text, found, self.numerals)
        self._label_ends = [label.end for label in self.labels]
        if any(self._crosses(number) for number in self.numerals):
            # A number and a label do not share digits, and what is outside the label is read on its own.
            masked = list(map(self._masked, found.words, found.starts, found.ends))
            self.numerals = numerals(found._replace(words=masked))
        self._number_starts = {number.start for number in self.numerals}
        self._number_ends = {number.end for number in self.numerals}

    def _crosses(self, number: Numeral) -> bool:
        """Return whether a number is partly inside a label."""
        i = bisect_left(self._label_ends, number.start + 1)
        label = self.labels[i] if i < len(self.labels) else None
        return bool(
            label and label.start < number.end and not (label.start <= number.start and number.end <= label.end)
        )

    def _masked(self, word: str, start: int, end: int) -> str:
        return _LABELLED if self.within_label(start, end) else word

    def _cut(self, at: int) -> int | None:
        """Return the index of the token in which a label starts or ends, if it is a number that contains a space."""
        i = bisect_left(self.starts, at) - 1
        return i if i >= 0 and at < self.ends[i] and " " in self.words[i] else None

    def labelled(self, number: Numeral) -> bool:
        return self.within_label(number.start, number.end)

    def within_label(self, start: int, end: int) -> bool:
        i = bisect_left(self._label_ends, start + 1)
        return i < len(self.labels) and self.labels[i].start < end

    def word(self, i: int) -> str:
        return self.words[i] if 0 <= i < len(self.words) else ""

    def touches(self, i: int) -> bool:
        """Return whether there is no space before a token."""
        return 0 < i < len(self.words) and self.ends[i - 1] == self.starts[i]

    def index(self, offset: int) -> int:
        """Return the index of the first token at or after an offset."""
        return bisect_left(self.starts, offset)

    def readings(self) -> list[LocatedQuantity]:
        counted = [n for n in self.numerals if n.kind != "ordinal" and not self.labelled(n)]
        found: list[LocatedQuantity] = []
        taken = 0
        for number, following in zip(counted, [*counted[1:], None], strict=False):
            if number.start < taken:
                continue
            reading = self.range(number, following) or self.single(number)
            if reading:
                # A sign between two numbers, as in "20€50", belongs to the first.
                found.append(reading._replace(start=max(reading.start, taken)))
                taken = reading.end
        ends = [reading.end for reading in found]
        # These come last: an article or a decade counts only where no number was read.
        for reading in [*self.articles(), *self.decades()]:
            i = bisect_left(ends, reading.start + 1)
            free = i == len(ends) or found[i].start >= reading.end
            if free and not self.within_label(reading.start, reading.end):
                found.insert(i, reading)
                ends.insert(i, reading.end)
        found = sorted([*found, *self.missed(found)])
        return list(self.inherited(found)) if len(found) > 1 else found

    def inherited(self, found: list[LocatedQuantity]) -> Iterator[LocatedQuantity]:
        """Yield readings; one without a noun may count the same as a number near it: "31 of 38 drones"."""
        counted = before = None
        end = 0
        for reading, following in zip(found, [*found[1:], None], strict=True):
            said = reading.quantity
            joiner = self.words[self.index(end) : self.index(reading.start)]
            if not _ENDS.isdisjoint(joiner):
                counted = before = None
            moved = "from" in joiner or "to" in joiner
            if not (said.unit or said.likely_unit):
                after = self.words[self.index(reading.end) : self.index(following.start)] if following else []
                signed = following and self.word(self.index(following.start)) in CURRENCIES
                if (
                    following
                    and not signed
                    and after[:1] in (["of"], ["to"], ["and"], ["or"], ["out"])
                    and len(after) <= _NEAR
                ):
                    likely = following.quantity.unit or following.quantity.likely_unit
                else:
                    likely = before if before != "factor" and (moved or before != "percent") else None
                    likely = likely if moved else counted or likely
                said = said._replace(likely_unit=likely)
            elif moved and said.unit == "usd" and before == "usd_per_month":
                said = said._replace(unit=None, likely_unit=before)
            yield reading._replace(quantity=said)
            before = said.unit or said.likely_unit or before
            counted = counted if before in _UNCOUNTED else before
            end = reading.end

    def of_decades(self, number: Numeral) -> bool:
        return self.word(self.index(number.end)) in DECADES

    # ---- ranges ----

    def range(self, number: Numeral, following: Numeral | None) -> LocatedQuantity | None:
        """Read a range, such as "between 5 and 7" or "5 to 7 million", but not "rose from 300 to 1,400"."""
        if not following or number.kind != following.kind or number.kind not in {"cardinal", "share"}:
            return None
        last, first = self.index(number.end), self.first(number)
        if self.converts(number, following):
            return None
        joiner = self.words[last : self.first(following)]
        after = self.word(self.index(following.end))
        shared = after in _PERCENT  # not "fell 12 percent to 3 million"
        repeated = after.isalpha() and joiner[:1] == [after] and self.word(first - 1) not in quantity_words.MOVES
        if repeated or (shared and joiner[:1] in (["%"], ["percent"])):
            joiner = joiner[1:]  # "5% to 7%", "5kg-10kg", "between 15C and 20C"
        if joiner[1:] == ["or"] and joiner[0] in _HYPHENS:
            joiner = joiner[1:]  # "a two- or three-day trip"
        apart = joiner[:1] == [","] and after == ","  # "two, maybe three, times"
        counts = after.isalpha() or apart  # "six, maybe seven men"
        low = number.value * self.scale_of(following, unless=number)
        joined = (
            " ".join(joiner) in _TO
            or (joiner == ["and"] and self.word(first - 1) == "between")
            or ("or" in joiner[:1] and joiner[1:] in _EVEN and following.value <= _OR * low)
            or (
                (
                    (joiner == [","] and self.word(first).isalpha())
                    or (joiner[:1] == [","] and joiner[1:] in _EVEN[1:] and counts)
                )
                and following.value <= _COMMA * low
            )
        )
        one_or_many = number.value == 1 and "or" in joiner[:1] and following.value > 2  # noqa: PLR2004  # "one or two"
        if not joined or low >= following.value or one_or_many or self.moves(first, far=following.value > 2 * low):
            return None
        end = self.index(following.end)
        if self.of_decades(following):
            years = DECADES[self.word(end)]
            quantity = Quantity(None, years * low, years * following.value, "range", "year")
            return LocatedQuantity(number.start, self.ends[end], quantity)
        units = self.unit(number, end + apart)
        quantity = Quantity(None, low, following.value, "range", *units)
        return LocatedQuantity(self.starts[first], self.signed_end(following), self.or_metres(first, end, quantity))

    def converts(self, number: Numeral, following: Numeral) -> bool:
        """Return whether two numbers have signs of different currencies: "£78 or $101" is one price."""
        signs = [self.words[self.first(each) : self.index(each.start)] for each in (number, following)]
        return all(signs) and signs[0] != signs[1]

    def moves(self, first: int, *, far: bool) -> bool:
        """Return whether a number begins a movement, as in "rose from 300" or "an increase from 300"."""
        if far and self.word(first - 1) in quantity_words.MOVES:
            return True
        starts = {"from", "by"} if far else {"from"}  # "grew by 3 to 4 percent"
        at = next((at for at in range(first - 1, first - 4, -1) if self.word(at) in starts), None)
        return at is not None and not quantity_words.MOVES.isdisjoint(self.words[max(0, at - _VERB) : at])

    def scale_of(self, number: Numeral, *, unless: Numeral) -> float:
        """Return the scale of the last number of a range if the first has none: "5 to 7 million"."""

        def scale(of: Numeral) -> float:
            product = 1.0
            for word in self.words[self.index(of.start) : self.index(of.end)]:
                product *= SCALES.get(word) or SHORT.get(word, 1.0)
            return product

        return scale(number) if scale(unless) == 1 and unless.value < number.value / scale(number) else 1.0

    # ---- single numbers ----

    def single(self, number: Numeral) -> LocatedQuantity | None:
        first, end = self.index(number.start), self.index(number.end)
        if self.of_decades(number) and number.kind == "cardinal":
            return None  # `decades` reads it
        noun, few = self.word(first - 2), 1 < number.value <= _OR
        if self.word(first - 1) == "or" and self.word(first - 3) in _ARTICLES and noun.isalpha() and few:
            unit = self.unit_of(noun)  # "a year or two"
            likely = None if unit else likely_unit(f"{noun}s") or "item"
            return LocatedQuantity(
                self.starts[first - 3], number.end, Quantity(None, 1.0, number.value, "range", unit, likely)
            )
        unit, likely = self.unit(number, end)
        small = (
            abs(number.value) < quantity_words.SMALL
            and unit not in quantity_words.NEVER_PLACES
            and self.word(end) != "of"
        )
        hedge, other = self.hedge(first, end, number, small=small)
        if unit in quantity_words.DURATIONS:
            other = self.during(first, other)
        one = number.value == 1 and self.words[first:end] == ["one"]
        if one and not self.one_counts(first, end, hedged=hedge not in {None, "exact"}):
            return None
        if one and hedge is None and self.negated(first, reach=4):
            hedge = "less_than"
        if one and hedge not in {None, "exact"} and not unit and self.word(end).isalpha():
            unit = self.unit_of(self.word(end))
            likely = None if unit else likely or likely_unit(f"{self.word(end)}s") or "item"
        quantity = _quantity(number.value, hedge or "exact", unit, likely, other)
        quantity = self.or_metres(first, end, quantity)
        if number.other is not None and number.value:
            quantity = quantity._replace(other_scale=number.other / number.value)
        return LocatedQuantity(self.starts[self.first(number)], self.signed_end(number), quantity)

    def missed(self, found: list[LocatedQuantity]) -> Iterator[LocatedQuantity]:
        """Yield the numbers, in digits or words, that no quantity, label or ordinal contains, as exact ones.

        The rules for ranges, fractions and the like may leave a number out, but none of a text is lost.
        """
        ordinals = [n for n in self.numerals if n.kind == "ordinal" and not self.labelled(n)]
        spans = [(quantity.start, quantity.end) for quantity in found]
        spans += [(label.start, label.end) for label in self.labels]
        spans += [(ordinal.start, ordinal.end) for ordinal in ordinals]
        spans.sort()
        ends = [end for _, end in spans]
        for at in [at for at, word in enumerate(self.words) if word[-1] in _DIGITS or word in _NEVER_LOST]:
            start, end = self.starts[at], self.ends[at]
            i = bisect_left(ends, start + 1)
            if (i == len(spans) or spans[i][0] >= end) and not self.completes(at):
                yield LocatedQuantity(start, end, Quantity(plain_value(self.words[at]), None, None, "exact", None))

    def completes(self, at: int) -> bool:
        """Return whether a number belongs to the one before it: "below zero", "an hour and three quarters"."""
        before, part = self.word(at - 1), self.word(at + 1 + (self.word(at + 1) in _HYPHENS))
        return (before == "below" and self.word(at) == "zero") or (before == "and" and part in _PARTS)

    def during(self, first: int, other: str | None) -> str | None:
        """Return the alternative hedge of a duration: "£5m over five years" may mean exactly five."""
        spent = self.word(first - 1) == "over" and first > 1 and self.word(first - 2) not in quantity_words.LASTING
        return "exact" if spent else other

    def or_metres(self, first: int, end: int, quantity: Quantity) -> Quantity:
        """Return a quantity in millions, or in metres, if its number ends in "m" and no words say which."""
        if quantity.unit or self.word(end - 1) != "m" or not self.touches(end - 1):
            return quantity
        few = (
            self.word(first - 1) in _ARTICLES or (quantity.value or 0.0) >= SCALES["billion"]
        )  # "a 20m drop", "1,500m"
        if not few:
            return quantity._replace(other_scale=1 / SCALES["million"])
        return quantity.scaled(1 / SCALES["million"])._replace(likely_unit="other", other_scale=SCALES["million"])

    def one_counts(self, first: int, end: int, *, hedged: bool) -> bool:
        """Return whether "one" is a quantity: hedged, negated, or before a unit of measurement."""
        after = self.units.get(self.word(end)) or ("percent" if self.word(end) == "%" else None)
        if self.word(first - 1) in _ARTICLES and after == "percent":
            return True  # "a one percent cut"
        if self.word(first - 1) in _THE or (self.word(first - 1) in _HYPHENS and not self.word(first - 2).isdigit()):
            return False  # "the one", "no-one"
        noun = self.word(end)
        counts = noun.isalpha() and noun not in _CLAUSES | _PREPOSITIONS | _PRONOUNS | _OTHERS
        negated = self.negated(first, reach=4) and self.word(first - 1) != "no"
        none = self.word(first - 1) == "not" and noun not in _OTHERS - {"of"} | {
            "to",
            "for",
            "who",
        }  # "not one was there"
        if after in MEASURED and first == self.sentence(first) and self.word(end + 1) in _PRONOUNS | _THE | {","}:
            return False  # "One year it rained"
        return hedged or none or after in MEASURED or (counts and negated)

    def hedge(self, first: int, end: int, number: Numeral, *, small: bool = False) -> tuple[str | None, str | None]:
        """Return the hedge of a number, or None if no words give one, and an alternative that the words may mean."""
        if number.kind == "vague":
            return "vague", None
        if number.kind == "factor" and self.words[max(0, first - 2) : first] == ["all", "but"]:
            return "nearly", None  # "all but doubled"
        money = self.money(first)
        hedge, other = self.hedge_before(at := money[0] if money else first, small=small)
        if hedge == "less_than" and not _CLOSE.isdisjoint(self.words[max(0, at - 3) : at]):
            return hedge, "nearly"
        return (hedge, other) if hedge else (self.hedge_after(end, money=bool(money)), None)

    def hedge_before(self, first: int, *, small: bool) -> tuple[str | None, str | None]:
        """Return the hedge before a number, skipping articles, and an alternative that the words may mean."""
        at = first
        for _ in range(4):
            if found := self.phrase_before(at):
                phrase, hedge = found
                if not _SPANNED.get(phrase[0], set()).isdisjoint(self.words[at:first]):
                    return None, None  # "over the past two years"
                start = at - len(phrase)
                if hedge in _NEGATED and phrase[-1] == "than" and phrase[0] != "no" and self.negated(start, reach=3):
                    return _NEGATED[hedge], hedge  # "cannot be more than ten"
                if phrase == ("up", "to") and self.word(start - 1) in quantity_words.MOVES:
                    return "exact", hedge  # "edges up to 5%"
                if phrase in quantity_words.AS_MUCH and self.word(start - 1) in quantity_words.ALIKE:
                    return "exact", hedge
                articled = not _ARTICLES.isdisjoint(self.words[at:first])
                if articled and phrase in quantity_words.SIMILES:
                    return "exact", hedge
                if articled and phrase[0] in quantity_words.ELSEWHERE and len(phrase) == 1:
                    topic = self.word(first) in CURRENCIES and start > 0  # "quibble over a $40 million clinic"
                    return ("exact", hedge) if topic else (hedge, "exact")
                return self.hedge_or_place(phrase, hedge, self.word(start - 1), small=small)
            if self.word(at - 1) not in quantity_words.SKIPPED:
                break
            at -= 1
        return None, None

    def hedge_or_place(
        self, phrase: tuple[str, ...], hedge: str, before: str, *, small: bool
    ) -> tuple[str | None, str | None]:
        """Return the likely and the other meaning of a hedging phrase: prepositions can mean a place or a topic."""
        if phrase in quantity_words.LOWEST:
            return hedge, "exact"
        places = quantity_words.ELSEWHERE.get(" ".join(phrase))
        if places is None:
            return hedge, None
        if before in quantity_words.CLIMBS:
            return hedge, "exact" if small and before in places else None
        unlikely = phrase[0] in quantity_words.PASSED or (small and phrase[0] in quantity_words.INSIDE)
        if before in places or is_digits(before) or unlikely:
            return "exact", hedge  # "held 4 over $2 million", in a headline
        return hedge, "exact" if small else None

    def phrase_before(self, end: int) -> tuple[tuple[str, ...], str] | None:
        """Return the hedging phrase before a token, and its hedge."""
        for phrase, hedge in quantity_words.HEDGES_BEFORE.get(self.word(end - 1), ()):
            start = end - len(phrase)
            if tuple(self.words[max(0, start) : end]) == phrase:
                past = phrase == ("past",) and self.word(start - 1) not in _BEFORE_PAST
                quoted = phrase[0] in {"<", ">"} and not self.touches(end)  # "> 40 boats", as mail is quoted
                joined = self.word(start - 1) in _HYPHENS and self.touches(start)  # "the run-up to 2 June"
                return None if past or quoted or joined else (phrase, hedge)
        return None

    def hedge_after(self, end: int, *, nouns: int = 2, money: bool = False) -> str | None:
        """Return the hedge after a number, or after the noun of at most two words that it counts."""
        for at in range(end, end + nouns + 1):
            for phrase, hedge in quantity_words.HEDGES_AFTER.get(self.word(at), ()):
                after = at + len(phrase)
                # "14 boats, at least six of them new", "24 men paid at least £10": the phrase hedges the next number.
                counted = after + (self.word(after) in CURRENCIES)
                next_number = phrase[0] not in _ENDING and counted < len(self.starts)
                next_number = next_number and self.starts[counted] in self._number_starts
                # "£500 plus costs" is not at least £500.
                added = phrase == ("plus",) and money and self.word(after).isalpha() and self.word(after) not in _EACH
                if tuple(self.words[at:after]) == phrase and not (next_number or added):
                    return hedge
            if self.word(at) in _STOPS:
                return None
        return None

    def sentence(self, i: int) -> int:
        """Return the given index if its word begins a sentence, or else the index before it."""
        return i if not self.word(i - 1).isalnum() and self.word(i - 1) != "," else i - 1

    def negated(self, first: int, *, reach: int) -> bool:
        for word in reversed(self.words[max(0, first - reach) : first]):
            if word in {*_NEGATORS, ".", "!", "?"}:
                return word in _NEGATORS
        return False

    # ---- what is counted ----

    def unit_of(self, noun: str) -> str | None:
        """Return the unit of a noun in the singular or plural, if it is listed."""
        return self.units.get(noun) or self.units.get(f"{noun}s")

    def unit(self, number: Numeral, end: int) -> Units:
        """Return the unit of a number that ends before a token, and a guess if it is not stated."""
        first = self.index(number.start)
        if number.kind in _UNITS_OF_KINDS:
            return _UNITS_OF_KINDS[number.kind], None
        if number.kind == "multiple":
            return self.multiplied(end) or ("event", None)
        if money := self.money(first):
            return self.per_month(end, money[1], before=money[0]), None
        if self.touches(end) and (sign := CURRENCIES.get(self.word(end)) or quantity_words.CODES.get(self.word(end))):
            return self.per_month(end + 1, sign, before=first), None
        if self.touches(end) and self.tokens.texts[end] in {"C", "F", "°"}:
            return "other", None
        if self.word(end) in _HYPHENS and self.word(end + 1) in {"and", "or", "to"}:
            i = bisect_left(self.numerals, (number.end,))  # "12- and 13-year-olds"
            if i < len(self.numerals) and self.starts[end + 2 :][:1] == [self.numerals[i].start]:
                unit, likely = self.unit(self.numerals[i], self.index(self.numerals[i].end))
                return None, unit or likely
        if noun := self.noun_after(end):
            (unit, likely), after = noun
            if "event" in (unit, likely) and number.value % 1:
                return "factor", None  # "2.5 times over the limit"
            return (self.per_month(after, unit, before=first) if unit else None), likely
        return (None, "year") if self.is_age(number, first, end) else self.noun_before(first)

    def multiplied(self, i: int) -> Units | None:
        """Return the unit after "twice" or "times" if they may state a factor, as in "twice as many"."""
        as_much = self.word(i) == "as" and (self.word(i + 1) in {"many", "much"} or self.word(i + 2) == "as")
        if as_much or self.word(i) in quantity_words.COMPARATIVES:
            return "factor", None
        pay = self.word(i) in _ARTICLES  # "ten times a teacher's pay"
        if self.word(i) in _EACH and self.word(i + 1) in PERIODS:
            return None  # "twice a night"
        compared = quantity_words.COMPARED.fullmatch(self.word(i))  # "ten times hotter"
        whole = self.word(i) in {"as", *quantity_words.WHOLES}
        owned = any(  # "twice last year's figure"
            self.word(at) in _APOSTROPHES and self.word(at + 1) == "s" for at in (i + 1, i + 2)
        )
        return (None, "factor") if pay or compared or whole or owned else None

    def occurred(self, i: int) -> Units:
        """Return the unit of "times" where it is not a factor: an event, or a guess at one if a noun may follow."""
        word = self.word(i)
        ends = not word.isalpha() or word in _PREPOSITIONS | _CLAUSES | _EACH | _DEICTIC | _ADVERBS or word[-2:] == "ly"
        return ("event", None) if ends else (None, "event")  # "three times yesterday", "12 times earnings"

    def noun_after(self, end: int) -> tuple[Units, int] | None:
        """Return the unit of the noun that a number counts, and the index of the token after it.

        The first listed noun gives the unit. If none is within reach, the unit of the first plural is guessed.
        """
        plural: tuple[Units, int] | None = None
        at = end + 1 if self.word(end) in _HYPHENS or self.word(end) == "+" else end
        noun = self.word(at)
        if at > end and (phrase := self.phrase(at)):
            return phrase  # "a 14-parking-space yard"
        if at > end and self.touches(at) and self.touches(end) and noun.isalpha() and noun not in _NO_NOUNS:
            unit = self.unit_of(noun)  # "a 14-room hotel"
            return ((unit, None) if unit else (None, likely_unit(f"{noun}s") or "item")), at + 1
        at += noun in _PLUS
        if self.word(at) == "of" and self.word(at + 1) in {"us", "you"}:
            return ("person", None), at + 2
        if at == end and self.abbreviates(at):
            return (None, "factor" if noun == "x" else "other"), at + 1  # "2l", "16GB", "4x"
        if self.word(at) in _EACH and self.word(at + 1) in quantity_words.PERIODS:
            return None  # "five a day"
        at = self.after_measure(at)
        # More than seven tokens away, a noun rarely belongs to the number.
        for i in range(at, min(at + 7, len(self.words))):
            word = self.words[i]
            if self.within_label(self.starts[i], self.ends[i]):
                named = word == "s" or (word.endswith("s") and self.touches(i))
                plural = plural or (((None, "item"), i + 1) if named else None)
                continue  # "two F-16s", "three AK-47 rifles"
            if word == "%" or (word == "per" and self.word(i + 1) == "cent"):
                return ("percent", None), i + 1
            if word == "," and i > at and plural is None:
                continue  # between two adjectives
            if word == "." and len(self.word(i - 1)) == 1 and i > at:
                continue  # "300 U.S. dollars"
            pronoun = word in _PRONOUNS and self.tokens.texts[i] != "US"
            if word in _STOPS or pronoun or (i > at and self.starts[i] in self._number_starts):
                break
            if word in (_PREPOSITIONS if plural else _CLAUSES) or (word in _THE and self.word(i - 1) != "of"):
                break
            if plural and word in _APOSTROPHES:
                return plural  # "20 governments' soldiers"
            if plural and word in _EACH and self.word(i + 1) in quantity_words.PERIODS:
                break  # "40,000 vehicles a day"
            if word == "times":
                return self.multiplied(i + 1) or self.occurred(i + 1), i + 1
            possessor = self.word(i + 1) in _APOSTROPHES and self.word(i + 2) == "s" and self.word(i - 1) in _THE
            if possessor:
                continue  # "19 of the month's 31 days"
            if phrase := self.phrase(i):
                return phrase
            if word in self.units and not self.qualifies(i):
                return plural if plural and self.words[i - 1] in _DEICTIC else self.compound(i, at)
            if plural is None and quantity_words.is_plural(word):
                plural = (None, self.guess(i)), i + 1
                # A guess that persons are counted suffices; after other plurals a listed noun may still follow.
                if plural[0][1] == "person":
                    return plural
        return plural

    def phrase(self, i: int) -> tuple[Units, int] | None:
        """Return the unit of a listed noun of two or three words, such as "parking spaces", and the index after it."""
        words = [word for word in self.words[i : i + 5] if word not in _HYPHENS]
        for length in (3, 2):
            unit = self.unit_of(" ".join(words[:length]))
            if unit and len(words) >= length:
                hyphens = len([word for word in self.words[i : i + 2 * length - 1] if word in _HYPHENS])
                return (unit, None), i + length + hyphens
        return None

    def after_measure(self, at: int) -> int:
        """Return the index after a measure that qualifies a noun, as in "two 5kg bags" or "four 12-hour shifts"."""
        if at < len(self.starts) and self.starts[at] in self._number_starts:
            number = self.numerals[bisect_left(self.numerals, (self.starts[at],))]
            i = self.index(number.end)
            if self.word(i) in _HYPHENS or self.touches(i):
                while (self.word(i) in _HYPHENS or self.touches(i)) and self.word(i) != "olds":
                    i += 1
                return i
        return at

    def abbreviates(self, i: int) -> bool:
        """Return whether a token that touches digits is likely the sign of a unit that is not listed."""
        word = self.word(i)
        signs = (
            word.isalpha()
            and len(word) <= _LETTERS_OF_SIGN
            and word not in self.units.keys() | (_PREPOSITIONS - {"in"})
        )
        return signs and self.touches(i) and is_digits(self.words[i - 1])

    def qualifies(self, i: int) -> bool:
        """Return whether a participle qualifies a noun instead of being counted itself, as in "three missing boats"."""
        return self.words[i] in quantity_words.STATES and quantity_words.is_plural(self.word(i + 1))

    def guess(self, i: int) -> str:
        """Return the likely unit of an unknown plural: a word with a capital, or before "who", is taken for persons."""
        after, next_after = self.word(i + 1), self.word(i + 2)
        human = after in {"who", "whose"} or (after in {"were", "was", "are"} and next_after in quantity_words.STATES)
        human |= self.words[i] == "olds"  # "two 18-year-olds"
        capital = self.tokens.texts[i][0].isupper()
        return likely_unit(self.words[i]) or ("person" if human or capital else "item")

    def compound(self, i: int, first: int) -> tuple[Units, int]:
        """Return the unit of a noun, or of the noun that it qualifies, as in "member countries"."""
        while (
            self.word(i + 1) in self.units and self.word(i + 1).endswith("s") and self.units[self.words[i]] == "person"
        ):
            i += 1
        unit = self.units[self.words[i]]
        if (
            unit in {"person", "event"}
            and not quantity_words.is_plural(self.words[i])
            and quantity_words.is_plural(self.word(i + 1))
            and self.word(i + 1) not in _ADVERBS
        ):
            return (None, self.guess(i + 1)), i + 2  # "12 police stations"
        if unit == "person" and not quantity_words.is_plural(self.words[i]) and self.attributive(i):
            return (None, unit), i + 1  # "three police academy classes"
        following = self.word(i + 1)
        named = self.tokens.texts[i][0].isupper() and self.tokens.texts[i + 1 : i + 2] == [following]
        if named and quantity_words.is_plural(following) and following not in _ADVERBS:
            return (None, self.guess(i + 1)), i + 2  # "300 United Nations observers"
        if self.words[i] in quantity_words.STATES and following.isalpha() and following not in {*_CLAUSES, "and", "or"}:
            return (None, unit), i + 1  # "12 dead fish"
        if unit == "person" and self.word(i + 1) in _APOSTROPHES and self.word(i + 2).isalpha():
            return (None, unit), i + 1  # "two soldiers' rifles"
        if unit in quantity_words.LENGTHS and self.words[i - 1] in {"square", "cubic"}:
            unit = "other"
        if unit == "usd" and i > first and self.tokens.texts[first][0].isupper() and self.word(first) not in _AMERICAN:
            unit = "other"  # "Canadian dollars"
        return (unit, None), i + 1

    def attributive(self, i: int) -> bool:
        """Return whether a noun may qualify another one, before a plural: "police academy classes"."""
        following = self.word(i + 1)
        joined = following.isalpha() and following not in _CLAUSES | _PREPOSITIONS | _THE | _DEICTIC
        return joined and quantity_words.is_plural(self.word(i + 2))

    def is_age(self, number: Numeral, first: int, end: int) -> bool:
        """Return whether a number is likely an age, as in "Her son, 12, left", "died at 91" or "anyone under 12"."""
        if number.value % 1 or not 0 < number.value <= quantity_words.OLDEST:
            return False
        before, after = self.word(first - 1), self.word(end)
        if before in {",", "("}:
            i = first - 2 - (self.word(first - 2) == ".")
            named = i >= 0 and (self.tokens.texts[i][0].isupper() or self.unit_of(self.words[i]) == "person")
            return named and not after.isalnum()
        if before in {"over", "under"}:
            return self.word(first - 2) in quantity_words.ANYONE or self.unit_of(self.word(first - 2)) == "person"
        lived = before == "at" and not quantity_words.LIVED.isdisjoint(self.words[max(0, first - _SUBJECT) : first])
        lived |= self.words[max(0, first - 2) : first] == ["to", "be"] or before.startswith("turn")
        return lived and number.value > _CHILD and (after in {"and", "in", "on", *_DEICTIC} or not after.isalnum())

    def noun_before(self, first: int) -> Units:
        """Return the unit that the words before a number state, as in "an army of 300,000"."""
        if self.word(first - 1) in quantity_words.HARMED:
            return None, "person"
        if "magnitude" in self.words[max(0, first - 2) : first]:
            return None, "other"  # "a magnitude of 6.1", "magnitude-6.1"
        # Two words may be between: "an army of about 300,000".
        for of in range(first - 1, max(0, first - 4), -1):
            whole = self.word(of - 1 - (self.word(of - 1) in _HYPHENS)).removeprefix("grand")
            if self.word(of) == "of" and whole in quantity_words.OF_PERSONS:
                return (None, "person") if whole in quantity_words.LIKELY_OF_PERSONS else ("person", None)
            if self.word(of) in quantity_words.AGED:
                return None, "year"  # "aged between 12 and 15"
        if self.word(first - 1) == "the" and self.word(first - 2) == "by":
            return None, self.first_unit(range(first - 3, max(-1, first - 9), -1))
        if "number" in (subject := self.words[max(0, first - _SUBJECT) : first]):
            i = max(0, first - _SUBJECT) + subject.index("number") + 1
            if self.word(i) == "of":  # "the number of prisoners rose to 300"
                return None, self.first_unit(range(i + 1, first))
        return None, None

    def first_unit(self, among: Iterable[int]) -> str | None:
        """Return the unit of the first noun among some words that has one or is likely to have one."""
        units = (self.unit_of(self.words[i]) or likely_unit(self.words[i]) for i in among)
        return next(filter(None, units), None)

    def money(self, first: int) -> tuple[int, str] | None:
        """Return the index of the first token of the currency sign or code before a number, and the unit, or None."""
        at = first - 1
        after = at > 0 and self.starts[at] in self._number_ends and not self.touches(first)  # "20€ 12 men"
        if self.word(at) in CURRENCIES and not after:
            letters = self.word(at - 1)
            inside = letters in WORDS or (self.touches(at - 1) and self.word(at - 2) != ".")  # "ten$50", "4US$50"
            if letters.isalpha() and len(letters) <= _LETTERS_OF_SIGN and self.touches(at) and not inside:
                american = letters in quantity_words.AMERICAN and (
                    letters != "s" or self.word(at - 2) == "."
                )  # not "S$40"
                return at - 1, "usd" if american else "other"
            return at, CURRENCIES[self.word(at)]
        if self.words[max(0, at - 1) : first] == ["$", "us"] and self.touches(at):
            return at - 1, "usd"
        at -= self.word(at) == "."
        if at < 0 or not self.tokens.texts[at][0].isupper():
            return None
        if self.word(at) in quantity_words.CODES:
            return at, quantity_words.CODES[self.words[at]]
        scaled = self.word(first + 1 + (self.word(first + 1) in _HYPHENS)) in SCALES.keys() | SHORT.keys()
        rounded = self.words[at] in quantity_words.ROUND and self.word(first).endswith("0")
        amount = self.touches(first) and (scaled or rounded or not self.word(first).isdecimal())
        return (at, "other") if amount and self.word(at) in quantity_words.LETTERS else None

    def per_month(self, at: int, unit: str, *, before: int) -> str:
        """Return `usd_per_month` for dollars if the words around them say that they are paid monthly."""
        if unit != "usd":
            return unit
        # Hyphens are dropped before the words are counted: "$5-a-month".
        after = [word for word in self.words[at : at + 6] if word not in _HYPHENS][:4]
        monthly = "monthly" in after or "monthly" in self.words[max(0, before - 4) : before]
        monthly |= any(first in _EACH and second == "month" for first, second in pairwise(after))
        return "usd_per_month" if monthly else unit

    def first(self, number: Numeral) -> int:
        """Return the index of the first token of a number, or of its currency sign."""
        first = self.index(number.start)
        money = self.money(first)
        return money[0] if money else first

    def signed_end(self, number: Numeral) -> int:
        """Return the end of a number, including a percent or currency sign after it."""
        i = self.index(number.end)
        signed = self.word(i) == "%" or (self.word(i) in CURRENCIES and self.touches(i))
        return self.ends[i] if signed else number.end

    # ---- quantities without a number word ----

    def articles(self) -> Iterator[LocatedQuantity]:
        """Yield articles that mean one, as in "not even a kilo" or "more than a year"."""
        for i in [i for i, word in enumerate(self.words) if word in _ARTICLES]:
            single = self.word(i + 1) in {"single", "full"}
            noun = self.word(i + 1 + single)
            if not noun.isalpha() or noun in SCALES or noun in DECADES:
                continue
            hedge = self.article_hedge(i, single=single)
            measured = self.measures(i + 1) or self.is_day(i)
            metric = noun in MEASURES - {"second"}
            if (measured or metric) and not hedge:
                hedge = self.hedge_after(i + 1 + single, nouns=1)  # "an hour or so"
            if hedge == "less_than" or (hedge and (measured or metric)):
                unit = self.unit_of(noun)
                likely = None if unit else likely_unit(noun) or "item"
                yield LocatedQuantity(self.starts[i], self.ends[i + 1 + single], _quantity(1.0, hedge, unit, likely))

    def measures(self, i: int) -> bool:
        """Return whether a noun after an article is a unit of measurement: "a year", "a gram" after "than"."""
        compared = self.word(i - 2) == "than" and self.word(i) in MEASURES - {"second"}
        return self.units.get(self.word(i)) in MEASURED or compared

    def is_day(self, i: int) -> bool:
        """Return whether an article begins a day or night in a comparison: "less than a day", but not "$2 a day"."""
        return self.word(i - 1) == "than" and self.units.get(self.word(i + 1)) == "day"

    def article_hedge(self, i: int, *, single: bool) -> str | None:
        """Return the hedge before "a" or "an": that of a negation, as in "not even a", or of a unit of measurement."""
        even = any(self.word(i - back) == "even" and self.negated(i - back, reach=4) for back in (1, 2, 3))
        if even or (single and self.negated(i, reach=4)):
            return "less_than"
        measured = self.measures(i + 1) or self.is_day(i)
        found = self.phrase_before(i) if measured else None
        if not found or found[0] in quantity_words.LOOSE:
            return None
        hedge, _ = self.hedge_or_place(*found, self.word(i - len(found[0]) - 1), small=False)
        return None if hedge == "exact" else hedge

    def decades(self) -> Iterator[LocatedQuantity]:
        """Yield decades and centuries as numbers of years, such as "a decade", "two decades" and "half a century"."""
        ends = {number.end: number for number in self.numerals}
        for i, word in [] if DECADES.keys().isdisjoint(self.words) else enumerate(self.words):
            if word not in DECADES or self.word(i - 1) in {"last", "past", "this", "next", "per"}:
                continue
            number = ends.get(self.ends[i - 1]) if i else None
            if self.word(i + 1) in RELATIVE:
                continue  # "a decade ago" is a date
            if number and number.kind == "cardinal":
                counted = number._replace(end=self.ends[i], value=DECADES[word] * number.value)
            elif self.word(i - 1) == "a" and word in MEASURES:
                counted = Numeral(self.starts[i - 1], self.ends[i], DECADES[word], "cardinal")
            elif word not in MEASURES:
                counted = Numeral(self.starts[i], self.ends[i], 2 * DECADES[word], "vague")
            else:
                continue
            hedge, other = self.hedge(first := self.index(counted.start), i + 1, counted)
            quantity = _quantity(counted.value, hedge or "exact", "year", None, self.during(first, other))
            yield LocatedQuantity(counted.start, counted.end, quantity)


def _quantity(
    n: float, hedge: str | None, unit: str | None = None, likely: str | None = None, other: str | None = None
) -> Quantity:
    """Return a quantity with the bounds that its hedge implies."""
    if hedge == "vague":
        return Quantity(None, n, None, "vague", unit, likely)
    low = n if hedge in {"more_than", "at_least"} else None
    high = n if hedge in {"nearly", "less_than", "up_to"} else None
    return Quantity(n, low, high, hedge or "exact", unit, likely, other)
