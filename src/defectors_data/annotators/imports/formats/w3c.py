"""Reader of Web Annotations (W3C, 2017) as compacted JSON-LD, and of the API of Hypothesis."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, TypeAdapter

from defectors_data.annotators.imports.formats.foreign_files import files_of, json_of, shaped
from defectors_data.annotators.imports.formats.foreign_records import (
    ForeignArticle,
    ForeignLabel,
    ForeignRecord,
    Selector,
    add_comment,
)
from defectors_data.readers.exports.exported_records import VOCABULARIES


class _WebSelector(BaseModel):
    """A selector; those of other types than quote and position are not read."""

    type: str
    exact: str = ""
    prefix: str = ""
    suffix: str = ""
    start: int | None = None
    end: int | None = None
    refinedBy: _WebSelector | None = None  # noqa: N815  # a key of the standard


class _WebSource(BaseModel):
    id: str


class _WebTarget(BaseModel):
    source: str | _WebSource
    selector: _WebSelector | list[_WebSelector] = []


class _WebBody(BaseModel):
    purpose: str | list[str] = []
    value: str = ""


class _WebAnnotation(BaseModel):
    """An annotation; Hypothesis has tags and a text in place of bodies."""

    target: str | _WebTarget | Annotated[list[str | _WebTarget], Field(min_length=1)]
    body: str | _WebBody | list[str | _WebBody] | None = None
    tags: list[str] = []
    text: str = ""


_ANNOTATION = TypeAdapter(_WebAnnotation)
_LISTS = ("items", "@graph", "annotations", "rows", "first")
"""Keys under which files have their annotations."""


def read(path: Path) -> Iterator[ForeignArticle]:
    """Yield the articles that the targets of annotations identify, by digest or address."""
    for name, data in files_of(path, ".jsonld", ".json").items():
        by_source: dict[str, list[ForeignRecord]] = {}
        for item in _annotations(json_of(data, name)):
            source, record = _record(shaped(_ANNOTATION, item, name))
            by_source.setdefault(source, []).append(record)
        for source, records in by_source.items():
            digest = _digest(source)
            address = "" if digest else source
            yield ForeignArticle(name, records, sha256=digest, address=address)


def _annotations(value: Any) -> Iterator[Any]:
    for each in value if isinstance(value, list) else [value]:
        key = next((key for key in _LISTS if isinstance(each, dict) and key in each), None)
        if key and "target" not in each:
            yield from _annotations(each[key])
        else:
            yield each


def _digest(address: str) -> str:
    """Return the SHA-256 in an `ni` URI (RFC 6920), or ""."""
    found = re.fullmatch(r"ni:///sha-256;([\w-]{43})", address)
    try:
        # RFC 6920 leaves out the padding that Python's decoder requires.
        if not found:
            return ""
        return base64.urlsafe_b64decode(f"{found[1]}=").hex()
    except binascii.Error:
        return ""


def _record(item: _WebAnnotation) -> tuple[str, ForeignRecord]:
    """Return the source of an annotation, and its record."""
    targets = item.target if isinstance(item.target, list) else [item.target]
    sources, found = list[str](), ForeignRecord()
    for target in targets:
        if isinstance(target, str):
            sources.append(target)
            found.selectors.append(Selector())
        else:
            source = target.source
            if isinstance(source, _WebSource):
                source = source.id
            sources.append(source)
            found.selectors.append(_selector(target.selector))
    given = item.body if isinstance(item.body, list) else [item.body]
    bodies = [body for body in given if isinstance(body, _WebBody)]
    bodies += [_WebBody(purpose="tagging", value=tag) for tag in item.tags]
    if item.text:
        bodies.append(_WebBody(value=item.text))
    for body in bodies:
        if "tagging" not in body.purpose:
            add_comment(found, body.value)
            continue
        vocabulary, _, term = body.value.rpartition("/")
        label = ForeignLabel(body.value)
        if vocabulary in VOCABULARIES.values():
            label = ForeignLabel(term, vocabulary)
        found.labels.append(label)
    return sources[0], found


def _selector(given: _WebSelector | list[_WebSelector]) -> Selector:
    """Return the words and the offsets of the selectors of a target, also of those that refine it."""
    selectors = list(given) if isinstance(given, list) else [given]
    for each in selectors:
        if each.refinedBy:
            selectors.append(each.refinedBy)
    by_type = {each.type: each for each in selectors}
    quote, place = by_type.get("TextQuoteSelector"), by_type.get("TextPositionSelector")
    words = (quote.exact, quote.prefix, quote.suffix) if quote else ("", "", "")
    if place and place.start is not None and place.end is not None:
        return Selector(*words, span=(place.start, place.end))
    return Selector(*words)
