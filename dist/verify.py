"""Check a published data package with Python alone, without code of the program that made it.

    python verify.py [--seeds FOLDER] [FOLDER]

FOLDER is the folder with `datapackage.json`; by default, that of this file. `--seeds` names the
folder of the articles: with it, quotations are compared with the articles; without it, only with
each other. The exit code is 1 if there are faults. Each is printed as `file:row: sentence`; row 1
is the header. The contents of cells are never printed.

To audit this file, read it from top to bottom. "Files and tables" checks a package with any tables
against its `datapackage.json`. "Rows" has a function for each table with row checks, which yields
the conditions on a row as sentences. "Articles" checks quotations, and "Numbers" reads numbers in
English words. At the end, `examine` runs all checks in their order.

Each table is read twice: first for its cells and keys, then for its rows together with those of
other tables. `Package` contains only the rows of one source at a time and what others need.
Offsets count code points from 0, and ends are exclusive. `p` is the package, `r` the checked row.
"""

import sys

# First, so that no file next to this one is imported in place of a standard module.
if __name__ == "__main__" and not sys.flags.isolated:
    del sys.path[0]

import argparse
import csv
import heapq
import json
import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import lru_cache, partial
from hashlib import sha256
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple
from unicodedata import normalize

DESCRIPTOR, SUMS = "datapackage.json", "SHA256SUMS"
MOST_FAULTS = 20  # maximum number of faults printed
LARGEST = 1 << 24  # maximum number of characters of a cell or an article
OLDEST = 120  # maximum number of years of an age or of service
CONTEXT = 32  # maximum number of characters of a prefix or suffix
KEPT = 1 << 13  # maximum number of cells of a column whose values are kept
PARQUET = "cells of Parquet files, beyond their checksums"
NOT_CHECKED = f"""\
{PARQUET}
files outside data/, such as pages, charts, agreement.json and CHANGELOG.md, beyond their checksums
datapackage.json, beyond its list of files, tables and columns
who made the package: this file and the checksums come with it
who said each quotation, in which role and how that is shown; gender; who is protected
codes such as modes and themes, dates, places, and notes, beyond their form and keys
what a figure counts, its measure and polarity; which hedge and which of several numbers it states
numbers in words that are not simple, with an override, or of sources with completeness none
numbers up to 120 that the ledger lacks, if there are not more than protected_numbers states
whether waivers are justified; whether records without numbers and quotation marks were left out
terms and measures as defined; of sources, all but text, title, and authors and outlets it states
relations between figures and between statements; dependence, explanation, independent_sources
the range of a measure with hedged figures; region; how much context spans show
whether tables and columns that are optional, and not in this package, were taken out
provenance, readings, errata, history, tombstones, beyond their form, sources, columns and spans
"""
WITHOUT_SEEDS = "without --seeds: whether quotations are in articles, and the ledger is complete"
WITH_SEEDS = "in the ledger: numbers in words or next to a mark, and quotations in single marks"
# Conditions on a row, as a sentence and whether it is met; and on files and rows, after their place.
Promises = Iterator[tuple[str, Any]]
Conditions = Iterator[tuple[str, str, Any]]
Lines = Iterator[tuple[str, list[str]]]  # lines of a CSV file, after their place


class Row(dict[str, Any]):
    """The cells of a row by column, also available as attributes; a null cell is None."""

    at = ""  # file and number
    id: Any = None  # the value of the primary key

    def __getattr__(self, column: str) -> Any:
        """Return a cell; that of a column which a package lacks is null, too."""
        return self.get(column)


class File(NamedTuple):
    """A file of a package; `has_lines` says whether each line ends in a line feed only."""

    size: int = 0
    digest: str = ""
    has_lines: bool = False


class Rows:
    """Rows by table; they are found by primary key, or by the cells of some columns."""

    def __init__(self) -> None:
        """Begin without rows."""
        self.tables = defaultdict[str, list[Row]](list)
        self.keyed: dict[tuple[str | None, Any], Row] = {}
        # Used by `where`: rows by table, columns and cells.
        self.indexes: dict[tuple[str, ...], dict[Any, list[Row]]] = {}

    def add(self, table: str, row: Row) -> None:
        """Add a row; `where` must not have been called before."""
        self.tables[table].append(row)
        self.keyed[table, row.id] = row

    def where(self, table: str, cells: dict[str, Any]) -> list[Row]:
        """Return the rows of a table in which these columns have these values."""
        index = self.indexes.get((table, *cells))
        if index is None:
            index = self.indexes[(table, *cells)] = defaultdict(list)
            for row in self.tables.get(table, []):
                index[tuple(row[column] for column in cells)].append(row)
        return index.get(tuple(cells.values()), [])


class Package:
    """The files of a package, and the rows that are needed at the time."""

    def __init__(self, folder: Path, seeds: Path | None) -> None:
        """Set the folder of the package and, if given, the folder of the articles."""
        self.folder, self.seeds = folder, seeds
        self.files: dict[str, File] = {}  # by path
        self.csv: list[dict[str, Any]] = []  # the resources that are tables in CSV
        self.counts: dict[str, int] = {}  # numbers of rows by table
        self.columns: dict[str, list[str]] = {}  # by table
        self.description = ""  # of the package, which names tables that were left out
        self.absent: list[str] = []  # tables of TABLES that the package does not have
        self.fewer = 0  # columns of TABLES that its tables do not have
        self.unknown: list[str] = []  # columns that TABLES does not have
        self.terms: dict[str, dict[str, str]] = {}  # kinds of terms by table and column
        self.used = Counter[tuple[str, Any]]()  # numbers of rows by kind of term, and term
        self.protected: dict[Any, Row] = {}  # speakers by key, with their source only
        self.stated = defaultdict[tuple[str, str], dict[str, None]](dict)  # by speaker and column
        self.attested = set[tuple[str, str]]()  # speakers, and columns for which there are words
        self.shared = Rows()  # rows of no source, and tables that are not sorted by one
        self.kept = Rows()  # figures, measures and testimonies of all sources, some of them `BRIEF`
        self.group = self.shared  # the rows that are checked

    def find(self, table: str | None, key: Any) -> Row:
        """Return the row of a table that has this primary key, or an empty row if there is none."""
        for rows in (self.group, self.shared, self.kept):
            if (table, key) in rows.keyed:
                return rows.keyed[table, key]
        return Row()

    def term(self, kind: str, term: Any) -> Row:
        """Return the row of a term in the table `terms`, or an empty row if there is none."""
        return self.find("terms", f"{kind}.{term}")

    def where(self, table: str, **cells: Any) -> list[Row]:
        """Return the rows of a table in which these columns have these values."""
        return self.group.where(table, cells) or self.shared.where(table, cells)

    def lines(self, path: str) -> Lines:
        """Yield the lines of a CSV file, each with its place."""
        # In binary, because only a line feed ends a line; other characters are parts of cells.
        with (self.folder / path).open("rb") as file:
            for number, line in enumerate(csv.reader(map(bytes.decode, file), strict=True), 1):
                yield f"{path}:{number}", line

    def read(self, table: dict[str, Any]) -> Iterator[tuple[Any, str, Row]]:
        """Yield the rows of a checked table that are not in `shared`, with their group and table."""
        (key,), fields = table["schema"]["primaryKey"], table["schema"]["fields"]
        readers = [(field["name"], TYPES[field["type"]][1]) for field in fields]
        group = str(group_of(table))
        for at, line in islice(self.lines(table["path"]), 1, None):
            row = Row()
            for (column, read), cell in zip(readers, line):
                row[column] = read(cell) if cell else None
            row.at, row.id = at, row[key]
            if row[group] is not None:
                yield row[group], table["name"], row

    def groups(self) -> Iterator[None]:
        """Set `group` to the rows of each source, of each measure, and at last to `shared`."""
        for column in GROUPS:
            tables = [self.read(table) for table in self.csv if group_of(table) == column]
            merged = heapq.merge(*tables, key=itemgetter(0))
            for _, rows in groupby(merged, itemgetter(0)):
                self.group = Rows()
                for _, table, row in rows:
                    self.group.add(table, row)
                yield
        self.group = self.shared
        yield

    def note(self, name: str, group: str | None, row: Row) -> None:
        """Keep what checks of other rows need from a row of a table with this group."""
        self.counts[name] += 1
        for column, kind in self.terms[name].items():
            self.used[kind, row[column]] += 1
        if name == "speakers" and row.protected:
            self.protected[row.id] = Row(source_id=row.source_id)
        kept = row
        if name == "testimonies" or (name == "figures" and "comparisons" not in self.counts):
            kept = Row((column, row.get(column)) for column in BRIEF)
            kept.id = row.id
        if name in {"figures", "measures", "testimonies"}:
            self.kept.add(name, kept)
        if group is None or row[group] is None:
            self.shared.add(name, row)

    def numbers(self, r: Row, field: str) -> set[float] | None:
        """Return the numbers in a field's words, or else in all words of a row; None if not read."""
        is_read = self.find("sources", r.source_id).completeness == "full"
        if not is_read or numbers_in(r.text) is None:  # as a whole, because of "minus"
            return None
        return numbers_in(self.words(r.id, field) or r.text, r.text)

    def spans(self, record: str, field: str = "evidence") -> list[Row]:
        """Return the spans of a field of a record, ordered by part."""
        spans = self.where("spans", record_id=record, field=field)
        return sorted(spans, key=itemgetter("part"))

    def words(self, record: str, field: str = "evidence") -> str | None:
        """Return the words of a record's field as one text, or None if it has no spans."""
        return " […] ".join(span["exact"] for span in self.spans(record, field)) or None

    def seed(self, source: Row) -> bytes | None:
        """Return the bytes of a source's article, or None if there is no copy of it."""
        path = self.seeds / Path(source["seed_file"]).name if self.seeds else None
        return path.read_bytes() if path and path.is_file() else None


