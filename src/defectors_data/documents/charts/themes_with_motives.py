"""A chart of the other themes of the testimonies that give a motive to leave, by the speaker's role."""

from __future__ import annotations

from collections import Counter, defaultdict

from defectors_data.documents.charts.svg import MOST, Chart, bars
from defectors_data.package.tables_reader import Tables

MOTIVE = "motive_to_leave"
"""The theme of testimonies that say why someone left."""


def chart(tables: Tables) -> Chart | None:
    """Return the chart; None if no testimony with a motive to leave has another theme, or there are too many bars."""
    testimonies, counted = Counter[str](), defaultdict[str, Counter[str]](Counter)
    for row in tables.rows("testimonies", ["themes", "speaker_role"]):
        themes = row["themes"].split(";")
        if MOTIVE in themes:
            testimonies[row["speaker_role"]] += 1
            counted[row["speaker_role"]].update(theme for theme in themes if theme != MOTIVE)
    if not 0 < sum(map(len, counted.values())) <= MOST:
        return None
    labels, roles = tables.labels("themes"), tables.labels("roles")
    top = max(max(themes.values()) for themes in counted.values() if themes)
    panels = [
        bars(
            f"{roles[role]}: {testimonies[role]} testimonies",
            [
                (labels[theme], number)
                for theme, number in sorted(counted[role].items(), key=lambda item: (-item[1], item[0]))
            ],
            top,
            "testimonies",
            role,
        )
        for role in sorted(counted, key=lambda role: (-testimonies[role], role))
        if counted[role]
    ]
    key = "A testimony can have several themes, so the bars do not add up to the number of testimonies."
    return Chart("motives", "Themes of the testimonies that give a motive to leave", tuple(panels), key)
