"""Locales, folders, file names and permissions around a project change nothing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from calling import process, run
from conftest import INVENTED, edit, found_in, spread
from defectors_data.corpus import findings
from finding_output import one_finding
from mistakes import SEED, A, B, note, words

C_LOCALE = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": None}


def test_the_c_locale_changes_no_output(copied: Path) -> None:
    edit(copied, A, '"It’s quiet tonight,"', '"It\'s quiet tonight,"')
    ran = process("check", where=copied, **C_LOCALE)
    assert ran == run("check", "--no-cache", where=copied)
    assert "’" in one_finding(ran)


@pytest.mark.parametrize(
    "name", spread(["%23#?&;'\"$(x)", "with spaces", "Büro – 事務所 🙂", "-rf", "a\nb"], 3, pytest.mark.deep)
)
def test_a_folder_with_any_name_is_accepted(copied: Path, tmp_path: Path, name: str) -> None:
    root = copied.rename(tmp_path / name)
    assert process("check", where=root, **C_LOCALE).returncode == 0
    words("two ins")(root)
    ran = run("check", f"--root={name}", where=tmp_path)
    assert ran.returncode == 1
    assert ran.stdout.startswith(f"{findings.printable(name)}/{A}:180:15: evidence-not-found: ")


def test_a_file_may_have_a_name_that_is_no_utf_8(copied: Path) -> None:
    shutil.copyfile(copied / B, os.fsencode(copied / "annotations") + b"/\xff.yaml")
    out = one_finding(process("check", where=copied))
    assert out.startswith("annotations/<U+DCFF>.yaml:4:9: seed-name-mismatch: ")


@pytest.mark.deep
def test_the_working_folder_may_be_any(copied: Path, tmp_path: Path) -> None:
    words("two ins")(copied)
    for where in (tmp_path, copied / "seeds", Path("/")):
        ran = process("check", "--root", str(copied), where=where)
        assert ran.stdout.startswith(f"{os.path.relpath(copied / A, where)}:180:15: evidence-not-found: ")


@pytest.mark.deep
def test_no_file_is_written_to_the_home_folder(copied: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o500)
    places = {key: str(home) for key in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "TMPDIR")}
    assert process("check", where=copied, **places).returncode == 0
    note("Of the line itself.")(copied)
    assert process("build", where=copied, **places).stdout.startswith("dist: published (")
    assert list(home.iterdir()) == []
    assert process("check", where=copied, HOME=None, XDG_CACHE_HOME=None).returncode == 0


@contextmanager
def nobody() -> Iterator[None]:
    """Be somebody whom files can be kept from; root may read everything."""
    if os.geteuid():
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.parametrize("name", [SEED, A, "seeds", "annotations"])
def test_a_file_without_read_permission_is_one_finding(name: str) -> None:
    with TemporaryDirectory() as above:
        root = Path(shutil.copytree(INVENTED, Path(above) / "project"))
        for path in (Path(above), root, *root.rglob("*")):
            path.chmod(0o755)
        found_in(root)  # loads what another user may not read either, such as Python's own files
        (root / name).chmod(0)
        with nobody():
            found = found_in(root)
        (root / name).chmod(0o755)
    assert [(finding.place.file, finding.code) for finding in found] == [(name, "file-unreadable")]
