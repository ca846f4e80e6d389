"""What the package publishes of each source's text, and where a quotation stands in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from defectors_data.documents.labels import Row

AROUND = 220
"""Characters that are looked at on each side of a quotation."""

SMALL = 3
"""Characters that may be missing without a sign: a quotation mark and the spaces around it."""


class Text(NamedTuple):
    """What is published of one source's text."""

    characters: dict[int, str]
    """By their place."""
    bounds: set[int]
    """Where evidence starts or ends: no word goes on there."""


class Run(NamedTuple):
    """A stretch of text: the words themselves, what is published beside them, or a gap."""

    kind: str
    """`quoted`, `beside` or `gap`."""
    text: str


def published(spans: Iterable[Row]) -> dict[str, Text]:
    """Return what is published of each source."""
    texts: dict[str, Text] = {}
    for span in spans:
        before, after = span["prefix"] or "", span["suffix"] or ""
        text = texts.setdefault(span["source_id"], Text({}, set()))
        text.characters.update(enumerate(f"{before}{span['exact']}{after}", span["start"] - len(before)))
        text.bounds.update((span["start"], span["end"]))
    return texts


def around(text: Text, parts: list[tuple[int, int]]) -> list[Run]:
    """Return the words of a record with what is published around them; what is not is a gap."""
    quoted = {place for start, end in parts for place in range(start, end)}
    near = {place for start, end in parts for place in range(start - AROUND, end + AROUND)}
    reach = range(min(near), max(near) + 1)

    def kind(place: int) -> str:
        return "quoted" if place in quoted else "beside" if place in near and place in text.characters else "gap"

    runs = [(name, list(places)) for name, places in groupby(reach, kind)]
    return list(_told(runs, text))


def _told(runs: list[tuple[str, list[int]]], text: Text) -> Iterator[Run]:
    for number, (kind, places) in enumerate(runs):
        words = "".join(text.characters.get(place, "") for place in places)
        after, before = (0 <= at < len(runs) and runs[at][0] != "gap" for at in (number - 1, number + 1))
        if kind == "quoted":
            yield Run(kind, words)
        elif kind == "beside":
            words = words if after or places[0] in text.bounds else _without_first(words)
            yield Run(kind, words if before or places[-1] + 1 in text.bounds else _without_first(words[::-1])[::-1])
        elif 0 < number < len(runs) - 1:
            yield Run("gap", " " if len(places) <= SMALL else " […] ")


def _without_first(words: str) -> str:
    """Leave out a word that may have been cut off."""
    return re.sub(r"^\w+", "", words)
