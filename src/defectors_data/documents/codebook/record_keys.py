"""Tables of the keys of records and of their permitted values, in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel

from defectors_data.documents.codebook import guidelines
from defectors_data.documents.markdown import prose
from defectors_data.models import annotation, closed_vocabularies, field_docstrings, project

_SPEAKERS = (
    annotation.NamedPerson,
    annotation.WithheldPerson,
    annotation.PseudonymousPerson,
    annotation.Group,
    annotation.Institution,
)
_MENTIONS = (annotation.Mention, annotation.ProtectedMention)
_RECORDS = {
    "Source": (annotation.Source,),
    "Speaker": _SPEAKERS,
    "Mention": _MENTIONS,
    "Testimony": (annotation.Testimony,),
    "Support": (annotation.Support,),
    "Figure": (annotation.Figure,),
    "Relation": (annotation.Relation,),
    "Waiver": (annotation.Waiver,),
    "Erratum": (annotation.Erratum,),
    "Reading": (annotation.Reading,),
    "Obtained": (annotation.TextOrigin,),
    "Earlier text": (annotation.EarlierText,),
}

_ONLY_PUBLISHED = (
    "RecordTable",
    "DetectionKind",
    "LedgerStatus",
    "TakedownReason",
    "ProvenanceBasis",
    "Verdict",
    "Times",
    "Outcome",
    "Region",
    "AgreementStatistic",
    "RecordChange",
)
"""Closed vocabularies that only published tables use; the descriptor explains their values."""


def records() -> str:
    """Return a list for each kind of record, with its keys and their meanings.

    A key that a rule explains is listed with the number of the rule. A meaning is printed once,
    with the first record that has the key; other records only name the key.
    """
    by_rule = _keys_of_rules()
    explained: set[str] = set()
    parts = []
    for title, models in _RECORDS.items():
        sentences = _keys(models)
        rows = []
        others = []
        for key, sentence in sentences.items():
            name = key.strip("`*\\")
            if name in by_rule:
                others.append(f"{key} ({by_rule[name]})")
            elif sentence in explained:
                others.append(key)
            else:
                rows.append(f"- {key}: {sentence}")
        explained |= set(sentences.values())
        if others:
            rows.append(f"- Also: {', '.join(others)}.")
        parts.append(f"### {title}\n\n" + "\n".join(rows))
    return "\n\n".join(parts)


def _keys_of_rules() -> dict[str, str]:
    """Return the keys with which rules begin, each with the last such rule, which explains it."""
    found: dict[str, str] = {}
    for rule in guidelines.rules():
        beginning = re.match(r"(Each )?(`\w+`(, | and )?)*", rule.says)
        if beginning:
            for key in re.findall(r"`(\w+)`", beginning[0]):
                found[key] = rule.rule
    return found


def _keys(models: Sequence[type[BaseModel]]) -> dict[str, str]:
    """Return the sentence on each key of models; an asterisk marks keys that all require."""
    found: dict[str, str] = {}
    for model in models:
        for name in model.model_fields:
            mark = "\\*" if _is_required(name, models) else ""
            sentence = _one_line(field_docstrings.sentence(model, name))
            found.setdefault(f"`{name}`{mark}", _first_clause(sentence))
    return found


def _is_required(name: str, models: Sequence[type[BaseModel]]) -> bool:
    """Return whether all models require a key."""
    for model in models:
        field = model.model_fields.get(name)
        if field is None or not field.is_required():
            return False
    return True


def _first_clause(text: str) -> str:
    """Return the first clause of the sentence on a column, which is about annotations.

    The rest is about the tables. A list of values is left out, because the values are among the closed vocabularies.
    """
    clause, *rest = re.split(r"; |\. |, joined by |[:,] a term of the table ", text, maxsplit=1)
    sentence, _, values = clause.partition(": ")
    if "(" in values or (rest and text[len(clause)] == ";"):
        clause = sentence
    return f"{clause.rstrip('.')}."


def permitted_values() -> str:
    """Return a list of the closed vocabularies that annotators use, with their meanings."""
    parts = []
    for name, meanings in closed_vocabularies.MEANINGS.items():
        if name not in _ONLY_PUBLISHED:
            title = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
            rows = [f"- `{value}`: {meaning}" for value, meaning in meanings.items()]
            parts.append(f"### {title.capitalize()}\n\n" + "\n".join(rows))
    return "\n\n".join(parts)


def open_vocabularies(vocabulary: project.Vocabulary) -> str:
    """Return a list for each open vocabulary, with its terms and their definitions."""
    parts = []
    for name in ("themes", "measures", "populations", "roles", "rank_classes", "branches", "units"):
        title = name.replace("_", " ").capitalize()
        terms = getattr(vocabulary, name)
        lines = [f"- `{term.term}`: {prose(_one_line(term.definition))}" for term in terms]
        if lines:
            parts.append(f"### {title}\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


def standard_notes(notes: Sequence[str]) -> str:
    """Return standard notes as a Markdown list."""
    return "\n".join(f"- {note}" for note in notes)


def _one_line(text: str) -> str:
    return " ".join(text.split())
