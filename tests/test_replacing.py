"""Files change places all or none, of a corpus of files as of one in parts, and nothing that goes is kept elsewhere."""

from __future__ import annotations

import hashlib
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from calling import run
from defectors_data import folders, fs, replacing, takedown, withdrawing
from defectors_data.build import Built, build
from test_takedown import DAY


def cut_off(root: Path, files: Mapping[str, bytes | None]) -> None:
    """Let files change places as a run does that is killed before it is done."""
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from defectors_data import replacing\n"
        f"root, files = Path({str(root)!r}), {dict(files)!r}\n"
        "with replacing.alone(root), replacing.replaced(root, files.items()):\n"
        "    os.kill(os.getpid(), 9)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert ran.returncode == -signal.SIGKILL, ran.stderr


@pytest.mark.parametrize("name", ["a\u2028b", "a\u000bb", "a\nb", "a\n+ b", "\u00e4 \udcff", "#1"])
def test_files_of_any_name_are_put_back(parts: Path, name: str) -> None:
    file = f"annotations/{name}.jsonl"
    (parts / "annotations/part-0.jsonl").rename(parts / file)
    before = folders.contents(parts)
    cut_off(parts, {"annotations/tombstones.yaml": b"new", file: b"new", "seeds/part-0.parquet": None})
    assert (parts / file).read_bytes() == b"new"
    assert not (parts / "seeds/part-0.parquet").exists()
    replacing.recover(parts)
    assert folders.contents(parts) == before


@pytest.mark.parametrize("damage", ["no journal", "another name", "gone"])
def test_while_not_all_can_be_put_back_nothing_that_was_kept_is_removed(parts: Path, damage: str) -> None:
    cut_off(parts, {"annotations/part-0.jsonl": None, "annotations/part-1.jsonl": b"new"})
    old = parts / "annotations/.part-1.jsonl.takedown-old"
    journal = parts / "annotations/.takedown-journal"
    if damage == "no journal":
        journal.write_text("+ annotations/part-0.jsonl", encoding="utf-8")
    elif damage == "another name":
        journal.write_text(journal.read_text(encoding="utf-8").replace("part-1", "speakers"), encoding="utf-8")
    else:
        (parts / "annotations/.part-0.jsonl.takedown-old").unlink()
    kept = old.read_bytes()
    for _ in range(2):
        with pytest.raises(OSError, match=r"journal|No such file"):
            replacing.recover(parts)
        assert old.read_bytes() == kept
        assert journal.exists()