GROUPS = ("source_id", "measure")  # columns by which rows are read together
# The columns of testimonies, and of figures that are not compared, which other sources may need.
BRIEF = ("source_id", "speaker_id", "measure", "polarity")


def group_of(table: dict[str, Any]) -> str | None:
    """Return the column by which the rows of a table are grouped; None if it is kept as a whole."""
    columns = [field["name"] for field in table["schema"]["fields"]]
    return next((column for column in GROUPS if column in columns), None)


def one_source(row: Row, other: Row) -> bool:
    """Return whether two rows can be of the same source; one without source_id is of every one."""
    return row.source_id is None or other.source_id in (None, row.source_id)


# ---- Files and tables ----------------------------------------------------------------------------


def check_files(p: Package) -> Conditions:
    """Every file must be regular, with its checksum in SHA256SUMS; none may be missing or added."""
    is_package = (p.folder / SUMS).is_file()
    yield SUMS, "is missing, so this folder is not a published package", is_package
    if is_package:  # any other folder may be huge
        yield from read_files(p)
    listing = (p.folder / SUMS).read_bytes().decode() if SUMS in p.files else ""
    # Each line has 64 digits, two spaces and the path.
    stated = {line[66:]: line[:64] for line in listing.splitlines()}
    sums = {name: file.digest for name, file in sorted(p.files.items()) if name != SUMS}
    for name in sorted({*stated, *sums}):
        only = "not" if name in sums else "missing, but"
        yield name, f"is {only} listed in {SUMS}", name in stated and name in sums
        same = name not in sums or stated.get(name) in (None, sums[name])
        yield name, f"checksum differs from {SUMS}", same
    expected = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    in_order = listing == expected or stated != sums
    yield SUMS, "must list each other file once, ordered by path", in_order


def read_files(p: Package) -> Conditions:
    """Read all files of the folder; none may be a link or hidden, and no folder empty."""
    for path in sorted(p.folder.rglob("*")):
        name = path.relative_to(p.folder).as_posix()
        plain = not path.is_symlink() and not path.name.startswith(".")
        filled = plain and (path.is_file() or any(path.iterdir()))
        yield name, "must not be a link, hidden, or an empty folder", filled
        if plain and path.is_file():
            p.files[name] = read_file(path)


def read_file(path: Path) -> File:
    """Return what is known of a file after it has been read once."""
    found, size, has_lines, end = sha256(), 0, True, b""
    with path.open("rb") as opened:
        while block := opened.read(1 << 20):
            found.update(block)
            size += len(block)
            has_lines = has_lines and b"\r" not in block
            end = block[-1:]
    return File(size, found.hexdigest(), has_lines and end == b"\n")


def check_resources(p: Package) -> Conditions:
    """The descriptor must describe every file once, and each table as CSV and as Parquet."""
    # `int` is slow for a million digits.
    descriptor = json.loads((p.folder / DESCRIPTOR).read_bytes(), parse_int=float)
    resources = descriptor["resources"]
    p.description = str(descriptor.get("description"))
    p.csv = [resource for resource in resources if resource.get("type") == "table"]
    for table in p.csv:
        p.columns[table["name"]] = [field["name"] for field in table["schema"]["fields"]]
    paths = Counter(resource["path"] for resource in resources)
    for path in sorted({*paths, *p.files} - {DESCRIPTOR, SUMS}):
        yield path, f"must be described exactly once in {DESCRIPTOR}", paths[path] == 1
        yield path, f"is described in {DESCRIPTOR}, but is missing", path in p.files
    for file in resources:
        found = p.files.get(file["path"], File())
        same = (file["bytes"], file["hash"]) == (found.size, f"sha256:{found.digest}")
        yield file["path"], f"size or checksum differs from {DESCRIPTOR}", same
    parquet = sorted(resource["alternateOf"] for resource in resources if "alternateOf" in resource)
    once = parquet == sorted({table["name"] for table in p.csv}) and len(parquet) == len(p.csv)
    yield DESCRIPTOR, "must describe each table once as CSV and once as Parquet", once


# The columns of each table, which tools/docs/generate.py writes. A package need not have what ends in
# `?`, nor a table that ends in `*` if the description of the package names it.
TABLES = """
testimonies testimony_id source_id speaker_id speaker_role attribution attribution_text
attribution_id mode access? stance? outlet_kind? outlet? text parts start_offset end_offset themes
happened? happened_from? happened_to? happened_basis? happened_how? happened_of? place_id?
departure? departure_means? relatives? note / figures figure_id source_id testimony_id attributed_to
measure population? counted text value low high hedge polarity unit interval_low interval_high
low_open high_open rounded_low rounded_high as_of? as_of_from? as_of_to? place_id? start_offset
end_offset note / speakers speaker_id source_id kind role anonymity protected pseudonym_possible
name rank_class? branch? gender? request role_inferred rank_class_inferred? branch_inferred?
part_of? note / sources source_id seed_file sha256 earlier_sha256 chars words chars_revealed
protected_numbers withdrawn_entries? label title subtitle? authors outlet? published published_from
published_to genre? language completeness dateline? url? obtained_date? obtained_address?
obtained_by? obtained_sha256? cited_outlets? rights outlet_basis? authors_basis published_basis
url_basis? note / persons person_id source_id sources role rank_class? branch? protected name ages
years_of_service? push? pull? barrier? departed? testimonies / mentions mention_id speaker_id
source_id rank? age years_of_service? affiliation text start_offset end_offset / motives? motive_id
source_id testimony_id speaker_id direction factor decision reason_of link text / acts? act_id
source_id testimony_id speaker_id act status against done_by text / testimony_themes
testimony_theme_id source_id testimony_id theme / spans span_id record_table record_id field part
source_id start_offset end_offset start_utf16 end_utf16 start_byte end_byte line column_number
region exact prefix suffix / terms term_id kind term label definition used words? close_match?
pseudonym_possible body? whole place_kind? country? percent least / measures measure label
definition close_match? units comparable constant figures sources compared_figures
independent_sources lowest highest earliest latest verdicts / ledger* ledger_id source_id
start_offset end_offset text kind status record_table record_id waiver_id reason note / relations?
relation_id source_id kind result operands outcome computation note / comparisons* comparison_id
measure figure_a figure_b same_source dependence interval_a interval_b times verdict explanation
note / statement_relations? statement_relation_id first second kind reason / provenance*
provenance_id source_id table_name column_name record_id basis spans function inputs joined_on note
/ readings reading_id source_id number reader kind date purpose version / history? record_id
record_table source_id first_version last_changed_version change corrected_version corrected_reason
withdrawn_version / errata? erratum_id source_id text start_offset end_offset wrong known reported
status / tombstones? record_table record_id date reason_class
"""


