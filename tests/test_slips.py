"""Slips of people who write YAML by hand, in the example of `init`: no word is lost or changed without a finding."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import PROJECT, found_in

FLOOD, SPEAKERS, TERMS, DATASET = (
    "annotations/001_flood.yaml",
    "annotations/speakers.yaml",
    "annotations/vocabulary.yaml",
    "dataset.yaml",
)
SHELTER = "    evidence: 80 people sleep on gym mats\n"
UPSTAIRS = "    evidence: We carried the flour upstairs in the dark,\n"
LETTERS = "    evidence: We wrote letters, and nobody answered.\n"
MENTION = "        evidence: Edda Quill, 52, a baker in Mill Lane\n"
COUNTED = "    counted: people who sleep in the school hall\n"
WAIVED = "    reason: date\n"
RIGHTS = "  rights: Nobody; the article is invented\n"
DAMAGE = "    themes: [damage]\n  - id: flood-t2"
DEFINED = "    definition: What the water damaged.\n"
DATED = "    note: The text names May 4; the year is that of the copyright line.\n"


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("slips") / "c"
    shutil.copytree(PROJECT / "src/defectors_data/example", folder)
    assert found_in(folder) == []
    return folder


SLIPS: dict[str, tuple[str, str, str, str]] = {
    # ---- evidence
    "a comma in braces": (
        FLOOD,
        SHELTER,
        '    evidence: {text: 80 people sleep, really on gym mats, prefix: "school hall, "}\n',
        "unknown-key",
    ),
    "a comma inside a number in braces": (
        FLOOD,
        SHELTER,
        '    evidence: {text: 80,000 people sleep, prefix: "school hall, "}\n',
        "unknown-key",
    ),
    "a comma inside brackets": (
        FLOOD,
        LETTERS,
        "    evidence: [We wrote letters, and nobody answered.]\n",
        "evidence-out-of-order",
    ),
    "words in braces": (FLOOD, SHELTER, "    evidence: {80 people sleep on gym mats}\n", "unknown-key"),
    "words in brackets": (FLOOD, MENTION, "        evidence: [[Edda Quill]]\n", "invalid-value"),
    "a misspelt key without a value": (
        FLOOD,
        SHELTER,
        "    evidence:\n      text: 80 people sleep on gym mats\n      prefx:\n",
        "unknown-key",
    ),
    "a comment that cuts evidence": (
        FLOOD,
        SHELTER,
        "    evidence: 80 people # sleep on gym mats\n",
        "value-not-as-typed",
    ),
    "a comment in place of evidence": (
        FLOOD,
        SHELTER,
        "    evidence: # 80 people sleep on gym mats\n",
        "value-not-as-typed",
    ),
    "a comment below evidence": (
        FLOOD,
        SHELTER,
        "    evidence: 80 people\n      # sleep on gym mats\n",
        "value-not-as-typed",
    ),
    "a comment that cuts words in braces": (
        FLOOD,
        SHELTER,
        "    evidence: {text: 80 people # sleep on gym mats\n      }\n",
        "value-not-as-typed",
    ),
    "a colon in evidence": (FLOOD, SHELTER, "    evidence: shelter: 80 people sleep on gym mats\n", "yaml-syntax"),
    "a colon in an item of evidence": (FLOOD, SHELTER, "    evidence:\n      - shelter: 80 people\n", "unknown-key"),
    "no space after a colon": (FLOOD, SHELTER, "    evidence:80 people sleep on gym mats\n", "yaml-syntax"),
    "no space after the last colon": (FLOOD, WAIVED, "    reason:date\n", "yaml-syntax"),
    "no space after a colon in braces": (
        FLOOD,
        SHELTER,
        "    evidence: {text:80 people sleep on gym mats}\n",
        "unknown-key",
    ),
    "a quotation mark that is not closed": (
        FLOOD,
        SHELTER,
        '    evidence: "80 people sleep on gym mats\n',
        "yaml-syntax",
    ),
    "a quotation mark that is not opened": (
        FLOOD,
        SHELTER,
        '    evidence: 80 people sleep on gym mats"\n',
        "evidence-not-found",
    ),
    "two quotation marks that are not closed": (
        FLOOD,
        SHELTER,
        "    evidence: '80 people sleep on gym mats\n    place: Harrowmere'\n",
        "value-not-as-typed",
    ),
    "a quotation in quotation marks": (FLOOD, SHELTER, '    evidence: "80 people" sleep on gym mats\n', "yaml-syntax"),
    "a backslash before an apostrophe": (FLOOD, SHELTER, "    evidence: '80 people\\'s gym mats'\n", "yaml-syntax"),
    "an apostrophe in single quotation marks": (
        FLOOD,
        SHELTER,
        "    evidence: '80 people's gym mats'\n",
        "yaml-syntax",
    ),
    "doubled double quotation marks": (
        FLOOD,
        SHELTER,
        '    evidence: "80 ""people"" sleep on gym mats"\n',
        "yaml-syntax",
    ),
    "quotation marks of the article": (
        FLOOD,
        UPSTAIRS,
        "    evidence: “We carried the flour upstairs in the dark,”\n",
        "direct-without-quotation-marks",
    ),
    "a tab before words": (FLOOD, SHELTER, "    evidence: 80 people\tsleep on gym mats\n", "evidence-not-found"),
    "a line that is indented with a tab": (FLOOD, SHELTER, "\tevidence: 80 people sleep on gym mats\n", "yaml-syntax"),
    "a list item in a line of words": (
        FLOOD,
        UPSTAIRS,
        "    evidence:\n      - We carried the flour\n        - upstairs in the dark,\n",
        "value-not-as-typed",
    ),
    "list items without a dash": (
        FLOOD,
        UPSTAIRS,
        "    evidence:\n      We carried the flour\n      in the dark,\n",
        "evidence-not-found",
    ),
    "dashes without a space": (
        FLOOD,
        UPSTAIRS,
        "    evidence:\n      -We carried the flour\n      -in the dark,\n",
        "evidence-not-found",
    ),
    "words that are divided at the end of a line": (
        FLOOD,
        UPSTAIRS,
        "    evidence: We carried the flour up-\n      stairs in the dark,\n",
        "value-not-as-typed",
    ),
    "a block with a line for each part": (
        FLOOD,
        UPSTAIRS,
        "    evidence: |-\n      We carried the flour\n      in the dark,\n",
        "evidence-not-found",
    ),
    "a block that takes in the next key": (
        FLOOD,
        LETTERS + "    themes: [warnings]\n",
        "    evidence: |-\n      We wrote letters, and nobody answered.\n      themes: []\n    themes: [warnings]\n",
        "value-not-as-typed",
    ),
    "words after the sign of a block": (FLOOD, SHELTER, "    evidence: > 80 people sleep on gym mats\n", "yaml-syntax"),
    "a sign of a block that was meant as more than": (FLOOD, SHELTER, "    evidence: >8\n", "invalid-value"),
    "evidence that is null": (FLOOD, SHELTER, "    evidence: null\n", "value-not-as-typed"),
    "evidence that is a tilde": (FLOOD, SHELTER, "    evidence: ~\n", "value-not-as-typed"),
    "evidence that begins with an asterisk": (FLOOD, SHELTER, "    evidence: *80 people sleep\n", "yaml-feature"),
    "evidence that begins with an exclamation mark": (
        FLOOD,
        SHELTER,
        "    evidence: !80 people sleep\n",
        "yaml-feature",
    ),
    "evidence that begins with an ampersand": (FLOOD, SHELTER, "    evidence: &80 people sleep\n", "yaml-feature"),
    "evidence that begins with a percent sign": (FLOOD, SHELTER, "    evidence: %80 people sleep\n", "yaml-syntax"),
    "evidence that begins with an at sign": (FLOOD, SHELTER, "    evidence: @80 people sleep\n", "yaml-syntax"),
    "evidence that begins with a question mark": (FLOOD, SHELTER, "    evidence: ? 80 people sleep\n", "yaml-syntax"),
    "three dots that end a file": (FLOOD, SHELTER, SHELTER + "...\n", "yaml-syntax"),
    # ---- notes
    "a comment that cuts a note": (
        FLOOD,
        DATED,
        "    note: The year is that of line # 5 of the article\n",
        "value-not-as-typed",
    ),
    "a note that is a comment": (FLOOD, WAIVED, WAIVED + "    note: # the year is not printed\n", "value-not-as-typed"),
    "a note in quotation marks that takes in the next key": (
        FLOOD,
        COUNTED,
        COUNTED + "    note: 'They sleep in the hall\n    place: Harrowmere'\n",
        "value-not-as-typed",
    ),
    "a note that takes in a key that is indented too far": (
        FLOOD,
        COUNTED,
        COUNTED + "    note: |-\n      They sleep in the hall\n      place: Harrowmere\n",
        "value-not-as-typed",
    ),
    "a note that takes in a list item": (
        FLOOD,
        COUNTED,
        COUNTED + "    note: They sleep in the hall\n      - on mats\n",
        "value-not-as-typed",
    ),
    "a note with a colon": (FLOOD, COUNTED, COUNTED + "    note: They sleep: in the hall\n", "yaml-syntax"),
    "a note with a path": (
        FLOOD,
        COUNTED,
        COUNTED + '    note: "In C:\\\\notes and hall\\notes"\n',
        "value-not-as-typed",
    ),
    "a note with an escape of Markdown": (
        FLOOD,
        COUNTED,
        COUNTED + '    note: "The school\\_hall"\n',
        "value-not-as-typed",
    ),
    "a note with an unknown escape": (FLOOD, COUNTED, COUNTED + '    note: "The school\\hall"\n', "yaml-syntax"),
    "a note that is null": (FLOOD, COUNTED, COUNTED + "    note: null\n", "value-not-as-typed"),
    "a note that is NULL": (FLOOD, COUNTED, COUNTED + "    note: NULL\n", "value-not-as-typed"),
    "an empty note in quotation marks": (FLOOD, COUNTED, COUNTED + '    note: ""\n', "invalid-value"),
    "a note with a hyphen at the end of a line": (
        FLOOD,
        COUNTED,
        COUNTED + '    note: "They sleep in the school-\n      hall"\n',
        "value-not-as-typed",
    ),
    "a misspelt note without a value": (FLOOD, COUNTED, COUNTED + "    nota:\n", "unknown-key"),
    "a second line of a note, without indentation": (
        FLOOD,
        COUNTED,
        COUNTED + "    note: They sleep\n    in the hall\n",
        "yaml-syntax",
    ),
    # ---- titles, names and lists
    "a comment that cuts a title": (
        FLOOD,
        "  title: River Floods Harrowmere After",
        "  title: River Floods # Harrowmere After",
        "value-not-as-typed",
    ),
    "a title with a colon": (FLOOD, "  title: River Floods", "  title: River: Floods", "yaml-syntax"),
    "a subtitle that is a tilde": (
        FLOOD,
        "  dateline: HARROWMERE",
        "  subtitle: ~\n  dateline: HARROWMERE",
        "value-not-as-typed",
    ),
    "names in brackets, on two lines without a comma": (
        FLOOD,
        "    value: [Ines Calloway]\n",
        "    value: [Ines\n      Calloway]\n",
        "value-not-as-typed",
    ),
    "a comment that cuts names": (
        FLOOD,
        "    value: [Ines Calloway]\n",
        "    value: [Ines # Calloway\n      ]\n",
        "value-not-as-typed",
    ),
    "a comment that cuts a name": (FLOOD, "    name: Edda Quill\n", "    name: Edda # Quill\n", "value-not-as-typed"),
    "a name with a number sign": (
        SPEAKERS,
        "    name: Town Council\n",
        "    name: Town Council #2\n",
        "value-not-as-typed",
    ),
    "a name of a shared speaker, with a key without a value": (
        SPEAKERS,
        "    name: Town Council\n",
        "    name: Town Council\n    nmae:\n",
        "unknown-key",
    ),
    "a name that is null": (SPEAKERS, "    name: Town Council\n", "    name: null\n", "value-not-as-typed"),
    "an outlet that is cut": (
        FLOOD,
        "    value: The Harrowmere Courier\n",
        "    value: The Harrowmere #1 Courier\n",
        "value-not-as-typed",
    ),
    "rights that are cut": (FLOOD, RIGHTS, "  rights: Nobody # the article is invented\n", "value-not-as-typed"),
    "a mention in braces with a comma": (
        FLOOD,
        MENTION,
        "        evidence: {text: Edda Quill, 52, a baker in Mill Lane}\n",
        "unknown-key",
    ),
    "attesting words with a comma": (
        FLOOD,
        "{gender: she lost three ovens}",
        "{gender: she lost, three ovens}",
        "unknown-key",
    ),
    "attesting words that are cut": (
        FLOOD,
        "        attested_by: {gender: she lost three ovens}\n",
        "        attested_by:\n          gender: she lost # three ovens\n",
        "value-not-as-typed",
    ),
    "a list of themes that is cut": (FLOOD, DAMAGE, DAMAGE.replace("[damage]", "damage"), "invalid-value"),
    "themes without a comma": (FLOOD, DAMAGE, DAMAGE.replace("[damage]", "[damage rescue]"), "invalid-value"),
    "themes without a comma, on two lines": (
        FLOOD,
        DAMAGE,
        DAMAGE.replace("[damage]", "[damage\n      rescue]"),
        "value-not-as-typed",
    ),
    "themes without dashes": (
        FLOOD,
        DAMAGE,
        DAMAGE.replace(" [damage]", "\n      damage\n      rescue"),
        "invalid-value",
    ),
    "a second theme that is indented too far": (
        FLOOD,
        DAMAGE,
        DAMAGE.replace(" [damage]", "\n      - damage\n        - rescue"),
        "value-not-as-typed",
    ),
    "a list item without a dash": (FLOOD, "  - id: flood-t2\n", "    id: flood-t2\n", "duplicate-key"),
    "a dash too many": (FLOOD, "  - id: flood-t2\n", "  - - id: flood-t2\n", "yaml-syntax"),
    "an empty list item": (FLOOD, DAMAGE, DAMAGE.replace(" [damage]", "\n      - damage\n      -"), "invalid-value"),
    "a key in another case": (FLOOD, COUNTED, COUNTED.replace("counted", "Counted"), "unknown-key"),
    "a list with a misspelt key, without items": (FLOOD, "waivers:\n", "erata:\n\nwaivers:\n", "unknown-key"),
    # ---- what is counted, numbers, dates, waivers
    "a count that is cut": (FLOOD, COUNTED, "    counted: take # 2\n", "value-not-as-typed"),
    "a count that goes on after a hyphen": (
        FLOOD,
        COUNTED,
        "    counted: people who sleep in the school-\n      hall\n",
        "value-not-as-typed",
    ),
    "a number with a comma": (FLOOD, "    value: 120\n", "    value: 120,000\n", "invalid-value"),
    "a number with a unit": (FLOOD, "    value: 120\n", "    value: 120 houses\n", "invalid-value"),
    "a number that is null": (FLOOD, "    value: 120\n", "    value: null\n", "value-not-as-typed"),
    "a number with zeros before it": (FLOOD, "    value: 120\n", "    value: 0120\n", "invalid-value"),
    "a number on two lines": (FLOOD, "    value: 120\n", "    value: 1\n      20\n", "invalid-value"),
    "a date with a time": (FLOOD, "    value: 2024-05~\n", "    value: 2024-05-04 10:00\n", "invalid-value"),
    "a date without zeros": (FLOOD, "    value: 2024-05~\n", "    value: 2024-5\n", "invalid-value"),
    "a flag that is yes": (FLOOD, WAIVED, WAIVED + "    every_occurrence: yes\n", "invalid-value"),
    "a waiver that is cut": (FLOOD, "    evidence: May 4\n", "    evidence: May # 4\n", "value-not-as-typed"),
    "a waiver with an empty misspelt key": (FLOOD, WAIVED, WAIVED + "    repeat:\n", "unknown-key"),
    "a waiver in braces with a comma": (
        FLOOD,
        "  - id: flood-w1\n    evidence: May 4\n    reason: date\n",
        "  - {id: flood-w1, evidence: May 4, a date, reason: date}\n",
        "unknown-key",
    ),
    # ---- other files
    "a definition that is cut": (
        TERMS,
        DEFINED,
        "    definition: What the water # and the mud damaged.\n",
        "value-not-as-typed",
    ),
    "a definition in braces with a comma": (
        TERMS,
        "  - term: damage\n" + DEFINED + '    triggers: ["flooded", lost]\n',
        "  - {term: damage, definition: What the water, and the mud, damaged.}\n",
        "unknown-key",
    ),
    "a trigger that is cut": (TERMS, '["flooded", lost]', '["flooded", lost # gone\n      ]', "value-not-as-typed"),
    "an empty unknown key of a term": (TERMS, DEFINED, DEFINED + "    trigger:\n", "unknown-key"),
    "a title of a dataset that is cut": (
        DATASET,
        "on the flood of Harrowmere\n",
        "on flood #1 of Harrowmere\n",
        "value-not-as-typed",
    ),
    "a purpose that is null": (
        DATASET,
        "purpose: To show what a corpus consists of.\n",
        "purpose: Null\n",
        "value-not-as-typed",
    ),
    "an empty unknown key of a dataset": (DATASET, "version: 0.1.0\n", "version: 0.1.0\nurl:\n", "unknown-key"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_a_finding(slip: str, example: Path, tmp_path: Path) -> None:
    file, right, wrong, code = SLIPS[slip]
    folder = shutil.copytree(example, tmp_path / "c")
    text = (folder / file).read_text(encoding="utf-8")
    assert text.count(right) == 1
    (folder / file).write_text(text.replace(right, wrong), encoding="utf-8")
    found = found_in(folder)
    assert code in {finding.code for finding in found}, found


AS_TYPED = {
    "an id with a comment": "  - id: flood-w1 # a date\n    evidence: May 4\n    reason: date\n",
    "a comment after quotation marks": '  - id: flood-w1\n    evidence: "May 4" # a date\n    reason: date # one\n',
    "comments on lines of their own": "  - id: flood-w1\n    # a date\n    evidence: May 4\n# one\n    reason: date\n",
    "a known key without a value": "  - id: flood-w1\n    evidence: May 4\n    reason: date\n    note:\n    # none\n",
    "a comma in quotation marks": '  - {id: flood-w1, evidence: {text: May 4, suffix: " and flooded"}, reason: date}\n',
    "words on two lines": "  - id: flood-w1\n    evidence: May\n      4\n    reason: date\n",
    "quoted words on two lines": '  - id: flood-w1\n    evidence: "May\n      4"\n    reason: date\n',
    "a block": "  - id: flood-w1\n    evidence: |-\n      May 4\n    reason: date\n",
    "a folded block": "  - id: flood-w1\n    evidence: >-\n      May\n      4\n    reason: date\n",
    "words in braces": '  - id: flood-w1\n    evidence: {text: May 4, prefix: "on "}\n    reason: "date"\n',
    "escapes with a number": '  - id: flood-w1\n    evidence: "M\\u0061y 4"\n    reason: date\n',
    "a list in brackets on two lines": "  - id: flood-w1\n    evidence: [\n      May 4 ]\n    reason: date\n",
}


@pytest.mark.parametrize("notation", AS_TYPED)
def test_words_that_are_read_as_typed_have_no_finding(notation: str, example: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(example, tmp_path / "c")
    text = (folder / FLOOD).read_text(encoding="utf-8")
    waiver = "  - id: flood-w1\n    evidence: May 4\n    reason: date\n"
    (folder / FLOOD).write_text(text.replace(waiver, AS_TYPED[notation]), encoding="utf-8")
    assert found_in(folder) == []


def test_a_key_of_json_without_a_value_must_be_known(example: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(example, tmp_path / "c")
    (folder / SPEAKERS).unlink()
    speaker = '{"id":"town-council","kind":"institution","role":"official","name":"Town Council","nmae":null}\n'
    (folder / "annotations/speakers.jsonl").write_text(speaker, encoding="utf-8")
    assert [finding.code for finding in found_in(folder)] == ["unknown-key"]
