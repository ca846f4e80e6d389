"""A workbook and files of Stata have the published cells with their types; Hypothesis gets articles with addresses."""

from __future__ import annotations

import io
import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pandas as pd
import pytest
from pandas.api.typing import StataReader

from calling import run
from conftest import INVENTED, edit
from defectors_data.models.columns import columns
from defectors_data.models.tables import ROW_OF, ROWS
from defectors_data.package import published_folder
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers import exports
from defectors_data.readers.article_copies import ExportError
from defectors_data.readers.exports import hypothesis
from defectors_data.readers.exports.exported_records import (
    ExportedArticle,
    ExportedCorpus,
    ExportedPart,
    ExportedRecord,
)
from defectors_data.readers.exports.tables import stata, xlsx


@pytest.fixture(scope="module")
def tables(package: Path) -> PackageTables:
    names = [row.TABLE.name for row in ROWS if (package / f"data/{row.TABLE.name}.parquet").exists()]
    return PackageTables(package, names)


@pytest.fixture(scope="module")
def corpus(tables: PackageTables) -> ExportedCorpus:
    return ExportedCorpus("invented", "Invented", "1.0.0", {}, {}, [], tables)


class _Rows(PackageTables):
    """Tables of which `measures` has other rows."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        super().__init__(Path(), ("measures",))
        self.given = [dict.fromkeys(column.name for column in columns(self.model)) | row for row in rows]

    model = ROW_OF["measures"]

    def rows(self, *_: Any) -> Iterator[dict[str, Any]]:
        return iter(self.given)

    def number(self, _name: str) -> int:
        return len(self.given)

    def column_names(self, _name: str) -> list[str]:
        return list(self.given[0])


def book(corpus: ExportedCorpus) -> openpyxl.Workbook:
    [(_, data)] = xlsx.files(corpus)
    return openpyxl.load_workbook(io.BytesIO(data))


# ---- a workbook ------------------------------------------------------------------------------------------------------


def test_a_workbook_has_the_published_cells_with_their_types(tables: PackageTables, corpus: ExportedCorpus) -> None:
    read = book(corpus)
    assert read.sheetnames == ["contents", "columns", *tables.names]
    listed = [row[:2] for row in read["contents"].iter_rows(min_row=2, values_only=True)]
    assert listed == [(name, tables.number(name)) for name in tables.names]
    assert read["testimonies"].auto_filter.ref.startswith("A1:")
    widths = [read["testimonies"].column_dimensions[letter].width for letter in "AB"]
    assert all(8 <= width <= 60 for width in widths)
    assert read["columns"].max_row == 1 + sum(len(tables.column_names(name)) for name in tables.names)
    for name in tables.names:
        header, *rows = read[name].iter_rows(values_only=True)
        assert list(header) == tables.schema(name).names
        found = [[cell.date() if isinstance(cell, datetime) else cell for cell in row] for row in rows]
        assert found == [list(row.values()) for row in tables.rows(name)]
        kinds = {cell.data_type for row in read[name].iter_rows() for cell in row}
        assert kinds <= {"s", "n", "b", "d"}


@pytest.mark.parametrize("words", ["=1+1", "+1", "-1", "@SUM(1)", "#N/A", '=HYPERLINK("x")', "'quoted", "1"])
def test_words_that_begin_like_a_formula_are_a_string(words: str) -> None:
    made = ExportedCorpus("a", "A", "1", {}, {}, [], _Rows([{"measure": words}]))
    cell = book(made)["measures"]["A2"]
    assert (cell.value, cell.data_type) == (words, "s")


def test_characters_that_xml_or_spreadsheets_forbid_are_escaped_or_refused() -> None:
    def made(words: object) -> ExportedCorpus:
        return ExportedCorpus("a", "A", "1", {}, {}, [], _Rows([{"measure": words}]))

    assert book(made("a\x0bb\r_x000B_"))["measures"]["A2"].value == "a_x000B_b_x000D__x005F_x000B_"
    assert book(made(date(1899, 12, 31)))["measures"]["A2"].value == "1899-12-31"
    with pytest.raises(ExportError, match="more characters"):
        list(xlsx.files(made("a" * 32_768)))


def test_a_workbook_needs_openpyxl_and_says_how_to_install_it(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    ran = run("export", "xlsx", "--package", package, "--out", tmp_path / "out", where=tmp_path)
    assert (ran.returncode, published_folder.exists(tmp_path / "out")) == (1, False)
    assert "with the extra `export`" in ran.stderr


# ---- Stata -----------------------------------------------------------------------------------------------------------


def test_files_of_stata_have_the_published_cells_with_their_labels(
    tables: PackageTables, corpus: ExportedCorpus
) -> None:
    files = dict(stata.files(corpus))
    listed = pd.read_csv(io.BytesIO(files["variables.csv"]))
    for name in tables.names:
        row, named = ROW_OF[name], listed[listed["table"] == name]
        with StataReader(io.BytesIO(files[f"{name}.dta"])) as reader:
            labels, frame = reader.variable_labels(), reader.read()  # type: ignore[attr-defined]  # the stubs lack it
        assert list(labels) == list(named["variable"])
        for (variable, label), description in zip(labels.items(), named["description"], strict=True):
            assert len(variable) <= 32
            assert description.startswith(label.removesuffix("…"))
        for variable, column in zip(labels, columns(row, tables.column_names(name)), strict=True):
            published = [each[column.name] for each in tables.rows(name)]
            if column.type is str:
                published = [cell or "" for cell in published]
                found: list[Any] = ["" if pd.isna(cell) else str(cell) for cell in frame[variable]]
            else:
                found = [None if pd.isna(cell) else cell for cell in frame[variable]]
                found = [cell.date() if isinstance(cell, datetime) else cell for cell in found]
            assert found == published, (name, variable)


def test_names_of_variables_are_short_and_not_reserved() -> None:
    assert stata.variable_names(["end", "start"]) == ["_end", "start"]
    assert max(len(f"_{column.name}") for row in ROWS for column in columns(row)) <= stata.LONGEST_NAME


def test_long_words_and_dates_of_stata() -> None:
    made = ExportedCorpus("a", "A", "1", {}, {}, [], _Rows([{"measure": "é" * 5_000}]))
    files = dict(stata.files(made))
    assert list(pd.read_stata(io.BytesIO(files["measures.dta"]))["measure"]) == ["é" * 5_000]


# ---- Hypothesis ------------------------------------------------------------------------------------------------------


def test_hypothesis_gets_the_records_of_articles_with_an_address(corpus: ExportedCorpus) -> None:
    record = ExportedRecord(
        "testimonies",
        (ExportedPart(0, 2, 0, 2, "We", None, " had"), ExportedPart(3, 6, 3, 6, "had", "We ", None)),
        {"testimony_id": "900-t1", "themes": "hunger_pay;again", "mode": "direct"},
    )
    cells = {"source_id": "900", "title": "A title", "url": "https://example.org/a"}
    without = ExportedArticle({"source_id": "901"}, "", (record,))
    given = corpus._replace(articles=[ExportedArticle(cells, "", (record,)), without])
    [(_, data)] = hypothesis.files(given)
    [made] = json.loads(data)["annotations"]
    assert made["uri"] == "https://example.org/a"
    assert made["document"] == {"title": ["A title"]}
    assert made["tags"] == ["invented", "theme/hunger_pay", "theme/again"]
    assert json.loads(made["text"]) == {"testimony_id": "900-t1", "mode": "direct"}
    assert [target["source"] for target in made["target"]] == ["https://example.org/a"] * 2
    assert made["target"][0]["selector"][0] == {"type": "TextQuoteSelector", "exact": "We", "suffix": " had"}


def test_a_corpus_without_addresses_has_nothing_for_hypothesis(copied: Path, tmp_path: Path) -> None:
    edit(copied, "annotations/901_second.yaml", ', address: "https://example.org/harbour"', "")
    out, package = tmp_path / "out", tmp_path / "package"
    assert run("build", "--out", package, where=copied).returncode == 0
    ran = run("export", "hypothesis", "--package", package, "--out", out, where=tmp_path)
    assert (ran.returncode, ran.stdout.splitlines()[1:]) == (0, [hypothesis.NOTHING])
    assert json.loads((out / "annotations.json").read_text()) == {"annotations": [], "note": hypothesis.NOTHING}
    assert exports.export(package, "brat", out, seeds=INVENTED / "seeds") == "published"


def test_no_column_needs_quotation_marks_in_sql() -> None:
    with closing(sqlite3.connect(":memory:")) as database, duckdb.connect() as other:
        for row in ROWS:
            names = ", ".join(f"{name} INTEGER" for name in row.model_fields)
            selected = ", ".join(row.model_fields)
            for each in (database, other):
                each.execute(f"CREATE TABLE {row.TABLE.name} ({names})")
                each.execute(f"SELECT {selected} FROM {row.TABLE.name}")  # noqa: S608  # our names


def test_testimonies_about_endangered_relatives_can_be_left_out_with_all_that_rests_on_them(
    package: Path, tmp_path: Path
) -> None:
    for name, given in (("all", ()), ("fewer", ("--without-relatives",))):
        ran = run("export", "sqlite", "--package", package, "--out", tmp_path / name, *given)
        assert ran.returncode == 0, ran.stderr
    counts = []
    for name in ("all", "fewer"):
        [path] = (tmp_path / name).glob("*.db")
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []
            [tables] = database.execute("SELECT group_concat(name) FROM sqlite_schema WHERE type = 'table'")
            found = {}
            for table in tables[0].split(","):
                found[table] = database.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608  # our names
            cells = [str(cell) for rows in found.values() for row in rows for cell in row]
            assert any("example-t5" in cell for cell in cells) == (name == "all")
            counts.append({table: len(rows) for table, rows in found.items()})
    everything, fewer = counts
    assert everything["testimonies"] - fewer["testimonies"] == 1
    # The pull quote repeats its words; the person has another testimony, and a mention of relatives stays.
    assert everything["persons"] == fewer["persons"]
    assert everything["ledger"] - fewer["ledger"] == 3  # two pieces of the quotation and the repetition
    assert everything["figures"] == fewer["figures"]


def test_relatives_are_not_left_out_of_formats_with_the_articles(package: Path, tmp_path: Path) -> None:
    given = ("--package", package, "--out", tmp_path / "out", "--seeds", INVENTED / "seeds", "--without-relatives")
    ran = run("export", "tei", *given)
    assert (ran.returncode, ran.stderr) == (
        2,
        "The format tei restores whole articles, and so leaves out nothing of relatives.\n",
    )