def check_tables(p: Package) -> Conditions:
    """No table and no column may be missing, except those that a package need not have."""
    others = {f"{table}.{column}" for table, columns in p.columns.items() for column in columns}
    for listed in TABLES.split("/"):
        marked, *columns = listed.split()
        table = marked.rstrip("?*")
        left_out = marked.endswith("*") and f"`{table}`" in p.description
        may_lack = left_out or marked.endswith("?")
        yield DESCRIPTOR, f"must have the table {table}", table in p.columns or may_lack
        if table not in p.columns:
            p.absent.append(table)
            continue
        for each in columns:
            name = f"{table}.{each.rstrip('?')}"
            has_column = name in others
            yield DESCRIPTOR, f"must have the column {name}", has_column or each.endswith("?")
            p.fewer += not has_column
            others.discard(name)
    p.unknown = sorted(others)


# The form of the cells of each type as a regular expression, and how a cell is read.
TYPES: dict[str, tuple[str, Callable[[str], Any]]] = {
    "string": ("[^\x00-\x08\x0b-\x1f\x7f-\x9f]*", str),
    "integer": ("0|-?[1-9][0-9]{0,14}", int),
    "number": (r"(?!-0$)-?(0|[1-9][0-9]{0,14})(\.[0-9]{0,14}[1-9])?", float),
    "boolean": ("true|false", "true".__eq__),
    "date": ("[0-9]{4}-[0-9]{2}-[0-9]{2}", date.fromisoformat),
}
# Properties of a table, its schema and columns. Others may change what a cell means: they must have
# the values below.
PROPERTIES = """
name path title description type mediatype bytes hash dialect schema orderedBy $schema fields
primaryKey foreignKeys termKind example unit categories constraints required unique enum pattern minimum
maximum""".split()
SETTINGS: dict[str, Any] = {"format": "csv", "encoding": "utf-8", "header": True, "delimiter": ","}
SETTINGS.update(doubleQuote=True, quoteChar='"', lineTerminator="\n", missingValues=[""])
# The patterns of columns. Others are rejected, because matching some of them could take forever.
PATTERNS = {"^[0-9a-f]{64}$", "^[A-Za-z0-9][A-Za-z0-9._-]*$", "^[a-z]{2,3}(-[A-Z]{2,2})*$"}
PATTERNS |= {"^[a-z0-9]+(-[a-z0-9]+)*$", "^[a-z][a-z0-9]*(_[a-z0-9]+)*$", ".*"}


def check_description(p: Package) -> Conditions:
    """The descriptor must describe tables only with properties that this verifier supports."""
    for table in p.csv:
        fields, place = table["schema"]["fields"], f"{DESCRIPTOR}: {table['name']}"
        limits = [field.setdefault("constraints", {}) for field in fields]
        for properties in (table, table.get("dialect", {}), table["schema"], *fields, *limits):
            for name, value in properties.items():
                labelled = name == "missingValues" and isinstance(value[0], dict)
                found = [each["value"] for each in value] if labelled else value
                supported = name in PROPERTIES or SETTINGS.get(name) == found
                yield place, f"{name}, or its value, is not supported", supported
        in_groups = group_of(table) in (None, *table.get("orderedBy", [])[:1])
        yield place, "orderedBy must begin with source_id or measure, if it has them", in_groups
        for field in fields:
            pattern = field["constraints"].get("pattern", ".*")
            supported = field["type"] in TYPES and pattern in PATTERNS
            yield f"{place}.{field['name']}", "type or pattern is not supported", supported


def check_cells(p: Package) -> Conditions:
    """Every table must be CSV with the columns of its schema, valid cells, and unique keys."""
    csv.field_size_limit(LARGEST)
    p.counts = {table["name"]: 0 for table in p.csv}
    for table in p.csv:
        path = table["path"]
        keys = table["schema"].get("foreignKeys", [])
        p.terms[table["name"]] = {k["fields"][0]: k["termKind"] for k in keys if "termKind" in k}
        yield path, "must end each line with a line feed only", p.files[path].has_lines
        lines = p.lines(path)
        same = [*islice(lines, 1)] == [(f"{path}:1", p.columns[table["name"]])]
        yield path, f"must have the columns that {DESCRIPTOR} lists, in that order", same
        if same:
            yield from check_lines(p, table, lines)


def check_lines(p: Package, table: dict[str, Any], lines: Lines) -> Conditions:
    """Every cell must fit its column; keys must differ, and rows must be sorted by orderedBy."""
    (key,), fields = table["schema"]["primaryKey"], table["schema"]["fields"]
    # Most cells are equal to an earlier cell of their column, and are read only once.
    readers = [lru_cache(KEPT)(partial(value_of, field=field)) for field in fields]
    unique = [field["name"] for field in fields if field["constraints"].get("unique")]
    # The hashes of the cells of each unique column, which need less memory than the cells.
    seen = {column: set[int]() for column in (key, *unique)}
    group, order, before = group_of(table), table.get("orderedBy", []), list[Any]()
    sentence = f"is out of order: rows must be sorted by {', '.join(order)}"
    for at, line in lines:
        row, faults = Row(), []
        for column, reader, cell in zip(p.columns[table["name"]], readers, line):
            row[column], wrong = reader(cell)
            if wrong:
                faults.append(f"{column} {wrong}")
        yield at, "must have a cell for each column", len(line) == len(fields)
        yield at, "; ".join(faults), not faults
        if faults or len(line) != len(fields):
            continue
        row.at, row.id = at, row[key]
        for column, cells in seen.items():
            cell = row[column]
            alone = hash(cell) not in cells if cell is not None else column != key
            yield at, f"{column} must be filled, and different in each row", alone
            cells.add(hash(cell))
        now = [(row[column] is not None, row[column]) for column in order]  # null comes first
        yield at, sentence, before <= now
        before = now
        p.note(table["name"], group, row)


def value_of(cell: str, field: dict[str, Any]) -> tuple[Any, str]:
    """Return the value of a cell, and the first requirement that it does not meet, or ""."""
    kind, limits = field["type"], field["constraints"]
    if not cell:
        return None, "is required" if limits.get("required") else ""
    form, read = TYPES[kind]
    if not re.fullmatch(form, cell):
        return None, f"must have the form of type {kind}"
    try:
        value = read(cell)
    except ValueError:
        return None, "must be a date that exists in the calendar"
    if "enum" in limits and value not in limits["enum"]:
        return value, "must be one of the values that its column lists"
    if "pattern" in limits and not re.fullmatch(limits["pattern"], cell):
        return value, "must match the pattern of its column"
    if not limits.get("minimum", value) <= value <= limits.get("maximum", value):
        return value, "must not be below the minimum or above the maximum of its column"
    return value, ""


# By table, pairs of columns: the first names a table, the second the key of a row of that table.
NAMED = {"spans": [("record_table", "record_id")], "ledger": [("record_table", "record_id")]}
# By table, columns that list the keys of rows, each with the table that has these rows.
LISTED = {
    "speakers": [("part_of", "speakers")],
    "relations": [("operands", "figures")],
    "provenance": [("source_id", "sources"), ("spans", "spans")],
}
# By table, the columns whose cells, joined by dots, make up the primary key.
MADE_OF = {"testimony_themes": ["testimony_id", "theme"], "spans": ["record_id", "field", "part"]}
MADE_OF.update(ledger=["source_id", "start_offset", "kind"], comparisons=["figure_a", "figure_b"])
MADE_OF.update(provenance=["table_name", "column_name", "record_id"], terms=["kind", "term"])


