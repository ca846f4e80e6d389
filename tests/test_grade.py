"""Damage to the invented corpus is found wherever a program can see it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import lru_cache

import pytest

from conftest import INVENTED, PROJECT
from defectors_data.detecting import detect

sys.path.insert(0, str(PROJECT / "docs"))

import grade
from mutants import Operator, SourceFile, at, put, source_files
from semantic import SEMANTIC
from structural import STRUCTURAL


def test_every_survivor_of_a_semantic_operator_has_a_reason() -> None:
    assert [operator.__name__ for operator in SEMANTIC if len(grade.paragraphs(operator)) != 2] == []


# ---- the operators, on invented people ---------------------------------------------------------------------

EACH = 5
"""Of the mutants of an operator, every how many are tried here; the page tries all, on the real corpus."""


@pytest.fixture(scope="module")
def invented() -> Iterator[list[SourceFile]]:
    """The sources of the invented corpus; what stands in their seeds is looked for once."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("defectors_data.accounting.detect", lru_cache(detect))
        yield source_files(INVENTED)


@pytest.mark.parametrize("operator", STRUCTURAL, ids=grade.title)
def test_structural_damage_is_found(operator: Operator, invented: list[SourceFile]) -> None:
    mutants = [*operator(invented)]
    lived = [(m.record, m.change) for m in mutants[::EACH] if not grade.codes(INVENTED, m)]
    assert lived == []


@pytest.mark.parametrize("operator", [*STRUCTURAL, *SEMANTIC], ids=grade.title)
def test_a_mutant_is_a_change_of_its_own(operator: Operator, invented: list[SourceFile]) -> None:
    typed = {source.shard.file: source.content for source in invented}
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
