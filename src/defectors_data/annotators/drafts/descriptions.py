"""The speaker whom a description such as "the senator" or "miners" means."""

from __future__ import annotations

import re

from defectors_data.annotators.drafts.drafted_records import (
    DraftedRecords,
    DraftSpeaker,
)
from defectors_data.annotators.drafts.organisations import publication_of_authority
from defectors_data.annotators.drafts.persons import (
    as_speaker,
    person_named,
    persons_called,
)
from defectors_data.annotators.introductions import Introduction
from defectors_data.annotators.kinds_of_names import (
    DOCUMENTS,
    is_described_organisation,
    is_plural_noun,
)
from defectors_data.text.english import means_person
from defectors_data.text.english.sentences import tokens
from defectors_data.text.english.sources import SourceWords
from defectors_data.text.offsets import Span, is_inside
from defectors_data.text.similar_words import has_surname, surname_of

COLLECTIVES = frozenset(("audience", "crowd", "jury"))
_BODIES = COLLECTIVES | frozenset(
    "agencies authorities companies groups organisations organizations".split()
)
_STARTS = re.compile(r"(?:^|\n|[.!?…][”\"’)]?)\s*$")
_ABBREVIATED = re.compile(
    r"[DIR]-[A-Z]|(?:[A-Z][a-z]{0,2}|Ariz|Calif|Colo|Conn|Mass|Mich|Minn|Miss|Okla|Penn|Tenn|Wash)"
    r"\.(?:\W|$)|[A-Z]\b(?![.'’])"
)
"""A party with a state, a state, or a letter: "R-Ohio", "Del."."""
_NOT_NAMES = frozenset(
    "date determiner pronoun preposition conjunction subordinator adverb".split()
)
_NOBODY = frozenset("no each every any neither".split())
_COMPLEMENT = re.compile(r" (?:of|for) ")


def speaker_described(
    draft: DraftedRecords, source: SourceWords, noun: str, *, is_group: bool
) -> DraftSpeaker | None:
    """Return the person or group of a description such as "one keeper"; None if it is open."""
    head = source.head
    words = draft.text[slice(*head)]
    # "members of the crew"
    whole = source.span if _COMPLEMENT.match(draft.text, head.end) else head
    line = [*tokens(draft.text, *head)]
    first, last = line[0], line[-1]
    if last.classes & _NOT_NAMES or first.word in _NOBODY:
        return None  # "What’s more", "no leader"
    if noun in DOCUMENTS:
        return publication_of_authority(draft, head, line)
    for found in draft.names.introduced.values():
        if found.span.start == head.start and not is_group:
            return person_named(draft, found.name)  # "the keeper, Ada Orr, said"
    is_definite = words.startswith(("the ", "The "))
    for each in reversed(draft.speakers):
        mention = _COMPLEMENT.split(draft.text[slice(*each.mention)])[0]
        if words.casefold() == mention.casefold():
            return each
    meant = persons_called(draft, whole, head, is_group=is_group) if is_definite else []
    if meant:
        return as_speaker(draft, meant[0]) if len(meant) == 1 else None
    if is_definite and not is_group and (name := _candidate_before(draft, head, noun)):
        return person_named(draft, name)
    is_person = means_person(noun)
    if is_group and (is_person or noun in _BODIES or words.split()[-1][0].isupper()):
        return draft.new_group(whole)
    # "the keeper" may be a person who spoke under a name.
    spoke = any(each.speaker.kind == "person" for each in draft.statements)
    owners = [i for i, token in enumerate(line[:-1]) if token.word.endswith(("’s", "s’"))]
    if owners:
        # "Orr's spokesman" may be one who was named, and is not Orr.
        rest = Span(line[owners[-1] + 1].start, head.end)
        is_definite, spoke = True, bool(persons_called(draft, rest, rest, is_group=False))
    # A title without an article is that of a headline.
    is_definite |= not first.classes & {"determiner", "number"}
    is_new = is_person and not is_group and not (is_definite and spoke)
    return draft.added(draft.next("speaker-"), whole) if is_new else None


_SEEKERS = frozenset("candidate congressman congresswoman front-runner nominee senator".split())


def _candidate_before(draft: DraftedRecords, head: Span, noun: str) -> Span | None:
    """Return the full name of the only person in the paragraph before one that "the candidate"
    opens, if that introduces the person without other words; None for other nouns.
    """
    opening = draft.text.rfind("\n", 0, head.start)
    if noun not in _SEEKERS or draft.text[opening + 1 : head.start].strip() or opening < 0:
        return None
    end = len(draft.text[:opening].rstrip())
    paragraph = Span(draft.text.rfind("\n", 0, end) + 1, end)
    words = draft.text[slice(*paragraph)]
    named = list[Introduction]()
    for name, found in draft.names.introduced.items():
        if re.search(rf"\b{re.escape(surname_of(name) or name)}\b", words):
            named.append(found)
    is_one = len(named) == 1 and named[0].span == named[0].name
    return named[0].name if is_one and is_inside(named[0].name, [paragraph]) else None


def means_group(draft: DraftedRecords, head: Span) -> bool:
    """Return whether what looks like a name is a plural noun: "Fishermen say"."""
    is_body = draft.text[slice(*head)].casefold() in _BODIES
    return is_body or (is_plural_noun(draft.text, head) and not draft.names.full_name(head))


def is_name(draft: DraftedRecords, source: SourceWords) -> bool:
    """Return whether words are more than the first word of a sentence, as in "Writing"."""
    words = draft.text[slice(*source.head)]
    if _ABBREVIATED.match(draft.text, source.head.start):
        return False
    [*first] = tokens(draft.text, source.head.start, source.head.end)
    if " " not in words and first[0].classes & _NOT_NAMES:
        return False
    if is_described_organisation(draft.text, words):
        return True
    elsewhere = [each for each in draft.names.places if each.start != source.head.start]
    named = [draft.text[slice(*each)] for each in elsewhere]
    before = draft.text[max(0, source.span.start - 5) : source.span.start]
    if " " in words or source.head.start > source.span.start or not _STARTS.search(before):
        return True
    return any(name == words or has_surname(name, words) for name in named)
