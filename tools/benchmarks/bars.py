"""The bars that a large build and a small command have to keep, and what was measured of each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from recorded import Record
from running import MILLION


class Bar(NamedTuple):
    """What was measured of a bar."""

    what: str
    bar: str
    measured: str
    kept: bool | None
    """None where it could not be measured."""
    size: int | None = None
    """Annotations that it was measured with."""


Records = dict[int, Record]


def bars(records: Records, before: Records, start: list[dict[str, Any]]) -> list[Bar]:
    """Return every bar in the order in which they were set."""
    return [*_builds(records), _whole(records, before), *_others(records), *_start(start)]


_BUILD = "build, one process, CPU, without ledger, provenance and the codebook’s rules"


def _builds(records: Records) -> Iterator[Bar]:
    for against, called, most in (
        ("duckdb", "DuckDB’s bare conversion", 4.5),
        ("frictionless", "`frictionless validate` of the result", 0.45),
        ("cldf", "`cldf validate`", 0.05),
        ("floor", "the floor", 1.7),
    ):
        at = _largest(records, "ours", against)
        ratio = records[at].ratio("ours", against) if at else None
        yield _most(f"{_BUILD} / {called}", ratio, most, at)


def _whole(records: Records, before: Records) -> Bar:
    """Return what became of a build with all tables: what it takes now, and of what it took before."""
    what, bar = "the same with ledger, provenance and all tables", "published by stage, and halved at least once"
    at = _largest(records, "ours-full")
    if not at:
        return Bar(what, bar, "not measured", None)
    now = records[at].median("ours-full", "cpu") or 0
    told = f"{now:.1f} s of CPU time"
    both = [size for size in records.keys() & before.keys() if before[size].median("ours-full", "cpu")]
    if not both:
        return Bar(what, bar, f"{told}; before: not measured", None, at)
    size = max(both)
    ratio = (records[size].median("ours-full", "cpu") or 0) / (before[size].median("ours-full", "cpu") or 1)
    return Bar(what, bar, f"{told}; at {size:,} annotations {ratio:.2f} x what it took before", ratio <= 0.5, at)  # noqa: PLR2004


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
    told = "not measured" if ratio is None else f"{ratio:.0f} x"
    kept = None if ratio is None else ratio >= 20  # noqa: PLR2004
    yield Bar("`frictionless validate` / `verify --fast` of the finished package", "≥ 20 x", told, kept, at)


def _memory(records: Records) -> Iterator[Bar]:
    for size in (MILLION, 10 * MILLION):
        most = records[size].median("ours", "memory") if size in records else None
        told = "not measured" if most is None else f"{most:.0f} MB"
        yield Bar("peak memory of one process", "< 350 MB", told, None if most is None else most < 350, size)  # noqa: PLR2004
    ratio = _between(records, MILLION, 10 * MILLION, "memory")
    yield _most("peak memory at 10 million / at a million annotations", ratio, 1.15, 10 * MILLION)


def _growth(records: Records) -> Bar:
    ratio = _between(records, MILLION // 10, MILLION, "cpu")
    return _most("CPU at a million / at 100,000 annotations", ratio, 10.5, MILLION)


def _between(records: Records, small: int, large: int, cost: str) -> float | None:
    """Return how many times as much a build takes at one size as at another."""
    costs = [records[size].median("ours", cost) if size in records else None for size in (large, small)]
    return costs[0] / costs[1] if costs[0] and costs[1] else None


def _start(start: list[dict[str, Any]]) -> Iterator[Bar]:
    """Return the bars of what an annotator waits for; of the search for words, in seconds."""
    for measured in start:
        if measured["what"].startswith("the nearest words"):
            seconds = measured.get("seconds")
            told = "not measured" if seconds is None else f"{seconds:.2f} s"
            yield Bar(f"{measured['what']}, CPU", "≤ 1 s", told, None if seconds is None else seconds <= 1)
        else:
            against = f'`python -c "{measured["against"]}"`'
            yield _most(f"{measured['what']} / {against}", measured["ratio"], measured["bar"], None)


def _most(what: str, ratio: float | None, most: float, size: int | None) -> Bar:
    """Return a bar that is a ratio; of a build it is judged at a million annotations, and only told before."""
    if ratio is None:
        return Bar(what, f"≤ {most:g} x", "not measured", None, size)
    return Bar(what, f"≤ {most:g} x", f"{ratio:.3g} x", None if size and size < MILLION else ratio <= most, size)


def _largest(records: Records, *names: str) -> int | None:
    """Return the largest size, a million at most, at which all of some tasks were measured in one run."""
    sizes = [size for size, record in records.items() if size <= MILLION and all(n in record.runs for n in names)]
    return max(sizes, default=None)
