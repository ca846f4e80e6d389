"""Validation of packages of any size with DuckDB, by SQL generated from the Table Schemas in `datapackage.json`.

frictionless validates the descriptor, pyarrow reads the CSVs, and DuckDB runs the checks. For the requirements of the
Data Package standard, the result is the same as that of `frictionless validate`; `BEYOND_THE_STANDARD` lists the
additional checks.

The following differences are deliberate:

- Only the dialect and the five types that this project writes are supported.
- A pattern is an RE2 regular expression, which takes linear time, and must match the whole value.
- Integers have 64 bits, and digits are ASCII.
- A path or a link out of the folder is a fault.

No fault repeats the content of a cell.
"""

from __future__ import annotations

import csv
import errno
import hashlib
import io
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from defectors_data.package import filesystem, signals
from defectors_data.package.published_folder import DESCRIPTOR

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import csv as pyarrow_csv

MEMORY_LIMIT = "512MB"
MAX_ROWS_SHOWN = 20
"""Maximum number of rows reported individually for each rule; the rest are counted."""
_BLOCK = 1 << 20
"""Number of bytes of a CSV file that are parsed at a time; a longer row cannot be read."""

BEYOND_THE_STANDARD = frozenset("form header-form order offsets parquet".split())
"""Kinds of faults that `frictionless validate` does not report."""

_PROFILES = "https://datapackage.org/profiles/2.0/"
_KNOWN_PROFILES = [
    None,
    *(f"{_PROFILES}{of}.json" for of in "datapackage dataresource tableschema tabledialect".split()),
]
_DIALECT = {
    "$schema": f"{_PROFILES}tabledialect.json",
    "header": True,
    "delimiter": ",",
    "lineTerminator": "\n",
    "quoteChar": '"',
    "doubleQuote": True,
    "skipInitialSpace": False,
}
_FIELD = frozenset("name type format title description example unit missingValues constraints categories".split())
_CONSTRAINTS = frozenset("required unique enum pattern minLength maxLength minimum maximum".split())


class _Type(NamedTuple):
    """A Table Schema type: its SQL type, and regular expressions for the texts accepted and for the canonical text."""

    sql: str
    lexical: str
    form: str


# frictionless reads numbers with Python's functions, which accept spaces and underscores.
_NUMBER = r"(?i) *[+-]?(([0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(e[+-]?[0-9]+)?|inf(inity)?) *"
_TYPES = {
    "string": _Type("VARCHAR", "", ""),
    "integer": _Type("BIGINT", " *[+-]?[0-9]+(_[0-9]+)* *", "0|-?[1-9][0-9]*"),
    "number": _Type("DOUBLE", _NUMBER, r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?|-?[1-9](\.[0-9]+)?e[+-][0-9]+"),
    "boolean": _Type("BOOLEAN", "true|True|TRUE|1|false|False|FALSE|0", "true|false"),
    "date": _Type("DATE", "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}", "[0-9]{4}-[0-9]{2}-[0-9]{2}"),
}


class Fault(NamedTuple):
    """A fault in a file: its path, row (None for the whole file; the header is row 1), field, kind and message."""

    path: str
    row: int | None
    field: str | None
    kind: str
    sentence: str

    def __str__(self) -> str:
        """Return the fault as one line, `file:row: field: message`."""
        place = self.path if self.row is None else f"{self.path}:{self.row}"
        return ": ".join(filter(None, (place, self.field, self.sentence)))


class ValidationReport(NamedTuple):
    """The faults of a package, ordered by file and row, and for each table the number of rows checked."""

    faults: list[Fault]
    rows: dict[str, int]

    @property
    def valid(self) -> bool:
        """Whether the package is valid by the standard; `frictionless validate` returns the same result."""
        return all(fault.kind in BEYOND_THE_STANDARD for fault in self.faults)


def validate(folder: Path, *, memory_limit: str = MEMORY_LIMIT) -> ValidationReport:
    """Validate the package in a folder, and return a report; faults in the package do not raise an error.

    DuckDB uses at most `memory_limit` and one thread per CPU, and spills to a temporary folder below TMPDIR.

    Raises:
        filesystem.NoTemporarySpaceError: memory or the temporary folder is full.
        ModuleNotFoundError: DuckDB is not installed.
    """
    import duckdb  # noqa: PLC0415  # slow to import, and part of the extra `build`

    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="defectors-data-") as scratch:
        try:
            with closing(duckdb.connect(":memory:", config={"memory_limit": memory_limit, "threads": threads})) as db:
                # DuckDB must not download anything.
                db.execute(f"SET temp_directory = {_literal(scratch)}; SET autoinstall_known_extensions = false")
                db.execute("SET enable_progress_bar = false")
                resources = _resources(folder)
                _check_patterns(resources, db)
                # DuckDB reads only paths in UTF-8, and takes some characters of a path for wildcards.
                link = Path(scratch) / "package"
                link.symlink_to(folder.resolve())
                return _Validator(link, resources, db).report()
        except _UnsupportedError as error:
            return ValidationReport([Fault(DESCRIPTOR, None, None, "descriptor", str(error))], {})
        except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
            message = "DuckDB needs more memory or scratch space; set TMPDIR to use another folder"
            raise filesystem.NoTemporarySpaceError(errno.ENOSPC, message) from error


