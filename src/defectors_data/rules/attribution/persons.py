"""The places where a text names or mentions its speakers, and its attributions.

A mention counts at its place, as others can be described in the same words. A name counts wherever
it is printed. A surname of several speakers names none of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.evidence.anchors import contains_words, whole_occurrences
from defectors_data.evidence.annotated_document import Document, per_document
from defectors_data.evidence.completeness_ledger import ledger_of, outermost_quotations_of
from defectors_data.models.annotation import Figure, Speaker, Testimony
from defectors_data.rules.attribution.fit import PRONOUNS
from defectors_data.text.attributions import AttributedWords, attributions
from defectors_data.text.english.sentences import tokens
from defectors_data.text.english.sources import descriptive_words
from defectors_data.text.offsets import Span, are_inside, is_inside, overlaps
from defectors_data.text.similar_words import may_be_one_person, surname_of

Form: TypeAlias = Literal["name", "surname", "mention"]


class Naming(NamedTuple):
    """A place where a text names or mentions a speaker."""

    start: int
    end: int
    speaker: str
    form: Form
    mention: str | None = None
    """The id of the mention."""
    is_possessive: bool = False
    """Whether the name only says whose: `Reed’s wife`."""


def speaker_of(record: Testimony | Figure) -> str | None:
    """Return the id of the speaker to whom a testimony or figure is attributed."""
    if isinstance(record, Testimony):
        return record.speaker
    return record.attributed_to


def called(document: Document, speaker_id: str) -> str | None:
    """Return how a message may call a speaker: by a name that no other one has, or by the id; None
    for a protected or an unknown person.
    """
    if speaker_id in document.protected or speaker_id not in document.speakers_by_id:
        return None
    names = [getattr(each, "name", None) for each in document.speakers_by_id.values()]
    name = getattr(document.speakers_by_id[speaker_id], "name", None)
    return name if name and names.count(name) == 1 else f"`{speaker_id}`"


def lacks_attribution(document: Document, testimony: Testimony) -> bool:
    """Return whether a testimony has no attribution, although it must have one."""
    return document.is_searched_whole and not testimony.attribution


@per_document
def attributed_words(document: Document) -> AttributedWords:
    """Return the attributions in the text of a document, by what is attributed."""
    return _attributed(document.text, tuple(outermost_quotations_of(document)))


@lru_cache(maxsize=4)  # the cache keeps whole texts in memory
def _attributed(text: str, quoted: tuple[Span, ...]) -> AttributedWords:
    return AttributedWords(text, attributions(text, quoted))


@per_document
def namings(document: Document) -> list[Naming]:
    """Return the places outside quotations where speakers are named or mentioned, in order."""
    found = [*_mentions(document), *_names(document)]
    quoted = ledger_of(document).quoted
    return sorted(each for each in found if not quoted.contains(each.start, each.end))


def _mentions(document: Document) -> Iterator[Naming]:
    for path, mention in document.mentions:
        speaker = document.entry_of(path).id
        if speaker not in document.speakers_by_id:
            continue  # reported by `unresolved_reference`
        for start, end in document.evidence_of(path):
            owns = _owns(document.text, end)
            yield Naming(start, end, speaker, "mention", mention.id, is_possessive=owns)


def _names(document: Document) -> Iterator[Naming]:
    names = dict[str, str]()
    for name, speaker in document.speakers_by_id.items():
        printed = getattr(speaker, "name", None)
        if printed:
            names[name] = printed.removeprefix("The ")  # "the" may be printed in small letters
    surnames = {name: surname(document.speakers_by_id[name]) for name in names}
    shared = Counter([*surnames.values(), *names.values()])
    for name, printed in names.items():
        for form in _forms(printed):
            yield from _printed(document.text, form, name, "name")
        for short in _acronyms(document.text, printed):
            yield from _printed(document.text, short, name, "name")
        last = surnames[name]
        if last and shared[last] == 1:
            for form in _forms(last):
                yield from _printed(document.text, form, name, "surname")


def _forms(name: str) -> set[str]:
    """Return a name as it is, and at the start of a sentence: "Police said", "Al-Orr said"."""
    return {name, name[0].upper() + name[1:]}


def _acronyms(text: str, printed: str) -> set[str]:
    """Return the acronyms that a text defines for a name: `HRW` in "Human Rights Watch (HRW)"."""
    return set(re.findall(rf"{re.escape(printed)} \(([A-Z]\w*[A-Z])\)", text))


def surname(speaker: Speaker) -> str:
    """Return the surname in a person's name that has several words; "" for other speakers."""
    is_person = speaker.kind in ("person", "writer")
    if not is_person:
        return ""
    return surname_of(getattr(speaker, "name", None) or "")


