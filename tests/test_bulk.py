"""A corpus of parts is judged as a small one is: what passes by in blocks is found like what is held at once."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import frictionless
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import generator
from calling import Ran, run
from conftest import INVENTED, PROJECT
from defectors_data import (
    bulk,
    crossing,
    examining,
    express,
    formats,
    ingesting,
    judging,
    lines,
    parts,
    passing,
    reading,
    releasing,
    streaming,
)
from defectors_data.examining import Examined
from defectors_data.express import World
from defectors_data.files import Tree
from defectors_data.judging import Asked, Judged

CHECKED = Asked(tables=False)
PLAIN = Asked(ledger=False, provenance=False, rules=False)


def both(root: Path, asked: Asked = CHECKED) -> tuple[Examined, Examined]:
    """Return what is found in a corpus of parts as it passes by, and when it is held at once."""
    skip = judging.skipped_rules(asked)
    return bulk.examine(root, asked).examined, examining.judged(*reading.read(root), skip=skip)


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


def typed_in(root: Path) -> dict[Path, list[Any]]:
    files = sorted((root / "annotations").glob("*.jsonl"))
    return {file: [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] for file in files}


ODD: list[Any] = [None, 1e999, float("nan"), -1, 12, "12", "", True, [], {}, "900", "2019-02-31", "\ud800", "x" * 600]


def damage(root: Path, chance: random.Random) -> None:
    """Put something else, or nothing, where something stood: often what stands elsewhere under the same key."""
    typed = typed_in(root)
    everything = [line for of_file in typed.values() for line in of_file]
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
    for file, of_file in typed.items():
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


@pytest.mark.parametrize("asked", [CHECKED, PLAIN])
def test_a_relation_between_sources_is_told_and_not_passed_over(
    asked: Asked, invented_parts: Path, tmp_path: Path
) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path / "project"))
    typed = typed_in(root)
    ours, theirs = (typed[root / f"annotations/part-{i}.jsonl"][0] for i in (0, 1))
    result, of = next((a["id"], b["id"]) for a in ours["figures"] for b in theirs["figures"] if a["unit"] == b["unit"])
    relation = {"id": f"{ours['source']['id']}-r9", "kind": "part_of", "result": result, "of": [of]}
    ours.setdefault("relations", []).append({**relation, "note": "Of another coast."})
    (root / "annotations/part-0.jsonl").write_text(json.dumps(ours) + "\n", encoding="utf-8")
    found = bulk.examine(root, asked).examined.findings
    assert [(finding.code, finding.place.file) for finding in found] == [
        ("relation-of-nothing", "annotations/part-0.jsonl")
    ]


NAMES_OF_SEEDS: dict[str, tuple[str, str, int]] = {
    "both after neither source": ("report.txt", "report.txt", 1),
    "the first after its own, the second too": ("example.txt", "example.txt", 1),
    "the second after its own, the first too": ("second.txt", "second.txt", 1),
    "each after its own": ("example.txt", "second.txt", 0),
    "each after the other": ("second.txt", "example.txt", 0),
    "all but the ending": ("report", "report.txt", 0),
    "like a speaker": ("bruno-salt.txt", "mira-fenn.txt", 0),
}


@pytest.mark.parametrize("asked", [CHECKED, PLAIN], ids=["models", "short way"])
@pytest.mark.parametrize("case", NAMES_OF_SEEDS)
def test_no_two_seeds_have_one_name(case: str, asked: Asked, invented_parts: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path / "project"))
    *called, faults = NAMES_OF_SEEDS[case]
    for (file, [line]), seed in zip(typed_in(root).items(), called, strict=True):
        line["source"]["seed"] = seed
        file.write_text(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    passing_by, held = both(root, asked)
    assert passing_by.findings == held.findings
    assert [(f.code, f.place.file) for f in held.findings] == [
        ("same-article-twice", "annotations/part-1.jsonl")
    ] * faults
    for finding in held.findings:
        assert finding.message == "A seed has this name in annotations/part-0.jsonl, line 1, already."


# ---- the short way -------------------------------------------------------------------------------------------


def judged_both_ways(root: Path) -> Iterator[tuple[Judged, Judged]]:
    """Give each block of a corpus as the short way judges it, and as the models do."""
    tree, corpus = Tree(root), reading.read(root, only={}).corpus
    assert corpus
    for file in lines.names(tree):
        packed = lines.packed_beside(tree, file)
        assert packed
        for block in parts.blocks(tree.opened, file, packed):
            short = passing.judge(block, file, packed, tree, World.of(corpus), PLAIN)
            yield short, judging.judge(block, file, packed, tree, corpus, PLAIN)


def rows_of(judged: Judged) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a block, in one order: of two tables they stand source by source."""
    rows = {name: table.to_pylist() for name, table in judged.tables.items() if table.num_rows}
    return {name: sorted(held, key=repr) if name in releasing.UNORDERED else held for name, held in rows.items()}


