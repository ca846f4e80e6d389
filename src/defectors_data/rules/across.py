"""Rules across documents: ids, names and texts that are given once in the whole corpus."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from defectors_data.corpus import Path, Shard
from defectors_data.findings import Finding, Place
from defectors_data.models import Institution, NamedPerson, SharedReference
from defectors_data.proving import Proof
from defectors_data.rules.references import FREE_TEXT, LIKE_IDS, all_misnamed, is_numbered, repeated
from defectors_data.rules.things import BEFORE_NUMBERS, numbered_ids

# ---- ids ---------------------------------------------------------------------------------------------------


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
    wrong = {shard.place("source", "id") for shard in proof.corpus.shards if twice and all_misnamed(shard)}
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


def tombstone_of_another_form(proof: Proof) -> Iterator[Finding]:
    """Find the tombstones whose ids have another form: part of `id-of-another-form`."""
    named = Counter(shard.content.source.id for shard in proof.corpus.shards)
    stones = proof.corpus.tombstones.content.tombstones
    sources = {*named, *(stone.id for stone in stones if stone.table == "sources")}
    known = {table: _forms(table, sources) for table in {stone.table for stone in stones}}
    for stone, (_, place) in zip(stones, _tombstones(proof), strict=True):
        forms = known[stone.table]
        if forms and not is_numbered(stone.id, forms):
            nameless = ", or withdrawn-speaker- and a number" if stone.table == "speakers" else ""
            message = f"This id must be a source's id, -{BEFORE_NUMBERS[stone.table]} and a number{nameless}."
            hint = "A tombstone tells no name; that of a source has to stand here, too, if all of it was taken out."
            yield Finding(place, "id-of-another-form", message, (hint,))


def _forms(table: str, sources: Collection[str]) -> set[str]:
    """Return what ids of tombstones of a table can begin with; nothing for sources, whose ids have any form."""
    before = BEFORE_NUMBERS.get(table)
    return {f"{source}-{before}" for source in (*sources, *["withdrawn"] * (table == "speakers"))} if before else set()


def duplicate_term_of_context(proof: Proof) -> Iterator[Finding]:
    """Find the terms that the vocabulary or the dataset's facts give twice: part of `duplicate-term`."""
    vocabulary, dataset = proof.corpus.vocabulary, proof.corpus.dataset
    for name in ("themes", "measures", "populations"):
        yield from repeated(vocabulary.place, (name,), [term.term for term in getattr(vocabulary.content, name)])
    for i, measure in enumerate(vocabulary.content.measures):
        yield from repeated(vocabulary.place, ("measures", i, "units"), measure.units)
    yield from repeated(vocabulary.place, ("tolerances",), [each.hedge for each in vocabulary.content.tolerances])
    yield from repeated(dataset.place, ("keywords",), dataset.content.keywords)


# ---- speakers and articles ---------------------------------------------------------------------------------


def name_in_two_sources(proof: Proof) -> Iterator[Finding]:
    """A named person or an institution heard in several sources is one speaker of `annotations/speakers.yaml`."""
    first: dict[tuple[str, str], Place] = {}
    for i, shared in enumerate(proof.corpus.shared.content.speakers):
        first[shared.kind, shared.name] = proof.corpus.shared.place("speakers", i, "name")
    for shard in proof.corpus.shards:
        for path, speaker in shard.speakers():
            if isinstance(speaker, NamedPerson | Institution):
                before = first.setdefault((speaker.kind, speaker.name), shard.place(*path, "name"))
                if before.file != shard.file:
                    message = f"A speaker of this name stands in {before.file}, line {before.line}, too."
                    hint = "Put the speaker into annotations/speakers.yaml once, and refer to it with `use`."
                    yield Finding(shard.place(*path, "name"), "name-in-two-sources", message, (hint,))


def shared_speaker_without_mention(proof: Proof) -> Iterator[Finding]:
    """Find the shared speakers to whom no source refers: part of `speaker-without-mention`."""
    entries = [entry for shard in proof.corpus.shards for _, entry in shard.entries()]
    used = {entry.id for entry in entries}
    uses = {entry.id for entry in entries if isinstance(entry, SharedReference)}
    dangling = uses - proof.corpus.shared_speakers.keys()  # one may be meant for a speaker whom nobody uses
    for i, speaker in enumerate(proof.corpus.shared.content.speakers):
        if speaker.id not in used and not dangling:
            message = "No source refers to this shared speaker, so no mention shows them."
            place = proof.corpus.shared.place("speakers", i)
            yield Finding(place, "speaker-without-mention", message, ("Leave the speaker out.",))


def same_article_twice(proof: Proof) -> Iterator[Finding]:
    """An article is annotated once: no two seeds are the same text, and none has the name of another."""
    texts: dict[str, Shard] = {}
    names: dict[str, Shard] = {}
    for shard in proof.corpus.shards:
        same = texts.setdefault(shard.text, shard)
        called = names.setdefault(shard.content.source.seed, shard)
        at = shard.place("source", "seed")
        if same is not shard:
            message = f"{shard.seed} holds the same text as {same.seed}."
            hint = "Annotate it in one file, and take the other away with its seed."
            yield Finding(at, "same-article-twice", message, (hint,))
        elif called is not shard:
            before = called.place("source", "seed")
            message = f"A seed has this name in {before.file}, line {before.line}, already."
            hint = "Name each seed as no other is: after the id of its source, by custom."
            yield Finding(at, "same-article-twice", message, (hint,))


# ---- ids in free texts -------------------------------------------------------------------------------------


def protected_referred_to(proof: Proof) -> Iterator[Finding]:
    """Nothing outside their source names a speaker who is not publicly named, nor a group or a record of theirs."""
    named = {
        file: [(path, ids) for path, text in texts if "-" in text and (ids := set(LIKE_IDS.findall(text)))]
        for file, texts in free_texts_by_file(proof).items()
    }
    where: dict[str, set[str]] = defaultdict(set)
    for shard in proof.corpus.shards:
        for _, numbered in numbered_ids(shard):
            where[numbered.id].add(shard.file)
    for document in proof.corpus.documents():
        for path, ids in named[document.file]:
            for _ in sorted(set[str]().union(*(where[name] for name in ids & where.keys())) - {document.file}):
                message = "This names something that lives in another source's file alone."
                yield Finding(document.place(*path), "protected-referred-to", message, ("Take it out.",))


@lru_cache(maxsize=1)
def free_texts_by_file(proof: Proof) -> dict[str, tuple[tuple[Path, str], ...]]:
    """Return the free text of every file that people wrote, by file; of the dataset's own facts every text."""
    corpus = proof.corpus
    return {
        document.file: tuple(document.texts(None if document is corpus.dataset else FREE_TEXT))
        for document in corpus.documents()
    }


def withdrawn_id(proof: Proof) -> Iterator[Finding]:
    """The id of a record that was taken out is not given again, and nothing that people wrote names it."""
    gone = {stone.id for stone in proof.corpus.tombstones.content.tombstones}
    for name, place in ids(proof):
        if name in gone:
            message = "A record of this id was taken out."
            yield Finding(place, "withdrawn-id", message, ("Ids are never used again: take the next number.",))
    for document in proof.corpus.documents() if gone else ():
        for path, text in free_texts_by_file(proof)[document.file]:
            if gone & set(re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", text)):
                message = "This names a record that was taken out."
                yield Finding(document.place(*path), "withdrawn-id", message, ("Leave it out.",))
