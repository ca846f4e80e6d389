"""The pages that explain a vocabulary name each of its values, and the pages are short."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

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


GENERATED = {"annotators/codebook.md", "annotators/findings.md", "readers/tables.md", "publishers/cli.md"}


def test_the_pages_are_short_enough_to_be_read() -> None:
    docs = PROJECT / "docs"
    pages = {path.relative_to(docs).as_posix(): path for path in docs.rglob("*.md")}
    assert pages.keys() > GENERATED
    generated = [pages.pop(name) for name in GENERATED]
    by_hand = [PROJECT / "README.md", PROJECT / "CONTRIBUTING.md", *pages.values()]
    assert words(by_hand) <= 17_600
    assert words(generated) <= 16_000


def test_the_way_to_a_published_corpus_of_ones_own_is_short() -> None:
    pages = "README.md docs/annotators/guide.md docs/publishers/own-corpus.md docs/publishers/publication.md".split()
    assert words([*(PROJECT / page for page in pages), PROJECT / "src/defectors_data/example/README.md"]) <= 2_900


def words(pages: Iterable[Path]) -> int:
    return sum(len(page.read_text(encoding="utf-8").split()) for page in pages)
