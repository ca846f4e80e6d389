"""Seeds and annotations from disk to a `Corpus`; the only room that reads what people wrote.

Whatever is wrong with a file is a finding with its place, never an exception: bytes that are no text, YAML that is
none, keys and values that the models do not know. Where any file is at fault there is no corpus, because a check
on half of it would say what is not so. What was typed about a protected person is not repeated. Nothing outside the
project is read, and nothing that is larger than a bound.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path as FilePath
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, TypeVar

from defectors_data import files, jsontext, lines, parts, yamltext
from defectors_data.corpus import Corpus, Document, Shard
from defectors_data.explaining import modelled
from defectors_data.files import Tree, bytes_of, file_unreadable, folder_faults, proved_text, text_in
from defectors_data.findings import Finding, Place
from defectors_data.models import Annotations, Comparisons, Dataset, Record, SharedSpeakers, Tombstones, Vocabulary
from defectors_data.naming import did_you_mean
from defectors_data.yamltext import Comment, Typed

Content = TypeVar("Content", bound=Record)


class Read(NamedTuple):
    """What was read: a corpus, or none and the findings that say why."""

    corpus: Corpus | None
    findings: list[Finding]


Lines: TypeAlias = Mapping[str, Collection[int]]
"""By the path of a part's annotations, the numbers of some of its lines."""


def read(
    root: FilePath, *, changed: Mapping[str, bytes | None] = MappingProxyType({}), only: Lines | None = None
) -> Read:
    """Read `dataset.yaml`, `annotations/` and `seeds/` below a folder.

    `changed` gives files, by path, as a change would leave them; `only` says which lines of parts are read, where not
    all are. Returns a corpus and no findings, or no corpus and every finding.
    """
    tree = Tree(root, changed)
    findings = [fault for folder in ("annotations", "seeds") for fault in folder_faults(tree, folder)]
    if findings:
        return Read(None, findings)
    dataset = _document(tree, "dataset.yaml", Dataset, findings)
    vocabulary = _document(tree, "annotations/vocabulary.yaml", Vocabulary, findings)
    shared = _document(tree, "annotations/speakers.yaml", SharedSpeakers, findings)
    tombstones = _optional(tree, TOMBSTONES, Tombstones, findings)
    comparisons = _optional(tree, "annotations/comparisons.yaml", Comparisons, findings)
    written = {file: _typed(tree, file, findings) for file in _annotation_files(tree)}
    documents = {file: typed and modelled(typed, file, Annotations, findings) for file, typed in written.items()}
    shards = [
        _shard(tree, document, typed.comments, findings)
        for document, typed in zip(documents.values(), written.values(), strict=True)
        if document and typed
    ]
    of_parts = lines.read(tree, lines.names(tree), only)
    findings += of_parts.findings
    if only is None:
        stems = (f"{FilePath(file).stem}.txt" for file in documents)
        seeds = {document.content.source.seed for document in documents.values() if document}
        findings += unannotated_seeds(tree, {*stems, *seeds, *of_parts.seeds}, tombstones)
    findings += _no_seeds(tree)
    annotated = documents or of_parts.shards or (only is not None and lines.names(tree))
    if not findings and not annotated and tombstones and not tombstones.content.tombstones:
        findings.append(nothing_annotated())
    if findings or not (dataset and vocabulary and shared and tombstones and comparisons):
        return Read(None, lines.plain(findings))
    whole = (*(shard for shard in shards if shard), *of_parts.shards)
    return Read(Corpus(dataset, vocabulary, shared, tombstones, comparisons, whole), [])


def text_of(root: FilePath, file: str) -> tuple[str | None, list[Finding]]:
    """Read a seed, or a file that people write, below the root; returns its text, or None and what was wrong."""
    return text_in(Tree(root), file)


def source_ids(root: FilePath) -> set[str]:
    """Return the ids of the sources that can be read."""
    tree = Tree(root)
    documents = [_document(tree, file, Annotations, []) for file in _annotation_files(tree)]
    return {document.content.source.id for document in documents if document}


