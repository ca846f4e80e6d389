"""The package is a valid Data Package of version 2, and every file in it is what the descriptor says."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
import shutil
from pathlib import Path
from typing import Any

import frictionless
import jsonschema
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import referencing
from referencing.jsonschema import DRAFT7

from conftest import INVENTED, content
from defectors_data.build import build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.package import descriptor as package_room
from defectors_data.package import tables_writer
from defectors_data.package.published_folder import SUMS

PROFILES = importlib.resources.files("dplib") / "profiles" / "2.0"


@pytest.fixture
def descriptor(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    return content


def profile(name: str) -> Any:
    """Return a validator of an official profile; whatever it refers to is read from the disk."""

    def retrieve(address: str) -> referencing.Resource[Any]:
        content = json.loads((PROFILES / address.rsplit("/", 1)[-1]).read_text(encoding="utf-8"))
        return referencing.Resource.from_contents(content, default_specification=DRAFT7)

    schema = json.loads((PROFILES / f"{name}.json").read_text(encoding="utf-8"))
    return jsonschema.Draft7Validator(schema, registry=referencing.Registry(retrieve=retrieve))  # type: ignore[call-arg]  # attrs hides it


def test_the_four_official_profiles_accept_the_descriptor(descriptor: dict[str, Any]) -> None:
    profile("datapackage").validate(descriptor)
    for resource in descriptor["resources"]:
        profile("dataresource").validate(resource)
        if resource.get("type") == "table":
            profile("tabledialect").validate(resource["dialect"])
            profile("tableschema").validate(resource["schema"])


def test_a_profile_finds_a_fault(descriptor: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        profile("datapackage").validate({**descriptor, "resources": []})
    field = {"name": "x", "type": "nonsense"}
    with pytest.raises(jsonschema.ValidationError):
        profile("tableschema").validate({**descriptor["resources"][0]["schema"], "fields": [field]})


def test_frictionless_reports_no_error(package: Path) -> None:
    report = frictionless.Package(str(package / "datapackage.json")).validate()
    assert report.valid, report.to_summary()


def test_the_descriptor_lists_every_file_with_its_bytes_and_hash(folder: Path, descriptor: dict[str, Any]) -> None:
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    listed = {resource["path"]: resource for resource in descriptor["resources"]}
    assert there == listed.keys() | {"datapackage.json", SUMS}
    for path, resource in listed.items():
        data = (folder / path).read_bytes()
        assert resource["bytes"] == len(data)
        assert resource["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
        assert not any(part.startswith(".") for part in path.split("/"))


def test_the_checksums_list_every_file_but_themselves(folder: Path) -> None:
    lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    rows = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    assert rows.keys() == there - {SUMS}
    assert all(hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest for name, digest in rows.items())


def test_every_parquet_is_the_alternate_of_a_csv(descriptor: dict[str, Any]) -> None:
    tables = {r["name"] for r in descriptor["resources"] if r.get("type") == "table"}
    alternates = {r["alternateOf"] for r in descriptor["resources"] if r["format"] == "apache-parquet"}
    assert tables == alternates
    assert not [r for r in descriptor["resources"] if r["format"] == "apache-parquet" and "type" in r]


def test_every_field_is_described(descriptor: dict[str, Any]) -> None:
    for resource in descriptor["resources"]:
        for field in resource.get("schema", {}).get("fields", []):
            assert {"name", "type", "title", "description", "example"} <= field.keys()
            labelled = [category["value"] for category in field.get("categories", [])]
            assert labelled == field["constraints"].get("enum", [])


def test_the_descriptor_says_what_the_dataset_is(descriptor: dict[str, Any]) -> None:
    needed = {"$schema", "name", "title", "description", "version", "created", "licenses", "sources", "contributors"}
    assert needed | {"keywords"} <= descriptor.keys()
    assert descriptor["created"].endswith("T00:00:00Z")


def test_a_package_with_a_fault_is_not_published(
    copied: Path, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = Path(shutil.copytree(package, tmp_path / "dist"))
    before = content(out)
    as_csv = tables_writer.as_csv
    monkeypatch.setattr(tables_writer, "as_csv", lambda cells: bytes(as_csv(cells)).replace(b"indirect", b"sideways"))
    with pytest.raises(package_room.InvalidPackageError, match=r"data/testimonies\.csv:2: mode: expected one of"):
        build(CorpusReader(FileTree(copied)), out)
    assert content(out) == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_a_package_whose_parquet_is_not_its_csv_is_not_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = pq.ParquetWriter.write_table

    def fewer(self: pq.ParquetWriter, rows: pa.Table, **how: Any) -> None:
        write(self, rows.slice(1) if "waiver_id" in rows.column_names else rows, **how)

    monkeypatch.setattr(pq.ParquetWriter, "write_table", fewer)
    with pytest.raises(package_room.InvalidPackageError, match=r"ledger\.parquet: number of rows differs"):
        build(CorpusReader(FileTree(INVENTED)), tmp_path / "dist")
    assert list(tmp_path.iterdir()) == []
