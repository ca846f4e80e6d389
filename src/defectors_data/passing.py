"""Blocks of sources of which most are plainly right: rows by the short way, and by the models where that refuses.

What comes out is what `judging` would make of the whole block; only how much each rule saw is not counted.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from defectors_data import checks, express, judging, parts, tabling
from defectors_data.bounding import SMALLEST
from defectors_data.corpus import Corpus, Shard
from defectors_data.express import NotPlain, Taken, World
from defectors_data.files import Tree
from defectors_data.judging import Asked, Judged, Traces
from defectors_data.proving import prove
from defectors_data.rows import ROWS

if TYPE_CHECKING:
    from defectors_data.tabling import Records

SCHEMAS = {row.TABLE.name: tabling.arrow_schema(row) for row in ROWS}


def judge(block: parts.Block, file: str, packed: str, tree: Tree, world: World, asked: Asked) -> Judged:
    """Judge the sources of a block of a part whose texts are packed, as `judging.judge` does."""
    judged = Judged.begun(file, block)
    taken: dict[int, Taken] = {}
    odd: list[Shard] = []
    texts, sums = _texts(block)
    names = block.texts["source_id"].to_pylist() if block.texts is not None else []
    for i, line in enumerate(block.lines):
        try:
            value = express.read(line)
            source = value["source"]
            text = texts[i] if source["id"] == names[i] and source["sha256"] == sums[i] else None
            taken[i] = express.take(value, text, world)
            judging.in_order(judged, source["id"], block.first + i)
        except NotPlain:
            if shard := judging.shard_of(block, i, file, packed, tree, judged):
                odd.append(shard)
    if judged.unread:
        return judged
    records = _odd(odd, world.corpus, judged, asked) if odd else {}
    _count(judged, taken)
    if not judged.doubtful:
        judged.tables = _tables(block, taken, records)
    return judged


def _texts(block: parts.Block) -> tuple[list[str | None], list[str]]:
    """Return the texts of a block with their SHA-256; None stands for one that is not plainly a text."""
    assert block.texts is not None  # noqa: S101  # the caller looked
    column: Any = block.texts["text"]
    large: Any = pc.greater(pc.binary_length(column), pa.scalar(SMALLEST))
    odd: list[bool] = pc.or_(pc.match_substring_regex(column, _NO_TEXT), large).to_pylist()
    texts: list[str] = column.to_pylist()
    sums = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    return [None if is_odd or not text.strip() else text for text, is_odd in zip(texts, odd, strict=True)], sums


_NO_TEXT = "[\x00-\x08\x0b-\x1f\x7f\u0080-\u009f]|^\ufeff"


def _odd(odd: Sequence[Shard], world: Corpus, judged: Judged, asked: Asked) -> Records:
    """Judge sources by the models, and return their rows where none is doubtful."""
    proof = prove(replace(world, shards=tuple(odd)))
    found, _ = checks.examine(proof, skip=judging.skipped_rules(asked), count=False)
    numbers = {name: int(s.file.rpartition("#")[2]) for s in odd for name in (s.file, s.seed)}
    judged.doubtful = sorted({numbers[f.place.file] for f in found if f.place.file in numbers})
    judged.parts += sum(len(cited.parts) for shard in odd for cited in shard.cited())
    judged.records += sum(len(s.content.testimonies) + len(s.content.figures) for s in odd)
    for shard in odd:
        judging.trace(proof, shard, int(shard.file.rpartition("#")[2]) - judged.first, judged.traces)
    if judged.doubtful:
        return {}
    for key, count in tabling.used(odd).items():
        judged.used[key] = judged.used.get(key, 0) + count
    return tabling.records_of_sources(proof, judging.BESIDE | judging.OF_ALL | judging.left_out_tables(asked))


def _count(judged: Judged, taken: Mapping[int, Taken]) -> None:
    """Note what has to be known of the sources that were taken, beside their rows."""
    used: Counter[tuple[str, str]] = Counter()
    for i, source in taken.items():
        judged.parts += source.parts
        judged.records += source.records
        used.update(source.terms)
        _trace(source, i, judged.traces)
    judged.used = dict(used + Counter(judged.used))


def _trace(source: Taken, number: int, traces: Traces) -> None:
    """Note what of a source has to be held against others, as `judging.trace` does."""
    traces.sources[number] = judging.short(source.id)
    traces.texts[number] = int(source.rows["sources"][0][2][:16], 16)
    told = {owner for owner in (judging.owner(source.id), *map(judging.owner, source.named)) if owner}
    for words in source.texts:
        told |= judging.named_in(words)
    traces.told += [(judging.short(name), number) for name in told - {source.id}]
    for name, known in source.named.items():
        traces.add_name(number, name, known)
    for name in source.ids:
        if name not in source.named and not name.startswith(f"{source.id}-"):
            traces.add_name(number, name, f"{source.id} {name}")
            if owner := judging.owner(name):
                traces.told.append((judging.short(owner), number))
    for speaker in source.uses:
        traces.uses.setdefault(speaker, number)


def _tables(block: parts.Block, taken: Mapping[int, Taken], records: Records) -> dict[str, pa.Table]:
    """Return the rows of all sources as tables, source by source."""
    by_source = _by_source(records)
    names = [str(name) for name in block.texts["source_id"].to_pylist()] if block.texts is not None else []
    rows: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for i, name in enumerate(names):
        held = taken[i].rows if i in taken else by_source.get(name, {})
        for table, of_source in held.items():
            rows[table].extend(of_source)
    return {table: _arrow(table, held) for table, held in rows.items() if held}


def _by_source(records: Records) -> dict[str, dict[str, list[tuple[Any, ...]]]]:
    """Return the rows of sources that the models have judged, by source and table."""
    found: dict[str, dict[str, list[tuple[Any, ...]]]] = defaultdict(lambda: defaultdict(list))
    of_testimony = {row["testimony_id"]: row["source_id"] for row in records.get("testimonies", ())}
    for table, rows in records.items():
        for row in rows:
            source = row["source_id"] if "source_id" in row else of_testimony[row["testimony_id"]]
            found[source][table].append(tuple(row.values()))
    return found


def _arrow(table: str, rows: list[tuple[Any, ...]]) -> pa.Table:
    schema = SCHEMAS[table]
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
