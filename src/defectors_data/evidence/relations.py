"""What a relation between figures comes to, with the computation written out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from defectors_data.text.intervals import Interval, interval, quotient, scaled, total

if TYPE_CHECKING:
    from defectors_data.corpus.context import Context
    from defectors_data.models.annotation import Figure, Relation
    from defectors_data.models.vocabularies import Outcome


class ComparedFigure(NamedTuple):
    """What is compared of a figure."""

    id: str
    source_id: str
    measure: str
    population: str | None
    unit: str
    hedge: str
    value: float | None
    low: float | None
    high: float | None
    as_of: str | None


class Evaluated(NamedTuple):
    """What a relation comes to, with the computation written out."""

    outcome: Outcome
    computation: str


def tolerances(context: Context) -> dict[str, float]:
    """Return how far hedges reach, in percent of the number."""
    return {entry.hedge: entry.percent for entry in context.vocabulary.content.tolerances}


def allowed(figure: Figure | ComparedFigure, tolerances: Mapping[str, float]) -> Interval:
    """Return the numbers that a figure allows; `tolerances` are those of the vocabulary, in percent by hedge."""
    return interval(
        figure.hedge, figure.unit, value=figure.value, low=figure.low, high=figure.high, tolerances=tolerances
    )


def worked_out(relation: Relation, figures: Mapping[str, Figure], tolerances: Mapping[str, float]) -> Evaluated | None:
    """Return what a relation comes to, by figures that are given; None where one of them is missing."""
    if not {relation.result, *relation.operands} <= figures.keys() or len(relation.operands) != arity(relation):
        return None
    result = allowed(figures[relation.result], tolerances)
    of = [allowed(figures[name], tolerances) for name in relation.operands]
    if relation.kind == "part_of":
        return _part(result, of[0])
    if relation.kind == "sum":
        computed, sign = total(of), " + "
    elif relation.kind == "share_of":
        computed, sign = scaled(quotient(*of), 100), " / "
    else:
        computed, sign = quotient(*of), " / "
    percent = " × 100" if relation.kind == "share_of" else ""
    return _outcome(computed, result, f"{sign.join(map(str, of))}{percent} = {computed}")


def arity(relation: Relation) -> int:
    """Return how many figures a relation takes: one whole, or two, or as many parts as it names."""
    return {"part_of": 1, "sum": max(2, len(relation.operands))}.get(relation.kind, 2)


def _part(part: Interval, whole: Interval) -> Evaluated:
    if part.high <= whole.low:
        return Evaluated("holds", f"{part} is not above {whole}")
    if part.low > whole.high:
        return Evaluated("fails", f"{part} is above {whole}")
    return Evaluated("cannot_tell", f"{part} may be above {whole} or not")


def _outcome(computed: Interval, result: Interval, computation: str) -> Evaluated:
    if computed.within(result):
        return Evaluated("holds", f"{computation}, which lies in {result}")
    if not computed.meets(result):
        return Evaluated("fails", f"{computation}, which has nothing in common with {result}")
    return Evaluated("cannot_tell", f"{computation}, of which a part lies in {result}")
