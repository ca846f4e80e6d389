"""The same inputs give the same bytes, whatever surrounds the build; and a release packs to the same zip."""

from __future__ import annotations

import io
import os
import shutil
import stat
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from conftest import INVENTED, PROJECT
from defectors_data.package import published_folder
from defectors_data.package.published_folder import DamagedPackageError, archive

RUN = [sys.executable, "-m", "defectors_data", "build"]

# Each runs in the build's own process before it starts.
FEWER_CORES = "os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})"
NARROW_UMASK = "os.umask(0o077)"
LISTED_BACKWARDS = """
listdir, scandir = os.listdir, os.scandir
class Backwards:
    def __init__(self, *where): self.found = iter(sorted(scandir(*where), key=lambda entry: entry.name, reverse=True))
    def __iter__(self): return self.found
    def __next__(self): return next(self.found)
    def __enter__(self): return self
    def __exit__(self, *error): pass
    def close(self): pass
os.listdir = lambda *where: sorted(listdir(*where), reverse=True)
os.scandir = Backwards
"""
IN_2099 = "time.time = lambda: 4_070_908_800.0; time.time_ns = lambda: 4_070_908_800_000_000_000"


def build(
    out: Path,
    *,
    root: Path = INVENTED,
    where: Path | None = None,
    before: str = "",
    settings: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Build in a process of its own, with nothing in the environment but the settings."""
    code = f"import os, sys, time\n{before}\nfrom defectors_data.__main__ import main\nmain()"
    command = [sys.executable, "-c", code, "build", "--root", str(root), "--out", str(out)]
    ran = subprocess.run(
        command,
        cwd=where,
        env={"PYTHONPATH": str(PROJECT / "src"), **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, ""), ran.stderr


def same(folder: Path, package: Path) -> bool:
    return published_folder.contents(folder) == published_folder.contents(package)


PLAIN_NOWHERE = {
    "LC_ALL": "C",
    "LANG": "C",
    "PYTHONUTF8": "0",
    "PYTHONCOERCECLOCALE": "0",
    "TZ": "Asia/Kathmandu",
    "PYTHONHASHSEED": "4711",
    "HOME": "/nonexistent",
    "PATH": "",
    "TMPDIR": "/nonexistent",
    "USER": "nobody",
}
TURKISH_NARROW = {
    "LC_ALL": "tr_TR.UTF-8",
    "LANGUAGE": "tr",
    "COLUMNS": "20",
    "NO_COLOR": "1",
    "PYTHONOPTIMIZE": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "ARROW_USER_SIMD_LEVEL": "NONE",
}


def copied_backwards(folder: Path) -> Path:
    """Copy the project to another folder, its files in the order from Z to A and of 1970."""
    for path in sorted(INVENTED.rglob("*"), reverse=True):
        if path.is_file():
            (folder / path.relative_to(INVENTED)).parent.mkdir(parents=True, exist_ok=True)
            os.utime(shutil.copyfile(path, folder / path.relative_to(INVENTED)), (0, 0))
    return folder


@pytest.mark.parametrize(
    ("settings", "before"),
    [
        (PLAIN_NOWHERE, [NARROW_UMASK, LISTED_BACKWARDS, IN_2099]),
        pytest.param(TURKISH_NARROW, [FEWER_CORES], marks=pytest.mark.deep),
    ],
    ids=["plain locale, nowhere, 2099", "Turkish, narrow"],
)
def test_environment_variables_do_not_change_the_package(
    package: Path, tmp_path: Path, settings: dict[str, str], before: list[str]
) -> None:
    elsewhere = copied_backwards(tmp_path / "other plàce")
    build(Path("out"), root=Path(), where=elsewhere, settings=settings, before="\n".join(before))
    assert same(elsewhere / "out", package)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (elsewhere / "out").rglob("*") if path.is_file()}
    assert modes == {0o644}, "everybody may read what is published"
    assert stat.S_IMODE((elsewhere / "out").stat().st_mode) == 0o755


@pytest.mark.deep
def test_source_date_epoch_changes_the_time_of_making_alone(package: Path, tmp_path: Path) -> None:
    build(tmp_path / "dist", settings={"SOURCE_DATE_EPOCH": "86400"})
    now, then = published_folder.contents(tmp_path / "dist"), published_folder.contents(package)
    dated = {"datapackage.json", "ro-crate-metadata.json"}
    assert {name for name in now if now[name] != then[name]} == {*dated, published_folder.SUMS}
    follows = (b'"hash"', b'"bytes"', b'"sha256"')
    for name in dated:
        changed = zip(now[name].splitlines(), then[name].splitlines(), strict=True)
        lines = [line for line, other in changed if line != other and not any(key in line for key in follows)]
        assert lines
        assert all(b"1970-01-02T00:00:00" in line for line in lines), lines


def test_a_build_without_docstrings_is_refused(tmp_path: Path) -> None:
    command = [*RUN, "--root", str(INVENTED), "--out", str(tmp_path / "dist")]
    ran = subprocess.run(
        command,
        env={"PYTHONPATH": str(PROJECT / "src"), "PYTHONOPTIMIZE": "2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr.count("\n"), list(tmp_path.iterdir())) == (2, 1, [])


# ---- the zip -------------------------------------------------------------------------------------------------


def test_a_zip_holds_the_release_with_its_descriptor_at_the_root() -> None:
    name, content = archive(PROJECT / "dist")
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        assert {entry: packed.read(entry) for entry in packed.namelist()} == published_folder.contents(PROJECT / "dist")
        assert packed.namelist()[0] == "datapackage.json"
        assert {entry.compress_type for entry in packed.infolist()} == {zipfile.ZIP_STORED}
        assert {entry.date_time for entry in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {entry.external_attr >> 16 for entry in packed.infolist()} == {0o100644}
    assert name == "defectors-data-0.1.0.zip"


def test_a_zip_is_the_same_wherever_it_is_packed(package: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(package, tmp_path / "copy"))
    for number, path in enumerate(sorted(copy.rglob("*"))):
        os.utime(path, (number, number))
        path.chmod(0o700)
    assert archive(copy) == archive(package)


@pytest.mark.deep
def test_frictionless_checks_every_table_of_a_zip(package: Path, tmp_path: Path) -> None:
    (tmp_path / "release.zip").write_bytes(archive(package)[1])
    command = [sys.executable, "-m", "frictionless", "validate", "release.zip", "--json"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0
    assert ran.stdout.count('"type": "table"') == len(list(package.glob("data/*.csv")))


@pytest.mark.filterwarnings("ignore::defectors_data.ChangedFileWarning")
@pytest.mark.parametrize("damage", ["data/figures.csv", "SHA256SUMS", "datapackage.json"])
def test_an_incomplete_package_is_not_packed(package: Path, tmp_path: Path, damage: str) -> None:
    copy = Path(shutil.copytree(package, tmp_path / "copy"))
    (copy / damage).write_bytes(b"")
    with pytest.raises(DamagedPackageError, match=damage):
        archive(copy)
