"""Rules on figures: their numbers, units, dates, and the testimonies around them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from defectors_data.corpus.context import Context
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.project_file import Path
from defectors_data.evidence.agreement import agrees, disagrees, quantities_of
from defectors_data.evidence.document import Document, per_document
from defectors_data.evidence.ledger import ledger_of
from defectors_data.evidence.relations import arity, tolerances, worked_out
from defectors_data.evidence.subjects import units_by_measure
from defectors_data.models.annotation import Figure, Relation
from defectors_data.rules.engine import rule
from defectors_data.text.ages import states_age
from defectors_data.text.offsets import Span
from defectors_data.text.quantities import Quantity

_BOUNDS = {
    "exact": ("value",),
    "about": ("value",),
    "nearly": ("value", "high"),
    "less_than": ("value", "high"),
    "up_to": ("value", "high"),
    "more_than": ("value", "low"),
    "at_least": ("value", "low"),
    "range": ("low", "high"),
    "vague": ("low",),
}
"""The numbers that each hedge gives; all that a figure has are the same one, but for a range."""


@rule(on="figures", codebook="F2")
def bounds_hedge_mismatch(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """A figure has the numbers that its hedge gives, and no others."""
    if _in_order(figure) and not _of_hedge(figure):
        wanted = _BOUNDS[figure.hedge]
        names = " and ".join(f"`{key}`" for key in wanted)
        both = ", the same number" if len(wanted) > 1 and figure.hedge != "range" else ""
        message = f"The hedge `{figure.hedge}` gives {names}{both}, and no other."
        hint = "Mend the hedge or the numbers, as the words have them."
        yield Finding(document.place(*path, "hedge"), "bounds-hedge-mismatch", message, (hint,))


def _of_hedge(figure: Figure) -> bool:
    given = {key: getattr(figure, key) for key in ("value", "low", "high")}
    numbers = {number for number in given.values() if number is not None}
    keys = {key for key, number in given.items() if number is not None}
    return keys == set(_BOUNDS[figure.hedge]) and (figure.hedge == "range" or len(numbers) == 1)


def _in_order(figure: Figure) -> bool:
    numbers = [n for n in (figure.low, figure.value, figure.high) if n is not None]
    return numbers == sorted(numbers)


@rule(on="figures", codebook="F2")
def bounds_out_of_order(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """The lowest number is not above the value, nor the value above the highest."""
    if not _in_order(figure):
        message = "`low`, `value` and `high` must not fall in this order."
        hint = "Give `low` the lowest number and `high` the highest."
        yield Finding(document.place(*path, "low"), "bounds-out-of-order", message, (hint,))


@rule(on="figures without override", codebook=("F2", "F3", "F5", "F6"))
def figure_text_mismatch(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """A figure's value, bounds, hedge and unit are what its words say where they stand; `override` says why not."""
    if disagrees(document, path, figure) and _of_hedge(figure) and _in_order(figure):
        yield _not_its_words(document, path, figure, quantities_of(document, path))


