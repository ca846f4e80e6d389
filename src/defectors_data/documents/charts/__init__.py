"""Charts for articles, slides and the page: SVG with a sentence as title, made from the tables."""

from __future__ import annotations

from defectors_data.documents.charts import reasons, reported_numbers, timeline
from defectors_data.documents.charts.chart import Chart
from defectors_data.documents.charts.reasons import HEADINGS
from defectors_data.documents.charts.svg import STYLE
from defectors_data.package.tables_reader import PackageTables

__all__ = ["HEADINGS", "STYLE", "Chart", "charts"]


def charts(tables: PackageTables, data: str) -> list[Chart]:
    """Return the charts for which there are data: why they left, when, and how many.

    `data` is the name, version, date and licence of the dataset, which every chart contains.
    """
    made = [
        reasons.chart(tables, data),
        timeline.chart(tables, data),
        reported_numbers.chart(tables, data),
    ]
    return [chart for chart in made if chart]
