"""What an edit of the page for annotators changes in other records: figures, drafts and joined speakers."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from conftest import edit, found_in
from defectors_data.edits import yaml_editor
from defectors_data.models.fields import OPEN_COUNTED
from pages import TOKEN
from test_workbench import FILE, STEM, act, lines, sha256, span
from test_workbench_forms import DRAFTED, form, proposed, with_sentence


def page(client: TestClient) -> str:
    return client.get(f"/{TOKEN}/article/{STEM}").text


# ---- two entries of one speaker ----------------------------------------------------------------------------------


@pytest.mark.parametrize("draft", ["", "    draft: true\n"])
def test_two_entries_of_one_speaker_are_joined_in_one_step(client: TestClient, copied: Path, draft: str) -> None:
    edit(copied, FILE, "  - id: mira-fenn\n", f"  - id: mira-fenn\n{draft}")
    before = (copied / FILE).read_text(encoding="utf-8")
    fields = act(client, "current", id="mira-fenn").json()
    assert [field["key"] for field in fields[:2]] == ["role", "same_speaker_as"]
    offered = [choice["label"] for choice in fields[1]["choices"]]
    assert "Bruno Salt" in offered
    assert "Mira Fenn" not in offered
    answer = act(client, "change", sha256=sha256(copied), id="mira-fenn", values={"same_speaker_as": "bruno-salt"})
    assert answer.json() == ", now joined with Bruno Salt"
    text = (copied / FILE).read_text(encoding="utf-8")
    assert "mira-fenn" not in text
    moved = re.findall(r"      - id: example-m\d\n(?:        .*\n)*", before.partition("id: mira-fenn\n")[2])[
        0
    ].rstrip()
    assert moved in text.partition("use: bruno-salt\n")[2].partition("\n  - id:")[0]
    assert before.count("mira-fenn") - 1 == text.count("bruno-salt") - before.count("bruno-salt")
    assert act(client, "undo").json() == "Undone: joined Mira Fenn with Bruno Salt."
    assert (copied / FILE).read_text(encoding="utf-8") == before


def test_an_entry_is_joined_with_a_speaker_whom_only_other_articles_quote(client: TestClient, copied: Path) -> None:
    edit(copied, "annotations/speakers.yaml", "  - id: harbour-office\n", f"{SHARED}  - id: harbour-office\n")
    fields = act(client, "current", id="mira-fenn").json()
    assert "Mira A. Fenn" in [choice["label"] for choice in fields[1]["choices"]]
    before = (copied / FILE).read_text(encoding="utf-8")
    mention = before.partition("id: mira-fenn\n")[2].partition("mentions:\n")[2].partition("\n  - ")[0].rstrip()
    answer = act(client, "change", sha256=sha256(copied), id="mira-fenn", values={"same_speaker_as": "mira-a-fenn"})
    assert answer.json() == ", now joined with Mira A. Fenn"
    text = (copied / FILE).read_text(encoding="utf-8")
    assert mention.splitlines()[0] in text.partition("  - use: mira-a-fenn\n")[2].partition("\n  - ")[0]
    assert "mira-fenn" not in text


SHARED = "  - {id: mira-a-fenn, kind: person, role: other, anonymity: named, name: Mira A. Fenn}\n"


def test_words_lead_to_the_nearest_record_of_the_joined_speaker(client: TestClient, copied: Path) -> None:
    added = "      - id: example-m9\n        evidence: Mira Fenn\n"
    entry = (
        f"  - id: example-speaker-9\n    kind: person\n    role: other\n    anonymity: unnamed\n    mentions:\n{added}"
    )
    edit(copied, FILE, "testimonies:\n", f"{entry}\ntestimonies:\n")
    values = {"same_speaker_as": "mira-fenn"}
    answer = act(client, "change", sha256=sha256(copied), id="example-speaker-9", values=values)
    assert answer.is_success, answer.text
    assert added in (copied / FILE).read_text(encoding="utf-8").partition("id: mira-fenn\n")[2]


def test_a_person_who_asked_not_to_be_named_is_never_joined_with_one_who_is(client: TestClient, copied: Path) -> None:
    before = (copied / FILE).read_bytes()
    withheld = re.search(r"- id: (\S+)\n(?:    .*\n)*?    anonymity: withheld", before.decode())
    assert withheld
    for one, other in ((withheld[1], "mira-fenn"), ("mira-fenn", withheld[1])):
        answer = act(client, "change", sha256=sha256(copied), id=one, values={"same_speaker_as": other})
        assert "asked not to be named" in answer.json()["message"]
    assert (
        "no such speaker"
        in act(client, "change", sha256=sha256(copied), id="mira-fenn", values={"same_speaker_as": "mira-fenn"}).json()[
            "message"
        ]
    )
    assert (copied / FILE).read_bytes() == before


def test_the_writer_becomes_a_speaker_with_the_first_testimony(client: TestClient, copied: Path) -> None:
    choices = {field["key"]: field for field in act(client, "current", id="example-t1").json()}["speaker"]["choices"]
    assert ("writer", "the writer of the article") in [(each["value"], each["label"]) for each in choices]
    before = (copied / FILE).read_text(encoding="utf-8")
    values = {"speaker": "writer", "mode": "", "themes": "other"}
    spans = [span("Hundreds came to the pier.")]
    answer = act(client, "add", sha256=sha256(copied), kind="testimony", spans=spans, values=values)
    assert answer.is_success, answer.text
    added = lines(before, (copied / FILE).read_text(encoding="utf-8"))
    assert added[:4] == [
        "+  - id: example-speaker-3",
        "+    kind: writer",
        "+    role: other",
        "+    inferred: {role: writes_the_text}",
    ]
    assert "+    speaker: example-speaker-3" in added
    assert "+    attribution: {none: writer}" in added
    assert found_in(copied) == []


def test_the_writer_is_named_as_such_and_needs_no_words_that_say_who_speaks(client: TestClient, copied: Path) -> None:
    values = {"speaker": "writer", "mode": "indirect", "themes": "other"}
    spans = [span("Hundreds came to the pier.")]
    body = {"kind": "testimony", "spans": spans, "values": values}
    assert act(client, "add", sha256=sha256(copied), **body).is_success
    [speaker] = [each for each in act(client, "current", id="example-t1").json() if each["key"] == "speaker"]
    writers = {each["value"] for each in speaker["choices"] if each["label"] == "the writer of the article"}
    assert writers == {"example-speaker-3"}
    chosen = {"speaker": "example-speaker-3", "mode": "indirect", "attribution": {"words": "Fenn said"}}
    assert act(client, "change", sha256=sha256(copied), id="example-t9", values=chosen).is_success
    entry = (copied / FILE).read_text(encoding="utf-8").partition("  - id: example-t9\n")[2].partition("  - id:")[0]
    assert "mode: narrated" in entry
    assert "attribution: {none: writer}" in entry


# ---- figures and drafts ------------------------------------------------------------------------------------------


def figure(root: Path, name: str) -> dict[str, str]:
    text = (root / FILE).read_text(encoding="utf-8").partition(f"  - id: {name}\n")[2].partition("  - id:")[0]
    return dict(re.findall(r"    (testimony|attributed_to): (\S+)", text))


def test_a_figure_belongs_to_the_only_testimony_with_its_words(client: TestClient, copied: Path) -> None:
    said = {"testimony": "example-t1", "attributed_to": "harbour-office"}
    assert figure(copied, "example-f1") == said
    # The form is saved with empty fields: no other testimony is accepted, but the number may be the writer's.
    values = {"testimony": "", "attributed_to": ""}
    assert act(client, "change", sha256=sha256(copied), id="example-f1", values=values).is_success
    assert figure(copied, "example-f1") == {"testimony": "example-t1"}
    assert act(client, "undo").is_success
    # A draft follows the words of the testimony; what a person accepted stays, with a finding.
    short, long = span("Several keepers said"), span("Nearly 40 lighthouse keepers have left the Northern Isles")
    assert act(client, "move", sha256=sha256(copied), id="example-t1", spans=[short]).json() == ""
    assert figure(copied, "example-f1") == said
    assert act(client, "undo").is_success
    edit(copied, FILE, "  - id: example-f1\n", "  - id: example-f1\n    draft: true\n")
    moved = act(client, "move", sha256=sha256(copied), id="example-t1", spans=[short])
    assert (moved.json(), figure(copied, "example-f1")) == ("; also changed: f1", {})
    moved = act(client, "move", sha256=sha256(copied), id="example-t1", spans=[long])
    assert (moved.json(), figure(copied, "example-f1")) == ("; also changed: f1", said)


@pytest.mark.parametrize(("other", "speaker"), [("t8", "mira-fenn"), ("t7", "example-speaker-2")])
def test_a_figure_takes_the_other_testimony_with_its_words_when_one_is_rejected(
    client: TestClient, copied: Path, other: str, speaker: str
) -> None:
    for old, new in DRAFTED.items():
        edit(copied, FILE, old, new)
    spans = [span("at least 20 boats and up to 30 lanterns were lost")]
    assert act(client, "move", sha256=sha256(copied), id=f"example-{other}", spans=spans).is_success
    answer = act(client, "delete", sha256=sha256(copied), id="example-t9").json()
    assert answer == "t9; also changed: f9, f10, f11"
    for name in ("example-f9", "example-f10"):
        assert figure(copied, name) == {"testimony": f"example-{other}", "attributed_to": speaker}
    assert figure(copied, "example-f11") == {"attributed_to": "mira-fenn"}


def test_a_number_in_the_words_that_name_the_speaker_is_the_writers(client: TestClient, copied: Path) -> None:
    text = with_sentence(copied, "The two crews said that they had lost 14 lamps.")
    for number, expected in {"two crews": "", "14 lamps": "bruno-salt"}.items():
        at = text.index(number, text.index("The two crews"))
        values = {"speaker": "bruno-salt", "mode": "indirect", "themes": "escape"}
        sentence = text.index("The two crews")
        words = [[sentence, text.index("14 lamps", sentence) + len("14 lamps")]]
        answer = act(client, "add", sha256=sha256(copied), kind="testimony", spans=words, values=values)
        assert answer.is_success, answer.text
        values = proposed(client, "figure", [at, at + len(number)])
        assert values["attributed_to"] == expected
        assert values["testimony"]
        act(client, "undo")


def test_a_figure_follows_the_speaker_of_its_testimony(client: TestClient, copied: Path) -> None:
    changed = act(client, "change", sha256=sha256(copied), id="example-t1", values={"speaker": "mira-fenn"})
    assert changed.json() == "; also changed: f1"
    assert figure(copied, "example-f1")["attributed_to"] == "mira-fenn"
    assert act(client, "change", sha256=sha256(copied), id="example-t1", values={"mode": "narrated"}).is_success
    assert figure(copied, "example-f1") == {"testimony": "example-t1"}, "the writer narrates it"


def test_an_amount_in_another_currency_counts_what_is_chosen_for_the_first(client: TestClient, copied: Path) -> None:
    with_sentence(copied, "It put £12 ($14; €16) and £18 there.")
    drafts = "".join(
        f"  - {{id: example-f{i}, draft: true, evidence: {words}, value: {words[1:]}, hedge: exact, unit: {unit},"
        f" counted: OPEN}}\n"
        for i, words, unit in [(31, "£12", "other"), (32, "$14", "usd"), (33, "€16", "other"), (34, "£18", "other")]
    )
    edit(copied, FILE, "\nfigures:\n", f"\nfigures:\n{drafts.replace('OPEN', OPEN_COUNTED)}")
    changed = act(client, "change", sha256=sha256(copied), id="example-f31", values={"counted": "price of a lamp"})
    assert changed.json() == "; also changed: f32, f33"
    text = (copied / FILE).read_text(encoding="utf-8").replace('"', "")
    counted = re.findall(r"id: example-f3[1-4].* counted: (.*)\}", text)
    assert counted == [*["price of a lamp"] * 3, OPEN_COUNTED]


def test_a_pronoun_follows_the_speaker_who_is_chosen(client: TestClient, copied: Path) -> None:
    text = with_sentence(copied, "He said that the boats waited. Mira Fenn said that they left.")

    def followed(words: str) -> dict[str, str]:
        attribution = form(client, "testimony", span(words, text))["attribution"]["fields"]
        [antecedent] = [field for field in attribution if field["key"] == "antecedent"]
        nearest: dict[str, str] = antecedent["by_speaker"]
        return nearest

    assert followed("that the boats waited")["bruno-salt"] in ("example-t3", "example-t4")
    assert followed("that they left") == {}, "a name leads to the speaker by itself"


def test_a_surname_of_two_follows_the_speaker_who_is_chosen_and_names_the_only_rival(
    client: TestClient, copied: Path
) -> None:
    entry = "  - id: ora-fenn\n    kind: person\n    role: other\n    anonymity: named\n    name: Ora Fenn\n"
    edit(copied, FILE, "\ntestimonies:\n", f"{entry}    mentions:\n{MENTION}\ntestimonies:\n")
    text = with_sentence(copied, "Later, Ora Fenn came. Fenn said that the boats waited.")
    attribution = form(client, "testimony", span("that the boats waited", text))["attribution"]["fields"]
    by_speaker = {field["key"]: field["by_speaker"] for field in attribution if field["by_speaker"]}
    assert by_speaker["antecedent"]["ora-fenn"] == "example-m9"
    assert (by_speaker["rival"]["ora-fenn"], by_speaker["rival"]["mira-fenn"]) == ("", "example-m9")
    said = "    mode: indirect\n    evidence: that the boats waited\n    themes: [escape]\n    attribution: Fenn said\n"
    draft = f"  - id: example-t20\n    draft: true\n    speaker: who\n{said}"
    draft += "    access: not_stated\n    outlet_kind: not_stated\n"
    edit(copied, FILE, "\nfigures:\n", f"{draft}\nfigures:\n")
    answer = act(client, "change", sha256=sha256(copied), id="example-t20", values={"speaker": "mira-fenn"})
    assert answer.is_success, answer.text
    assert not [each for each in found_in(copied) if "rival" in each or "antecedent" in each]


MENTION = "      - id: example-m9\n        evidence: Later, Ora Fenn\n"


@pytest.mark.parametrize(("source", "place"), [("federal data", ""), ("the exit polls", " in Rome")])
def test_the_words_to_which_a_draft_is_attributed_introduce_its_speaker(
    client: TestClient, copied: Path, source: str, place: str
) -> None:
    text = with_sentence(copied, f"Rain fell for days, according to {source}{place}. The fog lifted, he said.")
    draft = "  - id: example-t20\n    draft: true\n    speaker: who\n    mode: indirect\n    themes: [escape]\n"
    draft += f"    evidence: Rain fell for days\n    attribution: according to {source}\n"
    edit(copied, FILE, "\nfigures:\n", f"{draft}    access: not_stated\n    outlet_kind: not_stated\n\nfigures:\n")
    at = text.index("Rain fell")
    body = {"kind": "mention", "spans": [[at, at + len("Rain fell for days")]]}
    for record, words in {"example-t20": source, "": "Rain fell for days"}.items():
        [part] = act(client, "propose", id=record, **body).json()["parts"]
        assert part["text"] == words
    assert page(client).count(" data-introduces") == 1
    words = f"Rain fell for days\n    attribution: according to {source}\n"
    edit(copied, FILE, words, "The fog lifted\n    attribution: he said\n")
    assert " data-introduces" not in page(client), "a pronoun introduces nobody"
    assert not act(client, "propose", id="example-t20", **body).is_success
    edit(copied, FILE, "The fog lifted\n    attribution: he said\n", "Rain fell for days\n")
    refused = act(client, "propose", id="example-t20", **body).json()
    assert refused["message"] == "Select the words that introduce the speaker, then press m."


# ---- the id of a draft -------------------------------------------------------------------------------------------


_GROUP = {"kind": "group", "name": "", "anonymity": ""}
_PROTECTED = {"anonymity": "withheld", "name": ""}


@pytest.mark.parametrize(
    ("draft", "values", "name"),
    [
        ("    draft: true\n", {"name": "Mira Fenning"}, "mira-fenning"),
        ("    draft: true\n", _GROUP, "example-speaker-"),
        ("", _GROUP, "example-speaker-"),
        ("", _PROTECTED, "example-speaker-"),
    ],
)
def test_the_id_of_a_draft_follows_its_name_and_that_of_each_speaker_its_kind(
    client: TestClient, copied: Path, draft: str, values: dict[str, str], name: str
) -> None:
    edit(copied, FILE, "  - id: mira-fenn\n", f"  - id: mira-fenn\n{draft}")
    before = (copied / FILE).read_text(encoding="utf-8")
    answer = act(client, "change", sha256=sha256(copied), id="mira-fenn", values=values)
    assert answer.is_success, answer.text
    after = (copied / FILE).read_text(encoding="utf-8")
    assert re.search(r"\bmira-fenn\b", after) is None
    assert after.count(name) - before.count(name) == before.count("mira-fenn")


def test_a_speaker_who_becomes_protected_loses_the_affiliation_of_the_mentions(
    client: TestClient, copied: Path
) -> None:
    assert "affiliation: clerk\n" in (copied / FILE).read_text(encoding="utf-8")
    public = {"kind": "institution", "anonymity": "", "affiliation": "clerk"}
    answer = act(client, "change", sha256=sha256(copied), id="mira-fenn", values=public)
    assert answer.json() == ""
    assert "affiliation: clerk\n" in (copied / FILE).read_text(encoding="utf-8")
    protected = {"kind": "group", "name": "", "affiliation": "clerk"}
    answer = act(client, "change", sha256=sha256(copied), id="mira-fenn", values=protected)
    assert answer.json() == ", without `affiliation`"
    assert "affiliation: clerk\n" not in (copied / FILE).read_text(encoding="utf-8")


@pytest.mark.parametrize("draft", ["", "    draft: true\n"])
def test_an_id_is_kept_if_it_is_accepted_or_the_new_one_is_taken(client: TestClient, copied: Path, draft: str) -> None:
    edit(copied, FILE, "  - id: mira-fenn\n", f"  - id: mira-fenn\n{draft}")
    values = {"name": "Bruno Salt" if draft else "Mira Fenning"}
    assert act(client, "change", sha256=sha256(copied), id="mira-fenn", values=values).is_success
    assert "  - id: mira-fenn\n" in (copied / FILE).read_text(encoding="utf-8")


# ---- what the page says ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("speaker", "left"),
    [
        ("bruno-salt", "{words: he lost, about: true, antecedent: example-m2}"),
        ("who", "{words: he lost, about: true}"),
    ],
)
def test_a_draft_that_led_to_a_rejected_testimony_leads_to_the_record_before_it(
    client: TestClient, copied: Path, speaker: str, left: str
) -> None:
    edit(copied, FILE, "  - id: example-t3\n", "  - id: example-t3\n    draft: true\n")
    drafted = f"  - id: example-t4\n    draft: true\n    speaker: {speaker}\n"
    edit(copied, FILE, "  - id: example-t4\n    speaker: bruno-salt\n", drafted)
    edit(copied, FILE, "about: true, antecedent: example-m2", "about: true, antecedent: example-t3")
    edit(
        copied,
        FILE,
        "    evidence: In the fog he lost an oar and drifted until morning.\n",
        "    evidence: In the fog\n",
    )
    answer = act(client, "delete", sha256=sha256(copied), id="example-t3").json()
    assert answer.startswith("t3;")
    assert answer.endswith("; also changed: t4, f4")
    assert f"    attribution: {left}\n" in (copied / FILE).read_text(encoding="utf-8")
    assert "wrong-antecedent" not in {each.code for each in found_in(copied)}


def test_findings_name_records_by_their_short_ids(client: TestClient, copied: Path) -> None:
    spans = [span("We had no oil left,")]
    assert act(client, "move", sha256=sha256(copied), id="example-t1", spans=spans).is_success
    [finding] = re.findall(r"<code>(t\d: duplicate-evidence)</code>: (.*)", page(client))
    assert re.fullmatch(r"t\d: duplicate-evidence", finding[0])
    assert re.search("also evidence of t[12]", finding[1])
    assert "on line" not in finding[1]


def test_an_article_without_a_reading_is_not_finished(client: TestClient, copied: Path) -> None:
    assert "The check passes." in page(client)
    text = (copied / FILE).read_text(encoding="utf-8")
    before, _, rest = text.partition("readings:\n")
    after = re.sub(r"\A(?:  .*\n)+", "", rest)
    (copied / FILE).write_text(before + after, encoding="utf-8")
    assert found_in(copied) == []
    shown = page(client)
    assert "No reading is recorded: read the article once more, then press r." in shown
    assert "The check passes." not in shown
    assert f"{STEM}</a>: no reading recorded" in shown
    # The form proposes the reader of the article that was changed last.
    other = copied / "annotations/901_second.yaml"
    reading = "{reader: reader-4, kind: language_model, date: 2026-01-01, purpose: first, version: 1.2.0}"
    other.write_text(re.sub(r"(?m)^readings:\n(?:  .*\n)+", "", other.read_text(encoding="utf-8")), encoding="utf-8")
    other.write_text(f"{other.read_text(encoding='utf-8')}\nreadings: [{reading}]\n", encoding="utf-8")
    os.utime(other, (2**32, 2**32))
    values = proposed(client, "reading", [0, 1])
    assert list(values.values())[:2] == ["reader-4", "language_model"]


def test_a_speaker_without_statements_waits_until_a_reading_is_recorded(client: TestClient, copied: Path) -> None:
    values = {"kind": "person", "role": "other", "anonymity": "named", "name": "Ada Example"}
    spans = [span("Ada Example")]
    assert act(client, "add", sha256=sha256(copied), kind="mention", spans=spans, values=values).is_success
    [targets] = re.findall('data-targets="(.*?)"', page(client))
    assert str(spans[0]) in targets
    text = (copied / FILE).read_text(encoding="utf-8")
    before, _, rest = text.partition("readings:\n")
    unread = before + re.sub(r"\A(?:  .*\n)+", "", rest)
    (copied / FILE).write_text(unread, encoding="utf-8")
    [targets] = re.findall('data-targets="(.*?)"', page(client))
    assert str(spans[0]) not in targets
    assert "unused-speaker" in page(client)


@pytest.mark.parametrize("is_short", [True, False])
def test_new_ids_are_as_short_as_the_others_in_the_file(client: TestClient, copied: Path, is_short: bool) -> None:
    path = copied / FILE
    if is_short:
        text = re.sub(r"example-(?=(?:[tfwrme]|speaker-)\d)", "", path.read_text(encoding="utf-8"))
        path.write_text(text, encoding="utf-8")
    beginning = "" if is_short else "example-"
    values = {"reason": "repeat", "repeats": "example-t5"}
    spans = [span("Keepers")]
    assert act(client, "add", sha256=sha256(copied), kind="waiver", spans=spans, values=values).is_success
    added = path.read_text(encoding="utf-8").partition(f"  - id: {beginning}w5\n")[2]
    assert added.startswith(f'    evidence: "Keepers"\n    reason: repeat\n    repeats: {beginning}t5\n')


def test_an_item_is_cut_out_with_its_comments() -> None:
    text = "a:\n  - b:\n      - id: 1 # one\n        c: |-\n          d\n\n          e\n      - {id: 2}\n"
    assert yaml_editor.item_at(text, ("a", 0, "b", 0)) == "id: 1 # one\nc: |-\n  d\n\n  e"
    assert yaml_editor.item_at(text, ("a", 0, "b", 1)) == "{id: 2}"


def test_a_mention_is_no_draft_and_is_deleted_but_never_the_source(client: TestClient, copied: Path) -> None:
    shown = dict(re.findall(r'<section class="record (\w+)[^>]* data-id="([^"]+)"', page(client)))
    assert shown.keys() >= {"source", "speaker", "mention", "testimony", "figure", "waiver", "boilerplate"}
    for record in shown.values():
        refused = act(client, "accept", sha256=sha256(copied), id=record)
        assert refused.json() == {"message": "This record is no draft."}
    answers = [act(client, "delete", sha256=sha256(copied), id=shown[kind]) for kind in ("source", "mention")]
    assert [answer.is_success for answer in answers] == [False, True]


@pytest.mark.parametrize(("chosen", "expected"), [("fenn-of-harrow", "fenn-of-harrow"), ("fenn", "mira-fenn")])
def test_the_id_of_a_draft_follows_its_name_unless_a_person_has_chosen_it(
    client: TestClient, copied: Path, chosen: str, expected: str
) -> None:
    text = (copied / FILE).read_text(encoding="utf-8").replace("mira-fenn", chosen)
    text = text.replace(f"  - id: {chosen}\n", f"  - id: {chosen}\n    draft: true\n")
    (copied / FILE).write_text(text, encoding="utf-8")
    assert act(client, "accept", sha256=sha256(copied), id=chosen).is_success
    assert f"  - id: {expected}\n" in (copied / FILE).read_text(encoding="utf-8")
