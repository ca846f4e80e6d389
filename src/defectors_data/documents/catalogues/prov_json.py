"""`prov.json`: the provenance of the package in W3C PROV-JSON.

It records how, when and by whom the seeds were obtained, the articles were read and the tables were built. Contributors
are identified by name, readers by number.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from defectors_data.documents.catalogues.facts import Facts
from defectors_data.models.schemas import encoded
from defectors_data.package.tables_reader import PackageTables

PROV = "prov.json"
_KINDS = {True: "prov:Person", False: "prov:Organization"}


def prov(facts: Facts, tables: PackageTables) -> bytes:
    """Return the content of `prov.json`, made from the facts and the finished tables."""
    graph = _Graph()
    program = graph.add("agent", "defectors-data", "prov:SoftwareAgent", label=f"defectors-data {facts.program}")
    graph.add("activity", "build", **{"prov:endTime": facts.created})
    graph.relate("wasAssociatedWith", activity="build", agent=program)
    for number, contributor in enumerate(facts.dataset.contributors, 1):
        name = graph.add(
            "agent", f"contributor-{number}", _KINDS[contributor.family is not None], label=contributor.title
        )
        graph.relate("actedOnBehalfOf", delegate=program, responsible=name)
    for file in facts.files:
        graph.add("entity", file.path, label=file.title, **{"d:sha256": file.sha256})
        graph.relate("wasGeneratedBy", entity=file.path, activity="build")
    for source in tables.rows("sources"):
        _source(graph, source)
    for reading in tables.rows("readings"):
        reader = graph.add("agent", reading["reader"], "prov:Person")
        name = graph.add(
            "activity", f"reading-{reading['reading_id']}", **{"prov:endTime": f"{reading['date']}T00:00:00"}
        )
        graph.found["activity"][f"d:{name}"]["d:purpose"] = reading["purpose"]
        graph.relate("wasAssociatedWith", activity=name, agent=reader)
        graph.relate("used", activity=name, entity=f"seed-{reading['source_id']}")
        graph.relate("wasInfluencedBy", influencee=f"annotations-{reading['source_id']}", influencer=name)
    prefix = {"d": f"urn:x-{facts.dataset.name}:{facts.dataset.version}:"}
    return encoded({"prefix": prefix, **graph.found})


class _Graph:
    """The elements and relations of a PROV-JSON document, by kind and name."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, Any]] = defaultdict(dict)

    def add(self, kind: str, name: str, of: str | None = None, *, label: str | None = None, **facts: Any) -> str:
        # In PROV-JSON, a qualified name is written as a typed literal.
        typed = {"prov:type": {"$": of, "type": "prov:QUALIFIED_NAME"}} if of else {}
        labelled = {"prov:label": label} if label else {}
        known = {key: value for key, value in facts.items() if value}
        self.found[kind][f"d:{name}"] = {**typed, **labelled, **known}
        return name

    def relate(self, kind: str, **ends: str) -> None:
        related = {f"prov:{role}": f"d:{name}" for role, name in ends.items()}
        self.found[kind][f"_:{kind}{len(self.found[kind]) + 1}"] = related


def _source(graph: _Graph, source: dict[str, Any]) -> None:
    """Add a source with its seed, the earlier texts of the seed, how the seed was obtained, and the annotations."""
    name = source["source_id"]
    seed = graph.add("entity", f"seed-{name}", label=source["seed_file"], **{"d:sha256": source["sha256"]})
    annotations = graph.add("entity", f"annotations-{name}", label=f"Annotations of {name}")
    graph.relate("wasDerivedFrom", generatedEntity=annotations, usedEntity=seed)
    for entity in (seed, annotations):
        graph.relate("used", activity="build", entity=entity)
    for number, checksum in enumerate((source["earlier_sha256"] or "").split(";"), 1):
        if checksum:
            earlier = graph.add("entity", f"seed-{name}-{number}", **{"d:sha256": checksum})
            graph.relate("wasDerivedFrom", generatedEntity=seed, usedEntity=earlier)
    day, address, by, checksum = (source[f"obtained_{key}"] for key in ("date", "address", "by", "sha256"))
    if day or address or by or checksum:
        obtaining = graph.add("activity", f"obtaining-{name}", **{"prov:endTime": day and f"{day}T00:00:00"})
        graph.relate("wasGeneratedBy", entity=seed, activity=obtaining)
        page = graph.add("entity", f"article-{name}", **{"d:address": address, "d:sha256": checksum})
        graph.relate("used", activity=obtaining, entity=page)
        if by:
            graph.relate("wasAssociatedWith", activity=obtaining, agent=graph.add("agent", by, "prov:Person"))
