"""The corpus that is measured is the same each time and keeps every rule; the page is made of what was recorded."""

import hashlib
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import generator
import invented_words
import scenes
from defectors_data import examining

SOURCES = 40


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def test_an_invented_corpus_keeps_every_rule(tmp_path: Path) -> None:
    generator.generate(tmp_path, 10 * SOURCES, small=True)
    examined = examining.examine(tmp_path)
    assert examined.proof is not None
    assert examined.findings == []
    shards = examined.proof.corpus.shards
    testimonies = sum(len(shard.content.testimonies) for shard in shards)
    figures = sum(len(shard.content.figures) for shard in shards)
    assert len(shards) == SOURCES
    assert (testimonies, figures) == (7 * SOURCES, 3 * SOURCES)


def test_an_invented_corpus_shows_most_rules_something(tmp_path: Path) -> None:
    generator.generate(tmp_path, 10 * SOURCES, small=True)
    blind = {rule.rule for rule in examining.examine(tmp_path).rules if not rule.seen}
    assert blind <= {
        "inferred-without-note",
        "balanced-after-all",
        "unbalanced-cut",
        "about-the-speaker",
        "override-not-needed",
        "note-of-no-conflict",
        "withdrawn-words",
        "withdrawn-id",
        "withdrawn-out-of-text",
    }


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
    with pytest.raises(ValueError, match="no positive multiple"):
        generator.generate(tmp_path, annotations)


def test_no_two_persons_have_one_name() -> None:
    names = {invented_words.person(number) for number in range(50_000)}
    assert len(names) == 50_000
    assert len({given + surname for given, surname in names}) == 50_000


def test_there_are_names_for_a_million_sources() -> None:
    assert invented_words.PERSONS > scenes.SHARED_PERSONS + scenes.PERSONS_OF_A_SOURCE * 1_000_000
