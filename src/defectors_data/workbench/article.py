"""An article next to its records, as the page shows it: pieces of text by paragraph, with the records that begin there.

Offsets are code points, and each word of the page carries its own, so that the script counts no characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from defectors_data.corpus.findings import Finding
from defectors_data.rows.labels import visible
from defectors_data.text.offsets import Span

_HERE = Path(__file__).parent
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d]+(?:['’][^\W\d]+)*|\w+|[^\w\s]")


class Record(NamedTuple):
    """A record next to the text."""

    kind: str
    id: str
    spans: tuple[Span, ...]
    facts: Mapping[str, str]
    """What the record says, by field."""
    findings: tuple[Finding, ...] = ()
    filters: Mapping[str, str] = {}
    """The values by which it can be filtered; several are separated by spaces."""

    @property
    def anchor(self) -> str:
        """The id of its element on the page."""
        return f"record-{self.id}"


class Piece(NamedTuple):
    """A part of a word, or the characters between words, with the records that contain it."""

    start: int
    end: int
    text: str
    word: bool
    records: tuple[Record, ...]
    open: bool
    """Whether nothing accounts for it."""

    @property
    def kinds(self) -> str:
        """The classes of the element."""
        marks = sorted({record.kind for record in self.records})
        said = (span for record in self.records if record.kind == "testimony" for span in record.spans)
        first = ["begin"] if any(self.start == span.start for span in said) else []
        return " ".join([*(["w"] if self.word else []), *marks, *first, *(["open"] if self.open else [])])


class Paragraph(NamedTuple):
    """A paragraph, and the records whose evidence begins in it."""

    pieces: list[Piece]
    records: list[Record]


class Article(NamedTuple):
    """An article as its template shows it."""

    id: str
    title: str
    rows: list[Paragraph]
    sha256: str = ""
    """The checksum of the annotations that it was made from."""
    targets: Sequence[Span] = ()
    """What is unaccounted for or has a finding, in order."""
    left: int = 0
    """The number of quotations and numbers that nothing accounts for."""
    findings: Sequence[Finding] = ()


def paragraphs(text: str, records: Sequence[Record], open_: Iterable[Span]) -> list[Paragraph]:
    """Return the paragraphs of a text that have words."""
    unaccounted = [*open_]
    evidence = [(span, record) for record in records for span in record.spans]
    # Pieces end at every edge of evidence and of a word, so that each is wholly inside a record or outside.
    cuts = {at for span in [*unaccounted, *(span for span, _ in evidence)] for at in span}
    cuts |= {at for word in _WORD.finditer(text) for at in word.span()}
    found = []
    for line in re.finditer(r"[^\n]+", text):
        around = [pair for pair in evidence if pair[0].start < line.end() and line.start() < pair[0].end]
        left = [span for span in unaccounted if span.start < line.end() and line.start() < span.end]
        bounds = [line.start(), *sorted(at for at in cuts if line.start() < at < line.end()), line.end()]
        pieces = [
            Piece(
                start,
                end,
                text[start:end],
                not text[start:end].isspace(),
                tuple(record for span, record in around if span.start <= start and end <= span.end),
                any(span.start <= start and end <= span.end for span in left),
            )
            for start, end in pairwise(bounds)
        ]
        begun = [each for each in records if each.spans and line.start() <= each.spans[0].start < line.end()]
        found.append(Paragraph(pieces, sorted(begun, key=lambda record: record.spans[0])))
    return found


@cache
def environment() -> Environment:
    """Return an environment that escapes all data, and makes characters that change the direction of text visible."""
    return Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _shown(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def asset(name: str) -> str:
    """Return the script or the style sheet of the page."""
    return (_HERE / name).read_text(encoding="utf-8")
