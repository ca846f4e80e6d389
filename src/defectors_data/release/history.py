"""The list of released ids, with which `check` compares the records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from defectors_data import pipeline
from defectors_data.corpus.context import Context
from defectors_data.corpus.reader import CorpusReader
from defectors_data.evidence.identity import (
    Identity,
    identities,
    last_version,
    least_version,
    number,
    released,
    shared_identities,
)
from defectors_data.models.project import Released, Tombstone
from defectors_data.release import json_editor

NAME = "annotations/releases.jsonl"


class TooLow(ValueError):
    """The version in dataset.yaml is lower than the changes since the last release require."""


def released_now(corpus: CorpusReader, context: Context) -> bytes:
    """Return the lines of `releases.jsonl` after the release of a corpus without findings.

    Raises:
        TooLow: the data differ from the last release, but the version does not.
    """
    before, version = released(context), context.dataset.content.version
    found = list(_all(corpus, context))
    counts = Counter(state for each in found if (state := each.since(before))) if before else Counter[str]()
    stones = [stone for stone in context.tombstones if stone.id not in before]
    counts["added"] += len(stones) if before else 0
    if before and number(version) < number(least := least_version(before.values(), counts)):
        last = last_version(before.values())
        raise TooLow(f"Version {last} is already released: set `version: {least}` in dataset.yaml")
    entries = [_entry(each, before.get(each.id), version) for each in found]
    entries += [_withdrawn(stone, before.get(stone.id), version) for stone in context.tombstones]
    entries.sort(key=lambda entry: (entry.table != "dataset", entry.table, entry.id))
    return b"".join(_lines(entries))


def _all(corpus: CorpusReader, context: Context) -> Iterator[Identity]:
    yield from shared_identities(context)
    for document in pipeline.all_documents(corpus, context):
        yield from identities(document)


def _entry(identity: Identity, before: Released | None, version: str) -> Released:
    same = before and not identity.since({identity.id: before}) and identity.table != "dataset"
    return Released.model_validate(
        {
            "table": identity.table,
            "id": identity.id,
            "first": before.first if before else version,
            "changed": before.changed if before and same else version,
            "words": identity.words,
            "content": identity.content,
        }
    )


def _withdrawn(stone: Tombstone, before: Released | None, version: str) -> Released:
    if before and before.content is None:
        return before
    return Released(table=stone.table, id=stone.id, first=before.first if before else version, changed=version)


def _lines(entries: Iterable[Released]) -> Iterator[bytes]:
    for entry in entries:
        yield f"{json_editor.dumped(entry.model_dump(mode='json', exclude_none=True))}\n".encode()
