"""Each published file is valid on its own, and a build names the columns that a tool would misread without them."""

from __future__ import annotations

import itertools
from datetime import date
from pathlib import Path
from typing import Any

import frictionless
import pyarrow as pa
import pytest

from calling import run
from conftest import INVENTED, PROJECT, built, edit
from defectors_data.package import filesystem, inferred_types
from defectors_data.package.cells import edtf_cell, single_date
from defectors_data.package.tables_reader import PackageTables
from defectors_data.package.tables_writer import TableWriter


def faults(path: Path) -> list[Any]:
    """Return what `frictionless validate FILE` reports, without a descriptor and without options."""
    report = frictionless.validate(path.name, basepath=str(path.parent))
    return list(report.flatten(["fieldName", "rowNumber", "type", "note"]))


def invalid_files(package: Path) -> dict[str, list[Any]]:
    found = {path.name: faults(path) for path in sorted((package / "data").iterdir())}
    assert len(found) > 20
    return {name: wrong for name, wrong in found.items() if wrong}


@pytest.mark.deep
def test_each_file_of_the_real_package_is_valid_on_its_own_or_the_build_says_so() -> None:
    said = "\n".join(advice_on(PROJECT / "dist"))
    assert [name for name in invalid_files(PROJECT / "dist") if name not in said] == []


@pytest.mark.deep
def test_each_file_of_the_invented_package_is_valid_on_its_own(package: Path) -> None:
    assert invalid_files(package) == {}


@pytest.mark.deep
def test_each_file_of_the_example_is_valid_on_its_own(tmp_path: Path) -> None:
    assert run("init", tmp_path / "example").returncode == 0
    assert built(tmp_path / "example", tmp_path / "dist").outcome == "published"
    assert invalid_files(tmp_path / "dist") == {}


def advice_on(package: Path) -> list[str]:
    names = [path.stem for path in (package / "data").glob("*.csv")]
    return inferred_types.advice(PackageTables(package, names))


def test_no_column_of_the_invented_package_is_misread(package: Path) -> None:
    assert advice_on(package) == []


def written(folder: Path, cells: list[Any]) -> PackageTables:
    """Write a table with a key and a column as the build does."""
    filesystem.make_folder(folder / "data")
    keys = [f"row-{number}" for number in range(len(cells))]
    column = pa.array(cells)
    if pa.types.is_null(column.type):
        column = column.cast(pa.string())
    table = pa.table({"key": pa.array(keys, pa.string()), "cell": column})
    writer = TableWriter("made", table.schema, lambda path: filesystem.NewFile(folder / path))
    writer.take(table)
    writer.close()
    return PackageTables(folder, ["made"])


DAY = date(2019, 2, 25)


@pytest.mark.parametrize(
    ("cells", "csv", "parquet"),
    [
        (["2019-02"] * 40 + ["2019-02-25"], "a year with a month", "a year with a month"),
        (["2019-02-25"] * 40 + ["2019-02"], "a date", "a date"),
        ([None] * 40 + ["A note."], None, "a year with a month"),
        ([None] * 40 + [DAY], None, "a year with a month"),
        ([None] * 40 + [36], None, "a year with a month"),
        ([1.0] * 40 + [33.33], "a whole number", "a whole number"),
        (["40"] * 40 + ["several dozen"], "a whole number", "a whole number"),
        (["[36, 44]"] * 40 + ["(36, 44]"], "a list", "a list"),
        # Near misses: rare forms that are frequent enough, that come in all cells, or that are in no sample.
        (["2019-02-25"] * 30 + ["2019-02"] * 11, None, None),
        (["2019-02-25/2019-02-25"] * 40 + ["2019-02/2019-02"], None, None),
        ([None] * 30 + ["A note."] * 11, None, None),
        ([1.5] * 20 + [33.0] * 21, None, None),
        ([None, *[36] * 40], None, None),
        ([None] * 41, None, None),
        ([], None, None),
    ],
)
def test_a_build_names_the_column_that_a_tool_misreads(
    cells: list[Any], csv: str | None, parquet: str | None, tmp_path: Path
) -> None:
    named = inferred_types.advice(written(tmp_path, cells))
    row = f"row-{len(cells) - 1}"
    expected = [
        f"    made.{ending}: cell as {kind}, which {row} does not have"
        for ending, kind in (("csv", csv), ("parquet", parquet))
        if kind
    ]
    assert named[1:] == expected
    misread = [ending for ending in ("csv", "parquet") if faults(tmp_path / f"data/made.{ending}")]
    assert misread == [ending for ending, kind in (("csv", csv), ("parquet", parquet)) if kind]


@pytest.mark.parametrize(
    ("date", "cell"),
    [
        ("2019", "2019/2019"),
        ("2019-02", "2019-02/2019-02"),
        ("2019-02-25", "2019-02-25/2019-02-25"),
        ("2019-03~", "2019-03~"),
        ("2019-02-25/..", "2019-02-25/.."),
        ("2019-02/2019-03", "2019-02/2019-03"),
        ("XXXX-02-27", "XXXX-02-27"),
    ],
)
def test_a_date_alone_is_an_interval_with_itself(date: str, cell: str) -> None:
    assert edtf_cell(date) == cell
    assert single_date(cell) == date


def test_check_names_the_column_that_a_tool_misreads_if_it_is_asked_for_every_step(copied: Path) -> None:
    before_army = "able act add age ago aim air all and any".split()
    terms = itertools.product(before_army, repeat=2)
    branches = [f"  - term: {one}_{other}\n    definition: keepers\n" for one, other in terms]
    edit(copied, "annotations/vocabulary.yaml", "branches:\n", "branches:\n" + "".join(branches))
    shown = run("check", "-v", "--root", copied)
    assert "    terms.parquet: words as a year with a month, which branch.army does not have\n" in shown.stdout
    assert "misreads" not in run("check", "--root", copied).stdout
    assert "misreads" not in run("check", "-v", "--root", INVENTED).stdout
