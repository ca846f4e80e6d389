"""Check a published data package with Python alone; this file shares no code with the program that made the package.

    python verify.py [--seeds FOLDER] [FOLDER]

FOLDER is the folder with `datapackage.json`; by default, that of this file. `--seeds` names the folder of the articles:
with it, quotations are compared with the articles; without it, only with each other. A fault is printed as `file:row:
sentence`; row 1 is the header. Cells are never printed. The exit code is 1 if there are faults.

To audit this file, read it from top to bottom:

- `main` prints; `run` calls all checks, in the order in which they are defined below; `steps` groups them.
- Each function `check_...` is a promise of the package, and its docstring states it. It yields conditions: a place,
  whether the condition is met, and the sentence that is printed if not. Each may rely on the steps before it.
- `Package` is what has been read so far. Which tables there are, and their schemas, keys, order and closed
  vocabularies, comes from `datapackage.json`; the relations between tables are in the checks.
- `numbers_in`, at the end, reads numbers in English words.

Offsets count code points from 0, and ends are exclusive.
"""

from __future__ import annotations

import sys

if __name__ == "__main__" and not sys.flags.isolated:
    del sys.path[0]  # a file next to this one must not be imported in place of a standard module

import argparse
import csv
import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import date
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

DESCRIPTOR, SUMS = "datapackage.json", "SHA256SUMS"
MOST_FAULTS = 20  # faults printed at most
LARGEST = 1 << 24  # characters of a cell or an article, so that no package can fill the memory
JOINED = " […] "  # between the parts of a quotation
PARQUET = "cells of Parquet files, beyond their checksums"
NOT_CHECKED = (
    PARQUET,
    "documents and charts, beyond their checksums",
    "whether datapackage.json describes the tables as it should",
    "who made the package: this file and the checksums come with it",
    "who said a quotation, the names of speakers, and which of them are protected",
    "notes, themes, modes, explanations, and other cells that no rule ties to the text",
    "which hedge fits the words, and numbers in words that are not simple",
    "which sources are independent; tables and columns that this file does not know",
)
WITHOUT_SEEDS = "without --seeds: whether the quotations are words of the articles, and the ledger is complete"
WITH_SEEDS = "in the ledger: numbers in words or next to punctuation, and quotations in single marks"
Conditions = Iterator[tuple[str, bool, str]]


