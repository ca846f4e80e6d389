"""Every format gives back what the published table of losses says; an export replaces only an earlier export."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from itertools import compress
from operator import not_
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from calling import run
from conftest import INVENTED, spread
from defectors_data.models.columns import Column, columns
from defectors_data.models.tables import ROW_OF, ROWS
from defectors_data.package import published_folder
from defectors_data.package.cells import cell_text
from defectors_data.package.tables_reader import PackageTables
from defectors_data.readers import exports
from defectors_data.readers.exports.exported_records import (
    COLUMNS,
    RECORDS,
    ExportedArticle,
    ExportedCorpus,
    ExportedPart,
    ExportedRecord,
)
from defectors_data.text.offsets import OffsetConverter
from export_readers import READERS, Read
from losses import Losses

SEEDS = str(INVENTED / "seeds")
TERMS = {
    "theme": [{"term": "hunger_pay", "label": "Hunger pay", "definition": "Food, oil & <pay>."}],
    "measure": [{"term": "boats_lost", "label": "Boats lost", "definition": "Boats: those that sank."}],
    "population": [{"term": "keepers", "label": "Keepers", "definition": "Everyone who keeps a light."}],
}
SPEAKERS = {
    "900-example-speaker-1": {
        "speaker_id": "900-example-speaker-1",
        "source_id": "900-example",
        "kind": "group",
        "role": "defector",
        "anonymity": "withheld",
        "protected": "true",
        "pseudonym_possible": "false",
    },
    "harbour-office": {
        "speaker_id": "harbour-office",
        "kind": "institution",
        "role": "other",
        "anonymity": "named",
        "protected": "false",
        "pseudonym_possible": "false",
        "name": "Harbour “Office” & <Sons> 👩‍🚀",
    },
}

# ---- any record ------------------------------------------------------------------------------------------------------

CHARACTERS = st.sampled_from("ab é\u0301\u0308👩\u200d🚀𝒳\u2028\u00a0<>&\"'“”;,:|\\{}#\t") | st.characters(
    exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"
)
WORDS = st.text(CHARACTERS.filter(lambda c: c != "\t"), min_size=1, max_size=8)
NOTES = st.lists(WORDS, min_size=1, max_size=3).map("\n".join)
IDS = st.from_regex(r"[a-z0-9]{1,3}(-[a-z0-9]{1,2})?", fullmatch=True)


def cell(column: Column) -> st.SearchStrategy[str]:
    """Return texts that a cell of a column may have."""
    if column.type is int:
        return st.integers(0, 10**6).map(str)
    if column.type is date:
        return st.dates(date(1901, 1, 1), date(2100, 1, 1)).map(date.isoformat)
    if column.type is float:
        return (st.floats(-1e12, 1e12) | st.integers(-99, 99).map(lambda i: i / 8)).map(lambda n: cell_text(n) or "")
    terms = {"themes": "hunger_pay", "measure": "boats_lost", "population": "keepers"}
    if column.name in terms:
        return st.just(terms[column.name])
    if column.name in ("speaker_id", "attributed_to"):
        return st.sampled_from(sorted(SPEAKERS))
    if column.choices:
        return st.sampled_from(column.choices)
    return NOTES if column.name == "note" else WORDS


@st.composite
def articles(draw: st.DrawFn) -> ExportedArticle:
    """Draw an article with records whose evidence has parts, and overlaps with that of others."""
    text = draw(st.text(CHARACTERS | st.just("\n"), min_size=4, max_size=40)) + draw(st.sampled_from("a𝒳"))
    offsets = OffsetConverter(text)
    records = []
    for number in range(draw(st.integers(0, 5))):
        table = draw(st.sampled_from(RECORDS))
        key, *others = COLUMNS[table]
        cells = {key.name: f"{draw(IDS)}-{number}"}
        for column in others:
            if column.name == "speaker_id" or not column.nullable or draw(st.booleans()):
                cells[column.name] = draw(cell(column))
        edges = sorted(draw(st.sets(st.integers(0, len(text)), min_size=2, max_size=6)))
        spans = [(a, b) for a, b in zip(edges[::2], edges[1::2], strict=False) if text[a:b].strip()] or [(0, len(text))]
        context = draw(st.none() | WORDS), draw(st.none() | WORDS)
        parts = [
            ExportedPart(start, end, offsets.utf16(start), offsets.utf16(end), text[start:end], *context)
            for start, end in spans
        ]
        records.append(ExportedRecord(table, tuple(parts), cells))
    described = {
        "source_id": "900-example",
        "seed_file": "900_example.txt",
        "language": "en",
        "rights": "Ours & <yours>",
        "url": "https://example.org/900",
    }
    digest = hashlib.sha256(text.encode()).hexdigest()
    return ExportedArticle({**described, "sha256": digest, "title": draw(WORDS)}, text, tuple(records))


class InventedTables(PackageTables):
    """The tables of one invented article; columns that nothing is said about have a value of their type."""

    def __init__(self, article: ExportedArticle) -> None:
        super().__init__(Path(), [row.TABLE.name for row in ROWS])
        parts = [(record, part) for record in article.records for part in record.parts]
        found: dict[str, list[dict[str, Any]]] = {
            "sources": [{**article.cells}],
            "speakers": [typed("speakers", cells) for cells in SPEAKERS.values()],
            "terms": [
                {**row, "kind": kind, "term_id": f"{kind}.{row['term']}"}
                for kind, rows in TERMS.items()
                for row in rows
                if kind != "measure"
            ],
            "measures": [{**row, "measure": row["term"]} for row in TERMS["measure"]],
            **{table: [typed(table, r.cells) for r in article.records if r.table == table] for table in RECORDS},
            "spans": [
                {"span_id": str(i), "record_table": record.table, "record_id": record.id, **part._asdict()}
                for i, (record, part) in enumerate(parts)
            ],
        }
        empty = {str: "-", int: 0, float: 0.0, bool: False, date: date(2000, 1, 1)}
        self.found = {
            row.TABLE.name: [
                {
                    column.name: cells.get(
                        column.name, None if column.nullable else next(iter(column.choices), empty[column.type])
                    )
                    for column in columns(row)
                }
                for cells in found.get(row.TABLE.name, [])
            ]
            for row in ROWS
        }

    def rows(self, name: str, _columns: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
        return iter(self.found[name])

    def number(self, name: str) -> int:
        return len(self.found[name])

    def column_names(self, name: str) -> list[str]:
        return [column.name for column in columns(ROW_OF[name])]

    def batches(self, name: str, _columns: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        if self.found[name]:
            yield pa.RecordBatch.from_pylist(self.found[name])


def typed(table: str, cells: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of the cells of a record or speaker."""
    types = {column.name: column.type for column in COLUMNS[table]}
    read: dict[type, Callable[[str], Any]] = {int: int, float: float, bool: lambda cell: cell == "true", str: str}
    read[date] = date.fromisoformat
    return {name: read[types[name]](cell) for name, cell in cells.items()}


