"""The ledger of a source: what accounts for each quotation and each number that stands in its seed.

A quotation is accounted for by a testimony part that holds it, or that holds the quotation it is nested in; a quantity
by a figure that says the same number, or by the mention that states it as an age or as years of service; a record
accounts for one number. A number may stand in the source's boilerplate, and anything may be waived. What nothing
accounts for is open, and a release has nothing open.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.evidence.document import Document, per_document
from defectors_data.models.annotation import Figure, Mention, Waiver
from defectors_data.text.detection import Detection, detect
from defectors_data.text.offsets import Holders, Span

Status: TypeAlias = Literal["covered", "waived", "boilerplate", "withdrawn", "open"]


class Entry(NamedTuple):
    """One thing that was found in a seed, and what accounts for it."""

    detection: Detection
    status: Status
    record_table: str | None = None
    record_id: str | None = None
    reason: str | None = None


class Ledger:
    """Everything that was found in one seed, in reading order, and which waivers held any of it."""

    def __init__(self, entries: tuple[Entry, ...], waivers: Mapping[str, tuple[Entry, ...]]) -> None:
        """Take what was found, and by the id of a waiver what stands in its words."""
        self.entries, self.waivers = entries, waivers

    @cached_property
    def _starts(self) -> list[int]:
        return [entry.detection.start for entry in self.entries]

    @cached_property
    def quotations(self) -> list[Detection]:
        """Every quotation of the seed, in reading order."""
        return [entry.detection for entry in self.entries if entry.detection.kind == "quotation"]

    @cached_property
    def quoted(self) -> Holders:
        """Where quotations stand, to be asked which words stand inside one."""
        return Holders((found.start, found.end, 0) for found in self.quotations)

    def within(self, where: Sequence[Span]) -> list[Entry]:
        """Return what stands in any of some runs of the seed, in reading order."""
        return _within(self.entries, self._starts, where)

    def left(self) -> list[Entry]:
        """Return what nothing accounts for, in reading order."""
        return [entry for entry in self.entries if entry.status == "open"]


Claim: TypeAlias = tuple[str, str, tuple[Span, ...]]
"""A table, the id of a record in it, and where its evidence stands."""


@per_document
def ledger_of(document: Document) -> Ledger:
    """Return the ledger of a document: every detection in its text, and what accounts for it.

    Evidence that was not found accounts for nothing.
    """
    claims = _Claims(document)
    entries = tuple(claims.entry(detection) for detection in detect(document.text))
    starts = [entry.detection.start for entry in entries]
    held = {waiver.id: tuple(_within(entries, starts, where)) for waiver, where in claims.waivers}
    return Ledger(entries, held)


def _within(entries: Sequence[Entry], starts: Sequence[int], where: Sequence[Span]) -> list[Entry]:
    """Return the entries that stand in any of some runs; they are in order, and `starts` says where they begin."""
    found = {
        i
        for span in where
        for i in range(bisect_left(starts, span.start), bisect_left(starts, span.end))
        if entries[i].detection.end <= span.end
    }
    return [entries[i] for i in sorted(found)]


class _Claims:
    """What the records of a source lay claim to."""

    def __init__(self, document: Document) -> None:
        at = document.evidence_of
        self.document, self.text = document, document.text
        self.used: set[tuple[str, str, str]] = set()
        self.boilerplate = document.at(("source", "boilerplate"))
        self.source_id = document.source.id
        self.testimonies: list[Claim] = [("testimonies", t.id, at(path)) for path, t in document.testimonies]
        self.figures = [(figure, at(path)) for path, figure in document.figures]
        self.mentions = [(m, at(path)) for path, m in document.mentions if isinstance(m, Mention)]
        self.waivers: list[tuple[Waiver, tuple[Span, ...]]] = [(w, at(path)) for path, w in document.waivers]
        self.by_testimonies = _holders([where for _, _, where in self.testimonies])
        self.by_figures = _holders([where for _, where in self.figures])
        self.by_mentions = _holders([where for _, where in self.mentions])
        self.by_waivers = _holders([where for _, where in self.waivers])

    def entry(self, found: Detection) -> Entry:
        """Return what accounts for a detection: a record before boilerplate before a waiver; a record for one number.

        What touches a run that was taken out is withdrawn, whatever holds it.
        """
        if self.document.is_withdrawn(found.start, found.end):
            return Entry(found, "withdrawn")
        record = next(self.covering(found), None)
        if record:
            return Entry(found, "covered", *record)
        if found.kind != "quotation" and _inside(found, self.boilerplate):
            return Entry(found, "boilerplate", "sources", self.source_id)
        for i in self.by_waivers.around(found.start, found.end):
            waiver, _ = self.waivers[i]
            return Entry(found, "waived", "waivers", waiver.id, waiver.reason)
        return Entry(found, "open")

    def covering(self, found: Detection) -> Iterator[tuple[str, str]]:
        if found.kind == "quotation":
            held = self.held(found)
            yield from (self.testimonies[i][:2] for i in self.by_testimonies.around(held.start, held.end))
        elif found.kind == "quantity":
            figures = (self.figures[i][0] for i in self.by_figures.around(found.start, found.end))
            claims = [("figures", figure.id, "") for figure in figures if _same(figure, found)]
            claims += [
                ("mentions", mention.id, attribute)
                for mention in (self.mentions[i][0] for i in self.by_mentions.around(found.start, found.end))
                for attribute in ("age", "years_of_service")
                if found.quantity and getattr(mention, attribute) is not None
                if found.quantity.value == getattr(mention, attribute)
            ]
            for claim in claims:
                if claim not in self.used:
                    self.used.add(claim)
                    yield claim[:2]

    def held(self, found: Detection) -> Detection:
        """Return what of a quotation a testimony has to hold: where a mark is missing, the clause at the other end."""
        if not found.unclosed and not found.unopened:
            return found
        words = self.text[found.start : found.end]
        clauses = (hit.end() for hit in _CLAUSE_END.finditer(words) if hit.end() < len(words))
        first = next(clauses, None)
        if first is None:
            return found
        if found.unclosed:
            return found._replace(end=found.start + len(words[:first].rstrip(_MARKS)))
        return found._replace(start=found.start + max(clauses, default=first))


_CLAUSE_END = re.compile(r"[.,;!?…—]+\s*")
_MARKS = ".,;!?…— \u00a0"


def _holders(claimed: Sequence[tuple[Span, ...]]) -> Holders:
    """Return the runs that records lay claim to, each with the record's place in the list."""
    return Holders((*span, i) for i, where in enumerate(claimed) for span in where)


def _inside(found: Detection, where: Sequence[Span]) -> bool:
    return any(span.start <= found.start and found.end <= span.end for span in where)


def _same(figure: Figure, found: Detection) -> bool:
    """Tell whether a figure gives the number that was found; one with an override gives what it says it gives."""
    said = found.quantity
    if figure.override or said is None:
        return True
    numbers = {figure.value, figure.low, figure.high} - {None}
    return numbers == {said.value, said.low, said.high} - {None} and said.unit in (None, figure.unit)