@pytest.mark.parametrize("step", ["published", "put back"])
def test_the_disk_holds_that_the_journal_is_gone_before_a_file_is_removed_that_it_names(
    parts: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = list[str]()

    def noted(name: str) -> None:
        run_it = getattr(fs, name)

        def note(path: Path) -> None:
            done.append(f"{name} {path.name}")
            run_it(path)

        monkeypatch.setattr(fs, name, note)

    noted("remove_file")
    noted("sync_folder")
    if step == "published":
        with replacing.alone(parts), replacing.replaced(parts, [("annotations/part-0.jsonl", b"")]):
            done.clear()
    else:
        cut_off(parts, {"annotations/part-0.jsonl": b""})
        replacing.recover(parts)
    at = done.index("remove_file .takedown-journal")
    assert done[at + 1 : at + 3] == ["sync_folder annotations", "sync_folder seeds"]


TAKEN_BACK = "A takedown that was cut off was taken back: run it again. Nothing else was done.\n"

COMMANDS: list[list[str]] = [
    ["build", "--jobs", "1"],
    ["takedown", "second", "--reason", "person", "--jobs", "1"],
    ["shard", "--out", "anew"],
    ["build", "--scheduler", "local", "--jobs", "1"],
]


OF_FILES: list[list[str]] = [
    ["build"],
    ["takedown", "second", "--reason", "person"],
    ["shard", "--out", "anew"],
]


@pytest.mark.parametrize("arguments", OF_FILES, ids=["build", "takedown", "shard"])
def test_of_files_too_a_takedown_that_was_cut_off_is_taken_back_and_nothing_else_is_done(
    copied: Path, tmp_path: Path, arguments: list[str]
) -> None:
    before = folders.contents(copied)
    cut_off(copied, {"annotations/tombstones.yaml": b"new", "annotations/901_second.yaml": None})
    assert not (copied / "annotations/901_second.yaml").exists()
    ran = run(*arguments, "--root", copied, where=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", TAKEN_BACK)
    assert folders.contents(copied) == before
    assert not (tmp_path / "anew").exists()
    again = run(*arguments, "--root", copied, where=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")


@pytest.mark.parametrize("arguments", COMMANDS, ids=["build", "takedown", "shard", "scheduler"])
def test_whoever_takes_back_a_takedown_that_was_cut_off_says_so_and_does_nothing_else(
    parts: Path, tmp_path: Path, arguments: list[str]
) -> None:
    for path in (parts / "annotations/part-0.jsonl", parts / "seeds/part-0.parquet"):
        path.unlink()  # one part, which is nowhere for a moment
    before = folders.contents(parts)
    cut_off(parts, {"annotations/part-1.jsonl": None, "seeds/part-1.parquet": None})
    ran = run(*arguments, "--root", parts, where=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", TAKEN_BACK)
    assert folders.contents(parts) == before
    assert "takedown" not in run("check", "--root", parts).stderr
    assert TAKEN_BACK not in run(*arguments, "--root", parts, where=tmp_path).stderr


def test_what_was_taken_out_and_published_does_not_come_back_after_a_kill(copied: Path) -> None:
    code = (
        "import os\n"
        "from datetime import date\n"
        "from pathlib import Path\n"
        "from defectors_data import replacing, takedown\n"
        "replacing._settle = lambda *_: os.kill(os.getpid(), 9)\n"
        f"root = Path({str(copied)!r})\n"
        "takedown.take_down(root, root / 'dist', 'mira-fenn', reason='person', day=date(2026, 1, 31), created=None)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert ran.returncode == -signal.SIGKILL, ran.stderr

    def told(files: Mapping[str, bytes]) -> list[str]:
        return [name for name, data in files.items() if name.startswith("data/") and b"Mira Fenn" in data]

    published = folders.contents(copied / "dist")
    assert not told(published)
    assert run("build", "--root", copied).returncode == 1
    assert folders.contents(copied / "dist") == published
    assert run("takedown", "mira-fenn", "--reason", "person", "--root", copied).returncode == 0
    assert not told(folders.contents(copied / "dist"))


def test_what_was_cut_off_before_files_changed_places_is_said_too(parts: Path) -> None:
    (parts / "annotations/.part-0.jsonl.takedown-new").write_bytes(b"")
    ran = run("build", "--root", parts, "--jobs", "1")
    assert (ran.returncode, ran.stderr) == (1, TAKEN_BACK)


def test_what_was_typed_after_a_takedown_was_cut_off_is_kept(copied: Path) -> None:
    before = folders.contents(copied)
    (copied / "annotations/speakers.yaml~").write_bytes(b"of an editor")
    cut_off(copied, {"annotations/speakers.yaml": b"new", "annotations/tombstones.yaml": b"new"})
    (copied / "annotations/speakers.yaml").write_bytes(b"new, and typed")
    ran = run("build", "--root", copied)
    said = "annotations/speakers.yaml was edited meanwhile, and what was typed is in annotations/speakers.yaml~~"
    told = (
        f"A takedown that was cut off was taken back: run it again. {said}: put it in by hand. Nothing else was done.\n"
    )
    assert (ran.returncode, ran.stderr) == (1, told)
    beside = {"annotations/speakers.yaml~": b"of an editor", "annotations/speakers.yaml~~": b"new, and typed"}
    assert folders.contents(copied) == before | beside


def test_what_is_typed_while_a_takedown_builds_is_kept(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, path = folders.contents(copied), copied / "annotations/900_example.yaml"

    def edited(root: Path, out: Path, *, created: str | None) -> Built:
        path.write_text(path.read_text(encoding="utf-8") + "half a li", encoding="utf-8")
        return build(root, out, created=created)

    monkeypatch.setattr(takedown, "build", edited)
    with pytest.raises(replacing.Edited, match=r"^annotations/900_example\.yaml was edited meanwhile"):
        takedown.take_down(copied, copied / "dist", "mira-fenn", reason="person", day=DAY, created=None)
    left = folders.contents(copied)
    assert left.pop("annotations/900_example.yaml~").endswith(b"half a li")
    assert left == before


@pytest.mark.parametrize("folder", ["seeds", "annotations"])
def test_a_project_without_a_folder_is_told_what_is_missing(copied: Path, folder: str) -> None:
    shutil.rmtree(copied / folder)
    before = folders.contents(copied)
    ran = run("takedown", "mira-fenn", "--reason", "person", "--root", copied)
    assert (ran.returncode, "finding" in ran.stderr) == (1, True)
    assert f"{folder}:1:1: file-unreadable" in ran.stdout
    assert folders.contents(copied) == before
    assert not (copied / folder).exists()


@pytest.mark.parametrize(
    ("layout", "file"), [("parts", "annotations/part-0.jsonl"), ("copied", "annotations/901_second.yaml")]
)
def test_a_check_writes_nothing_and_stops_where_a_takedown_was_cut_off(
    layout: str, file: str, request: pytest.FixtureRequest
) -> None:
    root = request.getfixturevalue(layout)
    cut_off(root, {file: None})
    before = folders.contents(root)
    ran = run("check", "--root", root)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("A takedown was cut off, or is at work: nothing was checked. Run it again, or ")
    assert folders.contents(root) == before


@pytest.mark.parametrize("arguments", OF_FILES, ids=["build", "takedown", "shard"])
def test_of_files_too_nothing_is_read_while_a_takedown_is_at_work(
    copied: Path, tmp_path: Path, arguments: list[str]
) -> None:
    with replacing.alone(copied):
        ran = run(*arguments, "--root", copied, where=tmp_path)
    assert ran.returncode == 4
    assert ran.stderr.startswith("Another takedown is at work; nothing was ")
    assert not list((copied / "annotations").glob(".*"))


@pytest.mark.parametrize("arguments", COMMANDS, ids=["build", "takedown", "shard", "scheduler"])
def test_nothing_is_read_while_a_takedown_is_at_work(parts: Path, tmp_path: Path, arguments: list[str]) -> None:
    with replacing.alone(parts):
        ran = run(*arguments, "--root", parts, where=tmp_path)
    assert ran.returncode == 4
    assert ran.stderr.startswith("Another takedown is at work; nothing was ")


PLACES = [
    ("parts", "annotations/part-1.jsonl"),
    ("parts", "seeds/part-1.parquet"),
    ("parts", "annotations/tombstones.yaml"),
    ("copied", "annotations/901_second.yaml"),
    ("copied", "annotations/tombstones.yaml"),
]


@pytest.mark.parametrize("hard", [False, True], ids=["symbolic", "hard"])
@pytest.mark.parametrize(("layout", "file"), PLACES)
def test_a_file_whose_bytes_have_another_name_is_in_the_way(
    layout: str, file: str, request: pytest.FixtureRequest, *, hard: bool
) -> None:
    root = request.getfixturevalue(layout)
    assert run("takedown", "example-t8", "--reason", "error", "--root", root).returncode == 0
    (root / "store").mkdir()
    (root / file).rename(root / "store/kept")
    if hard:
        (root / file).hardlink_to(root / "store/kept")
        said = f"{file} has another name (a hard link), which would keep what goes: put a copy in its place"
    else:
        (root / file).symlink_to("../store/kept")
        said = f"{file} is a link, and what it leads to would stay as it is: put the file itself in its place"
    before = folders.contents(root)
    ran = run("takedown", "second", "--reason", "person", "--root", root)
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", f"{said}; nothing was changed.\n")
    assert folders.contents(root) == before
    assert (root / file).is_symlink() != hard


def test_of_files_too_what_is_edited_while_something_is_taken_out_is_not_lost(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan, path = takedown.plan, copied / "annotations/speakers.yaml"

    def planned(*arguments: object, **options: object) -> takedown.Planned:
        taken = plan(*arguments, **options)  # type: ignore[arg-type]
        path.write_text(path.read_text(encoding="utf-8") + "# typed meanwhile\n", encoding="utf-8")
        return taken

    monkeypatch.setattr(takedown, "plan", planned)
    before = folders.contents(copied)
    with pytest.raises(withdrawing.InTheWay, match=r"^annotations/speakers\.yaml was edited meanwhile"):
        takedown.take_down(copied, copied / "dist", "bruno-salt", reason="person", day=DAY, created=None)
    left = folders.contents(copied)
    assert left.pop("annotations/speakers.yaml").endswith(b"# typed meanwhile\n")
    assert left.items() <= before.items()


@pytest.mark.parametrize("layout", ["copied", "parts"])
def test_what_would_go_is_said_and_nothing_is_changed(layout: str, request: pytest.FixtureRequest) -> None:
    root = request.getfixturevalue(layout)
    before = folders.contents(root)
    arguments = ("takedown", "mira-fenn", "--reason", "person", "--root", root)
    foreseen = run(*arguments, "--dry-run")
    assert (foreseen.returncode, foreseen.stderr) == (0, "")
    assert folders.contents(root) == before
    *said, last = foreseen.stdout.splitlines()
    done = [line for line in run(*arguments).stdout.splitlines() if line.endswith(": taken out")]
    assert len(done) > 5
    assert ([line.replace("would be taken", "taken") for line in said], last) == (done, "Nothing was changed.")
    assert run(*arguments, "--dry-run").returncode == 1


@pytest.mark.parametrize("layout", ["copied", "parts"])
def test_what_would_be_in_the_way_is_said_before(layout: str, request: pytest.FixtureRequest) -> None:
    root = request.getfixturevalue(layout)
    path = root / "dataset.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("title: ", "title: Mira Fenn and ", 1), encoding="utf-8")
    ran = run("takedown", "mira-fenn", "--reason", "person", "--root", root, "--dry-run")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("dataset.yaml, line 3, holds the name")


@pytest.mark.parametrize(
    "name", ["../precious", "annotations/../../precious", "seeds/../../precious", "/precious", ".."]
)
@pytest.mark.parametrize("was", [False, True])
def test_a_journal_of_a_stranger_reaches_nothing_outside(copied: Path, name: str, *, was: bool) -> None:
    precious = copied.parent / "precious"
    precious.write_bytes(b"mine")
    precious.with_name(".precious.takedown-old").write_bytes(b"theirs")
    named = str(precious) if name.startswith("/") else name
    journal = copied / "annotations/.takedown-journal"
    journal.write_text(json.dumps({named: {"was": was, "new": hashlib.sha256(b"mine").hexdigest()}}), encoding="utf-8")
    ran = run("build", "--root", copied)
    assert (ran.returncode, "This is no journal of a takedown" in ran.stderr) == (3, True)
    assert precious.read_bytes() == b"mine"
    assert not list(copied.parent.glob("precious~*"))


def test_annotations_that_lead_out_of_the_project_are_left_alone(copied: Path, tmp_path: Path) -> None:
    (copied / "annotations").rename(tmp_path / "elsewhere")
    (copied / "annotations").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere/.x.takedown-new").write_bytes(b"theirs")
    before = folders.contents(tmp_path / "elsewhere")
    for command in (["build"], ["takedown", "mira-fenn", "--reason", "person"]):
        ran = run(*command, "--root", copied)
        assert (ran.returncode, "leads out of the project" in ran.stdout) == (1, True), ran
    assert folders.contents(tmp_path / "elsewhere") == before
