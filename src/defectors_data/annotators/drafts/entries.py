"""The entries of speakers in YAML, with role, age and mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from defectors_data.annotators.drafts.drafted_records import DraftedRecords, DraftSpeaker
from defectors_data.annotators.drafts.organisations import is_country
from defectors_data.annotators.introductions import name_beside
from defectors_data.annotators.kinds_of_names import BODIES, evidence_of_name, is_document
from defectors_data.annotators.outlets import is_outlet
from defectors_data.annotators.proposals.ages import aged, years
from defectors_data.annotators.proposals.attributions import attributed_words
from defectors_data.annotators.proposals.mentions import (
    anonymity_of,
    likely_role,
    pseudonym_possible,
    role_of_title,
)
from defectors_data.annotators.proposals.proposal import Proposal
from defectors_data.annotators.proposals.statements import REQUEST
from defectors_data.annotators.record_yaml import entry_yaml, record_yaml
from defectors_data.corpus.yaml_reader import scalar
from defectors_data.evidence.anchors import chosen_in_yaml
from defectors_data.evidence.completeness_ledger import ledger_of, quotations_of
from defectors_data.evidence.free_text.known_words import known_names
from defectors_data.models.fields import OLDEST
from defectors_data.text.detection import Detection, is_age
from defectors_data.text.english.sentences import tokens
from defectors_data.text.offsets import Span, extent, overlaps, sentences_around
from defectors_data.text.similar_words import may_be_one_person, surname_of

_ROLES_OF_OFFICE = ("official", "politician")


def speaker_entry(draft: DraftedRecords, speaker: DraftSpeaker) -> str:
    """Return the entry of a speaker as YAML."""
    role, attested = _role(draft, speaker)
    request, reason = _request(draft, speaker)
    if request:
        attested = f"{{request: {chosen_in_yaml(request, draft.text)}}}"
    mentions = []
    for name, words in [(speaker.mention_id, speaker.mention), *speaker.others]:
        found = _age_in(draft, words) if _is_named(speaker) else None
        stated = {"age": str(years(found, OLDEST))} if found else {}
        if words == speaker.mention:
            stated["affiliation"] = speaker.affiliation
            stated["attested_by"] = attested
        proposal = Proposal("mentions", (words,), stated)
        mentions.append(record_yaml(draft.document, proposal, name))
    if speaker.id in draft.document.context.shared:
        return entry_yaml({"use": speaker.id, "draft": "true"}, *mentions)
    kind = speaker.kind
    if speaker.name and not _is_kind_shown(draft.text, speaker.name, kind):
        kind += "  # a guess: no words show it"
    values = {"id": speaker.id, "draft": "true", "kind": kind}
    values["role"] = role
    if speaker.kind == "person":
        values["anonymity"] = "withheld" if request else anonymity_of(speaker.name)
    if (name := _possible_name(draft, speaker)) and not request:
        values["anonymity"] += f"  # a guess: {name} may be the name"
    if request:
        values["request"] = reason
    if speaker.name:
        values["name"] = scalar(speaker.name)
        if speaker.kind == "person" and values["anonymity"] == "partial":
            values["pseudonym_possible"] = pseudonym_possible(draft.document, role, speaker.name)
    return entry_yaml(values, *mentions)


def _possible_name(draft: DraftedRecords, speaker: DraftSpeaker) -> str:
    """Return a full name in or after a mention of a person without a name, or words that attribute a
    testimony to the person, that may be the person's; else "".
    """
    if speaker.name or speaker.kind != "person":
        return ""
    spans = [speaker.mention, *(words for _, words in speaker.others)]
    for statement in draft.statements:
        found = attributed_words(draft.document).attribution_of(statement.spans[0])
        if statement.speaker is speaker and statement.source and found:
            spans += [found.phrase, statement.source.span]
    return name_beside(draft.text, spans)


def _is_kind_shown(text: str, name: str, kind: str) -> bool:
    """Return whether a given name, a noun or words near a name show that it is that of a person, or of
    an institution.
    """
    words = [*tokens(name, 0, len(name))]
    if kind == "person":
        forms = [evidence_of_name(text, each) for each in (name, name.rsplit(maxsplit=1)[-1])]
        is_given = bool(words[0].classes & {"male", "female"})
        return is_given or any(each.kind == kind and each.is_shown for each in forms)
    evidence = evidence_of_name(text, name)
    last, known = words[-1].word, known_names()
    is_noun = any("institution" in each.classes for each in words) or last in BODIES
    is_known = is_outlet(name) or any(name in known[each] for each in ("bodies", "countries"))
    is_other = is_document(last) or name.isupper() or name[0].islower()
    is_shown = evidence.kind == kind and evidence.is_shown
    return is_noun or is_known or is_other or is_shown


_SOMEONE_ELSE = re.compile(r"(?:;|,? (?:and|but|that|while)) (?:an?|another|one) ")
"""Words that introduce another person: "a miller said it, and a keeper, who asked not to be named"."""
_REASONS = {
    "fear_of_reprisal": re.compile(r"\b(?:fear|feared|fearing|afraid|reprisals?|retaliation)\b"),
    "told_not_to_talk": re.compile(r"\bnot (?:authori[sz]ed|allowed|permitted)\b"),
}
_OTHER_REASON = re.compile(
    r" to \w+|(?:,? \w+){0,2},? (?:as (?:he|she|the|they)|because|citing|due|given|lest|out of|since"
    r"|for (?:\w+ )?(?:fear|reasons|safety)|so (?:as|that))\b"
)
"""Words after a request that begin a reason: " publicly because"."""


def _request(draft: DraftedRecords, speaker: DraftSpeaker) -> tuple[Span | None, str]:
    """Return the words in the sentence of a mention which say that a person without a printed name did
    not want to be named, and the reason that it gives, as YAML; None and "" if there are none.
    """
    if speaker.name or speaker.kind != "person":
        return None, ""
    sentence = sentences_around(draft.text, speaker.mention)
    found = REQUEST.search(draft.text, *sentence)
    if not found:
        return None, ""
    if _SOMEONE_ELSE.search(draft.text, speaker.mention.end, found.start()):
        return None, ""
    for reason, words in _REASONS.items():
        shown = words.search(draft.text, *sentence)
        both = shown and extent([Span(*each) for each in sorted([shown.span(), found.span()])])
        if both and not overlaps(both, quotations_of(draft.document)):
            return both, reason
    if _OTHER_REASON.match(draft.text, found.end(), sentence.end):
        return Span(*found.span()), "other  # a guess: words after the request give a reason"
    return Span(*found.span()), "not_stated"


def age_in_mention(draft: DraftedRecords, speaker: DraftSpeaker) -> Detection | None:
    """Return the number that states the age in a mention; None for a protected speaker."""
    return _age_in(draft, speaker.mention) if _is_named(speaker) else None


def add_age(draft: DraftedRecords, found: Detection) -> bool:
    """Add the mention of a named speaker with an age, as in "Arden, 31"; return whether the number
    is one.
    """
    mention = aged(draft.text, found)
    if not mention or mention.start == found.start:
        return False
    surname = draft.text[mention.start : found.start].rstrip(", ").split()[-1]
    for speaker in draft.speakers:
        if _is_named(speaker) and surname in (surname_of(speaker.name), speaker.name):
            speaker.others.append((draft.next("m"), mention))
            return True
    return False


def may_accuse(draft: DraftedRecords, speaker: str) -> bool:
    """Return whether a speaker is an organisation, or a title shows an office or a party."""
    found = next((each for each in draft.speakers if each.id == speaker), None)
    if found is None or found.kind == "institution":
        return found is not None
    places = [found.mention, *_introductions(draft, found)]
    return any(role_of_title(draft.text, place, _ROLES_OF_OFFICE) for place in places)


def _role(draft: DraftedRecords, speaker: DraftSpeaker) -> tuple[str, str]:
    """Return the role of a speaker, and the words elsewhere that show it, as `attested_by`."""
    roles = {each.term for each in draft.document.context.vocabulary.content.roles}
    if speaker.kind == "institution" and is_country(speaker.name) and "official" in roles:
        return "official", ""
    # A document, as in "a poll", represents nobody.
    noun = speaker.name.rpartition(" ")[2] if " " in speaker.name else speaker.name.casefold()
    kind = "" if is_document(noun) else speaker.kind
    role = likely_role(draft.document, speaker.mention, kind)
    if kind == "institution":
        described = (role_of_title(draft.text, each, roles) for each in _described(draft, speaker))
        role = next(filter(None, described), role)
    if role != "other" or speaker.kind != "person" or not _is_named(speaker):
        return role, ""
    for words in _introductions(draft, speaker):
        shown = likely_role(draft.document, words)
        is_at_risk = pseudonym_possible(draft.document, shown, speaker.name) == "true"
        # The id of a single name that may be a pseudonym would have to be a number.
        if shown != "other" and (" " in speaker.name or not is_at_risk):
            return shown, f"{{role: {chosen_in_yaml(words, draft.text)}}}"
    at = draft.text.find(speaker.affiliation, speaker.mention.start)
    if not speaker.affiliation or _NOT_FOR_BODIES.search(draft.words(speaker.mention)):
        return role, ""
    is_expert = "expert" in roles and _OF_SCHOLARS.search(speaker.affiliation)
    body = Span(at, at + len(speaker.affiliation))
    return "expert" if is_expert else likely_role(draft.document, body, "institution"), ""


def _described(draft: DraftedRecords, speaker: DraftSpeaker) -> Iterator[Span]:
    """Yield the places of the name of an institution with the nouns before it: "lamp regulator Ofkeep"."""
    for place in draft.names.places:
        start = place.start
        for token in reversed([*tokens(draft.text, max(0, start - _REACH), start)]):
            is_next = token.is_noun and draft.text[token.end : start] == " "
            if not is_next or token.is_capitalized:
                break
            start = token.start
        if start < place.start and draft.words(place) == speaker.name:
            yield Span(start, place.end)


_REACH = 40
"""Number of code points before a name that are read."""
_OF_SCHOLARS = re.compile(r"\b(?:University|Universities|College|Institute|School)\b")
_NOT_FOR_BODIES = re.compile(
    r"\b(?:act(?:or|ress)|broadcaster|columnist|correspondent|critic|editor|frontman|frontwoman|guitarist|host"
    r"|journalist|member|player|presenter|producer|reporter|singer|star|student|writer)\b"
)
"""Nouns of persons of a body who do not speak for it."""


def _introductions(draft: DraftedRecords, speaker: DraftSpeaker) -> Iterator[Span]:
    """Yield the introductions of a person, and what the text calls their campaign, says of their
    campaigning for an office, and calls them before a verb of speech.
    """
    surname = surname_of(speaker.name) or speaker.name
    printed = {draft.words(each) for each in draft.names.places} - {surname}
    namesakes = {name for name in printed if not may_be_one_person(name, speaker.name)}
    theirs = {speaker.name}
    if all(name.split()[-1] != surname for name in namesakes):
        theirs.add(surname)
    called = "|".join(re.escape(name) for name in sorted(theirs, reverse=True))
    campaigns = rf"\b(?:{called}){_CAMPAIGN}"
    yield from (Span(*hit.span()) for hit in re.finditer(campaigns, draft.text))
    for place, found in draft.names.introductions.items():
        if draft.words(place) in theirs:
            yield found.span
    for statement in draft.statements:
        if statement.speaker is speaker and statement.source:
            yield statement.source.head  # "the GOP nominee"


_CAMPAIGN = (
    r"(?:['’]s?)?(?:(?: (?:\d{4}|Democratic|GOP|Republican|Senate|election|presidential|primary))*"
    r" campaign\b|(?:,? who)?(?: (?:also|been|had|has|is|was))* campaign(?:ed|ing) in [A-Z]\w+)"
)
"""Words after the name of a person who seeks an office: "'s Senate campaign", "campaigned in Rome"."""


def _is_named(speaker: DraftSpeaker) -> bool:
    return bool(speaker.name) and not speaker.id.startswith("speaker-")


def _age_in(draft: DraftedRecords, mention: Span) -> Detection | None:
    for entry in ledger_of(draft.document).within([mention]):
        found = entry.detection
        if years(found, OLDEST) is not None and is_age(draft.text, found):
            return found
    return None
