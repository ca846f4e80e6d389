"""Rules that prevent the publication of more about a protected person than one article states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from defectors_data.corpus.findings import Finding, Path, Place
from defectors_data.evidence.annotated_document import (
    REGIONS,
    Document,
    RecordOfProtected,
    per_document,
)
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.free_text.personal_details import PersonalDetail
from defectors_data.evidence.free_text.persons import SharedText, described_in_shared, is_copied
from defectors_data.evidence.free_text.shared_texts import shared_texts
from defectors_data.evidence.free_text.unsourced_details import UnsourcedDetail, unprinted_in_shared
from defectors_data.evidence.record_ids import ids_in
from defectors_data.models.annotation import Figure, Waiver
from defectors_data.models.closed_vocabularies import STANDARD_NOTES
from defectors_data.models.fields import OPEN_COUNTED, standard_pattern
from defectors_data.rules.corpus_index import CorpusView
from defectors_data.rules.engine import rule
from defectors_data.text.detection import states_age
from defectors_data.text.offsets import Span, any_overlap

_STANDARD = re.compile(standard_pattern(STANDARD_NOTES))


@rule(on="records of protected persons", unique_ids=True, codebook="P8")
def protected_free_text(
    document: Document, path: Path, record: RecordOfProtected
) -> Iterator[Finding]:
    """Notes on records of a protected person must be standard notes.

    `counted` on a figure of a protected person may contain only words of its evidence, or of its
    testimony.
    """
    # The records have different models, none of which has all of these keys.
    for key in ("note", "override", "wrong", "known"):
        if (text := vars(record).get(key)) and not _is_standard(document, text):
            message = f"`{key}` on a record of a protected person may contain only standard notes."
            hint = (
                "The codebook lists them; any ids in them must belong to records of the same "
                "source."
            )
            yield Finding(document.place(*path, key), "protected-free-text", message, (hint,))
    is_open = isinstance(record, Figure) and record.counted == OPEN_COUNTED
    if isinstance(record, Figure) and not (is_open or is_copied(document, path, record)):
        message = (
            "`counted` on a figure of a protected person may contain only words of its evidence or "
            "its testimony."
        )
        hint = "Copy the words that say what is counted."
        yield Finding(document.place(*path, "counted"), "protected-free-text", message, (hint,))


def _is_standard(document: Document, text: str) -> bool:
    """Return whether a text is standard notes, in which each id is a record's."""
    return bool(_STANDARD.fullmatch(text)) and all(name in document.tables for name in ids_in(text))


@rule(on="records of protected persons", unique_ids=True, codebook="P9")
def protected_speaker_linked(
    document: Document, path: Path, record: RecordOfProtected
) -> Iterator[Finding]:
    """A record must not link a protected person to another person."""
    if isinstance(record, Figure) and _is_linked_by_figure(document, record):
        message = (
            "`attributed_to` is not the speaker of the testimony, and one of the two is protected."
        )
        hint = "Remove `attributed_to` or `testimony`."
        yield Finding(
            document.place(*path, "attributed_to"), "protected-speaker-linked", message, (hint,)
        )
    if _is_linked_by_words(document, path):
        message = (
            "These words are also evidence of another protected person, so they link the two "
            "people."
        )
        yield Finding(document.place(*path, "evidence"), "protected-speaker-linked", message)


def _is_linked_by_figure(document: Document, figure: Figure) -> bool:
    speakers = {figure.attributed_to} - {None}
    if named := document.testimony_of(figure):
        speakers.add(named[1].speaker)
    # A speaker that does not exist is reported by `unresolved-reference`.
    return (
        len(speakers) > 1
        and speakers <= document.speakers_by_id.keys()
        and bool(speakers & document.protected)
    )


def _is_linked_by_words(document: Document, path: Path) -> bool:
    """Return whether an earlier record about another protected person shares words."""
    evidence = _evidence_of_protected(document)
    person, spans = evidence.get(path, ("", ()))
    if not spans:
        return False
    # Only the later of two records is reported.
    for other in takewhile(lambda each: each != path, evidence):
        other_person, other_spans = evidence[other]
        if other[0] != path[0] or other_person == person:
            continue
        if any_overlap(other_spans, spans):
            return True
    return False


@per_document
def _evidence_of_protected(document: Document) -> dict[Path, tuple[str, tuple[Span, ...]]]:
    """Return the person and evidence of mentions and testimonies of protected persons, by path."""
    found = {
        path: (document.entry_of(path).id, document.evidence_of(path))
        for path, _ in document.mentions
    }
    for path, testimony in document.testimonies:
        found[path] = testimony.speaker, document.evidence_of(path)
    return {
        path: (person, spans)
        for path, (person, spans) in found.items()
        if person in document.protected
    }


@rule(on="protected attributes", unique_ids=True, codebook="P7")
def protected_attribute_exposed(
    document: Document, path: Path, _waiver: Waiver
) -> Iterator[Finding]:
    """Words waived as `protected_attribute` must not be evidence of another record.

    Captions, pull quotes and boilerplate may contain them, but their spans are then not published.
    The title and subtitle are always quoted in full.
    """
    waived = document.evidence_of(path)
    for cited in document.cited:
        is_published = cited.field == "attribution" or (
            cited.table in ("mentions", "sources", "errata") and cited.field not in REGIONS
        )
        if is_published and any_overlap(document.at(cited.path), waived):
            message = "These words include words that are waived as `protected_attribute`."
            hint = "Copy a shorter passage without them."
            if _is_of_public(document, cited.path) and _states_age(document, waived):
                hint = (
                    "If they state the age of this speaker, remove the waiver, and record the age "
                    "on a mention; if not, copy a shorter passage without them."
                )
            yield Finding(
                document.place(*cited.path), "protected-attribute-exposed", message, (hint,)
            )


