"""Generate docs/developers/benchmarks.md and its charts from the results in tools/benchmarks/results/."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import vega
from bars import bars
from defectors_data.models.tables import listed
from recorded import RESULTS, Record, exponent, read, series
from running import PROJECT, TASKS

PAGE = PROJECT / "docs/developers/benchmarks.md"
CHARTS = PROJECT / "docs/developers/benchmarks"
SHARE = 0.01
"""Folders with a smaller share of the CPU time are listed together as others; such functions are not listed."""

CALLED = {
    "ours": "build",
    "ours-2": "build, two processes",
    "ours-dask": "build on Dask",
    "verify-fast": "`verify --fast`",
    "duckdb": "DuckDB",
    "floor": "plain Python",
    "frictionless": "frictionless",
    "pandera": "pandera",
    "datasets": "datasets",
    "cldf": "cldf validate",
    "cassis": "dkpro-cassis",
}
"""The name of each task in charts and tables."""


def page(results: Path) -> str:
    """Return the page for the results in a folder."""
    start = json.loads((results / "start.json").read_text(encoding="utf-8"))
    records = read(results)
    parts: list[Iterator[str]] = [_bars(records, start)]
    if records:
        parts += [_costs(records), _stages(records), _method(records)]
    return "\n".join(["# Benchmarks", *(line for part in parts for line in part), ""])


def _bars(records: dict[int, Record], start: dict[str, Any]) -> Iterator[str]:
    yield f"""
Every build below is one that users run: it applies every rule, writes every table, and validates the finished package.

`make bench` and `make bench-start` record results in `tools/benchmarks/results/`; `make bench-page` generates this page
from them. Commands that are compared are run alternately (A B A B). Each run is a new process with compiled bytecode
and no cache. CPU time is user and system time, including child processes. Each ratio compares medians from the same run
of the benchmark, so it depends little on the machine.

## Targets

Commands for annotators, in the last rows of the table, were run {start["runs"]} times each;
`check` was run on the four articles.
"""
    verdicts = {True: "met", False: "**not met**", None: ""}
    yield from _table(
        ["what", "target", "measured", "annotations", ""],
        [
            [bar.what, bar.bar, bar.measured, f"{bar.size:,}" if bar.size else "", verdicts[bar.kept]]
            for bar in bars(records, start["bars"])
        ],
    )


# ---- costs -----------------------------------------------------------------------------------------------------


def _costs(records: dict[int, Record]) -> Iterator[str]:
    yield f"""
## Time and memory

A corpus of N annotations consists of N/10 invented articles of 6 kB, each with about seven testimonies, three figures,
and fifteen quotations and numbers (`tools/benchmarks/generator.py`). Memory is the peak of the largest process. CPU
time grows as the number of annotations raised to the growth exponent; with an exponent of 1, both grow in proportion.

{_runs(records)}

![{_TITLES["cpu"]}: {_ABOUT}](benchmarks/cpu.svg)

![{_TITLES["memory"]}: {_ABOUT}](benchmarks/memory.svg)
"""
    yield from _table(
        ["command", "CPU, s", "memory, MB", "growth exponent"],
        [_row(records, name) for name in TASKS if any(name in record.runs for record in records.values())],
    )


def _runs(records: dict[int, Record]) -> str:
    """Return the sentences on how many runs there were at each size."""
    sizes: dict[int, list[str]] = {}
    for size, record in records.items():
        sizes.setdefault(max(map(len, record.runs.values())), []).append(f"{size:,}")
    runs = {number: f"medians of {number} runs" if number > 1 else "from one run" for number in sizes}
    return " ".join(f"Values at {listed(sizes[number])} annotations are {runs[number]}." for number in sizes)


def _row(records: dict[int, Record], name: str) -> list[str]:
    cpu, memory = (series(records, name, cost) for cost in ("cpu", "memory"))
    costs = (" / ".join(f"{median:.3g}" for _, median in points) for points in (cpu, memory))
    growth = exponent(cpu)
    return [TASKS[name].what, *costs, "" if growth is None else f"{growth:.2f}"]


# ---- stages ----------------------------------------------------------------------------------------------------


def _stages(records: dict[int, Record]) -> Iterator[str]:
    sizes = [size for size, record in records.items() if record.facts["stages"]]
    if sizes:
        yield f"""
## Profile

{max(sizes):,} annotations, one process. A sampling profiler records the innermost function of this project after each
0.01 s of CPU time, so time in libraries is attributed to their callers. `start` is the time before the first function,
mostly imports.
"""
        yield from _table(["folder", "share", "functions"], _folders(Counter(records[max(sizes)].facts["stages"])))


def _folders(seen: Counter[str]) -> list[list[str]]:
    """Return the folders, and modules in none, with their shares of the samples and their largest functions."""
    folders: Counter[str] = Counter()
    for function, times in seen.items():
        folders[_folder(function)] += times
    whole = seen.total()
    rows = []
    for folder, times in folders.most_common():
        inside = [(f, n) for f, n in seen.most_common() if _folder(f) == folder and n >= SHARE * whole]
        functions = ", ".join(
            f"`{function.replace(':', '.')}` {n / whole:.0%}" for function, n in inside if ":" in function
        )
        if times >= SHARE * whole:
            rows.append([f"`{folder}`", f"{times / whole:.0%}", functions])
    rest = 1 - sum(times for times in folders.values() if times >= SHARE * whole) / whole
    return [*rows, ["others", f"{rest:.0%}", ""]]


def _folder(function: str) -> str:
    return function.partition(":")[0].partition(".")[0]


def _method(records: dict[int, Record]) -> Iterator[str]:
    facts = records[max(records)].facts
    versions = ", ".join(f"{name} {version}" for name, version in sorted(facts["versions"].items()))
    yield f"""
