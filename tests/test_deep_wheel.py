"""The wheel, installed with what it depends on alone, gives the published tables without the repository."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from datetime import date
from importlib import metadata
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import defectors_data
from conftest import PROJECT
from defectors_data.annotators.new_corpus import files_of_new_corpus
from defectors_data.models.tables import ONLY_WITH_ROWS, ROWS
from defectors_data.package import published_folder

pytestmark = pytest.mark.deep

CODE = """
import json, defectors_data as d
rows = {name: len(d.load(name)) for name in d.tables()}
figure, measure = d.load("figures", columns=["figure_id", "measure"]).iloc[0]
every = str(d.why(f"figures/{figure}/value")), d.cite(f"figures/{figure}"), len(d.find("’")), len(d.compare(measure))
print(json.dumps([d.__file__, d.__version__, rows, d.describe("figures").shape, d.cite(), every]))
try: d.load("figrues")
except KeyError as error: print(error)
"""
MOST_PACKAGES = 15
NEEDED = ["pandas", "pyarrow", "rapidfuzz"]


def needed(name: str) -> set[str]:
    """Return a distribution and all that it depends on, without extras, on this machine."""
    found, new = set[str](), {name}
    while new:
        found |= new
        wanted = [line for one in new for line in metadata.requires(one) or () if "extra ==" not in line]
        kept = [line for line in wanted if "sys_platform" not in line and "python_version <" not in line]
        new = {re.split(r"[^\w.-]", line, maxsplit=1)[0].lower() for line in kept} - found
    return found


def test_readers_need_three_libraries_in_any_recent_version() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [re.fullmatch(r"(\w+)>=[\d.]+", line)[1] for line in project["dependencies"]] == NEEDED  # type: ignore[index]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it depends on, which knows nothing of the repository."""
    project = tmp_path_factory.mktemp("wheel") / "project"
    shutil.copytree(PROJECT, project, ignore=shutil.ignore_patterns(".*", "build", "tests"))
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(build, cwd=project, check=True, capture_output=True)
    [wheel] = (project / "build/wheel").glob("*.whl")
    folder = project.parent / "environment"
    venv.create(folder, with_pip=False, symlinks=True)
    [packages] = folder.glob("lib/python*/site-packages")
    own = Path(sysconfig.get_path("purelib"))
    for name in set().union(*map(needed, NEEDED)):
        for top in {path.parts[0] for path in metadata.files(name) or ()} - {"..", "__pycache__"}:
            if not (packages / top).exists():
                (packages / top).symlink_to(own / top)
    install = "install --no-compile --no-deps --no-index".split()
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin/python", *install]
    subprocess.run([*map(str, pip), str(wheel)], check=True, capture_output=True)
    shutil.rmtree(project)
    return folder


def test_the_library_loads_every_table(elsewhere: Path, tmp_path: Path) -> None:
    command = [str(elsewhere / "bin/python"), "-I", "-c", CODE]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    found, mistyped = ran.stdout.splitlines()
    file, version, rows, shape, citation, every = json.loads(found)
    assert Path(file).is_relative_to(elsewhere)
    assert version == defectors_data.__version__
    published = {path.stem: path for path in (PROJECT / "dist/data").glob("*.parquet")}
    assert published.keys() >= {row.TABLE.name for row in ROWS} - set(ONLY_WITH_ROWS)
    assert rows == {name: pq.read_metadata(path).num_rows for name, path in published.items()}
    assert tuple(shape) == defectors_data.describe("figures").shape
    assert citation == defectors_data.cite()
    cell = every[0].partition(":")[0]
    assert every[:2] == [str(defectors_data.why(cell)), defectors_data.cite(cell.rpartition("/")[0])]
    assert min(every[2:]) > 0
    assert mistyped == "There is no table 'figrues'. Did you mean `figures`?"


def test_the_wheel_carries_the_published_package(elsewhere: Path) -> None:
    [carried] = elsewhere.glob("lib/python*/site-packages/defectors_data/dist")
    assert published_folder.contents(carried) == published_folder.contents(PROJECT / "dist")


def test_the_environment_has_few_packages(elsewhere: Path) -> None:
    installed = [path.name for path in elsewhere.glob("lib/python*/site-packages/*.dist-info")]
    assert 3 <= len(installed) <= MOST_PACKAGES, installed


def test_quotecheck_runs(elsewhere: Path, tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_text("“The moon fell on the wall of the harbour.”", encoding="utf-8")
    command = [str(elsewhere / "bin/defectors-data"), "quotecheck", "draft.txt", "--package", str(PROJECT / "dist")]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert "draft.txt:1: not found:" in ran.stdout


def test_the_command_line_says_what_to_install_and_runs_with_it(elsewhere: Path, tmp_path: Path) -> None:
    command = [str(elsewhere / "bin/defectors-data")]
    verify = [*command, "verify", str(PROJECT / "dist")]
    ran = subprocess.run(verify, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr, ran.stdout.startswith("Checked: ")) == (0, "", True)
    init = [*command, "init", "corpus"]
    ran = subprocess.run(init, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert re.fullmatch(
        r"Commands other than why, cite, verify, quotecheck need \w+: install the extra `build`\.\n",
        ran.stderr,
    )
    assert not (tmp_path / "corpus").exists()
    # A folder that a .pth file names has its own .pth files left alone, so the editable install does not come along.
    [packages] = elsewhere.glob("lib/python*/site-packages")
    (packages / "locked.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    ran = subprocess.run(verify, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    subprocess.run(init, cwd=tmp_path, check=True)
    corpus = tmp_path / "corpus"
    files = [path for path in corpus.rglob("*") if path.is_file()]
    written = {path.relative_to(corpus).as_posix(): path.read_bytes() for path in files}
    assert written == files_of_new_corpus(None, today=date.min)
