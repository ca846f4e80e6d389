"""Write docs/developers/benchmarks.md and its charts from the results in tools/benchmarks/results/ alone."""

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
"""Rooms and functions that take less of a build than this are told together."""

CALLED = {
    "ours": "ours",
    "ours-2": "ours, two processes",
    "ours-rules": "ours, with the codebook’s rules",
    "ours-full": "ours, all tables",
    "ours-small": "ours, a file for each source",
    "ours-dask": "ours on Dask",
    "ours-full-2": "ours, all tables, two processes",
    "ours-full-dask": "ours, all tables, on Dask",
    "verify-fast": "ours, `verify --fast`",
    "duckdb": "DuckDB",
    "floor": "the floor",
    "frictionless": "frictionless",
    "pandera": "pandera",
    "datasets": "datasets",
    "cldf": "cldf validate",
    "cassis": "dkpro-cassis",
}
"""What each task is called in charts and tables."""


def page(results: Path) -> str:
    """Return the page of what was recorded."""
    start = json.loads((results / "start.json").read_text(encoding="utf-8"))
    records, before = read(results), read(results / "before")
    parts: list[Iterator[str]] = [_start(start), _bars(records, before, start["bars"])]
    if records:
        parts += [_sizes(records), _growth(records), _stages(records), _means(records)]
    return "\n".join(["# Benchmarks", *(line for part in parts for line in part), ""])


