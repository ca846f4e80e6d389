"""Take a record out of the annotations, and all that rests on it.

What goes: the record; whatever refers to it; whatever shares words with what goes; speakers whom nothing names any
more. The words of all that, and every repeat of them in the same article, become runs that are withdrawn. Of a person
every place where the name is printed is withdrawn too, and no note is left that holds it. Records are found by reading
what people wrote; nothing is decided by what the words mean.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from pathlib import Path as FilePath
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, get_args, get_origin

from typing_extensions import TypeAliasType

from defectors_data.corpus.context import Context, ListFile, ListShard
from defectors_data.corpus.project_file import Path, ProjectFile
from defectors_data.corpus.reader import TOMBSTONES
from defectors_data.evidence import anchoring
from defectors_data.evidence.document import Document
from defectors_data.models.annotation import (
    Fact,
    Figure,
    InferredDate,
    InferredName,
    InferredNames,
    Institution,
    Mention,
    Part,
    ProtectedMention,
    Relation,
    SharedInstitution,
    SharedReference,
    Source,
    Speaker,
    Support,
    Testimony,
    Waiver,
)
from defectors_data.models.fields import Record
from defectors_data.models.project import Comparison, Dataset, Tombstone, Tombstones, VocabularyTerm
from defectors_data.models.vocabularies import RecordTable, TakedownReason
from defectors_data.release import json_editor, yaml_editor
from defectors_data.text.occurrences import Run, may_hold, meet, merged, occurrences, repeats, with_parts

_WORD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""What may be an id."""

_NAMELESS = "withdrawn-speaker-"

_FIRST_LINE = "# Written by `defectors-data takedown`.\n"

# ---- what happens to a text that names what goes ---------------------------------------------------------------------

# Every text field of every model that is in none of these tables loses a text with the name: it is cut where the model
# permits that it is absent, and where it is required the takedown is refused. A new field needs no entry here.

_REFERENCE = "a record whose id goes takes this one along; an id that stays is looked at where it is given"
_NUMBERED = "made of the id of the source, which is refused, and a number"
_TERM = "a term of the vocabulary, where it is refused"

MAY_KEEP: dict[tuple[type[Record], str], str] = {
    (Source, "id"): "refused, together with the seed's name, by `_refuse_ids_that_hold_the_name`",
    (Source, "seed"): "refused, together with the id, by `_refuse_ids_that_hold_the_name`",
    (ProtectedMention, "id"): _NUMBERED,
    (Mention, "id"): _NUMBERED,
    (Testimony, "id"): _NUMBERED,
    (Figure, "id"): _NUMBERED,
    (Relation, "id"): _NUMBERED,
    (Waiver, "id"): _NUMBERED,
    (SharedReference, "use"): _REFERENCE,
    (Testimony, "speaker"): _REFERENCE,
    (Testimony, "about"): _REFERENCE,
    (Figure, "attributed_to"): _REFERENCE,
    (Figure, "testimony"): _REFERENCE,
    (Relation, "result"): _REFERENCE,
    (Relation, "operands"): _REFERENCE,
    (Waiver, "repeats"): _REFERENCE,
    (Comparison, "figures"): _REFERENCE,
    (Testimony, "themes"): _TERM,
    (Support, "claim"): _TERM,
    (Figure, "measure"): _TERM,
    (Figure, "population"): _TERM,
}
"""Fields whose text may hold a name, and why no name is published by them."""

_REASON = "This reason named a person or a record that was taken out."

NEUTRAL: dict[tuple[type[Record], str], str] = {
    (VocabularyTerm, "definition"): "This definition named a person who was taken out.",
    (Source, "rights"): "This statement of rights named a person or a record that was taken out.",
    (Comparison, "note"): "This note named a person or a record that was taken out.",
    (InferredName, "note"): _REASON,
    (InferredNames, "note"): _REASON,
    (InferredDate, "note"): _REASON,
    (Figure, "override"): _REASON,
}
"""Fields that need a text, and the sentence that replaces one with the name."""

