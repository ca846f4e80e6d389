"""Why one cell of the published package holds what it holds, worded for a reader: the certificate and the words.

Read from the published files alone; with the articles at hand, the sentence is shown in place of the published context.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from defectors_data.certifying import DERIVED, RULES, Certifier, Rule
from defectors_data.formats import cell_text

if TYPE_CHECKING:
    import pyarrow.parquet as pq


class NoCell(LookupError):
    """There is no such table, row or column, or the cell is empty; the message says which."""


class Words(NamedTuple):
    """Words that a cell rests on, on their line."""

    span: str
    source: str
    line: int
    column: int
    before: str
    exact: str
    after: str


class Traced(NamedTuple):
    """A cell, its certificate and the words it rests on."""

    table: str
    record: str
    column: str
    value: str
    rule: Rule
    words: tuple[Words, ...]


def trace(package: Path, name: str, *, seeds: Path | None = None) -> list[Traced]:
    """Return the cells that TABLE/ID/COLUMN or TABLE/ID means, each with what it rests on.

    `package` is a published folder, `seeds` the folder of the articles, where it is at hand. Only the rows that the
    cell rests on are read, however large the package.

    Raises:
        NoCell: there is no such cell.
        OSError: the package cannot be read.
    """
    table, _, rest = name.partition("/")
    record, _, column = rest.partition("/")
    keys = _keys(package)
    if table not in keys:
        raise NoCell(f"There is no table {table!r}. There are: {', '.join(keys)}.")
    key = keys[table]
    row = next(iter(_rows(package, table, key, [record])), None)
    if row is None:
        raise NoCell(f"The table {table} has no row of that {key}.")
    if column and column not in row:
        raise NoCell(f"The table {table} has no such column. There are: {', '.join(row)}.")
    wanted = [column] if column else [name for name, cell in row.items() if cell is not None]
    if row[wanted[0]] is None:
        raise NoCell("The cell is empty: nothing is known, and nothing is claimed.")
    rows = _rows_around(package, table, row)
    certifier, spans = Certifier(rows), {span["span_id"]: span for span in rows["spans"]}
    texts = _texts(rows["sources"], seeds)
    return [_traced(certifier, spans, texts, table, record, row, column) for column in wanted]


def _rows_around(package: Path, table: str, row: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows that a row may rest on: those of its source, or of a shared speaker those of all mentions."""
    if table == "speakers":
        mentions = _rows(package, "mentions", "speaker_id", [row["speaker_id"]])
        sources = sorted({mention["source_id"] for mention in mentions})
        records = {mention["mention_id"] for mention in mentions}
        spans = [span for span in _rows(package, "spans", "source_id", sources) if span["record_id"] in records]
        speakers = [dict(row)]
    else:
        sources = [row["source_id"]] if row.get("source_id") else []
        mentions, spans = (_rows(package, name, "source_id", sources) for name in ("mentions", "spans"))
        speakers = _rows(package, "speakers", "speaker_id", sorted({mention["speaker_id"] for mention in mentions}))
    return {
        table: [dict(row)],
        "speakers": speakers,
        "mentions": mentions,
        "spans": spans,
        "sources": _rows(package, "sources", "source_id", sources),
        "tombstones": _rows(package, "tombstones"),
    }


def _traced(
    certifier: Certifier,
    spans: Mapping[str, Mapping[str, Any]],
    texts: Mapping[str, str],
    table: str,
    record: str,
    row: Mapping[str, Any],
    column: str,
) -> Traced:
    if table not in RULES:
        return Traced(table, record, column, str(row[column]), DERIVED[table], _own_words(row, texts))
    certificate = certifier.of(table, row, column)
    words = [_words(spans[name], texts) for name in certificate.spans] if certificate else []
    rule = certificate.rule if certificate else RULES[table][column]
    return Traced(table, record, column, str(row[column]), rule, tuple(words))


def _own_words(row: Mapping[str, Any], texts: Mapping[str, str]) -> tuple[Words, ...]:
    """Return the words of a row that has a place of its own: a span."""
    return (_words(row, texts),) if row.get("exact") else ()


def _words(span: Mapping[str, Any], texts: Mapping[str, str]) -> Words:
    source, exact = span["source_id"], span["exact"]
    before, after = span["prefix"] or "", span["suffix"] or ""
    if text := texts.get(source):
        start, end = int(span["start"]), int(span["end"])
        before = text[text.rfind("\n", 0, start) + 1 : start]
        after = text[end:].partition("\n")[0]
    return Words(span["span_id"], source, int(span["line"]), int(span["column"]), before, exact, after)


def lines(traced: Traced) -> Iterator[str]:
    """Word a cell for a terminal: the cell, its certificate, and each sentence with a caret under the words."""
    rule = traced.rule
    yield f"{traced.table}/{traced.record}/{traced.column}: {traced.value}"
    told = [f"computed by {rule.function} from {rule.inputs}" if rule.function else rule.basis]
    yield f"    {'; '.join([*told, *([rule.note] if rule.note else [])])}"
    for words in traced.words:
        yield f"    {words.source}, line {words.line}, column {words.column}:"
        before, exact = words.before[-60:].replace("\n", " "), words.exact.replace("\n", " ")
        shown = f"{before}{exact}"
        yield f"      {shown}{words.after[:60]}"
        yield f"      {' ' * len(before)}{'^' * len(exact)}"


def record(traced: Traced) -> dict[str, Any]:
    """Return a cell with its certificate as JSON has it."""
    certificate = {key: value for key, value in traced.rule._asdict().items() if value is not None}
    words = [item._asdict() for item in traced.words]
    place = {"table": traced.table, "record": traced.record, "column": traced.column, "value": traced.value}
    return {**place, "certificate": certificate, "words": words}


def _rows(package: Path, table: str, key: str = "", values: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Read the rows of a table, or those with one of some values in a column; cells are as a CSV has them."""
    import pyarrow as pa  # noqa: PLC0415  # slow to import
    import pyarrow.compute as pc  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    if key and not values:
        return []
    with (package / f"data/{table}.parquet").open("rb") as opened:
        file = pq.ParquetFile(opened)
        groups = [number for number in range(file.num_row_groups) if not key or _may_have(file, number, key, values)]
        # A thread of pyarrow that still has a Python file when the process ends aborts it.
        found = file.read_row_groups(groups, use_threads=False)
    if key:
        found = found.filter(pc.is_in(found[key], value_set=pa.array(values, pa.string())))
    return [{name: cell_text(cell) for name, cell in row.items()} for row in found.to_pylist()]


def _may_have(file: pq.ParquetFile, group: int, key: str, values: Sequence[str]) -> bool:
    """Tell whether a row group may have one of some values in a column, by its statistics."""
    column = file.metadata.row_group(group).column(file.schema_arrow.get_field_index(key))
    known = column.statistics
    if not known or known.min is None or known.max is None:
        return True
    return any(known.min <= value <= known.max for value in values)


def _keys(package: Path) -> dict[str, str]:
    """Return the published tables, each with its key."""
    descriptor = json.loads((package / "datapackage.json").read_text(encoding="utf-8"))
    tables = [resource for resource in descriptor["resources"] if resource.get("type") == "table"]
    return {resource["name"]: str(resource["schema"]["primaryKey"][0]) for resource in tables}


def _texts(sources: list[dict[str, Any]], seeds: Path | None) -> dict[str, str]:
    """Read the articles that are at hand, by source."""
    paths = {row["source_id"]: seeds / row["seed_file"] for row in sources} if seeds else {}
    return {name: path.read_bytes().decode() for name, path in paths.items() if path.is_file()}
