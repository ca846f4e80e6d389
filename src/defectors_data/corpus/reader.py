"""The files of a corpus: its documents in batches, and the context that they share.

A problem with a file is a finding with its place, never an exception. Files outside the project,
and files that exceed a limit, are not read. `document_reader` reads a document of a batch.

Documents are yielded in the order of their sources' ids, whether they come from YAML files or from
shards, so that the layout of a corpus does not change its tables.
"""

from __future__ import annotations

import re
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from heapq import merge
from itertools import islice
from operator import itemgetter
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import from_json, to_json

from defectors_data.corpus import alterations, file_tree, json_reader, shards, yaml_reader
from defectors_data.corpus.document_reader import (
    RawDocument,
    faults_of_reading_in,
    parsed_file,
    parsed_line,
    read_document,
    read_line,
    seed_missing,
    seed_name_mismatch,
    shard_without_texts,
)
from defectors_data.corpus.file_tree import (
    FileTree,
    bytes_of,
    file_unreadable,
    folder_faults,
    why_not,
)
from defectors_data.corpus.findings import Finding, PartlyRead, Path, Place, ProjectFile
from defectors_data.corpus.shared_context import (
    Context,
    InnerList,
    ListFile,
    ListShard,
    SharedSpeakers,
)
from defectors_data.corpus.validation_errors import Content, readable_values, to_project_file
from defectors_data.corpus.yaml_reader import Places
from defectors_data.models.annotation import Annotations, SharedSpeakersFile
from defectors_data.models.fields import Record
from defectors_data.models.project import (
    Changelog,
    ComparisonNotes,
    Dataset,
    ReleasedIds,
    Tombstones,
    Vocabulary,
)

# ---- raw documents -------------------------------------------------------------------------------


class CorpusChangedError(OSError):
    """A file changed while a command was reading the corpus; the message names it."""


_SEED = re.compile(rb'"seed": ?"([\w.-]+)"')

BATCH_BYTES = 512 * 1024
"""Size in bytes, of annotations and packed texts together, at which a batch is complete."""


class Batch(NamedTuple):
    """Documents that are processed together, and the files that contain their seeds."""

    documents: tuple[RawDocument, ...]
    tree: FileTree


_READ = (".yaml", ".jsonl")
_ENDINGS = (*_READ, ".yml")
"""File extensions of annotations that are read and, in small letters, of others that look so."""

LISTS = ("speakers", "tombstones", "comparisons", "releases")
"""Names, without extension, of the lists that all sources share: YAML files in `annotations/`, or
shards of entries."""

STATEMENTS = "statements"
"""The name of a list that is in the file of `comparisons`, unless it is a separate shard."""

SHARED_FILES = {"vocabulary.yaml", *(f"{name}.yaml" for name in LISTS)}
"""Files in `annotations/` that do not annotate an article, so no seed may have their names."""


READINGS = "annotations/readings"
"""The folder of readings; `SEED.READER.yaml` is what one reader marked before adjudication."""


