"""What rules look at in a document: each function gives the things of one kind, with their paths.

A rule names the kind that it is on; the runner gives it every thing of the kind, and counts them. The key is how the
summary of a run calls them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from defectors_data.evidence.document import Document, per_document
from defectors_data.models import Figure, Record, Relation, Testimony, Waiver
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


def _values(records: Iterable[tuple[Path, Record]], *keys: str) -> Iterator[Thing]:
    """Give the values under some keys of records, each with the path of the key; the items of a list one by one."""
    for path, record in records:
        for key in keys:
            value = vars(record).get(key)
            if isinstance(value, tuple):
                yield from (((*path, key, i), item) for i, item in enumerate(value))
            elif value is not None:
                yield (*path, key), value


class Numbered(NamedTuple):
    """An id that must be made of the source's id and a number, and what is expected before the number."""

    id: str
    beginning: str


BEFORE_NUMBERS = {
    "speakers": "speaker-",
    "mentions": "m",
    "testimonies": "t",
    "figures": "f",
    "waivers": "w",
    "relations": "r",
}
"""What is before the number in the ids of each table, after the id of the source and a hyphen."""


@per_document
def numbered_ids(document: Document) -> list[tuple[Path, Numbered]]:
    """Return the ids that must be made of the source's id and a number: all but those of publicly named speakers."""
    named = {path for path, speaker in document.speakers if not speaker.protected and speaker.kind != "group"}
    return [
        (path, Numbered(name, f"{document.source.id}-{BEFORE_NUMBERS[table]}"))
        for path, table, name in document.records
        if path not in named
    ]


def _references(document: Document) -> Iterator[Thing]:
    """Give the ids by which a record refers to another."""
    yield from _values(document.uses, "use")
    yield from _values(document.testimonies, "speaker", "about")
    yield from _values(document.figures, "attributed_to", "testimony")
    yield from _values(document.waivers, "of")


def _lists_of_terms(document: Document) -> Iterator[Thing]:
    yield ("source", "cited_outlets"), document.source.cited_outlets
    yield from (((*path, "themes"), testimony.themes) for path, testimony in document.testimonies)


def _of_protected(document: Document) -> Iterator[Thing]:
    """Give the records of protected persons; none where an id is given twice, as it is not known whose they are."""
    if not document.has_duplicate_ids:
        for path, record in document.mentions:
            if document.entry_of(path).id in document.protected:
                yield path, record
        records: list[tuple[Path, Testimony | Figure | Waiver]]
        records = [*document.testimonies, *document.figures, *document.waivers]
        yield from ((path, record) for path, record in records if record.id in document.of_protected)


def _named_speakers(document: Document) -> Iterator[Thing]:
    """Give the names of publicly named speakers, with the path of their entries."""
    for path, entry in document.entries:
        if name := getattr(document.heard.get(entry.id), "name", None):
            yield path, name


def _printed(document: Document) -> Iterator[Thing]:
    """Give the words that the source is said to print, each with the text that must contain it, if that was found."""
    for i, outlet in enumerate(document.source.cited_outlets):
        yield ("source", "cited_outlets", i), (outlet, document.text)
    for name, fact in document.source.facts().items():
        if fact.basis == "stated":
            values = (fact.value,) if isinstance(fact.value, str) else fact.value
            # A date may be printed in any form, but its year is printed.
            words = re.findall(r"[0-9]{4}(?![0-9])", values[0]) if name == "published" else values
            text = document.words(("source", name, "evidence"))
            yield from ((("source", name, "value"), (each, text)) for each in words)
    for path, place in _values(document.figures, "place"):
        yield path, (place, document.text)


THINGS: dict[str, Things] = {
    "sources": _source,
    "speakers": lambda document: document.entries,
    "named speakers": _named_speakers,
    "mentions": lambda document: document.mentions,
    "testimonies": lambda document: document.testimonies,
    "figures": lambda document: document.figures,
    "relations": _own_relations,
    "waivers": lambda document: document.waivers,
    "repeats": lambda document: ((path, waiver) for path, waiver in document.waivers if waiver.of),
    "ids of source and number": numbered_ids,
    "references": _references,
    "terms that records name": lambda document: chain(
        _values(document.testimonies, "themes"), _values(document.figures, "measure", "population")
    ),
    "lists of terms": _lists_of_terms,
    "records of protected persons": _of_protected,
    "protected attributes": lambda document: (
        (path, waiver) for path, waiver in document.waivers if waiver.reason == "protected_attribute"
    ),
    "inferred values": lambda document: (
        (("source", name), fact) for name, fact in document.source.facts().items() if fact.basis == "inferred"
    ),
    "stated values and places": _printed,
    "titles and subtitles": lambda document: (
        (("source", name), span) for name in ("title", "subtitle") for span in document.at(("source", name))
    ),
    "outlets of testimonies": lambda document: _values(document.testimonies, "outlet"),
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
