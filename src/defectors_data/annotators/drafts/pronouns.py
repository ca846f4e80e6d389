"""The speaker whom a pronoun means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.annotators.drafts.drafted_records import (
    DraftedRecords,
    DraftSpeaker,
    Person,
)
from defectors_data.annotators.drafts.persons import (
    POSSESSIVES,
    as_speaker,
    fits_pronoun,
    has_part,
    place_before,
)
from defectors_data.annotators.introductions import (
    names,
)
from defectors_data.evidence.completeness_ledger import quotations_of
from defectors_data.text.attributions import FoundAttribution
from defectors_data.text.english import means_person
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
        told = _addressed(draft, found)
        persons = [each for each in draft.persons() if fits_pronoun(draft, word, each)]
        if told:
            persons = [each for each in persons if not has_part(each.name, told)]
        named = _named_before(draft, persons, pronoun)
        last = named or _last_speaker(draft, persons, pronoun, found.sentence)
        return last or _only_one(draft, persons, pronoun, found.sentence)
    near = draft.near_speakers(pronoun)
    if not near:
        return None
    last = near[-1]
    if word == "they":
        between = draft.text[draft.statements[-1].spans[-1].end : pronoun.start]
        is_first = "\n" not in between or between.endswith("\n")
        is_near = is_first or _is_quoted(draft, found)
        return last if is_near and last.kind in ("group", "institution") else None
    if word != "it" or draft.text[slice(*found.cue)].casefold().startswith(_OF_NOBODY):
        return None
    spoke = [each for each in near if each.kind == "institution"]
    is_only = all(each is spoke[0] for each in spoke) and _is_quoted(draft, found)
    return spoke[-1] if spoke and (last is spoke[-1] or is_only) else None


def _addressed(draft: DraftedRecords, found: FoundAttribution) -> str:
    """Return the name directly after a verb, as in "he asked Orr", who is not "he"; else ""."""
    after = names(draft.text, Span(found.cue.end, found.sentence.end))[:1]
    is_next = bool(after) and draft.text[found.cue.end : after[0].start].isspace()
    return draft.text[slice(*after[0])] if is_next else ""


def _named_before(
    draft: DraftedRecords, persons: Sequence[Person], pronoun: Span
) -> DraftSpeaker | None:
    """Return the person who is named last before a pronoun in its paragraph."""
    places = [(place_before(draft, each, pronoun), each) for each in persons]
    found = []
    for i, (place, _) in enumerate(places):
        if place:
            is_subject = not draft.text.startswith(POSSESSIVES, place.end)
            found.append((is_subject, place.start, i))
    return as_speaker(draft, persons[max(found)[-1]]) if found else None


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
    """Return whether words outside quotation marks have a noun for a person."""
    found = [Span(*hit.span()) for hit in re.compile(r"\w+").finditer(draft.text, *words)]
    outside = [each for each in found if not is_inside(each, quotations_of(draft.document))]
    return any(means_person(draft.text[slice(*each)].casefold()) for each in outside)


def _is_quoted(draft: DraftedRecords, found: FoundAttribution) -> bool:
    return any(overlaps(each, found.content) for each in quotations_of(draft.document))
