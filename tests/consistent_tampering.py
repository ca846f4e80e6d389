"""Damage to a package with its checksums made anew."""

# mypy: disable-error-code="misc, func-returns-value, arg-type"

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tampering import Damage, Files, Table, descriptor_of, faults, lay, put, renew, run, table_of


def on(table: str, change: Callable[[Table], object]) -> Damage:
    """Return the damage that a change of a table's rows does."""

    def damage(files: Files) -> None:
        rows = table_of(files, table)
        change(rows)
        put(files, table, rows)

    return damage


def cell(table: str, row: int, column: int, value: str) -> Damage:
    return on(table, lambda rows: rows[row].__setitem__(column, value))


def both(*damages: Damage) -> Damage:
    def damage(files: Files) -> None:
        for one in damages:
            one(files)

    return damage


def wrong_cells(field: dict[str, Any], right: str) -> Iterator[tuple[str, str]]:
    """Yield cells that break a rule of a column's own schema, with the rule."""
    limits = field["constraints"]
    if limits["required"]:
        yield "required", ""
    if "enum" in limits:
        yield "enum", "unheard_of"
    if "pattern" in limits:
        yield "pattern", f"{right} "
        yield "pattern", "É"
    if "minimum" in limits:
        yield "minimum", str(limits["minimum"] - 1)
    if "maximum" in limits:
        yield "maximum", str(limits["maximum"] + 1)
    wrong = {
        "integer": ["01", "+1", "1.0", "1_0", "-0", "\u0661", "x", " 1", "9" * 5000],
        "number": ["1.0", "1e3", "nan", "inf", "Infinity", "01", "1,5", "0.10", "-0"],
        "boolean": ["True", "1", "yes", "FALSE"],
        "date": ["2019-02-30", "20190301", "2019-3-1", "2019-03-01T00:00", "now"],
        "string": [f"{right or 'x'}\x00", f"{right or 'x'}\x07", f"{right or 'x'}\r"],
    }
    yield from ((f"type {field['type']}", value) for value in wrong[field["type"]])


def faults_of_schemas(files: Files, random_: random.Random) -> Iterator[tuple[str, str, Damage]]:
    """Yield faults in what the schemas say, with their kind and place."""
    for resource in descriptor_of(files)["resources"]:
        if resource.get("type") != "table":
            continue
        name, schema, rows = resource["name"], resource["schema"], table_of(files, resource["name"])
        if len(rows) < 2:
            continue  # nothing was ever taken out
        filled = [[r for r in range(1, len(rows)) if rows[r][c]] or [1] for c in range(len(rows[0]))]
        for c, field in enumerate(schema["fields"]):
            for kind, value in wrong_cells(field, rows[filled[c][0]][c]):
                yield kind, f"{name}.{rows[0][c]}", cell(name, random_.choice(filled[c]), c, value)
        for key in schema["primaryKey"] if len(rows) > 2 else []:
            yield "key twice", f"{name}.{key}", cell(name, 2, rows[0].index(key), rows[1][rows[0].index(key)])
        for foreign in schema.get("foreignKeys", []):
            c = rows[0].index(foreign["fields"][0])
            yield "foreign key", f"{name}.{rows[0][c]}", cell(name, random_.choice(filled[c]), c, "nobody-at-all")
        if len(rows) < 4:
            continue
        r = random_.randrange(1, len(rows) - 1)
        yield "order", name, on(name, lambda rows, r=r: rows.insert(r, rows.pop(r + 1)))
        yield "order", name, on(name, lambda rows: rows.append(rows.pop(1)))
        yield "row twice", name, on(name, lambda rows, r=r: rows.insert(r, rows[r]))
        yield "cell too many", name, on(name, lambda rows, r=r: rows[r].append(""))
        yield "cell too few", name, on(name, lambda rows, r=r: rows[r].pop())
        yield "columns swapped", name, on(name, lambda rows: [row.insert(0, row.pop(1)) for row in rows])
        yield "column away", name, on(name, lambda rows: [row.pop() for row in rows])
        yield "table away", name, on(name, lambda rows: rows.__delitem__(slice(1, None)))


def altered(words: str) -> str:
    """Return words with one letter exchanged: as long in every unit."""
    place = next(i for i, letter in enumerate(words) if letter.isascii() and letter.isalpha())
    return f"{words[:place]}{'q' if words[place] != 'q' else 'z'}{words[place + 1 :]}"


PLACES = ["start_offset", "end_offset", "start_utf16", "end_utf16", "start_byte", "end_byte", "line", "column_number"]
TOGETHER = [
    "start_offset end_offset",
    "start_utf16 end_utf16",
    "start_byte end_byte",
    "line column_number",
    " ".join(PLACES),
]
WORDS = "spans.exact spans.prefix spans.suffix testimonies.text mentions.text figures.text ledger.text"
COUNTS = "parts occurrences used chars words chars_revealed part".split()


