"""The plan for removing a record from the annotations, with everything that depends on it.

These are removed: the record; records that refer to a removed record, or share words with one; and
speakers to whom no record refers any more. Their words, and repeats of them in the same article,
become withdrawn runs of the text. If the record is a person, every occurrence of the name in the
article is withdrawn too, and every note that contains the name is removed.

Dependencies are found by ids, offsets and names alone; the meaning of words is never interpreted.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path as FilePath
from typing import Any, NamedTuple, TypeAlias, get_args

from defectors_data.corpus import yaml_reader
from defectors_data.corpus.document_reader import TOMBSTONES
from defectors_data.corpus.findings import Path, Place, ProjectFile
from defectors_data.corpus.reader import CorpusReader
from defectors_data.corpus.shared_context import Context, ListFile, ListShard
from defectors_data.edits import json_editor, yaml_editor
from defectors_data.evidence import anchors
from defectors_data.evidence.anchors import Quote, SearchedText
from defectors_data.evidence.annotated_document import Document, EvidenceField
from defectors_data.models import annotation as models
from defectors_data.models import project
from defectors_data.models.annotation import Mention, Testimony
from defectors_data.models.closed_vocabularies import RecordTable, TakedownReason
from defectors_data.models.evidence import Part
from defectors_data.models.fields import Record, TextKind, is_closed, kind_of
from defectors_data.text.occurrences import (
    SHORTEST_PASSAGE,
    Run,
    may_contain,
    merged,
    occurrences,
    overlap,
    repeats,
    slug,
    with_parts,
)

_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LISTS = ("captions", "pull_quotes", "boilerplate")
"""Fields of a source whose parts are independent of each other."""
_NAMELESS = "withdrawn-speaker-"
_FIRST_LINE = "# Written by `defectors-data takedown`.\n"

# ---- texts that contain the name -----------------------------------------------------------------

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
_TERMS = {(speaker, key) for speaker in _SPEAKERS for key in ("role", "rank_class", "branch")} | {
    (models.Figure, "measure"),
    (models.Figure, "population"),
    (models.Figure, "unit"),
    (Testimony, "themes"),
    (models.Support, "claim"),
    (project.Measure, "units"),
    (project.VocabularyTerm, "term"),
}
"""Fields that contain terms of the vocabulary."""
_RENAMED = "withdrawn_term_"
_INSTITUTIONS = (models.Institution, models.SharedInstitution)


class RecordNotFoundError(LookupError):
    """No record has this id."""


class TakedownBlockedError(ValueError):
    """A person must edit a file first, or too many documents are involved; the message states the
    reason.
    """


NewTexts: TypeAlias = dict[tuple[str, int], str | None]
"""New texts by path and line: line 0 is a whole file, and the lines of a shard count from 1; None
removes the text.
"""


class TakedownScope(NamedTuple):
    """Criteria that select the documents that a takedown may change or that may prevent it."""

    ids: frozenset[str]
    """Ids of records that the document contains or mentions."""
    names: frozenset[str] = frozenset()
    """Names in its text or annotations."""
    slugs: frozenset[str] = frozenset()
    """Names, as returned by `whole_slug`, in the id of its source or the name of its seed."""
    terms: frozenset[str] = frozenset()
    """Terms of the vocabulary that it uses."""

    def includes(self, document: Document) -> bool:
        """Return whether a document meets one of the criteria."""
        source, typed = document.source, document.file.typed
        called = f"{whole_slug(source.id)} {whole_slug(source.seed)}"
        if any(name in called for name in self.slugs):
            return True
        texts = document.file.texts()
        if self.terms and any(text in self.terms for _, text in texts):
            return True
        notes = [text for path, text in texts if path[-1] not in _QUOTED]
        if not document.file.is_line and "#" in typed and self._finds([typed], [typed]):
            notes += (words for _, words in yaml_editor.comments(typed))
        return self._finds(notes, [document.text, *notes, *(text for _, text in texts)])

    def _finds(self, notes: Collection[str], texts: Collection[str]) -> bool:
        if any(not self.ids.isdisjoint(_ID.findall(note)) for note in notes):
            return True
        return any(occurrences(text, name) for name in self.names for text in texts)


_QUOTED = frozenset(Part.model_fields)
"""Fields that contain words of the article; they are not searched for ids."""


@dataclass
class Removal:
    """A record to be removed, with everything that depends on it."""

    documents: Sequence[Document]
    context: Context
    target: str
    used_elsewhere: Collection[str] = frozenset()
    """The ids of shared speakers to whom other documents refer."""
    tables: dict[str, RecordTable] = field(default_factory=dict)
    """The table of each record, by id."""
    removed: dict[str, RecordTable] = field(default_factory=dict)
    """The removed records and their tables, by id."""
    unused: set[tuple[str, str]] = field(default_factory=set)
    """Pairs of the id of a source and the id of a speaker to whom no record of that source refers
    any more.
    """
    name: str | None = None
    """The name of the person, if the record is one."""
    surnames: Sequence[str] = ()
    all_names: frozenset[str] = frozenset()
    """The names that no text of some document may contain."""
    ids_from_names: Sequence[str] = ()
    """The ids of removed speakers that are formed from a name."""
    ids_of_persons: frozenset[str] = frozenset()
    """Those of `ids_from_names` that are not ids of institutions."""
    without_gender: frozenset[str] = frozenset()
    """The ids of remaining shared speakers whose gender at least one of their sources no longer
    attests.
    """
    renamed: Mapping[str, str] = field(default_factory=dict)
    """The new names of terms of the vocabulary that contain the name, by the old ones."""
    by_hand: list[Place] = field(default_factory=list)
    """The places with the name that a person must edit."""


def find_removal(
    documents: Sequence[Document],
    context: Context,
    target: str,
    used_elsewhere: Collection[str] = frozenset(),
    *,
    rename: bool = False,
) -> Removal:
    """Return a record with everything that depends on it; `rename` is whether terms with the name
    are renamed.

    For a large corpus, `documents` need only contain those that `removal_scope` includes.

    Raises:
        RecordNotFoundError: there is no such record.
    """
    removal = Removal(documents, context, target, used_elsewhere)
    removal.tables |= dict.fromkeys(context.shared, "speakers")
    for document in documents:
        removal.tables |= document.tables
    if target not in removal.tables:
        raise RecordNotFoundError
    removal.removed[target] = removal.tables[target]
    removal.name = _name_of(removal, target)
    removal.surnames = _surnames(removal.name or "")
    # Repeated until nothing is added, because the removed dependents can have dependents, too.
    before = None
    while before != (before := (len(removal.removed), len(removal.unused))):
        _add_dependents(removal)
    for document in documents:
        removal.all_names |= {*_names_in(removal, document)}
    removal.ids_from_names = _ids_from_names(removal)
    speakers = _speakers(removal)
    institutions = {speaker.id for speaker in speakers if isinstance(speaker, _INSTITUTIONS)}
    removal.ids_of_persons = frozenset(removal.ids_from_names) - institutions
    removal.without_gender = _without_gender(removal)
    if rename:
        removal.renamed = _renamed_terms(removal)
    return removal


def removal_scope(removal: Removal) -> TakedownScope:
    """Return the criteria for documents that this takedown changes, or that prevent it."""
    slugs = frozenset(map(whole_slug, removal.all_names)) - {whole_slug("")}
    ids = frozenset({*removal.removed, *removal.without_gender})
    names = frozenset(filter(None, [removal.name]))
    return TakedownScope(ids, names, slugs, frozenset(removal.renamed))


# ---- dependencies --------------------------------------------------------------------------------


def _add_dependents(removal: Removal) -> None:
    for document in removal.documents:
        for record_id in _dependents(removal, document):
            removal.removed.setdefault(record_id, removal.tables[record_id])
        removal.unused |= {(document.source.id, name) for name in _unreferenced(removal, document)}
    used = {*removal.used_elsewhere, *(speaker_id for _, speaker_id in _uses(removal))}
    for speaker_id in removal.context.shared:
        if speaker_id not in used:
            removal.removed.setdefault(speaker_id, "speakers")


def _uses(removal: Removal) -> Iterator[tuple[Document, str]]:
    """Yield pairs of a document and the id of a shared speaker that remains in it."""
    for document in removal.documents:
        for _, entry in document.uses:
            source_id = document.source.id
            if source_id not in removal.removed and (source_id, entry.id) not in removal.unused:
                yield document, entry.id


def _dependents(removal: Removal, document: Document) -> Iterator[str]:
    """Yield the ids of records of a document that depend on removed records."""
    removed, source_id = removal.removed.keys(), document.source.id
    if source_id in removed:
        yield from (record_id for _, _, record_id in document.records)
        return
    for path, mention in document.mentions:
        speaker_id = document.entry_of(path).id
        if speaker_id in removed or (source_id, speaker_id) in removal.unused:
            yield mention.id
    yield from (t.id for _, t in document.testimonies if t.speaker in removed)
    yield from (f.id for _, f in document.figures if {f.attributed_to, f.testimony} & removed)
    yield from (w.id for _, w in document.waivers if w.repeats in removed)
    yield from (r.id for _, r in document.relations if {r.result, *r.operands} & removed)
    runs = withdrawn_runs(removal, document)
    for cited in document.cited:
        if _is_evidence_of_record(cited) and overlap(document.at(cited.path), runs):
            yield cited.record_id
    for path, testimony in document.testimonies:
        lost = _lost(document, path, testimony, runs).values()
        # A testimony must have a mode and at least one theme.
        if "mode" in lost or not set(testimony.themes) - set(lost):
            yield testimony.id
    names = _names_in(removal, document)
    for _, figure in document.figures:
        if _has_name_or_id(removal, figure.counted, names):
            yield figure.id
    yield from _unreferenced(removal, document) - {*removal.context.shared}


def _is_evidence_of_record(cited: EvidenceField) -> bool:
    """Return whether a field is the evidence of a record other than the source, which is kept."""
    return cited.table != "sources" and cited.field == "evidence"


def _removed_evidence(removal: Removal, document: Document) -> Iterator[Run]:
    """Yield the places of the evidence of removed records."""
    for cited in document.cited:
        if _is_evidence_of_record(cited) and cited.record_id in removal.removed:
            yield from document.at(cited.path)


def _lost(document: Document, path: Path, testimony: Testimony, runs: list[Run]) -> dict[int, str]:
    """Return the claims of a testimony whose supporting words are withdrawn, by position in
    `support`.
    """
    lost = {}
    for i, support in enumerate(testimony.support):
        if overlap(document.at((*path, "support", i, "words")), runs):
            lost[i] = support.claim
    return lost


def _unreferenced(removal: Removal, document: Document) -> set[str]:
    """Return the ids of speakers of a document to whom no remaining record refers."""
    if document.source.id in removal.removed:
        return {entry.id for _, entry in document.entries}
    named = set[str | None]()
    for _, testimony in document.testimonies:
        if testimony.id not in removal.removed:
            named.add(testimony.speaker)
    for _, figure in document.figures:
        if figure.id not in removal.removed:
            named.add(figure.attributed_to)
    return {entry.id for _, entry in document.entries if entry.id not in named}


def withdrawn_runs(removal: Removal, document: Document) -> list[Run]:
    """Return the withdrawn runs of a text: disjoint, in order, in code points with exclusive
    ends.
    """
    found = _withdrawn(document)
    for start, end in _removed_evidence(removal, document):
        found |= {(start, end), *repeats(document.text, document.text[start:end])}
    for name in _names_in(removal, document):
        found |= occurrences(document.text, name)
    return with_parts(merged(found), document.at(("source", "boilerplate")))


# ---- names and ids -------------------------------------------------------------------------------


def _speakers(removal: Removal) -> Iterator[Any]:
    """Yield the speakers of the documents, and the removed shared speakers."""
    for document in removal.documents:
        yield from (speaker for _, speaker in document.speakers)
    for record_id in removal.removed:
        if record_id in removal.context.shared:
            yield removal.context.shared[record_id]


def _name_of(removal: Removal, speaker_id: str) -> str | None:
    """Return the name of a person, or None for an institution, whose name is not personal."""
    for speaker in _speakers(removal):
        if speaker.id == speaker_id and not isinstance(speaker, _INSTITUTIONS):
            return getattr(speaker, "name", None)
    return None


def _names_in(removal: Removal, document: Document) -> list[str]:
    """Return the names that no text of a document may contain.

    Surnames are included only if the person is a speaker of the document.
    """
    if not removal.name:
        return []
    if removal.target in document.speakers_by_id:
        return [removal.name, *removal.surnames]
    return [removal.name]


def files_without_surname(removal: Removal) -> set[str]:
    """Return the files in which even the surname may not remain: those that sources share, and
    those of sources with the person as a speaker, unless they are shards.
    """
    files = {file.file for file in shared_files(removal.context)}
    for document in removal.documents:
        if removal.target in document.speakers_by_id and not document.file.is_line:
            files.add(document.file.file)
    return files


def _ids_from_names(removal: Removal) -> list[str]:
    """Return the ids of removed speakers that are formed from a name, not from the source's id and
    a number.
    """
    sources = "|".join(re.escape(document.source.id) for document in removal.documents)
    numbered = re.compile(f"(?:{sources})-speaker-[1-9][0-9]*")
    speakers = (name for name, table in removal.removed.items() if table == "speakers")
    return sorted(name for name in speakers if not numbered.fullmatch(name))


def _renamed_terms(removal: Removal) -> dict[str, str]:
    """Return new names for the terms of the vocabulary that contain the name of the person."""
    vocabulary = removal.context.vocabulary
    terms = dict.fromkeys(text for path, text in vocabulary.texts() if path[-1] == "term")
    last, named = 0, list[str]()
    for term in terms:
        if re.fullmatch(f"{_RENAMED}[0-9]+", term):
            last = max(last, int(term.removeprefix(_RENAMED)))
        if _has_name(removal, term, removal.all_names):
            named.append(term)
    return {term: f"{_RENAMED}{number}" for number, term in enumerate(named, start=last + 1)}


def _without_gender(removal: Removal) -> frozenset[str]:
    """Return the ids of remaining shared speakers whose gender at least one of their sources no
    longer attests.
    """
    found = set()
    for document, speaker_id in _uses(removal):
        if speaker_id in removal.removed:
            continue
        has_gender = getattr(removal.context.shared[speaker_id], "gender", None)
        if has_gender and "gender" not in _attested(removal, document)[speaker_id]:
            found.add(speaker_id)
    return frozenset(found)


def _has_name(removal: Removal, text: str, names: Collection[str]) -> bool:
    """Return whether a text contains one of the names, or a removed id that is formed from a
    person's name.

    The full name is also found without its accents, as it is written in ids and terms.
    """
    ids = removal.ids_of_persons.intersection(_ID.findall(text))
    # The slug of a name in a non-Latin script is empty, and would be found in every text.
    in_full = removal.name and whole_slug("") != whole_slug(removal.name) in whole_slug(text)
    return bool(ids or in_full) or any(occurrences(text, name) for name in names)


def _has_name_or_id(removal: Removal, text: str, names: Collection[str]) -> bool:
    """Return whether a text contains one of the names, or a removed id that cannot be a common
    word.
    """
    ids = {name for name in _ID.findall(text) if "-" in name}
    return not ids.isdisjoint(removal.removed) or any(occurrences(text, name) for name in names)


# ---- new texts -----------------------------------------------------------------------------------


def new_texts(removal: Removal, reason: TakedownReason, day: date) -> NewTexts:
    """Return the new texts of the files and lines that change; nothing is written.

    With the reason `safety`, everything that a program can remove is removed at once, and
    `removal.by_hand` has the places that remain.

    Raises:
        TakedownBlockedError: the name is in a place that a person must edit, or a file is written
            in a form that this program cannot edit.
    """
    edited: NewTexts = {}
    for document in removal.documents:
        if document.source.id in removal.removed:
            edited[_place(document.file)] = None
            continue
        edits, runs = _edits(removal, document), withdrawn_runs(removal, document)
        if any(edits) or runs != merged(_withdrawn(document)):
            edits.cuts.add(("withdrawn",))  # `_with_edits` adds the new list
            edited[_place(document.file)] = _with_edits(document.file, edits, runs)
    context = removal.context
    for listed in (context.shared.listed, context.comparisons, context.releases):
        edited |= _edited_list(removal, listed)
    for file in (context.dataset, context.vocabulary):
        edits = _without_names(removal, _ForbiddenNames(file, removal.all_names, ids=False), ())
        if any(edits):
            edited[_place(file)] = _with_edits(file, edits)
    _find_source_names(removal)
    _find_other_names(removal, edited)
    if removal.by_hand and reason != "safety":
        raise TakedownBlockedError(f"{_clause(removal.by_hand)} by hand first")
    return edited | _with_tombstones(removal, reason, day)


def _clause(places: Sequence[Place]) -> str:
    """Return a clause that asks a person to edit places."""
    lines = {(place.file, place.line) for place in places}
    named = [f"{file}, line {line}" for file, line in sorted(lines)]
    if len(named) == 1:
        return f"{named[0]}, contains the name: edit it"
    return f"{named[0]}, contains the name, and so do {'; '.join(named[1:])}: edit these places"


def _edited_list(removal: Removal, listed: ListFile[Any]) -> NewTexts:
    """Return the new text of a list, or of its changed lines, without removed entries or the
    name.
    """
    edited: NewTexts = {}
    for file, entries in listed.files():
        going, cuts = set[Path](), set[Path]()
        for path, entry in entries.items():
            if _is_removed(removal, entry):
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


def _is_removed(removal: Removal, entry: Any) -> bool:
    """Return whether an entry of a list has the id of a removed record, or compares a removed
    figure.
    """
    return not removal.removed.keys().isdisjoint(getattr(entry, "figures", None) or [entry.id])


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
    cuts |= {*_unclaimed(document, runs), *_unattested(removal, document)}
    cuts |= {*_unattributed(removal, document)}
    names = _names_in(removal, document)
    return _without_names(removal, _ForbiddenNames(document.file, names, document.text), cuts)


def _touched_paths(cited: EvidenceField, touched: list[int]) -> set[Path]:
    """Return the paths to cut if some parts of a field of evidence are withdrawn."""
    if cited.field in _LISTS and len(touched) < len(cited.parts):
        return {(*cited.path, i) for i in touched}
    if cited.field in _LISTS:
        return {cited.path}
    if "support" in cited.path:  # `_unclaimed` yields these
        return set()
    if cited.field == "attribution":
        return {cited.path[:-1]}
    return {cited.path[:2] if cited.table == "sources" else cited.path}


def _unclaimed(document: Document, runs: list[Run]) -> Iterator[Path]:
    """Yield the paths of the entries of `support` whose words are withdrawn, and of the themes they
    support.
    """
    for path, testimony in document.testimonies:
        if lost := _lost(document, path, testimony, runs):
            if len(lost) == len(testimony.support):
                yield (*path, "support")
            else:
                yield from ((*path, "support", i) for i in lost)
            for i, term in enumerate(testimony.themes):
                if term in lost.values():
                    yield (*path, "themes", i)


def _unattributed(removal: Removal, document: Document) -> Iterator[Path]:
    """Yield the paths of attributions that lead to a removed record, and of removed rivals."""
    for path, (_, attribution) in document.attributions:
        if attribution.leads_to in removal.removed:
            yield path
        if attribution.rival in removal.removed:
            yield *path, "rival"


# ---- attributes without attestation --------------------------------------------------------------


def _unattested(removal: Removal, document: Document) -> Iterator[Path]:
    """Yield the paths of attributes that no remaining words attest, and of empty or unnecessary
    attestations.
    """
    attested = _attested(removal, document)
    for path, entry in document.speakers:
        for key in ("gender", "request"):
            is_lost = getattr(entry, key, None) and key not in attested[entry.id]
            if is_lost and entry.id not in removal.removed:
                yield *path, key
    for path, mention in document.mentions:
        keys = _attested_by(removal, document, path, mention)
        needless = document.entry_of(path).id in removal.without_gender and "gender" in keys
        needed = keys - {"gender"} if needless else keys
        if mention.attested_by and not needed:
            yield *path, "attested_by"
        elif needless:
            yield *path, "attested_by", "gender"


def _attested(removal: Removal, document: Document) -> dict[str, set[str]]:
    """Return the attributes that remaining mentions attest, by the id of the speaker."""
    attested: dict[str, set[str]] = defaultdict(set)
    for path, mention in document.mentions:
        if mention.id not in removal.removed:
            attested[document.entry_of(path).id] |= _attested_by(removal, document, path, mention)
    return attested


def _attested_by(
    removal: Removal, document: Document, path: Path, mention: Mention | models.ProtectedMention
) -> set[str]:
    """Return the attributes that a mention attests with words that are not withdrawn."""
    runs = withdrawn_runs(removal, document)
    keys = {key for key, words in mention.attested_by or () if words}
    return {key for key in keys if not overlap(document.at((*path, "attested_by", key)), runs)}


# ---- texts that contain the name -----------------------------------------------------------------


def _without_names(removal: Removal, named: _ForbiddenNames, cuts: Collection[Path]) -> _FileEdits:
    """Return the cuts with all other edits needed to remove the names and the removed ids from the
    texts.
    """
    edits = _FileEdits(set(cuts), {})
    for path, text, model, key in named.file.fields:
        if text in removal.renamed and any((each, key) in _TERMS for each in model.__mro__):
            edits.replaced[path] = removal.renamed[text]
            continue
        is_forbidden = _is_about_removed if named.ids else _has_name
        if is_forbidden(removal, text, named.names) and not _below(path, edits.cuts):
            _empty(removal, named, path, text, edits)
    cuts = {path for path in edits.cuts if not _below(path[:-1], edits.cuts)}
    replaced = {path: words for path, words in edits.replaced.items() if not _below(path, cuts)}
    return _FileEdits(cuts, replaced)


def _is_about_removed(removal: Removal, text: str, names: Collection[str]) -> bool:
    """Return whether a text contains one of the names, or the id of a removed record."""
    return _has_name(removal, text, names) or _has_name_or_id(removal, text, ())


def _empty(
    removal: Removal, named: _ForbiddenNames, path: Path, text: str, edits: _FileEdits
) -> None:
    """Add the edit that empties an optional text, or note the place of a required one for a
    person.
    """
    steps = _steps(named.file.content, path)
    model, field, _ = steps[-1]
    if is_closed(model, field) or may_keep(model, field):
        return
    if issubclass(model, _SPEAKERS) and field in ("id", "name"):
        # Another speaker may share a surname.
        if len((removal.name or "").split()) > 1 and _has_name(removal, text, ()):
            removal.by_hand.append(named.file.place(*path))
    elif issubclass(model, Part):
        # In words of the article, an id is a coincidence.
        if _has_name(removal, text, named.names) and not _cut_context(removal, named, path, edits):
            removal.by_hand.append(named.file.place(*path))
    elif optional := _optional_part(steps, path):
        edits.cuts.add(optional)
    else:
        removal.by_hand.append(named.file.place(*path))


def _optional_part(steps: Sequence[_Step], path: Path) -> Path | None:
    """Return the path of what can be emptied to remove a text: the text, or the fact about a source
    that has it.
    """
    *above, (model, field, at) = steps
    if issubclass(model, _FACTS):  # without one of its texts, a fact is incomplete
        model, field, path = above[-1]
        at = path
    if model.model_fields[field].is_required():
        return None
    return path if len(path) > len(at) else at


def _cut_context(removal: Removal, named: _ForbiddenNames, path: Path, edits: _FileEdits) -> bool:
    """Add the edit that removes a `prefix` or `suffix` containing the name, and return whether it
    was added.

    It is not added if the part would then be found in other places.
    """
    if path[-1] not in ("prefix", "suffix"):
        return False
    part = _at(named.file.content, path[:-1])
    around = {"prefix": part.prefix or "", "suffix": part.suffix or ""}
    left = dict(around)
    for key, words in around.items():
        if _has_name(removal, words, named.names):
            left[key] = ""
    before = anchors.occurrences(part.text, named.text, **around)
    if before != anchors.occurrences(part.text, named.text, **left):
        return False
    edits.cuts.update([path, (*path[:-2], path[-1])])  # a single part may be typed without a list
    return True


def _find_source_names(removal: Removal) -> None:
    """Note ids and seeds of sources that contain the name for a person, because tombstones would
    repeat them.
    """
    names = removal_scope(removal).slugs
    for document in removal.documents:
        for key in ("id", "seed"):
            if any(name in whole_slug(getattr(document.source, key)) for name in names):
                removal.by_hand.append(document.file.place("source", key))


def _find_other_names(removal: Removal, edited: NewTexts) -> None:
    """Note the places in the changelog, in tombstones and in remaining comments that contain the
    name.
    """
    for file in shared_files(removal.context):
        if isinstance(file.content, _BY_HAND):
            for path, text in file.texts():
                model, field, _ = _steps(file.content, path)[-1]
                if not is_closed(model, field) and _has_name(removal, text, removal.all_names):
                    removal.by_hand.append(file.place(*path))
        _find_comments(removal, file, removal.all_names, edited)
    for document in removal.documents:
        _find_comments(removal, document.file, _names_in(removal, document), edited)


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
    staying = [comment for comment in comments if _has_name(removal, comment, names)]
    for line, words in yaml_editor.comments(file.typed):
        # If the text between two comments is cut, they may become one comment that contains the
        # name.
        if any(words in comment for comment in staying):
            removal.by_hand.append(Place(file.file, line))


def named_shards(removal: Removal, shards: Iterable[str]) -> list[str]:
    """Return the shards whose file names contain the name."""
    names = removal_scope(removal).slugs | {whole_slug(each) for each in removal.ids_of_persons}
    named = []
    for file in shards:
        stem = whole_slug(FilePath(file).stem)
        if any(name in stem for name in names):
            named.append(file)
    return named


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


# ---- readings ------------------------------------------------------------------------------------


class EditedReading(NamedTuple):
    """A reading without the records that contain removed words or names."""

    file: str
    text: str | None
    """The new text; None if the whole file is removed."""
    records: int
    """Number of records that are removed."""


def edited_readings(corpus: CorpusReader, removal: Removal) -> Iterator[EditedReading]:
    """Yield the readings that change.

    A reading is removed as a whole if its source is, or if it cannot be read or edited.
    """
    documents = {FilePath(document.source.seed).stem: document for document in removal.documents}
    for file, stem in corpus.readings.items():
        if not file.endswith(".yaml"):
            continue  # a page for people, such as one on an adjudication, whose lines are listed
        text = (corpus.tree.root / file).read_text(encoding="utf-8", errors="replace")
        document = documents.get(stem)
        if document and document.source.id in removal.removed:
            yield EditedReading(file, None, 0)
            continue
        edited = _edited_reading(removal, file, text, document)
        if edited and edited.text != text:
            yield edited


def _edited_reading(
    removal: Removal, file: str, text: str, document: Document | None
) -> EditedReading | None:
    name = [removal.name] if removal.name else []
    names = _names_in(removal, document) if document else name
    value = yaml_reader.parse(text, file=file).value
    if not isinstance(value, dict):
        if document or _is_about_removed(removal, text, names):
            return EditedReading(file, None, 0)
        return None
    passages = _new_passages(removal, document) if document else None
    cuts = set()
    for path, entry in _entries_of_reading(value):
        is_about_removed = any(_is_about_removed(removal, each, names) for each in _strings(entry))
        if is_about_removed or (passages and passages.are_quoted_by(entry, str(path[-1]))):
            cuts.add(path)
    try:
        edited = yaml_editor.without(text, cuts)
    except yaml_editor.UneditableTextError:
        return EditedReading(file, None, 0)
    # The name may be left in a comment.
    if _has_name(removal, edited, names):
        return EditedReading(file, None, len(cuts))
    return EditedReading(file, edited, len(cuts))


def _entries_of_reading(value: Mapping[str, Any]) -> Iterator[tuple[Path, Any]]:
    """Yield the records of a reading, and the facts about its source, each with its path."""
    for key, listed in value.items():
        if isinstance(listed, list):
            yield from (((key, i), entry) for i, entry in enumerate(listed))
        elif isinstance(listed, dict):
            yield from (((key, name), entry) for name, entry in listed.items())
        else:
            yield (key,), listed


def _strings(value: Any) -> Iterator[str]:
    """Yield the strings in a YAML value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _strings(list(value.values()))
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


