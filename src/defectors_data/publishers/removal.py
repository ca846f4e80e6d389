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
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any, NamedTuple

from defectors_data.corpus.findings import Path, Place, ProjectFile
from defectors_data.corpus.shared_context import Context
from defectors_data.edits import yaml_editor
from defectors_data.evidence.annotated_document import Document, EvidenceField
from defectors_data.evidence.record_ids import id_words, ids_in
from defectors_data.models import annotation as models
from defectors_data.models.annotation import Mention
from defectors_data.models.closed_vocabularies import RecordTable
from defectors_data.models.fields import Part
from defectors_data.text.occurrences import (
    SHORTEST_PASSAGE,
    Run,
    merged,
    occurrences,
    overlap,
    repeats,
    slug,
    with_parts,
)
from defectors_data.text.offsets import paragraphs_around

LISTS = ("captions", "pull_quotes", "boilerplate")
"""Fields of a source whose parts are independent of each other."""

RENAMED = "withdrawn_term_"
_INSTITUTIONS = (models.Institution, models.SharedInstitution)


class RecordNotFoundError(LookupError):
    """No record has this id."""


class TakedownBlockedError(ValueError):
    """A person must edit a file first, or too many documents are involved, as the message says."""


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
        if any(not self.ids.isdisjoint(id_words(note)) for note in notes):
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
    """Ids of a source and of a speaker to whom no record of that source refers any more."""
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
    """The ids of remaining shared speakers whose gender a source no longer attests."""
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
    """Return a record with all that depends on it; `rename`: terms with the name are renamed.

    For a large corpus, `documents` need only contain those that `removal_scope` includes.

    Raises:
        RecordNotFoundError: there is no such record.
    """
    removal = Removal(documents, context, target, used_elsewhere)
    removal.tables = _tables_of_records(documents, context)
    if target not in removal.tables:
        raise RecordNotFoundError
    removal.removed[target] = removal.tables[target]
    removal.name = _name_of(removal, target)
    removal.surnames = _surnames(removal.name or "")
    _add_all_dependents(removal)
    _add_names_and_ids(removal)
    removal.without_gender = _without_gender(removal)
    if rename:
        removal.renamed = _renamed_terms(removal)
    return removal


def _tables_of_records(documents: Iterable[Document], context: Context) -> dict[str, RecordTable]:
    """Return the table of each record of documents, and of each shared speaker, by id."""
    tables: dict[str, RecordTable] = dict.fromkeys(context.shared, "speakers")
    for document in documents:
        tables |= document.tables
    return tables


def _add_all_dependents(removal: Removal) -> None:
    """Add the records that depend on the target directly or through others."""
    before = None
    while before != (before := (len(removal.removed), len(removal.unused))):
        _add_dependents(removal)


def _add_names_and_ids(removal: Removal) -> None:
    """Add the names, and the removed ids formed from names, that may remain in no text."""
    for document in removal.documents:
        removal.all_names |= {*names_in(removal, document)}
    removal.ids_from_names = _ids_from_names(removal)
    institutions = set()
    for speaker in _speakers(removal):
        if isinstance(speaker, _INSTITUTIONS):
            institutions.add(speaker.id)
    removal.ids_of_persons = frozenset(removal.ids_from_names) - institutions


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
    names = names_in(removal, document)
    for _, figure in document.figures:
        if has_name_or_id(removal, figure.counted, names):
            yield figure.id
    yield from _unreferenced(removal, document) - {*removal.context.shared}


def _is_evidence_of_record(cited: EvidenceField) -> bool:
    """Return whether a field is the evidence of a record other than the source, which is kept.

    The codes of a testimony are not removed by themselves.
    """
    return cited.table != "sources" and cited.path[-1] == "evidence"


def removed_evidence(removal: Removal, document: Document) -> Iterator[Run]:
    """Yield the places of the evidence of removed records."""
    for cited in document.cited:
        if _is_evidence_of_record(cited) and cited.record_id in removal.removed:
            yield from document.at(cited.path)


def records_near_mentions(removal: Removal) -> list[str]:
    """Return the remaining testimonies, figures and mentions in paragraphs with a removed mention."""
    found = dict[str, None]()
    for document in removal.documents:
        paragraphs = list[Run]()
        for cited in document.cited:
            if removal.removed.get(cited.record_id) == "mentions" and cited.path[-1] == "evidence":
                for span in document.at(cited.path):
                    paragraphs.append(paragraphs_around(document.text, span))
        for cited in document.cited:
            is_left = _is_evidence_of_record(cited) and cited.record_id not in removal.removed
            if (
                is_left
                and cited.table != "waivers"
                and overlap(document.at(cited.path), paragraphs)
            ):
                found[cited.record_id] = None
    return list(found)


def seeds_with_words(removal: Removal) -> list[str]:
    """Return the seeds in which removed words are still printed, by path.

    The packed text of a removed source is removed with it.
    """
    found = set[str]()
    for document in removal.documents:
        is_packed = document.seed != f"seeds/{document.source.seed}"
        is_removed = is_packed and document.source.id in removal.removed
        if withdrawn_runs(removal, document) and not is_removed:
            found.add(document.seed)
    return sorted(found)


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
    for _, group in document.groups:
        if group.id not in removal.removed:
            named.add(group.part_of)
    return {entry.id for _, entry in document.entries if entry.id not in named}


