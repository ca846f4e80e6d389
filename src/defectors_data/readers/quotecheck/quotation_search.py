"""The search for a quotation: all its pieces in one article and in order, or the most similar."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise
from textwrap import shorten
from typing import NamedTuple

from defectors_data.readers.quotecheck.articles import ArticleText, PublishedRecords, label
from defectors_data.readers.quotecheck.quotation_pieces import (
    ENDS,
    FoldedText,
    Piece,
    Pieces,
    pieces_of,
)
from defectors_data.readers.quotecheck.word_index import Window, WordIndex
from defectors_data.text import similar_words, wording_differences
from defectors_data.text.offsets import Span, cuts_a_word, extent, sentences_around
from defectors_data.text.wording_differences import WORD

_MIN_SIMILARITY = 80.0
"""Minimum similarity, in percent, of a piece to words of an article for `altered`."""
_MIN_WORDS, _MIN_SHARED = 3, 0.6
"""Minimum number of words, and minimum share of them in the article, for `altered`.

They apply at a lower similarity. The words must be in the same order in both.
"""
_MIN_FOUND = 0.5
"""Minimum share of the words of a quotation that must be found in one article for `altered`."""
_CLEAR = 0.85
"""Share of the words of a quotation at which no other article is compared."""
_SURE_WORDS = 5
"""Number of adjacent words that an article does not share with a quotation by chance."""
_NEAR = 600
"""Distance, in code points, within which the pieces of a quotation are searched for."""
_MOST_MATCHES = 20
"""Maximum number of places of the same words that are compared."""
_MOST_REPLACED = 6
"""Maximum number of words of the article that a marked insertion can replace."""
_SHOWN = 120


class QuotationMatch(NamedTuple):
    """Words of an article that match a quotation."""

    article: ArticleText
    spans: tuple[Span, ...]
    """The spans of the pieces that were found, in the order of the quotation."""
    differences: tuple[str, ...]
    """Sentences about what differs; none if the words are right."""
    notes: tuple[str, ...] = ()
    """Sentences about what an editor marked, which is accepted."""
    unknown: tuple[str, ...] = ()
    """What could not be judged, since it is not published."""

    @property
    def words(self) -> Span:
        """The span from the first piece to the last one in the article."""
        end = max(span.end for span in self.spans)
        return Span(min(self.spans).start, end)


class QuotationSearch:
    """A search in articles that are folded once for all quotations."""

    def __init__(self, articles: PublishedRecords) -> None:
        """Index the articles of a package."""
        self.records = articles
        self.articles = articles.articles
        self._folded: dict[int, FoldedText] = {}

    @cached_property
    def index(self) -> WordIndex:
        """The index of the words of the articles."""
        return WordIndex([article.text for article in self.articles])

    def matches(self, quotation: str) -> list[QuotationMatch]:
        """Return the places of a quotation: of its exact words, or of the most similar ones."""
        cut = pieces_of(quotation)
        if cut.insertions:
            # The brackets may be the article's own.
            printed = pieces_of(quotation, insertions=False)
            if exact := list(self._exact(printed)):
                return exact
        if not cut.pieces:
            return []
        exact = sorted(self._exact(cut), key=_faults)
        right = [match for match in exact if not match.differences]
        return right or exact or self._most_similar(cut)

    # ---- exact words -----------------------------------------------------------------------------

    def _exact(self, cut: Pieces) -> Iterator[QuotationMatch]:
        """Yield places with all pieces, in order."""
        found = 0
        for number in self.index.with_all(" ".join(piece.words for piece in cut.pieces)):
            for spans in self._chains(cut.pieces, number):
                yield self._judged(cut, number, spans)
                found += 1
            if found >= _MOST_MATCHES:
                return

    def _chains(self, pieces: Sequence[Piece], number: int) -> list[tuple[Span, ...]]:
        """Return the places of all pieces in one article, each with the next one that follows."""
        places = [self._occurrences(piece, number) for piece in pieces]
        if not all(places):
            return []
        chains = []
        for start in places[0][:_MOST_MATCHES]:
            chain = [start]
            for later in places[1:]:
                following = (span for span in later if span.start >= chain[-1].end)
                chain += [span for span in [next(following, None)] if span]
            if len(chain) == len(pieces):
                chains.append(tuple(chain))
        return chains

    def _occurrences(self, piece: Piece, number: int) -> list[Span]:
        """Return the places of a piece as whole words in an article.

        The style of quotation marks, dashes and spaces and the case of the first letter are
        ignored.
        """
        text = self.articles[number].text
        if number not in self._folded:
            self._folded[number] = FoldedText(text)
        spans = piece.places(self._folded[number])
        return [span for span in spans if not cuts_a_word(text, span)]

    def _judged(self, cut: Pieces, number: int, spans: tuple[Span, ...]) -> QuotationMatch:
        """Return exact words with what is left out between them and what an editor marked."""
        article = self.articles[number]
        differences, notes, unknown = list[str](), list[str](), list[str]()
        inserted = iter(cut.insertions)
        for (before, after), piece in zip(pairwise(spans), cut.pieces[1:], strict=True):
            gap = article.text[before.end : after.start]
            if not self.records.is_whole and "\n\n\n" in gap:
                unknown.append("what the mark of omission leaves out, which is not published")
            elif hidden := wording_differences.hidden_negation(article.text, before, after):
                differences.append(f"What is left out has a negation: {shown(hidden)}.")
            if piece.joint != "insertion":
                continue
            mark, words = next(inserted, "[…]"), WORD.findall(gap)
            own = re.search(r"\[.*\]", gap)
            beside = gap.replace(own[0], "") if own else ""
            if own and own[0] != mark:
                differences.append(f"Yours has “{mark}”, the article “{own[0]}”, in brackets.")
            elif WORD.search(beside):
                differences.append(
                    f"At “{mark}”, words are left out without a mark: {shown(beside)}."
                )
            elif own:
                continue
            elif len(words) > _MOST_REPLACED or "\n" in gap:
                differences.append(f"At “{mark}”, words are left out without a mark: {shown(gap)}.")
            elif words:
                notes.append(f"“{mark}” is in place of {shown(gap)}.")
        differences += self._cut_ends(cut, article, spans)
        differences += self._several_speakers(article, spans)
        for mark in cut.insertions:
            if wording_differences.has_negation(mark):
                differences.append(f"The insertion “{mark}” has a negation.")
        notes += _marks(cut, article, spans)
        return QuotationMatch(
            article, spans, tuple(differences), tuple(notes), tuple(dict.fromkeys(unknown))
        )

    def _cut_ends(self, cut: Pieces, article: ArticleText, spans: Sequence[Span]) -> Iterator[str]:
        """Yield sentences about negations that marks of omission at the ends leave out."""
        text, (first, last) = article.text, (spans[0], spans[-1])
        if cut.omits_start:
            sentence = sentences_around(text, first)
            words = _inside_quotation(text[sentence.start : first.start])[1]
            if wording_differences.has_negation(words):
                yield f"What is left out has a negation: {shown(words)}."
        if cut.omits_end:
            sentence = sentences_around(text, last)
            words = _inside_quotation(text[last.end : sentence.end])[0]
            if wording_differences.has_negation(words):
                yield f"What is left out has a negation: {shown(words)}."

    def _several_speakers(self, article: ArticleText, spans: Sequence[Span]) -> Iterator[str]:
        """Yield a sentence if the pieces are words of different speakers."""
        names = dict[str, str]()
        for span in spans:
            record = article.record_at(span)
            if record and record["record_table"] == "testimonies":
                row = self.records.testimonies[record["record_id"]]
                where = self.records.where(article, "testimonies", record["record_id"])
                names[row["speaker_id"]] = where["speaker"] or ""
        if len(names) > 1:
            yield f"The pieces are of different speakers: {' and '.join(names.values())}."

    # ---- similar words ---------------------------------------------------------------------------

    def _most_similar(self, cut: Pieces) -> list[QuotationMatch]:
        """Return the most similar words of one article, with all differences, or nothing."""
        units = list[tuple[int, Piece]]()
        for i, piece in enumerate(cut.pieces):
            units += [(i, sentence) for sentence in piece.sentences()]
        windows = self.index.most_similar(" ".join(piece.words for piece in cut.pieces))
        best = self._best_article(units, windows)
        if best is None and windows:
            # Without marks between them, swapped sentences show only as runs of words.
            number, region = windows[0]
            units = _runs(units, self.articles[number].text[slice(*region)])
            best = self._best_article(units, windows)
        if best is None:
            return []
        best_number, placed = best
        differences = self._differences(cut, units, placed, best_number)
        found = tuple(span for span in placed if span)
        notes = tuple(_marks(cut, self.articles[best_number], ()))
        return [QuotationMatch(self.articles[best_number], found, tuple(differences), notes)]

    def _best_article(
        self, units: Sequence[tuple[int, Piece]], windows: Sequence[Window]
    ) -> tuple[int, list[Span | None]] | None:
        """Return the article that has the most of some pieces, and their places in it."""
        pieces = [piece for _, piece in units]
        numbers = [window.article for window in windows]
        for piece in sorted(pieces, key=lambda each: -len(each.words))[:_MOST_TRIED]:
            having = self.index.with_all(piece.words)[:_MOST_TRIED]
            numbers += [number for number in having if self._occurrences(piece, number)]
        best: tuple[int, list[Span | None]] | None = None
        best_words = 0.0
        total = sum(map(_length, pieces))
        for number in dict.fromkeys(numbers):
            near = [window.span for window in windows if window.article == number]
            spans = self._placed(pieces, number, near)
            words = self._found_words(pieces, spans, number)
            if words > best_words:
                best, best_words = (number, spans), words
            if best_words >= _CLEAR * total:
                break
        is_enough = best_words >= min(_MIN_FOUND * total, _SURE_WORDS)
        return best if is_enough else None

    def _found_words(
        self, pieces: Sequence[Piece], spans: Sequence[Span | None], number: int
    ) -> float:
        """Return the number of words that were found, each weighted by the similarity."""
        total = 0.0
        for piece, span in zip(pieces, spans, strict=True):
            if span:
                found = self.articles[number].text[slice(*span)]
                total += _length(piece) * _percent(piece.words, found) / 100
        return total

    def _placed(
        self, pieces: Sequence[Piece], number: int, windows: Sequence[Span]
    ) -> list[Span | None]:
        """Return the place of each piece in an article: exact near the longest one, or similar."""
        text = self.articles[number].text
        exact = [self._occurrences(piece, number) for piece in pieces]
        anchored = [i for i, spans in enumerate(exact) if spans]
        longest = max(range(len(pieces)), key=lambda i: len(pieces[i].words))
        anchor: Span | None
        if anchored:
            longest = max(anchored, key=lambda i: len(pieces[i].words))
            in_records = [s for s in exact[longest] if self.articles[number].record_at(s)]
            anchor = [*in_records, *exact[longest]][0]
        else:
            anchor = self._similar(pieces[longest], number, [], windows)
        placed: list[Span | None] = []
        for piece, spans in zip(pieces, exact, strict=True):
            close = _closest(spans, anchor, _length(piece))
            placed.append(close)
        placed[longest] = anchor
        for i, piece in enumerate(pieces):
            if placed[i] is None:
                region = _region(placed, i, anchor, text)
                regions = [region] if region else []
                placed[i] = self._similar(piece, number, regions, windows)
        return placed

    def _similar(
        self, piece: Piece, number: int, near: Sequence[Span], windows: Sequence[Span]
    ) -> Span | None:
        """Return the most similar words near others, or anywhere if they are similar enough."""
        article = self.articles[number]
        for region in near:
            span = _nearest(piece.words, article.text, region)
            if span:
                return self._in_record(span, number)
        for region in windows:
            span = _nearest(piece.words, article.text, region)
            if span and _is_similar(piece.words, article.text[slice(*span)]):
                return self._in_record(span, number)
        return None

    def _in_record(self, span: Span, number: int) -> Span:
        """Return a span or, if the article repeats its words, an occurrence in a record."""
        article = self.articles[number]
        if article.record_at(span) or span.start == span.end:
            return span
        again = self._occurrences(Piece(article.text[slice(*span)], "start"), number)
        return next((each for each in again if article.record_at(each)), span)

    def _differences(
        self,
        cut: Pieces,
        units: Sequence[tuple[int, Piece]],
        spans: Sequence[Span | None],
        number: int,
    ) -> list[str]:
        """Return sentences about how a quotation differs from the most similar words."""
        article = self.articles[number]
        sentences = list(_order(units, spans, article.text))
        is_ordered = not sentences
        for i, piece in enumerate(cut.pieces):
            own = [(unit, span) for (j, unit), span in zip(units, spans, strict=True) if i == j]
            found = [span for _, span in own if span]
            is_whole = len(found) == len(own) and is_ordered
            if is_whole and _gap_words(found, article.text) <= _length(piece):
                own = [(piece, extent(found))]
            elif is_ordered:
                sentences += _left_out(found, article.text)
            for unit, span in own:
                several = len(units) > 1 and len(own) + len(cut.pieces) > _SINGLE
                sentences += self._difference(unit, span, number, named=several)
        if is_ordered and None not in spans and len(cut.pieces) > 1:
            by_piece: list[list[Span]] = [[] for _ in cut.pieces]
            for (i, _), place in zip(units, spans, strict=True):
                if place:
                    by_piece[i].append(place)
            joined = [extent(each) for each in by_piece]
            for before, after in pairwise(joined):
                if hidden := wording_differences.hidden_negation(article.text, before, after):
                    sentences.append(f"What is left out has a negation: {shown(hidden)}.")
        return sentences or [f"The article has {shown(_between(spans, article.text))}."]

    def _difference(
        self, piece: Piece, span: Span | None, number: int, *, named: bool
    ) -> Iterator[str]:
        if span is None:
            yield self._absent(piece, number)
            return
        found = self.articles[number].text[slice(*span)].strip(ENDS)
        if Span(0, len(found)) in piece.places(FoldedText(found)):
            return
        difference = wording_differences.difference(piece.words, found, name="article")
        if difference and named:
            difference = f"In {shown(piece.words)}: {difference}"
        if difference:
            yield difference

    def _absent(self, piece: Piece, number: int) -> str:
        """Return a sentence about words that an article does not have."""
        if _length(piece) >= _MIN_WORDS - 1:
            for other in self.index.with_all(piece.words):
                if other != number and self._occurrences(piece, other):
                    where = label(self.articles[other])
                    return f"{shown(piece.words)} is in another article, {where}."
        return f"The article does not have {shown(piece.words)} there."


_MOST_TRIED = 3
"""Number of the longest sentences, and of articles for each, in which similar words are sought."""
_SINGLE = 2


def _faults(match: QuotationMatch) -> tuple[int, int]:
    """Return the number of differences, and the length of the words with what is between them."""
    return len(match.differences), match.words.end - match.words.start


# ---- words and places ----------------------------------------------------------------------------


def _length(piece: Piece) -> int:
    return len(piece.words.split())


def shown(words: str) -> str:
    """Return words in quotation marks, on one line and shortened."""
    return f"“{shorten(words.strip(), _SHOWN, placeholder=' …')}”"


def _percent(one: str, other: str) -> float:
    from rapidfuzz import fuzz  # noqa: PLC0415  # slow to import

    return fuzz.ratio(wording_differences.fold(one), wording_differences.fold(other))


def _is_similar(words: str, found: str) -> bool:
    """Return whether words are similar enough to say that they were altered."""
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415  # slow to import

    mine, theirs = (wording_differences.fold(each).split() for each in (words, found))
    shared = LCSseq.similarity(mine, theirs)  # words in the same order
    is_shared = shared >= _MIN_SHARED * len(mine) and len(mine) >= _MIN_WORDS
    return is_shared or _percent(words, found) >= _MIN_SIMILARITY


def _nearest(words: str, text: str, region: Span) -> Span | None:
    """Return the words of a region of a text that are most similar to words, or None."""
    if region.end - region.start < len(words) // 2:
        return None
    near = text[slice(*region)]
    passages = similar_words.nearest(words, near.ljust(len(words)))
    if not passages:
        return None
    # Words that the manuscript leaves out may be between two passages.
    together = extent(passages)
    best = max([*passages, together], key=lambda span: _percent(words, near[slice(*span)]))
    found = near[slice(*best)]
    start = region.start + best.start + len(found) - len(found.lstrip(ENDS))
    stripped = found.strip(ENDS)
    return Span(start, start + len(stripped)) if stripped else None


def _closest(spans: Sequence[Span], anchor: Span | None, length: int) -> Span | None:
    """Return the place nearest to another one; short words far from it are left out."""
    if not spans or anchor is None:
        return None
    near = min(spans, key=lambda span: abs(span.start - anchor.start))
    is_far = abs(near.start - anchor.start) > _NEAR
    if is_far and length < _SURE_WORDS:
        return None
    return near


def _region(placed: Sequence[Span | None], i: int, anchor: Span | None, text: str) -> Span | None:
    """Return where a piece is expected: between its neighbours, or near the longest piece."""
    if anchor is None:
        return None
    before = [span.end for span in placed[:i] if span]
    after = [span.start for span in placed[i + 1 :] if span]
    start = before[-1] if before else max(0, anchor.start - _NEAR)
    end = after[0] if after else min(len(text), anchor.end + _NEAR)
    if start >= end:
        start, end = max(0, anchor.start - _NEAR), min(len(text), anchor.end + _NEAR)
    if not before and after:
        start = max(start, sentences_around(text, Span(end - 1, end)).start)
    return Span(start, end)


def _order(
    units: Sequence[tuple[int, Piece]], spans: Sequence[Span | None], text: str
) -> Iterator[str]:
    """Yield a sentence about the first two pieces that are in the other order in the article."""
    found = [(piece, span) for (_, piece), span in zip(units, spans, strict=True) if span]
    for (_, one), (piece, other) in pairwise(found):
        if other.start < one.start:
            first, second = shown(text[slice(*other)]), shown(text[slice(*one)])
            what = "sentences" if piece.joint == "sentence" else "pieces"
            yield f"The {what} are in another order: the article has {first} before {second}."
            return


def _runs(units: Sequence[tuple[int, Piece]], text: str) -> list[tuple[int, Piece]]:
    """Return pieces cut at the ends of the longest runs of words that they share with a text."""
    theirs = [wording_differences.key(word) for word in WORD.findall(text)]
    found = list[tuple[int, Piece]]()
    for i, piece in units:
        hits = list(WORD.finditer(piece.raw))
        mine = [wording_differences.key(hit[0]) for hit in hits]
        blocks = SequenceMatcher(None, mine, theirs, autojunk=False).find_longest_match()
        cuts = {0, len(piece.raw)}
        if blocks.size >= _MIN_WORDS:
            cuts |= {hits[blocks.a].start(), hits[blocks.a + blocks.size - 1].end()}
        parts = [piece.raw[start:end].strip(ENDS) for start, end in pairwise(sorted(cuts))]
        joint = piece.joint
        for part in filter(None, parts):
            found.append((i, Piece(part, joint)))
            joint = "sentence"
    return found


def _gap_words(spans: Sequence[Span], text: str) -> int:
    """Return the number of words between spans."""
    gaps = [text[one.end : other.start] for one, other in pairwise(spans)]
    return sum(len(WORD.findall(gap)) for gap in gaps)


def _left_out(spans: Sequence[Span], text: str) -> Iterator[str]:
    """Yield sentences about words that are left out between sentences without a mark."""
    for one, other in pairwise(spans):
        gap = text[one.end : other.start]
        if WORD.search(gap):
            after = shown(text[slice(*one)])
            yield f"After {after}, words are left out without a mark: {shown(gap)}."


def _between(spans: Sequence[Span | None], text: str) -> str:
    found = sorted(span for span in spans if span)
    end = max(span.end for span in found)
    return text[found[0].start : end]


_MARKS = re.compile('[“”„"«»]')


def _inside_quotation(words: str) -> tuple[str, str]:
    """Return the words up to the first quotation mark, and those after the last one."""
    parts = _MARKS.split(words)
    return parts[0], parts[-1]


def _marks(cut: Pieces, article: ArticleText, spans: Sequence[Span]) -> Iterator[str]:
    """Yield sentences about changes that an editor marked, or that style permits."""
    for word in cut.changed:
        yield f"The first letter of “{word}” is marked as changed."
    for mark in cut.insertions:
        yield f"“{mark}” is a marked insertion."
    for piece, span in zip(cut.pieces, spans, strict=False):
        first = article.text[span.start]
        if not piece.raw.startswith("[") and piece.words[0] != first and first.isalpha():
            yield f"The first letter of “{piece.words.split()[0]}” is “{first}” in the article."
