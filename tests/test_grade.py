"""The published grade adds up, and damage to the invented corpus is found wherever a program can see it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache, partial

import pytest

import grade
from conftest import INVENTED, PROJECT, documents_of, spread
from defectors_data.evidence.completeness_ledger import units_by_noun
from defectors_data.text.detection import detect
from mutants import Operator, SourceFile, at, put, source_files
from semantic import SEMANTIC
from structural import STRUCTURAL

PAGE = (PROJECT / "docs/developers/grade.md").read_text(encoding="utf-8")
KINDS = {"structural": STRUCTURAL, "semantic": SEMANTIC}


def rows(kind: str) -> list[list[str]]:
    """Return the cells of the table of one kind of operators."""
    section = PAGE.split(f"## {kind.capitalize()} operators\n")[1].split("\n### ")[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in section.splitlines() if line[:1] == "|"]


def survivors(kind: str) -> dict[str, int]:
    """Return how many mutants of each operator of a kind are listed as survivors."""
    section = PAGE.split(f"### Survivors of the {kind} operators\n")[1].split("\n## ")[0]
    return {name: int(count) for name, count in re.findall(r"^\*\*(.+?)\*\* \((\d+)\)\.", section, re.MULTILINE)}


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_shows_the_operators_that_there_are(kind: str) -> None:
    header, _, *found = rows(kind)
    assert header == ["operator", "what it does", "mutants", "killed", "rate", "killed by"]
    assert {row[0]: row[1] for row in found} == {grade.title(o): grade.paragraphs(o)[0] for o in KINDS[kind]}


@pytest.mark.parametrize("kind", KINDS)
def test_kills_and_survivors_add_up(kind: str) -> None:
    lived = survivors(kind)
    found = [(row[0], int(row[2]), int(row[3]), row[4]) for row in rows(kind)[2:]]
    assert {name: mutants - killed for name, mutants, killed, _ in found if mutants > killed} == lived
    assert all(rate == f"{100 * killed / mutants:.1f} %" for _, mutants, killed, rate in found)
    mutants, killed = sum(row[1] for row in found), sum(row[2] for row in found)
    assert f"{killed:,} of {mutants:,} {kind} mutants were killed." in PAGE


def test_no_structural_damage_to_the_real_annotations_lives() -> None:
    assert survivors("structural") == {}


def test_every_survivor_of_a_semantic_operator_has_a_reason() -> None:
    assert [operator.__name__ for operator in SEMANTIC if len(grade.paragraphs(operator)) != 2] == []


def test_the_page_repeats_no_words_of_an_article() -> None:
    said = set(re.findall(r"\w+ \w+ \w+ \w+ \w+", PAGE))
    seeds = " ".join(path.read_text(encoding="utf-8") for path in (PROJECT / "seeds").glob("*.txt"))
    assert [words for words in said if words in seeds] == []


# ---- the operators, on invented people ---------------------------------------------------------------------

EACH = 5
"""Of the mutants of an operator, every how many are tried here; the page tries all, on the real corpus."""


@pytest.fixture(scope="module")
def invented() -> Iterator[list[SourceFile]]:
    """The sources of the invented corpus; what stands in their seeds is looked for once."""
    units = units_by_noun(documents_of(INVENTED)[0].context)
    found = lru_cache(partial(detect, units=units))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("defectors_data.evidence.completeness_ledger.detect", lambda text, _: found(text))
        yield source_files(INVENTED)


@pytest.mark.parametrize("operator", spread(STRUCTURAL, 3, pytest.mark.deep), ids=grade.title)
def test_structural_damage_is_found(operator: Operator, invented: list[SourceFile]) -> None:
    mutants = [*operator(invented)]
    lived = [(m.record, m.change) for m in mutants[::EACH] if not grade.codes(INVENTED, m)]
    assert lived == []


@pytest.mark.parametrize("operator", [*STRUCTURAL, *SEMANTIC], ids=grade.title)
def test_a_mutant_is_a_change_of_its_own(operator: Operator, invented: list[SourceFile]) -> None:
    typed = {source.file: source.content for source in invented}
    mutants = [*operator(invented)]
    assert [m for m in mutants if m.content == typed[m.file]] == []
    assert len({(m.file, grade.typed(m)) for m in mutants}) == len(mutants)
    assert [*operator(invented)] == mutants, "the same in every run"


def test_a_mutant_leaves_what_was_typed_as_it_was() -> None:
    content = {"a": [{"b": "c"}]}
    assert put(content, ("a", 0, "b"), "d") == {"a": [{"b": "d"}]}
    assert put(content, ("a", 1), {}) == {"a": [{"b": "c"}, {}]}
    assert at(content, ("a", 0, "b")) == "c"


def test_annotations_written_as_json_have_no_findings(invented: list[SourceFile]) -> None:
    for source in invented:
        assert grade.codes(INVENTED, source.changed("", "", ("source",), source.content["source"])) == ()
