"""What follows when the speaker of a testimony is chosen on the page for annotators."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from conftest import edit, found_in
from defectors_data.annotators.workbench.project_files import EditedProject
from test_workbench import FILE, act, sha256
from test_workbench_codes import card_of
from test_workbench_forms import with_sentence
from test_workbench_own_corpus import Own


def with_drafts(root: Path, *said: tuple[str, str], speaker: str = "who") -> None:
    """Add sentences to the article, and for each, with its attribution, the draft of an indirect testimony: t20, ..."""
    with_sentence(root, " ".join(words for words, _ in said))
    drafts = ""
    for number, (words, attribution) in enumerate(said, start=20):
        drafts += f"  - id: example-t{number}\n    draft: true\n    speaker: {speaker}\n    mode: indirect\n"
        drafts += f'    evidence: "{words}"\n    attribution: {attribution}\n'
        drafts += "    themes: [weather]\n    access: about_others\n    outlet_kind: not_stated\n"
    edit(root, FILE, "\nfigures:\n", f"{drafts}\nfigures:\n")


def choose(client: TestClient, root: Path, record: str, speaker: str) -> str:
    answer = act(client, "change", sha256=sha256(root), id=record, values={"speaker": speaker})
    assert answer.is_success, answer.text
    return str(answer.json())


ISLANDER = ("The old islander insisted that the pier was safe.", "The old islander insisted")


def test_a_description_of_the_speaker_who_is_chosen_is_a_mention_where_it_leads_to_no_other_record(
    client: TestClient, copied: Path
) -> None:
    with_drafts(copied, ISLANDER)
    before = (copied / FILE).read_text(encoding="utf-8")
    said = choose(client, copied, "example-t20", "bruno-salt")
    assert said == "; “The old islander” is now a mention of Bruno Salt"
    card = card_of(copied, "example-t20")
    assert (card.draft, card.findings, card.facts["attribution"]) == (False, (), "The old islander insisted")
    assert card_of(copied, "example-m6").facts["speaker"] == "Bruno Salt"
    assert act(client, "undo").json() == "Undone: changed t20."
    assert (copied / FILE).read_text(encoding="utf-8") == before
    # After a statement of the speaker, and with nobody in between, the description leads to that.
    assert choose(client, copied, "example-t20", "mira-fenn") == "; with attribution antecedent “t9”"
    assert card_of(copied, "example-t20").facts["attribution"] == "The old islander insisted, antecedent: t9"


def test_a_draft_whose_description_could_mean_others_is_accepted_with_a_mention(
    client: TestClient, copied: Path
) -> None:
    words, attribution = ISLANDER
    with_drafts(copied, (words, f"{{words: {attribution}, antecedent: example-t4}}"), speaker="bruno-salt")
    card = card_of(copied, "example-t20")
    assert ([each.code for each in card.findings], card.introduces) == (["undeclared-rival"], True)
    answer = act(client, "accept", sha256=sha256(copied), id="example-t20")
    assert answer.json() == "; with no attribution antecedent; “The old islander” is now a mention of Bruno Salt"
    assert not card_of(copied, "example-t20").findings


def test_a_mention_in_an_accepted_testimony_has_its_speaker_and_the_words_of_its_attribution(
    client: TestClient, copied: Path
) -> None:
    words, attribution = ISLANDER
    with_drafts(copied, (words, f"{{words: {attribution}, antecedent: example-t4}}"), speaker="bruno-salt")
    edit(copied, FILE, "  - id: example-t20\n    draft: true\n", "  - id: example-t20\n")
    spans = [[each.start, each.end] for each in card_of(copied, "example-t20").spans]
    proposed = act(client, "propose", kind="mention", id="example-t20", spans=spans).json()
    assert [each["text"] for each in proposed["parts"]] == ["The old islander"]
    values = {field["key"]: field["value"] for field in proposed["fields"]}
    assert values["speaker"] == "bruno-salt"
    chosen = [each["span"] for each in proposed["parts"]]
    body = {"kind": "mention", "id": "example-t20", "spans": chosen, "values": {"speaker": "bruno-salt"}}
    assert act(client, "add", sha256=sha256(copied), **body).is_success
    assert not card_of(copied, "example-t20").findings


@pytest.mark.parametrize("is_draft", [True, False])
@pytest.mark.parametrize(("said", "is_before"), [("Fenn told them", True), ("", True), ("Fenn, a clerk", False)])
def test_a_new_testimony_is_the_antecedent_of_those_of_its_speaker_after_it(
    client: TestClient, copied: Path, said: str, *, is_before: bool, is_draft: bool
) -> None:
    words = "She said that the pier was shut."
    text = with_sentence(copied, f"Fenn told them that it rained. {words}")
    state = "    draft: true\n" * is_draft
    draft = f"  - id: example-t20\n{state}    speaker: mira-fenn\n    mode: indirect\n"
    draft += f"    evidence: {words}\n    attribution: {{words: She said, antecedent: example-t9}}\n"
    draft += "    themes: [weather]\n    access: about_others\n    outlet_kind: not_stated\n"
    edit(copied, FILE, "\nfigures:\n", f"{draft}\nfigures:\n")
    start = text.index("Fenn told them")
    spans = [[start, start + len("Fenn told them that it rained.")]]
    values = {"speaker": "mira-fenn", "mode": "narrated", "themes": "weather", "attribution": {"words": said}}
    values |= {"access": "about_others", "outlet_kind": "not_stated"}
    answer = act(client, "add", sha256=sha256(copied), kind="testimony", spans=spans, values=values)
    is_moved = is_before and bool(said)
    assert answer.json().endswith("; also changed: t20") is is_moved
    card = card_of(copied, "example-t20")
    assert card.facts["attribution"] == f"She said, antecedent: {'t10' if is_moved else 't9'}"
    assert "wrong-antecedent" not in {each.code for each in card.findings} or is_draft


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        ("A notice signed by Mira Fenn said the pier was shut.", "A notice signed", "Mira Fenn said"),
        ("According to Mira Fenn, keepers asked for oil.", "[keepers, asked]", "According to Mira Fenn"),
        ("A notice of Fenn’s said the pier was shut.", "A notice", "A notice"),
        ("She said Fenn told them that the pier was shut.", "She said", "She said, antecedent: t9"),
    ],
)
def test_the_attribution_is_the_name_of_the_speaker_who_is_chosen_if_a_verb_is_next_to_it(
    client: TestClient, copied: Path, words: str, before: str, after: str
) -> None:
    with_drafts(copied, (words, before))
    choose(client, copied, "example-t20", "mira-fenn")
    assert card_of(copied, "example-t20").facts["attribution"] == after


@pytest.mark.parametrize(
    ("sentence", "known", "mention", "attribution"),
    [
        ("Orra Holt left. She feared the fog.", "She feared", "Orra Holt", "She feared, antecedent: m6"),
        ("The old islander feared the fog.", "The old islander feared", "The old islander", "The old islander feared"),
        ("Fearing the fog, Orra Holt left.", "Fearing", "Orra Holt", "Orra Holt"),
    ],
)
def test_narration_is_about_the_speaker_whom_a_mention_introduces(
    client: TestClient, copied: Path, sentence: str, known: str, mention: str, attribution: str
) -> None:
    with_drafts(copied, (sentence, f"{{words: {known}, about: true}}"))
    edit(copied, FILE, f'indirect\n    evidence: "{sentence}', f'narrated\n    evidence: "{sentence}')
    text = (copied / "seeds/900_example.txt").read_text(encoding="utf-8")
    at = text.index(mention, text.index(sentence))
    values = {"kind": "person", "role": "other", "anonymity": "partial", "name": "Holt"}
    body = {"kind": "mention", "id": "example-t20", "spans": [[at, at + len(mention)]], "values": values}
    answer = act(client, "add", sha256=sha256(copied), **body)
    assert answer.is_success, answer.text
    assert card_of(copied, "example-t20").facts["attribution"] == attribution
    [said] = [each for _, each in EditedProject(copied).document("900_example").testimonies if each.id == "example-t20"]
    assert said.attribution is not None
    assert said.attribution.about


def test_the_words_that_show_an_attribute_and_its_reason_are_no_terms(client: TestClient, copied: Path) -> None:
    fields = act(client, "current", id="mira-fenn").json()
    found = {field["key"]: field["terms"] for field in fields if field["terms"]}
    assert found == {"role": "roles", "rank_class": "rank_classes", "branch": "branches"}
    inner = [each for field in fields for each in field["fields"]]
    assert {"role", "rank_class", "branch"} < {each["key"] for each in inner}
    assert not any(each["terms"] or (each["type"] == "words" and each["choices"]) for each in inner)
    values = {"attested_by": {"role": "a clerk"}, "definitions": {"roles/a clerk": "Never asked for."}}
    vocabulary = (copied / "annotations/vocabulary.yaml").read_bytes()
    answer = act(client, "change", sha256=sha256(copied), id="mira-fenn", values=values)
    assert answer.is_success, answer.text
    assert 'attested_by: {role: "a clerk"}' in (copied / FILE).read_text(encoding="utf-8")
    assert (copied / "annotations/vocabulary.yaml").read_bytes() == vocabulary


ATTESTED = "        attested_by: {role: a clerk, gender: Mira Fenn said}\n"


@pytest.mark.parametrize(
    ("before", "record", "values", "after", "said"),
    [
        (ATTESTED, "mira-fenn", {"role": "analyst"}, "        attested_by: {gender: Mira Fenn said}\n",
         "; removed “a clerk”, which showed the former role"),
        (ATTESTED, "mira-fenn", {"role": "analyst", "attested_by": {"role": "Fenn, a clerk"}},
         '        attested_by: {role: "Fenn, a clerk"}\n', ""),
        (ATTESTED, "mira-fenn", {"role": "other", "name": "Mira Fenn"}, ATTESTED, ""),
        ("        attested_by: {role: the police}\n", "mira-fenn", {"role": "security_official"},
         "        attested_by: {role: the police}\n", ""),
        ("        attested_by: {role: a clerk}\n", "mira-fenn", {"role": "analyst"}, "",
         "; removed “a clerk”, which showed the former role"),
    ],
)  # fmt: skip
def test_the_words_that_showed_a_value_go_with_it_unless_they_show_the_new_one(
    client: TestClient, copied: Path, before: str, record: str, values: dict[str, object], after: str, said: str
) -> None:
    with_sentence(copied, "Fenn spoke to the police.")
    edit(copied, FILE, "        affiliation: clerk\n", f"        affiliation: clerk\n{before}")
    answer = act(client, "change", sha256=sha256(copied), id=record, values=values)
    assert answer.json() == said
    assert f"        affiliation: clerk\n{after}\ntestimonies:" in (copied / FILE).read_text(encoding="utf-8")


@pytest.mark.parametrize(("reason", "is_kept"), [("told_events", False), ("writes_the_text", True)])
def test_the_reason_why_a_role_was_inferred_goes_with_the_role(
    client: TestClient, copied: Path, reason: str, is_kept: bool
) -> None:
    entry = f"    role: other\n    anonymity: named\n    inferred: {{role: {reason}}}\n"
    edit(copied, FILE, "    role: other\n    anonymity: named\n", entry)
    answer = act(client, "change", sha256=sha256(copied), id="mira-fenn", values={"role": "analyst"})
    assert ("; removed the reason why the former role was inferred" in answer.json()) is not is_kept
    assert ("inferred: {role:" in (copied / FILE).read_text(encoding="utf-8")) is is_kept


def test_the_words_that_showed_a_value_of_a_shared_speaker_go_with_it(client: TestClient, copied: Path) -> None:
    answer = act(client, "change", sha256=sha256(copied), id="bruno-salt", values={"gender": "female"})
    assert answer.json().endswith("; removed “he rowed across at night”, which showed the former gender")
    assert "attested_by" not in (copied / FILE).read_text(encoding="utf-8").partition("example-speaker-1")[0]
    words = {"attested_by": {"gender": "he rowed across at night", "branch": "the Coast Watch"}}
    assert act(client, "change", sha256=sha256(copied), id="bruno-salt", values=words).is_success
    answer = act(client, "change", sha256=sha256(copied), id="bruno-salt", values={"gender": "male"})
    assert "removed" not in answer.json(), "they show this one"
    for branch, is_removed in (("army", True), ("navy", False)):
        answer = act(client, "change", sha256=sha256(copied), id="bruno-salt", values={"branch": branch})
        assert ("; removed “the Coast Watch”, which showed the former branch" in answer.json()) is is_removed


def test_the_list_of_speakers_says_what_to_type_for_somebody_who_is_no_speaker_yet(
    client: TestClient, copied: Path
) -> None:
    def described() -> str:
        [field] = [each for each in act(client, "current", id="example-t9").json() if each["key"] == "speaker"]
        return str(field["description"])

    assert described().endswith("not in the list, “the writer” for the writer.")
    writer = "  - {id: example-speaker-9, kind: writer, role: other, name: Ada Example}\n"
    edit(copied, FILE, "\ntestimonies:\n", f"{writer}\ntestimonies:\n")
    assert described().endswith("Type “a new” for a speaker who is not in the list.")


GUESSED = "Orra Holt (a guess: no verb was found)"


@pytest.mark.parametrize(
    ("sentences", "evidence", "known", "attribution"),
    [
        ("Orra Holt wrote on the mill. In it, asking him about the fog, the letter claims an error.",
         "asking him about the fog, the letter claims an error", "[asking him, claims]", GUESSED),
        ("Orra Holt wrote to the board, asking him about the fog.", "asking him about the fog", "asking him",
         "Orra Holt […] asking"),
        ("Orra Holt wrote to the board. She asked him about the fog.", "about the fog", "She asked",
         "She asked, antecedent: m6"),
        ("Orra Holt wrote to the board, asking about the fog.", "asking about the fog", "", "Orra Holt […] asking"),
        ("For poets, writing songs on fog is over: that concerns Orra Holt.", "writing songs on fog is over", "",
         GUESSED),
        ("The mill had singers writing songs on fog, which troubles Orra Holt.", "writing songs on fog",
         "[The mill, writing]", GUESSED),
    ],
)  # fmt: skip
def test_a_mention_replaces_the_words_of_an_attribution_that_mean_another_person(
    client: TestClient, copied: Path, sentences: str, evidence: str, known: str, attribution: str
) -> None:
    text = with_sentence(copied, sentences)
    said = f"    attribution: {known}\n" * bool(known)
    draft = f"  - id: example-t20\n    draft: true\n    speaker: who\n    mode: indirect\n    evidence: {evidence}\n"
    edit(copied, FILE, "\nfigures:\n", f"{draft}{said}    themes: [weather]\n\nfigures:\n")
    at = text.index("Orra Holt")
    values = {"kind": "person", "role": "other", "anonymity": "named", "name": "Orra Holt"}
    body = {"kind": "mention", "id": "example-t20", "spans": [[at, at + 9]], "values": values}
    answer = act(client, "add", sha256=sha256(copied), **body)
    assert answer.is_success, answer.text
    card = card_of(copied, "example-t20")
    assert (card.facts["speaker"], card.facts["attribution"]) == ("Orra Holt", attribution)
    assert ("whose attribution is a guess" in answer.text) == (attribution == GUESSED)
    codes = {each.code for each in card.findings}
    assert not codes & {"name-in-another-role", "attribution-without-name", "attribution-far-away"}


@pytest.mark.parametrize(
    ("words", "antecedent"), [("the clerk insisted", "t9"), ("Fenn", ""), ("the keeper insisted", "t9")]
)
def test_the_words_of_a_new_testimony_lead_to_the_last_record_of_its_speaker_unless_they_name_one(
    client: TestClient, copied: Path, words: str, antecedent: str
) -> None:
    sentence = "It rained, the clerk insisted, and Fenn and the keeper insisted on oil."
    text = with_sentence(copied, sentence)
    start = text.index(sentence)
    values = {"speaker": "mira-fenn", "mode": "indirect", "themes": "weather", "attribution": {"words": words}}
    values |= {"access": "about_others", "outlet_kind": "not_stated"}
    body = {"kind": "testimony", "spans": [[start, start + len(sentence)]], "values": values}
    assert act(client, "add", sha256=sha256(copied), **body).is_success
    card = card_of(copied, "example-t10")
    assert card.facts["attribution"] == words + f", antecedent: {antecedent}" * bool(antecedent)


@pytest.mark.parametrize("rival", ["example-m1", "lamps"])
def test_lists_of_records_name_their_speakers_also_that_of_rivals(client: TestClient, copied: Path, rival: str) -> None:
    led = "about: true, antecedent: example-m2"
    edit(copied, FILE, led, f"{led}, rival: {rival}")
    before = (copied / FILE).read_text(encoding="utf-8")
    fields = {field["key"]: field for field in act(client, "current", id="example-t4").json()}
    said = {field["key"]: field for field in fields["attribution"]["fields"]}
    labels = {choice["value"]: choice["label"] for choice in said["antecedent"]["choices"]}
    assert labels["example-m2"].startswith("Bruno Salt, m2: ")
    assert labels["example-t3"].startswith("Bruno Salt, t3: ")
    assert (said["rival"]["closed"], said["rival"]["value"]) == (True, rival)
    offered = ["", "example-m1", "example-m2", *{rival} - {"example-m1"}]
    assert [choice["value"] for choice in said["rival"]["choices"]] == offered
    values = {"attribution": {key: field["value"] for key, field in said.items()}, "mode": "narrated"}
    assert act(client, "change", sha256=sha256(copied), id="example-t4", values=values).is_success
    assert (copied / FILE).read_text(encoding="utf-8") == before, "what is not changed stays"


@pytest.mark.parametrize(
    ("sentence", "speaker", "attribution"),
    [
        ("“It rained,” {} continued on the pier, saying that it rains.", "he", "he continued, antecedent: t21"),
        ("“It rained,” {} continued on the pier, saying that it rains.", "she", ""),
        ("“It rained,” {} continued on the pier, saying that it rains.", "one keeper", ""),
        ("The pier was shut, {} said, saying that it rains.", "Bruno Salt", "Bruno Salt said"),
    ],
)
def test_a_draft_continues_no_testimony_if_its_sentence_says_who_speaks(
    client: TestClient, copied: Path, sentence: str, speaker: str, attribution: str
) -> None:
    with_sentence(copied, f"“It was late,” Bruno Salt said. {sentence.format(speaker)}")
    before = "  - id: example-t21\n    speaker: bruno-salt\n    mode: direct\n    evidence: It was late,\n"
    before += "    attribution: Bruno Salt said\n    themes: [weather]\n"
    edit(copied, FILE, "\nfigures:\n", f"{before}\nfigures:\n")
    draft = "  - id: example-t20\n    draft: true\n    speaker: who\n    mode: indirect\n"
    draft += "    evidence: saying that it rains\n    themes: [weather]\n    access: not_stated\n"
    edit(copied, FILE, "\nfigures:\n", f"{draft}    outlet_kind: not_stated\n\nfigures:\n")
    fields = {each["key"]: each for each in act(client, "current", id="example-t20").json()}
    offered = {each["key"]: each["by_speaker"].get("bruno-salt", "") for each in fields["attribution"]["fields"]}
    assert offered["words"] == attribution.partition(",")[0]
    assert not offered["continues"]
    given = {"speaker": "bruno-salt", "draft": "true"}
    assert act(client, "change", sha256=sha256(copied), id="example-t20", values=given).is_success
    card = card_of(copied, "example-t20")
    assert card.facts.get("attribution", "") == attribution
    assert bool(card.findings) != bool(attribution)


@pytest.mark.parametrize("is_known", [True, False])
def test_a_number_gives_a_statement_without_a_speaker_to_the_writer(
    client: TestClient, copied: Path, *, is_known: bool
) -> None:
    if is_known:
        writer = "  - {id: example-speaker-9, kind: writer, role: other, inferred: {role: writes_the_text}}\n"
        edit(copied, FILE, "\ntestimonies:\n", f"{writer}\ntestimonies:\n")
    with_drafts(copied, ("Few keepers say that the pier is safe.", "Few keepers say"), ("Boats sank.", "Boats sank"))
    [key] = [key for key in card_of(copied, "example-t20").code_keys if key.term == "the writer of the article"]
    assert choose(client, copied, "example-t20", key.value) == "; with mode “narrated”, attribution none “writer”"
    card = card_of(copied, "example-t20")
    assert (card.facts["speaker"], card.facts["attribution"]) == (key.term, "none: writer")
    assert (card.facts["mode"], card.draft, card.findings) == ("narrated", False, ())
    edit(
        copied,
        FILE,
        "id: example-t21\n    draft: true\n    speaker: who\n    mode: indirect",
        "id: example-t21\n    draft: true\n    speaker: who\n    mode: direct",
    )
    assert key.term not in [key.term for key in card_of(copied, "example-t21").code_keys]


@pytest.mark.parametrize("is_testimony", [True, False])
def test_the_words_in_another_testimony_do_not_introduce_a_quotation_of_the_speaker_who_is_chosen(
    client: TestClient, copied: Path, *, is_testimony: bool
) -> None:
    words = "He left for what he called the old tide, voiced in May"
    with_sentence(copied, f"Bruno Salt slept. {words}: “Shut it!”")
    records = "  - id: example-t20\n    draft: true\n    speaker: who\n    mode: direct\n    evidence: Shut it!\n"
    records += "    themes: [weather]\n    access: not_stated\n    outlet_kind: not_stated\n"
    if is_testimony:
        records += "  - id: example-t21\n    speaker: bruno-salt\n    mode: narrated\n    themes: [weather]\n"
        records += f"    evidence: {words}\n    attribution: {{words: He left, antecedent: example-t3, about: true}}\n"
    edit(copied, FILE, "\nfigures:\n", f"{records}\nfigures:\n")
    given = {"speaker": "bruno-salt"}
    answer = act(client, "change", sha256=sha256(copied), id="example-t20", values=given)
    if is_testimony:
        assert answer.json()["fields"] == ["attribution"], "the form asks for them"
    else:
        assert "; with attribution words “he called”, attribution antecedent “t4”" in answer.json()


@pytest.mark.parametrize(
    ("subject", "is_mention"), [("Long habit", False), ("An islander", True), ("No islander", False)]
)
def test_words_that_do_not_mean_the_person_who_is_chosen_are_no_mention(
    client: TestClient, copied: Path, subject: str, *, is_mention: bool
) -> None:
    with_drafts(copied, (f"{subject} said that the pier was safe.", f"{subject} said"))
    offered = [key.value for key in card_of(copied, "example-t20").code_keys]
    assert ("new" in offered) is not subject.startswith("No ")
    said = choose(client, copied, "example-t20", "bruno-salt")
    assert (f"“{subject}” is now a mention of" in said) is is_mention


@pytest.mark.parametrize(
    ("subject", "is_offered"),
    [("The company", False), ("The lamp company", True), ("The shopkeeper", True), ("Some keepers", True)],
)
def test_a_new_speaker_is_offered_only_where_the_words_are_enough_for_an_entry(
    client: TestClient, copied: Path, subject: str, is_offered: bool
) -> None:
    with_drafts(copied, (f"{subject} claimed that the pier was safe.", f"{subject} claimed"))
    offered = [key.value for key in card_of(copied, "example-t20").code_keys if key.field == "speaker"]
    assert ("new" in offered) == is_offered
    answer = act(client, "change", sha256=sha256(copied), id="example-t20", values={"speaker": "new"})
    assert answer.is_success == is_offered
    if not is_offered:
        assert f"“{subject}” gives no name: select these words, press m, and enter it." in answer.text


def test_typed_parts_that_only_a_comma_separates_are_one(client: TestClient, copied: Path) -> None:
    sentence = "An islander, Bruno Salt, insisted that the pier was safe."
    with_drafts(copied, (sentence, "An islander"), speaker="bruno-salt")
    values = {"attribution": {"words": "Bruno Salt ... insisted"}}
    answer = act(client, "change", sha256=sha256(copied), id="example-t20", values=values)
    assert answer.is_success, answer.text
    assert card_of(copied, "example-t20").facts["attribution"] == "Bruno Salt, insisted"


@pytest.mark.parametrize(("after", "is_asked"), [(" in Harrow, Old Vale,", True), (" in Harrow", False)])
def test_a_new_speaker_who_may_be_named_is_not_accepted_with_others(
    client: TestClient, copied: Path, after: str, is_asked: bool
) -> None:
    with_drafts(copied, (f"A teacher{after} claimed that the pier was safe.", '["A teacher", "claimed"]'))
    answer = act(client, "change", sha256=sha256(copied), id="example-t20", values={"speaker": "new"})
    assert answer.is_success, answer.text
    speaker = re.findall(r"speaker: (example-speaker-\d+)\n", (copied / FILE).read_text(encoding="utf-8"))[-1]
    assert ("guess of anonymity" in card_of(copied, speaker).undecided) == is_asked


MILLS = {"affiliation": "Save the Mills"}


@pytest.mark.parametrize(
    ("sentence", "values", "words"),
    [
        ("Ada Orr, who saw Save the Mills grow, said that it burned.", MILLS, "Ada Orr, who saw Save the Mills"),
        ("At Save the Mills, Ada Orr said that it burned.", MILLS, "Save the Mills, Ada Orr"),
        (
            "Ada Orr, of Save the Mills for nine years, said that it burned.",
            {**MILLS, "years_of_service": "9"},
            "Ada Orr, of Save the Mills for nine years",
        ),
        ("Ada Orr said that Save the Mills was shut.", MILLS, ""),
        ("Ada Orr (its head: Save the Mills) said that it burned.", MILLS, ""),
        ("Ada Orr and Ben Pelt of Save the Mills said so. Ben Pelt said that it burned.", MILLS, ""),
        (f"Ada Orr of the {'very ' * 12}old Save the Mills said that it burned.", MILLS, ""),
        ("Ada Orr said that it burned. She is from Save the Mills.", MILLS, ""),
    ],
)
@pytest.mark.parametrize("record", ["ada-orr", "m1"])
def test_a_mention_gets_the_words_of_an_attribute_that_are_printed_next_to_it(
    tmp_path: Path, sentence: str, values: dict[str, str], words: str, record: str
) -> None:
    own = Own(tmp_path / "own", sentence)
    if "id: ada-orr" not in own.yaml:
        described = {"kind": "person", "anonymity": "named", "name": "Ada Orr", "role": "other"}
        assert own.act("add", kind="mention", spans=[own.span("Ada Orr")], values=described).is_success
    number = re.findall(r"m\d", own.yaml.partition("id: ada-orr\n")[2])[0]
    before = own.yaml
    id_ = own.id(number) if record == "m1" else record
    answer = own.act("change", id=id_, values=values)
    assert answer.is_success, answer.text
    assert answer.json().partition("; rejected")[0] == (f"; its words are now “{words}”" if words else "")
    assert ("rejected, as the mention states it: f1" in answer.json()) == ("years_of_service" in values)
    assert f"evidence: {words or 'Ada Orr'}\n" in own.record(number)
    assert ("attribute-not-in-mention" in {each.code for each in found_in(own.root)}) == (not words)
    assert own.act("undo").is_success
    assert own.yaml == before


@pytest.mark.parametrize(("kind", "words"), [("person", "Ada Orr of Save the Mills"), ("group", "Ada Orr")])
def test_a_new_mention_gets_the_words_of_its_attributes_unless_it_has_none(
    tmp_path: Path, kind: str, words: str
) -> None:
    own = Own(tmp_path / "own", "The lamps of Ada Orr of Save the Mills burned.")
    values = {"kind": kind, "anonymity": "named", "name": "Ada Orr", "role": "other", **MILLS}
    answer = own.act("add", kind="mention", spans=[own.span("Ada Orr")], values=values)
    assert answer.is_success, answer.text
    assert f"evidence: {words}\n" in own.record(own.id("m1")) + "\n"


def test_the_years_that_a_new_mention_states_are_said_and_their_figure_is_rejected(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Ada Orr said that it burned. “I was a keeper for 10 years, in wet decades,” Orr said.")
    values = {"speaker": "ada-orr", "years_of_service": "10"}
    answer = own.act("add", kind="mention", spans=[own.span("a keeper for 10 years, in wet decades")], values=values)
    assert answer.json() == "m2, years of service: 10; drafts inside were rejected: f1"
    assert own.act("undo").is_success
    answer = own.act(
        "add", kind="mention", spans=[own.span("a keeper for 10 years, in wet decades")], values={"speaker": "ada-orr"}
    )
    assert answer.json() == "m2"


def test_the_waiver_of_an_age_that_a_mention_gets_is_rejected(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Ada Orr of Harrow, who is 41, said that it burned.")
    assert "reason: protected_attribute" in own.record("w1")
    answer = own.act("change", id="ada-orr", values={"age": "41"}).json()
    assert answer == "; its words are now “Ada Orr of Harrow, who is 41”; rejected, as the mention states it: w1"
    assert {each.code for each in found_in(own.root)} == {"draft-record"}
