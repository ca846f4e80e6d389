"""A record goes from the annotations and from the release, or nothing changes."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from defectors_data import checks, proving, replacing, surnames, withdrawing
from defectors_data.build import Built, build
from defectors_data.corpus import Document
from defectors_data.findings import Finding, in_order
from defectors_data.marking import in_turn, marks, unless_edited
from defectors_data.models import Tombstone
from defectors_data.reading import read, text_of
from defectors_data.surnames import Printed
from defectors_data.vocabularies import TakedownReason

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
"""What may be an id; one without a hyphen may be any word."""


class Done(NamedTuple):
    """What came of a takedown: findings and nothing changed, or what went and what the build did."""

    findings: list[Finding]
    tombstones: list[Tombstone]
    """A row for each record that went."""
    built: Built | None
    printed: Sequence[Printed] = ()
    """Of a person, where the surname is still printed."""


class _Refused(Exception):
    """Something is wrong with what people wrote, before or afterwards."""

    def __init__(self, findings: list[Finding], tombstones: list[Tombstone]) -> None:
        super().__init__()
        self.done = Done(in_order(findings), tombstones, None)


def take_down(root: Path, out: Path, record_id: str, *, reason: TakedownReason, day: date, created: str | None) -> Done:
    """Take a record and all that rests on it out of the annotations below `root`, and publish to `out`.

    The corpus has to be without findings before and afterwards; what it would be afterwards is checked before
    anything is written.

    Raises:
        withdrawing.NoRecord: there is no such record.
        withdrawing.InTheWay: something has to be changed by hand first.
        replacing.Linked: a file that changes is a link, or its bytes have another name.
        replacing.Edited: something kept it from being published, and files had been edited while they were new.
        publishing.AnotherBuild: another process publishes to `out`, or takes something out.
        OSError: the file system refused; annotations and `out` are as they were.
    """
    if part := next((root / "annotations").glob("*.jsonl"), None):
        raise withdrawing.InTheWay(f"annotations/{part.name} is a part, which is for `excising.take_down`")
    try:
        with replacing.alone(root):
            before = marks(root)
            taken, printed = plan(root, record_id, reason=reason, day=day)
            with replacing.replaced(root, unless_edited(root, in_turn(taken.files), before)) as warnings:
                built = _published(build(root, out, created=created), taken)
    except _Refused as refused:
        return refused.done
    built = built._replace(warnings=[*built.warnings, *warnings])
    return Done([], taken.tombstones, built, printed)


def foresee(root: Path, record_id: str, *, reason: TakedownReason, day: date) -> Done:
    """Return what `take_down` would take out, without a build; nothing is written.

    Raises:
        withdrawing.NoRecord: there is no such record.
        withdrawing.InTheWay: something has to be changed by hand first.
    """
    try:
        taken, printed = plan(root, record_id, reason=reason, day=day)
        return Done([], taken.tombstones, None, printed)
    except _Refused as refused:
        return refused.done


def pages_naming(root: Path, ids: Collection[str]) -> list[str]:
    """Return the pages of README.md and docs/ that name one of these ids, by path; they are generated, not edited."""
    pages = [page for page in (root / "README.md", *sorted((root / "docs").glob("**/*.md"))) if page.is_file()]
    texts = ((page, page.read_text(encoding="utf-8", errors="replace")) for page in pages)
    found = (page for page, text in texts if not set(ids).isdisjoint(_ID.findall(text)))
    return [page.relative_to(root).as_posix() for page in found]


def _published(built: Built, taken: withdrawing.Taken) -> Built:
    """Return what a build did, if it has published."""
    if built.outcome is None:
        raise _Refused(built.findings, taken.tombstones)
    return built


class Planned(NamedTuple):
    """What a takedown comes to."""

    taken: withdrawing.Taken
    printed: list[Printed]


def plan(root: Path, record_id: str, *, reason: TakedownReason, day: date) -> Planned:
    """Return what the takedown comes to, and where a person's surname is printed afterwards; nothing is written."""
    corpus, findings = read(root)
    if corpus is None:
        raise _Refused(findings, [])
    proof = proving.prove(corpus)
    if findings := checks.run(proof):
        raise _Refused(findings, [])
    documents: list[Document[Any]] = [
        corpus.shared,
        corpus.vocabulary,
        corpus.comparisons,
        corpus.tombstones,
        *corpus.shards,
    ]
    typed = {document.file: text_of(root, document.file)[0] for document in documents}
    texts = {file: text for file, text in typed.items() if text is not None}
    taken = withdrawing.take_down(proof, record_id, texts, reason=reason, day=day)
    afterwards, findings = read(root, changed=taken.files)
    if afterwards:
        findings = checks.run(proving.prove(afterwards))
    if findings or not afterwards:
        raise _Refused(findings, taken.tombstones)
    return Planned(taken, surnames.printed(afterwards, withdrawing.surnames_of(corpus, record_id)))
