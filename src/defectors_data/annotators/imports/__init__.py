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

from defectors_data.annotators.drafts.first_draft import draft
from defectors_data.annotators.imports.article_search import Articles, set_spans
from defectors_data.annotators.imports.formats import (
    brat,
    label_studio,
    langextract,
    refi_qda,
    uima_cas,
    w3c,
)
from defectors_data.annotators.imports.formats.foreign_records import ForeignArticle, ForeignRecord
from defectors_data.annotators.imports.imported_drafts import drafted
from defectors_data.annotators.imports.label_map import EXPECTED, KnownLabels
from defectors_data.annotators.imports.labelled_records import LabelReader, UnknownLabel
from defectors_data.annotators.imports.record_matches import SkippedRecord, match
from defectors_data.corpus.shared_context import Context
from defectors_data.corpus.yaml_reader import scalar
from defectors_data.edits.atomic_update import EditedFileError, FileChange
from defectors_data.evidence.annotated_document import Document
from defectors_data.models.counts import counted
from defectors_data.package import atomic_publication

__all__ = ["READERS", "ImportResult", "plan", "save_to"]

READERS: Mapping[str, Callable[[Path], Iterator[ForeignArticle]]] = {
    "w3c": w3c.read,
    "hypothesis": w3c.read,
    "brat": brat.read,
    "label-studio": label_studio.read,
    "refi-qda": refi_qda.read,
    "uima-cas": uima_cas.read,
    "langextract": langextract.read,
}
"""The reader of each format, by the name that the command line uses for the format."""


class ImportResult(NamedTuple):
    """The proposed annotation files with drafts, and a summary of the import."""

    changes: list[FileChange]
    lines: list[str]
    """The lines of the summary."""
    problem: str = ""
    """The reason why nothing was imported, if so."""


def plan(
    documents: Sequence[Document],
    context: Context,
    name: str,
    path: Path,
    *,
    seeds: Path,
    label_map: Path | None = None,
) -> ImportResult:
    """Read a file from another tool, and propose the changes to the annotation files.

    Args:
        documents: the documents of the project, with all evidence found.
        context: the files that all documents share.
        name: a key of `READERS`.
        path: the file, or a folder of files.
        seeds: the folder of the articles, some of which may have no annotations yet.
        label_map: a file that says what the labels of another project become.

    Raises:
        GivenFileError: a file is damaged, too large or in another format.
        OSError: a file could not be read.
    """
    known = known_labels(documents, context)
    if label_map:
        known.add_map(label_map)
    articles, labels = Articles(documents, seeds, context, draft), LabelReader(known)
    found: dict[str, tuple[Document, list[ForeignRecord]]] = {}
    lines = list[str]()
    for article in READERS[name](path):
        document = None if article.problem else articles.find(article)
        if document is None:
            lines.append(_not_recognised(article))
            continue
        # The same sentence applies to all articles of a file.
        if article.note and (note := f"{path.name}: {article.note}") not in lines:
            lines.append(note)
        set_spans(article, document.text)
        _, records = found.setdefault(document.source.id, (document, []))
        records += labels.read(article.records, document.text)
    if not found:
        problem = "No article of the file is in this project: its text must be in seeds/."
        return ImportResult([], lines, problem)
    if labels.unlabelled and not label_map:
        problem = (
            "Write what each becomes into a file, such as the lines above, and add --map FILE."
        )
        return ImportResult([], [*lines, *_template(labels)], problem)
    changes: list[FileChange] = []
    for document, records in found.values():
        is_fresh = document.source.id in articles.fresh
        change, more = _of_document(document, records, is_fresh=is_fresh)
        if change:
            changes.append(change)
        lines += more
    return ImportResult(changes, [*lines, *_left_out(labels)])


def known_labels(documents: Sequence[Document], context: Context) -> KnownLabels:
    """Return the labels of the project: the terms of its vocabulary, and its speakers."""
    terms = {}
    vocabulary = context.vocabulary.content
    listed = {"theme": vocabulary.themes, "measure": vocabulary.measures}
    for kind, of_kind in {**listed, "population": vocabulary.populations}.items():
        terms[kind] = {term.term: term.label or term.term for term in of_kind}
    speakers = {}
    for document in documents:
        for one, speaker in document.speakers_by_id.items():
            speakers[one] = getattr(speaker, "name", one)
    # An export to Hypothesis tags every annotation with the name of the dataset.
    return KnownLabels(terms, speakers, ignored=(context.dataset.content.name,))


def _not_recognised(article: ForeignArticle) -> str:
    reason = "no seed has its text"
    if article.text is None:
        reason = "no source has this checksum"
        if not article.sha256:
            reason = "no source has this address, and no single article has the quoted words"
    reason = article.problem or reason
    return f"{article.name}: an article was left out, because {reason}."


_MOST_LABELS = 40
"""Maximum number of unknown labels that are listed."""
_LONGEST = 60
"""Maximum length of the words of an example, in code points."""


def _template(labels: LabelReader) -> Iterator[str]:
    """Yield the lines of a map with all unknown labels, each with its number and an example."""
    number = len(labels.unknown)
    yield f"# {counted(number, 'label')} of another project. For each, {EXPECTED}:"
    yield "labels:"
    for label in labels.unknown[:_MOST_LABELS]:
        yield f"  {scalar(label.name)}: ignore  # {_example(label)}"
    if number > _MOST_LABELS:
        yield f"# and {number - _MOST_LABELS} more"


def _example(label: UnknownLabel) -> str:
    words = " ".join(label.example.split())
    if len(words) > _LONGEST:
        words = f"{words[:_LONGEST]}…"
    return f"{counted(label.number, 'time')}, such as “{words}”"


def _left_out(labels: LabelReader) -> Iterator[str]:
    """Yield a line for each kind of label or annotation that was left out."""
    if labels.unknown:
        named = [f"{label.name} ({label.number})" for label in labels.unknown[:_MOST_LABELS]]
        yield f"Labels that are neither known nor in a map, left out: {', '.join(named)}."
    if labels.unlabelled:
        yield f"Left out, because no label of theirs is known: {_records(labels.unlabelled)}."
    if labels.ignored:
        named = [f"{name} ({number})" for name, number in labels.ignored.most_common()]
        yield f"Left out by the map: {', '.join(named[:_MOST_LABELS])}."
    if labels.apart:
        shown = ", ".join(f"“{words}”" for words in labels.apart[:_SHOWN])
        yield f"Speakers and cues that belong to no record, left out: {len(labels.apart)}, such as {shown}."


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
    numbers = f"{matched.unchanged} unchanged, {len(result.new)} new, {len(result.changed)} changed"
    lines = [f"{file}: {numbers}, {len(not_taken)} not imported"]
    for what, names in (("New", result.new), ("Changed", result.changed)):
        if names:
            lines.append(f"    {what}: {_shown(names)}.")
    lines += [f"    {line}" for line in _reasons(not_taken)]
    widened = [proposal.widened for proposal in matched.proposals if proposal.widened]
    if widened:
        lines.append(f"    Extended to whole words: {_shown(widened)}.")
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
    for reason, _ in Counter(each.reason for each in not_taken).most_common():
        names = [each.record for each in not_taken if each.reason == reason]
        yield f"Not imported: {_shown(names)}: {reason}."


def _shown(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_SHOWN])
    if len(names) > _SHOWN:
        return f"{shown} and {len(names) - _SHOWN} more"
    return shown


def _records(number: int) -> str:
    return counted(number, "record")
