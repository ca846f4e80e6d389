"""Rules on words that are annotated, or printed, more than once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from defectors_data.corpus.findings import Finding, Path
from defectors_data.evidence.anchoring import contains_words, occurrences
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.rule_subjects import SUBJECTS
from defectors_data.models.annotation import Figure, Mention, ProtectedMention, Relation, Testimony
from defectors_data.rules.engine import rule
from defectors_data.text.offsets import Span, is_inside, line_and_column


@rule(on="testimonies", unique_ids=True, codebook=("T9", "T13"))
def duplicate_evidence(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """The same words must not be evidence of two testimonies, unless the `note` of one names the other.

    A number must be annotated as only one figure, and no mention or relation may be recorded twice.
    """
    if path not in _overlaps(document):
        return
    first, other = _overlaps(document)[path]
    notes = f"{other.note} {testimony.note}"
    if not any(contains_words(notes, each.id) for each in (other, testimony)):
        line = document.place(*first, "evidence").line
        message = f"Words of this testimony are also evidence of the testimony on line {line}."
        hint = (
            "Remove the words from one testimony, or add a `note` that names the other one and says why these are two "
            "acts of speech."
        )
        yield Finding(document.place(*path, "evidence"), "duplicate-evidence", message, (hint,))


@per_document
def _overlaps(document: Document) -> dict[Path, tuple[Path, Testimony]]:
    """Return the testimonies that overlap with an earlier one in the file, by path, each with the earlier one."""
    records = dict(document.testimonies)
    parts = [(span, path) for path in records for span in document.evidence_of(path)]
    longest, found = Span(0, 0), dict[Path, tuple[Path, Testimony]]()
    owner: Path = ()
    # In the order of the text, a part overlaps an earlier one only if it overlaps the one that extends furthest.
    for span, path in sorted(parts, key=lambda part: part[0]):
        if span.start < longest.end and path != owner:
            first, second = sorted((owner, path), key=lambda each: each[1])
            found.setdefault(second, (first, records[first]))
        if span.end > longest.end:
            longest, owner = span, path
    return found


@rule(on="figures", unique_ids=True, code="duplicate-evidence")
def duplicate_figure(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """Report figures whose numbers are all accounted for by other figures."""
    # The ledger assigns each number to only one figure, so a second figure with the same number accounts for none.
    numbers = [entry for entry in ledger_of(document).within(document.evidence_of(path)) if entry.detection.quantity]
    figures = {entry.record_id for entry in numbers if entry.record_table == "figures"}
    if figures and figure.id not in figures and all(entry.status == "covered" for entry in numbers):
        message = "Other figures account for every number in these words."
        hint = "Annotate each quantity once: remove this figure, or give it the words of another quantity as evidence."
        yield Finding(document.place(*path), "duplicate-evidence", message, (hint,))


@rule(on="relations", unique_ids=True, code="duplicate-evidence")
@rule(on="mentions", unique_ids=True, code="duplicate-evidence")
def duplicate_record(document: Document, path: Path, _: Mention | ProtectedMention | Relation) -> Iterator[Finding]:
    """Report mentions of one speaker in the same words, and relations of one kind between the same figures."""
    if first := _firsts(document).get(path):
        message = f"This record repeats the one on line {document.place(*first).line}."
        yield Finding(document.place(*path), "duplicate-evidence", message, ("Remove one of the two.",))


@per_document
def _firsts(document: Document) -> dict[Path, Path]:
    """Return the mentions and relations that repeat an earlier one, by path, with the path of the first."""
    contents: list[tuple[Path, Any]] = [(path, (r.kind, r.result, r.operands)) for path, r in document.relations]
    for path, _ in document.mentions:
        if spans := document.evidence_of(path):
            contents.append((path, (document.entry_of(path).id, spans)))
    first: dict[Any, Path] = {}
    found = ((path, first.setdefault(content, path)) for path, content in contents)
    return {path: earlier for path, earlier in found if path != earlier}


LONG = 30
"""Minimum length, in code points, of a passage whose repeats are searched for."""


@rule(on="parts of titles, testimonies and figures", codebook="W3", complete=True)
def repeat_not_waived(document: Document, path: Path, span: Span) -> Iterator[Finding]:
    """If a passage of at least 30 characters is printed more than once, its first occurrence must be annotated.

    Occurrences in boilerplate and pull quotes do not count, nor do those that are waived as a repeat or are evidence of
    another record of the same kind.
    """
    words = document.text[slice(*span)]
    starts = occurrences(words, document.text) if len(words) >= LONG else []
    if len(starts) < 2:  # noqa: PLR2004  # printed once
        return
    annotated = SUBJECTS["parts of titles, testimonies and figures"](document)
    others = [*_skipped(document), *(each for other, each in annotated if other[0] == path[0] and each != span)]
    found = (Span(start, start + len(words)) for start in starts)
    # Words that were taken down need no record and no waiver.
    free = (each for each in found if not is_inside(each, others) and not document.is_withdrawn(*each))
    # If every occurrence is accounted for, there is nothing left to annotate.
    if (first := next(free, span)) != span:
        line, _ = line_and_column(document.text, first.start)
        message = f"These words are also on line {line} of {document.seed}, where nothing accounts for them."
        hint = "Annotate the first occurrence, and waive the others as `repeat`."
        yield Finding(document.place(*path), "repeat-not-waived", message, (hint,))


@per_document
def _skipped(document: Document) -> list[Span]:
    """Return the spans of boilerplate, pull quotes and waived repeats."""
    repeats = (document.evidence_of(path) for path, waiver in document.waivers if waiver.reason == "repeat")
    listed = (document.at(("source", field)) for field in ("boilerplate", "pull_quotes"))
    return [span for spans in (*listed, *repeats) for span in spans]
