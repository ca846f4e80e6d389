"""Changes between two packages: the records that differ, their classes, and derived rows.

The tables are compared by key in Arrow; only rows that differ become Python objects. A row that
differs only because a record changed, such as a span or a comparison, is counted with that record.
"""

from __future__ import annotations

import re
import warnings
import zipfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from datetime import date
from functools import reduce
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, get_args

from defectors_data import given_files
from defectors_data.models.closed_vocabularies import RecordTable
from defectors_data.models.columns import columns
from defectors_data.models.diff import (
    CLASSES,
    CellChange,
    Change,
    ChangeClass,
    Changes,
    DerivedRows,
    Value,
)
from defectors_data.models.tables import ONLY_WITH_ROWS, OPTIONAL_COLUMNS, ROW_OF
from defectors_data.models.versions import raised
from defectors_data.package import published_folder
from defectors_data.package.published_folder import (
    DESCRIPTOR,
    SUMS,
    ChangedFileWarning,
    PackageNotFoundError,
)
from defectors_data.package.tables_reader import PackageTables, read_csv
from defectors_data.package.tables_writer import arrow_schema
from defectors_data.rows.cell_provenance import OF_COLUMN, rule_of

if TYPE_CHECKING:
    import pyarrow as pa

Tables: TypeAlias = "Mapping[str, pa.Table]"
Key: TypeAlias = tuple[str, str]
"""A table and the key of a record."""

_OF_A_RECORD = ("testimony_themes", "spans", "ledger", "provenance")
"""Tables whose rows belong to a record of another table."""
_OF_A_TESTIMONY = ("motives", "acts")
"""Tables whose records are removed with their testimony."""
_ACROSS = ("comparisons", "statement_relations", "persons")
"""Tables whose rows are derived from several records."""
_WORDS = {
    "sources": ("seed_file",),
    "speakers": ("name", "source_id"),
    **dict.fromkeys(_OF_A_TESTIMONY, ("text", "source_id", "testimony_id")),
}
"""The columns that identify a record; in tables not listed, these are the text and the source."""
_ABOUT_VERSIONS = ("tombstones", "history")
"""Tables whose rows record changes to other rows."""
_PLACE = {"start_offset", "end_offset"}
IDENTITY = {
    name: (
        ROW_OF[name].TABLE.key,
        "source_id",
        "text",
        *_PLACE,
        "sha256",
        "earlier_sha256",
        *_WORDS.get(name, ()),
    )
    for name in (*get_args(RecordTable), "tombstones")
    if name in ROW_OF
}
"""The columns that show whether an id still belongs to the same record."""
_WORDING = {"note", "label"}
"""Columns whose text may change without a change of meaning."""
_COUNTED = {"used", "chars_revealed", "withdrawn_entries", "prefix", "suffix"}
"""Columns that are never reported: counts of other rows, and words around evidence."""


class PublishedPackage(NamedTuple):
    """A published package."""

    version: str
    tables: Tables


@contextmanager
def opened(
    path: Path, wanted: Mapping[str, Sequence[str]] | None = None
) -> Iterator[PublishedPackage]:
    """Open a published folder, or a zip of one; `wanted`: tables and columns, by default all.

    Raises:
        PackageNotFoundError: the path is neither.
        published_folder.DamagedPackageError: a table is missing or damaged.
    """
    with ExitStack() as stack:
        folder = path
        if not path.is_dir():
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="defectors-data-")))
            try:
                file = stack.enter_context(given_files.opened(path))
                packed = stack.enter_context(zipfile.ZipFile(file))
                # Only names of this form are extracted, so that an archive cannot write outside the
                # folder.
                pattern = rf"data/\w+\.(csv|parquet)|{DESCRIPTOR}|{SUMS}"
                packed.extractall(
                    folder, [name for name in packed.namelist() if re.fullmatch(pattern, name)]
                )
            except given_files.ARCHIVE_ERRORS as error:
                raise PackageNotFoundError(
                    path, "is neither a published folder nor a zip of one"
                ) from error
        with _named(path, folder):
            descriptor = published_folder.package_descriptor(folder)
            names = published_folder.table_names(descriptor)
            tables = tables_in(folder, wanted, required=names)
            if wanted is None:
                # A package is what all its files say, so a cell that was changed in one of two
                # files is a change.
                listed = {name: _as_in_csv(folder, name, tables[name]) for name in names}
                tables = {**tables, **listed}
        yield PublishedPackage(str(descriptor["version"]), tables)