def with_dates_as_text(cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return cells with dates in ISO 8601: some formats have no type for them."""
    return {key: str(cell)[:10] if isinstance(cell, date) else cell for key, cell in cells.items()}


def exported(name: str, article: ExportedArticle) -> Read:
    """Return what an independent reader reads in the files of a format."""
    corpus = ExportedCorpus("invented", "Invented", "1.0.0", TERMS, SPEAKERS, [article], InventedTables(article))
    files = dict(exports.FORMATS[name].files(corpus))
    read = READERS[name](files, article.stem)
    assert isinstance(read, Read)
    return read


def facets(article: ExportedArticle, read: Read) -> dict[str, bool]:
    """Return what of an article a format gave back, by the name of the row in the table of losses."""
    records = sorted(article.records, key=lambda record: record.id)
    found = sorted(read.records, key=lambda each: each.cells[COLUMNS[each.table][0].name])
    found = [each._replace(cells=with_dates_as_text(each.cells)) for each in found]
    pairs = list(zip(records, found, strict=True))
    values = [with_dates_as_text(typed(record.table, record.cells)) for record in records]
    same = [each.cells in (record.cells, cells) for (record, each), cells in zip(pairs, values, strict=True)]
    long = [
        any(float(f"{cell:.15g}") != cell for cell in cells.values() if isinstance(cell, float)) for cells in values
    ]
    cited = {record.cells.get("speaker_id") or record.cells.get("attributed_to") for record in records} - {None}
    terms = {(table, row["term"]): row["definition"] for table, rows in TERMS.items() for row in rows}
    spans = [([(part.start_offset, part.end_offset) for part in record.parts], each.spans) for record, each in pairs]
    across = [any("\n" in part.exact for part in record.parts) for record in records]
    return {
        "text of the article": read.text == article.text,
        "cells of a record": all(compress(same, map(not_, long))) and all(a.table == b.table for a, b in pairs),
        "types of cells": all(
            each.cells == cells for each, cells in compress(zip(found, values, strict=True), map(not_, long))
        ),
        "numbers of more than 15 digits": all(compress(same, long)),
        "parts, with start and end": all(a == b for a, b in compress(spans, map(not_, across))),
        "a part across lines": all(a == b for a, b in compress(spans, across)),
        "context of a part": all(
            [(part.prefix, part.suffix) for part in record.parts] == each.context for record, each in pairs
        ),
        "speakers": all(
            read.speakers.get(name) in (SPEAKERS[name], typed("speakers", SPEAKERS[name])) for name in cited if name
        ),
        "definitions of terms": read.terms == terms,
        "other tables": read.tables >= {row.TABLE.name for row in ROWS},
    }


def difficult() -> ExportedArticle:
    """Return an article with parts, an overlap, a part across lines, wide characters, and cells of all kinds."""
    text = "👩\u200d🚀 “We had no oil,” said e\u0301\tone.\n\nOthers & <more>."
    offsets = OffsetConverter(text)

    def part(start: int, end: int) -> ExportedPart:
        return ExportedPart(
            start, end, offsets.utf16(start), offsets.utf16(end), text[start:end], text[:start][-5:] or None
        )

    cells = {"testimony_id": "900-t1", "speaker_id": "harbour-office", "speaker_role": "other", "mode": "direct"}
    cells |= {"themes": "hunger_pay", "note": "One: line.\nmode: two"}
    figure = {"figure_id": "900-f1", "measure": "boats_lost", "counted": "boats", "hedge": "exact", "unit": "item"}
    figure["polarity"] = "affirmed"
    figure |= {"value": "0.30000000000000004"}
    mention = {"mention_id": "900-m1", "speaker_id": "900-example-speaker-1", "age": "41"}
    records = (
        ExportedRecord("testimonies", (part(5, 18), part(20, 44)), cells),
        ExportedRecord("figures", (part(0, 20),), figure),
        ExportedRecord("mentions", (part(31, 34),), mention),
    )
    described = {"source_id": "900-example", "seed_file": "900_example.txt", "sha256": "0" * 64, "language": "en"}
    return ExportedArticle({**described, "rights": "Ours", "url": "https://example.org/900"}, text, records)


TABULAR = ("sqlite", "xlsx", "stata")
"""Formats of which each file takes long: they are measured once, with the records of all examples."""


@pytest.mark.parametrize(("examples", "records"), [(15, 15), pytest.param(5_000, 10_000, marks=pytest.mark.sweep)])
def test_a_format_loses_exactly_what_the_table_of_losses_says(examples: int, records: int, golden: bool) -> None:
    losses, tried = Losses("exports", golden=golden), list[ExportedRecord]()

    @settings(max_examples=examples)
    @example(article=difficult())
    @given(article=articles())
    def any_article(article: ExportedArticle) -> None:
        for name in READERS.keys() - TABULAR:
            losses.add(name, facets(article, exported(name, article)))
        for record in article.records:
            key = COLUMNS[record.table][0].name
            tried.append(record._replace(cells={**record.cells, key: f"{record.id}-{len(tried)}"}))

    any_article()
    together = difficult()._replace(records=tuple(tried))
    for name in TABULAR:
        losses.add(name, facets(together, exported(name, together)))
    losses.check()
    assert len(tried) >= records


# ---- the command -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", spread(exports.FORMATS, 3, pytest.mark.deep))
def test_an_export_is_the_same_bytes_twice_and_is_replaced(package: Path, tmp_path: Path, name: str) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert exports.export(package, name, first, seeds=INVENTED / "seeds") == "published"
    assert exports.export(package, "w3c" if name == "brat" else "brat", second, seeds=INVENTED / "seeds") == "published"
    assert exports.export(package, name, second, seeds=INVENTED / "seeds") == "published"
    assert exports.export(package, name, second, seeds=INVENTED / "seeds") == "unchanged"
    assert published_folder.contents(first) == published_folder.contents(second)


def test_a_program_may_be_named_instead_of_its_format(package: Path, tmp_path: Path) -> None:
    assert set(exports.PROGRAMS.values()) <= exports.FORMATS.keys()
    assert not exports.PROGRAMS.keys() & exports.FORMATS.keys()
    for name in ("excel", "xlsx"):
        assert run("export", name, "--package", package, "--out", tmp_path / name, where=INVENTED).returncode == 0
    assert published_folder.contents(tmp_path / "excel") == published_folder.contents(tmp_path / "xlsx")
    shown = "".join(run("export", "--help", where=INVENTED).stdout.split())  # a line may end after a hyphen
    assert [name for name in (*exports.FORMATS, *exports.PROGRAMS) if name not in shown] == []


@pytest.mark.parametrize("name", sorted(READERS.keys() - {*TABULAR, "hypothesis"}))
def test_the_invented_corpus_comes_back(package: Path, tmp_path: Path, name: str) -> None:
    exports.export(package, name, tmp_path / "out", seeds=INVENTED / "seeds")
    files = published_folder.contents(tmp_path / "out")
    tables = PackageTables(package, ["spans"])
    spans = [span for span in tables.rows("spans") if span["field"] == "evidence" and span["record_table"] in RECORDS]
    for stem, source in (("900_example", "example"), ("901_second", "second")):
        read = READERS[name](files, stem)
        text = (INVENTED / f"seeds/{stem}.txt").read_text(encoding="utf-8")
        assert read.text in (text, None)
        words = sorted(text[start:end] for found in read.records for start, end in found.spans)
        assert words == sorted(span["exact"] for span in spans if span["source_id"] == source)


def test_the_database_has_the_published_cells_with_keys_and_views(package: Path, tmp_path: Path) -> None:
    exports.export(package, "sqlite", tmp_path / "out")
    [path] = tmp_path.glob("out/*.db")
    database = sqlite3.connect(path)
    assert database.execute("pragma foreign_key_check").fetchall() == []
    for row in ROWS:
        if not (package / f"data/{row.TABLE.name}.parquet").exists():
            continue
        rows = database.execute(f"select * from {row.TABLE.name}").fetchall()  # noqa: S608  # a name of ours
        published = PackageTables(package, [row.TABLE.name]).rows(row.TABLE.name)
        assert rows == [tuple(str(c) if hasattr(c, "isoformat") else c for c in each.values()) for each in published]
    assert database.execute("select count(*) from figures_described").fetchone() == (
        database.execute("select count(*) from figures").fetchone()
    )
    search = (
        "select testimony_id from testimonies_fts join testimonies on testimonies.rowid = testimonies_fts.rowid "
        "where testimonies_fts match ?"
    )
    for words in ("lost an oar", "LOST"):
        assert ("example-t4",) in database.execute(search, (words,)).fetchall()
    pairs = [row for row in PackageTables(package, ["comparisons"]).rows("comparisons") if not row["same_source"]]
    assert database.execute("select verdict from figures_compared").fetchall() == [(row["verdict"],) for row in pairs]
    database.close()


def test_an_export_that_cannot_be_made_is_refused_and_writes_nothing(package: Path, tmp_path: Path) -> None:
    copies = Path(shutil.copytree(SEEDS, tmp_path / "copies"))
    own = tmp_path / "own"
    own.mkdir()
    (own / "thesis.txt").write_text("Mine.")
    arguments = ["--package", str(package), "--out"]

    def refused(name: str, out: Path, *more: str) -> tuple[int, str]:
        before = published_folder.contents(tmp_path)
        ran = run("export", name, *arguments, out, *more, where=tmp_path)
        assert (ran.stdout, published_folder.contents(tmp_path)) == ("", before)
        return ran.returncode, ran.stderr

    assert refused("word", own)[0] == 2
    assert "--seeds" in refused("tei", tmp_path / "new")[1]
    assert refused("w3c", own) == (
        1,
        f"{own} exists and is not an export: choose another folder; nothing was written.\n",
    )
    shutil.copytree(package, tmp_path / "dist")
    assert refused("w3c", tmp_path / "dist")[0] == 1
    (copies / "901_second.txt").write_bytes((copies / "901_second.txt").read_bytes() + b" ")
    code, message = refused("brat", tmp_path / "new", "--seeds", str(copies))
    assert (code, "901_second.txt differs from the article that was annotated" in message) == (1, True)
    (copies / "901_second.txt").unlink()
    code, message = refused("brat", tmp_path / "new", "--seeds", str(copies))
    assert (code, message.startswith("901_second.txt is missing from ")) == (1, True)


def test_a_command_exports_the_package_of_a_project(published: Path, tmp_path: Path) -> None:
    ran = run("export", "refi-qda", "--out", tmp_path / "out", "--seeds", "seeds", where=published)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert run("export", "w3c", "--out", "dist", where=published).returncode == 1
    assert run("export", "w3c", "--out", tmp_path / "out", where=published).returncode == 0
