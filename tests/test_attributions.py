"""Attributions are read from the order of words: who said it, in which words, and what."""

from __future__ import annotations

import random

import pytest

from defectors_data.text.attributions import AttributedWords, FoundAttribution, attributions, words_of_speech
from defectors_data.text.attributions.proposed import proposed_attributions
from defectors_data.text.detection import quotations
from defectors_data.text.offsets import Span, sentences_around

MILL = "the mill was shut"


def read(text: str) -> list[tuple[str, str, str, list[str]]]:
    """Give the cue, the head and the kind of the source, and the content of each attribution."""
    return [(text[slice(*each.cue)], *who(text, each), said(text, each)) for each in attributions(text)]


def who(text: str, found: FoundAttribution) -> tuple[str, str]:
    if found.source is None:
        return "", "open"
    return text[slice(*found.source.head)], found.source.kind


def said(text: str, found: FoundAttribution) -> list[str]:
    return [text[slice(*piece)] for piece in found.content]


@pytest.mark.parametrize(
    ("text", "cue", "head", "kind", "content"),
    [
        # before, after, around and inside quotations
        ("Ada Pelt said: “It is shut.”", "said", "Ada Pelt", "name", ["It is shut."]),
        ("“It is shut,” Ada Pelt said.", "said", "Ada Pelt", "name", ["It is shut,"]),
        ("“It is shut,” said Ada Pelt, a miller.", "said", "Ada Pelt", "name", ["It is shut,"]),
        ("“Is it shut?” Pelt asked.", "asked", "Pelt", "name", ["Is it shut?"]),
        ("“It,” Pelt said, “is shut.”", "said", "Pelt", "name", ["It,", "is shut."]),
        ("“It is shut,” the miller fumed on Friday.", "fumed", "the miller", "description", ["It is shut,"]),
        (f"Pelt -- editor of Lamps, a book on Rome -- said {MILL}.", "said", "Pelt", "name", [MILL]),
        ("Ada Pelt wrote just a few years ago, “It is shut.”", "wrote", "Ada Pelt", "name", ["It is shut."]),
        ("Pelt wrote it was shut, “in vain.”", "wrote", "Pelt", "name", ["it was shut, “in vain."]),
        # clauses
        (f"Pelt said {MILL}.", "said", "Pelt", "name", [MILL]),
        ("The mill, Pelt said, is shut.", "said", "Pelt", "name", ["The mill", "is shut"]),
        ("The mill is shut, said Pelt.", "said", "Pelt", "name", ["The mill is shut"]),
        ("It is shut, or so writes Pelt.", "writes", "Pelt", "name", ["It is shut"]),
        ("The mill (which is shut, or so says Pelt) is old.", "says", "Pelt", "name", ["which is shut"]),
        (f"In a statement, Pelt said {MILL}.", "said", "Pelt", "name", [MILL]),
        (f"Pelt told reporters on Friday that {MILL}.", "told", "Pelt", "name", [f"that {MILL}"]),
        (f"Ada Pelt told the Rome Post {MILL}.", "told", "Ada Pelt", "name", [MILL]),
        ("According to Ada Pelt, it is shut.", "According to", "Ada Pelt", "name", ["it is shut"]),
        ("It is shut, according to a miller.", "according to", "a miller", "description", ["It is shut"]),
        ("He was accused by a guild of leaving.", "was accused by", "a guild", "description", ["of leaving"]),
        ("Of them, 42% say it is shut.", "say", "42%", "group", ["it is shut"]),
        # what is no source
        ("That said, it is shut.", "said", "", "open", ["it is shut"]),
        # the subject after an introduction
        ("In talks with friends of Pelt, Orr said it is shut.", "said", "Orr", "name", ["it is shut"]),
        # no verb of speech
        ("Human Rights Union documented the fires.", "documented", "Human Rights Union", "institution", ["the fires"]),
        ("Pelt called for a new mill.", "called", "Pelt", "name", ["for a new mill"]),
        ("Pelt is worried that it burns.", "is worried", "Pelt", "name", ["that it burns"]),
        ("An order decreed that it is shut.", "decreed", "An order", "description", ["that it is shut"]),
        # passive
        ("Pelt was quoted as saying that it burns.", "was quoted as saying", "Pelt", "name", ["that it burns"]),
        ("The fire, condemned by Pelt, was put out.", "condemned by", "Pelt", "name", ["The fire"]),
        ("The mill is said to burn.", "is said", "", "open", ["The mill", "to burn"]),
        (f"Pelt wept, trying to say {MILL}.", "to say", "", "open", [MILL]),
        ("The fire was condemned by Pelt.", "was condemned by", "Pelt", "name", ["The fire"]),
        # the head of a long subject
        (f"A spokesman for President Harrow Vane said {MILL}.", "said", "A spokesman", "description", [MILL]),
        (f"One of the millers in Rome said {MILL}.", "said", "One of the millers", "group", [MILL]),
        (f"The man who knew Pelt said {MILL}.", "said", "The man", "description", [MILL]),
        (f"Ada Pelt, 36, a sergeant in the Guard, said {MILL}.", "said", "Ada Pelt", "name", [MILL]),
        (f"The miller, Ada Pelt, said {MILL}.", "said", "The miller", "description", [MILL]),
        # titles, surnames, groups, pronouns
        (f"Sgt. Ada Pelt said {MILL}.", "said", "Ada Pelt", "name", [MILL]),
        (f"Former Foreign Minister Pelt said {MILL}.", "said", "Pelt", "name", [MILL]),
        (f"Ada Kelly said {MILL}.", "said", "Ada Kelly", "name", [MILL]),
        (f"The Foreign Ministry said {MILL}.", "said", "The Foreign Ministry", "institution", [MILL]),
        (f"Colombian officials say {MILL}.", "say", "Colombian officials", "group", [MILL]),
        (f"Pelt and Vane said {MILL}.", "said", "Pelt and Vane", "group", [MILL]),
        (f"In Rome, Pelt and other millers said {MILL}.", "said", "Pelt and other millers", "group", [MILL]),
        (f"She said {MILL}.", "said", "She", "pronoun", [MILL]),
        ("Pelt denounced the fire, which grew.", "denounced", "Pelt", "name", ["the fire"]),
        (f"Orr, who owns it, said {MILL}.", "said", "Orr", "name", [MILL]),
        (f"Rep. Ada Orr, D-Calif., said {MILL}.", "said", "Ada Orr", "name", [MILL]),
        (f"It was lit by Mayor Ada Orr, who said {MILL}.", "said", "Ada Orr", "name", [MILL]),
        (f"It was lit by the old miller, who said {MILL}.", "said", "the old miller", "description", [MILL]),
        (f"The group that runs mills said {MILL}.", "said", "The group", "institution", [MILL]),
        ("“It is shut,” Pelt said, according to the Post.", "said", "Pelt", "name", ["It is shut,"]),
        (f"It burned, with many millers shouting {MILL}.", "shouting", "many millers", "group", [MILL]),
        ("It is shut, as Pelt noted.", "noted", "Pelt", "name", ["It is shut"]),
        (f"The millers of Rome say {MILL}.", "say", "The millers", "group", [MILL]),
        (f"Pelt two weeks ago said {MILL}.", "two weeks ago said", "Pelt", "name", [MILL]),
        (f"He’s said {MILL}.", "said", "He", "pronoun", [MILL]),
        # dates and places are no sources
        (f"On Friday officials said {MILL}.", "said", "officials", "group", [MILL]),
        (f"Pelt on Friday said {MILL}.", "on Friday said", "Pelt", "name", [MILL]),
        (f"In Rome Pelt said {MILL}.", "said", "", "open", [MILL]),
        (f"Pelt wept and said {MILL}.", "said", "", "open", [MILL]),
    ],
)  # fmt: skip
def test_an_attribution_has_its_cue_source_and_content(
    text: str, cue: str, head: str, kind: str, content: list[str]
) -> None:
    assert read(text) == [(cue, head, kind, content)]


