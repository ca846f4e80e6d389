"""The metadata in the root of a repository, by which hosts and archives describe it.

These are `CITATION.cff` (Citation File Format 1.2.0), `.zenodo.json` (Zenodo's metadata) and
`codemeta.json` (CodeMeta 3.0).
"""

from __future__ import annotations

from html import escape

import yaml

from defectors_data.documents.catalogues.schema_org import agents
from defectors_data.models.project import Contributor, Dataset
from defectors_data.models.schemas import encoded, filled

_ROLES = {"maintainer": "DataManager", "annotator": "DataCurator", "publisher": "Distributor"}
"""Zenodo's contributor types, by role; the type for any other role is `Other`."""


def root_files(dataset: Dataset) -> dict[str, bytes]:
    """Return the metadata in the root of the repository of a corpus, by file name."""
    return {
        "CITATION.cff": citation_file(dataset),
        ".zenodo.json": zenodo(dataset),
        "codemeta.json": codemeta(dataset),
    }


def codemeta(dataset: Dataset) -> bytes:
    """Return the content of `codemeta.json`."""
    facts = {
        "@context": "https://w3id.org/codemeta/3.0",
        "@type": "Dataset",
        "name": dataset.title,
        "description": dataset.described,
        "version": dataset.version,
        "license": dataset.licence.path,
        "author": agents(dataset.contributors),
        "keywords": list(dataset.keywords),
        "datePublished": dataset.released.isoformat(),
        "url": dataset.homepage,
        "identifier": dataset.doi,
    }
    return encoded(filled(**facts))


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
        "locations": [{"place": place} for place in dataset.coverage.places] or None,
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
