"""The layout of a corpus and the size of its batches change nothing about what is found in it.

The same content is written as a YAML file for each source and as shards, with the lists (shared speakers, tombstones,
comparisons) as YAML and as shards. A finding in one layout is a finding in each, at the same value.
"""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import generator
from conftest import INVENTED, checked, found_in, in_parts, spread
from defectors_data import pipeline
from defectors_data.corpus import json_reader, yaml_reader
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.findings import Finding, Place, RuleReport
from defectors_data.corpus.reader import LISTS, SHARED_FILES, STATEMENTS, CorpusReader
from defectors_data.executors import pool
from defectors_data.pipeline import Options, RunResult
from finding_cases import CODES, case, lay

A, B = "annotations/900_example.yaml", "annotations/901_second.yaml"


def checked_in_batches(root: Path, size: int) -> RunResult:
    return pipeline.run(CorpusReader(FileTree(root)), Options(tables=False), size=size)


# ---- one content in several layouts ------------------------------------------------------------------------------


def typed(path: Path) -> Any:
    """Return what a YAML file says; every scalar is the text that was typed."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CBaseLoader)  # noqa: S506  # text alone


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def written_as_shards(root: Path, target: Path, *, size: int = 1, lists: bool = False) -> Path:
    """Write the content of YAML files as shards, as it was typed, faults included; the lists as shards too, if asked.

    The program's own `shard` refuses a corpus with findings.
    """
    for folder in ("annotations", "seeds"):
        (target / folder).mkdir(parents=True)
    for path in root.glob("*.*"):
        shutil.copy(path, target)
    shutil.copy(root / "annotations/vocabulary.yaml", target / "annotations")
    for name in LISTS:
        path = root / f"annotations/{name}.yaml"
        if path.exists() and lists:
            for key, entries in typed(path).items():
                lines = "".join(as_json(entry) + "\n" for entry in entries)
                (target / f"annotations/{key}.jsonl").write_text(lines, encoding="utf-8")
        elif path.exists():
            shutil.copy(path, target / "annotations")
    of_sources = [path for path in sorted((root / "annotations").glob("*.yaml")) if path.name not in SHARED_FILES]
    documents = [(typed(path), path.stem) for path in of_sources]
    documents.sort(key=lambda document: str(document[0]["source"]["id"]))
    for number, first in enumerate(range(0, len(documents), size)):
        some = documents[first : first + size]
        lines = "".join(as_json(document) + "\n" for document, _ in some)
        (target / f"annotations/part-{number:05d}.jsonl").write_text(lines, encoding="utf-8")
        rows = [
            {"source_id": document["source"]["id"], "text": (root / f"seeds/{stem}.txt").read_bytes().decode()}
            for document, stem in some
        ]
        pq.write_table(pa.Table.from_pylist(rows), target / f"seeds/part-{number:05d}.parquet")
    return target


SHARDS_OF_LISTS = (*LISTS, STATEMENTS)


class Layout:
    """The files of a corpus, and which value is at a place in them."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def paths_at(self, place: Place) -> set[tuple[Any, ...]]:
        """Return the paths of values and keys at a place of a file with annotations."""
        text = (self.root / place.file).read_text(encoding="utf-8")
        list_name = Path(place.file).stem if Path(place.file).stem in SHARDS_OF_LISTS else ""
        if place.file.endswith(".yaml"):
            found = yaml_reader.parse(text, file=place.file)
            above: tuple[Any, ...] = ()
        else:
            found = json_reader.parse(text.splitlines()[place.line - 1], file=place.file, line=place.line)
            above = (list_name, place.line - 1) if list_name else ()
        paths = {(*above, *path) for path, at in found.places.items() if at == place}
        return paths | {("key", *above, *path) for path, at in found.keys.items() if at == place}

    def source_of(self, place: Place) -> str:
        """Return what a file is about: the id of a source, the name of a list, or else its own name."""
        path = self.root / place.file
        if path.suffix == ".jsonl" and path.stem not in SHARDS_OF_LISTS:
            return str(json.loads(path.read_text(encoding="utf-8").splitlines()[place.line - 1])["source"]["id"])
        if path.suffix == ".yaml" and path.name.startswith("9"):
            return str(typed(path)["source"]["id"])
        return "comparisons" if path.stem == STATEMENTS else path.stem

    def of_any_layout(self, finding: Finding) -> tuple[str, str, str, tuple[str, ...]]:
        """Return a finding without what differs between layouts: names of files, and lines of annotations."""
        place = finding.place
        if place.file.startswith("seeds/"):
            where = f"{place.file.rpartition('/')[2]}:{place.line}:{place.column}"
        else:
            where = self.source_of(place)
        texts = (re.sub(_PLACES, "(place)", text) for text in (finding.message, *finding.help))
        texts = (re.sub(r"seeds/(part-\d+\.parquet/)?", "seeds/", text) for text in texts)
        message, *hints = texts
        return where, finding.code, message, tuple(hints)


