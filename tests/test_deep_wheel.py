"""The wheel, installed into another environment, gives the published tables without the repository."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import defectors_data
from conftest import PROJECT
from defectors_data.models.tables import ROWS

pytestmark = pytest.mark.deep

CODE = """
import json, defectors_data as d
rows = {name: len(d.load(name)) for name in d.tables()}
figure = d.load("figures", engine="arrow").column("figure_id")[0].as_py()
print(json.dumps([d.__file__, rows, d.describe("figures").shape, d.cite(), d.why(f"figures/{figure}/value")]))
"""


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that has the locked dependencies and the wheel, and knows nothing of the repository."""
    project = tmp_path_factory.mktemp("wheel") / "project"
    shutil.copytree(PROJECT, project, ignore=shutil.ignore_patterns(".*", "build", "tests"))
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    subprocess.run(build, cwd=project, check=True, capture_output=True)
    [wheel] = (project / "build/wheel").glob("*.whl")
    folder = project.parent / "environment"
    venv.create(folder, with_pip=False, symlinks=True)
    [packages] = folder.glob("lib/python*/site-packages")
    # A folder that a .pth file names has its own .pth files left alone, so the editable install does not come along.
    (packages / "locked.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin/python", "install", "--no-deps", "--no-index"]
    subprocess.run([*map(str, pip), str(wheel)], check=True, capture_output=True)
    shutil.rmtree(project)
    return folder


def test_the_library_loads_every_table(elsewhere: Path, tmp_path: Path) -> None:
    command = [str(elsewhere / "bin/python"), "-I", "-c", CODE]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    file, rows, shape, citation, why = json.loads(ran.stdout)
    assert Path(file).is_relative_to(elsewhere)
    published = {row.TABLE.name: PROJECT / f"dist/data/{row.TABLE.name}.parquet" for row in ROWS}
    assert rows == {name: pq.read_metadata(path).num_rows for name, path in published.items()}
    assert tuple(shape) == defectors_data.describe("figures").shape
    assert citation == defectors_data.cite()
    assert why == defectors_data.why(why.partition(":")[0])


def test_the_command_line_is_installed_with_it(elsewhere: Path, tmp_path: Path) -> None:
    command = [str(elsewhere / "bin/defectors-data"), "verify", str(PROJECT / "dist")]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
