"""Check a published data package with Python alone; this file shares no code with the program that made the package.

    python verify.py [--seeds FOLDER] [FOLDER]

FOLDER is the folder with `datapackage.json`; by default, that of this file. `--seeds` names the folder of the articles:
with it, quotations are compared with the articles; without it, only with each other. The exit code is 1 if there are
faults. Each is printed as `file:row: sentence`; row 1 is the header. The contents of cells are never printed.

To audit this file, read it from top to bottom. `Package` contains the files and tables read so far. "Files and tables"
checks a package with any tables against its `datapackage.json`. "Rows" has a function for each table with row checks,
which yields the conditions on a row as sentences. "Tables" checks whole tables, and "Articles" compares quotations with
the articles or, without them, with each other. "Numbers" reads numbers in English words. At the end, `STEPS` lists
all checks in their order, and `examine` runs them. `NOT_CHECKED` lists what this file does not check.

Offsets count code points from 0, and ends are exclusive. `p` is the package, and `r` the row that is checked.
"""

import sys

if __name__ == "__main__" and not sys.flags.isolated:
    del sys.path[
        0
    ]  # first, so that no file next to this one is imported in place of a standard module

import argparse
import csv
import json
import math
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any

DESCRIPTOR, SUMS = "datapackage.json", "SHA256SUMS"
MOST_FAULTS = 20  # maximum number of faults printed
LARGEST = 1 << 24  # maximum number of characters of a cell or an article
PARQUET = "cells of Parquet files, beyond their checksums"
NOT_CHECKED = (
    PARQUET,
    "documents and charts, beyond their checksums",
    "whether datapackage.json describes the tables correctly",
    "who made the package: this file and the checksums come with it",
    "who said each quotation, the names of speakers, and which of them are protected",
    "notes, themes, modes, explanations, and other cells that no rule ties to the text",
    "provenance, readings and alpha, errata and history, beyond their schemas, sources and spans",
    "which hedge fits the words; numbers in words that are not simple, with an override, or with completeness none",
    "the outcome and computation of relations, and the range of a measure with hedged figures",
    "which sources are independent; tables and columns that this file does not know",
)
WITHOUT_SEEDS = "without --seeds: whether the quotations are words of the articles, and whether the ledger is complete"
WITH_SEEDS = "in the ledger: numbers in words or next to punctuation, single quotation marks, and completeness none"
Promises = Iterator[
    tuple[str, Any]
]  # a condition on a row, as a sentence, and whether the row meets it
Conditions = Iterator[
    tuple[str, str, Any]
]  # a place (a file or a row), then a condition and whether it is met


class Row(dict[str, Any]):
    """The cells of a row by column, also available as attributes; a null cell is None."""

    at = ""  # file and number
    id: Any = None  # the value of the primary key

    def __getattr__(self, column: str) -> Any:
        """Return a cell."""
        return self[column]


class Package:
    """The files and tables of a package that have been read so far."""

    def __init__(self, folder: Path, seeds: Path | None) -> None:
        """Set the folder of the package and, if given, the folder of the articles."""
        self.folder, self.seeds = folder, seeds
        self.files: dict[str, bytes] = {}  # by path
        self.csv: list[dict[str, Any]] = []  # the resources that are tables in CSV
        self.tables: dict[str, list[Row]] = {}
        self.keyed: dict[str | None, dict[Any, Row]] = {}  # rows by table and primary key
        self.indexes: dict[
            tuple[str, ...], dict[Any, list[Row]]
        ] = {}  # used by `where`: rows by table, columns, cells

    def find(self, table: str | None, key: str | None) -> Row:
        """Return the row of a table that has this primary key, or an empty row if there is none."""
        return self.keyed.get(table, {}).get(key, Row())

    def where(self, table: str, **cells: Any) -> list[Row]:
        """Return the rows of a table in which these columns have these values."""
        if (table, *cells) not in self.indexes:
            index = self.indexes[(table, *cells)] = defaultdict(list)
            for row in self.tables.get(table, []):
                index[tuple(row[column] for column in cells)].append(row)
        return self.indexes[(table, *cells)].get(tuple(cells.values()), [])

    def numbers(self, r: Row) -> set[float] | None:
        """Return the numbers that the words of a row state; None if they are not simple, or its source is not read."""
        return (
            numbers_in(r.text) if self.find("sources", r.source_id).completeness == "full" else None
        )

    def spans(self, record: str, field: str = "evidence") -> list[Row]:
        """Return the spans of a field of a record, ordered by part."""
        return sorted(
            self.where("spans", record_id=record, field=field), key=lambda span: span["part"]
        )

    def words(self, record: str, field: str = "evidence") -> str | None:
        """Return the words in the spans of a record's field as one text, or None if there are no spans."""
        return " […] ".join(span["exact"] for span in self.spans(record, field)) or None

    def place(self, record: str) -> tuple[str, int, int] | None:
        """Return the source, start and end of the evidence of a record, or None if the evidence has no spans."""
        spans = self.spans(record)
        if not spans:
            return None
        return (
            spans[0].source_id,
            min(span.start for span in spans),
            max(span.end for span in spans),
        )

    def seed(self, source: Row) -> bytes | None:
        """Return the bytes of a source's article, or None if the folder of the articles does not contain it."""
        path = self.seeds / Path(source["seed_file"]).name if self.seeds else None
        return path.read_bytes() if path and path.is_file() else None


def one_source(row: Row, other: Row) -> bool:
    """Return whether two rows can belong to the same source; a row without source_id belongs to every source."""
    return row.get("source_id") is None or other.get("source_id") in (None, row["source_id"])


# ---- Files and tables -------------------------------------------------------------------------------------------


