"""A proposed statement ends where its source stops and the writer goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from defectors_data.annotators.proposals.statements import possible_statements, statements
from defectors_data.text.attributions.proposed import proposed_attributions
from test_proposals import drafted


def said(text: str) -> list[list[str]]:
    return [[text[slice(*piece)] for piece in each.content] for each in proposed_attributions(text)]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Ada Orr said it burned in Rome, which has two mills.", "it burned in Rome"),
        ("Ada Orr said it burned in Rome, where Pelt owns a mill.", "it burned in Rome"),
        ("Ada Orr said it burned in Rome, a port on the old coast.", "it burned in Rome"),
        ("Ada Orr said it burned in Rome - the last port on the coast.", "it burned in Rome"),
        ("Ada Orr said it burned, a blow to the old miller.", "it burned"),
        # the words go on
        ("Ada Orr said it burned, which would hurt the mill.", "it burned, which would hurt the mill"),
        ("Ada Orr said Rome, which has two mills, burned.", "Rome, which has two mills, burned"),
        ("Ada Orr said the fire, which burned Rome, ruins it.", "the fire, which burned Rome, ruins it"),
        ("Ada Orr said that in the end, a boss burned it.", "that in the end, a boss burned it"),
        ("Ada Orr said it burned a mill, a barn and a field.", "it burned a mill, a barn and a field"),
        ("Ada Orr said it burned in Rome, which “is” old.", "it burned in Rome, which “is” old"),
        (
            "Ada Orr said it burned in Rome, which is a port -- and left.",
            "it burned in Rome, which is a port -- and left",
        ),
    ],
)
def test_what_the_writer_explains_at_the_end_is_not_said(text: str, content: str) -> None:
    assert said(text) == [[content]]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Ada Orr plans to sell the mill before the fire.", "to sell the mill before the fire"),
        ("Ada Orr vowed to leave while it burned.", "to leave while it burned"),
        ("Ada Orr praised the mill before the fire.", "the mill"),
        ("Ada Orr vowed to end “the wait” before she left.", "to end “the wait"),
        ("Ada Orr blamed the mill, or the men who built it.", "the mill, or the men who built it"),
        ("Ada Orr praised the mill, rather than the barn.", "the mill, rather than the barn"),
        ("Ada Orr wants a mill, as well as a barn.", "a mill, as well as a barn"),
        ("Ada Orr wants a mill, as Pelt knows well.", "a mill"),
        ("If you want the mill, or do you fear it, go.", "the mill"),
        # words on the object in commas
        ("Ada Orr praised Pelt, a miller, and left.", "Pelt"),
        ("Ada Orr asked about words he said the previous night.", "about words he said the previous night"),
        (
            "Sources said that Ada Orr discouraged Pelt, saying it was shut.",
            "that Ada Orr discouraged Pelt, saying it was shut",
        ),
        # what is in a clause on a noun, and what another person says at the same time
        (
            "Ada Orr urged Pelt to deny reports that he had told the miller no.",
            "Pelt to deny reports that he had told the miller no",
        ),
        ("Ada Orr insisted it was shut while Ben Pelt says it is open.", "it is open"),
    ],
)
def test_what_is_planned_has_its_time_and_an_object_its_alternative(text: str, content: str) -> None:
    assert content in [piece for pieces in said(text) for piece in pieces]


@pytest.mark.parametrize(
    ("text", "is_drafted", "is_underlined"),
    [
        ("Ada Orr, who endorsed Pelt in May, left.", False, True),
        ("Ada Orr, who said it burned, left.", True, False),
        ("Asked about the mill, Ada Orr left.", False, True),
        ("Ada Orr asked about the mill.", True, False),
        ("Ada Orr won most swing states in May.", False, False),
        ("They met at a mill known as the Barn.", False, False),
        ("Orr won the first swing state, with its old mills.", False, False),
        ("Millers state that it burned.", True, False),
        ("Millers may support Orr in May.", False, True),
        ("Millers support Orr in May.", True, False),
        ("Ada Orr seemed content to wait.", False, True),
        ("It shows how the mill burned.", False, True),
        ("Ada Orr's comments on lamps are old.", False, True),
        ("Then you say that the mill burned.", False, True),
        ("Ada Orr repeated the walk to the mill.", False, True),
        ("Ada Orr repeated that the mill burned.", True, False),
    ],
)
def test_what_is_rarely_a_statement_is_no_draft(
    tmp_path: Path, text: str, *, is_drafted: bool, is_underlined: bool
) -> None:
    _, document = drafted(tmp_path, f"The Mill\n\n{text}\n")
    assert (bool(statements(document)), bool(possible_statements(document))) == (is_drafted, is_underlined)
