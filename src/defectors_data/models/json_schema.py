"""JSON Schemas for what people write and Table Schemas for what is published, both made from the models.

`files` gives the content of `schema/`; the descriptor of the package takes its table schemas from here too.
Table Schema: Data Package standard, version 2. JSON Schema: draft 2020-12.
"""

from __future__ import annotations

import json
from datetime import date
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema

from defectors_data.models import annotation, descriptions, project
from defectors_data.models.annotation import Annotations, SharedSpeakers
from defectors_data.models.project import Comparisons, Dataset, Tombstones, Vocabulary
from defectors_data.models.tables import ROWS, Column, Row, columns
from defectors_data.models.vocabularies import meanings

TABLE_SCHEMA = "https://datapackage.org/profiles/2.0/tableschema.json"

_WRITTEN: dict[str, tuple[type[BaseModel], str]] = {
    "annotations": (Annotations, "Annotations of one source"),
    "speakers": (SharedSpeakers, "Speakers who are heard in several sources"),
    "vocabulary": (Vocabulary, "Open vocabularies"),
    "tombstones": (Tombstones, "What was taken out"),
    "comparisons": (Comparisons, "Notes on figures that do not agree"),
    "dataset": (Dataset, "Facts about the dataset"),
}


DROPPED = ("tables/exceptions.json",)
"""Files that earlier versions generated, by name; only these are ever removed from `schema/`."""


def files() -> dict[str, bytes]:
    """Return the files of `schema/`, by name."""
    written = {f"{name}.schema.json": _json_schema(*entry) for name, entry in _WRITTEN.items()}
    tables = {f"tables/{row.TABLE.name}.json": table_schema(row) for row in ROWS}
    return {name: encoded(schema) for name, schema in {**written, **tables}.items()}


def encoded(document: Any) -> bytes:
    """Return a document as JSON: UTF-8, two spaces, a line feed at the end."""
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def _json_schema(model: type[BaseModel], title: str) -> dict[str, Any]:
    for module in (annotation, project):
        descriptions.describe(module)
    schema = model.model_json_schema()
    return {"$schema": GenerateJsonSchema.schema_dialect, **_tidied(schema), "title": title}


def _tidied(value: Any) -> Any:
    """Return a schema with each description on one line, and without titles that only repeat a key."""
    if isinstance(value, list):
        return [_tidied(item) for item in value]
    if not isinstance(value, dict):
        return value
    tidied = {key: _tidied(item) for key, item in value.items() if key != "title" or not isinstance(item, str)}
    if isinstance(tidied.get("description"), str):
        tidied["description"] = " ".join(tidied["description"].split())
    return tidied


# ---- table schemas -----------------------------------------------------------------------------------------


def table_schema(row: type[Row]) -> dict[str, Any]:
    """Return the Table Schema of a published table: fields, primary key, foreign keys."""
    table = row.TABLE
    schema = {
        "$schema": TABLE_SCHEMA,
        "fields": [_field(column, is_key=column.name == table.key) for column in columns(row)],
        "missingValues": [""],
        "primaryKey": [table.key],
    }
    if table.refers:
        schema["foreignKeys"] = [
            {"fields": [column], "reference": {"resource": resource, "fields": [target]}}
            for column, (resource, target) in table.refers.items()
        ]
    return schema


_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", date: "date"}


def _field(column: Column, *, is_key: bool) -> dict[str, Any]:
    optional = {
        "categories": [{"value": v, "label": label} for v, label in meanings(column.choices).items()]
        if column.choices
        else None,
        "unit": column.unit,
        "constraints": _constraints(column, is_key=is_key),
    }
    return {
        "name": column.name,
        "title": column.name.replace("_", " ").capitalize(),
        "description": column.description,
        "type": _TYPES[column.type],
        "example": _example(column.example),
        **{key: value for key, value in optional.items() if value},
    }


def _example(value: object) -> str:
    """Return an example as a CSV cell has it; the profile of Table Schema asks for a string."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _constraints(column: Column, *, is_key: bool) -> dict[str, Any]:
    """Return what every value keeps to; frictionless checks `enum` and not `categories`, so both are said.

    A nullable column has no pattern: frictionless cannot index one.
    """
    return {
        "required": not column.nullable,
        **({} if column.minimum is None else {"minimum": column.minimum}),
        **({} if column.maximum is None else {"maximum": column.maximum}),
        **({"unique": True} if is_key else {}),
        **({"enum": list(column.choices)} if column.choices else {}),
        **({"pattern": column.pattern} if column.pattern and not column.nullable else {}),
    }
