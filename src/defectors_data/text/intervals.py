"""The numbers that a figure allows, as intervals, and their arithmetic.

"Nearly 40" allows the numbers from a little below 40 up to but excluding 40; the vocabulary
declares how far "about" and "nearly" extend. The arithmetic follows Moore (1966), extended by open
ends.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

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
        before = "(" if self.low_open else "["
        after = ")" if self.high_open else "]"
        return f"{before}{ends}{after}"

    def empty(self) -> bool:
        """Return whether the interval contains no number."""
        return self.low > self.high or (self.low == self.high and (self.low_open or self.high_open))

    def within(self, other: Interval) -> bool:
        """Return whether another interval contains every number of this one."""
        return self.common(other) == self

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
        return self.low >= other.high and not self.meets(other)


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
    if float(value).is_integer():
        return f"{value:,.0f}"
    return f"{round(value, 6):,}"
