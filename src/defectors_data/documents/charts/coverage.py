"""Chart of each article's text as a strip: evidence, waived, boilerplate or withdrawn text, and the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from defectors_data.documents.charts.svg import DEEP, GREY, INK, LINE, MOST, SAND, Chart, nominal
from defectors_data.documents.labels import Row, Rows
from defectors_data.package.tables_reader import Tables

_KINDS = {"evidence": DEEP, "waived": SAND, "boilerplate": GREY, "withdrawn": INK, "other text": LINE}
"""Colours by kind; where kinds overlap, the first one counts."""
_ORDER = list(_KINDS)


def chart(tables: Tables) -> Chart | None:
    """Return the chart, or None if there are too many sources or no ledger."""
    if not 0 < tables.number("sources") <= MOST or not tables.has("ledger"):
        return None
    rows = {name: list(tables.rows(name)) for name in ("sources", "spans", "waivers", "ledger")}
    strips = {row["source_id"]: strip(rows, row) for row in rows["sources"]}
    described = [
        f"{source}: {', '.join(f'{kind} {share:.0%}' for kind, share in shares(kinds).items())}"
        for source, kinds in strips.items()
    ]
    title = "Evidence, waivers and boilerplate in the text of each article"
    return Chart("coverage", title, f"{'. '.join(described)}.", _bars(strips))


def strip(rows: Rows, source: Row) -> list[str]:
    """Return the kind of each code point of a source's text."""
    kinds = [len(_ORDER) - 1] * source["chars"]
    for kind, start, end in _covered(rows, source["source_id"]):
        for place in range(start, min(end, len(kinds))):
            kinds[place] = min(kinds[place], _ORDER.index(kind))
    return [_ORDER[kind] for kind in kinds]


def shares(kinds: Sequence[str]) -> dict[str, float]:
    """Return the share of the text that is of each kind, without kinds that do not occur."""
    counted = Counter(kinds)
    return {kind: counted[kind] / len(kinds) for kind in _ORDER if counted[kind]}


def _covered(rows: Rows, source_id: str) -> Iterator[tuple[str, int, int]]:
    for span in rows["spans"]:
        if span["source_id"] == source_id and span["field"] not in ("captions", "pull_quotes"):
            kind = "waived" if span["record_table"] == "waivers" else "evidence"
            yield "boilerplate" if span["field"] == "boilerplate" else kind, span["start"], span["end"]
    for waiver in rows["waivers"]:
        if waiver["source_id"] == source_id and waiver["text"] is None:  # its spans are not published
            yield "waived", waiver["start"], waiver["end"]
    for entry in rows["ledger"]:
        if entry["source_id"] == source_id and entry["status"] == "withdrawn":
            yield "withdrawn", entry["start"], entry["end"]


def _bars(strips: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    values = []
    for source, kinds in strips.items():
        end = 0
        for kind, run in groupby(kinds):
            start, end = end, end + len(list(run))
            values.append({"source": source, "kind": kind, "start": start, "end": end})
    found = [kind for kind in _ORDER if any(value["kind"] == kind for value in values)]
    colours = {"domain": found, "range": [_KINDS[kind] for kind in found]}
    axis = {"title": "characters of the article", "axis": {"grid": False}, "scale": {"nice": False}}
    return {
        "data": {"values": values},
        "width": 620,
        "height": {"step": 36},
        "mark": {"type": "bar", "height": 24},
        "encoding": {
            "y": nominal("source"),
            "x": {"field": "start", "type": "quantitative", **axis},
            "x2": {"field": "end"},
            "color": nominal("kind", scale=colours, sort=found),
        },
    }
