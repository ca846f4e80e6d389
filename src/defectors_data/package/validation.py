"""Validation of a published package with DuckDB, by SQL made from its Table Schemas.

pyarrow reads the CSV files. DuckDB checks types, constraints, keys, offsets and the order of rows,
and compares the Parquet files with the CSV files. Only packages that this project writes are
validated: a descriptor with anything else is a fault, and `frictionless validate` is the tool for
it. No fault repeats the content of a cell.
"""

from __future__ import annotations

import csv
import errno
import hashlib
import io
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from defectors_data import executors
from defectors_data.package import filesystem, signals
from defectors_data.package.published_folder import DESCRIPTOR

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import csv as pyarrow_csv

MEMORY_LIMIT = "64MB"
"""Memory that DuckDB may use before it writes to a temporary folder."""
MAX_ROWS_SHOWN = 20
"""Maximum number of rows reported individually for each rule; the rest are counted."""
_BLOCK = 1 << 20
"""Number of bytes of a CSV file that are parsed at a time; a longer row cannot be read."""


class _Type(NamedTuple):
    """The SQL type of a Table Schema type, and the form of its texts as a regular expression."""

    sql: str
    form: str


_TYPES = {
    "string": _Type("VARCHAR", ""),
    "integer": _Type("BIGINT", "0|-?[1-9][0-9]*"),
    "number": _Type("DOUBLE", r"-?(0|[1-9][0-9]*)(\.[0-9]*[1-9])?|-?[1-9](\.[0-9]+)?e[+-][0-9]+"),
    "boolean": _Type("BOOLEAN", "true|false"),
    "date": _Type("DATE", "[0-9]{4}-[0-9]{2}-[0-9]{2}"),
}


class Fault(NamedTuple):
    """A fault in a file: its path, row, field and message.

    The row of the header is 1; that of a fault of the whole file is None.
    """

    path: str
    row: int | None
    field: str | None
    sentence: str

    def __str__(self) -> str:
        """Return the fault as one line, `file:row: field: message`."""
        place = self.path if self.row is None else f"{self.path}:{self.row}"
        return ": ".join(filter(None, (place, self.field, self.sentence)))


class ValidationReport(NamedTuple):
    """The faults of a package by file and row, and the number of rows checked by table."""

    faults: list[Fault]
    rows: dict[str, int]


_MOST_BYTES = 20_000_000
"""Maximum size of the tables that are validated in this process: DuckDB and pyarrow keep their
memory until it ends."""


def validate_apart(folder: Path) -> ValidationReport:
    """Validate a package as `validate` does; a large one in a new process."""
    size = sum(path.stat().st_size for path in folder.glob("data/*.csv"))
    if size <= _MOST_BYTES:
        return validate(folder)
    import multiprocessing  # noqa: PLC0415  # slow to import
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    # A forked copy of a process with threads, such as those of pyarrow, may deadlock.
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, spawned, initializer=executors.spare) as process:
        return process.submit(validate, folder).result()


def validate(folder: Path) -> ValidationReport:
    """Validate the package in a folder, and return a report.

    Faults in the package do not raise an error. DuckDB uses at most `MEMORY_LIMIT`, spills to a
    temporary folder below TMPDIR, and runs in one thread: more need more memory, and as much time.

    Raises:
        filesystem.NoTemporarySpaceError: memory or the temporary folder is full.
        ModuleNotFoundError: DuckDB is not installed.
    """
    import duckdb  # noqa: PLC0415  # slow to import, and part of the extra `build`

    try:
        resources = _resources(folder)
    except (OSError, ValueError, RecursionError) as error:
        return ValidationReport([Fault(DESCRIPTOR, None, None, _reason(error))], {})
    with tempfile.TemporaryDirectory(prefix="defectors-data-") as scratch:
        try:
            config: dict[str, Any] = {"memory_limit": MEMORY_LIMIT, "threads": 1}
            with closing(duckdb.connect(":memory:", config=config)) as db:
                db.execute(f"SET temp_directory = {_literal(scratch)}")
                db.execute("SET autoinstall_known_extensions = false")  # it would be downloaded
                db.execute("SET enable_progress_bar = false")
                # DuckDB reads only paths in UTF-8, and takes some characters of a path for
                # wildcards.
                link = Path(scratch) / "package"
                link.symlink_to(folder.resolve())
                return _Validator(link, resources, db).report()
        except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
            message = "DuckDB needs more memory or scratch space; set TMPDIR to use another folder"
            raise filesystem.NoTemporarySpaceError(errno.ENOSPC, message) from error


