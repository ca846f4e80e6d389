"""Render Vega-Lite specifications as SVG in one style, each with a title and a description.

The renderer measures text with fonts that it brings along, so the fonts of a machine change nothing; the SVG names
fonts of the same widths. The few colours are solid, so that the page can replace them in its dark mode.
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
_ACCESSIBILITY = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"')

MOST = 100
"""Lines that a chart may have; a chart with more is not drawn."""


def nominal(field: str, **options: Any) -> dict[str, Any]:
    """Return a Vega-Lite encoding of a nominal field."""
    return {"field": field, "type": "nominal", **options}


def stacked(field: str) -> dict[str, Any]:
    """Return a Vega-Lite encoding of counts that are stacked from zero; the axis has the field's name as its title."""
    axis = {"tickMinStep": 1}
    return {"field": field, "type": "quantitative", "stack": "zero", "title": field, "axis": axis}


class Chart(NamedTuple):
    """A chart as a Vega-Lite specification and, once it is drawn, as SVG."""

    name: str
    title: str
    description: str
    """The data of the chart in sentences."""
    specification: dict[str, Any]
    svg: str = ""


class NotDrawn(Exception):
    """The chart engine failed, for example for lack of memory or of file descriptors."""


def draw(charts: Sequence[Chart]) -> list[Chart]:
    """Return charts with their SVG, each with its title and description.

    They are rendered in another process, since the engine aborts its process when it runs out of memory.

    Raises:
        NotDrawn: the engine failed.
        ModuleNotFoundError: it is not installed.
        OSError: the process could not be started.
    """
    if find_spec("vl_convert") is None:
        raise ModuleNotFoundError("vl_convert is not installed", name="vl_convert")
    style = {"$schema": _SCHEMA, "config": _STYLE, "background": "white", "padding": 12}
    specifications = json.dumps([{**style, **chart.specification} for chart in charts])
    drawings: list[str] = json.loads(output_of_engine(specifications))
    return [chart._replace(svg=_described(svg, chart)) for chart, svg in zip(charts, drawings, strict=True)]


def output_of_engine(specifications: str) -> str:
    """Return a JSON list of SVG texts, one for each Vega-Lite specification in a JSON list.

    Raises:
        NotDrawn: the engine failed.
        OSError: its process could not be started.
    """
    command = [sys.executable, "-m", "defectors_data.documents.charts.renderer"]
    ran = subprocess.run(command, input=specifications, capture_output=True, encoding="utf-8", check=False)  # noqa: S603
    if ran.returncode:
        message = (
            "The chart engine failed; it may need more memory, open files (ulimit -n) or address space (ulimit -v)"
        )
        raise NotDrawn(message)
    return ran.stdout


def _described(svg: str, chart: Chart) -> str:
    """Add a title and a description for screen readers, and remove Vega's own labels of the parts."""
    opening, rest = _TAG.sub(lambda tag: _ACCESSIBILITY.sub("", tag[0]), svg).split(">", 1)
    names = f"{chart.name}-title {chart.name}-description"
    labels = (
        f'<title id="{chart.name}-title">{escape(chart.title)}</title>'
        f'<desc id="{chart.name}-description">{escape(chart.description)}</desc>'
    )
    return f'{opening} role="img" aria-labelledby="{names}">{labels}{rest}\n'


_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.4.json"
_STYLE: dict[str, Any] = {
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
