"""Rules on testimonies: their parts, mode and themes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from defectors_data.corpus.findings import Finding, Path
from defectors_data.evidence.anchors import left_out
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.consistency import (
    APOSTROPHES,
    is_cut,
    marks_around,
    missing_marks,
    triggered,
)
from defectors_data.models.annotation import (
    Testimony,
)
from defectors_data.models.evidence import Part
from defectors_data.rules.engine import rule
from defectors_data.text.attributions import verbs
from defectors_data.text.detection import MARKS
from defectors_data.text.offsets import Span, SpanIndex, is_inside
from defectors_data.text.wording_differences import hidden_negation


@rule(on="parts of direct testimonies", codebook="T10")
def direct_without_quotation_marks(
    document: Document, path: Path, found: tuple[Part, Span]
) -> Iterator[Finding]:
    """Each part of a direct testimony must be directly between quotation marks.

    A dash at the beginning of a paragraph counts as an opening quotation mark. If the seed omits a
    quotation mark,
    `unbalanced` says which one.
    """
    part, span = found
    missing = missing_marks(document.text, part, span)
    if missing and _has_typed_marks(part.text, missing):
        message, hint = (
            "These words include their quotation marks.",
            "Copy only the words between the marks.",
        )
    elif len(missing) > 1:
        message = "There is no quotation mark before or after these words."
        hint = "Copy the words between the marks, or correct `mode`."
    elif missing:
        side = "before" if missing == ["opening"] else "after"
        message = f"There is no {missing[0]} quotation mark {side} these words."
        hint = (
            "Copy the words between the marks. If the seed omits this mark, add `unbalanced: "
            f"{missing[0]}`."
        )
    # Words between two quotations also have a quotation mark on each side.
    elif all(marks_around(document.text, span)) and not _is_quoted(document, span):
        message = "These words are between two quotations, or extend over more than one."
        hint = "Make each quotation a separate part."
    else:
        return
    yield Finding(document.place(*path), "direct-without-quotation-marks", message, (hint,))


def _has_typed_marks(words: str, missing: Sequence[str]) -> bool:
    """Return whether the words include the missing quotation marks.

    A single apostrophe does not count as one.
    """
    ends = []
    for name in missing:
        index = 0 if name == "opening" else -1
        ends.append(words[index])
    return all(end in MARKS for end in ends) and (len(ends) > 1 or ends[0] not in APOSTROPHES)


def _is_quoted(document: Document, span: Span) -> bool:
    # In a text that is not searched, only the marks next to the words are known.
    return not document.claims_completeness or is_inside(span, ledger_of(document).quotations)


@rule(on="unbalanced parts", codebook="T10")
def mark_not_missing(document: Document, path: Path, found: tuple[Part, Span]) -> Iterator[Finding]:
    """`unbalanced` is only for a part of a direct testimony whose quotation mark is omitted."""
    part, span = found
    opened, closed = marks_around(document.text, span)
    if not _is_direct(document, path):
        message = "Only a part of a direct testimony can be unbalanced."
        yield Finding(document.place(*path), "mark-not-missing", message)
    elif opened if part.unbalanced == "opening" else closed:
        message = f"The seed has the {part.unbalanced} quotation mark."
        yield Finding(document.place(*path), "mark-not-missing", message, ("Remove `unbalanced`.",))


def _is_direct(document: Document, path: Path) -> bool:
    return any(path == direct for direct, _ in document.direct_parts)


@rule(on="unbalanced parts", codebook="T10")
def quotation_truncated(
    document: Document, path: Path, found: tuple[Part, Span]
) -> Iterator[Finding]:
    """Where the seed omits a mark, a part must extend to the quotation's end or attribution."""
    if _is_direct(document, path) and is_cut(document, *found):
        message = "Words of this quotation are missing on the side without a quotation mark."
        hint = (
            "Without a closing mark, copy up to the end of the paragraph; without an opening one, "
            "from the start of "
            "the sentence. Only the words that name the speaker may be left out."
        )
        yield Finding(document.place(*path), "quotation-truncated", message, (hint,))


@rule(on="testimonies", codebook="T2")
def testimony_across_paragraphs(document: Document, path: Path, _: Testimony) -> Iterator[Finding]:
    """All words of a testimony must be in the same paragraph."""
    spans = document.evidence_of(path)
    if not spans or "\n" not in document.text[spans[0].start : spans[-1].end]:
        return
    broken = next((i for i, span in enumerate(spans) if "\n" in document.text[slice(*span)]), None)
    if broken is None:
        message = "The parts of this testimony are in different paragraphs."
        place = document.place(*path, "evidence")
    else:
        message = "These words include a line break, and each line of a seed is a paragraph."
        place = document.place(*path, "evidence", broken, "text")
    yield Finding(
        place,
        "testimony-across-paragraphs",
        message,
        ("Make each paragraph a separate testimony.",),
    )


@rule(on="evidence of several parts", codebook="E4")
def omission_hides_negation(
    document: Document, path: Path, spans: tuple[Span, Span]
) -> Iterator[Finding]:
    """No negation may be left out between two parts of evidence.

    Whole sentences may be left out, and so may the words between two quotations.
    """
    before, after = spans
    if hidden := hidden_negation(document.text, before, after):
        message, hint = left_out(hidden, Span(before.start, after.end), document.text)
        yield Finding(document.place(*path, "text"), "omission-hides-negation", message, (hint,))


