"""The worked analysis runs, and shows what it gives today."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path

import matplotlib as mpl
import pytest

import defectors_data
import notebook
from conftest import PROJECT


@pytest.fixture(scope="module")
def pages() -> dict[Path, str]:
    return notebook.pages()


def test_every_output_and_plot_is_what_the_code_gives(pages: dict[Path, str]) -> None:
    assert {path.name for path in pages} == {"notebook.md", "notebook.ipynb", "motives.svg", "crossed.svg"}
    assert [path.name for path, text in pages.items() if path.read_text(encoding="utf-8") != text] == []


def test_the_jupyter_notebook_runs_and_prints_what_it_shows(pages: dict[Path, str]) -> None:
    content = json.loads(pages[notebook.JUPYTER])
    code = [cell for cell in content["cells"] if cell["cell_type"] == "code"]
    text = "\n\n".join(cell["source"] for cell in content["cells"] if cell["cell_type"] == "markdown")
    assert len({cell["id"] for cell in content["cells"]}) == len(content["cells"])
    assert text.startswith("# A worked analysis\n")
    assert not re.search(r"^(```|!\[)", text, re.MULTILINE)
    names: dict[str, object] = {}
    with notebook.workplace() as place, mpl.rc_context(notebook.SETTINGS):
        for cell in code:
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                exec(cell["source"], names)  # noqa: S102  # the page's own code
            shown = "".join(part["text"] for part in cell["outputs"])
            assert [line.rstrip() for line in output.getvalue().splitlines()] == shown.splitlines()
        assert len(list(place.glob("*.svg"))) == 2


def test_every_plot_is_shown(pages: dict[Path, str]) -> None:
    shown = re.findall(r"^!\[.+\]\(notebook/(.+)\)$", pages[notebook.PAGE], re.MULTILINE)
    assert shown == ["motives.svg", "crossed.svg"]
    assert {path.name for path in notebook.PLOTS.iterdir()} == set(shown)


def test_every_block_of_code_has_an_output(pages: dict[Path, str]) -> None:
    blocks = list(notebook.BLOCK.finditer(pages[notebook.PAGE]))
    silent = [block[1] for block in blocks if block[0].endswith(f"{block[1]}```\n")]
    assert len(blocks) > 10
    assert silent == []


def test_a_changed_number_would_change_the_page(monkeypatch: pytest.MonkeyPatch, pages: dict[Path, str]) -> None:
    load = defectors_data.load
    monkeypatch.setattr(defectors_data, "load", lambda name, **options: load(name, **options)[1:])
    assert notebook.pages()[notebook.PAGE] != pages[notebook.PAGE]


def test_no_plot_names_its_day_or_the_machine(pages: dict[Path, str]) -> None:
    for path, text in pages.items():
        assert "<metadata>" not in text
        assert str(PROJECT) not in text, path
