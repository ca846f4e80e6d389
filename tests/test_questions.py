"""Ten questions are answered by code that runs, shows what it prints today, and needs no particular record."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import notebook
from conftest import PROJECT
from defectors_data.build import build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.models.closed_vocabularies import MEANINGS
from takedowns import take_out

PAGE = PROJECT / notebook.QUESTIONS
TEXT = PAGE.read_text(encoding="utf-8")
QUESTIONS = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
PERSONS = pq.read_table(notebook.DIST / "data/persons.parquet").to_pylist()


def test_the_page_and_its_notebook_show_what_the_code_prints() -> None:
    assert notebook.executed(TEXT) == TEXT
    assert notebook.JUPYTER.read_text(encoding="utf-8") == notebook.jupyter(TEXT)


def test_ten_questions_have_at_most_six_lines_of_code_and_an_output() -> None:
    assert len(QUESTIONS) == 10
    for question in QUESTIONS:
        [(code, output)] = notebook.BLOCK.findall(question)
        assert len(code.splitlines()) <= 6
        assert output


def test_the_notebook_has_each_cell_once_and_no_code_in_its_text() -> None:
    cells = json.loads(notebook.jupyter(TEXT))["cells"]
    text = [cell["source"] for cell in cells if cell["cell_type"] == "markdown"]
    code = [cell["source"] for cell in cells if cell["cell_type"] == "code"]
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert len(code) == len(QUESTIONS) + 1
    assert "```" not in "\n".join(text)


def test_the_answers_name_who_describes_the_hotels_and_every_status_of_an_act() -> None:
    hotels, acts = QUESTIONS[5], QUESTIONS[6]
    others = re.findall(r"^ *\S+-t\d+ +\S+ +(\S+) +(?:direct|indirect)$", hotels, re.MULTILINE)
    assert others == ["government_colombia"]
    assert "Writers describe the hotels here, and officials once" in hotels
    assert [status for status in MEANINGS["ActStatus"] if status not in acts] == []


def test_the_page_names_no_person() -> None:
    words = set(re.findall(r"\w+", TEXT.casefold()))
    names = [str(person["name"]) for person in PERSONS if person["name"]]
    surnames = {name.casefold().split()[-1] for name in names}
    # A government is printed under the name of its head.
    assert surnames & words <= {"maduro"}


def copy_of_package(folder: Path, *, without: str = "", empty: str = "") -> Path:
    """Copy the tables of the package without the rows that belong to a source, or with a table without rows."""
    (folder / "data").mkdir(parents=True)
    for path in (notebook.DIST / "data").glob("*.parquet"):
        table = pq.read_table(path)
        kept = [not (without and belongs(row, without)) for row in table.to_pylist()]
        table = table.slice(0, 0) if path.stem == empty else table.filter(kept)
        pq.write_table(table, folder / "data" / path.name)
    return folder


def belongs(row: dict[str, object], source: str) -> bool:
    """Return whether a row is of a source, or a pair with a record of it."""
    pair = [row.get(column) for column in ("figure_a", "figure_b", "first", "second")]
    return row.get("source_id") == source or any(str(record).startswith(f"{source}-") for record in pair)


SOURCES = pq.read_table(notebook.DIST / "data/sources.parquet")["source_id"].to_pylist()


@pytest.mark.parametrize("source", SOURCES)
def test_the_questions_are_answered_without_any_one_source(source: str, tmp_path: Path) -> None:
    answered = notebook.executed(TEXT, copy_of_package(tmp_path / "dist", without=source))
    assert f"{source}-" not in answered
    assert answered != TEXT


RELYING = ("acts", "comparisons", "figures", "motives", "statement_relations")
"""The tables that the page reads and no other table refers to."""


@pytest.mark.parametrize("name", RELYING)
def test_the_code_runs_if_a_table_is_empty(name: str, tmp_path: Path) -> None:
    answered = notebook.executed(TEXT, copy_of_package(tmp_path / "dist", empty=name))
    assert answered != TEXT


@pytest.mark.deep
def test_the_questions_are_answered_after_a_takedown(tmp_path: Path) -> None:
    person = next(str(person["person_id"]) for person in PERSONS if person["push"])
    for folder in ("annotations", "seeds"):
        shutil.copytree(PROJECT / folder, tmp_path / folder)
    shutil.copy(PROJECT / "dataset.yaml", tmp_path)
    assert take_out(tmp_path, person).findings == []
    built = build(CorpusReader(FileTree(tmp_path)), tmp_path / "dist")
    assert built.outcome == "published", built.checked.findings
    answered = notebook.executed(TEXT, tmp_path / "dist")
    assert answered != TEXT