# ---- the descriptor ----------------------------------------------------------------------------------------


class _UnsupportedError(Exception):
    """The descriptor is not valid, or uses a feature that is not supported here."""


class _TableView(NamedTuple):
    """A CSV resource and its DuckDB view: a column `row` and, for each field j, its text `t<j>` and value `v<j>`."""

    view: str
    resource: dict[str, Any]
    fields: list[dict[str, Any]]

    @property
    def path(self) -> str:
        return str(self.resource["path"])

    @property
    def names(self) -> list[str]:
        return [field["name"] for field in self.fields]

    @property
    def typed(self) -> list[int]:
        """The indexes of the fields that are not strings, whose values differ from their texts."""
        return [j for j, field in enumerate(self.fields) if field["type"] != "string"]

    def values(self, *names: str) -> list[str]:
        """Return the view columns that contain the values of the fields with these names."""
        return [f"v{self.names.index(name)}" for name in names]


def _resources(folder: Path) -> list[dict[str, Any]]:
    """Return the resources of the descriptor.

    Raises:
        _UnsupportedError: the descriptor is not valid or not supported, or a path leads out of the folder.
    """
    import frictionless  # noqa: PLC0415  # slow to import

    try:
        raw = json.loads((folder / DESCRIPTOR).read_bytes().decode())
    except (OSError, ValueError, RecursionError) as error:
        raise _UnsupportedError(f"cannot be read as JSON ({type(error).__name__})") from error
    if not isinstance(raw, dict) or not isinstance(raw.get("resources"), list) or not raw["resources"]:
        raise _UnsupportedError("must be an object with a list of resources")
    for resource in raw["resources"]:
        _check_safe(raw, resource, folder)
    try:
        copied = json.loads(json.dumps(raw))  # frictionless modifies its argument
        frictionless.Package.from_descriptor(copied, basepath=str(folder))
    except Exception as error:  # the descriptor of another project may contain anything
        reason = str(error).partition("\n")[0][:200]
        raise _UnsupportedError(f"is not valid ({type(error).__name__}): {reason}") from error
    for resource in raw["resources"]:
        if odd := list(_unsupported(resource)) if "schema" in resource or resource.get("type") == "table" else []:
            listed = ", ".join(sorted(odd)[:5])
            raise _UnsupportedError(f"{resource['name']}: not supported: {listed}; use `frictionless validate`")
    return list(raw["resources"])


def _listed(names: str | list[str]) -> list[str]:
    return [names] if isinstance(names, str) else names


def _check_safe(raw: dict[str, Any], resource: Any, folder: Path) -> None:
    """Refuse an entry that is not a resource, and paths or symbolic links that lead out of the folder."""
    if (
        not isinstance(resource, dict)
        or {"data", "extrapaths"} & resource.keys()
        or not isinstance(path := resource.get("path"), str)
    ):
        raise _UnsupportedError("must describe each resource as an object with the path of one file")
    for described in (raw, resource, resource.get("schema", {}), resource.get("dialect", {})):
        if not isinstance(described, dict) or "profile" in described or described.get("$schema") not in _KNOWN_PROFILES:
            raise _UnsupportedError("must contain its schemas and dialects inline, with only Data Package 2.0 profiles")
    try:
        inside = (folder / path).resolve().is_relative_to(folder.resolve())
    except (ValueError, OSError):
        inside = False
    if not inside or "://" in path or path.startswith("~"):
        raise _UnsupportedError("must not refer to files outside the folder")


