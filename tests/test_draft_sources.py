"""The source of each drafted statement, where it is no name before a verb: a name and a colon, who reports what another
said, a document, and those who belong to a person.
"""

from __future__ import annotations

import re

import pytest
import yaml

from test_first_draft import FILLER, filled


def drafted(said: str) -> list[tuple[str, str, str]]:
    """Give the speaker, the mode and the evidence of each testimony of a draft."""
    found = re.findall(r"speaker: (.*)\n    mode: (.*)\n    evidence: (.*)", filled(FILLER + said))
    return [(speaker, mode, words.strip('"')) for speaker, mode, words in found]


@pytest.mark.parametrize(
    ("said", "speakers"),
    [
        ("Ada Orr and Ben Pelt met.\n\nPelt: “It is shut.”\n\nOrr: “It is old.”", ["ben-pelt", "ada-orr"]),
        ("Ada Orr and Ben Pelt met. Pelt: “It is shut.” Orr: “It is old.”", ["ben-pelt", "ada-orr"]),
        ("Ada Orr and Ben Pelt met.\n\nBen Pelt (D-Ohio): “It is shut.”", ["ben-pelt"]),
        ("Ada Orr and Ben Pelt met.\n\nPelt, a miller: “It is shut.”", ["who"]),
        ('Ada Orr "praised" Ben Pelt, but said it is old.', ["ada-orr"] * 2),
        ('The plan of Ada Orr was dismissed as "old" by Ben Pelt.', ["ben-pelt"]),
        ("Ada Orr met Ben Pelt.\n\nPELT: “It is shut.”", ["ben-pelt"]),
        ("Ada Orr and Ben Pelt met.\n\nPelt: “It is shut,” Orr said.", ["ada-orr"]),
        ("Ada Orr and Ben Pelt met.\n\nSlogan: “It is shut at last.”", ["who"]),
    ],
)  # fmt: skip
def test_a_quotation_after_a_name_and_a_colon_is_by_the_one_named(said: str, speakers: list[str]) -> None:
    assert [speaker for speaker, _, _ in drafted(said)] == speakers


def test_a_paragraph_of_a_transcript_is_by_the_name_in_capitals_before_it() -> None:
    transcript = "Ada Orr met Ben Pelt.\nPELT: It is shut, and I know it.\nADA ORR: It is old."
    said = [("ben-pelt", "direct", "It is shut, and I know it."), ("ada-orr", "direct", "It is old.")]
    assert drafted(transcript) == said
    assert drafted("Ada Orr met Ben Pelt.\nUPDATE: It is shut.\nPELT: It is old.") == []
    assert drafted("Ada Orr met Ben Pelt.\nPELT: It is shut.") == [], "one line is no transcript"


@pytest.mark.parametrize(
    ("said", "speaker", "evidence"),
    [
        ("The mill will close, says Ada Orr, according to Ben Pelt.", "ada-orr", "The mill will close, says Ada Orr"),
        ("“It is shut,” Ada Orr said, according to the Harrow Post.", "ada-orr", "It is shut,"),
        ("Ada Orr said, according to Ben Pelt, that it was shut.", "ada-orr",
         "Ada Orr said, according to Ben Pelt, that it was shut."),
        ("Ada Orr said that it was shut, according to Ben Pelt.", "ben-pelt",
         "Ada Orr said that it was shut, according to Ben Pelt."),
        ("The mill will close, hopes Ada Orr, according to Ben Pelt.", "ben-pelt",
         "The mill will close, hopes Ada Orr, according to Ben Pelt."),
    ],
)  # fmt: skip
def test_who_reports_a_statement_is_no_speaker_of_its_words(said: str, speaker: str, evidence: str) -> None:
    [(found, _, words)] = drafted(said)
    assert (found, words) == (speaker, evidence)


