"""Parser of quantities, by the grammar of docs/annotators/quantities.md.

A number is read in four steps: the number itself (`numerals`), its hedge before or after it, its
unit (`units`), and the range that it may form with the next number. Where the grammar can only
guess, it makes a proposal, and the annotator decides: about a unit that is guessed from the form of
an unknown noun (`likely_unit`), a preposition that may hedge the number or mean a place or a topic
(`other_hedge`), and a number that may have two values (`other_scale`).

Dates, clock times, ordinals, list numbers and numbers in names are not quantities, and neither is
"one" as a pronoun or an article. No other number is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache
from string import ascii_letters
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.text.english import STATES, UNITS, is_plural, likely_unit, rows
from defectors_data.text.intervals import BOUNDS
from defectors_data.text.non_quantities import RELATIVE, LabelKind, ParsedText
from defectors_data.text.numerals import (
    HYPHENS,
    MEASURES,
    NUMBERS,
    SCALES,
    SHORT,
    WORDS,
    Numeral,
    is_digits,
    narrow,
    numerals,
    plain_value,
    tokens,
)
from defectors_data.text.units import (
    ARTICLES,
    CLAUSES,
    CURRENCIES,
    DECADES,
    EACH,
    MEASURED,
    NEVER_PLACES,
    PRONOUNS,
    STOPS,
    THE,
    UNCOUNTED,
    money_before,
    unit_of,
    units_after,
)

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
    """Another hedge that the words may mean; a preposition can mean a place or a topic."""
    other_scale: float | None = None
    """The factor between two meanings: 20m can be 20 metres or 20 million."""
    polarity: str = "affirmed"
    """Whether the words deny the quantity: "not even 20 men"."""
    other_unit: str | None = None
    """The unit of the other meaning: 69 cents can be 0.69 US dollars."""

    def agrees(self, other: Quantity) -> bool:
        """Return whether another quantity has the same numbers, hedge and unit; a guess fits both.

        One that is read as affirmed may also be denied or promised, by words that are not read.
        """
        read = [self]
        if self.other_hedge:
            number = self.value or self.low or 0.0
            read.append(_quantity(number, self.other_hedge, self.unit))
        if self.other_scale:
            read += [each.scaled(self.other_scale) for each in read]
        same_polarity = self.polarity in ("affirmed", other.polarity)
        is_same = any(each[:4] == other[:4] and each.unit in (None, other.unit) for each in read)
        return is_same and same_polarity

    def scaled(self, scale: float) -> Quantity:
        """Return the quantity with its numbers multiplied by `scale`, in the unit of that meaning."""
        value, low, high = (_times(number, scale) for number in (self.value, self.low, self.high))
        return self._replace(value=value, low=low, high=high, unit=self.other_unit or self.unit)


def _times(number: float | None, scale: float) -> float | None:
    return None if number is None else round(number * scale, 6)


class LocatedQuantity(NamedTuple):
    """A quantity in a text, with the span of its number and of a currency or percent sign."""

    start: int
    end: int
    quantity: Quantity


@lru_cache(maxsize=1 << 10)
def numbers(words: str) -> frozenset[float]:
    """Return the value of every number in a phrase, regardless of its unit; "decade" is 10."""
    found = {numeral.value for numeral in numerals(tokens(narrow(words)))}
    return frozenset(found | ({10.0} if "decade" in words.casefold() else set()))


def read_quantity(words: str) -> Quantity | None:
    """Return the first quantity of a phrase, or None if it contains none."""
    found = readings(words)
    return found[0].quantity if found else None


def readings(text: str, units: Mapping[str, str] = UNITS) -> list[LocatedQuantity]:
    """Return the quantities of a text, in order."""
    return _quantities(ParsedText(text), units)


@lru_cache(maxsize=1 << 10)
def printed_number(phrase: str, hedge: str) -> str:
    """Return the words of a phrase that state its number, with its hedge and unit of measurement.

    The hedge is that of the annotated figure. If the words state it nowhere, as with a negated
    quantity, the result is the whole phrase.
    """
    found = readings(phrase)
    if not found:
        return phrase
    first = found[0]
    if hedge in ("exact", "vague"):
        start = first.start
        determined = _FEW.search(phrase)
        if determined and determined.end() > start >= determined.start():
            start = determined.start()
        return phrase[start : _end_of_unit(phrase, first.end)]
    ends = [word.end() for word in re.finditer(r"\S+", phrase) if word.end() >= first.end]
    starts = [word.start() for word in re.finditer(r"\S+", phrase) if word.start() <= first.start]
    # The fewest words with this hedge; most hedges are printed before the number.
    for end in [first.end, *ends]:
        for start in reversed(starts):
            read = read_quantity(phrase[start:end])
            if read and read.hedge == hedge:
                return phrase[start : _end_of_unit(phrase, end)]
    return phrase


_FEW = re.compile(r"\b(?:a|the|these|those) few\b", re.IGNORECASE)
"""Without its determiner, "few hundred" would mean hardly any."""
_UNIT = re.compile(r"[\s-]?(per cent|[a-z]+)", re.IGNORECASE)


def _end_of_unit(phrase: str, end: int) -> int:
    """Return the end of the unit of measurement after a number, or `end` if none follows."""
    following = _UNIT.match(phrase, end)
    if following and following[1].casefold() in {"per cent", *_COUNTED_ALONE}:
        return following.end()
    return end


def analyse(
    text: str, units: Mapping[str, str] = UNITS
) -> tuple[list[LocatedQuantity], list[tuple[int, int, OtherKind]]]:
    """Return the quantities of a text, and the start, end and kind of every other number."""
    parsed = ParsedText(text)
    others: list[tuple[int, int, OtherKind]] = [
        (n.start, n.end, "ordinal") for n in _ordinals(parsed)
    ]
    others += [(label.start, label.end, label.kind) for label in parsed.labels]
    return _quantities(parsed, units), sorted(others)


def may_contain_numbers(text: str) -> bool:
    """Return whether a text has a digit or a word of `_NEEDED`, as every number does."""
    return bool(_DIGIT.search(text)) or not _NEEDED.isdisjoint(_words(text.casefold()))


def _words(text: str) -> list[bytes]:
    """Return the runs of ASCII letters in a text, including those inside longer words."""
    # `encode` and `translate` are faster than a regular expression over the same text.
    return text.encode(errors="replace").translate(_ONLY_LETTERS).split()


_DIGIT = re.compile(r"[\d½¼¾⅓⅔]")
_OTHER_BYTES = bytes(byte for byte in range(256) if chr(byte) not in ascii_letters)
_ONLY_LETTERS = bytes.maketrans(_OTHER_BYTES, b" " * len(_OTHER_BYTES))
"""Table that translates every byte but an ASCII letter to a space."""
_COUNTED_ALONE = {noun for noun, unit in UNITS.items() if unit in MEASURED and " " not in noun}
_NEEDED = {word.encode() for word in (*WORDS, *MEASURES, *DECADES, *_COUNTED_ALONE)}
"""Words in ASCII letters: any text that contains a number has a digit or one of these."""


# ---- all quantities of a text --------------------------------------------------------------------


def _quantities(text: ParsedText, units: Mapping[str, str]) -> list[LocatedQuantity]:
    """Return the quantities of a text, in order and without overlap."""
    counted = [
        n for n in text.numerals if n.kind != "ordinal" and not text.within_label(n.start, n.end)
    ]
    found: list[LocatedQuantity] = []
    taken = 0
    for number, following in zip(counted, [*counted[1:], None], strict=False):
        if number.start < taken:
            continue
        reading = _range(text, number, following, units) or _single(text, number, units)
        if reading:
            # A sign between two numbers, as in "20€50", belongs to the first.
            found.append(reading._replace(start=max(reading.start, taken)))
            taken = reading.end
    # An article or a decade counts only where no number was read.
    for more in (_articles(text, units), _decades(text), _missed(text, found)):
        if candidates := list(more):
            taken_spans = _Spans(text, found)
            free = [each for each in candidates if not taken_spans.overlap(each.start, each.end)]
            found = sorted([*found, *free])
    return list(_inherited(text, found)) if len(found) > 1 else found


class _Spans:
    """The spans of the quantities, labels and ordinals of a text."""

    def __init__(self, text: ParsedText, found: list[LocatedQuantity]) -> None:
        spans = [(quantity.start, quantity.end) for quantity in found]
        spans += [(label.start, label.end) for label in text.labels]
        spans.sort()
        self._starts = [start for start, _ in spans]
        self._ends = [end for _, end in spans]

    def overlap(self, start: int, end: int) -> bool:
        """Return whether any of the spans overlaps the given one."""
        i = bisect_left(self._ends, start + 1)
        return i < len(self._starts) and self._starts[i] < end


def _ordinals(text: ParsedText) -> list[Numeral]:
    return [
        n for n in text.numerals if n.kind == "ordinal" and not text.within_label(n.start, n.end)
    ]


_NEVER_LOST = (NUMBERS.keys() | SCALES.keys()) - {"one", "score"}
"""Number words that are always found; "one" is mostly a pronoun."""
_DIGITS = frozenset("0123456789")
_PARTS = {"third", "thirds", "quarter", "quarters"}


def _missed(text: ParsedText, found: list[LocatedQuantity]) -> Iterator[LocatedQuantity]:
    """Yield each other number in digits or words, but no ordinal, as an exact one.

    The rules for ranges, fractions and the like may leave a number out, but none of a text is lost.
    """
    ordinals = {number.start: number.end for number in text.numerals if number.kind == "ordinal"}
    end_of_ordinal = 0
    found_at = {each.start for each in found}
    for at in [
        at for at, word in enumerate(text.words) if word[-1] in _DIGITS or word in _NEVER_LOST
    ]:
        start, word = text.starts[at], text.words[at]
        end_of_ordinal = ordinals.get(start, end_of_ordinal)
        if start >= end_of_ordinal and start not in found_at and not _completes(text, at):
            yield LocatedQuantity(
                start, text.ends[at], Quantity(plain_value(word), None, None, "exact", None)
            )


def _completes(text: ParsedText, at: int) -> bool:
    """Return whether a number completes the one before: "an hour and three quarters"."""
    before, part = text.word(at - 1), text.word(at + 1 + (text.word(at + 1) in HYPHENS))
    return (before == "below" and text.words[at] == "zero") or (before == "and" and part in _PARTS)


_ENDS = {".", "!", "?"}
_COUNTED = {"person", "event", "item", "country"}
"""Units that a number with a fraction never takes over from another: "up 24 points at 18,432.24"."""
_NEAR_WHOLE, _NEAR_END = 5, 2
"""Maximum number of words between a part and the whole, "31 of the mill’s 38", and before the end of
a movement: "from 12 to nearly 14".
"""


def _inherited(text: ParsedText, found: list[LocatedQuantity]) -> Iterator[LocatedQuantity]:
    """Yield readings; a number near one without a noun may have it: "31 of 38 drones"."""
    counted = before = None
    end = 0
    for reading, following in zip(found, [*found[1:], None], strict=True):
        said = reading.quantity
        joiner = text.words[text.index(end) : text.index(reading.start)]
        if not _ENDS.isdisjoint(joiner):
            counted = before = None
        moved = "from" in joiner or "to" in joiner
        if not (said.unit or said.likely_unit):
            likely = _unit_of_following(text, reading, following)
            if not likely:
                # A percentage of a change is rarely followed by another: "2 percent to 18,432".
                # So is a time: "a nine-year low of 77".
                if before not in UNCOUNTED or before == "event":
                    likely = before
                if not moved:
                    likely = counted or likely
            is_whole = likely not in _COUNTED or not (said.value or 0.0) % 1
            said = said._replace(likely_unit=None)
            if is_whole:
                said = said._replace(likely_unit=likely)
        elif moved and said.unit == "usd" and before == "usd_per_month":
            said = said._replace(unit=None, likely_unit=before)
        yield reading._replace(quantity=said)
        before = said.unit or said.likely_unit or before
        counted = counted if before in UNCOUNTED else before
        end = reading.end


def _unit_of_following(
    text: ParsedText, reading: LocatedQuantity, following: LocatedQuantity | None
) -> str | None:
    """Return the unit of a number that ends a movement or is the whole: "31 of 38 drones"."""
    if not following or text.word(text.index(following.start)) in CURRENCIES:
        return None
    between = text.words[text.index(reading.end) : text.index(following.start)]
    after = [word for word in between if word not in HYPHENS]  # "a 73-to-25 percent victory"
    joins = bool(after) and after[0] in {"of", "to", "and", "or", "out", "from"}
    if not joins or len(after) > (_NEAR_WHOLE if after[0] in {"of", "out"} else _NEAR_END):
        return None
    return following.quantity.unit or following.quantity.likely_unit


# ---- ranges --------------------------------------------------------------------------------------

MOVES = set(
    "climbed climbs climb climbing rose risen rise rises rising grew grown growing growth soared surged surge jumped "
    "jump swelled swell crept creep creeps went gone go goes going moved move pushed fell fall fallen falling dropped "
    "drop dropping increased increase increasing decreased decrease up down raise raised cut cutting reduced shrank "
    "shrunk declined decline edged edges edging inched inches ticked ticks shot nudged expanded doubled changed change "
    "boosted lowered slipped slid plunged improved slumped back".split()
)
"""Words that make "from A to B" a movement between two numbers instead of a range."""
_RIVALS = set(
    "leads lead led leading trails trailing beat beats beating points ahead behind defeated won "
    "lost negative deficit".split()
)
"""Words that make "A percent to B percent" the results of two rivals."""
_VERB = 9
"""Maximum number of words between a verb of movement and "from", as in "rose 3 percent ($2), from".
"""
_TO = {"to", "through", "till", "up to", "to as many as", "-", "–", "—", "‑", "- to", "- to -"}
"""Words and signs between the numbers of a range."""
_JOINERS = {"to", "and", "or", "through", "till"}
_EVEN: list[list[str]] = [[], ["even"], ["perhaps"], ["maybe"], ["possibly"]]
"""Words after "or" between the numbers of a range."""
_OR = 3
"""The largest multiple that may follow "or": "two or three", but not "two or 500"."""
_COMMA = 1.5
"""The largest multiple that may follow a comma: "five, six men", but not "two, four"."""
_BETWEEN = 4
_BETWEEN_AGES = (["between", "the", "ages", "of"], ["between", "ages", "of"])
_SAME_UNIT = 3
"""Maximum number of words of a unit that both numbers of a range have: "450 sq ft up to 900 sq ft".
"""


def _range(
    text: ParsedText, number: Numeral, following: Numeral | None, units: Mapping[str, str]
) -> LocatedQuantity | None:
    """Read a range: "between 5 and 7", "5 to 7 million", but not "rose from 300 to 1,400"."""
    if not following or number.kind != following.kind or number.kind not in {"cardinal", "share"}:
        return None
    first, end = _first(text, number), text.index(following.end)
    joiner = text.words[text.index(number.end) : _first(text, following)]
    if _converts(text, number, following) or text.starts[text.index(following.start)] < number.end:
        return None
    low = number.value * _shared_scale(text, number, following)
    joiner, repeated = _without_unit(text, joiner, first, end)
    if joiner == [","] and text.word(first - 1) == "," and text.ends_number(first - 2):
        return None  # "one, two, three, four"
    apart = joiner[:1] == [","] and text.word(end) == ","  # "two, maybe three, times"
    joined = _joins(text, joiner, first, end, low=low, high=following.value)
    # "two hours or six hours"
    joined &= not (repeated and joiner[:1] == ["or"] and following.value > _COMMA * low)
    # "one or two"
    one_or_many = number.value == 1 and "or" in joiner[:1] and following.value > 2  # noqa: PLR2004
    rivals = repeated and not _RIVALS.isdisjoint(text.words[max(0, first - _VERB) : first])
    far = following.value > 2 * low
    if (
        not joined
        or low >= following.value
        or one_or_many
        or rivals
        or _moves(text, first, far=far)
    ):
        return None
    if text.word(end) in DECADES:
        years = DECADES[text.word(end)]
        quantity = Quantity(None, years * low, years * following.value, "range", "year")
        return LocatedQuantity(number.start, text.ends[end], quantity)
    unit, likely = units_after(text, number, end + apart, units)
    quantity = Quantity(None, low, following.value, "range", unit, likely)
    quantity = _or_metres(text, first, end, quantity)
    return LocatedQuantity(text.starts[first], _signed_end(text, following), quantity)


def _without_unit(
    text: ParsedText, joiner: list[str], first: int, end: int
) -> tuple[list[str], bool]:
    """Return the words between two numbers without their common unit, and whether there is one."""
    after = text.words[end : end + _SAME_UNIT]
    for length in range(min(len(joiner), len(after)), 0, -1):
        unit = joiner[:length]
        words = all(word.isalpha() or word in {"%", "°"} for word in unit)
        same = unit == after[:length] and words and _JOINERS.isdisjoint(unit)
        percent = (
            length == 1 and unit[0] in {"%", "percent"} and after[0] in {"%", "percent", "per"}
        )
        if (same and text.word(first - 1) not in MOVES) or percent:
            return joiner[length:], True  # "5% to 7%", "5kg-10kg", "between 15C and 20C"
    return joiner, False


def _joins(
    text: ParsedText, joiner: list[str], first: int, end: int, *, low: float, high: float
) -> bool:
    """Return whether the words between two numbers make them a range."""
    if joiner[1:] == ["or"] and joiner[0] in HYPHENS:
        joiner = joiner[1:]  # "a two- or three-day trip"
    if " ".join(joiner) in _TO:
        return True
    while text.word(first - 1) in {"+", "/", "-", "±"}:
        first -= 1  # "between +/- 3.1 and 4.9"
    before = text.words[max(0, first - _BETWEEN) : first]
    if joiner[:1] == ["and"] and ("between" in before[-2:] or before in _BETWEEN_AGES):
        # "between 3 and more than 10"
        return len(joiner) == 1 or _hedge_phrase(joiner[1:]) is not None
    if joiner[:2] == ["and", "between"] or joiner[:1] == ["or"]:
        return joiner[1:] in _EVEN and high <= _OR * low
    counts = text.word(end).isalpha() or text.word(end) == ","
    listed = (joiner == [","] and text.word(first).isalpha()) or (
        joiner[1:] in _EVEN[1:] and counts
    )
    return joiner[:1] == [","] and listed and high <= _COMMA * low  # "six, maybe seven men"


def _converts(text: ParsedText, number: Numeral, following: Numeral) -> bool:
    """Return whether two numbers have signs of different currencies: "£78 or $101" is one price."""
    sign = text.words[_first(text, number) : text.index(number.start)]
    other = text.words[_first(text, following) : text.index(following.start)]
    return bool(sign and other) and sign != other


def _moves(text: ParsedText, first: int, *, far: bool) -> bool:
    """Return whether a number begins a movement: "rose from 300", "an increase from 300"."""
    if far and text.word(first - 1) in MOVES:
        return True
    starts = {"from", "by"} if far else {"from"}  # "grew by 3 to 4 percent"
    at = next((at for at in range(first - 1, first - 4, -1) if text.word(at) in starts), None)
    return at is not None and not MOVES.isdisjoint(text.words[max(0, at - _VERB) : at])


def _shared_scale(text: ParsedText, number: Numeral, following: Numeral) -> float:
    """Return the scale of the last number of a range if the first has none: "5 to 7 million"."""
    scale = _scale_of(text, following)
    if _scale_of(text, number) == 1 and number.value < following.value / scale:
        return scale
    return 1.0


def _scale_of(text: ParsedText, number: Numeral) -> float:
    scale = 1.0
    for word in text.words[text.index(number.start) : text.index(number.end)]:
        scale *= SCALES.get(word) or SHORT.get(word, 1.0)
    return scale


# ---- single numbers ------------------------------------------------------------------------------

_SMALL = 20
"""The number below which the hedge that a preposition expresses is only a guess."""
_LASTING = set(
    "for than by aged been lasted lasts lasting took take takes taken spent waited lived served just well".split()
)
"""Words after which "over" means longer: "for over five years", not "paid over five years"."""
_DURATIONS = {"hour", "day", "week", "month", "year"}


_CENTS = {"cent", "cents"}


def _single(text: ParsedText, number: Numeral, units: Mapping[str, str]) -> LocatedQuantity | None:
    """Read a number alone; None for the pronoun "one" and for a number of decades."""
    first, end = text.index(number.start), text.index(number.end)
    if text.word(end) in DECADES and number.kind == "cardinal":
        return None  # `_decades` reads it
    if a_year_or_two := _article_or_number(text, number, first, units):
        return a_year_or_two
    unit, likely = units_after(text, number, end, units)
    if not (unit or likely) and _counts_persons(text, end):
        likely = "person"
    small = abs(number.value) < _SMALL and unit not in NEVER_PLACES and text.word(end) != "of"
    hedge, other = _hedge(text, first, end, number, small=small)
    if unit in _DURATIONS:
        hedge, other = _during(text, first, hedge, other)
    if number.value == 1 and text.words[first:end] == ["one"]:
        if not _one_counts(text, first, end, units, hedged=hedge not in {None, "exact"}):
            return None
        if hedge not in {None, "exact"} and not unit and text.word(end).isalpha():
            unit = unit_of(text.word(end), units)
            likely = None if unit else likely or likely_unit(f"{text.word(end)}s") or "item"
    quantity = _quantity(number.value, hedge or "exact", unit, likely, other)
    quantity = _or_metres(text, first, end, quantity)
    if number.kind == "vague" and "couple" in text.words[first:end]:
        quantity = quantity._replace(other_hedge="about")
    if quantity.unit == "other" and not _CENTS.isdisjoint(text.words[end : end + _SAME_UNIT]):
        quantity = quantity._replace(other_scale=0.01, other_unit="usd")
    return LocatedQuantity(text.starts[_first(text, number)], _signed_end(text, number), quantity)


def _counts_persons(text: ParsedText, end: int) -> bool:
    """Return whether what follows a number without a noun is done or happens to persons only: "12 who
    left", "12 of them in Rome who", "12 died", "12 were arrested".
    """
    if text.word(end) in {"are", "were"}:
        return not STATES.isdisjoint(text.words[end + 1 : end + 3])
    if text.word(end) == "of" and text.word(end + 1) in {"them", "those"}:
        return "who" in text.words[end + 2 : end + 2 + _REACH_OF_WHO]
    return text.word(end) in {"who", "died"}


_REACH_OF_WHO = 5


def _article_or_number(
    text: ParsedText, number: Numeral, first: int, units: Mapping[str, str]
) -> LocatedQuantity | None:
    """Read "a year or two" as a range from one."""
    noun = text.word(first - 2)
    if text.word(first - 1) != "or" or text.word(first - 3) not in ARTICLES or not noun.isalpha():
        return None
    if not 1 < number.value <= _OR:
        return None
    unit = unit_of(noun, units)
    likely = None if unit else likely_unit(f"{noun}s") or "item"
    quantity = Quantity(None, 1.0, number.value, "range", unit, likely)
    return LocatedQuantity(text.starts[first - 3], number.end, quantity)


def _during(text: ParsedText, first: int, hedge: str | None, other: str | None) -> _Hedge:
    """Return both hedges of a duration: "£5m over five years" probably means exactly five, "lasted
    over five years" more.
    """
    if text.word(first - 1) != "over" or "more_than" not in (hedge, other):
        return hedge, other
    if text.word(first - 2) in _LASTING:
        return ("more_than", None)
    return ("exact", "more_than")


def _or_metres(text: ParsedText, first: int, end: int, quantity: Quantity) -> Quantity:
    """Return a quantity with "m" in metres, or in millions if no words say which."""
    if quantity.unit or text.word(end - 1) != "m" or not text.touches(end - 1):
        return quantity
    # As in "a 20m drop", "1,500m", or "30ft (10m)".
    few = text.word(first - 1) in ARTICLES or (quantity.value or 0.0) >= SCALES["billion"]
    few |= text.word(first - 1) == "(" and text.word(first - 2) in ("feet", "foot", "ft")
    if not few:
        return quantity._replace(other_scale=1 / SCALES["million"])
    return quantity.scaled(1 / SCALES["million"])._replace(
        likely_unit="other", other_scale=SCALES["million"]
    )


def _one_counts(
    text: ParsedText, first: int, end: int, units: Mapping[str, str], *, hedged: bool
) -> bool:
    """Return whether "one" is a quantity: hedged, or before a unit of measurement."""
    before, noun = text.word(first - 1), text.word(end)
    unit = units.get(noun) or ("percent" if noun == "%" else None)
    if before in ARTICLES and unit == "percent":
        return True  # "a one percent cut"
    if before in THE or (before in HYPHENS and not text.word(first - 2).isdigit()):
        return False  # "the one", "no-one"
    begins = first == 0 or not text.word(first - 1).isalnum()
    if (
        unit in MEASURED
        and begins
        and text.word(end + 1) in PRONOUNS | THE | {","}
        and before != ","
    ):
        return False  # "One year it rained"
    if unit in MEASURED:
        return True
    if hedged and before in {"over", "under"}:
        counted = text.word(first - 2)
        if unit_of(counted, units) == "person":
            return True  # "babies under one"
    # "right about one thing", "perhaps one way", "a good one"
    return hedged and (unit in NEVER_PLACES or noun in MEASURES or not _is_loose(text, first))


def _is_loose(text: ParsedText, first: int) -> bool:
    """Return whether the phrase before "one" more often means a place, a topic or a doubt."""
    found = _phrase_before(text, first)
    if not found:
        return False
    return found[0] in _LOOSE | _NEVER_ONE or " ".join(found[0]) in _ELSEWHERE


def _first(text: ParsedText, number: Numeral) -> int:
    """Return the index of the first token of a number, or of its currency sign."""
    first = text.index(number.start)
    money = money_before(text, first)
    return money[0] if money else first


def _signed_end(text: ParsedText, number: Numeral) -> int:
    """Return the end of a number, including a percent or currency sign after it."""
    i = text.index(number.end)
    signed = text.word(i) == "%" or (text.word(i) in CURRENCIES and text.touches(i))
    return text.ends[i] if signed else number.end


# ---- hedges --------------------------------------------------------------------------------------

_Phrase: TypeAlias = tuple[str, ...]
_Hedges: TypeAlias = dict[str, list[tuple[_Phrase, str]]]


def _hedges(side: str, at: int) -> _Hedges:
    """Return the hedging phrases next to a number by their nearest word, longest first."""
    found: _Hedges = {}
    phrases = [
        (tuple(row["phrase"].split()), row["hedge"])
        for row in rows("hedges")
        if row["side"] == side
    ]
    # The longest first, so that "no more than" is found before "more than".
    for phrase, hedge in sorted(phrases, key=lambda pair: -len(pair[0])):
        found.setdefault(phrase[at], []).append((phrase, hedge))
    return found


_BEFORE, _AFTER = _hedges("before", -1), _hedges("after", 0)
_SKIPPED = set(
    "the a an another his her their its our my only just these those us first last past next other additional total "
    "combined full even".split()
)
"""Words that may come between a hedge and its number."""
_DEFINITE = set("the his her their its our my these those".split())
"""Words that make what follows a known number, with which another is compared."""
_NEGATORS = {"not", "t", "never", "no", "nor", "without", "cannot", "nobody", "neither", "hardly"}
_NEGATED = {"more_than": "up_to", "less_than": "at_least"}
_DENIED = "denied"
"""The hedge in the table of hedges of phrases that deny a number: "not even 20 men"."""
_CLOSE = {"just", "little", "slightly", "fractionally", "marginally"}
"""Words before "under" and "below" that make them mean nearly: "just under 40"."""
_SPANNED = {
    "over": {"past", "last", "next", "coming", "following", "first"},
    "within": {"past", "last"},
}
"""Words after "over" and "within" that make them mean a span of time: "over the next two years"."""
_LOWEST = {(verb, of) for verb in ("start", "starts", "starting") for of in ("at", "from")}
"""Phrases before the lowest of several prices, or before the first of two."""
_CLIMBS = set(
    "climbed climbs rose risen grew grown soared surged jumped swelled crept went moved pushed gone".split()
)
_TOTALS = set("number toll total count figure tally population".split())
"""Nouns after which, as after verbs of movement, "past" hedges a number: "the toll past 900"."""
_SAT = "sat sit sits sitting stood slept lived living hid hidden hiding held buried trapped crushed found put kept"
_WENT = (
    "walked walk walking went ran run running drove drive driving flew fly flying rode marched sailed rowed climbed "
    "jumped crossed stepped stumbled travelled traveled wandered"
)
_TOPIC = (
    "film films book books novel story stories report article song play documentary talk talks talked talking spoke "
    "speak speaking asked ask asking worried worry worries thought think cared care complained complaints concerned "
    "concerns told tell heard knew know wrote written question questions question news information rumours rumors joke"
)
_RULED = (
    "fell leaning hung swept jailed arrested sued fined charged convicted row probe handed handing hand hands turned "
    "took take taken taking gave presides presided preside labored quarrel fight fought dispute argue argued control "
    "rule power"
)
_ELSEWHERE = {
    # "all over" and "all around" mean a place, and so does "in and around".
    word: frozenset(f"all {before}".split())
    for word, before in {
        "about": _TOPIC,
        "around": f"{_SAT} {_WENT} and gathered built wrapped centered centred",
        "over": f"{_SAT} {_WENT} {_RULED}",
        "under": f"{_SAT} served serve serving worked working suffered law laws which",
        "above": f"{_SAT} {_WENT}",
        "below": f"{_SAT} {_WENT}",
        "north of": "lies lie lay due miles km kilometres kilometers",
        **dict.fromkeys(("beyond", "within", "crossed", "crossing"), ""),
        "past": _WENT,
        "passed": "he she they we i have had has",
    }.items()
}
"""Prepositions and verbs that can hedge a number, each with the words after which it probably does
not.

