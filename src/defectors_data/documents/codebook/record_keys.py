"""Tables of the keys of records and of their permitted values, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.documents.readme import markdown, prose
from defectors_data.models import annotation, closed_vocabularies, field_docstrings, project

_RECORDS = (
    ("Source", annotation.Source),
    ("Speaker: a named person", annotation.NamedPerson),
    ("Speaker: withheld or unnamed", annotation.WithheldPerson),
    ("Speaker: a name that may be a pseudonym", annotation.PseudonymousPerson),
    ("Speaker: a group", annotation.Group),
    ("Speaker: an institution", annotation.Institution),
    ("Mention of a publicly named speaker", annotation.Mention),
    ("Mention of any other speaker", annotation.ProtectedMention),
    ("Testimony", annotation.Testimony),
    ("Support", annotation.Support),
    ("Figure", annotation.Figure),
    ("Relation", annotation.Relation),
    ("Waiver", annotation.Waiver),
    ("Erratum", annotation.Erratum),
    ("Reading", annotation.Reading),
    ("Obtained", annotation.TextOrigin),
    ("Earlier text", annotation.EarlierText),
)

_NOT_ANNOTATED = ("RecordTable", "DetectionKind", "LedgerStatus", "TakedownReason")
"""Closed vocabularies that only published tables use."""


def records() -> str:
    """Return a table for each kind of record, with its keys and their meanings."""
    parts = []
    for title, model in _RECORDS:
        rows = [
            (f"`{name}`", "yes" if field.is_required() else "", _one_line(field_docstrings.sentence(model, name)))
            for name, field in model.model_fields.items()
        ]
        parts.append(f"### {title}\n\n{markdown(['key', 'required', 'meaning'], rows)}")
    return "\n\n".join(parts)


def permitted_values() -> str:
    """Return a table for each closed vocabulary, with its values and their meanings."""
    parts = []
    for name, meanings in closed_vocabularies.MEANINGS.items():
        if name not in _NOT_ANNOTATED:
            title = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).capitalize()
            rows = [(f"`{value}`", meaning) for value, meaning in meanings.items()]
            parts.append(f"### {title}\n\n{markdown(['value', 'meaning'], rows)}")
    return "\n\n".join(parts)


def open_vocabularies(vocabulary: project.Vocabulary) -> str:
    """Return a table for each open vocabulary, with its terms and their definitions."""
    parts = []
    names = {"themes": "theme", "measures": "measure", "populations": "population", "roles": "role"}
    names |= {"rank_classes": "rank class", "branches": "branch", "units": "unit"}
    for name, heading in names.items():
        rows = [(f"`{term.term}`", prose(_one_line(term.definition))) for term in getattr(vocabulary, name)]
        parts.append(markdown([heading, "definition"], rows))
    return "\n\n".join(parts)


def standard_notes(notes: Sequence[str]) -> str:
    """Return standard notes as a Markdown list."""
    return "\n".join(f"- {note}" for note in notes)


def _one_line(text: str) -> str:
    return " ".join(text.split())
