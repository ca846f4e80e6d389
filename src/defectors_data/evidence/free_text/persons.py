"""The persons whom the free texts of a corpus can mean, and what these texts state about them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from typing import NamedTuple

from defectors_data.corpus.findings import Path, Place
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.free_text.personal_details import (
    RELATIVE,
    PersonalDetail,
    Persons,
    details_in,
    nouns_in,
)
from defectors_data.evidence.free_text.shared_texts import shared_texts
from defectors_data.evidence.free_text.texts import FreeText, without_exceptions
from defectors_data.models.annotation import Figure, PseudonymousPerson, SharedPerson
from defectors_data.models.fields import TextKind
from defectors_data.models.project import Attribute

_JOINT = re.compile("[_-]")
_WORD = re.compile(r"\w+")

# ---- persons -------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _of_corpus(context: Context) -> Persons:
    vocabulary = context.vocabulary.content
    roles = (*vocabulary.roles, *vocabulary.rank_classes)
    terms = {role.term for role in roles if _is_person(role)}
    return Persons(
        nouns=nouns_in([role.definition for role in roles]) | terms,
        public=frozenset(context.dataset.content.coverage.places),
    )


def _is_person(role: Attribute) -> bool:
    """Return whether the term for a role is a word for a person.

    `opposition` is a body if the role is defined as one who speaks for "the opposition".
    """
    term = role.term
    is_body = re.search(rf"(?:\bthe|['’]s) {re.escape(term)}\b", role.definition)
    return "_" not in term and term != "other" and not is_body


_INTRODUCED = re.compile(r"(?:an?|the|one|another)\s+(.+)", re.IGNORECASE | re.DOTALL)


@per_document
def _of_document(document: Document) -> Persons:
    """Return the persons whom the texts of a document can mean."""
    pseudonyms = [
        speaker.name for _, speaker in document.speakers if isinstance(speaker, PseudonymousPerson)
    ]
    introductions = set[str]()
    for path, _ in document.mentions:
        if document.entry_of(path).id in document.protected:
            words = document.words((*path, "evidence")) or ""
            if found := _INTRODUCED.fullmatch(words):
                introductions.add(found[1])
    source = document.source
    outlets = [*source.cited_outlets]
    if source.outlet and isinstance(source.outlet.value, str):
        outlets.append(source.outlet.value)
    shared = _of_corpus(document.context)
    return shared._replace(
        pseudonyms=frozenset(pseudonyms),
        introductions=frozenset(introductions),
        public=shared.public | set(outlets),
        ids=frozenset(_ids_of_protected(document)),
    )


def _ids_of_protected(document: Document) -> Iterable[str]:
    """Yield the ids of protected persons and their records, also in their short form."""
    prefix = f"{document.source.id}-"
    for name in document.of_protected | document.protected:
        yield name
        yield name.removeprefix(prefix)


def _is_of_named_person(document: Document, path: Path) -> bool:
    """Return whether a record is about a publicly named person, whom `he` or `she` means there."""
    speaker: str | None = None
    if path[0] == "speakers":
        speaker = document.entry_of(path).id
    elif path[0] == "testimonies":
        speaker = document.content.testimonies[int(path[1])].speaker
    elif path[0] == "figures":
        speaker = document.content.figures[int(path[1])].attributed_to
    found = document.speakers_by_id.get(speaker or "")
    return found is not None and found.kind == "person" and found.id not in document.protected


# ---- what the texts state ------------------------------------------------------------------------


_NAMES_OF_SOURCE = (("source", "authors"), ("source", "outlet"))
_DESCRIBED = re.compile(r"(^|, )(?=[a-z])")
"""Where a description without an article begins: "Ada Quill, keeper"."""


def _details(free: FreeText, context: Context, persons: Persons) -> tuple[PersonalDetail, ...]:
    is_general = free.kind is TextKind.GENERAL
    text = without_exceptions(free, context)
    if " " not in text:  # an id, a term or an address
        text = _JOINT.sub(" ", text)
    if free.path[:2] in _NAMES_OF_SOURCE:
        text = _DESCRIBED.sub(r"\1the ", text)
    is_definition = is_general and free.path[-1] == "definition"
    of_text = persons._replace(is_general=is_general, is_definition=is_definition)
    return details_in(text, of_text)


@per_document
def described(document: Document) -> list[tuple[Path, PersonalDetail]]:
    """Return the details about one person in the texts of a document, with the paths of the texts,
    and those in the words of a request not to be named; relatives, for whom a person may fear, are none.

    Records of protected persons are left out: they may contain no text at all.
    """
    found = []
    persons = _of_document(document)
    figures = document.figures
    copied = {(*at, "counted") for at, each in figures if is_copied(document, at, each)}
    for free in document.open_texts:
        if free.path in copied:
            continue
        is_named = _is_of_named_person(document, free.path)
        details = _details(free, document.context, persons._replace(is_named=is_named))
        found += [(free.path, detail) for detail in details]
    for path, _ in document.mentions:
        at = (*path, "attested_by", "request")
        details = details_in(f"the speaker {document.words(at) or ''}", persons)
        found += [(at, detail) for detail in details if detail.kind != RELATIVE]
    return found


_SAYS_NOTHING = frozenset(
    "a amount an by distance for from in level number of people percentage share that the time times to "
    "which who with".split()
)
"""Words that `counted` may have besides those of the evidence: `share of voters who fear him`."""


def is_copied(document: Document, path: Path, figure: Figure) -> bool:
    """Return whether the words of a figure, or of its testimony, print all of its `counted`."""
    printed = document.words((*path, "evidence"))
    if printed is None:
        return True
    if named := document.testimony_of(figure):
        printed = f"{printed} {document.words((*named[0], 'evidence')) or ''}"
    words = set(_WORD.findall(figure.counted.casefold()))
    return words - _SAYS_NOTHING <= set(_WORD.findall(printed.casefold()))


class SharedText(NamedTuple):
    """A free text of a file that belongs to no single source, and the details that it states."""

    place: Callable[[], Place]
    free: FreeText
    details: tuple[PersonalDetail, ...]


@lru_cache(maxsize=2)
def described_in_shared(
    context: Context, pseudonyms: frozenset[str] = frozenset()
) -> tuple[SharedText, ...]:
    """Return the free texts of the files that belong to no single source.

    `pseudonyms` are names of protected persons, which only the documents know.
    """
    persons = _of_corpus(context)._replace(pseudonyms=pseudonyms)
    found = []
    for file, free in shared_texts(context):
        record = _record_at(file.content, free.path)
        own = persons._replace(is_named=isinstance(record, SharedPerson))
        details = _details(free, context, own)
        found.append(SharedText(partial(file.place, *free.path), free, details))
    return tuple(found)


def _record_at(content: object, path: Path) -> object:
    """Return the record that contains a text, given by its path in the content of a file."""
    for step in path[:-1]:
        content = content[step] if isinstance(content, tuple) else getattr(content, str(step))  # type: ignore[index]
    return content
