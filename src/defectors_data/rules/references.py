"""Rules on ids and on what refers to them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache

from defectors_data.corpus.context import Context
from defectors_data.corpus.findings import Finding, Place
from defectors_data.corpus.project_file import Path
from defectors_data.evidence.document import Document, per_document
from defectors_data.evidence.subjects import Numbered, all_misnamed, is_numbered, misnamed
from defectors_data.rules.engine import rule
from defectors_data.rules.index import CorpusView
from defectors_data.text.name_matching import did_you_mean


@rule(on="ids of source and number", codebook=("K4", "P10"))
def malformed_id(document: Document, path: Path, numbered: Numbered) -> Iterator[Finding]:
    """Ids of records, of groups and of whoever is not publicly named are made of the source's id and a number.

    Ids of tombstones are too, so that none tells a name; that of a named speaker is `withdrawn-speaker-` and a number.
    """
    if is_numbered(numbered.id, (numbered.beginning,)):
        return
    if not all_misnamed(document):
        message = f"This id must be {numbered.beginning} and a number."
        yield Finding(document.place(*path, "id"), "malformed-id", message)
    elif path == misnamed(document)[0]:
        message = "No id of this file begins with this id and a hyphen."
        hint = "Mend the id of the source, if it is that one; ids are never changed once they are published."
        yield Finding(document.place("source", "id"), "malformed-id", message, (hint,))


_CALLED = {
    "use": "speaker of annotations/speakers.yaml",
    "speaker": "speaker of this source",
    "about": "speaker of this source",
    "attributed_to": "speaker of this source",
    "testimony": "testimony of this source",
    "repeats": "source, testimony or figure here",
}
"""What a finding calls that to which a key refers."""


@rule(on="references", unique_ids=True, codebook="K5")
def unresolved_reference(document: Document, path: Path, name: str) -> Iterator[Finding]:
    """What a record refers to must exist and be of the right kind, in its own source or among the shared speakers."""
    key = str(path[2])
    known = _known(document)[key]
    if name in known or _caused_elsewhere(document, key, name):
        return
    unsayable = {speaker.id for _, speaker in document.speakers if speaker.protected}
    hint = did_you_mean(name, set(known) - unsayable, unsayable=unsayable)
    message = f"No {_CALLED[key]} has the id that `{key}` gives."
    cause = name if key == "use" else f"{document.seed} {name}"
    yield Finding(document.place(*path), "unresolved-reference", message, hint, cause)


@per_document
def _known(document: Document) -> dict[str, Collection[str]]:
    """Return the ids that references may give, by key."""
    testimonies = {testimony.id for _, testimony in document.testimonies}
    repeatable = testimonies | {figure.id for _, figure in document.figures} | {document.source.id}
    own = {"testimony": testimonies, "repeats": repeatable, "use": document.context.shared}
    return {key: own.get(key, document.heard.keys()) for key in _CALLED}


def _caused_elsewhere(document: Document, key: str, name: str) -> bool:
    """Tell whether another finding explains why an id is not known."""
    shared = document.context.shared
    if key == "use" and shared.has_duplicate_ids:
        return True
    if key in ("speaker", "about", "attributed_to") and any(entry.id not in shared for _, entry in document.uses):
        return True
    # The reference may be meant for one of the numbered records whose ids are wrong.
    beginnings = [f"{document.source.id}-{form}" for form in ("speaker-", "t", "f", "w")]
    return bool(misnamed(document)) and is_numbered(name, beginnings)


@rule(on="terms that records name", codebook="K6")
def unknown_term(document: Document, path: Path, term: str) -> Iterator[Finding]:
    """A theme, a measure or a population must stand in `annotations/vocabulary.yaml`, with its definition."""
    key = str(path[2])
    known = _terms(document.context)[key]
    if term not in known:
        secret = path[:2] in document.hidden_paths
        message = f"{'This' if secret else f'`{term}`'} is no term of annotations/vocabulary.yaml."
        hint = () if secret else did_you_mean(term, known)
        hint = hint or ("Take one of its terms, or define this one there.",)
        # Where no term at all is defined, that is the one mistake.
        yield Finding(document.place(*path), "unknown-term", message, hint, f"{key} {term if known else ''}")


@lru_cache(maxsize=1)
def _terms(context: Context) -> dict[str, set[str]]:
    """Return the terms of the vocabulary, by the key under which records name them."""
    vocabulary = context.vocabulary.content
    terms = {"themes": vocabulary.themes, "measure": vocabulary.measures, "population": vocabulary.populations}
    return {key: {term.term for term in listed} for key, listed in terms.items()}


@rule(on="lists of terms", codebook="K6")
def duplicate_term(document: Document, path: Path, terms: Sequence[str]) -> Iterator[Finding]:
    """A term is defined once and named once by a record; keywords, cited outlets and tolerances stand once, too."""
    yield from repeated(document.place, path, terms)


def repeated(place: Callable[..., Place], path: Path, terms: Sequence[str]) -> Iterator[Finding]:
    """Find the terms that a list gives again; the list is at a path of the file whose places are given."""
    seen: set[str] = set()
    for i, term in enumerate(terms):
        if term in seen:
            message, hint = "This term stands here twice.", "Leave one of them out."
            yield Finding(place(*path, i), "duplicate-term", message, (hint,))
        seen.add(term)


@rule(on="terms", scope="corpus", code="duplicate-term")
def term_defined_twice(corpus: CorpusView) -> Iterator[Finding]:
    """A term is defined once; keywords, units of a measure and tolerances are listed once, too."""
    context = corpus.context
    vocabulary = context.vocabulary.content
    for name in ("themes", "measures", "populations"):
        yield from repeated(context.vocabulary.place, (name,), [term.term for term in getattr(vocabulary, name)])
    for i, measure in enumerate(vocabulary.measures):
        yield from repeated(context.vocabulary.place, ("measures", i, "units"), measure.units)
    yield from repeated(context.vocabulary.place, ("tolerances",), [each.hedge for each in vocabulary.tolerances])
    yield from repeated(context.dataset.place, ("keywords",), context.dataset.content.keywords)
