"""Rules on what numbers count: the units of measures, and of figures that are reckoned with."""

from __future__ import annotations

from collections.abc import Iterator

from defectors_data import comparing
from defectors_data.checks.references import doubtful
from defectors_data.findings import Finding
from defectors_data.proving import Proof


def unit_of_another_measure(proof: Proof) -> Iterator[Finding]:
    """A figure has a unit that its measure can be counted in, as annotations/vocabulary.yaml lists them."""
    units = {measure.term: measure.units for measure in proof.corpus.vocabulary.content.measures}
    for shard in proof.corpus.shards:
        for path, figure in shard.figures():
            allowed = units.get(figure.measure, ())
            if allowed and figure.unit not in allowed:
                message = f"This measure is counted in {' or '.join(f'`{unit}`' for unit in allowed)}."
                hint = "Mend the unit or the measure, or add the unit to the measure in annotations/vocabulary.yaml."
                yield Finding(shard.place(*path, "unit"), "unit-of-another-measure", message, (hint,))


def relation_of_other_units(proof: Proof) -> Iterator[Finding]:
    """A share is in percent, of two figures of one unit; part and whole, and a sum and its parts, have one unit."""
    units = {figure.id: figure.unit for shard in proof.corpus.shards for _, figure in shard.figures()}
    for shard in proof.corpus.shards:
        for path, relation in () if shard.file in doubtful(proof) else shard.relations():
            of = {units.get(name) for name in relation.of}
            result = units.get(relation.result)
            wanted = {"share_of": {"percent"}, "part_of": of, "sum": of}.get(relation.kind)
            if (
                wanted
                and result
                and None not in of
                and len(relation.of) == comparing.arity(relation)
                and (len(of) > 1 or wanted != {result})
            ):
                message = "The units of these figures do not go together."
                hint = "A share is in percent of two figures of one unit; part and whole, sum and parts, have one unit."
                yield Finding(shard.place(*path), "relation-of-other-units", message, (hint,))
