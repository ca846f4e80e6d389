"""Publishing with real deaths, real signals and real file systems; needs minutes, and mounts of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from conftest import INVENTED, edit
from defectors_data.build import build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.package import published_folder

pytestmark = pytest.mark.deep

STRIKE = """
import json, os, sys, tempfile, warnings
from pathlib import Path
import frictionless
from defectors_data import build, cli, pipeline
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.package import filesystem as fs
from defectors_data.__main__ import main
def doubled(real):
    def act(*arguments):
        global calls
        calls += 1
        if calls == at:
            os.kill(os.getpid(), number)
        return real(*arguments)
    return act
for name in "make_folder write copy sync_folder move exchange remove_file remove_folder lock".split():
    setattr(fs, name, doubled(getattr(fs, name)))
sys.argv = ["defectors-data", "build"]
number, *builds = map(json.loads, sys.stdin)
kept = {}
run, documents = pipeline.run, build.documents_for_people
def run_once(corpus, options, *, take, **how):
    if "checked" not in kept:
        kept["results"] = []
        kept["checked"] = run(corpus, options, take=kept["results"].append)
    for result in kept["results"]:
        take(result)
    return kept["checked"]
def documents_once(*given, **how):
    if "documents" not in kept:
        kept["documents"] = documents(*given, **how)
    return kept["documents"]
pipeline.run, build.documents_for_people = run_once, documents_once
calls, at = 0, -1
with tempfile.TemporaryDirectory() as scratch:
    build.build(CorpusReader(FileTree(Path(builds[0][0]))), Path(scratch, "dist"))
warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads: those that drew the charts are done
for root, at in builds:
    calls = 0
    reader, writer = os.pipe()
    if not (child := os.fork()):
        os.chdir(root)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            main()
        except SystemExit as end:
            os.write(writer, b"%d" % calls)
            os._exit(end.code)
    os.close(writer)
    _, status = os.waitpid(child, 0)
    with os.fdopen(reader) as counted:
        print(json.dumps([at, os.waitstatus_to_exitcode(status), counted.read()]), flush=True)
"""
"""Runs builds of equal projects, each in a process of its own.

What is read and computed is the same for all and is done once; each does whatever is done to a disk.
"""


def struck(number: int, builds: list[tuple[Path, int]]) -> list[list[Any]]:
    """Return, for each of some builds that get a signal at a step, the step, the exit code and the steps it made."""
    lines = "".join(json.dumps([str(root), at]) + "\n" for root, at in builds)
    ran = subprocess.run(
        [sys.executable, "-c", STRIKE], input=f"{number}\n{lines}", capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return [json.loads(line) for line in ran.stdout.splitlines()]


def project(folder: Path, old: Path) -> Path:
    """Return a copy of the invented corpus with an old release, and a change that makes a new one."""
    copy = Path(shutil.copytree(INVENTED, folder))
    shutil.copytree(old, copy / "dist")
    edit(copy, "dataset.yaml", "title: Testimonies of", "title: Words of")
    return copy


@pytest.fixture(scope="module")
def releases(package: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, bytes], dict[str, bytes]]:
    fresh = project(tmp_path_factory.mktemp("releases") / "fresh", package)
    build(CorpusReader(FileTree(fresh)), fresh / "dist")
    return published_folder.contents(package), published_folder.contents(fresh / "dist")


def beside(root: Path) -> list[str]:
    return [path.name for path in root.iterdir() if path.name.startswith(".dist")]


SIGNALS = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
EVERY = 24


@pytest.mark.parametrize(
    ("number", "first"),
    [
        pytest.param(number, first, id=f"{number.name} from step {first}", marks=[] if spread else pytest.mark.sweep)
        for which, number in enumerate(SIGNALS)
        for first in range(1, EVERY + 1)
        for spread in [first == 1 + which * EVERY // len(SIGNALS)]
    ],
)
def test_a_build_struck_at_each_of_its_steps(
    tmp_path: Path,
    package: Path,
    releases: tuple[dict[str, bytes], dict[str, bytes]],
    number: signal.Signals,
    first: int,
) -> None:
    """Every 24th step, from another one for each signal; the other steps are left to `make test-sweep`.

    The sweep over all steps with a double of the file system is in test_publishing.
    """
    old, new = releases
    [(_, _, steps)] = struck(number, [(project(tmp_path / "counted", package), 0)])
    results = struck(number, [(project(tmp_path / str(at), package), at) for at in range(first, int(steps) + 1, EVERY)])
    assert len(results) > 2
    for at, code, _ in results:
        root = tmp_path / str(at)
        stands = published_folder.contents(root / "dist")
        assert stands in (old, new), at
        if number != signal.SIGKILL:
            assert (code, beside(root)) == (0 if stands == new else 128 + number, []), at
    assert {published_folder.contents(tmp_path / str(at) / "dist") == new for at, _, _ in results} == {True, False}


# ---- file systems: each in a namespace of its own, so that nothing of the machine changes ---------------------------


def inside(script: str, where: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell script that may mount; skip where the machine allows no namespaces."""
    apart = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
    if (
        not shutil.which("unshare")
        or subprocess.run([*apart, "mount", "-t", "tmpfs", "none", "/mnt"], check=False).returncode
    ):
        pytest.skip("this machine allows no mounts")
    settings = {**os.environ, "PYTHON": sys.executable}
    return subprocess.run(
        [*apart, "sh", "-eu", "-c", textwrap.dedent(script)],
        cwd=where,
        env=settings,
        capture_output=True,
        text=True,
        check=False,
    )


