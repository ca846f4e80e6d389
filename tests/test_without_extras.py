"""The commands for readers, in an installation without the extra `build`."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from conftest import PROJECT


@cache
def extra_modules() -> list[str]:
    """Return the modules of the extra `build`."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = project["optional-dependencies"]["build"]
    names = {re.split(r"[^\w-]", line)[0] for line in lines}
    extras = names - {"numpy", "pyarrow"}  # pandas needs numpy, and readers need pyarrow
    distributions = packages_distributions()
    modules = [name for name, of in distributions.items() if extras & {each.lower() for each in of}]
    assert len(modules) >= len(extras)
    return modules


def without_extras(*arguments: str, where: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a process that finds no module of the extra `build`."""
    hidden = f"import sys; sys.modules.update(dict.fromkeys({extra_modules()}))"
    code = f"{hidden}\nfrom defectors_data.__main__ import main; main()"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "code", "shown"),
    [
        (["why", "figures/example-f3/value"], 0, "figures/example-f3/value: 2"),
        (["cite", "figures/example-f3", "--format", "bibtex"], 0, "@misc{invented-data-1.2.3-example-f3,"),
        (["why", "figures/example-f333"], 1, "Did you mean `example-f3"),
        (["quotecheck", "draft.txt"], 1, "draft.txt:1: not found:"),
        (["check"], 2, "Commands other than why, cite, verify, quotecheck need typer: install the extra `build`."),
    ],
)
def test_readers_need_no_extra(package: Path, tmp_path: Path, arguments: list[str], code: int, shown: str) -> None:
    (tmp_path / "draft.txt").write_text("“The moon fell on the wall of the harbour.”", encoding="utf-8")
    if code < 2:
        arguments = [*arguments, "--package", str(package)]
    ran = without_extras(*arguments, where=tmp_path)
    assert (ran.returncode, shown in ran.stdout + ran.stderr) == (code, True), ran.stderr


def test_the_verifier_needs_no_extra(package: Path) -> None:
    ran = without_extras("verify", str(package), where=PROJECT)
    assert (ran.returncode, ran.stdout.startswith("Checked: ")) == (0, True)
