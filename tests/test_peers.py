"""Other tools that are measured do the work that is said of them, on invented articles: `make test-peers`."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

import floor
import generator
import running
from conftest import INVENTED
from defectors_data import interop

pytestmark = pytest.mark.peers

SAME = ("sources", "mentions", "testimonies", "testimony_themes", "figures")
"""Tables that have a row for the same things here and there."""


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an invented corpus, and what we make of it."""
    folder = tmp_path_factory.mktemp("peers")
    generator.generate(folder / "corpus", 200)
    generator.generate(folder / "small", 200, small=True)
    command = [*running.OURS, "build", "--root", str(folder / "small"), "--out", str(folder / "result")]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def peer(name: str, of: Path, out: Path) -> subprocess.CompletedProcess[str]:
    out.mkdir()
    command = [str(running.PEERS / "python"), str(running.HERE / "peers.py"), name, str(of), str(out)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def broken(work: Path, to: Path) -> Path:
    """Copy the result, and let a figure be of a testimony that is not there."""
    shutil.copytree(work / "result", to)
    path = to / "data" / "figures.parquet"
    figures = pd.read_parquet(path)
    figures.loc[figures["testimony_id"].notna(), "testimony_id"] = "nowhere"
    figures.to_parquet(path)
    return to


def rows(folder: Path, tables: tuple[str, ...]) -> dict[str, int]:
    return {table: pq.read_table(folder / f"{table}.parquet").num_rows for table in tables}


def test_duckdb_writes_a_row_for_the_same_things(work: Path, tmp_path: Path) -> None:
    assert peer("duckdb", work / "corpus", tmp_path / "out").returncode == 0
    assert rows(tmp_path / "out", SAME) == rows(work / "result" / "data", SAME)
    assert {path.stem for path in (tmp_path / "out").glob("*.csv")} == {*SAME, "speakers"}


def test_datasets_writes_what_it_read(work: Path, tmp_path: Path) -> None:
    assert peer("datasets", work / "result", tmp_path / "out").returncode == 0
    for table in (*SAME, "speakers"):
        ours = pq.read_table(work / "result" / "data" / f"{table}.parquet").to_pylist()
        assert pq.read_table(tmp_path / "out" / f"{table}.parquet").to_pylist() == ours


def test_pandera_finds_what_is_wrong_and_nothing_else(work: Path, tmp_path: Path) -> None:
    assert peer("pandera", work / "result", tmp_path / "out").returncode == 0
    told = peer("pandera", broken(work, tmp_path / "broken"), tmp_path / "again")
    assert told.returncode != 0
    assert "nowhere" in told.stderr


def test_cldf_finds_what_is_wrong_and_nothing_else(work: Path, tmp_path: Path) -> None:
    for of, out, found in ((work / "result", "good", False), (broken(work, tmp_path / "broken"), "bad", True)):
        assert peer("cldf-prepared", of, tmp_path / out).returncode == 0
        command = [str(running.PEERS / "cldf"), "validate", str(tmp_path / out / "Generic-metadata.json")]
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ("nowhere" in told.stdout + told.stderr) == found
        assert bool(told.returncode) == found


def test_cassis_writes_a_file_for_each_text(work: Path, tmp_path: Path) -> None:
    assert peer("cassis", work / "corpus", tmp_path / "out").returncode == 0
    assert len(list((tmp_path / "out").glob("*.json"))) == 20


CASSIS = """
import sys, cassis
types = cassis.load_typesystem(open(f"{sys.argv[1]}/TypeSystem.xml", "rb"))
cas = cassis.load_cas_from_xmi(open(f"{sys.argv[1]}/900_example.xmi", "rb"), typesystem=types)
found = cas.select("webanno.custom.Testimony")
print(*(f"{each.testimony_id}.evidence.{each.part}|{each.get_covered_text()}" for each in found), sep="\\n")
"""


def test_cassis_reads_an_export(package: Path, tmp_path: Path) -> None:
    interop.export(package, "uima-cas", tmp_path / "out", seeds=INVENTED / "seeds")
    command = [str(running.PEERS / "python"), "-c", CASSIS, str(tmp_path / "out")]
    read = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    spans = pq.read_table(package / "data/spans.parquet").to_pylist()
    of_testimonies = [row for row in spans if row["record_table"] == "testimonies" and row["field"] == "evidence"]
    published = [f"{row['span_id']}|{row['exact']}" for row in of_testimonies if row["source_id"] == "example"]
    assert sorted(read) == sorted(published)


def test_the_floor_runs_without_pandas(work: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-X", "importtime", str(floor.__file__), str(work / "corpus"), str(tmp_path)]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "pyarrow.parquet" in told.stderr
    assert "pandas.core" not in told.stderr
