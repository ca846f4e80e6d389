"""Seeds and annotations from disk to a `Corpus`; the only room that reads what people wrote.

Whatever is wrong with a file is a finding with its place, never an exception: bytes that are no text, YAML that is
none, keys and values that the models do not know. Where any file is at fault there is no corpus, because a check
on half of it would say what is not so. What was typed about a protected person is not repeated. Nothing outside the
project is read, and nothing that is larger than a bound.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from pydantic import ValidationError

from defectors_data import bounding, yamltext
from defectors_data.corpus import Corpus, Document, Shard
from defectors_data.explaining import explained
from defectors_data.findings import Finding, Place
from defectors_data.models import Annotations, Comparisons, Dataset, Record, SharedSpeakers, Tombstones, Vocabulary
from defectors_data.naming import did_you_mean
from defectors_data.yamltext import Comment, Typed

LARGEST = 8 * 1024 * 1024
"""Bytes that a file may have which people write; a seed has bounds of its own."""

Content = TypeVar("Content", bound=Record)


class Read(NamedTuple):
    """What was read: a corpus, or none and the findings that say why."""

    corpus: Corpus | None
    findings: list[Finding]


_PASSED_OVER = re.compile(r"\..*|.*~|#.*#", re.DOTALL)
"""Names of hidden files, and of those that editors leave behind."""


class Tree(NamedTuple):
    """The files below a folder, some of them as a change would leave them: with other bytes, or gone (None)."""

    root: FilePath
    changed: Mapping[str, bytes | None] = MappingProxyType({})

    def there(self, file: str) -> bool:
        """Tell whether there is such a file or folder."""
        return self.changed[file] is not None if file in self.changed else os.path.lexists(self.root / file)

    def inside(self, file: str) -> bool:
        """Tell whether a file that is there lies below the root, wherever links lead."""
        return (self.root / file).resolve().is_relative_to(self.root.resolve())

    def names(self, folder: str, ending: str) -> list[str]:
        """Return the names in a folder that have an ending, in order; hidden files are left out."""
        return [name for name in self.visible(folder) if name.endswith(ending)]

    def visible(self, folder: str) -> list[str]:
        """Return the names in a folder, in order; hidden files and those that editors leave behind are left out."""
        on_disk = sorted(path.name for path in (self.root / folder).iterdir())
        return [name for name in on_disk if not _PASSED_OVER.fullmatch(name) and self.there(f"{folder}/{name}")]

    def reason(self, file: str) -> str | None:
        """Return why something that is there is no file which can be read, or None; it is not opened."""
        try:
            mode = (self.root / file).stat().st_mode
        except OSError as error:
            return _reason(error)
        if not self.inside(file):
            return _OUTSIDE
        return None if stat.S_ISREG(mode) else "it is a folder" if stat.S_ISDIR(mode) else "it is no regular file"


def read(root: FilePath, *, changed: Mapping[str, bytes | None] = MappingProxyType({})) -> Read:
    """Read `dataset.yaml`, `annotations/` and `seeds/` below a folder.

    `changed` gives files, by path, as a change would leave them. Returns a corpus and no findings, or no corpus and
    every finding.
    """
    tree = Tree(root, changed)
    findings = [fault for folder in ("annotations", "seeds") for fault in _folder_faults(tree, folder)]
    if findings:
        return Read(None, findings)
    dataset = _document(tree, "dataset.yaml", Dataset, findings)
    vocabulary = _document(tree, "annotations/vocabulary.yaml", Vocabulary, findings)
    shared = _document(tree, "annotations/speakers.yaml", SharedSpeakers, findings)
    tombstones = _optional(tree, "annotations/tombstones.yaml", Tombstones, findings)
    comparisons = _optional(tree, "annotations/comparisons.yaml", Comparisons, findings)
    written = {file: _typed(tree, file, findings) for file in _annotation_files(tree)}
    documents = {file: typed and _modelled(typed, file, Annotations, findings) for file, typed in written.items()}
    shards = [
        _shard(tree, document, typed.comments, findings)
        for document, typed in zip(documents.values(), written.values(), strict=True)
        if document and typed
    ]
    findings += _unannotated_seeds(tree, documents, tombstones)
    findings += _no_seeds(tree)
    if not findings and not documents and tombstones and not tombstones.content.tombstones:
        findings.append(nothing_annotated())
    if findings or not (dataset and vocabulary and shared and tombstones and comparisons):
        return Read(None, findings)
    whole = tuple(shard for shard in shards if shard)
    return Read(Corpus(dataset, vocabulary, shared, tombstones, comparisons, whole), [])


def text_of(root: FilePath, file: str) -> tuple[str | None, list[Finding]]:
    """Read a seed, or a file that people write, below the root; returns its text, or None and what was wrong."""
    return _text_of(Tree(root), file)


def _text_of(tree: Tree, file: str) -> tuple[str | None, list[Finding]]:
    data, findings = _bytes_of(tree, file)
    if data is None:
        return None, findings
    return _seed_text(data, file) if file.startswith("seeds/") else _written_text(data, file)


def source_ids(root: FilePath) -> set[str]:
    """Return the ids of the sources that can be read."""
    tree = Tree(root)
    documents = [_document(tree, file, Annotations, []) for file in _annotation_files(tree)]
    return {document.content.source.id for document in documents if document}


# ---- files -------------------------------------------------------------------------------------------------

SHARED_FILES = {"vocabulary.yaml", "speakers.yaml", "tombstones.yaml", "comparisons.yaml"}
"""Files of `annotations/` that are about no one article, so that no seed can be called like them."""


def _optional(tree: Tree, file: str, model: type[Content], findings: list[Finding]) -> Document[Content] | None:
    """Read a file that need not be there: where there is nothing to say, there is no file."""
    return _document(tree, file, model, findings) if tree.there(file) else Document(file, model(), {})


def _annotation_files(tree: Tree) -> list[str]:
    return [f"annotations/{name}" for name in tree.names("annotations", ".yaml") if name not in SHARED_FILES]


def _unannotated_seeds(
    tree: Tree, documents: Mapping[str, Document[Annotations] | None], tombstones: Document[Tombstones] | None
) -> Iterator[Finding]:
    """Find the seeds that no file names; every file counts for the seed it is named like, too."""
    named = {f"{FilePath(file).stem}.txt" for file in documents}
    named |= {document.content.source.seed for document in documents.values() if document}
    named |= {str(stone.seed) for stone in tombstones.content.tombstones} if tombstones else set()
    for seed in tree.names("seeds", ".txt"):
        stem = FilePath(seed).stem
        if f"{stem}.yaml" in SHARED_FILES:
            yield seed_of_taken_name(f"seeds/{seed}", stem)
        elif seed not in named and (reason := tree.reason(f"seeds/{seed}")):
            yield file_unreadable(f"seeds/{seed}", reason)
        elif seed not in named:
            yield seed_without_annotations(f"seeds/{seed}", stem, misnamed=tree.there(f"annotations/{stem}.yml"))


def _no_seeds(tree: Tree) -> Iterator[Finding]:
    """Find what lies among the seeds and would be passed over in silence."""
    for name in tree.visible("seeds"):
        if not name.endswith(".txt") and not name.startswith("README"):
            yield not_a_seed(f"seeds/{name}", folder=(tree.root / "seeds" / name).is_dir())


def _folder_faults(tree: Tree, folder: str) -> Iterator[Finding]:
    """Find what keeps a folder from being read: told once, and not for each file in it."""
    try:
        with os.scandir(tree.root / folder):
            pass
        if not tree.inside(folder):
            yield file_unreadable(folder, _OUTSIDE)
    except OSError as error:
        yield file_unreadable(folder, _reason(error))


_OUTSIDE = "it is a link that leads out of the project"


def _reason(error: OSError) -> str:
    words = error.strerror or "it could not be read"
    return words[:1].lower() + words[1:]


def _bytes_of(tree: Tree, file: str) -> tuple[bytes | None, list[Finding]]:
    """Read a file below the root; no more bytes than are allowed and one more are read, however many there are."""
    largest = bounding.LARGEST if file.startswith("seeds/") else LARGEST
    if (changed := tree.changed.get(file)) is not None:
        return changed, []
    if reason := tree.reason(file):
        return None, [file_unreadable(file, reason)]
    path = tree.root / file
    try:
        data = b""
        if path.stat().st_size <= largest:
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC), "rb") as opened:
                data = opened.read(largest + 1)
        large = path.stat().st_size > largest or len(data) > largest
    except OSError as error:
        return None, [file_unreadable(file, _reason(error))]
    return (None, [file_too_large(Place(file), _mebibytes(largest))]) if large else (data, [])


def _mebibytes(size: int) -> str:
    return f"{size // 1024 // 1024} MiB"


_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BYTE_ORDER_MARK = "\ufeff"


def _decoded(data: bytes, file: str) -> tuple[str | None, list[Finding]]:
    if data.startswith(_UTF_16):
        return None, [not_utf8(Place(file), "The file is UTF-16.")]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, [not_utf8(_byte_place(data, error.start, file), f"Byte 0x{data[error.start]:02X} is no UTF-8.")]
    if "\x00" in text:
        return None, [not_utf8(_byte_place(data, data.index(b"\x00"), file), "The file holds a NUL character.")]
    return text, []


def _seed_text(data: bytes, seed: str) -> tuple[str | None, list[Finding]]:
    """Decode a seed; a byte order mark would shift every offset for whoever leaves it out in reading."""
    text, findings = _decoded(data, seed)
    if text is not None and text.startswith(_BYTE_ORDER_MARK):
        return None, [not_utf8(Place(seed), "The file begins with a byte order mark.")]
    if text is not None and not text.strip():
        return None, [seed_empty(seed)]
    if text is not None and (found := _NO_TEXT.search(text)):
        return None, [seed_character(_place_in(text, found.start(), seed), found[0])]
    if text is not None and (excess := bounding.excess(text)):
        return None, [file_too_large(_place_in(text, excess.at, seed), excess.what)]
    return text, findings


_NO_TEXT = re.compile("\r\n|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What is a character of a seed, and does not come through every reader of a CSV as it stands."""


