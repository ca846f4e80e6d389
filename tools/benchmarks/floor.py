"""A plain Python baseline: read and hash the texts, find the evidence, write testimonies and spans in two formats."""

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


class PandasBlocker(MetaPathFinder):
    """An import hook that blocks pandas, which pyarrow imports if it can, and which is not used here."""

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:  # noqa: ARG002
        """Raise ModuleNotFoundError for pandas."""
        if fullname == "pandas":
            raise ModuleNotFoundError(name=fullname)


_TESTIMONY = ["id", "source_id", "speaker", "mode", "text", "themes", "start", "end"]
_SPAN = ["record_id", "field", "part", "source_id", "start", "end", "exact"]
_NUMBERS = {"part", "start", "end"}


class TableWriter:
    """A writer of a table as CSV and as Parquet, shard by shard."""

    def __init__(self, folder: Path, name: str, columns: Sequence[str]) -> None:
        """Open both files."""
        self.schema = pa.schema([(column, pa.int64() if column in _NUMBERS else pa.string()) for column in columns])
        self.csv = pyarrow.csv.CSVWriter(str(folder / f"{name}.csv"), self.schema)
        self.parquet = pq.ParquetWriter(folder / f"{name}.parquet", self.schema, compression="zstd")

    def write(self, columns: list[list[Any]]) -> None:
        """Write the rows of a shard."""
        cells = zip(columns, self.schema.types, strict=True)
        table = pa.table([pa.array(column, kind) for column, kind in cells], schema=self.schema)
        self.csv.write_table(table)
        self.parquet.write_table(table)

    def close(self) -> None:
        """Close both files."""
        self.csv.close()
        self.parquet.close()


def run(corpus: Path, out: Path) -> None:
    """Write the testimonies and the spans of a corpus."""
    testimonies, spans = TableWriter(out, "testimonies", _TESTIMONY), TableWriter(out, "spans", _SPAN)
    for written, seeds in quoted.parts(corpus):
        rows: list[list[Any]] = [[] for _ in _TESTIMONY]
        found: list[list[Any]] = [[] for _ in _SPAN]
        for text, entry in quoted.sources(written, seeds):
            _source(text, entry, rows, found)
        testimonies.write(rows)
        spans.write(found)
    testimonies.close()
    spans.close()


def _source(text: str, entry: dict[str, Any], rows: list[list[Any]], found: list[list[Any]]) -> None:
    """Add the rows of a source to the columns of both tables."""
    source = entry["source"]["id"]
    if hashlib.sha256(text.encode()).hexdigest() != entry["source"]["sha256"]:
        raise ValueError(f"{source}: the text differs from its sha256")
    spans = list(quoted.spans(text, entry))
    records, fields, parts, starts, ends = map(list, zip(*spans, strict=True))
    if min(starts) < 0:
        raise ValueError(f"{source}: evidence is not found in the text")
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
        for column, cell in zip(rows, row, strict=True):
            column.append(cell)


if __name__ == "__main__":
    sys.meta_path.insert(0, PandasBlocker())
    run(Path(sys.argv[1]), Path(sys.argv[2]))