def faults_of_places(files: Files, random_: random.Random) -> Iterator[tuple[str, str, Damage]]:
    """Yield faults in what is said to stand where."""
    for name in ["sources", "mentions", "testimonies", "figures", "spans", "measures", "terms", "ledger"]:
        rows = table_of(files, name)
        header, few = rows[0], random_.sample(range(1, len(rows)), min(4, len(rows) - 1))
        for columns in [*([c] for c in header if c in PLACES or c in COUNTS), *(t.split() for t in TOGETHER)]:
            # The column `words` of terms has words, and not their number.
            present = [c for c in columns if c in header and (name, c) != ("terms", "words")]
            for r in few if len(present) == len(columns) or len(columns) > 2 else []:
                for step in (1, -1):
                    moved = [(header.index(c), int(rows[r][header.index(c)]) + step) for c in present]
                    place = f"{name}.{'+'.join(present)}" if len(columns) < 3 else f"{name}.*"
                    if moved and min(value for _, value in moved) >= 0:
                        yield f"{step:+}", place, both(*(cell(name, r, c, str(value)) for c, value in moved))
    for name, column in (
        place.split(".") for place in [*WORDS.split(), "sources.title", "sources.subtitle", "sources.dateline"]
    ):
        rows = table_of(files, name)
        c = rows[0].index(column)
        filled = [r for r in range(1, len(rows)) if any(x.isascii() and x.isalpha() for x in rows[r][c])]
        for r in random_.sample(filled, min(4, len(filled))):
            yield "word", f"{name}.{column}", cell(name, r, c, altered(rows[r][c]))
            yield "letter away", f"{name}.{column}", cell(name, r, c, rows[r][c][:-1])
        if column not in {"exact", "title"}:
            yield "words away", f"{name}.{column}", cell(name, filled[0], c, "")


def faults_between(files: Files, random_: random.Random) -> Iterator[tuple[str, str, Damage]]:
    """Yield faults in what tables say of each other."""
    spans = table_of(files, "spans")
    of = {name: i for i, name in enumerate(spans[0])}
    for r in range(1, len(spans)):
        row = spans[r]
        yield "span away", f"{row[of['record_table']]}.{row[of['field']]}", on("spans", lambda rows, r=r: rows.pop(r))
        again = [*row]
        again[of["part"]] = str(int(row[of["part"]]) + 1)
        again[of["span_id"]] = f"{row[of['record_id']]}.{row[of['field']]}.{again[of['part']]}"
        if again[of["span_id"]] not in {other[0] for other in spans}:
            yield (
                "span twice",
                row[of["record_table"]],
                on("spans", lambda rows, r=r, again=again: rows.insert(r + 1, again)),
            )
            yield (
                "part renumbered",
                row[of["record_table"]],
                on("spans", lambda rows, r=r, again=again: rows.__setitem__(r, again)),
            )
    for r in random_.sample(range(1, len(spans)), 8):
        yield "span of another table", spans[r][of["record_table"]], cell("spans", r, of["record_table"], "speakers")
        other = random_.choice(
            [row[of["record_id"]] for row in spans[1:] if row[of["record_id"]] != spans[r][of["record_id"]]]
        )
        yield "span of another record", spans[r][of["record_table"]], cell("spans", r, of["record_id"], other)
        yield "span of another field", spans[r][of["record_table"]], cell("spans", r, of["field"], "licence")
    long = table_of(files, "testimony_themes")
    of_long = {name: i for i, name in enumerate(long[0])}
    used = {(row[of_long["testimony_id"]], row[of_long["theme"]]) for row in long}
    for r in random_.sample(range(1, len(long)), 6):
        yield "theme away", "testimony_themes", on("testimony_themes", lambda rows, r=r: rows.pop(r))
        testimony = long[r][of_long["testimony_id"]]
        themes = [t[2] for t in table_of(files, "terms")[1:] if t[1] == "theme"]
        term = next(theme for theme in themes if (testimony, theme) not in used)
        named = cell("testimony_themes", r, of_long["testimony_theme_id"], f"{testimony}.{term}")
        yield "theme", "testimony_themes.theme", both(cell("testimony_themes", r, of_long["theme"], term), named)
    testimonies = table_of(files, "testimonies")
    c = testimonies[0].index("themes")
    for r in random_.sample(range(1, len(testimonies)), 5):
        yield (
            "theme",
            "testimonies.themes",
            cell(
                "testimonies", r, c, f"{testimonies[r][c]};weather" if "weather" not in testimonies[r][c] else "other"
            ),
        )
        yield "theme twice", "testimonies.themes", cell("testimonies", r, c, ";".join([testimonies[r][c]] * 2))
        yield (
            "role",
            "testimonies.speaker_role",
            cell("testimonies", r, testimonies[0].index("speaker_role"), "analyst"),
        )
    yield from faults_of_the_protected(files)
    ledger = table_of(files, "ledger")
    of = {name: i for i, name in enumerate(ledger[0])}
    for r in random_.sample(range(1, len(ledger)), 5):
        status = "waived" if ledger[r][of["status"]] != "waived" else "covered"
        yield "status", "ledger.status", cell("ledger", r, of["status"], status)
        yield "reason", "ledger.reason", cell("ledger", r, of["reason"], "idiom")
        yield "kind", "ledger.kind", cell("ledger", r, of["kind"], "name")
        other = random_.choice(
            [row[of["record_id"]] for row in ledger[1:] if row[of["source_id"]] != ledger[r][of["source_id"]]]
        )
        yield "entry of another record", "ledger.record_id", cell("ledger", r, of["record_id"], other)
        yield "entry of another table", "ledger.record_table", cell("ledger", r, of["record_table"], "speakers")
    figures = table_of(files, "figures")
    of = {name: i for i, name in enumerate(figures[0])}
    for name, value in {"low": "999999", "high": "0", "as_of_from": "2030-01-01"}.items():
        r = next(
            r
            for r in range(1, len(figures))
            if figures[r][of[name]] and (name == "as_of_from" or figures[r][of["hedge"]] != "vague")
        )
        yield "bounds", f"figures.{name}", cell("figures", r, of[name], value)
    dated = table_of(files, "sources")[0].index("published_from")
    yield "bounds", "sources.published_from", cell("sources", 1, dated, "2030-01-01")
    yield "sum", "sources.sha256", cell("sources", 1, table_of(files, "sources")[0].index("sha256"), "0" * 64)


