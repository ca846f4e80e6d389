"""Verify a published package with none of the code that built it, and with nothing installed.

`python verify.py [--seeds DIR] [DIR]` prints each fault as `file:row: sentence`, and never a cell; row 1 is the header.
Quotations must make one text; with `--seeds`, the folder of the articles, it is the article's own text.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from itertools import chain, repeat
from pathlib import Path
from typing import Any

Checks = Iterator[tuple[str, str, Any]]  # what is checked, what must be so, and whether it is
DESCRIPTOR, SUMS, SHOWN, LARGEST = "datapackage.json", "SHA256SUMS", 20, 1 << 24  # fault lines; characters
COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
FORMS = {"integer": "0|-?[1-9][0-9]{0,14}", "boolean": "true|false", "date": "[0-9]{4}-[0-9]{2}-[0-9]{2}"}
FORMS |= {"number": r"(?!-0$)-?(0|[1-9][0-9]{0,14})(\.[0-9]{0,14}[1-9])?", "string": "[^\x00-\x08\x0b-\x1f\x7f-\x9f]*"}
PATTERN = re.compile(r"\^(\[[\w.-]+\])?\[[\w.-]+\]([+*]|{[\d,]{1,5}})?(\([-_]\[(a-z|A-Z|0-9)+\]([+*]|{\d,\d})\)\*)?\$")
# `said` joins the spans of a field, `held` has the places of records, `claims` is what spans and ledger tell of a text.
VIEWS = """CREATE TABLE said AS SELECT record_id, source_id, field, group_concat(exact, ' […] ') AS text,
min(start) AS start, max([end]) AS [end], count(*) AS parts FROM (SELECT * FROM spans ORDER BY part) GROUP BY 1, 2, 3;
CREATE TABLE held AS SELECT record_id, source_id, start low, [end] high, [row] FROM spans
UNION SELECT waiver_id, source_id, start, [end], [row] FROM waivers WHERE text IS NULL
UNION SELECT NULL, source_id, start, [end], [row] FROM ledger; CREATE TABLE cut AS SELECT 1 FROM tombstones;
CREATE TABLE claims AS SELECT source_id, [row], start, ifnull(text, '') text, 0 shown FROM ledger
UNION ALL SELECT source_id, [row], start - [column], char(10), 0 FROM spans WHERE [column] <= start UNION ALL SELECT
source_id, [row], start - length(ifnull(prefix, '')), ifnull(prefix, '') || exact || ifnull(suffix, ''), 1 FROM spans"""
RULES = """sources: coalesce(published_from <= published_to, 1); title IS (SELECT text FROM said WHERE record_id =
  sources.source_id AND field = 'title'); subtitle IS (SELECT text FROM said WHERE record_id = sources.source_id AND
  field = 'subtitle'); dateline IS (SELECT text FROM said WHERE record_id = sources.source_id AND field = 'dateline')
speakers: protected = (anonymity IN ('withheld', 'unnamed')); (kind = 'person') = (anonymity <> 'not_applicable');
  NOT protected OR coalesce(name, gender, note) IS NULL AND source_id IS NOT NULL;
  gender IS NULL OR speaker_id IN (SELECT speaker_id FROM mentions, spans ON span_id = mention_id || '.gender.1')
mentions: (mention_id, source_id, 'evidence', text, start, [end], 1) IN said; instr(text, coalesce(rank, ''));
  instr(text, coalesce(affiliation, '')); coalesce(rank, age, years_of_service, affiliation) IS NULL
  OR speaker_id IN (SELECT speaker_id FROM speakers WHERE NOT protected)
testimonies: (testimony_id, source_id, 'evidence', text, start, [end], parts) IN said; testimony_id IN (SELECT
  testimony_id FROM testimonies_joined); (speaker_id, speaker_role) IN (SELECT speaker_id, role FROM speakers);
  (testimony_id, length(themes)) IN (SELECT testimony_id, sum(length(theme) + 1) - 1 FROM testimony_themes GROUP BY 1)
testimonies_joined: (testimony_id, text, speaker_id) IN (SELECT testimony_id, text, speaker_id FROM testimonies)
testimony_themes: testimony_theme_id = testimony_id || '.' || theme;
  testimony_id IN (SELECT testimony_id FROM testimonies WHERE instr(';' || themes || ';', ';' || theme || ';'))
