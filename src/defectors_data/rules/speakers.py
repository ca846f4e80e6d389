"""Rules on speakers and the mentions that introduce them."""

from __future__ import annotations

from collections.abc import Iterator

from defectors_data.anchoring import holds
from defectors_data.evidence.document import Document, per_document
from defectors_data.findings import Finding
from defectors_data.models import SharedReference, SpeakerEntry
from defectors_data.project_file import Path
from defectors_data.rules.registry import rule


@rule(on="speakers", unique_ids=True, codebook="P1")
def speaker_without_mention(document: Document, path: Path, entry: SpeakerEntry) -> Iterator[Finding]:
    """A speaker has at least one mention in each source they are heard in, unless words of it were taken out."""
    if not entry.mentions and not document.content.withdrawn:
        message = "This speaker has no mention here."
        hint = "Copy the words that introduce the speaker into `mentions`."
        yield Finding(document.place(*path), "speaker-without-mention", message, (hint,))


@rule(on="speakers", unique_ids=True, codebook="P1")
def speaker_never_heard(document: Document, path: Path, entry: SpeakerEntry) -> Iterator[Finding]:
    """A speaker is heard, cited or spoken about in the source: whoever is not has no place among its speakers."""
    named = _named(document)
    known = {each.id for _, each in document.entries}
    if entry.id not in named and named <= known:  # else a dangling reference may be meant for this speaker
        message = "No testimony or figure of this source names this speaker."
        hint = "Annotate what the speaker says, or leave the speaker out."
        yield Finding(document.place(*path), "speaker-never-heard", message, (hint,))


@per_document
def _named(document: Document) -> set[str]:
    """Return the ids of speakers that testimonies and figures name."""
    named = {name for _, testimony in document.testimonies for name in (testimony.speaker, testimony.about) if name}
    return named | {figure.attributed_to for _, figure in document.figures if figure.attributed_to}


@rule(on="named speakers", unique_ids=True, codebook="P5")
def name_not_in_mention(document: Document, path: Path, name: str) -> Iterator[Finding]:
    """A publicly named speaker's name stands, as it is written, in a mention of each source they are heard in.

    Where words of the source were taken out, it stands anywhere in it.
    """
    if document.context.shared.has_duplicate_ids:
        return
    entry = document.entry_of(path)
    texts = [document.words((*path, "mentions", i, "evidence")) for i in range(len(entry.mentions))]
    texts += [document.text] if document.content.withdrawn else []
    if texts and all(texts) and not any(holds(str(text), name) for text in texts):
        key, cause = "name", f"{document.seed} {entry.id}"
        if isinstance(entry, SharedReference):
            key, cause = "use", entry.id
        message = f"No mention of this speaker here holds the name {name}."
        hint = "Write the name as the source prints it, or add the mention that holds it."
        yield Finding(document.place(*path, key), "name-not-in-mention", message, (hint,), cause)
