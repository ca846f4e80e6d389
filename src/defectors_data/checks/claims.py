"""Rules on what is claimed of a testimony: its own words bear it out, or `because` names the words that do.

That direct speech stands between quotation marks is a rule on testimonies.
"""

from __future__ import annotations

from collections.abc import Iterator

from defectors_data import claiming
from defectors_data.checks.references import lists_of
from defectors_data.corpus import Path, Shard
from defectors_data.findings import Finding
from defectors_data.models import Testimony
from defectors_data.proving import Proof
from defectors_data.spans import Span


def indirect_without_verb(proof: Proof) -> Iterator[Finding]:
    """Reported speech has a reporting verb in its words, outside quotation marks; or `because` names where it is."""
    for shard, path, testimony, spans in _testimonies(proof):
        reported = testimony.mode != "indirect" or _given(testimony, "mode")
        if not reported and not _verbs(proof, shard, spans):
            message = "No reporting verb stands in these words outside quotation marks."
            hints = (
                "Take in the clause that says who says it, or mend the mode.",
                "Where the verb stands elsewhere, or is another: `because: [{claim: mode, words: ...}]`.",
            )
            yield Finding(shard.place(*path, "mode"), "indirect-without-verb", message, hints)


def narrated_with_verb(proof: Proof) -> Iterator[Finding]:
    """A told experience has no reporting verb in its words; or `because` names the verb, which reports nothing here."""
    for shard, path, testimony, spans in _testimonies(proof):
        if testimony.mode == "narrated" and not _given(testimony, "mode"):
            for verb in _verbs(proof, shard, spans)[:1]:
                message = f"The reporting verb `{shard.text[slice(*verb)]}` stands in these words."
                hints = (
                    "If it reports what the speaker says or thinks, the mode is `indirect`.",
                    "If it does not, name it: `because: [{claim: mode, words: ...}]`.",
                )
                yield Finding(shard.place(*path, "mode"), "narrated-with-verb", message, hints)


def theme_without_words(proof: Proof) -> Iterator[Finding]:
    """A theme that has triggers has one of them in the words of the testimony; or `because` names what tells of it."""
    triggers = _triggers(proof)
    for shard, path, testimony, spans in _testimonies(proof):
        for i, theme in enumerate(testimony.themes):
            known = triggers.get(theme, ())
            if known and not _given(testimony, theme) and not claiming.triggered(shard.text, spans, known):
                message = "No trigger of this theme stands in these words."
                hints = (
                    "Leave the theme out if the words do not tell of it.",
                    "If they do, name those that tell it: `because: [{claim: ..., words: ...}]`.",
                    "A word that always tells of it may join its `triggers` in annotations/vocabulary.yaml.",
                )
                yield Finding(shard.place(*path, "themes", i), "theme-without-words", message, hints)


def because_not_needed(proof: Proof) -> Iterator[Finding]:
    """`because` is for a theme of the testimony or for its mode, once, and where its words alone do not bear it out."""
    triggers = _triggers(proof)
    for shard, path, testimony, spans in _testimonies(proof):
        claims = [because.claim for because in testimony.because]
        for i, claim in enumerate(claims):
            place = shard.place(*path, "because", i, "claim")
            if claim not in (*testimony.themes, "mode"):
                message, hint = "This testimony makes no such claim.", "Name one of its themes, or `mode`."
                yield Finding(place, "because-not-needed", message, (hint,))
            elif claim in claims[:i] or _plain(proof, shard, testimony, spans, claim, triggers.get(claim, ())):
                message = "The words of the testimony bear this out, or another `because` does."
                yield Finding(place, "because-not-needed", message, ("Leave it out.",))


def _plain(
    proof: Proof, shard: Shard, testimony: Testimony, spans: tuple[Span, ...], claim: str, triggers: tuple[str, ...]
) -> bool:
    """Tell whether the words of a testimony alone bear out a claim."""
    if claim != "mode":
        return not triggers or claiming.triggered(shard.text, spans, triggers)
    verbs = bool(_verbs(proof, shard, spans))
    return {"direct": True, "indirect": verbs, "narrated": not verbs}[testimony.mode]


def _verbs(proof: Proof, shard: Shard, spans: tuple[Span, ...]) -> list[Span]:
    return claiming.reporting(shard.text, spans, proof.ledgers[shard.file].quoted)


def _testimonies(proof: Proof) -> Iterator[tuple[Shard, Path, Testimony, tuple[Span, ...]]]:
    """Return the testimonies whose words were found, with where they stand."""
    for shard in proof.corpus.shards:
        for path, testimony in shard.testimonies():
            if spans := proof.at(shard, (*path, "evidence")):
                yield shard, path, testimony, spans


def _given(testimony: Testimony, claim: str) -> bool:
    return any(because.claim == claim for because in testimony.because)


def _triggers(proof: Proof) -> dict[str, tuple[str, ...]]:
    """Return the triggers of each theme, by its term."""
    return lists_of(proof.corpus.vocabulary.content.themes, "triggers")
