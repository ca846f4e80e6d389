"""Takedown: removal of a record and all that depends on it, and publication of the rest.

A takedown is planned and checked before anything is changed. Documents are read one at a time, and
only those that the takedown may change are kept in memory; new files are written to a temporary
folder first.
"""

from __future__ import annotations

import io
import os
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from defectors_data import pipeline
from defectors_data.corpus import reader, shards
from defectors_data.corpus.file_tree import FileTree
from defectors_data.corpus.findings import Finding, Place
from defectors_data.corpus.reader import Batch, CorpusReader
from defectors_data.corpus.shared_context import Context
from defectors_data.edits import atomic_update, yaml_editor
from defectors_data.edits.atomic_update import FileChange
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.document_batches import all_documents, documents_in
from defectors_data.evidence.record_fingerprints import doi_of_last_release, last_released
from defectors_data.executors import Executor, serial
from defectors_data.models import versions
from defectors_data.models.closed_vocabularies import TakedownReason
from defectors_data.models.project import Tombstone
from defectors_data.package import cells, filesystem, published_folder
from defectors_data.package.atomic_publication import PublishTarget
from defectors_data.pipeline import OnProgress, Options
from defectors_data.publishers.remaining_names import (
    OtherFiles,
    PublishedLine,
    Sought,
    in_corpus,
    in_other_files,
)
from defectors_data.publishers.removal import (
    RecordNotFoundError,
    Removal,
    TakedownBlockedError,
    TakedownScope,
    files_without_surname,
    find_removal,
    named_shards,
    names_to_look_at,
    records_near_mentions,
    removal_scope,
    removed_words,
    seeds_with_words,
)
from defectors_data.publishers.removed_readings import edited_readings
from defectors_data.publishers.removed_texts import NewTexts, new_texts, tombstones

if TYPE_CHECKING:
    from defectors_data.build import BuildResult

MOST = 5_000
"""Maximum number of documents that a takedown may involve, since all are in memory."""

_CHECK, _EVERYTHING = Options(tables=False), Options()


class ChangedFile(NamedTuple):
    """A file that a takedown changes."""

    file: str
    removed: bool
    """Whether the file itself is removed."""
    records: int = 0
    """Number of records that a reading loses."""


class TakedownPlan(NamedTuple):
    """The changes of a takedown, or the findings that prevent it."""

    findings: list[Finding]
    tombstones: list[Tombstone]
    """A tombstone for each removed record; empty if the findings existed before the takedown."""
    changed: Mapping[str, Path | None]
    """The new files by the path of the old ones; None for a removed file."""
    sums: Mapping[str, str]
    """The SHA-256 of each file, computed before it was read."""
    files: Sequence[ChangedFile] = ()
    """The files that change, in order."""
    printed: Sequence[PublishedLine] = ()
    """The other lines with a surname or, outside annotations, a removed id or removed words."""
    may_be_meant: Sequence[PublishedLine] = ()
    """The lines with a first name or the initials, which may be another person's."""
    by_hand: Sequence[Place] = ()
    """The places that a person must edit; only a takedown for safety is not prevented by them."""
    near: Sequence[str] = ()
    """The ids of the remaining records in paragraphs with a removed mention."""
    seeds: Sequence[str] = ()
    """The seeds in which removed words are still printed."""
    left_out: Sequence[str] = ()
    """The files of new articles with findings, which are neither changed nor published."""

    def changes(self) -> Iterator[FileChange]:
        """Yield the changes of files, one at a time."""
        for file, path in self.changed.items():
            data = path.read_bytes() if path else None
            yield FileChange(file, data, self.sums.get(file))


OnChanged = Callable[[TakedownPlan], None]
"""A function that is called after the annotations have changed and before the build."""


