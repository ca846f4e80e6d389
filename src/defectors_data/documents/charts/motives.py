"""Chart of the themes that testimonies have in addition to a motive to leave, by the speaker's role."""

from __future__ import annotations

from collections import Counter
from typing import Any

from defectors_data.documents.charts.svg import DEEP, GREY, MIDDLE, MOST, PALE, SAND, Chart, nominal, stacked
from defectors_data.documents.labels import ROLES, words
from defectors_data.package.tables_reader import Tables

MOTIVE = "motive_to_leave"
"""The theme of testimonies that say why someone left."""

_COLOURS = [DEEP, SAND, MIDDLE, GREY, PALE]


def chart(tables: Tables) -> Chart | None:
    """Return the chart, or None if no testimony gives a motive to leave or there are too many other themes."""
    testimonies, counted = 0, Counter[tuple[str, str]]()
    for row in tables.rows("testimonies", ["themes", "speaker_role"]):
        themes = row["themes"].split(";")
        if MOTIVE in themes:
            testimonies += 1
            counted.update((words(theme), ROLES[row["speaker_role"]]) for theme in themes if theme != MOTIVE)
    if not 0 < len({theme for theme, _ in counted}) <= MOST:
        return None
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    others = ", ".join(f"{theme} {number} ({role})" for (theme, role), number in ordered)
    described = f"{testimonies} testimonies give a motive to leave. Their other themes: {others}."
    title = "Themes mentioned with a motive to leave, by the speaker's role"
    return Chart("motives-by-role", title, described, _bars(counted))


def _bars(counted: Counter[tuple[str, str]]) -> dict[str, Any]:
    values = [{"theme": theme, "role": role, "testimonies": n} for (theme, role), n in sorted(counted.items())]
    by_number = {"field": "testimonies", "op": "sum", "order": "descending"}
    return {
        "data": {"values": values},
        "width": 560,
        "height": {"step": 24},
        "mark": {"type": "bar", "height": 16},
        "encoding": {
            "y": nominal("theme", sort=by_number),
            "x": stacked("testimonies"),
            "color": nominal("role", scale={"range": _COLOURS}),
        },
    }
