"""Anchoring: finding quoted words in a text.

A quotation matches where the text has exactly its code points: there is no normalisation, no case
folding and no fuzzy match. Similar words are searched for only to explain an error. Offsets count
code points from 0, and ends are exclusive, as in STAM and the text position selector of the W3C's
Web Annotation model. If words occur more than once, one occurrence is selected by a prefix and
suffix, as in that model's text quote selector, or by its number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, NamedTuple

from defectors_data.corpus.findings import Finding, Place
from defectors_data.corpus.yaml_reader import in_yaml
from defectors_data.text.offsets import Span, cuts_a_word, line_and_column, on_word_boundaries
from defectors_data.text.wording_differences import OMISSION, difference, hidden_negation


class Quote(NamedTuple):
    """Words to find in a text, with their place in the file and the selectors of an occurrence."""

    text: str
    at: Place | Callable[[], Place]
    """The place of the typed words, or a function that computes it for a finding."""
    prefix: str = ""
    suffix: str = ""
    occurrence: int | None = None

    @property
    def place(self) -> Place:
        """The place where the words were typed."""
        return self.at() if callable(self.at) else self.at


class SearchedText(NamedTuple):
    """A text to search, and what findings may repeat or suggest."""

    file: str
    text: str
    discreet: bool = False
    """Whether findings must not repeat what was typed."""
    near: bool = True
    """Whether findings show the most similar words; the search for them takes time."""
    one_paragraph: bool = False
    """Whether all parts of the evidence must be in one paragraph, as for a testimony."""
    first: tuple[Span, ...] = ()
    """Spans to search before the whole text, in this order."""


def find_spans(
    quotes: Sequence[Quote], within: SearchedText
) -> tuple[tuple[Span, ...], list[Finding]]:
    """Find the parts of evidence, which must be in order and must not overlap.

    Returns a span for each part and no finding, or no span and every finding.
    """
    found: list[Span] = []
    findings: list[Finding] = []
    for quote in quotes:
        span, faults = find_span(quote, within)
        findings += faults
        if span:
            found.append(span)
    # If a part is missing, the order of the others says nothing.
    if not findings:
        for (before, span), quote in zip(pairwise(found), quotes[1:], strict=True):
            if span.start < before.end:
                findings.append(evidence_out_of_order(quote.place, overlap=before.start < span.end))
            elif within.text[before.end : span.start].strip() == ",":
                findings.append(_split_at_comma(quote.place))
    if findings:
        return (), findings
    return tuple(found), []


def find_span(quote: Quote, within: SearchedText) -> tuple[Span | None, list[Finding]]:
    """Find a quotation, which must be unique, at least with its selectors."""
    starts = _starts_in_first(quote, within)
    if not starts:
        return None, [evidence_not_found(quote, within)]
    if quote.occurrence is None and len(starts) > 1:
        return None, [evidence_ambiguous(quote, within, starts)]
    if quote.occurrence is not None and quote.occurrence > len(starts):
        return None, [occurrence_not_found(quote, len(starts))]
    start = starts[(quote.occurrence or 1) - 1]
    span = Span(start, start + len(quote.text))
    if cuts_a_word(within.text, span):
        return None, [partial_word(quote, within, span)]
    return span, []


def find_every_span(quote: Quote, within: SearchedText) -> tuple[tuple[Span, ...], list[Finding]]:
    """Find every occurrence of a quotation that does not cut a word.

    If there is none, return a finding.
    """
    found = [Span(start, start + len(quote.text)) for start in _starts(quote, within.text)]
    if not found:
        return (), [evidence_not_found(quote, within)]
    whole = tuple(span for span in found if not cuts_a_word(within.text, span))
    if not whole:
        return (), [partial_word(quote, within, found[0])]
    return whole, []


MOST = 1000
"""Maximum number of places of a quotation, unless its `occurrence` is greater."""


def offsets_of(words: str, text: str) -> Iterator[int]:
    """Yield the offset of each occurrence of words in a text, in code points.

    Occurrences may overlap.
    """
    at = text.find(words)
    while at >= 0:
        yield at
        # One code point further, not after the words: occurrences that overlap make a quotation
        # ambiguous too.
        at = text.find(words, at + 1)


def occurrences(words: str, text: str, *, prefix: str = "", suffix: str = "") -> list[int]:
    """Return the offsets of words between a prefix and a suffix in order, at most `MOST`."""
    return _starts(Quote(words, Place(""), prefix, suffix), text)


def _starts_in_first(quote: Quote, within: SearchedText) -> list[int]:
    """Return the offsets of a quotation in the first span that has it, or in the whole text."""
    spans = within.first
    if quote.occurrence is not None:
        spans = ()  # it is counted in the whole text
    for span in spans:
        start = max(span.start - len(quote.prefix), 0)
        found = _starts(quote, within.text[start : span.end + len(quote.suffix)])
        places = [Span(start + at, start + at + len(quote.text)) for at in found]
        whole = [place.start for place in places if not cuts_a_word(within.text, place)]
        if whole:
            return whole
    return _starts(quote, within.text)


def _starts(quote: Quote, text: str) -> list[int]:
    found = offsets_of(quote.prefix + quote.text + quote.suffix, text)
    # Without the limit, evidence of a single letter would list every place of that letter in a long
    # text.
    return [at + len(quote.prefix) for at in islice(found, max(MOST, quote.occurrence or 0))]


def whole_occurrences(words: str, text: str) -> list[Span]:
    """Return the spans of words in a text, except where they cut a longer word."""
    found = [Span(start, start + len(words)) for start in occurrences(words, text)]
    return [span for span in found if not cuts_a_word(text, span)]


def contains_words(text: str, words: str) -> bool:
    """Return whether a text contains words without cutting a longer word."""
    return any(
        not cuts_a_word(text, Span(at, at + len(words)))
        for at in islice(offsets_of(words, text), MOST)
    )


def encodings(words: str) -> list[str]:
    """Return words with their letters and accents composed as they are, together and apart, since
    the page of an article and a keyboard may differ in what nobody can see.
    """
    found = [words, *(unicodedata.normalize(form, words) for form in ("NFC", "NFD"))]
    return list(dict.fromkeys(found))


_NEIGHBOURS = 4
"""Number of neighbouring words that are tried first as a prefix or suffix; it is doubled until they
are enough."""
_WORD = re.compile(r"\w+")


def neighbours(words: Span, text: str) -> dict[str, Any]:
    """Return the shortest `prefix`, `suffix` or both that select one occurrence of words."""
    before = [found.start() for found in _WORD.finditer(text, 0, words.start)]
    after = [found.end() for found in _WORD.finditer(text, words.end)]
    count = _NEIGHBOURS
    while True:
        prefix = text[(before[-count:] or [0])[0] : words.start]
        suffix = text[words.end : (after[:count] or [len(text)])[-1]]
        if count >= len(before) + len(after):  # the whole text occurs once
            prefix, suffix = text[: words.start], text[words.end :]
        for around in (
            {"prefix": prefix},
            {"suffix": suffix},
            {"prefix": prefix, "suffix": suffix},
        ):
            given = {key: each for key, each in around.items() if each}
            if given and len(occurrences(text[slice(*words)], text, **given)) == 1:
                return given
        count *= 2


def chosen_in_yaml(words: Span, text: str, *, unbalanced: str | None = None) -> str:
    """Return words of a text as a part of evidence in YAML, with selectors if it needs them.

    The words are extended to whole words: a detected number can end inside one, as in "20mph".
    """
    if cuts_a_word(text, words):
        words = on_word_boundaries(text, *words)
    exact, around = text[slice(*words)], dict[str, Any]()
    if len(occurrences(exact, text)) > 1:
        around = neighbours(words, text)
    return in_yaml_part(exact, unbalanced=unbalanced, **around)


def in_yaml_part(
    text: str, *, occurrence: int | None = None, unbalanced: str | None = None, **around: str
) -> str:
    """Return a part of evidence as YAML: its words, selectors and missing quotation mark."""
    keys = [f"{key}: {in_yaml(words)}" for key, words in around.items()]
    if occurrence:
        keys.append(f"occurrence: {occurrence}")
    if unbalanced:
        keys.append(f"unbalanced: {unbalanced}")
    if keys:
        return f"{{text: {in_yaml(text)}, {', '.join(keys)}}}"
    return in_yaml(text)


# ---- findings ------------------------------------------------------------------------------------


def evidence_not_found(quote: Quote, within: SearchedText) -> Finding:
    """Evidence must be found in the seed, character for character.

    If it has a prefix or suffix, it must be next to them.
    """
    message = f"These words are not in {within.file}."
    return Finding(quote.place, "evidence-not-found", message, _nearest(quote, within))


def elsewhere(words: Iterable[str], texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return, for words that are in one of the texts, a sentence that says where.

    Each text is given with its name.
    """
    sought, found = set(words), dict[str, str]()
    for name, text in texts:
        for each in sorted(sought):
            if places := whole_occurrences(each, text):
                line, _ = line_and_column(text, places[0].start)
                found[each] = f"These words are in {name}, on line {line}."
                sought.remove(each)
    return found


