"""Two figures side by side: the laws of the verdicts, and a table of pairs that a reader would agree with."""

from __future__ import annotations

import csv
import math
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import INVENTED, PROJECT, documents_of, rows
from defectors_data.evidence import comparisons
from defectors_data.evidence.comparisons import ComparableFigure, compare
from defectors_data.evidence.relation_arithmetic import Conventions, evaluate_part, evaluate_relation
from defectors_data.models.annotation import Figure, Relation
from defectors_data.models.closed_vocabularies import MEANINGS, WHOLE_UNITS
from defectors_data.models.fields import edtf_bounds
from defectors_data.package import verify
from defectors_data.text.intervals import Interval, hedged, quotient, rounded, scaled, stated, total, whole

TOLERANCES = {"about": 10, "nearly": 10}
WHOLE = WHOLE_UNITS | {"hotel"}
NUMBERS = {"range": ("low", "high"), "vague": ("low",)}
PAIRS = list(csv.DictReader((PROJECT / "tests/verdicts.csv").read_text(encoding="utf-8").splitlines()))
"""Pairs of figures, each with the verdict that a reader of the codebook gives: hedge, numbers, unit, `of` a population,
`on` a date; `because` is the reader's reason."""


def permitted(hedge: str, numbers: dict[str, Any], tolerances: dict[str, Any], *, counted: bool) -> Interval:
    found = stated(hedge, counted=counted, **numbers, tolerances=tolerances)
    return whole(found) if counted else found


def figure(hedge: str, unit: str, *numbers: float, population: str | None = None, day: str = "") -> ComparableFigure:
    given: dict[str, Any] = dict(zip(NUMBERS.get(hedge, ("value",)), numbers, strict=True))
    given = {"value": None, "low": None, "high": None, **given}
    allowed = permitted(hedge, given, TOLERANCES, counted=unit in WHOLE)
    read, words = rounded(hedge, given["value"], allowed, counted=unit in WHOLE), hedged(hedge, **given)
    bounds = edtf_bounds(day) if day else (None, None)
    return ComparableFigure(words, hedge, allowed, unit, read, population, day or None, *bounds)


def said(words: str) -> ComparableFigure:
    """Read a figure as `tests/verdicts.csv` writes it."""
    hedge, rest = words.split(" ", 1)
    rest, _, day = rest.partition(" on ")
    rest, _, population = rest.partition(" of ")
    numbers, _, unit = rest.rpartition(" ")
    return figure(hedge, unit, *map(float, numbers.split("-")), population=population or None, day=day)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: f"{pair['one']} | {pair['other']} {pair['constant']}")
def test_a_pair_has_the_verdict_of_a_careful_reader(pair: dict[str, str]) -> None:
    one, other, constant = said(pair["one"]), said(pair["other"]), bool(pair["constant"])
    assert compare(one, other, constant=constant).verdict == pair["verdict"]
    assert compare(other, one, constant=constant).verdict == pair["verdict"]
    assert compare(one, other, constant=constant).explanation.endswith(".")


def test_the_table_of_pairs_has_every_verdict() -> None:
    found = Counter(pair["verdict"] for pair in PAIRS)
    assert found.keys() == MEANINGS["Verdict"].keys()
    assert min(found.values()) >= 6


def test_reasons_are_sentences() -> None:
    reasons = [
        (
            "exact 1000 person",
            "nearly 1000 person",
            "1,000 is a round number; nearly 1,000 rounds to it: both can be 950 to 999.",
        ),
        (
            "at_least 1000 person",
            "nearly 1000 person",
            "Nearly 1,000 may mean the number itself; then at least 1,000 agrees with it.",
        ),
        ("exact 1000 person", "exact 1100 person", "1,000 and 1,100 are round; both can mean 1,050."),
        ("exact 40 person", "vague 24 person", "If 40 is right, so is 24 or more (vague)."),
        ("about 100 person", "about 105 person", "95 to 110 would satisfy both."),
    ]
    found = [compare(said(one), said(other)).explanation for one, other, _ in reasons]
    assert found == [f"{why} Neither is dated." for *_, why in reasons]


