"""What rules look at in a document: each function gives the things of one kind, with their paths.

A rule names the kind that it is on; the runner gives it every thing of the kind, and counts them. The key is how the
summary of a run calls them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from defectors_data.evidence.document import Document
from defectors_data.models import Relation
from defectors_data.project_file import Path

Thing: TypeAlias = tuple[Path, Any]
Things: TypeAlias = Callable[[Document], Iterable[Thing]]


def _source(document: Document) -> Iterator[Thing]:
    yield ("source",), document.source


def _direct_parts(document: Document) -> Iterator[Thing]:
    """Give the parts of direct testimonies that were found, each with its span."""
    for path, testimony in document.testimonies:
        if testimony.mode == "direct":
            spans = document.evidence_of(path)
            for i, part in enumerate(testimony.evidence[: len(spans)]):
                yield (*path, "evidence", i), (part, spans[i])


def _own_relations(document: Document) -> Iterator[Thing]:
    """Give the relations whose figures are known: those of other documents are, once they are borrowed."""
    for path, relation in document.relations:
        if document.borrowed is not None or names_own_figures(document, relation):
            yield path, relation


def names_own_figures(document: Document, relation: Relation) -> bool:
    """Tell whether all figures that a relation names are in the document itself."""
    return {relation.result, *relation.of} <= {figure.id for _, figure in document.figures}


THINGS: dict[str, Things] = {
    "sources": _source,
    "speakers": lambda document: document.entries,
    "mentions": lambda document: document.mentions,
    "testimonies": lambda document: document.testimonies,
    "figures": lambda document: document.figures,
    "relations": _own_relations,
    "waivers": lambda document: document.waivers,
    "parts of direct testimonies": _direct_parts,
    "fields with evidence": lambda document: ((cited.path, cited) for cited in document.cited),
    "quotations": lambda document: (
        ((), entry) for entry in document.ledger.entries if entry.detection.kind == "quotation"
    ),
    "numbers": lambda document: (
        ((), entry) for entry in document.ledger.entries if entry.detection.kind != "quotation"
    ),
    "runs taken down": lambda document: ((("withdrawn", i), run) for i, run in enumerate(document.content.withdrawn)),
}
