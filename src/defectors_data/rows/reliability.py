"""Measures of the agreement of two readers, with 95% intervals.

- F1 is twice what both have, divided by the sum of what each has (G. Hripcsak and A. S. Rothschild,
  "Agreement, the F-Measure, and Reliability in Information Retrieval", 2005).
- Alpha is Krippendorff's, computed by the package `krippendorff`. Values are equal or not; sets
  differ by MASI (R. Passonneau, "Measuring Agreement on Set-valued Items", 2006).
- The interval of a share is E. B. Wilson's (1927).
- The interval of F1 and alpha is a delete-a-group jackknife (P. S. Kott, "The Delete-a-Group
  Jackknife", 2001) with groups of neighbouring records, since neighbours resemble each other. It
  needs no random numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from itertools import chain
from statistics import fmean
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

Interval: TypeAlias = tuple[float, float]
Pairs: TypeAlias = Sequence[tuple[Hashable, Hashable]]
"""Values of two readers for the same records."""
_T = TypeVar("_T")

GROUPS = 20
_T_QUANTILE = 2.093
"""The 97.5% quantile of Student's t with `GROUPS` - 1 degrees of freedom."""
_NORMAL_QUANTILE = 1.96
MOST_CELLS = 16_000_000
"""The limit of records times values squared, since `krippendorff` needs memory for each."""


class Overlap(NamedTuple):
    """How much each of two readers has, and how much of it both have."""

    both: int
    first: int
    second: int


def f1(overlaps: Sequence[Overlap]) -> float | None:
    """Return F1 of the sums; None if neither reader has anything."""
    total = sum(each.first + each.second for each in overlaps)
    if not total:
        return None
    return 2 * sum(each.both for each in overlaps) / total


def alpha(pairs: Pairs) -> float | None:
    """Return Krippendorff's alpha; None if all values are equal, or if they are too many.

    The result is exact only up to rounding errors of floating point numbers.
    """
    # Imported here, since most commands compare no readings.
    import krippendorff  # noqa: PLC0415

    domain = list(dict.fromkeys(chain.from_iterable(pairs)))
    if len(domain) < 2 or has_too_many_values(pairs):  # noqa: PLR2004  # one value is no variation
        return None
    number = {value: i for i, value in enumerate(domain)}
    counts = np.zeros((len(pairs), len(domain)), dtype=int)
    for i, (one, other) in enumerate(pairs):
        counts[i, number[one]] += 1
        counts[i, number[other]] += 1
    distances = np.zeros((len(domain), len(domain)))
    for i, a in enumerate(domain):
        distances[i] = [distance(a, b) for b in domain]

    def metric(_v1: Any, _v2: Any, i1: Any, i2: Any, **_: Any) -> Any:
        return distances[i1, i2]

    level: Any = metric
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement=level))


def has_too_many_values(pairs: Pairs) -> bool:
    """Return whether alpha would need too much memory."""
    return len(pairs) * len(set(chain.from_iterable(pairs))) ** 2 > MOST_CELLS


@lru_cache(maxsize=1 << 16)  # a jackknife compares the same values again and again
def distance(one: Hashable, other: Hashable) -> float:
    """Return the distance of two values from 0 to 1: MASI of sets, else whether they differ."""
    if one == other:
        return 0.0
    if not (isinstance(one, frozenset) and isinstance(other, frozenset)):
        return 1.0
    common = len(one & other)
    monotonicity = 1 / 3
    if one < other or other < one:
        monotonicity = 2 / 3
    return 1 - common / len(one | other) * monotonicity


def wilson(number: int, of: int) -> Interval:
    """Return the interval of the share `number` / `of`, in which `of` is not 0."""
    square = _NORMAL_QUANTILE**2
    share, scale = number / of, 1 + square / of
    middle = (share + square / (2 * of)) / scale
    spread = share * (1 - share) / of + square / (4 * of**2)
    half = _NORMAL_QUANTILE * spread**0.5 / scale
    return max(0.0, middle - half), min(1.0, middle + half)


def jackknife(
    items: Sequence[_T], statistic: Callable[[Sequence[_T]], float | None], *, least: float
) -> Interval | str:
    """Return the interval of a statistic from `least` to 1, or a sentence why there is none.

    Items must be in an order in which neighbours resemble each other.
    """
    value = statistic(items)
    if value is None:
        return "Neither reading has any."
    if len(items) < GROUPS:
        return f"No interval: fewer than {GROUPS} records."
    found = list[float]()
    for group in range(GROUPS):
        rest = [item for i, item in enumerate(items) if i * GROUPS // len(items) != group]
        without = statistic(rest)
        if without is None:
            return "No interval: all variation is in a few neighbouring records."
        found.append(without)
    mean = fmean(found)
    deviation = sum((each - mean) ** 2 for each in found)
    half = _T_QUANTILE * ((GROUPS - 1) / GROUPS * deviation) ** 0.5
    if half < 0.0005:  # noqa: PLR2004  # less than is printed
        return "No interval: the value is the same, whichever records are left out."
    return max(least, value - half), min(1.0, value + half)
