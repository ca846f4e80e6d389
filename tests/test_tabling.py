"""The tables hold what was annotated, and the CSV and the Parquet of a table are equal cell by cell."""

from __future__ import annotations

import csv
import io
import re
from datetime import date
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from conftest import INVENTED, PROJECT, built, edit, repin, rows
from defectors_data.models.columns import Column, columns
from defectors_data.models.tables import ROW_OF, ROWS
from defectors_data.package import tables_writer
from defectors_data.package.filesystem import sha256

TABLES = [name for name in ROW_OF if name not in ("motives", "acts", "history", "errata", "tombstones")]


def parsed(cell: str, column: Column) -> object:
    """Read a CSV cell as the Table Schema types it."""
    if cell == "":
        return None
    if column.type is bool:
        return {"true": True, "false": False}[cell]
    return date.fromisoformat(cell) if column.type is date else column.type(cell)


@pytest.mark.parametrize("published", [False, True])
@pytest.mark.parametrize("table", TABLES)
def test_csv_and_parquet_are_equal_cell_by_cell(package: Path, table: str, published: bool) -> None:
    package = PROJECT / "dist" if published else package
    text = (package / f"data/{table}.csv").read_bytes().decode("utf-8")
    header, *cells = csv.reader(io.StringIO(text, newline=""), strict=True)
    declared = columns(ROW_OF[table], header)
    assert header == [column.name for column in declared]
    from_csv = [[parsed(cell, column) for cell, column in zip(row, declared, strict=True)] for row in cells]
    assert from_csv == [list(row.values()) for row in rows(package, table)]


@pytest.mark.parametrize("table", TABLES)
def test_cells_are_matched_with_columns_by_name(package: Path, table: str) -> None:
    empty = dict.fromkeys(ROW_OF[table].model_fields)  # a package lacks some columns without a value
    found = [empty | row for row in rows(package, table)]
    turned = [dict(reversed(row.items())) for row in found]
    assert tables_writer.arrow(table, turned).equals(tables_writer.arrow(table, found))


def test_a_row_with_other_keys_than_its_model_is_an_error(package: Path) -> None:
    first, *others = rows(package, "spans")
    assert tables_writer.arrow("spans", [first, *others]).num_rows == len(others) + 1
    without = {key: cell for key, cell in first.items() if key != "exact"}
    for wrong in (without, {**first, "exacts": None}, {**without, "exacts": None}):
        for found in ([wrong, *others], [*others, wrong]):
            with pytest.raises(ValueError, match="a row of spans has other keys than its model"):
                tables_writer.arrow("spans", found)


@pytest.mark.parametrize("table", TABLES)
def test_tables_are_flat_and_nothing_is_an_empty_string(package: Path, table: str) -> None:
    read = pq.read_table(package / f"data/{table}.parquet")
    assert not any(pa.types.is_nested(field.type) for field in read.schema)
    assert all((field.metadata or {})[b"description"] for field in read.schema)
    assert not [value for row in read.to_pylist() for value in row.values() if value == ""]


@pytest.mark.parametrize("table", TABLES)
def test_every_table_has_a_key_and_its_references_resolve(package: Path, table: str) -> None:
    about = ROW_OF[table].TABLE
    keys = [row[about.key] for row in rows(package, table)]
    assert len(keys) == len(set(keys))
    for column, (other, target) in about.refers.items():
        known = {row[target] for row in rows(package, other)} | {None}
        assert {row[column] for row in rows(package, table)} <= known
    for column, kind in about.terms.items():
        terms = {row["term"] for row in rows(package, "terms") if row["kind"] == kind} | {None}
        assert {row[column] for row in rows(package, table)} <= terms


