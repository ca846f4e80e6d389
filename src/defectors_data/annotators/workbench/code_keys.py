"""Codes that one key sets: the speakers and cited outlets of the article, or the themes, roles and
measures of the corpus, by number.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from defectors_data.annotators.kinds_of_names import is_document
from defectors_data.annotators.proposals.named_speakers import named_places
from defectors_data.annotators.proposals.proposal import PLACEHOLDERS
from defectors_data.annotators.workbench import connections
from defectors_data.annotators.workbench.record_fields import current_values
from defectors_data.annotators.workbench.shown_records import (
    NEW_SPEAKER,
    SAME_AS,
    WRITER,
    WRITER_LABEL,
    lacking,
)
from defectors_data.corpus.findings import Path
from defectors_data.corpus.shared_context import VOCABULARY_LISTS
from defectors_data.documents.article import CodeKey
from defectors_data.evidence.anchors import contains_words
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.models.annotation import Figure, NamedPerson, SharedPerson, Testimony, Waiver
from defectors_data.models.closed_vocabularies import MEANINGS
from defectors_data.rules.completeness import KINDS_WAIVED
from defectors_data.rules.sources import outlets_around
from defectors_data.text.english.polarity import may_be_planned
from defectors_data.text.similar_words import may_be_misspelt, surname_of

_CODED = {"testimonies": "themes", "speakers": "role", "figures": "measure"}
"""The field that the keys set, by table."""
OTHER = "other"
_SPEAKER = "speaker"
MOST = 9
"""Number of keys: 1 to 9."""


UNNAMED = frozenset({"attribution-without-name", "undeclared-rival", "wrong-antecedent"})
"""The findings on a testimony whose attribution could be a mention of its speaker."""
_OF_ANOTHER = {"attribution-of-another", *UNNAMED}
"""The findings on a draft whose speaker may be another one."""


def code_keys(
    document: Document,
    path: Path,
    table: str,
    record: Any,
    names: Mapping[str, str],
    codes: Collection[str],
    doubted: Collection[str],
) -> tuple[CodeKey, ...]:
    """Return what the keys 1 to 9 set on a record: the speaker of a draft that lacks one, or seems
    to have the wrong one, the polarity that is in doubt, what a figure may count that leaves it
    open, and otherwise a term; next to these, the outlet of a testimony, another kind or entry of a
    speaker, the other units of a figure whose words state none, and that one which may be planned is
    supposed; and the reason for a waiver.

    `names` are those of the speakers, by id, `codes` those of the findings on the record, and
    `doubted` the fields that are open or a guess.
    """
    offered: Sequence[CodeKey] = _terms(document, table, record)
    others, stays = list[CodeKey](), lacks_term(document, table, record)
    if table == "figures" and record.draft:
        polarities = [*_polarities(record, is_open="polarity-unstated" in codes)]
        places = document.evidence_of(path)
        counted = [
            CodeKey("counted", each, "", is_set=False, value=each)
            for each in connections.possibly_counted(document, path, record)
        ]
        is_open = record.counted == PLACEHOLDERS["counted"]
        offered = counted or offered if is_open else [*offered, *counted]
        if "polarity" in doubted:
            offered = [*polarities, *counted] if is_open else polarities
        elif record.polarity == "affirmed" and any(
            may_be_planned(document.text, each) for each in places
        ):
            others = [each for each in polarities if each.value == "supposed"]
        if "unit" in doubted:
            others += _units(record)
    elif table == "waivers" and record.draft:
        offered = [*_reasons(document, record)]
    elif table == "speakers" and record.draft:
        others = [*_kinds(record, stays=stays)] if "kind" in doubted else []
        others += [*_same_speakers(document, path, names)][: _MOST_SAME - len(others)]
    elif table == "testimonies":
        # After the speaker was chosen, the next key chooses the theme.
        is_faulty = "speaker" in doubted or not _OF_ANOTHER.isdisjoint(codes)
        is_doubted = record.draft and not stays and is_faulty
        is_open = is_doubted or record.speaker == PLACEHOLDERS["speaker"]
        is_lacking = stays or bool(lacking(document, table, current_values(record, table)))
        remains = record.draft and (is_open or is_lacking)
        others = [*_outlets(document, path, record, stays=remains)]
        if is_open:
            most = MOST - len(others)
            offered = _speakers(document, path, record, names, most, stays=stays)
        elif record.draft and not stays:
            others += _other_speakers(document, path, record, names, stays=is_lacking)
    found = (*offered[: MOST - len(others)], *others)
    return tuple(_with_others_open(record, doubted, each) for each in found)


def _with_others_open(record: Any, doubted: Collection[str], key: CodeKey) -> CodeKey:
    """Return a key, which leaves a draft one if something else than what it sets is open or a guess."""
    others = {*doubted} - {key.field}
    if key.field != "counted" and getattr(record, "counted", "") == PLACEHOLDERS["counted"]:
        others.add("counted")
    is_left = getattr(record, "draft", False) and bool(others)
    return key._replace(stays=key.stays or is_left)


def _outlets(
    document: Document, path: Path, record: Testimony, *, stays: bool
) -> Iterator[CodeKey]:
    """Yield the keys of the outlets to which a testimony may have been said: those that its paragraph
    or the one before it names, except its speaker. The key of its outlet removes it.
    """
    spans = document.evidence_of(path)
    around = outlets_around(document, spans) if spans else {}
    said_by = getattr(document.speakers_by_id.get(record.speaker), "name", None) or ""
    for outlet, at in [*around.items()][:_MOST_OUTLETS]:
        is_set = outlet == record.outlet
        is_near = len(re.findall(r"\n+", document.text[at : spans[0].start])) <= 1
        if (is_near or is_set) and not contains_words(said_by, outlet):
            value = "" if is_set else outlet
            yield CodeKey("outlet", outlet, "the outlet to which it was said", is_set, value, stays)


_MOST_OUTLETS = 3
_MOST_SAME = 3


def _kinds(record: Any, *, stays: bool) -> Iterator[CodeKey]:
    """Yield the keys of the other kinds that a speaker with a name may have."""
    for kind, meaning in _KINDS.items():
        if kind != record.kind:
            yield CodeKey("kind", kind, meaning, is_set=False, value=kind, stays=stays)


_KINDS = {
    "person": "a person with this name",
    "institution": "a body or a document with this name",
    "group": "several persons without a name",
}


def _same_speakers(document: Document, path: Path, names: Mapping[str, str]) -> Iterator[CodeKey]:
    """Yield the keys of the speakers who may be the one at a path under another name."""
    for speaker in _possibly_same(document, path):
        yield CodeKey(SAME_AS, names[speaker], "the same speaker", is_set=False, value=speaker)


def _possibly_same(document: Document, path: Path) -> list[str]:
    """Return the speakers of an article who may be the one at a path, the likeliest first: for the
    description of a person, or of a group, the named persons or the groups who were mentioned last in
    its paragraph and in the one before it; for a name, those with a surname that differs by a letter.
    """
    entry, text = document.entry_of(path), document.text
    speaker = document.speakers_by_id.get(entry.id)
    places = document.evidence_of((*path, "mentions", 0))
    if not speaker or not places or getattr(speaker, "anonymity", "") == "withheld":
        return []
    words = text[slice(*places[0])]
    if surname := surname_of(getattr(speaker, "name", None) or ""):
        return [
            each.id
            for _, each in document.speakers
            if each.id != entry.id
            and may_be_misspelt(surname, surname_of(getattr(each, "name", None) or ""))
        ]
    are_named = speaker.kind == "group" and re.search(r" and [A-Z]", words)  # "Orr and Pelt"
    if getattr(speaker, "name", "") or not (are_named or _DEFINITE.match(words)):
        return []
    near = dict[str, int]()
    for place, each in named_places(document):
        one = document.speakers_by_id.get(each)
        is_kind = speaker.kind == "group" and one is not None and one.kind == "group"
        is_kind |= speaker.kind == "person" and isinstance(one, NamedPerson | SharedPerson)
        between = text[place.end : places[0].start]
        is_before = place.end <= places[0].start and len(re.findall(r"\n+", between)) <= 1
        if each != entry.id and is_kind and is_before:
            near[each] = max(place.end, near.get(each, 0))
    return sorted(near, key=lambda each: -near[each])


_DEFINITE = re.compile(r"(?:[Bb]oth|[Hh]er|[Hh]is|[Ii]ts|[Tt](?:hat|he|heir|hese|his|hose))\b")
"""Words for those who were mentioned before."""


def _polarities(figure: Figure, *, is_open: bool) -> Iterator[CodeKey]:
    for value, meaning in MEANINGS["Polarity"].items():
        is_set = value == figure.polarity and not is_open
        yield CodeKey("polarity", value, meaning, is_set, value)


def _reasons(document: Document, waiver: Waiver) -> Iterator[CodeKey]:
    """Yield the keys of the reasons that fit what a waiver covers, except that it is repeated."""
    kinds = {entry.detection.kind for entry in ledger_of(document).waivers.get(waiver.id, ())}
    for value, meaning in MEANINGS["WaiverReason"].items():
        if value != "repeat" and kinds <= KINDS_WAIVED.get(value, kinds):
            yield CodeKey("reason", value, meaning, value == waiver.reason, value=value)


def _units(figure: Figure) -> Iterator[CodeKey]:
    """Yield the keys of the other units that a figure may have whose words state none."""
    for value in ("item", "person", "other"):
        if value != figure.unit:
            yield CodeKey("unit", value, MEANINGS["Unit"][value], is_set=False, value=value)


def lacks_term(document: Document, table: str, record: Any) -> bool:
    """Return whether a record has none of the terms of the vocabulary, although it has others than
    `other`; a document, such as "a poll", represents nobody.
    """
    field = _CODED.get(table, "")
    is_institution = getattr(record, "kind", "") == "institution"
    if is_institution and is_document(record.name.rsplit(maxsplit=1)[-1]):
        return False
    chosen = getattr(record, field, None) if field else None
    if chosen is None:
        return False
    listed = chosen if isinstance(chosen, tuple) else (chosen,)
    return bool(document.context.terms[field] - {OTHER}) and {OTHER}.issuperset(listed)


def _speakers(
    document: Document,
    path: Path,
    record: Testimony,
    names: Mapping[str, str],
    most: int,
    *,
    stays: bool,
) -> list[CodeKey]:
    """Return at most some keys: of the likeliest speakers of a testimony, each with the role, of a
    new one whom the words of its attribution introduce, and of the writer if it has no speaker.
    """
    found, introduced = [], connections.unmentioned_words(document, path)
    is_writers = record.speaker == PLACEHOLDERS["speaker"] and record.mode != "direct"
    known = most - bool(introduced) - is_writers
    for speaker in connections.likeliest_speakers(document, path)[:known]:
        role = getattr(document.speakers_by_id.get(speaker), "role", "").replace("_", " ")
        is_set = speaker == record.speaker
        key = CodeKey(_SPEAKER, names[speaker], role, is_set, value=speaker, stays=stays)
        found.append(key)
    if introduced:
        new = CodeKey(
            _SPEAKER, introduced, "a new speaker", is_set=False, value=NEW_SPEAKER, stays=stays
        )
        found.append(new)
    if is_writers:
        known_writers = [each.id for _, each in document.speakers if each.kind == WRITER]
        value = next(iter(known_writers), WRITER)
        found.append(CodeKey(_SPEAKER, WRITER_LABEL, "", is_set=False, value=value, stays=stays))
    return found


def _other_speakers(
    document: Document, path: Path, record: Testimony, names: Mapping[str, str], *, stays: bool
) -> Iterator[CodeKey]:
    """Yield the keys of the likeliest speakers of a testimony instead of the one that it has."""
    likeliest = connections.likeliest_speakers(document, path)
    for speaker in [each for each in likeliest if each != record.speaker][:_MOST_OTHERS]:
        role = getattr(document.speakers_by_id.get(speaker), "role", "").replace("_", " ")
        yield CodeKey(_SPEAKER, names[speaker], role, is_set=False, value=speaker, stays=stays)


_MOST_OTHERS = 3


def _terms(document: Document, table: str, record: Any) -> tuple[CodeKey, ...]:
    """Return the terms that keys set on a record, in the order of the vocabulary; `other` is the
    last, and alone needs no key: it is what a record has without any of the terms.
    """
    field = _CODED.get(table, "")
    current = getattr(record, field, None) if field else None
    if not field or (table == "speakers" and current is None):
        return ()
    vocabulary = document.context.vocabulary.content
    terms = sorted(
        getattr(vocabulary, VOCABULARY_LISTS[field]), key=lambda each: each.term == OTHER
    )
    if {each.term for each in terms} == {OTHER}:
        return ()
    if table == "figures":
        terms = [each for each in terms if not each.units or record.unit in each.units]
    before = list(current) if isinstance(current, tuple) else [current or ""]
    last = OTHER if OTHER in document.context.terms[field] else ""
    found = []
    for each in terms[:MOST]:
        value = each.term
        if not record.draft:
            value = _switched(field, before, each.term, last)
        is_set = each.term in before
        found.append(CodeKey(field, each.term, each.definition, is_set, value))
    return tuple(found)


def _switched(field: str, before: list[str], term: str, last: str) -> str:
    """Return the value of an accepted record with a term set, or removed if it is set.

    A role is never removed, and the last theme only if the vocabulary has `other`, which excludes
    the others.
    """
    is_set = term in before
    if field == "role" or term == OTHER:
        return term
    if field == "measure":
        return "" if is_set else term
    kept = [each for each in before if each not in (term, OTHER)]
    if not is_set:
        kept.append(term)
    return ", ".join(kept) or last or term
