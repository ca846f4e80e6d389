"""Rows of the table `spans`, and how much of a text they show."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, TypeAlias

from defectors_data.corpus.findings import Path
from defectors_data.evidence.annotated_document import REGIONS, Document, per_document
from defectors_data.evidence.value_spans import ValueWords, printed_values, region_of
from defectors_data.models.annotation import Erratum, Waiver
from defectors_data.text.offsets import (
    OffsetConverter,
    Span,
    is_inside,
    line_and_column,
    overlaps,
    paragraphs_around,
    up_to_words,
    with_context,
)

Row: TypeAlias = dict[str, Any]

CONTEXT = 32
"""Code points of context on each side of figures and mentions, and of marks next to others."""


def revealed(spans: Iterable[Row]) -> Iterator[tuple[int, int]]:
    """Yield the runs of a seed's code points that its spans and their contexts show.

    The runs do not overlap.
    """
    shown = []
    for row in spans:
        before, after = row["prefix"] or "", row["suffix"] or ""
        shown.append((row["start_offset"] - len(before), row["end_offset"] + len(after)))
    reach = 0
    for start, end in sorted(shown):
        if end > reach:
            yield max(start, reach), end
            reach = end


def words_revealed(document: Document) -> int:
    """Return how many words of the seed are shown, at least in part, by published spans.

    Words are counted as in `sources.words`.
    """
    runs, words = list(revealed(_spans(document))), 0
    for word in re.finditer(r"\S+", document.text):
        while runs and runs[0][1] <= word.start():
            del runs[0]
        words += bool(runs) and runs[0][0] < word.end()
    return words


@per_document
def _spans(document: Document) -> list[Row]:
    """Return the published spans; waived attributes of protected persons have none."""
    secret = dict[Path, tuple[Span, ...]]()
    for path, waiver in document.waivers:
        if _is_secret(waiver):
            secret[path] = document.evidence_of(path)
    hidden = list(chain.from_iterable(secret.values()))
    found = list(_cited(document, secret, hidden))
    evidence = {item.record_id: item.spans for item in found if item.field == "evidence"}
    # A context ends where words were taken down or are waived as attributes of protected persons.
    stops = [*hidden, *(Span(run.start, run.end) for run in document.content.withdrawn)]
    offsets, rows = OffsetConverter(document.text), list[Row]()
    for item in _with_exact_values(document, found):
        within: Sequence[Span] = ()
        if item.field != "evidence":
            within = evidence.get(item.record_id, ())
        rows += _span_rows(document, item, within, stops, offsets)
    return rows


@per_document
def _paragraphs_of_protected(document: Document) -> set[Span]:
    """Return the paragraphs in which a protected person is introduced, quoted or cited."""
    found = set[Span]()
    for path, record in document.records_of_protected:
        # A waiver can be for words that repeat what such a person says.
        is_repeated = isinstance(record, Waiver) and record.repeats is not None
        if isinstance(record, Waiver | Erratum) and not is_repeated:
            continue
        for span in document.evidence_of(path):
            found.add(paragraphs_around(document.text, span))
    return found


def _cited(
    document: Document, secret: Collection[Path], hidden: Sequence[Span]
) -> Iterator[ValueWords]:
    """Yield the words that support values, without those that secret waivers withhold."""
    for cited in document.cited:
        spans = document.at(cited.path)
        # A whole caption would also show the words that a waiver withholds.
        if cited.table == "sources" and cited.field in _REGIONS_TO_CUT:
            spans = tuple(span for span in spans if not overlaps(span, hidden))
        # A rival is a note on how the words are read.
        if cited.path[:-1] not in secret and cited.field != "rival":
            yield ValueWords(cited.table, cited.record_id, cited.field, spans)


_REGIONS_TO_CUT = REGIONS.keys() - {"title", "subtitle"}
"""The regions of an article without those that are cells of the table `sources`."""


def _with_exact_values(document: Document, found: Iterable[ValueWords]) -> Iterator[ValueWords]:
    """Yield the words found; the exact place of a value replaces the words that state it."""
    exact = {(item.record_id, item.field): item for item in printed_values(document)}
    for item in found:
        if (item.record_id, item.field) not in exact:
            yield item
    yield from exact.values()


def _is_secret(waiver: Waiver) -> bool:
    return waiver.reason == "protected_attribute"


def _span_rows(
    document: Document,
    item: ValueWords,
    within: Sequence[Span],
    stops: Sequence[Span],
    offsets: OffsetConverter,
) -> Iterator[Row]:
    """Yield the rows of an item's words; words inside their record's evidence have no context.

    The context of a testimony, and that in a paragraph about a protected person, consists of marks
    and spaces, so that a page can show what separates it from the next published words. So does
    every context in a source with removed words: a shorter one would show where they were.
    """
    text = document.text
    has_context = item.table in ("figures", "mentions") and not document.content.withdrawn
    for_words = [*stops, *_paragraphs_of_protected(document)]
    for part, (start, end) in enumerate(item.spans, start=1):
        line, column = line_and_column(text, start)
        before, after = start, end
        if not is_inside(Span(start, end), within):
            most = with_context(Span(start, end), CONTEXT, stops)
            before, after = up_to_words(text, Span(start, end), most)
            if has_context:
                words = with_context(Span(start, end), CONTEXT, for_words)
                before, after = min(before, words.start), max(after, words.end)
        yield {
            "span_id": f"{item.record_id}.{item.field}.{part}",
            "record_table": item.table,
            "record_id": item.record_id,
            "field": item.field,
            "part": part,
            "source_id": document.source.id,
            "start_offset": start,
            "end_offset": end,
            "start_utf16": offsets.utf16(start),
            "end_utf16": offsets.utf16(end),
            "start_byte": offsets.utf8(start),
            "end_byte": offsets.utf8(end),
            "line": line,
            "column_number": column,
            "region": region_of(document, start),
            "exact": text[start:end],
            "prefix": text[before:start] or None,
            "suffix": text[end:after] or None,
        }