def _place_in(text: str, at: int, file: str) -> Place:
    return Place(file, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def _written_text(data: bytes, file: str) -> tuple[str | None, list[Finding]]:
    """Decode a file that people write; the byte order mark that some editors write means nothing in YAML."""
    text, findings = _decoded(data, file)
    if text is None:
        return None, findings
    text = text.removeprefix(_BYTE_ORDER_MARK)
    return (text, []) if text.strip() else (None, [file_empty(file)])


def _byte_place(data: bytes, at: int, file: str) -> Place:
    before = data[:at].decode("utf-8", errors="replace")
    return Place(file, before.count("\n") + 1, len(before) - before.rfind("\n"))


# ---- one file into a model ---------------------------------------------------------------------------------


def _document(tree: Tree, file: str, model: type[Content], findings: list[Finding]) -> Document[Content] | None:
    """Read a file into a model; what is wrong is added to the findings."""
    typed = _typed(tree, file, findings)
    return typed and _modelled(typed, file, model, findings)


def _typed(tree: Tree, file: str, findings: list[Finding]) -> Typed | None:
    """Read a file as YAML; what is wrong is added to the findings."""
    text, faults = _text_of(tree, file)
    findings += faults
    if text is None:
        return None
    typed = yamltext.parse(text, file=file)
    findings += typed.findings
    return None if typed.value is None and typed.findings else typed


def _modelled(typed: Typed, file: str, model: type[Content], findings: list[Finding]) -> Document[Content] | None:
    """Make a model of what was typed; what is wrong is added to the findings."""
    try:
        content = model.model_validate({} if typed.value is None else typed.value)
    except ValidationError as error:
        findings += explained(error, typed, file, model)
        return None
    return None if typed.findings else Document(file, content, typed.places)


def _shard(
    tree: Tree, document: Document[Annotations], comments: Iterable[Comment], findings: list[Finding]
) -> Shard | None:
    """Read the seed that annotations name; what is wrong is added to the findings."""
    text, faults = _annotated_text(tree, document)
    if text is not None:
        faults = [comment_cuts_words(comment.place) for comment in _cutting(comments, text)]
    findings += faults
    return None if text is None or faults else Shard(document.file, document.content, document.places, text)


def _annotated_text(tree: Tree, document: Document[Annotations]) -> tuple[str | None, list[Finding]]:
    """Return the text of the seed that annotations name, its bytes proved, or None and what is wrong."""
    source = document.content.source
    seed = f"seeds/{source.seed}"
    at = document.place("source", "seed")
    if not tree.there(seed):
        return None, [seed_missing(at, seed, did_you_mean(source.seed, tree.names("seeds", ".txt")))]
    if FilePath(source.seed).stem != FilePath(document.file).stem:
        return None, [file_of_another_seed(at)]
    data, faults = _bytes_of(tree, seed)
    if data is None:
        return None, faults
    text, faults = _seed_text(data, seed)
    actual = hashlib.sha256(data).hexdigest()
    line_ends = hashlib.sha256(data.replace(b"\r\n", b"\n")).hexdigest() == source.sha256 != actual
    if actual == source.sha256 or (text is None and not line_ends):
        return text, faults
    return None, [seed_changed(document.place("source", "sha256"), seed, actual, line_ends=line_ends)]


# ---- words that YAML takes for a comment -------------------------------------------------------------------

_BEGINNING = re.compile(r"#[ \t]{0,40}\S{0,40}")
"""As much of a seed's words behind a # as `Comment.beginning` holds of a comment."""

_REACH = 100
"""Places of one such beginning that are looked at, and white space before it."""


def _cutting(comments: Iterable[Comment], text: str) -> Iterator[Comment]:
    """Return the comments that are words of the seed: where the value before them ends, it goes on with them.

    Behind a key without a value, any words of the seed are.
    """
    places: dict[str, list[int]] = defaultdict(list)
    for found in _BEGINNING.finditer(text):
        places[found[0]].append(found.start())
    for comment in comments:
        starts = places.get(comment.beginning, ())[:_REACH]
        instead = not comment.value and any(map(str.isalnum, comment.beginning))
        if starts and (instead or any(_goes_on(text, start, comment.value) for start in starts)):
            yield comment


def _goes_on(text: str, start: int, value: str) -> bool:
    """Tell whether a value stands before a place in a text, white space between them."""
    before = text[max(0, start - _REACH) : start]
    end = start - len(before) + len(before.rstrip())
    return end < start and text.endswith(value, 0, end)


# ---- faults ------------------------------------------------------------------------------------------------


def file_unreadable(file: str, reason: str) -> Finding:
    """Every file and folder of the project that is needed is there, below its root, and can be read."""
    hint = "Put it there, as a file or folder of the project's own that you may read."
    return Finding(Place(file), "file-unreadable", f"This is needed and cannot be read: {reason}.", (hint,))


def file_too_large(place: Place, what: str) -> Finding:
    """What people write has 8 MiB and 20,000 values at most, a seed 2 MiB, 300,000 words, 100,000 letters in a line."""
    hint = "An article and its annotations are smaller: put the right file there, or part it."
    return Finding(place, "file-too-large", f"This file has more than {what}.", (hint,))


def file_empty(file: str) -> Finding:
    """A file that people write is not empty; where there is nothing to say, it says so."""
    hint = "Restore it; where there is nothing to list, write the key and an empty list, such as `speakers: []`."
    return Finding(Place(file), "file-empty", "This file is empty.", (hint,))


def not_utf8(place: Place, message: str) -> Finding:
    """Files are UTF-8, seeds without a byte order mark, none with a NUL character."""
    return Finding(place, "not-utf8", message, ("Save it as UTF-8 without a byte order mark and NUL characters.",))


def seed_character(place: Place, found: str) -> Finding:
    """A seed has no control characters but tab and line feed: others do not come through every reader of a table."""
    if found == "\r\n":
        hints = (
            "Save the seed with LF line ends, and annotate it then.",
            "Where it is annotated already: change `sha256`, and take `\\r` out of its evidence.",
        )
        return Finding(place, "seed-character", "This seed has CRLF line ends, of which many programs make LF.", hints)
    message = f"U+{ord(found):04X} stands here, which is no character of a text."
    hint = "Take it out of the seed before that is annotated; a line or a page ends with a line feed."
    return Finding(place, "seed-character", message, (hint,))


def not_a_seed(file: str, *, folder: bool) -> Finding:
    """Whatever is in `seeds/` is a seed, whose name ends in `.txt`; hidden files and a README are passed over."""
    if folder:
        message, hint = (
            "This is a folder, and nothing in it is read.",
            "Put seeds directly into seeds/, the rest elsewhere.",
        )
    else:
        message = "This is no seed: the name of a seed ends in `.txt`."
        hint = "Name it so if it is a seed; what is no article goes elsewhere."
    return Finding(Place(file), "not-a-seed", message, (hint,))


def nothing_annotated() -> Finding:
    """A project has a seed and its annotations: without any, an empty package would take the place of a full one."""
    message = "There is no seed and nothing that annotates one, so there is nothing to publish."
    hint = "Put an article's text into seeds/; `defectors-data draft` writes its first annotations."
    return Finding(Place("seeds"), "nothing-annotated", message, (hint,))


def seed_missing(place: Place, seed: str, hint: tuple[str, ...] = ()) -> Finding:
    """The seed that a source names is a file in `seeds/`."""
    hint = hint or ("Put the article's text there, or mend the name.",)
    return Finding(place, "seed-missing", f"There is no file {seed}.", hint)


def seed_empty(seed: str) -> Finding:
    """A seed holds the words of an article."""
    return Finding(Place(seed), "seed-empty", "This seed holds no words.", ("Restore it, or take it out.",))


def seed_changed(place: Place, seed: str, actual: str, *, line_ends: bool = False) -> Finding:
    """A seed has the bytes that were annotated: seeds are never edited."""
    message = f"{seed} is not the file that was annotated: its sha256 is {actual}."
    hint = "Restore the seed. If it was replaced on purpose, read it against its annotations, then change `sha256`."
    if line_ends:
        hint = "Only its line ends were changed, from LF to CRLF: restore it, and have git leave line ends as they are."
    return Finding(place, "seed-changed", message, (hint,))


def seed_without_annotations(seed: str, stem: str, *, misnamed: bool = False) -> Finding:
    """Every `.txt` file in `seeds/` is annotated."""
    message = f"No file annotations/{stem}.yaml annotates this seed."
    hint = f"`defectors-data draft {seed}` writes a first one; what is no article goes elsewhere."
    if misnamed:
        hint = f"Give annotations/{stem}.yml the ending .yaml."
    return Finding(Place(seed), "seed-without-annotations", message, (hint,))


def seed_of_taken_name(seed: str, stem: str) -> Finding:
    """Word the fault `seed-without-annotations` for a seed whose annotations would have a name that is taken."""
    message = f"No seed can have this name: annotations/{stem}.yaml is about no article."
    return Finding(Place(seed), "seed-without-annotations", message, ("Give the seed another name.",))


def file_of_another_seed(place: Place) -> Finding:
    """An annotation file is named like its seed."""
    message = "This file must be named like its seed, with the ending .yaml."
    return Finding(place, "file-of-another-seed", message, ("Rename it, or mend the name of the seed.",))


def comment_cuts_words(place: Place) -> Finding:
    """Words of a seed with a space and # in them are typed in quotation marks: YAML takes # for a comment."""
    message = "The seed goes on with these words, which YAML takes for a comment and leaves out."
    hint = "Put the whole value in quotation marks, or write it as a block: `|-`."
    return Finding(place, "comment-cuts-words", message, (hint,))


FAULTS = (
    file_unreadable,
    file_too_large,
    file_empty,
    not_utf8,
    seed_character,
    not_a_seed,
    nothing_annotated,
    seed_missing,
    seed_empty,
    seed_changed,
    seed_without_annotations,
    file_of_another_seed,
    comment_cuts_words,
)
