"""The dataset in schema.org terms, as JSON-LD that dataset search engines read in the page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from defectors_data.documents.readme import citation
from defectors_data.models.columns import sentence
from defectors_data.models.project import Contributor

if TYPE_CHECKING:
    from defectors_data.documents.catalogues.facts import Facts, PublishedFile, PublishedTable


def schema_org(facts: Facts) -> dict[str, Any]:
    """Return the dataset as a schema.org `Dataset`; paths are relative to the package's folder."""
    measured = [_measured(table) for table in facts.tables]
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        **common_properties(facts),
        "creator": agents(facts.dataset.contributors),
        "creditText": citation(facts.dataset),
        "isAccessibleForFree": True,
        "variableMeasured": measured,
        "distribution": [_download(file) for file in facts.files],
    }


def _measured(table: PublishedTable) -> dict[str, str]:
    name, description = table.row.TABLE.name, sentence(table.row)
    return {"@type": "PropertyValue", "name": name, "description": description}


def common_properties(facts: Facts) -> dict[str, Any]:
    """Return the properties that schema.org, Croissant and RO-Crate share."""
    dataset = facts.dataset
    properties: dict[str, Any] = {
        "name": dataset.title,
        "description": dataset.described,
        "version": dataset.version,
        "datePublished": dataset.released.isoformat(),
        "keywords": list(dataset.keywords),
        "license": dataset.licence.path,
        "usageInfo": dataset.licensed,
        "inLanguage": list(facts.languages),
    }
    if dataset.coverage.time:
        properties["temporalCoverage"] = dataset.coverage.time
    if places := dataset.coverage.places:
        properties["spatialCoverage"] = [{"@type": "Place", "name": place} for place in places]
    if dataset.homepage:
        properties["url"] = dataset.homepage
    if dataset.doi:
        properties["identifier"] = f"https://doi.org/{dataset.doi}"
    return properties


def agents(contributors: Iterable[Contributor]) -> list[dict[str, str]]:
    """Return contributors as schema.org `Person` or `Organization`."""
    return [agent(contributor) for contributor in contributors]


def agent(contributor: Contributor) -> dict[str, str]:
    """Return a contributor as a schema.org `Person` or `Organization`."""
    if not contributor.family:
        return {"@type": "Organization", "name": contributor.title}
    person = {
        "@type": "Person",
        "name": contributor.title,
        "familyName": contributor.family,
    }
    if contributor.given:
        person["givenName"] = contributor.given
    return person


def _download(file: PublishedFile) -> dict[str, str]:
    return {
        "@type": "DataDownload",
        "name": file.title,
        "contentUrl": file.path,
        "encodingFormat": file.media_type,
        "contentSize": f"{file.size} B",
        "sha256": file.sha256,
    }