_QUOTING = (
    "evidence",
    "attribution",
    "words",
    "rival",
    "text",
    "title",
    "subtitle",
    "dateline",
    *_LISTS,
)
"""Keys of words of the article in a reading."""


def _quoted_parts(value: Any, key: str = "text") -> Iterator[Any]:
    """Yield the parts of evidence in a YAML value, as typed: strings, or mappings with `text`."""
    if isinstance(value, str):
        if key in _QUOTING:
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from _quoted_parts(item, key)
    elif isinstance(value, dict) and isinstance(value.get("text"), str):
        yield value
    elif isinstance(value, dict):
        for name, item in value.items():
            # The keys of `attested_by` are attributes.
            inner = "evidence" if key == "attested_by" else str(name)
            yield from _quoted_parts(item, inner)


class _Passages(NamedTuple):
    """The withdrawn runs of a text."""

    document: Document
    runs: list[Run]

    def are_quoted_by(self, entry: Any, key: str) -> bool:
        """Return whether an entry of a reading, at a key, quotes words of these runs."""
        return any(self.contain(part) for part in _quoted_parts(entry, key))

    def contain(self, part: Any) -> bool:
        """Return whether a part of evidence, as typed, has words in these runs."""
        given = part if isinstance(part, dict) else {"text": part}
        words, occurrence = given["text"].strip(), str(given.get("occurrence", ""))
        around = (str(given.get("prefix", "")), str(given.get("suffix", "")))
        number = int(occurrence) if occurrence.isdecimal() else None
        quote = Quote(words, Place(self.document.file.file), *around, number)
        text = SearchedText(self.document.seed, self.document.text, near=False)
        span, _ = anchors.find_span(quote, text)
        if span:
            return overlap([span], self.runs)
        # Words that are typed otherwise than in the article, or that it has several times
        withdrawn = [self.document.text[start:end] for start, end in self.runs]
        return any(occurrences(run, words) or occurrences(words, run) for run in withdrawn)


