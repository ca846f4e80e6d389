"""A chart of the measures whose figures can be compared across articles; every scale starts at zero."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from defectors_data.documents.charts.svg import MOST, Chart, ChartInterval, Panel, intervals
from defectors_data.package.tables_reader import PackageTables
from defectors_data.rows.labels import Row, hedged_number, reported_by, source_label

_KEY = (
    "A filled dot is an exact number; a hollow dot is a number with a hedge. A bar covers all values that the words "
    "allow; an arrow means that they set no upper limit. The thin brown line covers the values that the words allow if "
    "round numbers are read as rounded. Verdicts compare these bars and lines."
)
_TITLE = 34
"""Maximum length of an article's title in a row, in characters."""


def chart(tables: PackageTables) -> Chart | None:
    """Return the chart; None if no figures, or too many, can be compared across articles."""
    summaries = [row for row in tables.rows("measure_summary") if row["compared_figures"]]
    summaries.sort(
        key=lambda row: (-row["independent_sources"], -row["compared_figures"], row["measure"])
    )
    if not 0 < sum(row["figures"] for row in summaries) <= MOST:
        return None
    wanted = [row["measure"] for row in summaries]
    figures = defaultdict(list)
    for figure in tables.among("figures", "measure", wanted):
        figures[figure["measure"]].append(figure)
    names = {figure["attributed_to"] for of in figures.values() for figure in of} - {None}
    speakers = tables.among("speakers", "speaker_id", names)
    labels: dict[str, Mapping[str, Any]] = {
        "speakers": {row["speaker_id"]: row for row in speakers},
        **{
            name: {row["term"]: row for row in tables.rows(name)}
            for name in ("measures", "populations", "units")
        },
        "roles": tables.labels("roles"),
        "sources": {row["source_id"]: row for row in tables.rows("sources")},
    }
    panels = [panel for measure in wanted for panel in _panels(measure, figures[measure], labels)]
    return Chart(
        "figures-by-measure",
        "Measures whose figures can be compared across articles",
        tuple(panels),
        _KEY,
    )


def _panels(
    measure: str, figures: Sequence[Row], labels: Mapping[str, Mapping[str, Any]]
) -> Iterator[Panel]:
    """Yield a panel for each unit of a measure, because years and months need different scales."""
    by_unit = defaultdict(list)
    for figure in figures:
        by_unit[figure["unit"]].append(figure)
    for unit, of in sorted(by_unit.items()):
        rows = [_interval(figure, labels) for figure in of]
        rows.sort(key=lambda row: (row.low, row.value or 0))
        yield intervals(
            labels["measures"][measure]["label"], labels["units"][unit]["definition"], rows, measure
        )


def _interval(figure: Row, labels: Mapping[str, Mapping[str, Any]]) -> ChartInterval:
    population = figure["population"]
    of = f" ({labels['populations'][population]['label']})" if population else ""
    article = source_label(labels["sources"][figure["source_id"]], _TITLE)
    who = reported_by(figure, labels["speakers"], labels["roles"])
    rounded = figure["rounded_low"], figure["rounded_high"]
    return ChartInterval(
        who=f"{who[0].upper()}{who[1:]}{of}, {article}",
        words=hedged_number(figure),
        value=figure["value"],
        included=figure["hedge"] == "exact",
        low=figure["interval_low"] or 0,
        high=figure["interval_high"],
        rounded=None if None in rounded else rounded,
    )
