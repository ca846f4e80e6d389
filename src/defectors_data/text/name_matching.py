"""The nearest name to one that was mistyped."""

from __future__ import annotations

from collections.abc import Iterable

NEAR_ENOUGH = 70
"""Likeness (0 to 100) below which no name is suggested."""


def nearest_name(typed: str, names: Iterable[str]) -> str | None:
    """Return the name that is most like what was typed, or None where nothing is near."""
    from rapidfuzz import process  # noqa: PLC0415  # only where a name is wrong

    best = process.extractOne(typed[:80], sorted(set(names)), score_cutoff=NEAR_ENOUGH)
    return best[0] if best else None


def did_you_mean(typed: str, names: Iterable[str], *, unsayable: Iterable[str] = ()) -> tuple[str, ...]:
    """Return a line of help with the name nearest to what was typed, or none.

    None is given where nothing is near, or where the nearest of all names is one that must stay unsaid.
    """
    sayable = set(names)
    best = nearest_name(typed, sayable | set(unsayable))
    return (f"Did you mean `{best}`?",) if best in sayable else ()
