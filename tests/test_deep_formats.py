"""Tables have the same cells whichever version of pyarrow reads or writes them, and the same rows in a database."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from conftest import PROJECT

pytestmark = pytest.mark.deep

SECOND = PROJECT / "build/second-pyarrow/bin/python"
SCRIPT = """
import io, json, os
from pathlib import Path
import pyarrow, pyarrow.parquet as pq
from defectors_data.package.cells import cell_text, csv_cells

def cells(table):
    return [table.column_names, *([cell_text(cell) for cell in row.values()] for row in table.to_pylist())]

found = {"pyarrow": pyarrow.__version__}
for path in sorted(Path("dist/data").glob("*.parquet")):
    table, rewritten = pq.read_table(path), io.BytesIO()
    pq.write_table(table, rewritten)
    with path.with_suffix(".csv").open(encoding="utf-8", newline="") as lines:
        published = list(csv_cells(lines))
    read_again = pq.read_table(io.BytesIO(rewritten.getvalue()))
    same_bytes = rewritten.getvalue() == path.read_bytes()
    found[path.stem] = [cells(table) == published, cells(read_again) == published, same_bytes]
print(json.dumps(found), flush=True)
os._exit(0)
"""
"""What the second pyarrow does; a thread of it ends one process in fifteen with SIGABRT while Python shuts down."""


def test_another_major_version_of_pyarrow_finds_the_same_cells() -> None:
    settings = {**os.environ, "PYTHONPATH": "src"}
    ran = subprocess.run([SECOND, "-c", SCRIPT], cwd=PROJECT, env=settings, capture_output=True, text=True, check=True)
    found = json.loads(ran.stdout)
    assert found.pop("pyarrow").startswith("24.")
    tables = {path.stem for path in (PROJECT / "dist/data").glob("*.csv")}
    assert found == {name: [True, True, False] for name in tables}


def test_the_package_is_indexed_in_a_database_as_the_docs_say(tmp_path: Path) -> None:
    text = (PROJECT / "docs/readers/loading.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```py\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    [code] = [block for block in blocks if ".index(" in block]
    (tmp_path / "dist").symlink_to(PROJECT / "dist")
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True)
    files = sorted(f"dist/data/{path.name}" for path in (PROJECT / "dist/data").glob("*.csv"))
    guessed = ["index", *files, "--database", "sqlite:///guessed.db"]
    subprocess.run([sys.executable, "-m", "frictionless", *guessed], cwd=tmp_path, check=True, capture_output=True)
    for name in ("defectors.db", "guessed.db"):
        with closing(sqlite3.connect(tmp_path / name)) as database:
            tables = [row[0] for row in database.execute("select name from sqlite_master where type = 'table'")]
            rows = {each: database.execute(f"select count(*) from {each}").fetchone()[0] for each in tables}  # noqa: S608
        published = {path.stem: path for path in (PROJECT / "dist/data").glob("*.parquet")}
        assert rows == {each: pq.read_metadata(path).num_rows for each, path in published.items()}
