"""`release --next` and `--correct` write what the program knows about the next version."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from conftest import edit
from finding_output import Run

FILE = "annotations/900_example.yaml"


@pytest.fixture
def released(copied: Path, run: Run) -> Path:
    """A corpus whose first version is built and released."""
    assert run(copied, "build").code == 0
    assert run(copied, "release", "--first-release").code == 0
    return copied


def test_a_correction_is_released_in_one_command(released: Path, run: Run) -> None:
    edit(released, FILE, "  - id: example-t4\n", "  - id: example-t4\n    stance: doubts\n")
    ran = run(released, "release", "--correct", "code")
    assert ran.code == 0, ran.out + ran.err
    today = dt.datetime.now(tz=dt.UTC).date()
    assert f"Version 1.2.4, {today}: 1 records state `corrected`" in ran.out
    assert f"then commit {FILE}, dataset.yaml, CHANGELOG.md, annotations/releases.jsonl, dist/." in ran.out
    assert "corrected: {version: 1.2.4, reason: code}" in (released / FILE).read_text(encoding="utf-8")
    dataset = (released / "dataset.yaml").read_text(encoding="utf-8")
    assert f"version: 1.2.4\nreleased: {today}\n" in dataset
    assert "last_release: 1.2.4" in dataset
    changelog = (released / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## 1.2.4 ({today})" in changelog
    assert run(released, "build").code == 0
    assert run(released, "check").code == 0


def test_a_changed_record_needs_a_reason_and_nothing_is_written_without_one(released: Path, run: Run) -> None:
    edit(released, FILE, "  - id: example-t4\n", "  - id: example-t4\n    stance: doubts\n")
    before = {path: path.read_bytes() for path in released.rglob("*") if path.is_file()}
    ran = run(released, "release", "--next")
    assert (ran.code, "1 released records changed: give the reason with --correct" in ran.err) == (1, True)
    after = {path: path.read_bytes() for path in before}
    assert after == before


def test_without_a_change_there_is_no_next_version(released: Path, run: Run) -> None:
    ran = run(released, "release", "--next")
    assert (ran.code, ran.err) == (1, "Nothing changed since version 1.2.3. Nothing was written.\n")


def test_a_finding_stops_the_next_version(released: Path, run: Run) -> None:
    edit(released, FILE, "evidence: March 3rd", "evidence: March 4th")
    ran = run(released, "release", "--correct", "code")
    assert ran.code == 1
    assert "version: 1.2.3" in (released / "dataset.yaml").read_text(encoding="utf-8")
