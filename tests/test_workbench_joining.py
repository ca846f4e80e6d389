"""Drafts of one speech that become one, and what leads to a record that is no longer there."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from starlette.testclient import TestClient

from conftest import edit, found_in
from defectors_data.annotators.drafts.first_draft import NO_HEADLINE
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.server import application
from pages import HOST, TOKEN
from test_workbench import FILE, STEM, act, sha256, span
from test_workbench_connections import figure
from test_workbench_forms import with_sentence
from test_workbench_own_corpus import Own


def place(text: str, words: str) -> list[int]:
    return [text.index(words), text.index(words) + len(words)]


def test_no_testimony_is_its_own_antecedent_and_another_antecedent_brings_its_only_rival(
    client: TestClient, copied: Path
) -> None:
    with_sentence(copied, 'Nils Fenn told them to wait. Later, Ora Fenn came. "The boats are here," he said.')
    edit(copied, FILE, "\ntestimonies:\n", f"{NILS_AND_ORA}\ntestimonies:\n")
    edit(copied, FILE, "\nfigures:\n", f"{OF_NILS}\nfigures:\n")
    led = "{words: he said, antecedent: example-m9, rival: example-m15}"
    answer = act(client, "delete", sha256=sha256(copied), id="example-t19").json()
    assert answer.endswith("; also changed: t20")
    assert led in (copied / FILE).read_text(encoding="utf-8")
    for antecedent in ("example-m2", "example-m9"):
        values = {"attribution": {"words": "he said", "antecedent": antecedent}}
        answer = act(client, "change", sha256=sha256(copied), id="example-t20", values=values)
        assert answer.is_success, answer.text
    assert led.replace("he said", '"he said"') in (copied / FILE).read_text(encoding="utf-8")


def test_a_rival_that_is_removed_is_no_longer_named(client: TestClient, copied: Path) -> None:
    with_sentence(copied, 'Nils Fenn told them to wait. Later, Ora Fenn came. "The boats are here," he said.')
    edit(copied, FILE, "\ntestimonies:\n", f"{NILS_AND_ORA}\ntestimonies:\n")
    led = "antecedent: example-m9"
    said = OF_NILS.replace("antecedent: example-t19", f"{led}, rival: example-m15")
    edit(copied, FILE, "\nfigures:\n", f"{said}\nfigures:\n")
    answer = act(client, "delete", sha256=sha256(copied), id="example-m15").json()
    assert answer.endswith("; also changed: t20")
    assert f"{{words: he said, {led}}}" in (copied / FILE).read_text(encoding="utf-8")


@pytest.mark.parametrize(("speaker", "left"), [("nils-fenn", "t20 w9"), ("who", "t20 w9"), ("ora-fenn", "w9")])
def test_words_that_take_in_the_next_draft_of_a_speech_reject_it_and_keep_its_speaker_and_figures(
    client: TestClient, copied: Path, speaker: str, left: str
) -> None:
    text = with_sentence(copied, 'Nils Fenn told 9 men to wait. Later, Ora Fenn came. "The 8 boats are here," he said.')
    edit(copied, FILE, "\ntestimonies:\n", f"{NILS_AND_ORA}\ntestimonies:\n")
    first = OF_NILS.replace("them to", "9 men to").replace("The boats", "The 8 boats")
    first = first.replace("nils-fenn", speaker, 1)
    edit(copied, FILE, "\nfigures:\n", f"{first}\nfigures:\n")
    edit(copied, FILE, "\nwaivers:\n", f"\nwaivers:\n{WAIVED}\n")
    edit(copied, FILE, "\nfigures:\n", f"\nfigures:{OF_BOATS}")
    spans = [place(text, 'told 9 men to wait. Later, Ora Fenn came. "The 8 boats are here,"')]
    answer = act(client, "move", sha256=sha256(copied), id="example-t19", spans=spans)
    assert answer.is_success, answer.text
    gone = left.replace(" ", ", ")
    assert f"; rejected, as these words contain theirs: {gone}" in answer.json()
    moved = EditedProject(copied).document(STEM)
    [kept] = [each for _, each in moved.testimonies if each.id == "example-t19"]
    is_joined = speaker != "ora-fenn"
    assert kept.speaker == speaker
    assert ("example-t20" in {each.id for _, each in moved.testimonies}) == (not is_joined)
    assert figure(copied, "example-f20")["testimony"] == ("example-t19" if is_joined else "example-t20")
    stated_by = "" if speaker == "who" else "nils-fenn"
    assert figure(copied, "example-f20").get("attributed_to", "") == stated_by


WAIVED = "  - {id: example-w9, draft: true, evidence: 'The 8 boats are here,', reason: term}"
OF_BOATS = """
  - id: example-f20
    draft: true
    evidence: 8 boats
    value: 8
    hedge: exact
    unit: item
    counted: boats
    testimony: example-t20
    attributed_to: nils-fenn
