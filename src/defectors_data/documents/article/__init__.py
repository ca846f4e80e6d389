"""An article next to its records, as the page shows it.

The article is shown as paragraphs, each with the records that begin in it. Offsets are code points.
Each word on the page has its offsets as attributes; the script does not count characters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, pairwise, starmap
from pathlib import Path
from typing import NamedTuple

from defectors_data.corpus.findings import Finding, Totals
from defectors_data.documents import html_templates
from defectors_data.text.offsets import Span, is_inside, overlaps, sentence_ends

_HERE = Path(__file__).parent
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d]+(?:['’][^\W\d]+)*|\w+|[^\w\s]")


class CodeKey(NamedTuple):
    """A term or a speaker that a key sets."""

    field: str
    term: str
    """The term, or the name of the speaker."""
    definition: str
    """The definition of the term, or the role of the speaker."""
    is_set: bool
    """Whether the record has the term."""
    value: str
    """The value of the field after the key was pressed."""
    stays: bool = False
    """Whether the record is still a draft after the key was pressed, since it lacks another code."""


class RecordView(NamedTuple):
    """A record, as the page shows it next to the text."""

    kind: str
    id: str
    spans: tuple[Span, ...]
    facts: Mapping[str, str]
    """The values of the record, by field."""
    findings: tuple[Finding, ...] = ()
    filters: Mapping[str, str] = {}
    """The values by which the record can be filtered, by field, separated by spaces."""
    first: Span | None = None
    """The words next to which a record without evidence is shown; None for the beginning."""
    draft: bool = False
    """Whether a person has yet to accept the record."""
    number: str = ""
    """The id without that of the source."""
    code_keys: Sequence[CodeKey] = ()
    words: str = ""
    """The words of a draft, which its card repeats."""
    undecided: Sequence[str] = ()
    """What is left to choose or to correct in a draft, in words."""
    fields: Sequence[str] = ()
    """The field at which each finding is, or "" if it is about the record."""
    introduces: bool = False
    """Whether the attribution of a testimony without a speaker has words that can introduce one."""

    @property
    def ready(self) -> bool:
        """Whether the record is a draft that can be accepted with others."""
        return self.draft and not self.undecided

    @property
    def begin(self) -> Span | None:
        """The first words of the record, or those next to which it is shown."""
        return self.spans[0] if self.spans else self.first

    @property
    def anchor(self) -> str:
        """The id of the record's element on the page."""
        return f"record-{self.id}"


class WordPiece(NamedTuple):
    """A word, a punctuation mark, the space between two words, or a part of these."""

    start: int
    end: int
    text: str
    word: bool
    records: tuple[RecordView, ...]
    """The records that contain the piece."""
    open: bool
    """Whether the piece is not accounted for, or is at the place of a finding in the seed."""
    stop: bool
    """Whether a sentence ends with the piece."""
    possible: bool = False
    """Whether the piece is in words that may be a statement, without a record of it."""

    @property
    def kinds(self) -> str:
        """The CSS classes of the element."""
        classes = []
        if self.word:
            classes.append("w")
        classes += sorted({record.kind for record in self.records})
        if self._begins_testimony():
            classes.append("begin")
        if self.open:
            classes.append("open")
        if self.stop:
            classes.append("stop")
        if self.possible:
            classes.append("possible")
        return " ".join(classes)

    def _begins_testimony(self) -> bool:
        """Return whether a part of a testimony begins here.

        Two testimonies that follow each other directly would otherwise look like one.
        """
        starts = set[int]()
        for record in self.records:
            if record.kind == "testimony":
                starts.update(span.start for span in record.spans)
        return self.start in starts


class ParagraphView(NamedTuple):
    """A paragraph, and the records whose evidence begins in it."""

    pieces: list[WordPiece]
    records: list[RecordView]


class ArticleProgress(NamedTuple):
    """How far the annotations of an article are."""

    stem: str
    is_begun: bool
    """Whether the article has an annotation file."""
    found: Totals
    """The numbers of drafts and of other findings."""
    is_read: bool
    """Whether a reading is recorded."""

    @property
    def state(self) -> str:
        """The state in words, by which the list of articles can be filtered."""
        if not self.is_begun:
            return "not begun"
        if not any(self.found):
            return "finished" if self.is_read else "no reading recorded"
        return str(self.found)


