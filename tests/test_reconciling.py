"""Two figures side by side: the laws of the verdicts, and a table of pairs that a reader would agree with."""

from __future__ import annotations

import math
from datetime import date
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import INVENTED, PROJECT, documents_of
from defectors_data.models.fields import edtf_bounds
from defectors_data.rows import comparisons
from defectors_data.text.intervals import ComparableFigure, Interval, compare, interval, quotient, scaled, total

TOLERANCES = {"about": 10, "nearly": 10}
NUMBERS = {"range": ("low", "high"), "vague": ("low",)}


def said(words: str) -> ComparableFigure:
    """Read a figure as the table below writes it: hedge, numbers, unit, then `of` a population, `on` a date."""
    hedge, rest = words.split(" ", 1)
    rest, _, day = rest.partition(" on ")
    rest, _, population = rest.partition(" of ")
    numbers, _, unit = rest.rpartition(" ")
    given = dict(zip(NUMBERS.get(hedge, ("value",)), map(float, numbers.split("-")), strict=True))
    found = interval(
        hedge, unit, value=given.get("value"), low=given.get("low"), high=given.get("high"), tolerances=TOLERANCES
    )
    bounds = edtf_bounds(day) if day else (None, None)
    return ComparableFigure(found, unit, population or None, day or None, *bounds)


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        ("exact 1000 person", "exact 1000 person", "same"),
        ("nearly 1000 person", "nearly 1000 person", "same"),
        ("vague 200 person", "vague 200 person", "same"),
        ("vague 200 person", "at_least 200 person", "same"),
        ("more_than 3 person", "at_least 4 person", "same"),
        ("less_than 4 person", "up_to 3 person", "same"),
        ("range 5-5 percent", "exact 5 percent", "same"),
        ("exact 50 person", "about 50 person", "entails"),
        ("exact 950 person", "nearly 1000 person", "entails"),
        ("nearly 1000 person", "less_than 1000 person", "entails"),
        ("nearly 1000 person", "vague 200 person", "entails"),
        ("exact 1500 person", "more_than 1400 person", "entails"),
        ("more_than 1400 person", "at_least 1000 person", "entails"),
        ("exact 90 percent", "up_to 90 percent", "entails"),
        ("range 5-7 percent", "less_than 8 percent", "entails"),
        ("exact 6 percent", "range 5-7 percent", "entails"),
        ("exact 40 person", "vague 24 person", "entails"),
        ("about 50 person", "more_than 40 person", "entails"),
        ("more_than 2 year", "at_least 2 year", "entails"),
        ("about 100 person", "about 105 person", "compatible"),
        ("nearly 1000 person", "more_than 900 person", "compatible"),
        ("range 5-7 percent", "range 6-9 percent", "compatible"),
        ("up_to 90 percent", "more_than 50 percent", "compatible"),
        ("about 50 person", "nearly 50 person", "entails"),
        ("about 50 person", "at_least 50 person", "compatible"),
        ("up_to 30 item", "at_least 20 item", "compatible"),
        ("vague 200 person", "less_than 1000 person", "compatible"),
        ("exact 1000 person", "nearly 1000 person", "conflicts"),
        ("exact 1000 person", "more_than 1400 person", "conflicts"),
        ("nearly 1000 person", "more_than 1400 person", "conflicts"),
        ("exact 1400 person", "more_than 1400 person", "conflicts"),
        ("exact 800 person", "nearly 1000 person", "conflicts"),
        ("exact 7 hotel", "exact 3 hotel", "conflicts"),
        ("less_than 4 person", "more_than 3 person", "conflicts"),
        ("exact 100 person", "vague 200 person", "conflicts"),
        ("about 50 person", "about 100 person", "conflicts"),
        ("range 5-7 percent", "less_than 1 percent", "conflicts"),
        ("less_than 4 year", "more_than 3 year", "compatible"),
        ("exact 9 month", "exact 9 year", "not_comparable"),
        ("exact 90 percent of special_forces", "exact 90 percent of all_troops", "not_comparable"),
        ("exact 90 percent of special_forces", "exact 90 percent", "not_comparable"),
        ("exact 3 person on 2019-02-25", "exact 3 person on 2019-02-26", "not_comparable"),
        ("exact 3 person on 2019-02", "exact 4 person on 2019-03", "not_comparable"),
        ("exact 3 person on 2019-02", "exact 4 person on 2019-02-25", "conflicts"),
        ("exact 3 person on 2019-02-25", "exact 4 person", "conflicts"),
        ("exact 3 person on XXXX-02-27", "exact 3 person on 2019-02-27", "same"),
        ("exact 3 person on XXXX-02-27", "exact 3 person on 2019-03-01", "not_comparable"),
        ("exact 3 person on XXXX-02-27", "exact 3 person on XXXX-02-28", "not_comparable"),
        ("exact 3 person on XXXX-02", "exact 3 person on XXXX-02-28", "same"),
        ("exact 3 person on 2014/..", "exact 3 person on 2019-02", "same"),
        ("exact 3 person on 2014/..", "exact 3 person on 2013", "not_comparable"),
        ("exact 3 person on 2014/..", "exact 3 person on XXXX-05", "same"),
    ],
)
def test_a_pair_has_the_verdict_of_a_careful_reader(one: str, other: str, verdict: str) -> None:
    assert compare(said(one), said(other)).verdict == verdict
    assert compare(said(other), said(one)).verdict == verdict
    assert compare(said(one), said(other)).explanation.endswith((".", "too.", "so."))