_PLACES = re.compile(
    r"annotations/[\w.-]+, line \d+(, column \d+)?"
    r"|from line \d+ of annotations/[\w.-]+"
    r"|\b(?:testimony|already|recorded|one) on line \d+\b"
)
"""How messages name places in annotations."""


def assert_same(one_root: Path, other_root: Path) -> list[Finding]:
    """Check two layouts of one content: the same findings, each at the same value; returns those of the first."""
    one, other = Layout(one_root), Layout(other_root)
    ran = [checked(root) for root in (one_root, other_root)]
    pairs = [
        sorted((layout.of_any_layout(finding), finding.place) for finding in found.findings)
        for layout, found in zip((one, other), ran, strict=True)
    ]
    assert [content for content, _ in pairs[0]] == [content for content, _ in pairs[1]]
    if len(pairs[0]) < 10:
        for (content, first), (_, second) in zip(*pairs, strict=True):
            if not first.file.startswith("seeds/"):
                paths = one.paths_at(first), other.paths_at(second)
                assert paths[0] & paths[1] or paths == (set(), set()), (content, first, second, paths)
    reports = [[(report.rule, report.looked_at, report.findings) for report in found.rules] for found in ran]
    assert reports[0] == reports[1]
    return ran[0].findings


NOT_IN_SHARDS = {
    "value-not-as-typed": "a line of JSON is read as it is typed",
    "duplicate-key": "a fault of YAML syntax; of JSON it is tested below",
    "file-empty": "a file without a line is a shard without documents, or a list without entries",
    "seed-name-mismatch": "a file of one source alone has the name of its seed",
    "file-unreadable": "a folder in place of a file",
    "json-syntax": "YAML that is not JSON",
    "file-not-read": "a file in seeds/",
    "not-utf8": "a seed that is a file",
    "no-annotations": "a project without files",
    "shard-out-of-order": "a fault of shards alone",
    "shard-without-texts": "a fault of shards alone",
    "seed-missing": "packed texts are rows, not files",
    "seed-without-annotations": "a file in seeds/",
    "yaml-character": "a fault of YAML syntax",
    "yaml-feature": "a fault of YAML syntax",
    "yaml-syntax": "a fault of YAML syntax",
}
"""Faults that shards cannot have, with the reason."""

IN_BOTH = [code for code in CODES if code not in NOT_IN_SHARDS]


def test_every_fault_is_in_both_layouts_or_has_a_reason() -> None:
    assert set(NOT_IN_SHARDS) < set(CODES)
    assert len(IN_BOTH) > 70


@pytest.mark.parametrize("lists", [False, True], ids=["lists in YAML", "lists in shards"])
@pytest.mark.parametrize("code", spread(IN_BOTH, 4))
def test_a_fault_is_the_same_finding_in_shards(code: str, lists: bool, tmp_path: Path) -> None:
    root = lay(case(code, "fault"), tmp_path / "files")
    found = assert_same(root, written_as_shards(root, tmp_path / "shards", lists=lists))
    assert {finding.code for finding in found} == {code}


@pytest.mark.parametrize("code", spread(IN_BOTH, 4))
def test_a_near_miss_is_quiet_in_shards_too(code: str, tmp_path: Path) -> None:
    root = lay(case(code, "quiet"), tmp_path / "files")
    assert assert_same(root, written_as_shards(root, tmp_path / "shards", lists=True)) == []


def test_the_program_writes_the_shards_that_the_tests_compare(copied: Path, tmp_path: Path) -> None:
    ours, its = written_as_shards(copied, tmp_path / "ours"), in_parts(copied, tmp_path / "its")
    assert found_in(ours) == found_in(its) == []
    assert counts(checked(ours)) == counts(checked(its)) == counts(checked(copied))


def counts(ran: RunResult) -> list[RuleReport]:
    """Return what the rules looked at: all but the number of files, of which each layout has others."""
    return [report for report in ran.rules if report.looked_at != "files"]


# ---- random faults -----------------------------------------------------------------------------------------------

ODD: list[Any] = ["", "12", "-1", "900", "2019-02-31", "x" * 600, "example-t1", "bruno-salt", [], {}]
"""What YAML and JSON say alike. A number, `true` or `null` of JSON has another value there than in YAML."""

