"""Where words stand in a seed, or the nearest, worded for an annotator with YAML to paste."""

from __future__ import annotations

from typing import NamedTuple

from defectors_data.anchoring import Quote, Surroundings, every_span, occurrences
from defectors_data.findings import Place
from defectors_data.nearness import difference, in_yaml, nearest
from defectors_data.spans import Span, line_and_column, sentence_around


class Located(NamedTuple):
    """Lines to show, and whether the words stand in the text as they were given."""

    lines: list[str]
    found: bool


def locate(words: str, file: str, text: str) -> Located:
    """Find words in a text; where they do not stand, the nearest words are shown and what differs."""
    if not words:
        return Located(["No words were given."], found=False)
    if words not in text:
        return Located(_nearest(words, file, text), found=False)
    spans, cut = every_span(Quote(words, Place(file)), Surroundings(file, text))
    if cut:
        return Located([f"{file}: the words stand there only inside longer words.", *cut[0].help], found=False)
    lines = []
    for span in spans:
        number = len(occurrences(words, text[: span.end]))
        alone = text.count(words) == 1
        pasted = in_yaml(words) if alone else f"{{text: {in_yaml(words)}, occurrence: {number}}}"
        lines += [_shown(file, text, span), f"evidence: {pasted}"]
    return Located(lines, found=True)


def _shown(file: str, text: str, span: Span) -> str:
    line, column = line_and_column(text, span.start)
    return f"{file}:{line}:{column}: {sentence_around(text, span)}"


def _nearest(words: str, file: str, text: str) -> list[str]:
    span = nearest(words, text)
    if not span:
        return [f"{file}: these words do not stand there, and nothing near to them does."]
    seed = text[span.start : span.end]
    return [
        f"{file}: these words do not stand there; the nearest do:",
        _shown(file, text, span),
        difference(words, seed),
        f"evidence: {in_yaml(seed)}",
    ]
