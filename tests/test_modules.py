"""What every module keeps to: layers import only from those below, one module writes, the command line prints."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest

from conftest import PROJECT

SOURCE = PROJECT / "src" / "defectors_data"
MODULES = {
    ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(SOURCE.rglob("*.py"))
}
"""The modules by name, such as `corpus.reader`; a folder stands for its `__init__.py`."""

PICTURE = re.search(
    r"generated: layers -->\n\n```text\n(.+?)\n```",
    (PROJECT / "docs/developers/architecture.md").read_text(encoding="utf-8"),
    re.DOTALL,
)
LAYERS = [line.split() for line in PICTURE[1].splitlines()] if PICTURE else []
"""The folders and modules as the page shows them, from top to bottom."""

MOST_MODULES, LONGEST_CHAIN, MOST_LINES_OF_TESTS = 12, 11, 500
WRITERS = set(
    "open write write_text write_bytes mkdir rename unlink rmdir rmtree makedirs touch chmod truncate".split()
)


@cache
def tree(module: str) -> ast.Module:
    return ast.parse(MODULES[module].read_text(encoding="utf-8"))


@cache
def nodes(module: str) -> list[ast.AST]:
    """Return the imports, calls and classes of a module, wherever they are."""
    return [node for node in ast.walk(tree(module)) if isinstance(node, KINDS)]


KINDS = (ast.ImportFrom, ast.Import, ast.Call, ast.ClassDef)


def imported(nodes: Sequence[ast.AST]) -> set[str]:
    """Return the modules of the project that nodes import."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "defectors_data":
            above = str(node.module).removeprefix("defectors_data").lstrip(".")
            names = {f"{above}.{alias.name}".lstrip(".") for alias in node.names}
            found |= {name if name in MODULES else above for name in names}
        elif isinstance(node, ast.Import):
            found |= {alias.name[15:] for alias in node.names if alias.name.startswith("defectors_data.")}
    return found


def part(module: str) -> str:
    return module.partition(".")[0]


def test_each_layer_imports_only_from_those_below() -> None:
    height = {name: -line for line, names in enumerate(LAYERS) for name in names}
    # The library and the command line are on top of all layers.
    height |= {"__init__": 1, "__main__": 2}
    for module in MODULES:
        name = part(module)
        others = {part(other) for other in imported(nodes(module))} - {name}
        assert [other for other in others if height[other] >= height[name]] == [], module


def test_a_folder_has_few_modules() -> None:
    assert max(Counter(path.parent for path in MODULES.values()).values()) <= MOST_MODULES


def test_a_class_shares_its_name_with_no_other() -> None:
    classes = Counter(
        node.name.lstrip("_") for module in MODULES for node in nodes(module) if isinstance(node, ast.ClassDef)
    )
    assert [name for name, number in classes.items() if number > 1] == []


def test_a_test_module_is_short() -> None:
    lines = {path.name: path.read_text(encoding="utf-8").count("\n") for path in (PROJECT / "tests").glob("*.py")}
    assert {name: number for name, number in lines.items() if number > MOST_LINES_OF_TESTS} == {}


@cache
def chain(module: str) -> tuple[str, ...]:
    """Return the longest chain of modules that importing a module imports; what a function imports comes later."""
    others = imported(tree(module).body)
    return module, *max((chain(other) for other in others - {module}), key=len, default=())


def test_chains_of_imports_are_short() -> None:
    longest = max(map(chain, MODULES), key=len)
    assert len(longest) <= LONGEST_CHAIN, " > ".join(longest)


def reads(call: ast.Call) -> bool:
    """Tell whether a call opens a file to read it, opens documents again, or a file of a zip."""
    as_bytes = any(isinstance(mode, ast.Constant) and mode.value == "rb" for mode in call.args)
    return as_bytes or ast.unparse(call.func) in {"archive.open", "corpus.open", "self.corpus.open", "self.open"}


@cache
def called(module: str) -> set[str]:
    """Return what a module calls, as it is written: `print`, `filesystem.write`; of a method its name: `.mkdir`."""
    calls = [node.func for node in nodes(module) if isinstance(node, ast.Call) and not reads(node)]
    return {
        f"{call.value.id if isinstance(call.value, ast.Name) else ''}.{call.attr}"
        if isinstance(call, ast.Attribute)
        else call.id
        for call in calls
        if isinstance(call, ast.Attribute | ast.Name)
    }


def test_only_one_module_writes() -> None:
    allowed = {f"filesystem.{name}" for name in WRITERS} | {
        "os.open",  # of /dev/null
        "writer.write",  # into memory of Arrow
    }
    for module in set(MODULES) - {"package.filesystem"}:
        assert not [call for call in called(module) - allowed if call.rpartition(".")[2] in WRITERS], module


def test_only_the_command_line_prints() -> None:
    silent = [name for name in MODULES if part(name) != "cli" and name != "package.verify"]
    assert [module for module in silent if "print" in called(module)] == []


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


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--no-cache", "--root", "tests/invented"]])
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