OF_JSON: list[Any] = [1e999, float("nan"), -1, 12, True, None, "\ud800"]
"""What is otherwise, or nothing, in YAML."""


def leaves(value: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Give each value in lists and dictionaries: what it is in, its key, and the value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in list(items):
        yield value, key, item
        yield from leaves(item)


def damaged(documents: list[Any], chance: random.Random, odd: list[Any]) -> None:
    """Replace or remove a few values: often by what is found elsewhere under the same key."""
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        found = [leaf for leaf in leaves(chance.choice(documents)) if leaf[1] not in ("seed", "source")]
        holder, key, value = chance.choice(found)
        alike = [other for each in documents for _, name, other in leaves(each) if name == key and other != value]
        match chance.randrange(5):
            case 0 if isinstance(holder, dict):
                del holder[key]
            case 0 | 1:
                holder[key] = chance.choice(odd)
            case 2 if isinstance(holder, dict):
                holder[chance.choice(["id", "note", "name", "extra"])] = value
            case _ if alike:
                holder[key] = json.loads(json.dumps(chance.choice(alike)))
            case _ if isinstance(value, str) and value:
                at = chance.randrange(len(value))
                holder[key] = value[:at] + chance.choice(["’", " ", "example-t1", '"']) + value[at + 1 :]


def invented_with_faults(root: Path, chance: random.Random, odd: list[Any]) -> Path:
    """Write the invented corpus as YAML in the notation of JSON, with a few faults."""
    shutil.copytree(INVENTED, root)
    files = [root / A, root / B]
    documents = [typed(path) for path in files]
    damaged(documents, chance, odd)
    for path, document in zip(files, documents, strict=True):
        path.write_text(json.dumps(document, indent=1, ensure_ascii=False), encoding="utf-8")
    return root


@settings(max_examples=5)
@given(seed=st.integers(min_value=0, max_value=2**32))
def test_random_faults_are_the_same_findings_in_yaml_and_in_shards(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    root = invented_with_faults(folder / "yaml", random.Random(seed), ODD)  # noqa: S311  # nothing is secret
    if all(isinstance(document.get("source", {}).get("id"), str) for document in map(typed, (root / A, root / B))):
        assert_same(root, written_as_shards(root, folder / "shards"))
    else:  # without an id no text can be packed for it
        assert {finding.code for finding in found_in(root)} & {"missing-key", "invalid-value"}
    shutil.rmtree(folder)


@pytest.mark.parametrize(
    ("file", "path"),
    [
        (A, ("source", "id")),
        (B, ("source", "id")),
        (A, ("speakers", 0, "mentions", 0, "id")),
        (B, ("testimonies", 0, "id")),
        (A, ("figures", 0, "id")),
        (B, ("waivers", 0, "id")),
    ],
)
def test_an_id_of_the_other_source_is_the_same_finding_in_shards(
    copied: Path, tmp_path: Path, file: str, path: tuple[Any, ...]
) -> None:
    content, other = typed(copied / file), typed(copied / (B if file == A else A))
    holder, of_other = content, other
    for step in path[:-1]:
        holder, of_other = holder[step], of_other[step]
    holder["id"] = of_other["id"]
    (copied / file).write_text(json.dumps(content, indent=1, ensure_ascii=False), encoding="utf-8")
    found = assert_same(copied, written_as_shards(copied, tmp_path / "shards"))
    assert "duplicate-id" in {finding.code for finding in found}


@settings(max_examples=10)
@given(seed=st.integers(min_value=0, max_value=2**32))
@pytest.mark.deep
def test_random_faults_are_the_same_findings_in_batches_of_any_size(
    seed: int, invented_parts: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    root = written_as_shards(INVENTED, folder / "shards", size=2)
    path = root / "annotations/part-00000.jsonl"
    documents = [
        json.loads(file.read_text(encoding="utf-8")) for file in sorted((invented_parts / "annotations").glob("p*"))
    ]
    damaged(documents, random.Random(seed), ODD + OF_JSON)  # noqa: S311
    path.write_text("".join(json.dumps(document) + "\n" for document in documents), encoding="utf-8")
    one, two, many = (checked_in_batches(root, size) for size in (1, 2, 256))
    assert one.findings == two.findings == many.findings
    assert one.rules == two.rules == many.rules
    shutil.rmtree(folder)


# ---- a corpus of many batches ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Thirty sources in shards of eleven: with shared speakers that few sources use, a tombstone, and a comparison."""
    root = tmp_path_factory.mktemp("many") / "project"
    generator.generate(root, 300, sources_per_part=11)
    return root


@pytest.fixture
def many_copied(many: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(many, tmp_path / "many"))


def lines_of(root: Path) -> Iterator[tuple[Path, int, Any]]:
    """Give each line of the shards: file, number from 1, and content."""
    for path in sorted((root / "annotations").glob("part-*.jsonl")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            yield path, number, json.loads(line)


def rewritten(path: Path, number: int, content: Any) -> Path:
    """Write another line in place of one; returns the file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[number - 1] = as_json(content)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


SIZES = (1, 4, 7, 256)


@pytest.mark.parametrize("size", spread(SIZES, 2, pytest.mark.deep))
def test_no_batch_makes_a_false_finding_or_skips_a_rule(many: Path, size: int) -> None:
    shared = json.loads((many / "annotations/speakers.yaml").read_text(encoding="utf-8"))["speakers"]
    for batch in CorpusReader(FileTree(many)).batches(4):
        used = {u for raw in batch.documents for u in re.findall(rb'"use":"([a-z0-9-]+)"', raw.data)}
        assert len(used) < len(shared)
    ran, at_once = checked_in_batches(many, size), checked(many)
    assert ran.findings == []
    assert ran.rules == at_once.rules
    assert not any(report.findings is None for report in ran.rules)


def planted(root: Path, kind: str) -> tuple[str, str, int]:
    """Plant a fault in a late batch; returns the code, the file and the line of the finding that it must give."""
    lines = list(lines_of(root))
    stones = root / "annotations/tombstones.yaml"
    listed = json.loads(stones.read_text(encoding="utf-8"))
    match kind:
        case "relation":
            path, number, content = next(
                line for line in reversed(lines) if any(r["kind"] == "part_of" for r in line[2].get("relations", ()))
            )
            relation = next(each for each in content["relations"] if each["kind"] == "part_of")
            relation["result"], relation["operands"] = relation["operands"][0], [relation["result"]]
            return "relation-fails", rewritten(path, number, content).name, number
        case "reference":
            path, number, content = next(
                line for line in reversed(lines) if any("use" in s for s in line[2]["speakers"])
            )
            next(speaker for speaker in content["speakers"] if "use" in speaker)["use"] = "nobody-of-that-name"
            return "unresolved-reference", rewritten(path, number, content).name, number
        case "id of another batch":
            path, number, content = lines[-1]
            content["testimonies"][0]["note"] = f"As {protected_in(lines[:11])} says."
            return "protected-speaker-referenced", rewritten(path, number, content).name, number
        case "tombstone of a record":
            path, number, content = lines[-1]
            stone = {**listed["tombstones"][0], "id": content["testimonies"][0]["id"]}
            listed["tombstones"].append(stone)
            stones.write_text(json.dumps(listed), encoding="utf-8")
            return "withdrawn-id", path.name, number
        case _:
            listed["tombstones"].append({**listed["tombstones"][0], "id": "no-such-source-t1"})
            stones.write_text(json.dumps(listed), encoding="utf-8")
            return "malformed-id", stones.name, 1


def protected_in(lines: list[tuple[Path, int, Any]]) -> str:
    """Return the id of a speaker who is not publicly named, in one of some lines."""
    speakers = (speaker for _, _, content in lines for speaker in content["speakers"])
    return next(str(speaker["id"]) for speaker in speakers if speaker.get("anonymity") in ("withheld", "unnamed"))


@pytest.mark.parametrize(
    "kind",
    spread(
        ["relation", "reference", "id of another batch", "tombstone of a record", "tombstone of no source"],
        3,
        pytest.mark.deep,
    ),
)
def test_an_error_in_one_of_many_batches_is_reported_once_and_there(kind: str, many_copied: Path) -> None:
    code, name, line = planted(many_copied, kind)
    for size in (1, 7):
        ran = checked_in_batches(many_copied, size)
        found = {(f.code, f.place.file, f.place.line) for f in ran.findings}
        # An id in a note is also a word that no article prints.
        also = {("unprinted-in-free-text", f"annotations/{name}", line)} if kind == "id of another batch" else set()
        assert found - also == {(code, f"annotations/{name}", line)}


@pytest.mark.deep
def test_two_processes_find_what_one_finds(many_copied: Path) -> None:
    planted(many_copied, "relation")
    corpus, options = CorpusReader(FileTree(many_copied)), Options(tables=False)
    one = pipeline.run(corpus, options, size=4)
    two = pipeline.run(CorpusReader(FileTree(many_copied)), options, size=4, executor=pool(2))
    assert [finding.code for finding in one.findings] == ["relation-fails"]
    assert (one.findings, one.rules, one.sources, one.records) == (two.findings, two.rules, two.sources, two.records)
