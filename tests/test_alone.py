"""The package is complete without the repository: licences, citation, changes, an id, and what empty cells mean."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from conftest import INVENTED, PROJECT, built, dataset_of, edit, found_in
from defectors_data.build import missing_facts, other_numbers
from defectors_data.documents import changelog
from defectors_data.models.project import Changelog, Dataset
from defectors_data.models.tables import WITHHELD
from defectors_data.package.tables_reader import PackageTables

DIST = PROJECT / "dist"


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def described(folder: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(text(folder / "datapackage.json"))
    return content


def test_the_licence_has_that_of_the_programs_in_full() -> None:
    mit = text(PROJECT / "LICENSE").partition("This licence covers")[0].split()
    assert " ".join(mit) in " ".join(text(DIST / "LICENSE").split())
    rights = " ".join(dataset_of(PROJECT).rights.split())
    assert rights in " ".join(text(DIST / "LICENSE").split())


def test_the_citation_is_that_of_the_repository() -> None:
    assert text(DIST / "CITATION.cff") == text(PROJECT / "CITATION.cff")


def test_the_changes_are_those_of_the_data_by_version() -> None:
    whole, published = text(PROJECT / "CHANGELOG.md"), text(DIST / "CHANGELOG.md")
    data = whole.partition("### Data\n")[2].partition("### Code")[0].strip()
    assert published == f"# Changes to the data\n\n## {whole.partition('## ')[2].partition(chr(10))[0]}\n\n{data}\n"
    assert "Code" not in published


def test_of_several_versions_only_those_that_change_the_data_are_published() -> None:
    lines = (
        "# Log\n## 2 (b)\n### Data\n- One,\n  two.\n\n- Three.\n## 1.1 (b)\n### Code\n- No.\n## 1 (a)\n### Data\n- <a>"
    )
    expected = "# Changes to the data\n\n## 2 (b)\n- One,\n  two.\n\n- Three.\n\n## 1 (a)\n- &lt;a&gt;\n"
    assert changelog.changes(Changelog(lines=tuple(lines.split("\n")))).decode() == expected
    assert changelog.changes(Changelog(lines=("# Log", "## 1", "- No section."))) == b""
    assert changelog.changes(Changelog(lines=("### Data", "", "- No version."))).decode().endswith("\n- No version.\n")


def test_a_changelog_that_cannot_be_read_is_a_finding_and_none_is_none(copied: Path) -> None:
    (copied / "CHANGELOG.md").write_bytes(b"\xff")
    assert [(finding.place.file, finding.code) for finding in found_in(copied)] == [("CHANGELOG.md", "not-utf8")]
    (copied / "CHANGELOG.md").unlink()
    assert found_in(copied) == []


@pytest.mark.deep
def test_the_same_tables_have_the_same_id_and_others_another(package: Path, copied: Path, tmp_path: Path) -> None:
    edit(copied, "dataset.yaml", "rights: There are none.", "rights: Nobody has any.")
    built(copied, tmp_path / "same")
    edit(copied, "annotations/vocabulary.yaml", "definition: Food, oil and pay.", "definition: Food and oil.")
    built(copied, tmp_path / "other")
    ids = [described(folder)["id"] for folder in (package, tmp_path / "same", tmp_path / "other")]
    assert ids[0] == ids[1] != ids[2]
    assert all(name.startswith("urn:uuid:") for name in ids)


def test_the_time_is_published_with_its_first_and_last_day(package: Path) -> None:
    assert described(package)["temporal"] == {"name": "2019", "start": "2019-01-01", "end": "2019-12-31"}


def test_only_ambiguous_empty_cells_are_explained(package: Path) -> None:
    tables = {item["name"]: item["schema"]["fields"] for item in described(package)["resources"] if "schema" in item}
    labelled = {
        (table, field["name"]): [value["value"] for value in field["missingValues"]]
        for table, fields in tables.items()
        for field in fields
        if "missingValues" in field
    }
    has = {(table, field["name"]) for table, fields in tables.items() for field in fields}
    withheld = {(table, name) for table, names in WITHHELD.items() for name in names}
    assert labelled == {key: [""] for key in withheld & has}


HOMEPAGE = {"homepage": "https://lamps.example/"}
PRIVATE = {"contact": {"public": "Nobody.", "private": "keepers@lamps.example"}}


@pytest.mark.parametrize(
    ("summary", "wrong"),
    [
        ("Two invented articles about 40 keepers, with about 90 testimonies.", []),
        ("In 40 articles.", ["40 articles"]),
        ("In two articles with 9,000 long testimonies.", ["9,000 long testimonies"]),
        ("300 speakers and 900 figures.", ["300 speakers", "900 figures"]),
        ("In 2 newspapers; each article is short.", []),
    ],
)
def test_numbers_of_records_that_the_package_does_not_have_are_listed(
    package: Path, summary: str, wrong: list[str]
) -> None:
    dataset = dataset_of(INVENTED).model_copy(update={"summary": summary})
    tables = PackageTables(package, ("sources", "testimonies", "figures", "speakers"))
    assert [re.findall("“(.+)”", line) for line in other_numbers(dataset, tables)] == [[each] for each in wrong]


@pytest.mark.parametrize(
    ("given", "protected", "missing"),
    [
        ({}, True, ["no `homepage`", "no `contact.private`"]),
        (HOMEPAGE, True, ["no `contact.private`"]),
        (HOMEPAGE, False, []),
        (PRIVATE, True, ["no `homepage`"]),
        ({**HOMEPAGE, "contact": {"public": "Write in the repository."}}, False, ["repository in `contact.public`"]),
        ({**HOMEPAGE, "contact": {"public": "Write in the repository, https://lamps.example/code."}}, False, []),
    ],
)
def test_missing_requirements_of_a_release_are_listed(
    given: dict[str, Any], *, protected: bool, missing: list[str]
) -> None:
    typed = {**dataset_of(INVENTED).model_dump(), "contact": {"public": "Nobody."}, **given}
    lines = missing_facts(Dataset.model_validate(typed), protected=protected)
    assert [re.findall("(?:no|repository in) `[a-z.]+`", line) for line in lines] == [[each] for each in missing]


@pytest.mark.parametrize(
    ("facts", "is_asked"),
    [
        ({"title": "Ada Wren"}, True),
        ({"title": "Ada Wren", "family": "Wren", "given": "Ada"}, False),
        ({"title": "The Lamp Fund"}, False),
        ({"title": "The maintainers of this corpus"}, False),
    ],
)
def test_a_contributor_who_may_be_a_person_is_asked_for(facts: dict[str, str], *, is_asked: bool) -> None:
    typed = {**dataset_of(INVENTED).model_dump(), **HOMEPAGE, "contributors": [{**facts, "roles": ["annotator"]}]}
    lines = missing_facts(Dataset.model_validate(typed), protected=False)
    said = "dataset.yaml describes the contributor Ada Wren as an organisation"
    assert lines == [f"{said}: add `family` and `given` if it is a person."] * is_asked
