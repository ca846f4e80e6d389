"""Comparison of figures of one measure by the numbers that they allow, and interval arithmetic.

"Nearly 40" allows the numbers from a little below 40 up to but excluding 40; the vocabulary
declares how far "about" and "nearly" extend. Two figures may allow the same numbers (`same`); one
may allow only numbers that the other allows (`entails`); they may have some numbers in common
(`compatible`), have some in common only if they are read as rounded (`agrees_rounded`), or have
none (`conflicts`, or `differs_undated` if they may apply to different times). Figures with
different units, populations or dates are not compared. Numbers are never merged or ranked. The
arithmetic follows Moore (1966), extended by open ends.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Literal, NamedTuple, TypeAlias

Verdict: TypeAlias = Literal[
    "same",
    "entails",
    "compatible",
    "agrees_rounded",
    "differs_undated",
    "conflicts",
    "not_comparable",
]
Times: TypeAlias = Literal[
    "constant",
    "equal",
    "a_within_b",
    "b_within_a",
    "overlap",
    "undated",
    "a_undated",
    "b_undated",
    "apart",
]

BOUNDS = {
    "exact": ("value",),
    "about": ("value",),
    "nearly": ("value", "high"),
    "less_than": ("value", "high"),
    "up_to": ("value", "high"),
    "more_than": ("value", "low"),
    "at_least": ("value", "low"),
    "range": ("low", "high"),
    "vague": ("low",),
}
"""The numbers that each hedge implies; except for `range`, they are all the same number.

The verifier has a copy, because it is a single file; a test compares the two.
"""

TOLERANCES = {"about": 0.0, "nearly": 100.0, "exact": 5.0}
"""Tolerances in percent of the printed number, unless the vocabulary declares others: `about`
allows only the number, and `nearly` any number below it. The tolerance of `exact` limits how far a
round number extends, and is fixed.
"""

LEAST = 1
"""The smallest tolerance of `about` and `nearly` for units that are counted in whole numbers."""


class Interval(NamedTuple):
    """The numbers from `low` to `high`; an open end is excluded, a missing bound is infinite."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False

    def __str__(self) -> str:
        """Return the mathematical notation, such as [900, 1,000)."""
        if self.low == self.high:
            return number(self.low)
        ends = f"{number(self.low)}, {number(self.high)}"
        return f"{'(' if self.low_open else '['}{ends}{')' if self.high_open else ']'}"

    def empty(self) -> bool:
        """Return whether the interval contains no number."""
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def within(self, other: Interval) -> bool:
        """Return whether another interval contains every number of this one."""
        low = self.low > other.low or (
            self.low == other.low and (self.low_open or not other.low_open)
        )
        high = self.high < other.high or (
            self.high == other.high and (self.high_open or not other.high_open)
        )
        return low and high

    def common(self, other: Interval) -> Interval:
        """Return the numbers that both intervals contain; it may be empty."""
        # Tuples compare the bound first: of equal bounds, the one with an open end is narrower.
        low = max((self.low, self.low_open), (other.low, other.low_open))
        high = min((self.high, not self.high_open), (other.high, not other.high_open))
        return Interval(low[0], high[0], low[1], not high[1])

    def meets(self, other: Interval) -> bool:
        """Return whether the intervals have a number in common."""
        return not self.common(other).empty()

    def above(self, other: Interval) -> bool:
        """Return whether every number of this interval is above every number of another."""
        return self.low > other.high or (
            self.low == other.high and (self.low_open or other.high_open)
        )


class ComparableFigure(NamedTuple):
    """The properties of a figure that are compared."""

    words: str
    """Its number with its hedge, such as `nearly 40`."""
    hedge: str
    interval: Interval
    unit: str
    rounded: Interval | None = None
    """The numbers that it allows if it is read as rounded; None for one reading only."""
    population: str | None = None
    as_of: str | None = None
    first: date | None = None
    """First possible day of `as_of`."""
    last: date | None = None
    """Last possible day of `as_of`."""


class ComparisonResult(NamedTuple):
    """The verdict on two figures, and the reason in words."""

    verdict: Verdict
    explanation: str
    times: Times = "constant"
    """How the dates of the figures relate; `a` is the first figure."""


# ---- the numbers that a figure allows ------------------------------------------------------------


