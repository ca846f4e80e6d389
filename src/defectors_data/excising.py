"""A record goes from a corpus in parts and from its release, or nothing changes.

What may change is looked for as the sources pass by; these few are then held, and `withdrawing` says what goes, as it
does for a small corpus. Parts are written anew one at a time. Whether all is right afterwards the build says, which
judges every source: where it does not publish, the parts are put back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple

from defectors_data import (
    bulk,
    checks,
    judging,
    lines,
    proving,
    reading,
    releasing,
    replacing,
    seeking,
    sharding,
    surnames,
)
from defectors_data.bulk import Told
from defectors_data.corpus import Corpus
from defectors_data.files import Tree
from defectors_data.findings import Finding, in_order
from defectors_data.judging import Asked
from defectors_data.marking import Marks, in_turn, marks, unless_edited
from defectors_data.models import Tombstone
from defectors_data.parts import name_of, without_number
from defectors_data.releasing import Released
from defectors_data.surnames import Printed
from defectors_data.vocabularies import TakedownReason
from defectors_data.withdrawing import InTheWay, NoRecord, Reach, Taking, surnames_of

MOST = 5_000
"""Sources that one takedown may change: they are held at once."""


class Planned(NamedTuple):
    """What a takedown comes to, by what was read."""

    files: dict[str, bytes | None]
    """By path, lines of parts by names of their own; None for what goes."""
    tombstones: list[Tombstone]
    marks: Marks
    """Of all annotations and packed texts, as they were when they were read."""
    surnames: list[str]
    """Of a person."""


class Excised(NamedTuple):
    """What came of it: findings and nothing changed, or what went and what the build did."""

    findings: list[Finding]
    tombstones: list[Tombstone]
    built: Released | None
    printed: Sequence[Printed] = ()
    """Of a person, where the surname is still printed; not known before it is done."""


class _Refused(Exception):
    """Something is wrong with what people wrote, before or afterwards."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__()
        self.findings = findings


def take_down(
    root: Path,
    out: Path,
    record_id: str,
    *,
    reason: TakedownReason,
    day: date,
    created: str | None,
    asked: Asked,
    jobs: int = 1,
    told: Told | None = None,
) -> Excised:
    """Take a record and all that rests on it out of the parts below `root`, and publish to `out` what is asked.

    Raises:
        withdrawing.NoRecord: there is no such record.
        withdrawing.InTheWay: something has to be changed by hand first, or more rests on the record than is held.
        replacing.Linked: a file that changes is a link, or its bytes have another name.
        replacing.Edited: something kept it from being published, and files had been edited while they were new.
        publishing.AnotherBuild: another process publishes to `out`, or takes something out.
        OSError: the file system refused; annotations and `out` are as they were.
    """
    stones: list[Tombstone] = []
    try:
        with replacing.alone(root):
            taken = plan(root, record_id, reason=reason, day=day, asked=asked)
            stones = taken.tombstones
            with replacing.replaced(
                root, unless_edited(root, changed_files(root, taken.files), taken.marks)
            ) as warnings:
                built = _published(releasing.release(root, out, asked, jobs=jobs, created=created, told=told))
    except _Refused as refused:
        found = bulk.examine(root, asked._replace(tables=False), jobs=jobs).examined.findings if stones else []
        return Excised(found or refused.findings, stones, None)
    built = built._replace(warnings=[*built.warnings, *warnings])
    return Excised([], stones, built, surnames.printed_in_parts(root, taken.surnames))


def foresee(root: Path, record_id: str, *, reason: TakedownReason, day: date, asked: Asked) -> Excised:
    """Return what `take_down` would take out, as far as that can be said without a build; nothing is written.

    Raises:
        withdrawing.NoRecord: there is no such record.
        withdrawing.InTheWay: something has to be changed by hand first, or more rests on the record than is held.
    """
    try:
        return Excised([], plan(root, record_id, reason=reason, day=day, asked=asked).tombstones, None)
    except _Refused as refused:
        return Excised(refused.findings, [], None)


def _published(built: Released) -> Released:
    """Return what a build did, if it has published."""
    if built.outcome is None:
        raise _Refused(built.seen.examined.findings)
    return built


