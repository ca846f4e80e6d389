"""The verifier refuses a package that lacks a table or a column, wherever else it was taken out."""

from __future__ import annotations

from pathlib import Path

import pytest

from consistent_tampering import on
from defectors_data.models.tables import ONLY_WITH_ROWS, ONLY_WITH_VALUES, ROW_OF
from defectors_data.package import verify
from tampering import SEEDS, Files, describe, descriptor_of, faults, lay, renew, run, without


def lacking(files: Files, folder: Path, *tables: str, description: str = "") -> str:
    """Return the output for a package without some tables, which are in no other of its files either."""
    changed = dict(files)
    descriptor = descriptor_of(changed)
    descriptor["description"] += description
    describe(changed, descriptor)
    without(*tables)(changed)
    if "provenance" not in tables:
        on("provenance", lambda rows: rows.__setitem__(slice(None), [row for row in rows if row[2] not in tables]))(
            changed
        )
    renew(changed)
    return run(*SEEDS, lay(changed, folder))[1]


@pytest.mark.parametrize("table", sorted(ROW_OF.keys() - {*ONLY_WITH_ROWS}))
def test_a_package_without_a_table_is_refused(whole: Files, tmp_path: Path, table: str) -> None:
    assert f"datapackage.json: must have the table {table}" in faults(lacking(whole, tmp_path / "dist", table))


def test_only_tables_that_the_description_names_may_be_left_out(whole: Files, tmp_path: Path) -> None:
    named = " Left out on request: `ledger`, `provenance` and `readings`; `comparisons` is left out."
    tables = ("comparisons", "ledger", "provenance", "readings")
    output = lacking(whole, tmp_path / "dist", *tables, description=named)
    assert faults(output) == ["datapackage.json: must have the table readings"]
    output = lacking(whole, tmp_path / "dist", *tables[:3], "relations", "statement_relations", description=named)
    assert faults(output) == []
    [absent] = [line for line in output.splitlines() if line.startswith("Optional, and not in this package: ")]
    for table in (*tables[:3], "relations", "statement_relations"):
        assert f" {table}," in absent


def test_a_package_without_a_column_is_refused(whole: Files, tmp_path: Path) -> None:
    """The column is gone from the table, its description and its provenance; optional ones are listed."""
    optional = {column for group in ONLY_WITH_VALUES for column in group}
    for name, row in ROW_OF.items():
        if f"data/{name}.csv" not in whole:
            continue
        for column in row.model_fields:
            if f"{name}.{column}" in optional:
                continue
            changed = dict(whole)
            descriptor = descriptor_of(changed)
            [table] = [each for each in descriptor["resources"] if each["name"] == name]
            table["schema"]["fields"] = [each for each in table["schema"]["fields"] if each["name"] != column]
            describe(changed, descriptor)
            package = verify.Package(lay(changed, tmp_path / "dist"), None)
            found = [
                place for *place, met in (*verify.check_resources(package), *verify.check_tables(package)) if not met
            ]
            assert ["datapackage.json", f"must have the column {name}.{column}"] in found


def test_the_columns_that_it_knows_are_those_of_the_row_models() -> None:
    known = {}
    for listed in verify.TABLES.split("/"):
        table, *columns = listed.split()
        known[table.rstrip("?*")] = columns
        assert table.endswith("?") == (table[:-1] in ONLY_WITH_ROWS)
        assert table.endswith("*") == (table[:-1] in {"ledger", "provenance", "comparisons"})
    optional = {column for group in ONLY_WITH_VALUES for column in group}
    for name, row in ROW_OF.items():
        marked = [f"{column}?" if f"{name}.{column}" in optional else column for column in row.model_fields]
        assert known[name] == marked, "`python tools/docs/generate.py` writes the columns"
