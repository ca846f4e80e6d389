"""The outcome of a relation between figures, with the computation written out."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from defectors_data.models.closed_vocabularies import WHOLE_UNITS
from defectors_data.text.intervals import (
    TOLERANCES,
    Interval,
    quotient,
    scaled,
    stated,
    total,
    whole,
)

if TYPE_CHECKING:
    from defectors_data.corpus.shared_context import Context
    from defectors_data.models.annotation import Figure, Relation
    from defectors_data.models.closed_vocabularies import Outcome


class ComparedFigure(NamedTuple):
    """The values of a figure that are compared across sources."""

    id: str
    source_id: str
    origin: str | None
    """Who states the figure: the role of people who speak for a body, such as a government, or else
    a speaker's id."""
    named: bool
    """Whether the article names the person or the institution that states the figure."""
    measure: str
    population: str | None
    unit: str
    hedge: str
    value: float | None
    low: float | None
    high: float | None
    as_of: str | None


class Conventions(NamedTuple):
    """What the vocabularies declare about the numbers that a figure allows."""

    tolerances: Mapping[str, float]
    """The tolerance of each hedge, in percent of the number."""
    whole_units: frozenset[str]
    """The units that are counted in whole numbers."""


class Evaluation(NamedTuple):
    """The outcome of a relation, and its computation."""

    outcome: Outcome
    computation: str


@lru_cache(maxsize=1)
def conventions(context: Context) -> Conventions:
    """Return the tolerances and the units that the vocabularies declare."""
    vocabulary = context.vocabulary.content
    declared = {entry.hedge: entry.percent for entry in vocabulary.tolerances}
    own = {unit.term for unit in vocabulary.units if unit.whole}
    return Conventions(TOLERANCES | declared, WHOLE_UNITS | own)


def allowed_interval(figure: Figure | ComparedFigure, declared: Conventions) -> Interval:
    """Return the range of numbers that a figure allows."""
    found = printed(figure, declared)
    return whole(found) if figure.unit in declared.whole_units else found


def printed(figure: Figure | ComparedFigure, declared: Conventions) -> Interval:
    """Return the range that a figure allows before `whole` narrows it.

    Its ends are printed or depend on the hedge.
    """
    return stated(
        figure.hedge,
        counted=figure.unit in declared.whole_units,
        value=figure.value,
        low=figure.low,
        high=figure.high,
        tolerances=declared.tolerances,
    )


def evaluate_relation(
    relation: Relation, figures: Mapping[str, Figure], declared: Conventions
) -> Evaluation | None:
    """Evaluate a relation.

    Return None if one of its figures is missing or the number of operands is wrong.
    """
    if not {relation.result, *relation.operands} <= figures.keys() or len(
        relation.operands
    ) != arity(relation):
        return None
    result = allowed_interval(figures[relation.result], declared)
    operands = [allowed_interval(figures[name], declared) for name in relation.operands]
    if relation.kind == "part_of":
        return evaluate_part(result, operands[0])
    if relation.kind == "exceeds":
        return evaluate_excess(result, operands[0])
    if relation.kind == "sum":
        computed, words = total(operands), " + ".join(map(str, operands))
    else:
        computed, words = quotient(*operands), " / ".join(map(str, operands))
    if relation.kind == "share_of":
        computed, words = scaled(computed, 100), f"{words} × 100"
    return _outcome(computed, result, f"{words} = {computed}")


def arity(relation: Relation) -> int:
    """Return how many operands a relation takes.

    It is 1 for a part and for an excess, 2 or more for a sum, and 2 for all others.
    """
    # For a sum, two or more operands are correct, so their actual number is returned.
    return {"part_of": 1, "exceeds": 1, "sum": max(2, len(relation.operands))}.get(relation.kind, 2)


def evaluate_part(part: Interval, of: Interval) -> Evaluation:
    """Evaluate whether a part is not greater than its whole."""
    if part.high <= of.low:
        return Evaluation("holds", f"{part} is not above {of}")
    if part.above(of):
        return Evaluation("fails", f"{part} is above {of}")
    return Evaluation("cannot_tell", f"{part} may be above {of} or not")


def evaluate_excess(excess: Interval, of: Interval) -> Evaluation:
    """Evaluate whether a number is greater than another one."""
    if excess.above(of):
        return Evaluation("holds", f"{excess} is above {of}")
    if excess.high <= of.low:
        return Evaluation("fails", f"{excess} is not above {of}")
    return Evaluation("cannot_tell", f"{excess} may be above {of} or not")


def _outcome(computed: Interval, result: Interval, computation: str) -> Evaluation:
    if computed.within(result):
        return Evaluation("holds", f"{computation}, which is within {result}")
    if not computed.meets(result):
        return Evaluation("fails", f"{computation}, which has nothing in common with {result}")
    return Evaluation("cannot_tell", f"{computation}, which is partly within {result}")
