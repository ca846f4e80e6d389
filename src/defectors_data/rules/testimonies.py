"""Rules on the parts of testimonies, and on where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from defectors_data.detecting import MARKS, Detection
from defectors_data.evidence.document import Document
from defectors_data.findings import Finding
from defectors_data.models import Part, Testimony
from defectors_data.project_file import Path
from defectors_data.reporting import verbs
from defectors_data.rules.registry import rule
from defectors_data.rules.things import direct_parts
from defectors_data.spans import Span

_APOSTROPHES = "'’"
_SPACES = " \u00a0\u202f"
_REACH = 100
"""Code points before and behind words in which their quotation marks are looked for."""


def _marks(text: str, span: Span) -> tuple[bool, bool]:
    """Tell whether a quotation mark is before and after a span, white space aside; an apostrophe is none."""
    before = text[max(0, span.start - _REACH) : span.start].rstrip(_SPACES)
    after = text[span.end : span.end + _REACH].lstrip(_SPACES)
    opened = before[-1:] in MARKS and not (before[-1:] in _APOSTROPHES and before[-2:-1].isalnum())
    closed = after[:1] in MARKS and not (after[:1] in _APOSTROPHES and after[1:2].isalnum())
    return opened, closed


def _missing(text: str, part: Part, span: Span) -> list[str]:
    """Return which marks of a part are missing that are not said to be: `opening`, `closing`, both or none."""
    marks = zip(("opening", "closing"), _marks(text, span), strict=True)
    return [name for name, is_there in marks if not (is_there or part.unbalanced == name)]


def unmarked(document: Document) -> Iterator[Span]:
    """Give where direct parts are found that lack a mark, or words: what is wrong there is reported of them alone."""
    for _, (part, span) in direct_parts(document):
        if _missing(document.text, part, span) or _is_cut(document, part, span):
            yield span


@rule(on="parts of direct testimonies", codebook="T10")
def direct_without_marks(document: Document, path: Path, found: tuple[Part, Span]) -> Iterator[Finding]:
    """A direct part stands between an opening quotation mark and a closing one, of any style, and touches both."""
    for message, hint in _without_marks(document, *found):
        yield Finding(document.place(*path), "direct-without-marks", message, (hint,))


def _without_marks(document: Document, part: Part, span: Span) -> Iterator[tuple[str, str]]:
    """Give the one message on the marks around a part, with its hint."""
    missing = _missing(document.text, part, span)
    hint = "Copy the words between the marks"
    if missing and _is_typed_with_marks(part.text, missing):
        yield "These words are typed with their quotation marks.", "Leave the marks out: copy what stands between them."
    elif len(missing) > 1:
        yield "No quotation mark stands before these words, and none after them.", f"{hint}, or mend `mode`."
    elif missing:
        where = "before" if missing == ["opening"] else "after"
        message = f"No {missing[0]} quotation mark stands {where} these words."
        yield message, f"{hint}; where the seed leaves one out, say `unbalanced: {missing[0]}`."
    elif all(_marks(document.text, span)) and not _is_quoted(document, span):
        message = "These words stand between two quotations, or reach over more than one."
        yield message, "Make each quotation a part of its own."


def _is_typed_with_marks(words: str, missing: Sequence[str]) -> bool:
    """Tell whether words have the marks that are missing around them; one apostrophe alone is none."""
    ends = [words[0 if name == "opening" else -1] for name in missing]
    return all(end in MARKS for end in ends) and (len(ends) > 1 or ends[0] not in _APOSTROPHES)


def _is_quoted(document: Document, span: Span) -> bool:
    """Tell whether words are inside a single quotation."""
    return any(run.start <= span.start and span.end <= run.end for run in document.ledger.quotations)


@rule(on="unbalanced parts", codebook="T10")
def balanced_after_all(document: Document, path: Path, found: tuple[Part, Span]) -> Iterator[Finding]:
    """Only a part of direct speech is called unbalanced, and only where the seed leaves the quotation mark out."""
    part, span = found
    opened, closed = _marks(document.text, span)
    if not _is_direct(document, path):
        message = "Only a part of direct speech can be unbalanced."
        yield Finding(document.place(*path), "balanced-after-all", message)
    elif opened if part.unbalanced == "opening" else closed:
        message = f"The {part.unbalanced} quotation mark is there."
        yield Finding(document.place(*path), "balanced-after-all", message, ("Leave `unbalanced` out.",))


def _is_direct(document: Document, path: Path) -> bool:
    return any(path == direct for direct, _ in direct_parts(document))


_ACCORDING = re.compile(r"\baccording to\b", re.IGNORECASE)
_NOUN = re.compile(r"\b(?:the|an?|this|that|his|her|their|our|my|its)\s+$", re.IGNORECASE)


@rule(on="unbalanced parts", codebook="T10")
def unbalanced_cut(document: Document, path: Path, found: tuple[Part, Span]) -> Iterator[Finding]:
    """A direct part whose mark is missing reaches as far as the quotation can, or to the clause that attributes it."""
    if _is_direct(document, path) and _is_cut(document, *found):
        message = "Words of this quotation are left out where its mark is missing."
        hint = "Copy all that is said: up to the end of the paragraph, or to the words that say who speaks."
        yield Finding(document.place(*path), "unbalanced-cut", message, (hint,))


def _is_cut(document: Document, part: Part, span: Span) -> bool:
    """Tell whether a part whose mark is missing leaves words of its quotation out."""
    runs = document.ledger.quotations if part.unbalanced else []
    around = (run for run in runs if run.start < span.end and span.start < run.end)
    return any(not _reaches(document.text, part, span, run) for run in around)


def _reaches(text: str, part: Part, span: Span, run: Detection) -> bool:
    """Tell whether a part leaves nothing of a run out at the end where the mark is missing, or an attribution."""
    if part.unbalanced == "opening" and run.unopened:
        over, left = span.start < run.start, text[run.start : span.start]
    elif part.unbalanced == "closing" and run.unclosed:
        over, left = span.end > run.end, text[span.end : run.end]
    else:
        return True
    return not over and (_attributes(left) or not any(character.isalnum() for character in left))


def _attributes(words: str) -> bool:
    """Tell whether words say who speaks: with `according to`, or a reporting verb that no article makes a noun."""
    said = any(not _NOUN.search(words, 0, verb.start) for verb in verbs(words))
    return said or bool(_ACCORDING.search(words))


@rule(on="testimonies", codebook="T2")
def testimony_across_paragraphs(document: Document, path: Path, _: Testimony) -> Iterator[Finding]:
    """A new paragraph starts a new testimony."""
    spans = document.evidence_of(path)
    if not spans or "\n" not in document.text[spans[0].start : spans[-1].end]:
        return
    broken = next((i for i, span in enumerate(spans) if "\n" in document.text[slice(*span)]), None)
    if broken is None:
        message, hint = "The parts of this testimony stand in different paragraphs.", "Make each paragraph's parts"
        place = document.place(*path, "evidence")
    else:
        message = "These words go over a line break, and each line of a seed is a paragraph."
        hint = "Make each line's words"
        place = document.place(*path, "evidence", broken, "text")
    yield Finding(place, "testimony-across-paragraphs", message, (f"{hint} a testimony of their own.",))


@rule(on="testimonies about a person", codebook="T12")
def about_the_speaker(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """A testimony is about another than who speaks: that somebody speaks of themselves is not recorded."""
    if testimony.about == testimony.speaker:
        message = "`about` gives the speaker."
        yield Finding(document.place(*path, "about"), "about-the-speaker", message, ("Leave `about` out.",))