def sources(said: str) -> list[str]:
    """Give the kind and the name, or else the mention, of the speaker of each testimony of a draft."""
    draft = filled(FILLER + said)
    found = []
    for speaker in re.findall("speaker: (.*)", draft):
        entry = re.search(rf"- id: {speaker}\n    draft: true\n    kind: (\w+)[\s\S]*?(?:name|evidence): (.*)", draft)
        found.append(f"{entry[1]} {entry[2]}".replace('"', "") if entry else speaker)
    return found


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("A Harrow poll shows that it is shut.\n\nIt rained.\n\nThe survey found that it is old.",
         ["institution Harrow poll"] * 2),
        ("A poll was out. It rained. The poll found that it is shut.", ["institution poll"]),
        ("A new report shows that it is shut.\n\nAn old report says it is old.\n\nThe report adds that it fell.",
         ["institution new report", *["institution old report"] * 2]),
        ("Court documents show that it is shut.", ["institution Court"]),
        ("The Harrow Lamp Fund (HLF) said that it was shut.\n\nIt rained.\n\nHLF said that it is old.",
         ["institution Harrow Lamp Fund"] * 2),
        ("Grain records show that it is shut.", ["institution Grain records"]),
        ("It is shut, according to one of his ads.", ["institution one of his ads"]),
        ("It is shut, according to a\u00a0poll.", ["institution poll"]),
        ("It is shut, according to the  poll.", ["institution poll"]),
        ("New research has found fewer millers over 60 stay.", ["institution New research"]),
        ("Two old millers found fewer lamps over time.", []),
        ("Research by Harrow University suggests it is shut.", ["institution Harrow University"]),
        ("The Harrow Academy of Lamps (HAL) said that it was shut.", ["institution Harrow Academy of Lamps"]),
        ("A study by the Lamp Bank and Pelt found it is shut.", ["group Lamp Bank and Pelt"]),
        ("A study by the Lamp Net and Mill Project found it is shut.", ["institution Lamp Net and Mill Project"]),
        ("A study by the Ministry of Lamps and Oil found it is shut.", ["institution Ministry of Lamps and Oil"]),
        ("Figures from the Lamp Bank show it is shut.", ["institution Lamp Bank"]),
        ("It is shut, according to new figures.", ["institution new figures"]),
        ("The Association of Harrow Millers said it was shut.", ["institution Association of Harrow Millers"]),
        ("The Harrow Democrat said it was shut.", ["person The Harrow Democrat"]),
        ("Most of those questioned said it was shut.", ["group Most of those questioned"]),
        ("A clerk’s letter said that it was shut.", ["who"]),
        ("The state’s report said that it was shut.", ["institution state’s report"]),
        # what is no speech, and what says nothing
        ("The old law appears to hurt the mill, the millers said.", ["group the millers"]),
        ("The report lists “the old mills” of Harrow.", ["who"]),
    ],
)  # fmt: skip
def test_a_document_without_an_author_is_a_speaker_of_its_own(said: str, expected: list[str]) -> None:
    assert sources(said) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("22 percent of the miners said that it was shut.", ["group 22 percent of the miners"]),
        ("A third of miners, 33%, say that it was shut.", ["group A third of miners"]),
        ("Nearly nine out of 10 say that it was shut.", ["group nine out of 10"]),
        ("12 percent said that it was shut. It rained. Only 22 percent of clerks said that it was old.",
         ["group 12 percent", "group 22 percent of clerks"]),
        ("Of the miners, 42% say that it was shut.", ["group 42%"]),
        ("A majority of miners said that it was shut.", ["group A majority of miners"]),
        ("Minority miners said that it was shut.", ["group Minority miners"]),
        ("Some 87% of the 1,000 clerks quizzed by Orr said it was shut.", [
            "group Some 87% of the 1,000 clerks quizzed by Orr"]),
        ("Half those miners polled said it was shut.", ["group Half those miners polled"]),
        ("According to the Harrow Times 44% of lamps are old.", ["institution Harrow Times"]),
        ("The remaining 33% said it was shut.", ["group The remaining 33%"]),
        ("The 22 lamps of Harrow burned, but 22 percent of grain fell, Ada Orr said.", ["person Ada Orr"]),
    ],
)  # fmt: skip
def test_a_share_of_persons_is_a_group_of_its_own(said: str, expected: list[str]) -> None:
    assert sources(said) == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Pelt’s family said that it was shut.", ["group Pelt’s family"]),
        ("The family of Pelt said it was shut.", ["group The family of Pelt"]),
        ("Orr’s family said it fell.\n\nPelt’s family said it rose.", ["group Orr’s family", "group Pelt’s family"]),
        ("Ben Pelt’s lawyer said that it was shut.", ["person Ben Pelt’s lawyer"]),
        ("A spokesman for Pelt said it was shut.", ["person A spokesman for Pelt"]),
        ("Pelt’s campaign said in a statement that it was shut.", ["institution Pelt’s campaign"]),
    ],
)  # fmt: skip
def test_those_who_belong_to_a_person_are_speakers_of_their_own(said: str, expected: list[str]) -> None:
    assert sources(f"Ben Pelt left. He was late.\n\n{said}") == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Four inns said that it was shut.", ["group Four inns"]),
        ("Old charities fear for it, saying that it was shut.", ["group Old charities"]),
        ("The Treasury said that it was shut.", ["institution Treasury"]),
        ("The Harrow Executive said that it was shut.", ["institution Harrow Executive"]),
        ("The SNP’s Ada Orr said that it was shut.", ["person Ada Orr"]),
        ("Tory Adam Orr said that it was shut.", ["person Adam Orr"]),
        ("Data by lamp firm HitWise show that it was shut.", ["institution HitWise"]),
        ("The Harrow MEP said that it was shut.", ["person The Harrow MEP"]),
        ("Two Harbour Committees on Monday said that it was shut.", ["group Two Harbour Committees"]),
        ("Several old Harbour Boards said that it was shut.", ["group Several old Harbour Boards"]),
        ("The Two Mills Union said that it was shut.", ["institution Two Mills Union"]),
        ("Those surveyed said that it was shut.", ["group Those surveyed"]),
        ("The frays hurt the mill, vowing that it would burn.", ["who"]),
        ("Others in Harrow said that it was shut.", ["group Others in Harrow"]),
        ("Others said that it was shut.", ["group Others"]),
        ("A group of millers sent a letter to Orr urging her to stay.", ["group A group of millers"]),
    ],
)  # fmt: skip
def test_a_plural_before_a_verb_of_speech_is_a_group(said: str, expected: list[str]) -> None:
    assert sources(said)[:1] == expected


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("Milo Arden, a miller, left Harrow.\n\nThe billionaire said it was shut.", "person Milo Arden"),
        ("“No,” Mr. Arden said. Milo Arden left Harrow. The billionaire said it was shut.", "person Milo Arden"),
        ("Milo Arden, a miller, met Ada Orr, a clerk. “No,” Orr said.\n\nThe billionaire said it was shut.", "who"),
        ("“No,” said Mayor Milo Arden, a miller.\n\nThe governor said it was shut.", "who"),
        ("Milo Arden, a miller, left.\n\nIt rained.\n\nThe billionaire said it was shut.", "person The billionaire"),
        ("“No,” said Ada Orr.\n\nMilo Arden, a miller, left. The billionaire said it was shut.", "person Milo Arden"),
        ("“No,” said Milo Arden, a miller.\n\nA candidate left. The candidate said it fell.", "person Milo Arden"),
        ("“No,” said Ada Orr.\n\nMilo Arden, a miller, left.\n\nThe boy said it was shut.", "who"),
        ("Milo Arden, a miller, left.\n\nThe Tory leader said it was shut.", "person Milo Arden"),
        ("Milo Arden, a miller, left.\n\nThe 31-year-old said it was shut.", "person Milo Arden"),
        ("Lamp Minister Ada Orr left.\n\nIt rained.\n\nThe Lamp Minister said it was shut.", "person Ada Orr"),
        ("The Prime Minister said it was shut.", "person The Prime Minister"),
        ("A guide for Lamps said it rained.\n\nThe Lamps guide said it fell.", "person A guide for Lamps"),
        ("A Ministry of Lamps guide said it was shut.", "person A Ministry of Lamps guide"),
        ("Harrow DJ Ada Orr said it was shut.", "person Ada Orr"),
        ("Ben Pelt left. A guide at Lamps, Alice Orr, left. “No,” she said.", "person Alice Orr"),
    ],
)  # fmt: skip
def test_another_description_means_the_only_person_near_it(said: str, expected: str) -> None:
    assert sources(said)[-1] == expected


