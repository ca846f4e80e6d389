"""What a command does that publishes, and what can come between: signals, another build, a closed pipe."""

from __future__ import annotations

import errno
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from calling import process, run
from conftest import content, edit, spread
from defectors_data.package.atomic_publication import PublishTarget
from defectors_data.package.filesystem import NewFile
from test_cli import ANNOTATIONS


def test_a_second_build_ends_with_4_and_names_the_first(copied: Path) -> None:
    with PublishTarget.locked(copied / "dist"):
        ran = run("build", where=copied)
    said = f"Another build (process {os.getpid()}) is publishing to dist; nothing was published.\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (4, "", said)


def test_findings_leave_no_new_name_behind(copied: Path) -> None:
    edit(copied, ANNOTATIONS, "evidence: two inns", "evidence: two ins")
    before = content(copied)
    assert run("build", where=copied).returncode == 1
    assert run("build", "--out", "a/b/c", where=copied).returncode == 1
    assert content(copied) == before
    assert not (copied / "a").exists()


@pytest.mark.deep
def test_a_build_that_cannot_say_so_is_published_all_the_same(copied: Path) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "defectors_data", "build"]
        ran = subprocess.run(command, cwd=copied, stdout=full, stderr=full, check=False)
    assert ran.returncode == 0
    assert run("build", where=copied).stdout.startswith("dist: unchanged (")


def test_a_closed_pipe_keeps_the_exit_code(copied: Path) -> None:
    edit(copied, ANNOTATIONS, "evidence: two inns", "evidence: two ins")
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "defectors_data", "build"]
    ran = subprocess.run(command, cwd=copied, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (1, "1 finding.\n")


@pytest.mark.parametrize("command", [["schema"], ["draft", "900_example"], ["zip"]])
def test_every_writing_command_first_repairs_an_interrupted_build(
    copied: Path, package: Path, command: list[str]
) -> None:
    shutil.copytree(package, copied / "dist")
    shutil.copytree(package, copied / ".dist.old")
    (copied / ".dist.lock").write_bytes(b"1\n")
    if command[0] == "draft":
        (copied / ANNOTATIONS).unlink()
    assert run(*command, where=copied).returncode == 0
    assert (copied / "dist" / "datapackage.json").exists()
    assert [path.name for path in copied.iterdir() if path.name.startswith(".")] == []


def test_a_full_disk_is_reported_with_the_file(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    (copied / ANNOTATIONS).unlink()
    monkeypatch.setattr(os, "fsync", full)
    ran = run("draft", "900_example", where=copied)
    said = "A file could not be read or written: No space left on device (annotations/.900_example.yaml.new).\n"
    assert (ran.returncode, ran.stdout, ran.stderr) == (3, "", said)
    with pytest.raises(OSError, match=r"No space left on device: '.*/new'"):
        NewFile(copied / "new").close()


@pytest.mark.parametrize(
    ("number", "code"),
    spread([(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)], 3, pytest.mark.deep),
)
def test_a_signal_before_the_swap_ends_the_build_with_its_code(copied: Path, number: signal.Signals, code: int) -> None:
    """The signal comes while the staged folder is validated; where the tests run, it may be ignored."""
    script = (
        "import os, signal, sys\n"
        f"if signal.getsignal({number}) is signal.SIG_IGN: signal.signal({number}, signal.SIG_DFL)\n"
        "from defectors_data.package import descriptor\n"
        f"descriptor.inspect = lambda folder: os.kill(os.getpid(), {number})\n"
        "from defectors_data.__main__ import main\n"
        "sys.argv = ['defectors-data', 'build']\n"
        "main()"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=copied, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (code, "", "")
    assert not [path for path in copied.iterdir() if "dist" in path.name]


@pytest.mark.deep
def test_a_signal_after_publication_has_no_effect(copied: Path) -> None:
    script = (
        "import os, sys\n"
        "from defectors_data.package import filesystem as fs\n"
        "from defectors_data.cli import output\n"
        "real, say = fs.exchange, output.say\n"
        "def move(first, second): os.rename(first, second); second.name == 'dist' and os.kill(os.getpid(), 15)\n"
        "fs.move = move\n"
        "output.say = lambda *a, **k: (os.kill(os.getpid(), 2), say(*a, **k))\n"
        "from defectors_data.__main__ import main\n"
        "sys.argv = ['defectors-data', 'build']\n"
        "main()"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=copied, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.partition(" (")[0], ran.stderr) == (0, "dist: published", "")


@pytest.mark.deep
def test_a_signal_that_was_ignored_before_stays_ignored(copied: Path) -> None:
    script = (
        "import os, signal, sys\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "from defectors_data.package import descriptor\n"
        "descriptor.inspect = lambda folder: os.kill(os.getpid(), signal.SIGHUP)\n"
        "from defectors_data.__main__ import main\n"
        "sys.argv = ['defectors-data', 'build']\n"
        "main()"
    )
    ran = subprocess.run([sys.executable, "-c", script], cwd=copied, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.partition(" (")[0]) == (0, "dist: published")


@pytest.mark.deep
def test_a_path_with_spaces_and_letters_of_all_kinds_works(tmp_path: Path, copied: Path) -> None:
    odd = copied.rename(tmp_path / "mý project’s 🙂")
    ran = process("build", where=odd, LC_ALL="C", LANG="C", PYTHONUTF8="0")
    assert (ran.returncode, ran.stdout.partition(" (")[0]) == (0, "dist: published")


INSIDE = ["annotations", "annotations/new", "seeds", "seeds/a/b", "elsewhere/../seeds/new", "linked/new"]


@pytest.mark.parametrize("command", ["build", "shard", "zip"])
@pytest.mark.parametrize("place", INSIDE)
def test_no_output_is_written_into_input_folders(copied: Path, command: str, place: str) -> None:
    (copied / "linked").symlink_to("annotations")
    before = content(copied)
    ran = run(command, "--out", place, where=copied)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert re.fullmatch(r"\S+ (is|is inside (annotations|seeds), which is) part of the project: .*\n", ran.stderr)
    assert ran.stderr.endswith("Nothing was written.\n")
    assert content(copied) == before


@pytest.mark.parametrize("place", ["dataset.yaml", ".", "/"])
def test_a_wrong_place_to_publish_to_is_no_refused_write(copied: Path, place: str) -> None:
    before = content(copied)
    ran = run("build", "--out", place, where=copied)
    assert (ran.returncode, ran.stdout, ran.stderr.endswith("; nothing was published.\n")) == (1, "", True)
    assert content(copied) == before


def test_other_files_next_to_the_project_are_ignored(copied: Path) -> None:
    assert run("shard", "--out", "build/seeds", where=copied).returncode == 0
    assert run("shard", "--out", "seeds-in-parts", where=copied).returncode == 0
    assert run("build", "--out", "annotations-built/seeds", where=copied).returncode == 0
    assert run("shard", "--out", ".", where=copied).returncode == 1
    assert run("shard", "--out", "dist/parts", where=copied).returncode == 1
    assert run("shard", "--out", "seeds-in-parts", where=copied).returncode == 2
