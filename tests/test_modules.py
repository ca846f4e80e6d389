"""What every module keeps to: one writes, the command line prints, imports have no cycle, and commands start light."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter

import pytest

from conftest import PROJECT

SOURCE = PROJECT / "src" / "defectors_data"
PARTS = sorted({path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in SOURCE.rglob("*.py")})
"""The modules and folders at the top of the package."""
WRITERS = set(
    "open write write_text write_bytes mkdir rename unlink rmdir rmtree makedirs touch chmod truncate".split()
)


def nodes(part: str) -> Iterator[ast.AST]:
    folder = SOURCE / part
    for module in sorted(folder.rglob("*.py")) if folder.is_dir() else [SOURCE / f"{part}.py"]:
        yield from ast.walk(ast.parse(module.read_text(encoding="utf-8")))


def imports(part: str) -> set[str]:
    """Return the parts that a part imports, wherever in it the import stands."""
    found = set()
    for node in nodes(part):
        if isinstance(node, ast.ImportFrom) and node.module == "defectors_data":
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("defectors_data."):
            found.add(str(node.module).split(".")[1])
        elif isinstance(node, ast.Import):
            found |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("defectors_data.")}
    return found - {part}


def test_imports_have_no_cycle() -> None:
    order = list(TopologicalSorter({part: imports(part) for part in PARTS}).static_order())
    assert order.index("cli") > order.index("findings")


def reads(call: ast.Call) -> bool:
    """Tell whether a call opens a file to read it, or opens documents again."""
    as_bytes = any(isinstance(mode, ast.Constant) and mode.value == "rb" for mode in call.args)
    return as_bytes or ast.unparse(call.func) in {"corpus.open", "self.corpus.open", "self.open"}


def called(part: str) -> set[str]:
    """Return what a part calls, as it is written, of a method its name alone: `print`, `fs.write`, `.mkdir`."""
    calls = [node.func for node in nodes(part) if isinstance(node, ast.Call) and not reads(node)]
    return {
        f"{call.value.id if isinstance(call.value, ast.Name) else ''}.{call.attr}"
        if isinstance(call, ast.Attribute)
        else call.id
        for call in calls
        if isinstance(call, ast.Attribute | ast.Name)
    }


@pytest.mark.parametrize("part", sorted(set(PARTS) - {"fs"}))
def test_only_fs_writes(part: str) -> None:
    allowed = {f"fs.{name}" for name in WRITERS} | {"os.open"}  # of /dev/null
    assert not [call for call in called(part) - allowed if call.rpartition(".")[2] in WRITERS]


@pytest.mark.parametrize("part", sorted(set(PARTS) - {"cli", "verify"}))
def test_only_the_command_line_prints(part: str) -> None:
    assert "print" not in called(part)


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