def check_files(p: Package) -> Conditions:
    """Every file must be a regular file with its checksum in SHA256SUMS; none may be missing or added."""
    is_package = (p.folder / SUMS).is_file()
    yield SUMS, "is missing, so this folder is not a published package", is_package
    for path in sorted(p.folder.rglob("*")) if is_package else []:  # any other folder may be huge
        name, plain = (
            path.relative_to(p.folder).as_posix(),
            not path.is_symlink() and not path.name.startswith("."),
        )
        yield (
            name,
            "must not be a link, hidden, or an empty folder",
            plain and (path.is_file() or any(path.iterdir())),
        )
        if plain and path.is_file():
            p.files[name] = path.read_bytes()
    listing = p.files.get(SUMS, b"").decode()
    stated = {
        line[66:]: line[:64] for line in listing.splitlines()
    }  # 64 digits, two spaces and the path
    sums = {
        name: sha256(data).hexdigest() for name, data in sorted(p.files.items()) if name != SUMS
    }
    for name in sorted({*stated, *sums}):
        yield (
            name,
            f"is {'not' if name in sums else 'missing, but'} listed in {SUMS}",
            name in stated and name in sums,
        )
        yield (
            name,
            f"checksum differs from {SUMS}",
            name not in sums or stated.get(name) in (None, sums[name]),
        )
    exact = listing == "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    yield SUMS, "must list each other file once, ordered by path", exact or stated != sums


def check_resources(p: Package) -> Conditions:
    """The descriptor must describe every file once, with size and checksum, and each table as CSV and as Parquet."""
    descriptor = json.loads(
        p.files[DESCRIPTOR].decode(), parse_int=float
    )  # `int` is slow for a million digits
    resources = descriptor["resources"]
    p.csv = [resource for resource in resources if resource.get("type") == "table"]
    paths = Counter(resource["path"] for resource in resources)
    for path in sorted({*paths, *p.files} - {DESCRIPTOR, SUMS}):
        yield path, f"must be described exactly once in {DESCRIPTOR}", paths[path] == 1
        yield path, f"is described in {DESCRIPTOR}, but is missing", path in p.files
    for file in resources:
        data = p.files.get(file["path"], b"")
        same = (file["bytes"], file["hash"]) == (len(data), f"sha256:{sha256(data).hexdigest()}")
        yield file["path"], f"size or checksum differs from {DESCRIPTOR}", same
    parquet = sorted(resource["alternateOf"] for resource in resources if "alternateOf" in resource)
    same = parquet == sorted({table["name"] for table in p.csv})
    yield (
        DESCRIPTOR,
        "must describe each table once as CSV and once as Parquet",
        same and len(parquet) == len(p.csv),
    )


FORMS = {  # the form of the cells of each type, as a regular expression
    "string": "[^\x00-\x08\x0b-\x1f\x7f-\x9f]*",
    "integer": "0|-?[1-9][0-9]{0,14}",
    "number": r"(?!-0$)-?(0|[1-9][0-9]{0,14})(\.[0-9]{0,14}[1-9])?",
    "boolean": "true|false",
    "date": "[0-9]{4}-[0-9]{2}-[0-9]{2}",
}
# Properties of a table, its schema and columns. Others may change what a cell means: they must have the values below.
PROPERTIES = """name path title description type mediatype bytes hash dialect schema orderedBy $schema fields
primaryKey foreignKeys example unit categories constraints required unique enum pattern minimum maximum""".split()
SETTINGS: dict[str, Any] = {
    "format": "csv",
    "encoding": "utf-8",
    "header": True,
    "doubleQuote": True,
    "delimiter": ",",
}
SETTINGS.update(quoteChar='"', lineTerminator="\n", missingValues=[""])
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
                if name == "missingValues":  # each may have a label
                    value = [
                        each.get("value") if isinstance(each, dict) else each for each in value
                    ]  # noqa: PLW2901
                supported = name in PROPERTIES or SETTINGS.get(name) == value
                yield place, f"{name}, or its value, is not supported", supported
        for field in fields:
            supported = (
                field["type"] in FORMS and field["constraints"].get("pattern", ".*") in PATTERNS
            )
            yield f"{place}.{field['name']}", "type or pattern is not supported", supported


def check_cells(p: Package) -> Conditions:
    """Every table must be CSV with the columns of its schema, and every cell must fit the limits of its column."""
    csv.field_size_limit(LARGEST)
    for table in p.csv:
        path, fields = table["path"], table["schema"]["fields"]
        text = p.files[path].decode()
        yield (
            path,
            "must end each line with a line feed only",
            text.endswith("\n") and "\r" not in text,
        )
        header, *lines = csv.reader(
            (f"{line}\n" for line in text.split("\n")[:-1]), strict=True
        )  # LF only
        same = header == [field["name"] for field in fields]
        yield path, f"must have the columns that {DESCRIPTOR} lists, in that order", same
        rows = p.tables[table["name"]] = []
        for number, line in enumerate(lines if same else [], 2):
            rows.append(row := Row())
            row.at = f"{path}:{number}"
            yield row.at, "must have a cell for each column", len(line) == len(fields)
            for field, cell in zip(fields, line):
                row[field["name"]], wrong = value_of(cell, field)
                yield row.at, f"{field['name']} {wrong}", not wrong


def value_of(cell: str, field: dict[str, Any]) -> tuple[Any, str]:
    """Return the value of a cell, and the first requirement of its column that it does not meet, or "" if none."""
    kind, limits, value = field["type"], field["constraints"], None
    if not cell:
        return None, "is required" if limits.get("required") else ""
    if not re.fullmatch(FORMS[kind], cell):
        return None, f"must have the form of type {kind}"
    try:
        value = (
            date.fromisoformat(cell)
            if kind == "date"
            else cell
            if kind == "string"
            else json.loads(cell)
        )
    except ValueError:
        return None, "must be a date that exists in the calendar"
    if value not in limits.get("enum", [value]):
        return value, "must be one of the values that its column lists"
    if not re.fullmatch(limits.get("pattern", "(?s).*"), cell):
        return value, "must match the pattern of its column"
    within = limits.get("minimum", value) <= value <= limits.get("maximum", value)
    return (
        value,
        "" if within else "must not be below the minimum or above the maximum of its column",
    )


