"""Rules on figures of one measure."""

from __future__ import annotations

from collections.abc import Iterator

from defectors_data import comparing
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


def _places(proof: Proof) -> dict[str, Place]:
    """Return where figures stand by id; of an id that is given twice, the first place."""
    found: dict[str, Place] = {}
    for shard in proof.corpus.shards:
        for path, figure in shard.figures():
            found.setdefault(figure.id, shard.place(*path))
    return found
