"""The targets for a large build and for small commands, with the measured results."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from recorded import Record
from running import MILLION

HUNDRED_THOUSAND = 100_000
"""Number of annotations to which most targets apply."""
MOST_MEMORY = 350
"""Maximum memory of one process, in megabytes."""


class Bar(NamedTuple):
    """A target and its result."""

    what: str
    bar: str
    measured: str
    kept: bool | None
    """None if it was not measured at the size to which the target applies."""
    size: int | None = None
    """Number of annotations of the measured corpus."""


Records = dict[int, Record]


def bars(records: Records, start: list[dict[str, Any]]) -> list[Bar]:
    """Return all targets with their results."""
    return [*_ratios(records), *_memory(records), *_start(start)]


_RATIOS = (
    ("build / `frictionless validate` of the result, CPU", "ours", "frictionless", "cpu", 1.0),
    ("build / the plain Python baseline, CPU", "ours", "floor", "cpu", 8.0),
    ("build, two processes / one process, elapsed time", "ours-2", "ours", "wall", 0.6),
    ("build on Dask with two workers / two processes, elapsed time", "ours-dask", "ours-2", "wall", 1.5),
    ("`verify --fast` / `frictionless validate` of the result, CPU", "verify-fast", "frictionless", "cpu", 0.1),
)


def _ratios(records: Records) -> Iterator[Bar]:
    for what, name, against, cost, most in _RATIOS:
        sizes = [size for size, record in records.items() if name in record.runs and against in record.runs]
        at = HUNDRED_THOUSAND if HUNDRED_THOUSAND in sizes else max(sizes, default=None)
        yield _most(what, records[at].ratio(name, against, cost) if at else None, most, at)
    ratio = _between(records, HUNDRED_THOUSAND, MILLION, "cpu")
    yield _most("build of a million / of 100,000 annotations, CPU", ratio, 10.5, MILLION)


def _memory(records: Records) -> Iterator[Bar]:
    for size in (HUNDRED_THOUSAND, MILLION):
        most = records[size].median("ours", "memory") if size in records else None
        measured = "not measured" if most is None else f"{most:.0f} MB"
        kept = None if most is None else most < MOST_MEMORY
        yield Bar("peak memory of a build by one process", f"< {MOST_MEMORY} MB", measured, kept, size)
    ratio = _between(records, HUNDRED_THOUSAND, MILLION, "memory")
    yield _most("peak memory at a million / at 100,000 annotations", ratio, 1.15, MILLION)


def _between(records: Records, small: int, large: int, cost: str) -> float | None:
    """Return the ratio of a cost of a build at a large size to the cost at a small size."""
    costs = [records[size].median("ours", cost) if size in records else None for size in (large, small)]
    return costs[0] / costs[1] if costs[0] and costs[1] else None


def _start(start: list[dict[str, Any]]) -> Iterator[Bar]:
    """Yield the targets for commands that an annotator waits for."""
    for result in start:
        yield _most(f'{result["what"]} / `python -c "{result["against"]}"`, CPU', result["ratio"], result["bar"], None)


def _most(what: str, ratio: float | None, most: float, size: int | None) -> Bar:
    """Return a target that is a ratio. A build gets a verdict only from 100,000 annotations on."""
    if ratio is None:
        return Bar(what, f"≤ {most:g} x", "not measured", None, size)
    judged = size is None or size >= HUNDRED_THOUSAND
    return Bar(what, f"≤ {most:g} x", f"{ratio:.3g} x", ratio <= most if judged else None, size)