def check_keys(p: Package) -> Conditions:
    """Primary keys and columns declared unique must differ in each row, and rows must be sorted by orderedBy."""
    for table in p.csv:
        (key,), rows = table["schema"]["primaryKey"], p.tables[table["name"]]
        unique = [
            field["name"]
            for field in table["schema"]["fields"]
            if field["constraints"].get("unique")
        ]
        for column in dict.fromkeys((key, *unique)):
            number = Counter(row[column] for row in rows)
            for row in rows:
                alone = number[row[column]] == 1 if row[column] is not None else column != key
                yield row.at, f"{column} must be filled, and different in each row", alone
        order, before = table.get("orderedBy", []), list[Any]()
        for row in rows:
            now = [(row[column] is not None, row[column]) for column in order]  # null comes first
            yield (
                row.at,
                f"is out of order: rows must be sorted by {', '.join(order)}",
                before <= now,
            )
            before, row.id = now, row[key]
        p.keyed[table["name"]] = {row.id: row for row in rows}


# By table, pairs of columns: the first names a table, and the second the key of a row of that table.
NAMED = {"spans": [("record_table", "record_id")], "ledger": [("record_table", "record_id")]}
NAMED.update(waivers=[("repeats_table", "repeats_id")])
# By table, columns that list the keys of several rows, each with the table that contains these rows.
LISTED = {
    "relations": [("operands", "figures")],
    "provenance": [("source_id", "sources"), ("spans", "spans")],
}
# By table, the columns whose cells, joined by dots, make up the primary key.
MADE_OF = {"testimony_themes": ["testimony_id", "theme"], "spans": ["record_id", "field", "part"]}
MADE_OF.update(ledger=["source_id", "start", "kind"], comparisons=["figure_a", "figure_b"])
MADE_OF.update(provenance=["table", "column", "record_id"])
MADE_OF.update(agreement=["reading_a", "reading_b", "record_table", "code", "statistic"])


def check_references(p: Package) -> Conditions:
    """Every row that another row refers to must exist and, except in relations, belong to the same source."""
    for table in p.csv:
        name, foreign = table["name"], table["schema"].get("foreignKeys", [])
        for row in p.tables[name]:
            named = [
                (key["fields"][0], key["reference"]["resource"], row[key["fields"][0]])
                for key in foreign
            ]
            named += [(key, row[to], row[key]) for to, key in NAMED.get(name, [])]
            # In provenance, a row whose record is * describes a column and names no records.
            for column, other in LISTED.get(name, []) if row.get("record_id") != "*" else []:
                named += [(column, other, key) for key in (row[column] or "").split(";") if key]
            for column, other, key in named:
                found = p.find(other, key)
                # The cell may be empty, unless the row names a table.
                missing = key is None and (
                    other is None or column not in {"record_id", "repeats_id"}
                )
                table_named = other if other in p.tables else "a table"
                yield (
                    row.at,
                    f"{column} must be the key of a row of {table_named}",
                    found or missing,
                )
                yield (
                    row.at,
                    f"{column} must belong to the same source",
                    name == "relations" or one_source(row, found),
                )
            cells = [
                str(row[column])
                for column in MADE_OF.get(name, [])
                if row[column] not in (None, "*")
            ]
            # For a shared speaker, provenance has a row for each source that mentions the speaker.
            made = not cells or row.id in {
                ".".join(cells),
                ".".join([*cells, str(row.get("source_id"))]),
            }
            yield row.at, f"key must be composed of {', '.join(MADE_OF.get(name, []))}", made
    for row in p.where("tombstones"):
        yield (
            row.at,
            "the record was taken down and must not exist",
            not p.find(row.record_table, row.id),
        )


# ---- Rows -------------------------------------------------------------------------------------------------------


def check_source(p: Package, r: Row) -> Promises:
    """Title, subtitle and dateline must be the words of their spans; checksum and counts must match a given seed."""
    for field in ("title", "subtitle", "dateline"):
        yield f"{field} must be the words of its spans", r[field] == p.words(r.id, field)
    in_order = not r.published_from or not r.published_to or r.published_from <= r.published_to
    yield "published_from must not be after published_to", in_order
    if p.seeds:
        data = p.seed(r)
        yield f"{r.seed_file} must be in the folder given with --seeds", data is not None
        text = (data or b"").decode()
        same = [r.sha256, r.chars, r.words] == [
            sha256(data or b"").hexdigest(),
            len(text),
            len(text.split()),
        ]
        yield "sha256, chars and words must match its seed", same or data is None
        missing = (
            missing_in_ledger(p, r, text)
            if "ledger" in p.tables and r.completeness == "full"
            else 0
        )
        yield f"every number and quotation must be in the ledger: {missing} missing", not missing


def missing_in_ledger(p: Package, source: Row, text: str) -> int:
    """Return how many space-delimited numbers and quotations in double quotation marks the ledger lacks."""
    entries = p.where("ledger", source_id=source.id)
    quotations = {entry.start for entry in entries if entry.kind == "quotation"}
    numbers = [range(entry.start, entry.end) for entry in entries if entry.kind != "quotation"]
    alone = re.finditer(r"(?<![^ \t\n])[1-9][0-9]*(?:,[0-9]{3})*(?![^ \t\n])", text)
    opened = re.finditer(r"(?<![^ \t\n])[\"“](?=[^\W_])", text)
    missing = sum(not any(found.start() in number for number in numbers) for found in alone)
    return missing + sum(found.end() not in quotations for found in opened)


def check_speaker(p: Package, r: Row) -> Promises:
    """Flags, name and id must be consistent with `anonymity`; mentions must attest the gender and the request."""
    partial, pseudonym = r.anonymity == "partial", r.pseudonym_possible
    fits = partial if pseudonym else not partial or not p.find("roles", r.role).pseudonym_possible
    yield (
        "pseudonym_possible must be true for partial names only, and for all of them if the table roles says so",
        fits,
    )
    protected = r.anonymity in {"withheld", "unnamed"} or pseudonym
    yield "protected must follow from anonymity and pseudonym_possible", r.protected == protected
    yield (
        "name must be empty if protected, unless pseudonym_possible",
        pseudonym or not (r.protected and r.name),
    )
    yield (
        "gender and note must be empty for a protected person",
        not r.protected or r.gender is r.note is None,
    )
    plain = re.fullmatch(rf"{r.source_id}-speaker-[1-9][0-9]*", r.id)
    yield (
        "speaker_id of a protected person must be source_id, `-speaker-` and a number",
        plain or not r.protected,
    )
    person = r.kind == "person"
    yield (
        "anonymity must be not_applicable unless the speaker is a person",
        (r.anonymity != "not_applicable") == person,
    )
    for field in ("gender", "request"):
        attested = any(
            p.spans(mention.id, field) for mention in p.where("mentions", speaker_id=r.id)
        )
        yield (
            f"{field} must be filled if and only if a mention has words for it",
            attested == (r[field] is not None),
        )