def assert_alike(short: Judged, by_models: Judged) -> None:
    assert (sorted(short.unread), short.doubtful) == (sorted(by_models.unread), by_models.doubtful)
    if by_models.unread or by_models.doubtful:
        return
    assert rows_of(short) == rows_of(by_models)
    assert (short.parts, short.records, short.ids) == (by_models.parts, by_models.records, by_models.ids)
    assert dict(short.used) == dict(by_models.used)
    for name in ("sources", "texts", "names", "people", "at", "told"):
        assert sorted(set(getattr(short.traces, name))) == sorted(set(getattr(by_models.traces, name))), name
    assert short.traces.uses.keys() == by_models.traces.uses.keys()


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("generated")
    generator.generate(root, 3_000)
    return root


def test_the_short_way_makes_the_rows_that_the_models_make(generated: Path, invented_parts: Path) -> None:
    for root in (generated, invented_parts):
        for short, by_models in judged_both_ways(root):
            assert short.tables
            assert_alike(short, by_models)


def test_the_short_way_takes_nearly_all_that_is_plain(generated: Path) -> None:
    corpus = reading.read(generated, only={}).corpus
    assert corpus
    world, taken, refused = World.of(corpus), 0, 0
    for block in parts.blocks(Tree(generated).opened, "annotations/part-00000.jsonl", "seeds/part-00000.parquet"):
        assert block.texts is not None
        for line, text in zip(block.lines, block.texts["text"].to_pylist(), strict=True):
            try:
                express.take(express.read(line), text, world)
            except express.NotPlain:
                refused += 1
            else:
                taken += 1
    assert taken > 20 * refused > 0


@given(seed=st.integers(min_value=0, max_value=2**32))
def test_the_short_way_takes_nothing_that_the_models_refuse(
    seed: int, generated: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    chance = random.Random(seed)  # noqa: S311
    root = Path(shutil.copytree(generated, tmp_path_factory.mktemp("damaged") / "project"))
    few_sources(root, chance)
    damage(root, chance)
    for short, by_models in judged_both_ways(root):
        assert_alike(short, by_models)
    shutil.rmtree(root)


def few_sources(root: Path, chance: random.Random) -> None:
    """Leave a few sources of a part in a row, and their texts."""
    file, texts = root / "annotations/part-00000.jsonl", root / "seeds/part-00000.parquet"
    kept = file.read_text(encoding="utf-8").splitlines(keepends=True)
    start = chance.randrange(len(kept) - 4)
    file.write_text("".join(kept[start : start + 4]), encoding="utf-8")
    pq.write_table(pq.read_table(texts).slice(start, 4), texts)


# ---- what readers of JSON disagree about ---------------------------------------------------------------------

DISPUTED: dict[str, tuple[str, str, str | None]] = {
    "NaN": ('"age":36', '"age":NaN', "json-syntax"),
    "an infinity": ('"age":36', '"age":-Infinity', "json-syntax"),
    "a number too large to be one": ('"age":36', '"age":1e999', "wrong-value"),
    "a number in marks": ('"age":36', '"age":"36"', None),
    "a number with an exponent": ('"age":36', '"age":3.6e1', "wrong-value"),
    "a whole number with a fraction": ('"age":36', '"age":36.0', "wrong-value"),
    "a number that is true": ('"age":36', '"age":true', "wrong-value"),
    "a number with a zero before it": ('"age":36', '"age":036', "json-syntax"),
    "a number with a sign": ('"age":36', '"age":+36', "json-syntax"),
    "words that are a number": ('"language":"en"', '"language":1', "wrong-value"),
    "a key that stands twice": ('"language":"en"', '"language":"en","language":"en"', "duplicate-key"),
    "the same, escaped": (
        '"language":"en"',
        '"language":"en","l\\u0061nguage":"en"',
        "duplicate-key",
    ),
    "a key in single marks": ('"language":"en"', "'language':\"en\"", "json-syntax"),
    "a comma too many": ('"language":"en"', '"language":"en",', "json-syntax"),
    "a comment": ('"language":"en"', '"language":"en"/* */', "json-syntax"),
    "escaped letters": ('"language":"en"', '"language":"\\u0065n"', None),
    "half of a surrogate pair": ('"rights":"Nobody"', '"rights":"Nobody \\ud83d"', "json-syntax"),
    "a surrogate pair": ('"rights":"Nobody"', '"rights":"Nobody \\ud83d\\ude42"', None),
    "a line feed inside words": ('"rights":"Nobody"', '"rights":"No\tbody"', "json-syntax"),
    "null for what may be empty": ('"rights":"Nobody"', '"rights":"Nobody","note":null', None),
    "null for what may not": ('"rights":"Nobody"', '"rights":null', "wrong-value"),
    "31 February": ('"value":"2019-03~"', '"value":"2019-02-31"', "wrong-value"),
    "white space": ('"language":"en"', ' "language" :\t"en" ', None),
    "a byte order mark": ('{"source"', '\ufeff{"source"', "json-syntax"),
    "a second value": ('{"source"', '{}{"source"', "json-syntax"),
}


@pytest.mark.parametrize("asked", [CHECKED, PLAIN], ids=["models", "short way"])
@pytest.mark.parametrize("name", DISPUTED)
def test_what_readers_of_json_disagree_about_is_judged_alike(
    name: str, asked: Asked, invented_parts: Path, tmp_path: Path
) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path / "project"))
    old, new, code = DISPUTED[name]
    file = root / "annotations/part-0.jsonl"
    line = file.read_text(encoding="utf-8")
    assert old in line
    file.write_text(line.replace(old, new, 1), encoding="utf-8")
    passing_by, held = both(root, asked)
    assert passing_by.findings == held.findings
    assert [finding.code for finding in held.findings] == ([code] if code else [])


