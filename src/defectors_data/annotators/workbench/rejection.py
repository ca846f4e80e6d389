"""What a rejection removes: a draft, and those that are nothing without it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from defectors_data.annotators.proposals.proposal import PLACEHOLDERS
from defectors_data.corpus.findings import Path
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.models.fields import plain_number
from defectors_data.text.offsets import Span, are_inside


def removed_with(document: Document, path: Path) -> list[Path]:
    """Return the paths of a draft and of the drafts that are nothing without it.

    These are the testimonies of a speaker, the speaker of a testimony who has no other record, the
    further mentions to which only its words lead, and the waivers of what repeats a testimony.
    """
    found = [path]
    ids = _ids(document, path)
    if path[0] == "speakers":
        for each, testimony in document.testimonies:
            if testimony.draft and testimony.speaker in ids:
                found.append(each)
                ids.add(testimony.id)
    for each, entry in document.entries:
        said = _of_speaker(document, entry.id)
        if path[0] == "testimonies" and entry.draft and said == [path]:
            found.append(each)
            ids |= _ids(document, each)
    for each, waiver in document.waivers:
        if waiver.draft and waiver.repeats in ids and each not in found:
            found.append(each)
    return found + _only_led_to(document, found)


def _only_led_to(document: Document, gone: Collection[Path]) -> list[Path]:
    """Return the paths of further mentions without details to which only the attributions of
    removed testimonies lead: a draft has them as antecedents, and nobody has decided on them.
    """
    led, needed = set[str | None](), set[object]()
    for path, testimony in document.testimonies:
        said = testimony.attribution
        if said and path in gone:
            led.add(said.antecedent)
        elif said:
            needed |= {said.antecedent, said.rival}
    needed |= {
        figure.attribution.antecedent for _, figure in document.figures if figure.attribution
    }
    found = list[Path]()
    for path, mention in document.mentions:
        is_plain = mention.model_fields_set == {"id", "evidence"} and path[-1] != 0
        is_led = mention.id in led and mention.id not in needed
        if is_plain and is_led and path[:2] not in gone:
            found.append(path)
    return found


def _of_speaker(document: Document, speaker: str) -> list[Path]:
    """Return the paths of the records of a speaker; figures of a testimony are part of it."""
    found = [path for path, testimony in document.testimonies if testimony.speaker == speaker]
    said = {testimony.id for path, testimony in document.testimonies if path in found}
    for path, figure in document.figures:
        is_inside_it = figure.draft and figure.testimony in said
        if figure.attributed_to == speaker and not is_inside_it:
            found.append(path)
    return found


def drafts_of_ages(
    document: Document, spans: Sequence[Span], stated: Collection[str]
) -> list[Path]:
    """Return the paths of the drafts of waivers that call a number in some words a protected age, and of
    figures that count years in them, of which a mention states so many.
    """
    inside = {entry.record_id for entry in ledger_of(document).within(spans)}
    found = list[Path]()
    for path, figure in document.figures:
        is_in_years = figure.draft and figure.unit == "year" and figure.id in inside
        is_number = figure.value is not None and plain_number(figure.value) in stated
        if is_in_years and is_number:
            found.append(path)
    for path, waiver in document.waivers:
        words = document.evidence_of(path)
        is_inside_it = bool(words) and are_inside(words, spans)
        if waiver.draft and waiver.reason == "protected_attribute" and is_inside_it:
            found.append(path)
    return found


def drafts_inside(document: Document, spans: Sequence[Span]) -> list[Path]:
    """Return the paths of the drafts whose words are all inside some spans."""
    drafts: list[Path] = [path for path, record in document.testimonies if record.draft]
    drafts += [path for path, record in document.figures if record.draft]
    drafts += [path for path, record in document.waivers if record.draft]
    drafts += [path for path, entry in document.entries if entry.draft]
    found = list[Path]()
    for path in drafts:
        words = list(document.evidence_of(path))
        if path[0] == "speakers":
            for mention, _ in document.mentions:
                if mention[:2] == path:
                    words += document.evidence_of(mention)
        if words and are_inside(words, spans):
            found += removed_with(document, path)
    return list(dict.fromkeys(found))


def taken_in(document: Document, path: Path, spans: Sequence[Span]) -> list[Path]:
    """Return the paths of the drafts that are nothing anymore when the testimony at a path gets
    other words: testimonies with its speaker, or none, that are mostly in these words, and waivers
    of quotations in them.
    """
    [changed] = [each for at, each in document.testimonies if at == path]
    open_ = PLACEHOLDERS["speaker"]
    found = list[Path]()
    for at, testimony in document.testimonies:
        words, before = document.evidence_of(at), document.evidence_of(path)
        # What is left outside is less than what the new words contain.
        is_taken = 2 * _common(words, spans) > sum(span.end - span.start for span in words)
        was_taken = _common(words, before) == _common(words, spans)
        speakers = {testimony.speaker, changed.speaker} - {open_}
        is_draft = testimony.draft and at != path
        if is_draft and is_taken and not was_taken and len(speakers) <= 1:
            found += [each for each in removed_with(document, at) if each[0] != "speakers"]
    for at, waiver in document.waivers:
        entries = ledger_of(document).waivers[waiver.id]
        others = [entry for entry in entries if entry.detection.kind != "quotation"]
        is_needed = any(entry.record_id == waiver.id for entry in others)
        words = document.evidence_of(at)
        is_taken = bool(words) and are_inside(words, spans)
        if waiver.draft and is_taken and not is_needed:
            found.append(at)
    return list(dict.fromkeys(found))


def _common(some: Sequence[Span], others: Sequence[Span]) -> int:
    """Return how many characters two lists of spans have in common."""
    found = 0
    for one in some:
        for other in others:
            found += max(0, min(one.end, other.end) - max(one.start, other.start))
    return found


def _ids(document: Document, path: Path) -> set[str]:
    """Return the id of the record at a path; of a speaker, also those of the mentions."""
    found = {name for each, _, name in document.records if each[: len(path)] == path}
    for each, entry in document.entries:
        if each == path:
            found.add(entry.id)
    return found
