"""What an edit of the words of a record, or its rejection, changes in other records on the page for annotators."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import expect
from starlette.testclient import TestClient

from conftest import edit, found_in
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.server import application
from pages import HOST, TOKEN, Served, find
from test_workbench import FILE, act, sha256, span
from test_workbench_connections import figure
from test_workbench_forms import with_sentence
from test_workbench_own_corpus import STEM, Own


@pytest.mark.parametrize(
    ("before", "words", "also", "after"),
    [
        ("dark", "Mira Fenn said that “the lamps are dark”.", ", now indirect speech", "indirect"),
        ("the lamps are dark", "lamps are", "", "direct"),
        ("Mira Fenn said that “the lamps are dark”.", "the lamps are dark", ", now direct speech", "direct"),
        ("Mira Fenn said that “the lamps are dark”.", "lamps are", "", "indirect"),
    ],
)
@pytest.mark.parametrize("is_draft", [True, False])
def test_the_mode_of_a_draft_follows_its_quotation_marks(
    client: TestClient, copied: Path, before: str, words: str, also: str, after: str, is_draft: bool
) -> None:
    text = with_sentence(copied, "Mira Fenn said that “the lamps are dark”.")
    start = text.index("Mira Fenn said that “")
    mode = {before[0] == "M": "indirect"}.get(True, "direct")
    record = f"  - id: example-t20\n    draft: true\n    speaker: mira-fenn\n    mode: {mode}\n"
    evidence = f'{{text: "{before}", prefix: "{text[text.index(before, start) - 3 : text.index(before, start)]}"}}'
    record += f"    evidence: {evidence}\n    attribution: Mira Fenn said that\n    themes: [escape]\n"
    if not is_draft:
        record = record.replace("    draft: true\n", "")
    edit(copied, FILE, "\nfigures:\n", f"{record}\nfigures:\n")
    at = text.index(words, start)
    answer = act(client, "move", sha256=sha256(copied), id="example-t20", spans=[[at, at + len(words)]])
    expected = {True: (also, after)}.get(is_draft, ("", mode))
    moved = (copied / FILE).read_text(encoding="utf-8").partition("id: example-t20\n")[2].partition("\n\n")[0]
    assert (answer.json(), f"mode: {expected[1]}\n" in moved) == (expected[0], True)


PART = "anonymity: partial\n    name: Quill\n    pseudonym_possible: false"


@pytest.mark.parametrize(
    ("entry", "before", "words", "also", "after"),
    [
        ("draft: true\n    kind: person\n    " + PART, "Quill said", "Cleo Quill", "Cleo Quill", "named"),
        (
            "draft: true\n    kind: person\n    " + PART,
            "Quill said",
            "Salt Bishop of Harbour, the Reverend Quill",
            "",
            "partial",
        ),
        ("draft: true\n    kind: institution\n    name: Times", "Times said", "Harbour Times", "Harbour Times", None),
        ("draft: true\n    kind: institution\n    name: Times", "Times said", "so; the Times", "", None),
        ("draft: true\n    kind: institution\n    name: Gazette", "Times said", "Harbour Times", "", None),
        ("kind: institution\n    name: Times", "Times said", "Harbour Times", "", None),
        (
            "draft: true\n    kind: person\n    " + PART,
            "Quill said",
            "Cleo Quill of Harbour Data",
            "Cleo Quill",
            "named",
        ),
        (
            "draft: true\n    kind: institution\n    name: HAL",
            "HAL said",
            "Lamp Union of Salt (HAL)",
            "Lamp Union of Salt",
            None,
        ),
    ],
)
def test_the_name_of_the_draft_of_a_speaker_follows_the_words_of_which_it_is_made(
    client: TestClient, copied: Path, entry: str, before: str, words: str, also: str, after: str | None
) -> None:
    said = "Cleo Quill of the Harbour Times left. Quill said so; the Times said so, too."
    said += " The Salt Bishop of Harbour, the Reverend Quill, left. HAL said no. The Lamp Union of Salt (HAL) shut."
    text = with_sentence(copied, f"{said} Cleo Quill of Harbour Data left.")
    mention = f'evidence: {{text: {before.split(maxsplit=1)[0]}, suffix: " said"}}'
    added = f"  - id: new\n    role: other\n    {entry}\n    mentions:\n      - id: example-m20\n        {mention}\n"
    edit(copied, FILE, "speakers:\n", f"speakers:\n{added}")
    answer = act(client, "move", sha256=sha256(copied), id="example-m20", spans=[span(words, text)])
    assert answer.json() == (f', now named "{also}"' if also else "")
    found = yaml.safe_load((copied / FILE).read_text(encoding="utf-8"))["speakers"][0]
    assert (found["name"] == also, found.get("anonymity")) == (bool(also), after)


@pytest.mark.parametrize("kind", ["institution\n    name: Tories", "person\n    " + PART.replace("Quill", "Tories")])
def test_the_draft_of_a_speaker_whose_words_become_a_list_is_a_group(
    client: TestClient, copied: Path, kind: str
) -> None:
    words = "Tories, Lib Dems and some keepers"
    text = with_sentence(copied, f"{words} said it was shut.")
    added = f"  - id: tories\n    draft: true\n    role: other\n    kind: {kind}\n"
    added += '    mentions:\n      - id: example-m20\n        evidence: {text: Tories, suffix: ", Lib"}\n'
    edit(copied, FILE, "speakers:\n", f"speakers:\n{added}")
    answer = act(client, "move", sha256=sha256(copied), id="example-m20", spans=[span(words, text)])
    assert answer.json() == ", now a group"
    found = yaml.safe_load((copied / FILE).read_text(encoding="utf-8"))["speakers"][0]
    assert (found["kind"], found.keys() & {"name", "anonymity"}) == ("group", set())


def test_the_draft_of_a_speaker_is_described_anew_if_its_words_show_more(client: TestClient, copied: Path) -> None:
    words = "Ada Orr, an analyst at the Lamp Union, 31"
    text = with_sentence(copied, f"{words}, said it was shut.")
    added = "  - id: ada-orr\n    draft: true\n    kind: person\n    role: other\n    anonymity: named\n"
    added += "    name: Ada Orr\n    mentions:\n      - id: example-m20\n        evidence: Ada Orr\n"
    edit(copied, FILE, "speakers:\n", f"speakers:\n{added}")
    answer = act(client, "move", sha256=sha256(copied), id="example-m20", spans=[span(words, text)])
    assert answer.json() == ', age 31, affiliation "Lamp Union", role analyst'
    found = yaml.safe_load((copied / FILE).read_text(encoding="utf-8"))["speakers"][0]
    mention = {"id": "example-m20", "evidence": words, "age": 31, "affiliation": "Lamp Union"}
    assert (found["role"], found["mentions"]) == ("analyst", [mention])


@pytest.mark.parametrize(("speaker", "is_kept"), [("mira-fenn", False), ("bruno-salt", True)])
def test_words_that_become_a_mention_of_the_speaker_lead_to_no_other_record(
    client: TestClient, copied: Path, speaker: str, is_kept: bool
) -> None:
    text = with_sentence(copied, "The inquiry found that lamps were lost.")
    record = "  - id: example-t20\n    speaker: mira-fenn\n    mode: indirect\n    evidence: lamps were lost.\n"
    said = "    attribution: {words: The inquiry found, antecedent: example-t9, rival: example-m2}\n"
    edit(copied, FILE, "\nfigures:\n", f"{record}{said}    themes: [escape]\n\nfigures:\n")
    at = text.index("The inquiry")
    words = [[at, at + len("The inquiry")]]
    answer = act(client, "add", sha256=sha256(copied), kind="mention", spans=words, values={"speaker": speaker})
    assert ("also changed: t20" in answer.text) != is_kept
    assert (said in (copied / FILE).read_text(encoding="utf-8")) == is_kept


def test_the_edits_of_one_key_are_undone_together(client: TestClient, copied: Path) -> None:
    edit(copied, FILE, "  - id: example-w3\n", "  - id: example-w3\n    draft: true\n")
    before = (copied / FILE).read_text(encoding="utf-8")
    at = (copied / "seeds/900_example.txt").read_text(encoding="utf-8").index("began on March 3rd")
    moved = {"id": "example-w3", "spans": [[at, at + len("began on March 3rd")]], "press": "1"}
    assert act(client, "move", sha256=sha256(copied), **moved).is_success
    words = (copied / FILE).read_text(encoding="utf-8")
    assert act(client, "accept", sha256=sha256(copied), id="example-w3", press="1").is_success
    assert before != words != (copied / FILE).read_text(encoding="utf-8")
    assert act(client, "undo").json() == "Undone: changed the words of w3 and accepted w3."
    assert (copied / FILE).read_text(encoding="utf-8") == before


@pytest.mark.deep
def test_the_cursor_is_at_what_was_undone_or_added(copied: Path, served: Served) -> None:
    page = served(copied, "900_example")
    before = (copied / FILE).read_text(encoding="utf-8")
    find(page, "no oil left")
    for key in ("c", "ArrowLeft", "1"):
        page.keyboard.press(key)
    expect(page.locator("#said")).to_contain_text("Changed t2: themes")
    page.keyboard.press("u")
    expect(page.locator("#said")).to_contain_text("Undone: changed the words of t2 and changed t2.")
    assert (copied / FILE).read_text(encoding="utf-8") == before
    expect(page.locator("#now .id")).to_contain_text("testimony t2")
    find(page, "no oil left")
    for key in ("w", "t", "Enter"):  # a term
        page.keyboard.press(key)
        expect(page.locator("#form")).to_be_visible(visible=key != "Enter")
    expect(page.locator("#now .id")).to_contain_text("waiver w")


@pytest.mark.deep
def test_after_wider_words_are_undone_the_next_key_applies_to_the_record(copied: Path, served: Served) -> None:
    edit(copied, FILE, "  - id: example-t2\n", "  - id: example-t2\n    draft: true\n")
    page = served(copied, "900_example")
    find(page, "no oil left")
    for key in ("c", "s", "a"):
        page.keyboard.press(key)
    expect(page.locator("#said")).to_contain_text("Accepted t2; now indirect speech")
    for key in ("p", "u", "c", "s", "a"):
        page.keyboard.press(key)
    expect(page.locator("#said")).to_contain_text("Accepted t2; now indirect speech")
    page.keyboard.press("u")
    expect(page.locator("#said")).to_contain_text("Undone: changed the words of t2 and accepted t2.")
    expect(page.locator("#text .chosen").last).to_have_text(",")


@pytest.mark.deep
def test_a_speaker_whose_words_are_changed_is_accepted_with_the_drafts_in_view(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "Police in Harrow said 14 lamps were lit.")
    page = served(own.root, STEM)
    page.keyboard.press("g")
    page.keyboard.press(page.locator(".row .speaker .letter").inner_text())
    for key in ("c", "ArrowRight", "A"):
        page.keyboard.press(key)
    expect(page.locator("#said")).to_contain_text("Police")
    expect(page.locator(".row .speaker.draft")).to_have_count(0)


@pytest.mark.deep
def test_p_does_not_leave_the_first_place_with_something_to_do(copied: Path, served: Served) -> None:
    edit(copied, FILE, "  - id: example-w3\n", "  - id: example-w3\n    draft: true\n")
    page = served(copied, "900_example")
    for key in ("n", "p"):
        page.keyboard.press(key)
        expect(page.locator("#now .id")).to_contain_text("waiver w3")
    expect(page.locator("#said")).to_contain_text("No place with something to do is before the cursor.")


@pytest.mark.parametrize(
    ("said", "mention", "attribution"),
    [
        (
            "Only keepers and the clerks have indicated that it burned.",
            "Only keepers and the clerks",
            "{} have indicated",
        ),
        ("Yesterday keepers and the clerks said that it burned.", "the clerks", "{} said"),
        ("Ada Orr, a clerk, said that it burned.", "Ada Orr, a clerk, said", ""),
    ],
)
def test_a_draft_follows_the_words_of_the_mention_that_attributes_it(
    tmp_path: Path, said: str, mention: str, attribution: str
) -> None:
    own = Own(tmp_path / "own", said)
    before = own.record("t1")
    assert own.act("move", id=own.id("m1"), spans=[own.span(mention)]).is_success
    if attribution:
        assert f"attribution: {attribution.format(mention)}\n" in own.record("t1")
        assert f"evidence: {mention} " in own.record("t1")
    else:
        assert own.record("t1") == before


def test_a_figure_in_the_words_of_a_new_testimony_is_attributed_to_its_speaker(
    client: TestClient, copied: Path
) -> None:
    text = with_sentence(copied, "The two crews said that they had lost 14 lamps.")
    at = text.index("lost 14 lamps")
    values = {"value": "14", "hedge": "exact", "unit": "item", "counted": "lamps"}
    words = [[at + len("lost "), at + len("lost 14 lamps")]]
    added = act(client, "add", sha256=sha256(copied), kind="figure", spans=words, values=values).json()
    values = {"speaker": "bruno-salt", "mode": "indirect", "themes": "escape"}
    words = [[text.index("they had lost 14"), at + len("lost 14 lamps")]]
    for draft in ("", "    draft: true\n"):
        edit(copied, FILE, f"  - id: example-{added}\n", f"  - id: example-{added}\n{draft}")
        answer = act(client, "add", sha256=sha256(copied), kind="testimony", spans=words, values=values).json()
        name = answer.partition(";")[0]
        assert answer == f"{name}; also changed: {added}"
        assert figure(copied, f"example-{added}")["testimony"] == f"example-{name}"
        assert figure(copied, f"example-{added}")["attributed_to"] == "bruno-salt"
        act(client, "undo")


@pytest.mark.parametrize(
    ("mention", "other", "said"),
    [
        ("      - {id: m9, evidence: Salt told the Example}\n", "", "t4, and with it m9"),
        ("      - {id: m9, evidence: Salt told the Example, affiliation: keeper}\n", "", "t4"),
        ("      - {id: m9, evidence: Salt told the Example}\n", "m9", "t4"),
    ],
)
def test_a_mention_that_only_a_rejected_draft_needs_is_rejected_with_it(
    client: TestClient, copied: Path, mention: str, other: str, said: str
) -> None:
    end = "        attested_by:\n          gender: he rowed across at night\n"
    edit(copied, FILE, end, end + mention)
    edit(copied, FILE, "  - id: example-t4\n", "  - id: example-t4\n    draft: true\n")
    edit(copied, FILE, "about: true, antecedent: example-m2", "about: true, antecedent: m9")
    if other:
        edit(copied, FILE, "attribution: said Bruno Salt\n", "attribution: {words: said Bruno Salt, antecedent: m9}\n")
    assert act(client, "delete", sha256=sha256(copied), id="example-t4").json() == said
    assert ("id: m9" in (copied / FILE).read_text(encoding="utf-8")) == (said == "t4")


def test_a_chosen_speaker_is_no_reason_to_name_a_rival(client: TestClient, copied: Path) -> None:
    with_sentence(copied, "Mira Fenn met Bruno Salt. He said that the lamps went out.")
    mention = "      - {id: example-m8, evidence: {text: Mira Fenn, suffix: ' met'}}\n"
    edit(copied, FILE, "    mentions:\n      - id: example-m5\n", f"    mentions:\n{mention}      - id: example-m5\n")
    mention = "      - {id: example-m9, evidence: {text: Bruno Salt, prefix: 'met '}}\n"
    edit(copied, FILE, "    mentions:\n      - id: example-m2\n", f"    mentions:\n{mention}      - id: example-m2\n")
    draft = "  - id: example-t20\n    draft: true\n    speaker: who\n    mode: indirect\n"
    draft += "    evidence: He said that the lamps went out\n    attribution: He said\n    themes: [escape]\n"
    edit(copied, FILE, "\nfigures:\n", f"{draft}\nfigures:\n")
    values = {"speaker": "mira-fenn"}
    assert act(client, "change", sha256=sha256(copied), id="example-t20", values=values).is_success
    assert '{words: "He said", antecedent: example-m8}' in (copied / FILE).read_text(encoding="utf-8")
    assert "undeclared-rival" in {each.code for each in found_in(copied)}
    values = {"speaker": "bruno-salt"}
    assert act(client, "change", sha256=sha256(copied), id="example-t20", values=values).is_success
    assert '{words: "He said", antecedent: example-m9}' in (copied / FILE).read_text(encoding="utf-8")
    assert "undeclared-rival" not in {each.code for each in found_in(copied)}


@pytest.mark.parametrize(("possible", "fitting"), [("false", "hark"), ("true", "example-speaker-3")])
def test_a_name_that_is_no_pseudonym_stays_in_the_id(
    client: TestClient, copied: Path, possible: str, fitting: str
) -> None:
    with_sentence(copied, "Hark said that the lamps went out.")
    entry = "  - id: hark\n    draft: true\n    kind: person\n    role: other\n    anonymity: partial\n    name: Hark\n"
    entry += f"    pseudonym_possible: {possible}\n    mentions:\n      - {{id: example-m9, evidence: Hark}}\n"
    edit(copied, FILE, "\ntestimonies:\n", f"{entry}\ntestimonies:\n")
    assert act(client, "change", sha256=sha256(copied), id="hark", values={"role": "official"}).is_success
    assert f"  - id: {fitting}\n    kind: person\n" in (copied / FILE).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("chosen", "possible", "name"),
    [
        ({"role": "defector"}, "true", "example-speaker-3"),
        ({"role": "official"}, "false", "hark"),
        (
            {"role": "defector", "pseudonym_possible": "false"},
            "false",
            "hark",
        ),  # a person may deny it, and gets a finding
    ],
)
def test_whether_a_single_name_may_be_a_pseudonym_follows_another_role(
    client: TestClient, copied: Path, chosen: dict[str, str], possible: str, name: str
) -> None:
    with_sentence(copied, "Hark said that the lamps went out.")
    entry = "  - id: hark\n    draft: true\n    kind: person\n    role: other\n    anonymity: partial\n    name: Hark\n"
    entry += "    pseudonym_possible: false\n    mentions:\n      - {id: example-m9, evidence: Hark}\n"
    edit(copied, FILE, "\ntestimonies:\n", f"{entry}\ntestimonies:\n")
    assert act(client, "change", sha256=sha256(copied), id="hark", values=chosen).is_success
    after = (copied / FILE).read_text(encoding="utf-8")
    described = after.partition(f"  - id: {name}\n")[2].partition("\ntestimonies:")[0]
    assert re.findall("pseudonym_possible: (.*)", described) == [possible]


@pytest.mark.parametrize(("anonymity", "added"), [("partial", ["false"]), ("named", [])])
def test_the_role_says_whether_a_single_name_may_be_a_pseudonym(
    client: TestClient, copied: Path, anonymity: str, added: list[str]
) -> None:
    with_sentence(copied, "Hark said that the lamps went out.")
    entry = "  - id: hark\n    kind: institution\n    role: other\n    name: Hark\n"
    entry += "    mentions:\n      - {id: example-m9, evidence: Hark}\n"
    edit(copied, FILE, "\ntestimonies:\n", f"{entry}\ntestimonies:\n")
    values = {"kind": "person", "anonymity": anonymity}
    assert act(client, "change", sha256=sha256(copied), id="hark", values=values).is_success
    after = (copied / FILE).read_text(encoding="utf-8")
    described = after.partition("  - id: hark\n")[2].partition("\ntestimonies:")[0]
    assert re.findall("pseudonym_possible: (.*)", described) == added


def test_the_id_of_a_rejected_draft_is_given_to_no_other_record_that_undo_could_mix_with_it(
    client: TestClient, copied: Path
) -> None:
    edit(copied, FILE, "  - id: example-w4\n", "  - id: example-w4\n    draft: true\n")
    before = (copied / FILE).read_bytes()
    assert act(client, "delete", sha256=sha256(copied), id="example-w4").is_success
    values = {"reason": "date"}
    added = act(client, "add", sha256=sha256(copied), kind="waiver", spans=[span("March 3rd")], values=values)
    assert added.json() == "w5"
    for _ in range(2):
        assert act(client, "undo").is_success
    assert (copied / FILE).read_bytes() == before
    # Nothing can restore it in another session.
    assert act(client, "delete", sha256=sha256(copied), id="example-w4").is_success
    other = TestClient(application(EditedProject(copied), token=TOKEN), base_url=HOST)
    added = act(other, "add", sha256=sha256(copied), kind="waiver", spans=[span("March 3rd")], values=values)
    assert added.json() == "w4"


@pytest.mark.deep
def test_two_hyphens_are_one_stop(copied: Path, served: Served) -> None:
    with_sentence(copied, "Mira Fenn said the lamps went out -- and the mill.")
    record = "  - id: example-t20\n    draft: true\n    speaker: mira-fenn\n    mode: indirect\n"
    record += "    evidence: the lamps went out -- and the mill\n    attribution: Mira Fenn said\n"
    edit(copied, FILE, "\nfigures:\n", f"{record}    themes: [escape]\n\nfigures:\n")
    page = served(copied, "900_example")
    find(page, "lamps went out")
    expect(page.locator("#now .id")).to_contain_text("t20")
    for key in ("c", "Control+ArrowLeft", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#said")).to_contain_text("Changed the words of t20")
    assert "evidence: the lamps went out\n" in (copied / FILE).read_text(encoding="utf-8").replace('"', "")


@pytest.mark.deep
@pytest.mark.parametrize(
    ("evidence", "keys", "expected"),
    [
        (
            "the lamps failed and the mill burned as it rained",
            ["Control+ArrowLeft"],
            "the lamps failed and the mill burned",
        ),
        ("the lamps failed and the mill burned as it rained", ["Control+ArrowLeft"] * 2, "the lamps failed"),
        ("the lamps failed and the mill burned", ["Shift+Control+ArrowRight"], "and the mill burned"),
        ("the mill burned as it rained.", ["+", "s"], "[the mill burned as it rained., Nobody swam.]"),
        (
            "the mill burned",
            ["+", "ArrowRight", "Shift+ArrowRight", "Control+ArrowRight"],
            "[the mill burned, it rained]",
        ),
    ],
)
def test_words_without_a_mark_end_before_a_conjunction_and_a_further_part_follows_them(
    copied: Path,
    served: Served,
    evidence: str,
    keys: list[str],
    expected: str,
) -> None:
    with_sentence(copied, "Mira Fenn said the lamps failed and the mill burned as it rained. Nobody swam.")
    record = "  - id: example-t20\n    draft: true\n    speaker: mira-fenn\n    mode: indirect\n"
    record += f"    evidence: {evidence}\n    attribution: Mira Fenn said\n"
    edit(copied, FILE, "\nfigures:\n", f"{record}    themes: [escape]\n\nfigures:\n")
    page = served(copied, "900_example")
    find(page, "the mill burned")
    expect(page.locator("#now .id")).to_contain_text("t20")
    for key in ("c", *keys, "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#said")).to_contain_text("Changed the words of t20")
    found = yaml.safe_load((copied / FILE).read_text(encoding="utf-8"))["testimonies"]
    [words] = [each["evidence"] for each in found if each["id"] == "example-t20"]
    assert words == yaml.safe_load(expected)


@pytest.mark.parametrize(
    ("before", "counted", "words", "expected"),
    [
        ("14 lamps", "lamps", "14 lamps in the yard", "lamps in the yard"),
        ("14 lamps", "broken lamps", "14 lamps in the yard", "broken lamps"),
        ("14 lamps", "lamps", "there were 14 lamps", "lamps"),
        ("14 lamps in the yard", "lamps in the yard", "14 lamps", "lamps"),
        ("14 lamps in the yard", "lamps", "14 lamps", "lamps"),
        ("12 crews had left", "crews that had left", "12 crews", "crews"),
        ("12 crews", "crews", "12 crews had left", "crews that had left"),
        ("25 more top", "more top", "25 more top 20 hits", "more top 20 hits"),
        ("29 lamps with a", "lamps with a", "29 lamps with a sign", "lamps with a sign"),
        ("12 crews had left", "crews that had left", "12 crews had left in fog", "crews that had left in fog"),
        ("12 crews had left in", "crews that had left in", "12 crews had left in fog", "crews that had left in fog"),
        ("31 crews that left", "crews that left", "31 crews that left the yard", "crews that left the yard"),
        ("85 percent approval", "approval", "85 percent approval among crews,", "approval among crews"),
        ("90 crews", "crews", "90 crews, guests and old hands", "crews, guests and old hands"),
        ("90 crews", "crews", "90 crews, guests", "crews"),
        ("27 boats", "boats", "27 boats which burned", "boats which burned"),
    ],
)
def test_what_a_figure_counts_follows_its_words_unless_a_person_has_typed_it(
    client: TestClient, copied: Path, before: str, counted: str, words: str, expected: str
) -> None:
    also = "It had 85 percent approval among crews, Fenn said. Then 90 crews, guests and old hands met."
    also += " There were 27 boats which burned, and 31 crews that left the yard."
    also += " They had 25 more top 20 hits and 29 lamps with a sign."
    text = with_sentence(copied, f"In May there were 14 lamps in the yard. By then 12 crews had left in fog. {also}")
    figure = f"  - id: example-f20\n    evidence: {before}\n    value: {before[:2]}\n    hedge: exact\n    unit: item\n"
    edit(copied, FILE, "\nrelations:\n", f"{figure}    counted: {counted}\n\nrelations:\n")
    answer = act(client, "move", sha256=sha256(copied), id="example-f20", spans=[span(words, text)])
    assert answer.is_success, answer.text
    after = (copied / FILE).read_text(encoding="utf-8").replace('"', "")
    assert f"    counted: {expected}\n" in after.partition("id: example-f20\n")[2].partition("\n\n")[0] + "\n"
