"""The ledger of a source: its quotations and numbers, with the record or waiver of each.

A part of a testimony accounts for a quotation that it contains, or that is nested in one that it
contains. A figure accounts for a quantity with the same number, and a mention for one that is its
age or years of service; a figure, an age and years of service account for one number each.
Boilerplate accounts for all that is inside, such as the titles in a list of sources, and anything
may be waived. Everything else is open; a release has no open entries.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from defectors_data.corpus.findings import Path
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.models.annotation import Figure, Mention
from defectors_data.text import units
from defectors_data.text.detection import Detection, detect, outermost, quotations
from defectors_data.text.offsets import Span, SpanIndex, is_inside, overlaps

if TYPE_CHECKING:
    from defectors_data.corpus.shared_context import Context
    from defectors_data.models.project import SubjectUnit

Status: TypeAlias = Literal["covered", "waived", "boilerplate", "withdrawn", "open"]


class LedgerEntry(NamedTuple):
    """A quotation or number in a seed, and what accounts for it."""

    detection: Detection
    status: Status
    record_table: str | None = None
    record_id: str | None = None
    reason: str | None = None


class Ledger:
    """All entries of one seed, in reading order."""

    def __init__(self, entries: tuple[LedgerEntry, ...]) -> None:
        """Store the entries, which must be in reading order."""
        self.entries = entries
        self._starts = [entry.detection.start for entry in entries]
        self.waivers: Mapping[str, Sequence[LedgerEntry]] = {}
        """The entries in the words of each waiver, by its id, also those of records."""

    @cached_property
    def quotations(self) -> list[Detection]:
        """Every quotation of the seed, in reading order."""
        return [entry.detection for entry in self.entries if entry.detection.kind == "quotation"]

    @cached_property
    def quoted(self) -> SpanIndex:
        """An index of the quotations, for finding out whether words are inside one."""
        return SpanIndex((found.start, found.end, 0) for found in self.quotations)

    def within(self, where: Sequence[Span]) -> list[LedgerEntry]:
        """Return the entries inside any of the given spans, in reading order."""
        found = set()
        for span in where:
            for i in range(self._first_from(span.start), self._first_from(span.end)):
                if self.entries[i].detection.end <= span.end:
                    found.add(i)
        return [self.entries[i] for i in sorted(found)]

    def _first_from(self, offset: int) -> int:
        """Return the position of the first entry that starts at an offset or after it."""
        return bisect_left(self._starts, offset)

    def left(self) -> list[LedgerEntry]:
        """Return the open entries, in reading order."""
        return [entry for entry in self.entries if entry.status == "open"]


def accounted_words(document: Document, entry: LedgerEntry) -> Span:
    """Return the words of an entry that its record or waiver accounts for.

    A quotation that lacks a mark is detected up to the end, or from the start, of its paragraph.
    Its testimony says how far it extends: the words beyond are the writer's.
    """
    found = entry.detection
    start, end = found.start, found.end
    if entry.record_table == "testimonies" and (found.unclosed or found.unopened):
        marked = start if found.unclosed else end - 1  # the end that is certain
        path, _ = document.testimonies_by_id[entry.record_id or ""]
        for part in document.evidence_of(path):
            if part.start <= marked < part.end:
                start, end = max(start, part.start), min(end, part.end)
    return Span(start, end)


def units_by_noun(context: Context) -> dict[str, str]:
    """Return the unit of each noun, with those of the vocabulary."""
    return _units_by_noun(context.vocabulary.content.units)


@lru_cache(maxsize=1)
def _units_by_noun(listed: tuple[SubjectUnit, ...]) -> dict[str, str]:
    return units.units_by_noun((unit.term, unit.nouns) for unit in listed)


def detections(text: str, context: Context) -> tuple[Detection, ...]:
    """Return the quotations and numbers of a text, with the units of the vocabulary."""
    return _detections(text, context.vocabulary.content.units)


@lru_cache(maxsize=4)  # the cache keeps whole texts in memory
def _detections(text: str, listed: tuple[SubjectUnit, ...]) -> tuple[Detection, ...]:
    # While an annotator works, an article is checked many times, and its text stays the same.
    return tuple(detect(text, _units_by_noun(listed)))


@per_document
def ledger_of(document: Document) -> Ledger:
    """Return the ledger of a document, empty if it does not claim to be complete.

    Evidence that was not found accounts for nothing.
    """
    claims = _RecordIndex(document)
    found = detections(document.text, document.context) if document.claims_completeness else ()
    ledger = Ledger(tuple(claims.entry(each) for each in found))
    evidence = [(waiver.id, document.evidence_of(path)) for path, waiver in document.waivers]
    ledger.waivers = {name: ledger.within(spans) for name, spans in evidence}
    return ledger


@per_document
def quotations_of(document: Document) -> list[Detection]:
    """Return every quotation of a document in reading order, even of an incomplete one."""
    if document.claims_completeness:
        return ledger_of(document).quotations
    return sorted(quotations(document.text))


@per_document
def outermost_quotations_of(document: Document) -> list[Span]:
    """Return the quotations of a document that are not inside another one."""
    return outermost(quotations_of(document))


class _RecordIndex:
    """The records of a source, indexed by the spans of their evidence."""

    def __init__(self, document: Document) -> None:
        records: dict[str, Sequence[tuple[Path, Any]]] = {
            "testimonies": document.testimonies,
            "figures": document.figures,
            "mentions": [each for each in document.mentions if isinstance(each[1], Mention)],
            "waivers": document.waivers,
        }
        self.document, self.records = document, records
        self.spans = {table: self._index(listed) for table, listed in records.items()}
        self.boilerplate = document.at(("source", "boilerplate"))
        # A record that accounts for a number must not hide an equal number that nothing accounts
        # for.
        self.used: set[tuple[str, str, str]] = set()

    def _index(self, listed: Sequence[tuple[Path, Any]]) -> SpanIndex:
        """Return an index of the evidence of records, by their positions in a list."""
        found = []
        for i, (path, _) in enumerate(listed):
            found += [(*span, i) for span in self.document.evidence_of(path)]
        return SpanIndex(found)

    def around(self, table: str, start: int, end: int) -> Iterator[Any]:
        """Yield the records of a table with evidence that contains a span."""
        for i in self.spans[table].around(start, end):
            yield self.records[table][i][1]

    def entry(self, found: Detection) -> LedgerEntry:
        """Return the entry of a detection: withdrawn, or by a record, boilerplate or a waiver."""
        # Withdrawn text comes first: no other status may say what it contained.
        if self.document.is_withdrawn(found.start, found.end):
            return LedgerEntry(found, "withdrawn")
        if record := next(self.covering(found), None):
            return LedgerEntry(found, "covered", *record)
        waivers = list(self.around("waivers", found.start, found.end))
        protected = [waiver for waiver in waivers if waiver.reason == "protected_attribute"]
        if not protected and is_inside(found, self.boilerplate):
            return LedgerEntry(found, "boilerplate", "sources", self.document.source.id)
        # A protected number has no row, even in a repeated passage. The loop returns at once: one
        # waiver is enough.
        for waiver in [*protected, *waivers]:
            return LedgerEntry(found, "waived", "waivers", waiver.id, waiver.reason)
        return LedgerEntry(found, "open")

    def covering(self, found: Detection) -> Iterator[tuple[str, str]]:
        """Yield the table and id of records that account for a detection.

        A claim to a number is used only once.
        """
        if found.kind == "quotation":
            # A testimony may account for any number of quotations, whereas a figure accounts for
            # one number.
            for testimony in self.around("testimonies", *self.required(found)):
                yield "testimonies", testimony.id
        elif found.kind == "quantity":
            for claim in self.claims(found):
                if claim not in self.used:
                    self.used.add(claim)
                    yield claim[:2]
        else:
            yield from self._reread(found)

    def _reread(self, found: Detection) -> Iterator[tuple[str, str]]:
        """Yield the table and id of figures whose `override` says that a number read as no quantity,
        such as a date, is one, and which contain no other.
        """
        for figure in self.around("figures", found.start, found.end):
            [spans] = [
                self.document.evidence_of(path)
                for path, each in self.document.figures
                if each is figure
            ]
            others = detections(self.document.text, self.document.context)
            has_quantity = any(each.quantity and is_inside(each, spans) for each in others)
            if figure.override and not has_quantity:
                yield "figures", figure.id

    def claims(self, found: Detection) -> Iterator[tuple[str, str, str]]:
        """Yield the records that may account for a quantity: table, id, attribute of a mention."""
        for figure in self.around("figures", found.start, found.end):
            if _same(figure, found):
                yield "figures", figure.id, ""
        for mention in self.around("mentions", found.start, found.end):
            for attribute in ("age", "years_of_service"):
                value = getattr(mention, attribute)
                if found.quantity and value is not None and found.quantity.value == value:
                    yield "mentions", mention.id, attribute

    def required(self, found: Detection) -> Span:
        """Return the span that a testimony must contain to account for a quotation.

        If a quotation mark is missing, this is only the clause at the other end.
        """
        words = self.document.text[found.start : found.end]
        clauses = [hit.end() for hit in _CLAUSE_END.finditer(words) if hit.end() < len(words)]
        if clauses and found.unclosed:
            # Without its closing mark, the end of the quotation is uncertain, but its first clause
            # is certain.
            return Span(found.start, found.start + len(words[: clauses[0]].rstrip(_MARKS)))
        if clauses and found.unopened:
            return Span(found.start + clauses[-1], found.end)
        return found.span


_CLAUSE_END = re.compile(r"[.,;!?…—]+\s*")
_MARKS = ".,;!?…— \u00a0"


def _same(figure: Figure, found: Detection) -> bool:
    """Return whether a figure has the detected number, in one of its meanings: 69 cents can be 0.69
    US dollars.

    A figure with an override matches any number.
    """
    said = found.quantity
    if figure.override or said is None:
        return True
    meanings = [said, said.scaled(said.other_scale)] if said.other_scale else [said]
    numbers = {figure.value, figure.low, figure.high} - {None}
    for each in meanings:
        is_unit = each.unit in (None, figure.unit)
        if is_unit and numbers == {each.value, each.low, each.high} - {None}:
            return True
    return False


def number_in(document: Document, span: Span) -> LedgerEntry | None:
    """Return the first ledger entry of a quantity that overlaps with a span, or None."""
    for entry in ledger_of(document).entries:
        if entry.detection.quantity and overlaps(span, [entry.detection]):
            return entry
    return None
