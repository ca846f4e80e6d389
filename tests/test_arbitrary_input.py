"""Arbitrary bytes, text and values give findings and never an exception."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from conftest import INVENTED, found_in, repin
from defectors_data.corpus import findings
from mistakes import SECOND, B


def checked(root: Path) -> list[findings.Finding]:
    """Check a project as the command does; whatever is found can be written in every way."""
    found = found_in(root)
    for finding in found:
        assert finding.place.line >= 1
        assert finding.place.column >= 1
        json.dumps(findings.record(finding))
        assert findings.github(finding).count("\n") == 0
    assert sum(1 for _ in findings.lines(found, findings.text)) <= len(found) + 1
    return found


@given(data=st.binary(max_size=400))
def test_any_bytes_as_a_seed_give_findings_and_no_exception(copied: Path, data: bytes) -> None:
    (copied / SECOND).write_bytes(data)
    repin(copied, "901_second")
    assert checked(copied)


@given(text=st.text(st.sampled_from("ab 1,.-–“”\"'’()%$\n\r\t#\u2028\u00a0é\u0301🙂"), max_size=300))
def test_any_words_in_a_seed_give_findings_and_no_exception(copied: Path, text: str) -> None:
    path = copied / SECOND
    path.write_bytes((INVENTED / SECOND).read_bytes() + text.encode())
    repin(copied, "901_second")
    checked(copied)


@given(data=st.binary(max_size=60), at=st.integers(0, 2000), cut=st.integers(0, 60))
def test_any_bytes_in_the_middle_of_annotations_give_no_exception(copied: Path, data: bytes, at: int, cut: int) -> None:
    whole = (INVENTED / B).read_bytes()
    (copied / B).write_bytes(whole[:at] + data + whole[at + cut :])
    checked(copied)


YAML_BITS = [
    "- ",
    "a: ",
    "? ",
    "[",
    "]",
    "{",
    "}",
    ", ",
    "\n",
    "  ",
    "'",
    '"',
    "# ",
    "&a ",
    "*a ",
    "!t ",
    "|\n",
    ">-\n",
    "<<: ",
    "---\n",
    "%",
    "\\",
    "\t",
    "é",
    "\u2028",
]


@given(bits=st.lists(st.sampled_from(YAML_BITS), max_size=60))
def test_any_marks_of_yaml_give_no_exception(copied: Path, bits: list[str]) -> None:
    (copied / B).write_text("".join(bits), encoding="utf-8")
    assert checked(copied)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the path of everything in what was typed."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(inner for key, child in children for inner in paths(child, (*path, key)))]


TYPED = yaml.load((INVENTED / B).read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)  # noqa: S506  # text alone
SCALARS = st.text(max_size=12) | st.sampled_from(
    [
        "no",
        "1:30",
        "010",
        "1e9",
        "-1",
        ".nan",
        "2019-02-30",
        "XXXX-XX",
        "{2019}",
        "second-t1",
        "bruno-salt",
        "he",
        "repeat",
        "person",
    ]
)
VALUES = st.recursive(
    SCALARS | st.none(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(SCALARS | st.sampled_from(["id", "use", "kind", "text"]), inner, max_size=3)
    ),
    max_leaves=5,
)


@given(
    where=st.lists(st.sampled_from(paths(TYPED)), min_size=1, max_size=3), new=st.lists(VALUES, min_size=3, max_size=3)
)
def test_nearly_sound_annotations_give_no_exception(copied: Path, where: list[tuple[Any, ...]], new: list[Any]) -> None:
    whole = copy.deepcopy(TYPED)
    for path, value in zip(where, new, strict=False):
        whole = replaced(whole, path, value)
    (copied / B).write_text(yaml.safe_dump(whole, allow_unicode=True, sort_keys=False), encoding="utf-8")
    checked(copied)


def replaced(whole: Any, path: tuple[Any, ...], value: Any) -> Any:
    """Return what was typed with something else at a path, if the path is still there."""
    if not path:
        return value
    there = (isinstance(whole, dict) and path[0] in whole) or (
        isinstance(whole, list) and isinstance(path[0], int) and path[0] < len(whole)
    )
    if there:
        whole[path[0]] = replaced(whole[path[0]], path[1:], value)
    return whole