def test_it_before_a_verb_of_speech_is_not_the_person_who_spoke_last() -> None:
    said = "A new report shows that it is shut. “No,” Ada Orr said. It says that the mill is old."
    assert sources(said) == ["institution new report", "person Ada Orr", "who"]


@pytest.mark.parametrize(
    ("said", "speaker"),
    [
        ("A statement posted on the website LampBroker.com said the mill was shut.", "lampbroker-com"),
        ("An email sent Monday by the Lamp Union said the mill was shut.", "lamp-union"),
        ("A post on the Lamp Union’s Facebook page said the mill was shut.", "lamp-union"),
        ("Ada Orr met Pelt. A message posted on Ada Orr’s website said the mill was shut.", "ada-orr"),
        ("The Lamp Union met. A statement said the mill was shut.", "who"),
        ("A letter obtained by the Lamp Union said the mill was shut.", "who"),
        ("A report obtained by the Lamp Union said the mill was shut.", "speaker-1"),
    ],
)
def test_a_statement_or_a_letter_is_by_whom_the_words_name_and_no_speaker_itself(said: str, speaker: str) -> None:
    assert [found for found, _, _ in drafted(said)] == [speaker]


@pytest.mark.parametrize(
    ("said", "speaker"),
    [
        ("According to Ada Orr, Pelt told the keeper that it was shut.", "ada-orr"),
        ("According to Ada Orr, two clerks told the keeper that it was shut.", "ada-orr"),
        ("According to the Harrow Post, Ada Orr told the keeper that “it is shut.”", "ada-orr"),
        ("It burned, according to Ada Orr, and Pelt said that it was shut.", "speaker-1"),
    ],
)
def test_what_others_say_according_to_a_source_is_said_by_the_source(said: str, speaker: str) -> None:
    assert [found for found, _, _ in drafted(said)][-1:] == [speaker]


