"""Shards: what a line and a packed text must be, and how a corpus is written as shards and checked."""

from __future__ import annotations

import io
import json
import re
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, ClassVar, Literal, cast

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import generator
from calling import Ran, run
from conftest import INVENTED, checked, documents_of, found_in, repin
from defectors_data.corpus import shards
from defectors_data.publishers import shard_writer
from defectors_data.publishers.shard_writer import ShardResult
from defectors_data.rules.engine import apply
from defectors_data.rules.subjects import SUBJECTS

FIRST, SECOND = "annotations/part-00000.jsonl", "annotations/part-00001.jsonl"
TEXTS = "seeds/part-00000.parquet"


def line_of(root: Path, file: str = FIRST) -> str:
    return (root / file).read_text(encoding="utf-8")


def write_line(root: Path, content: Any, file: str = FIRST) -> None:
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    (root / file).write_text(text + "\n", encoding="utf-8")


# ---- what readers of JSON disagree about -------------------------------------------------------------------------

DISPUTED: dict[str, tuple[str, str, str | None]] = {
    "NaN": ('"age":36', '"age":NaN', "json-syntax"),
    "an infinity": ('"age":36', '"age":-Infinity', "json-syntax"),
    "a number too large to be one": ('"age":36', '"age":1e999', "invalid-value"),
    "a number in marks": ('"age":36', '"age":"36"', None),
    "a number with an exponent": ('"age":36', '"age":3.6e1', "invalid-value"),
    "a whole number with a fraction": ('"age":36', '"age":36.0', "invalid-value"),
    "a number that is true": ('"age":36', '"age":true', "invalid-value"),
    "a number with a zero before it": ('"age":36', '"age":036', "json-syntax"),
    "a number with a sign": ('"age":36', '"age":+36', "json-syntax"),
    "words that are a number": ('"language":"en"', '"language":1', "invalid-value"),
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
    "the same, as the name of a key": ('{"source"', '{"\\ud83d\\ude42":[],"source"', "unknown-key"),
    "a line feed inside words": ('"rights":"Nobody"', '"rights":"No\tbody"', "json-syntax"),
    "null for what may be empty": ('"rights":"Nobody"', '"rights":"Nobody","note":null', None),
    "null for what may not": ('"rights":"Nobody"', '"rights":null', "invalid-value"),
    "31 February": ('"value":"2019-03~"', '"value":"2019-02-31"', "invalid-value"),
    "white space": ('"language":"en"', ' "language" :\t"en" ', None),
    "a byte order mark": ('{"source"', '\ufeff{"source"', "json-syntax"),
    "a second value": ('{"source"', '{}{"source"', "json-syntax"),
}


@pytest.mark.parametrize("name", DISPUTED)
def test_json_that_parsers_read_differently_is_refused(name: str, parts: Path) -> None:
    old, new, code = DISPUTED[name]
    line = line_of(parts)
    assert old in line
    (parts / FIRST).write_text(line.replace(old, new, 1), encoding="utf-8")
    assert [finding.code for finding in found_in(parts)] == ([code] if code else [])


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda line: f"\ufeff{line}", "it begins with a byte order mark"),
        (lambda line: line.replace('"value":', '"value":NaN,"low":'), "NaN is not a number"),
    ],
    ids=["byte order mark", "NaN"],
)
def test_constants_outside_json_are_reported_with_advice(
    parts: Path, damage: Callable[[str], str], message: str
) -> None:
    (parts / FIRST).write_text(damage(line_of(parts)), encoding="utf-8")
    [finding] = found_in(parts)
    assert finding.message == f"This line is not valid JSON: {message}."
    assert finding.help[0].startswith(("Save the file without", "Write numbers in digits"))


