"""Each fault has a folder in tests/findings/: a small corpus that has it, and a near miss that must stay quiet."""

from __future__ import annotations

from pathlib import Path

import pytest

from calling import run
from conftest import checked, found_in
from defectors_data import pipeline
from defectors_data.corpus import findings
from defectors_data.documents.codebook import rules_of_finding
from finding_cases import CODES, FOLDER, case, lay

SENTENCES = pipeline.sentences()


OF_FILES = {fault.__name__.replace("_", "-") for fault in pipeline.FILE_RULES}
"""Rules on whether files can be read, which are always applied."""


@pytest.mark.parametrize("code", CODES)
def test_a_fault_is_found_worded_and_counted(code: str, tmp_path: Path, golden: bool) -> None:
    ran = checked(lay(case(code, "fault"), tmp_path / "fault"))
    found = ran.findings
    assert {finding.code for finding in found} == {code}
    [report] = [each for each in ran.rules if each.rule == code]
    assert report.findings == sum(findings.totals(found))
    assert report.seen is None if code in OF_FILES else int(report.seen or 0) > 0
    said = "".join(findings.text(finding) + "\n" for finding in found)
    expected = FOLDER / code / "expected.txt"
    if golden:
        expected.write_text(said, encoding="utf-8")
    assert said == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("code", CODES)
def test_a_near_miss_stays_quiet(code: str, tmp_path: Path) -> None:
    assert found_in(lay(case(code, "quiet"), tmp_path / "quiet")) == []


def test_a_case_can_be_read_at_a_glance() -> None:
    lines = {path: path.read_bytes().count(b"\n") for path in FOLDER.glob("*/*")}
    long = [path for path, count in lines.items() if count > (80 if path.suffix == ".case" else 45)]
    assert long == []


def test_every_rule_has_a_folder() -> None:
    assert set(SENTENCES) == set(CODES)


def test_a_finding_is_explained_by_the_codebook_and_a_mistyped_code_by_the_nearest() -> None:
    for code, sentence in SENTENCES.items():
        ran = run("check", "--explain", code)
        assert ran.returncode == 0
        assert ran.stdout.startswith(f"{code}: {sentence}\n")
        assert [rule for rule in rules_of_finding(code) if f"Codebook {rule}: " not in ran.stdout] == []
    ran = run("check", "--explain", "evidence-not-fond")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "There is no finding evidence-not-fond. Did you mean `evidence-not-found`?\n"


def test_every_rule_has_a_requirement_as_docstring() -> None:
    assert all(sentence.endswith(".") for sentence in SENTENCES.values())


def test_no_file_can_steer_a_terminal() -> None:
    finding = findings.Finding(findings.Place("a\x1b[2J.yaml"), "x", "Red \x1b[31m and \u202e right.")
    assert "\x1b" not in findings.text(finding)
    assert "\u202e" not in findings.text(finding)


def test_a_workflow_command_cannot_be_broken_out_of() -> None:
    finding = findings.Finding(findings.Place("a,b:c.yaml", 3, 4), "x", "100 % of\nit.", ("Do::this",))
    said = findings.github(finding)
    assert said.startswith("::error file=a%2Cb%3Ac.yaml,line=3,col=4,title=x::100 %25 of<U+000A>it.")
    assert "\n" not in said
