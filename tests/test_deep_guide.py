"""A fifth article is added to a copy of this repository by the guide alone, and the copy is then in step and green."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import PROJECT

sys.path.append(str(PROJECT / "tools" / "docs"))
import guide

pytestmark = pytest.mark.deep

LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", ".*_cache", "__pycache__", "stamps")
COUNTING = ("tests/test_docs.py", "tests/test_readme.py")
"""The tests that count articles."""
OTHERS = "not sentence_of_a_seed"
"""The article of the guide is printed in the docs, unlike a real one."""


def ran(root: Path, *command: str) -> str:
    """Run Python in the copy, on the code of the copy; the command must succeed."""
    settings = {**os.environ, "PYTHONPATH": str(root / "src")}
    done = subprocess.run(
        [sys.executable, *command], cwd=root, env=settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, (path.name, old)
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_a_fifth_article_is_published_by_the_guide_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = Path(shutil.copytree(PROJECT, tmp_path / "copy", ignore=LEFT_OUT))
    monkeypatch.setenv("PYTHONPATH", str(root / "src"))
    shutil.copy(guide.GUIDE / "902_bells.txt", root / "seeds")
    walked = guide.page("guide", root)  # steps 2 to 5
    assert "No findings" in walked
    # Step 2: what the article states of its date, or what is inferred.
    published = "  published: {value: 2019, basis: inferred, note: The year is inferred.}\n"
    replace(root / "annotations/902_bells.yaml", "  language: en\n", f"  language: en\n{published}")
    # Step 6.
    replace(root / "CHANGELOG.md", "- Four articles are annotated", "- Five articles are annotated")
    ran(root, "-m", "defectors_data", "build")
    ran(root, "-m", "defectors_data", "schema")
    ran(root, "tools/docs/generate.py")
    # What `make` runs: `in-step`, and of `test` what counts articles.
    ran(root, "-m", "defectors_data", "build", "--out", "build/rebuilt")
    assert subprocess.run(["diff", "-r", root / "dist", root / "build/rebuilt"], check=False).returncode == 0
    ran(root, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "-k", OTHERS, *COUNTING)