_FACTS, _SPEAKERS, _INSTITUTIONS = get_args(Fact), get_args(Speaker), (Institution, SharedInstitution)


class NoRecord(LookupError):
    """No record has this id."""


class InTheWay(ValueError):
    """What has to go can only be removed by hand; the message says where."""


Edited: TypeAlias = dict[tuple[str, int], str | None]
"""The new text of files (line 0) and of lines of shards (from 1) by path and line; None for what is removed."""


class Reach(NamedTuple):
    """What shows that a document may be changed by a takedown, or be in its way."""

    ids: frozenset[str]
    """The document gives, or names, one of these ids."""
    names: frozenset[str] = frozenset()
    """Its text, or what is annotated about it, contains one of these."""
    slugs: frozenset[str] = frozenset()
    """The id of its source, or the name of its seed, contains one of these as `slug` writes it."""

    def with_all(self, other: Reach) -> Reach:
        """Return what both show."""
        return Reach(*(mine | theirs for mine, theirs in zip(self, other, strict=True)))

    def includes(self, document: Document) -> bool:
        """Return whether a document is reached."""
        source, typed = document.source, document.file.typed
        if any(name in slug(called) for name in self.slugs for called in (source.id, source.seed)):
            return True
        texts = document.file.texts()
        notes = [text for path, text in texts if path[-1] not in _QUOTED]
        if not document.file.is_line and "#" in typed and self._finds([typed], [typed]):
            notes += (words for _, words in yaml_editor.comments(typed))
        return self._finds(notes, [document.text, *notes, *(text for _, text in texts)])

    def _finds(self, notes: Collection[str], texts: Collection[str]) -> bool:
        """Return whether notes name one of the ids, or texts contain one of the names."""
        if any(not self.ids.isdisjoint(_WORD.findall(note)) for note in notes):
            return True
        return any(occurrences(text, name) for name in self.names for text in texts)


_QUOTED = frozenset(Part.model_fields)
"""Fields with words of the article, in which no id is looked for."""


