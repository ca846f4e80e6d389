"""Rules on relations between statements, which annotators declare for pairs of testimonies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from defectors_data.corpus.findings import Finding
from defectors_data.models.annotation import Testimony
from defectors_data.models.closed_vocabularies import REASONS_OF_STATEMENTS
from defectors_data.models.project import StatementRelation
from defectors_data.rules.corpus_index import CorpusView
from defectors_data.rules.engine import rule


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
    for i, pair in enumerate(corpus.context.statements):
        for key in ("first", "second"):
            if getattr(pair, key) not in known:
                place = corpus.context.statements.place(i, key)
                message = f"`{key}` must be the id of a testimony."
                hint = "Write ids in full, with the id of the source."
                yield Finding(place, "unresolved-reference", message, (hint,))


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


def _testimonies(corpus: CorpusView) -> dict[str, _Said]:
    """Return the testimonies that relations name, by id."""
    names = set[str]()
    for pair in corpus.context.statements:
        names |= {pair.first, pair.second}
    groups = [(name, corpus.index.documents_with(name, ("record",))) for name in sorted(names)]
    found = {}
    for name, places in corpus.places(groups, ("record",)):
        for each in places:
            if each.document is None:
                continue
            record = dict(each.document.testimonies).get(each.path[:-1])
            if isinstance(record, Testimony):
                protected = record.speaker in each.document.protected
                found[name] = _Said(record.speaker, each.document.source.id, protected)
    return found
