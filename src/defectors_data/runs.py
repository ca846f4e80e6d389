"""Runs of a text: where words stand in it, and runs put together; strings and numbers only."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

Run: TypeAlias = tuple[int, int]
"""Its first code point, and the first behind it."""

_REPEAT_WORDS = 3
"""Words that a passage has at least whose repeats are looked for: fewer are nobody's own."""


def meet(spans: Iterable[Run], runs: list[Run]) -> bool:
    """Tell whether any span, an empty one aside, has a code point in common with a run."""
    return any(start < end and run[0] < end and start < run[1] for start, end in spans for run in runs)


def repeats(text: str, words: str) -> set[Run]:
    """Return where a passage stands that is long enough to be printed again; of a shorter one nothing."""
    return occurrences(text, words) if len(words.split()) >= _REPEAT_WORDS else set()


def occurrences(text: str, words: str) -> set[Run]:
    """Return where words stand in a text, whole words alone."""
    return {hit.span() for hit in re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text)}


def merged(found: Iterable[Run]) -> list[Run]:
    """Return runs in order, those that touch or overlap as one."""
    apart: list[Run] = []
    for start, end in sorted(found):
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def with_parts(runs: list[Run], parts: Iterable[Run]) -> list[Run]:
    """Return runs that hold in full every part which they touch."""
    whole = merged([*runs, *(part for part in parts if meet([part], runs))])
    return runs if whole == runs else with_parts(whole, parts)
