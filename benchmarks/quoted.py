"""Reads the parts of a corpus, and finds each quotation in its text as plainly as Python can: for what is measured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.parquet as pq


class Found(NamedTuple):
    """A run of words of a text: whose evidence it is, and where it stands."""

    record: str
    field: str
    part: int
    start: int
    end: int


def parts(corpus: Path) -> Iterator[tuple[Path, Path]]:
    """Return the annotations and the texts of each part."""
    for written in sorted((corpus / "annotations").glob("*.jsonl")):
        yield written, corpus / "seeds" / f"{written.stem}.parquet"


def sources(written: Path, seeds: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Return the text and the annotations of each source of a part."""
    texts = pq.read_table(seeds, columns=["text"]).column("text").to_pylist()
    with written.open(encoding="utf-8") as lines:
        for text, line in zip(texts, lines, strict=True):
            yield str(text), json.loads(line)


_FIELDS = ("title", "subtitle", "dateline", "furniture")
_FACTS = ("authors", "outlet", "published")


def spans(text: str, entry: dict[str, Any]) -> Iterator[Found]:
    """Return where the evidence of a source stands."""
    source = entry["source"]
    for field in _FIELDS:
        if field in source:
            yield from _found(text, source["id"], field, source[field])
    for field in _FACTS:
        yield from _found(text, source["id"], field, source[field]["evidence"])
    for speaker in entry["speakers"]:
        for mention in speaker["mentions"]:
            yield from _found(text, mention["id"], "evidence", mention["evidence"])
            for key, words in mention.get("licensed_by", {}).items():
                yield from _found(text, mention["id"], key, words)
    for table in ("testimonies", "figures", "waivers"):
        for record in entry.get(table, ()):
            yield from _found(text, record["id"], "evidence", record["evidence"])
            for because in record.get("because", ()):
                yield from _found(text, record["id"], because["claim"], because["words"])


def _found(text: str, record: str, field: str, evidence: Any) -> Iterator[Found]:
    for number, part in enumerate(evidence if isinstance(evidence, list) else [evidence], start=1):
        if isinstance(part, str):
            start, size = text.find(part), len(part)
        else:
            start, size = _told_apart(text, part), len(part["text"])
        if start < 0:
            raise ValueError(f"{record}: {part!r} is not there")
        yield Found(record, field, number, start, start + size)


def _told_apart(text: str, part: dict[str, Any]) -> int:
    """Return where words stand that are told apart by what is around them, or by a count."""
    prefix = part.get("prefix", "")
    whole = prefix + part["text"] + part.get("suffix", "")
    start = text.find(whole)
    for _ in range(part.get("occurrence", 1) - 1):
        start = text.find(whole, start + 1)
    return start if start < 0 else start + len(prefix)
