"""The comparison of each quotation and number in a manuscript with the articles of a package."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from defectors_data.package.tables_reader import Row
from defectors_data.readers.quotecheck.articles import (
    ArticleText,
    PublishedRecords,
    label,
    published,
)
from defectors_data.readers.quotecheck.attribution_comparison import (
    ArticleNames,
    Compared,
    NamedSource,
    attribution,
    given_as_speech,
    mention_of_age,
    number_speaker,
    speaker,
    testimony_of,
)
from defectors_data.readers.quotecheck.figure_comparison import (
    FigureMatch,
    FigureSearch,
    NumberSearch,
)
from defectors_data.readers.quotecheck.manuscript_reader import read
from defectors_data.readers.quotecheck.omission_comparison import left_out
from defectors_data.readers.quotecheck.quotation_search import QuotationMatch, QuotationSearch
from defectors_data.readers.quotecheck.report import (
    Aspect,
    CheckedQuote,
    Judgement,
    ManuscriptReport,
    Verdict,
)
from defectors_data.rows.cell_provenance import override_of
from defectors_data.text.attributions import AttributedWords, attributions
from defectors_data.text.detection import Detection, detect, quotations
from defectors_data.text.offsets import line_and_column


def check(package: Path, manuscript: Path, *, seeds: Path | None = None) -> ManuscriptReport:
    """Compare each quotation and number in a manuscript with the articles of a package.

    Raises:
        given_files.GivenFileError: the manuscript cannot be read.
        article_copies.ExportError: a copy of an article is missing, or differs from the article
            that was annotated.
        published_folder.PackageNotFoundError: the folder is not a package, or is damaged.
        OSError: a file could not be read.
    """
    text = read(manuscript)
    articles = published(package, seeds)
    checked = list(_ManuscriptComparison(text, articles).checked())
    return ManuscriptReport(checked, articles.is_whole, articles.is_compared)


def _joined_lines(text: str) -> str:
    """Return a text in which a quotation that is broken into lines is on one line.

    The length stays the same.
    """
    found = list(quotations(text))
    continued = {each.start for each in found if each.unopened}
    characters = list(text)
    for each in found:
        end = text.find("\n", each.end)
        if not each.unclosed or end < 0 or text[each.end : end].strip():
            continue
        last = text.find("\n", end + 1)
        if last < 0:
            last = len(text)
        following = range(end + 1, last)
        if any(start in following for start in continued):
            characters[end] = " "
    return "".join(characters)


class _ManuscriptComparison:
    """The comparison of a manuscript with articles."""

    def __init__(self, text: str, articles: PublishedRecords) -> None:
        self.lines = text
        self.text = _joined_lines(text)
        self.articles = articles
        self.attributed = AttributedWords(self.text, attributions(self.text))
        self.names = ArticleNames(articles.articles)
        self.search = QuotationSearch(articles)
        self.figures = FigureSearch(articles)
        self.numbers = NumberSearch(articles, self.search.index)
        self.by_source = {each.row["source_id"]: each for each in articles.articles}

    def checked(self) -> Iterator[CheckedQuote]:
        reached = 0
        for found in detect(self.text, self.articles.units):
            if found.end <= reached:
                continue  # inside a quotation
            if found.kind == "quotation":
                reached = found.end
                yield self._quotation(found)
            elif found.quantity:
                yield self._number(found)

    def _words(self, found: Detection) -> tuple[int, str]:
        """Return the line and the words of a quotation or number."""
        line, _ = line_and_column(self.lines, found.start)
        return line, self.text[found.start : found.end]

    # ---- quotations ------------------------------------------------------------------------------

    def _quotation(self, found: Detection) -> CheckedQuote:
        line, words = self._words(found)
        said = attribution(self.text, self.attributed, found)
        matches = self.search.matches(words)
        judged = [self._judged(line, words, said, self._whole(found, match)) for match in matches]
        if not judged:
            return CheckedQuote(line, "quotation", words, "not_found")
        # The same words may be in several places: of those in testimonies, and those that the
        # article attributes to the same speaker, the one where least is wrong is meant.
        meant = [item for item in judged if _has_speaker(item)] or judged
        return min(meant, key=_faults)

    def _whole(self, found: Detection, match: QuotationMatch) -> QuotationMatch:
        """Return a match also with what exact words leave out at their ends."""
        if match.differences:
            return match
        place = found.span
        left = left_out(match.article.text, match.spans, self.text, place)
        return match._replace(differences=tuple(left))

    def _judged(
        self, line: int, words: str, said: NamedSource, match: QuotationMatch
    ) -> CheckedQuote:
        span, article = match.words, match.article
        records = [article.record_at(each) for each in match.spans]
        record = next(filter(None, records), None)
        spoken = max(match.spans, key=lambda each: each.end - each.start)
        testimony = testimony_of(record, self.articles)
        text = article.text[slice(*span)]
        spoken_by = speaker(said, article, spoken, record, self.articles)
        named = self.names.compare(said, article, testimony)
        narrated = given_as_speech(said, article, spoken, record, self.articles)
        of_words: Judgement = "wrong" if match.differences or narrated else "right"
        judgements: dict[Aspect, Judgement] = {"words": of_words}
        pieces = " ".join(article.text[slice(*each)] for each in match.spans)
        if own := self._numbers(words):
            is_same = own == self._numbers(pieces) or not match.differences
            judgements["number"] = "right" if is_same else "wrong"
        judgements |= {"speaker": spoken_by.judgement, "article": named.judgement}
        differences = [*match.differences, narrated, spoken_by.difference, named.difference]
        figures: list[str] = []
        for each in match.spans:
            figures += article.figures_at(each)
        verdict: Verdict = "altered" if "wrong" in judgements.values() else "verbatim"
        return CheckedQuote(
            line,
            "quotation",
            words,
            verdict,
            difference=" ".join(filter(None, differences)),
            found=text,
            discrepancies=self.articles.discrepancies(list(dict.fromkeys(figures))),
            judgements=judgements,
            notes=match.notes,
            unknown=match.unknown,
            **self._where(article, record),
        )

    def _numbers(self, words: str) -> Counter[tuple[float | None, ...]]:
        found = [each.quantity for each in detect(words, self.articles.units)]
        return Counter(each[:3] for each in found if each)

    def _where(self, article: ArticleText, record: Row | None) -> dict[str, Any]:
        if record is None:
            return {"article": label(article)}
        return self.articles.where(article, record["record_table"], record["record_id"])

    # ---- numbers ---------------------------------------------------------------------------------

    def _number(self, found: Detection) -> CheckedQuote:
        line, words = self._words(found)
        said = attribution(self.text, self.attributed, found)
        printed = self.numbers.printed(self.text, found)
        if printed and printed.figure:
            agrees = printed.may_be_denied or printed.figure["polarity"] == "affirmed"
            return self._figure(line, words, said, FigureMatch(printed.figure, agrees))
        if printed:
            return self._same(line, words, said, printed.article, printed.sentence)
        aged = mention_of_age(self.text, found, self.articles)
        if aged:
            article = self.by_source[aged["source_id"]]
            item = self._same(line, words, said, article, aged["text"])
            return item._replace(record=f"mentions/{aged['mention_id']}")
        matches = self.figures.likely(self.text, found)
        if not matches:
            return CheckedQuote(line, "number", words, "not_found")
        # Several articles may print the number: the one where least is wrong is meant.
        return min([self._figure(line, words, said, each) for each in matches], key=_faults)

    def _same(
        self, line: int, words: str, said: NamedSource, article: ArticleText, found: str
    ) -> CheckedQuote:
        """Return a number that an article prints and that is no figure."""
        named = self.names.compare(said, article, None)
        judgements: dict[Aspect, Judgement] = {
            "number": "right",
            "speaker": "not judged",
            "article": named.judgement,
        }
        verdict: Verdict = "altered" if named.judgement == "wrong" else "same_number"
        return CheckedQuote(
            line,
            "number",
            words,
            verdict,
            difference=named.difference,
            found=found,
            judgements=judgements,
            unknown=_UNREAD,
            article=label(article),
        )

    def _figure(self, line: int, words: str, said: NamedSource, match: FigureMatch) -> CheckedQuote:
        row, articles = match.figure, self.articles
        article = self.by_source[row["source_id"]]
        testimony = articles.testimonies.get(row["testimony_id"] or "")
        number = Compared("right")
        if not match.agrees:
            message = f"The number or the hedge differs: the article has “{row['text']}”."
            if row["polarity"] != "affirmed":
                message = f"The article has “{row['text']}”, which is {row['polarity']}."
            number = Compared("wrong", message)
        compared: dict[Aspect, Compared] = {
            "number": number,
            "speaker": number_speaker(said, row, articles),
            "article": self.names.compare(said, article, testimony),
        }
        judgements = {aspect: each.judgement for aspect, each in compared.items()}
        verdict: Verdict = "altered" if "wrong" in judgements.values() else "same_number"
        differences = [each.difference for each in compared.values() if each.difference]
        return CheckedQuote(
            line,
            "number",
            words,
            verdict,
            difference=" ".join(differences),
            found=row["text"],
            discrepancies=articles.discrepancies([row["figure_id"]]),
            judgements=judgements,
            notes=_recorded(row),
            unknown=_UNREAD,
            **articles.where(article, "figures", row["figure_id"]),
        )


_UNREAD = ("what is counted", "when", "where")
"""What is never compared of a number: it is found by a few words."""


def _recorded(figure: Row) -> tuple[str, ...]:
    """Return a sentence on the number of a figure with an `override`."""
    override = override_of(figure["note"])
    if override is None:
        return ()
    numbers = [f"{figure[key]:.12g}" for key in ("low", "value", "high") if figure[key] is not None]
    number = " to ".join(dict.fromkeys(numbers))
    said = f"{number} ({figure['hedge'].replace('_', ' ')})"
    return (f"The record has {said}; the program reads the words otherwise: {override}",)


def _has_speaker(item: CheckedQuote) -> bool:
    is_testimony = (item.record or "").startswith("testimonies/")
    return is_testimony or item.judgements["speaker"] == "right"


def _faults(item: CheckedQuote) -> tuple[int, int]:
    """Return how many aspects are wrong, and how many are right, negated."""
    judged = list(item.judgements.values())
    return judged.count("wrong"), -judged.count("right")
