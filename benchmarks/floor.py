"""The least that a build has to do: read and hash the texts, find each quotation, write testimonies and spans twice."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

import quoted


class Without(MetaPathFinder):
    """Keeps pandas out: pyarrow imports it where it can, and it is of no use here."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002
        """Refuse pandas, and leave the rest to others."""
        if fullname == "pandas":
            raise ModuleNotFoundError(name=fullname)


_TESTIMONY = ["id", "source_id", "speaker", "mode", "text", "themes", "start", "end"]
_SPAN = ["record_id", "field", "part", "source_id", "start", "end", "exact"]
_NUMBERS = {"part", "start", "end"}


class Written:
    """A table that is written as CSV and as Parquet, part by part."""

    def __init__(self, folder: Path, name: str, columns: Sequence[str]) -> None:
        """Open both files."""
        self.schema = pa.schema([(column, pa.int64() if column in _NUMBERS else pa.string()) for column in columns])
        self.csv = pyarrow.csv.CSVWriter(str(folder / f"{name}.csv"), self.schema)
        self.parquet = pq.ParquetWriter(folder / f"{name}.parquet", self.schema, compression="zstd")

    def write(self, rows: list[tuple[Any, ...]]) -> None:
        """Add the rows of a part."""
        columns = [
            pa.array(cells, field.type) for cells, field in zip(zip(*rows, strict=True), self.schema, strict=True)
        ]
        table = pa.table(columns, schema=self.schema)
        self.csv.write_table(table)
        self.parquet.write_table(table)

    def close(self) -> None:
        """End both files."""
        self.csv.close()
        self.parquet.close()


def run(corpus: Path, out: Path) -> None:
    """Write the testimonies and the spans of a corpus."""
    testimonies, spans = Written(out, "testimonies", _TESTIMONY), Written(out, "spans", _SPAN)
    for written, seeds in quoted.parts(corpus):
        rows_of_testimonies: list[tuple[Any, ...]] = []
        rows_of_spans: list[tuple[Any, ...]] = []
        for text, entry in quoted.sources(written, seeds):
            _source(text, entry, rows_of_testimonies, rows_of_spans)
        testimonies.write(rows_of_testimonies)
        spans.write(rows_of_spans)
    testimonies.close()
    spans.close()


def _source(text: str, entry: dict[str, Any], testimonies: list[tuple[Any, ...]], spans: list[tuple[Any, ...]]) -> None:
    source = entry["source"]["id"]
    if hashlib.sha256(text.encode()).hexdigest() != entry["source"]["sha256"]:
        raise ValueError(f"{source}: another text")
    where: dict[str, list[quoted.Found]] = {}
    for found in quoted.spans(text, entry):
        spans.append((*found[:3], source, found.start, found.end, text[found.start : found.end]))
        if found.field == "evidence":
            where.setdefault(found.record, []).append(found)
    for testimony in entry["testimonies"]:
        there = where[testimony["id"]]
        words = " […] ".join(text[found.start : found.end] for found in there)
        said = (testimony["id"], source, testimony["speaker"], testimony["mode"], words)
        testimonies.append((*said, ";".join(testimony["themes"]), there[0].start, there[-1].end))


if __name__ == "__main__":
    sys.meta_path.insert(0, Without())
    run(Path(sys.argv[1]), Path(sys.argv[2]))
