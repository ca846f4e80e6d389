"""The mentions and testimonies that the page for annotators proposes for words at the cursor."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from conftest import edit, found_in
from defectors_data.annotators.workbench.project_files import EditedProject
from pages import unread
from test_workbench import FILE, act, sha256, span
from test_workbench_forms import form, proposed, with_sentence


def test_a_testimony_takes_the_possible_statement_at_the_cursor_or_the_sentence(
    client: TestClient, copied: Path
) -> None:
    text = with_sentence(copied, "The old pier is expected to close. It is long.")
    for word, expected in {"expected": "The old pier is expected to close.", "long": "It is long."}.items():
        start = text.index(word, text.index("The old pier"))
        answer = act(client, "propose", kind="testimony", spans=[[start, start + len(word)]])
        assert [each["text"] for each in answer.json()["parts"]] == [expected]

    def underlined() -> str:
        rows = EditedProject(copied).article("900_example").rows
        return "".join(piece.text for row in rows for piece in row.pieces if piece.possible)

    assert not underlined(), "who recorded a reading has decided on it"
    unread(copied)
    assert underlined() == "The old pier is expected to close."


@pytest.mark.parametrize(
    ("words", "speaker"),
    [
        ("the Harbour Office", "harbour-office"),
        ("Mr. Fenn", "mira-fenn"),
        ("Fenn of the council", "mira-fenn"),
        ("Mira Fenning", ""),
        ("Fenn Salt", ""),
        ("Fenn supporters", ""),
        ("Salt and Fenn supporters", ""),
        ("Mira Fenn’s aides", ""),
        ("the Fenn campaign", ""),
    ],
)
def test_words_that_name_a_known_speaker_are_a_mention_of_theirs(
    client: TestClient, copied: Path, words: str, speaker: str
) -> None:
    text = with_sentence(copied, f"Later, {words} left.")
    at = text.index(words, text.index("Later, "))
    assert proposed(client, "mention", [at, at + len(words)])["speaker"] == speaker


@pytest.mark.parametrize(
    ("sentence", "words", "kind"),
    [
        ("Progressives have left.", "Progressives", "group"),
        ("Allies of Orr left.", "Allies of Orr", "group"),
        ("House Republicans left.", "House Republicans", "group"),
        ("The Mill Union left.", "The Mill Union", "institution"),
        ("Harlos left. The others saw Mr. Harlos.", "Harlos", "person"),
        ("Many Harrow-Islanders left.", "Many Harrow-Islanders", "group"),
        ("Harlos left. The others saw Harlos.", "Harlos", "institution"),
        ("It was the lamp establishment.", "the lamp establishment", "group"),
        ("Orr feared the radio media.", "the radio media", "group"),
        ("It pleased Harrow, Vale and other old towns.", "Harrow, Vale and other old towns", "group"),
        ("She and her partner left.", "She and her partner", "group"),
        ("Many left.", "Many", "group"),
        ("A lamp miller left.", "A lamp miller", "person"),
        ("Another left.", "Another", "person"),
        ("The lamp committee chair left.", "The lamp committee chair", "person"),
        ("The 31-year-old left.", "The 31-year-old", "person"),
    ],
)
def test_words_for_no_single_person_and_no_body_are_a_group(
    client: TestClient, copied: Path, sentence: str, words: str, kind: str
) -> None:
    assert proposed(client, "mention", span(words, with_sentence(copied, sentence)))["kind"] == kind


def test_a_statement_is_of_the_group_whose_words_are_in_it(client: TestClient, copied: Path) -> None:
    text = with_sentence(copied, "Millers met. Mira Fenn sold 3 lamps for the $2 that millers expected.")
    entry = "  - id: example-speaker-9\n    kind: group\n    role: other\n    mentions:\n"
    entry += "      - id: example-m9\n        evidence: Millers\n"
    edit(copied, FILE, "\ntestimonies:\n", f"{entry}\ntestimonies:\n")
    for words, expected in {
        "the $2 that millers expected": ("example-speaker-9", {"words": "millers", "antecedent": ""}),
        "Mira Fenn sold 3 lamps": ("mira-fenn", {"words": "Mira Fenn", "antecedent": ""}),
    }.items():
        fields = form(client, "testimony", span(words, text))
        said = {field["key"]: field["value"] for field in fields["attribution"]["fields"]}
        assert fields["speaker"]["value"] == expected[0]
        assert {key: said[key] for key in expected[1]} == expected[1]


def test_a_statement_of_several_is_attributed_to_the_whole_list(client: TestClient, copied: Path) -> None:
    several = "Tories, Lib Dems and some keepers"
    text = with_sentence(copied, f"{several} are poised to vote against the plans.")
    attribution = form(client, "testimony", span("poised", text))["attribution"]["fields"]
    [words] = [field["value"] for field in attribution if field["key"] == "words"]
    assert words == f"{several} ... to vote"


@pytest.mark.parametrize(
    ("words", "speaker", "narrated"),
    [("Rookers did so as well", "example-speaker-9", "Rookers"), ("Some did so like Rookers", "mira-fenn", "")],
)
def test_a_statement_that_begins_with_a_mention_is_about_this_speaker(
    client: TestClient, copied: Path, words: str, speaker: str, narrated: str
) -> None:
    text = with_sentence(copied, f"Mira Fenn asked for lamps. {words}.")
    mention = "      - id: example-m9\n        evidence: Rookers\n"
    entry = f"  - id: example-speaker-9\n    kind: group\n    role: other\n    mentions:\n{mention}"
    edit(copied, FILE, "\ntestimonies:\n", f"{entry}\ntestimonies:\n")
    values = proposed(client, "testimony", span(words, text))
    said = values["attribution"]["words"] if values["attribution"] else ""
    assert (values["speaker"], said) == (speaker, narrated)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It had to end.", ("mira-fenn", "indirect", "example-t8")),
        ("Bruno Salt had to go.", ("bruno-salt", "narrated", "")),
    ],
)
def test_a_sentence_between_statements_of_one_speaker_continues_them(
    client: TestClient, copied: Path, sentence: str, expected: tuple[str, str, str]
) -> None:
    text = with_sentence(copied, sentence, "tonight,” Mira Fenn said.")
    at = text.index(sentence)
    fields = form(client, "testimony", [at, at + 2])
    said = {field["key"]: field["value"] for field in fields["attribution"]["fields"]}
    assert (fields["speaker"]["value"], fields["mode"]["value"], said["continues"]) == expected


def test_a_speaker_who_is_chosen_for_a_sentence_that_nobody_says_continues_the_testimony_before(
    client: TestClient, copied: Path
) -> None:
    text = with_sentence(copied, "It had to end.", "more than four of them new.")
    at = text.index("It had to end.")
    attribution = form(client, "testimony", [at, at + 2])["attribution"]["fields"]
    [continues] = [field for field in attribution if field["key"] == "continues"]
    assert continues["by_speaker"]["mira-fenn"] == "example-t9"
    assert continues["by_speaker"]["bruno-salt"] == ""


def test_typed_parts_are_the_nearest_that_follow_each_other(client: TestClient, copied: Path) -> None:
    text = with_sentence(copied, "Mira Fenn spoke, before taking aim at the crew. Mira Fenn left.")
    values = {
        "speaker": "mira-fenn",
        "mode": "indirect",
        "themes": "other",
        "attribution": {"words": "Mira Fenn ... taking aim"},
    }
    spans = [span("at the crew", text)]
    added = act(client, "add", sha256=sha256(copied), kind="testimony", spans=spans, values=values)
    assert added.is_success, added.text
    assert "evidence-out-of-order" not in {each.code for each in found_in(copied)}
    values["attribution"] = {"words": "..."}
    refused = act(client, "add", sha256=sha256(copied), kind="testimony", spans=spans, values=values)
    assert not refused.is_server_error


def words_fields(fields: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the fields of a form that take words of the article, also those of groups and rows."""
    for field in fields:
        if field["type"] == "words":
            yield field
        yield from words_fields(field["fields"])


