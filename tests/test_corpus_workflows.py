"""Each command in the workflows that `init` writes runs in a clone of a released corpus."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from calling import run
from conftest import PROJECT, edit
from defectors_data.annotators.new_corpus import requirement
from defectors_data.cli.commands import COMMANDS
from defectors_data.models.project import UNKNOWN_PROGRAM

WORKFLOWS = PROJECT / "src/defectors_data/example/dot-github/workflows"
IDENTITY = {"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org"}
COMMITTER = {"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org"}
ONLY_HERE = ("gh",)
"""Commands of the hosting site, which no test can run."""


def jobs(name: str) -> Iterator[dict[str, Any]]:
    workflow = yaml.safe_load((WORKFLOWS / f"{name}.yml").read_text(encoding="utf-8"))
    yield from workflow["jobs"].values()


def lines(name: str) -> list[str]:
    return [step["run"] for job in jobs(name) for step in job["steps"] if "run" in step]


def shell(command: str, where: Path, **surroundings: str) -> subprocess.CompletedProcess[str]:
    """Run a line as a runner does, with the program and `pip` of this environment."""
    path = f"{where.parent / 'commands'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    settings = {**os.environ, **IDENTITY, **COMMITTER, "PATH": path, **surroundings}
    words = ["bash", "-e", "-o", "pipefail", "-c", command]
    return subprocess.run(words, cwd=where, env=settings, capture_output=True, text=True, check=False)


ON_WINDOWS = "--config core.autocrlf=true"
"""The default of git on Windows."""


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of the corpus that `init` writes, built, released, committed and tagged."""
    folder = tmp_path_factory.mktemp("workflows")
    corpus = folder / "corpus"
    assert run("init", corpus).returncode == 0
    private = "  private: removals@example.org\n"
    edit(corpus, "dataset.yaml", "\nlicence:\n", f"\n{private}licence:\n")
    (corpus / "requirements.txt").write_text("defectors-data[build]==0.1.0\n", encoding="utf-8")  # as it is here
    released = run("release", "--first-release", where=corpus)
    assert released.returncode == 0, released.stderr
    commit = released.stdout.rpartition("Next: ")[2]
    start = "git init --quiet && git add --all ':!dist' && git commit --quiet --message Start"
    for command in (start, commit, f"git clone {ON_WINDOWS} --quiet . ../clone"):
        ran = shell(command, corpus)
        assert ran.returncode == 0, ran.stderr
    (folder / "commands").mkdir()
    for name in ONLY_HERE:
        stub = folder / "commands" / name
        stub.write_text('#!/bin/sh\necho "$@"\n', encoding="utf-8")
        stub.chmod(0o755)
    return folder / "clone"


@pytest.mark.deep
def test_each_line_of_a_workflow_runs_and_leaves_nothing_that_git_shows(clone: Path) -> None:
    for line in lines("check"):
        ran = shell(line, clone)
        assert ran.returncode == 0, f"{line}\n{ran.stdout}{ran.stderr}"
    written = ""
    for line in lines("release"):
        ran = shell(line, clone, GITHUB_REF_NAME="v0.1.0")
        assert ran.returncode == 0, f"{line}\n{ran.stdout}{ran.stderr}"
        written = ran.stdout
    packed = re.findall(r"build/\S+\.zip", written)
    assert [path for path in packed if (clone / path).is_file()] == packed
    assert len(packed) == 2
    assert shell("git status --porcelain", clone).stdout == ""


@pytest.mark.deep
def test_a_tag_of_another_version_makes_no_release(clone: Path) -> None:
    reached = set()
    for line in lines("release"):
        if line.startswith("defectors-data") and shell(line, clone, GITHUB_REF_NAME="v0.1.1").returncode:
            reached.add(line)
    assert reached == {'defectors-data release --check "$GITHUB_REF_NAME"'}