def _new_passages(removal: Removal, document: Document) -> _Passages | None:
    """Return the withdrawn runs of a text, or None if the takedown does not add any."""
    runs = withdrawn_runs(removal, document)
    return _Passages(document, runs) if runs != merged(_withdrawn(document)) else None


def removed_words(removal: Removal) -> set[str]:
    """Return the passages of at least three words in the evidence of removed records."""
    passages = set()
    for document in removal.documents:
        for start, end in _removed_evidence(removal, document):
            words = document.text[start:end]
            if len(words.split()) >= SHORTEST_PASSAGE:
                passages.add(words)
    return passages


def names_to_look_at(name: str, surnames: Collection[str]) -> list[str]:
    """Return the first names and the initials in a full name, which other persons may share."""
    words = [word for word in name.split() if not word.islower()]  # without particles such as `de`
    found = [word for word in words if word not in surnames and len(word) > 1]
    return found + [f"{words[0][0]} {word[0]}" for word in words[1:]]


# ---- helpers -------------------------------------------------------------------------------------


def shared_files(context: Context) -> list[ProjectFile[Any]]:
    """Return the files that all sources of a corpus share, with each line of a shard as a file."""
    lists: tuple[ListFile[Any], ...] = (
        context.tombstones,
        context.shared.listed,
        context.comparisons,
        context.releases,
    )
    listed = [file for each in lists for file, _ in each.files()]
    return [context.dataset, context.vocabulary, context.changelog, *listed]


