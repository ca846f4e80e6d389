"""What is told together with a motive to leave, by the role of whoever tells it."""

from __future__ import annotations

from collections import Counter
from typing import Any

from defectors_data.documents.charts.svg import DEEP, GREY, MIDDLE, MOST, PALE, SAND, Chart, nominal, stacked
from defectors_data.documents.labels import ROLES, words
from defectors_data.package.tables_reader import Tables

MOTIVE = "motive_to_leave"
"""The theme of testimonies that say what made somebody leave."""

_COLOURS = [DEEP, SAND, MIDDLE, GREY, PALE]


def chart(tables: Tables) -> Chart | None:
    """Count the other themes of testimonies that tell a motive to leave."""
    telling, counted = 0, Counter[tuple[str, str]]()
    for row in tables.rows("testimonies", ["themes", "speaker_role"]):
        themes = row["themes"].split(";")
        if MOTIVE in themes:
            telling += 1
            counted.update((words(theme), ROLES[row["speaker_role"]]) for theme in themes if theme != MOTIVE)
    if not 0 < len({theme for theme, _ in counted}) <= MOST:
        return None
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    told = ", ".join(f"{theme} {number} ({role})" for (theme, role), number in ordered)
    described = f"{telling} testimonies tell a motive to leave. Their other themes: {told}."
    title = "What is told as a motive to leave, by the speaker's role"
    return Chart("motives-by-role", title, described, _bars(counted))


def _bars(counted: Counter[tuple[str, str]]) -> dict[str, Any]:
    themes = Counter[str]()
    for (theme, _), number in counted.items():
        themes[theme] += number
    roles = sorted({role for _, role in counted})
    colours = [_COLOURS[number % len(_COLOURS)] for number in range(len(roles))]
    return {
        "data": {"values": [{"theme": t, "role": role, "number": n} for (t, role), n in sorted(counted.items())]},
        "width": 560,
        "height": {"step": 24},
        "mark": {"type": "bar", "height": 16},
        "encoding": {
            "y": nominal("theme", sort=sorted(themes, key=lambda theme: (-themes[theme], theme))),
            "x": stacked("number", "testimonies"),
            "color": nominal("role", scale={"domain": roles, "range": colours}),
        },
    }
