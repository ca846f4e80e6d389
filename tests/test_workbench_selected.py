"""What the page for annotators proposes for words that are selected, and whom its keys offer instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import found_in
from defectors_data.annotators.workbench.shown_records import NEW_SPEAKER, SAME_AS
from test_workbench_choices import keys_of, press
from test_workbench_own_corpus import Own

SAID = "Ada Orr said it was shut. Then the guard left. Orr lit the lamps."


@pytest.mark.parametrize(
    ("words", "speaker", "mode", "attribution"),
    [
        ("Organisers of the fair were cold.", NEW_SPEAKER, "narrated", "Organisers of the fair"),
        ("Harrow Council was cold.", NEW_SPEAKER, "indirect", "Harrow Council"),
        ("insisting on a bell", "ada-orr", "indirect", "She ... insisting"),
        ("Ben Pelt says it is open", NEW_SPEAKER, "indirect", "Ben Pelt says"),
    ],
)
def test_the_subject_of_selected_words_or_of_their_sentence_is_the_speaker(
    tmp_path: Path, words: str, speaker: str, mode: str, attribution: str
) -> None:
    others = "The mill was cold. Harrow Council was cold. Organisers of the fair were cold."
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
    ],
)
def test_a_few_quoted_words_are_recorded_with_their_sentence(tmp_path: Path, selected: str, taken: str) -> None:
    own = Own(tmp_path / "own", f"{SAID} The mill needs a “wide range” of lamps. “We left the mill in May.” It rained.")
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
