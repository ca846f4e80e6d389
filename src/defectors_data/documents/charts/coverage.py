"""Each article as a strip of its text: what is evidence, what is waived, what is boilerplate; the rest is narration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from defectors_data.documents.charts.svg import DEEP, GREY, LINE, MOST, SAND, Chart, nominal
from defectors_data.documents.labels import Row, Rows
from defectors_data.package.tables_reader import Tables

_KINDS = {"evidence": DEEP, "waived": SAND, "boilerplate": GREY, "taken out": "#23282d", "narration": LINE}
_ORDER = list(_KINDS)


def chart(tables: Tables) -> Chart | None:
    """Draw every source from its first character to its last."""
    if not 0 < tables.number("sources") <= MOST or not tables.has("ledger"):
        return None
    rows = {name: list(tables.rows(name)) for name in ("sources", "spans", "waivers", "ledger")}
    strips = {row["source_id"]: strip(rows, row) for row in rows["sources"]}
    described = [f"{source}: {_shares(kinds)}" for source, kinds in strips.items()]
    title = "What accounts for each article's text, from its first character to its last"
    return Chart("coverage", title, f"{'. '.join(described)}.", _bars(strips))


def strip(rows: Rows, source: Row) -> list[str]:
    """Return what each character of a source is; where two things cover it, evidence comes first."""
    kinds = [len(_KINDS) - 1] * source["chars"]
    for kind, start, end in _covered(rows, source["source_id"]):
        for place in range(start, min(end, len(kinds))):
            kinds[place] = min(kinds[place], _ORDER.index(kind))
    return [_ORDER[kind] for kind in kinds]


def shares(kinds: Sequence[str]) -> dict[str, float]:
    """Return which share of a text is what, leaving out what there is none of."""
    counted = Counter(kinds)
    return {kind: counted[kind] / len(kinds) for kind in _KINDS if counted[kind]}


def _shares(kinds: Sequence[str]) -> str:
    return ", ".join(f"{kind} {share:.0%}" for kind, share in shares(kinds).items())


def _covered(rows: Rows, source_id: str) -> Iterator[tuple[str, int, int]]:
    for span in rows["spans"]:
        if span["source_id"] == source_id:
            kind = "waived" if span["record_table"] == "waivers" else "evidence"
            yield "boilerplate" if span["field"] == "boilerplate" else kind, span["start"], span["end"]
    for waiver in rows["waivers"]:
        if waiver["source_id"] == source_id and waiver["text"] is None:  # its spans are not published
            yield "waived", waiver["start"], waiver["end"]
    for found in rows["ledger"]:
        if found["source_id"] == source_id and found["status"] == "withdrawn":
            yield "taken out", found["start"], found["end"]


def _bars(strips: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    values = []
    for source, kinds in strips.items():
        at = 0
        for kind, run in groupby(kinds):
            start, at = at, at + len(list(run))
            values.append({"source": source, "kind": kind, "start": start, "end": at})
    there = [kind for kind in _ORDER if any(value["kind"] == kind for value in values)]
    colours = {"domain": there, "range": [_KINDS[kind] for kind in there]}
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
            "color": nominal("kind", scale=colours, sort=there),
        },
    }