# ---- parts that are not what they should be ------------------------------------------------------------------


@pytest.mark.parametrize("asked", [CHECKED, PLAIN], ids=["models", "short way"])
def test_without_any_source_nothing_takes_the_place_of_a_release(
    asked: Asked, invented_parts: Path, tmp_path: Path
) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path / "project"))
    for i in (0, 1):
        (root / f"annotations/part-{i}.jsonl").write_bytes(b"")
        (root / f"seeds/part-{i}.parquet").unlink()
    assert "nothing-annotated" in {finding.code for finding in bulk.examine(root, asked).examined.findings}
    assert {f.code for f in reading.read(root).findings} == {"nothing-annotated"}
    assert [f.code for f in ingesting.ingest(root, tmp_path / "out", size=9, told=untold).findings] == [
        "nothing-annotated"
    ]
    assert not (tmp_path / "out").exists()


def test_texts_are_packed_beside_a_part_once(invented_parts: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path / "project"))
    (root / "seeds/part-0.arrow").write_bytes(b"")
    passing_by, held = both(root)
    assert [(f.code, f.place.file) for f in held.findings] == [("part-without-texts", "seeds/part-0.arrow")]
    assert passing_by.findings == held.findings


def test_however_many_sources_are_looked_at_for_nothing_none_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crossing, "MOST", 1)
    crossed = crossing.Crossed()
    traces = judging.Traces.of(4)
    for number in range(4):
        traces.sources[number], traces.texts[number] = number + 1, 7
    crossed.add(judging.Judged("part", 1, ids=("a", "d"), ends=(1, 4), sources=4, doubtful=[2, 3], traces=traces))
    world = reading.read(INVENTED).corpus
    assert world
    assert crossed.suspects(world, []) == {"part": {1, 2, 3, 4}}


# ---- what is published ---------------------------------------------------------------------------------------


def tables_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "data").glob("*.csv"))}


@pytest.mark.parametrize("asked", [Asked(), PLAIN])
def test_a_release_is_the_same_with_one_process_and_with_two(
    asked: Asked, invented_parts: Path, tmp_path: Path
) -> None:
    for jobs in (1, 2):
        done = releasing.release(invented_parts, tmp_path / f"dist-{jobs}", asked, jobs=jobs)
        assert (done.outcome, done.seen.examined.findings, done.warnings) == ("published", [], [])
    files = [
        {p.relative_to(d): p.read_bytes() for p in d.rglob("*") if p.is_file()} for d in sorted(tmp_path.iterdir())
    ]
    assert files[0] == files[1]


