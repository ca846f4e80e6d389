"""The corpus that is measured is the same each time and keeps every rule; the page is made of what was recorded."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import floor
import generator
import invented_words
import page
import recorded
import running
import scenes
import stages
from conftest import checked, documents_of

SOURCES = 40


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_an_invented_corpus_keeps_every_rule(tmp_path: Path) -> None:
    generator.generate(tmp_path, 10 * SOURCES, small=True)
    assert checked(tmp_path).findings == []
    documents = documents_of(tmp_path)
    testimonies = sum(len(document.testimonies) for document in documents)
    figures = sum(len(document.figures) for document in documents)
    assert len(documents) == SOURCES
    assert (testimonies, figures) == (7 * SOURCES, 3 * SOURCES)


def test_an_invented_corpus_shows_every_rule_something(tmp_path: Path) -> None:
    generator.generate(tmp_path, 10 * SOURCES, small=True)
    blind = {rule.rule for rule in checked(tmp_path).rules if not rule.seen}
    of_releases = {"id-reassigned", "id-removed-without-tombstone", "missing-correction", "needless-correction"}
    assert blind == {*of_releases, "version-too-low", "draft-record"}, "nothing was released, and nothing is a draft"


def test_a_corpus_has_the_same_bytes_each_time(tmp_path: Path) -> None:
    for name in ("one", "other"):
        generator.generate(tmp_path / name, 100, sources_per_part=4)
    assert files(tmp_path / "one") == files(tmp_path / "other")


def test_parts_hold_what_the_small_layout_holds(tmp_path: Path) -> None:
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


def test_texts_of_a_part_are_those_that_the_annotations_pin(tmp_path: Path) -> None:
    generator.generate(tmp_path, 50)
    texts = pq.read_table(tmp_path / "seeds" / "part-00000.parquet").to_pydict()
    lines = (tmp_path / "annotations" / "part-00000.jsonl").read_text(encoding="utf-8").splitlines()
    sources = [json.loads(line)["source"] for line in lines]
    assert texts["source_id"] == [source["id"] for source in sources]
    assert [hashlib.sha256(text.encode()).hexdigest() for text in texts["text"]] == [s["sha256"] for s in sources]


def test_a_longer_corpus_begins_like_a_shorter_one(tmp_path: Path) -> None:
    for name, annotations in (("short", 40), ("long", 80)):
        generator.generate(tmp_path / name, annotations, sources_per_part=4)
    short, longer = files(tmp_path / "short"), files(tmp_path / "long")
    assert short["annotations/part-00000.jsonl"] == longer["annotations/part-00000.jsonl"]
    assert short["seeds/part-00000.parquet"] == longer["seeds/part-00000.parquet"]


@pytest.mark.parametrize("annotations", [0, -10, 15])
def test_annotations_come_in_tens(tmp_path: Path, annotations: int) -> None:
    with pytest.raises(ValueError, match="not a positive multiple"):
        generator.generate(tmp_path, annotations)


def test_no_two_persons_have_one_name() -> None:
    names = {invented_words.person(number) for number in range(50_000)}
    assert len(names) == 50_000
    assert len({given + surname for given, surname in names}) == 50_000


def test_among_millions_each_half_of_a_surname_is_made_in_one_way() -> None:
    onsets, middles, more, endings = (set(parts) for parts in reversed(invented_words.SURNAME_PARTS))
    first = [onset + middle for onset in onsets for middle in middles]
    second = [some + ending for some in more for ending in endings]
    assert len(set(first)) == len(first)
    assert len(set(second)) == len(second)
    millions = [invented_words.person(number)[1] for number in (499_999, 500_000, 4_000_005)]
    assert ["-" in surname for surname in millions] == [False, True, True]


def test_there_are_names_for_a_million_sources() -> None:
    assert invented_words.PERSONS > scenes.SHARED_PERSONS + scenes.PERSONS_OF_A_SOURCE * 1_000_000


def test_plain_python_finds_the_words_where_we_do(tmp_path: Path) -> None:
    generator.generate(tmp_path / "bulk", 10 * SOURCES)
    generator.generate(tmp_path / "small", 10 * SOURCES, small=True)
    (tmp_path / "out").mkdir()
    floor.run(tmp_path / "bulk", tmp_path / "out")
    documents = documents_of(tmp_path / "small")
    ours = {
        record.id: (found[0].start, found[-1].end)
        for document in documents
        for path, record in document.testimonies
        if (found := document.at((*path, "evidence")))
    }
    theirs = pq.read_table(tmp_path / "out" / "testimonies.parquet").to_pylist()
    assert {row["id"]: (row["start"], row["end"]) for row in theirs} == ours
    spans = sum(len(cited.parts) for document in documents for cited in document.cited)
    assert pq.read_table(tmp_path / "out" / "spans.parquet").num_rows == spans


# ---- what was recorded, and the page ---------------------------------------------------------------------------


START = {
    "runs": 9,
    "bars": [
        {"what": "`check`", "against": "import a", "ratio": 2.0, "lowest": 1.0, "highest": 3.0, "bar": 3},
    ],
}


def record(results: Path, size: int, **cpu: float) -> None:
    """Record invented costs of a size: each task three times, around the CPU time that is given."""
    runs = {
        name.replace("_", "-"): [[c, 2 * c, 300.0] for c in (time * 0.9, time, time * 1.5)]
        for name, time in cpu.items()
    }
    stages = {"rows.records:arrow": 60, "rows.provenance:of": 20, "start": 20}
    facts = {"annotations": size, "cores": 2, "python": "3.11", "versions": {"duckdb": "2.0"}, "stages": stages}
    (results / f"scale-{size}.json").write_text(json.dumps({**facts, "runs": runs}), encoding="utf-8")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    (tmp_path / "start.json").write_text(json.dumps(START), encoding="utf-8")
    record(tmp_path, 100_000, ours=1.0, duckdb=0.5, frictionless=3, floor=0.1)
    record(tmp_path, 1_000_000, ours=10.0, duckdb=2.0, floor=5, frictionless=30, cldf=300)
    return tmp_path


def row(page_text: str, beginning: str) -> list[str]:
    [line] = [line for line in page_text.splitlines() if line.startswith(f"| {beginning}")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_page_and_its_charts_are_those_of_what_was_recorded() -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.page(recorded.RESULTS)
    for name, svg in page.charts(recorded.RESULTS).items():
        assert (page.CHARTS / name).read_text(encoding="utf-8") == svg


def test_bars_are_kept_or_not(results: Path) -> None:
    text = page.page(results)
    assert row(text, "build / `frictionless")[1:] == ["≤ 1 x", "0.333 x", "100,000", "met"]
    assert row(text, "build / the plain Python baseline")[1:] == ["≤ 8 x", "10 x", "100,000", "**not met**"]
    assert row(text, "build of a million / of 100,000")[1:] == ["≤ 10.5 x", "10 x", "1,000,000", "met"]
    assert row(text, "peak memory at a million")[1:] == ["≤ 1.15 x", "1 x", "1,000,000", "met"]
    assert row(text, "`check` / `python")[1:] == ["≤ 3 x", "2 x", "", "met"]


def test_a_build_is_judged_from_a_hundred_thousand_annotations(tmp_path: Path) -> None:
    (tmp_path / "start.json").write_text(json.dumps(START), encoding="utf-8")
    record(tmp_path, 10_000, ours=1.0, floor=0.1)
    found = row(page.page(tmp_path), "build / the plain Python baseline")
    assert found[2:] == ["10 x", "10,000", ""]


def test_what_was_not_measured_is_said_to_be(results: Path) -> None:
    two = "build, two processes / one process"
    assert row(page.page(results), two)[1:] == ["≤ 0.6 x", "not measured", "", ""]


def test_the_profile_is_by_folder(results: Path) -> None:
    assert "| `rows` | 80% | `rows.records.arrow` 60%, `rows.provenance.of` 20% |" in page.page(results)


def test_growth_is_the_slope_of_logarithms(results: Path) -> None:
    assert recorded.exponent([(10, 1), (100, 100), (1_000, 10_000)]) == pytest.approx(2)
    assert recorded.exponent([(10, 5), (100, 5)]) == pytest.approx(0)
    assert recorded.exponent([(10, 5)]) is None
    assert row(page.page(results), "`defectors-data build`, one process")[1:] == ["1 / 10", "300 / 300", "1.00"]


def test_charts_are_the_same_each_time_and_told_in_words(results: Path) -> None:
    drawn = page.charts(results)
    assert set(drawn) == {"cpu.svg", "memory.svg"}
    assert drawn == page.charts(results)
    assert all("<title" in svg and "frictionless" in svg for svg in drawn.values())


def test_a_command_costs_what_its_children_cost(tmp_path: Path) -> None:
    spend = "import time; t = time.process_time()\nwhile time.process_time() < t + 0.2: pass"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {spend!r}])"
    cost = running.cost([sys.executable, "-c", code], tmp_path / "log")
    assert cost.cpu >= 0.2
    assert cost.memory > 1


def test_a_command_that_fails_is_no_measurement(tmp_path: Path) -> None:
    with pytest.raises(running.CommandFailedError, match="no good"):
        running.cost([sys.executable, "-c", "import sys; sys.exit('no good')"], tmp_path / "log")


def test_every_task_has_a_name_and_folders_that_there_are(tmp_path: Path) -> None:
    folders = {name: tmp_path / name for name in ("corpus", "result", "cldf", "out")}
    assert set(running.TASKS) == set(page.CALLED)
    for task in running.TASKS.values():
        assert not any("{" in word for word in running.filled(task.command, folders))


def test_what_is_at_work_is_seen(tmp_path: Path) -> None:
    root, seen = tmp_path / "corpus", tmp_path / "seen.json"
    generator.generate(root, 400, small=True)
    command = [sys.executable, str(Path(stages.__file__)), str(seen), "check", "--root", str(root)]
    subprocess.run(command, check=True, capture_output=True)
    looks = json.loads(seen.read_text(encoding="utf-8"))
    assert looks["start"] > 0
    assert any(":" in name for name in looks)