@contextmanager
def _named(path: Path, folder: Path) -> Iterator[None]:
    """Name files below `path` in errors and warnings, not below the extracted `folder`."""
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield
    except PackageNotFoundError as error:
        raise type(error)(path / error.path.relative_to(folder), error.problem) from error
    for one in caught:
        found = one.message
        if isinstance(found, ChangedFileWarning):
            found = ChangedFileWarning(path / found.path.relative_to(folder), found.problem)
        warnings.warn(found, stacklevel=1)


def _as_in_csv(folder: Path, name: str, table: pa.Table) -> pa.Table:
    """Return a table of a package as its CSV file has it.

    Both files have the same rows when they are published, so the CSV file is read only if it was
    changed.
    """
    with published_folder.opened(folder, f"data/{name}.csv") as file:
        if not published_folder.is_changed(folder, f"data/{name}.csv"):
            return table
        return read_csv(file, table.schema)


def of_record(changes: Changes, record_id: str) -> Changes:
    """Return the changes of a single record."""
    found = tuple(change for change in changes.changes if change.id == record_id)
    return changes.model_copy(update={"changes": found})


def tables_in(
    folder: Path,
    wanted: Mapping[str, Sequence[str]] | None = None,
    *,
    required: Collection[str] = (),
    with_rows: bool = True,
) -> Tables:
    """Return the tables below a folder, by name.

    Args:
        folder: the folder of a package, or of the tables of a build.
        wanted: the tables to read, each with its columns; by default all tables with all columns.
        required: tables that must exist.
        with_rows: whether to read the rows, not only the columns.

    Raises:
        published_folder.DamagedPackageError: a `required` table is missing, or one is damaged.
    """
    found = {}
    names = ROW_OF if wanted is None else wanted
    for name in names:
        tables = PackageTables(folder, [name])
        has_file = name in required or (folder / f"data/{name}.parquet").is_file()
        if not has_file and name not in ONLY_WITH_ROWS:
            continue
        schema = tables.schema(name) if has_file else arrow_schema(ROW_OF[name])
        columns = [each for each in schema.names if not wanted or each in wanted[name]]
        if has_file and with_rows:
            found[name] = tables.table(name, columns)
        else:
            found[name] = schema.empty_table().select(columns)
    return found


