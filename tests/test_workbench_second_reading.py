"""A second reading on the page for annotators, and the decisions on two readings."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from calling import run
from defectors_data.annotators.workbench.adjudication import ReadingPair
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.server import application
from pages import HOST, TOKEN
from test_workbench import FILE, STEM, span


def test_a_blind_reading_shows_no_records_of_others_and_is_compared(copied: Path) -> None:
    assert run("second-reading", STEM, "--name", "reader-2", where=copied).returncode == 0
    project = EditedProject(copied, "reader-2")
    blind = TestClient(application(project, token=TOKEN), base_url=HOST)
    page = blind.get(f"/{TOKEN}/article/{STEM}").text
    assert "Blind reading" in page
    assert "Bruno Salt" not in re.sub('<p class="words">.*?</p>', "", page)
    file = copied / f"annotations/readings/{STEM}.reader-2.yaml"
    records = (copied / FILE).read_bytes()

    def done(action: str, **body: Any) -> None:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        answer = blind.post(f"/{TOKEN}/{action}/{STEM}", json={"sha256": digest, **body})
        assert answer.is_success, answer.text

    done("add", kind="mention", spans=[span("Bruno Salt")], values={"speaker": "bruno-salt"})
    said = {"speaker": "bruno-salt", "mode": "indirect", "themes": "other", "attribution": {"words": "said Bruno Salt"}}
    done("add", kind="testimony", spans=[span("We had no oil left,"), span("Nobody wrote to us.")], values=said)
    done("accept", id=project.document(STEM).source.id)
    assert (copied / FILE).read_bytes() == records
    compared = TestClient(
        application(EditedProject(copied, compared=ReadingPair(copied, "records", "reader-2")), token=TOKEN),
        base_url=HOST,
    )
    page = compared.get(f"/{TOKEN}/compare/{STEM}").text
    assert "testimonies, mode" in page
    [number] = re.findall('data-number="([0-9]+)" aria-label="[^"]*">\n<h2>Line 10: testimonies, mode', page)
    decide = {"number": number, "choice": "records", "reason": ""}
    refused = compared.post(f"/{TOKEN}/decide/{STEM}", json={"values": decide})
    assert (refused.status_code, refused.json()["message"]) == (403, "Give the reason in a few words.")
    decide["reason"] = "The words are in quotation marks."
    assert compared.post(f"/{TOKEN}/decide/{STEM}", json={"values": decide}).is_success
    decisions = copied / f"annotations/readings/{STEM}.decisions.md"
    [line] = decisions.read_text(encoding="utf-8").splitlines()[2:]
    beginning = "- Line 10, testimonies.mode, “We had no oil left,”: records direct, reader-2 indirect."
    assert line == f"{beginning} Decided: records. The words are in quotation marks."
    assert 'difference decided"' in compared.get(f"/{TOKEN}/compare/{STEM}").text