def _is_of_public(document: Document, path: Path) -> bool:
    """Return whether a mention or testimony is not known to be that of a protected person."""
    if path[0] == "speakers":
        return document.entry_of(path).id not in document.protected
    speakers = [each.speaker for at, each in document.testimonies if at == path[:2]]
    return bool(speakers) and document.protected.isdisjoint(speakers)


def _states_age(document: Document, words: Sequence[Span]) -> bool:
    entries = ledger_of(document).within(words)
    return any(states_age(document.text, entry.detection) for entry in entries)


# ---- free text ----------------------------------------------------------------------------------


@rule(on="personal details in free text", codebook="P15")
def protected_person_described(
    document: Document, path: Path, found: PersonalDetail
) -> Iterator[Finding]:
    """Free text and requests must not state a detail, such as an age, about a person without a public
    name.
    """
    place = document.place(*path)
    if path[-1] != "request":
        yield _described(place, found)
        return
    message = f"These words, which are published, state {found.kind} of a person whose name is not public."
    hint = "Copy the shortest words that say that the person asked not to be named, without that detail."
    yield Finding(place, "protected-person-described", message, (hint,))


@rule(
    on="free texts of shared files",
    scope="corpus",
    code="protected-person-described",
    complete=True,
)
def described_in_shared_text(corpus: CorpusView) -> Iterator[Finding]:
    """In shared free text, report details about one person whose name is not public."""
    for shared in _describing(corpus):
        for found in shared.details:
            yield _described(shared.place(), found)


@lru_cache(maxsize=1)  # only one corpus is in use at a time
def _describing(corpus: CorpusView) -> list[SharedText]:
    """Return the shared texts that state a detail about one person."""
    pseudonyms = _pseudonyms(corpus)
    if corpus.shared_is_known and not pseudonyms:
        return []
    texts = described_in_shared(corpus.context, pseudonyms)
    return [shared for shared in texts if shared.details]


_NAME = re.compile(r"[^\W\d_]+")


def _pseudonyms(corpus: CorpusView) -> frozenset[str]:
    """Return the words of shared texts that are names of protected persons in a document."""
    words = set[str]()
    for _, free in shared_texts(corpus.context):
        words |= {word for word in _NAME.findall(free.text) if word[0].isupper()}
    known = [word for word in sorted(words) if corpus.index.documents_with(word, ("pseudonym",))]
    return frozenset(known)


def _described(place: Place, found: PersonalDetail) -> Finding:
    message = (
        f"Sentence {found.sentence} of this text means one person whose name is not public, and "
        f"states {found.kind}."
    )
    hint = (
        "Remove the detail. If the sentence means nobody, use other words, or list them with this "
        "field under `names` in dataset.yaml."
    )
    return Finding(place, "protected-person-described", message, (hint,))


@rule(on="doubtful words of free text", codebook=("E7", "P15"))
def unprinted_in_free_text(
    document: Document, path: Path, found: UnsourcedDetail
) -> Iterator[Finding]:
    """Notes and ids must not state an age, or contain an uncommon word that no article prints.

    In annotations, the article itself must print it; the id and the file name of a source are examined
    only if the article has a protected person. What may be a full name in the vocabulary must be
    printed, too. Exceptions can be listed under `names` in
    `dataset.yaml`.
    """
    yield _unprinted(document.place(*path), found, "the article does not print")


@rule(on="free texts of shared files", scope="corpus", code="unprinted-in-free-text", complete=True)
def unprinted_in_shared_text(corpus: CorpusView) -> Iterator[Finding]:
    """In shared notes and ids, report ages, and names and words that no article prints.

    After the takedown of a source, only ages are reported: the words that its article printed are
    no longer known.
    """
    taken_down = any(stone.table == "sources" for stone in corpus.context.tombstones)
    reported = {shared.free.text for shared in _describing(corpus)}
    for place, found in unprinted_in_shared(corpus.context):
        # Without a doubtful word, the detail is an age, which is reported even if an article prints
        # it.
        if found.free.text in reported:
            continue
        if found.doubt is None or not (taken_down or found.doubt in corpus.printed):
            yield _unprinted(place(), found, "no article prints")


_DOUBTS = {
    "name": "is a name that {}",
    "first word": "may be a name: it begins a sentence, and is a word that {}",
    "number": "is a number that {}",
    "waived number": "is a number that the article prints only in words that are waived",
    "word": "is, or contains, an uncommon word that {}",
}


def _unprinted(place: Place, found: UnsourcedDetail, by: str) -> Finding:
    field = found.free.field
    if found.doubt is None:
        hint = (
            "Remove it; if it is not a person's age, as in `under 5 years old`, list the words "
            f"with the field `{field}` under `names` in dataset.yaml."
        )
        return Finding(place, "unprinted-in-free-text", "This text states an age.", (hint,))
    word = f"`{found.doubt.word}`"
    if found.is_hidden:
        word = f"Word {found.position} of this text"
    message = f"{word} {_DOUBTS[found.doubt.kind].format(by)}."
    hint = (
        "Remove it if it is about a person; otherwise use another word, or list it with the field "
        f"`{field}` under `names` in dataset.yaml."
    )
    return Finding(place, "unprinted-in-free-text", message, (hint,))
