"""Take a record out of the annotations, and all that rests on it.

What goes: the record; whatever refers to it; whatever shares words with what goes; speakers whom nothing names any
more. The words of all that, and every repeat of them in the same article, become runs that are withdrawn. Of a person
every place where the name is printed is withdrawn too, and no note is left that holds it. Records are found by reading
what people wrote; nothing is decided by what the words mean.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

from typing_extensions import TypeAliasType

from defectors_data import anchoring, jsonediting, yamlediting
from defectors_data.corpus import Corpus, Document, Path, Shard
from defectors_data.models import (
    Because,
    Comparison,
    Fact,
    Figure,
    InferredDate,
    InferredName,
    InferredNames,
    Institution,
    Mention,
    Part,
    ProtectedMention,
    Record,
    Relation,
    SharedInstitution,
    SharedReference,
    Source,
    Speaker,
    Testimony,
    Tombstone,
    VocabularyTerm,
    Waiver,
)
from defectors_data.proving import Proof
from defectors_data.runs import Run, may_hold, meet, merged, occurrences, repeats, with_parts
from defectors_data.vocabularies import RecordTable, TakedownReason

_TOMBSTONES = "annotations/tombstones.yaml"

_WORD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
"""What may be an id."""

_NAMELESS = "withdrawn-speaker-"

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
    (Relation, "of"): _REFERENCE,
    (Waiver, "of"): _REFERENCE,
    (Comparison, "figures"): _REFERENCE,
    (Testimony, "themes"): _TERM,
    (Because, "claim"): _TERM,
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

_FACTS, _SPEAKERS = get_args(Fact), get_args(Speaker)


class NoRecord(LookupError):
    """No record has this id."""


class InTheWay(ValueError):
    """What has to go stands where only a keeper can take it out; the message says where."""


class Taken(NamedTuple):
    """What a takedown comes to: the files as it leaves them, and the records that go."""

    files: dict[str, bytes | None]
    """By path; None for a file that goes."""
    tombstones: list[Tombstone]


class Reach(NamedTuple):
    """By what a source can be told that a takedown may change, or that may be in its way."""

    ids: frozenset[str]
    """It gives, or names, one of these ids."""
    names: frozenset[str]
    """Its text, or what is annotated about it, holds one of these."""
    slugs: frozenset[str]
    """Its id, or the name of its seed, holds one of these as `slug` writes it."""
    parts: frozenset[str] = frozenset()
    """The name of its part holds one of these as `slug` writes it."""

    def with_all(self, other: Reach) -> Reach:
        """Return what both lead to."""
        return Reach(*(mine | theirs for mine, theirs in zip(self, other, strict=True)))


def take_down(proof: Proof, record_id: str, texts: Mapping[str, str], *, reason: TakedownReason, day: date) -> Taken:
    """Return what the annotations are without a record and all that rests on it; nothing is written.

    `texts` are the annotation files as typed, by path.

    Raises:
        NoRecord: there is no such record.
        InTheWay: the name stands in dataset.yaml, in the vocabulary, in a comment or in what a source or its seed is
            called, or a file is typed so that it cannot be edited.
    """
    return Taking(proof, record_id).taken(texts, reason=reason, day=day)


@dataclass
class Taking:
    """What goes with a record, all that rests on it included.

    The corpus may be some sources of a larger one: all that `reach` leads to.
    """

    proof: Proof
    target: str
    used_elsewhere: frozenset[str] = frozenset()
    """Shared speakers to whom sources refer that are not in this corpus."""
    gone: dict[str, RecordTable] = field(default_factory=dict)
    """Records that go, by id."""
    unused: set[tuple[str, str]] = field(default_factory=set)
    """Shared speakers who are not heard any more in a file, by file and id."""
    names: dict[str, list[str]] = field(default_factory=dict)
    """Names that go, by the file of the source they go from."""

    def __post_init__(self) -> None:
        """Let all that rests on the record go with it.

        Raises:
            NoRecord: there is no such record.
        """
        tables = _tables(self.proof.corpus)
        if self.target not in tables:
            raise NoRecord
        self.gone[self.target] = tables[self.target]
        self.tables = tables
        self.name = _name_of(self.proof.corpus, self.target)
        for shard in self.proof.corpus.shards:
            if self.name:
                heard = self.target in self.proof.corpus.heard(shard)
                self.names[shard.file] = [self.name, *(_surnames(self.name) if heard else ())]
        self._all_that_rests_on_it()

    def taken(self, texts: Mapping[str, str], *, reason: TakedownReason, day: date) -> Taken:
        """Return what the takedown comes to; nothing is written.

        `texts` are the annotation files as typed, by path; of a part, its lines.

        Raises:
            InTheWay: something has to be changed by hand first.
        """
        return Taken(self._files(texts, reason, day), self.tombstones(reason, day))

    def reach(self) -> Reach:
        """Return by what the sources can be told that this takedown changes, or that are in its way."""
        shared = self.proof.corpus.shared.content.speakers
        ids = {*self.gone, *(shared[i].id for i in self._unlicensed_shared)}
        slugs = frozenset(map(slug, self._all_names)) - {slug("")}
        parts = slugs | set(map(slug, self._persons))
        return Reach(frozenset(ids), frozenset(filter(None, [self.name])), slugs, parts)

    def _all_that_rests_on_it(self) -> None:
        """Let everything go that rests on what goes, until there is nothing more."""
        before = None
        while before != (before := (len(self.gone), len(self.unused))):
            for shard in self.proof.corpus.shards:
                for record_id in self._resting(shard):
                    self.gone.setdefault(record_id, self.tables[record_id])
                self.unused |= {(shard.file, name) for name in self._silent(shard)}
            used = {name for _, name in {(s.file, e.id) for s, _, e in self._uses()} - self.unused}
            for speaker in self.proof.corpus.shared.content.speakers:
                if speaker.id not in used | self.used_elsewhere:
                    self.gone.setdefault(speaker.id, "speakers")

    # ---- what rests on what ------------------------------------------------------------------------------------

    def _uses(self) -> Iterator[tuple[Shard, Path, SharedReference]]:
        for shard in self.proof.corpus.shards:
            for path, entry in shard.entries():
                if isinstance(entry, SharedReference) and shard.content.source.id not in self.gone:
                    yield shard, path, entry

    def _resting(self, shard: Shard) -> Iterator[str]:
        """Give the records of a source that rest on what goes."""
        gone = self.gone.keys()
        if shard.content.source.id in gone:
            yield from (record_id for _, record_id in _records(shard))
            return
        yield from (m.id for _, name, m in shard.mentions() if name in gone or (shard.file, name) in self.unused)
        yield from (t.id for _, t in shard.testimonies() if {t.speaker, t.about} & gone)
        yield from (f.id for _, f in shard.figures() if {f.attributed_to, f.testimony} & gone)
        yield from (w.id for _, w in shard.waivers() if w.of in gone)
        yield from (r.id for _, r in shard.relations() if {r.result, *r.of} & gone)
        runs = self.runs(shard)
        for cited in shard.cited():
            spans = self.proof.at(shard, cited.path)
            if cited.table != "sources" and cited.field == "evidence" and meet(spans, runs):
                yield cited.record_id
        yield from (t.id for path, t in shard.testimonies() if not self._borne_out(shard, path, t, runs))
        yield from (f.id for _, f in shard.figures() if self._names_what_goes(shard, f.counted))
        yield from (name for name in self._silent(shard) if name not in self.proof.corpus.shared_speakers)

    def _lost(self, shard: Shard, path: Path, testimony: Testimony, runs: list[Run]) -> dict[int, str]:
        """Return the claims of a testimony that lose words which bear them out, by their place in `because`."""
        places = ((i, (*path, "because", i, "words")) for i in range(len(testimony.because)))
        return {i: testimony.because[i].claim for i, words in places if meet(self.proof.at(shard, words), runs)}

    def _borne_out(self, shard: Shard, path: Path, testimony: Testimony, runs: list[Run]) -> bool:
        """Tell whether words that stay bear out the mode of a testimony, and a theme at least."""
        lost = set(self._lost(shard, path, testimony, runs).values())
        return "mode" not in lost and bool(set(testimony.themes) - lost)

    def _silent(self, shard: Shard) -> set[str]:
        """Return the speakers of a source whom nothing that stays names."""
        if shard.content.source.id in self.gone:
            return {entry.id for _, entry in shard.entries()}
        named = {x for _, t in shard.testimonies() if t.id not in self.gone for x in (t.speaker, t.about)}
        named |= {f.attributed_to for _, f in shard.figures() if f.id not in self.gone}
        return {entry.id for _, entry in shard.entries() if entry.id not in named}

    def runs(self, shard: Shard) -> list[Run]:
        """Return the runs of a source that are taken out, in order and apart; in code points, ends exclusive."""
        found = {(run.start, run.end) for run in shard.content.withdrawn}
        for cited in shard.cited():
            if cited.field == "evidence" and cited.record_id in self.gone and cited.table != "sources":
                for start, end in self.proof.at(shard, cited.path):
                    found |= {(start, end), *repeats(shard.text, shard.text[start:end])}
        for name in self.names.get(shard.file, ()):
            found |= occurrences(shard.text, name)
        return with_parts(merged(found), self.proof.at(shard, ("source", "furniture")))

    def _names_what_goes(self, shard: Shard, text: str) -> bool:
        """Tell whether a text holds a name, or an id that goes and is no common word."""
        ids = {name for name in _WORD.findall(text) if "-" in name}
        return not ids.isdisjoint(self.gone) or any(occurrences(text, name) for name in self.names.get(shard.file, ()))

    # ---- what is left ------------------------------------------------------------------------------------------

    def _files(self, texts: Mapping[str, str], reason: TakedownReason, day: date) -> dict[str, bytes | None]:
        """Return the files that change, as they are afterwards."""
        self._refuse_ids_that_hold_the_name()
        corpus = self.proof.corpus
        files: dict[str, bytes | None] = {}
        for shard in corpus.shards:
            if shard.content.source.id in self.gone:
                files[shard.file] = None
                continue
            edits, runs = self._edits(shard), self.runs(shard)
            if any(edits) or runs != merged((run.start, run.end) for run in shard.content.withdrawn):
                edits.cuts.add(("withdrawn",))
                files[shard.file] = self._without(shard, texts[shard.file], edits, runs).encode()
        gone = {("speakers", i) for i, s in enumerate(corpus.shared.content.speakers) if s.id in self.gone}
        shared = self._without_names(
            corpus.shared, {*gone, *(("speakers", i, "gender") for i in self._unlicensed_shared)}
        )
        if any(shared):
            edited = self._edited(corpus.shared, texts[corpus.shared.file], shared)
            kept = any(speaker.id not in self.gone for speaker in corpus.shared.content.speakers)
            files[corpus.shared.file] = (edited if kept else f"{edited}speakers: []\n").encode()
        compared = enumerate(corpus.comparisons.content.comparisons)
        gone = {("comparisons", i) for i, entry in compared if set(entry.figures) & self.gone.keys()}
        pairs = self._without_names(corpus.comparisons, gone)
        if any(pairs):
            file, kept = corpus.comparisons.file, len(corpus.comparisons.content.comparisons) > len(gone)
            files[file] = self._edited(corpus.comparisons, texts[file], pairs).encode() if kept else None
        files |= self._definitions(texts[corpus.vocabulary.file])
        self._refuse_what_only_a_keeper_can_change(files)
        stones = [*corpus.tombstones.content.tombstones, *self.tombstones(reason, day)]
        files[_TOMBSTONES] = _stones(stones, header=_header(texts[corpus.shared.file])).encode()
        return files

    def tombstones(self, reason: TakedownReason, day: date) -> list[Tombstone]:
        """Return a tombstone for each record that goes, in the order of tables and ids.

        An id that is made of a name goes too: its tombstone has a number instead. Of a source whose text stays behind
        as a file, it names that.
        """
        sources = {shard.content.source.id: shard for shard in self.proof.corpus.shards}
        seeds = {name: shard.content.source.seed for name, shard in sources.items() if not shard.packed}
        listed = [s.id for s in self.proof.corpus.tombstones.content.tombstones if s.id.startswith(_NAMELESS)]
        last = max((int(name.removeprefix(_NAMELESS)) for name in listed), default=0)
        nameless = {name: f"{_NAMELESS}{number}" for number, name in enumerate(self._telling, start=last + 1)}
        stones = [
            Tombstone(table=table, id=nameless.get(name, name), date=day, reason=reason, seed=seeds.get(name))
            for name, table in self.gone.items()
        ]
        return sorted(stones, key=lambda stone: (stone.table, stone.id))

    def _without(self, shard: Shard, text: str, edits: _Edits, runs: list[Run]) -> str:
        """Return the annotations of a source without what goes, and with the runs that are taken out."""
        if shard.in_part:
            listed = [{"start": start, "end": end} for start, end in runs]
            for path, words in edits.replaced.items():
                text = jsonediting.instead(text, path, words)
            return jsonediting.with_list(jsonediting.without(text, edits.cuts), "withdrawn", listed)
        items = [f"{{start: {start}, end: {end}}}" for start, end in runs]
        return yamlediting.with_list(self._edited(shard, text, edits), "withdrawn", items)

    def _edited(self, document: Document[Any], text: str, edits: _Edits) -> str:
        for path, words in edits.replaced.items():  # before the cuts, which move the items of lists
            try:
                text = yamlediting.instead(text, path, words)
            except yamlediting.NotEdited:
                raise self._in_the_way(document, path) from None
        try:
            return yamlediting.without(text, edits.cuts)
        except yamlediting.NotEdited:
            raise InTheWay(f"{document.file} is typed so that nothing can be taken out of it by a program") from None

    def _edits(self, shard: Shard) -> _Edits:
        """Return what is taken out of an annotation file, and what is replaced in it."""
        runs = self.runs(shard)
        cuts = {path for path, record_id in _records(shard) if record_id in self.gone}
        cuts |= {path for path, e in shard.entries() if e.id in self.gone or (shard.file, e.id) in self.unused}
        for cited in shard.cited():
            touched = [i for i, span in enumerate(self.proof.at(shard, cited.path)) if meet([span], runs)]
            if touched and cited.field == "furniture":
                cuts |= {(*cited.path, i) for i in touched} if len(touched) < len(cited.parts) else {cited.path}
            elif touched and "because" not in cited.path:
                cuts.add(cited.path[:2] if cited.table == "sources" else cited.path)
        cuts |= set(self._unclaimed(shard, runs))
        cuts |= {(*path, key) for path, key in self._unlicensed(shard)}
        cuts |= {
            (*path, "licensed_by")
            for path, _, m in shard.mentions()
            if m.licensed_by and not self._licences(shard, path, m)
        }
        cuts |= set(self._needless(shard))
        return self._without_names(shard, cuts)

    def _unclaimed(self, shard: Shard, runs: list[Run]) -> Iterator[Path]:
        """Give the claims whose words go: entries of `because`, or all of it, and the themes that they bore out."""
        for path, testimony in shard.testimonies():
            if lost := self._lost(shard, path, testimony, runs):
                all_gone = len(lost) == len(testimony.because)
                yield from [(*path, "because")] if all_gone else [(*path, "because", i) for i in lost]
                yield from ((*path, "themes", i) for i, term in enumerate(testimony.themes) if term in lost.values())

    # ---- texts that name what goes ---------------------------------------------------------------------------------

    def _without_names(self, document: Document[Any], cuts: Collection[Path]) -> _Edits:
        """Return cuts, and what else is cut or replaced so that no text which is left names what goes.

        Raises:
            InTheWay: a text names it that can be neither cut nor replaced.
        """
        edits = _Edits(set(cuts), {})
        names = self._names_in(document)
        for path, text in document.texts():
            named = any(occurrences(text, name) for name in names)
            if (named or not self.gone.keys().isdisjoint(_WORD.findall(text))) and not _below(path, edits.cuts):
                self._remove(document, path, text, edits)
        cuts = {path for path in edits.cuts if not _below(path[:-1], edits.cuts)}
        return _Edits(cuts, {path: words for path, words in edits.replaced.items() if not _below(path, cuts)})

    def _remove(self, document: Document[Any], path: Path, text: str, edits: _Edits) -> None:
        """Add to the edits what removes a text, or refuse it; leave it where its field may keep a name."""
        *above, last = _steps(document.content, path)
        model, field, at = last
        if _is_closed(model, field) or may_keep(model, field):
            return
        tells = self._tells(text, self._names_in(document))
        if issubclass(model, _SPEAKERS) and field in ("id", "name"):  # of someone who may share a single name
            tells = len((self.name or "").split()) > 1 and self._tells(text, ())
        elif issubclass(model, Part):
            tells = tells and not self._cut_beside(document, path, edits)  # words of the article name no record
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
            raise self._in_the_way(document, path)

    def _cut_beside(self, document: Document[Any], path: Path, edits: _Edits) -> bool:
        """Cut a `prefix` or `suffix` with the name, where its words are found in the same places without it."""
        if path[-1] not in ("prefix", "suffix") or not isinstance(document, Shard):
            return False
        part = _at(document.content, path[:-1])
        beside = {key: getattr(part, key) or "" for key in ("prefix", "suffix")}
        left = {key: "" if self._tells(words, self._names_in(document)) else words for key, words in beside.items()}
        found, still = (anchoring.occurrences(part.text, document.text, **words) for words in (beside, left))
        if found != still:
            return False
        edits.cuts.update([path, (*path[:-2], path[-1])])  # one part may be typed without a list
        return True

    def _names_in(self, document: Document[Any]) -> Collection[str]:
        """Return the names that no text of a document may hold."""
        return self.names.get(document.file, ()) if isinstance(document, Shard) else self._all_names

    @cached_property
    def _telling(self) -> list[str]:
        """The ids that go and are made of a name, not of a source's id and a number."""
        sources = "|".join(re.escape(shard.content.source.id) for shard in self.proof.corpus.shards)
        numbered = re.compile(f"(?:{sources})-speaker-[1-9][0-9]*")
        speakers = (name for name, table in self.gone.items() if table == "speakers")
        return sorted(name for name in speakers if not numbered.fullmatch(name))

    @cached_property
    def _persons(self) -> frozenset[str]:
        """The ids that go and are made of a person's name; an institution's is nobody's own."""
        corpus = self.proof.corpus
        speakers = [*corpus.shared.content.speakers, *(s for shard in corpus.shards for _, s in shard.speakers())]
        institutions = {speaker.id for speaker in speakers if isinstance(speaker, Institution | SharedInstitution)}
        return frozenset(self._telling) - institutions

    def _tells(self, text: str, names: Collection[str]) -> bool:
        """Tell whether a text holds one of the names, or an id that goes and is made of a person's.

        The name in full is found without its accents, too: ids and terms have none.
        """
        named = self._persons.intersection(_WORD.findall(text))
        in_full = self.name and slug("") != slug(self.name) in slug(text)
        return bool(named or in_full) or any(occurrences(text, name) for name in names)

    @cached_property
    def _all_names(self) -> frozenset[str]:
        return frozenset(name for listed in self.names.values() for name in listed)

    def _definitions(self, text: str) -> dict[str, bytes | None]:
        """Return the vocabulary with other words where a definition holds the name; other words only a keeper knows."""
        vocabulary, edited = self.proof.corpus.vocabulary, text
        for path, words in vocabulary.texts():
            model, field, _ = _steps(vocabulary.content, path)[-1]
            if _is_closed(model, field) or not self._tells(words, self._all_names):
                continue
            sentence = _found(NEUTRAL, model, field)
            if not sentence:
                raise self._in_the_way(vocabulary, path)
            try:
                edited = yamlediting.instead(edited, path, sentence)
            except yamlediting.NotEdited:
                raise self._in_the_way(vocabulary, path) from None
        return {} if edited == text else {vocabulary.file: edited.encode()}

    def _refuse_what_only_a_keeper_can_change(self, files: Mapping[str, bytes | None]) -> None:
        """Refuse where dataset.yaml or a tombstone names who goes, or a comment that stays does."""
        for document in (self.proof.corpus.dataset, self.proof.corpus.tombstones):
            for path, text in document.texts():
                model, field, _ = _steps(document.content, path)[-1]
                if not _is_closed(model, field) and self._tells(text, self._all_names):
                    raise self._in_the_way(document, path)
        for document in self.proof.corpus.documents():
            left = files.get(document.file, document.typed.encode())
            if left is not None and "#" in document.typed:
                self._refuse_comments(document, left.decode())

    def _refuse_comments(self, document: Document[Any], left: str) -> None:
        """Refuse where a comment of a file tells who goes, and stays in what is left of it."""
        names = self._names_in(document)
        may_tell = any(may_hold(left.encode(), name) for name in names) or any(name in left for name in self._persons)
        comments = yamlediting.comments(left) if may_tell else ()
        staying = {comment for _, comment in comments if self._tells(comment, names)}
        if staying:
            typed = [(line, words) for line, words in yamlediting.comments(document.typed) if self._tells(words, names)]
            line = next((line for line, words in typed if words in staying), min(typed)[0])
            raise InTheWay(f"{document.file}, line {line}, holds the name in a comment: change that by hand first")

    def _refuse_ids_that_hold_the_name(self) -> None:
        """Refuse where a source or its file is called after who goes: tombstones and all that stays would tell."""
        names = set(map(slug, self._all_names)) - {slug("")}
        for shard in self.proof.corpus.shards:
            for key in ("id", "seed"):
                if any(name in slug(getattr(shard.content.source, key)) for name in names):
                    raise self._in_the_way(shard, ("source", key))

    def _in_the_way(self, document: Document[Any], path: Path) -> InTheWay:
        place = document.place(*path)
        return InTheWay(f"{place.file}, line {place.line}, holds the name: change that by hand first")

    def _unlicensed(self, shard: Shard) -> Iterator[tuple[Path, str]]:
        """Give the attributes of speakers who stay, and whose mention that licenses them goes."""
        licensed = self._licensed(shard)
        for path, entry in shard.speakers():
            for key in ("gender", "request"):
                if getattr(entry, key, None) and key not in licensed[entry.id] and entry.id not in self.gone:
                    yield path, key

    @cached_property
    def _unlicensed_shared(self) -> list[int]:
        """The shared speakers who stay, and whose gender some source does not license any more."""
        return list(self._all_unlicensed_shared())

    def _all_unlicensed_shared(self) -> Iterator[int]:
        heard = [(shard, entry.id) for shard, _, entry in self._uses() if (shard.file, entry.id) not in self.unused]
        for i, speaker in enumerate(self.proof.corpus.shared.content.speakers):
            where = [shard for shard, name in heard if name == speaker.id and name not in self.gone]
            if getattr(speaker, "gender", None) and any("gender" not in self._licensed(s)[speaker.id] for s in where):
                yield i

    def _needless(self, shard: Shard) -> Iterator[Path]:
        """Give the words of a source that license the gender of a shared speaker, where that goes."""
        shared = self.proof.corpus.shared.content.speakers
        bare = {shared[i].id for i in self._unlicensed_shared}
        for path, name, mention in shard.mentions():
            licences = self._licences(shard, path, mention)
            if name in bare and "gender" in licences:
                yield (*path, "licensed_by") if licences == {"gender"} else (*path, "licensed_by", "gender")

    def _licensed(self, shard: Shard) -> dict[str, set[str]]:
        licensed: dict[str, set[str]] = defaultdict(set)
        for path, speaker_id, mention in shard.mentions():
            if mention.id not in self.gone:
                licensed[speaker_id] |= self._licences(shard, path, mention)
        return licensed

    def _licences(self, shard: Shard, path: Path, mention: Mention | ProtectedMention) -> set[str]:
        """Return the attributes that a mention licenses with words that stay."""
        runs = self.runs(shard)
        keys = {key for key, words in mention.licensed_by or () if words}
        return {key for key in keys if not meet(self.proof.at(shard, (*path, "licensed_by", key)), runs)}