def faults_of_the_protected(files: Files) -> Iterator[tuple[str, str, Damage]]:
    """Yield faults in what is said of speakers whose name is withheld or not given."""
    speakers, mentions = table_of(files, "speakers"), table_of(files, "mentions")
    of = {name: i for i, name in enumerate(speakers[0])}
    for r, row in enumerate(speakers[1:], 1):
        yield (
            "protected",
            "speakers.protected",
            cell("speakers", r, of["protected"], "false" if row[of["protected"]] == "true" else "true"),
        )
        if row[of["protected"]] == "true":
            yield "anonymity", "speakers.anonymity", cell("speakers", r, of["anonymity"], "named")
            for name, value in {"name": "Ada", "gender": "female", "note": "a clerk", "source_id": ""}.items():
                yield "told of the protected", f"speakers.{name}", cell("speakers", r, of[name], value)
            of_mentions = {name: i for i, name in enumerate(mentions[0])}
            theirs = (
                m for m in range(1, len(mentions)) if mentions[m][of_mentions["speaker_id"]] == row[of["speaker_id"]]
            )
            m = next(theirs)
            words = mentions[m][of_mentions["text"]]
            for name, value in {
                "rank": words[:3],
                "age": "30",
                "years_of_service": "3",
                "affiliation": words,
            }.items():
                yield "told of the protected", f"mentions.{name}", cell("mentions", m, mentions[0].index(name), value)
        elif row[of["kind"]] == "person":
            yield "anonymity", "speakers.anonymity", cell("speakers", r, of["anonymity"], "not_applicable")


def all_faults(files: Files) -> Iterator[tuple[str, str, Damage]]:
    random_ = random.Random(2)  # noqa: S311  # the same faults in every run
    for faults_of in (faults_of_schemas, faults_of_places, faults_between):
        yield from faults_of(files, random_)


UNSEEN = {
    # No other table refers to these, so a package without them is complete.
    *(f"table away: {name}" for name in ("readings", "errata", "history")),
    # The annotators chose it; nothing else shows it.
    "reason: ledger.reason",
    # A passage that is cited twice, or for what is in no other table, can go without a trace.
    "span away: figures.place",
    "span away: sources.cited_outlets",
    "span away: sources.boilerplate",
    "span away: sources.outlet",
    "span away: sources.authors",  # one of several
    "span away: testimonies.where",
    "span away: errata.evidence",
    *(f"span away: sources.{field}" for field in ("captions", "pull_quotes")),
    "span away: testimonies.outlet",
    "span away: testimonies.attribution",  # one of several parts
    # The evidence of the record has these words too.
    *(f"span away: figures.{field}" for field in ("quantity", "as_of")),
    *(f"span away: mentions.{field}" for field in ("name", "rank", "age", "years_of_service", "affiliation")),
    # Tables that are worked out from others, and that no other refers to.
    "table away: provenance",
    "table away: persons",
    # Context may be cut in a source with numbers of protected persons, whose places are not published.
    *(f"{unit} away: spans.suffix" for unit in ("letter", "words")),
    # A name that may be a pseudonym; `verify` says that it checks no names.
    "told of the protected: speakers.name",
}
"""What passes with the articles at hand: no type, no enumeration, no key, no order, no offset and no word."""


def escapes(whole: Files, folder: Path, *arguments: str | Path, every: int) -> tuple[set[str], int]:
    """Return those of every so many faults that pass, and how many were tried."""
    escaped, number = set(), 0
    for kind, place, damage in islice(all_faults(whole), 0, None, every):
        damaged = dict(whole)
        damage(damaged)
        renew(damaged)
        if damaged == whole:
            continue
        number += 1
        code, output = run(*arguments, lay(damaged, folder))
        assert "Traceback" not in output
        if (code, bool(faults(output))) != (1, True):
            escaped.add(f"{kind}: {place}")
    return escaped, number


def as_parquet(table: pa.Table) -> bytes:
    """Return a table as a Parquet file."""
    out = io.BytesIO()
    pq.write_table(table, out)
    return out.getvalue()
