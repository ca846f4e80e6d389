"""Rules on waivers, and the closed world: nothing in a seed is left unaccounted for."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from defectors_data.corpus.findings import Finding
from defectors_data.corpus.project_file import Path
from defectors_data.evidence.agreement import disagreeing, unmarked, unread
from defectors_data.evidence.document import Document, per_document
from defectors_data.evidence.ledger import Entry, ledger_of
from defectors_data.models.annotation import Figure, Waiver
from defectors_data.rules.engine import rule
from defectors_data.text import quantities
from defectors_data.text.ages import states_age
from defectors_data.text.detection import Detection
from defectors_data.text.offsets import Span
from defectors_data.text.similarity import in_yaml


@rule(on="waivers", codebook="W3")
def unresolved_repeat(document: Document, path: Path, waiver: Waiver) -> Iterator[Finding]:
    """A waiver for a repeat says what it repeats, and no other waiver does."""
    if (waiver.reason == "repeat") != (waiver.repeats is not None):
        message = "`repeats` and the reason `repeat` go together."
        hint = "Give `repeats` the id of what is repeated, or the waiver another reason and no `repeats`."
        yield Finding(document.place(*path), "unresolved-repeat", message, (hint,))


BEGINNING = 12
"""Code points by which a quotation is known again, where a page prints it a second time."""


@rule(on="repeats", unique_ids=True, codebook=("F8", "W3"))
def repeat_text_mismatch(document: Document, path: Path, waiver: Waiver) -> Iterator[Finding]:
    """A quotation that is waived as a repeat begins with words of what it repeats; of numbers alone, one is in them."""
    repeated = _repeatable(document).get(waiver.repeats or "")
    if not repeated:
        return
    waived = [entry.detection for entry in ledger_of(document).waivers[waiver.id] if entry.record_id == waiver.id]
    quoted = {_words(document, found)[:BEGINNING] for found in waived if found.kind == "quotation"}
    numbers = [] if quoted else [said for found in waived if (said := quantities.numbers(_words(document, found)))]
    if any(words not in repeated for words in quoted - _open_beginnings(document)):
        message = "A quotation in these words does not begin like any words of what `repeats` names."
        yield Finding(
            document.place(*path, "repeats"),
            "repeat-text-mismatch",
            message,
            ("Name the testimony that holds the quotation.",),
        )
    elif numbers and not any(each & quantities.numbers(repeated) for each in numbers):
        message = "No number in these words is one of what `repeats` names."
        yield Finding(
            document.place(*path, "repeats"),
            "repeat-text-mismatch",
            message,
            ("Name the figure or testimony that has it.",),
        )


@per_document
def _repeatable(document: Document) -> dict[str, str]:
    """Return the words of what a waiver can repeat, by its id: with a figure, those of the testimony around it."""
    words = {testimony.id: document.words((*path, "evidence")) for path, testimony in document.testimonies}
    for path, figure in document.figures:
        said = document.words((*path, "evidence"))
        words[figure.id] = f"{said} {words.get(figure.testimony or '') or ''}" if said else None
    titles = [document.words(("source", name)) for name in ("title", "subtitle")]
    words[document.source.id] = " ".join(filter(None, titles))
    return {name: text for name, text in words.items() if text}


@per_document
def _open_beginnings(document: Document) -> set[str]:
    """Return how the open quotations and numbers begin, where these are reported."""
    left = ledger_of(document).left() if document.is_anchored else []
    return {_words(document, entry.detection)[:BEGINNING] for entry in left}


def _words(document: Document, found: Detection) -> str:
    return document.text[found.start : found.end]


@rule(on="quotations", unique_ids=True, codebook=("S3", "W1"))
def unaccounted_quotation(document: Document, _path: Path, entry: Entry) -> Iterator[Finding]:
    """Every quotation in a seed is held by a part of a testimony, waived, or boilerplate."""
    found = entry.detection
    if entry in _reported(document) and not any(s.start < found.end and found.start < s.end for s in _cut(document)):
        message = f"No record holds {_quoted(document, found)}."
        hint = "Annotate it as a testimony, or waive it with a reason."
        yield Finding(document.place_in_seed(found.start), "unaccounted-quotation", message, (hint,))


@rule(on="numbers", unique_ids=True, codebook=("S3", "F1", "W1"))
def unaccounted_quantity(document: Document, _path: Path, entry: Entry) -> Iterator[Finding]:
    """Every number in a seed is a figure, an age or years of service on a mention, waived, or boilerplate."""
    found = entry.detection
    if entry in _reported(document) and not _is_explained(document, found):
        message = f"Nothing accounts for the {found.kind.replace('_', ' ')} {_quoted(document, found)}."
        hint = "Annotate it as a figure, or waive it with a reason."
        yield Finding(document.place_in_seed(found.start), "unaccounted-quantity", message, (hint,))


MOST_REPORTED = 1_000
"""Quotations and numbers of one seed that are reported to be unaccounted for."""


@per_document
def _reported(document: Document) -> frozenset[Entry]:
    """Return the open entries that are reported: none while evidence is not found, and only the first of many."""
    return frozenset(islice(ledger_of(document).left(), MOST_REPORTED) if document.is_anchored else ())


@per_document
def _cut(document: Document) -> list[Span]:
    """Return where parts are found whose own findings explain why a quotation is open."""
    return list(unmarked(document))


def _is_explained(document: Document, found: Detection) -> bool:
    """Tell whether a number is only open because the figure or the mention around it is wrong, or one without words."""
    around = any(span.start <= found.start and found.end <= span.end for span in _at_fault(document))
    return around or any(_gives(figure, found) for _, figure, said in disagreeing(document) if not said)


@per_document
def _at_fault(document: Document) -> list[Span]:
    """Return where the evidence of figures and mentions is found that do not say what their words do."""
    paths = {path for path, _, _ in disagreeing(document)} | {path for path, _ in unread(document)}
    return [span for path in paths for span in document.evidence_of(path)]


def _gives(figure: Figure, found: Detection) -> bool:
    """Tell whether a figure whose words hold no quantity may be meant for one that was found."""
    said = found.quantity
    return said is not None and (figure.value, figure.low, figure.high) == (said.value, said.low, said.high)


def _quoted(document: Document, found: Detection) -> str:
    words = _words(document, found)
    return in_yaml(words if len(words) <= 80 else f"{words[:77]}...")  # noqa: PLR2004  # what fits a line


_KINDS: dict[str, set[str]] = {
    "date": {"date"},
    "clock_time": {"clock_time"},
    "ordinal": {"ordinal"},
    "list_number": {"list_number"},
    "name": {"name", "quantity", "ordinal", "date"},
    "protected_attribute": {"quantity", "ordinal"},
    "scare_quote": {"quotation"},
    "title": {"quotation"},
    "quoted_norm": {"quotation"},
    "not_a_quantity": {"quantity", "name"},
}
"""What a waiver of a reason may hold; of other reasons anything."""


@rule(on="waivers", unique_ids=True, codebook="W2")
def waiver_reason_mismatch(document: Document, path: Path, waiver: Waiver) -> Iterator[Finding]:
    """A waiver's reason fits all that it waives: a date waives dates, a scare quote quotations; ages are protected."""
    held = ledger_of(document).waivers[waiver.id]
    kinds = {entry.detection.kind for entry in held if entry.record_id == waiver.id}
    wrong = sorted(kinds - _KINDS.get(waiver.reason, set(kinds)))
    if wrong:
        message = f"These words hold a {wrong[0].replace('_', ' ')} too, which this reason is not for."
        hint = "Waive it on its own, or annotate it."
        yield Finding(document.place(*path, "reason"), "waiver-reason-mismatch", message, (hint,))
    elif waiver.reason not in _OF_AGES and any(_is_of_a_person(document, entry.detection) for entry in held):
        message = "These words tell an age or years, and this reason would print them."
        hint = "Waive a protected speaker's as `protected_attribute`; others stand on a mention or in a figure."
        yield Finding(document.place(*path, "reason"), "waiver-reason-mismatch", message, (hint,))