def plan(root: Path, record_id: str, *, reason: TakedownReason, day: date, asked: Asked) -> Planned:
    """Return what the takedown comes to, lines of parts by names of their own; nothing is written."""
    seen_first = marks(root)
    tree, reach = Tree(root), Reach(frozenset({record_id}), frozenset(), frozenset())
    while True:
        seen = seeking.seek(tree, reach, most=MOST)
        if seen.count > MOST:
            raise InTheWay(
                f"more than {MOST:,} sources name the record or what rests on it, which is more than is held"
            )
        corpus = _corpus(root, seen, asked)
        taking = _taking(corpus, record_id, seen)
        wider = reach.with_all(taking.reach())
        if wider == reach:
            break
        reach = wider
    try:
        taken = taking.taken(_texts(root, corpus, seen), reason=reason, day=day)
    except InTheWay as error:
        raise InTheWay(without_number(str(error))) from None
    return Planned(taken.files, taken.tombstones, seen_first, surnames_of(corpus, record_id))


def _taking(corpus: Corpus, record_id: str, seen: seeking.Sighted) -> Taking:
    """Return what goes with a record; that there is none can only be said where every part was read."""
    try:
        return Taking(proving.prove(corpus), record_id, frozenset(seen.used_elsewhere))
    except NoRecord:
        if seen.unread:
            raise _Refused(in_order(seen.unread)) from None
        raise


def _corpus(root: Path, seen: seeking.Sighted, asked: Asked) -> Corpus:
    """Return the sources that are reached, without findings in their lines.

    Whether the files are right that are about no source, only all sources can say.
    """
    corpus, findings = reading.read(root, only=seen.lines)
    if corpus:
        found, _ = checks.examine(proving.prove(corpus), skip=judging.skipped_rules(asked), count=False)
        of_lines = {shard.file for shard in corpus.shards}
        findings = lines.plain(finding for finding in found if finding.place.file in of_lines)
    if corpus is None or findings:
        raise _Refused(in_order(findings))
    return corpus


def _texts(root: Path, corpus: Corpus, seen: seeking.Sighted) -> dict[str, str]:
    """Return the lines that are reached and the files that are about no source, as typed, by their names."""
    shared = (corpus.shared.file, corpus.vocabulary.file, corpus.comparisons.file)
    found = {file: reading.text_of(root, file)[0] for file in shared}
    typed = {name_of(file, number): line for file, held in seen.lines.items() for number, line in held.items()}
    return typed | {file: text for file, text in found.items() if text is not None}


# ---- files as they are afterwards --------------------------------------------------------------------------------


def changed_files(root: Path, taken: Mapping[str, bytes | None]) -> Iterator[tuple[str, bytes | None]]:
    """Give the files that change, one at a time: first those that are about no source, tombstones before all."""
    edits: dict[str, dict[int, bytes | None]] = defaultdict(dict)
    for name, data in in_turn(taken):
        file, _, number = name.rpartition("#")
        if file.endswith(".jsonl"):
            edits[file][int(number)] = data
        else:
            yield name, data
    for file, edited in edits.items():
        yield from _changed_part(root, file, edited)


def _changed_part(root: Path, file: str, edited: Mapping[int, bytes | None]) -> Iterator[tuple[str, bytes | None]]:
    """Give a part with other lines, and its texts without those whose lines go."""
    typed = (root / file).read_bytes().removesuffix(b"\n").split(b"\n")
    kept = (edited.get(number, line) for number, line in enumerate(typed, 1))
    yield file, b"".join(line + b"\n" for line in kept if line is not None)
    packed = lines.packed_beside(Tree(root), file)
    gone = {number - 1 for number, line in edited.items() if line is None}
    if packed and gone:
        yield packed, _texts_without(root, packed, gone)


def _texts_without(root: Path, packed: str, gone: Collection[int]) -> bytes:
    try:
        return sharding.texts_without((root / packed).read_bytes(), Path(packed).suffix, gone)
    except sharding.NotWritten as error:
        raise InTheWay(f"{packed} cannot be written without a row: {error}") from None
