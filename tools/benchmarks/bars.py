"""The targets for a large build and for small commands, with the measured results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from recorded import Record
from running import MILLION


class Bar(NamedTuple):
    """A target and its result."""

    what: str
    bar: str
    measured: str
    kept: bool | None
    """None if it was not measured, or at fewer than a million annotations."""
    size: int | None = None
    """Number of annotations of the measured corpus."""


Records = dict[int, Record]


def bars(records: Records, before: Records, start: list[dict[str, Any]]) -> list[Bar]:
    """Return all targets with their results."""
    return [*_builds(records), _whole(records, before), *_others(records), *_start(start)]


_BUILD = "build, one process, CPU, without ledger, provenance and the codebook’s rules"


def _builds(records: Records) -> Iterator[Bar]:
    for against, called, most in (
        ("duckdb", "DuckDB’s bare conversion", 4.5),
        ("frictionless", "`frictionless validate` of the result", 0.45),
        ("cldf", "`cldf validate`", 0.05),
        ("floor", "the plain Python baseline", 1.7),
    ):
        at = _largest(records, "ours", against)
        ratio = records[at].ratio("ours", against) if at else None
        yield _most(f"{_BUILD} / {called}", ratio, most, at)


def _whole(records: Records, before: Records) -> Bar:
    """Return the result for a build with all tables, as CPU time and as a ratio to the earlier version."""
    what, bar = "the same with ledger, provenance and all tables", "at most half of before"
    at = _largest(records, "ours-full")
    if not at:
        return Bar(what, bar, "not measured", None)
    now = records[at].median("ours-full", "cpu") or 0
    measured = f"{now:.1f} s of CPU time"
    both = [size for size in records.keys() & before.keys() if before[size].median("ours-full", "cpu")]
    if not both:
        return Bar(what, bar, f"{measured}; before: not measured", None, at)
    size = max(both)
    ratio = (records[size].median("ours-full", "cpu") or 0) / (before[size].median("ours-full", "cpu") or 1)
    return Bar(what, bar, f"{measured}; at {size:,} annotations {ratio:.2f} x before", ratio <= 0.5, at)  # noqa: PLR2004


def _others(records: Records) -> Iterator[Bar]:
    at = _largest(records, "ours-2", "ours")
    ratio = records[at].ratio("ours-2", "ours", "wall") if at else None
    yield _most("wall with 2 jobs / 1 job", ratio, 0.65, at)
    yield from _memory(records)
    at = _largest(records, "ours-dask", "ours-2")
    ratio = records[at].ratio("ours-dask", "ours-2", "wall") if at else None
    yield _most("wall on Dask, 2 workers / the local pool", ratio, 1.5, at)
    yield _growth(records)
    at = _largest(records, "frictionless", "verify-fast")
    ratio = records[at].ratio("frictionless", "verify-fast") if at else None
    measured = "not measured" if ratio is None else f"{ratio:.0f} x"
    kept = None if ratio is None else ratio >= 20  # noqa: PLR2004
    yield Bar("`frictionless validate` / `verify --fast` of the finished package", "≥ 20 x", measured, kept, at)


def _memory(records: Records) -> Iterator[Bar]:
    for size in (MILLION, 10 * MILLION):
        most = records[size].median("ours", "memory") if size in records else None
        measured = "not measured" if most is None else f"{most:.0f} MB"
        yield Bar("peak memory of one process", "< 350 MB", measured, None if most is None else most < 350, size)  # noqa: PLR2004
    ratio = _between(records, MILLION, 10 * MILLION, "memory")
    yield _most("peak memory at 10 million / at a million annotations", ratio, 1.15, 10 * MILLION)


def _growth(records: Records) -> Bar:
    ratio = _between(records, MILLION // 10, MILLION, "cpu")
    return _most("CPU at a million / at 100,000 annotations", ratio, 10.5, MILLION)


def _between(records: Records, small: int, large: int, cost: str) -> float | None:
    """Return the ratio of a cost of a build at a large size to the cost at a small size."""
    costs = [records[size].median("ours", cost) if size in records else None for size in (large, small)]
    return costs[0] / costs[1] if costs[0] and costs[1] else None


def _start(start: list[dict[str, Any]]) -> Iterator[Bar]:
    """Yield the targets for commands that an annotator waits for; the target for the search is in seconds."""
    for result in start:
        if result["what"].startswith("the nearest words"):
            seconds = result.get("seconds")
            measured = "not measured" if seconds is None else f"{seconds:.2f} s"
            yield Bar(f"{result['what']}, CPU", "≤ 1 s", measured, None if seconds is None else seconds <= 1)
        else:
            against = f'`python -c "{result["against"]}"`'
            yield _most(f"{result['what']} / {against}", result["ratio"], result["bar"], None)


def _most(what: str, ratio: float | None, most: float, size: int | None) -> Bar:
    """Return a target that is a ratio. A build gets a verdict only from a million annotations."""
    if ratio is None:
        return Bar(what, f"≤ {most:g} x", "not measured", None, size)
    return Bar(what, f"≤ {most:g} x", f"{ratio:.3g} x", None if size and size < MILLION else ratio <= most, size)


def _largest(records: Records, *names: str) -> int | None:
    """Return the largest size up to a million at which all of these tasks were measured in one run."""
    sizes = [size for size, record in records.items() if size <= MILLION and all(n in record.runs for n in names)]
    return max(sizes, default=None)
