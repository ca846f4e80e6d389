"""Rules that compare documents, and rules on files that do not belong to one source.

They search the corpus index for documents that share a key, and open only these documents again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from defectors_data.corpus.findings import Finding, Place
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.free_text.shared_texts import shared_texts
from defectors_data.evidence.record_ids import BEFORE_NUMBERS, ids_in, is_numbered
from defectors_data.models.annotation import Testimony
from defectors_data.models.closed_vocabularies import REASONS_OF_STATEMENTS
from defectors_data.models.project import CodeExample, StatementRelation
from defectors_data.rules.corpus_index import CorpusView, KeyPlace
from defectors_data.rules.engine import rule
from defectors_data.rules.subjects import all_misnamed

IDS = ("id", "record")
"""Kinds of keys that are ids."""


@rule(on="ids", scope="corpus", codebook="K4")
def duplicate_id(corpus: CorpusView) -> Iterator[Finding]:
    """An id must be used only once in the whole corpus."""
    for first, other in _repetitions(corpus, *IDS):
        if not _is_misnamed_source(first, other) and not _is_one_speaker(first, other):
            place, before = other.place, first.place
            # In a shard, all records of a source are on one line, so only the column differs.
            column = ""
            if before[:2] == place[:2]:
                column = f", column {before.column}"
            message = f"This id is already used in {before.file}, line {before.line}{column}."
            hint = "Choose another id: each id is used only once in all files, and is never reused."
            yield Finding(place, "duplicate-id", message, (hint,))
    # The ids of tombstones are keys of another kind, so repetitions among them are not found above.
    stones = corpus.context.tombstones
    first_places: dict[str, Place] = {}
    for i, stone in enumerate(stones):
        place = stones.place(i, "id")
        before = first_places.setdefault(stone.id, place)
        if before != place:
            message = f"Line {before.line} already has a tombstone for this id."
            yield Finding(place, "duplicate-id", message, ("Keep the older one.",))


def _repetitions(corpus: CorpusView, *kinds: str) -> Iterator[tuple[KeyPlace, KeyPlace]]:
    """Yield the first place of each repeated key, paired with each of its later places."""
    for _, (first, *others) in corpus.places(corpus.index.repeated(kinds), kinds):
        yield from ((first, other) for other in others)


def _is_misnamed_source(*two: KeyPlace) -> bool:
    """Return whether one of two places is a source's id that `malformed-id` reports."""
    documents = [one.document for one in two if one.path == ("source", "id")]
    return len(documents) == 1 and documents[0] is not None and all_misnamed(documents[0])


def _is_one_speaker(*two: KeyPlace) -> bool:
    """Return whether two places are the ids of one speaker, whom `speaker-not-shared` reports."""
    names = list[str | None]()
    for one in two:
        if one.document is None or one.path[::2] != ("speakers", "id"):
            return False
        speaker = one.document.content.speakers[int(one.path[1])]
        names.append(getattr(speaker, "name", None))
    is_of_two = two[0].document is not two[1].document
    return is_of_two and names[0] is not None and names[0] == names[1]


@rule(on="tombstones", scope="corpus", code="malformed-id")
def malformed_tombstone_id(corpus: CorpusView) -> Iterator[Finding]:
    """Report tombstone ids that are not a source's id (or `withdrawn`), a code and a number."""
    stones = corpus.context.tombstones
    gone = {stone.id for stone in stones if stone.table == "sources"}
    for i, stone in enumerate(stones):
        if (before := BEFORE_NUMBERS.get(stone.table)) is None:
            continue  # the id of a source has no fixed form
        beginning = stone.id.rstrip("0123456789")
        source = beginning.removesuffix(f"-{before}")
        known = source in gone or corpus.index.documents_with(source, ("id",))
        nameless = stone.table == "speakers" and source == "withdrawn"
        if (
            source == beginning
            or not is_numbered(stone.id, (beginning,))
            or not (known or nameless)
        ):
            also = ""
            if stone.table == "speakers":
                also = ", or of `withdrawn-speaker-` and a number"
            message = f"This id must consist of a source's id, `-{before}` and a number{also}."
            hint = (
                "A tombstone contains no name. If the whole source was taken down, list its "
                "tombstone here, too."
            )
            yield Finding(stones.place(i, "id"), "malformed-id", message, (hint,))


