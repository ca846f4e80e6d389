"""Quantities are read as the table of phrases says.

All but its last twelve rows were written without knowing the grammar, which was then corrected where it failed them.
The near misses of the second table were written together with the grammar: each of its rules, and what just escapes it.
"""

from __future__ import annotations

import csv
from collections import defaultdict

import pytest

from conftest import PROJECT
from defectors_data.text.quantities import Reading, analyse, numbers, read, readings

TABLE = PROJECT / "tests" / "quantities.csv"
with TABLE.open(encoding="utf-8", newline="") as _file:
    PHRASES = list(csv.DictReader(_file, strict=True))

NEAR: dict[str, list[dict[str, str]]] = defaultdict(list)
with (PROJECT / "tests" / "quantities_near.csv").open(encoding="utf-8", newline="") as _file:
    for _row in csv.DictReader(_file, strict=True):
        NEAR[_row["text"]].append(_row)


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


def cells(text: str, reading: Reading) -> dict[str, str]:
    """Return a reading as a row of the table of near misses has it."""
    numbers_ = ("" if n is None else f"{n:.12g}" for n in reading.quantity[:3])
    said = (text, text[reading.start : reading.end], *numbers_, reading.quantity.hedge, reading.quantity.unit or "")
    return dict(zip(("text", "words", "value", "low", "high", "hedge", "unit"), said, strict=True))


@pytest.mark.parametrize("text", NEAR)
def test_every_quantity_of_a_near_miss_is_read_where_it_stands(text: str) -> None:
    expected = [row for row in NEAR[text] if row["words"]]
    assert [cells(text, reading) for reading in readings(text)] == expected


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
    assert numbers("for DECADES") == {10.0}
    assert numbers("a thirty-six-year-old, twice in two decades") == {36.0, 2.0, 10.0}
    assert numbers("two soldiers") == {2.0}


def test_what_counts_nothing_is_told_with_its_kind_in_order() -> None:
    text = "The 3rd keeper left on May 3, 2019 at 7:30 a.m. with 12 men, his second trip."
    found, others = analyse(text)
    assert [text[r.start : r.end] for r in found] == ["12"]
    assert [(text[start:end], kind) for start, end, kind in others] == [
        ("3rd", "ordinal"),
        ("May 3, 2019", "date"),
        ("7:30 a.m.", "clock_time"),
        ("second", "ordinal"),
    ]


def test_an_ordinal_inside_a_date_is_the_date_alone() -> None:
    text = "It began on March 3rd."
    found, [(start, end, kind)] = analyse(text)
    assert (found, text[start:end], kind) == ([], "March 3rd", "date")