@pytest.mark.parametrize(
    ("said", "words", "reason"),
    [
        ("“It is shut,” said a miller, who {}.", "asked that his name not be printed", "not_stated"),
        ("A woman who {} said that it is shut.", "would not give her name", "not_stated"),
        ("A keeper who {} said that it is shut.", "declined to be identified", "not_stated"),
        ("“It is shut,” said a keeper, {}.", "speaking on condition of anonymity", "not_stated"),
        ("A keeper who {} said that it is shut.", "did not want to be named for fear", "fear_of_reprisal"),
        ("A man {}, said that it is shut.", "not authorized to talk, who spoke anonymously", "told_not_to_talk"),
        ("“It is shut,” said a keeper who {} by name because he rows.", "asked not to be quoted", "other"),
        ("“It is shut,” said a keeper, {} to talk freely.", "speaking on condition of anonymity", "other"),
        ("A keeper who {} said that it is shut because it is old.", "asked not to be named", "not_stated"),
    ],
)
def test_who_did_not_want_to_be_named_is_drafted_as_withheld(said: str, words: str, reason: str) -> None:
    [speaker] = yaml.safe_load(filled(FILLER + said.format(words)))["speakers"]
    assert (speaker["anonymity"], speaker["request"]) == ("withheld", reason)
    assert speaker["mentions"][0]["attested_by"] == {"request": words}