# ---- the descriptor ------------------------------------------------------------------------------


class _Constraints(BaseModel):
    # A constraint that is not checked here must not pass unnoticed.
    model_config = ConfigDict(extra="forbid")

    required: bool = False
    unique: bool = False
    """Written only for a primary key, which is unique anyway."""
    enum: list[str] | None = None
    pattern: str | None = None
    minimum: int | None = None
    maximum: int | None = None


class _TableField(BaseModel):
    name: str
    type: Literal["string", "integer", "number", "boolean", "date"]
    unit: str | None = None
    constraints: _Constraints = _Constraints()


class _Reference(BaseModel):
    resource: str
    fields: tuple[str]


class _ForeignKey(BaseModel):
    fields: tuple[str]
    reference: _Reference
    termKind: str | None = None  # noqa: N815
    """The cell in the column `kind` of the row to which the key refers."""


class _Schema(BaseModel):
    fields: list[_TableField]
    primaryKey: tuple[str]  # noqa: N815  # as the standard writes it
    foreignKeys: list[_ForeignKey] = []  # noqa: N815
    missingValues: tuple[Literal[""]]  # noqa: N815


class _Dialect(BaseModel):
    header: Literal[True]
    delimiter: Literal[","]
    lineTerminator: Literal["\n"]  # noqa: N815
    quoteChar: Literal['"']  # noqa: N815
    doubleQuote: Literal[True]  # noqa: N815


class _Resource(BaseModel):
    name: str
    path: str
    bytes: int
    hash: str
    format: str
    alternateOf: str | None = None  # noqa: N815
    orderedBy: list[str] = []  # noqa: N815
    dialect: _Dialect | None = None
    table_schema: _Schema | None = Field(default=None, alias="schema")


class _Descriptor(BaseModel):
    resources: list[_Resource]


def _resources(folder: Path) -> list[_Resource]:
    """Return the resources of the descriptor.

    Raises:
        OSError: the descriptor cannot be read.
        ValueError: it is not one that this project writes, or a path leads out of the folder.
    """
    resources = _Descriptor.model_validate_json((folder / DESCRIPTOR).read_bytes()).resources
    for resource in resources:
        if not (folder / resource.path).resolve().is_relative_to(folder.resolve()):
            raise ValueError("must not refer to files outside the folder")
    return resources


def _reason(error: Exception) -> str:
    """Return why a descriptor cannot be used, without its content."""
    if isinstance(error, ValidationError):
        place = ".".join(map(str, error.errors()[0]["loc"]))
        if not place:
            return "cannot be read as a JSON object"
        return f"is not as this program writes it, at {place}; use `frictionless validate`"
    if type(error) is ValueError:
        return str(error)
    return f"cannot be read ({type(error).__name__})"


class _LoadedTable(NamedTuple):
    """A CSV resource and its table: of each field j the text `t<j>` and, if it differs, `v<j>`.

    Queries name the columns that they need: a view of all would be bound anew by each.
    """

    rows: str
    """The name of the table in the database."""
    name: str
    path: str
    schema: _Schema
    order: Sequence[str]

    @property
    def fields(self) -> list[_TableField]:
        """The fields of the schema, in the order of the columns."""
        return self.schema.fields

    @property
    def names(self) -> list[str]:
        """The names of the fields."""
        return [field.name for field in self.schema.fields]

    @property
    def typed(self) -> list[int]:
        """The indexes of the fields that are not strings, whose values differ from their texts."""
        return [j for j, field in enumerate(self.schema.fields) if field.type != "string"]

    def value(self, j: int) -> str:
        """Return the column with the values of a field."""
        return f"v{j}" if j in self.typed else f"t{j}"

    def values(self, *names: str) -> list[str]:
        """Return the columns with the values of the fields with these names."""
        return [self.value(self.names.index(name)) for name in names]

    def select(self, *columns: str) -> str:
        """Return a subquery of these columns and of `row`, the number of the row."""
        # The header is row 1, and `rowid` counts from 0.
        return f"(SELECT rowid + 2 AS row, {', '.join(columns)} FROM {self.rows})"


