"""A takedown changes all its files: what interrupts it is completed by the next one, and nothing is overwritten."""

from __future__ import annotations

import hashlib
import json
import shutil
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from breaking import FAILURES, KILLS, LASTING, STOPS, Fault, broken, ended
from calling import run
from conftest import INVENTED, spread
from defectors_data.corpus import file_tree
from defectors_data.edits import atomic_update
from defectors_data.edits.atomic_update import EditedFileError, FileChange, IncompleteUpdateError, LinkedFileError
from defectors_data.package import published_folder
from defectors_data.publishers import takedown
from takedowns import DAY, planned, take_out

TOMBSTONES, SPEAKERS, SECOND = (f"annotations/{name}.yaml" for name in ("tombstones", "speakers", "901_second"))
NEW: dict[str, bytes | None] = {SPEAKERS: b"new", SECOND: None, TOMBSTONES: b"stones"}
PERSON = ["takedown", "mira-fenn", "--reason", "person"]


def sha256(path: Path) -> str | None:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else None


def update(root: Path, new: Mapping[str, bytes | None]) -> None:
    with atomic_update.locked(root):
        atomic_update.update(root, [FileChange(file, data, sha256(root / file)) for file, data in new.items()])


def complete(root: Path) -> list[str]:
    with atomic_update.locked(root):
        return atomic_update.complete(root)


def interrupt(root: Path, new: Mapping[str, bytes | None], step: str) -> None:
    """Kill an update right before it does something."""
    copy = Path(shutil.copytree(root, root.with_name("counted")))
    with broken("exchange", None, 0) as calls:
        update(copy, new)
    shutil.rmtree(copy)
    with broken("exchange", KILLS[0], calls.index(step) + 1):
        assert ended(lambda: update(root, new)) is None


def half_done(root: Path, new: Mapping[str, bytes | None] = NEW) -> None:
    """Kill an update when its first file is replaced."""
    interrupt(root, new, "move .speakers.yaml.takedown-new")
    assert file_tree.is_half_done(root)


def changed(before: Mapping[str, bytes], new: Mapping[str, bytes | None] = NEW) -> dict[str, bytes]:
    return {file: data for file, data in {**before, **new}.items() if data is not None}


def test_tombstones_are_written_first_and_no_temporary_file_remains(copied: Path) -> None:
    before = published_folder.contents(copied)
    (copied / SPEAKERS).chmod(0o640)
    with broken("exchange", None, 0) as calls:
        update(copied, NEW)
    assert published_folder.contents(copied) == changed(before)
    assert [call for call in calls if call.startswith(("move", "remove"))] == [
        "move ..takedown.json.takedown-new",
        "move .tombstones.yaml.takedown-new",
        "move .speakers.yaml.takedown-new",
        "remove_file 901_second.yaml",
        "remove_file .takedown.json",
        "remove_file .takedown-lock",
    ]
    assert stat.S_IMODE((copied / SPEAKERS).stat().st_mode) == 0o640


# ---- killed, refused or stopped at any step ------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A corpus of files that are not read."""
    root = tmp_path / "small"
    for folder in ("annotations", "seeds"):
        (root / folder).mkdir(parents=True)
    for file in (SPEAKERS, SECOND):
        (root / file).write_bytes(b"old")
    return root


def steps(small: Path) -> range:
    copy = Path(shutil.copytree(small, small.with_name("counted")))
    with broken("exchange", None, 0) as calls:
        update(copy, NEW)
    return range(1, len(calls) + 1)


