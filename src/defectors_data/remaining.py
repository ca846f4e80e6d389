"""What is not accounted for yet in a source, worded for an annotator, with YAML to paste.

Each item has its place, its sentence with the words marked, the nearest speaker, and a record that can be pasted and
mended. Reporting verbs that stand near no testimony are advice, given on request.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from defectors_data.accounting import Entry
from defectors_data.corpus import Shard
from defectors_data.findings import Place
from defectors_data.nearness import in_yaml
from defectors_data.proving import Proof
from defectors_data.quantities import Quantity
from defectors_data.reporting import unaccounted
from defectors_data.spans import Span, line_and_column, sentence_around


class Item(NamedTuple):
    """One thing that is not accounted for: where it stands, what it is, and a record that would account for it."""

    place: Place
    kind: str
    text: str
    sentence: str
    speaker: str | None
    yaml: str


def remaining(proof: Proof, shard: Shard, *, verbs: bool = False) -> list[Item]:
    """Return what is not accounted for in a source, in reading order; reporting verbs too where they are asked for."""
    numbers = _Numbers(shard)
    items = [_item(proof, shard, entry, numbers) for entry in proof.ledgers[shard.file].left()]
    if verbs:
        items += [_found(proof, shard, verb, _VERB) for verb in _verbs(proof, shard)]
    return sorted(items, key=lambda item: item.place)


def summary(items: list[Item], shard: Shard) -> str:
    """Return what is left, counted: "12 quotations, 5 quantities left in 900_example.txt"."""
    counted = Counter(item.kind if item.kind in ("quotation", _VERB) else "quantity" for item in items)
    nouns = ["quotation", "quantity", *([_VERB] if counted[_VERB] else [])]
    return f"{', '.join(_count(counted[noun], noun) for noun in nouns)} left in {shard.content.source.seed}"


def _count(number: int, noun: str) -> str:
    plural = f"{noun[:-1]}ies" if noun.endswith("ty") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


class _Numbers:
    """Gives the next free number of each form of id."""

    def __init__(self, shard: Shard) -> None:
        self.source = shard.content.source.id
        self.given = {t.id for _, t in shard.testimonies()} | {f.id for _, f in shard.figures()}
        self.given |= {w.id for _, w in shard.waivers()}

    def next(self, letter: str) -> str:
        number = 1
        while f"{self.source}-{letter}{number}" in self.given:
            number += 1
        self.given.add(f"{self.source}-{letter}{number}")
        return f"{self.source}-{letter}{number}"


_VERB = "reporting verb"


def _found(proof: Proof, shard: Shard, span: Span, kind: str) -> Item:
    """Return an item with everything but the YAML."""
    place, text = Place(shard.seed, *line_and_column(shard.text, span.start)), shard.text[slice(*span)]
    return Item(place, kind, text, sentence_around(shard.text, span), _nearest_speaker(proof, shard, span), "")


def _item(proof: Proof, shard: Shard, entry: Entry, numbers: _Numbers) -> Item:
    found = entry.detection
    span = Span(found.start, found.end)
    item = _found(proof, shard, span, found.kind)
    missing = "closing" if found.unclosed else "opening" if found.unopened else None
    evidence = _evidence(shard.text, span, missing)
    if found.kind == "quotation":
        yaml = _testimony(numbers.next("t"), evidence, item.speaker)
    elif found.kind == "quantity" and found.quantity:
        yaml = _figure(numbers.next("f"), evidence, found.quantity, item.text)
    else:
        yaml = f"- id: {numbers.next('w')}\n  evidence: {evidence}\n  reason: {found.kind}"
    return item._replace(yaml=yaml)


def _verbs(proof: Proof, shard: Shard) -> list[Span]:
    """Return the reporting verbs that no testimony accounts for, outside furniture and what is waived."""
    inside = [*proof.at(shard, ("source", "furniture"))]
    direct: list[Span] = []
    for path, testimony in shard.testimonies():
        spans = proof.at(shard, (*path, "evidence"))
        (direct if testimony.mode == "direct" else inside).extend(spans)
    evidence = " ".join(shard.text[slice(*span)] for span in [*inside, *direct])
    for path, _ in shard.waivers():
        inside += proof.at(shard, (*path, "evidence"))
    return [verb for verb in unaccounted(shard.text, inside, direct) if _around(shard, verb) not in evidence]


def _around(shard: Shard, verb: Span) -> str:
    """Return a verb with the words around it in its line: where evidence holds them, the passage is printed again."""
    before = shard.text[max(0, verb.start - 20) : verb.start].rpartition("\n")[2]
    after = shard.text[verb.end : verb.end + 20].partition("\n")[0]
    return f"{before}{shard.text[slice(*verb)]}{after}"


def _nearest_speaker(proof: Proof, shard: Shard, span: Span) -> str | None:
    """Return the speaker whose mention stands nearest, those of the same paragraph first.

    An id that a protected person should not have is not repeated: the speaker is left out.
    """
    numbered = re.compile(re.escape(shard.content.source.id) + "-speaker-[1-9][0-9]*")
    unsayable = {s.id for _, s in shard.speakers() if s.protected and not numbered.fullmatch(s.id)}
    mentions = [
        (where, speaker)
        for path, speaker, _ in shard.mentions()
        for where in proof.at(shard, (*path, "evidence"))
        if speaker not in unsayable
    ]

    def distance(mention: tuple[Span, str]) -> tuple[bool, int]:
        where, _ = mention
        first, second = sorted((where, span))
        return "\n" in shard.text[first.start : second.end], max(0, second.start - first.end)

    return min(mentions, key=distance)[1] if mentions else None


def _evidence(text: str, span: Span, missing: str | None) -> str:
    """Return words as evidence in YAML, told apart where they stand more than once, with the mark that is missing."""
    words = text[slice(*span)]
    starts = [found.start() for found in re.finditer(f"(?={re.escape(words)})", text)]
    rest = [f"occurrence: {starts.index(span.start) + 1}"] if len(starts) > 1 else []
    rest += [f"unbalanced: {missing}"] if missing else []
    return f"{{text: {in_yaml(words)}, {', '.join(rest)}}}" if rest else in_yaml(words)


def _testimony(name: str, evidence: str, speaker: str | None) -> str:
    return f"- id: {name}\n  speaker: {speaker or 'who'}\n  mode: direct\n  evidence: {evidence}\n  themes: [other]"


def _figure(name: str, evidence: str, said: Quantity, words: str) -> str:
    stated = [(key, getattr(said, key)) for key in ("value", "low", "high")]
    bounds = "".join(f"\n  {key}: {number:.12g}" for key, number in stated if number is not None)
    return (
        f"- id: {name}\n  evidence: {evidence}{bounds}\n  hedge: {said.hedge}\n  unit: {said.unit or 'other'}\n"
        f"  measure: name_it\n  counted: {in_yaml(words)}"
    )
