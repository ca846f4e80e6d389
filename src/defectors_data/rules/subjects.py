"""The subjects of rules: for each kind, a function that yields them with their paths.

A rule names the kind that it checks; the engine passes every subject of this kind to the rule, and
counts the subjects. The summary of a run shows the names of the kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import Any, NamedTuple, TypeAlias

from defectors_data.corpus.findings import Path
from defectors_data.evidence.anchors import contains_words
from defectors_data.evidence.annotated_document import REGIONS, Document, per_document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.free_text.persons import described
from defectors_data.evidence.free_text.unsourced_details import public_text, unprinted
from defectors_data.evidence.record_fingerprints import identities, released
from defectors_data.evidence.record_ids import BEFORE_NUMBERS, is_numbered
from defectors_data.models.annotation import Happened
from defectors_data.models.closed_vocabularies import SPEAKER_TERMS
from defectors_data.models.fields import Part, Record
from defectors_data.rules.engine import Subjects
from defectors_data.text.offsets import Span

Subject: TypeAlias = tuple[Path, Any]


class NumberedId(NamedTuple):
    """An id that must consist of a beginning and a number."""

    id: str
    beginning: str


@per_document
def numbered_ids(document: Document) -> list[tuple[Path, NumberedId]]:
    """Return the ids that must be numbered: all except those of named persons and institutions."""
    named = set()
    for path, speaker in document.speakers:
        if not speaker.protected and speaker.kind not in ("group", "writer"):
            named.add(path)
    found = []
    for path, table, name in document.records:
        if path not in named:
            beginning = f"{document.source.id}-{BEFORE_NUMBERS[table]}"
            found.append((path, NumberedId(name, beginning)))
    return found


@per_document
def misnamed(document: Document) -> list[Path]:
    """Return the paths of records whose ids are not numbered as required."""
    return [
        path
        for path, (name, beginning) in numbered_ids(document)
        if not is_numbered(name, (beginning,))
    ]


def all_misnamed(document: Document) -> bool:
    """Return whether a document has several numbered ids and all are wrong."""
    # A single wrong id is a typing error; if all are wrong, the likely cause is the source's id,
    # which they contain.
    return 1 < len(misnamed(document)) == len(numbered_ids(document))


@per_document
def _special_parts(document: Document) -> list[tuple[Path, tuple[Part, Span]]]:
    """Return the parts with `unbalanced` or `occurrence`, with their paths and spans."""
    found: list[tuple[Path, tuple[Part, Span]]] = []
    for cited in document.cited:
        for i, part in enumerate(cited.parts):
            # Evidence that was not found has no spans at all, and another rule reports it.
            if (part.unbalanced or part.occurrence) and (spans := document.at(cited.path)):
                found.append(((*cited.path, i), (part, spans[i])))
    return found


def _adjacent_parts(document: Document) -> Iterator[tuple[Path, tuple[Span, Span]]]:
    """Yield each part after the first with the part before it.

    Independent parts, direct speech and attributions are left out.
    """
    direct = {path[:-1] for path, _ in document.direct_parts}
    for cited in document.cited:
        is_one_passage = cited.table != "sources" and cited.field != "attribution"
        if is_one_passage and not cited.every and cited.path not in direct:
            for i, spans in enumerate(pairwise(document.at(cited.path)), start=1):
                yield (*cited.path, i), spans


def _parts_that_may_recur(document: Document) -> Iterator[Subject]:
    """Yield the spans of titles, testimonies and figures, with the path of the evidence."""
    paths: list[Path] = [("source", "title")]
    paths += [(*path, "evidence") for path, _ in (*document.testimonies, *document.figures)]
    yield from ((path, span) for path in paths for span in document.at(path))


def _attributes(document: Document, keys: Iterable[str]) -> Iterator[Subject]:
    """Yield the attributes of speakers with the given keys."""
    for path, entry in document.entries:
        speaker = document.speakers_by_id.get(entry.id)
        # A shared speaker may be missing from the shared file, which another rule reports.
        if speaker is not None:
            values = vars(speaker)  # faster than `getattr`, where models lack the key
            for key in keys:
                if value := values.get(key):
                    yield (*path, key), value


def _attesting_words(document: Document) -> Iterator[Subject]:
    """Yield the evidence of attributes; the last step of the path is the attribute."""
    for path, mention in document.mentions:
        yield from (
            ((*path, "attested_by", key), words)
            for key, words in mention.attested_by or ()
            if words
        )


def _inferred_attributes(document: Document) -> Iterator[Subject]:
    """Yield the reasons why attributes of speakers were inferred."""
    for path, inferred in _attributes(document, ["inferred"]):
        yield from (((*path, key), reason) for key, reason in inferred if reason)


def _values(records: Iterable[tuple[Path, Record]], *keys: str) -> Iterator[Subject]:
    """Yield the values of the given keys of records, and the items of lists one by one."""
    for path, record in records:
        for key in keys:
            # `vars` is faster than `getattr`, and some models lack the key.
            value = vars(record).get(key)
            if isinstance(value, tuple):
                yield from (((*path, key, i), item) for i, item in enumerate(value))
            elif value is not None:
                yield (*path, key), value


def _references(document: Document) -> Iterator[Subject]:
    yield from _values(document.uses, "use")
    yield from _values(document.groups, "part_of")
    yield from _values(document.testimonies, "speaker")
    yield from _values(document.figures, "attributed_to", "testimony")
    yield from _values(document.waivers, "repeats")
    for path, (_, attribution) in document.attributions:
        yield from _values([(path, attribution)], "antecedent", "continues")
        if isinstance(attribution.rival, str):
            yield (*path, "rival"), attribution.rival


def _attributions(document: Document) -> Iterator[Subject]:
    """Yield the attributions to known speakers, each with its record."""
    known = document.speakers_by_id
    for path, (record, attribution) in document.attributions:
        speaker = getattr(record, "speaker", None) or getattr(record, "attributed_to", None)
        if speaker in known:
            yield path, (record, attribution)


def _released_records(document: Document) -> Iterator[Subject]:
    """Yield the records whose ids were released, each with what was released."""
    if before := released(document.context):
        yield from (
            (each.path, (each, before[each.id]))
            for each in identities(document)
            if each.id in before
        )


def _corrections(document: Document) -> Iterator[Subject]:
    """Yield the records that state a correction, if anything has been released."""
    if released(document.context):
        yield from ((each.path, each) for each in identities(document) if each.corrected)


def _lists_of_terms(document: Document) -> Iterator[Subject]:
    yield ("source", "cited_outlets"), document.source.cited_outlets
    yield from (((*path, "themes"), testimony.themes) for path, testimony in document.testimonies)


def _doubtful_words(document: Document) -> Iterator[Subject]:
    """Yield what the article does not print, without texts that another rule reports."""
    reported = {path for path, _ in described(document)}
    for path, found in unprinted(document):
        if path not in reported:
            yield path, found


def _lists_of_codes(document: Document) -> Iterator[Subject]:
    for path, testimony in document.testimonies:
        yield (*path, "motives"), testimony.motives
        yield (*path, "acts"), testimony.acts


def _named_speakers(document: Document) -> Iterator[Subject]:
    for path, entry in document.entries:
        if name := getattr(document.speakers_by_id.get(entry.id), "name", None):
            yield path, name


def _printed(document: Document) -> Iterator[Subject]:
    """Yield words that the source must contain, each with the text to search, if any."""
    for i, outlet in enumerate(document.source.cited_outlets):
        yield ("source", "cited_outlets", i), (outlet, public_text(document))
    for name, fact in document.source.facts().items():
        if fact.basis == "stated":
            values = fact.value
            if isinstance(fact.value, str):
                values = (fact.value,)
            # A date may be printed in any form, so only its year is looked for.
            words = re.findall(r"[0-9]{4}(?![0-9])", values[0]) if name == "published" else values
            text = document.words(("source", name, "evidence"))
            yield from ((("source", name, "value"), (each, text)) for each in words)
    text = public_text(document)
    for path, place in _values(document.figures, "place"):
        spellings = document.context.spellings.get(place, ())
        if not any(contains_words(text, words) for words in spellings):
            yield from ((path, (words, text)) for words in spellings[:1])


def _detected(document: Document, *, quotations: bool) -> Iterator[Subject]:
    entries = ledger_of(document).entries
    return (((), entry) for entry in entries if (entry.detection.kind == "quotation") == quotations)


def _with(records: Iterable[tuple[Path, Record]], key: str) -> Iterator[Subject]:
    """Yield the records that have a value for a key."""
    return ((path, record) for path, record in records if getattr(record, key))


def _where(records: Iterable[tuple[Path, Record]], key: str, value: str) -> Iterator[Subject]:
    """Yield the records in which a key has the given value."""
    return ((path, record) for path, record in records if getattr(record, key) == value)


def _of_mode(document: Document, mode: str) -> Iterable[Subject]:
    """Yield the testimonies of a mode.

    There are none if the program does not read the verbs that show the mode.
    """
    if not document.claims_completeness:
        return ()
    return _where(document.testimonies, "mode", mode)


def _figures_with_units(document: Document) -> Iterator[Subject]:
    """Yield the figures of measures that name their units."""
    for path, figure in document.figures:
        if document.context.units_by_measure.get(figure.measure or ""):
            yield path, figure


def _inferred_values(document: Document) -> Iterator[Subject]:
    """Yield the facts about the source that an annotator inferred."""
    for name, fact in document.source.facts().items():
        if fact.basis == "inferred":
            yield ("source", name), fact


def _regions(document: Document) -> Iterator[Subject]:
    """Yield the spans of titles, captions, pull quotes and boilerplate."""
    for field in REGIONS:
        for i, span in enumerate(document.at(("source", field))):
            yield ("source", field, i), span


def _regions_of_the_article(document: Document) -> Iterator[Subject]:
    """Yield the spans of titles, captions and pull quotes."""
    return ((path, span) for path, span in _regions(document) if path[1] != "boilerplate")


def _unbalanced_parts(document: Document) -> Iterator[Subject]:
    """Yield the parts that leave out a quotation mark."""
    return ((path, found) for path, found in _special_parts(document) if found[0].unbalanced)


def _parts_with_occurrence(document: Document) -> Iterator[Subject]:
    """Yield the parts that give the number of an occurrence, with the path of their text."""
    for path, found in _special_parts(document):
        if found[0].occurrence:
            yield (*path, "text"), found


def _withdrawn_spans(document: Document) -> Iterator[Subject]:
    """Yield the spans that were withdrawn, each with its position."""
    for i, run in enumerate(document.content.withdrawn):
        yield ("withdrawn", i), run


SUBJECTS: dict[str, Subjects] = {
    "sources": lambda document: [(("source",), document.source)],
    "speakers of articles": lambda document: document.entries,
    "named speakers": _named_speakers,
    "mentions": lambda document: document.mentions,
    "attributes of mentions": lambda document: document.attributes_of_mentions,
    "ages and years of service": lambda document: _values(
        document.mentions, "age", "years_of_service"
    ),
    "genders and requests of speakers": lambda document: _attributes(
        document, ("gender", "request")
    ),
    "inferred attributes": _inferred_attributes,
    "groups": lambda document: document.groups,
    "evidence of attributes": _attesting_words,
    "testimonies": lambda document: document.testimonies,
    "codes of testimonies": lambda document: document.codes,
    "dates of testimonies": lambda document: (
        each for each in document.codes if isinstance(each[1], Happened)
    ),
    "lists of codes": _lists_of_codes,
    "attributions of known speakers": _attributions,
    "drafts": lambda document: _with(
        [
            (("source",), document.source),
            *document.entries,
            *document.testimonies,
            *document.figures,
            *document.waivers,
        ],
        "draft",
    ),
    "indirect testimonies": lambda document: _of_mode(document, "indirect"),
    "narrated testimonies": lambda document: _of_mode(document, "narrated"),
    "figures": lambda document: document.figures,
    "figures with override": lambda document: _with(document.figures, "override"),
    "figures with a date": lambda document: _with(document.figures, "as_of"),
    "figures of measures with units": _figures_with_units,
    "relations": lambda document: document.relations_to_evaluate,
    "waivers": lambda document: document.waivers,
    "repeats": lambda document: _with(document.waivers, "repeats"),
    "numbered ids": numbered_ids,
    "references": _references,
    "records of earlier releases": _released_records,
    "corrections of records": _corrections,
    "terms of records": lambda document: chain(
        _values(document.testimonies, "themes"),
        _values(document.codes, "factor", "act", "place"),
        _values(document.figures, "measure", "population", "unit", "place"),
        _values(document.speakers, *SPEAKER_TERMS),
    ),
    "persons of whom one name is printed": lambda document: _where(
        document.speakers, "anonymity", "partial"
    ),
    "lists of terms": _lists_of_terms,
    "records of protected persons": lambda document: document.records_of_protected,
    "protected attributes": lambda document: _where(
        document.waivers, "reason", "protected_attribute"
    ),
    "inferred values": _inferred_values,
    "doubtful words of free text": _doubtful_words,
    "personal details in free text": described,
    "stated values and places": _printed,
    "titles, captions and pull quotes": _regions_of_the_article,
    "regions of the page": _regions,
    "outlets of testimonies": lambda document: _values(document.testimonies, "outlet"),
    "parts of direct testimonies": lambda document: document.direct_parts,
    "unbalanced parts": _unbalanced_parts,
    "evidence of several parts": _adjacent_parts,
    "parts with occurrence": _parts_with_occurrence,
    "parts of titles, testimonies and figures": _parts_that_may_recur,
    "quotations": lambda document: _detected(document, quotations=True),
    "numbers": lambda document: _detected(document, quotations=False),
    "withdrawn spans": _withdrawn_spans,
}
"""The functions that yield subjects, by the name of their kind."""
