"""`datapackage.json` → the resources it describes, if it is a descriptor.

Whether it is one, and what its fields mean, frictionless says, unless that is plain. Nothing that is not in the folder
is followed: no address, and no path that leads out.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from defectors_data.columnar.batches import Layout
from defectors_data.columnar.cells import Field, Judge, Reader
from defectors_data.columnar.ordinary import is_ordinary
from defectors_data.columnar.tallying import Tally

DESCRIPTOR = "datapackage.json"

Key = tuple[str, ...]
Foreign = tuple[Key, str, Key]


class Table(NamedTuple):
    """A table as CSV: how it lies in its files, the judges of its columns, and its keys."""

    layout: Layout
    judges: list[Judge]
    primary: Key
    unique: list[Key]
    foreign: list[Foreign]
    """Own columns, the name of the resource that they refer to, and its columns."""


class Described(NamedTuple):
    """A resource: what the descriptor says of it, its files, and the table that it is, if it is one."""

    name: str
    raw: dict[str, Any]
    file: str
    paths: Sequence[Path]
    table: Table | None


def described(folder: Path, tally: Tally) -> list[Described]:
    """Return the resources of a package; what is wrong with the descriptor is told to the tally."""
    try:
        raw = json.loads((folder / DESCRIPTOR).read_bytes().decode())
    except (OSError, ValueError, RecursionError) as error:
        tally.add(f"cannot be read as JSON ({type(error).__name__})")
        return []
    if sentence := next(unsafe(raw, folder), None):
        tally.add(sentence)
        return []
    try:
        return list(ordinary(raw, folder) if is_ordinary(raw) else asked(raw, folder, tally))
    except Exception as error:  # noqa: BLE001  # a stranger's descriptor may be anything
        tally.add(f"does not describe a data package ({type(error).__name__}): {_first_line(str(error))}")
    return []


def _first_line(message: str) -> str:
    return message.partition("\n")[0][:200]


def unsafe(raw: Any, folder: Path) -> Iterator[str]:
    """Say what is no descriptor, and what leads out of the folder."""
    if not isinstance(raw, dict) or not isinstance(raw.get("resources"), list) or not raw["resources"]:
        yield "must be an object with a list of resources"
        return
    for resource in raw["resources"]:
        if not isinstance(resource, dict) or "data" in resource or not _paths(resource):
            yield "must describe each resource as an object with a path"
            return
        linked = [resource[key] for key in ("schema", "dialect", "profile") if isinstance(resource.get(key), str)]
        for path in [*_paths(resource), *linked]:
            try:
                inside = isinstance(path, str) and (folder / path).resolve().is_relative_to(folder.resolve())
            except (ValueError, OSError):
                inside = False
            if not inside or "://" in path or path.startswith("~"):
                yield "must not refer to anything outside of the folder"
                return


def _paths(resource: dict[str, Any]) -> list[Any]:
    path = resource.get("path")
    extra = resource.get("extrapaths") or []
    return [*(path if isinstance(path, list) else [path] if path else []), *(extra if isinstance(extra, list) else [1])]


def ordinary(raw: dict[str, Any], folder: Path) -> Iterator[Described]:
    """Give the resources of a descriptor that is plainly valid."""
    for said in raw["resources"]:
        paths = [folder / path for path in _paths(said)]
        yield Described(
            said["name"],
            said,
            str(_paths(said)[0]),
            paths,
            _ordinary_table(said, paths) if "schema" in said else None,
        )


def _ordinary_table(said: dict[str, Any], paths: Sequence[Path]) -> Table:
    schema = said["schema"]
    fields = [
        Field(told["name"], told["type"], "default", told["constraints"], _reader(schema, at))
        for at, told in enumerate(schema["fields"])
    ]
    names = [field.name for field in fields]
    return Table(
        layout=Layout(paths, names, [[""]] * len(names), csv.excel(), "utf-8"),
        judges=[Judge(field) for field in fields],
        primary=tuple(schema.get("primaryKey", ())),
        unique=[(field.name,) for field in fields if field.constraints.get("unique")],
        foreign=[
            (tuple(key["fields"]), key["reference"]["resource"], tuple(key["reference"]["fields"]))
            for key in schema.get("foreignKeys", [])
        ],
    )


def _reader(schema: dict[str, Any], at: int) -> Callable[[], Reader]:
    """Return what makes frictionless's reader of a column when it is asked for."""

    def made() -> Reader:
        import frictionless  # noqa: PLC0415  # slow, and most packages never need it

        copied = json.loads(json.dumps(schema))  # it is changed by reading
        reader: Reader = frictionless.Schema.from_descriptor(copied).fields[at].create_cell_reader()
        return reader

    return made


def asked(raw: dict[str, Any], folder: Path, tally: Tally) -> Iterator[Described]:
    """Give the resources of a descriptor as frictionless takes it."""
    import frictionless  # noqa: PLC0415  # slow, and most packages never need it

    copied = json.loads(json.dumps(raw))  # it is changed by reading
    package = frictionless.Package.from_descriptor(copied, basepath=str(folder))
    try:
        package.to_descriptor(validate=True)
    except frictionless.FrictionlessException as error:
        for reason in [*error.reasons] or [error.error]:
            tally.add(f"is not valid: {_first_line(reason.message)}")
        return
    for said, resource in zip(raw["resources"], package.resources, strict=True):
        paths = [folder / path for path in _paths(said)]
        file = str(_paths(said)[0])
        table = None
        if isinstance(resource, frictionless.resources.TableResource):
            if sentence := _not_judged(resource):
                tally.add(f"{file}: {sentence}; `frictionless validate` knows")
            else:
                table = _table(resource, paths)
        yield Described(str(resource.name), said, file, paths, table)


def _not_judged(resource: Any) -> str | None:
    """Say what about a table is not known here, if anything."""
    dialect, schema = resource.dialect, resource.schema
    if resource.format != "csv" or resource.compression or not schema or not schema.fields:
        return "a table that is no CSV with a schema is not judged"
    plain = dialect.header and list(dialect.header_rows) == [1] and dialect.header_case
    if not plain or dialect.comment_char or dialect.comment_rows or dialect.skip_blank_rows:
        return "a table of this dialect is not judged"
    if schema.has_defined("fields_match") and schema.fields_match not in (None, "exact"):
        return "a table whose fields match otherwise than exactly is not judged"
    return None


def _table(resource: Any, paths: Sequence[Path]) -> Table:
    from frictionless.formats.csv import CsvControl  # noqa: PLC0415

    schema = resource.schema
    missing = [f.missing_values if f.has_defined("missing_values") else schema.missing_values for f in schema.fields]
    dialect = CsvControl.from_dialect(resource.dialect).to_python()
    names = [field.name for field in schema.fields]
    return Table(
        layout=Layout(paths, names, missing, dialect, resource.encoding or "utf-8"),
        judges=[Judge(Field.of(field)) for field in schema.fields],
        primary=tuple(schema.primary_key),
        unique=[(field.name,) for field in schema.fields if field.constraints.get("unique")],
        foreign=[
            (
                tuple(key["fields"]),
                key["reference"]["resource"] or str(resource.name),
                tuple(key["reference"]["fields"]),
            )
            for key in schema.foreign_keys
        ],
    )
