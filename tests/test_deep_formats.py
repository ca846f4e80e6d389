"""The logical hash of a table is the same whichever version of pyarrow reads or writes it."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from conftest import PROJECT

pytestmark = pytest.mark.deep

SECOND = PROJECT / "build/second-pyarrow/bin/python"
SCRIPT = """
import io, json, os
from pathlib import Path
import pyarrow, pyarrow.parquet as pq
from defectors_data.formats import cells, logical_hash
found = {"pyarrow": pyarrow.__version__}
for path in sorted(Path("dist/data").glob("*.parquet")):
    table = pq.read_table(path)
    rewritten = io.BytesIO()
    pq.write_table(table, rewritten)
    read_again = pq.read_table(io.BytesIO(rewritten.getvalue()))
    found[path.stem] = [
        logical_hash(table.column_names, cells(table)),
        logical_hash(read_again.column_names, cells(read_again)),
        rewritten.getvalue() == path.read_bytes(),
    ]
print(json.dumps(found), flush=True)
os._exit(0)
"""
"""What the second pyarrow does; a thread of its ends one process in fifteen with SIGABRT while Python shuts down."""


def test_another_major_version_of_pyarrow_finds_the_same_logical_hashes() -> None:
    settings = {**os.environ, "PYTHONPATH": "src"}
    ran = subprocess.run([SECOND, "-c", SCRIPT], cwd=PROJECT, env=settings, capture_output=True, text=True, check=True)
    found = json.loads(ran.stdout)
    assert found.pop("pyarrow").startswith("24.")
    descriptor = json.loads((PROJECT / "dist/datapackage.json").read_text(encoding="utf-8"))
    published = {r["name"]: r["logicalHash"] for r in descriptor["resources"] if r.get("type") == "table"}
    assert found == {name: [digest, digest, False] for name, digest in published.items()}
