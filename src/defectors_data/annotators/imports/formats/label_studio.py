"""Reader of ForeignLabel Studio's exports, JSON and JSON-MIN: lists of tasks.

If a task has several annotations, only the last one that was not cancelled is read. JSON-MIN has
neither relations nor the ids of regions, so only regions with their labels are read from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, TypeAdapter

from defectors_data.annotators.imports.formats.foreign_files import files_of, json_of, shaped
from defectors_data.annotators.imports.formats.foreign_offsets import (
    UTF16,
    Selection,
    Selections,
    convention,
    spans_of,
)
from defectors_data.annotators.imports.formats.foreign_records import (
    ForeignArticle,
    ForeignLabel,
    ForeignRecord,
    Link,
    folded,
)
from defectors_data.readers.exports.exported_records import RECORDS
from defectors_data.readers.exports.label_studio import CONTINUES, TEXT


class _Offsets(BaseModel):
    start: int
    end: int


class _Region(BaseModel):
    """A region with its labels; in HTML, `globalOffsets` counts in the text of the page."""

    start: int | str
    end: int | str
    text: str = ""
    labels: list[str] = []
    hypertextlabels: list[str] = []
    globalOffsets: _Offsets | None = None  # noqa: N815  # the key of the format


class _Given(BaseModel):
    """What an annotator chose or typed about a region."""

    choices: list[str] = []
    text: str | list[str] = []


class _Result(BaseModel):
    """A region, a value about one, or a relation between two."""

    id: str = ""
    type: str
    from_name: str = ""
    from_id: str = ""
    to_id: str = ""
    labels: str | list[str] | None = None
    value: Any = None


class _TaskAnnotation(BaseModel):
    result: list[_Result]
    was_cancelled: bool = False


class _Task(BaseModel):
    data: dict[str, Any]
    annotations: list[_TaskAnnotation] = []


_TASKS = TypeAdapter(list[_Task])
_MINIMAL_TASKS = TypeAdapter(list[dict[str, Any]])
_REGION, _GIVEN = TypeAdapter(_Region), TypeAdapter(_Given)


class _Read(NamedTuple):
    """A task: its text, its regions by id, and its records by the id of their region."""

    text: str
    regions: Mapping[str, _Region]
    records: Mapping[str, ForeignRecord]


def read(path: Path) -> Iterator[ForeignArticle]:
    """Yield the article of each task."""
    for name, data in files_of(path, ".json").items():
        value = json_of(data, name)
        tasks = shaped(_MINIMAL_TASKS, value, name)
        if any("data" in task for task in tasks):
            read = [_task(task, name) for task in shaped(_TASKS, value, name)]
        else:
            read = [_minimal_task(task, name) for task in tasks]
        selections = [_selections(task) for task in read]
        way, note = convention(selections, UTF16)
        for task, found in zip(read, selections, strict=True):
            for record, span in zip(task.records.values(), spans_of(found, way), strict=True):
                record.spans = [span]
            yield ForeignArticle(name, [*task.records.values()], folded(task.text), note=note)


def _text(data: Mapping[str, Any]) -> str:
    # In other projects, the text may have any key; it is taken to be the longest string.
    texts = [value for value in data.values() if isinstance(value, str)]
    text = data.get(TEXT)
    if isinstance(text, str) and text:
        return text
    return max(texts, key=len, default="")


def _selections(task: _Read) -> Selections:
    found = []
    for region in task.regions.values():
        start, end = region.start, region.end
        if region.globalOffsets:
            start, end = region.globalOffsets.start, region.globalOffsets.end
        found.append(Selection(start, end, region.text))
    return Selections(task.text, found)


def _record(region: _Region, key: str) -> ForeignRecord:
    labels = region.labels or region.hypertextlabels
    table = None
    if labels and labels[0] in RECORDS:
        table = labels[0]
    return ForeignRecord(table, key=key, labels=[ForeignLabel(label) for label in labels])


def _task(task: _Task, file: str) -> _Read:
    given = [each for each in task.annotations if not each.was_cancelled]
    results = given[-1].result if given else []
    regions = {}
    for number, each in enumerate(results):
        if each.type in ("labels", "hypertextlabels"):
            # Results that a program made may have no ids.
            regions[each.id or f"result {number}"] = shaped(_REGION, each.value, file)
    records = {key: _record(region, key) for key, region in regions.items()}
    for each in results:
        if each.type == "relation" and each.from_id in records:
            names = each.labels or [CONTINUES]
            if isinstance(names, str):  # in old versions
                names = [names]
            records[each.from_id].links += [Link(name, each.to_id) for name in names]
        elif each.type in ("choices", "textarea") and each.id in records:
            _describe(records[each.id], each.from_name, shaped(_GIVEN, each.value, file))
    return _Read(_text(task.data), regions, records)


def _describe(record: ForeignRecord, name: str, given: _Given) -> None:
    """Add the cell of an export to a record; in another project, choices are labels."""
    table, _, column = name.partition(".")
    texts = [given.text] if isinstance(given.text, str) else given.text
    if table == record.table:
        separator = ";" if column == "themes" else "\n"
        record.cells[column] = separator.join(given.choices or texts)
    else:
        record.labels += [ForeignLabel(choice) for choice in given.choices]


def _minimal_task(task: Mapping[str, Any], file: str) -> _Read:
    """Return a task of JSON-MIN: any of its values may be a list of regions."""
    regions = {}
    for name, value in task.items():
        given = value if isinstance(value, list) else [value]
        for number, each in enumerate(given):
            if isinstance(each, dict) and {"start", "end"} <= each.keys() and "choices" not in each:
                regions[f"{name}.{number}"] = shaped(_REGION, each, file)
    records = {key: _record(region, key) for key, region in regions.items()}
    return _Read(_text(task), regions, records)
