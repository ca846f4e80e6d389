"""Suggestions of names for mistyped ones."""

from __future__ import annotations

from collections.abc import Iterable

NEAR_ENOUGH = 70
"""Similarity (0 to 100) below which no name is suggested."""


def nearest_name(typed: str, names: Iterable[str]) -> str | None:
    """Return the name that is most similar to what was typed, or None if none is similar enough.

    Of similar names, one of the same length is nearer than a longer one: `high` is meant by `hihg`, not `high_open`.
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415  # only where a name is wrong

    # A set has no fixed order, so equally similar names are sorted; the limit bounds the time for very long input.
    near = process.extract(typed[:80], sorted(set(names)), score_cutoff=NEAR_ENOUGH)
    return max(near, key=lambda found: found[1] + fuzz.ratio(typed[:80], found[0]), default=(None,))[0]


def did_you_mean(typed: str, names: Iterable[str], *, unsayable: Iterable[str] = ()) -> tuple[str, ...]:
    """Return a hint with the name that is most similar to what was typed, or an empty tuple if none is similar enough.

    The hint is omitted too if the most similar name is `unsayable`, such as the name of a protected record.
    """
    sayable = set(names)
    best = nearest_name(typed, sayable | set(unsayable))
    return (f"Did you mean `{best}`?",) if best in sayable else ()