ENDS = st.one_of(st.integers(0, 12), st.floats(0, 12).map(lambda number: round(number, 2)))


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    low, high = sorted((draw(ENDS), draw(st.one_of(ENDS, st.just(math.inf)))))
    made = Interval(low, high, draw(st.booleans()), draw(st.booleans()) or high == math.inf)
    return Interval(low, low) if made.empty() else made


def verdict(one: Interval, other: Interval) -> str:
    return compare(ComparableFigure(one, "year"), ComparableFigure(other, "year")).verdict


@given(intervals(), intervals())
def test_the_order_changes_no_verdict(one: Interval, other: Interval) -> None:
    assert verdict(one, other) == verdict(other, one)


@given(intervals())
def test_every_interval_lies_in_itself(one: Interval) -> None:
    assert one.within(one)
    assert verdict(one, one) == "same"


@given(intervals(), intervals(), intervals())
def test_what_lies_in_what_lies_in_another_lies_in_it(one: Interval, two: Interval, three: Interval) -> None:
    if one.within(two) and two.within(three):
        assert one.within(three)


@given(intervals(), intervals(), ENDS, ENDS)
def test_widening_makes_no_conflict(one: Interval, other: Interval, down: float, up: float) -> None:
    wider = Interval(max(0, one.low - down), one.high + up, one.low_open and down == 0, one.high_open and up == 0)
    assert one.within(wider)
    assert verdict(one, other) == "conflicts" or verdict(wider, other) != "conflicts"


@given(intervals(), intervals(), st.floats(0, 15))
def test_a_conflict_means_that_no_number_lies_in_both(one: Interval, other: Interval, number: float) -> None:
    point = Interval(number, number)
    if point.within(one) and point.within(other):
        assert one.meets(other)
    if verdict(one, other) == "entails":
        assert one.within(other) != other.within(one)


@given(intervals(), intervals(), st.floats(0, 12), st.floats(0.01, 12))
def test_arithmetic_holds_for_every_number_inside(a: Interval, b: Interval, x: float, y: float) -> None:
    if Interval(x, x).within(a) and Interval(y, y).within(b):
        added, divided = total([a, b]), quotient(a, b)
        assert added.low - 1e-9 <= x + y <= added.high + 1e-9
        assert divided.low - 1e-9 <= x / y <= divided.high + 1e-9


def test_the_share_of_a_whole_is_worked_out_in_percent() -> None:
    assert scaled(quotient(Interval(900, 999), Interval(160_000, 160_000)), 100) == Interval(0.5625, 0.624375)


def test_intervals_read_as_mathematicians_write_them() -> None:
    shown = [
        Interval(900, 1000, high_open=True),
        Interval(5, 5),
        Interval(0.5, math.inf, low_open=True, high_open=True),
    ]
    assert list(map(str, shown)) == ["[900, 1,000)", "5", "(0.5, no upper end)"]


# ---- the corpus ----------------------------------------------------------------------------------------------


def rows(folder: Path, table: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = pq.read_table(folder / f"data/{table}.parquet").to_pylist()
    return found


@pytest.mark.parametrize("root", [PROJECT, INVENTED], ids=["real", "invented"])
def test_every_pair_of_one_measure_is_compared_once(root: Path, package: Path) -> None:
    folder = PROJECT / "dist" if root == PROJECT else package
    figures = rows(folder, "figures")
    expected = {
        tuple(sorted((str(a["figure_id"]), str(b["figure_id"]))))
        for a in figures
        for b in figures
        if a["figure_id"] != b["figure_id"] and a["measure"] == b["measure"]
    }
    compared = [(row["figure_a"], row["figure_b"]) for row in rows(folder, "comparisons")]
    assert set(compared) == expected
    assert len(compared) == len(expected)
    assert all(row["note"] for row in rows(folder, "comparisons") if row["verdict"] == "conflicts")


def test_the_share_that_left_follows_from_how_many_left() -> None:
    [row] = [row for row in rows(PROJECT / "dist", "relations") if row["kind"] == "share_of"]
    assert row["outcome"] == "holds"
    assert row["computation"] == "[900, 999] / 160,000 × 100 = [0.5625, 0.624375], which is within [0, 1)"


def test_sources_that_cite_each_other_or_share_words_count_as_one() -> None:
    found = [
        comparisons.Link(("a", "b"), "They share words."),
        comparisons.Link(("b", "c"), "They share words."),
        comparisons.Link(("d", "e"), "d cites e."),
    ]
    assert comparisons.independent({"a", "b", "c", "d", "e", "f"}, found) == 3
    assert comparisons.independent({"a", "c"}, found) == 2
    assert comparisons.independent({"d"}, found) == 1


def test_sources_that_share_words_are_linked_with_a_reason() -> None:
    assert comparisons.links([comparisons.source_ties(document) for document in documents_of(PROJECT)]) == []
    one = comparisons.source_ties(documents_of(INVENTED)[0])
    [link] = comparisons.links([one, one._replace(source_id="again", cited_outlets=())])
    assert link.sources == ("again", one.source_id)
    assert link.explanation == "They share 8 words in a row or more."


def test_dates_bound_a_summary(package: Path) -> None:
    [row] = [row for row in rows(package, "measure_summary") if row["measure"] == "people_at_the_pier"]
    assert (row["earliest"], row["latest"]) == (date(2019, 3, 3), date(2019, 3, 3))
    assert (row["figures"], row["sources"], row["independent_sources"]) == (1, 1, 1)