def main(arguments: list[str] | None = None, checked_elsewhere: str = "") -> int:
    """Print the faults of a package and what was checked; return 0 if there are none, and 1 if there are."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("folder", metavar="FOLDER", nargs="?", type=Path, default=Path(__file__).parent)
    parser.add_argument("--seeds", metavar="FOLDER", type=Path)
    given = parser.parse_args(arguments)
    package = Package(given.folder, given.seeds)
    faults, conditions, skipped = run(package)
    lines = faults[:MOST_FAULTS]
    if len(faults) > MOST_FAULTS:
        lines.append(f"and {len(faults) - MOST_FAULTS} more faults")
    rows = ", ".join(f"{len(rows)} {name}" for name, rows in package.tables.items())
    lines.append(f"Checked: {conditions} conditions on {len(package.files)} files; rows: {rows or 'none'}.")
    absent = [name for name in KNOWN_TABLES.split() if name not in package.tables]
    if skipped:
        lines.append(f"Skipped until the faults above are fixed: {skipped} checks.")
    elif absent:
        lines.append(f"Not in this package, and so not checked: {', '.join(absent)}.")
    unchecked = [*NOT_CHECKED, WITH_SEEDS if given.seeds else WITHOUT_SEEDS]
    lines += ["Not checked:", *(f"- {item}" for item in unchecked if item != checked_elsewhere)]
    try:  # names of files and tables may contain control characters
        print(*(ascii(line)[1:-1] for line in lines), sep="\n", flush=True)
    except BrokenPipeError:  # the reader has read enough, as `head` has
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1 if faults else 0


def run(package: Package) -> tuple[list[str], int, int]:
    """Return the faults, the number of conditions that were checked, and the number of checks that were skipped."""
    faults, conditions, checks = list[str](), 0, steps()
    skipped = sum(map(len, checks))
    for step in checks:
        for check in step:
            skipped -= 1
            try:
                for place, is_met, sentence in check(package):
                    conditions += 1
                    if not is_met:
                        faults.append(f"{place}: {sentence}")
            except Exception as error:  # noqa: BLE001  # a stranger's package may be anything
                faults.append(f"This cannot be checked ({type(error).__name__}): {check.__doc__}")
        if faults:
            break
    return faults, conditions, skipped


def steps() -> tuple[tuple[Any, ...], ...]:
    """Return all checks; those of one step rely on the steps before it, and are skipped if these find faults."""
    of_files, of_tables = (check_files, check_resources), (check_keys, check_references, check_order)
    first = (of_files, (check_description,), (check_cells,), of_tables)
    before = {check for step in first for check in step}
    checks = [check for name, check in globals().items() if name.startswith("check_")]  # in the order of this file
    return (*first, tuple(check for check in checks if check not in before))


KNOWN_TABLES = """sources speakers mentions testimonies testimony_themes testimonies_joined figures spans measures
tolerances populations themes waivers ledger relations comparisons measure_summary provenance errata tombstones"""


class Row(dict[str, Any]):
    """The cells of a row by column; None is null. `place` is its file and number."""

    place: str


class Passage(NamedTuple):
    """The words of an article that support a field of a record: their parts joined, and where they begin and end."""

    source: str
    text: str
    start: int
    end: int
    parts: int


class Package:
    """What has been read of a package so far."""

    def __init__(self, folder: Path, seeds: Path | None) -> None:
        """Take the folder of the package and, if it is given, that of the articles."""
        self.folder, self.seeds = folder, seeds
        self.files: dict[str, bytes] = {}  # by path
        self.resources: list[dict[str, Any]] = []
        self.csv: list[dict[str, Any]] = []  # the resources that are tables in CSV
        self.tables: dict[str, list[Row]] = {}
        self.keyed: dict[str, dict[str, Row]] = defaultdict(dict)  # rows by table and primary key
        self.spans: dict[tuple[str, str], list[Row]] = defaultdict(list)  # by record and field

    def rows(self, name: str) -> list[Row]:
        """Return the rows of a table; none if the package does not have it."""
        return self.tables.get(name, [])

    def passage(self, record: str, field: str) -> Passage | None:
        """Return the words of the article that support a field of a record."""
        spans = sorted(self.spans.get((record, field), []), key=lambda span: span["part"])
        if not spans:
            return None
        start, end = min(span["start"] for span in spans), max(span["end"] for span in spans)
        return Passage(spans[0]["source_id"], JOINED.join(s["exact"] for s in spans), start, end, len(spans))

    def seed(self, source: Row) -> bytes | None:
        """Return the bytes of the article of a source, if the folder of the articles has it."""
        path = self.seeds / Path(source["seed_file"]).name if self.seeds else None
        return path.read_bytes() if path and path.is_file() else None


def grouped(rows: list[Row], column: str) -> dict[Any, list[Row]]:
    """Return rows by the value of a column."""
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row[column]].append(row)
    return groups


def one_source(row: Row, other: Row) -> bool:
    """Return whether two rows may be of one source; a row without source_id belongs to all."""
    first, second = row.get("source_id"), other.get("source_id")
    return first is None or second is None or first == second


# ---- files and their checksums ----------------------------------------------------------------------------------


def check_files(package: Package) -> Conditions:
    """Every file is a plain file with the checksum that SHA256SUMS gives, and no file is missing or added."""
    is_package = (package.folder / SUMS).is_file()
    yield SUMS, is_package, "is missing, so this folder is not a published package"
    if not is_package:
        return  # its files are not read: they may be huge
    for path in sorted(package.folder.rglob("*")):
        name = path.relative_to(package.folder).as_posix()
        plain = not path.is_symlink() and not path.name.startswith(".")
        yield name, plain and (path.is_file() or any(path.iterdir())), "must not be a link, hidden, or an empty folder"
        if plain and path.is_file():
            package.files[name] = path.read_bytes()
    listing = package.files[SUMS].decode()
    stated = {line[66:]: line[:64] for line in listing.splitlines()}
    sums = {name: sha256(data).hexdigest() for name, data in sorted(package.files.items()) if name != SUMS}
    for name in sorted({*stated, *sums}):
        yield name, name in sums, f"is listed in {SUMS}, but is missing"
        yield name, name in stated, f"is not listed in {SUMS}"
        same = name not in stated or name not in sums or stated[name] == sums[name]
        yield name, same, f"checksum differs from {SUMS}"
    in_order = listing == "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    yield SUMS, in_order or stated != sums, "must list each other file once, ordered by path"


def check_resources(package: Package) -> Conditions:
    """The descriptor describes every file once, with size and checksum, and each table as CSV and as Parquet."""
    if not package.files:
        return  # a fault of `check_files`
    descriptor = json.loads(package.files[DESCRIPTOR].decode(), parse_int=float)  # int takes long for a million digits
    package.resources = descriptor["resources"]
    package.csv = [resource for resource in package.resources if resource.get("type") == "table"]
    names = [resource["name"] for resource in package.resources]
    paths = Counter(resource["path"] for resource in package.resources)
    yield DESCRIPTOR, len(set(names)) == len(names), "must use each name of a resource once"
    for name in sorted({*paths, *package.files} - {DESCRIPTOR, SUMS}):
        yield name, paths[name] == 1, f"must be described once and only once in {DESCRIPTOR}"
        yield name, name in package.files, f"is described in {DESCRIPTOR}, but is missing"
    for resource in package.resources:
        if resource["path"] in package.files:
            data = package.files[resource["path"]]
            same = (resource["bytes"], resource["hash"]) == (len(data), f"sha256:{sha256(data).hexdigest()}")
            yield resource["path"], same, f"size or checksum differs from {DESCRIPTOR}"
    parquet = sorted(resource["alternateOf"] for resource in package.resources if "alternateOf" in resource)
    same = parquet == sorted(resource["name"] for resource in package.csv)
    yield DESCRIPTOR, same, "must describe one Parquet file for each table"


# ---- tables, as datapackage.json describes them ------------------------------------------------------------------

FORMS = {  # how the cells of each type are written
    "string": "[^\x00-\x08\x0b-\x1f\x7f-\x9f]*",
    "integer": "0|-?[1-9][0-9]{0,14}",
    "number": r"(?!-0$)-?(0|[1-9][0-9]{0,14})(\.[0-9]{0,14}[1-9])?",
    "boolean": "true|false",
    "date": "[0-9]{4}-[0-9]{2}-[0-9]{2}",
}
DIALECT = {"header": True, "delimiter": ",", "lineTerminator": "\n", "quoteChar": '"', "doubleQuote": True}
CONSTRAINTS = {"required", "unique", "enum", "pattern", "minimum", "maximum"}
UNKNOWN = {"format", "decimalChar", "groupChar", "bareNumber", "trueValues", "falseValues", "fieldsMatch"}
# Only patterns of this form are tried: another could run for ever.
PATTERN = re.compile(r"\^(\[[\w.-]+\])?\[[\w.-]+\]([+*]|{[\d,]{1,5}})?(\([-_]\[(a-z|A-Z|0-9)+\]([+*]|{\d,\d})\)\*)?\$")


def check_description(package: Package) -> Conditions:
    """The descriptor describes tables only in ways that this verifier supports; it refuses all others."""
    for table in package.csv:
        schema, dialect = table["schema"], table.get("dialect", {})
        place = f"{DESCRIPTOR}: {table['name']}"
        yield place, table.get("encoding", "utf-8") == "utf-8", "encoding is not supported: use utf-8"
        supported = all(DIALECT.get(key) == value for key, value in dialect.items())
        yield place, supported, "CSV dialect is not supported: use commas, double quotes and line feeds"
        missing = [part.get("missingValues", [""]) for part in (schema, *schema["fields"])]
        values = [[v.get("value") if isinstance(v, dict) else v for v in listed] for listed in missing]
        yield place, all(each == [""] for each in values), "missingValues is not supported: only empty cells are"
        yield place, "fieldsMatch" not in schema, "fieldsMatch is not supported"
        for field in schema["fields"]:
            limits = field.get("constraints", {})
            supported = field["type"] in FORMS and not limits.keys() - CONSTRAINTS and not UNKNOWN & field.keys()
            supported = supported and PATTERN.fullmatch(limits.get("pattern", "^[a]$")) is not None
            yield f"{place}.{field['name']}", supported, "type, property or constraint is not supported"


def check_cells(package: Package) -> Conditions:
    """Every table is CSV with the columns of its schema, and every cell has the type and limits of its column."""
    csv.field_size_limit(LARGEST)
    for table in package.csv:
        path, name, schema = table["path"], table["name"], table["schema"]
        text, fields = package.files[path].decode(), schema["fields"]
        yield path, text.endswith("\n") and "\r" not in text, "must end each line in a line feed alone"
        header, *lines = csv.reader((f"{line}\n" for line in text.split("\n")[:-1]), strict=True)
        same = header == [field["name"] for field in fields]
        yield path, same, f"must have the columns that {DESCRIPTOR} lists, in that order"
        rows = package.tables[name] = []
        for number, line in enumerate(lines if same else [], 2):
            row = Row()
            row.place = f"{path}:{number}"
            yield row.place, len(line) == len(fields), "must have a cell for each column"
            for field, cell in zip(fields, line):
                row[field["name"]], wrong = value_of(cell, field)
                yield row.place, not wrong, f"{field['name']} {wrong}"
            rows.append(row)


def value_of(cell: str, field: dict[str, Any]) -> tuple[Any, str]:
    """Return the value of a cell and, if its column does not permit it, what is required."""
    kind = field["type"]
    limits = field.get("constraints") or {}
    if not cell:
        return None, "is required" if limits.get("required") else ""
    if not re.fullmatch(FORMS[kind], cell):
        return None, f"must be written as {kind}"
    value: Any = cell
    try:
        if kind == "date":
            date.fromisoformat(cell)
        elif kind != "string":
            value = json.loads(cell)
    except ValueError:
        return None, "must be a day of the calendar"
    if value not in limits.get("enum", [value]):
        return value, "must be one of the values that its column lists"
    if "pattern" in limits and not re.fullmatch(limits["pattern"], cell):
        return value, "must match the pattern of its column"
    within = limits.get("minimum", value) <= value <= limits.get("maximum", value)
    return value, "" if within else "must not be below the minimum or above the maximum of its column"


def check_keys(package: Package) -> Conditions:
    """No two rows of a table have the same primary key, or the same value where the schema says unique."""
    for table in package.csv:
        name, schema = table["name"], table["schema"]
        primary = tuple(schema["primaryKey"])
        unique = [(field["name"],) for field in schema["fields"] if field.get("constraints", {}).get("unique")]
        for key in {primary, *unique, *map(tuple, schema.get("uniqueKeys", []))}:
            seen: set[tuple[Any, ...]] = set()
            for row in package.rows(name):
                values = tuple(row[column] for column in key)
                yield row.place, values not in seen, f"{', '.join(key)} must be different in each row"
                yield row.place, key != primary or None not in values, f"{', '.join(key)} must be filled"
                seen.update(() if None in values else [values])
        package.keyed[name] = {row[primary[0]]: row for row in package.rows(name)}


def check_references(package: Package) -> Conditions:
    """Every foreign key that is not null names a row that exists, in the same source, except in relations."""
    for table in package.csv:
        for key in table["schema"].get("foreignKeys", []):
            columns, reference = key["fields"], key["reference"]
            to = reference["resource"] or table["name"]
            targets = {tuple(row[column] for column in reference["fields"]): row for row in package.rows(to)}
            for row in package.rows(table["name"]):
                values = tuple(row[column] for column in columns)
                target = row if None in values else targets.get(values)
                yield row.place, target is not None, f"{', '.join(columns)} must be that of a row of {to}"
                same = table["name"] == "relations" or one_source(row, target or row)
                yield row.place, same, f"{', '.join(columns)} must be of the same source"


def check_order(package: Package) -> Conditions:
    """The rows of a table are in the order that the descriptor states as orderedBy; null comes first."""
    for table in package.csv:
        order, before = table.get("orderedBy", []), list[Any]()
        for row in package.rows(table["name"]):
            now = [(row[column] is not None, row[column]) for column in order]
            yield row.place, before <= now, f"is out of order: rows must be sorted by {', '.join(order)}"
            before = now


# ---- words of the articles ---------------------------------------------------------------------------------------


def check_spans(package: Package) -> Conditions:
    """Every span is of a record of its source, is as long as its words in each unit, and follows the part before it."""
    for span in package.rows("spans"):
        package.spans[span["record_id"], span["field"]].append(span)
    cut = bool(package.rows("tombstones"))  # words that were taken down are no longer shown around others
    for span in package.rows("spans"):
        place, words, start, end = span.place, span["exact"], span["start"], span["end"]
        record, field, part = span["record_id"], span["field"], span["part"]
        row = package.keyed[span["record_table"]].get(record)
        yield place, span["span_id"] == f"{record}.{field}.{part}", "span_id must be made of record_id, field and part"
        yield place, row is not None and one_source(span, row), "record must exist, and belong to the same source"
        evidence = record == span["source_id"] or (record, "evidence") in package.spans
        yield place, evidence, "record must have evidence"
        sizes = len(words), len(words.encode("utf-16-le")) // 2, len(words.encode())
        stated = end - start, span["end_utf16"] - span["start_utf16"], span["end_byte"] - span["start_byte"]
        yield place, sizes == stated, "each end must be as far from its start as exact is long in that unit"
        before = [s for s in package.spans[record, field] if s["part"] == part - 1 and s["end"] <= start]
        yield place, part == 1 or bool(before), "the part before it must exist, and end before it"
        around = [s for s in package.spans[record, "evidence"] if s["start"] <= start and end <= s["end"]]
        has_context = span["record_table"] in {"figures", "mentions"} and (field == "evidence" or not around)
        rest = package.keyed["sources"][span["source_id"]]["chars"] - end
        for column, room in (("prefix", min(32, start)), ("suffix", min(32, rest))):
            size, most = len(span[column] or ""), room if has_context else 0
            yield place, size == most or (cut and size < most), f"{column} must be as long as its description says"


def check_evidence(package: Package) -> Conditions:
    """The text and place of a mention, testimony or figure are those of its spans; so is the title of a source."""
    for table in ("mentions", "testimonies", "figures"):
        for key, row in package.keyed[table].items():
            stated = Passage(row["source_id"], row["text"], row["start"], row["end"], row.get("parts", 1))
            same = package.passage(key, "evidence") == stated
            yield row.place, same, "text, start and end must be those of its spans"
    for key, row in package.keyed["sources"].items():
        for field in ("title", "subtitle", "dateline"):
            passage = package.passage(key, field)
            yield row.place, row[field] == (passage and passage.text), f"{field} must be the words of its spans"


def check_seeds(package: Package) -> Conditions:
    """With --seeds: every article exists, with the checksum, the length and the number of words of its row."""
    yield DESCRIPTOR, not package.seeds or bool(package.rows("sources")), "must have sources to compare with --seeds"
    for row in package.rows("sources") if package.seeds else []:
        data = package.seed(row)
        yield row.place, data is not None, "seed_file must be in the folder of --seeds"
        text = (data or b"").decode()
        facts = (sha256(data or b"").hexdigest(), len(text), len(text.split()))
        same = (row["sha256"], row["chars"], row["words"]) == facts
        yield row.place, same or data is None, "sha256, chars and words must be those of its seed"


def check_quotations(package: Package) -> Conditions:
    """All quotations from an article fit one text, and match the article if it is given; each place is right.

    Without the article, its text is put together from what the tables quote: two quotations of one place must agree.
    """
    of = {table: grouped(package.rows(table), "source_id") for table in ("spans", "ledger", "waivers")}
    for key, source in package.keyed["sources"].items():
        spans = sorted(of["spans"][key], key=lambda span: span["start"])
        article, shown = Article(source["chars"], package.seed(source)), set[int]()
        for span in spans:
            words = (span["prefix"] or "") + span["exact"] + (span["suffix"] or "")
            start = span["start"] - len(span["prefix"] or "")
            shown.update(range(start, start + len(words)))
            same = article.add_and_agrees(start, words)
            yield span.place, same, "prefix, exact and suffix must be words of its source there"
            line = span["start"] - span["column"]
            same = line < 0 or article.add_and_agrees(line, "\n")
            yield span.place, same, "column must count from the start of its line"
        yield source.place, len(shown) == source["chars_revealed"], "chars_revealed must count what the spans show"
        for entry in of["ledger"][key]:
            same = article.add_and_agrees(entry["start"], entry["text"] or "")
            yield entry.place, same, "text must be words of its source there"
        page = "\n" + "".join(article.text) + "\n"  # so that every character has one before it and one after
        hidden = [waiver for waiver in of["waivers"][key] if waiver["text"] is None]
        for row in [*spans, *of["ledger"][key], *hidden]:
            whole = whole_words(page, row["start"], row["end"]) and row["end"] <= source["chars"]
            yield row.place, whole, "must start and end with a whole word of its source"
        yield from other_units(page, spans)


def whole_words(page: str, start: int, end: int) -> bool:
    """Return whether words start and end between two words, without a space at either end.

    `page` has a character more before the text, so that page[start : start + 2] are the last character before the words
    and their first one: "s t" of "is the" is such a place, and "he" of "the" is not.
    """
    first, last = page[start : start + 2], page[end : end + 2]
    inside_a_word = first.isalnum() or last.isalnum()
    starts_or_ends_with_space = first[1:].isspace() or last[:1].isspace()
    return start < end and not inside_a_word and not starts_or_ends_with_space


class Article:
    """What is known of the text of an article: all of it, or only what the tables quote; NUL is unknown."""

    def __init__(self, length: int, seed: bytes | None) -> None:
        """Begin with the seed, or with unknown characters."""
        self.text = list("\0" * min(length, LARGEST) if seed is None else seed.decode())

    def add_and_agrees(self, start: int, words: str) -> bool:
        """Add words that are quoted, and return whether they agree with all that is known."""
        known, end = self.text[start : start + len(words)], start + len(words)
        if start < 0 or end > len(self.text) or any(a not in ("\0", b) for a, b in zip(known, words)):
            return False
        self.text[start:end] = words
        return True


def other_units(page: str, spans: list[Row]) -> Conditions:
    """The start of each span in UTF-16 units, bytes, line and column follows from the characters before it.

    Of the characters since the span before, n may be unknown. A character is one unit of UTF-16 and one to three bytes,
    or two units and four bytes. If a of the n have two units, they are n + a units, at least (n - a) + 4 a = n + 3 a
    bytes, and at most 3 (n - a) + 4 a = 3 n + a bytes; with u = n + a units, that is 3 u - 2 n to u + 2 n bytes.
    """
    chars = units = octets = lines = 0
    for span in spans:
        known = page[chars + 1 : span["start"] + 1].replace("\0", "")
        unknown = span["start"] - chars - len(known)
        more_units = span["start_utf16"] - units - len(known.encode("utf-16-le")) // 2
        more_octets = span["start_byte"] - octets - len(known.encode())
        more_lines = span["line"] - 1 - lines - known.count("\n")
        fits = unknown <= more_units and 0 <= more_lines <= unknown
        fits = fits and 3 * more_units - 2 * unknown <= more_octets <= more_units + 2 * unknown
        yield span.place, fits, "start_utf16, start_byte and line must follow from the characters before it"
        line = page[max(0, span["start"] - span["column"] + 1) : span["start"] + 1]
        first = line.rfind("\n") == 0 and len(line) == span["column"]
        yield span.place, first, "column must count from the start of its line"
        chars, units, octets, lines = span["start"], span["start_utf16"], span["start_byte"], span["line"] - 1


# ---- persons ----------------------------------------------------------------------------------------------------


def check_speakers(package: Package) -> Conditions:
    """A speaker without a published name is protected; gender and request rest on words of a mention."""
    mentions = grouped(package.rows("mentions"), "speaker_id")
    for key, row in package.keyed["speakers"].items():
        may_be, partial = row["pseudonym_possible"], row["anonymity"] == "partial"
        fits = may_be == (partial and (may_be or row["role"] in {"defector", "relative"}))
        yield row.place, fits, "pseudonym_possible must be true for one name of a defector or relative"
        protected = row["anonymity"] in {"withheld", "unnamed"} or may_be
        yield row.place, row["protected"] == protected, "protected must be true if the name is withheld or not given"
        yield row.place, may_be or not (protected and row["name"]), "name must be empty for a protected person"
        same = (row["anonymity"] != "not_applicable") == (row["kind"] == "person")
        yield row.place, same, "anonymity must be not_applicable for everything except persons"
        for field in ("gender", "request"):
            attested = any((m["mention_id"], field) in package.spans for m in mentions[key])
            same = (row[field] is not None) == attested
            yield row.place, same, f"{field} must rest on words of a mention, and they on it"


MUST_BE_EMPTY = {
    "speakers": "gender note",
    "mentions": "rank age years_of_service affiliation",
    "testimonies_joined": "speaker_gender mention_rank mention_age mention_years_of_service mention_affiliation",
}
QUOTED = {"text", "exact", "prefix", "suffix", "title", "subtitle", "dateline", "source_title"}  # may look like ids


def check_protected(package: Package) -> Conditions:
    """Of a protected person no name but a pseudonym, gender, age, rank, affiliation or note is published."""
    speakers = {key: row for key, row in package.keyed["speakers"].items() if row["protected"]}
    for table, names in MUST_BE_EMPTY.items():
        for row in package.rows(table):
            filled = [name for name in names.split() if row[name] is not None]
            empty = not filled or row["speaker_id"] not in speakers
            yield row.place, empty, f"{', '.join(filled)} must be empty for a protected person"
    for key, row in speakers.items():
        plain = re.fullmatch(rf"{row['source_id']}-speaker-[1-9][0-9]*", key) is not None
        yield row.place, plain, "speaker_id of a protected person must be made of source_id and a number"
    for rows in package.tables.values():
        for row in rows:
            named = {cell for name, cell in row.items() if name not in QUOTED and "-speaker-" in str(cell)}
            named = speakers.keys() & {word for cell in named for word in re.findall("[a-z0-9-]+", cell)}
            within = all(one_source(row, speakers[name]) for name in named)
            yield row.place, within, "must not name a protected person of another source"


def check_mentions(package: Package) -> Conditions:
    """Rank, affiliation, age and years of service of a mention are in its words; numbers as far as they can be read."""
    for row in package.rows("mentions"):
        for column in ("rank", "affiliation"):
            yield row.place, (row[column] or "") in row["text"], f"{column} must be words of text"
        numbers = numbers_in(row["text"])
        for column in ("age", "years_of_service"):
            read = row[column] is None or numbers is None or row[column] in numbers
            yield row.place, read, f"{column} must be a number in text"


# ---- testimonies ------------------------------------------------------------------------------------------------


def check_testimonies(package: Package) -> Conditions:
    """The role of a testimony is that of its speaker, and its themes are those of testimony_themes."""
    themes: dict[str, list[str]] = defaultdict(list)
    for row in package.rows("testimony_themes"):
        themes[row["testimony_id"]].append(row["theme"])
        named = row["testimony_theme_id"] == f"{row['testimony_id']}.{row['theme']}"
        yield row.place, named, "testimony_theme_id must be made of testimony_id and theme"
    for key, row in package.keyed["testimonies"].items():
        role = package.keyed["speakers"][row["speaker_id"]]["role"]
        yield row.place, row["speaker_role"] == role, "speaker_role must be the role of its speaker"
        same = "testimony_themes" not in package.tables or sorted(row["themes"].split(";")) == sorted(themes[key])
        yield row.place, same, "themes must be those of testimony_themes"


def check_joined(package: Package) -> Conditions:
    """A row of testimonies_joined has the cells of the testimony, its speaker, their first mention and its source.

    Columns from other tables have a prefix: speaker_name is the name in speakers. Columns without one are those of
    testimonies.
    """
    first: dict[tuple[str, str], Row] = {}
    for mention in sorted(package.rows("mentions"), key=lambda row: (row["start"], row["end"], row["mention_id"])):
        first.setdefault((mention["speaker_id"], mention["source_id"]), mention)
    for key, testimony in package.keyed["testimonies"].items() if "testimonies_joined" in package.tables else []:
        speaker, source = testimony["speaker_id"], testimony["source_id"]
        mention = first.get((speaker, source), Row())
        parents = {"speaker": package.keyed["speakers"][speaker], "source": package.keyed["sources"][source]}
        cells = {f"mention_{column}": cell for column, cell in mention.items()}
        cells.update((f"{name}_{column}", cell) for name, row in parents.items() for column, cell in row.items())
        cells.update(testimony, mention_id=mention.get("mention_id"))
        joined = package.keyed["testimonies_joined"].get(key, Row())
        yield testimony.place, bool(joined), "must have a row in testimonies_joined"
        wrong = [column for column, cell in joined.items() if cell != cells.get(column)]
        yield getattr(joined, "place", ""), not wrong, f"{', '.join(wrong)} must be as in the table that it is from"


# ---- figures ----------------------------------------------------------------------------------------------------

# Which of low, value and high a figure has, by its hedge.
GIVEN = {"exact": "value", "about": "value", "nearly": "value high", "less_than": "value high", "range": "low high"}
GIVEN.update(up_to="value high", more_than="low value", at_least="low value", vague="low")


def check_figures(package: Package) -> Conditions:
    """A figure has the numbers that its hedge gives; they are in its words, as far as numbers can be read."""
    for row in package.rows("figures"):
        given = {column: row[column] for column in ("low", "value", "high") if row[column] is not None}
        hedged = given.keys() == {*GIVEN[row["hedge"]].split()}
        yield row.place, hedged, "low, value and high must be filled as its hedge requires"
        exact = row["hedge"] != "exact" or row["interval_low"] == row["interval_high"] == row["value"]
        yield row.place, exact, "interval_low and interval_high must be the number, if the hedge is exact"
        numbers = list(given.values())
        equal = numbers == sorted(numbers) and (row["hedge"] == "range" or len({*numbers}) == 1)
        yield row.place, equal, "low, value and high must be the same number, or a range in order"
        read = None if row["override"] or row["hedge"] == "vague" else numbers_in(row["text"])
        yield row.place, read is None or read.issuperset(numbers), "numbers must be in text, or have an override"
        spans = package.spans.get((row["testimony_id"], "evidence"), [])
        inside = any(span["start"] <= row["start"] and row["end"] <= span["end"] for span in spans)
        yield row.place, inside or not row["testimony_id"], "words must be inside those of its testimony"


def check_dates(package: Package) -> Conditions:
    """The first day that a date can mean is not after the last."""
    for table, column in (("sources", "published"), ("figures", "as_of")):
        for row in package.rows(table):
            first, last = row[f"{column}_from"], row[f"{column}_to"]
            yield row.place, not first or not last or first <= last, f"{column}_from must not be after {column}_to"


def check_used(package: Package) -> Conditions:
    """A term of a vocabulary is used as often as it says, and a measure only with its units."""
    terms = {"themes": ("testimony_themes", "theme"), "measures": ("figures", "measure")}
    for table, (user, column) in {**terms, "populations": ("figures", "population")}.items():
        used = Counter(row[column] for row in package.rows(user))
        for term, row in package.keyed[table].items() if user in package.tables else []:
            yield row.place, row["used"] == used[term], f"used must count the rows of {user} with this term"
    for row in package.rows("figures"):
        units = package.keyed["measures"].get(row["measure"], Row()).get("units")
        yield row.place, not units or row["unit"] in units.split(";"), "unit must be one of those of its measure"


# How times may relate, by whether each is given.
TIMES = {(False, False): "undated", (False, True): "a_undated", (True, False): "b_undated"}
TIMES[True, True] = "equal a_within_b b_within_a overlap apart"


def check_comparisons(package: Package) -> Conditions:
    """Every two figures of a measure are compared once, and each verdict follows from their intervals and times."""
    figures, wanted = package.keyed["figures"], {}
    for measure, rows in grouped(package.rows("figures"), "measure").items():
        wanted.update(dict.fromkeys(combinations(sorted(row["figure_id"] for row in rows), 2), measure))
    for row in package.rows("comparisons"):
        pair = (row["figure_a"], row["figure_b"])
        known = wanted.pop(pair, None) == row["measure"] and row["comparison_id"] == ".".join(pair)
        yield row.place, known, "must compare two figures of its measure, in the order of their ids"
        a, b = figures[pair[0]], figures[pair[1]]
        yield row.place, row["same_source"] == one_source(a, b), "same_source must follow from the two figures"
        measure = package.keyed["measures"].get(row["measure"], Row())
        times = "constant" if measure.get("constant") else TIMES[bool(a["as_of"]), bool(b["as_of"])]
        yield row.place, row["times"] in times.split(), "times must follow from the two figures"
        verdict = verdict_on(a, b, row["times"]) if measure.get("comparable", True) else "not_comparable"
        yield row.place, row["verdict"] == verdict, "verdict must follow from the two figures"
    complete = not wanted or "comparisons" not in package.tables
    yield DESCRIPTOR, complete, "comparisons must compare each two figures of a measure"


def verdict_on(a: Row, b: Row, times: str) -> str:
    """Return the verdict on two figures of a measure."""
    if (a["unit"], a["population"]) != (b["unit"], b["population"]) or times == "apart":
        return "not_comparable"
    if a["hedge"] == b["hedge"] == "vague":
        return "compatible"
    (low_a, high_a), (low_b, high_b) = ends(a), ends(b)
    within = low_a >= low_b and high_a <= high_b and times not in {"b_within_a", "overlap", "a_undated"}
    around = low_b >= low_a and high_b <= high_a and times not in {"a_within_b", "overlap", "b_undated"}
    if ends(a) == ends(b):
        return "same"
    if within or around:
        return "entails"
    if max(low_a, low_b) < min(high_a, high_b):  # (3, False) < (3, True): both include 3
        return "compatible"
    (low_a, high_a), (low_b, high_b) = ends(a, rounded=True), ends(b, rounded=True)
    if max(low_a, low_b) < min(high_a, high_b):
        return "agrees_rounded"
    return "differs_undated" if times.endswith("undated") else "conflicts"


def ends(figure: Row, *, rounded: bool = False) -> Any:
    """Return the lowest number that a figure allows and if it is open, and the highest one and if it is closed."""
    if rounded and figure["rounded_low"] is not None:
        return (figure["rounded_low"], False), (figure["rounded_high"], True)
    low, high = figure["interval_low"], figure["interval_high"]
    low, high = float("-inf") if low is None else low, float("inf") if high is None else high
    return (low, figure["low_open"]), (high, not figure["high_open"])


def check_summary(package: Package) -> Conditions:
    """Each measure has one summary, of its figures that can be compared with a figure of another source."""
    figures, comparisons = (grouped(package.rows(table), "measure") for table in ("figures", "comparisons"))
    complete = "measure_summary" not in package.tables or figures.keys() == package.keyed["measure_summary"].keys()
    yield DESCRIPTOR, complete, "measure_summary must have a row for each measure that figures have"
    for measure, row in package.keyed["measure_summary"].items() if "comparisons" in package.tables else []:
        pairs = [pair for pair in comparisons[measure] if pair["verdict"] != "not_comparable"]
        across = [pair for pair in pairs if not pair["same_source"]]
        names = {pair[column] for pair in across for column in ("figure_a", "figure_b")}
        of = [figure for figure in figures[measure] if figure["figure_id"] in names]
        alike = len(of) == len(figures[measure]) and len(pairs) == len(of) * (len(of) - 1) // 2
        source_of = {figure["figure_id"]: figure["source_id"] for figure in of}
        sources = {(pair["verdict"], *sorted(source_of[pair[c]] for c in ("figure_a", "figure_b"))) for pair in across}
        counts = Counter(verdict for verdict, *_ in sources)
        facts: dict[str, Any] = {"figures": len(figures[measure]), "compared_figures": len(of)}
        facts["sources"] = len({figure["source_id"] for figure in figures[measure]})
        facts["earliest"] = min((figure["as_of_from"] for figure in of if figure["as_of_from"]), default=None)
        facts["latest"] = max((figure["as_of_to"] for figure in of if figure["as_of_to"]), default=None)
        facts["verdicts"] = ";".join(f"{verdict} {number}" for verdict, number in sorted(counts.items())) or None
        if not alike or {figure["hedge"] for figure in of} <= {"exact"}:
            values = [figure["value"] for figure in of if alike]
            facts.update(lowest=min(values, default=None), highest=max(values, default=None))
        wrong = [column for column, fact in facts.items() if row[column] != fact]
        yield row.place, not wrong, f"{', '.join(wrong)} must be those of the figures of its measure"
        fewer = bool(of) <= row["independent_sources"] <= len({figure["source_id"] for figure in of})
        yield row.place, fewer, "independent_sources must not be more than sources"


def check_relations(package: Package) -> Conditions:
    """Every relation is between figures that exist."""
    for row in package.rows("relations"):
        exist = package.keyed["figures"].keys() >= {row["result"], *row["operands"].split(";")}
        yield row.place, exist, "result and operands must be figures that exist"


# ---- completeness -----------------------------------------------------------------------------------------------


def check_waivers(package: Package) -> Conditions:
    """Every waiver has the words of its spans, an entry in the ledger and, for a repeat, the record it repeats."""
    in_ledger = {row["record_id"] for row in package.rows("ledger")}
    for key, row in package.keyed["waivers"].items():
        text, passage, number = row["text"], package.passage(key, "evidence"), row["occurrences"]
        secret = row["reason"] == "protected_attribute"
        yield row.place, (text is None) == secret, "text must be empty for a protected attribute, and only then"
        yield row.place, (passage is None) == secret, "must have spans, and none for a protected attribute"
        if passage and text:
            words = [span["exact"] for span in package.spans[key, "evidence"]]
            same = passage.text == text if number == 1 else len(words) == number and {*words} == {text}
            yield row.place, same, "text and occurrences must be those of its spans"
            same = (row["source_id"], row["start"], row["end"]) == (passage.source, passage.start, passage.end)
            yield row.place, same, "start and end must be those of its spans"
        repeated = package.keyed[row["repeats_table"]].get(row["repeats_id"])
        named = repeated is not None and one_source(row, repeated)
        if row["reason"] != "repeat":
            named = (row["repeats_table"], row["repeats_id"]) == (None, None)
        yield row.place, named, "repeats_table and repeats_id must name the record that it repeats, or be empty"
        yield row.place, key in in_ledger or "ledger" not in package.tables, "must have an entry in the ledger"


def check_ledger(package: Package) -> Conditions:
    """Every entry of the ledger is inside the words of a record of its source, and its status follows from it."""
    places = defaultdict[Any, list[tuple[int, int]]](list)
    for span in package.rows("spans"):
        places[span["record_id"], span["source_id"]].append((span["start"], span["end"]))
    for key, waiver in package.keyed["waivers"].items():
        if waiver["text"] is None:
            places[key, waiver["source_id"]].append((waiver["start"], waiver["end"]))
    # A record of any other table covers its entries.
    status_of = {None: {"withdrawn"}, "waivers": {"waived"}, "sources": {"boilerplate"}}
    for row in package.rows("ledger"):
        place, table, record, start, end = row.place, row["record_table"], row["record_id"], row["start"], row["end"]
        named = row["ledger_id"] == f"{row['source_id']}.{start}.{row['kind']}"
        yield place, named, "ledger_id must be made of source_id, start and kind"
        yield place, row["status"] in status_of.get(table, {"covered"}), "status must follow from its record_table"
        exists = record in package.keyed[table] if table else record is None
        yield place, exists, "record_table and record_id must name a record that exists"
        inside = any(first <= start and end <= last for first, last in places[record, row["source_id"]])
        yield place, inside or record is None, "must be inside the words of its record"
        waiver = package.keyed["waivers"].get(record, Row())
        yield place, row["reason"] == waiver.get("reason"), "reason must be that of its waiver"
        secret = row["status"] == "withdrawn" or row["reason"] == "protected_attribute"
        sized = row["text"] is None if secret else len(row["text"] or "") == end - start
        yield place, sized, "text must be as long as its place, and empty if it is withdrawn or protected"


NUMBER_ALONE = re.compile(r"(?<![^ \t\n])[1-9][0-9]*(?:,[0-9]{3})*(?![^ \t\n])")
QUOTATION = re.compile(r"(?<![^ \t\n])[\"“](?=[^\W_])")


def check_completeness(package: Package) -> Conditions:
    """With --seeds: every number that is alone, and every quotation that opens with a double mark, is in the ledger."""
    quotations, numbers = defaultdict[str, set[int]](set), defaultdict[str, set[int]](set)
    for row in package.rows("ledger"):
        if row["kind"] == "quotation":
            quotations[row["source_id"]].add(row["start"])
        else:
            # A package may state any end: no more than 1,000 characters are taken up for one number.
            numbers[row["source_id"]].update(range(row["start"], min(row["end"], row["start"] + 1000)))
    for key, source in package.keyed["sources"].items() if "ledger" in package.tables else []:
        text = (package.seed(source) or b"").decode()
        lost = sum(found.start() not in numbers[key] for found in NUMBER_ALONE.finditer(text))
        lost += sum(found.end() not in quotations[key] for found in QUOTATION.finditer(text))
        yield source.place, not lost, f"every number and quotation must be in the ledger; {lost} are not"


def check_provenance(package: Package) -> Conditions:
    """Every row of provenance is about a cell that exists, and the spans that it names exist."""
    for row in package.rows("provenance"):
        table, column, record = row["table"], row["column"], row["record_id"]
        name = ".".join(filter(None, (table, column, record)))
        # A shared speaker's cell has a row for each source that mentions the speaker.
        named = row["provenance_id"] in (name, f"{name}.{row.get('source_id')}")
        yield row.place, named, "provenance_id must be made of table, column and record_id"
        cell = package.keyed[table].get(record, Row())
        exists = not record or table not in package.tables or (column in cell and one_source(row, cell))
        yield row.place, exists, "must be about a cell that exists, of its source"
        spans = row["spans"].split(";") if row["spans"] else []
        yield row.place, all(span in package.keyed["spans"] for span in spans), "spans must exist"


def check_tombstones(package: Package) -> Conditions:
    """No record that was taken down exists."""
    for row in package.rows("tombstones"):
        gone = row["record_id"] not in package.keyed[row["record_table"]]
        yield row.place, gone, "the record was taken down, and must not exist"


# ---- numbers in English words ------------------------------------------------------------------------------------

# The verifier must not refuse a number that the builder reads in another way. So what is not simple is not read.
SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
WORDS = {word: float(n) for n, word in enumerate(f"{SMALL} seventeen eighteen nineteen".split())}
TENS = {f"{ten}ty": 10.0 * n for n, ten in enumerate("twen thir for fif six seven eigh nine".split(), 2)}
SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
SCALES_OR = "|".join(SCALES)
SHORT = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9}
DIGITS = re.compile(  # 1,400  2.5  .5  13k  1.2 million
    r"((?<![0-9])\.[0-9]+|[0-9]{1,3}(?:[,\u00a0\u202f\u2009][0-9]{3})+(?![0-9])(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?)"
    rf"(?:(k|m|mn|bn)\b|[\s-]?({SCALES_OR})\b)?"
)
NOT_SIMPLE = re.compile(  # words that make a number out of several, or in more ways than one
    r"[½¼¾⅓⅔/！-～]|\b(half|halves|quarters?|thirds?|(four|fif|six|seven|eigh|nin|ten|eleven|twelf|[a-z]+teen|[a-z]+tie)ths?"
    rf"|once|twice|thrice|minus|[a-z]*fold|(doubl|tripl|trebl|quadrupl|quintupl|halv)[a-z]+|couple|out|every|point|decades?|dozens?|scores?|tens|({SCALES_OR})(s|ths?))\b"
    rf"|\bin[\s-]+([0-9]|{'|'.join([*WORDS, *TENS])})|[a-z][0-9]|[0-9](?!(k|m|mn|bn)\b)[a-z]"
    r"|[0-9]['’ .][0-9]{3}(?![0-9])|[0-9] (mn|mln|bn|bln|tn|trn)\b|(?<![a-z0-9])[-−][0-9]"  # 10 000; 5 bn; -5
    r"|(?<![\s0-9$€£(])(?!\A)\.[0-9]|\.[0-9]+\.[0-9]"  # a point after a word or mark; 1.2.3
)


def numbers_in(text: str) -> set[float] | None:
    """Return the numbers that English words state, in digits or in simple words; None if they are not simple.

    None means that a figure is not compared with its words. Examples: "about 1,400 soldiers" gives 1400, "forty-two"
    40, 2 and 42, "1.2 million" 1200000, "5 to 7 million" 5, 7, 5000000 and 7000000, "a dozen" None, "2nd" None.
    """
    text = text.casefold()
    words = set(re.findall("[a-z]+", DIGITS.sub(" ", text)))
    scales = {SCALES[scale] for _, _, scale in DIGITS.findall(text) if scale}
    if NOT_SIMPLE.search(text) or words & SCALES.keys() or (scales and words & {*WORDS, *TENS}):
        return None  # "two hundred and ten", "3 million twenty"
    found = {WORDS[word] for word in words & WORDS.keys()} | ({1.0} if words & {"a", "an"} else set())
    found |= {TENS[ten] + unit for ten in words & TENS.keys() for unit in {0.0, *found} if unit < 10}  # noqa: PLR2004
    for digits, short, scale in DIGITS.findall(text):
        number, own = float(re.sub("[^0-9.]", "", digits)), SHORT.get(short) or SCALES.get(scale)
        found |= {number * own} if own else {number, *(number * other for other in scales)}  # 5 to 7 million
    return {round(number, 6) for number in found}


if __name__ == "__main__":
    raise SystemExit(main())
