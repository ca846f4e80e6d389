"""The published parts of each source's text, and the context of a record in this text."""

from __future__ import annotations

import re
from collections import defaultdict
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
    protected: set[int]
    """Offsets in paragraphs in which a protected person is introduced, quoted or cited."""


class Segment(NamedTuple):
    """A piece of a record's context."""

    kind: str
    """`evidence`, `context` or `gap`."""
    text: str


def published(rows: Rows) -> dict[str, SourceText]:
    """Return the published text of each source, by its id."""
    texts: dict[str, SourceText] = {}
    hidden = _lines_of_protected(rows)
    for span in rows["spans"]:
        before, after = span["prefix"] or "", span["suffix"] or ""
        text = texts.setdefault(span["source_id"], SourceText({}, set(), set()))
        # Spans overlap, so the text is assembled character by character.
        words, start = f"{before}{span['exact']}{after}", span["start_offset"] - len(before)
        text.characters.update(enumerate(words, start))
        text.bounds.update((span["start_offset"], span["end_offset"]))
        line = span["line"] - before.count("\n")
        for of_line in words.split("\n"):
            end = start + len(of_line) + 1
            if (span["source_id"], line) in hidden:
                text.protected.update(range(start, end))
            line, start = line + 1, end
    return texts


def _lines_of_protected(rows: Rows) -> set[tuple[str, int]]:
    """Return the paragraphs, as sources and lines, of mentions and words of protected persons.

    Words that repeat theirs, such as pull quotes, are among them.
    """
    people = {row["speaker_id"] for row in rows["speakers"] if row["protected"]}
    records = {row["mention_id"] for row in rows["mentions"] if row["speaker_id"] in people}
    records |= {row["testimony_id"] for row in rows["testimonies"] if row["speaker_id"] in people}
    for row in rows["figures"]:
        if row["attributed_to"] in people or row["testimony_id"] in records:
            records.add(row["figure_id"])
    records |= {row["waiver_id"] for row in rows["ledger"] if row["record_id"] in records}
    lines = set[tuple[str, int]]()
    theirs = defaultdict[str, set[str]](set)
    for span in rows["spans"]:
        if span["record_id"] in records and span["field"] == "evidence":
            last = span["line"] + span["exact"].count("\n")
            lines |= {(span["source_id"], line) for line in range(span["line"], last + 1)}
            theirs[span["source_id"]].add(span["exact"])
    for span in rows["spans"]:
        # A caption or pull quote can repeat them without a waiver.
        if span["record_table"] == "sources":
            for line, words in enumerate(span["exact"].split("\n"), start=span["line"]):
                if any(len(each) > _SHORT and each in words for each in theirs[span["source_id"]]):
                    lines.add((span["source_id"], line))
    return lines


_SHORT = 20
"""Maximum length of words that can be repeated by chance, in code points."""


def place(row: Row) -> Span:
    """Return the offsets of a row of `spans` or `ledger`."""
    return Span(row["start_offset"], row["end_offset"])


def segments(text: SourceText, parts: Sequence[Row]) -> list[Segment]:
    """Return the evidence of a record, given as rows of `spans`, with the published text around it.

    Of a paragraph about a protected person, only the context is shown that these rows publish.
    """
    spans = [place(part) for part in parts]
    evidence = _offsets(spans)
    around = [with_context(span, CONTEXT, ()) for span in spans]
    own = [_with_own_context(part) for part in parts]
    shown = (_offsets(around) - text.protected | _offsets(own)) & text.characters.keys()

    def kind(offset: int) -> str:
        if offset in evidence:
            return "evidence"
        return "context" if offset in shown else "gap"

    offsets = range(min(shown), max(shown) + 1)
    runs = [(name, list(found)) for name, found in groupby(offsets, kind)]
    return list(_segments(runs, text))


def _with_own_context(row: Row) -> Span:
    """Return the offsets of a row of `spans` with its prefix and suffix."""
    span = place(row)
    return Span(span.start - len(row["prefix"] or ""), span.end + len(row["suffix"] or ""))


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
