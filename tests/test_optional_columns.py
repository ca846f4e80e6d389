"""Columns that only some subjects need: they are published if a record has a value, and lost by no one unseen."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sqlite3
from pathlib import Path

import frictionless
import pyarrow.parquet as pq
import pytest

from calling import run
from conftest import edit
from defectors_data.models.columns import columns
from defectors_data.models.tables import ONLY_WITH_ROWS, ONLY_WITH_VALUES, ROW_OF
from defectors_data.publishers import change_report, changes
from defectors_data.readers.dataset import trace
from tampering import SEEDS, Files, describe, descriptor_of, faults, lay, put, renew, table_of
from tampering import run as verify

OPTIONAL = [column for group in ONLY_WITH_VALUES for column in group]
USED = {"sources.outlet", "sources.outlet_basis", "sources.dateline", "speakers.gender", "terms.words"}
"""The optional columns that the corpus needs that `init` writes."""
WORDS = re.compile(r"\branks?\b|rank_|\bbranch(es)?\b|soldier|troop|sergeant", re.IGNORECASE)


@pytest.fixture(scope="module")
def flood(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The corpus that `init` writes, on a subject without ranks, with its package."""
    folder = tmp_path_factory.mktemp("flood") / "corpus"
    assert run("init", folder).returncode == 0
    ran = run("build", where=folder)
    assert ran.returncode == 0, ran.stdout
    return folder


