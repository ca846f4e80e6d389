"""`check` processes only what changed since it last ran, and says what it says without its cache."""

from __future__ import annotations

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from calling import COMMAND, Ran, process, run
from conftest import INVENTED, PROJECT, checked, edit
from defectors_data import check_cache
from defectors_data.check_cache import answer
from defectors_data.publishers import takedown
from takedowns import DAY
from test_environment import nobody

A, B = "annotations/900_example.yaml", "annotations/901_second.yaml"
VOCABULARY = "annotations/vocabulary.yaml"


SHARED_FILES = ":0"
RESULTS, ANSWER = f"{check_cache.FOLDER}/results.sqlite", f"{check_cache.FOLDER}/answer.json"


def stored(root: Path) -> set[str]:
    """Return the places of the documents whose results are stored."""
    with closing(sqlite3.connect(root / RESULTS)) as database:
        places = {place.decode() for (place,) in database.execute("SELECT place FROM results")}
    return places - {SHARED_FILES}


def same(root: Path) -> Ran:
    """Check twice with the cache, which must say what is said without it."""
    without = run("check", "--rules", "--no-cache", where=root)
    for _ in range(2):
        assert run("check", "--rules", where=root) == without
    return without


EDITS = {
    "a value": (A, "as_of: 2019-03-03", "as_of: 2018-03-03"),
    "a value that cannot be read": (A, "as_of: 2019-03-03", "as_of: soon"),
    "a seed": ("seeds/900_example.txt", "two inns", "two old inns"),
    "a term": (VOCABULARY, "term: weather", "term: wether"),
    "a person in a shared file": (VOCABULARY, "Wind and fog.", "The keeper is ill."),
    "a shared file that cannot be read": ("dataset.yaml", "maintenance: W", "upkeep: W"),
}


@pytest.mark.parametrize("name", EDITS)
def test_after_an_edit_check_says_what_it_says_without_the_cache(copied: Path, name: str) -> None:
    file, old, new = EDITS[name]
    assert same(copied).returncode == 0
    edit(copied, file, old, new)
    assert same(copied).returncode == 1
    edit(copied, file, new, old)
    assert same(copied).returncode == 0


def added(root: Path, name: str) -> None:
    (root / name).write_text("words", encoding="utf-8")


def empty_folder(root: Path, name: str) -> None:
    (root / name).mkdir(parents=True)


def removed(root: Path, name: str) -> None:
    (root / name).unlink()


CHANGES = [
    *((added, name) for name in ("seeds/902.txt", "annotations/902.yml", "dist/data/spans.csv", "CHANGELOG.md")),
    *((empty_folder, name) for name in ("annotations/more", "dist/data", "seeds/more")),
    *((removed, name) for name in ("dataset.yaml", "annotations/speakers.yaml", "seeds/901_second.txt")),
]


@pytest.mark.parametrize(("change", "name"), CHANGES)
def test_every_change_of_the_files_makes_another_state(
    copied: Path, change: Callable[[Path, str], None], name: str
) -> None:
    if name.startswith("dist/data/"):
        (copied / "dist/data").mkdir(parents=True)
    before = answer.state(copied)
    change(copied, name)
    after = answer.state(copied)
    assert before
    assert after
    assert before.checksum != after.checksum


@pytest.mark.parametrize("name", ["dataset.yaml", "seeds/901_second.txt", "annotations/901_second.yaml", "seeds"])
def test_a_project_with_a_link_is_checked_each_time(copied: Path, name: str) -> None:
    (copied / name).rename(copied / "moved")
    (copied / name).symlink_to(copied / "moved")
    assert answer.state(copied) is None
    assert same(copied).returncode == 0
    assert not (copied / ANSWER).exists()