@pytest.mark.parametrize("fault", [*KILLS, *FAILURES, *LASTING, *STOPS], ids=str)
def test_an_update_interrupted_at_any_step_is_completed_or_undone(small: Path, fault: Fault) -> None:
    before, outcomes = published_folder.contents(small), set()
    for at in steps(small):
        root = Path(shutil.copytree(small, small.with_name(str(at))))
        with broken("exchange", fault, at):
            code = ended(lambda root=root: _without_interrupted(root))  # type: ignore[misc]
        was_half_done = file_tree.is_half_done(root)
        with atomic_update.locked(root):
            assert bool(atomic_update.complete(root)) == was_half_done
        left = published_folder.contents(root)
        assert left in (before, changed(before)), at
        outcomes.add((code, was_half_done, left == before))
        assert left == changed(before) or not was_half_done, at
    kinds = {(was_half_done, was_undone) for _, was_half_done, was_undone in outcomes}
    assert {(False, True), (False, False)} <= kinds
    if fault.kind == "kill" or fault.lasting:
        assert (True, False) in kinds
    if fault.kind == "fail":
        assert {code for code, was_half_done, was_undone in outcomes if was_half_done or was_undone} == {3}


def _without_interrupted(root: Path) -> None:
    try:
        update(root, NEW)
    except IncompleteUpdateError as error:
        raise OSError from error


@pytest.mark.parametrize("fault", [KILLS[0], KILLS[1], LASTING[0]], ids=str)
def test_interrupted_again_while_it_is_completed_it_is_completed(small: Path, fault: Fault) -> None:
    before = published_folder.contents(small)
    half_done(small)
    for at in count(1):
        root = Path(shutil.copytree(small, small.with_name(str(at))))
        with broken("exchange", fault, at) as calls:
            ended(lambda root=root: _completed(root))  # type: ignore[misc]
        complete(root)
        assert published_folder.contents(root) == changed(before), at
        if len(calls) < at:
            break


def _completed(root: Path) -> None:
    try:
        complete(root)
    except IncompleteUpdateError as error:
        raise OSError from error


@pytest.mark.deep
def test_the_next_command_removes_files_of_a_killed_update(copied: Path) -> None:
    before = published_folder.contents(copied)
    interrupt(copied, NEW, "move ..takedown.json.takedown-new")
    assert len([*(copied / "annotations").glob(".*")]) == 4
    assert run("build", "--root", copied).returncode == 0
    left = {name: data for name, data in published_folder.contents(copied).items() if not name.startswith("dist/")}
    assert left == before


@pytest.mark.parametrize("name", ["a\u2028b", "a\u000bb", "a\nb", "a\n+ b", "\u00e4 \udcff", "#1"])
def test_files_of_any_name_are_changed(small: Path, name: str) -> None:
    file = f"annotations/{name}.yaml"
    (small / SECOND).rename(small / file)
    before, new = published_folder.contents(small), {SPEAKERS: b"new", file: b"new"}
    half_done(small, new)
    assert {*complete(small)} == {SPEAKERS, file}
    assert published_folder.contents(small) == changed(before, new)


# ---- files that someone edits ----------------------------------------------------------------------------------


def test_a_file_that_was_edited_since_it_was_read_is_refused_before_anything_changes(small: Path) -> None:
    before = published_folder.contents(small)
    sums = {file: sha256(small / file) for file in NEW}
    for file in NEW:
        for edited in (b"edited", None):
            root = Path(shutil.copytree(small, small.with_name("copy")))
            (root / file).write_bytes(edited) if edited else (root / file).unlink(missing_ok=True)
            expected = changed(before, {file: edited})
            if expected != before:
                with (
                    pytest.raises(EditedFileError, match=f"^{file} was edited in the meantime"),
                    atomic_update.locked(root),
                ):
                    atomic_update.update(root, [FileChange(name, data, sums[name]) for name, data in NEW.items()])
                assert published_folder.contents(root) == expected
            shutil.rmtree(root)


@pytest.mark.parametrize("file", [SPEAKERS, SECOND])
def test_a_file_that_was_edited_while_it_was_interrupted_is_not_overwritten(small: Path, file: str) -> None:
    before = published_folder.contents(small)
    half_done(small)
    (small / file).write_bytes(b"edited")
    for _ in range(2):
        with pytest.raises(IncompleteUpdateError, match=f"^{file} was edited in the meantime: move your version"):
            complete(small)
        assert (small / file).read_bytes() == b"edited"
        assert file_tree.is_half_done(small)
    (small / file).rename(small / "kept")
    complete(small)
    assert published_folder.contents(small) == changed(before) | {"kept": b"edited"}