Before a small number of countable units, any of them may mean a place or a topic, so the hedge is
only a guess.
"""
_INSIDE = {"within", "beyond"}
"""Prepositions that probably mean a place before a small number: "within two camps"."""
_NEAR_TO = {"about", "around"}
"""Prepositions that also hedge a number before a unit: "about a 20-minute walk"."""
_PASSED = {"crossed", "crossing"}
"""Verbs before what was crossed: "crossed two rivers", but "crossed 70 percent" is a hedge."""
_LOOSE = {
    (word,) for word in "some without perhaps maybe probably beyond below above past passed".split()
}
"""Phrases that hedge a number, but mean something else before an article."""
_NEVER_ONE = {("a", "good"), ("not", "even")}
"""Phrases that hedge a number, but not "one" or an article: "not even a litre", "a good one"."""
_ENDING = {"or", "and", "-", "odd", "ish", "+"}
"""Words that begin a hedge after a number, and no other: "a dozen or so 12-year-olds"."""

_Hedge: TypeAlias = tuple[str | None, str | None]
"""The hedge of a number, or None, and an alternative that the words may mean."""


def _hedge(
    text: ParsedText, first: int, end: int, number: Numeral, *, small: bool = False
) -> _Hedge:
    """Return the hedge of a number, before or after it."""
    if number.kind == "vague":
        return "vague", None
    money = money_before(text, first)
    at = money[0] if money else first
    hedge, other = _hedge_before(text, at, small=small)
    if hedge == "less_than" and not _CLOSE.isdisjoint(text.words[max(0, at - 3) : at]):
        return hedge, "nearly"
    if hedge:
        return hedge, other
    return _hedge_after(text, end, money=bool(money)), None


def _hedge_before(text: ParsedText, first: int, *, small: bool) -> _Hedge:
    """Return the hedge before a number, skipping articles and the like."""
    at = first
    for _ in range(4):
        if found := _phrase_before(text, at):
            return _meaning(text, at, first, *found, small=small)
        if text.word(at - 1) not in _SKIPPED:
            break
        at -= 1
    return None, None


def _phrase_before(text: ParsedText, end: int) -> tuple[_Phrase, str] | None:
    """Return the hedging phrase before a token, and its hedge; a comparative may have a noun."""
    for phrase, hedge in _BEFORE.get(text.word(end - 1), ()):
        start = end - len(phrase)
        if phrase == (text.word(start - 1), "than") and text.word(end + 1).rstrip("s") in MEASURES:
            return (
                phrase,
                hedge,
            )  # "a longer period than one year", not "older lamps than 40 keepers"
        if tuple(text.words[max(0, start) : end]) == phrase:
            past = (
                phrase == ("past",)
                and text.word(start - 1) not in _CLIMBS | _TOTALS | _ELSEWHERE["past"]
            )
            # "> 40 boats", as mail is quoted
            quoted = phrase[0] in {"<", ">"} and not text.touches(end)
            # "the run-up to 2 June", "Washington D.C. 20515"
            joined = text.word(start - 1) in {*HYPHENS, "."} and text.touches(start)
            # "5 points shy of the record"
            apart = phrase[-2:] in {("shy", "of"), ("short", "of")}
            apart &= is_plural(text.word(start - 1))
            # "rose to top 10 status", but "to top 10 million"
            best = phrase == ("to", "top") and re.fullmatch(r"\d\d?", text.word(end)) is not None
            best &= not (text.word(end + 1) in SCALES or text.touches(end + 1))
            if past or quoted or joined or apart or best:
                return None
            return phrase, hedge
    return None


def _hedge_phrase(words: list[str]) -> str | None:
    """Return the hedge that some words express, or None."""
    return dict(_BEFORE.get(words[-1], ())).get(tuple(words))


def _meaning(
    text: ParsedText, at: int, first: int, phrase: _Phrase, hedge: str, *, small: bool
) -> _Hedge:
    """Return what the hedging phrase before the token `at` means for the number at `first`."""
    start, between = at - len(phrase), text.words[at:first]
    if not _SPANNED.get(phrase[0], set()).isdisjoint(between):
        return None, None  # "over the past two years"
    if (
        hedge in _NEGATED
        and phrase[-1] == "than"
        and phrase[0] != "no"
        and _is_negated(text, start, reach=3)
    ):
        return _NEGATED[hedge], hedge  # "cannot be more than ten"
    if hedge in _NEGATED and not _DEFINITE.isdisjoint(between):
        return "exact", hedge  # "less than the $8 that was expected"
    if phrase == ("up", "to") and text.word(start - 1) in MOVES | _WITH_UP:
        return "exact", hedge  # "edges up to 5%", "turned up to one meeting"
    articled = not ARTICLES.isdisjoint(between)
    if articled and phrase[0] in _ELSEWHERE and len(phrase) == 1:
        topic = text.word(first) in CURRENCIES and start > 0  # "quibble over a $40 million clinic"
        # "over a six-year period", but "about a 20-minute walk"
        compound = phrase[0] not in _NEAR_TO and _is_compound(text, first)
        if topic or compound:
            return "exact", hedge
        return hedge, "exact"
    return _hedge_or_place(phrase, hedge, text.word(start - 1), small=small)


_WITH_UP = frozenset(
    "add added adding adds faced live lived lives show showed showing shows stand stands stood turn turned turning"
    " turns".split()
)
"""Verbs of which "up" is a part."""


def _is_compound(text: ParsedText, first: int) -> bool:
    """Return whether a hyphen joins a number to the next word, as in "a six-year period"."""
    number = text.numeral_at(first)
    at = text.index(number.end)
    return text.word(at) in HYPHENS and text.word(at + 1).isalpha()


def _hedge_or_place(phrase: _Phrase, hedge: str, before: str, *, small: bool) -> _Hedge:
    """Return both meanings of a hedging phrase: a preposition can mean a place or a topic."""
    if phrase in _LOWEST:
        return hedge, "exact"
    places = _ELSEWHERE.get(" ".join(phrase))
    if places is None:
        return hedge, None
    if before in _CLIMBS:
        return hedge, "exact" if small and before in places else None
    unlikely = phrase[0] in _PASSED or (small and phrase[0] in _INSIDE)
    is_number = is_digits(before) and not _YEAR.fullmatch(before)  # "In 2004 about 25 boats"
    if before in places or is_number or unlikely:
        return "exact", hedge  # "held 4 over $2 million", in a headline
    return hedge, "exact" if small else None


_YEAR = re.compile(r"(?:19|20)\d\d")
_CLAUSE = 8
"""Number of words before a number among which a negation may deny it."""


def read_one(words: str, units: Mapping[str, str] = UNITS) -> Quantity | None:
    """Return the quantity of words that begin with "one" and a noun, such as "one mill in Orr".

    No text shows that "one" counts there, and it is not detected; a figure says that it does.
    """
    if not words.casefold().startswith("one "):
        return None
    found = readings(f"1 {words[len('one ') :]}", units)
    if found and not found[0].start:
        return found[0].quantity
    return None


def denies_one(words: str) -> bool:
    """Return whether words deny one of something, as in "not even a kilo" and "not one word"."""
    parsed = ParsedText(words)
    singles = [i for i, word in enumerate(parsed.words) if word in ARTICLES or word == "one"]
    return any(_is_negated(parsed, i, reach=_CLAUSE) for i in singles)


def _is_negated(text: ParsedText, first: int, *, reach: int) -> bool:
    for word in reversed(text.words[max(0, first - reach) : first]):
        if word in {*_NEGATORS, ".", "!", "?"}:
            return word in _NEGATORS
    return False


def _hedge_after(text: ParsedText, end: int, *, nouns: int = 2, money: bool = False) -> str | None:
    """Return the hedge after a number, or after the noun of at most two words that it counts."""
    for at in range(end, end + nouns + 1):
        for phrase, hedge in _AFTER.get(text.word(at), ()):
            after = at + len(phrase)
            if tuple(text.words[at:after]) == phrase and not _hedges_next(
                text, phrase, after, money=money
            ):
                return hedge
        if text.word(at) in STOPS:
            return None
    return None


def _hedges_next(text: ParsedText, phrase: _Phrase, after: int, *, money: bool) -> bool:
    """Return whether a phrase after a number hedges the next one, or adds something."""
    # "14 boats, at least six of them new", "24 men paid at least £10"
    next_number = phrase[0] not in _ENDING and text.starts_number(
        after + (text.word(after) in CURRENCIES)
    )
    # "3 percent, plus or minus", "£500 plus costs" is not at least £500.
    if phrase == ("plus",) and text.word(after) == "or":
        return True
    added = (
        phrase == ("plus",)
        and money
        and text.word(after).isalpha()
        and text.word(after) not in EACH
    )
    # "a $15 minimum wage"
    adjective = phrase[-1] in {"minimum", "maximum", "max"} and text.word(after).isalpha()
    adjective &= text.word(after) not in CLAUSES | {"of", "and", "or", "a", "an", "per"}
    # "3 million and more than 10"
    compared = phrase[-1] in {"more", "less", "fewer"} and text.word(after) == "than"
    return next_number or added or adjective or compared


# ---- quantities without a number word ------------------------------------------------------------


def _articles(text: ParsedText, units: Mapping[str, str]) -> Iterator[LocatedQuantity]:
    """Yield articles that mean one unit: "more than a year", "an hour or so"."""
    for i in [i for i, word in enumerate(text.words) if word in ARTICLES]:
        noun = text.word(i + 1)
        if not noun.isalpha() or noun in SCALES or noun in DECADES or text.word(i + 2) == "ago":
            continue
        metric = noun in MEASURES - {"second"}
        measured = _is_measured(text, i, units)
        hedge = _article_hedge(text, i) if measured else None
        if not hedge and (measured or metric):
            hedge = _hedge_after(text, i + 1, nouns=1)  # "an hour or so"
        if hedge:
            unit = unit_of(noun, units)
            likely = None if unit else likely_unit(noun) or "item"
            yield LocatedQuantity(
                text.starts[i], text.ends[i + 1], _quantity(1.0, hedge, unit, likely)
            )


def _is_measured(text: ParsedText, i: int, units: Mapping[str, str]) -> bool:
    """Return whether the noun after an article is a unit: "a year", "a day" after "than"."""
    noun = text.word(i + 1)
    compared = text.word(i - 1) == "than" and (
        noun in MEASURES - {"second"} or units.get(noun) == "day"
    )
    return units.get(noun) in MEASURED or compared


def _article_hedge(text: ParsedText, i: int) -> str | None:
    """Return the hedge before "a" or "an"."""
    found = _phrase_before(text, i)
    if not found or found[0] in _LOOSE | _NEVER_ONE:
        return None
    hedge, _ = _hedge_or_place(*found, text.word(i - len(found[0]) - 1), small=False)
    return None if hedge == "exact" else hedge


def _decades(text: ParsedText) -> Iterator[LocatedQuantity]:
    """Yield decades and centuries as years: "a decade", "half a century"."""
    ends = {number.end: number for number in text.numerals}
    for i, word in [] if DECADES.keys().isdisjoint(text.words) else enumerate(text.words):
        # "a decade ago" is a date.
        if word not in DECADES or text.word(i + 1) in RELATIVE:
            continue
        number = ends.get(text.ends[i - 1]) if i else None
        if number and number.kind == "cardinal":
            counted = number._replace(end=text.ends[i], value=DECADES[word] * number.value)
        elif text.word(i - 1) in {"last", "past", "this", "next", "per"}:
            continue
        elif text.word(i - 1) == "a" and word in MEASURES:
            counted = Numeral(text.starts[i - 1], text.ends[i], DECADES[word], "cardinal")
        elif word not in MEASURES:
            counted = Numeral(text.starts[i], text.ends[i], 2 * DECADES[word], "vague")
        else:
            continue
        first = text.index(counted.start)
        hedge, other = _during(text, first, *_hedge(text, first, i + 1, counted))
        quantity = _quantity(counted.value, hedge or "exact", "year", None, other)
        yield LocatedQuantity(counted.start, counted.end, quantity)


def _quantity(
    n: float,
    hedge: str | None,
    unit: str | None = None,
    likely: str | None = None,
    other: str | None = None,
) -> Quantity:
    """Return a quantity with the bounds that its hedge implies."""
    polarity = "affirmed"
    if hedge == _DENIED:
        hedge, polarity = "exact", "denied"
    hedge = hedge or "exact"
    if hedge == "vague":
        other = None
    numbers = dict.fromkeys(BOUNDS[hedge], n)
    value, low, high = numbers.get("value"), numbers.get("low"), numbers.get("high")
    return Quantity(value, low, high, hedge, unit, likely, other, polarity=polarity)
