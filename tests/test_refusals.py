"""What a slip on the command line must not do: overwrite a file, name another record, or pass unnoticed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from calling import run
from conftest import content, edit
from defectors_data.corpus.reader import CorpusChangedError

PAGE = "exists and is not an HTML page: choose another file. Nothing was written.\n"


@pytest.mark.parametrize(
    ("target", "code", "sentence"),
    [
        ("seeds/900_example.txt", 1, "is inside seeds, which is part of the project: choose another place."),
        ("annotations/900_example.yaml", 1, "is inside annotations, which is part of the project"),
        ("dist/index.html", 1, "is inside dist, which is part of the project"),
        ("dataset.yaml", 2, PAGE),
        ("seeds", 1, "is part of the project"),
    ],
)
def test_a_page_of_changes_replaces_no_other_file(
    published: Path, tmp_path: Path, target: str, code: int, sentence: str
) -> None:
    root = Path(shutil.copytree(published, tmp_path / "project"))
    before = (root / target).read_bytes() if (root / target).is_file() else b""
    ran = run("diff", "dist", "dist", "--html", target, where=root)
    assert (ran.returncode, sentence in ran.stderr) == (code, True), ran
    assert not before or (root / target).read_bytes() == before


def test_a_page_of_changes_is_replaced_by_a_new_one(published: Path, tmp_path: Path) -> None:
    for _ in range(2):
        assert run("diff", "dist", "dist", "--html", tmp_path / "changes.html", where=published).returncode == 0


def test_a_zip_is_not_written_into_the_package(published: Path) -> None:
    ran = run("zip", "--out", "dist", where=published)
    assert (ran.returncode, list((published / "dist").glob("*.zip"))) == (1, [])
    assert "dist is part of the project: choose another place." in ran.stderr


def test_a_tolerance_is_not_negative(copied: Path) -> None:
    edit(copied, "annotations/vocabulary.yaml", "hedge: about\n    percent: 10", "hedge: about\n    percent: -10")
    ran = run("check", where=copied)
    assert (ran.returncode, "invalid-value: The number must be 0 or more.\n" in ran.stdout) == (1, True), ran.stdout


def test_a_record_that_was_taken_down_is_not_taken_for_another(copied: Path) -> None:
    assert run("takedown", "example-t1", "--reason", "law", "--date", "2026-01-31", where=copied).returncode == 0
    again = run("takedown", "example-t1", "--reason", "law", where=copied)
    assert (again.returncode, "example-t2" in again.stderr) == (1, False)
    assert "example-t1 was already removed, on 2026-01-31 (reason: law)" in again.stderr


def test_a_removal_is_not_in_the_future(copied: Path) -> None:
    ran = run("takedown", "example-t1", "--reason", "law", "--date", "9999-01-01", "--dry-run", where=copied)
    assert (ran.returncode, ran.stderr) == (2, "9999-01-01 is in the future.\n")


def test_a_mistyped_folder_of_articles_is_named(published: Path) -> None:
    ran = run("verify", "dist", "--seeds", "sedes", where=published)
    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", "There is no folder sedes.\n")


@pytest.mark.parametrize(
    "words",
    [
        ["todo", "sed\udcff"],
        ["locate", "sed\udcff", "oil"],
        ["history", "example-t\udcff"],
        ["init", "new", "--empty", "--title", "The \udcff"],
    ],
)
def test_bytes_that_are_no_utf8_in_the_command_line_are_no_bug(published: Path, words: list[str]) -> None:
    before = content(published)
    ran = run(*words, where=published)
    assert (ran.returncode, ran.stderr) == (
        2,
        "The command line contains bytes that are not UTF-8: rename the file, or correct it.\n",
    )
    assert content(published) == before


def test_a_file_that_changes_while_it_is_read_is_named(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def change(*_: object, **__: object) -> None:
        raise CorpusChangedError("annotations/901_second.yaml has changed since it was read")

    monkeypatch.setattr("defectors_data.pipeline.run", change)
    ran = run("check", "--no-cache", where=copied)
    assert (ran.returncode, "annotations/901_second.yaml has changed since it was read." in ran.stderr) == (3, True)


@pytest.mark.parametrize("words", [["view"], ["quotecheck", "seeds/900_example.txt"]])
def test_a_missing_folder_of_copies_is_called_missing(published: Path, words: list[str]) -> None:
    ran = run(*words, "--seeds", "sedes", where=published)
    assert (ran.returncode, ran.stderr.partition(" Nothing")[0].strip()) == (2, "There is no folder sedes.")


def test_a_file_more_is_not_listed(published: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(published / "dist", tmp_path / "dist"))
    (folder / "notes.txt").write_text("x", encoding="utf-8")
    ran = run("verify", folder, where=published)
    assert (ran.returncode, "notes.txt: is not listed in SHA256SUMS" in ran.stdout) == (1, True), ran.stdout
    assert "checksum differs" not in ran.stdout


def test_a_seed_without_annotations_is_left_to_do(copied: Path) -> None:
    (copied / "seeds/902_third.txt").write_text("A third.\n", encoding="utf-8")
    ran = run("todo", where=copied)
    assert (ran.returncode, "seeds/902_third.txt:1:1: seed-without-annotations: " in ran.stdout) == (0, True), (
        ran.stdout
    )
    assert "902_third" not in run("todo", "900_example", where=copied).stdout


def test_history_takes_a_record_as_citations_print_it(published: Path) -> None:
    assert (
        run("history", "figures/example-f1", where=published).stdout
        == run("history", "example-f1", where=published).stdout
        != ""
    )
    assert run("history", "testimonies/example-f1", where=published).returncode == 1


def test_a_manuscript_without_quotations_is_reported(published: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("Nothing here.\n", encoding="utf-8")
    ran = run("quotecheck", tmp_path / "empty.txt", where=published)
    assert (ran.returncode, ran.stdout) == (0, "No quotation and no number was found.\n")


def test_json_of_another_kind_is_no_annotation(copied: Path, tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"name": "other"}', encoding="utf-8")
    ran = run("import", "w3c", tmp_path / "other.json", where=copied)
    assert (ran.returncode, "it does not have the structure of the format" in ran.stderr) == (1, True), ran