def test_every_span_slices_its_words_out_of_the_seed(package: Path) -> None:
    seeds = {
        row["source_id"]: (INVENTED / f"seeds/{row['seed_file']}").read_bytes() for row in rows(package, "sources")
    }
    found = rows(package, "spans")
    assert found
    for span in found:
        data = seeds[span["source_id"]]
        text, utf16 = data.decode(), data.decode().encode("utf-16-le")
        assert text[span["start_offset"] : span["end_offset"]] == span["exact"]
        assert data[span["start_byte"] : span["end_byte"]].decode() == span["exact"]
        assert utf16[2 * span["start_utf16"] : 2 * span["end_utf16"]].decode("utf-16-le") == span["exact"]
        line = text.split("\n")[span["line"] - 1]
        assert line[span["column_number"] - 1 :].startswith(str(span["exact"]).split("\n")[0])
        assert span["prefix"] is None or text[: span["start_offset"]].endswith(str(span["prefix"]))
        assert span["suffix"] is None or text[span["end_offset"] :].startswith(str(span["suffix"]))


def test_only_figures_and_mentions_have_words_as_context_and_few(package: Path) -> None:
    with_words = set()
    for span in rows(package, "spans"):
        context = [str(span[key]) for key in ("prefix", "suffix") if span[key] is not None]
        assert all(len(words) <= 32 for words in context)
        if re.search(r"\w", "".join(context)):
            assert span["record_table"] in ("figures", "mentions")
            with_words.add(span["record_id"])
    assert {"example-m2", "example-f1", "example-f4"} <= with_words


def test_a_testimony_joins_its_parts(package: Path) -> None:
    row = next(row for row in rows(package, "testimonies") if row["testimony_id"] == "example-t2")
    assert row["text"] == "We had no oil left, […] Nobody wrote to us."
    assert (row["parts"], row["themes"], row["speaker_role"]) == (2, "hunger_pay", "defector")


def test_a_missing_quotation_mark_is_published_in_the_note(package: Path) -> None:
    notes = {row["testimony_id"]: row["note"] for row in rows(package, "testimonies")}
    assert notes["example-t5"] == "The closing quotation mark of part 2 is missing in the source."
    assert notes["example-t8"] == "The opening quotation mark of part 1 is missing in the source."
    assert notes["example-t2"] is None


def test_a_title_with_an_age_is_quoted_whole_though_the_age_is_waived(copied: Path, tmp_path: Path) -> None:
    title = "Keeper, 41, Sails Alone"
    (copied / "seeds/902.txt").write_text(f"{title}\n", encoding="utf-8")
    digest = sha256(copied / "seeds/902.txt")
    source = f"{{id: alone, seed: 902.txt, sha256: {digest}, title: '{title}', language: en, rights: None}}"
    waiver = "{id: w1, evidence: '41', reason: protected_attribute}"
    (copied / "annotations/902.yaml").write_text(f"source: {source}\nwaivers: [{waiver}]\n", encoding="utf-8")
    assert built(copied, tmp_path / "dist").checked.findings == []
    [span] = [row for row in rows(tmp_path / "dist", "spans") if row["source_id"] == "alone"]
    assert (span["field"], span["exact"]) == ("title", title)


def test_a_waived_attribute_of_a_protected_person_is_counted_and_in_no_other_table(package: Path) -> None:
    assert {row["source_id"]: row["protected_numbers"] for row in rows(package, "sources")} == {
        "example": 1,
        "second": 2,
    }
    secret = {"example-w1", "second-w8", "second-w9"}
    for table in TABLES:
        found = rows(package, table)
        assert not [row for row in found if secret & {str(cell) for cell in row.values()}], table
        assert "protected_attribute" not in {row.get("reason") for row in found}
    for span in rows(package, "spans"):
        around = (span["prefix"] or "") + (span["suffix"] or "")
        assert not re.search("27|2-year|twelve", around), span["span_id"]