def check_references(p: Package) -> Conditions:
    """A row that a row refers to must exist and, except in relations, have the same source."""
    for table in p.csv:
        name, foreign = table["name"], table["schema"].get("foreignKeys", [])
        parts = MADE_OF.get(name, [])
        for row in p.group.tables.get(name, []):
            for column, other, key in referred(name, foreign, row):
                found = p.find(other, key)
                if other == "waivers":  # the ledger has the entries of each waiver
                    without = Row() if "ledger" in p.counts else row
                    found = next(iter(p.where("ledger", waiver_id=key)), without)
                # The cell may be empty, unless the row names a table.
                may_be_empty = other is None or column not in {"record_id", "repeats_id"}
                table_named = other if other in p.counts else "a table"
                exists = found or (key is None and may_be_empty)
                yield row.at, f"{column} must be the key of a row of {table_named}", exists
                same = name == "relations" or one_source(row, found)
                yield row.at, f"{column} must belong to the same source", same
            cells = [str(row[column]) for column in parts if row[column] not in (None, "*")]
            key = ".".join(cells)
            # For a shared speaker, provenance has a row for each source that mentions the speaker.
            made = not cells or row.id in {key, f"{key}.{row.get('source_id')}"}
            yield row.at, f"key must be composed of {', '.join(parts)}", made
            if name == "provenance":
                own = p.columns.get(row.table_name, [row.column_name])
                yield row.at, "column_name must be a column of table_name", row.column_name in own
            gone = p.find("tombstones", row.id).record_table == name
            yield row.at, "the record was taken down and must not exist", not gone


def referred(name: str, foreign: list[Any], row: Row) -> Iterator[tuple[str, Any, Any]]:
    """Yield each column of a row that refers to another row, with the table and key of that row."""
    for key in foreign:
        column = key["fields"][0]
        cell = row[column]
        if "termKind" in key and cell:  # the key of a term begins with its kind
            cell = f"{key['termKind']}.{cell}"
        yield column, key["reference"]["resource"], cell
    for table_column, column in NAMED.get(name, []):
        yield column, row[table_column], row[column]
    if row.record_id == "*":  # in provenance, this describes a column and names no records
        return
    for column, other in LISTED.get(name, []):
        for listed in (row.get(column) or "").split(";"):
            if listed:
                yield column, other, listed


# ---- Rows ----------------------------------------------------------------------------------------

# The columns whose cells are printed words, each with the field of their spans.
PRINTED = {column: column for column in "title subtitle dateline against done_by".split()}
PRINTED.update(attribution_text="attribution", text="evidence")


def check_printed(p: Package, r: Row) -> Promises:
    """Cells of printed words must be those of their spans; acts and motives, of their speaker."""
    for column, field in PRINTED.items():
        same = column not in r or r[column] == p.words(r.id, field)
        yield f"{column} must be the words of its spans", same
    if "speaker_id" in r and "testimony_id" in r:
        same = r.speaker_id == p.find("testimonies", r.testimony_id).speaker_id
        yield "speaker_id must be the speaker of its testimony", same


def check_source(p: Package, r: Row) -> Promises:
    """Headings must be the words of their spans; checksum and counts must match a given seed."""
    yield from check_printed(p, r)
    yield from check_days(r, "published")
    for column in ("outlet", "authors", "cited_outlets"):
        texts = (p.words(r.id, column), r.get(column))
        words, names = [normalize("NFC", text or "") for text in texts]
        printed = all(name in words for name in names.split("; "))
        may_lack = r.get(f"{column}_basis", "stated") != "stated" or p.where("tombstones")
        yield f"{column} must be in its words if it is stated", printed or may_lack
    withdrawn = r.withdrawn_entries or 0
    taken = any(stone.id.startswith(f"{r.id}-") for stone in p.where("tombstones"))
    yield "withdrawn_entries must be empty unless a record was taken down", taken or not withdrawn
    if p.seeds:
        data = p.seed(r)
        yield f"{r.seed_file} must be in the folder given with --seeds", data is not None
        text = (data or b"").decode()
        counted = [sha256(data or b"").hexdigest(), len(text), len(text.split())]
        same = [r.sha256, r.chars, r.words] == counted
        yield "sha256, chars and words must match its seed", same or data is None
        ages = others = 0
        if "ledger" in p.counts and r.completeness == "full":
            ages, others = missing_in_ledger(p, r, text)
        # Ages and years of service of protected persons are counted in `protected_numbers` instead.
        missing = max(max(ages - r.protected_numbers, 0) + others - withdrawn, 0)
        sentence = "the ledger must have its quotations, and its numbers between spaces"
        yield f"{sentence}: {missing} missing", not missing


def missing_in_ledger(p: Package, source: Row, text: str) -> tuple[int, int]:
    """Return how many numbers of ages, and other numbers between spaces and quotations, it lacks."""
    entries = p.where("ledger", source_id=source.id)
    quotations = {entry.start_offset for entry in entries if entry.kind == "quotation"}
    listed = [range(e.start_offset, e.end_offset) for e in entries if e.kind != "quotation"]
    alone = re.finditer(r"[1-9](?<![^ \t\n].)[0-9]*(?:,[0-9]{3})*(?![^ \t\n])", text)
    opened = re.finditer(r"[\"“](?<!\S.)(?=[^\W_])", text)
    lost: Counter[bool] = Counter()  # by whether they can be ages
    for found in alone:
        is_listed = any(found.start() in number for number in listed)
        lost[float(found[0].replace(",", "")) <= OLDEST] += not is_listed
    for found in opened:
        lost[False] += found.end() not in quotations
    return lost[True], lost[False]


def check_speaker(p: Package, r: Row) -> Promises:
    """Flags, name and id must fit `anonymity`; mentions must attest the gender and the request."""
    partial, pseudonym = r.anonymity == "partial", r.pseudonym_possible
    fits = partial if pseudonym else not partial or not p.term("role", r.role).pseudonym_possible
    sentence = "pseudonym_possible must be true for partial names only"
    yield f"{sentence}, and for all of them if its role says so", fits
    protected = r.anonymity in {"withheld", "unnamed"} or pseudonym
    yield "protected must follow from anonymity and pseudonym_possible", r.protected == protected
    bare = not r.protected or (r.gender is r.note is None and (pseudonym or r.name is None))
    sentence = "gender, note and, unless pseudonym_possible, name must be empty if it is protected"
    yield sentence, bare
    source, _, number = r.id.rpartition("-speaker-")
    plain = source == r.source_id and re.fullmatch("[1-9][0-9]*", number)
    neutral = plain or not r.protected
    yield "speaker_id of a protected person must be source_id, `-speaker-` and a number", neutral
    yield "a person must have a row in persons", r.kind != "person" or p.find("persons", r.id)
    fits = (r.anonymity != "not_applicable") == (r.kind == "person")
    yield "anonymity must be not_applicable unless the speaker is a person", fits
    for field in ("gender", "request"):
        filled = ((r.id, field) in p.attested) == (r.get(field) is not None)
        yield f"{field} must be filled if and only if a mention has words for it", filled
    for field in ("rank_class", "branch"):
        lost = (r.id, field) in p.attested and r.get(field) is None
        yield f"{field} must be filled, because a mention has words for it", not lost


def check_evidence(p: Package, r: Row) -> Promises:
    """The text, start and end of a mention, testimony or figure must match its spans."""
    yield from check_printed(p, r)
    spans = p.spans(r.id)
    yield "parts must count its spans", r.get("parts", len(spans)) == len(spans)
    placed = spans and (spans[0].source_id, spans[0].start_offset) == (r.source_id, r.start_offset)
    placed = placed and spans[-1].end_offset == r.end_offset
    yield "start_offset and end_offset must be those of its spans", placed


def within(r: Row, rows: list[Row]) -> bool:
    """Return whether a row is within the start and end of one of the rows, in the same source."""
    for row in rows:
        inside = row.start_offset <= r.start_offset and r.end_offset <= row.end_offset
        if inside and row.source_id == r.source_id:
            return True
    return False


# The columns of a person that are empty if the person is protected.
WITHHELD = "rank_class branch name ages years_of_service push pull barrier departed".split()


