"""Other people's programs find the same changed keys as `diff`, and read the citations; offline.

They run in an environment of their own (`make build/readers/.ready`).
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any, Literal

import pytest

from conftest import PROJECT, spread
from defectors_data.publishers import changes
from defectors_data.readers import dataset
from test_diff import BATCHES, COUNTED, KEYS
from test_diff import package as package_with

pytestmark = pytest.mark.deep

READERS = PROJECT / "build/readers/bin/python"
KEYS_THAT_CHANGED = """
import csv, io, json, sys
import csv_diff, daff, datacompy, pandas

def by_csv_diff(old, new, key):
    found = csv_diff.compare(*(csv_diff.load_csv(io.StringIO(each.to_csv(index=False)), key) for each in (old, new)))
    return {row[key] for kind in ("added", "removed") for row in found[kind]} | {row["key"] for row in found["changed"]}

def by_datacompy(old, new, key):
    found = datacompy.PandasCompare(old, new, join_columns=[key])
    both = found.intersect_rows
    equal = both[[name for name in both if name.endswith("_match")]].all(axis=1)
    return {*found.df1_unq_rows[key], *found.df2_unq_rows[key], *both[~equal][key]}

def by_daff(old, new, key):
    flags = daff.CompareFlags()
    flags.addPrimaryKey(key)
    flags.ordered = False
    flags.unchanged_context = 0
    views = [daff.PythonTableView([list(each), *each.values.tolist()]) for each in (old, new)]
    result = []
    daff.TableDiff(daff.Coopy.compareTables(*views, flags).align(), flags).hilite(daff.PythonTableView(result))
    rows = [row for row in result if row[0] not in ("!", "...")]
    at = rows[0].index(key)
    return {row[at] for row in rows[1:] if row[0]}

answer = {}
counted, keys, old, new = json.loads(sys.argv[1])
for name, key in keys.items():
    tables = [pandas.read_csv(f"{folder}/data/{name}.csv", dtype=str, keep_default_na=False) for folder in (old, new)]
    tables = [table.drop(columns=[each for each in counted if each in table]) for table in tables]
    for tool in (by_csv_diff, by_datacompy, by_daff):
        answer.setdefault(tool.__name__, {})[name] = [] if tables[0].equals(tables[1]) else sorted(tool(*tables, key))
print(json.dumps(answer))
"""
CITATIONS = """
import json, sys
import bibtexparser, rispy
bibtex, ris = json.loads(sys.argv[1])
library = bibtexparser.parse_string(bibtex)
[entry] = library.entries
[reference] = rispy.loads(ris)
failed = [str(block) for block in library.failed_blocks]
print(json.dumps([failed, {field.key: field.value for field in entry.fields}, reference], default=str))
"""


def read_by(script: str, *arguments: Any) -> Any:
    ran = subprocess.run(
        [READERS, "-c", script, json.dumps(arguments)], capture_output=True, text=True, check=False, timeout=600
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, changes.PublishedPackage]:
    folder = tmp_path_factory.mktemp("before")
    return folder / "made", package_with(folder)


@pytest.mark.parametrize("batch", spread(BATCHES, 4))
def test_three_other_programs_find_the_same_keys(
    batch: str, before: tuple[Path, changes.PublishedPackage], tmp_path: Path
) -> None:
    new = package_with(tmp_path, BATCHES[batch]["edits"])
    folders = [before[0], tmp_path / "made"]
    keys = {name: key for name, key in KEYS.items() if all((each / f"data/{name}.csv").exists() for each in folders)}
    found = read_by(KEYS_THAT_CHANGED, COUNTED, keys, *map(str, folders))
    assert found["by_csv_diff"] == found["by_datacompy"] == found["by_daff"]
    compared = changes.compare(before[1], new)
    ours = dict.fromkeys(keys, 0)
    for change in compared.changes:
        ours[change.table] += change.id in found["by_csv_diff"][change.table]
        for derived in change.derived:
            ours[derived.table] += derived.rows
    assert ours == {table: len(keys) for table, keys in found["by_csv_diff"].items()}
    causes = {(change.table, change.id) for change in compared.changes if change.cells}
    assert all(name in found["by_csv_diff"][table] for table, name in causes)


@pytest.mark.parametrize("record", [None, "testimonies/example-t5", "figures/example-f1", "speakers/mira-fenn"])
def test_citations_are_read_by_reference_managers(record: str | None, package: Path) -> None:
    written = {form: dataset.cited(package, record, form) for form in ("bibtex", "ris", "csl")}
    failed, bibtex, ris = read_by(CITATIONS, written["bibtex"], written["ris"])
    [csl] = json.loads(written["csl"])
    assert failed == []
    assert ris["type_of_reference"] == "DATA"
    assert csl["type"] == "dataset"
    assert bibtex["title"].strip("{}") == ris["title"] == csl["title"]
    assert bibtex["year"].strip("{}") == ris["year"][:4] == str(csl["issued"]["date-parts"][0][0])
    if record:
        name = record.partition("/")[2]
        assert all(f"{name}@1.2.3:sha256:" in note for note in (bibtex["note"], str(ris["notes"]), csl["note"]))


@pytest.mark.skipif(not shutil.which("pandoc"), reason="pandoc is not installed")
@pytest.mark.parametrize("form", ["bibtex", "ris", "csl"])
def test_pandoc_reads_the_citation_of_a_record(form: Literal["bibtex", "ris", "csl"], package: Path) -> None:
    written = dataset.cited(package, "testimonies/example-t5", form)
    command = ["pandoc", "--from", {"csl": "csljson"}.get(form, form), "--to", "csljson"]
    known = subprocess.run(
        ["pandoc", "--list-input-formats"], capture_output=True, text=True, check=True
    ).stdout.split()
    if command[2] not in known:
        pytest.skip(f"this pandoc does not read {command[2]}")
    ran = subprocess.run(command, input=written, capture_output=True, text=True, check=True)
    [found] = json.loads(ran.stdout)
    [item] = json.loads(dataset.cited(package, "testimonies/example-t5", "csl"))
    assert found["title"] == item["title"]
