"""The worklist of an annotator: the quotations and numbers of an article that no record covers.

Each open item has its place, its sentence with the words marked, the nearest speaker, and a record to paste and
complete. Reporting verbs without a testimony are listed on request, as advice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from defectors_data.annotators.proposals import (
    UnusedIds,
    evidence_yaml,
    figure_yaml,
    nearest_speaker,
    testimony_yaml,
    waiver_yaml,
)
from defectors_data.corpus.findings import Place
from defectors_data.evidence.anchors import chosen_in_yaml
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.models.fields import OLDEST
from defectors_data.text.detection import Detection, is_age, states_age
from defectors_data.text.occurrences import is_english
from defectors_data.text.offsets import Span, sentence_around
from defectors_data.text.unattributed_verbs import SENTENCE_END, unaccounted
from defectors_data.text.unattributed_verbs import verbs as reporting_verbs


class WorklistItem(NamedTuple):
    """A quotation, number or verb that is not covered, with a record that would cover it."""

    place: Place
    kind: str
    text: str
    sentence: str
    speaker: str | None
    yaml: str


def remaining(document: Document, *, verbs: bool = False) -> list[WorklistItem]:
    """Return the uncovered items of a source in reading order, including reporting verbs if `verbs` is true."""
    ids = UnusedIds.of(document)
    items = [_item(document, group, ids) for group in groups(document)]
    if verbs and document.claims_completeness:
        items += [_worded(document, verb, "reporting verb", "") for verb in _verbs(document)]
    return sorted(items, key=lambda item: item.place)


def summary(items: list[WorklistItem], document: Document) -> str:
    """Return the numbers of items by kind, such as "12 quotations, 5 quantities left in 900_example.txt".

    If the text was not searched, return a sentence that says so.
    """
    if not document.claims_completeness:
        return not_searched(document)
    quotations = sum(item.kind == "quotation" for item in items)
    verbs = sum(item.kind == "reporting verb" for item in items)
    quantities = len(items) - quotations - verbs
    counted = [_count(quotations, "quotation"), _count(quantities, "quantity")]
    if verbs:
        counted.append(_count(verbs, "reporting verb"))
    return f"{', '.join(counted)} left in {document.source.seed}"


def not_searched(document: Document) -> str:
    """Return a sentence that says that a text was not searched."""
    source = document.source
    reason = (
        "`completeness: none`"
        if is_english(source.language)
        else f"`{source.language}` is not read"
    )
    return f"{source.seed} was not searched for quotations, numbers and ages: {reason}."


def _count(number: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("ty") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


def groups(document: Document) -> list[list[Detection]]:
    """Return the uncovered detections in reading order; the parts of one quotation form a group.

    A quotation inside another one is left out.
    """
    found, last = list[list[Detection]](), 0
    for each in (entry.detection for entry in ledger_of(document).left()):
        if each.kind != "quotation":
            found.append([each])
        elif each.end > last:
            last = each.end
            before = next(
                (group for group in reversed(found) if group[0].kind == "quotation"), None
            )
            if before and _continues(document, before[-1], each):
                before.append(each)
            else:
                found.append([each])
    return found


_LONGEST = 200
"""Maximum length of an attribution between two parts of a quotation, in code points."""


def _continues(document: Document, first: Detection, second: Detection) -> bool:
    """Return whether a quotation continues another one after an attribution, and has no attribution itself."""
    text, quoted, between = document.text, ledger_of(document).quoted, Span(first.end, second.start)
    end = sentence_end(text, first.end)
    # A full stop at the end of the first part, or a new paragraph, ends the speech.
    if (
        text[first.end - 1] == "."
        or "\n" in text[slice(*between)]
        or second.start - first.end > _LONGEST
    ):
        return False
    # Words after the sentence with the attribution mean that another sentence intervenes.
    if re.search(r"\w", text[end : second.start]) or not reporting_verbs(text, between, quoted):
        return False
    # In a new sentence, a comma at the end of the quotation and a verb after it mean that it has an attribution itself.
    after = Span(second.end, sentence_end(text, second.end))
    return not (
        end < second.start and text[second.end - 1] == "," and reporting_verbs(text, after, quoted)
    )


def sentence_end(text: str, start: int) -> int:
    """Return the offset of the end of the sentence or paragraph that contains an offset."""
    found = SENTENCE_END.search(text, start)
    return found.start() if found else len(text)


_WORD = r"[^\W\d_a-z][\w'’.-]*"
NAME = rf"{_WORD}(?:(?: (?:de|del|da|dos|la|las|van|von|bin|al))* {_WORD}){{0,4}}"
"""The pattern of a name: words with capital letters."""


def aged(text: str, found: Detection) -> Span | None:
    """Return the span of a name and an age, as in `Milo Arden, 31`, if `found` is an age that follows a name.

    If it states an age without a name, return its own span; if it is not an age, return None.
    """
    before = re.search(rf"(?:{NAME}), $", text[max(0, found.start - 80) : found.start])
    if (
        before
        and years(found, OLDEST) is not None
        and is_age(text, found)
        and re.match(r"[,.;]|$", text[found.end :])
    ):
        return Span(found.start - len(before[0]), found.end)
    return Span(found.start, found.end) if states_age(text, found) else None


def years(found: Detection, most: int) -> int | None:
    """Return a number as an age or a time of service of at most `most` years, or None if it cannot be one."""
    value = found.quantity.value if found.quantity else None
    is_possible = value is not None and value.is_integer() and 0 <= value <= most
    return int(value) if value is not None and is_possible else None


def _item(document: Document, group: Sequence[Detection], ids: UnusedIds) -> WorklistItem:
    found, text, kind = group[0], document.text, group[0].kind
    span, evidence = Span(found.start, found.end), evidence_yaml(group, text)
    if kind == "quotation":
        yaml = testimony_yaml(ids.next("t"), evidence, nearest_speaker(document, span))
    elif found.quantity and (age := aged(text, found)):
        yaml = waiver_yaml(ids.next("w"), evidence, "protected_attribute")
        if age != span:
            words = chosen_in_yaml(age, text)
            yaml = f"- id: {ids.next('m')}\n  evidence: {words}\n  age: {years(found, OLDEST)}"
    elif found.quantity:
        yaml = figure_yaml(ids.next("f"), evidence, found.quantity, text[slice(*span)])
    else:
        yaml = waiver_yaml(ids.next("w"), evidence, kind)
    return _worded(document, span, kind, yaml)


def _worded(document: Document, span: Span, kind: str, yaml: str) -> WorklistItem:
    words, sentence = document.text[slice(*span)], sentence_around(document.text, span)
    return WorklistItem(
        document.place_in_seed(span.start),
        kind,
        words,
        sentence,
        nearest_speaker(document, span),
        yaml,
    )


def _verbs(document: Document) -> list[Span]:
    """Return the reporting verbs that no testimony covers, outside boilerplate and waived words."""
    inside = [*document.at(("source", "boilerplate"))]
    direct: list[Span] = []
    for path, testimony in document.testimonies:
        spans = document.evidence_of(path)
        (direct if testimony.mode == "direct" else inside).extend(spans)
    evidence = " ".join(document.text[slice(*span)] for span in [*inside, *direct])
    for path, _ in document.waivers:
        inside += document.evidence_of(path)
    return [
        verb
        for verb in unaccounted(document.text, inside, direct)
        if _around(document, verb) not in evidence
    ]


def _around(document: Document, verb: Span) -> str:
    """Return a verb with the text around it on its line, to find out whether the passage repeats evidence."""
    before = document.text[max(0, verb.start - 20) : verb.start].rpartition("\n")[2]
    after = document.text[verb.end : verb.end + 20].partition("\n")[0]
    return f"{before}{document.text[slice(*verb)]}{after}"
