"""What a host of repositories reads: forms for issues, the workflow, and the routes for private reports."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import PROJECT, dataset_of

GITHUB = PROJECT / ".github"
FORMS = sorted(path for path in (GITHUB / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
INPUTS = {"input", "textarea", "dropdown", "checkboxes"}
SECURITY = (PROJECT / "SECURITY.md").read_text(encoding="utf-8")


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_there_is_a_form_for_each_kind_of_issue_and_no_empty_one() -> None:
    assert {path.stem for path in FORMS} == {"bug", "data-error", "removal"}
    assert read(GITHUB / "ISSUE_TEMPLATE/config.yml") == {"blank_issues_enabled": False}


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_an_issue_form_has_the_keys_that_hosts_require(form: Path) -> None:
    content = read(form)
    assert content.keys() <= {"name", "description", "title", "labels", "body"}
    assert content["name"]
    assert content["description"]
    inputs = [item for item in content["body"] if item["type"] in INPUTS]
    ids = [item["id"] for item in inputs]
    assert inputs
    assert len(set(ids)) == len(ids)
    assert {item["type"] for item in content["body"]} <= INPUTS | {"markdown"}
    assert all(item["attributes"]["label"] for item in inputs)


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_every_form_names_the_private_route_first(form: Path) -> None:
    first = read(form)["body"][0]
    assert first["type"] == "markdown"
    assert "SECURITY.md" in first["attributes"]["value"]


def test_the_form_for_a_removal_has_no_field_to_write_in() -> None:
    types = [item["type"] for item in read(GITHUB / "ISSUE_TEMPLATE/removal.yml")["body"]]
    assert types == ["markdown", "checkboxes"]


def test_the_workflow_runs_what_ci_runs_and_may_only_read() -> None:
    workflow = read(GITHUB / "workflows/ci.yml")
    [job] = workflow["jobs"].values()
    assert workflow["permissions"] == {"contents": "read"}
    assert [step["run"] for step in job["steps"] if "run" in step] == ["bash .ci/run"]
    assert all(re.search(r"@[0-9a-f]{40}$", step["uses"]) for step in job["steps"] if "uses" in step)


def test_the_security_page_has_the_contact_of_the_dataset() -> None:
    contact = dataset_of(PROJECT).contact
    assert " ".join(contact.public.split()) in SECURITY
    assert (contact.private or "No private address for removals has been given yet.") in SECURITY
