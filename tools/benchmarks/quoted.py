"""Functions that read the shards of a corpus and find its evidence with `str.find`, for the benchmarks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow.parquet as pq

Found: TypeAlias = tuple[str, str, int, int, int]
"""A span: record, field, number of the part, start and end in code points. The start is -1 if it was not found."""


def parts(corpus: Path) -> Iterator[tuple[Path, Path]]:
    """Yield the annotations file and the texts file of each shard."""
    for written in sorted((corpus / "annotations").glob("*.jsonl")):
        yield written, corpus / "seeds" / f"{written.stem}.parquet"


def sources(written: Path, seeds: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the text and the annotations of each source of a shard."""
    texts = pq.read_table(seeds, columns=["text"]).column("text").to_pylist()
    with written.open(encoding="utf-8") as lines:
        for text, line in zip(texts, lines, strict=True):
            yield str(text), json.loads(line)


_FIELDS = ("title", "subtitle", "dateline", "boilerplate")
_FACTS = ("authors", "outlet", "published")


def evidence(entry: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield the evidence of a source: record, field, and the words as annotated."""
    source = entry["source"]
    for field in _FIELDS:
        if field in source:
            yield source["id"], field, source[field]
    for field in _FACTS:
        if "evidence" in source[field]:
            yield source["id"], field, source[field]["evidence"]
    for speaker in entry["speakers"]:
        for mention in speaker["mentions"]:
            yield mention["id"], "evidence", mention["evidence"]
            if "attested_by" in mention:
                yield from ((mention["id"], key, words) for key, words in mention["attested_by"].items())
    for table in ("testimonies", "figures", "waivers"):
        for record in entry.get(table, ()):
            yield record["id"], "evidence", record["evidence"]
            if "support" in record:
                yield from ((record["id"], support["claim"], support["words"]) for support in record["support"])


def spans(text: str, entry: dict[str, Any]) -> Iterator[Found]:
    """Yield the spans of the evidence of a source."""
    find = text.find
    for record, field, words in evidence(entry):
        if isinstance(words, str):
            start = find(words)
            yield record, field, 1, start, start + len(words)
        else:
            for number, part in enumerate(words if isinstance(words, list) else [words], start=1):
                start = find(part) if isinstance(part, str) else _start_of(text, part)
                size = len(part if isinstance(part, str) else part["text"])
                yield record, field, number, start, start + size


def _start_of(text: str, part: dict[str, Any]) -> int:
    """Return the start of a part that has a prefix, a suffix or an occurrence."""
    prefix = part.get("prefix", "")
    whole = prefix + part["text"] + part.get("suffix", "")
    start = text.find(whole)
    for _ in range(part.get("occurrence", 1) - 1):
        start = text.find(whole, start + 1)
    return start if start < 0 else start + len(prefix)
