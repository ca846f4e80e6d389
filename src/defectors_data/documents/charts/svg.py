"""Drawings as SVG: bars, intervals and strips with their axes, narrow enough for a phone.

A chart consists of panels of fixed width. The page places them side by side where there is room;
the file of a chart arranges them in one column, with a title, a source and a date. Text widths are
estimated, so that a drawing does not depend on the fonts of the machine.
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
"""The stylesheet of the drawings in the light and dark colour schemes."""

MOST = 100
"""Maximum number of rows in a chart; a chart with more rows is not drawn."""

_MARGIN, _GAP = 10, 24
_LINE, _SMALL = 17, 12
"""Height of a line of text and size of small text, in pixels; other text has 13 pixels."""
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
        """The panel as SVG for the page, which has the stylesheet and shows the heading."""
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
        """Return the chart as an SVG file; `source` is the line below it."""
        column = _VerticalStack(_MARGIN)
        column.paragraph(self.title, "title", size=16)
        for panel in self.panels:
            column.skip(_GAP - _LINE // 2)
            column.paragraph(panel.heading, "heading")
            column.skip(4)
            size = f'width="{WIDTH}" height="{panel.height}"'
            column.add(f'<svg y="{column.y}" {size}>{panel.body}</svg>', panel.height)
        for line in (self.key, source):
            if line:
                column.skip(_LINE // 2)
                column.paragraph(line, "small", size=_SMALL)
        described = " ".join(f"{panel.heading}: {panel.description}" for panel in self.panels)
        names = f'aria-labelledby="{self.name}-title {self.name}-description"'
        width, height = WIDTH + 2 * _MARGIN, column.y + _MARGIN
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="drawing" role="img" {names} '
            f'width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
            f'<title id="{self.name}-title">{escape(visible(self.title))}</title>'
            f'<desc id="{self.name}-description">{escape(visible(described))}</desc>'
            f'<style>{STYLE}</style><rect class="paper" width="100%" height="100%"/>'
            f'<svg x="{_MARGIN}" width="{WIDTH}" height="{height}">{column.body}</svg></svg>\n'
        )


class ChartInterval(NamedTuple):
    """A number as an article states it, with all values that the words allow."""

    who: str
    """The person who states the number."""
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
    """Return a panel of numbers on one scale from zero.

    Dots show printed numbers, and bars the values that the words allow.
    """
    # With room for the dot at the end.
    scale = _LinearScale(0, WIDTH, max(_largest(row) for row in rows) * 1.1)
    column = _VerticalStack(0)
    for row in rows:
        column.paragraph(row.who, "quiet")
        column.add("".join(_interval(row, scale, column.y + 12)), 30)
    column.below(scale.lines(column.y))
    column.add(scale.labels(column.y, unit), 2 * _LINE)
    described = "; ".join(f"{row.who}: {row.words}" for row in rows)
    return Panel(heading, f"{described}.", column.body, column.y, subject)


def _largest(row: ChartInterval) -> float:
    """Return the largest number that the drawing of an interval shows."""
    return max(row.value or 0, row.low, row.high or 0, *(row.rounded or ()))


def _interval(row: ChartInterval, scale: _LinearScale, y: float) -> Iterator[str]:
    start = scale.x(row.low)
    end = WIDTH if row.high is None else scale.x(row.high)
    reach = [start, end]
    if row.rounded:
        a, b = scale.x(row.rounded[0]), scale.x(row.rounded[1])
        reach += [a, b]
        yield f'<path class="rounded" d="M{a} {y - 5}v10M{a} {y}H{b}M{b} {y - 5}v10"/>'
    if row.high is None:
        yield f'<path class="range" d="M{start} {y - 4}H{end - 9}v-4l9 8l-9 8v-4H{start}z"/>'
    elif row.high > row.low:
        size = f'width="{_round(end - start)}" height="8"'
        yield f'<rect class="range" x="{start}" y="{y - 4}" {size}/>'
    if row.value is not None:
        x, kind = scale.x(row.value), "point" if row.included else "hollow"
        reach += [x - 6, x + 6]
        yield f'<circle class="{kind}" cx="{x}" cy="{y}" r="5"/>'
    left, right, width = min(reach) - 6, max(reach) + 6, _width(row.words, 13)
    # The words are placed to the right of the drawing if there is room, else to the left or above.
    if right + width <= WIDTH:
        yield _text(right, y + 4.5, row.words, "value")
    elif left - width >= 0:
        yield _text(left, y + 4.5, row.words, "value", "end")
    else:
        yield _text(WIDTH, y - 16.5, row.words, "value", "end")


def bars(
    heading: str, rows: Sequence[tuple[str, int]], top: int, unit: str, subject: str = ""
) -> Panel:
    """Return a panel of counts as bars with labels; those with the same `top` have one scale."""
    # Counts are whole, so the ticks are at least 1 apart. The number needs room after its bar.
    scale = _LinearScale(_LABELS + 8, WIDTH, top * 1.2, least=1)
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
    counts = ", ".join(f"{label} {count:,}" for label, count in rows)
    return Panel(heading, f"{counts} {unit}.", column.body, column.y, subject)


def strip(
    heading: str,
    runs: Iterable[tuple[str, int, int]],
    length: int,
    shares: Sequence[tuple[str, str]],
    top: int,
) -> Panel:
    """Return a panel with a text of `length` characters as a strip, coloured by kind.

    Each of the `runs` is a kind with its start and end; each of the `shares` is a kind with its
    label in the key. Panels with the same `top` have the same scale.
    """
    scale = _LinearScale(0, WIDTH, top)
    column = _VerticalStack(0)
    # One unit for each character; the drawing is stretched to the size of the strip.
    box = f'viewBox="0 0 {length} 1" preserveAspectRatio="none"'
    drawn = _runs(runs)
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
    described = ", ".join(words for _, words in shares)
    return Panel(heading, f"{described}.", column.body, column.y)


def _runs(runs: Iterable[tuple[str, int, int]]) -> str:
    """Return a path for each kind of run, one unit high."""
    paths: dict[str, str] = {}
    for kind, start, end in runs:
        paths[kind] = f"{paths.get(kind, '')}M{start} 0h{end - start}v1h{start - end}z"
    return "".join(f'<path class="{kind}" d="{path}"/>' for kind, path in paths.items())


# ---- text, axes and positions --------------------------------------------------------------


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
        self.step = _step(reach, least)
        self.start, self.end = start, end
        self.top = self.step * max(1, math.ceil(reach / self.step))

    def x(self, value: float) -> float:
        return _round(self.start + (self.end - self.start) * value / self.top)

    def _ticks(self) -> list[float]:
        return [self.step * i for i in range(round(self.top / self.step) + 1)]

    def lines(self, y: int) -> str:
        drawn = "".join(f"M{self.x(tick)} 0V{y}" for tick in self._ticks())
        return f'<path class="grid" d="{drawn}"/>'

    def labels(self, y: int, unit: str) -> str:
        """Return the numbers at the ticks, and the unit below them."""
        first, *inner, last = self._ticks()
        anchors = {first: "middle" if self.start else "start", last: "end"}
        drawn = ""
        for tick in (first, *inner, last):
            words, anchor = number(round(tick, 3)), anchors.get(tick, "middle")
            drawn += _text(self.x(tick), y + 14, words, "small", anchor)
        return drawn + _text(self.end, y + 29, unit, "small", "end")


def _step(reach: float, least: float) -> float:
    """Return the smallest round step of at least `least` that needs no more than `_TICKS` steps."""
    if reach > 0:
        for power in range(-3, 15):
            for factor in (1, 2, 5):
                step = factor * 10.0**power
                if step >= least and reach / step <= _TICKS:
                    return step
    return 1


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
    return sum(_width_of(character) for character in words) * size


def _width_of(character: str) -> float:
    """Return the width of a character, as a share of the size of the font."""
    if character in "mwMW@%—…":
        return 0.95
    if character in "ijltfI.,:;'’|()[]-! ":
        return 0.34
    return 0.74 if character.isupper() else 0.58


def _round(value: float) -> float:
    """Return a value rounded to one decimal, as an integer if it is whole."""
    rounded = round(value, 1)
    return int(rounded) if rounded == int(rounded) else rounded
