"""Blocks of sources of which most are plainly right: rows by the short way, and by the models where that refuses.

What comes out is what `judging` would make of the whole block; only how much each rule saw is not counted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from defectors_data import checks, express, judging, parts, tabling
from defectors_data.bounding import SMALLEST
from defectors_data.corpus import Corpus, Shard
from defectors_data.express import NotPlain, Row, Taken, World
from defectors_data.files import Tree
from defectors_data.judging import Asked, Judged, Traces
from defectors_data.measuring import Texts
from defectors_data.proving import prove
from defectors_data.rows import ROWS
from defectors_data.spanning import Spans, numbers

if TYPE_CHECKING:
    from defectors_data.tabling import Records

SCHEMAS = {row.TABLE.name: tabling.arrow_schema(row) for row in ROWS}


def judge(block: parts.Block, file: str, packed: str, tree: Tree, world: World, asked: Asked) -> Judged:
    """Judge the sources of a block of a part whose texts are packed, as `judging.judge` does."""
    judged = Judged.begun(file, block)
    taken: dict[int, Taken] = {}
    odd: list[Shard] = []
    assert block.texts is not None  # noqa: S101  # the caller looked
    measured = Texts(block.texts["text"])
    texts, sums = _texts(block.texts["text"], measured), measured.sums()
    names: list[Any] = block.texts["source_id"].to_pylist()
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
        judged.tables = _tables(names, measured, taken, _by_source(records))
        judged.used = _used(judged.tables)
    return judged


def _texts(column: Any, measured: Texts) -> list[str | None]:
    """Return the texts of a block; None stands for one that is not plainly a text."""
    odd = measured.odd() | (np.diff(measured.bounds) > SMALLEST)
    both = zip(column.to_pylist(), odd.tolist(), measured.words, strict=True)
    return [text if words and not is_odd else None for text, is_odd, words in both]


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
    return tabling.records_of_sources(proof, judging.BESIDE | judging.OF_ALL | judging.left_out_tables(asked))


def _count(judged: Judged, taken: Mapping[int, Taken]) -> None:
    """Note what has to be known of the sources that were taken, beside their rows."""
    for i, source in taken.items():
        judged.parts += source.parts
        judged.records += source.records
        _trace(source, i, judged.traces)


def _trace(source: Taken, number: int, traces: Traces) -> None:
    """Note what of a source has to be held against others, as `judging.trace` does."""
    _, seed, sha256 = source.rows["sources"][0][:3]
    traces.sources[number] = judging.short(source.id)
    traces.texts[number] = int(sha256[:16], 16)
    traces.add_seed(number, source.id, seed)
    told = {owner for owner in (judging.owner(source.id), *map(judging.owner, source.named)) if owner}
    for words in source.texts:
        told |= judging.named_in(words)
    traces.told += [(judging.short(name), number) for name in told - {source.id}]
    for name, known in source.named.items():
        traces.add_name(number, name, known)
    own = f"{source.id}-"
    for name in source.ids:
        if not name.startswith(own) and name not in source.named:
            traces.add_name(number, name, f"{source.id} {name}")
            if owner := judging.owner(name):
                traces.told.append((judging.short(owner), number))
    for speaker in source.uses:
        traces.uses.setdefault(speaker, number)


_BySource: TypeAlias = Mapping[str, Mapping[str, list[Row]]]
"""Rows by source and table."""


def _tables(names: list[str], texts: Texts, taken: Mapping[int, Taken], odd: _BySource) -> dict[str, pa.Table]:
    """Return the rows of all sources as tables, source by source."""
    rows: dict[str, list[Row]] = defaultdict(list)
    spans = Spans(texts, {i: source.spans for i, source in taken.items()})
    _put_in(texts, spans, taken)
    for i, name in enumerate(names):
        held = taken[i].rows if i in taken else odd.get(name, {})
        for table, of_source in held.items():
            rows[table].extend(of_source)
    tables = {table: _arrow(table, held) for table, held in rows.items() if held and table != _SPANS}
    tables[_SPANS] = _span_table(names, spans, odd)
    return tables


def _put_in(texts: Texts, spans: Spans, taken: Mapping[int, Taken]) -> None:
    """Put into the rows of sources what is counted in their texts."""
    odd = texts.with_odd_spaces().tolist()
    counted = list(zip(texts.chars.tolist(), texts.words, spans.revealed().tolist(), strict=True))
    for i, source in taken.items():
        row = source.rows["sources"][0]
        chars, words, revealed = counted[i]
        if odd[i]:
            words = len(texts.text(i).split())
        source.rows["sources"] = [(*row[:3], chars, words, revealed, *row[6:])]


_SPANS = "spans"


def _span_table(names: list[str], spans: Spans, odd: _BySource) -> pa.Table:
    """Return the spans of all sources, those that the models have judged at their places among the others."""
    table = spans.table(pa.array(names, pa.string()), SCHEMAS[_SPANS])
    others = [(i, row) for i, name in enumerate(names) for row in odd.get(name, {}).get(_SPANS, ())]
    if others:
        of = np.concatenate([spans.of, [i for i, _ in others]])
        both = pa.concat_tables([table, _arrow(_SPANS, [row for _, row in others])])
        table = both.take(numbers(np.argsort(of, kind="stable")))
    return table


def _used(tables: Mapping[str, pa.Table]) -> dict[tuple[str, str], int]:
    """Return how often terms are used, by table and term."""
    found: dict[tuple[str, str], int] = {}
    for terms, (table, column) in _TERMS.items():
        if table in tables:
            counted: Any = pc.value_counts(tables[table][column].drop_null())
            found |= {(terms, each["values"]): each["counts"] for each in counted.to_pylist()}
    return found


_TERMS = {
    "themes": ("testimony_themes", "theme"),
    "measures": ("figures", "measure"),
    "populations": ("figures", "population"),
}
"""Where terms are used, by their table."""


def _by_source(records: Records) -> dict[str, dict[str, list[Row]]]:
    """Return the rows of sources that the models have judged, by source and table."""
    found: dict[str, dict[str, list[Row]]] = defaultdict(lambda: defaultdict(list))
    of_testimony = {row["testimony_id"]: row["source_id"] for row in records.get("testimonies", ())}
    for table, rows in records.items():
        for row in rows:
            source = row["source_id"] if "source_id" in row else of_testimony[row["testimony_id"]]
            found[source][table].append(tuple(row.values()))
    return found


def _arrow(table: str, rows: list[Row]) -> pa.Table:
    schema = SCHEMAS[table]
    columns = zip(*rows, strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)
