"""The real corpus: the seeds are the articles, and the annotations are proved; `make in-step` builds dist/ again."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pandas as pd
import pytest

import defectors_data
from conftest import PROJECT, found_in

SEEDS = {
    "000_d0d957609dc7296e.txt": 7218,
    "001_ce5ec571f8af0d4d.txt": 9008,
    "003_491eb239102aac66.txt": 6395,
    "004_cec9d586c5f71784.txt": 13002,
}


@pytest.fixture(scope="module")
def tables() -> dict[str, pd.DataFrame]:
    return {name: defectors_data.load(name) for name in defectors_data.tables()}


def test_the_annotations_have_no_findings() -> None:
    assert found_in(PROJECT) == []


def test_the_seeds_are_the_articles(tables: dict[str, pd.DataFrame]) -> None:
    assert {path.name: path.stat().st_size for path in (PROJECT / "seeds").iterdir()} == SEEDS
    for row in tables["sources"].itertuples():
        assert hashlib.sha256((PROJECT / "seeds" / str(row.seed_file)).read_bytes()).hexdigest() == row.sha256


def test_every_span_slices_its_words_out_of_the_seed(tables: dict[str, pd.DataFrame]) -> None:
    files = dict(zip(tables["sources"]["source_id"], tables["sources"]["seed_file"], strict=True))
    for span in tables["spans"].itertuples():
        text = (PROJECT / "seeds" / files[str(span.source_id)]).read_bytes().decode("utf-8")
        assert text[span.start_offset : span.end_offset] == span.exact


def test_every_record_has_a_span(tables: dict[str, pd.DataFrame]) -> None:
    proved = set(tables["spans"]["record_id"])
    for name, key in (("testimonies", "testimony_id"), ("figures", "figure_id"), ("mentions", "mention_id")):
        assert set(tables[name][key]) <= proved
    assert set(tables["ledger"]["waiver_id"].dropna()) <= proved


def test_nothing_joins_a_protected_speaker_across_sources(tables: dict[str, pd.DataFrame]) -> None:
    speakers = tables["speakers"]
    hidden = speakers[speakers["protected"] | (speakers["kind"] == "group")]
    for speaker in hidden.itertuples():
        assert str(speaker.speaker_id).startswith(f"{speaker.source_id}-speaker-")
        for name in ("mentions", "testimonies"):
            found = tables[name].query("speaker_id == @speaker.speaker_id")["source_id"]
            assert set(found) <= {speaker.source_id}


def test_numbers_stay_numbers_in_pandas(tables: dict[str, pd.DataFrame]) -> None:
    schemas: dict[str, Any] = {r["name"]: r.get("schema") for r in defectors_data.descriptor()["resources"]}
    for name, table in tables.items():
        for field in schemas[name]["fields"]:
            if field["type"] in ("integer", "number", "boolean"):
                assert str(table[field["name"]].dtype) in ("int64", "Int64", "float64", "boolean"), (name, field)


def test_a_table_that_is_not_there_is_named_with_those_that_are() -> None:
    with pytest.raises(KeyError, match="testimonies"):
        defectors_data.load("testimonys")


def test_the_version_is_the_same_everywhere() -> None:
    pyproject = (PROJECT / "pyproject.toml").read_text(encoding="utf-8")
    version = json.loads((PROJECT / "dist/datapackage.json").read_text(encoding="utf-8"))["version"]
    assert f'\nversion = "{version}"\n' in pyproject
    assert f"## {version} " in (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")