def _place(file: ProjectFile[Any]) -> tuple[str, int]:
    return file.file, file.line if file.is_line else 0


def _withdrawn(document: Document) -> set[Run]:
    return {(run.start, run.end) for run in document.content.withdrawn}


def _with_edits(file: ProjectFile[Any], edits: _FileEdits, withdrawn: Collection[Run] = ()) -> str:
    """Return the text of a file, or of a line of a shard, with edits and a new list of withdrawn
    runs.

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
    """Return the model, name and path of each field along the path of a text, from the outermost to
    the innermost.
    """
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


def record_of(document: Document, path: Path) -> tuple[RecordTable, str]:
    """Return the table and id of the innermost record that contains a path, or of the source if
    there is none.
    """
    found: tuple[RecordTable, str] = ("sources", document.source.id)
    longest = 0
    for at, table, record_id in document.records:
        if path[: len(at)] == at and len(at) > longest:
            found, longest = (table, record_id), len(at)
    return found


def _surnames(name: str) -> list[str]:
    """Return the surnames in a full name: the last word, or the last two of three or more words."""
    words = name.split()
    # Two surnames require three words.
    return words[-2:] if words[2:] else words[-1:]


def whole_slug(words: str) -> str:
    """Return words in the form of an id, with a hyphen at each end, so that only whole words are
    found in it.
    """
    return f"-{slug(words)}-"


def _header(typed: str) -> str:
    """Return the line with the schema of tombstones, which editors read; "" if the speakers file
    has no such line.
    """
    first = typed.partition("\n")[0]
    schema = r"(# yaml-language-server: \$schema=.*/)speakers(\.schema\.json)\s*"
    named = re.fullmatch(schema, first)
    return f"{named[1]}tombstones{named[2]}\n" if named else ""