@dataclass
class Taking:
    """What goes with a record, all that rests on it included.

    The documents may be some of a larger corpus: all that `reach` includes.
    """

    documents: Sequence[Document]
    context: Context
    target: str
    used_elsewhere: Collection[str] = frozenset()
    """Shared speakers to whom other documents refer."""
    gone: dict[str, RecordTable] = field(default_factory=dict)
    """Records that go, by id."""
    unused: set[tuple[str, str]] = field(default_factory=set)
    """Shared speakers who are not heard any more in a document, by the ids of source and speaker."""

    def __post_init__(self) -> None:
        """Let all that rests on the record go with it.

        Raises:
            NoRecord: there is no such record.
        """
        self.tables: dict[str, RecordTable] = dict.fromkeys(self.context.shared, "speakers")
        for document in self.documents:
            self.tables |= document.tables
        if self.target not in self.tables:
            raise NoRecord
        self.gone[self.target] = self.tables[self.target]
        self.name = self._name_of(self.target)
        self.surnames = _surnames(self.name or "")
        self._all_that_rests_on_it()

    def reach(self) -> Reach:
        """Return what shows which documents this takedown changes, or are in its way."""
        slugs = frozenset(map(slug, self._all_names)) - {slug("")}
        return Reach(frozenset({*self.gone, *self._bare}), frozenset(filter(None, [self.name])), slugs)

    def _names_in(self, document: Document) -> list[str]:
        """Return the names that no text of a document may contain."""
        heard = self.target in document.heard
        return [self.name, *(self.surnames if heard else ())] if self.name else []

    def _all_that_rests_on_it(self) -> None:
        """Let everything go that rests on what goes, until there is nothing more."""
        before = None
        while before != (before := (len(self.gone), len(self.unused))):
            for document in self.documents:
                for record_id in self._resting(document):
                    self.gone.setdefault(record_id, self.tables[record_id])
                self.unused |= {(document.source.id, name) for name in self._silent(document)}
            used = {*self.used_elsewhere, *(speaker_id for _, speaker_id in self._uses())}
            for speaker_id in self.context.shared:
                if speaker_id not in used:
                    self.gone.setdefault(speaker_id, "speakers")

    # ---- what rests on what ------------------------------------------------------------------------------------

    def _uses(self) -> Iterator[tuple[Document, str]]:
        """Give the shared speakers who are still heard in a document."""
        for document in self.documents:
            for _, entry in document.uses:
                source_id = document.source.id
                if source_id not in self.gone and (source_id, entry.id) not in self.unused:
                    yield document, entry.id

    def _resting(self, document: Document) -> Iterator[str]:
        """Give the records of a document that rest on what goes."""
        gone, source_id = self.gone.keys(), document.source.id
        if source_id in gone:
            yield from (record_id for _, _, record_id in document.records)
            return
        for path, mention in document.mentions:
            speaker_id = document.entry_of(path).id
            if speaker_id in gone or (source_id, speaker_id) in self.unused:
                yield mention.id
        yield from (t.id for _, t in document.testimonies if {t.speaker, t.about} & gone)
        yield from (f.id for _, f in document.figures if {f.attributed_to, f.testimony} & gone)
        yield from (w.id for _, w in document.waivers if w.repeats in gone)
        yield from (r.id for _, r in document.relations if {r.result, *r.operands} & gone)
        runs = self.runs(document)
        for cited in document.cited:
            if cited.table != "sources" and cited.field == "evidence" and meet(document.at(cited.path), runs):
                yield cited.record_id
        yield from (t.id for path, t in document.testimonies if not self._borne_out(document, path, t, runs))
        names = self._names_in(document)
        yield from (f.id for _, f in document.figures if self._names_what_goes(f.counted, names))
        yield from (name for name in self._silent(document) if name not in self.context.shared)

    def _lost(self, document: Document, path: Path, testimony: Testimony, runs: list[Run]) -> dict[int, str]:
        """Return the claims of a testimony that lose words which bear them out, by their place in `support`."""
        places = ((i, (*path, "support", i, "words")) for i in range(len(testimony.support)))
        return {i: testimony.support[i].claim for i, words in places if meet(document.at(words), runs)}

    def _borne_out(self, document: Document, path: Path, testimony: Testimony, runs: list[Run]) -> bool:
        """Tell whether words that stay bear out the mode of a testimony, and a theme at least."""
        lost = set(self._lost(document, path, testimony, runs).values())
        return "mode" not in lost and bool(set(testimony.themes) - lost)

    def _silent(self, document: Document) -> set[str]:
        """Return the speakers of a document whom nothing that stays names."""
        if document.source.id in self.gone:
            return {entry.id for _, entry in document.entries}
        named = {x for _, t in document.testimonies if t.id not in self.gone for x in (t.speaker, t.about)}
        named |= {f.attributed_to for _, f in document.figures if f.id not in self.gone}
        return {entry.id for _, entry in document.entries if entry.id not in named}

    def runs(self, document: Document) -> list[Run]:
        """Return the runs of a text that are taken out, in order and apart; in code points, ends exclusive."""
        found = _withdrawn(document)
        for cited in document.cited:
            if cited.field == "evidence" and cited.record_id in self.gone and cited.table != "sources":
                for start, end in document.at(cited.path):
                    found |= {(start, end), *repeats(document.text, document.text[start:end])}
        for name in self._names_in(document):
            found |= occurrences(document.text, name)
        return with_parts(merged(found), document.at(("source", "boilerplate")))

    def _names_what_goes(self, text: str, names: Collection[str]) -> bool:
        """Tell whether a text contains a name, or an id that goes and is no common word."""
        ids = {name for name in _WORD.findall(text) if "-" in name}
        return not ids.isdisjoint(self.gone) or any(occurrences(text, name) for name in names)

    # ---- what is left ------------------------------------------------------------------------------------------

    def edited(self, reason: TakedownReason, day: date) -> Edited:
        """Return the files and lines that change, as they are afterwards; nothing is written.

        Raises:
            InTheWay: the name is in dataset.yaml, in the vocabulary, in a comment or in what a source or its seed is
                called, or a file is typed so that it cannot be edited.
        """
        self._refuse_ids_that_hold_the_name()
        edited: Edited = {}
        for document in self.documents:
            if document.source.id in self.gone:
                edited[_place(document.file)] = None
                continue
            edits, runs = self._edits(document), self.runs(document)
            if any(edits) or runs != merged(_withdrawn(document)):
                edits.cuts.add(("withdrawn",))
                edited[_place(document.file)] = _with_edits(document.file, edits, runs)
        edited |= self._edited_list(self.context.shared.listed)
        edited |= self._edited_list(self.context.comparisons)
        edited |= self._definitions()
        self._refuse_what_only_a_keeper_can_change(edited)
        return edited | self._with_tombstones(reason, day)

    def _edited_list(self, listed: ListFile[Any]) -> Edited:
        """Return a list, or its lines that change, without entries and texts that name what goes."""
        edited: Edited = {}
        for file, entries in listed.files():
            going = {path for path, entry in entries.items() if self._goes(entry)}
            if file.is_line and going:
                edited[_place(file)] = None
                continue
            bare = {(*path, "gender") for path, entry in entries.items() if getattr(entry, "id", None) in self._bare}
            edits = self._without_names(_Named(file, self._all_names), going | bare)
            if any(edits):
                edited[_place(file)] = text = _with_edits(file, edits)
                if going and going == entries.keys():
                    edited[_place(file)] = f"{text}speakers: []\n" if listed.key == "speakers" else None
        return edited

    def _goes(self, entry: Any) -> bool:
        """Return whether an entry of a list goes: a speaker, or the note on a comparison of a figure that goes."""
        return not self.gone.keys().isdisjoint(getattr(entry, "figures", None) or [entry.id])

    def tombstones(self, reason: TakedownReason, day: date) -> list[Tombstone]:
        """Return a tombstone for each record that goes, in the order of tables and ids.

        An id that is made of a name goes too: its tombstone has a number instead. Of a source whose text stays behind
        as a file, it names that.
        """
        seeds = {d.source.id: d.source.seed for d in self.documents if d.seed == f"seeds/{d.source.seed}"}
        listed = [stone.id for stone in self.context.tombstones if stone.id.startswith(_NAMELESS)]
        last = max((int(name.removeprefix(_NAMELESS)) for name in listed), default=0)
        nameless = {name: f"{_NAMELESS}{number}" for number, name in enumerate(self._telling, start=last + 1)}
        stones = [
            Tombstone(table=table, id=nameless.get(name, name), date=day, reason=reason, seed=seeds.get(name))
            for name, table in self.gone.items()
        ]
        return sorted(stones, key=lambda stone: (stone.table, stone.id))

    def _with_tombstones(self, reason: TakedownReason, day: date) -> Edited:
        """Return the list of tombstones with those of this takedown, or its new lines, in the layout of the lists."""
        listed = self.context.tombstones
        new = [stone.model_dump(mode="json", exclude_none=True) for stone in self.tombstones(reason, day)]
        if isinstance(listed if listed.exists else self.context.shared.listed, ListShard):
            file, first = TOMBSTONES.replace(".yaml", ".jsonl"), len(listed) + 1
            return {
                (file, number): json.dumps(stone, ensure_ascii=False, separators=(",", ":"))
                for number, stone in enumerate(new, first)
            }
        old = [stone.model_dump(mode="json", exclude_none=True) for stone in listed]
        header = _header(next((file.typed for file, _ in self.context.shared.listed.files()), ""))
        return {(TOMBSTONES, 0): yaml_editor.with_list(header + _FIRST_LINE, "tombstones", [*old, *new])}

    def _edits(self, document: Document) -> _Edits:
        """Return what is taken out of the annotations of a document, and what is replaced in it."""
        runs = self.runs(document)
        cuts = {path for path, _, record_id in document.records if record_id in self.gone}
        cuts |= {path for path, e in document.entries if e.id in self.gone or (document.source.id, e.id) in self.unused}
        for cited in document.cited:
            touched = [i for i, span in enumerate(document.at(cited.path)) if meet([span], runs)]
            if touched and cited.field == "boilerplate":
                cuts |= {(*cited.path, i) for i in touched} if len(touched) < len(cited.parts) else {cited.path}
            elif touched and "support" not in cited.path:
                cuts.add(cited.path[:2] if cited.table == "sources" else cited.path)
        cuts |= set(self._unclaimed(document, runs))
        licensed = self._licensed(document)
        for path, entry in document.speakers:
            cuts |= {
                (*path, key)
                for key in ("gender", "request")
                if getattr(entry, key, None) and key not in licensed[entry.id] and entry.id not in self.gone
            }
        for path, mention in document.mentions:
            licences = self._licences(document, path, mention)
            needless = document.entry_of(path).id in self._bare and "gender" in licences
            if mention.attested_by and licences <= ({"gender"} if needless else set()):
                cuts.add((*path, "attested_by"))
            elif needless:
                cuts.add((*path, "attested_by", "gender"))
        return self._without_names(_Named(document.file, self._names_in(document), document.text), cuts)

    def _unclaimed(self, document: Document, runs: list[Run]) -> Iterator[Path]:
        """Give the claims whose words go: entries of `support`, or all of it, and the themes that they bore out."""
        for path, testimony in document.testimonies:
            if lost := self._lost(document, path, testimony, runs):
                all_gone = len(lost) == len(testimony.support)
                yield from [(*path, "support")] if all_gone else [(*path, "support", i) for i in lost]
                yield from ((*path, "themes", i) for i, term in enumerate(testimony.themes) if term in lost.values())

    # ---- texts that name what goes ---------------------------------------------------------------------------------

    def _without_names(self, named: _Named, cuts: Collection[Path]) -> _Edits:
        """Return cuts, and what else is cut or replaced so that no text which is left names what goes.

        Raises:
            InTheWay: a text names it that can be neither cut nor replaced.
        """
        edits = _Edits(set(cuts), {})
        for path, text in named.file.texts():
            has_name = any(occurrences(text, name) for name in named.names)
            if (has_name or not self.gone.keys().isdisjoint(_WORD.findall(text))) and not _below(path, edits.cuts):
                self._remove(named, path, text, edits)
        cuts = {path for path in edits.cuts if not _below(path[:-1], edits.cuts)}
        return _Edits(cuts, {path: words for path, words in edits.replaced.items() if not _below(path, cuts)})

    def _remove(self, named: _Named, path: Path, text: str, edits: _Edits) -> None:
        """Add to the edits what removes a text, or refuse it; leave it where its field may keep a name."""
        *above, last = _steps(named.file.content, path)
        model, field, at = last
        if _is_closed(model, field) or may_keep(model, field):
            return
        tells = self._tells(text, named.names)
        if issubclass(model, _SPEAKERS) and field in ("id", "name"):  # of someone who may share a single name
            tells = len((self.name or "").split()) > 1 and self._tells(text, ())
        elif issubclass(model, Part):
            tells = tells and not self._cut_beside(named, path, edits)  # words of the article name no record
        elif sentence := _found(NEUTRAL, model, field):
            edits.replaced[path] = sentence
            return
        elif issubclass(model, _FACTS):
            edits.cuts.add(above[-1].path)
            return
        elif not model.model_fields[field].is_required():
            edits.cuts.add(path if len(path) > len(at) else at)
            return
        if tells:
            raise _in_the_way(named.file, path)

    def _cut_beside(self, named: _Named, path: Path, edits: _Edits) -> bool:
        """Cut a `prefix` or `suffix` with the name, where its words are found in the same places without it."""
        if path[-1] not in ("prefix", "suffix"):
            return False
        part = _at(named.file.content, path[:-1])
        beside = {key: getattr(part, key) or "" for key in ("prefix", "suffix")}
        left = {key: "" if self._tells(words, named.names) else words for key, words in beside.items()}
        found, still = (anchoring.occurrences(part.text, named.text, **words) for words in (beside, left))
        if found != still:
            return False
        edits.cuts.update([path, (*path[:-2], path[-1])])  # one part may be typed without a list
        return True

    @property
    def _speakers(self) -> Iterator[Any]:
        yield from (speaker for document in self.documents for _, speaker in document.speakers)
        yield from (self.context.shared[name] for name in self.gone if name in self.context.shared)

    def _name_of(self, speaker_id: str) -> str | None:
        """Return the name of a person; an institution's name is nobody's own."""
        named = [s for s in self._speakers if s.id == speaker_id and not isinstance(s, _INSTITUTIONS)]
        return next((getattr(speaker, "name", None) for speaker in named), None)

    @cached_property
    def _telling(self) -> list[str]:
        """The ids that go and are made of a name, not of a source's id and a number."""
        sources = "|".join(re.escape(document.source.id) for document in self.documents)
        numbered = re.compile(f"(?:{sources})-speaker-[1-9][0-9]*")
        speakers = (name for name, table in self.gone.items() if table == "speakers")
        return sorted(name for name in speakers if not numbered.fullmatch(name))

    @cached_property
    def _persons(self) -> frozenset[str]:
        """The ids that go and are made of a person's name; an institution's is nobody's own."""
        institutions = {speaker.id for speaker in self._speakers if isinstance(speaker, _INSTITUTIONS)}
        return frozenset(self._telling) - institutions

    def _tells(self, text: str, names: Collection[str]) -> bool:
        """Tell whether a text contains one of the names, or an id that goes and is made of a person's.

        The name in full is found without its accents, too: ids and terms have none.
        """
        named = self._persons.intersection(_WORD.findall(text))
        in_full = self.name and slug("") != slug(self.name) in slug(text)
        return bool(named or in_full) or any(occurrences(text, name) for name in names)

    @cached_property
    def _all_names(self) -> frozenset[str]:
        return frozenset(name for document in self.documents for name in self._names_in(document))

    def _definitions(self) -> Edited:
        """Return the vocabulary with other words where a definition has the name; other words only a keeper knows."""
        vocabulary, replaced = self.context.vocabulary, dict[Path, str]()
        for path, words in vocabulary.texts():
            model, field, _ = _steps(vocabulary.content, path)[-1]
            if _is_closed(model, field) or not self._tells(words, self._all_names):
                continue
            sentence = _found(NEUTRAL, model, field)
            if not sentence:
                raise _in_the_way(vocabulary, path)
            replaced[path] = sentence
        return {_place(vocabulary): _with_edits(vocabulary, _Edits(set(), replaced))} if replaced else {}

    def _refuse_what_only_a_keeper_can_change(self, edited: Edited) -> None:
        """Refuse where dataset.yaml or a tombstone names who goes, or a comment that stays does."""
        context = self.context
        lists: tuple[ListFile[Any], ...] = (context.tombstones, context.shared.listed, context.comparisons)
        files: list[ProjectFile[Any]] = [context.dataset, context.vocabulary]
        files += (file for listed in lists for file, _ in listed.files())
        for file in files:
            if isinstance(file.content, Dataset | Tombstones | Tombstone):
                for path, text in file.texts():
                    model, field, _ = _steps(file.content, path)[-1]
                    if not _is_closed(model, field) and self._tells(text, self._all_names):
                        raise _in_the_way(file, path)
            self._refuse_comments(_Named(file, self._all_names), edited)
        for document in self.documents:
            self._refuse_comments(_Named(document.file, self._names_in(document)), edited)

    def _refuse_comments(self, named: _Named, edited: Edited) -> None:
        """Refuse where a comment of a YAML file tells who goes, and stays in what is left of it."""
        file, names = named.file, named.names
        left = edited.get(_place(file), file.typed)
        if left is None or file.is_line or "#" not in file.typed:
            return
        may_tell = any(may_hold(left.encode(), name) for name in names) or any(name in left for name in self._persons)
        comments = yaml_editor.comments(left) if may_tell else ()
        staying = {comment for _, comment in comments if self._tells(comment, names)}
        if staying:
            typed = [(line, words) for line, words in yaml_editor.comments(file.typed) if self._tells(words, names)]
            line = next((line for line, words in typed if words in staying), min(typed)[0])
            raise InTheWay(f"{file.file}, line {line}, holds the name in a comment: change that by hand first")

    def _refuse_ids_that_hold_the_name(self) -> None:
        """Refuse where a source or its file is called after who goes: tombstones and all that stays would tell."""
        names = self.reach().slugs
        for document in self.documents:
            for key in ("id", "seed"):
                if any(name in slug(getattr(document.source, key)) for name in names):
                    raise _in_the_way(document.file, ("source", key))

    def refuse_shards(self, shards: Collection[str]) -> None:
        """Refuse where a shard is called after who goes.

        Raises:
            InTheWay: one is.
        """
        names = self.reach().slugs | set(map(slug, self._persons))
        for file in shards:
            if any(name in slug(FilePath(file).stem) for name in names):
                raise InTheWay(f"{file} is called after the name: rename it, and the texts beside it, by hand first")

    # ---- attributes that nothing licenses any more -----------------------------------------------------------------

    @cached_property
    def _bare(self) -> frozenset[str]:
        """The shared speakers who stay, and whose gender some source does not license any more."""
        return frozenset(
            speaker_id
            for document, speaker_id in self._uses()
            if speaker_id not in self.gone
            and getattr(self.context.shared[speaker_id], "gender", None)
            and "gender" not in self._licensed(document)[speaker_id]
        )

    def _licensed(self, document: Document) -> dict[str, set[str]]:
        """Return the attributes that mentions which stay license, by the id of the speaker."""
        licensed: dict[str, set[str]] = defaultdict(set)
        for path, mention in document.mentions:
            if mention.id not in self.gone:
                licensed[document.entry_of(path).id] |= self._licences(document, path, mention)
        return licensed

    def _licences(self, document: Document, path: Path, mention: Mention | ProtectedMention) -> set[str]:
        """Return the attributes that a mention licenses with words that stay."""
        runs = self.runs(document)
        keys = {key for key, words in mention.attested_by or () if words}
        return {key for key in keys if not meet(document.at((*path, "attested_by", key)), runs)}