@rule(on="names", scope="corpus", codebook="P4")
def speaker_not_shared(corpus: CorpusView) -> Iterator[Finding]:
    """A named speaker in several sources must be described once.

    The description is in `annotations/speakers.yaml`.
    """
    for first, other in _repetitions(corpus, "name"):
        if other.document and other.document is not first.document:
            message = (
                f"{first.place.file}, line {first.place.line}, has a speaker with the same name."
            )
            hint = "Keep only the mentions here, below `use` with that id."
            if first.document:
                hint = (
                    "Move the description to annotations/speakers.yaml, and keep only the mentions "
                    "in both articles, below `use` with the id."
                )
            yield Finding(other.place, "speaker-not-shared", message, (hint,))


@rule(on="shared speakers", scope="corpus", code="speaker-without-mention", complete=True)
def shared_speaker_without_mention(corpus: CorpusView) -> Iterator[Finding]:
    """Report shared speakers that no source uses."""
    shared = corpus.context.shared
    used = {name for name, _ in corpus.index.values("use")}
    if used - shared.keys():  # an unresolved reference may be meant for an unused speaker
        return
    for i, speaker in enumerate(shared.listed):
        # An id in several places is reported already.
        if speaker.id not in used and not corpus.index.documents_with(speaker.id, ("id",))[1:]:
            message = "No source refers to this shared speaker, so the speaker has no mention."
            yield Finding(
                shared.listed.place(i), "speaker-without-mention", message, ("Remove the speaker.",)
            )


@rule(on="sources", scope="corpus", codebook="K2")
def duplicate_article(corpus: CorpusView) -> Iterator[Finding]:
    """No two seeds may have the same text or name."""
    same = set[Place]()
    for first, other in _repetitions(corpus, "text"):
        if other.document and first.document:
            same.add(other.place)
            message = f"{other.document.seed} has the same text as {first.document.seed}."
            hint = "Keep one of the two annotation files, and remove the other one and its seed."
            yield Finding(other.place, "duplicate-article", message, (hint,))
    for first, other in _repetitions(corpus, "seed"):
        if other.place not in same:
            message = (
                f"{first.place.file}, line {first.place.line}, already has a seed with this name."
            )
            hint = "Give each seed a different name, usually the id of its source."
            yield Finding(other.place, "duplicate-article", message, (hint,))


@rule(on="sources", scope="corpus", code="impossible-reading")
def reader_of_two_kinds(corpus: CorpusView) -> Iterator[Finding]:
    """Report a reader who is a person in one reading and a language model in another."""
    kinds: dict[str, str] = {}
    for value, document in corpus.index.values("reader"):
        reader, kind = value.split()
        known = kinds.setdefault(reader, kind)
        if known == kind:
            continue
        [found] = corpus.places([(value, [document])], ("reader",))
        message = f"`{reader}` is a `{known}` in another reading."
        hint = "Correct `kind`, or give each reader a number."
        yield Finding(found.places[0].place, "impossible-reading", message, (hint,))


@rule(on="days", scope="corpus", code="impossible-reading")
def day_in_future(corpus: CorpusView) -> Iterator[Finding]:
    """Report a day in the future on which an article is said to be published, obtained or read.

    Only the commands `check`, `build` and `release` know the day; a takedown does not wait for it.
    """
    last = corpus.today.isoformat() if corpus.today else "9999"
    days = [day for day, _ in corpus.index.values("day") if day > last]
    groups = [(day, corpus.index.documents_with(day, ("day",))) for day in days]
    for day, places in corpus.places(groups, ("day",)):
        for each in places:
            message, hint = f"This day, {day}, is in the future.", "Correct the date."
            yield Finding(each.place, "impossible-reading", message, (hint,))


