"""The pages that explain a vocabulary name each of its values."""

from __future__ import annotations

import pytest

from conftest import PROJECT
from defectors_data.models import closed_vocabularies


@pytest.mark.parametrize(
    ("page", "vocabulary"),
    [
        ("annotators/quantities.md", "Hedge"),
        ("annotators/quantities.md", "Unit"),
        ("readers/comparing.md", "Verdict"),
        ("readers/comparing.md", "RelationKind"),
    ],
)
def test_a_page_names_every_value_of_its_vocabulary(page: str, vocabulary: str) -> None:
    text = (PROJECT / "docs" / page).read_text(encoding="utf-8")
    assert [value for value in closed_vocabularies.MEANINGS[vocabulary] if f"`{value}`" not in text] == []
