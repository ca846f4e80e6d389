"""Charts of the themes of testimonies, with a panel for each role of speakers.

All panels have the same scale.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import TypeAlias

from defectors_data.documents.charts.svg import MOST, Chart, Panel, bars
from defectors_data.package.tables_reader import PackageTables

_Themes: TypeAlias = Sequence[tuple[str, Collection[str]]]
"""The role of the speaker of each testimony, and themes of the testimony."""

_MOST_FREQUENT = 4
"""Number of themes shown for each role."""
MOTIVE = "motive_to_leave"
"""The theme of testimonies that say why someone left."""


def by_role(tables: PackageTables) -> Chart | None:
    """Return the chart of the most frequent themes of each role, or None without testimonies."""
    panels = _panels(tables, _themes(tables), _MOST_FREQUENT)
    if not panels:
        return None
    key = f"The {_MOST_FREQUENT} most frequent themes of each role; all panels have the same scale."
    return Chart("themes-by-role", "What the speakers of each role speak about", panels, key)


def beside_motives(tables: PackageTables) -> Chart | None:
    """Return the chart of the other themes of testimonies that give a motive to leave.

    Returns None if no such testimony has another theme, or if there are too many bars.
    """
    others, shown = [], set[tuple[str, str]]()
    for role, themes in _themes(tables):
        if MOTIVE in themes:
            rest = [theme for theme in themes if theme != MOTIVE]
            others.append((role, rest))
            shown.update((role, theme) for theme in rest)
    if not 0 < len(shown) <= MOST:
        return None
    key = (
        "A testimony can have several themes, so the bars do not add up to the number of "
        "testimonies."
    )
    title = "Themes of the testimonies that give a motive to leave"
    return Chart("motives", title, _panels(tables, others), key)


def _themes(tables: PackageTables) -> _Themes:
    rows = tables.rows("testimonies", ["themes", "speaker_role"])
    return [(row["speaker_role"], row["themes"].split(";")) for row in rows]


def _panels(
    tables: PackageTables, testimonies: _Themes, most: int | None = None
) -> tuple[Panel, ...]:
    """Return a panel for each role with the themes of its testimonies, the most frequent first.

    At most `most` themes are shown for each role.
    """
    spoken, counted = Counter[str](), defaultdict[str, Counter[str]](Counter)
    for role, themes in testimonies:
        spoken[role] += 1
        counted[role].update(themes)
    roles = [role for role, counts in counted.items() if counts]
    roles.sort(key=lambda role: (-spoken[role], role))
    top = max((max(counted[role].values()) for role in roles), default=0)
    labels, labels_of_roles = tables.labels("themes"), tables.labels("roles")
    panels = []
    for role in roles:
        noun = "testimony" if spoken[role] == 1 else "testimonies"
        heading = f"{labels_of_roles[role]}: {spoken[role]} {noun}"
        frequent = sorted(counted[role].items(), key=lambda item: (-item[1], item[0]))[:most]
        rows = [(labels[theme], number) for theme, number in frequent]
        panels.append(bars(heading, rows, top, "testimonies", role))
    return tuple(panels)