class CorpusReader:
    """A reader of a project in any layout: YAML files, shards, or both."""

    def __init__(self, tree: FileTree) -> None:
        """List the folders; no file is read yet."""
        self.tree = tree
        self.findings = [*folder_faults(tree, "annotations"), *folder_faults(tree, "seeds")]
        """The findings about whole files; more are added while files are read."""
        self.can_be_read = not self.findings
        self.yaml_files = self._annotations(".yaml", SHARED_FILES)
        """The YAML files that annotate one source each, sorted."""
        self.shards = self._annotations(
            ".jsonl", {f"{name}.jsonl" for name in (*LISTS, STATEMENTS)}
        )
        """The shards of documents, sorted."""

    def _annotations(self, ending: str, others: set[str]) -> list[str]:
        if not self.can_be_read:
            return []
        names = self.tree.names("annotations", ending)
        return [f"annotations/{name}" for name in names if name not in others]

    @property
    def readings(self) -> dict[str, str]:
        """The files below `annotations/readings/`, each with the stem of its seed.

        They are readings, `SEED.READER.yaml`, and pages, such as `SEED.decisions.md`.
        """
        if not (self.tree.root / READINGS).is_dir():
            return {}
        found = {}
        for file in self._files_below(READINGS):
            name = FilePath(file).name.removesuffix(".yaml").removesuffix(".md")
            seed, _, _reader = name.rpartition(".")
            found[file] = seed
        return found

    def _files_below(self, folder: str) -> Iterator[str]:
        for name in self.tree.visible(folder):
            file = f"{folder}/{name}"
            path = self.tree.root / file
            if path.is_dir() and not path.is_symlink():
                yield from self._files_below(file)
            else:
                yield file

    @cached_property
    def readable_context(self) -> tuple[Context | None, list[Finding]]:
        """The context with what could be read, and what is wrong with its files.

        It is None if the folder cannot be read.
        """
        if self.can_be_read:
            return read_context(self.tree)
        return (None, [])

    @property
    def context(self) -> tuple[Context | None, list[Finding]]:
        """The context, or None if anything is wrong with its files, and what is wrong."""
        context, findings = self.readable_context
        return (None if findings else context), findings

    def batches(self, size: int = shards.BLOCK) -> Iterator[Batch]:
        """Yield all documents in the order of their sources' ids.

        Problems with whole files are added to `findings`.
        """
        if not self.can_be_read:
            return
        yield from self._batched(self._documents(size), size)

    def _documents(self, size: int) -> Iterator[RawDocument]:
        """Yield all documents in the order of their sources' ids."""
        files = [(_id_in(raw.data), raw) for raw in self._yaml()]
        if not files:  # the ids in shards are not needed
            yield from self._all_lines(size)
            return
        # The YAML files are already sorted by name, and sorting keeps the order of equal ids.
        files.sort(key=itemgetter(0))
        lines = ((_id_in(raw.data), raw) for raw in self._all_lines(size))
        # `merge` needs sorted input; shards that are not sorted get a finding.
        for _, raw in merge(files, lines, key=itemgetter(0)):
            yield raw

    def _batched(
        self, documents: Iterable[RawDocument], size: int = shards.BLOCK
    ) -> Iterator[Batch]:
        batch: list[RawDocument] = []
        read = 0
        for raw in documents:
            batch.append(raw)
            read += len(raw.data) + len(raw.text)
            if len(batch) == size or read >= BATCH_BYTES:
                yield Batch(tuple(batch), self.tree)
                batch, read = [], 0
        if batch:
            yield Batch(tuple(batch), self.tree)

    def count(self, most: int) -> int:
        """Return the number of documents, or `most` + 1 if there are more than `most`."""
        found = len(self.yaml_files)
        for file in self.shards:
            if found > most or self.tree.reason(file):
                continue
            with self.tree.opened(file) as opened:
                found += sum(1 for _ in islice(opened, most + 1 - found))
        return min(found, most + 1)

    def open(self, wanted: Iterable[tuple[str, int]]) -> Iterator[Batch]:
        """Yield the documents at the given files and lines, in batches.

        The order of the given files is kept.
        """
        lines: dict[str, set[int]] = defaultdict(set)
        for file, line in wanted:
            lines[file].add(line)
        for file, numbers in lines.items():
            if 0 in numbers:  # a YAML file
                data, _ = bytes_of(self.tree, file)
                found = () if data is None else (RawDocument(file, 0, data),)
                yield Batch(found, self.tree)
                continue
            yield from self._batched(raw for raw in self._lines(file) if raw.line in numbers)

    def annotated(self, stems: Collection[str]) -> dict[str, RawDocument]:
        """Return the documents that annotate the seeds with these stems, by stem."""
        found = {FilePath(raw.file).stem: raw for raw in self._yaml()}
        # Most lines name none of these seeds, and searching the bytes is much faster than parsing
        # them.
        names = [re.escape(f'"{stem}.txt"') for stem in sorted(stems)]
        named = re.compile("|".join(names).encode())
        if stems:
            for raw in self._all_lines():
                if named.search(raw.data) and (read := read_line(raw, Annotations, [])):
                    found[FilePath(read.content.source.seed).stem] = raw
        return {stem: raw for stem, raw in found.items() if stem in stems}

    @cached_property
    def size(self) -> int:
        """The size of all annotations in bytes, by which progress is measured."""
        size = 0
        for file in (*self.yaml_files, *self.shards):
            if not self.tree.reason(file):
                size += self.tree.path(file).stat().st_size
        return size

    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the text of each seed, without reading the annotations.

        Seeds that cannot be read are left out.
        """
        for name in self.tree.names("seeds", ".txt"):
            data, _ = bytes_of(self.tree, f"seeds/{name}")
            yield f"seeds/{name}", (data or b"").decode(errors="replace")
        for raw in self._all_lines():
            if raw.packed:
                # Lines that cannot be parsed have a text, too.
                seed = _SEED.search(raw.data)
                name = seed[1].decode() if seed else raw.row_id
                yield f"{raw.packed}/{name}", raw.text.decode(errors="replace")

    def _yaml(self) -> Iterator[RawDocument]:
        for file in self.yaml_files:
            data, findings = bytes_of(self.tree, file)
            self.findings += findings
            if data is not None:
                yield RawDocument(file, 0, data)

    def _all_lines(self, size: int = shards.BLOCK) -> Iterator[RawDocument]:
        for file in self.shards:
            yield from self._lines(file, size)

    def _lines(self, file: str, size: int = shards.BLOCK) -> Iterator[RawDocument]:
        packed = packed_texts(self.tree, file)
        if findings := list(_unreadable(self.tree, file, packed)):
            self.findings += findings
            return
        try:
            for block in shards.blocks(self.tree.opened, file, packed, size=size):
                for i in range(len(block.lines)):
                    yield _raw(file, packed, block, i)
        except shards.ShardTextsError as error:
            self.findings.append(shard_without_texts(str(packed), str(error)))
        except OSError as error:
            self.findings.append(file_unreadable(file, why_not(error)))

    def packed_texts(self) -> Iterator[tuple[str, bytes]]:
        """Yield the text of each source whose text is packed, with the source's id."""
        for file in self.shards:
            if packed_texts(self.tree, file):
                for raw in self._lines(file):
                    yield raw.row_id, raw.text

    def seed_findings(self, named: Collection[str], context: Context) -> Iterator[Finding]:
        """Yield findings for files in `seeds/` without annotations.

        `named` contains the seeds that documents name.
        """
        # A YAML file that cannot be read names no seed, but still annotates the seed of the same
        # name.
        stems = {f"{FilePath(file).stem}.txt" for file in self.yaml_files}
        known = {*named, *stems, *(str(stone.seed) for stone in context.tombstones if stone.seed)}
        for seed in self.tree.names("seeds", ".txt"):
            file, stem = f"seeds/{seed}", FilePath(seed).stem
            if f"{stem}.yaml" in SHARED_FILES:
                yield _seed_of_taken_name(file, stem)
            elif seed in known:
                continue
            elif reason := self.tree.reason(file):
                yield file_unreadable(file, reason)
            elif not self.tree.exists(f"annotations/{stem}.yml"):  # which has its own finding
                yield seed_without_annotations(file, stem)

    def files_not_read(self) -> Iterator[Finding]:
        """Yield findings for files that look like seeds or annotations but are not read.

        Readings are included, whose records are read only when they are compared.
        """
        for name in self.tree.visible("seeds"):
            if name.endswith(".txt") or name.startswith("README"):
                continue
            shard = f"annotations/{FilePath(name).stem}.jsonl"
            if not (name.endswith(shards.PACKED) and self.tree.exists(shard)):
                folder = (self.tree.root / "seeds" / name).is_dir()
                yield file_not_read(f"seeds/{name}", ".txt", folder=folder)
        for name in self.tree.visible("annotations"):
            path = self.tree.root / "annotations" / name
            folder = path.is_dir() and name != FilePath(READINGS).name and any(path.glob("*.yaml"))
            is_other = name.casefold().endswith(_ENDINGS) and not name.endswith(_READ)
            if folder or (is_other and not path.is_dir()):
                yield file_not_read(f"annotations/{name}", ".yaml", folder=folder)
        for file in self.readings:
            if reason := self.tree.reason(file):
                yield file_unreadable(file, reason)
            elif file.casefold().endswith(_ENDINGS) and not file.endswith(".yaml"):
                yield file_not_read(file, ".yaml", folder=False)
            elif file.endswith(".yaml"):
                data, faults = bytes_of(self.tree, file)
                yield from faults
                if data:
                    yield from faults_of_reading_in(data, file)


