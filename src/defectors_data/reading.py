"""Seeds and annotations from disk to a `Corpus`; the only room that reads what people wrote.

Whatever is wrong with a file is a finding with its place, never an exception: bytes that are no text, YAML that is
none, keys and values that the models do not know. Where any file is at fault there is no corpus, because a check
on half of it would say what is not so. What was typed about a protected person is not repeated.
"""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from pydantic import ValidationError

from defectors_data import yamltext
from defectors_data.corpus import Corpus, Document, Shard
from defectors_data.explaining import explained
from defectors_data.findings import Finding, Place
from defectors_data.models import Annotations, Dataset, Record, SharedSpeakers, Tombstones, Vocabulary

LARGEST = 8 * 1024 * 1024
"""Bytes that a seed or an annotation file may have."""

Content = TypeVar("Content", bound=Record)


class Read(NamedTuple):
    """What was read: a corpus, or none and the findings that say why."""

    corpus: Corpus | None
    findings: list[Finding]


class Tree(NamedTuple):
    """The files below a folder, some of them as a change would leave them: with other bytes, or gone (None)."""

    root: FilePath
    changed: Mapping[str, bytes | None] = MappingProxyType({})

    def there(self, file: str) -> bool:
        """Tell whether there is such a file or folder."""
        return self.changed[file] is not None if file in self.changed else (self.root / file).exists()

    def names(self, folder: str, ending: str) -> list[str]:
        """Return the names in a folder that have an ending, in order."""
        on_disk = {f"{folder}/{path.name}" for path in (self.root / folder).glob(f"*{ending}")}
        return sorted(FilePath(file).name for file in on_disk if self.there(file))


def read(root: FilePath, *, changed: Mapping[str, bytes | None] = MappingProxyType({})) -> Read:
    """Read `dataset.yaml`, `annotations/` and `seeds/` below a folder.

    `changed` gives files, by path, as a change would leave them. Returns a corpus and no findings, or no corpus and
    every finding.
    """
    tree = Tree(root, changed)
    findings: list[Finding] = []
    dataset = _document(tree, "dataset.yaml", Dataset, findings)
    vocabulary = _document(tree, "annotations/vocabulary.yaml", Vocabulary, findings)
    shared = _document(tree, "annotations/speakers.yaml", SharedSpeakers, findings)
    tombstones = _tombstones(tree, findings)
    documents = {file: _document(tree, file, Annotations, findings) for file in _annotation_files(tree)}
    shards = [_shard(tree, document, findings) for document in documents.values() if document]
    findings += _unannotated_seeds(tree, documents, tombstones)
    if findings or not (dataset and vocabulary and shared and tombstones):
        return Read(None, findings)
    whole = tuple(shard for shard in shards if shard)
    return Read(Corpus(dataset, vocabulary, shared, tombstones, whole), [])


def text_of(root: FilePath, file: str) -> tuple[str | None, list[Finding]]:
    """Read a file below the root as UTF-8; returns its text, or None and what was wrong."""
    return _text_of(Tree(root), file)


def _text_of(tree: Tree, file: str) -> tuple[str | None, list[Finding]]:
    data, findings = _bytes_of(tree, file)
    return (None, findings) if data is None else _decoded(data, file)


def source_ids(root: FilePath) -> set[str]:
    """Return the ids of the sources that can be read."""
    tree = Tree(root)
    documents = [_document(tree, file, Annotations, []) for file in _annotation_files(tree)]
    return {document.content.source.id for document in documents if document}


# ---- files -------------------------------------------------------------------------------------------------

_SHARED_FILES = {"vocabulary.yaml", "speakers.yaml", "tombstones.yaml"}


def _tombstones(tree: Tree, findings: list[Finding]) -> Document[Tombstones] | None:
    """Read what was taken out; where nothing ever was, there is no such file."""
    file = "annotations/tombstones.yaml"
    if not tree.there(file):
        return Document(file, Tombstones(), {})
    return _document(tree, file, Tombstones, findings)


def _annotation_files(tree: Tree) -> list[str]:
    return [f"annotations/{name}" for name in tree.names("annotations", ".yaml") if name not in _SHARED_FILES]


def _unannotated_seeds(
    tree: Tree, documents: Mapping[str, Document[Annotations] | None], tombstones: Document[Tombstones] | None
) -> Iterator[Finding]:
    """Find the seeds that no file names; a file that could not be read counts for the seed it is named like."""
    named = {document.content.source.seed for document in documents.values() if document}
    named |= {str(stone.seed) for stone in tombstones.content.tombstones} if tombstones else set()
    named |= {f"{FilePath(file).stem}.txt" for file, document in documents.items() if not document}
    for seed in tree.names("seeds", ".txt"):
        if seed not in named:
            yield seed_without_annotations(f"seeds/{seed}", f"annotations/{FilePath(seed).stem}.yaml")