def check_evidence(p: Package, r: Row) -> Promises:
    """The text, start and end of a mention, testimony or figure must match its spans."""
    spans = p.spans(r.id)
    yield (
        "text must be the words of its spans",
        r.text == p.words(r.id) and r.get("parts", len(spans)) == len(spans),
    )
    yield "start and end must be those of its spans", p.place(r.id) == (r.source_id, r.start, r.end)


def within(r: Row, rows: list[Row]) -> bool:
    """Return whether a row is within the start and end of at least one of the other rows, in the same source."""
    return any(o.source_id == r.source_id and o.start <= r.start and r.end <= o.end for o in rows)


def check_mention(p: Package, r: Row) -> Promises:
    """Rank, affiliation, age and years of service must be in the words or, for a protected person, empty."""
    yield from check_evidence(p, r)
    facts, numbers = [r.rank, r.affiliation, r.age, r.years_of_service], p.numbers(r)
    empty = facts == [None] * 4 or not p.find("speakers", r.speaker_id).protected
    yield "rank, age, years_of_service and affiliation must be empty for a protected person", empty
    yield (
        "rank and affiliation must be words of text",
        all(words in r.text for words in facts[:2] if words),
    )
    yield "age must be a number in text", numbers is None or numbers | {None} >= {r.age}
    yield (
        "years_of_service must be a number in text",
        numbers is None or numbers | {None} >= {r.years_of_service},
    )


def check_testimony(p: Package, r: Row) -> Promises:
    """A testimony must have the role of its speaker, and the themes in testimony_themes."""
    yield from check_evidence(p, r)
    yield (
        "speaker_role must be the role of its speaker",
        r.speaker_role == p.find("speakers", r.speaker_id).role,
    )
    themes = sorted(row.theme for row in p.where("testimony_themes", testimony_id=r.id))
    yield "themes must match testimony_themes", sorted(r.themes.split(";")) == themes


def check_joined(p: Package, r: Row) -> Promises:
    """A joined row must repeat its testimony and, with prefixes, the speaker, the first mention and the source."""
    testimony = p.find("testimonies", r.id)
    mentions = p.where("mentions", speaker_id=testimony.speaker_id, source_id=testimony.source_id)
    first = min(
        mentions, key=lambda mention: (mention.start, mention.end, mention.id), default=Row()
    )
    speaker, source = (
        p.find("speakers", testimony.speaker_id),
        p.find("sources", testimony.source_id),
    )
    parents = {"speaker": speaker, "mention": first, "source": source}
    cells = {
        f"{name}_{column}": cell for name, row in parents.items() for column, cell in row.items()
    }
    cells.update(testimony, mention_id=first.id)
    wrong = [column for column, cell in r.items() if cell != cells.get(column)]
    yield f"{', '.join(wrong)} must match the joined tables", not wrong


# The columns among low, value and high that must be filled, by hedge.
GIVEN = {
    "exact": "value",
    "about": "value",
    "nearly": "value high",
    "less_than": "value high",
    "range": "low high",
}
GIVEN.update(up_to="value high", more_than="low value", at_least="low value", vague="low")


def check_figure(p: Package, r: Row) -> Promises:
    """A figure must have the numbers that its hedge requires, and its words must state them if they can be read."""
    yield from check_evidence(p, r)
    in_order = not r.as_of_from or not r.as_of_to or r.as_of_from <= r.as_of_to
    yield "as_of_from must not be after as_of_to", in_order
    given = {column: r[column] for column in ("low", "value", "high") if r[column] is not None}
    yield (
        "low, value and high must be filled as its hedge requires",
        [*given] == GIVEN[r.hedge].split(),
    )
    equal = r.low <= r.high if r.hedge == "range" else len({*given.values()}) == 1
    yield "low, value and high must be the same number, or an ascending range", equal
    if "tolerances" in p.tables:
        right = [r[column] for column in INTERVAL] == allowed(p, r)
        yield (
            f"{', '.join(INTERVAL)} must follow from the numbers, the hedge, the unit and tolerances",
            right,
        )
    plain = (
        re.fullmatch("([0-9]{4}(-[01][0-9](-[0-9]{2})?)?)/\\1", r.as_of or "")
        and r.as_of_from
        and r.as_of_to
    )
    day = (r.as_of or "").partition("/")[0]
    last = not plain or (
        str(r.as_of_to).startswith(day),
        str(r.as_of_to + timedelta(1)).startswith(day),
    )
    first = not plain or str(r.as_of_from) == f"{day}-01-01"[:10]
    yield (
        "as_of_from and as_of_to must be the first and the last day of as_of",
        first and last in (True, (True, False)),
    )
    numbers = (
        None if "Not what the words say: " in (r.note or "") or r.hedge == "vague" else p.numbers(r)
    )
    yield (
        "text must state its numbers unless overridden",
        numbers is None or numbers.issuperset(given.values()),
    )
    inside = not r.testimony_id or within(r, p.spans(r.testimony_id))
    yield "its words must be part of its testimony", inside
    units = p.find("measures", r.measure).units
    yield "unit must be one of the units of its measure", not units or r.unit in units.split(";")


INTERVAL = ("interval_low", "interval_high", "low_open", "high_open", "rounded_low", "rounded_high")
OPEN_ABOVE = {"nearly", "less_than"}  # hedges that place a figure below the number that it states