# ---- mode and themes -----------------------------------------------------------------------------


@rule(on="indirect testimonies", codebook=("T3", "T7"))
def indirect_without_reporting_verb(
    document: Document, path: Path, testimony: Testimony
) -> Iterator[Finding]:
    """An indirect testimony must contain a reporting verb outside quotation marks, or quote it."""
    spans = document.evidence_of(path)
    if spans and not _is_given(testimony, "mode") and not _verbs(document, spans):
        message = "These words have no reporting verb outside quotation marks."
        hints = (
            "Include the clause that names the speaker, or correct `mode`.",
            (
                "If the verb is elsewhere or is not recognised, add it as `support: [{claim: mode, "
                "words: ...}]`."
            ),
        )
        yield Finding(
            document.place(*path, "mode"), "indirect-without-reporting-verb", message, hints
        )


@rule(on="narrated testimonies", codebook="T7")
def narrated_with_reporting_verb(
    document: Document, path: Path, testimony: Testimony
) -> Iterator[Finding]:
    """A narrated testimony must not contain a reporting verb.

    A verb that does not report what the speaker says or thinks is permitted if `support` quotes it.
    """
    found = [] if _is_given(testimony, "mode") else _verbs(document, document.evidence_of(path))
    if found:
        message = f"These words contain the reporting verb `{document.text[slice(*found[0])]}`."
        hints = (
            "If it reports what the speaker says or thinks, the mode is `indirect`.",
            "If it does not, add the verb as `support: [{claim: mode, words: ...}]`.",
        )
        yield Finding(document.place(*path, "mode"), "narrated-with-reporting-verb", message, hints)


@rule(on="themes with triggers", codebook="T11")
def theme_without_support(
    document: Document, path: Path, found: tuple[Testimony, str]
) -> Iterator[Finding]:
    """If a theme has triggers, the testimony must contain one, or `support` must justify it."""
    testimony, theme = found
    spans, triggers = document.evidence_of(path[:2]), document.context.triggers_by_theme
    if (
        spans
        and not _is_given(testimony, theme)
        and not triggered(document.text, spans, triggers[theme])
    ):
        message = (
            "These words contain none of the triggers for this theme: "
            f"{', '.join(triggers[theme])}."
        )
        others = []
        for other, theirs in triggers.items():
            if theirs and triggered(document.text, spans, theirs):
                others.append(f"`{other}`")
        support = f"`support: [{{claim: {theme}, words: ...}}]`"
        hints = (
            f"Themes with a trigger in these words: {', '.join(others) or 'none'}.",
            "If the words are not about this theme, remove it.",
            f"If they are, add {support}, or a new trigger to the vocabulary.",
        )
        yield Finding(document.place(*path), "theme-without-support", message, hints)


@rule(on="support of modes and themes", codebook="T11")
def redundant_support(
    document: Document, path: Path, found: tuple[Testimony, int]
) -> Iterator[Finding]:
    """`support` must be given only once, and only if the testimony does not justify the code."""
    testimony, i = found
    *before, claim = (each.claim for each in testimony.support[: i + 1])
    spans = document.evidence_of(path[:2])
    if not spans:
        return
    if claim not in (*testimony.themes, "mode"):
        message, hint = (
            "This is not a theme of this testimony.",
            "Use one of its themes, or `mode`.",
        )
        yield Finding(document.place(*path, "claim"), "redundant-support", message, (hint,))
    elif claim in before or _is_shown(document, testimony, spans, claim):
        message = "The words of the testimony, or another `support`, already justify this claim."
        yield Finding(
            document.place(*path, "claim"),
            "redundant-support",
            message,
            ("Remove this `support`.",),
        )


def _is_given(testimony: Testimony, claim: str) -> bool:
    return any(each.claim == claim for each in testimony.support)


def _is_shown(document: Document, testimony: Testimony, spans: Sequence[Span], claim: str) -> bool:
    """Return whether the words of a testimony justify its mode or a theme without `support`."""
    if claim != "mode":
        triggers = document.context.triggers_by_theme.get(claim)
        return not triggers or triggered(document.text, spans, triggers)
    if not document.claims_completeness:
        return False
    # An indirect testimony must contain a reporting verb, and a narrated one must not.
    return testimony.mode == "direct" or (testimony.mode == "indirect") == bool(
        _verbs(document, spans)
    )


def _verbs(document: Document, spans: Sequence[Span]) -> list[Span]:
    return reporting_verbs(document.text, spans, ledger_of(document).quoted)


# ---- words of a text -----------------------------------------------------------------------------


def reporting_verbs(
    text: str, spans: Sequence[Span], quoted: SpanIndex | None = None
) -> list[Span]:
    """Return the reporting verbs inside the given spans and outside quotation marks.

    Args:
        text: The text of a seed.
        spans: The spans of the text to search.
        quoted: The quotations of the text; None to detect them.
    """
    inside = SpanIndex((*span, 0) for span in spans)
    # One search around all spans; verbs between them are dropped below.
    start = min((span.start for span in spans), default=0)
    end = max((span.end for span in spans), default=0)
    around = Span(start, end)
    return [verb for verb in verbs(text, around, quoted) if inside.contains(*verb)]
