"""Numbers are read from digits and from words."""

from __future__ import annotations

import pytest

from defectors_data.quantities import numbers


@pytest.mark.parametrize(
    ("words", "held"),
    [
        ("1,400 people", 1400),
        ("1.2 million", 1_200_000),
        ("the 160,000-strong army", 160_000),
        ("90%", 90),
        ("$13 a month", 13),
        ("nine guards", 9),
        ("Eighteen", 18),
        ("twenty", 20),
        ("a few hundred", 200),
        ("several hundred", 200),
        ("Hundreds", 200),
        ("thousands", 2000),
        ("tens of thousands", 20_000),
        ("several dozen", 24),
        ("dozens", 24),
        ("scores of", 40),
        ("two hundred", 200),
        ("a dozen", 12),
        ("half of them", 50),
        ("a third of", 33.33),
        ("not even a kilo", 1),
        ("a decade", 10),
        ("twice", 2),
        ("a 12-year-old", 12),
    ],
)
def test_words_hold_a_number(words: str, held: float) -> None:
    assert held in numbers(words)


@pytest.mark.parametrize(("words", "other"), [("1,400", 400), ("1,400", 1), ("fourteen", 4), ("160,000", 160)])
def test_words_do_not_hold_a_part_of_a_number(words: str, other: float) -> None:
    assert other not in numbers(words)


def test_words_without_numbers_hold_none() -> None:
    assert numbers("several of them, often") == frozenset()