_OF_AGES = ("protected_attribute", "repeat", "quoted_norm", "title", "scare_quote", "idiom")
"""What ages and years may be waived as; of the reasons for numbers, the first alone leaves their words out."""


def _is_of_a_person(document: Document, found: Detection) -> bool:
    """Tell whether a number reads as an age, or counts years."""
    counts_years = found.quantity is not None and found.quantity.unit == "year"
    return counts_years or (found.kind == "quantity" and states_age(document.text, found))


@rule(on="waivers", unique_ids=True, codebook=("F5", "W4"))
def empty_waiver(document: Document, path: Path, waiver: Waiver) -> Iterator[Finding]:
    """A waiver holds at least one quotation or number: words without any need none."""
    if document.evidence_of(path) and not ledger_of(document).waivers[waiver.id]:
        message = "No quotation and no number stands in these words."
        yield Finding(document.place(*path), "empty-waiver", message, ("Leave the waiver out.",))


@rule(on="waivers", unique_ids=True, codebook="W4")
def redundant_waiver(document: Document, path: Path, waiver: Waiver) -> Iterator[Finding]:
    """A waiver is for what no record covers: where a record covers all of it, the waiver goes."""
    held = [entry for entry in ledger_of(document).waivers[waiver.id] if entry.status != "withdrawn"]
    if held and not any(entry.status == "waived" and entry.record_id == waiver.id for entry in held):
        message = "A record or another waiver covers all that stands in these words."
        yield Finding(document.place(*path), "redundant-waiver", message, ("Leave the waiver out.",))
