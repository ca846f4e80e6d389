"""Which free texts are refused: 60 innocent and 40 harmful ones, in the fields where people type them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import pytest

from conftest import PROJECT, edit, found_in
from defectors_data.corpus.findings import Finding, text
from defectors_data.models.fields import Line, Note, Record, TextKind, declared_kinds
from defectors_data.models.project import Changelog
from every_field import FIELDS, Field, save, typed_in

FILES = {
    "dataset": "dataset.yaml",
    "vocabulary": "annotations/vocabulary.yaml",
    "shared": "annotations/speakers.yaml",
    "first": "annotations/900_example.yaml",
    "second": "annotations/901_second.yaml",
}
CODES = {"unprinted-in-free-text", "protected-person-described"}


class Text(NamedTuple):
    kind: str
    half: str
    field: str
    text: str


def listed() -> list[Text]:
    with (PROJECT / "tests/free_texts.csv").open(encoding="utf-8", newline="") as stream:
        return [Text(**row) for row in csv.DictReader(stream)]


def typed(root: Path, where: str, words: str) -> None:
    """Type a text in a field of a corpus, such as `first:testimonies.1.note`."""
    file, _, steps = where.partition(":")
    if file == "changelog":
        edit(root, "CHANGELOG.md", "  Both are invented.\n", f"  Both are invented.\n- {words}\n")
        return
    content = at = typed_in(root, FILES[file])
    *above, last = [int(step) if step.isdecimal() else step for step in steps.split(".")]
    for step in above:
        at = at[step]
    at[last] = words
    save(root, FILES[file], content)


NAMES = "Quirin Zaunkoenig Mira Fenn Bruno Salt Iven Ada Example".split()


def findings(root: Path, each: Text) -> list[Finding]:
    """Return the findings on a text in a corpus, which is then as before; none repeats the name of a person."""
    file = root / FILES.get(each.field.partition(":")[0], "CHANGELOG.md")
    before = file.read_bytes()
    typed(root, each.field, each.text)
    found = found_in(root)
    file.write_bytes(before)
    assert {finding.code for finding in found} <= CODES, (each, found)
    said = " ".join(text(finding, relocate=lambda _: "") for finding in found)
    assert each.kind == "innocent" or not [name for name in NAMES if name in said], (each, said)
    return found


@pytest.mark.parametrize("half", ["tuned", "measured"])
@pytest.mark.parametrize("kind", ["innocent", "harmful"])
def test_at_most_one_text_of_a_list_is_judged_wrongly(copied: Path, kind: str, half: str) -> None:
    """Both lists were written before the rules; only the tuned half was looked at while they were written."""
    texts = [each for each in listed() if (each.kind, each.half) == (kind, half)]
    wrong = [each for each in texts if bool(findings(copied, each)) != (kind == "harmful")]
    assert len(wrong) <= 1, wrong


def test_every_field_with_text_declares_of_what_kind_it_is() -> None:
    fields = [*FIELDS, Field(Changelog, "lines")]
    assert [str(field) for field in fields if None in declared_kinds(field.model, field.name)] == []


class Undeclared(Record):
    line: Line | None = None
    lines: tuple[Line, ...] = ()
    note: Note
    number: int


def test_a_field_without_a_kind_is_seen() -> None:
    kinds = {name: declared_kinds(Undeclared, name) for name in Undeclared.model_fields}
    assert kinds == {"line": (None,), "lines": (None,), "note": (TextKind.NOTE,), "number": ()}


DEFINITION = "vocabulary:roles.5.definition"


def define_accused(root: Path) -> None:
    """Add a role, so that `the accused` means a person."""
    typed(root, "vocabulary:roles.4.definition", "An accused keeper.")
    typed(root, "vocabulary:roles.4.term", "accused")


@pytest.mark.parametrize(
    "words",
    [
        "A relative of the accused or of the patient.",
        "Family of the accused.",
        "A close relative, friend or neighbour of the accused.",
    ],
)
def test_a_definition_of_relatives_describes_no_one(copied: Path, words: str) -> None:
    define_accused(copied)
    assert findings(copied, Text("innocent", "", DEFINITION, words)) == []


@pytest.mark.parametrize(
    "words",
    [
        "The sister of the accused.",
        "A relative of the accused, who is ill.",
        "A relative of the accused. The accused has two daughters.",
        "Someone like the accused, whose brother left.",
        "A relative of the accused and of his wife.",
    ],
)
def test_a_definition_that_says_more_than_whose_relatives_is_reported(copied: Path, words: str) -> None:
    define_accused(copied)
    found = findings(copied, Text("harmful", "", DEFINITION, words))
    assert [each.code for each in found] == ["protected-person-described"]
