"""What a rejection removes: drafts, and what other records say about them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from defectors_data.annotators.proposals import PLACEHOLDERS
from defectors_data.annotators.workbench import connections
from defectors_data.corpus.findings import Path
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.rules.attribution import last_before
from defectors_data.text.offsets import Span, is_inside


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


def figures_left(document: Document, paths: Collection[Path]) -> dict[Path, dict[str, str]]:
    """Return the keys of the figures that remain and refer to removed records, by path."""
    ids = ids_of(document, paths)
    changes = connections.of_removed(document, ids)
    found = {}
    for path, figure in document.figures:
        keys = changes.get(path, {})
        if figure.draft and figure.attributed_to in ids:
            keys = {"attributed_to": "", **keys}
        if keys and path not in paths:
            found[path] = keys
    return found


def antecedents_left(document: Document, paths: Collection[Path]) -> dict[Path, dict[str, str]]:
    """Return the antecedents of the drafts that remain and lead to removed records, by path of the
    attribution: the last record of the same speaker before the words, with the rival that the rules
    then ask for, or "" if there is none. A rival that is removed is "".
    """
    ids, found = ids_of(document, paths), dict[Path, dict[str, str]]()
    for path, testimony in document.testimonies:
        said = testimony.attribution
        if not testimony.draft or path in paths or not said:
            continue
        if said.rival in ids:
            found[*path, "attribution"] = {"rival": ""}
        if said.antecedent not in ids:
            continue
        words = document.at((*path, "attribution", "words"))
        antecedent = ""
        if words and testimony.speaker not in PLACEHOLDERS.values():
            antecedent = last_before(document, words[0], testimony.speaker, testimony.id, *ids)
        rival = connections.only_rival(document, antecedent, words, testimony.speaker)
        keys = {"antecedent": antecedent, "rival": "" if rival in ids else rival}
        found[*path, "attribution"] = keys
    return found


def continued_by(document: Document, paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the paths of the attributions of other drafts that continue removed records."""
    gone = set(paths)
    ids = ids_of(document, gone)
    for path, testimony in document.testimonies:
        said = testimony.attribution
        if testimony.draft and path not in gone and said and said.continues in ids:
            yield (*path, "attribution")


def waived_ages(document: Document, spans: Sequence[Span]) -> list[Path]:
    """Return the paths of the drafts of waivers that call a number in some words a protected age."""
    found = list[Path]()
    for path, waiver in document.waivers:
        words = document.evidence_of(path)
        is_inside_it = bool(words) and all(is_inside(span, spans) for span in words)
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
        if words and all(is_inside(span, spans) for span in words):
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
        is_taken = bool(words) and all(is_inside(span, spans) for span in words)
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


def ids_of(document: Document, paths: Iterable[Path]) -> set[str]:
    """Return the ids of the records at some paths; of speakers, also those of the mentions."""
    found = set[str]()
    for path in paths:
        found |= _ids(document, path)
    return found


def _ids(document: Document, path: Path) -> set[str]:
    """Return the id of the record at a path; of a speaker, also those of the mentions."""
    found = {name for each, _, name in document.records if each[: len(path)] == path}
    for each, entry in document.entries:
        if each == path:
            found.add(entry.id)
    return found
