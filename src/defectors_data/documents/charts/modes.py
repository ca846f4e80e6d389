"""Chart of the modes of each source's testimonies: direct, indirect or narrated."""

from __future__ import annotations

from collections import Counter
from typing import Any

from defectors_data.documents.charts.svg import DEEP, MIDDLE, MOST, SAND, Chart, nominal, stacked
from defectors_data.package.tables_reader import Tables

_MODES = {"direct": DEEP, "indirect": MIDDLE, "narrated": SAND}


def chart(tables: Tables) -> Chart | None:
    """Return the chart of testimonies by source and mode, or None if there are too many sources or no testimonies."""
    if tables.number("sources") > MOST or not tables.number("testimonies"):
        return None
    counted = Counter((row["source_id"], row["mode"]) for row in tables.rows("testimonies", ["source_id", "mode"]))
    sources = sorted({source for source, _ in counted})
    described = [f"{source}: {', '.join(f'{counted[source, mode]} {mode}' for mode in _MODES)}" for source in sources]
    return Chart("testimonies-by-mode", "Testimonies by source and mode", f"{'. '.join(described)}.", _bars(counted))


def _bars(counted: Counter[tuple[str, str]]) -> dict[str, Any]:
    modes = list(_MODES)
    values = [
        {"source": source, "mode": mode, "testimonies": number, "order": modes.index(mode)}
        for (source, mode), number in sorted(counted.items())
    ]
    colour = nominal("mode", scale={"domain": modes, "range": list(_MODES.values())}, sort=modes)
    number = {"type": "text", "color": "white", "align": "right", "dx": -5}
    return {
        "data": {"values": values},
        "width": 560,
        "height": {"step": 34},
        "encoding": {
            "y": nominal("source"),
            "x": stacked("testimonies"),
            "order": {"field": "order", "type": "quantitative"},
        },
        "layer": [
            {"mark": {"type": "bar", "height": 22}, "encoding": {"color": colour}},
            {"mark": number, "encoding": {"text": {"field": "testimonies"}, "detail": {"field": "mode"}}},
        ],
    }