ENDS = st.one_of(st.integers(0, 12), st.floats(0, 12).map(lambda number: round(number, 2)))


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    low, high = sorted((draw(ENDS), draw(st.one_of(ENDS, st.just(math.inf)))))
    made = Interval(low, high, draw(st.booleans()), draw(st.booleans()) or high == math.inf)
    return Interval(low, low) if made.empty() else made


def verdict(one: Interval, other: Interval, *, constant: bool = True) -> str:
    """Return the verdict on two intervals; of a constant measure, so that it is `conflicts` if they do not meet."""
    a, b = (ComparableFigure(str(each), "range", each, "year") for each in (one, other))
    return compare(a, b, constant=constant).verdict


@st.composite
def figures(draw: st.DrawFn) -> ComparableFigure:
    """Draw a figure of any hedge, dated or not; many are round numbers or small ones."""
    number = draw(st.one_of(st.integers(1, 12), st.sampled_from([40, 90, 95, 99, 100, 950, 1000, 1050, 1100, 160_000])))
    hedge = draw(st.sampled_from(sorted(MEANINGS["Hedge"])))
    numbers = (number, number + draw(st.integers(0, 3))) if hedge == "range" else (number,)
    day = draw(st.sampled_from(["", "", "2019", "2019-02", "2019-02-25", "XXXX-02", "XXXX-02-25", "2014/.."]))
    return figure(hedge, "person", *numbers, day=day)


@given(figures(), figures(), st.booleans())
def test_the_order_of_figures_changes_no_verdict(
    one: ComparableFigure, other: ComparableFigure, constant: bool
) -> None:
    there, back = (compare(*pair, constant=constant) for pair in ((one, other), (other, one)))
    swapped = {
        "a_within_b": "b_within_a",
        "b_within_a": "a_within_b",
        "a_undated": "b_undated",
        "b_undated": "a_undated",
    }
    assert there.verdict == back.verdict
    assert there.times == swapped.get(back.times, back.times)


@given(figures())
def test_a_figure_agrees_with_itself(one: ComparableFigure) -> None:
    assert compare(one, one).verdict == ("compatible" if one.hedge == "vague" else "same")


def implies(one: ComparableFigure, other: ComparableFigure) -> bool:
    """Return whether the first figure implies the second: it is within it, and its time is."""
    found = compare(one, other)
    possible = found.times in {"equal", "undated", "a_within_b", "b_undated"}
    return possible and found.verdict in {"same", "entails"} and one.interval.within(other.interval)


@given(figures(), figures(), figures())
def test_implication_is_transitive(one: ComparableFigure, two: ComparableFigure, three: ComparableFigure) -> None:
    if implies(one, two) and implies(two, three) and not one.hedge == three.hedge == "vague":
        assert implies(one, three)


@given(figures(), figures())
def test_reading_numbers_as_rounded_turns_no_agreement_into_a_conflict(
    one: ComparableFigure, other: ComparableFigure
) -> None:
    exactly = compare(one._replace(rounded=None), other._replace(rounded=None)).verdict
    read = compare(one, other).verdict
    assert read == exactly or (read == "agrees_rounded" and exactly in {"conflicts", "differs_undated"})
    assert all(each.interval.within(each.rounded) for each in (one, other) if each.rounded)


@given(figures(), figures())
def test_an_undated_figure_is_in_no_conflict_and_entails_no_dated_one(
    one: ComparableFigure, other: ComparableFigure
) -> None:
    found = compare(one, other).verdict
    if not (one.as_of and other.as_of):
        assert found != "conflicts"
    if not one.as_of and other.as_of and found == "entails":
        assert other.interval.within(one.interval)


@given(st.integers(1, 10_000), st.sampled_from(["person", "country", "hotel", "item", "event"]))
def test_nearly_n_of_counted_units_admits_n_minus_1_and_about_n_both_neighbours(number: int, unit: str) -> None:
    near, around = figure("nearly", unit, number).interval, figure("about", unit, number).interval
    assert Interval(number - 1, number - 1).within(near)
    assert not Interval(number, number).within(near)
    assert all(Interval(n, n).within(around) for n in (number - 1, number, number + 1))


