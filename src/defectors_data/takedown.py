"""A record goes from the annotations and from the release, or nothing changes."""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from defectors_data import checks, fs, proving, publishing, withdrawing
from defectors_data.build import Built, build
from defectors_data.corpus import Document
from defectors_data.findings import Finding, in_order
from defectors_data.models import Tombstone
from defectors_data.reading import read, text_of
from defectors_data.vocabularies import TakedownReason


class Done(NamedTuple):
    """What came of a takedown: findings and nothing changed, or what went and what the build did."""

    findings: list[Finding]
    tombstones: list[Tombstone]
    """A row for each record that went."""
    built: Built | None


def take_down(root: Path, out: Path, record_id: str, *, reason: TakedownReason, day: date, created: str | None) -> Done:
    """Take a record and all that rests on it out of the annotations below `root`, and publish to `out`.

    The corpus has to be without findings before and afterwards; what it would be afterwards is checked before
    anything is written.

    Raises:
        withdrawing.NoRecord: there is no such record.
        withdrawing.InTheWay: something has to be changed by hand first.
        publishing.AnotherBuild: another process publishes to `out`.
        OSError: the file system refused; annotations and `out` are as they were.
    """
    if part := next((root / "annotations").glob("*.jsonl"), None):
        raise withdrawing.InTheWay(f"annotations/{part.name} is a part, which is for `excising.take_down`")
    corpus, findings = read(root)
    if corpus is None:
        return Done(in_order(findings), [], None)
    proof = proving.prove(corpus)
    if findings := checks.run(proof):
        return Done(findings, [], None)
    documents: list[Document[Any]] = [
        corpus.shared,
        corpus.vocabulary,
        corpus.comparisons,
        corpus.tombstones,
        *corpus.shards,
    ]
    before = {document.file: text_of(root, document.file)[0] for document in documents}
    texts = {file: text for file, text in before.items() if text is not None}
    taken = withdrawing.take_down(proof, record_id, texts, reason=reason, day=day)
    afterwards, findings = read(root, changed=taken.files)
    if afterwards:
        findings = checks.run(proving.prove(afterwards))
    if findings:
        return Done(in_order(findings), taken.tombstones, None)
    try:
        _write(root, taken.files)
        built = build(root, out, created=created)
    except BaseException:
        with suppress(OSError):
            _write(root, {file: texts[file].encode() if file in texts else None for file in taken.files})
        raise
    return Done(built.findings, taken.tombstones, built)


def _write(root: Path, files: dict[str, bytes | None]) -> None:
    for file, data in files.items():
        if data is not None:
            publishing.save(root / file, data)
        elif (root / file).exists():
            fs.remove_file(root / file)
