"""From quoted words to the place where they stand: strings in, spans or findings out; no files.

A quotation matches where the text holds exactly its code points, nowhere else: no normalisation, no folding of
case, no fuzzy match. Offsets are zero-based code points, end-exclusive (as in STAM and the W3C's Web Annotation
text position selector); prefix, suffix and occurrence tell equal words apart (as in its text quote selector).
Nearness only words the error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from defectors_data.corpus.findings import Finding, Place
from defectors_data.text.offsets import Span, cuts_a_word, line_and_column, on_word_boundaries
from defectors_data.text.similarity import difference, in_yaml, nearest


class Quote(NamedTuple):
    """Words to be found in a text, what tells them apart from equal ones, and where they were typed."""

    text: str
    at: Place | Callable[[], Place]
    """Where they were typed; a function where that is only worked out for a fault."""
    prefix: str = ""
    suffix: str = ""
    occurrence: int | None = None

    @property
    def place(self) -> Place:
        """Where the words were typed."""
        return self.at() if callable(self.at) else self.at


class Surroundings(NamedTuple):
    """The text that is searched: its file, its words, and whether what was typed must stay unsaid.

    `near` says whether the nearest words are looked for: in a flood of faults nobody reads them.
    """

    file: str
    text: str
    discreet: bool = False
    near: bool = True


def spans(quotes: Sequence[Quote], within: Surroundings) -> tuple[tuple[Span, ...], list[Finding]]:
    """Find each quotation once, in order and without overlap.

    Returns a span for each quotation and no finding, or no span and every fault.
    """
    found: list[Span] = []
    findings: list[Finding] = []
    for quote in quotes:
        span, faults = span_of(quote, within)
        findings += faults
        if span:
            found.append(span)
    if not findings:
        findings = [
            evidence_out_of_order(quote.place, overlap=before.start < span.end)
            for (before, span), quote in zip(pairwise(found), quotes[1:], strict=True)
            if span.start < before.end
        ]
    return ((), findings) if findings else (tuple(found), [])


def span_of(quote: Quote, within: Surroundings) -> tuple[Span | None, list[Finding]]:
    """Find a quotation that must stand once, told apart where it stands more often."""
    starts = _starts(quote, within.text)
    if not starts:
        return None, [evidence_not_found(quote, within)]
    if quote.occurrence is None and len(starts) > 1:
        return None, [evidence_ambiguous(quote, within, starts)]
    if quote.occurrence is not None and quote.occurrence > len(starts):
        return None, [occurrence_not_found(quote, len(starts))]
    start = starts[(quote.occurrence or 1) - 1]
    return _whole(quote, within, start)


def every_span(quote: Quote, within: Surroundings) -> tuple[tuple[Span, ...], list[Finding]]:
    """Find every occurrence of a quotation; none at all is a fault."""
    starts = _starts(quote, within.text)
    if not starts:
        return (), [evidence_not_found(quote, within)]
    spans_ = [Span(start, start + len(quote.text)) for start in starts]
    whole = tuple(span for span in spans_ if not cuts_a_word(within.text, span))
    return (whole, []) if whole else ((), [partial_word(quote, within, spans_[0])])


MOST = 1000
"""Occurrences of a quotation that are looked at, unless a later one is asked for."""


def _starts(quote: Quote, text: str) -> list[int]:
    """Return where the words stand between their prefix and suffix; occurrences may overlap."""
    needle = quote.prefix + quote.text + quote.suffix
    most = max(MOST, quote.occurrence or 0)
    starts: list[int] = []
    at = text.find(needle)
    while at >= 0 and len(starts) < most:
        starts.append(at + len(quote.prefix))
        at = text.find(needle, at + 1)
    return starts


def occurrences(words: str, text: str, *, prefix: str = "", suffix: str = "") -> list[int]:
    """Return where words are found between a prefix and a suffix, in code points, as `occurrence` counts them."""
    return _starts(Quote(words, Place(""), prefix, suffix), text)


def _whole(quote: Quote, within: Surroundings, start: int) -> tuple[Span | None, list[Finding]]:
    span = Span(start, start + len(quote.text))
    return (None, [partial_word(quote, within, span)]) if cuts_a_word(within.text, span) else (span, [])


def holds(text: str, words: str) -> bool:
    """Tell whether a text holds words whole: not only inside longer ones."""
    return bool(whole_occurrences(words, text))


def whole_occurrences(words: str, text: str) -> list[Span]:
    """Return where words stand whole in a text: not only inside longer ones."""
    found = [Span(start, start + len(words)) for start in occurrences(words, text)]
    return [span for span in found if not cuts_a_word(text, span)]


# ---- faults ------------------------------------------------------------------------------------------------


def evidence_not_found(quote: Quote, within: Surroundings) -> Finding:
    """Evidence must stand in the seed, character for character, between its prefix and suffix if it has them."""
    message = f"These words are not in {within.file}."
    bare = quote._replace(prefix="", suffix="")
    if (quote.prefix or quote.suffix) and (starts := _starts(bare, within.text)):
        line, _ = line_and_column(within.text, starts[0])
        hint = f"The words stand in line {line}, but not between this prefix and suffix."
        return Finding(quote.place, "evidence-not-found", message, (hint,))
    if not within.near:
        return Finding(quote.place, "evidence-not-found", message, ("Is it the right seed? Many words are not in it.",))
    span = nearest(quote.text, within.text)
    if not span:
        return Finding(quote.place, "evidence-not-found", message, ("Nothing in the seed is near to them.",))
    seed = within.text[span.start : span.end]
    line, _ = line_and_column(within.text, span.start)
    help_lines = (
        f"Nearest, in line {line}: {_shown(seed)}",
        difference(quote.text, seed, discreet=within.discreet),
        f"To paste: {in_yaml(seed)}",
    )
    return Finding(quote.place, "evidence-not-found", message, help_lines)


def evidence_ambiguous(quote: Quote, within: Surroundings, starts: Sequence[int]) -> Finding:
    """Evidence that stands more than once in the seed must be told apart."""
    lines = sorted({line_and_column(within.text, start)[0] for start in starts[:8]})
    where = ", ".join(map(str, lines)) + (", ..." if len(starts) > 8 else "")  # noqa: PLR2004
    times = f"{len(starts)} times" if len(starts) < MOST else f"{MOST} times or more"
    message = f"These words stand {times} in {within.file} (lines {where})."
    hint = "Say which with `prefix`, `suffix`, or `occurrence: 1`."
    return Finding(quote.place, "evidence-ambiguous", message, (hint,))


def occurrence_not_found(quote: Quote, count: int) -> Finding:
    """An `occurrence` must not be higher than the number of occurrences."""
    message = f"Occurrence {quote.occurrence} is asked for, but the words stand {count} time(s)."
    return Finding(quote.place, "occurrence-not-found", message, ("Take a lower one, or leave `occurrence` out.",))


def partial_word(quote: Quote, within: Surroundings, span: Span) -> Finding:
    """Evidence must not begin or end inside a word or a number."""
    whole = on_word_boundaries(within.text, *span)
    line, _ = line_and_column(within.text, span.start)
    message = f"These words begin or end inside a word of line {line} of {within.file}."
    hint = f"To paste: {in_yaml(within.text[whole.start : whole.end])}"
    return Finding(quote.place, "partial-word", message, (hint,))


def evidence_out_of_order(place: Place, *, overlap: bool) -> Finding:
    """The parts of one evidence stand in the order of the seed and do not overlap."""
    what = "overlaps the part before it" if overlap else "stands before the part that is listed before it"
    return Finding(place, "evidence-out-of-order", f"This part {what}.", ("List parts in the seed's order.",))


FAULTS = (evidence_not_found, evidence_ambiguous, occurrence_not_found, partial_word, evidence_out_of_order)


def _shown(words: str) -> str:
    return words.replace("\n", " / ")
