"""Two figures of one measure side by side: what a hedge leaves open is an interval, and intervals can be compared.

A figure says that a number lies in an interval: "nearly 40" from a little below 40 up to 40 and not 40 itself. How far
"about" and "nearly" reach is declared in the vocabulary. Of two intervals one may hold the other (`entails`), they may
overlap (`compatible`) or have nothing in common (`conflicts`). Figures of different units, populations or dates are not
compared. No number is ever merged with another, and none is called better. Interval arithmetic follows Moore (1966),
with open ends kept apart from closed ones.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date
from typing import Literal, NamedTuple, TypeAlias

Verdict: TypeAlias = Literal["same", "entails", "compatible", "conflicts", "not_comparable"]

COUNTED = {"person", "country", "hotel", "item", "event"}
"""Units of which there are whole ones alone."""


class Interval(NamedTuple):
    """All numbers from `low` to `high`; an open end does not belong to it, an end without bound is infinite."""

    low: float
    high: float
    low_open: bool = False
    high_open: bool = False

    def __str__(self) -> str:
        """Write it as mathematicians do: [900, 1000)."""
        if self.low == self.high:
            return _plain(self.low)
        return f"{'(' if self.low_open else '['}{_plain(self.low)}, {_plain(self.high)}{')' if self.high_open else ']'}"

    def empty(self) -> bool:
        """Tell whether no number lies in it."""
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def within(self, other: Interval) -> bool:
        """Tell whether every number of this interval lies in another."""
        low = self.low > other.low or (self.low == other.low and (self.low_open or not other.low_open))
        high = self.high < other.high or (self.high == other.high and (self.high_open or not other.high_open))
        return low and high

    def meets(self, other: Interval) -> bool:
        """Tell whether some number lies in both intervals."""
        low = max((self.low, self.low_open), (other.low, other.low_open))
        high = min((self.high, not self.high_open), (other.high, not other.high_open))
        return not Interval(low[0], high[0], low[1], not high[1]).empty()


class Stated(NamedTuple):
    """A figure as far as it is compared."""

    interval: Interval
    unit: str
    population: str | None = None
    as_of: str | None = None
    first: date | None = None
    """First day that `as_of` can mean."""
    last: date | None = None


class Compared(NamedTuple):
    """What two figures are to each other, and why, in plain words."""

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
    """Return the numbers that a figure allows; of what is counted in whole ones, whole numbers.

    `tolerances` gives, for `about` and `nearly`, how far they reach, in percent of the number; without one `about` is
    the number itself, and `nearly` anything below it. What the words leave open below ends at nought, since nothing
    here is negative; a vague figure has no upper end.
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
    """Return the whole numbers of an interval, as the interval from the first to the last of them."""
    low = math.floor(found.low) + 1 if found.low_open else math.ceil(found.low)
    if math.isinf(found.high):
        return Interval(low, math.inf, high_open=True)
    return Interval(low, math.ceil(found.high) - 1 if found.high_open else math.floor(found.high))


def compare(one: Stated, other: Stated) -> Compared:
    """Return what two figures of one measure are to each other; the order of the two changes no verdict."""
    if reason := _apart(one, other):
        return Compared("not_comparable", reason)
    a, b = one.interval, other.interval
    if a == b:
        return Compared("same", f"Both say {a}.")
    if a.within(b):
        return Compared("entails", f"{a} lies in {b}: whoever says the first says the second too.")
    if b.within(a):
        return Compared("entails", f"{b} lies in {a}: whoever says the second says the first too.")
    if a.meets(b):
        return Compared("compatible", f"{a} and {b} overlap: both can be so.")
    return Compared("conflicts", f"{a} and {b} have no number in common.")


def _apart(one: Stated, other: Stated) -> str | None:
    """Return why two figures cannot be compared, if so."""
    if one.unit != other.unit:
        return f"One is in units of {one.unit}, the other of {other.unit}."
    if one.population != other.population:
        return (
            f"One is of {one.population or 'no population in particular'}, the other of {other.population or 'none'}."
        )
    if one.as_of and other.as_of and not _same_time(one, other):
        return f"One holds for {one.as_of}, the other for {other.as_of}."
    return None


def _same_time(one: Stated, other: Stated) -> bool:
    """Tell whether two dates can mean one day; a day without a year can be that of any year."""
    if yearless := _YEARLESS.fullmatch(one.as_of or ""):
        if again := _YEARLESS.fullmatch(other.as_of or ""):
            return yearless[1] == again[1] and (yearless[2] is None or again[2] is None or yearless[2] == again[2])
        return _can_be(yearless, other)
    if yearless := _YEARLESS.fullmatch(other.as_of or ""):
        return _can_be(yearless, one)
    return (one.first or date.min) <= (other.last or date.max) and (other.first or date.min) <= (one.last or date.max)


_YEARLESS = re.compile(r"XXXX-([0-9]{2})(?:-([0-9]{2}))?")


def _can_be(yearless: re.Match[str], dated: Stated) -> bool:
    """Tell whether a day or month of no year in particular lies between the first and the last day of a date."""
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
    """Return a divided by b, both nought or more; a divisor that may be nought leaves no upper end."""
    low = 0.0 if math.isinf(b.high) else _divided(a.low, b.high)
    high = math.inf if b.low == 0 or math.isinf(a.high) else a.high / b.low
    low_open = a.low_open or b.high_open
    return Interval(low, high, low_open and low > 0, math.isinf(high) or a.high_open or b.low_open)


def _divided(number: float, by: float) -> float:
    return math.inf if by == 0 else number / by


def scaled(found: Interval, factor: float) -> Interval:
    """Return an interval with both ends multiplied."""
    return found._replace(low=found.low * factor, high=found.high * factor)


def _plain(number: float) -> str:
    """Write a number without what a reader does not need: 1,000; 0.625."""
    if math.isinf(number):
        return "no upper end"
    return f"{number:,.0f}" if number == int(number) else f"{round(number, 6):,}"
