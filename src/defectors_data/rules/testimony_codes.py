"""Rules on the codes of testimonies: motives, acts, dates, places and outlets."""

from __future__ import annotations

import re
from collections.abc import Iterator

from defectors_data.corpus.findings import Finding, Path
from defectors_data.evidence.annotated_document import Document
from defectors_data.models.annotation import Testimony
from defectors_data.models.testimony_codes import Act, Happened, Motive, Where
from defectors_data.rules.engine import rule
from defectors_data.text.offsets import Span, surroundings


@rule(on="testimonies", codebook="C1")
def code_missing(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """In a corpus whose vocabulary has `factors` or `act_kinds`, each testimony must be coded.

    It then has `access` and `outlet_kind`; the other codes stay empty where the words say nothing.
    """
    vocabulary = document.context.vocabulary.content
    if not vocabulary.factors and not vocabulary.act_kinds:
        return
    missing = [f"`{key}`" for key in ("access", "outlet_kind") if getattr(testimony, key) is None]
    if missing:
        message = f"This testimony has no {' and no '.join(missing)}."
        hint = "`not_stated` is a value: use it where the words do not say it."
        yield Finding(document.place(*path), "code-missing", message, (hint,))


@rule(on="testimonies", codebook="C2")
def outlet_kind_mismatch(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """`outlet` must name the other outlet if `outlet_kind` is `other`, and only then."""
    kind, outlet = testimony.outlet_kind, testimony.outlet
    if kind == "other" and outlet is None:
        message, hint = "The other outlet is not named.", "Add `outlet`, or correct `outlet_kind`."
    elif kind in ("own", "not_stated") and outlet is not None:
        message = f"`outlet` names another outlet, but `outlet_kind` is `{kind}`."
        hint = "Remove `outlet`, or write `outlet_kind: other`."
    else:
        return
    yield Finding(document.place(*path, "outlet_kind"), "outlet-kind-mismatch", message, (hint,))


@rule(on="testimonies", codebook="C3")
def means_without_departure(
    document: Document, path: Path, testimony: Testimony
) -> Iterator[Finding]:
    """`departure_means` must only be given for a testimony with `departure: true`."""
    if testimony.departure_means and not testimony.departure:
        message = "The words give the means of a departure, but `departure` is not true."
        hint = "Add `departure: true` if the speaker's own departure is meant."
        yield Finding(
            document.place(*path, "departure_means"), "means-without-departure", message, (hint,)
        )


@rule(on="dates of testimonies", codebook="C4")
def date_basis_mismatch(document: Document, path: Path, happened: Happened) -> Iterator[Finding]:
    """A resolved date must have `how`, and no other date has it.

    The year of a date that is stated must be printed in the source.
    """
    if happened.basis == "resolved" and happened.how is None:
        message, hint = "It is not said how this date was resolved.", "Add `how`."
    elif happened.basis != "resolved" and happened.how is not None:
        message = f"`how` is for a resolved date, but the basis is `{happened.basis}`."
        hint = "Remove `how`, or write `basis: resolved`."
    elif happened.basis != "resolved" and (year := _unprinted_year(document, happened.date)):
        message = f"The source does not print the year {year}."
        hint = "Write XXXX for a year that is not printed, or `basis: resolved`."
    else:
        return
    yield Finding(document.place(*path, "date"), "date-basis-mismatch", message, (hint,))


def _unprinted_year(document: Document, date: str) -> str | None:
    for year in re.findall(r"(?<![\d-])[0-9]{4}(?![0-9])", date):
        if not re.search(rf"(?<!\d){year}(?!\d)", document.text):
            return str(year)
    return None


@rule(on="codes of testimonies", codebook="C5")
def code_words_elsewhere(
    document: Document, path: Path, code: Motive | Act | Happened | Where
) -> Iterator[Finding]:
    """The words of a code must be in the testimony, its sentences or, where allowed, next to them.

    Words of an act and of a motive in the speaker's own words are in the sentences of the
    testimony; those of a motive with `link: adjacent` may be in the sentence before or after; those
    of a date or a place, in the paragraph.
    """
    evidence, words = document.evidence_of(path[:2]), document.at((*path, "words"))
    if not evidence or not words:
        return
    own, near, paragraph = surroundings(document.text, Span(evidence[0].start, evidence[-1].end))
    allowed, where = own, "in the sentences of the testimony"
    if isinstance(code, Happened | Where):
        allowed, where = paragraph, "in the paragraph of the testimony"
    elif isinstance(code, Motive) and code.link == "adjacent":
        allowed, where = near, "in the testimony or in the sentence before or after it"
    if not all(allowed.start <= span.start and span.end <= allowed.end for span in words):
        message = f"These words are not {where}."
        hint = "Copy words of the testimony, or extend its evidence."
        yield Finding(document.place(*path, "words"), "code-words-elsewhere", message, (hint,))


@rule(on="codes of testimonies", codebook="C6")
def place_not_in_words(
    document: Document, path: Path, code: Motive | Act | Happened | Where
) -> Iterator[Finding]:
    """The words of a place must contain one of its spellings in the vocabulary."""
    if not isinstance(code, Where) or code.place not in document.context.spellings:
        return
    words = document.words((*path, "words"))
    spellings = document.context.spellings[code.place]
    if words is not None and not any(spelling in words for spelling in spellings):
        message = "These words contain no spelling of this place."
        hint = f"Its spellings in the vocabulary are: {', '.join(spellings)}."
        yield Finding(document.place(*path, "words"), "place-not-in-words", message, (hint,))


@rule(on="lists of codes", codebook="C7")
def duplicate_code(
    document: Document, path: Path, codes: tuple[Motive, ...] | tuple[Act, ...]
) -> Iterator[Finding]:
    """A testimony must not have the same motive or the same act twice."""
    for i, code in enumerate(codes):
        if code in codes[:i]:
            message = "This code is listed twice."
            yield Finding(document.place(*path, i), "duplicate-code", message, ("Remove one.",))
