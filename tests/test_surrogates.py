"""Escaped pairs of surrogates in YAML are the characters they are, in double quotation marks alone."""

from __future__ import annotations

import json

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from defectors_data.corpus import yaml_reader
from defectors_data.corpus.findings import Path

SMILE = r"\ud83d\ude42"


def read(text: str) -> object:
    typed = yaml_reader.parse(text, file="x")
    assert typed.findings == []
    return typed.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f'a: "x {SMILE} y"', {"a": "x 🙂 y"}),
        (r'a: "\uD83D\uDE42"', {"a": "🙂"}),
        (f'"{SMILE}": b', {"🙂": "b"}),
        (f'a: "{SMILE}{SMILE}"', {"a": "🙂🙂"}),
        (rf'a: "\\{SMILE}"', {"a": "\\🙂"}),
        (f'a: "one {SMILE}\n  two\\\n  three\\n"', {"a": "one 🙂 twothree\n"}),
        (f"a: {SMILE}", {"a": SMILE}),
        (f"a: '{SMILE} it''s'", {"a": f"{SMILE} it's"}),
        (f"a: | # {SMILE}\n  x {SMILE}\n  y", {"a": f"x {SMILE}\ny"}),
        (f"a: >-\n  {SMILE}\n  {SMILE}", {"a": f"{SMILE} {SMILE}"}),
        (r'a: "\u483d\u4e42"', {"a": "\u483d\u4e42"}),
    ],
)
def test_a_pair_is_a_character_in_double_quotation_marks_alone(text: str, value: object) -> None:
    assert read(text) == value


@pytest.mark.parametrize(
    "text",
    [
        r'a: "\ud83d"',
        r'a: "\ude42\ud83d"',
        r'a: "\ud83d \ude42"',
        r'a: "\ud83dx\ude42"',
        r'a: "\\ud83d\ude42"',
        r'a: "\ud83d\u0041"',
        rf'a: "{SMILE}\ud83d"',
        rf'a: "{SMILE}"' + "\n" + r'b: "\u483d\u4e42"',
    ],
)
def test_a_lone_or_ambiguous_surrogate_is_an_error(text: str) -> None:
    assert [found.code for found in yaml_reader.parse(text, file="x").findings] == ["yaml-syntax"]


def test_places_are_those_of_the_text_as_it_was_typed() -> None:
    typed = yaml_reader.parse(f'[{{"a": "{SMILE}{SMILE}", "b": "c"}}]', file="x")
    path: Path = (0, "b")
    assert typed.places[path].column == 41


@given(st.dictionaries(st.text(min_size=1, max_size=6), st.text(max_size=12), max_size=3))
def test_escaped_characters_in_json_are_read_back_unchanged(value: dict[str, str]) -> None:
    text = json.dumps({"value": {f"k{key}": item for key, item in value.items()}})
    typed = yaml_reader.parse(text, file="x")
    assert typed.findings == []
    assert typed.value == {"value": {f"k{key}": item for key, item in value.items()}}


def test_a_text_without_pairs_is_left_as_it_is() -> None:
    text = yaml.safe_dump({"a": "🙂"}, allow_unicode=True)
    assert yaml_reader.set_aside(text) is text