# ---- files ---------------------------------------------------------------------------------------


def _file_faults(folder: Path, resource: _Resource) -> Iterator[Fault]:
    """Yield a fault if the size or the checksum of a file differs from the descriptor.

    Raises:
        OSError: the file cannot be read.
    """
    with (folder / resource.path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
        size = file.tell()
    if resource.bytes != size:
        yield Fault(resource.path, None, None, f"size differs from {DESCRIPTOR}")
    if resource.hash != f"sha256:{digest.hexdigest()}":
        yield Fault(resource.path, None, None, f"checksum differs from {DESCRIPTOR}")


def _header(path: Path) -> list[str] | None:
    with path.open("rb") as file, io.TextIOWrapper(file, encoding="utf-8", newline="") as text:
        return next(csv.reader(text), None)


def _has_rows(path: Path) -> bool:
    with path.open("rb") as file:
        file.readline()
        return file.read(1) != b""


def _batches(path: Path, columns: int, ragged: list[int]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a CSV, without the header, as text columns `t0`, `t1` and so on.

    Rows with too few or too many cells are left out, and their numbers are added to `ragged`.
    DuckDB's own reader is not used: it skips blank lines, ignores an extra empty cell, and trims
    spaces before a quotation mark.
    """
    import pyarrow as pa  # noqa: PLC0415  # slow
    from pyarrow import csv as pyarrow_csv  # noqa: PLC0415  # slow

    def skip(row: pyarrow_csv.InvalidRow) -> Literal["skip"]:
        ragged.append(row.number or 0)
        return "skip"

    if not _has_rows(path):  # pyarrow rejects a file without rows
        return
    names = [f"t{j}" for j in range(columns)]
    reading = pyarrow_csv.ReadOptions(
        use_threads=False, block_size=_BLOCK, skip_rows=1, column_names=names
    )
    parsing = pyarrow_csv.ParseOptions(
        newlines_in_values=True, ignore_empty_lines=False, invalid_row_handler=skip
    )
    types = dict.fromkeys(names, pa.string())
    converting = pyarrow_csv.ConvertOptions(
        column_types=types, null_values=[""], strings_can_be_null=True
    )
    with path.open("rb") as file:
        yield from pyarrow_csv.open_csv(file, reading, parsing, converting)


# ---- rules: the Table Schema as SQL --------------------------------------------------------------


class _SqlRule(NamedTuple):
    """A rule of a table: field and message of its fault, and the SQL condition of faulty rows."""

    field: str | None
    sentence: str
    broken: str


def _literal(value: object, kind: str = "VARCHAR") -> str:
    quoted = str(value).replace("'", "''")
    return f"'{quoted}'" if kind == "VARCHAR" else f"'{quoted}'::{kind}"


def _row_rules(table: _LoadedTable) -> Iterator[_SqlRule]:
    """Yield the rules that concern one row at a time: the types and constraints of its cells."""
    for j, field in enumerate(table.fields):
        if j in table.typed:
            broken = f"v{j} IS NULL AND t{j} IS NOT NULL"
            yield _SqlRule(field.name, f"expected type {field.type}", broken)
        for sentence, valid in _limits(field, table.value(j)):
            yield _SqlRule(field.name, sentence, f"NOT ({valid})")
        if field.constraints.required or field.name in table.schema.primaryKey:
            yield _SqlRule(field.name, "value is required", f"t{j} IS NULL")


def _limits(field: _TableField, value: str) -> Iterator[tuple[str, str]]:
    """Yield a message for each constraint of a field, and the SQL condition of valid values."""
    limits = field.constraints
    low, high = limits.minimum, limits.maximum
    if limits.enum:
        allowed = ", ".join(_literal(one, _TYPES[field.type].sql) for one in limits.enum)
        yield "expected one of the values in the schema", f"{value} IN ({allowed})"
    if limits.pattern:
        valid = f"regexp_full_match({value}, {_literal(limits.pattern)})"
        yield f"expected a match of {limits.pattern!r}", valid
    if low is not None and high is not None:
        yield f"expected {low} <= value <= {high}", f"{value} BETWEEN {low} AND {high}"
    elif low is not None:
        yield f"expected value >= {low}", f"{value} >= {low}"
    elif high is not None:
        yield f"expected value <= {high}", f"{value} <= {high}"


def _offset_rules(table: _LoadedTable) -> Iterator[_SqlRule]:
    """Yield the rules on offsets; none if `start_offset` and `end_offset` do not count code points."""
    units = {field.name: field.unit for field in table.fields if field.type == "integer"}
    if not units.get("start_offset") == units.get("end_offset") == "code points":
        return
    start, end = table.values("start_offset", "end_offset")
    yield _SqlRule(
        None, "expected 0 <= start_offset < end_offset", f"NOT (0 <= {start} AND {start} < {end})"
    )
    yield _SqlRule(None, "expected end_offset <= chars of its source", f"{end} > chars")
    if not units.keys() >= {"start_utf16", "end_utf16", "start_byte", "end_byte"}:
        return
    start_utf16, end_utf16 = table.values("start_utf16", "end_utf16")
    start_byte, end_byte = table.values("start_byte", "end_byte")
    yield _possible("start_offset", start, start_utf16, start_byte)
    yield _possible("end_offset", end, end_utf16, end_byte)
    length_utf16, length_bytes = f"({end_utf16} - {start_utf16})", f"({end_byte} - {start_byte})"
    yield _possible("the length", f"({end} - {start})", length_utf16, length_bytes)
    if "exact" in table.names:
        [exact] = table.values("exact")
        fits = f"length({exact}) = {end} - {start} AND strlen({exact}) = {end_byte} - {start_byte}"
        yield _SqlRule(None, "length of exact differs from its offsets", f"NOT ({fits})")


def _possible(name: str, points: str, utf16: str, octets: str) -> _SqlRule:
    """Return the rule that a number of code points, UTF-16 units and bytes must be possible."""
    # A code point has one or two UTF-16 units, and each unit has one to three bytes in UTF-8.
    few_units = f"{utf16} BETWEEN {points} AND 2 * {points}"
    few_bytes = f"{octets} BETWEEN {utf16} AND 3 * {utf16}"
    sentence = f"{name} in UTF-16 units or bytes is impossible for its value in code points"
    return _SqlRule(None, sentence, f"NOT ({few_units} AND {few_bytes})")


# ---- the database --------------------------------------------------------------------------------


class _Validator:
    """A package that is being validated: its tables in a database, and the faults found so far."""

    def __init__(self, folder: Path, resources: list[_Resource], db: Any) -> None:
        self.folder, self.resources, self.db = folder, resources, db
        self.tables: dict[str, _LoadedTable] = {}
        """The tables whose rows could all be read, by name."""
        self.rows: dict[str, int] = {}
        self.faults: list[Fault] = []

    def report(self) -> ValidationReport:
        """Run all checks, and return the faults in the order of the descriptor and of the rows."""
        for number, resource in enumerate(self.resources):
            path, schema = resource.path, resource.table_schema
            with self._reporting(path):
                self.faults += _file_faults(self.folder, resource)
                if schema:
                    rows = f"table{number}"
                    self._load(_LoadedTable(rows, resource.name, path, schema, resource.orderedBy))
        checks = (self._check_rows, self._check_offsets, self._check_keys, self._check_order)
        for table in self.tables.values():
            for check in checks:
                with self._reporting(table.path):
                    check(table)
        for resource in self.resources:
            csv_table = self.tables.get(resource.alternateOf or "")
            if csv_table and resource.format == "apache-parquet":
                with self._reporting(resource.path):
                    self._compare(csv_table, resource.path)
        places = [resource.path for resource in self.resources]
        self.faults.sort(key=lambda fault: (places.index(fault.path), fault.row or 0))
        return ValidationReport(self.faults, self.rows)

    @contextmanager
    def _reporting(self, path: str) -> Iterator[None]:
        """Report a read error by its class only, because a library's message may repeat cells."""
        import duckdb  # noqa: PLC0415  # slow to import, and part of the extra `build`

        try:
            yield
        except duckdb.OutOfMemoryException:
            raise
        except Exception as error:  # a damaged file may cause any error
            # DuckDB and pyarrow replace the exception of a signal handler with their own.
            signals.stop_if_one_came()
            if "nterrupted" in str(error):  # with or without a capital
                raise KeyboardInterrupt from error
            self._add(path, f"cannot be read ({type(error).__name__})")

    def _add(self, path: str, sentence: str, row: int | None = None) -> None:
        self.faults.append(Fault(path, row, None, sentence))

    def _add_rows(self, path: str, rule: _SqlRule, first: Sequence[int], count: int) -> None:
        self.faults += [Fault(path, row, rule.field, rule.sentence) for row in first]
        if more := count - len(first):
            sentence = f"{rule.sentence} (further rows: {more:,})"
            self.faults.append(Fault(path, first[-1], rule.field, sentence))

    def _apply(self, path: str, source: str, rules: Sequence[_SqlRule]) -> None:
        """Apply rules to an SQL source with a column `row`, in one scan for all rules."""
        counts = ", ".join(f"count_if({rule.broken})" for rule in rules)
        for rule, count in zip(rules, self._row(f"SELECT {counts} FROM {source}"), strict=True):
            if count:
                sql = f"SELECT row FROM {source} WHERE {rule.broken}"
                found = self.db.execute(f"{sql} ORDER BY row LIMIT {MAX_ROWS_SHOWN}").fetchall()
                self._add_rows(path, rule, [row for (row,) in found], count)

    def _row(self, sql: str) -> tuple[Any, ...]:
        return tuple(self.db.execute(sql).fetchone())

    def _load(self, table: _LoadedTable) -> None:
        """Load a CSV file; report a wrong header, and rows with too few or too many cells."""
        import pyarrow as pa  # noqa: PLC0415  # slow

        path = self.folder / table.path
        if _header(path) != table.names:
            self._add(table.path, "columns differ from the schema", 1)
            return
        texts = [f"t{j}" for j in range(len(table.fields))]
        values = ["*"]
        for j in table.typed:
            kind = _TYPES[table.fields[j].type]
            # A cell has a value only if its text is written as this project writes the type.
            as_written = f"regexp_full_match(t{j}, {_literal(kind.form)})"
            values.append(f"CASE WHEN {as_written} THEN TRY_CAST(t{j} AS {kind.sql}) END AS v{j}")
        ragged = list[int]()
        # One statement for the whole file: a statement for each batch takes three times as long.
        schema = pa.schema([(text, pa.string()) for text in texts])
        batches = pa.RecordBatchReader.from_batches(schema, _batches(path, len(texts), ragged))
        self.db.register("batches", batches)
        select = f"SELECT {', '.join(values)} FROM batches"
        [self.rows[table.name]] = self._row(f"CREATE TABLE {table.rows} AS {select}")
        self.db.unregister("batches")
        if ragged:  # these rows were not loaded, so the row numbers of later faults would be wrong
            rule = _SqlRule(None, "number of cells differs from the number of columns", "")
            self._add_rows(table.path, rule, ragged[:MAX_ROWS_SHOWN], len(ragged))
            return
        self.tables[table.name] = table

    def _check_rows(self, table: _LoadedTable) -> None:
        self._apply(table.path, table.select("*"), list(_row_rules(table)))

    def _check_offsets(self, table: _LoadedTable) -> None:
        """Check offsets against each other and, if `sources` could be read, against the lengths."""
        rules = list(_offset_rules(table))
        sources, source = self.tables.get("sources"), table.select("*")
        if sources and "source_id" in table.names and {"source_id", "chars"} <= {*sources.names}:
            # In a faulty package, several rows may have the same source_id, so they are grouped.
            [own] = table.values("source_id")
            theirs, chars = sources.values("source_id", "chars")
            longest = f"SELECT {theirs} AS id, max({chars}) AS chars"
            lengths = f"{longest} FROM {sources.rows} GROUP BY id"
            source = f"({source} LEFT JOIN ({lengths}) ON {own} = id)"
        else:
            rules = [rule for rule in rules if not rule.broken.endswith(" chars")]
        if rules:
            self._apply(table.path, source, rules)

    def _check_keys(self, table: _LoadedTable) -> None:
        """Check that the primary key is unique, and that foreign keys are found."""
        [primary] = table.schema.primaryKey
        [value] = table.values(primary)
        filled = f"{value} IS NOT NULL"
        repeated = f"SELECT 1 FROM {table.rows} WHERE {filled} GROUP BY {value} HAVING count(*) > 1"
        [duplicates] = self._row(f"SELECT count(*) FROM ({repeated})")
        if duplicates:  # the next query takes much more memory
            again = f"row_number() OVER (PARTITION BY {value} ORDER BY rowid) > 1 AS again"
            rule = _SqlRule(primary, "duplicate value", f"again AND {filled}")
            self._apply(table.path, table.select(value, again), [rule])
        for key in table.schema.foreignKeys:
            target = self.tables.get(key.reference.resource)
            if target:  # otherwise, it has been reported already
                self._check_foreign_key(table, key, target)

    def _check_foreign_key(
        self, table: _LoadedTable, key: _ForeignKey, target: _LoadedTable
    ) -> None:
        [own], [theirs] = key.fields, key.reference.fields
        [value], [other] = table.values(own), target.values(theirs)
        matches, place = f"own.{value} = target.{other}", f"{target.name}: {theirs}"
        if key.termKind is not None:
            [kind] = target.values("kind")
            matches += f" AND target.{kind} = {_literal(key.termKind)}"
            place += f" of kind {key.termKind}"
        source = f"({table.select(value)} AS own ANTI JOIN {target.rows} AS target ON {matches})"
        rule = _SqlRule(own, f"not found in {place}", f"{value} IS NOT NULL")
        self._apply(table.path, source, [rule])

    def _check_order(self, table: _LoadedTable) -> None:
        """Check that rows are in strictly ascending order: null first, texts by code point."""
        # `IS NOT NULL` puts null first; a comparison with null would result in null.
        key = ", ".join(f"{value} IS NOT NULL, {value}" for value in table.values(*table.order))
        keys = table.select(f"row({key}) AS key")
        source = f"(SELECT row, key <= lag(key) OVER () AS early FROM {keys})"
        sentence = f"expected ascending order of {', '.join(table.order)}"
        self._apply(table.path, source, [_SqlRule(None, sentence, "early")])

    def _compare(self, table: _LoadedTable, path: str) -> None:
        """Compare the columns, types and values of a Parquet file with its CSV."""
        # With Hive partitioning, a folder with a name like `a=b` would become a column.
        read = f"read_parquet([{_literal(self.folder / path)}], hive_partitioning = false)"
        described = self.db.execute(f"DESCRIBE SELECT * FROM {read}").fetchall()
        columns = [(name, kind) for name, kind, *_ in described]
        if columns != [(field.name, _TYPES[field.type].sql) for field in table.fields]:
            self._add(path, "columns or types differ from the CSV")
            return
        [number] = self._row(f"SELECT count(*) FROM {read}")
        if number != self.rows[table.name]:
            self._add(path, "number of rows differs from the CSV")
            return
        renamed, rules = [], []
        for j, name in enumerate(table.names):
            broken = f"{table.value(j)} IS DISTINCT FROM p{j}"
            rules.append(_SqlRule(name, "value differs from the CSV", broken))
            renamed.append(f"p{j}")
        # The rows are paired by position, because their order must be the same, too.
        parquet = f"(SELECT * FROM {read}) AS parquet({', '.join(renamed)})"
        self._apply(path, f"({table.select('*')} POSITIONAL JOIN {parquet})", rules)
