"""Rules on ids and terms, on references to them, on changes of released records, and on drafts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from defectors_data.corpus.findings import Finding, Path, Place
from defectors_data.corpus.shared_context import VOCABULARY_LISTS, Context
from defectors_data.evidence.anchors import chosen_in_yaml, contains_words, occurrences
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.record_fingerprints import (
    RecordFingerprint,
    identities,
    last_released,
    new_tombstones,
    released,
    shared_identities,
)
from defectors_data.evidence.record_fingerprints import id_reassigned as reassigned_since
from defectors_data.evidence.record_ids import is_numbered
from defectors_data.models.annotation import Figure, Mention, ProtectedMention, Relation, Testimony
from defectors_data.models.closed_vocabularies import MEANINGS, SPEAKER_TERMS
from defectors_data.models.fields import OPEN_SPEAKER, Part, Record
from defectors_data.models.project import ReleasedId, SubjectUnit
from defectors_data.models.versions import last_version, least_version, next_version, number
from defectors_data.rules.corpus_index import CorpusView, earlier_versions
from defectors_data.rules.engine import rule
from defectors_data.rules.subjects import SUBJECTS, NumberedId, all_misnamed, misnamed
from defectors_data.text.offsets import Span, is_inside, line_and_column
from defectors_data.text.similar_words import did_you_mean
from defectors_data.text.units import nouns_of


@rule(on="numbered ids", codebook=("K4", "P10"))
def malformed_id(document: Document, path: Path, numbered: NumberedId) -> Iterator[Finding]:
    """An id must consist of the source's id, a code for its kind, and a number.

    The id of a tombstone must have the same form, so that it contains no name. For a publicly named
    speaker, it must consist of `withdrawn-speaker-` and a number.
    """
    if is_numbered(numbered.id, (numbered.beginning,)):
        return
    if not all_misnamed(document):
        message = f"This id must be `{numbered.beginning}` followed by a number."
        yield Finding(document.place(*path, "id"), "malformed-id", message)
    elif path == misnamed(document)[0]:
        message = "No id in this file begins with this id and a hyphen."
        hint = "Correct the source's id if it is wrong. Never change an id that has been published."
        yield Finding(document.place("source", "id"), "malformed-id", message, (hint,))


@rule(on="drafts", codebook="K11")
def draft_record(document: Document, path: Path, _: Record) -> Iterator[Finding]:
    """No source, speaker, testimony, figure or waiver may be a draft."""
    message = "This record is a draft."
    hint = "Compare it with the article, complete it, and remove `draft`."
    place = document.place(*path, "draft")
    # The drafts of a file are reported once, with their number.
    yield Finding(place, "draft-record", message, (hint,), cause=document.seed)


_REFERENTS = {
    "use": "a speaker in annotations/speakers.yaml",
    "speaker": "a speaker of this source",
    "attributed_to": "a speaker of this source",
    "part_of": "a group of this source",
    "testimony": "a testimony of this source",
    "repeats": "this source or of one of its testimonies or figures",
    "antecedent": "a mention or a testimony of this source",
    "rival": "a mention of this source",
    "continues": "a testimony of this source",
}
"""The record to which each key must refer, in the wording of messages."""


@rule(on="references", unique_ids=True, codebook=("K5", "P19"))
def unresolved_reference(document: Document, path: Path, name: str) -> Iterator[Finding]:
    """A reference must be the id of a record of the right kind in the same source.

    It may also be the id of a shared speaker.
    """
    key = str(path[-1])
    known = _known(document)[key]
    if name in known or _is_consequence(document, key, name):
        return
    # A suggestion must not name a protected speaker, even if that id is the most similar one.
    hidden = {speaker.id for _, speaker in document.speakers if speaker.protected}
    shown = {each for each in known if _is_similar_in_kind(each, name, document.source.id)}
    hint = did_you_mean(name, shown - hidden, hidden=hidden)
    message = f"`{key}` must be the id of {_REFERENTS[key]}."
    if name == OPEN_SPEAKER:
        message = "The draft leaves open who speaks."
        hint = ("Choose the speaker, add a new one (`m` in the workbench), or reject the draft.",)
    # A missing shared speaker is one mistake in the whole corpus; any other missing id is one
    # mistake in its file.
    cause = name if key == "use" else f"{document.seed} {name}"
    yield Finding(document.place(*path), "unresolved-reference", message, hint, cause)


def _is_similar_in_kind(known: str, name: str, source: str) -> bool:
    """Return whether the spelling of a known id can show what was meant.

    That of a numbered id cannot: `-m2` is similar to `-m7`, and is another person. It can only if
    both end alike.
    """
    if known == source:
        return False
    number = known.removeprefix(f"{source}-")
    return number == known or name.endswith(f"-{number}")


@per_document
def _known(document: Document) -> dict[str, Collection[str]]:
    """Return the ids to which references may refer, by key."""
    testimonies = {testimony.id for _, testimony in document.testimonies}
    repeatable = testimonies | {figure.id for _, figure in document.figures} | {document.source.id}
    mentions = {mention.id for _, mention in document.mentions}
    groups = {group.id for _, group in document.groups}
    own: dict[str, Collection[str]] = {
        "part_of": groups,
        "testimony": testimonies,
        "repeats": repeatable,
        "use": document.context.shared,
        "antecedent": mentions | testimonies,
        "rival": mentions,
        "continues": testimonies,
    }
    return {key: own.get(key, document.speakers_by_id.keys()) for key in _REFERENTS}


def _is_consequence(document: Document, key: str, name: str) -> bool:
    """Return whether another finding explains why an id is not known."""
    shared = document.context.shared
    if not {name, ""}.isdisjoint(document.unread | shared.listed.unread):
        return True
    if key in ("antecedent", "rival") and "speakers" in dict(document.file.unread or ()):
        return True  # the mention may be one of a speaker who could not be read
    if key == "use" and shared.has_duplicate_ids:
        return True
    if key in ("speaker", "attributed_to") and any(
        entry.id not in shared for _, entry in document.uses
    ):
        return True
    # The reference may be meant for a record whose id is malformed.
    beginnings = [f"{document.source.id}-{form}" for form in ("speaker-", "t", "f", "w", "m")]
    return bool(misnamed(document)) and is_numbered(name, beginnings)


# ---- ids that were released ----------------------------------------------------------------------


@rule(on="records of earlier releases", unique_ids=True, codebook="K4")
def id_reassigned(
    document: Document, path: Path, identity: tuple[RecordFingerprint, ReleasedId]
) -> Iterator[Finding]:
    """A released record must keep its words, place and name, unless `corrected` says why not.

    A source must keep its seed, whose text may be replaced only with `reanchor`.
    """
    yield from _reassigned(document.place(*path, "id"), *identity, document.context)


@rule(on="records of earlier releases", unique_ids=True, codebook="K4")
def missing_correction(
    document: Document, path: Path, identity: tuple[RecordFingerprint, ReleasedId]
) -> Iterator[Finding]:
    """The values and codes of a released record may change only if `corrected` says why.

    Its notes may always change.
    """
    if identity[0].table != "speakers":  # another source may have a speaker with this id
        yield from _uncorrected(document.place(*path, "id"), *identity, document.context)


@rule(on="corrections of records", unique_ids=True, codebook="K4")
def needless_correction(
    document: Document, path: Path, identity: RecordFingerprint
) -> Iterator[Finding]:
    """`corrected` may be used only for a released record that has changed.

    It must name the first version with the change.
    """
    yield from _needless(document.place(*path, "corrected"), identity, document.context)


@rule(on="ids of earlier releases", scope="corpus", code="id-reassigned")
def shared_id_reassigned(corpus: CorpusView) -> Iterator[Finding]:
    """Report shared speakers whose ids were released with another name."""
    for place, each, entry in _shared(corpus.context, "id"):
        if entry:
            yield from _reassigned(place, each, entry, corpus.context)


@rule(on="ids of the published package", scope="corpus", code="id-reassigned")
def published_id_reassigned(corpus: CorpusView) -> Iterator[Finding]:
    """Report ids that were not released, but identify another record in the published package."""
    if not corpus.published:
        return
    kinds = ("id", "record")
    groups = [(name, corpus.index.documents_with(name, kinds)) for name in corpus.reassigned]
    for found in corpus.places(groups, kinds):
        for each in found.places:
            yield reassigned_since(each.place, corpus.published.identities[found.value].table)


@rule(on="earlier versions", scope="corpus", codebook="K4")
def releases_missing(corpus: CorpusView) -> Iterator[Finding]:
    """`annotations/releases.jsonl` must list the ids of earlier releases."""
    versions, entries = earlier_versions(corpus), released(corpus.context).values()
    recorded = corpus.context.dataset.content.last_release
    restore = (
        "Restore the file: without it, ids can be removed or given to other records unnoticed."
    )
    if versions and not entries:
        message = f"Version {versions[-1]} was released, but annotations/releases.jsonl has no ids."
        first = "If there never was one, `defectors-data release --first-release` begins it."
        hints = (restore,) if recorded else (restore, first)
        yield Finding(corpus.context.dataset.place("version"), "releases-missing", message, hints)
    elif recorded and number(last_version(entries)) < number(recorded):
        listed = f"annotations/releases.jsonl ends with version {last_version(entries)}"
        message = f"Version {recorded} was released, but {listed}."
        place = corpus.context.dataset.place("last_release")
        yield Finding(place, "releases-missing", message, (restore,))


@rule(on="ids of earlier releases", scope="corpus", code="missing-correction")
def missing_correction_of_shared_speaker(corpus: CorpusView) -> Iterator[Finding]:
    """Report shared speakers whose values changed without `corrected`."""
    for place, each, entry in _shared(corpus.context, "id"):
        if entry:
            yield from _uncorrected(place, each, entry, corpus.context)


@rule(on="ids of earlier releases", scope="corpus", code="missing-correction")
def missing_correction_of_speaker(corpus: CorpusView) -> Iterator[Finding]:
    """Report speakers of one source whose values changed without `corrected`.

    Of an id that several sources have, no one knows whose record was released; another rule reports
    that it is not unique.
    """
    before = released(corpus.context)  # empty before the first release: nothing is yielded
    changed = dict[int, set[str]]()
    for name, at in corpus.index.values("changed"):
        is_speaker = name in before and before[name].table == "speakers"
        if is_speaker and corpus.index.documents_with(name, ("id", "record")) == [at]:
            changed.setdefault(at, set()).add(name)
    for at, document in corpus.documents(changed):
        for each in identities(document):
            if each.id in changed[at]:
                place = document.place(*each.path, "id")
                yield from _uncorrected(place, each, before[each.id], corpus.context)


@rule(on="ids of earlier releases", scope="corpus", code="needless-correction")
def needless_correction_of_shared_speaker(corpus: CorpusView) -> Iterator[Finding]:
    """Report shared speakers that have `corrected` but did not change."""
    for place, each, _ in _shared(corpus.context, "corrected"):
        yield from _needless(place, each, corpus.context)


def _shared(
    context: Context, key: str
) -> Iterator[tuple[Place, RecordFingerprint, ReleasedId | None]]:
    """Yield the place of `key` in each shared speaker, its fingerprint and its released entry."""
    before = released(context)  # empty before the first release
    if not before:
        return
    for each in shared_identities(context):
        if each.path:  # the dataset has no path
            yield context.shared.listed.place(int(each.path[0]), key), each, before.get(each.id)


_OTHER = {
    "speakers": "another name",
    "sources": "another seed, or a text that is not under `earlier`",
}


def _reassigned(
    place: Place, identity: RecordFingerprint, entry: ReleasedId, context: Context
) -> Iterator[Finding]:
    is_corrected = identity.table != "sources" and identity.is_corrected_after(
        last_released(context)
    )
    if identity.is_reassigned(entry) and not is_corrected:
        other = _OTHER.get(
            identity.table, "different words, or the same words at a different place"
        )
        message = f"In version {entry.changed}, the record with this id had {other}."
        hints: tuple[str, ...] = ("Give a new record a new id.", _say_so(context))
        if identity.table == "sources":
            hints = (
                (
                    "If the article was corrected, restore the seed and its `sha256`, then replace "
                    "both with `reanchor`."
                ),
            )
        yield Finding(place, "id-reassigned", message, hints)


def _uncorrected(
    place: Place, identity: RecordFingerprint, entry: ReleasedId, context: Context
) -> Iterator[Finding]:
    if new_tombstones(context) or identity.is_corrected_after(last_released(context)):
        return  # a takedown may leave gaps in other records
    if identity.change(entry) == "meaning":
        message = f"Values or codes of this record differ from those in version {entry.changed}."
        hint = "`defectors-data release --correct REASON` adds it to all changed records."
        yield Finding(place, "missing-correction", message, (_say_so(context), hint))


def _say_so(context: Context) -> str:
    # dataset.yaml may already state the next version.
    version = max(
        context.dataset.content.version, next_version(last_released(context), "changed"), key=number
    )
    return (
        f"If this corrects the record, add `corrected: {{version: {version}, reason: ...}}` to it."
    )


def _needless(place: Place, identity: RecordFingerprint, context: Context) -> Iterator[Finding]:
    if not identity.is_corrected_after(last_released(context)):
        return
    entry, version = released(context).get(identity.id), context.dataset.content.version
    if not entry or identity.change(entry) in (None, "wording"):
        message = "No version with this record has been released yet."
        if entry:
            message = (
                "The words, values and codes of this record are the same as in version "
                f"{entry.changed}."
            )
        hint = (
            "Remove `corrected`: it is for released records whose words, values or codes have "
            "changed."
        )
        yield Finding(place, "needless-correction", message, (hint,))
    # Until dataset.yaml states a version after the last release, the next version is not known.
    elif identity.corrected and number(last_released(context)) < number(version) != number(
        identity.corrected.version
    ):
        message = "This is not the version that is being prepared."
        yield Finding(
            place,
            "needless-correction",
            message,
            (f"Write `version: {version}`, as in dataset.yaml.",),
        )


@rule(on="ids of earlier releases", scope="corpus", codebook="K4", complete=True)
def id_removed_without_tombstone(corpus: CorpusView) -> Iterator[Finding]:
    """A released id must remain the id of a record, or become that of a tombstone."""
    for i, entry in enumerate(corpus.context.releases):
        if entry.table != "dataset" and not corpus.index.documents_with(
            entry.id, ("id", "record", "tombstone")
        ):
            message = (
                f"No record has this id, which was in the table `{entry.table}` in version "
                f"{entry.changed}."
            )
            hint = (
                "Restore the record or its id; `defectors-data takedown` removes a record and "
                "leaves a tombstone."
            )
            place = corpus.context.releases.place(i, "id")
            yield Finding(place, "id-removed-without-tombstone", message, (hint,))


@rule(on="ids of earlier releases", scope="corpus", codebook="K4", complete=True)
def version_too_low(corpus: CorpusView) -> Iterator[Finding]:
    """Data that differ from the last release must have a higher version.

    If there are new records, or a record was taken down, at least the second number of the version
    must be raised; otherwise, at least the third. A takedown raises it. The date of a version is
    that of its release.
    """
    context, before = corpus.context, released(corpus.context)
    if not before:
        return
    yield from _other_date(context, before)
    counts = Counter(state for each in shared_identities(context) if (state := each.since(before)))
    withdrawn = len(new_tombstones(context))
    counts += Counter({state: corpus.index.number_of((state,)) for state in ("added", "changed")})
    least = least_version(before.values(), counts + Counter(added=withdrawn))
    version = context.dataset.content.version
    if number(version) < number(least):
        last = last_version(before.values())
        numbers = f"added: {counts['added']}, changed: {counts['changed']}, withdrawn: {withdrawn}"
        message = f"The data differ from version {last} ({numbers})."
        hint = (
            f"Set `version: {least}` or a higher one, as `defectors-data release --next` does; "
            "`defectors-data diff` shows the changes."
        )
        yield Finding(context.dataset.place("version"), "version-too-low", message, (hint,))


def _other_date(context: Context, before: Mapping[str, ReleasedId]) -> Iterator[Finding]:
    """Yield a finding if the last released version now has another date."""
    dataset = context.dataset.content
    entry = before.get(dataset.name)
    if entry is None or entry.released is None or entry.changed != dataset.version:
        return
    if entry.released != dataset.released:
        message = f"Version {dataset.version} was released on {entry.released}."
        hint = f"Restore `released: {entry.released}`: `defectors-data release` sets this date."
        yield Finding(context.dataset.place("released"), "version-too-low", message, (hint,))


@rule(on="terms of records", codebook="K6")
def unknown_term(document: Document, path: Path, term: str) -> Iterator[Finding]:
    """Every theme, measure, role or other term must be defined in `annotations/vocabulary.yaml`.

    A unit may also be built in.
    """
    *_, key = (step for step in path if isinstance(step, str))
    known = document.context.terms[key]
    if term in known:
        return
    # The term may have been entered about a protected person, so the message does not repeat it.
    if path[:2] in document.hidden_paths:
        message, hint = "This is not a term of annotations/vocabulary.yaml.", (_USE,)
        yield Finding(
            document.place(*path), "unknown-term", message, hint, f"{key} {term if known else ''}"
        )
    else:
        units = ""
        if key == "measure":
            units = f", units: [{document.content.figures[int(path[1])].unit}]"
        yield _unknown_term(document.place(*path), key, term, known, units=units)


@rule(on="terms and shared speakers", scope="corpus", code="unknown-term")
def unknown_shared_term(corpus: CorpusView) -> Iterator[Finding]:
    """Report values of shared speakers and units of measures that are not in the vocabulary."""
    context, known = corpus.context, corpus.context.terms
    found = list[tuple[Place, str, str | None]]()
    for i, speaker in enumerate(context.shared.listed):
        for key in SPEAKER_TERMS:
            found.append((context.shared.listed.place(i, key), key, getattr(speaker, key)))
    for i, measure in enumerate(context.vocabulary.content.measures):
        for j, unit in enumerate(measure.units):
            found.append((context.vocabulary.place("measures", i, "units", j), "unit", unit))
    for place, key, term in found:
        if term is not None and term not in known[key]:
            yield _unknown_term(place, key, term, known[key])


_USE = "Use one of its terms, or define this one there."


def _unknown_term(
    place: Place, key: str, term: str, known: Collection[str], *, units: str = ""
) -> Finding:
    hint = did_you_mean(term, known) or (_USE,)
    listed = VOCABULARY_LISTS[key]
    hint += (f"To define it, paste below `{listed}:`: - {{term: {term}, definition: ...{units}}}",)
    # If no term at all is defined, this is reported as one error.
    message = f"`{term}` is not a term of annotations/vocabulary.yaml."
    return Finding(place, "unknown-term", message, hint, f"{key} {term if known else ''}")


@rule(on="lists of terms", codebook="K6")
def duplicate_term(document: Document, path: Path, terms: Sequence[str]) -> Iterator[Finding]:
    """No list may contain a term, keyword, outlet, unit, noun or tolerance twice."""
    yield from _repeated(document.place, path, terms)


@rule(on="terms", scope="corpus", code="duplicate-term")
def duplicate_definition(corpus: CorpusView) -> Iterator[Finding]:
    """Report terms, keywords, units, tolerances and nouns of units that are listed twice."""
    context = corpus.context
    vocabulary = context.vocabulary.content
    for name, listed in vocabulary.lists_of_terms():
        builtin = MEANINGS["Unit"] if name == "units" else ()
        yield from _repeated(
            context.vocabulary.place, (name,), [term.term for term in listed], builtin
        )
    for i, measure in enumerate(vocabulary.measures):
        yield from _repeated(context.vocabulary.place, ("measures", i, "units"), measure.units)
    yield from _repeated(
        context.vocabulary.place, ("tolerances",), [each.hedge for each in vocabulary.tolerances]
    )
    yield from _repeated(context.dataset.place, ("keywords",), context.dataset.content.keywords)
    yield from _ambiguous_nouns(context.vocabulary.place, vocabulary.units)


def _ambiguous_nouns(
    place: Callable[..., Place], units: Sequence[SubjectUnit]
) -> Iterator[Finding]:
    """Yield findings about nouns that are listed for a unit and name another one, too."""
    named = {
        noun: each.term for each in units if not each.nouns for noun in nouns_of(each.term, ())
    }
    listed = [(i, each) for i, each in enumerate(units) if each.nouns]
    for i, unit in listed:
        for j, noun in enumerate(nouns_of(unit.term, unit.nouns)):
            other = named.setdefault(noun, unit.term)
            if other != unit.term:
                message = f"`{unit.nouns[j]}` names the unit `{other}`, too."
                hint = "Remove it from one of the two."
                yield Finding(place("units", i, "nouns", j), "duplicate-term", message, (hint,))


def _repeated(
    place: Callable[..., Place], path: Path, terms: Sequence[str], builtin: Iterable[str] = ()
) -> Iterator[Finding]:
    seen = set(builtin)
    for i, term in enumerate(terms):
        if term in seen:
            message, hint = "This term is already in the list.", "Remove one of the two."
            yield Finding(place(*path, i), "duplicate-term", message, (hint,))
        seen.add(term)


@rule(on="parts with occurrence", codebook="E3")
def occurrence_may_move(
    document: Document, path: Path, numbered: tuple[Part, Span]
) -> Iterator[Finding]:
    """Evidence must be selected by its `prefix` or `suffix` alone, not by its `occurrence`.

    The number would select other words if a corrected article repeated them.
    """
    part, span = numbered
    message = "`occurrence` would select other words if a corrected article repeated these."
    chosen = chosen_in_yaml(span, document.text, unbalanced=part.unbalanced)
    yield Finding(
        document.place(*path), "occurrence-may-move", message, (f"Paste instead: {chosen}",)
    )


@rule(on="testimonies", unique_ids=True, codebook=("T9", "T13"))
def duplicate_evidence(document: Document, path: Path, testimony: Testimony) -> Iterator[Finding]:
    """Two testimonies must not share evidence, unless the `note` of one names the other.

    A number must be annotated as only one figure, and no mention or relation may be recorded twice.
    """
    if path not in _overlaps(document):
        return
    first, other = _overlaps(document)[path]
    notes = f"{other.note} {testimony.note}"
    short = [each.id.removeprefix(f"{document.source.id}-") for each in (other, testimony)]
    if not any(contains_words(notes, name) for name in short):
        line = document.place(*first, "evidence").line
        message = f"Words of this testimony are also evidence of `{other.id}`, on line {line}."
        hint = (
            f"Remove the words from one testimony, or add a `note` with the id `{other.id}` that "
            "says why these are two acts of speech."
        )
        yield Finding(document.place(*path, "evidence"), "duplicate-evidence", message, (hint,))


@per_document
def _overlaps(document: Document) -> dict[Path, tuple[Path, Testimony]]:
    """Return testimonies that overlap with an earlier one in the file, by path, with it."""
    records = dict(document.testimonies)
    parts = [(span, path) for path in records for span in document.evidence_of(path)]
    longest, found = Span(0, 0), dict[Path, tuple[Path, Testimony]]()
    owner: Path = ()
    # In the order of the text, a part overlaps an earlier one only if it overlaps the one that
    # extends furthest.
    for span, path in sorted(parts, key=lambda part: part[0]):
        if span.start < longest.end and path != owner:
            first, second = sorted((owner, path), key=lambda each: each[1])
            found.setdefault(second, (first, records[first]))
        if span.end > longest.end:
            longest, owner = span, path
    return found


@rule(on="figures", unique_ids=True, code="duplicate-evidence")
def duplicate_figure(document: Document, path: Path, figure: Figure) -> Iterator[Finding]:
    """Report figures whose numbers are all accounted for by other figures."""
    # The ledger assigns each number to only one figure, so a second figure with the same number
    # accounts for none.
    numbers = [
        entry
        for entry in ledger_of(document).within(document.evidence_of(path))
        if entry.detection.quantity
    ]
    figures = {entry.record_id for entry in numbers if entry.record_table == "figures"}
    if figures and figure.id not in figures and all(entry.status == "covered" for entry in numbers):
        message = "Other figures account for every number in these words."
        hint = (
            "Annotate each quantity once: remove this figure, or give it the words of another "
            "quantity as evidence."
        )
        yield Finding(document.place(*path), "duplicate-evidence", message, (hint,))


@rule(on="relations", unique_ids=True, code="duplicate-evidence")
@rule(on="mentions", unique_ids=True, code="duplicate-evidence")
def duplicate_record(
    document: Document, path: Path, _: Mention | ProtectedMention | Relation
) -> Iterator[Finding]:
    """Report repeated mentions of one speaker, and relations between the same figures."""
    if first := _firsts(document).get(path):
        message = f"This record repeats the one on line {document.place(*first).line}."
        yield Finding(
            document.place(*path), "duplicate-evidence", message, ("Remove one of the two.",)
        )


@per_document
def _firsts(document: Document) -> dict[Path, Path]:
    """Return mentions and relations that repeat an earlier one, by path, with its path."""
    contents: list[tuple[Path, Any]] = [
        (path, (r.kind, r.result, r.operands)) for path, r in document.relations
    ]
    for path, _ in document.mentions:
        if spans := document.evidence_of(path):
            contents.append((path, (document.entry_of(path).id, spans)))
    first: dict[Any, Path] = {}
    found = ((path, first.setdefault(content, path)) for path, content in contents)
    return {path: earlier for path, earlier in found if path != earlier}


LONG = 30
"""Minimum length, in code points, of a passage whose repeats are searched for."""


@rule(on="parts of titles, testimonies and figures", codebook="W3", complete=True)
def repeat_not_waived(document: Document, path: Path, span: Span) -> Iterator[Finding]:
    """The first occurrence of a passage of at least 30 characters must be annotated.

    Occurrences in boilerplate and pull quotes do not count, nor do those that are waived as a
    repeat or are evidence of another record of the same kind.
    """
    text = document.text
    words = text[slice(*span)]
    if len(words) < LONG:
        return
    is_repeated = text.find(words, span.start + 1) >= 0 or text.find(words, 0, span.end - 1) >= 0
    if not is_repeated:
        return
    starts = occurrences(words, text)
    annotated = SUBJECTS["parts of titles, testimonies and figures"](document)
    others = [
        *_skipped(document),
        *(each for other, each in annotated if other[0] == path[0] and each != span),
    ]
    found = (Span(start, start + len(words)) for start in starts)
    # Words that were taken down need no record and no waiver.
    free = (
        each for each in found if not is_inside(each, others) and not document.is_withdrawn(*each)
    )
    # If every occurrence is accounted for, there is nothing left to annotate.
    if (first := next(free, span)) != span:
        line, _ = line_and_column(document.text, first.start)
        message = (
            f"These words are also on line {line} of {document.seed}, where nothing accounts for "
            "them."
        )
        hint = "Annotate the first occurrence, and waive the others as `repeat`."
        yield Finding(document.place(*path), "repeat-not-waived", message, (hint,))


@per_document
def _skipped(document: Document) -> list[Span]:
    """Return the spans of boilerplate, pull quotes and waived repeats."""
    repeats = (
        document.evidence_of(path) for path, waiver in document.waivers if waiver.reason == "repeat"
    )
    listed = (document.at(("source", field)) for field in ("boilerplate", "pull_quotes"))
    return [span for spans in (*listed, *repeats) for span in spans]
