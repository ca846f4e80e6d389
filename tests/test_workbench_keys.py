"""Keys of the page for annotators that save others: letters of fields, and the whole sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from playwright.sync_api import expect

from conftest import edit
from defectors_data.annotators.workbench import record_fields
from defectors_data.annotators.workbench.forms import FORMS, form_fields
from defectors_data.annotators.workbench.forms.form_fields import FormField
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.shown_records import shown_records
from defectors_data.text.offsets import Span
from pages import ARTICLE, IDS, IN_VIEW, Served, find, violations
from test_workbench import FILE, STEM, span
from test_workbench_forms import with_sentence


@pytest.mark.parametrize("table", [table for table, models in record_fields.MODELS.items() if models])
def test_each_field_has_a_letter_of_its_label_that_only_those_of_another_group_share(table: str) -> None:
    letters = form_fields.mnemonics_of(table)
    assert all(letter in path[-1] for path, letter in letters.items())
    alone = {path: letter for path, letter in letters.items() if len(path) == 1 or form_fields.BASIC.issuperset(path)}
    assert len(set(alone.values())) == len(alone), alone
    for group in {path[0] for path in letters if len(path) > 1}:
        inside = [letter for path, letter in letters.items() if path[0] == group and len(path) > 1]
        assert len(set(inside)) == len(inside), group


def lettered(fields: Sequence[FormField], *, is_visible: bool) -> Iterator[str]:
    """Yield the letters of the fields of a form, and of those in its groups, that are visible, or folded away."""
    for field in fields:
        if field.shown == is_visible:
            yield field.mnemonic
        for each in field.fields:
            if (field.shown and (each.shown or each.required)) == is_visible:
                yield each.mnemonic


@pytest.mark.parametrize("is_of_a_new_corpus", [True, False])
def test_no_letter_of_a_visible_field_leads_to_one_that_is_folded_away(
    copied: Path, monkeypatch: pytest.MonkeyPatch, *, is_of_a_new_corpus: bool
) -> None:
    led = "antecedent: example-m2"
    edit(copied, FILE, led, f"{led}, rival: example-m1")
    project = EditedProject(copied)
    if is_of_a_new_corpus:
        monkeypatch.setattr(project, "used_keys", set)
    every = {kind: project.proposed(STEM, kind, Span(*span("Ada Example")))[1] for kind in FORMS}
    for _, table, record in shown_records(project.document(STEM)):
        if table != "boilerplate":
            every[record.id] = project.current(STEM, record.id)
    for fields in every.values():
        folded = {letter for letter in lettered(fields, is_visible=False) if letter}
        assert folded.isdisjoint(lettered(fields, is_visible=True)), folded
    letters = {field.key: field.mnemonic for field in every["example-t4"]}
    [said] = [field.fields for field in every["example-t4"] if field.key == "attribution"]
    letters |= {f"attribution {field.key}": field.mnemonic for field in said}
    assert (letters["attribution rival"], letters["relatives"]) == ("r", "" if is_of_a_new_corpus else "r")


@pytest.mark.deep
def test_alt_and_a_letter_lead_to_a_field_of_a_form(new_article: Path, served: Served) -> None:
    page = served(new_article, "900_example")
    page.keyboard.press("S")
    expect(page.locator("#form")).to_be_visible()
    focused = page.locator("#form :focus")
    for key, name, legend in (
        ("Alt+o", "basis", "outlet"),
        ("Alt+v", "value", "outlet"),
        ("Alt+p", "basis", "published"),
    ):
        page.keyboard.press(key)
        expect(focused).to_have_attribute("name", name)
        assert focused.evaluate("each => each.closest('fieldset').dataset.key") == legend
    # A folded field is unfolded.
    page.keyboard.press("Alt+g")
    expect(focused).to_have_attribute("name", "genre")
    expect(focused).to_have_attribute("aria-keyshortcuts", "Alt+G")
    assert violations(page) == []
    expect(page.locator("#about")).to_contain_text("genre: ")


@pytest.mark.deep
def test_one_key_makes_the_words_of_a_draft_its_sentence(new_article: Path, served: Served) -> None:
    file = new_article / f"annotations/{ARTICLE.stem}.yaml"
    before = file.read_text(encoding="utf-8")
    inside = '"she has written to the lighthouse board for blankets"'
    page = served(new_article, ARTICLE.stem)
    find(page, "She believes that")
    page.keyboard.press("ArrowLeft")
    said = page.locator("#said")
    page.keyboard.press("s")
    expect(said).to_contain_text("Changed the words of t6; rejected, as these words contain theirs: t7")
    assert inside not in file.read_text(encoding="utf-8")
    page.keyboard.press("s")
    expect(said).to_contain_text("Undone: changed the words of t6.")
    assert file.read_text(encoding="utf-8") == before
    page.keyboard.press("s")
    page.keyboard.press("a")
    expect(said).to_contain_text("Accepted t6.")
    after = file.read_text(encoding="utf-8")
    assert "once the ice is off the sound, and she has written to the lighthouse board for blankets." in after
    assert inside not in after
    # Elsewhere, the key selects the sentence.
    find(page, "Inside")
    page.keyboard.press("s")
    expect(said).to_contain_text("Inside, six clerks have covered the model of the first tower with a sheet.")
    assert file.read_text(encoding="utf-8") == after


@pytest.mark.deep
def test_the_numbers_of_a_figure_follow_its_hedge_and_its_form_opens_at_the_wrong_one(
    new_article: Path,
    served: Served,
) -> None:
    edit(new_article, FILE, "    value: 12\n", "    value: 12\n    low: 12\n")
    page = served(new_article, "900_example")
    page.locator("[aria-label='Edit example-f2']").click()
    form = page.locator("#form")
    expect(form.locator(":focus")).to_have_attribute("name", "low")
    numbers = [form.locator(f"[name={key}]") for key in ("low", "value", "high")]
    steps = {"exact": ["", "12", ""], "at_least": ["12", "12", ""], "nearly": ["", "12", "12"], "vague": ["12", "", ""]}
    for hedge, expected in steps.items():
        form.locator("[name=hedge]").select_option(hedge)
        assert [each.input_value() for each in numbers] == expected
    # Values can be typed as the codebook writes them, or as the form shows them.
    form.locator("[name=hedge]").focus()
    page.keyboard.type("more_than")
    assert form.locator("[name=hedge]").input_value() == "more_than"
    form.locator("[name=unit]").fill("another unit")
    page.keyboard.press("Enter")
    expect(form).not_to_be_visible()
    assert "unit: other\n" in (new_article / FILE).read_text(encoding="utf-8").partition("id: example-f2\n")[2]


@pytest.mark.deep
def test_a_testimony_at_the_words_of_a_date_takes_their_sentence(new_article: Path, served: Served) -> None:
    page = served(new_article, ARTICLE.stem)
    find(page, "March 9")
    page.keyboard.press("t")
    expect(page.locator("#form")).to_be_visible()
    expect(page.locator("#parts")).to_contain_text("On March 9 the islanders who remain lit more than 30 fires")


@pytest.mark.deep
def test_a_key_gives_the_next_mode_and_the_status_line_shows_the_words_around_the_cursor(
    new_article: Path,
    served: Served,
) -> None:
    file = new_article / f"annotations/{ARTICLE.stem}.yaml"
    page = served(new_article, ARTICLE.stem)
    said = page.locator("#said")
    find(page, "She believes that")
    page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("›She‹ believes that …")
    # Words without quotation marks are never direct.
    for mode in ("narrated", "indirect"):
        page.keyboard.press("v")
        expect(said).to_contain_text(f"Changed t6: now {mode}")
        record = file.read_text(encoding="utf-8").partition("id: t6\n")[2].partition("  - id")[0]
        assert (f"    mode: {mode}\n" in record, "about: true" in record) == (True, mode == "narrated")
    find(page, "hear the bell")
    for mode in ("indirect", "narrated", "direct"):
        page.keyboard.press("v")
        expect(said).to_contain_text(f": now {mode}")
    find(page, "23 keepers")
    for polarity in ("supposed", "promised", "denied", "affirmed"):
        page.keyboard.press("v")
        expect(said).to_contain_text(f": now {polarity}")
        is_stated = f"    polarity: {polarity}\n" in file.read_text(encoding="utf-8")
        assert is_stated == (polarity != "affirmed"), "this is what a figure has without one"
    # Ctrl with an arrow leads to the paragraph before, also from inside of one.
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    start = page.evaluate("head")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Control+ArrowUp")
    assert page.evaluate("head") < start
    page.keyboard.press("Control+ArrowDown")
    assert page.evaluate("head") == start


@pytest.mark.deep
def test_how_far_a_speaker_is_named_follows_the_kind_and_the_name(new_article: Path, served: Served) -> None:
    person = "  - id: mira-fenn\n    kind: person\n    role: other\n    anonymity: named\n"
    edit(new_article, FILE, person, "  - id: mira-fenn\n    kind: institution\n    role: other\n")
    page = served(new_article, "900_example")
    page.locator("[aria-label='Edit mira-fenn']").click()
    kind, name, anonymity = (page.locator(f"#form [name={key}]").first for key in ("kind", "name", "anonymity"))
    shown = page.locator("#form label", has=page.locator("[name=anonymity]"))

    def check(value: str, meaning: str) -> None:
        expect(anonymity).to_have_value(value)
        expect(shown).to_contain_text(meaning)

    kind.select_option("person")
    check("named", "the full name is printed")
    name.fill("Fenn")
    name.blur()
    check("partial", "only a first name or a surname is printed")
    kind.select_option("institution")
    check("not_applicable", "a group, an institution or a writer")
    expect(anonymity).to_be_hidden()
    kind.select_option("person")
    anonymity.select_option("named")
    name.fill("Mira")
    name.blur()
    check("named", "the full name is printed")  # what is chosen stays


@pytest.mark.deep
def test_a_button_says_which_drafts_it_accepts_and_they_are_in_view(new_article: Path, served: Served) -> None:
    page = served(new_article, ARTICLE.stem)
    page.set_viewport_size({"width": 1280, "height": 1200})
    page.keyboard.press("a")
    expect(page.locator("#said")).to_contain_text("Accepted the-night")
    button = page.locator("#accept-all")
    named = button.inner_text().removeprefix("Accept ").removesuffix(" (A)").split(", ")
    cards = [page.locator(f".row .record.draft[data-number='{number}']") for number in named]
    ready = [card.get_attribute("data-id") for card in cards]
    assert set(ready) <= {*page.evaluate(IN_VIEW)}
    paragraphs = {card.locator("xpath=ancestor::*[@class='row']").inner_text() for card in cards}
    assert len(paragraphs) > 1, "drafts of several paragraphs are accepted together"
    button.click()
    expect(page.locator("#said")).to_contain_text(f"Accepted {len(named)}: {', '.join(named)}.")
    assert not {*ready} & {*page.locator(".record.draft").evaluate_all(IDS)}


@pytest.mark.deep
def test_the_card_at_the_cursor_comes_up_so_that_what_follows_can_be_accepted_with_it(
    new_article: Path,
    served: Served,
) -> None:
    page = served(new_article, ARTICLE.stem)
    page.keyboard.press("a")
    expect(page.locator("#now .id")).to_contain_text("testimony t1")
    # What was accepted in the paragraph is above the card, and takes no place of those below.
    page.keyboard.press("a")
    expect(page.locator("#now .id")).to_contain_text("Tilda Marsh")
    expect(page.locator("#accept-all")).to_have_text(re.compile(r"^Accept (?:\w+, )+\w+ \(A\)$"))


@pytest.mark.deep
@pytest.mark.parametrize("draft", ["", "    draft: true\n"])
def test_s_makes_the_words_of_the_testimony_whose_card_is_shown_the_sentence_and_restores_them(
    copied: Path, served: Served, draft: str
) -> None:
    sentence = "Mira Fenn said that 14 lamps went dark at night."
    with_sentence(copied, sentence)
    record = (
        f"  - id: example-t20\n{draft}    speaker: mira-fenn\n    mode: indirect\n    evidence: 14 lamps went dark\n"
    )
    edit(copied, FILE, "\nfigures:\n", f"{record}    attribution: Mira Fenn said\n    themes: [escape]\n\nfigures:\n")
    figure = "  - id: example-f20\n    evidence: 14 lamps\n    value: 14\n    hedge: exact\n    unit: item\n"
    edit(copied, FILE, "\nrelations:\n", f"{figure}    counted: lamps\n\nrelations:\n")
    before = (copied / FILE).read_text(encoding="utf-8")
    page = served(copied, "900_example")
    said, now = page.locator("#said"), page.locator("#now .id")
    for words, keys in (("14 lamps", ["Tab"]), ("14 lamps", ["Shift+Tab"]), ("went dark", []), ("dark at", [])):
        find(page, words)
        if keys:
            expect(now).to_contain_text("figure f20")
        for key in keys:
            page.keyboard.press(key)
        expect(now).to_contain_text("testimony t20")
        page.keyboard.press("s")
        expect(said).to_contain_text("Changed the words of t20")
        assert f'evidence: "{sentence}"' in (copied / FILE).read_text(encoding="utf-8")
        page.keyboard.press("s")
        expect(said).to_contain_text("Undone: changed the words of t20.")
        assert (copied / FILE).read_text(encoding="utf-8") == before
    # Words that were selected by hand, and those of other records, become a selected sentence.
    for words, keys in (("went dark", ["ArrowLeft", "Shift+ArrowRight"]), ("14 lamps", [])):
        find(page, words)
        for key in (*keys, "s"):
            page.keyboard.press(key)
        expect(said).to_contain_text(sentence)
    page.keyboard.press("s")
    expect(said).to_contain_text(f"Hundreds came to the pier. {sentence}")
    assert (copied / FILE).read_text(encoding="utf-8") == before


@pytest.mark.deep
def test_the_words_just_saved_become_the_sentence_with_one_key(new_article: Path, served: Served) -> None:
    page = served(new_article, "900_example")
    said = page.locator("#said")
    find(page, "drifted until morning")
    page.keyboard.press("t")
    expect(page.locator("#form")).to_be_visible()
    page.locator("#form [name=speaker]").select_option(label="Bruno Salt")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Saved")
    page.keyboard.press("s")
    expect(said).to_contain_text("Changed the words of")
    after = (new_article / "annotations/900_example.yaml").read_text(encoding="utf-8")
    assert "In the fog he lost an oar and drifted until morning." in after


def test_the_form_of_a_new_group_asks_for_no_detail_that_a_group_cannot_have(copied: Path) -> None:
    fields = EditedProject(copied).proposed(STEM, "mention", Span(*span("Ada Example")))[1]
    shapes = {field.key: field.applies.get("shape", ("group",)) for field in fields}
    details = {"age", "affiliation", "years_of_service"}
    assert details <= shapes.keys()
    assert not [key for key in details if "group" in shapes[key]], "a value typed there would be lost"
    assert all("named" in shapes[key] and "" in shapes[key] for key in details)


@pytest.mark.deep
def test_a_list_finds_a_value_by_its_name_or_else_meaning(new_article: Path, served: Served) -> None:
    page = served(new_article, ARTICLE.stem)
    find(page, "one of them reminded")
    page.keyboard.press("w")
    reason = page.locator("#form [name=reason]")
    reason.focus()
    for typed, chosen in {"q": "quoted_norm", "a fixed phrase": "idiom", "name": "name"}.items():
        page.keyboard.type(typed)
        expect(reason).to_have_value(chosen)
        expect(page.locator("#refused")).to_have_text("")
        page.wait_for_timeout(1600)  # after a second and a half, letters are those of another word
