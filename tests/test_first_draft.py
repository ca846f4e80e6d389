"""A filled draft: what the text shows is proposed and marked, and nothing that only a person can decide."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from calling import run
from conftest import INVENTED, PROJECT, built, documents_of, found_in
from defectors_data.annotators import worklist
from defectors_data.annotators.drafts import filled_draft, first_draft
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.annotated_document import Document

ARTICLE = """Share this story
The Ferry No Longer Sails

By Ada Example and Ben Example
May 4, 2019

“We waited all night,” said Sgt. Milo Arden, 31, a keeper who sold 14 lanterns, “and nobody came.”

“There were 20 keepers on the pier,” he added. “The food was gone.”

Arden and his 4-year-old daughter left on May 2. “I will not go back,” said one keeper, who asked not to be named.

The Harbour Office said: “All 12 boats are safe.” “Not mine,” said Arden.

Dora Quill, 44, a clerk, insisted that “the lamps are dark.” She walked two miles.

“Come with us,” Iven said.

Copyright 2019 The Example Gazette
"""


@pytest.fixture
def drafted(copied: Path) -> Path:
    (copied / "seeds/903_arden.txt").write_text(ARTICLE, encoding="utf-8")
    ran = run("draft", "--fill", "903_arden", where=copied)
    assert (ran.returncode, ran.stdout) == (
        0,
        "annotations/903_arden.yaml: written. Next: defectors-data annotate 903_arden\n",
    )
    return copied


def arden(root: Path) -> Document:
    return next(each for each in documents_of(root) if each.source.seed == "903_arden.txt")


def test_a_filled_draft_has_only_findings_that_a_person_settles(drafted: Path) -> None:
    assert {each.code for each in found_in(drafted)} == {
        "draft-record",
    }
    document = arden(drafted)
    assert worklist.remaining(document) == []
    records = (document.source, *document.content.speakers, *document.content.testimonies)
    assert all(each.draft for each in (*records, *document.content.figures, *document.content.waivers))


def test_quotations_are_merged_and_have_the_speaker_of_their_attribution(drafted: Path) -> None:
    said = {t.evidence[0].text: (t.speaker, len(t.evidence)) for _, t in arden(drafted).testimonies}
    first = "the-ferry-no-longer-sails-speaker-1"
    assert said == {
        "We waited all night,": ("milo-arden", 2),
        "There were 20 keepers on the pier,": ("milo-arden", 2),
        "I will not go back,": (first, 1),
        "All 12 boats are safe.": ("harbour-office", 1),
        "Not mine,": ("milo-arden", 1),
        "the lamps are dark.": ("dora-quill", 1),
        "Come with us,": ("iven", 1),
    }


def test_an_age_is_proposed_on_the_mention_and_never_for_unnamed_persons(drafted: Path) -> None:
    content = arden(drafted).content
    mentions = {each.id: each.mentions[0] for each in content.speakers}
    assert (mentions["milo-arden"].evidence[0].text, getattr(mentions["milo-arden"], "age", None)) == (
        "Sgt. Milo Arden, 31, a keeper",
        31,
    )
    counted = {f.evidence[0].text: f.counted for f in content.figures}
    assert counted == {
        "a keeper who sold 14 lanterns": "lanterns that a keeper sold",
        "20 keepers": "keepers",
        "12 boats are safe": "boats that are safe",
        "She walked two miles": "miles that she walked",
    }
    [unnamed] = [each for each in content.speakers if each.id.endswith("-speaker-1")]
    stated = unnamed.model_dump(exclude_none=True, exclude={"mentions"})
    assert stated == {
        "id": "the-ferry-no-longer-sails-speaker-1",
        "kind": "person",
        "role": "other",
        "anonymity": "withheld",
        "request": "not_stated",
        "draft": True,
    }
    assert {w.evidence[0].text: w.reason for w in content.waivers}["4"] == "protected_attribute"


def test_byline_date_and_boilerplate_are_proposed(drafted: Path) -> None:
    source = arden(drafted).source
    assert source.authors
    assert source.authors.value == ("Ada Example", "Ben Example")
    assert source.published
    assert source.published.value == "2019-05-04"
    assert [part.text for part in source.boilerplate or ()] == [
        "Share this story",
        "Copyright 2019 The Example Gazette",
    ]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("May 4, 2019 10:14 AM ET", ["2019-05-04"]),
        ("Published: May 4, 2019\nUpdated: May 6, 2019", ["2019-05-04"]),
        ("May 4, 2019 Ada joins the crew.", []),
        ("May 4, 2019\nAda joined.\nJune 6, 2019\nAda left.", []),
    ],
)
def test_the_date_of_an_event_is_not_drafted_as_that_of_publication(lines: str, expected: list[str]) -> None:
    text = f"The ferry no longer sails\n\n{lines}\n\nNobody knew why the ferry had stopped.\n"
    typed = "\n".join(first_draft.facts(text))
    assert re.findall("published: .*value: ([0-9-]+)", typed) == expected
    assert "subtitle" not in typed


def test_no_guess_is_published_before_it_is_accepted(drafted: Path) -> None:
    """With every other draft accepted, one that is left still stops the build."""
    path = drafted / "annotations/903_arden.yaml"
    said = "attribution: {words: he added, antecedent: m1}"
    text = path.read_text(encoding="utf-8").replace('attribution: "he added"', said)
    lines = text.splitlines(keepends=True)
    accepted = [line for line in lines if line.strip() != "draft: true"]
    drafts = [i for i, line in enumerate(lines) if line.strip() == "draft: true"]
    for left in (drafts[0], drafts[1], drafts[8], drafts[-1]):  # the source, a speaker, a testimony, a waiver
        path.write_text("".join(lines[i] for i in range(len(lines)) if i == left or i not in drafts), encoding="utf-8")
        assert [each.code for each in found_in(drafted)] == ["draft-record"]
    assert built(drafted, drafted / "dist").outcome != "published"
    path.write_text("".join(accepted), encoding="utf-8")
    assert found_in(drafted) == []


@pytest.mark.parametrize("article", sorted((PROJECT / "tests/articles").glob("*.txt"))[::4], ids=lambda path: path.stem)
def test_a_draft_of_any_style_of_article_can_be_read(article: Path) -> None:
    text = article.read_text(encoding="utf-8").translate(dict.fromkeys(map(ord, "[]{}")))
    assert "draft: true" in filled(text)


def filled(text: str) -> str:
    """Return the filled draft for a text."""
    draft = first_draft.draft(text, text.encode(), "example", taken=())
    return filled_draft.filled(text, draft, "annotations/example.yaml", context())


@cache
def context() -> Context:
    """Return the shared files of the invented corpus."""
    found, _ = CorpusReader(FileTree(INVENTED)).context
    assert found
    return found


TITLE_IN_A_RUN = "A title\n\nAfter President Harrow Vane lost, he came. “The mill is gone,” {} said."


@pytest.mark.parametrize("speaker", ["Vane", "Dr. Vane", "President Harrow Vane", "President Vane"])
def test_a_title_inside_a_run_of_capitalized_words_is_no_part_of_the_name(speaker: str) -> None:
    draft = filled(TITLE_IN_A_RUN.format(speaker))
    assert ("- id: harrow-vane\n" in draft, 'name: "Harrow Vane"\n' in draft) == (True, True)


SOURCES = """A title

