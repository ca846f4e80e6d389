"""Charts for the page and for slides, from the published tables alone: accessible SVG, the same bytes each time."""

from __future__ import annotations

from defectors_data.charts import covered, motives, reported, told
from defectors_data.charts.drawing import Drawn, NotDrawn, draw
from defectors_data.published_tables import Tables

__all__ = ["Drawn", "NotDrawn", "charts"]

_CHARTS = (reported.chart, motives.chart, told.chart, covered.chart)


def charts(tables: Tables) -> list[Drawn]:
    """Return every chart that the finished tables have something for, and not too much to be legible."""
    return draw([chart for make in _CHARTS if (chart := make(tables))])
