"""Records proposed from the words of an article.

`todo`, `draft`, the forms of the local page and the imports all propose records with these
functions. A person reviews each proposal: what the words do not show is left empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from defectors_data.annotators.proposals.ages import aged
from defectors_data.annotators.proposals.attributions import headline_of, reason_of_quotation
from defectors_data.annotators.proposals.counted_numbers import is_in_name
from defectors_data.annotators.proposals.figures import proposed_figure
from defectors_data.annotators.proposals.mentions import proposed_mention
from defectors_data.annotators.proposals.proposal import Proposal
from defectors_data.annotators.proposals.testimonies import proposed_testimony
from defectors_data.annotators.proposals.waivers import counts_nothing, proposed_waiver, repeated_by
from defectors_data.evidence.annotated_document import Document
from defectors_data.text.detection import Detection
from defectors_data.text.offsets import is_inside


def of_detections(document: Document, group: Sequence[Detection]) -> Proposal:
    """Return the record for a number, or for the parts of a quotation."""
    found = group[0]
    spans = [each.span for each in group]
    if found.kind == "quotation":
        is_in_title = is_inside(spans[0], headline_of(document))
        is_repeated = is_in_title and bool(repeated_by(document, spans[0]))
        is_spoken = not (is_repeated or reason_of_quotation(document, spans[0]))
        if is_spoken:
            return proposed_testimony(document, spans)
        return proposed_waiver(document, spans[0])
    if is_in_name(document.text, found):
        return proposed_waiver(document, spans[0])
    age = aged(document.text, found)
    if age and age != spans[0]:
        return proposed_mention(document, age)
    if found.quantity and not age and not counts_nothing(document.text, found):
        return proposed_figure(document, spans[0])
    return proposed_waiver(document, spans[0])
