"""Takedown of a record from a corpus in parts: it is removed from the parts, and the rest is published.

What may change is looked for as the sources pass by; these few are then held, and `withdrawing` says what goes, as it
does for a small corpus. Parts are written anew one at a time. The corpus has to be without findings before; whether it
is afterwards, the build says, which judges every source.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from defectors_data import (
    bulk,
    checks,
    corpus_update,
    judging,
    lines,
    proving,
    reading,
    releasing,
    seeking,
    sharding,
)
from defectors_data.bulk import Told
from defectors_data.corpus import Corpus
from defectors_data.corpus_update import Change, Edited
from defectors_data.files import Tree
from defectors_data.findings import Finding, in_order
from defectors_data.judging import Asked
from defectors_data.models import Tombstone
from defectors_data.parts import name_of, without_number
from defectors_data.publishing import Site
from defectors_data.releasing import Released
from defectors_data.takedown import OnChanged, annotation_sums
from defectors_data.vocabularies import TakedownReason
from defectors_data.withdrawing import InTheWay, NoRecord, Reach, Taking

MOST = 5_000
"""Sources that one takedown may change: they are held at once."""


class Planned(NamedTuple):
    """What a takedown comes to, by what was read."""

    files: dict[str, bytes | None]
    """By path, lines of parts by names of their own; None for what goes."""
    tombstones: list[Tombstone]
    sums: Mapping[str, str]
    """The SHA-256 of each YAML file of the annotations, as it was when it was read."""
    lines: Mapping[str, Mapping[int, str]]
    """By part and number, the lines that may change, as they were when they were read."""


class Excised(NamedTuple):
    """The result of a takedown: findings, and what was removed and what the build did."""

    findings: list[Finding]
    """Where there is also a build, the parts are changed; else nothing is."""
    tombstones: list[Tombstone]
    built: Released | None


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
    on_changed: OnChanged = lambda _: None,
) -> Excised:
    """Take a record and all that rests on it out of the parts below `root`, then publish to `out` what is asked.

    An exception after `on_changed` was called comes from the build: the parts are changed, and a build publishes them.

    Raises:
        withdrawing.NoRecord: there is no such record.
        withdrawing.InTheWay: something has to be changed by hand first, or more rests on the record than is held.
        corpus_update.Linked: a file that changes is a link, or has a hard link.
        corpus_update.Edited: a file was edited while the takedown was planned.
        corpus_update.Interrupted: some files are changed and others are not; `corpus_update.complete` changes them.
        publishing.AnotherBuild: another process publishes to `out`, or takes something out.
        OSError: the file system refused.
    """
    try:
        with corpus_update.locked(root):
            taken = plan(root, record_id, reason=reason, day=day, asked=asked)
            with Site.hold(out):
                pass  # so that a place that cannot be published to is refused before anything changes
            if findings := bulk.examine(root, asked._replace(tables=False), jobs=jobs).examined.findings:
                return Excised(findings, taken.tombstones, None)
            corpus_update.update(root, changes(root, taken))
            on_changed(taken.tombstones)
            built = releasing.release(root, out, asked, jobs=jobs, created=created, told=told)
    except _Refused as refused:
        return Excised(refused.findings, [], None)
    return Excised(built.seen.examined.findings, taken.tombstones, built)


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


def plan(root: Path, record_id: str, *, reason: TakedownReason, day: date, asked: Asked) -> Planned:
    """Return what the takedown comes to, lines of parts by names of their own; nothing is written."""
    sums = annotation_sums(root)
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
    return Planned(taken.files, taken.tombstones, sums, seen.lines)


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


def changes(root: Path, taken: Planned) -> Iterator[Change]:
    """Yield the files that change, one at a time.

    Raises:
        Edited: a line or a text is not what it was when it was read.
    """
    edits: dict[str, dict[int, bytes | None]] = defaultdict(dict)
    for name, data in taken.files.items():
        file, _, number = name.rpartition("#")
        if file.endswith(".jsonl"):
            edits[file][int(number)] = data
        else:
            yield Change(name, data, taken.sums.get(name))
    for file, edited in sorted(edits.items()):
        yield from _changed_part(root, file, edited, taken.lines[file])


def _changed_part(
    root: Path, file: str, edited: Mapping[int, bytes | None], read: Mapping[int, str]
) -> Iterator[Change]:
    """Yield a part with other lines, and its texts without those whose lines go."""
    data = (root / file).read_bytes()
    typed = dict(enumerate(data.removesuffix(b"\n").split(b"\n"), 1))
    if any(typed.get(number) != read[number].encode() for number in edited):
        raise Edited(f"{file} was edited meanwhile: run the takedown again")
    kept = (edited.get(number, line) for number, line in typed.items())
    yield Change(file, b"".join(line + b"\n" for line in kept if line is not None), _sha256(data))
    packed = lines.packed_beside(Tree(root), file)
    gone = {number - 1: json.loads(read[number])["source"]["id"] for number, line in edited.items() if line is None}
    if packed and gone:
        data = (root / packed).read_bytes()
        yield Change(packed, _texts_without(packed, data, gone), _sha256(data))


def _texts_without(packed: str, data: bytes, gone: Mapping[int, str]) -> bytes:
    try:
        return sharding.texts_without(data, Path(packed).suffix, gone)
    except sharding.NotWritten as error:
        raise InTheWay(f"{packed} cannot be written without a row: {error}") from None


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
