"""Suggestions of known names in place of mistyped ones."""

from __future__ import annotations

from collections.abc import Iterable

NEAR_ENOUGH = 70
"""Similarity (0 to 100) below which no name is suggested."""


def nearest_name(typed: str, names: Iterable[str]) -> str | None:
    """Return the name that is most similar to what was typed, or None if none is similar enough.

    Among similar names, one of similar length is preferred: for `hihg`, `high` rather than `high_open`.
    """
    from rapidfuzz import fuzz, process  # noqa: PLC0415  # slow to import, and needed only for a wrong name

    # A set has no fixed order, so equally similar names are sorted; the limit bounds the time for very long input.
    near = process.extract(typed[:80], sorted(set(names)), score_cutoff=NEAR_ENOUGH)
    return max(near, key=lambda found: found[1] + fuzz.ratio(typed[:80], found[0]), default=(None,))[0]


def did_you_mean(typed: str, names: Iterable[str], *, hidden: Iterable[str] = ()) -> tuple[str, ...]:
    """Return a line of help with the name most similar to what was typed, or an empty tuple if none is similar enough.

    The hint is also omitted if the most similar name is in `hidden`, such as the id of a protected speaker.
    """
    shown = set(names)
    best = nearest_name(typed, shown | set(hidden))
    return (f"Did you mean `{best}`?",) if best in shown else ()
