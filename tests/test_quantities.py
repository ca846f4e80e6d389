"""Quantities are read as the table of phrases says.

All but its last six rows were written without knowing the grammar, which was then mended where it failed them.
"""

from __future__ import annotations

import csv

import pytest

from conftest import PROJECT
from defectors_data.quantities import numbers, read, readings

TABLE = PROJECT / "tests" / "quantities.csv"
with TABLE.open(encoding="utf-8", newline="") as _file:
    PHRASES = list(csv.DictReader(_file, strict=True))


def number(cell: str) -> float | None:
    return float(cell) if cell else None


@pytest.mark.parametrize("row", PHRASES, ids=lambda row: row["phrase"])
def test_a_phrase_is_read(row: dict[str, str]) -> None:
    said = read(row["phrase"])
    if not row["hedge"]:
        assert said is None
        return
    assert said is not None
    expected = (number(row["value"]), number(row["low"]), number(row["high"]), row["hedge"], row["unit"] or None)
    assert tuple(said) == expected


def test_the_table_is_long_and_holds_what_is_no_quantity() -> None:
    assert len(PHRASES) >= 300
    assert sum(not row["hedge"] for row in PHRASES) >= 60
    assert len({row["phrase"] for row in PHRASES}) == len(PHRASES)


def test_every_quantity_of_a_text_is_read_in_order() -> None:
    text = "Nearly 40 keepers left in 2018, 12 of them in two boats."
    assert [text[r.start : r.end] for r in readings(text)] == ["40", "12", "two"]


@pytest.mark.parametrize(("words", "other"), [("1,400", 400), ("1,400", 1), ("fourteen", 4), ("160,000", 160)])
def test_words_do_not_hold_a_part_of_a_number(words: str, other: float) -> None:
    assert other not in numbers(words)


def test_an_age_or_years_of_service_are_held_by_their_words() -> None:
    assert {36.0} <= numbers("Ada Example, 36,")
    assert {36.0} <= numbers("a thirty-six-year-old")
    assert {10.0} <= numbers("after a decade of service")
    assert numbers("several of them, often") == frozenset()
