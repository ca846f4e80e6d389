"""Where the things stand that checks judge: each function takes what it picks and returns a way to list them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any, TypeAlias

from defectors_data import comparing
from defectors_data.checks import protection, references
from defectors_data.corpus import Path, Shard
from defectors_data.findings import Place
from defectors_data.models import Part
from defectors_data.proving import Proof
from defectors_data.spans import line_and_column

Places: TypeAlias = Callable[[Proof], Iterable[Place]]
Pick: TypeAlias = Callable[[Any], object]


def anything(_: object) -> bool:
    """Pick everything."""
    return True


class Together:
    """List what several ways list."""

    def __init__(self, several: tuple[Places, ...]) -> None:
        """Take the ways."""
        self.several = several

    def __call__(self, proof: Proof) -> Iterable[Place]:
        """List it all."""
        return chain.from_iterable(places(proof) for places in self.several)


def together(*several: Places) -> Places:
    """List what several ways list."""
    return Together(several)


def counted(places: Places, proof: Proof, known: dict[Places, int]) -> int:
    """Return how many things there are of what is listed; what was counted once is known from then on."""
    if places not in known:
        parts = places.several if isinstance(places, Together) else ()
        listed = () if parts else places(proof)
        known[places] = sum(counted(part, proof, known) for part in parts) + sum(1 for _ in listed)
    return known[places]


@cache
def records(field: str, pick: Pick = anything) -> Places:
    """List the records of one kind that are picked."""
    return lambda proof: (s.place(*path) for s in proof.corpus.shards for path, r in _listed(s, field) if pick(r))


@cache
def keys(field: str, *names: str) -> Places:
    """List these keys of the records of one kind, where they have a value; the items of a list one by one."""

    def places(proof: Proof) -> Iterator[Place]:
        for shard in proof.corpus.shards:
            for path, record in _listed(shard, field):
                for name in names:
                    value = vars(record).get(name)
                    if isinstance(value, tuple):
                        yield from (shard.place(*path, name, i) for i in range(len(value)))
                    elif value is not None:
                        yield shard.place(*path, name)

    return places


def heard(pick: Pick) -> Places:
    """List the speakers that are picked in each source that hears them, shared ones too."""

    def places(proof: Proof) -> Iterator[Place]:
        for shard in proof.corpus.shards:
            speakers = proof.corpus.heard(shard)
            yield from (shard.place(*path) for path, e in shard.entries() if e.id in speakers and pick(speakers[e.id]))

    return places


def facts(*, inferred: bool) -> Places:
    """List the values of authors, outlet and date of publication that are inferred, or those that are stated."""

    def places(proof: Proof) -> Iterator[Place]:
        for shard in proof.corpus.shards:
            basis = {name: fact.basis for name, fact in shard.content.source.facts().items()}
            yield from (shard.place("source", name) for name in basis if (basis[name] == "inferred") == inferred)

    return places


def direct(proof: Proof) -> Iterator[Place]:
    """List the parts of direct testimonies."""
    for shard in proof.corpus.shards:
        for path, testimony in shard.testimonies():
            if testimony.mode == "direct":
                yield from (shard.place(*path, "evidence", i) for i in range(len(testimony.evidence)))


def parts(pick: Callable[[Shard, Part], object]) -> Places:
    """List the parts of evidence that are picked."""

    def places(proof: Proof) -> Iterator[Place]:
        for shard in proof.corpus.shards:
            for cited in shard.cited():
                yield from (shard.place(*cited.path, i) for i, p in enumerate(cited.parts) if pick(shard, p))

    return places


def detections(*, quotations: bool) -> Places:
    """List the quotations in the seeds, or the numbers."""

    def places(proof: Proof) -> Iterator[Place]:
        for shard in proof.corpus.shards:
            for found in (entry.detection for entry in proof.ledgers[shard.file].entries):
                if (found.kind == "quotation") == quotations:
                    yield Place(shard.seed, *line_and_column(shard.text, found.start))

    return places


def themes(proof: Proof) -> Iterator[Place]:
    """List the themes of testimonies that have triggers."""
    triggered = {theme.term for theme in proof.corpus.vocabulary.content.themes if theme.triggers}
    for shard in proof.corpus.shards:
        for path, testimony in shard.testimonies():
            yield from (shard.place(*path, "themes", i) for i, term in enumerate(testimony.themes) if term in triggered)


def terms(proof: Proof) -> Iterator[Place]:
    """List the terms that are defined, the keywords, and the outlets that sources cite."""
    vocabulary = proof.corpus.vocabulary
    for name in ("themes", "measures", "populations", "tolerances"):
        yield from (vocabulary.place(name, i) for i in range(len(getattr(vocabulary.content, name))))
    dataset = proof.corpus.dataset
    yield from (dataset.place("keywords", i) for i in range(len(dataset.content.keywords)))
    for shard in proof.corpus.shards:
        outlets = shard.content.source.cited_outlets
        yield from (shard.place("source", "cited_outlets", i) for i in range(len(outlets)))


def texts(proof: Proof) -> Iterator[Place]:
    """List the notes and whatever else is free text."""
    found = references.free_texts(proof)
    for document in proof.corpus.documents():
        yield from (document.place(*path) for path, _ in found[document.file])


def licences(proof: Proof) -> Iterator[Place]:
    """List the words that license an attribute of a speaker."""
    for shard in proof.corpus.shards:
        for path, _, mention in shard.mentions():
            yield from (shard.place(*path, "licensed_by", key) for key, words in mention.licensed_by or () if words)


def genders(proof: Proof) -> Iterator[Place]:
    """List the words that license a gender."""
    for shard in proof.corpus.shards:
        for path, _, mention in shard.mentions():
            if getattr(mention.licensed_by, "gender", None):
                yield shard.place(*path, "licensed_by", "gender")


def protected_attributes(proof: Proof) -> Iterator[Place]:
    """List the evidence that introduces speakers or tells of a source, where protected attributes are waived."""
    for shard in proof.corpus.shards:
        if any(waiver.reason == "protected_attribute" for _, waiver in shard.waivers()):
            yield from (shard.place(*cited.path) for cited in shard.cited() if cited.table in ("mentions", "sources"))


def titles(proof: Proof) -> Iterator[Place]:
    """List the titles and subtitles."""
    for shard in proof.corpus.shards:
        source = shard.content.source
        yield from (shard.place("source", name) for name in ("title", "subtitle") if getattr(source, name))


def measured(proof: Proof) -> Iterator[Place]:
    """List the figures whose measures have units."""
    measures = {measure.term for measure in proof.corpus.vocabulary.content.measures if measure.units}
    for shard in proof.corpus.shards:
        yield from (shard.place(*path) for path, figure in shard.figures() if figure.measure in measures)


def printable(proof: Proof) -> Iterator[Place]:
    """List titles, testimonies and figures."""
    for shard in proof.corpus.shards:
        yield shard.place("source", "title")
        yield from (shard.place(*path) for field in (shard.testimonies, shard.figures) for path, _ in field())


def ids(proof: Proof) -> Iterator[Place]:
    """List every id that is given."""
    return (place for _, place in references.ids(proof))


def tombstones(proof: Proof) -> Iterator[Place]:
    """List the tombstones."""
    document = proof.corpus.tombstones
    return (document.place("tombstones", i, "id") for i in range(len(document.content.tombstones)))


def sources(proof: Proof) -> Iterator[Place]:
    """List the sources."""
    return (shard.place("source") for shard in proof.corpus.shards)


def shared(proof: Proof) -> Iterator[Place]:
    """List the speakers of annotations/speakers.yaml."""
    return (proof.corpus.shared.place("speakers", i) for i in range(len(proof.corpus.shared.content.speakers)))


def secret(proof: Proof) -> Iterator[Place]:
    """List the records of protected persons, and what repeats them."""
    for shard in proof.corpus.shards:
        theirs = protection.of_protected(proof, shard)
        for field in ("testimonies", "figures", "waivers"):
            yield from (shard.place(*path) for path, record in _listed(shard, field) if record.id in theirs)


def pairs(proof: Proof) -> Iterator[Place]:
    """List the pairs of figures that are put beside each other, each where its first figure stands."""
    figures = {figure.id: shard.place(*path) for shard in proof.corpus.shards for path, figure in shard.figures()}
    return (figures[pair.figures[0]] for pair in comparing.pairs(proof.corpus))


def notes_on_pairs(proof: Proof) -> Iterator[Place]:
    """List the notes on pairs of figures."""
    document = proof.corpus.comparisons
    return (document.place("comparisons", i) for i in range(len(document.content.comparisons)))


def withdrawn(proof: Proof) -> Iterator[Place]:
    """List the runs that were taken out."""
    for shard in proof.corpus.shards:
        yield from (shard.place("withdrawn", i) for i in range(len(shard.content.withdrawn)))


def since_takedown(places: Places) -> Places:
    """List the same, where any record was taken out, and nothing else."""
    return lambda proof: places(proof) if proof.corpus.tombstones.content.tombstones else ()


def _listed(shard: Shard, field: str) -> Iterator[tuple[Path, Any]]:
    """Return the records of one kind; a mention is given with its speaker, whom nobody asked for."""
    return ((path, record) for path, *_, record in getattr(shard, field)())
