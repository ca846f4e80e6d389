"""The JSON Schemas describe what people write, so that an editor completes and checks while they type."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from conftest import INVENTED, PROJECT
from defectors_data.models import schemas

FILES = schemas.files()
WRITTEN = {name: name for name in ("vocabulary", "speakers", "dataset", "comparisons", "tombstones")}


def schema_of(path: Path) -> str:
    return f"{WRITTEN.get(path.stem, 'annotations')}.schema.json"


def as_an_editor_reads(path: Path) -> Any:
    """Read YAML as editors do (YAML 1.2): numbers and flags are typed, dates are text, an empty value is null."""

    class Editor(yaml.SafeLoader):
        yaml_implicit_resolvers = {
            first: [(tag, pattern) for tag, pattern in entries if not tag.endswith("timestamp")]
            for first, entries in yaml.SafeLoader.yaml_implicit_resolvers.items()
        }

    return yaml.load(path.read_text(encoding="utf-8"), Loader=Editor)  # noqa: S506  # a safe loader


FOLDERS = [PROJECT, INVENTED]
PAGES = [page for root in FOLDERS for page in [root / "dataset.yaml", *sorted((root / "annotations").glob("*.yaml"))]]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(PROJECT)))
def test_a_file_names_its_schema_and_is_valid(page: Path) -> None:
    first = page.read_text(encoding="utf-8").splitlines()[0]
    assert first.startswith("# yaml-language-server: $schema=")
    named = (page.parent / first.split("=", 1)[1]).resolve()
    assert named == PROJECT / "schema" / schema_of(page)
    schema = json.loads(named.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(as_an_editor_reads(page))


def test_schemas_and_models_refuse_the_same_values() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(FILES["annotations.schema.json"]))
    content = as_an_editor_reads(INVENTED / "annotations/900_example.yaml")
    assert validator.is_valid(content)
    content["testimonies"][0]["mode"] = "sung"
    assert not validator.is_valid(content)
    content["testimonies"][0]["mode"] = "direct"
    content["speakers"][2]["name"] = "A Name"
    assert not validator.is_valid(content)


def test_the_schemas_are_valid_and_described() -> None:
    for name, data in FILES.items():
        if not name.startswith("tables/"):
            schema = json.loads(data)
            jsonschema.Draft202012Validator.check_schema(schema)
            assert all(
                "description" in field
                for model in schema.get("$defs", {}).values()
                for field in model.get("properties", {}).values()  # a named type of a value has none
            )


def test_schema_has_the_files_that_the_models_generate() -> None:
    there = {path.relative_to(PROJECT / "schema").as_posix() for path in (PROJECT / "schema").rglob("*.json")}
    assert there == FILES.keys()
    assert all((PROJECT / "schema" / name).read_bytes() == data for name, data in FILES.items())
