"""The datasheet of the dataset, `datasheet.md`, in which every number is counted in the tables.

It answers the questions of "Datasheets for Datasets" (Gebru et al., 2021).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from defectors_data.documents import agreement_table
from defectors_data.documents.catalogues.facts import Facts
from defectors_data.documents.markdown import markdown, prose
from defectors_data.documents.protection import on_relatives
from defectors_data.documents.readme import (
    citation,
    compared_figures,
    contact,
    contributors,
    not_claimed,
    noted_pairs,
    revealed,
    said_and_narrated,
    unread_by_persons,
)
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.models.columns import sentence
from defectors_data.models.counts import listed
from defectors_data.models.project import Coverage
from defectors_data.package.cells import single_date
from defectors_data.package.tables_reader import MOST_LISTED, PackageTables
from defectors_data.rows.cell_provenance import override_of
from defectors_data.rows.labels import date_label, outlet_label


def datasheet(facts: Facts, tables: PackageTables) -> bytes:
    """Return the datasheet, in Markdown."""
    template = Path(__file__).with_name("datasheet.md").read_text(encoding="utf-8")
    values = {**_facts(facts), **_counts(tables), "revealed": revealed(tables)}
    return template.format(**values).encode()


_COPIED = (
    "title",
    "version",
    "purpose",
    "collection",
    "annotation",
    "sensitive",
    "maintenance",
    "rights",
)
"""Keys of `dataset.yaml` whose values are copied."""


def _not_located(tables: PackageTables) -> str:
    """Return how many of the quotations and numbers no table locates; "" if none."""
    written = ""
    if number := tables.sum("sources", "protected_numbers"):
        written += f". Of these, no table locates those that could identify a person, such as ages: {number}"
    if number := tables.sum("sources", "withdrawn_entries"):
        written += f". Of these, no table locates quotations and numbers in removed words: {number}"
    return written


def _detected(tables: PackageTables) -> int:
    """Return the number of quotations and numbers that the program found, located or not."""
    not_located = ("protected_numbers", "withdrawn_entries")
    return tables.number("ledger") + sum(tables.sum("sources", each) for each in not_located)


def _outlets(number: int) -> str:
    """Return how many names of outlets testimonies have; "" if none."""
    if not number:
        return ""
    return (
        " Where an article names another outlet to which the words were said, the testimony names it "
        f"too. Names of outlets: {number}; several can mean the same one."
    )


def _coverage(coverage: Coverage) -> str:
    """Return a sentence on the time and the places of the sources, or "" if neither is known."""
    parts = []
    if coverage.time:
        parts.append(f"are from {date_label(coverage.time)}")
    if coverage.places:
        parts.append(f"report on or from {prose(listed(coverage.places))}")
    return f"The sources {' and '.join(parts)}. " if parts else ""


def _facts(facts: Facts) -> dict[str, str]:
    """Return the values that the template takes from `dataset.yaml` and the vocabularies."""
    dataset = facts.dataset
    return {
        **{name: prose(getattr(dataset, name)) for name in _COPIED},
        "released": dataset.released.isoformat(),
        "contributors": prose(contributors(dataset)),
        "coverage": _coverage(dataset.coverage),
        "languages": listed(facts.languages),
        "licence": prose(f"{dataset.licence.title} ({dataset.licence.path})"),
        "citation": prose(citation(dataset)),
        "contact": prose(contact(dataset)),
        "contents": _contents(facts),
        "protection": prose(facts.protection),
        "uses": _points(dataset.uses),
        "not_for": _points(dataset.not_for),
        "limitations": _points(dataset.limitations),
        "biases": _points(dataset.biases),
        "agreement": agreement_table.section(facts.agreement),
        "reasons": _reasons(),
    }


def _contents(facts: Facts) -> str:
    """Return a list of the tables with their numbers of rows."""
    lines = []
    for table in facts.tables:
        name, contents = table.row.TABLE.name, sentence(table.row)
        lines.append(f"- `{name}`, rows: {table.rows}. {contents}")
    return "\n".join(lines)


def _reasons() -> str:
    """Return a list of the reasons for takedowns."""
    meanings = MEANINGS["TakedownReason"]
    return _points(f"`{reason}`: {meaning}" for reason, meaning in meanings.items())


def _counts(tables: PackageTables) -> dict[str, str]:
    """Return the values that the template takes from the tables, most of them counts."""
    unclaimed, unread = not_claimed(tables), unread_by_persons(tables)
    pairs = noted_pairs(tables)
    columns = ["same_source", "dependence", "verdict", "figure_a", "figure_b"]
    compared = compared_figures(tables.rows("comparisons", columns))
    outlets = tables.count("testimonies", "outlet").keys() - {None}
    return {
        "sources": _per_source(tables),
        "not_printed": _not_printed(tables),
        "modes": _by(tables, "testimonies", "mode", "Mode"),
        "anonymity": _by(tables, "speakers", "anonymity", "Anonymity"),
        "roles": _roles(tables),
        "hedges": _by(tables, "figures", "hedge", "Hedge"),
        "statuses": _by(tables, "ledger", "status", "LedgerStatus", "quotations and numbers"),
        "waivers": _by(tables, "ledger", "reason", "WaiverReason", "quotations and numbers"),
        "excepted": excepted(tables),
        "verdicts": _by(tables, "comparisons", "verdict", "Verdict", "pairs of figures"),
        "bases": _by(tables, "provenance", "basis", "ProvenanceBasis", "columns and single cells"),
        "not_claimed": f"\n\n{unclaimed}" if unclaimed else "",
        "said": said_and_narrated(tables),
        "pairs": f"\n\n{pairs}" if pairs else "",
        "unread": f"{unread}\n\n" if unread else "",
        "detected": _counted(tables, "ledger", _detected(tables)),
        "not_located": _not_located(tables),
        "protected": str(tables.count("speakers", "protected")[True]),
        "speakers": str(tables.number("speakers")),
        "measures": str(len(tables.count("figures", "measure").keys() - {None})),
        "independent": _counted(tables, "comparisons", _independent(tables)),
        "compared": f"{compared} " if compared else "",
        "relatives": on_relatives(tables),
        "tombstones": str(tables.number("tombstones")),
        "spans": str(tables.number("spans")),
        "outlets": _outlets(len(outlets)),
    }


def _counted(tables: PackageTables, name: str, number: int) -> str:
    """Return a number that was counted in a table, unless the release leaves out the table."""
    return str(number) if tables.has(name) else "not counted"


def _independent(tables: PackageTables) -> int:
    """Return the number of measures with figures from several independent sources."""
    measures = tables.rows("measures", ["independent_sources"])
    return sum((row["independent_sources"] or 0) > 1 for row in measures)


_INFERABLE = ("outlet_basis", "authors_basis", "published_basis")


def _bases(tables: PackageTables, columns: Iterable[str] = _INFERABLE) -> Counter[str | None]:
    """Return the numbers of facts on sources by their basis; None is for facts not known."""
    found = Counter[str | None]()
    for name in columns:
        found.update(tables.count("sources", name))
    return found


def _not_printed(tables: PackageTables) -> str:
    """Return a sentence on the facts about sources that the sources do not print."""
    count = _bases(tables, (*_INFERABLE, "url_basis"))
    unprinted = [basis for basis in MEANINGS["Basis"] if count[basis] and basis != "stated"]
    null = "An outlet, author, date or address that a source does not print is null"
    if not unprinted:
        return f"{null}."
    bases = listed([f"`{basis}` ({count[basis]})" for basis in unprinted], "or")
    return f"{null}, or has the basis {bases}."


def _roles(tables: PackageTables) -> str:
    """Return a Markdown table of the roles that speakers have."""
    lines = []
    for row in tables.terms("role"):
        used = row["used"]
        if used:
            lines.append((f"`{row['term']}`", row["definition"], str(used)))
    return markdown(["role", "means", "speakers"], lines)


def _per_source(tables: PackageTables) -> str:
    """Return a Markdown table of the first sources, and the number of others."""
    counted = ("testimonies", "figures")
    columns = ["source_id", "outlet", "outlet_basis", "published", "words"]
    first = list(islice(tables.rows("sources", columns), MOST_LISTED))
    contents = islice(tables.by_source({name: [] for name in counted}), MOST_LISTED)
    lines = []
    for row, rows in zip(first, contents, strict=True):
        published = "not known"
        if row["published"]:
            published = single_date(row["published"])
        line = [f"`{row['source_id']}`", prose(outlet_label(row) or "not known"), prose(published)]
        numbers = [str(len(rows[name])) for name in counted]
        lines.append([*line, f"{row['words']:,}", *numbers])
    table = markdown(["source", "outlet", "published", "words", *counted], lines)
    more = tables.number("sources") - len(first)
    if more:
        return f"{table}\n\nand {more:,} more: the table `sources` has a row for each."
    return table


def _by(tables: PackageTables, table: str, column: str, vocabulary: str, counted: str = "") -> str:
    """Return a Markdown table of the values in a column, with meanings and numbers of rows."""
    if not tables.has(table):
        return f"This release leaves out the table `{table}`, so its rows are not counted here."
    count = tables.count(table, column)
    lines = []
    for value, meaning in MEANINGS[vocabulary].items():
        if count[value]:
            lines.append((f"`{value}`", meaning, str(count[value])))
    return markdown([column, "means", counted or table], lines)


def excepted(tables: PackageTables) -> str:
    """Return a Markdown table that counts the exceptions to rules in the annotations."""
    lines = []
    for each in exceptions(tables):
        of = f"{each.records}: {each.total:,}"
        lines.append((f"`{each.rule}`", f"`{each.reason}`", str(each.number), of))
    return markdown(["rule", "reason", "exceptions", "of"], lines)


class RuleExceptions(NamedTuple):
    """The exceptions to a rule."""

    rule: str
    """The code of the finding."""
    reason: str
    """The key that exempts a record."""
    number: int
    total: int
    """The number of all records."""
    records: str
    """What these records are."""


def exceptions(tables: PackageTables) -> list[RuleExceptions]:
    """Return the numbers of exceptions to each rule.

    An unnecessary reason is a finding, so the number of reasons is the number of exceptions. Two
    kinds of exceptions are not counted: quotation marks that an article leaves out (`unbalanced`),
    which are in no table, and exceptions to rules on a table that this release leaves out.
    """
    bases = _bases(tables)
    known = bases.total() - bases[None]
    inferred = bases["inferred"], known, "values of authors, outlet and published"
    conflicts = []
    if tables.has("comparisons"):
        verdicts = tables.count("comparisons", "verdict")
        numbers = verdicts["conflicts"], verdicts.total(), "pairs of figures"
        conflicts.append(RuleExceptions("conflict-without-note", "note", *numbers))
    return [
        *conflicts,
        RuleExceptions("figure-text-mismatch", "override", *_overridden(tables)),
        RuleExceptions("inferred-without-note", "note", *inferred),
        *_waived(tables),
        RuleExceptions("relation-fails", "note", *_relations_with_notes(tables)),
        RuleExceptions("duplicate-evidence", "note", *_sharing_words(tables), "testimonies"),
    ]


def _overridden(tables: PackageTables) -> tuple[int, int, str]:
    """Return the number of figures with an `override`, and of all figures."""
    notes = [override_of(row["note"]) for row in tables.rows("figures", ["note"])]
    return len(notes) - notes.count(None), len(notes), "figures"


def _relations_with_notes(tables: PackageTables) -> tuple[int, int, str]:
    """Return the number of relations with a note, and of all relations."""
    total = tables.number("relations")
    return total - tables.count("relations", "note")[None], total, "relations"


def _waived(tables: PackageTables) -> Iterator[RuleExceptions]:
    """Yield the exceptions to the rules on the ledger, unless the release leaves it out."""
    if not tables.has("ledger"):
        return
    quotations, numbers = Counter[str](), Counter[str]()
    for row in tables.rows("ledger", ["kind", "status"]):
        statuses = quotations if row["kind"] == "quotation" else numbers
        statuses[row["status"]] += 1
    numbers["waived"] += tables.sum("sources", "protected_numbers")
    counts = (
        ("unaccounted-quantity", numbers, "numbers"),
        ("unaccounted-quotation", quotations, "quotations"),
    )
    for rule, statuses, records in counts:
        yield RuleExceptions(rule, "waiver", statuses["waived"], statuses.total(), records)


def _sharing_words(tables: PackageTables) -> tuple[int, int]:
    """Return the number of testimonies that overlap an earlier one of their source, and of all."""
    shared = 0
    columns = ["record_table", "record_id", "field", "start_offset", "end_offset"]
    for of in tables.by_source({"spans": columns}):
        found, record, reached = set(), "", 0
        for span in of["spans"]:
            if span["record_table"] != "testimonies" or span["field"] != "evidence":
                continue
            if span["start_offset"] < reached and span["record_id"] != record:
                found.add(span["record_id"])
            if span["end_offset"] > reached:
                record, reached = span["record_id"], span["end_offset"]
        shared += len(found)
    return shared, tables.number("testimonies")


def _points(items: Iterable[str]) -> str:
    return "\n".join(f"- {prose(item)}" for item in items)