@pytest.mark.parametrize(
    ("number", "low", "high"),
    [
        (100, 95, 105),
        (1000, 950, 1050),
        (1400, 1350, 1450),
        (160_000, 155_000, 165_000),
        (1_200_000, 1_150_000, 1_250_000),
        (1050, None, None),
        (90, None, None),
        (0, None, None),
    ],
)
def test_a_round_number_means_half_a_unit_to_each_side_but_at_most_5_percent(
    number: float, low: float | None, high: float | None
) -> None:
    assert figure("exact", "person", number).rounded == (low and Interval(low, high or 0))
    assert figure("about", "person", number).rounded is None


@given(intervals(), intervals())
def test_the_order_changes_no_verdict(one: Interval, other: Interval) -> None:
    assert verdict(one, other) == verdict(other, one)


@given(intervals())
def test_every_interval_contains_itself(one: Interval) -> None:
    assert one.within(one)
    assert verdict(one, one) == "same"


@given(intervals(), intervals(), intervals())
def test_containment_of_intervals_is_transitive(one: Interval, two: Interval, three: Interval) -> None:
    if one.within(two) and two.within(three):
        assert one.within(three)


@given(intervals(), intervals(), ENDS, ENDS)
def test_widening_makes_no_conflict(one: Interval, other: Interval, down: float, up: float) -> None:
    wider = Interval(max(0, one.low - down), one.high + up, one.low_open and down == 0, one.high_open and up == 0)
    assert one.within(wider)
    assert verdict(one, other) == "conflicts" or verdict(wider, other) != "conflicts"


@given(intervals(), intervals(), st.floats(0, 15))
def test_a_conflict_means_that_the_intervals_are_disjoint(one: Interval, other: Interval, number: float) -> None:
    point = Interval(number, number)
    if point.within(one) and point.within(other):
        assert one.meets(other)
    if verdict(one, other) == "entails":
        assert one.within(other) != other.within(one)


@given(intervals(), intervals())
def test_a_part_is_compared_with_its_whole_as_their_ends_say(part: Interval, of: Interval) -> None:
    """A part can be at most its whole: it is never so if each of its numbers is above each of the whole."""
    never = part.low > of.high or (part.low == of.high and (part.low_open or of.high_open))
    always = part.high <= of.low
    assert evaluate_part(part, of).outcome == ("holds" if always else "fails" if never else "cannot_tell")


def test_open_ends_of_parts_shares_and_quotients() -> None:
    above_ten, to_ten = Interval(10, math.inf, low_open=True, high_open=True), Interval(0, 10)
    assert evaluate_part(above_ten, to_ten).outcome == "fails"
    assert evaluate_part(Interval(10, 10), to_ten._replace(high_open=True)).outcome == "fails"
    assert evaluate_part(Interval(10, 10), to_ten).outcome == "cannot_tell"
    many = Interval(5, math.inf, high_open=True)
    assert quotient(Interval(2, 4), many) == Interval(0, 0.8, low_open=True)
    assert quotient(Interval(0, 4), many) == Interval(0, 0.8)
    assert quotient(Interval(0, 0), Interval(0, 5)) == Interval(0, 0)
    assert quotient(Interval(1, 2), Interval(0, 5)) == Interval(0.2, math.inf, high_open=True)
    assert quotient(Interval(1, 2), Interval(0, 0)) == Interval(0, math.inf, high_open=True)