def allowed(p: Package, r: Row) -> list[Any]:
    """Return the expected cells of INTERVAL: the ends of the interval that a figure allows, as stated and rounded."""
    number, tolerance = r.low if r.value is None else r.value, p.find("tolerances", r.hedge)
    counted, least = p.find("units", r.unit).whole, 0 if number >= 0 else -math.inf
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
    low_open, high_open = (
        r.hedge == "more_than" or low == -math.inf,
        high == math.inf or r.hedge in OPEN_ABOVE,
    )
    if counted:
        low, high, low_open, high_open = whole(low, high, low_open, high_open)
    rounded: tuple[Any, ...] = (low, number) if r.hedge == "nearly" and number else (None, None)
    if r.hedge == "exact" and number and number % 100 == 0:
        digits = f"{abs(number):.0f}"
        reach = min(
            10 ** (len(digits) - len(digits.rstrip("0"))) / 2, reach
        )  # half a unit of the last nonzero digit
        rounded = (round(number - reach, 6), round(number + reach, 6))
        rounded = whole(*rounded, low_open=False, high_open=False)[:2] if counted else rounded
    return [None if end in (math.inf, -math.inf) else end for end in (low, high)] + [
        low_open,
        high_open,
        *rounded,
    ]


def whole(
    low: float, high: float, low_open: bool, high_open: bool
) -> tuple[float, float, bool, bool]:  # noqa: FBT001
    """Narrow an interval to its first and last whole numbers; return its ends, and whether they are open."""
    if low == -math.inf:
        return low, high, low_open, high_open
    first = math.floor(low) + 1 if low_open else math.ceil(low)
    if high == math.inf:
        return first, high, False, True
    last = math.ceil(high) - 1 if high_open else math.floor(high)
    return (first, last, False, False) if first <= last else (low, high, low_open, high_open)


def check_span(p: Package, r: Row) -> Promises:
    """A span must be as long as its words in each unit, follow the previous part, and have the right context."""
    stated = (r.end - r.start, r.end_utf16 - r.start_utf16, r.end_byte - r.start_byte)
    yield "end minus start must equal the length of exact in each unit", stated == sizes(r.exact)
    before = [
        span
        for span in p.spans(r.record_id, r.field)
        if span.part == r.part - 1 and span.end <= r.start
    ]
    yield "the previous part must exist, and end before this one starts", r.part == 1 or before
    # Spans of figures and mentions have 32 characters of context on each side, except spans inside the evidence.
    alone = r.field == "evidence" or not within(r, p.spans(r.record_id))
    shown = 32 if r.record_table in {"figures", "mentions"} and alone else 0
    # Context stops at words that were taken down, or that are waived as an attribute of a protected person.
    secret = p.where("ledger", source_id=r.source_id, reason="protected_attribute")
    for column, room in (
        ("prefix", r.start),
        ("suffix", p.find("sources", r.source_id).chars - r.end),
    ):
        size, most = len(r[column] or ""), min(shown, room)
        near = any(
            abs((r.start - e.end if column == "prefix" else e.start - r.end) - size) < 3 * shown
            for e in secret
        )
        cut = size < most and (near or p.where("tombstones") or not p.where("ledger"))
        yield f"{column} must have the length that its description states", size == most or cut


def sizes(words: str) -> tuple[int, int, int]:
    """Return the length of words in code points, in units of UTF-16 and in bytes of UTF-8."""
    return len(words), len(words.encode("utf-16-le")) // 2, len(words.encode())


def check_waiver(p: Package, r: Row) -> Promises:
    """A waiver must have the words of its spans, an entry in the ledger and, for a repeat, the repeated record's id."""
    secret, spans = r.reason == "protected_attribute", p.spans(r.id)
    yield "text must be empty for a protected attribute, and only then", (r.text is None) == secret
    # A single occurrence may have several parts; if there are several occurrences, each has one part.
    same = (
        p.words(r.id) == r.text
        if r.occurrences == 1
        else [s.exact for s in spans] == [r.text] * r.occurrences
    )
    yield "text and occurrences must match its spans", not spans if secret else same
    yield (
        "start and end must match its spans",
        secret or p.place(r.id) == (r.source_id, r.start, r.end),
    )
    yield (
        "repeats_id must be filled for a repeat, and only then",
        (r.repeats_id is not None) == (r.reason == "repeat"),
    )
    yield (
        "must have an entry in the ledger",
        "ledger" not in p.tables or p.where("ledger", record_id=r.id),
    )


def check_entry(p: Package, r: Row) -> Promises:
    """A ledger entry must be inside the words of its record, and have the status that the record's table determines."""
    status = {None: "withdrawn", "waivers": "waived", "sources": "boilerplate"}.get(
        r.record_table, "covered"
    )
    yield "status must follow from its record_table", r.status == status
    taken = status != "withdrawn" or any(
        stone.id.startswith(f"{r.source_id}-") for stone in p.where("tombstones")
    )
    yield "may be withdrawn only if a record of its source was taken down", taken
    waiver = p.find("waivers", r.record_id)
    yield "reason must equal the reason of its waiver", r.reason == waiver.get("reason")
    secret = r.reason == "protected_attribute"  # such a waiver has no spans, but states its place
    places = [waiver] if secret and waiver else p.where("spans", record_id=r.record_id)
    yield "must be inside the words of its record", r.record_id is None or within(r, places)
    sized = (
        r.text is None if secret or status == "withdrawn" else len(r.text or "") == r.end - r.start
    )
    yield (
        "text must be as long as end minus start, but empty if the entry is withdrawn or protected",
        sized,
    )


# How the times of two figures relate, by whether each figure has one.
TIMES = {(False, False): "undated", (False, True): "a_undated", (True, False): "b_undated"}
TIMES[True, True] = ""  # compared


def times_of(a: Row, b: Row) -> str:
    """Return how the times of two dated figures relate; all possible relations if the year of one is not known."""
    if "X" in a.as_of + b.as_of:
        return "equal a_within_b b_within_a overlap apart"
    (a1, a2), (b1, b2) = ((x.as_of_from or date.min, x.as_of_to or date.max) for x in (a, b))
    if a2 < b1 or b2 < a1:
        return "apart"
    inside, around = b1 <= a1 and a2 <= b2, a1 <= b1 and b2 <= a2
    return (
        "equal"
        if inside and around
        else "a_within_b"
        if inside
        else "b_within_a"
        if around
        else "overlap"
    )


