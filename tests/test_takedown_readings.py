"""Takedowns remove records and persons from readings and from pages of decisions."""

from __future__ import annotations

from pathlib import Path

import yaml

from calling import run
from conftest import found_in
from defectors_data.package import published_folder
from defectors_data.publishers.takedown import ChangedFile
from takedowns import take_out

READING = """\
# What was read first.
source:
  title: Clerks and Crew
testimonies:
  - evidence: The lamps are dark,
    mode: direct
  - evidence: three boats
    note: Of Mira Fenn.
figures:
  - evidence: two inns
    value: '2'
"""


OLD_READING = """\
testimonies:
- evidence: two inns
  acts:
  - words: two inns
    against: The lamps are dark,
figures:
- evidence: two inns
"""


def with_readings(root: Path) -> Path:
    folder = root / "annotations/readings"
    (folder / "old").mkdir(parents=True)
    texts = {
        "900_example.first.yaml": READING,
        "901_second.first.yaml": "figures:\n- evidence: dozens of empty towers\n",
        "901_second.second.yaml": "# Asked MIRA FENN.\nfigures:\n- evidence: dozens of empty towers\n",
        "old/900_example.first.yaml": OLD_READING,
        "adjudication.md": "What was decided on\nThe lamps are dark, and about mira-fenn.\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert found_in(root) == []
    return folder


def test_a_reading_loses_the_records_that_contain_removed_words_or_the_name(copied: Path) -> None:
    folder = with_readings(copied)
    before = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.is_file()}
    plan = take_out(copied, "example-t5")
    readings = [changed for changed in plan.files if "/readings/" in changed.file]
    changed = ["annotations/readings/900_example.first.yaml", "annotations/readings/old/900_example.first.yaml"]
    assert readings == [ChangedFile(file, removed=False, records=1) for file in changed]
    assert "lamps" not in (folder / "old/900_example.first.yaml").read_text(encoding="utf-8")
    after = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir() if path.is_file()}
    without = before["900_example.first.yaml"].replace("  - evidence: The lamps are dark,\n    mode: direct\n", "")
    assert after == {**before, "900_example.first.yaml": without}
    assert ("annotations/readings/adjudication.md", 2) in [(line.file, line.line) for line in plan.printed]
    plan = take_out(copied, "mira-fenn")
    readings = [changed for changed in plan.files if "/readings/" in changed.file]
    assert readings == [
        ChangedFile("annotations/readings/900_example.first.yaml", removed=False, records=1),
        ChangedFile("annotations/readings/901_second.second.yaml", removed=True),
    ]
    assert "Fenn" not in (folder / "900_example.first.yaml").read_text(encoding="utf-8")


BLIND_READING = """\
speakers:
- {label: s1, mentions: [{label: m1, evidence: "Bruno Salt, 36"}]}
- {label: s2, mentions: [{evidence: {text: one keeper, prefix: "said "}}]}
- {label: s3, mentions: [{evidence: {text: Fenn, suffix: ", a clerk"}}]}
testimonies:
- {label: t1, speaker: s1, evidence: "Coast Watch"}
- {label: t2, speaker: s2, evidence: {text: said one keeper, suffix: ", who asked"}}
- {label: t3, speaker: s2, evidence: {text: Port Example, suffix: "\\n\\nThey"}}
- {label: t4, speaker: s3, evidence: {text: Far more, prefix: "Nobody wrote to us."}}
figures:
- {label: f1, evidence: two inns, testimony: t1}
- {label: f2, evidence: two inns, attributed_to: s2}
- {label: f3, evidence: {text: the winter pay, prefix: "told the Example Wire "}}
statement_relations:
- {kind: confirms, a: t1, b: t2}
- {kind: confirms, a: t2, b: t3}
"""
DECISIONS = """\
# Decisions: example

- Line 8, "two inns": taken.
- Line 10, the second part: a testimony.
- Lines 8 and 12: an outlet.
- Both have "We had no oil left", of the same
  speaker.
- Only one has "one keeper".
- The record example-t2 keeps its id.
- "said" is left out.
- Of a sergeant called SALT.
"""


def test_a_takedown_removes_a_person_from_blind_readings_and_decisions(copied: Path) -> None:
    folder = copied / "annotations/readings/2026-01-31"
    folder.mkdir(parents=True)
    reading, decisions = folder / "900_example.reader-2.yaml", folder / "900_example.decisions.md"
    reading.write_text(BLIND_READING, encoding="utf-8")
    decisions.write_text(DECISIONS, encoding="utf-8")
    plan = take_out(copied, "bruno-salt")
    left = yaml.safe_load(reading.read_text(encoding="utf-8"))
    labels = {kind: [entry.get("label") for entry in entries] for kind, entries in left.items()}
    assert labels == {
        "speakers": ["s2", "s3"],
        "testimonies": ["t2", "t3"],
        "figures": ["f2"],
        "statement_relations": [None],
    }, "neighbours keep their records, unless they quote removed words around their own"
    assert decisions.read_text(encoding="utf-8") == (
        '# Decisions: example\n\n- Line 8, "two inns": taken.\n- Only one has "one keeper".\n- "said" is left out.\n'
    )
    changed = {each.file: each.records for each in plan.files if "/readings/" in each.file}
    assert changed == {str(reading.relative_to(copied)): 6, str(decisions.relative_to(copied)): 5}


def test_a_takedown_of_an_article_removes_its_readings_and_decisions(copied: Path) -> None:
    folder = copied / "annotations/readings/2026-01-31"
    folder.mkdir(parents=True)
    for stem in ("900_example", "901_second"):
        (folder / f"{stem}.reader-2.yaml").write_text("figures: []\n", encoding="utf-8")
        (folder / f"{stem}.decisions.md").write_text("- Line 1: taken.\n", encoding="utf-8")
    take_out(copied, "example")
    assert sorted(path.name for path in folder.iterdir()) == ["901_second.decisions.md", "901_second.reader-2.yaml"]


def test_the_plan_names_every_file_that_changes(copied: Path) -> None:
    with_readings(copied)
    command = ("takedown", "example-t5", "--reason", "person")
    planned = run(*command, "--dry-run", where=copied).stdout.replace("would be ", "").splitlines()
    before = published_folder.contents(copied)
    done = run(*command, where=copied).stdout.splitlines()
    assert planned[:-1] == [line for line in done if line in planned]
    after = published_folder.contents(copied)
    changed = {name for name in before | after if before.get(name) != after.get(name)}
    named = {line.partition(":")[0] for line in done if line.startswith("annotations/")}
    assert named == {name for name in changed if not name.startswith(("dist/", "build/"))}