def check_person(p: Package, r: Row) -> Promises:
    """A person must be as in the rows of other tables; a protected one has only a role."""
    speaker = p.find("speakers", r.id)
    yield "must be a speaker who is a person", speaker.kind == "person"
    cells: dict[str, Any] = {column: speaker.get(column) for column in WITHHELD[:3]}
    for column in WITHHELD[3:]:
        cells[column] = sorted(p.stated[r.id, column])
    if r.protected:
        cells = dict.fromkeys(WITHHELD)
    cells.update(role=speaker.role, protected=speaker.protected)
    cells["sources"] = sorted({*p.stated[r.id, "sources"], r.source_id} - {None})
    cells["testimonies"] = len(p.stated[r.id, "testimonies"])
    own = dict(r)
    for column in ("sources", *WITHHELD[3:]):
        own[column] = sorted(filter(None, (r.get(column) or "").split(";")))
    wrong = [name for name, cell in cells.items() if (own.get(name) or None) != (cell or None)]
    yield f"{', '.join(wrong)} must follow from the rows of other tables", not wrong


def note_speaker(p: Package, name: str, r: Row) -> None:
    """Note what a row states of its speaker, for the table persons."""
    stated = {"sources": r.source_id}
    if name == "mentions":
        stated.update(ages=r.age, years_of_service=r.years_of_service)
    if name == "testimonies":
        stated["testimonies"] = r.id
        if r.happened_of == "departure":
            stated["departed"] = r.happened
    if name == "motives" and (r.reason_of, r.decision) == ("speaker", "leave"):
        stated[r.direction] = r.factor
    for column, cell in stated.items():
        if cell is not None:
            p.stated[r.speaker_id, column][str(cell)] = None


def check_mention(p: Package, r: Row) -> Promises:
    """Facts about a person must be in the words or, for a protected person, empty."""
    yield from check_evidence(p, r)
    speaker = p.find("speakers", r.speaker_id)
    for span in p.where("spans", record_id=r.id):
        p.attested.add((r.speaker_id, span.field))
    for column in ("rank", "affiliation", "age", "years_of_service"):
        cell, words = r.get(column), p.words(r.id, column)
        filled = cell is not None or words is None
        yield f"{column} must be filled, because there are words for it", filled
        empty = cell is None or not speaker.protected
        yield f"{column} must be empty for a protected person", empty
        stated: Any = words or r.text
        if cell is not None and not isinstance(cell, str):
            stated = p.numbers(r, column)
        yield f"{column} must be in its words", cell is None or stated is None or cell in stated
    own = p.where("mentions", source_id=r.source_id, speaker_id=r.speaker_id)
    named = not speaker.name or any(speaker.name in mention.text for mention in own)
    may_lack = speaker.kind == "writer" or p.where("tombstones")
    yield "a mention in its source must have the name of its speaker", named or may_lack


def check_testimony(p: Package, r: Row) -> Promises:
    """A testimony must have the role of its speaker, and the themes in testimony_themes."""
    yield from check_evidence(p, r)
    same = r.speaker_role == p.find("speakers", r.speaker_id).role
    yield "speaker_role must be the role of its speaker", same
    named = p.words(r.id, "outlet") == r.outlet or p.where("tombstones")
    yield "outlet must be the words of its spans", named
    yield from check_days(r, "happened")
    for column, field in (("happened", "happened"), ("place_id", "where")):
        fits = (p.words(r.id, field) is None) == (r.get(column) is None) or p.where("tombstones")
        yield f"{column} must be filled if and only if there are words for it", fits
    silent = r.attribution in {None, "none", "continues"}
    words_fit = silent == (r.attribution_text is None) or p.where("tombstones")
    yield "attribution must be none or continues if and only if it has no words", words_fit
    led = p.find("mentions", r.attribution_id) or p.find("testimonies", r.attribution_id)
    leads = not r.attribution_id or led.speaker_id == r.speaker_id
    yield "attribution_id must be a mention or a testimony of the same speaker", leads
    themes = sorted(row.theme for row in p.where("testimony_themes", testimony_id=r.id))
    yield "themes must match testimony_themes", sorted(r.themes.split(";")) == themes


# The columns among low, value and high that must be filled, by hedge.
GIVEN = {"exact": "value", "about": "value", "range": "low high", "vague": "low"}
GIVEN |= dict.fromkeys(("nearly", "less_than", "up_to"), "value high")
GIVEN |= dict.fromkeys(("more_than", "at_least"), "low value")


def check_figure(p: Package, r: Row) -> Promises:
    """A figure must have the numbers that its hedge requires, and its words must state them."""
    yield from check_evidence(p, r)
    given = {column: r[column] for column in ("low", "value", "high") if r[column] is not None}
    filled = [*given] == GIVEN[r.hedge].split()
    yield "low, value and high must be filled as its hedge requires", filled
    equal = r.low <= r.high if r.hedge == "range" else len({*given.values()}) == 1
    yield "low, value and high must be the same number, or an ascending range", equal
    right = [r[column] for column in INTERVAL] == allowed(p, r)
    follows = "must follow from the numbers, the hedge, the unit and the tolerances"
    yield f"{', '.join(INTERVAL)} {follows}", right
    yield from check_days(r, "as_of")
    overridden = "The program reads the words otherwise: " in (r.note or "")
    numbers = None if overridden or r.hedge == "vague" else p.numbers(r, "quantity")
    states = numbers is None or numbers.issuperset(given.values())
    yield "text must state its numbers unless overridden", states
    inside = not r.testimony_id or within(r, p.spans(r.testimony_id))
    yield "its words must be part of its testimony", inside
    units = p.find("measures", r.measure).units
    yield "unit must be one of the units of its measure", not units or r.unit in units.split(";")


def check_days(r: Row, column: str) -> Promises:
    """The first and the last day of a date must be in order, and fit the date if it is plain."""
    stated, first, last = r.get(column), r.get(f"{column}_from"), r.get(f"{column}_to")
    fits = not first or not last or first <= last
    if stated is None:
        fits = first is last is None
    day = "((?!0000|9999)[0-9]{4}(?:-[01][0-9](?:-[0-9]{2})?)?)[~?]?"
    plain = re.fullmatch(f"{day}(?:/{day})?", stated or "")
    if plain and first and last:
        begins, ends, after = plain[1], plain[2] or plain[1], str(last + timedelta(1))
        fits = fits and str(first) == f"{begins}-01-01"[:10]
        fits = fits and str(last).startswith(ends) and not after.startswith(ends)
    yield f"{column}_from and {column}_to must be the first and the last day of {column}", fits


INTERVAL = ("interval_low", "interval_high", "low_open", "high_open", "rounded_low", "rounded_high")


def allowed(p: Package, r: Row) -> list[Any]:
    """Return the expected cells of INTERVAL: what a figure allows, as stated and rounded."""
    if r.polarity != "affirmed":
        return [None, None, True, True, None, None]  # it sets no bound
    number, tolerance = r.value or r.low or 0, p.term("hedge", r.hedge)
    counted, least = p.term("unit", r.unit).whole, 0.0 if number >= 0 else -math.inf
    reach = round(abs(number) * tolerance.get("percent", 0) / 100, 6)
    near = max(math.floor(reach), tolerance.least) if counted and reach else reach
    low, high = {
        "exact": (number, number),
        "about": (max(round(number - near, 6), least), round(number + near, 6)),
        "nearly": (max(round(number - near, 6), least), number),
        "less_than": (least, number),
        "up_to": (least, number),
        "range": (r.low, r.high),
    }.get(r.hedge, (number, math.inf))
    low_open = r.hedge == "more_than" or low == -math.inf
    high_open = r.hedge in {"nearly", "less_than"} or high == math.inf
    if counted:
        low, high, low_open, high_open = whole(low, high, low_open=low_open, high_open=high_open)
    rounded: tuple[Any, ...] = (low, number) if r.hedge == "nearly" and number else (None, None)
    if r.hedge == "exact" and number and number % 100 == 0:
        digits = f"{abs(number):.0f}"
        zeros = len(digits) - len(digits.rstrip("0"))
        reach = min(10**zeros / 2, reach)  # half a unit of the last nonzero digit
        rounded = (round(number - reach, 6), round(number + reach, 6))
        if counted:
            rounded = whole(*rounded, low_open=False, high_open=False)[:2]
    unbounded = {math.inf: None, -math.inf: None}
    bounds = [unbounded.get(bound, bound) for bound in (low, high)]
    return [*bounds, low_open, high_open, *rounded]