class _Named(NamedTuple):
    """A file, or a line of a shard, and the names that no text in it may contain."""

    file: ProjectFile[Any]
    names: Collection[str]
    text: str = ""
    """The article, of annotations."""


class _Edits(NamedTuple):
    """What is changed in a file."""

    cuts: set[Path]
    replaced: dict[Path, str]
    """The sentence that replaces a text, by its path."""


def _place(file: ProjectFile[Any]) -> tuple[str, int]:
    """Return the path of a file, and the line of a shard or 0."""
    return file.file, file.line if file.is_line else 0


def _withdrawn(document: Document) -> set[Run]:
    return {(run.start, run.end) for run in document.content.withdrawn}


def _with_edits(file: ProjectFile[Any], edits: _Edits, withdrawn: Collection[Run] = ()) -> str:
    """Return a file, or a line of a shard, without what goes, and with the runs that are taken out."""
    editing: Any = json_editor if file.is_line else yaml_editor
    text = file.typed
    for path, words in edits.replaced.items():  # before the cuts, which move the items of lists
        try:
            text = editing.instead(text, path, words)
        except yaml_editor.NotEdited:
            raise _in_the_way(file, path) from None
    try:
        text = editing.without(text, edits.cuts)
    except yaml_editor.NotEdited:
        raise InTheWay(f"{file.file} is typed so that nothing can be taken out of it by a program") from None
    return str(editing.with_list(text, "withdrawn", [{"start": start, "end": end} for start, end in withdrawn]))


