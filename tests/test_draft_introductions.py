"""A name after a description and a comma is that of the person; where it is not certain, a draft asks."""

from __future__ import annotations

import pytest
import yaml

from test_first_draft import filled


@pytest.mark.parametrize(
    ("said", "mention", "name", "guess"),
    [
        ("A guard for the mill, Ada Orr, denied it.", "A guard for the mill, Ada Orr", "Ada Orr", ""),
        ("“No,” said a guard in Harrow, Alice Orr.", "a guard", None, "Alice Orr"),
        ("A guard in Harrow, Old Vale, said it was shut.", "A guard", None, "Old Vale"),
        ("A guard in Harrow, Alice Orr, said no.", "A guard in Harrow, Alice Orr", "Alice Orr", ""),
        ("“No,” said a guard in Harrow, Old Vale.", "a guard", None, "Old Vale"),
        ("“No,” said a guard in Harrow, Old Vale mills closed.", "a guard", None, ""),
        ("A friend of the mayor, Ada Orr, said it was shut.", "A friend of the mayor", None, "Ada Orr"),
        ("The mill’s host, Ada Orr, said it was shut.", "The mill’s host, Ada Orr", "Ada Orr", ""),
        ("Lamp chair and mill boss Ada Orr left. “No,” Orr said.", "mill boss Ada Orr", "Ada Orr", ""),
        ("Mill president and chief Ada Orr said no.", "Mill president and chief Ada Orr", "Ada Orr", ""),
        ("A guard for the mill, Harrow, said it was shut.", "A guard for the mill", None, ""),
        ("A guard for Ada Orr, who left, said it was shut.", "A guard for Ada Orr", None, ""),
        # without a comma after the description
        ("Ada Orr, head of mills said it was shut.", "Ada Orr, head of mills", "Ada Orr", ""),
        ("Ada Orr, Mill Union boss said it was shut.", "Ada Orr, Mill Union boss", "Ada Orr", ""),
        ("In New Harrow, guard Ada Orr said it was shut.", "guard Ada Orr", "Ada Orr", ""),
        ("It was late, Ada Orr, a guard said.", "a guard", None, ""),
        ("The minister for mills Ben Orr said it was shut.", "Ben Orr", "Ben Orr", ""),
        ("They did not stop Mayor Ada Orr, who said no.", "Mayor Ada Orr", "Ada Orr", ""),
        ("It will allow Mayor Ada Orr, who said no.", "Mayor Ada Orr", "Ada Orr", ""),
        ("On Friday Ada Orr, a clerk, said no.", "Ada Orr, a clerk", "Ada Orr", ""),
        ("On Friday, Ada Orr, a clerk, said no.", "Ada Orr, a clerk", "Ada Orr", ""),
        # with an office of a place, honorifics, or "and" before the noun
        ("The Bishop of Harrow, Ada Orr, said no.", "The Bishop of Harrow, Ada Orr", "Ada Orr", ""),
        ("The Bishop of Harrow, the Rev Ada Orr, said no.", "The Bishop of Harrow, the Rev Ada Orr", "Ada Orr", ""),
        ("The Bishop of Harrow said it was shut.", "The Bishop of Harrow", None, ""),
        ("Ada Orr, a lamp and mill expert, said no.", "Ada Orr, a lamp and mill expert", "Ada Orr", ""),
    ],
)
def test_a_name_after_a_description_is_that_of_the_person_or_is_asked_for(
    said: str, mention: str, name: str | None, guess: str
) -> None:
    drafted = filled(f"The mill is shut\n\n{said} She left.\n")
    [speaker] = yaml.safe_load(drafted)["speakers"]
    [introduced] = speaker["mentions"]
    assert (introduced["evidence"], speaker.get("name")) == (mention, name)
    assert (f"anonymity: unnamed  # a guess: {guess} may be the name\n" in drafted) == bool(guess)
    assert (speaker["anonymity"] == "unnamed") == (name is None)


def test_the_only_sentence_under_a_headline_of_one_word_is_read() -> None:
    drafted = yaml.safe_load(filled("Shut\n\nAda Orr said it was shut.\n"))
    assert drafted["source"]["title"] == "Shut"
    assert [each["evidence"] for each in drafted["testimonies"]] == ["Ada Orr said it was shut."]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("The mill’s host, Ada Orr, said it was shut.", "Ada Orr, said"),
        ("“No,” said the mill’s host, Ada Orr.", ["said", "Ada Orr"]),
        ("“No,” said a friend of the mayor, Ada Orr.", "said a friend"),
        ("Mill boss Ada Orr “It is over, and we lost.”", "Ada Orr"),
        ("- Mill boss Ada Orr: “It is over, and we lost.”", "Ada Orr:"),
    ],
)
def test_the_name_after_a_description_attributes_what_is_said(said: str, words: str | list[str]) -> None:
    [testimony] = yaml.safe_load(filled(f"The mill is shut\n\n{said}\n"))["testimonies"]
    assert testimony["attribution"] == words


@pytest.mark.parametrize(
    ("mention", "affiliation"),
    [
        ("Ada Orr, a mill director at analyst Harrow", "Harrow"),
        ("Sunday Times editor Ada Orr", "Sunday Times"),
        ("Commission for Harrow Mills chairman Ada Orr", "Commission for Harrow Mills"),
        ("Ada Orr, Mill News 24 reporter", "Mill News"),
    ],
)
def test_an_affiliation_is_read_after_a_kind_of_firm_in_a_day_and_before_a_number(
    mention: str, affiliation: str
) -> None:
    comma = "," * ("," in mention)
    [speaker] = yaml.safe_load(filled(f"The mill is shut\n\n{mention}{comma} said it was old.\n"))["speakers"]
    [introduced] = speaker["mentions"]
    assert (introduced["evidence"], introduced["affiliation"]) == (mention, affiliation)
    assert "age" not in introduced


@pytest.mark.parametrize(
    ("said", "mention", "affiliation"),
    [
        ("Harrow burned. “No,” said Ada Orr of Harrow.", "Ada Orr of Harrow", "Harrow"),
        ("“No,” said Ada Orr of Rome.", "Ada Orr", None),
        ("It rained in Harrow. “No,” said Ada Orr of Harrow.", "Ada Orr", None),
        ("Harrow burned. “No,” said Ada Orr of Harrow when it rained.", "Ada Orr", None),
        ("Ada Orr, of Lamps 4 Harrow, said no.", "Ada Orr, of Lamps 4 Harrow", "Lamps 4 Harrow"),
        ("Ada Orr, from the BBC’s lamp team, said no.", "Ada Orr, from the BBC’s", "BBC"),
        ("In the first government Ms Ada Orr said no.", "Ms Ada Orr", None),
    ],
)
def test_a_body_is_read_after_a_name_and_not_before_a_form_of_address(
    said: str, mention: str, affiliation: str | None
) -> None:
    [speaker] = yaml.safe_load(filled(f"The mill is shut\n\n{said}\n"))["speakers"]
    [introduced] = speaker["mentions"]
    assert (introduced["evidence"], introduced.get("affiliation")) == (mention, affiliation)


def test_an_initial_does_not_end_an_affiliation() -> None:
    drafted = filled("The mill is shut\n\n“No,” said Ada Orr, an analyst at the Ben D. Pelt consultancy.\n")
    assert 'affiliation: "Ben D. Pelt"' in drafted
