"""What is not accounted for yet in a source, worded for an annotator, with YAML to paste.

Each item has its place, its sentence with the words marked, the nearest speaker, and a record that can be pasted and
mended. Reporting verbs that stand near no testimony are advice, given on request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from defectors_data.evidence.document import Document
from defectors_data.evidence.ledger import Entry
from defectors_data.findings import Place
from defectors_data.nearness import in_yaml
from defectors_data.quantities import Quantity
from defectors_data.reporting import unaccounted
from defectors_data.spans import Span, sentence_around


class Item(NamedTuple):
    """One thing that is not accounted for: where it stands, what it is, and a record that would account for it."""

    place: Place
    kind: str
    text: str
    sentence: str
    speaker: str | None
    yaml: str


def remaining(document: Document, *, verbs: bool = False) -> list[Item]:
    """Return what is not accounted for in a source, in reading order; reporting verbs too where they are asked for."""
    numbers = _Numbers(document)
    items = [_item(document, entry, numbers) for entry in document.ledger.left()]
    if verbs:
        items += [_verb(document, verb) for verb in _verbs(document)]
    return sorted(items, key=lambda item: item.place)


def summary(items: list[Item], document: Document) -> str:
    """Return what is left, counted: "12 quotations, 5 quantities left in 900_example.txt"."""
    quotations = sum(item.kind == "quotation" for item in items)
    verbs = sum(item.kind == "reporting verb" for item in items)
    quantities = len(items) - quotations - verbs
    counted = [_count(quotations, "quotation"), _count(quantities, "quantity")]
    if verbs:
        counted.append(_count(verbs, "reporting verb"))
    return f"{', '.join(counted)} left in {document.source.seed}"


def _count(number: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("ty") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


class _Numbers:
    """Gives the next free number of each form of id."""

    def __init__(self, document: Document) -> None:
        self.source = document.source.id
        self.given = {t.id for _, t in document.testimonies} | {f.id for _, f in document.figures}
        self.given |= {w.id for _, w in document.waivers}

    def next(self, letter: str) -> str:
        number = 1
        while f"{self.source}-{letter}{number}" in self.given:
            number += 1
        self.given.add(f"{self.source}-{letter}{number}")
        return f"{self.source}-{letter}{number}"


def _item(document: Document, entry: Entry, numbers: _Numbers) -> Item:
    found = entry.detection
    span = Span(found.start, found.end)
    speaker = _nearest_speaker(document, span)
    missing = "closing" if found.unclosed else "opening" if found.unopened else None
    evidence = _evidence(document.text, span, missing)
    if found.kind == "quotation":
        yaml = _testimony(numbers.next("t"), evidence, speaker)
    elif found.kind == "quantity" and found.quantity:
        yaml = _figure(numbers.next("f"), evidence, found.quantity, document.text[slice(*span)])
    else:
        yaml = f"- id: {numbers.next('w')}\n  evidence: {evidence}\n  reason: {found.kind}"
    return _worded(document, span, found.kind, speaker, yaml)


def _verb(document: Document, span: Span) -> Item:
    return _worded(document, span, "reporting verb", _nearest_speaker(document, span), "")


def _worded(document: Document, span: Span, kind: str, speaker: str | None, yaml: str) -> Item:
    words, sentence = document.text[slice(*span)], sentence_around(document.text, span)
    return Item(document.place_in_seed(span.start), kind, words, sentence, speaker, yaml)


def _verbs(document: Document) -> list[Span]:
    """Return the reporting verbs that no testimony accounts for, outside furniture and what is waived."""
    inside = [*document.at(("source", "furniture"))]
    direct: list[Span] = []
    for path, testimony in document.testimonies:
        spans = document.evidence_of(path)
        (direct if testimony.mode == "direct" else inside).extend(spans)
    evidence = " ".join(document.text[slice(*span)] for span in [*inside, *direct])
    for path, _ in document.waivers:
        inside += document.evidence_of(path)
    return [verb for verb in unaccounted(document.text, inside, direct) if _around(document, verb) not in evidence]


def _around(document: Document, verb: Span) -> str:
    """Return a verb with the words around it in its line: where evidence holds them, the passage is printed again."""
    before = document.text[max(0, verb.start - 20) : verb.start].rpartition("\n")[2]
    after = document.text[verb.end : verb.end + 20].partition("\n")[0]
    return f"{before}{document.text[slice(*verb)]}{after}"


def _nearest_speaker(document: Document, span: Span) -> str | None:
    """Return the speaker whose mention stands nearest, those of the same paragraph first.

    An id that a protected person should not have is not repeated: the speaker is left out.
    """
    numbered = re.compile(re.escape(document.source.id) + "-speaker-[1-9][0-9]*")
    unsayable = {s.id for _, s in document.speakers if s.protected and not numbered.fullmatch(s.id)}
    mentions = [
        (where, speaker)
        for path, _ in document.mentions
        if (speaker := document.entry_of(path).id) not in unsayable
        for where in document.evidence_of(path)
    ]

    def distance(mention: tuple[Span, str]) -> tuple[bool, int]:
        where, _ = mention
        first, second = sorted((where, span))
        return "\n" in document.text[first.start : second.end], max(0, second.start - first.end)

    return min(mentions, key=distance)[1] if mentions else None


def _evidence(text: str, span: Span, missing: str | None) -> str:
    """Return words as evidence in YAML, told apart where they stand more than once, with the mark that is missing."""
    words = text[slice(*span)]
    starts = list(_starts(text, words))
    rest = [f"occurrence: {starts.index(span.start) + 1}"] if len(starts) > 1 else []
    rest += [f"unbalanced: {missing}"] if missing else []
    return f"{{text: {in_yaml(words)}, {', '.join(rest)}}}" if rest else in_yaml(words)


def _starts(text: str, words: str) -> Iterator[int]:
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + 1)


def _testimony(name: str, evidence: str, speaker: str | None) -> str:
    return "\n".join(
        [
            f"- id: {name}",
            f"  speaker: {speaker or 'who'}",
            "  mode: direct",
            f"  evidence: {evidence}",
            "  themes: [other]",
        ]
    )


def _figure(name: str, evidence: str, said: Quantity, words: str) -> str:
    bounds = [(key, getattr(said, key)) for key in ("value", "low", "high")]
    return "\n".join(
        [
            f"- id: {name}",
            f"  evidence: {evidence}",
            *(f"  {key}: {number:.12g}" for key, number in bounds if number is not None),
            f"  hedge: {said.hedge}",
            f"  unit: {said.unit or 'other'}",
            "  measure: name_it",
            f"  counted: {in_yaml(words)}",
        ]
    )
