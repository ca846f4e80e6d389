"""Promises that validation checks beyond the standard; the command, and the build."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from calling import run as command
from conftest import INVENTED, spread
from consistent_tampering import as_parquet, cell, on
from defectors_data.package import descriptor as package_room
from defectors_data.package import validation
from tampering import Damage, Files, descriptor_of, files_in, lay, renew
from test_validation import STRING, beyond, frictionless_is_content, judged, small

# ---- promises beyond the standard ----------------------------------------------------------------------------
from test_verify import whole

__all__ = ["whole"]  # a fixture


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
    "start at end": (of_column("ledger", "end", lambda _: "0"), "expected 0 <= start < end"),
    "past the source": (of_column("ledger", "end", lambda _: "99999"), "expected end <= chars of its source"),
    "words": (of_column("spans", "exact", lambda text: text + "x"), "length of exact differs from its offsets"),
    "units": (of_column("spans", "start_utf16", lambda _: "0", 2), "start in UTF-16 units or bytes is impossible"),
}


@pytest.mark.parametrize(("damage", "sentence"), spread(PROMISES.values(), 3))
def test_a_broken_promise_is_found(damage: Damage, sentence: str, whole: Files, tmp_path: Path) -> None:
    damaged = dict(whole)
    damage(damaged)
    with_twins(damaged)
    folder = lay(damaged, tmp_path / "p")
    by_the_standard, found = judged(folder)
    assert by_the_standard == []
    assert any(sentence in fault for fault in found)
    assert all(fault.startswith("data/") and ".csv:" in fault for fault in found)


@pytest.mark.deep
def test_frictionless_is_content_though_all_promises_are_broken(whole: Files, tmp_path: Path) -> None:
    damaged = dict(whole)
    for damage, _ in PROMISES.values():
        damage(damaged)
    with_twins(damaged)
    assert frictionless_is_content(lay(damaged, tmp_path / "p"))


def test_whole_packages_made_anew_keep_all_promises(whole: Files, tmp_path: Path) -> None:
    anew = dict(whole)
    with_twins(anew)
    assert validation.validate(lay(anew, tmp_path / "p")).faults == []


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
                    table.column_names.index("start"), "start", pa.array([10**6] * len(table))
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
    folder = lay(damaged, tmp_path / "p")
    by_the_standard, found = judged(folder)
    assert by_the_standard == []
    assert (fault in found) if fault else (found == [])


def test_a_parquet_of_no_content_is_found(whole: Files, tmp_path: Path) -> None:
    damaged = {**whole, "data/spans.parquet": b"PAR1"}
    renew(damaged)
    assert beyond(lay(damaged, tmp_path / "p")) == [
        "data/spans.parquet: cannot be read (InvalidInputException)",
    ]


def test_a_table_in_several_files_is_refused(tmp_path: Path) -> None:
    files = small(b"", STRING, path=["one.csv", "two.csv"]) | {"one.csv": b"a\nx\n", "two.csv": b"a\nz\n"}
    [fault] = validation.validate(lay(files, tmp_path / "p")).faults
    assert fault.sentence == "must describe each resource as an object with the path of one file"


# ---- the command, and the build ------------------------------------------------------------------------------


def test_verify_fast_says_what_is_wrong_and_exits_1(whole: Files, tmp_path: Path) -> None:
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
def test_a_large_package_is_validated_in_a_process_that_ends(package: Path, tmp_path: Path) -> None:
    package_room.inspect(package, most_rows=0)
    folder = Path(shutil.copytree(package, tmp_path / "p"))
    files = files_in(folder)
    parquet_of(files, lambda table: table.slice(1))
    renew(files)
    with pytest.raises(
        package_room.InvalidPackageError, match=r"data/spans\.parquet: number of rows differs from the CSV"
    ):
        package_room.inspect(lay(files, folder), most_rows=0)
