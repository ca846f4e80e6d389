"""Rules on testimonies."""

from __future__ import annotations

from collections.abc import Iterator

from defectors_data.anchoring import Span
from defectors_data.corpus import Shard
from defectors_data.findings import Finding, Place
from defectors_data.models import Part
from defectors_data.proving import Proof

_OPENING = "\"“‘'«„‹"
_APOSTROPHES = "'’"
_SPACES = " \u00a0\u202f"
_CLOSING = "\"”’'»“›"


def _marks(shard: Shard, span: Span) -> tuple[bool, bool]:
    """Tell whether a quotation mark stands before and after a span, white space aside; an apostrophe is none."""
    before = shard.text[: span.start].rstrip(_SPACES)
    after = shard.text[span.end :].lstrip(_SPACES)
    opened = before[-1:] in _OPENING and not (before[-1:] in _APOSTROPHES and before[-2:-1].isalnum())
    closed = after[:1] in _CLOSING and not (after[:1] in _APOSTROPHES and after[1:2].isalnum())
    return bool(before) and opened, bool(after) and closed


def _direct_parts(proof: Proof) -> Iterator[tuple[Place, Part, tuple[bool, bool]]]:
    for shard in proof.corpus.shards:
        for path, testimony in shard.testimonies():
            if testimony.mode == "direct":
                found = proof.at(shard, (*path, "evidence"))
                for i, (part, span) in enumerate(zip(testimony.evidence, found, strict=False)):
                    yield shard.place(*path, "evidence", i), part, _marks(shard, span)


def direct_without_marks(proof: Proof) -> Iterator[Finding]:
    """A direct part touches an opening quotation mark before and a closing one after, of any style."""
    for place, part, (opened, closed) in _direct_parts(proof):
        for is_there, name, where in ((opened, "opening", "before"), (closed, "closing", "after")):
            if not is_there and part.unbalanced != name:
                message = f"No {name} quotation mark stands {where} these words."
                hint = f"Copy the words between the marks; where the seed leaves one out, say `unbalanced: {name}`."
                yield Finding(place, "direct-without-marks", message, (hint,))


def balanced_after_all(proof: Proof) -> Iterator[Finding]:
    """A part is called unbalanced only where the seed leaves the quotation mark out."""
    for place, part, (opened, closed) in _direct_parts(proof):
        if (part.unbalanced == "opening" and opened) or (part.unbalanced == "closing" and closed):
            message = f"The {part.unbalanced} quotation mark is there."
            yield Finding(place, "balanced-after-all", message, ("Leave `unbalanced` out.",))


def testimony_across_paragraphs(proof: Proof) -> Iterator[Finding]:
    """A new paragraph starts a new testimony."""
    for shard in proof.corpus.shards:
        for path, _ in shard.testimonies():
            found = proof.at(shard, (*path, "evidence"))
            if found and "\n" in shard.text[found[0].start : found[-1].end]:
                message = "The parts of this testimony stand in different paragraphs."
                hint = "Make each paragraph's parts a testimony of their own."
                yield Finding(shard.place(*path, "evidence"), "testimony-across-paragraphs", message, (hint,))
