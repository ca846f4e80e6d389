"""The card of a record with a finding names the field that the finding is about, or says where to correct it."""

from __future__ import annotations

import re
from pathlib import Path

from starlette.testclient import TestClient

from calling import run
from conftest import edit
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.server import application
from pages import HOST, TOKEN

STEM, FILE = "900_quirin", "annotations/900_quirin.yaml"


def renamed(root: Path) -> Path:
    """Give the example a file name with a word that it does not print, and return its annotations."""
    (root / "seeds/900_example.txt").rename(root / "seeds/900_quirin.txt")
    edit(root, "annotations/900_example.yaml", "seed: 900_example.txt", "seed: 900_quirin.txt")
    return (root / "annotations/900_example.yaml").rename(root / FILE)


def test_a_card_names_the_field_of_each_finding_and_the_file_if_no_form_has_it(copied: Path) -> None:
    renamed(copied)
    edit(copied, FILE, "  - id: example-w3\n", "  - id: example-w3\n    note: As Quirin says.\n")
    client = TestClient(application(EditedProject(copied), token=TOKEN), base_url=HOST, follow_redirects=True)
    page = client.get(f"/{TOKEN}/article/{STEM}").text
    assert re.findall(r'class="bad" data-field="(\w+)"', page) == ["seed", "note"]
    said = re.findall(rf"No form has the field `(\w+)`: correct {FILE}, line \d+, in a text editor; n leads on\.", page)
    assert said == ["seed"]


def test_check_counts_drafts_and_findings_as_the_page_does(copied: Path) -> None:
    file = "annotations/900_example.yaml"
    edit(copied, file, "speaker: harbour-office", "speaker: nobody-here")
    for name in ("t2", "w3", "w4"):
        edit(copied, file, f"  - id: example-{name}\n", f"  - id: example-{name}\n    draft: true\n")
    article = EditedProject(copied).article("900_example")
    checked = run("check", file, where=copied)
    assert checked.stderr == f"{article.found}.\n"
    assert article.found.drafts == 3
    assert checked.stdout.count("draft-record") == 1, "the drafts of a file are reported once"
    elsewhere = run("check", "annotations/901_second.yaml", where=copied).stdout
    assert elsewhere.startswith(f"No findings in these files; {article.found} in others.\n")
    assert EditedProject(copied).article("901_second").elsewhere == article.found
