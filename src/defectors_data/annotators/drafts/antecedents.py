"""The mention or testimony that shows who speaks where the words name nobody."""

from __future__ import annotations

from defectors_data.annotators.drafts.drafted_records import DraftedRecords, DraftSpeaker
from defectors_data.annotators.drafts.persons import place_before
from defectors_data.annotators.kinds_of_names import without_article
from defectors_data.evidence.anchors import contains_words
from defectors_data.text.english import PARTIES
from defectors_data.text.english.sources import SourceWords
from defectors_data.text.offsets import Span, is_inside, overlaps
from defectors_data.text.similar_words import surname_of


def antecedent_of(
    draft: DraftedRecords, source: SourceWords, speaker: DraftSpeaker
) -> dict[str, str]:
    """Return the mention or the testimony that shows the speaker of words without a name."""
    words = draft.words(source.head)
    if speaker.name and contains_words(words, speaker.name):
        return {}
    is_near = words.casefold() in ("he", "she", "his", "her")
    if is_near or (speaker.name and words.startswith(("the ", "The "))):
        person = draft.as_person(speaker)
        named = place_before(draft, person, source.head)
        if named is None and is_near:
            above = (
                place_before(draft, person, end) for end in draft.ends_of_narration(source.head)
            )
            named = next(filter(None, above), None)
        for other, place in speaker.others:
            if place == named:
                return {"antecedent": other}
        if named and not _is_in_records(draft, named, speaker):
            mention = draft.next("m")
            speaker.others.append((mention, named))
            return {"antecedent": mention}
    if without_article(draft.text, source.head) in PARTIES:  # "Tories" of "Conservatives"
        mention = draft.next("m")
        speaker.others.append((mention, source.head))
        return {"antecedent": mention}
    if source.kind != "pronoun" and not words.startswith(("the ", "The ")):
        return {}
    for statement in reversed(draft.statements):
        if statement.speaker is speaker and statement.spans[-1].end <= source.head.start:
            return {"antecedent": statement.id}
    if speaker.mention.end <= source.head.start:
        return {"antecedent": speaker.mention_id}
    return {}


def antecedent_of_surname(draft: DraftedRecords, name: str) -> str:
    """Return the last mention or testimony before the words of a testimony in which only the
    surname of two speakers is written; "" for other testimonies.
    """
    found = [each for each in draft.statements if each.id == name]
    if not found or not found[0].source:
        return ""
    head, speaker = found[0].source.head, found[0].speaker
    words = draft.words(head)
    surname = surname_of(speaker.name)
    namesakes = [each for each in draft.speakers if surname and surname_of(each.name) == surname]
    is_named = contains_words(words, speaker.name) or is_inside(head, [speaker.mention])
    is_shared = namesakes not in ([], [speaker])
    if not is_shared or is_named or not contains_words(words, surname):
        return ""
    places = [(speaker.mention.end, speaker.mention_id)]
    places += [(place.end, mention) for mention, place in speaker.others]
    for each in draft.statements:
        if each.speaker is speaker and each.source and each.source.head != head:
            places.append((each.source.head.end, each.id))
    return max([(end, each) for end, each in places if end <= head.start], default=(0, ""))[1]


def _is_in_records(draft: DraftedRecords, span: Span, speaker: DraftSpeaker) -> bool:
    """Return whether words are in the mention, a testimony or an attribution of a speaker."""
    places = [speaker.mention]
    for statement in draft.statements:
        if statement.speaker is speaker:
            places += statement.spans
            if statement.source:
                places.append(statement.source.span)
    return overlaps(span, places)
