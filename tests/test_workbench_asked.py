"""What the page asks for before it saves, and what it proposes there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from calling import run
from conftest import found_in
from pages import Served, find
from test_workbench_own_corpus import STEM, Own


@pytest.mark.parametrize(
    ("said", "words", "name"),
    [
        ("The union said that it was late.", "The union", "union"),
        ("A railway company, which sold it, said no.", "A railway company, which sold it,", "railway company"),
        ("The Lamp Union said no.", "The Lamp Union", "Lamp Union"),
        ("A miller said no.", "A miller", ""),
    ],
)
def test_a_body_without_a_printed_name_is_called_what_the_words_call_it(
    tmp_path: Path, said: str, words: str, name: str
) -> None:
    own = Own(tmp_path / "own", said)
    fields = own.proposed("mention", words)
    assert fields["name"]["value"] == name
    if own.record("t1").count("speaker: who"):
        given = {key: field["value"] for key, field in fields.items()}
        assert own.act("add", kind="mention", id=own.id("t1"), spans=[own.span(words)], values=given).is_success
        assert [each.code for each in found_in(own.root) if each.code != "draft-record"] == []


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("a delegation of north-side keepers", "group"),
        ("a committee of millers", "group"),
        ("a union", "group"),
        ("the crew", "group"),
        ("a miller", "person"),
        ("the Harrow crew", "institution"),
        ("a mill company", "institution"),
    ],
)
def test_a_new_speaker_needs_no_name_if_it_is_a_group_or_a_person(tmp_path: Path, words: str, kind: str) -> None:
    sentence = f"On Monday, {words} visited Orr to lobby for oil."
    own = Own(tmp_path / "own", sentence)
    said = {"words": f"{words} ... lobby"}
    values = {"speaker": "new", "mode": "indirect", "themes": "other", "attribution": said}
    added = own.act("add", kind="testimony", spans=[own.span(sentence)], values=values)
    proposed = {key: field["value"] for key, field in own.proposed("mention", words).items()}
    assert (proposed["kind"], bool(proposed["name"])) == (kind, kind == "institution")
    if words.endswith("company"):
        assert added.json()["message"] == f"“{words}” gives no name: select these words, press m, and enter it."
        return
    assert added.is_success
    entry = own.yaml.partition("speakers:")[2].partition("testimonies:")[0].replace('"', "")
    assert (f"kind: {kind}\n" in entry, "name: " in entry) == (True, kind == "institution")
    assert f"evidence: {words}\n" in entry


@pytest.mark.deep
def test_a_new_measure_is_saved_with_the_definition_that_the_form_asks_for(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "Ada Orr said that the mill now sold 20 lamps.")
    page = served(own.root, STEM)
    form, defined = page.locator("#form"), page.get_by_label("Definition of the new term lamps_sold")
    find(page, "20")
    page.keyboard.press("e")
    form.locator("[name=measure]").focus()
    page.keyboard.type("lamps_sold")
    page.keyboard.press("Enter")
    expect(defined).to_be_focused()
    page.keyboard.type("Lamps sold in a year")
    page.keyboard.press("Enter")
    expect(form).to_be_hidden()
    vocabulary = (own.root / "annotations/vocabulary.yaml").read_text(encoding="utf-8")
    assert 'term: lamps_sold\n    definition: "Lamps sold in a year."\n' in vocabulary


@pytest.mark.deep
def test_the_form_of_a_speaker_of_two_articles_opens_at_the_field_that_joins_them(
    tmp_path: Path,
    served: Served,
) -> None:
    own = Own(tmp_path / "own", "“It is late,” said Ada Orr.")
    (own.root / "seeds/pier.txt").write_text("The Pier\n\n“It is shut,” said Ada Orr.\n", encoding="utf-8")
    assert run("draft", "--fill", "pier", where=own.root).returncode == 0
    page = served(own.root, "pier")
    find(page, "Ada Orr")
    page.keyboard.press("Tab")
    expect(page.locator("#now .bad")).to_contain_text("Choose this speaker in the field “same speaker as”.")
    page.keyboard.press("e")
    expect(page.get_by_label("same speaker as")).to_be_focused()


@pytest.mark.deep
def test_keys_apply_to_the_record_with_the_fewest_words_around_those_that_were_found(
    tmp_path: Path,
    served: Served,
) -> None:
    own = Own(tmp_path / "own", "Ada Orr said that the mill sold 20 lamps. It rained.")
    page = served(own.root, STEM)
    now = page.locator("#now .id")
    for words, record in (("said that", "testimony t1"), ("20", "figure f1"), ("Ada Orr", "mention m1")):
        find(page, words)
        expect(now).to_contain_text(record)
    find(page, "It rained")
    expect(now).to_have_count(0)
    page.keyboard.press("e")
    expect(page.locator("#said")).to_have_text("There is no record at the cursor.")


@pytest.mark.deep
def test_a_key_leads_to_the_next_article(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "It rained.")
    (own.root / "seeds/pier.txt").write_text("The Pier\n\nIt is shut.\n", encoding="utf-8")
    assert run("draft", "--fill", "pier", where=own.root).returncode == 0
    page = served(own.root, STEM)
    page.keyboard.press("a")
    page.keyboard.press("r")
    expect(page.locator("#form")).to_be_visible()
    page.keyboard.press("p")  # a person; no kind is chosen before
    page.keyboard.press("Enter")
    expect(page.locator("#left")).to_contain_text("N leads to the next article.")
    for key, title in (("N", "The Pier"), ("P", "The Old Mill Stays Shut")):
        page.keyboard.press(key)
        expect(page.locator("h2.title")).to_have_text(title)
        expect(page.locator("#text")).to_be_focused()
    page.keyboard.press("P")
    expect(page.locator("#said")).to_have_text("There is no article before this one.")


@pytest.mark.deep
def test_a_number_that_saves_words_means_the_speaker_who_is_shown(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "“No,” said Ada Orr. It was late there. “Yes,” said Ben Pelt. Boats sank. “It burned.”")
    page = served(own.root, STEM)
    second = page.locator("#now .codes b").nth(1)
    find(page, "It burned")
    page.keyboard.press("c")
    expect(second).to_have_text("Ada Orr")
    page.keyboard.press("/")
    page.keyboard.type("late there")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_have_text("late there")
    page.keyboard.press("2")
    expect(page.locator("#said")).to_contain_text("Accepted t3: speaker Ada Orr;")


BARE = "“No,” said Ada Orr. It was late. Boats sank. “It burned.” Lamps broke."


def test_the_form_of_a_bare_quotation_offers_only_what_it_can_continue_or_else_none(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", BARE, "“It rained.” “Yes,” said Ben Pelt.")
    bare, next_to_speech = (own.current(name)["attribution"]["fields"] for name in ("t2", "t3"))
    [bare, next_to_speech] = [{each["key"]: each for each in fields} for fields in (bare, next_to_speech)]
    assert [each["value"] for each in bare["continues"]["choices"]] == [""]
    assert bare["none"]["shown"]
    assert bare["none"]["by_speaker"] == {"ada-orr": "unclear", "ben-pelt": "unclear", "writer": "writer"}
    assert [each["value"] for each in next_to_speech["continues"]["choices"]] == ["", own.id("t4")]
    assert next_to_speech["continues"]["by_speaker"]["ben-pelt"] == own.id("t4")
    assert next_to_speech["none"]["by_speaker"]["ben-pelt"] == ""
    # What the form fills in is written only when it is saved; the form of a draft with a speaker has it too.
    values = {"speaker": "ada-orr"}
    assert own.act("change", id=own.id("t2"), values=values).status_code == 422
    assert "speaker: who" in own.record("t2")
    assert own.act("change", id=own.id("t2"), values={**values, "draft": "true"}).is_success
    assert "attribution" not in own.record("t2")
    [none] = [each for each in own.current("t2")["attribution"]["fields"] if each["key"] == "none"]
    assert none["value"] == "unclear"


def test_none_is_not_filled_in_where_the_rules_refuse_it(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", BARE.replace("burned.”", "burned,” and Ada Orr left."))
    [none] = [each for each in own.current("t2")["attribution"]["fields"] if each["key"] == "none"]
    assert none["by_speaker"] == {"ada-orr": "", "writer": "writer"}, "the sentence names the speaker"


@pytest.mark.deep
def test_keys_pass_through_the_list_of_how_far_a_person_is_named(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "“It is late,” said Ada Orr.")
    page = served(own.root, STEM)
    find(page, "Ada Orr")
    page.keyboard.press("Tab")
    page.keyboard.press("e")
    anonymity = page.locator("#form [name=anonymity]")
    values = anonymity.locator("option").evaluate_all("options => options.map((option) => option.value)")
    anonymity.focus()
    page.keyboard.press("Home")
    for value in values:
        expect(anonymity).to_have_value(value)
        page.keyboard.press("ArrowDown")


@pytest.mark.deep
def test_what_is_typed_before_a_form_or_a_search_is_open_is_in_it(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "Ada Orr said that the price would go for 20.")
    page = served(own.root, STEM)
    form, refused, said = page.locator("#form"), page.locator("#refused"), page.locator("#said")

    held, late = list[Route](), ["nothing"]

    def answer_later(route: Route) -> None:
        if f"/{late[0]}/" in route.request.url:
            held.append(route)
        else:
            route.continue_()

    page.route(re.compile("/(?:accept|change|current)/"), answer_later)

    def pressed(*keys: str, answer: str = "current") -> None:
        """Press keys, the first of which the server answers only after the last one."""
        late[0] = answer
        with page.expect_request(f"**/{answer}/**"):
            page.keyboard.press(keys[0])
        for key in keys[1:]:
            page.keyboard.press(key)
        late[0] = "nothing"
        held.pop().continue_()

    def focused(name: str, value: str) -> None:
        expect(form.locator(":focus")).to_have_attribute("name", name)
        expect(form.locator(":focus")).to_have_value(value)

    find(page, "20")
    expect(page.locator("#now")).to_contain_text("(not chosen)")
    pressed("e", *"Mills a", "x", "Backspace", "t", "Tab", *"mills", "Alt+u", *"cup")
    focused("unit", "cup")
    expect(form.locator("[name=counted]")).to_have_value("Mills at")
    expect(form.locator("[name=measure]")).to_have_value("mills")
    expect(refused).to_have_text("")
    page.keyboard.press("Escape")
    # Enter would save what nobody has seen; the last line says why the form is open.
    pressed("a", *"the price", "Enter", "k", answer="accept")
    focused("counted", "the price")
    asked = "Choose what is counted first."
    missed = "Enter was pressed before this form was open, and has no effect in it, nor has what followed."
    expect(refused).to_have_text(f"{asked} {missed}")
    expect(said).to_contain_text(f"The form of f1 is open: {asked}")
    page.keyboard.press("Escape")
    pressed("e", "k", "Escape", "?")
    expect(page.locator("#help")).to_be_visible()
    expect(form).to_be_hidden()
    page.keyboard.press("Escape")
    # In a list, letters choose.
    find(page, "Ada Orr")
    page.keyboard.press("Shift+Tab")
    pressed("e", *"group")
    focused("kind", "group")
    page.keyboard.press("Escape")
    # While a form is saved, keys are not for it, also if it is refused.
    find(page, "price")
    page.keyboard.press("e")
    words = form.locator("[name=words]").first
    words.fill("Orr wrote")
    pressed("Enter", "x", answer="change")
    expect(refused).to_contain_text("does not contain the words")
    expect(words).to_have_value("Orr wrote")
    page.keyboard.press("Escape")
    pressed("a", "/", *"would go", "Enter", answer="accept")
    expect(said).to_contain_text("would go")
    expect(page.locator("#search")).to_be_hidden()


@pytest.mark.deep
def test_x_asks_why_words_are_no_record_also_inside_of_another_draft(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "Ada Orr said that the mill now sold 20 lamps.")
    page = served(own.root, STEM)
    find(page, "20 lamps")
    page.keyboard.press("x")
    expect(page.locator("#said")).to_contain_text("Rejected f1. “20” is now unaccounted for: x asks why")
    page.keyboard.press("x")
    expect(page.locator("#form-title")).to_have_text("New waiver")
    page.keyboard.press("Escape")
    expect(page.locator("#record-t1, [data-id$=t1]").first).to_have_class(re.compile(r"\bdraft\b"))


@pytest.mark.deep
def test_the_reason_that_was_chosen_last_waives_the_next_number_too(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "Ada Orr said that the mill now sold 20 lamps, and then 30 boats.")
    page = served(own.root, STEM)
    said = page.locator("#said")
    find(page, "20 lamps")
    page.keyboard.press("x")
    expect(said).to_contain_text("x asks why")
    page.keyboard.press("x")
    expect(page.locator("#form-title")).to_have_text("New waiver")
    page.keyboard.type("idiom")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Saved w")
    find(page, "30 boats")
    page.keyboard.press("x")
    expect(said).to_contain_text("“30” is now unaccounted for: x waives it as idiom (")
    page.keyboard.press("x")
    expect(said).to_contain_text("Saved w")
    assert own.yaml.count("reason: idiom") == 2