@pytest.mark.parametrize(
    ("kind", "result", "operands", "outcome"),
    [
        ("share_of", "less_than 1 percent", ["nearly 1000 person", "exact 160000 person"], "holds"),
        ("share_of", "less_than 1 percent", ["more_than 1400 person", "exact 160000 person"], "cannot_tell"),
        ("share_of", "less_than 1 percent", ["more_than 1600 person", "exact 160000 person"], "fails"),
        ("part_of", "exact 40 person", ["exact 10 person"], "fails"),
        ("part_of", "more_than 40 person", ["up_to 40 person"], "fails"),
        ("exceeds", "exact 40 person", ["exact 10 person"], "holds"),
        ("exceeds", "exact 10 person", ["exact 10 person"], "fails"),
        ("exceeds", "more_than 5 person", ["exact 10 person"], "cannot_tell"),
        ("sum", "exact 100 person", ["exact 60 person", "exact 40 person"], "holds"),  # the remainder is an operand
        ("sum", "about 100 person", ["exact 60 person", "exact 60 person"], "fails"),
        ("ratio", "exact 2 other", ["exact 80 person", "exact 40 person"], "holds"),  # it doubled
        ("ratio", "exact 40 usd", ["exact 120 usd", "exact 3 month"], "holds"),  # 120 is the product of 3 and 40
        ("per", "about 13 usd_per_month", ["exact 26 usd", "exact 2 month"], "holds"),
    ],
)
def test_arithmetic_between_figures_has_a_kind(kind: Any, result: str, operands: list[str], outcome: str) -> None:
    figures_by_id = {name: stated_by_model(words) for name, words in zip("rabc", [result, *operands], strict=False)}
    relation = Relation.model_construct(id="x-r1", kind=kind, result="r", operands=tuple("abc"[: len(operands)]))
    found = evaluate_relation(relation, figures_by_id, Conventions(TOLERANCES, WHOLE))
    assert found
    assert found.outcome == outcome, found.computation


def stated_by_model(words: str) -> Figure:
    """Return a figure with a number, as an annotation has it."""
    hedge, number, unit = words.split()
    bound = {"more_than": "low", "less_than": "high", "up_to": "high", "nearly": "high"}.get(hedge, "value")
    numbers = {"low": None, "high": None, "value": float(number), bound: float(number)}
    return Figure.model_construct(hedge=hedge, unit=unit, **numbers)  # type: ignore[arg-type]


@given(intervals(), intervals(), st.floats(0, 12), st.floats(0.01, 12))
def test_arithmetic_is_right_for_every_number_of_the_intervals(a: Interval, b: Interval, x: float, y: float) -> None:
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


@pytest.mark.parametrize("root", [PROJECT, INVENTED], ids=["real", "invented"])
def test_every_pair_of_one_measure_is_compared_once(root: Path, package: Path) -> None:
    folder = PROJECT / "dist" if root == PROJECT else package
    figures = rows(folder, "figures")
    expected = {
        tuple(sorted((str(a["figure_id"]), str(b["figure_id"]))))
        for a in figures
        for b in figures
        if a["figure_id"] != b["figure_id"] and a["measure"] and a["measure"] == b["measure"]
        if a["polarity"] == b["polarity"] == "affirmed"
    }
    compared = [(row["figure_a"], row["figure_b"]) for row in rows(folder, "comparisons")]
    assert sorted(compared) == sorted(expected)
    assert all(row["note"] for row in rows(folder, "comparisons") if row["verdict"] == "conflicts")


def test_shares_follow_from_the_intervals_of_their_parts_and_wholes() -> None:
    folder = PROJECT / "dist"
    ends = {
        str(row["figure_id"]): (float(str(row["interval_low"])), float(str(row["interval_high"] or math.inf)))
        for row in rows(folder, "figures")
        if row["polarity"] == "affirmed"
    }
    for row in (row for row in rows(folder, "relations") if row["kind"] == "share_of"):
        part, whole = (ends[name] for name in str(row["operands"]).split(";"))
        low, high = 100 * part[0] / whole[1], 100 * part[1] / whole[0]
        least, most = ends[str(row["result"])]
        outcome = "holds" if least <= low and high <= most else "fails" if high < least or most < low else "cannot_tell"
        assert row["outcome"] == outcome, row["relation_id"]


def test_sources_that_cite_each_other_or_share_words_count_as_one() -> None:
    found = [
        comparisons.SourceLink(("a", "b"), "They share words."),
        comparisons.SourceLink(("b", "c"), "They share words."),
        comparisons.SourceLink(("d", "e"), "d cites e."),
    ]
    assert comparisons.independent({"a", "b", "c", "d", "e", "f"}, found) == 3
    assert comparisons.independent({"a", "c"}, found) == 2
    assert comparisons.independent({"d"}, found) == 1


