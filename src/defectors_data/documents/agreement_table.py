"""The agreement between readings as a Markdown table and as sentences.

Both are made from the rows of the table `agreement`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

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


class _TableLine(NamedTuple):
    """A line of the table: its label, the rows that it shows, and a function for their cells."""

    label: str
    kind: str
    code: str
    statistic: str
    cell: Callable[[Row], str]


def table(rows: Sequence[Row]) -> str:
    """Return a Markdown table with a column for each pair of readings.

    Without readings, the result is a sentence.
    """
    if not rows:
        return (
            "No further reading of these articles is published, so it is not known how far "
            "readers agree."
        )
    by_key = {}
    for row in rows:
        by_key[_pair(row), row["record_table"], row["code"], row["statistic"]] = row
    pairs = list(dict.fromkeys(_pair(row) for row in rows))
    lines = []
    for line in _lines(rows):
        cells = [line.label]
        for pair in pairs:
            key = pair, line.kind, line.code, line.statistic
            cell = line.cell(by_key[key]) if key in by_key else ""
            cells.append(cell)
        lines.append(cells)
    return markdown(["", *(f"{one} and {other}" for one, other in pairs)], lines)


def _pair(row: Row) -> tuple[str, str]:
    return row["reading_a"], row["reading_b"]


def _lines(rows: Sequence[Row]) -> Iterator[_TableLine]:
    """Yield the lines of the table."""
    for statistic, label in _OF_EVIDENCE.items():
        cell = _both if statistic == "f1_records" else _value
        for kind in _KINDS:
            yield _TableLine(f"{kind}: {label}", kind, "evidence", statistic, cell)
    unmarked = "testimonies", "evidence", "estimate_unmarked"
    yield _TableLine("indirect and narrated: in both", *unmarked, _both)
    yield _TableLine("estimated total", *unmarked, _estimate)
    for kind in _KINDS:
        rule_of = {row["code"]: row["codebook_rule"] for row in rows if row["record_table"] == kind}
        rule_of.pop("evidence", None)
        for code, rule in rule_of.items():
            yield _TableLine(f"`{code}` of {kind} (codebook {rule})", kind, code, "alpha", _equal)


def _both(row: Row) -> str:
    return f"{row['compared']} of {row['records_a']} and {row['records_b']}"


def _value(row: Row) -> str:
    return "not defined" if row["value"] is None else f"{row['value']:.3f}"


def _estimate(row: Row) -> str:
    return f"{row['value']:.1f} ({row['interval_low']:.1f} to {row['interval_high']:.1f})"


def _equal(row: Row) -> str:
    share = f"{row['equal']} of {row['compared']}"
    return share if row["value"] is None else f"{share}; {_value(row)}"


def sentences(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a sentence on the agreement of each pair of readings on each kind of record."""
    groups = defaultdict[tuple[str, str, str], list[Row]](list)
    for row in rows:
        groups[*_pair(row), row["record_table"]].append(row)
    for (one, other, kind), group in groups.items():
        evidence, codes = {}, []
        for row in group:
            if row["code"] == "evidence":
                evidence[row["statistic"]] = row
            elif row["statistic"] == "alpha":
                codes.append(f"{row['code']} {_equal(row)}")
        shares = []
        for statistic, label in _OF_EVIDENCE.items():
            # The sentence states the number of records in both readings instead of their F1.
            if statistic != "f1_records":
                shares.append(f"{label} {_value(evidence[statistic])}")
        found = f"{kind} in both {_both(evidence['f1_records'])}; {', '.join(shares)}"
        pair = f"{one} and {other}, articles {evidence['alpha']['articles']}"
        yield f"{pair}: {found}; equal, with alpha: {', '.join(codes)}."
