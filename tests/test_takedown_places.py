"""No table shows where removed words were; the quotations and numbers among them are counted."""

from __future__ import annotations

import re
from pathlib import Path

from calling import run
from takedowns import rows_in, take_out

FIRST = "annotations/900_example.yaml"


def test_quotations_and_numbers_in_removed_words_are_counted_and_in_no_row(copied: Path) -> None:
    assert run("build", where=copied).returncode == 0
    before = rows_in(copied / "dist/data/ledger.csv")
    take_out(copied, "example-t5")
    assert run("build", where=copied).returncode == 0
    sources = {row["source_id"]: row for row in rows_in(copied / "dist/data/sources.csv")}
    after = rows_in(copied / "dist/data/ledger.csv")
    lost = {row["ledger_id"] for row in before} - {row["ledger_id"] for row in after}
    assert sources["example"]["withdrawn_entries"] == str(len(lost)) != "0"
    assert sources["second"]["withdrawn_entries"] == ""
    assert all(row["text"] for row in after)
    assert run("verify", where=copied).returncode == 0

    _, _, taken = (copied / FIRST).read_text(encoding="utf-8").partition("\nwithdrawn:")
    edges = set(re.findall(r"\b\d{3,}\b", taken))
    for table in (copied / "dist/data").glob("*.csv"):
        for row in rows_in(table):
            shown = {row.get("start_offset"), row.get("end_offset")}
            assert not edges & shown, (table.name, row)


def test_records_next_to_a_removed_mention_and_seeds_with_its_words_are_listed(copied: Path) -> None:
    ran = run("takedown", "example-m1", "--reason", "person", "--dry-run", where=copied)
    near = "These records are in a paragraph with a removed mention. Run takedown for those that describe the person: "
    assert f"{near}example-f2 example-f3\n" in ran.stderr
    assert "These seeds still print removed words: seeds/900_example.txt\n" in ran.stdout
    alone = run("takedown", "bruno-salt", "--reason", "person", "--dry-run", where=copied)
    assert "in a paragraph" not in alone.stderr


def test_exports_and_zips_in_build_are_not_searched_and_are_named(copied: Path) -> None:
    take = ("takedown", "example-m1", "--reason", "person", "--dry-run")
    (copied / "build/check-cache").mkdir(parents=True)
    assert "was not searched" not in run(*take, where=copied).stdout
    (copied / "build/brat").mkdir()
    line = "build was not searched: delete the exports and zips of earlier data in it.\n"
    assert line in run(*take, where=copied).stdout
