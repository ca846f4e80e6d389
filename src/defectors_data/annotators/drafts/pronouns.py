"""The speaker whom a pronoun means."""

from __future__ import annotations

from collections.abc import Sequence

from defectors_data.annotators.drafts.drafted_records import DraftedRecords, DraftSpeaker, Person
from defectors_data.annotators.drafts.persons import (
    POSSESSIVES,
    as_speaker,
    fits_pronoun,
    persons_called,
    place_before,
    places_before,
)
from defectors_data.annotators.introductions import APPOSITION
from defectors_data.annotators.kinds_of_names import (
    is_document,
    is_full_name_of_institution,
    is_given,
)
from defectors_data.annotators.proposals.attributions import attributed_words
from defectors_data.evidence.completeness_ledger import outermost_quotations_of, quotations_of
from defectors_data.evidence.free_text.known_words import english
from defectors_data.text.attributions import FoundAttribution
from defectors_data.text.english import is_plural, means_person
from defectors_data.text.english.sentences import Token, sentences, tokens
from defectors_data.text.english.sources import SourceWords, main_subject
from defectors_data.text.offsets import Span, is_inside, overlaps

_SUBJECT_FORMS = {
    "his": "he",
    "him": "he",
    "her": "she",
    "its": "it",
    "their": "they",
    "them": "they",
}
_OF_NOBODY = ("appear", "seem", "turn", "happen", "is ", "was ", "has been ", "had been ")


def speaker_of_pronoun(
    draft: DraftedRecords, word: str, pronoun: Span, found: FoundAttribution
) -> DraftSpeaker | None:
    """Return the speaker whom a pronoun means; None if it is open."""
    word = _SUBJECT_FORMS.get(word, word)
    if word in ("he", "she"):
        persons = [each for each in draft.persons() if fits_pronoun(draft, word, each)]
        said = [each for each in found.content if each.end <= pronoun.start]
        named = _subjects_before(draft, persons, word, pronoun, said)
        if named:
            return as_speaker(draft, named[0]) if len(named) == 1 else None
        topic = _topic_before(draft, persons, word, pronoun)
        if topic and not _has_person(draft, Span(found.sentence.start, pronoun.start)):
            return as_speaker(draft, topic)
        last = _last_speaker(draft, persons, pronoun, found.sentence)
        return last or _only_one(draft, persons, pronoun, found.sentence)
    near = draft.near_speakers(pronoun)
    if not near:
        return None
    last = near[-1]
    if word == "they":
        between = draft.text[draft.statements[-1].spans[-1].end : pronoun.start]
        is_near = "\n" not in between or between.endswith("\n")
        return last if is_near and last.kind in ("group", "institution") else None
    if word != "it" or draft.words(found.cue).casefold().startswith(_OF_NOBODY):
        return None
    return near[-1] if near[-1].kind == "institution" else None


def subject_meant(
    draft: DraftedRecords, word: str, pronoun: Span, found: FoundAttribution
) -> SourceWords | None:
    """Return the subject that "it" or "they" probably means: that of its sentence, or else of the one
    before it in its paragraph; None if that is no body, document or group.
    """
    if draft.words(found.cue).casefold().startswith(_OF_NOBODY):
        return None
    if draft.text.startswith(POSSESSIVES, pronoun.end):
        return None  # "It's expected"
    said = [each for each in found.content if each.end <= pronoun.start]
    for line in _lines_before(draft, pronoun)[:2]:
        subject = _subject_of(draft, line, pronoun, said)
        if subject and subject.head.start < pronoun.start:
            noun = draft.words(subject.head).rsplit(maxsplit=1)[-1]
            if word == "they":
                is_possible = subject.kind == "group" and (means_person(noun) or noun.istitle())
            else:
                is_possible = subject.kind in ("institution", "name") or is_document(noun)
            return subject if is_possible else None
    return None