def _unsupported(resource: dict[str, Any]) -> Iterator[str]:
    """Yield the properties of a table that are not supported here, because this project never writes them."""
    schema = resource.get("schema", {})
    yield from (
        f"{key} of the dialect" for key, value in resource.get("dialect", {}).items() if _DIALECT.get(key) != value
    )
    yield from ["a format other than CSV"] * (resource.get("format") != "csv" or "compression" in resource)
    yield from ["encoding"] * (resource.get("encoding", "utf-8") != "utf-8")
    for part in (schema, *schema.get("fields", [])):
        listed = part.get("missingValues", [""])
        labelled = [value.get("value") if isinstance(value, dict) else value for value in listed]
        yield from ["missingValues"] * (labelled != [""])
    yield from ["fieldsMatch"] * (schema.get("fieldsMatch", "exact") not in ("exact", ["exact"]))
    yield from ["a table without fields"] * (not schema.get("fields"))
    for field in schema.get("fields", []):
        odd = [*(field.keys() - _FIELD), *(field.get("constraints", {}).keys() - _CONSTRAINTS)]
        odd += ["type"] * (field.get("type") not in _TYPES) + ["format"] * (field.get("format", "default") != "default")
        yield from (f"{key} of {field['name']}" for key in odd)


def _check_patterns(resources: list[dict[str, Any]], db: Any) -> None:
    import duckdb  # noqa: PLC0415  # slow to import, and part of the extra `build`

    for resource in resources:
        for field in resource.get("schema", {}).get("fields", []):
            # Later, an invalid pattern would be reported as a table that cannot be read.
            if pattern := field.get("constraints", {}).get("pattern"):
                try:
                    db.execute(f"SELECT regexp_full_match('', {_literal(pattern)})").fetchall()
                except duckdb.InvalidInputException as error:
                    message = f"{resource['name']}: the pattern of {field['name']} is not valid RE2 syntax"
                    raise _UnsupportedError(message) from error


# ---- files -------------------------------------------------------------------------------------------------


def _file_faults(folder: Path, resource: dict[str, Any]) -> Iterator[Fault]:
    """Yield a fault if the size or the checksum of a file differs from the descriptor.

    Raises:
        OSError: the file cannot be read.
    """
    algorithm, _, expected = str(resource.get("hash") or "").rpartition(":")
    with (folder / resource["path"]).open("rb") as file:
        # A checksum without a prefix is MD5, by the standard.
        digest = hashlib.file_digest(file, lambda: hashlib.new(algorithm or "md5", usedforsecurity=False))
        size = file.tell()
    if resource.get("bytes") not in (None, size):
        yield Fault(resource["path"], None, None, "bytes", f"size differs from {DESCRIPTOR}")
    if expected and digest.hexdigest() != expected:
        yield Fault(resource["path"], None, None, "hash", f"checksum differs from {DESCRIPTOR}")


def _header(path: Path) -> list[str] | None:
    with io.TextIOWrapper(path.open("rb"), encoding="utf-8-sig", newline="") as file:
        return next(csv.reader(file), None)


def _goes_on_after_header(path: Path) -> bool:
    with io.TextIOWrapper(path.open("rb"), encoding="utf-8-sig", newline="") as file:
        file.readline()
        return file.read(1) != ""


