"""The published parts of each source's text, and the context of a record in this text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from defectors_data.rows.labels import Row

CONTEXT = 220
"""Maximum number of code points of published context on each side of evidence."""

SMALL_GAP = 3
"""Maximum number of code points left out without a mark, such as a quotation mark and the spaces around it."""


class SourceText(NamedTuple):
    """The published code points of one source."""

    characters: dict[int, str]
    """Characters by offset in code points."""
    bounds: set[int]
    """Offsets at which evidence starts or ends; no word continues across them."""


class Segment(NamedTuple):
    """A piece of a record's context."""

    kind: str
    """`evidence`, `context` or `gap`."""
    text: str


def published(spans: Iterable[Row]) -> dict[str, SourceText]:
    """Return the published text of each source, by its id."""
    texts: dict[str, SourceText] = {}
    for span in spans:
        before, after = span["prefix"] or "", span["suffix"] or ""
        text = texts.setdefault(span["source_id"], SourceText({}, set()))
        # Spans overlap, so the text is assembled character by character.
        text.characters.update(enumerate(f"{before}{span['exact']}{after}", span["start"] - len(before)))
        text.bounds.update((span["start"], span["end"]))
    return texts


def segments(text: SourceText, parts: list[tuple[int, int]], context: int = CONTEXT) -> list[Segment]:
    """Return the evidence of a record with the published text around it; `parts` are start and end of its spans."""
    evidence = {offset for start, end in parts for offset in range(start, end)}
    near = {offset for start, end in parts for offset in range(start - context, end + context)}
    shown = near & text.characters.keys()

    def kind(offset: int) -> str:
        return "evidence" if offset in evidence else "context" if offset in shown else "gap"

    runs = [(name, list(offsets)) for name, offsets in groupby(range(min(shown), max(shown) + 1), kind)]
    return list(_segments(runs, text))


def _segments(runs: list[tuple[str, list[int]]], text: SourceText) -> Iterator[Segment]:
    kinds = ["gap", *(kind for kind, _ in runs), "gap"]
    for (kind, offsets), before, after in zip(runs, kinds, kinds[2:], strict=False):
        words = "".join(text.characters.get(offset, "") for offset in offsets)
        if kind == "context":  # next to a gap, the first or last word may be cut off
            if before == "gap" and offsets[0] not in text.bounds:
                words = re.sub(r"^\w+", "", words)
            if after == "gap" and offsets[-1] + 1 not in text.bounds:
                words = re.sub(r"\w+\Z", "", words)
        elif kind == "gap":
            words = " " if len(offsets) <= SMALL_GAP else " […] "
        yield Segment(kind, words)
