"""Takedowns of shards: lines, packed texts, and archives in which a record reaches far."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import generator
from calling import run
from conftest import INVENTED, found_in
from defectors_data.build import build
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.edits import atomic_update
from defectors_data.package import published_folder
from defectors_data.publishers import removal, takedown
from takedowns import corpus_of, left_by, planned, take_out


def part(i: int, ending: str = "jsonl") -> str:
    return f"{'annotations' if ending == 'jsonl' else 'seeds'}/part-0000{i}.{ending}"


# ---- archives --------------------------------------------------------------------------------------------------


def an_archive(factory: pytest.TempPathFactory, annotations: int) -> tuple[Path, Path]:
    """Return an archive of files, and the same in parts."""
    small, large = (factory.mktemp(name) for name in ("small", "large"))
    generator.generate(small, annotations, small=True)
    generator.generate(large, annotations, sources_per_part=30)
    return small, large


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An archive in which some speakers are heard in several sources."""
    return an_archive(tmp_path_factory, 400)


def ids_of_an_archive(root: Path) -> Iterator[str]:
    """Give a shared speaker of each kind, and a record of each table of a source in the midst."""
    corpus = corpus_of(FileTree(root))
    yield from {speaker.kind: speaker.id for speaker in corpus.context.shared.values()}.values()
    document = list(corpus.documents.values())[len(corpus.documents) // 2]
    content = document.content
    yield content.source.id
    yield from (records[0].id for records in (content.testimonies, content.figures, content.waivers) if records)
    yield from {speaker.kind: speaker.id for _, speaker in document.speakers}.values()


@pytest.mark.sweep
def test_of_an_archive_the_same_is_taken_out(tmp_path_factory: pytest.TempPathFactory) -> None:
    small, large = an_archive(tmp_path_factory, 400)
    compared = list(ids_of_an_archive(small))
    assert len(compared) > 5
    for record_id in compared:
        assert left_by(large, record_id) == left_by(small, record_id), record_id


@pytest.mark.deep
def test_a_name_is_removed_from_every_source_that_prints_it(generated: tuple[Path, Path]) -> None:
    _, large = generated
    speaker = next(iter(corpus_of(FileTree(large)).context.shared.values()))
    with planned(large, speaker.id) as plan:
        documents = corpus_of(FileTree(large, plan.changed)).documents.values()
    printing = [document for document in documents if speaker.name in document.text]
    assert len(printing) > 1
    for document in printing:
        at = document.text.index(speaker.name)
        assert any(run.start <= at and at + len(speaker.name) <= run.end for run in document.content.withdrawn)


@pytest.mark.deep
def test_more_sources_than_fit_in_memory_are_refused(
    generated: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, large = generated
    before = published_folder.contents(large)
    monkeypatch.setattr(takedown, "MOST", 1)
    with pytest.raises(removal.TakedownBlockedError, match="More than 1 sources"):
        take_out(large, next(iter(corpus_of(FileTree(large)).context.shared)))
    assert published_folder.contents(large) == before


@pytest.mark.sweep
def test_removing_a_source_keeps_other_sources_of_its_speakers(
    generated: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    small, large = generated
    monkeypatch.setattr(takedown, "MOST", 1)
    documents = corpus_of(FileTree(large)).documents.values()
    uses = [(document.source.id, entry.id) for document in documents for _, entry in document.uses]
    source = next(name for name, speaker in uses if sum(other == speaker for _, other in uses) > 1)
    assert left_by(large, source) == left_by(small, source)


# ---- texts -----------------------------------------------------------------------------------------------------


def test_a_removed_source_leaves_no_words(parts: Path) -> None:
    texts = {row["source_id"]: row["text"] for i in (0, 1) for row in rows_of(parts / part(i, "parquet"))}
    assert take_out(parts, "second").findings == []
    assert build(CorpusReader(FileTree(parts)), parts / "dist").outcome == "published"
    withdrawn = re.compile(rb"(?:[a-z]+/|h-)second(?:-[a-z]+[0-9]+|-speaker-[0-9]+)?\"|<code>second[a-z0-9-]*</code>")
    for path in parts.rglob("*"):
        if path.is_file() and path.stem not in ("tombstones", "history"):
            data = path.read_bytes()
            if path.name == "index.html":  # it has an address for each tombstone
                data = withdrawn.sub(b"", data)
            # Where "first" is, too, it is the name of a column of `statement_relations`.
            found = [line for line in data.split(b"\n") if b"second" in line and b"first" not in line]
            assert not found or path.name in MENTION_SECONDS, (path, found[:3])
    left = [row for i in (0, 1) for row in rows_of(parts / part(i, "parquet"))]
    assert [(row["source_id"], row["text"]) for row in left] == [("example", texts["example"])]
    assert "seed:" not in (parts / "annotations/tombstones.yaml").read_text(encoding="utf-8")
    assert not list(parts.rglob(".*"))


MENTION_SECONDS = ("datapackage.json", "croissant.json", "verify.py", "statement_relations.parquet")


def rows_of(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
    return rows


@pytest.mark.parametrize("packed", ["arrow", None])
def test_texts_may_be_packed_otherwise_or_lie_in_files(parts: Path, packed: str | None) -> None:
    for i, name in enumerate(("900_example.txt", "901_second.txt")):
        table = pq.read_table(parts / part(i, "parquet"))
        (parts / part(i, "parquet")).unlink()
        if packed:
            with pa.ipc.new_file(str(parts / part(i, "arrow")), table.schema) as writer:
                writer.write_table(table)
        else:
            shutil.copy(INVENTED / "seeds" / name, parts / "seeds")
    assert take_out(parts, "bruno-salt").findings == []
    assert take_out(parts, "second").findings == []
    assert found_in(parts) == []
    corpus = corpus_of(FileTree(parts))
    assert list(corpus.documents) == ["example"]
    assert [stone.seed for stone in corpus.context.tombstones if stone.table == "sources"] == [
        None if packed else "901_second.txt"
    ]
    assert (parts / "seeds/901_second.txt").exists() == (packed is None)


def as_one_part(root: Path) -> pa.Table:
    """Put the sources of two parts into the first one; returns their texts, which are yet to be packed."""
    both = [root / part(i) for i in (0, 1)]
    both[0].write_bytes(b"".join(path.read_bytes() for path in both))
    both[1].unlink()
    packed = [root / part(i, "parquet") for i in (0, 1)]
    texts = pa.concat_tables([pq.read_table(path) for path in packed])
    for path in packed:
        path.unlink()
    return texts


def pack(root: Path, texts: pa.Table, ending: str) -> Path:
    path = root / part(0, ending)
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
def test_a_removed_text_leaves_no_words_in_any_packing(parts: Path, kind: str, ending: str) -> None:
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
    assert found_in(parts) == []
    assert take_out(parts, "second").findings == []
    left = pq.read_table(path) if ending == "parquet" else pa.ipc.open_file(str(path)).read_all()
    row = {"source_id": "example", "text": values[0].as_py(), "listed": ["a"], "held": {"word": "a"}}
    if kind == "bytes":
        row["text"] = row["text"].encode()
    assert left.to_pylist() == [row]
    assert not left.schema.metadata
    assert not [word for word in (lost, b"second", b"wanderer") if word in path.read_bytes()]


def test_packed_texts_that_cannot_be_written_anew_are_in_the_way(parts: Path) -> None:
    texts = as_one_part(parts)
    union = pa.UnionArray.from_sparse(pa.array([0, 1, 0], pa.int8()), [pa.array([1, 2, 3]), pa.array(["a", "b", "c"])])
    pack(parts, texts.append_column("odd", pa.ListArray.from_arrays([0, 2, 3], union)), "arrow")
    before = published_folder.contents(parts)
    ran = run("takedown", "second", "--reason", "person", "--root", parts)
    said = "cannot be rewritten without the removed rows: the values of a column cannot be converted (ArrowInvalid)"
    assert (ran.returncode, ran.stderr) == (1, f"seeds/part-00000.arrow {said}; nothing was changed.\n")
    assert published_folder.contents(parts) == before


def test_file_permissions_are_kept(parts: Path) -> None:
    modes = {
        "annotations/part-00000.jsonl": 0o600,
        "annotations/part-00001.jsonl": 0o640,
        "annotations/tombstones.yaml": 0o664,
        "seeds/part-00001.parquet": 0o400,
    }
    assert take_out(parts, "example-t8").findings == []
    for file, mode in modes.items():
        (parts / file).chmod(mode)
    before = {file: (parts / file).read_bytes() for file in modes}
    for record_id in ("mira-fenn", "second"):
        assert take_out(parts, record_id).findings == []
    assert not [file for file in modes if (parts / file).read_bytes() == before[file]]
    assert {file: (parts / file).stat().st_mode & 0o777 for file in modes} == modes


def test_unchanged_lines_are_kept_as_typed(parts: Path) -> None:
    first, second = (parts / part(i) for i in (0, 1))
    both = [json.loads(path.read_text(encoding="utf-8")) for path in (first, second)]
    first.write_text("".join(f"{json.dumps(line)}\n" for line in both), encoding="utf-8")
    texts = [pq.read_table(parts / part(i, "parquet")) for i in (0, 1)]
    pq.write_table(pa.concat_tables(texts), parts / "seeds/part-00000.parquet")
    second.unlink()
    (parts / "seeds/part-00001.parquet").unlink()
    before = first.read_bytes().splitlines()
    packed = (parts / "seeds/part-00000.parquet").read_bytes()
    assert take_out(parts, "example-t8").findings == []
    after = first.read_bytes().splitlines()
    assert after[1] == before[1]
    assert after[0] != before[0]
    assert (parts / "seeds/part-00000.parquet").read_bytes() == packed


# ---- or nothing changes ----------------------------------------------------------------------------------------


def test_a_line_that_is_none_is_a_finding(parts: Path) -> None:
    (parts / part(1)).write_text("[]\n", encoding="utf-8")
    plan = take_out(parts, "example-t8")
    assert [finding.code for finding in plan.findings] == ["invalid-value"]


@pytest.mark.parametrize("damage", ["a row less", "no texts", "a folder", "texts twice"])
def test_a_record_in_an_unreadable_file_is_not_reported_as_missing(parts: Path, damage: str) -> None:
    annotations, packed = parts / "annotations/part-00001.jsonl", parts / "seeds/part-00001.parquet"
    if damage == "a row less":
        pq.write_table(pq.read_table(packed).slice(0, 0), packed)
    elif damage == "no texts":
        packed.write_bytes(b"none")
    elif damage == "a folder":
        annotations.unlink()
        annotations.mkdir()
    else:
        (parts / "seeds/part-00001.arrow").write_bytes(b"")
    file, code = (
        ("annotations/part-00001.jsonl", "file-unreadable")
        if damage == "a folder"
        else (
            f"seeds/part-00001.{'arrow' if damage == 'texts twice' else 'parquet'}",
            "shard-without-texts",
        )
    )
    before = published_folder.contents(parts)
    plan = take_out(parts, "second-t1")
    assert [(finding.place.file, finding.code) for finding in plan.findings] == [(file, code)]
    assert published_folder.contents(parts) == before
    ran = run("takedown", "second-t1", "--reason", "person", "--root", parts)
    assert (ran.returncode, code in ran.stdout, "No record" in ran.stderr) == (1, True, False)


@pytest.mark.parametrize("file", [part(0), "annotations/tombstones.yaml"])
@pytest.mark.parametrize("early", [True, False], ids=["before it is written anew", "before it is replaced"])
def test_edits_during_a_takedown_are_not_lost(parts: Path, file: str, *, early: bool) -> None:
    edited: list[Any] = []

    def edit() -> None:
        data = (parts / file).read_bytes() if (parts / file).exists() else b""
        (parts / file).write_bytes(data.replace(b'"note"', b'"notes"') + b"\n")
        edited.append({name: data for name, data in published_folder.contents(parts).items() if "/." not in name})

    def edited_in_between(plan: takedown.TakedownPlan) -> Iterator[atomic_update.FileChange]:
        if early:
            edit()
        yield from plan.changes()
        if not early:
            edit()

    with (
        pytest.raises(atomic_update.EditedFileError, match=f"^{file} was edited in the meantime"),
        atomic_update.locked(parts),
        planned(parts, "mira-fenn") as plan,
    ):
        atomic_update.update(parts, edited_in_between(plan))
    assert published_folder.contents(parts) == edited[0]


@pytest.mark.parametrize("kept", [part(1), part(1, "parquet")])
def test_no_line_of_another_source_is_removed(parts: Path, kept: str) -> None:
    with planned(parts, "second") as plan:
        (parts / kept).write_bytes((parts / kept.replace("1.", "0.")).read_bytes())
        before = published_folder.contents(parts)
        with pytest.raises(atomic_update.EditedFileError, match="part-00001"), atomic_update.locked(parts):
            atomic_update.update(parts, plan.changes())
    assert published_folder.contents(parts) == before
