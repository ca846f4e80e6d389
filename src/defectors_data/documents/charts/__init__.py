"""Charts for the page and for slides: accessible SVG made from the published tables, with the same bytes every time."""

from __future__ import annotations

from defectors_data.documents.charts import (
    figure_values,
    testimony_modes,
    text_coverage,
    themes_by_role,
    themes_with_motives,
)
from defectors_data.documents.charts.svg import STYLE, Chart
from defectors_data.package.tables_reader import Tables

__all__ = ["STYLE", "Chart", "charts"]


def charts(tables: Tables) -> list[Chart]:
    """Return the charts; one is left out if the tables have no rows for it, or too many to be legible."""
    made = [
        module.chart(tables)
        for module in (figure_values, themes_with_motives, themes_by_role, testimony_modes, text_coverage)
    ]
    return [chart for chart in made if chart]