def packed_texts(tree: FileTree, shard: str) -> str | None:
    """Return the file that packs the texts of a shard, or None if each text is a file."""
    for ending in shards.PACKED:
        file = f"seeds/{FilePath(shard).stem}{ending}"
        if tree.exists(file):
            return file
    return None


def _unreadable(tree: FileTree, shard: str, packed: str | None) -> Iterator[Finding]:
    """Yield findings for unreadable files of a shard, and for a second file of texts."""
    for file in (shard, packed):
        if file and (reason := tree.reason(file)):
            yield file_unreadable(file, reason)
    other = f"seeds/{FilePath(shard).stem}{shards.PACKED[1]}"
    if packed and packed != other and tree.exists(other):
        yield shard_without_texts(other, f"{packed} contains them too")


def _raw(file: str, packed: str | None, block: shards.ShardBlock, i: int) -> RawDocument:
    if block.texts is None:
        return RawDocument(file, block.first + i, block.lines[i])
    # The text is taken as bytes: if it were decoded, it would have to be encoded again for the
    # checksum.
    text = block.texts["text"][i].as_buffer().to_pybytes()
    row_id = block.texts["source_id"][i].as_py()
    return RawDocument(file, block.first + i, block.lines[i], packed, row_id, text)


def _id_in(data: bytes) -> str:
    """Return the id of the source in a YAML file or a line of a shard; empty if there is none.

    Only the text before the id is parsed; nothing is parsed if a line begins as in the output of
    `defectors-data shard`.
    """
    if found := re.match(rb'\{"source": ?\{"id": ?"([a-z0-9-]+)"', data):
        return found[1].decode()
    import yaml  # noqa: PLC0415  # shards rarely need it

    keys = list[str | None]()  # for each open collection, the key whose value comes next
    # Errors, such as more events than `MOST`, are reported when the document is read; here only the
    # order matters.
    with suppress(yaml.YAMLError, UnicodeDecodeError):
        for event in islice(yaml.parse(data, Loader=yaml.CBaseLoader), yaml_reader.MOST):
            if isinstance(event, yaml.CollectionStartEvent):
                keys.append(None)
                if len(keys) > yaml_reader.DEEPEST:  # refused later; libyaml slows down with depth
                    break
            elif isinstance(event, yaml.CollectionEndEvent):
                # The collection was the value of the last key outside it, so a key comes next.
                keys[-2:] = [None] if len(keys) > 1 else []
            elif isinstance(event, yaml.ScalarEvent) and keys:
                if keys == ["source", "id"]:
                    return str(event.value)
                keys[-1] = event.value if keys[-1] is None else None
    return ""


