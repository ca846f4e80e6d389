"""Other people's programs read the exports: dkpro-cassis, lxml with the schema of REFI-QDA, pyreadstat, pyld and R.

They run in an environment of their own (`make build/readers/.ready`), but for R, which is used if it is installed.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from conftest import PROJECT
from defectors_data import interop
from defectors_data.interop.records import COLUMNS, RECORDS
from defectors_data.models.tables import ROWS
from defectors_data.package.tables_reader import Tables

pytestmark = pytest.mark.deep

READERS = PROJECT / "build/readers/bin/python"
DIST = Tables(PROJECT / "dist", [row.TABLE.name for row in ROWS])

CASSIS = """
import json, sys
from pathlib import Path
import cassis
folder, found = Path(sys.argv[1]), {}
types = cassis.load_typesystem((folder / "TypeSystem.xml").read_text(encoding="utf-8"))
def annotations(cas):
    names = ["Mention", "Testimony", "Figure"]
    layers = {name: list(cas.select("webanno.custom." + name)) for name in names}
    columns = {name: [feature.name for feature in cas.typesystem.get_type("webanno.custom." + name).all_features]
               for name in names}
    cells = [[name, {c: str(f[c]) for c in columns[name] if c != "sofa" and f[c] is not None}, f.get_covered_text()]
             for name, fs in layers.items() for f in fs]
    return [cas.sofa_string, sorted(cells, key=str)]
for path in sorted(folder.glob("*.xmi")):
    with path.open("rb") as xmi, path.with_suffix(".json").open("rb") as packed:
        both = cassis.load_cas_from_xmi(xmi, typesystem=types), cassis.load_cas_from_json(packed)
    found[path.stem] = [annotations(cas) for cas in both]
print(json.dumps(found))
"""
REFI_QDA = """
import io, json, sys, zipfile
from pathlib import Path
from lxml import etree
[path] = Path(sys.argv[1]).glob("*.qdpx")
schema = etree.XMLSchema(etree.parse(sys.argv[2]))
with zipfile.ZipFile(path) as packed:
    project = etree.parse(io.BytesIO(packed.read("project.qde")))
schema.validate(project)
print(json.dumps([str(error) for error in schema.error_log]))
"""
STATA = """
import json, sys
from pathlib import Path
import pyreadstat
found = {}
for path in sorted(Path(sys.argv[1]).glob("*.dta")):
    frame, facts = pyreadstat.read_dta(path, apply_value_formats=True)
    dated = [name for name, kind in facts.original_variable_types.items() if kind == "%td"]
    found[path.stem] = [facts.column_names, dated, len(frame),
                        {name: [str(cell) for cell in frame[name]] for name in facts.variable_value_labels}]
print(json.dumps(found))
"""


def ran(code: str, *arguments: object) -> Any:
    """Return what a script for the readers prints, as JSON."""
    command = [str(READERS), "-c", code, *map(str, arguments)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


@pytest.fixture(scope="module")
def exports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exports")
    for name in ("uima-cas", "refi-qda", "stata"):
        interop.export(PROJECT / "dist", name, folder / name, seeds=PROJECT / "seeds")
    return folder


def test_cassis_reads_the_same_annotations_in_both_serialisations(exports: Path) -> None:
    found = ran(CASSIS, exports / "uima-cas")
    assert len(found) == DIST.number("sources")
    for stem, (xmi, packed) in found.items():
        assert xmi == packed
        assert xmi[0] == (PROJECT / f"seeds/{stem}.txt").read_text(encoding="utf-8")
    words = sorted(words for (_, annotations), _ in found.values() for _, _, words in annotations)
    spans = [row for row in DIST.rows("spans") if row["field"] == "evidence" and row["record_table"] in RECORDS]
    assert words == sorted(row["exact"] for row in spans)
    keys = {COLUMNS[table][0].name for table in RECORDS}
    read = {cells[key] for (_, found_), _ in found.values() for _, cells, _ in found_ for key in keys & cells.keys()}
    assert {row[COLUMNS[table][0].name] for table in RECORDS for row in DIST.rows(table)} <= read


def test_the_project_is_valid_by_the_schema_of_refi_qda(exports: Path) -> None:
    assert ran(REFI_QDA, exports / "refi-qda", PROJECT / "tests/vendored/refi-qda-project-1.0.xsd") == []


def test_pyreadstat_reads_the_files_of_stata(exports: Path) -> None:
    found = ran(STATA, exports / "stata")
    assert found.keys() == {row.TABLE.name for row in ROWS}
    for name, (variables, dated, rows, labelled) in found.items():
        assert (len(variables), rows) == (len(DIST.columns(name)), DIST.number(name))
        assert {"published_from", "published_to"} & set(DIST.columns(name)) <= set(dated)
        for variable, cells in labelled.items():
            column = variable.removeprefix("_")
            published = [row[column] for row in DIST.rows(name)]
            assert [cell for cell, there in zip(cells, published, strict=True) if there] == list(
                filter(None, published)
            )


def test_the_example_in_r_prints_what_the_docs_show() -> None:
    if not shutil.which("Rscript"):
        pytest.skip("R is not installed")
    text = (PROJECT / "docs/readers/loading.md").read_text(encoding="utf-8")
    [(code, shown)] = re.findall(r"```r\n(.*?)```\n\n```txt\n(.*?)```", text, re.DOTALL)
    printed = subprocess.run(["Rscript", "-e", code], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    assert [line.rstrip() for line in printed.splitlines()] == shown.splitlines()
