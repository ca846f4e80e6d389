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

    def write(self, columns: list[list[Any]]) -> None:
        """Add the rows of a part."""
        cells = zip(columns, self.schema.types, strict=True)
        table = pa.table([pa.array(column, kind) for column, kind in cells], schema=self.schema)
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
        told: list[list[Any]] = [[] for _ in _TESTIMONY]
        found: list[list[Any]] = [[] for _ in _SPAN]
        for text, entry in quoted.sources(written, seeds):
            _source(text, entry, told, found)
        testimonies.write(told)
        spans.write(found)
    testimonies.close()
    spans.close()


def _source(text: str, entry: dict[str, Any], told: list[list[Any]], found: list[list[Any]]) -> None:
    """Add the rows of a source to the columns of both tables."""
    source = entry["source"]["id"]
    if hashlib.sha256(text.encode()).hexdigest() != entry["source"]["sha256"]:
        raise ValueError(f"{source}: another text")
    spans = list(quoted.spans(text, entry))
    records, fields, parts, starts, ends = map(list, zip(*spans, strict=True))
    if min(starts) < 0:
        raise ValueError(f"{source}: words that are not there")
    words = [text[start:end] for start, end in zip(starts, ends, strict=True)]
    for column, cells in zip(found, (records, fields, parts, [source] * len(spans), starts, ends, words), strict=True):
        column.extend(cells)
    where: dict[str, list[int]] = {}
    for i, field in enumerate(fields):
        if field == "evidence":
            where.setdefault(records[i], []).append(i)
    for testimony in entry["testimonies"]:
        at = where[testimony["id"]]
        said = (testimony["id"], source, testimony["speaker"], testimony["mode"], " […] ".join(words[i] for i in at))
        row = (*said, ";".join(testimony["themes"]), starts[at[0]], ends[at[-1]])
        for column, cell in zip(told, row, strict=True):
            column.append(cell)


if __name__ == "__main__":
    sys.meta_path.insert(0, Without())
    run(Path(sys.argv[1]), Path(sys.argv[2]))
