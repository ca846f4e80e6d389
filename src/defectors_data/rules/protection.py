"""Rules that keep a person who is not publicly named from being told more of than one article tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile

from defectors_data.corpus.findings import Finding
from defectors_data.corpus.project_file import Path
from defectors_data.evidence.anchoring import holds
from defectors_data.evidence.document import Document, per_document
from defectors_data.models.annotation import Figure, Mention, ProtectedMention, Speaker, Testimony, Waiver
from defectors_data.models.vocabularies import STANDARD_NOTES
from defectors_data.rules.engine import rule
from defectors_data.text.offsets import Span

_STANDARD = "(?:(?:{one}) )+".format(
    one="|".join(re.escape(note).replace("RECORD", "[a-z0-9-]{1,80}") for note in STANDARD_NOTES)
)
"""Standard sentences, each with a space behind it."""


@rule(on="records of protected persons", unique_ids=True, codebook="P8")
def protected_free_text(
    document: Document, path: Path, record: Mention | ProtectedMention | Testimony | Figure | Waiver
) -> Iterator[Finding]:
    """Of a protected person a `note` holds standard sentences alone, and `counted` words of the figure's evidence."""
    for key in ("note", "override"):
        if (text := vars(record).get(key)) and not re.fullmatch(_STANDARD, f"{text} "):
            message = f"`{key}` on a record of a protected person must be made of the standard sentences."
            hint = "docs/annotators/codebook.md lists them; what else there is to say has no place in the data."
            yield Finding(document.place(*path, key), "protected-free-text", message, (hint,))
    words = document.words((*path, "evidence"))
    if isinstance(record, Figure) and words and not holds(words, record.counted):
        message = "`counted` on a figure of a protected person must be words of its evidence."
        hint = "Copy the run of words that says what is counted."
        yield Finding(document.place(*path, "counted"), "protected-free-text", message, (hint,))


@rule(on="records of protected persons", unique_ids=True, codebook="P9")
def protected_speaker_linked(
    document: Document, path: Path, record: Mention | ProtectedMention | Testimony | Figure | Waiver
) -> Iterator[Finding]:
    """A protected person is joined to somebody else only by a passage that names both."""
    if isinstance(record, Testimony) and _is_linked_by_about(document, path, record):
        message = "The words of this testimony do not name whom `about` gives, and one of the two is protected."
        yield Finding(document.place(*path, "about"), "protected-speaker-linked", message, ("Leave `about` out.",))
    if isinstance(record, Figure) and _is_linked_by_figure(document, record):
        message = "This figure is attributed to another than the testimony's speaker, and one of the two is protected."
        hint = "Leave `attributed_to` or `testimony` out."
        yield Finding(document.place(*path, "attributed_to"), "protected-speaker-linked", message, (hint,))
    if _is_linked_by_words(document, path):
        message = "These words are evidence of another protected person too, which joins the two."
        yield Finding(document.place(*path, "evidence"), "protected-speaker-linked", message)


def _is_linked_by_about(document: Document, path: Path, testimony: Testimony) -> bool:
    """Tell whether a testimony of which one person is protected does not name whom it is about."""
    speaker, about = (document.heard.get(name or "") for name in (testimony.speaker, testimony.about))
    words = document.words((*path, "evidence")) or ""
    return bool(speaker and about and speaker.id != about.id and not _is_named(document, about, words))


def _is_named(document: Document, speaker: Speaker, words: str) -> bool:
    """Tell whether words contain a word of a speaker's name, or one of the mentions that introduce the speaker."""
    names = str(getattr(speaker, "name", "")).split()
    mentions = [
        document.words((*path, "evidence")) for path, _ in document.mentions if document.entry_of(path).id == speaker.id
    ]
    return any(holds(words, name) for name in [*names, *filter(None, mentions)])


def _is_linked_by_figure(document: Document, figure: Figure) -> bool:
    """Tell whether a figure has two speakers, one of them protected."""
    two = {figure.attributed_to, _speakers(document).get(figure.testimony or "")} - {None}
    return len(two) > 1 and two <= document.heard.keys() and bool(two & document.protected)


@per_document
def _speakers(document: Document) -> dict[str, str]:
    """Return the speaker of each testimony, by the testimony's id."""
    return {testimony.id: testimony.speaker for _, testimony in document.testimonies}


def _is_linked_by_words(document: Document, path: Path) -> bool:
    """Tell whether words of a record are evidence of another protected person, in an earlier record of its kind."""
    evidence = _evidence_of_protected(document)
    person, here = evidence.get(path, ("", ()))
    before = takewhile(lambda other: other != path, evidence) if here else ()
    return any(
        evidence[other][0] != person and _share(evidence[other][1], here) for other in before if other[0] == path[0]
    )


@per_document
def _evidence_of_protected(document: Document) -> dict[Path, tuple[str, tuple[Span, ...]]]:
    """Return person and evidence of the mentions and testimonies of protected persons, by path."""
    found = {path: (document.entry_of(path).id, document.evidence_of(path)) for path, _ in document.mentions}
    for path, testimony in document.testimonies:
        support = (document.at((*path, "support", i, "words")) for i in range(len(testimony.support)))
        found[path] = testimony.speaker, sum(support, document.evidence_of(path))
    return {path: (person, spans) for path, (person, spans) in found.items() if person in document.protected}


@rule(on="protected attributes", unique_ids=True, codebook="P7")
def protected_attribute_exposed(document: Document, path: Path, _waiver: Waiver) -> Iterator[Finding]:
    """Words that are waived as a protected attribute stand in no mention, no licence and no fact of the source."""
    waived = document.evidence_of(path)
    for cited in document.cited:
        introduces = cited.table in ("mentions", "sources") and cited.field != "boilerplate"
        if introduces and _share(document.at(cited.path), waived):
            message = "These words hold some that are waived as `protected_attribute`."
            hint = "Copy a shorter run of words that does without them."
            yield Finding(document.place(*cited.path), "protected-attribute-exposed", message, (hint,))


def _share(some: tuple[Span, ...], others: tuple[Span, ...]) -> bool:
    return any(a.start < b.end and b.start < a.end for a in some for b in others)