"""
NILS_AND_ORA = """
  - {id: nils-fenn, kind: person, role: other, anonymity: named, name: Nils Fenn, mentions: [
      {id: example-m9, evidence: Nils Fenn}]}
  - {id: ora-fenn, kind: person, role: other, anonymity: named, name: Ora Fenn, mentions: [
      {id: example-m15, evidence: "Later, Ora Fenn"}]}
"""
OF_NILS = """
  - id: example-t19
    draft: true
    speaker: nils-fenn
    mode: indirect
    evidence: told them to wait
    attribution: Nils Fenn told
    themes: [escape]
  - id: example-t20
    draft: true
    speaker: nils-fenn
    mode: direct
    evidence: The boats are here,
    attribution: {words: he said, antecedent: example-t19}
    themes: [escape]
    access: not_stated
    outlet_kind: not_stated
"""


OFFICE = "    kind: institution\n    role: other\n    name: Harbour Office\n"


@pytest.mark.parametrize(
    ("name", "first"), [("harbour-office", "900_example"), ("office", "900_example"), ("harbour-office", "")]
)
def test_a_speaker_of_two_articles_is_described_once_by_choosing_the_other(copied: Path, name: str, first: str) -> None:
    before = {path: path.read_bytes() for path in (copied / "annotations").glob("*.yaml")}
    other = "annotations/901_second.yaml"
    here = OFFICE.replace("other", "analyst") if first else OFFICE
    edit(copied, other, "  - use: harbour-office\n", f"  - id: {name}\n{here}")
    text = (copied / other).read_text(encoding="utf-8")
    (copied / other).write_text(text.replace(": harbour-office\n", f": {name}\n"), encoding="utf-8")
    if first:
        edit(copied, "annotations/speakers.yaml", f"  - id: harbour-office\n{OFFICE}", "")
        edit(copied, FILE, "  - use: harbour-office\n", f"  - id: harbour-office\n    draft: true\n{OFFICE}")
    client = TestClient(application(EditedProject(copied), token=TOKEN), base_url=HOST)

    def ask(action: str, **body: object) -> Any:
        answer = client.post(f"/{TOKEN}/{action}/901_second", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    assert "Choose this speaker in the field “same speaker as”." in client.get(f"/{TOKEN}/article/901_second").text
    [choices] = [field["choices"] for field in ask("current", id=name) if field["key"] == "same_speaker_as"]
    [chosen] = [choice["value"] for choice in choices if "Harbour Office" in choice["label"]]
    assert chosen == f"{first}/harbour-office"
    digest = hashlib.sha256((copied / other).read_bytes()).hexdigest()
    said = ask("change", id=name, sha256=digest, values={"same_speaker_as": chosen})
    assert said == ", now described once for all articles, in annotations/speakers.yaml"
    assert [each for each in found_in(copied) if each.code != "draft-record"] == []
    assert "draft: true" in (copied / FILE).read_text(encoding="utf-8") or not first, "the other is still a draft"
    assert here in (copied / "annotations/speakers.yaml").read_text(encoding="utf-8"), "a person decided this one"
    after = {path: path.read_bytes() for path in before}
    ask("undo")
    assert {path: path.read_bytes() for path in before} != after


def test_a_new_mention_replaces_the_words_for_the_speaker_of_a_draft_and_keeps_its_verb(
    client: TestClient, copied: Path
) -> None:
    text = with_sentence(copied, "Near the pier, old keepers hurt the watch by rejecting the plan.")
    draft = "  - id: example-t20\n    draft: true\n    speaker: who\n    mode: indirect\n    themes: [escape]\n"
    draft += "    evidence: rejecting the plan\n    attribution: [the pier, rejecting]\n"
    edit(copied, FILE, "\nfigures:\n", f"{draft}\nfigures:\n")
    at = text.index("old keepers hurt")
    words = {"spans": [[at, at + len("old keepers")]], "values": {"kind": "group", "role": "other"}}
    answer = act(client, "add", sha256=sha256(copied), kind="mention", id="example-t20", **words)
    assert answer.is_success, answer.text
    assert "    attribution: [old keepers, rejecting]\n" in (copied / FILE).read_text(encoding="utf-8").replace('"', "")


def test_a_number_in_doubt_is_affirmed_only_by_choosing_so(client: TestClient, copied: Path) -> None:
    with_sentence(copied, "Mira Fenn could buy 9 boats.")
    added = OF_BOATS.replace("8", "9").replace("example-t20", "example-t9").replace("nils", "mira")
    edit(copied, FILE, "\nfigures:\n", f"\nfigures:{added}")
    [card] = [each for row in EditedProject(copied).article(STEM).rows for each in row.records if each.number == "f20"]
    assert card.facts["polarity"] == "(not chosen)"
    assert [key.term for key in card.code_keys] == ["affirmed", "denied", "promised", "supposed"]
    assert not any(key.is_set for key in card.code_keys)
    [field] = [each for each in act(client, "current", id="example-f20").json() if each["key"] == "polarity"]
    assert (field["value"], field["required"]) == ("", True)
    for record in ("example-f20", "example-f3"):
        answer = act(client, "change", sha256=sha256(copied), id=record, values={"polarity": "affirmed"})
        assert answer.is_success, answer.text
    assert (copied / FILE).read_text(encoding="utf-8").count("polarity: affirmed\n") == 1, "where it is in doubt"
    assert "polarity-unstated" not in {each.code for each in found_in(copied)}


@pytest.mark.parametrize(("words", "is_offered"), [("Mira Fenn proposes to buy", True), ("Mira Fenn bought", False)])
def test_a_figure_in_a_plan_can_be_supposed_with_one_key(
    client: TestClient, copied: Path, words: str, *, is_offered: bool
) -> None:
    with_sentence(copied, f"{words} boats for the pier, 9 in all.")
    draft = "  - id: example-f20\n    draft: true\n    evidence: 9 in all\n    value: 9\n    hedge: exact\n"
    edit(copied, FILE, "\nfigures:\n", f"\nfigures:\n{draft}    unit: item\n    counted: boats\n")
    [card] = [each for row in EditedProject(copied).article(STEM).rows for each in row.records if each.number == "f20"]
    [*terms, last] = card.code_keys
    assert (last.term == "supposed", last.is_set) == (is_offered, False)
    assert {key.field for key in terms} == {"measure", "counted"}, "also what else it may count"
    if is_offered:
        given = {last.field: last.value}
        assert act(client, "change", sha256=sha256(copied), id="example-f20", values=given).is_success
        assert "polarity: supposed\n" in (copied / FILE).read_text(encoding="utf-8")


@pytest.mark.parametrize("anonymity", ["named", "unnamed"])
def test_an_age_that_a_mention_states_is_no_longer_waived(client: TestClient, copied: Path, anonymity: str) -> None:
    text = with_sentence(copied, "The 34-year-old Ada Orr left.")
    waiver = "  - {id: example-w9, draft: true, evidence: '34', reason: protected_attribute}"
    edit(copied, FILE, "\nwaivers:\n", f"\nwaivers:\n{waiver}\n")
    values = {"kind": "person", "role": "other", "anonymity": anonymity, "name": "Ada Orr", "age": "34"}
    body = {"kind": "mention", "spans": [place(text, "The 34-year-old Ada Orr")], "values": values}
    said = act(client, "add", sha256=sha256(copied), **body).json()
    assert ("rejected: w9" in said) == (anonymity == "named"), "the age of a protected person is not recorded"
    assert ("example-w9" in (copied / FILE).read_text(encoding="utf-8")) == (anonymity == "unnamed")


def test_a_new_speaker_with_the_name_of_a_known_one_is_refused(client: TestClient, copied: Path) -> None:
    values = {"kind": "person", "role": "other", "anonymity": "named", "name": "Bruno Salt"}
    spans = [span("Salt told")]
    answer = act(client, "add", sha256=sha256(copied), kind="mention", spans=spans, values=values)
    said = "There is a speaker with the name “Bruno Salt”: choose it as the speaker, or enter another name."
    assert answer.json()["message"] == said
    values["name"] = "Bo Salt"
    assert act(client, "add", sha256=sha256(copied), kind="mention", spans=spans, values=values).is_success


def test_a_title_removes_the_note_that_there_is_none(client: TestClient, copied: Path) -> None:
    title = re.search("  title: (.*)\n", (copied / FILE).read_text(encoding="utf-8"))
    assert title
    edit(copied, FILE, title[0], f"  note: {NO_HEADLINE}\n")
    values = {"title": title[1].strip('"'), "note": NO_HEADLINE}
    answer = act(client, "change", sha256=sha256(copied), id="example", values=values)
    assert answer.is_success, answer.text
    written = (copied / FILE).read_text(encoding="utf-8")
    assert (values["title"] in written, NO_HEADLINE in written) == (True, False)


LED = "{words: she said, antecedent: example-m8, rival: example-m9}"


@pytest.mark.parametrize(
    ("words", "antecedent", "kept"),
    [
        ("Fenn said", "example-m8", False),
        ("Fenn said", "example-m5", True),  # it was chosen
        ("she said", "example-m8", True),
        ("so again", "example-m8", True),  # these name nobody
    ],
)
@pytest.mark.parametrize("record", ["example-t20", "example-f20"])
def test_words_that_now_name_the_speaker_lead_to_no_record_unless_it_was_chosen_with_them(
    client: TestClient, copied: Path, record: str, words: str, antecedent: str, *, kept: bool
) -> None:
    with_sentence(copied, "Mira Fenn met Bruno Salt. 14 boats are here, she said. Fenn said so again.")
    mentions = "      - {id: m8, evidence: {text: Mira Fenn, suffix: ' met'}}\n"
    edit(copied, FILE, "    mentions:\n      - id: example-m5\n", f"    mentions:\n{mentions}      - id: example-m5\n")
    mentions = "      - {id: m9, evidence: {text: Bruno Salt, prefix: 'met '}}\n"
    edit(copied, FILE, "    mentions:\n      - id: example-m2\n", f"    mentions:\n{mentions}      - id: example-m2\n")
    said = f"    speaker: mira-fenn\n    mode: indirect\n    evidence: 14 boats are here\n    attribution: {LED}\n"
    edit(copied, FILE, "\nfigures:\n", f"  - id: example-t20\n{said}    themes: [escape]\n\nfigures:\n")
    figure = "  - id: example-f20\n    evidence: 14 boats\n    value: 14\n    hedge: exact\n    unit: item\n"
    figure += f"    counted: boats\n    attributed_to: mira-fenn\n    attribution: {LED}\n    testimony: example-t20\n"
    edit(copied, FILE, "\nrelations:\n", f"{figure}\nrelations:\n")
    given = {"words": words, "antecedent": antecedent, "rival": "example-m9"}
    answer = act(client, "change", sha256=sha256(copied), id=record, values={"attribution": given})
    assert answer.is_success, answer.text
    assert ("with no attribution antecedent, no attribution rival" in answer.json()) != kept
    after = (copied / FILE).read_text(encoding="utf-8").partition(f"id: {record}\n")[2].partition("\n\n")[0]
    assert ("antecedent: example-m" in after) == kept
    assert ("wrong-antecedent" in {each.code for each in found_in(copied)}) == (antecedent == "example-m5")


def test_a_new_testimony_whose_words_were_edited_to_name_the_speaker_leads_to_no_record(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Ada Orr left. She said that it burned, and Orr said no more.")
    assert own.act("delete", id=own.id("t1")).is_success
    evidence = "it burned"
    fields = own.proposed("testimony", evidence)
    led = {each["key"]: each["value"] for each in fields["attribution"]["fields"]}
    assert led["antecedent"]
    for words, kept in (("She said", True), ("Orr said", False)):
        values = {"speaker": "ada-orr", "mode": "indirect", "themes": "other", "attribution": {**led, "words": words}}
        made = own.act("add", kind="testimony", spans=[own.span(evidence)], values=values)
        assert ("antecedent" in own.record(made.json())) == kept
        own.act("undo")


def test_a_mention_around_that_of_a_draft_replaces_its_speaker_in_each_draft(tmp_path: Path) -> None:
    said = "The top Lutheran in Harrow backed the plan, and Ada Orr came. The top Lutheran warned that 14 lamps burned."
    own = Own(tmp_path / "own", said)
    assert "name: Lutheran" in own.record("speaker-1")
    values = {"kind": "person", "anonymity": "unnamed", "role": "other"}
    answer = own.act("add", kind="mention", spans=[own.span("The top Lutheran in Harrow")], values=values)
    assert answer.is_success, answer.text
    assert answer.json() == "The top Lutheran in Harrow in place of Lutheran; also changed: t1; also changed: f1"
    assert not own.record("speaker-1")
    assert "speaker: speaker-2" in own.record("t1")
    assert "attribution: [The top Lutheran in Harrow, backed]" in own.record("t1")
    assert "attributed_to: speaker-2" in own.record("f1")


def test_a_mention_in_place_of_a_draft_is_that_of_the_speaker_who_was_chosen(tmp_path: Path) -> None:
    said = "The top Lutheran in Harrow backed the plan. The top Lutheran warned that 14 lamps burned."
    own = Own(tmp_path / "own", f"{said} Ada Orr said it was shut. Ben Pelt said it was open.")
    assert own.yaml.index("name: Lutheran") < own.yaml.index("id: ada-orr")
    answer = own.act(
        "add", kind="mention", spans=[own.span("The top Lutheran in Harrow")], values={"speaker": "ada-orr"}
    )
    assert answer.is_success, answer.text
    assert "in place of Lutheran" in answer.json()
    assert "evidence: The top Lutheran in Harrow" in own.record("ada-orr")
    assert "Lutheran" not in own.record("ben-pelt")


def test_the_draft_of_a_place_whose_words_name_a_person_is_this_person(tmp_path: Path) -> None:
    words = "The top Lutheran in Harrow, the keeper Ada Orr"
    own = Own(tmp_path / "own", f"{words}, backed the plan to shut the mill.")
    assert "kind: institution  # a guess" in own.record("speaker-1")
    answer = own.act("move", id=own.id("m1"), spans=[own.span(words)])
    assert answer.json() == ', now named "Ada Orr", role other; also changed: t1'
    assert "kind: person\n    role: other\n    name: Ada Orr" in own.record("ada-orr")
    assert "anonymity: named" in own.record("ada-orr")
    assert "attribution: [Ada Orr, backed]" in own.record("t1")


def test_the_draft_of_a_body_keeps_its_kind_with_a_description_before_the_name(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Lamp firm Harrow lit it in May. Harrow Mills said it was shut, as did Harrow.")
    assert "name: Harrow Mills" in own.record("harrow-mills")
    answer = own.act("move", id=own.id("m1"), spans=[own.span("Lamp firm Harrow")])
    assert answer.json().startswith(", now named Harrow")
    assert "kind: institution\n" in own.record("harrow")


def test_the_draft_of_a_body_whose_words_become_those_of_persons_is_a_group(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Judges of the Lamp Court met. The Lamp Court said it was shut.")
    assert "kind: institution" in own.record("lamp-court")
    answer = own.act("move", id=own.id("m1"), spans=[own.span("Judges")])
    assert answer.json() == ", now a group"
    assert "kind: group\n    role: official\n    mentions" in own.record("speaker-1")


ANALYST = "Ada Orr, 31, an analyst at the Lamp Union, said it was shut. Some men came."
COURT = "The Lamp Court said it was shut. A keeper came. The company came."


@pytest.mark.parametrize(
    ("text", "words", "said", "entry"),
    [
        (ANALYST, "Ada Orr", "without age, without affiliation, role other", "ada-orr named Ada Orr"),
        (ANALYST, "Some men", "now a group, without affiliation, without age, role other", "speaker-1 None None"),
        ("Ada Orr said it was shut. The keeper came.", "The keeper", "now without a name", "speaker-1 unnamed None"),
        (COURT, "A keeper", "now a person, role other", "speaker-1 unnamed None"),
        (COURT, "The company", "role representative", "lamp-court None Lamp Court"),
    ],
)  # fmt: skip
def test_what_the_new_words_of_the_draft_of_a_speaker_do_not_show_is_removed_and_said(
    tmp_path: Path, text: str, words: str, said: str, entry: str
) -> None:
    own = Own(tmp_path / "own", text)
    assert own.act("move", id=own.id("m1"), spans=[own.span(words)]).json() == f", {said}"
    [speaker] = yaml.safe_load(own.yaml)["speakers"]
    assert f"{speaker['id']} {speaker.get('anonymity')} {speaker.get('name')}" == entry
    assert speaker["mentions"] == [{"id": "m1", "evidence": words}]
