"""The verifier accepts packages that are whole, refuses what it does not know, and needs nothing but Python."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from calling import Ran
from calling import run as command
from conftest import INVENTED, PROJECT, built, found_in, in_parts, repin
from conftest import edit as change
from consistent_tampering import as_parquet, both, cell, on
from defectors_data.build import build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.reader import CorpusReader
from defectors_data.models.tables import ROW_OF
from defectors_data.package import verify
from defectors_data.package.descriptor import InvalidPackageError
from tampering import (
    SEEDS,
    SOURCE,
    Damage,
    Files,
    Table,
    after,
    describe,
    described,
    descriptor_of,
    digest,
    edit,
    faults,
    lay,
    put,
    renew,
    run,
    summed,
    table_of,
    with_verifier,
)

# ---- packages that are whole ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seeds", [True, False])
@pytest.mark.parametrize("root", [PROJECT, INVENTED], ids=["published", "invented"])
def test_a_whole_package_passes(root: Path, package: Path, tmp_path: Path, *, seeds: bool) -> None:
    folder = lay(with_verifier(PROJECT / "dist" if root == PROJECT else package), tmp_path / "dist")
    articles: list[str | Path] = ["--seeds", root / "seeds"]
    code, output = run(*(articles if seeds else []), folder)
    assert (code, faults(output)) == (0, [])


UNBALANCED = {
    "closing": (
        ("“I will not go back.\n", "“I will not go back, the keeper said.\n"),
        ("text: I will not go back., unbalanced", 'text: "I will not go back,", unbalanced'),
        "I will not go back,",
    ),
    "opening": (
        ("It’s quiet tonight,” Mira Fenn said.", "Fenn told him, it’s quiet tonight,” Mira Fenn said."),
        ('text: "It’s quiet tonight,", unbalanced', 'text: "it’s quiet tonight,", unbalanced'),
        "it’s quiet tonight,",
    ),
    "neither": (
        ("“I will not go back.\n", "“I will not go back.”\n"),
        (", unbalanced: closing", ""),
        "I will not go back.",
    ),
}


@pytest.mark.parametrize(("missing", "layout"), [("closing", "files"), ("opening", "shards"), ("neither", "files")])
def test_a_quotation_without_a_mark_extends_as_far_as_its_testimony(
    copied: Path, tmp_path: Path, missing: str, layout: str
) -> None:
    """The verifier and the build agree, and the ledger gives the words of the writer to nobody."""
    printed, annotated, words = UNBALANCED[missing]
    change(copied, "seeds/900_example.txt", *printed)
    change(copied, "annotations/900_example.yaml", *annotated)
    repin(copied, "900_example")
    root = copied if layout == "files" else in_parts(copied, tmp_path / "parts")
    assert built(root, tmp_path / "dist").outcome == "published"
    assert run("--seeds", copied / "seeds", tmp_path / "dist")[0] == 0
    rows = pq.read_table(tmp_path / "dist/data/ledger.parquet").to_pylist()
    assert [row["text"] for row in rows if words[:10] in (row["text"] or "")] == [words]


# ---- the build runs it -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["copied", "parts"])
def test_a_build_publishes_nothing_that_its_verifier_rejects(
    request: pytest.FixtureRequest, tmp_path: Path, layout: str
) -> None:
    """Here the seeds are gone before the package is verified."""
    root: Path = request.getfixturevalue(layout)
    corpus = CorpusReader(FileTree(root))

    def remove_seeds(*_: object) -> list[Finding]:
        shutil.rmtree(root / "seeds")
        (root / "seeds").mkdir()
        return []

    sentence = "must be in the folder given with --seeds"
    with pytest.raises(InvalidPackageError, match=sentence):
        build(corpus, tmp_path / "dist", review=remove_seeds)
    assert not (tmp_path / "dist").exists()


def test_the_verifier_lists_what_it_checked_and_what_it_cannot_check(whole: Files, tmp_path: Path) -> None:
    _, output = run(*SEEDS, lay(whole, tmp_path / "dist"))
    checked, absent, title, *unseen = output.splitlines()
    spans = len(table_of(whole, "spans")) - 1
    assert f"; files {len(whole)}; " in checked
    assert f" spans {spans}," in checked
    columns, tables = 0, []
    for table, row in ROW_OF.items():
        if f"data/{table}.csv" in whole:
            columns += len(row.model_fields.keys() - {*table_of(whole, table)[0]})
        else:
            tables.append(table)
    assert absent == f"Optional, and not in this package: columns {columns}; tables: {', '.join(tables)}."
    assert title == "Not checked:"
    assert "Parquet" in unseen[0]
    assert any("notes" in line for line in unseen)
    assert "--seeds" not in " ".join(unseen)
    _, output = run(lay(whole, tmp_path / "dist"))
    assert output.splitlines()[-1].startswith("- without --seeds: ")


def test_the_verifier_in_the_package_runs_without_the_project(whole: Files, tmp_path: Path) -> None:
    folder = lay(whole, tmp_path / "dist")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    command = [sys.executable, "-I", "-S", str(folder / "verify.py")]
    for arguments in ([], ["--seeds", str(INVENTED / "seeds")]):
        ran = subprocess.run(command + arguments, cwd=elsewhere, env={}, capture_output=True, check=False)
        assert (ran.returncode, ran.stderr) == (0, b"")
    (folder / "README.md").write_bytes(b"changed")
    ran = subprocess.run(command, cwd=elsewhere, env={}, capture_output=True, check=False)
    assert (ran.returncode, ran.stderr) == (1, b"")
    assert b"README.md: checksum differs from SHA256SUMS" in ran.stdout
    ran = subprocess.run([*command, "--speed"], cwd=elsewhere, env={}, capture_output=True, check=False)
    assert ran.returncode == 2


@pytest.mark.parametrize("is_whole", [True, False], ids=["whole", "damaged"])
def test_a_closed_pipe_does_not_change_the_exit_code(whole: Files, tmp_path: Path, *, is_whole: bool) -> None:
    damaged = {**whole} if is_whole else {**whole, "data/figures.csv": b""}
    folder = lay(damaged, tmp_path / "dist")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as closed:
        ran = subprocess.run(
            [sys.executable, "verify.py"], cwd=folder, stdout=closed, stderr=subprocess.PIPE, check=False
        )
    assert (ran.returncode, ran.stderr) == (0 if is_whole else 1, b"")


def test_the_verifier_is_one_readable_file_for_python_3_10_without_dependencies() -> None:
    text = SOURCE.read_text(encoding="utf-8")
    tree = ast.parse(text, feature_version=(3, 10))
    assert len(text.splitlines()) <= 1275
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    assert max(int(function.end_lineno or 0) - function.lineno for function in functions) <= 45
    assert all(map(ast.get_docstring, functions))
    listed = {check.__name__ for _, check in (*verify.STEPS, *verify.GROUPED, *verify.LAST)}
    listed |= {check.__name__ for check in verify.ROW_CHECKS.values()}
    named_so = {function.name for function in functions if function.name.startswith("check_")}
    parts = {"check_days", "check_evidence", "check_lines", "check_positions", "check_shown"}  # of others
    assert named_so - listed == parts
    assert "SELECT" not in text
    named = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    named |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name.partition(".")[0] for name in named} <= sys.stdlib_module_names


# ---- what a stranger may be handed ---------------------------------------------------------------------------


def test_it_shares_no_line_with_the_builder() -> None:
    def lines(path: Path) -> set[str]:
        stripped = {line.strip() for line in path.read_text(encoding="utf-8").splitlines()}
        return {line for line in stripped if len(line) > 20 and not line.startswith(("import ", "from "))}

    others = [path for path in SOURCE.parents[1].rglob("*.py") if path != SOURCE]
    assert lines(SOURCE) & set().union(*map(lines, others)) <= {
        'if __name__ == "__main__":',
        "def __init__(self) -> None:",
    }


@pytest.mark.parametrize(
    "descriptor",
    [
        b"[]",
        b"null",
        b"\xff\xfe",
        b"",
        b"[" * 10_000_000,
        b'{"resources": ' + b"9" * 5000 + b"}",
        b'{"resources": [{"path": "../x", "name": "x", "bytes": 1, "hash": "x"}]}',
        b'{"resources": [{"path": "/etc/passwd", "name": "x", "bytes": 1, "hash": "x"}]}',
        b'{"resources": [{"name": "x"}]}',
        b'{"resources": [{"type": "table", "path": "README.md", "name": "x", "bytes": 1, "hash": "x", "schema": {}}]}',
        b'{"resources": [1, 2]}',
    ],
    ids=map(str, range(11)),
)
def test_a_descriptor_that_is_none_is_a_fault_and_no_traceback(whole: Files, tmp_path: Path, descriptor: bytes) -> None:
    damaged = {**whole, "datapackage.json": descriptor}
    summed(damaged)
    code, output = run(lay(damaged, tmp_path / "dist"))
    assert code == 1
    assert faults(output)
    assert "Traceback" not in output


def test_no_file_next_to_it_is_executed(whole: Files, tmp_path: Path) -> None:
    folder = lay(whole, tmp_path / "dist")
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    for module in {"__future__", *(name.partition(".")[0] for name in imported)}:
        (folder / f"{module}.py").write_text("print('executed')\n", encoding="utf-8")
    ran = subprocess.run([sys.executable, folder / "verify.py"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "argparse.py: is not listed in SHA256SUMS" in ran.stdout
    assert "executed" not in ran.stdout


def test_no_cell_is_echoed(whole: Files, tmp_path: Path) -> None:
    damaged = dict(whole)
    speakers = table_of(damaged, "speakers")
    for column in range(len(speakers[0])):
        cell("speakers", 1, column, "zqx7kwv")(damaged)
    code, output = run(lay(damaged, tmp_path / "dist"))
    assert (code, "zqx7kwv" in output) == (1, False)


def test_a_folder_that_is_no_package_is_a_fault(tmp_path: Path) -> None:
    assert run(tmp_path)[0] == 1
    assert run(tmp_path / "nothing")[0] == 1


# ---- tables as the descriptor describes them -------------------------------------------------------------------


@pytest.mark.deep
def test_a_corpus_of_figures_alone_without_populations_is_accepted(tmp_path: Path) -> None:
    text = "Boats Lost\n\nTwelve boats sank off Port Example.\nThe harbour counted 40 lanterns.\n"
    shutil.copytree(INVENTED, tmp_path / "small", ignore=shutil.ignore_patterns("90*", "comparisons.yaml"))
    (tmp_path / "small/seeds").mkdir(exist_ok=True)
    (tmp_path / "small/seeds/902_boats.txt").write_text(text, encoding="utf-8")
    source = f"""\
