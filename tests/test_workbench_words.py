"""How the words of a record are changed on the page for annotators: typed, and by keys."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page, expect

from conftest import edit
from defectors_data.annotators.word_search import WordsNotFoundError, nearest_extent
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.text.offsets import Span
from pages import Served, find
from test_workbench import FILE, STEM
from test_workbench_forms import with_sentence
from test_workbench_own_corpus import Own

TEXT = "The mill burned. “The lamps’ oil -- all of it -- is gone,” he said, and the 14-year-old left.\nThe mill closed."


@pytest.mark.parametrize(
    ("typed", "near", "expected"),
    [
        ("the mill", "closed", "›The mill‹ closed."),
        ("THE  MILL", "burned", "›The mill‹ burned. "),
        ("\"the lamps' oil", "left", "›“The lamps’ oil‹ --"),
        ("all of it – -is", "left", ""),
        ("oil ... gone", "left", "lamps’ ›oil -- all of it -- is gone‹,”"),
        ("oil … all [...] gone", "left", "lamps’ ›oil -- all of it -- is gone‹,”"),
        ("the ... left", "14", "and ›the 14-year-old left‹."),
        ("the ... gone", "burned", f"›{TEXT.partition(',')[0]}‹,"),
    ],
)
def test_typed_words_are_found_where_they_are_nearest(typed: str, near: str, expected: str) -> None:
    at = TEXT.index(near)
    marked = TEXT
    try:
        start, end = nearest_extent(typed, TEXT, Span(at, at + len(near)))
        marked = f"{TEXT[:start]}›{TEXT[start:end]}‹{TEXT[end:]}"
    except WordsNotFoundError:
        assert not expected
    assert expected in marked


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "No words were typed."),
        ("amps", "The article does not contain “amps” as whole words."),
        ("oil ... harbour", "The article does not contain “harbour” as whole words."),
        ("left ... closed", "No paragraph contains “left ... closed” in this order."),
        ("gone ... oil", "No paragraph contains “gone ... oil” in this order."),
    ],
)
def test_a_message_says_which_typed_words_are_not_in_the_article(typed: str, message: str) -> None:
    with pytest.raises(WordsNotFoundError) as caught:
        nearest_extent(typed, TEXT, Span(0, 1))
    assert str(caught.value) == message


def test_a_search_ignores_the_style_of_marks(copied: Path) -> None:
    with_sentence(copied, "“The lamps’ oil – all of it – is gone,” said Ned.")
    for typed in ("\"The LAMPS' oil - all", "“the lamps’ oil – all"):
        [hit] = EditedProject(copied).search(typed)
        assert "[“The lamps’ oil – all]" in hit.sentence
        assert (hit.stem, hit.end - hit.start) == (STEM, len(typed))


SENTENCE = "Mira Fenn said the lamps failed and the mill burned as it rained. Nobody swam."
Opened = Callable[..., tuple[Page, Callable[[], dict[str, object]]]]


@pytest.fixture
def opened(copied: Path, served: Served) -> Opened:
    """Opens the page at the testimony t20 with some words of a sentence, and returns it with a function that reads its
    record.
    """

    def opens(sentence: str, evidence: str, **values: str) -> tuple[Page, Callable[[], dict[str, object]]]:
        with_sentence(copied, sentence)
        record = "  - id: example-t20\n    speaker: mira-fenn\n"
        for key, value in {"mode": "indirect", "attribution": "Mira Fenn said", "draft": "true", **values}.items():
            record += f"    {key}: {value}\n"
        record += f"    evidence: {evidence}\n    themes: [escape]\n"
        edit(copied, FILE, "\nfigures:\n", f"{record}\nfigures:\n")

        def read() -> dict[str, object]:
            records = yaml.safe_load((copied / FILE).read_text(encoding="utf-8"))["testimonies"]
            return dict(next(each for each in records if each["id"] == "example-t20"))

        page = served(copied, "900_example")
        # The cursor may also be at another record of the sentence.
        find(page, yaml.safe_load(evidence))
        expect(page.locator("#now .id")).to_contain_text("t20")
        return page, read

    return opens


def press(page: Page, *keys: str) -> None:
    """Press keys, or type what is given as `type:WORDS`."""
    for key in keys:
        kind, _, words = key.partition("type:")
        if key == "/":  # until a search is open, letters are keys of the article
            expect(page.locator("#now.busy")).to_have_count(0)
        if kind:
            page.keyboard.press(key)
        else:
            page.keyboard.type(words)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["/", "type:the lamps ... burned", "Enter", "Enter"], "the lamps failed and the mill burned"),
        (
            ["/", "type:MIRA FENN ... rained", "Enter", "a"],
            "Mira Fenn said the lamps failed and the mill burned as it rained.",
        ),
        (["+", "/", "type:it rained", "Enter", "a"], ["the mill burned", "it rained"]),
        (
            ["+", "/", "type:failed", "Enter", "+", "/", "type:nobody swam", "Enter", "a"],
            ["failed", "the mill burned", "Nobody swam."],
        ),
        (["/", "type:nobody", "Enter", "ArrowRight", "Enter"], "Nobody swam."),
    ],
)
def test_typed_words_become_those_of_the_record(opened: Opened, keys: list[str], expected: object) -> None:
    page, read = opened(SENTENCE, "the mill burned")
    press(page, "c", *keys)
    done = "Accepted t20" if keys[-1] == "a" else "Changed the words of t20"
    expect(page.locator("#said")).to_contain_text(done)
    found = read()
    assert found["evidence"] == expected
    assert ("draft" in found) == (keys[-1] != "a")


@pytest.mark.deep
def test_typed_words_replace_all_parts_also_if_one_part_is_the_same(opened: Opened) -> None:
    page, read = opened(SENTENCE, "the mill burned")
    press(page, "c", "+", "/", "type:it rained", "Enter", "Enter")
    expect(page.locator("#said")).to_contain_text("Changed the words of t20")
    assert read()["evidence"] == ["the mill burned", "it rained"]
    press(page, "c", "+")
    expect(page.locator("#said")).to_contain_text("and the other parts are kept.")
    press(page, "Escape", "c", "/", "type:the ... burned", "Enter")
    expect(page.locator("#said")).to_contain_text("what was typed replaces all parts")
    press(page, "Enter")
    expect(page.locator("#said")).to_contain_text("Changed the words of t20")
    assert read()["evidence"] == "the mill burned"


@pytest.mark.deep
def test_a_search_finds_the_first_and_last_words_like_the_search_for_words_of_a_record(opened: Opened) -> None:
    page, _ = opened(SENTENCE, "the mill burned")
    press(page, "/", "type:the lamps ... it rained", "Enter")
    expect(page.locator("#text .chosen", has_text="rained")).to_have_count(1)
    assert chosen(page).rstrip(".") == "the lamps failed and the mill burned as it rained"


@pytest.mark.deep
def test_a_search_for_a_name_selects_the_whole_word_of_a_possessive(opened: Opened) -> None:
    page, _ = opened("Mira Fenn said Ned Orr’s mill burned.", "mill burned")
    press(page, "/", "type:Ned Orr", "Enter")
    expect(page.locator("#text .chosen", has_text="Orr’s")).to_have_count(1)
    assert chosen(page) == "Ned Orr’s"


@pytest.mark.deep
def test_typed_words_that_the_article_lacks_change_nothing(opened: Opened) -> None:
    page, read = opened(SENTENCE, "the mill burned")
    before = read()
    press(page, "c", "/")
    expect(page.locator("#search-title")).to_contain_text("The words of t20: type them")
    press(page, "type:the lamps sank", "Enter")
    expect(page.locator("#said")).to_have_text("The article does not contain “the lamps sank” as whole words.")
    expect(page.locator("#text .chosen")).to_have_count(5)  # three words with the spaces between them
    # The words of the last search are selected, so that typing replaces them.
    press(page, "/", "type:the lamps failed", "Enter", "Escape")
    assert read() == before
    press(page, "/")
    expect(page.locator("#search-title")).to_have_text("Search all articles")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Mira Fenn said, “No lamps! #dark” on Friday.", "No lamps! #dark"),
        ("“Nobody rings,” Mira Fenn said. “We left.”", ["Nobody rings,", "We left."]),
        ("“Nobody rings,” Mira Fenn said, “as we left.”", ["Nobody rings,", "as we left."]),
        ("Mira Fenn said that they were “late” and that we were “gone”.", ["late", "gone"]),
        ("Mira Fenn said that they were ``late'' that day.", "late"),
    ],
)
def test_a_key_makes_a_testimony_direct_with_its_quoted_words_alone_and_restores_the_others(
    opened: Opened, sentence: str, expected: object
) -> None:
    page, read = opened(sentence, json.dumps(sentence))
    said = page.locator("#said")
    before = read()
    for mode in ("narrated", "direct"):
        press(page, "v")
        expect(said).to_contain_text(f"Changed t20: now {mode}")
    expect(said).to_contain_text("now direct, and its words are only the quoted ones.")
    assert read() == {**before, "mode": "direct", "evidence": expected}
    # The edits of one key are undone together, and repeated.
    press(page, "u")
    expect(said).to_contain_text("Undone")
    assert read()["evidence"] == before["evidence"]
    press(page, "v")
    expect(said).to_contain_text("now direct")
    press(page, "v")
    expect(said).to_contain_text("now indirect")
    assert read() == before


def chosen(page: Page) -> str:
    """Return the words that are selected, or the one at the cursor."""
    expect(page.locator("#now.busy")).to_have_count(0)
    return "".join(page.locator("#text .chosen").all_inner_texts()) or page.locator("#text .at").inner_text()


@pytest.mark.deep
@pytest.mark.parametrize("key", ["ArrowRight", "ArrowLeft", "Shift+ArrowRight", "Shift+ArrowLeft"])
def test_with_ctrl_words_end_and_begin_at_marks_else_conjunctions_and_the_opposite_key_takes_each_step_back(
    opened: Opened, key: str
) -> None:
    sentence = (
        "Ada Orr left. Mira Fenn said the lamps failed and the mill, old as it was, burned while boats sank. We swam."
    )
    page, _ = opened(sentence, "lamps failed and the mill, old as it was, burned")
    stops = {
        "ArrowRight": ["burned while boats sank", "sank. We swam"],
        "ArrowLeft": ["old as it was", "and the mill", "the lamps failed"],
        "Shift+ArrowRight": ["old as", "burned"],
        "Shift+ArrowLeft": ["Mira Fenn said the", "Ada Orr left"],
    }[key]
    press(page, "c", *["Shift+ArrowLeft"] * (key == "ArrowLeft"))
    opposite = key.replace("Right", "Left") if "Right" in key else key.replace("Left", "Right")
    prefix, arrow = key.rpartition("Arrow")[::2]
    for stop in stops:
        before = chosen(page)
        for _ in range(2):
            press(page, f"{prefix}Control+Arrow{arrow}")
            assert stop in (chosen(page)[: len(stop)], chosen(page)[-len(stop) :])
            press(page, opposite.replace("Arrow", "Control+Arrow"))
            assert chosen(page) == before
        press(page, f"{prefix}Control+Arrow{arrow}")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("words", "stops"),
    [
        ("the ban on lads between 22 and 24 failed and the mill burned", ["the ban on lads between 22 and 24 failed"]),
        ("lads between Harrow and Pelt swam and sank and left", ["swam and sank", "Harrow and Pelt swam"]),
        ("the two- or three-year plan or 5 or 6 lamps", ["the two- or three-year plan"]),
        ("the mills had after-school lamps and as-yet no oil", ["after-school lamps", "after-school lamps"]),
        ("lamps burned between mills or boats and 9 or ten sank", ["boats and 9", "lamps burned between mills"]),
    ],
)
def test_with_ctrl_words_end_at_no_conjunction_inside_a_term(opened: Opened, words: str, stops: list[str]) -> None:
    page, _ = opened(f"Mira Fenn said {words}. We swam.", words)
    press(page, "c")
    for stop in stops:
        press(page, "Control+ArrowLeft")
        assert chosen(page).endswith(stop)


@pytest.mark.deep
@pytest.mark.parametrize("key", ["ArrowLeft", "Control+ArrowLeft", "ArrowUp"])
def test_keys_that_lead_to_the_start_select_all_of_a_hyphenated_word(opened: Opened, key: str) -> None:
    words = "Two-year plans for under-18s failed"
    page, _ = opened(f"{words}.", words)
    press(page, key)
    assert chosen(page) == "Two-year"
    press(page, "Shift+Control+ArrowRight")
    assert chosen(page) == f"{words}."


@pytest.mark.deep
@pytest.mark.parametrize(
    ("evidence", "steps"),
    [
        (
            'No lamps! #dark"',
            [
                ("ArrowLeft", "No lamps! #dark"),
                ("ArrowLeft", "No lamps"),
                ("ArrowRight", "No lamps! #dark"),
                ("ArrowRight", 'No lamps! #dark"'),
                ("ArrowRight", 'No lamps! #dark" on'),
                ("ArrowLeft", 'No lamps! #dark"'),
                ("Shift+ArrowLeft", '"No lamps! #dark"'),
            ],
        ),
        (
            'wrote, "No lamps! #dark"',
            [
                ("Shift+ArrowRight", '"No lamps! #dark"'),
                ("Shift+ArrowRight", "No lamps! #dark"),
                ("Shift+ArrowLeft", '"No lamps! #dark"'),
                ("Shift+ArrowLeft", 'wrote, "No lamps! #dark"'),
                ("ArrowLeft", 'wrote, "No lamps'),
            ],
        ),
    ],
)
def test_a_quotation_mark_at_an_end_of_words_is_a_step_and_one_at_their_start_brings_its_partner(
    opened: Opened, evidence: str, steps: list[tuple[str, str]]
) -> None:
    page, _ = opened('Mira Fenn said so, and wrote, "No lamps! #dark" on Friday.', json.dumps(evidence))
    press(page, "c")
    for key, words in steps:
        press(page, key)
        assert chosen(page) == words


@pytest.mark.deep
@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["ArrowRight", "ArrowRight"], "as it"),
        (["Control+ArrowRight"], "as it rained"),
        (["Shift+ArrowRight", "Shift+ArrowRight", "Control+ArrowRight"], "it rained"),
        (["Shift+Control+ArrowRight", "Shift+Control+ArrowRight", "Control+ArrowRight"], "Nobody swam."),
        (["ArrowLeft", "Shift+ArrowLeft"], "failed and"),
        (["Shift+Control+ArrowLeft", "Shift+ArrowLeft"], "failed and"),
    ],
)
def test_the_words_of_a_further_part_begin_and_end_by_the_same_keys(
    opened: Opened, keys: list[str], expected: str
) -> None:
    page, read = opened(SENTENCE, "the mill burned")
    press(page, "c", "+", *keys)
    assert chosen(page) == expected
    press(page, "Enter")
    expect(page.locator("#said")).to_contain_text("Changed the words of t20")
    parts = read()["evidence"]
    assert isinstance(parts, list)
    assert sorted(parts) == sorted([expected, "the mill burned"])


MINISTER = ("Ada Orr’s big speech in Rome was long.", "The prime minister said it was shut. She left.")


def test_a_person_without_a_name_gets_that_which_a_new_mention_is(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", *MINISTER)
    assert "anonymity: unnamed" in own.record("speaker-1")
    speaker = own.id("speaker-1")
    values = {"speaker": speaker, "kind": "person"}
    answer = own.act("add", kind="mention", id=speaker, spans=[own.span("Ada Orr’s")], values=values)
    assert answer.is_success, answer.text
    entry = own.record("ada-orr")
    assert "anonymity: named\n" in entry
    assert "name: Ada Orr" in entry
    assert "role: official\n" in entry
    assert "speaker: ada-orr\n" in own.record("t1")


def test_a_person_without_a_name_gets_that_which_the_words_of_the_mention_become(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", *MINISTER)
    answer = own.act("move", id=own.id("m1"), spans=[own.span("Ada Orr’s")])
    assert answer.is_success, answer.text
    entry = own.record("ada-orr")
    assert "anonymity: named\n" in entry
    assert "role: official\n" in entry, "it is still that of the prime minister"


def test_new_words_of_an_attribution_lead_to_the_last_record_of_the_speaker(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Ada Orr said it was shut. “It burned.” Then she laughed in Rome.")
    values = {"attribution": {"words": "she laughed"}}
    last = own.yaml.count("speaker: ada-orr")
    answer = own.act("change", id=own.id(f"t{last}"), values=values)
    assert answer.is_success, answer.text
    assert "attribution: {words: she laughed, antecedent: t1}" in own.record(f"t{last}")


def test_a_group_becomes_the_body_that_the_new_words_of_its_mention_name(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "The keepers of Harrow Lamps Inc said it was shut.")
    answer = own.act("move", id=own.id("m1"), spans=[own.span("Harrow Lamps Inc")])
    assert answer.is_success, answer.text
    assert "kind: institution\n" in own.record("harrow-lamps-inc")


def test_words_with_a_name_and_an_age_are_a_mention_of_the_known_speaker(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Ray Orr said it was shut.", "It burned when Orr died aged 73 in June.")
    proposed = own.proposed("mention", "Orr died aged 73")
    assert {key: proposed[key]["value"] for key in ("speaker", "age")} == {"speaker": "ray-orr", "age": "73"}
