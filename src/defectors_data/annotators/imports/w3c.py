"""Reader of Web Annotations (W3C, 2017) as JSON-LD, compacted with the standard's context."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from defectors_data.annotators.imports.foreign_files import (
    ForeignArticle,
    ForeignRecord,
    KnownCodes,
    files_of,
    json_of,
    span_in,
    table_of,
)
from defectors_data.corpus.findings import Place
from defectors_data.evidence.anchors import Quote, SearchedText, find_span
from defectors_data.text.offsets import Span


def read(path: Path, codes: KnownCodes) -> Iterator[ForeignArticle]:
    """Yield the articles that the targets of annotations identify by SHA-256 (RFC 6920)."""
    for name, data in files_of(path, ".jsonld", ".json").items():
        by_source: dict[str, list[Any]] = {}
        for item in _annotations(json_of(data, name)):
            targets = _list(item["target"])
            by_source.setdefault(_digest(targets[0]["source"]), []).append(item)
        for sha256, items in by_source.items():
            yield ForeignArticle(name, sha256, partial(_records, items, codes))


def _annotations(value: Any) -> Iterator[Any]:
    for each in _list(value):
        if "target" in each:
            yield each
        else:
            key = "items" if "items" in each else "@graph"
            yield from _annotations(each[key])


def _digest(source: Any) -> str:
    address = source if isinstance(source, str) else source["id"]
    found = re.fullmatch(r"ni:///sha-256;([\w-]{43})", address)
    try:
        # RFC 6920 leaves out the padding that Python's decoder requires.
        return base64.urlsafe_b64decode(f"{found[1]}=").hex() if found else ""
    except binascii.Error:
        return ""


def _records(items: list[Any], codes: KnownCodes, text: str) -> list[ForeignRecord]:
    return [_record(item, codes, text) for item in items]


def _record(item: Any, codes: KnownCodes, text: str) -> ForeignRecord:
    selectors = [_list(target.get("selector")) for target in _list(item["target"])]
    found = ForeignRecord(spans=[_span(each, text) for each in selectors])
    # Cells are read first, so that a comment does not replace a note among them.
    for body in _list(item.get("body")):
        if body.get("format") == "application/json":
            cells = json.loads(body["value"])
            found.cells |= {str(key): str(value) for key, value in cells.items()}
            found.table = table_of(found.cells)
    for body in _list(item.get("body")):
        if "tagging" in _list(body.get("purpose")):
            vocabulary, _, term = body["value"].rpartition("/")
            codes.apply(found, term, vocabulary)
        elif body.get("format") != "application/json" and "value" in body:
            found.cells.setdefault("note", str(body["value"]))
    return found


def _span(selectors: list[Any], text: str) -> Span | None:
    """Return the span of the position selector, or of the quote selector if the two differ."""
    by_type = {selector["type"]: selector for selector in selectors}
    quote, position = by_type.get("TextQuoteSelector"), by_type.get("TextPositionSelector")
    span = span_in(text, position["start"], position["end"]) if position else None
    if quote is None or (span and text[slice(*span)] == quote["exact"]):
        return span
    prefix, suffix = str(quote.get("prefix", "")), str(quote.get("suffix", ""))
    words = Quote(str(quote["exact"]), Place(""), prefix, suffix)
    return find_span(words, SearchedText("", text, near=False))[0]


def _list(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]
