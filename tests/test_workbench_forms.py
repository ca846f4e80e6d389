"""The forms of the page for annotators, its drafts, and its search."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from conftest import INVENTED, PROJECT, edit
from defectors_data.annotators.workbench import forms
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.annotators.workbench.record_fields import current_values
from defectors_data.corpus import yaml_reader
from pages import TOKEN
from test_workbench import FILE, STEM, TEXT, act, lines, sha256, span

# ---- what a form proposes ----------------------------------------------------------------------------------------


def form(client: TestClient, kind: str, *spans: list[int]) -> dict[str, Any]:
    """Return the fields of the form that is proposed for a record in some places, by key."""
    fields = act(client, "propose", kind=kind, spans=spans).json()["fields"]
    return {field["key"]: field for field in fields}


def proposed(client: TestClient, kind: str, *spans: list[int]) -> dict[str, Any]:
    """Return the values of the form that is proposed for a record in some places, by key."""
    return {key: field["value"] for key, field in form(client, kind, *spans).items()}


PROPOSALS: list[tuple[str, str, str, dict[str, str]]] = [
    ("testimony", "no oil", "no oil", {"speaker": "bruno-salt", "mode": "direct"}),
    ("testimony", "oil", "We had no oil left,", {"speaker": "bruno-salt", "mode": "direct", "themes": "hunger_pay"}),
    ("testimony", "Several keepers said that", "Several keepers said that", {"mode": "indirect", "themes": "other"}),
    ("testimony", "In the fog he lost an oar", "In the fog he lost an oar", {"mode": "narrated", "themes": "weather"}),
    ("testimony", "Bruno Salt, 36, a sergeant of the Coast Watch who served eight years",
     "Bruno Salt, 36, a sergeant of the Coast Watch who served eight years",
     {"speaker": "bruno-salt", "mode": "narrated"}),
    ("figure", "40", "Nearly 40 lighthouse keepers have left the Northern Isles since February",
     {"value": "40", "low": "", "high": "40", "hedge": "nearly", "unit": "person", "measure": "keepers_who_left",
      "testimony": "example-t1", "attributed_to": "harbour-office"}),
    ("figure", "5 and 7", "between 5 and 7 percent of the crews want to return",
     {"value": "", "low": "5", "high": "7", "hedge": "range", "unit": "percent"}),
    ("mention", "We had no oil left,", "Bruno Salt, 36, a sergeant of the Coast Watch who served eight years",
     {"speaker": "bruno-salt", "name": "Bruno Salt", "age": "36", "years_of_service": "8", "branch": "navy"}),
    ("waiver", "March 3rd", "March 3rd", {"reason": ""}),
    ("waiver", "We had no oil left,", "We had no oil left,", {"reason": "", "repeats": ""}),
    ("boilerplate", "Copyright", "Copyright 2019 The Example Gazette", {}),
    ("boilerplate", "Copyright 2019", "Copyright 2019", {}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "selected", "evidence", "expected"), PROPOSALS)
def test_a_form_proposes_the_values_that_the_engine_reads(
    client: TestClient, kind: str, selected: str, evidence: str, expected: dict[str, str]
) -> None:
    answer = act(client, "propose", kind=kind, spans=[span(selected)]).json()
    assert answer["parts"][0]["text"] == evidence
    values = {field["key"]: field["value"] for field in answer["fields"]}
    assert {key: values[key] for key in expected} == expected


def with_sentence(root: Path, sentence: str, after: str = "Hundreds came to the pier.") -> str:
    """Add a sentence to the article after another, and return its text."""
    seed = root / "seeds/900_example.txt"
    before = seed.read_bytes()
    text = before.decode().replace(after, f"{after} {sentence}")
    seed.write_text(text, encoding="utf-8")
    edit(root, FILE, hashlib.sha256(before).hexdigest(), hashlib.sha256(text.encode()).hexdigest())
    return text


def test_a_mention_is_never_proposed_in_the_words_of_a_place(client: TestClient, copied: Path) -> None:
    # The names nearest to these numbers are "the Northern Isles" and "Port Example".
    text = with_sentence(copied, "In downtown Port Example, 90 boats waited.")
    for number in ("40", "90"):
        start = text.index(number, text.index("Nearly"))
        answer = act(client, "propose", kind="mention", spans=[[start, start + len(number)]])
        assert answer.status_code == 403
        assert answer.json()["message"] == "Select the words that introduce the speaker, then press m."
    start = text.index("Port Example, 90")
    assert act(client, "propose", kind="mention", spans=[[start, start + len("Port Example")]]).is_success


def test_a_speaker_named_in_the_selected_words_comes_before_one_outside(client: TestClient, copied: Path) -> None:
    north = "In the north, keepers held lamps aloft, Mira Fenn reported"
    south = "in the south the boats waited, the Harbour Office reported"
    text = with_sentence(copied, f"{north}, while {south}.")
    quoted = "We had no oil left,"  # what names somebody inside a quotation is no attribution
    for words, speaker, attribution in (
        (north, "mira-fenn", "Mira Fenn reported"),
        (south, "harbour-office", "Harbour Office reported"),
        (quoted, "bruno-salt", "said Bruno Salt"),
    ):
        values = proposed(client, "testimony", span(words, text))
        assert values["speaker"] == speaker
        assert attribution in values["attribution"]["words"]


def test_words_that_are_printed_again_repeat_the_testimony_elsewhere(client: TestClient, copied: Path) -> None:
    assert act(client, "delete", sha256=sha256(copied), id="example-w4").is_success
    at = TEXT.rindex("The lamps are dark")
    values = proposed(client, "waiver", [at, at + 18])
    assert (values["reason"], values["repeats"]) == ("repeat", "example-t5")


@pytest.mark.parametrize(
    ("sentence", "speaker"),
    [
        ("That comment is a lie.", "writer"),
        ("His boat was gone.", "mira-fenn"),
        ("There was no oil in his boat.", ""),
        ("Many Harrowers were cold.", "new"),
    ],
)
def test_the_writer_is_proposed_for_a_sentence_that_means_no_person(
    client: TestClient, copied: Path, sentence: str, speaker: str
) -> None:
    asked = form(client, "testimony", span(sentence, with_sentence(copied, sentence)))["speaker"]
    assert asked["value"] == speaker
    assert speaker in {choice["value"] for choice in asked["choices"]}


def test_words_repeat_the_same_words_whatever_their_capital_letters(client: TestClient, copied: Path) -> None:
    quoted = with_sentence(copied, "The poster reads “THE LAMPS ARE DARK.”").rindex("THE LAMPS")
    values = proposed(client, "waiver", [quoted, quoted + 19])
    assert (values["reason"], values["repeats"]) == ("repeat", "example-t5")


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("The Night of the Lamps", "title"),
        ("Lamps Out", "term"),
        ("The night of the lamps", ""),
        ("Operation Dark Lamp", "term"),
    ],
)
def test_words_in_title_case_are_waived_as_a_title(client: TestClient, copied: Path, words: str, reason: str) -> None:
    seed = copied / "seeds/900_example.txt"
    text = seed.read_text(encoding="utf-8").replace('so-called "Long Night"', f'plan "{words}"')
    seed.write_text(text, encoding="utf-8")
    edit(copied, FILE, sha_of_invented(), hashlib.sha256(text.encode()).hexdigest())
    edit(copied, FILE, """evidence: '"Long Night"'""", "evidence: March 3rd")
    assert proposed(client, "waiver", span(words, text))["reason"] == reason


def test_another_reason_clears_what_a_waiver_repeats(client: TestClient, copied: Path) -> None:
    before = (copied / FILE).read_text(encoding="utf-8")
    values = {"reason": "idiom", "repeats": "example-t5"}
    assert act(client, "change", sha256=sha256(copied), id="example-w4", values=values).is_success
    changed = lines(before, (copied / FILE).read_text(encoding="utf-8"))
    assert changed == ["-    reason: repeat", "-    repeats: example-t5", "+    reason: idiom"]


def test_lists_of_records_offer_those_before_the_words_nearest_first(client: TestClient) -> None:
    def offered(record: str, *keys: str) -> list[str]:
        fields = act(client, "current", id=record).json()
        for key in keys[:-1]:
            fields = next(field["fields"] for field in fields if field["key"] == key)
        choices = next(field["choices"] for field in fields if field["key"] == keys[-1])
        return [choice["value"] for choice in choices]

    # Only adjacent speech is continued.
    assert offered("example-t4", "attribution", "continues") == ["", "example-t3", "example-t5"]
    # Those of its speaker come first.
    antecedents = ["", "example-t3", "example-m2", "example-t2", "example-m1", "example-t1"]
    assert offered("example-t4", "attribution", "antecedent") == antecedents
    # The mention is in the words of the attribution.
    assert "example-m5" not in offered("example-t8", "attribution", "antecedent")
    assert offered("example-f1", "testimony") == ["", "example-t1"], "the testimony has the same first word"
    repeated = offered("example-w4", "repeats")
    assert "example-t5" in repeated
    assert repeated.index("example-f12") < repeated.index("example-t1")


def test_a_current_reference_stays_in_its_list_even_if_it_is_wrong(client: TestClient, copied: Path) -> None:
    edit(copied, FILE, "about: true, antecedent: example-m2", "about: true, antecedent: example-m5")
    fields = {field["key"]: field for field in act(client, "current", id="example-t4").json()}
    antecedent = next(field for field in fields["attribution"]["fields"] if field["key"] == "antecedent")
    assert antecedent["value"] == "example-m5"
    assert antecedent["choices"][-1]["value"] == "example-m5"


def test_fields_of_other_subjects_are_folded_away(client: TestClient, copied: Path) -> None:
    for name in ("900_example", "901_second"):
        edit(copied, f"annotations/{name}.yaml", "        rank: sergeant\n", "")

    def shown(record: str) -> set[str]:
        return {field["key"] for field in act(client, "current", id=record).json() if field["shown"]}

    assert {"affiliation", "age", "name"} <= shown("mira-fenn"), "a speaker has the fields of the first mention"
    assert not shown("mira-fenn") & {"rank", "part_of", "inferred"}
    assert "age" not in shown("example-speaker-1"), "no attribute of a protected person is asked"
    assert "measure" in shown("example-f1")
    assert "attribution" not in shown("example-f1")
    first = [act(client, "current", id=record).json()[0]["key"] for record in ("example-t1", "mira-fenn")]
    assert first == ["speaker", "role"], "what drafts often need corrected is at the top"


def test_a_speaker_is_changed_together_with_the_first_mention(client: TestClient, copied: Path) -> None:
    before = (copied / FILE).read_text(encoding="utf-8")
    values = {"role": "analyst", "affiliation": "", "age": "40"}
    assert act(client, "change", sha256=sha256(copied), id="mira-fenn", values=values).is_success
    changed = lines(before, (copied / FILE).read_text(encoding="utf-8"))
    assert changed == ["-    role: other", "+    role: analyst", "-        affiliation: clerk", "+        age: 40"]


def test_a_new_unit_is_added_with_its_definition(client: TestClient, copied: Path) -> None:
    path = copied / "annotations/vocabulary.yaml"
    before = path.read_text(encoding="utf-8")
    values = {"unit": "lamp_hour", "definitions": {"units/lamp_hour": "an hour for which a lamp burns"}}
    assert act(client, "change", sha256=sha256(copied), id="example-f5", values=values).is_success
    added = lines(before, path.read_text(encoding="utf-8"))
    assert added == ["+  - term: lamp_hour", '+    definition: "An hour for which a lamp burns."']


DRAFTED = {
    "  - id: mira-fenn\n": "  - id: mira-fenn\n    draft: true\n",
    "  - id: example-t8\n": "  - id: example-t8\n    draft: true\n",
    "  - id: example-t9\n": "  - id: example-t9\n    draft: true\n",
    "  - id: example-f9\n": "  - id: example-f9\n    draft: true\n",
}


def test_a_rejected_speaker_takes_the_draft_testimonies_along(client: TestClient, copied: Path) -> None:
    for old, new in DRAFTED.items():
        edit(copied, FILE, old, new)
    before = (copied / FILE).read_text(encoding="utf-8")
    answer = act(client, "delete", sha256=sha256(copied), id="mira-fenn")
    assert answer.json() == "Mira Fenn, and with it t8, t9; also changed: f9, f10, f11"
    text = (copied / FILE).read_text(encoding="utf-8")
    removed = lines(before, text)
    assert not [line for line in removed if line.startswith("+")]
    assert "-  - id: example-t8" in removed
    assert "-  - id: example-t9" in removed
    # To whom a figure is attributed that a person accepted is left to that person.
    said = [line.partition(": ")[0] for line in removed if "testimony:" in line or "attributed_to" in line]
    assert said == ["-    attributed_to", *["-    testimony"] * 3]
    assert act(client, "undo").json() == "Undone: removed Mira Fenn, and with it t8, t9."
    assert (copied / FILE).read_text(encoding="utf-8") == before
    assert "nothing to undo" in act(client, "undo").text


def test_boilerplate_rejects_the_drafts_inside_and_is_removed_from_its_card(client: TestClient, copied: Path) -> None:
    edit(copied, FILE, "  - id: example-w3\n", "  - id: example-w3\n    draft: true\n")
    edit(copied, FILE, "  - id: example-f12\n", "  - id: example-f12\n    draft: true\n")
    before = (copied / FILE).read_text(encoding="utf-8")
    line = span('The so-called "Long Night" began on March 3rd. Hundreds came to the pier.')
    made = act(client, "add", sha256=sha256(copied), kind="boilerplate", spans=[line], values={}).json()
    assert made == "boilerplate; drafts inside were rejected: f12, w3"
    text = (copied / FILE).read_text(encoding="utf-8")
    assert "example-w3" not in text
    assert "id: example-w2" in text, "a person accepted it"
    page = client.get(f"/{TOKEN}/article/{STEM}").text
    assert 'data-id="example-boilerplate-3"' in page
    assert act(client, "delete", sha256=sha256(copied), id="example-boilerplate-2").is_success
    assert "so-called" not in (copied / FILE).read_text(encoding="utf-8")
    assert act(client, "undo").is_success
    assert act(client, "undo").is_success
    assert (copied / FILE).read_text(encoding="utf-8") == before


@pytest.mark.parametrize("typed", ["Copyright 2019 The Example Gazette", "[Copyright 2019 The Example Gazette]"])
def test_boilerplate_is_added_whichever_way_it_is_written(client: TestClient, copied: Path, typed: str) -> None:
    listed = '\n    - "0\\nPlay Audio"\n    - Copyright 2019 The Example Gazette'
    edit(copied, FILE, f"boilerplate:{listed}", f"boilerplate: {typed}")
    once = (copied / FILE).read_text(encoding="utf-8")
    spans = [span("Play Audio")]
    assert act(client, "add", sha256=sha256(copied), kind="boilerplate", spans=spans, values={}).is_success
    source = yaml_reader.parse((copied / FILE).read_text(encoding="utf-8"), file=FILE).value["source"]
    assert source["boilerplate"] == ["Play Audio", "Copyright 2019 The Example Gazette"]
    assert act(client, "undo").is_success
    assert act(client, "delete", sha256=sha256(copied), id="example-boilerplate-1").is_success
    assert "boilerplate" not in (copied / FILE).read_text(encoding="utf-8")
    assert act(client, "undo").is_success
    assert (copied / FILE).read_text(encoding="utf-8") == once


@pytest.mark.parametrize("action", ["accept", "change"])
def test_a_reviewed_record_has_no_comment_on_a_guess(client: TestClient, copied: Path, action: str) -> None:
    old = "    evidence: about 12 of them sleep\n    value: 12\n"
    edit(copied, FILE, old, f"    draft: true\n{old.rstrip()}  # a guess: or 13\n")
    assert act(client, action, sha256=sha256(copied), id="example-f2", values={}).is_success
    text = (copied / FILE).read_text(encoding="utf-8")
    assert "a guess" not in text
    assert "id: example-f2\n    evidence: about 12 of them sleep\n    value: 12\n" in text


def test_offsets_are_code_points_and_words_are_whole(client: TestClient, copied: Path) -> None:
    seed = copied / "seeds/900_example.txt"
    text = seed.read_text(encoding="utf-8").replace("By Ada", "By 🗼🗼 Ada")
    seed.write_text(text, encoding="utf-8")
    edit(copied, FILE, sha_of_invented(), hashlib.sha256(text.encode()).hexdigest())
    at = text.index("sergeant")
    assert f'data-s="{at}" data-e="{at + 8}"' in client.get(f"/{TOKEN}/article/{STEM}").text


def sha_of_invented() -> str:
    return hashlib.sha256((INVENTED / "seeds/900_example.txt").read_bytes()).hexdigest()


def test_a_draft_is_accepted_or_rejected_and_both_can_be_undone(client: TestClient, copied: Path) -> None:
    edit(copied, FILE, "  - id: example-w3\n", "  - id: example-w3\n    draft: true\n")
    edit(copied, FILE, "  - id: example-w4\n", "  - id: example-w4\n    draft: true\n")
    before = (copied / FILE).read_text(encoding="utf-8")
    assert act(client, "accept", sha256=sha256(copied), id="example-w3").is_success
    accepted = (copied / FILE).read_text(encoding="utf-8")
    assert lines(before, accepted) == ["-    draft: true"]
    assert "no draft" in act(client, "accept", sha256=sha256(copied), id="example-w3").text
    assert act(client, "delete", sha256=sha256(copied), id="example-w4").is_success
    assert act(client, "undo").is_success
    assert (copied / FILE).read_text(encoding="utf-8") == accepted
    assert act(client, "undo").is_success
    assert (copied / FILE).read_text(encoding="utf-8") == before
    assert "nothing to undo" in act(client, "undo").text


def test_drafts_are_counted_apart_and_the_check_passes_without_any(client: TestClient, copied: Path) -> None:
    def counted(stem: str) -> str:
        page = client.get(f"/{TOKEN}/article/{stem}").text
        return re.sub(r"<.*?>|\s+", " ", page.partition('id="left">')[2].partition("</p>")[0]).strip()

    assert "0 unaccounted for, 0 findings." in counted(STEM)
    assert "The check passes." in counted(STEM)
    edit(copied, FILE, "  - id: example-w3\n", "  - id: example-w3\n    draft: true\n")
    edit(copied, FILE, "  - id: example-w4\n", "  - id: example-w4\n    draft: true\n")
    assert counted(STEM) == "0 unaccounted for, 2 drafts, 0 findings."
    assert counted("901_second") == "0 unaccounted for, 0 findings; in other files 2 drafts, 0 findings."
    state = re.search(f"{STEM}</a>: ([^<]+)", client.get(f"/{TOKEN}/article/{STEM}").text)
    assert state
    assert state[1] == "2 drafts, 0 findings"


def test_each_card_has_its_finding_even_if_all_have_one_cause(client: TestClient, copied: Path) -> None:
    text = (copied / FILE).read_text(encoding="utf-8")
    (copied / FILE).write_text(text.replace("speaker: mira-fenn", "speaker: nobody-here"), encoding="utf-8")
    page = client.get(f"/{TOKEN}/article/{STEM}").text
    cards = {name: page.partition(f'id="record-example-{name}"')[2].partition("</section>")[0] for name in ("t8", "t9")}
    assert all("unresolved-reference" in card for card in cards.values())
    assert "more like this" not in page


def test_an_edit_is_not_undone_after_another_person_changed_the_file(client: TestClient, copied: Path) -> None:
    assert act(client, "delete", sha256=sha256(copied), id="example-w3").is_success
    edit(copied, FILE, "note: A pull quote.", "note: Another pull quote.")
    changed = (copied / FILE).read_bytes()
    assert "changed elsewhere" in act(client, "undo").text
    assert (copied / FILE).read_bytes() == changed


def test_a_draft_without_a_speaker_is_not_accepted(client: TestClient, copied: Path) -> None:
    edit(copied, FILE, "speaker: harbour-office", "speaker: who\n    draft: true")
    answer = act(client, "accept", sha256=sha256(copied), id="example-t1")
    assert (answer.status_code, answer.json()["message"]) == (422, "Choose the speaker first.")


def test_a_draft_without_required_codes_is_not_accepted(client: TestClient, copied: Path) -> None:
    factors = "factors:\n  - {term: pay, definition: Pay.}\nmeasures:\n"
    edit(copied, "annotations/vocabulary.yaml", "measures:\n", factors)
    typed = "    access: own_experience\n    outlet_kind: not_stated\n"
    text = (copied / FILE).read_text(encoding="utf-8")
    before, testimony, after = text.partition("  - id: example-t4\n")
    changed = f"{before}{testimony}    draft: true\n{after.replace(typed, '', 1)}"
    (copied / FILE).write_text(changed, encoding="utf-8")
    answer = act(client, "accept", sha256=sha256(copied), id="example-t4")
    assert (answer.status_code, answer.json()["message"]) == (422, "Choose access and outlet_kind first.")
    required = {field["key"] for field in act(client, "current", id="example-t4").json() if field["required"]}
    assert {"access", "outlet_kind"} <= required


def test_the_codes_of_a_testimony_are_edited_in_lists(client: TestClient, copied: Path) -> None:
    edit(
        copied, "annotations/vocabulary.yaml", "measures:\n", "factors:\n  - {term: pay, definition: Pay.}\nmeasures:\n"
    )
    motive = {"factor": "pay", "direction": "push", "decision": "leave", "of": "speaker", "link": "own_words"}
    values = {"motives": [{**motive, "words": "no oil left"}], "relatives": "mentioned"}
    fields = {field["key"]: field for field in act(client, "current", id="example-t2").json()}
    assert [field["key"] for field in fields["motives"]["fields"]] == [*motive, "words"]
    assert fields["motives"]["shown"]
    assert not fields["acts"]["shown"], "the vocabulary has no kinds of acts"
    before = (copied / FILE).read_text(encoding="utf-8")
    answer = act(client, "change", sha256=sha256(copied), id="example-t2", values=values)
    assert answer.is_success, answer.text
    typed = "factor: pay, direction: push, decision: leave, of: speaker, link: own_words"
    assert lines(before, (copied / FILE).read_text(encoding="utf-8")) == [
        f'+    motives: [{{{typed}, words: "no oil left"}}]',
        "+    relatives: mentioned",
    ]
    shown = {field["key"]: field["value"] for field in act(client, "current", id="example-t2").json()}
    assert shown["motives"] == [{**motive, "words": "no oil left"}]


def test_a_misprint_is_recorded_with_its_figure_in_one_step(client: TestClient, copied: Path) -> None:
    fields = {field["key"]: field for field in act(client, "current", id="example-f1").json()}
    assert [field["key"] for field in fields["misprint"]["fields"]] == ["wrong", "known"]
    before = (copied / FILE).read_text(encoding="utf-8")
    stated = {"misprint": {"wrong": "The number is too high.", "known": "The headline has another number."}}
    answer = act(client, "change", sha256=sha256(copied), id="example-f1", values=stated)
    assert answer.is_success, answer.text
    assert lines(before, (copied / FILE).read_text(encoding="utf-8")) == [
        "+  - id: example-e2",
        '+    evidence: "Nearly 40 lighthouse keepers have left the Northern Isles"',
        '+    wrong: "The number is too high."',
        '+    known: "The headline has another number."',
        "+    status: noted",
    ]


@pytest.mark.parametrize("typed", ["Salt […] said", "Salt ... said", "Salt; said", "Salt, said", "Salt / said"])
def test_parts_of_words_are_typed_with_any_usual_mark_between_them(
    client: TestClient, copied: Path, typed: str
) -> None:
    text = with_sentence(copied, "Salt, who had left, said that it was dark.")
    start = text.index("Salt, who")
    spans = [[start, text.index("dark.", start) + 5]]
    values = {"speaker": "bruno-salt", "mode": "indirect", "themes": "other", "attribution": {"words": typed}}
    answer = act(client, "add", sha256=sha256(copied), kind="testimony", spans=spans, values=values)
    assert answer.is_success, answer.text
    [field] = [each for each in act(client, "current", id="example-t10").json() if each["key"] == "attribution"]
    [words] = [each for each in field["fields"] if each["key"] == "words"]
    assert (words["value"], words["separator"]) == ("Salt […] said", " ... ")
    wrong = {"attribution": {"words": typed.replace("said", "sang")}}
    answer = act(client, "change", sha256=sha256(copied), id="example-t10", values=wrong)
    assert "does not contain the words of part 2 “sang”" in answer.json()["message"]


@pytest.mark.parametrize("root", [INVENTED, PROJECT], ids=["invented", "real"])
def test_a_form_that_is_saved_unchanged_changes_nothing(root: Path) -> None:
    project = EditedProject(root)
    for stem in project.stems():
        document = project.document(stem)
        found = [*document.speakers, *document.mentions, *document.testimonies, *document.figures]
        for path, record in [(("source",), document.source), *found, *document.waivers, *document.errata]:
            table = "mentions" if "mentions" in path else str(path[0])
            values = current_values(record, table)
            changed = forms.changes(document, path, record, table, values)
            assert [key for key, value in changed.items() if value] == [], record.id


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("Ada Example; Ben Example", ["Ada Example", "Ben Example"]),
        ("Ada Example and Ben Example", ["Ada Example", "Ben Example"]),
        ("Ada Example, Ben Example, and Cleo Example", ["Ada Example", "Ben Example", "Cleo Example"]),
        ("Smith and Wesson", ["Smith and Wesson"]),
        ("Agency of Coasts and Inner Isles;", ["Agency of Coasts and Inner Isles"]),
    ],
)
def test_several_authors_are_stored_one_by_one(client: TestClient, copied: Path, typed: str, stored: list[str]) -> None:
    fields = {field["key"]: field for field in act(client, "current", id="example").json()}
    inner = {field["key"]: field for field in fields["authors"]["fields"]}
    assert inner["value"]["separator"] == fields["cited_outlets"]["separator"] == "; "
    assert inner["note"]["separator"] == ""
    meanings = {choice["value"]: choice["meaning"] for choice in inner["basis"]["choices"]}
    assert meanings["stated"] == "the source states it"
    values = {"authors": {"value": typed, "basis": "inferred", "note": "Invented."}}
    answer = act(client, "change", sha256=sha256(copied), id="example", values=values)
    assert answer.is_success, answer.text
    authors = EditedProject(copied).document(STEM).source.authors
    assert authors is not None
    assert list(authors.value) == stored


def test_a_shared_speaker_is_edited_where_it_is_defined(client: TestClient, copied: Path) -> None:
    shared = yaml_reader.parse((copied / FILE).read_text(encoding="utf-8"), file=FILE).value["speakers"]
    used = next(entry["use"] for entry in shared if "use" in entry)
    values = {field["key"]: field["value"] for field in act(client, "current", id=used).json()}
    assert values["role"]
    before = (copied / FILE).read_bytes()
    answer = act(client, "change", sha256=sha256(copied), id=used, values={**values, "role": "analyst"})
    assert answer.json() == ", for all articles, in annotations/speakers.yaml"
    assert (copied / FILE).read_bytes() == before
    described = (copied / "annotations/speakers.yaml").read_text(encoding="utf-8").partition(f"id: {used}\n")[2]
    assert "role: analyst\n" in described.partition("  - id:")[0]


def test_a_search_finds_words_in_all_articles(client: TestClient) -> None:
    hits = act(client, "search", values={"words": "KEEPERS"}).json()
    assert {hit["stem"] for hit in hits} >= {STEM}
    assert all("keepers" in hit["sentence"].casefold() for hit in hits)


def test_the_codebook_defines_every_term(client: TestClient) -> None:
    page = client.get(f"/{TOKEN}/codebook").text
    assert "Keepers who left the Northern Isles." in page
    assert "quoted as the speaker&#39;s words, in quotation marks" in page
