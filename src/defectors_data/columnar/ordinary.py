"""Whether a descriptor is plainly valid, and means what it says: frictionless need not be asked.

To import frictionless and to ask it takes longer than to check a hundred thousand rows. So what packages of this kind
say of themselves is known here: each property by its name, each value by its shape. Whatever else a descriptor says,
were it as valid, is left to frictionless; a test holds the two against each other.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping
from typing import Any

Shape = Mapping[str, Callable[[Any], bool]]

_PROFILES = "https://datapackage.org/profiles/2.0/"
_WHOLE = re.compile(r"-?[0-9]{1,18}")
_DECIMAL = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


def is_ordinary(package: Mapping[str, Any]) -> bool:
    """Say whether a descriptor is plainly valid; its paths are known to lie within the folder."""
    resources = package["resources"]
    names = [resource.get("name") for resource in resources]
    tables = {r["name"]: r for r in resources if _fits(r, _TABLE, "name type path format encoding dialect schema")}
    others = [r for r in resources if not (_text(r.get("name")) and r["name"] in tables)]
    return (
        _fits(package, _PACKAGE, "$schema name resources")
        and all(any(_fits(r, kind, "name path format") for kind in _FILES) for r in others)
        and all(map(_text, names))
        and len({*names}) == len(names)
        and all(_keys_lead_to_columns(table["schema"], tables) for table in tables.values())
    )


def _keys_lead_to_columns(schema: Mapping[str, Any], tables: Mapping[str, Any]) -> bool:
    columns = {field["name"] for field in schema["fields"]}
    whole = len(columns) == len(schema["fields"]) and columns.issuperset(schema.get("primaryKey", []))
    return whole and all(
        (to := key["reference"])["resource"] in tables
        and columns.issuperset(key["fields"])
        and len(key["fields"]) == len(to["fields"])
        and {field["name"] for field in tables[to["resource"]]["schema"]["fields"]}.issuperset(to["fields"])
        for key in schema.get("foreignKeys", [])
    )


def _fits(value: Any, shape: Shape, needed: str = "") -> bool:
    """Say whether a value is an object with what is needed, and with no property but those that fit the shape."""
    return (
        isinstance(value, dict)
        and value.keys() >= set(needed.split())
        and value.keys() <= shape.keys()
        and all(shape[name](held) for name, held in value.items())
    )


def _text(value: Any) -> bool:
    return isinstance(value, str) and value != ""


def _whole(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 60  # `true` is no number


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_text, value))


def _some_texts(value: Any) -> bool:
    return _texts(value) and value != []


def _truth(value: Any) -> bool:
    return isinstance(value, bool)


def _true(value: Any) -> bool:
    return value is True


def _is(*allowed: Any) -> Callable[[Any], bool]:
    return lambda value: any(value == one and type(value) is type(one) for one in allowed)


def _like(pattern: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and bool(re.fullmatch(pattern, value))


def _each(shape: Shape, needed: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(_fits(one, shape, needed) for one in value)


def _object(shape: Shape, needed: str) -> Callable[[Any], bool]:
    return lambda value: _fits(value, shape, needed)


def _day(value: Any) -> bool:
    return _is_time(value, _DAY)


def _moment(value: Any) -> bool:
    return _is_time(value, _MOMENT)


def _is_time(value: Any, pattern: re.Pattern[str]) -> bool:
    try:
        return bool(isinstance(value, str) and pattern.fullmatch(value) and dt.datetime.fromisoformat(value))
    except ValueError:
        return False


def _pattern(value: Any) -> bool:
    try:
        return _text(value) and bool(re.compile(f"^{value}$"))
    except (re.error, OverflowError, RecursionError):
        return False


def _path(suffix: str) -> Callable[[Any], bool]:
    return _like(rf"(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+\.{suffix}")


_PART_PATH = _path("csv")
_TITLED: Shape = {"name": _text, "title": _text, "description": _text}
_LIMITED: Shape = {"required": _truth, "unique": _truth}
_BETWEEN: Shape = {**_LIMITED, "minimum": _whole, "maximum": _whole}
_CATEGORIES = _each({"value": _text, "label": _text}, "value label")

_TYPES: Mapping[str, tuple[Callable[[Any], bool], Shape]] = {
    "string": (_text, {**_LIMITED, "pattern": _pattern, "enum": _some_texts}),
    "integer": (lambda value: isinstance(value, str) and bool(_WHOLE.fullmatch(value)), _BETWEEN),
    "number": (lambda value: isinstance(value, str) and bool(_DECIMAL.fullmatch(value)), _BETWEEN),
    "boolean": (_is("true", "false"), _LIMITED),
    "date": (_day, _LIMITED),
}
"""For each type, what an example of it is, and the constraints that it may have."""


def _field(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(kind := value.get("type"), str) or kind not in _TYPES:
        return False
    example, limits = _TYPES[kind]
    told: Shape = {"type": _text, "example": example, "unit": _text, "categories": _CATEGORIES}
    return _fits(value, {**_TITLED, **told, "constraints": _object(limits, "")}, "name constraints")


_SCHEMA: Shape = {
    "$schema": _is(f"{_PROFILES}tableschema.json"),
    "fields": lambda value: isinstance(value, list) and value != [] and all(map(_field, value)),
    "missingValues": _is([""]),
    "primaryKey": _some_texts,
    "foreignKeys": _each(
        {"fields": _some_texts, "reference": _object({"resource": _text, "fields": _some_texts}, "resource fields")},
        "fields reference",
    ),
}
_DIALECT: Shape = {
    "header": _true,
    "delimiter": _is(","),
    "lineTerminator": _is("\n"),
    "quoteChar": _is('"'),
    "doubleQuote": _true,
    "skipInitialSpace": lambda value: value is False,
}
_PROVED: Shape = {"bytes": _whole, "hash": _like("sha256:[0-9a-f]{64}"), "logicalHash": _text, "mediatype": _text}
_TABLE: Shape = {
    **_TITLED,
    **_PROVED,
    "type": _is("table"),
    "path": lambda value: _PART_PATH(value) or (_some_texts(value) and all(map(_PART_PATH, value))),
    "format": _is("csv"),
    "mediatype": _is("text/csv"),
    "encoding": _is("utf-8"),
    "dialect": _object(_DIALECT, "delimiter"),
    "schema": _object(_SCHEMA, "fields missingValues"),
    "orderedBy": _texts,
}
_FILES: list[Shape] = [
    {**_TITLED, **_PROVED, "path": _path(suffix), "format": _is(form), "mediatype": _is(media), "alternateOf": _text}
    for suffix, form, media in [
        ("parquet", "apache-parquet", "application/vnd.apache.parquet"),
        ("md", "md", "text/markdown"),
        ("py", "py", "text/x-python"),
        ("html", "html", "text/html"),
        ("svg", "svg", "image/svg+xml"),
    ]
]
_PACKAGE: Shape = {
    **_TITLED,
    "$schema": _is(f"{_PROFILES}datapackage.json"),
    "version": _text,
    "created": _moment,
    "licenses": _each({"name": _text, "title": _text, "path": _text}, "name"),
    "sources": _each({"title": _text, "path": _text}, "title"),
    "contributors": _each({"title": _text, "roles": _texts}, "title"),
    "keywords": _texts,
    "resources": lambda value: isinstance(value, list) and value != [],
}
