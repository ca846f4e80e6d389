"""Comparison of figures of one measure by the intervals that they allow, and interval arithmetic.

"Nearly 40" allows the numbers from a little below 40 up to but excluding 40; the vocabulary declares how far "about"
and "nearly" extend. One interval may be within another (`entails`), they may overlap (`compatible`), or they may have
no number in common (`conflicts`). Figures with different units, populations or dates are not compared. Numbers are
never merged or ranked. The arithmetic follows Moore (1966), extended by open ends.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date
from typing import Literal, NamedTuple, TypeAlias

Verdict: TypeAlias = Literal["same", "entails", "compatible", "conflicts", "not_comparable"]

COUNTED = {"person", "country", "hotel", "item", "event"}
"""Units that are counted in whole numbers."""


class Interval(NamedTuple):
    """The numbers from `low` to `high`; an open end is excluded, a missing bound is infinite."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False

    def __str__(self) -> str:
        """Return the mathematical notation, such as [900, 1,000)."""
        if self.low == self.high:
            return _plain(self.low)
        return f"{'(' if self.low_open else '['}{_plain(self.low)}, {_plain(self.high)}{')' if self.high_open else ']'}"

    def empty(self) -> bool:
        """Return whether the interval contains no number."""
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def within(self, other: Interval) -> bool:
        """Return whether another interval contains every number of this one."""
        low = self.low > other.low or (self.low == other.low and (self.low_open or not other.low_open))
        high = self.high < other.high or (self.high == other.high and (self.high_open or not other.high_open))
        return low and high

    def meets(self, other: Interval) -> bool:
        """Return whether the intervals have a number in common."""
        low = max((self.low, self.low_open), (other.low, other.low_open))
        high = min((self.high, not self.high_open), (other.high, not other.high_open))
        return not Interval(low[0], high[0], low[1], not high[1]).empty()


class ComparableFigure(NamedTuple):
    """The properties of a figure that are compared."""

    interval: Interval
    unit: str
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


def interval(
    hedge: str,
    unit: str,
    *,
    value: float | None,
    low: float | None,
    high: float | None,
    tolerances: Mapping[str, float],
) -> Interval:
    """Return the numbers that a figure allows, in whole numbers if the unit is counted.

    `tolerances` says how far `about` and `nearly` extend, in percent of the number. Without a tolerance, `about` allows
    only the number itself, and `nearly` any number below it. Numbers are not negative, so an open lower end is zero; a
    vague figure has no upper end.
    """
    reach = tolerances.get(hedge, 100 if hedge == "nearly" else 0) / 100
    number = value if value is not None else 0.0
    below, above = round(number * (1 - reach), 6), round(number * (1 + reach), 6)
    found = {
        "exact": Interval(number, number),
        "about": Interval(below, above),
        "nearly": Interval(below, number, high_open=True),
        "less_than": Interval(0, number, high_open=True),
        "up_to": Interval(0, number),
        "more_than": Interval(number, math.inf, low_open=True, high_open=True),
        "at_least": Interval(number, math.inf, high_open=True),
        "range": Interval(low or 0.0, math.inf if high is None else high),
        "vague": Interval(low or 0.0, math.inf, high_open=True),
    }[hedge]
    whole = _whole(found) if unit in COUNTED else found
    return found if whole.empty() else whole


def _whole(found: Interval) -> Interval:
    """Return the interval from the first to the last whole number of an interval."""
    low = math.floor(found.low) + 1 if found.low_open else math.ceil(found.low)
    if math.isinf(found.high):
        return Interval(low, math.inf, high_open=True)
    return Interval(low, math.ceil(found.high) - 1 if found.high_open else math.floor(found.high))


def compare(one: ComparableFigure, other: ComparableFigure) -> ComparisonResult:
    """Return the verdict on two figures of one measure; it does not depend on their order."""
    if reason := _incomparability(one, other):
        return ComparisonResult("not_comparable", reason)
    a, b = one.interval, other.interval
    if a == b:
        return ComparisonResult("same", f"Both state {a}.")
    if a.within(b):
        return ComparisonResult("entails", f"{a} is within {b}: the first figure implies the second.")
    if b.within(a):
        return ComparisonResult("entails", f"{b} is within {a}: the second figure implies the first.")
    if a.meets(b):
        return ComparisonResult("compatible", f"{a} and {b} overlap: both can be true.")
    return ComparisonResult("conflicts", f"{a} and {b} have no number in common.")


def _incomparability(one: ComparableFigure, other: ComparableFigure) -> str | None:
    """Return the reason why two figures cannot be compared, or None if they can."""
    if one.unit != other.unit:
        return f"Their units differ: {one.unit} and {other.unit}."
    if one.population != other.population:
        return f"Their populations differ: {one.population or 'not given'} and {other.population or 'not given'}."
    if one.as_of and other.as_of and not _same_time(one, other):
        return f"Their dates differ: {one.as_of} and {other.as_of}."
    return None


def _same_time(one: ComparableFigure, other: ComparableFigure) -> bool:
    """Return whether two dates can mean the same day; a day without a year can be in any year."""
    if yearless := _YEARLESS.fullmatch(one.as_of or ""):
        if again := _YEARLESS.fullmatch(other.as_of or ""):
            return yearless[1] == again[1] and (yearless[2] is None or again[2] is None or yearless[2] == again[2])
        return _can_be(yearless, other)
    if yearless := _YEARLESS.fullmatch(other.as_of or ""):
        return _can_be(yearless, one)
    return (one.first or date.min) <= (other.last or date.max) and (other.first or date.min) <= (one.last or date.max)


_YEARLESS = re.compile(r"XXXX-([0-9]{2})(?:-([0-9]{2}))?")


def _can_be(yearless: re.Match[str], dated: ComparableFigure) -> bool:
    """Return whether a day or month without a year can be between the first and the last day of a date."""
    first, last = dated.first or date.min, dated.last or date.max
    if (last - first).days >= _YEAR:
        return True
    month, day = int(yearless[1]), int(yearless[2] or 0)
    days = (date.fromordinal(number) for number in range(first.toordinal(), last.toordinal() + 1))
    return any(found.month == month and day in (0, found.day) for found in days)


_YEAR = 366


# ---- arithmetic ----------------------------------------------------------------------------------------------


def total(parts: list[Interval]) -> Interval:
    """Return the sum of intervals."""
    return Interval(
        sum(part.low for part in parts),
        sum(part.high for part in parts),
        any(part.low_open for part in parts),
        any(part.high_open for part in parts),
    )


def quotient(a: Interval, b: Interval) -> Interval:
    """Return a divided by b, both zero or more; there is no upper end if the divisor can be zero."""
    low = a.low / b.high if b.high else math.inf
    high = a.high / b.low if b.low else math.inf
    low_open = a.low_open or b.high_open
    return Interval(low, high, low_open and low > 0, math.isinf(high) or a.high_open or b.low_open)


def scaled(found: Interval, factor: float) -> Interval:
    """Return an interval with both ends multiplied by a factor."""
    return found._replace(low=found.low * factor, high=found.high * factor)


def _plain(number: float) -> str:
    """Return a number in the shortest form: 1,000; 0.625."""
    if math.isinf(number):
        return "no upper end"
    return f"{number:,.0f}" if number == int(number) else f"{round(number, 6):,}"
