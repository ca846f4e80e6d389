"""What is wrong with a file is a finding with its place; a protected person's words are never repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import edit, found_in
from defectors_data.corpus import findings
from defectors_data.corpus.file_tree import LARGEST, seed_text

ANNOTATIONS = "annotations/900_example.yaml"
SECOND = "annotations/901_second.yaml"


def said(root: Path) -> list[str]:
    return [findings.text(finding) for finding in found_in(root)]


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        (
            "mode: narrated\n    evidence: In",
            "mode: narated\n    evidence: In",
            "103:11: invalid-value: `narated` is not one",
        ),
        ("  language: en\n  dateline", "  dateline", "3:3: missing-key: The key `language` is missing"),
        (
            "  language: en\n  dateline",
            "  language: English\n  dateline",
            "20:13: invalid-value: The value must have this form",
        ),
        (
            "    kind: group\n",
            "    kind: crowd\n",
            "54:11: invalid-value: The value must be one of person, group, institution, writer.",
        ),
        ("    value: 1600\n", "    value: 1,600\n", "invalid-value: Expected a number in plain digits"),
        ("    as_of: XXXX-03\n", "    as_of: last March\n", "invalid-value: Expected a date in EDTF"),
        (
            "    themes: [weather]\n    attribution: Mira",
            "    themes: weather\n    attribution: Mira",
            "This must be a list: put the value in [ ].",
        ),
        (
            "    themes: [weather]\n    attribution: Mira",
            "    themes: []\n    attribution: Mira",
            "The list is empty: fill it",
        ),
        (
            "    basis: inferred\n",
            "    basis: guessed\n",
            "`guessed` is not one of stated, inferred, external, other_edition.",
        ),
        ("    basis: inferred\n", "", "missing-key: The key `basis` is missing here."),
        ("        age: 36\n", "        age: 360\n", "The number must be 120 or less."),
        ("id: example-f2\n", "id: Example F2\n", "invalid-value: The value must have this form"),
        (
            "    reason: term\n",
            "    reason: term\n    every_occurrence: yes\n",
            "invalid-value: Expected true or false.",
        ),
    ],
)
def test_a_wrong_value_is_reported_in_plain_words(copied: Path, old: str, new: str, line: str) -> None:
    edit(copied, ANNOTATIONS, old, new)
    [sentence] = said(copied)
    assert line in sentence


def test_a_misspelt_key_is_compared_with_the_keys_of_its_place(copied: Path) -> None:
    edit(copied, ANNOTATIONS, "\ntestimonies:\n", "\ntestimonys:\n")
    [finding] = found_in(copied)
    assert finding.help == ("Did you mean `testimonies`?",)


def test_a_misspelt_reason_is_compared_with_the_others_and_not_repeated(copied: Path) -> None:
    edit(copied, ANNOTATIONS, "    reason: date\n", "    reason: dates\n")
    [finding] = found_in(copied)
    assert "dates" not in finding.message
    assert finding.help == ("Did you mean `date`?",)


def test_a_file_that_is_no_mapping_is_a_finding(copied: Path) -> None:
    for content in ("", "[]", "text", "- 1"):
        (copied / SECOND).write_text(content, encoding="utf-8")
        assert said(copied), content


def test_findings_of_several_files_come_together(copied: Path) -> None:
    edit(copied, ANNOTATIONS, "mode: narrated\n    evidence: In", "mode: narated\n    evidence: In")
    edit(copied, SECOND, "    hedge: vague\n", "    hedge: rough\n")
    assert [finding.place.file for finding in found_in(copied)] == [ANNOTATIONS, SECOND]


def test_a_folder_in_place_of_a_seed_is_unreadable(copied: Path) -> None:
    (copied / "seeds/901_second.txt").unlink()
    (copied / "seeds/901_second.txt").mkdir()
    assert "file-unreadable" in said(copied)[0]


def test_a_seed_name_cannot_leave_the_seeds_folder(copied: Path) -> None:
    edit(copied, SECOND, "seed: 901_second.txt", "seed: ../dataset.yaml")
    assert "invalid-value" in said(copied)[0]


def test_a_file_of_the_largest_size_is_read_and_a_larger_one_is_not(copied: Path) -> None:
    path = copied / SECOND
    path.write_bytes(path.read_bytes() + b"#" * (LARGEST - path.stat().st_size))
    assert said(copied) == []
    path.write_bytes(path.read_bytes() + b"\n")
    assert "file-too-large" in "".join(said(copied))


TYPED = "xqzvbnmwk"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    anonymity: withheld\n", f"    anonymity: withheld\n    name: {TYPED}\n"),
        ("    anonymity: withheld\n", f"    anonymity: withheld\n    {TYPED}: x\n"),
        ("    anonymity: withheld\n", f"    anonymity: {TYPED}\n"),
        ("    request: fear_of_reprisal\n", f"    request: {TYPED}\n"),
        ("  - id: example-speaker-1\n", f"  - id: {TYPED}\n"),
        ("  - id: example-speaker-1\n", f"  - id: '{TYPED} x'\n"),
        ("        evidence: one keeper\n", f"        evidence: one {TYPED}\n"),
        ("        evidence: one keeper\n", f"        evidence: one keeper\n        {TYPED}: 1\n"),
        ("      - id: example-m3\n", f"      - id: {TYPED}\n"),
        ("  - id: example-t6\n", f"  - id: {TYPED}\n"),
        ("  - id: example-t6\n", f"  - id: '{TYPED} x'\n"),
        ("    evidence: walked to the pier with three cases.\n", f"    evidence: walked to the {TYPED}\n"),
        ("          request: asked not to be named for fear\n", f"          request: asked not to be {TYPED}\n"),
        ("          request: asked not to be named for fear\n", f"          gender: {TYPED}\n"),
    ],
)
def test_text_about_a_protected_person_is_not_repeated(copied: Path, old: str, new: str) -> None:
    edit(copied, ANNOTATIONS, old, new)
    found = found_in(copied)
    assert found
    for finding in found:
        shown = findings.text(finding) + findings.github(finding) + str(findings.record(finding))
        assert TYPED not in shown


WRAPPED = (
    "“We left the northern island of the two\nat night, when nobody looked for us there,\n"
    "and rowed to the pier of the town before\nthe storm came,” said Ada.\n"
)


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (WRAPPED, True),
        (WRAPPED.replace("\n", " "), False),
        (WRAPPED.replace("\n", "\n\n"), False),
        (f"The Lamps\n\n{WRAPPED}\n{WRAPPED}", True),
        (WRAPPED.replace("and rowed", "And rowed").replace("at night", "At night"), False),
        ("The lamps of the northern pier are dark\n" * 5, False),
        ("Home\nabout us\ncontact\nsubscribe to the letter\n", False),
        (
            "By the ferry that leaves in the morning\nor by the one at night.\nHe left the northern island then.\n" * 2,
            True,
        ),
        (
            "By the ferry that leaves in the morning\nor by the one at night.\n\n"
            + "He left the northern island.\n" * 5,
            False,
        ),
    ],
)
def test_a_seed_with_wrapped_lines_is_refused(text: str, refused: bool) -> None:
    content, found = seed_text(text.encode(), "seeds/900_example.txt")
    assert [finding.code for finding in found] == (["seed-wrapped"] if refused else [])
    assert (content is None) == refused