def _nearest(quote: Quote, within: SearchedText) -> tuple[str, ...]:
    """Return lines of help for words that are not in the text."""
    # Each search for similar words reads the whole text, so a wrong seed would take minutes.
    if not within.near:
        return ("Check that this is the right seed: many of the quoted words are not in it.",)
    from defectors_data.text.similar_words import nearest  # noqa: PLC0415  # seldom needed

    parts = nearest(quote.text, within.text, prefix=quote.prefix, suffix=quote.suffix)
    if len(parts) > 1:
        shown = " / ".join(within.text[slice(*part)] for part in parts)
        return (f"Most similar words: {shown}", *in_parts(quote.text, parts, within))
    if not parts:
        return ("The seed contains no similar words.",)
    [span] = parts
    seed = within.text[slice(*span)]
    line, _ = line_and_column(within.text, span.start)
    paste = f"Paste instead: {chosen_in_yaml(span, within.text)}"
    if seed == quote.text:
        return (f"The words are on line {line}, but not between this prefix and suffix.", paste)
    said = difference(quote.text, seed, discreet=within.discreet)
    return (f"Most similar words, on line {line}: {seed}", said, paste)


def in_parts(words: str, parts: Sequence[Span], within: SearchedText) -> tuple[str, ...]:
    """Return lines of help for words that must be several parts, or several testimonies."""
    text, lines = within.text, [line_and_column(within.text, part.start)[0] for part in parts]
    for before, after in pairwise(parts):
        if hidden := hidden_negation(text, before, after):
            return left_out(hidden, Span(before.start, after.end), text)
    if not _is_in_order(words, parts, text):
        return ("These words are in another order in the seed. Quote them as they are printed.",)
    number = "two" if len(parts) == 2 else str(len(parts))  # noqa: PLR2004
    pasted = [chosen_in_yaml(part, text) for part in parts]
    across = next((line for line in lines if line != lines[0]), None)
    why = "Words are left out" if across is None else f"The words continue on line {across}"
    seed = ""
    for part, gap in zip(parts, _gaps(words, len(parts)), strict=True):
        seed += text[slice(*part)] + gap
    said = difference(words, seed, discreet=within.discreet)
    if across and within.one_paragraph:
        make = f"split the quoted words into {number} testimonies"
        paste = "; and in the next: ".join(pasted)
    else:
        make = f"split the quoted words into {number} parts"
        paste = f"[{', '.join(pasted)}]"
    return (f"{why}: {make}. {said}".rstrip(), f"Paste instead: {paste}")