By Wednesday, “it was gone,” a spokesman for President Harrow Vane said.

“We left,” three keepers said on Thursday. “We rested,” they said.

In Rome, Pelt, 36, a clerk, said “it burned.”
"""


def test_a_draft_has_the_source_of_an_attribution_and_no_date_place_or_name_inside_it() -> None:
    draft = filled(SOURCES)
    speakers = draft[draft.index("\nspeakers:") : draft.index("\ntestimonies:")]
    assert re.findall(r"kind: (.*)", speakers) == ["person", "group", "person"]
    mentions = ['"a spokesman for President Harrow Vane"', '"three keepers"', '"Pelt, 36, a clerk"']
    assert re.findall(r"evidence: (.*)", speakers) == mentions
    assert re.findall(r"name: (.*)", speakers) == ["Pelt"]


FILLER = "The mill\n\nThe mill stood by the river, and it was the pride of the people who lived there.\n\n"
"""Enough words to recognise the language."""
TAIL = """The Mill Is Shut

“We are closed,” said Ada Orr. “Nobody came.”

Sources

"Mill shut at noon" — Harbour Times, May 4, 2019

Ben Pelt. "Two millers leave". The Example Gazette, May 5, 2019

Categories: May 4, 2019 Mills Harbour
"""


@pytest.mark.parametrize("heading", ["Sources\n\n", "References:\n", ""])
def test_lists_at_the_end_are_boilerplate_in_which_nobody_speaks(heading: str) -> None:
    text = TAIL.replace("Sources\n\n", heading)
    start = heading.strip() or '\\"Mill shut'
    draft = filled(text)
    assert f'boilerplate: ["{start}' in draft
    assert draft.count("mode: ") == 1
    assert draft.endswith("\nfigures: []\n\nwaivers: []\n")


@pytest.mark.parametrize(
    "said", ["The river has two sources. “I saw both,” said Ada Orr.", "“It is shut,” said Ben Pelt, who left in 2003."]
)
def test_a_paragraph_at_the_end_is_no_boilerplate(said: str) -> None:
    text = TAIL.partition('"Mill')[0] + f"{said}\n"
    assert "boilerplate" not in filled(text)


@pytest.mark.parametrize(
    ("sentence", "proposed"),
    [
        ("Her book “The Last Mill of Harrow” is sold out.", "reason: title"),
        ("In a memo titled “Nothing left,” the board warned that the dam could fail.", "reason: title"),
        ("Under the headline “The Last Mill”, an essay of the week made it famous.", "reason: title"),
        ("A film by Ada Orr called “Wheels” was shown.", "reason: title"),
        ("It is the last week of his role at “Mill Hour.” He left.", "reason: title"),
        ("He shouted “Mill Hour.” It rained.", "mode: direct"),
        ("In a memo that Ada Orr called “shameful,” the mill was praised.", "mode: direct"),
        ("The pages were marked “for keepers only” in red.", "reason: term"),
        ("It referred to the list, adding the words “and Lamps” to its name.", "reason: term"),
        ("He told us two things: it burned, and it was dark.", "reason: not_a_quantity"),
        ("The two left Rome.", "reason: not_a_quantity"),
        ("Orr saw the two of them, and Pelt, the older of the three.", "reason: not_a_quantity"),
        ("“It is shut,” the two write.", "reason: not_a_quantity"),
        ("The three said that it is shut.", "reason: not_a_quantity"),
        ("These two claim that it is shut.", "reason: not_a_quantity"),
        ("Two mills burned. These two say it is shut.", "reason: not_a_quantity"),
        ("The two claim forms are old.", "value: 2"),
        ("The two armed men left Rome.", "value: 2"),
        ("The two of 14 mills in Rome burned.", "value: 2"),
        ("They are 30 percent behind.", "value: 30"),
        ("They are 100 percent accurate.", "value: 100"),
        ("They have a nine-month-old child.", "reason: protected_attribute"),
        ("They left a 15-year-old church member in Rome.", "reason: protected_attribute"),
        ("They left the 40-year-old mill embargo on Rome.", "value: 40"),
        ("Guests were Ada Orr, at 15 the youngest guest.", "reason: protected_attribute"),
        ("Guests were Ada Orr, at 15, and a miller.", "reason: protected_attribute"),
        ("Guests were Ada Orr, aged 15, and a miller.", "reason: protected_attribute"),
        ("Ada Orr was a miller. She was 92.", "reason: protected_attribute"),
        ("Guests were Ada Orr, 15, and a miller.", "reason: protected_attribute"),
        ("Guests were Ada Orr, now 15 and a miller.", "reason: protected_attribute"),
        ("It is shut for voters under age 15.", "reason: protected_attribute"),
        ("Adults over 45 left, and men younger than 45.", "reason: protected_attribute"),
        ("It is older than 12 mills.", "counted: mills"),
        ("They are adults at 18 in Rome.", "reason: protected_attribute"),
        ("It is popular with the over-50 keepers.", "reason: protected_attribute"),
        ("It was read by those aged between 15 and 34.", "reason: protected_attribute"),
        ("It was read by many over 65s.", "reason: protected_attribute"),
        ("Guests are in their 40s.", "reason: protected_attribute"),
        ("It burned in the 40s.", "reason: date"),
        ("“Roughly 80% of lamps are old,” Ada Orr said.", 'evidence: "Roughly 80% of lamps are old,"'),
        ("“Roughly 80% of lamps are old,” Ada Orr said.", 'evidence: "Roughly 80% of lamps are old"'),
        ("It burned in the caf&#233;s of Rome.", "reason: detector_error"),
        ("Pelt sold Lamp 2. Lamp 2 sells well in Rome.", "reason: name"),
        ("They lit Lamp 12 lamps and Mill 12 mills, and Lamp 12 mills.", "value: 12"),
        ("Sales of the game Lamp 2 on the console fell.", "reason: name"),
        ("They sold lamps in Harrow 2 for a year.", "value: 2"),
        ("They say that Lamp 2 would be old.", "reason: name"),
        ("They say that the Lamp 1.0 reader is old.", "reason: name"),
        ("They say that Lamp 1.0 was old.", "reason: name"),
        ("They say that in Rome 1.0 per cent of lamps broke.", "value: 1\n"),
        ("In all, Orr got 5 votes and Pelt 3. It was late.", "value: 3"),
        ("Rapper 50 Mill left Rome, and 50 Mill will not be back.", "reason: name"),
        ("They watch Five in Rome. Five said that it is shut.", "reason: name"),
        ("They met in Rome. Five keepers said that it is shut.", "value: 5"),
        ("Words such as “lamp” and “mill” reflected the age.", "reason: term"),
        ("“It was told of that. “They have a mill.” It rained.", '["It was told of that.", "They have a mill."]'),
        ("It burned for the under-21s of Rome.", "reason: protected_attribute"),
        ("The mill in Overton 3 is shut. Overton 3 was sold.", "reason: name"),
        ("It burned, and 12 under-21s of Rome left.", 'counted: "under-21s of Rome"'),
        ("It burned, and 12 under-21s of Rome left.", "unit: person\n"),
        ("It burned, and 12 Mill MPs left.", "unit: person\n"),
        ("Orr has sought to calm them.", "stance: intends"),
        ("Orr has sought a loan.", "stance: calls_for"),
        ("“The Last Mill Is Gone,” Ada Orr said.", "mode: direct"),
        ("Ada “Bell” Orr came. “It is shut,” she said.", "reason: term"),
        ("The mill is expected to get a “lamp park” in May.", "reason: term"),
        ("The mill was described as “old” by Ada Orr.", "mode: indirect"),
        ("Ada Bell Mill burned. “It is shut,” she said.", "speaker: who"),
        ("Ada said “Help” Friday.", "Ada said “Help” Friday"),
        ("Ada Orr called it “a shame”.", "mode: indirect"),
        ("Ada Orr said that, if the mill burned, they should be declared free.", "declared free."),
        ("Ada Orr said if it was sold, the mill would aim to shut.", "aim to shut."),
        ("Ada Orr praised the mill, although it was shut.", 'praised the mill"\n'),
        ("The old mill was shut, Ada Orr told the Post.", "told the Post."),
        ("Ada Orr urged them to leave in a letter.", "leave in a letter."),
        ("The nine-month-old strike ended.", "unit: month"),
        ("Ada Orr said that the old mill “has burned down more than once.”", 'more than once.”"'),
    ],
)
def test_words_are_proposed_as_what_they_are(sentence: str, proposed: str) -> None:
    assert proposed in filled(FILLER + sentence)


def test_a_number_in_the_title_repeats_the_figure_of_the_article() -> None:
    body = "\n\nThe mill was open. The deal of the millers lasts four {}.\n"
    title = "Millers reach four-year deal"
    assert "reason: repeat\n    repeats: f1\n" in filled(title + body.format("years"))
    assert "repeat" not in filled(title + body.format("days"))


def test_what_the_headline_reports_is_no_testimony_and_what_it_quotes_is_waived() -> None:
    body = "\n\nThe mill was open. The mill is “gone for good,” Ada Orr said.\n"
    reported = filled("A miller says the old mill is shut" + body)
    assert re.findall("speaker: (.*)", reported) == ["ada-orr"]
    assert "miller" not in reported.partition("speakers:")[2]
    quoted = filled("The old mill is “gone for good,” Orr says" + body)
    assert re.findall("speaker: (.*)", quoted) == ["ada-orr"]
    assert 'evidence: "gone for good,"\n    reason: repeat\n    repeats: t1\n' in re.sub(
        "{text: (.*?), .*}", r"\1", quoted
    )
    assert "mode: direct" in filled("“The old mill is gone,” Ada Orr says" + body), "only the headline quotes it"


@pytest.mark.parametrize(
    ("rare", "usual"),
    [
        ("The mill is considered one of the oldest.", "Millers consider the mill one of the oldest."),
        ("His ideas have not been discussed.", "His ideas have been discussed by Ada Orr."),
        ("The old plan must be approved by Ada Orr.", "The old plan was approved by Ada Orr."),
        ("The fire challenged the old mill.", "The owners challenged the old mill."),
        ("The mill is offering new lamps.", "The mill is offering to sell lamps."),
        ("The habit explains the old mill.", "The report explains why the mill is old."),
        ("It goes back to an old mill.", "Millers back the old mill."),
        ("It grew more slowly than expected, the old mill.", "Millers expected the old mill to close."),
        ("They are only lists of the old mill.", "Ada Orr lists the faults of the old mill."),
        ("It was old, according to the rules.", "It was old, according to Ada Orr."),
        ("Orr left the old mill to the 12% the mill estimated a month ago.", "The mill estimated that it was old."),
        ("A spokesman for the old mill refused to comment.", "A spokesman for Harrow refused to shut the old mill."),
        ("Cold rain threatened the old mill.", "The millers threatened to leave the old mill."),
        ("Ada Orr put the old mill on sale.", "Ada Orr put the old mill at 12 lamps."),
        ("Tours paused to remember the old mill.", "Ada Orr came to say that the mill was shut."),
        ("The fire led to protests fighting the old mill.", "Ada Orr protested the old rule."),
        ("It was an attempt to attack the old mill.", "Ada Orr came to attack the old mill."),
        ("A tour promoted by Ada Orr reached the old mill.", "A tour was promoted by Ada Orr."),
        ("Ada Orr left amid fears that the mill was shut.", "Ada Orr left and fears that the mill was shut."),
        ("Ada Orr used lamps to explain the old mill.", "Ada Orr is due to explain the old mill."),
        ("The song was written by Ada Orr.", "The old mill was criticised by Ada Orr."),
        ("Ada Orr offered lamps for the old mill.", "Ada Orr offered to sell the old mill."),
        ("The closures appear to hurt the old mill.", "Ada Orr hopes to work at the old mill."),
    ],
)
def test_a_construction_that_rarely_has_a_speaker_is_no_draft(rare: str, usual: str) -> None:
    assert [filled(FILLER + each).count("mode: ") for each in (rare, usual)] == [0, 1]


def test_a_new_corpus_has_the_roles_that_titles_show(tmp_path: Path) -> None:
    assert run("init", "mills", "--empty", "--title", "Mills", "--subject", "mills", where=tmp_path).returncode == 0
    said = "Mill Secretary Ada Orr and the clerks wept. “It is open,” Orr said. “It is not,” the firm Pelt said."
    said += " Lamp regulator Ofkeep and lamp research firm Arvane met. “No,” Ofkeep said. Arvane said that it burned."
    (tmp_path / "mills/seeds/901_mill.txt").write_text(FILLER + said, encoding="utf-8")
    assert run("draft", "--fill", "901_mill", where=tmp_path / "mills").returncode == 0
    draft = (tmp_path / "mills/annotations/901_mill.yaml").read_text(encoding="utf-8")
    assert re.findall("role: (.*)", draft) == ["official", "representative", "official", "expert"]


WORDS = (
    "President Minister Foreign General Gen. Dr. Mr. Sgt. Vane Harrow Quill D.C.’s Vane’s McVane the The a one who he "
    "after After 31 44, two 12% $3 4-year-old said said, added , . : ; — - “ ” ‘ ’ \" ' and de van By Copyright ©"
)
ANY_WORDS = st.lists(st.sampled_from([*WORDS.split(), "\n", "\n\n", "\nBy ", "May 4, 2019\n"]), max_size=60)
ANY_CHARACTERS = st.text(st.characters(exclude_categories=["Cs", "Cc"]))
ANY_TEXT = st.one_of(ANY_WORDS.map(" ".join), ANY_CHARACTERS).filter(str.strip)  # an empty seed is a finding


@given(ANY_TEXT)
@example(TITLE_IN_A_RUN.format("Vane"))
def test_a_draft_of_any_text_is_written(text: str) -> None:
    assert filled(text).startswith("# What is left to annotate")


@pytest.mark.parametrize("name", ["902 my mill", "902_mühle"])
def test_a_seed_with_a_name_that_cannot_be_published_is_refused(copied: Path, name: str) -> None:
    (copied / f"seeds/{name}.txt").write_text("A mill burns at noon\n", encoding="utf-8")
    ran = run("draft", name, where=copied)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr.startswith(f"Rename seeds/{name}.txt first. The name of a seed has this form: unaccented letters")
    assert not (copied / f"annotations/{name}.yaml").exists()


@pytest.mark.parametrize("command", ["todo", "annotate"])
def test_a_seed_without_annotations_is_not_called_unknown(copied: Path, command: str) -> None:
    (copied / "seeds/902.txt").write_text("A mill burns at noon\n", encoding="utf-8")
    ran = run(command, "902", where=copied)
    assert (ran.returncode, ran.stderr) == (1, "902 has no annotations yet. Run `defectors-data draft --fill 902`.\n")


def test_todo_offers_a_broken_quotation_once_and_an_age_as_a_mention(copied: Path) -> None:
    (copied / "seeds/903_arden.txt").write_text(ARTICLE, encoding="utf-8")
    run("draft", "903_arden", where=copied)
    shown = run("todo", "903_arden", where=copied).stdout
    assert 'evidence: ["We waited all night,", "and nobody came."]' in shown
    assert '-m1\n      evidence: "Sgt. Milo Arden, 31"\n      age: 31' in shown
    assert shown.endswith("7 quotations, 10 quantities left in 903_arden.txt\n")


def test_the_age_after_the_surname_of_a_named_speaker_is_on_a_mention(tmp_path: Path) -> None:
    own = tmp_path / "own"
    assert run("init", own, "--title", "The lamps").returncode == 0
    text = 'Keepers sell old lamps\n\nMilo Arden said, "No lamp is left." Arden, 31, left. Dora Quill, 40, slept.\n'
    (own / "seeds/001_lamps.txt").write_text(text, encoding="utf-8")
    assert run("draft", "--fill", "001_lamps", where=own).returncode == 0
    written = (own / "annotations/001_lamps.yaml").read_text(encoding="utf-8")
    speaker, _, waivers = written.partition("testimonies:")
    assert "id: milo-arden" in speaker
    assert re.search(r"evidence: .*Arden, 31.*\n +age: 31", speaker)
    assert "Arden" not in waivers.partition("waivers:")[2]
    assert "protected_attribute" in waivers


@pytest.mark.parametrize(
    ("said", "evidence"),
    [("The mother of three replied, “It is old.”", "mother of three"), ("All three replied.", "three replied")],
)
def test_the_children_of_a_mother_are_counted_without_the_verb_after_them(said: str, evidence: str) -> None:
    figures = filled(FILLER + said).partition("\nfigures:")[2]
    assert re.findall('evidence: "(.*)"', figures)[0] == evidence


@pytest.mark.parametrize(
    ("words", "evidence"),
    [
        ('<note by="Arden Quill said" to="It rained all night.">', '"to="'),
        ("“It rained all night. He left.", '{text: "It rained all night. He left.", unbalanced: closing}'),
    ],
)
def test_a_mark_is_called_omitted_only_where_none_is_next_to_the_words(words: str, evidence: str) -> None:
    assert f"    evidence: {evidence}\n" in filled(f"Title\n\n{words}\n")


def test_a_draft_has_nothing_from_those_who_did_not_respond_and_one_waiver_for_quoted_words() -> None:
    draft = filled(
        "The Mill\n\nA spokesman for Harrow did not respond to a request. A clerk responded that it rained."
        " Ada Orr said that it was late. One letter was old. It did not mention lamps."
        " He left briefly his policy of not attacking the mill in winter.\n\n"
        '<tweet id="699320266804092929">It rained.</tweet>'
    )
    assert "spokesman" not in draft
    assert "A clerk responded" in draft
    assert "attacking the mill" not in draft
    assert "mention lamps" not in draft
    assert draft.count('evidence: "699320266804092929"\n') == 1


@pytest.mark.parametrize(("named", "speaker"), [("Ben Pelt", "who"), ("Ben Vane", "ada-orr")])
def test_a_speaker_whom_the_rules_would_refuse_is_left_open(named: str, speaker: str) -> None:
    said = f"“It is old,” Ben Pelt said.\n\n“It rained,” Ada Orr said of {named}.\n\n“It was late.”"
    drafted = filled(f"The Mill\n\nThe mill was old.\n\n{said}")
    assert re.findall("speaker: (.*)", drafted)[-1] == speaker


@pytest.mark.parametrize(
    ("said", "is_theirs"),
    [
        ("Ada Orr rejected a plan to close 12 mills.", False),
        ("Ada Orr denounced the plan, saying that 12 mills would close.", True),
        ("Ada Orr urged the closure of 12 mills.", True),
        ("Ada Orr, who sold 12 mills, said that it rained.", False),
        ("Ada Orr decided to sell 12 mills.", False),
    ],
)
def test_a_number_in_what_a_person_rejects_or_that_introduces_them_is_the_writers(said: str, is_theirs: bool) -> None:
    assert ("    attributed_to: ada-orr\n" in filled(FILLER + said)) == is_theirs
