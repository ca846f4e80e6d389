"""A chart of the testimonies of each article by mode: direct, indirect or narrated."""

from __future__ import annotations

from collections import Counter

from defectors_data.documents.charts.svg import MOST, Chart, bars
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.labels import source_label


def chart(tables: PackageTables) -> Chart | None:
    """Return the chart; None if there are no testimonies or too many articles."""
    if tables.number("sources") > MOST or not tables.number("testimonies"):
        return None
    counted = Counter(
        (row["source_id"], row["mode"]) for row in tables.rows("testimonies", ["source_id", "mode"])
    )
    top = max(counted.values())
    panels = [
        bars(
            source_label(row),
            [(mode, counted[row["source_id"], mode]) for mode in MEANINGS["Mode"]],
            top,
            "testimonies",
        )
        for row in tables.rows("sources", ["source_id", "title", "outlet"])
    ]
    key = f"{'; '.join(f'{mode}: {meaning}' for mode, meaning in MEANINGS['Mode'].items())}."
    return Chart("testimonies-by-mode", "Testimonies by article and mode", tuple(panels), key)