def _subjects_before(
    draft: DraftedRecords,
    persons: Sequence[Person],
    word: str,
    pronoun: Span,
    said: Sequence[Span] = (),
) -> list[Person]:
    """Return whom a pronoun can mean of the persons who are named before it in its paragraph: the
    subject of its sentence, or else of the sentence before it; empty if nobody is named.

    `said` is what the pronoun is the source of: "It helps Orr, he said."
    """
    places = [(each, places_before(draft, each, pronoun)) for each in persons]
    for line in _lines_before(draft, pronoun):
        sentence = Span(line[0].start, min(line[-1].end, pronoun.start))
        subject = _subject_of(draft, line, pronoun, said)
        if subject and _is_pronoun(draft, subject, word):
            return _subjects_before(draft, persons, word, subject.head)
        named, owners, subjects = list[Person](), list[Person](), list[Person]()
        for person, spans in places:
            inside = [each for each in spans if is_inside(each, [sentence])]
            inside = [each for each in inside if not overlaps(each, [*said, *_topic(line)])]
            if subject and _is_subject(draft, subject, inside):
                subjects.append(person)
            direct = [each for each in inside if not _is_possessive(draft, each)]
            named += [person] if direct else []
            owners += [person] if inside else []
        if subjects:
            return subjects  # several of "Orr and Pelt left"
        if subject and (new := _new_person(draft, subject, word)):
            return [new]
        if subject and subject.kind == "description" and _is_other(draft, subject, word):
            meant = persons_called(draft, subject.head, subject.head, is_group=False)
            return [each for each in meant if each in persons] or [*persons]
        if named or owners:
            return named or owners
    return []


def _topic_before(
    draft: DraftedRecords, persons: Sequence[Person], word: str, pronoun: Span
) -> Person | None:
    """Return the only person whom a pronoun can mean at the end of the narration before its paragraph;
    None if that is open.
    """
    for end in draft.ends_of_narration(pronoun):
        if meant := _subjects_before(draft, persons, word, end):
            return meant[0] if len(meant) == 1 else None
    return None


def _topic(line: Sequence[Token]) -> list[Span]:
    """Return the words at the start of a sentence for those of whom it speaks: "[Of Orr], she said",
    "[Commenting on Orr's case], she said".
    """
    comma = next((token for token in line if token.word == ","), None)
    is_topic = comma is not None and line[0].word in _ON_TOPICS
    return [Span(line[0].start, comma.start)] if comma and is_topic else []


_ON_TOPICS = frozenset(
    "about asked asking commenting of questioned referring replying responding speaking".split()
)


def _new_person(draft: DraftedRecords, subject: SourceWords, word: str) -> Person | None:
    """Return the person with a full name that is a subject, if a pronoun can mean them; None for other
    subjects.
    """
    inside = [each for each in draft.names.places if is_inside(each, [subject.head])]
    if subject.kind != "name" or len(inside) != 1:
        return None
    [name] = inside
    found = Person(draft.words(name), name, None)
    first, *others = found.name.split()
    is_full = len(others) == 1 and (is_given(first) or first.casefold() not in english())
    is_body = draft.names.is_of_organisation(name) or is_full_name_of_institution(draft.text, name)
    is_other = is_body or _is_possessive(draft, name) or not fits_pronoun(draft, word, found)
    return found if is_full and not is_other else None


def _lines_before(draft: DraftedRecords, pronoun: Span) -> list[list[Token]]:
    """Return the sentences of a paragraph before a pronoun and with it, the last one first."""
    around = Span(pronoun.start, pronoun.start)
    lines = sentences(draft.text, outermost_quotations_of(draft.document), within=around)
    return [line for line in lines if line[0].start < pronoun.start][::-1]


def _subject_of(
    draft: DraftedRecords, line: Sequence[Token], pronoun: Span, said: Sequence[Span]
) -> SourceWords | None:
    """Return the subject of a sentence before a pronoun: who says it, or its first noun phrase."""
    end = sum(token.start < pronoun.start for token in line)
    first = main_subject(draft.text, line, end, is_any=True)
    if first and is_inside(first.head, said):
        first = None
    is_own = line[-1].end > pronoun.start
    for found in reversed(attributed_words(draft.document).found):
        source = found.source
        is_in_line = found.sentence.start == line[0].start
        if source is None or not is_in_line or source.head.end > pronoun.start:
            continue
        before = draft.text[line[0].start : source.head.start]
        is_after = source.head.start > found.content[0].start  # "It burned, said Orr."
        is_after |= is_own and found.cue.end <= pronoun.start
        # "While it burned in Rome, Orr said"
        is_opened = any("subordinator" in token.classes for token in line[:2])
        is_after |= is_opened and draft.text.endswith(", ", 0, source.span.start)
        if is_after and before.count("(") == before.count(")"):
            return source
        if first and is_inside(first.head, [source.span]):
            first = source  # "The Orr Fund's chair Ada Pelt"
    return first


