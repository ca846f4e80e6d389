"""The official readers and validators of the metadata find nothing, and read the rows that are published; offline.

They run in an environment of their own (`make build/validators/.ready`), with every connection refused.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from conftest import PROJECT, spread

pytestmark = pytest.mark.deep

VALIDATORS = PROJECT / "build/validators/bin/python"
OFFLINE = """
import sys
def refuse(event, _):
    if event in {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname"}:
        raise OSError("no network")
sys.addaudithook(refuse)
import json
"""
CROISSANT = """
import mlcroissant
dataset = mlcroissant.Dataset(sys.argv[1])
def plain(value):
    return value.decode() if isinstance(value, bytes) else None if value != value or value is None else value
found = {}
for table in dataset.metadata.record_sets:
    found[table.id] = [
        {name.partition("/")[2]: plain(value) for name, value in record.items()} for record in dataset.records(table.id)
    ]
version = dataset.metadata.ctx.conforms_to.name
print(json.dumps([version, dataset.metadata.ctx.issues.report(), found], default=lambda day: str(day)[:10]))
"""
CRATE = """
from pathlib import Path
import requests, rocrate, urllib3
from requests_cache import CachedSession
from rocrate_validator import models, services

folder, cache, severity, profile = sys.argv[1:]
address = "https://w3id.org/ro/crate/1.3/context"
context = (Path(rocrate.__file__).parent / "data/ro-crate.jsonld").read_bytes()
answer = requests.Response()
answer.status_code, answer.url, answer._content = 200, address, context
answer.headers["Content-Type"] = "application/ld+json"
accept = {"Accept": "application/ld+json, application/json, */*;q=0.1"}
answer.request = requests.Request("GET", address, headers=accept).prepare()
answer.raw = urllib3.HTTPResponse(body=context, status=200, headers=dict(answer.headers))
session = CachedSession(cache_name=cache, expire_after=-1, backend="sqlite")
session.cache.save_response(answer)
session.close()
result = services.validate(
    services.ValidationSettings(
        rocrate_uri=folder,
        profile_identifier=profile,
        requirement_severity=getattr(models.Severity, severity),
        offline=True,
        cache_path=cache,
    )
)
issues = sorted([issue.message, str(issue.violatingEntity)] for issue in result.get_issues())
print(json.dumps([len(result.executed_checks), issues]))
"""
HUB = """
import datasets
datasets.disable_progress_bars()
folder = sys.argv[1]
found = {}
for name in datasets.get_dataset_config_names(folder):
    loaded = datasets.load_dataset(folder, name)
    assert list(loaded) == ["train"], loaded
    found[name] = loaded["train"].to_list()
first = datasets.load_dataset(folder)["train"].column_names
print(json.dumps([first, found], default=lambda day: str(day)[:10]))
"""


TURTLE = """
import rdflib
graph = rdflib.Graph().parse(sys.argv[1], publicID="https://example.org/vocabulary.ttl")
kinds = rdflib.RDF.type, rdflib.SKOS.Concept
print(json.dumps([str(each).partition("#")[2] for each in graph.subjects(*kinds)]))
"""


def run(script: str, *arguments: str | Path, home: Path) -> Any:
    """Run a script among the validators and return what it prints, as JSON."""
    settings = {**os.environ, "HOME": str(home), "HF_HOME": str(home / "hub"), "HF_HUB_OFFLINE": "1"}
    command = [VALIDATORS, "-c", OFFLINE + script, *arguments]
    ran = subprocess.run(command, cwd=home, env=settings, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2_000:]
    return json.loads(ran.stdout.splitlines()[-1])


@pytest.fixture(params=["published", pytest.param("invented", marks=pytest.mark.sweep)])
def folder(request: pytest.FixtureRequest, package: Path) -> Path:
    """The package of the invented corpus, and the one that is published."""
    return package if request.param == "invented" else PROJECT / "dist"


def rows(folder: Path) -> dict[str, Any]:
    """Return the rows of every table as JSON has them."""
    tables = {path.stem: pq.read_table(path).to_pylist() for path in (folder / "data").glob("*.parquet")}
    plain: dict[str, Any] = json.loads(json.dumps(tables, default=str))
    return plain


def test_croissant_is_valid_and_loads_the_rows_of_every_table(folder: Path, tmp_path: Path) -> None:
    version, issues, found = run(CROISSANT, folder / "croissant.json", home=tmp_path)
    assert (version, issues) == ("V_1_1", "")
    assert found == rows(folder)


def test_the_vocabulary_is_turtle_with_a_concept_for_each_term(folder: Path, tmp_path: Path) -> None:
    tables = rows(folder)
    terms = [row["term_id"] for row in tables["terms"]]
    terms += [f"measure.{row['measure']}" for row in tables["measures"]]
    assert sorted(run(TURTLE, folder / "vocabulary.ttl", home=tmp_path)) == sorted(terms)


def test_croissant_with_a_fault_is_refused(package: Path, tmp_path: Path) -> None:
    content = json.loads((package / "croissant.json").read_text(encoding="utf-8"))
    content["distribution"][-1]["sha256"] = "0" * 64
    for file in content["distribution"]:
        file["contentUrl"] = str(package / file["contentUrl"])
    del content["recordSet"][0]["field"][0]["dataType"]
    (tmp_path / "croissant.json").write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(AssertionError, match="dataType"):
        run(CROISSANT, tmp_path / "croissant.json", home=tmp_path)


# What RO-Crate recommends and the package cannot say: the project has no address, two files contain the hash of the
# crate's own file, so that it cannot know their size, and the profile of the run needs an older version as well.
NOT_SAID = ("contentSize", "URL", "ROR", "contactPoint", "single `conformsTo`")


@pytest.mark.parametrize(
    ("profile", "least"), spread([("ro-crate-1.3", 50), ("ro-crate-1.1", 40), ("process-run-crate-0.5", 5)], 3)
)
def test_the_crate_is_valid(profile: str, least: int, folder: Path, tmp_path: Path) -> None:
    checks, issues = run(CRATE, folder, tmp_path / "cache", "REQUIRED", profile, home=tmp_path)
    assert issues == []
    assert checks > least


@pytest.mark.sweep
def test_the_crate_does_what_is_recommended_where_it_can(tmp_path: Path) -> None:
    checks, issues = run(CRATE, PROJECT / "dist", tmp_path / "cache", "RECOMMENDED", "ro-crate-1.3", home=tmp_path)
    assert checks > 100
    assert [issue for issue in issues if not any(word in issue[0] for word in NOT_SAID)] == []
    assert {entity for message, entity in issues if "contentSize" in message} == {"./datapackage.json", "./SHA256SUMS"}


@pytest.mark.sweep
def test_a_crate_with_a_fault_is_refused(package: Path, tmp_path: Path) -> None:
    content = json.loads((package / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    root = next(entity for entity in content["@graph"] if entity["@id"] == "./")
    del root["datePublished"]
    (tmp_path / "crate").mkdir()
    (tmp_path / "crate/ro-crate-metadata.json").write_text(json.dumps(content), encoding="utf-8")
    _, issues = run(CRATE, tmp_path / "crate", tmp_path / "cache", "REQUIRED", "ro-crate-1.3", home=tmp_path)
    assert any("datePublished" in message for message, _ in issues)
    assert any("figures.csv" in message + entity for message, entity in issues)


def test_a_dataset_hub_loads_every_table_that_has_rows(folder: Path, tmp_path: Path) -> None:
    first, found = run(HUB, folder, home=tmp_path)
    expected = {name: table for name, table in rows(folder).items() if table}
    assert found == expected
    assert first == list(expected["testimonies"][0])
