"""Rules across documents, and on the files that are about no one source.

They ask the corpus index which documents have something in common, and open only those again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from defectors_data.corpus.context import Context, ListFile
from defectors_data.corpus.findings import Finding, Place
from defectors_data.evidence.subjects import BEFORE_NUMBERS, all_misnamed
from defectors_data.rules.engine import rule
from defectors_data.rules.index import FREE_TEXT, CorpusView, Where, words_in

IDS = ("id", "record")
"""Kinds of keys that are ids."""


@rule(on="ids", scope="corpus", codebook="K4")
def duplicate_id(corpus: CorpusView) -> Iterator[Finding]:
    """An id is given once in the whole corpus."""
    for _, where in corpus.places(corpus.index.repeated(IDS), IDS):
        first = where[0]
        for other in where[1:]:
            if not _is_misnamed(first, other):
                place, before = other.place, first.place
                column = (
                    f", column {before.column}" if before[:2] == place[:2] else ""
                )  # a shard has a source in a line
                message = f"This id is given in {before.file}, line {before.line}{column}, already."
                yield Finding(place, "duplicate-id", message, ("Ids are unique over all files, and never used again.",))
    stones = corpus.context.tombstones
    first_stone: dict[str, Place] = {}
    for i, stone in enumerate(stones):
        if stone.id in first_stone:
            message = f"A tombstone for this id stands in line {first_stone[stone.id].line} already."
            yield Finding(stones.place(i, "id"), "duplicate-id", message, ("Keep the older one.",))
        first_stone.setdefault(stone.id, stones.place(i, "id"))


def _is_misnamed(*where: Where) -> bool:
    """Tell whether one of two is the id of a source with which no id of its file begins: that is reported already."""
    of_sources = [one.path == ("source", "id") for one in where]
    wrong = (
        one.document and all_misnamed(one.document)
        for one, is_source in zip(where, of_sources, strict=True)
        if is_source
    )
    return any(wrong) and not all(of_sources)


@rule(on="tombstones", scope="corpus", code="malformed-id")
def tombstone_of_another_form(corpus: CorpusView) -> Iterator[Finding]:
    """Ids of tombstones are made of a source's id and a number, or for a named speaker `withdrawn-speaker-` and one."""
    stones = corpus.context.tombstones
    gone = {stone.id for stone in stones if stone.table == "sources"}
    for i, stone in enumerate(stones):
        before = BEFORE_NUMBERS.get(stone.table)
        form = stone.id.rstrip("0123456789")
        source = form.removesuffix(f"-{before}")
        known = source in gone or bool(corpus.index.holders(source, ("id",)))
        nameless = stone.table == "speakers" and source == "withdrawn"
        numbered = stone.id[len(form) : len(form) + 1] not in ("", "0") and form.endswith(f"-{before}")
        if before and not (numbered and (known or nameless)):
            also = ", or withdrawn-speaker- and a number" if stone.table == "speakers" else ""
            message = f"This id must be a source's id, -{before} and a number{also}."
            hint = "A tombstone tells no name; that of a source has to stand here, too, if all of it was taken out."
            yield Finding(stones.place(i, "id"), "malformed-id", message, (hint,))


@rule(on="names", scope="corpus", codebook="P4")
def speaker_not_shared(corpus: CorpusView) -> Iterator[Finding]:
    """A named person or an institution heard in several sources is one speaker of `annotations/speakers.yaml`."""
    for _, where in corpus.places(corpus.index.repeated(("name",)), ("name",)):
        first = where[0]
        for other in where[1:]:
            if other.document and other.document is not first.document:
                message = f"A speaker of this name stands in {first.place.file}, line {first.place.line}, too."
                hint = "Put the speaker into annotations/speakers.yaml once, and refer to it with `use`."
                yield Finding(other.place, "speaker-not-shared", message, (hint,))


@rule(on="shared speakers", scope="corpus", code="speaker-without-mention")
def shared_speaker_without_mention(corpus: CorpusView) -> Iterator[Finding]:
    """A shared speaker is referred to by a source, which mentions them."""
    shared = corpus.context.shared
    used = {name for name, _ in corpus.index.values("use")}
    if used - shared.keys():  # a reference to nothing may be meant for a speaker whom no document uses
        return
    for i, speaker in enumerate(shared.listed):
        if speaker.id not in used and not corpus.index.holders(speaker.id, ("id",))[1:]:
            message = "No source refers to this shared speaker, so no mention shows them."
            yield Finding(shared.listed.place(i), "speaker-without-mention", message, ("Leave the speaker out.",))


