"""The speaker of a draft to whom a pronoun or a description leads is one whom the text shows."""

from __future__ import annotations

import re

import pytest
import yaml

from defectors_data.annotators.record_ids import id_of_name
from test_first_draft import FILLER, filled

INTRODUCED = """A title of a mill

Harbour Office spokeswoman Ada Orr told the Gazette the mill was shut. “We take security seriously,” {} said.

Milo Arden, 31, came home. His sister came with him, but he replied “I will not.”
"""


@pytest.mark.parametrize(
    ("before", "pronoun", "speaker"),
    [
        ("Adam Orr met Alice Pelt.", "He", "adam-orr"),
        ("Adam Orr met Alice Pelt.", "She", "alice-pelt"),
        ("Harrow Orr met Kim Pelt.", "He", "harrow-orr"),
    ],
)
def test_a_given_name_shows_whom_a_pronoun_means(before: str, pronoun: str, speaker: str) -> None:
    said = "Both spoke. “Hello,” Orr said. “Well,” Pelt said."
    draft = filled(f"The pipes burst\n\n{said}\n\n{before} {pronoun} said that it was late.\n")
    assert re.findall(r"speaker: (.*)", draft)[-1] == speaker


def test_a_pronoun_means_who_says_the_sentence_before_after_its_opening_clause() -> None:
    said = "And while it was old in New Harrow, Mr Orr fears it will fall. “It rained,” he said."
    draft = filled(f"{FILLER}Craig Orr said it was shut. “No,” Ben Pelt said.\n\n{said}")
    assert re.findall("speaker: (.*)", draft)[-1] == "craig-orr"


def test_a_pronoun_does_not_mean_the_person_on_whom_somebody_comments() -> None:
    said = "Ben Pelt left Rome in May. Commenting on Mr Orr’s case, he said: “It rained.”"
    draft = filled(f"{FILLER}Craig Orr said it was shut. “No,” Ben Pelt said.\n\n{said}")
    assert re.findall("speaker: (.*)", draft)[-1] == "ben-pelt"


@pytest.mark.parametrize(
    ("orr", "pelt", "said", "speaker"),
    [
        ("Sen. Ben Orr", "Ada Pelt", "the senator", "ben-orr"),
        ("Sen. Ben Orr", "Sen. Ada Pelt", "the senator", "who"),
        ("Sen. Ben Orr (D-Vt.)", "Ada Pelt", "the Ohio senator", "who"),
        ("GOP presidential nominee Ben Orr", "Democratic nominee Ada Pelt", "the Republican nominee", "ben-orr"),
        ("Lamp nominee Ben Orr", "lamp vice presidential nominee Ada Pelt", "the nominee", "ben-orr"),
        ("Former Sen. Ben Orr", "Ada Pelt", "the former senator", "ben-orr"),
        ("Sen. Ben Orr", "Ada Pelt", "the former senator", "who"),
        ("Ben Orr, an aide to the mayor,", "Ada Pelt", "the mayor", "who"),
        ("Ben Orr", "Sen. Orr met Ada Pelt. Ada Pelt", "the senator", "ben-orr"),
    ],
)
def test_a_description_means_the_only_person_who_is_called_so(orr: str, pelt: str, said: str, speaker: str) -> None:
    text = f"{FILLER}{orr} left early.\n\n{pelt} said that it was shut. “It is old,” {said} said."
    assert re.findall("speaker: (.*)", filled(text))[-1] == speaker


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Sen. Ben Orr left. Sen. Ada Pelt left.\n\n“It is old,” the senator said.", "who"),
        ("Sen. Ben Orr left.\n\n“It is old,” the senator said.\n\nSen. Ada Pelt left.", "ben-orr"),
        ("Home secretary Ben Orr left.\n\n“It is old,” the foreign secretary said.", "who"),
        ("Home secretary Ben Orr left.\n\n“It is old,” the home secretary said.", "ben-orr"),
    ],
)
def test_a_title_is_open_if_two_before_it_have_it_or_one_has_another(text: str, speaker: str) -> None:
    assert re.findall("speaker: (.*)", filled(f"{FILLER}{text}\n"))[-1] == speaker


