"""What the page asks for before it saves, in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from test_browser import browser  # noqa: F401  # the fixture
from test_workbench_browser import Served, find, served  # noqa: F401  # the fixture
from test_workbench_own_corpus import STEM, Own

pytestmark = pytest.mark.deep


def test_a_new_measure_is_saved_with_the_definition_that_the_form_asks_for(
    tmp_path: Path,
    served: Served,  # noqa: F811
) -> None:
    own = Own(tmp_path / "own", "Ada Orr said that the mill now sold 20 lamps.")
    page = served(own.root, STEM)
    form, defined = page.locator("#form"), page.get_by_label("Definition of the new term lamps_sold")
    find(page, "20")
    page.keyboard.press("e")
    form.locator("[name=measure]").focus()
    page.keyboard.type("lamps_sold")
    page.keyboard.press("Enter")
    expect(defined).to_be_focused()
    page.keyboard.type("Lamps sold in a year")
    page.keyboard.press("Enter")
    expect(form).to_be_hidden()
    vocabulary = (own.root / "annotations/vocabulary.yaml").read_text(encoding="utf-8")
    assert 'term: lamps_sold\n    definition: "Lamps sold in a year."\n' in vocabulary
