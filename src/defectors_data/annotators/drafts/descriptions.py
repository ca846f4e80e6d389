"""The speaker whom a description such as "the senator", "miners" or "a poll" means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.annotators.drafts.drafted_records import DraftedRecords, DraftSpeaker, Person
from defectors_data.annotators.drafts.persons import (
    as_speaker,
    person_named,
    persons_called,
    place_before,
    words_for,
)
from defectors_data.annotators.introductions import APPOSITION
from defectors_data.annotators.kinds_of_names import (
    COLLECTIVES,
    is_document,
    is_given,
    is_plural_noun,
    without_article,
)
from defectors_data.text.attributions import FoundAttribution
from defectors_data.text.attributions.proposed import has_several_writers
from defectors_data.text.english import (
    PARTIES,
    bodies,
    cue_nouns,
    cue_words,
    is_plural,
    means_person,
)
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.english.sources import SourceWords
from defectors_data.text.offsets import Span, extent
from defectors_data.text.similar_words import has_surname

_BODIES = COLLECTIVES | frozenset(
    "agencies authorities companies groups organisations organizations".split()
)
_STARTS = re.compile(r"(?:^|\n|[.!?…][”\"’)]?)\s*$")
_ABBREVIATED = re.compile(
    r"[DIR]-[A-Z]|(?:[A-Z][a-z]{0,2}|Ariz|Calif|Colo|Conn|Mass|Mich|Minn|Miss|Okla|Penn|Tenn|Wash)"
    r"\.(?:\W|$)|[A-Z]\b(?![.'’-])"
)
"""A party with a state, a state, or a letter: "R-Ohio", "Del."."""
_NOT_NAMES = frozenset(
    "date determiner pronoun preposition conjunction subordinator adverb".split()
)
_NOBODY = frozenset("no each every any neither".split())
_INDEFINITE = ("a ", "an ", "one ", "another ", "A ", "An ", "One ", "Another ")
"""Words with which each person is a new one."""
_COMPLEMENT = re.compile(r" (?:of|for) ")


def speaker_described(
    draft: DraftedRecords, source: SourceWords, noun: str, *, is_group: bool, is_said: bool = False
) -> DraftSpeaker | None:
    """Return the person or group of a description such as "one keeper"; None if it is open.

    If `is_said` is true, the verb is one of speech, and any plural noun can be its source:
    "Four casinos said".
    """
    head = source.head
    words = draft.words(head)
    # "members of the crew"
    whole = source.span if _COMPLEMENT.match(draft.text, head.end) else head
    line = [*tokens(draft.text, *head)]
    first, last = line[0], line[-1]
    if last.classes & _NOT_NAMES or first.word in _NOBODY:
        return None  # "What’s more", "no leader"
    for found in draft.names.introduced.values():
        is_owner = draft.text.startswith(("’s", "'s"), found.name.end)
        if found.span.start == head.start and not (is_group or is_owner):
            return person_named(draft, found.name)  # "the keeper, Ada Orr, said"
    if not is_group and (named := _named_after(draft, head)):
        return named
    if not is_group and (name := _last_name(draft, source)):
        return person_named(draft, name)
    is_definite = words.startswith(("the ", "The "))
    for each in reversed(draft.speakers):
        mention = _COMPLEMENT.split(draft.words(each.mention))[0]
        is_other = words.startswith(_INDEFINITE) and each.mention.start != head.start
        if is_definite and each.kind == "group":
            mention = re.sub("^[Aa]n? ", "the ", mention)  # "a panel of millers", "the panel"
        if words.casefold() == mention.casefold() and not (is_other and each.kind == "person"):
            return each
    meant = persons_called(draft, whole, head, is_group=is_group) if is_definite else []
    if meant:
        return as_speaker(draft, meant[0]) if len(meant) == 1 else None
    if is_definite and not is_group and (person := _only_person_near(draft, line)):
        return as_speaker(draft, person)
    is_person = means_person(noun)
    is_noun = last.is_plural and not noun.endswith("ous") and noun not in cue_words()
    is_body = noun in _BODIES or words.split()[-1][0].isupper()
    is_body |= noun.removesuffix("s") in bodies() or f"{noun.removesuffix('ies')}y" in bodies()
    if is_group and (is_person or is_body or (is_said and is_noun)):
        return draft.new_group(whole)
    # "the keeper" may be a person who spoke under a name.
    spoke = any(each.speaker.kind == "person" for each in draft.statements)
    owner = owner_of(line)
    if owner >= 0:
        # "Orr's spokesman" may be one who was named, and is not Orr.
        rest = Span(line[owner + 1].start, head.end)
        is_definite, spoke = True, bool(persons_called(draft, rest, rest, is_group=False))
    # A title without an article is that of a headline.
    is_definite |= not first.classes & {"determiner", "number"}
    is_new = is_person and not is_group and not (is_definite and spoke)
    return draft.added(draft.next("speaker-"), whole) if is_new else None


def _last_name(draft: DraftedRecords, source: SourceWords) -> Span | None:
    """Return the full name that ends a description, after a noun: "the minister for mills [Ada Orr]", but
    not "the aide to Ada Orr"; None if none does.
    """
    for name in draft.names.places:
        first, _, others = draft.words(name).partition(" ")
        is_last = name.end == source.span.end and name.start > source.head.end
        if is_last and others and is_given(first):
            before = [*tokens(draft.text, source.head.end, name.start)][-1]
            if before.is_noun and not (before.is_capitalized or "preposition" in before.classes):
                return name
    return None


def name_after(draft: DraftedRecords, source: SourceWords, speaker: DraftSpeaker) -> Span | None:
    """Return the name of a speaker that follows their description, or ends it: "the chief, [Ada Orr],
    said", "the minister for mills [Ada Orr] said".
    """
    is_description = source.kind == "description" and speaker.name
    name = _place_after(draft, source.head) or _last_name(draft, source) if is_description else None
    return name if name and draft.words(name) == speaker.name else None


def _place_after(draft: DraftedRecords, head: Span) -> Span | None:
    """Return the place of the name that follows a description: "The chief in Harrow, [Ada Orr], said"."""
    before = APPOSITION.match(draft.text, head.end)
    if before is None:
        return None
    after = (name for name in draft.names.places if name.start >= before.end())
    name = next(after, None)
    is_next = name and _HONORIFIC.fullmatch(draft.text, before.end(), name.start)
    return name if is_next else None


_HONORIFIC = re.compile(r"(?:the )?(?:[A-Z][a-z]*\.? )*")


def _named_after(draft: DraftedRecords, head: Span) -> DraftSpeaker | None:
    """Return the person whose name follows a description: "The mill's chief in Harrow, Ada Orr, said"."""
    name = _place_after(draft, head)
    if name is None or draft.names.is_of_organisation(name):
        return None
    words = draft.words(name)
    inside = [*tokens(draft.text, head.end, name.start)]
    if any(each.means_person and not each.is_capitalized for each in inside):
        return None  # "a friend of the mayor, Ada Orr,"
    is_area = inside[0].word in ("in", "from")
    is_name = " " in words and (not is_area or is_given(words.split()[0]))
    if not is_name or not draft.text.startswith(", ", name.end):
        return None
    known = len(draft.speakers)
    speaker = person_named(draft, name)
    if speaker in draft.speakers[known:] and speaker.kind == "person":
        speaker.mention = Span(head.start, name.end)
    return speaker


def owner_of(words: Sequence[Token]) -> int:
    """Return the last owner before the noun of a description, as in "Orr's spokesman"; else -1."""
    owners = [i for i, token in enumerate(words[:-1]) if token.word.endswith(("’s", "s’"))]
    return owners[-1] if owners else -1


_VARIED = frozenset(
    "actor actress author billionaire businessman businesswoman comedian director entrepreneur executive frontman"
    " governor host lawmaker leader mayor mep minister mogul mp musician performer politician presenter president"
    " rapper secretary singer socialist star tycoon veteran writer".split()
)
"""Nouns with which writers vary the name of a person who was introduced in other words."""
_SEEKERS = frozenset("candidate contender front-runner hopeful nominee".split())
_POSTS = frozenset("congressman congresswoman governor mayor president secretary senator".split())


def _only_person_near(draft: DraftedRecords, line: Sequence[Token]) -> Person | None:
    """Return the only person who is named in the paragraph before "the tycoon", or else in the
    paragraph before this one; None if there are several, or if titles show another post.
    """
    noun, head = line[-1].word, extent(line)
    is_aged = any(token.word.endswith("-year-old") for token in line)
    if noun not in _VARIED | _SEEKERS and not is_aged:
        return None
    words = {token.word for token in line} - {"the"}
    for statement in reversed(draft.statements):
        said = [*tokens(draft.text, *statement.source.head)] if statement.source else []
        is_same = words <= {token.word for token in said}
        if said and said[-1].word == noun and is_same:
            return draft.as_person(statement.speaker)
    is_of_other = any(words <= words_for(draft, each)[0] for each in draft.persons())
    same = rf"\b{re.escape(' '.join(draft.words(head).split()[1:]))}\b"
    is_printed = re.search(same, draft.text[: head.start], re.IGNORECASE)
    if is_of_other or (is_printed and noun not in _SEEKERS):
        return None  # "an aide to the mayor": another one
    start = draft.text.rfind("\n", 0, head.start)
    before = len(draft.text[: max(start, 0)].rstrip())
    for place in (head, Span(before, before)):
        near = [each for each in draft.persons() if place_before(draft, each, place)]
        if near:
            posts = _POSTS & words_for(draft, near[0])[0]
            is_of_other_post = noun in _POSTS and bool(posts)
            return near[0] if len(near) == 1 and not is_of_other_post else None
    return None


def means_group(draft: DraftedRecords, head: Span) -> bool:
    """Return whether what looks like a name is a plural noun: "Fishermen say"."""
    is_body = draft.words(head).casefold() in _BODIES
    full = draft.names.full_name(head)
    is_surname = full is not None and not is_plural_noun(draft.text, full)
    is_surname |= bool(draft.names.titles_of(draft.words(head)))  # "Mr Deans"
    return is_body or (is_plural_noun(draft.text, head) and not is_surname)


def is_name(draft: DraftedRecords, source: SourceWords, cue: Span) -> bool:
    """Return whether words are more than the first word of a sentence, as in "Writing".

    A word before a verb in the singular is a name if no noun is formed like it: "Harrow has said".
    """
    words = draft.words(source.head)
    first = next(tokens(draft.text, *source.head))
    is_short = _ABBREVIATED.match(draft.text, first.start) or first.classes & _NOT_NAMES
    elsewhere = [each for each in draft.names.places if each.start != source.head.start]
    named = [draft.words(each) for each in elsewhere]
    if " " not in words and is_short and not any(has_surname(name, words) for name in named):
        return False
    before = draft.text[max(0, source.span.start - 5) : source.span.start]
    if (
        words in PARTIES
        or " " in words
        or source.head.start > source.span.start
        or not _STARTS.search(before)
    ):
        return True
    if any(name == words or has_surname(name, words) for name in named):
        return True
    is_noun = is_plural(words.lower()) or is_document(words.lower()) or _ABSTRACT.search(words)
    between = draft.text[source.head.end : cue.start]
    verb = draft.text[slice(*cue)] if between == " " or between.startswith(", ") else ""
    is_printed = re.search(rf"\b{re.escape(words.lower())}", draft.text) is not None
    return bool(_SINGULAR.match(verb)) and not (is_noun or is_printed)


_ABSTRACT = re.compile(r"(?:age|ance|ence|ing|ion|ism|ity|ment|ness|ship|sm|ure|work|ly)$")
_SINGULAR = re.compile(r"(?:has|is|was|said|\w+[^s]s)\b")


# ---- documents -----------------------------------------------------------------------------------

_SAME_DOCUMENTS = (
    frozenset("poll polls survey surveys study studies".split()),
    frozenset(
        "audit audits findings inquiry inquiries investigation investigations memo probe report"
        " reports review reviews study studies".split()
    ),
    frozenset("article articles editorial paper passage post report story".split()),
    frozenset("complaint lawsuit lawsuits suit".split()),
    frozenset("data figures records statistics".split()),
    frozenset("ad ads advertisement".split()),
)
"""Nouns that can mean the same document."""
_UTTERANCES = frozenset(
    "email emails letter letters message messages post posts statement statements tweet tweets".split()
)
"""Nouns of what a person or a body says in writing, and who is not the speaker."""
_DEFINITE = re.compile(r"(?:the|that|this|these|those)\b", re.IGNORECASE)
_OF_PERSONS = ("adjective", "attitude", "thought")
"""The kinds of cues that only persons have: "The law appears to"."""


def document_meant(
    draft: DraftedRecords, head: Span, found: FoundAttribution
) -> DraftSpeaker | None:
    """Return the document that is the source of a statement: for "the poll", the last one that was
    the source of another, or that the text mentioned; else a new one. It is a speaker like an
    institution, with its words as name; None if another document has these, or if it says nothing.

    "The statement" is left open.
    """
    verb, noun = cue_words().get(found.verb), _noun_of(draft, head)
    is_mute = found.verb in cue_nouns() if verb is None else verb.kind in _OF_PERSONS
    is_mute &= not found.verb.startswith(("estimate", "forecast", "predict"))
    if is_mute:
        return None
    nouns = {noun}.union(*(each for each in _SAME_DOCUMENTS if noun in each))
    is_definite = _DEFINITE.match(draft.text, *head)
    if is_definite and has_several_writers(draft.text, head):
        return None
    for statement in reversed(draft.statements):
        said = statement.source if is_definite else None
        if said and _noun_of(draft, said.head) in nouns:
            return statement.speaker
    if noun in _UTTERANCES:
        return None
    name = without_article(draft.text, head).strip()
    if any(each.name.casefold() == name.casefold() for each in draft.speakers):
        return None
    return draft.added(draft.next("speaker-"), head, name, kind="institution")


def _noun_of(draft: DraftedRecords, head: Span) -> str:
    return draft.words(head).rsplit(maxsplit=1)[-1].casefold()
