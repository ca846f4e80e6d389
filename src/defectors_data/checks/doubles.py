"""Rules on words that are told, or printed, more than once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from defectors_data.anchoring import holds, occurrences
from defectors_data.checks.references import doubtful
from defectors_data.corpus import Path, Shard
from defectors_data.findings import Finding
from defectors_data.proving import Proof
from defectors_data.spans import Span


def words_told_twice(proof: Proof) -> Iterator[Finding]:
    """Words are told once: by one testimony, one figure for each number, one mention of a speaker, one relation.

    Two testimonies may share words where the `note` of one names the other and so says why.
    """
    for shard in proof.corpus.shards:
        if shard.file not in doubtful(proof):
            yield from _testimonies_twice(proof, shard)
            yield from _figures_twice(proof, shard)
            yield from _others_twice(proof, shard)


def _testimonies_twice(proof: Proof, shard: Shard) -> Iterator[Finding]:
    records = dict(shard.testimonies())
    for first, second in shared_words(proof, shard):
        notes = f"{records[first].note} {records[second].note}"
        if not any(holds(notes, records[path].id) for path in (first, second)):
            line = shard.place(*first, "evidence").line
            message = f"Words of this testimony belong to the testimony in line {line} too."
            hint = (
                "Leave them to one of the two, or say why they are two acts of speech in a `note` that names the other."
            )
            yield Finding(shard.place(*second, "evidence"), "words-told-twice", message, (hint,))


def shared_words(proof: Proof, shard: Shard) -> list[tuple[Path, Path]]:
    """Return each testimony that shares words with one before it in the file: the one before, and the testimony."""
    parts = [(span, path) for path, _ in shard.testimonies() for span in proof.at(shard, (*path, "evidence"))]
    reached, found = Span(0, 0), dict[Path, Path]()
    holder: Path = ()
    for span, path in sorted(parts, key=lambda part: part[0]):
        if span.start < reached.end and path != holder:
            first, second = sorted((holder, path), key=lambda each: each[1])
            found.setdefault(second, first)
        if span.end > reached.end:
            reached, holder = span, path
    return [(found[path], path) for path in sorted(found, key=lambda each: each[1])]


def _figures_twice(proof: Proof, shard: Shard) -> Iterator[Finding]:
    ledger = proof.ledgers[shard.file]
    by_path = {path: figure.id for path, figure in shard.figures()}
    for path, name in by_path.items():
        found = proof.at(shard, (*path, "evidence"))
        held = [entry for entry in ledger.within(found) if entry.detection.quantity]
        theirs = {entry.record_id for entry in held if entry.record_table == "figures"}
        if theirs and name not in theirs and all(entry.status == "covered" for entry in held):
            message = "Other figures account for all numbers in these words."
            hint = "One quantity is one figure: leave this one out, or copy the words of another quantity."
            yield Finding(shard.place(*path), "words-told-twice", message, (hint,))


def _others_twice(proof: Proof, shard: Shard) -> Iterator[Finding]:
    mentions = [(path, (name, proof.at(shard, (*path, "evidence")))) for path, name, _ in shard.mentions()]
    relations = [(path, (r.kind, r.result, r.of)) for path, r in shard.relations()]
    yield from _again(shard, [mention for mention in mentions if mention[1][1]], "A mention of this speaker")
    yield from _again(shard, relations, "A relation")


def _again(shard: Shard, records: list[tuple[Path, Any]], called: str) -> Iterator[Finding]:
    first: dict[Any, Path] = {}
    for path, content in records:
        before = first.setdefault(content, path)
        if before != path:
            message = f"{called} says the same in line {shard.place(*before).line} already."
            yield Finding(shard.place(*path), "words-told-twice", message, ("Leave one of the two out.",))


LONG = 30
"""Code points from which on equal words are one passage that is printed again, and not two that are alike."""


def printed_again(proof: Proof) -> Iterator[Finding]:
    """Of a passage printed more than once, the first is annotated that is no furniture and not waived as a repeat.

    What is annotated as evidence of another record of its kind is passed over; a passage has 30 code points or more.
    """
    for shard in proof.corpus.shards:
        annotated = list(_annotated(proof, shard))
        skipped = [*proof.at(shard, ("source", "furniture")), *_repeats(proof, shard)]
        for table, path, span in annotated:
            words = shard.text[slice(*span)]
            starts = occurrences(words, shard.text) if len(words) >= LONG else []
            if len(starts) < 2:  # noqa: PLR2004  # printed once
                continue
            others = skipped + [other for same, _, other in annotated if same == table and other != span]
            there = (Span(start, start + len(words)) for start in starts)
            # Nothing accounts for words that were taken out, and nothing has to.
            free = next((at for at in there if not _within(at, others) and not shard.withdrawn(*at)), span)
            if free != span:
                message = "These words are printed elsewhere, too, and nothing accounts for them there."
                hint = "Annotate the first, and waive the others as `repeat`."
                yield Finding(shard.place(*path), "printed-again", message, (hint,))


def _annotated(proof: Proof, shard: Shard) -> Iterator[tuple[str, Path, Span]]:
    for cited in shard.cited():
        of_record = cited.table in ("testimonies", "figures") and cited.field == "evidence"
        if of_record or cited.path == ("source", "title"):
            yield from ((cited.table, cited.path, span) for span in proof.at(shard, cited.path))


def _repeats(proof: Proof, shard: Shard) -> Iterator[Span]:
    for path, waiver in shard.waivers():
        if waiver.reason == "repeat":
            yield from proof.at(shard, (*path, "evidence"))


def _within(inner: Span, outer: list[Span]) -> bool:
    return any(span.start <= inner.start and inner.end <= span.end for span in outer)