def test_of_an_id_that_is_given_twice_in_a_line_the_first_has_its_column(parts: Path) -> None:
    typed = line_of(parts).replace('"id":"example-t2"', '"id":"example-t1"')
    (parts / FIRST).write_text(typed, encoding="utf-8")
    [found] = [finding for finding in found_in(parts) if finding.code == "duplicate-id"]
    first = typed.index('"example-t1"') + 1
    assert found.message == f"This id is already used in {FIRST}, line 1, column {first}."
    assert found.place.column == typed.index('"example-t1"', first) + 1


# ---- names of seeds ----------------------------------------------------------------------------------------------

NAMES_OF_SEEDS: dict[str, tuple[str, str, int]] = {
    "both after neither source": ("again.txt", "again.txt", 1),
    "the first after its own, the second too": ("example.txt", "example.txt", 1),
    "the second after its own, the first too": ("second.txt", "second.txt", 1),
    "each after its own": ("example.txt", "second.txt", 0),
    "each after the other": ("second.txt", "example.txt", 0),
    "all but the ending": ("again", "again.txt", 0),
    "like a speaker": ("mira-fenn.txt", "bruno-salt.txt", 0),
}


@pytest.mark.parametrize("case", NAMES_OF_SEEDS)
def test_no_two_seeds_have_one_name(case: str, parts: Path) -> None:
    first, second, faults = NAMES_OF_SEEDS[case]
    for file, seed in ((FIRST, first), (SECOND, second)):
        content = json.loads(line_of(parts, file))
        content["source"]["seed"] = seed
        write_line(parts, content, file)
    found = found_in(parts)
    assert [(finding.code, finding.place.file) for finding in found] == [("duplicate-article", SECOND)] * faults
    for finding in found:
        assert finding.message == f"{FIRST}, line 1, already has a seed with this name."


# ---- texts -------------------------------------------------------------------------------------------------------


def test_without_sources_no_package_is_published(parts: Path, tmp_path: Path) -> None:
    for file in (FIRST, SECOND):
        (parts / file).write_bytes(b"")
        (parts / file.replace("annotations", "seeds").replace("jsonl", "parquet")).unlink()
    assert {finding.code for finding in found_in(parts)} == {"no-annotations"}
    assert [finding.code for finding in shard(parts, tmp_path / "out").findings] == ["no-annotations"]
    assert not (tmp_path / "out").exists()


def test_texts_of_a_shard_are_packed_once(parts: Path) -> None:
    (parts / "seeds/part-00000.arrow").write_bytes(b"")
    found = found_in(parts)
    assert [(finding.code, finding.place.file) for finding in found] == [
        ("shard-without-texts", "seeds/part-00000.arrow")
    ]


class _Watched(io.FileIO):
    """A file that notes the threads that use it."""

    threads: ClassVar[set[int]] = set()

    def readinto(self, buffer: Any, /) -> int:
        self.threads.add(threading.get_ident())
        return super().readinto(buffer)

    def read(self, size: int | None = -1, /) -> bytes:
        self.threads.add(threading.get_ident())
        return super().read(-1 if size is None else size) or b""

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self.threads.add(threading.get_ident())
        return super().seek(offset, whence)


@pytest.mark.parametrize("compression", [None, "zstd"])
def test_packed_texts_are_read_in_one_thread(tmp_path: Path, compression: Literal["zstd"] | None) -> None:
    """A thread of pyarrow that uses a Python file at the end of the process would abort it."""
    texts = pa.table(
        {"source_id": [f"s{i:04}" for i in range(1000)], "text": [f"Text {i}. " * 50 for i in range(1000)]}
    )
    (tmp_path / "lines.jsonl").write_bytes(b"{}\n" * 1000)
    pq.write_table(texts, tmp_path / "texts.parquet", compression=compression or "none")
    options = pa.ipc.IpcWriteOptions(compression=compression)
    with pa.ipc.new_file(str(tmp_path / "texts.arrow"), texts.schema, options=options) as writer:
        writer.write_table(texts, 100)
    for packed in ("texts.parquet", "texts.arrow"):
        _Watched.threads.clear()
        blocks = list(shards.blocks(lambda name: cast(BinaryIO, _Watched(tmp_path / name)), "lines.jsonl", packed))
        found = pa.Table.from_batches([block.texts for block in blocks if block.texts is not None])
        assert found.equals(texts), packed
        assert _Watched.threads == {threading.get_ident()}, packed