def test_a_subject_has_the_words_after_its_head_too() -> None:
    text = "A spokesman for President Harrow Vane said it is shut."
    (found,) = attributions(text)
    assert found.source
    assert text[slice(*found.source.span)] == "A spokesman for President Harrow Vane"


def test_each_of_several_attributions_in_a_sentence_has_its_own_source() -> None:
    text = "“It is gone,” said Ada Pelt, who told Bela that she left, adding that it burned."
    assert [(cue, head) for cue, head, _, _ in read(text)] == [
        ("said", "Ada Pelt"),
        ("told", "Ada Pelt"),
        ("adding", "Ada Pelt"),
    ]


def test_a_subject_is_read_across_the_attribution_between_it_and_its_verb() -> None:
    text = "A miller, who asked for silence, said that it is shut."
    assert [(cue, head) for cue, head, _, _ in read(text)] == [("asked", "A miller"), ("said", "A miller")]


def test_words_that_open_a_sentence_are_no_subject() -> None:
    [found] = attributions("What’s more, Orr’s rest, complaining about being ill, may cost him.")
    assert (found.verb, found.source) == ("complaining", None)


def test_speech_within_speech_is_part_of_the_outer_quotation() -> None:
    assert read("Pelt said that Vane said it is shut.") == [
        ("said", "Pelt", "name", ["that Vane said it is shut"]),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "“He said it is shut.”",
        "So says Pelt.",
        "The report was long.",
        "The said mill is shut.",
        "If Pelt said so, it is shut.",
        "Pelt declined the offer.",
        "Pelt decided to leave.",
        "The Orr state officials voted.",
        "The battleground states that vote are few.",
        "To leave was hard.",
        "The name on the bow can only be read by hand.",
        "Lamps that can be played online were old.",
    ],
)
def test_text_without_speech_has_no_attributions(text: str) -> None:
    assert attributions(text) == []


