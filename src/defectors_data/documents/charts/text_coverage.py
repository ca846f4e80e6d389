"""A chart of the text of each article as a strip of evidence, other kinds of text, and the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby

from defectors_data.documents.charts.svg import MOST, Chart, Panel, strip
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.labels import Row, Rows, article_label

_ORDER = ["evidence", "waived", "boilerplate", "withdrawn", "other text"]
"""Kinds of text; where several apply to a character, the first one counts."""


def chart(tables: PackageTables) -> Chart | None:
    """Return the chart; None if there are no sources, too many sources, or no ledger."""
    if not 0 < tables.number("sources") <= MOST or not tables.has("ledger"):
        return None
    rows = {name: list(tables.rows(name)) for name in ("sources", "spans", "waivers", "ledger")}
    top = max(row["chars"] for row in rows["sources"])
    panels = tuple(_panel(row, kinds_of(rows, row), top) for row in rows["sources"])
    title = "Evidence, waivers and boilerplate in the text of each article"
    return Chart("coverage", title, panels)


def _panel(source: Row, kinds: Sequence[str], top: int) -> Panel:
    runs, end = [], 0
    for kind, run in groupby(kinds):
        start, end = end, end + len(list(run))
        runs.append((_class(kind), start, end))
    named = []
    for kind, share in shares(kinds).items():
        words = f"{share:.0%}" if round(share, 2) else "under 1%"
        named.append((_class(kind), f"{kind} {words}"))
    return strip(article_label(source), runs, len(kinds), named, top)


def _class(kind: str) -> str:
    return kind.replace(" ", "-")


def kinds_of(rows: Rows, source: Row) -> list[str]:
    """Return the kind of each code point of a source's text."""
    kinds = [len(_ORDER) - 1] * source["chars"]
    for kind, start, end in _covered(rows, source["source_id"]):
        for place in range(start, min(end, len(kinds))):
            kinds[place] = min(kinds[place], _ORDER.index(kind))
    return [_ORDER[kind] for kind in kinds]


def shares(kinds: Sequence[str]) -> dict[str, float]:
    """Return the share of each kind in a text, from 0 to 1, without kinds that do not occur."""
    counted = Counter(kinds)
    return {kind: counted[kind] / len(kinds) for kind in _ORDER if counted[kind]}


def _covered(rows: Rows, source_id: str) -> Iterator[tuple[str, int, int]]:
    for span in rows["spans"]:
        if span["source_id"] == source_id and span["field"] not in ("captions", "pull_quotes"):
            yield _kind_of_span(span), span["start"], span["end"]
    for waiver in rows["waivers"]:
        # The spans of a waiver without text are not published.
        if waiver["source_id"] == source_id and waiver["text"] is None:
            yield "waived", waiver["start"], waiver["end"]
    for entry in rows["ledger"]:
        if entry["source_id"] == source_id and entry["status"] == "withdrawn":
            yield "withdrawn", entry["start"], entry["end"]


def _kind_of_span(span: Row) -> str:
    if span["field"] == "boilerplate":
        return "boilerplate"
    return "waived" if span["record_table"] == "waivers" else "evidence"