# ---- the context ---------------------------------------------------------------------------------


_TERMS_OF_RECORDS = {"themes", "measures", "populations", "factors", "act_kinds", "places"}
"""The lists of the vocabulary of which an invalid term can be left out: the rules on other records
do not use it."""


def read_context(tree: FileTree) -> tuple[Context, list[Finding]]:
    """Read the files that all documents share, and return them with all that is wrong.

    Invalid records are left out; a value or a list that could not be read raises `UnreadError` when
    it is needed. Files with the same bytes give the same context, for which rules cache results.
    """
    findings: list[Finding] = []
    dataset = _mapping(tree, "dataset.yaml", Dataset, findings)
    vocabulary = _mapping(tree, "annotations/vocabulary.yaml", Vocabulary, findings)
    speakers = _list(tree, "speakers", SharedSpeakersFile, findings, needed=True)
    tombstones = _list(tree, "tombstones", Tombstones, findings)
    comparisons = _list(tree, "comparisons", ComparisonNotes, findings)
    statements = _statements(tree, comparisons, findings)
    changelog, releases = _changelog(tree, findings), _list(tree, "releases", ReleasedIds, findings)
    pairs = comparisons, statements
    context = _context(dataset, vocabulary, speakers, tombstones, *pairs, changelog, releases)
    return context, findings


