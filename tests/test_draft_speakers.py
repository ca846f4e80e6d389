"""A draft has each speaker once and in whole, with a role that the article shows, and none that words leave open."""

from __future__ import annotations

import re

import pytest

from conftest import PROJECT
from defectors_data.annotators.drafts import filled_draft, first_draft
from defectors_data.annotators.proposals.mentions import role_of_title
from defectors_data.annotators.record_ids import id_of_name
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import read_context
from defectors_data.text.offsets import Span
from defectors_data.text.similar_words import may_be_one_person
from test_first_draft import FILLER, filled


@pytest.mark.parametrize(
    ("said", "speaker"),
    [
        ("the Movement for Orr Lives said.", "Movement for Orr Lives"),
        ("said the sister to Ada Orr.", "the sister"),
        ("two members of the crew said.", "two members of the crew"),
        ("a spokesman for the mill said.", "a spokesman for the mill"),
        ("two clerks in the mill said.", "two clerks"),
        ("the United States said.", "United States"),
        ("Ada Orr said. The mill is shut, the Harrow Democrat said.", "Ada Orr"),
        ("said Irving Orr.", "Irving Orr"),
        ("Harrow’s Ada Orr said.", "Ada Orr"),
        ("Harrow’s Lamp Union said.", "Harrow’s Lamp Union"),
        ("it burned.\n\nHARROW (AP) ― Ada Orr said that it was shut.", "Ada Orr"),
        ("Rep. Ada Orr (D-Ohio), a miller, said.", "Rep. Ada Orr (D-Ohio), a miller"),
        ("Rep. Ada Orr (D-Ohio) said.", "Rep. Ada Orr (D-Ohio)"),
        ("said Lamplight ranking Democrat Ada Orr (D-Ohio).", "Lamplight ranking Democrat Ada Orr (D-Ohio)"),
        ("said Lamp Fund managing director Ada Orr.", "Lamp Fund managing director Ada Orr"),
        ("said Lampmen shouting Ada Orr.", "Lampmen"),
        ("the old panel’s top Democrat said.", "the old panel’s top Democrat"),
        ("said the old panel’s ranking member, Ada Orr.", "the old panel’s ranking member, Ada Orr"),
        ("As the old panel’s ranking member, Ada Orr said it burned.", "Ada Orr"),
        ("said Lamp Committee chairman Ada Orr, R-Utah, on Monday.", "Lamp Committee chairman Ada Orr, R-Utah"),
        ("Sen. Ada Orr (Ohio), who left, said.", "Sen. Ada Orr"),
        ("said Ada bin Orr. Bin Orr said so.", "Ada bin Orr"),
        ("Orr Pelt said. Ada Old Orr Pelt left.", "Ada Old Orr Pelt"),
        ("a leader said. No leader said so.", "a leader"),
        ("Orr met Pope Francis. Francis said it burned.", "Pope Francis"),
        ("Francis said it burned. Orr met Pope Francis.", "Francis"),
    ],
)
def test_a_drafted_speaker_is_mentioned_in_whole(said: str, speaker: str) -> None:
    drafted = filled(f"The pipes burst\n\n“The mill is shut,” {said}\n")
    speakers = drafted.partition("\nspeakers:")[2].partition("\ntestimonies")[0]
    mentions = re.findall(r"evidence: (?:\{text: )?\"?(.*?)(?:\"$|\"?, (?:pre|suf)fix|$)", speakers, re.MULTILINE)
    assert mentions == [speaker]