def left_out(hidden: str, whole: Span, text: str) -> tuple[str, str]:
    """Return lines of help for a negation that is left out, with words to paste."""
    paste = "Quote the sentences of both parts whole."
    if "\n" not in text[slice(*whole)]:
        paste = f"Quote all words in one part: {chosen_in_yaml(whole, text)}"
    return (f"Words with a negation are left out: “{hidden}”.", paste)


def _is_in_order(words: str, parts: Sequence[Span], text: str) -> bool:
    """Return whether words contain passages of a text in the order of the text."""
    from defectors_data.text.similar_words import nearest  # noqa: PLC0415  # as above

    places = [nearest(text[slice(*part)], words) for part in parts]
    starts = [place[0].start for place in places if place]
    return starts == sorted(starts)


def _gaps(words: str, parts: int) -> list[str]:
    """Return what was typed after each part: an omission mark, a line break or a space.

    After the last part there is nothing.
    """
    found = []
    for hit in _GAP.finditer(words):
        start = len(words[: hit.start()].rstrip())
        end = len(words) - len(words[hit.end() :].lstrip())
        found.append(words[start:end])
    if len(found) != parts - 1:
        found = [" "] * (parts - 1)
    return [*found, ""]


_GAP = re.compile(rf"{OMISSION.pattern}|\n+")