@lru_cache(maxsize=2)
def _context(
    dataset: ProjectFile[Any],
    vocabulary: ProjectFile[Any],
    speakers: ListFile[Any],
    *others: Any,
) -> Context:
    return Context(dataset, vocabulary, SharedSpeakers(speakers), *others)


def _statements(
    tree: FileTree, comparisons: ListFile[Any], findings: list[Finding]
) -> ListFile[Any]:
    """Return the relations between statements: a key of the file of comparisons, or a shard."""
    shard = f"annotations/{STATEMENTS}.jsonl"
    if isinstance(comparisons, ListShard):
        inner = ListFile[Any](ProjectFile(comparisons.file, ComparisonNotes(), {}), STATEMENTS)
    else:
        inner = _inner_list(comparisons.written)
    if not tree.exists(shard):
        return inner
    if not isinstance(inner.written.content, PartlyRead) and len(inner):
        findings.append(_list_twice(shard, comparisons.file))
    return _list_shard(tree, shard, STATEMENTS, ComparisonNotes, findings)


@lru_cache(maxsize=2)
def _inner_list(written: ProjectFile[Any]) -> ListFile[Any]:
    return InnerList(written, STATEMENTS)


def _unread(file: str, key: str = "") -> ProjectFile[Any]:
    """Return a file of which nothing could be read."""
    return ProjectFile(file, PartlyRead(), {}, unread=[(key, "")])


CHANGELOG = "CHANGELOG.md"


def _changelog(tree: FileTree, findings: list[Finding]) -> ProjectFile[Changelog]:
    """Read the changelog; if there is none, return an empty one."""
    if not tree.exists(CHANGELOG):
        return _NO_CHANGELOG
    data, faults = bytes_of(tree, CHANGELOG)
    findings += faults
    if data is None:
        return _unread(CHANGELOG)
    read, wrong = _parsed_changelog(data)
    findings += wrong
    return read


_NO_CHANGELOG = ProjectFile(CHANGELOG, Changelog(), {})


@lru_cache(maxsize=2)
def _parsed_changelog(data: bytes) -> tuple[ProjectFile[Any], tuple[Finding, ...]]:
    text, faults = file_tree.written_text(data, CHANGELOG)
    if text is None:
        return _unread(CHANGELOG), tuple(faults)
    lines = tuple(text.split("\n"))
    places: dict[Path, Place] = {("lines", i): Place(CHANGELOG, i + 1) for i in range(len(lines))}
    return ProjectFile(CHANGELOG, Changelog(lines=lines), places), tuple(faults)


