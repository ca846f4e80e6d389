"""Rules on ids and on what refers to them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from defectors_data.corpus import Document, Path, Shard
from defectors_data.findings import Finding, Place
from defectors_data.models import SharedReference
from defectors_data.naming import did_you_mean
from defectors_data.proving import Proof, protected_paths


def ids(proof: Proof) -> Iterator[tuple[str, Place]]:
    """Return every id that the corpus gives, with its place."""
    for i, speaker in enumerate(proof.corpus.shared.content.speakers):
        yield speaker.id, proof.corpus.shared.place("speakers", i, "id")
    for shard in proof.corpus.shards:
        yield shard.content.source.id, shard.place("source", "id")
        uses = [(path, entry.id) for path, entry in shard.entries() if isinstance(entry, SharedReference)]
        yield from ((f"{shard.file} {name}", shard.place(*path, "use")) for path, name in uses)
        for records in (shard.speakers(), shard.testimonies(), shard.figures(), shard.waivers()):
            for path, record in records:
                yield record.id, shard.place(*path, "id")
        for path, _, mention in shard.mentions():
            yield mention.id, shard.place(*path, "id")


def duplicate_id(proof: Proof) -> Iterator[Finding]:
    """An id is given once in the whole corpus."""
    first: dict[str, Place] = {}
    for name, place in ids(proof):
        if name in first:
            before = first[name]
            message = f"This id is given in {before.file}, line {before.line}, already."
            yield Finding(place, "duplicate-id", message, ("Ids are unique over all files, and never used again.",))
        first.setdefault(name, place)


def id_of_another_form(proof: Proof) -> Iterator[Finding]:
    """Ids of records, of groups and of whoever is not publicly named are made of the source's id and a number."""
    for shard in proof.corpus.shards:
        for path, record_id, form in _formed(shard):
            expected = f"{shard.content.source.id}-{form}"
            if not re.fullmatch(re.escape(expected) + "[1-9][0-9]*", record_id):
                message = f"This id must be {expected} and a number."
                yield Finding(shard.place(*path, "id"), "id-of-another-form", message)


def _formed(shard: Shard) -> Iterator[tuple[Path, str, str]]:
    """Return path and id of whatever is numbered in its source, and what stands before the number."""
    for path, speaker in shard.speakers():
        if speaker.protected or speaker.kind == "group":
            yield path, speaker.id, "speaker-"
    for path, _, mention in shard.mentions():
        yield path, mention.id, "m"
    for letter, records in (("t", shard.testimonies()), ("f", shard.figures()), ("w", shard.waivers())):
        for path, record in records:
            yield path, record.id, letter


class _Reference(NamedTuple):
    """A reference, what it may refer to, and what a finding calls that."""

    path: Path
    key: str
    name: str
    known: Collection[str]
    called: str


def dangling_reference(proof: Proof) -> Iterator[Finding]:
    """What a record refers to must exist and be of the right kind, in its own source or among the shared speakers."""
    for shard in proof.corpus.shards:
        if shard.file in doubtful(proof):
            continue
        unsayable = {speaker.id for _, speaker in shard.speakers() if speaker.protected}
        for reference in _references(proof, shard):
            if reference.name not in reference.known:
                public = set(reference.known) - unsayable
                hint = did_you_mean(reference.name, public, unsayable=unsayable)
                message = f"No {reference.called} has the id that `{reference.key}` gives."
                yield Finding(shard.place(*reference.path, reference.key), "dangling-reference", message, hint)


