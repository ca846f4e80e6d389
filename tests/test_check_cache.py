"""`check` processes only what changed since it last ran, and says what it says without its cache."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from calling import COMMAND, Ran, process, run
from conftest import INVENTED, PROJECT, edit
from defectors_data import check_cache
from defectors_data.publishers import takedown
from takedowns import DAY
from test_environment import nobody

A, B = "annotations/900_example.yaml", "annotations/901_second.yaml"
VOCABULARY = "annotations/vocabulary.yaml"


SHARED_FILES = ":0"


def stored(root: Path) -> set[str]:
    """Return the places of the documents whose results are stored."""
    with closing(sqlite3.connect(root / check_cache.FOLDER / "results.sqlite")) as database:
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
def test_after_an_edit_check_says_what_it_says_without_the_cache(project: Path, name: str) -> None:
    file, old, new = EDITS[name]
    assert same(project).returncode == 0
    edit(project, file, old, new)
    assert same(project).returncode == 1
    edit(project, file, new, old)
    assert same(project).returncode == 0


def test_lines_of_shards_are_remembered_like_files(parts: Path) -> None:
    assert same(parts).returncode == 0
    assert len(stored(parts)) == 2
    shard = min((parts / "annotations").glob("*.jsonl"))
    edit(parts, f"annotations/{shard.name}", "2019-03-03", "2018-03-03")
    assert same(parts).returncode == 1


def test_only_articles_without_findings_are_remembered(project: Path) -> None:
    assert same(project).returncode == 0
    assert stored(project) == {f"{A}:0", f"{B}:0"}
    edit(project, A, "as_of: 2019-03-03", "as_of: 2018-03-03")
    assert same(project).returncode == 1
    assert stored(project) == {f"{B}:0"}
    (project / B).unlink()
    same(project)
    assert stored(project) == set()


def test_no_words_of_an_earlier_text_remain_in_the_file(project: Path) -> None:
    same(project)
    file = project / check_cache.FOLDER / "results.sqlite"
    assert b"bruno-salt" in file.read_bytes()
    for name in (A, B, "annotations/speakers.yaml"):
        text = (project / name).read_text(encoding="utf-8")
        (project / name).write_text(text.replace("bruno-salt", "bruno-mill"), encoding="utf-8")
    run("check", where=project)
    assert b"bruno-salt" not in file.read_bytes()


def test_a_takedown_clears_the_cache(project: Path) -> None:
    same(project)
    takedown.take_down(project, project / "dist", "bruno-salt", reason="person", day=DAY)
    assert not (project / check_cache.FOLDER).exists()
    assert same(project).returncode == 0


def test_git_and_other_programs_ignore_the_cache(project: Path) -> None:
    same(project)
    assert (project / check_cache.FOLDER / ".gitignore").read_text("ascii") == "*\n"


def test_with_no_cache_no_file_is_written(project: Path) -> None:
    run("check", "--no-cache", where=project)
    assert not (project / "build").exists()


def a_file(root: Path) -> None:
    (root / "build").write_bytes(b"")


def no_database(root: Path) -> None:
    same(root)
    (root / check_cache.FOLDER / "results.sqlite").write_bytes(b"no database " * 99)


def cut_off(root: Path) -> None:
    same(root)
    os.truncate(root / check_cache.FOLDER / "results.sqlite", 9000)


def edited_by_hand(root: Path) -> None:
    same(root)
    with sqlite3.connect(root / check_cache.FOLDER / "results.sqlite") as database:
        database.execute("UPDATE results SET result = '[{}]'")


def a_link(root: Path) -> None:
    (root.parent / "elsewhere").mkdir()
    (root / "build").symlink_to(root.parent / "elsewhere")


def a_pipe(root: Path) -> None:
    (root / check_cache.FOLDER).mkdir(parents=True)
    os.mkfifo(root / check_cache.FOLDER / "results.sqlite")


@pytest.mark.parametrize("damage", [a_file, no_database, cut_off, edited_by_hand, a_link, a_pipe])
def test_a_cache_that_cannot_be_used_changes_nothing(project: Path, damage: Callable[[Path], None]) -> None:
    damage(project)
    assert same(project).returncode == 0
    assert not list(project.parent.glob("elsewhere/*"))


def test_a_damaged_cache_is_made_anew(project: Path) -> None:
    no_database(project)
    same(project)
    assert len(stored(project)) == 2


def test_a_cache_that_another_check_is_writing_is_left_alone(project: Path) -> None:
    same(project)
    edit(project, "dataset.yaml", "maintenance: W", "maintenance:  W")
    with closing(sqlite3.connect(project / check_cache.FOLDER / "results.sqlite")) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert same(project).returncode == 0


def test_a_full_disk_is_no_finding(project: Path) -> None:
    def with_little_space() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))

    ran = subprocess.run(
        [*COMMAND, "check"],
        cwd=project,
        preexec_fn=with_little_space,  # no other thread runs
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == run("check", "--no-cache", where=project).stdout
    assert same(project).returncode == 0


def test_a_folder_that_may_not_be_written_is_no_finding() -> None:
    with TemporaryDirectory() as above:
        root = Path(shutil.copytree(INVENTED, Path(above) / "project"))
        root.chmod(0o555)
        Path(above).chmod(0o755)
        with nobody():
            ran = run("check", where=root)
        root.chmod(0o755)
        assert (ran.returncode, ran.stderr, (root / "build").exists()) == (0, "", False)


def test_a_changed_rule_is_applied_to_articles_that_have_not_changed(project: Path, tmp_path: Path) -> None:
    source = shutil.copytree(PROJECT / "src/defectors_data", tmp_path / "src/defectors_data")
    program, rules = {"PYTHONPATH": str(tmp_path / "src")}, source / "rules/figures.py"
    assert process("check", where=project, **program).returncode == 0
    times = rules.stat()
    edit(source, "rules/figures.py", "def _is_ordered(figure: Figure) -> bool:", DISORDERED)
    os.utime(rules, ns=(times.st_atime_ns, times.st_mtime_ns))
    ran = process("check", where=project, **program)
    assert "bounds-out-of-order" in ran.stdout
    assert same(project).returncode == 0, "this program is another one"


DISORDERED = "def _is_ordered(figure: Figure) -> bool:\n    return False\n\n\ndef _was(figure: Figure) -> bool:"