def test_a_new_file_that_is_missing_or_edited_replaces_nothing(small: Path) -> None:
    half_done(small)
    new = small / "annotations/.speakers.yaml.takedown-new"
    new.write_bytes(b"edited")
    for _ in range(2):
        with pytest.raises(
            IncompleteUpdateError, match=r"^annotations/\.speakers\.yaml\.takedown-new is missing or was edited"
        ):
            complete(small)
        assert (small / SPEAKERS).read_bytes() == b"old"
        new.unlink(missing_ok=True)


def test_edits_during_planning_are_not_lost(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, path = takedown.plan, copied / "annotations/900_example.yaml"

    @contextmanager
    def edited(*arguments: Any, **options: Any) -> Iterator[takedown.TakedownPlan]:
        with plan(*arguments, **options) as found:
            path.write_text(path.read_text(encoding="utf-8") + "# typed meanwhile\n", encoding="utf-8")
            yield found

    monkeypatch.setattr(takedown, "plan", edited)
    before = published_folder.contents(copied)
    ran = run(*PERSON, "--root", copied)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith(
        "annotations/900_example.yaml was edited in the meantime: run the command again; nothing "
    )
    left = published_folder.contents(copied)
    assert left.pop("annotations/900_example.yaml").endswith(b"# typed meanwhile\n")
    assert left.items() <= before.items()


# ---- the commands ------------------------------------------------------------------------------------------------

WRITING: dict[str, list[str]] = {"build": ["build"], "shard": ["shard", "--out", "anew"], "takedown": PERSON}
IN_PARTS = {"scheduler": ["build", "--scheduler", "local", "--jobs", "1"]}
REANCHOR = ["reanchor", "900_example", str(INVENTED / "seeds/900_example.txt")]
READING = {"check": ["check"], "dry run": [*PERSON, "--dry-run"], "reanchor": REANCHOR}
EVERY = [(layout, command) for layout in ("copied", "parts") for command in (WRITING | READING).values()]
EVERY += [("parts", command) for command in IN_PARTS.values()]


@pytest.fixture
def root(request: pytest.FixtureRequest) -> Path:
    return Path(request.getfixturevalue(request.param))


@pytest.mark.parametrize(("root", "command"), [each for each in EVERY if each[1] != PERSON], indirect=["root"])
def test_after_an_interrupted_update_commands_name_the_one_that_completes_it(
    root: Path, tmp_path: Path, command: list[str]
) -> None:
    half_done(root, {SPEAKERS: b"new", TOMBSTONES: b"new"})
    (root / "annotations/.takedown-lock").unlink()
    before = published_folder.contents(root)
    ran = run(*command, "--root", root, where=tmp_path)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == (
        "A command that edits the corpus was interrupted or is still running, and has changed only some of its files. "
        "Nothing was done. If it was interrupted, run that command again to complete it.\n"
    )
    assert published_folder.contents(root) == before


@pytest.mark.deep
@pytest.mark.parametrize("root", spread(["copied", "parts"], 2), indirect=True)
def test_the_same_takedown_completes_what_was_interrupted_and_publishes(root: Path) -> None:
    sound = Path(shutil.copytree(root, root.with_name("sound")))
    assert run(*PERSON, "--root", sound).returncode == 0
    step = "sync_folder annotations"
    with broken("exchange", None, 0) as calls:
        assert run(*PERSON, "--root", Path(shutil.copytree(root, root.with_name("counted")))).returncode == 0
    listed = calls.index("move ..takedown.json.takedown-new")
    at = calls.index(step, listed) + 1
    with broken("exchange", KILLS[0], at):
        assert ended(lambda: run(*PERSON, "--root", root)) is None
    assert file_tree.is_half_done(root)
    again = run(*PERSON, "--root", root)
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout.startswith("The interrupted command is now complete: ")
    assert published_folder.contents(root) == published_folder.contents(sound)


@pytest.mark.parametrize("command", [["ids"], ["fix"], ["import", "brat", "export"]], ids=lambda command: command[0])
def test_every_command_that_edits_completes_what_was_interrupted(copied: Path, command: list[str]) -> None:
    (copied / "export").mkdir()
    before = published_folder.contents(copied)
    new = {SPEAKERS: before[SPEAKERS] + b"# new\n"}
    half_done(copied, new)
    ran = run(*command, where=copied)
    assert ran.stdout.startswith("The interrupted command is now complete: 1 changed file.\n")
    assert published_folder.contents(copied) == changed(before, new)


@pytest.mark.sweep
def test_another_takedown_completes_an_interrupted_one(copied: Path) -> None:
    sound = Path(shutil.copytree(copied, copied.with_name("sound")))
    with planned(copied, "mira-fenn") as plan:
        new = {change.file: change.data for change in plan.changes()}
    interrupt(copied, new, "move .tombstones.yaml.takedown-new")
    assert run("takedown", "bruno-salt", "--reason", "law", "--root", copied).returncode == 0
    for record, reason in (("mira-fenn", "person"), ("bruno-salt", "law")):
        arguments = ["takedown", record, "--reason", reason, "--root", str(sound)]
        assert run(*arguments, *(["--date", DAY.isoformat()] if reason == "person" else [])).returncode == 0
    assert published_folder.contents(copied) == published_folder.contents(sound)


@pytest.mark.parametrize(
    ("root", "command"), [each for each in EVERY if each[1] not in READING.values()], indirect=["root"]
)
def test_while_a_takedown_is_running_no_other_command_writes(root: Path, tmp_path: Path, command: list[str]) -> None:
    before = published_folder.contents(root)
    with atomic_update.locked(root):
        ran = run(*command, "--root", root, where=tmp_path)
    assert (ran.returncode, ran.stdout) == (4, "")
    assert ran.stderr.startswith("Another command that edits the corpus is running; nothing was ")
    assert published_folder.contents(root) == before


# ---- links, strangers and what is missing ------------------------------------------------------------------------

PLACES = [
    ("parts", "annotations/part-00001.jsonl"),
    ("parts", "seeds/part-00001.parquet"),
    ("parts", TOMBSTONES),
    ("copied", SECOND),
    ("copied", TOMBSTONES),
]


@pytest.mark.parametrize(
    ("root", "file", "hard"),
    [*((*place, False) for place in PLACES), *((*place, True) for place in PLACES[::4])],
    indirect=["root"],
)
def test_a_file_whose_bytes_have_another_name_is_refused(root: Path, file: str, *, hard: bool) -> None:
    take_out(root, "example-t8")
    (root / "store").mkdir()
    (root / file).rename(root / "store/kept")
    if hard:
        (root / file).hardlink_to(root / "store/kept")
        said = f"{file} has a hard link, which would keep the old content: replace the file with a copy"
    else:
        (root / file).symlink_to("../store/kept")
        said = f"{file} is a link, and its target would not change: replace the link with the file itself"
    before = published_folder.contents(root)
    ran = run("takedown", "second", "--reason", "person", "--root", root)
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", f"{said}; nothing was changed.\n")
    assert published_folder.contents(root) == before
    assert (root / file).is_symlink() != hard


def test_a_link_that_appears_is_refused(small: Path) -> None:
    (small / SPEAKERS).rename(small / "kept")
    (small / SPEAKERS).symlink_to("../kept")
    before = published_folder.contents(small)
    with pytest.raises(LinkedFileError):
        update(small, NEW)
    assert published_folder.contents(small) == before


OLD = hashlib.sha256(b"mine").hexdigest()
STRANGERS: dict[str, object] = {
    **{
        f"of {name}": [[name, OLD, new]]
        for name in ("../precious", "annotations/../../precious", "/precious", "..", "annotations/.x", "CHANGELOG.md")
        for new in (None, OLD)
    },
    "without sums": [["annotations/speakers.yaml"]],
    "of other sums": [["annotations/speakers.yaml", "x", "y"]],
    "of numbers": [[1, OLD, OLD]],
    "no list": {"annotations/speakers.yaml": OLD},
    "nothing": None,
}


@pytest.mark.parametrize("content", STRANGERS.values(), ids=STRANGERS)
def test_a_foreign_list_of_files_cannot_reach_other_folders(small: Path, content: object) -> None:
    for path in (small.parent / "precious", small / "CHANGELOG.md", small / "annotations/.x"):
        path.write_bytes(b"mine")
    (small.parent / ".precious.takedown-new").write_bytes(b"mine")
    (small / file_tree.TAKEDOWN).write_text(json.dumps(content), encoding="utf-8")
    before = published_folder.contents(small.parent)
    with pytest.raises(IncompleteUpdateError, match=r"takedown\.json is damaged: remove it"):
        complete(small)
    assert published_folder.contents(small.parent) == before


def test_a_list_that_is_no_json_and_a_pipe_are_refused_in_a_sentence(copied: Path) -> None:
    (copied / file_tree.TAKEDOWN).write_bytes(b"[" * 100_000)
    ran = run(*PERSON, "--root", copied)
    said = "The command was interrupted: annotations/.takedown.json is damaged: remove it, and restore annotations/"
    assert (ran.returncode, ran.stderr.startswith(said)) == (3, True)


def test_annotations_that_lead_out_of_the_project_are_left_alone(copied: Path, tmp_path: Path) -> None:
    (copied / "annotations").rename(tmp_path / "elsewhere")
    (copied / "annotations").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere/.x.takedown-new").write_bytes(b"theirs")
    before = published_folder.contents(tmp_path / "elsewhere")
    for command in (["build"], PERSON):
        ran = run(*command, "--root", copied)
        assert (ran.returncode, "leads out of the project" in ran.stdout) == (1, True), ran
    assert published_folder.contents(tmp_path / "elsewhere") == before
    (tmp_path / "elsewhere/.takedown.json").write_text("[]", encoding="utf-8")
    ran = run(*PERSON, "--root", copied)
    assert (ran.returncode, "is a link out of the project" in ran.stderr) == (3, True)


@pytest.mark.parametrize("folder", ["seeds", "annotations"])
def test_a_missing_folder_of_the_project_is_named(copied: Path, folder: str) -> None:
    shutil.rmtree(copied / folder)
    before = published_folder.contents(copied)
    ran = run(*PERSON, "--root", copied)
    assert (ran.returncode, "finding" in ran.stderr) == (1, True)
    assert f"{folder}:1:1: file-unreadable" in ran.stdout
    assert published_folder.contents(copied) == before
    assert not (copied / folder).exists()


# ---- a dry run -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", ["copied", pytest.param("parts", marks=pytest.mark.deep)], indirect=True)
def test_a_dry_run_lists_the_removed_records_and_changes_no_file(root: Path) -> None:
    before = published_folder.contents(root)
    foreseen = run(*PERSON, "--root", root, "--dry-run")
    assert (foreseen.returncode, foreseen.stderr) == (0, "")
    assert published_folder.contents(root) == before
    *said, last = foreseen.stdout.splitlines()
    done = run(*PERSON, "--root", root).stdout.splitlines()
    assert len(said) > 5
    planned = [line.replace("would be ", "") for line in said]
    assert (planned, last) == ([line for line in done if line in planned], "Nothing was changed.")
    assert run(*PERSON, "--root", root, "--dry-run").returncode == 1


@pytest.mark.parametrize("root", ["copied", "parts"], indirect=True)
def test_a_dry_run_reports_what_blocks_the_takedown(root: Path) -> None:
    path = root / "dataset.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("title: ", "title: Mira Fenn. ", 1), encoding="utf-8")
    ran = run(*PERSON, "--root", root, "--dry-run")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith("dataset.yaml, line 3, contains the name")
