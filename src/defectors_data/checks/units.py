"""Rules on what numbers count: units, ages, and the years that they hold for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from defectors_data import comparing
from defectors_data.checks.attributes import states_age
from defectors_data.checks.figures import disagreeing
from defectors_data.checks.references import doubtful, lists_of
from defectors_data.findings import Finding
from defectors_data.proving import Proof


def unit_of_another_measure(proof: Proof) -> Iterator[Finding]:
    """A figure has a unit that its measure can be counted in, as annotations/vocabulary.yaml lists them."""
    units = lists_of(proof.corpus.vocabulary.content.measures, "units")
    for shard in proof.corpus.shards:
        misread = {path for path, _, _ in disagreeing(proof, shard)}  # then the unit may be what the words correct
        for path, figure in shard.figures():
            allowed = units.get(figure.measure, ())
            if allowed and figure.unit not in allowed and path not in misread:
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


def age_as_figure(proof: Proof) -> Iterator[Finding]:
    """Words that state an age are a figure of a measure of ages alone; the age of a speaker is never a figure."""
    ages = {measure.term for measure in proof.corpus.vocabulary.content.measures if measure.ages}
    for shard in proof.corpus.shards:
        stated = {
            entry.record_id
            for entry in proof.ledgers[shard.file].entries
            if entry.record_table == "figures" and states_age(shard.text, entry.detection)
        }
        for path, figure in shard.figures():
            if figure.id in stated and figure.measure not in ages:
                message = "These words state an age, and the measure is none of ages."
                hint = "A speaker's age stands on a mention; a protected person's is waived as `protected_attribute`."
                yield Finding(shard.place(*path, "measure"), "age-as-figure", message, (hint,))


def date_not_printed(proof: Proof) -> Iterator[Finding]:
    """The year that a figure holds for is printed in its source; where it is not, XXXX stands in its place."""
    for shard in proof.corpus.shards:
        for path, figure in shard.figures():
            years = re.findall(r"(?<![\d-])[0-9]{4}(?![0-9])", figure.as_of or "")
            if any(not re.search(rf"(?<!\d){year}(?!\d)", shard.text) for year in years):
                message = "The source does not print this year."
                hint = "`as_of` is only what is printed; a day without a year is XXXX-02-27."
                yield Finding(shard.place(*path, "as_of"), "date-not-printed", message, (hint,))
