"""Documents for people are made from the finished tables, whatever is left out and however many sources there are."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import INVENTED, documents_of
from defectors_data import documents
from defectors_data.documents import page, readme
from defectors_data.evidence import comparisons
from defectors_data.models.tables import ROW_OF, ROWS
from defectors_data.package import cells, descriptor, filesystem, published_folder, tables_reader
from defectors_data.package.tables_reader import PackageTables
from defectors_data.package.tables_writer import TableWriter, WrittenTable, arrow_schema
from defectors_data.rows import disclosure_check, records
from defectors_data.rows.cell_provenance import without_words
from defectors_data.rows.persons import persons_table

CONTEXT = documents_of(INVENTED)[0].context


def written(folder: Path, left_out: Collection[str] = ()) -> tuple[PackageTables, dict[str, WrittenTable]]:
    """Write the tables of the invented corpus, one document after the other."""
    (folder / "data").mkdir(parents=True)
    names = [row.TABLE.name for row in ROWS if row.TABLE.name not in left_out]
    schemas = {name: arrow_schema(ROW_OF[name]) for name in names}
    writers = {name: TableWriter(name, schemas[name], lambda path: filesystem.NewFile(folder / path)) for name in names}
    everything, used = documents_of(INVENTED), Counter[tuple[str, str]]()
    persons = list[pa.Table]()
    for name, table in records.tables_of_context(CONTEXT, left_out):
        writers[name].take(table)
    for document in everything:
        batch = records.tables_of([document], left_out)
        used += batch.used
        persons.append(batch.tables.pop("persons"))
        for name, table in batch.tables.items():
            writers[name].take(table)
    writers["persons"].take(persons_table(CONTEXT, persons))
    figures = [figure for document in everything for figure in comparisons.compared_figures(document)]
    ties, pairs = map(comparisons.source_ties, everything), comparisons.figure_pairs(figures, CONTEXT)
    last = records.tables_across(CONTEXT, used, figures, ties, None if "comparisons" in left_out else pairs)
    for name, table in last.items():
        writers[name].take(table)
    return PackageTables(folder, names), {name: writer.close() for name, writer in writers.items()}


def made(folder: Path, left_out: Collection[str] = ()) -> dict[str, bytes]:
    """Write a whole package, and return the files that are no tables."""
    tables, finished = written(folder, left_out)
    files = documents.documents_for_people(CONTEXT, tables, finished)
    for path, content in files.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(content)
    return files


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> PackageTables:
    return written(tmp_path_factory.mktemp("tables") / "package")[0]


def descriptor_in(files: dict[str, bytes]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(files[published_folder.DESCRIPTOR])
    return found


LEFT_OUT = [
    (),
    *(pytest.param((name,), marks=pytest.mark.deep) for name in ("ledger", "provenance")),
    pytest.param(("ledger", "provenance"), marks=pytest.mark.deep),
    pytest.param(("comparisons",), marks=pytest.mark.deep),
    ("comparisons", "ledger", "provenance"),
]


@pytest.mark.parametrize("left_out", LEFT_OUT, ids=",".join)
def test_a_package_is_valid_without_optional_tables(tmp_path: Path, left_out: tuple[str, ...]) -> None:
    files = made(tmp_path / "package", left_out)
    descriptor.inspect(tmp_path / "package")
    resources = descriptor_in(files)["resources"]
    there = {
        path.relative_to(tmp_path / "package").as_posix()
        for path in (tmp_path / "package").rglob("*")
        if path.is_file()
    }
    assert {resource["path"] for resource in resources} == there - {published_folder.DESCRIPTOR}
    said = files["README.md"].decode()
    assert all(f"`{name}`" in said.partition("| table |")[0] for name in left_out)
    assert [name for name in left_out if f"| `{name}` |" in said] == []
    assert [name for name in left_out if f"left out the table `{name}`" in files["datasheet.md"].decode()] == []
    assert descriptor_in(files)["description"].endswith(
        readme.left_out(PackageTables(tmp_path / "package", _names(left_out)))
    )


def _names(left_out: Collection[str]) -> list[str]:
    return [row.TABLE.name for row in ROWS if row.TABLE.name not in left_out]


def test_a_full_package_has_all_tables(tables: PackageTables) -> None:
    assert readme.left_out(tables) == ""
    assert without_words(tables) == []


def test_a_parquet_file_that_differs_from_its_csv_is_found(tmp_path: Path) -> None:
    made(tmp_path / "package")
    path = tmp_path / "package/data/figures.csv"
    path.write_bytes(path.read_bytes().replace(b",exact,", b",about,", 1))
    with pytest.raises(descriptor.InvalidPackageError, match=r"figures\.parquet:[0-9]+: hedge: value differs"):
        descriptor.inspect(tmp_path / "package")


def test_many_sources_are_listed_in_part_and_have_no_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("package.descriptor", "documents.readme", "documents.datasheet"):
        monkeypatch.setattr(sys.modules[f"defectors_data.{module}"], "MOST_LISTED", 1)
    monkeypatch.setattr(readme, "SOURCES_COMPARED", 1)
    files = made(tmp_path / "package", ["comparisons"])
    descriptor.inspect(tmp_path / "package")
    assert page.NAME not in files
    assert descriptor_in(files)["sources"][1:] == [{"title": "and 1 more: the table `sources` has a row for each"}]
    assert "`index.html` and `charts/` are left out" in descriptor_in(files)["description"]
    assert "and 1 more: the table `sources` has a row for each." in files["datasheet.md"].decode()
    assert "| `second` |" not in files["datasheet.md"].decode()
    assert "characters of its articles (" in files["README.md"].decode()


def test_large_corpora_have_a_page_without_records(tables: PackageTables, monkeypatch: pytest.MonkeyPatch) -> None:
    dataset = CONTEXT.dataset.content
    assert b"<article" in page.page(dataset, tables, [])
    monkeypatch.setattr(page, "LARGEST", 100_000)
    small = page.page(dataset, tables, [])
    assert len(small) < 100_000
    assert b"<article" not in small


# ---- the finished tables ---------------------------------------------------------------------------------------


def test_tables_are_read_in_order_and_counted(tables: PackageTables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables_reader, "BATCH", 2)
    rows = list(tables.rows("figures"))
    assert len(rows) == tables.number("figures") > 2
    assert tables.count("figures", "hedge") == Counter(row["hedge"] for row in rows)
    assert tables.count("figures", "testimony_id")[None] == sum(row["testimony_id"] is None for row in rows)
    assert tables.sum("figures", "start_offset") == sum(row["start_offset"] for row in rows)
    assert list(tables.among("figures", "figure_id", {rows[1]["figure_id"]}, ["unit"])) == [
        {"figure_id": rows[1]["figure_id"], "unit": rows[1]["unit"]}
    ]
    assert tables.schema("figures").names == list(rows[0])


def test_rows_are_found_in_each_row_group(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    ids = [f"r{number:02}" for number in range(40)]
    table = pa.table({"id": ids, "note": [None, "b", None, "a"] * 10})
    for statistics in (True, False):
        pq.write_table(table, tmp_path / "data/t.parquet", row_group_size=7, write_statistics=statistics)
        tables = PackageTables(tmp_path, ["t"])
        for wanted in (["r00", "r39"], ["r06", "r07", "r99"], ["a"], ids, []):
            found = [row["id"] for row in tables.among("t", "id", wanted)]
            assert found == [name for name in ids if name in wanted]
        assert sum(1 for _ in tables.among("t", "note", {"a"})) == 10
        assert tables.table("t", ["note", "id"]).equals(table.select(["note", "id"]))


def test_a_table_that_is_left_out_has_no_rows(tables: PackageTables) -> None:
    fewer = PackageTables(tables.folder, ["sources"])
    assert not fewer.has("ledger")
    assert (fewer.number("ledger"), list(fewer.rows("ledger")), fewer.count("ledger", "kind")) == (0, [], Counter())
    assert list(fewer.among("ledger", "kind", {"quotation"}, [])) == []


def test_rows_are_given_source_by_source(tables: PackageTables) -> None:
    found = list(tables.by_source({"figures": ["figure_id"], "mentions": ["mention_id"], "tombstones": []}))
    assert [{row["source_id"] for row in of["figures"]} for of in found] == [{"example"}, {"second"}]
    assert [row["figure_id"] for of in found for row in of["figures"]] == [
        row["figure_id"] for row in tables.rows("figures")
    ]
    assert all(of["tombstones"] == [] for of in found)


@pytest.mark.parametrize("name", ["example-speaker-1", "example-t5", "example-m3", "example-f5"])
def test_a_protected_person_named_in_a_text_is_found(tables: PackageTables, name: str) -> None:
    texts = {"a.md": f"As {name} says.".encode(), f"{name}.svg": b"", "b.md": b"example-t1, bruno-salt"}
    said = "names a protected person or a record of theirs"
    assert disclosure_check.leaks_in_texts(texts, tables) == [f"a.md {said}", f"{name}.svg {said}"]
    assert disclosure_check.leaks_in_texts({"b.md": texts["b.md"]}, tables) == []


def test_cells_that_begin_like_a_formula_are_advice(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    counted = [f"={i:02}" if i % 2 else None for i in range(50)]
    table = pa.table({"id": [f"f{i:02}" for i in range(50)], "text": counted, "number": [-1] * 50})
    pq.write_table(table, tmp_path / "data/t.parquet")
    said = cells.advice(PackageTables(tmp_path, ["t"]))
    assert said[0].startswith("25 published cells begin like a formula.")
    assert said[1] == "    t.csv: text of f01"
    assert (len(said), said[-1]) == (cells.MAX_CELLS_LISTED + 2, "    and 5 more")
    assert cells.advice(PackageTables(tmp_path, [])) == []
