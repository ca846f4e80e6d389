"""A file that a user names is opened only if it is a regular file: no command waits for a pipe."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from calling import run

REFUSED = [
    *((1, "import", form, "pipe") for form in ("brat", "w3c", "label-studio", "refi-qda", "uima-cas")),
    (1, "import", "brat", "folder"),
    (1, "reanchor", "900_example", "pipe"),
    (1, "quotecheck", "pipe.docx"),
    (1, "quotecheck", "pipe.txt"),
    (2, "diff", "pipe", "dist"),
    (2, "diff", "dist", "pipe"),
    (1, "export", "tei", "--seeds", "folder", "--out", "out"),
    (2, "quotecheck", "draft.txt", "--seeds", "folder"),
    (2, "view", "--seeds", "folder"),
    (3, "verify", "--stamp-ca", "pipe"),
    (2, "check", "pipe"),
]


@pytest.fixture(scope="module")
def with_pipes(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published invented corpus with pipes next to it and in a folder."""
    root = Path(shutil.copytree(published, tmp_path_factory.mktemp("pipes") / "project"))
    for name in ("pipe", "pipe.docx", "pipe.txt", "folder/900_example.txt", "folder/a.ann"):
        (root / name).parent.mkdir(exist_ok=True)
        os.mkfifo(root / name)
    (root / "draft.txt").write_text("“Nobody wrote to us.”\n", encoding="utf-8")
    return root


@pytest.mark.parametrize("command", REFUSED, ids=lambda command: " ".join(command[1:]))
def test_a_pipe_is_refused_with_a_sentence(with_pipes: Path, command: tuple[int, *tuple[str, ...]]) -> None:
    code, *words = command
    ran = run(*words, where=with_pipes)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (code, "", 1), ran
    assert "bug" not in ran.stderr


COMMANDS = [["why", "testimonies/example-t1/mode"], ["cite", "testimonies/example-t1"], ["verify"], ["diff", "dist"]]


@pytest.mark.parametrize("table", ["testimonies.csv", "testimonies.parquet"])
@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_pipe_in_a_package_is_not_waited_for(published: Path, tmp_path: Path, words: list[str], table: str) -> None:
    package = Path(shutil.copytree(published / "dist", tmp_path / "dist"))
    (package / "data" / table).unlink()
    os.mkfifo(package / "data" / table)
    place = ["dist"] if words[0] in ("verify", "diff") else ["--package", "dist"]
    ran = run(*words, *place, where=tmp_path)
    assert "bug" not in ran.stderr
    assert ran.returncode in ({0, 1, 3} if table.endswith(".csv") else {1, 3})
