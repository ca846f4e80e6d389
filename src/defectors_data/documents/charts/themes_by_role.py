"""A chart of the most frequent themes of the speakers of each role, as panels with the same scale."""

from __future__ import annotations

from collections import Counter, defaultdict

from defectors_data.documents.charts.svg import Chart, bars
from defectors_data.package.tables_reader import Tables

_THEMES = 4
"""Number of themes shown for each role."""


def chart(tables: Tables) -> Chart | None:
    """Return the chart; None if there are no testimonies."""
    testimonies, counted = Counter[str](), defaultdict[str, Counter[str]](Counter)
    for row in tables.rows("testimonies", ["themes", "speaker_role"]):
        testimonies[row["speaker_role"]] += 1
        counted[row["speaker_role"]].update(row["themes"].split(";"))
    if not counted:
        return None
    labels, roles = tables.labels("themes"), tables.labels("roles")
    shown = {
        role: sorted(themes.items(), key=lambda item: (-item[1], item[0]))[:_THEMES] for role, themes in counted.items()
    }
    top = max(number for themes in shown.values() for _, number in themes)
    panels = [
        bars(
            f"{roles[role]}: {testimonies[role]} {'testimony' if testimonies[role] == 1 else 'testimonies'}",
            [(labels[theme], number) for theme, number in shown[role]],
            top,
            "testimonies",
            role,
        )
        for role in sorted(shown, key=lambda role: (-testimonies[role], role))
    ]
    key = f"The {_THEMES} most frequent themes of each role; all panels have the same scale."
    return Chart("themes-by-role", "What the speakers of each role speak about", tuple(panels), key)
