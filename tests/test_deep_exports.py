"""Other people's programs read the exports.

dkpro-cassis, lxml with the schemas of REFI-QDA and TEI, Potato, pyld, label-studio-sdk, brat's own parser, pyreadstat,
datasette, and R. No test edits a file that it gives them.

They run in an environment of their own (`make build/readers/.ready`), but for R, which is used if it is installed.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from conftest import PROJECT
from defectors_data.models.columns import columns, sentence
from defectors_data.models.tables import ROW_OF
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers import exports as export_formats
from defectors_data.readers.exports.exported_records import COLUMNS, RECORDS

pytestmark = pytest.mark.deep

READERS = PROJECT / "build/readers/bin/python"
DIST = PackageTables(PROJECT / "dist", sorted(path.stem for path in (PROJECT / "dist/data").glob("*.parquet")))
TEXTS = {path.stem: path.read_text(encoding="utf-8") for path in sorted((PROJECT / "seeds").glob("*.txt"))}
WORDS = sorted(
    row["exact"] for row in DIST.rows("spans") if row["field"] == "evidence" and row["record_table"] in RECORDS
)
"""The words of every part of every record."""

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
TEI = """
import gzip, json, sys
from pathlib import Path
from lxml import etree
schema = etree.RelaxNG(etree.fromstring(gzip.decompress(Path(sys.argv[2]).read_bytes())))
found = {}
for path in Path(sys.argv[1]).glob("*.xml"):
    read = etree.parse(path)
    schema.validate(read)
    found[path.stem] = [[str(error) for error in schema.error_log], read.findtext(".//{*}body/{*}ab")]
print(json.dumps(found))
"""
W3C = """
import json, sys
from pathlib import Path
import pyld.jsonld as jsonld
anno = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
jsonld.set_document_loader(lambda url, options: {"contextUrl": None, "documentUrl": url, "document": anno})
oa, found = "http://www.w3.org/ns/oa#", {}
def selectors(node):
    for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        yield from selectors(value)
    if isinstance(node, dict) and oa + "hasSelector" in node:
        quote, place = node[oa + "hasSelector"]
        yield [quote[oa + "exact"][0]["@value"], *(place[oa + end][0]["@value"] for end in ("start", "end"))]
for path in Path(sys.argv[1]).glob("*.jsonld"):
    found[path.stem] = list(selectors(jsonld.expand(json.loads(path.read_text(encoding="utf-8")))))
print(json.dumps(found))
"""
BRAT = """
import json, sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
from brat.server.src import annotation
annotation.open_textfile = lambda name, mode="r": open(name, mode.replace("U", ""), encoding="utf-8")  # Python 3.11
found = {}
for path in Path(sys.argv[1]).glob("*.ann"):
    with annotation.TextAnnotations(str(path.with_suffix("")), read_only=True) as read:
        found[path.stem] = [list(read.failed_lines), [each.text for each in read.get_textbounds()]]
print(json.dumps(found))
"""
LABEL_STUDIO = """
import json, sys
from pathlib import Path
from label_studio_sdk.label_interface import LabelInterface
config = (Path(sys.argv[1]) / "config.xml").read_text(encoding="utf-8")
interface, found = LabelInterface(config), {}
for task in json.loads((Path(sys.argv[1]) / "tasks.json").read_text(encoding="utf-8")):
    [annotation] = task["annotations"]
    found[Path(task["data"]["seed_file"]).stem] = [
        interface.validate_annotation(annotation),
        [each["value"]["text"] for each in annotation["result"] if each["type"] == "labels"],
    ]
print(json.dumps(found))
"""
POTATO = """
import json, sys
from pathlib import Path
from potato.importers.text.qdpx_importer import QDPXImporter
[path] = Path(sys.argv[1]).glob("*.qdpx")
found = QDPXImporter().parse_path(path).documents
print(json.dumps([[each.text, [[span.start, span.end] for span in each.spans]] for each in found]))
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
    for name in ("uima-cas", "refi-qda", "stata", "tei", "w3c", "brat", "label-studio", "sqlite"):
        export_formats.export(PROJECT / "dist", name, folder / name, seeds=PROJECT / "seeds")
    return folder