def take_down(
    root: Path,
    out: Path,
    record_id: str,
    *,
    reason: TakedownReason,
    day: date,
    options: Options = _EVERYTHING,
    executor: Executor = serial,
    created: str | None = None,
    on_changed: OnChanged = lambda _: None,
    on_progress: OnProgress | None = None,
) -> tuple[TakedownPlan, BuildResult | None]:
    """Remove a record and all that depends on it from the annotations, then publish to `out`.

    Return the plan and the result of the build; if the plan has findings, nothing is changed and
    the result is None. An exception after the call of `on_changed` comes from the build: the
    annotations have been changed, and the next build publishes them.

    Raises:
        removal.RecordNotFoundError: there is no such record.
        removal.TakedownBlockedError: a file must be edited by hand first, or too many documents are
            involved.
        atomic_update.LinkedFileError: a file that changes is a symbolic link or has a hard link.
        atomic_update.EditedFileError: a file was edited while the takedown was planned.
        atomic_update.IncompleteUpdateError: only some files were changed; `atomic_update.complete`
            changes the others.
        atomic_publication.ConcurrentBuildError: another process uses `out` or the corpus.
        OSError: a file could not be read or written.
    """
    from defectors_data import check_cache  # noqa: PLC0415  # keeps the chain of imports short
    from defectors_data.build import build  # noqa: PLC0415  # a plan needs no pyarrow

    with atomic_update.locked(root):
        with plan(root, record_id, reason=reason, day=day, executor=executor, out=out) as planned:
            if planned.findings:
                return planned, None
            with PublishTarget.locked(out):
                pass  # before anything changes, reject a folder that cannot be published to
            check_cache.clear(root)
            atomic_update.update(root, planned.changes())
        on_changed(planned)
        # None hides a file from the build: findings in new articles must not prevent it.
        corpus = CorpusReader(FileTree(root, dict.fromkeys(planned.left_out)))
        return planned, build(
            corpus, out, options, executor=executor, created=created, on_progress=on_progress
        )


@contextmanager
def plan(
    root: Path,
    record_id: str,
    *,
    reason: TakedownReason,
    day: date,
    executor: Executor = serial,
    out: Path | None = None,
) -> Iterator[TakedownPlan]:
    """Yield the changes of a takedown, whose new files are in a temporary folder.

    `out` is the folder of the package, by default `dist`. The corpus must have no findings before
    or after the takedown, except in articles that have not been published yet.

    Raises:
        removal.RecordNotFoundError: there is no such record.
        removal.TakedownBlockedError: a file must be edited by hand first, or too many documents are
            involved.
    """
    corpus = CorpusReader(FileTree(root))
    # Computed before the files are read, so that every later edit is noticed.
    sums = _sums(corpus)
    findings = _obstacles(pipeline.run(corpus, _CHECK, executor=executor))
    rest: CorpusReader | None = corpus
    if findings:
        rest = _without_new_articles(corpus, findings, out or root / "dist", executor)
    try:
        removal = None
        if rest:
            removal = removal_of(rest, record_id, executor, reason=reason)
    except RecordNotFoundError:
        if not findings:
            raise
        removal = None  # the record may be in an article that has findings
    if not (rest and removal):
        yield TakedownPlan(findings, [], {}, sums)
        return
    with TemporaryDirectory(prefix="defectors-data-") as folder:
        planned, after = draft(
            rest, removal, Path(folder), reason=reason, day=day, executor=executor, out=out
        )
        findings = pipeline.run(after, _CHECK, executor=executor).findings
        yield planned._replace(findings=findings, sums=sums)


def draft(
    corpus: CorpusReader,
    removal: Removal,
    folder: Path,
    *,
    reason: TakedownReason,
    day: date,
    executor: Executor = serial,
    out: Path | None = None,
) -> tuple[TakedownPlan, CorpusReader]:
    """Return the plan of a removal, and the corpus that remains, which no rule has checked yet.

    Raises:
        removal.TakedownBlockedError: a file must be edited by hand first.
    """
    root = corpus.tree.root
    left_out = sorted(file for file in corpus.tree.changed if os.path.lexists(root / file))
    edited = new_texts(removal, reason, day)
    _raise_version(edited, removal.context)
    readings = {reading.file: reading for reading in edited_readings(corpus, removal)}
    texts = edited | {(reading.file, 0): reading.text for reading in readings.values()}
    changed = _written(corpus, texts, folder)
    files = []
    for file, path in sorted(changed.items()):
        records = readings[file].records if file in readings else 0
        files.append(ChangedFile(file, path is None, records))
    planned = TakedownPlan(
        [], tombstones(removal, reason, day), changed, {}, files, left_out=left_out
    )
    after = CorpusReader(FileTree(root, {**corpus.tree.changed, **changed}))
    others = OtherFiles(root, changed, out or root / "dist", left_out)
    return _with_remaining(planned, removal, after, others, executor), after