# ---- files -------------------------------------------------------------------------------------------------

TOMBSTONES = "annotations/tombstones.yaml"
"""The list of what was taken out, which no hand writes; of an archive it is long."""

_WRITTEN_BY_PROGRAM = 1_000_000
"""Values that the list may have: about as many as the bytes that a file may have can hold."""

SHARED_FILES = {"vocabulary.yaml", "speakers.yaml", "tombstones.yaml", "comparisons.yaml"}
"""Files of `annotations/` that are about no one article, so that no seed can be called like them."""


def _optional(tree: Tree, file: str, model: type[Content], findings: list[Finding]) -> Document[Content] | None:
    """Read a file that need not be there: where there is nothing to say, there is no file."""
    return _document(tree, file, model, findings) if tree.there(file) else Document(file, model(), {})


def _annotation_files(tree: Tree) -> list[str]:
    return [f"annotations/{name}" for name in tree.names("annotations", ".yaml") if name not in SHARED_FILES]


def unannotated_seeds(tree: Tree, named: Collection[str], tombstones: Document[Tombstones] | None) -> Iterator[Finding]:
    """Find the seeds that nothing names; every file counts for the seed it is named like, too."""
    named = set(named)
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
        packed = name.endswith(parts.PACKED) and tree.there(f"annotations/{FilePath(name).stem}.jsonl")
        if not packed and not name.endswith(".txt") and not name.startswith("README"):
            yield not_a_seed(f"seeds/{name}", folder=(tree.root / "seeds" / name).is_dir())


# ---- one file into a model ---------------------------------------------------------------------------------


def _document(tree: Tree, file: str, model: type[Content], findings: list[Finding]) -> Document[Content] | None:
    """Read a file into a model; what is wrong is added to the findings."""
    typed = _typed(tree, file, findings)
    return typed and modelled(typed, file, model, findings)


def _typed(tree: Tree, file: str, findings: list[Finding]) -> Typed | None:
    """Read a file as YAML; what is wrong is added to the findings."""
    text, faults = text_in(tree, file)
    findings += faults
    if text is None:
        return None
    typed = yamltext.parse(text, file=file, most=_WRITTEN_BY_PROGRAM if file == TOMBSTONES else yamltext.MOST)
    findings += typed.findings
    return None if typed.value is None and typed.findings else typed


def _shard(
    tree: Tree, document: Document[Annotations], comments: Iterable[Comment], findings: list[Finding]
) -> Shard | None:
    """Read the seed that annotations name; what is wrong is added to the findings."""
    text, faults = _annotated_text(tree, document)
    if text is not None:
        faults = [comment_cuts_words(comment.place) for comment in _cutting(comments, text)]
    findings += faults
    if text is None or faults:
        return None
    return Shard(document.file, document.content, document.places, text, typed=document.typed)


def _annotated_text(tree: Tree, document: Document[Annotations]) -> tuple[str | None, list[Finding]]:
    """Return the text of the seed that annotations name, its bytes proved, or None and what is wrong."""
    source = document.content.source
    seed = f"seeds/{source.seed}"
    at = document.place("source", "seed")
    if not tree.there(seed):
        return None, [seed_missing(at, seed, did_you_mean(source.seed, tree.names("seeds", ".txt")))]
    if FilePath(source.seed).stem != FilePath(document.file).stem:
        return None, [file_of_another_seed(at)]
    data, faults = bytes_of(tree, seed)
    return (
        (None, faults) if data is None else proved_text(data, seed, source.sha256, document.place("source", "sha256"))
    )


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
    files.file_unreadable,
    files.file_too_large,
    files.file_empty,
    files.not_utf8,
    files.seed_character,
    not_a_seed,
    nothing_annotated,
    seed_missing,
    files.seed_empty,
    files.seed_changed,
    seed_without_annotations,
    file_of_another_seed,
    comment_cuts_words,
    *jsontext.FAULTS,
    *lines.FAULTS,
)
