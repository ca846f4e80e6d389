"""Rules on the facts about a source, and on what was taken down from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile

from defectors_data.corpus.findings import Finding, Path
from defectors_data.evidence.anchors import contains_words, encodings
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.value_spans import unstated_part
from defectors_data.models.annotation import Fact, Source, WithdrawnPassage
from defectors_data.models.fields import edtf_bounds
from defectors_data.models.versions import number
from defectors_data.rules.corpus_index import days_after_publication
from defectors_data.rules.engine import rule
from defectors_data.rules.subjects import SUBJECTS
from defectors_data.text.english.languages import (
    is_english,
    is_surely_english,
    lacks_english,
    lines_in_other_languages,
)
from defectors_data.text.offsets import Span, extent, is_inside, overlaps, paragraphs_around
from defectors_data.text.similar_words import did_you_mean


@rule(on="inferred values", codebook="E6")
def inferred_without_note(document: Document, path: Path, fact: Fact) -> Iterator[Finding]:
    """An inferred value must have a `note` that says what it was inferred from."""
    if not fact.note:
        message = f"`{path[1]}` is inferred and has no `note`."
        hint = (
            "State what it was inferred from, or leave the field empty: an empty field is better "
            "than a guess."
        )
        yield Finding(document.place(*path), "inferred-without-note", message, (hint,))


@rule(on="stated values and places", codebook="E5")
def value_not_in_text(
    document: Document, path: Path, printed: tuple[str, str | None]
) -> Iterator[Finding]:
    """Stated values must be printed.

    Names and dates must be in their evidence, and cited outlets and the places of figures in the
    seed.
    """
    words, text = printed
    if text is not None and not any(contains_words(text, each) for each in encodings(words)):
        searched = "in its `evidence`"
        if path[-1] == "place" or "cited_outlets" in path:
            searched = f"in {document.seed}"
        value = "This value" if path[:2] in document.hidden_paths else f"“{words}”"
        message = f"{value} is not found {searched}."
        yield Finding(
            document.place(*path), "value-not-in-text", message, ("Write it as the source does.",)
        )


@rule(on="sources", code="value-not-in-text")
def publication_not_in_evidence(
    document: Document, path: Path, source: Source
) -> Iterator[Finding]:
    """Report a month or a day of publication that its evidence does not print."""
    published, at = source.published, (*path, "published")
    if published is None or published.basis != "stated":
        return
    missing = unstated_part(document, published.value, document.evidence_of(at))
    if missing:
        message = f"The `evidence` does not print {missing}."
        hint = "Write what it prints, such as the year alone, or correct `basis`."
        yield Finding(document.place(*at, "value"), "value-not-in-text", message, (hint,))


@rule(on="sources", codebook="S6")
def language_not_read(document: Document, path: Path, source: Source) -> Iterator[Finding]:
    """A source that is not in English must have `completeness: none`.

    The program reads only English.
    """
    if not is_english(source.language) and document.claims_completeness:
        message = (
            "The program does not find the quotations and numbers of a text in "
            f"`{source.language}`."
        )
        hint = (
            "Add `completeness: none`, which claims nothing, or correct `language` if the article "
            "is in English."
        )
        yield Finding(document.place(*path, "language"), "language-not-read", message, (hint,))


@rule(on="sources", codebook="S6")
def language_text_mismatch(document: Document, path: Path, source: Source) -> Iterator[Finding]:
    """The text of a source in English must contain frequent English words.

    The text of a source in another language must not be English. Texts under 100 words are not
    checked. A paragraph of 15 words or more in another language must be boilerplate, or the `note` of
    the source must contain its first three words.
    """
    if not is_english(source.language):
        # Otherwise, `language-not-read` is the finding.
        if not document.claims_completeness and is_surely_english(document.text):
            message = f"{document.seed} is in English, and not in `{source.language}`."
            hint = "Write `language: en`, and remove `completeness: none`."
            place = document.place(*path, "language")
            yield Finding(place, "language-text-mismatch", message, (hint,))
    elif lacks_english(document.text):
        message = f"{document.seed} contains hardly any of the most frequent English words."
        hint = "Correct `language`, and add `completeness: none` if the article is not in English."
        yield Finding(document.place(*path, "language"), "language-text-mismatch", message, (hint,))
    elif document.claims_completeness:
        yield from _paragraphs_not_read(document, source.note or "")


_FIRST_WORDS = 3


def _paragraphs_not_read(document: Document, note: str) -> Iterator[Finding]:
    boilerplate = document.at(("source", "boilerplate"))
    for line in lines_in_other_languages(document.text):
        beginning = " ".join(document.text[slice(*line)].split()[:_FIRST_WORDS])
        is_withdrawn = document.is_withdrawn(*line)
        if beginning in note or is_withdrawn or is_inside(line, boilerplate):
            continue
        message = "This paragraph is not in English: only its quotation marks and digits are read."
        hint = (
            "Annotate what it says, and begin the `note` of the source with `Not in English:` and "
            f"`{beginning}`."
        )
        place = document.place_in_seed(line.start)
        yield Finding(place, "language-text-mismatch", message, (hint,))


@rule(on="titles, captions and pull quotes", codebook=("S1", "S4"))
def partial_line(document: Document, path: Path, span: Span) -> Iterator[Finding]:
    """A title, subtitle, caption or pull quote must consist of whole lines.

    `|` may separate it from other words.
    """
    before = re.split(r"[\n|]", document.text[: span.start])[-1]
    after = re.split(r"[\n|]", document.text[span.end :], maxsplit=1)[0]
    if any(character.isalnum() for character in before + after):
        message = "These words are only part of a line in the seed."
        yield Finding(document.place(*path), "partial-line", message, ("Copy the whole line.",))


@rule(on="sources", waits=True, codebook="S5")
def words_budget_exceeded(
    document: Document,
    path: Path,
    source: Source,  # noqa: ARG001
) -> Iterator[Finding]:
    """A release must not show more words of an article than `words_budget` allows."""
    budget = document.context.dataset.content.words_budget
    # What a release shows is known only once no record has a finding.
    if not budget or document.faulty:
        return

    from defectors_data.rows import spans  # noqa: PLC0415  # few corpora have a budget

    number, unit = budget.split()
    shown, words = spans.words_revealed(document), len(document.text.split())
    most: float = int(number)
    if unit == "percent":
        most = words * int(number) / 100
    if shown > most:
        message = (
            f"A release would show {shown:,} of the {words:,} words of this article "
            f"({shown / words:.0%}), but "
            f"`words_budget` in dataset.yaml allows only {budget}."
        )
        hint = (
            "Remove records until fewer words are shown, or raise the budget if the rights allow "
            "it."
        )
        yield Finding(document.place(*path), "words-budget-exceeded", message, (hint,))


@rule(on="regions of the page", codebook="S4")
def region_overlap(document: Document, path: Path, span: Span) -> Iterator[Finding]:
    """The title, the subtitle, captions, pull quotes and boilerplate must not overlap."""
    # Compared only with earlier passages, so that each overlap is reported once.
    earlier = SUBJECTS["regions of the page"](document)
    for other, found in takewhile(lambda each: each[0] != path, earlier):
        if overlaps(span, [found]):
            message = f"These words overlap with those of `{other[1]}`."
            hint = "List each passage of the page under one key only."
            yield Finding(document.place(*path), "region-overlap", message, (hint,))


@rule(on="parts of titles, testimonies and figures", codebook="S4")
def evidence_in_pull_quote(document: Document, path: Path, span: Span) -> Iterator[Finding]:
    """A testimony or figure must be annotated in the body, not in a pull quote or boilerplate."""
    if path[0] == "source":
        return
    for key in ("pull_quotes", "boilerplate"):
        if is_inside(span, document.at(("source", key))):
            message = f"These words are in `{key}`."
            hint = f"Copy the words from the body, or remove the passage from `{key}`."
            yield Finding(document.place(*path), "evidence-in-pull-quote", message, (hint,))


@rule(on="outlets of testimonies", codebook="S2", complete=True)
def outlet_not_cited(document: Document, path: Path, outlet: str) -> Iterator[Finding]:
    """The outlet of a testimony must be one of the source's `cited_outlets`."""
    cited = document.source.cited_outlets
    if outlet not in cited:
        message = "This outlet is not one of the source's `cited_outlets`."
        yield Finding(
            document.place(*path), "outlet-not-cited", message, did_you_mean(outlet, cited)
        )


