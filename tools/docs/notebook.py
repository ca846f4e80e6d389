"""Run the code in docs/readers/notebook.md and in `EXECUTED`, and write its output or plot below each block.

The page is written as a Jupyter notebook too.
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

import matplotlib as mpl

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs/readers/notebook.md"
JUPYTER = PROJECT / "docs/readers/notebook.ipynb"
PLOTS = PROJECT / "docs/readers/notebook"
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n|\n!\[.*?\n)?", re.MULTILINE | re.DOTALL)
SETTINGS: Any = {
    "backend": "svg",
    "svg.hashsalt": "defectors-data",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
}


def pages() -> dict[Path, str]:
    """Return the notebook with its current output, as a page and for Jupyter, and every plot, by path."""
    page, plots = _executed(PAGE.read_text(encoding="utf-8"))
    return {PAGE: page, JUPYTER: jupyter(page), **plots}


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


EXECUTED = ("README.md", "docs/readers/loading.md")
"""Pages without plots whose code is run when they are generated."""


def executed(text: str) -> str:
    """Return a text with the current output of each Python block."""
    return _executed(text)[0]


def _executed(text: str) -> tuple[str, dict[Path, str]]:
    with workplace() as place, mpl.rc_context(SETTINGS):
        names: dict[str, object] = {}
        page = BLOCK.sub(lambda block: _ran(block[1], names, place), text)
        plots = {PLOTS / path.name: _steady(path.read_text(encoding="utf-8")) for path in sorted(place.glob("*.svg"))}
    return page, plots


@contextlib.contextmanager
def workplace() -> Iterator[Path]:
    """Change to a temporary folder that contains the published package."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "dist").symlink_to(PROJECT / "dist")
        os.chdir(folder)
        try:
            yield Path(folder)
        finally:
            os.chdir(before)


def _ran(code: str, names: dict[str, object], place: Path) -> str:
    """Run a block, and return it followed by its output or the plot that it saves."""
    before = set(place.glob("*.svg"))
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, str(PAGE), "exec"), names)  # noqa: S102  # the page's own code
    block = f"```python\n{code}```\n"
    if text := output.getvalue():
        return f"{block}\n```text\n{_trimmed(text)}```\n"
    [*plots] = set(place.glob("*.svg")) - before
    return block + "".join(f"\n![The plot that this code draws]({PLOTS.name}/{plot.name})\n" for plot in plots)


def _trimmed(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def _steady(svg: str) -> str:
    """Return a plot without its metadata, which contains the time."""
    return _trimmed(re.sub(r"\s*<metadata>.*?</metadata>", "", svg, flags=re.DOTALL))