def whole(low: float, high: float, *, low_open: bool, high_open: bool) -> tuple[Any, ...]:
    """Return an interval from its first to its last whole number, and whether each end is open."""
    if low == -math.inf:
        return low, high, low_open, high_open
    first = math.floor(low) + 1 if low_open else math.ceil(low)
    if high == math.inf:
        return first, high, False, True
    last = math.ceil(high) - 1 if high_open else math.floor(high)
    return (first, last, False, False) if first <= last else (low, high, low_open, high_open)


def check_span(p: Package, r: Row) -> Promises:
    """A span must be as long as its words, follow the previous part, and have the right context."""
    stated = (r.end_offset - r.start_offset, r.end_utf16 - r.start_utf16, r.end_byte - r.start_byte)
    yield "end minus start must equal the length of exact in each unit", stated == sizes(r.exact)
    spans = p.spans(r.record_id, r.field)
    before = [span.end_offset for span in spans if span.part == r.part - 1]
    follows = r.part == 1 or (before and before[0] <= r.start_offset)
    yield "the previous part must exist, and end before this one starts", follows
    # Figures and mentions have up to 32 characters of context on each side, other spans up to 32
    # marks and spaces, and spans inside the evidence none.
    alone = r.field == "evidence" or not within(r, p.spans(r.record_id))
    context = (r.prefix or "", r.suffix or "")
    fits = max(map(len, context)) <= CONTEXT * alone
    if r.record_table not in {"figures", "mentions"}:
        fits = fits and not any(map(str.isalnum, "".join(context)))
    yield "prefix and suffix must be as their descriptions state", fits
    nearest = (r.prefix or "").rpartition("\n")[2] + (r.suffix or "").partition("\n")[0]
    record = p.find(r.record_table, r.record_id)
    said = p.find("testimonies", record.testimony_id)
    speakers = {record.speaker_id, record.attributed_to, said.speaker_id}
    met = not any(map(str.isalnum, nearest)) or p.protected.keys().isdisjoint(speakers)
    yield "context must show no words of the paragraph of a protected person", met


def sizes(words: str) -> tuple[int, int, int]:
    """Return the length of words in code points, in units of UTF-16 and in bytes of UTF-8."""
    return len(words), len(words.encode("utf-16-le")) // 2, len(words.encode())


def check_entry(p: Package, r: Row) -> Promises:
    """A ledger entry must be in the words of its record or waiver, and have the status of either."""
    status = "boilerplate" if r.record_table == "sources" else "covered"
    status = "waived" if r.waiver_id else status
    yield "status must follow from its waiver and its record_table", r.status == status
    first = p.where("ledger", waiver_id=r.waiver_id)[0]
    equal = (r.reason, r.note, r.record_id) == (first.reason, first.note, first.record_id)
    yield "entries of a waiver must have one reason, note and record", equal or not r.waiver_id
    filled = (r.reason is not None) == (status == "waived") and (r.reason or r.note is None)
    yield "reason must be filled for a waiver, and reason and note only then", filled
    repeats = status != "waived" or (r.record_id is not None) == (r.reason == "repeat")
    yield "record_id of a waiver must be filled for a repeat, and only then", repeats
    inside: Any = within(r, p.where("spans", record_id=r.waiver_id or r.record_id))
    # Boilerplate that contains an attribute of a protected person, or removed words, has no span.
    withheld = p.find("sources", r.source_id).protected_numbers or p.where("tombstones")
    withheld = withheld or p.where("speakers", source_id=r.source_id, protected=True)
    inside = inside or (status == "boilerplate" and withheld)
    yield "must be inside the words of its record or waiver", inside
    sized = len(r.text or "") == r.end_offset - r.start_offset
    yield "text must be as long as end minus start", sized


def times_of(a: Row, b: Row) -> str:
    """Return how the times of two figures relate."""
    if not a.as_of or not b.as_of:
        return ("a_" * bool(b.as_of) or "b_" * bool(a.as_of)) + "undated"
    if "XXXX" in a.as_of + b.as_of and a.as_of != b.as_of:
        return "apart"
    a1, a2 = a.as_of_from or date.min, a.as_of_to or date.max
    b1, b2 = b.as_of_from or date.min, b.as_of_to or date.max
    if a2 < b1 or b2 < a1:
        return "apart"
    if (a1, a2) == (b1, b2):
        return "equal"
    if b1 <= a1 and a2 <= b2:
        return "a_within_b"
    if a1 <= b1 and b2 <= a2:
        return "b_within_a"
    return "overlap"


def check_comparison(p: Package, r: Row) -> Promises:
    """A verdict must follow from the intervals and the times of two figures."""
    a, b = p.find("figures", r.figure_a), p.find("figures", r.figure_b)
    measure = p.find("measures", r.measure)
    fits = a.measure == b.measure == r.measure and a.polarity == b.polarity == "affirmed"
    sentence = "must compare two affirmed figures of its measure, in the order of their keys"
    yield sentence, fits and r.figure_a < r.figure_b
    yield "same_source must follow from the two figures", r.same_source == one_source(a, b)
    times = "constant"
    if not measure.constant:
        times = times_of(a, b)
    yield "times must follow from the two figures", r.times == times
    verdict = verdict_on(a, b, r.times) if measure.comparable else "not_comparable"
    yield "verdict must follow from the two figures", r.verdict == verdict
    shown = [interval(figure, rounded=verdict == "agrees_rounded") for figure in (a, b)]
    fits = shown == [r.interval_a, r.interval_b]
    yield "interval_a and interval_b must be those of the two figures", fits


def interval(figure: Row, *, rounded: bool) -> str:
    """Return the numbers that a figure allows, as `comparisons` writes them."""
    (low, is_open), (high, is_closed) = ends(figure, rounded=rounded)
    numbers = [f"{round(end, 6):,}".removesuffix(".0") for end in (low, high)]
    if low == high:
        return numbers[0]
    shown = "[("[is_open] + ", ".join(numbers) + ")]"[is_closed]
    return shown.replace("-inf", "no lower end").replace("inf", "no upper end")


def verdict_on(a: Row, b: Row, times: str) -> str:
    """Return the verdict on two figures of a measure."""
    (low_a, high_a), (low_b, high_b) = ends(a), ends(b)
    if (a.unit, a.population) != (b.unit, b.population) or times == "apart":
        return "not_comparable"
    if a.hedge == b.hedge == "vague":
        return "compatible"
    if ends(a) == ends(b):
        return "same"
    # The figure with the narrower interval entails the other one, if the times allow it.
    if low_a >= low_b and high_a <= high_b and times not in {"b_within_a", "overlap", "a_undated"}:
        return "entails"
    if low_b >= low_a and high_b <= high_a and times not in {"a_within_b", "overlap", "b_undated"}:
        return "entails"
    if max(low_a, low_b) < min(high_a, high_b):  # (3, False) < (3, True): both include 3
        return "compatible"
    (low_a, high_a), (low_b, high_b) = ends(a, rounded=True), ends(b, rounded=True)
    if max(low_a, low_b) < min(high_a, high_b):
        return "agrees_rounded"
    return "differs_undated" if times.endswith("undated") else "conflicts"


def ends(figure: Row, *, rounded: bool = False) -> Any:
    """Return the lower end and whether it is open, and the upper end and whether it is closed."""
    if rounded and figure.rounded_low is not None:
        return (figure.rounded_low, False), (figure.rounded_high, True)
    low = float("-inf") if figure.interval_low is None else figure.interval_low
    high = float("inf") if figure.interval_high is None else figure.interval_high
    return (low, figure.low_open), (high, not figure.high_open)