@pytest.mark.parametrize(
    ("mention", "role"),
    [
        ("Vice President Ada Orr", "politician"),
        ("Ada Orr, executive vice president for policy", "representative"),
        ("Lamp Party leader Ada Orr", "politician"),
        ("White House hopeful Ada Orr", "politician"),
        ("Lamp Committee chairman Ada Orr, R-Utah", "politician"),
        ("Lamp Committee chairman Ada Orr (I-Vt.)", "politician"),
        ("Ada Orr, a leader of the birthday party", ""),
        ("party officials", "politician"),
        ("Harbour officials", "official"),
        ("White House spokesman Ada Orr", "official"),
        ("Ada Orr, founder of the old Harbour Party for Lamps", "politician"),
        ("Ada Orr, founder of the old Harbour Works for Lamps", "representative"),
        ("Harbour Front leader Ada Orr", "politician"),
        ("Ada Orr, a member of the Harbour Parliament", "politician"),
        ("Chancellor Ada Orr", "official"),
        ("the prime minister", "official"),
        ("President Orr’s government", "official"),
        ("a spokesman for the Lamp Department", "official"),
        ("Ada Orr, director of the FBI", "official"),
        ("a spokesman for the Lamp Department Store", "representative"),
        ("a spokesman for the police union", "representative"),
        ("a spokesman for the minister", "representative"),
        ("a lawyer for the court", ""),
        ("Chancellor Ada Orr of Harbour University", ""),
        ("Many of the harbour’s politicians", "politician"),
        ("Plaid Cymru’s lamp spokesman Ada Orr", "politician"),
        ("opposition parties", "politician"),
        ("Conservative lamp policy chairman Ada Orr", "politician"),
        ("Lamp and Labour Minister Ada Orr", "official"),
        ("BBC labour reporter Ada Orr", ""),
        ("Home affairs spokesman Ada Orr", "politician"),
        ("French president Ada Orr", "politician"),
        ("Ada Orr, vice president of lamps", "representative"),
        ("Ada Orr of the Campaign for Lamps", ""),
        ("Mr Justice Orr", "official"),
        ("the oil watchdog", "official"),
        ("a spokesman for the Home Office", "official"),
        ("a Treasury spokesman", "official"),
        ("Ada Orr, chief lamp officer of the mill", "representative"),
        ("Mill Union general secretary Ada Orr", "representative"),
        ("Ada Orr, a lamp manager from Rome", "other"),
        ("president Ada Orr", "representative"),
        ("Ada Orr, head of lamps at the mill", "representative"),
        ("several lamp firms", "representative"),
        ("the European Union", "official"),
        ("Harrow City Council", "official"),
    ],
)
def test_a_title_shows_the_role(mention: str, role: str) -> None:
    known = ("politician", "official", "representative", "other")
    assert role_of_title(mention, Span(0, len(mention)), known) == role


@pytest.mark.parametrize(
    ("post", "role"),
    [
        ("director of Harrow University’s Lamp Institute", "expert"),
        ("director of speeches at Harrow University", ""),
        ("aide to the director of Harrow University’s Lamp Institute", ""),
    ],
)
def test_who_directs_an_institute_of_a_university_is_an_expert(post: str, role: str) -> None:
    mention = f"Ada Orr, {post}"
    assert role_of_title(mention, Span(0, len(mention)), ("expert",)) == role


def attested(said: str) -> list[str]:
    """Return the role of each speaker in a draft of the example corpus, with the words elsewhere that show it."""
    shared, _ = read_context(FileTree(PROJECT / "src/defectors_data/example"))
    assert shared
    text = f"The pipes burst\n\n{said}\n"
    draft = first_draft.draft(text, text.encode(), "example", taken=())
    typed = filled_draft.filled(text, draft, "annotations/example.yaml", shared)
    return re.findall(r"(?:    |\{)role: \"?(.*?)(?:\"?\}|$)", typed, re.MULTILINE)


