"""What is taken out of a corpus in parts is what would have been taken out of its files, and nothing else changes."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import generator
from calling import process, run
from conftest import INVENTED, edit, in_parts
from defectors_data import (
    bulk,
    corpus_update,
    excising,
    folders,
    publishing,
    reading,
    releasing,
    seeking,
    takedown,
    withdrawing,
)
from defectors_data.corpus import Corpus
from defectors_data.excising import Excised
from defectors_data.files import Tree
from defectors_data.findings import Finding
from defectors_data.judging import Asked
from test_takedown import EVERYTHING, IN_THE_WAY, SPELLED, also_said, proved

DAY = date(2026, 1, 31)
EVERYTHING_ASKED = Asked()
PLAIN = Asked(ledger=False, provenance=False, rules=False)


def taken_down(root: Path, record_id: str, asked: Asked = PLAIN) -> Excised:
    return excising.take_down(root, root / "dist", record_id, reason="person", day=DAY, created=None, asked=asked)


def held(corpus: Corpus) -> dict[str, Any]:
    """Return all that a corpus says, wherever it says so; which file a source lay in is no part of it."""
    stones = [stone.model_copy(update={"seed": None}) for stone in corpus.tombstones.content.tombstones]
    said = {s.content.source.id: (s.content, s.text) for s in corpus.shards}
    others = (corpus.shared.content, corpus.vocabulary.content, corpus.comparisons.content)
    return {**said, "others": others, "tombstones": stones}


def small_without(root: Path, record_id: str) -> dict[str, Any]:
    proof, texts = proved(root)
    taken = withdrawing.take_down(proof, record_id, texts, reason="person", day=DAY)
    corpus, findings = reading.read(root, changed=taken.files)
    assert corpus, findings
    return held(corpus)


def parts_without(root: Path, record_id: str, asked: Asked = EVERYTHING_ASKED) -> dict[str, Any]:
    """Take a record out of a copy of parts, and return what is left."""
    with TemporaryDirectory() as folder:
        copy = Path(shutil.copytree(root, Path(folder) / "copy"))
        taken = excising.plan(copy, record_id, reason="person", day=DAY, asked=asked)
        with corpus_update.locked(copy):
            corpus_update.update(copy, excising.changes(copy, taken))
        corpus, findings = reading.read(copy)
    assert corpus, findings
    return held(corpus)


# ---- the same as of files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("record_id", EVERYTHING)
def test_of_parts_the_same_is_taken_out_as_of_files(invented_parts: Path, record_id: str) -> None:
    before = folders.contents(invented_parts)
    assert parts_without(invented_parts, record_id) == small_without(INVENTED, record_id)
    assert folders.contents(invented_parts) == before


def an_archive(factory: pytest.TempPathFactory, annotations: int) -> tuple[Path, Path]:
    """Return an archive of files, and the same in parts."""
    small, large = (factory.mktemp(name) for name in ("small", "large"))
    generator.generate(small, annotations, small=True)
    generator.generate(large, annotations, sources_per_part=30)
    return small, large


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An archive in which some speakers are heard in several sources."""
    return an_archive(tmp_path_factory, 1_000)


