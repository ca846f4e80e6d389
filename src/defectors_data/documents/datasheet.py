"""The datasheet of the dataset, `datasheet.md`, in which every number is counted in the tables.

It answers the questions of "Datasheets for Datasets" (Gebru et al., 2021). Its section on method discloses what Every
Casualty's Standards for Casualty Recording require.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

from defectors_data.documents import agreement_table
from defectors_data.documents.catalogues.facts import Facts
from defectors_data.documents.markdown import markdown, prose
from defectors_data.documents.readme import citation, not_claimed, revealed
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.models.tables import listed, sentence
from defectors_data.package.cells import single_date
from defectors_data.package.tables_reader import MOST_LISTED, PackageTables
from defectors_data.rows.cell_provenance import override_of


def datasheet(facts: Facts, tables: PackageTables) -> bytes:
    """Return the datasheet, in Markdown."""
    template = Path(__file__).with_name("datasheet.md").read_text(encoding="utf-8")
    return template.format(**_facts(facts), **_counts(tables), revealed=revealed(tables)).encode()


def _facts(facts: Facts) -> dict[str, str]:
    """Return the values that the template takes from `dataset.yaml` and the vocabularies, in Markdown."""
    dataset = facts.dataset
    names = "title version purpose collection annotation sensitive protection maintenance contact rights"
    return {
        **{name: prose(getattr(dataset, name)) for name in names.split()},
        "released": dataset.released.isoformat(),
        "contributors": prose(
            listed([f"{c.title} ({', '.join(c.roles)})" for c in dataset.contributors])
        ),
        "places": prose(listed(dataset.coverage.places)),
        "time": dataset.coverage.time,
        "languages": listed(facts.languages),
        "licence": prose(f"{dataset.licence.title} ({dataset.licence.path})"),
        "citation": prose(citation(dataset)),
        "contents": "\n".join(
            f"- `{t.row.TABLE.name}`, rows: {t.rows}. {sentence(t.row)}" for t in facts.tables
        ),
        "uses": _points(dataset.uses),
        "not_for": _points(dataset.not_for),
        "limitations": _points(dataset.limitations),
        "biases": _points(dataset.biases),
        "agreement": agreement_table.table(facts.agreement),
        "reasons": _points(
            f"`{reason}`: {meaning}" for reason, meaning in MEANINGS["TakedownReason"].items()
        ),
    }


def _counts(tables: PackageTables) -> dict[str, str]:
    """Return the values that the template takes from the tables, most of them counts, in Markdown."""
    summaries = tables.rows("measure_summary", ["independent_sources"])
    independent = sum(row["independent_sources"] > 1 for row in summaries)
    columns = ["measure", "same_source", "dependence", "verdict"]
    pairs = (
        row
        for row in tables.rows("comparisons", columns)
        if not row["same_source"] and not row["dependence"]
    )
    agreeing = {
        row["measure"] for row in pairs if row["verdict"] in ("same", "entails", "agrees_rounded")
    }
    unclaimed = not_claimed(tables)
    return {
        "sources": _per_source(tables),
        "inferred": str(sum(tables.count("sources", name)["inferred"] for name in _BASES)),
        "modes": _by(tables, "testimonies", "mode", "Mode"),
        "anonymity": _by(tables, "speakers", "anonymity", "Anonymity"),
        "roles": markdown(
            ["role", "means", "speakers"],
            [
                (f"`{r['term']}`", r["definition"], str(r["used"]))
                for r in tables.rows("roles")
                if r["used"]
            ],
        ),
        "hedges": _by(tables, "figures", "hedge", "Hedge"),
        "statuses": _by(tables, "ledger", "status", "LedgerStatus", "quotations and numbers"),
        "waivers": _by(tables, "waivers", "reason", "WaiverReason"),
        "excepted": excepted(tables),
        "verdicts": _by(tables, "comparisons", "verdict", "Verdict", "pairs of figures"),
        "bases": _by(tables, "provenance", "basis", "ProvenanceBasis", "columns and single cells"),
        "not_claimed": f"\n\n{unclaimed}" if unclaimed else "",
        "detected": str(tables.number("ledger")) if tables.has("ledger") else "not counted",
        "protected": str(tables.count("speakers", "protected")[True]),
        "speakers": str(tables.number("speakers")),
        "measures": str(len(tables.count("figures", "measure"))),
        "independent": str(independent) if tables.has("measure_summary") else "not counted",
        "agreeing": str(len(agreeing)) if tables.has("comparisons") else "not counted",
        "tombstones": str(tables.number("tombstones")),
        "spans": str(tables.number("spans")),
        "outlets": str(len(tables.count("testimonies", "outlet").keys() - {None})),
    }


_BASES = ("outlet_basis", "authors_basis", "published_basis")


def _per_source(tables: PackageTables) -> str:
    """Return a Markdown table that lists the first sources with their numbers of records, and the number of others."""
    counted = ("testimonies", "figures", "waivers")
    columns = ["source_id", "outlet", "published", "words"]
    first = list(islice(tables.rows("sources", columns), MOST_LISTED))
    contents = islice(tables.by_source({name: [] for name in counted}), MOST_LISTED)
    lines = [
        (
            f"`{row['source_id']}`",
            prose(row["outlet"] or "not known"),
            prose(single_date(row["published"]) if row["published"] else "not known"),
            f"{row['words']:,}",
            *(str(len(rows[name])) for name in counted),
        )
        for row, rows in zip(first, contents, strict=True)
    ]
    table = markdown(["source", "outlet", "published", "words", *counted], lines)
    more = tables.number("sources") - len(first)
    return (
        f"{table}\n\nand {more:,} more: the table `sources` has a row for each." if more else table
    )


def _by(tables: PackageTables, table: str, column: str, vocabulary: str, counted: str = "") -> str:
    """Return a Markdown table of the values that occur in a column, with their meanings and numbers of rows."""
    if not tables.has(table):
        return f"This release leaves out the table `{table}`, so its rows are not counted here."
    count = tables.count(table, column)
    found = [
        (f"`{v}`", meaning, str(count[v]))
        for v, meaning in MEANINGS[vocabulary].items()
        if count[v]
    ]
    return markdown([column, "means", counted or table], found)


def excepted(tables: PackageTables) -> str:
    """Return a Markdown table that counts the exceptions to rules in the annotations."""
    lines = [
        (f"`{rule}`", f"`{reason}`", str(number), f"{total} {records}")
        for rule, reason, number, total, records in exceptions(tables)
    ]
    return markdown(["rule", "reason", "exceptions", "of"], lines)


def exceptions(tables: PackageTables) -> list[tuple[str, str, int, int, str]]:
    """Return the code of each rule, the key that exempts a record, and the numbers of exceptions and of all records.

    The last item of each tuple says what these records are. An unnecessary reason is a finding, so the number of
    reasons is the number of exceptions. Two kinds of exceptions are not counted: quotation marks that an article leaves
    out (`unbalanced`), which are in no table, and exceptions to rules on a table that this release leaves out.
    """
    modes, themed = tables.count("testimonies", "mode"), tables.count("testimony_themes", "theme")
    themes = sum(themed[row["term"]] for row in tables.rows("themes") if row["triggers"])
    bases = sum((tables.count("sources", name) for name in _BASES), Counter[str | None]())
    support, shared = _supported_and_shared(tables)
    verdicts = tables.count("comparisons", "verdict")
    quotations, numbers = Counter[str](), Counter[str]()
    for row in tables.rows("ledger", ["kind", "status"]):
        (quotations if row["kind"] == "quotation" else numbers)[row["status"]] += 1

    overridden = [row for row in tables.rows("figures", ["note"]) if override_of(row["note"])]

    def filled(table: str, column: str) -> tuple[int, int]:
        return tables.number(table) - tables.count(table, column)[None], tables.number(table)

    found = [
        (
            "conflict-without-note",
            "note",
            verdicts["conflicts"],
            verdicts.total(),
            "pairs of figures",
        ),
        ("figure-text-mismatch", "override", len(overridden), tables.number("figures"), "figures"),
        (
            "indirect-without-reporting-verb",
            "support",
            support["indirect"],
            modes["indirect"],
            "indirect testimonies",
        ),
        (
            "inferred-without-note",
            "note",
            bases["inferred"],
            bases.total() - bases[None],
            "values of authors, outlet and published",
        ),
        (
            "narrated-with-reporting-verb",
            "support",
            support["narrated"],
            modes["narrated"],
            "narrated testimonies",
        ),
        ("unaccounted-quantity", "waiver", numbers["waived"], numbers.total(), "numbers"),
        ("unaccounted-quotation", "waiver", quotations["waived"], quotations.total(), "quotations"),
        ("relation-fails", "note", *filled("relations", "note"), "relations"),
        ("theme-without-support", "support", support["theme"], themes, "themes of testimonies"),
        ("duplicate-evidence", "note", shared, modes.total(), "testimonies"),
    ]
    uncounted = {"quotations", "numbers"} if not tables.has("ledger") else set()
    uncounted |= {"pairs of figures"} if not tables.has("comparisons") else set()
    return [line for line in found if line[-1] not in uncounted]


def _supported_and_shared(tables: PackageTables) -> tuple[Counter[str], int]:
    """Return the number of `support` entries, by mode or as `theme`, and of testimonies that overlap an earlier one."""
    support, shared = Counter[str](), 0
    columns = ["record_table", "record_id", "field", "part", "start", "end"]
    for of in tables.by_source({"testimonies": ["testimony_id", "mode"], "spans": columns}):
        modes = {row["testimony_id"]: row["mode"] for row in of["testimonies"]}
        spans = [row for row in of["spans"] if row["record_table"] == "testimonies"]
        support.update(
            modes[row["record_id"]] if row["field"] == "mode" else "theme"
            for row in spans
            # Support with several parts counts once.
            if row["field"] not in ("evidence", "outlet") and row["part"] == 1
        )
        shared += _sharing_words(row for row in spans if row["field"] == "evidence")
    return support, shared


def _sharing_words(spans: Iterable[Mapping[str, Any]]) -> int:
    """Return how many testimonies of a source overlap an earlier one; `spans` must be ordered by start."""
    found, record, reached = set(), "", 0
    for span in spans:
        if span["start"] < reached and span["record_id"] != record:
            found.add(span["record_id"])
        if span["end"] > reached:
            record, reached = span["record_id"], span["end"]
    return len(found)


def _points(items: Iterable[str]) -> str:
    return "\n".join(f"- {prose(item)}" for item in items)
