"""The page for annotators with an article of a new corpus, whose only theme is `other`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient

from calling import run
from conftest import found_in
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.server import application
from pages import HOST, TOKEN, Served, find

STEM = "mill"


class Own:
    """A new corpus with an article that has drafts, and its page without a browser."""

    def __init__(self, root: Path, *paragraphs: str) -> None:
        facts = ("--empty", "--title", "Mills", "--subject", "the mills", "--language", "en")
        assert run("init", root, *facts).returncode == 0
        self.root, self.text = root, "\n\n".join(("The Old Mill Stays Shut", *paragraphs)) + "\n"
        (root / f"seeds/{STEM}.txt").write_text(self.text, encoding="utf-8")
        assert run("draft", "--fill", STEM, where=root).returncode == 0
        self.file = root / f"annotations/{STEM}.yaml"
        project = EditedProject(root)
        self.client = TestClient(application(project, token=TOKEN), base_url=HOST, follow_redirects=True)

    @property
    def yaml(self) -> str:
        return self.file.read_text(encoding="utf-8")

    def record(self, name: str) -> str:
        """Return the lines of a record, without quotation marks."""
        return self.yaml.partition(f"- id: {name}\n")[2].partition("\n  - ")[0].partition("\n\n")[0].replace('"', "")

    def span(self, words: str) -> list[int]:
        at = self.text.index(words)
        return [at, at + len(words)]

    def act(self, action: str, **body: Any) -> httpx2.Response:
        sha256 = hashlib.sha256(self.file.read_bytes()).hexdigest()
        return self.client.post(f"/{TOKEN}/{action}/{STEM}", json={"sha256": sha256, **body})

    def proposed(self, kind: str, words: str) -> dict[str, Any]:
        """Return the fields of the form for a new record with some words, by key."""
        answer = self.act("propose", kind=kind, spans=[self.span(words)])
        return {field["key"]: field for field in answer.json()["fields"]}

    def current(self, name: str) -> dict[str, Any]:
        """Return the fields of the form of a record, by key."""
        return {field["key"]: field for field in self.act("current", id=self.id(name)).json()}

    def id(self, name: str) -> str:
        return f"the-old-mill-stays-shut-{name}"


ASKED = "The keeper asked for an inquiry, according to the summary."


@pytest.mark.parametrize("is_chosen", [True, False])
def test_a_draft_whose_speaker_a_mention_introduces_is_accepted_if_nothing_else_is_open(
    tmp_path: Path, *, is_chosen: bool
) -> None:
    own = Own(tmp_path / "own", ASKED)
    assert "draft: true\n    speaker: who" in own.record("t1")
    id_ = own.id("t1") if is_chosen else ""
    values = {"kind": "institution", "name": "summary", "role": "other"}
    answer = own.act("add", kind="mention", id=id_, spans=[own.span("the summary")], values=values)
    assert ("accepted t1 with this speaker" in answer.text) == is_chosen
    assert ("draft" in own.record("t1")) != is_chosen, "of a draft that no key chose, nobody has seen the card"
    assert "speaker: summary\n" in own.record("t1")


def test_a_draft_that_lacks_more_than_its_speaker_is_not_accepted_with_a_mention(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Boats burned. “We saw it.” Boats sank.", "Milo Arden lives there.")
    values = {"kind": "person", "anonymity": "named", "name": "Milo Arden", "role": "other"}
    answer = own.act("add", kind="mention", id=own.id("t1"), spans=[own.span("Milo Arden")], values=values)
    assert answer.is_success, answer.text
    assert "draft: true\n    speaker: milo-arden" in own.record("t1"), "it lacks an attribution"


@pytest.mark.deep
def test_a_draft_is_accepted_with_the_speaker_whom_m_introduces(tmp_path: Path, served: Served) -> None:
    singers = "While it had young singers writing songs about the mill, that is over, which troubles Ada Holt."
    baker = "The baker asked for an inquiry, according to the outline."
    own = Own(tmp_path / "own", ASKED, "Boats burned.", baker, singers)
    page = served(own.root, STEM)
    said, now = page.locator("#said"), page.locator("#now")
    find(page, "The keeper asked")
    page.keyboard.press("ArrowLeft")
    expect(now).to_contain_text("introduce the speaker of t1. This accepts it if nothing else is open.")
    page.keyboard.press("m")
    expect(page.locator("#form-title")).to_have_text("New mention, which introduces the speaker of t1")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("accepted t1 with this speaker")
    expect(now.locator(".id")).to_contain_text("testimony t2 draft")
    # A mention that is known already needs no form.
    find(page, "summary")
    page.keyboard.press("m")
    expect(said).to_contain_text("Accepted t2: speaker")
    # It makes no attribution of her name and the verb of others.
    expect(now.locator(".id")).to_contain_text("testimony t3 draft")
    find(page, "Ada Holt")
    page.keyboard.press("m")
    expect(page.locator("#form")).to_be_visible()
    page.keyboard.press("Enter")
    expect(said).to_contain_text("also changed: t3, whose attribution is a guess")
    expect(now).to_contain_text("Ada Holt (a guess: no verb was found)")
    page.keyboard.press("e")
    words = page.locator("#form [data-key=attribution] [name=words]")
    expect(words).to_be_focused()
    words.fill("troubles Ada Holt")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("Changed t3")
    assert "attribution: troubles Ada Holt\n" in own.record("t3")


@pytest.mark.deep
def test_t_takes_words_that_were_selected_although_a_record_has_them(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "More than two dozen other growers have taken a similar stance, and Orr left.")
    assert "evidence: More than two dozen other growers have taken a similar stance\n" in own.record("f1")
    page = served(own.root, STEM)
    find(page, "More than two")
    page.keyboard.press("ArrowLeft")
    for _ in range(10):
        page.keyboard.press("Shift+ArrowRight")
    parts = page.locator("#parts")
    expect(page.locator("#said")).to_have_text("More than two dozen other growers have taken a similar stance")
    page.keyboard.press("t")
    expect(parts).to_have_text("More than two dozen other growers have taken a similar stance")
    page.keyboard.press("Escape")
    # Those to which a key leads are not selected by hand.
    page.keyboard.press("Control+Home")
    page.keyboard.press("n")
    expect(page.locator("#now .id")).to_contain_text("figure f1")
    page.keyboard.press("t")
    expect(parts).to_contain_text("a similar stance, and Orr left.")


@pytest.mark.deep
def test_after_a_new_mention_the_cursor_is_at_what_is_open_in_its_sentence(tmp_path: Path, served: Served) -> None:
    sentence = "More than two dozen other growers have taken a similar stance. “The lamps are dark,” said Milo Arden."
    own = Own(tmp_path / "own", sentence, "Boats burned.")
    page = served(own.root, STEM)
    now = page.locator("#now")
    for words, keys, expected in (
        ("More than two", ["ArrowLeft", *["Shift+ArrowRight"] * 5], "figure f1 draft"),
        ("said Milo", ["ArrowRight", "Shift+ArrowLeft"], "mention m3"),  # it has a finding: the words are a mention
    ):
        find(page, words)
        for key in (*keys, "m"):
            page.keyboard.press(key)
        expect(page.locator("#form")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.locator("#said")).to_contain_text("Saved")
        expect(now.locator(".id")).to_contain_text(expected)
    # Where nothing is open, `t` takes the sentence.
    find(page, "Boats")
    page.keyboard.press("m")
    expect(page.locator("#form")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Saved")
    page.keyboard.press("t")
    expect(page.locator("#parts")).to_have_text("Boats burned.")


@pytest.mark.parametrize(
    ("sentence", "speaker"),
    [
        ("Another complaint is that the mill was never cleaned.", ""),
        ("It also accused a clerk of losing lamps.", ""),
        ("Orr supporters said that the lamps were lost.", "the-old-mill-stays-shut-speaker-1"),
        ("Orr’s aides said that the lamps were lost.", "the-old-mill-stays-shut-speaker-1"),
        ("“We want the lamps back.”", ""),
        ("He said that the lamps were lost.", "bran-orr"),
        ("Orr said that the lamps were lost.", "bran-orr"),
    ],
)
def test_a_speaker_is_proposed_only_if_the_words_of_a_new_testimony_mean_one(
    tmp_path: Path, sentence: str, speaker: str
) -> None:
    own = Own(tmp_path / "own", "Bran Orr, the mayor, said that he met them.", f"Bran Orr came. {sentence}")
    assert "id: bran-orr" in own.yaml
    asked = own.proposed("testimony", sentence.strip("“”"))["speaker"]
    assert asked["value"] == speaker
    assert asked["required"]


@pytest.mark.parametrize(("said_by", "proposed"), [("ida-pelt", "ida-pelt"), ("ada-orr", "ada-orr"), ("who", "")])
def test_words_that_attribute_two_testimonies_mean_the_same_speaker(
    tmp_path: Path, said_by: str, proposed: str
) -> None:
    quoted = "We vote for no lamp. We vote for a mill."
    sentence = f"She added that it rained, which is late because, “{quoted}”"
    own = Own(tmp_path / "own", f"Ida Pelt, a clerk, saw Ada Orr. {sentence}", "Ada Orr said no.")
    own.file.write_text(own.yaml.replace("speaker: ida-pelt", f"speaker: {said_by}"), encoding="utf-8")
    fields = own.proposed("testimony", quoted)
    assert (fields["speaker"]["value"], fields["attribution"]["value"]["words"]) == (proposed, "She added")


def test_a_draft_whose_words_become_the_sentence_does_not_get_the_speaker_of_a_draft_inside(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "The letter also accuses a clerk, Ada Rust, of breaking lamps, and she cited papers.")
    assert "speaker: who\n" in own.record("t1")
    assert "speaker: ada-rust\n" in own.record("t2")
    answer = own.act("move", id=own.id("t1"), spans=[own.span(own.text.split("\n\n")[1].strip())])
    assert "rejected, as these words contain theirs: t2" in answer.text
    assert "speaker: who\n" in own.record("t1"), "the words that attribute it could mean another"


@pytest.mark.deep
def test_of_fields_that_exclude_each_other_the_last_one_keeps_its_value(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "Bran Orr, the mayor, said that the lamps were dark.", "He said that they sank.")
    page = served(own.root, STEM)
    page.locator(f"[aria-label='Edit {own.id('t2')}']").click()
    form = page.locator("#form")
    fields = {key: form.locator(f"[data-key=attribution] [name={key}]") for key in ATTRIBUTION}

    def filled() -> set[str]:
        return {key for key, field in fields.items() if field.input_value()}

    before = filled()
    assert "words" in before
    assert "continues" not in before
    form.locator("[data-key=attribution] summary").click()
    fields["continues"].select_option(index=1)
    assert filled() == {"continues"}
    fields["none"].select_option(index=1)
    assert filled() == {"none"}
    fields["words"].fill("He said")
    fields["words"].blur()
    assert filled() == {"words"}
    page.keyboard.press("Escape")


ATTRIBUTION = ("words", "antecedent", "rival", "continues", "none")


@pytest.mark.parametrize(
    ("sentence", "introduced", "is_theirs"),
    [
        ("More than two dozen other growers have taken a similar stance, and they left.", "other growers", False),
        ("More than two dozen other growers said that they had left.", "More than two dozen other growers", False),
        ("The growers said that they had lost 14 lamps.", "The growers", True),
    ],
)
def test_a_figure_in_a_new_testimony_is_stated_by_its_speaker_only_if_the_words_say_so(
    tmp_path: Path, sentence: str, introduced: str, *, is_theirs: bool
) -> None:
    own = Own(tmp_path / "own", sentence)
    number, value = ("14", 14) if is_theirs else ("More than two dozen", 24)
    figure = f"  - id: f1\n    draft: true\n    evidence: {number}\n    value: {value}\n    hedge: exact\n"
    records = f"testimonies: []\nfigures:\n{figure}    unit: item\n    counted: what\n\nwaivers: []\n"
    own.file.write_text(f"{own.yaml.partition('speakers:')[0]}speakers: []\n{records}", encoding="utf-8")
    values = {"kind": "group", "role": "other"}
    assert own.act("add", kind="mention", spans=[own.span(introduced)], values=values).is_success
    values = {"speaker": own.id("speaker-1"), "mode": "indirect", "themes": "other"}
    assert own.act("add", kind="testimony", spans=[own.span(sentence)], values=values).is_success
    assert ("attributed_to" in own.record("f1")) == is_theirs
    assert "testimony: t1" in own.record("f1")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("one aide of Bran Orr", {"kind": "person", "anonymity": "unnamed"}),
        ("the keeper of Grey River", {"kind": "person", "anonymity": "unnamed"}),
        ("The Grey River employee", {"kind": "person", "anonymity": "unnamed"}),
        ("Bran Orr of Wellmore", {"kind": "person", "anonymity": "named", "name": "Bran Orr", "speaker": "bran-orr"}),
        ("More than two dozen other growers", {"kind": "group"}),
        ("the 12 boat owners", {"kind": "group"}),
        ("the 30-year-old keeper", {"kind": "person", "anonymity": "unnamed", "age": "30"}),
    ],
)
def test_the_form_of_a_mention_proposes_no_name_of_another_and_no_age_of_a_group(
    tmp_path: Path, words: str, expected: dict[str, str]
) -> None:
    own = Own(tmp_path / "own", "Bran Orr said that it burned.", f"Later, {words} said that the lamps were dark.")
    fields = own.proposed("mention", words)
    keys = ("kind", "anonymity", "name", "speaker", "age")
    assert {key: fields[key]["value"] for key in keys if fields[key]["value"]} == expected


@pytest.mark.parametrize(
    ("sentence", "antecedent"),
    [
        ("Another complaint is that the mill was never cleaned.", "m1"),
        ("They said that the mill was never cleaned.", "m1"),
        ("He said that the mill was never cleaned.", ""),
    ],
)
def test_a_number_writes_no_antecedent_that_the_words_cannot_mean(
    tmp_path: Path, sentence: str, antecedent: str
) -> None:
    own = Own(tmp_path / "own", "Many residents left.", f"Boats burned. {sentence}")
    values = {"kind": "group", "role": "other"}
    assert own.act("add", kind="mention", spans=[own.span("Many residents")], values=values).is_success
    assert own.act("change", id=own.id("t1"), values={"speaker": own.id("speaker-1")}).is_success
    assert ("antecedent" in own.record("t1")) == bool(antecedent), own.record("t1")
    assert "wrong-antecedent" not in {each.code for each in found_in(own.root)}


@pytest.mark.parametrize(
    ("words", "attribution", "entry"),
    [
        (
            "The mill stood still for a week, Wexley Radio reported",
            "Wexley Radio reported",
            'kind: institution\n    role: representative\n    name: "Wexley Radio"',
        ),
        (
            "An aide to the mayor said that it burned",
            "An aide to the mayor said",
            "draft: true\n    kind: person\n    role: other\n    anonymity: unnamed",
        ),
    ],
)
def test_a_new_testimony_brings_the_speaker_whom_its_attribution_introduces(
    tmp_path: Path, words: str, attribution: str, entry: str
) -> None:
    own = Own(tmp_path / "own", f"Bran Orr said that it shut. {words}.")
    drafted = own.yaml.partition('attribution: "' + attribution)[0].rpartition("speaker: ")[2].partition("\n")[0]
    assert own.act("delete", id=own.id(drafted) if "speaker-" in drafted else drafted).status_code == 200
    assert attribution.removesuffix(" said") not in own.yaml.partition("title")[2].partition("\n")[2]
    fields = own.proposed("testimony", words)
    assert fields["speaker"]["value"] == "new"
    assert fields["speaker"]["choices"][-1]["label"] == "a new speaker: the words of the attribution"
    given = {"speaker": "new", "mode": "indirect", "attribution": {"words": attribution}, "themes": "other"}
    answer = own.act("add", kind="testimony", spans=[own.span(words)], values=given)
    assert answer.status_code == 200, answer.text
    assert entry in own.yaml


@pytest.mark.parametrize(
    ("paragraph", "speaker", "mode"),
    [
        ("Bran Orr said that it shut. Lamps were dear.", "bran-orr", "indirect"),
        ("Bran Orr said that it shut. His lamps were dear. Orr said that it burned.", "bran-orr", "indirect"),
        ("Bran Orr said that it shut. Lamps were dear. Ada Pelt said that it burned.", "", "narrated"),
        ("It shut. Lamps were dear. Bran Orr said that it burned.", "", "narrated"),
    ],
)
def test_a_sentence_after_a_statement_goes_on_with_it(tmp_path: Path, paragraph: str, speaker: str, mode: str) -> None:
    own = Own(tmp_path / "own", paragraph)
    fields = own.proposed("testimony", "amps were dear.")
    assert (fields["speaker"]["value"].replace("writer", ""), fields["mode"]["value"]) == (speaker, mode)
    [said] = [each["value"] for each in fields["attribution"]["fields"] if each["key"] == "continues"]
    assert said == own.id("t1") * bool(speaker)


@pytest.mark.deep
def test_a_part_of_the_words_of_a_record_is_left_out_in_its_form(tmp_path: Path, served: Served) -> None:
    own = Own(tmp_path / "own", "“The lamps are dark,” said Bran Orr, the mayor. “Boats burned.”")
    assert "evidence: [The lamps are dark,, Boats burned.]" in own.record("t1")
    page = served(own.root, STEM)
    before = own.yaml
    page.locator(f"[aria-label='Edit {own.id('t1')}']").click()
    expect(page.locator("#form")).to_be_visible()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    expect(page.locator("#parts input").last).not_to_be_checked()
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("Changed t1")
    assert "evidence: The lamps are dark,\n" in own.record("t1")
    assert "draft: true" not in own.record("t1")
    page.keyboard.press("u")
    expect(page.locator("#said")).to_contain_text("Undone")
    assert own.yaml == before


@pytest.mark.deep
def test_the_end_of_words_stops_once_at_each_mark(tmp_path: Path, served: Served) -> None:
    said = "Bran Orr said that the lamps were dark. Boats burned, and ''nobody came'' he said. It was lost. Ada left."
    own = Own(tmp_path / "own", said)
    page = served(own.root, STEM)
    shown = page.locator("#said")

    def ends(key: str, times: int) -> list[str]:
        found = []
        for _ in range(times):
            page.keyboard.press(key)
            found.append(" ".join(shown.inner_text().split()[-2:]))
        return found

    find(page, "said that the lamps")
    page.keyboard.press("c")
    expect(page.locator("#now .hint")).to_be_visible()
    # Whole sentences end with their full stop.
    right = ends("Control+ArrowRight", 6)
    assert right == ["Boats burned", "burned, and", "''nobody came''", "he said.", "was lost.", "Ada left."]
    left = ends("Control+ArrowLeft", 7)
    assert left == [*reversed(right[:-1]), "were dark.", "Orr said"]
    page.keyboard.press("Control+ArrowRight")
    # Words that begin inside a sentence end before its full stop.
    for _ in range(4):
        page.keyboard.press("Shift+ArrowRight")
    right = ends("Control+ArrowRight", 6)
    assert right == ["Boats burned", "burned, and", "''nobody came''", "he said", "was lost", "Ada left"]


def test_a_finding_in_json_has_the_number_of_those_for_which_it_is_reported(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", "Bran Orr said that the lamps were dark. The mill has 14 lamps.")
    ran = run("check", "--format", "json", where=own.root)
    numbers = {each["code"]: each["number"] for each in json.loads(ran.stdout)["findings"]}
    assert numbers["draft-record"] == own.yaml.count("draft: true") > 1


@pytest.mark.parametrize(
    ("chosen", "expected"), [("Another", "Another"), ("hoped", "Another"), ("sometimes", "Another"), ("Holt", "Holt")]
)
def test_one_word_can_introduce_a_speaker(tmp_path: Path, chosen: str, expected: str) -> None:
    own = Own(tmp_path / "own", "Another sometimes hoped that it burns.", "Holt says that it burns.")
    answer = own.act("propose", kind="mention", spans=[own.span(chosen)])
    assert answer.status_code == 200, answer.text
    assert [part["text"] for part in answer.json()["parts"]] == [expected]


KEEPER = "“No,” said Ada Orr, a keeper. “Yes,” said Ben Pelt, a clerk. “It burned,” the keeper said."


def test_a_rival_is_removed_with_its_speaker_also_from_an_accepted_testimony(tmp_path: Path) -> None:
    own = Own(tmp_path / "own", KEEPER)
    assert own.act("change", id=own.id("t3"), values={"speaker": "ada-orr"}).is_success
    own.file.write_text(own.yaml.replace("antecedent: m1}", "antecedent: m1, rival: m2}"), encoding="utf-8")
    answer = own.act("delete", id="ben-pelt").json()
    assert answer == "Ben Pelt, and with it t2; also changed: t3"
    assert "attribution: {words: the keeper said, antecedent: m1}" in own.record("t3")
    assert [each.code for each in found_in(own.root) if each.code != "draft-record"] == ["unaccounted-quotation"], (
        "that of the rival"
    )


@pytest.mark.parametrize("is_accepted", [True, False])
def test_an_accepted_antecedent_stays_when_its_words_become_a_mention(tmp_path: Path, *, is_accepted: bool) -> None:
    own = Own(tmp_path / "own", KEEPER)
    if is_accepted:
        assert own.act("change", id=own.id("t3"), values={"speaker": "ada-orr"}).is_success
    last = own.text.rindex("the keeper")
    spans = [[last, last + len("the keeper")]]
    assert own.act("add", kind="mention", spans=spans, values={"speaker": "ada-orr"}).is_success
    assert ("antecedent: m1" in own.record("t3")) == is_accepted
    assert [each.code for each in found_in(own.root) if each.code != "draft-record"] == []


@pytest.mark.parametrize(
    ("said", "is_theirs"),
    [
        ("They ruled that, though it had burned 20 lamps, the mill was safe.", True),
        ("They condemned the loss of 20 lamps in the mill.", False),
    ],
)
def test_the_figures_of_a_testimony_get_the_speaker_who_is_found_or_chosen_as_in_drafts(
    tmp_path: Path, said: str, *, is_theirs: bool
) -> None:
    own = Own(tmp_path / "own", f"Two old courts in the Vale sat, and Ada Orr, a clerk, came. {said}")
    assert "speaker: who" in own.record("t1")
    figure = next(each for each in ("f1", "f2") if "20" in own.record(each))
    values = {"kind": "group", "role": "official"}
    assert own.act("add", kind="mention", id=own.id("t1"), spans=[own.span("Two old courts")], values=values).is_success
    assert ("attributed_to: speaker-1" in own.record(figure)) == is_theirs
    # What a person has accepted without a speaker is no fault if nobody states it.
    accepted = {"counted": "lamps", "unit": "item", "polarity": "affirmed"}
    assert own.act("change", id=own.id(figure), values=accepted).is_success
    assert "figure-of-another" not in {each.code for each in found_in(own.root)}


def test_a_figure_follows_the_speaker_of_its_testimony_also_where_the_words_do_not_say_who_speaks(
    tmp_path: Path,
) -> None:
    sentence = "The mill gets 20 lamps, a gift of Ada Orr, and Bo Pelt came."
    own = Own(tmp_path / "own", "Ada Orr, a clerk, said yes. Bo Pelt, a miller, said no.", sentence)
    given = {"speaker": "ada-orr", "mode": "indirect", "themes": "other"}
    said = {"attribution": {"words": "gift of Ada Orr"}}
    spans = [own.span(sentence)]
    assert own.act("add", kind="testimony", spans=spans, values={**given, **said}).is_success
    assert "attributed_to: ada-orr" in own.record("f1")
    values = {"speaker": "bo-pelt", "attribution": {"words": "Bo Pelt came"}}
    assert own.act("change", id=own.id("t3"), values=values).is_success
    assert "attributed_to: bo-pelt" in own.record("f1")
