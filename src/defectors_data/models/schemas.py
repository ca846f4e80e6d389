"""JSON Schemas (draft 2020-12) of annotation files and Table Schemas (version 2) of tables.

`files` returns the content of `schema/`; the descriptor of the package has the same table schemas.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema
from pydantic_core import to_json

from defectors_data.models import annotation, diff, field_docstrings, fields, project
from defectors_data.models.annotation import Annotations, SharedSpeakersFile
from defectors_data.models.closed_vocabularies import meanings
from defectors_data.models.columns import Column, RowModel, columns
from defectors_data.models.diff import Changes
from defectors_data.models.project import (
    ComparisonNotes,
    Dataset,
    ReleasedIds,
    Tombstones,
    Vocabulary,
)
from defectors_data.models.tables import ROWS, WITHHELD

TABLE_SCHEMA = "https://datapackage.org/profiles/2.0/tableschema.json"

_WRITTEN: dict[str, tuple[type[BaseModel], str]] = {
    "annotations": (Annotations, "Annotations of one source"),
    "speakers": (SharedSpeakersFile, "Speakers shared between sources"),
    "vocabulary": (Vocabulary, "Open vocabularies"),
    "tombstones": (Tombstones, "Removed records"),
    "releases": (ReleasedIds, "What was released under each id"),
    "comparisons": (ComparisonNotes, "Figures that differ, and statements on one matter"),
    "dataset": (Dataset, "Facts about the dataset"),
    "changes": (
        Changes,
        "Changes between two packages, as `defectors-data diff --format json` writes them",
    ),
}


def files() -> dict[str, bytes]:
    """Return the contents of the files in `schema/`, by name."""
    written = {f"{name}.schema.json": _json_schema(*entry) for name, entry in _WRITTEN.items()}
    tables = {f"tables/{row.TABLE.name}.json": table_schema(row) for row in ROWS}
    return {name: encoded(schema) for name, schema in {**written, **tables}.items()}


def encoded(document: Any) -> bytes:
    """Return a document as JSON in UTF-8, indented by two spaces, with a line feed at the end."""
    return (
        to_json(document, indent=2) + b"\n"
    )  # `json` with an indent is slow: it encodes in Python


def _json_schema(model: type[BaseModel], title: str) -> dict[str, Any]:
    for module in (fields, annotation, project, diff):
        field_docstrings.describe(module)
    schema = model.model_json_schema()
    return {"$schema": GenerateJsonSchema.schema_dialect, **_tidied(schema), "title": title}


def _tidied(value: Any) -> Any:
    """Return a schema with descriptions on one line and without pydantic's own titles."""
    if isinstance(value, list):
        return [_tidied(item) for item in value]
    if not isinstance(value, dict):
        return value
    # A field may also be called `title`, but its schema is not a string.
    tidied = {
        key: _tidied(item)
        for key, item in value.items()
        if key != "title" or not isinstance(item, str)
    }
    if isinstance(tidied.get("description"), str):
        tidied["description"] = " ".join(tidied["description"].split())
    return tidied


# ---- table schemas -------------------------------------------------------------------------------


def table_schema(
    row: type[RowModel],
    names: Collection[str] | None = None,
    term_kinds: Collection[str] | None = None,
    tables: Collection[str] | None = None,
) -> dict[str, Any]:
    """Return the Table Schema of a published table: its fields, primary key and foreign keys.

    `names` are the columns that a package has, by default all columns of the model, `term_kinds`
    the kinds of terms, and `tables` the tables.
    """
    table = row.TABLE
    described = columns(row, names)
    used = dict[str, Collection[str] | None]()
    if table.name == "terms":
        used["kind"] = term_kinds
    # Other tables list records that were removed, perhaps with the whole of their table.
    if table.name in ("spans", "ledger") and tables is not None:
        used["record_table"] = {*tables, "waivers"}
    foreign_keys = []
    for column, (resource, target) in table.references.items():
        if names is not None and column not in names:
            continue
        key = {"fields": [column], "reference": {"resource": resource, "fields": [target]}}
        if column in table.terms:
            # Terms of two kinds may be the same word, which a foreign key alone cannot tell apart.
            key["termKind"] = table.terms[column]
        foreign_keys.append(key)
    return {
        "$schema": TABLE_SCHEMA,
        "fields": [
            _field(
                column,
                is_key=column.name == table.key,
                is_withheld=column.name in WITHHELD.get(table.name, ()),
                used=used.get(column.name),
            )
            for column in described
        ],
        "missingValues": [""],
        "primaryKey": [table.key],
        **({"foreignKeys": foreign_keys} if foreign_keys else {}),
    }


_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", date: "date"}


MAY_BE_WITHHELD = "not stated by the source, or withheld: never published for protected persons"
"""The label of an empty cell in the columns that are empty for protected persons."""


def _field(
    column: Column, *, is_key: bool, is_withheld: bool, used: Collection[str] | None
) -> dict[str, Any]:
    """Return the field of a column; `used` are the values of its vocabulary that it lists."""
    labels = meanings(column.choices) if column.choices else {}
    if used is not None:
        labels = {value: label for value, label in labels.items() if value in used}
    categories = [{"value": value, "label": label} for value, label in labels.items()]
    # The Table Schema profile requires a string; it is written as in a CSV file.
    example = str(column.example)
    if column.type is bool:
        example = example.lower()
    withheld = [{"value": "", "label": MAY_BE_WITHHELD}]
    missing_values = withheld if is_withheld else None
    # frictionless cannot index a nullable column with a pattern, and does not check `categories`.
    pattern = None if column.nullable else column.pattern
    return filled(
        name=column.name,
        title=column.name.replace("_", " ").capitalize(),
        description=column.description,
        type=_TYPES[column.type],
        example=example,
        categories=categories or None,
        unit=column.unit,
        missingValues=missing_values,
        constraints=filled(
            required=not column.nullable,
            minimum=column.minimum,
            maximum=column.maximum,
            unique=is_key or None,
            enum=list(labels) or None,
            pattern=pattern,
        ),
    )


def filled(**properties: Any) -> dict[str, Any]:
    """Return the properties that are not None."""
    return {name: value for name, value in properties.items() if value is not None}