figures: (figure_id, source_id, 'evidence', text, start, [end], 1) IN said; coalesce(as_of_from <= as_of_to, 1);
  testimony_id IS NULL OR testimony_id IN (SELECT record_id FROM held WHERE start >= low AND [end] <= high);
  coalesce(low <= value, 1) AND coalesce(value <= high, 1) AND coalesce(low <= high, 1)
spans: span_id = record_id || '.' || field || '.' || part; length(CAST(exact AS BLOB)) = end_byte - start_byte;
  (record_table, record_id) IN records; length(exact) = [end] - start; utf16(exact) = end_utf16 - start_utf16;
  record_id = source_id OR (record_id, source_id) IN (SELECT record_id, source_id FROM said WHERE field = 'evidence');
  part = 1 OR (record_id, field, part - 1) IN (SELECT record_id, field, part FROM spans b WHERE b.[end] <= spans.start);
  min(32, start) * (record_table IN ('figures', 'mentions')) - length(ifnull(prefix, '')) BETWEEN 0 AND 32 * (1 IN cut);
  (SELECT min(32, chars - [end]) FROM sources s WHERE s.source_id = spans.source_id) * (record_table IN ('figures',
  'mentions')) - length(ifnull(suffix, '')) BETWEEN 0 AND 32 * (1 IN cut)
measures: used = (SELECT total(';'||ifnull(units, unit)||';' LIKE '%;'||unit||';%') FROM figures WHERE measure = term)
populations: used = (SELECT count(*) FROM figures WHERE population = term)
themes: used = (SELECT count(*) FROM testimony_themes WHERE theme = term)
waivers: (text IS NULL) = (reason = 'protected_attribute'); waiver_id IN (SELECT record_id FROM ledger);
  waiver_id NOT IN (SELECT record_id FROM spans WHERE exact IS NOT text);
  text IS NULL OR (waiver_id, start, [end], occurrences) IN (SELECT record_id, start, [end], parts FROM said);
  CASE reason WHEN 'repeat' THEN (of_table, of_id) IN records ELSE coalesce(of_table, of_id) IS NULL END
provenance: ifnull(spans LIKE '%;%' OR spans IN (SELECT span_id FROM spans b), 1)
ledger: ledger_id = source_id || '.' || start || '.' || kind; reason IS (SELECT w.reason FROM waivers w WHERE
  waiver_id = record_id); ifnull((record_table, record_id) IN records, status = 'withdrawn'); status = CASE
  ifnull(record_table, '') WHEN '' THEN 'withdrawn' WHEN 'sources' THEN 'furniture' WHEN 'waivers' THEN 'waived'
  ELSE 'covered' END; CASE WHEN status = 'withdrawn' OR reason = 'protected_attribute' THEN text IS NULL ELSE
  length(text) = [end] - start END; ifnull((record_id, source_id) IN (SELECT record_id, source_id FROM held
  WHERE start >= low AND [end] <= high), 1)""".replace("\n  ", " ")


def value_of(cell: str, field: dict[str, Any]) -> tuple[Any, Any]:
    """Return a cell's value, and whether it keeps to its column; a pattern that could run for ever is not followed."""
    limits, kind = field["constraints"], field["type"]
    if not cell or not re.fullmatch(FORMS[kind], cell):
        return None, not cell and not limits["required"]
    value = cell if kind in {"string", "date"} else json.loads(cell)
    bounded = limits.get("minimum", value) <= value <= limits.get("maximum", value)
    listed, pattern = value in limits.get("enum", [value]), limits.get("pattern")
    return value, bounded and listed and (not pattern or (PATTERN.fullmatch(pattern) and re.fullmatch(pattern, value)))


