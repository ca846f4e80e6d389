"""Validation with DuckDB has the verdict of frictionless on every package, and finds faults beyond the standard."""

from __future__ import annotations

import csv
import io
import json
import random
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import frictionless
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import PROJECT
from consistent_tampering import all_faults
from defectors_data.package import filesystem, validation
from tampering import Damage, Files, blunt, digest, lay, renew
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


def judged(folder: Path) -> tuple[list[str], list[str]]:
    """Return the faults by the standard, and those beyond it."""
    found: tuple[list[str], list[str]] = ([], [])
    for fault in validation.validate(folder).faults:
        found[fault.kind in validation.BEYOND_THE_STANDARD].append(str(fault))
    return found


def of_the_standard(folder: Path) -> list[str]:
    return judged(folder)[0]


def beyond(folder: Path) -> list[str]:
    return judged(folder)[1]


# ---- the packages of the test suite --------------------------------------------------------------------------


def test_a_whole_package_has_no_fault(package: Path) -> None:
    for folder in (package, PROJECT / "dist"):
        report = validation.validate(folder)
        assert report.faults == []
        assert report.valid
        assert sum(report.rows.values()) > 400
        assert len(report.rows) > 15


def one_of_each_kind(whole: Files) -> list[tuple[str, str, Damage]]:
    return list({fault[0]: fault for fault in all_faults(whole)}.values())


def differing(whole: Files, folder: Path, faults: Iterable[tuple[str, str, Damage]]) -> tuple[list[str], int, int]:
    """Return the damages on which the two do not agree, and how many were valid to both, and to none."""
    differ, valid, broken = [], 0, 0
    for kind, place, damage in faults:
        damaged = dict(whole)
        damage(damaged)
        renew(damaged)
        theirs, found = frictionless_is_content(lay(damaged, folder)), validation.validate(folder)
        valid, broken = valid + theirs, broken + (not theirs)
        differ += [] if theirs == found.valid else [f"{kind}: {place}"]
    return differ, valid, broken


@pytest.mark.deep
def test_the_verdict_on_damaged_packages_is_that_of_frictionless(whole: Files, tmp_path: Path) -> None:
    differ, valid, broken = differing(whole, tmp_path / "dist", one_of_each_kind(whole)[::16])
    assert differ == []
    assert min(valid, broken) > 0


@pytest.mark.sweep
@pytest.mark.parametrize("first", range(8))
def test_the_verdict_on_every_damaged_package_is_that_of_frictionless(whole: Files, tmp_path: Path, first: int) -> None:
    differ, valid, broken = differing(whole, tmp_path / "dist", islice(all_faults(whole), first, None, 8))
    assert differ == []
    assert min(valid, broken) > 40


@pytest.mark.sweep
def test_the_verdict_on_blunt_damage_is_that_of_frictionless_but_for_links(whole: Files, tmp_path: Path) -> None:
    random_ = random.Random(3)  # noqa: S311  # the same faults in every run
    for _ in range(3):
        folder = lay(whole, tmp_path / "dist")
        kind = blunt(folder, whole, random_)
        if kind.startswith("link"):
            assert of_the_standard(folder) == ["datapackage.json: must not refer to files outside the folder"]
        else:
            assert (kind, validation.validate(folder).valid) == (kind, frictionless_is_content(folder))


# ---- packages made by chance ---------------------------------------------------------------------------------