@pytest.mark.parametrize(
    ("said", "roles"),
    [
        ("“No,” Ada Orr said. Mayor Orr was late.", ["official", "Mayor Orr"]),
        ("“No,” Ada Orr said. Mr. Orr was late.", ["other"]),
        ("“No,” Ada Orr said. The lamp Orr was late.", ["other"]),
        ("“No,” Ada Orr said. Orr, the judge, was late.", ["official", "Orr, the judge"]),
        ("“No,” Ada Orr said. Orr, an aide to the judge, was late.", ["other"]),
        ("“No,” Ada Orr said. Ben Pelt met Judge Ada Orr. “Yes,” the judge said.", ["official"]),
        ("“No,” said Ada Orr, the judge of Harrow.", ["official"]),
        ("“No,” said Ada Orr, an aide to the judge.", ["other"]),
        ("“No,” said the judge’s brother Ben Orr.", ["other"]),
        ("“No,” the White House said.", ["official"]),
        ("The Orr administration said that it burned.", ["official"]),
        ("The University administration said that it burned.", ["other"]),
    ],
)
def test_a_role_is_shown_by_what_the_text_calls_the_person_and_no_relative(said: str, roles: list[str]) -> None:
    assert attested(said) == roles


@pytest.mark.parametrize(
    ("sentence", "proposed"),
    [
        ("Ada Orr, 36, sent a letter. “It is shut,” the letter reads.", '{words: "the letter reads", antecedent: m1}'),
        ("A statement from Ada Orr was read. “It is shut,” the statement says.", "speaker: ada-orr\n"),
        ("Ada Orr’s letter was read. “It is shut,” the letter says.", "speaker: ada-orr\n"),
        ("A group of millers sent a letter. “It is shut,” the letter says.", "kind: group\n"),
        ("Ada Orr read a letter. “It is shut,” the letter says.", "speaker: who\n"),
        ("“It is shut,” Ada Orr said.\n\nThe letter continues: “It burned.”", "speaker: who\n"),
        ("Also Monday, Ada Orr (R-Utah) and Ben Pelt (D-Ohio) sent a letter. “No,” the letter says.", "kind: group"),
        ("Ada Orr’s letter was read.\n\nIt rained.\n\n“It is shut,” the letter says.", "speaker: ada-orr\n"),
        ("Ada Orr’s letter was read.\n\nIt rained.\n\n“It is shut,” a letter says.", "speaker: who\n"),
        ("Ada Orr’s and Bela Pelt’s letters came.\n\nIt rained.\n\n“It is shut,” the letter says.", "speaker: who\n"),
        ("Ada Orr’s letter beat Bela Pelt’s letter.\n\nIt rained.\n\n“It is shut,” the letter says.", "speaker: who\n"),
        ("It was shut, according to a report from the Lamp Fund’s inspector general.", 'inspector general"\n'),
        ("It was shut, according to a report from the Lamp Fund’s independent watchdog.", 'independent watchdog"\n'),
    ],
)  # fmt: skip
def test_a_letter_is_by_those_who_sent_it(sentence: str, proposed: str) -> None:
    assert proposed in filled(FILLER + sentence)


@pytest.mark.parametrize(
    ("sentence", "attribution"),
    [
        ("The Harrow Office said it burned. It rained. The Harrow Office said it was old.", '"The Harrow Office said"'),
        ("The Harrow Office said it burned. It rained. The office said it was old.", "antecedent: t1}"),
    ],
)  # fmt: skip
def test_words_with_the_name_of_the_speaker_need_no_antecedent(sentence: str, attribution: str) -> None:
    said = re.findall(r"    attribution: (.*)\n", filled(FILLER + sentence))
    assert said[-1].endswith(attribution)


@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [
        ("Ada J. Orr", "Ada Orr", True),
        ("Ada Jane Orr", "Ada J. Orr", True),
        ("Ada Orr Jr.", "Ada J. Orr, Jr", True),
        ("Ada J. Orr", "Ada K. Orr", False),
        ("Ada Orr Jr.", "Ada Orr", False),
        ("Ada Orr", "Ada Pelt", False),
        ("Ada", "Ada", False),
    ],
)  # fmt: skip
def test_names_that_differ_only_in_what_one_leaves_out_can_be_of_one_person(
    first: str, second: str, is_one: bool
) -> None:
    assert may_be_one_person(first, second) is may_be_one_person(second, first) is is_one