@pytest.mark.parametrize("share", [0, 0.001, 0.3, 0.7])
def test_a_truncated_arrow_file_is_a_finding(parts: Path, share: float) -> None:
    path = parts / "seeds/part-00000.arrow"
    texts = pq.read_table(parts / TEXTS)
    (parts / TEXTS).unlink()
    with pa.ipc.new_file(str(path), texts.schema) as writer:
        writer.write_table(texts)
    assert found_in(parts) == []
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    assert [(each.code, each.place.file) for each in found_in(parts)][:1] == [
        ("shard-without-texts", "seeds/part-00000.arrow")
    ]


def test_of_texts_of_another_source_both_are_named(parts: Path) -> None:
    shutil.copy(parts / "seeds/part-00001.parquet", parts / TEXTS)
    messages = [finding.message for finding in found_in(parts)]
    assert any(f"row 1 is for `second`, but line 1 of {FIRST} is for `example`" in message for message in messages)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("lines", "rows", "message"),
    [
        (1, 2, f"it has more rows than {FIRST} has lines (lines: 1)"),
        (2, 1, f"it has fewer rows than {FIRST} has lines (rows: 1)"),
        (2, 0, f"it has fewer rows than {FIRST} has lines (rows: 0)"),
        (256, 257, f"it has more rows than {FIRST} has lines (lines: 256)"),
        pytest.param(257, 256, f"it has fewer rows than {FIRST} has lines (rows: 256)", marks=pytest.mark.sweep),
    ],
)
def test_the_report_distinguishes_lines_and_rows(parts: Path, lines: int, rows: int, message: str) -> None:
    (parts / FIRST).write_text(line_of(parts) * lines, encoding="utf-8")
    texts = pq.read_table(parts / TEXTS)
    pq.write_table(pa.concat_tables([texts.slice(0, 0), *[texts] * rows]), parts / TEXTS)
    found = [finding.message for finding in found_in(parts) if finding.code == "shard-without-texts"]
    assert found == [f"The texts of the shard cannot be read from this file: {message}."]


def test_the_texts_of_a_shard_may_be_files(parts: Path) -> None:
    for file, stem in ((FIRST, "900_example"), (SECOND, "901_second")):
        (parts / file.replace("annotations", "seeds").replace("jsonl", "parquet")).unlink()
        shutil.copy(INVENTED / f"seeds/{stem}.txt", parts / "seeds")
    assert found_in(parts) == []


def test_yaml_files_and_shards_may_be_mixed(parts: Path, copied: Path) -> None:
    for path in (parts / SECOND, parts / "seeds/part-00001.parquet"):
        path.unlink()
    shutil.copy(copied / "annotations/901_second.yaml", parts / "annotations")
    shutil.copy(copied / "seeds/901_second.txt", parts / "seeds")
    mixed, in_yaml = checked(parts), checked(copied)
    assert mixed.findings == in_yaml.findings == []
    assert mixed.rules == in_yaml.rules


# ---- the command line --------------------------------------------------------------------------------------------