def test_cassis_reads_the_same_annotations_in_both_serialisations(exports: Path) -> None:
    found = ran(CASSIS, exports / "uima-cas")
    assert len(found) == DIST.number("sources")
    for stem, (xmi, packed) in found.items():
        assert xmi == packed
        assert xmi[0] == TEXTS[stem]
    assert sorted(words for (_, annotations), _ in found.values() for _, _, words in annotations) == WORDS
    keys = {COLUMNS[table][0].name for table in RECORDS}
    read = {cells[key] for (_, found_), _ in found.values() for _, cells, _ in found_ for key in keys & cells.keys()}
    assert {row[COLUMNS[table][0].name] for table in RECORDS for row in DIST.rows(table)} <= read


def test_the_project_is_valid_by_the_schema_of_refi_qda(exports: Path) -> None:
    assert ran(REFI_QDA, exports / "refi-qda", PROJECT / "tests/vendored/refi-qda-project-1.0.xsd") == []


def test_potato_reads_the_words_of_every_record(exports: Path) -> None:
    found = ran(POTATO, exports / "refi-qda")
    assert sorted(text for text, _ in found) == sorted(TEXTS.values())
    words = {text[start:end] for text, spans in found for start, end in spans}
    assert words == set(WORDS)


def test_the_documents_are_valid_by_tei_all(exports: Path) -> None:
    found = ran(TEI, exports / "tei", PROJECT / "tests/vendored/tei_all-4.3.0.rng.gz")
    assert found == {stem: [[], text] for stem, text in TEXTS.items()}


def test_pyld_finds_every_selector_with_the_context_of_w3c(exports: Path) -> None:
    found = ran(W3C, exports / "w3c", PROJECT / "tests/vendored/anno.jsonld")
    named = [row["exact"] for row in DIST.rows("spans") if row["field"] == "attribution"]
    assert sorted(words for each in found.values() for words, _, _ in each) == sorted([*WORDS, *named])
    assert all(TEXTS[stem][start:end] == words for stem, each in found.items() for words, start, end in each)


def test_the_parser_of_brat_reads_every_record(exports: Path) -> None:
    found = ran(BRAT, exports / "brat")
    assert [failed for failed, _ in found.values()] == [[]] * len(TEXTS)
    assert sum(len(read) for _, read in found.values()) == sum(map(DIST.number, RECORDS))
    # brat joins parts, and the pieces of a part across lines, by spaces.
    read = " ".join(words for _, each in found.values() for words in each).split()
    assert sorted(read) == sorted(" ".join(WORDS).split())


def test_the_annotations_are_valid_by_the_kit_of_label_studio(exports: Path) -> None:
    found = ran(LABEL_STUDIO, exports / "label-studio")
    assert [is_valid for is_valid, _ in found.values()] == [True] * len(TEXTS)
    assert sorted(words for _, each in found.values() for words in each) == WORDS


def test_datasette_shows_a_table_with_its_description(exports: Path) -> None:
    [database] = (exports / "sqlite").glob("*.db")
    command: list[str | Path] = [
        READERS,
        *"-m datasette --port 0 --metadata".split(),
        database.with_name("metadata.json"),
        database,
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr
        try:
            [address] = next(filter(None, (re.findall(r"http://127\.0\.0\.1:\d+", line) for line in server.stderr)))
            for name in ("testimonies", "figures_described"):
                with urlopen(f"{address}/{database.stem}/{name}.json?_shape=array&_size=max") as answer:  # noqa: S310
                    assert len(json.load(answer)) == DIST.number(name.partition("_")[0])
            with urlopen(f"{address}/{database.stem}/testimonies") as answer:  # noqa: S310  # this machine
                page = unescape(answer.read().decode())
        finally:
            server.terminate()
    row = ROW_OF["testimonies"]
    assert all(said in page for said in (sentence(row), *(column.description for column in columns(row))))


def test_pyreadstat_reads_the_files_of_stata(exports: Path) -> None:
    found = ran(STATA, exports / "stata")
    assert found.keys() == set(DIST.names)
    for name, (variables, dated, rows, labelled) in found.items():
        assert (len(variables), rows) == (len(DIST.schema(name).names), DIST.number(name))
        assert {"published_from", "published_to"} & set(DIST.schema(name).names) <= set(dated)
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