class ArticleView(NamedTuple):
    """An article, as its template shows it."""

    id: str
    title: str
    rows: list[ParagraphView]
    sha256: str = ""
    """The SHA-256 of the annotation file from which the page was made."""
    targets: Sequence[Span] = ()
    """The spans that are not accounted for or have a finding, in order."""
    possible: Sequence[Span] = ()
    """The spans of words that may be a statement, without a record of it."""
    left: int = 0
    """The number of quotations and numbers that are not accounted for."""
    findings: Sequence[Finding] = ()
    unread: Sequence[Finding] = ()
    """The findings about what could not be read; if there are any, nothing is counted."""
    not_searched: str = ""
    """A sentence that says that the text was not searched for quotations and numbers."""
    progress: Sequence[ArticleProgress] = ()
    """All articles of the corpus."""
    reading: str = ""
    """The name of the blind reading that is edited; "" if it is the annotations."""
    source: str = ""
    """The id of the source."""
    found: Totals = Totals(0, 0)
    """The numbers of drafts and of other findings in the files of the article."""
    is_read: bool = True
    """Whether a reading is recorded."""
    places: Sequence[str] = ()
    """The place of each finding, as the page shows it."""
    elsewhere: Totals = Totals(0, 0)
    """The same in other files."""

    @property
    def finished(self) -> int:
        """The number of articles with a reading and without drafts and findings."""
        return sum(each.state == "finished" for each in self.progress)


def paragraphs(
    text: str,
    records: Sequence[RecordView],
    open_: Iterable[Span],
    possible: Sequence[Span] = (),
) -> list[ParagraphView]:
    """Return the paragraphs of a text, without empty lines.

    The spans in `open_` are marked as open, those in `possible` as possible statements.
    """
    unaccounted = list(open_)
    evidence = list[tuple[Span, RecordView]]()
    for record in records:
        evidence += [(span, record) for span in record.spans]
    # Each piece is either inside a record or outside, since it ends where evidence or a word does.
    cuts = set(chain.from_iterable([*unaccounted, *possible]))
    cuts.update(*(span for span, _ in evidence))
    cuts.update(*(word.span() for word in _WORD.finditer(text)))
    stops = {mark.end for mark in sentence_ends(text)}
    found = list[ParagraphView]()
    for line in re.finditer(r"[^\n]+", text):
        place = Span(*line.span())
        around = [each for each in evidence if overlaps(each[0], [place])]
        left = [span for span in unaccounted if overlaps(span, [place])]
        inner = sorted(at for at in cuts if place.start < at < place.end)
        places = starmap(Span, pairwise([place.start, *inner, place.end]))
        pieces = [_piece(text, each, around, left, stops) for each in places]
        pieces = [each._replace(possible=is_inside(each, possible)) for each in pieces]
        begun = [record for record in records if _begins_in(place, record)]
        # Records without words come first; the sort keeps the order of equal places.
        unplaced = [] if found else [record for record in records if record.begin is None]
        begun.sort(key=lambda record: record.begin or Span(0, 0))
        found.append(ParagraphView(pieces, [*unplaced, *begun]))
    return found


def _piece(
    text: str,
    place: Span,
    evidence: Iterable[tuple[Span, RecordView]],
    open_: Iterable[Span],
    stops: Collection[int],
) -> WordPiece:
    """Return a piece of a paragraph, given its evidence, open spans, and ends of sentences."""
    words = text[place.start : place.end]
    records = tuple(record for span, record in evidence if is_inside(place, [span]))
    is_open = is_inside(place, open_)
    is_stop = place.end in stops
    return WordPiece(place.start, place.end, words, not words.isspace(), records, is_open, is_stop)


def _begins_in(place: Span, record: RecordView) -> bool:
    """Return whether the evidence of a record begins in a paragraph."""
    return record.begin is not None and place.start <= record.begin.start < place.end


def rendered(template: str, values: Mapping[str, object]) -> str:
    """Return a page rendered from a template in this folder."""
    return html_templates.environment(_HERE).get_template(template).render(values)


def asset(name: str) -> str:
    """Return the text of a file in this folder, such as the script or the stylesheet."""
    return (_HERE / name).read_text(encoding="utf-8")
