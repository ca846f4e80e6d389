"""A chart of the testimonies of each article by mode: direct, indirect or narrated."""

from __future__ import annotations

from collections import Counter

from defectors_data.documents.charts.svg import MOST, Chart, bars
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.labels import article_label


def chart(tables: PackageTables) -> Chart | None:
    """Return the chart; None if there are no testimonies or too many articles."""
    if tables.number("sources") > MOST or not tables.number("testimonies"):
        return None
    counted = Counter[tuple[str, str]]()
    for row in tables.rows("testimonies", ["source_id", "mode"]):
        counted[row["source_id"], row["mode"]] += 1
    top = max(counted.values())
    panels = []
    for row in tables.rows("sources", ["source_id", "title", "outlet"]):
        numbers = [(mode, counted[row["source_id"], mode]) for mode in MEANINGS["Mode"]]
        panels.append(bars(article_label(row), numbers, top, "testimonies"))
    key = "; ".join(f"{mode}: {meaning}" for mode, meaning in MEANINGS["Mode"].items())
    title = "Testimonies by article and mode"
    return Chart("testimonies-by-mode", title, tuple(panels), f"{key}.")
