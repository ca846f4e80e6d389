"""Each row of the tables of English does what its example shows, and not what its counter-example shows."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from defectors_data.text.attributions import attributions, verbs
from defectors_data.text.attributions.proposed import proposed_attributions
from defectors_data.text.english import cue_nouns, cue_words, expanded, reporting_verbs, rows, verbs_of_mode
from defectors_data.text.english.possible_cues import FEWEST_POINTS, points_of
from defectors_data.text.english.sentences import sentences
from defectors_data.text.quantities import analyse, read_quantity

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
    assert row["hedge"] in (said.hedge, said.other_hedge, said.polarity)
    if row["counter_example"]:
        other = read_quantity(row["counter_example"])
        assert other
        assert row["hedge"] not in (other.hedge, other.polarity) or other.other_hedge


ROLES = rows("roles")


@pytest.mark.parametrize("row", ROLES, ids=[row["role"] for row in ROLES])
def test_a_title_shows_a_role_in_its_example_and_not_in_its_counter_example(row: dict[str, str]) -> None:
    """The first row that fits decides."""
    shown = [
        next((each["role"] for each in ROLES if re.search(each["pattern"], words, re.IGNORECASE)), "")
        for words in (row["example"], row["counter_example"])
    ]
    assert shown[0] == row["role"] != shown[1]


@pytest.mark.parametrize("row", UNITS, ids=[row["unit"] for row in UNITS])
def test_the_nouns_of_a_unit_state_it(row: dict[str, str]) -> None:
    found = [each.quantity.unit for each in analyse(row["example"])[0]]
    assert set(found) == {row["unit"]}
    for noun in (each["noun"] for each in rows("units") if each["unit"] == row["unit"]):
        assert [each.quantity.unit for each in analyse(f"300 {noun}")[0]] == [row["unit"]], noun
    assert [each.quantity.unit for each in analyse(row["counter_example"])[0]] in ([], [None])


VERBS, CLASSES, ATTITUDES = rows("verbs"), rows("word_classes"), rows("attitudes")


@pytest.mark.parametrize("row", VERBS, ids=[row["forms"].split()[0] for row in VERBS])
def test_a_verb_attributes_its_example_and_not_its_counter_example(row: dict[str, str]) -> None:
    forms = row["forms"].split()
    (found,) = attributions(row["example"])
    assert found.verb in forms
    assert found.content
    assert found.source
    assert row["example"][slice(*found.source.span)] == "Ada"
    assert [each for each in attributions(row["counter_example"]) if each.verb in forms] == []
    assert set(row["nouns"].split()) <= set(forms)


@pytest.mark.parametrize("row", ATTITUDES, ids=[row["example"] for row in ATTITUDES])
def test_an_attitude_is_attributed_in_its_example_and_not_in_its_counter_example(row: dict[str, str]) -> None:
    (found,) = proposed_attributions(row["example"])
    assert found.source
    assert row["example"][slice(*found.source.head)] == "Ada"
    assert found.verb in cue_words() or found.verb in cue_nouns()
    others = proposed_attributions(row["counter_example"])
    assert attributions(row["example"]) == [each for each in others if each.is_sure] == []
    if row["class"] != "noun":
        assert [word for word in row["words"].split() if word in reporting_verbs()] == []


@pytest.mark.parametrize("row", CLASSES, ids=[row["class"] for row in CLASSES])
def test_the_source_in_the_examples_of_a_class_is_the_one_in_brackets(row: dict[str, str]) -> None:
    for example in (row["example"], row["counter_example"]):
        expected = re.findall(r"\[([^\[\]]*)\]", example)
        text = re.sub(r"[\[\]]", "", example)
        heads = [each.source.head for each in attributions(text) if each.source]
        assert [text[slice(*head)] for head in heads] == expected
    assert row["words"].lower() == row["words"]


def test_a_word_that_shows_the_mode_is_found_as_a_whole_word_outside_quotations() -> None:
    for word in verbs_of_mode():
        text = f"Ada {word} that, Ada so-{word} that, “Ada {word} that”, {word}_a."
        assert [text[slice(*span)] for span in verbs(text)] == [word]


def test_no_row_repeats_another() -> None:
    for name, keys in {
        "labels": ["pattern"],
        "hedges": ["side", "phrase"],
        "units": ["noun"],
        "verbs": ["forms"],
        "word_classes": ["class"],
        "attitudes": ["class", "takes"],
    }.items():
        counts = Counter(tuple(row[key] for key in keys) for row in rows(name))
        assert [key for key, count in counts.items() if count > 1] == []


@pytest.mark.parametrize(
    ("possible", "cue", "others"),
    [
        ("The mill is expected to close.", "expected", "The mill is made to close."),
        ("There were doubts about the mill.", "doubts", "There were lamps in the mill."),
        ("The miller seemed to leave.", "seemed", "The miller went to leave."),
        ("The belief that it was old is gone.", "belief", "The day that it was old is gone."),
        ("There was criticism of the mill.", "criticism", "There was part of the mill."),
    ],
)
def test_words_that_often_attribute_something_have_more_points(possible: str, cue: str, others: str) -> None:
    assert cues(possible) == [cue]
    assert cues(others) == []


def cues(text: str) -> list[str]:
    """Give the words of a sentence that may attribute something."""
    (line,) = sentences(text, ())
    return [token.word for i, token in enumerate(line) if points_of(line, i) >= FEWEST_POINTS]


def test_each_word_has_points_once_and_no_name_has_any() -> None:
    given = [(row["feature"], value) for row in rows("possible_cues") for value in row["values"].split()]
    assert len(given) == len(set(given))
    assert not {"trump", "clinton", "sanders", "obama"} & {value for _, value in given}