@pytest.mark.parametrize(
    ("said", "speaker"),
    [
        ("Orr praised Pelt for mending the bell, a gift that he said was old.", "harrow-orr"),
        ("Orr played down talk of a deal with Pelt. “There was none,” he said.", "harrow-orr"),
        ("After a walk with Pelt, Orr left. He said that it was late.", "harrow-orr"),
        ("“It burned down Pelt,” said Orr. He said that it was late.", "harrow-orr"),
        ("The bell hit Orr. It helps Pelt, he said.", "harrow-orr"),
        ("Orr met Pelt. He left at noon. He said that it was late.", "harrow-orr"),
        ("A miller from Rome, Orr, met Pelt. He said that it was late.", "harrow-orr"),
        ("His wife, Orr said, met Pelt. He said that it was late.", "harrow-orr"),
        ("Pelt’s old miller, Orr, met us. He said that it was late.", "harrow-orr"),
        ("Orr’s letter fell near Pelt. He said that it was late.", "harrow-orr"),
        ("The bell hit Orr. He said that it was late.", "harrow-orr"),
        ("Orr left. Of Pelt, he said that it was late.", "harrow-orr"),
        ("The bell pleased Orr and Pelt. He said that it was late.", "who"),
        ("A miller from Rome met Orr. He said that it was late.", "who"),
    ],
)
def test_a_pronoun_means_the_subject_and_is_open_between_two_others(said: str, speaker: str) -> None:
    spoke = "Harrow Orr and Kim Pelt spoke. “Hello,” Orr said. “Well,” Pelt said."
    draft = filled(f"The pipes burst\n\n{spoke}\n\nIt rained.\n\n{said}\n")
    assert re.findall(r"speaker: (.*)", draft)[-1] == speaker


@pytest.mark.parametrize(
    ("said", "speaker"),
    [
        ("Alice Vane won a prize. “It is old,” she told them.", "alice-vane"),
        ("Alice Vane won a prize. “It is old,” he told them.", "clint-orr"),
        ("Peter Vane beat Clint Orr to a prize. He thanked the mill.", "peter-vane"),
        ("Mirano Vane won a prize. “It is old,” he told them.", "mirano-vane"),
        ("Lamp Vane won a prize. “It is old,” he told them.", "clint-orr"),
        ("The Old Mill won a prize. “It is old,” he told them.", "clint-orr"),
        ("Harrow Lamp Company won a prize. “It is old,” he told them.", "clint-orr"),
    ],
)
def test_a_pronoun_means_a_person_who_was_not_heard_if_this_is_the_subject_before_it(said: str, speaker: str) -> None:
    draft = filled(f"{FILLER}Clint Orr came. “It was late,” Orr said. {said}\n")
    assert re.findall(r"speaker: (.*)", draft)[-1] == speaker


@pytest.mark.parametrize(
    ("before", "speaker"),
    [
        ("Orr was late.", "adam-orr"),
        ("Orr met Pelt.", "adam-orr"),
        ("Orr met Pelt. Then it rained on them.\n\nHe left early.", "adam-orr"),
        ("Orr met Alice Vane.", "adam-orr"),
        ("Orr was late. Pelt said that it was open.", "bernard-pelt"),
        ("Orr was late, clerks said.", "adam-orr"),
        ("Pelt said that it was open. Orr was late.", "adam-orr"),
        ("Orr was late.\n\nClerks said that it was open.", "who"),
        ("Orr and Pelt were late.\n\nIt rained.", "who"),
        ("The mill was late.", "who"),
    ],
)
def test_a_pronoun_means_the_only_person_named_in_the_paragraph_before(before: str, speaker: str) -> None:
    known = "Adam Orr and Bernard Pelt left. Alice Vane said that it was shut."
    text = f"{FILLER}{known}\n\nIt rained.\n\n{before}\n\nIn May, he said that it was old."
    assert re.findall("speaker: (.*)", filled(text))[-1] == speaker


@pytest.mark.parametrize(
    ("words", "speaker"),
    [("she", "ada-orr"), ("Orr", "ada-orr"), ("the spokeswoman", "ada-orr"), ("he", "who"), ("the miller", "who")],
)
def test_a_pronoun_or_description_means_a_person_who_fits(words: str, speaker: str) -> None:
    draft = filled(INTRODUCED.format(words))
    assert re.findall("speaker: (.*)", draft) == ["ada-orr", speaker, "milo-arden"]
    assert 'evidence: "Harbour Office spokeswoman Ada Orr"\n        affiliation: "Harbour Office"' in draft
    assert 'attribution: {words: "he replied", antecedent: m2}' in draft