def ids_of_an_archive(root: Path) -> Iterator[str]:
    """Give a shared speaker of each kind, and a record of each table of a source in the midst."""
    corpus = proved(root)[0].corpus
    yield from {speaker.kind: speaker.id for speaker in corpus.shared.content.speakers}.values()
    shard = corpus.shards[len(corpus.shards) // 2]
    content = shard.content
    yield content.source.id
    yield from (records[0].id for records in (content.testimonies, content.figures, content.waivers) if records)
    yield from {speaker.kind: speaker.id for _, speaker in shard.speakers()}.values()


def test_of_an_archive_the_same_is_taken_out(tmp_path_factory: pytest.TempPathFactory) -> None:
    small, large = an_archive(tmp_path_factory, 400)
    compared = list(ids_of_an_archive(small))
    assert len(compared) > 5
    for record_id in compared:
        assert parts_without(large, record_id) == small_without(small, record_id), record_id


def test_a_name_goes_from_every_source_that_prints_it(generated: tuple[Path, Path]) -> None:
    _, large = generated
    corpus = reading.read(large).corpus
    assert corpus
    speaker = corpus.shared.content.speakers[0]
    left = parts_without(large, speaker.id)
    printing = [name for name, said in left.items() if len(said) == 2 and speaker.name in said[1]]
    assert len(printing) > 1
    for name in printing:
        content, text = left[name]
        at = text.index(speaker.name)
        assert any(run.start <= at and at + len(speaker.name) <= run.end for run in content.withdrawn)


@pytest.mark.parametrize("few", [0, 100])
def test_what_is_escaped_is_found_too(parts: Path, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeking, "_FEW", few)
    path = parts / "annotations/part-1.jsonl"
    line = json.loads(path.read_text(encoding="utf-8"))
    line["figures"][0]["note"] = "Beside\nmira-fenn of another."
    escaped = json.dumps(line).replace("mira-fenn", "mir\\u0061-fenn")
    assert "mir\\u0061-fenn" in escaped
    path.write_text(escaped + "\n", encoding="utf-8")
    assert codes(bulk.examine(parts, PLAIN).examined.findings) == []
    assert taken_down(parts, "mira-fenn").built
    assert "note" not in json.loads(path.read_text(encoding="utf-8"))["figures"][0]


@pytest.mark.parametrize("name", SPELLED)
def test_a_name_goes_from_parts_however_it_is_spelled(copied: Path, tmp_path: Path, name: str) -> None:
    also_said(copied, name)
    sharded = in_parts(copied, tmp_path / "sharded")
    left = parts_without(sharded, "mira-fenn")
    assert left == small_without(copied, "mira-fenn")
    assert not re.search(r"mira[\W_]+fenn", repr(left["second"][0]), re.IGNORECASE)
    assert any(stone.id == "second-t7" for stone in left["tombstones"])
    escaped = sharded / "annotations/part-1.jsonl"
    escaped.write_text(json.dumps(json.loads(escaped.read_text(encoding="utf-8"))) + "\n", encoding="utf-8")
    assert parts_without(sharded, "mira-fenn") == left


def test_a_part_of_a_word_is_no_name(parts: Path) -> None:
    reach = withdrawing.Reach(frozenset(), frozenset({"Keep"}), frozenset())
    assert seeking.seek(Tree(parts), reach, most=9).count == 0
    assert seeking.seek(Tree(parts), reach._replace(names=frozenset({"KEEPER"})), most=9).count == 2


# ---- what is published ---------------------------------------------------------------------------------------


def published(root: Path, asked: Asked) -> Mapping[str, bytes]:
    done = releasing.release(root, root / "dist", asked)
    assert done.seen.examined.findings == []
    return folders.contents(root / "dist")


@pytest.mark.parametrize("asked", [Asked(), PLAIN], ids=["everything", "short way"])
@pytest.mark.parametrize(
    "record_id", ["example", "second", "bruno-salt", "mira-fenn", "example-speaker-1", "example-t5"]
)
def test_it_is_the_same_to_take_out_and_shard_and_to_shard_and_take_out(
    copied: Path, tmp_path: Path, parts: Path, record_id: str, asked: Asked
) -> None:
    first = takedown.take_down(copied, copied / "dist", record_id, reason="person", day=DAY, created=None)
    sharded = in_parts(copied, tmp_path / "sharded")
    shutil.copy(copied / "annotations/tombstones.yaml", sharded / "annotations/tombstones.yaml")
    then = taken_down(parts, record_id, asked)
    assert [stone.model_copy(update={"seed": None}) for stone in first.tombstones] == then.tombstones
    assert then.built
    assert (then.built.outcome, then.built.warnings) == ("published", [])
    assert folders.contents(parts / "dist") == published(sharded, asked)


def test_of_a_source_nothing_is_left(parts: Path) -> None:
    texts = {row["source_id"]: row["text"] for i in (0, 1) for row in rows_of(parts / f"seeds/part-{i}.parquet")}
    assert taken_down(parts, "second").built
    for path in parts.rglob("*"):
        if path.is_file() and path.name not in ("tombstones.yaml", "tombstones.csv", "tombstones.parquet"):
            assert b"second" not in path.read_bytes() or path.name in ("datapackage.json", "codebook.md"), path
    left = [row for i in (0, 1) for row in rows_of(parts / f"seeds/part-{i}.parquet")]
    assert [(row["source_id"], row["text"]) for row in left] == [("example", texts["example"])]
    assert "seed:" not in (parts / "annotations/tombstones.yaml").read_text(encoding="utf-8")
    assert not list(parts.rglob(".*"))


def rows_of(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


def test_the_last_source_can_go_too(parts: Path) -> None:
    for record_id in ("example", "second"):
        assert taken_down(parts, record_id).built
    assert releasing.release(parts, parts / "dist", PLAIN).seen.examined.findings == []
    assert [path.read_bytes() for path in (parts / "annotations").glob("*.jsonl")] == [b"", b""]


@pytest.mark.parametrize("packed", ["arrow", None])
def test_texts_may_be_packed_otherwise_or_lie_in_files(parts: Path, packed: str | None) -> None:
    for i, name in enumerate(("900_example.txt", "901_second.txt")):
        table = pq.read_table(parts / f"seeds/part-{i}.parquet")
        (parts / f"seeds/part-{i}.parquet").unlink()
        if packed:
            with pa.ipc.new_file(str(parts / f"seeds/part-{i}.arrow"), table.schema) as writer:
                writer.write_table(table)
        else:
            shutil.copy(INVENTED / "seeds" / name, parts / "seeds")
    assert taken_down(parts, "bruno-salt").built
    assert taken_down(parts, "second").built
    corpus, findings = reading.read(parts)
    assert corpus, findings
    assert [shard.content.source.id for shard in corpus.shards] == ["example"]
    assert [stone.seed for stone in corpus.tombstones.content.tombstones if stone.table == "sources"] == [
        None if packed else "901_second.txt"
    ]
    assert (parts / "seeds/901_second.txt").exists() == (packed is None)


def as_one_part(root: Path) -> pa.Table:
    """Put the sources of two parts into the first one; returns their texts, which are yet to be packed."""
    both = [root / f"annotations/part-{i}.jsonl" for i in (0, 1)]
    both[0].write_bytes(b"".join(path.read_bytes() for path in both))
    both[1].unlink()
    packed = [root / f"seeds/part-{i}.parquet" for i in (0, 1)]
    texts = pa.concat_tables([pq.read_table(path) for path in packed])
    for path in packed:
        path.unlink()
    return texts


def pack(root: Path, texts: pa.Table, ending: str) -> Path:
    path = root / f"seeds/part-0.{ending}"
    if ending == "parquet":
        pq.write_table(texts, path)
    else:
        with pa.ipc.new_file(str(path), texts.schema) as writer:
            writer.write_table(texts)
    return path


TYPES: dict[str, pa.DataType] = {
    "dictionary": pa.dictionary(pa.int32(), pa.string()),
    "view": pa.string_view(),
    "large": pa.large_string(),
    "bytes": pa.binary_view(),
}


@pytest.mark.parametrize("ending", ["arrow", "parquet"])
@pytest.mark.parametrize("kind", TYPES)
def test_of_a_text_that_goes_nothing_is_left_however_it_was_packed(parts: Path, kind: str, ending: str) -> None:
    texts = as_one_part(parts)
    lost = texts["text"][1].as_py()[:40].encode()
    values = pa.array(texts["text"].to_pylist())
    beside: dict[str, Any] = {
        "listed": pa.array([["a"], ["wanderer"]]).cast(pa.list_(pa.string_view())),
        "held": pa.StructArray.from_arrays([pa.array(["a", "wanderer"]).dictionary_encode()], ["word"]),
    }
    beside |= {"source_id": texts["source_id"]}
    table = pa.table({"text": values.cast(TYPES[kind]), **beside})
    table = table.replace_schema_metadata({"pandas": lost, "note": b"second"})
    path = pack(parts, table, ending)
    assert codes(bulk.examine(parts, PLAIN).examined.findings) == []
    assert taken_down(parts, "second").built
    left = pq.read_table(path) if ending == "parquet" else pa.ipc.open_file(str(path)).read_all()
    row = {"source_id": "example", "text": values[0].as_py(), "listed": ["a"], "held": {"word": "a"}}
    if kind == "bytes":
        row["text"] = row["text"].encode()
    assert left.to_pylist() == [row]
    assert not left.schema.metadata
    assert not [word for word in (lost, b"second", b"wanderer") if word in path.read_bytes()]


def test_packed_texts_that_cannot_be_written_anew_are_in_the_way(parts: Path) -> None:
    texts = as_one_part(parts)
    union = pa.UnionArray.from_sparse(pa.array([0, 1], pa.int8()), [pa.array([1, 2]), pa.array(["a", "b"])])
    pack(parts, texts.append_column("odd", union), "arrow")
    before = folders.contents(parts)
    ran = run("takedown", "second", "--reason", "person", "--root", parts)
    said = "seeds/part-0.arrow cannot be written without a row: it has a column of a union type; nothing was changed.\n"
    assert (ran.returncode, ran.stderr) == (1, said)
    assert folders.contents(parts) == before


def test_whoever_might_not_read_a_file_may_not_read_it_afterwards(parts: Path) -> None:
    modes = {
        "annotations/part-0.jsonl": 0o600,
        "annotations/part-1.jsonl": 0o640,
        "annotations/tombstones.yaml": 0o664,
        "seeds/part-1.parquet": 0o400,
    }
    assert taken_down(parts, "example-t8").built
    for file, mode in modes.items():
        (parts / file).chmod(mode)
    before = {file: (parts / file).read_bytes() for file in modes}
    for record_id in ("mira-fenn", "second"):
        assert taken_down(parts, record_id).built
    assert not [file for file in modes if (parts / file).read_bytes() == before[file]]
    assert {file: (parts / file).stat().st_mode & 0o777 for file in modes} == modes


def test_lines_that_nothing_touches_stay_as_they_were_typed(parts: Path) -> None:
    first, second = (parts / f"annotations/part-{i}.jsonl" for i in (0, 1))
    both = [json.loads(path.read_text(encoding="utf-8")) for path in (first, second)]
    first.write_text("".join(f"{json.dumps(line)}\n" for line in both), encoding="utf-8")
    texts = [pq.read_table(parts / f"seeds/part-{i}.parquet") for i in (0, 1)]
    pq.write_table(pa.concat_tables(texts), parts / "seeds/part-0.parquet")
    second.unlink()
    (parts / "seeds/part-1.parquet").unlink()
    before = first.read_bytes().splitlines()
    packed = (parts / "seeds/part-0.parquet").read_bytes()
    assert taken_down(parts, "example-t8").built
    after = first.read_bytes().splitlines()
    assert after[1] == before[1]
    assert after[0] != before[0]
    assert (parts / "seeds/part-0.parquet").read_bytes() == packed


def test_what_is_for_files_takes_nothing_out_of_parts(parts: Path) -> None:
    before = folders.contents(parts)
    with pytest.raises(withdrawing.InTheWay, match=r"annotations/part-[01]\.jsonl is a part"):
        takedown.take_down(parts, parts / "dist", "example-t1", reason="person", day=DAY, created=None)
    assert folders.contents(parts) == before


# ---- or nothing changes --------------------------------------------------------------------------------------


def test_when_nothing_can_be_published_nothing_changes(parts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = folders.contents(parts)

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("defectors_data.releasing.release", refuse)
    with pytest.raises(OSError, match="No space"):
        taken_down(parts, "bruno-salt")
    assert folders.contents(parts) == before


@pytest.mark.parametrize(("part", "code"), [(0, "quote-not-found"), (1, "quote-not-found")])
def test_with_a_finding_anywhere_nothing_is_taken_out(parts: Path, part: int, code: str) -> None:
    path = parts / f"annotations/part-{part}.jsonl"
    line = json.loads(path.read_text(encoding="utf-8"))
    line["figures"][0]["evidence"] = "nowhere at all 7"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    before = folders.contents(parts)
    done = taken_down(parts, "example-t8", Asked())
    assert code in codes(done.findings)
    assert {finding.place.file for finding in done.findings} == {f"annotations/part-{part}.jsonl"}
    assert done.built is None
    assert folders.contents(parts) == before


def codes(findings: list[Finding]) -> list[str]:
    return [finding.code for finding in findings]


def test_a_line_that_is_none_is_a_finding(parts: Path) -> None:
    (parts / "annotations/part-1.jsonl").write_text("[]\n", encoding="utf-8")
    done = taken_down(parts, "example-t8")
    assert done.built is None
    assert codes(done.findings) == ["wrong-value"]


def test_what_is_in_the_way_is_told_by_its_line(parts: Path) -> None:
    path = parts / "annotations/part-1.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("901_second.txt", "on-salt.txt"), encoding="utf-8")
    with pytest.raises(withdrawing.InTheWay, match=r"^annotations/part-1\.jsonl, line 1, holds the name"):
        taken_down(parts, "bruno-salt")
    with pytest.raises(withdrawing.NoRecord):
        taken_down(parts, "nobody")


@pytest.mark.parametrize("damage", ["a row less", "no texts", "a folder", "texts twice"])
def test_that_there_is_no_record_is_not_said_of_parts_that_cannot_be_read(parts: Path, damage: str) -> None:
    annotations, packed = parts / "annotations/part-1.jsonl", parts / "seeds/part-1.parquet"
    if damage == "a row less":
        pq.write_table(pq.read_table(packed).slice(0, 0), packed)
    elif damage == "no texts":
        packed.write_bytes(b"none")
    elif damage == "a folder":
        annotations.unlink()
        annotations.mkdir()
    else:
        (parts / "seeds/part-1.arrow").write_bytes(b"")
    file, code = (
        ("annotations/part-1.jsonl", "file-unreadable")
        if damage == "a folder"
        else (
            f"seeds/part-1.{'arrow' if damage == 'texts twice' else 'parquet'}",
            "part-without-texts",
        )
    )
    before = folders.contents(parts)
    done = taken_down(parts, "second-t1")
    assert [(finding.place.file, finding.code) for finding in done.findings] == [(file, code)]
    assert set(done.findings) <= set(bulk.examine(parts, PLAIN).examined.findings)
    assert (done.built, folders.contents(parts)) == (None, before)
    ran = run("takedown", "second-t1", "--reason", "person", "--root", parts)
    assert (ran.returncode, code in ran.stdout, "No record" in ran.stderr) == (1, True, False)


@pytest.mark.parametrize("where", [where for where in IN_THE_WAY if "annotations/90" not in IN_THE_WAY[where][0]])
def test_of_parts_the_same_is_in_the_way_as_of_files(copied: Path, tmp_path: Path, where: str) -> None:
    file, old, new, line = IN_THE_WAY[where]
    if where == "a term":
        edit(copied, "annotations/900_example.yaml", "measure: inns", "measure: fenn_inns")
    sharded = in_parts(copied, tmp_path / "sharded")
    for root in (sharded, copied):
        edit(root, file, old, new)
    before = folders.contents(sharded)
    with pytest.raises(withdrawing.InTheWay, match=rf"^{re.escape(file)}, line {line}, holds the name") as told:
        taken_down(sharded, "mira-fenn")
    with pytest.raises(withdrawing.InTheWay, match=f"^{re.escape(str(told.value))}$"):
        small_without(copied, "mira-fenn")
    assert folders.contents(sharded) == before


@pytest.mark.parametrize("called", ["mira-fenn", "of_Fenn_and_others"])
def test_a_part_that_is_called_after_who_goes_is_in_the_way(parts: Path, called: str) -> None:
    for path in (*parts.glob("annotations/part-0.*"), *parts.glob("seeds/part-0.*")):
        path.rename(path.with_stem(called))
    (parts / "annotations/part-1.jsonl").rename(parts / "annotations/zz.jsonl")
    (parts / "seeds/part-1.parquet").rename(parts / "seeds/zz.parquet")
    assert codes(bulk.examine(parts, PLAIN).examined.findings) == []
    with pytest.raises(
        withdrawing.InTheWay, match=rf"^annotations/{called}\.jsonl is called after the name: rename it"
    ):
        taken_down(parts, "mira-fenn")
    assert taken_down(parts, "bruno-salt").built


def test_more_sources_than_are_held_are_refused(generated: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    _, large = generated
    before = folders.contents(large)
    monkeypatch.setattr(excising, "MOST", 2)
    corpus = reading.read(large).corpus
    assert corpus
    with pytest.raises(withdrawing.InTheWay, match="more than 2 sources"):
        taken_down(large, corpus.shared.content.speakers[0].id)
    assert folders.contents(large) == before


def test_a_source_does_not_lead_to_all_that_hear_its_speakers(
    generated: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = generated
    monkeypatch.setattr(excising, "MOST", 3)
    corpus = reading.read(large).corpus
    assert corpus
    uses = [(s.content.source.id, e.id) for s in corpus.shards for _, e in s.entries() if e.id.startswith("shared-")]
    source = next(name for name, speaker in uses if sum(other == speaker for _, other in uses) > 3)
    assert parts_without(large, source) == small_without(small, source)


def test_where_a_takedown_is_killed_in_its_build_the_next_build_publishes(parts: Path) -> None:
    code = (
        "import os, sys\n"
        "from defectors_data import excising, releasing\n"
        "from datetime import date\n"
        "from pathlib import Path\n"
        "from defectors_data.judging import Asked\n"
        "releasing.release = lambda *a, **k: os.kill(os.getpid(), 9)\n"
        "excising.take_down(Path(sys.argv[1]), Path(sys.argv[1]) / 'dist', 'second', reason='person',\n"
        "    day=date(2026, 1, 31), created=None, asked=Asked(ledger=False, provenance=False, rules=False))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code, str(parts)], check=False, capture_output=True)
    assert ran.returncode == -signal.SIGKILL, ran.stderr
    assert (parts / "annotations/part-1.jsonl").read_bytes() == b""
    with pytest.raises(withdrawing.NoRecord):
        taken_down(parts, "second")
    assert run("build", "--root", parts, "--jobs", "1").returncode == 0
    assert not [*(parts / "annotations").glob(".*"), *(parts / "seeds").glob(".*"), *parts.glob(".dist*")]


def test_a_takedown_does_not_undo_another_that_was_done_meanwhile(parts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, other = excising.plan, list[Excised | Exception]()

    def planned(*arguments: Any, **options: Any) -> Any:
        taken = plan(*arguments, **options)
        monkeypatch.setattr(excising, "plan", plan)
        try:
            other.append(taken_down(parts, "mira-fenn"))
        except publishing.AnotherBuild as error:
            other.append(error)
        return taken

    monkeypatch.setattr(excising, "plan", planned)
    assert taken_down(parts, "example-t8").built
    assert isinstance(other[0], publishing.AnotherBuild)
    assert taken_down(parts, "mira-fenn").built
    assert b"mira-fenn" not in b"".join(path.read_bytes() for path in (parts / "annotations").iterdir())


def test_what_was_planned_before_another_takedown_is_not_carried_out(
    parts: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stale = excising.plan(parts, "example-t8", reason="person", day=DAY, asked=PLAIN)
    assert taken_down(parts, "mira-fenn").built
    before = folders.contents(parts)
    monkeypatch.setattr(excising, "plan", lambda *_, **__: stale)
    with pytest.raises(corpus_update.Edited, match="was edited meanwhile"):
        taken_down(parts, "example-t8")
    assert folders.contents(parts) == before


@pytest.mark.parametrize("file", ["annotations/part-0.jsonl", "annotations/tombstones.yaml"])
@pytest.mark.parametrize("early", [True, False], ids=["before it is written anew", "before it is replaced"])
def test_what_is_edited_while_something_is_taken_out_is_not_lost(
    parts: Path, file: str, monkeypatch: pytest.MonkeyPatch, *, early: bool
) -> None:
    changes, edited = excising.changes, list[Mapping[str, bytes]]()

    def edit() -> None:
        data = (parts / file).read_bytes() if (parts / file).exists() else b""
        (parts / file).write_bytes(data.replace(b'"note"', b'"notes"') + b"\n")
        edited.append({name: data for name, data in folders.contents(parts).items() if "/." not in name})

    def edit_in_between(*arguments: Any) -> Iterator[corpus_update.Change]:
        if early:
            edit()
        yield from changes(*arguments)
        if not early:
            edit()

    monkeypatch.setattr(excising, "changes", edit_in_between)
    with pytest.raises(corpus_update.Edited, match=f"^{file} was edited meanwhile"):
        taken_down(parts, "mira-fenn")
    assert folders.contents(parts) == edited[0]


def test_a_line_that_moved_while_something_is_taken_out_is_not_taken_for_another(parts: Path) -> None:
    taken = excising.plan(parts, "second", reason="person", day=DAY, asked=PLAIN)
    for path in (parts / "annotations/part-1.jsonl", parts / "seeds/part-1.parquet"):
        path.write_bytes(path.with_name(path.name.replace("1", "0")).read_bytes())
    before = folders.contents(parts)
    with pytest.raises(corpus_update.Edited, match="part-1"), corpus_update.locked(parts):
        corpus_update.update(parts, excising.changes(parts, taken))
    assert folders.contents(parts) == before


def test_no_text_of_another_source_goes(parts: Path) -> None:
    taken = excising.plan(parts, "second", reason="person", day=DAY, asked=PLAIN)
    (parts / "seeds/part-1.parquet").write_bytes((parts / "seeds/part-0.parquet").read_bytes())
    before = folders.contents(parts)
    with pytest.raises(withdrawing.InTheWay, match="row 1 is of another source"), corpus_update.locked(parts):
        corpus_update.update(parts, excising.changes(parts, taken))
    assert folders.contents(parts) == before


# ---- the command line ----------------------------------------------------------------------------------------


def test_the_command_says_the_same_for_parts_and_for_files(copied: Path, parts: Path) -> None:
    told = [
        process("takedown", "bruno-salt", "--reason", "law", "--date", "2026-01-31", where=root, SOURCE_DATE_EPOCH="0")
        for root in (copied, parts)
    ]
    assert told[0].stdout == told[1].stdout
    assert [(ran.returncode, ran.stderr) for ran in told] == [(0, ""), (0, "")]
    short = run("takedown", "example-t8", "--reason", "error", "--jobs", "1", "--without", "ledger", where=parts)
    assert short.returncode == 0, short.stderr
    assert not (parts / "dist/data/ledger.csv").exists()
    refused = run("takedown", "example-t8", "--reason", "error", "--jobs", "1", where=copied)
    assert refused.returncode == 2
