"""The texts name each detail that the tables can state of protected persons, and no other."""

from __future__ import annotations

import html
from pathlib import Path

from conftest import PROJECT
from defectors_data.documents.protection import (
    NO_DETAILS,
    STATED,
    columns_on_speakers,
    on_relatives,
    protected_details,
    protected_details_in_spanish,
)
from defectors_data.models.tables import WITHHELD
from defectors_data.package.tables_reader import PackageTables


def test_every_column_on_speakers_is_a_detail_that_the_texts_name_or_none() -> None:
    named = [column for columns in STATED.values() for column in columns]
    assert len(named) == len(set(named))
    found = set[str]()
    for table, column in columns_on_speakers():
        if column not in WITHHELD.get(table, ()):
            found.add(column)
            assert (column in named) != (column in NO_DETAILS), (table, column)
    assert found == {*named, *NO_DETAILS}


def test_every_text_names_the_details_that_tables_can_state_of_protected_persons() -> None:
    package = PROJECT / "dist"
    tables = PackageTables(package, [path.stem for path in package.glob("data/*.parquet")])
    english = protected_details(tables)
    filled = set[str]()
    protected = {row["speaker_id"] for row in tables.rows("speakers") if row["protected"]}
    for table, column in columns_on_speakers():
        of = {"speakers": "speaker_id", "persons": "person_id", "figures": "attributed_to"}.get(table, "speaker_id")
        for row in tables.rows(table):
            if row[of] in protected and row.get(column) not in (None, False):
                filled.add(column)
    for (detail, _), columns in STATED.items():
        if filled.intersection(columns):
            assert detail in english
    texts = [package / name for name in ("README.md", "datasheet.md", "index.html", "croissant.json")]
    for path in texts:
        text = " ".join(html.unescape(path.read_text(encoding="utf-8")).split())
        assert english in text
        assert "state only" not in text
        if path.suffix == ".md":
            assert " ".join(on_relatives(tables).split()) in text
    assert protected_details_in_spanish(tables) in (package / "es.html").read_text(encoding="utf-8")


def test_the_texts_name_only_details_that_a_package_has_columns_for(package: Path) -> None:
    tables = PackageTables(package, [path.stem for path in package.glob("data/*.parquet")])
    assert ("relatives" in tables.column_names("testimonies")) == ("whether relatives" in protected_details(tables))
