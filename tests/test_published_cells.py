"""Published cells are safe to open: in a spreadsheet, in a browser, as text."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from calling import run
from conftest import edit, repin
from defectors_data.models import fields
from defectors_data.package.cells import MAX_CELLS_LISTED
from finding_output import told_of_findings
from mistakes import SECOND, SPEAKERS, B, note

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet takes for a formula (OWASP, CSV Injection)."""


def formulas(root: Path) -> set[tuple[str, str, str]]:
    """Return the cells of the published CSV that begin like a formula: table, key, column."""
    found = set()
    for path in (root / "dist/data").glob("*.csv"):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key = next(iter(row.values()))
                found |= {(path.stem, key, column) for column, cell in row.items() if cell.startswith(FORMULA)}
    return found


def suspicious(root: Path) -> None:
    """Let many cells of many tables begin like a formula."""
    edit(root, SECOND, "The Harbour After the Keepers", "=The Harbour After the Keepers")
    edit(root, SECOND, "“Perhaps nobody,”", "“-Perhaps nobody,”")
    edit(root, SECOND, "A man who gave", "+A man who gave")
    edit(root, SECOND, "“Two keepers cannot serve an island,” reads", "@“Two keepers cannot serve an island,” reads")
    edit(
        root,
        SECOND,
        "The Harbour Office documented dozens of empty towers.",
        "=The Harbour Office documented -dozens of empty towers.",
    )
    edit(root, B, "title: The Harbour After", 'title: "=The Harbour After')
    edit(root, B, "the Keepers\n", 'the Keepers"\n')
    edit(root, B, "evidence: Perhaps nobody,", 'evidence: "-Perhaps nobody,"')
    edit(
        root,
        B,
        "evidence: The Harbour Office documented dozens of empty towers.",
        'evidence: "=The Harbour Office documented -dozens of empty towers."',
    )
    edit(root, B, "evidence: dozens of empty towers", 'evidence: "-dozens of empty towers"')
    edit(
        root, B, "evidence: A man who gave only the name Iven said", "evidence: +A man who gave only the name Iven said"
    )
    edit(
        root,
        B,
        'evidence: {text: "“Two keepers cannot serve an island,”", suffix: " reads a poster"}',
        'evidence: "@“Two keepers cannot serve an island,”"',
    )
    edit(root, B, "rights: Nobody", 'rights: Nobody\n  note: "- One.\\n- Two."')
    edit(root, B, "counted: towers that stand empty", 'counted: towers that stand empty\n    note: "- One."')
    edit(root, B, "    themes: [will_to_return]\n", '    themes: [will_to_return]\n    note: "- Two."\n')
    edit(root, B, "    counted: keepers\n", '    counted: keepers\n    as_of: "-0100"\n')
    edit(root, SPEAKERS, "    name: Bruno Salt\n", '    name: Bruno Salt\n    note: "- Two."\n')
    edit(root, SPEAKERS, "    name: Harbour Office\n", '    name: Harbour Office\n    note: "- One."\n')
    edit(root, B, "    access: documented\n", '    access: documented\n    note: "- Three."\n')
    repin(root, "901_second")


def test_a_build_names_every_published_cell_that_a_spreadsheet_would_run(copied: Path) -> None:
    suspicious(copied)
    ran = run("build", where=copied)
    assert (ran.returncode, ran.stderr) == (0, ""), ran
    _, _, head, *named = told_of_findings(ran.stdout).splitlines()
    cells = formulas(copied)
    written = {"sources", "testimonies", "figures", "spans", "speakers"}
    assert {table for table, _, _ in cells} >= written
    assert head.startswith(f"{len(cells)} published cells begin like a formula.")
    assert head.endswith("into a spreadsheet with every column as text:")
    told = {f"    {table}.csv: {column} of {row}" for table, row, column in cells}
    most = MAX_CELLS_LISTED
    assert len(told) > most
    assert len(set(named[:most])) == most
    assert set(named[:most]) < told
    assert [line.split(".csv")[0] for line in named[:most]] == sorted(line.split(".csv")[0] for line in named[:most])
    assert named[most:] == [f"    and {len(told) - most} more"]


@pytest.mark.deep
def test_check_does_not_report_such_cells_and_a_build_without_them_prints_no_advice(copied: Path) -> None:
    assert "like a formula" not in run("build", where=copied).stdout
    suspicious(copied)
    assert "like a formula" not in run("check", where=copied).stdout
    assert json.loads(run("check", "--format", "json", where=copied).stdout).keys() == {"findings", "rules"}


def test_free_text_never_begins_like_a_formula() -> None:
    """A note that is a list is left its dashes; it is named like the articles' words are."""
    line = TypeAdapter(fields.Line)
    for typed in ("=1+1", "@SUM(1)", "-2+3", "+1", "- 2 degrees", "@handle"):
        with pytest.raises(ValidationError, match="A spreadsheet would run this"):
            line.validate_python(typed)
    for typed in ("2 - 3", "minus 2", "handle@example.org", "“-2”", "–2"):
        assert line.validate_python(typed) == typed


SEEN_ALIKE = ("\xad", "\u200b", "\u2028", "\u2029", "\u2060", "\ufdd0", "\ufffe", "\ue000", "\U000e0041", "\U0010ffff")


@pytest.mark.parametrize("kind", [fields.Line, fields.Note])
def test_nothing_invisible_is_typed(kind: Any) -> None:
    typed: TypeAdapter[str] = TypeAdapter(kind)
    for hidden in (*SEEN_ALIKE, "\u200c", "\u200d"):
        for words in (f"kee{hidden}pers", f"keepers{hidden}", f"{hidden}keepers"):
            with pytest.raises(ValidationError, match=rf"U\+{ord(hidden):04X} is not allowed here"):
                typed.validate_python(words)
    for words in (
        "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "seen \U0001f469\u200d\U0001f680",
        "a \u2764\ufe0f\u200d\U0001f525",
    ):
        assert typed.validate_python(words) == words


@pytest.mark.parametrize("blank", [" ", "\u00a0", "\u3000"])
def test_a_line_has_no_blanks_at_its_ends(blank: str) -> None:
    line = TypeAdapter(fields.Line)
    for typed in (f"Mira Fenn{blank}", f"{blank}Mira Fenn"):
        with pytest.raises(ValidationError, match="without white space before or after"):
            line.validate_python(typed)
    assert line.validate_python(f"Mira{blank}Fenn") == f"Mira{blank}Fenn"


def test_the_package_says_how_to_open_it_in_a_spreadsheet(published: Path) -> None:
    assert "import dialogue" in (published / "dist/README.md").read_text(encoding="utf-8")


def test_html_in_a_note_is_published_as_it_was_typed_and_nowhere_else(copied: Path) -> None:
    html = "</script><script>alert(document)</script><cite>"
    note(f"'Of the line. {html}'")(copied)
    assert run("check", where=copied).returncode == 0
    assert run("build", where=copied).returncode == 0
    files = (path for path in (copied / "dist").rglob("*") if path.is_file())
    assert {path.parent.name for path in files if html.encode() in path.read_bytes()} == {"data"}
    with (copied / "dist/data/sources.csv").open(encoding="utf-8", newline="") as file:
        assert any(html in row["note"] for row in csv.DictReader(file))
