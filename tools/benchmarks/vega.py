"""Draw Vega-Lite specifications as SVG, with a title and a description for screen readers."""

from __future__ import annotations

import re
from typing import Any

import vl_convert
from markupsafe import escape

INK, QUIET, LINE = "#23282d", "#5b646c", "#dcd9d2"

_TAG = re.compile(r"<[^>]+>")
_ACCESSIBILITY = re.compile(r' (?:role|aria-[a-z]+)="[^"]*"')


def draw(name: str, title: str, description: str, specification: dict[str, Any]) -> str:
    """Return a specification as SVG, drawn by one fixed version of Vega-Lite; nothing is loaded from the network."""
    styled = {"$schema": _SCHEMA, "config": _STYLE, "background": "white", "padding": 12, **specification}
    svg: str = vl_convert.vegalite_to_svg(styled, vl_version="6.4", allowed_base_urls=[])
    opening, rest = _TAG.sub(lambda tag: _ACCESSIBILITY.sub("", tag[0]), svg).split(">", 1)
    names = f"{name}-title {name}-description"
    labels = (
        f'<title id="{name}-title">{escape(title)}</title><desc id="{name}-description">{escape(description)}</desc>'
    )
    return f'{opening} role="img" aria-labelledby="{names}">{labels}{rest}\n'


_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.4.json"
_STYLE: dict[str, Any] = {
    "font": "Liberation Sans, Arial, Helvetica, sans-serif",
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