def test_a_person_whose_name_has_two_forms_is_one_speaker() -> None:
    said = "Ada J. Orr said that it was shut. It rained. {} said that it was late."
    ids = [re.findall("speaker: (.*)", filled(FILLER + said.format(name))) for name in ("Ada Orr", "Ada K. Orr")]
    assert ids == [["ada-j-orr", "ada-j-orr"], ["ada-j-orr", "ada-k-orr"]]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("The House said that it was shut. It was late, the Harrow House said.", ["House", "Harrow House"]),
        ("The Harrow Times is old. The Times said that it was shut.", ["Times"]),
        ("It is old, the Harrow Times said. It is shut, the newspaper said.", ["Harrow Times"]),
        ("The Harrow Party met. A party said that it was shut.", []),
        ("Orr met them. The party said that it was shut.", []),
        ("“It is shut,” The Mill reported.", ["The Mill"]),
        ("Old HLP said that it was shut. The HLP said that it was late.", ["Old HLP", "HLP"]),
        ("The Hill reported that it was shut.", ["The Hill"]),
        ("Guards for Lamps (GFL) left. The GL said it was shut.", ["GL"]),
        ("Guards of the Lamp Mill (XLM) left. It rained. XLM said it was shut.", ["XLM"]),
        ("The Mill reported that it was shut.", ["Mill"]),
        ("Mayor Ada Orr’s center-left Harrow Lamp Union said that it was shut.", ["Harrow Lamp Union"]),
    ],
)
def test_an_organisation_has_the_name_with_which_it_speaks(said: str, names: list[str]) -> None:
    found = re.findall(r"^    name: \"?(.*?)\"?$", filled(FILLER + said), re.MULTILINE)
    assert found == names


def test_the_short_form_of_a_name_is_a_mention_and_needs_no_antecedent() -> None:
    draft = filled(FILLER + "The Times said that it was shut. It rained. The Harrow Times said that it was late.")
    assert draft.count("evidence: ") == 4
    assert "antecedent" not in draft


@pytest.mark.parametrize(("post", "kind"), [("a union clerk", "person"), ("a union of millers", "institution")])
def test_a_person_who_works_for_an_organisation_is_none(post: str, kind: str) -> None:
    assert re.findall("kind: (.*)", filled(f"{FILLER}Harrow Pelt, {post}, said that it was shut.")) == [kind]


def test_the_union_is_neither_of_two() -> None:
    said = "The Orr Union said that it was shut. {} said that it was late. The union said that it was old."
    drafts = [filled(FILLER + said.format(other)) for other in ("The Pelt Union", "Ada Pelt")]
    assert [re.findall("speaker: (.*)", draft)[-1] for draft in drafts] == ["who", "orr-union"]


@pytest.mark.parametrize(
    ("before", "said", "speaker"),
    [
        ("The Orr Times wrote that it was shut.", "“It is old,” it added.", "orr-times"),
        ("The Orr Times wrote that it was shut.", "In May, it further wrote that it was old.", "orr-times"),
        ("The Orr Times wrote that it was shut.", "“It is old,” the article read.", "orr-times"),
        ("The Orr Times wrote that it was shut.", "In May, a Times article hailed it as “the best mill”.", "orr-times"),
        ("Ada Orr wrote that it was shut.", "“It is old,” the article read.", "who"),
        ("The Orr Times wrote that it was shut.", "In May, a Pelt Post article said that it was old.", "pelt-post"),
        ("Harrow Inc. said that it was shut.", "The company said that it was old.", "who"),
    ],
)  # fmt: skip
def test_what_an_organisation_further_says_is_its_own(before: str, said: str, speaker: str) -> None:
    assert re.findall("speaker: (.*)", filled(f"{FILLER}{before}\n\n{said}"))[-1] == speaker


