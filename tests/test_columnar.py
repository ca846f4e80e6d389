"""The columnar check says of every package what frictionless says, and finds broken promises beyond that."""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
import tempfile
import warnings
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import frictionless
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calling import run as command
from conftest import INVENTED, PROJECT
from defectors_data import columnar
from defectors_data import package as package_room
from defectors_data.columnar import batches, tallying
from defectors_data.formats import to_parquet
from tampering import (
    Damage,
    Files,
    all_faults,
    blunt,
    cell,
    describe,
    descriptor_of,
    digest,
    files_in,
    lay,
    on,
    renew,
)
from test_verify import whole

__all__ = ["whole"]  # a fixture


def frictionless_is_content(folder: Path) -> bool:
    """Return frictionless's verdict; what it cannot survive is not valid."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return bool(frictionless.Package(str(folder / "datapackage.json")).validate().valid)
        except Exception:  # noqa: BLE001  # whatever it is
            return False


def of_the_standard(folder: Path) -> list[str]:
    return [str(fault) for fault in columnar.inspect(folder).faults if not fault.promised]


def promised(folder: Path) -> list[str]:
    return [str(fault) for fault in columnar.inspect(folder).faults if fault.promised]


# ---- the packages of the test suite --------------------------------------------------------------------------


def test_a_whole_package_has_no_fault(package: Path) -> None:
    for folder in (package, PROJECT / "dist"):
        inspected = columnar.inspect(folder)
        assert inspected.faults == []
        assert inspected.valid
        assert sum(inspected.rows.values()) > 400
        assert inspected.files > 40


def differing(whole: Files, folder: Path, every: int, first: int = 0) -> tuple[list[str], int, int]:
    """Return the damages on which the two do not agree, and how many were valid to both, and to none."""
    differ, valid, broken = [], 0, 0
    for kind, place, damage in islice(all_faults(whole), first, None, every):
        damaged = dict(whole)
        damage(damaged)
        renew(damaged)
        theirs, found = frictionless_is_content(lay(damaged, folder)), columnar.inspect(folder)
        valid, broken = valid + theirs, broken + (not theirs)
        differ += [] if theirs == found.valid else [f"{kind}: {place}"]
    return differ, valid, broken


def test_the_verdict_on_damaged_packages_is_that_of_frictionless(whole: Files, tmp_path: Path) -> None:
    differ, valid, broken = differing(whole, tmp_path / "dist", every=171)
    assert differ == []
    assert min(valid, broken) > 3


@pytest.mark.deep
def test_the_verdict_on_many_damaged_packages_is_that_of_frictionless(whole: Files, tmp_path: Path) -> None:
    differ, valid, broken = differing(whole, tmp_path / "dist", every=61)
    assert differ == []
    assert min(valid, broken) > 10


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(8))
def test_the_verdict_on_every_damaged_package_is_that_of_frictionless(whole: Files, tmp_path: Path, first: int) -> None:
    differ, valid, broken = differing(whole, tmp_path / "dist", every=8, first=first)
    assert differ == []
    assert min(valid, broken) > 40


def test_the_verdict_on_blunt_damage_is_that_of_frictionless_but_for_links(whole: Files, tmp_path: Path) -> None:
    random_ = random.Random(3)  # noqa: S311  # the same faults in every run
    for _ in range(10):
        folder = lay(whole, tmp_path / "dist")
        kind = blunt(folder, whole, random_)
        if kind.startswith("link"):
            assert of_the_standard(folder) == ["datapackage.json: must not refer to anything outside of the folder"]
        else:
            assert (kind, columnar.inspect(folder).valid) == (kind, frictionless_is_content(folder))


# ---- packages made by chance ---------------------------------------------------------------------------------

CELLS = {
    "integer": [*"0 1 2 -1 7 007 +1 1_0 1.0 x 0x1F - 1e3 99999999999999999999 \u0661".split(), "", " 5", "5 "],
    "number": [*"0 1 1.5 -2 .5 5. 1e3 nan inf -Infinity x 1,5 1_0 +1 0.10 0.1 -0 1.5.2 0x1p3".split(), "", " 2 "],
    "boolean": [*"true false True TRUE 1 0 yes".split(), "", " true"],
    "date": [*"2019-05-02 2019-5-2 2019-02-30 0001-01-01 20190502 2019-05-03".split(), "", "2019-05-02 "],
    "string": [*'a b ab a-b A nan 1 true q"q a,b é'.split(), "", " a", "a\n", "x\ny", "\ufeff", "a\r", "0" * 600],
    "year": [*"2019 12 -1 x 20190".split(), ""],
    "any": ["1", "a", ""],
}
PLAIN = {
    "integer": [*"0 1 2 -1 7 120".split()],
    "number": [*"0 1 1.5 -2 0.25".split()],
    "boolean": ["true", "false"],
    "date": ["2019-05-02", "2019-05-03", "2020-02-29"],
    "string": [*"a b ab a-b abc é".split()],
    "year": ["2019"],
    "any": ["a"],
}
PATTERNS = [
    "[a-z]+",
    "a|b",
    "[a-z-]*",
    r"\w+",
    ".",
    "(?:a|b)+",
    "[^a]",
    "a{1,2}",
    r"\S*",
    "^a.*$",
    "a*b?",
    "[a-z]+(-[a-z]+)*",
]
RAW = ['"ab"c', 'a"b', '"a""b"', '"open', ' "x"', '"a\nb"', '"a', '""', '"', "'a'", "a\\b", "a\tb"]
Draw = Callable[[st.SearchStrategy[Any]], Any]


def fields(draw: Draw, name: str) -> dict[str, Any]:
    kind = draw(st.sampled_from(["string", "string", "integer", "integer", *CELLS]))
    limits: dict[str, Any] = {}
    if draw(st.booleans()):
        limits["required"] = draw(st.booleans())
    if draw(st.integers(0, 4)) == 0:
        limits["unique"] = True
    if kind == "string" and draw(st.booleans()):
        limits |= draw(
            st.sampled_from([{"pattern": pattern} for pattern in PATTERNS] + [{"minLength": 1}, {"maxLength": 2}])
        )
    if kind in {"integer", "number"} and draw(st.booleans()):
        limits |= draw(st.sampled_from([{"minimum": 0}, {"maximum": 7}, {"minimum": -1, "maximum": 1}]))
    if kind not in {"any", "year"} and draw(st.integers(0, 3)) == 0:
        limits["enum"] = draw(st.lists(st.sampled_from(PLAIN[kind]), min_size=1, max_size=3, unique=True))
    return {"name": name, "type": kind, "constraints": limits}


def written(draw: Draw, fields: list[dict[str, Any]], *, wild: bool) -> bytes:
    """Return a CSV of chance: plain cells, or odd ones, badly quoted, in rows of any length."""
    rows = [[field["name"] for field in fields]]
    cells = CELLS if wild else PLAIN
    rows += [[draw(st.sampled_from(cells[f["type"]])) for f in fields] for _ in range(draw(st.integers(0, 5)))]
    lines = []
    for row in rows:
        out = io.StringIO()
        csv.writer(out, lineterminator="").writerow(row)
        lines.append(out.getvalue())
    kinds = ["raw", "longer", "shorter", "blank", "header", "none", "none", "none"]
    match draw(st.sampled_from(kinds)) if wild else "none":
        case "raw":
            lines.append(",".join(draw(st.sampled_from([*RAW, "a"])) for _ in fields))
        case "longer":
            lines.append(",".join(["a"] * (len(fields) + 1)))
        case "shorter":
            lines.append(",".join(["1"] * (len(fields) - 1)))
        case "blank":
            lines.insert(draw(st.integers(1, len(lines))), "," * draw(st.integers(0, len(fields) - 1)))
        case "header":
            lines[0] = draw(st.sampled_from([lines[0].upper(), lines[0] + ",more", "a", "", lines[0] + " "]))
    end = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"])) if wild else "\n"
    content: bytes = (end.join(lines) + draw(st.sampled_from([end, end, ""]) if wild else st.just(end))).encode()
    if wild:
        content = draw(st.sampled_from([b"", b"", b"", b"\xef\xbb\xbf"])) + content
        content += draw(st.sampled_from([b"", b"", b"", b"\xff", b"\n"]))
    return content


@st.composite
def packages(draw: Draw) -> Files:
    """A package of two tables, one of them in parts, with keys between them, and damage of all kinds."""
    wild = draw(st.integers(0, 3)) > 0
    shapes = {
        name: [fields(draw, f"{name}{number}") for number in range(draw(st.integers(1, 3)))] for name in ("one", "two")
    }
    files, resources = {}, []
    for name, shape in shapes.items():
        schema: dict[str, Any] = {"fields": shape, "missingValues": draw(st.sampled_from([[""], ["", "nan"], ["x"]]))}
        names = [field["name"] for field in shape]
        if draw(st.booleans()):
            schema["primaryKey"] = draw(st.sampled_from([names[:1], names[:2]]))
        if draw(st.integers(0, 2)) == 0:
            to = draw(st.sampled_from(["one", "two"]))
            there = [field["name"] for field in shapes[to]]
            width = draw(st.integers(1, min(2, len(names), len(there))))
            reference = {"resource": draw(st.sampled_from([to, ""])) if to == name else to, "fields": there[:width]}
            schema["foreignKeys"] = [{"fields": names[-width:], "reference": reference}]
        content = written(draw, shape, wild=wild)
        paths = [f"{name}.csv"]
        files[paths[0]] = content
        if name == "two" and draw(st.booleans()):
            paths.append("more.csv")
            files["more.csv"] = b"header\n" + written(draw, shape, wild=wild).partition(b"\n")[2]
            content += files["more.csv"].partition(b"\n")[2]
        told = {"bytes": len(content), "hash": f"sha256:{digest(content)}"}
        if draw(st.integers(0, 8)) == 0:
            told |= draw(st.sampled_from([{"bytes": 3}, {"hash": "sha256:00"}, {"hash": digest(content)}]))
        path: Any = paths if len(paths) > 1 else paths[0]
        dialect = {"delimiter": ",", "quoteChar": '"', "skipInitialSpace": False}
        resources.append(
            {"name": name, "type": "table", "path": path, "format": "csv", "encoding": "utf-8", "mediatype": "text/csv"}
            | {"dialect": dialect, "schema": schema, **(told if draw(st.booleans()) else {})}
        )
    if draw(st.integers(0, 12)) == 0:
        del files["one.csv"]
    profile = "https://datapackage.org/profiles/2.0/datapackage.json"
    files["datapackage.json"] = json.dumps({"$schema": profile, "name": "x", "resources": resources}).encode()
    return files


def is_judged_alike(files: Files) -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = lay(files, Path(place) / "p")
        assert (of_the_standard(folder) == []) == frictionless_is_content(folder)


@settings(max_examples=60)
@given(packages())
def test_the_verdict_on_packages_of_chance_is_that_of_frictionless(files: Files) -> None:
    is_judged_alike(files)


@pytest.mark.deep
@settings(max_examples=300)
@given(packages())
def test_the_verdict_on_many_packages_of_chance_is_that_of_frictionless(files: Files) -> None:
    is_judged_alike(files)


@pytest.mark.sweep
@settings(max_examples=3_000)
@given(packages())
def test_the_verdict_on_thousands_of_packages_of_chance_is_that_of_frictionless(files: Files) -> None:
    is_judged_alike(files)


# ---- where the two differ on purpose -------------------------------------------------------------------------


def small(content: bytes, *fields: dict[str, Any], **told: Any) -> Files:
    """Return a package of one table."""
    described = {"name": "one", "type": "table", "path": "one.csv", "format": "csv", "encoding": "utf-8"}
    dialect = {"delimiter": ",", "skipInitialSpace": False}
    schema = {"fields": list(fields), "missingValues": [""], **told.pop("schema", {})}
    resource = described | {"mediatype": "text/csv", "dialect": dialect, "schema": schema} | told
    descriptor = {"$schema": "https://datapackage.org/profiles/2.0/datapackage.json", "name": "x"}
    return {"one.csv": content, "datapackage.json": json.dumps(descriptor | {"resources": [resource]}).encode()}


STRING = {"name": "a", "type": "string"}
INTEGER = {"name": "a", "type": "integer"}


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        (small(b"\na\n", STRING), "one.csv:1: must have the columns of its schema"),
        (small(b"a\n# 1\n", STRING, dialect={"commentChar": "#"}), "a table of this dialect is not judged"),
        (small(b"a\n\n1\n", STRING, dialect={"skipBlankRows": True}), "a table of this dialect is not judged"),
        (small(b"1\n", STRING, dialect={"header": False}), "a table of this dialect is not judged"),
    ],
    ids=["empty first line", "comments", "blank rows", "no header"],
)
def test_what_frictionless_lets_pass_and_the_columnar_check_does_not(
    files: Files, sentence: str, tmp_path: Path
) -> None:
    folder = lay(files, tmp_path / "p")
    assert frictionless_is_content(folder)
    assert sentence in of_the_standard(folder)[0]


def test_spaces_after_a_delimiter_belong_to_the_cell_unless_the_dialect_says_otherwise(tmp_path: Path) -> None:
    told = {"name": "b", "type": "string", "constraints": {"pattern": "[a-z]+"}}
    guessed = small(b"a, b\nx, y\n", STRING, told, dialect={"delimiter": ","})
    said = small(b"a, b\nx, y\n", STRING, told, dialect={"delimiter": ",", "skipInitialSpace": True})
    assert of_the_standard(lay(guessed, tmp_path / "p")) != []
    assert of_the_standard(lay(said, tmp_path / "p")) == []
    assert frictionless_is_content(tmp_path / "p")


# ---- single faults -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "field", "faults"),
    [
        (b"a\n1\n2\n", INTEGER, []),
        (b"a\n1\nx\n", INTEGER, ["one.csv:3: a must be of type integer"]),
        (b"a\n1\n0x1F\n", INTEGER, ["one.csv:3: a must be of type integer"]),
        (b"a\n+1\n1_0\n", INTEGER, []),
        (b"a\n9\n", INTEGER | {"constraints": {"maximum": 8}}, ["one.csv:2: a must keep to maximum 8"]),
        (b"a\n8\n", INTEGER | {"constraints": {"maximum": 8}}, []),
        (b"a\n1\n01\n", INTEGER | {"constraints": {"unique": True}}, ["one.csv:3: a must be there once"]),
        (b'a\nx\n""\n', STRING, ["one.csv:3: must not be blank"]),
        (b"a\nx\n\xff\n", STRING, ["one.csv: cannot be read (UnicodeDecodeError)"]),
        (b'a\n"x\n', STRING, []),
        (b"b\nx\n", STRING, ["one.csv:1: must have the columns of its schema"]),
        (b"a\nx,y\n", STRING, ["one.csv:2: must have a cell for each column"]),
        (b"a\nxb\n", STRING | {"constraints": {"pattern": "a|b"}}, ["one.csv:2: a must keep to pattern 'a|b'"]),
        (b'a\n"b\n"\n', STRING | {"constraints": {"pattern": "b"}}, []),
        (b"a\n\xc3\xa9\n", STRING | {"constraints": {"pattern": r"\w"}}, []),
        (b"", STRING, ["one.csv:1: must have the columns of its schema"]),
    ],
)
def test_a_fault_has_a_place_and_frictionless_agrees(
    content: bytes, field: dict[str, Any], faults: list[str], tmp_path: Path
) -> None:
    folder = lay(small(content, field), tmp_path / "p")
    assert of_the_standard(folder) == faults
    assert frictionless_is_content(folder) == (not faults)


@pytest.mark.parametrize(("content", "faults"), [(b"a\n\n", 1), (b'a\n""\n', 0), (b"a\nb\n\nc\n", 1)])
def test_a_blank_line_is_no_empty_cell_where_an_empty_cell_is_a_value(
    content: bytes, faults: int, tmp_path: Path
) -> None:
    folder = lay(small(content, STRING, schema={"missingValues": ["x"]}), tmp_path / "p")
    assert len(of_the_standard(folder)) == faults
    assert frictionless_is_content(folder) == (not faults)


def test_keys_of_several_columns_and_to_the_own_table(tmp_path: Path) -> None:
    two = [{"name": "a", "type": "string"}, {"name": "b", "type": "integer"}, {"name": "c", "type": "string"}]
    reference = {"resource": "", "fields": ["a", "b"]}
    keys = {"primaryKey": ["a", "b"], "foreignKeys": [{"fields": ["c", "b"], "reference": reference}]}
    sound = small(b"a,b,c\nx,1,\nx,2,x\ny,1,x\n", *two, schema=keys)
    assert of_the_standard(lay(sound, tmp_path / "p")) == ["one.csv:2: c, b must be in one as a, b"]
    broken = small(b"a,b,c\nx,1,x\nx,01,x\nx,3,z\n,,\n", *two, schema=keys)
    assert of_the_standard(lay(broken, tmp_path / "p")) == [
        "one.csv:3: a, b must be there once",
        "one.csv:4: c, b must be in one as a, b",
        "one.csv:5: must not be blank",
        "one.csv:5: a, b must have a primary key",
    ]
    assert not frictionless_is_content(tmp_path / "p")


def test_faults_past_the_first_of_a_file_are_counted(tmp_path: Path) -> None:
    number = tallying.MOST_SHOWN + 1_000
    folder = lay(small(b"a\n" + b"x\n" * number, INTEGER), tmp_path / "p")
    *shown, rest = of_the_standard(folder)
    assert len(shown) == tallying.MOST_SHOWN
    assert rest == "one.csv: and 1,000 more faults"


def test_rows_are_numbered_through_all_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BLOCK", 1 << 12)
    monkeypatch.setattr(batches, "ROWS", 64)
    lines = [b"%d" % number for number in range(5_000)]
    lines[4_000] = b"x"
    lines[4_500] = b"1,2"
    lines[4_800] = b"17"
    folder = lay(
        small(b"a\n" + b"\n".join(lines), INTEGER | {"constraints": {"unique": True}}, orderedBy=["a"]), tmp_path / "p"
    )
    assert of_the_standard(folder) == [
        "one.csv:4002: a must be of type integer",
        "one.csv:4502: must have a cell for each column",
        "one.csv:4502: a must be there once",
        "one.csv:4802: a must be there once",
    ]
    assert promised(folder) == [f"one.csv:{row}: must come after the row before it by a" for row in (4002, 4502, 4802)]


def test_no_cell_is_told(tmp_path: Path) -> None:
    limits = {"constraints": {"enum": ["b"], "unique": True}}
    folder = lay(small(b"a\nzqx7kwv\nzqx7kwv\n", STRING | limits), tmp_path / "p")
    assert of_the_standard(folder) != []
    assert "zqx7kwv" not in str(of_the_standard(folder))


@pytest.mark.parametrize(
    "descriptor",
    [
        b"[]",
        b"null",
        b"\xff\xfe",
        b"",
        b"[" * 1_000_000,
        b'{"resources": []}',
        b'{"resources": [1]}',
        b'{"resources": [{"name": "x"}]}',
        b'{"resources": [{"name": "x", "path": "../x"}]}',
        b'{"resources": [{"name": "x", "path": "/etc/passwd"}]}',
        b'{"resources": [{"name": "x", "path": "http://127.0.0.1:9/x.csv"}]}',
        b'{"resources": [{"name": "x", "path": "one.csv", "schema": "../x"}]}',
        b'{"resources": [{"name": "x", "path": ["one.csv", 1]}]}',
        b'{"resources": [{"name": "x", "path": "one.csv", "schema": {"fields": [{"name": "a", "type": "nonsense"}]}}]}',
        b'{"resources": [{"name": "x", "path": "\\u0000"}]}',
        b'{"resources": [{"name": "x", "data": []}]}',
    ],
    ids=map(str, range(16)),
)
def test_a_descriptor_that_is_none_is_a_fault_and_no_traceback(descriptor: bytes, tmp_path: Path) -> None:
    found = columnar.inspect(lay({"one.csv": b"a\n", "datapackage.json": descriptor}, tmp_path / "p"))
    assert [fault.file for fault in found.faults] == ["datapackage.json"]
    assert not found.valid


def test_a_folder_that_is_none_is_a_fault(tmp_path: Path) -> None:
    assert of_the_standard(tmp_path / "none") == ["datapackage.json: cannot be read as JSON (FileNotFoundError)"]


# ---- promises beyond the standard ----------------------------------------------------------------------------


def with_twins(files: Files) -> None:
    """Make each Parquet anew from its CSV, and all sums, so that a broken promise is the only fault."""
    for resource in descriptor_of(files)["resources"]:
        if "alternateOf" in resource:
            old = pq.read_table(io.BytesIO(files[resource["path"]]))
            content = io.BytesIO(files[f"data/{resource['alternateOf']}.csv"])
            parse = pa.csv.ParseOptions(newlines_in_values=True)
            types = {field.name: field.type for field in old.schema}
            convert = pa.csv.ConvertOptions(column_types=types, strings_can_be_null=True, null_values=[""])
            files[resource["path"]] = to_parquet(pa.csv.read_csv(content, None, parse, convert))
    renew(files)


def of_column(table: str, column: str, change: Callable[[str], str], row: int = 1) -> Damage:
    return on(table, lambda rows: rows[row].__setitem__(at := rows[0].index(column), change(rows[row][at])))


PROMISES: dict[str, tuple[Damage, str]] = {
    "order": (on("spans", lambda rows: rows.insert(2, rows.pop(3))), "must come after the row before it by"),
    "start at end": (of_column("ledger", "end", lambda _: "0"), "must have 0 <= start < end"),
    "past the source": (of_column("ledger", "end", lambda _: "99999"), "must end within its source"),
    "words": (of_column("spans", "exact", lambda text: text + "x"), "must have an exact as long as its offsets say"),
    "units": (of_column("spans", "start_utf16", lambda _: "0", 2), "must have start in UTF-16 units and in bytes"),
}


@pytest.mark.parametrize(("damage", "sentence"), PROMISES.values(), ids=PROMISES)
def test_a_broken_promise_is_found_though_frictionless_is_content(
    damage: Damage, sentence: str, whole: Files, tmp_path: Path
) -> None:
    damaged = dict(whole)
    damage(damaged)
    with_twins(damaged)
    folder = lay(damaged, tmp_path / "p")
    assert frictionless_is_content(folder)
    assert of_the_standard(folder) == []
    found = promised(folder)
    assert any(sentence in fault for fault in found)
    assert all(fault.startswith("data/") and ".csv:" in fault for fault in found)


def test_whole_packages_made_anew_keep_all_promises(whole: Files, tmp_path: Path) -> None:
    anew = dict(whole)
    with_twins(anew)
    assert columnar.inspect(lay(anew, tmp_path / "p")).faults == []


def parquet_of(files: Files, change: Callable[[pa.Table], pa.Table]) -> None:
    out = io.BytesIO()
    pq.write_table(change(pq.read_table(io.BytesIO(files["data/spans.parquet"]))), out, row_group_size=7)
    files["data/spans.parquet"] = out.getvalue()


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda table: table, None),
        (lambda table: table.slice(1), "data/spans.parquet:2: span_id must be as in the CSV"),
        (lambda table: table.slice(0, 3), "data/spans.parquet: must have as many rows as the CSV"),
        (lambda table: pa.concat_tables([table, table]), "data/spans.parquet: must have as many rows as the CSV"),
        (lambda table: table.select(table.column_names[1:]), "data/spans.parquet: must have the columns of the CSV"),
        (
            lambda table: table.set_column(table.column_names.index("start"), "start", pa.array([10**6] * len(table))),
            "data/spans.parquet:2: start must be as in the CSV",
        ),
    ],
    ids=["other row groups", "row away", "rows away", "rows more", "column away", "cells"],
)
def test_a_parquet_that_is_not_its_csv_is_found(
    change: Callable[[pa.Table], pa.Table], fault: str | None, whole: Files, tmp_path: Path
) -> None:
    damaged = dict(whole)
    parquet_of(damaged, change)
    renew(damaged)
    folder = lay(damaged, tmp_path / "p")
    assert of_the_standard(folder) == []
    assert (fault in promised(folder)) if fault else (promised(folder) == [])


def test_a_parquet_of_another_logical_hash_or_of_no_content_is_found(whole: Files, tmp_path: Path) -> None:
    damaged = {**whole, "data/spans.parquet": b"PAR1"}
    renew(damaged)
    descriptor = descriptor_of(damaged)
    next(r for r in descriptor["resources"] if r["name"] == "ledger-parquet")["logicalHash"] = "sha256:0"
    describe(damaged, descriptor)
    assert promised(lay(damaged, tmp_path / "p")) == [
        "data/spans.parquet: cannot be read (ArrowInvalid)",
        "data/ledger.parquet: must have the logicalHash of its CSV",
    ]


def test_a_table_in_parts_is_one_table_and_each_part_has_its_header(tmp_path: Path) -> None:
    parts = {"one.csv": b"a\nx\ny\n", "two.csv": b"a\nz\n"}
    content = b"a\nx\ny\nz\n"
    told = {"path": [*parts], "bytes": len(content), "hash": f"sha256:{digest(content)}", "orderedBy": ["a"]}
    files = small(b"", STRING, **told) | parts
    folder = lay(files, tmp_path / "p")
    assert columnar.inspect(folder).faults == []
    assert frictionless_is_content(folder)
    folder = lay(files | {"two.csv": b"z\nz\n"}, tmp_path / "p")
    assert frictionless_is_content(folder)
    assert of_the_standard(folder) == []
    assert promised(folder) == ["two.csv:1: must have the header of the first part"]


# ---- the command, and the build ------------------------------------------------------------------------------


def test_verify_fast_says_what_is_wrong_and_exits_1(whole: Files, tmp_path: Path) -> None:
    folder = lay(whole, tmp_path / "p")
    ran = command("verify", "--fast", folder)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Checked by columns: ")
    damaged = dict(whole)
    cell("figures", 1, 0, "")(damaged)
    ran = command("verify", "--fast", lay(damaged, folder))
    assert ran.returncode == 1
    assert "data/figures.csv:2: figure_id must not be empty\n" in ran.stdout
    assert "Traceback" not in ran.stderr
    assert command("verify", "--fast", "--seeds", INVENTED / "seeds", folder).returncode == 2
    assert command("verify", "--fast", tmp_path / "none").returncode == 2


def test_a_large_package_is_inspected_by_columns(package: Path, tmp_path: Path) -> None:
    package_room.inspect(package, most_rows=0)
    folder = Path(shutil.copytree(package, tmp_path / "p"))
    files = files_in(folder)
    parquet_of(files, lambda table: table.slice(1))
    renew(files)
    with pytest.raises(package_room.NotValid, match=r"data/spans\.parquet:2: .* must be as in the CSV"):
        package_room.inspect(lay(files, folder), most_rows=0)
    assert package_room.MOST_ROWS == 100_000
