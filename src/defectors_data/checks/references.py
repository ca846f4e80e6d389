"""Rules on ids and on what refers to them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from defectors_data.corpus import Document, Path, Shard
from defectors_data.findings import Finding, Place
from defectors_data.models import SharedReference
from defectors_data.naming import did_you_mean
from defectors_data.proving import Proof, protected_paths


@lru_cache(maxsize=1)
def ids(proof: Proof) -> tuple[tuple[str, Place], ...]:
    """Return every id that the corpus gives, with its place."""
    return tuple(_ids(proof))


def _ids(proof: Proof) -> Iterator[tuple[str, Place]]:
    for i, speaker in enumerate(proof.corpus.shared.content.speakers):
        yield speaker.id, proof.corpus.shared.place("speakers", i, "id")
    for shard in proof.corpus.shards:
        yield shard.content.source.id, shard.place("source", "id")
        uses = [(path, entry.id) for path, entry in shard.entries() if isinstance(entry, SharedReference)]
        yield from ((f"{shard.file} {name}", shard.place(*path, "use")) for path, name in uses)
        for records in (shard.speakers(), shard.testimonies(), shard.figures(), shard.waivers()):
            for path, record in records:
                yield record.id, shard.place(*path, "id")
        for path, relation in shard.relations():
            yield relation.id, shard.place(*path, "id")
        for path, _, mention in shard.mentions():
            yield mention.id, shard.place(*path, "id")


def duplicate_id(proof: Proof) -> Iterator[Finding]:
    """An id is given once in the whole corpus."""
    twice = list(_twice(ids(proof)))
    sources = {shard.place("source", "id") for shard in proof.corpus.shards}
    wrong = {shard.place("source", "id") for shard in proof.corpus.shards if twice and _all_misnamed(shard)}
    for place, before in twice:
        if not {place, before} & wrong or {place, before} <= sources:  # of a wrong id of a source that is told
            column = f", column {before.column}" if before[:2] == place[:2] else ""  # a part has a source in a line
            message = f"This id is given in {before.file}, line {before.line}{column}, already."
            yield Finding(place, "duplicate-id", message, ("Ids are unique over all files, and never used again.",))
    for place, before in _twice(_tombstones(proof)):
        message = f"A tombstone for this id stands in line {before.line} already."
        yield Finding(place, "duplicate-id", message, ("Keep the older one.",))


def _twice(named: Iterable[tuple[str, Place]]) -> Iterator[tuple[Place, Place]]:
    """Return the places of ids that stood before, each with the first place."""
    first: dict[str, Place] = {}
    for name, place in named:
        if name in first:
            yield place, first[name]
        first.setdefault(name, place)


def _tombstones(proof: Proof) -> Iterator[tuple[str, Place]]:
    document = proof.corpus.tombstones
    return ((stone.id, document.place("tombstones", i, "id")) for i, stone in enumerate(document.content.tombstones))


def id_of_another_form(proof: Proof) -> Iterator[Finding]:
    """Ids of records, of groups and of whoever is not publicly named are made of the source's id and a number.

    Ids of tombstones are too, so that none tells a name; that of a named speaker is `withdrawn-speaker-` and a number.
    """
    named = Counter(shard.content.source.id for shard in proof.corpus.shards)
    for shard in proof.corpus.shards:
        wrong = _misnamed(shard)
        if named[shard.content.source.id] > 1:
            continue
        if wrong and _all_misnamed(shard):
            message = "No id of this file begins with this id and a hyphen."
            hint = "Mend the id of the source, if it is that one; ids are never changed once they are published."
            yield Finding(shard.place("source", "id"), "id-of-another-form", message, (hint,))
            continue
        for path, _, expected in wrong:
            yield Finding(shard.place(*path, "id"), "id-of-another-form", f"This id must be {expected} and a number.")
    stones = proof.corpus.tombstones.content.tombstones
    sources = {*named, *(stone.id for stone in stones if stone.table == "sources")}
    known = {table: _forms(table, sources) for table in {stone.table for stone in stones}}
    for stone, (_, place) in zip(stones, _tombstones(proof), strict=True):
        forms = known[stone.table]
        if forms and not _numbered(stone.id, forms):
            nameless = ", or withdrawn-speaker- and a number" if stone.table == "speakers" else ""
            message = f"This id must be a source's id, -{_BEFORE_NUMBERS[stone.table]} and a number{nameless}."
            hint = "A tombstone tells no name; that of a source has to stand here, too, if all of it was taken out."
            yield Finding(place, "id-of-another-form", message, (hint,))


_BEFORE_NUMBERS = {
    "speakers": "speaker-",
    "mentions": "m",
    "testimonies": "t",
    "figures": "f",
    "waivers": "w",
    "relations": "r",
}
"""What stands before the number in the ids of each table, behind the id of the source and a hyphen."""


def _forms(table: str, sources: Collection[str]) -> set[str]:
    """Return what ids of tombstones of a table can begin with; nothing for sources, whose ids have any form."""
    before = _BEFORE_NUMBERS.get(table)
    return {f"{source}-{before}" for source in (*sources, *["withdrawn"] * (table == "speakers"))} if before else set()


def _all_misnamed(shard: Shard) -> bool:
    """Tell whether all ids of a source that begin with its own do not: that one may be wrong."""
    wrong = _misnamed(shard)
    return len(wrong) > 1 and len(wrong) == sum(1 for _ in _formed(shard))


def _misnamed(shard: Shard) -> list[tuple[Path, str, str]]:
    """Return path and id of whatever has an id of another form, and what its id must begin with."""
    formed = ((path, name, f"{shard.content.source.id}-{form}") for path, name, form in _formed(shard))
    return [entry for entry in formed if not _numbered(entry[1], (entry[2],))]


def _numbered(name: str, forms: Collection[str]) -> bool:
    """Tell whether an id is one of the forms, which end in no digit, and a number."""
    form = name.rstrip("0123456789")
    return form in forms and name[len(form) : len(form) + 1] not in ("", "0")


def _formed(shard: Shard) -> Iterator[tuple[Path, str, str]]:
    """Return path and id of whatever is numbered in its source, and what stands before the number."""
    for path, speaker in shard.speakers():
        if speaker.protected or speaker.kind == "group":
            yield path, speaker.id, "speaker-"
    for path, _, mention in shard.mentions():
        yield path, mention.id, "m"
    for letter, records in (("t", shard.testimonies()), ("f", shard.figures()), ("w", shard.waivers())):
        yield from ((path, record.id, letter) for path, record in records)
    yield from ((path, relation.id, "r") for path, relation in shard.relations())


class _Reference(NamedTuple):
    """A reference, what it may refer to, and what a finding calls that."""

    path: Path
    key: str
    name: str
    known: Collection[str]
    called: str


def dangling_reference(proof: Proof) -> Iterator[Finding]:
    """What a record refers to must exist and be of the right kind, in its own source or among the shared speakers."""
    found: dict[tuple[str, str], list[Finding]] = {}
    for shard in proof.corpus.shards:
        if shard.file in doubtful(proof):
            continue
        dangling = [reference for reference in _references(proof, shard) if reference.name not in reference.known]
        unsayable = {speaker.id for _, speaker in shard.speakers() if speaker.protected}
        numbered = [f"{shard.content.source.id}-{form}" for form in ("speaker-", "t", "f", "w")]
        misnamed = bool(dangling and _misnamed(shard))  # a reference to a numbered record may be meant for one of these
        for reference in dangling:
            if reference.key == "use" and proof.corpus.shared.file in doubtful(proof):
                continue
            if not (misnamed and _numbered(reference.name, numbered)):
                public = set(reference.known) - unsayable
                hint = did_you_mean(reference.name, public, unsayable=unsayable)
                message = f"No {reference.called} has the id that `{reference.key}` gives."
                finding = Finding(shard.place(*reference.path, reference.key), "dangling-reference", message, hint)
                where = "" if reference.key == "use" else shard.file
                found.setdefault((where, reference.name), []).append(finding)
    yield from map(told_once, found.values())


def told_once(found: Sequence[Finding]) -> Finding:
    """Return the first of findings that one mistake has caused, with the number of the others."""
    more = (
        f"{len(found) - 1} more like it, from line {found[1].place.line} of {found[1].place.file} on."
        if found[1:]
        else ""
    )
    return found[0]._replace(help=(*found[0].help, *([more] if more else [])))


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


@lru_cache(maxsize=1)
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
    found: dict[tuple[str, str], list[Finding]] = {}
    for shard in proof.corpus.shards:
        used = [
            *((path, "themes", i, term) for path, t in shard.testimonies() for i, term in enumerate(t.themes)),
            *((path, "measure", 0, figure.measure) for path, figure in shard.figures()),
            *((path, "population", 0, figure.population) for path, figure in shard.figures() if figure.population),
        ]
        unknown = [entry for entry in used if entry[3] not in known[entry[1]]]
        hidden = protected_paths(proof.corpus, shard) if unknown else set()
        for path, key, i, term in unknown:
            secret = path in hidden
            message = f"{'This' if secret else f'`{term}`'} is no term of annotations/vocabulary.yaml."
            hint = () if secret else did_you_mean(term, known[key])
            hint = hint or ("Take one of its terms, or define this one there.",)
            finding = Finding(shard.place(*path, key, i), "unknown-term", message, hint)
            found.setdefault((key, term if known[key] else ""), []).append(finding)
    yield from map(told_once, found.values())


def duplicate_term(proof: Proof) -> Iterator[Finding]:
    """A term is defined once and named once by a record; keywords, cited outlets and tolerances stand once, too."""
    vocabulary = proof.corpus.vocabulary.content
    for name in ("themes", "measures", "populations"):
        yield from _repeated(proof.corpus.vocabulary, (name,), [term.term for term in getattr(vocabulary, name)])
    for i, measure in enumerate(vocabulary.measures):
        yield from _repeated(proof.corpus.vocabulary, ("measures", i, "units"), measure.units)
    yield from _repeated(proof.corpus.vocabulary, ("tolerances",), [each.hedge for each in vocabulary.tolerances])
    yield from _repeated(proof.corpus.dataset, ("keywords",), proof.corpus.dataset.content.keywords)
    for shard in proof.corpus.shards:
        yield from _repeated(shard, ("source", "cited_outlets"), shard.content.source.cited_outlets)
        for path, testimony in shard.testimonies():
            yield from _repeated(shard, (*path, "themes"), testimony.themes)


def lists_of(terms: Iterable[Any], key: str) -> dict[str, tuple[Any, ...]]:
    """Return what terms list under a key, by term; of one that is defined twice, all of it."""
    found: dict[str, tuple[Any, ...]] = {}
    for term in terms:
        found[term.term] = (*found.get(term.term, ()), *getattr(term, key))
    return found


def _repeated(document: Document[Any], path: Path, terms: Sequence[str]) -> Iterator[Finding]:
    seen: set[str] = set()
    for i, term in enumerate(terms):
        if term in seen:
            place = document.place(*path, i)
            yield Finding(place, "duplicate-term", "This term stands here twice.", ("Leave one of them out.",))
        seen.add(term)


def protected_referred_to(proof: Proof) -> Iterator[Finding]:
    """Nothing outside their source names a speaker who is not publicly named, nor a group or a record of theirs."""
    named = {
        file: [(path, ids) for path, text in texts if "-" in text and (ids := set(_LIKE_IDS.findall(text)))]
        for file, texts in free_texts(proof).items()
    }
    where: dict[str, set[str]] = defaultdict(set)
    for shard in proof.corpus.shards:
        for _, record_id, _ in _formed(shard):
            where[record_id].add(shard.file)
    for document in proof.corpus.documents():
        for path, ids in named[document.file]:
            for _ in sorted(set[str]().union(*(where[name] for name in ids & where.keys())) - {document.file}):
                message = "This names something that lives in another source's file alone."
                yield Finding(document.place(*path), "protected-referred-to", message, ("Take it out.",))


_LIKE_IDS = re.compile(r"(?<![a-z0-9])[a-z0-9]+(?:-[a-z0-9]+)+")

_FREE = {"note", "override", "definition", "counted", "name", "rights"}
"""Keys that hold free text."""


@lru_cache(maxsize=1)
def free_texts(proof: Proof) -> dict[str, tuple[tuple[Path, str], ...]]:
    """Return the free text of every file that people wrote, by file; of the dataset's own facts every text."""
    corpus = proof.corpus
    return {
        document.file: tuple(document.texts(None if document is corpus.dataset else _FREE))
        for document in corpus.documents()
    }
