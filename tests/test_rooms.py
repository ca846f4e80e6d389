"""The imports of every module are those that docs/rooms.md allows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import PROJECT

SOURCE = PROJECT / "src" / "defectors_data"
ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \|([^|]*)\|$", re.MULTILINE)
PLAN = {
    room: {name.strip() for name in allowed.split(",") if name.strip()}
    for room, allowed in ROW.findall((PROJECT / "docs/rooms.md").read_text(encoding="utf-8"))
}
WRITERS = set(
    "open write write_text write_bytes mkdir rename unlink rmdir rmtree makedirs touch chmod truncate".split()
)


def modules(room: str) -> list[Path]:
    """Return the files of a room: a module, or all modules of a folder."""
    folder = SOURCE / room
    return sorted(folder.glob("*.py")) if folder.is_dir() else [SOURCE / f"{room}.py"]


def nodes(room: str) -> Iterator[ast.AST]:
    for module in modules(room):
        yield from ast.walk(ast.parse(module.read_text(encoding="utf-8")))


def imports(room: str) -> set[str]:
    """Return the rooms that a room imports, wherever in it the import stands."""
    found = set()
    for node in nodes(room):
        if isinstance(node, ast.ImportFrom) and node.module == "defectors_data":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("defectors_data."):
            found.add(str(node.module).split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("defectors_data.")}
    return found - {room}


def test_the_plan_names_every_room() -> None:
    folders = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert set(PLAN) == {path.stem for path in SOURCE.glob("*.py")} | folders


@pytest.mark.parametrize("room", sorted(PLAN))
def test_a_room_imports_what_the_plan_allows(room: str) -> None:
    assert imports(room) == PLAN[room]


def test_nobody_looks_back() -> None:
    def reaches(room: str, seen: frozenset[str] = frozenset()) -> set[str]:
        below = {other for name in PLAN[room] - seen for other in reaches(name, seen | {name})}
        return PLAN[room] | below

    assert not [room for room in PLAN if room in reaches(room)]


def called(room: str) -> set[str]:
    """Return what a room calls, as it is written, of a method its name alone: `print`, `fs.write`, `.mkdir`."""
    calls = [node.func for node in nodes(room) if isinstance(node, ast.Call)]
    return {
        f"{call.value.id if isinstance(call.value, ast.Name) else ''}.{call.attr}"
        if isinstance(call, ast.Attribute)
        else call.id
        for call in calls
        if isinstance(call, ast.Attribute | ast.Name)
    }


@pytest.mark.parametrize("room", sorted(set(PLAN) - {"fs"}))
def test_only_fs_writes(room: str) -> None:
    allowed = {f"fs.{name}" for name in WRITERS} | {"os.open"}  # of /dev/null
    assert not [call for call in called(room) - allowed if call.rpartition(".")[2] in WRITERS]


@pytest.mark.parametrize("room", sorted(set(PLAN) - {"cli", "verify"}))
def test_only_the_command_line_prints(room: str) -> None:
    assert "print" not in called(room)


HEAVY = (
    "pyarrow",
    "frictionless",
    "pandas",
    "numpy",
    "edtf",
    "rapidfuzz",
    "rich",
    "json",
    "logging",
    "multiprocessing",
)
"""What takes long to import, and is for other commands, for corpora in parts, or for what is wrong."""


@pytest.mark.parametrize("arguments", [["--help"], ["build", "--help"], ["check", "--root", "tests/invented"]])
def test_help_and_check_start_light(arguments: list[str]) -> None:
    code = (
        "import sys; sys.argv[0] = 'defectors-data'\n"
        "from defectors_data.cli import main\n"
        "code = main()\n"
        "assert code == 0, code\n"
        f"print([name for name in {HEAVY} if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == "[]"
