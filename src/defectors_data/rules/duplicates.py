"""Rules on words that are annotated, or printed, more than once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from defectors_data.corpus.findings import Finding
from defectors_data.corpus.project_file import Path
from defectors_data.evidence.anchoring import holds, occurrences
from defectors_data.evidence.document import Document, per_document
from defectors_data.evidence.ledger import ledger_of
from defectors_data.evidence.subjects import SUBJECTS
from defectors_data.models.annotation import Figure, Mention, ProtectedMention, Relation, Testimony
from defectors_data.rules.engine import rule
from defectors_data.text.offsets import Span


@rule(on="testimonies", unique_ids=True, codebook=("T9", "T13"))
def duplicate_evidence(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """Words are told once: by one testimony, one figure for each number, one mention of a speaker, one relation.

    Two testimonies may share words where the `note` of one names the other and so says why.
    """
    if path not in _sharing_words(document):
        return
    first, other = _sharing_words(document)[path]
    notes = f"{other.note} {testimony.note}"
    if not any(holds(notes, each.id) for each in (other, testimony)):
        line = document.place(*first, "evidence").line
        message = f"Words of this testimony belong to the testimony in line {line} too."
        hint = "Leave them to one of the two, or say why they are two acts of speech in a `note` that names the other."
        yield Finding(document.place(*path, "evidence"), "duplicate-evidence", message, (hint,))


@per_document
def _sharing_words(document: Document) -> dict[Path, tuple[Path, Testimony]]:
    """Return the testimonies that share words with one before them in the file, by path, with the one before."""
    records = dict(document.testimonies)
    parts = [(span, path) for path in records for span in document.evidence_of(path)]
    reached, found = Span(0, 0), dict[Path, tuple[Path, Testimony]]()
    holder: Path = ()
    for span, path in sorted(parts, key=lambda part: part[0]):
        if span.start < reached.end and path != holder:
            first, second = sorted((holder, path), key=lambda each: each[1])
            found.setdefault(second, (first, records[first]))
        if span.end > reached.end:
            reached, holder = span, path
    return found


@rule(on="figures", unique_ids=True, code="duplicate-evidence")
def figures_of_one_number(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """Report a figure in whose words other figures account for all numbers."""
    held = [entry for entry in ledger_of(document).within(document.evidence_of(path)) if entry.detection.quantity]
    theirs = {entry.record_id for entry in held if entry.record_table == "figures"}
    if theirs and figure.id not in theirs and all(entry.status == "covered" for entry in held):
        message = "Other figures account for all numbers in these words."
        hint = "One quantity is one figure: leave this one out, or copy the words of another quantity."
        yield Finding(document.place(*path), "duplicate-evidence", message, (hint,))


@rule(on="mentions", unique_ids=True, code="duplicate-evidence")
def equal_mentions(document: Document, path: Path, _: Mention | ProtectedMention) -> Iterator[Finding]:
    """Report a second mention of a speaker in the same words."""
    yield from _again(document, path, "A mention of this speaker")


@rule(on="relations", unique_ids=True, code="duplicate-evidence")
def equal_relations(document: Document, path: Path, _: Relation) -> Iterator[Finding]:
    """Report a second relation of the same kind between the same figures."""
    yield from _again(document, path, "A relation")


def _again(document: Document, path: Path, called: str) -> Iterator[Finding]:
    before = _equal_before(document).get(path)
    if before:
        message = f"{called} says the same in line {document.place(*before).line} already."
        yield Finding(document.place(*path), "duplicate-evidence", message, ("Leave one of the two out.",))


@per_document
def _equal_before(document: Document) -> dict[Path, Path]:
    """Return the mentions and relations that say what one before them says, by path, with the path of the first."""
    said: list[tuple[Path, Any]] = [(path, (r.kind, r.result, r.operands)) for path, r in document.relations]
    for path, _ in document.mentions:
        if spans := document.evidence_of(path):
            said.append((path, (document.entry_of(path).id, spans)))
    first: dict[Any, Path] = {}
    found = ((path, first.setdefault(content, path)) for path, content in said)
    return {path: before for path, before in found if path != before}


LONG = 30
"""Code points from which on equal words are one passage that is printed again, and not two that are alike."""

_Annotated: TypeAlias = list[tuple[str | int, Span]]


@rule(on="parts of titles, testimonies and figures", codebook="W3")
def repeat_not_waived(document: Document, path: Path, span: Span) -> Iterator[Finding]:
    """Of a passage printed more than once, the first is annotated that is no boilerplate and not waived as a repeat.

    What is annotated as evidence of another record of its kind is passed over; a passage has 30 code points or more.
    """
    words = document.text[slice(*span)]
    starts = occurrences(words, document.text) if len(words) >= LONG else []
    if len(starts) < 2:  # noqa: PLR2004  # printed once
        return
    others = [*_skipped(document), *(each for table, each in _annotated(document) if table == path[0] and each != span)]
    there = (Span(start, start + len(words)) for start in starts)
    # Nothing accounts for words that were taken down, and nothing has to.
    free = (at for at in there if not _is_within(at, others) and not document.is_withdrawn(*at))
    if next(free, span) != span:
        message = "These words are printed elsewhere, too, and nothing accounts for them there."
        hint = "Annotate the first, and waive the others as `repeat`."
        yield Finding(document.place(*path), "repeat-not-waived", message, (hint,))


@per_document
def _annotated(document: Document) -> _Annotated:
    """Return the spans of titles, testimonies and figures, each with the first key of its path."""
    return [(path[0], span) for path, span in SUBJECTS["parts of titles, testimonies and figures"](document)]


@per_document
def _skipped(document: Document) -> list[Span]:
    """Return where boilerplate is found, and what is waived as a repeat."""
    repeats = (document.evidence_of(path) for path, waiver in document.waivers if waiver.reason == "repeat")
    return [*document.at(("source", "boilerplate")), *(span for spans in repeats for span in spans)]


def _is_within(inner: Span, outer: list[Span]) -> bool:
    return any(span.start <= inner.start and inner.end <= span.end for span in outer)