def _in_the_way(file: ProjectFile[Any], path: Path) -> InTheWay:
    place = file.place(*path)
    return InTheWay(f"{place.file}, line {place.line}, holds the name: change that by hand first")


class _Step(NamedTuple):
    """A field on the way to a text."""

    model: type[Record]
    field: str
    path: Path


def _steps(content: Record, path: Path) -> list[_Step]:
    """Return the fields that lead to a text, from the outermost model inwards."""
    steps, value = list[_Step](), content
    for depth, key in enumerate(path):
        if isinstance(value, Record):
            steps.append(_Step(type(value), str(key), path[: depth + 1]))
        value = _at(value, (key,))
    return steps


def _at(value: Any, path: Path) -> Any:
    for key in path:
        value = getattr(value, str(key)) if isinstance(value, Record) else value[key]
    return value


def _below(path: Path, cuts: Collection[Path]) -> bool:
    """Tell whether a path is cut, or lies below one that is."""
    return any(path[:n] in cuts for n in range(1, len(path) + 1))


def _found(table: Mapping[tuple[type[Record], str], str], model: type[Record], field: str) -> str | None:
    """Return what a table says of a field, which a model may have from another one."""
    return next((table[each, field] for each in model.__mro__ if (each, field) in table), None)


def may_keep(model: type[Record], field: str) -> str | None:
    """Return why a field may hold a name, or None where it may not."""
    return _found(MAY_KEEP, model, field)