@rule(on="sources", scope="corpus", codebook="K2")
def duplicate_article(corpus: CorpusView) -> Iterator[Finding]:
    """An article is annotated once: no two seeds are the same text, and none has the name of another."""
    same = set[Place]()
    for _, where in corpus.places(corpus.index.repeated(("text",)), ("text",)):
        first = where[0]
        for other in where[1:]:
            if other.document and first.document:
                same.add(other.place)
                message = f"{other.document.seed} holds the same text as {first.document.seed}."
                hint = "Annotate it in one file, and take the other away with its seed."
                yield Finding(other.place, "duplicate-article", message, (hint,))
    for _, where in corpus.places(corpus.index.repeated(("seed",)), ("seed",)):
        before = where[0].place
        for other in where[1:]:
            if other.place not in same:
                message = f"A seed has this name in {before.file}, line {before.line}, already."
                hint = "Name each seed as no other is: after the id of its source, by custom."
                yield Finding(other.place, "duplicate-article", message, (hint,))


# ---- ids in free text ------------------------------------------------------------------------------------------


@rule(on="words of free text", scope="corpus", codebook="P9")
def protected_speaker_referenced(corpus: CorpusView) -> Iterator[Finding]:
    """Nothing outside their source names a speaker who is not publicly named, nor a group or a record of theirs."""
    message = "This names something that lives in another source's file alone."
    for place in _naming(corpus, ("record",)):
        yield Finding(place, "protected-speaker-referenced", message, ("Take it out.",))


@rule(on="ids and words of free text", scope="corpus", codebook="K7")
def withdrawn_id(corpus: CorpusView) -> Iterator[Finding]:
    """The id of a record that was taken out is not given again, and nothing that people wrote names it."""
    if not len(corpus.context.tombstones):
        return
    gone = {stone.id for stone in corpus.context.tombstones}
    given = [(value, corpus.index.holders(value, IDS)) for value in sorted(gone)]
    for _, where in corpus.places([group for group in given if group[1]], IDS):
        for one in where:
            message = "A record of this id was taken out."
            yield Finding(one.place, "withdrawn-id", message, ("Ids are never used again: take the next number.",))
    for place in _naming(corpus, ("tombstone",)):
        yield Finding(place, "withdrawn-id", "This names a record that was taken out.", ("Leave it out.",))


def _naming(corpus: CorpusView, kinds: Sequence[str]) -> Iterator[Place]:
    """Give the places of free text that names a key of these kinds which its own document does not have."""
    words: dict[str, list[int]] = {}
    for value, number in corpus.index.in_common("word", kinds):
        words.setdefault(value, []).append(number)
    for _, where in corpus.places(words.items(), ("word",)):
        yield from (one.place for one in where)
    for text, place in _shared_texts(corpus.context):
        if any(corpus.index.holders(word, kinds) for word in words_in(text, corpus.context)):
            yield place()


def _shared_texts(context: Context) -> Iterator[tuple[str, Callable[[], Place]]]:
    """Give the free text of the files that are about no one source, each with a function that gives its place.

    Of dataset.yaml that is every text.
    """
    for path, text in context.dataset.texts():
        yield text, partial(context.dataset.place, *path)
    for path, text in context.vocabulary.texts(FREE_TEXT):
        yield text, partial(context.vocabulary.place, *path)
    lists: tuple[ListFile[Any], ...] = (context.shared.listed, context.comparisons)
    for listed in lists:
        for i, path, text in listed.texts(FREE_TEXT):
            yield text, partial(listed.place, i, *path)


# ---- figures next to each other ----------------------------------------------------------------------------------


@rule(on="pairs of figures", scope="corpus", waits=True, codebook="F10")
def conflict_without_note(corpus: CorpusView) -> Iterator[Finding]:
    """Two figures of one measure that rule each other out have a note that says so, in annotations/comparisons.yaml."""
    conflicts = [pair for pair in corpus.pairs if pair.compared.verdict == "conflicts" and not pair.note]
    places = dict(_figure_places(corpus, {pair.figures[0] for pair in conflicts}))
    for pair in conflicts:
        one, other = pair.figures
        message = f"This figure and {other} are of one measure and rule each other out."
        ways = "Tell populations or dates apart, or say in annotations/comparisons.yaml why both may be printed."
        hints = (pair.compared.explanation, ways, f"To paste: - {{figures: [{one}, {other}], note: ...}}")
        yield Finding(places[one], "conflict-without-note", message, hints)


def _figure_places(corpus: CorpusView, figures: set[str]) -> Iterator[tuple[str, Place]]:
    groups = ((name, corpus.index.holders(name, ("record",))) for name in sorted(figures))
    for name, where in corpus.places(groups, ("record",)):
        yield name, next(one.document.place(*one.path[:-1]) for one in where if one.document)


@rule(on="notes on pairs of figures", scope="corpus", waits=True, codebook="F10")
def note_without_conflict(corpus: CorpusView) -> Iterator[Finding]:
    """A note on two figures names two that conflict, and each pair once."""
    conflicts = {frozenset(pair.figures) for pair in corpus.pairs if pair.compared.verdict == "conflicts"}
    listed, seen = corpus.context.comparisons, set()
    for i, entry in enumerate(listed):
        pair = frozenset(entry.figures)
        if pair not in conflicts or pair in seen:
            message = "These are no two figures that conflict, or they have a note already."
            yield Finding(listed.place(i), "note-without-conflict", message, ("Leave the entry out.",))
        seen.add(pair)
