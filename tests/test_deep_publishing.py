"""Publishing with real deaths, real signals and real file systems; needs minutes, and mounts of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from conftest import INVENTED, edit
from defectors_data import folders
from defectors_data.build import build

pytestmark = pytest.mark.deep

STRIKE = """
import os, sys
from defectors_data import fs
calls = 0
def doubled(real):
    def act(*arguments):
        global calls
        calls += 1
        if calls == {at}:
            os.kill(os.getpid(), {number})
        return real(*arguments)
    return act
for name in "make_folder write sync_folder move exchange remove_file remove_folder lock".split():
    setattr(fs, name, doubled(getattr(fs, name)))
from defectors_data.__main__ import main
sys.argv = ["defectors-data", "build"]
try:
    main()
finally:
    print(calls, file=sys.stderr)
"""


def project(folder: Path, old: Path) -> Path:
    """Return a copy of the invented corpus with an old release, and a change that makes a new one."""
    copy = Path(shutil.copytree(INVENTED, folder))
    shutil.copytree(old, copy / "dist")
    edit(copy, "dataset.yaml", "version: 1.2.3", "version: 1.3.0")
    return copy


@pytest.fixture
def releases(package: Path, tmp_path: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    fresh = project(tmp_path / "fresh", package)
    build(fresh, fresh / "dist")
    return folders.contents(package), folders.contents(fresh / "dist")


def beside(root: Path) -> list[str]:
    return [path.name for path in root.iterdir() if path.name.startswith(".dist")]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_build_struck_at_each_of_its_steps(
    tmp_path: Path, package: Path, releases: tuple[dict[str, bytes], dict[str, bytes]], number: signal.Signals
) -> None:
    """Every third step, so that it does not take long; the sweep over all steps is in test_publishing."""
    old, new = releases

    def struck(at: int) -> tuple[int, int, bool, bool, list[str]]:
        root = project(tmp_path / str(at), package)
        command = [sys.executable, "-c", STRIKE.format(at=at, number=int(number))]
        ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
        stands = folders.contents(root / "dist")
        return at, ran.returncode, stands == old, stands == new, beside(root)

    root = project(tmp_path / "counted", package)
    counted = subprocess.run(
        [sys.executable, "-c", STRIKE.format(at=0, number=0)], cwd=root, capture_output=True, check=True
    )
    steps = int(counted.stderr)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(struck, range(1, steps + 1, 3)))
    assert len(results) > 20
    for at, code, is_old, is_new, litter in results:
        assert is_old or is_new, at
        if number != signal.SIGKILL:
            assert (code, is_new, litter) == (0 if is_new else 128 + number, not is_old, []), at
    assert {is_new for _, _, _, is_new, _ in results} == {True, False}


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
import sys
from pathlib import Path
from defectors_data import folders
from defectors_data.publishing import Site
Site._refuse_a_full_disk = lambda self, files: None  # so that the disk itself says so
old = {"datapackage.json": b"{}", "data/a.csv": b"a" * 9000}
new = {"datapackage.json": b"{ }", "data/a.csv": b"b" * 9000, "data/b.csv": b"c" * 90000}
target = Path(sys.argv[1]) / "dist"
with Site.hold(target) as site:
    site.publish(old, inspect=lambda folder: None)
filler = Path(sys.argv[1]) / "filler"
for pages in range(28):
    filler.write_bytes(bytes(4096 * pages))
    try:
        with Site.hold(target) as site:
            print(site.publish(new, inspect=lambda folder: None))
        stands = new
    except OSError as error:
        print(error.errno)
        stands = old
    filler.unlink()
    assert folders.holds(target, {**stands, folders.SUMS: folders.checksums(stands)}), pages
    assert sorted(path.name for path in target.parent.iterdir()) == ["dist"], pages
    with Site.hold(target) as site:
        site.publish(old, inspect=lambda folder: None)
"""


def test_a_disk_that_fills_up_at_any_moment_leaves_the_old_release(tmp_path: Path) -> None:
    (tmp_path / "full.py").write_text(FULL, encoding="utf-8")
    (tmp_path / "small").mkdir()
    ran = inside('mount -t tmpfs -o size=200k none small; "$PYTHON" full.py small', tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert set(ran.stdout.split()) == {"published", "28"}


def outcomes(said: str) -> list[str]:
    """Return what came of each build, without what it says to have checked."""
    return [line for line in said.splitlines() if line.endswith(("published", "unchanged"))]


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
    build(root, tmp_path / "again")
    assert folders.contents(root / "dist") == folders.contents(tmp_path / "again")


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
    assert folders.contents(root / "dist") == folders.contents(package), "the lower layer is as it was"


def test_another_file_system_is_refused(tmp_path: Path) -> None:
    root = Path(shutil.copytree(INVENTED, tmp_path / "project"))
    ran = inside('mkdir dist; mount -t tmpfs none dist; "$PYTHON" -m defectors_data build', root)
    assert ran.returncode == 3
    assert "is on another file system than the folder it lies in" in ran.stderr
    assert beside(root) == []


def test_a_read_only_file_system_is_refused_in_one_line(tmp_path: Path) -> None:
    root = Path(shutil.copytree(INVENTED, tmp_path / "project"))
    ran = inside('mount --bind . .; mount -o remount,ro,bind .; cd "$PWD"; "$PYTHON" -m defectors_data build', root)
    assert (ran.returncode, ran.stderr.count("\n")) == (3, 1)
    assert "Read-only file system" in ran.stderr
