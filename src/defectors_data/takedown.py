"""Takedown of a record from a corpus of files: it is removed from the annotations, and the rest is published."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from defectors_data import checks, corpus_update, fs, proving, withdrawing
from defectors_data.build import Built, build
from defectors_data.corpus import Document
from defectors_data.corpus_update import Change
from defectors_data.findings import Finding, in_order
from defectors_data.models import Tombstone
from defectors_data.publishing import Site
from defectors_data.reading import read, text_of
from defectors_data.vocabularies import TakedownReason

OnChanged = Callable[[Sequence[Tombstone]], None]
"""Is called with the tombstones when the annotations are changed, before the build."""

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
"""What may be an id; one without a hyphen may be any word."""


class Done(NamedTuple):
    """The result of a takedown: findings, and what was removed and what the build did."""

    findings: list[Finding]
    """Where there is also a build, the annotations are changed; else nothing is."""
    tombstones: list[Tombstone]
    """A row for each record that went."""
    built: Built | None


class _Refused(Exception):
    """Something is wrong with what people wrote, before or afterwards."""

    def __init__(self, findings: list[Finding], tombstones: list[Tombstone]) -> None:
        super().__init__()
        self.done = Done(in_order(findings), tombstones, None)


def take_down(
    root: Path,
    out: Path,
    record_id: str,
    *,
    reason: TakedownReason,
    day: date,
    created: str | None,
    on_changed: OnChanged = lambda _: None,
) -> Done:
    """Take a record and all that rests on it out of the annotations below `root`, then publish to `out`.

    The corpus has to be without findings before and afterwards; what it would be afterwards is checked before
    anything is written. An exception after `on_changed` was called comes from the build: the annotations are changed,
    and a build publishes them.

    Raises:
        withdrawing.NoRecord: there is no such record.
        withdrawing.InTheWay: something has to be changed by hand first.
        corpus_update.Linked: a file that changes is a link, or has a hard link.
        corpus_update.Edited: a file was edited while the takedown was planned.
        corpus_update.Interrupted: some files are changed and others are not; `corpus_update.complete` changes them.
        publishing.AnotherBuild: another process publishes to `out`, or takes something out.
        OSError: the file system refused.
    """
    if part := next((root / "annotations").glob("*.jsonl"), None):
        raise withdrawing.InTheWay(f"annotations/{part.name} is a part, which is for `excising.take_down`")
    try:
        with corpus_update.locked(root):
            sums = annotation_sums(root)
            taken = plan(root, record_id, reason=reason, day=day)
            with Site.hold(out):
                pass  # so that a place that cannot be published to is refused before anything changes
            corpus_update.update(root, (Change(file, data, sums.get(file)) for file, data in taken.files.items()))
            on_changed(taken.tombstones)
            built = build(root, out, created=created)
    except _Refused as refused:
        return refused.done
    return Done(built.findings, taken.tombstones, built)


def annotation_sums(root: Path) -> dict[str, str]:
    """Return the SHA-256 of each YAML file of the annotations, by path."""
    return {
        f"annotations/{path.name}": fs.sha256(path) for path in (root / "annotations").glob("*.yaml") if path.is_file()
    }


def foresee(root: Path, record_id: str, *, reason: TakedownReason, day: date) -> Done:
    """Return what `take_down` would take out, without a build; nothing is written.

    Raises:
        withdrawing.NoRecord: there is no such record.
        withdrawing.InTheWay: something has to be changed by hand first.
    """
    try:
        return Done([], plan(root, record_id, reason=reason, day=day).tombstones, None)
    except _Refused as refused:
        return refused.done


def pages_naming(root: Path, ids: Collection[str]) -> list[str]:
    """Return the pages of README.md and docs/ that name one of these ids, by path; they are generated, not edited."""
    pages = [page for page in (root / "README.md", *sorted((root / "docs").glob("**/*.md"))) if page.is_file()]
    texts = ((page, page.read_text(encoding="utf-8", errors="replace")) for page in pages)
    found = (page for page, text in texts if not set(ids).isdisjoint(_ID.findall(text)))
    return [page.relative_to(root).as_posix() for page in found]


def plan(root: Path, record_id: str, *, reason: TakedownReason, day: date) -> withdrawing.Taken:
    """Return what the takedown comes to; nothing is written."""
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
    if findings:
        raise _Refused(findings, taken.tombstones)
    return taken