class _RowDifference(NamedTuple):
    """A row that differs between two packages; `before` or `after` is None if there is none."""

    table: str
    id: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    columns: frozenset[str]
    """The columns that differ; all columns of an added or removed row."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        return [row for row in (self.after, self.before) if row]


def compare(old: PublishedPackage, new: PublishedPackage) -> Changes:
    """Return the changes from one package to another, ordered by class, table and key."""
    differing = [row for name in ROW_OF for row in _differing(name, old.tables, new.tables)]
    schema = list(schema_changes(old.tables, new.tables))
    if schema or _filled(old.tables) != _filled(new.tables):
        # What the provenance says of columns changes with the tables and columns that there are.
        differing = [row for row in differing if not _describes_column(row)]
    comparing = _PackageComparison(
        differing,
        _ids(old.tables, "tombstones"),
        _ids(new.tables, "tombstones"),
        _protected(old.tables) | _protected(new.tables),
    )
    found = [*schema, *comparing.changes()]
    order, names = list(CLASSES), list(ROW_OF)
    found.sort(key=lambda each: (order.index(each.kind), names.index(each.table), each.id or ""))
    return Changes(old=old.version, new=new.version, changes=tuple(found))


def _filled(tables: Tables) -> set[str]:
    """Return the tables that a package has because they have rows."""
    return {name for name in ONLY_WITH_ROWS if name in tables and tables[name].num_rows}


def least_version(changes: Changes) -> str:
    """Return the lowest version number that semantic versioning permits for the new package."""
    kinds = {change.kind for change in changes.changes}
    if "schema-break" in kinds:
        return raised(changes.old, 0)
    if kinds & {"addition", "withdrawn", "id-removed-without-tombstone"}:
        return raised(changes.old, 1)
    return raised(changes.old, 2) if kinds else changes.old


def _ids(tables: Tables, name: str) -> set[str]:
    if name not in tables:
        return set()
    column = tables[name][ROW_OF[name].TABLE.key]
    return {str(record_id) for record_id in column.to_pylist()}


def _protected(tables: Tables) -> set[str]:
    """Return the ids of the protected speakers of a package."""
    if not {"speaker_id", "protected"} <= {*_types(tables, "speakers")}:
        return set()
    rows = tables["speakers"].select(["speaker_id", "protected"]).to_pylist()
    return {row["speaker_id"] for row in rows if row["protected"]}


def schema_changes(old: Tables, new: Tables) -> Iterator[Change]:
    """Yield the tables and columns that were removed or added, or whose type differs.

    An optional column that is gone has lost its last value; it does not break the schema.
    """
    for name in ROW_OF:
        before, after = _types(old, name), _types(new, name)
        broken, added, emptied = list[CellChange](), list[CellChange](), list[CellChange]()
        for column in {**before, **after}:
            cell = CellChange(column=column, before=before.get(column), after=after.get(column))
            if cell.before is None:
                added.append(cell)
            elif cell.after is None and after and f"{name}.{column}" in OPTIONAL_COLUMNS:
                emptied.append(cell)
            elif cell.before != cell.after:
                broken.append(cell)
        kinds: dict[ChangeClass, list[CellChange]]
        kinds = {"schema-break": broken, "addition": added, "meaning": emptied}
        for kind, cells in kinds.items():
            if cells:
                yield Change(kind=kind, table=name, id=None, cells=tuple(cells), derived=())


def _types(tables: Tables, name: str) -> dict[str, str]:
    """Return the types of the columns of a table, or no types if there is no such table."""
    if name not in tables:
        return {}
    return {field.name: str(field.type) for field in tables[name].schema}


def _differing(name: str, old: Tables, new: Tables) -> Iterator[_RowDifference]:
    """Yield the rows of a table that differ in the columns that both packages have.

    An optional column that only one of them has is empty in the other.
    """
    import pyarrow.compute as pc  # noqa: PLC0415  # slow to import

    if name not in old or name not in new:
        return
    old_table = _with_optional(name, old[name], new[name])
    new_table = _with_optional(name, new[name], old[name])
    key, types = ROW_OF[name].TABLE.key, {field.name: field.type for field in new_table.schema}
    # A column whose type differs is a change of the schema, and is reported as such.
    shared = [field.name for field in old_table.schema if types.get(field.name) == field.type]
    if key not in shared:
        return
    renamed = new_table.select(shared).rename_columns([f"new {column}" for column in shared])
    # The keys of both sides are kept, because a null in a key shows that the row is missing on that
    # side.
    both = old_table.select(shared).join(
        renamed, key, f"new {key}", join_type="full outer", coalesce_keys=False, use_threads=False
    )  # fmt: skip
    masks = {}
    for column in shared:
        a, b = both[column], both[f"new {column}"]
        # A comparison with null is null; such cells differ if only one of them is null.
        masks[column] = pc.coalesce(pc.not_equal(a, b), pc.xor(pc.is_null(a), pc.is_null(b)))
    for row in both.filter(reduce(pc.or_, masks.values())).to_pylist():
        before = after = None
        if row[key] is not None:
            before = {column: row[column] for column in shared}
        if row[f"new {key}"] is not None:
            after = {column: row[f"new {column}"] for column in shared}
        differing = frozenset(shared)
        if before and after:
            differing = frozenset(c for c in shared if before[c] != after[c])
        yield _RowDifference(name, str((after or before or {})[key]), before, after, differing)


def _describes_column(row: _RowDifference) -> bool:
    return row.table == "provenance" and row.rows[0]["record_id"] == OF_COLUMN


def _with_optional(name: str, table: pa.Table, other: pa.Table) -> pa.Table:
    """Return a table with the optional columns that only the other one has, without values."""
    import pyarrow as pa  # noqa: PLC0415  # slow to import

    for field in other.schema:
        if field.name not in table.column_names and f"{name}.{field.name}" in OPTIONAL_COLUMNS:
            table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return table


class _PackageComparison:
    """The rows that differ, classified as causes or consequences."""

    def __init__(
        self, differing: list[_RowDifference], old: set[str], new: set[str], protected: set[str]
    ) -> None:
        """Store the rows that differ, and the tombstones and protected speakers."""
        self.differing, self.protected = list[_RowDifference](), protected
        self.tombstones, self.tombstones_before = new - old, old
        self.moved = set[str]()
        """Sources whose text differs, so that places in it differ too."""
        self.reseeded = set[Key]()
        """Sources whose text differs and that do not list the old text as an earlier one."""
        for row in differing:
            if row.table not in _ABOUT_VERSIONS and row.columns - _COUNTED:
                self.differing.append(row)
            if row.table == "sources" and "sha256" in row.columns:
                self.moved.add(row.id)
                if row.before and row.after and not _is_earlier(row.before, row.after):
                    self.reseeded.add(("sources", row.id))
        self.removed_with = self._removed_with()
        self.own = {(row.table, row.id): row for row in self.differing if self._is_cause(row)}
        self.withdrawn = self._withdrawn()
        self.tolerances = [key for key in self.own if key[1].startswith("hedge.")]
        self.referring: dict[Key, Key] = {}
        """For each record, the first changed record that refers to it."""
        for key, row in self.own.items():
            for other in _references_of(row):
                self.referring.setdefault(other, key)

    def _removed_with(self) -> dict[Key, Key]:
        """Return the removed testimony of each motive and act that was removed with it."""
        gone = {row.id for row in self.differing if row.table == "testimonies" and not row.after}
        found = dict[Key, Key]()
        for row in self.differing:
            if row.table in _OF_A_TESTIMONY and row.before and not row.after:
                testimony = row.before["testimony_id"]
                if testimony in gone:
                    found[row.table, row.id] = "testimonies", testimony
        return found

    def _is_cause(self, row: _RowDifference) -> bool:
        if row.table in (*_OF_A_RECORD, *_ACROSS) or (row.table, row.id) in self.removed_with:
            return False
        return not (row.before and row.after) or bool(_given(row) - self._following(row))

    def _following(self, row: _RowDifference) -> set[str]:
        """Return the columns that are expected to differ because the text of the source differs."""
        if any(cells.get("source_id") in self.moved for cells in row.rows):
            return _PLACE
        return set()

    def _withdrawn(self) -> dict[Key, str | None]:
        """Return the id of the tombstone of each removed record that has one.

        The tombstone of a named speaker has a different id, which does not identify the speaker.
        Removed speakers whose id has no tombstone are therefore matched with such tombstones in
        arbitrary order.
        """
        removed = [key for key, row in self.own.items() if not row.after]
        found: dict[Key, str | None] = {key: key[1] for key in removed if key[1] in self.tombstones}
        others = [key for key in removed if key not in found and key[0] == "speakers"]
        nameless = sorted(stone for stone in self.tombstones if stone.startswith("withdrawn-"))
        return found | dict(zip(others, nameless, strict=False))

    def changes(self) -> Iterator[Change]:
        """Yield a change for each cause, with the number of derived rows by table."""
        derived: dict[Key, Counter[str]] = {key: Counter() for key in self.own}
        rows, reassigned = dict(self.own), set[Key]()
        for row in self.differing:
            if (row.table, row.id) in self.own:
                continue
            key = self._cause(row)
            derived.setdefault(key, Counter())
            if key == (row.table, row.id):
                rows[key] = row
            else:
                derived[key][row.table] += 1
            of_evidence = row.table == "spans" and row.rows[0]["field"] == "evidence"
            is_evidence = of_evidence and row.rows[0]["record_table"] != "waivers"
            if is_evidence and row.columns & _PLACE - self._following(row):
                reassigned.add(key)
        for key, counts in derived.items():
            kind = self._kind(key, rows.get(key))
            if kind in ("meaning", "wording") and key in reassigned:
                kind = "id-reassigned"
            cells = tuple(self._cells(rows[key])) if key in rows else ()
            shown = self._shown(key, rows.get(key))
            by_table = [DerivedRows(table=each, rows=counts[each]) for each in sorted(counts)]
            yield Change(
                kind=kind,
                table=key[0],
                id=shown,
                cells=cells,
                derived=tuple(by_table),
                protected=self._is_protected(key, rows.get(key)),
            )

    def _is_protected(self, key: Key, row: _RowDifference | None) -> bool:
        """Return whether a record is, or refers to, a protected speaker."""
        named = {key, *_references_of(row)} if row else {key}
        return any(table == "speakers" and name in self.protected for table, name in named)

    def _cause(self, row: _RowDifference) -> Key:
        """Return the changed record that explains a difference, or else the row's record."""
        owners = [_owner(row.table, row.id, cells) for cells in row.rows]
        owners = [self.removed_with.get(owner, owner) for owner in owners]
        candidates = list(owners)
        if self._following(row):
            candidates += [("sources", cells["source_id"]) for cells in row.rows]
        if row.table not in ("spans", "provenance", "testimony_themes"):
            candidates += _references_of(row)
        if row.table in (*_ACROSS, "figures", "relations"):
            candidates += self.tolerances
        if row.table in _ACROSS or owners[0][0] == "speakers":
            candidates += [self.referring[key] for key in candidates if key in self.referring]
        return next((key for key in candidates if key in self.own), owners[0])

    def _kind(self, key: Key, row: _RowDifference | None) -> ChangeClass:
        if row is None:
            return "meaning"  # only the evidence of a value differs
        if not row.after:
            if key in self.withdrawn:
                return "withdrawn"
            is_record = row.table in get_args(RecordTable)
            if is_record:
                return "id-removed-without-tombstone"
            return "meaning"
        if not row.before:
            return "addition"
        if key in self.reseeded:
            return "id-reassigned"
        # A name or text that was added or removed does not make this another record.
        identifying = _PLACE - self._following(row)
        for column in _WORDS.get(row.table, ("text", "source_id")):
            if row.before.get(column) and row.after.get(column):
                identifying.add(column)
        is_same_text = row.table == "sources" and row.id not in self.moved
        if row.columns & identifying and not is_same_text:
            return "id-reassigned"
        if row.columns - _COUNTED <= _WORDING:
            return "wording"
        return "meaning"

    def _shown(self, key: Key, row: _RowDifference | None) -> str | None:
        """Return the id to show; None if it may contain the name of a withdrawn person."""
        if key in self.withdrawn:
            return self.withdrawn[key]
        if self.tombstones and row and not row.after:
            return None
        return key[1]

    def _cells(self, row: _RowDifference) -> Iterator[CellChange]:
        """Yield the cells that differ, but computed cells only if no others differ.

        A removed value is withheld. If records were withdrawn, every old value that is text is
        withheld, because it may be about them.
        """
        if not row.after or row.id in self.tombstones_before:
            return
        shown = _given(row) or row.columns
        for column in columns(ROW_OF[row.table]):
            before, after = (row.before or {}).get(column.name), row.after.get(column.name)
            if column.name in shown and before != after:
                is_text = column.type is str and not column.choices
                may_tell = after is None or (bool(self.tombstones) and is_text)
                withheld = before is not None and may_tell
                shown_before = None if withheld else _value(before)
                yield CellChange(
                    column=column.name, before=shown_before, after=_value(after), withheld=withheld
                )


