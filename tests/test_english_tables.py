"""Each row of the tables of English does what its example shows, and not what its counter-example shows."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from defectors_data.text.english import expanded, rows
from defectors_data.text.quantities import analyse, read_quantity
from defectors_data.text.unattributed_verbs import verbs

LABELS, HEDGES = rows("labels"), rows("hedges")
UNITS = [row for row in rows("units") if row["example"]]


def labels_of(text: str) -> list[tuple[str, str]]:
    return [(text[start:end], kind) for start, end, kind in analyse(text)[1] if kind != "ordinal"]


@pytest.mark.parametrize("row", LABELS, ids=[row["example"] for row in LABELS])
def test_a_pattern_labels_its_example_and_not_its_counter_example(row: dict[str, str]) -> None:
    pieces = re.split(r"(\[[^\[\]]*\])", row["example"])
    expected = [(piece[1:-1], row["kind"]) for piece in pieces if piece.startswith("[")]
    text = "".join(piece.strip("[]") if piece.startswith("[") else piece for piece in pieces)
    assert expected
    assert labels_of(text) == expected
    pattern = re.compile(expanded(row["pattern"]))
    assert [hit for hit, _ in expected if pattern.search(text)]
    assert row["counter_example"]
    assert labels_of(row["counter_example"]) == []


@pytest.mark.parametrize("row", HEDGES, ids=[f"{row['side']} {row['phrase']}" for row in HEDGES])
def test_a_phrase_hedges_its_example_and_not_its_counter_example(row: dict[str, str]) -> None:
    said = read_quantity(row["example"])
    assert said
    assert row["hedge"] in (said.hedge, said.other_hedge)
    if row["counter_example"]:
        other = read_quantity(row["counter_example"])
        assert other
        assert other.hedge != row["hedge"] or other.other_hedge


@pytest.mark.parametrize("row", UNITS, ids=[row["unit"] for row in UNITS])
def test_the_nouns_of_a_unit_state_it(row: dict[str, str]) -> None:
    found = [each.quantity.unit for each in analyse(row["example"])[0]]
    assert set(found) == {row["unit"]}
    for noun in (each["noun"] for each in rows("units") if each["unit"] == row["unit"]):
        assert [each.quantity.unit for each in analyse(f"300 {noun}")[0]] == [row["unit"]], noun
    assert [each.quantity.unit for each in analyse(row["counter_example"])[0]] in ([], [None])


def test_each_form_of_a_verb_reports_and_its_counter_example_does_not() -> None:
    for row in rows("verbs"):
        assert len(verbs(row["example"])) == 1
        assert verbs(row["counter_example"]) == []


def test_no_row_repeats_another() -> None:
    for name, keys in {
        "labels": ["pattern"],
        "hedges": ["side", "phrase"],
        "units": ["noun"],
        "verbs": ["forms"],
    }.items():
        counts = Counter(tuple(row[key] for key in keys) for row in rows(name))
        assert [key for key, count in counts.items() if count > 1] == []