def _with_remaining(
    planned: TakedownPlan,
    removal: Removal,
    after: CorpusReader,
    others: OtherFiles,
    executor: Executor,
) -> TakedownPlan:
    """Return a plan with the lines that still contain names, removed ids or removed words."""
    in_full = Sought.of(filter(None, [removal.name]), removal.ids_of_persons)
    surnames = Sought.of(removal.surnames)
    first_names = Sought.of(names_to_look_at(removal.name or "", removal.surnames))
    anything = Sought.of(removal.surnames, removal.removed, removed_words(removal))
    by_hand, named, may_be_meant = in_corpus(after, (in_full, surnames, first_names), executor)
    files = files_without_surname(removal)
    by_hand += (line for line in named if line.file in files)
    named += in_other_files(others, anything)
    may_be_meant += in_other_files(others, first_names)
    places = {Place(line.file, line.line): None for line in by_hand}
    places |= {Place(file, 0): None for file in named_shards(removal, after.shards)}
    return planned._replace(
        printed=_without(named, by_hand),
        may_be_meant=_without(may_be_meant, [*named, *by_hand]),
        by_hand=list(places),
        near=records_near_mentions(removal),
        seeds=seeds_with_words(removal),
    )


def _without(
    lines: Iterable[PublishedLine], listed: Collection[PublishedLine]
) -> list[PublishedLine]:
    """Return lines once each, except those that are listed elsewhere."""
    return [line for line in dict.fromkeys(lines) if line not in listed]


def _raise_version(edited: NewTexts, context: Context) -> None:
    """Raise the version in the new text of dataset.yaml if the present one was released.

    The DOI of the released version is removed, as it is in a release.
    """
    dataset = context.dataset
    if not len(context.releases):
        return
    least = versions.raised(last_released(context), 1)
    if versions.number(dataset.content.version) < versions.number(least):
        text = edited.get((dataset.file, 0)) or dataset.typed
        if doi_of_last_release(context):
            text = yaml_editor.without(text, [("doi",)])
        edited[dataset.file, 0] = yaml_editor.with_values(text, {("version",): least})


def _obstacles(checked: pipeline.RunResult) -> list[Finding]:
    """Return the findings that prevent a takedown: all but `version-too-low`."""
    return [finding for finding in checked.findings if finding.code != "version-too-low"]


def _without_new_articles(
    corpus: CorpusReader, findings: Iterable[Finding], out: Path, executor: Executor
) -> CorpusReader | None:
    """Return the corpus without the articles with findings, or None if one must not be left out.

    A removal must not be delayed by an article that is still being annotated. But neither a
    published article nor any other file with findings may be left out, because it could contain
    words that are to be removed.
    """
    files = {finding.place.file for finding in findings}
    stems = {Path(file).stem for file in files}
    shared = {Path(file).stem for file in (*corpus.shards, *reader.SHARED_FILES)}
    folders = {Path(file).parent.as_posix() for file in files}
    if stems & shared or folders - {"annotations", "seeds"}:
        return None
    files |= {name for stem in stems for name in (f"annotations/{stem}.yaml", f"seeds/{stem}.txt")}
    files |= {file for file, stem in corpus.readings.items() if stem in stems}
    rest = CorpusReader(FileTree(corpus.tree.root, dict.fromkeys(files)))
    checked = pipeline.run(rest, _CHECK, executor=executor)
    if _obstacles(checked) or not checked.context:
        return None
    ids = {document.source.id for document in all_documents(rest, checked.context)}
    published = _published_sources(out)
    if published is not None and published <= ids:
        return rest
    return None


def _published_sources(out: Path) -> set[str | None] | None:
    """Return the ids of the sources in a package; an empty set without one, None if damaged."""
    if not os.path.lexists(out):
        return set()
    if not published_folder.is_whole(out):
        return None
    text = (out / "data/sources.csv").read_bytes().decode()
    header, *rows = cells.csv_cells(io.StringIO(text, newline=""))
    return {row[header.index("source_id")] for row in rows}


def _sums(corpus: CorpusReader) -> dict[str, str]:
    """Return the SHA-256 of dataset.yaml and each file of annotations, readings and texts."""
    if not corpus.can_be_read:
        return {}
    tree, files = corpus.tree, ["dataset.yaml", *corpus.readings]
    files += [f"annotations/{name}" for name in tree.visible("annotations")]
    files += filter(None, (reader.packed_texts(tree, shard) for shard in corpus.shards))
    return {file: filesystem.sha256(tree.root / file) for file in files if not tree.reason(file)}


# ---- involved documents --------------------------------------------------------------------------