@pytest.mark.parametrize(
    ("source", "speaker"),
    [
        ("Pelt’s allies", "group"),
        ("Pelt’s lawyer", "person"),
        ("Pelt's first spokesman", "person"),
        ("Ed Vane, a lawyer, left. Pelt’s lawyer", "who"),
    ],
)
def test_whom_a_person_has_is_another_speaker(source: str, speaker: str) -> None:
    draft = filled(f"{FILLER}Ben Pelt left. “It is old,” Pelt said.\n\n{source} said that the mill was shut.\n")
    said = re.findall("speaker: (.*)", draft)[-1]
    [*kind] = re.findall(rf"id: {said}\n    draft: true\n    kind: (.*)", draft)
    assert speaker in (said, *kind)
    assert said != "ben-pelt"


@pytest.mark.parametrize(
    "other", ["Crooked Ada Orr was late.", "“Did Orr leave?”", "Joining Orr, they left.", "Interestingly Orr left."]
)
def test_a_word_before_a_name_that_is_printed_alone_is_no_part_of_it(other: str) -> None:
    draft = filled(f"{FILLER}{other} Ada Orr said that it was shut. Orr said that it was late.")
    assert re.findall("^    name: (.*)", draft, re.MULTILINE) == ['"Ada Orr"']


@pytest.mark.parametrize(
    ("other", "attribution"),
    [
        ("Ben Orr", '{words: "Orr said", antecedent: t2}'),
        ("Ben Orr, an aide to Ada Orr,", '{words: "Orr said", antecedent: t1, rival: m2}'),
        ("Ben Pelt", '"Orr said"'),
        ("Ben Orr Jr.", '{words: "Orr said", antecedent: t2}'),
    ],
)
def test_a_surname_of_two_speakers_has_an_antecedent(other: str, attribution: str) -> None:
    said = f"Ada Orr said that it was shut. {other} said that it was late. It rained. Orr said that it was old."
    assert re.findall("attribution: (.*)", filled(FILLER + said))[-1] == attribution


@pytest.mark.parametrize(
    ("said", "speaker"),
    [
        ("Adam Orr came.\n\nOrr said that it was shut.\n\nAlice Orr left.", "adam-orr"),
        ("Adam Orr came. Ben Pelt said Orr’s mill was shut. He said it was old. Alice Orr left.", "ben-pelt"),
        (
            "Adam Orr came. Orr wept.\n\nAlice Orr said it was shut. Ben Pelt said it was old.\n\nOrr said it burned.",
            "adam-orr",
        ),
        ("Adam Orr came. Orr was late.\n\nAlice Orr said it was shut.\n\nOrr said it was old.", "who"),
        ("Adam Orr said it was shut.\n\nAlice Orr left.\n\nOrr said it was old.", "who"),
        ("Adam Orr said it was shut.\n\nAlice Orr said it was late.\n\nOrr said it was old.", "alice-orr"),
        ("Adam Orr came.\n\nAlice Orr left.\n\nIt rained.\n\nOrr said that it was old.", "who"),
        ("Adam Orr came.\n\nAlice Orr left.\n\nIt rained.\n\nMrs. Orr said that it was old.", "alice-orr"),
        ("Ivola Orr, the eldest daughter, came.\n\nOrr wept. He said that it was old.", "who"),
        ("Ivola Orr, the eldest daughter, came.\n\nOrr wept. She said that it was old.", "ivola-orr"),
        ("Adam King came.\n\n“It is shut,” said Mr King.", "adam-king"),
        ("Adam Orr came.\n\n“It is shut,” said Mr Orr.", "adam-orr"),
        ("Mill chairman Ivola Orr said it was shut.\n\nShe said that it was old.", "ivola-orr"),
        ("Ada Bishop came.\n\nMs. Bishop said that it was old.", "ada-bishop"),
    ],
)
def test_a_surname_is_that_of_the_one_named_before_it(said: str, speaker: str) -> None:
    assert re.findall("speaker: (.*)", filled(FILLER + said))[-1] == speaker