_LINES_SHOWN = 8


def evidence_ambiguous(quote: Quote, within: SearchedText, starts: Sequence[int]) -> Finding:
    """Evidence that occurs more than once in the seed must say which occurrence is meant."""
    lines = sorted({line_and_column(within.text, start)[0] for start in starts[:_LINES_SHOWN]})
    where = ", ".join(map(str, lines))
    if len(starts) > _LINES_SHOWN:
        where += ", ..."
    times = f"{len(starts)} times" if len(starts) < MOST else f"{MOST} times or more"
    message = f"These words occur {times} in {within.file} (lines {where})."
    hint = (
        "Choose one occurrence with `prefix` or `suffix`, the characters directly before or after "
        "it."
    )
    return Finding(quote.place, "evidence-ambiguous", message, (hint,))


def occurrence_not_found(quote: Quote, count: int) -> Finding:
    """An `occurrence` must not be greater than the number of occurrences."""
    times = "once" if count == 1 else f"{count} times"
    message = f"`occurrence` is {quote.occurrence}, but the words occur only {times}."
    hint = "Choose a lower number, or remove `occurrence`."
    return Finding(quote.place, "occurrence-not-found", message, (hint,))


def partial_word(quote: Quote, within: SearchedText, span: Span) -> Finding:
    """Evidence must not begin or end inside a word or a number."""
    whole = on_word_boundaries(within.text, *span)
    line, _ = line_and_column(within.text, span.start)
    message = (
        f"These words begin or end inside a longer word or number, on line {line} of {within.file}."
    )
    hint = f"Paste instead: {in_yaml(within.text[whole.start : whole.end])}"
    return Finding(quote.place, "partial-word", message, (hint,))


def evidence_out_of_order(place: Place, *, overlap: bool) -> Finding:
    """The parts of evidence must be in the order of the seed, with words between them."""
    what = "overlaps" if overlap else "comes earlier in the seed than"
    hint = "List the parts in the order of the seed."
    return Finding(place, "evidence-out-of-order", f"This part {what} the part before it.", (hint,))


def _split_at_comma(place: Place) -> Finding:
    """Report `evidence-out-of-order` for a part that only a comma separates from the one before."""
    message = "Only a comma is left out between this part and the one before."
    hint = "Join the two parts; in brackets, words that contain a comma need quotation marks."
    return Finding(place, "evidence-out-of-order", message, (hint,))


FAULTS = (
    evidence_not_found,
    evidence_ambiguous,
    occurrence_not_found,
    partial_word,
    evidence_out_of_order,
)
