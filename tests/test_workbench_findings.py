"""The form of a record with a finding shows the field that the finding is about, or says where that is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient

from conftest import edit
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.server import application
from test_browser import browser  # noqa: F401  # the fixture
from test_workbench import HOST, TOKEN
from test_workbench_browser import Served, served  # noqa: F401  # the fixture

STEM, FILE = "900_quirin", "annotations/900_quirin.yaml"


def with_findings(root: Path) -> None:
    """Add a finding on the file name of the article, and one on a field that no other record has."""
    (root / "seeds/900_example.txt").rename(root / "seeds/900_quirin.txt")
    edit(root, "annotations/900_example.yaml", "seed: 900_example.txt", "seed: 900_quirin.txt")
    (root / "annotations/900_example.yaml").rename(root / FILE)
    edit(root, FILE, "  - id: example-w3\n", "  - id: example-w3\n    note: As Quirin says.\n")


def test_a_card_names_the_field_of_each_finding(copied: Path) -> None:
    with_findings(copied)
    client = TestClient(application(EditedProject(copied), token=TOKEN), base_url=HOST, follow_redirects=True)
    page = client.get(f"/{TOKEN}/article/{STEM}").text
    assert re.findall(r'class="bad" data-field="(\w+)" data-place="(.+), line', page) == [
        ("seed", FILE),
        ("note", FILE),
    ]


@pytest.mark.deep
def test_a_form_says_where_a_field_is_that_it_does_not_have(copied: Path, served: Served) -> None:  # noqa: F811
    with_findings(copied)
    page = served(copied, STEM)
    said = page.locator("#refused")
    for record, words in (("example", f"The form has no field “seed”: {FILE}, line"), ("example-w3", "")):
        page.locator(f"[data-id='{record}'] .edit").click()
        expect(page.locator("#form")).to_be_visible()
        expect(said).to_contain_text(words) if words else expect(said).to_have_text("")
        page.keyboard.press("Escape")