def test_they_are_the_group_that_spoke_and_he_is_a_person_known_by_a_surname() -> None:
    said = "Workers objected to the plan. It rained. They also said that it was late."
    named = "Clerks knew Ada Orr. At noon Orr listed mills he said had burned."
    assert re.findall("speaker: (.*)", filled(FILLER + said)) == ["speaker-1", "speaker-1"]
    assert re.findall("speaker: (.*)", filled(FILLER + named))[-1:] == ["ada-orr"]


@pytest.mark.parametrize("surname", ["in 't Orr", "Orr"])
def test_a_pronoun_may_mean_a_person_whose_surname_has_particles(surname: str) -> None:
    alone = surname.replace("in", "In")
    said = f"It was late, said Ada {surname}.\n\n{alone} left early.\n\n“It is old,” she told Rome."
    assert re.findall("speaker: (.*)", filled(FILLER + said)) == [f"ada-{id_of_name(surname)}"] * 2


def test_a_pronoun_may_mean_a_person_with_a_single_name() -> None:
    drafted = filled(FILLER + "President Orr said that it was late.\n\n“It is old,” he said.")
    assert re.findall("speaker: (.*)", drafted) == ["orr", "orr"]


def test_one_miller_is_another_speaker_each_time() -> None:
    said = "One miller, who wept, said that it is shut. One miller said that it is open. “It is red,” he said."
    found = yaml.safe_load(filled(FILLER + said))
    assert [each["speaker"] for each in found["testimonies"]] == ["speaker-1", "speaker-2", "speaker-2"]
    assert [len(each["mentions"]) for each in found["speakers"]] == [1, 1]
    one = "“It is shut,” said a miller, adding that it burned. “It is red,” said the miller."
    assert len(yaml.safe_load(filled(FILLER + one))["speakers"]) == 1


@pytest.mark.parametrize(
    ("said", "speakers"),
    [
        ("The Mill Union fell after it warned of fog.", ["mill-union"]),
        ("The Prevention of Fog Bill was published. It says lamps can burn.", ["prevention-of-fog-bill"]),
        ("It was late. It says lamps can burn.", ["who"]),
        ("The lamp burned. It says lamps can burn.", ["who"]),
        ("The Mill Union met. It’s predicted that it will burn.", ["who"]),
        ("Old millers left. They said that it burned.", ["speaker-1"]),
        ("Harrow Lamps and Rome Mills are old. They said that it burned.", ["speaker-1"]),
        ("Old lamps burned. They said that it was late.", ["who"]),
        ("A panel of millers said it burned.\n\nOrr left. The panel said it was late.", ["speaker-1", "speaker-1"]),
    ],
)
def test_a_pronoun_or_the_panel_may_mean_the_body_or_group_before_it(said: str, speakers: list[str]) -> None:
    assert re.findall("speaker: (.*)", filled(FILLER + said)) == speakers


def test_he_is_who_reports_and_not_who_is_named_in_the_report() -> None:
    before = (
        "Otto Pelt left. Mr Pelt said it was old. Mill leader Adam Orr said Mr Vane and Mr Pelt could say it was red."
    )
    draft = filled(f"{FILLER}{before} He told Rome that it was late.\n")
    assert re.findall("speaker: (.*)", draft)[-1] == "adam-orr"


def test_a_pronoun_after_narration_leads_to_the_mention_in_it() -> None:
    said = "Adam Orr said it was shut. Bernard Pelt said it was open."
    drafted = yaml.safe_load(
        filled(f"{FILLER}{said}\n\nMr Orr joined the mill.\n\nHe left.\n\nIn May, he said it was old.")
    )
    led = drafted["testimonies"][-1]["attribution"]["antecedent"]
    [orr] = [each for each in drafted["speakers"] if each["id"] == "adam-orr"]
    [mention] = [each["evidence"] for each in orr["mentions"] if each["id"] == led]
    assert mention == {"text": "Orr", "prefix": "it was open.\n\nMr "}


def test_the_second_part_of_a_quotation_can_say_who_speaks() -> None:
    drafted = yaml.safe_load(filled(f"{FILLER}Ada Orr said it was shut. “It burned. “We left,” she added in Rome."))
    [_, testimony] = drafted["testimonies"]
    assert testimony["evidence"] == ["It burned.", "We left,"]
    assert testimony["attribution"] == {"words": "she added", "antecedent": "t1"}