def _mapping(
    tree: FileTree, file: str, model: type[Content], findings: list[Finding]
) -> ProjectFile[Any]:
    """Read a file that is a mapping; values that could not be read are left out."""
    data, faults = bytes_of(tree, file)
    findings += faults
    if data is None:
        return _unread(file)
    read, wrong = _parsed_mapping(data, file, model)
    findings += wrong
    return read


@lru_cache(maxsize=4)
def _parsed_mapping(
    data: bytes, file: str, model: type[Record]
) -> tuple[ProjectFile[Any], tuple[Finding, ...]]:
    findings: list[Finding] = []
    typed = parsed_file(data, file, findings)
    if typed is None:
        return _unread(file), tuple(findings)
    read: ProjectFile[Any] | None = to_project_file(typed, file, model, findings, partly=True)
    if not read or not {key for key, _ in read.unread or ()} <= _TERMS_OF_RECORDS:
        values = PartlyRead(readable_values(typed, file, model))
        read = ProjectFile(file, values, typed.places, typed=typed.text, unread=[("", "")])
    return read, tuple(findings)


def _list(
    tree: FileTree, name: str, model: type[Record], findings: list[Finding], *, needed: bool = False
) -> ListFile[Any]:
    """Read a list: YAML, or a shard with one entry per line.

    If it is not `needed`, its file may be missing.
    """
    written, shard = f"annotations/{name}.yaml", f"annotations/{name}.jsonl"
    if tree.exists(shard):
        if tree.exists(written):
            findings.append(_list_twice(shard, written))
            return ListFile(_unread(shard, name), name)
        return _list_shard(tree, shard, name, model, findings)
    if not (needed or tree.exists(written)):
        return _empty_list(written, name, model)
    data, faults = bytes_of(tree, written)
    findings += faults
    if data is None:
        return ListFile(_unread(written, name), name)
    found, wrong = _parsed_list(data, written, name, model)
    findings += wrong
    return found


@cache
def _empty_list(file: str, name: str, model: type[Record]) -> ListFile[Any]:
    return ListFile(ProjectFile(file, model(), {}), name)


@lru_cache(maxsize=8)
def _parsed_list(
    data: bytes, written: str, name: str, model: type[Record]
) -> tuple[ListFile[Any], tuple[Finding, ...]]:
    findings: list[Finding] = []
    typed = parsed_file(data, written, findings)
    file = typed and to_project_file(typed, written, model, findings, partly=True)
    # References to a shared speaker whose id is unknown are not reported.
    is_listed = name == "speakers" or (name, "") not in (getattr(file, "unread", None) or ())
    if file is None or not is_listed:
        file = _unread(written, name)
    return ListFile(file, name), tuple(findings)


def _list_shard(
    tree: FileTree, file: str, name: str, model: type[Record], findings: list[Finding]
) -> ListFile[Any]:
    if reason := tree.reason(file):
        findings.append(file_unreadable(file, reason))
        return ListFile(_unread(file, name), name)
    before = len(findings)
    with tree.opened(file) as opened:
        lines = list(shards.lines(opened))
    for number, line in enumerate(lines, start=1):
        _check_entry(RawDocument(file, number, line), name, model, findings)
    if len(findings) > before:
        return ListFile(_unread(file, name), name)
    return ListShard(file, name, lines, model)


def _check_entry(raw: RawDocument, name: str, model: type[Record], findings: list[Finding]) -> None:
    """Check an entry of a list; what is wrong is added to the findings."""
    with suppress(ValueError, ValidationError):
        value = from_json(raw.data, allow_inf_nan=False)
        # As in `read_line`: a repeated key would be lost.
        if to_json(value) == raw.data:
            model.model_validate({name: [value]})
            return
    if typed := parsed_line(raw, findings):
        # `model` describes the whole list, not a single entry.
        nested = typed._replace(
            value={name: [typed.value]},
            places=_nested(typed.places, name),
            keys=_nested(typed.keys, name),
            doubled={(name, 0, *path) for path in typed.doubled},
        )
        to_project_file(nested, raw.file, model, findings)


