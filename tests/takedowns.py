"""What the tests of takedowns share: a corpus in either layout, and a takedown of it without a build."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from conftest import in_parts
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.reader import CorpusReader
from defectors_data.corpus.shared_context import Context
from defectors_data.edits import atomic_update
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.document_batches import all_documents
from defectors_data.evidence.record_ids import id_words
from defectors_data.models.tables import ROW_OF
from defectors_data.publishers import takedown
from defectors_data.publishers.takedown import TakedownPlan

DAY = date(2026, 1, 31)

LAYOUTS = ["files", "shards"]


def laid_out(root: Path, layout: str) -> Path:
    """Return a corpus of YAML files as it is, or as shards, the lists that are about no source included."""
    if layout == "files":
        return root
    sharded = in_parts(root, root.with_name("sharded"), size=1)
    context, _ = CorpusReader(FileTree(root)).context
    assert context
    for listed in (context.shared.listed, context.tombstones, context.comparisons):
        if listed.exists:
            entries = [json.dumps(entry.model_dump(mode="json", exclude_unset=True)) for entry in listed]
            (sharded / listed.file).unlink()
            if listed is context.comparisons:
                pairs = [json.dumps(entry.model_dump(mode="json")) for entry in context.statements]
                statements = sharded / "annotations/statements.jsonl"
                statements.write_text("".join(f"{pair}\n" for pair in pairs), encoding="utf-8")
            path = (sharded / listed.file).with_suffix(".jsonl")
            path.write_text("".join(f"{entry}\n" for entry in entries), encoding="utf-8")
    return sharded


class Corpus(NamedTuple):
    """A corpus that has no findings."""

    context: Context
    documents: dict[str, Document]

    def said(self) -> dict[str, Any]:
        """Return all that a corpus says; in which files it says so is no part of it."""
        stones = [stone.model_copy(update={"seed": None}) for stone in self.context.tombstones]
        lists = {"speakers": list(self.context.shared.values()), "comparisons": list(self.context.comparisons)}
        lists["statements"] = list(self.context.statements)
        said = {name: (document.content, document.text) for name, document in self.documents.items()}
        return {**said, **lists, "vocabulary": self.context.vocabulary.content, "tombstones": stones}


def corpus_of(tree: FileTree) -> Corpus:
    reader = CorpusReader(tree)
    context, findings = reader.context
    assert context, findings
    return Corpus(context, {document.source.id: document for document in all_documents(reader, context)})


@contextmanager
def planned(root: Path, record_id: str) -> Iterator[TakedownPlan]:
    with takedown.plan(root, record_id, reason="person", day=DAY) as plan:
        yield plan


def left_by(root: Path, record_id: str) -> dict[str, Any]:
    """Return all that a corpus would say without a record."""
    with planned(root, record_id) as plan:
        assert plan.findings == []
        return corpus_of(FileTree(root, plan.changed)).said()


def take_out(root: Path, record_id: str) -> TakedownPlan:
    """Take a record out of the annotations, without a build."""
    with atomic_update.locked(root), planned(root, record_id) as plan:
        if not plan.findings:
            atomic_update.update(root, plan.changes())
    return plan


def annotated(root: Path) -> str:
    """Return all that is annotated, as text without escapes."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((root / "annotations").iterdir()) if path.is_file()]
    return "\n".join(texts)


RECORDS = ("sources", "speakers", "mentions", "testimonies", "figures", "waivers", "relations", "errata")


def ids_in_columns(rows: dict[str, list[dict[str, Any]]]) -> Iterator[str]:
    """Yield the ids in columns of ids. Elsewhere an id without a hyphen, such as `second`, is a common word."""
    for name, table in rows.items():
        keys = ROW_OF[name].TABLE
        columns = {column for column, (to, _) in keys.refers.items() if to in RECORDS} | {"record_id"}
        if name in RECORDS:
            columns.add(keys.key)
        for row in table:
            for column in columns & row.keys():
                yield from id_words(str(row[column]))


def rows_in(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as rows:
        return list(csv.DictReader(rows))
