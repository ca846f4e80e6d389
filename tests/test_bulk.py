"""A corpus of parts is judged as a small one is: what passes by in blocks is found like what is held at once."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import INVENTED
from defectors_data import bulk, examining, judging, parts, reading, sharding
from defectors_data.examining import Examined
from defectors_data.judging import Asked

CHECKED = Asked(tables=False)
ALL_SHARED = ("dataset.yaml", "annotations/vocabulary.yaml", "annotations/speakers.yaml")


def in_parts(root: Path, target: Path, *, size: int = 1) -> Path:
    """Write a corpus anew in parts of a few sources."""
    corpus, findings = reading.read(root)
    assert corpus, findings
    for folder in ("annotations", "seeds"):
        (target / folder).mkdir(parents=True)
    for file in (*ALL_SHARED, "annotations/comparisons.yaml"):
        if (root / file).exists():
            shutil.copy(root / file, target / file)
    sources = sorted(map(sharding.loose, corpus.shards))
    for i in range(0, len(sources), size):
        part = sharding.packed(sources[i : i + size])
        (target / f"annotations/part-{i}.jsonl").write_bytes(part.annotations)
        (target / f"seeds/part-{i}.parquet").write_bytes(part.texts)
    return target


def both(root: Path, asked: Asked = CHECKED) -> tuple[Examined, Examined]:
    """Return what is found in a corpus of parts as it passes by, and when it is held at once."""
    skip = judging.skipped_rules(asked)
    return bulk.examine(root, asked).examined, examining.judged(*reading.read(root), skip=skip)


@pytest.fixture(scope="module")
def invented_parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return in_parts(INVENTED, tmp_path_factory.mktemp("parts") / "project")


@pytest.mark.parametrize("size", [1, 256])
def test_of_a_corpus_without_faults_both_saw_as_much(
    invented_parts: Path, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(parts.blocks.__kwdefaults__ or {}, "size", size)
    passing, held = both(invented_parts)
    assert passing.findings == held.findings == []
    assert passing.rules == held.rules
    assert sum(rule.findings is None for rule in passing.rules) == len(judging.skipped_rules(CHECKED))


# ---- faults of every kind ------------------------------------------------------------------------------------

Leaf = tuple[Any, Any, Any]
"""A list or dictionary, a key in it, and what stands there."""


def leaves(value: Any) -> Iterator[Leaf]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(items):
        yield value, key, item
        yield from leaves(item)


def lines_of(root: Path) -> dict[Path, list[Any]]:
    files = sorted((root / "annotations").glob("*.jsonl"))
    return {file: [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] for file in files}


ODD: list[Any] = [None, 1e999, float("nan"), -1, 12, "12", "", True, [], {}, "900", "2019-02-31", "\ud800", "x" * 600]


def damage(root: Path, chance: random.Random) -> None:
    """Put something else, or nothing, where something stood: often what stands elsewhere under the same key."""
    lines = lines_of(root)
    everything = [line for of_file in lines.values() for line in of_file]
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        found = list(leaves(chance.choice(everything)))
        holder, key, value = chance.choice(found)
        alike = [other for line in everything for _, name, other in leaves(line) if name == key and other != value]
        match chance.randrange(5):
            case 0 if isinstance(holder, dict):
                del holder[key]
            case 0 | 1:
                holder[key] = chance.choice(ODD)
            case 2 if isinstance(holder, dict):
                holder[chance.choice(["id", "note", "name", "extra"])] = value
            case _ if alike:
                holder[key] = json.loads(json.dumps(chance.choice(alike)))
            case _ if isinstance(value, str) and value:
                at = chance.randrange(len(value))
                holder[key] = value[:at] + chance.choice(["’", " ", "example-t1", "\u202e", '"']) + value[at + 1 :]
    for file, of_file in lines.items():
        file.write_text("".join(json.dumps(line) + "\n" for line in of_file), encoding="utf-8")


@given(seed=st.integers(min_value=0, max_value=2**32))
def test_what_is_found_in_passing_is_what_is_found_at_once(
    seed: int, invented_parts: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path_factory.mktemp("damaged") / "project"))
    damage(root, random.Random(seed))  # noqa: S311  # nothing is secret
    passing, held = both(root)
    assert passing.findings == held.findings
    assert [(rule.rule, rule.findings) for rule in passing.rules] == [(r.rule, r.findings) for r in held.rules]
    shutil.rmtree(root)
