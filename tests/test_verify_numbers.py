"""The verifier reads numbers in words, and computes the intervals of figures, as the builder does."""

from __future__ import annotations

import math
import random
from itertools import product
from pathlib import Path

import pytest

from defectors_data.package import verify
from defectors_data.text import intervals, numerals, quantities, units


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("1,400 members", {1400}),
        ("the 1.2 million Venezuelans", {1_200_000}),
        ("5 to 7 million", {5, 5_000_000, 7_000_000}),
        ("13k, $2bn", {13_000, 2e9}),
        ("from 5-7bn", {5, 5e9, 7e9}),
        ("some .5 million", {500_000}),
        ("69 cents", {69, 0.69}),
        ("12 per cent", {12}),
        ("twenty-seven keepers", {20, 7, 27}),
        ("$.25 each day", {0.25}),
        ("version 1.2.3, or end.5 million", None),
        ("his 2-year-old daughter", {2}),
        ("a single soldier", {1}),
        ("$13 a month, with both", {13, 1}),
        ("a tenth", None),
        ("no number here", set()),
        ("13 hotels-40-strong", None),
        ("200m away", {200, 2e8}),
        ("7,2 percent", None),
        ("€4,80", None),
        ("3 lakh", None),
        ("a century", None),
        ("5\u00a0mn", None),
        ("10⁸", None),
        ("12 degrees below zero", None),
        ("5-nine", {5, 9}),
        ("two hundred and ten", None),
        ("a third of them", None),
        ("2½ years", None),
        ("nine out of ten", None),
        ("one in ten", None),
        ("3 million twenty", None),
        ("two decades", None),
        ("several dozen", None),
        ("hundreds came", None),
    ],
)
def test_numbers_are_read_if_they_are_simple(text: str, numbers: set[float] | None) -> None:
    assert verify.numbers_in(text) == numbers


@pytest.mark.parametrize(
    ("text", "words", "numbers"),
    [
        ("less than 1 percent of the 1,600-strong service", "1", {1}),
        ("rose 69 cents, to $12", "69", {69, 0.69}),
        ("rose to $12", None, {12}),
        ("minus 5 degrees", "5", None),
        ("5 to 7 million boats of 90", "5 to 7 million", {5, 5e6, 7e6}),
    ],
)
def test_a_figure_has_the_numbers_of_its_own_words(text: str, words: str | None, numbers: set[float] | None) -> None:
    package, figure = verify.Package(Path(), None), verify.Row(source_id="example", text=text)
    figure.id = "example-f1"
    package.shared.keyed["sources", "example"] = verify.Row(completeness="full")
    if words:
        span = verify.Row(record_id="example-f1", field="quantity", part=1, exact=words)
        package.shared.add("spans", span)
    assert package.numbers(figure, "quantity") == numbers


PHRASES = """
the of a an 5 12 1,400 2.5 40 13k 90% percent $13 1.2 million ½ one two hundred thousand, half nine out in ten twenty
thirty - -seven third .5 years months soldiers people miles hotels or more than at least up to between from few several
dozen dozens score hundreds decade single every twice 4th bn 1/2 kilo even not per both about 5-7 2,5 10⁸ 2m lakh crore
century zero below F-16 €4,80 18.000 000 16 point grand fold × 3tn minus quarter thousand
""".split()
JOINTS = ["", " ", " ", "-", "-", "‑", "–", "—", "/", " - ", ", ", "\u00a0"]


def unaccepted(text: str) -> list[set[float]]:
    """Return the numbers of each quantity that the builder reads and the verifier would reject."""
    numbers = verify.numbers_in(text)
    found = []
    for _, _, said in quantities.readings(text) if numbers is not None else ():
        stated = {round(number, 6) for number in said[:3] if number is not None}
        if said.hedge != "vague" and not stated <= (numbers or set()):
            found.append(stated)
    return found


def test_every_number_that_the_builder_reads_in_a_phrase_is_accepted() -> None:
    random_ = random.Random(3)  # noqa: S311  # the same phrases in every run
    simple = 0
    for _ in range(8000):
        text = "".join(random_.choice(PHRASES) + random_.choice(JOINTS) for _ in range(4))
        assert unaccepted(text) == [], text
        simple += verify.numbers_in(text) is not None
    assert simple > 500


@pytest.mark.parametrize("number", ["40", "1,400", "400", "forty", "5-7", "10–20"])
@pytest.mark.parametrize("before", ["hotels", "about", "the F", "June"])
def test_joined_words_are_one_number_to_builder_and_verifier(before: str, number: str) -> None:
    for joint, scaled in product((" ", "-", "‐", "‑", "–", "—", "/", ", ", " - "), ("-", "‐", "‑", " ")):
        text = f"{before}{joint}{number}{scaled}thousand people"
        assert unaccepted(text) == [], text
        [(_, _, quantity)] = quantities.readings(text)
        assert {number % 1000 for number in quantity[:3] if number is not None} == {0}, text


WORDS_OF_NUMBERS = numerals.WORDS | numerals.SHORT.keys() | numerals.MEASURES | units.DECADES.keys()


@pytest.mark.parametrize("form", ["{}", "5 {}", "5{}", "5-{}", "five {}", "a {}", "5 of {}", "a {}-mile"])
def test_no_word_that_means_a_number_is_read_in_two_ways(form: str) -> None:
    texts = [form.format(word) for word in sorted(WORDS_OF_NUMBERS)]
    assert [text for text in texts if unaccepted(text)] == []


def with_terms(percent: float) -> verify.Package:
    """Return a package with a unit that is counted and one that is not, and the same tolerance for each hedge."""
    package = verify.Package(Path(), None)
    terms = {"unit.person": verify.Row(whole=True), "unit.mile": verify.Row(whole=False)}
    least = {hedge: int(hedge != "exact") for hedge in intervals.TOLERANCES}
    for hedge, distance in least.items():
        terms[f"hedge.{hedge}"] = verify.Row(percent=percent, least=distance)
    package.shared.keyed |= {("terms", key): row for key, row in terms.items()}
    return package


def test_it_has_the_bounds_of_each_hedge_as_the_builder_has_them() -> None:
    ours = {hedge: set(bounds) for hedge, bounds in intervals.BOUNDS.items()}
    assert {hedge: set(bounds.split()) for hedge, bounds in verify.GIVEN.items()} == ours


@pytest.mark.parametrize("hedge", intervals.BOUNDS)
@pytest.mark.parametrize("unit", ["person", "mile"])
def test_it_allows_each_figure_the_numbers_that_the_builder_allows_it(hedge: str, unit: str) -> None:
    package, counted = with_terms(5), unit == "person"
    for number in (0.0, 1.0, 2.5, 7.0, 40.0, 1_000.0, 1_400.0, 12_500.0, 3e6, -3.0, -0.5, -200.0):
        given = {"value": None, "low": None, "high": None, **dict.fromkeys(intervals.BOUNDS[hedge], number)}
        if hedge == "range":
            given["high"] = abs(number) + 2
        tolerances = dict.fromkeys(intervals.TOLERANCES, 5.0)
        allowed = intervals.stated(hedge, counted=counted, tolerances=tolerances, **given)
        if counted:
            allowed = intervals.whole(allowed)
        read = intervals.rounded(hedge, given["value"], allowed, counted=counted)
        ends = [None if math.isinf(end) else end for end in allowed[:2]]
        expected = [*ends, *allowed[2:], *(read[:2] if read else (None, None))]
        assert verify.allowed(package, verify.Row(**given, hedge=hedge, unit=unit, polarity="affirmed")) == expected, (
            number
        )
