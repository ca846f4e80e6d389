"""The keys of what people write, and the values they may hold, as tables in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from defectors_data.documents.readme import markdown, prose
from defectors_data.models import annotation, descriptions, project, vocabularies

RECORDS = (
    ("Source", annotation.Source),
    ("Speaker: a named person", annotation.NamedPerson),
    ("Speaker: withheld or unnamed", annotation.WithheldPerson),
    ("Speaker: a group", annotation.Group),
    ("Speaker: an institution", annotation.Institution),
    ("Mention of a publicly named speaker", annotation.Mention),
    ("Mention of any other speaker", annotation.ProtectedMention),
    ("Testimony", annotation.Testimony),
    ("Support", annotation.Support),
    ("Figure", annotation.Figure),
    ("Relation", annotation.Relation),
    ("Waiver", annotation.Waiver),
)

_OF_THE_BUILDER = ("RecordTable", "DetectionKind", "LedgerStatus", "TakedownReason")
"""Closed vocabularies of what is published alone; nobody annotates with them."""


def records() -> str:
    """Return the keys of every record that people write."""
    parts = []
    for title, model in RECORDS:
        rows = [
            (f"`{name}`", "yes" if field.is_required() else "", _cell(descriptions.sentence(model, name)))
            for name, field in model.model_fields.items()
        ]
        parts.append(f"### {title}\n\n{markdown(['key', 'needed', 'meaning'], rows)}\n")
    return "\n".join(parts).rstrip()


def closed_vocabularies() -> str:
    """Return every closed vocabulary, each value with its meaning."""
    parts = []
    for name, meanings in vocabularies.MEANINGS.items():
        if name not in _OF_THE_BUILDER:
            rows = [(f"`{value}`", meaning) for value, meaning in meanings.items()]
            parts.append(f"### {_words(name).capitalize()}\n\n{markdown(['value', 'means'], rows)}\n")
    return "\n".join(parts).rstrip()


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower()


def open_vocabularies(vocabulary: project.Vocabulary) -> str:
    """Return the themes, measures and populations with their definitions."""
    return "\n\n".join(_defined(vocabulary))


def _defined(vocabulary: project.Vocabulary) -> Iterator[str]:
    for name in ("themes", "measures", "populations"):
        rows = [(f"`{term.term}`", prose(_cell(term.definition))) for term in getattr(vocabulary, name)]
        yield markdown([name[:-1], "definition"], rows)


def standard_notes() -> str:
    """Return the sentences that notes on records of protected persons are made of."""
    return "\n".join(f"- {note}" for note in vocabularies.STANDARD_NOTES)


def _cell(text: str) -> str:
    return " ".join(text.split())
