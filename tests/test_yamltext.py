"""YAML is read as text, with the place of everything."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from defectors_data.corpus.yaml_reader import parse

PLAIN = st.text(alphabet=string.ascii_letters + " éß🙂", min_size=1).filter(lambda s: s.strip() == s)


@pytest.mark.parametrize("typed", ["no", "1:30", "010", "2019-05-02", "1.10", "~", "null", "0x1F", "1_000", "true"])
def test_no_value_is_proposed_for_missing_words(typed: str) -> None:
    assert parse(f"key: {typed}", file="x").value == {"key": typed}


def test_an_empty_value_leaves_its_key_out_and_an_empty_string_does_not() -> None:
    assert parse("a:\nb: ''\nc: \"\"\n", file="x").value == {"b": "", "c": ""}


def test_places_count_from_one_in_code_points() -> None:
    typed = parse('a: "🙂"\nb: [x, "é", y]\n', file="f.yaml")
    assert typed.places["b", 2] == ("f.yaml", 2, 13)
    assert typed.keys["b",] == ("f.yaml", 2, 1)


@given(st.dictionaries(st.text(string.ascii_lowercase, min_size=1), st.lists(PLAIN, max_size=4), max_size=5))
def test_lists_in_mappings_are_read_back(value: dict[str, list[str]]) -> None:
    text = "".join(f"{key}: {json.dumps(items, ensure_ascii=False)}\n" for key, items in value.items())
    typed = parse(text, file="x")
    assert not typed.findings
    assert (typed.value or {}) == value


@given(st.text(max_size=200))
def test_any_text_gives_a_value_or_findings(text: str) -> None:
    typed = parse(text, file="x")
    assert typed.findings or typed.value is None or isinstance(typed.value, str | list | dict)
    assert all(finding.place.line >= 1 and finding.place.column >= 1 for finding in typed.findings)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a: &x 1", "yaml-feature"),
        ("a: *x", "yaml-feature"),
        ("a: !!str 1", "yaml-feature"),
        ("? [a]\n: 1", "yaml-feature"),
        ("<<: 1", "yaml-feature"),
        ("a\n---\nb", "yaml-feature"),
        ("[" * 60 + "]" * 60, "yaml-too-deep"),
        ("a: 'x", "yaml-syntax"),
        ("a: b: c", "yaml-syntax"),
        ("\ta: b", "yaml-syntax"),
        ("a: b\u2028c", "yaml-character"),
        ("a: b\u0085c", "yaml-character"),
        ("a: \x1b[2J", "yaml-character"),
        ("a: \ufeffb", "yaml-character"),
        ("a: b # c\rd: e", "yaml-character"),
    ],
)
def test_yaml_features_beyond_text_are_refused(text: str, code: str) -> None:
    typed = parse(text, file="x")
    assert typed.value is None
    assert [finding.code for finding in typed.findings] == [code]


def test_a_deep_bomb_is_refused_without_recursion() -> None:
    assert parse("[" * 200_000, file="x").findings[0].code == "yaml-too-deep"