def _is_pronoun(draft: DraftedRecords, subject: SourceWords, word: str) -> bool:
    printed = draft.words(subject.head).casefold()
    return subject.kind == "pronoun" and _SUBJECT_FORMS.get(printed, printed) == word


def _is_subject(draft: DraftedRecords, subject: SourceWords, names: Sequence[Span]) -> bool:
    """Return whether one of the places of a person is a subject, or follows it: "A miller from
    Rome, Orr, left".
    """
    if _is_possessive(draft, subject.head):
        return False
    between = [draft.text[subject.head.end : each.start] for each in names]
    is_next = any(APPOSITION.fullmatch(each) for each in between)
    printed = draft.words(subject.head).casefold()
    if subject.kind != "name" and _is_person(printed):
        # Orr's lawyer is not Orr, but the subject of "Orr's letter fell" may be.
        names = [each for each in names if not _is_possessive(draft, each)]
    return overlaps(subject.head, names) or (subject.kind != "name" and is_next)


def _is_other(draft: DraftedRecords, subject: SourceWords, word: str) -> bool:
    """Return whether a description is of one person whom a pronoun can mean: not "his wife", he."""
    printed = draft.words(subject.head).casefold()
    return _is_person(printed) and fits_pronoun(draft, word, Person(printed, subject.head, None))


def _is_possessive(draft: DraftedRecords, name: Span) -> bool:
    return draft.text.startswith(POSSESSIVES, name.end) or draft.words(name).endswith(POSSESSIVES)


def _is_person(words: str) -> bool:
    """Return whether the last one of some words is a noun for one person."""
    noun = words.rsplit(maxsplit=1)[-1]
    return means_person(noun) and not is_plural(noun)


def _last_speaker(
    draft: DraftedRecords, persons: Sequence[Person], pronoun: Span, sentence: Span
) -> DraftSpeaker | None:
    """Return the last speaker, unless another person is mentioned before the pronoun."""
    if not draft.statements:
        return None
    last = draft.statements[-1]
    since = Span(last.spans[-1].end, pronoun.start)
    named = [each.name for each in persons if each.speaker is not last.speaker]
    places = [draft.names.introduced[name].name for name in named if name in draft.names.introduced]
    is_open = any(is_inside(place, [since]) for place in places)
    is_open |= _has_person(draft, Span(sentence.start, pronoun.start))
    is_possible = any(each.speaker is last.speaker for each in persons)
    return last.speaker if is_possible and not is_open else None


def _only_one(
    draft: DraftedRecords, persons: Sequence[Person], pronoun: Span, sentence: Span
) -> DraftSpeaker | None:
    """Return the person who alone is named in the paragraph before that of a pronoun."""
    start = draft.text.rfind("\n", 0, pronoun.start)
    end = len(draft.text[: max(start, 0)].rstrip())
    near = [each for each in persons if place_before(draft, each, Span(end, end))]
    spoke = [each for each in draft.near_speakers(pronoun) if each.kind != "group"]
    fitting = [each.speaker for each in persons]
    said = [each for each in spoke if each in fitting or each.kind != "person"]
    [only] = near if len(near) == 1 else [None]
    is_open = _has_person(draft, Span(sentence.start, pronoun.start))
    if only is None or is_open or any(each is not only.speaker for each in said):
        return None
    return as_speaker(draft, only)


def _has_person(draft: DraftedRecords, words: Span) -> bool:
    """Return whether words outside quotation marks have a noun for one person."""
    outside = [
        each
        for each in tokens(draft.text, *words)
        if not is_inside(each, quotations_of(draft.document))
    ]
    return any(each.is_noun and _is_person(each.word) for each in outside)
