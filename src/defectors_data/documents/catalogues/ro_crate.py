"""`ro-crate-metadata.json`: the package as an RO-Crate 1.3 and a Process Run Crate.

Data archives read it. It lists every file except itself. The descriptor and `SHA256SUMS` are listed
without size and hash, because both contain the hash of this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from defectors_data.documents.catalogues.facts import PURPOSES, Facts, PublishedFile, published_file
from defectors_data.documents.catalogues.schema_org import agent, common_properties
from defectors_data.documents.readme import citation
from defectors_data.models.project import Contributor
from defectors_data.models.schemas import encoded
from defectors_data.package.cells import FileDigest

CRATE = "ro-crate-metadata.json"
_VERSION = "https://w3id.org/ro/crate/1.3"
_VERSIONS = (_VERSION, "https://w3id.org/ro/crate/1.1")
"""The versions of RO-Crate to which the file conforms; Process Run Crate requires the older one."""
_PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
_WRITTEN_LATER = {"datapackage.json": "application/json", "SHA256SUMS": "text/plain"}


def crate(facts: Facts, extra: Mapping[str, FileDigest]) -> bytes:
    """Return the content of `ro-crate-metadata.json`.

    `extra` has the digests of files that are not tables, by path.
    """
    entities = [_file(file) for file in facts.files]
    entities += [_file(published_file(path, written)) for path, written in extra.items()]
    for path, media_type in _WRITTEN_LATER.items():
        entities.append(_named(path, path, PURPOSES[path], media_type))
    versions = _links(_VERSIONS)
    itself = {"@id": CRATE, "@type": "CreativeWork", "conformsTo": versions, "about": {"@id": "./"}}
    run = _run(facts, extra)
    graph = [itself, _root(facts, entities), *entities, *run, *_contextual(facts)]
    return encoded({"@context": f"{_VERSION}/context", "@graph": graph})


def _root(facts: Facts, files: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    dataset = facts.dataset
    publishers = [each for each in dataset.contributors if "publisher" in each.roles]
    publisher = {"publisher": _single(_references(publishers))} if publishers else {}
    common = {key: _single(value) for key, value in common_properties(facts).items()}
    if places := dataset.coverage.places:
        common["spatialCoverage"] = _single(_links(map(_place, places)))
    return {
        "@id": "./",
        "@type": "Dataset",
        **common,
        "license": {"@id": dataset.licence.path},
        "author": _single(_references(dataset.contributors)),
        **publisher,
        "creditText": citation(dataset),
        "conformsTo": {"@id": _PROFILE},
        "mentions": _links(("#tables", "#documents")),
        "hasPart": _links(file["@id"] for file in files),
    }


def _run(facts: Facts, documents: Iterable[str]) -> list[dict[str, Any]]:
    """Return the two steps of the build as actions, with all entities that they need."""
    profile = {
        "@id": _PROFILE,
        "@type": ["CreativeWork", "Profile"],
        "name": "Process Run Crate",
        "version": "0.5",
    }
    program = {
        "@id": "#program",
        "@type": "SoftwareApplication",
        "name": "defectors-data",
        "version": facts.program,
        "url": facts.dataset.homepage or "README.md",
    }
    seeds = {
        "@id": "#seeds",
        "@type": "CreativeWork",
        "name": "The texts of the articles, which are not in this package",
    }
    annotations = {
        "@id": "#annotations",
        "@type": "CreativeWork",
        "name": "The annotations of the articles",
    }
    inputs = _links((seeds["@id"], annotations["@id"]))
    files = _links(file.path for file in facts.files)
    tables = "Checks the annotations against the seeds, and makes the tables."
    metadata = "Makes documents and metadata from the tables."
    steps = [
        _action(facts, "tables", tables, inputs, files),
        _action(facts, "documents", metadata, files, _links(documents)),
    ]
    return [profile, program, seeds, annotations, *steps]


_Links: TypeAlias = list[dict[str, str]]


def _links(ids: Iterable[str]) -> _Links:
    """Return references to entities."""
    return [{"@id": each} for each in ids]


def _action(
    facts: Facts, name: str, description: str, objects: _Links, results: _Links
) -> dict[str, Any]:
    """Return a step of the build."""
    return {
        "@id": f"#{name}",
        "@type": "CreateAction",
        "name": f"Build of the {name}",
        "description": description,
        "instrument": {"@id": "#program"},
        # An action requires an agent; the build does not know who runs it.
        "agent": _reference(facts.dataset.contributors[0]),
        "endTime": facts.created,
        "object": objects,
        "result": _single(results),
    }


def _single(value: Any) -> Any:
    """Return the item of a list with one item, as RO-Crate requires, or another value unchanged."""
    if isinstance(value, list) and len(value) == 1:
        return value[0]
    return value


def _file(file: PublishedFile) -> dict[str, str]:
    named = _named(file.path, file.title, file.purpose, file.media_type)
    return {**named, "contentSize": str(file.size), "sha256": file.sha256}


def _named(path: str, title: str, purpose: str | None, media_type: str) -> dict[str, str]:
    entity = {"@id": path, "@type": "File", "name": title}
    if purpose:
        entity["description"] = purpose
    return {**entity, "encodingFormat": media_type}


def _contextual(facts: Facts) -> Iterator[dict[str, Any]]:
    """Yield the contextual entities: licence, contributors and places."""
    dataset = facts.dataset
    yield {
        "@id": dataset.licence.path,
        "@type": "CreativeWork",
        "name": dataset.licence.title,
        "description": dataset.licensed,
        "identifier": dataset.licence.name,
    }
    for contributor in dataset.contributors:
        yield {**_reference(contributor), **agent(contributor)}
    for place in dataset.coverage.places:
        yield {"@id": _place(place), "@type": "Place", "name": place}


def _references(contributors: Iterable[Contributor]) -> list[dict[str, str]]:
    return [_reference(contributor) for contributor in contributors]


def _reference(contributor: Contributor) -> dict[str, str]:
    return {"@id": f"#{_slug(contributor.title)}"}


def _place(place: str) -> str:
    return f"#place-{_slug(place)}"


def _slug(text: str) -> str:
    """Return the words of a text in lower case, with hyphens between them."""
    words = re.findall(r"[^\W_]+", text.lower())
    return "-".join(words)
