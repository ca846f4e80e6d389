"""The page for annotators in a real browser: a whole article by keyboard, with the network cut but for the server."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from calling import COMMAND
from conftest import INVENTED, edit
from pages import ARTICLE, AXE, IDS, IN_VIEW, Served, find, violations
from test_terminal import PLAIN

pytestmark = pytest.mark.deep

MOST_ACTIONS = 60


class Keyboard:
    """A keyboard that counts: a chord of keys is an action, and so is a typed word."""

    def __init__(self, page: Page) -> None:
        self.page, self.actions = page, 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.actions += 1

    def type(self, words: str) -> None:
        self.page.keyboard.type(words)
        self.actions += len(words.split())

    def save(self) -> None:
        self.press("Enter")
        expect(self.page.locator("#form")).to_be_hidden()


def test_an_article_is_annotated_by_keyboard_in_few_actions(new_article: Path, served: Served) -> None:
    assert len(ARTICLE.read_text(encoding="utf-8").split()) > 650
    page = served(new_article, ARTICLE.stem, "--port", "0")  # by the command
    keyboard = Keyboard(page)
    drafts = page.locator(".row .record.draft")
    shown_first, reasons = 0, list[str]()
    while left := drafts.count():
        here = page.locator("#now .record")
        expect(here).to_have_class(re.compile(r"\bdraft\b"))
        # In a low window, drafts are out of view; in a high one, others are next to them.
        page.set_viewport_size({"width": 1280, "height": 900 if shown_first else 340})
        before, seen = set(drafts.evaluate_all(IDS)), set(page.evaluate(IN_VIEW))
        said = page.locator("#said").inner_text()
        if here.get_attribute("data-ready") is not None:
            keyboard.press("A")
            expect(page.locator("#said")).not_to_have_text(said)
            expect(page.locator("#said")).to_contain_text(re.compile("Accepted|out of view"))
            assert before - set(drafts.evaluate_all(IDS)) <= seen, "what was not in view is still a draft"
            shown_first += drafts.count() == left
            reasons += re.findall(r"one by one: [\w ]+ \(([\w ,]+)\)", page.locator("#said").inner_text())
            continue
        if here.get_attribute("data-undecided") == "what is counted":
            keyboard.press("e")
            expect(page.locator("#form")).to_be_visible()
            keyboard.type("time of the crossing")
            keyboard.save()
        else:
            # Where the program found no speaker, nobody speaks: a notice on a door, "the company pretends".
            keyboard.press("x" if "(not chosen)" in here.inner_text() else "a")
        expect(page.locator("#said")).not_to_have_text(said)
        expect(drafts).not_to_have_count(left)
        expect(page.locator("#said")).to_contain_text(re.compile("Accepted|Rejected|Changed"))
    assert shown_first
    assert reasons, "the last line says why a draft is left"
    keyboard.press("r")
    expect(page.locator("#form")).to_be_visible()
    keyboard.save()
    expect(page.locator("#left")).to_have_text(re.compile(r"0 unaccounted for, 0 findings\.\s+The check passes\."))
    checked = subprocess.run([*COMMAND, "check", "--root", str(new_article)], env=PLAIN, check=False)
    assert checked.returncode == 0
    records = page.locator(".record").count()
    assert records >= 45
    assert keyboard.actions <= MOST_ACTIONS, records


def test_a_record_is_found_moved_searched_and_undone_by_keyboard(new_article: Path, served: Served) -> None:
    page = served(new_article, "900_example")
    file = new_article / "annotations/900_example.yaml"
    before = file.read_text(encoding="utf-8")
    find(page, "march 3rd")
    expect(page.locator("#now")).to_contain_text("w3")
    page.keyboard.press("c")
    expect(page.locator("#now")).to_contain_text("→ move the end, Shift with ← → the start")
    for key in ("ArrowRight", "Shift+ArrowLeft", "Shift+ArrowLeft", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#said")).to_contain_text("Changed the words of w3")
    assert "evidence: began on March 3rd\n" in file.read_text(encoding="utf-8").replace('"', "")
    for key in ("x", "Control+Home", "u", "u"):
        page.keyboard.press(key)
    expect(page.locator("#said")).to_contain_text("Undone: changed the words of w3")
    assert file.read_text(encoding="utf-8") == before
    page.keyboard.press("e")  # the cursor is again at the record
    expect(page.locator("#parts")).to_have_text("March 3rd")


def test_the_parts_of_a_record_are_changed_one_by_one_and_never_overlap(new_article: Path, served: Served) -> None:
    page = served(new_article, "900_example")
    file = new_article / "annotations/900_example.yaml"

    def change(sought: str, number: str, *keys: str) -> str:
        find(page, sought)
        expect(page.locator("#now .id")).to_contain_text(number)
        for key in ("c", *keys, "Enter"):
            page.keyboard.press(key)
        expect(page.locator("#said")).to_contain_text(f"Changed the words of {number}")
        _, _, after = file.read_text(encoding="utf-8").partition(f"  - id: example-{number}\n")
        shown = re.sub(r"\s+|\"", " ", after.partition("evidence:")[2].partition("    themes")[0])
        return " ".join(shown.split())

    # The cursor is in the second part.
    changed = change("will not go", "t5", "ArrowLeft")
    assert changed == "[ The lamps are dark, , {text: I will not go , unbalanced: closing}]"
    # The first part is what `+` found, not all the words from before; the second one is selected afterwards.
    left, right = ["ArrowLeft"] * 4, ["ArrowRight"] * 2
    changed = change("the fog he lost", "t4", *left, "+", *right, "Shift+ArrowRight", "ArrowRight")
    assert changed == "[ In the fog he lost an oar , drifted until ]"
    # The end of a quotation has the punctuation before its mark, and a number saves the words with the code.
    assert change("no oil left", "t2", "ArrowLeft").startswith("[ We had no oil ,")
    for key in ("c", "ArrowRight", "1"):
        page.keyboard.press(key)
    expect(page.locator("#said")).to_contain_text("Changed t2: themes")
    assert '"We had no oil left,", "Nobody' in file.read_text(encoding="utf-8")
    assert "1,600-strong service has said so aloud value" in change("between 5", "f6", *["Control+ArrowRight"] * 2)
    # Where no further words are selected after `+`, there is no further part.
    assert "[" not in change("told the example wire", "t3", "ArrowLeft", "+")


def test_a_new_speaker_completes_the_draft_that_lacked_one(new_article: Path, served: Served) -> None:
    page = served(new_article, ARTICLE.stem)
    find(page, "one of them reminded")
    draft = page.locator(".record[data-state~=open]").first.get_attribute("data-number")
    expect(page.locator("#now .id")).to_contain_text(f"testimony {draft} draft")
    # A number chooses one of the speakers of the article, and the next one a theme.
    speaker = page.locator("#now .codes b").nth(1).inner_text()
    page.keyboard.press("2")
    expect(page.locator("#said")).to_contain_text(f"Changed {draft}: speaker {speaker}")
    expect(page.locator("#now .codes b").first).to_have_text("hunger pay")
    page.keyboard.press("u")
    expect(page.locator("#said")).to_contain_text("Undone")
    expect(page.locator("#now")).to_contain_text("unresolved-reference")
    find(page, "one of them reminded")
    expect(page.locator("#now .id")).to_contain_text(f"testimony {draft} draft")
    for key in ("ArrowLeft", "ArrowRight", "ArrowRight", "Shift+ArrowLeft", "Shift+ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator("#now")).to_contain_text(f"m: the selected words introduce the speaker of {draft}.")
    page.keyboard.press("m")
    form = page.locator("#form")
    form.locator("[name=kind]").select_option("institution")
    expect(form.locator("[name=anonymity]")).to_be_hidden()
    form.locator("[name=name]").fill("Hark")
    form.locator("[name=kind]").select_option("person")
    expect(form.locator("[name=anonymity]")).to_have_value("partial")
    form.locator("[name=kind]").focus()
    page.keyboard.type("a grown man")
    page.keyboard.press("Enter")
    expect(form.locator("#refused")).to_contain_text("kind: Nothing in this list has the words “a grown man”.")
    page.wait_for_timeout(1600)  # after a second and a half, letters are those of another word
    page.keyboard.type("a person")
    expect(form.locator("#refused")).to_have_text("")
    form.locator("[name=speaker]").focus()
    page.keyboard.type("lund")  # Hesper Lund: the letters typed in another list are not among those of this one
    expect(form.locator("[name=speaker]")).to_have_value("hesper-lund")
    expect(form.locator("[name=role]").first).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("#now .id")).to_contain_text(f"testimony {draft} draft")
    expect(page.locator("#now")).to_contain_text("Hesper Lund")


def test_no_key_is_lost_while_a_change_is_saved(new_article: Path, served: Served) -> None:
    page = served(new_article, ARTICLE.stem)
    said = page.locator("#said")
    find(page, "Strand said")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("m")
    expect(page.locator("#form")).to_be_visible()
    page.keyboard.press("Enter")
    # The testimony nearest to the new mention comes next, although other drafts of the paragraph are before it.
    expect(said).to_contain_text("Saved")
    expect(page.locator("#now .record")).to_contain_text("Strand said")
    for key in ("a", "A"):
        page.keyboard.press(key)
    expect(said).to_contain_text("Accepted 1: f6. To decide one by one:")
    page.keyboard.press("e")
    expect(page.locator("#form")).to_be_visible()
    for key in ("Enter", "u"):
        page.keyboard.press(key)
    expect(said).to_contain_text("Undone: changed")


def test_a_form_is_never_wider_than_its_dialog_and_shows_its_error(new_article: Path, served: Served) -> None:
    page = served(new_article, "900_example")
    form = page.locator("#form")
    for record in ("example-t4", "example-f1", "example-w4", "mira-fenn"):
        page.locator(f"[aria-label='Edit {record}']").dispatch_event("click")
        form.locator("#more > summary").click()
        for summary in form.locator("fieldset summary").all():
            summary.click()
        assert form.evaluate("form => form.scrollWidth - form.clientWidth") == 0
        page.keyboard.press("Escape")
    page.locator("[aria-label='Edit example-t1']").dispatch_event("click")
    form.locator("#more > summary").click()
    form.locator("fieldset [name=words]").first.fill("the mayor said")
    expect(page.locator("#about")).to_contain_text(
        "attribution, words (several parts: A ... B): The words that say who"
    )
    page.keyboard.press("Enter")
    expect(page.locator("#refused")).to_contain_text("does not contain the words")
    expect(page.locator("#refused")).to_be_in_viewport(ratio=1)
    form.locator("#fields [name=speaker]").select_option("")
    page.keyboard.press("Enter")
    expect(page.locator("#refused")).to_contain_text(re.compile("^speaker: .+ choose a new speaker[.]$"))


def test_keys_stay_in_the_article_until_escape(new_article: Path, served: Served) -> None:
    page = served(new_article, "900_example")
    said = page.locator("#said")
    page.locator("#text").focus()
    page.keyboard.press("Control+Home")
    for key in ("Tab", "Tab", "Shift+Tab", "Tab", "Tab"):
        page.keyboard.press(key)
        expect(page.locator("#text")).to_be_focused()
    page.keyboard.press("Escape")
    expect(said).to_contain_text("Tab now leaves the article")
    page.keyboard.press("Tab")
    expect(page.locator("#text")).not_to_be_focused()
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    # A sentence of one word, and marks inside a sentence.
    page.locator("#text").focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("s")
    expect(said).to_have_text("0")
    for words in ("nowhere", "Bruno Salt, 36"):
        # The words of the last search are selected, so that typing replaces them.
        page.keyboard.press("/")
        page.keyboard.type(words)
        if words == "nowhere":
            page.keyboard.press("Enter")
            expect(page.locator("#hit-count")).to_contain_text("“nowhere” as whole words.")
            page.keyboard.press("Escape")
    page.keyboard.press("Enter")
    expect(page.locator("#search")).to_be_hidden()
    # As in any text, ← leads to the start of what is selected.
    page.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("›Bruno‹ Salt")
    page.keyboard.press("ArrowRight")
    expect(said).to_contain_text("Bruno ›Salt‹")
    page.keyboard.press("Shift+ArrowRight")
    expect(said).to_contain_text("Salt, 36")
    # The card of the record whose words are chosen stays, and `s` selects a sentence for it.
    page.keyboard.press("c")
    card = page.locator("#now .id").inner_text()
    page.keyboard.press("ArrowDown")
    assert page.locator("#now .id").inner_text() == card
    page.keyboard.press("s")
    expect(said).to_contain_text("who served eight years.")


def test_two_readings_are_compared_by_keyboard(new_article: Path, served: Served) -> None:
    readings = new_article / "annotations/readings"
    readings.mkdir(exist_ok=True)
    typed = (new_article / "annotations/900_example.yaml").read_text(encoding="utf-8")
    for name, mode in {"reader-1": "direct", "reader-2": "indirect"}.items():
        changed = typed.replace("mode: direct", f"mode: {mode}", 1)
        (readings / f"900_example.{name}.yaml").write_text(changed, encoding="utf-8")
    page = served(new_article, "900_example", "--compare", "reader-1", "reader-2")
    page.keyboard.press("2")
    page.keyboard.type("A fragment")
    page.evaluate(AXE)
    assert page.evaluate("axe.run().then(r => r.violations.map(v => v.id))") == []
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Decided: reader-2. A fragment")
    page.reload()
    expect(page.locator("header")).to_contain_text("Decided differences: 1 of 1")


def test_motives_are_added_as_rows_and_new_terms_with_a_definition(new_article: Path, served: Served) -> None:
    page = served(new_article, "900_example")
    page.locator("[aria-label='Edit example-t2']").click()
    form = page.locator("#form")
    form.locator("[name=themes]").fill("hunger_pay, lamp_oil")
    form.get_by_label("Definition of the new term lamp_oil").fill("Oil for the lamps")
    form.locator("#more > summary").click()
    form.get_by_role("button", name="Add to motives").click()
    form.locator("[name=factor]").fill("no_oil")
    form.get_by_label("Definition of the new term no_oil").fill("There was no oil")
    for name, value in {"direction": "push", "decision": "leave", "link": "own_words"}.items():
        form.locator(f"fieldset fieldset [name={name}]").select_option(value)
    form.locator("fieldset fieldset [name=words]").fill("no oil left")
    form.locator("[type=submit]").click()
    expect(page.locator("#refused")).to_have_text("")
    expect(page.locator("[data-id='example-t2']")).to_contain_text("no_oil")
    vocabulary = (new_article / "annotations/vocabulary.yaml").read_text(encoding="utf-8")
    assert '- term: lamp_oil\n    definition: "Oil for the lamps."' in vocabulary
    assert '- term: no_oil\n    definition: "There was no oil."' in vocabulary


def test_axe_has_no_findings(new_article: Path, served: Served) -> None:
    page = served(new_article, ARTICLE.stem)
    page.locator(".corpus summary").click()
    page.locator("#text").focus()
    for key, dialog in {"n": "#now", "e": "#form", "S": "#form", "/": "#search", "?": "#help"}.items():
        page.keyboard.press(key)
        expect(page.locator(dialog)).to_be_visible()
        assert violations(page) == []
        if key != "n":
            page.keyboard.press("Escape")
    page.goto(page.url.partition("article/")[0] + "codebook")
    assert violations(page) == []


def test_the_page_says_in_a_bar_that_it_was_not_read(new_article: Path, served: Served) -> None:
    page = served(new_article, "900_example")
    expect(page.locator("#left")).to_contain_text("0 unaccounted for")
    dataset, written = new_article / "dataset.yaml", new_article / "dataset.new"
    valid = dataset.read_text(encoding="utf-8")
    for text, shown in ((f"{valid}odd: [\n", "dataset.yaml:"), (valid, "0 unaccounted for")):
        written.write_text(text, encoding="utf-8")
        written.replace(dataset)  # as some editors do
        expect(page.locator("#left")).to_contain_text(shown)
    path = new_article / "annotations/900_example.yaml"
    path.write_text(f"{path.read_text(encoding='utf-8')}odd: [\n", encoding="utf-8")
    bar = page.locator("#left.unread")
    expect(bar).to_contain_text(re.compile(r"annotations/900_example\.yaml:[0-9]+:[0-9]+: yaml-syntax"))
    page.locator("#text").focus()
    page.keyboard.press("n")
    expect(page.locator("#said")).to_contain_text("nothing is counted here")
    assert violations(page) == []
    path.unlink()
    expect(bar).to_contain_text("The article could not be read.")
    assert not re.search("passes|[0-9] unaccounted", page.locator("body").inner_text())


def test_an_edit_elsewhere_is_shown_and_never_overwritten(new_article: Path, served: Served) -> None:
    page = served(new_article, "900_example")
    other = page.context.new_page()
    other.goto(page.url)
    page.locator("#text").focus()
    page.keyboard.press("t")
    expect(page.locator("#form")).to_be_visible()
    edit(new_article, "annotations/900_example.yaml", "note: A pull quote.", "note: A pull quote")
    for each in (page, other):
        expect(each.locator("[data-id='example-w4']")).to_contain_text("A pull quote")
        expect(each.locator("[data-id='example-w4']")).not_to_contain_text("A pull quote.")
    before = (new_article / "annotations/900_example.yaml").read_bytes()
    page.keyboard.press("Enter")
    expect(page.locator("#form")).to_be_hidden()
    expect(page.locator("#said")).to_contain_text("changed elsewhere")
    assert (new_article / "annotations/900_example.yaml").read_bytes() == before


def test_a_page_of_another_origin_can_neither_read_nor_write(new_article: Path, served: Served) -> None:
    page = served(new_article, "900_example")
    before = (new_article / "annotations/900_example.yaml").read_bytes()
    seen = page.locator(".article").get_attribute("data-sha256")
    address, other = page.url.replace("/article/", "/delete/"), page.context.new_page()
    other.goto(page.url.replace("127.0.0.1", "localhost"))
    sent = {"address": address, "body": f'{{"sha256": "{seen}", "id": "example-w3"}}'}
    fetched = (
        "({address, body}) => fetch(address, {method: 'POST', mode: 'no-cors', body}).then(() => 'ok', () => 'no')"
    )
    assert other.evaluate(fetched, sent) == "no", "the page may connect to its own origin only"
    foreign = page.context.new_page()
    foreign.goto("about:blank")
    foreign.evaluate(fetched, sent)
    assert (new_article / "annotations/900_example.yaml").read_bytes() == before


def test_words_are_selected_with_the_mouse_and_a_record_is_changed_and_deleted(
    new_article: Path, served: Served
) -> None:
    page = served(new_article, "900_example")
    words = page.locator(".words .w")
    first, last = (words.filter(has_text=re.compile(f"^{word}$")).first for word in ("crossed", "night"))
    first.hover()
    page.mouse.down()
    last.hover()
    page.mouse.up()
    expect(page.locator("#said")).to_have_text("crossed by night")
    page.locator("[aria-label='Edit example-w3']").click()
    page.locator("#fields [name=reason]").select_option("idiom")
    page.keyboard.press("Enter")
    expect(page.locator("[data-id='example-w3']")).to_contain_text("idiom")
    page.locator("[aria-label='Edit example-f1']").click()
    value = page.locator("#fields [name=value]")
    value.fill(value.input_value())
    page.get_by_role("button", name="Save (Enter)").click()
    expect(page.locator("#form")).to_be_hidden()
    page.locator("[aria-label='Delete example-w3']").click()
    expect(page.locator("#said")).to_contain_text("Deleted w3; u undoes this. 1 unaccounted")


def test_the_article_page_has_filters_and_loads_no_files(browser: Browser, published: Path, tmp_path: Path) -> None:
    out = tmp_path / "articles.html"
    command = [*COMMAND, "view", "--seeds", str(INVENTED / "seeds"), "--package", str(published / "dist")]
    subprocess.run([*command, "--out", str(out)], env=PLAIN, check=True)
    context = browser.new_context(offline=True)
    page = context.new_page()
    wrong: list[str] = []
    page.on("console", lambda message: wrong.append(message.text))
    page.goto(out.as_uri())
    page.locator("select[name=speaker]").select_option("bruno-salt")
    shown = page.locator(".record:visible")
    assert shown.count() > 0
    assert set(shown.locator("dt:text-is('speaker') + dd").all_inner_texts()) == {"Bruno Salt"}
    page.locator("button[type=reset]").click()
    expect(page.locator("#shown")).to_have_text("")
    page.evaluate(AXE)
    assert page.evaluate("axe.run().then(r => r.violations.map(v => v.id))") == []
    context.close()
    assert wrong == []