CELLS = {
    "integer": [*"0 1 2 -1 7 007 +1 1_0 1.0 x 0x1F - 1e3 1__0".split(), "", " 5", "5 "],
    "number": [*"0 1 1.5 -2 .5 5. 1e3 inf -Infinity x 1,5 1_0 +1 0.10 0.1 -0 1.5.2 0x1p3".split(), "", " 2 "],
    "boolean": [*"true false True TRUE 1 0 yes".split(), "", " true"],
    "date": [*"2019-05-02 2019-5-2 2019-02-30 0001-01-01 20190502 2019-05-03".split(), "", "2019-05-02 "],
    "string": [*'a b ab a-b A nan 1 true q"q a,b'.split(), "", " a", "x\ny", "\ufeff", "0" * 600],
}
PLAIN = {
    "integer": [*"0 1 2 -1 7 120".split()],
    "number": [*"0 1 1.5 -2 0.25".split()],
    "boolean": ["true", "false"],
    "date": ["2019-05-02", "2019-05-03", "2020-02-29"],
    "string": [*"a b ab a-b abc é".split()],
}
PATTERNS = ["[a-z]+", "[a-z-]*", ".", "(?:a|b)+", "[^a]", "a{1,2}", "^a.*$", "a*b?", "^[a-z]+(-[a-z]+)*$"]
RAW = ['"ab"c', 'a"b', '"a""b"', '"open', ' "x"', '"a\nb"', '"a', '""', "'a'", "a\\b", "a\tb"]
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
    if draw(st.integers(0, 3)) == 0:
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
        schema: dict[str, Any] = {"fields": shape, "missingValues": [""]}
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
        path = f"{name}.csv"
        files[path] = content
        told = {"bytes": len(content), "hash": f"sha256:{digest(content)}"}
        if draw(st.integers(0, 8)) == 0:
            told |= draw(st.sampled_from([{"bytes": 3}, {"hash": "sha256:00"}, {"hash": digest(content)}]))
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


@settings(max_examples=30)
@given(packages())
def test_the_verdict_on_packages_of_chance_is_that_of_frictionless(files: Files) -> None:
    is_judged_alike(files)


@pytest.mark.sweep
@settings(max_examples=150)
@given(packages())
def test_the_verdict_on_many_packages_of_chance_is_that_of_frictionless(files: Files) -> None:
    is_judged_alike(files)


@pytest.mark.sweep
@settings(max_examples=3_000)
@given(packages())
def test_the_verdict_on_thousands_of_packages_of_chance_is_that_of_frictionless(files: Files) -> None:
    is_judged_alike(files)


