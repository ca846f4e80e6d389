"""`ro-crate-metadata.json`: the package as an RO-Crate 1.3, which archives of research data read.

It lists every file but itself. The descriptor and `SHA256SUMS` stand there without size and hash, since they hold the
hash of this file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from defectors_data.documents.catalogues.facts import PURPOSES, Facts, File, file
from defectors_data.documents.catalogues.schema_org import agent, described
from defectors_data.documents.readme import citation
from defectors_data.models.annotation import Contributor
from defectors_data.models.json_schema import encoded
from defectors_data.package.cells import Written

CRATE = "ro-crate-metadata.json"
VERSION = "https://w3id.org/ro/crate/1.3"
_LATER = {"datapackage.json": "application/json", "SHA256SUMS": "text/plain"}


def crate(facts: Facts, extra: Mapping[str, Written]) -> bytes:
    """Return `ro-crate-metadata.json`; `extra` are the files that are no tables, by path."""
    others = [file(path, written) for path, written in extra.items()]
    later = [(path, path, PURPOSES[path], media_type) for path, media_type in _LATER.items()]
    listed = [*map(_entity, [*facts.files, *others]), *(_named(*file) for file in later)]
    itself = {"@id": CRATE, "@type": "CreativeWork", "conformsTo": {"@id": VERSION}, "about": {"@id": "./"}}
    graph = [itself, _root(facts, listed), *listed, *_contextual(facts)]
    return encoded({"@context": f"{VERSION}/context", "@graph": graph})


def _root(facts: Facts, listed: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    dataset = facts.dataset
    publishers = [_mark(c) for c in dataset.contributors if "publisher" in c.roles]
    said = {key: _single(value) for key, value in described(facts).items()}
    return {
        "@id": "./",
        "@type": "Dataset",
        **said,
        "license": {"@id": dataset.licence.path},
        "spatialCoverage": _single([{"@id": _place(place)} for place in dataset.coverage.places]),
        "author": _single([_mark(contributor) for contributor in dataset.contributors]),
        **({"publisher": _single(publishers)} if publishers else {}),
        "creditText": citation(dataset),
        "hasPart": [{"@id": entity["@id"]} for entity in listed],
    }


def _single(value: Any) -> Any:
    """Return the only item of a list as itself, as RO-Crate asks for; anything else as it is."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _entity(file: File) -> dict[str, str]:
    named = _named(file.path, file.title, file.purpose, file.media_type)
    return {**named, "contentSize": str(file.size), "sha256": file.sha256}


def _named(path: str, title: str, purpose: str | None, media_type: str) -> dict[str, str]:
    about = {"description": purpose} if purpose else {}
    return {"@id": path, "@type": "File", "name": title, **about, "encodingFormat": media_type}


def _contextual(facts: Facts) -> list[dict[str, Any]]:
    """Return what is no file and is spoken of: licence, contributors, places."""
    dataset = facts.dataset
    licence = {
        "@id": dataset.licence.path,
        "@type": "CreativeWork",
        "name": dataset.licence.title,
        "description": f"Licence of the annotations. {dataset.rights.strip()}",
        "identifier": dataset.licence.name,
    }
    agents = [{**_mark(contributor), **agent(contributor)} for contributor in dataset.contributors]
    places = [{"@id": _place(place), "@type": "Place", "name": place} for place in dataset.coverage.places]
    return [licence, *agents, *places]


def _mark(contributor: Contributor) -> dict[str, str]:
    return {"@id": f"#{_slug(contributor.title)}"}


def _place(place: str) -> str:
    return f"#place-{_slug(place)}"


def _slug(text: str) -> str:
    """Return a name as a mark inside the file: its letters and digits, with hyphens between."""
    return "-".join("".join(c if c.isalnum() else " " for c in text.lower()).split())
