"""The search for words in a text or, if it does not contain them, for the most similar words."""

from __future__ import annotations

from collections.abc import Iterable
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
from defectors_data.text.offsets import Span, in_line, line_and_column
from defectors_data.text.similar_words import nearest
from defectors_data.text.wording_differences import difference


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