def test_identifying_columns_of_a_protected_speaker_are_null(package: Path) -> None:
    protected = [row for row in rows(package, "speakers") if row["protected"]]
    assert {row["speaker_id"] for row in protected} == {"example-speaker-1", "second-speaker-1", "second-speaker-8"}
    assert all(row[key] is None for row in protected for key in ("gender", "note"))
    assert {row["speaker_id"]: row["name"] for row in protected if row["name"]} == {"second-speaker-8": "Iven"}
    ids = {row["speaker_id"] for row in protected}
    for mention in rows(package, "mentions"):
        if mention["speaker_id"] in ids:
            assert all(mention[key] is None for key in ("rank", "age", "years_of_service", "affiliation"))


def test_a_shared_speaker_is_one_row_with_a_mention_in_each_source(package: Path) -> None:
    [salt] = [row for row in rows(package, "speakers") if row["speaker_id"] == "bruno-salt"]
    assert salt["source_id"] is None
    assert {r["source_id"] for r in rows(package, "mentions") if r["speaker_id"] == "bruno-salt"} == {
        "example",
        "second",
    }


def test_revealed_characters_are_counted_once(package: Path) -> None:
    for source in rows(package, "sources"):
        shown = set()
        for span in rows(package, "spans"):
            if span["source_id"] == source["source_id"]:
                before, after = len(str(span["prefix"] or "")), len(str(span["suffix"] or ""))
                shown |= set(range(span["start_offset"] - before, span["end_offset"] + after))
        assert source["chars_revealed"] == len(shown)
        assert source["chars_revealed"] < source["chars"]


def test_rows_are_in_the_declared_order(package: Path) -> None:
    for row in (ROW_OF[name] for name in TABLES):
        found = rows(package, row.TABLE.name)
        places = [tuple("" if item[column] is None else item[column] for column in row.TABLE.order) for item in found]
        assert places == sorted(places)
        assert len(set(places)) == len(places), "an order that leaves two rows equal is none"


def test_pandas_gives_sensible_types(package: Path) -> None:
    figures = pd.read_parquet(package / "data/figures.parquet")
    mentions = pd.read_parquet(package / "data/mentions.parquet")
    speakers = pd.read_parquet(package / "data/speakers.parquet")
    assert str(mentions["age"].dtype) == "Int64"
    assert str(mentions["start_offset"].dtype) in ("int64", "Int64")
    assert str(speakers["protected"].dtype) == "boolean"
    assert str(figures["value"].dtype) == "float64"
    assert pd.to_datetime(figures["as_of_from"]).max() == pd.Timestamp("2019-03-03")


def test_every_column_has_a_sentence_and_an_example_of_its_type() -> None:
    for row in ROWS:
        for column in columns(row):
            assert column.description.endswith((".", ")")), (row, column)
            assert column.example is not None, (row, column)
            if column.choices:
                assert column.example in column.choices


@pytest.mark.parametrize("status", ["waived", "boilerplate"])
def test_a_protected_number_has_no_row_even_where_its_words_are_repeated(
    copied: Path, tmp_path: Path, status: str
) -> None:
    file = "annotations/900_example.yaml"
    passage = "A keeper who is 27 had three."
    edit(copied, "seeds/900_example.txt", "“The lamps are dark.”\n", f"“The lamps are dark.”\n\n{passage}\n")
    repin(copied, "900_example")
    once = "    evidence: who is 27\n"
    edit(copied, file, once, f"{once}    every_occurrence: true\n")
    if status == "waived":
        waiver = f"{{id: example-w5, evidence: {passage}, reason: repeat, repeats: example-t6}}"
        edit(copied, file, "readings:\n", f"  - {waiver}\n\nreadings:\n")
    else:
        copyright_line = "    - Copyright 2019 The Example Gazette\n"
        edit(copied, file, copyright_line, f"    - {passage}\n{copyright_line}")
    assert built(copied, tmp_path / "dist").checked.findings == []
    [source] = [row for row in rows(tmp_path / "dist", "sources") if row["source_id"] == "example"]
    assert source["protected_numbers"] == 2
    listed = [(row["text"], row["status"]) for row in rows(tmp_path / "dist", "ledger")]
    assert ("three", status) in listed
    assert not [text for text, _ in listed if "27" in text]