# The reasons that fit each kind of relation between statements.
REASONS = {"contradicts": {"opposite_claims"}, "same_event": {"same_occurrence"}}
REASONS["compatible"] = {"similar_case", "opposite_positions", "rule_and_practice"}
REASONS["confirms"] = {"same_claim", "same_authority"}


def check_pair(p: Package, r: Row) -> Promises:
    """Two statements must have a fitting reason, and different speakers unless of one event."""
    yield "reason must fit kind", r.reason in REASONS[r.kind]
    a, b = p.find("testimonies", r.first), p.find("testimonies", r.second)
    yield "first and second must be different testimonies", r.first != r.second
    speakers = {a.speaker_id, b.speaker_id}
    own = r.kind == "same_event" or len(speakers) > 1
    yield "first and second must have different speakers, or kind be same_event", own
    joined = a.source_id != b.source_id and p.protected.keys() & speakers
    yield "first and second must be of one source if a speaker is protected", not joined


# Verdicts on figures that agree, strongest first.
AGREEMENTS = ["same", "entails", "compatible", "agrees_rounded"]


def check_measure(p: Package, r: Row) -> Promises:
    """The summary of a measure must follow from its figures and from their comparisons."""
    figures = p.kept.where("figures", {"measure": r.id, "polarity": "affirmed"})
    yield "figures must count the figures of the measure", r.figures == len(figures)
    if "comparisons" not in p.counts:
        return
    listed = p.where("comparisons", measure=r.id)
    pairs = [pair for pair in listed if pair.verdict != "not_comparable"]
    across = [pair for pair in pairs if not pair.same_source]
    source = {figure.id: figure.source_id for figure in figures}
    ids, found = set(), defaultdict[Any, set[str]](set)
    for pair in across:
        ids |= {pair.figure_a, pair.figure_b}
        found[frozenset((source[pair.figure_a], source[pair.figure_b]))].add(pair.verdict)
    of = [figure for figure in figures if figure.id in ids]
    verdicts: Counter[str] = Counter()
    for each in found.values():  # a pair of sources counts once for each verdict
        agreements = [verdict for verdict in AGREEMENTS if verdict in each]
        verdicts.update(each.difference(agreements[1:]))  # only the strongest agreement
    cells: dict[str, Any] = {"compared_figures": len(of)}
    cells["sources"] = len({figure.source_id for figure in figures})
    cells["earliest"] = min((figure.as_of_from for figure in of if figure.as_of_from), default=None)
    cells["latest"] = max((figure.as_of_to for figure in of if figure.as_of_to), default=None)
    counts = [f"{verdict} {number}" for verdict, number in sorted(verdicts.items())]
    cells["verdicts"] = ";".join(counts) or None
    # The range is empty unless all figures can be compared with each other; for hedged ones, it is
    # not computed here.
    alike = len(of) == len(figures) and len(pairs) == len(of) * (len(of) - 1) // 2
    if not alike or {figure.hedge for figure in of} <= {"exact"}:
        values = [figure.value for figure in of if alike]
        cells.update(lowest=min(values, default=None), highest=max(values, default=None))
    wrong = [column for column, cell in cells.items() if r[column] != cell]
    yield f"{', '.join(wrong)} must follow from the figures of its measure", not wrong
    fewer = bool(of) <= (r.independent_sources or 0) <= len({figure.source_id for figure in of})
    yield "independent_sources must not exceed the number of compared sources", fewer


# Mentions come before the speakers, whose attributes they attest, and persons after all these.
ROW_CHECKS: dict[str, Callable[[Package, Row], Promises]] = {"sources": check_source}
ROW_CHECKS |= {"mentions": check_mention, "speakers": check_speaker, "figures": check_figure}
ROW_CHECKS |= {"testimonies": check_testimony, "acts": check_printed, "motives": check_printed}
ROW_CHECKS |= {"persons": check_person, "spans": check_span, "ledger": check_entry}
ROW_CHECKS |= {"comparisons": check_comparison, "measures": check_measure}
ROW_CHECKS["statement_relations"] = check_pair


def check_rows(p: Package) -> Conditions:
    """Every row must meet the conditions for its table."""
    for table, check in ROW_CHECKS.items():
        for row in p.group.tables.get(table, []):
            if "speaker_id" in row and table != "speakers":
                note_speaker(p, table, row)
            for sentence, is_met in check(p, row):
                yield row.at, sentence, is_met


def check_complete(p: Package) -> Conditions:
    """There must be a comparison of each pair of figures of a measure; `used` must count rows."""
    # Its rows differ, and each has its own pair, so they need only be counted.
    affirmed = p.kept.where("figures", {"polarity": "affirmed"})
    measures = Counter(figure.measure for figure in affirmed if figure.measure)
    pairs = sum(math.comb(number, 2) for number in measures.values())
    complete = p.counts.get("comparisons", pairs) == pairs
    yield DESCRIPTOR, "comparisons must have a row for each pair of figures of a measure", complete
    yield DESCRIPTOR, "must have sources if --seeds is given", not p.seeds or p.counts["sources"]
    for row in p.where("terms"):
        yield row.at, "used must count its records", row.used == p.used[row.kind, row.term]


# Columns with words of an article, which may look like ids.
QUOTED = {*"text exact prefix suffix title subtitle dateline source_title".split()}


def check_names(p: Package) -> Conditions:
    """No row may refer to a protected person from another source."""
    for row in [row for rows in p.group.tables.values() for row in rows]:
        own = True
        for column, words in row.items():
            if isinstance(words, str) and "-speaker-" in words and column not in QUOTED:
                for name in p.protected.keys() & set(re.findall("[a-z0-9-]+", words)):
                    own = own and one_source(row, p.protected[name])
        yield row.at, "must not refer to a protected person of another source", own


# ---- Articles ------------------------------------------------------------------------------------


def check_quotations(p: Package) -> Conditions:
    """All quotations must be parts of one text: the article or, without it, one assembled of them."""
    for source in p.group.tables.get("sources", []):
        spans = sorted(p.where("spans", source_id=source.id), key=lambda span: span.start_offset)
        entries, seed = p.where("ledger", source_id=source.id), p.seed(source)
        text = ["\0"] * min(source.chars, LARGEST)  # NUL: not known
        if seed is not None:
            text = list(seed.decode())
        yield from check_shown(source, spans, text)
        for row in entries:
            found = agrees(text, row.start_offset, row.text or "")
            yield row.at, "text must match its source at its offsets", found
        page = "\n" + "".join(text) + "\n"  # so that every character has a neighbour on each side
        for row in [*spans, *entries]:
            # Two characters on each side of an edge: this rejects "s t" in "is the".
            first = page[row.start_offset : row.start_offset + 2]
            last = page[row.end_offset : row.end_offset + 2]
            whole = not first.isalnum() and not last.isalnum()
            spaces = first[1:].isspace() or last[:1].isspace()
            within = row.start_offset < row.end_offset <= source.chars
            met = whole and not spaces and within
            yield row.at, "must start and end with a whole word of its source", met
        yield from check_positions(page, spans)


def check_shown(source: Row, spans: list[Row], text: list[str]) -> Conditions:
    """The words and the context of each span must match the text; what is not known is added."""
    shown = set[int]()
    for span in spans:
        words = (span.prefix or "") + span.exact + (span.suffix or "")
        start = span.start_offset - len(span.prefix or "")
        shown.update(range(start, start + len(words)))
        found = agrees(text, start, words)
        yield span.at, "prefix, exact and suffix must match its source at its offsets", found
        # The offset of the line break before it, which `check_positions` compares; -1 without one.
        line = span.start_offset - span.column_number
        if line >= 0:
            agrees(text, line, "\n")
    counted = len(shown) == source.chars_revealed
    yield source.at, "chars_revealed must count what the spans show", counted


def agrees(text: list[str], start: int, words: str) -> bool:
    """Return whether quoted words agree with the known part of the text; if so, add them to it."""
    known, end = text[start : start + len(words)], start + len(words)
    if start < 0 or end > len(text):
        return False
    if known != [*words] and any(a not in ("\0", b) for a, b in zip(known, words)):
        return False
    text[start:end] = words
    return True


