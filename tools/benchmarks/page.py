"""Generate docs/developers/benchmarks.md and its charts from the results in tools/benchmarks/results/."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from bars import bars
from defectors_data.documents.charts import svg
from recorded import RESULTS, Record, exponent, read, series
from running import MILLION, PROJECT, TASKS

PAGE = PROJECT / "docs/developers/benchmarks.md"
CHARTS = PROJECT / "docs/developers/benchmarks"
SHARE = 0.01
"""Modules and functions with a smaller share of the CPU time are listed together as others."""

CALLED = {
    "ours": "build",
    "ours-2": "build, two processes",
    "ours-rules": "build, with codebook rules",
    "ours-full": "build, all tables",
    "ours-small": "build, a file for each source",
    "ours-dask": "build on Dask",
    "ours-full-2": "build, all tables, two processes",
    "ours-full-dask": "build, all tables, on Dask",
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
    records, before = read(results), read(results / "before")
    parts: list[Iterator[str]] = [_start(start), _bars(records, before, start["bars"])]
    if records:
        parts += [_sizes(records), _growth(records), _stages(records), _means(records)]
    return "\n".join(["# Benchmarks", *(line for part in parts for line in part), ""])


def _start(start: dict[str, Any]) -> Iterator[str]:
    yield f"""
Builds without the codebook’s rules were measured with an option that has since been removed (`--without rules`). The
build with all rules has not been measured again.

`make bench-start` and `make bench` record results in `tools/benchmarks/results/`; `make bench-page` generates this page
from them. Each command alternates with the commands that it is compared with (A B A B). Each run is a new process with
compiled bytecode and no cache. CPU time is user and system time, including child processes. Ratios are ratios of
medians, so they depend little on the machine.

## Start

The commands that an annotator waits for, with {start["runs"]} runs of each after one run to warm up. The range is that
of single pairs of runs; it is wide if the machine was busy.
"""
    yield from _table(
        ["command", "compared with", "ratio", "range", "target"],
        [
            [
                bar["what"],
                f'`python -c "{bar["against"]}"`',
                f"{bar['ratio']:.1f}",
                f"{bar['lowest']:.1f} to {bar['highest']:.1f}",
                f"{bar['bar']:g}",
            ]
            for bar in start["bars"]
        ],
    )


def _bars(records: dict[int, Record], before: dict[int, Record], start: list[dict[str, Any]]) -> Iterator[str]:
    yield """
## Targets

Targets for a build of a million annotations and for small commands. Ratios are ratios of medians within one run.
Results with fewer annotations are shown without a verdict.
"""
    verdicts = {True: "met", False: "**not met**", None: ""}
    yield from _table(
        ["what", "target", "measured", "annotations", ""],
        [
            [bar.what, bar.bar, bar.measured, f"{bar.size:,}" if bar.size else "", verdicts[bar.kept]]
            for bar in bars(records, before, start)
        ],
    )


# ---- sizes -----------------------------------------------------------------------------------------------------


def _sizes(records: dict[int, Record]) -> Iterator[str]:
    yield f"""
## Time and memory

N annotations are N/10 invented articles of 6 kB, with about seven testimonies to three figures
(`tools/benchmarks/generator.py`). Values are medians, with the minimum and maximum in brackets. Memory is the
peak of the largest process.

![{_CPU.title}: {_CPU.description}](benchmarks/cpu.svg)

![{_MEMORY.title}: {_MEMORY.description}](benchmarks/memory.svg)"""
    for size, record in reversed(records.items()):
        yield f"\n### {size:,} annotations\n"
        yield from _table(
            ["command", "runs", "CPU, s", "x DuckDB", "wall, s", "memory, MB"],
            [_row(record, name) for name in TASKS if name in record.runs],
        )


def _row(record: Record, name: str) -> list[str]:
    cpu, wall, memory = (record.median(name, cost) or 0 for cost in ("cpu", "wall", "memory"))
    low, high = record.spread(name)
    ratio = record.ratio(name, "duckdb")
    spread = f" ({low:.3g} to {high:.3g})" if len(record.runs[name]) > 1 else ""
    times = f"{ratio:.3g}" if ratio is not None else ""
    return [TASKS[name].what, str(len(record.runs[name])), f"{cpu:.3g}{spread}", times, f"{wall:.3g}", f"{memory:.0f}"]


def _growth(records: dict[int, Record]) -> Iterator[str]:
    names = [name for name in TASKS if len(series(records, name, "cpu")) > 1]
    if not names:
        return
    yield """
## Growth

