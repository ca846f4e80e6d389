"""Reads the parts of a corpus, and finds each quotation in its text as plainly as Python can: for what is measured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow.parquet as pq

Found: TypeAlias = tuple[str, str, int, int, int]
"""A run of words of a text: the record whose evidence it is, the field, which part of it, start and end."""


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


_FIELDS = ("title", "subtitle", "dateline", "boilerplate")
_FACTS = ("authors", "outlet", "published")


def evidence(entry: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Return every piece of evidence of a source: the record, the field, and the words as they were written."""
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
    """Return where the evidence of a source stands."""
    find = text.find
    for record, field, words in evidence(entry):
        if isinstance(words, str):
            start = find(words)
            yield record, field, 1, start, start + len(words)
        else:
            for number, part in enumerate(words if isinstance(words, list) else [words], start=1):
                start = find(part) if isinstance(part, str) else _told_apart(text, part)
                size = len(part if isinstance(part, str) else part["text"])
                yield record, field, number, start, start + size


def _told_apart(text: str, part: dict[str, Any]) -> int:
    """Return where words stand that are told apart by what is around them, or by a count."""
    prefix = part.get("prefix", "")
    whole = prefix + part["text"] + part.get("suffix", "")
    start = text.find(whole)
    for _ in range(part.get("occurrence", 1) - 1):
        start = text.find(whole, start + 1)
    return start if start < 0 else start + len(prefix)