def test_a_csv_of_a_release_is_that_of_a_small_one(invented_parts: Path, package: Path, tmp_path: Path) -> None:
    releasing.release(invented_parts, tmp_path / "dist", Asked())
    small, large = tables_in(package), tables_in(tmp_path / "dist")
    assert small.keys() - large.keys() == {f"{name}.csv" for name in judging.BESIDE}
    for name in large:
        if name.removesuffix(".csv") in releasing.UNORDERED:
            assert set(large[name].splitlines()) <= set(small[name].splitlines()), name
        else:
            assert large[name] == small[name], name


def test_a_release_is_valid_for_frictionless(invented_parts: Path, tmp_path: Path) -> None:
    releasing.release(invented_parts, tmp_path / "dist", Asked())
    report = frictionless.Package.from_descriptor(str(tmp_path / "dist/datapackage.json")).validate()
    assert report.valid, report.flatten(["type", "message"])


def test_with_a_finding_nothing_is_published(invented_parts: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path / "project"))
    assert releasing.release(root, tmp_path / "dist", PLAIN).outcome == "published"
    before = tables_in(tmp_path / "dist")
    file = root / "annotations/part-1.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace('"mode":"direct"', '"mode":"dirct"', 1), encoding="utf-8")
    done = releasing.release(root, tmp_path / "dist", PLAIN)
    assert [finding.code for finding in done.seen.examined.findings] == ["wrong-value"]
    assert done.outcome is None
    assert tables_in(tmp_path / "dist") == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dist", "project"]


@given(rows=st.lists(st.tuples(st.text(max_size=8), st.none() | st.integers(-9, 9), st.none() | st.floats(-9, 9))))
def test_a_csv_made_by_column_is_that_made_by_row(rows: list[tuple[str, int | None, float | None]]) -> None:
    fields: Any = [("a", pa.string()), ("b", pa.int64()), ("c", pa.float64())]
    schema = pa.schema(fields)
    columns: Any = list(zip(*rows, strict=True)) or [[], [], []]
    table = pa.table(columns, schema=schema)
    made = bytes(streaming.as_csv([streaming.text_of(column.combine_chunks()) for column in table.columns]))
    assert b"a,b,c\n" + made == formats.to_csv(table)


# ---- the command line ----------------------------------------------------------------------------------------


def test_a_corpus_is_put_into_parts_checked_and_published(tmp_path: Path) -> None:
    def ran(*arguments: str) -> Ran:
        return run(*arguments, where=tmp_path)

    assert ran("shard", "--root", str(INVENTED), "--out", "parts").stdout == "parts: 2 sources in 1 part\n"
    assert ran("shard", "--root", str(INVENTED), "--out", "parts").returncode == 2
    checked = ran("check", "--root", "parts", "--jobs", "2")
    assert checked.stdout.startswith("No findings: 30 testimonies and figures in 2 sources stand in their seeds.\n")
    assert "Not applied here: conflict-without-note, note-of-no-conflict.\n" in checked.stdout
    built = ran("build", "--root", "parts", "--jobs", "1", "--without", "ledger", "--without", "rules")
    assert (built.returncode, built.stdout.splitlines()[0]) == (0, "parts/dist: published"), built.stderr
    assert not list((tmp_path / "parts/dist/data").glob("ledger.*"))
    assert ran("verify", "--fast", "parts/dist").returncode == 0
    assert ran("build", "--root", str(INVENTED), "--out", "small", "--jobs", "2").returncode == 2


@pytest.mark.parametrize(
    ("file", "told"),
    [
        ("annotations/part-0.jsonl", ["annotations/part-0.jsonl"]),
        ("seeds/part-1.parquet", ["seeds/part-1.parquet/901_second.txt"]),
        ("annotations/part-1.jsonl", ["seeds/part-1.parquet/901_second.txt"]),
        ("annotations", ["annotations/part-0.jsonl", "seeds/part-1.parquet/901_second.txt"]),
        ("annotations/speakers.yaml", []),
    ],
)
def test_a_part_shows_its_own_findings_alone(file: str, told: list[str], invented_parts: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path / "project"))
    line = root / "annotations/part-0.jsonl"
    line.write_text(line.read_text(encoding="utf-8").replace('"mode":"direct"', '"mode":"dirct"', 1), encoding="utf-8")
    texts = pq.read_table(root / "seeds/part-1.parquet").to_pylist()
    texts[0]["text"] += "\f"
    pq.write_table(pa.Table.from_pylist(texts), root / "seeds/part-1.parquet")
    for file_, [typed] in list(typed_in(root).items())[1:]:
        typed["source"]["sha256"] = hashlib.sha256(texts[0]["text"].encode()).hexdigest()
        file_.write_text(json.dumps(typed) + "\n", encoding="utf-8")
    ran = run("check", root / file, "--root", root, "--jobs", "1", where=root)
    shown = [row.split(":")[0] for row in ran.stdout.splitlines() if re.match(r"\S+:\d+:\d+: ", row)]
    assert (ran.returncode, shown) == (1, told)