def with_surname_in(document: Document, spans: Sequence[Span]) -> frozenset[str]:
    """Return the ids of the speakers whose surname is in words."""
    found = set()
    for name, speaker in document.speakers_by_id.items():
        last = surname(speaker)
        forms = _forms(last) if last else ()
        for form in forms:
            if any(contains_words(document.text[slice(*span)], form) for span in spans):
                found.add(name)
    return frozenset(found)


def describes_only(document: Document, words: Span, speaker: str, other: str) -> bool:
    """Return whether a noun in words, such as "the senator", is in a mention of a speaker before
    them, and in none of another speaker.
    """
    nouns = {token.word for token in tokens(document.text, *words) if token.means_person}
    theirs, others = set[str](), set[str]()
    for path, _ in document.mentions:
        for span in document.evidence_of(path):
            described = descriptive_words(document.text, span) & nouns
            if document.entry_of(path).id == other:
                others |= described
            elif document.entry_of(path).id == speaker and span.end <= words.start:
                theirs |= described
    return bool(theirs - others)


def other_form(document: Document, speaker: str, namesakes: Iterable[str]) -> str:
    """Return the name of another speaker that can be a form of a speaker's own name: "Ada J. Orr"
    for "Ada Orr"; "" if there is none, or if a person is protected.
    """
    name = called(document, speaker)
    for other in sorted(set(namesakes) - {speaker}):
        known = called(document, other)
        if name and known and may_be_one_person(name, known):
            return known
    return ""


def _printed(text: str, words: str, speaker: str, form: Form) -> Iterator[Naming]:
    for start, end in whole_occurrences(words, text):
        yield Naming(start, end, speaker, form, is_possessive=_owns(text, end))


def _owns(text: str, end: int) -> bool:
    """Return whether words that end at an offset are a possessive."""
    return text[end : end + 2] in ("’s", "'s")


def own(document: Document, spans: Sequence[Span], speaker: str) -> list[Naming]:
    """Return the places in words where they name or mention their speaker."""
    found = []
    for each in namings(document):
        if each.speaker != speaker:
            continue
        if is_inside(each, spans) or (each.form == "mention" and overlaps(each, spans)):
            found.append(each)
    return found


def others(document: Document, spans: Sequence[Span], speaker: str) -> list[Naming]:
    """Return the places in words where they name or mention other speakers.

    A name inside the speaker's own mention names no other, nor does a mention around the speaker's
    own name. A speaker who is only a draft does not count, as it is not known who that is.
    """
    not_others = {speaker, *(entry.id for _, entry in document.entries if entry.draft)}
    theirs, found = own(document, spans, speaker), []
    mentions = [each for each in theirs if each.form == "mention"]
    for each in namings(document):
        if each.is_possessive or each.speaker in not_others or not overlaps(each, spans):
            continue
        if each.form != "mention" and not is_inside(each, spans):
            continue
        parts = [_common(each, span) for span in spans if overlaps(each, [span])]
        is_own = are_inside(parts, mentions)
        if not is_own and not any(is_inside(mine, [each]) for mine in theirs):
            found.append(each)
    return found


def repeats_mention(document: Document, spans: Sequence[Span], speaker: str) -> bool:
    """Return whether words contain those of a mention, which no mention of another contains."""
    own_words, other_words = list[str](), list[str]()
    for path, _ in document.mentions:
        words = document.words((*path, "evidence"))
        if words:
            is_own = document.entry_of(path).id == speaker
            listed = own_words if is_own else other_words
            listed.append(words.lower().removeprefix("the "))
    for start, end in spans:
        said = document.text[start:end].lower()
        for words in own_words:
            is_shared = any(contains_words(other, words) for other in other_words)
            if contains_words(said, words) and words not in PRONOUNS and not is_shared:
                return True
    return False


def has_short_name(document: Document, spans: Sequence[Span], speaker: str) -> bool:
    """Return whether words have the last word of an institution's name, such as "the Times", which
    the text prints in no other name.
    """
    described = document.speakers_by_id[speaker]
    *before, last = (getattr(described, "name", None) or speaker).split()
    if described.kind != "institution" or not before or last.islower():
        return False
    printed = set(re.findall(rf"\b([A-Z]\S+) {re.escape(last)}\b", document.text))
    is_theirs = printed <= {"The", before[-1]}
    return is_theirs and any(contains_words(document.text[slice(*each)], last) for each in spans)


def _common(one: Naming, other: Span) -> Span:
    return Span(max(one.start, other.start), min(one.end, other.end))