def _start(start: dict[str, Any]) -> Iterator[str]:
    yield f"""
Builds below without the rules of the codebook were measured with an option that no longer exists (`--without rules`); a
later change measures the full build anew.

Written by `make bench-start`, `make bench` and `make bench-page`, of what was recorded in `tools/benchmarks/results/`.
Each command is run in turn with what it is held against (A B A B), each run a whole process, with its bytecode at hand
as after an installation and with no cache of its own; user and system time of the CPU are counted, its children's too.
The ratio is that of the medians: it says how many times as long a command takes, on this machine or another.

## Start

{start["runs"]} runs of each, after a first one that warms up. The span is that of the single pairs; a wide one tells of
a busy machine.
"""
    yield from _table(
        ["what", "held against", "ratio", "pairs", "bar"],
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
## Bars

What a build of a million annotations, and a small command, may take: ratios are those of medians within one run. What
was measured with fewer annotations alone is told, and not judged.
"""
    kept = {True: "kept", False: "**not kept**", None: ""}
    yield from _table(
        ["what", "bar", "measured", "annotations", ""],
        [
            [bar.what, bar.bar, bar.measured, f"{bar.size:,}" if bar.size else "", kept[bar.kept]]
            for bar in bars(records, before, start)
        ],
    )


# ---- sizes -----------------------------------------------------------------------------------------------------


def _sizes(records: dict[int, Record]) -> Iterator[str]:
    yield f"""
## What it takes

N annotations over N/10 invented articles of 6 kB, about seven testimonies to three figures
(`tools/benchmarks/generator.py`). Medians; in brackets the lowest and the highest. Memory is the most that one process
held.

![{_CPU.title}: {_CPU.description}](benchmarks/cpu.svg)

![{_MEMORY.title}: {_MEMORY.description}](benchmarks/memory.svg)"""
    for size, record in reversed(records.items()):
        yield f"\n### {size:,} annotations\n"
        yield from _table(
            ["what", "runs", "CPU, s", "x DuckDB", "wall, s", "memory, MB"],
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
## How it grows

The exponent of growth: 1 is a cost that grows as the corpus does, 2 one that grows with its square, 0 one that stays.
It is the slope of the line nearest to the medians in the charts above. A start that takes as long for any corpus makes
it smaller, so it is told twice: over all sizes, and between the two largest.
"""
    rows = []
    for name in names:
        cpu, memory = (series(records, name, cost) for cost in ("cpu", "memory"))
        sizes = f"{cpu[0][0]:,} to {cpu[-1][0]:,}"
        cells = [exponent(cpu), exponent(cpu[-2:]), exponent(memory), exponent(memory[-2:])]
        rows.append([CALLED[name], sizes, *(f"{cell:.2f}" for cell in cells if cell is not None)])
    yield from _table(["what", "annotations", "CPU", "of the largest", "memory", "of the largest"], rows)


# ---- stages ----------------------------------------------------------------------------------------------------


def _stages(records: dict[int, Record]) -> Iterator[str]:
    for name in ("ours", "ours-full"):
        sizes = [size for size, record in records.items() if record.facts["stages"].get(name)]
        if sizes:
            seen = Counter(records[max(sizes)].facts["stages"][name])
            yield f"""
## Where the time goes: {TASKS[name].what}

{max(sizes):,} annotations. Which function of ours is at work is noted after each hundredth of a second of CPU time,
whatever library it has called; so nothing is slowed down. `start` is what runs before any of them, imports above all.
"""
            yield from _table(["room", "share", "functions"], _rooms(seen))


def _rooms(seen: Counter[str]) -> list[list[str]]:
    """Return each room with its share, and the functions in it that take the most."""
    rooms: Counter[str] = Counter()
    for function, times in seen.items():
        rooms[function.partition(":")[0]] += times
    whole = seen.total()
    rows = []
    for room, times in rooms.most_common():
        inside = [(f, n) for f, n in seen.most_common() if f.startswith(f"{room}:") and n >= SHARE * whole]
        told = ", ".join(f"`{function.partition(':')[2]}` {n / whole:.0%}" for function, n in inside)
        if times >= SHARE * whole:
            rows.append([f"`{room}`", f"{times / whole:.0%}", told])
    rest = 1 - sum(times for times in rooms.values() if times >= SHARE * whole) / whole
    return [*rows, ["others", f"{rest:.0%}", ""]]


def _means(records: dict[int, Record]) -> Iterator[str]:
    largest = max((size for size in records if size <= MILLION), default=max(records))
    facts = records[largest].facts
    versions = ", ".join(f"{name} {version}" for name, version in sorted(facts["versions"].items()))
    yield f"""
## Means

Python {facts["python"]} on {facts["cores"]} cores; {versions}.

Other tools are in an environment of their own (`tools/benchmarks/requirements.lock`), frictionless in the project's.
No two do quite the same work:

- DuckDB reads the annotations and writes six tables, with one thread. It looks at no text, finds no words and checks
  nothing: it is the limit of what a conversion can be.
- The floor reads every text, checks its hash, finds the words of each record as plain Python does it, and writes
  testimonies and spans. It checks no rule and no type.
- frictionless, pandera and `cldf validate` take our result and validate it: types, patterns, enums, unique ids and
  foreign keys; pandera two of the tables, cldf four, frictionless all. None of them knows the texts.
- Hugging Face datasets reads six finished tables and writes them again in both formats.
- dkpro-cassis puts what was found into a CAS for each text, up to 10,000 annotations alone: it writes a file for each.
- What takes long is run once: `cldf validate` and the builds with rules from 100,000 on, frictionless from a million.
- Before is what a build of the same articles took when each had a file of its own and all were held in memory
  (`tools/benchmarks/results/before/`): it put every figure beside every other of its measure, too."""


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
"""Lines of a colour differ in their dashes."""
_DASHES = [[1, 0], [4, 3], [1, 3], [1, 0], [4, 3], [1, 0], [4, 3], [1, 0], [4, 3], [2, 2]]


def charts(results: Path) -> dict[str, str]:
    """Return the charts by file name; none where nothing was recorded."""
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
    "Both axes are logarithmic; a line for each tool. The tables below give the numbers.",
    {},
)
_MEMORY = _CPU._replace(name="memory", title="Peak memory by the number of annotations")


_WIDTH, _HEIGHT, _LINE = 520, 380, 14
"""Of a chart, and of a line of its words, in pixels."""


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
    """Return where the name of each line stands: at its end, and above what else ends there."""
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
