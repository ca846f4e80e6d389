"""Reader of langextract's JSON Lines: an annotated document in each line.

An extraction is imported only if its words are at the place that it states: a language model also
returns words that the article does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, TypeAdapter

from defectors_data.annotators.imports.formats.foreign_files import (
    decoded,
    files_of,
    json_of,
    shaped,
)
from defectors_data.annotators.imports.formats.foreign_offsets import (
    CODE_POINTS,
    Selection,
    Selections,
    convention,
    spans_of,
)
from defectors_data.annotators.imports.formats.foreign_records import (
    ForeignArticle,
    ForeignLabel,
    ForeignRecord,
    folded,
)


class _CharInterval(BaseModel):
    start_pos: int | None = None
    end_pos: int | None = None


class _Extraction(BaseModel):
    extraction_class: str
    extraction_text: str
    char_interval: _CharInterval | None = None
    attributes: dict[str, str | list[str]] | None = None


class _ExtractedDocument(BaseModel):
    text: str
    document_id: str | None = None
    extractions: list[_Extraction] | None = None


_EXTRACTED = TypeAdapter(_ExtractedDocument)


def read(path: Path) -> Iterator[ForeignArticle]:
    """Yield the article of each line."""
    for name, data in files_of(path, ".jsonl").items():
        for number, line in enumerate(decoded(data, name).split("\n"), start=1):
            if line.strip():
                place = f"{name}:{number}"
                document = shaped(_EXTRACTED, json_of(line.encode(), place), place)
                yield _article(place, document)


def _article(name: str, document: _ExtractedDocument) -> ForeignArticle:
    extractions = document.extractions or []
    selections = Selections(document.text, [_selection(each) for each in extractions])
    way, note = convention([selections], CODE_POINTS)
    records = []
    for each, span in zip(extractions, spans_of(selections, way), strict=True):
        names = [each.extraction_class]
        for value in (each.attributes or {}).values():
            names += [value] if isinstance(value, str) else value
        labels = [ForeignLabel(name) for name in names]
        problem = "langextract did not find its words in the text"
        if each.char_interval:
            problem = ""
        records.append(ForeignRecord(spans=[span], labels=labels, problem=problem))
    return ForeignArticle(name, records, folded(document.text), note=note)


def _selection(extraction: _Extraction) -> Selection:
    place = extraction.char_interval or _CharInterval()
    return Selection(place.start_pos, place.end_pos, extraction.extraction_text)
