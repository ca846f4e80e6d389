"""Rules on what is known of a source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from defectors_data.anchoring import holds
from defectors_data.evidence.document import Document
from defectors_data.findings import Finding
from defectors_data.models import Fact
from defectors_data.naming import did_you_mean
from defectors_data.project_file import Path
from defectors_data.rules.registry import rule
from defectors_data.spans import Span


@rule(on="inferred values", codebook="E6")
def inferred_without_note(document: Document, path: Path, fact: Fact) -> Iterator[Finding]:
    """A value that the source does not state says from what it was worked out."""
    if not fact.note:
        message = f"`{path[1]}` is inferred and has no `note`."
        hint = "Say from what it was worked out, or leave the field empty: empty beats guessed."
        yield Finding(document.place(*path), "inferred-without-note", message, (hint,))


@rule(on="stated values and places", codebook="E5")
def not_printed(document: Document, path: Path, printed: tuple[str, str | None]) -> Iterator[Finding]:
    """What the source is said to print stands in it: stated names and years, cited outlets, the places of figures."""
    words, text = printed
    if text is not None and not holds(text, words):
        message = f"These words do not stand in the evidence or in {document.seed}."
        yield Finding(document.place(*path), "not-printed", message, ("Write them as the source does.",))


@rule(on="titles and subtitles", codebook="S1")
def title_not_a_line(document: Document, path: Path, span: Span) -> Iterator[Finding]:
    """Title and subtitle are whole lines of the seed; a `|` may part either from other words of its line."""
    before = re.split(r"[\n|]", document.text[: span.start])[-1]
    after = re.split(r"[\n|]", document.text[span.end :], maxsplit=1)[0]
    if any(character.isalnum() for character in before + after):
        message = "The line of the seed has more words than these."
        yield Finding(document.place(*path), "title-not-a-line", message, ("Copy the whole line.",))


@rule(on="outlets of testimonies", codebook="S2")
def outlet_not_cited(document: Document, path: Path, outlet: str) -> Iterator[Finding]:
    """The outlet that words were said to is one of the source's `cited_outlets`."""
    cited = document.source.cited_outlets
    if outlet not in cited:
        message = "This outlet is not among the `cited_outlets` of the source."
        yield Finding(document.place(*path), "outlet-not-cited", message, did_you_mean(outlet, cited))