def with_attitudes(text: str) -> list[tuple[str, str, list[str]]]:
    """Give the cue, the head of the source and the content of each attribution that is proposed."""
    found = [each for each in proposed_attributions(text) if each.is_sure]
    return [(text[slice(*each.cue)], who(text, each)[0], said(text, each)) for each in found]


@pytest.mark.parametrize(
    ("text", "cue", "head", "content"),
    [
        ("Pelt welcomed the plan, which is old.", "welcomed", "Pelt", ["the plan"]),
        ("Pelt welcomed the plan and left.", "welcomed", "Pelt", ["the plan"]),
        (f"The millers learned that {MILL}.", "learned", "The millers", [f"that {MILL}"]),
        ("Vane was lambasted by Pelt.", "was lambasted by", "Pelt", ["Vane"]),
        ("Pelt encouraged Vane to leave.", "encouraged", "Pelt", ["to leave"]),
        ("Pelt saw the mill as a danger.", "saw", "Pelt", ["the mill as a danger"]),
        (f"Pelt is confident that {MILL}.", "is confident", "Pelt", [f"that {MILL}"]),
        (f"Pelt made it clear that {MILL}.", "made it clear", "Pelt", [f"that {MILL}"]),
        ("It burned after Pelt’s old plan to leave was known.", "plan", "Pelt", ["to leave"]),
        ("Pelt focused on the mill.", "focused", "Pelt", ["on the mill"]),
        (f"Millers on and off the island believe {MILL}.", "believe", "Millers", [MILL]),
        (f"The allegation by Pelt that {MILL} was old.", "allegation", "Pelt", [f"that {MILL} was old"]),
    ],
)  # fmt: skip
def test_attitudes_are_attributed_only_in_proposals(text: str, cue: str, head: str, content: list[str]) -> None:
    assert with_attitudes(text) == [(cue, head, content)]
    assert attributions(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The welcome was warm.",
        "Pelt saw the mill.",
        "Pelt focused on.",
        f"If many think that {MILL}, Vane left.",
        "It is clear that the mill was shut.",
        "The confident miller left.",
        "The plan was old.",
        "The mill was seen as a danger.",
        "The debates of Rome were long.",
        "Pelt saw parallels between the mill and support for a plan.",
    ],
)
def test_words_of_attitude_without_a_source_or_content_are_no_proposals(text: str) -> None:
    assert with_attitudes(text) == []


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("Pelt came and said it is shut.", "Pelt"),
        ("The old miller came to Rome to say it is shut.", "The old miller"),
        ("On Friday, Pelt came to Rome to say it is shut.", "Pelt"),
        ("Speaking in Rome, Pelt came and said it is shut.", "Pelt"),
        ("Two weeks earlier, Dutch voters dealt a blow by saying it is shut.", "Dutch voters"),
        ("A few days ago the old millers came and said it is shut.", "the old millers"),
        ("Last week Pelt came and said it is shut.", "Pelt"),
        ("By asking for silence, Pelt lost the mill.", "Pelt"),
    ],
)
def test_a_proposal_has_the_subject_of_the_sentence_where_the_words_leave_the_source_open(text: str, head: str) -> None:
    assert [each[1] for each in with_attitudes(text)] == [head]
    assert [each.source for each in attributions(text)] == [None]


