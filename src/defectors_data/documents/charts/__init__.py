"""Charts for the page and for slides: accessible, reproducible SVG made from the published tables."""

from __future__ import annotations

from defectors_data.documents.charts import figure_values, testimony_modes, text_coverage, themes
from defectors_data.documents.charts.svg import STYLE, Chart
from defectors_data.package.tables_reader import PackageTables

__all__ = ["STYLE", "Chart", "charts"]


def charts(tables: PackageTables) -> list[Chart]:
    """Return the charts; a chart is left out if the tables have no rows for it, or too many for it to be legible."""
    makers = (
        figure_values.chart,
        themes.beside_motives,
        themes.by_role,
        testimony_modes.chart,
        text_coverage.chart,
    )
    made = [make(tables) for make in makers]
    return [chart for chart in made if chart]