def files_of(folder: Path, files: dict[str, bytes], tables: list[dict[str, Any]]) -> Checks:
    """Every file has its line in SHA256SUMS and its resource in the descriptor, and every table has a twin."""
    stated_sums = (folder / SUMS).read_bytes()  # first of all: a folder without it is no package, and may be large
    for path in sorted(folder.rglob("*")):
        name, plain = path.relative_to(folder).as_posix(), path.name[0] != "." and not path.is_symlink()
        files.update({name: path.read_bytes()} if plain and path.is_file() else {})
        yield name, "must be a file, or a folder of files", plain and (name in files or any(path.iterdir()))
    sums = [f"{sha256(data).hexdigest()}  {name}\n" for name, data in sorted(files.items()) if name != SUMS]
    yield SUMS, "must be the SHA-256 and path of each other file, by path", stated_sums == "".join(sums).encode()
    resources = json.loads(files[DESCRIPTOR].decode(), parse_int=float)["resources"]
    there = {name: (len(data), f"sha256:{sha256(data).hexdigest()}") for name, data in files.items()}
    stated = {resource["path"]: (resource["bytes"], resource["hash"]) for resource in resources}
    for name in sorted({*there, *stated} - {SUMS, DESCRIPTOR}):
        yield name, f"must be there, and be as {DESCRIPTOR} describes it", there.get(name) == stated.get(name)
    once = len(resources) == len(stated) == len({resource["name"] for resource in resources})
    tables += [resource for resource in resources if resource.get("type") == "table"]
    twins = {twin["alternateOf"]: twin["logicalHash"] for twin in resources if "alternateOf" in twin}
    same = twins == {table["name"]: table["logicalHash"] for table in tables}
    yield DESCRIPTOR, "must have each path and name once, and a twin of each table with its logicalHash", once and same


def cells_of(files: dict[str, bytes], tables: list[dict[str, Any]], db: sqlite3.Connection) -> Checks:
    """A table is CSV, has the columns of its schema, and cells that keep to their column."""
    csv.field_size_limit(LARGEST)
    for table in tables:
        path, fields, text = table["path"], table["schema"]["fields"], files[table["path"]].decode()
        lines = list(csv.reader((f"{line}\n" for line in text.split("\n")[:-1]), strict=True))
        yield path, "must end each line in a line feed alone", text.endswith("\n") and "\r" not in text
        yield path, "must have the columns of its schema", lines[0] == [field["name"] for field in fields]
        plain = "".join(COMPACT.encode([cell or None for cell in line]) + "\n" for line in lines)
        yield path, "must have its logicalHash", table["logicalHash"] == f"sha256:{sha256(plain.encode()).hexdigest()}"
        db.execute(f"CREATE TABLE [{table['name']}] ([row], [{'], ['.join(lines[0])}])")
        for number, line in enumerate(lines[1:], 2):
            here, (values, kept) = f"{path}:{number}", zip(*map(value_of, line, fields))
            yield here, "must have a cell for each column", len(line) == len(fields)
            for f, so in zip(fields, kept):
                yield here, f"{f['name']} must be {f['type']} {f['constraints']}", so
            db.execute(f"INSERT INTO [{table['name']}] VALUES (?{', ?' * len(values)})", [here, *values])
            db.execute("INSERT INTO records VALUES (?, ?)", [table["name"], line[0]])


