"""`diff` finds every record that differs, in its class, and counts what only follows from it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from datetime import date
from operator import itemgetter
from pathlib import Path
from typing import Any

import jsonschema
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pytest
import yaml

from calling import run
from conftest import INVENTED, PROJECT, built, edit
from defectors_data import build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.models.diff import Changes
from defectors_data.models.tables import ROWS
from defectors_data.package import published_folder
from defectors_data.pipeline import Options
from defectors_data.publishers import change_report, changes
from defectors_data.publishers.changes import PublishedPackage, compare, least_version
from defectors_data.publishers.release_register import cited_record_state
from defectors_data.rows.citation_formats import reference

FIRST = "annotations/900_example.yaml"
SEED = "seeds/900_example.txt"
KEYS = {row.TABLE.name: row.TABLE.key for row in ROWS if row.TABLE.name != "history"}
COUNTED = ["used", "chars_revealed", "prefix", "suffix"]
BATCHES = yaml.safe_load((PROJECT / "tests/edits.yaml").read_text(encoding="utf-8"))


def package(tmp: Path, edits: Iterable[dict[str, str]] = (), version: str = "1.2.3") -> PublishedPackage:
    """Return what a build of the invented corpus with some edits would publish."""
    texts: dict[str, str] = {}
    for file, old, new in map(itemgetter("file", "old", "new"), edits):
        text = texts.get(file) or (INVENTED / file).read_bytes().decode()
        assert text.count(old) == 1, f"{old!r} is found {text.count(old)} times"
        texts[file] = text.replace(old, new)
    if SEED in texts:
        digest = hashlib.sha256(texts[SEED].encode()).hexdigest()
        texts[FIRST] = re.sub(r"sha256: \w+", f"sha256: {digest}", texts[FIRST], count=1)
    changed = {file: tmp / file.replace("/", "-") for file in texts}
    for file, path in changed.items():
        path.write_bytes(texts[file].encode())
    (tmp / "made").mkdir()
    corpus = CorpusReader(FileTree(INVENTED, dict(changed)))
    checked, _ = build.write_tables(corpus, tmp / "made", Options(since_release=False))
    assert checked.findings == []
    return PublishedPackage(version, changes.tables_in(tmp / "made"))


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> PublishedPackage:
    return package(tmp_path_factory.mktemp("old"))


def kinds(found: Changes) -> dict[str, str]:
    return {change_report.name(change): change.kind for change in found.changes}


def rows_that_differ(old: PublishedPackage, new: PublishedPackage) -> dict[str, set[str]]:
    """Return the keys of the rows that differ by table, as a few lines of pandas find them."""
    found = {}
    for name, key in KEYS.items():
        both = pd.concat([each.tables[name].to_pandas() for each in (old, new)])
        found[name] = set(both.drop(columns=COUNTED, errors="ignore").drop_duplicates(keep=False)[key])
    return found


@pytest.mark.parametrize("batch", BATCHES)
def test_every_edit_is_found_in_its_class_and_nothing_else(batch: str, old: PublishedPackage, tmp_path: Path) -> None:
    new = package(tmp_path, BATCHES[batch]["edits"])
    expected = {name: kind for kind, names in BATCHES[batch]["changes"].items() for name in names}
    found = compare(old, new)
    assert kinds(found) == expected
    differing = rows_that_differ(old, new)
    listed = {change.table: 0 for change in found.changes} | dict.fromkeys(KEYS, 0)
    for change in found.changes:
        listed[change.table] += change.id in differing[change.table]
        for derived in change.derived:
            listed[derived.table] += derived.rows
    assert listed == {name: len(ids) for name, ids in differing.items()}, "each row that differs is counted once"
    assert kinds(compare(new, new)) == {}


def test_forty_edits_and_more_are_scripted() -> None:
    assert sum(len(batch["edits"]) for batch in BATCHES.values()) >= 40


CELLS = [
    ("testimonies", "example-t5", "text", "The lamps", "id-reassigned"),
    ("testimonies", "example-t5", "start_offset", 1, "id-reassigned"),
    ("testimonies", "example-t5", "mode", "indirect", "meaning"),
    ("testimonies", "example-t5", "note", "A note.", "wording"),
    ("figures", "example-f1", "value", 41.0, "meaning"),
    ("figures", "example-f1", "hedge", "about", "meaning"),
    ("figures", "example-f1", "interval_low", 1.0, "meaning"),
    ("figures", "example-f1", "source_id", "second", "id-reassigned"),
    ("speakers", "mira-fenn", "name", "Another", "id-reassigned"),
    ("speakers", "mira-fenn", "name", None, "meaning"),
    ("mentions", "example-m2", "age", 37, "meaning"),
    ("sources", "example", "seed_file", "another.txt", "meaning"),
    ("relations", "example-r1", "outcome", "fails", "meaning"),
    ("comparisons", "example-f6.example-f7", "note", None, "wording"),
    ("measures", "inns", "label", "The inns", "wording"),
]


def edited(
    package: PublishedPackage, table: str, column: str, values: list[Any], kind: pa.DataType | None = None
) -> PublishedPackage:
    """Return a package with other values in a column."""
    old = package.tables[table]
    array = pa.array(values, kind or old.schema.field(column).type)
    new = old.set_column(old.column_names.index(column), column, array)
    return package._replace(tables={**package.tables, table: new})


@pytest.mark.parametrize(("table", "name", "column", "value", "kind"), CELLS)
def test_a_cell_has_the_class_of_its_column(
    table: str, name: str, column: str, value: object, kind: str, old: PublishedPackage
) -> None:
    rows = old.tables[table].to_pylist()
    new = edited(old, table, column, [value if row[KEYS[table]] == name else row[column] for row in rows])
    [change] = compare(old, new).changes
    assert (change.table, change.id, change.kind) == (table, name, kind)
    [cell] = change.cells
    assert (cell.column, cell.after, cell.withheld) == (column, value, value is None)


def test_the_text_and_the_place_of_a_source_make_its_identity(old: PublishedPackage) -> None:
    first, *others = old.tables["sources"]["sha256"].to_pylist()
    new = edited(old, "sources", "sha256", ["0" * 64, *others])
    assert kinds(compare(old, new)) == {"sources/example": "id-reassigned"}, "the old text is not listed"
    new = edited(new, "sources", "earlier_sha256", [first, *[None for _ in others]])
    assert kinds(compare(old, new)) == {"sources/example": "meaning"}
    new = edited(new, "sources", "seed_file", ["another.txt", "901_second.txt"])
    assert kinds(compare(old, new)) == {"sources/example": "id-reassigned"}


def test_the_schema_decides_the_first_number_of_the_version(old: PublishedPackage) -> None:
    figures = old.tables["figures"]
    gone = old._replace(tables={**old.tables, "figures": figures.drop_columns(["counted"])})
    other = edited(old, "figures", "value", figures["value"].cast(pa.int64()).to_pylist(), pa.int64())
    without = old._replace(tables={name: table for name, table in old.tables.items() if name != "ledger"})
    for new in (gone, other, without):
        assert {each.kind for each in compare(old, new).changes} == {"schema-break"}
        assert least_version(compare(old, new)) == "2.0.0"
    assert least_version(compare(gone, old)) == "1.3.0"
    assert least_version(compare(old, old)) == "1.2.3"


def test_the_provenance_of_columns_is_summed_up_by_table(old: PublishedPackage) -> None:
    rows = old.tables["provenance"].to_pylist()
    new = edited(old, "provenance", "note", [row["note"] if row["record_id"] != "*" else "Another." for row in rows])
    found = compare(old, new).changes
    assert {(change.table, change.kind) for change in found} == {("provenance", "meaning")}
    assert {"figures", "spans", "terms"} < {change.id for change in found} <= {*KEYS, "history"}


def test_records_decide_the_second_number_and_corrections_the_third(old: PublishedPackage, tmp_path: Path) -> None:
    versions = {}
    for number, name in enumerate(("more of everything", "words of annotators")):
        (tmp_path / str(number)).mkdir()
        versions[name] = least_version(compare(old, package(tmp_path / str(number), BATCHES[name]["edits"])))
    assert versions == {"more of everything": "1.3.0", "words of annotators": "1.2.4"}


# ---- takedowns ---------------------------------------------------------------------------------------------------


@pytest.mark.deep
def test_a_diff_does_not_contain_removed_words(copied: Path, tmp_path: Path) -> None:
    assert built(copied, copied / "dist").outcome == "published"
    name, content = published_folder.archive(copied / "dist")
    (tmp_path / name).write_bytes(content)
    assert run("takedown", "mira-fenn", "--reason", "person", where=copied).returncode == 0
    page = tmp_path / "page.html"
    text = run("diff", tmp_path / name, "dist", "--html", page, where=copied)
    assert text.returncode == 0, text.stdout
    assert "withdrawn: " in text.stdout
    assert "speakers/withdrawn-speaker-1" in text.stdout
    as_json = run("diff", tmp_path / name, "dist", "--format", "json", where=copied)
    for written in (text.stdout, as_json.stdout, page.read_text(encoding="utf-8")):
        assert not re.search("fenn|mira|clerk|quiet|boats and", written, re.IGNORECASE)
    back = run("diff", "dist", tmp_path / name, where=copied)
    assert not re.search("clerk|quiet|boats and", back.stdout, re.IGNORECASE)


def test_motives_and_acts_are_removed_with_their_testimony(old: PublishedPackage) -> None:
    testimony = {"source_id": "example", "testimony_id": "example-t2"}
    motive = pa.Table.from_pylist([{"motive_id": "example-t2.motive.1", **testimony}])
    act = pa.Table.from_pylist([{"act_id": "example-t2.act.1", **testimony}])
    before = PublishedPackage(old.version, {**old.tables, "motives": motive, "acts": act})
    said = old.tables["testimonies"]
    others = said.filter(pc.field("testimony_id") != "example-t2")
    after = PublishedPackage(old.version, {**old.tables, "testimonies": others})
    lost = [each for each in compare(before, after).changes if each.kind == "id-removed-without-tombstone"]
    assert [(each.table, each.id) for each in lost] == [("testimonies", "example-t2")]
    assert {(rows.table, rows.rows) for rows in lost[0].derived} >= {("motives", 1), ("acts", 1)}

    read_by_build = dict(before.tables)
    for name in ("motives", "acts"):
        table = before.tables[name]
        read_by_build[name] = table.select([each for each in table.column_names if each in changes.IDENTITY[name]])
    for package in (before, PublishedPackage(old.version, read_by_build)):
        alone = compare(package, old).changes
        assert {each.table for each in alone if each.kind == "id-removed-without-tombstone"} == {"motives", "acts"}


def test_a_protected_name_is_not_repeated(old: PublishedPackage) -> None:
    speakers = old.tables["speakers"].to_pylist()
    new = edited(old, "speakers", "name", [None for _ in speakers])
    shown = "\n".join(change_report.lines(compare(old, new)))
    assert "withheld" in shown
    assert not re.search("Mira|Bruno", shown)


def test_a_changelog_has_the_old_and_new_codes_and_numbers_and_none_of_a_protected_person(
    old: PublishedPackage,
) -> None:
    protected = {row["speaker_id"] for row in old.tables["speakers"].to_pylist() if row["protected"]}
    testimonies = old.tables["testimonies"].to_pylist()
    [first, *_] = [row for row in testimonies if row["speaker_id"] in protected]
    changed = {"example-t4": "doubts", first["testimony_id"]: "denies"}
    stances = [changed.get(row["testimony_id"], row["stance"]) for row in testimonies]
    new = edited(old, "testimonies", "stance", stances)
    values = [41.0 if row["figure_id"] == "example-f1" else row["value"] for row in old.tables["figures"].to_pylist()]
    new = edited(new, "figures", "value", values)
    mentions = old.tables["mentions"].to_pylist()
    new = edited(new, "mentions", "age", [37 if row["age"] else None for row in mentions])
    text = change_report.changelog("# Changelog\n", compare(old, new._replace(version="1.2.4")))
    assert [line for line in text.splitlines() if line.startswith("  - ")] == [
        "  - `testimonies.stance`: from `asserts` to `doubts`, 1 record.",
        "  - `figures.value`: from `40` to `41`, 1 record.",
    ]
    assert "`testimonies` 2" in text
    unprotected = [row | {"protected": False} for row in old.tables["speakers"].to_pylist()]
    named = old._replace(
        tables={**old.tables, "speakers": pa.Table.from_pylist(unprotected, old.tables["speakers"].schema)}
    )
    of_named = change_report.changelog(
        "", compare(named, named._replace(tables={**named.tables, "testimonies": new.tables["testimonies"]}))
    )
    assert "to `denies`, 1 record." in of_named


# ---- references --------------------------------------------------------------------------------------------------


def test_a_cited_record_is_unchanged_changed_withdrawn_or_unknown(old: PublishedPackage) -> None:
    rows = old.tables["testimonies"].to_pylist()
    [row] = [row for row in rows if row["testimony_id"] == "example-t4"]
    cited = reference("example-t4", row, old.version)
    assert cited_record_state(cited, old).state == "unchanged"
    history = {"record_id": "example-t4", "record_table": "testimonies", "change": "meaning"}
    noted = {"change": "wording", "last_changed_version": "1.2.11"}
    for last, state in (
        ({"last_changed_version": "1.2.3"}, "unchanged"),
        ({**noted, "corrected_version": None}, "unchanged"),
        ({**noted, "corrected_version": "1.2.3"}, "unchanged"),
        ({**noted, "corrected_version": "1.2.10"}, "changed"),
        ({"last_changed_version": "1.2.10"}, "changed"),
    ):
        past = pa.Table.from_pylist([{**history, **last}])
        now = cited_record_state(cited, PublishedPackage("1.2.10", {**old.tables, "history": past}))
        assert now.state == state
    assert now.sentence == (
        "Version 1.2.10 contains testimonies/example-t4 with the cited words at the cited place, but in version "
        "1.2.10, a value, or the words that support it, changed."
    )
    shorter = edited(old, "testimonies", "text", [row["text"][:9] for row in rows])
    assert cited_record_state(cited, shorter).state == "changed"
    without = {**old.tables, "testimonies": old.tables["testimonies"].slice(0, 0)}
    assert cited_record_state(cited, PublishedPackage("2.0.0", without)).state == "unknown"
    stone = {"record_table": "testimonies", "record_id": "example-t4", "date": date(2026, 1, 31), "reason_class": "law"}
    without["tombstones"] = pa.Table.from_pylist([stone], old.tables["tombstones"].schema)
    gone = cited_record_state(cited, PublishedPackage("2.0.0", without))
    assert gone.state == "withdrawn"
    assert gone.sentence == "The record was taken down (2026-01-31, reason: law) and is no longer published."


@pytest.mark.deep
def test_a_citation_is_compared_with_a_release(copied: Path) -> None:
    assert built(copied, copied / "dist").outcome == "published"
    page = (copied / "dist/index.html").read_text(encoding="utf-8")
    [cited] = set(re.findall("example-t4@1.2.3:sha256:[0-9a-f]{12}", page))
    (copied / "dist").rename(copied / "old")
    assert run("verify-citation", f"Invented. {cited}.", "old", where=copied).stdout == (
        "unchanged: Version 1.2.3 contains testimonies/example-t4 with the cited words at the cited place.\n"
    )
    edit(copied, FIRST, "an oar and drifted until morning.", "an oar and drifted")
    assert built(copied, copied / "dist").outcome == "published"
    changed = run("verify-citation", cited, "--cited", "old", where=copied)
    assert changed.returncode == 1
    assert changed.stdout.startswith("changed: ")
    assert "drifted[- until morning.-]" in changed.stdout
    assert run("verify-citation", "example-t4", "old", where=copied).returncode == 2


# ---- the command -------------------------------------------------------------------------------------------------


def test_the_default_compares_dist_with_the_next_build(copied: Path) -> None:
    assert built(copied, copied / "dist").outcome == "published"
    same = run("diff", where=copied)
    assert (same.returncode, same.stdout) == (0, "The data of the two packages are the same (version 1.2.3).\n")
    path = copied / FIRST
    path.write_text(path.read_text().replace("an oar and drifted until morning.", "an oar and drifted"))
    page = copied / "build/changes.html"
    found = run("diff", "--html", "build/changes.html", where=copied)
    assert found.returncode == 1
    assert "    text: In the fog he lost an oar and drifted[- until morning.-]\n" in found.stdout
    assert "The new version must be at least 1.2.4." in found.stdout
    html = page.read_text(encoding="utf-8")
    assert "drifted<del> until morning.</del>" in html
    assert not re.search(r"<script|<link|src=|https?:", html)
    document = json.loads(run("diff", "--format", "json", where=copied).stdout)
    schema = json.loads((PROJECT / "schema/changes.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)


def test_a_diff_needs_two_packages(copied: Path) -> None:
    missing = run("diff", where=copied)
    assert (missing.returncode, missing.stderr) == (2, "dist is neither a published folder nor a zip of one.\n")
    assert run("diff", "dataset.yaml", "dist", where=copied).returncode == 2


def test_findings_are_reported_where_a_build_would_publish_nothing(copied: Path) -> None:
    assert built(copied, copied / "dist").outcome == "published"
    path = copied / FIRST
    path.write_text(path.read_text().replace("evidence: two inns", "evidence: three inns"))
    found = run("diff", where=copied)
    assert found.returncode == 1
    assert "evidence-not-found" in found.stdout