@pytest.mark.parametrize(
    ("text", "heads"),
    [
        ("The new targets are old millers who have supported it.", ["old millers"]),
        ("They met old millers who have supported it.", ["millers"]),
        ("Pelt fears an old party that won votes, opposing it.", ["Pelt", "Pelt"]),
        ("“No,” said Pelt of Orr, who opposed it. The Harrow Orr left.", ["Pelt", "Pelt"]),
    ],
)
def test_the_source_of_a_verb_in_a_relative_clause_is_the_noun_before_it(text: str, heads: list[str]) -> None:
    assert [each[1] for each in with_attitudes(text)] == heads


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"On Sunday, Pelt complained to Vane that {MILL}.", [("complained", [f"that {MILL}"])]),
        (f"According to Pelt, in Rome, {MILL}.", [("According to", [f"in Rome, {MILL}"])]),
        ("It is, according to Pelt, a miller, shut.", [("according to", ["It is", "shut"])]),
        ("It is shut, according to Pelt, although it is old.", [("according to", ["It is shut"])]),
        ("According to the Post a mill was shut in May.", [("According to", ["a mill was shut in May"])]),
        ("According to data 12% of mills are shut.", [("According to", ["12% of mills are shut"])]),
        ("Pelt said the mill was praised by a miller.", [("said", ["the mill was praised by a miller"])]),
        ("Pelt has demanded to know it.", [("has demanded", ["to know it"])]),
        ("While it rained, it is going that way, said Pelt.", [("said", ["While it rained, it is going that way"])]),
        ("It was criticised, with Pelt calling it old.", [
            ("was criticised", ["It"]), ("calling", ["it old"])]),
        ("He sold it, records show.", [("show", ["He sold it"])]),
        ("But in May, Pelt said, the mill burned.", [("said", ["in May", "the mill burned"])]),
        ("Instead, she said, Pelt told Vane that it burned.", [("said", ["Instead", "Pelt told Vane that it burned"])]),
        ("It is by the mill, which, Pelt said, is old.", [("said", ["is old"])]),
        ("This old mill, Pelt said, breaks the rules.", [("said", ["This old mill", "breaks the rules"])]),
        ("Pelt said 12 mills were old, most of them in Rome.", [("said", ["12 mills were old"])]),
        ("Pelt said it was then-Sen. Ada Orr.", [("said", ["it was then-Sen. Ada Orr"])]),
        ("Pelt rejected the plan to shut it in coming years.", [
            ("rejected", ["the plan to shut it in coming years"])]),
        ("She said that while it hoped to burn, Pelt backed it.", [
            ("said", ["that while it hoped to burn, Pelt backed it"])]),
        ("Most say that it is old, compared with 12 in May.", [("say", ["that it is old"])]),
        ("Met by millers, Pelt said on Friday in a speech that it burned.", [("said", ["that it burned"])]),
        ("(She says that it burned.) The millers left.", [("says", ["that it burned"])]),
        ("Pelt described the step Orr is taking in Rome.", [("described", ["the step Orr is taking in Rome"])]),
        (
            f"In Rome {MILL}, BBC-TV reported, while in Orr it burned.",
            [("reported", [f"In Rome {MILL}", "while in Orr it burned"])],
        ),
        (f"On Friday, Pelt said at length that {MILL}.", [("said", [f"that {MILL}"])]),
        (f"Recent polling shows that {MILL}.", [("shows", [f"that {MILL}"])]),
        ("Recent polling shows of mills are shut.", []),
        ("Pelt praised the mill when it burned.", [("praised", ["the mill"])]),
        ("Pelt praised the mill, the barn and the field.", [("praised", ["the mill, the barn and the field"])]),
        ("Pelt praised the mill, the barn burned and she left.", [("praised", ["the mill"])]),
        ("Pelt denounced the June 11, 2012 fire.", [("denounced", ["the June 11, 2012 fire"])]),
        ("He cited a list of faults, officials said.", [("said", ["He cited a list of faults"])]),
        ("“It is shut,” Pelt wrote on Friday in a letter.", [("wrote", ["It is shut,"])]),
        ("He said it was late: “I have to go,” he wrote.", [("said", ["it was late"]), ("wrote", ["I have to go,"])]),
        ("It fell (“I saw it,” Pelt said).", [("said", ["I saw it,"])]),
        ("It cost 12 euros ($14; £10), Pelt said.", [("said", ["It cost 12 euros ($14; £10)"])]),
        ("Millers who use it, jam mills by sending a stronger signal to it.", []),
        ("The mill - an old one - is shut, Pelt said.", [("said", ["The mill - an old one - is shut"])]),
        ("When Pelt said it burned, Vane fled.", [("said", ["it burned"])]),
        (
            "When Pelt said the mill, the barn and the inn burned, Vane fled.",
            [("said", ["the mill, the barn and the inn burned"])],
        ),
        ("When Pelt said it burned in Rome, Orr, Vane fled.", [("said", ["it burned in Rome, Orr"])]),
        ("Asked about the fire, Pelt wept.", [("Asked", ["about the fire"])]),
        (f"Some 31% say {MILL}.", [("say", [MILL])]),
        (f"Men who claim {MILL} wept.", [("claim", [f"{MILL} wept"])]),
        (f"Pelt shot back last week that {MILL}.", []),
        ("In two states, the mill burned.", []),
    ],
)  # fmt: skip
def test_content_is_what_the_source_says(text: str, expected: list[tuple[str, list[str]]]) -> None:
    assert [(text[slice(*each.cue)], said(text, each)) for each in attributions(text)] == expected


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("Ada said the mill burned, but Pelt stayed.", [["the mill burned"]]),
        ("Ada told Bela that it burned and argued that it fell.", [["that it burned"], ["that it fell"]]),
        ("Ada suggested that it burned, while Pelt said that it fell.", [["that it burned"], ["that it fell"]]),
        ("Ada praised the mill Tuesday and left.", [["the mill"]]),
    ],
)
def test_content_ends_where_another_clause_begins(text: str, contents: list[list[str]]) -> None:
    assert [said(text, each) for each in proposed_attributions(text)] == contents


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("It has new mills, which Ada said were old.", "which Ada said"),
        ("It has new mills, which millers say hurt Rome.", "which millers say"),
        ("They are used to what Ada says is an old mill.", "what Ada says"),
        ("They met Orr, who Ada said was old.", "who Ada said"),
        ("They are used to what Ada calls “home.”", "what Ada calls"),
        ("It is a day on which Ada said the mill burned.", "Ada said"),
        ("It is the mill that Ada said Pelt burned.", "Ada said"),
    ],
)
def test_a_relative_pronoun_without_which_the_content_lacks_a_subject_is_in_the_phrase(text: str, phrase: str) -> None:
    (found,) = [each for each in proposed_attributions(text) if each.is_sure]
    assert text[slice(*found.phrase)] == phrase


