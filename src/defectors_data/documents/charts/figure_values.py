"""Chart of the figures that can be compared with a figure of another source: points, and bars that may be open.

A filled point is the exact number; a hollow one is approximate. A bar covers all values that the words allow: it ends
at a bound, or in an arrow where the words set no upper bound. Each measure has its own scale, which starts at zero.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from defectors_data.documents.charts.svg import DEEP, LINE, MIDDLE, MOST, QUIET, Chart
from defectors_data.documents.labels import UNITS, Row, hedged_number, reported_by, words
from defectors_data.package.tables_reader import Tables

_POINTS = {"exact": False, "about": True, "nearly": True}
"""The hedges that are drawn as a point, and whether it is hollow."""

_NAMES, _SCALE, _NUMBERS = 330, 420, 170
"""Widths of the three columns in pixels: who reports the figure, the scale, the number in words."""

_KEY = (
    "A filled point is exact, a hollow one approximate. A bar covers all values that the words allow; an arrow means "
    "no upper bound. Each scale starts at zero."
)


def chart(tables: Tables) -> Chart | None:
    """Return the chart, or None if no figures can be compared or there are too many of them."""
    pairs = tables.rows("comparisons", ["figure_a", "figure_b", "verdict", "same_source"])
    across = (row for row in pairs if row["verdict"] != "not_comparable" and not row["same_source"])
    compared = {row[column] for row in across for column in ("figure_a", "figure_b")}
    if not 0 < len(compared) <= MOST:
        return None
    figures = list(tables.among("figures", "figure_id", compared, tables.columns("figures")))
    names = {figure["attributed_to"] for figure in figures} - {None}
    speakers = {
        row["speaker_id"]: row for row in tables.among("speakers", "speaker_id", names, tables.columns("speakers"))
    }
    definitions = {row["term"]: row["definition"] for row in tables.rows("measures")}
    measures = _by_unit(figures).items()
    lines = [line for (name, unit), of in measures for line in _lines(definitions[name], unit, of, speakers)]
    described = [
        line.get("measure") or f"{line['who']}: {line['number']}"
        for line in lines
        if "measure" in line or "who" in line
    ]
    title = "Figures that can be compared with a figure of another article"
    return Chart("figures-by-measure", title, f"{'. '.join(described)}.", _layers([*lines, {"key": _KEY}]))


def _by_unit(figures: Sequence[Row]) -> dict[tuple[str, str], list[Row]]:
    """Return figures by measure and unit, since years and months need different scales."""
    found = defaultdict(list)
    for figure in figures:
        found[figure["measure"], figure["unit"]].append(figure)
    return dict(sorted(found.items()))


def _lines(definition: str, unit: str, figures: Sequence[Row], speakers: Mapping[str, Row]) -> Iterator[dict[str, Any]]:
    """Yield the lines of a measure: its definition, its figures, and an empty line."""
    stated = [figure[key] or 0 for figure in figures for key in ("value", "low", "high")]
    reach = max(stated) * 1.25 or 1
    yield {"measure": f"{definition.rstrip('.')}{UNITS[unit]}"}
    for figure in figures:
        of = f" ({words(figure['population'])})" if figure["population"] else ""
        who = f"{figure['source_id']}, {reported_by(figure, speakers)}{of}"
        line = {"who": who, "number": hedged_number(figure)}
        if figure["hedge"] in _POINTS:
            yield {**line, "point": (figure["value"] or 0) / reach, "hollow": _POINTS[figure["hedge"]]}
        else:
            end = {"open": 1, "to": 1} if figure["high"] is None else {"to": figure["high"] / reach}
            yield {**line, "from": (figure["low"] or 0) / reach, **end}
    yield {}


def _layers(lines: list[dict[str, Any]]) -> dict[str, Any]:
    ends = [_NAMES, _NAMES + _SCALE]
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
        "width": _NAMES + _SCALE + _NUMBERS,
        "height": {"step": 22},
        "encoding": {"y": rows},
        "layer": [
            _layer({"type": "rule", "color": LINE, "x": ends[0], "x2": ends[1]}, "datum.who"),
            _layer({**text, "x": 0, "fontWeight": "bold"}, "datum.measure", text={"field": "measure"}),
            _layer({**text, "x": 0, "limit": _NAMES - 20, "color": QUIET}, "datum.who", text={"field": "who"}),
            _layer({**text, "x": ends[1] + 16}, "datum.who", text={"field": "number"}),
            _layer({**text, "x": 0, "color": QUIET}, "datum.key", text={"field": "key"}),
            _layer(bar, "isValid(datum.from)", x={"field": "from", **across}, x2={"field": "to"}),
            _layer(arrow, "datum.open", x={"field": "open", **across}),
            _layer(point, "isValid(datum.point)", x={"field": "point", **across}, fill=fill),
        ],
    }


def _layer(mark: dict[str, Any], where: str, **encoding: Any) -> dict[str, Any]:
    return {"transform": [{"filter": where}], "mark": mark, "encoding": encoding}
