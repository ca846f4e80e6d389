"""From a Vega-Lite specification to an SVG that reads itself out: one look, a title and a description.

Text is measured with a font that the renderer brings along, so that no font of a machine moves a line, and is set in
fonts of the same widths. Colours are few and plain, so that the page can turn them for a dark screen.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

from markupsafe import escape

FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
INK, QUIET, LINE = "#23282d", "#5b646c", "#dcd9d2"
DEEP, MIDDLE, PALE, SAND, GREY = "#1c5d6b", "#3a7f89", "#b9d3d3", "#a06a26", "#9aa1a8"

_TAG = re.compile(r"<[^>]+>")
_TOLD = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"')

MOST = 100
"""Lines that a chart may have; where there are more, it is not drawn."""


def nominal(field: str, **how: Any) -> dict[str, Any]:
    """Return an encoding by names, in Vega-Lite."""
    return {"field": field, "type": "nominal", **how}


def stacked(field: str, title: str) -> dict[str, Any]:
    """Return an encoding by whole numbers that are stacked from nought, in Vega-Lite."""
    axis = {"tickMinStep": 1}
    return {"field": field, "type": "quantitative", "stack": "zero", "title": title, "axis": axis}


class Chart(NamedTuple):
    """A chart before it is drawn."""

    name: str
    title: str
    description: str
    """What can be read from it, in a few sentences."""
    specification: dict[str, Any]
    """What to draw, in Vega-Lite."""


class Drawn(NamedTuple):
    """A chart as SVG."""

    name: str
    title: str
    description: str
    svg: str


class NotDrawn(Exception):
    """The chart engine failed, as it does where there is little memory or few files may be open."""


def draw(charts: Sequence[Chart]) -> list[Drawn]:
    """Draw charts, and give each its title and description; nothing is fetched for them.

    They are drawn in another process: the engine aborts where it gets too little memory.

    Raises:
        NotDrawn: the engine failed.
        ModuleNotFoundError: it is not installed.
        OSError: the process could not be started.
    """
    if find_spec("vl_convert") is None:
        raise ModuleNotFoundError("vl_convert is not installed", name="vl_convert")
    look = {"$schema": _SCHEMA, "config": _LOOK, "background": "white", "padding": 12}
    specifications = json.dumps([{**look, **chart.specification} for chart in charts])
    drawings: list[str] = json.loads(output_of_engine(specifications))
    return [
        Drawn(chart.name, chart.title, chart.description, _described(svg, chart))
        for chart, svg in zip(charts, drawings, strict=True)
    ]


def output_of_engine(specifications: str) -> str:
    """Return a JSON list of SVGs, one for each of a JSON list of Vega-Lite specifications.

    Raises:
        NotDrawn: the engine failed.
        OSError: its process could not be started.
    """
    command = [sys.executable, "-m", "defectors_data.documents.charts.renderer"]
    ran = subprocess.run(command, input=specifications, capture_output=True, encoding="utf-8", check=False)  # noqa: S603
    if ran.returncode:
        raise NotDrawn(
            "The chart engine failed, as it does with little memory, few open files (ulimit -n) or a limit of address "
            "space (ulimit -v)"
        )
    return ran.stdout


def _described(svg: str, chart: Chart) -> str:
    """Name a drawing for whoever cannot see it; what is inside is then of no more interest to a screen reader."""
    opening, rest = _TAG.sub(lambda tag: _TOLD.sub("", tag[0]), svg).split(">", 1)
    names = f"{chart.name}-title {chart.name}-description"
    told = (
        f'<title id="{chart.name}-title">{escape(chart.title)}</title>'
        f'<desc id="{chart.name}-description">{escape(chart.description)}</desc>'
    )
    return f'{opening} role="img" aria-labelledby="{names}">{told}{rest}\n'


_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.4.json"
_LOOK: dict[str, Any] = {
    "font": FONT,
    "view": {"stroke": None},
    "text": {"color": INK, "fontSize": 12},
    "axis": {
        "domain": False,
        "ticks": False,
        "gridColor": LINE,
        "labelColor": INK,
        "labelFontSize": 12,
        "labelPadding": 8,
        "titleColor": QUIET,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 8,
    },
    "axisY": {"grid": False, "labelLimit": 300, "title": None},
    "legend": {"labelColor": INK, "labelFontSize": 12, "title": None, "orient": "top", "symbolStrokeWidth": 0},
}
