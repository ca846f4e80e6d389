"""Rules on the arithmetic between figures."""

from __future__ import annotations

from collections.abc import Iterator

from defectors_data.evidence.document import Document
from defectors_data.findings import Finding
from defectors_data.models import Relation
from defectors_data.project_file import Path
from defectors_data.relations import arity, tolerances, worked_out
from defectors_data.rules.registry import rule


@rule(on="relations", unique_ids=True, codebook="F11")
def relation_of_other_units(document: Document, path: Path, relation: Relation) -> Iterator[Finding]:
    """A share is in percent, of two figures of one unit; part and whole, and a sum and its parts, have one unit."""
    figures = document.figures_by_id
    named = {relation.result, *relation.of}
    if not named <= figures.keys() or len(relation.of) != arity(relation):
        return
    of = {figures[name].unit for name in relation.of}
    wanted = {"share_of": {"percent"}, "part_of": of, "sum": of}.get(relation.kind)
    if wanted and (len(of) > 1 or wanted != {figures[relation.result].unit}):
        message = "The units of these figures do not go together."
        hint = "A share is in percent of two figures of one unit; part and whole, sum and parts, have one unit."
        yield Finding(document.place(*path), "relation-of-other-units", message, (hint,))


@rule(on="relations", unique_ids=True, codebook="F11")
def relation_of_nothing(document: Document, path: Path, relation: Relation) -> Iterator[Finding]:
    """A relation names figures that there are, as many as its kind takes, and none of them twice."""
    named, number = (relation.result, *relation.of), arity(relation)
    if not set(named) <= document.figures_by_id.keys() or len(set(named)) < len(named):
        message = "A figure that this relation names is not there, or is named twice."
        yield Finding(document.place(*path), "relation-of-nothing", message)
    elif len(relation.of) != number:
        message = f"`{relation.kind}` takes {number} figure{'' if number == 1 else 's'} in `of`."
        yield Finding(document.place(*path, "of"), "relation-of-nothing", message)


@rule(on="relations", waits=True, codebook="F11")
def relation_fails(document: Document, path: Path, relation: Relation) -> Iterator[Finding]:
    """An arithmetic between figures holds or is left open; one that fails has a note."""
    result = worked_out(relation, document.figures_by_id, tolerances(document.context))
    if result and result.outcome == "fails" and not relation.note:
        message = f"This does not work out: {result.computation}."
        hint = "Mend the figures or the relation, or give it a `note` that says why it may fail."
        yield Finding(document.place(*path), "relation-fails", message, (hint,))
