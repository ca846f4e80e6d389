"""The search for words in a text or, if it does not contain them, for the most similar words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from defectors_data.corpus.findings import Place
from defectors_data.evidence.anchors import (
    Quote,
    SearchedText,
    chosen_in_yaml,
    elsewhere,
    find_every_span,
    in_parts,
)
from defectors_data.text.offsets import Span, cuts_a_word, in_line, line_and_column
from defectors_data.text.similar_words import nearest
from defectors_data.text.wording_differences import OMISSION, difference, fold


class SearchResult(NamedTuple):
    """The lines to print, and whether the text contains exactly these words, as whole words."""

    lines: list[str]
    found: bool


def locate(
    words: str, file: str, text: str, others: Iterable[tuple[str, str]] = ()
) -> SearchResult:
    """Find words in a text or, if it does not contain them, the most similar words and differences.

    Words that are not in the text may be in one of the others, which are given with their names.
    """
    if not words:
        return SearchResult(["No words were given."], found=False)
    if words not in text:
        if found := elsewhere([words], others):
            lines = [f"{file}: does not contain these words.", found[words]]
            return SearchResult(lines, found=False)
        return SearchResult(_nearest(words, file, text), found=False)
    spans, cut = find_every_span(Quote(words, Place(file)), SearchedText(file, text))
    if cut:
        lines = [f"{file}: contains these words only inside longer words.", *cut[0].help]
        return SearchResult(lines, found=False)
    lines = []
    for span in spans:
        lines += [_shown(file, text, span), f"evidence: {chosen_in_yaml(span, text)}"]
    return SearchResult(lines, found=True)


def _shown(file: str, text: str, span: Span) -> str:
    place = Place(file, *line_and_column(text, span.start))
    return f"{place.text()}: {in_line(text, span)}"


def _nearest(words: str, file: str, text: str) -> list[str]:
    parts = nearest(words, text)
    shown = [_shown(file, text, part) for part in parts]
    if not parts:
        return [f"{file}: contains neither these words nor similar ones."]
    if len(parts) > 1:
        first = f"{file}: does not contain these words in one passage; the most similar are:"
        return [first, *shown, *in_parts(words, parts, SearchedText(file, text))]
    return [
        f"{file}: does not contain these words; the most similar are:",
        *shown,
        difference(words, text[slice(*parts[0])]),
        f"evidence: {chosen_in_yaml(parts[0], text)}",
    ]


# ---- the words of a record -----------------------------------------------------------------------


class WordsNotFoundError(ValueError):
    """A text does not contain the words that were typed; the message says which."""


def nearest_extent(typed: str, text: str, near: Span) -> Span:
    """Return the place of typed words that is nearest to a span of a text, in code points. With a
    mark of omission, such as "...", it extends from the words before it to the next ones after it,
    in one paragraph.

    Case, and the style of quotation marks, dashes and spaces, are ignored.

    Raises:
        WordsNotFoundError: the text does not contain the words as whole words, or in this order.
    """
    if found := extents(typed, text):
        return min(found, key=lambda each: (_gap(each, near), each.end - each.start))
    pieces = _pieces(typed)
    if not pieces:
        raise WordsNotFoundError("No words were typed.")
    for piece in pieces:
        if not _whole_words(piece, text):
            message = f"The article does not contain “{piece}” as whole words."
            raise WordsNotFoundError(message)
    listed = " ... ".join(pieces)
    raise WordsNotFoundError(f"No paragraph contains “{listed}” in this order.")


def extents(typed: str, text: str) -> list[Span]:
    """Return the places of typed words as whole words or, with a mark of omission, from the words
    before it to the next ones after it, as `nearest_extent` reads them.
    """
    pieces = _pieces(typed)
    found = _extents([typed.strip()], text)
    if len(pieces) > 1 and not found:
        found = _extents(pieces, text)
    return found


def _pieces(typed: str) -> list[str]:
    return [piece.strip() for piece in OMISSION.split(typed) if piece.strip()]


def _extents(pieces: Sequence[str], text: str) -> list[Span]:
    """Return the places of the first piece, each up to the next places of the others."""
    first, *others = [_whole_words(piece, text) for piece in pieces]
    found = []
    for start, first_end in first:
        end = first_end
        for places in others:
            later = [each.end for each in places if each.start >= end]
            end = later[0] if later else len(text) + 1
        if end <= len(text) and "\n" not in text[start:end]:
            found.append(Span(start, end))
    return found


def _whole_words(piece: str, text: str) -> list[Span]:
    """Return the places of some words, regardless of case and the style of marks."""
    words = [re.escape(word) for word in fold(piece).split()]
    if not words:
        return []
    spans = [Span(*hit.span()) for hit in re.finditer(r"\s+".join(words), fold(text))]
    return [each for each in spans if not cuts_a_word(text, each)]


def _gap(span: Span, other: Span) -> int:
    """Return the number of code points between two spans; 0 if they overlap."""
    return max(0, span.start - other.end, other.start - span.end)
