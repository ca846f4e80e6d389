"""Findings, time and memory are bounded, however large or strange a file is."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from calling import run
from conftest import INVENTED, edit, found_in, spread
from defectors_data.corpus import findings, reader, seed_limits, validation_errors, yaml_reader
from defectors_data.evidence import comparisons, completeness_ledger
from defectors_data.models import fields
from defectors_data.rules import RULES, subjects
from defectors_data.text import (
    attributions,
    detection,
    non_quantities,
    numerals,
    offsets,
    quantities,
    similar_words,
    wording_differences,
)
from defectors_data.text.english import sentences, sources
from finding_output import told_of_findings
from mistakes import LAUGHS, MIB, SECOND, A, B, a_tiny_bomb, longer


def test_of_a_flood_a_hundred_findings_are_shown_and_the_rest_are_counted(copied: Path) -> None:
    record = "  - {evidence: x, hedge: q, unit: q, measure: q, counted: q, low: q}\n"
    edit(copied, A, "\nfigures:\n", f"\nfigures:\n{record * 90}")
    ran = run("check", where=copied)
    assert ran.stdout.count("\n" + A) + 1 == findings.MOST_SHOWN + 1
    assert told_of_findings(ran.stdout).splitlines()[-1] == f"{A}: at least 81 more. Fix the findings above first."
    assert ran.stderr == "181 findings.\n"
    assert len(json.loads(run("check", "--format", "json", where=copied).stdout)["findings"]) == 181


def test_findings_about_one_file_are_limited(copied: Path) -> None:
    edit(copied, A, "\nfigures:\n", "\nfigures:\n" + "  - {hedge: q, unit: q, measure: Q, counted: ''}\n" * 1500)
    assert len(found_in(copied)) <= validation_errors.MOST_REPORTED


def test_a_file_has_a_bounded_number_of_values() -> None:
    """Events of a list: one for each item, and two each for the list, the document and the stream."""
    most = yaml_reader.MOST - 6
    assert yaml_reader.parse(f"[{'x,' * most}]", file="x").findings == []
    assert [f.code for f in yaml_reader.parse(f"[{'x,' * (most + 1)}]", file="x").findings] == ["file-too-large"]


def test_parsing_ends_where_a_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long a file is, no more of its events are read than are allowed."""
    read: list[object] = []
    get_event = yaml.CBaseLoader.get_event

    def counted(loader: yaml.CBaseLoader) -> Any:
        read.append(loader)
        return get_event(loader)

    monkeypatch.setattr(yaml.CBaseLoader, "get_event", counted)
    for text, most in (
        (f"[{'x,' * 500_000}]", yaml_reader.MOST + 1),
        ("[" * 500_000, yaml_reader.DEEPEST + 3),
        ("- " * 500_000, yaml_reader.DEEPEST + 3),
        (LAUGHS, 6),
        (a_tiny_bomb(), 6),
    ):
        read.clear()
        assert yaml_reader.parse(text, file="x").findings
        assert 0 < len(read) <= most


def test_a_large_file_is_refused_before_it_is_read(copied: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.truncate(copied / A, 100 * MIB)
    opened: list[str] = []
    real = os.open

    def noted(path: Path, *rest: int) -> int:
        opened.append(str(path))
        return real(path, *rest)

    monkeypatch.setattr(os, "open", noted)
    assert [finding.code for finding in found_in(copied)] == ["file-too-large"]
    assert str(copied / A) not in opened
    assert str(copied / B) in opened


def test_the_nearest_words_are_looked_for_a_bounded_number_of_times(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def counted(words: str, _: str, **__: str) -> list[offsets.Span]:
        calls.append(words)
        return []

    monkeypatch.setattr(similar_words, "nearest", counted)
    waivers = "".join(f"  - {{id: example-w{i}, evidence: not there {i}, reason: idiom}}\n" for i in range(10, 400))
    edit(copied, A, "\nwaivers:\n", f"\nwaivers:\n{waivers}")
    assert len(found_in(copied)) == 390
    assert len(calls) == findings.MOST_SHOWN


GROWING = (
    "twenty-",
    "hundred and ",
    "5 and ",
    "between 5 and ",
    "not even a kilo ",
    "a decade ",
    "said that ",
    "a.",
    "-",
    "' ",
    "“ab ",
    "“a” ",
    "a” ",
    "1,111,",
    "Jan 1 ",
    " ",
    "\n",
    "Iven, a keeper of many winters, crossed in the boat once more. ",
)


def steps(root: Path, text: str) -> int:
    """Return how many functions are called to examine the project with this text behind its second seed."""
    shutil.copy(INVENTED / SECOND, root / SECOND)
    longer(text)(root)
    count = 0

    def called(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(called)
    try:
        found_in(root)
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("unit", spread(GROWING, 6))
def test_twice_as_long_a_seed_takes_no_more_than_twice_the_steps(copied: Path, unit: str) -> None:
    steps(copied, "")  # what is done once in a process
    first, second, third = (steps(copied, unit * (300 * times)) for times in (1, 2, 4))
    assert third - second <= 2.2 * max(second - first, 1000)


def test_places_are_found_without_counting_lines_again(copied: Path) -> None:
    """Thousands of places of one text are asked for, and the lines of each file are looked for once."""
    longer("7 and so on\n" * 5_000)(copied)
    offsets.line_starts.cache_clear()
    assert len(found_in(copied)) == 1_000
    read = [*copied.rglob("*.yaml"), copied / SECOND]  # all findings are in one seed
    assert offsets.line_starts.cache_info().misses <= len(read)


LONG = (
    "a",
    "1",
    " ",
    "-",
    "_",
    ".",
    ",",
    "\n",
    "\u00a0",
    "a-",
    "1,",
    "1.",
    "a ",
    "a1",
    "A1 ",
    "Aa ",
    "é",
    "“",
    "'",
    "#",
)


CHECKED = [
    attributions,
    completeness_ledger,
    seed_limits,
    comparisons,
    detection,
    non_quantities,
    numerals,
    quantities,
    reader,
    similar_words,
    wording_differences,
]
CHECKED += [sentences, sources, offsets, fields, yaml_reader, subjects]
CHECKED += [sys.modules[name] for name in sorted({rule.function.__module__ for rule in RULES})]
ANCHORED = {"_PERSONS", "_COMMENT", "_NEXT", "_ATTRIBUTION", "_ITEM", "_WITH_TO", "_WORD_AFTER"}
"""Patterns that are held against a place or a whole word, never looked for in a text."""


def patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Give every compiled pattern of the modules that see what people wrote, and those of the models."""
    for module in CHECKED:
        for name, value in vars(module).items():
            listed = value if isinstance(value, tuple) else (value,)
            for item in (inner for entry in listed for inner in (entry if isinstance(entry, tuple) else (entry,))):
                if isinstance(item, re.Pattern):
                    yield name, item
    yield from (("FORMS", re.compile(pattern)) for pattern in fields.FORMS)


@pytest.mark.parametrize(("name", "pattern"), list(patterns()))
def test_no_pattern_backtracks(name: str, pattern: re.Pattern[str]) -> None:
    """One that does would be busy with these texts for longer than anybody waits."""
    for unit in LONG:
        text: Any = unit * (10_000 // len(unit)) + "!"
        if isinstance(pattern.pattern, bytes):
            text = text.encode()
        whole = pattern.fullmatch(text)
        assert whole is None or whole[0] == text
        if name not in ANCHORED:
            assert len(pattern.findall(text)) <= len(text)