def test_who_says_the_sentences_after_an_attribution_is_left_open() -> None:
    text = "“It is gone,” Pelt said. “It burned. I saw it.” It is sad. “I wept.”"
    attributed = AttributedWords(text, attributions(text))
    first, second, third = (Span(span.start, span.end) for span in quotations(text))
    (found,) = attributed.found
    assert [attributed.attribution_of(each) for each in (first, second, third)] == [found, None, None]
    assert [attributed.before(each) for each in (first, second, third)] == [None, found, None]


def test_words_of_speech_are_those_outside_quotations() -> None:
    text = "He fled. “I said no,” Pelt insisted, and spoke. They kept the report."
    found = words_of_speech(text, Span(9, 60))
    assert [text[slice(*span)] for span in found] == ["insisted", "spoke"]
    assert words_of_speech(text, Span(0, 8)) == []


def test_any_text_is_read() -> None:
    chance = random.Random(43)  # noqa: S311
    words = ["said", "Said", ",", "“", "”", '"', "who", "and", "according", "to", "by", "was", "Pelt"]
    words += ["the", "of", "that", "(", ")", "—", "\n", ".", "?", "saying", "quoted", "as", "36", "’s", "Mr."]
    for _ in range(2_000):
        text = " ".join(chance.choices(words, k=12))
        for found in attributions(text):
            assert found.content
            spans = [found.cue, found.sentence, *found.content]
            if found.source:
                spans += [found.source.span, found.source.head]
            assert all(0 <= span.start < span.end <= len(text) for span in spans)
        words_of_speech(text, Span(0, len(text)))


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (f"Ada suggested Rome’s millers do not understand {MILL}.", [f"Rome’s millers do not understand {MILL}"]),
        ("Polls show millers fear the fire.", ["millers fear the fire"]),
        ("The friends, Ada says, is leaving Rome.", ["The friends", "is leaving Rome"]),
        ("In Rome, millers say, they have been asked to leave.", ["In Rome", "they have been asked to leave"]),
        ("It burned, a miller told The Times.", ["It burned"]),
        ("Ada promised to build a wall along the U.S.-Rome border.", ["to build a wall along the U.S.-Rome border"]),
        ("Ada praised the mill in an interview.", ["the mill"]),
        ("Ada praised the mill in Rome.", ["the mill in Rome"]),
        ("A poll shows that Pelt was backed by millers.", ["that Pelt was backed by millers"]),
        ("Ada said she was tired but wanted it shut.", ["she was tired but wanted it shut"]),
        ("Ada added that after the fire, she hopes to leave.", ["that after the fire, she hopes to leave"]),
        ("As reported by Pelt, the mill burned.", ["the mill burned"]),
        ("Ada said he was “glad” to announce the sale.", ["he was “glad” to announce the sale"]),
        ("Ada said she wants an “old” mill and to oppose Orr.", ["she wants an “old” mill and to oppose Orr"]),
        ("Ada said that sometime in May, he realized it.", ["that sometime in May, he realized it"]),
        ("Ada said that a miller, who burned it, wanted it shut.", ["that a miller, who burned it, wanted it shut"]),
        ("Ada said it burned for age and opposition to rents.", ["it burned for age and opposition to rents"]),
        ("Ada said she left because Pelt hoped to stay.", ["she left because Pelt hoped to stay"]),
        ("Ada said that it is shut so as not to oppose Orr.", ["that it is shut so as not to oppose Orr"]),
        ("Ada said he left by lighting it and praising Orr.", ["he left by lighting it and praising Orr"]),
        ("Ada cited her old rival, Bela Orr.", ["her old rival, Bela Orr"]),
        ("Ada remembered the Orr years.", ["the Orr years"]),
        ("Instead, Ada said, “it was so odd.”", ["it was so odd."]),
        ("As Orr left, Ada said, “It is shut.”", ["It is shut."]),
        ("There are many, including, Ada said, “old mills.”", ["old mills."]),
        ("As Ada pointed out, the mill burned.", ["the mill burned"]),
        ("The mill, Ada pointed out, is shut.", ["The mill", "is shut"]),
        ("Ada pointed out that it burned.", ["that it burned"]),
        ("The tone of the fair, said Ada, would be odd.", ["The tone of the fair", "would be odd"]),
        ("Not least, said Ada Orr, a miller, because it is shut.", ["Not least", "because it is shut"]),
        ("Millers promise to leave, said Ada, though it is late.", ["Millers promise to leave", "though it is late"]),
        ("They praised the mill, but they opposed Orr, millers said.", ["They praised the mill, but they opposed Orr"]),
        (
            "When Ada announced the sale, Bela met Orr and told millers that it was late, according to a miller.",
            ["When Ada announced the sale, Bela met Orr and told millers that it was late"],
        ),
    ],
)  # fmt: skip
def test_content_goes_on_to_where_what_is_said_ends(text: str, content: list[str]) -> None:
    assert [said(text, each) for each in proposed_attributions(text)] == [content]


@pytest.mark.parametrize(
    ("headline", "content"),
    [
        ("Pelt leads criticism again today", []),
        ("Pelt leads criticism of it today", ["of it"]),
        ("Pelt was praised also today", ["Pelt"]),
        ("It burned, and Pelt told her", []),
        ("On to announced praising (", ["praising"]),
    ],
)
def test_a_headline_that_ends_with_its_verb_has_no_content_after_it(headline: str, content: list[str]) -> None:
    found = [piece for each in proposed_attributions(headline) for piece in each.content]
    assert [headline[slice(*piece)] for piece in found] == content


@pytest.mark.parametrize("words", ["“Old Mill.”", "“Old Mill.", "Old Mill.", "Old Mill"])
def test_words_that_end_with_a_quotation_mark_are_in_one_sentence(words: str) -> None:
    text = "Orr left, and called it the “Old Mill.” Pelt said that it burned."
    at = text.index(words)
    sentence = sentences_around(text, Span(at, at + len(words)))
    assert text[slice(*sentence)] == "Orr left, and called it the “Old Mill.”"
