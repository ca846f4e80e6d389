"""The results of comparing a manuscript with the articles, and the report on them as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, TypeAlias, get_args

Judgement: TypeAlias = Literal["right", "wrong", "not judged"]
Aspect: TypeAlias = Literal["words", "number", "speaker", "article"]
"""What is judged by itself: a quotation is `verbatim` only if nothing of it is wrong."""
Verdict: TypeAlias = Literal["verbatim", "same_number", "altered", "not_found"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
"""Verdicts, from the best to the worst; `verbatim` is for quotations, `same_number` for numbers."""


class CheckedQuote(NamedTuple):
    """A quotation or number in a manuscript, and its match in the articles."""

    line: int
    """The line in the manuscript's text, from 1.

    In HTML and Word documents, each paragraph is a line.
    """
    kind: Literal["quotation", "number"]
    words: str
    verdict: Verdict
    difference: str = ""
    """The difference from the article, if the verdict is `altered`."""
    found: str = ""
    """The matching words of the article; for a number, those of the figure."""
    record: str | None = None
    """The matching record, as TABLE/ID.

    For a quotation, one whose evidence overlaps the matching words.
    """
    speaker: str | None = None
    mode: str | None = None
    article: str | None = None
    discrepancies: tuple[str, ...] = ()
    """Sentences about figures from other articles that differ from the matching figures."""
    judgements: Mapping[Aspect, Judgement] = {}
    """Each aspect with its judgement; empty if no article has the words or the number."""
    notes: tuple[str, ...] = ()
    """Sentences about marked changes, which are accepted, and about the `override` of a figure."""
    unknown: tuple[str, ...] = ()
    """What else could not be judged."""

    def judged(self) -> str:
        """Return what is right, what is wrong and what could not be judged, as text."""
        parts = []
        for judgement in get_args(Judgement):
            which: list[str] = [
                aspect for aspect, its in self.judgements.items() if its == judgement
            ]
            if judgement == "not judged":
                which += self.unknown
            if which:
                parts.append(f"{judgement}: {', '.join(which)}")
        return "; ".join(parts)


class ManuscriptReport(NamedTuple):
    """The results for a manuscript."""

    checked: list[CheckedQuote]
    is_whole: bool
    """Whether whole articles were searched, and not only the published words."""
    is_compared: bool = True
    """Whether the package compares figures, so that discrepancies can be named."""


def lines(report: ManuscriptReport, manuscript: str) -> Iterator[str]:
    """Yield the report as text: each quotation and number with its match, and a summary."""
    for item in report.checked:
        yield f"{manuscript}:{item.line}: {item.verdict.replace('_', ' ')}: “{item.words}”"
        if item.judgements:
            yield f"    {item.judged()}"
        for note in item.notes:
            yield f"    {note}"
        if item.difference:
            yield f"    {item.difference}"
        elif item.verdict == "same_number":
            to_do = "Check that both count the same people or items"
            yield f"    {to_do}: the article has “{item.found}”."
        where = [item.record, item.speaker, item.mode, item.article]
        if any(where):
            yield f"    {', '.join(filter(None, where))}"
        for sentence in item.discrepancies:
            yield f"    discrepancy: {sentence}"
    yield summary(report)
    yield from limits(report)


def limits(report: ManuscriptReport) -> Iterator[str]:
    """Yield sentences about what was not searched or compared."""
    if not report.is_whole:
        yield (
            "Only the published words of the articles were searched. "
            "To search whole articles, add --seeds."
        )
    if not report.is_compared:
        yield "Discrepancies were not looked for: the package has no table of comparisons."


def summary(report: ManuscriptReport) -> str:
    """Return the number of quotations and numbers with each verdict, as text."""
    if not report.checked:
        return "No quotation and no number was found."
    counts = Counter(item.verdict for item in report.checked)
    return ", ".join(f"{counts[verdict]} {verdict.replace('_', ' ')}" for verdict in VERDICTS)
