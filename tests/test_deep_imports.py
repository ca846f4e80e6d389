"""What other people's programs load and save again is imported as it was exported."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from calling import run
from conftest import INVENTED, PROJECT, documents_of
from defectors_data.package.published_folder import zipped
from defectors_data.readers import exports
from export_readers import qda_files

pytestmark = pytest.mark.deep

READERS = PROJECT / "build/readers/bin/python"
"""The environment that `make environments` installs."""

PROGRAMS = {
    "uima-cas": """
import sys
from pathlib import Path
from cassis import load_cas_from_json, load_cas_from_xmi, load_typesystem
folder, out = map(Path, sys.argv[1:])
with (folder / "TypeSystem.xml").open("rb") as file:
    types = load_typesystem(file)
for path in folder.glob("*.xmi"):
    with path.open("rb") as file:
        cas = load_cas_from_xmi(file, typesystem=types)
    assert len(cas.select("webanno.custom.Testimony"))
    cas.to_xmi(out / path.name, pretty_print=True)
    with path.with_suffix(".json").open("rb") as file:
        (out / "json").mkdir(exist_ok=True)
        load_cas_from_json(file).to_json(out / "json" / path.with_suffix(".json").name)
""",
    "label-studio": """
import json, sys
from pathlib import Path
from label_studio_sdk.label_interface import LabelInterface
folder, out = map(Path, sys.argv[1:])
interface = LabelInterface((folder / "config.xml").read_text(encoding="utf-8"))
tasks = json.loads((folder / "tasks.json").read_text(encoding="utf-8"))
for number, task in enumerate(tasks, start=1):
    for annotation in task["annotations"]:
        assert interface.validate_annotation(annotation)
        annotation |= {"id": number, "was_cancelled": False, "completed_by": 1}
    task |= {"id": number, "project": 1, "predictions": []}
(out / "tasks.json").write_text(json.dumps(tasks), encoding="utf-8")
""",
    "w3c": """
import json, sys
from pathlib import Path
import pyld.jsonld as jsonld
folder, out, context = map(Path, sys.argv[1:])
anno = json.loads(context.read_text(encoding="utf-8"))
jsonld.set_document_loader(lambda url, options: {"contextUrl": None, "documentUrl": url, "document": anno})
for path in folder.glob("*.jsonld"):
    expanded = jsonld.expand(json.loads(path.read_text(encoding="utf-8")))
    compact = jsonld.compact(expanded, "http://www.w3.org/ns/anno.jsonld")
    (out / path.name).write_text(json.dumps(compact), encoding="utf-8")
""",
    "brat": """
import sys, warnings
from pathlib import Path
warnings.simplefilter("ignore")
from brat.server.src import annotation
folder, out = map(Path, sys.argv[1:])
annotation.open_textfile = lambda name, mode="r": open(name, mode.replace("U", ""), encoding="utf-8")  # Python 3.11
for path in folder.glob("*.ann"):
    with annotation.TextAnnotations(str(path.with_suffix("")), read_only=True) as read:
        assert not list(read.failed_lines)
        (out / path.name).write_text(str(read), encoding="utf-8")
    (out / f"{path.stem}.txt").write_bytes(path.with_suffix(".txt").read_bytes())
""",
}
"""Load an export with a program of others, and save it: arguments are the export and the folder to save to."""


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_values_saved_by_another_program_are_unchanged(package: Path, copied: Path, tmp_path: Path, name: str) -> None:
    exported, saved = tmp_path / "exported", tmp_path / "saved"
    exports.export(package, name, exported, seeds=INVENTED / "seeds")
    saved.mkdir()
    more = [PROJECT / "tests/vendored/anno.jsonld"] if name == "w3c" else []
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    subprocess.run([READERS, "-c", PROGRAMS[name], exported, saved, *more], env=environment, check=True, timeout=600)
    for folder in (saved, *(each for each in saved.iterdir() if each.is_dir())):
        ran = run("import", name, folder, where=copied)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert unchanged(ran.stdout) == records()


def unchanged(summary: str) -> list[int]:
    """Return how many records of each article are unchanged; no record is anything else."""
    return sorted(int(number) for number in re.findall(r": (\d+) unchanged, 0 new, 0 changed, 0 not", summary))


def records() -> list[int]:
    """Return how many records each invented article has."""
    documents = documents_of(INVENTED)
    return sorted(len(one.mentions) + len(one.testimonies) + len(one.figures) for one in documents)


def test_a_project_with_a_selection_for_each_code_is_unchanged(package: Path, copied: Path, tmp_path: Path) -> None:
    """QualCoder saves each coding as a selection with another guid, and keeps descriptions."""
    files = qda_files(package, tmp_path / "out")
    root = ET.fromstring(files.pop("project.qde"))  # noqa: S314  # written here
    space = "{urn:QDA-XML:project:1.0}"
    for source in root.iter(f"{space}TextSource"):
        for selection in list(source.iter(f"{space}PlainTextSelection")):
            source.remove(selection)
            for number, coding in enumerate(selection.findall(f"{space}Coding")):
                place = {key: selection.attrib[key] for key in ("startPosition", "endPosition")}
                guid = f"{selection.attrib['guid']}-{number}"
                one = ET.SubElement(source, f"{space}PlainTextSelection", {"guid": guid, "name": "words", **place})
                one.extend([*selection.findall(f"{space}Description"), coding])
    saved = {name.replace("Sources/", "sources/"): data for name, data in files.items()}
    (tmp_path / "saved.qdpx").write_bytes(zipped({**saved, "project.qde": ET.tostring(root)}))
    ran = run("import", "refi-qda", tmp_path / "saved.qdpx", where=copied)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert unchanged(ran.stdout) == records()
