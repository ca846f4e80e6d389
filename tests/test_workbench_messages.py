"""What the page for annotators asks for and says, and that what it asks for can be done there."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from playwright.sync_api import expect

from conftest import found_in
from defectors_data.annotators.workbench.project_files import EditedProject
from pages import TOKEN, Served, find
from test_workbench_own_corpus import STEM, Own


def test_a_note_may_name_the_other_testimony_with_the_short_id_that_the_page_shows(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "“The lamps are dark,” said Milo Arden. He left, and the mill of Ostrow burned.")
    said = {"speaker": "milo-arden", "mode": "indirect", "attribution": {"words": "said Milo Arden"}}
    values = {**said, "themes": "other", "note": "A hope, and t1 the words."}
    answer = own.act("add", kind="testimony", spans=[own.span("“The lamps are dark,” said Milo Arden")], values=values)
    assert answer.is_success, answer.text
    page = own.client.get(f"/{TOKEN}/part/{STEM}").text
    assert "duplicate-evidence" not in page
    assert own.act("change", id=own.id("t2"), values={**values, "note": "None."}).is_success
    page = own.client.get(f"/{TOKEN}/part/{STEM}").text
    assert "add a `note` with the id `t1` that says why" in page


def test_a_figure_on_a_result_is_told_the_reason_that_a_waiver_can_have(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "The 5-to-4 ruling closed the mill.")
    assert "reason: not_a_quantity" in own.record("w1")
    assert own.act("delete", id=own.id("w1")).is_success
    values = {"value": "5", "hedge": "exact", "unit": "item", "counted": "judges"}
    for words in ("5-to-4 ruling", "5"):
        made = own.act("add", kind="figure", spans=[own.span(words)], values=values).json()
        [finding] = [each for each in found_in(own.root) if each.code == "figure-text-mismatch"]
        assert finding.message == 'The words of this figure contain no quantity: "5-to-4" is none.'
        assert 'Waive "5-to-4" with `reason: not_a_quantity`' in finding.help[0]
        assert own.act("delete", id=own.id(made)).is_success
    # What the message asks for leaves no finding.
    values["override"] = "The article counts the judges."
    assert own.act("add", kind="figure", spans=[own.span("5-to-4 ruling")], values=values).is_success
    assert {each.code for each in found_in(own.root)} == {"draft-record"}


@pytest.mark.deep
def test_x_deletes_a_figure_whose_words_are_unaccounted_for_and_a_button_without_x_is_not_its(
    tmp_path: Path,
    served: Served,
) -> None:
    own = Own(tmp_path / "own", "The 5-to-4 ruling closed the mill. “We saw 12 lamps,” said Milo Arden.")
    for name in ("w1", "f1"):
        assert own.act("delete", id=own.id(name)).is_success
    assert own.act("accept", id=own.id("t1")).is_success
    values = {"value": "5", "hedge": "exact", "unit": "item", "counted": "judges"}
    assert own.act("add", kind="figure", spans=[own.span("5-to-4 ruling")], values=values).is_success
    page = served(own.root, STEM)
    said = page.locator("#said")
    find(page, "5-to-4")
    expect(page.locator("#text .figure .delete")).to_have_text("Delete (x)")
    page.keyboard.press("x")
    expect(said).to_contain_text("Deleted f")
    # In a testimony, the key means the number.
    find(page, "saw 12")
    expect(page.locator("#text .testimony .delete")).to_have_text("Delete")
    page.keyboard.press("x")
    expect(page.locator("#form-title")).to_have_text("New waiver")
    page.keyboard.press("Escape")
    find(page, "We saw")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#text .testimony .delete")).to_have_text("Delete (x)")
    page.keyboard.press("x")
    expect(said).to_contain_text("Deleted t1")


def test_two_speakers_who_are_called_the_same_have_the_ids_of_their_first_mentions(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "The mill is dark, critics said.", "Critics said that Ostrow is wet.", "Orr left.")
    for words in ("Orr", "Critics"):
        values = {"kind": "group", "role": "other"}
        assert own.act("add", kind="mention", spans=[own.span(words)], values=values).is_success
    labels = {choice["label"] for choice in own.current("t1")["speaker"]["choices"]}
    assert {"critics (m1)", "Orr", "Critics (m3)"} <= labels
    page = unescape(own.client.get(f"/{TOKEN}/part/{STEM}").text)
    assert (
        "attribution-of-another</code>: These words mention “Critics (m3)”, but the speaker is “critics (m1)”." in page
    )


def other_critics(root: Path, *, is_accepted: bool) -> Own:
    """Return an article in which the second critics are taken for the first ones."""
    own = Own(root, "The mill is dark, critics said.", "Critics said that 12 lamps of Ostrow are wet. Orr left.")
    assert "speaker: speaker-1" in own.record("t2")
    assert own.act("accept", id=own.id("t1")).is_success
    if is_accepted:
        assert own.act("accept", id=own.id("t2")).is_success
    return own


@pytest.mark.parametrize("is_accepted", [True, False])
def test_m_on_a_testimony_with_a_wrong_speaker_introduces_another_with_its_attribution(
    tmp_path: Path, *, is_accepted: bool
) -> None:
    own = other_critics(tmp_path / "own", is_accepted=is_accepted)
    whole = own.span("Critics said that 12 lamps of Ostrow are wet.")
    [part] = own.act("propose", kind="mention", id=own.id("t2"), spans=[whole]).json()["parts"]
    assert part["text"] == "Critics"
    values = {"kind": "group", "role": "other"}
    answer = own.act("add", kind="mention", id=own.id("t2"), spans=[part["span"]], values=values)
    assert ("accepted t2 with this speaker" in answer.text) == (not is_accepted)
    assert "speaker: speaker-2" in own.record("t2")
    assert "draft" not in own.record("t2")
    assert "attributed_to: speaker-2" in own.record("f1")
    assert {each.code for each in found_in(own.root)} == {"draft-record"}
    # Words that are a mention already are corrected there.
    refused = own.act("propose", kind="mention", id=own.id("t2"), spans=[whole])
    assert "“Critics” is the mention m2 already: e on it corrects it." in refused.json()["message"]


def test_the_new_speaker_of_a_testimony_is_named_and_leads_to_no_record_of_the_one_before(tmp_path: Path) -> None:
    own = Own(
        tmp_path / "own", "“The lamps are dark,” said Milo Arden.", "Boats burned. The keeper said the mill is wet."
    )
    speaker = own.yaml.partition("speaker: ")[2].partition("\n")[0]
    values = {"speaker": speaker, "attribution": {"words": "The keeper said", "antecedent": own.id("t1")}}
    assert own.act("change", id=own.id("t2"), values=values).is_success
    assert "antecedent: t1" in own.record("t2")
    values = {"kind": "person", "anonymity": "unnamed", "role": "other"}
    made = own.act("add", kind="mention", id=own.id("t2"), spans=[own.span("The keeper")], values=values)
    assert made.is_success, made.text
    assert "antecedent" not in own.record("t2")
    assert f"speaker: {speaker}\n" not in own.record("t2")


def with_speaker(own: Own, record: str, speaker: str) -> None:
    before, found, after = own.yaml.partition(f"- id: {record}\n")
    after = re.sub("speaker: .*", f"speaker: {speaker}", after, count=1)
    own.file.write_text(before + found + after, encoding="utf-8")


@pytest.mark.parametrize("is_form", [True, False])
@pytest.mark.parametrize("speaker", ["speaker-1", "who"])
@pytest.mark.parametrize("is_accepted", [True, False])
def test_a_testimony_is_given_to_a_new_speaker_whom_its_attribution_introduces(
    tmp_path: Path, speaker: str, *, is_accepted: bool, is_form: bool
) -> None:
    own = other_critics(tmp_path / "own", is_accepted=False)
    with_speaker(own, "t2", speaker)
    if is_accepted:
        own.file.write_text(own.yaml.replace("id: t2\n    draft: true\n", "id: t2\n"), encoding="utf-8")
    before, fields = own.yaml, own.current("t2")
    assert "new" in [choice["value"] for choice in fields["speaker"]["choices"]]
    values = {"speaker": "new"}
    if is_form:
        values = {field["key"]: field["value"] for field in fields.values()} | values
    assert own.act("change", id=own.id("t2"), values=values).is_success
    assert ("speaker: speaker-2" in own.record("t2"), "draft" in own.record("t2")) == (True, False)
    assert "    attribution: Critics said\n" in own.record("t2")
    assert "  - id: speaker-2\n    draft: true\n    kind: group\n" in own.yaml
    assert ("attributed_to: speaker-2" in own.record("f1")) == (speaker == "speaker-1")
    assert {each.code for each in found_in(own.root)} == {"draft-record"}
    # Its words are now a mention.
    refused = own.act("change", id=own.id("t2"), values=values)
    assert "“Critics” is the mention m2 already: e on it corrects it." in refused.json()["message"]
    assert own.act("undo").is_success
    assert own.yaml == before


def test_a_new_speaker_is_introduced_by_the_words_that_were_typed_as_the_attribution(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "It was built in vain, in the words of a keeper. The mill is dark, he said.")
    values = {"speaker": "new", "mode": "indirect", "themes": "other", "attribution": {"words": "he said"}}
    record = {"id": own.id("t1")}
    refused = own.act("change", **record, values=values).json()
    assert "The words of the attribution introduce no speaker" in refused["message"]
    values["attribution"] = {"words": "in the words of a keeper"}
    own.act("change", **record, values=values)
    assert "speaker: speaker-1" in own.record("t1")
    assert 'mentions:\n      - id: m1\n        evidence: "in the words of a keeper"\n' in own.yaml


@pytest.mark.parametrize(
    ("said", "typed", "mention"),
    [
        (
            "A 2014 study by Lamp Fund keeper Ada Orr found 12 dark lamps, and it rained.",
            "Lamp Fund keeper Ada Orr found",
            "Lamp Fund keeper Ada Orr",
        ),
        (
            "The keepers of Rome and the old mill filed suit challenging the sale.",
            "The keepers ... filed suit challenging",
            "The keepers",
        ),
        (
            "He was suspected of theft, and accused by the lamp guild of leaving.",
            "accused by the lamp guild",
            "the lamp guild",
        ),
    ],
)
def test_the_mention_of_a_new_speaker_has_no_verb(tmp_path: Path, said: str, typed: str, mention: str) -> None:
    own = Own(tmp_path / "own", said)
    values = {"speaker": "new", "mode": "indirect", "themes": "other", "attribution": {"words": typed}}
    own.act("add", kind="testimony", spans=[own.span(said)], values=values)
    assert f'evidence: "{mention}"\n' in own.yaml


@pytest.mark.deep
def test_a_number_on_the_card_of_a_doubted_draft_introduces_a_new_speaker(tmp_path: Path, served: Served) -> None:
    own = other_critics(tmp_path / "own", is_accepted=False)
    with_speaker(own, "t2", "who")
    page = served(own.root, STEM)
    find(page, "Critics said that 12 lamps of Ostrow are wet.")
    expect(page.locator("#now .codes")).to_contain_text("2 Critics a new speaker")
    page.keyboard.press("2")
    expect(page.locator("#said")).to_contain_text("Accepted t2: speaker Critics")
    expect(page.locator("#now .id")).to_contain_text("speaker Critics (m2) draft")
    page.keyboard.press("u")
    expect(page.locator("#said")).to_contain_text("Undone")
    # Its form has the same choice.
    page.keyboard.press("e")
    expect(page.locator("#form [name=speaker]")).to_be_focused()
    how = "Type “a new” for a speaker who is not in the list, “the writer” for the writer."
    expect(page.locator("#about")).to_contain_text(how)
    page.keyboard.type("a new")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Changed t2")
    assert "speaker: speaker-2" in own.record("t2")


@pytest.mark.deep
def test_m_asks_for_another_speaker_than_the_wrong_one(tmp_path: Path, served: Served) -> None:
    own = other_critics(tmp_path / "own", is_accepted=True)
    page = served(own.root, STEM)
    find(page, "Critics said that 12 lamps of Ostrow are wet.")
    page.keyboard.press("m")
    expect(page.locator("#form-title")).to_have_text("New mention, which introduces the speaker of t2")
    expect(page.locator("#parts")).to_have_text("Critics")
    expect(page.locator("#form [name=speaker]")).to_have_value("")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Saved")
    assert "speaker: speaker-2" in own.record("t2")


@pytest.mark.deep
def test_after_a_change_the_findings_on_the_record_are_named_but_not_that_a_new_speaker_says_nothing(
    tmp_path: Path,
    served: Served,
) -> None:
    own = Own(tmp_path / "own", "The mill is dark, critics said.", "Boats burned, growers left, and 12 lamps broke.")
    for name in ("speaker-1", "t1", "f1"):
        assert own.act("accept", id=own.id(name)).is_success
    page = served(own.root, STEM)
    said = page.locator("#said")
    find(page, "growers")
    page.keyboard.press("m")
    page.locator("#form [name=kind]").select_option("institution")
    expect(page.locator("#form [name=name]")).to_have_value("growers")
    page.locator("#form [name=kind]").select_option("person")
    expect(page.locator("#form [name=name]")).to_have_value("")
    expect(page.locator("#form [name=anonymity]")).to_have_value("unnamed")
    page.locator("#form [name=kind]").select_option("group")
    page.locator("#form [type=submit]").click()
    expect(said).to_contain_text("Saved growers.")
    expect(said).not_to_contain_text("finding, which")
    assert "unused-speaker" in {each.code for each in found_in(own.root)}
    find(page, "12 lamps")
    page.keyboard.press("e")
    page.locator("#form [name=value]").fill("13")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("It has a finding, which is to be corrected: figure-text-mismatch.")


@pytest.mark.deep
def test_a_rejection_names_the_record_that_the_waiver_after_it_repeats(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "The mill lost 14 lamps in May. A boy of the mill found 14 lamps at the pier.")
    page = served(own.root, STEM)
    said = page.locator("#said")
    find(page, "found 14")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("x")
    expect(said).to_contain_text("x waives it as repeat of f1: 14 lamps in May (")
    page.keyboard.press("x")
    expect(said).to_contain_text("Saved w1, a repeat of f1, “14 lamps in May”.")


@pytest.mark.parametrize(
    ("first", "again", "number", "repeats"),
    [
        ("The mill lost 28 lamps in May.", "28 old lamps", "28", "f1"),
        ("The mill lost 28 lamps in May.", "28 boats", "28", ""),
        ("The mill lost 28 lamps in May.", "at least 28", "28", ""),
        ("The mill lost 28 lamps in May.", "some $28", "$28", ""),
        ("The mill lost $28 in May.", "some $28", "$28", "f1"),
        ("The mill lost 28 percent of its lamps.", "some 28 percent", "28 percent", "f1"),
        ("Ada Orr said that she saw 28 boats.", "28 boats", "28", "t1"),
        ("Ada Orr said that she saw 28 boats.", "28", "28", ""),
        ("Ada Orr said that she saw 28 boats.", "$28", "$28", ""),
        ("Ada Orr said that she saw two boats.", "two", "two", ""),
    ],
)
def test_a_number_repeats_a_record_only_with_what_it_counts_or_measures(
    tmp_path: Path, first: str, again: str, number: str, repeats: str
) -> None:
    own = Own(tmp_path / "own", f"{first} A boy of the mill found {again}.")
    kept = "t1" if "said" in first else "f1"
    for name in {*re.findall(r"- id: ([fw]\d+)", own.yaml)} - {kept}:
        assert own.act("delete", id=own.id(name)).is_success
    at = own.text.rindex(number)
    answer = own.act("propose", kind="waiver", spans=[[at, at + len(number)]]).json()
    values = {field["key"]: field["value"] for field in answer["fields"]}
    expected = ("repeat", own.id(repeats)) if repeats else ("", "")
    assert (values["reason"], values["repeats"]) == expected


@pytest.mark.deep
def test_x_offers_an_age_as_protected_and_never_as_a_repeat_of_the_same_digits(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "The under-18 team of the mill sank. Most mills treat keepers as adults at 18.")
    page = served(own.root, STEM)
    said = page.locator("#said")
    for words in ("as adults at 18", "under-18"):
        find(page, words)
        page.keyboard.press("x")
        expect(said).to_contain_text("x waives it as protected attribute (")
        page.keyboard.press("x")
        expect(said).to_contain_text("Saved w")
    assert own.yaml.count("reason: protected_attribute") == 2


@pytest.mark.parametrize("is_form", [True, False])
def test_a_role_that_follows_the_kind_is_said_and_one_that_a_form_shows_stays(tmp_path: Path, *, is_form: bool) -> None:
    own = Own(tmp_path / "own", "The Lamp Fund said that it shut.")
    speaker = own.yaml.partition("speaker: ")[2].partition("\n")[0]
    assert "    kind: institution\n    role: representative\n" in own.yaml
    values = {"kind": "person"}
    if is_form:
        fields = own.act("current", id=speaker).json()
        values = {field["key"]: field["value"] for field in fields} | {"kind": "person", "anonymity": "named"}
    changed = own.act("change", id=speaker, values=values)
    assert ("role “other”" in changed.json()) is not is_form
    assert f"    kind: person\n    role: {'representative' if is_form else 'other'}\n" in own.yaml


@pytest.mark.parametrize(
    ("sentences", "alone"),
    [
        ("The Lamp Fund sought a loan.", {"lamp-fund", "t1"}),
        ("The Lamp Fund sought a loan. The Lamp Fund said that it shut.", {"t1"}),
    ],
)
def test_narration_and_a_speaker_of_nothing_else_are_accepted_alone(
    tmp_path: Path, sentences: str, alone: set[str]
) -> None:
    own = Own(tmp_path / "own", sentences)
    drafts = [card for row in EditedProject(own.root).article(STEM).rows for card in row.records if card.draft]
    assert {card.id.removeprefix(own.id("")) for card in drafts if card.undecided == ["narrated"]} == alone


def test_a_drafted_subtitle_that_is_boilerplate_is_none(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Lamps in graphics", "Ada Orr said no.")
    with_subtitle = own.yaml.replace("  language: en\n", "  subtitle: Lamps in graphics\n  language: en\n")
    own.file.write_text(with_subtitle, encoding="utf-8")
    assert own.act("add", kind="boilerplate", spans=[own.span("Lamps in graphics")], values={}).is_success
    assert "subtitle" not in own.yaml
    assert "region-overlap" not in {each.code for each in found_in(own.root)}
