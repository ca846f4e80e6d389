"""The words of a mention, extended to the attributes that a form sets."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from defectors_data.evidence.anchors import whole_occurrences
from defectors_data.evidence.annotated_document import ATTRIBUTES_OF_MENTIONS, Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.rules.attribution.persons import namings
from defectors_data.text.attributions import verbs
from defectors_data.text.offsets import Span, extent, is_inside, overlaps, sentences_around

_FURTHEST = 60
"""Maximum number of code points between the words of a mention and an attribute that they get."""
_BREAK = re.compile(r"[.;:“”\"«»]|''|``")

_UNIT = re.compile(r"(?:[-\u2010\u2011]\w+)+| years?\b(?: old\b)?|")
"""What belongs to the number of years: "-year-old" of "41-year-old", or nothing."""


def with_attributes(
    document: Document,
    spans: Sequence[Span],
    values: Mapping[str, object],
    keys: Collection[str],
    speaker: str,
) -> list[Span]:
    """Return the words of a mention with those of its attributes that their sentence prints next to
    them: "Ada Orr of Save the Mills" for the affiliation "Save the Mills" of "Ada Orr".

    Between them is at most a phrase: no mark that ends a clause, no reporting verb, and nobody else.

    Args:
        document: the article.
        spans: the words of the mention.
        values: the values of the form.
        keys: the keys that the form sets.
        speaker: the speaker of the mention, or "" of a new one.
    """
    found = list(spans)
    for key in ATTRIBUTES_OF_MENTIONS:
        if found and key in keys:
            found = _with(document, found, _printed(document, found, str(values[key])), speaker)
    return found


def _printed(document: Document, spans: Sequence[Span], value: str) -> list[Span]:
    """Return the places of the words or the number of an attribute in the sentence of a mention."""
    sentence = sentences_around(document.text, extent(spans))
    if not value.isdecimal():
        found = whole_occurrences(value, document.text) if value else []
        return [each for each in found if is_inside(each, [sentence])]
    numbers = [entry.detection for entry in ledger_of(document).within([sentence])]
    same = [each for each in numbers if each.quantity and each.quantity.value == int(value)]
    units = [_UNIT.match(document.text, each.end) for each in same]
    ends = [unit.end() for unit in units if unit]
    return [Span(each.start, end) for each, end in zip(same, ends, strict=True)]


def _with(
    document: Document, spans: Sequence[Span], places: Sequence[Span], speaker: str
) -> list[Span]:
    """Return words with the nearest of some places, if they contain none, and one is near."""
    if any(is_inside(place, spans) for place in places):
        return list(spans)
    near = dict[Span, int]()
    for span in spans:
        for place in places:
            # The end comes before the start if they overlap.
            start, end = min(span.end, place.end), max(span.start, place.start)
            between = Span(start, max(start, end))
            if _is_phrase(document, between, place, speaker):
                around = Span(min(span.start, place.start), max(span.end, place.end))
                near[around] = between.end - between.start
    if not near:
        return list(spans)
    nearest = min(near, key=lambda each: near[each])
    return sorted([nearest, *(span for span in spans if not overlaps(span, [nearest]))])


def _is_phrase(document: Document, between: Span, place: Span, speaker: str) -> bool:
    """Return whether the words between a mention and a place are short, and only describe."""
    words = document.text[slice(*between)]
    if len(words) > _FURTHEST or _BREAK.search(words):
        return False
    if verbs(document.text, between, ledger_of(document).quoted):
        return False
    named = [each for each in namings(document) if overlaps(each, [between])]
    return not any(each.speaker != speaker and not overlaps(each, [place]) for each in named)
