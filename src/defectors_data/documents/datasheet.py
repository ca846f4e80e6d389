"""The datasheet of the dataset, with every number counted in the tables.

Its questions are those of "Datasheets for Datasets" (Gebru and others, 2021) in words of this project's own; its
section on method says what the Standards for Casualty Recording of Every Casualty ask a recorder to disclose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from defectors_data.documents.catalogues.facts import Facts
from defectors_data.documents.readme import citation, markdown, prose, revealed
from defectors_data.models.tables import listed, sentence
from defectors_data.models.vocabularies import MEANINGS
from defectors_data.package.tables_reader import MOST_LISTED, Tables


def datasheet(facts: Facts, tables: Tables) -> bytes:
    """Return the datasheet, in Markdown."""
    return _TEMPLATE.format(**_said(facts), **_counted(tables), revealed=revealed(tables)).encode()


def _said(facts: Facts) -> dict[str, str]:
    """Return what `dataset.yaml` says."""
    dataset = facts.dataset
    names = "title version purpose collection annotation sensitive protection maintenance contact rights"
    return {
        **{name: prose(getattr(dataset, name)) for name in names.split()},
        "released": dataset.released.isoformat(),
        "contributors": prose(listed([f"{c.title} ({', '.join(c.roles)})" for c in dataset.contributors])),
        "places": prose(listed(dataset.coverage.places)),
        "time": dataset.coverage.time,
        "languages": listed(facts.languages),
        "licence": prose(f"{dataset.licence.title} ({dataset.licence.path})"),
        "citation": prose(citation(dataset)),
        "contents": "\n".join(f"- `{t.row.TABLE.name}`: {_rows(t.number)}. {sentence(t.row)}" for t in facts.tables),
        "uses": _points(dataset.uses),
        "not_for": _points(dataset.not_for),
        "limitations": _points(dataset.limitations),
        "biases": _points(dataset.biases),
        "reasons": _points(f"`{reason}`: {meaning}" for reason, meaning in MEANINGS["TakedownReason"].items()),
    }


def _rows(number: int) -> str:
    return "1 row" if number == 1 else f"{number} rows"


def _counted(tables: Tables) -> dict[str, str]:
    """Return what the tables contain, counted."""
    figures, measures = tables.count("figures", "measure"), tables.rows("measure_summary", ["independent_sources"])
    independent = sum(row["independent_sources"] > 1 for row in measures)
    return {
        "sources": _per_source(tables),
        "inferred": str(sum(tables.count("sources", name)["inferred"] for name in _BASES)),
        "modes": _by(tables, "testimonies", "mode", "Mode"),
        "anonymity": _by(tables, "speakers", "anonymity", "Anonymity"),
        "roles": _by(tables, "speakers", "role", "Role"),
        "hedges": _by(tables, "figures", "hedge", "Hedge"),
        "statuses": _by(tables, "ledger", "status", "LedgerStatus", "quotations and numbers"),
        "waivers": _by(tables, "waivers", "reason", "WaiverReason"),
        "excepted": excepted(tables),
        "verdicts": _by(tables, "comparisons", "verdict", "Verdict", "pairs of figures"),
        "bases": _by(tables, "provenance", "basis", "CertificateBasis", "columns and single cells"),
        "detected": str(tables.number("ledger")) if tables.has("ledger") else "what the table `ledger` would list",
        "protected": str(tables.count("speakers", "protected")[True]),
        "speakers": str(tables.number("speakers")),
        "measures": str(len(figures)),
        "corroborated": str(independent) if tables.has("measure_summary") else "not counted how many",
        "tombstones": str(tables.number("tombstones")),
        "spans": str(tables.number("spans")),
        "mentioned": str(len(tables.count("testimonies", "outlet").keys() - {None})),
    }


_BASES = ("outlet_basis", "authors_basis", "published_basis")


def _per_source(tables: Tables) -> str:
    """Return the first sources with how much each contains, and how many more there are."""
    counted = ("testimonies", "figures", "waivers")
    columns = ["source_id", "outlet", "published", "words"]
    first = list(islice(tables.rows("sources", columns), MOST_LISTED))
    contents = islice(tables.by_source({name: [] for name in counted}), MOST_LISTED)
    lines = [
        (
            f"`{row['source_id']}`",
            prose(row["outlet"] or "not known"),
            prose(row["published"] or "not known"),
            f"{row['words']:,}",
            *(str(len(of[name])) for name in counted),
        )
        for row, of in zip(first, contents, strict=True)
    ]
    table = markdown(["source", "outlet", "published", "words", *counted], lines)
    more = tables.number("sources") - len(first)
    return f"{table}\n\nand {more:,} more: the table `sources` has a row for each." if more else table


def _by(tables: Tables, table: str, column: str, vocabulary: str, counted: str = "") -> str:
    """Return how many rows have each value of a closed vocabulary, with what the value means."""
    if not tables.has(table):
        return f"This release leaves out the table `{table}`, so none are counted here."
    count = tables.count(table, column)
    found = [(f"`{v}`", meaning, str(count[v])) for v, meaning in MEANINGS[vocabulary].items() if count[v]]
    return markdown([column, "means", counted or table], found)


def excepted(tables: Tables) -> str:
    """Return the exceptions of all sources together, in Markdown."""
    lines = [(f"`{rule}`", f"`{why}`", str(n), f"{of} {what}") for rule, why, n, of, what in exceptions(tables)]
    return markdown(["rule", "reason", "exceptions", "of"], lines)


def exceptions(tables: Tables) -> list[tuple[str, str, int, int, str]]:
    """Return by rule how often annotators gave a reason where it would find a fault, and of how many what.

    A reason that is not needed is a fault itself, so every reason stands for an exception. Quotation marks that an
    article leaves out (`unbalanced`) are in no table, so `direct-without-quotation-marks` is not counted; nor is what a
    table that is left out would say.
    """
    modes, themed = tables.count("testimonies", "mode"), tables.count("testimony_themes", "theme")
    themes = sum(themed[row["term"]] for row in tables.rows("themes") if row["triggers"])
    bases = sum((tables.count("sources", name) for name in _BASES), Counter[str | None]())
    support, shared = _in_words(tables)
    quotations, numbers = Counter[str](), Counter[str]()
    for row in tables.rows("ledger", ["kind", "status"]):
        (quotations if row["kind"] == "quotation" else numbers)[row["status"]] += 1

    def filled(table: str, column: str) -> tuple[int, int]:
        return tables.number(table) - tables.count(table, column)[None], tables.number(table)

    found = [
        ("conflict-without-note", "note", *filled("comparisons", "note"), "pairs of figures"),
        ("figure-text-mismatch", "override", *filled("figures", "override"), "figures"),
        ("indirect-without-reporting-verb", "support", support["indirect"], modes["indirect"], "indirect testimonies"),
        (
            "inferred-without-note",
            "note",
            bases["inferred"],
            bases.total() - bases[None],
            "values of authors, outlet and published",
        ),
        ("narrated-with-reporting-verb", "support", support["narrated"], modes["narrated"], "narrated testimonies"),
        ("unaccounted-quantity", "waiver", numbers["waived"], numbers.total(), "numbers"),
        ("unaccounted-quotation", "waiver", quotations["waived"], quotations.total(), "quotations"),
        ("relation-fails", "note", *filled("relations", "note"), "relations"),
        ("theme-without-support", "support", support["theme"], themes, "themes of testimonies"),
        ("duplicate-evidence", "note", shared, modes.total(), "testimonies"),
    ]
    uncounted = {"quotations", "numbers"} if not tables.has("ledger") else set()
    uncounted |= {"pairs of figures"} if not tables.has("comparisons") else set()
    return [line for line in found if line[-1] not in uncounted]


def _in_words(tables: Tables) -> tuple[Counter[str], int]:
    """Return by mode, or under `theme`, how often words are named, and how many testimonies share words."""
    support, shared = Counter[str](), 0
    columns = ["record_table", "record_id", "field", "part", "start", "end"]
    for of in tables.by_source({"testimonies": ["testimony_id", "mode"], "spans": columns}):
        modes = {row["testimony_id"]: row["mode"] for row in of["testimonies"]}
        spans = [row for row in of["spans"] if row["record_table"] == "testimonies"]
        support.update(
            modes[row["record_id"]] if row["field"] == "mode" else "theme"
            for row in spans
            if row["field"] != "evidence" and row["part"] == 1
        )
        shared += _sharing_words(row for row in spans if row["field"] == "evidence")
    return support, shared


def _sharing_words(spans: Iterable[Mapping[str, Any]]) -> int:
    """Return how many testimonies of a source have words in common with one that begins before them."""
    found, record, reached = set(), "", 0
    for span in spans:  # in the order of their places
        if span["start"] < reached and span["record_id"] != record:
            found.add(span["record_id"])
        if span["end"] > reached:
            record, reached = span["record_id"], span["end"]
    return len(found)


def _points(items: Iterable[str]) -> str:
    return "\n".join(f"- {prose(item)}" for item in items)


_TEMPLATE = """\
# Datasheet: {title}

