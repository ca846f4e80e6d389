"""Rules on testimonies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from defectors_data.corpus import Path, Shard
from defectors_data.detecting import MARKS, Detection
from defectors_data.findings import Finding, Place
from defectors_data.models import Part
from defectors_data.proving import Proof
from defectors_data.reporting import verbs
from defectors_data.spans import Span

_APOSTROPHES = "'’"
_SPACES = " \u00a0\u202f"
_REACH = 100
"""Code points before and behind words in which their quotation marks are looked for."""


def _marks(shard: Shard, span: Span) -> tuple[bool, bool]:
    """Tell whether a quotation mark stands before and after a span, white space aside; an apostrophe is none."""
    before = shard.text[max(0, span.start - _REACH) : span.start].rstrip(_SPACES)
    after = shard.text[span.end : span.end + _REACH].lstrip(_SPACES)
    opened = before[-1:] in MARKS and not (before[-1:] in _APOSTROPHES and before[-2:-1].isalnum())
    closed = after[:1] in MARKS and not (after[:1] in _APOSTROPHES and after[1:2].isalnum())
    return opened, closed


def _direct_parts(proof: Proof) -> Iterator[tuple[Shard, Place, Part, Span]]:
    for shard in proof.corpus.shards:
        yield from ((shard, *found) for found in _direct_parts_of(proof, shard))


def _direct_parts_of(proof: Proof, shard: Shard) -> Iterator[tuple[Place, Part, Span]]:
    for path, testimony in shard.testimonies():
        if testimony.mode == "direct":
            found = proof.at(shard, (*path, "evidence"))
            for i, (part, span) in enumerate(zip(testimony.evidence, found, strict=False)):
                yield shard.place(*path, "evidence", i), part, span


def unmarked(proof: Proof, shard: Shard) -> Iterator[Span]:
    """Return where direct parts stand that lack a mark, or words: what holds the quotation is told of them alone."""
    for _, part, span in _direct_parts_of(proof, shard):
        opened, closed = _marks(shard, span)
        marked = (opened or part.unbalanced == "opening") and (closed or part.unbalanced == "closing")
        if not marked or _cut(proof, shard, part, span):
            yield span


def direct_without_marks(proof: Proof) -> Iterator[Finding]:
    """A direct part stands between an opening quotation mark and a closing one, of any style, and touches both."""
    for shard, place, part, span in _direct_parts(proof):
        for message, hint in _without_marks(proof, shard, part, span):
            yield Finding(place, "direct-without-marks", message, (hint,))


def _without_marks(proof: Proof, shard: Shard, part: Part, span: Span) -> Iterator[tuple[str, str]]:
    """Word what is wrong about the marks around a part, which is one thing, and what to do."""
    opened, closed = _marks(shard, span)
    there = {"opening": opened or part.unbalanced == "opening", "closing": closed or part.unbalanced == "closing"}
    missing = [name for name, is_there in there.items() if not is_there]
    hint = "Copy the words between the marks"
    if missing and _typed_with_marks(part.text, missing):
        yield "These words are typed with their quotation marks.", "Leave the marks out: copy what stands between them."
    elif len(missing) > 1:
        yield "No quotation mark stands before these words, and none after them.", f"{hint}, or mend `mode`."
    elif missing:
        where = "before" if missing == ["opening"] else "after"
        message = f"No {missing[0]} quotation mark stands {where} these words."
        yield message, f"{hint}; where the seed leaves one out, say `unbalanced: {missing[0]}`."
    elif opened and closed and not _quoted(proof, shard, span):
        message = "These words stand between two quotations, or reach over more than one."
        yield message, "Make each quotation a part of its own."


def _typed_with_marks(words: str, missing: Sequence[str]) -> bool:
    """Tell whether words have the marks that are missing around them; one apostrophe alone is none."""
    ends = [words[0 if name == "opening" else -1] for name in missing]
    return all(end in MARKS for end in ends) and (len(ends) > 1 or ends[0] not in _APOSTROPHES)


def _quoted(proof: Proof, shard: Shard, span: Span) -> bool:
    """Tell whether words stand inside a single run of quotation."""
    return any(run.start <= span.start and span.end <= run.end for run in _runs(proof, shard))


def balanced_after_all(proof: Proof) -> Iterator[Finding]:
    """Only a part of direct speech is called unbalanced, and only where the seed leaves the quotation mark out."""
    direct = set()
    for shard, place, part, span in _direct_parts(proof):
        direct.add(place)
        opened, closed = _marks(shard, span)
        if (part.unbalanced == "opening" and opened) or (part.unbalanced == "closing" and closed):
            message = f"The {part.unbalanced} quotation mark is there."
            yield Finding(place, "balanced-after-all", message, ("Leave `unbalanced` out.",))
    for shard in proof.corpus.shards:
        for cited in shard.cited():
            for i, part in enumerate(cited.parts):
                place = shard.place(*cited.path, i)
                if part.unbalanced and place not in direct and proof.at(shard, cited.path):
                    yield Finding(place, "balanced-after-all", "Only a part of direct speech can be unbalanced.")


_ACCORDING = re.compile(r"\baccording to\b", re.IGNORECASE)
_NOUN = re.compile(r"\b(?:the|an?|this|that|his|her|their|our|my|its)\s+$", re.IGNORECASE)


def unbalanced_cut(proof: Proof) -> Iterator[Finding]:
    """A direct part whose mark is missing reaches as far as the quotation can, or to the clause that attributes it."""
    for shard, place, part, span in _direct_parts(proof):
        if _cut(proof, shard, part, span):
            message = "Words of this quotation are left out where its mark is missing."
            hint = "Copy all that is said: up to the end of the paragraph, or to the words that say who speaks."
            yield Finding(place, "unbalanced-cut", message, (hint,))


def _cut(proof: Proof, shard: Shard, part: Part, span: Span) -> bool:
    """Tell whether a part whose mark is missing leaves words of its quotation out."""
    runs = _runs(proof, shard) if part.unbalanced else []
    around = (run for run in runs if run.start < span.end and span.start < run.end)
    return any(not _reaches(shard, part, span, run) for run in around)


def _reaches(shard: Shard, part: Part, span: Span, run: Detection) -> bool:
    """Tell whether a part leaves nothing of a run out at the end where the mark is missing, or an attribution."""
    if part.unbalanced == "opening" and run.unopened:
        over, left = span.start < run.start, shard.text[run.start : span.start]
    elif part.unbalanced == "closing" and run.unclosed:
        over, left = span.end > run.end, shard.text[span.end : run.end]
    else:
        return True
    return not over and (_attributes(left) or not any(character.isalnum() for character in left))


def _attributes(words: str) -> bool:
    """Tell whether words say who speaks: with `according to`, or a reporting verb that no article makes a noun."""
    said = any(not _NOUN.search(words, 0, verb.start) for verb in verbs(words))
    return said or bool(_ACCORDING.search(words))


def _runs(proof: Proof, shard: Shard) -> list[Detection]:
    """Return every quotation of a seed."""
    return proof.ledgers[shard.file].quotations


def testimony_across_paragraphs(proof: Proof) -> Iterator[Finding]:
    """A new paragraph starts a new testimony."""
    for shard in proof.corpus.shards:
        for path, _ in shard.testimonies():
            found = proof.at(shard, (*path, "evidence"))
            if found and "\n" in shard.text[found[0].start : found[-1].end]:
                yield _across(shard, path, found)


def _across(shard: Shard, path: Path, found: tuple[Span, ...]) -> Finding:
    """Word the fault `testimony-across-paragraphs`: of a part that holds a line break, or of several parts."""
    broken = next((i for i, span in enumerate(found) if "\n" in shard.text[slice(*span)]), None)
    if broken is None:
        message, hint = "The parts of this testimony stand in different paragraphs.", "Make each paragraph's parts"
        place = shard.place(*path, "evidence")
    else:
        message, hint = (
            "These words go over a line break, and each line of a seed is a paragraph.",
            "Make each line's words",
        )
        place = shard.place(*path, "evidence", broken, "text")
    return Finding(place, "testimony-across-paragraphs", message, (f"{hint} a testimony of their own.",))


def about_the_speaker(proof: Proof) -> Iterator[Finding]:
    """A testimony is about another than who speaks: that somebody speaks of themselves is not recorded."""
    for shard in proof.corpus.shards:
        for path, testimony in shard.testimonies():
            if testimony.about == testimony.speaker:
                message = "`about` gives the speaker."
                yield Finding(shard.place(*path, "about"), "about-the-speaker", message, ("Leave `about` out.",))