@pytest.mark.parametrize(
    ("said", "drafted_words"),
    [
        ("“It is shut,” said a miller from Harrow, who asked not to be named because he rows.", ["It is shut,"]),
        ("“It is shut,” a miller said. He requested anonymity for fear of the mill.", ["It is shut,"]),
        ("“It is shut,” said a miller, who asked the keeper not to be late.",
         ["It is shut,", "who asked the keeper not to be late"]),
    ],
)  # fmt: skip
def test_a_request_not_to_be_named_is_no_testimony(said: str, drafted_words: list[str]) -> None:
    assert [words for _, _, words in drafted(said)] == drafted_words


@pytest.mark.parametrize(
    "said",
    [
        "A lawyer who wants to be named judge said that it is shut.",
        "A keeper who asked to be named said that it is shut.",
        "A keeper who did not ask for anonymity said that it is shut.",
        "A miller said that it is shut, and a keeper, who asked not to be named, left.",
    ],
)
def test_who_did_not_ask_that_is_not_drafted_as_withheld(said: str) -> None:
    [speaker] = yaml.safe_load(filled(FILLER + said))["speakers"]
    assert (speaker["anonymity"], "request" in speaker) == ("unnamed", False)


def test_who_is_only_without_a_name_is_unnamed() -> None:
    [unnamed] = yaml.safe_load(filled(FILLER + "“It is shut,” said a keeper who gave us his name."))["speakers"]
    assert unnamed["anonymity"] == "unnamed"
    assert "request" not in unnamed


@pytest.mark.parametrize(
    ("said", "speaker", "evidence"),
    [
        ("Ada Orr (R-Utah) and Miller Ben Pelt (D-Ohio) sent a letter to Mia Vane, asking her to leave.",
         "group Ada Orr (R-Utah) and Miller Ben Pelt", "asking her to leave"),
        ("Ada Orr wrote to the bank, asking it to probe claims Ben Pelt made during the fire.",
         "person Ada Orr", "Ada Orr wrote to the bank, asking it to probe claims Ben Pelt made during the fire"),
        ("The lamp is backed by 20 millers, demanding that it burn.", "group 20 millers", "demanding that it burn"),
    ],
)  # fmt: skip
def test_what_a_letter_asks_for_is_asked_by_who_sent_it(said: str, speaker: str, evidence: str) -> None:
    assert sources(said)[-1] == speaker
    assert drafted(said)[-1][-1] == evidence


def test_the_words_of_a_plan_begin_with_the_word_that_denies_it_and_have_no_stance() -> None:
    text = (
        "Ada Orr has plans to sell the mill. Orr has no plans to shut it. Ben Pelt, a miller, has no plans to sell it."
    )
    said = ["Ada Orr has plans to sell the mill.", "no plans to shut it", "no plans to sell it"]
    assert [words for _, _, words in drafted(text)] == said
    assert filled(FILLER + text).count("stance:") == 1


