"""What the numbers of a card offer in an article of a new corpus, next to the terms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import expect
from starlette.testclient import TestClient

from conftest import found_in
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.server import application
from defectors_data.documents.article import CodeKey
from pages import HOST, TOKEN, Served, find
from test_workbench import act, sha256
from test_workbench_own_corpus import STEM, Own


def keys_of(own: Own, record: str) -> Sequence[CodeKey]:
    """Return the keys on the card of a record."""
    rows = EditedProject(own.root).article(STEM).rows
    [card] = [each for row in rows for each in row.records if record in (each.id, each.number)]
    return card.code_keys


def press(own: Own, record: str, key: CodeKey) -> str:
    """Press a key on the card of a record, and return what the page says."""
    values = {key.field: key.value} | ({"draft": "true"} if key.stays else {})
    answer = own.act("change", id=record, values=values)
    assert answer.is_success, answer.text
    return str(answer.json())


# ---- outlets -----------------------------------------------------------------------------------------------------

INTERVIEW = "Ada Orr told the Harrow Post that it was late."


@pytest.mark.parametrize(
    ("paragraphs", "record", "outlets"),
    [
        ([INTERVIEW, "In May, Orr said that it burned."], "t1", ["Harrow Post (set)"]),
        ([INTERVIEW, "In May, Orr said that it burned."], "t2", ["Harrow Post"]),
        ([INTERVIEW, "It rained.", "In May, Orr said that it burned."], "t2", []),
        ([f"{INTERVIEW} CNN reported that it burned."], "t2", ["Harrow Post"]),
        (["In May, Ada Orr said that it burned."], "t1", []),
    ],
)
def test_the_outlets_that_are_cited_near_a_testimony_are_offered(
    tmp_path: Path, paragraphs: list[str], record: str, outlets: list[str]
) -> None:
    own = Own(tmp_path / "own", *paragraphs)
    keys = [key for key in keys_of(own, record) if key.field == "outlet"]
    assert [key.term + " (set)" * key.is_set for key in keys] == outlets


def test_the_outlets_of_a_writer_without_a_name_are_offered(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "A keeper told the Harrow Post that it was late.")
    writer = own.yaml.replace("kind: person", "kind: writer").replace("    anonymity: unnamed\n", "")
    own.file.write_text(writer, encoding="utf-8")
    [key] = [key for key in keys_of(own, "t1") if key.field == "outlet"]
    assert key.term == "Harrow Post"


def test_the_key_of_an_outlet_sets_it_or_removes_it_and_accepts_the_draft(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", INTERVIEW, "In May, Orr said that it burned.")
    for record, is_said in (("t1", False), ("t2", True)):
        [key] = keys_of(own, record)
        press(own, own.id(record), key)
        lines = own.record(record)
        assert ("outlet: Harrow Post" in lines, "draft" in lines) == (is_said, False)


def test_a_new_testimony_has_the_outlet_of_its_sentence(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", INTERVIEW, "In an interview with the Harrow Post, Orr spoke of the mill.")
    outlets = [own.proposed("testimony", words)["outlet"]["value"] for words in ("Orr spoke of the mill.", INTERVIEW)]
    assert outlets == ["Harrow Post", "Harrow Post"]
    [edited] = [line for line in own.yaml.split("\n") if "cited_outlets" in line]
    own.file.write_text(own.yaml.replace(f"{edited}\n", ""), encoding="utf-8")
    assert own.proposed("testimony", INTERVIEW)["outlet"]["value"] == "", "it must be cited"


@pytest.mark.parametrize(
    "cited", ["", "  cited_outlets: [Harrow Post]\n", "  cited_outlets:\n    - 'Harrow Post'  # a weekly\n"]
)
def test_an_outlet_that_is_typed_is_cited_by_the_source_if_the_article_prints_it(tmp_path: Path, cited: str) -> None:
    own = Own(tmp_path / "own", INTERVIEW, "In May, Orr said that it burned. The Gazette came.")
    [was] = re.findall(r"  cited_outlets: .*\n", own.yaml)
    own.file.write_text(own.yaml.replace(was, cited), encoding="utf-8")
    for outlet in ("Echo", "Gaze", "Gazette"):
        said = own.act("change", id=own.id("t2"), values={"outlet": outlet}).json()
    assert "also changed: " in said
    assert not {"Echo", "Gaze"} & set(yaml.safe_load(own.yaml)["source"]["cited_outlets"])
    assert yaml.safe_load(own.yaml)["source"].get("cited_outlets") == ["Harrow Post"] * bool(cited) + ["Gazette"]


def test_a_draft_without_a_speaker_stays_one_when_its_outlet_is_chosen(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", INTERVIEW, "It rained. “It burned.”")
    keys = keys_of(own, "t2")
    assert [key.field for key in keys] == ["speaker", "outlet"]
    press(own, own.id("t2"), keys[1])
    assert "draft: true\n    speaker: who\n" in own.record("t2")
    assert "outlet: Harrow Post" in own.record("t2")


def test_the_key_of_an_outlet_also_sets_its_kind_where_the_corpus_codes_it(copied: Path) -> None:
    project = EditedProject(copied)
    client = TestClient(application(project, token=TOKEN), base_url=HOST)
    values = {"outlet": "Example Wire"}
    answer = act(client, "change", sha256=sha256(copied), id="example-t4", values=values)
    assert answer.is_success, answer.text
    [testimony] = [each for _, each in project.document("900_example").testimonies if each.id == "example-t4"]
    assert (testimony.outlet, testimony.outlet_kind) == ("Example Wire", "other")


# ---- what a figure may count -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sentence", "counted", "evidence"),
    [
        ("In Rome, Orr took oil to keepers $12.", "amount that Orr took oil to keepers", "Orr took oil to keepers $12"),
        ("Orr took 12 lamps to keepers $14.", "amount that Orr took", "$14"),
    ],
)
def test_a_key_says_what_a_draft_counts_and_its_evidence_has_the_words(
    tmp_path: Path, sentence: str, counted: str, evidence: str
) -> None:
    own = Own(tmp_path / "own", sentence)
    before = own.yaml
    record = next(each for each in ("f1", "f2") if "counted: what" in own.record(each))
    assert "one by one" in own.act("accept-all", id=own.id(record)).text
    key = keys_of(own, record)[0]
    assert (key.field, key.term, key.stays) == ("counted", counted, False)
    press(own, own.id(record), key)
    lines = own.record(record).split("\n")
    assert {f"    counted: {counted}", f"    evidence: {evidence}"} <= {*lines}
    assert "    draft: true" not in lines
    assert {each.code for each in found_in(own.root)} <= {"draft-record", "counted-unstated"}
    assert own.act("undo").is_success
    assert own.yaml == before


def test_a_key_corrects_what_a_draft_counts(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "In Rome he led the mill for 12 years before leaving it, Ada Orr said.")
    assert "counted: time before leaving it" in own.record("f1")
    [key] = [each for each in keys_of(own, "f1") if each.term == "time for which he led the mill"]
    press(own, own.id("f1"), key)
    assert "counted: time for which he led the mill" in own.record("f1")
    assert "evidence: he led the mill for 12 years before leaving it" in own.record("f1")
    assert "draft" not in own.record("f1")


def test_the_polarity_and_what_a_figure_counts_are_chosen_one_after_the_other(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Orr could take oil to keepers $12.")
    polarities = ["affirmed", "denied", "promised", "supposed"]
    keys = keys_of(own, "f1")
    assert [key.term for key in keys[:5]] == [*polarities, "amount that Orr could take oil to keepers"]
    assert all(key.stays for key in keys)
    press(own, own.id("f1"), keys[4])
    assert "draft: true" in own.record("f1")
    assert "# a guess" in own.record("f1"), "the polarity is still to be chosen"
    keys = keys_of(own, "f1")
    assert [(key.term, key.stays) for key in keys] == [(each, False) for each in polarities]
    press(own, own.id("f1"), keys[0])
    assert "draft" not in own.record("f1")
    assert [each.code for each in found_in(own.root) if "f1" in each.message] == []


def test_a_key_leaves_a_draft_one_while_something_else_is_a_guess(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "The mill has lamps, reach 1.3bn, Harrow Rising said.")
    key = next(each for each in keys_of(own, "f1") if each.field == "counted")
    press(own, own.id("f1"), key)
    assert "draft: true" in own.record("f1")
    assert "unit: item  # a guess" in own.record("f1")
    assert "kind: person  # a guess" in own.record("harrow-rising")
    roles = [each for each in keys_of(own, "Harrow Rising") if each.field == "role"]
    assert all(each.stays for each in roles)
    press(own, "harrow-rising", roles[0])
    assert "draft: true" in own.record("harrow-rising")


@pytest.mark.parametrize(
    ("said", "units", "is_draft"),
    [
        ("Orr burned the 40 there.", ["person", "other"], True),
        ("Orr lit 40 Oscars.", ["item", "other"], False),
        ("It grew to 4.5 there.", ["item", "person"], False),
        ("Orr lit 40 lamps.", [], False),
    ],
)
def test_the_unit_that_no_words_state_is_chosen_with_one_key(
    tmp_path: Path, said: str, units: list[str], *, is_draft: bool
) -> None:
    own = Own(tmp_path / "own", said)
    keys = [key for key in keys_of(own, "f1") if key.field == "unit"]
    assert [key.term for key in keys] == units
    for key in keys[:1]:
        press(own, own.id("f1"), key)
        assert f"unit: {key.term}\n" in own.record("f1")
        assert ("draft: true" in own.record("f1")) == is_draft


@pytest.mark.parametrize(
    ("said", "reason", "others"),
    [
        ("It is the so-called “dark light” of May.", "term", {"scare_quote", "quoted_norm", "title"}),
        ("It has the slogan “Lamps are bright” now.", "term", {"scare_quote", "quoted_norm", "title"}),
        ("Orr lit the PM12 in May.", "name", {"not_a_quantity", "protected_attribute"}),
    ],
)
def test_the_reason_for_a_waiver_is_chosen_with_one_key(
    tmp_path: Path, said: str, reason: str, others: set[str]
) -> None:
    own = Own(tmp_path / "own", said)
    keys = {key.term: key for key in keys_of(own, "w1")}
    assert [key.term for key in keys.values() if key.is_set] == [reason]
    assert others <= set(keys)
    assert not {"date", "repeat"} & set(keys)
    for other in sorted(others)[:1]:
        press(own, own.id("w1"), keys[other])
        assert own.record("w1").split()[-2:] == ["reason:", other]
        assert "draft" not in own.record("w1")


def test_the_words_of_a_figure_stay_in_its_testimony(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "In Rome, Orr took oil to keepers $12.")
    spans = [own.span("keepers $12")]
    values = {"speaker": "writer", "mode": "narrated", "themes": "other", "attribution": {"words": "took"}}
    assert own.act("add", kind="testimony", spans=spans, values=values).is_success
    assert "testimony: t1" in own.record("f1")
    press(own, own.id("f1"), keys_of(own, "f1")[0])
    assert "evidence: $12\n" in own.record("f1")


# ---- speakers who may be the same --------------------------------------------------------------------------------

KEEPER = "{} walked to the mill. The lamp keeper said that it was late."
SAID = "“It is late,” Ada Orr said. Ben Pelt said no."


@pytest.mark.parametrize(
    ("paragraphs", "record", "same"),
    [
        ([KEEPER.format("Ada Orr"), SAID], "The lamp keeper", ["Ada Orr"]),
        ([KEEPER.format("Ada Orr and Ben Pelt"), SAID], "The lamp keeper", ["Ben Pelt", "Ada Orr"]),
        (["Ada Orr left.", "It rained.", KEEPER.format("We"), SAID], "The lamp keeper", []),
        ([KEEPER.format("Ada Orr").replace("The lamp", "A lamp"), SAID], "A lamp keeper", []),
        ([KEEPER.format("Ada Orr"), SAID], "Ada Orr", []),
        (["Millers wrote in.", "“It burned,” the two millers wrote. Millers said no."], "the two millers", ["Millers"]),
    ],
)
def test_speakers_who_may_be_the_same_are_offered(
    tmp_path: Path, paragraphs: list[str], record: str, same: list[str]
) -> None:
    own = Own(tmp_path / "own", *paragraphs)
    keys = [key for key in keys_of(own, record) if key.field == "same_speaker_as"]
    assert [key.term for key in keys] == same


@pytest.mark.parametrize("before", ["Ada Orr, a miller,", "Ada Orr, a miller, saw Ben Pelt, 40. She", "We"])
def test_a_description_is_a_mention_of_the_speaker_with_whom_it_is_joined(tmp_path: Path, before: str) -> None:
    own = Own(tmp_path / "own", f"{before} walked to the mill.", f"The lamp keeper said that it was late. {SAID}")
    answer = own.act("change", id=own.id("speaker-1"), values={"same_speaker_as": "ada-orr"})
    assert answer.json() == ", now joined with Ada Orr"
    assert "speaker: ada-orr\n" in own.record("t1")
    found = [each.code for each in found_in(own.root) if each.code != "draft-record"]
    assert not found


@pytest.mark.deep
def test_one_key_joins_two_entries_and_says_so(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", KEEPER.format("Ada Orr, a miller,"), SAID)
    page = served(own.root, STEM)
    find(page, "The lamp keeper")
    page.keyboard.press("Shift+Tab")
    keys = page.locator("#now .codes span", has_text="the same speaker")
    expect(keys).to_have_count(1)
    page.keyboard.press(keys.locator("kbd").inner_text())
    expect(page.locator("#said")).to_contain_text("same speaker as Ada Orr, now joined with Ada Orr")
    assert "speaker-1" not in own.yaml


# ---- speakers ----------------------------------------------------------------------------------------------------


def test_a_state_introduces_no_speaker(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "At a fair in Harrow, N.H., Orr denied that it burned.")
    assert "N.H." not in [key.term for key in keys_of(own, "t1")]


@pytest.mark.deep
def test_the_last_line_names_each_value_that_a_number_changes_and_its_form_shows_what_was_chosen(
    tmp_path: Path,
    served: Served,
) -> None:
    own = Own(tmp_path / "own", "Ada Orr said no. Millers left. “It burned,” she said.", "Pelt may throw off 20 there.")
    own.file.write_text(own.yaml.replace("speaker: ada-orr\n    mode: direct", "speaker: who\n    mode: direct"))
    page = served(own.root, STEM)
    said, form = page.locator("#said"), page.locator("#form")
    find(page, "It burned")
    for key in ("c", "s", "1"):
        page.keyboard.press(key)
    expect(said).to_contain_text("Accepted t2: speaker Ada Orr; now indirect speech.")
    find(page, "20")
    keys = page.locator("#now .codes span", has_text="denied")
    page.keyboard.press(keys.locator("kbd").inner_text())
    expect(said).to_contain_text("Changed f1: polarity denied.")
    page.keyboard.press("e")
    expect(form.locator("[name=counted]")).to_be_focused()
    expect(form.locator("[name=polarity]")).to_be_visible()
    expect(form.locator("[name=polarity]")).to_have_value("denied")


@pytest.mark.deep
def test_the_records_of_the_speaker_who_is_chosen_come_first_among_the_antecedents(
    tmp_path: Path,
    served: Served,
) -> None:
    own = Own(tmp_path / "own", "Ada Orr said no. Ben Pelt said no.", "The senator likes it.")
    page = served(own.root, STEM)
    find(page, "The senator likes it.")
    page.keyboard.press("t")
    options = page.locator("#form [name=antecedent]").first.locator("option")
    for speaker in ("Ada Orr", "Ben Pelt"):
        page.locator("#form [name=speaker]").first.select_option(label=speaker)
        expect(options.nth(2)).to_have_text(re.compile(f"^{speaker}, "))
        expect(options.nth(3)).not_to_have_text(re.compile(f"^{speaker}, "))


# ---- drafts of which the speaker was read from another testimony -------------------------------------------------

LED = "Ida Pelt, a clerk, left. “It burned,” she said. She added that 12 lamps burned."


@pytest.mark.parametrize(
    ("speaker", "then"),
    [
        ("ben-salt", "speaker: ben-salt"),
        ("lamp-fund", "speaker: who"),  # "She added"
        ("writer", "speaker: who"),
    ],
)
def test_drafts_follow_the_speaker_of_the_testimony_from_which_theirs_was_read(
    tmp_path: Path, speaker: str, then: str
) -> None:
    own = Own(tmp_path / "own", LED, "“It was late.”", "Ben Salt said no. Lamp Fund said no.")
    before = own.yaml
    assert "antecedent: t1" in own.record("t2")
    assert "continues: t2" in own.record("t3")
    said = own.act("change", id=own.id("t1"), values={"speaker": speaker}).json()
    assert said.endswith("; also changed: t2, t3, f1")
    for record in ("t2", "t3"):
        assert f"draft: true\n    {then}\n" in own.record(record)
    assert ("antecedent: t1" in own.record("t2")) == ("continues: t2" in own.record("t3")) == (speaker == "ben-salt")
    assert ("attributed_to: ben-salt" in own.record("f1")) == (speaker == "ben-salt")
    assert own.act("undo").is_success
    assert own.yaml == before
    # What was accepted is corrected by a person.
    for record in ("ida-pelt", "t2"):
        assert own.act("accept", id=record if record == "ida-pelt" else own.id(record)).is_success
    own.act("change", id=own.id("t1"), values={"speaker": speaker})
    assert "speaker: ida-pelt" in own.record("t2")


def test_the_speaker_of_a_draft_is_open_when_what_it_continues_is_rejected(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Ida Pelt, a clerk, said no; she feared rain.", "“It was late.”")
    assert "continues: t2" in own.record("t3")
    assert own.act("delete", id=own.id("t2")).is_success
    assert "draft: true\n    speaker: who\n" in own.record("t3")
    assert "continues" not in own.record("t3")
    press(own, own.id("t3"), keys_of(own, "t3")[0])
    assert "speaker: ida-pelt\n" in own.record("t3")
    assert "attribution: {continues: t1}" in own.record("t3")


def test_a_speaker_who_is_chosen_for_a_description_is_that_of_other_drafts_with_it(tmp_path: Path) -> None:
    named = "Ben Brown said that it was late. Tony Orr said no."
    others = "It is May in Harrow, Tony Orr said.", "The chancellor told us no.", "The clerk told us no."
    own = Own(tmp_path / "own", named, "The chancellor said that it burned.", *others)
    open_before = [name for name in ("t3", "t5", "t6") if "speaker: who\n" in own.record(name)]
    assert open_before == ["t3", "t5", "t6"]
    [key] = [key for key in keys_of(own, "t3") if key.value == "ben-brown"]
    assert press(own, own.id("t3"), key).endswith("; also changed: t5")
    assert "draft: true\n    speaker: ben-brown\n" in own.record("t5")
    assert "draft: true\n    speaker: who\n" in own.record("t6")
    assert own.act("undo").is_success
    assert "speaker: who\n" in own.record("t5")


@pytest.mark.parametrize("named", ["the writer", "Ada Orr"])
def test_a_description_that_may_mean_others_is_not_followed(tmp_path: Path, named: str) -> None:
    first = "It was May. The keeper said that it burned.", "Ada Orr, a keeper in Rome, said no."
    second = "Ben Brown, a keeper in Pelt, said it was late. The keeper said that it is red."
    own = Own(tmp_path / "own", *first, second)
    [key] = [key for key in keys_of(own, "t1") if key.term.startswith(named)]
    press(own, own.id("t1"), key)
    assert "speaker: who\n" in own.record("t4")


def test_a_speaker_without_statements_is_the_last_place_with_something_to_do(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "It rained on Ada Orr.")
    values = {"kind": "person", "role": "other", "anonymity": "named", "name": "Ada Orr"}
    assert own.act("add", kind="mention", spans=[own.span("Ada Orr")], values=values).is_success
    view = EditedProject(own.root).article(STEM)
    assert own.span("Ada Orr") not in [[*each] for each in view.targets], "the source is a draft"
    assert own.act("accept", id=view.source).is_success
    assert own.span("Ada Orr") in [[*each] for each in EditedProject(own.root).article(STEM).targets]
