"""Which published cells a spreadsheet would run as a formula, so that whoever opens the CSV in one can be told.

The articles' words are never altered, so such cells cannot be helped: this is advice, and no finding. They are found
in what was proved, before any table is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from defectors_data.corpus import Cited, Shard
from defectors_data.models import Record
from defectors_data.proving import Proof
from defectors_data.spans import Span

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet takes for a formula (OWASP, CSV Injection)."""

CONTEXT = 32
"""Code points of context that are published on each side of figures and mentions."""

_TYPED = ("name", "outlet", "counted", "as_of", "place", "override", "note", "rank", "affiliation", "definition")
"""Columns that hold what was typed, under the same name."""


MOST_NAMED = 20
"""Cells that are named one by one."""


class Cell(NamedTuple):
    """A published cell: its table, the key of its row, its column."""

    table: str
    row: str
    column: str


def formulas(proof: Proof, shards: Iterable[Shard]) -> list[Cell]:
    """Return the cells of sources, and of what they share, that a spreadsheet would run, in order and each once."""
    corpus = proof.corpus
    found = {cell for shard in shards for cell in (*_cited(proof, shard), *_ledger(proof, shard), *_of_source(shard))}
    records: list[tuple[str, str, Record]] = [("speakers", s.id, s) for s in corpus.shared.content.speakers]
    for table in ("themes", "measures", "populations"):
        records += [(table, term.term, term) for term in getattr(corpus.vocabulary.content, table)]
    return sorted(found | set(_typed(records)))


def advice(proof: Proof, shards: Iterable[Shard]) -> Iterator[str]:
    """Name these cells in lines, the first of them one by one; nothing where there are none."""
    cells = formulas(proof, shards)
    if cells:
        begins = "1 published cell begins" if len(cells) == 1 else f"{len(cells)} published cells begin"
        yield f"{begins} like a formula. In a spreadsheet, import the CSV with every column as text:"
        yield from (f"    {table}.csv: {column} of {row}" for table, row, column in cells[:MOST_NAMED])
        if len(cells) > MOST_NAMED:
            yield f"    and {len(cells) - MOST_NAMED} more"


def _cited(proof: Proof, shard: Shard) -> Iterator[Cell]:
    """Give the cells that hold evidence, and its context."""
    secret = {waiver.id for _, waiver in shard.waivers() if waiver.reason == "protected_attribute"}
    for cited in shard.cited():
        spans = proof.at(shard, cited.path)
        if not spans or cited.record_id in secret:
            continue
        if shard.text.startswith(FORMULA, spans[0].start) and (column := _column(cited)):
            yield Cell(cited.table, cited.record_id, column)
        for part, span in enumerate(spans, start=1):
            row = f"{cited.record_id}.{cited.field}.{part}"
            if shard.text.startswith(FORMULA, span.start):
                yield Cell("spans", row, "exact")
            if cited.table in ("figures", "mentions"):
                yield from (Cell("spans", row, name) for name in _contexts(shard, span))


def _column(cited: Cited) -> str | None:
    """Return the column of a record's own table that begins with its evidence, if one does."""
    if cited.table == "sources":
        return cited.field if cited.field in ("title", "subtitle", "dateline", "url") else None
    return "text" if cited.field == "evidence" else None


def _contexts(shard: Shard, span: Span) -> Iterator[str]:
    before = max([span.start - CONTEXT, 0, *(run.end for run in shard.content.withdrawn if run.end <= span.start)])
    cut = any(run.start == span.end for run in shard.content.withdrawn)
    if before < span.start and shard.text.startswith(FORMULA, before):
        yield "prefix"
    if not cut and shard.text.startswith(FORMULA, span.end):
        yield "suffix"


def _ledger(proof: Proof, shard: Shard) -> Iterator[Cell]:
    for entry in proof.ledgers[shard.file].entries:
        found, secret = entry.detection, entry.status == "withdrawn" or entry.reason == "protected_attribute"
        if not secret and shard.text.startswith(FORMULA, found.start):
            yield Cell("ledger", f"{shard.content.source.id}.{found.start}.{found.kind}", "text")


def _of_source(shard: Shard) -> Iterator[Cell]:
    """Give the cells that hold what was typed in the file of a source."""
    source = shard.content.source
    first = {
        name: fact.value if isinstance(fact.value, str) else fact.value[0] for name, fact in source.facts().items()
    }
    first |= {"cited_outlets": next(iter(source.cited_outlets), ""), "rights": source.rights, "note": source.note or ""}
    yield from (Cell("sources", source.id, name) for name, value in first.items() if value.startswith(FORMULA))
    records: list[tuple[str, str, Record]] = [("speakers", speaker.id, speaker) for _, speaker in shard.speakers()]
    records += [("mentions", mention.id, mention) for _, _, mention in shard.mentions()]
    records += [("testimonies", testimony.id, testimony) for _, testimony in shard.testimonies()]
    records += [("figures", figure.id, figure) for _, figure in shard.figures()]
    records += [("waivers", waiver.id, waiver) for _, waiver in shard.waivers()]
    yield from _typed(records)


def _typed(records: Iterable[tuple[str, str, Record]]) -> Iterator[Cell]:
    for table, row, record in records:
        for column in _TYPED:
            value = getattr(record, column, None)
            if isinstance(value, str) and value.startswith(FORMULA):
                yield Cell(table, row, column)
