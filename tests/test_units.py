"""Units of a vocabulary: whether they are counted in whole numbers, and nouns of several words."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import documents_of, edit, found_in
from defectors_data.annotators.number_interpretations import numbers_in
from defectors_data.evidence.completeness_ledger import detections
from defectors_data.evidence.relation_arithmetic import conventions
from defectors_data.models.closed_vocabularies import WHOLE_UNITS
from defectors_data.text.detection import detect
from defectors_data.text.english import UNITS
from test_workbench import FILE
from test_workbench_forms import with_sentence

OWN = {"square metre": "sqm", "square metres": "sqm", "nautical miles": "nautical_mile", "metres": "metre"}


@pytest.mark.parametrize(
    ("words", "units"),
    [
        ("a room of 45 square metres", ["sqm"]),
        ("a 45-square-metre room", ["sqm"]),
        ("two million Square\u00a0Metres of nets", ["sqm"]),
        ("between 20 and 30 square metres", ["sqm"]),
        ("5 nautical miles, then 6 miles", ["nautical_mile", "mile"]),
        ("45 metres", ["metre"]),
        ("45 square metresticks", ["item"]),
        ("45 of the square. Metres away, 3 boats", [None, "item"]),
    ],
)
def test_a_noun_of_several_words_is_a_unit_only_after_its_number(words: str, units: list[str | None]) -> None:
    quantities = [each.quantity for each in detect(words, UNITS | OWN) if each.quantity]
    assert [each.unit or each.likely_unit for each in quantities] == units


@pytest.mark.parametrize(
    ("words", "unit"),
    [
        ("the £190m mill", "pound"),
        ("a price of 14£", "pound"),
        ("between £2 and £3", "pound"),
        ("£5 a month", "pound"),
        ("a $12 lamp", "usd"),
        ("a €12 lamp", "other"),
    ],
)
def test_a_corpus_has_units_for_the_signs_of_its_currencies(copied: Path, words: str, unit: str) -> None:
    listed = 'units:\n  - {term: pound, definition: Pounds., nouns: ["£"]}\n'
    edit(copied, "annotations/vocabulary.yaml", "units:\n", listed)
    [document, *_] = documents_of(copied)
    found = [each.quantity for each in detections(words, document.context) if each.quantity]
    assert {each.unit for each in found} == {unit}


def test_a_unit_of_the_corpus_is_measured_unless_it_says_that_it_is_counted(copied: Path) -> None:
    path = copied / "annotations/vocabulary.yaml"
    vocabulary = path.read_text(encoding="utf-8")
    assert vocabulary.count("    whole: true\n") == 1
    assert conventions(documents_of(copied)[0].context).whole_units == WHOLE_UNITS | {"hotel"}
    path.write_text(vocabulary.replace("    whole: true\n", ""), encoding="utf-8")
    assert conventions(documents_of(copied)[0].context).whole_units == WHOLE_UNITS


def test_a_project_knows_its_own_nouns_of_several_words(copied: Path) -> None:
    path = copied / "annotations/vocabulary.yaml"
    vocabulary = path.read_text(encoding="utf-8")
    unit = "units:\n  - {term: long_boat, definition: Long boats., nouns: [long boats]}"
    path.write_text(vocabulary.replace("\nunits:", f"\n{unit}", 1), encoding="utf-8")
    [number] = numbers_in("The 17 long boats sank.", copied)
    assert number["unit"] == "long_boat"


def test_a_unit_without_nouns_is_named_by_its_term(copied: Path) -> None:
    path = copied / "annotations/vocabulary.yaml"
    vocabulary = path.read_text(encoding="utf-8")
    path.write_text(
        vocabulary.replace("\nunits:", "\nunits:\n  - {term: cent, definition: Cents.}", 1), encoding="utf-8"
    )
    numbers = numbers_in("It rose 1 cent, then 69 cents, or 3 percent.", copied)
    assert [number["unit"] for number in numbers] == ["cent", "cent", "percent"]


@pytest.mark.parametrize(
    ("value", "unit", "said"),
    [(0.96, "usd", "value 0.69, hedge exact, unit usd"), (96, "other", "value 69, hedge exact, unit other")],
)
def test_a_finding_names_the_meaning_in_the_unit_of_the_figure(
    copied: Path, value: float, unit: str, said: str
) -> None:
    with_sentence(copied, "Mira Fenn paid 69 cents.")
    record = f"{{id: example-f30, evidence: paid 69 cents, value: {value}, hedge: exact, unit: {unit}, counted: price}}"
    edit(copied, FILE, "\nfigures:\n", f"\nfigures:\n  - {record}\n")
    [finding] = [each for each in found_in(copied) if each.code == "figure-text-mismatch"]
    assert finding.message.endswith(f"the program reads {said} in the words.")
