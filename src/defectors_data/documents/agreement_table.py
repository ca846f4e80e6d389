"""The agreement between readings, from the rows of the table `agreement`, as a Markdown table and as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from defectors_data.documents.markdown import markdown

Row = Mapping[str, Any]

_KINDS = ("testimonies", "figures")
_OF_EVIDENCE = {
    "f1_records": "in both",
    "f1_characters": "F1 of characters",
    "f1_equal": "F1 of records with equal evidence",
    "alpha": "alpha of unitising",
}
"""The statistics for `evidence` that documents show, with their labels."""


def table(rows: Sequence[Row]) -> str:
    """Return a Markdown table with a column for each pair of readings, or a sentence if there are no readings."""
    if not rows:
        return "No further reading of these articles is published, so it is not known how far readers agree."
    pairs = list(dict.fromkeys((row["reading_a"], row["reading_b"]) for row in rows))
    lines = []
    for label, kind, code, statistic, cell in _lines(rows):
        wanted = (kind, code, statistic)
        mine = (r for r in rows if (r["record_table"], r["code"], r["statistic"]) == wanted)
        of = {(r["reading_a"], r["reading_b"]): r for r in mine}
        lines.append((label, *(cell(of[pair]) if pair in of else "" for pair in pairs)))
    return markdown(["", *(f"{one} and {other}" for one, other in pairs)], lines)


def _lines(rows: Sequence[Row]) -> Iterator[tuple[str, str, str, str, Callable[[Row], str]]]:
    """Yield the label, record table, code and statistic of each line, and the function that words its cells."""
    for statistic, label in _OF_EVIDENCE.items():
        for kind in _KINDS:
            yield (
                f"{kind}: {label}",
                kind,
                "evidence",
                statistic,
                _both if label == "in both" else _value,
            )
    yield "indirect and narrated: in both", "testimonies", "evidence", "estimate_unmarked", _both
    yield "estimated total", "testimonies", "evidence", "estimate_unmarked", _estimate
    for kind in _KINDS:
        for code, rule in {
            row["code"]: row["codebook_rule"] for row in rows if row["record_table"] == kind
        }.items():
            if code != "evidence":
                yield f"`{code}` of {kind} (codebook {rule})", kind, code, "alpha", _equal


def _both(row: Row) -> str:
    return f"{row['compared']} of {row['records_a']} and {row['records_b']}"


def _value(row: Row) -> str:
    return "not defined" if row["value"] is None else f"{row['value']:.3f}"


def _estimate(row: Row) -> str:
    return f"{row['value']:.1f} ({row['interval_low']:.1f} to {row['interval_high']:.1f})"


def _equal(row: Row) -> str:
    return (
        f"{row['equal']} of {row['compared']}{'' if row['value'] is None else f'; {_value(row)}'}"
    )


def sentences(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a sentence for each pair of readings and kind of record that states how far the two readings agree."""
    for one, other, kind in dict.fromkeys(
        (row["reading_a"], row["reading_b"], row["record_table"]) for row in rows
    ):
        of = [
            row
            for row in rows
            if (row["reading_a"], row["reading_b"], row["record_table"]) == (one, other, kind)
        ]
        evidence = {row["statistic"]: row for row in of if row["code"] == "evidence"}
        # The F1 of records is left out: the sentence states the number of records in both readings instead.
        shares = ", ".join(
            f"{label} {_value(evidence[name])}" for name, label in [*_OF_EVIDENCE.items()][1:]
        )
        codes = ", ".join(
            f"{r['code']} {_equal(r)}"
            for r in of
            if r["code"] != "evidence" and r["statistic"] == "alpha"
        )
        articles, both = evidence["alpha"]["articles"], _both(evidence["f1_records"])
        yield f"{one} and {other}, articles {articles}: {kind} in both {both}; {shares}; equal, with alpha: {codes}."
