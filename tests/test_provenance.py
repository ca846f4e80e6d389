"""Every cell has provenance, and loses it with the words that it rests on."""

from __future__ import annotations

import ast
import json
import random
import re
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from calling import run
from conftest import INVENTED, PROJECT
from defectors_data.build import build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.models.tables import ROWS
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers.dataset import CellNotFoundError, CellTrace, QuotedWords, lines, trace
from defectors_data.rows.cell_provenance import DERIVED, KEYS, RULES, CellProvenance, ProvenanceIndex, rule_of
from defectors_data.text import quantities
from every_field import rich_corpus

FALLS_BACK = {"role", "rank_class", "branch", "theme"}
FALLS_BACK |= {"as_of", "as_of_from", "as_of_to", "place_id"}
FALLS_BACK |= {column for rules in RULES.values() for column, rule in rules.items() if len(rule.fields) > 1}
"""Columns whose cells rest on other words, or say that there are none, if no words are named for them."""


def rows(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each table, with all columns: those that the package lacks are empty."""
    tables = PackageTables(folder, [path.stem for path in folder.glob("data/*.parquet")])
    return {row.TABLE.name: list(tables.rows(row.TABLE.name, list(row.model_fields))) for row in ROWS}


def provenances(found: dict[str, list[dict[str, Any]]]) -> dict[tuple[str, str, str], CellProvenance | None]:
    """Return the provenances of all filled cells of the tables of records, by table, record and column."""
    index, filled = (
        ProvenanceIndex(found),
        ((table, row, column) for table in KEYS for row in found[table] for column in row if row[column] is not None),
    )
    return {(table, row[KEYS[table]], column): index.of(table, row, column) for table, row, column in filled}


@pytest.fixture(params=["real", "invented"])
def published(request: pytest.FixtureRequest, package: Path) -> Path:
    return PROJECT / "dist" if request.param == "real" else package


def test_every_column_of_every_table_has_a_rule() -> None:
    columns = {row.TABLE.name: set(row.model_fields) for row in ROWS}
    assert RULES.keys() | DERIVED.keys() == columns.keys()
    assert not RULES.keys() & DERIVED.keys()
    assert {table: set(rules) for table, rules in RULES.items()} == {table: columns[table] for table in RULES}
    assert {table: row.TABLE.key for row in ROWS for table in [row.TABLE.name] if table in KEYS} == KEYS


def top_level(path: Path) -> list[str]:
    """Return the names of the functions and classes that a module defines at its top level."""
    module = ast.parse(path.read_text(encoding="utf-8"))
    return [each.name for each in module.body if isinstance(each, ast.FunctionDef | ast.ClassDef)]


def test_a_computed_cell_names_the_only_function_with_that_name() -> None:
    rules = [rule_of(row.TABLE.name, column) for row in ROWS for column in row.model_fields]
    named = {rule.function for rule in rules if rule.function}
    defined = Counter(name for path in (PROJECT / "src").rglob("*.py") for name in top_level(path))
    assert {name: defined[name] for name in named} == dict.fromkeys(named, 1)


def test_a_rule_names_columns_that_there_are() -> None:
    columns = {row.TABLE.name: set(row.model_fields) for row in ROWS}
    for table, own_columns in columns.items():
        for rule in (rule_of(table, column) for column in own_columns):
            joined = {(join.table, join.column) for join in rule.joins}
            joined |= {(join.table, each.split()[0]) for join in rule.joins for each in join.conditions}
            assert {join.own for join in rule.joins} <= own_columns
            assert not any("." in field for field in rule.fields)  # an input in place of a field of words
            inputs = [each.partition(".")[::2] for each in (rule.inputs or "").split("; ") if "." in each]
            assert all(column in columns[other] for other, column in {*joined, *inputs})


def test_no_cell_is_without_provenance(published: Path) -> None:
    assert [cell for cell, provenance in provenances(rows(published)).items() if provenance is None] == []


def test_exceptions_are_the_cells_with_other_spans_than_their_column_or_without_any(published: Path) -> None:
    found = rows(published)
    some = {**found, "spans": found["spans"][::2]}
    stones: list[dict[str, Any]] = [{}]
    for left in (found, some, {**some, "tombstones": stones}):
        differing = {cell: c for cell, c in provenances(left).items() if c is None or c.listed}
        assert {cell[:3]: cell.provenance for cell in ProvenanceIndex(left).exceptions()} == differing


def test_the_published_rows_are_the_columns_and_the_cells_that_differ(published: Path) -> None:
    found = rows(published)
    of_columns = {(row["table_name"], row["column_name"]) for row in found["provenance"] if row["record_id"] == "*"}
    there = dict[str, list[str]]()
    for row in ROWS:
        path = published / f"data/{row.TABLE.name}.parquet"
        there[row.TABLE.name] = pq.read_schema(path).names if path.exists() else []
    assert of_columns == {(table, column) for table, names in there.items() for column in names}
    of_cells = {
        (r["table_name"], r["record_id"], r["column_name"]) for r in found["provenance"] if r["record_id"] != "*"
    }
    assert of_cells == {cell for cell, provenance in provenances(found).items() if provenance and provenance.listed}
    spans = {row["span_id"] for row in found["spans"]}
    listed_spans = {row["spans"] for row in found["provenance"] if row["record_id"] != "*"} - {None}
    assert {name for listed in listed_spans for name in listed.split(";")} <= spans


def is_lost(provenance: CellProvenance | None) -> bool:
    """Return whether a cell has no provenance, or after a takedown one that names no words any more."""
    return provenance is None or provenance.rule.note == "The words were removed."


def test_a_value_that_no_annotator_wrote_is_a_default_without_words(published: Path) -> None:
    found = rows(published)
    index, kinds = ProvenanceIndex(found), Counter[tuple[str, str]]()
    for table, default in (("testimonies.stance", "asserts"), ("testimonies.departure", False)):
        name, column = table.split(".")
        for row in found[name]:
            if row[column] is not None:
                why = index.of(name, row, column)
                assert why is not None
                is_default = row[column] == default
                assert (why.rule.basis, bool(why.spans)) == (("default", False) if is_default else ("assigned", True))
                kinds[column, why.rule.basis] += 1
    assert kinds["stance", "default"]
    assert kinds["departure", "default"]


@pytest.mark.parametrize("name", ["invented", pytest.param("real", marks=pytest.mark.sweep)])
def test_exactly_the_cells_that_rest_on_words_lose_their_provenance_with_them(name: str, package: Path) -> None:
    found = rows(package if name == "invented" else PROJECT / "dist")
    groups = defaultdict(set)
    for span in found["spans"]:
        groups[span["record_id"], span["field"]].add(span["span_id"])
    before = {cell: provenance for cell, provenance in provenances(found).items() if provenance}
    writers = {row["speaker_id"] for row in found["speakers"] if row["kind"] == "writer"}
    lost_somewhere = set()
    already = {cell for cell, provenance in before.items() if is_lost(provenance)}
    for gone in groups.values():
        left = {**found, "spans": [span for span in found["spans"] if span["span_id"] not in gone]}
        lost = {cell for cell, provenance in provenances(left).items() if is_lost(provenance)} - already
        resting = {
            cell
            for cell, provenance in before.items()
            if provenance.spans and set(provenance.spans) <= gone
            # An attribute of a speaker needs no words if it is inferred; a date needs those without their year.
            if provenance.rule.basis != "inferred" or cell[2] == "happened"
        }
        assert lost <= resting
        # A writer needs no words.
        assert {cell[2] for cell in resting - lost if cell[1] not in writers} <= FALLS_BACK
        lost_somewhere |= lost
    assert {cell[0] for cell in lost_somewhere} >= {"sources", "speakers", "mentions", "testimonies", "figures"}


# ---- why -----------------------------------------------------------------------------------------------------


def words_of(traced: CellTrace) -> list[QuotedWords]:
    return [*traced.words, *(words for resting in traced.rests_on for words in resting.words)]


def is_printed(value: str, printed: list[str], column: str) -> bool:
    """Return whether the words contain a value: a text or each of its parts, or a number."""
    if column in {"value", "age", "years_of_service"}:
        return any(float(value) in quantities.numbers(words) for words in printed)
    every = "\n".join(printed)
    return all(part in every or part in printed for part in re.split(r" \[…\] |; ", value))


@pytest.mark.deep
def test_two_hundred_cells_are_explained_and_nine_of_ten_by_words() -> None:
    found = rows(PROJECT / "dist")
    key_of = {row.TABLE.name: row.TABLE.key for row in ROWS}
    cells = sorted(
        (table, str(row[key_of[table]]), column)
        for table in found
        for row in found[table]
        for column in row
        if row[column] is not None and row.get("source_id") != "*"  # rows of provenance on whole columns
    )
    texts = {row["source_id"]: (PROJECT / "seeds" / row["seed_file"]).read_text("utf-8") for row in found["sources"]}
    with_words = 0
    for cell in random.Random(6).sample(cells, 200):  # noqa: S311  # the same cells in every run
        [traced] = trace(PROJECT / "dist", "/".join(cell), seeds=PROJECT / "seeds")
        for words in words_of(traced):
            line = texts[words.source].split("\n")[words.line - 1]
            assert line[words.column - 1 :].startswith(words.exact.split("\n")[0])
        with_words += bool(words_of(traced))
        rule = traced.rule
        if rule.basis == "evidence" and cell[0] == "spans":
            assert any(traced.value in text for text in texts.values())
        elif rule.basis == "evidence":
            assert is_printed(traced.value, [words.exact for words in traced.words], cell[2]), cell
        else:
            assert rule.note or rule.function or words_of(traced), cell
    assert with_words >= 180


def test_the_words_of_each_ledger_entry_are_found_whatever_accounts_for_it() -> None:
    by_status = {row["status"]: row for row in rows(PROJECT / "dist")["ledger"]}
    assert {"covered", "waived", "boilerplate"} <= by_status.keys()
    for row in by_status.values():
        if row["text"] is not None:
            [traced] = trace(PROJECT / "dist", f"ledger/{row['ledger_id']}/text", seeds=PROJECT / "seeds")
            assert [words.exact for words in traced.words][:1] == [row["text"]]


def test_derived_cells_name_records_and_show_their_words(package: Path) -> None:
    for cell, named in (
        ("comparisons/example-f6.example-f7/verdict", ["figures/example-f6", "figures/example-f7"]),
        ("testimony_themes/example-t2.hunger_pay/testimony_id", ["testimonies/example-t2"]),
    ):
        [traced] = trace(package, cell, seeds=INVENTED / "seeds")
        assert [resting.record for resting in traced.rests_on] == named, cell
        assert all(resting.words for resting in traced.rests_on)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("push", {"direction": "push", "decision": "leave", "reason_of": "speaker"}),
        ("pull", {"direction": "pull", "decision": "leave", "reason_of": "speaker"}),
        ("departed", {"happened_of": "departure"}),
    ],
)
def test_a_cell_on_a_person_rests_only_on_the_rows_that_decide_it(column: str, expected: dict[str, str]) -> None:
    found = rows(PROJECT / "dist")
    by_name = {f"{table}/{row[KEYS[table]]}": row for table in ("motives", "testimonies") for row in found[table]}
    persons = [row["person_id"] for row in found["persons"] if row[column]]
    assert persons
    for person in persons:
        [traced] = trace(PROJECT / "dist", f"persons/{person}/{column}")
        resting = [by_name[each.record] for each in traced.rests_on]
        assert resting
        assert all(row[key] == value for row in resting for key, value in expected.items())


def carets(package: Path, cell: str) -> list[str]:
    """Return the words with carets under them."""
    said = list(lines(*trace(package, cell, seeds=INVENTED / "seeds")))
    pairs = [(above, below) for above, below in pairwise(said) if set(below) == {" ", "^"}]
    return [above[below.index("^") : len(below)] for above, below in pairs]


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        ("figures/example-f3/value", ["two"]),
        # The hedge decides, too.
        ("figures/example-f1/high", ["Nearly 40 lighthouse keepers have left the Northern Isles"]),
        ("figures/example-f1/interval_high", ["Nearly 40 lighthouse keepers have left the Northern Isles"]),
        ("persons/bruno-salt/ages", ["36"]),
        ("figures/example-f1/text", ["Nearly 40 lighthouse keepers have left the Northern Isles"]),
        ("figures/example-f1/place_id", ["the Northern Isles"]),
        ("mentions/example-m2/age", ["36"]),
        ("mentions/example-m2/years_of_service", ["eight"]),
        ("mentions/example-m2/rank", ["sergeant"]),
        ("testimonies/example-t3/outlet", ["Example Wire"]),
        ("speakers/bruno-salt/name", ["Bruno Salt", "Bruno Salt"]),
        ("ledger/example.309.quotation/text", ["We had no oil left,"]),
    ],
)
def test_a_caret_is_under_exactly_the_words_of_a_value(package: Path, cell: str, words: list[str]) -> None:
    assert carets(package, cell) == words


def test_without_the_articles_the_published_context_is_shown(package: Path) -> None:
    [traced] = trace(package, "figures/example-f3/value")
    assert (traced.words[0].exact, traced.words[0].after) == ("two", ' inns.\n\n"We had no oil left," said Br')


def test_a_gender_shows_the_words_that_license_it(package: Path) -> None:
    [traced] = trace(package, "speakers/bruno-salt/gender", seeds=INVENTED / "seeds")
    assert [words.exact for words in traced.words] == ["he rowed across at night", "he"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nothing/x", "There is no table"),
        ("figures/x", "has no row"),
        ("figures/example-f3/colour", "has no such column"),
        ("figures/example-f3/note", "The cell is empty"),
        ("speakers/example-speaker-1/name", "The cell is empty by design: this is not recorded for persons"),
        ("mentions/example-m3/age", "The cell is empty by design: this is not recorded for persons"),
        ("figures", "figures is a table. Name one of its rows, such as figures/example-f1"),
    ],
)
def test_a_missing_input_is_named(package: Path, name: str, said: str) -> None:
    with pytest.raises(CellNotFoundError, match=said):
        trace(package, name)


def test_every_cell_of_every_row_can_be_asked_for(package: Path) -> None:
    for table, found in rows(package).items():
        key = next(row.TABLE.key for row in ROWS if row.TABLE.name == table)
        for row in found[:3]:
            traced = trace(package, f"{table}/{row[key]}", seeds=INVENTED / "seeds")
            assert len(traced) == sum(cell is not None for cell in row.values())


def test_json_contains_the_provenance_and_the_words(package: Path) -> None:
    options = ["--package", str(package), "--format", "json"]
    ran = run("why", "figures/example-f3/high", *options)
    assert (ran.returncode, ran.stderr) == (
        1,
        "The cell is empty: the source does not state it, or it does not apply.\n",
    )
    ran = run("why", "figures/example-f1/high", *options)
    [found] = json.loads(ran.stdout)
    assert found["provenance"]["function"] == "read_quantity"
    assert found["words"][0]["exact"].startswith("Nearly 40 ")
    assert found["rests_on"] == []


def test_the_reason_for_an_inference_is_given(tmp_path: Path) -> None:
    root = rich_corpus(tmp_path)
    build(CorpusReader(FileTree(root)), root / "dist")
    for number, why in ((2, "the speaker is cited among others as such"), (4, "the speaker is the writer of the text")):
        [traced] = trace(root / "dist", f"speakers/second-speaker-{number}/role")
        assert (traced.rule.basis, traced.rule.note) == ("inferred", f"Inferred, because {why}.")
    [traced] = trace(root / "dist", "speakers/second-speaker-3/part_of")
    assert [words.exact for words in traced.words] == ["A few of them"]


def test_a_year_that_the_words_of_a_date_do_not_print_is_inferred() -> None:
    found = rows(PROJECT / "dist")
    words: dict[str, str] = {}
    for span in found["spans"]:
        if span["field"] == "happened":
            words[span["record_id"]] = words.get(span["record_id"], "") + span["exact"]
    listed = {row["record_id"]: row["basis"] for row in found["provenance"] if row["column_name"] == "happened"}
    inferred = {record for record, basis in listed.items() if basis == "inferred"}
    # The article prints no year of this day, but two of its dates have theirs.
    assert {"breaking-ranks-t4", "breaking-ranks-t15"} < inferred
    assert not {"breaking-ranks-t14", "breaking-ranks-t47"} & inferred
    assert not [record for record in inferred if re.search(r"\b20\d\d\b", words[record])]
    stated = {row["testimony_id"] for row in found["testimonies"] if row["happened_basis"] in ("stated", "context")}
    assert not [record for record in stated - inferred if not re.search(r"\b(19|20)\d\d\b", words[record])]
