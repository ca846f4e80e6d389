"""A chart: a title, a text alternative, and the same picture in two widths."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from defectors_data.documents.charts.svg import NARROW, WIDE, Drawing
from defectors_data.models import counts
from defectors_data.rows.labels import Row, outlet_label

MOST_LISTED = 8
"""Maximum number of articles that a chart names."""
_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


class Chart(NamedTuple):
    """A chart for the page, which shows `wide.inline` or `narrow.inline`, and for other media."""

    name: str
    title: str
    """A sentence: who says how many of what, and a limit of it."""
    alt: str
    """What the picture shows, in words."""
    wide: Drawing
    """The picture, 720 pixels wide."""
    narrow: Drawing
    """The picture, 360 pixels wide."""

    @property
    def files(self) -> dict[str, bytes]:
        """The SVG files, by their paths in the package."""
        return {
            f"charts/{self.name}.svg": self.wide.file,
            f"charts/{self.name}-narrow.svg": self.narrow.file,
        }


def drawn(name: str, title: str, alt: str, draw: Callable[[Drawing], None]) -> Chart:
    """Return a chart that `draw` draws in both widths."""
    wide, narrow = Drawing(name, WIDE, title, alt), Drawing(name, NARROW, title, alt)
    draw(wide)
    draw(narrow)
    return Chart(name, title, alt, wide, narrow)


def credit(sources: Iterable[Row], data: str) -> str:
    """Return the line that names the articles and the dataset."""
    labels = [source["label"] for source in sources]
    articles = "; ".join(labels)
    if len(labels) > MOST_LISTED:
        articles = counted(len(labels), "article")
    return f"Source: {articles}. Data: {data}; the quoted words are the articles’."


def in_words(count: int) -> str:
    """Return a count as a word up to twelve, and in digits above."""
    if count < len(_NUMBERS):
        return _NUMBERS[count]
    return f"{count:,}"


def counted(count: int, noun: str) -> str:
    """Return a count with its noun, such as `two articles`."""
    return f"{in_words(count)} {counts.noun(count, noun)}"


def capital(words: str) -> str:
    """Return a text that begins with a capital letter."""
    return words[:1].upper() + words[1:]


def quoted(words: str) -> str:
    """Return words of an article in quotation marks; those of the article are inside ours."""
    inner = words.replace("“", "‘").replace("”", "’").strip(" ,")
    return f"“{' '.join(inner.split())}”"


def outlet_of(source: Row) -> str:
    """Return the outlet of an article, or the name of the article if it has none."""
    return outlet_label(source) or str(source["label"])