def test_only_fields_that_take_several_parts_say_so(client: TestClient) -> None:
    for record in ("example-t1", "example-f1", "example", "mira-fenn"):
        for field in words_fields(act(client, "current", id=record).json()):
            is_single = field["key"] == "rival"  # the id of a mention, or one part
            assert bool(field["separator"]) != is_single, field["key"]


@pytest.mark.parametrize(("words", "antecedent"), [("Salt told", "t4"), ("Hundreds", "m6")])
def test_a_pronoun_of_a_draft_leads_to_the_last_record_of_the_speaker_who_is_found_elsewhere(
    client: TestClient, copied: Path, words: str, antecedent: str
) -> None:
    text = with_sentence(copied, "He said that it was late.")
    draft = "  - id: example-t20\n    draft: true\n    speaker: who\n    mode: indirect\n"
    draft += "    evidence: He said that it was late.\n    attribution: He said\n    themes: [weather]\n"
    edit(copied, FILE, "\nfigures:\n", f"{draft}\nfigures:\n")
    given = {"id": "example-t20", "kind": "mention", "spans": [span(words, text)]}
    answer = act(client, "add", sha256=sha256(copied), values={"speaker": "bruno-salt"}, **given)
    assert answer.is_success, answer.text
    [said] = [each for _, each in EditedProject(copied).document("900_example").testimonies if each.id == "example-t20"]
    assert said.speaker == "bruno-salt"
    assert said.attribution is not None
    assert said.attribution.antecedent == f"example-{antecedent}"


