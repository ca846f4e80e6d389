"""Drawings as SVG: bars, intervals and strips with their axes, narrow enough for a phone.

A chart consists of panels of fixed width. The page places them side by side where there is room; the file of a chart
arranges them in one column, with a title, a source and a date. Text widths are estimated, so that a drawing does not
depend on the fonts of the machine.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup, escape

from defectors_data.rows.labels import visible
from defectors_data.text.number_comparison import number

WIDTH = 340
"""Width of a panel in pixels; with a margin on each side, it is the width of a small phone."""

STYLE = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
"""The stylesheet of the drawings in the light and dark colour schemes, for the page and for the files."""

MOST = 100
"""Maximum number of rows in a chart; a chart with more rows is not drawn."""

_MARGIN, _GAP = 10, 24
_LINE, _SMALL = 17, 12
"""Height of a line of text and size of small text, in pixels; the size of other text is 13 pixels."""
_LABELS = 132
"""Width of the labels next to bars, in pixels."""
_TICKS = 5
"""Largest number of steps on an axis."""


class Panel(NamedTuple):
    """A drawing of width `WIDTH`, with a heading and with its data in words."""

    heading: str
    description: str
    body: str
    height: int
    subject: str = ""
    """The term or id of the subject, for the page."""

    @property
    def svg(self) -> Markup:
        """The panel as SVG for the page, which provides the stylesheet and shows the heading itself."""
        size = f'width="{WIDTH}" height="{self.height}" viewBox="0 0 {WIDTH} {self.height}"'
        label = escape(visible(f"{self.heading}: {self.description}"))
        opening = f'<svg class="drawing" role="img" aria-label="{label}" {size}>'
        return Markup(f"{opening}{self.body}</svg>")  # noqa: S704


class Chart(NamedTuple):
    """Panels with a title and a key that explains their symbols."""

    name: str
    title: str
    panels: tuple[Panel, ...]
    key: str = ""

    def file(self, source: str) -> str:
        """Return the chart as an SVG file; `source` is the line below it, with the dataset and its date."""
        column = _VerticalStack(_MARGIN)
        column.paragraph(self.title, "title", size=16)
        for panel in self.panels:
            column.skip(_GAP - _LINE // 2)
            column.paragraph(panel.heading, "heading")
            column.skip(4)
            column.add(
                f'<svg y="{column.y}" width="{WIDTH}" height="{panel.height}">{panel.body}</svg>',
                panel.height,
            )
        for line in filter(None, (self.key, source)):
            column.skip(_LINE // 2)
            column.paragraph(line, "small", size=_SMALL)
        described = " ".join(f"{panel.heading}: {panel.description}" for panel in self.panels)
        names = f"{self.name}-title {self.name}-description"
        width, height = WIDTH + 2 * _MARGIN, column.y + _MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" aria-labelledby="{names}" '
            f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
            f'<title id="{self.name}-title">{escape(visible(self.title))}</title>'
            f'<desc id="{self.name}-description">{escape(visible(described))}</desc>'
            f'<style>{STYLE}</style><rect class="paper" width="100%" height="100%"/>'
            f'<svg x="{_MARGIN}" width="{WIDTH}" height="{height}">{column.body}</svg></svg>\n'
        )


class ChartInterval(NamedTuple):
    """A number as an article states it, with the person who states it and all values that the words allow."""

    who: str
    words: str
    """The number with its hedge."""
    value: float | None
    """The number that the article prints."""
    included: bool
    """Whether the number is exact, without a hedge."""
    low: float
    high: float | None
    """The upper limit; None if the words set none."""
    rounded: tuple[float, float] | None
    """The limits of the values that the words allow if round numbers are read as rounded."""


def intervals(heading: str, unit: str, rows: Sequence[ChartInterval], subject: str = "") -> Panel:
    """Return a panel of numbers on one scale from zero: dots for printed numbers, bars for the values allowed."""
    ends = [
        end
        for row in rows
        for end in (row.value, row.low, row.high, *(row.rounded or ()))
        if end is not None
    ]
    scale = _LinearScale(0, WIDTH, max(ends) * 1.1)  # room for the dot at the end
    column = _VerticalStack(0)
    for row in rows:
        column.paragraph(row.who, "quiet")
        column.add("".join(_interval(row, scale, column.y + 12)), 30)
    column.below(scale.lines(column.y))
    column.add(scale.labels(column.y, unit), 2 * _LINE)
    described = "; ".join(f"{row.who}: {row.words}" for row in rows)
    return Panel(heading, f"{described}.", column.body, column.y, subject)


def _interval(row: ChartInterval, scale: _LinearScale, y: float) -> Iterator[str]:
    start, end = scale.x(row.low), WIDTH if row.high is None else scale.x(row.high)
    reach = [start, end]
    if row.rounded:
        a, b = (scale.x(each) for each in row.rounded)
        reach += [a, b]
        yield f'<path class="rounded" d="M{a} {y - 5}v10M{a} {y}H{b}M{b} {y - 5}v10"/>'
    if row.high is None:
        yield f'<path class="range" d="M{start} {y - 4}H{end - 9}v-4l9 8l-9 8v-4H{start}z"/>'
    elif row.high > row.low:
        yield f'<rect class="range" x="{start}" y="{y - 4}" width="{_round(end - start)}" height="8"/>'
    if row.value is not None:
        yield f'<circle class="{"point" if row.included else "hollow"}" cx="{scale.x(row.value)}" cy="{y}" r="5"/>'
        reach += [scale.x(row.value) - 6, scale.x(row.value) + 6]
    left, right, width = min(reach) - 6, max(reach) + 6, _width(row.words, 13)
    # The words are placed to the right of the bar and dot if there is room, else to the left of them, else above.
    if right + width <= WIDTH:
        yield _text(right, y + 4.5, row.words, "value")
    elif left - width >= 0:
        yield _text(left, y + 4.5, row.words, "value", "end")
    else:
        yield _text(WIDTH, y - 16.5, row.words, "value", "end")


def bars(
    heading: str, rows: Sequence[tuple[str, int]], top: int, unit: str, subject: str = ""
) -> Panel:
    """Return a panel of counts as bars with labels; panels with the same `top` have the same scale."""
    # Counts are whole, so the ticks are at least 1 apart.
    scale = _LinearScale(
        _LABELS + 8, WIDTH, top * 1.2, least=1
    )  # room for the number after the longest bar
    column = _VerticalStack(0)
    for label, count in rows:
        lines = _wrapped(label, 13, _LABELS)
        for i, line in enumerate(lines):
            column.add(_text(_LABELS, column.y + 13 + _LINE * i, line, "", "end"), 0)
        x, y, end = scale.start, column.y + (_LINE * len(lines) - 12) / 2, scale.x(count)
        column.add(f'<rect class="bar" x="{x}" y="{y}" width="{_round(end - x)}" height="13"/>', 0)
        column.add(_text(end + 5, y + 11, f"{count:,}", "value"), _LINE * len(lines) + 4)
    column.below(scale.lines(column.y))
    column.add(scale.labels(column.y, unit), 2 * _LINE)
    return Panel(
        heading,
        f"{', '.join(f'{label} {count:,}' for label, count in rows)} {unit}.",
        column.body,
        column.y,
        subject,
    )


def strip(
    heading: str,
    runs: Iterable[tuple[str, int, int]],
    length: int,
    shares: Sequence[tuple[str, str]],
    top: int,
) -> Panel:
    """Return a panel with a text of `length` characters as a strip, coloured by kind.

    Each of the `runs` is a kind with its start and end; each of the `shares` is a kind with its label in the key.
    Panels with the same `top` have the same scale.
    """
    paths: dict[str, str] = {}
    for kind, start, end in runs:
        paths[kind] = f"{paths.get(kind, '')}M{start} 0h{end - start}v1h{start - end}z"
    scale = _LinearScale(0, WIDTH, top)
    column = _VerticalStack(0)
    drawn = "".join(f'<path class="{kind}" d="{path}"/>' for kind, path in paths.items())
    # One unit for each character; the drawing is stretched to the size of the strip.
    box = f'viewBox="0 0 {length} 1" preserveAspectRatio="none"'
    column.add(f'<svg y="2" width="{scale.x(length)}" height="24" {box}>{drawn}</svg>', 30)
    column.below(scale.lines(column.y))
    column.add(scale.labels(column.y, "characters"), 2 * _LINE)
    x = 0.0
    for kind, words in shares:
        width = _width(words, 13) + 30
        if x + width > WIDTH:
            x = 0
            column.skip(_LINE + 2)
        swatch = f'<rect class="{kind}" x="{_round(x)}" y="{column.y + 1}" width="12" height="12"/>'
        column.add(swatch + _text(x + 17, column.y + 12, words, ""), 0)
        x += width
    column.skip(_LINE + 2)
    return Panel(heading, f"{', '.join(words for _, words in shares)}.", column.body, column.y)


# ---- text, axes and positions ------------------------------------------------------------------------------------


class _VerticalStack:
    """SVG elements that are added from top to bottom."""

    def __init__(self, y: int) -> None:
        self.y, self.body = y, ""

    def add(self, element: str, height: int) -> None:
        self.body += element
        self.y += height

    def skip(self, height: int) -> None:
        self.y += height

    def below(self, element: str) -> None:
        """Add an element behind all others."""
        self.body = element + self.body

    def paragraph(self, words: str, kind: str, size: int = 13) -> None:
        for line in _wrapped(words, size, WIDTH):
            self.add(_text(0, self.y + size, line, kind), round(size * 1.3))


class _LinearScale:
    """A linear scale that starts at zero and has its ticks at round numbers."""

    def __init__(self, start: int, end: int, reach: float, least: float = 0) -> None:
        steps = (factor * 10.0**power for power in range(-3, 15) for factor in (1, 2, 5))
        self.step = (
            next(step for step in steps if step >= least and reach / step <= _TICKS)
            if reach > 0
            else 1
        )
        self.start, self.end = start, end
        self.top = self.step * max(1, math.ceil(reach / self.step))

    def x(self, value: float) -> float:
        return _round(self.start + (self.end - self.start) * value / self.top)

    def _ticks(self) -> Iterator[float]:
        yield from (self.step * i for i in range(round(self.top / self.step) + 1))

    def lines(self, y: int) -> str:
        return f'<path class="grid" d="{"".join(f"M{self.x(tick)} 0V{y}" for tick in self._ticks())}"/>'

    def labels(self, y: int, unit: str) -> str:
        """Return the numbers at the ticks, and the unit below them."""
        ticks = list(self._ticks())
        anchors = ["start" if not self.start else "middle", *["middle"] * (len(ticks) - 2), "end"]
        numbers = [
            _text(self.x(tick), y + 14, number(round(tick, 3)), "small", anchor)
            for tick, anchor in zip(ticks, anchors, strict=True)
        ]
        return "".join([*numbers, _text(self.end, y + 29, unit, "small", "end")])


def _text(x: float, y: float, words: str, kind: str, anchor: str = "start") -> str:
    at = "" if anchor == "start" else f' text-anchor="{anchor}"'
    style = f' class="{kind}"' if kind else ""
    return f'<text{style} x="{_round(x)}" y="{_round(y)}"{at}>{escape(visible(words))}</text>'


def _wrapped(words: str, size: int, width: int) -> list[str]:
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if _width(longer, size) > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _width(words: str, size: int) -> float:
    """Return an upper estimate of the width of a text in a font such as Arial."""
    wide = sum(
        0.95
        if c in "mwMW@%—…"
        else 0.34
        if c in "ijltfI.,:;'’|()[]-! "
        else 0.74
        if c.isupper()
        else 0.58
        for c in words
    )
    return wide * size


def _round(value: float) -> float:
    """Return a value rounded to one decimal, as an integer if it is whole."""
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded
