"""Rules on the parts of testimonies, and on where they are."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from defectors_data.corpus.findings import Finding
from defectors_data.corpus.project_file import Path
from defectors_data.evidence.agreement import APOSTROPHES, is_cut, marks_around, missing_marks
from defectors_data.evidence.document import Document
from defectors_data.evidence.ledger import ledger_of
from defectors_data.evidence.subjects import triggers_by_theme
from defectors_data.models.annotation import Part, Testimony
from defectors_data.rules.engine import rule
from defectors_data.text.detection import MARKS
from defectors_data.text.offsets import Holders, Span
from defectors_data.text.reporting_verbs import verbs


@rule(on="parts of direct testimonies", codebook="T10")
def direct_without_quotation_marks(document: Document, path: Path, found: tuple[Part, Span]) -> Iterator[Finding]:
    """A direct part stands between an opening quotation mark and a closing one, of any style, and touches both."""
    for message, hint in _without_marks(document, *found):
        yield Finding(document.place(*path), "direct-without-quotation-marks", message, (hint,))


def _without_marks(document: Document, part: Part, span: Span) -> Iterator[tuple[str, str]]:
    """Give the one message on the marks around a part, with its hint."""
    missing = missing_marks(document.text, part, span)
    hint = "Copy the words between the marks"
    if missing and _is_typed_with_marks(part.text, missing):
        yield "These words are typed with their quotation marks.", "Leave the marks out: copy what stands between them."
    elif len(missing) > 1:
        yield "No quotation mark stands before these words, and none after them.", f"{hint}, or mend `mode`."
    elif missing:
        where = "before" if missing == ["opening"] else "after"
        message = f"No {missing[0]} quotation mark stands {where} these words."
        yield message, f"{hint}; where the seed leaves one out, say `unbalanced: {missing[0]}`."
    elif all(marks_around(document.text, span)) and not _is_quoted(document, span):
        message = "These words stand between two quotations, or reach over more than one."
        yield message, "Make each quotation a part of its own."


def _is_typed_with_marks(words: str, missing: Sequence[str]) -> bool:
    """Tell whether words have the marks that are missing around them; one apostrophe alone is none."""
    ends = [words[0 if name == "opening" else -1] for name in missing]
    return all(end in MARKS for end in ends) and (len(ends) > 1 or ends[0] not in APOSTROPHES)


def _is_quoted(document: Document, span: Span) -> bool:
    """Tell whether words are inside a single quotation."""
    return any(run.start <= span.start and span.end <= run.end for run in ledger_of(document).quotations)


@rule(on="unbalanced parts", codebook="T10")
def mark_not_missing(document: Document, path: Path, found: tuple[Part, Span]) -> Iterator[Finding]:
    """Only a part of direct speech is called unbalanced, and only where the seed leaves the quotation mark out."""
    part, span = found
    opened, closed = marks_around(document.text, span)
    if not _is_direct(document, path):
        message = "Only a part of direct speech can be unbalanced."
        yield Finding(document.place(*path), "mark-not-missing", message)
    elif opened if part.unbalanced == "opening" else closed:
        message = f"The {part.unbalanced} quotation mark is there."
        yield Finding(document.place(*path), "mark-not-missing", message, ("Leave `unbalanced` out.",))


def _is_direct(document: Document, path: Path) -> bool:
    return any(path == direct for direct, _ in document.direct_parts)


@rule(on="unbalanced parts", codebook="T10")
def quotation_truncated(document: Document, path: Path, found: tuple[Part, Span]) -> Iterator[Finding]:
    """A direct part whose mark is missing reaches as far as the quotation can, or to the clause that attributes it."""
    if _is_direct(document, path) and is_cut(document, *found):
        message = "Words of this quotation are left out where its mark is missing."
        hint = "Copy all that is said: up to the end of the paragraph, or to the words that say who speaks."
        yield Finding(document.place(*path), "quotation-truncated", message, (hint,))


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
def about_same_as_speaker(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """A testimony is about another than who speaks: that somebody speaks of themselves is not recorded."""
    if testimony.about == testimony.speaker:
        message = "`about` gives the speaker."
        yield Finding(document.place(*path, "about"), "about-same-as-speaker", message, ("Leave `about` out.",))


# ---- mode and themes ---------------------------------------------------------------------------------------------


@rule(on="indirect testimonies", codebook=("T3", "T7"))
def indirect_without_reporting_verb(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """Reported speech has a reporting verb in its words, outside quotation marks; or `support` names where it is."""
    spans = document.evidence_of(path)
    if spans and not _is_given(testimony, "mode") and not _verbs(document, spans):
        message = "No reporting verb stands in these words outside quotation marks."
        hints = (
            "Take in the clause that says who says it, or mend the mode.",
            "Where the verb stands elsewhere, or is another: `support: [{claim: mode, words: ...}]`.",
        )
        yield Finding(document.place(*path, "mode"), "indirect-without-reporting-verb", message, hints)


@rule(on="narrated testimonies", codebook="T7")
def narrated_with_reporting_verb(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """A told experience has no reporting verb in its words; or `support` names the verb, which reports nothing here."""
    found = [] if _is_given(testimony, "mode") else _verbs(document, document.evidence_of(path))
    if found:
        message = f"The reporting verb `{document.text[slice(*found[0])]}` stands in these words."
        hints = (
            "If it reports what the speaker says or thinks, the mode is `indirect`.",
            "If it does not, name it: `support: [{claim: mode, words: ...}]`.",
        )
        yield Finding(document.place(*path, "mode"), "narrated-with-reporting-verb", message, hints)


@rule(on="themes with triggers", codebook="T11")
def theme_without_support(document: Document, path: Path, found: tuple[Testimony, str]) -> Iterator[Finding]:
    """A theme that has triggers has one of them in the words of the testimony; or `support` names what tells of it."""
    testimony, theme = found
    spans, triggers = document.evidence_of(path[:2]), triggers_by_theme(document.context)[theme]
    if spans and not _is_given(testimony, theme) and not triggered(document.text, spans, triggers):
        message = "No trigger of this theme stands in these words."
        hints = (
            "Leave the theme out if the words do not tell of it.",
            "If they do, name those that tell it: `support: [{claim: ..., words: ...}]`.",
            "A word that always tells of it may join its `triggers` in annotations/vocabulary.yaml.",
        )
        yield Finding(document.place(*path), "theme-without-support", message, hints)


@rule(on="words that support a mode or theme", codebook="T11")
def redundant_support(document: Document, path: Path, found: tuple[Testimony, int]) -> Iterator[Finding]:
    """`support` is for a theme of the testimony or for its mode, once, and where its words alone do not bear it out."""
    testimony, i = found
    *before, claim = (each.claim for each in testimony.support[: i + 1])
    spans = document.evidence_of(path[:2])
    if not spans:
        return
    if claim not in (*testimony.themes, "mode"):
        message, hint = "This testimony makes no such claim.", "Name one of its themes, or `mode`."
        yield Finding(document.place(*path, "claim"), "redundant-support", message, (hint,))
    elif claim in before or _is_shown(document, testimony, spans, claim):
        message = "The words of the testimony bear this out, or another `support` does."
        yield Finding(document.place(*path, "claim"), "redundant-support", message, ("Leave it out.",))


def _is_given(testimony: Testimony, claim: str) -> bool:
    return any(each.claim == claim for each in testimony.support)


def _is_shown(document: Document, testimony: Testimony, spans: Sequence[Span], claim: str) -> bool:
    """Tell whether the words of a testimony alone show its mode, or a theme."""
    if claim != "mode":
        triggers = triggers_by_theme(document.context).get(claim)
        return not triggers or triggered(document.text, spans, triggers)
    return testimony.mode == "direct" or (testimony.mode == "indirect") == bool(_verbs(document, spans))


def _verbs(document: Document, spans: Sequence[Span]) -> list[Span]:
    return reporting_verbs(document.text, spans, ledger_of(document).quoted)


# ---- words of a text ---------------------------------------------------------------------------------------------


def reporting_verbs(text: str, spans: Sequence[Span], quoted: Holders | None = None) -> list[Span]:
    """Return the reporting verbs in the spans of a text that are outside quotation marks.

    `quoted` is where quotations are in the text, if that is known.
    """
    inside = Holders((*span, 0) for span in spans)
    around = Span(min((span.start for span in spans), default=0), max((span.end for span in spans), default=0))
    return [verb for verb in verbs(text, around, quoted) if inside.hold(*verb)]


def triggered(text: str, spans: Iterable[Span], triggers: Sequence[str]) -> bool:
    """Tell whether a trigger is in any of the spans of a text."""
    pattern = _pattern(tuple(triggers))
    return any(pattern.search(text, *span) for span in spans)


@cache
def _pattern(triggers: tuple[str, ...]) -> re.Pattern[str]:
    whole = "|".join(_worded(trigger) for trigger in triggers if not trigger.endswith("*")) or "(?!)"
    begun = "|".join(_worded(trigger[:-1]) for trigger in triggers if trigger.endswith("*")) or "(?!)"
    return re.compile(rf"(?<!\w)(?:(?:{whole})(?!\w)|{begun})", re.IGNORECASE)


def _worded(trigger: str) -> str:
    """Return the pattern of a trigger from where a word begins; an apostrophe is one in each of its forms."""
    return r"\s+".join(re.escape(word) for word in trigger.split()).replace("'", "['’]")
