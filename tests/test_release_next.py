"""`release` publishes and records a version in one command, or writes nothing."""

from __future__ import annotations

import datetime as dt
import hashlib
import shutil
from pathlib import Path

import pytest

from calling import run
from conftest import edit

FILE = "annotations/900_example.yaml"
SECOND = "annotations/901_second.yaml"
PRIVATE = ", private: keepers@lamps.example"


def files(root: Path) -> dict[str, bytes]:
    found = (path for path in root.rglob("*") if path.is_file() and "check-cache" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def correct_a_code(root: Path) -> None:
    edit(root, FILE, "  - id: example-t4\n", "  - id: example-t4\n    stance: doubts\n")


def test_a_correction_is_released_in_one_command(released: Path) -> None:
    correct_a_code(released)
    (released / "CITATION.cff").write_text("version: 1.2.3\n", encoding="utf-8")
    edit(released, "dataset.yaml", "\nversion: 1.2.3\n", "\nversion: 1.2.3\ndoi: 10.5281/zenodo.123\n")
    ran = run("release", "--correct", "code", where=released)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    today = dt.datetime.now(tz=dt.UTC).date()
    assert "Version 1.2.4: 1 change; 1 record marked as `corrected`.\n    testimonies/example-t4\n" in ran.stdout
    assert "corrected: {version: 1.2.4, reason: code}" in (released / FILE).read_text(encoding="utf-8")
    dataset = (released / "dataset.yaml").read_text(encoding="utf-8")
    assert f"version: 1.2.4\nreleased: {today}\n" in dataset
    assert "last_release: 1.2.4" in dataset
    assert "dataset.yaml: `doi` 10.5281/zenodo.123 is that of the last release, and was removed.\n" in ran.stdout
    assert "doi" not in dataset + (released / "CITATION.cff").read_text(encoding="utf-8")
    changelog = (released / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## 1.2.4 ({today})" in changelog
    assert (
        "\n  - `testimonies.stance`: from `asserts` to `doubts`, 1 record.\n- The table `history` names the records.\n"
        in changelog
    )
    assert "example-t4" not in changelog
    assert "from `asserts` to `doubts`" in (released / "dist/CHANGELOG.md").read_text(encoding="utf-8")
    assert "version: 1.2.4" in (released / "CITATION.cff").read_text(encoding="utf-8")
    commit = 'git commit -m "Release 1.2.4" && git tag v1.2.4\n'
    assert f"git add annotations seeds dist dataset.yaml CHANGELOG.md CITATION.cff && {commit}" in ran.stdout
    in_step = run("build", "--check", where=released)
    assert (in_step.returncode, in_step.stdout, in_step.stderr) == (0, "dist: as a build makes it\n", "")
    assert run("check", where=released).returncode == 0


def test_the_doi_of_a_version_that_was_raised_by_hand_is_kept(released: Path) -> None:
    correct_a_code(released)
    edit(released, "dataset.yaml", "\nversion: 1.2.3\n", "\nversion: 1.3.0\ndoi: 10.5281/zenodo.124\n")
    ran = run("release", "--correct", "code", where=released)
    assert (ran.returncode, "was removed" in ran.stdout) == (0, False)
    assert "doi: 10.5281/zenodo.124" in (released / "dist/CITATION.cff").read_text(encoding="utf-8")


@pytest.mark.deep
def test_a_first_release_builds_the_package_that_is_missing_or_old(copied: Path) -> None:
    assert run("build", where=copied).returncode == 0
    correct_a_code(copied)
    assert run("build", "--check", where=copied).returncode == 1
    assert run("release", "--first-release", where=copied).returncode == 0
    assert run("build", "--check", where=copied).returncode == 0
    shutil.rmtree(copied / "dist")
    again = run("release", where=copied)
    assert (again.returncode, again.stdout.startswith("dist: published\n")) == (0, True)


@pytest.mark.parametrize(
    ("fault", "arguments"),
    [
        ("a reason is missing", ["--next"]),
        ("a finding", ["--correct", "code"]),
        ("a reason for other words", ["--correct", "words"]),
        ("no private address", ["--correct", "code"]),
        ("another package", ["--correct", "code"]),
        ("no change", ["--next"]),
    ],
)
def test_a_release_that_is_refused_writes_nothing(released: Path, fault: str, arguments: list[str]) -> None:
    if fault != "no change":
        correct_a_code(released)
    if fault == "a finding":
        edit(released, FILE, "evidence: March 3rd", "evidence: March 4th")
    if fault == "no private address":
        edit(released, "dataset.yaml", PRIVATE, "")
    if fault == "another package":
        edit(released, "dist/datapackage.json", '"version": "1.2.3"', '"version": "1.2.2"')
    before = files(released)
    ran = run("release", *arguments, where=released)
    said = {
        "a reason is missing": "1 released record changed: give the reason with --correct. Nothing was written.\n",
        "a finding": "1 finding.\n",
        "a reason for other words": "Only values of example-t4 changed, and not its words: give it `corrected` with "
        "version 1.2.4 and another reason than `words`. Nothing was written.\n",
        "no private address": "dataset.yaml has no `contact.private`, where protected persons can ask for a removal: "
        "add an e-mail or web address. Nothing was written.\n",
        "another package": "dist/ has version 1.2.2, not 1.2.3, so the changes are not known: restore it, or release "
        "what it has. Nothing was written.\n",
        "no change": "Nothing changed since version 1.2.3. Nothing was written.\n",
    }
    assert (ran.returncode, ran.stderr[-len(said[fault]) :]) == (1, said[fault])
    assert files(released) == before


def test_a_tag_must_name_the_recorded_version(released: Path) -> None:
    ran = run("release", "--check", "v1.2.3", where=released)
    assert (ran.returncode, ran.stdout) == (0, "v1.2.3: version 1.2.3 is recorded.\n")
    ran = run("release", "--check", "v1.2.4", where=released)
    assert (ran.returncode, ran.stderr) == (1, "The tag v1.2.4 does not name version 1.2.3 of dataset.yaml.\n")
    correct_a_code(released)
    assert "missing-correction" in run("release", "--check", "v1.2.3", where=released).stdout


def test_a_version_that_is_not_recorded_is_not_released_by_its_tag(copied: Path) -> None:
    ran = run("release", "--check", "v1.2.3", where=copied)
    assert (ran.returncode, "does not record version 1.2.3" in ran.stderr) == (1, True)


def test_a_build_names_the_files_that_it_would_change_and_changes_none(released: Path) -> None:
    (released / "CITATION.cff").write_text("version: 1.2.2\n", encoding="utf-8")
    before = files(released)
    ran = run("build", "--check", where=released)
    problem = "CITATION.cff differs from what a build makes: run `defectors-data build`, and commit the result.\n"
    assert (ran.returncode, ran.stderr) == (1, problem)
    (released / "dist/README.md").unlink()
    (released / "dist/notes.txt").touch()
    ran = run("build", "--check", where=released)
    assert ran.stderr.startswith("dist/README.md, dist/notes.txt, CITATION.cff differ from")
    assert files(released).keys() == {*before, "dist/notes.txt"} - {"dist/README.md"}


VOCABULARY = "annotations/vocabulary.yaml"
RECORD = "  - id: example-t4\n"
NEW = "      - id: second-m6\n        evidence: Harbour Office documented\n"
SAID = "    attribution: according to the Harbour Office\n"
DATE = "    happened: {date: XXXX-02, basis: stated, of: event, words: February}\n"
ASKED = "    attribution: said Bruno Salt\n"
MOTIVE = "    motives: [{factor: oil, direction: push, decision: leave, link: own_words, words: no oil left}]\n"
CHANGES: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "a text of the dataset": ("1.2.4", [("dataset.yaml", "To be read by tests.", "To be read by all tests.")]),
    "a definition": ("1.2.4", [(VOCABULARY, "Wind and fog.", "Wind, rain and fog.")]),
    "a new term": (
        "1.3.0",
        [(VOCABULARY, "populations:\n", "populations:\n  - {term: boats, definition: All boats.}\n")],
    ),
    "a new record": ("1.3.0", [(SECOND, "      - id: second-m4\n", NEW + "      - id: second-m4\n")]),
    "a note of a source": ("1.2.4", [(FILE, "of the copyright line.", "in the copyright line.")]),
    "a code": ("1.2.4", [(FILE, RECORD, RECORD + "    stance: doubts\n")]),
    "words": ("1.2.4", [(FILE, "oar and drifted until morning.", "oar and drifted")]),
    "an optional column with its first value": ("1.3.0", [(FILE, SAID, SAID + DATE)]),
    "an optional column without its last value": ("1.2.4", [(FILE, "    population: lighthouse_keepers\n", "")]),
    "an optional table with its first row": (
        "1.3.0",
        [
            (VOCABULARY, "measures:\n", "factors: [{term: oil, definition: Invented.}]\nmeasures:\n"),
            (FILE, ASKED, ASKED + MOTIVE),
        ],
    ),
}
"""Changes of a released corpus, each with the version that it requires, and edits."""
CORRECTED = {
    "a note of a source",
    "a code",
    "words",
    "an optional column with its first value",
    "an optional column without its last value",
    "an optional table with its first row",
}


@pytest.mark.parametrize("change", CHANGES)
def test_each_change_is_released_in_one_command(released: Path, change: str) -> None:
    version, edits = CHANGES[change]
    for file, old, new in edits:
        edit(released, file, old, new)
    ran = run("release", *(["--correct", "code"] if change in CORRECTED else ["--next"]), where=released)
    assert (ran.returncode, ran.stderr) == (0, ""), ran
    assert ran.stdout.startswith(f"Version {version}: ")
    assert ("; 0 records marked" in ran.stdout) == (change not in CORRECTED)
    assert run("release", "--check", f"v{version}", where=released).returncode == 0


def test_a_new_article_is_released_in_one_command(released: Path) -> None:
    article = b"The Tower\n\nNobody came to see it.\n"
    (released / "seeds/902_tower.txt").write_bytes(article)
    source = f"id: tower, seed: 902_tower.txt, sha256: {hashlib.sha256(article).hexdigest()}, title: The Tower"
    file = released / "annotations/902_tower.yaml"
    file.write_text(f"source: {{{source}, language: en, rights: Nobody}}\n", encoding="utf-8")
    ran = run("release", "--next", where=released)
    assert (ran.returncode, ran.stderr, ran.stdout.startswith("Version 1.3.0: ")) == (0, "", True), ran


@pytest.mark.deep
def test_a_removed_record_needs_a_takedown_before_a_release(released: Path) -> None:
    text = (released / FILE).read_text(encoding="utf-8")
    start, end = text.index("relations:\n"), text.index("waivers:\n")
    (released / FILE).write_text(text[:start] + text[end:], encoding="utf-8")
    before = files(released)
    for option in (["--correct", "value"], ["--next"]):
        ran = run("release", *option, where=released)
        assert (ran.returncode, ran.stdout.count("`defectors-data takedown` removes")) == (1, 1), ran
    assert files(released) == before
    (released / FILE).write_text(text, encoding="utf-8")
    assert run("takedown", "example-r1", "--reason", "error", where=released).returncode == 0
    correct_a_code(released)
    ran = run("release", "--correct", "code", where=released)
    assert (ran.returncode, ran.stderr, ran.stdout.startswith("Version 1.3.0: 1 change; 1 record marked")) == (
        0,
        "",
        True,
    ), ran
    assert "changes may be missing here and in CHANGELOG.md.\n" in ran.stdout
    assert "A record was taken down" in (released / "CHANGELOG.md").read_text(encoding="utf-8")
