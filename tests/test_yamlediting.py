"""Entries go from YAML as it was typed, and everything else stays."""

from __future__ import annotations

import json

import pytest

from defectors_data.corpus import yaml_reader
from defectors_data.edits import yaml_editor

BLOCK = """\
# first
a:
  - id: x   # of x
    words: |
      one
      # no comment
  # about y
  - id: y
    list: [1, {b: 2}, 3]

  -
    id: z
c: d
"""


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        ([("a", 0)], {"a": [{"id": "y", "list": ["1", {"b": "2"}, "3"]}, {"id": "z"}], "c": "d"}),
        ([("a", 1)], {"a": [{"id": "x", "words": "one\n# no comment"}, {"id": "z"}], "c": "d"}),
        (
            [("a", 2)],
            {"a": [{"id": "x", "words": "one\n# no comment"}, {"id": "y", "list": ["1", {"b": "2"}, "3"]}], "c": "d"},
        ),
        ([("a", 0), ("a", 1), ("a", 2)], {"c": "d"}),
        ([("a", 1, "list", 1), ("a", 1, "list", 2)], None),
        ([("a", 1, "list", 0)], None),
        ([("a", 1, "id"), ("c",)], None),
        ([("a", 0, "words"), ("a", 1, "list")], None),
        ([], None),
    ],
)
def test_entries_go_and_the_rest_stays(paths: list[tuple[str | int, ...]], wanted: object) -> None:
    edited = yaml_editor.without(BLOCK, paths)
    assert edited.startswith("# first\n")
    assert wanted is None or json.loads(json.dumps(yaml_reader.parse(edited, file="").value)) == wanted
    assert edited == BLOCK or len(edited) < len(BLOCK)


@pytest.mark.parametrize(
    ("cut", "left"),
    [((1, 2), "[0]"), ((0, 1), "[2]"), ((0, 2), "[1]"), ((2,), "[0, 1]"), ((0,), "[1, 2]"), ((1,), "[0, 2]")],
)
def test_no_comma_stays_without_its_entry(cut: tuple[int, ...], left: str) -> None:
    assert yaml_editor.without("a: [0, 1, 2]\n", [("a", i) for i in cut]) == f"a: {left}\n"
