"""The code of the README runs, and what it prints is what the README shows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import notebook
from conftest import PROJECT

README = PROJECT / "README.md"
TEXT = README.read_text(encoding="utf-8")
CONSOLE = re.findall(r"^```console\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("page", "outputs"), list(zip(notebook.EXECUTED, (1, 4, 10), strict=True)))
def test_every_block_prints_what_the_page_shows(page: str, outputs: int) -> None:
    text = (PROJECT / page).read_text(encoding="utf-8")
    assert notebook.executed(text) == text
    assert len(re.findall(r"^```text$", text, re.MULTILINE)) == outputs


def test_frictionless_validates_the_package_as_the_readme_says() -> None:
    [command] = [line for block in CONSOLE for line in block.splitlines() if line.startswith("frictionless ")]
    subprocess.run([sys.executable, "-m", *shlex.split(command)], cwd=PROJECT, capture_output=True, check=True)


def test_the_commands_without_output_are_those_that_ci_runs() -> None:
    commands = [line.split("#")[0].strip() for block in CONSOLE for line in block.splitlines()]
    targets = {command.removeprefix("make ") for command in commands if command.startswith("make ")}
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    assert targets == {"build", "test"}
    assert all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in targets)


def test_the_readme_is_short_and_has_the_commands() -> None:
    assert len(TEXT.encode()) < 4_000
    assert "\nmake build " in TEXT
    assert "\nmake test " in TEXT


def test_no_sentence_of_a_seed_is_in_the_docs() -> None:
    seeds = " ".join(path.read_text(encoding="utf-8") for path in sorted((PROJECT / "seeds").glob("*.txt")))
    words = " ".join(seeds.split()).casefold().split(" ")
    runs = {" ".join(words[i : i + 8]) for i in range(len(words) - 7)}
    pages = [README, PROJECT / "CHANGELOG.md", *sorted((PROJECT / "docs").rglob("*.md"))]
    pages += [path for folder in ("src", "tests") for path in Path(PROJECT / folder).rglob("*") if path.is_file()]
    for page in pages:
        if page.suffix in (".md", ".py", ".yaml", ".txt"):
            page_words = page.read_text(encoding="utf-8", errors="replace").casefold().split()
            found = [" ".join(page_words[i : i + 8]) for i in range(len(page_words) - 7)]
            assert not runs & set(found), (page, runs & set(found))
