"""Web Annotation Data Model and Vocabulary (W3C Recommendations, 23 February 2017), as JSON-LD.

Each record is an annotation of an article's text, which is identified by its SHA-256 (RFC 6920).
Each part of its evidence is a target with a TextQuoteSelector, and with a TextPositionSelector that
counts Unicode code points from 0. Only published words are quoted. Terms of vocabularies are bodies
with the purpose `tagging`; all other cells are in a single body, as JSON. The words that say who
speaks are bodies with the purpose `identifying`.
"""

from __future__ import annotations

import json
from typing import Any

from defectors_data.models.schemas import encoded
from defectors_data.readers.exports.exported_records import (
    VOCABULARIES,
    ExportedArticle,
    ExportedCorpus,
    ExportedRecord,
    Files,
    values,
)
from defectors_data.rows.citation_formats import target

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
UNIT = "Offsets are Unicode code points, counted from 0, the end exclusive."


def files(corpus: ExportedCorpus) -> Files:
    """Yield a page of annotations for each article."""
    for article in corpus.articles:
        yield f"{article.stem}.jsonld", page(corpus, article)


def page(corpus: ExportedCorpus, article: ExportedArticle) -> bytes:
    """Return the page of annotations of an article."""
    release = f"{corpus.title}, version {corpus.version}"
    content = {
        "@context": CONTEXT,
        "id": f"urn:uuid:{corpus.guid('w3c', article.stem)}",
        "type": "AnnotationPage",
        "label": f"{release}: {article.cells['source_id']}. {UNIT}",
        "startIndex": 0,
        "items": [_annotation(corpus, article, record) for record in article.records],
    }
    return encoded(content)


def _annotation(
    corpus: ExportedCorpus, article: ExportedArticle, record: ExportedRecord
) -> dict[str, Any]:
    targets = [target(article.cells, part._asdict()) for part in record.parts]
    attributing = []
    for part in record.attribution:
        words = target(article.cells, part._asdict())
        attributing.append({**words, "purpose": "identifying"})
    return {
        "id": f"urn:uuid:{corpus.guid(record.table, record.id)}",
        "type": "Annotation",
        "motivation": "classifying",
        "body": [*bodies(record), *attributing],
        "target": targets[0] if len(targets) == 1 else targets,
    }


def bodies(record: ExportedRecord) -> list[dict[str, str]]:
    """Return the bodies of an annotation: one for each term, and one with all other cells."""
    found, described = list[dict[str, str]](), dict[str, str]()
    for column, cell in record.cells.items():
        if column not in VOCABULARIES:
            described[column] = cell
            continue
        for term in values(column, cell):
            tag = f"{VOCABULARIES[column]}/{term}"
            found.append({"type": "TextualBody", "purpose": "tagging", "value": tag})
    content = json.dumps(described, ensure_ascii=False)
    description = {"type": "TextualBody", "purpose": "describing", "format": "application/json"}
    return [*found, {**description, "value": content}]
