"""Summaries of measures count independent sources, and give no end that is neither printed nor tolerated."""

from __future__ import annotations

from datetime import date
from typing import Any

from conftest import INVENTED, PROJECT, documents_of, rows
from defectors_data.evidence import comparisons
from defectors_data.evidence.relation_arithmetic import ComparedFigure, Conventions
from test_reconciling import TOLERANCES, WHOLE


def summarised(*stated_by: tuple[str, str, str, str | None], nameless: str = "") -> dict[str, Any]:
    """Return the summary of one measure, of figures given by source, words, population and origin.

    The sources in `nameless` name nobody who states their figures.
    """
    known: list[ComparedFigure] = []
    for source, words, population, origin in stated_by:
        hedge, rest = words.split(" ", 1)
        number, _, day = rest.partition(" on ")
        value = float(number) if hedge != "vague" else None
        low = float(number) if hedge in ("vague", "more_than") else None
        known.append(
            ComparedFigure(
                f"{source}-f{len(known)}",
                source,
                origin,
                source not in nameless,
                "keepers_who_left",
                population or None,
                "person",
                hedge,
                value,
                low,
                None,
                day or None,
            )
        )
    context = documents_of(INVENTED)[0].context
    found = comparisons.figure_pairs(known, context)
    [(_, row)] = comparisons.measure_summaries(known, found, [], Conventions(TOLERANCES, WHOLE))
    return row


def test_an_article_that_names_no_source_is_not_counted_beside_others() -> None:
    three = [(name, "exact 7", "x", None) for name in "abc"]
    assert [summarised(*three, nameless=names)["independent_sources"] for names in ("", "c", "ab", "abc")] == [
        3,
        2,
        1,
        1,
    ]


def test_a_summary_is_of_figures_that_can_be_compared_with_another_source() -> None:
    alone = summarised(("a", "exact 7", "x", None), ("a", "exact 9", "x", None), ("b", "exact 3", "y", None))
    assert (alone["figures"], alone["sources"], alone["compared_figures"], alone["independent_sources"]) == (3, 2, 0, 0)
    assert (alone["lowest"], alone["highest"], alone["verdicts"]) == (None, None, None)
    compared = [("a", "exact 7 on 2019-02-25", "x", None), ("b", "nearly 10", "x", None)]
    two = summarised(*compared)
    assert (two["compared_figures"], two["independent_sources"]) == (2, 2)
    assert (two["lowest"], two["highest"], two["verdicts"]) == (7, 10, "differs_undated 1")
    assert (two["earliest"], two["latest"]) == (date(2019, 2, 25), date(2019, 2, 25))
    one_apart = summarised(*compared, ("b", "exact 3", "y", None))
    assert (one_apart["compared_figures"], one_apart["lowest"], one_apart["highest"]) == (2, None, None)
    repeated = summarised(*compared, ("b", "nearly 10", "x", None))
    assert (repeated["compared_figures"], repeated["verdicts"]) == (3, "differs_undated 1")
    assert summarised(*[(s, f"exact {n}", p, None) for s in "ab" for n, p in ((1, "x"), (2, "y"))])["lowest"] is None


def test_no_end_of_a_summary_is_neither_printed_nor_given_by_a_tolerance() -> None:
    row = summarised(("a", "more_than 1400", "", None), ("b", "exact 1500", "", None))
    assert (row["lowest"], row["highest"]) == (1400, None)
    row = summarised(("a", "vague 200", "", None), ("b", "exact 300", "", None))
    assert (row["lowest"], row["highest"]) == (None, None)


def test_figures_of_one_government_or_one_speaker_are_of_one_source() -> None:
    government = ("government_colombia",) * 2
    for origins, number in ((government, 1), (("mira-fenn",) * 2, 1), (("mira-fenn", None), 2), ((None, None), 2)):
        row = summarised(*((source, "exact 7", "", origin) for source, origin in zip("ab", origins, strict=True)))
        assert row["independent_sources"] == number, origins


def test_the_real_articles_that_cite_one_government_are_one_source() -> None:
    [row] = [row for row in rows(PROJECT / "dist", "measures") if row["measure"] == "defectors_in_colombia"]
    assert (row["sources"], row["independent_sources"]) == (3, 1)


def test_a_pair_names_each_article_without_a_source_or_without_its_name() -> None:
    def pair_of(first: tuple[str | None, bool], second: tuple[str | None, bool]) -> str | None:
        known = []
        for source, (origin, is_named) in (("a", first), ("b", second)):
            numbers = ("keepers_who_left", None, "person", "exact", 7.0, None, None, None)
            known.append(ComparedFigure(f"{source}-f1", source, origin, is_named, *numbers))
        [pair] = comparisons.figure_pairs(known, documents_of(INVENTED)[0].context)
        return comparisons.dependence(pair, {})

    shared = ("harbour-office", True)
    assert pair_of(shared, shared) == "Both are attributed to Harbour Office."
    named, of_a_group, of_nobody = ("harbour-office", True), ("b-speaker-1", False), (None, False)
    assert pair_of(named, ("lighthouse-keeper", True)) is None
    assert pair_of(named, of_a_group) == "b gives no name of its source."
    assert pair_of(of_nobody, named) == "a names no source of its figure."
    both = "a names no source of its figure. b gives no name of its source."
    assert pair_of(of_nobody, of_a_group) == both