def _batches(path: Path, columns: int, ragged: list[int]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a CSV, without the header, as text columns `t0`, `t1` and so on.

    Rows with too few or too many cells are left out, and their numbers are added to `ragged`. DuckDB's own reader is
    not used: it skips blank lines, ignores an extra empty cell, and trims spaces before a quotation mark.
    """
    import pyarrow as pa  # noqa: PLC0415  # slow
    from pyarrow import csv as pyarrow_csv  # noqa: PLC0415  # slow

    def skip(row: pyarrow_csv.InvalidRow) -> Literal["skip"]:
        ragged.append(row.number or 0)
        return "skip"

    if not _goes_on_after_header(path):  # pyarrow rejects a header without a line ending
        return
    names = [f"t{j}" for j in range(columns)]
    with path.open("rb") as file:
        yield from pyarrow_csv.open_csv(
            file,
            pyarrow_csv.ReadOptions(use_threads=False, block_size=_BLOCK, skip_rows=1, column_names=names),
            pyarrow_csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False, invalid_row_handler=skip),
            pyarrow_csv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.string()), null_values=[""], strings_can_be_null=True
            ),
        )


# ---- rules: the Table Schema as SQL --------------------------------------------------------------------------


class _Constraint(NamedTuple):
    """A rule of a table: field, kind and message of its fault, and an SQL condition that is true for faulty rows."""

    field: str | None
    kind: str
    sentence: str
    broken: str


def _literal(value: object, kind: str = "VARCHAR") -> str:
    quoted = str(value).replace("'", "''")
    return f"'{quoted}'::{kind}"


def _row_rules(table: _TableView) -> Iterator[_Constraint]:
    """Yield the rules that concern one row at a time: the types and constraints of its cells."""
    schema, names = table.resource["schema"], table.names
    if primary := _listed(schema.get("primaryKey", [])):
        yield _Constraint(", ".join(primary), "primary-key", "primary key is empty", _all_null(table.values(*primary)))
    yield _Constraint(None, "blank-row", "row is blank", _all_null([f"t{j}" for j in range(len(names))]))
    for j in table.typed:
        kind = table.fields[j]["type"]
        yield _Constraint(names[j], "type", f"expected type {kind}", f"v{j} IS NULL AND t{j} IS NOT NULL")
        form = f"NOT regexp_full_match(t{j}, {_literal(_TYPES[kind].form)})"
        yield _Constraint(names[j], "form", f"not in the canonical form of type {kind}", f"v{j} IS NOT NULL AND {form}")
    for j, field in enumerate(table.fields):
        for limit, sentence, kept in _limits(field, f"v{j}"):
            yield _Constraint(field["name"], limit, sentence, f"NOT ({kept})")
        if field.get("constraints", {}).get("required"):
            yield _Constraint(field["name"], "required", "value is required", f"t{j} IS NULL")


def _limits(field: dict[str, Any], value: str) -> Iterator[tuple[str, str, str]]:
    """Yield the constraints of a field: kind, message, and an SQL condition that is true for valid values."""
    kind, limits = field["type"], field.get("constraints", {})
    if allowed := limits.get("enum") or [c["value"] if isinstance(c, dict) else c for c in field.get("categories", [])]:
        values = ", ".join(_literal(one, _TYPES[kind].sql) for one in allowed)
        yield "enum", "expected one of the values in the schema", f"{value} IN ({values})"
    if pattern := limits.get("pattern"):
        yield "pattern", f"expected a match of {pattern!r}", f"regexp_full_match({value}, {_literal(pattern)})"
    for least, most, word, sql in (
        ("minLength", "maxLength", "length", f"length({value})"),
        ("minimum", "maximum", "value", value),
    ):
        low, high = limits.get(least), limits.get(most)
        if low is not None and high is not None:
            condition = f"{sql} BETWEEN {_bound(low, kind)} AND {_bound(high, kind)}"
            yield least, f"expected {low} <= {word} <= {high}", condition
        elif low is not None:
            yield least, f"expected {word} >= {low}", f"{sql} >= {_bound(low, kind)}"
        elif high is not None:
            yield most, f"expected {word} <= {high}", f"{sql} <= {_bound(high, kind)}"


def _bound(bound: Any, kind: str) -> str:
    return str(bound) if type(bound) is int else _literal(bound, "DATE" if kind == "date" else "DOUBLE")


def _offset_rules(table: _TableView) -> Iterator[_Constraint]:
    """Yield the rules on offsets; none if `start` and `end` do not count code points."""
    units = {field["name"]: field.get("unit") for field in table.fields if field["type"] == "integer"}
    if not units.get("start") == units.get("end") == "code points":
        return
    start, end = table.values("start", "end")
    yield _Constraint(None, "offsets", "expected 0 <= start < end", f"NOT (0 <= {start} AND {start} < {end})")
    yield _Constraint(None, "offsets", "expected end <= chars of its source", f"{end} > chars")
    if not units.keys() >= {"start_utf16", "end_utf16", "start_byte", "end_byte"}:
        return
    start_utf16, end_utf16, start_byte, end_byte = table.values("start_utf16", "end_utf16", "start_byte", "end_byte")
    for name, points, utf16, octets in (
        ("start", start, start_utf16, start_byte),
        ("end", end, end_utf16, end_byte),
        ("the length", f"({end} - {start})", f"({end_utf16} - {start_utf16})", f"({end_byte} - {start_byte})"),
    ):
        # A code point has one or two UTF-16 units, and each unit has one to three bytes in UTF-8.
        fits = f"{utf16} BETWEEN {points} AND 2 * {points} AND {octets} BETWEEN {utf16} AND 3 * {utf16}"
        sentence = f"{name} in UTF-16 units or bytes is impossible for its value in code points"
        yield _Constraint(None, "offsets", sentence, f"NOT ({fits})")
    if "exact" in table.names:
        [exact] = table.values("exact")
        fits = f"length({exact}) = {end} - {start} AND strlen({exact}) = {end_byte} - {start_byte}"
        yield _Constraint(None, "offsets", "length of exact differs from its offsets", f"NOT ({fits})")


def _all_null(columns: Sequence[str]) -> str:
    return " AND ".join(f"{column} IS NULL" for column in columns)


# ---- the database ------------------------------------------------------------------------------------------


class _Validator:
    """A package that is being validated: its tables in a database, and the faults found so far."""

    def __init__(self, folder: Path, resources: list[dict[str, Any]], db: Any) -> None:
        self.folder, self.resources, self.db = folder, resources, db
        self.tables: dict[str, _TableView] = {}
        """The tables whose rows could all be read, by name."""
        self.rows: dict[str, int] = {}
        self.faults: list[Fault] = []

    def report(self) -> ValidationReport:
        """Run all checks, and return the faults in the order of the descriptor and of the rows."""
        for number, resource in enumerate(self.resources):
            with self._reporting(resource["path"]):
                self.faults += _file_faults(self.folder, resource)
                if "schema" in resource:
                    self._load(_TableView(f"table{number}", resource, resource["schema"]["fields"]))
        for table in self.tables.values():
            for check in (self._check_rows, self._check_keys, self._check_order):
                with self._reporting(table.path):
                    check(table)
        for resource in self.resources:
            if resource.get("format") == "apache-parquet" and resource.get("alternateOf") in self.tables:
                with self._reporting(resource["path"], "parquet"):
                    self._compare(self.tables[resource["alternateOf"]], resource)
        places = [resource["path"] for resource in self.resources]
        self.faults.sort(key=lambda fault: (places.index(fault.path), fault.row or 0))
        return ValidationReport(self.faults, self.rows)

    @contextmanager
    def _reporting(self, path: str, kind: str = "unreadable") -> Iterator[None]:
        """Report a read error by its class only, because messages of DuckDB and pyarrow may repeat cells."""
        import duckdb  # noqa: PLC0415  # slow to import, and part of the extra `build`

        try:
            yield
        except duckdb.OutOfMemoryException:
            raise
        except Exception as error:  # the package of another project may contain anything
            # DuckDB and pyarrow replace the exception of a signal handler with their own.
            signals.stop_if_one_came()
            if "nterrupted" in str(error):  # with or without a capital
                raise KeyboardInterrupt from error
            self._add(path, kind, f"cannot be read ({type(error).__name__})")

    def _add(self, path: str, kind: str, sentence: str, row: int | None = None) -> None:
        self.faults.append(Fault(path, row, None, kind, sentence))

    def _add_rows(self, path: str, rule: _Constraint, first: Sequence[int], count: int) -> None:
        self.faults += [Fault(path, row, *rule[:3]) for row in first]
        if more := count - len(first):
            self.faults.append(Fault(path, first[-1], *rule[:2], f"{rule.sentence} (further rows: {more:,})"))

    def _apply(self, path: str, source: str, rules: Sequence[_Constraint]) -> None:
        """Apply rules to an SQL source with a column `row`; one scan counts the faulty rows of all rules."""
        counts = ", ".join(f"count(*) FILTER (WHERE {rule.broken})" for rule in rules)
        for rule, count in zip(rules, self._row(f"SELECT {counts} FROM {source}"), strict=True):
            if count:
                sql = f"SELECT row FROM {source} WHERE {rule.broken} ORDER BY row LIMIT {MAX_ROWS_SHOWN}"
                self._add_rows(path, rule, [row for (row,) in self.db.execute(sql).fetchall()], count)

    def _row(self, sql: str) -> tuple[Any, ...]:
        return tuple(self.db.execute(sql).fetchone())

    def _load(self, table: _TableView) -> None:
        """Load a CSV file; report a wrong header, and rows with too few or too many cells."""
        import pyarrow as pa  # noqa: PLC0415  # slow

        path = self.folder / table.path
        header = _header(path)
        is_blank = header == [] and _goes_on_after_header(path)
        if header != table.names and (is_blank or [name.strip() for name in header or []] == table.names):
            self._add(table.path, "header-form", "header is blank or has extra spaces", 1)  # frictionless accepts both
        elif header != table.names:
            self._add(table.path, "header", "columns differ from the schema", 1)
            return
        kinds = [_TYPES[field["type"]] for field in table.fields]
        columns = [f"t{j} VARCHAR" for j in range(len(kinds))] + [f"v{j} {kinds[j].sql}" for j in table.typed]
        values = "".join(
            f", CASE WHEN regexp_full_match(t{j}, {_literal(of.lexical)}) THEN TRY_CAST(t{j} AS {of.sql}) END"
            for j in table.typed
            for of in [kinds[j]]
        )
        ragged: list[int] = []
        self.db.execute(f"CREATE TABLE {table.view}_rows ({', '.join(columns)})").fetchall()
        for batch in _batches(path, len(kinds), ragged):
            self.db.register("batch", pa.Table.from_batches([batch]))
            self.db.execute(f"INSERT INTO {table.view}_rows SELECT *{values} FROM batch").fetchall()
            self.db.unregister("batch")
        [self.rows[table.resource["name"]]] = self._row(f"SELECT count(*) FROM {table.view}_rows")
        if ragged:  # these rows were not loaded, so the row numbers of later faults would be wrong
            rule = _Constraint(None, "cells", "number of cells differs from the number of columns", "")
            self._add_rows(table.path, rule, ragged[:MAX_ROWS_SHOWN], len(ragged))
            return
        texts = "".join(f", t{j} AS v{j}" for j in range(len(kinds)) if j not in table.typed)
        # The header is row 1, and `rowid` counts from 0.
        self.db.execute(f"CREATE VIEW {table.view} AS SELECT rowid + 2 AS row, *{texts} FROM {table.view}_rows")
        self.tables[table.resource["name"]] = table

    def _check_rows(self, table: _TableView) -> None:
        """Check each row, and its offsets against the length of its source."""
        self._apply(table.path, table.view, list(_row_rules(table)))
        sources, source, rules = self.tables.get("sources"), table.view, list(_offset_rules(table))
        if sources and "source_id" in table.names and {"source_id", "chars"} <= {*sources.names}:
            # In a faulty package, several rows may have the same source_id, so they are grouped.
            [own], [theirs, chars] = table.values("source_id"), sources.values("source_id", "chars")
            lengths = f"(SELECT {theirs} AS id, max({chars}) AS chars FROM {sources.view} GROUP BY id)"
            source = f"(SELECT * FROM {table.view} LEFT JOIN {lengths} ON {own} = id)"
        else:
            # Without the lengths of the sources, the rule that compares offsets with them cannot be checked.
            rules = [rule for rule in rules if not rule.broken.endswith(" chars")]
        if rules:
            self._apply(table.path, source, rules)

    def _check_keys(self, table: _TableView) -> None:
        """Check that keys are unique, and that foreign keys are found in the referenced table."""
        schema = table.resource["schema"]
        primary = _listed(schema.get("primaryKey", []))
        unique = [[field["name"]] for field in table.fields if field.get("constraints", {}).get("unique")]
        for key in [*([primary] if primary else []), *(one for one in unique if one != primary)]:
            values = table.values(*key)
            repeated = f"SELECT 1 FROM {table.view} WHERE NOT ({_all_null(values)}) GROUP BY {', '.join(values)}"
            if not self._row(f"SELECT count(*) FROM ({repeated} HAVING count(*) > 1)")[0]:
                continue  # the query below takes much more memory
            again = f"row_number() OVER (PARTITION BY {', '.join(values)} ORDER BY row) > 1 AS again"
            source = f"(SELECT row, {again} FROM {table.view} WHERE NOT ({_all_null(values)}))"
            kind = "primary-key" if key == primary else "unique"
            self._apply(table.path, source, [_Constraint(", ".join(key), kind, "duplicate value", "again")])
        for key in schema.get("foreignKeys", []):
            own, theirs = _listed(key["fields"]), _listed(key["reference"]["fields"])
            name = key["reference"].get("resource") or table.resource["name"]
            if name not in self.tables:
                continue  # that table could not be read, which has already been reported
            target, values = self.tables[name], table.values(*own)
            # A key of several fields may contain null, and in SQL null does not equal null.
            sign = "=" if len(own) == 1 else "IS NOT DISTINCT FROM"
            pairs = zip(values, target.values(*theirs), strict=True)
            same = " AND ".join(f"own.{one} {sign} target.{other}" for one, other in pairs)
            source = f"((SELECT * FROM {table.view} WHERE NOT ({_all_null(values)})) AS own"
            source += f" ANTI JOIN {target.view} AS target ON {same})"
            sentence = f"not found in {name}: {', '.join(theirs)}"
            self._apply(table.path, source, [_Constraint(", ".join(own), "foreign-key", sentence, "true")])

    def _check_order(self, table: _TableView) -> None:
        """Check that rows are in ascending order without duplicates: null first, texts by code point."""
        order = table.resource.get("orderedBy") or []
        if not isinstance(order, list) or not {*table.names} >= {*order}:
            self._add(table.path, "order", "orderedBy names a column that does not exist")
        elif order:
            # `IS NOT NULL` puts null first; a comparison with null would result in null.
            key = f"row({', '.join(f'{value} IS NOT NULL, {value}' for value in table.values(*order))})"
            source = f"(SELECT row, key <= lag(key) OVER () AS early FROM (SELECT row, {key} AS key FROM {table.view}))"
            sentence = f"expected ascending order of {', '.join(order)}"
            self._apply(table.path, source, [_Constraint(None, "order", sentence, "early")])

    def _compare(self, table: _TableView, parquet: dict[str, Any]) -> None:
        """Compare the columns, types and values of a Parquet resource with its CSV."""
        path = parquet["path"]
        # With Hive partitioning, a folder with a name like `a=b` would become a column.
        read = f"read_parquet([{_literal(self.folder / path)}], hive_partitioning = false)"
        columns = [(name, kind) for name, kind, *_ in self.db.execute(f"DESCRIBE SELECT * FROM {read}").fetchall()]
        if columns != [(field["name"], _TYPES[field["type"]].sql) for field in table.fields]:
            self._add(path, "parquet", "columns or types differ from the CSV")
            return
        if self._row(f"SELECT count(*) FROM {read}") != self._row(f"SELECT count(*) FROM {table.view}"):
            self._add(path, "parquet", "number of rows differs from the CSV")
            return
        renamed = ", ".join(f"p{j}" for j in range(len(columns)))
        # The rows are paired by position, because their order must be the same, too.
        source = f"({table.view} POSITIONAL JOIN (SELECT * FROM {read}) AS parquet({renamed}))"
        sentence, names = "value differs from the CSV", enumerate(table.names)
        rules = [_Constraint(name, "parquet", sentence, f"v{j} IS DISTINCT FROM p{j}") for j, name in names]
        self._apply(path, source, rules)
