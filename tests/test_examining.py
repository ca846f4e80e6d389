"""A run says what it saw, and cannot say that it saw what it did not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calling import run
from conftest import INVENTED, PROJECT, edit
from defectors_data import checks, examining, proving
from defectors_data.checks.seen import SEEN
from defectors_data.findings import Finding, Place
from defectors_data.reading import read
from test_findings import CODES, case, damage

A = "annotations/900_example.yaml"


def test_every_check_says_what_it_judges() -> None:
    assert set(SEEN) == set(checks.CHECKS)
    assert set(checks.BESIDE) <= set(checks.CHECKS)


SAW = PROJECT / "tests/seen.txt"


def saw(root: Path) -> str:
    """Return what each check judges below a folder, and where all of it stands, by file."""
    corpus, findings = read(root)
    assert corpus, findings
    proof, lines = proving.prove(corpus), []
    for check in checks.CHECKS:
        judged = SEEN[check]
        lines.append(f"{checks.code_of(check)}: {judged.what}")
        by_file: dict[str, list[str]] = {}
        for place in judged.places(proof):
            by_file.setdefault(place.file, []).append(f"{place.line}:{place.column}")
        lines += [f"    {file} {' '.join(places)}" for file, places in by_file.items()]
    return "\n".join([*lines, ""])


def test_each_check_sees_this_and_no_more(copied: Path, golden: bool) -> None:
    said = saw(copied)
    for code in ("withdrawn-id", "withdrawn-out-of-text"):
        for change in case(code)["fault"]:
            damage(copied, change)
    said += f"\nAfter a takedown:\n\n{saw(copied)}"
    if golden:
        SAW.write_text(said, encoding="utf-8")
    assert said == SAW.read_text(encoding="utf-8")


def stands_in(finding: Finding, seen: set[Place]) -> bool:
    """Tell whether a finding stands in one of some records: at its beginning or behind it in the same file."""
    return any(p.file == finding.place.file and p.line <= finding.place.line for p in seen)


@pytest.mark.parametrize("check", checks.CHECKS, ids=checks.code_of)
def test_what_a_check_finds_stands_in_something_that_it_saw(check: checks.Check, copied: Path) -> None:
    for change in case(checks.code_of(check))["fault"]:
        damage(copied, change)
    corpus, findings = read(copied)
    assert corpus, findings
    proof = proving.prove(corpus)
    seen = set(SEEN[check].places(proof))
    found = list(check(proof))
    assert found
    assert [finding for finding in found if not stands_in(finding, seen)] == []


def test_of_the_real_corpus_only_what_is_not_there_was_not_seen() -> None:
    examined = examining.examine(PROJECT)
    assert examined.findings == []
    assert {rule.rule for rule in examined.rules} == set(CODES)
    assert len(examined.rules) == len(CODES)
    blind = {rule.rule for rule in examined.rules if not rule.seen}
    assert blind == {"override-not-needed", "withdrawn-words", "withdrawn-id", "withdrawn-out-of-text"}
    seen = {rule.rule: rule.seen for rule in examined.rules}
    assert (seen["title-missing"], seen["testimony-across-paragraphs"], seen["bounds-out-of-order"]) == (4, 128, 55)


def test_with_a_record_less_a_rule_saw_one_less(copied: Path) -> None:
    before = {rule.rule: rule.seen for rule in examining.examine(copied).rules}
    edit(
        copied,
        A,
        "    note: A pull quote.\n",
        "    note: A pull quote.\n  - {id: example-w5, evidence: x, reason: date}\n",
    )
    after = {rule.rule: rule.seen for rule in examining.examine(copied).rules}
    assert after["waiver-unused"] == int(before["waiver-unused"] or 0) + 1


def test_figures_are_put_beside_each_other_when_nothing_else_is_wrong(copied: Path) -> None:
    edit(copied, A, "result: example-f7\n    of: [example-f6]", "result: example-f8\n    of: [example-f2]")
    assert [finding.code for finding in examining.examine(copied).findings] == ["relation-fails"]
    edit(copied, A, "evidence: two inns", "evidence: two ins")
    examined = examining.examine(copied)
    assert [finding.code for finding in examined.findings] == ["quote-not-found"]
    skipped = {rule.rule for rule in examined.rules if rule.findings is None}
    assert skipped == {checks.code_of(check) for check in checks.BESIDE}


def test_what_cannot_be_read_leaves_every_check_skipped_and_fails(copied: Path) -> None:
    edit(copied, A, "    mode: narrated\n    evidence: In", "    mode: sung\n    evidence: In")
    ran = run("check", "--format", "json", where=copied)
    rules = {rule["rule"]: rule for rule in json.loads(ran.stdout)["rules"]}
    assert ran.returncode == 1
    assert {rule["skipped"] for code, rule in rules.items() if code in map(checks.code_of, checks.CHECKS)} == {True}
    assert (rules["wrong-value"]["findings"], rules["wrong-value"]["skipped"]) == (1, False)
    said = run("check", where=copied).stdout
    assert "Skipped, until the findings are mended: " in said


def test_the_summary_names_what_saw_nothing_and_the_table_every_rule() -> None:
    said = run("check", "--rules", where=INVENTED).stdout
    assert "\nSaw nothing: override-not-needed, " in said
    assert "2 sources, 11 speakers, 15 testimonies, 15 figures, 5 waivers, 10 quotations, 23 numbers." in said
    assert {line.split(" ", 1)[0] for line in said.splitlines()} >= set(CODES)


@pytest.mark.parametrize("command", ["check", "build"])
def test_every_rule_is_listed_with_what_it_saw(copied: Path, command: str) -> None:
    said = run(command, "--rules", where=copied).stdout
    for rule in examining.examine(copied).rules:
        assert f"{rule.seen} {rule.judges}: 0 found" in said
