"""The files `CITATION.cff` (Citation File Format 1.2.0) and `.zenodo.json` (Zenodo's metadata)."""

from __future__ import annotations

from html import escape

import yaml

from defectors_data.models.project import Contributor, Dataset
from defectors_data.models.schemas import encoded, filled

_ROLES = {"maintainer": "DataManager", "annotator": "DataCurator", "publisher": "Distributor"}
"""Zenodo's contributor types, by role; the type for any other role is `Other`."""


def citation_file(dataset: Dataset) -> bytes:
    """Return the content of `CITATION.cff`."""
    facts = {
        "cff-version": "1.2.0",
        "message": "If you use this dataset, please cite it as below.",
        "type": "dataset",
        "title": dataset.title,
        "abstract": dataset.summary.strip(),
        "authors": [_author(contributor) for contributor in dataset.contributors],
        "version": dataset.version,
        "date-released": dataset.released.isoformat(),
        "license": dataset.licence.name,
        "keywords": list(dataset.keywords),
        "url": dataset.homepage,
        "doi": dataset.doi,
    }
    body = yaml.safe_dump(filled(**facts), allow_unicode=True, sort_keys=False, width=100)
    return f"# Generated from dataset.yaml: make changes there.\n{body}".encode()


def _author(contributor: Contributor) -> dict[str, str]:
    if not contributor.family:
        return {"name": contributor.title}
    author = {"family-names": contributor.family}
    if contributor.given:
        author["given-names"] = contributor.given
    return author


def zenodo(dataset: Dataset) -> bytes:
    """Return the content of `.zenodo.json`."""
    creators, contributors = [], []
    for contributor in dataset.contributors:
        name = _inverted(contributor)
        creators.append({"name": name})
        for role in contributor.roles:
            kind = _ROLES.get(role, "Other")
            contributors.append({"name": name, "type": kind})
    facts = {
        "upload_type": "dataset",
        "title": dataset.title,
        "description": _paragraphs(dataset.described),
        "creators": creators,
        "contributors": contributors,
        "access_right": "open",
        "license": dataset.licence.name.lower(),  # Zenodo's licence identifiers are in lower case
        "version": dataset.version,
        "publication_date": dataset.released.isoformat(),
        "keywords": list(dataset.keywords),
        "locations": [{"place": place} for place in dataset.coverage.places],
        "notes": _paragraphs(dataset.licensed),
        "doi": dataset.doi,
    }
    return encoded(filled(**facts))


def _paragraphs(text: str) -> str:
    """Return a text as HTML, with a `p` element for each paragraph."""
    return "".join(f"<p>{escape(part, quote=False)}</p>" for part in text.split("\n\n"))


def _inverted(contributor: Contributor) -> str:
    """Return the name of a contributor; for a person, the family name comes first."""
    if contributor.family and contributor.given:
        return f"{contributor.family}, {contributor.given}"
    return contributor.family or contributor.given or contributor.title