@rule(on="figures with override", codebook="F2")
def redundant_override(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """A figure has an `override` only where it differs from what its words say."""
    if any(agrees(figure, quantity) for quantity in quantities_of(document, path)):
        message = "The words say what the annotation says."
        place = document.place(*path, "override")
        yield Finding(place, "redundant-override", message, ("Leave `override` out.",))


def _not_its_words(document: Document, path: Path, figure: Figure, said: Sequence[Quantity]) -> Finding:
    hint = "Take the numbers from the words, or give `override` a reason."
    if not said:
        message = "The words of this figure hold no quantity."
        return Finding(document.place(*path, "evidence"), "figure-text-mismatch", message, (hint,))
    nearest = max(said, key=lambda quantity: len({*quantity[:3]} & {figure.value, figure.low, figure.high} - {None}))
    annotated = Quantity(figure.value, figure.low, figure.high, figure.hedge, figure.unit)
    differing = (name for name in Quantity._fields if getattr(annotated, name) != getattr(nearest, name))
    place = document.place(*path, next(differing, "value"))
    message = f"The annotation says {_worded(annotated)}; the words say {_worded(nearest)}."
    return Finding(place, "figure-text-mismatch", message, (hint,))


def _worded(quantity: Quantity) -> str:
    """Return a quantity as `value 1000, high 1000, nearly, person`."""
    numbers = [
        f"{name} {number:.12g}"
        for name, number in zip(Quantity._fields, quantity[:3], strict=False)
        if number is not None
    ]
    return ", ".join([*numbers, quantity.hedge, *([quantity.unit] if quantity.unit else [])])


@rule(on="figures", unique_ids=True, codebook="F7")
def figure_outside_testimony(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """The testimony that a figure names holds the figure's words; words inside a testimony name it."""
    found, testimonies = document.evidence_of(path), _spans_of_testimonies(document)
    if not found:
        return
    named = testimonies.get(figure.testimony or "")
    if named and not _inside(found, named):
        message = "The testimony that is named here does not hold the words of this figure."
        hint = "Name the testimony that holds them, or leave `testimony` out."
        yield Finding(document.place(*path, "testimony"), "figure-outside-testimony", message, (hint,))
    elif not figure.testimony and (around := [name for name, outer in testimonies.items() if _inside(found, outer)]):
        message = "The words of this figure stand inside a testimony, and `testimony` does not name it."
        yield Finding(
            document.place(*path, "testimony"), "figure-outside-testimony", message, (f"`testimony: {around[0]}`",)
        )


@per_document
def _spans_of_testimonies(document: Document) -> dict[str, tuple[Span, ...]]:
    return {testimony.id: document.evidence_of(path) for path, testimony in document.testimonies}


def _inside(inner: Sequence[Span], outer: Sequence[Span]) -> bool:
    return all(any(o.start <= i.start and i.end <= o.end for o in outer) for i in inner)


@rule(on="figures of measures with units", codebook="F9")
def unit_measure_mismatch(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """A figure has a unit that its measure can be counted in, as annotations/vocabulary.yaml lists them."""
    units = units_by_measure(document.context)[figure.measure]
    # Where a figure is not what its words say, these may correct its unit.
    if figure.unit not in units and not disagrees(document, path, figure):
        message = f"This measure is counted in {' or '.join(f'`{unit}`' for unit in units)}."
        hint = "Mend the unit or the measure, or add the unit to the measure in annotations/vocabulary.yaml."
        yield Finding(document.place(*path, "unit"), "unit-measure-mismatch", message, (hint,))


@rule(on="figures", codebook="F4")
def age_as_figure(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """Words that state an age are a figure of a measure of ages alone; the age of a speaker is never a figure."""
    if figure.id in _stating_ages(document) and figure.measure not in _measures_of_ages(document.context):
        message = "These words state an age, and the measure is none of ages."
        hint = "A speaker's age stands on a mention; a protected person's is waived as `protected_attribute`."
        yield Finding(document.place(*path, "measure"), "age-as-figure", message, (hint,))


@per_document
def _stating_ages(document: Document) -> set[str | None]:
    """Return the ids of the figures whose words state an age."""
    covered = (entry for entry in ledger_of(document).entries if entry.record_table == "figures")
    return {entry.record_id for entry in covered if states_age(document.text, entry.detection)}


@lru_cache(maxsize=1)
def _measures_of_ages(context: Context) -> set[str]:
    return {measure.term for measure in context.vocabulary.content.measures if measure.ages}


@rule(on="figures with a date", codebook="F7")
def date_not_in_text(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """The year that a figure holds for is printed in its source; where it is not, XXXX stands in its place."""
    years = re.findall(r"(?<![\d-])[0-9]{4}(?![0-9])", figure.as_of or "")
    if any(not re.search(rf"(?<!\d){year}(?!\d)", document.text) for year in years):
        message, hint = (
            "The source does not print this year.",
            "`as_of` is only what is printed; a day without a year is XXXX-02-27.",
        )
        yield Finding(document.place(*path, "as_of"), "date-not-in-text", message, (hint,))


# ---- relations ---------------------------------------------------------------------------------------------------


@rule(on="relations", unique_ids=True, codebook="F11")
def relation_unit_mismatch(document: Document, path: Path, relation: Relation) -> Iterator[Finding]:
    """A share is in percent, of two figures of one unit; part and whole, and a sum and its parts, have one unit."""
    figures = document.figures_by_id
    named = {relation.result, *relation.operands}
    if not named <= figures.keys() or len(relation.operands) != arity(relation):
        return
    of = {figures[name].unit for name in relation.operands}
    wanted = {"share_of": {"percent"}, "part_of": of, "sum": of}.get(relation.kind)
    if wanted and (len(of) > 1 or wanted != {figures[relation.result].unit}):
        message = "The units of these figures do not go together."
        hint = "A share is in percent of two figures of one unit; part and whole, sum and parts, have one unit."
        yield Finding(document.place(*path), "relation-unit-mismatch", message, (hint,))


@rule(on="relations", unique_ids=True, codebook="F11")
def unresolved_relation(document: Document, path: Path, relation: Relation) -> Iterator[Finding]:
    """A relation names figures that there are, as many as its kind takes, and none of them twice."""
    named, number = (relation.result, *relation.operands), arity(relation)
    if not set(named) <= document.figures_by_id.keys() or len(set(named)) < len(named):
        message = "A figure that this relation names is not there, or is named twice."
        yield Finding(document.place(*path), "unresolved-relation", message)
    elif len(relation.operands) != number:
        message = f"`{relation.kind}` takes {number} figure{'' if number == 1 else 's'} in `operands`."
        yield Finding(document.place(*path, "operands"), "unresolved-relation", message)


@rule(on="relations", waits=True, codebook="F11")
def relation_fails(document: Document, path: Path, relation: Relation) -> Iterator[Finding]:
    """An arithmetic between figures holds or is left open; one that fails has a note."""
    result = worked_out(relation, document.figures_by_id, tolerances(document.context))
    if result and result.outcome == "fails" and not relation.note:
        message = f"This does not work out: {result.computation}."
        hint = "Mend the figures or the relation, or give it a `note` that says why it may fail."
        yield Finding(document.place(*path), "relation-fails", message, (hint,))