@rule(on="outlets of testimonies", codebook="S2")
def outlet_text_mismatch(document: Document, path: Path, outlet: str) -> Iterator[Finding]:
    """A testimony's outlet must be the one named in its paragraph, or else the last before."""
    spans, cited = document.evidence_of(path[:2]), document.source.cited_outlets
    # If words were taken down, the name of the outlet may be among them.
    if not spans or outlet not in cited or document.content.withdrawn:
        return
    if outlet not in outlets_around(document, spans):
        message = (
            "The paragraph that contains these words, or the text before it, names a different "
            "outlet."
        )
        hint = "Correct the outlet, or remove it if the words were said to the source's own outlet."
        yield Finding(document.place(*path), "outlet-text-mismatch", message, (hint,))


def outlets_around(document: Document, spans: Sequence[Span]) -> dict[str, int]:
    """Return the cited outlets to which the words of a testimony can have been said, each with the
    offset of its last name: those named in the paragraph or, if it names none, the last one before.
    """
    text = document.text
    start, end = paragraphs_around(text, extent(spans))
    named = list[tuple[int, str]]()
    for each in document.source.cited_outlets:
        named += [(at, each) for at in _named(text, each) if at < end]
    named.sort()
    around = [(at, each) for at, each in named if at >= start] or named[-1:]
    return {each: at for at, each in around}