def check_comparison(p: Package, r: Row) -> Promises:
    """A verdict must follow from the intervals and the times of two figures."""
    a, b, measure = (
        p.find("figures", r.figure_a),
        p.find("figures", r.figure_b),
        p.find("measures", r.measure),
    )
    yield "must compare two figures of its measure", a.measure == b.measure == r.measure
    yield "same_source must follow from the two figures", r.same_source == one_source(a, b)
    times = (
        "constant" if measure.constant else TIMES[bool(a.as_of), bool(b.as_of)] or times_of(a, b)
    )
    yield "times must follow from the two figures", r.times in times.split()
    verdict = verdict_on(a, b, r.times) if measure.comparable else "not_comparable"
    yield "verdict must follow from the two figures", r.verdict == verdict


def verdict_on(a: Row, b: Row, times: str) -> str:
    """Return the verdict on two figures of a measure."""
    (low_a, high_a), (low_b, high_b) = ends(a), ends(b)
    if (a.unit, a.population) != (b.unit, b.population) or times == "apart":
        return "not_comparable"
    if a.hedge == b.hedge == "vague":
        return "compatible"
    if ends(a) == ends(b):
        return "same"
    # The figure with the narrower interval entails the other one, unless it may refer to another time.
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
    """Return the lower end of an interval and whether it is open, and the upper end and whether it is closed."""
    if rounded and figure.rounded_low is not None:
        return (figure.rounded_low, False), (figure.rounded_high, True)
    low = float("-inf") if figure.interval_low is None else figure.interval_low
    high = float("inf") if figure.interval_high is None else figure.interval_high
    return (low, figure.low_open), (high, not figure.high_open)


AGREEMENTS = [
    "same",
    "entails",
    "compatible",
    "agrees_rounded",
]  # verdicts on figures that agree, strongest first


def check_summary(p: Package, r: Row) -> Promises:
    """The summary of a measure must follow from its figures and from comparisons of figures from different sources."""
    figures = p.where("figures", measure=r.id)
    pairs = [
        pair for pair in p.where("comparisons", measure=r.id) if pair.verdict != "not_comparable"
    ]
    across = [
        (pair.verdict, pair.figure_a, pair.figure_b) for pair in pairs if not pair.same_source
    ]
    of = [figure for figure in figures if any(figure.id in pair for pair in across)]
    source = {figure.id: figure.source_id for figure in of}
    # A pair of sources counts once for each verdict; if the pair has several agreements, only the strongest one counts.
    found = {(v, *sorted((source[a], source[b]))) for v, a, b in across}
    weaker = {
        (v, *two)
        for u, *two in found
        if u in AGREEMENTS
        for v in AGREEMENTS[AGREEMENTS.index(u) + 1 :]
    }
    verdicts = Counter(verdict for verdict, *_ in found - weaker)
    cells: dict[str, Any] = {"figures": len(figures), "compared_figures": len(of)}
    cells["sources"] = len({figure.source_id for figure in figures})
    cells["earliest"] = min((figure.as_of_from for figure in of if figure.as_of_from), default=None)
    cells["latest"] = max((figure.as_of_to for figure in of if figure.as_of_to), default=None)
    cells["verdicts"] = (
        ";".join(f"{verdict} {verdicts[verdict]}" for verdict in sorted(verdicts)) or None
    )
    # The range is empty unless all figures can be compared with each other; for hedged ones, it is not computed here.
    alike = len(of) == len(figures) and len(pairs) == len(of) * (len(of) - 1) // 2
    if not alike or {figure.hedge for figure in of} <= {"exact"}:
        values = [figure.value for figure in of if alike]
        cells.update(lowest=min(values, default=None), highest=max(values, default=None))
    wrong = (
        [column for column, cell in cells.items() if r[column] != cell]
        if "comparisons" in p.tables
        else []
    )
    yield f"{', '.join(wrong)} must follow from the figures of its measure", not wrong
    fewer = bool(of) <= r.independent_sources <= len({*source.values()})
    yield (
        "independent_sources must not exceed the number of compared sources",
        fewer or "comparisons" not in p.tables,
    )


def check_agreement(p: Package, r: Row) -> Promises:
    """The statistics of two readings must follow from the counts in the row, except alpha and the F1 of characters."""
    total, both, equal = r.records_a + r.records_b, r.compared, r.equal or 0
    yield (
        "must satisfy equal <= compared <= records_a and records_b",
        equal <= both <= min(r.records_a, r.records_b),
    )
    fits = r.reading_a != "records" or r.records_a <= len(p.where(r.record_table))
    yield (
        "records_a must not exceed the number of rows of record_table if reading_a is the records",
        fits,
    )
    shares = {
        "f1_records": (2 * both, total),
        "f1_equal": (2 * equal, total),
        "observed": (equal, both),
    }
    shares["estimate_unmarked"] = ((r.records_a + 1) * (r.records_b + 1) - both - 1, both + 1)
    number, of = shares.get(r.statistic, (0, 0))
    yield "value must follow from the counts", not of or abs((r.value or 0) - number / of) < 0.001  # noqa: PLR2004
    low, high = (
        (-1, 1) if r.interval_low is r.interval_high is None else (r.interval_low, r.interval_high)
    )
    yield (
        "value must be between -1 and 1, or from interval_low to interval_high",
        low <= (r.value or 0) <= high,
    )


ROW_CHECKS = {
    "sources": check_source,
    "speakers": check_speaker,
    "mentions": check_mention,
    "testimonies": check_testimony,
    "testimonies_joined": check_joined,
    "figures": check_figure,
    "spans": check_span,
    "waivers": check_waiver,
    "ledger": check_entry,
    "comparisons": check_comparison,
    "measure_summary": check_summary,
    "agreement": check_agreement,
}