def test_sources_that_share_words_are_linked_with_a_reason() -> None:
    assert comparisons.links([comparisons.source_ties(document) for document in documents_of(PROJECT)]) == []
    one = comparisons.source_ties(documents_of(INVENTED)[0])
    [link] = comparisons.links([one, one._replace(source_id="again", cited_outlets=())])
    assert link.sources == ("again", one.source_id)
    assert link.explanation == "They share 8 or more words in a row."


# ---- recomputed by verify.py ----------------------------------------------------------------------------------------


def pairs_as_tables() -> dict[str, pd.DataFrame]:
    """Return the pairs of `tests/verdicts.csv` as the tables of a package, each pair with a measure of its own."""
    figures: list[dict[str, Any]] = []
    measures: list[dict[str, Any]] = []
    pairs: list[dict[str, Any]] = []
    for i, pair in enumerate(PAIRS):
        one, other, constant = said(pair["one"]), said(pair["other"]), bool(pair["constant"])
        for name, each in ((f"{i}a", one), (f"{i}b", other)):
            low, high, low_open, high_open = each.interval
            ends = {"interval_low": low, "interval_high": None if math.isinf(high) else high, "low_open": low_open}
            read = {"high_open": high_open, "rounded_low": each.rounded and each.rounded.low}
            read["rounded_high"] = each.rounded and each.rounded.high
            said_of = {"figure_id": name, "hedge": each.hedge, "unit": each.unit, "population": each.population}
            dates = {"as_of": each.as_of, "as_of_from": each.first, "as_of_to": each.last}
            figures.append({**said_of, **ends, **read, **dates})
        measures.append({"measure": str(i), "comparable": True})
        times = compare(one, other, constant=constant).times
        pairs.append({"measure": str(i), "figure_a": f"{i}a", "figure_b": f"{i}b", "times": times, **pair})
    made: dict[str, list[dict[str, Any]]] = {"figures": figures, "measures": measures, "comparisons": pairs}
    return {name: pd.DataFrame(found) for name, found in made.items()}


def test_the_verifier_has_the_same_verdicts() -> None:
    tables: dict[str, Any] = {
        name: table.astype(object).where(table.notna(), None).to_dict("records")
        for name, table in pairs_as_tables().items()
    }
    by_id = {row["figure_id"]: verify.Row(row) for row in tables["figures"]}
    for pair in tables["comparisons"]:
        found = verify.verdict_on(by_id[pair["figure_a"]], by_id[pair["figure_b"]], pair["times"])
        assert found == pair["verdict"], pair
        times = verify.times_of(by_id[pair["figure_a"]], by_id[pair["figure_b"]])
        assert pair["constant"] or times == pair["times"], pair


@pytest.mark.parametrize("root", [PROJECT, INVENTED], ids=["real", "invented"])
def test_each_interval_is_that_of_the_printed_numbers_and_the_tolerances(root: Path, package: Path) -> None:
    folder = PROJECT / "dist" if root == PROJECT else package
    reach = {str(row["term"]): row["percent"] for row in rows(folder, "terms") if row["percent"]}
    assert reach == {"about": 10, "nearly": 10, "exact": 5}
    assert {row["term"] for row in rows(folder, "terms") if row["whole"]} == WHOLE
    for row in rows(folder, "figures"):
        if row["polarity"] != "affirmed":
            bounds = [row[name] for name in ("interval_low", "interval_high", "rounded_low", "rounded_high")]
            assert (bounds, row["low_open"], row["high_open"]) == ([None] * 4, True, True)
            continue
        ends = (row["interval_low"], row["interval_high"] or math.inf, row["low_open"], row["high_open"])
        numbers: dict[str, Any] = {name: row[name] for name in ("value", "low", "high")}
        hedge, counted = str(row["hedge"]), row["unit"] in WHOLE
        allowed = permitted(hedge, numbers, reach, counted=counted)
        assert allowed == (ends if row["interval_high"] != 0 else allowed)
        read = rounded(hedge, numbers["value"], allowed, counted=counted)
        assert (row["rounded_low"], row["rounded_high"]) == (read[:2] if read else (None, None))