Version {version}, released {released}. This page is made from `dataset.yaml` and the tables whenever the dataset is
built; every number in it is counted. Its questions follow "Datasheets for Datasets" (Gebru and others, 2021), and the
section on method what Every Casualty's Standards for Casualty Recording ask a recorder to disclose.

## Why it was made

{purpose}

It was made by: {contributors}. Nothing is recorded of who paid for it.

## What it holds

{contents}

The sources are of {time} and report on or from {places}; their language is {languages}. An outlet, author or date
that a source does not print is left out, or marked `inferred` with a note ({inferred} are).

{sources}

Speakers by whether they are named ({protected} of {speakers} are protected), and by the side that they speak from:

{anonymity}

{roles}

No row depends on anything outside the package but the articles themselves. The rows have no splits and no labels beyond
the vocabularies that each table declares. Redundancy is meant: figures that repeat each other stay apart.

### What is sensitive in it

{sensitive}

## Method

### Types of sources

News articles, as published, and nothing else: no interviews of the project's own, no social media, no registers, no
documents. Speech in them reached the writers directly or by other outlets; where an article names the outlet that it
takes words from, the testimony does too ({mentioned} outlets).

### Collection

{collection}

The dataset repeats what articles published; nothing is recorded of whether anybody who is quoted was asked. Who wants
something taken out finds below how to ask.