def check_rows(p: Package) -> Conditions:
    """Every row must meet the conditions for its table."""
    for table, check in ROW_CHECKS.items():
        for row in p.where(table):
            yield from ((row.at, sentence, is_met) for sentence, is_met in check(p, row))


# ---- Tables -----------------------------------------------------------------------------------------------------


def check_complete(p: Package) -> Conditions:
    """Each derived table must have a row for each testimony, each pair of figures, or each measure."""
    figures = sorted(p.where("figures"), key=lambda figure: str(figure.id))
    pairs = {f"{a.id}.{b.id}" for a, b in combinations(figures, 2) if a.measure == b.measure}
    keys = {"comparisons": pairs, "measure_summary": {figure.measure for figure in figures}}
    for table, wanted in {"testimonies_joined": p.keyed["testimonies"].keys(), **keys}.items():
        complete = table not in p.tables or p.keyed[table].keys() == wanted
        yield (
            DESCRIPTOR,
            f"{table} must have a row for each testimony, pair of figures, or measure",
            complete,
        )
    yield DESCRIPTOR, "must have sources if --seeds is given", not p.seeds or p.where("sources")


def check_used(p: Package) -> Conditions:
    """The column `used` of a vocabulary must count the rows that use each term."""
    users = {"themes": ("testimony_themes", "theme"), "measures": ("figures", "measure")}
    users.update(
        populations=("figures", "population"), units=("figures", "unit"), roles=("speakers", "role")
    )
    users.update(rank_classes=("speakers", "rank_class"), branches=("speakers", "branch"))
    for table, (user, column) in users.items():
        for row in p.where(table):
            used = len(p.where(user, **{column: row.id}))
            yield row.at, f"used must count the rows of {user} with this term", row.used == used


QUOTED = {
    "text",
    "exact",
    "prefix",
    "suffix",
    "title",
    "subtitle",
    "dateline",
    "source_title",
}  # may look like ids


def check_names(p: Package) -> Conditions:
    """No row may refer to a protected person from another source."""
    for row in (row for table in p.tables for row in p.where(table)):
        cells = [
            str(cell)
            for column, cell in row.items()
            if column not in QUOTED and "-speaker-" in str(cell)
        ]
        speakers = [
            p.find("speakers", name) for cell in cells for name in re.findall("[a-z0-9-]+", cell)
        ]
        within = all(
            one_source(row, speaker) for speaker in speakers if speaker and speaker.protected
        )
        yield row.at, "must not refer to a protected person of another source", within


# ---- Articles ---------------------------------------------------------------------------------------------------


def check_quotations(p: Package) -> Conditions:
    """All quotations from an article must be parts of one text: the article, if it is given.

    Without the article, its text is assembled from the quotations, which must agree wherever they overlap.
    """
    for source in p.where("sources"):
        spans = sorted(p.where("spans", source_id=source.id), key=lambda span: span.start)
        entries, seed, shown = p.where("ledger", source_id=source.id), p.seed(source), set[int]()
        secret = {
            at for e in entries if e.reason == "protected_attribute" for at in range(e.start, e.end)
        }
        text = list(
            "\0" * min(source.chars, LARGEST) if seed is None else seed.decode()
        )  # NUL: not known
        for span in spans:
            start, words = (
                span.start - len(span.prefix or ""),
                (span.prefix or "") + span.exact + (span.suffix or ""),
            )
            shown.update(range(start, start + len(words)))
            yield (
                span.at,
                "prefix, exact and suffix must match its source at its offsets",
                agrees(text, start, words),
            )
            context = {*range(start, start + len(words))} - {*range(span.start, span.end)}
            yield (
                span.at,
                "prefix and suffix must not show a waived protected_attribute",
                not context & secret,
            )
            line = (
                span.start - span.column
            )  # offset of the line break before it; -1 on the first line
            yield (
                span.at,
                "column must count from the start of its line",
                line == -1 or agrees(text, line, "\n"),
            )
        yield (
            source.at,
            "chars_revealed must count what the spans show",
            len(shown) == source.chars_revealed,
        )
        for row in entries:
            yield (
                row.at,
                "text must match its source at its offsets",
                agrees(text, row.start, row.text or ""),
            )
        page = "\n" + "".join(text) + "\n"  # so that every character has a neighbour on each side
        for row in [*spans, *entries, *p.where("waivers", source_id=source.id)]:
            first, last = (
                page[row.start : row.start + 2],
                page[row.end : row.end + 2],
            )  # rejects "s t" in "is the"
            whole = (
                not first.isalnum()
                and not last.isalnum()
                and not first[1:].isspace()
                and not last[:1].isspace()
            )
            within = row.start < row.end <= source.chars
            yield row.at, "must start and end with a whole word of its source", whole and within
        yield from check_positions(page, spans)


def agrees(text: list[str], start: int, words: str) -> bool:
    """Return whether quoted words agree with the known part of the text; if so, add them to it."""
    known, end = text[start : start + len(words)], start + len(words)
    if start < 0 or end > len(text) or any(a not in ("\0", b) for a, b in zip(known, words)):
        return False
    text[start:end] = words
    return True


def check_positions(page: str, spans: list[Row]) -> Conditions:
    """The UTF-16 offset, byte offset, line and column of each span must follow from the characters before it.

    An unknown character has one or two UTF-16 units and one to four bytes, and may end a line.
    """
    then = (0, 0, 0, 0)
    for span in spans:
        now = (span.start, span.start_utf16, span.start_byte, span.line - 1)
        known = page[then[0] + 1 : now[0] + 1].replace(
            "\0", ""
        )  # `page` has one more character at its beginning
        unknown, least = now[0] - then[0] - len(known), (*sizes(known), known.count("\n"))
        more = [b - a - n for a, b, n in zip(then, now, least)]
        fits = all(
            low * unknown <= n <= high * unknown
            for n, low, high in zip(more, (1, 1, 1, 0), (1, 2, 4, 1))
        )
        yield (
            span.at,
            "start_utf16, start_byte and line must follow from the characters before it",
            fits,
        )
        column = span.start + 1 - page.rfind("\n", 0, span.start + 1)
        yield span.at, "column must count from the start of its line", span.column == column
        then = now


