"""SQLite database (STRICT tables, SQLite 3.37 or later), and metadata for datasette.

Keys and foreign keys are declared. The description of each table and column is a comment in its
`CREATE TABLE` statement, and is repeated in `metadata.json`, which `datasette defectors.db
--metadata metadata.json` shows. The words of the records are indexed for full-text search (FTS5) in
tables such as `testimonies_fts`, which datasette finds by itself.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import date

from defectors_data.models.columns import Column, RowModel, sentence
from defectors_data.models.schemas import encoded
from defectors_data.models.tables import ONLY_WITH_VALUES
from defectors_data.readers.exports.exported_records import ExportedCorpus, Files

# SQLite has no types for dates and Booleans.
_TYPES: dict[type, str] = {
    str: "TEXT",
    date: "TEXT",
    int: "INTEGER",
    bool: "INTEGER",
    float: "REAL",
}

VIEWS = {
    "testimonies_described": """
SELECT testimony_id, text, mode, testimonies.access, testimonies.stance, themes, testimonies.outlet,
  speakers.speaker_id, speakers.name AS speaker_name, speakers.role AS speaker_role, speakers.rank_class,
  speakers.branch, persons.ages AS speaker_ages, persons.years_of_service AS speaker_years_of_service,
  sources.source_id, sources.label AS source, sources.published, testimonies.note
FROM testimonies JOIN speakers USING (speaker_id)
  LEFT JOIN persons ON person_id = speakers.speaker_id
  JOIN sources ON sources.source_id = testimonies.source_id""",
    "figures_described": """
SELECT figure_id, figures.source_id, sources.title AS source_title, measures.label AS measure,
  polarity, hedge, value, low, high, unit, figures.as_of, speakers.name AS attributed_to_name,
  speakers.role AS attributed_to_role, text
FROM figures JOIN sources USING (source_id) LEFT JOIN measures USING (measure)
  LEFT JOIN speakers ON speakers.speaker_id = attributed_to""",
    "figures_compared": """
SELECT measures.label AS measure, verdict, times, a.source_id AS source_a, a.text AS text_a,
  b.source_id AS source_b, b.text AS text_b, explanation, dependence
FROM comparisons JOIN measures USING (measure)
  JOIN figures a ON a.figure_id = figure_a JOIN figures b ON b.figure_id = figure_b
WHERE NOT same_source""",
}
"""Views for common joins."""


_SEARCHED = ("testimonies", "figures", "mentions")
"""The tables whose column `text` is indexed."""


def files(corpus: ExportedCorpus) -> Files:
    """Yield the database and its metadata."""
    tables = corpus.published()
    with closing(sqlite3.connect(":memory:")) as database:
        for row, published in tables.items():
            database.execute(_statement(row, published))
            marks = ", ".join("?" for _ in published)
            for batch in corpus.tables.batches(row.TABLE.name):
                cells = [_cells(found) for found in batch.to_pylist()]
                insert = f"INSERT INTO {row.TABLE.name} VALUES ({marks})"  # noqa: S608  # our names
                database.executemany(insert, cells)
        for name in _SEARCHED:
            database.execute(
                f"CREATE VIRTUAL TABLE {name}_fts USING fts5(text, content='{name}', "
                "tokenize='unicode61 remove_diacritics 2')"
            )
            database.execute(f"INSERT INTO {name}_fts({name}_fts) VALUES ('rebuild')")  # noqa: S608
        for name, select in VIEWS.items():
            database.execute(f"CREATE VIEW {name} AS{_present(select, corpus)}")
        database.commit()
        yield f"{corpus.name}.db", database.serialize()
    described = {}
    for row, published in tables.items():
        names = {column.name: column.description for column in published}
        described[row.TABLE.name] = {"description": sentence(row), "columns": names}
    metadata = {"title": corpus.title, "databases": {corpus.name: {"tables": described}}}
    yield "metadata.json", encoded(metadata)


def _present(select: str, corpus: ExportedCorpus) -> str:
    """Return the statement of a view without columns that the package does not have."""
    for group in ONLY_WITH_VALUES:
        for place in group:
            table, _, column = place.partition(".")
            if column not in corpus.tables.column_names(table):
                select = re.sub(rf"\b{table}\.{column}\b( AS \w+)?,\s+", "", select)
    return select


def _statement(row: type[RowModel], published: Sequence[Column]) -> str:
    """Return the statement that creates a table, with a comment on the table and on each column."""
    table = row.TABLE
    parts = []
    for column in published:
        declared = _column(column, is_key=column.name == table.key)
        parts.append((declared, f"  -- {column.description}"))
    for own, (other, key) in table.refers.items():
        parts.append((f'FOREIGN KEY ("{own}") REFERENCES {other} ("{key}")', ""))
    lines = [f"CREATE TABLE {table.name} (", f"  -- {sentence(row)}"]
    for number, (part, comment) in enumerate(parts, start=1):
        comma = "," if number < len(parts) else ""
        lines.append(f"  {part}{comma}{comment}")
    return "\n".join([*lines, ") STRICT"])


def _column(column: Column, *, is_key: bool) -> str:
    limits = ""
    if is_key:
        limits += " PRIMARY KEY"
    if not column.nullable:
        limits += " NOT NULL"
    if column.type is bool:
        limits += f' CHECK ("{column.name}" IN (0, 1))'
    return f'"{column.name}" {_TYPES[column.type]}{limits}'


def _cells(row: Mapping[str, object]) -> list[object]:
    return [_cell(cell) for cell in row.values()]


def _cell(cell: object) -> object:
    return cell.isoformat() if isinstance(cell, date) else cell