def removal_of(
    corpus: CorpusReader,
    record_id: str,
    executor: Executor = serial,
    *,
    reason: TakedownReason = "person",
) -> Removal:
    """Return the removal of a record from a corpus without findings.

    The corpus is read repeatedly until no further documents become involved.

    Raises:
        removal.RecordNotFoundError: there is no such record.
        removal.TakedownBlockedError: too many documents are involved, or a shard has a removed name.
    """
    context, _ = corpus.context
    assert context  # noqa: S101  # there are no findings
    reach = TakedownScope(frozenset({record_id}))
    while True:
        reached, used_elsewhere = _reached(corpus, context, reach, executor)
        documents = list(_readable(corpus.open(reached), context))
        removal = find_removal(
            documents, context, record_id, used_elsewhere, rename=reason == "safety"
        )
        # A scope consists of sets, which are united field by field.
        wider = TakedownScope(
            *(old | new for old, new in zip(reach, removal_scope(removal), strict=True))
        )
        if wider == reach:
            named = named_shards(removal, corpus.shards)
            if named and reason != "safety":
                raise TakedownBlockedError(
                    f"The file name {named[0]} contains the name: rename the shard and its texts by hand first"
                )
            return removal
        reach = wider


_Reached = tuple[list[tuple[str, int]], set[str]]
"""Files and lines of the documents in reach, and the shared speakers that other documents use."""


def _reached(
    corpus: CorpusReader, context: Context, reach: TakedownScope, executor: Executor
) -> _Reached:
    reached: list[tuple[str, int]] = []
    used: set[str] = set()
    for found, used_elsewhere in executor(_reached_in, corpus.batches(), context, reach):
        reached += found
        used |= used_elsewhere
        if len(reached) > MOST:
            raise TakedownBlockedError(
                f"More than {MOST:,} sources refer to the record or to its dependents: too many for memory"
            )
    return reached, used


def _reached_in(batch: Batch, context: Context, reach: TakedownScope) -> _Reached:
    reached, used = list[tuple[str, int]](), set[str]()
    for raw, document in zip(batch.documents, _readable([batch], context), strict=True):
        if reach.includes(document):
            reached.append((raw.file, raw.line))
        else:
            used |= {entry.id for _, entry in document.uses}
    return reached, used


def _readable(batches: Iterable[Batch], context: Context) -> Iterator[Document]:
    """Yield the documents of batches that had no findings when they were read before.

    Raises:
        reader.CorpusChangedError: a file has changed since then.
    """
    for batch in batches:
        for document, findings in documents_in(batch, context):
            if document is None:
                raise reader.CorpusChangedError(
                    f"{findings[0].place.file} has changed since it was read"
                )
            yield document


# ---- new files -----------------------------------------------------------------------------------


def _written(corpus: CorpusReader, texts: NewTexts, folder: Path) -> dict[str, Path | None]:
    """Write the new files to a folder, and return their paths by the old ones; None if removed."""
    changed: dict[str, Path | None] = {}
    by_file: dict[str, dict[int, str | None]] = defaultdict(dict)
    for (file, line), text in texts.items():
        by_file[file][line] = text
    for number, (file, lines) in enumerate(by_file.items()):
        new = folder / str(number)
        text = lines.get(0)  # the new text of the whole file
        if 0 not in lines:
            _write_lines(new, corpus.tree, file, lines)
        elif text is not None:
            filesystem.write(new, text.encode())
        changed[file] = None if 0 in lines and text is None else new
        removed = {line - 1 for line, text in lines.items() if line and text is None}
        if removed and (packed := reader.packed_texts(corpus.tree, file)):
            changed[packed] = new.with_suffix(".texts")
            _write_texts(new.with_suffix(".texts"), corpus.tree, packed, removed)
    return changed


def _write_lines(path: Path, tree: FileTree, file: str, lines: Mapping[int, str | None]) -> None:
    """Write a copy of a shard with new lines; lines numbered after its last line are appended."""
    number = 0
    with closing(filesystem.NewFile(path)) as written:
        if tree.exists(file):
            with tree.opened(file) as opened:
                for number, line in enumerate(shards.lines(opened), start=1):
                    text = lines[number] if number in lines else line.decode()
                    if text is not None:
                        written.add(f"{text}\n".encode())
        for each in sorted(lines):
            if each > number:
                written.add(f"{lines[each]}\n".encode())


def _write_texts(path: Path, tree: FileTree, packed: str, removed: set[int]) -> None:
    """Write the packed texts of a shard without those of removed lines."""
    from defectors_data.publishers import shard_writer  # noqa: PLC0415  # pyarrow is slow to import

    try:
        data = shard_writer.texts_without(
            (tree.root / packed).read_bytes(), Path(packed).suffix, removed
        )
    except shard_writer.ShardWriteError as error:
        raise TakedownBlockedError(
            f"{packed} cannot be rewritten without the removed rows: {error}"
        ) from None
    filesystem.write(path, data)
