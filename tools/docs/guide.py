"""Run the commands of two pages, in a copy of the invented corpus and in an empty folder, and fill in their output."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).parents[2]
GUIDE = PROJECT / "tests" / "guide"
STEP = re.compile(r"<!-- (output|file|article)(?:: )?(.*?) -->")
CODES = "    access: not_stated\n    outlet_kind: not_stated\n"


def guide_page() -> str:
    """Return docs/annotators/guide.md: its commands run in a copy of the invented corpus."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(shutil.copytree(PROJECT / "tests" / "invented", Path(folder) / "project"))
        shutil.copy(GUIDE / "902_bells.txt", root / "seeds")
        return page("guide", root)


def own_corpus() -> str:
    """Return docs/publishers/own-corpus.md: its commands run in an empty folder."""
    with tempfile.TemporaryDirectory() as folder:
        return page("own-corpus", Path(folder))


def page(name: str, root: Path) -> str:
    """Return a page with the current output of each command."""
    template = (GUIDE / f"{name}.md.in").read_text(encoding="utf-8")
    return STEP.sub(lambda step: _step(root, step[1], step[2]), template)


def _step(root: Path, kind: str, what: str) -> str:
    if kind == "article":
        return (GUIDE / "902_bells.txt").read_text(encoding="utf-8").rstrip()
    if kind == "file":
        return _annotate(root, what)
    command = [sys.executable, "-m", "defectors_data", *shlex.split(what)]
    ran = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if ran.returncode or not ran.stdout:
        sys.exit(f"a command of a page failed: {what}\n{ran.stdout}{ran.stderr}")
    return ran.stdout.rstrip()


def _annotate(root: Path, name: str) -> str:
    """Add the YAML of a step to its file, as an annotator would, and return it."""
    yaml = (GUIDE / f"{name}.yaml").read_text(encoding="utf-8").rstrip()
    if name == "vocabulary":
        file = root / "annotations" / "vocabulary.yaml"
        before, key, after = file.read_text(encoding="utf-8").partition("populations:\n")
        file.write_text(f"{before}{yaml}\n{key}{after}", encoding="utf-8")
        return yaml
    vocabulary = (root / "annotations" / "vocabulary.yaml").read_text(encoding="utf-8")
    written = yaml
    if "\nfactors:" in vocabulary:
        # A corpus that codes motives asks for two more codes, which the page does not print.
        written = yaml.replace("    themes: [other]\n", f"    themes: [other]\n{CODES}")
    path = root / "annotations" / "902_bells.yaml"
    text = path.read_text(encoding="utf-8").replace("  draft: true\n\n", "\n")
    for key in re.findall(r"^(\w+):", yaml, re.MULTILINE):
        # The drafts of a list end at the next list, or at the end of the file.
        text = re.sub(rf"^{key}:.*?(?=^\w|\Z)", "", text, count=1, flags=re.MULTILINE | re.DOTALL)
    path.write_text(f"{text.rstrip()}\n\n{written}\n", encoding="utf-8")
    return yaml
