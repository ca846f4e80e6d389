"""Whether the speaker of a draft is a person, a group or an institution, or seeks an office, and the keys of kinds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import found_in
from test_first_draft import FILLER, filled
from test_workbench_choices import keys_of, press
from test_workbench_own_corpus import Own

GUESS = "  # a guess: no words show it"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Harrow Rising, an old mill committee, said that it was shut.", "institution"),
        ("Harrow Rising, the mill committee chairman, said that it was shut.", "person"),
        ("Ada Orr, a party leader, said that it was shut.", "person"),
        ("Mary Rising said that it was shut.", "person"),
        ("Harrow Rising, 31, said that it was shut.", "person"),
        ("Harrow Rising said that it was shut. Mr. Rising left.", "person"),
        ("Harrow Rising said that it was shut.", f"person{GUESS}"),
        ("Harrow Rising said that it was shut. A clerk of Hanover Rising left.", f"person{GUESS}"),
        ("The Harrow Union said that it was shut.", "institution"),
        ("The Harrow Rising PAC said that it was shut.", "institution"),
        ("The Hill said that it was shut.", "institution"),
        ("HARROW said that it was shut.", "institution"),
        ("Labour said that it was shut. Unlike the old Orr-Labour mill, he left.", "institution"),
        ("It left Harrow Rising, the biggest lamp maker. Harrow Rising said that it was shut.", "institution"),
        ("On Friday, Harrow said that it was open.", f"institution{GUESS}"),
        ("Harrow said that it was open. Two clerks at Harrow wept.", "institution"),
        ("A poll said that it was open.", "institution"),
        ("It fined the lampmaker’s larger rival Harrow. Harrow said that it was open.", f"institution{GUESS}"),
        ("The super-regulator Harrow said that it was open.", "institution"),
        ("Swiss drugmaker Harrow said that it was open.", "institution"),
        ("It was bad for Harrow, the UK’s biggest lamp supplier. Harrow said that it was open.", "institution"),
        ("The analyst Pelt said that it was open. She left.", "person"),
        ("Orr & Pelt said that it was open.", f"institution{GUESS}"),
        ("Lamp operator Harrow said that it was open.", "institution"),
        ("Lamp operator Ada Orr said that it was open.", "person"),
        ("Harrow, a lamp producer, said that it was open.", f"institution{GUESS}"),
        ("Vale, IBM and Harrow, who have met, left. Harrow said that it was open.", f"institution{GUESS}"),
        ("Under Harrow’s plan, it burns. Harrow said that it was open.", f"institution{GUESS}"),
        ("It left the HB’s mill. She fell. HB said that it was open.", "institution"),
        ("Alp-based Harrow has met. Harrow said that it was open.", f"institution{GUESS}"),
        ("A former Harrow clerk left. Harrow said that it was open.", "institution"),
        ("It had accused Harrow. Harrow, an Alp-based company, said that it was open.", "institution"),
    ],
)
def test_a_kind_that_no_words_show_is_a_guess(said: str, kind: str) -> None:
    assert re.findall("kind: (.*)", filled(FILLER + said)) == [kind]


RISING = "Harrow Rising said that it was shut."


def test_a_key_corrects_a_kind_that_is_a_guess_with_what_follows_from_it(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", RISING)
    keys = {key.term: key for key in keys_of(own, "Harrow Rising")}
    assert [term for term, key in keys.items() if key.field == "kind"] == ["institution", "group"]
    press(own, "harrow-rising", keys["institution"])
    lines = own.record("harrow-rising")
    assert "kind: institution\n    role: representative\n    name: Harrow Rising" in lines
    assert ("draft" in lines, "anonymity" in lines) == (True, False), "the role is a guess"
    assert not [key for key in keys_of(own, "Harrow Rising") if key.field == "kind"]


def test_a_key_makes_a_person_of_what_was_taken_for_an_institution(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "On Friday, Harrow said that it was open.")
    [key] = [key for key in keys_of(own, "Harrow") if key.term == "person"]
    press(own, own.id("speaker-1"), key)
    lines = own.record("harrow")
    assert "role: other\n" in lines, "only a body represents itself"
    assert "anonymity: partial\n    pseudonym_possible: false" in lines
    assert {each.code for each in found_in(own.root)} == {"draft-record"}


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("General Lamps said that it was shut.", "Lamps"),
        ("General Motors Europe said that it was shut.", "General Motors Europe"),
        ("General Motors said that it was shut. Harrow Motors left.", "General Motors"),
        ("General Pelt said that it was shut. Ada Pelt was a general.", "Ada Pelt"),
        ("General Ada Pelt said that it was shut.", "Ada Pelt"),
        ("General Manager Pelt said that it was shut.", "Pelt"),
        ("General Motors Officer Ada Pelt said that it was shut.", "Ada Pelt"),
        ("Premier Lamps said that it was shut.", "Premier Lamps"),
        ("Premier Lamps said that it was shut. Lamps left.", "Lamps"),
        ("Lord Pelt said that it was shut.", "Lord Pelt"),
        ("Former mill MP Lord Pelt said that it was shut.", "Lord Pelt"),
        ("Lord Ben Pelt said that it was shut.", "Ben Pelt"),
        ("Lamp charity the Keepers Trust said that it was shut.", "Keepers Trust"),
        ("Ada Orr MP said that it was shut.", "Ada Orr"),
        ("EL said that it was shut. Electronic Lamps (EL) said so, too. EL left.", "Electronic Lamps"),
        ("AFM said that it was shut. The Alliance for Mills (AFM) said so, too.", "Alliance for Mills"),
    ],
)
def test_a_title_is_part_of_the_name_of_a_company_or_of_a_word_that_is_printed_with_it_only(
    said: str, name: str
) -> None:
    assert re.findall('    name: "?(.*?)"?\n', filled(FILLER + said)) == [name]


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Harrow Telecom said that it was shut.", "institution"),
        ("Harrow City said that it was shut.", "institution"),
        ("Crystal Lamps, which was old, said that it was shut.", "institution"),
        ("Bank of Harrow governor Ada Orr said that it was shut.", "person"),
        ("Ben Harrow said that it was shut.", "person"),
        ("The Fed said that it was shut.", "institution"),
        ("Harrow said that it was shut after Harrow lit it.", "institution"),
        ("The lamp keeper Harrow said that it was shut.", "person"),
        ("The lamp watchdog Harrow said that it was shut.", "institution"),
        ("Harrow’s lamp watchdog said that it was shut.", "institution"),
        ("Trade and Industry Secretary Ada Orr called it shut.", "person"),
        ("Labour and Economy Minister Ada Orr said that it was shut.", "person"),
        ("Harrow president and chief executive Ada Orr said that it was shut.", "person"),
        ("Pelt and Trade Secretary Ada Orr called it shut.", "group"),
    ],
)
def test_a_company_is_no_person_and_a_person_with_two_posts_no_group(said: str, kind: str) -> None:
    draft = filled(FILLER + said)
    assert re.findall(r"\n    kind: (\w+)", draft) == [kind]
    assert f'evidence: "{said.removesuffix(".")}"' in draft or f'evidence: "{said}"' in draft


@pytest.mark.parametrize(
    ("said", "speaker"),
    [
        ("It rained. The company said that it was old.", "harrow-motors"),
        ("“It is old,” the Alp-based firm said.", "harrow-motors"),
        ("The Mill Court said it rained. The company said that it was old.", "harrow-motors"),
        ("Pelt Telecom said it rained. The company said that it was old.", "pelt-telecom"),
        ("Pelt Telecom left. It rained. Pelt Motors left. The firm said that it was old.", "harrow-motors"),
        ("The Lib Dems said it rained. The party said that it was old.", "lib-dems"),
        ("The Lib Dems said it rained.\n\nThe Liberal Democrats said that it was old.", "lib-dems"),
        ("It rained. The company that owns the mill said that it was old.", "who"),
        ("It rained. The union said that it was old.", "who"),
        (
            "The Association of Harrow Millers said it rained. The association said that it was old.",
            "association-of-harrow-millers",
        ),
    ],
)
def test_the_company_is_the_only_one_that_has_spoken(said: str, speaker: str) -> None:
    drafted = filled(f"{FILLER}Harrow Motors said that it was shut. Ada Orr left. {said}\n")
    assert re.findall("speaker: (.*)", drafted)[-1] == speaker


@pytest.mark.parametrize(
    ("said", "speaker"),
    [
        ("The oil giant Orr Oil burned. It was dark. The company said that it was open.", "orr-oil"),
        ("The oil giant Orr Oil burned, as did Pelt, a lamp firm. The company said that it was open.", "who"),
        ("Shares in Orr Re fell. It was dark. The company said that it was open.", "orr-re"),
        ("The police said that it was open.", "police"),
        ("“It is open,” the police said.\n\nIt added, “Nobody came.”", "police"),
        ("“It is open,” the police said.\n\nNobody came.\n\nIt added, “Nobody came.”", "who"),
    ],
)
def test_the_company_is_nobody_before_it_and_the_police_are_named_so(said: str, speaker: str) -> None:
    assert re.findall("speaker: (.*)", filled(FILLER + said))[-1:] == [speaker]


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Bookmakers Orro says that it was old.", "Orro"),
        ("It was old, according to consultants Orr Pelt.", "Orr Pelt"),
        ("Orr Re, the world’s biggest mill, said that it was old.", "Orr Re"),
        ("Fan website Orr Pelt said that it was old.", "Orr Pelt"),
        ("The Orr Pelt Industry (OPI) said that it was old.", "Orr Pelt Industry"),
        ("Rival local club Harrow Mills said that it was old.", "Harrow Mills"),
        ("Orr-Pelt, the largest mill, has said that it was old.", "Orr-Pelt"),
        ("Number 10 said that it was old.", "Number 10"),
        ("France’s Orro warned that it was old.", "Orro"),
    ],
)
def test_words_around_a_name_show_an_institution(said: str, name: str) -> None:
    drafted = filled(FILLER + said)
    assert re.findall("\n    name: (.*)", drafted) == [name if " " not in name else f'"{name}"']
    assert "kind: institution" in drafted


def test_a_key_makes_a_group_without_a_name(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", RISING)
    [key] = [key for key in keys_of(own, "Harrow Rising") if key.term == "group"]
    press(own, "harrow-rising", key)
    assert "kind: group\n" in own.record("speaker-1")
    assert "name: " not in own.record("speaker-1")
    assert "speaker: speaker-1\n" in own.record("t1")
    assert {each.code for each in found_in(own.root)} == {"draft-record"}


@pytest.mark.parametrize(
    ("words", "role"),
    [
        ("It rained on former President Ada Orr.", "politician"),
        ("The former president, Ada Orr, left.", "politician"),
        ("It rained on former lamp minister Ada Orr.", "politician"),
        ("It rained on party spokeswoman Ada Orr.", "politician"),
        ("The former president of the mill, Ada Orr, left.", "other"),
        ("Ada Orr, his running mate, left.", "politician"),
        ("Orr, who had campaigned in Harrow, left.", "politician"),
        ("Orr campaigned in vain.", "other"),
        ("It rained on shadow mill secretary Ada Orr.", "politician"),
        ("It rained on Ada Orr, MP, in May.", "politician"),
        ("It rained on mill bank governor Ada Orr.", "official"),
        ("Ada Orr, a corporate vice president of the mill, left.", "representative"),
        ("It rained on Harrow boss Ada Orr.", "representative"),
        ("Orr’s 2015 Senate campaign was late.", "politician"),
        ("Orr’s 2015 smear campaign was late.", "other"),
        ("Ada Orr, from the Lamp Trust, left.", "representative"),
        ("Ada Orr, from the Lamp University, left.", "expert"),
        ("Ada Orr, a student at the Lamp Trust, left.", "other"),
    ],
)
def test_who_seeks_or_had_an_office_is_a_politician(tmp_path: Path, words: str, role: str) -> None:
    own = Own(tmp_path / "own", words, "“It is late,” Ada Orr said.")
    assert f"    role: {role}\n" in own.record("ada-orr")


@pytest.mark.parametrize("said", ["Research shows that it was shut.", "A new poll shows that it was shut."])
def test_a_document_represents_nobody(tmp_path: Path, said: str) -> None:
    assert "    role: other\n" in Own(tmp_path / "own", said).record("speaker-1")
