"""The corpus of the benchmarks has the same bytes each time and no findings, and `make bench` writes a page."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import generator
from conftest import PROJECT, checked, content, documents_of

SOURCES = 40


def test_an_invented_corpus_keeps_every_rule(tmp_path: Path) -> None:
    generator.generate(tmp_path, 10 * SOURCES, small=True)
    assert checked(tmp_path).findings == []
    documents = documents_of(tmp_path)
    testimonies = sum(len(document.testimonies) for document in documents)
    figures = sum(len(document.figures) for document in documents)
    assert len(documents) == SOURCES
    assert (testimonies, figures) == (7 * SOURCES, 3 * SOURCES)


def test_the_invented_corpora_have_subjects_for_every_rule(tmp_path: Path) -> None:
    generator.generate(tmp_path, 10 * SOURCES, small=True)
    blind = {rule.rule for rule in checked(tmp_path).rules if not rule.seen}
    of_releases = {"id-reassigned", "id-removed-without-tombstone", "missing-correction", "needless-correction"}
    absent = {"releases-missing", "version-too-low", "draft-record", "occurrence-may-move"}
    codes = {"place-not-in-words", "code-words-elsewhere", "date-basis-mismatch", "date-words-mismatch"}
    codes |= {"act-text-mismatch", "needless-inference", "statement-mismatch", "example-mismatch"}
    assert blind == {*of_releases, *absent, *codes}, "nothing was released, and nothing is a draft"


def test_a_corpus_has_the_same_bytes_each_time(tmp_path: Path) -> None:
    for name in ("one", "other"):
        generator.generate(tmp_path / name, 100, sources_per_part=4)
    assert content(tmp_path / "one") == content(tmp_path / "other")


def test_a_package_in_parts_has_the_rows_of_a_package_in_single_files(tmp_path: Path) -> None:
    generator.generate(tmp_path / "bulk", 100, sources_per_part=4)
    generator.generate(tmp_path / "small", 100, small=True)
    parts = sorted((tmp_path / "bulk" / "annotations").glob("*.jsonl"))
    lines = [json.loads(line) for part in parts for line in part.read_text(encoding="utf-8").splitlines()]
    assert [len(part.read_bytes().splitlines()) for part in parts] == [4, 4, 2]
    assert [line["source"]["id"] for line in lines] == sorted(line["source"]["id"] for line in lines)
    for line in lines:
        written = (tmp_path / "small" / "annotations" / f"{line['source']['id']}.yaml").read_text(encoding="utf-8")
        assert json.loads(written) == line
    for name in ("dataset.yaml", "annotations/vocabulary.yaml", "annotations/speakers.yaml"):
        assert (tmp_path / "bulk" / name).read_bytes() == (tmp_path / "small" / name).read_bytes()


@pytest.mark.deep
@pytest.mark.sweep
def test_one_run_measures_everything_and_writes_one_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    command = [sys.executable, "tools/benchmarks/bench.py", "--sizes", "100", "200", "100", "--page", str(page)]
    subprocess.run(command, check=True, capture_output=True, cwd=PROJECT)
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    assert len(rows) == 18 + 12, "two tables with their headings"
    assert all(row.split(" | ")[1].strip(" |") for row in rows)