### Inclusion and exclusion

In: every act of speech and every told experience that an article attributes to somebody, whoever it is; every
quantity that an article states about the world. Out: the writer's own opinion, speech that is attributed to nobody,
scenes that a reporter saw, the page around the article. Every quotation and every number that a program finds is a
record, or is waived with a reason. It found {detected}:

{statuses}

{waivers}

### Definitions

A testimony is one act of speech, or one told experience, of one speaker in one place of one source:

{modes}

A figure is one quantity that a source states; its hedge says how far the number bounds what is meant:

{hedges}

Themes, measures and populations are defined, term by term, in the tables of these names; every column is described in
`datapackage.json`.

### Evaluation of sources

Sources were not graded by reliability, and none is weighed. What the text tells of its outlet, authors and date is
recorded with how it is known.

### Corroboration

None was sought outside the articles. Inside them, figures of one measure are put beside each other: of {measures}
measures, {corroborated} are stated by more than one source that does not depend on another. A verdict says whether
two numbers agree, not which is right:

{verdicts}

### Annotation and quality control

{annotation}

{spans} spans tell where the words of a record stand. Each cell has a certificate that says on what it rests:

{bases}

Where an annotator gave a reason, and a rule would otherwise have found a fault, the exception is counted. Not counted
are the quotation marks that an article leaves out, which annotators mark as `unbalanced`.

{excepted}

Before a release, every row is checked against its schema, CSV and Parquet are compared cell by cell, and `verify.py`,
which shares no code with the builder, can check all of it again.

## What it can be used for

{uses}

## What it must not be used for

{not_for}

## What it cannot tell

{limitations}

## How it leans

{biases}

## How people at risk are protected

{protection}

## Distribution and rights

The annotations are under {licence}. {rights}

{revealed}

Cite as: {citation}

## Maintenance, errors and removal

{maintenance} Records that were taken out so far: {tombstones}. A new version cannot reach copies that were
downloaded, the history of the repository, or the articles themselves.

{contact}

A record, a speaker or a whole source can be taken out for one of these reasons:

{reasons}
"""
