"""The nearest name to one that was mistyped."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import process

NEAR_ENOUGH = 70
"""Likeness (0 to 100) below which no name is suggested."""


def did_you_mean(typed: str, names: Iterable[str], *, unsayable: Iterable[str] = ()) -> tuple[str, ...]:
    """Return a line of help with the name nearest to what was typed, or none.

    None is given where nothing is near, or where the nearest of all names is one that must stay unsaid.
    """
    sayable = set(names)
    best = process.extractOne(typed[:80], sorted(sayable | set(unsayable)), score_cutoff=NEAR_ENOUGH)
    return (f"Did you mean `{best[0]}`?",) if best and best[0] in sayable else ()