## Method

Python {facts["python"]} on {facts["cores"]} cores; {versions}. frictionless is installed in the project's environment,
the other tools in a separate one (`tools/benchmarks/requirements.lock`). The tools do different work:

- DuckDB reads the annotations and writes six tables, with one thread. It reads no texts, finds no evidence and checks
  nothing, so it is a lower limit for a conversion.
- The plain Python baseline reads each text, checks its hash, finds the evidence with `str.find`, and writes testimonies
  and spans. It checks no rules and no types.
- frictionless, pandera and `cldf validate` validate the published tables: types, patterns, enums, unique ids and
  foreign keys. frictionless validates all tables, `cldf validate` four, pandera two. None of them reads the texts.
- Hugging Face datasets reads six published tables and writes them in both formats.
- dkpro-cassis writes a CAS file for each text with its annotations. It was run only up to 10,000 annotations.
- At large sizes, slow commands are run only once, even if other commands are run more often: builds, `verify --fast`
  and frictionless from a million annotations, `cldf validate` from 100,000.

The results depend on the texts. The time of a build depends on their length and on the quotations and numbers in them,
each of which is read, accounted for and published; the time of frictionless depends only on the published rows. For a
corpus with more numbers, or with longer articles for each annotation, a build therefore takes longer compared with
frictionless."""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


# ---- charts ----------------------------------------------------------------------------------------------------


_DRAWN = ("ours", "duckdb", "floor", "frictionless", "pandera", "datasets", "cldf", "cassis")
_COLOURS = [
    "#1c5d6b",
    "#a06a26",
    "#a06a26",
    "#7a3b69",
    "#7a3b69",
    "#4c6b2f",
    "#4c6b2f",
    "#5b646c",
]
"""Lines of the same colour have different dashes."""
_DASHES = [[1, 0], [1, 0], [4, 3], [1, 0], [4, 3], [1, 0], [4, 3], [2, 2]]


def charts(results: Path) -> dict[str, str]:
    """Return the charts by file name, or none if there are no results."""
    records = read(results)
    if not records:
        return {}
    drawn = {"cpu": _chart(records, "cpu", "CPU time, seconds"), "memory": _chart(records, "memory", "peak memory, MB")}
    return {f"{name}.svg": vega.draw(name, _TITLES[name], _ABOUT, chart) for name, chart in drawn.items()}


_TITLES = {"cpu": "CPU time by the number of annotations", "memory": "Peak memory by the number of annotations"}
_ABOUT = "Both axes are logarithmic, with a line for each tool. The table below gives the numbers."

_WIDTH, _HEIGHT, _LINE = 520, 380, 14
"""Size of a chart and height of a line of text, in pixels."""


def _chart(records: dict[int, Record], cost: str, axis: str) -> dict[str, Any]:
    drawn = [name for name in _DRAWN if series(records, name, cost)]
    values: list[dict[str, Any]] = [
        {"size": size, "cost": round(median, 4), "tool": CALLED[name]}
        for name in drawn
        for size, median in series(records, name, cost)
    ]
    low = 10 ** math.floor(math.log10(min(value["cost"] for value in values)))
    high = 10 ** math.ceil(math.log10(max(value["cost"] for value in values)))
    encoding = _encoding(drawn, axis, [low, high], sorted({value["size"] for value in values}))
    dash = {"field": "tool", "scale": {"domain": encoding["color"]["scale"]["domain"], "range": _of(_DASHES, drawn)}}
    line = {"mark": {"type": "line", "point": True}, "encoding": {**encoding, "strokeDash": {**dash, "legend": None}}}
    words = {"type": "text", "align": "left", "dx": 8}
    ends = {"values": _apart(values, high / low)}
    label = {"data": ends, "mark": words, "encoding": {**encoding, "text": {"field": "tool"}}}
    margins = {"left": 12, "top": 12, "right": 170, "bottom": 12}
    size = {"width": _WIDTH, "height": _HEIGHT, "padding": margins}
    return {"data": {"values": values}, "layer": [line, label], **size}


def _encoding(drawn: list[str], axis: str, reach: list[float], sizes: list[int]) -> dict[str, Any]:
    across = {"field": "size", "type": "quantitative", "scale": {"type": "log"}, "title": "annotations"}
    up = {"field": "cost", "type": "quantitative", "title": axis, "scale": {"type": "log", "domain": reach}}
    tools = {"domain": [CALLED[name] for name in drawn], "range": _of(_COLOURS, drawn)}
    return {
        "x": {**across, "axis": {"format": "~s", "values": sizes}},
        "y": {**up, "axis": {"grid": True}},
        "color": {"field": "tool", "scale": tools, "legend": None},
    }


def _of(looks: Sequence[Any], drawn: list[str]) -> list[Any]:
    return [looks[_DRAWN.index(name)] for name in drawn]


def _apart(values: list[dict[str, Any]], reach: float) -> list[dict[str, Any]]:
    """Return the positions of the labels: each at the end of its line, and moved up if it would cover another."""
    ends = {value["tool"]: dict(value) for value in values}
    apart = reach ** (_LINE / _HEIGHT)
    last: dict[int, float] = {}
    for end in sorted(ends.values(), key=lambda end: end["cost"]):
        end["cost"] = round(max(end["cost"], last.get(end["size"], 0) * apart), 4)
        last[end["size"]] = end["cost"]
    return list(ends.values())


def write() -> None:
    """Write the page and its charts."""
    PAGE.write_text(page(RESULTS), encoding="utf-8")
    for name, drawn in charts(RESULTS).items():
        CHARTS.mkdir(exist_ok=True)
        (CHARTS / name).write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    write()