# ---- where the two differ on purpose, and single faults ------------------------------------------------------


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
    ("files", "what"),
    [
        (small(b"a\n# 1\n", STRING, dialect={"commentChar": "#"}), "commentChar of the dialect"),
        (small(b"a;b\n", STRING, dialect={"delimiter": ";"}), "delimiter of the dialect"),
        (small(b"1\n", STRING, dialect={"header": False}), "header of the dialect"),
        (small(b"a\n", STRING, encoding="latin-1"), "encoding"),
        (small(b"a\nx\n", STRING, schema={"missingValues": ["x"]}), "missingValues"),
        (small(b"a\n2019\n", {"name": "a", "type": "year"}), "type of a"),
        (small(b"a\n1,5\n", {"name": "a", "type": "number", "decimalChar": ","}), "decimalChar of a"),
        (small(b"a\nx\n", STRING | {"constraints": {"pattern": "(?=x)x"}}), "pattern of a"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_this_project_does_not_write_is_refused_in_a_sentence(files: Files, what: str, tmp_path: Path) -> None:
    [fault] = validation.validate(lay(files, tmp_path / "p")).faults
    assert (fault.path, fault.kind) == ("datapackage.json", "descriptor")
    assert what in fault.sentence


def test_a_pattern_that_takes_for_ever_elsewhere_takes_linear_time(tmp_path: Path) -> None:
    field = STRING | {"constraints": {"pattern": "^(a+)+$"}}
    folder = lay(small(b"a\n" + b"a" * 5_000 + b"!\n", field), tmp_path / "p")
    assert of_the_standard(folder) == ["one.csv:2: a: expected a match of '^(a+)+$'"]


@pytest.mark.parametrize(
    ("content", "field", "faults"),
    [
        (b"a\n1\n2\n", INTEGER, []),
        (b"a\n1\nx\n", INTEGER, ["one.csv:3: a: expected type integer"]),
        (b"a\n1\n0x1F\n", INTEGER, ["one.csv:3: a: expected type integer"]),
        (b"a\n+1\n1_0\n", INTEGER, []),
        (b"a\n9\n", INTEGER | {"constraints": {"maximum": 8}}, ["one.csv:2: a: expected value <= 8"]),
        (b"a\n8\n", INTEGER | {"constraints": {"maximum": 8}}, []),
        (
            b"a\n0\n",
            INTEGER | {"constraints": {"minimum": 1, "maximum": 8}},
            ["one.csv:2: a: expected 1 <= value <= 8"],
        ),
        (b"a\n1\n01\n", INTEGER | {"constraints": {"unique": True}}, ["one.csv:3: a: duplicate value"]),
        (b'a\nx\n""\n', STRING, ["one.csv:3: row is blank"]),
        (b"a\nx\n\ny\n", STRING, ["one.csv:3: row is blank"]),
        (b"a\nx\n\xff\n", STRING, ["one.csv: cannot be read (UnicodeDecodeError)"]),
        (b'a\n"x\n', STRING, []),
        (b"b\nx\n", STRING, ["one.csv:1: columns differ from the schema"]),
        (b"a\nx,y\n", STRING, ["one.csv:2: number of cells differs from the number of columns"]),
        (b'a\n"x\ny"\nx,\n', STRING, ["one.csv:3: number of cells differs from the number of columns"]),
        (b"a\nxb\n", STRING | {"constraints": {"pattern": "a|b"}}, ["one.csv:2: a: expected a match of 'a|b'"]),
        (b"a\nxy\n", STRING | {"constraints": {"minLength": 3}}, ["one.csv:2: a: expected length >= 3"]),
        (b"a\n\xc3\xa9\xc3\xa9\n", STRING | {"constraints": {"maxLength": 2}}, []),
        (b"", STRING, ["one.csv:1: columns differ from the schema"]),
        (b"a", STRING, []),
    ],
)
def test_a_fault_has_a_place_and_frictionless_agrees(
    content: bytes, field: dict[str, Any], faults: list[str], tmp_path: Path
) -> None:
    folder = lay(small(content, field), tmp_path / "p")
    assert of_the_standard(folder) == faults
    assert frictionless_is_content(folder) == (not faults)


def test_keys_of_several_columns_and_to_the_own_table(tmp_path: Path) -> None:
    two = [{"name": "a", "type": "string"}, {"name": "b", "type": "integer"}, {"name": "c", "type": "string"}]
    reference = {"resource": "", "fields": ["a", "b"]}
    keys = {"primaryKey": ["a", "b"], "foreignKeys": [{"fields": ["c", "b"], "reference": reference}]}
    sound = small(b"a,b,c\nx,1,\nx,2,x\ny,1,x\n", *two, schema=keys)
    assert of_the_standard(lay(sound, tmp_path / "p")) == ["one.csv:2: c, b: not found in one: a, b"]
    broken = small(b"a,b,c\nx,1,x\nx,01,x\nx,3,z\n,,\n", *two, schema=keys)
    assert of_the_standard(lay(broken, tmp_path / "p")) == [
        "one.csv:3: a, b: duplicate value",
        "one.csv:4: c, b: not found in one: a, b",
        "one.csv:5: a, b: primary key is empty",
        "one.csv:5: row is blank",
    ]
    assert not frictionless_is_content(tmp_path / "p")


def test_rows_past_the_first_of_a_rule_are_counted(tmp_path: Path) -> None:
    number = validation.MAX_ROWS_SHOWN + 1_000
    folder = lay(small(b"a\n" + b"x\n" * number, INTEGER), tmp_path / "p")
    *shown, rest = of_the_standard(folder)
    assert len(shown) == validation.MAX_ROWS_SHOWN
    assert rest.endswith(": a: expected type integer (further rows: 1,000)")


def test_rows_are_numbered_through_all_blocks_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "_BLOCK", 1 << 12)
    lines = [b"%d" % number for number in range(20_000)]
    lines[4_000] = b"x"
    lines[14_800] = b"17"
    unique = INTEGER | {"constraints": {"unique": True}}
    folder = lay(small(b"a\n" + b"\n".join(lines), unique, orderedBy=["a"]), tmp_path / "p")
    assert judged(folder) == (
        ["one.csv:4002: a: expected type integer", "one.csv:14802: a: duplicate value"],
        [f"one.csv:{row}: expected ascending order of a" for row in (4002, 14802)],
    )
    lines[14_900] = b"1,2"
    lay(small(b"a\n" + b"\n".join(lines), unique, orderedBy=["a"]), folder)
    assert of_the_standard(folder) == ["one.csv:14902: number of cells differs from the number of columns"]


def test_a_cell_that_is_read_but_not_written_so_here_is_a_fault_beyond_the_standard(tmp_path: Path) -> None:
    folder = lay(small(b"a\n1\n02\n+3\n", INTEGER), tmp_path / "p")
    assert judged(folder) == ([], [f"one.csv:{row}: a: not in the canonical form of type integer" for row in (3, 4)])


@pytest.mark.parametrize("header", [b"", b"a ", b"\ta", b'" a"'])
def test_a_header_that_is_blank_or_has_spaces_is_a_fault_beyond_the_standard(tmp_path: Path, header: bytes) -> None:
    folder = lay(small(header + b"\nx\n", STRING), tmp_path / "p")
    assert frictionless_is_content(folder)
    assert judged(folder) == ([], ["one.csv:1: header is blank or has extra spaces"])


def test_rows_are_ordered_by_code_points_and_null_is_first(tmp_path: Path) -> None:
    ordered = 'a\n""\nB\na\nz\n\u00e9\n\uffee\n\U0001f600\n'.encode()
    folder = lay(small(ordered, STRING, orderedBy=["a"]), tmp_path / "p")
    assert beyond(folder) == []
    lay(small(b'a\nb\n""\nb\nB\n', STRING, orderedBy=["a"]), folder)
    assert beyond(folder) == [f"one.csv:{row}: expected ascending order of a" for row in (3, 5)]


def test_what_is_too_large_for_memory_and_scratch_space_is_said(whole: Files, tmp_path: Path) -> None:
    with pytest.raises(filesystem.NoTemporarySpaceError, match="set TMPDIR to use another folder"):
        validation.validate(lay(whole, tmp_path / "p"), memory_limit="1MB")


def test_a_query_that_a_signal_interrupts_is_no_fault(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise RuntimeError("Query interrupted")  # as DuckDB does, in place of what the handler raises

    monkeypatch.setattr(validation, "_row_rules", interrupted)
    with pytest.raises(KeyboardInterrupt):
        validation.validate(package)


def test_a_folder_may_have_any_name(package: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(package, tmp_path / "a[1]*'b' = c=d {x}"))
    assert validation.validate(folder).faults == []


def test_no_cell_is_repeated(tmp_path: Path) -> None:
    limits = {"constraints": {"enum": ["b"], "unique": True}}
    for content in (b"a\nzqx7kwv\nzqx7kwv\n", b"a\nzqx7kwv,\n", b"a\nzqx7kwv\xff\n", b"zqx7kwv\n"):
        folder = lay(small(content, STRING | limits), tmp_path / "p")
        assert of_the_standard(folder) != []
        assert "zqx7kwv" not in str(validation.validate(folder))


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
    found = validation.validate(lay({"one.csv": b"a\n", "datapackage.json": descriptor}, tmp_path / "p"))
    assert [fault.path for fault in found.faults] == ["datapackage.json"]
    assert not found.valid


def test_a_folder_that_is_none_is_a_fault(tmp_path: Path) -> None:
    assert of_the_standard(tmp_path / "none") == ["datapackage.json: cannot be read as JSON (FileNotFoundError)"]