def _nested(places: Places, name: str) -> Places:
    """Return the places of an entry by their paths in a list of one."""
    return {(name, 0, *path): place for path, place in places.items()}


# ---- single files --------------------------------------------------------------------------------


def text_of(root: FilePath, file: str) -> tuple[str | None, list[Finding]]:
    """Return the text of a seed or of a hand-written file, or None and what is wrong."""
    data, findings = bytes_of(FileTree(root), file)
    if data is None:
        return None, findings
    if file.startswith("seeds/"):
        return file_tree.seed_text(data, file)
    return file_tree.written_text(data, file)


def source_ids(root: FilePath) -> set[str]:
    """Return the ids of the sources that can be read."""
    found = set()
    for batch in CorpusReader(FileTree(root)).batches():
        for raw in batch.documents:
            if file := read_document(raw, batch.tree).file:
                found.add(file.content.source.id)
    return found


# ---- findings ------------------------------------------------------------------------------------


def file_not_read(file: str, ending: str, *, folder: bool) -> Finding:
    """Seeds must be `.txt` files, annotations `.yaml` files or shards, and readings `.yaml` files.

    Hidden files, READMEs and pages on readings are ignored.
    """
    message = f"This file is not read, because its name does not end in `{ending}`."
    hint = "Rename it, or move it elsewhere."
    if folder:
        message = "The files in this folder are not read."
        hint = f"Move them to {file.rpartition('/')[0]}/."
    return Finding(Place(file), "file-not-read", message, (hint,))


def no_annotations() -> Finding:
    """A project must have at least one annotated seed.

    An empty package must not replace a published one.
    """
    message = "There is no annotated seed, so there is nothing to publish."
    hint = (
        "Save an article's text as seeds/001_word.txt, with a word of your choice; `defectors-data "
        "draft --fill 001_word` then proposes its records."
    )
    return Finding(Place("seeds"), "no-annotations", message, (hint,))


def seed_without_annotations(seed: str, stem: str) -> Finding:
    """Every `.txt` file in `seeds/` must be annotated."""
    message = f"This seed has no annotations: there is no file annotations/{stem}.yaml."
    hint = (
        f"Create them with `defectors-data draft --fill {shlex.quote(seed)}`, or move the file "
        "elsewhere if it is not an article."
    )
    return Finding(Place(seed), "seed-without-annotations", message, (hint,))


def _seed_of_taken_name(seed: str, stem: str) -> Finding:
    """Report `seed-without-annotations` for a seed with the name of a shared file."""
    message = f"A seed cannot have this name: annotations/{stem}.yaml does not annotate an article."
    return Finding(Place(seed), "seed-without-annotations", message, ("Rename the seed.",))


def shard_out_of_order(place: Place) -> Finding:
    """Sources must be sorted by id across all shards, in order of file names."""
    message = "An earlier source has a greater id."
    hint = (
        "Sort the lines by id, by code point as `LC_ALL=C sort` does; `defectors-data shard` "
        "writes them in this order."
    )
    return Finding(place, "shard-out-of-order", message, (hint,))


def _list_twice(shard: str, written: str) -> Finding:
    """Report `shard-out-of-order` for a list that exists both as YAML and as a shard."""
    message, hint = f"{written} contains the same list.", "Keep one of the two files."
    return Finding(Place(shard), "shard-out-of-order", message, (hint,))


FAULTS = (
    file_tree.file_unreadable,
    file_tree.file_too_large,
    file_tree.file_empty,
    file_tree.not_utf8,
    file_tree.seed_character,
    file_tree.seed_wrapped,
    file_not_read,
    no_annotations,
    seed_missing,
    file_tree.seed_empty,
    file_tree.seed_changed,
    seed_without_annotations,
    seed_name_mismatch,
    *alterations.FAULTS,
    *json_reader.FAULTS,
    shard_out_of_order,
    shard_without_texts,
)