The growth exponent is 1 if a cost is proportional to the size of the corpus, 2 if it is proportional to the square,
and 0 if it is constant. It is the slope of the regression line through the medians in the charts above. Start-up time
lowers it, so it is given over all sizes and between the two largest sizes.
"""
    rows = []
    for name in names:
        cpu, memory = (series(records, name, cost) for cost in ("cpu", "memory"))
        sizes = f"{cpu[0][0]:,} to {cpu[-1][0]:,}"
        cells = [exponent(cpu), exponent(cpu[-2:]), exponent(memory), exponent(memory[-2:])]
        rows.append([CALLED[name], sizes, *(f"{cell:.2f}" for cell in cells if cell is not None)])
    yield from _table(["what", "annotations", "CPU", "CPU, two largest", "memory", "memory, two largest"], rows)


# ---- stages ----------------------------------------------------------------------------------------------------


def _stages(records: dict[int, Record]) -> Iterator[str]:
    for name in ("ours", "ours-full"):
        sizes = [size for size, record in records.items() if record.facts["stages"].get(name)]
        if sizes:
            seen = Counter(records[max(sizes)].facts["stages"][name])
            yield f"""
## Profile: {TASKS[name].what}

{max(sizes):,} annotations. A sampling profiler records the innermost function of this project after each 0.01 s of CPU
time, so time in libraries counts for their callers. `start` is the time before the first function, mostly imports.
Names are those of the measured version.
"""
            yield from _table(["module", "share", "functions"], _modules(seen))


def _modules(seen: Counter[str]) -> list[list[str]]:
    """Return the modules with their shares of the samples and their largest functions."""
    modules: Counter[str] = Counter()
    for function, times in seen.items():
        modules[function.partition(":")[0]] += times
    whole = seen.total()
    rows = []
    for module, times in modules.most_common():
        inside = [(f, n) for f, n in seen.most_common() if f.startswith(f"{module}:") and n >= SHARE * whole]
        functions = ", ".join(f"`{function.partition(':')[2]}` {n / whole:.0%}" for function, n in inside)
        if times >= SHARE * whole:
            rows.append([f"`{module}`", f"{times / whole:.0%}", functions])
    rest = 1 - sum(times for times in modules.values() if times >= SHARE * whole) / whole
    return [*rows, ["others", f"{rest:.0%}", ""]]


def _means(records: dict[int, Record]) -> Iterator[str]:
    largest = max((size for size in records if size <= MILLION), default=max(records))
    facts = records[largest].facts
    versions = ", ".join(f"{name} {version}" for name, version in sorted(facts["versions"].items()))
    yield f"""
## Method

Python {facts["python"]} on {facts["cores"]} cores; {versions}.

frictionless is installed in the project's environment, the other tools in a separate one
(`tools/benchmarks/requirements.lock`). The tools do different work:

- DuckDB reads the annotations and writes six tables, with one thread. It reads no texts, finds no evidence and checks
  nothing, so it is a lower limit for a conversion.
- The plain Python baseline reads each text, checks its hash, finds the evidence with `str.find`, and writes testimonies
  and spans. It checks no rules and no types.
- frictionless, pandera and `cldf validate` validate the published tables: types, patterns, enums, unique ids and
  foreign keys. frictionless validates all tables, `cldf validate` four, pandera two. None of them reads the texts.
- Hugging Face datasets reads six published tables and writes them in both formats.
- dkpro-cassis writes a CAS file for each text with its annotations, only up to 10,000 annotations.
- Slow commands are run once: `cldf validate` and the builds with rules from 100,000 annotations, frictionless from a
  million.
- “Before” is a build of the same articles by an earlier version (`tools/benchmarks/results/before/`), which read one
  file for each article, kept all of them in memory, and compared each figure with all others of its measure."""


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


# ---- charts ----------------------------------------------------------------------------------------------------


_DRAWN = ("ours", "ours-full", "ours-rules", "duckdb", "floor", "frictionless", "pandera", "datasets", "cldf", "cassis")
_COLOURS = [
    "#1c5d6b",
    "#1c5d6b",
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
_DASHES = [[1, 0], [4, 3], [1, 3], [1, 0], [4, 3], [1, 0], [4, 3], [1, 0], [4, 3], [2, 2]]


def charts(results: Path) -> dict[str, str]:
    """Return the charts by file name, or none if there are no results."""
    records = read(results)
    if not records:
        return {}
    return {
        "cpu.svg": svg.draw([_chart(_CPU, records, "cpu", "CPU time, seconds")])[0].svg,
        "memory.svg": svg.draw([_chart(_MEMORY, records, "memory", "peak memory, MB")])[0].svg,
    }


_CPU = svg.Chart(
    "cpu",
    "CPU time by the number of annotations",
    "Both axes are logarithmic, with a line for each tool. The tables below give the numbers.",
    {},
)
_MEMORY = _CPU._replace(name="memory", title="Peak memory by the number of annotations")


_WIDTH, _HEIGHT, _LINE = 520, 380, 14
"""Size of a chart and height of a line of text, in pixels."""


def _chart(chart: svg.Chart, records: dict[int, Record], cost: str, axis: str) -> svg.Chart:
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
    return chart._replace(specification={"data": {"values": values}, "layer": [line, label], **size})


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
