"""What the page for annotators proposes for words that are selected, and whom its keys offer instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from conftest import found_in
from defectors_data.annotators.workbench.shown_records import NEW_SPEAKER, SAME_AS
from pages import Served, find
from test_workbench_choices import keys_of, press
from test_workbench_own_corpus import STEM, Own

SAID = "Ada Orr said it was shut. Then the guard left. Orr lit the lamps."


@pytest.mark.parametrize(
    ("words", "speaker", "mode", "attribution"),
    [
        ("Organisers of the fair were cold.", NEW_SPEAKER, "narrated", "Organisers of the fair"),
        ("Harrow Council was cold.", NEW_SPEAKER, "indirect", "Harrow Council"),
        ("insisting on a bell", "ada-orr", "indirect", "She ... insisting"),
        ("Ben Pelt says it is open", NEW_SPEAKER, "indirect", "Ben Pelt says"),
        ("began a fire in it", "ada-orr", "narrated", "She ... began"),
        ("Orr says it is dark", "ada-orr", "indirect", "Orr says"),
    ],
)
def test_the_subject_of_selected_words_or_of_their_sentence_is_the_speaker(
    tmp_path: Path, words: str, speaker: str, mode: str, attribution: str
) -> None:
    others = "The mill was cold. Harrow Council was cold. Organisers of the fair were cold."
    others += " She ran from the mill and began a fire in it."
    others += " Clerks insisted it was shut because Orr says it is dark."
    said = f"{SAID} She left, insisting on a bell. Orr said it was shut because Ben Pelt says it is open. {others}"
    fields = Own(tmp_path / "own", said).proposed("testimony", words)
    values = {key: fields[key]["value"] for key in ("speaker", "mode")}
    assert values == {"speaker": speaker, "mode": mode}
    [said_by] = [each["value"] for each in fields["attribution"]["fields"] if each["key"] == "words"]
    assert said_by == attribution


@pytest.mark.parametrize(
    ("selected", "taken"),
    [
        ("wide range", "The mill needs a “wide range” of lamps."),
        ("“We left the mill in May.”", "We left the mill in May."),
        ("“a wide and very old range”", "a wide and very old range"),
    ],
)
def test_a_few_quoted_words_are_recorded_with_their_sentence(tmp_path: Path, selected: str, taken: str) -> None:
    said = "The mill needs a “wide range” of lamps. “We left the mill in May.” It is “a wide and very old range” now."
    own = Own(tmp_path / "own", f"{SAID} {said}")
    answer = own.act("propose", kind="testimony", spans=[own.span(selected.strip("“”"))])
    assert [part["text"] for part in answer.json()["parts"]] == [taken]


def test_a_new_speaker_who_is_called_by_a_surname_gets_the_full_name_of_the_article(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "The miller Ben Pelt left in May.", f"{SAID} Pelt wept all night.")
    span = own.span("Pelt wept all night.")
    said = {"words": "Pelt", "about": "true"}
    values = {"speaker": NEW_SPEAKER, "mode": "narrated", "attribution": said, "themes": "other"}
    answer = own.act("add", kind="testimony", spans=[span], values=values)
    assert answer.is_success, answer.text
    assert "name: Ben Pelt" in own.record("ben-pelt")


def test_keys_of_a_draft_offer_other_speakers_and_those_with_almost_the_same_name(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Ada Orr said it was shut. Ben Peltham said it was open. Ben Pelltham said no.")
    [other] = [key for key in keys_of(own, "t1") if key.term == "Ben Peltham"]
    press(own, own.id("t1"), other)
    assert "speaker: ben-peltham" in own.record("t1")
    assert "Ben Peltham" in [key.term for key in keys_of(own, "Ben Pelltham") if key.field == SAME_AS]


def test_a_quotation_behind_a_sentence_about_its_speaker_is_attributed_to_the_name_in_it(tmp_path: Path) -> None:
    said = "“The lamps are dark,” said Milo Arden. Mr Arden had to argue his case. “They told me so in the end.”"
    own = Own(tmp_path / "own", said)
    [key] = [each for each in keys_of(own, "t2") if each.term == "Milo Arden"]
    press(own, own.id("t2"), key)
    assert "attribution: Arden" in own.record("t2")
    assert {each.code for each in found_in(own.root)} <= {"draft-record"}


@pytest.mark.deep
def test_keys_lead_through_what_was_found_and_words_that_were_typed_are_taken_as_they_are(
    tmp_path: Path, served: Served
) -> None:
    own = Own(tmp_path / "own", "Ada Orr said 14 lamps were lit. It had 12 lamps in May.", "Then the lamps burned.")
    page = served(own.root, STEM)
    find(page, "14 ... lit")
    page.keyboard.press("t")
    expect(page.locator("#parts")).to_have_text("14 lamps were lit")
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("lamps")
    page.keyboard.press("Enter")
    hits = page.locator("#hits button")
    expect(hits).to_have_count(3)
    for key, focused in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowDown", 2), ("ArrowUp", 1)):
        page.keyboard.press(key)
        expect(hits.nth(focused)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("12 ›lamps‹ in May")


@pytest.mark.deep
def test_the_words_of_a_record_end_with_their_paragraph(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "Ada Orr said it was shut.", "And then it burned.")
    page = served(own.root, STEM)
    find(page, "it was shut")
    page.keyboard.press("c")
    expect(page.locator("#said")).to_contain_text("The words of t1")
    for key in ("ArrowRight", "Control+ArrowRight"):
        page.keyboard.press(key)
        expect(page.locator("#said")).to_contain_text("The words end with their paragraph")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#said")).to_contain_text("it was")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Changed the words of t1")


@pytest.mark.deep
def test_words_that_are_typed_replace_what_they_exclude_also_if_the_next_form_is_opened(
    tmp_path: Path, served: Served
) -> None:
    own = Own(tmp_path / "own", "“It burned.” The old mill was shut. Ada Orr wept. It had 12 lamps and 14 bells.")
    page = served(own.root, STEM)
    find(page, "It burned")
    page.keyboard.press("e")
    form = page.locator("#form")
    form.locator("[data-key=attribution] summary").click()
    form.locator("[name=none]").select_option("unclear")
    form.locator("[name=words]").first.focus()
    page.keyboard.type("The old mill")
    page.keyboard.press("Shift+Enter")
    expect(form.locator("#refused")).not_to_contain_text("none")


def test_a_new_mention_keeps_the_verb_by_which_a_draft_is_attributed(tmp_path: Path) -> None:
    said = "A meeting of the mill saw several loyal members warn that feuding could close it."
    own = Own(tmp_path / "own", said)
    assert "attribution: [A meeting, warn]" in own.record("t1")
    values = {"kind": "group", "role": "other"}
    span = own.span("several loyal members")
    answer = own.act("add", kind="mention", id=own.id("t1"), spans=[span], values=values)
    assert answer.is_success, answer.text
    assert "attribution: [several loyal members, warn]" in own.record("t1")
    assert "draft" not in own.record("t1"), "no verb is a guess"


def test_a_draft_without_attribution_gets_the_name_and_the_verb_in_its_own_words(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Then Ada Orr said it was late.")
    known = "    speaker: ada-orr\n", '    attribution: "Ada Orr said"\n'
    assert all(each in own.yaml for each in known)
    text = own.yaml.replace(known[0], "    speaker: who\n").replace(known[1], "")
    own.file.write_text(text, encoding="utf-8")
    [key] = [each for each in keys_of(own, "t1") if each.term == "Ada Orr"]
    press(own, own.id("t1"), key)
    assert "attribution: Ada Orr said" in own.record("t1")
