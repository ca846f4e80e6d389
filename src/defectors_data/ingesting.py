"""A corpus of any layout is written anew in parts, once: sources beside their texts, in the order of their ids.

What is read may be files of single sources, or parts in any order with their texts packed or loose. Ids alone are held
all at once: by them it is decided which part a source goes to, then each part is put together by itself.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pydantic_core import from_json

from defectors_data import fs, jsontext, lines, parts, reading, sharding
from defectors_data.files import Tree, bytes_of, file_unreadable, why_not
from defectors_data.findings import Finding, Place
from defectors_data.sharding import Loose

SHARED = (
    "dataset.yaml",
    "annotations/vocabulary.yaml",
    "annotations/speakers.yaml",
    "annotations/tombstones.yaml",
    "annotations/comparisons.yaml",
)
"""Files that are about no source, which go along as they are."""


class Ingested(NamedTuple):
    """What came of it: findings and nothing written, or how much was."""

    findings: list[Finding]
    sources: int = 0
    parts: int = 0


def ingest(root: Path, out: Path, *, size: int, told: Callable[[int, float], None]) -> Ingested:
    """Write the corpus below `root` in parts of `size` sources to the new folder `out`.

    `told` hears how many sources were read, and which share of all.

    Raises:
        OSError: the file system refused; nothing is left of what was written.
    """
    tree, findings = Tree(root), list[Finding]()
    ids = sorted(source.id for source in _sources(tree, findings))
    if not findings:
        found = reading.read(root, only={})
        findings += found.findings
    if not ids and not findings:
        findings.append(reading.nothing_annotated())
    if findings:
        return Ingested(lines.plain(findings))
    beside = out.with_name(f".{out.name}.new")
    made: list[Path] = []
    try:
        _make(beside, made)
        for file in filter(tree.there, SHARED):
            _write(beside / file, (root / file).read_bytes(), made)
        firsts = ids[::size]
        for i, sources in enumerate(_buckets(tree, firsts, beside, made, len(ids), told)):
            part = sharding.packed(sources)
            _write(beside / f"annotations/part-{i:05d}.jsonl", part.annotations, made)
            _write(beside / f"seeds/part-{i:05d}.parquet", part.texts, made)
        fs.move(beside, out)
    except BaseException:
        _unmake(made)
        raise
    return Ingested([], len(ids), len(firsts))


def _sources(tree: Tree, findings: list[Finding]) -> Iterator[Loose]:
    """Give every source of a corpus, in whatever order it has; what cannot be read is a finding."""
    corpus, faults = reading.read(tree.root, only={})
    findings += faults
    for shard in corpus.shards if corpus else ():
        yield Loose(shard.content.source.id, sharding.line(shard.content), shard.text.encode())
    for file in lines.names(tree):
        packed = lines.packed_beside(tree, file)
        if unreadable := list(lines.unreadable(tree, file, packed)):
            findings += unreadable
            continue
        try:
            for block in parts.blocks(tree.opened, file, packed):
                for i, line in enumerate(block.lines):
                    yield from _loose(tree, block, i, line, file, findings)
        except parts.Unpacked as error:
            findings.append(lines.part_without_texts(str(packed), str(error)))
        except OSError as error:
            findings.append(file_unreadable(file, why_not(error)))


def _loose(tree: Tree, block: parts.Block, i: int, line: bytes, file: str, findings: list[Finding]) -> Iterator[Loose]:
    """Give a line as a source, if it names one that has a text."""
    place = Place(file, block.first + i)
    try:
        typed: Any = from_json(line)
        name, seed = str(typed["source"]["id"]), str(typed["source"]["seed"])
    except (ValueError, KeyError, TypeError):
        findings.append(jsontext.json_syntax(place, "it has no `source` with `id` and `seed`"))
        return
    if block.texts is None:
        text, faults = bytes_of(tree, f"seeds/{seed}") if "/" not in seed else (None, [])
        findings += faults
    else:
        named, text = block.texts["source_id"][i].as_py(), block.texts["text"][i].as_buffer().to_pybytes()
        text = text if named == name else None
    if text is None:
        findings.append(lines.part_without_texts(file, f"the source of line {place.line} has none"))
    else:
        yield Loose(name, line, text)


def _buckets(
    tree: Tree, firsts: list[str], beside: Path, made: list[Path], total: int, told: Callable[[int, float], None]
) -> Iterator[list[Loose]]:
    """Give the sources of each part: what has passed by is kept in a file for each, and taken up again."""
    if _in_order(tree):
        waiting: list[Loose] = []
        for number, source in enumerate(_sources(tree, [])):
            if waiting and bisect_right(firsts, source.id) != bisect_right(firsts, waiting[0].id):
                yield waiting
                waiting = []
            waiting.append(source)
            told(number + 1, (number + 1) / total)
        yield from [waiting] if waiting else []
        return
    kept = [beside / f".bucket-{i}" for i in range(len(firsts))]
    held: dict[int, list[Loose]] = {}
    for number, source in enumerate(_sources(tree, [])):
        held.setdefault(bisect_right(firsts, source.id) - 1, []).append(source)
        told(number + 1, (number + 1) / total)
        if number % _HELD == _HELD - 1:
            _keep(held, kept, made)
    _keep(held, kept, made)
    for file in kept:
        yield sorted(sharding.kept(file.read_bytes()), key=lambda source: source.id)
        fs.remove_file(file)
        made.remove(file)


_HELD = 5_000
"""Sources that are held before they are put where they belong."""


def _in_order(tree: Tree) -> bool:
    """Tell whether the sources pass by in the order of their ids."""
    last = ""
    for source in _sources(tree, []):
        if source.id <= last:
            return False
        last = source.id
    return True


def _keep(held: dict[int, list[Loose]], kept: list[Path], made: list[Path]) -> None:
    for i, sources in sorted(held.items()):
        if kept[i] not in made:
            made.append(kept[i])
        fs.append(kept[i], b"".join(map(sharding.keep, sources)))
    held.clear()


def _make(beside: Path, made: list[Path]) -> None:
    above = [folder for folder in beside.absolute().parents if not folder.exists()]
    for folder in (*reversed(above), beside, beside / "annotations", beside / "seeds"):
        fs.make_folder(folder)
        made.append(folder)


def _write(path: Path, data: bytes, made: list[Path]) -> None:
    made.append(path)
    fs.write(path, data)


def _unmake(made: list[Path]) -> None:
    for path in reversed(made):
        with suppress(OSError):
            if path.is_dir():
                fs.remove_folder(path)
            else:
                fs.remove_file(path)
