"""How often annotators gave a reason where a rule would find a fault, so that no exception is hidden.

Only rules that take a reason are counted, each with what it judges, source by source, zeros too. A reason that is not
needed is a fault of its own, so what is counted here is what the rules would find.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from defectors_data import comparing
from defectors_data.checks import doubles
from defectors_data.corpus import Shard
from defectors_data.proving import Proof


class Counted(NamedTuple):
    """How often a rule is held by a reason in a source, and how many things of it the rule judges."""

    rule: str
    source_id: str
    reason: str
    exceptions: int
    of: int
    judged: str


def exceptions(proof: Proof, *, beside: bool = True) -> Iterator[Counted]:
    """Return the exceptions of every source, by rule; `beside` says whether figures are put beside each other."""
    triggered = {theme.term for theme in proof.corpus.vocabulary.content.themes if theme.triggers}
    first: dict[str, list[comparing.Pair]] = defaultdict(list)
    for pair in comparing.pairs(proof.corpus) if beside else ():
        first[pair.figures[0]].append(pair)
    for shard in proof.corpus.shards:
        for rule, reason, found, of, judged in (
            *_claimed(shard, triggered),
            *_stated(shard),
            *_accounted(proof, shard),
            _told(proof, shard),
            *([_beside(first, shard)] if beside else []),
        ):
            yield Counted(rule, shard.content.source.id, reason, found, of, judged)


_Line = tuple[str, str, int, int, str]


def _claimed(shard: Shard, triggered: set[str]) -> Iterator[_Line]:
    """Count what is claimed of testimonies, and what of it rests on other words than a rule asks for."""
    testimonies = [testimony for _, testimony in shard.testimonies()]
    direct = [part for t in testimonies if t.mode == "direct" for part in t.evidence]
    unbalanced = sum(part.unbalanced is not None for part in direct)
    yield "direct-without-marks", "unbalanced", unbalanced, len(direct), "parts of direct testimonies"
    for mode, rule in (("indirect", "indirect-without-verb"), ("narrated", "narrated-with-verb")):
        said = [t for t in testimonies if t.mode == mode]
        held = sum(because.claim == "mode" for t in said for because in t.because)
        yield rule, "because", held, len(said), f"{mode} testimonies"
    themes = sum(theme in triggered for t in testimonies for theme in t.themes)
    held = sum(because.claim != "mode" for t in testimonies for because in t.because)
    yield "theme-without-words", "because", held, themes, "themes of testimonies"


def _stated(shard: Shard) -> Iterator[_Line]:
    """Count figures, relations and facts of the source, and what of them is not simply what the words say."""
    figures = [figure for _, figure in shard.figures()]
    yield "figure-not-its-words", "override", sum(bool(f.override) for f in figures), len(figures), "figures"
    relations = [relation for _, relation in shard.relations()]
    yield "relation-fails", "note", sum(bool(r.note) for r in relations), len(relations), "relations"
    facts = list(shard.content.source.facts().values())
    inferred = sum(fact.basis == "inferred" for fact in facts)
    yield "inferred-without-note", "note", inferred, len(facts), "values of authors, outlet and published"


def _accounted(proof: Proof, shard: Shard) -> Iterator[_Line]:
    """Count quotations and numbers, and what of them is waived."""
    entries = proof.ledgers[shard.file].entries
    quotations = [entry.status for entry in entries if entry.detection.kind == "quotation"]
    numbers = [entry.status for entry in entries if entry.detection.kind != "quotation"]
    yield "quotation-unaccounted", "waiver", quotations.count("waived"), len(quotations), "quotations"
    yield "quantity-unaccounted", "waiver", numbers.count("waived"), len(numbers), "numbers"


def _told(proof: Proof, shard: Shard) -> _Line:
    """Count testimonies, and what of them shares words with another, which a note has to say."""
    shared = len(doubles.shared_words(proof, shard))
    return "words-told-twice", "note", shared, len(shard.content.testimonies), "testimonies"


def _beside(pairs: Mapping[str, Sequence[comparing.Pair]], shard: Shard) -> _Line:
    """Count the pairs of figures of one measure, the first of them in this source, and what of them has a note."""
    own = [pair for _, figure in shard.figures() for pair in pairs.get(figure.id, ())]
    return "conflict-without-note", "note", sum(bool(pair.note) for pair in own), len(own), "pairs of figures"
