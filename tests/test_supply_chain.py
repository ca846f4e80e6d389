"""Nothing that people write is ever run, and nothing is fetched: not to build, not to check, not to read."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import INVENTED, PROJECT
from test_modules import MODULES
from test_modules import nodes as nodes_of

RUNS_CODE = {
    "eval",
    "exec",
    "compile",
    "__import__",
    "system",
    "popen",
    "Popen",
    "check_output",
    "spawn",
    "import_module",
}
LOADS_CODE = {
    "pickle",
    "marshal",
    "shelve",
    "dill",
    "cloudpickle",
    "subprocess",
    "socket",
    "urllib",
    "requests",
    "runpy",
}
OFFLINE = """
import sys
SOCKETS = "connect bind sendto sendmsg getaddrinfo gethostbyname"
FORBIDDEN = {"urllib.Request", *("socket." + name for name in SOCKETS.split())}
def refuse(event, _):
    if event in FORBIDDEN:
        raise OSError("no network")
sys.addaudithook(refuse)
"""
EACH = """
import json
from defectors_data import cli
for command in json.load(sys.stdin):
    sys.argv[1:] = command
    print(command, cli.main())
"""


def nodes() -> Iterator[tuple[Path, ast.AST]]:
    """Yield the imports and calls of the code, each with its file."""
    for module, path in MODULES.items():
        yield from ((path, node) for node in nodes_of(module))


def name_of(call: ast.expr) -> str:
    return call.attr if isinstance(call, ast.Attribute) else call.id if isinstance(call, ast.Name) else ""


def test_the_code_runs_no_code() -> None:
    called = [(path.name, node.func) for path, node in nodes() if isinstance(node, ast.Call)]
    allowed = {"re"}  # re.compile
    found = [
        (path, name_of(call))
        for path, call in called
        if name_of(call) in RUNS_CODE
        and not (isinstance(call, ast.Attribute) and isinstance(call.value, ast.Name) and call.value.id in allowed)
    ]
    assert found == [("commands.py", "import_module")], "a command's module is imported when it is called"


def test_the_code_loads_no_code_and_opens_no_connection() -> None:
    imported = {
        (path.name, (name or "").split(".")[0])
        for path, node in nodes()
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }
    assert {found for found in imported if found[1] in LOADS_CODE} == OPENS_NONE


OPENS_NONE = {
    ("citation_formats.py", "urllib"),  # urllib.parse encodes an address
    ("new_corpus.py", "urllib"),  # reads the path of the folder that pip installed from
    ("git.py", "subprocess"),  # git, in a folder of the user
    ("reader_commands.py", "subprocess"),  # openssl, for a time stamp
}
"""Modules that import one of these for something else."""


def test_yaml_is_read_as_events_or_nodes_and_never_as_objects() -> None:
    uses = {
        (path.name, node.func.attr)
        for path, node in nodes()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "yaml"
    }
    called = {name for _, name in uses if name[0].islower()}
    assert called <= {"parse", "compose", "scan", "safe_dump"}, uses  # the last one writes


TAKEDOWN = ["takedown", "example-t1", "--reason", "error"]
COMMANDS = [["check"], ["todo"], ["schema", "--check"], ["build"], ["zip"], ["verify", "dist"], TAKEDOWN]


@pytest.mark.deep
def test_no_command_opens_a_connection(tmp_path: Path) -> None:
    """All in one process, for nothing takes such a watch off again."""
    root = Path(shutil.copytree(INVENTED, tmp_path / "project"))
    shutil.copytree(PROJECT / "schema", root / "schema")
    command, asked = [sys.executable, "-c", OFFLINE + EACH], json.dumps(COMMANDS)
    ran = subprocess.run(command, cwd=root, input=asked, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "no network" not in ran.stderr
    assert [line for line in ran.stdout.splitlines() if line.startswith("[")] == [f"{each} 0" for each in COMMANDS]


def test_the_double_does_forbid_connections() -> None:
    code = OFFLINE + "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9')"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "no network" in ran.stderr
