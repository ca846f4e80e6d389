"""What each source reports for each measure that can be put side by side: a point, or a bar that is open.

A filled point is the number itself; a hollow one is near it. A bar is all that the words allow: it ends at a bound,
and runs on to an arrow where the words set none. Each measure has a scale of its own, which begins at nought.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from defectors_data.documents.charts.svg import DEEP, LINE, MIDDLE, MOST, QUIET, Chart
from defectors_data.documents.labels import UNITS, Row, said, whose, words
from defectors_data.package.tables_reader import Tables

_POINTS = {"exact": False, "about": True, "nearly": True}
"""The hedges that are drawn as a point, and whether it is hollow."""

_BESIDE, _WIDTH = 330, 420
"""Pixels for who says it, and for the number."""

_KEY = (
    "A filled point is the number itself, a hollow one near it. A bar is all that the words allow; an arrow, that they "
    "set no end. Each measure has a scale of its own, from nought."
)


def chart(tables: Tables) -> Chart | None:
    """Draw the figures of each such measure below each other."""
    pairs = tables.rows("comparisons", ["measure", "verdict"])
    compared = {row["measure"] for row in pairs if row["verdict"] != "not_comparable"}
    counted = tables.count("figures", "measure")
    if not 0 < sum(counted[measure] for measure in compared) <= MOST:
        return None
    figures = list(tables.among("figures", "measure", compared, tables.columns("figures")))
    names = {figure["attributed_to"] for figure in figures} - {None}
    speakers = {
        row["speaker_id"]: row for row in tables.among("speakers", "speaker_id", names, tables.columns("speakers"))
    }
    definitions = {row["term"]: row["definition"] for row in tables.rows("measures")}
    measures = _by_unit(figures)
    drawn = [_lines(definitions[name], unit, figures, speakers) for (name, unit), figures in measures.items()]
    lines = [line for found in drawn for line in found] + [{"measure": None, "who": None, "key": _KEY}]
    described = [
        line["measure"] or f"{line['who']}: {line['said']}" for line in lines if line["measure"] or line["who"]
    ]
    heading = "What the sources report, for each measure that can be put side by side"
    return Chart("figures-by-measure", heading, f"{'. '.join(described)}.", _layers(lines))


def _by_unit(figures: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """Return figures by measure and unit: years are not drawn on the scale of months."""
    found = defaultdict(list)
    for figure in figures:
        found[figure["measure"], figure["unit"]].append(figure)
    return dict(sorted(found.items()))


def _lines(definition: str, unit: str, figures: Sequence[Row], speakers: Mapping[str, Row]) -> Iterator[dict[str, Any]]:
    """Give the lines of a measure: its name, its figures, and an empty one."""
    stated = [figure[key] or 0 for figure in figures for key in ("value", "low", "high")]
    reach = max(stated) * 1.25 or 1
    yield {"measure": f"{definition.rstrip('.')}{UNITS[unit]}", "who": None, "from": None, "point": None}
    for figure in figures:
        place: dict[str, float | None] = {"point": None, "from": None, "to": None, "open": None}
        if figure["hedge"] in _POINTS:
            place["point"] = (figure["value"] or 0) / reach
        else:
            place["from"] = (figure["low"] or 0) / reach
            place["to"] = 1 if figure["high"] is None else figure["high"] / reach
            place["open"] = 1 if figure["high"] is None else None
        of = f" ({words(figure['population'])})" if figure["population"] else ""
        who = f"{figure['source_id']}, {whose(figure, speakers)}{of}"
        hollow = _POINTS.get(figure["hedge"], False)
        yield {"measure": None, "who": who, "said": said(figure), "hollow": hollow, **place}
    yield {"measure": None, "who": None, "from": None, "point": None}


def _layers(lines: list[dict[str, Any]]) -> dict[str, Any]:
    ends = [_BESIDE, _BESIDE + _WIDTH]
    scale = {"domain": [0, 1], "range": ends, "nice": False, "zero": False}
    across = {"type": "quantitative", "scale": scale, "axis": None}
    fill = {"condition": {"test": "datum.hollow", "value": "white"}, "value": DEEP}
    text = {"type": "text", "align": "left"}
    bar = {"type": "bar", "height": 6, "color": MIDDLE}
    arrow = {"type": "point", "shape": "triangle-right", "filled": True, "size": 80, "color": MIDDLE, "opacity": 1}
    point = {"type": "point", "size": 70, "stroke": DEEP, "strokeWidth": 2, "opacity": 1}
    rows = {"field": "line", "type": "ordinal", "axis": None, "scale": {"domain": list(range(len(lines)))}}
    return {
        "data": {"values": [{"line": number, **line} for number, line in enumerate(lines)]},
        "width": _BESIDE + _WIDTH + 170,
        "height": {"step": 22},
        "encoding": {"y": rows},
        "layer": [
            _layer({"type": "rule", "color": LINE, "x": ends[0], "x2": ends[1]}, "datum.who"),
            _layer({**text, "x": 0, "fontWeight": "bold"}, "datum.measure", text={"field": "measure"}),
            _layer({**text, "x": 0, "limit": _BESIDE - 20, "color": QUIET}, "datum.who", text={"field": "who"}),
            _layer({**text, "x": ends[1] + 16}, "datum.who", text={"field": "said"}),
            _layer({**text, "x": 0, "color": QUIET}, "datum.key", text={"field": "key"}),
            _layer(bar, "datum.from !== null", x={"field": "from", **across}, x2={"field": "to"}),
            _layer(arrow, "datum.open", x={"field": "open", **across}),
            _layer(point, "datum.point !== null", x={"field": "point", **across}, fill=fill),
        ],
    }


def _layer(mark: dict[str, Any], where: str, **encoding: Any) -> dict[str, Any]:
    return {"transform": [{"filter": where}], "mark": mark, "encoding": encoding}
