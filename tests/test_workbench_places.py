"""What the keys of the workbench lead to, in a real browser: the next place, the reason, and the form that asks."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from conftest import edit
from pages import ARTICLE, Served, find, unread
from test_workbench import FILE
from test_workbench_findings import renamed
from test_workbench_forms import with_sentence
from test_workbench_own_corpus import STEM, Own

pytestmark = pytest.mark.deep

HINT = "A possible statement: t records it, x passes it over; r needs neither."
AGAIN = "Again from the beginning. "


@pytest.mark.parametrize(
    ("draft", "expected"),
    [
        ("w3", "testimony t10"),  # the draft is before it, in the same paragraph
        ("t1", "testimony t10"),
        ("w4", "waiver w4 draft"),
        ("", "testimony t10"),
    ],
)
def test_after_a_new_record_the_cursor_leads_on_but_stays_rather_than_go_back(
    copied: Path, served: Served, draft: str, expected: str
) -> None:
    words = "The lamps are expected to burn."
    with_sentence(copied, words)
    if draft:
        edit(copied, FILE, f"  - id: example-{draft}\n", f"  - id: example-{draft}\n    draft: true\n")
    page = served(copied, "900_example")
    for saves in ("Enter", "Shift+Enter") if draft else ("Enter",):
        find(page, "expected to burn")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("t")
        expect(page.locator("#form")).to_be_visible()
        page.locator("#form [name=speaker]").select_option(label="the writer of the article")
        for name, value in {"access": "about_others", "outlet_kind": "own"}.items():
            page.locator(f"#form [name={name}]").select_option(value)
        page.keyboard.press(saves)
        if saves == "Enter":
            expect(page.locator("#said")).to_contain_text("Saved t10.")
            expect(page.locator("#now .id")).to_contain_text(expected)
            if expected == "testimony t10":
                assert "".join(page.locator("#text .chosen").all_inner_texts()) == words
            page.keyboard.press("u")
            expect(page.locator("#said")).to_contain_text("Undone: saved t10.")
    if draft:
        expect(page.locator("#form-title")).to_have_text(f"Edit {draft}")


def test_after_a_new_record_with_a_finding_the_cursor_stays_at_it(new_article: Path, served: Served) -> None:
    page = served(new_article, ARTICLE.stem)
    find(page, "for blankets")
    page.keyboard.press("w")
    expect(page.locator("#form [name=reason]")).to_be_focused()
    page.keyboard.type("idiom")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Saved w4. It has a finding, which is to be corrected: ")
    expect(page.locator("#now .id")).to_contain_text("waiver w4")
    assert "".join(page.locator("#text .chosen").all_inner_texts()) == "for blankets"


def test_x_offers_a_reason_only_where_one_fits(new_article: Path, served: Served) -> None:
    page = served(new_article, ARTICLE.stem)
    # The date in this draft has a draft of its own.
    find(page, "A notice on its door")
    page.keyboard.press("x")
    expect(page.locator("#said")).to_contain_text("Rejected")
    expect(page.locator("#said")).not_to_contain_text("unaccounted for:")
    # No reason fits a count, so that `x` offers none.
    find(page, "17 lights")
    page.keyboard.press("x")
    expect(page.locator("#said")).to_contain_text("x asks why it is no record, and t or f records it.")
    page.keyboard.press("x")
    expect(page.locator("#form-title")).to_have_text("New waiver")
    page.keyboard.press("Escape")
    page.keyboard.press("x")
    expect(page.locator("#form [name=reason]")).to_be_focused()
    expect(page.locator("#form [name=reason]")).to_have_value("")


def test_with_ctrl_the_cursor_is_once_after_each_mark_and_a_selection_ends_before_it(
    copied: Path,
    served: Served,
) -> None:
    said = "The coal- and oil-fired mill shut, then -- too late -- and (at last) the keepers’ lamps burned: “Gone,” "
    with_sentence(copied, f"{said}he wrote.")
    page = served(copied, "900_example")
    find(page, "The coal-")
    page.keyboard.press("ArrowLeft")
    for key, stops in (
        ("Control+ArrowRight", ["then", "too", "and", "at", "the", "Gone", "he"]),
        ("Control+ArrowLeft", ["Gone", "the", "at", "and", "too", "then", "The"]),
    ):
        for stop in stops:
            page.keyboard.press(key)
            expect(page.locator("#text .at")).to_have_text(stop)
    for key, ends in (
        ("Shift+Control+ArrowRight", ["shut", "then", "late", "and", "last)", "burned", "“Gone,”"]),
        ("Shift+Control+ArrowLeft", ["burned", "last)"]),
    ):
        for end in ends:
            page.keyboard.press(key)
            expect(page.locator("#said")).to_have_text(re.compile(rf"{re.escape(end)}\s*$"))
    find(page, "lamps burned")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#text .at")).to_have_text("lamps")
    for begin in ("the", "(at", "and"):
        page.keyboard.press("Shift+Control+ArrowLeft")
        expect(page.locator("#said")).to_have_text(re.compile(rf"^\s*{re.escape(begin)}"))
        page.evaluate("refresh()")  # as when a file has changed: the start remains the end that moves


def test_enter_confirms_that_no_words_say_who_speaks_in_the_form_of_a_quotation_that_continues_nothing(
    copied: Path,
    served: Served,
) -> None:
    with_sentence(copied, "Boats burned. “We saw it.” Boats sank.")
    draft = "  - id: example-t20\n    draft: true\n    speaker: who\n    mode: direct\n    evidence: We saw it.\n"
    draft += "    themes: [weather]\n    access: about_others\n    outlet_kind: own\n"
    edit(copied, FILE, "\nfigures:\n", f"{draft}\nfigures:\n")
    page = served(copied, "900_example")
    find(page, "We saw it")
    page.keyboard.press("2")
    form = page.locator("#form")
    expect(form.locator("#refused")).to_contain_text("Choose the words that say who speaks, the testimony")
    expect(form.locator("#refused")).to_contain_text("Enter saves `none: unclear`.")
    expect(form.locator("#fields [data-key=attribution] [name=none]")).to_be_focused()
    for name in ("words", "continues"):
        expect(form.locator(f"#fields [name={name}]").first).to_be_visible()
    assert form.locator("[name=speaker]").input_value() == page.locator("#now .codes span").nth(1).get_attribute(
        "data-value"
    )
    page.keyboard.press("Enter")
    expect(form).to_be_hidden()
    card = page.locator("#record-example-t20:not(.draft)")
    expect(card).to_contain_text("none: unclear")
    expect(card.locator(".bad")).to_have_count(0)


def test_a_draft_gets_the_speaker_whose_words_are_selected_in_another_paragraph(
    new_article: Path,
    served: Served,
) -> None:
    page = served(new_article, ARTICLE.stem)
    now, said = page.locator("#now"), page.locator("#said")
    find(page, "one of them reminded")
    draft = page.locator(".record[data-state~=open]").first.get_attribute("data-number")
    # Words that are a mention already, or part of one, need no form.
    find(page, "Tilda Marsh")
    expect(now).to_contain_text(f"m: the selected words introduce the speaker of {draft}.")
    page.keyboard.press("m")
    expect(said).to_contain_text(f"Changed {draft}: speaker Tilda Marsh")
    expect(now.locator(".id")).to_contain_text(f"testimony {draft} draft")
    page.keyboard.press("u")
    expect(said).to_contain_text("Undone")
    # Other words become the mention of a new speaker.
    find(page, "one of them reminded")
    find(page, "Fishermen")
    page.keyboard.press("Shift+ArrowRight")
    expect(now).to_contain_text(f"introduce the speaker of {draft}.")
    page.keyboard.press("m")
    expect(page.locator("#form")).to_be_visible()
    page.keyboard.press("Enter")
    expect(said).to_contain_text(f"also changed: {draft}")
    expect(now.locator(".id")).to_contain_text(f"testimony {draft} draft")
    page.keyboard.press("u")
    expect(said).to_contain_text("Undone")
    # Who goes on with `n` seeks nobody for it.
    find(page, "one of them reminded")
    page.keyboard.press("n")
    find(page, "Tilda Marsh")
    expect(now).not_to_contain_text("introduce the speaker")


def test_n_leads_to_possible_statements_when_nothing_else_is_left_and_x_passes_one_over_without_a_record(
    copied: Path,
    served: Served,
) -> None:
    first, second = "The old pier is expected to close.", "The lamps are expected to burn."
    with_sentence(copied, f"{first} It is long. {second}")
    unread(copied)
    before = (copied / FILE).read_bytes()
    page = served(copied, "900_example")
    said, left = page.locator("#said"), page.locator("#left")
    expect(left).to_contain_text("2 possible statements left.")

    def pressed(key: str, words: str) -> None:
        page.keyboard.press(key)
        expect(said).to_contain_text(words)

    for key, again, words in (
        ("n", "", first),
        ("n", "", second),
        ("p", "", first),
        ("n", "", second),
        ("n", AGAIN, first),
    ):
        pressed(key, f"{again}Possible statement: “{words}” 0 unaccounted for")
        expect(page.locator("#now")).to_have_text(HINT)
    pressed("x", f"Passed over in this tab; nothing is written, and u brings it back. Possible statement: “{second}”")
    expect(page.locator("#now")).to_have_text(HINT)
    expect(left).to_contain_text("1 possible statement left.")
    assert "".join(page.locator("#text .possible").all_inner_texts()) == second
    pressed("u", "Underlined again. 0 unaccounted for, 0 findings. No reading is recorded")
    assert "".join(page.locator("#text .chosen").all_inner_texts()) == first
    pressed("x", "Passed over")
    page.reload()
    page.locator("#text").focus()
    pressed("n", second)
    page.keyboard.press("t")
    expect(page.locator("#parts")).to_contain_text(second)
    page.keyboard.press("Escape")
    pressed("x", "Passed over")
    expect(left).not_to_contain_text("possible")
    # What has a draft or a finding comes first.
    edit(copied, FILE, "  - id: example-w3\n", "  - id: example-w3\n    draft: true\n")
    expect(left).to_contain_text("1 draft")
    pressed("n", "waiver w3")
    assert (copied / FILE).read_bytes().replace(b"    draft: true\n", b"") == before


def test_a_finding_that_no_form_corrects_keeps_nobody_from_possible_statements(copied: Path, served: Served) -> None:
    printed, title = "Keepers Leave the Lighthouse, Crossing to Port Example", "The lighthouse is expected to close"
    before = hashlib.sha256((copied / "seeds/900_example.txt").read_bytes()).hexdigest()
    edit(copied, "seeds/900_example.txt", f"{printed}\n", f"{title}\n")
    edit(copied, FILE, f"title: {printed}", f"title: {title}")
    edit(copied, FILE, before, hashlib.sha256((copied / "seeds/900_example.txt").read_bytes()).hexdigest())
    first, second = "The old pier is expected to close.", "The lamps are expected to burn."
    with_sentence(copied, f"{first} It is long. {second}")
    edit(copied, FILE, "  - id: example-w3\n", "  - id: example-w3\n    draft: true\n")
    unread(copied)
    file = renamed(copied)
    page = served(copied, file.stem)
    said, now = page.locator("#said"), page.locator("#now")
    source = "unprinted-in-free-text: `quirin` is"

    def pressed(key: str, where: str) -> None:
        page.keyboard.press(key)
        expect(said if where.startswith("Possible") else now).to_contain_text(where)

    statements = [f"Possible statement: “{words}”" for words in (title, first, second)]
    round_ = [source, statements[0], "waiver w3 draft", *statements[1:]]
    expect(now).to_contain_text(source)
    for where in [*round_[1:], *round_]:
        pressed("n", where)
    for where in round_[-2::-1]:
        pressed("p", where)
    # The finding was passed over, so that no later key leads back to it, and x is about the words.
    find(page, "March 3rd")
    pressed("a", statements[1])
    expect(said).to_contain_text("Accepted w3.")
    pressed("x", statements[2])
    page.keyboard.press("t")
    expect(page.locator("#form")).to_be_visible()
    page.locator("#form [name=speaker]").select_option(label="the writer of the article")
    page.locator("#form [name=themes]").fill("weather")
    for name, value in {"access": "about_others", "outlet_kind": "own"}.items():
        page.locator(f"#form [name={name}]").select_option(value)
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Saved t10. 0 unaccounted for")
    expect(now).to_contain_text("testimony t10")  # what is left is before it
    # The card of the source, which cannot be deleted, is at the words of the headline.
    find(page, "The lighthouse is")
    expect(now).to_contain_text(source)
    page.keyboard.press("x")
    expect(said).to_contain_text("Passed over")
    expect(page.locator("#left")).not_to_contain_text("possible")


@pytest.mark.parametrize(("key", "done"), [("a", "Accepted w3."), ("x", "Rejected w3")])
def test_after_the_last_draft_the_last_line_has_the_words_of_the_possible_statement_that_comes_next(
    copied: Path,
    served: Served,
    key: str,
    done: str,
) -> None:
    words = "The old pier is expected to close."
    with_sentence(copied, words)
    unread(copied)
    edit(copied, FILE, "  - id: example-w3\n", "  - id: example-w3\n    draft: true\n")
    page = served(copied, "900_example")
    expect(page.locator("#now .id")).to_contain_text("waiver w3")
    page.keyboard.press(key)
    said = page.locator("#said")
    expect(said).to_contain_text(done)
    if key == "x":  # the date is waived again
        page.keyboard.press("x")
        done = "Saved w5."
    expect(said).to_contain_text(f"{done} Possible statement: “{words}” 0 unaccounted for")
    expect(page.locator("#now")).to_have_text(HINT)
    # Where it stays as it is, the reading can be recorded all the same.
    page.keyboard.press("r")
    expect(page.locator("#form-title")).to_have_text("New reading")
    page.keyboard.press("Enter")
    expect(page.locator("#left")).to_contain_text("The check passes.")
    expect(page.locator(".possible")).to_have_count(1)  # in the legend


def test_the_next_drafts_come_up_so_that_one_key_accepts_several(tmp_path: Path, served: Served) -> None:
    letters = "BCDEFGHIJ"
    said_by = [f"Orr said that lamp {letter} burned in the mill." for letter in letters]
    own = Own(tmp_path / "own", "Ada Orr, a clerk, said that lamp A burned in the mill.", *said_by)
    page = served(own.root, STEM)
    page.set_viewport_size({"width": 1280, "height": 600})
    drafts = page.locator(".row .record.draft")
    for name in ("source", "speaker Ada Orr", "testimony t1"):
        expect(page.locator("#now .id")).to_contain_text(name)
        page.keyboard.press("a")
    expect(page.locator("#said")).to_contain_text("Accepted t1")
    left = len(letters)
    while left > 1:
        expect(drafts).to_have_count(left)
        before = page.locator("#said").inner_text()
        page.keyboard.press("A")
        expect(page.locator("#said")).not_to_have_text(before)
        assert left - drafts.count() > 1
        left = drafts.count()


@pytest.mark.deep
def test_what_a_speaker_leaves_unaccounted_for_is_offered_as_what_a_testimony_leaves(
    tmp_path: Path, served: Served
) -> None:
    own = Own(tmp_path / "own", "“It will burn in the old mill,” Ada Orr wrote.")
    page = served(own.root, STEM)
    find(page, "Ada Orr")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("x")
    expect(page.locator("#said")).to_contain_text("Rejected Ada Orr")
    expect(page.locator("#said")).to_contain_text("“It will burn in the old mill,” is now unaccounted for: x asks why")
    page.keyboard.press("x")
    expect(page.locator("#form-title")).to_have_text("New waiver")


def test_a_letter_on_a_card_leads_to_its_record_so_that_the_others_can_be_accepted_at_once(
    tmp_path: Path, served: Served
) -> None:
    own = Own(tmp_path / "own", "Ada Orr said 14 lamps were lit. Ben Pelt said 12 bells rang.")
    page = served(own.root, STEM)
    letters = page.locator(".row .letter")
    for key in ("Escape", "ArrowDown", "ArrowUp"):
        page.keyboard.press("g")
        page.keyboard.press(key)
        expect(letters).to_have_count(0)
    page.keyboard.press("g")
    expect(letters).to_have_text([*"abcdefghi"][: page.locator(".row .record").count()])
    figure = page.locator(".row .figure", has_text="12 bells")
    page.keyboard.press(figure.locator(".letter").inner_text())
    expect(letters).to_have_count(0)
    expect(page.locator("#now")).to_contain_text("bells")
    page.keyboard.press("x")
    expect(page.locator("#said")).to_contain_text("“12” is now unaccounted for")
    page.keyboard.press("u")
    page.keyboard.press("g")
    page.keyboard.press("a")
    expect(page.locator("#now .id")).to_contain_text("source")
    page.keyboard.press("g")
    shown = str(page.locator(".article").get_attribute("data-sha256"))
    own.file.write_text(f"{own.yaml}# read\n", encoding="utf-8")
    expect(page.locator(".article")).not_to_have_attribute("data-sha256", shown)
    page.keyboard.press(figure.locator(".letter").inner_text())
    expect(page.locator("#now")).to_contain_text("bells")
    page.keyboard.press("g")
    page.keyboard.press("/")
    expect(page.locator("#search")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("A")
    expect(page.locator("#said")).to_contain_text("f2")


def test_after_a_letter_the_next_draft_comes_and_those_before_it_last(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "The boat had 13 oars. It had 14 lamps and 15 bells.")
    page = served(own.root, STEM)
    page.keyboard.press("g")
    page.keyboard.press(page.locator(".row .figure", has_text="14 lamps").locator(".letter").inner_text())
    for key, comes_next in (("a", "15 bells"), ("a", "source"), ("a", "13 oars")):
        page.keyboard.press(key)
        expect(page.locator("#now")).to_contain_text(comes_next)


def test_a_series_of_forms_goes_on_behind_the_record_that_was_saved(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "The boat had 13 oars. It had 14 lamps and 15 bells.")
    page = served(own.root, STEM)
    page.keyboard.press("g")
    page.keyboard.press(page.locator(".row .figure", has_text="14 lamps").locator(".letter").inner_text())
    page.keyboard.press("e")
    expect(page.locator("#form-title")).to_have_text("Edit f2")
    expect(page.locator("#form [name=counted]")).to_be_focused()
    page.keyboard.press("Shift+Enter")
    expect(page.locator("#form-title")).to_have_text("Edit f3")
    page.keyboard.press("Shift+Enter")
    expect(page.locator("#said")).to_contain_text("Changed f3")


def test_keys_at_a_possible_statement_do_not_apply_to_a_draft_that_waits_for_its_speaker(
    tmp_path: Path, served: Served
) -> None:
    page = served(Own(tmp_path / "own", "“It burned.” The lamps are expected to burn.").root, STEM)
    for card in ("source", "testimony t1 draft"):
        expect(page.locator("#now .id")).to_contain_text(card)
        page.keyboard.press("n")
    expect(page.locator("#now")).to_have_text(HINT)
    page.keyboard.press("x")
    expect(page.locator("#said")).to_contain_text("Passed over")
