"""Recorded results by size: medians, ratios within one run, and growth exponents."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from running import Cost

RESULTS = Path(__file__).parent / "results"


class Record(NamedTuple):
    """The results of one run at one size."""

    size: int
    runs: dict[str, list[Cost]]
    facts: dict[str, Any]

    def median(self, name: str, cost: str) -> float | None:
        """Return the median of a cost of a task, or None if it was not measured."""
        costs = self.runs.get(name)
        return statistics.median(getattr(run, cost) for run in costs) if costs else None

    def ratio(self, one: str, other: str, cost: str = "cpu") -> float | None:
        """Return the ratio of the median costs of two tasks, or None if one was not measured."""
        above, below = self.median(one, cost), self.median(other, cost)
        return above / below if above is not None and below else None

    def spread(self, name: str) -> tuple[float, float]:
        """Return the minimum and maximum CPU time of a task, in seconds."""
        times = [run.cpu for run in self.runs[name]]
        return min(times), max(times)


def read(results: Path) -> dict[int, Record]:
    """Return the results in a folder by size, smallest first."""
    records = [_record(json.loads(path.read_text(encoding="utf-8"))) for path in results.glob("scale-*.json")]
    return {record.size: record for record in sorted(records, key=lambda record: record.size)}


def _record(facts: dict[str, Any]) -> Record:
    runs = {name: [Cost(*cost) for cost in costs] for name, costs in facts["runs"].items() if costs}
    return Record(facts["annotations"], runs, facts)


def series(records: dict[int, Record], name: str, cost: str) -> list[tuple[int, float]]:
    """Return the medians of a cost of a task by size."""
    medians = ((size, record.median(name, cost)) for size, record in records.items())
    return [(size, median) for size, median in medians if median]


def exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """Return the growth exponent of a cost: the slope of the regression line of its logarithm on that of the size.

    It is 1 for linear growth, 2 for quadratic growth and 0 for a constant cost.
    """
    if len(points) < 2:  # noqa: PLR2004  # a line has two points
        return None
    across = [math.log(size) for size, _ in points]
    up = [math.log(cost) for _, cost in points]
    return statistics.linear_regression(across, up).slope
