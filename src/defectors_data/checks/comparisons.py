"""Rules on figures beside each other, and on the arithmetic between them."""

from __future__ import annotations

from collections.abc import Iterator

from defectors_data import comparing
from defectors_data.checks.references import doubtful
from defectors_data.findings import Finding, Place
from defectors_data.proving import Proof


def conflict_without_note(proof: Proof) -> Iterator[Finding]:
    """Two figures of one measure that rule each other out have a note that says so, in annotations/comparisons.yaml."""
    places = _places(proof)
    for pair in comparing.pairs(proof.corpus):
        if pair.compared.verdict == "conflicts" and not pair.note:
            one, other = pair.figures
            message = f"This figure and {other} are of one measure and rule each other out."
            ways = "Tell populations or dates apart, or say in annotations/comparisons.yaml why both may be printed."
            hints = (pair.compared.because, ways, f"To paste: - {{figures: [{one}, {other}], note: ...}}")
            yield Finding(places[one], "conflict-without-note", message, hints)


def note_of_no_conflict(proof: Proof) -> Iterator[Finding]:
    """A note on two figures names two that conflict, and each pair once."""
    conflicts = {frozenset(p.figures) for p in comparing.pairs(proof.corpus) if p.compared.verdict == "conflicts"}
    document, seen = proof.corpus.comparisons, set()
    for i, entry in enumerate(document.content.comparisons):
        pair = frozenset(entry.figures)
        if pair not in conflicts or pair in seen:
            message = "These are no two figures that conflict, or they have a note already."
            yield Finding(document.place("comparisons", i), "note-of-no-conflict", message, ("Leave the entry out.",))
        seen.add(pair)


def relation_of_nothing(proof: Proof) -> Iterator[Finding]:
    """A relation names figures that there are, as many as its kind takes, and none of them twice."""
    figures = {figure.id for shard in proof.corpus.shards for _, figure in shard.figures()}
    for shard in proof.corpus.shards:
        for path, relation in () if shard.file in doubtful(proof) else shard.relations():
            named = (relation.result, *relation.of)
            if not set(named) <= figures or len(set(named)) < len(named):
                message = "A figure that this relation names is not there, or is named twice."
                yield Finding(shard.place(*path), "relation-of-nothing", message)
            elif len(relation.of) != comparing.arity(relation):
                number = comparing.arity(relation)
                message = f"`{relation.kind}` takes {number} figure{'' if number == 1 else 's'} in `of`."
                yield Finding(shard.place(*path, "of"), "relation-of-nothing", message)


def relation_fails(proof: Proof) -> Iterator[Finding]:
    """An arithmetic between figures holds or is left open; one that fails has a note."""
    for shard in proof.corpus.shards:
        for path, relation in shard.relations():
            result = comparing.evaluated(proof.corpus, relation)
            if result and result.outcome == "fails" and not relation.note:
                message = f"This does not work out: {result.computation}."
                hint = "Mend the figures or the relation, or give it a `note` that says why it may fail."
                yield Finding(shard.place(*path), "relation-fails", message, (hint,))


def _places(proof: Proof) -> dict[str, Place]:
    """Return where figures stand by id; of an id that is given twice, the first place."""
    found: dict[str, Place] = {}
    for shard in proof.corpus.shards:
        for path, figure in shard.figures():
            found.setdefault(figure.id, shard.place(*path))
    return found
