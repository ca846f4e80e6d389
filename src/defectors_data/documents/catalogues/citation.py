"""How the dataset is cited: as a line, in BibTeX, as `CITATION.cff` (Citation File Format 1.2.0), as `.zenodo.json`."""

from __future__ import annotations

from html import escape

import yaml

from defectors_data.models.annotation import Contributor, Dataset
from defectors_data.models.json_schema import encoded

_ROLES = {"maintainer": "DataManager", "annotator": "DataCurator", "publisher": "Distributor"}
"""Roles of contributors in the words of Zenodo; whatever is not here is `Other`."""


def citation_file(dataset: Dataset) -> bytes:
    """Return `CITATION.cff`."""
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
    head = "# Made from dataset.yaml by tools/docs/generate.py; a change belongs there.\n"
    filled = {key: value for key, value in facts.items() if value is not None}
    return (head + yaml.safe_dump(filled, allow_unicode=True, sort_keys=False, width=100)).encode()


def _author(contributor: Contributor) -> dict[str, str]:
    if not contributor.family:
        return {"name": contributor.title}
    return {"family-names": contributor.family, **({"given-names": contributor.given} if contributor.given else {})}


def zenodo(dataset: Dataset) -> bytes:
    """Return `.zenodo.json`, as Zenodo's deposition API describes it."""
    facts = {
        "upload_type": "dataset",
        "title": dataset.title,
        "description": f"<p>{escape(dataset.summary.strip(), quote=False)}</p>",
        "creators": [{"name": inverted(contributor)} for contributor in dataset.contributors],
        "contributors": [
            {"name": inverted(contributor), "type": _ROLES.get(role, "Other")}
            for contributor in dataset.contributors
            for role in contributor.roles
        ],
        "access_right": "open",
        "license": dataset.licence.name.lower(),
        "version": dataset.version,
        "publication_date": dataset.released.isoformat(),
        "keywords": list(dataset.keywords),
        "locations": [{"place": place} for place in dataset.coverage.places],
        "notes": f"<p>{escape(dataset.rights.strip(), quote=False)}</p>",
        "doi": dataset.doi,
    }
    return encoded({key: value for key, value in facts.items() if value is not None})


def inverted(contributor: Contributor) -> str:
    """Return a contributor's name as it is sorted: a person's with the family name first."""
    return ", ".join(part for part in (contributor.family, contributor.given) if part) or contributor.title