def stated(
    hedge: str,
    *,
    counted: bool,
    value: float | None,
    low: float | None,
    high: float | None,
    tolerances: Mapping[str, float],
) -> Interval:
    """Return the numbers that the words of a figure allow, including those that are not whole.

    `counted` says whether the unit is counted in whole numbers. `tolerances` says how far `about`
    and `nearly` extend, in percent of the number; for counted units, the distance is rounded down
    to a whole number, but is at least `LEAST`. Where the words give no lower end, it is zero or, if
    the number is negative, minus infinity; a vague figure has no upper end.
    """
    printed = value if value is not None else 0.0
    # Rounded, because binary fractions would otherwise appear in explanations, such as
    # 94.99999999999999.
    reach = round(abs(printed) * tolerances.get(hedge, TOLERANCES.get(hedge, 0.0)) / 100, 6)
    if counted and reach:
        reach = max(math.floor(reach), LEAST)
    lowest = 0.0 if printed >= 0 else -math.inf
    highest = math.inf if high is None else high
    below, above = max(round(printed - reach, 6), lowest), round(printed + reach, 6)
    return {
        "exact": Interval(printed, printed),
        "about": Interval(below, above),
        "nearly": Interval(below, printed, high_open=True),
        # An infinite end is always open.
        "less_than": Interval(lowest, printed, low_open=lowest < 0, high_open=True),
        "up_to": Interval(lowest, printed, low_open=lowest < 0),
        "more_than": Interval(printed, math.inf, low_open=True, high_open=True),
        "at_least": Interval(printed, math.inf, high_open=True),
        "range": Interval(low or 0.0, highest),
        "vague": Interval(low or 0.0, math.inf, high_open=True),
    }[hedge]


def whole(found: Interval) -> Interval:
    """Return an interval, narrowed to its first and last whole number."""
    if math.isinf(found.low):
        return found
    low = math.floor(found.low) + 1 if found.low_open else math.ceil(found.low)
    if math.isinf(found.high):
        return Interval(low, math.inf, high_open=True)
    high = math.ceil(found.high) - 1 if found.high_open else math.floor(found.high)
    # An interval without a whole number is left unchanged: an empty interval would conflict with
    # every other.
    return Interval(low, high) if low <= high else found


def rounded(
    hedge: str, value: float | None, allowed: Interval, *, counted: bool
) -> Interval | None:
    """Return the numbers that a figure allows if it is read as rounded; None for one reading.

    A number that has no hedge and ends in two or more zeros is round: it can mean any number within
    half a unit of its last non-zero digit, but only within the tolerance of `exact`. `nearly` can
    mean the number itself. `allowed` contains the numbers that the figure allows as it is printed.
    """
    if hedge == "nearly" and value:
        return Interval(allowed.low, value)
    if hedge != "exact" or not value or value % 100:
        return None
    place = 100
    # This ends because zero, which every number divides, is excluded above.
    while value % (place * 10) == 0:
        place *= 10
    reach = min(place / 2, abs(value) * TOLERANCES["exact"] / 100)
    found = Interval(round(value - reach, 6), round(value + reach, 6))
    return whole(found) if counted else found


# ---- two figures ---------------------------------------------------------------------------------


def compare(
    one: ComparableFigure, other: ComparableFigure, *, constant: bool = False
) -> ComparisonResult:
    """Return the verdict on two figures of one measure; it does not depend on their order.

    `constant` says that the measure does not change with time, so that dates do not matter.
    """
    times: Times = "constant" if constant else _times(one, other)
    if reason := _incomparability(one, other, times):
        return ComparisonResult("not_comparable", reason, times)
    verdict, explanation = _verdict(one, other, times)
    if times in _UNDATED and verdict != "differs_undated":
        explanation = f"{explanation} {_capital(_UNDATED[times])}."
    return ComparisonResult(verdict, explanation, times)


_A_IMPLIES_B = {"constant", "equal", "undated", "a_within_b", "b_undated"}
_B_IMPLIES_A = {"constant", "equal", "undated", "b_within_a", "a_undated"}
"""Relations between the times of two figures under which a can imply b, and those under which b can
imply a.

What is true at some time of a day is also true at some time of its month, and an undated figure
says only that it is true at some time.
"""


