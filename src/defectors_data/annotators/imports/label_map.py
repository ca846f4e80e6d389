"""What the labels, layers and codes of a file become: known ones, and those in a map of the user.

A label is known if it is a kind of record, or a term of the vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from defectors_data import given_files
from defectors_data.annotators.imports.formats.foreign_files import decoded
from defectors_data.annotators.imports.formats.foreign_records import ForeignLabel
from defectors_data.corpus import yaml_reader
from defectors_data.given_files import GivenFileError
from defectors_data.readers.exports.exported_records import RECORDS, VOCABULARIES

_TABLES = {"testimony": "testimonies", "figure": "figures"}
JOINED = ("speaker", "cue")
"""Roles of annotations that become part of a record."""
ROLES = (*_TABLES, *JOINED, "join", "note", "ignore")
_TERMS = {"theme": "themes", "measure": "measure", "population": "population"}
"""The columns with terms, by the key that a map uses."""
EXPECTED = f"expected {', '.join(ROLES)}, or a term such as {{theme: TERM}}"


class Term(NamedTuple):
    """A term of a vocabulary: its column and the term."""

    column: str
    term: str


Role = str | Term
"""What a label becomes: one of `ROLES`, the name of a table of records, or a term."""


class KnownLabels:
    """The labels that need no map, those of the map, and the names of speakers."""

    def __init__(
        self,
        terms: Mapping[str, Mapping[str, str]],
        speakers: Mapping[str, str],
        *,
        ignored: Iterable[str] = (),
    ) -> None:
        """Store the labels of the terms of each vocabulary, and the names of speakers."""
        self._map: dict[str, Role] = {_folded(name): "ignore" for name in ignored}
        self._tables = _by_name({table: _SINGULAR[table] for table in RECORDS})
        self._terms = {column: _by_name(terms[kind]) for column, kind in VOCABULARIES.items()}
        self._speakers = _by_name(speakers)

    def role(self, label: ForeignLabel) -> Role | None:
        """Return what a label becomes, or None if it is not known."""
        name = _folded(label.name)
        if name in self._map:
            return self._map[name]
        if not label.vocabulary and name in self._tables:
            return self._tables[name]
        for column, terms in self._terms.items():
            if name in terms and label.vocabulary in ("", VOCABULARIES[column]):
                return Term(column, terms[name])
        return None

    def speaker(self, name: str) -> str | None:
        """Return the id of the speaker with this name or id, or None."""
        return self._speakers.get(_folded(name))

    def add_map(self, path: Path) -> None:
        """Add the labels of a map.

        Raises:
            GivenFileError: the file is no map, or has a term that no vocabulary has.
            OSError: the file could not be read.
        """
        typed = yaml_reader.parse(decoded(given_files.read(path), path.name), file=path.name)
        for finding in typed.findings:
            problem = finding.message.rstrip(".")
            raise GivenFileError(problem, path.name, finding.place.line, finding.place.column)
        labels = None
        if isinstance(typed.value, dict):
            labels = typed.value.get("labels")
        if not isinstance(labels, dict) or len(typed.value) > 1:
            raise GivenFileError("expected a mapping `labels`, and no other key", path.name)
        for name, value in labels.items():
            role, place = _role(value), typed.places["labels", name]
            problem = ""
            if role is None:
                problem = f"{name}: {EXPECTED}"
            elif isinstance(role, Term) and role.term not in self._terms[role.column].values():
                problem = f"{role.term} is not in annotations/vocabulary.yaml"
            if problem or role is None:
                raise GivenFileError(problem, path.name, place.line, place.column)
            self._map[_folded(name)] = role


def _role(value: object) -> Role | None:
    """Return what a value of a map means, or None."""
    if isinstance(value, str) and value in ROLES:
        return _TABLES.get(value, value)
    if isinstance(value, dict) and len(value) == 1:
        [(key, term)] = value.items()
        if key in _TERMS and isinstance(term, str):
            return Term(_TERMS[key], term)
    return None


_SINGULAR = {"mentions": "mention", "testimonies": "testimony", "figures": "figure"}


def _by_name(labels: Mapping[str, str]) -> dict[str, str]:
    """Return codes by their labels and by themselves, folded."""
    found = {}
    for code, label in labels.items():
        found[_folded(label)] = code
        found[_folded(code)] = code
    return found


def _folded(name: str) -> str:
    return " ".join(name.casefold().replace("_", " ").split())