def test_a_corpus_is_written_as_shards_and_checked(tmp_path: Path) -> None:
    def ran(*arguments: str) -> Ran:
        return run(*arguments, where=tmp_path)

    assert ran("shard", "--root", str(INVENTED), "--out", "parts").stdout == "parts: 2 sources in 1 shard\n"
    assert ran("shard", "--root", str(INVENTED), "--out", "parts").returncode == 2
    first = "No findings: 2 sources, 15 testimonies, 14 figures, 10 quotations and 23 numbers were checked.\n"
    for jobs in ("1", "2"):
        found = ran("check", "--root", "parts", "--jobs", jobs)
        assert found.stdout.startswith(first), found
        assert "Skipped" not in found.stdout


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        (FIRST, [FIRST]),
        ("seeds/part-00001.parquet", ["seeds/part-00001.parquet/901_second.txt"]),
        (SECOND, ["seeds/part-00001.parquet/901_second.txt"]),
        ("annotations", [FIRST, "seeds/part-00001.parquet/901_second.txt"]),
        ("annotations/speakers.yaml", []),
    ],
)
def test_a_shard_shows_its_own_findings_alone(file: str, shown: list[str], copied: Path, tmp_path: Path) -> None:
    path = copied / "seeds/901_second.txt"
    repin(copied, "901_second")
    assert shard(copied, tmp_path / "parts", size=1).findings == []
    root = tmp_path / "parts"
    (root / FIRST).write_text(line_of(root).replace('"mode":"direct"', '"mode":"dirct"', 1), encoding="utf-8")
    text = path.read_text(encoding="utf-8") + "\f"
    pq.write_table(pa.table({"source_id": ["second"], "text": [text]}), root / "seeds/part-00001.parquet")
    path.write_text(text, encoding="utf-8")
    repin(copied, "901_second")
    [digest] = re.findall(r"sha256: (\w+)", (copied / "annotations/901_second.yaml").read_text(encoding="utf-8"))
    content = json.loads(line_of(root, SECOND))
    content["source"]["sha256"] = digest
    write_line(root, content, SECOND)
    ran = run("check", root / file, "--root", root, "--jobs", "1", where=root)
    assert [row.split(":")[0] for row in ran.stdout.splitlines() if re.match(r"\S+:\d+:\d+: ", row)] == shown
    assert ran.returncode == 1


# ---- writing shards ----------------------------------------------------------------------------------------------


def shard(root: Path, out: Path, *, size: int = 2_000) -> ShardResult:
    return shard_writer.write_shards(root, out, size=size, on_progress=lambda _documents, _share: None)


def test_shards_are_written_in_order_whatever_their_order_was(tmp_path: Path) -> None:
    generator.generate(tmp_path / "generated", 300)
    first = shard(tmp_path / "generated", tmp_path / "first", size=7)
    assert (first.findings, first.sources, first.shards) == ([], 30, 5)
    for name in ("annotations/part-{}.jsonl", "seeds/part-{}.parquet"):
        (tmp_path / "first" / name.format("00000")).rename(tmp_path / "first" / name.format("99999"))
    assert {finding.code for finding in found_in(tmp_path / "first")} == {"shard-out-of-order"}
    shard(tmp_path / "first", tmp_path / "second")
    whole = (tmp_path / "generated/annotations/part-00000.jsonl").read_bytes()
    assert (tmp_path / "second/annotations/part-00000.jsonl").read_bytes() == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first", "generated", "second"]


def test_unreadable_files_are_not_written_as_shards(copied: Path, tmp_path: Path) -> None:
    (copied / "annotations/part.jsonl").write_text('{"source": {"id": "x"}}\n', encoding="utf-8")
    assert {finding.code for finding in shard(copied, tmp_path / "parts").findings} == {"json-syntax"}
    assert not (tmp_path / "parts").exists()


def test_shards_that_cannot_be_written_leave_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("defectors_data.package.filesystem.move", refuse)
    with pytest.raises(OSError, match="No space"):
        shard(INVENTED, tmp_path / "a/b/parts")
    assert not list(tmp_path.iterdir())


def test_a_line_without_findings_is_not_parsed_again_for_its_places(tmp_path: Path) -> None:
    generator.generate(tmp_path, 50)
    documents = documents_of(tmp_path)
    assert [finding for document in documents for finding in apply(document, SUBJECTS).findings] == []
    assert not any("places" in vars(document.file) for document in documents)