# ---- into parts ----------------------------------------------------------------------------------------------


def untold(_sources: int, _share: float) -> None:
    """Tell nobody."""


def test_a_corpus_is_put_into_parts_whatever_its_order(generated: Path, tmp_path: Path) -> None:
    first = ingesting.ingest(generated, tmp_path / "first", size=70, told=untold)
    assert (first.findings, first.sources, first.parts) == ([], 300, 5)
    for name in ("annotations/part-{}.jsonl", "seeds/part-{}.parquet"):
        (tmp_path / "first" / name.format("00000")).rename(tmp_path / "first" / name.format("99999"))
    ingesting.ingest(tmp_path / "first", tmp_path / "second", size=2_000, told=untold)
    whole = (generated / "annotations/part-00000.jsonl").read_bytes()
    assert (tmp_path / "second/annotations/part-00000.jsonl").read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "second"]


def test_files_of_single_sources_are_put_into_parts(tmp_path: Path) -> None:
    done = ingesting.ingest(INVENTED, tmp_path / "parts", size=2_000, told=untold)
    assert (done.sources, done.parts) == (2, 1)
    assert bulk.examine(tmp_path / "parts", CHECKED).examined.findings == []


def test_what_cannot_be_read_is_not_put_into_parts(copied: Path, tmp_path: Path) -> None:
    (copied / "annotations/part.jsonl").write_text('{"source": {"id": "x"}}\n', encoding="utf-8")
    done = ingesting.ingest(copied, tmp_path / "parts", size=2_000, told=untold)
    assert {finding.code for finding in done.findings} == {"json-syntax"}
    assert not (tmp_path / "parts").exists()


def test_of_parts_that_cannot_be_written_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("defectors_data.fs.move", refuse)
    with pytest.raises(OSError, match="No space"):
        ingesting.ingest(INVENTED, tmp_path / "a/b/parts", size=2_000, told=untold)
    assert not list(tmp_path.iterdir())


# ---- what the docs and the commands say of parts ---------------------------------------------------------------


def test_the_part_that_the_docs_write_is_checked_published_and_verified(copied: Path, tmp_path: Path) -> None:
    page = (PROJECT / "docs/shards.md").read_text(encoding="utf-8")
    for name in ("dataset.yaml", "annotations/vocabulary.yaml"):
        (tmp_path / "own" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(copied / name, tmp_path / "own" / name)
    (tmp_path / "own/annotations/speakers.yaml").write_text("speakers: []\n", encoding="utf-8")
    (tmp_path / "own/seeds").mkdir()
    code = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path / "own", check=True)
    assert run("check", where=tmp_path / "own").stdout.startswith("No findings: 1 ")
    assert run("build", "--jobs", "1", where=tmp_path / "own").stdout.startswith("dist: published\n")
    assert run("verify", "--fast", "dist", where=tmp_path / "own").returncode == 0
    verified = run("verify", where=tmp_path / "own")
    assert (verified.returncode, verified.stderr) == (0, "")
    assert "and so not checked: testimonies_joined, comparisons, measure_summary.\n" in verified.stdout
    assert run("verify", "nowhere", where=tmp_path / "own") == Ran(2, "", "There is no folder nowhere.\n")
    assert "texts of parts are packed" in run("locate", "ferry-in", "wind", where=tmp_path / "own").stderr


def test_a_check_leaves_out_what_a_build_leaves_out(invented_parts: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path / "parts"))
    path = root / "annotations/part-0.jsonl"
    line = json.loads(path.read_text(encoding="utf-8"))
    line.pop("waivers")
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    assert "unaccounted" in run("check", "--root", root, "--jobs", "1").stdout
    left_out = run("check", "--root", root, "--jobs", "1", "--without", "ledger", "--rules")
    assert (left_out.returncode, "quantity-unaccounted" in left_out.stdout) == (0, True), left_out.stdout
    refused = run("check", "--root", INVENTED, "--without", "ledger")
    assert (refused.returncode, refused.stdout) == (2, "")