@pytest.mark.parametrize(
    ("said", "speaker"),
    [
        ("Tories, Lib Dems and some Labour MPs say it is shut.", "group Tories, Lib Dems and some Labour MPs"),
        ("Today Orr left. But Harrow, Rome and the Netherlands want lamps.", "group Harrow, Rome and the Netherlands"),
        ("It is shut, say Tories, Lib Dems and some keepers.", "group Tories, Lib Dems and some keepers"),
        ("In Harrow, Ada Orr and Ben Pelt said it is shut.", "group Ada Orr and Ben Pelt"),
        ("Last month, millers and keepers said it is shut.", "group millers and keepers"),
        ("It is shut, figures from the regulator Harrow show.", "institution Harrow"),
        ("It is shut, according to research by lamp analysts the Mill Group.", "institution Mill Group"),
        ("It is shut, according to research from a Harrow bank.", "institution research"),
        ("A number of millers have said it is shut.", "group A number of millers"),
        (
            "Millers in the opposition and civil keepers said it is shut.",
            "group Millers in the opposition and civil keepers",
        ),
        ("Nearly half (54%) of those asked in a poll for Harrow said it is shut.", "group half (54%) of those asked"),
        ("The top Catholic in Harrow said it is shut.", "person The top Catholic"),
        ("Early estimates put the loss at $12.", "institution Early estimates"),
        ("Forecasts predict that it will burn.", "institution Forecasts"),
        ("It burned, a move millers say should help.", "group millers"),
        ("It was a mistake the keeper said would cost her.", "person the keeper"),
        ("They found a bag the owner said was old.", "person the owner"),
    ],
)
def test_a_list_is_one_group_and_a_body_the_source_of_what_it_publishes(said: str, speaker: str) -> None:
    assert sources(said) == [speaker]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("Ada Orr opposed the plan, saying it was old.", ["Ada Orr opposed the plan, saying it was old"]),
        ("Ada Orr said it was shut, adding that it burned. She left.",
         ["Ada Orr said it was shut, adding that it burned"]),
        ("Ada Orr said it was shut, having earlier said it was old.",
         ["Ada Orr said it was shut", "having earlier said it was old"]),
        ("Ada Orr denied the claim, saying it was old.", ["Ada Orr denied the claim", "saying it was old"]),
        ("Ada Orr warned of fog - a danger - in Rome, and left.", ["Ada Orr warned of fog - a danger - in Rome"]),
        ("That said, mills are dear.", []),
        ("Ada Orr echoed those comments.", []),
        ("Her words were echoed by Ada Orr.", []),
        ("Ada Orr echoed calls for a mill.", ["Ada Orr echoed calls for a mill."]),
        ("Ada Orr is likely to oppose the mill.", []),
        ("Ada Orr added 12 lamps.", []),
        ("Ada Orr added 12 lamps had been lit.", ["Ada Orr added 12 lamps had been lit."]),
        ("It burned, a move Ada Orr said would help.", ["a move Ada Orr said would help"]),
        ("It is a step the keepers say will help.", ["It is a step the keepers say will help."]),
        ("Sunday Mirror miller Ada Orr said it was old.", ["Sunday Mirror miller Ada Orr said it was old."]),
        ("The Roman touring giant said it was old.", ["The Roman touring giant said it was old."]),
        ('The plan was dismissed as "old" by Ada Orr.', ['The plan was dismissed as \\"old\\" by Ada Orr.']),
        ("The mill will shut, Ada Orr forecast.", ["The mill will shut, Ada Orr forecast."]),
    ],
)  # fmt: skip
def test_a_participle_goes_on_with_a_statement_and_what_repeats_others_is_none(said: str, words: list[str]) -> None:
    assert [evidence for _, _, evidence in drafted(said)] == words


@pytest.mark.parametrize(
    ("said", "speaker"),
    [
        ("The firm said it was old.", "institution Harrow Lamps"),
        ("The lamp firm said it was old.", "institution Harrow Lamps"),
        ("The company named in it said it was old.", "who"),
        ("Orr’s company said it was old.", "who"),
    ],
)
def test_the_firm_is_that_of_which_the_article_is(said: str, speaker: str) -> None:
    about = "At last Harrow Lamps has shut. Harrow Lamps burned. Harrow Lamps is old.\n\n"
    assert sources(about + said) == [speaker]


def test_a_body_is_named_after_what_it_studies_and_no_outlet_is_what_has_only_its_name() -> None:
    assert sources("The Bureau of Lamp Research said it was old.") == ["institution Bureau of Lamp Research"]
    for outlet, cited in (("Yahoo", []), ("Yahoo News", ["Yahoo News"])):
        drafted = yaml.safe_load(filled(f"The Mill\n\nAda Orr told {outlet} it was late. It rained."))
        assert drafted["source"].get("cited_outlets", []) == cited
