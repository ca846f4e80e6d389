"""What a rejection removes: drafts, and what other drafts say about them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from defectors_data.corpus.findings import Path
from defectors_data.evidence.annotated_document import Document
from defectors_data.text.offsets import Span, is_inside


def removed_with(document: Document, path: Path) -> list[Path]:
    """Return the paths of a draft and of the drafts that are nothing without it.

    These are the testimonies of a speaker, the speaker of a testimony who has no other record, and
    the waivers of what repeats a testimony.
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


def references_to(document: Document, paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the paths of the keys of other drafts that refer to removed records."""
    gone = set(paths)
    ids = set[str]()
    for path in gone:
        ids |= _ids(document, path)
    for path, figure in document.figures:
        if figure.draft and path not in gone:
            is_unsaid = figure.testimony in ids
            if is_unsaid:
                yield (*path, "testimony")
            if figure.attributed_to and (is_unsaid or figure.attributed_to in ids):
                yield (*path, "attributed_to")
    for path, testimony in document.testimonies:
        said = testimony.attribution
        if not testimony.draft or path in gone or not said:
            continue
        if said.continues in ids:
            yield (*path, "attribution")
        elif said.antecedent in ids:
            yield (*path, "attribution", "antecedent")


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


def _ids(document: Document, path: Path) -> set[str]:
    """Return the id of the record at a path; of a speaker, also those of the mentions."""
    found = {name for each, _, name in document.records if each[: len(path)] == path}
    for each, entry in document.entries:
        if each == path:
            found.add(entry.id)
    return found
