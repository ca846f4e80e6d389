"""Rules that keep out what was taken out."""

from __future__ import annotations

from collections.abc import Iterator

from defectors_data.evidence.document import Document
from defectors_data.findings import Finding
from defectors_data.models import Source, Withdrawn
from defectors_data.project_file import Path
from defectors_data.rules.registry import rule


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
def withdrawn_out_of_text(document: Document, path: Path, run: Withdrawn) -> Iterator[Finding]:
    """A run that was taken out lies in its seed: its start before its end, its end not behind the text's."""
    if _is_out_of_text(document, run):
        message = f"No such run stands in {document.seed}, which has {len(document.text):,} characters."
        yield Finding(document.place(*path), "withdrawn-out-of-text", message)


def _is_out_of_text(document: Document, run: Withdrawn) -> bool:
    return not run.start < run.end <= len(document.text)


@rule(on="sources", codebook="S1")
def title_missing(document: Document, path: Path, source: Source) -> Iterator[Finding]:
    """A source has its title, unless words of the article were taken out."""
    if not source.title and not document.content.withdrawn:
        message = "This source has no `title`."
        yield Finding(document.place(*path), "title-missing", message, ("Copy the headline from the seed.",))
