"""Which published cells a spreadsheet would run as a formula, so that whoever opens the CSV in one can be told.

The articles' words are never altered, so such cells cannot be helped: this is advice, and no finding. What people word
themselves is refused in reading where it begins so, but for a note that is a list. The cells are found in what was
proved, before any table is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from defectors_data.corpus import Cited, Shard
from defectors_data.models import Record
from defectors_data.proving import Proof
from defectors_data.spans import Span

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet takes for a formula (OWASP, CSV Injection)."""

CONTEXT = 32
"""Code points of context that are published on each side of figures and mentions."""

_TYPED = ("as_of", "override", "note")
"""Columns that hold what was typed, under the same name, and may begin so: a date before year 1, a list."""


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
    found = {cell for shard in shards for cell in _of_shard(proof, shard)}
    shared: list[tuple[str, str, Record]] = [("speakers", s.id, s) for s in corpus.shared.content.speakers]
    compared = corpus.comparisons.content.comparisons
    shared += [("comparisons", ".".join(sorted(entry.figures)), entry) for entry in compared]
    return sorted(found | set(_typed(shared)))


def _of_shard(proof: Proof, shard: Shard) -> Iterator[Cell]:
    """Give the cells of a source; the joined table repeats those of its testimonies, and the source's in every row."""
    own = [*_cited(proof, shard), *_ledger(proof, shard), *_of_source(shard)]
    yield from own
    for cell in own:
        if cell.table == "testimonies":
            yield cell._replace(table=_JOINED)
        elif cell.table == "sources" and cell.column in _REPEATED:
            yield from (Cell(_JOINED, t.id, f"source_{cell.column}") for _, t in shard.testimonies())


_JOINED = "testimonies_joined"
_REPEATED = ("title", "published")
"""Columns of a source that the joined table has."""


def advice(cells: Sequence[Cell]) -> Iterator[str]:
    """Name these cells in lines, the first of them one by one; nothing where there are none."""
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
    if source.published and source.published.value.startswith(FORMULA):
        yield Cell("sources", source.id, "published")
    records: list[tuple[str, str, Record]] = [("sources", source.id, source)]
    records += [("speakers", speaker.id, speaker) for _, speaker in shard.speakers()]
    records += [("testimonies", testimony.id, testimony) for _, testimony in shard.testimonies()]
    records += [("figures", figure.id, figure) for _, figure in shard.figures()]
    records += [("waivers", waiver.id, waiver) for _, waiver in shard.waivers()]
    records += [("relations", relation.id, relation) for _, relation in shard.relations()]
    yield from _typed(records)


def _typed(records: Iterable[tuple[str, str, Record]]) -> Iterator[Cell]:
    for table, row, record in records:
        for column in _TYPED:
            value = vars(record).get(column)
            if isinstance(value, str) and value.startswith(FORMULA):
                yield Cell(table, row, column)
