"""The published parts of each source's text, and the context of a record in this text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from defectors_data.models.closed_vocabularies import JOIN
from defectors_data.rows.labels import Row, Rows
from defectors_data.text.offsets import Span, with_context

CONTEXT = 220
"""Maximum number of code points of published context on each side of evidence."""


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


def published(rows: Rows) -> dict[str, SourceText]:
    """Return the published text of each source, by its id."""
    texts: dict[str, SourceText] = {}
    for span in rows["spans"]:
        before, after = span["prefix"] or "", span["suffix"] or ""
        text = texts.setdefault(span["source_id"], SourceText({}, set()))
        # Spans overlap, so the text is assembled character by character.
        words, start = f"{before}{span['exact']}{after}", span["start_offset"] - len(before)
        text.characters.update(enumerate(words, start))
        text.bounds.update((span["start_offset"], span["end_offset"]))
    return texts


def place(row: Row) -> Span:
    """Return the offsets of a row of `spans` or `ledger`."""
    return Span(row["start_offset"], row["end_offset"])


def segments(text: SourceText, parts: Sequence[tuple[int, int]]) -> list[Segment]:
    """Return the evidence of a record with the published text around it.

    `parts` has the start and end of each span.
    """
    evidence = _offsets(parts)
    around = [with_context(Span(*part), CONTEXT, ()) for part in parts]
    shown = _offsets(around) & text.characters.keys()

    def kind(offset: int) -> str:
        if offset in evidence:
            return "evidence"
        return "context" if offset in shown else "gap"

    offsets = range(min(shown), max(shown) + 1)
    runs = [(name, list(found)) for name, found in groupby(offsets, kind)]
    return list(_segments(runs, text))


def _offsets(spans: Iterable[tuple[int, int]]) -> set[int]:
    """Return all offsets inside spans."""
    return set(chain.from_iterable(range(start, end) for start, end in spans))


def _segments(runs: list[tuple[str, list[int]]], text: SourceText) -> Iterator[Segment]:
    kinds = ["gap", *(kind for kind, _ in runs), "gap"]
    for (kind, offsets), before, after in zip(runs, kinds, kinds[2:], strict=False):
        words = JOIN
        if kind != "gap":
            words = "".join(text.characters[offset] for offset in offsets)
        if kind == "context":  # next to a gap, the first or last word may be cut off
            if before == "gap" and offsets[0] not in text.bounds:
                words = re.sub(r"^\w+", "", words)
            if offsets is runs[0][1]:  # the end of the sentence before
                words = words.lstrip(" \n,.;:!?)”’")
            if after == "gap" and offsets[-1] + 1 not in text.bounds:
                words = re.sub(r"\w+\Z", "", words)
        yield Segment(kind, words)
