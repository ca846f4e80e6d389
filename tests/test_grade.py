"""Damage to annotations is found wherever a program can see it, and the operators of `make grade` are as they say."""

from __future__ import annotations

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

EACH = 5
"""The default tests check every fifth mutant of the invented corpus; the sweep tests check all of the real one."""


@pytest.fixture(scope="module")
def invented() -> Iterator[list[SourceFile]]:
    """The sources of the invented corpus; the quotations and numbers of each seed are detected once."""
    units = units_by_noun(documents_of(INVENTED)[0].context)
    found = lru_cache(partial(detect, units=units))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("defectors_data.evidence.completeness_ledger.detect", lambda text, _: found(text))
        yield source_files(INVENTED)


@pytest.mark.parametrize("operator", spread(STRUCTURAL, 5), ids=grade.title)
def test_structural_damage_is_found(operator: Operator, invented: list[SourceFile]) -> None:
    mutants = [*operator(invented)]
    missed = [(m.record, m.change) for m in mutants[::EACH] if not grade.codes(INVENTED, m)]
    assert missed == []


@pytest.mark.sweep
@pytest.mark.deep
@pytest.mark.parametrize("operator", STRUCTURAL, ids=grade.title)
def test_all_structural_damage_to_the_real_annotations_is_found(operator: Operator) -> None:
    mutants = [*operator(source_files(PROJECT))]
    assert [(m.record, m.change) for m in mutants if not grade.codes(PROJECT, m)] == []


@pytest.mark.parametrize("operator", [*STRUCTURAL, *SEMANTIC], ids=grade.title)
def test_each_mutant_is_one_change_and_the_same_in_every_run(operator: Operator, invented: list[SourceFile]) -> None:
    typed = {source.file: source.content for source in invented}
    mutants = [*operator(invented)]
    assert [m for m in mutants if m.content == typed[m.file]] == []
    assert len({(m.file, grade.typed(m)) for m in mutants}) == len(mutants)
    assert [*operator(invented)] == mutants


def test_a_mutant_does_not_change_the_original() -> None:
    content = {"a": [{"b": "c"}]}
    assert put(content, ("a", 0, "b"), "d") == {"a": [{"b": "d"}]}
    assert put(content, ("a", 1), {}) == {"a": [{"b": "c"}, {}]}
    assert at(content, ("a", 0, "b")) == "c"


def test_annotations_written_as_json_have_no_findings(invented: list[SourceFile]) -> None:
    for source in invented:
        assert grade.codes(INVENTED, source.changed("", "", ("source",), source.content["source"])) == ()