def _verdict(one: ComparableFigure, other: ComparableFigure, times: Times) -> tuple[Verdict, str]:
    a, b = one.interval, other.interval
    # Before `same`: two vague plurals allow equal intervals, but do not state the same number.
    if one.hedge == other.hedge == "vague":
        return (
            "compatible",
            "Both are plurals without a number: both can be right, and neither confirms the other.",
        )
    if a == b:
        if one.words == other.words:
            return "same", f"Both say {one.words}."
        return "same", f"{_both(one, other)} allow the same numbers."
    if a.within(b) and times in _A_IMPLIES_B:
        return "entails", f"If {one.words} is right, so is {other.words}."
    if b.within(a) and times in _B_IMPLIES_A:
        return "entails", f"If {other.words} is right, so is {one.words}."
    if a.meets(b):
        more = ""
        if a.within(b) or b.within(a):
            more = "; neither implies the other, because they may apply to different times"
        return "compatible", f"Both can be right: {_numbers(a.common(b))} would satisfy both{more}."
    if (one.rounded or a).meets(other.rounded or b):
        return "agrees_rounded", _rounding(one, other)
    differ = f"{_both(one, other)} have no number in common"
    if times in _UNDATED:
        return (
            "differs_undated",
            f"{differ}, but {_UNDATED[times]}: they may apply to different times.",
        )
    if times == "constant":
        return "conflicts", f"{differ}, and the measure does not change with time."
    dates = f"({one.as_of} and {other.as_of})"
    return "conflicts", f"{differ}, and their dates overlap {dates}."


_UNDATED = {
    "undated": "neither is dated",
    "a_undated": "the first is undated",
    "b_undated": "the second is undated",
}


def _both(one: ComparableFigure, other: ComparableFigure) -> str:
    return _capital(f"{one.words} and {other.words}")


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _numbers(common: Interval) -> str:
    """Return the numbers of an interval in words, such as `950 to 999`."""
    if common.low == common.high:
        return number(common.low)
    low = f"{'more than ' if common.low_open else ''}{number(common.low)}"
    if math.isinf(common.high):
        return low if common.low_open else f"{low} or more"
    return f"{low} to {'less than ' if common.high_open else ''}{number(common.high)}"


def _rounding(one: ComparableFigure, other: ComparableFigure) -> str:
    """Return why two figures agree only if they are read as rounded."""
    for figure, against in ((one, other), (other, one)):
        if figure.hedge == "exact" and figure.rounded and figure.rounded.meets(against.interval):
            common = _numbers(figure.rounded.common(against.interval))
            rounds = f"{figure.words} is a round number; {against.words} rounds to it"
            return f"{rounds}: both can be {common}."
    for figure, against in ((one, other), (other, one)):
        if figure.hedge == "nearly" and figure.rounded and figure.rounded.meets(against.interval):
            words = _capital(figure.words)
            return f"{words} may mean the number itself; then {against.words} agrees with it."
    common = _numbers((one.rounded or one.interval).common(other.rounded or other.interval))
    return f"{_both(one, other)} are round; both can mean {common}."


def _incomparability(one: ComparableFigure, other: ComparableFigure, times: Times) -> str | None:
    """Return the reason why two figures cannot be compared, or None if they can."""
    if one.unit != other.unit:
        return f"Their units differ: {one.unit} and {other.unit}."
    if one.population != other.population:
        mine, its = one.population or "not given", other.population or "not given"
        return f"Their populations differ: {mine} and {its}."
    if times == "apart":
        return f"Their dates differ: {one.as_of} and {other.as_of}."
    return None


# ---- times ---------------------------------------------------------------------------------------


def _times(one: ComparableFigure, other: ComparableFigure) -> Times:
    """Return how the dates of two figures relate."""
    if not one.as_of and not other.as_of:
        return "undated"
    if not one.as_of:
        return "a_undated"
    if not other.as_of:
        return "b_undated"
    if not _same_time(one, other):
        return "apart"
    inside, around = _during(one, other), _during(other, one)
    if inside and around:
        return "equal"
    if inside:
        return "a_within_b"
    return "b_within_a" if around else "overlap"


