"""A rule, a column or a format that is added as CONTRIBUTING.md says takes effect."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from pydantic import Field, create_model

from conftest import INVENTED, PROJECT, built, checked, documents_of
from defectors_data import pipeline
from defectors_data.corpus import findings
from defectors_data.corpus.findings import Finding, Place
from defectors_data.documents import catalogues
from defectors_data.documents.catalogues import facts
from defectors_data.evidence.annotated_document import Document
from defectors_data.models import annotation, tables
from defectors_data.models.columns import columns
from defectors_data.package import published_folder
from defectors_data.package.cells import FileDigest
from defectors_data.rows import cell_provenance, records
from defectors_data.rules import RULES
from defectors_data.rules.engine import rule
from finding_cases import corpus, lay, sections
from test_documents import written as package_tables

PAGE = (PROJECT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FORMAT = (PROJECT / "docs/developers/adding-a-format.md").read_text(encoding="utf-8")
CODE = "counted-with-full-stop"
OF_A_RULE = ("test_a_fault_is_found_worded_and_counted", "test_a_near_miss_stays_quiet")


def block(language: str, page: str = PAGE) -> str:
    [found] = re.findall(rf"^ *```{language}\n(.*?)^ *```", page, re.MULTILINE | re.DOTALL)
    return dedent(found)


@pytest.fixture
def rule_of_the_page() -> Iterator[None]:
    """Register the rule that the page adds, and remove it afterwards."""
    before = list(RULES)
    names: dict[str, Any] = {"rule": rule, "Document": Document, "Finding": Finding, "Iterator": Iterator}
    names |= {"Figure": annotation.Figure, "Path": findings.Path}
    exec(block("python"), names)  # noqa: S102  # the page's own code
    assert [each.code for each in RULES if each not in before] == [CODE]
    yield
    RULES[:] = before


def described(variant: str, folder: Path) -> Path:
    """Write the corpus of the page's case into a folder."""
    return lay(corpus(sections(block("text")), variant), folder)


@pytest.mark.usefixtures("rule_of_the_page")
def test_a_rule_that_is_added_is_applied_reported_and_counted(tmp_path: Path) -> None:
    assert list(pipeline.sentences())[-1] == CODE
    root = described("fault", tmp_path / "fault")
    ran = checked(root)
    [finding] = ran.findings
    assert (finding.code, finding.message) == (CODE, "These words end with a full stop.")
    typed = (root / finding.place.file).read_text(encoding="utf-8").splitlines()[finding.place.line - 1]
    assert finding.place == Place("annotations/example.yaml", 2, typed.rindex("inns.") + 1)
    [report] = [each for each in ran.rules if each.rule == CODE]
    assert (report.looked_at, report.seen, report.findings) == ("figures", 1, 1)


@pytest.mark.usefixtures("rule_of_the_page")
def test_its_near_miss_is_quiet(tmp_path: Path) -> None:
    assert checked(described("quiet", tmp_path / "quiet")).findings == []


@pytest.mark.usefixtures("rule_of_the_page")
def test_a_rule_that_is_added_changes_no_file_of_the_package(package: Path, tmp_path: Path) -> None:
    assert built(INVENTED, tmp_path / "dist").outcome == "published"
    assert published_folder.contents(tmp_path / "dist") == published_folder.contents(package)


def test_the_added_rule_is_removed_again(tmp_path: Path) -> None:
    assert CODE not in pipeline.sentences()
    assert checked(described("fault", tmp_path / "fault")).findings == []


@pytest.mark.deep
def test_the_printed_steps_add_a_rule(tmp_path: Path) -> None:
    """In a copy of the repository: the function, the case, and the commands of the page, as they are printed."""
    ignored = shutil.ignore_patterns(".git", ".venv", "build", "__pycache__", ".*_cache", ".hypothesis")
    copy = Path(shutil.copytree(PROJECT, tmp_path / "project", ignore=ignored))
    module = copy / "src/defectors_data/rules/figures.py"
    module.write_text(module.read_text(encoding="utf-8") + "\n\n" + block("python"), encoding="utf-8")
    folder = copy / "tests/findings" / CODE
    folder.mkdir()
    for name, content in sections(block("text")).items():
        (folder / name).write_bytes(content)
    commands = PAGE.split("Then run these commands.")[1].split("```console\n")[1].split("```")[0].splitlines()
    for command in commands:
        in_copy(copy, command)
    assert set(re.findall(r"(?m)^\S+ ([a-z-]+):", (folder / "expected.txt").read_text(encoding="utf-8"))) == {CODE}
    assert f"`{CODE}`" in (copy / "docs/annotators/findings.md").read_text(encoding="utf-8")
    # What is tested of the set of all rules; the tests of the other rules ran with the first command.
    of_rule = (f"tests/test_findings.py::{name}[{CODE}]" for name in OF_A_RULE)
    others = "tests/test_codebook.py tests/test_pipeline.py --deselect tests/test_codebook.py::test_an_example_that"
    in_copy(copy, f".venv/bin/python -m pytest -n 0 {' '.join(of_rule)} {others}")


