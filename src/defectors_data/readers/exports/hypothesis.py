"""`annotations.json` for the API of Hypothesis (version 1.0), for articles that have an address.

Each member of `annotations` is the body of a request `POST /api/annotations`. Themes, measures and
populations are tags; all other cells are in the text of the annotation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from defectors_data.models.schemas import encoded
from defectors_data.readers.exports import w3c
from defectors_data.readers.exports.exported_records import ExportedArticle, ExportedCorpus, Files
from defectors_data.rows.citation_formats import selectors, web_address

_FILE = "annotations.json"
NOTHING = (
    "Nothing was exported to Hypothesis: no article has an address (`url` or `obtained_address` in "
    "the table `sources`)."
)


def files(corpus: ExportedCorpus) -> Files:
    """Yield `annotations.json`; if it has no annotations, it contains a sentence that says so."""
    found: list[dict[str, Any]] = []
    for article in corpus.articles:
        if web_address(article.cells):
            found += _annotations(corpus, article)
    content: dict[str, Any] = {"annotations": found}
    if not found:
        content["note"] = NOTHING
    yield _FILE, encoded(content)


def note(folder: Path) -> str:
    """Return the sentence in an export without annotations, or "" for any other export."""
    return str(json.loads((folder / _FILE).read_text(encoding="utf-8")).get("note", ""))


def _annotations(corpus: ExportedCorpus, article: ExportedArticle) -> Iterator[dict[str, Any]]:
    address = web_address(article.cells)
    title = article.cells.get("title", article.cells["source_id"])
    for record in article.records:
        *tags, description = w3c.bodies(record)
        chosen = [selectors(part._asdict()) for part in record.parts]
        targets = [{"source": address, "selector": selector} for selector in chosen]
        yield {
            "uri": address,
            "document": {"title": [title]},
            "group": "__world__",  # the id of the public group
            "tags": [corpus.name, *[tag["value"] for tag in tags]],
            "text": description["value"],
            "target": targets,
        }