# ---- ids in free text ----------------------------------------------------------------------------


@rule(on="words of free text", scope="corpus", codebook="P9")
def protected_speaker_referenced(corpus: CorpusView) -> Iterator[Finding]:
    """Free text must not contain an id from another source."""
    message = "This text names a record of another source."
    for place in _naming(corpus, ("record",)):
        yield Finding(
            place, "protected-speaker-referenced", message, ("Remove the id from the text.",)
        )


@rule(on="ids and words of free text", scope="corpus", codebook="K7")
def withdrawn_id(corpus: CorpusView) -> Iterator[Finding]:
    """The id of a removed record must not be used again, nor in free text.

    In free text, only ids with a hyphen are recognised, because an id without one may be a common
    word.
    """
    gone = sorted({stone.id for stone in corpus.context.tombstones})
    given = [
        (value, documents)
        for value in gone
        if (documents := corpus.index.documents_with(value, IDS))
    ]
    for _, places in corpus.places(given, IDS):
        for one in places:
            message = "A record with this id was taken down."
            yield Finding(
                one.place, "withdrawn-id", message, ("Ids are never reused: use the next number.",)
            )
    for place in _naming(corpus, ("tombstone",)):
        message, hint = (
            "This text names a record that was taken down.",
            "Remove the id from the text.",
        )
        yield Finding(place, "withdrawn-id", message, (hint,))


def _naming(corpus: CorpusView, kinds: Sequence[str]) -> Iterator[Place]:
    """Yield the places of free texts that contain a key of these kinds from another document."""
    words: dict[str, list[int]] = {}
    for value, number in corpus.index.in_common("word", kinds):
        words.setdefault(value, []).append(number)
    for _, places in corpus.places(words.items(), ("word",)):
        yield from (one.place for one in places)
    for file, (path, text, _) in shared_texts(corpus.context):
        found = ids_in(text) if path[-1] != "id" else ()  # an id is a key already
        if any(corpus.index.documents_with(word, kinds) for word in found):
            yield file.place(*path)


# ---- pairs of figures ----------------------------------------------------------------------------


@rule(on="pairs of figures", scope="corpus", waits=True, codebook="F10")
def conflict_without_note(corpus: CorpusView) -> Iterator[Finding]:
    """Figures that conflict must have a note in `annotations/comparisons.yaml`."""
    conflicts = [
        pair for pair in corpus.pairs if pair.compared.verdict == "conflicts" and not pair.note
    ]
    groups_of_figures = _connected([pair.figures for pair in conflicts])
    explained = {pair.figures[0]: pair.compared.explanation for pair in reversed(conflicts)}
    names = sorted(group[0] for group in groups_of_figures)
    groups = [(name, corpus.index.documents_with(name, ("record",))) for name in names]
    places = {}
    for name, found in corpus.places(groups, ("record",)):
        # The last step of the path of a key is `id`; without it, the path is that of the figure.
        places[name] = next(one.document.place(*one.path[:-1]) for one in found if one.document)
    for one, *others in groups_of_figures:
        explanation = explained[one]
        message = f"This figure conflicts with {others[0]}, a figure of the same measure."
        if len(others) > 1:
            message = f"These figures of one measure conflict: {one}, {', '.join(others)}."
        ways = (
            "Set different populations or dates, or explain in annotations/comparisons.yaml why "
            "both are printed."
        )
        listed = ", ".join([one, *others])
        paste = f"To explain it there, paste: - {{figures: [{listed}], note: ...}}"
        hints = (explanation, ways, paste)
        yield Finding(places[one], "conflict-without-note", message, hints)