@pytest.mark.parametrize(
    "said",
    [
        "The keeper, Milo Arden, said that the mill was gone.",
        "“It is gone,” Mr. Arden said. Milo Arden left.",
        "Milo Arden of the harbour wrote:\n\n“The mill is gone for good.”",
        "Rep. Milo Arden, R-Ky., said that the mill was gone for good.",
    ],
)
def test_a_name_after_a_description_is_the_speaker(said: str) -> None:
    assert re.findall("speaker: (.*)", filled(FILLER + said)) == ["milo-arden"]


@pytest.mark.parametrize(
    "said",
    [
        "It says that the mill is shut.",
        "Writing said that the mill is shut.",
        "“We left.”",
        "What the mill had:\n\n“We left.”",
    ],
)
def test_no_speaker_is_invented_for_words_that_leave_it_open(said: str) -> None:
    draft = filled(FILLER + said)
    assert "\nspeakers: []\n" in draft
    assert re.findall("speaker: (.*)", draft) == ["who"]


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("New Harrow’s Republican governor vetoed a plan. Republican clerks left.", "New Harrow’s Republican governor"),
        ("A New Harrow Republican said that it was old.", "A New Harrow Republican"),
        ("A Reuters rolling poll shows Ada Orr ahead.", "Reuters"),
        ("New Harrow’s Ada Orr said that it was old.", "Ada Orr"),
    ],
)
def test_an_owner_is_no_part_of_a_name(said: str, shown: str | None) -> None:
    draft = filled(FILLER + said)
    assert re.findall('evidence: "(.*)"\n\ntestimonies', draft) == ([shown] if shown else [])
    assert ("anonymity: named" in draft) == (shown == "Ada Orr")


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        # a name of one word
        ("“It is open,” Harrow said. Two clerks at Harrow wept.", ["id: harrow", "kind: institution"]),
        ("On Friday, Harrow said that it was open.", ["id: speaker-1", "kind: institution"]),
        ("“It is open,” Harrow said.", ["id: harrow", "kind: person", "pseudonym_possible: false"]),
        ("“It is open,” Harrow said. He wept.", ["id: harrow", "kind: person", "pseudonym_possible: false"]),
        ("“It is open,” said Harrow, 31, a miller.", ["id: harrow", "kind: person", "pseudonym_possible: false"]),
        ("“It is open,” Mayor Harrow said.", ["id: harrow", "kind: person", "pseudonym_possible: false"]),
        ("“It is open,” the retailer Harrow said.", ["id: harrow", "kind: institution"]),
        # a plural at the start of a sentence
        ("The Mill Workers of Orr met. Workers said that the mill was open.", ["id: speaker-1", "kind: group"]),
        ("Ada Workers left. Workers said that the mill was open.", ["id: ada-workers", "kind: person"]),
        ("According to the Orr Sun-Times, it was open.", ["id: orr-sun-times", "kind: institution"]),
        ("Clerks of the town Ada Orr and Bela Pelt said it was open.", ["id: speaker-1", "kind: group"]),
    ],
)
def test_a_name_is_that_of_a_person_only_if_words_show_one(said: str, shown: list[str]) -> None:
    draft = filled(FILLER + said)
    speakers = draft[draft.index("\nspeakers:") : draft.index("\ntestimonies:")]
    keys = re.findall(r"^(?:  - |    )((?:id|kind|pseudonym_possible): [\w-]*)", speakers, re.MULTILINE)
    assert keys == shown


@pytest.mark.parametrize(
    ("named", "possible"),
    [
        ("Sergeant Harrow", "true"),
        ("Mayor Harrow", "false"),
        ("Harrow", "false"),
    ],
)
def test_the_role_in_a_draft_says_whether_a_single_name_may_be_a_pseudonym(named: str, possible: str) -> None:
    found, _ = read_context(FileTree(PROJECT))
    text = f"{FILLER}“It is open,” {named} said. They sat with Sergeant Harrow."
    draft = filled_draft.filled(text, first_draft.draft(text, text.encode(), "example", taken=()), "x.yaml", found)
    assert f"pseudonym_possible: {possible}\n" in draft
    assert ("id: speaker-1\n" in draft) == (possible == "true"), "the id of a protected person has no name"


