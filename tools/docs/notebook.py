"""Run the Python code of pages, and write its output below each block.

The page of questions is written as a Jupyter notebook too.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parents[2]
DIST = PROJECT / "dist"
QUESTIONS = "docs/readers/questions.md"
JUPYTER = PROJECT / "docs/readers/questions.ipynb"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)

EXECUTED = ("README.md", "docs/readers/loading.md", QUESTIONS)
"""Pages whose code is run when they are generated."""


def jupyter(page: str) -> str:
    """Return a page as a Jupyter notebook (nbformat 4.5): its text, its code, and what the code prints."""
    cells: list[dict[str, Any]] = []
    end = 0
    for block in BLOCK.finditer(page):
        cells.append({"cell_type": "markdown", "source": page[end : block.start()].strip()})
        outputs = [{"output_type": "stream", "name": "stdout", "text": block[2]}] if block[2] else []
        cells.append({"cell_type": "code", "source": block[1].strip(), "execution_count": None, "outputs": outputs})
        end = block.end()
    cells.append({"cell_type": "markdown", "source": page[end:].strip()})
    numbered = [{"id": f"cell-{i}", "metadata": {}, **cell} for i, cell in enumerate(cells, start=1) if cell["source"]]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    head = {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}}
    return json.dumps({**head, "cells": numbered}, ensure_ascii=False, indent=1) + "\n"


def executed(text: str, package: Path = DIST) -> str:
    """Return a text with the output of each Python block, where `dist/` is a package."""
    with workplace(package):
        names: dict[str, object] = {}
        return BLOCK.sub(lambda block: _ran(block[1], names), text)


@contextlib.contextmanager
def workplace(package: Path = DIST) -> Iterator[None]:
    """Change to a temporary folder that contains a package as `dist/`."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "dist").symlink_to(package)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _ran(code: str, names: dict[str, object]) -> str:
    """Run a block, and return it followed by its output."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "page", "exec"), names)  # noqa: S102  # the page's own code
    block = f"```python\n{code}```\n"
    lines = [f"{line.rstrip()}\n" for line in output.getvalue().splitlines()]
    return f"{block}\n```text\n{''.join(lines)}```\n" if lines else block
