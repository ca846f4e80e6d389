"""The testimonies that are proposed for what an article reports that persons said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from defectors_data.annotators.proposals.attributions import attributed_words
from defectors_data.annotators.proposals.statements import possible_statements, statements
from defectors_data.text.attributions.proposed import proposed_attributions
from test_first_draft import FILLER, filled
from test_proposals import drafted


@pytest.mark.parametrize(
    ("said", "possible"),
    [
        ("The mill is expected to close.", ["The mill is expected to close."]),
        ("Ada Orr said that the mill is expected to close.", []),
        ("The mill stood near the river.", []),
        ("Ada Orr left Rome, seeking a loan.", ["seeking a loan"]),
        ("They left Rome, seeking a loan.", []),
        ("Ada Orr left Rome, saying that it burned.", []),
        # a survey counts them
        ("Now one in three are concerned that it burned.", ["one in three are concerned that it burned"]),
        ("Of these, 25% were planning to leave.", ["25% were planning to leave"]),
        ("Of these, 25% believe that it burned.", []),
        ("A Harrow Times poll shows Ada Orr leading in Rome.", []),
        ("It is clear that it burned.", ["It is clear that it burned."]),
        ("Ada Orr is clear that it burned.", []),
        ("The letter suggests that it burned.", []),
        ("The miller suggests that it burned.", []),
        ("“It is old,” Ada Orr said, referring to Pelt, a miller.", ["referring to Pelt"]),
    ],
)
def test_a_possible_statement_is_no_draft_and_is_marked(tmp_path: Path, said: str, possible: list[str]) -> None:
    _, document = drafted(tmp_path, f"The Mill\n\n{said}\n")
    assert [document.text[slice(*each)] for each in possible_statements(document)] == possible


def test_a_source_quoted_between_commas_is_part_of_the_statement_around_it(tmp_path: Path) -> None:
    said = "Ada Orr, citing data from a mill, said that the dam is shut."
    _, document = drafted(tmp_path, f"The Mill\n\n{said}\n")
    spans = [span for spans in statements(document) for span in spans]
    assert [document.text[slice(*span)] for span in spans] == [said]


@pytest.mark.parametrize(
    ("sentence", "proposed"),
    [
        ("Ada Orr, 36, a miller, said that it was shut.", '["Ada Orr", "said"]'),
        ("Ada Orr praised the dam, and left, adding that it was old.", '["Ada Orr", "adding"]'),
        ("Ada Orr said that it was shut.", '"Ada Orr said"'),
        ("Current and former officials said that it was shut.", '"Current and former officials said"'),
        ("Fenn and Salt supporters, who met, said that it was shut.", '["Fenn and Salt supporters", "said"]'),
        ("Rain and former officials said that it was shut.", '"former officials said"'),
        ("Ada Orr, saying that it was shut, left.", '"Ada Orr, saying"'),
    ],
)
def test_an_attribution_has_the_name_and_the_verb_in_parts_if_words_are_between_them(
    sentence: str, proposed: str
) -> None:
    assert f"attribution: {proposed}\n" in filled(FILLER + sentence)


@pytest.mark.parametrize(
    ("sentence", "mode"),
    [
        ("Ada Orr wants to shut the mill.", "indirect"),
        ("Ada Orr opposed the plan.", "indirect"),
        ("Ada Orr is in favor of the plan.", "indirect"),
        ("Ada Orr, who vetoed the plan, left.", "indirect"),
        ("Ada Orr does not want the mill to shut.", "indirect"),
        ("Ada Orr sought to shut the mill.", "narrated"),
        ("Ada Orr realized that it was shut.", "narrated"),
        ("Ada Orr loved the mill.", "narrated"),
        ("Ada Orr was confident that it was shut.", "narrated"),
        ("Ada Orr was clear that it was shut.", "narrated"),
        ("Ada Orr wants to make clear that it was shut.", "indirect"),
        ("Ada Orr has made it clear that it was shut.", "indirect"),
        ("Ada Orr made clear Monday it was shut.", "indirect"),
        ("Ada Orr hoped that it was shut.", "indirect"),
        ("Ada Orr belittled the plan.", "indirect"),
        ("Ada Orr criticized the plan.", "indirect"),
    ],
)
def test_an_act_or_an_inner_state_is_narrated_and_what_is_said_wanted_or_rejected_is_indirect(
    sentence: str, mode: str
) -> None:
    assert f"mode: {mode}\n" in filled(FILLER + sentence)


@pytest.mark.parametrize(
    ("sentence", "statements_in_it"),
    [
        (
            "Ada Orr, senior adviser for mills at the Bank for Grain in Rome, said millers want it.",
            ["Ada Orr, senior adviser for mills at the Bank for Grain in Rome, said millers want it."],
        ),
        ("Ada Orr urged a halt in July.", ["Ada Orr urged a halt in July."]),
        ("HARROW (AP) ― Ada Orr said it was shut.", ["Ada Orr said it was shut."]),
        ("The mill – Ada Orr said it was shut.", ["Ada Orr said it was shut"]),
        ("Ada Orr urged a halt in Rome.", ["Ada Orr urged a halt in Rome."]),
        ("Ada Orr noted it still had the name written on it.", ["Ada Orr noted it still had the name written on it."]),
        ("Ada Orr has written on it.", ["Ada Orr has written on it."]),
        ("Ada Orr said it was old, and insisted it burned.", ["Ada Orr said it was old", "insisted it burned"]),
        ("Ada Orr left, citing the law.", ["citing the law"]),
        ("Ada Orr left despite the admitting miller.", []),
        ("Ada Orr left Rome with 300 pledged lamps and went to states with mills.", []),
        ("Ada Orr won in states like Harrow.", []),
        ("Ada Orr states that it was old.", ["Ada Orr states that it was old."]),
        ("It was the third time Ada Orr said it was shut.", ["Ada Orr said it was shut"]),
        ("The town released a letter on Friday saying it was shut.", ["saying it was shut"]),
        ("Ada Orr made the glass clear.", []),
        ("Ada Orr argued that it burned, saying it was old.", ["Ada Orr argued that it burned", "saying it was old"]),
        (
            "Ada Orr criticized the plan in May, saying Pelt was committed to it.",
            ["Ada Orr criticized the plan in May", "saying Pelt was committed to it"],
        ),
        ("Ada Orr left Rome, angry that it burned.", ["angry that it burned"]),
        ("Ada Orr told Mill News 24 the news was “fine”.", ["Ada Orr told Mill News 24 the news was “fine”."]),
        ("It was a prize for Ada Orr, 49, who told Ben Pelt she had left.", ["who told Ben Pelt she had left"]),
        ("They had sold it, at least in May, said Ada Orr.", ["They had sold it, at least in May, said Ada Orr."]),
        ("“It is old,” assured Ada Orr.", ["It is old,"]),
        ("It rained, as she assured us it was shut.", ["she assured us it was shut"]),
        ("Millers want to make sure it is open.", ["Millers want to make sure it is open."]),
        ("Ada Orr warned of a fall in full year sales.", ["Ada Orr warned of a fall in full year sales."]),
        ("Press reports suggest it is old.", ["Press reports suggest it is old."]),
        ("It is a fact that should be known, she said.", ["It is a fact that should be known, she said."]),
        ("By contrast an old Harrow report found that it was shut.", ["an old Harrow report found that it was shut"]),
        ("It is old, warns network monitoring firm Orr.", ["It is old, warns network monitoring firm Orr."]),
        ("According to Orr Mill figures, it was shut.", ["According to Orr Mill figures, it was shut."]),
        ("Ada Orr left, citing evidence the mill was shut.", ["citing evidence the mill was shut"]),
        ("Ada Orr said it is as good as could be expected.", ["Ada Orr said it is as good as could be expected."]),
        ("It burned, with critics labelling it a “bad” mill.", ["labelling it a “bad” mill"]),
        ("Ada Orr accused Pelt, a miller, of theft.", ["Ada Orr accused Pelt, a miller, of theft."]),
        ("Ada Orr was quoted in the Post saying: “It is old.”", ["It is old."]),
        ("Ada Orr cited lamps who left when it burned.", ["Ada Orr cited lamps who left when it burned."]),
        ("It rewards new writing across fiction, in a mill called Barn.", []),
        ("It is for millers who want to leave.", []),
        ("Ada Orr added a mill, showed off its lamps and called in the police.", []),
        ("By May, millers will be old, said Ada Orr.", ["By May, millers will be old, said Ada Orr."]),
        ("It fell as millers feared the fire.", ["millers feared the fire"]),
        ("Ada Orr was found guilty of theft, and millers find it hard to leave.", []),
        ("Guards tried to find it, raiding the mill.", []),
        ("There was no suggestion Ada Orr opposes it in May.", []),
        ("Millers would have to show that it was shut.", []),
        ("For some, that means showing that it is open.", []),
        ("The plan, which the miller thought was old, burned.", ["which the miller thought was old"]),
        ("The plan, which Ada Orr said was old, was shut.", ["which Ada Orr said was old"]),
        ("“Where is the fun?” they pondered in May.", ["Where is the fun?"]),
        ("A poll suggested lamps, unlike mills, are old.", ["A poll suggested lamps, unlike mills, are old."]),
        (
            "It will not be revealed until a bill is out “next week,” Ada Orr said.",
            ["It will not be revealed until a bill is out “next week,” Ada Orr said."],
        ),
        ("Orr argued for access rules, rather than “lamps”.", ["Orr argued for access rules, rather than “lamps”."]),
        ("Ada Orr said it had, for now, been sticking to it.", ["Ada Orr said it had, for now, been sticking to it."]),
        ("It has lamps, called glims, in Rome.", []),
        ("With 12 lamps, the mill, says Mr Orr, could burn.", ["With 12 lamps, the mill, says Mr Orr, could burn."]),
        ("The Harrow Post has committed itself to “universal, affordable and flexible” lamps.", [
            "The Harrow Post has committed itself to “universal, affordable and flexible” lamps."]),
        ("Mr Orr’s sentiments were echoed by Ada Pelt.", []),
        ("Orr is keen to offer more powerful and sophisticated lamps in Rome.", [
            "Orr is keen to offer more powerful and sophisticated lamps in Rome."]),
        ("Ada Orr prepared reports that could hurt Pelt.", []),
        ("Ada Orr prepared a report that it was shut.", []),
        (
            "Ada Orr left, according to a report from the mill to be released in May.",
            ["Ada Orr left, according to a report from the mill"],
        ),
        ("Millers reply that it is old.", ["Millers reply that it is old."]),
        ("Two years ago, a miller’s reply reported that it is old.", ["a miller’s reply reported that it is old"]),
        ("“It is old,” Ada Orr said, according to Reuters, during an answer to a question.", ["It is old,"]),
        ("Ada Orr said it was shut in an apparent fire.", ["Ada Orr said it was shut in an apparent fire."]),
        ("Ada Orr said it was shut, ending the party.", ["Ada Orr said it was shut, ending the party."]),
        ("Ada Orr shut the mill on Friday and  said it was old.", ["said it was old"]),
    ],
)  # fmt: skip
def test_a_statement_begins_with_its_subject_or_verb_and_has_all_that_is_said(
    tmp_path: Path, sentence: str, statements_in_it: list[str]
) -> None:
    _, document = drafted(tmp_path, FILLER + sentence)
    spans = [span for spans in statements(document) for span in spans]
    assert [document.text[slice(*span)] for span in spans] == statements_in_it


@pytest.mark.parametrize(
    ("sentence", "proposed"),
    [
        (
            "“It is shut,” Ada Orr said on NBC’s “Meet the Mill.” “It burned.”",
            'evidence: ["It is shut,", "It burned."]',
        ),
        ("“It is shut,” Ada Orr said on NBC’s “Meet the Mill.”", "reason: title\n"),
        ("“It is shut,” Ada Orr said on Friday. “Meet the Mill.”", 'evidence: ["It is shut,", "Meet the Mill."]'),
        ("Each tag - “open door” - was read.", "reason: term\n"),
        ("The old “door.”\n\nThey call it a “mill” now.", "mode: direct\n"),
        ("An “Open door” effect was old.", "reason: term\n"),
        ("It was marked 1 <tag id=“4711”> by hand.", "reason: detector_error\n"),
        ("They waved “Open Doors” and left.", "reason: term\n"),
        ("Their slogan was “Open Doors” in Rome.", "mode: direct\n"),
        ("Each tag - “Open the door” - was read.", "mode: direct\n"),
    ],
)
def test_the_title_of_a_broadcast_and_a_short_phrase_that_nobody_says_are_waived(sentence: str, proposed: str) -> None:
    assert proposed in filled(FILLER + sentence)


@pytest.mark.parametrize(
    ("sentence", "drafts"),
    [
        (
            "Ada Orr said it burned for days - “I saw it burn,” she said twice - and blamed the dam.",
            [["Ada Orr said it burned for days"], ["I saw it burn,"], ["blamed the dam"]],
        ),
        (
            "Ada Orr said it burned, to which Pelt replied: “It is not true.”",
            [["Ada Orr said it burned"], ["It is not true."]],
        ),
        ("Ada Orr said it was old: “It must go.”", [["Ada Orr said it was old"], ["It must go."]]),
        ("Ada Orr said it was “so old.”", [["Ada Orr said it was “so old.”"]]),
        ("Millers shouted “Stop the mill” as Orr left.", [["Stop the mill"]]),
        ("Millers blasted “the mill” as too old.", [["Millers blasted “the mill” as too old."]]),
        ("Ada Orr replied to the bank by saying, “We left.”", [["We left."]]),
        ("A prize came from Ada Orr, who declared in Rome, “We left.”", [["We left."]]),
        ("Millers replied with chants of “We are here”", [["We are here"]]),
        ("Millers gathered, chanting “We are here” after the fire.", [["We are here"]]),
        ("Questions rained: “Is it shut?” . . . “Is it old?”", [["Is it shut?", "Is it old?"]]),
        ("“We left,” Ada Orr said on Friday. “It burned.”", [["We left,", "It burned."]]),
        ("“We left,” said Ada Orr, who saw “the end of all the mills.”", [["We left,"], ["the end of all the mills."]]),
        ("“Why did we leave?” They replied, “It burned.”", [["Why did we leave?"], ["It burned."]]),
        ("He says it burned at 7 p.m. He says “we left.”", [["He says it burned at 7 p.m."], ["we left."]]),
    ],
)  # fmt: skip
def test_a_quoted_sentence_is_a_statement_apart_from_reported_words(
    tmp_path: Path, sentence: str, drafts: list[list[str]]
) -> None:
    _, document = drafted(tmp_path, FILLER + sentence)
    assert [[document.text[slice(*span)] for span in spans] for spans in statements(document)] == drafts


def test_what_a_crowd_chants_is_no_title() -> None:
    text = filled(FILLER + "She came to chants of “Mill! Mill!,” and Ada Orr said that it rained.")
    assert "reason: title" not in text


@pytest.mark.parametrize(
    ("sentences", "drafted_words", "head"),
    [
        ("“It burned,” Ada Orr said, according to the Daily Caller.", "It burned,", "Ada Orr"),
        ("A statement posted on X said it burned.", None, "A statement"),
        ("The office posted a letter that said it burned.", "that said it burned", "The office"),
    ],
)  # fmt: skip
def test_the_source_of_a_draft_is_who_says_it_to_the_reader(
    tmp_path: Path, sentences: str, drafted_words: str | None, head: str
) -> None:
    _, document = drafted(tmp_path, FILLER + sentences)
    [[span]] = statements(document)
    assert document.text[slice(*span)] == (drafted_words or sentences)
    found = attributed_words(document).attribution_of(span)
    assert found
    assert found.source
    assert document.text[slice(*found.source.head)] == head


def test_a_story_that_is_told_is_no_statement(tmp_path: Path) -> None:
    said = "The story was told by Ada Orr. Pelt scolded the bank for it."
    _, document = drafted(tmp_path, FILLER + said)
    drafts = [document.text[slice(*span)] for spans in statements(document) for span in spans]
    assert drafts == ["Pelt scolded the bank for it."]


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("Ada Orr lied while testifying before guards of the mill in May.", []),
        ("Ada Orr will testify at a hearing on Monday.", []),
        ("Ada Orr testified in May that it burned.", ["Ada Orr testified in May that it burned."]),
        ("Ada Orr testified in May, “It burned.”", ["It burned."]),
        ("“It burned,” Ada Orr testified before the guards.", ["It burned,"]),
        ("The court compared what Ada Orr told the guards with what she told to Ben Pelt.", []),
        ("Ada Orr saw what Ben Pelt said in May.", []),
        ("Ada Orr saw what Ben Pelt told her was a lamp.", ["what Ben Pelt told her was a lamp"]),
        ("The court heard what Ada Orr called a lie.", ["Ada Orr called a lie"]),
    ],
)
def test_words_that_do_not_say_what_was_said_are_no_statement(tmp_path: Path, said: str, statement: list[str]) -> None:
    _, document = drafted(tmp_path, FILLER + said)
    assert [document.text[slice(*span)] for spans in statements(document) for span in spans] == statement


@pytest.mark.parametrize(
    ("said", "stance"),
    [
        ("Ada Orr accused Pelt of arson.", []),
        ("Mayor Ada Orr accused Pelt of arson.", ["accuses"]),
        ("The Harrow Office accused Pelt of arson.", ["accuses"]),
        ("Ada Orr denied that it burned.", ["denies"]),
        ("Ada Orr played down the idea that it burned.", ["doubts"]),
        ("Ada Orr played down the fire.", []),
        ("Ada Orr disputed the notion that it burned.", ["denies"]),
        ("Ada Orr brushed aside reports that it burned.", ["denies"]),
    ],
)
def test_a_verb_denies_a_statement_and_only_an_organisation_or_the_holder_of_an_office_accuses(
    said: str, stance: list[str]
) -> None:
    assert re.findall("stance: (.*)", filled(FILLER + said)) == stance


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        (
            "Orr said that she and the other millers are tired of fires.",
            "that she and the other millers are tired of fires",
        ),
        ("Orr said that Pelt and the millers are tired of fires.", "that Pelt and the millers are tired of fires"),
        ("Orr said that she left and the other millers are tired of fires.", "that she left"),
        ("Orr said the mill guards and police backed the fires.", "the mill guards and police backed the fires"),
        ("Orr said it was late and police backed the fires.", "it was late"),
    ],
)
def test_a_subject_of_several_persons_belongs_to_what_is_said(tmp_path: Path, said: str, statement: str) -> None:
    _, document = drafted(tmp_path, f"The Mill\n\n{said}\n")
    first = attributed_words(document).found[0]
    assert [document.text[slice(*piece)] for piece in first.content] == [statement]


@pytest.mark.parametrize(
    ("said", "speaker"),
    [
        ("Orr left, with the bank saying it is shut.", "the bank"),
        ("Orr left a message with the bank saying it is shut.", "Orr"),
        ("Orr left Rome with his friends, saying it is shut.", "Orr"),
    ],
)
def test_a_participle_after_with_or_despite_has_its_own_subject(tmp_path: Path, said: str, speaker: str) -> None:
    _, document = drafted(tmp_path, f"The Mill\n\n{said}\n")
    [source] = [each.source for each in attributed_words(document).found if each.verb == "saying"]
    words = document.text[slice(*source.head)] if source else ""
    assert words == speaker


@pytest.mark.parametrize(
    ("line", "is_block"),
    [
        ("Ada Orr added:", True),
        ("According to Ada Orr:", True),
        ("In a letter, Ada Orr wrote:", True),
        ("Ada Orr left for three reasons:", False),
        ("Ada Orr said that there are other mills:", False),
        ("Ada Orr added", False),
    ],
)
def test_the_paragraph_after_a_line_that_says_who_speaks_is_a_block_quotation(line: str, is_block: bool) -> None:
    block = "The mill is shut. Ben Pelt said that it burned."
    draft = filled(f"The old pipes burst\n\n{line}\n\n{block}\n\nIt rained.\n")
    found = re.findall(r'speaker: (.*)\n    mode: (.*)\n    evidence: "(.*)"', draft)
    assert (found == [("ada-orr", "direct", block)]) == is_block


@pytest.mark.parametrize(
    ("said", "speakers"),
    [
        ("A poll from the Lamp Center found that it burned.", ["lamp-center"]),
        ("A poll from Monday showed that it burned.", ["speaker-1"]),
        ("The Lamp Union said it would burn. It rained. The rate, it says, is late.", ["lamp-union"] * 2),
        ("Ada Orr has declared Mia Pelt to be late. It rained. She has also called it cold.", ["ada-orr"] * 2),
        ("Ada Orr said it was late. Miller Mia Pelt left. She said it was cold.", ["ada-orr", "mia-pelt"]),
    ],
)
def test_persons_of_groups_publishers_and_subjects_before_are_speakers(said: str, speakers: list[str]) -> None:
    draft = filled(FILLER + said)
    assert re.findall("speaker: (.*)", draft) == speakers
    assert ("members of clerks, many of whom" in draft) == ("of whom" in said)


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("Ada Orr said it was late. She said it was cold. It rained.", [2]),
        ("“It is late,” Ada Orr said Friday. “It is cold,” she added.", [2]),
        ("Ada Orr said clerks were late for that. She said it burned in Rome (again).", [2]),
        ("Ada Orr praised the mill, built in May. But on that day, she also praised the dam.", [2]),
        ("Ada Orr said it was late. As it rained in Rome, she said it was cold.", [1, 1]),
        ("Ada Orr said it was late. It rained. She said it was cold.", [1, 1]),
        ("Ada Orr said it was late.\n\nShe said it was cold.", [1, 1]),
        ("Ada Orr said it was late. Ben Pelt said it was cold.", [1, 1]),
        ("Ada Orr said it was late. “It is cold,” she said.", [1, 1]),
        ("Ada Orr said it was late and denied that it was cold.", [1, 1]),
    ],
)
def test_consecutive_sentences_of_one_speaker_in_one_mode_are_parts_of_one_draft(said: str, parts: list[int]) -> None:
    found = yaml.safe_load(filled(FILLER + said))["testimonies"]
    evidence = [each["evidence"] for each in found]
    assert [len(each) if isinstance(each, list) else 1 for each in evidence] == parts
    assert [each["id"] for each in found] == ["t1", "t2"][: len(parts)]


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("He used an alias with the name “Harrow Windmill,” largely for letters.", ["term"]),
        ('<tweet id="w3" author="orr">The mill is shut.</tweet>', ["detector_error"] * 3),
        ("It rained.\n\n– The mill –.\n\nIt was late.", []),
        ("It rained.\n\n– The mill is old.\n\nIt was late.", ["direct"]),
    ],
)
def test_known_names_and_lines_between_dashes_are_not_spoken(said: str, kept: list[str]) -> None:
    assert re.findall("(?:mode|reason): (.*)", filled(f"The old pipes burst\n\n{said}\n")) == kept


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("Orr, citing a poll, blamed Pelt.", ["Orr, citing a poll, blamed Pelt."]),
        ("Orr, who is happy, says that it is shut.", ["Orr, who is happy, says that it is shut."]),
        ("Orr announced plans Tuesday to leave.", ["Orr announced plans Tuesday to leave."]),
        ("Orr announced plans Tuesday night.", ["Orr announced plans Tuesday night."]),
        ("Orr attacked Pelt and visited the mill.", ["Orr attacked Pelt"]),
        ("Orr left, attacking mills and millers.", ["attacking mills and millers"]),
        ("Orr was asked by a caller why it is shut.", []),
        (
            "In Rome, called the “Old Bell” by millers, the inn, the bridge and the barn are shut, according to Orr.",
            ["In Rome, called the “Old Bell” by millers, the inn, the bridge and the barn are shut, according to Orr."],
        ),
        ("Her claim is old.", []),
        ("Her claim is that it is shut.", ["Her claim is that it is shut."]),
        ("Orr called it ''shut.'' It rained.", ["Orr called it ''shut.''"]),
        ("Orr left, calling it ``old and shut.'' It rained.", ["calling it ``old and shut.''"]),
        ("Miller Orr Calls for Closing Harbour", ["Miller Orr Calls for Closing Harbour"]),
        ("The Miller Calls for closing the harbour went unanswered.", []),
    ],
)
def test_a_draft_ends_where_another_statement_begins(tmp_path: Path, said: str, statement: list[str]) -> None:
    _, document = drafted(tmp_path, f"The Mill\n\n{said}\n")
    spans = [span for spans in statements(document) for span in spans]
    assert [document.text[slice(*span)] for span in spans] == statement


def test_what_another_source_calls_something_is_quoted_from_that_source(tmp_path: Path) -> None:
    said = 'Orr sought what Pelt called "an old end," and left.'
    _, document = drafted(tmp_path, f"The Mill\n\n{said}\n")
    found = attributed_words(document).attribution_of(statements(document)[-1][0])
    assert found
    assert found.source
    assert document.text[slice(*found.source.head)] == "Pelt"


@pytest.mark.parametrize(
    ("said", "source"),
    [("Orr sent a letter to the millers saying that it is shut.", "Orr")],
)
def test_persons_directly_before_what_is_said_are_its_source(tmp_path: Path, said: str, source: str) -> None:
    _, document = drafted(tmp_path, f"The Mill\n\n{said}\n")
    found = attributed_words(document).found[-1].source
    assert found
    assert document.text[slice(*found.head)] == source


@pytest.mark.parametrize("words", ["in Rome", "today"])
def test_when_and_where_a_quotation_was_said_is_no_statement_between_its_parts(words: str) -> None:
    text = FILLER + f"“We began it for you,” Orr said {words}. “I want us to walk.”"
    [found] = yaml.safe_load(filled(text))["testimonies"]
    assert (found["evidence"], found["attribution"]) == (["We began it for you,", "I want us to walk."], "Orr said")


def test_who_remains_something_ends_before_the_verb() -> None:
    text = "Orr and Pelt remain confident despite a few early keepers of the mill.\n"
    [found] = proposed_attributions(text)
    assert found.source
    assert (text[slice(*found.source.span)], text[slice(*found.cue)]) == ("Orr and Pelt", "remain confident")
