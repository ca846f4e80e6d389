"""The published parts of each source's text, and the context of a record in this text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from typing import NamedTuple

from defectors_data.rows.labels import Row, Rows
from defectors_data.text.offsets import Span, with_context

CONTEXT = 220
"""Maximum number of code points of published context on each side of evidence."""

SMALL_GAP = 3
"""Maximum length of an omission shown as a space, such as a quotation mark with its spaces."""


class SourceText(NamedTuple):
    """The published code points of one source."""

    characters: dict[int, str]
    """Characters by offset in code points."""
    bounds: set[int]
    """Offsets at which evidence or waived words start or end; no word continues across them."""
    waived: list[Span]
    """Places of waived attributes of protected persons; no context shows these words."""


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
        text = texts.setdefault(span["source_id"], SourceText({}, set(), []))
        # Spans overlap, so the text is assembled character by character.
        words, start = f"{before}{span['exact']}{after}", span["start_offset"] - len(before)
        text.characters.update(enumerate(words, start))
        text.bounds.update((span["start_offset"], span["end_offset"]))
    for source, place in _waived(rows):
        if source in texts:
            texts[source].waived.append(place)
            texts[source].bounds.update(place)
    return texts


def _waived(rows: Rows) -> Iterator[tuple[str, Span]]:
    """Yield the places of words waived as `protected_attribute`, each with its source."""
    reason = "protected_attribute"
    numbers = defaultdict[str, list[Row]](list)
    for entry in rows["ledger"]:
        if entry["reason"] == reason:
            numbers[entry["record_id"]].append(entry)
    for row in rows["waivers"]:
        if row["reason"] == reason:
            for place in _places(row, numbers[row["waiver_id"]]):
                yield row["source_id"], place


def _places(waiver: Row, numbers: Sequence[Row]) -> Iterator[Span]:
    """Yield the places of a waiver, given the numbers in the ledger for which it accounts."""
    start, end, occurrences = waiver["start_offset"], waiver["end_offset"], waiver["occurrences"]
    each, left = divmod(len(numbers), occurrences)
    if left or not each or occurrences == 1:
        # If other records account for some numbers, the whole range counts as waived.
        yield Span(start, end)
        return
    # The row has only the first start and the last end, but all places contain the same numbers.
    before, after = numbers[0]["start_offset"] - start, end - numbers[-1]["end_offset"]
    for first, last in zip(numbers[::each], numbers[each - 1 :: each], strict=True):
        yield Span(first["start_offset"] - before, last["end_offset"] + after)


def place(row: Row) -> Span:
    """Return the offsets of a row of `spans`, `ledger` or `waivers`."""
    return Span(row["start_offset"], row["end_offset"])


def segments(
    text: SourceText, parts: Sequence[tuple[int, int]], context: int = CONTEXT
) -> list[Segment]:
    """Return the evidence of a record with the published text around it.

    `parts` has the start and end of each span.
    """
    evidence = _offsets(parts)
    around = [with_context(Span(*part), context, text.waived) for part in parts]
    shown = _offsets(around) & text.characters.keys()
    hidden = _offsets(text.waived) - evidence
    marked = set[int]()
    for start, end in around:
        # Waived words at which the context ends.
        marked |= {start - 1, end} & hidden

    def kind(offset: int) -> str:
        if offset in evidence:
            return "evidence"
        return "context" if offset in shown else "gap"

    offsets = range(min(shown | marked), max(shown | marked) + 1)
    runs = [(name, list(found)) for name, found in groupby(offsets, kind)]
    return list(_segments(runs, text, hidden))


def _offsets(spans: Iterable[tuple[int, int]]) -> set[int]:
    """Return all offsets inside spans."""
    return set(chain.from_iterable(range(start, end) for start, end in spans))


def _segments(
    runs: list[tuple[str, list[int]]], text: SourceText, hidden: set[int]
) -> Iterator[Segment]:
    kinds = ["gap", *(kind for kind, _ in runs), "gap"]
    for (kind, offsets), before, after in zip(runs, kinds, kinds[2:], strict=False):
        words = "".join(text.characters.get(offset, "") for offset in offsets)
        if kind == "context":  # next to a gap, the first or last word may be cut off
            if before == "gap" and offsets[0] not in text.bounds:
                words = re.sub(r"^\w+", "", words)
            if offsets is runs[0][1]:  # the end of the sentence before
                words = words.lstrip(" \n,.;:!?)”’")
            if after == "gap" and offsets[-1] + 1 not in text.bounds:
                words = re.sub(r"\w+\Z", "", words)
        elif kind == "gap":
            words = " " if len(offsets) <= SMALL_GAP and hidden.isdisjoint(offsets) else " […] "
        yield Segment(kind, words)
