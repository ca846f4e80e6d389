"""Edits without judgement: short ids mean full ones, `ids` fills in those that are missing, and `fix` never a word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from calling import run
from conftest import INVENTED, documents_of, edit, found_in
from defectors_data.text.wording_differences import unseen_difference

FIRST = "annotations/900_example.yaml"


def shorten(root: Path) -> None:
    """Write the ids of both sources in their short form."""
    for stem, source in (("900_example", "example"), ("901_second", "second")):
        path = root / f"annotations/{stem}.yaml"
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(rf"\b{source}-((?:[tfwrme]|speaker-)[0-9]+)\b", r"\1", text), encoding="utf-8")


def test_short_ids_mean_the_full_ones(copied: Path) -> None:
    shorten(copied)
    assert "example-t1" not in (copied / FIRST).read_text(encoding="utf-8")
    assert found_in(copied) == []
    assert [each.content for each in documents_of(copied)] == [each.content for each in documents_of(INVENTED)]


def test_a_record_with_a_short_id_is_taken_down(copied: Path) -> None:
    shorten(copied)
    ran = run("takedown", "example-t8", "--reason", "person", where=copied)
    assert ran.returncode == 0, ran.stderr
    assert found_in(copied) == []
    assert "example-t8" in (copied / "annotations/tombstones.yaml").read_text(encoding="utf-8")
    assert "id: t8\n" not in (copied / FIRST).read_text(encoding="utf-8")


def test_records_without_ids_get_free_ones(copied: Path) -> None:
    edit(copied, FIRST, "  - id: example-t7\n    speaker", "  - speaker")
    edit(copied, FIRST, "- id: example-m1\n        evidence", "- evidence")
    second = "annotations/901_second.yaml"
    edit(
        copied,
        second,
        "- id: second-w8\n    evidence: 2-year-old\n    reason: protected_attribute",
        "- {evidence: 2-year-old, # its age\n    reason: protected_attribute}",
    )
    ran = run("ids", FIRST, where=copied)
    assert ran.returncode == 0, ran.stderr
    text = (copied / FIRST).read_text(encoding="utf-8")
    assert "  - id: t7\n    speaker" in text
    assert "- id: m1\n        evidence" in text
    before = (copied / second).read_text(encoding="utf-8")
    assert run("ids", where=copied).returncode == 0
    after = before.replace("- {evidence: 2-year-old, # its age", "- {id: w2, evidence: 2-year-old, # its age")
    assert (copied / second).read_text(encoding="utf-8") == after
    assert run("ids", where=copied).stdout == "Nothing was changed.\n"
    assert found_in(copied) == []


@pytest.mark.parametrize("list_of_used", ["tombstones", "releases"])
def test_ids_of_tombstones_and_releases_are_not_given_again(copied: Path, list_of_used: str) -> None:
    entries = {
        "tombstones": "tombstones:\n  - {table: testimonies, id: example-t7, date: 2026-01-31, reason: person}\n",
        "releases": "releases:\n  - {table: testimonies, id: example-t7, first: 1.0.0, changed: 1.0.0,"
        f" change: addition, content: {'0' * 64}}}\n",
    }
    (copied / f"annotations/{list_of_used}.yaml").write_text(entries[list_of_used], encoding="utf-8")
    edit(copied, FIRST, "  - id: example-t7\n    speaker", "  - speaker")
    ran = run("ids", where=copied)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "  - id: t10\n    speaker" in (copied / FIRST).read_text(encoding="utf-8")


def test_a_file_that_is_no_mapping_is_refused(copied: Path) -> None:
    (copied / FIRST).write_text("- 1\n", encoding="utf-8")
    ran = run("ids", where=copied)
    assert (ran.returncode, ran.stdout) == (1, "")


def test_only_invisible_characters_are_corrected(copied: Path) -> None:
    edit(copied, FIRST, "It’s quiet tonight,", "It's quiet tonight,")
    edit(copied, FIRST, "- We had no oil left,\n", '- "We had\u00a0no oil left,"  # nothing\n')
    edit(copied, FIRST, "evidence: two inns", "evidence: three inns")
    shown = run("fix", "--dry-run", where=copied)
    assert (shown.returncode, len(shown.stdout.splitlines())) == (1, 4)
    assert "\u00a0" in (copied / FIRST).read_text(encoding="utf-8"), "nothing is written"
    ran = run("fix", where=copied)
    assert ran.returncode == 1, "words differ elsewhere"
    text = (copied / FIRST).read_text(encoding="utf-8")
    assert '{text: "It’s quiet tonight,", unbalanced: opening}' in text
    assert '- "We had no oil left,"  # nothing\n' in text
    assert "evidence: three inns" in text
    assert [each.code for each in found_in(copied) if "seed" in each.message] == ["evidence-not-found"]
    edit(copied, FIRST, "evidence: three inns", "evidence: two inns")
    assert run("fix", where=copied).returncode == 0


@pytest.mark.parametrize(
    ("typed", "seed"),
    [
        ("It's five", "It’s five"),
        ('"Nobody" wrote', "“Nobody” wrote"),
        ("no oil", "no\u00a0oil"),
        ("harbour", "har\u00adbour"),
        ("har\u200bbour", "harbour"),
        ("office", "oﬃce"),
        ("lamp-lit", "lamp–lit"),
    ],
)
def test_an_invisible_difference_is_named(typed: str, seed: str) -> None:
    found = unseen_difference([typed], f"We saw {seed} here.")
    assert found
    assert found[1] == [seed]
    _, [before, after] = unseen_difference(["saw ", typed], f"We saw {seed} here.") or ("", ["", ""])
    assert (before, after) == ("saw ", seed)


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("It's a lamp-post", "It’s a lamp–post"),  # two kinds
        ("5-7 men", "5–7 men"),
        ("1 000 men", "1\u00a0000 men"),
        ("It's dark", "It’s dark. It‘s dark."),  # two forms
        ("It's dark", "It is dark."),
        ("Its dark", "It’s dark."),
        ("cafe", "café"),
        ("10", "1O"),
        ("he’s", "he‵s"),
    ],
)
def test_numbers_letters_and_words_are_not_changed(typed: str, text: str) -> None:
    assert unseen_difference([typed], text) is None
