"""The published parts of each source's text, and the context of a record in this text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from defectors_data.rows.labels import Row, Rows
from defectors_data.text.offsets import Span, with_context

CONTEXT = 220
"""Maximum number of code points of published context on each side of evidence."""

SMALL_GAP = 3
"""Maximum length of an omission shown as a space, in code points: a quotation mark with a space on each side."""


class SourceText(NamedTuple):
    """The published code points of one source."""

    characters: dict[int, str]
    """Characters by offset in code points."""
    bounds: set[int]
    """Offsets at which evidence or waived words start or end; no word continues across them."""
    waived: list[Span]
    """Places of words that are waived as attributes of protected persons; no context shows these words."""


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
        text.characters.update(
            enumerate(f"{before}{span['exact']}{after}", span["start"] - len(before))
        )
        text.bounds.update((span["start"], span["end"]))
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
    for row in (row for row in rows["waivers"] if row["reason"] == reason):
        source, start, end = row["source_id"], row["start"], row["end"]
        each, left = divmod(len(found := numbers[row["waiver_id"]]), row["occurrences"])
        if left or not each or row["occurrences"] == 1:
            # If other records account for some numbers, everything from the first to the last place counts as waived.
            yield source, Span(start, end)
            continue
        # The row has only the first start and the last end; all places contain the same words, and so the same numbers.
        before, after = found[0]["start"] - start, end - found[-1]["end"]
        for first, last in zip(found[::each], found[each - 1 :: each], strict=True):
            yield source, Span(first["start"] - before, last["end"] + after)


def segments(
    text: SourceText, parts: list[tuple[int, int]], context: int = CONTEXT
) -> list[Segment]:
    """Return the evidence of a record with the published text around it; `parts` has the start and end of each span."""
    evidence = {offset for start, end in parts for offset in range(start, end)}
    around = [with_context(Span(*part), context, text.waived) for part in parts]
    shown = {offset for run in around for offset in range(*run)} & text.characters.keys()
    hidden = {offset for run in text.waived for offset in range(*run)} - evidence
    marked = {
        at for start, end in around for at in (start - 1, end)
    } & hidden  # waived words at which the context ends

    def kind(offset: int) -> str:
        return "evidence" if offset in evidence else "context" if offset in shown else "gap"

    offsets = range(min(shown | marked), max(shown | marked) + 1)
    runs = [(name, list(found)) for name, found in groupby(offsets, kind)]
    return list(_segments(runs, text, hidden))


def _segments(
    runs: list[tuple[str, list[int]]], text: SourceText, hidden: set[int]
) -> Iterator[Segment]:
    kinds = ["gap", *(kind for kind, _ in runs), "gap"]
    for (kind, offsets), before, after in zip(runs, kinds, kinds[2:], strict=False):
        words = "".join(text.characters.get(offset, "") for offset in offsets)
        if kind == "context":  # next to a gap, the first or last word may be cut off
            if before == "gap" and offsets[0] not in text.bounds:
                words = re.sub(r"^\w+", "", words)
            if after == "gap" and offsets[-1] + 1 not in text.bounds:
                words = re.sub(r"\w+\Z", "", words)
        elif kind == "gap":
            words = " " if len(offsets) <= SMALL_GAP and hidden.isdisjoint(offsets) else " […] "
        yield Segment(kind, words)
