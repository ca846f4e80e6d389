"""Testimonies proposed from the words of an article."""

from __future__ import annotations

from collections.abc import Sequence

from defectors_data.annotators.proposals.attributions import (
    attributed_words,
    attribution,
    attribution_parts,
    nearest_speaker,
    stance_of,
)
from defectors_data.annotators.proposals.proposal import Proposal
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import quotations_of
from defectors_data.evidence.consistency import triggered
from defectors_data.text.attributions import verbs
from defectors_data.text.offsets import Span, SpanIndex, are_inside, is_inside


def proposed_testimony(document: Document, spans: Sequence[Span]) -> Proposal:
    """Return the testimony with the given words."""
    attributing = attribution_parts(document, spans[0])
    values = {
        "speaker": nearest_speaker(document, spans[0]) or "",
        "attribution": attribution(document, spans[0]),
        "antecedent": "",
        "mode": mode(document, spans),
        "stance": stance_of(document, spans[0]),
        "themes": ", ".join(_themes(document, spans)),
        "outlet": "",
    }
    return Proposal("testimonies", tuple(spans), values, attribution=attributing)


def mode(document: Document, spans: Sequence[Span]) -> str:
    """Return `direct` inside quotation marks, `indirect` if a source says the words, else
    `narrated`.
    """
    if are_inside(spans, quotations_of(document)):
        return "direct"
    attributed = attributed_words(document)
    around = attributed.attribution_of(spans[0])
    if around and around.is_of_block and spans[0] in around.content:
        return "direct"
    cues = [each for each in attributed.found if is_inside(each.cue, spans)]
    if around and around not in cues:
        cues.append(around)
    quoted = SpanIndex((found.start, found.end, 0) for found in quotations_of(document))
    is_reported = any(each.is_reported for each in cues)
    if not cues:
        is_reported = any(verbs(document.text, span, quoted) for span in spans)
    return "indirect" if is_reported else "narrated"


def _themes(document: Document, spans: Sequence[Span]) -> list[str]:
    """Return the themes with a trigger in the words, or `other`."""
    themes = []
    for theme, triggers in document.context.triggers_by_theme.items():
        if triggers and triggered(document.text, spans, triggers):
            themes.append(theme)
    return themes or ["other"]
