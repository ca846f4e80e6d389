"""Numbers with their nouns, and lists of names, for messages and documents."""

from __future__ import annotations

from collections.abc import Sequence

_VOWELS = "aeiou"


def noun(number: int, singular: str) -> str:
    """Return the form of a regular noun that agrees with a number.

    If the noun has several words, the one before `of` changes, or else the last, as in `2 pairs of
    figures`.
    """
    if number == 1:
        return singular
    first, of, rest = singular.partition(" of ")
    if first.endswith("y") and first[-2] not in _VOWELS:
        return f"{first[:-1]}ies{of}{rest}"
    return f"{first}s{of}{rest}"


def counted(number: int, singular: str) -> str:
    """Return a number with its noun, such as `1 record` or `2 records`."""
    return f"{number} {noun(number, singular)}"


def listed(names: Sequence[str], link: str = "and") -> str:
    """Return the names as a list in a sentence, such as `a, b and c`, or `none`."""
    *most, last = names or ("none",)
    return f"{', '.join(most)} {link} {last}" if most else last
