"""Version numbers: their order, and the next one after a change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from defectors_data.models.project import ReleasedId


def number(version: str) -> tuple[int, ...]:
    """Return a version as a tuple of numbers, for comparison."""
    return tuple([int(part) for part in version.split(".")])


def next_version(version: str, state: str) -> str:
    """Return the next version: `added` records raise the second number, other changes the third."""
    part = 1 if state == "added" else 2
    return raised(version, part)


def raised(version: str, part: int) -> str:
    """Return a version with one of its three numbers (0 to 2) raised, later ones set to 0."""
    numbers = number(version)
    following = [*numbers[:part], numbers[part] + 1, 0, 0]
    return ".".join([str(each) for each in following[:3]])


def last_version(entries: Iterable[ReleasedId]) -> str:
    """Return the last version that was released."""
    return max((entry.changed for entry in entries), key=number)


def least_version(entries: Iterable[ReleasedId], counts: Mapping[str, int]) -> str:
    """Return the lowest version for data with so many records `added` and `changed`."""
    last = last_version(entries)
    states = [state for state in ("added", "changed") if counts.get(state)]
    return next_version(last, states[0]) if states else last
