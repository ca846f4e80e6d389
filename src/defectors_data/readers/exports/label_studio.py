"""Label Studio (task and annotation format of 1.x): `tasks.json` and `config.xml`.

Offsets are UTF-16 code units, as browsers count them. Each part of a record's evidence is a region
with the record's table as its label, and is linked to the next part by a relation `continues`. The
cells are attributes of the first region: choices for columns with a closed list of values, and text
areas for all others.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from defectors_data.models.schemas import encoded
from defectors_data.readers.exports.exported_records import (
    COLUMNS,
    RECORDS,
    ExportedArticle,
    ExportedCorpus,
    ExportedRecord,
    Files,
    values,
)
from defectors_data.readers.exports.xml_writer import Element, add, without_declaration

TEXT, LABELS, CONTINUES = "text", "record", "continues"


def files(corpus: ExportedCorpus) -> Files:
    """Yield the configuration and the tasks."""
    # The server reads the configuration as text, in which a declared encoding is an error.
    yield "config.xml", without_declaration(_configuration(corpus))
    yield "tasks.json", encoded([_task(corpus, article) for article in corpus.articles])


def _configuration(corpus: ExportedCorpus) -> Element:
    view = Element("View")
    labels = add(view, "Labels", {"name": LABELS, "toName": TEXT})
    add(view, "Text", {"name": TEXT, "value": "$text"})
    for table in RECORDS:
        add(labels, "Label", {"value": table})
        for column in corpus.columns(table):
            region = {
                "name": f"{table}.{column.name}",
                "toName": TEXT,
                "perRegion": "true",
                "whenTagName": LABELS,
            }
            region["whenLabelValue"] = table
            if choices := corpus.choices(column.name, column.choices):
                several = "single-radio"
                if column.name == "themes":
                    several = "multiple"
                choice = add(view, "Choices", {**region, "choice": several})
                for value in choices:
                    add(choice, "Choice", {"value": value})
            else:
                add(view, "TextArea", {**region, "placeholder": column.name, "editable": "true"})
    add(add(view, "Relations"), "Relation", {"value": CONTINUES})
    return view


def _task(corpus: ExportedCorpus, article: ExportedArticle) -> dict[str, Any]:
    results = [result for record in article.records for result in _results(corpus, record)]
    return {"data": {**article.cells, TEXT: article.text}, "annotations": [{"result": results}]}


def _results(corpus: ExportedCorpus, record: ExportedRecord) -> list[dict[str, Any]]:
    regions: list[dict[str, Any]] = []
    for number, part in enumerate(record.parts, start=1):
        region = {"id": f"{record.id}.{number}", "from_name": LABELS, "to_name": TEXT}
        place = {"start": part.start_utf16, "end": part.end_utf16, "text": part.exact}
        value = {**place, "labels": [record.table]}
        regions.append({**region, "type": "labels", "value": value})
    first = regions[0]
    place = {key: first["value"][key] for key in ("start", "end", "text")}
    closed = {column.name: column.choices for column in COLUMNS[record.table]}
    # A result with the id of a region is an attribute of that region.
    attributes = []
    for column, cell in record.cells.items():
        kind = "textarea"
        if corpus.choices(column, closed[column]):
            kind = "choices"
        key = "choices" if kind == "choices" else "text"
        value = {**place, key: values(column, cell)}
        named = {**first, "from_name": f"{record.table}.{column}"}
        attributes.append({**named, "type": kind, "value": value})
    relations = []
    for one, other in pairwise(regions):
        ends = {"from_id": one["id"], "to_id": other["id"]}
        relations.append({"type": "relation", **ends, "direction": "right", "labels": [CONTINUES]})
    return [*regions, *attributes, *relations]
