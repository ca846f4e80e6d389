"""A release shows no more words of an article than `words_budget` allows; the count is that of the published spans."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import documents_of, found_in
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows import spans


def shown_in(package: Path) -> dict[str, set[int]]:
    """Return the code points of each source that the published spans and their contexts show."""
    tables, found = PackageTables(package, ("spans",)), dict[str, set[int]]()
    for row in tables.rows("spans"):
        first, last = row["start_offset"] - len(row["prefix"] or ""), row["end_offset"] + len(row["suffix"] or "")
        found.setdefault(row["source_id"], set()).update(range(first, last))
    return found


def words_shown(text: str, shown: set[int]) -> int:
    at, words = 0, 0
    for word in text.split():
        at = text.index(word, at)
        words += not shown.isdisjoint(range(at, at + len(word)))
        at += len(word)
    return words


def test_the_words_that_a_release_shows_are_those_of_its_spans(package: Path, copied: Path) -> None:
    shown = shown_in(package)
    counted = {document.source.id: spans.words_revealed(document) for document in documents_of(copied)}
    assert counted == {d.source.id: words_shown(d.text, shown[d.source.id]) for d in documents_of(copied)}


@pytest.mark.parametrize("unit", ["words", "percent"])
def test_a_budget_is_kept_to_the_word(copied: Path, unit: str) -> None:
    path = copied / "dataset.yaml"
    typed = path.read_text(encoding="utf-8")
    counts = [(spans.words_revealed(d), len(d.text.split())) for d in documents_of(copied)]
    most = max(n for n, _ in counts) if unit == "words" else max(-(-100 * n // total) for n, total in counts)
    for allowed, refused in ((most, False), (most - 1, True)):
        path.write_text(f"{typed}\nwords_budget: {allowed} {unit}\n", encoding="utf-8")
        assert [finding.code for finding in found_in(copied)] == ["words-budget-exceeded"] * refused


@pytest.mark.parametrize("typed", ["50", "101 percent", "-1 words", "half", "1.5 percent"])
def test_a_budget_is_a_number_of_words_or_percent(copied: Path, typed: str) -> None:
    path = copied / "dataset.yaml"
    path.write_text(f"{path.read_text(encoding='utf-8')}\nwords_budget: {typed}\n", encoding="utf-8")
    assert [finding.code for finding in found_in(copied)] == ["invalid-value"]