def test_pip_shows_what_to_write_if_the_address_of_the_program_is_unknown(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text(f"# The program.\n{UNKNOWN_PROGRAM}\n", encoding="utf-8")
    ran = shell(lines("check")[0], tmp_path)
    assert ran.returncode == 1
    assert UNKNOWN_PROGRAM in ran.stderr
    assert "line 2 of requirements.txt" in ran.stderr


@pytest.mark.parametrize(
    ("direct_url", "expected"),
    [
        (None, "defectors-data[build]==1.2.3"),
        ({"url": "file:///home/a", "dir_info": {"editable": True}}, UNKNOWN_PROGRAM),
        ({"url": "file:///home/a", "vcs_info": {"vcs": "git", "commit_id": "abc"}}, UNKNOWN_PROGRAM),
        (
            {"url": "https://example.org/a.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            "defectors-data[build] @ git+https://example.org/a.git@abc",
        ),
        ({"url": "https://example.org/a.whl", "archive_info": {}}, "defectors-data[build] @ https://example.org/a.whl"),
    ],
)
def test_the_program_is_pinned_to_the_version_that_is_installed(
    direct_url: dict[str, Any] | None, expected: str
) -> None:
    record = json.dumps(direct_url) if direct_url else None
    assert requirement("1.2.3", record) == expected


@pytest.mark.parametrize(
    ("origin", "pushed", "expected"),
    [
        ("https://example.org/a.git", True, "defectors-data[build] @ git+https://example.org/a.git@HEAD"),
        ("https://example.org/a.git", False, UNKNOWN_PROGRAM),
        ("/home/a", True, UNKNOWN_PROGRAM),
        ("git@example.org:b/a.git", True, "defectors-data[build] @ git+https://example.org/b/a.git@HEAD"),
    ],
)
def test_a_folder_that_others_can_reach_is_known_by_its_commit(
    tmp_path: Path, origin: str, pushed: bool, expected: str
) -> None:
    commands = f"git init -q && git commit -q --allow-empty -m Start && git remote add origin {origin}"
    push = " && git update-ref refs/remotes/origin/main HEAD" if pushed else ""
    assert shell(commands + push, tmp_path).returncode == 0
    commit = shell("git rev-parse HEAD", tmp_path).stdout.strip()
    (tmp_path / "inner").mkdir()
    for folder, pinned in ((tmp_path, expected.replace("HEAD", commit)), (tmp_path / "inner", UNKNOWN_PROGRAM)):
        record = json.dumps({"url": folder.as_uri(), "dir_info": {}})
        assert requirement("1.2.3", record) == pinned


def test_the_website_is_the_package_and_nothing_else(clone: Path) -> None:
    _check, job = jobs("pages")
    _checkout, upload, deploy = job["steps"]
    assert upload["with"] == {"path": "dist"}
    assert deploy["uses"].startswith("actions/deploy-pages@")
    assert "run" not in {*upload, *deploy}
    ran = run("verify", "dist", "--seeds", "seeds", where=clone)
    assert ran.returncode == 0, ran.stdout


def test_the_website_waits_for_the_check() -> None:
    check, job = jobs("pages")
    assert (check, job["needs"]) == ({"uses": "./.github/workflows/check.yml"}, "check")
    called_workflow = yaml.safe_load((WORKFLOWS / "check.yml").read_text(encoding="utf-8"))
    assert called_workflow["on"].keys() == {"push", "pull_request", "workflow_call"}
    assert called_workflow["permissions"] == {"contents": "read"}


def test_every_action_is_pinned_to_a_commit() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in WORKFLOWS.glob("*.yml"))
    uses = re.findall(r"uses: ([^.].+)", text)
    assert uses
    assert [each for each in uses if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40} # v[\d.]+", each)] == []


def test_only_the_workflows_that_publish_may_write() -> None:
    granted = {}
    for path in WORKFLOWS.glob("*.yml"):
        permissions = yaml.safe_load(path.read_text(encoding="utf-8"))["permissions"]
        granted[path.stem] = {name for name, level in permissions.items() if level == "write"}
    assert granted == {"check": set(), "pages": {"pages", "id-token"}, "release": {"contents"}}


def test_each_command_that_templates_and_documents_name_exists() -> None:
    names = {command.name for command in COMMANDS}
    folders = [PROJECT / "docs", PROJECT / "src/defectors_data/example", PROJECT / "tests/guide"]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    files += [PROJECT / name for name in ("README.md", "CONTRIBUTING.md", "Makefile")]
    unknown = set()
    for path in files:
        if path.suffix in (".png", ".ipynb"):
            continue
        for command in called(path.read_text(encoding="utf-8")):
            if command not in names:
                unknown.add((path.name, command))
    assert unknown == set()


def called(text: str) -> list[str]:
    """Return the commands in code: in backticks, in `run:`, and at the beginning of lines in a block of code."""
    found = re.findall(r"(?:[`/]|run: |&& )defectors-data (?:-v )?([a-z][a-z-]*)", text)
    for block in re.findall(r"```(?:console|sh)\n(.*?)```", text, re.DOTALL):
        found += re.findall(r"^(?:\$ )?defectors-data (?:-v )?([a-z][a-z-]*)", block, re.MULTILINE)
    return found


def test_a_command_is_found_wherever_code_is_written() -> None:
    text = "run: defectors-data pack\nThe\ndefectors-data package has `defectors-data zip`."
    assert called(f"{text}\n```console\n$ defectors-data check\n```\n") == ["pack", "zip", "check"]
