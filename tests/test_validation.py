"""Validation with DuckDB finds what frictionless finds in a package, and what our tables promise beyond it."""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import frictionless
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from calling import run as command
from conftest import INVENTED, PROJECT, content, spread
from consistent_tampering import all_faults, as_parquet, cell, on
from defectors_data.package import descriptor as package_room
from defectors_data.package import filesystem, validation
from tampering import Damage, Files, describe, descriptor_of, digest, lay, renew


def is_valid_for_frictionless(folder: Path) -> bool:
    """Return the result of frictionless; a package with which it fails is not valid."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return bool(frictionless.Package(str(folder / "datapackage.json")).validate().valid)
        except Exception:  # noqa: BLE001  # any error of another program
            return False


def faults(folder: Path) -> list[str]:
    return [str(fault) for fault in validation.validate(folder).faults]


# ---- whole and damaged packages ------------------------------------------------------------------------------


def test_a_whole_package_has_no_fault(package: Path) -> None:
    for folder in (package, PROJECT / "dist"):
        report = validation.validate(folder)
        assert report.faults == []
        assert sum(report.rows.values()) > 400
        assert len(report.rows) > 15


def one_of_each_kind(whole: Files) -> list[tuple[str, str, Damage]]:
    return list({fault[0]: fault for fault in all_faults(whole)}.values())


def missed(whole: Files, folder: Path, damages: Iterable[tuple[str, str, Damage]]) -> list[str]:
    """Return the damages that frictionless finds and validation does not."""
    missed = []
    for kind, place, damage in damages:
        damaged = dict(whole)
        damage(damaged)
        renew(damaged)
        if not faults(lay(damaged, folder)) and not is_valid_for_frictionless(folder):
            missed.append(f"{kind}: {place}")
    return missed


@pytest.mark.deep
def test_all_damage_that_frictionless_finds_is_found(whole: Files, tmp_path: Path) -> None:
    assert missed(whole, tmp_path / "dist", one_of_each_kind(whole)[::8]) == []


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(8))
def test_every_damage_that_frictionless_finds_is_found(whole: Files, tmp_path: Path, first: int) -> None:
    assert missed(whole, tmp_path / "dist", islice(all_faults(whole), first, None, 8)) == []


# ---- single faults ---------------------------------------------------------------------------------------------


def small(content: bytes, *fields: dict[str, Any], **schema: Any) -> Files:
    """Return a package of one table, as this program describes it; the first field is the primary key."""
    dialect = {"header": True, "delimiter": ",", "lineTerminator": "\n", "quoteChar": '"', "doubleQuote": True}
    described = {"fields": list(fields), "missingValues": [""], "primaryKey": [fields[0]["name"]], **schema}
    resource: dict[str, Any] = {"name": "one", "type": "table", "path": "one.csv", "format": "csv", "encoding": "utf-8"}
    resource |= {"mediatype": "text/csv", "dialect": dialect, "schema": described}
    resource |= {"bytes": len(content), "hash": f"sha256:{digest(content)}", "orderedBy": [fields[0]["name"]]}
    profile = "https://datapackage.org/profiles/2.0/datapackage.json"
    descriptor = {"$schema": profile, "name": "x", "resources": [resource]}
    return {"one.csv": content, "datapackage.json": json.dumps(descriptor).encode()}


STRING = {"name": "a", "type": "string"}
INTEGER = {"name": "a", "type": "integer"}


def limited(field: dict[str, Any], **constraints: Any) -> dict[str, Any]:
    return {**field, "constraints": constraints}


@pytest.mark.parametrize(
    ("content", "field", "expected"),
    [
        (b"a\n1\n2\n", INTEGER, []),
        (b"a\nx\n1\n", INTEGER, ["one.csv:2: a: expected type integer"]),
        (b"a\n02\n3\n", INTEGER, ["one.csv:2: a: expected type integer"]),
        (b"a\n9\n", limited(INTEGER, maximum=8), ["one.csv:2: a: expected value <= 8"]),
        (b"a\n8\n", limited(INTEGER, maximum=8), []),
        (b"a\n0\n", limited(INTEGER, minimum=1, maximum=8), ["one.csv:2: a: expected 1 <= value <= 8"]),
        (b'a\n""\nx\n', STRING, ["one.csv:2: a: value is required"]),
        (b"a\nx\n\xff\n", STRING, ["one.csv: cannot be read (UnicodeDecodeError)"]),
        (b'a\n"x\n', STRING, []),
        (b"b\nx\n", STRING, ["one.csv:1: columns differ from the schema"]),
        (b"a \nx\n", STRING, ["one.csv:1: columns differ from the schema"]),
        (b"", STRING, ["one.csv:1: columns differ from the schema"]),
        (b"a", STRING, []),
        (b"a\nx,y\n", STRING, ["one.csv:2: number of cells differs from the number of columns"]),
        (b'a\n"x\ny"\nx,\n', STRING, ["one.csv:3: number of cells differs from the number of columns"]),
        (b"a\nxb\n", limited(STRING, pattern="a|b"), ["one.csv:2: a: expected a match of 'a|b'"]),
        (b"a\nb\n", limited(STRING, pattern="a|b"), []),
        (b"a\nc\n", limited(STRING, enum=["a", "b"]), ["one.csv:2: a: expected one of the values in the schema"]),
        (b"a\nb\na\n", STRING, ["one.csv:3: expected ascending order of a"]),
        ("a\nB\na\nz\n\u00e9\n\uffee\n\U0001f600\n".encode(), STRING, []),
        (
            b"a\nx\nx\n",
            STRING,
            ["one.csv:3: a: duplicate value", "one.csv:3: expected ascending order of a"],
        ),
    ],
)
def test_a_fault_has_a_place(content: bytes, field: dict[str, Any], expected: list[str], tmp_path: Path) -> None:
    assert faults(lay(small(content, field), tmp_path / "p")) == expected


def test_a_foreign_key_is_found_in_its_table_or_empty(tmp_path: Path) -> None:
    key = {"fields": ["b"], "reference": {"resource": "one", "fields": ["a"]}}
    files = small(b"a,b\nx,\ny,x\nz,w\n", STRING, {"name": "b", "type": "string"}, foreignKeys=[key])
    assert faults(lay(files, tmp_path / "p")) == ["one.csv:4: b: not found in one: a"]


def test_rows_past_the_first_of_a_rule_are_counted(tmp_path: Path) -> None:
    number = validation.MAX_ROWS_SHOWN + 1_000
    folder = lay(small(b"b,a\n" + b"".join(b"%05d,x\n" % n for n in range(number)), B, INTEGER), tmp_path / "p")
    *shown, rest = faults(folder)
    assert len(shown) == validation.MAX_ROWS_SHOWN
    assert rest.endswith(": a: expected type integer (further rows: 1,000)")


B = {"name": "b", "type": "string"}


def test_rows_are_numbered_through_all_blocks_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "_BLOCK", 1 << 12)
    lines = [b"%d" % number for number in range(20_000)]
    lines[14_800] = b"17"
    folder = lay(small(b"a\n" + b"\n".join(lines), INTEGER), tmp_path / "p")
    assert faults(folder) == ["one.csv:14802: a: duplicate value", "one.csv:14802: expected ascending order of a"]
    lines[14_900] = b"1,2"
    lay(small(b"a\n" + b"\n".join(lines), INTEGER), folder)
    assert faults(folder) == ["one.csv:14902: number of cells differs from the number of columns"]


def test_an_error_for_lack_of_memory_names_the_temporary_folder(
    whole: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validation, "MEMORY_LIMIT", "1MB")
    with pytest.raises(filesystem.NoTemporarySpaceError, match="set TMPDIR to use another folder"):
        validation.validate(lay(whole, tmp_path / "p"))


def test_a_query_that_a_signal_interrupts_is_no_fault(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise RuntimeError("Query interrupted")  # as DuckDB does, in place of what the handler raises

    monkeypatch.setattr(validation, "_row_rules", interrupted)
    with pytest.raises(KeyboardInterrupt):
        validation.validate(package)


def test_a_folder_may_have_any_name(package: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(package, tmp_path / "a[1]*'b' = c=d {x}"))
    assert faults(folder) == []


def test_no_cell_is_repeated(tmp_path: Path) -> None:
    for data in (b"a\nzqx7kwv\nzqx7kwv\n", b"a\nzqx7kwv,\n", b"a\nzqx7kwv\xff\n", b"zqx7kwv\n"):
        found = faults(lay(small(data, limited(STRING, enum=["b"])), tmp_path / "p"))
        assert found != []
        assert "zqx7kwv" not in " ".join(found)


# ---- descriptors -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"null", b"\xff\xfe", b"[" * 1_000_000, b'{"resources": [1]}', b'{"resources": [{}]}']
)
def test_a_damaged_descriptor_is_a_fault(content: bytes, tmp_path: Path) -> None:
    found = validation.validate(lay({"datapackage.json": content}, tmp_path / "p")).faults
    assert [fault.path for fault in found] == ["datapackage.json"]


def test_a_folder_without_descriptor_is_a_fault(tmp_path: Path) -> None:
    assert faults(tmp_path / "none") == ["datapackage.json: cannot be read (FileNotFoundError)"]


FOREIGN: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a path out of the folder": (lambda r: r.update(path="../x"), "must not refer to files outside the folder"),
    "several files": (lambda r: r.update(path=["a.csv", "b.csv"]), "resources.0.path"),
    "another dialect": (lambda r: r["dialect"].update(delimiter=";"), "resources.0.dialect.delimiter"),
    "another type": (lambda r: r["schema"]["fields"][0].update(type="year"), "resources.0.schema.fields.0.type"),
    "an unknown constraint": (
        lambda r: r["schema"]["fields"][0]["constraints"].update(minLength=2),
        "resources.0.schema.fields.0.constraints.minLength",
    ),
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_descriptor_that_this_program_does_not_write_is_refused(name: str, whole: Files, tmp_path: Path) -> None:
    change, where = FOREIGN[name]
    files = dict(whole)
    descriptor = descriptor_of(files)
    change(descriptor["resources"][0])
    describe(files, descriptor)
    [fault] = faults(lay(files, tmp_path / "p"))
    assert fault.startswith("datapackage.json: ")
    assert where in fault


# ---- promises beyond the standard ------------------------------------------------------------------------------


def with_twins(files: Files) -> None:
    """Make each Parquet anew from its CSV, and all sums, so that a broken promise is the only fault."""
    for resource in descriptor_of(files)["resources"]:
        if "alternateOf" in resource:
            old = pq.read_table(io.BytesIO(files[resource["path"]]))
            content = io.BytesIO(files[f"data/{resource['alternateOf']}.csv"])
            parse = pa.csv.ParseOptions(newlines_in_values=True)
            types = {field.name: field.type for field in old.schema}
            convert = pa.csv.ConvertOptions(column_types=types, strings_can_be_null=True, null_values=[""])
            files[resource["path"]] = as_parquet(pa.csv.read_csv(content, None, parse, convert))
    renew(files)


def of_column(table: str, column: str, change: Callable[[str], str], row: int = 1) -> Damage:
    return on(table, lambda rows: rows[row].__setitem__(at := rows[0].index(column), change(rows[row][at])))


PROMISES: dict[str, tuple[Damage, str]] = {
    "order": (on("spans", lambda rows: rows.insert(2, rows.pop(3))), "expected ascending order of"),
    "start at end": (of_column("ledger", "end_offset", lambda _: "0"), "expected 0 <= start_offset < end_offset"),
    "past the source": (
        of_column("ledger", "end_offset", lambda _: "99999"),
        "expected end_offset <= chars of its source",
    ),
    "words": (of_column("spans", "exact", lambda text: text + "x"), "length of exact differs from its offsets"),
    "units": (
        of_column("spans", "start_utf16", lambda _: "0", 2),
        "start_offset in UTF-16 units or bytes is",
    ),
}


@pytest.mark.parametrize(("damage", "sentence"), spread(PROMISES.values(), 3))
def test_a_broken_promise_is_found(damage: Damage, sentence: str, whole: Files, tmp_path: Path) -> None:
    damaged = dict(whole)
    damage(damaged)
    with_twins(damaged)
    found = faults(lay(damaged, tmp_path / "p"))
    assert any(sentence in fault for fault in found)
    assert all(fault.startswith("data/") and ".csv:" in fault for fault in found)


def test_whole_packages_made_anew_keep_all_promises(whole: Files, tmp_path: Path) -> None:
    anew = dict(whole)
    with_twins(anew)
    assert faults(lay(anew, tmp_path / "p")) == []


def parquet_of(files: Files, change: Callable[[pa.Table], pa.Table]) -> None:
    out = io.BytesIO()
    pq.write_table(change(pq.read_table(io.BytesIO(files["data/spans.parquet"]))), out, row_group_size=7)
    files["data/spans.parquet"] = out.getvalue()


@pytest.mark.parametrize(
    ("change", "fault"),
    spread(
        [
            (lambda table: table, None),
            (lambda table: table.slice(1), "data/spans.parquet: number of rows differs from the CSV"),
            (lambda table: table.slice(0, 3), "data/spans.parquet: number of rows differs from the CSV"),
            (lambda table: pa.concat_tables([table, table]), "data/spans.parquet: number of rows differs from the CSV"),
            (
                lambda table: table.select(table.column_names[1:]),
                "data/spans.parquet: columns or types differ from the CSV",
            ),
            (
                lambda table: table.set_column(
                    table.column_names.index("start_offset"), "start_offset", pa.array([10**6] * len(table))
                ),
                "data/spans.parquet:2: start: value differs from the CSV",
            ),
            (
                lambda table: table.set_column(8, table.column_names[8], table.column(8).cast(pa.float64())),
                "data/spans.parquet: columns or types differ from the CSV",
            ),
        ],
        3,
    ),
)
def test_a_parquet_that_is_not_its_csv_is_found(
    change: Callable[[pa.Table], pa.Table], fault: str | None, whole: Files, tmp_path: Path
) -> None:
    damaged = dict(whole)
    parquet_of(damaged, change)
    renew(damaged)
    found = faults(lay(damaged, tmp_path / "p"))
    assert (fault in found) if fault else (found == [])


def test_a_parquet_of_no_content_is_found(whole: Files, tmp_path: Path) -> None:
    damaged = {**whole, "data/spans.parquet": b"PAR1"}
    renew(damaged)
    assert faults(lay(damaged, tmp_path / "p")) == [
        "data/spans.parquet: cannot be read (InvalidInputException)",
    ]


# ---- the command, and the build ------------------------------------------------------------------------------


def test_verify_fast_reports_errors_and_exits_with_1(whole: Files, tmp_path: Path) -> None:
    folder = lay(whole, tmp_path / "p")
    ran = command("verify", "--fast", folder)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Checked with DuckDB: ")
    damaged = dict(whole)
    cell("figures", 1, 0, "")(damaged)
    ran = command("verify", "--fast", lay(damaged, folder))
    assert ran.returncode == 1
    assert "data/figures.csv:2: figure_id: value is required\n" in ran.stdout
    assert "Traceback" not in ran.stderr
    assert command("verify", "--fast", "--seeds", INVENTED / "seeds", folder).returncode == 2
    assert command("verify", "--fast", tmp_path / "none").returncode == 2


def test_verify_fast_without_duckdb_says_how_to_install_it(package: Path) -> None:
    code = "import sys; sys.modules['duckdb'] = None; from defectors_data.cli import main; raise SystemExit(main())"
    ran = subprocess.run(
        [sys.executable, "-c", code, "verify", "--fast", str(package)], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "Checking tables and Parquet files requires duckdb: install the extra `build`.\n"


@pytest.mark.deep
def test_a_large_package_is_validated_in_a_process_that_ends(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validation, "_MOST_BYTES", 0)
    package_room.inspect(package)
    folder = Path(shutil.copytree(package, tmp_path / "p"))
    files = content(folder)
    parquet_of(files, lambda table: table.slice(1))
    renew(files)
    with pytest.raises(
        package_room.InvalidPackageError, match=r"data/spans\.parquet: number of rows differs from the CSV"
    ):
        package_room.inspect(lay(files, folder))