def test_an_event_named_after_a_person_is_no_person() -> None:
    text = f"{FILLER}President Orr Speech is late. {{}} Orr said that it was shut. Orr said that it was old."
    names = [re.findall('    name: "?(.*?)"?\n', filled(text.format(title))) for title in ("Mr.", "Later,")]
    assert names == [["Orr"], ["Orr Speech"]], "nothing else shows that Speech is no surname"


@pytest.mark.parametrize(
    ("name", "surname", "speaker"),
    [
        ("Ada in 't Orr", "In 't Orr", "ada-in-t-orr"),
        ("Ada in ’t Orr", "In ’t Orr", "ada-in-t-orr"),
        ("Ada van der Orr", "Van der Orr", "ada-van-der-orr"),
        ("Ada de Orr", "De Orr", "ada-de-orr"),
        ("Ada al-Orr", "Al-Orr", "ada-al-orr"),
        ("Ada d'Orr", "D'Orr", "ada-d-orr"),
        ("Ada O'Orr", "O'Orr", "ada-o-orr"),
        ("Ada Orr", "In Orr, Pelt", "speaker-1"),
    ],
)
def test_particles_are_part_of_a_surname(name: str, surname: str, speaker: str) -> None:
    drafted = filled(FILLER + f"{name}, a clerk, left. {surname} said that it was late.")
    assert re.findall("speaker: (.*)", drafted) == [speaker]


def test_a_crowd_is_one_group() -> None:
    draft = filled(FILLER + "The crowd said that it was old. “It is,” the crowd said. “Yes,” the Crowd said.")
    assert re.findall("speaker: (.*)", draft)[:2] == ["speaker-1", "speaker-1"]
    assert draft.count("kind: group") == 1


@pytest.mark.parametrize(
    ("said", "speakers"),
    [
        ("Mills are old, according to federal statistics.", ["speaker-1"]),
        ("New data show that mills are old.", ["speaker-1"]),
        ("A recent report found that mills are old.", ["speaker-1"]),
        ("His federal report found that mills are old.", ["speaker-1"]),
        ("The document says that the mill is shut.", ["speaker-1"]),
        ("A think tank said that mills are old.", ["who"]),
        ("Clerks left the Lamp Fund, a liberal think tank.", []),
    ],
)
def test_a_document_is_a_speaker_and_a_think_tank_none(said: str, speakers: list[str]) -> None:
    draft = filled(FILLER + said)
    assert re.findall("speaker: (.*)", draft) == speakers
    assert ("tank said" in draft) == ("A think tank said" in draft)
    names = re.findall('name: "(.*)"', draft)
    assert all(re.search(f'evidence: "(?:A |His )?{name}"', draft) for name in names)


def test_an_id_has_no_word_of_a_possessive_that_the_article_does_not_print() -> None:
    assert id_of_name("Mira Fenn’s campaign") == "mira-fenn-campaign"
    assert id_of_name("Quill's") == "quill"
    assert id_of_name("The Harrow Sands") == "the-harrow-sands"


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("Staff at Lamp Mobil met. Lamp Mobil said it was shut.", "institution"),
        ("Staff at Lamp Mobil met with Mobil. Lamp Mobil said it was shut.", "person"),
        ("Staff at Anna Mobil met. Anna Mobil said it was shut.", "person"),
        ("It burned in New Harrow. New Harrow said it was shut.", "institution"),
        ("Harrow TV said it was shut.", "institution"),
        ("Milo Arden III said it was shut.", "person"),
        ("Ohio Republicans said it was shut.", "group"),
        ("Milo Deans said it was shut.", "person"),
        ("Milo Burgmans left. It was shut, Mr Burgmans said.", "person"),
        ("R. Gil Orr said it was shut.", "person"),
    ],
)
def test_a_name_of_several_words_is_no_person_if_words_show_an_organisation_or_a_people(said: str, kind: str) -> None:
    assert re.findall(r"\n    kind: (\w+)", filled(FILLER + said)) == [kind]