class _Edits(NamedTuple):
    """What is changed in a document."""

    cuts: set[Path]
    replaced: dict[Path, str]
    """The sentence that replaces a text, by its path."""


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


def _records(shard: Shard) -> Iterator[tuple[Path, str]]:
    """Give every record of a source but the source itself, with its path."""
    yield from ((path, speaker.id) for path, speaker in shard.speakers())
    yield from ((path, mention.id) for path, _, mention in shard.mentions())
    yield from ((path, testimony.id) for path, testimony in shard.testimonies())
    yield from ((path, figure.id) for path, figure in shard.figures())
    yield from ((path, waiver.id) for path, waiver in shard.waivers())
    yield from ((path, relation.id) for path, relation in shard.relations())


def _tables(corpus: Corpus) -> dict[str, RecordTable]:
    tables: dict[str, RecordTable] = {speaker.id: "speakers" for speaker in corpus.shared.content.speakers}
    for shard in corpus.shards:
        tables |= _tables_of(shard)
    return tables


def _tables_of(shard: Shard) -> dict[str, RecordTable]:
    tables: dict[str, RecordTable] = {shard.content.source.id: "sources"}
    tables |= {speaker.id: "speakers" for _, speaker in shard.speakers()}
    tables |= {cited.record_id: cited.table for cited in shard.cited()}
    return tables | {relation.id: "relations" for _, relation in shard.relations()}


