"""The new texts of a corpus without a removed record: entries, names and attributes that go, and tombstones."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import date
from typing import Any, NamedTuple, TypeAlias, get_args

from defectors_data.corpus.document_reader import TOMBSTONES
from defectors_data.corpus.findings import Path, Place, ProjectFile
from defectors_data.corpus.shared_context import ListFile, ListShard
from defectors_data.edits import json_editor, yaml_editor
from defectors_data.evidence import anchors
from defectors_data.evidence.annotated_document import Document, EvidenceField
from defectors_data.models import annotation as models
from defectors_data.models import project
from defectors_data.models.annotation import Testimony
from defectors_data.models.closed_vocabularies import SPEAKER_TERMS, TakedownReason
from defectors_data.models.fields import Part, Record, TextKind, is_closed, kind_of
from defectors_data.publishers.removal import (
    LISTS,
    Removal,
    TakedownBlockedError,
    already_withdrawn,
    attested,
    attested_by_words,
    has_name,
    is_about_removed,
    names_in,
    removal_scope,
    shared_files,
    whole_slug,
    withdrawn_runs,
)
from defectors_data.text.occurrences import Run, may_contain, merged, overlap

_NAMELESS = "withdrawn-speaker-"
_FIRST_LINE = "# Written by `defectors-data takedown`.\n"

# In every other text field, a text with the name is emptied if the field is optional; if it is
# required, a person must edit it. A new field is therefore covered without an entry.

_MAY_KEEP = (
    # if the name is in one of these, `_find_source_names` reports it
    TextKind.SOURCE_ID,
    # a record is removed with the record that it refers to; terms are checked in the vocabulary
    TextKind.REFERENCE,
)
"""Kinds of fields that are not searched for the name, because another check covers each of them."""

_FACTS, _SPEAKERS = get_args(models.Fact), get_args(models.Speaker)
_BY_HAND = (project.Changelog, project.Tombstones, project.Tombstone)
"""Contents that no program edits."""
_TERMS = {(speaker, key) for speaker in _SPEAKERS for key in SPEAKER_TERMS} | {
    (models.Figure, "measure"),
    (models.Figure, "population"),
    (models.Figure, "unit"),
    (Testimony, "themes"),
    (project.Measure, "units"),
    (project.VocabularyTerm, "term"),
    (project.CodeExample, "value"),
}
"""Fields that contain terms of the vocabulary."""

NewTexts: TypeAlias = dict[tuple[str, int], str | None]
"""New texts by path and line; line 0 is a whole file, and None removes the text."""


def new_texts(removal: Removal, reason: TakedownReason, day: date) -> NewTexts:
    """Return the new texts of the files and lines that change; nothing is written.

    With the reason `safety`, everything that a program can remove is removed at once, and
    `removal.by_hand` has the places that remain.

    Raises:
        TakedownBlockedError: the name is in a place that a person must edit, or a file is written
            in a form that this program cannot edit.
    """
    edited: NewTexts = {}
    lost = set[tuple[str, str]]()
    for document in removal.documents:
        if document.source.id in removal.removed:
            edited[_place(document.file)] = None
            continue
        edits, runs = _edits(removal, document), withdrawn_runs(removal, document)
        lost.update(_lost_codes(document, edits.cuts))
        if any(edits) or runs != merged(already_withdrawn(document)):
            edits.cuts.add(("withdrawn",))  # `_with_edits` adds the new list
            edited[_place(document.file)] = _with_edits(document.file, edits, runs)
    context = removal.context
    for listed in (
        context.shared.listed,
        context.comparisons,
        context.statements,
        context.releases,
    ):
        edited |= _edited_list(removal, listed)
    examples = _removed_examples(removal, lost)
    for file, cuts in ((context.dataset, set[Path]()), (context.vocabulary, examples)):
        named = _ForbiddenNames(file, removal.all_names, ids=False)
        edits = _without_names(removal, named, cuts)
        if any(edits):
            edited[_place(file)] = _with_edits(file, edits)
    _find_source_names(removal)
    _find_other_names(removal, edited)
    if removal.by_hand and reason != "safety":
        raise TakedownBlockedError(f"{_clause(removal.by_hand)} by hand first")
    return edited | _with_tombstones(removal, reason, day)


def _lost_codes(document: Document, cuts: Collection[Path]) -> Iterator[tuple[str, str]]:
    """Yield the ids of testimonies that lose a code or a part of it, each with the code."""
    for path, testimony in document.testimonies:
        depth = len(path)
        for cut in cuts:
            if cut[:depth] == path and len(cut) > depth:
                yield testimony.id, str(cut[depth])


def _removed_examples(removal: Removal, lost: Collection[tuple[str, str]]) -> set[Path]:
    """Return the paths of examples whose testimonies are removed, or may lose the value."""
    examples = removal.context.vocabulary.content.examples
    cuts = set[Path]()
    for i, entry in enumerate(examples):
        named = {entry.example, entry.counter_example}
        if named & removal.removed.keys() or (entry.example, entry.code) in lost:
            cuts.add(("examples", i))
    if cuts and len(cuts) == len(examples):
        return {("examples",)}
    return cuts


def _clause(places: Sequence[Place]) -> str:
    """Return a clause that asks a person to edit places."""
    lines = {(place.file, place.line) for place in places}
    named = [f"{file}, line {line}" for file, line in sorted(lines)]
    if len(named) == 1:
        return f"{named[0]}, contains the name: edit it"
    return f"{named[0]}, contains the name, and so do {'; '.join(named[1:])}: edit these places"


def _edited_list(removal: Removal, listed: ListFile[Any]) -> NewTexts:
    """Return the new text of a list, or its changed lines, without removed entries or the name."""
    edited: NewTexts = {}
    for file, entries in listed.files():
        going, cuts = set[Path](), set[Path]()
        for path, entry in entries.items():
            removed = _removed_figures(removal, entry)
            if removed:
                cuts.update((*path, "figures", i) for i in removed)
            elif _is_removed(removal, entry):
                going.add(path)
            if getattr(entry, "id", None) in removal.without_gender:
                cuts.add((*path, "gender"))
        if file.is_line and going:
            edited[_place(file)] = None
            continue
        edits = _without_names(removal, _ForbiddenNames(file, removal.all_names), going | cuts)
        if any(edits):
            edited[_place(file)] = text = _with_edits(file, edits)
            if going and going == entries.keys():
                # The file of shared speakers must exist, even if it is empty.
                edited[_place(file)] = f"{text}speakers: []\n" if listed.key == "speakers" else None
    return edited


_PAIR = 2


def _removed_figures(removal: Removal, entry: Any) -> list[int]:
    """Return the positions of removed figures in a note that has two other figures at least."""
    figures = getattr(entry, "figures", ())
    removed = [i for i, name in enumerate(figures) if name in removal.removed]
    return removed if len(figures) - len(removed) >= _PAIR else []


def _is_removed(removal: Removal, entry: Any) -> bool:
    """Return whether an entry of a list has the id of a removed record, or is a pair with one."""
    named = [getattr(entry, "id", None), *getattr(entry, "figures", ())]
    if isinstance(entry, project.StatementRelation):
        named += [entry.first, entry.second]
    return not removal.removed.keys().isdisjoint(named)


def tombstones(removal: Removal, reason: TakedownReason, day: date) -> list[project.Tombstone]:
    """Return a tombstone for each removed record, sorted by table and id.

    An id formed from a name is replaced by a numbered one. The tombstone of a source names its seed
    if the seed is a file, because that file is kept.
    """
    seeds = {}
    for document in removal.documents:
        source = document.source
        if document.seed == f"seeds/{source.seed}":
            seeds[source.id] = source.seed
    listed = [stone.id for stone in removal.context.tombstones if stone.id.startswith(_NAMELESS)]
    # Numbering continues after the last tombstone, because ids are never reused.
    last = max((int(name.removeprefix(_NAMELESS)) for name in listed), default=0)
    numbered = enumerate(removal.ids_from_names, start=last + 1)
    nameless = {record_id: f"{_NAMELESS}{number}" for number, record_id in numbered}
    stones = []
    for record_id, table in removal.removed.items():
        shown, seed = nameless.get(record_id, record_id), seeds.get(record_id)
        stones.append(project.Tombstone(table=table, id=shown, date=day, reason=reason, seed=seed))
    return sorted(stones, key=lambda stone: (stone.table, stone.id))


def _with_tombstones(removal: Removal, reason: TakedownReason, day: date) -> NewTexts:
    """Return the new text of the list of tombstones, or its new lines if it is a shard.

    A list that does not exist yet is written in the format of the list of shared speakers.
    """
    listed = removal.context.tombstones
    shared = removal.context.shared.listed
    old = [_dumped(stone) for stone in listed]
    new = [_dumped(stone) for stone in tombstones(removal, reason, day)]
    like = listed if listed.exists else shared
    if isinstance(like, ListShard):
        file = TOMBSTONES.replace(".yaml", ".jsonl")
        lines = enumerate(new, len(listed) + 1)
        return {(file, number): json_editor.dumped(stone) for number, stone in lines}
    header = _header(next((file.typed for file, _ in shared.files()), ""))
    text = yaml_editor.with_list(header + _FIRST_LINE, "tombstones", [*old, *new])
    return {(TOMBSTONES, 0): text}


def _dumped(stone: project.Tombstone) -> dict[str, Any]:
    return stone.model_dump(mode="json", exclude_none=True)


def _edits(removal: Removal, document: Document) -> _FileEdits:
    """Return the cuts and replacements in the annotations of a document."""
    runs = withdrawn_runs(removal, document)
    cuts = {path for path, _, record_id in document.records if record_id in removal.removed}
    for path, entry in document.entries:
        if entry.id in removal.removed or (document.source.id, entry.id) in removal.unused:
            cuts.add(path)
    for cited in document.cited:
        touched = [i for i, span in enumerate(document.at(cited.path)) if overlap([span], runs)]
        if touched:
            cuts |= _touched_paths(cited, touched)
    cuts |= {*_unattested(removal, document), *_unattributed(removal, document)}
    for path, group in document.groups:
        if group.part_of in removal.removed:
            cuts.add((*path, "part_of"))
    names = names_in(removal, document)
    return _without_names(removal, _ForbiddenNames(document.file, names, document.text), cuts)


def _touched_paths(cited: EvidenceField, touched: list[int]) -> set[Path]:
    """Return the paths to cut if some parts of a field of evidence are withdrawn."""
    if cited.field in LISTS and len(touched) < len(cited.parts):
        return {(*cited.path, i) for i in touched}
    if cited.field in LISTS:
        return {cited.path}
    if (
        cited.path[-1] == "words"
    ):  # an attribution, or a code, which is incomplete without its words
        return {cited.path[:-1]}
    if cited.table == "sources":
        return {cited.path[:2]}
    return {cited.path}


def _unattributed(removal: Removal, document: Document) -> Iterator[Path]:
    """Yield the paths of attributions that lead to a removed record, and of removed rivals."""
    for path, (_, attribution) in document.attributions:
        if attribution.leads_to in removal.removed:
            yield path
        if attribution.rival in removal.removed:
            yield *path, "rival"


# ---- attributes without attestation --------------------------------------------------------------


def _unattested(removal: Removal, document: Document) -> Iterator[Path]:
    """Yield the paths of attributes and attestations that no remaining words need or attest."""
    found = attested(removal, document)
    for path, entry in document.speakers:
        for key in ("gender", "request"):
            is_lost = getattr(entry, key, None) and key not in found[entry.id]
            if is_lost and entry.id not in removal.removed:
                yield *path, key
    for path, mention in document.mentions:
        keys = attested_by_words(removal, document, path, mention)
        needless = document.entry_of(path).id in removal.without_gender and "gender" in keys
        needed = keys - {"gender"} if needless else keys
        if mention.attested_by and not needed:
            yield *path, "attested_by"
        elif needless:
            yield *path, "attested_by", "gender"


# ---- texts that contain the name -----------------------------------------------------------------


def _without_names(removal: Removal, named: _ForbiddenNames, cuts: Collection[Path]) -> _FileEdits:
    """Return the cuts, and the edits that remove the names and removed ids from the texts."""
    edits = _FileEdits(set(cuts), {})
    for path, text, model, key in named.file.fields:
        if text in removal.renamed and any((each, key) in _TERMS for each in model.__mro__):
            edits.replaced[path] = removal.renamed[text]
            continue
        is_forbidden = is_about_removed if named.ids else has_name
        if is_forbidden(removal, text, named.names) and not _below(path, edits.cuts):
            _empty(removal, named, path, text, edits)
    cuts = {path for path in edits.cuts if not _below(path[:-1], edits.cuts)}
    replaced = {path: words for path, words in edits.replaced.items() if not _below(path, cuts)}
    return _FileEdits(cuts, replaced)


def _empty(
    removal: Removal, named: _ForbiddenNames, path: Path, text: str, edits: _FileEdits
) -> None:
    """Add the edit that empties an optional text, or note the place of a required one."""
    steps = _steps(named.file.content, path)
    model, field, _ = steps[-1]
    if is_closed(model, field) or may_keep(model, field):
        return
    if issubclass(model, _SPEAKERS) and field in ("id", "name"):
        # Another speaker may share a surname.
        if len((removal.name or "").split()) > 1 and has_name(removal, text, ()):
            removal.by_hand.append(named.file.place(*path))
    elif issubclass(model, Part):
        # In words of the article, an id is a coincidence.
        if has_name(removal, text, named.names) and not _cut_context(removal, named, path, edits):
            removal.by_hand.append(named.file.place(*path))
    elif optional := _optional_part(steps, path):
        edits.cuts.add(optional)
    else:
        removal.by_hand.append(named.file.place(*path))


def _optional_part(steps: Sequence[_Step], path: Path) -> Path | None:
    """Return the path to empty to remove a text: the text, or the fact that has it."""
    *above, (model, field, at) = steps
    if issubclass(model, _FACTS):  # without one of its texts, a fact is incomplete
        model, field, path = above[-1]
        at = path
    if model.model_fields[field].is_required():
        return None
    return path if len(path) > len(at) else at


def _cut_context(removal: Removal, named: _ForbiddenNames, path: Path, edits: _FileEdits) -> bool:
    """Add the edit that cuts a `prefix` or `suffix` with the name; return whether it was added.

    It is not added if the part would then be found in other places.
    """
    if path[-1] not in ("prefix", "suffix"):
        return False
    part = _at(named.file.content, path[:-1])
    around = {"prefix": part.prefix or "", "suffix": part.suffix or ""}
    left = dict(around)
    for key, words in around.items():
        if has_name(removal, words, named.names):
            left[key] = ""
    before = anchors.occurrences(part.text, named.text, **around)
    if before != anchors.occurrences(part.text, named.text, **left):
        return False
    edits.cuts.update([path, (*path[:-2], path[-1])])  # a single part may be typed without a list
    return True


def _find_source_names(removal: Removal) -> None:
    """Note the ids and seeds of sources with the name, which tombstones would repeat."""
    names = removal_scope(removal).slugs
    for document in removal.documents:
        for key in ("id", "seed"):
            if any(name in whole_slug(getattr(document.source, key)) for name in names):
                removal.by_hand.append(document.file.place("source", key))


def _find_other_names(removal: Removal, edited: NewTexts) -> None:
    """Note the places with the name in the changelog, in tombstones and in comments."""
    for file in shared_files(removal.context):
        if isinstance(file.content, _BY_HAND):
            for path, text in file.texts():
                model, field, _ = _steps(file.content, path)[-1]
                if not is_closed(model, field) and has_name(removal, text, removal.all_names):
                    removal.by_hand.append(file.place(*path))
        _find_comments(removal, file, removal.all_names, edited)
    for document in removal.documents:
        _find_comments(removal, document.file, names_in(removal, document), edited)


def _find_comments(
    removal: Removal, file: ProjectFile[Any], names: Collection[str], edited: NewTexts
) -> None:
    left = edited.get(_place(file), file.typed)
    if left is None or file.is_line or "#" not in file.typed:
        return
    may_have = any(may_contain(left.encode(), name) for name in names)
    if not may_have and not any(name in left for name in removal.ids_of_persons):
        return  # parsing the comments takes longer
    comments = [comment for _, comment in yaml_editor.comments(left)]
    staying = [comment for comment in comments if has_name(removal, comment, names)]
    for line, words in yaml_editor.comments(file.typed):
        # If the text between two comments is cut, they may become one comment that contains the
        # name.
        if any(words in comment for comment in staying):
            removal.by_hand.append(Place(file.file, line))


_Step: TypeAlias = tuple[type[Record], str, Path]
"""A model, one of its fields, and the path of the field."""


class _ForbiddenNames(NamedTuple):
    """A file, or a line of a shard, and the names that no text in it may contain."""

    file: ProjectFile[Any]
    names: Collection[str]
    text: str = ""
    """The text of the article, if the file contains annotations."""
    ids: bool = True
    """Whether the texts may not contain ids of removed records either."""


class _FileEdits(NamedTuple):
    cuts: set[Path]
    replaced: dict[Path, str]
    """New texts by path."""


# ---- helpers -------------------------------------------------------------------------------------


def _place(file: ProjectFile[Any]) -> tuple[str, int]:
    return file.file, file.line if file.is_line else 0


def _with_edits(file: ProjectFile[Any], edits: _FileEdits, withdrawn: Collection[Run] = ()) -> str:
    """Return the text of a file or a line of a shard with edits and new withdrawn runs.

    Raises:
        TakedownBlockedError: the file is written in a form that a program cannot edit.
    """
    editor: Any = json_editor if file.is_line else yaml_editor
    try:
        text = editor.without(file.typed, edits.cuts, edits.replaced)
    except yaml_editor.UneditableTextError:
        raise TakedownBlockedError(
            f"{file.file} is written in a form that a program cannot edit: edit it by hand first"
        ) from None
    runs = [{"start": start, "end": end} for start, end in withdrawn]
    return str(editor.with_list(text, "withdrawn", runs))


def _steps(content: Record, path: Path) -> list[_Step]:
    """Return the model, name and path of each field along a path, from the outermost."""
    steps, value = list[_Step](), content
    for depth, key in enumerate(path):
        if isinstance(value, Record):
            steps.append((type(value), str(key), path[: depth + 1]))
        value = _at(value, (key,))
    return steps


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = getattr(value, str(key)) if isinstance(value, Record) else value[key]
    return value


def _below(path: Path, cuts: Collection[Path]) -> bool:
    """Return whether a path, or a path above it, is cut."""
    return any(path[:n] in cuts for n in range(1, len(path) + 1))


def may_keep(model: type[Record], field: str) -> bool:
    """Return whether a field is not searched for the name, because another check covers it."""
    return kind_of(model, field) in _MAY_KEEP


def _header(typed: str) -> str:
    """Return the line with the schema of tombstones; "" if the speakers file has none."""
    first = typed.partition("\n")[0]
    schema = r"(# yaml-language-server: \$schema=.*/)speakers(\.schema\.json)\s*"
    named = re.fullmatch(schema, first)
    return f"{named[1]}tombstones{named[2]}\n" if named else ""