def test_it_is_said_that_there_are_more_faults_than_were_looked_at(
    generated: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = Path(shutil.copytree(generated, tmp_path / "parts"))
    path = min((root / "annotations").glob("*.jsonl"))
    path.write_text(path.read_text(encoding="utf-8").replace('"mode":"', '"mode":"x'), encoding="utf-8")
    assert path.read_text(encoding="utf-8").count('"mode":"x') > 5
    monkeypatch.setattr(crossing, "MOST", 2)
    for command in ("check", "build"):
        ran = run(command, "--root", root, "--jobs", "1")
        assert ran.returncode == 1
        more, findings = ran.stderr.splitlines()
        assert re.fullmatch(r"\d+ lines more have a fault of their own and were not looked at closely\. .*", more)
        assert findings.endswith(" findings.")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda line: f"\ufeff{line}", "a byte order mark stands before it"),
        (lambda line: line.replace('"value":', '"value":NaN,"low":'), "NaN is no number"),
    ],
    ids=["byte order mark", "NaN"],
)
def test_what_json_does_not_know_is_told_with_what_to_do(
    invented_parts: Path, tmp_path: Path, damage: Callable[[str], str], said: str
) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path / "parts"))
    path = root / "annotations/part-0.jsonl"
    path.write_text(damage(path.read_text(encoding="utf-8")), encoding="utf-8")
    [finding] = bulk.examine(root, CHECKED).examined.findings
    assert finding.message == f"This line is no JSON: {said}."
    assert finding.help[0].startswith(("Save it without", "A number has digits"))


def test_of_an_id_that_stands_twice_in_a_line_the_first_has_its_column(invented_parts: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path / "parts"))
    path = root / "annotations/part-0.jsonl"
    typed = path.read_text(encoding="utf-8").replace('"id":"example-t2"', '"id":"example-t1"')
    path.write_text(typed, encoding="utf-8")
    [told] = [each for each in bulk.examine(root, CHECKED).examined.findings if each.code == "duplicate-id"]
    first = typed.index('"example-t1"') + 1
    assert told.message == f"This id is given in annotations/part-0.jsonl, line 1, column {first}, already."
    assert told.place.column == typed.index('"example-t1"', first) + 1


def test_of_texts_of_another_source_both_are_named(invented_parts: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path / "parts"))
    first, second = (root / f"seeds/part-{i}.parquet" for i in (0, 1))
    shutil.copy(second, first)
    told = [finding.message for finding in bulk.examine(root, CHECKED).examined.findings]
    assert any("row 1 is of `second`, and line 1 of annotations/part-0.jsonl of `example`" in each for each in told)


@pytest.mark.parametrize(
    ("lines", "rows", "said"),
    [
        (1, 2, "annotations/part-0.jsonl has 1 lines, and it has more rows"),
        (2, 1, "it has 1 rows, and annotations/part-0.jsonl has more lines"),
        (2, 0, "it has 0 rows, and annotations/part-0.jsonl has more lines"),
        (256, 257, "annotations/part-0.jsonl has 256 lines, and it has more rows"),
        (257, 256, "it has 256 rows, and annotations/part-0.jsonl has more lines"),
    ],
)
def test_which_of_lines_and_rows_are_more_is_said(
    invented_parts: Path, tmp_path: Path, lines: int, rows: int, said: str
) -> None:
    root = Path(shutil.copytree(invented_parts, tmp_path / "parts"))
    path, texts = root / "annotations/part-0.jsonl", pq.read_table(root / "seeds/part-0.parquet")
    path.write_bytes(path.read_bytes() * lines)
    pq.write_table(pa.concat_tables([texts.slice(0, 0), *[texts] * rows]), root / "seeds/part-0.parquet")
    told = [f.message for f in bulk.examine(root, CHECKED).examined.findings if f.code == "part-without-texts"]
    assert told == [f"These are not the texts of the part: {said}."]


def test_a_takedown_publishes_where_it_is_told_to(copied: Path, invented_parts: Path, tmp_path: Path) -> None:
    parts = Path(shutil.copytree(invented_parts, tmp_path / "parts"))
    for root in (copied, parts):
        ran = run("takedown", "example-t8", "--reason", "error", "--root", root, "--out", tmp_path / f"{root.name}-out")
        assert ran.returncode == 0, ran.stderr
        assert not (root / "dist").exists()
        assert (tmp_path / f"{root.name}-out/datapackage.json").exists()
    refused = run("takedown", "example-t1", "--reason", "error", "--root", copied, "--out", copied / "seeds/x")
    assert refused.returncode in (1, 2)