source: {{id: boats, seed: 902_boats.txt, sha256: {digest(text.encode())}, title: Boats Lost, language: en, rights: No}}
figures:
  - {{id: boats-f1, evidence: Twelve boats sank, value: 12, hedge: exact, unit: item, measure: lost, counted: boats}}
  - {{id: boats-f2, evidence: 40 lanterns, value: 40, hedge: exact, unit: item, measure: found, counted: lanterns}}
"""
    (tmp_path / "small/annotations/902_boats.yaml").write_text(source, encoding="utf-8")
    (tmp_path / "small/annotations/speakers.yaml").write_text("speakers: []\n", encoding="utf-8")
    vocabulary = "measures: [{term: lost, definition: Lost., units: [item]}, {term: found, definition: Found.}]\n"
    (tmp_path / "small/annotations/vocabulary.yaml").write_text(vocabulary, encoding="utf-8")
    assert found_in(tmp_path / "small") == []
    assert built(tmp_path / "small", tmp_path / "dist").outcome == "published"
    assert faults(run("--seeds", tmp_path / "small/seeds", tmp_path / "dist")[1]) == []
    files = with_verifier(tmp_path / "dist")
    assert {len(table_of(files, name)) for name in ("testimonies", "mentions", "speakers")} == {1}
    assert "population" not in table_of(files, "figures")[0]
    found = after(edit("figures", "boats-f1", measure="boats"), files, tmp_path / "changed")
    assert "data/figures.csv:2: measure must be the key of a row of measures" in found


def test_a_table_without_its_parquet_is_a_fault(whole: Files, tmp_path: Path) -> None:
    changed = dict(whole)
    del changed["data/figures.parquet"]
    descriptor = descriptor_of(changed)
    descriptor["resources"] = [r for r in descriptor["resources"] if r["name"] != "figures-parquet"]
    describe(changed, descriptor)
    assert (
        "must describe each table once as CSV and once as Parquet" in faults(run(lay(changed, tmp_path / "dist"))[1])[0]
    )


def sorted_by(order: list[str]) -> Damage:
    def damage(files: Files) -> None:
        header, *rows = table_of(files, "speakers")
        put(files, "speakers", [header, *sorted(rows, key=lambda row: [row[header.index(name)] for name in order])])

    return damage


def test_rows_are_in_the_order_of_the_descriptor_and_null_comes_first(whole: Files, tmp_path: Path) -> None:
    order = ["source_id", "name", "speaker_id"]
    stated = described(lambda table: table.update(orderedBy=order), "speakers")
    assert after(both(sorted_by(order), stated), whole, tmp_path / "dist") == []
    late = on("speakers", lambda rows: rows.append(rows.pop(1)))
    found = after(both(sorted_by(order), late, stated), whole, tmp_path / "dist")
    assert found[0].endswith(": is out of order: rows must be sorted by source_id, name, speaker_id")


def test_a_column_more_is_read_from_the_descriptor(whole: Files, tmp_path: Path) -> None:
    field = {"name": "remark", "type": "string", "constraints": {"required": True, "enum": ["seen"]}}

    def widen(rows: Table) -> None:
        rows[0].append("remark")
        for row in rows[1:]:
            row.append("seen")

    wider = both(
        on("testimony_themes", widen),
        described(lambda table: table["schema"]["fields"].append(field), "testimony_themes"),
    )
    assert after(wider, whole, tmp_path / "dist") == []
    key = table_of(whole, "testimony_themes")[1][0]
    found = after(both(wider, edit("testimony_themes", key, remark="unseen")), whole, tmp_path / "dist")
    assert len(found) == 1
    assert found[0].startswith("data/testimony_themes.csv:2: remark ")


def test_a_row_with_a_source_refers_only_to_that_source(whole: Files, tmp_path: Path) -> None:
    [_, *rows] = table_of(whole, "testimony_themes")
    last = max(number for number, row in enumerate(rows, 2) if row[1] == "example")
    found = after(edit("testimony_themes", rows[last - 2][0], source_id="second"), whole, tmp_path / "dist")
    assert f"data/testimony_themes.csv:{last}: testimony_id must belong to the same source" in found


def test_a_table_in_several_files_is_refused(whole: Files, tmp_path: Path) -> None:
    files = dict(whole)
    descriptor = descriptor_of(files)
    descriptor["resources"][0]["path"] = ["data/figures.csv", "data/figures-2.csv"]
    describe(files, descriptor)
    found = faults(run(lay(files, tmp_path / "dist"))[1])
    assert found[0].startswith("This cannot be checked (TypeError)")


def field_of(table: dict[str, Any], name: str) -> dict[str, Any]:
    return next(field for field in table["schema"]["fields"] if field["name"] == name)


UNKNOWN = {
    "an encoding": lambda table: table.update(encoding="latin-1"),
    "a delimiter": lambda table: table["dialect"].update(delimiter=";"),
    "a comment sign": lambda table: table["dialect"].update(commentChar="#"),
    "a labelled missing value": lambda table: table["schema"].update(missingValues=[{"value": "0", "label": "none"}]),
    "other columns": lambda table: table["schema"].update(fieldsMatch=["subset"]),
    "a type": lambda table: field_of(table, "value").update(type="year"),
    "a format": lambda table: field_of(table, "as_of_from").update(format="%d.%m.%Y"),
    "a constraint": lambda table: field_of(table, "text")["constraints"].update(maxLength=10_000),
    "an endless pattern": lambda table: field_of(table, "text")["constraints"].update(pattern="^(a+)+$"),
}


@pytest.mark.parametrize("change", UNKNOWN.values(), ids=UNKNOWN)
def test_unknown_tables_and_columns_are_refused(
    whole: Files, tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    (found,) = after(described(change, "figures"), whole, tmp_path / "dist")
    assert found.startswith("datapackage.json: figures")
    assert "not supported" in found


def test_only_empty_cells_are_missing_values(whole: Files, tmp_path: Path) -> None:
    """What a list of missing values hides, such as an age, is found as the description that hides it."""
    empty = edit("speakers", "example-speaker-1", name="NA", gender="NA")
    for stated in (
        described(lambda table: table["schema"].update(missingValues=["", "NA"]), "speakers"),
        described(
            lambda table: [field.update(missingValues=["", "NA"]) for field in table["schema"]["fields"]], "speakers"
        ),
    ):
        assert (
            "missingValues, or its value, is not supported" in after(both(empty, stated), whole, tmp_path / "dist")[0]
        )
    plain = described(lambda table: [table.pop(name) for name in ("dialect", "encoding")])
    assert after(plain, whole, tmp_path / "dist") == []
    assert after(described(lambda table: table["schema"].pop("missingValues")), whole, tmp_path / "dist") == []


def test_a_name_in_the_descriptor_cannot_control_a_terminal(whole: Files, tmp_path: Path) -> None:
    files = dict(whole)
    descriptor = descriptor_of(files)
    descriptor["resources"][0]["name"] = "\x1b[2J"
    describe(files, descriptor)
    assert "\x1b" not in run(lay(files, tmp_path / "dist"))[1]


def test_promises_that_rest_on_broken_tables_are_skipped_and_counted(whole: Files, tmp_path: Path) -> None:
    found = after(edit("mentions", "example-m1", speaker_id="nobody"), whole, tmp_path / "dist")
    assert found == ["data/mentions.csv:2: speaker_id must be the key of a row of speakers"]
    _, output = run(tmp_path / "dist")
    assert "Checks skipped until the faults above are fixed: 4.\n" in output


def test_the_command_compares_parquet_and_reads_the_articles_in_one_run(
    package: Path, whole: Files, tmp_path: Path
) -> None:
    ran = command("verify", "--seeds", INVENTED / "seeds", lay(whole, tmp_path / "dist"))
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "rows in " in ran.stdout.splitlines()[-1]
    assert command("verify", "-q", "--seeds", INVENTED / "seeds", tmp_path / "dist") == Ran(0, "", "")
    assert "Parquet" not in ran.stdout.partition("Not checked:")[2].partition("Checked with DuckDB")[0]
    table = pq.read_table(package / "data/figures.parquet")
    counted = pa.array(["boats", *table["counted"].to_pylist()[1:]])
    changed = dict(whole)
    changed["data/figures.parquet"] = as_parquet(
        table.set_column(table.schema.get_field_index("counted"), table.schema.field("counted"), counted)
    )
    renew(changed)
    assert run(*SEEDS, lay(changed, tmp_path / "dist"))[0] == 0
    ran = command("verify", "--seeds", INVENTED / "seeds", tmp_path / "dist")
    assert ran.returncode == 1
    assert "data/figures.parquet:2: counted" in ran.stdout
    (tmp_path / "seeds").mkdir()
    ran = command("verify", "--seeds", tmp_path / "seeds", tmp_path / "dist")
    assert ran.returncode == 1
    assert "data/sources.csv:2: 900_example.txt must be in the folder given with --seeds" in ran.stdout