# ---- Numbers ----------------------------------------------------------------------------------------------------

# The verifier must not reject a number that the builder reads differently, so it reads simple numbers only.
SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
WORDS = {word: float(n) for n, word in enumerate(f"{SMALL} seventeen eighteen nineteen".split())}
TENS = {
    f"{ten}ty": 10.0 * n for n, ten in enumerate("twen thir for fif six seven eigh nine".split(), 2)
}
SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
SCALES_OR = "|".join(SCALES)
SHORT = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9}
DIGITS = re.compile(  # 1,400  2.5  .5  13k  1.2 million
    r"((?<![0-9])\.[0-9]+|[0-9]{1,3}(?:[,\u00a0\u202f\u2009][0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?)"
    rf"(?:(k|m|mn|bn)\b|[\s-]?({SCALES_OR})\b)?"
)
NOT_SIMPLE = re.compile(  # words that combine numbers, or can be read in more than one way
    r"[½¼¾⅓⅔/！-～]|\b(half|halves|quarters?|thirds?|(four|fif|six|seven|eigh|nin|ten|eleven|twelf|[a-z]+teen|[a-z]+tie)ths?"
    rf"|once|twice|thrice|minus|[a-z]*fold|(doubl|tripl|trebl|quadrupl|quintupl|halv)[a-z]+|couple|out|every|point|decades?|dozens?|scores?|tens|({SCALES_OR})(s|ths?))\b"
    rf"|\bin[\s-]+([0-9]|{'|'.join([*WORDS, *TENS])})|[a-z][0-9]|[0-9](?!(k|m|mn|bn)\b)[a-z]"
    r"|[0-9]['’ .][0-9]{3}(?![0-9])|[0-9] (mn|mln|bn|bln|tn|trn)\b|(?<![a-z0-9])[-−][0-9]"  # 10 000; 5 bn; -5
    r"|(?<![\s0-9$€£(])(?!\A)\.[0-9]|\.[0-9]+\.[0-9]"  # a point after a word or mark; 1.2.3
)


def numbers_in(text: str) -> set[float] | None:
    """Return the numbers that an English text states, in digits or in simple words; None if the text is not simple.

    If the result is None, a figure is not compared with its words. For example, "about 1,400 soldiers" yields 1400;
    "forty-two" yields 2, 40 and 42; "5 to 7 million" yields 5, 7, 5000000 and 7000000; "a dozen" yields None.
    """
    text = text.casefold()
    words = set(re.findall("[a-z]+", DIGITS.sub(" ", text)))
    scales = {
        SHORT.get(short) or SCALES[scale]
        for _, short, scale in DIGITS.findall(text)
        if short or scale
    }
    if NOT_SIMPLE.search(text) or words & SCALES.keys() or (scales and words & {*WORDS, *TENS}):
        return None  # "two hundred and ten", "3 million twenty"
    found = {WORDS[word] for word in words & WORDS.keys()} | (
        {1.0} if words & {"a", "an"} else set()
    )
    found |= {
        TENS[ten] + unit for ten in words & TENS.keys() for unit in {0.0, *found} if unit < 10
    }  # noqa: PLR2004
    for digits, short, scale in DIGITS.findall(text):
        number, own = float(re.sub("[^0-9.]", "", digits)), SHORT.get(short) or SCALES.get(scale)
        found |= (
            {number * own} if own else {number, *(number * other for other in scales)}
        )  # 5 to 7 million, 5-7bn
    return {round(number, 6) for number in found}


# ---- All checks -------------------------------------------------------------------------------------------------

# A step relies on those before it, and is skipped if they find faults.
STEPS = (
    (check_files,),
    (check_resources,),
    (check_description,),
    (check_cells,),
    (check_keys, check_references),
    (check_rows, check_complete, check_used, check_names, check_quotations),
)


def counted(number: int, what: str) -> str:
    """Return a number followed by a noun in the singular or plural."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def examine(package: Package) -> tuple[list[str], int, int]:
    """Return the faults of a package, and the numbers of conditions checked and of checks skipped."""
    faults, conditions, waiting = list[str](), 0, [*STEPS]
    while waiting and not faults:
        for check in waiting.pop(0):
            try:
                for place, sentence, is_met in check(package):
                    conditions += 1
                    faults += [] if is_met else [f"{place}: {sentence}"]
            except Exception as error:  # noqa: BLE001  # a package by anyone else may contain anything
                faults.append(f"This cannot be checked ({type(error).__name__}): {check.__doc__}")
    return faults, conditions, sum(map(len, waiting))


def main(arguments: list[str] | None = None) -> int:
    """Print the faults of a package and what was checked; return 1 if there are faults, otherwise 0."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", type=Path, default=Path(__file__).parent
    )
    parser.add_argument("--seeds", metavar="FOLDER", type=Path)
    given = parser.parse_args(arguments)
    package = Package(given.folder, given.seeds)
    faults, conditions, skipped = examine(package)
    lines = faults[:MOST_FAULTS]
    if len(faults) > MOST_FAULTS:
        lines.append(f"and {counted(len(faults) - MOST_FAULTS, 'more fault')}")
    rows = ", ".join(f"{name} {len(rows)}" for name, rows in package.tables.items()) or "none"
    lines.append(
        f"Checked: {counted(conditions, 'condition')} on {counted(len(package.files), 'file')}; rows: {rows}."
    )
    if skipped:
        lines.append(f"Skipped until the faults above are fixed: {counted(skipped, 'check')}.")
    absent = [table for table in ROW_CHECKS if table not in package.tables]
    if absent and not faults:
        lines.append(f"Not in this package, and so not checked: {', '.join(absent)}.")
    unchecked = [*NOT_CHECKED, WITH_SEEDS if given.seeds else WITHOUT_SEEDS]
    lines += ["Not checked:", *(f"- {item}" for item in unchecked)]
    try:  # names of files and tables may contain control characters
        print(*(ascii(line)[1:-1] for line in lines), sep="\n", flush=True)
    except BrokenPipeError:  # the reader stopped reading, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
