"""Charts for the page and for slides, from the published tables alone: accessible SVG, the same bytes each time."""

from __future__ import annotations

from defectors_data.charts import covered, motives, reported, told
from defectors_data.charts.drawing import Drawn, draw
from defectors_data.wording import Rows

_CHARTS = (reported.chart, motives.chart, told.chart, covered.chart)


def charts(rows: Rows) -> list[Drawn]:
    """Return every chart that the tables have something for.

    `rows` are the published tables as rows, by name.
    """
    return [draw(chart) for make in _CHARTS if (chart := make(rows))]
