"""The datasheet of the dataset, with every number counted in the tables.

Its questions are those of "Datasheets for Datasets" (Gebru and others, 2021) in words of this project's own; its
section on method says what the Standards for Casualty Recording of Every Casualty ask a recorder to disclose.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa

from defectors_data.metadata.facts import Facts
from defectors_data.readme import citation, markdown, revealed
from defectors_data.rows import listed, sentence
from defectors_data.vocabularies import MEANINGS

Rows = Mapping[str, list[dict[str, Any]]]


def datasheet(facts: Facts, tables: Mapping[str, pa.Table]) -> bytes:
    """Return the datasheet, in Markdown."""
    rows = {name: table.to_pylist() for name, table in tables.items()}
    return _TEMPLATE.format(**_said(facts), **_counted(rows), revealed=revealed(tables["sources"])).encode()


def _said(facts: Facts) -> dict[str, str]:
    """Return what `dataset.yaml` says."""
    dataset = facts.dataset
    names = "title version purpose collection annotation sensitive protection maintenance contact rights"
    return {
        **{name: str(getattr(dataset, name)).strip() for name in names.split()},
        "released": dataset.released.isoformat(),
        "contributors": listed([f"{c.title} ({', '.join(c.roles)})" for c in dataset.contributors]),
        "places": listed(dataset.coverage.places),
        "time": dataset.coverage.time,
        "languages": listed(facts.languages),
        "licence": f"{dataset.licence.title} ({dataset.licence.path})",
        "citation": citation(dataset),
        "contents": "\n".join(f"- `{t.row.TABLE.name}`: {_rows(t.number)}. {sentence(t.row)}" for t in facts.tables),
        "uses": _points(dataset.uses),
        "not_for": _points(dataset.not_for),
        "limitations": _points(dataset.limitations),
        "biases": _points(dataset.biases),
        "reasons": _points(f"`{reason}`: {meaning}" for reason, meaning in MEANINGS["TakedownReason"].items()),
    }


def _rows(number: int) -> str:
    return "1 row" if number == 1 else f"{number} rows"


def _counted(rows: Rows) -> dict[str, str]:
    """Return what the tables hold, counted."""
    figures, sources, ledger = rows["figures"], rows["sources"], rows["ledger"]
    independent = [row for row in rows["measure_summary"] if (row["independent_sources"] or 0) > 1]
    return {
        "sources": _per_source(rows),
        "inferred": str(sum(1 for row in sources for name in _BASES if row[name] == "inferred")),
        "modes": _by(rows["testimonies"], "mode", "Mode", "testimonies"),
        "anonymity": _by(rows["speakers"], "anonymity", "Anonymity", "speakers"),
        "roles": _by(rows["speakers"], "role", "Role", "speakers"),
        "hedges": _by(figures, "hedge", "Hedge", "figures"),
        "statuses": _by(ledger, "status", "LedgerStatus", "quotations and numbers"),
        "waivers": _by(rows["waivers"], "reason", "WaiverReason", "waivers"),
        "excepted": excepted(rows),
        "verdicts": _by(rows["comparisons"], "verdict", "Verdict", "pairs of figures"),
        "bases": _by(rows["provenance"], "basis", "CertificateBasis", "columns and single cells"),
        "detected": str(len(ledger)),
        "protected": str(sum(row["protected"] for row in rows["speakers"])),
        "speakers": str(len(rows["speakers"])),
        "measures": str(len({row["measure"] for row in figures})),
        "corroborated": str(len(independent)),
        "tombstones": str(len(rows["tombstones"])),
        "spans": str(len(rows["spans"])),
        "mentioned": str(len({row["outlet"] for row in rows["testimonies"] if row["outlet"]})),
    }


_BASES = ("outlet_basis", "authors_basis", "published_basis")


def _per_source(rows: Rows) -> str:
    """Return the sources with what each holds."""
    of = {name: Counter(row["source_id"] for row in rows[name]) for name in ("testimonies", "figures", "waivers")}
    table = [
        (
            f"`{row['source_id']}`",
            row["outlet"] or "not known",
            row["published"] or "not known",
            f"{row['words']:,}",
            *(str(of[name][row["source_id"]]) for name in of),
        )
        for row in rows["sources"]
    ]
    return markdown(["source", "outlet", "published", "words", *of], table)


def _by(rows: Iterable[Mapping[str, Any]], column: str, vocabulary: str, counted: str) -> str:
    """Return how many rows have each value of a closed vocabulary, with what the value means."""
    count = Counter(row[column] for row in rows)
    found = [(f"`{v}`", meaning, str(count[v])) for v, meaning in MEANINGS[vocabulary].items() if count[v]]
    return markdown([column, "means", counted], found)


def excepted(rows: Rows) -> str:
    """Return the exceptions of all sources together, in Markdown."""
    lines = [(f"`{rule}`", f"`{why}`", str(n), f"{of} {what}") for rule, why, n, of, what in exceptions(rows)]
    return markdown(["rule", "reason", "exceptions", "of"], lines)


def exceptions(rows: Rows) -> list[tuple[str, str, int, int, str]]:
    """Return by rule how often annotators gave a reason where it would find a fault, and of how many what.

    A reason that is not needed is a fault itself, so every reason stands for an exception. Quotation marks that an
    article leaves out (`unbalanced`) are in no table, so `direct-without-marks` is not counted.
    """
    modes = {row["testimony_id"]: row["mode"] for row in rows["testimonies"]}
    triggered = {row["term"] for row in rows["themes"] if row["triggers"]}
    themes = sum(row["theme"] in triggered for row in rows["testimony_themes"])
    spans = [row for row in rows["spans"] if row["record_table"] == "testimonies"]
    because = Counter(
        modes[row["record_id"]] if row["field"] == "mode" else "theme"
        for row in spans
        if row["field"] != "evidence" and row["part"] == 1
    )
    bases = [row[name] for row in rows["sources"] for name in _BASES if row[name]]
    quotations = [row["status"] for row in rows["ledger"] if row["kind"] == "quotation"]
    numbers = [row["status"] for row in rows["ledger"] if row["kind"] != "quotation"]

    def filled(table: str, column: str) -> tuple[int, int]:
        return sum(bool(row[column]) for row in rows[table]), len(rows[table])

    def borne_out(mode: str) -> tuple[int, int]:
        return because[mode], list(modes.values()).count(mode)

    return [
        ("conflict-without-note", "note", *filled("comparisons", "note"), "pairs of figures"),
        ("figure-not-its-words", "override", *filled("figures", "override"), "figures"),
        ("indirect-without-verb", "because", *borne_out("indirect"), "indirect testimonies"),
        (
            "inferred-without-note",
            "note",
            bases.count("inferred"),
            len(bases),
            "values of authors, outlet and published",
        ),
        ("narrated-with-verb", "because", *borne_out("narrated"), "narrated testimonies"),
        ("quantity-unaccounted", "waiver", numbers.count("waived"), len(numbers), "numbers"),
        ("quotation-unaccounted", "waiver", quotations.count("waived"), len(quotations), "quotations"),
        ("relation-fails", "note", *filled("relations", "note"), "relations"),
        ("theme-without-words", "because", because["theme"], themes, "themes of testimonies"),
        ("words-told-twice", "note", _sharing_words(spans), len(modes), "testimonies"),
    ]


def _sharing_words(spans: Iterable[Mapping[str, Any]]) -> int:
    """Return how many testimonies have words in common with one that begins before them."""
    found, record, reached = set(), "", ("", 0)
    for span in sorted(spans, key=lambda row: (row["source_id"], row["start"], row["end"])):
        if span["field"] == "evidence":
            if (span["source_id"], span["start"]) < reached and span["record_id"] != record:
                found.add(span["record_id"])
            if (span["source_id"], span["end"]) > reached:
                record, reached = span["record_id"], (span["source_id"], span["end"])
    return len(found)


def _points(items: Iterable[str]) -> str:
    return "\n".join(f"- {item.strip()}" for item in items)


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
