"""Rules on waivers, and on quotations and numbers without a record or waiver."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from defectors_data.corpus.findings import Finding, Path
from defectors_data.corpus.yaml_reader import in_yaml
from defectors_data.evidence.anchors import whole_occurrences
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.completeness_ledger import LedgerEntry, ledger_of
from defectors_data.evidence.consistency import disagreeing, unmarked, unread
from defectors_data.models.annotation import Figure, Waiver
from defectors_data.rules.engine import HINT_ON_AGE, rule
from defectors_data.text import quantities
from defectors_data.text.detection import (
    Detection,
    is_in_name_of_kind,
    reason_of_number,
    states_age,
)
from defectors_data.text.english.sentences import FUNCTION_WORDS, tokens
from defectors_data.text.occurrences import says_the_same
from defectors_data.text.offsets import Span, are_inside, is_inside, overlaps


@rule(on="waivers", codebook="W3")
def unresolved_repeat(document: Document, path: Path, waiver: Waiver) -> Iterator[Finding]:
    """A waiver must have `repeats` if its reason is `repeat`, and only then."""
    if (waiver.reason == "repeat") != (waiver.repeats is not None):
        message = "`repeats` and the reason `repeat` must be used together."
        hint = (
            "Set `repeats` to the id of what is repeated, or use another reason without `repeats`."
        )
        yield Finding(document.place(*path), "unresolved-repeat", message, (hint,))


BEGINNING = 12
"""Number of code points at the beginning of a waived quotation that must occur in the repeated
record."""


@rule(on="repeats", unique_ids=True, codebook=("F8", "W3"))
def repeat_text_mismatch(document: Document, path: Path, waiver: Waiver) -> Iterator[Finding]:
    """The beginning of a quotation that is waived as a repeat must occur in the repeated record.

    If all of its words occur there, as those of a headline, their capital letters do not matter.

    A number that is waived as a repeat must also be printed outside the words of the waiver, in any
    spelling, but with the same hedge. If a waiver covers numbers but no quotation, the repeated
    record must contain at least one of the numbers.
    """
    repeated = _repeatable(document).get(waiver.repeats or "")
    if not repeated:
        return
    waived = [
        entry.detection
        for entry in ledger_of(document).waivers[waiver.id]
        if entry.record_id == waiver.id
    ]
    quoted = {_words(document, found) for found in waived if found.kind == "quotation"}
    numbers = []
    if not quoted:
        said = [quantities.numbers(_words(document, found)) for found in waived]
        numbers = [each for each in said if each]
    # If another occurrence of a quotation is open, only that occurrence is reported, as unaccounted
    # for.
    open_ = _open_beginnings(document)
    closed = [words for words in quoted if words[:BEGINNING] not in open_]
    if not all(_is_repeated(words, repeated) for words in closed):
        message = (
            "These words contain a quotation that does not begin with words of the record in "
            "`repeats`."
        )
        hint = "Name the testimony that contains the quotation."
    elif numbers and not any(each & quantities.numbers(repeated) for each in numbers):
        message = "The record in `repeats` contains none of the numbers in these words."
        hint = "Name the figure or testimony that contains the number."
    elif any(
        found.kind != "quotation" and not _is_elsewhere(document, path, found) for found in waived
    ):
        message = "A number in these words is printed nowhere else with this hedge, so it is not a repeat."
        hint = "Remove it from these words, and annotate it or waive it with another reason."
    else:
        return
    yield Finding(document.place(*path, "repeats"), "repeat-text-mismatch", message, (hint,))


def _is_repeated(words: str, repeated: str) -> bool:
    return words[:BEGINNING] in repeated or says_the_same(repeated, words)


def _is_elsewhere(document: Document, path: Path, found: Detection) -> bool:
    """Return whether a number is also printed outside the evidence of the record at `path`, with the
    same hedge: "nearly 1,000" does not print "1,000" again.
    """
    spans = document.evidence_of(path)
    places = []
    if found.quantity is None:
        places = whole_occurrences(_words(document, found), document.text)
    others = [entry.detection for entry in ledger_of(document).entries]
    equal = [other.span for other in others if _is_equal(found, other)]
    return not are_inside((*places, *equal), spans)


def _is_equal(found: Detection, other: Detection) -> bool:
    """Return whether two detections have the same numbers and hedge, and no different units."""
    one, two = found.quantity, other.quantity
    if one is None or two is None:
        return False
    same_unit = one.unit == two.unit or None in (one.unit, two.unit)
    return one[:4] == two[:4] and same_unit


@per_document
def _repeatable(document: Document) -> dict[str, str]:
    """Return the words of each record that a waiver can repeat, by id.

    The words of a figure include those of its testimony.
    """
    words = {
        testimony.id: document.words((*path, "evidence"))
        for path, testimony in document.testimonies
    }
    for path, figure in document.figures:
        own = document.words((*path, "evidence"))
        words[figure.id] = f"{own} {words.get(figure.testimony or '') or ''}" if own else None
    titles = [document.words(("source", name)) for name in ("title", "subtitle")]
    words[document.source.id] = " ".join(filter(None, titles))
    return {name: text for name, text in words.items() if text}


@per_document
def _open_beginnings(document: Document) -> set[str]:
    """Return the beginnings of all quotations and numbers that are unaccounted for."""
    left = ledger_of(document).left() if document.is_anchored else []
    return {_words(document, entry.detection)[:BEGINNING] for entry in left}


def _words(document: Document, found: Detection) -> str:
    return document.text[found.start : found.end]


@rule(on="quotations", unique_ids=True, codebook=("S3", "W1"), complete=True)
def unaccounted_quotation(document: Document, _path: Path, entry: LedgerEntry) -> Iterator[Finding]:
    """Every quotation in a seed must be part of a testimony, waived, or in boilerplate."""
    found = entry.detection
    # The finding on a direct part without quotation marks explains why its quotation is open.
    if (
        entry.status == "open"
        and entry in _reported(document)
        and not overlaps(found, unmarked(document))
    ):
        message = f"No record or waiver accounts for the quotation {_quoted(document, found)}."
        hint = "Annotate it as a testimony, or waive it with a reason."
        yield Finding(
            document.place_in_seed(found.start), "unaccounted-quotation", message, (hint,)
        )


@rule(on="numbers", unique_ids=True, codebook=("S3", "F1", "W1"), complete=True)
def unaccounted_quantity(document: Document, _path: Path, entry: LedgerEntry) -> Iterator[Finding]:
    """Every number in a seed must be annotated, waived, or in boilerplate.

    It is annotated as a figure, an age or years of service.
    """
    found = entry.detection
    is_reported = entry.status == "open" and entry in _reported(document)
    if is_reported and not _is_explained(document, found):
        reason = reason_of_number(document.text, found)
        kind = "number" if reason == "not_a_quantity" else found.kind.replace("_", " ")
        message = f"No record or waiver accounts for the {kind} {_quoted(document, found)}."
        hint = "Annotate it as a figure, or waive it with a reason."
        if states_age(document.text, found):
            hint = HINT_ON_AGE
        elif reason:
            hint = f"Waive it with `reason: {reason}`. If it is a quantity, also annotate it as a figure."
        yield Finding(document.place_in_seed(found.start), "unaccounted-quantity", message, (hint,))


MOST_REPORTED = 1_000
"""The largest number of quotations and numbers of one seed that are reported as unaccounted for."""


@per_document
def _reported(document: Document) -> frozenset[LedgerEntry]:
    """Return the open entries that are reported; none if some evidence was not found."""
    # If evidence was not found, the quotations and numbers in it would seem open.
    if not document.is_anchored:
        return frozenset()
    return frozenset(islice(ledger_of(document).left(), MOST_REPORTED))


def _is_explained(document: Document, found: Detection) -> bool:
    """Return whether a finding on a figure or a mention explains why a number is open."""
    return is_inside(found, _mismatched(document)) or any(
        _is_meant(figure, found) for _, figure, stated in disagreeing(document) if not stated
    )


@per_document
def _mismatched(document: Document) -> list[Span]:
    """Return the spans of the figures and mentions that disagree with their words."""
    paths = {path for path, _, _ in disagreeing(document)}
    paths.update(path for path, _ in unread(document))
    return [span for path in paths for span in document.evidence_of(path)]


def _is_meant(figure: Figure, found: Detection) -> bool:
    """Return whether a figure without a quantity has the same numbers as a detected one."""
    numbers = (figure.value, figure.low, figure.high)
    return found.quantity is not None and found.quantity[:3] == numbers


_LONGEST_QUOTED = 80
"""Maximum number of characters that a message repeats, so that they fit on a line."""


def _quoted(document: Document, found: Detection) -> str:
    words = _words(document, found)
    if len(words) > _LONGEST_QUOTED:
        words = f"{words[: _LONGEST_QUOTED - 3]}..."
    return in_yaml(words)


KINDS_WAIVED: dict[str, set[str]] = {
    "date": {"date"},
    "clock_time": {"clock_time"},
    "ordinal": {"ordinal"},
    "list_number": {"list_number", "name"},  # "Number Two, it is shut"
    "name": {"name", "quantity", "ordinal", "date"},
    # "over 65s", "in her 30s", a date of birth
    "protected_attribute": {"quantity", "ordinal", "name", "date"},
    "term": {"quotation"},
    "scare_quote": {"quotation"},
    "title": {"quotation"},
    "quoted_norm": {"quotation"},
    "not_a_quantity": {"quantity", "name"},
}
"""The kinds of detections that may be waived for each reason; for a reason that is not listed, any
kind may be."""


@rule(on="waivers", unique_ids=True, codebook="W2")
def waiver_reason_mismatch(document: Document, path: Path, waiver: Waiver) -> Iterator[Finding]:
    """The reason for a waiver must fit everything that it covers.

    For example, only dates may be waived as `date`, neither a sentence nor more than eight words as
    `term` or `scare_quote`, and no amount of money as `name`.

    An age or a number of years may be waived only as `protected_attribute`, `repeat`,
    `quoted_norm`, `title`,
    `scare_quote` or `idiom`.
    """
    entries = ledger_of(document).waivers[waiver.id]
    covered = [entry for entry in entries if entry.record_id == waiver.id]
    if waiver.reason in _NAMES_IN_QUOTATION_MARKS:
        covered = _outermost(covered)
    kinds = {entry.detection.kind for entry in covered}
    wrong = sorted(kinds - KINDS_WAIVED.get(waiver.reason, kinds))
    if wrong:
        message = (
            f"These words contain a {wrong[0].replace('_', ' ')}, which this reason does not cover."
        )
        hint = "Waive it separately, or annotate it."
        if wrong[0] == "quotation" and len(_outermost(covered)) == 1:
            hint = "Give the reason for the quotation, such as `term`, or annotate it."
    elif waiver.reason in _REASONS_FOR_TERMS and any(_is_speech(document, e) for e in entries):
        message = f"A sentence or a long quotation is no {waiver.reason.replace('_', ' ')}."
        hint = "Annotate what is said as a testimony, or give another reason."
    # This includes ages that a record accounts for, because the words of a waiver are published.
    elif waiver.reason not in _REASONS_FOR_AGES and any(
        _is_age_or_years(document, e.detection) for e in entries
    ):
        message = (
            "These words state an age or a number of years, and a waiver with this reason would "
            "publish it."
        )
        hint = (
            "For a protected speaker, waive it as `protected_attribute`; otherwise, annotate it on "
            "a mention or as a "
            "figure."
        )
    elif any(_certainly_counts(document.text, e.detection, waiver.reason) for e in covered):
        message = f"This number counts or measures something: `{waiver.reason}` does not fit."
        hint = "Annotate it as a figure, or give another reason."
    else:
        return
    yield Finding(document.place(*path, "reason"), "waiver-reason-mismatch", message, (hint,))


@rule(on="waivers", unique_ids=True, codebook="W5")
def waiver_too_wide(document: Document, path: Path, waiver: Waiver) -> Iterator[Finding]:
    """A waiver that repeats no record must cover only one quotation or number.

    With `every_occurrence`, it must cover only one at each place. A number inside a quotation counts
    with it, as in the title “12 Angry Men”.
    """
    if waiver.reason == "repeat" or waiver.repeats is not None:
        return
    ledger = ledger_of(document)
    covered = [entry for entry in ledger.waivers[waiver.id] if entry.record_id == waiver.id]
    if len(covered) <= 1:
        return
    spans = document.evidence_of(path)
    places = [spans]
    if waiver.every_occurrence:
        places = [(span,) for span in spans]
    for words in places:
        inside = [entry for entry in ledger.within(words) if entry.record_id == waiver.id]
        entries = _outermost(inside)
        if len(entries) > 1:
            message = (
                f"This waiver covers {len(entries)} quotations or numbers in these words, but it "
                "may cover only one."
            )
            hint = "Waive each separately, in its own words."
            yield Finding(document.place(*path), "waiver-too-wide", message, (hint,))
            return


def _outermost(entries: Sequence[LedgerEntry]) -> list[LedgerEntry]:
    """Return entries without the numbers inside a quotation that is one of them."""
    found = [entry for entry in entries if entry.detection.kind == "quotation"]
    quoted = [entry.detection.span for entry in found]
    for entry in entries:
        number = entry.detection.span
        if entry not in found and not is_inside(number, quoted):
            found.append(entry)
    return found


_AMOUNTS = frozenset(("percent", "usd", "usd_per_month"))
_NAMED = re.compile(r"[A-Z][\w.’'&-]*\W{1,3}$")
"""A word with a capital letter before a number, which may be its name."""
_BEFORE_NAME = re.compile(r"\W?[A-Z]")
_COUNTED = re.compile(r"[ -][a-z]{3,}")


def _certainly_counts(text: str, found: Detection, reason: str) -> bool:
    """Return whether a number cannot be waived for a reason, as it states an amount of money or a
    percentage, or is before what its unit counts ("14 people") and, as a `name`, next to no capital
    letter or, as an `idiom` or `detector_error`, in digits.
    """
    said = found.quantity
    if is_in_name_of_kind(text, found):
        return False  # "a 9mm gun"
    if said is None or reason not in _REASONS_AGAINST_COUNTING:
        return False
    is_amount = said.unit in _AMOUNTS or text[found.start] in "$€£"
    is_counted = is_amount or (said.unit is not None and _COUNTED.match(text, found.end))
    if reason in ("idiom", "detector_error"):
        has_digits = any(map(str.isdigit, text[found.start : found.end]))
        return bool(is_counted) and has_digits and said.value not in _SAID_LIGHTLY
    if is_amount and reason != "name":
        return True
    capital = _NAMED.search(text, max(0, found.start - _REACH), found.start)
    before = next(tokens(text, *capital.span()), None) if capital else None
    is_named = before is not None and not before.classes & FUNCTION_WORDS  # "Some 14 people"
    is_named |= text[found.start].isupper() or _BEFORE_NAME.match(text, found.end) is not None
    return bool(reason == "name" and is_counted and not is_named)


_REASONS_AGAINST_COUNTING = (
    "name",
    "not_a_quantity",
    "protected_attribute",
    "idiom",
    "detector_error",
)
_SAID_LIGHTLY = (1, 100, 110, 360)
"""Numbers that idioms have in digits: "gave 110 percent", "a 360-degree turn"."""
_REACH = 40
_NAMES_IN_QUOTATION_MARKS = ("term", "title")
"""Reasons for words in quotation marks of which a number is a part, as in “12 Angry Men”."""
_REASONS_FOR_TERMS = ("term", "scare_quote")
_LONGEST_TERM = 8
"""Maximum number of words in a term or scare quote."""
_SHORTEST_SENTENCE = 3
"""Minimum number of words in a sentence, so that "can do." may be a term."""
_FINITE = re.compile(
    r"\b(?:I|we|you|he|she|it|they|am|is|are|was|were|has|have|had|do|does|did|will|would|can|could|"
    r"shall|should|may|might|must|\w+n['’]t|cannot)\b",
    re.IGNORECASE,
)
"""Subject pronouns and auxiliary verbs, which show that words are a clause."""


def _is_speech(document: Document, entry: LedgerEntry) -> bool:
    """Return whether a quotation is a sentence, or too long for a term."""
    found = entry.detection
    words = document.text[found.start : found.end].strip("\"'“”‘’«»„‹› \n")
    number = len(words.split())
    has_end = words.endswith((".", "!", "?", ",", "…"))
    is_sentence = has_end and number >= _SHORTEST_SENTENCE and _FINITE.search(words)
    return found.kind == "quotation" and bool(is_sentence or number > _LONGEST_TERM)


_REASONS_FOR_AGES = (
    "protected_attribute",
    "repeat",
    "quoted_norm",
    "title",
    "scare_quote",
    "idiom",
)
"""Reasons for which ages and numbers of years may be waived. The words of a `protected_attribute`
are not published."""


def _is_age_or_years(document: Document, found: Detection) -> bool:
    if is_in_name_of_kind(document.text, found):
        return False
    counts_years = found.quantity is not None and found.quantity.unit == "year"
    may_be_age = found.kind in ("quantity", "date")
    return counts_years or (may_be_age and states_age(document.text, found))


@rule(on="waivers", unique_ids=True, codebook=("F5", "W4"))
def empty_waiver(document: Document, path: Path, waiver: Waiver) -> Iterator[Finding]:
    """A waiver must cover at least one quotation or number."""
    if document.evidence_of(path) and not ledger_of(document).waivers[waiver.id]:
        message = "These words contain no quotation and no number."
        if not document.claims_completeness:
            message = "With `completeness: none`, nothing needs a waiver."
        yield Finding(document.place(*path), "empty-waiver", message, ("Remove the waiver.",))


@rule(on="waivers", unique_ids=True, codebook="W4")
def redundant_waiver(document: Document, path: Path, waiver: Waiver) -> Iterator[Finding]:
    """A waiver must cover a quotation or number that no record or other waiver covers."""
    entries = [
        entry for entry in ledger_of(document).waivers[waiver.id] if entry.status != "withdrawn"
    ]
    if entries and not any(
        entry.status == "waived" and entry.record_id == waiver.id for entry in entries
    ):
        message = "A record or another waiver already covers everything in these words."
        yield Finding(document.place(*path), "redundant-waiver", message, ("Remove the waiver.",))
