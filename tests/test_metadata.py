"""Whatever describes the dataset says the same: each fact is read out of every format and compared."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow.parquet as pq
import pytest
import yaml

from conftest import INVENTED, PROJECT, built, dataset_of, edit
from defectors_data.documents import catalogues, readme
from defectors_data.models.columns import columns, sentence
from defectors_data.models.fields import edtf_bounds
from defectors_data.models.project import Dataset
from defectors_data.models.tables import ROWS
from defectors_data.package import published_folder
from defectors_data.package.cells import FileDigest
from defectors_data.package.tables_reader import PackageTables
from defectors_data.package.tables_writer import WrittenTable

DIST = PROJECT / "dist"
TABLES = [row for row in ROWS if (DIST / f"data/{row.TABLE.name}.parquet").exists()]
"""The tables of the package: some are there only if they have rows."""
PACKAGE = PackageTables(DIST, [row.TABLE.name for row in TABLES])
CFF = json.loads((PROJECT / "tests/vendored/citation-file-format-1.2.0.schema.json").read_text(encoding="utf-8"))


def facts_of(root: Path, folder: Path) -> catalogues.Facts:
    names = [row.TABLE.name for row in ROWS if (folder / f"data/{row.TABLE.name}.parquet").exists()]
    tables, files = PackageTables(folder, names), published_folder.contents(folder)
    finished = {
        name: WrittenTable(
            tables.number(name),
            tuple(tables.column_names(name)),
            *(FileDigest.of(files[f"data/{name}.{of}"]) for of in ("csv", "parquet")),
        )
        for name in tables.names
    }
    return catalogues.gather(dataset_of(root), tables, finished)


DATASET = dataset_of(PROJECT)
FACTS = facts_of(PROJECT, DIST)


def content(name: str) -> Any:
    return json.loads((DIST / name).read_text(encoding="utf-8"))


DESCRIPTOR, CROISSANT, CRATE = map(content, ("datapackage.json", "croissant.json", "ro-crate-metadata.json"))
ENTITIES = {entity["@id"]: entity for entity in CRATE["@graph"]}
ROOT = ENTITIES["./"]
PAGE = (DIST / "index.html").read_text(encoding="utf-8")
SCHEMA_ORG = json.loads(PAGE.partition('type="application/ld+json">')[2].partition("</script>")[0])
CITATION = yaml.safe_load((PROJECT / "CITATION.cff").read_text(encoding="utf-8"))
CODEMETA = json.loads((PROJECT / "codemeta.json").read_text(encoding="utf-8"))
ZENODO = json.loads((PROJECT / ".zenodo.json").read_text(encoding="utf-8"))
README = (DIST / "README.md").read_text(encoding="utf-8")
DATASHEET = (DIST / "datasheet.md").read_text(encoding="utf-8")
LICENCE = (DIST / "LICENSE").read_text(encoding="utf-8")
HEADER = yaml.safe_load(README.split("---\n")[1])
PLAIN = yaml.load((PROJECT / "dataset.yaml").read_text(encoding="utf-8"), yaml.CBaseLoader)  # noqa: S506  # as typed
PROJECT_FILE = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
TYPES = {"integer": "Integer", "number": "Float", "string": "Text", "boolean": "Boolean", "date": "Date"}
CHANGES = (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")


def one(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    assert found, pattern
    return found[1]


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


SAID: dict[str, tuple[object, dict[str, object]]] = {
    "title": (
        PLAIN["title"],
        {
            "datapackage": DESCRIPTOR["title"],
            "croissant": CROISSANT["name"],
            "crate": ROOT["name"],
            "schema.org": SCHEMA_ORG["name"],
            "cff": CITATION["title"],
            "zenodo": ZENODO["title"],
            "header": HEADER["pretty_name"],
            "readme": one(r"^# (.+)$", README),
        },
    ),
    "summary": (
        PLAIN["summary"].strip(),
        {
            "datapackage": DESCRIPTOR["description"].partition("\n\n")[0],
            "croissant": CROISSANT["description"].partition("\n\n")[0],
            "crate": ROOT["description"].partition("\n\n")[0],
            "schema.org": SCHEMA_ORG["description"].partition("\n\n")[0],
            "cff": CITATION["abstract"],
            "zenodo": ZENODO["description"].removeprefix("<p>").partition("</p>")[0],
        },
    ),
    "version": (
        PLAIN["version"],
        {
            "datapackage": DESCRIPTOR["version"],
            "croissant": CROISSANT["version"],
            "crate": ROOT["version"],
            "schema.org": SCHEMA_ORG["version"],
            "cff": CITATION["version"],
            "zenodo": ZENODO["version"],
            "readme": one(r"^Version (\S+), released", README),
            "licence": one(r"^Version (\S+), by", LICENCE),
            "program": importlib.metadata.version("defectors-data"),
            "codemeta": CODEMETA["version"],
            "pyproject": one(r'^version = "(.+)"$', PROJECT_FILE),
            "changelog": one(r"^## (\S+) \(", CHANGES),
        },
    ),
    "day of the release": (
        PLAIN["released"],
        {
            "datapackage": DESCRIPTOR["created"].removesuffix("T00:00:00Z"),
            "croissant": CROISSANT["datePublished"],
            "crate": ROOT["datePublished"],
            "schema.org": SCHEMA_ORG["datePublished"],
            "cff": str(CITATION["date-released"]),
            "zenodo": ZENODO["publication_date"],
            "readme": one(r"released (\S+)\. This is", README),
            "changelog": one(r"^## \S+ \((.+)\)$", CHANGES),
        },
    ),
    "licence": (
        PLAIN["licence"]["name"].lower(),
        {
            "datapackage": DESCRIPTOR["licenses"][0]["name"].lower(),
            "crate": ENTITIES[PLAIN["licence"]["path"]]["identifier"].lower(),
            "cff": CITATION["license"].lower(),
            "zenodo": ZENODO["license"],
            "header": HEADER["license"],
            "licence": one(r"\(([\w.-]+)\)$", LICENCE).lower(),
        },
    ),
    "address of the licence": (
        PLAIN["licence"]["path"],
        {
            "datapackage": DESCRIPTOR["licenses"][0]["path"],
            "croissant": CROISSANT["license"],
            "crate": ROOT["license"]["@id"],
            "schema.org": SCHEMA_ORG["license"],
            "readme": one(r"The licence: (.+)\.$", README),
            "licence": one(r"^ +(https:\S+)$", LICENCE),
        },
    ),
    "contributors": (
        [contributor["title"] for contributor in PLAIN["contributors"]],
        {
            "datapackage": [contributor["title"] for contributor in DESCRIPTOR["contributors"]],
            "croissant": [agent["name"] for agent in CROISSANT["creator"]],
            "crate": [ENTITIES[agent["@id"]]["name"] for agent in listed(ROOT["author"])],
            "schema.org": [agent["name"] for agent in SCHEMA_ORG["creator"]],
            "cff": [author["name"] for author in CITATION["authors"]],
            "zenodo": [creator["name"] for creator in ZENODO["creators"]],
            "codemeta": [author["name"] for author in CODEMETA["author"]],
            "pyproject": re.findall(r'authors = \[\{ name = "(.+?)" \}\]', PROJECT_FILE),
        },
    ),
    "keywords": (
        PLAIN["keywords"],
        {
            "datapackage": DESCRIPTOR["keywords"],
            "croissant": CROISSANT["keywords"],
            "crate": ROOT["keywords"],
            "schema.org": SCHEMA_ORG["keywords"],
            "cff": CITATION["keywords"],
            "zenodo": ZENODO["keywords"],
            "header": HEADER["tags"],
        },
    ),
    "time": (
        PLAIN["coverage"]["time"],
        {
            "datapackage": DESCRIPTOR["temporal"]["name"],
            "croissant": CROISSANT["temporalCoverage"],
            "crate": ROOT["temporalCoverage"],
            "schema.org": SCHEMA_ORG["temporalCoverage"],
        },
    ),
    "places": (
        PLAIN["coverage"]["places"],
        {
            "datapackage": [place["name"] for place in DESCRIPTOR["spatial"]],
            "croissant": [place["name"] for place in CROISSANT["spatialCoverage"]],
            "crate": [ENTITIES[place["@id"]]["name"] for place in ROOT["spatialCoverage"]],
            "schema.org": [place["name"] for place in SCHEMA_ORG["spatialCoverage"]],
            "zenodo": [place["place"] for place in ZENODO["locations"]],
        },
    ),
    "languages": (
        sorted({row["language"] for row in pq.read_table(DIST / "data/sources.parquet").to_pylist()}),
        {
            "croissant": CROISSANT["inLanguage"],
            "crate": listed(ROOT["inLanguage"]),
            "schema.org": SCHEMA_ORG["inLanguage"],
            "header": HEADER["language"],
        },
    ),
    "what the licence covers": (
        DATASET.licensed,
        {
            "croissant": CROISSANT["usageInfo"],
            "crate": ROOT["usageInfo"],
            "schema.org": SCHEMA_ORG["usageInfo"],
            "zenodo": ZENODO["description"].rpartition("<p>")[2].removesuffix("</p>"),
            "datapackage": DESCRIPTOR["description"].split("\n\n")[1],
            "croissant's description": CROISSANT["description"].rpartition("\n\n")[2],
            "readme": one(r"^(The annotations are licensed under .+) The licence: .+$", README),
        },
    ),
    "how to cite": (
        readme.citation(DATASET),
        {
            "croissant": CROISSANT["citeAs"],
            "crate": ROOT["creditText"],
            "schema.org": SCHEMA_ORG["creditText"],
            "readme": one(r"^Cite as: (.+)$", README),
            "readme of the project": one(r"^Cite as: (.+)$", (PROJECT / "README.md").read_text(encoding="utf-8")),
        },
    ),
    "what it must not be used for": (
        [use.strip() for use in PLAIN["not_for"]],
        {
            "croissant": [
                f"{use[0].upper()}{use[1:].strip()}"
                for use in re.split(r"It must not be used ", CROISSANT["rai:dataSocialImpact"])[1:]
            ],
        },
    ),
    "what is sensitive": (
        [PLAIN["sensitive"].strip(), one(r"^(Of a person who .*)$", DATASHEET)],
        {"croissant": CROISSANT["rai:personalSensitiveInformation"]},
    ),
    "tables": (
        [row.TABLE.name for row in TABLES],
        {
            "datapackage": [r["name"] for r in DESCRIPTOR["resources"] if r.get("type") == "table"],
            "croissant": [table["name"] for table in CROISSANT["recordSet"]],
            "schema.org": [variable["name"] for variable in SCHEMA_ORG["variableMeasured"]],
            "readme": re.findall(r"^\| `(\w+)` \|", README, re.MULTILINE),
        },
    ),
    "rows": (
        {row.TABLE.name: pq.read_metadata(DIST / f"data/{row.TABLE.name}.parquet").num_rows for row in TABLES},
        {
            "readme": {
                name: int(count) for name, count in re.findall(r"^\| `(\w+)` \| (\d+) \|", README, re.MULTILINE)
            },
        },
    ),
    "what the tables hold": (
        {row.TABLE.name: sentence(row) for row in TABLES},
        {
            "datapackage": {
                r["name"]: r["description"].partition(" Rows are ordered by")[0]
                for r in DESCRIPTOR["resources"]
                if r.get("type") == "table"
            },
            "croissant": {table["name"]: table["description"] for table in CROISSANT["recordSet"]},
            "crate": {row.TABLE.name: ENTITIES[f"data/{row.TABLE.name}.csv"]["description"] for row in TABLES},
            "schema.org": {variable["name"]: variable["description"] for variable in SCHEMA_ORG["variableMeasured"]},
            "readme": dict(re.findall(r"^\| `(\w+)` \| \d+ \| (.+) \|$", README, re.MULTILINE)),
        },
    ),
    "columns": (
        {
            row.TABLE.name: {
                column.name: column.description for column in columns(row, PACKAGE.column_names(row.TABLE.name))
            }
            for row in TABLES
        },
        {
            "datapackage": {
                r["name"]: {field["name"]: field["description"] for field in r["schema"]["fields"]}
                for r in DESCRIPTOR["resources"]
                if r.get("type") == "table"
            },
            "croissant": {
                table["name"]: {field["name"]: field["description"] for field in table["field"]}
                for table in CROISSANT["recordSet"]
            },
        },
    ),
    "types of columns": (
        [TYPES[field["type"]] for r in DESCRIPTOR["resources"] for field in r.get("schema", {}).get("fields", [])],
        {
            "croissant": [
                field["dataType"].removeprefix("sc:") for table in CROISSANT["recordSet"] for field in table["field"]
            ]
        },
    ),
    "keys": (
        {r["name"]: r["schema"]["primaryKey"] for r in DESCRIPTOR["resources"] if r.get("type") == "table"},
        {
            "croissant": {
                table["name"]: [table["key"]["@id"].removeprefix(f"{table['name']}/")]
                for table in CROISSANT["recordSet"]
            }
        },
    ),
}


@pytest.mark.parametrize("fact", sorted(SAID))
def test_a_fact_is_the_same_in_every_document(fact: str) -> None:
    said, everywhere = SAID[fact]
    assert said
    assert everywhere
    assert {place: value for place, value in everywhere.items() if value != said} == {}


def test_files_are_the_same_wherever_they_are_listed() -> None:
    there = {p.relative_to(DIST).as_posix(): p.read_bytes() for p in DIST.rglob("*") if p.is_file()}
    proof = {path: (len(data), hashlib.sha256(data).hexdigest()) for path, data in there.items()}
    tables = {path for path in there if path.startswith("data/")}
    assert len(tables) == 2 * len(TABLES)

    def proved(files: list[Any], path: str, size: str) -> dict[str, tuple[int, str]]:
        found = {item[path]: (int(item[size].removesuffix(" B")), item["sha256"]) for item in files}
        assert len(found) == len(files)
        return found

    crate = [entity for entity in ENTITIES.values() if entity["@type"] == "File"]
    bare = {"datapackage.json", "SHA256SUMS"}
    assert {entity["@id"] for entity in crate} == there.keys() - {"ro-crate-metadata.json"}
    assert {entity["@id"] for entity in crate if "sha256" not in entity} == bare
    assert {part["@id"] for part in ROOT["hasPart"]} == {entity["@id"] for entity in crate}
    hashed = proved([entity for entity in crate if "sha256" in entity], "@id", "contentSize")
    assert hashed == {path: proof[path] for path in there.keys() - bare - {"ro-crate-metadata.json"}}
    assert proved(CROISSANT["distribution"], "contentUrl", "contentSize") == {path: proof[path] for path in tables}
    assert proved(SCHEMA_ORG["distribution"], "contentUrl", "contentSize") == {path: proof[path] for path in tables}
    assert {(r["path"], r["bytes"], r["hash"]) for r in DESCRIPTOR["resources"]} == {
        (path, size, f"sha256:{digest}") for path, (size, digest) in proof.items() if path not in bare
    }


def test_media_types_are_the_same_but_for_the_one_that_croissant_names_its_own_way() -> None:
    expected = {r["path"]: r["mediatype"] for r in DESCRIPTOR["resources"]}
    crate = {path: e["encodingFormat"] for path, e in ENTITIES.items() if e["@type"] == "File" and "sha256" in e}
    assert crate == {path: media_type for path, media_type in expected.items() if path != "ro-crate-metadata.json"}
    assert all(expected[file["contentUrl"]] == file["encodingFormat"] for file in SCHEMA_ORG["distribution"])
    for file in CROISSANT["distribution"]:
        parquet = file["contentUrl"].endswith(".parquet")
        assert file["encodingFormat"] == ("application/x-parquet" if parquet else expected[file["contentUrl"]])


def test_foreign_keys_are_the_same() -> None:
    described = {
        (r["name"], key["fields"][0], f"data/{key['reference']['resource']}.parquet", key["reference"]["fields"][0])
        for r in DESCRIPTOR["resources"]
        for key in r.get("schema", {}).get("foreignKeys", [])
    }
    fields = [(table["name"], field) for table in CROISSANT["recordSet"] for field in table["field"]]
    referring = [(name, field["name"], field["references"]) for name, field in fields if "references" in field]
    croissant = {(name, field, to["fileObject"]["@id"], to["extract"]["column"]) for name, field, to in referring}
    assert croissant == described
    assert len(described) > 5


def test_the_header_names_every_table_that_has_rows() -> None:
    counts = {table.row.TABLE.name: table.rows for table in FACTS.tables}
    configs = {entry["config_name"]: entry["data_files"] for entry in HEADER["configs"]}
    assert configs == {name: f"data/{name}.parquet" for name, number in counts.items() if number}
    assert [entry["config_name"] for entry in HEADER["configs"] if entry.get("default")] == ["testimonies"]
    assert HEADER["size_categories"] == ["1K<n<10K"]
    assert 1_000 <= sum(counts.values()) < 10_000


def test_the_published_coverage_includes_the_dates_of_the_sources() -> None:
    coverage = edtf_bounds(PLAIN["coverage"]["time"])
    sources = pq.read_table(DIST / "data/sources.parquet").to_pylist()
    days = [row[column] for row in sources for column in ("published_from", "published_to") if row["published"]]
    assert (min(days), max(days)) == (coverage.first, coverage.last)


def test_the_citation_file_is_valid() -> None:
    said = {**CITATION, "date-released": str(CITATION["date-released"])}
    jsonschema.Draft7Validator(CFF).validate(said)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft7Validator(CFF).validate({**said, "authors": []})


NAMED = {
    "title": "Ada Example",
    "family": "Example",
    "given": "Ada",
    "roles": ("annotator",),
}
PUBLISHED = {"homepage": "https://example.org/data", "doi": "10.1234/example.5"}


def named() -> catalogues.Facts:
    """The facts of a dataset that names a person and has an address and a DOI."""
    changed = Dataset.model_validate({**DATASET.model_dump(), "contributors": [NAMED], **PUBLISHED})
    return FACTS._replace(dataset=changed)


def test_names_of_persons_have_the_form_of_each_citation_format() -> None:
    facts = named()
    cff = yaml.safe_load(catalogues.citation_file(facts.dataset))
    assert cff["authors"] == [{"family-names": "Example", "given-names": "Ada"}]
    jsonschema.Draft7Validator(CFF).validate({**cff, "date-released": str(cff["date-released"])})
    zenodo = json.loads(catalogues.zenodo(facts.dataset))
    assert zenodo["creators"] == [{"name": "Example, Ada"}]
    assert zenodo["contributors"] == [{"name": "Example, Ada", "type": "DataCurator"}]
    person = {"@type": "Person", "name": "Ada Example", "familyName": "Example", "givenName": "Ada"}
    assert catalogues.schema_org(facts)["creator"] == [person]
    assert json.loads(catalogues.croissant(facts))["creator"] == [person]
    graph = json.loads(catalogues.crate(facts, {}))["@graph"]
    assert {"@id": "#ada-example", **person} in graph


def test_an_address_and_a_doi_are_published_if_given() -> None:
    facts = named()
    for described in (catalogues.schema_org(facts), json.loads(catalogues.croissant(facts))):
        assert described["url"] == PUBLISHED["homepage"]
        assert described["identifier"] == f"https://doi.org/{PUBLISHED['doi']}"
    assert yaml.safe_load(catalogues.citation_file(facts.dataset))["doi"] == PUBLISHED["doi"]
    assert json.loads(catalogues.zenodo(facts.dataset))["doi"] == PUBLISHED["doi"]
    assert readme.citation(facts.dataset).endswith(f" https://doi.org/{PUBLISHED['doi']}")
    assert "url" not in SCHEMA_ORG
    assert "doi" not in CITATION


def test_a_changed_fact_changes_every_format(copied: Path, tmp_path: Path) -> None:
    edit(copied, "dataset.yaml", "Testimonies of lighthouse keepers who never were", "Keepers <cite>& others</cite>")
    built(copied, tmp_path / "dist")
    for name in ("datapackage.json", "croissant.json", "ro-crate-metadata.json", "README.md"):
        text = (tmp_path / "dist" / name).read_text(encoding="utf-8")
        assert ("Keepers <cite>& others</cite>" in text) == (name != "README.md")
        assert "lighthouse keepers who never were" not in text
    _, head, body = text.split("---\n", maxsplit=2)
    assert yaml.safe_load(head)["pretty_name"] == "Keepers <cite>& others</cite>"
    assert body.startswith("\n# Keepers &lt;cite&gt;&amp; others&lt;/cite&gt;\n")


def test_html_that_people_typed_is_shown_and_not_run_in_every_markdown_file(copied: Path, tmp_path: Path) -> None:
    html = "So. <script>alert(1)</script>"
    path = copied / "dataset.yaml"
    facts = yaml.safe_load(path.read_text(encoding="utf-8"))
    kept = {"name", "version", "released", "licence", "coverage", "contributors", "contact", "spanish"}
    facts["spanish"] = dict.fromkeys(facts["spanish"], html)
    facts |= {name: [html] if isinstance(value, list) else html for name, value in facts.items() if name not in kept}
    facts["licence"]["title"] = facts["contributors"][0]["title"] = facts["contact"]["public"] = html
    facts["coverage"]["places"] = [html]
    path.write_text(yaml.safe_dump(facts, sort_keys=False), encoding="utf-8")
    edit(copied, "annotations/vocabulary.yaml", "definition: Food, oil and pay.", f"definition: {html}")
    edit(copied, "CHANGELOG.md", "Two articles are annotated.", html)
    edit(copied, "annotations/vocabulary.yaml", "definition: Inns that house keepers.", f"definition: {html}")
    assert built(copied, tmp_path / "dist").checked.findings == []
    pages = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "dist").glob("*.md")}
    assert [name for name, text in pages.items() if "<script" in text] == []
    assert "<script" not in (tmp_path / "dist/es.html").read_text(encoding="utf-8")
    shown = {name: text.count("&lt;script&gt;alert(1)&lt;/script&gt;") for name, text in pages.items()}
    assert shown == {"README.md": 7, "CHANGELOG.md": 1, "datasheet.md": 18}


WRITERS: list[Callable[[catalogues.Facts], bytes]] = [
    catalogues.croissant,
    lambda facts: catalogues.crate(facts, {}),
    catalogues.header,
    lambda facts: catalogues.citation_file(facts.dataset),
    lambda facts: catalogues.zenodo(facts.dataset),
]


@pytest.mark.parametrize("write", WRITERS)
def test_the_invented_dataset_is_described_too(write: Callable[[catalogues.Facts], bytes], package: Path) -> None:
    facts = facts_of(INVENTED, package)
    assert b"lighthouse keepers who never were" in write(facts).replace(b"\n  ", b" ")
    assert write(facts) == write(facts)
