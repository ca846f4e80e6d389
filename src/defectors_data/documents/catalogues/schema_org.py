"""The dataset in schema.org terms, as JSON-LD that dataset search engines read in the page."""

from __future__ import annotations

from typing import Any

from defectors_data.documents.catalogues.facts import Facts, PublishedFile
from defectors_data.documents.readme import citation
from defectors_data.models.project import Contributor
from defectors_data.models.tables import sentence


def schema_org(facts: Facts) -> dict[str, Any]:
    """Return the dataset as a schema.org `Dataset`; paths are relative to the package's folder."""
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        **common_properties(facts),
        "creator": [agent(contributor) for contributor in facts.dataset.contributors],
        "creditText": citation(facts.dataset),
        "isAccessibleForFree": True,
        "variableMeasured": [
            {
                "@type": "PropertyValue",
                "name": table.row.TABLE.name,
                "description": sentence(table.row),
            }
            for table in facts.tables
        ],
        "distribution": [_download(file) for file in facts.files],
    }


def common_properties(facts: Facts) -> dict[str, Any]:
    """Return the properties that schema.org, Croissant and RO-Crate share."""
    dataset = facts.dataset
    return {
        "name": dataset.title,
        "description": dataset.summary.strip(),
        "version": dataset.version,
        "datePublished": dataset.released.isoformat(),
        "keywords": list(dataset.keywords),
        "license": dataset.licence.path,
        "usageInfo": dataset.rights.strip(),
        "inLanguage": list(facts.languages),
        "temporalCoverage": dataset.coverage.time,
        "spatialCoverage": [{"@type": "Place", "name": place} for place in dataset.coverage.places],
        **({"url": dataset.homepage} if dataset.homepage else {}),
        **({"identifier": f"https://doi.org/{dataset.doi}"} if dataset.doi else {}),
    }


def agent(contributor: Contributor) -> dict[str, str]:
    """Return a contributor as a schema.org `Person` or `Organization`."""
    if not contributor.family:
        return {"@type": "Organization", "name": contributor.title}
    given = {"givenName": contributor.given} if contributor.given else {}
    return {"@type": "Person", "name": contributor.title, "familyName": contributor.family, **given}


def _download(file: PublishedFile) -> dict[str, str]:
    return {
        "@type": "DataDownload",
        "name": file.title,
        "contentUrl": file.path,
        "encodingFormat": file.media_type,
        "contentSize": f"{file.size} B",
        "sha256": file.sha256,
    }
