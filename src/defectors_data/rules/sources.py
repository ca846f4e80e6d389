"""Rules on what is known of a source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from defectors_data.corpus.findings import Finding
from defectors_data.corpus.project_file import Path
from defectors_data.evidence.anchoring import holds
from defectors_data.evidence.document import Document
from defectors_data.models.annotation import Fact, Source, Withdrawn
from defectors_data.rules.engine import rule
from defectors_data.text.name_matching import did_you_mean
from defectors_data.text.offsets import Span


@rule(on="inferred values", codebook="E6")
def inferred_without_note(document: Document, path: Path, fact: Fact) -> Iterator[Finding]:
    """A value that the source does not state says from what it was worked out."""
    if not fact.note:
        message = f"`{path[1]}` is inferred and has no `note`."
        hint = "Say from what it was worked out, or leave the field empty: empty beats guessed."
        yield Finding(document.place(*path), "inferred-without-note", message, (hint,))


@rule(on="stated values and places", codebook="E5")
def value_not_in_text(document: Document, path: Path, printed: tuple[str, str | None]) -> Iterator[Finding]:
    """What the source is said to print stands in it: stated names and years, cited outlets, the places of figures."""
    words, text = printed
    if text is not None and not holds(text, words):
        message = f"These words do not stand in the evidence or in {document.seed}."
        yield Finding(document.place(*path), "value-not-in-text", message, ("Write them as the source does.",))


@rule(on="titles and subtitles", codebook="S1")
def title_not_one_line(document: Document, path: Path, span: Span) -> Iterator[Finding]:
    """Title and subtitle are whole lines of the seed; a `|` may part either from other words of its line."""
    before = re.split(r"[\n|]", document.text[: span.start])[-1]
    after = re.split(r"[\n|]", document.text[span.end :], maxsplit=1)[0]
    if any(character.isalnum() for character in before + after):
        message = "The line of the seed has more words than these."
        yield Finding(document.place(*path), "title-not-one-line", message, ("Copy the whole line.",))


@rule(on="outlets of testimonies", codebook="S2")
def outlet_not_cited(document: Document, path: Path, outlet: str) -> Iterator[Finding]:
    """The outlet that words were said to is one of the source's `cited_outlets`."""
    cited = document.source.cited_outlets
    if outlet not in cited:
        message = "This outlet is not among the `cited_outlets` of the source."
        yield Finding(document.place(*path), "outlet-not-cited", message, did_you_mean(outlet, cited))


# ---- what was taken down -----------------------------------------------------------------------------------------


@rule(on="runs taken down", codebook="K7")
def withdrawn_words(document: Document, _path: Path, run: Withdrawn) -> Iterator[Finding]:
    """No record rests on words that were taken out."""
    if any(_is_out_of_text(document, each) for each in document.content.withdrawn):
        return  # no words can be judged by such a run
    for cited in document.cited:
        for i, span in enumerate(document.at(cited.path)):
            if run.start < span.end and span.start < run.end:
                message = "These words were taken out, in whole or in part: `withdrawn` lists them."
                place = document.place(*cited.path, i, "text")
                yield Finding(place, "withdrawn-words", message, ("Leave the record out.",))


@rule(on="runs taken down", codebook="K7")
def withdrawn_outside_text(document: Document, path: Path, run: Withdrawn) -> Iterator[Finding]:
    """A run that was taken out lies in its seed: its start before its end, its end not behind the text's."""
    if _is_out_of_text(document, run):
        message = f"No such run stands in {document.seed}, which has {len(document.text):,} characters."
        yield Finding(document.place(*path), "withdrawn-outside-text", message)


def _is_out_of_text(document: Document, run: Withdrawn) -> bool:
    return not run.start < run.end <= len(document.text)


@rule(on="sources", codebook="S1")
def title_missing(document: Document, path: Path, source: Source) -> Iterator[Finding]:
    """A source has its title, unless words of the article were taken out."""
    if not source.title and not document.content.withdrawn:
        message = "This source has no `title`."
        yield Finding(document.place(*path), "title-missing", message, ("Copy the headline from the seed.",))
