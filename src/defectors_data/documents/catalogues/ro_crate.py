"""`ro-crate-metadata.json`: the package as an RO-Crate 1.3 and a Process Run Crate, for data archives.

It lists every file except itself. The descriptor and `SHA256SUMS` are listed without size and hash, because both
contain the hash of this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from defectors_data.documents.catalogues.facts import PURPOSES, Facts, PublishedFile, published_file
from defectors_data.documents.catalogues.schema_org import agent, common_properties
from defectors_data.documents.readme import citation
from defectors_data.models.project import Contributor
from defectors_data.models.schemas import encoded
from defectors_data.package.cells import FileDigest

CRATE = "ro-crate-metadata.json"
_VERSION = "https://w3id.org/ro/crate/1.3"
_VERSIONS = (_VERSION, "https://w3id.org/ro/crate/1.1")
"""The versions of RO-Crate to which the file conforms; Process Run Crate is defined for the older one."""
_PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
_WRITTEN_LATER = {"datapackage.json": "application/json", "SHA256SUMS": "text/plain"}


def crate(facts: Facts, extra: Mapping[str, FileDigest]) -> bytes:
    """Return the content of `ro-crate-metadata.json`; `extra` has the digests of files that are not tables, by path."""
    files = [*facts.files, *(published_file(path, written) for path, written in extra.items())]
    later = [
        _named(path, path, PURPOSES[path], media_type)
        for path, media_type in _WRITTEN_LATER.items()
    ]
    entities = [*map(_file, files), *later]
    versions = [{"@id": each} for each in _VERSIONS]
    itself = {"@id": CRATE, "@type": "CreativeWork", "conformsTo": versions, "about": {"@id": "./"}}
    run = _run(facts, extra)
    graph = [itself, _root(facts, entities), *entities, *run, *_contextual(facts)]
    return encoded({"@context": f"{_VERSION}/context", "@graph": graph})


def _root(facts: Facts, files: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    dataset = facts.dataset
    publishers = [_reference(c) for c in dataset.contributors if "publisher" in c.roles]
    return {
        "@id": "./",
        "@type": "Dataset",
        **{key: _single(value) for key, value in common_properties(facts).items()},
        "license": {"@id": dataset.licence.path},
        "spatialCoverage": _single([{"@id": _place(place)} for place in dataset.coverage.places]),
        "author": _single([_reference(contributor) for contributor in dataset.contributors]),
        **({"publisher": _single(publishers)} if publishers else {}),
        "creditText": citation(dataset),
        "conformsTo": {"@id": _PROFILE},
        "mentions": [{"@id": "#tables"}, {"@id": "#documents"}],
        "hasPart": [{"@id": file["@id"]} for file in files],
    }


def _run(facts: Facts, documents: Iterable[str]) -> list[dict[str, Any]]:
    """Return the two steps of the build as actions, with the profile, the program and the inputs."""
    # An action requires an agent; the build does not know who runs it, so the first contributor is named.
    agent = _reference(facts.dataset.contributors[0])
    named = {"name": "defectors-data", "version": facts.program}
    files = [{"@id": file.path} for file in facts.files]
    steps = {
        "tables": (
            "Checks the annotations against the seeds, and makes the tables.",
            _INPUTS,
            files,
        ),
        "documents": (
            "Makes documents and metadata from the tables.",
            files,
            [{"@id": path} for path in documents],
        ),
    }
    return [
        {
            "@id": _PROFILE,
            "@type": ["CreativeWork", "Profile"],
            "name": "Process Run Crate",
            "version": "0.5",
        },
        {
            "@id": "#program",
            "@type": "SoftwareApplication",
            **named,
            "url": facts.dataset.homepage or "README.md",
        },
        {
            "@id": "#seeds",
            "@type": "CreativeWork",
            "name": "The texts of the articles, which are not in this package",
        },
        {"@id": "#annotations", "@type": "CreativeWork", "name": "The annotations of the articles"},
        *(
            {
                "@id": f"#{name}",
                "@type": "CreateAction",
                "name": f"Build of the {name}",
                "description": description,
                "instrument": {"@id": "#program"},
                "agent": agent,
                "endTime": facts.created,
                "object": objects,
                "result": _single(results),
            }
            for name, (description, objects, results) in steps.items()
        ),
    ]


_INPUTS = [{"@id": "#seeds"}, {"@id": "#annotations"}]


def _single(value: Any) -> Any:
    """Return the only item of a list with one item, as RO-Crate requires; return any other value unchanged."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _file(file: PublishedFile) -> dict[str, str]:
    named = _named(file.path, file.title, file.purpose, file.media_type)
    return {**named, "contentSize": str(file.size), "sha256": file.sha256}


def _named(path: str, title: str, purpose: str | None, media_type: str) -> dict[str, str]:
    description = {"description": purpose} if purpose else {}
    return {
        "@id": path,
        "@type": "File",
        "name": title,
        **description,
        "encodingFormat": media_type,
    }


def _contextual(facts: Facts) -> list[dict[str, Any]]:
    """Return the contextual entities: licence, contributors and places."""
    dataset = facts.dataset
    licence = {
        "@id": dataset.licence.path,
        "@type": "CreativeWork",
        "name": dataset.licence.title,
        "description": f"Licence of the annotations. {dataset.rights.strip()}",
        "identifier": dataset.licence.name,
    }
    agents = [
        {**_reference(contributor), **agent(contributor)} for contributor in dataset.contributors
    ]
    places = [
        {"@id": _place(place), "@type": "Place", "name": place} for place in dataset.coverage.places
    ]
    return [licence, *agents, *places]


def _reference(contributor: Contributor) -> dict[str, str]:
    return {"@id": f"#{_slug(contributor.title)}"}


def _place(place: str) -> str:
    return f"#place-{_slug(place)}"


def _slug(text: str) -> str:
    """Return the words of a text in lower case with hyphens between them, for an id in this file."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
