"""Drawings as SVG: text, shapes and colours in a column of fixed width.

Every chart is drawn twice: 720 pixels wide, and 360 pixels wide for a phone. The fonts are those of
the reader's machine, so the widths of texts are upper estimates.
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup, escape

from defectors_data.rows.labels import visible

WIDE, NARROW = 720, 360
"""Widths of the two forms of a chart, in pixels."""
MOST = 40
"""Maximum number of rows in a chart; a chart with more rows is not drawn."""
STYLE = (Path(__file__).parent / "style.css").read_text(encoding="utf-8")
"""The stylesheet of all drawings, in the light and the dark colour scheme."""


class _Font(NamedTuple):
    """Size and line height of a kind of text, in pixels."""

    size: float
    line: int
    bold: bool = False


class _Box(NamedTuple):
    """The space that a text takes."""

    left: float
    right: float
    top: float
    bottom: float


_FONTS = {
    "title": _Font(23, 28, bold=True),
    "said": _Font(16, 20),
    "label": _Font(13.5, 17),
    "name": _Font(13.5, 17, bold=True),
    "quiet": _Font(13, 17),
    "small": _Font(12, 16),
}
"""The kinds of text, which are also classes of the stylesheet."""
_NARROW_TITLE = _Font(20, 24, bold=True)

_WIDTHS = {
    0.32: "' ,.ijl·í\xa0",
    0.38: "-/:;\\f‘’",
    0.41: "!()I[]t",
    0.48: '"r',
    0.53: "J`sz“”",
    0.57: "*?_c|–ç",
    0.62: "aekovxyéáó",
    0.65: "$0123456789bdghnpqu{}ñúü",
    0.70: "FLPSTZ",
    0.77: "ABCEKRVXYÉ",
    0.86: "#+<=>DGOQU^~",
    0.95: "%&HNw●○",
}
"""Widths of characters as shares of the font size: the largest of DejaVu, Liberation and Noto, with
and without serifs."""
_BEFORE = {"start": 0.0, "middle": 0.5, "end": 1.0}
"""Share of a text that is drawn before its position, by its anchor."""
_GAP = 2
"""Distance between a line and the texts next to it, in pixels."""
_OTHER_WIDTH = 1.03
_BOLD = 1.14
"""Largest ratio between the widths of bold and regular characters."""
_SLACK = 1.08
"""Reserve for fonts that are wider than those that were measured."""


class Drawing:
    """An SVG that grows downwards; `y` is the lower end of what has been drawn."""

    def __init__(self, name: str, width: int, title: str, alt: str) -> None:
        """Set the name of the chart, its width, its title, and its contents in words."""
        self.width, self.narrow = width, width == NARROW
        self.name = name
        if self.narrow:
            self.name = f"{name}-narrow"
        self.title, self.alt = title, alt
        self.margin = 24
        if self.narrow:
            self.margin = 18
        self.right = width - self.margin
        self.y: float = 12
        self._behind, self._shapes = list[str](), list[str]()
        self._fades = set[str]()
        self._texts = list[_Box]()

    @property
    def inline(self) -> Markup:
        """The drawing for a page, which must contain `STYLE`."""
        return Markup(self._svg(""))  # noqa: S704

    @property
    def file(self) -> bytes:
        """The drawing as a file."""
        return f"{self._svg(f'<style>{STYLE}</style>')}\n".encode()

    def _svg(self, style: str) -> str:
        height = _number(self.y + self.margin - 4)
        kind = "chart"
        if self.narrow:
            kind = "chart narrow"
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" '
            f'aria-labelledby="{self.name}-title {self.name}-alt" '
            f'width="{self.width}" height="{height}" viewBox="0 0 {self.width} {height}">'
            f'<title id="{self.name}-title">{escape(visible(self.title))}</title>'
            f'<desc id="{self.name}-alt">{escape(visible(self.alt))}</desc>{style}'
            f"{self._gradients()}"
            f'<rect class="paper" width="{self.width}" height="{height}"/>'
            f"{''.join(self._behind)}{''.join(self._shapes)}</svg>"
        )

    # ---- text ------------------------------------------------------------------------------------

    def heading(self, subtitle: str) -> None:
        """Draw the title and a subtitle."""
        for line in balanced(self.title, self._font("title"), self.right - self.margin):
            self.line(line, "title")
        self.y += 4
        self.paragraph(subtitle, "quiet")

    def footer(self, notes: Iterable[str], credit: str) -> None:
        """Draw the notes as one paragraph, and below them the source."""
        self.y += 10
        together = " ".join(notes)
        if together:
            self.paragraph(together, "small")
            self.y += 4
        self.paragraph(credit, "small")

    def paragraph(
        self, words: str, kind: str, *, x: float | None = None, room: float | None = None
    ) -> None:
        """Draw a text in lines of at most `room`, by default as wide as the column."""
        left = self.margin if x is None else x
        lines = wrapped
        if kind in ("name", "said"):
            lines = balanced
        for each in lines(words, self._font(kind), room or self.right - left):
            self.line(each, kind, x=left)

    def line(self, words: str, kind: str, *, x: float | None = None) -> None:
        """Draw a line of text, and move down by its height."""
        font = self._font(kind)
        left = self.margin if x is None else x
        self.y += font.line
        self.text(words, kind, left, self.y - font.line * 0.22)

    def pair(self, kind: str, words: str, more: str, *, room: float) -> None:
        """Draw a text and more about it on one line, or on several if there is no room."""
        width = self.width_of(f"{words}  ", kind) + self.width_of(more, "quiet")
        if width > room:
            self.paragraph(words, kind, room=room)
            self.paragraph(more, "quiet")
            return
        self.line(words, kind)
        size = _number(self._font("quiet").size)
        quiet = f'<tspan class="quiet" font-size="{size}" dx="6">{escape(visible(more))}</tspan>'
        self._shapes[-1] = self._shapes[-1].replace("</text>", f"{quiet}</text>")
        self._texts[-1] = self._texts[-1]._replace(right=self.margin + width)

    def text(self, words: str, kind: str, x: float, y: float, *, anchor: str = "start") -> None:
        """Draw a text with its baseline at `y`; `kind` may be followed by other classes."""
        at = ""
        if anchor != "start":
            at = f' text-anchor="{anchor}"'
        font = self._font(kind)
        size, width = _number(font.size), _width(words, font)
        left = x - width * _BEFORE[anchor]
        self._texts.append(_Box(left, left + width, y - font.size, y + font.size * 0.3))
        self._shapes.append(
            f'<text class="{kind}" font-size="{size}" x="{_number(x)}" y="{_number(y)}"{at}>'
            f"{escape(visible(words))}</text>"
        )

    def width_of(self, words: str, kind: str) -> float:
        """Return an upper estimate of the width of a text."""
        return _width(words, self._font(kind))

    def _font(self, kind: str) -> _Font:
        first = kind.partition(" ")[0]
        if first == "title" and self.narrow:
            return _NARROW_TITLE
        return _FONTS[first]

    # ---- shapes ----------------------------------------------------------------------------------

    def rect(self, kind: str, x: float, y: float, width: float, height: float) -> None:
        """Draw a rectangle, unless it has no width."""
        if width <= 0:
            return
        size = f'width="{_number(width)}" height="{_number(height)}"'
        self._shapes.append(f'<rect class="{kind}" x="{_number(x)}" y="{_number(y)}" {size}/>')

    def fade(self, kind: str, x: float, y: float, width: float, height: float) -> None:
        """Draw a rectangle that becomes transparent towards the right."""
        self._fades.add(kind)
        place = f'x="{_number(x)}" y="{_number(y)}"'
        size = f'width="{_number(width)}" height="{_number(height)}"'
        self._shapes.append(f'<rect fill="url(#{self._fade_id(kind)})" {place} {size}/>')

    def dot(self, kind: str, x: float, y: float, radius: float) -> None:
        """Draw a circle."""
        self._shapes.append(
            f'<circle class="{kind}" cx="{_number(x)}" cy="{_number(y)}" r="{_number(radius)}"/>'
        )

    def rule(self, kind: str, x: float, y: float, *, to_x: float, to_y: float) -> None:
        """Draw a straight line behind everything else."""
        path = f"M{_number(x)} {_number(y)}L{_number(to_x)} {_number(to_y)}"
        self._behind.append(f'<path class="{kind}" d="{path}"/>')

    def broken_rule(self, kind: str, x: float, y: float, *, to_y: float) -> None:
        """Draw a vertical line downwards, broken where it would cross the texts drawn so far."""
        for text in sorted(self._texts, key=attrgetter("top")):
            if not text.left - _GAP < x < text.right + _GAP or text.bottom < y:
                continue
            if text.top > y:
                self.rule(kind, x, y, to_x=x, to_y=min(text.top, to_y))
            y = text.bottom
        if y < to_y:
            self.rule(kind, x, y, to_x=x, to_y=to_y)

    def _gradients(self) -> str:
        drawn = ""
        if not self._fades:
            return drawn
        for kind in sorted(self._fades):
            drawn += (
                f'<linearGradient id="{self._fade_id(kind)}">'
                f'<stop class="{kind}" offset="0" stop-opacity="1"/>'
                f'<stop class="{kind}" offset="1" stop-opacity="0"/></linearGradient>'
            )
        return f"<defs>{drawn}</defs>"

    def _fade_id(self, kind: str) -> str:
        return f"{self.name}-{kind}-right"


# ---- widths of texts -----------------------------------------------------------------------------


def wrapped(words: str, font: _Font, room: float) -> list[str]:
    """Return the lines of a text, each at most `room` wide unless it is a single word."""
    lines = [""]
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if _width(longer, font) > room and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def balanced(words: str, font: _Font, room: float) -> list[str]:
    """Return the fewest lines for a text, of about the same width."""
    lines = wrapped(words, font, room)
    while room > 0:
        room -= 6
        narrower = wrapped(words, font, room)
        if len(narrower) > len(lines) or max(_width(line, font) for line in narrower) > room:
            return lines
        lines = narrower
    return lines


def _width(words: str, font: _Font) -> float:
    width = sum(_WIDTH_OF.get(character, _OTHER_WIDTH) for character in words)
    if font.bold:
        width *= _BOLD
    return width * font.size * _SLACK


_WIDTH_OF = {character: width for width, all_of in _WIDTHS.items() for character in all_of}


def _number(value: float) -> str:
    """Return a number with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")
