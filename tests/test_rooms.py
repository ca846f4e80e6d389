"""The imports of every module are those that docs/rooms.md allows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest

from conftest import PROJECT

SOURCE = PROJECT / "src" / "defectors_data"
ROW = re.compile(r"^\| `(\w+)` \| [^|]+ \|([^|]*)\|$", re.MULTILINE)
PLAN = {
    room: {name.strip() for name in allowed.split(",") if name.strip()}
    for room, allowed in ROW.findall((PROJECT / "docs/rooms.md").read_text(encoding="utf-8"))
}
WRITERS = {
    "open",
    "write_text",
    "write_bytes",
    "mkdir",
    "rename",
    "replace",
    "unlink",
    "rmtree",
    "makedirs",
    "touch",
}


def imports(room: str) -> set[str]:
    """Return the rooms that a room imports, wherever in the module the import stands."""
    found = set()
    for node in ast.walk(ast.parse((SOURCE / f"{room}.py").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "defectors_data":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("defectors_data."):
            found.add(str(node.module).split(".")[1])
    return found


def test_the_plan_names_every_room() -> None:
    assert set(PLAN) == {path.stem for path in SOURCE.glob("*.py")}


@pytest.mark.parametrize("room", sorted(PLAN))
def test_a_room_imports_what_the_plan_allows(room: str) -> None:
    assert imports(room) == PLAN[room]


def test_nobody_looks_back() -> None:
    def reaches(room: str, seen: frozenset[str] = frozenset()) -> set[str]:
        below = {other for name in PLAN[room] - seen for other in reaches(name, seen | {name})}
        return PLAN[room] | below

    assert not [room for room in PLAN if room in reaches(room)]


@pytest.mark.parametrize("room", sorted(set(PLAN) - {"fs"}))
def test_only_fs_writes(room: str) -> None:
    tree = ast.parse((SOURCE / f"{room}.py").read_text(encoding="utf-8"))
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = {call.attr for call in calls if isinstance(call, ast.Attribute) and not _is_text(call)}
    names |= {call.id for call in calls if isinstance(call, ast.Name)}
    assert not names & WRITERS


def _is_text(call: ast.Attribute) -> bool:
    """`replace` is a method of strings and of datetimes too; nothing in the project renames with it."""
    return call.attr == "replace"


@pytest.mark.parametrize("arguments", [["--help"], ["build", "--help"], ["check", "--root", "tests/invented"]])
def test_help_and_check_start_light(arguments: list[str]) -> None:
    code = (
        "import sys; sys.argv[0] = 'defectors-data'\n"
        "from defectors_data.cli import main\n"
        "try: main()\n"
        "except SystemExit as stop: assert not stop.code, stop.code\n"
        "print([name for name in ('pyarrow', 'frictionless', 'pandas') if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == "[]"
