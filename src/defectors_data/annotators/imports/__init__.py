"""Imports: annotations made or changed in another tool become drafts in the annotation files.

Only testimonies and figures are imported, with their evidence as words and their speakers as ids.
Speakers, mentions, and free text about protected or unknown speakers are never imported.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from defectors_data import given_files
from defectors_data.annotators.first_draft import draft
from defectors_data.annotators.imports import brat, label_studio, refi_qda, uima_cas, w3c
from defectors_data.annotators.imports.foreign_files import (
    ForeignArticle,
    ForeignRecord,
    KnownCodes,
)
from defectors_data.annotators.imports.imported_drafts import drafted
from defectors_data.annotators.imports.record_matches import SkippedRecord, match
from defectors_data.corpus import file_tree, yaml_reader
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.shared_context import Context
from defectors_data.corpus.validation_errors import to_project_file
from defectors_data.edits.atomic_update import EditedFileError, FileChange
from defectors_data.evidence.annotated_document import Document
from defectors_data.given_files import GivenFileError
from defectors_data.models.annotation import Annotations
from defectors_data.package import atomic_publication

__all__ = ["READERS", "ImportResult", "plan", "save_to"]

READERS: Mapping[str, Callable[[Path, KnownCodes], Iterator[ForeignArticle]]] = {
    "w3c": w3c.read,
    "brat": brat.read,
    "label-studio": label_studio.read,
    "refi-qda": refi_qda.read,
    "uima-cas": uima_cas.read,
}
"""The reader of each format, by the name that the command line uses for the format."""


class ImportResult(NamedTuple):
    """The proposed annotation files with drafts, and a summary of the import."""

    changes: list[FileChange]
    lines: list[str]
    """The lines of the summary."""


def plan(
    documents: Sequence[Document], context: Context, name: str, path: Path, *, seeds: Path
) -> ImportResult:
    """Read a file from another tool, and propose the changes to the annotation files.

    Args:
        documents: the documents of the project, with all evidence found.
        context: the files that all documents share.
        name: a key of `READERS`.
        path: the file, or a folder of files.
        seeds: the folder of the articles, some of which may have no annotations yet.

    Raises:
        GivenFileError: the file is damaged, too large or in another format.
        OSError: a file could not be read.
    """
    codes = _codes(documents, context)
    # Articles are recognised by the checksum of their text: offsets are valid only for it, and file
    # names may differ.
    known = {document.source.sha256: document for document in documents}
    ids = {document.source.id for document in documents}
    fresh, records = set[str](), dict[str, list[ForeignRecord]]()
    lines: list[str] = []
    try:
        for article in READERS[name](path, codes):
            sha256 = article.sha256
            if sha256 not in known and (new := _fresh(sha256, seeds, context, ids)):
                known[sha256] = new
                fresh.add(sha256)
            if sha256 in known:
                found = article.records(known[sha256].text)
                records.setdefault(sha256, []).extend(found)
            else:
                reason = "an article was left out, because no seed has its text."
                lines.append(f"{article.name}: {reason}")
    except (
        KeyError,
        IndexError,
        TypeError,
        AttributeError,
        ValueError,
        RecursionError,
    ) as error:  # which readers raise if JSON or XML has an unexpected structure
        if isinstance(error, GivenFileError):
            raise
        problem = f"it does not have the structure of the format {name}"
        raise GivenFileError(problem, path.name) from error
    changes: list[FileChange] = []
    for sha256, found in records.items():
        change, more = _of_document(known[sha256], found, is_fresh=sha256 in fresh)
        if change:
            changes.append(change)
        lines += more
    if codes.unknown:
        kinds = "Codes that name no theme, measure, population or kind of record"
        lines.append(f"{kinds}: {', '.join(codes.unknown)}.")
    return ImportResult(changes, lines)


def _codes(documents: Sequence[Document], context: Context) -> KnownCodes:
    """Return the codes of the project: the terms of its vocabulary, and its speakers."""
    terms = {}
    for name in ("themes", "measures", "populations"):
        listed = getattr(context.vocabulary.content, name)
        terms[name] = {term.term: term.label or term.term for term in listed}
    speakers = {}
    for document in documents:
        for one, speaker in document.speakers_by_id.items():
            speakers[one] = getattr(speaker, "name", one)
    return KnownCodes(terms, speakers)


def save_to(folder: Path, imported: ImportResult) -> None:
    """Write the proposed annotation files to another folder.

    Raises:
        atomic_update.EditedFileError: one of these files already exists in the folder.
        OSError: a file could not be read or written.
    """
    targets = [folder / Path(change.file).name for change in imported.changes]
    # All targets are checked before the first one is written.
    if existing := next((target for target in targets if target.exists()), None):
        raise EditedFileError(f"{existing} already exists: choose another folder")
    for target, change in zip(targets, imported.changes, strict=True):
        atomic_publication.save(target, change.data or b"")


def _fresh(sha256: str, seeds: Path, context: Context, taken: set[str]) -> Document | None:
    """Return a document without records for a seed that is not annotated yet, or None."""
    for path in sorted(seeds.glob("*.txt")):
        data = given_files.read(path)
        if hashlib.sha256(data).hexdigest() != sha256:
            continue
        text, _ = file_tree.seed_text(data, path.name)
        file = f"annotations/{path.stem}.yaml"
        yaml = draft(text or "", data, path.stem, taken=taken)
        typed = yaml_reader.parse(yaml, file=file)
        project_file = to_project_file(typed, file, Annotations, list[Finding]())
        if text and project_file:
            return Document(project_file, text, f"seeds/{path.name}", context)
        return None
    return None


def _of_document(
    document: Document, found: list[ForeignRecord], *, is_fresh: bool
) -> tuple[FileChange | None, list[str]]:
    """Return the change to a document's annotation file, and the lines of the summary.

    The change is None if the file stays the same.
    """
    file = document.file.file
    if document.file.is_line:
        reason = f"{document.source.id} was left out, because imports do not change shards."
        return None, [f"{file}: {reason}"]
    matched = match(document, found)
    result = drafted(document, matched.proposals)
    not_taken = [*matched.not_taken, *result.not_taken]
    imported = f"{matched.unchanged} unchanged, {result.new} new, {result.changed} changed"
    lines = [f"{file}: {imported}, {len(not_taken)} not imported"]
    lines += [f"    {line}" for line in _reasons(not_taken)]
    withheld = sum(bool(proposal.withheld) for proposal in matched.proposals)
    if withheld:
        what = "Free text about protected or unknown speakers was left out"
        lines.append(f"    {what}: {_records(withheld)}.")
    if matched.missing:
        what = "Not in the imported file, and left unchanged"
        lines.append(f"    {what}: {_records(matched.missing)}.")
    if document.file.typed == result.text:
        return None, lines
    before = None if is_fresh else hashlib.sha256(document.file.typed.encode()).hexdigest()
    return FileChange(file, result.text.encode(), before), lines


_SHOWN = 5
"""Maximum number of records listed for each reason."""


def _reasons(not_taken: Sequence[SkippedRecord]) -> Iterator[str]:
    for reason, number in Counter(each.reason for each in not_taken).most_common():
        names = [each.record for each in not_taken if each.reason == reason]
        shown = ", ".join(names[:_SHOWN])
        if number > _SHOWN:
            shown += f" and {number - _SHOWN} more"
        yield f"Not imported: {shown}: {reason}."


def _records(number: int) -> str:
    return "1 record" if number == 1 else f"{number} records"
