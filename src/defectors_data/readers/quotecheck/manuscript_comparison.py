"""The comparison of each quotation and number in a manuscript with the articles of a package."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from defectors_data.package.tables_reader import Row
from defectors_data.readers.quotecheck.articles import (
    ArticleText,
    PublishedRecords,
    label,
    published,
)
from defectors_data.readers.quotecheck.manuscript_reader import read
from defectors_data.readers.quotecheck.report import CheckedQuote, ManuscriptReport, Verdict
from defectors_data.rows.labels import hedged_number
from defectors_data.text import similar_words, wording_differences
from defectors_data.text.attributions import AttributedWords
from defectors_data.text.detection import Detection, detect
from defectors_data.text.occurrences import slug
from defectors_data.text.offsets import Span, cuts_a_word, line_and_column
from defectors_data.text.quantities import Quantity


def check(package: Path, manuscript: Path, *, seeds: Path | None = None) -> ManuscriptReport:
    """Compare each quotation and number in a manuscript with the articles of a package.

    Raises:
        given_files.GivenFileError: the manuscript cannot be read.
        exported_records.ExportError: a copy of an article is missing, or differs from the article
            that was annotated.
        published_folder.PackageNotFoundError: the folder is not a package, or is damaged.
        OSError: a file could not be read.
    """
    text = read(manuscript)
    articles = published(package, seeds)
    return ManuscriptReport(list(_checked(text, articles)), articles.is_whole)


def _checked(text: str, articles: PublishedRecords) -> Iterator[CheckedQuote]:
    reached, attributed = 0, AttributedWords(text)
    for found in detect(text, articles.units):
        if found.end <= reached:
            continue  # inside a quotation
        line, _ = line_and_column(text, found.start)
        words = text[found.start : found.end]
        if found.kind == "quotation":
            reached = found.end
            name = _named_speaker(text, attributed, found)
            yield _with_speaker(_quotation(line, words, articles), name, articles)
        elif found.quantity:
            context = _stems(_sentence(text, found), articles.units)
            yield _number(line, words, found.quantity, context, articles)


# ---- quotations ----------------------------------------------------------------------------------

_EDITED = re.compile(r"\[(\w{1,2})\](?=\w)")
"""One or two letters that an editor changed and put in brackets, as in `[W]e`."""
_ENDS = " \t\n.,;:!?–—-\"'“”‘’«»"
"""Characters that are ignored at both ends of a piece of a quotation."""
_MIN_SIMILARITY = 80.0
"""Minimum similarity, in percent, of a quotation to words of an article for `altered`."""
_MIN_WORDS, _MIN_SHARED = 3, 0.6
"""Minimum number of words, and minimum share of them in the article, for `altered`.

