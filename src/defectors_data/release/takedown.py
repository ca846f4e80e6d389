"""Takedown of a record: it is removed from the annotations, with all that rests on it, and the rest is published.

What a takedown changes is planned and checked before anything is written. Documents are read one at a time, and only
those that the takedown may change are kept in memory; the files as they would be are written to a temporary folder.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

from defectors_data import pipeline
from defectors_data.corpus import reader, shards
from defectors_data.corpus.context import Context
from defectors_data.corpus.files import Tree
from defectors_data.corpus.findings import Finding
from defectors_data.corpus.reader import Batch, CorpusReader
from defectors_data.evidence.document import Document
from defectors_data.executors import Executor, serial
from defectors_data.models.project import Tombstone
from defectors_data.models.vocabularies import TakedownReason
from defectors_data.package import filesystem
from defectors_data.package.publication import Site
from defectors_data.pipeline import OnProgress, Options
from defectors_data.release import corpus_update
from defectors_data.release.corpus_update import Change
from defectors_data.release.removal import Edited, InTheWay, Reach, Taking

if TYPE_CHECKING:
    from defectors_data.build import Built


from typing import Any

from defectors_data.corpus.context import ListFile
from defectors_data.corpus.project_file import ProjectFile
from defectors_data.models.vocabularies import RecordTable
from defectors_data.release import yaml_editor
from defectors_data.release.removal import record_of, slug

MOST = 5_000
"""Documents that one takedown may reach: they are in memory at once."""

_CHECK, _EVERYTHING = Options(tables=False), Options()

OnChanged = Callable[[Sequence[Tombstone]], None]
"""Is called with the tombstones when the annotations are changed, before the build."""


class Plan(NamedTuple):
    """What a takedown changes, or the findings because of which it changes nothing."""

    findings: list[Finding]
    tombstones: list[Tombstone]
    """A row for each record that goes."""
    changed: Mapping[str, Path | None]
    """The new files by the path of the old ones; None for a file that is removed."""
    sums: Mapping[str, str]
    """The SHA-256 of each file before it was read."""
    printed: Sequence[Printed] = ()
    """Of a person, where the surname is still printed."""

    def changes(self) -> Iterator[Change]:
        """Give the changes of files, one at a time."""
        for file, path in self.changed.items():
            yield Change(file, path.read_bytes() if path else None, self.sums.get(file))


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
) -> tuple[Plan, Built | None]:
    """Take a record and all that rests on it out of the annotations below `root`, then publish to `out`.

    With findings in the plan nothing is changed. An exception after `on_changed` was called comes from the build: the
    annotations are changed, and a build publishes them.

    Raises:
        withdrawing.NoRecord: there is no such record.
        withdrawing.InTheWay: something has to be changed by hand first, or more rests on the record than is held.
        corpus_update.Linked: a file that changes is a link, or has a hard link.
        corpus_update.Edited: a file was edited while the takedown was planned.
        corpus_update.Interrupted: some files are changed and others are not; `corpus_update.complete` changes them.
        publishing.AnotherBuild: another process publishes to `out`, or takes something out.
        OSError: the file system refused.
    """
    from defectors_data.build import build  # noqa: PLC0415  # a plan needs no pyarrow

    with corpus_update.locked(root):
        with plan(root, record_id, reason=reason, day=day, executor=executor) as planned:
            if planned.findings:
                return planned, None
            with Site.locked(out):
                pass  # so that a place that cannot be published to is refused before anything changes
            corpus_update.update(root, planned.changes())
        on_changed(planned.tombstones)
        corpus = CorpusReader(Tree(root))
        return planned, build(corpus, out, options, executor=executor, created=created, on_progress=on_progress)


@contextmanager
def plan(
    root: Path, record_id: str, *, reason: TakedownReason, day: date, executor: Executor = serial
) -> Iterator[Plan]:
    """Give what a takedown changes; its new files are in a temporary folder, and nothing is written below `root`.

    The corpus has to be without findings before and afterwards.

    Raises:
        withdrawing.NoRecord: there is no such record.
        withdrawing.InTheWay: something has to be changed by hand first, or more rests on the record than is held.
    """
    corpus = CorpusReader(Tree(root))
    sums = _sums(corpus)
    if findings := pipeline.run(corpus, _CHECK, executor=executor).findings:
        yield Plan(findings, [], {}, sums)
        return
    taking = taking_of(corpus, record_id, executor)
    with TemporaryDirectory(prefix="defectors-data-") as folder:
        changed = _written(corpus, taking.edited(reason, day), Path(folder))
        after = CorpusReader(Tree(root, changed))
        findings = pipeline.run(after, _CHECK, executor=executor).findings
        named = [] if findings else printed(after, taking.surnames, executor)
        yield Plan(findings, taking.tombstones(reason, day), changed, sums, named)


def _sums(corpus: CorpusReader) -> dict[str, str]:
    """Return the SHA-256 of each file of the annotations, and of the texts that are packed."""
    if not corpus.can_be_read:
        return {}
    files = [f"annotations/{name}" for name in corpus.tree.visible("annotations")]
    files += filter(None, (reader.packed_texts(corpus.tree, shard) for shard in corpus.shards))
    return {file: filesystem.sha256(corpus.tree.root / file) for file in files if not corpus.tree.reason(file)}


_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
"""What may be an id; one without a hyphen may be any word."""


def pages_naming(root: Path, ids: Collection[str]) -> list[str]:
    """Return the pages of README.md and docs/ that name one of these ids, by path; they are generated, not edited."""
    pages = [page for page in (root / "README.md", *sorted((root / "docs").glob("**/*.md"))) if page.is_file()]
    texts = ((page, page.read_text(encoding="utf-8", errors="replace")) for page in pages)
    found = (page for page, text in texts if not set(ids).isdisjoint(_ID.findall(text)))
    return [page.relative_to(root).as_posix() for page in found]


# ---- which documents are reached ---------------------------------------------------------------------------------


def taking_of(corpus: CorpusReader, record_id: str, executor: Executor = serial) -> Taking:
    """Return what goes with a record of a corpus without findings: read it until no more documents are reached.

    Raises:
        withdrawing.NoRecord: there is no such record.
        withdrawing.InTheWay: too many documents are reached, or a shard is called after who goes.
    """
    context, _ = corpus.context
    assert context  # noqa: S101  # there are no findings
    reach = Reach(frozenset({record_id}))
    while True:
        reached, used_elsewhere = _reached(corpus, context, reach, executor)
        taking = Taking(list(_readable(corpus.open(reached), context)), context, record_id, used_elsewhere)
        wider = reach.with_all(taking.reach())
        if wider == reach:
            taking.refuse_shards(corpus.shards)
            return taking
        reach = wider


def _reached(
    corpus: CorpusReader, context: Context, reach: Reach, executor: Executor
) -> tuple[list[tuple[str, int]], set[str]]:
    """Return the files and lines of the documents that are reached, and the shared speakers that others use."""
    reached: list[tuple[str, int]] = []
    used: set[str] = set()
    for found, used_elsewhere in executor(_reached_in, corpus.batches(), context, reach):
        reached += found
        used |= used_elsewhere
        if len(reached) > MOST:
            raise InTheWay(f"more than {MOST:,} sources name the record or what rests on it: more than fit in memory")
    return reached, used


def _reached_in(batch: Batch, context: Context, reach: Reach) -> tuple[list[tuple[str, int]], set[str]]:
    """Return the same of a batch of documents."""
    reached, used = list[tuple[str, int]](), set[str]()
    for raw, document in zip(batch.documents, _readable([batch], context), strict=True):
        if reach.includes(document):
            reached.append((raw.file, raw.line))
        else:
            used |= {entry.id for _, entry in document.uses}
    return reached, used


def _readable(batches: Iterable[Batch], context: Context) -> Iterator[Document]:
    """Give the documents of batches, all of which could be read before."""
    for batch in batches:
        for document, findings in pipeline.documents_in(batch, context):
            if document is None:
                raise reader.Changed(f"{findings[0].place.file} has changed since it was read")
            yield document


# ---- files as they are afterwards --------------------------------------------------------------------------------


def _written(corpus: CorpusReader, edited: Edited, folder: Path) -> dict[str, Path | None]:
    """Write the files that change into a folder; returns them by path, None for a file that is removed."""
    texts: dict[str, dict[int, str | None]] = defaultdict(dict)
    for (file, line), text in edited.items():
        texts[file][line] = text
    changed: dict[str, Path | None] = {}
    for file, lines in texts.items():
        if 0 in lines:
            changed[file] = _write(folder, lines[0])
            continue
        changed[file] = _write_lines(folder, corpus.tree, file, lines)
        packed = reader.packed_texts(corpus.tree, file)
        gone = {number - 1 for number, line in lines.items() if line is None}
        if packed and gone:
            changed[packed] = _write_texts(folder, corpus.tree, packed, gone)
    return changed


def _write(folder: Path, text: str | None) -> Path | None:
    if text is None:
        return None
    path = _new(folder)
    filesystem.write(path, text.encode())
    return path


def _new(folder: Path) -> Path:
    return folder / str(len(list(folder.iterdir())))


def _write_lines(folder: Path, tree: Tree, file: str, lines: Mapping[int, str | None]) -> Path:
    """Write a shard with other lines; what has a number behind its last line is added."""
    path, number = _new(folder), 0
    with closing(filesystem.NewFile(path)) as written:
        if tree.exists(file):
            with tree.opened(file) as opened:
                for number, line in enumerate(shards.lines(opened), start=1):
                    text = lines[number] if number in lines else line.decode()
                    written.add(b"" if text is None else f"{text}\n".encode())
        for added in (lines[each] for each in sorted(lines) if each > number):
            written.add(f"{added}\n".encode())
    return path


def _write_texts(folder: Path, tree: Tree, packed: str, gone: set[int]) -> Path:
    """Write the packed texts of a shard without those whose lines are removed."""
    from defectors_data.release import shard_writer  # noqa: PLC0415  # pyarrow is slow to import

    path = _new(folder)
    try:
        filesystem.write(path, shard_writer.texts_without((tree.root / packed).read_bytes(), Path(packed).suffix, gone))
    except shard_writer.NotWritten as error:
        raise InTheWay(f"{packed} cannot be written without a row: {error}") from None
    return path


# ---- where a surname is still printed ----------------------------------------------------------------------------


class Printed(NamedTuple):
    """A line that contains the surname, and the record that prints it, if a record does."""

    file: str
    line: int
    table: RecordTable | None = None
    record_id: str | None = None


def printed(corpus: CorpusReader, surnames: Collection[str], executor: Executor = serial) -> list[Printed]:
    """Return the lines of a corpus that contain a surname, with or without its accents, in the order of the files."""
    sought = frozenset(map(slug, surnames)) - {slug("")}
    context, _ = corpus.context
    if not sought or not context:
        return []
    lists: tuple[ListFile[Any], ...] = (context.shared.listed, context.tombstones, context.comparisons)
    files: list[ProjectFile[Any]] = [context.dataset, context.vocabulary]
    files += (file for listed in lists for file, _ in listed.files())
    found = {line for file in files for line in _lines(file, sought)}
    for some in executor(_printed_in, corpus.batches(), context, sought):
        found |= some
    return sorted(found, key=lambda each: (each.file, each.line, each.record_id or ""))


def _printed_in(batch: Batch, context: Context, sought: Collection[str]) -> set[Printed]:
    """Return the lines of a batch of documents that contain a surname."""
    documents = (document for document, _ in pipeline.documents_in(batch, context) if document)
    return {line for document in documents for line in _lines(document.file, sought, document)}


def _lines(file: ProjectFile[Any], sought: Collection[str], document: Document | None = None) -> Iterator[Printed]:
    for path, text in file.texts():
        if _contains(text, sought):
            record = record_of(document, path) if document else (None, None)
            yield Printed(file.file, file.place(*path).line, *record)
    comments = yaml_editor.comments(file.typed) if "#" in file.typed and not file.is_line else ()
    yield from (Printed(file.file, line) for line, words in comments if _contains(words, sought))


def _contains(text: str, sought: Collection[str]) -> bool:
    plain = slug(text)
    return any(name in plain for name in sought)