@cache
def _is_closed(model: type[Record], field: str) -> bool:
    """Tell whether a field takes its values from closed lists alone, in which no name is."""
    return _only_literals(model.model_fields[field].annotation)


def _only_literals(annotation: Any) -> bool:
    if isinstance(annotation, TypeAliasType):
        return _only_literals(annotation.__value__)
    if get_origin(annotation) is Annotated:
        return _only_literals(get_args(annotation)[0])
    inner = [each for each in get_args(annotation) if each not in (type(None), ...)]
    return get_origin(annotation) is Literal or (bool(inner) and all(map(_only_literals, inner)))


def record_of(document: Document, path: Path) -> tuple[RecordTable, str]:
    """Return the record of a document that something was typed in, by its path: the source, where it is no other's."""
    found = [(len(at), table, name) for at, table, name in document.records if path[: len(at)] == at]
    return max(found)[1:] if found else ("sources", document.source.id)


def _surnames(name: str) -> list[str]:
    """Return the words of a full name by which its bearer is called later on: the last, and of three or more two."""
    words = name.split()
    return words[-2:] if len(words) > 2 else words[-1:]  # noqa: PLR2004  # two surnames need three words


def slug(words: str) -> str:
    """Return words as ids have them, a hyphen at each end so that only whole words are found in others."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().casefold()
    return f"-{'-'.join(re.findall(r'[a-z0-9]+', plain))}-"


def _header(typed: str) -> str:
    """Return the line by which editors find the schema of tombstones, as the file of speakers has it for its own."""
    first = typed.partition("\n")[0]
    named = re.fullmatch(r"(# yaml-language-server: \$schema=.*/)speakers(\.schema\.json)\s*", first)
    return f"{named[1]}tombstones{named[2]}\n" if named else ""