def withdrawn_runs(removal: Removal, document: Document) -> list[Run]:
    """Return the withdrawn runs of a text: disjoint and in order."""
    found = already_withdrawn(document)
    for start, end in removed_evidence(removal, document):
        found |= {(start, end), *repeats(document.text, document.text[start:end])}
    for name in names_in(removal, document):
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


def names_in(removal: Removal, document: Document) -> list[str]:
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
    """Return the ids of removed speakers that are made from a name, not from a number."""
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
        if re.fullmatch(f"{RENAMED}[0-9]+", term):
            last = max(last, int(term.removeprefix(RENAMED)))
        if has_name(removal, term, removal.all_names):
            named.append(term)
    return {term: f"{RENAMED}{number}" for number, term in enumerate(named, start=last + 1)}


def _without_gender(removal: Removal) -> frozenset[str]:
    """Return the ids of remaining shared speakers whose gender a source no longer attests."""
    found = set()
    for document, speaker_id in _uses(removal):
        if speaker_id in removal.removed:
            continue
        has_gender = getattr(removal.context.shared[speaker_id], "gender", None)
        if has_gender and "gender" not in attested(removal, document)[speaker_id]:
            found.add(speaker_id)
    return frozenset(found)


def has_name(removal: Removal, text: str, names: Collection[str]) -> bool:
    """Return whether a text contains one of the names, or a removed id made from a person's name.

    The full name is also found without its accents, and in ids and terms each of the names is.
    """
    ids = removal.ids_of_persons & id_words(text)
    without_accents = [removal.name] if removal.name else []
    if _ID_OR_TERM.fullmatch(text):
        without_accents += names
    in_slug = any(_is_in_slug(name, text) for name in without_accents)
    return bool(ids) or in_slug or any(occurrences(text, name) for name in names)


_ID_OR_TERM = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")


def _is_in_slug(name: str, text: str) -> bool:
    """Return whether a text in the form of an id contains a name in that form."""
    # The slug of a name in a non-Latin script is empty, and would be found in every text.
    return whole_slug("") != whole_slug(name) in whole_slug(text)


def has_name_or_id(removal: Removal, text: str, names: Collection[str]) -> bool:
    """Return whether a text has one of the names, or a removed id that is no common word."""
    return not ids_in(text).isdisjoint(removal.removed) or any(
        occurrences(text, name) for name in names
    )


def is_about_removed(removal: Removal, text: str, names: Collection[str]) -> bool:
    """Return whether a text contains one of the names, or the id of a removed record."""
    return has_name(removal, text, names) or has_name_or_id(removal, text, ())


def named_shards(removal: Removal, shards: Iterable[str]) -> list[str]:
    """Return the shards whose file names contain the name."""
    names = removal_scope(removal).slugs | {whole_slug(each) for each in removal.ids_of_persons}
    named = []
    for file in shards:
        stem = whole_slug(FilePath(file).stem)
        if any(name in stem for name in names):
            named.append(file)
    return named


def removed_words(removal: Removal) -> set[str]:
    """Return the passages of at least three words in the evidence of removed records."""
    passages = set()
    for document in removal.documents:
        for start, end in removed_evidence(removal, document):
            words = document.text[start:end]
            if len(words.split()) >= SHORTEST_PASSAGE:
                passages.add(words)
    return passages


def names_to_look_at(name: str, surnames: Collection[str]) -> list[str]:
    """Return the first names and the initials in a full name, which other persons may share."""
    words = [word for word in name.split() if not word.islower()]  # without particles such as `de`
    found = [word for word in words if word not in surnames and len(word) > 1]
    return found + [f"{words[0][0]} {word[0]}" for word in words[1:]]


def attested(removal: Removal, document: Document) -> dict[str, set[str]]:
    """Return the attributes that remaining mentions attest, by the id of the speaker."""
    found = defaultdict[str, set[str]](set)
    for path, mention in document.mentions:
        if mention.id not in removal.removed:
            found[document.entry_of(path).id] |= attested_by_words(removal, document, path, mention)
    return found


def attested_by_words(
    removal: Removal, document: Document, path: Path, mention: Mention | models.ProtectedMention
) -> set[str]:
    """Return the attributes that a mention attests with words that are not withdrawn."""
    runs = withdrawn_runs(removal, document)
    keys = {key for key, words in mention.attested_by or () if words}
    return {key for key in keys if not overlap(document.at((*path, "attested_by", key)), runs)}


# ---- helpers -------------------------------------------------------------------------------------


def shared_files(context: Context) -> list[ProjectFile[Any]]:
    """Return the files that all sources of a corpus share, with each line of a shard as a file."""
    listed = [file for each in context.lists for file, _ in each.files()]
    return [context.dataset, context.vocabulary, context.changelog, *listed]


def already_withdrawn(document: Document) -> set[Run]:
    """Return the runs of a text that earlier takedowns withdrew."""
    return {(run.start, run.end) for run in document.content.withdrawn}


def record_of(document: Document, path: Path) -> tuple[RecordTable, str]:
    """Return the table and id of the innermost record that contains a path, or of the source."""
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


@lru_cache(maxsize=1 << 12)  # each text is searched for each name
def whole_slug(words: str) -> str:
    """Return words in the form of an id between hyphens, so that only whole words are found."""
    return f"-{slug(words)}-"
