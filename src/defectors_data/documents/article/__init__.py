"""An article next to its records, as the page shows it: paragraphs of text, each with the records that begin in it.

Offsets are code points. Each word on the page has its offsets as attributes; the script does not count characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from defectors_data.corpus.findings import Finding
from defectors_data.documents import html_templates
from defectors_data.text.offsets import Span, is_inside

_HERE = Path(__file__).parent
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d]+(?:['’][^\W\d]+)*|\w+|[^\w\s]")


class RecordView(NamedTuple):
    """A record, as the page shows it next to the text."""

    kind: str
    id: str
    spans: tuple[Span, ...]
    facts: Mapping[str, str]
    """The values of the record, by field."""
    findings: tuple[Finding, ...] = ()
    filters: Mapping[str, str] = {}
    """The values by which the record can be filtered, by field; several values are separated by spaces."""

    @property
    def anchor(self) -> str:
        """The id of the record's element on the page."""
        return f"record-{self.id}"


class WordPiece(NamedTuple):
    """A word, a punctuation mark, the space between two words, or a part of these, with the records that contain it."""

    start: int
    end: int
    text: str
    word: bool
    records: tuple[RecordView, ...]
    open: bool
    """Whether the piece is not accounted for, or is at the place of a finding in the seed."""

    @property
    def kinds(self) -> str:
        """The CSS classes of the element."""
        marks = sorted({record.kind for record in self.records})
        said = (
            span for record in self.records if record.kind == "testimony" for span in record.spans
        )
        # `begin` separates two testimonies that follow each other directly and would otherwise look like one.
        first = ["begin"] if any(self.start == span.start for span in said) else []
        return " ".join(
            [*(["w"] if self.word else []), *marks, *first, *(["open"] if self.open else [])]
        )


class ParagraphView(NamedTuple):
    """A paragraph, and the records whose evidence begins in it."""

    pieces: list[WordPiece]
    records: list[RecordView]


class ArticleView(NamedTuple):
    """An article, as its template shows it."""

    id: str
    title: str
    rows: list[ParagraphView]
    sha256: str = ""
    """The SHA-256 of the annotation file from which the page was made."""
    targets: Sequence[Span] = ()
    """The spans that are not accounted for or have a finding, in order."""
    left: int = 0
    """The number of quotations and numbers that are not accounted for."""
    findings: Sequence[Finding] = ()
    unread: Sequence[Finding] = ()
    """The findings about what could not be read; if there are any, nothing is counted."""
    not_searched: str = ""
    """A sentence that says that the text was not searched for quotations and numbers, if it was not."""


def paragraphs(
    text: str, records: Sequence[RecordView], open_: Iterable[Span]
) -> list[ParagraphView]:
    """Return the paragraphs of a text, without empty lines; the spans in `open_` are marked as open."""
    unaccounted = [*open_]
    evidence = [(span, record) for record in records for span in record.spans]
    # Pieces end wherever evidence or a word begins or ends, so that each is either inside a record or outside.
    cuts = {at for span in [*unaccounted, *(span for span, _ in evidence)] for at in span}
    cuts |= {at for word in _WORD.finditer(text) for at in word.span()}
    found = []
    for line in re.finditer(r"[^\n]+", text):
        around = [
            pair for pair in evidence if pair[0].start < line.end() and line.start() < pair[0].end
        ]
        left = [span for span in unaccounted if span.start < line.end() and line.start() < span.end]
        bounds = [
            line.start(),
            *sorted(at for at in cuts if line.start() < at < line.end()),
            line.end(),
        ]
        pieces = [
            WordPiece(
                start,
                end,
                text[start:end],
                not text[start:end].isspace(),
                tuple(record for span, record in around if is_inside(Span(start, end), [span])),
                is_inside(Span(start, end), left),
            )
            for start, end in pairwise(bounds)
        ]
        begun = [
            each
            for each in records
            if each.spans and line.start() <= each.spans[0].start < line.end()
        ]
        found.append(ParagraphView(pieces, sorted(begun, key=lambda record: record.spans[0])))
    return found


def rendered(template: str, values: Mapping[str, object]) -> str:
    """Return a page rendered from a template in this folder."""
    return html_templates.environment(_HERE).get_template(template).render(values)


def asset(name: str) -> str:
    """Return the text of a file in this folder, such as the script or the stylesheet of the page."""
    return (_HERE / name).read_text(encoding="utf-8")
