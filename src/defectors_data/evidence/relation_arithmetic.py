"""The outcome of a relation between figures, with the computation written out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from defectors_data.text.number_comparison import TOLERANCES, Interval, quotient, scaled, stated, total, whole

if TYPE_CHECKING:
    from defectors_data.corpus.shared_context import Context
    from defectors_data.models.annotation import Figure, Relation
    from defectors_data.models.closed_vocabularies import Outcome


class ComparedFigure(NamedTuple):
    """The values of a figure that are compared across sources."""

    id: str
    source_id: str
    origin: str | None
    """Who states the figure: the role of people who speak for a body, such as a government, or else a speaker's id."""
    measure: str
    population: str | None
    unit: str
    hedge: str
    value: float | None
    low: float | None
    high: float | None
    as_of: str | None


class Evaluation(NamedTuple):
    """The outcome of a relation, and its computation."""

    outcome: Outcome
    computation: str


def tolerances(context: Context) -> dict[str, float]:
    """Return the tolerance of each hedge, in percent of the number."""
    return TOLERANCES | {entry.hedge: entry.percent for entry in context.vocabulary.content.tolerances}


def allowed_interval(figure: Figure | ComparedFigure, tolerances: Mapping[str, float]) -> Interval:
    """Return the range of numbers that a figure allows; `tolerances` are in percent, by hedge."""
    return whole(printed(figure, tolerances), figure.unit)


def printed(figure: Figure | ComparedFigure, tolerances: Mapping[str, float]) -> Interval:
    """Return the range that a figure allows before `whole` narrows it; its ends are printed or depend on the hedge."""
    numbers = {"value": figure.value, "low": figure.low, "high": figure.high}
    return stated(figure.hedge, figure.unit, **numbers, tolerances=tolerances)


def evaluate_relation(
    relation: Relation, figures: Mapping[str, Figure], tolerances: Mapping[str, float]
) -> Evaluation | None:
    """Evaluate a relation; return None if one of its figures is missing or the number of operands is wrong."""
    if not {relation.result, *relation.operands} <= figures.keys() or len(relation.operands) != arity(relation):
        return None
    result = allowed_interval(figures[relation.result], tolerances)
    operands = [allowed_interval(figures[name], tolerances) for name in relation.operands]
    if relation.kind == "part_of":
        return evaluate_part(result, operands[0])
    if relation.kind == "sum":
        computed, words = total(operands), " + ".join(map(str, operands))
    else:
        computed, words = quotient(*operands), " / ".join(map(str, operands))
    if relation.kind == "share_of":
        computed, words = scaled(computed, 100), f"{words} × 100"
    return _outcome(computed, result, f"{words} = {computed}")


def arity(relation: Relation) -> int:
    """Return how many operands a relation takes: one for a part, two or more for a sum, otherwise two."""
    # For a sum, two or more operands are correct, so their actual number is returned.
    return {"part_of": 1, "sum": max(2, len(relation.operands))}.get(relation.kind, 2)


def evaluate_part(part: Interval, of: Interval) -> Evaluation:
    """Evaluate whether a part is not greater than its whole."""
    if part.high <= of.low:
        return Evaluation("holds", f"{part} is not above {of}")
    if part.above(of):
        return Evaluation("fails", f"{part} is above {of}")
    return Evaluation("cannot_tell", f"{part} may be above {of} or not")


def _outcome(computed: Interval, result: Interval, computation: str) -> Evaluation:
    if computed.within(result):
        return Evaluation("holds", f"{computation}, which is within {result}")
    if not computed.meets(result):
        return Evaluation("fails", f"{computation}, which has nothing in common with {result}")
    return Evaluation("cannot_tell", f"{computation}, which is partly within {result}")
