"""Charts of the themes of testimonies, with a panel for each role of speakers, all on the same scale."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from defectors_data.documents.charts.svg import MOST, Chart, Panel, bars
from defectors_data.package.tables_reader import PackageTables

_MOST_FREQUENT = 4
"""Number of themes shown for each role."""
MOTIVE = "motive_to_leave"
"""The theme of testimonies that say why someone left."""


def by_role(tables: PackageTables) -> Chart | None:
    """Return the chart of the most frequent themes of each role; None if there are no testimonies."""
    panels = _panels(
        tables, [(row, row["themes"].split(";")) for row in _testimonies(tables)], _MOST_FREQUENT
    )
    key = f"The {_MOST_FREQUENT} most frequent themes of each role; all panels have the same scale."
    return (
        Chart("themes-by-role", "What the speakers of each role speak about", panels, key)
        if panels
        else None
    )


def beside_motives(tables: PackageTables) -> Chart | None:
    """Return the chart of the other themes of testimonies that give a motive to leave.

    Returns None if no such testimony has another theme, or if there are too many bars.
    """
    rows = [(row, row["themes"].split(";")) for row in _testimonies(tables)]
    others = [
        (row, [theme for theme in themes if theme != MOTIVE])
        for row, themes in rows
        if MOTIVE in themes
    ]
    if len({(row["speaker_role"], theme) for row, themes in others for theme in themes}) > MOST:
        return None
    panels = _panels(tables, others)
    key = "A testimony can have several themes, so the bars do not add up to the number of testimonies."
    title = "Themes of the testimonies that give a motive to leave"
    return Chart("motives", title, panels, key) if panels else None


def _testimonies(tables: PackageTables) -> list[dict[str, str]]:
    return list(tables.rows("testimonies", ["themes", "speaker_role"]))


def _panels(
    tables: PackageTables,
    themes: Sequence[tuple[dict[str, str], Sequence[str]]],
    most: int | None = None,
) -> tuple[Panel, ...]:
    """Return a panel for each role with the themes of its testimonies: all, or the `most` most frequent ones."""
    testimonies, counted = Counter[str](), defaultdict[str, Counter[str]](Counter)
    for row, listed in themes:
        testimonies[row["speaker_role"]] += 1
        counted[row["speaker_role"]].update(listed)
    ordered = {
        role: sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        for role, counts in counted.items()
    }
    shown = {role: counts[:most] for role, counts in ordered.items() if counts}
    labels, roles = tables.labels("themes"), tables.labels("roles")
    top = max((number for counts in shown.values() for _, number in counts), default=0)
    return tuple(
        bars(
            f"{roles[role]}: {testimonies[role]} {'testimony' if testimonies[role] == 1 else 'testimonies'}",
            [(labels[theme], number) for theme, number in shown[role]],
            top,
            "testimonies",
            role,
        )
        for role in sorted(shown, key=lambda role: (-testimonies[role], role))
    )