They apply at a lower similarity. The words must be in the same order in both.
"""


_RANKS: tuple[Verdict, ...] = ("verbatim", "altered", "not_found")
"""Verdicts on quotations, from the best to the worst."""


class _ArticleMatch(NamedTuple):
    rank: int
    """The index of the verdict in `_RANKS`."""
    article: ArticleText | None = None
    span: Span = Span(0, 0)
    difference: str = ""


def _quotation(line: int, words: str, articles: PublishedRecords) -> CheckedQuote:
    stripped = [each.strip(_ENDS) for each in wording_differences.OMISSION.split(_plain(words))]
    pieces = [piece for piece in stripped if piece]
    matches = [_best(piece, articles) for piece in pieces or [words]]
    # A quotation is only as exact as its least exact piece.
    worst = max(matches, key=lambda match: match.rank)
    verdict = _RANKS[worst.rank]
    if not worst.article:
        return CheckedQuote(line, "quotation", words, verdict)
    record = worst.article.record_at(worst.span)
    figures: list[str] = []
    for match in matches:
        if match.article:
            figures += match.article.figures_at(match.span)
    differences = [match.difference for match in matches if match.difference]
    return CheckedQuote(
        line,
        "quotation",
        words,
        verdict,
        difference=" ".join(differences),
        found=worst.article.text[slice(*worst.span)],
        discrepancies=articles.discrepancies(figures),
        **_where(articles, worst.article, record),
    )


def _where(
    articles: PublishedRecords, article: ArticleText, record: Row | None
) -> dict[str, str | None]:
    if record is None:
        return {"article": label(article)}
    return articles.where(article, record["record_table"], record["record_id"])


def _plain(words: str) -> str:
    """Return a quotation without invisible characters and brackets around changed letters."""
    visible = wording_differences.UNSEEN.sub("", unicodedata.normalize("NFC", words))
    return _EDITED.sub(r"\1", visible)


def _best(piece: str, articles: PublishedRecords) -> _ArticleMatch:
    """Return the best match of a piece: verbatim, preferably in a record, or the most similar."""
    exact = None
    for article in articles.articles:
        for span in _occurrences(piece, article.text):
            match = _ArticleMatch(0, article, span)
            if article.record_at(span):
                return match
            if exact is None:
                exact = match
    if exact:
        return exact
    likely = max(
        articles.articles,
        key=lambda article: similar_words.likeness(piece, article.text),
        default=None,
    )
    similar = _similar(piece, likely) if likely else None
    return similar or _ArticleMatch(2)


def _occurrences(piece: str, text: str) -> Iterator[Span]:
    """Yield the occurrences of a piece of a quotation in a text.

    The style of quotation marks, dashes and spaces and the case of the first letter are ignored.
    """
    first, *others = piece.translate(wording_differences.FOLDS).split()
    words = [f"(?i:{re.escape(first[0])}){re.escape(first[1:])}", *map(re.escape, others)]
    # A quotation may continue in the next paragraph.
    for found in re.finditer(
        r"(?:[^\S\n]+|\n{1,2})".join(words), text.translate(wording_differences.FOLDS)
    ):
        if not cuts_a_word(text, span := Span(*found.span())):
            yield span


def _similar(piece: str, article: ArticleText) -> _ArticleMatch | None:
    """Return the most similar words of an article, or None if they are too different."""
    from rapidfuzz import fuzz  # noqa: PLC0415  # slow to import
    from rapidfuzz.distance import LCSseq  # noqa: PLC0415  # slow to import

    folded_piece = wording_differences.fold(piece)

    def likeness(span: Span) -> float:
        return fuzz.ratio(folded_piece, wording_differences.fold(article.text[slice(*span)]))

    passages = similar_words.nearest(piece, article.text)
    if not passages:
        return None
    # Words that the manuscript leaves out may be between two passages.
    together = Span(passages[0].start, passages[-1].end)
    span = max([*passages, together], key=likeness)
    found = article.text[slice(*span)].strip(_ENDS)
    folded_found = wording_differences.fold(found)
    percent = fuzz.ratio(folded_piece, folded_found)
    mine, theirs = folded_piece.split(), folded_found.split()
    shared = LCSseq.similarity(mine, theirs)  # words in the same order
    enough = shared >= _MIN_SHARED * len(mine) and len(mine) >= _MIN_WORDS
    if percent < _MIN_SIMILARITY and not enough:
        return None
    # If the article repeats the words, an occurrence in a record is preferred.
    in_record = (each for each in _occurrences(found, article.text) if article.record_at(each))
    difference = wording_differences.difference(piece, found, name="article")
    return _ArticleMatch(1, article, next(in_record, span), difference)


# ---- speakers ------------------------------------------------------------------------------------


def _named_speaker(text: str, attributed: AttributedWords, quotation: Detection) -> str:
    """Return the name of the person to whom a manuscript attributes a quotation, or ""."""
    found = attributed.attribution_of(quotation)
    if found is None or found.source is None or found.source.kind != "name":
        return ""
    return text[slice(*found.source.head)]


def _with_speaker(item: CheckedQuote, name: str, articles: PublishedRecords) -> CheckedQuote:
    """Return a result as `altered` if its record is of another speaker than the one named."""
    speaker = articles.speaker_of(item.record)
    if not name or speaker is None:
        return item
    if _words_of(name) & _words_of(speaker["name"] or ""):
        return item
    message = f"The speaker differs: the manuscript has “{name}”, the record “{item.speaker}”."
    difference = f"{item.difference} {message}".strip()
    return item._replace(verdict="altered", difference=difference)


def _words_of(name: str) -> set[str]:
    """Return the words of a name without accents, case and particles such as `de`."""
    return {word for word in slug(name).split("-") if len(word) >= _SHORTEST_NAME}


_SHORTEST_NAME = 3


# ---- numbers -------------------------------------------------------------------------------------

_WORD = re.compile(r"[^\W\d_]{3,}")
_STEM = 5
"""Number of initial letters by which words are compared, so that plurals and tenses match."""
_FUNCTION_WORDS = frozenset(
    "about after again against all almost also among and any are around because been before being "
    "between both but can could day days did does during each even ever every for from had has "
    "have her here him his how into its just least like many month months more most much must "
    "nearly never not only other our out over per roughly said same says she should since some "
    "such than that the their them then there these they this those through today told too under "
    "until upon very was week weeks were what when where which while who whose why will with "
    "within without would year years you".split()
)
"""Words that do not show what is counted."""


def _sentence(text: str, found: Detection) -> str:
    """Return the sentence that contains a number."""
    start, end = -1, len(text)
    for mark in ("\n", ". ", "! ", "? "):
        start = max(start, text.rfind(mark, 0, found.start))
        at = text.find(mark, found.end)
        if at >= 0:
            end = min(end, at)
    return text[start + 1 : end]


def _number(
    line: int, words: str, said: Quantity, context: set[str], articles: PublishedRecords
) -> CheckedQuote:
    """Compare a number with the figure that it most likely states.

    Figures that have a number in common with it and share a word with its sentence are preferred to
    others; among them, one that agrees with it is preferred, and then the one that shares the most
    words.
    """
    same, others = list[tuple[bool, int, Row]](), list[tuple[bool, int, Row]]()
    for row in articles.figures.values():
        if said.unit not in (None, row["unit"]):
            continue
        described = f"{row['counted']}. {row['text']}. {articles.labels[row['measure']]}"
        shared, figure = len(context & _stems(described, articles.units)), _quantity(row)
        candidate = (said.agrees(figure), shared, row)
        if shared and _numbers(said) & _numbers(figure):
            same.append(candidate)
        if shared >= _ENOUGH_WORDS[said.unit is not None]:
            others.append(candidate)
    candidates = same or others
    if not candidates:
        return CheckedQuote(line, "number", words, "not_found")
    _, _, row = max(candidates, key=lambda candidate: candidate[:2])
    return _figure(line, words, said, row, articles)


_ENOUGH_WORDS = (3, 2)
"""Minimum number of words shared with a figure of another number, without and with a unit."""


def _figure(
    line: int, words: str, said: Quantity, row: Row, articles: PublishedRecords
) -> CheckedQuote:
    verdict: Verdict = "same_number"
    difference = ""
    if not said.agrees(_quantity(row)):
        verdict = "altered"
        stated = hedged_number(row)
        difference = f"The number or the hedge differs: the article has “{stated}”."
    article = next(each for each in articles.articles if each.row["source_id"] == row["source_id"])
    return CheckedQuote(
        line,
        "number",
        words,
        verdict,
        difference=difference,
        found=row["text"],
        discrepancies=articles.discrepancies([row["figure_id"]]),
        **articles.where(article, "figures", row["figure_id"]),
    )


def _quantity(row: Row) -> Quantity:
    return Quantity(row["value"], row["low"], row["high"], row["hedge"], row["unit"])


def _numbers(said: Quantity) -> set[float]:
    return {number for number in (said.value, said.low, said.high) if number is not None}


def _stems(text: str, units: Mapping[str, str]) -> set[str]:
    """Return the first letters (see `_STEM`) of the words that may show what is counted."""
    # Numbers are removed from last to first, so that the offsets of the others remain valid.
    for found in reversed(detect(text, units)):
        if found.kind != "quotation":
            text = f"{text[: found.start]} {text[found.end :]}"
    words = _WORD.findall(wording_differences.fold(text))
    return {word[:_STEM] for word in words if word not in _FUNCTION_WORDS}