# How many code points, UTF-16 units, bytes and line ends one character has, at least and at most.
UNITS = ((1, 1), (1, 2), (1, 4), (0, 1))


def check_positions(page: str, spans: list[Row]) -> Conditions:
    """The offsets, line and column of each span must follow from the characters before it."""
    then = (0, 0, 0, 0)
    for span in spans:
        now = (span.start_offset, span.start_utf16, span.start_byte, span.line - 1)
        # `page` has one more character at its beginning.
        known = page[then[0] + 1 : now[0] + 1].replace("\0", "")
        unknown, least = now[0] - then[0] - len(known), (*sizes(known), known.count("\n"))
        fits = True
        for before, after, size, (low, high) in zip(then, now, least, UNITS):
            fits = fits and low * unknown <= after - before - size <= high * unknown
        sentence = "start_utf16, start_byte and line must follow from the characters before it"
        yield span.at, sentence, fits
        column = span.start_offset + 1 - page.rfind("\n", 0, span.start_offset + 1)
        counts = span.column_number == column
        yield span.at, "column_number must count from the start of its line", counts
        then = now


# ---- Numbers -------------------------------------------------------------------------------------

# The verifier must not reject a number that the builder reads differently. So it reads only the
# forms of numbers listed here; any other form makes the whole text not simple.
SMALL = """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen""".split()
WORDS = {word: float(n) for n, word in enumerate(SMALL, 1)}
DECADES = "twenty thirty forty fifty sixty seventy eighty ninety".split()
TENS = {word: 10.0 * n for n, word in enumerate(DECADES, 2)}
SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
SCALES_OR = "|".join(SCALES)
SHORT = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9}
ONE = (  # 1,400  2.5  .5  13k  1.2 million
    r"(?!0[0-9])([0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{1,2})?|[0-9]*\.[0-9]{1,2}|[0-9]+)(?![0-9])"
    rf"(?:(k|m|mn|bn)\b|[\s-]({SCALES_OR})\b)?"
)
DIGITS = re.compile(  # $13 with a space or a mark before and after it; 90%; 5-7bn; 2-year-old
    rf"(?<!\S)[(“\"‘']*[$€£]?{ONE}(?:[-–]{ONE})?%?((?:-[a-z]+)*)-?[,.;:!?)”\"’'…]*(?!\S)"
)
NOT_SIMPLE = re.compile(  # words that combine numbers, or can be read in more than one way
    r"[！-～]|[0-9]\s+[0-9/]|\b(half|halves|quarters?|thirds?"  # 10 000
    r"|(four|fif|six|seven|eigh|nin|ten|eleven|twelf|[a-z]+teen|[a-z]+tie)ths?"
    r"|once|twice|thrice|minus|[a-z]*fold|(doubl|tripl|trebl|quadrupl|quintupl|halv)[a-z]+"
    r"|couple|out|every|point|decades?|century|centuries|tens|zero|freezing|dozens?|scores?"
    rf"|grand|lakhs?|crores?|b|k|m|mil|mn|mln|bn|bln|tn|trn|({SCALES_OR})(s|ths?)"
    rf"|in\W+([0-9]+|{'|'.join([*WORDS, *TENS])}))\b"
)


def numbers_in(text: str, around: str = "") -> set[float] | None:
    """Return the numbers that an English text states, in digits or words; None if it is not simple.

    "forty-two" yields 2, 40 and 42; "5 to 7 million" 5, 5e6 and 7e6; "69" in "69 cents" 69 and 0.69.
    """
    text = text.casefold()
    rest = DIGITS.sub(r" \7 ", text)  # the words after a hyphen are kept
    words = set(re.findall("[a-z]+", rest))
    numbers = []  # in digits, each with its scale, or None
    for simple in DIGITS.finditer(text):
        for digits, short, scale in re.findall(ONE, simple[0]):
            number = float(digits.replace(",", ""))
            numbers.append((number, SHORT.get(short) or SCALES.get(scale)))
            if short == "m":  # 200m may be metres
                numbers.append((number, 1.0))
    scales = {scale for _, scale in numbers if scale}
    combined = words & SCALES.keys() or (scales and words & {*WORDS, *TENS})
    if combined or NOT_SIMPLE.search(text) or any(map(str.isnumeric, rest)):
        return None  # "two hundred and ten", "3 million twenty"
    found = {WORDS[word] for word in words & WORDS.keys()}
    if words & {"a", "an"}:
        found.add(1.0)
    ones = [number for number in found if number <= WORDS["nine"]]
    for ten in words & TENS.keys():
        found |= {TENS[ten], *[TENS[ten] + one for one in ones]}
    for number, own in numbers:
        if own:
            found.add(number * own)
        else:  # 5 to 7 million, 5-7bn
            found |= {number, *[number * other for other in scales]}
    if re.search(r"(?<!per )\bcents?\b", around.casefold() or text):
        found |= {number / 100 for number in found}
    return {round(number, 6) for number in found}


# ---- All checks ----------------------------------------------------------------------------------

# Checks, each with the number of its step, which is skipped if an earlier step finds faults. Those in
# GROUPED are applied to the rows of each group in turn, and LAST to what was noted of all rows.
STEPS: Any = [(1, check_files), (2, check_resources), (3, check_tables), (3, check_description)]
STEPS.append((4, check_cells))
GROUPED = (5, check_references), (6, check_rows), (6, check_names), (6, check_quotations)
LAST = ((6, check_complete),)


def checks_of(package: Package, faults: list[str]) -> Iterator[tuple[int, Any]]:
    """Yield each check with the number of its step, and set the rows of the package for it."""
    yield from STEPS
    # If there are faults, tables cannot be read; all remaining checks will be skipped.
    for _ in [None] if faults else package.groups():
        yield from GROUPED
    yield from LAST


def examine(package: Package) -> tuple[list[str], int, int]:
    """Return the faults, and the numbers of conditions checked and of checks skipped."""
    faults, conditions, skipped, failed = list[str](), 0, set[Any](), math.inf
    for number, check in checks_of(package, faults):
        if number > failed:
            skipped.add(check)
            continue
        before = len(faults)
        try:
            for place, sentence, is_met in check(package):
                conditions += 1
                if not is_met:
                    faults.append(f"{place}: {sentence}")
        # A package by anyone else may contain anything.
        except Exception as error:  # noqa: BLE001
            faults.append(f"This cannot be checked ({type(error).__name__}): {check.__doc__}")
        if len(faults) > before:
            failed = min(failed, number)
    return faults, conditions, len(skipped)


def main(arguments: list[str] | None = None) -> int:
    """Print the faults of a package and what was checked; return 1 if there are faults, or 0."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    default = Path(__file__).parent
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, default=default)
    parser.add_argument("--seeds", metavar="FOLDER", type=Path)
    given = parser.parse_args(arguments)
    package = Package(given.folder, given.seeds)
    faults, conditions, skipped = examine(package)
    lines = faults[:MOST_FAULTS]
    if len(faults) > MOST_FAULTS:
        lines.append(f"Further faults: {len(faults) - MOST_FAULTS}.")
    rows = ", ".join(f"{name} {number}" for name, number in package.counts.items()) or "none"
    lines.append(f"Checked: conditions {conditions}; files {len(package.files)}; rows: {rows}.")
    if skipped:
        lines.append(f"Checks skipped until the faults above are fixed: {skipped}.")
    if not faults:
        absent = f"columns {package.fewer}; tables: {', '.join(package.absent) or 'none'}"
        lines.append(f"Optional, and not in this package: {absent}.")
    if package.unknown and not faults:
        lines.append(f"Not known, but in this package: {', '.join(package.unknown)}.")
    last = WITH_SEEDS if given.seeds else WITHOUT_SEEDS
    lines += ["Not checked:", *[f"- {item}" for item in (NOT_CHECKED + last).splitlines()]]
    try:
        for line in lines:
            print(ascii(line)[1:-1])  # names of files and tables may contain control characters
        sys.stdout.flush()
    except BrokenPipeError:  # the reader stopped reading, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