def _connected(pairs: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return the groups of names that pairs connect, each sorted, in order."""
    groups: list[set[str]] = []
    for pair in pairs:
        touched = [group for group in groups if not group.isdisjoint(pair)]
        groups = [group for group in groups if group not in touched]
        groups.append(set(pair).union(*touched))
    return sorted(sorted(group) for group in groups)


@rule(on="notes on pairs of figures", scope="corpus", waits=True, codebook="F10", complete=True)
def note_without_conflict(corpus: CorpusView) -> Iterator[Finding]:
    """A pair of figures may have only one note in `annotations/comparisons.yaml`.

    Each figure of a note must form a pair with another one whose verdict is `conflicts` or
    `differs_undated`.
    """
    differing = {
        frozenset(p.figures)
        for p in corpus.pairs
        if p.compared.verdict in ("conflicts", "differs_undated")
    }
    listed, seen = corpus.context.comparisons, set[frozenset[str]]()
    for i, entry in enumerate(listed):
        named = frozenset(entry.figures)
        if corpus.compared is not None and not named.issubset(corpus.compared):
            continue  # the note waits until the figures have no finding
        pairs = {frozenset(pair) for pair in combinations(entry.figures, 2)}
        noted = pairs & differing
        if frozenset().union(*noted) != named or noted & seen or len(named) < len(entry.figures):
            message = (
                "This entry is not needed: its figures are not compared, have a number in common, "
                "or already have a note."
            )
            yield Finding(listed.place(i), "note-without-conflict", message, ("Remove the entry.",))
        seen |= noted


# ---- pairs of statements -------------------------------------------------------------------------


class _Said(NamedTuple):
    """Who gave a testimony, and in which source."""

    speaker: str
    source_id: str
    protected: bool


_Pair = tuple[int, StatementRelation, _Said, _Said]


@rule(on="relations between statements", scope="corpus", complete=True, code="unresolved-reference")
def unknown_statement(corpus: CorpusView) -> Iterator[Finding]:
    """Report relations between statements that name a testimony that does not exist."""
    known = _testimonies(corpus)
    repeated = _sources_with_repeated_ids(corpus)
    for i, pair in enumerate(corpus.context.statements):
        for key in ("first", "second"):
            name = getattr(pair, key)
            if name not in known and name.rpartition("-")[0] not in repeated:
                place = corpus.context.statements.place(i, key)
                message = f"`{key}` must be the id of a testimony."
                hint = "Write ids in full, with the id of the source."
                yield Finding(place, "unresolved-reference", message, (hint,))


def _sources_with_repeated_ids(corpus: CorpusView) -> set[str]:
    """Return the ids of the sources in which an id is repeated.

    Such an id may be meant for a testimony that is missing.
    """
    repetitions = _repetitions(corpus, *IDS)
    return {later.document.source.id for _, later in repetitions if later.document}


@rule(on="relations between statements", scope="corpus", codebook="C10")
def statement_mismatch(corpus: CorpusView) -> Iterator[Finding]:
    """The reason of a relation between statements must fit its kind, and each pair is listed once.

    Two statements of one speaker can only be about one event.
    """
    listed, seen = corpus.context.statements, set[frozenset[str]]()
    for i, pair in enumerate(listed):
        reasons = REASONS_OF_STATEMENTS[pair.kind]
        if pair.reason not in reasons:
            message = f"The reason of `{pair.kind}` must be {' or '.join(reasons)}."
            yield Finding(listed.place(i, "reason"), "statement-mismatch", message)
        both = frozenset((pair.first, pair.second))
        if both in seen or len(both) == 1:
            message = "These two testimonies are already related, or are one testimony."
            yield Finding(listed.place(i), "statement-mismatch", message, ("Remove the entry.",))
        seen.add(both)
    for i, pair, first, second in _pairs(corpus):
        is_own = pair.first != pair.second and first.speaker == second.speaker
        if is_own and pair.kind != "same_event":
            message = "Both testimonies are of one speaker, so they can only be `same_event`."
            hint = "Relate testimonies of two speakers, or remove the entry."
            yield Finding(listed.place(i, "kind"), "statement-mismatch", message, (hint,))


@rule(on="relations between statements", scope="corpus", code="protected-speaker-linked")
def protected_statement_linked(corpus: CorpusView) -> Iterator[Finding]:
    """Report testimonies of protected persons that are related to those of another article."""
    for i, _, first, second in _pairs(corpus):
        if first.source_id != second.source_id and (first.protected or second.protected):
            message = "A testimony of a protected person is related to one of another article."
            hint = "Remove the entry: it could help to identify the person."
            place = corpus.context.statements.place(i)
            yield Finding(place, "protected-speaker-linked", message, (hint,))


def _pairs(corpus: CorpusView) -> Iterator[_Pair]:
    """Yield the relations whose testimonies are known, each with its position and testimonies."""
    known = _testimonies(corpus)
    for i, pair in enumerate(corpus.context.statements):
        if pair.first in known and pair.second in known:
            yield i, pair, known[pair.first], known[pair.second]


@lru_cache(maxsize=1)  # only one corpus is in use at a time
def _testimonies(corpus: CorpusView) -> dict[str, _Said]:
    """Return the testimonies that relations name, by id."""
    names = set[str]()
    for pair in corpus.context.statements:
        names |= {pair.first, pair.second}
    found = {}
    for name, document, record in _found(corpus, names):
        protected = record.speaker in document.protected
        found[name] = _Said(record.speaker, document.source.id, protected)
    return found


def _found(corpus: CorpusView, names: Collection[str]) -> Iterator[tuple[str, Document, Testimony]]:
    """Yield the testimonies with these ids, each with its id and its document."""
    groups = [(name, corpus.index.documents_with(name, ("record",))) for name in sorted(names)]
    for name, places in corpus.places(groups, ("record",)):
        for each in places:
            if each.document is None:
                continue
            record = dict(each.document.testimonies).get(each.path[:-1])
            if isinstance(record, Testimony):
                yield name, each.document, record


# ---- examples of codes ---------------------------------------------------------------------------


@rule(on="examples of codes", scope="corpus", complete=True, codebook="K6")
def example_mismatch(corpus: CorpusView) -> Iterator[Finding]:
    """The example of a code must be a testimony with the value, the counter-example one without."""
    vocabulary = corpus.context.vocabulary
    examples = vocabulary.content.examples
    names = {name for entry in examples for name in (entry.example, entry.counter_example) if name}
    known = {name: record for name, _, record in _found(corpus, names)}
    repeated = _sources_with_repeated_ids(corpus)
    for i, entry in enumerate(examples):
        expected = {"example": True, "counter_example": False}
        for key, has_value in expected.items():
            name = getattr(entry, key)
            if name is None or name.rpartition("-")[0] in repeated:
                continue
            place = vocabulary.place("examples", i, key)
            if name not in known:
                message = f"`{key}` must be the id of a testimony."
                hint = "Write ids in full, with the id of the source."
                yield Finding(place, "example-mismatch", message, (hint,))
            elif _shows(known[name], entry) != has_value:
                shown = f"`{entry.code}: {entry.value}`" if entry.value else f"`{entry.code}`"
                lacks = "must have" if has_value else "must not have"
                message = f"The testimony of `{key}` {lacks} {shown}."
                hint = "Name another testimony, or correct the code."
                yield Finding(place, "example-mismatch", message, (hint,))


def _shows(testimony: Testimony, entry: CodeExample) -> bool:
    """Return whether a testimony has the value of an example, or any value if it names none."""
    values = _values_of_code(testimony, entry.code)
    return entry.value in values if entry.value else bool(values)


def _values_of_code(testimony: Testimony, code: str) -> set[str]:
    """Return the terms and the other values of a key of a testimony, without words and dates."""
    content = getattr(testimony, code)
    if code == "stance":
        return {content or "asserts"}
    if isinstance(content, bool):
        return {"true"} if content else set()
    entries = content if isinstance(content, tuple) else (content,)
    found = set[str]()
    for entry in entries:
        if isinstance(entry, str):
            found.add(entry)
        elif entry is not None:
            left_out = ("words", "against", "by", "date")
            found.update(value for key, value in entry if value and key not in left_out)
    return found