def test_words_that_a_form_shows_without_their_place_stay_where_they_are(client: TestClient, copied: Path) -> None:
    with_sentence(copied, "Mira Fenn said that they beat her and they beat him.")
    vocabulary = copied / "annotations/vocabulary.yaml"
    kinds = "act_kinds:\n  - term: beating\n    definition: Beating.\n"
    vocabulary.write_text(f"{vocabulary.read_text(encoding='utf-8')}{kinds}", encoding="utf-8")
    acts = ""
    for whom in ("her", "him"):
        acts += f'      - {{act: beating, status: alleged, by: {{text: they, suffix: " beat {whom}"}}'
        acts += f", words: beat {whom}}}\n"
    said = "    evidence: Mira Fenn said that they beat her and they beat him.\n    attribution: Mira Fenn said\n"
    draft = f"  - id: example-t20\n    speaker: mira-fenn\n    mode: indirect\n{said}    themes: [weather]\n    acts:\n"
    edit(copied, FILE, "\nfigures:\n", f"{draft}{acts}\nfigures:\n")

    def rows() -> list[dict[str, str]]:
        [field] = [each for each in act(client, "current", id="example-t20").json() if each["key"] == "acts"]
        return list(field["value"])

    def places() -> list[int]:
        document = EditedProject(copied).document("900_example")
        [path] = [path for path, each in document.testimonies if each.id == "example-t20"]
        return [document.at((*path, "acts", i, "by"))[0].start for i in range(len(rows()))]

    before = places()
    assert before[0] < before[1]
    first, second = rows()
    for changed, expected in (
        ([{**first, "status": "denied"}, second], before),
        ([second], before[1:]),
        ([{**second, "status": "denied"}], before[1:]),
    ):
        answer = act(client, "change", sha256=sha256(copied), id="example-t20", values={"acts": changed})
        assert answer.is_success, answer.text
        assert places() == expected


def test_the_form_of_a_source_has_what_drafts_miss_most_at_its_top(client: TestClient) -> None:
    fields = [field["key"] for field in act(client, "current", id="example").json()]
    assert fields[:3] == ["title", "subtitle", "cited_outlets"]
