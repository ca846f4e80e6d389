"""A run reports what each rule looked at, and cannot report that it looked at what it did not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from calling import run
from conftest import INVENTED, built, checked, documents_of, edit, found_in
from defectors_data import pipeline
from defectors_data.corpus.findings import RuleReport
from defectors_data.rules import RULES
from defectors_data.rules.corpus_index import COUNTS
from defectors_data.rules.subjects import SUBJECTS
from finding_cases import CODES

A = "annotations/900_example.yaml"

WAITING = {rule.code for rule in RULES if rule.waits and rule.scope == "corpus"}
"""Rules that compare documents, and are skipped if an id is used twice."""


def reports(root: Path) -> dict[str, RuleReport]:
    return {report.rule: report for report in checked(root).rules}


def skipped(root: Path) -> set[str]:
    return {code for code, report in reports(root).items() if report.findings is None}


def test_every_rule_has_countable_subjects() -> None:
    assert {rule.on for rule in RULES if rule.scope == "document"} <= set(SUBJECTS)
    assert {rule.on for rule in RULES if rule.scope == "corpus"} <= set(COUNTS)


def test_every_rule_has_one_report_in_the_order_of_the_docs() -> None:
    found = checked(INVENTED).rules
    assert [report.rule for report in found] == list(pipeline.sentences())
    assert {report.rule for report in found} == set(CODES)


def test_counts_equal_the_rows_of_the_tables() -> None:
    found, documents = reports(INVENTED), documents_of(INVENTED)
    stones, context = documents[0].context.tombstones, documents[0].context
    expected = {
        "bounds-out-of-order": ("figures", sum(len(document.figures) for document in documents)),
        "empty-waiver": ("waivers", sum(len(document.waivers) for document in documents)),
        "relation-fails": ("relations", sum(len(document.relations) for document in documents)),
        "duplicate-article": ("sources", 2),
        "withdrawn-id": ("ids and words of free text", 0),
        "invalid-value": ("files", 2 + 2 + 2 * 2),
        "evidence-not-found": ("parts of evidence", sum(len(c.parts) for d in documents for c in d.cited)),
        "note-without-conflict": ("notes on pairs of figures", len(context.comparisons)),
    }
    for code, (looked_at, seen) in expected.items():
        assert (found[code].looked_at, found[code].seen) == (looked_at, seen), code
    assert len(stones) == 0
    assert {report.findings for report in found.values()} == {0}


def test_rules_without_subjects_in_the_invented_corpora_are_listed() -> None:
    blind = {code for code, report in reports(INVENTED).items() if not report.seen}
    unreleased = {"id-reassigned", "id-removed-without-tombstone", "missing-correction", "needless-correction"}
    unreleased |= {"version-too-low", "releases-missing"}
    withdrawn = {"withdrawn-words", "withdrawn-id", "withdrawn-outside-text"}
    others = {
        "date-basis-mismatch",
        "date-words-mismatch",
        "draft-record",
        "needless-inference",
        "occurrence-may-move",
        "protected-speaker-referenced",
        "redundant-override",
    }
    assert blind == {*others, *withdrawn, *unreleased}


def test_a_new_record_is_one_more_subject(copied: Path) -> None:
    before = reports(copied)["empty-waiver"].seen
    edit(
        copied,
        A,
        "    note: A pull quote.\n",
        "    note: A pull quote.\n  - {id: example-w5, evidence: x, reason: date}\n",
    )
    assert reports(copied)["empty-waiver"].seen == int(before or 0) + 1


def test_one_run_shows_what_is_wrong_in_records_and_between_them(copied: Path) -> None:
    edit(copied, A, "result: example-f7\n    operands: [example-f6]", "result: example-f8\n    operands: [example-f2]")
    (copied / "annotations/comparisons.yaml").unlink()
    definition = "        definition: Share of the crews who want to return.\n".removeprefix("    ")
    edit(copied, "annotations/vocabulary.yaml", definition, f"{definition}    constant: true\n")
    between = ["conflict-without-note", "relation-fails"]
    assert [finding.code for finding in found_in(copied)] == between
    edit(copied, A, "evidence: two inns", "evidence: two ins")
    assert [finding.code for finding in found_in(copied)] == ["evidence-not-found", *between]
    edit(copied, A, "- id: example-w2\n", "- id: example-w1\n")
    assert skipped(copied) == WAITING


def test_figures_with_a_finding_are_not_compared(copied: Path) -> None:
    edit(copied, A, "result: example-f7\n    operands: [example-f6]", "result: example-f8\n    operands: [example-f2]")
    edit(copied, A, "evidence: about 12 of them sleep", "evidence: about 12 of tem sleep")
    assert [finding.code for finding in found_in(copied)] == ["evidence-not-found"]


def test_an_unreadable_file_does_not_hide_findings_in_other_files(copied: Path) -> None:
    edit(copied, A, "evidence: two inns", "evidence: two ins")
    edit(copied, "annotations/901_second.yaml", 'suffix: " reads', 'sufix: " reads')
    assert [finding.code for finding in found_in(copied)] == ["evidence-not-found", "unknown-key"]


def test_an_invalid_record_skips_only_the_rules_that_need_all_records(copied: Path) -> None:
    edit(copied, A, "    mode: narrated\n    evidence: In", "    mode: sung\n    evidence: In")
    ran = run("check", "--format", "json", where=copied)
    rules = {rule["rule"]: rule for rule in json.loads(ran.stdout)["rules"]}
    assert ran.returncode == 1
    first_of_code = {each.code: each for each in reversed(RULES)}
    assert {code for code, rule in rules.items() if rule["skipped"]} == {
        code for code, each in first_of_code.items() if each.complete
    }
    assert rules["invalid-value"]["findings"] == 1
    assert "Skipped until the problems above are fixed: " in run("check", where=copied).stdout


INVALID = {
    "a testimony": (A, "    mode: narrated\n    evidence: In", "    mode: sung\n    evidence: In", "invalid-value"),
    "a public speaker": (A, "    name: Mira Fenn\n", "    nam: Mira Fenn\n", "unknown-key"),
    "a figure": (A, "    hedge: at_least\n", "    hedge: at_lest\n", "invalid-value"),
    "the language of a source": (A, "  language: en\n", "  language: English\n", "invalid-value"),
    "a title": (A, "  title: ", "  titel: ", "unknown-key"),
    "words that are cut": (A, "  title: Keepers Leave", "  title: Keepers # Leave", "value-not-as-typed"),
    "a repeated key": (A, "    hedge: at_least\n", "    hedge: at_least\n    hedge: at_least\n", "duplicate-key"),
    "a shared speaker": ("annotations/speakers.yaml", "    kind: person\n", "    kind: prson\n", "invalid-value"),
    "a theme": (
        "annotations/vocabulary.yaml",
        "  - term: escape\n",
        "  - term: escape\n    colour: red\n",
        "unknown-key",
    ),
}


@pytest.mark.parametrize("name", INVALID)
def test_an_invalid_record_hides_no_fault_in_another_and_has_no_consequence(copied: Path, name: str) -> None:
    file, valid, invalid, code = INVALID[name]
    text = (copied / file).read_text(encoding="utf-8")
    assert valid in text
    (copied / file).write_text(text.replace(valid, invalid, 1), encoding="utf-8")
    assert [finding.code for finding in found_in(copied)] == [code]
    edit(copied, A, "evidence: two inns", "evidence: two ins")
    assert sorted(finding.code for finding in found_in(copied)) == sorted([code, "evidence-not-found"])


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        (A, "    role: defector\n", "    role: deserter\n"),
        (A, "    unit: percent\n", "    unit: percents\n"),
        ("annotations/speakers.yaml", "    role: ", "    role: x"),
    ],
)
def test_a_term_that_does_not_exist_has_no_consequence(copied: Path, file: str, right: str, wrong: str) -> None:
    text = (copied / file).read_text(encoding="utf-8")
    (copied / file).write_text(text.replace(right, wrong, 1), encoding="utf-8")
    assert [finding.code for finding in found_in(copied)] == ["unknown-term"]


def test_the_verbose_summary_names_rules_without_subjects() -> None:
    written = run("-v", "check", "--rules", "--no-cache", where=INVENTED).stdout
    assert "\nNothing to check: protected-speaker-referenced, withdrawn-id, redundant-override, " in written
    counts = "2 sources, 9 speakers of articles, 15 testimonies, 14 figures, 7 waivers, 10 quotations, 23 numbers."
    assert counts in written
    assert {line.split(" ", 1)[0] for line in written.splitlines()} >= set(CODES)


@pytest.mark.parametrize("command", ["check", "build"])
def test_every_rule_is_listed_with_its_number_of_subjects(copied: Path, command: str) -> None:
    written = run(command, "--rules", where=copied).stdout
    for report in checked(copied).rules:
        assert f"{report.seen} {report.looked_at}: 0 found" in written


ROLE = ("  - term: defector\n", "  - term: Defector X\n")
SHARED_FAULTS: dict[str, tuple[str, Callable[[str], str]]] = {
    "a wrong value": ("dataset.yaml", lambda text: text.replace("version: 1.2.3", "version: one")),
    "an unknown key": ("dataset.yaml", lambda text: f"{text}nmaes: [x]\n"),
    "no content": ("dataset.yaml", lambda _: ""),
    "a key twice": ("annotations/vocabulary.yaml", lambda text: f"{text}units: []\n"),
    "a wrong role": ("annotations/vocabulary.yaml", lambda text: text.replace(*ROLE)),
    "no YAML": ("annotations/vocabulary.yaml", lambda text: f"{text} - [x\n"),
    "a speaker without an id": ("annotations/speakers.yaml", lambda text: text.replace("id: bruno-salt", "id:")),
    "no YAML in speakers": ("annotations/speakers.yaml", lambda text: f"{text} - [x\n"),
    "no YAML in notes": ("annotations/comparisons.yaml", lambda text: f"{text} - [x\n"),
    "no mapping": ("annotations/tombstones.yaml", lambda _: "tombstones: [x]\n"),
    "no JSON": ("annotations/releases.jsonl", lambda _: "{\n"),
    "no UTF-8": ("CHANGELOG.md", lambda text: f"{text}\udce9"),
}


@pytest.mark.parametrize("fault", SHARED_FAULTS)
def test_a_fault_in_a_shared_file_neither_hides_nor_causes_a_finding_in_an_article(copied: Path, fault: str) -> None:
    file, damaged = SHARED_FAULTS[fault]
    path = copied / file
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(damaged(text), encoding="utf-8", errors="surrogateescape")
    assert {finding.place.file for finding in found_in(copied)} == {file}
    edit(copied, "annotations/900_example.yaml", "evidence: two inns", "evidence: three inns")
    result = checked(copied)
    assert built(copied, copied / "dist").checked.findings == result.findings
    assert "evidence-not-found" in {finding.code for finding in result.findings}
    assert any(rule.findings is None for rule in result.rules)
