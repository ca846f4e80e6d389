"""Charts for the page and for slides, from the published tables alone: accessible SVG, the same bytes each time."""

from __future__ import annotations

from defectors_data.documents.charts import coverage, figure_values, modes, motives
from defectors_data.documents.charts.svg import Drawn, NotDrawn, draw
from defectors_data.package.tables_reader import Tables

__all__ = ["Drawn", "NotDrawn", "charts"]

_CHARTS = (figure_values.chart, motives.chart, modes.chart, coverage.chart)


def charts(tables: Tables) -> list[Drawn]:
    """Return every chart that the finished tables have something for, and not too much to be legible."""
    return draw([chart for make in _CHARTS if (chart := make(tables))])
