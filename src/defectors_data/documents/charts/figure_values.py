"""A chart of the measures whose figures can be compared across articles.

Every scale starts at zero.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from defectors_data.documents.charts.svg import MOST, Chart, ChartInterval, Panel, intervals
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.labels import Row, article_label, by_key, hedged_number, reported_by

_KEY = (
    "A filled dot is an exact number; a hollow dot is a number with a hedge. A bar covers all "
    "values that the words allow; an arrow means that they set no upper limit. The thin brown line "
    "covers the values that the words allow if round numbers are read as rounded. Verdicts compare "
    "these bars and lines."
)
_TITLE = 34
"""Maximum length of an article's title in a row, in characters."""


def chart(tables: PackageTables) -> Chart | None:
    """Return the chart; None if no figures, or too many, can be compared across articles."""
    summaries = [row for row in tables.rows("measure_summary") if row["compared_figures"]]
    if not 0 < sum(row["figures"] for row in summaries) <= MOST:
        return None
    summaries.sort(key=_most_compared_first)
    measures = [row["measure"] for row in summaries]
    figures = defaultdict(list)
    names = set()
    for figure in tables.among("figures", "measure", measures):
        figures[figure["measure"]].append(figure)
        if figure["attributed_to"]:
            names.add(figure["attributed_to"])
    labels: dict[str, Mapping[str, Any]] = {
        "speakers": by_key(tables.among("speakers", "speaker_id", names), "speaker_id"),
        "sources": by_key(tables.rows("sources"), "source_id"),
        "roles": tables.labels("roles"),
    }
    for name in ("measures", "populations", "units"):
        labels[name] = by_key(tables.rows(name), "term")
    panels = list[Panel]()
    for measure in measures:
        panels += _panels(measure, figures[measure], labels)
    title = "Measures whose figures can be compared across articles"
    return Chart("figures-by-measure", title, tuple(panels), _KEY)


def _most_compared_first(summary: Row) -> tuple[int, int, str]:
    return -summary["independent_sources"], -summary["compared_figures"], summary["measure"]


def _panels(
    measure: str, figures: Sequence[Row], labels: Mapping[str, Mapping[str, Any]]
) -> Iterator[Panel]:
    """Yield a panel for each unit of a measure, because years and months need different scales."""
    by_unit = defaultdict(list)
    for figure in figures:
        by_unit[figure["unit"]].append(_interval(figure, labels))
    heading = labels["measures"][measure]["label"]
    for unit, rows in sorted(by_unit.items()):
        rows.sort(key=lambda row: (row.low, row.value or 0))
        yield intervals(heading, labels["units"][unit]["definition"], rows, measure)


def _interval(figure: Row, labels: Mapping[str, Mapping[str, Any]]) -> ChartInterval:
    who = reported_by(figure, labels["speakers"], labels["roles"])
    who = f"{who[0].upper()}{who[1:]}"
    if figure["population"]:
        who += f" ({labels['populations'][figure['population']]['label']})"
    article = article_label(labels["sources"][figure["source_id"]], _TITLE)
    rounded = None
    if figure["rounded_low"] is not None and figure["rounded_high"] is not None:
        rounded = figure["rounded_low"], figure["rounded_high"]
    return ChartInterval(
        who=f"{who}, {article}",
        words=hedged_number(figure),
        value=figure["value"],
        included=figure["hedge"] == "exact",
        low=figure["interval_low"] or 0,
        high=figure["interval_high"],
        rounded=rounded,
    )