FULL = """
import hashlib, json, sys
from pathlib import Path
from defectors_data.package import filesystem, published_folder
from defectors_data.package.atomic_publication import PublishTarget
def put(folder, files):
    filesystem.make_folder(folder / "data")
    for name, data in files.items():
        filesystem.write(folder / name, data)
    return {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
def described(files):
    descriptor = {"$schema": published_folder.PROFILE, "resources": [{"name": "sources", "path": [*files]}]}
    return files | {"datapackage.json": json.dumps(descriptor).encode()}
def publish(files):
    with PublishTarget.locked(target) as site:
        return site.publish(lambda folder: put(folder, files), inspect=lambda folder: None)
old = described({"data/a.csv": b"a" * 9000})
new = described({"data/a.csv": b"b" * 9000, "data/b.csv": b"c" * 90000})
target = Path(sys.argv[1]) / "dist"
publish(old)
filler = Path(sys.argv[1]) / "filler"
for pages in range(28):
    filler.write_bytes(bytes(4096 * pages))
    try:
        print(publish(new))
        stands = new
    except OSError as error:
        print(error.errno)
        stands = old
    filler.unlink()
    found = published_folder.contents(target)
    assert published_folder.is_whole(target) and {name: found[name] for name in stands} == stands, pages
    assert sorted(path.name for path in target.parent.iterdir()) == ["dist"], pages
    publish(old)
"""


def test_a_disk_that_fills_up_at_any_moment_leaves_the_old_release(tmp_path: Path) -> None:
    (tmp_path / "full.py").write_text(FULL, encoding="utf-8")
    (tmp_path / "small").mkdir()
    ran = inside('mount -t tmpfs -o size=200k none small; "$PYTHON" full.py small', tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert set(ran.stdout.split()) == {"published", "28"}


def outcomes(said: str) -> list[str]:
    """Return what came of each build, without what it says to have checked."""
    return [found[1] for found in re.finditer(r"^(\S+: (?:published|unchanged)) \(", said, re.MULTILINE)]


def test_a_folder_that_is_a_mount_point_is_filled_in_place(tmp_path: Path, package: Path) -> None:
    root = project(tmp_path / "project", package)
    script = """
        mount --bind dist dist
        "$PYTHON" -m defectors_data build
        "$PYTHON" -m defectors_data build
    """
    ran = inside(script, root)
    assert (ran.returncode, outcomes(ran.stdout), ran.stderr) == (0, ["dist: published", "dist: unchanged"], "")
    assert beside(root) == []
    build(CorpusReader(FileTree(root)), tmp_path / "again")
    assert published_folder.contents(root / "dist") == published_folder.contents(tmp_path / "again")


def test_the_lower_layer_of_an_overlay_is_published_over(tmp_path: Path, package: Path) -> None:
    root = project(tmp_path / "project", package)
    script = """
        mkdir ../upper
        mount -t tmpfs none ../upper
        mkdir ../upper/upper ../upper/work ../upper/merged
        mount -t overlay overlay -o lowerdir="$PWD",upperdir=../upper/upper,workdir=../upper/work ../upper/merged
        cd ../upper/merged
        "$PYTHON" -m defectors_data build
        "$PYTHON" -m defectors_data build
        ls -A | grep '[.]dist' && exit 1
        "$PYTHON" -m defectors_data build --out ../../copied
    """
    ran = inside(script, root)
    assert ran.returncode == 0, ran.stderr
    assert outcomes(ran.stdout) == ["dist: published", "dist: unchanged", "../../copied: published"]
    assert published_folder.contents(root / "dist") == published_folder.contents(package), (
        "the lower layer is as it was"
    )


def test_another_file_system_is_refused(tmp_path: Path) -> None:
    root = Path(shutil.copytree(INVENTED, tmp_path / "project"))
    ran = inside('mkdir dist; mount -t tmpfs none dist; "$PYTHON" -m defectors_data build', root)
    assert ran.returncode == 3
    assert "is on a different file system from its parent folder" in ran.stderr
    assert beside(root) == []


def test_a_read_only_file_system_is_refused_in_one_line(tmp_path: Path) -> None:
    root = Path(shutil.copytree(INVENTED, tmp_path / "project"))
    ran = inside('mount --bind . .; mount -o remount,ro,bind .; cd "$PWD"; "$PYTHON" -m defectors_data build', root)
    assert (ran.returncode, ran.stderr.count("\n")) == (3, 1)
    assert "Read-only file system" in ran.stderr
