"""The command line, run inside the tests' own process or in one of its own; both say the same, as a test holds.

Starting a process and importing everything takes a hundred times as long as most commands do. What is promised of
processes (signals, closed pipes, locales, what the environment holds) is tested with `process`, all else with `run`.
"""

from __future__ import annotations

import contextlib
import functools
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
import typer.main

from conftest import PROJECT
from defectors_data import cli

COMMAND = [sys.executable, "-m", "defectors_data"]


class Ran(NamedTuple):
    """What a command ended with, and what it wrote."""

    returncode: int
    stdout: str
    stderr: str


def run(*arguments: str | Path, where: Path = PROJECT) -> Ran:
    """Run a command in this process, from some folder."""
    streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="\n") for _ in range(2)]
    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(where):
        patch.setattr(sys, "argv", ["defectors_data/__main__.py", *map(str, arguments)])
        patch.setattr(
            sys.modules["__main__"], "__package__", "defectors_data"
        )  # as `python -m defectors_data` is called
        patch.setattr(sys, "stdout", streams[0])
        patch.setattr(sys, "stderr", streams[1])
        patch.setattr(typer.main, "get_command", _made_once)
        code = cli.main()
    return Ran(code, *map(_written, streams))


_made_once = functools.cache(typer.main.get_command)
"""A process makes the command line once; so do the tests."""


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    written = stream.buffer
    assert isinstance(written, io.BytesIO)
    return written.getvalue().decode()


def process(*arguments: str | Path, where: Path = PROJECT, **surroundings: str | None) -> Ran:
    """Run a command in a process of its own, with other surroundings, on the code of this checkout.

    None removes a variable.
    """
    changed = {**os.environ, "PYTHONPATH": str(PROJECT / "src"), **surroundings}
    settings = {key: value for key, value in changed.items() if value is not None}
    command = [*COMMAND, *map(str, arguments)]
    ran = subprocess.run(command, cwd=where, env=settings, capture_output=True, text=True, check=False)
    return Ran(ran.returncode, ran.stdout, ran.stderr)