def _same_time(one: ComparableFigure, other: ComparableFigure) -> bool:
    """Return whether two dates can mean the same day; a day without a year can be in any year."""
    if yearless := _YEARLESS.fullmatch(one.as_of or ""):
        if again := _YEARLESS.fullmatch(other.as_of or ""):
            return yearless[1] == again[1] and (
                yearless[2] is None or again[2] is None or yearless[2] == again[2]
            )
        return _can_be(yearless, other)
    if yearless := _YEARLESS.fullmatch(other.as_of or ""):
        return _can_be(yearless, one)
    return (one.first or date.min) <= (other.last or date.max) and (other.first or date.min) <= (
        one.last or date.max
    )


_YEARLESS = re.compile(r"XXXX-([0-9]{2})(?:-([0-9]{2}))?")


def _can_be(yearless: re.Match[str], dated: ComparableFigure) -> bool:
    """Return whether a day or month without a year can be in the period of a date."""
    first, last = dated.first or date.min, dated.last or date.max
    # Such a period contains every day of the year; without this test, an open date would mean
    # millions of days.
    if (last - first).days >= _YEAR:
        return True
    month, day = int(yearless[1]), int(yearless[2] or 0)
    days = (date.fromordinal(number) for number in range(first.toordinal(), last.toordinal() + 1))
    return any(found.month == month and day in (0, found.day) for found in days)


_YEAR = 366


def _during(one: ComparableFigure, other: ComparableFigure) -> bool:
    """Return whether every day that one date can mean is a day that the other can mean."""
    if yearless := _YEARLESS.fullmatch(other.as_of or ""):
        if again := _YEARLESS.fullmatch(one.as_of or ""):
            return yearless[1] == again[1] and yearless[2] in (None, again[2])
        if not one.first or not one.last or (one.last - one.first).days >= _YEAR:
            return False
        days = (one.first + timedelta(days) for days in range((one.last - one.first).days + 1))
        return all(
            day.month == int(yearless[1]) and day.day == int(yearless[2] or day.day) for day in days
        )
    begins_within = (other.first or date.min) <= (one.first or date.min)
    ends_within = (one.last or date.max) <= (other.last or date.max)
    return begins_within and ends_within


# ---- arithmetic ----------------------------------------------------------------------------------


def total(parts: list[Interval]) -> Interval:
    """Return the sum of intervals."""
    low = sum(part.low for part in parts)
    high = sum(part.high for part in parts)
    low_open = any(part.low_open for part in parts)
    high_open = any(part.high_open for part in parts)
    return Interval(low, high, low_open, high_open)


def quotient(a: Interval, b: Interval) -> Interval:
    """Return a divided by b, neither of them negative; a divisor near zero leaves no upper end.

    An end is excluded if the end of a or b that it is computed from is excluded. Only a dividend of
    zero gives zero: as a divisor without an upper end grows, any other quotient approaches zero but
    does not reach it.
    """
    # Nothing can be divided by zero, so anything may be meant.
    if not b.high:
        return Interval(0, math.inf, high_open=True)
    low = a.low / b.high
    low_open = a.low_open or (a.low > 0 and (b.high_open or math.isinf(b.high)))
    if not a.high:
        return Interval(0, 0)
    if not b.low:
        return Interval(low, math.inf, low_open, high_open=True)
    high = a.high / b.low
    return Interval(low, high, low_open, math.isinf(high) or a.high_open or b.low_open)


def scaled(found: Interval, factor: float) -> Interval:
    """Return an interval with both ends multiplied by a factor."""
    return found._replace(low=found.low * factor, high=found.high * factor)


# ---- words ---------------------------------------------------------------------------------------


def hedged(hedge: str, value: float | None, low: float | None, high: float | None) -> str:
    """Return a number with its hedge, such as `nearly 40`."""
    match hedge:
        case "exact":
            return number(value)
        case "range":
            return f"{number(low)} to {number(high)}"
        case "vague":
            return f"{number(low)} or more (vague)"
        case _:
            return f"{hedge.replace('_', ' ')} {number(value or low or high)}"


def number(value: float | None) -> str:
    """Return a number with thousands separators, words for infinity, and "" for None."""
    if value is None:
        return ""
    if math.isinf(value):
        return "no upper end" if value > 0 else "no lower end"
    return f"{value:,.0f}" if float(value).is_integer() else f"{round(value, 6):,}"