def _bytes_of(tree: Tree, file: str) -> tuple[bytes | None, list[Finding]]:
    if data := tree.changed.get(file):
        return data, []
    path = tree.root / file
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            return None, [file_unreadable(file, "it is no file")]
        if found.st_size > LARGEST:
            return None, [file_too_large(file)]
        return path.read_bytes(), []
    except OSError as error:
        return None, [file_unreadable(file, error.strerror or "it could not be read")]


def _decoded(data: bytes, file: str) -> tuple[str | None, list[Finding]]:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, [not_utf8(_byte_place(data, error.start, file), f"Byte 0x{data[error.start]:02X} is no UTF-8.")]
    for unwanted, name in (("\ufeff", "a byte order mark"), ("\x00", "a NUL character")):
        if unwanted in text:
            at = len(text[: text.index(unwanted)].encode())
            return None, [not_utf8(_byte_place(data, at, file), f"The file holds {name}.")]
    return text, []


def _byte_place(data: bytes, at: int, file: str) -> Place:
    before = data[:at].decode("utf-8", errors="replace")
    return Place(file, before.count("\n") + 1, len(before) - before.rfind("\n"))


# ---- one file into a model ---------------------------------------------------------------------------------


def _document(tree: Tree, file: str, model: type[Content], findings: list[Finding]) -> Document[Content] | None:
    """Read a file into a model; what is wrong is added to the findings."""
    text, faults = _text_of(tree, file)
    findings += faults
    if text is None:
        return None
    typed = yamltext.parse(text, file=file)
    findings += typed.findings
    if typed.value is None and typed.findings:
        return None
    try:
        content = model.model_validate({} if typed.value is None else typed.value)
    except ValidationError as error:
        findings += explained(error, typed, file)
        return None
    return None if typed.findings else Document(file, content, typed.places)


def _shard(tree: Tree, document: Document[Annotations], findings: list[Finding]) -> Shard | None:
    """Read the seed that annotations name, and prove its bytes; what is wrong is added to the findings."""
    source = document.content.source
    seed = f"seeds/{source.seed}"
    at = document.place("source", "seed")
    if FilePath(source.seed).stem != FilePath(document.file).stem:
        findings.append(file_of_another_seed(at))
    data, faults = _bytes_of(tree, seed)
    if data is None and not tree.there(seed):
        faults = [seed_missing(at, seed)]
    findings += faults
    if data is None:
        return None
    actual = hashlib.sha256(data).hexdigest()
    text, faults = _decoded(data, seed)
    if text is not None and actual != source.sha256:
        faults = [seed_changed(document.place("source", "sha256"), seed, actual)]
    findings += faults
    return None if text is None or faults else Shard(document.file, document.content, document.places, text)


# ---- faults ------------------------------------------------------------------------------------------------


def file_unreadable(file: str, reason: str) -> Finding:
    """Every file of the project that is needed is there and can be read."""
    return Finding(Place(file), "file-unreadable", f"This file is needed and cannot be read: {reason}.")


def file_too_large(file: str) -> Finding:
    """A seed or an annotation file has eight mebibytes at most."""
    return Finding(Place(file), "file-too-large", f"This file has more than {LARGEST // 1024 // 1024} MiB.")


def not_utf8(place: Place, message: str) -> Finding:
    """Files are UTF-8, without a byte order mark and without NUL characters."""
    return Finding(place, "not-utf8", message, ("Files must be UTF-8 without a byte order mark or NUL characters.",))


def seed_missing(place: Place, seed: str) -> Finding:
    """The seed that a source names is a file in `seeds/`."""
    return Finding(place, "seed-missing", f"There is no file {seed}.")


def seed_changed(place: Place, seed: str, actual: str) -> Finding:
    """A seed has the bytes that were annotated: seeds are never edited."""
    message = f"{seed} is not the file that was annotated: its sha256 is {actual}."
    hint = "Restore the seed. If it was replaced on purpose, read it against its annotations, then change `sha256`."
    return Finding(place, "seed-changed", message, (hint,))


def seed_without_annotations(seed: str, file: str) -> Finding:
    """Every `.txt` file in `seeds/` is annotated."""
    return Finding(Place(seed), "seed-without-annotations", f"No file {file} annotates this seed.")


def file_of_another_seed(place: Place) -> Finding:
    """An annotation file is named like its seed."""
    return Finding(place, "file-of-another-seed", "This file must be named like its seed, with the ending .yaml.")


FAULTS = (
    file_unreadable,
    file_too_large,
    not_utf8,
    seed_missing,
    seed_changed,
    seed_without_annotations,
    file_of_another_seed,
)