def in_copy(copy: Path, command: str) -> None:
    """Run a command of the page in a copy of the repository, with the installed packages and the code of the copy."""
    installed = Path(sys.executable).parent
    words = command.replace(".venv/bin", str(installed)).split()
    if words[0] == "make":
        words += ["-o", ".venv/.installed", "-o", ".venv/.ready", f"BIN={installed}"]
    environment = os.environ | {"PYTHONPATH": str(copy / "src")}
    ran = subprocess.run(words, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_column_that_is_added_is_published_with_its_provenance(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field(description="Characters of `counted`.", examples=[14])
    model = create_model("FigureRow", __base__=tables.FigureRow, characters=(int, field))
    made_before = records.ROWS_BY_TABLE["figures"]  # the functions that the page names
    monkeypatch.setitem(tables.ROW_OF, "figures", model)
    monkeypatch.setitem(
        records.ROWS_BY_TABLE,
        "figures",
        lambda document: ({**row, "characters": len(row["counted"])} for row in made_before(document)),
    )
    rule_of_column = cell_provenance.ProvenanceRule("computed", function="tables_of", inputs="figures.counted")
    monkeypatch.setitem(cell_provenance.RULES["figures"], "characters", rule_of_column)

    documents = documents_of(copied)
    made = records.tables_of(documents)
    assert made.faults == []
    figures = made.tables["figures"].to_pylist()
    assert [row["characters"] for row in figures] == [len(row["counted"]) for row in figures] != []
    by_column = [table for name, table in records.tables_of_context(documents[0].context) if name == "provenance"]
    [row] = [
        row for row in by_column[0].to_pylist() if (row["table_name"], row["column_name"]) == ("figures", "characters")
    ]
    assert (row["basis"], row["inputs"]) == ("computed", "figures.counted")
    assert [column.description for column in columns(model)][-1] == "Characters of `counted`."


def test_a_format_that_is_added_is_described_with_its_purpose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {"Facts": facts.Facts}
    exec(block("python", FORMAT), names)  # noqa: S102  # the page's own code
    written, finished = package_tables(tmp_path)
    gathered = facts.gather(documents_of(INVENTED)[0].context.dataset.content, written, finished)
    content = names["titles"](gathered)
    assert content.decode().splitlines() == [f"- {row.TABLE.title}" for row in tables.ROWS]

    [purpose] = re.findall(r'^"titles.md": "(.+)",', block("py", FORMAT), re.MULTILINE)
    monkeypatch.setitem(facts.PURPOSES, "titles.md", purpose)
    added = facts.published_file("titles.md", FileDigest.of(content))
    assert (added.purpose, added.media_type, added.size) == ("The titles of the tables.", "text/markdown", len(content))
    crate = json.loads(catalogues.crate(gathered, {"titles.md": FileDigest.of(content)}))
    [entity] = [each for each in crate["@graph"] if each["@id"] == "titles.md"]
    assert (entity["description"], entity["sha256"]) == (purpose, added.sha256)


def test_an_article_is_added_with_the_commands_that_keep_the_pages_true() -> None:
    section = PAGE.split("## Add a format or an article\n")[1].split("\n## ")[0]
    assert "docs/annotators/guide.md" in section
    assert "`make docs`" in section
    guide = (PROJECT / "docs/annotators/guide.md").read_text(encoding="utf-8")
    assert "`defectors-data build`" in guide.split("## 6. Publish\n")[1]


def test_the_page_is_short_and_names_the_contents() -> None:
    assert len(PAGE.splitlines()) <= 118
    for path in re.findall(r"`((?:src|tests)/[\w./]+)`", PAGE + FORMAT):
        assert (PROJECT / path).exists() or CODE in path, path
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in re.findall(r"`?make ([a-z-]+)", PAGE))