def _references(proof: Proof, shard: Shard) -> Iterator[_Reference]:
    heard = proof.corpus.heard(shard)
    uses = {entry.id for _, entry in shard.entries() if isinstance(entry, SharedReference)}
    shared = proof.corpus.shared_speakers
    for path, entry in shard.entries():
        if isinstance(entry, SharedReference):
            yield _Reference(path, "use", entry.use, shared, "speaker of annotations/speakers.yaml")
    speakers = heard.keys() | uses if uses <= shared.keys() else _Anything()
    for path, testimony in shard.testimonies():
        yield _Reference(path, "speaker", testimony.speaker, speakers, "speaker of this source")
        if testimony.about:
            yield _Reference(path, "about", testimony.about, speakers, "speaker of this source")
    testimonies = {testimony.id for _, testimony in shard.testimonies()}
    for path, figure in shard.figures():
        if figure.attributed_to:
            yield _Reference(path, "attributed_to", figure.attributed_to, speakers, "speaker of this source")
        if figure.testimony:
            yield _Reference(path, "testimony", figure.testimony, testimonies, "testimony of this source")
    repeatable = testimonies | {figure.id for _, figure in shard.figures()} | {shard.content.source.id}
    for path, waiver in shard.waivers():
        if waiver.of:
            yield _Reference(path, "of", waiver.of, repeatable, "source, testimony or figure here")


class _Anything(frozenset[str]):
    """What speakers may be called while a `use` of the file leads nowhere: that fault is told where it is."""

    def __contains__(self, _: object) -> bool:
        return True


def doubtful(proof: Proof) -> set[str]:
    """Return the files in which an id stands twice: what refers to ids there cannot be judged yet."""
    seen, twice = set(), set()
    for name, place in ids(proof):
        twice |= {place.file} if name in seen else set()
        seen.add(name)
    return twice


def unknown_term(proof: Proof) -> Iterator[Finding]:
    """A theme, a measure or a population must stand in `annotations/vocabulary.yaml`, with its definition."""
    vocabulary = proof.corpus.vocabulary.content
    terms = {"themes": vocabulary.themes, "measure": vocabulary.measures, "population": vocabulary.populations}
    known = {key: {term.term for term in listed} for key, listed in terms.items()}
    for shard in proof.corpus.shards:
        used = [
            *((path, "themes", i, term) for path, t in shard.testimonies() for i, term in enumerate(t.themes)),
            *((path, "measure", 0, figure.measure) for path, figure in shard.figures()),
            *((path, "population", 0, figure.population) for path, figure in shard.figures() if figure.population),
        ]
        for path, key, i, term in used:
            if term not in known[key]:
                hidden = path in protected_paths(proof.corpus, shard)
                message = f"{'This' if hidden else f'`{term}`'} is no term of annotations/vocabulary.yaml."
                hint = () if hidden else did_you_mean(term, known[key])
                yield Finding(shard.place(*path, key, i), "unknown-term", message, hint)


def duplicate_term(proof: Proof) -> Iterator[Finding]:
    """A term is defined once in its vocabulary, and named once by a record."""
    vocabulary = proof.corpus.vocabulary.content
    for name in ("themes", "measures", "populations"):
        yield from _repeated(proof.corpus.vocabulary, (name,), [term.term for term in getattr(vocabulary, name)])
    for shard in proof.corpus.shards:
        for path, testimony in shard.testimonies():
            yield from _repeated(shard, (*path, "themes"), testimony.themes)


def _repeated(document: Document[Any], path: Path, terms: Sequence[str]) -> Iterator[Finding]:
    seen: set[str] = set()
    for i, term in enumerate(terms):
        if term in seen:
            yield Finding(document.place(*path, i), "duplicate-term", "This term stands here twice.")
        seen.add(term)


def protected_referred_to(proof: Proof) -> Iterator[Finding]:
    """Nothing outside their source names a speaker who is not publicly named, nor a group or a record of theirs."""
    for shard in proof.corpus.shards:
        inside = {record_id for _, record_id, _ in _formed(shard)}
        documents: list[Document[Any]] = [proof.corpus.vocabulary, proof.corpus.shared, *proof.corpus.shards]
        for document in documents:
            if document is not shard:
                for path, note in notes(document.content.model_dump()):
                    if inside & set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)+", note)):
                        message = "This names something that lives in another source's file alone."
                        yield Finding(document.place(*path), "protected-referred-to", message)


def notes(value: Any, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Return every text under a key that holds free text, with its path."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from notes(item, (*path, key))
    elif isinstance(value, list | tuple):
        for i, item in enumerate(value):
            yield from notes(item, (*path, i))
    elif isinstance(value, str) and path[-1] in {
        "note",
        "override",
        "definition",
        "counted",
        "name",
        "rights",
    }:
        yield path, value