@pytest.fixture(scope="module")
def ranked(flood: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same corpus with one rank."""
    folder = tmp_path_factory.mktemp("ranked") / "corpus"
    shutil.copytree(flood, folder)
    edit(folder, "annotations/001_flood.yaml", "        age: 52\n", "        age: 52\n        rank: baker\n")
    ran = run("build", where=folder)
    assert ran.returncode == 0, ran.stdout
    return folder


def columns_of(package: Path) -> set[str]:
    """Return the columns that the CSV files, the Parquet files and the descriptor have alike, as table.column."""
    found = set()
    for resource in json.loads((package / "datapackage.json").read_text(encoding="utf-8"))["resources"]:
        if resource.get("type") == "table":
            name = resource["name"]
            described = [field["name"] for field in resource["schema"]["fields"]]
            with (package / f"data/{name}.csv").open(encoding="utf-8", newline="") as file:
                assert next(csv.reader(file)) == described
            assert pq.read_schema(package / f"data/{name}.parquet").names == described
            found |= {f"{name}.{column}" for column in described}
    return found


def test_the_optional_columns_are_nullable_columns_that_there_are() -> None:
    for place in OPTIONAL:
        table, _, column = place.partition(".")
        [found] = columns(ROW_OF[table], [column])
        assert found.nullable
    assert len(set(OPTIONAL)) == len(OPTIONAL)


def test_a_package_has_all_columns_but_those_that_its_subject_or_its_articles_do_not_need(flood: Path) -> None:
    tables = ROW_OF.keys() - set(ONLY_WITH_ROWS)
    every = {f"{table}.{column}" for table in tables for column in ROW_OF[table].model_fields}
    there = columns_of(flood / "dist")
    assert there & set(OPTIONAL) == USED
    assert there - USED == every - set(OPTIONAL)
    for table, _, column in (place.partition(".") for place in USED):
        assert pq.read_table(flood / f"dist/data/{table}.parquet")[column].drop_null().length()


def test_a_single_rank_brings_its_column_and_no_other(flood: Path, ranked: Path) -> None:
    assert columns_of(ranked / "dist") - columns_of(flood / "dist") == {"mentions.rank"}


def test_a_package_without_ranks_does_not_speak_of_them(flood: Path) -> None:
    for path in (flood / "dist").rglob("*"):
        if path.suffix in {".csv", ".json", ".md", ".html", ".ttl"}:
            text = path.read_text(encoding="utf-8")
            assert [line for line in text.splitlines() if WORDS.search(line)] == [], path.name


def test_such_a_package_names_no_table_and_no_column_that_it_lacks(flood: Path) -> None:
    there = columns_of(flood / "dist")
    tables = {place.partition(".")[0] for place in there}
    every = {f"{name}.{column}" for name, row in ROW_OF.items() for column in row.model_fields}
    with (flood / "dist/data/provenance.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            named = {f"{row['table_name']}.{row['column_name']}"}
            named |= every & {*re.findall(r"\w+\.\w+", f"{row['inputs']} {row['joined_on']}")}
            assert named <= there, row["provenance_id"]
    listed = pq.read_table(flood / "dist/data/spans.parquet")["record_table"].to_pylist()
    descriptor = json.loads((flood / "dist/datapackage.json").read_text(encoding="utf-8"))
    for resource in descriptor["resources"]:
        for field in resource.get("schema", {}).get("fields", ()):
            if field["name"] == "record_table":
                assert {*listed} <= {*field["constraints"]["enum"]} <= tables | {"waivers"}


def test_no_document_on_one_article_has_a_plural_after_one(flood: Path) -> None:
    for name in ("README.md", "datasheet.md", "index.html"):
        text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", (flood / "dist" / name).read_text("utf-8"), flags=re.DOTALL)
        assert re.findall(r"(?<![\d.,])1 (?!reports|agrees|contradicts)[a-z]+s\b[^/]{0,20}", text) == [], name
    page = (flood / "dist/index.html").read_text("utf-8")
    assert 'data-counted="article"' in page
    overview = page.partition('class="plain four"')[2].partition("</table>")[0]
    assert not re.search(r"<t([dh])[^>]*>(<bdi>)?(</bdi>)?</t\1>", overview)


def test_such_a_package_is_valid_for_every_validator(flood: Path) -> None:
    report = frictionless.Package.from_descriptor(str(flood / "dist/datapackage.json")).validate()
    assert report.valid, report.flatten(["type", "message"])
    ran = run("verify", "dist", "--seeds", "seeds", where=flood)
    assert ran.returncode == 0, ran.stdout


def test_readers_and_exports_need_no_optional_column(flood: Path, tmp_path: Path) -> None:
    package = flood / "dist"
    assert [cell.value for cell in trace(package, "terms/role.resident/used")] == ["1"]
    for name in ("sqlite", "stata", "xlsx", "codebook"):
        assert run("export", name, "--out", tmp_path / name, where=flood).returncode == 0
    codebook = (tmp_path / "codebook/codebook.md").read_text(encoding="utf-8")
    assert [line for line in codebook.splitlines() if WORDS.search(line)] == []
    listed = re.findall(r"(?m)^- (?!Source)[A-Z]\w+: .*\\\*.*", codebook)
    keys = {*re.findall(r"`(\w+)`", " ".join(listed))}
    assert {"speaker", "counted", "affiliation"} <= keys
    lacking = {*ONLY_WITH_ROWS, "where", "happened", *(each.partition(".")[2] for each in {*OPTIONAL} - USED)}
    assert keys.intersection(lacking) == set()
    assert not re.search(r"(?m)^- (Motive|Act|Date|Place|Relation)\b", codebook)
    ran = run("export", "sqlite", "--without-relatives", "--out", tmp_path / "fewer", where=flood)
    assert ran.returncode == 0, ran.stderr
    [path] = (tmp_path / "sqlite").glob("*.db")
    database = sqlite3.connect(path)
    views = [name for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'view'")]
    assert [database.execute(f"SELECT count(*) FROM {view}").fetchone() for view in sorted(views)] == [(0,), (3,), (5,)]  # noqa: S608
    database.close()


def test_a_diff_says_which_column_came_or_went_and_for_which_record(flood: Path, ranked: Path) -> None:
    def compared(old: Path, new: Path) -> tuple[dict[str, str], str]:
        with changes.opened(old / "dist") as before, changes.opened(new / "dist") as after:
            found = changes.compare(before, after)
        return {change_report.name(change): change.kind for change in found.changes}, changes.least_version(found)

    record = {"mentions/flood-m2": "meaning"}
    assert compared(flood, ranked) == ({**record, "mentions, columns": "addition"}, "0.2.0")
    assert compared(ranked, flood) == ({**record, "mentions, columns": "meaning"}, "0.1.1")


# ---- a column that is taken out --------------------------------------------------------------------------------------


def without_column(files: Files, place: str, *, explained: bool) -> Files:
    """Return the files of a package from which a column was taken, with its provenance unless `explained`."""
    table, _, column = place.partition(".")
    changed = dict(files)
    rows = table_of(changed, table)
    number = rows[0].index(column)
    put(changed, table, [[*row[:number], *row[number + 1 :]] for row in rows])
    if not explained:
        provenance = table_of(changed, "provenance")
        kept = [row for row in provenance if not row[0].startswith(f"{place}.") and row[0] != place]
        put(changed, "provenance", kept)
    descriptor = descriptor_of(changed)
    [resource] = [each for each in descriptor["resources"] if each["name"] == table]
    schema = resource["schema"]
    schema["fields"] = [field for field in schema["fields"] if field["name"] != column]
    keys = schema.pop("foreignKeys", [])
    if kept_keys := [key for key in keys if key["fields"] != [column]]:
        schema["foreignKeys"] = kept_keys
    describe(changed, descriptor)
    renew(changed)
    return changed


EMPTY = re.compile(
    r"\.(push|pull|barrier|withdrawn_entries|departed|close_match|happened\w*|genre|url|url_basis|part_of)$"
)
FILLED = [place for place in OPTIONAL if not EMPTY.search(place)]
"""The optional columns of the invented package."""


@pytest.mark.parametrize("place", FILLED)
def test_the_verifier_misses_a_column_that_was_taken_out(place: str, whole: Files, tmp_path: Path) -> None:
    changed = without_column(whole, place, explained=True)
    code, output = verify(*SEEDS, lay(changed, tmp_path / "dist"))
    assert code == 1
    assert any("column_name must be a column of table_name" in fault for fault in faults(output))


@pytest.mark.parametrize(
    "place", ["mentions.rank", "mentions.years_of_service", "speakers.rank_class", "speakers.branch"]
)
def test_a_column_is_missed_by_its_words_too(place: str, whole: Files, tmp_path: Path) -> None:
    changed = without_column(whole, place, explained=False)
    code, output = verify(*SEEDS, lay(changed, tmp_path / "dist"))
    assert code == 1
    assert any("must be filled, because" in fault or "used must count" in fault for fault in faults(output))