@lru_cache(maxsize=16)
def _named(text: str, outlet: str) -> list[int]:
    """Return the offsets at which a text names an outlet.

    Its full name, its last word and its initials count, and what is before "Magazine" or "News".
    """
    words = outlet.removeprefix("The ").split()
    # A text may shorten "The Harbour Gazette" to "the Gazette" or "HG".
    forms = {" ".join(words), words[-1], re.sub(" (?:Magazine|News)$", "", " ".join(words))}
    if len(words) > 1:
        forms.add("".join(word[0] for word in words))
    pattern = "|".join(map(re.escape, sorted(forms)))
    return [found.start() for found in re.finditer(rf"\b(?:{pattern})\b", text)]


# ---- what was taken down -------------------------------------------------------------------------


@rule(on="withdrawn spans", codebook="K7")
def withdrawn_words(document: Document, _path: Path, run: WithdrawnPassage) -> Iterator[Finding]:
    """Evidence must not contain words that were taken down."""
    if any(_is_outside_text(document, each) for each in document.content.withdrawn):
        return  # the span was probably recorded for another text
    for cited in document.cited:
        for i, span in enumerate(document.at(cited.path)):
            if overlaps(span, [run]):
                message = "Some or all of these words were taken down: see `withdrawn`."
                place = document.place(*cited.path, i, "text")
                yield Finding(place, "withdrawn-words", message, ("Remove the record.",))


@rule(on="withdrawn spans", codebook="K7")
def withdrawn_outside_text(
    document: Document, path: Path, run: WithdrawnPassage
) -> Iterator[Finding]:
    """A span that was taken down must be inside its seed, and start before its end."""
    if _is_outside_text(document, run):
        message = (
            f"Expected `start` < `end` <= {len(document.text)}, the number of characters in "
            f"{document.seed}."
        )
        yield Finding(document.place(*path), "withdrawn-outside-text", message)


def _is_outside_text(document: Document, run: WithdrawnPassage) -> bool:
    return not run.start < run.end <= len(document.text)


@rule(on="sources", codebook="S1", complete=True)
def title_missing(document: Document, path: Path, source: Source) -> Iterator[Finding]:
    """A source must have a title or a note, unless words of the article were taken down.

    The note says why there is no title.
    """
    if not (source.title or source.note or document.content.withdrawn):
        message = "This source has no `title`."
        hint = "Copy the headline from the seed or, if the article has none, say so in `note`."
        yield Finding(document.place(*path), "title-missing", message, (hint,))


@rule(on="sources", codebook="K8")
def impossible_reading(document: Document, _: Path, source: Source) -> Iterator[Finding]:
    """An article must be published before it is obtained or read.

    A reading has no higher `version` than the dataset, and a reader is of one kind in all readings.
    """
    published = None
    if source.published:
        published = edtf_bounds(source.published.value).first
    for at, day in days_after_publication(document):
        if published and day < published:
            message = f"This day is before the article was published, {published}."
            hint = "Correct this date, or `published`."
            yield Finding(document.place(*at), "impossible-reading", message, (hint,))
    highest = document.context.dataset.content.version
    for i, reading in enumerate(document.content.readings):
        if number(reading.version) > number(highest):
            message = f"The dataset has version {highest}, so nobody can follow {reading.version}."
            place = document.place("readings", i, "version")
            hint = "Write the version of `dataset.yaml`, or an earlier one."
            yield Finding(place, "impossible-reading", message, (hint,))