def test_a_stored_answer_is_printed_without_models_and_rules(copied: Path) -> None:
    run("check", where=copied)
    code = "import sys; from defectors_data import cli; code = cli.main(); print(code, 'yaml' in sys.modules, RULES)"
    code = code.replace("RULES", "'defectors_data.rules' in sys.modules")
    ran = subprocess.run([sys.executable, "-c", code, "check"], cwd=copied, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "0 False False"


def test_the_answer_to_files_that_were_edited_meanwhile_is_not_kept(copied: Path) -> None:
    same(copied)
    before = answer.state(copied)
    assert before
    known = answer.stored(copied, before)
    assert known
    (copied / ANSWER).unlink()
    edit(copied, A, "2019-03-03", "2018-03-03")
    answer.store(copied, before, known)
    edit(copied, A, "2018-03-03", "2019-03-03")
    answer.store(copied, before, known)
    assert not (copied / ANSWER).exists()


def test_the_answer_repeats_no_annotation(copied: Path) -> None:
    same(copied)
    said = json.loads((copied / ANSWER).read_text(encoding="utf-8"))["answer"]
    assert said["not_compared"] == ""
    kinds = [[report.rule, report.looked_at] for report in checked(copied).rules]
    assert [rule[:2] for rule in said["rules"]] == kinds
    assert all(type(number) is int for rule in said["rules"] for number in rule[2:])


def test_lines_of_shards_are_remembered_like_files(parts: Path) -> None:
    assert same(parts).returncode == 0
    assert len(stored(parts)) == 2
    shard = min((parts / "annotations").glob("*.jsonl"))
    edit(parts, f"annotations/{shard.name}", "2019-03-03", "2018-03-03")
    assert same(parts).returncode == 1


def test_only_articles_without_findings_are_remembered(copied: Path) -> None:
    assert same(copied).returncode == 0
    assert stored(copied) == {f"{A}:0", f"{B}:0"}
    edit(copied, A, "as_of: 2019-03-03", "as_of: 2018-03-03")
    assert same(copied).returncode == 1
    assert stored(copied) == {f"{B}:0"}
    (copied / B).unlink()
    same(copied)
    assert stored(copied) == set()


def test_no_words_of_an_earlier_text_remain_in_the_file(copied: Path) -> None:
    same(copied)
    file = copied / RESULTS
    assert b"bruno-salt" in file.read_bytes()
    for name in (A, B, "annotations/speakers.yaml"):
        text = (copied / name).read_text(encoding="utf-8")
        (copied / name).write_text(text.replace("bruno-salt", "bruno-mill"), encoding="utf-8")
    run("check", where=copied)
    assert b"bruno-salt" not in file.read_bytes()


def test_a_takedown_clears_the_cache(copied: Path) -> None:
    same(copied)
    takedown.take_down(copied, copied / "dist", "bruno-salt", reason="person", day=DAY)
    assert not (copied / check_cache.FOLDER).exists()
    assert same(copied).returncode == 0


def test_git_and_other_programs_ignore_the_cache(copied: Path) -> None:
    same(copied)
    assert (copied / check_cache.FOLDER / ".gitignore").read_text("ascii") == "*\n"


def test_with_no_cache_no_file_is_written(copied: Path) -> None:
    run("check", "--no-cache", where=copied)
    assert not (copied / "build").exists()


def a_file(root: Path) -> None:
    (root / "build").write_bytes(b"")


def no_database(root: Path) -> None:
    same(root)
    (root / RESULTS).write_bytes(b"no database " * 99)
    (root / ANSWER).unlink()


def cut_off(root: Path) -> None:
    same(root)
    os.truncate(root / RESULTS, 9000)
    (root / ANSWER).unlink()


def edited_by_hand(root: Path) -> None:
    same(root)
    with sqlite3.connect(root / RESULTS) as database:
        database.execute("UPDATE results SET result = '[{}]'")
    (root / ANSWER).unlink()


def a_link(root: Path) -> None:
    (root.parent / "elsewhere").mkdir()
    (root / "build").symlink_to(root.parent / "elsewhere")


def a_pipe(root: Path) -> None:
    (root / check_cache.FOLDER).mkdir(parents=True)
    os.mkfifo(root / RESULTS)
    os.mkfifo(root / ANSWER)


@pytest.mark.parametrize("damage", [a_file, no_database, cut_off, edited_by_hand, a_link, a_pipe])
def test_a_cache_that_cannot_be_used_changes_nothing(copied: Path, damage: Callable[[Path], None]) -> None:
    damage(copied)
    assert same(copied).returncode == 0
    assert not list(copied.parent.glob("elsewhere/*"))


def test_an_answer_that_was_damaged_or_edited_is_not_used(copied: Path) -> None:
    run("check", where=copied)
    file, now = copied / ANSWER, answer.state(copied)
    text = file.read_text(encoding="utf-8")
    assert now
    assert answer.stored(copied, now)
    for damaged in ("", "[]", "{}", text[:900], text.replace("files", "waves"), text.replace("0", "1")):
        file.write_text(damaged, encoding="utf-8")
        assert answer.stored(copied, now) is None


def test_a_damaged_cache_is_made_anew(copied: Path) -> None:
    no_database(copied)
    same(copied)
    (copied / ANSWER).unlink()
    same(copied)
    assert len(stored(copied)) == 2


def test_a_cache_that_another_check_is_writing_is_left_alone(copied: Path) -> None:
    same(copied)
    edit(copied, "dataset.yaml", "maintenance: W", "maintenance:  W")
    with closing(sqlite3.connect(copied / RESULTS)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert same(copied).returncode == 0


def test_a_full_disk_is_no_finding(copied: Path) -> None:
    def with_little_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))

    ran = subprocess.run(
        [*COMMAND, "check"],
        cwd=copied,
        preexec_fn=with_little_space,  # no other thread runs
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == run("check", "--no-cache", where=copied).stdout
    assert same(copied).returncode == 0


def test_a_folder_that_may_not_be_written_is_no_finding() -> None:
    with TemporaryDirectory() as above:
        root = Path(shutil.copytree(INVENTED, Path(above) / "project"))
        run(
            "check", "--no-cache", where=root
        )  # loads what another user may not read either, such as Python's own files
        root.chmod(0o555)
        Path(above).chmod(0o755)
        with nobody():
            ran = run("check", where=root)
        root.chmod(0o755)
        assert (ran.returncode, ran.stderr, (root / "build").exists()) == (0, "", False)


def test_a_changed_rule_is_applied_to_articles_that_have_not_changed(copied: Path, tmp_path: Path) -> None:
    source = shutil.copytree(PROJECT / "src/defectors_data", tmp_path / "src/defectors_data")
    program, rules = {"PYTHONPATH": str(tmp_path / "src")}, source / "rules/figures.py"
    assert process("check", where=copied, **program).returncode == 0
    times = rules.stat()
    edit(source, "rules/figures.py", "def _is_ordered(figure: Figure) -> bool:", DISORDERED)
    os.utime(rules, ns=(times.st_atime_ns, times.st_mtime_ns))
    ran = process("check", where=copied, **program)
    assert "bounds-out-of-order" in ran.stdout
    assert same(copied).returncode == 0, "this program is another one"


DISORDERED = "def _is_ordered(figure: Figure) -> bool:\n    return False\n\n\ndef _was(figure: Figure) -> bool:"
