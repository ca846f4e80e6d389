"""Charts for the page and for slides: accessible SVG made from the published tables."""

from __future__ import annotations

from defectors_data.documents.charts import figure_values, testimony_modes, text_coverage, themes
from defectors_data.documents.charts.svg import STYLE, Chart
from defectors_data.package.tables_reader import PackageTables

__all__ = ["STYLE", "Chart", "charts"]


def charts(tables: PackageTables) -> list[Chart]:
    """Return the charts, without those that have no rows or too many rows to be legible."""
    made = [
        figure_values.chart(tables),
        themes.beside_motives(tables),
        themes.by_role(tables),
        testimony_modes.chart(tables),
        text_coverage.chart(tables),
    ]
    return [chart for chart in made if chart]
