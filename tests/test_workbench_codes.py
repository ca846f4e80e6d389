"""The codes of records on the page for annotators: new terms, the keys that set a term, and what a card says."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from conftest import edit
from defectors_data.annotators.workbench import forms
from defectors_data.annotators.workbench.project_files import EditedProject
from defectors_data.documents.article import RecordView
from defectors_data.text.offsets import Span
from test_workbench import FILE, STEM, act, lines, sha256, span
from test_workbench_forms import proposed, with_sentence

# ---- new terms ---------------------------------------------------------------------------------------------------


def terms_of(fields: list[dict[str, Any]]) -> tuple[dict[str, Any], set[str]]:
    """Return values with a new term in each field of a form that permits one, and their lists with the terms."""
    values, names = dict[str, Any](), set[str]()
    for field in fields:
        inner, within = terms_of(field["fields"])
        names |= within
        if within:
            values[field["key"]] = [inner] if field["type"] == "rows" else inner
        elif field["terms"]:
            values[field["key"]] = f"new_{field['key']}"
            names.add(f"{field['terms']}/new_{field['key']}")
    return values, names


@pytest.mark.parametrize("kind", forms.FORMS)
def test_each_form_for_a_new_record_saves_the_definitions_of_its_new_terms(copied: Path, kind: str) -> None:
    project = EditedProject(copied)
    _, fields = project.proposed(STEM, kind, Span(*span("Ada Example")))
    saved_terms(project, forms.FORMS[kind].table, [field.as_json() for field in fields])


RECORDS = {
    "source": "example",
    "speakers": "mira-fenn",
    "mentions": "example-m2",
    "testimonies": "example-t1",
    "figures": "example-f1",
    "waivers": "example-w3",
}


@pytest.mark.parametrize("table", RECORDS)
def test_each_form_for_a_record_saves_the_definitions_of_its_new_terms(copied: Path, table: str) -> None:
    project = EditedProject(copied)
    saved_terms(project, table, [field.as_json() for field in project.current(STEM, RECORDS[table])])


def saved_terms(project: EditedProject, table: str, fields: list[dict[str, Any]]) -> None:
    """Check that all terms that a form asks to define are added to their lists."""
    values, names = terms_of(fields)
    values["definitions"] = dict.fromkeys(names, "Defined in a form")
    added = forms.new_terms(table, values, project.document(STEM))
    found = {f"{addition.path[0]}/{addition.item.splitlines()[0].removeprefix('term: ')}" for addition in added}
    assert found == names


def test_a_new_role_of_a_mention_is_defined_unless_the_speaker_is_known(client: TestClient, copied: Path) -> None:
    path = copied / "annotations/vocabulary.yaml"
    before = path.read_text(encoding="utf-8")
    values = {"kind": "group", "role": "worker", "definitions": {"roles/worker": "Works on the boats"}}
    known = {"speaker": "bruno-salt", **values, "role": "sailor", "definitions": {"roles/sailor": "Sails"}}
    for each, words in ((known, "Salt told"), (values, "Several keepers")):
        answer = act(client, "add", sha256=sha256(copied), kind="mention", spans=[span(words)], values=each)
        assert answer.is_success, answer.text
    added = ["+  - term: worker", '+    definition: "Works on the boats."']
    assert lines(before, path.read_text(encoding="utf-8")) == added


# ---- keys that set a term ----------------------------------------------------------------------------------------


def pressed(client: TestClient, copied: Path, record: str, term: str) -> list[str]:
    """Press the key of a term on the card of a record; return the lines that the file loses and gets."""
    [key] = [key for key in card_of(copied, record).code_keys if key.term == term]
    before = (copied / FILE).read_text(encoding="utf-8")
    answer = act(client, "change", sha256=sha256(copied), id=record, values={key.field: key.value})
    assert answer.is_success, answer.text
    return lines(before, (copied / FILE).read_text(encoding="utf-8"))


PRESSED = {
    "a theme is added": ("example-t2", "escape", ["themes: [hunger_pay]"], ["themes: [hunger_pay, escape]"]),
    "a theme is removed": ("example-t4", "weather", ["themes: [escape, weather]"], ["themes: [escape]"]),
    "no theme is left": ("example-t2", "hunger_pay", ["themes: [hunger_pay]"], ["themes: [other]"]),
    "the first theme": ("example-t7", "escape", ["themes: [other]"], ["themes: [escape]"]),
    "no theme but other": ("example-t4", "other", ["themes: [escape, weather]"], ["themes: [other]"]),
    "a role": ("mira-fenn", "analyst", ["role: other"], ["role: analyst"]),
    "another measure": ("example-f9", "luggage", ["measure: boats_lost"], ["measure: luggage"]),
    "no measure": ("example-f9", "boats_lost", ["measure: boats_lost"], []),
}


@pytest.mark.parametrize("name", PRESSED)
def test_a_key_sets_or_removes_a_term(client: TestClient, copied: Path, name: str) -> None:
    record, term, old, new = PRESSED[name]
    changed = [row.replace(" ", "") for row in pressed(client, copied, record, term)]
    expected = [*(f"-{row}" for row in old), *(f"+{row}" for row in new)]
    assert changed == [row.replace(" ", "") for row in expected]


def test_a_key_replaces_the_guess_of_a_draft_and_accepts_it_in_one_edit(client: TestClient, copied: Path) -> None:
    edit(copied, FILE, "  - id: example-t6\n", "  - id: example-t6\n    draft: true\n")
    before = (copied / FILE).read_text(encoding="utf-8")
    changed = pressed(client, copied, "example-t6", "weather")
    assert changed == ["-    draft: true", "-    themes: [escape]", "+    themes: [weather]"]
    assert act(client, "undo").is_success
    assert (copied / FILE).read_text(encoding="utf-8") == before


def test_a_key_accepts_no_draft_that_lacks_its_speaker(client: TestClient, copied: Path) -> None:
    edit(copied, FILE, "speaker: harbour-office", "speaker: who\n    draft: true")
    answer = act(client, "change", sha256=sha256(copied), id="example-t1", values={"themes": "weather"})
    assert (answer.status_code, answer.json()["message"]) == (422, "Choose the speaker first.")


def test_only_the_measures_that_fit_the_unit_have_a_key(copied: Path) -> None:
    rows = EditedProject(copied).article(STEM).rows
    keys = {each.id: [key.term for key in each.code_keys] for row in rows for each in row.records}
    assert keys["example-f6"] == ["share_who_want_to_return"]
    assert keys["example-f9"] == ["boats_lost", "lanterns_lost", "luggage", "empty_towers"]
    assert (keys["example-t1"][-1], keys["mira-fenn"][-1]) == ("other", "other")
    assert not keys["example-w1"]


def test_the_keys_of_a_draft_without_a_speaker_choose_one_with_the_antecedent_of_the_form(
    client: TestClient, copied: Path
) -> None:
    with_sentence(copied, "Mira Fenn came. “Bruno Salt is here,” he said.")
    said = '    mode: direct\n    evidence: "Bruno Salt is here,"\n    themes: [escape]\n    attribution: he said\n'
    draft = f"  - id: example-t20\n    draft: true\n    speaker: who\n{said}"
    draft += "    access: not_stated\n    outlet_kind: not_stated\n"
    edit(copied, FILE, "\nfigures:\n", f"{draft}\nfigures:\n")
    keys = card_of(copied, "example-t20").code_keys
    # Those who are mentioned last come first, but nobody who is named in the statement itself.
    assert [key.term for key in keys[:2]] == ["Mira Fenn", "Several keepers"]
    assert [key.definition for key in keys[:2]] == ["other", "defector"]
    assert not any(key.stays for key in keys)
    changed = [row.replace(" ", "") for row in pressed(client, copied, "example-t20", "Mira Fenn")]
    assert changed[:3] == ["-draft:true", "-speaker:who", "+speaker:mira-fenn"]
    assert changed[3:] == ["-attribution:hesaid", '+attribution:{words:"hesaid",antecedent:example-t9}']
    assert card_of(copied, "example-t20").code_keys[0].field == "themes"


TWO_THEMES = "themes: [escape, weather]\n    attribution: {words: he lost"


def test_the_keys_of_a_draft_whose_words_lead_to_another_replace_the_speaker(client: TestClient, copied: Path) -> None:
    made_draft(copied, "example-t4", "speaker: bruno-salt", "speaker: mira-fenn")
    card = card_of(copied, "example-t4")
    assert "wrong-antecedent" in {finding.code for finding in card.findings}
    assert {key.field for key in card.code_keys} == {"speaker", "outlet"}
    assert [key.term for key in card.code_keys if key.is_set] == ["Mira Fenn"]
    edit(copied, FILE, "themes: [escape, weather]", "themes: [other]")
    assert "speaker" not in {key.field for key in card_of(copied, "example-t4").code_keys}, "a theme is needed first"
    edit(copied, FILE, "themes: [other]\n    attribution: {words: he lost", TWO_THEMES)
    changed = [row.replace(" ", "") for row in pressed(client, copied, "example-t4", "Bruno Salt")]
    assert changed[:3] == ["-draft:true", "-speaker:mira-fenn", "+speaker:bruno-salt"]
    assert not card_of(copied, "example-t4").findings
    # What a person accepted is changed in its form.
    edit(copied, FILE, "speaker: bruno-salt\n    mode: narrated", "speaker: mira-fenn\n    mode: narrated")
    assert {key.field for key in card_of(copied, "example-t4").code_keys} == {"themes", "outlet"}


def test_a_chosen_speaker_leaves_words_as_they_are_that_need_no_antecedent(client: TestClient, copied: Path) -> None:
    made_draft(copied, "example-t2", "speaker: bruno-salt", "speaker: who")
    changed = [row.replace(" ", "") for row in pressed(client, copied, "example-t2", "Bruno Salt")]
    assert changed == ["-draft:true", "-speaker:who", "+speaker:bruno-salt"]


def test_a_draft_with_a_chosen_speaker_is_still_a_draft_until_its_theme_is_chosen(
    client: TestClient, copied: Path
) -> None:
    made_draft(copied, "example-t2", "speaker: bruno-salt", "speaker: who")
    edit(copied, FILE, "themes: [hunger_pay]", "themes: [other]")
    [key] = [key for key in card_of(copied, "example-t2").code_keys if key.term == "Bruno Salt"]
    assert key.stays
    values = {"speaker": key.value, "draft": "true"}
    assert act(client, "change", sha256=sha256(copied), id="example-t2", values=values).is_success
    card = card_of(copied, "example-t2")
    assert (card.draft, card.facts["speaker"], card.code_keys[0].field) == (True, "Bruno Salt", "themes")


def test_a_theme_without_a_key_is_a_theme(copied: Path) -> None:
    listed = "".join(f"  - {{term: tide_{n}, definition: Invented.}}\n" for n in range(9))
    edit(copied, "annotations/vocabulary.yaml", "themes:\n", f"themes:\n{listed}")
    made_draft(copied, "example-t2", "speaker: bruno-salt", "speaker: bruno-salt")
    assert card_of(copied, "example-t2").ready
    edit(copied, FILE, "themes: [hunger_pay]", "themes: [other]")
    assert card_of(copied, "example-t2").undecided == ["no theme"]


# ---- what a card says --------------------------------------------------------------------------------------------


def card_of(copied: Path, record: str) -> RecordView:
    rows = EditedProject(copied).article(STEM).rows
    [card] = [each for row in rows for each in row.records if each.id == record]
    return card


def test_a_draft_in_which_nobody_speaks_has_one_finding_that_says_what_to_press(copied: Path) -> None:
    said = '    evidence: "Hundreds came to the pier."\n    themes: [other]\n'
    draft = f"  - id: example-t20\n    draft: true\n    speaker: who\n    mode: indirect\n{said}"
    edit(copied, FILE, "\nfigures:\n", f"{draft}\nfigures:\n")
    [finding] = card_of(copied, "example-t20").findings
    assert finding.message == "The draft leaves open who speaks."
    assert finding.help == ("Choose the speaker, add a new one (`m` in the workbench), or reject the draft.",)


def test_a_speaker_who_is_chosen_for_a_bare_quotation_continues_or_the_form_asks_for_the_words(
    client: TestClient, copied: Path
) -> None:
    seed = copied / "seeds/900_example.txt"
    text = seed.read_text(encoding="utf-8")
    new = text.replace("until morning.\n", "until morning.\n\n“We saw the pier.”\n\n“It was late.”\n")
    seed.write_text(new, encoding="utf-8")
    edit(copied, FILE, hashlib.sha256(text.encode()).hexdigest(), hashlib.sha256(new.encode()).hexdigest())
    for name, words in (("example-t20", "We saw the pier."), ("example-t21", "It was late.")):
        codes = "    themes: [weather]\n    access: about_others\n    outlet_kind: own\n"
        said = f"    speaker: who\n    mode: direct\n    evidence: {words}\n"
        draft = f"  - id: {name}\n    draft: true\n{said}{codes}"
        edit(copied, FILE, "\nfigures:\n", f"{draft}\nfigures:\n")
    values = {"speaker": "mira-fenn"}
    answer = act(client, "change", sha256=sha256(copied), id="example-t20", values=values)
    asked = "Choose the words that say who speaks, the testimony that this one continues, or `none` first."
    assert (answer.status_code, answer.json()) == (422, {"message": asked, "fields": ["attribution"]})
    for name, before in (("example-t20", "example-t4"), ("example-t21", "example-t20")):
        values = {"speaker": "bruno-salt"}
        said = act(client, "change", sha256=sha256(copied), id=name, values=values).json()
        assert f"; with attribution continues “{before.removeprefix('example-')}”" in said
        assert card_of(copied, name).facts["attribution"] == f"continues: {before.removeprefix('example-')}"
        assert not card_of(copied, name).findings
    # The form fills in the same for a speaker who is chosen there, and so does speech that goes on after the words.
    [field] = [each for each in act(client, "current", id="example-t21").json() if each["key"] == "attribution"]
    [continues] = [each for each in field["fields"] if each["key"] == "continues"]
    assert continues["by_speaker"]["bruno-salt"] == "example-t20"
    assert continues["by_speaker"]["mira-fenn"] == ""


def test_a_bare_quotation_continues_the_speech_of_its_speaker_after_it_unless_another_one_is_named_between(
    client: TestClient, copied: Path
) -> None:
    with_sentence(copied, "“We saw it.” “It was old,” Mira Fenn said.")
    drafts = {"example-t20": ("who", "We saw it.", ""), "example-t21": ("mira-fenn", "It was old,", "Mira Fenn said")}
    for name, (speaker, words, said) in drafts.items():
        draft = f"  - id: {name}\n    draft: true\n    speaker: {speaker}\n    mode: direct\n    evidence: {words}\n"
        draft += f"    attribution: {said}\n" if said else ""
        edit(copied, FILE, "\nfigures:\n", f"{draft}    themes: [weather]\n\nfigures:\n")
    given = {"speaker": "mira-fenn", "draft": "true"}
    assert act(client, "change", sha256=sha256(copied), id="example-t20", values=given).is_success
    assert card_of(copied, "example-t20").facts["attribution"] == "continues: t21"
    assert not card_of(copied, "example-t20").findings
    given = {"speaker": "bruno-salt", "draft": "true"}
    assert act(client, "change", sha256=sha256(copied), id="example-t20", values=given).is_success
    assert "attribution" not in card_of(copied, "example-t20").facts


def test_the_findings_of_a_card_have_the_names_of_speakers(copied: Path) -> None:
    mention = "      - {id: example-m6, evidence: Salt told}\n"
    edit(copied, FILE, "    mentions:\n      - id: example-m2\n", f"    mentions:\n{mention}      - id: example-m2\n")
    messages = {finding.message for finding in card_of(copied, "example-t4").findings}
    assert messages == {"“Bruno Salt, m6” is between the antecedent and these words."}


def test_a_new_mention_of_the_speaker_is_the_antecedent_of_the_words_after_it(client: TestClient, copied: Path) -> None:
    body = {"kind": "mention", "spans": [span("Salt told")], "values": {"speaker": "bruno-salt"}}
    assert act(client, "add", sha256=sha256(copied), **body).json() == "m6; also changed: t4"
    assert "{words: he lost, about: true, antecedent: example-t3}" in (copied / FILE).read_text(encoding="utf-8")
    assert not card_of(copied, "example-t4").findings


def test_a_card_shows_first_what_was_chosen(copied: Path) -> None:
    assert list(card_of(copied, "example-t2").facts)[:2] == ["speaker", "themes"]
    facts = card_of(copied, "example-f1").facts
    assert {*list(facts)[:3]} == {"value", "measure", "counted"}


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        ("12 of them slept", "repeat"),
        ("12 lamps burned", ""),  # those of the figure are keepers: no reason fits, and the key `x` offers none
        ("12 old red lamps burned", ""),
        ("12 tired old keepers slept", "repeat"),
        ("12 years had passed", ""),
    ],
)
def test_a_number_that_a_figure_has_repeats_this_figure(
    client: TestClient, copied: Path, words: str, reason: str
) -> None:
    seed = copied / "seeds/900_example.txt"
    before = seed.read_text(encoding="utf-8")
    text = before.replace("Hundreds came to the pier.", f"Hundreds came to the pier, where {words}.")
    seed.write_text(text, encoding="utf-8")
    old, new = (hashlib.sha256(each.encode()).hexdigest() for each in (before, text))
    edit(copied, FILE, old, new)
    at = text.index(f"where {words}") + 6
    values = proposed(client, "waiver", [at, at + 2])
    repeats = {"repeat": "example-f2"}.get(reason, "")
    assert (values["reason"], values["repeats"]) == (reason, repeats)


@pytest.mark.parametrize(
    ("draft", "gone"), [("example-t8", "t8"), ("example-t9", "t9, and with it Mira Fenn; also changed: f9, f10, f11")]
)
def test_the_last_testimony_of_a_draft_speaker_takes_the_speaker_along(
    client: TestClient, copied: Path, draft: str, gone: str
) -> None:
    edit(copied, FILE, "  - id: mira-fenn\n", "  - id: mira-fenn\n    draft: true\n")
    edit(copied, FILE, f"  - id: {draft}\n", f"  - id: {draft}\n    draft: true\n")
    if draft == "example-t9":
        for figure in ("example-f9", "example-f10", "example-f11"):
            edit(copied, FILE, f"  - id: {figure}\n", f"  - id: {figure}\n    draft: true\n")
        assert act(client, "delete", sha256=sha256(copied), id="example-t8").is_success
    assert act(client, "delete", sha256=sha256(copied), id=draft).json().startswith(gone)


# ---- several drafts at once --------------------------------------------------------------------------------------


def made_draft(root: Path, record: str, old: str = "", new: str = "") -> None:
    """Make a draft of a record, and replace a line of it."""
    text = (root / FILE).read_text(encoding="utf-8")
    before, found, after = text.partition(f"  - id: {record}\n")
    assert found
    assert old in after
    (root / FILE).write_text(f"{before}{found}    draft: true\n{after.replace(old, new, 1)}", encoding="utf-8")


def test_several_drafts_are_accepted_in_one_step_that_one_key_undoes(client: TestClient, copied: Path) -> None:
    once = (copied / FILE).read_text(encoding="utf-8")
    made_draft(copied, "example-w3")
    made_draft(copied, "example-t2")
    drafts = (copied / FILE).read_text(encoding="utf-8")
    assert card_of(copied, "example-t2").words == "We had no oil left, … Nobody wrote to us."
    both = "example-w3 example-t2"
    assert act(client, "accept-all", sha256=sha256(copied), id=both).is_success
    assert (copied / FILE).read_text(encoding="utf-8") == once
    assert "accepted t2, w3" in act(client, "undo").text
    assert (copied / FILE).read_text(encoding="utf-8") == drafts
    stale = act(client, "accept-all", sha256="0" * 64, id=both)
    assert stale.status_code == 409, "what the page does not show is not accepted"


@pytest.mark.parametrize(
    ("record", "old", "new", "why"),
    [
        ("example-t2", "themes: [hunger_pay]", "themes: [other]", "no theme"),
        ("example-t2", "speaker: bruno-salt", "speaker: who", "the speaker"),
        ("example-f2", "value: 12", "value: 12  # a guess: or 13", "guess of value"),
        ("example-f2", "value: 12", "value: 13", "finding"),
        ("example-t4", "mode: narrated", "mode: narrated", "narrated"),
        ("example-f2", "counted: keepers who sleep in inns", "counted: 12 percent", "finding"),
        ("example-f2", "counted: keepers who sleep in inns", "counted: what", "what is counted"),
        ("mira-fenn", "name: Mira Fenn", "name: Mira Fenno", "finding, no role"),
    ],
)
def test_a_draft_with_something_to_decide_says_what_and_is_never_accepted_with_others(
    client: TestClient, copied: Path, record: str, old: str, new: str, why: str
) -> None:
    made_draft(copied, "example-w3")
    made_draft(copied, record, old, new)
    assert ", ".join(card_of(copied, record).undecided) == why
    before = (copied / FILE).read_text(encoding="utf-8")
    for together in (f"example-w3 {record}", record, ""):
        answer = act(client, "accept-all", sha256=sha256(copied), id=together)
        assert "one by one" in answer.text
        assert (copied / FILE).read_text(encoding="utf-8") == before
    assert act(client, "accept-all", sha256=sha256(copied), id="example-w3").is_success


def test_the_card_of_a_draft_calls_a_role_or_theme_that_nothing_shows_a_guess(copied: Path) -> None:
    assert card_of(copied, "mira-fenn").facts["role"] == "other", "a person chose it"
    made_draft(copied, "mira-fenn")
    made_draft(copied, "example-t2", "themes: [hunger_pay]", "themes: [other]")
    made_draft(copied, "example-t5")
    guessed = "other (a guess: none found)"
    assert card_of(copied, "mira-fenn").facts["role"] == guessed
    assert card_of(copied, "example-t2").facts["themes"] == guessed
    assert card_of(copied, "example-t5").facts["themes"] == "fear_reprisal"


def test_a_role_is_no_guess_if_the_corpus_has_no_other(copied: Path) -> None:
    made_draft(copied, "mira-fenn")
    assert card_of(copied, "mira-fenn").undecided == ["no role"]
    vocabulary = copied / "annotations/vocabulary.yaml"
    text = vocabulary.read_text(encoding="utf-8")
    roles = text.partition("\nroles:\n")[2].partition("\n  - term: other\n")[0]
    vocabulary.write_text(text.replace(f"{roles}\n", ""), encoding="utf-8")
    card = card_of(copied, "mira-fenn")
    assert (card.facts["role"], card.undecided) == ("other", [])
    assert [key for key in card.code_keys if key.field == "role"] == []


@pytest.mark.parametrize(("name", "undecided"), [("a new poll", False), ("Harrow Post", True)])
def test_nothing_is_left_to_decide_on_the_role_of_a_document(copied: Path, name: str, undecided: bool) -> None:
    person, body = "kind: person\n    role: other\n    anonymity: named\n", "kind: institution\n    role: other\n"
    made_draft(copied, "mira-fenn", person, body)
    edit(copied, FILE, "name: Mira Fenn\n", f"name: {name}\n")
    assert ("no role" in card_of(copied, "mira-fenn").undecided) == undecided


def test_nothing_is_accepted_with_others_while_a_file_cannot_be_read(client: TestClient, copied: Path) -> None:
    made_draft(copied, "example-w3")
    (copied / "annotations/999_new.yaml").write_text("odd: [\n", encoding="utf-8")
    answer = act(client, "accept-all", sha256=sha256(copied), id="example-w3")
    assert "one by one" in answer.text


def test_an_article_that_is_not_begun_changes_nothing_on_the_page_of_another(client: TestClient, copied: Path) -> None:
    assert act(client, "delete", sha256=sha256(copied), id="example-w1").is_success
    made_draft(copied, "example-w3")
    alone = EditedProject(copied).article(STEM)
    (copied / "seeds/999_new.txt").write_text("Hundreds came.\n", encoding="utf-8")
    article = EditedProject(copied).article(STEM)
    assert (article.rows, article.left) == (alone.rows, alone.left)
    [added] = set(article.findings) - set(alone.findings)
    assert set(alone.findings) < set(article.findings)
    assert added.code == "seed-without-annotations"
    assert (article.unread, sum(article.elsewhere), sum(alone.elsewhere)) == ([], 1, 0)
    assert act(client, "accept-all", sha256=sha256(copied), id="example-w3").is_success


def test_what_a_draft_leaves_open_of_a_figure_is_an_empty_field_to_fill(client: TestClient, copied: Path) -> None:
    counted = card_of(copied, "example-f2").facts["counted"]
    made_draft(copied, "example-f2", f"counted: {counted}", "counted: what")
    assert card_of(copied, "example-f2").facts["counted"] == "(not chosen)"
    [field] = [each for each in act(client, "current", id="example-f2").json() if each["key"] == "counted"]
    assert (field["value"], field["required"]) == ("", True)
    assert "Choose what is counted first." in act(client, "accept", id="example-f2").text


def test_an_attribution_by_name_asks_for_no_other_words(client: TestClient) -> None:
    def folded(record: str) -> set[str]:
        [said] = [each for each in act(client, "current", id=record).json() if each["key"] == "attribution"]
        return {each["key"] for each in said["fields"] if not each["shown"]}

    assert folded("example-t2") >= {"antecedent", "rival", "continues"}
    assert folded("example-t5") >= {"antecedent", "rival", "continues"}, "a mention of the speaker"
    assert "antecedent" not in folded("example-t4"), "a pronoun"
