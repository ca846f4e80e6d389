"""Reader of Label Studio's JSON export, which is a list of tasks.

If a task has several annotations, only the last one that was not cancelled is read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from defectors_data.annotators.imports.foreign_files import (
    ForeignArticle,
    ForeignRecord,
    KnownCodes,
    add_term,
    files_of,
    json_of,
    utf16_spans,
)
from defectors_data.readers.exports.label_studio import CONTINUES, TEXT


def read(path: Path, codes: KnownCodes) -> Iterator[ForeignArticle]:
    """Yield the article of each task."""
    for name, data in files_of(path, ".json").items():
        for task in json_of(data, name):
            texts = [value for value in task["data"].values() if isinstance(value, str)]
            # In other projects, the text may have any key; it is taken to be the longest string.
            text = task["data"].get(TEXT) or max(texts, key=len, default="")
            given = [each for each in task.get("annotations", []) if not each.get("was_cancelled")]
            results = given[-1]["result"] if given else []
            sha256 = hashlib.sha256(text.encode()).hexdigest()
            yield ForeignArticle(name, sha256, partial(_records, results, codes))


def _records(results: list[Any], codes: KnownCodes, text: str) -> list[ForeignRecord]:
    to_span = utf16_spans(text)
    regions, following = {}, {}
    for each in results:
        if each["type"] in ("labels", "hypertextlabels"):
            regions[each["id"]] = each["value"]
        # A relation without a label counts as `continues`.
        if each["type"] == "relation" and CONTINUES in (each.get("labels") or [CONTINUES]):
            following[each["from_id"]] = each["to_id"]
    continuing = set(following.values())
    found = []
    for first, region in regions.items():
        if first in continuing:
            continue
        chain = [first]
        # A file may link regions in a cycle.
        while (after := following.get(chain[-1])) in regions and after not in chain:
            chain.append(after)
        parts = [regions[name] for name in chain]
        record = ForeignRecord(spans=[to_span(part["start"], part["end"]) for part in parts])
        for label in region.get("labels") or region.get("hypertextlabels", []):
            codes.apply(record, label)
        for each in results:
            if each.get("id") in chain and each["type"] in ("choices", "textarea"):
                _cells(record, each, codes)
        found.append(record)
    return found


def _cells(record: ForeignRecord, result: Any, codes: KnownCodes) -> None:
    table, _, column = result["from_name"].partition(".")
    values = result["value"].get("choices") or result["value"].get("text") or []
    # In another project's configuration, the choices may be codes of this project.
    if table != record.table:
        if result["type"] == "choices":
            for value in values:
                codes.apply(record, value)
    elif column == "themes":
        for value in values:
            add_term(record, column, str(value))
    elif isinstance(values, str):
        record.cells[column] = values
    else:
        record.cells[column] = "\n".join(str(value) for value in values)
