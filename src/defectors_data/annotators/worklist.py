"""The worklist of an annotator: the quotations and numbers of an article that no record covers.

Each open item has its place, its sentence with the words marked, the nearest speaker, and a record
to paste and complete. Reporting verbs without a testimony are listed on request, as advice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from defectors_data.annotators.proposals import of_detections
from defectors_data.annotators.proposals.attributions import nearest_speaker
from defectors_data.annotators.proposals.statements import groups, not_searched, unclaimed
from defectors_data.annotators.record_ids import UnusedIds
from defectors_data.annotators.record_yaml import listed, record_yaml
from defectors_data.corpus.findings import Place
from defectors_data.evidence.annotated_document import Document
from defectors_data.models.counts import counted
from defectors_data.rules.subjects import SUBJECTS
from defectors_data.text.detection import Detection
from defectors_data.text.offsets import Span, in_line


class WorklistItem(NamedTuple):
    """A quotation, number or verb that is not covered, with a record that would cover it."""

    place: Place
    kind: str
    text: str
    sentence: str
    speaker: str | None
    yaml: str


def remaining(document: Document, *, verbs: bool = False) -> list[WorklistItem]:
    """Return the uncovered items of a source, with reporting verbs if `verbs` is true, in order."""
    ids = UnusedIds.of(document)
    items = [_item(document, group, ids) for group in groups(document)]
    if verbs and document.claims_completeness:
        cues = [each.cue for each in unclaimed(document) if each.is_sure]
        items += [_worded(document, cue, "reporting verb", "") for cue in cues]
    return sorted(items, key=lambda item: item.place)


def summary(items: list[WorklistItem], document: Document) -> str:
    """Return the numbers of items by kind, such as "12 quotations, 5 quantities left in 900.txt".

    If the text was not searched, return a sentence that says so.
    """
    if not document.claims_completeness:
        return not_searched(document)
    quotations = sum(item.kind == "quotation" for item in items)
    verbs = sum(item.kind == "reporting verb" for item in items)
    quantities = len(items) - quotations - verbs
    found = [counted(quotations, "quotation"), counted(quantities, "quantity")]
    if verbs:
        found.append(counted(verbs, "reporting verb"))
    if drafts := len([*SUBJECTS["drafts"](document)]):
        found.append(counted(drafts, "draft"))
    return f"{', '.join(found)} left in {document.source.seed}"


def _item(document: Document, group: Sequence[Detection], ids: UnusedIds) -> WorklistItem:
    found = group[0]
    proposal = of_detections(document, group).with_placeholders()
    yaml = listed(record_yaml(document, proposal, ids.next(proposal.table[0])))
    return _worded(document, found.span, found.kind, yaml)


def _worded(document: Document, span: Span, kind: str, yaml: str) -> WorklistItem:
    place = document.place_in_seed(span.start)
    words = document.text[slice(*span)]
    sentence = in_line(document.text, span)
    return WorklistItem(place, kind, words, sentence, nearest_speaker(document, span), yaml)