def rows_of(tables: list[dict[str, Any]], db: sqlite3.Connection) -> Checks:
    """Keys lead to one row, rows are in the declared order, and each row keeps the rules of its table."""
    db.create_function("utf16", 1, lambda words: len(words.encode("utf-16-le")) // 2)
    db.executescript(VIEWS)
    named, promised = "], [".join, dict(line.split(": ", 1) for line in RULES.split("\n"))
    for table in tables:
        name, fields, order = table["name"], table["schema"]["fields"], named(table["orderedBy"])
        rules = promised.get(name, "1").split("; ")
        rules += [f"rowid = 1 OR ([{order}]) > (SELECT [{order}] FROM [{name}] b WHERE b.rowid = [{name}].rowid - 1)"]
        rules += [f"date([{f['name']}], '0 days') IS [{f['name']}]" for f in fields if f["type"] == "date"]
        for key in {*table["schema"]["primaryKey"], *(f["name"] for f in fields if f["constraints"].get("unique"))}:
            rules += [f"[{key}] IN (SELECT [{key}] FROM [{name}] GROUP BY 1 HAVING count(*) = 1)"]
        for own, to in ((named(key["fields"]), key["reference"]) for key in table["schema"].get("foreignKeys", [])):
            rules += [f"coalesce(([{own}]) IN (SELECT [{named(to['fields'])}] FROM [{to['resource']}]), 1)"]
        for rule in rules:
            yield from db.execute(f"SELECT [row], ?, ({rule}) FROM [{name}]", [f"it must be that {rule}"])


def texts_of(db: sqlite3.Connection, seeds: Path | None) -> Checks:
    """All that is quoted of a source is one text, in which every place is right in every unit."""
    columns = "[row], source_id, chars_revealed, seed_file, sha256, chars, words"
    for here, source, revealed, file, *facts in db.execute(f"SELECT {columns} FROM sources").fetchall():
        claims = db.execute("SELECT [row], start, text, shown FROM claims WHERE source_id = ?", [source]).fetchall()
        if seeds:
            data = (seeds / file).read_bytes()
            claims.insert(0, (here, 0, data.decode(), 0))
            found = [sha256(data).hexdigest(), len(data.decode()), len(data.decode().split())]
            yield here, "sha256, chars and words must be those of the seed", facts == found
        text, seen, last = dict[int, str](), set[int](), [0, 0, 0, 0]
        for row, start, words, shown in claims:
            yield row, "must quote its source", all(text.setdefault(i, c) == c for i, c in enumerate(words, start))
            seen.update(range(start, start + shown * len(words)))
        yield here, "chars_revealed must count what is shown", len(seen) == revealed
        page = "\n" + "".join(text.get(place, "\0") for place in range(min(facts[1], LARGEST))) + "\n"
        for row, start, end in db.execute("SELECT [row], low, high FROM held WHERE source_id = ?", [source]):
            torn = any(w.isalnum() or w[1:].isspace() for w in (page[start : start + 2], page[end : end + 2][::-1]))
            yield row, "must start and end with a whole word of its source", start < end <= facts[1] and not torn
        marks = "SELECT [row], [column], start, start_utf16, start_byte, line - 1 FROM spans WHERE source_id = ?"
        for row, column, *mark in db.execute(marks + " ORDER BY start", [source]):
            known = page[last[0] + 1 : mark[0] + 1].replace("\0", "")
            sizes = (len(known), len(known.encode("utf-16-le")) // 2, len(known.encode()), known.count("\n"))
            more, units, octets, feeds = (b - a - size for a, b, size in zip(last, mark, sizes))
            fits = more <= units and 3 * units - 2 * more <= octets <= 2 * more + units and 0 <= feeds <= more
            led, last = page[mark[0] - column + 1 : mark[0] + 1].rfind("\n") == 0, mark
            yield row, "start in other units, line and column must follow from the words before", fits and led


def main(arguments: list[str] | None = None) -> int:
    """Print the faults of a package and what was checked; return 0 if there are none, and 1 if there are."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("folder", metavar="DIR", nargs="?", type=Path, default=Path(__file__).parent)
    parser.add_argument("--seeds", metavar="DIR", type=Path)
    given, place, faults, asked = parser.parse_args(arguments), SUMS, list[str](), 0
    files, tables, db = dict[str, bytes](), list[dict[str, Any]](), sqlite3.connect(":memory:")
    db.execute("CREATE TABLE records (record_table, record_id)")
    db.set_progress_handler(repeat(0, SHOWN).__next__, 1 << 26)  # ends what would take minutes
    stages = (files_of(given.folder, files, tables), cells_of(files, tables, db), rows_of(tables, db))
    try:
        for asked, (place, sentence, so) in enumerate(chain(*stages, texts_of(db, given.seeds)), 1):  # noqa: B007
            faults += [] if so else [f"{place}: {sentence}"]
    except Exception as error:  # noqa: BLE001  # a stranger's package may be anything
        faults += [f"{place}: here or next, something cannot be checked ({type(error).__name__})"]
    for fault in faults[:SHOWN] + [f"and {len(faults) - SHOWN} more faults"] * (len(faults) > SHOWN):
        print(ascii(fault)[1:-1])
    rows = [f"{n} {name}" for n, name in db.execute("SELECT count(*), record_table FROM records GROUP BY 2")]
    print(f"Checked: {asked} conditions on {len(files)} files; by rows {', '.join(rows)}.")
    print("Not seen: notes and other values that no rule ties to the text; what is in Parquet, beyond its hash (the")
    print("builder proves it equal to the CSV); without --seeds, whether the words stand in the articles.")
    return 1 if faults else 0


if __name__ == "__main__":
    raise SystemExit(main())
