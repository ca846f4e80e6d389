"""New records as YAML to paste and complete, with unused ids and the nearest speaker."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Self

from defectors_data.corpus.shared_context import Context
from defectors_data.corpus.yaml_escapes import in_yaml
from defectors_data.evidence.anchors import chosen_in_yaml
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.record_fingerprints import released
from defectors_data.models.annotation import NamedPerson, SharedPerson
from defectors_data.models.fields import plain_line, plain_number
from defectors_data.text.detection import Detection
from defectors_data.text.offsets import Span
from defectors_data.text.quantities import Quantity


class UnusedIds:
    """A generator of unused ids for the records of a source."""

    def __init__(self, source: str, used: Iterable[str], context: Context) -> None:
        """Collect the ids that are already used, including those in tombstones and earlier releases."""
        self.source, self.given = (
            source,
            {*used, *(stone.id for stone in context.tombstones), *released(context)},
        )

    @classmethod
    def of(cls, document: Document) -> Self:
        """Return the generator for a document."""
        return cls(document.source.id, (name for _, _, name in document.records), document.context)

    def next(self, beginning: str) -> str:
        """Return the unused id with the lowest number; `beginning`, such as `t` or `speaker-`, precedes the number."""
        number = 1
        while f"{self.source}-{beginning}{number}" in self.given:
            number += 1
        self.given.add(f"{self.source}-{beginning}{number}")
        return f"{self.source}-{beginning}{number}"


def nearest_speaker(document: Document, span: Span) -> str | None:
    """Return the id of the speaker whose mention or surname is nearest, in the same paragraph if possible.

    Return None if there is no speaker. The id of a protected person is returned only if it has the form
    `<source id>-speaker-<n>`, because any other id may identify the person.
    """
    numbered = re.compile(re.escape(document.source.id) + "-speaker-[1-9][0-9]*")
    hidden = {s.id for _, s in document.speakers if s.protected and not numbered.fullmatch(s.id)}
    mentions = [
        (where, speaker)
        for path, _ in document.mentions
        if (speaker := document.entry_of(path).id) not in hidden
        for where in document.evidence_of(path)
    ]
    for name, known in document.speakers_by_id.items():
        if isinstance(known, NamedPerson | SharedPerson):
            surname = re.compile(rf"\b{re.escape(known.name.split()[-1])}\b")
            mentions += [(Span(*hit.span()), name) for hit in surname.finditer(document.text)]

    def distance(mention: tuple[Span, str]) -> tuple[bool, int]:
        where, _ = mention
        first, second = sorted((where, span))
        # False sorts first, so the same paragraph is preferred.
        return "\n" in document.text[first.start : second.end], max(0, second.start - first.end)

    return min(mentions, key=distance)[1] if mentions else None


def evidence_yaml(group: Sequence[Detection], text: str) -> str:
    """Return detections as evidence in YAML, with `unbalanced` where a quotation mark is missing."""
    missing = [
        "closing" if each.unclosed else "opening" if each.unopened else None for each in group
    ]
    found = zip(group, missing, strict=True)
    parts = [
        chosen_in_yaml(Span(each.start, each.end), text, unbalanced=mark) for each, mark in found
    ]
    return parts[0] if len(parts) == 1 else f"[{', '.join(parts)}]"


def testimony_yaml(name: str, evidence: str, speaker: str | None) -> str:
    """Return a testimony as YAML, to paste and complete."""
    # No speaker has the id `who`, so `check` reports it until it is replaced.
    lines = [
        f"- id: {name}",
        f"  speaker: {speaker or 'who'}",
        "  mode: direct",
        f"  evidence: {evidence}",
    ]
    return "\n".join([*lines, "  themes: [other]"])


def figure_yaml(name: str, evidence: str, said: Quantity, words: str) -> str:
    """Return a figure as YAML, to paste and complete; guesses are marked by comments."""
    given = ((key, getattr(said, key)) for key in ("value", "low", "high"))
    bounds = [(key, number) for key, number in given if number is not None and plain_number(number)]
    scale = said.other_scale
    lines = [
        f"- id: {name}",
        f"  evidence: {evidence}",
        *(
            f"  {key}: {plain_number(number)}{f'  # a guess: or {plain_number(number * scale)}' if scale else ''}"
            for key, number in bounds
        ),
        f"  hedge: {said.hedge}{f'  # a guess: or {said.other_hedge}' if said.other_hedge else ''}",
        f"  unit: {said.unit or said.likely_unit or 'other'}{'' if said.unit else '  # a guess'}",
        "  measure: name_it",
        f"  counted: {in_yaml(plain_line(words))}",
    ]
    return "\n".join(lines)


def waiver_yaml(name: str, evidence: str, reason: str) -> str:
    """Return a waiver as YAML, to paste."""
    return f"- id: {name}\n  evidence: {evidence}\n  reason: {reason}"