def _is_earlier(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether a source lists its previous text as earlier, if there is such a list."""
    return "earlier_sha256" not in after or before["sha256"] in (after["earlier_sha256"] or "")


def _given(row: _RowDifference) -> frozenset[str]:
    """Return the columns that differ and are not computed from other columns."""
    stated = {"sha256", "low", "high", "percent", *_PLACE}
    given = set()
    for column in row.columns:
        if column in stated or rule_of(row.table, column).basis != "computed":
            given.add(column)
    return frozenset(given)


def _references_of(row: _RowDifference) -> list[Key]:
    """Return the records that the old and the new row refer to."""
    found = list[Key]()
    for cells in row.rows:
        found += _references(row.table, cells)
    return found


def _references(table: str, row: Mapping[str, Any]) -> Iterator[Key]:
    """Yield the records that a row refers to; sources come last."""
    of = ROW_OF[table].TABLE
    found = [(to, row[column]) for column, (to, _) in of.refers.items() if row.get(column)]
    for column, kind in of.terms.items():
        if row.get(column):
            found.append(("terms", f"{kind}.{row[column]}"))
    found += [("figures", name) for name in (row.get("operands") or "").split(";") if name]
    found += [("terms", f"theme.{term}") for term in (row.get("themes") or "").split(";") if term]
    yield from sorted(found, key=lambda key: key[0] == "sources")


def _owner(table: str, name: str, row: Mapping[str, Any]) -> Key:
    """Return the record that a row belongs to, or the row itself if there is none."""
    if table not in _OF_A_RECORD:
        return table, name
    of, record = row.get("record_table") or row.get("table_name"), row.get("record_id")
    if row.get("testimony_id") or (record and of == "testimony_themes"):
        of, record = "testimonies", row.get("testimony_id") or str(record).partition(".")[0]
    if table == "provenance" and record in (None, OF_COLUMN):
        return table, row["table_name"]  # the provenance of a column, which the program determines
    if row.get("waiver_id") or of == "waivers":  # a waiver is in no table of its own
        return "sources", row["source_id"]
    if record:
        return str(of), record
    if table == "ledger":
        return ("sources", row["source_id"])
    return (table, name)


def _value(value: Any) -> Value:
    """Return the JSON value of a cell: a date in ISO 8601, a whole number without a fraction."""
    if isinstance(value, date):
        return value.isoformat()
    return int(value) if isinstance(value, float) and value.is_integer() else value