def _name_of(corpus: Corpus, speaker_id: str) -> str | None:
    """Return the name of a person; an institution's name is nobody's own."""
    speakers = [*corpus.shared.content.speakers, *(s for shard in corpus.shards for _, s in shard.speakers())]
    named = [s for s in speakers if s.id == speaker_id and not isinstance(s, Institution | SharedInstitution)]
    return next((getattr(speaker, "name", None) for speaker in named), None)


def surnames_of(corpus: Corpus, record_id: str) -> list[str]:
    """Return the surnames of a person whose full name is known; of another record none."""
    return _surnames(_name_of(corpus, record_id) or "")


def record_of(shard: Shard, path: Path) -> tuple[RecordTable, str]:
    """Return the record of a source that something was typed in, by its path: the source, where it is no other's."""
    tables = _tables_of(shard)
    found = [(len(at), name) for at, name in _records(shard) if path[: len(at)] == at]
    record_id = max(found)[1] if found else shard.content.source.id
    return tables[record_id], record_id


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


def _stones(stones: list[Tombstone], *, header: str) -> str:
    rows = [f"{header}# Written by `defectors-data takedown`.\ntombstones:\n"]
    for stone in stones:
        seed = f", seed: {stone.seed}" if stone.seed else ""
        rows.append(f"  - {{table: {stone.table}, id: {stone.id}, date: {stone.date}, reason: {stone.reason}{seed}}}\n")
    return "".join(rows)
