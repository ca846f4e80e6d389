"""The organisation that a name or a description such as "the company" means."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from defectors_data.annotators.drafts.drafted_records import DraftedRecords, DraftSpeaker
from defectors_data.annotators.kinds_of_names import (
    COMPANIES,
    DOCUMENTS,
    ORGANISATIONS,
    evidence_of_name,
    institution_in,
    is_acronym,
    with_description,
    without_article,
)
from defectors_data.annotators.record_ids import id_of_name
from defectors_data.evidence.completeness_ledger import quotations_of
from defectors_data.evidence.free_text.known_words import known_names
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.offsets import Span, is_inside

_ENDS = re.compile(r"[.!?…][”\"’)]* ")
_AUTHORITIES = frozenset("census federal government national official state".split())
_DESCRIBED = re.compile(r"^(?:.*['’]s )?(?:[a-z][\w-]* )+(?=[A-Z])")
"""Words before the name of an institution: "the oil giant Harrow", "Orr’s old Lamp Union"."""
_WHOLE = frozenset(("Congress", "House", "Senate"))
"""Names of one word that are no short forms: the House is not the White House."""
_DETERMINER = re.compile(r"^(?:the|its|their|his|her|an?) ", re.IGNORECASE)


def institution_named(draft: DraftedRecords, head: Span) -> DraftSpeaker | None:
    """Return the organisation with a name, or the one that "the ministry" means; None if it is
    open.
    """
    words = without_article(draft.text, head)
    if words.split()[-1][0].isupper():
        words = _DESCRIBED.sub("", words)
    named = Span(head.end - len(words), head.end)
    noun = words.split()[-1].casefold()
    known = [each for each in draft.speakers if each.kind == "institution" and each.name]
    for each in known:
        if each.name.casefold() == words.casefold() or _is_short_form(draft, words, each.name):
            return each
    short = noun if words == words.lower() else words.casefold()
    longer = [each for each in known if each.name.casefold().endswith(f" {short}")]
    if longer and not is_acronym(words):
        return longer[0] if len(longer) == 1 else None
    if words == words.lower() and noun in COMPANIES | ORGANISATIONS:
        return _organisation_before(draft, noun, head)
    if words == noun and (called := _agency_before(draft, noun, head)):
        return called
    named = _longest_form(draft, named)
    words = draft.words(named)
    one = draft.shared(words) or id_of_name(words)
    mention = with_description(draft.text, named)
    return draft.added(one or draft.next("speaker-"), mention, words, kind="institution")


def _is_short_form(draft: DraftedRecords, words: str, name: str) -> bool:
    """Return whether a text gives an acronym of a name: "the Alliance for Mills (AFM)"."""
    return bool(name) and is_acronym(words) and f"{name} ({words})" in draft.text


def _longest_form(draft: DraftedRecords, named: Span) -> Span:
    """Return the name that a text shortens to one word, such as "Times", where it is printed in
    whole; the words as they are if it prints none or several.
    """
    words = draft.words(named).removeprefix("The ")
    longer: dict[str, Span] = {}
    for each in draft.names.places:
        name = draft.words(each)
        if name.endswith(f" {words}") and institution_in(draft.text, each):
            longer.setdefault(name, each)
    is_short = words.isalpha() and words.istitle() and words not in _WHOLE
    return next(iter(longer.values())) if is_short and len(longer) == 1 else named


def named_organisation(draft: DraftedRecords, name: Span, *, is_shown: bool = True) -> DraftSpeaker:
    """Return the organisation with a name, which is not in its id if it may be that of a person."""
    words = draft.words(name)
    for each in draft.speakers:
        is_named = each.name == words or _is_short_form(draft, words, each.name)
        if each.kind == "institution" and is_named:
            return each
    one = draft.shared(words) or (id_of_name(words) if is_shown else "")
    mention = with_description(draft.text, name)
    return draft.added(one or draft.next("speaker-"), mention, words, kind="institution")


def publication_of_authority(
    draft: DraftedRecords, head: Span, line: Sequence[Token]
) -> DraftSpeaker | None:
    """Return what an authority publishes as a speaker: "federal data", but not "new data" or
    "the federal data", of which the text says elsewhere whose they are.
    """
    determiner = line[0].word if "determiner" in line[0].classes else ""
    [*shown] = filter(_is_of_authority, line[:-1])
    is_one = line[-1].word in DOCUMENTS and determiner in ("", "a", "an")
    return institution_named(draft, head) if is_one and shown else None


def _organisation_before(draft: DraftedRecords, noun: str, head: Span) -> DraftSpeaker | None:
    """Return the organisation that "the company" can mean: the only one named in the paragraph
    before it, or else in the text before it; None if there are several or none.
    """
    spoken = quotations_of(draft.document)
    outside = [each for each in draft.names.places if not is_inside(each, spoken)]
    before = [each for each in outside if each.end <= head.start]
    paragraph = draft.text.rfind("\n", 0, head.start)
    earlier = draft.text.rfind("\n", 0, len(draft.text[:paragraph].rstrip()))
    known = {each.name for each in draft.speakers if each.kind == "institution"}
    if noun == "campaign":
        before = _campaigns_before(draft, head) or before
    for start in (_sentence_before(draft, head), paragraph, earlier, 0):
        possible = {}
        for name in before:
            words = draft.words(name)
            is_known = words in known or words.endswith(" campaign")
            is_near = name.start >= max(start, 0) and (start > 0 or is_known)
            if is_near and _can_be(noun, words) and _is_organisation(draft, words, known):
                possible[words] = name
        if possible:
            return named_organisation(draft, *possible.values()) if len(possible) == 1 else None
    return None


_AGENCIES = frozenset("ATF CIA DEA DHS EPA FBI FDA FEMA ICE IRS NASA NSA SBA SEC TSA".split())
_AGENCIES_CALLED = {"bureau": frozenset(("FBI", "ATF")), "agency": _AGENCIES}
"""Acronyms that a noun can mean, by the noun."""


def _agency_before(draft: DraftedRecords, noun: str, head: Span) -> DraftSpeaker | None:
    """Return the only authority with an acronym before "the bureau" that this can mean; None if there
    is none, or another name with the noun.
    """
    called = _AGENCIES_CALLED.get(noun, frozenset())
    if re.search(rf"\b{noun.title()}\b", draft.text):
        return None
    before = [hit for hit in re.finditer(r"\b[A-Z]{3,4}\b", draft.text) if hit.end() <= head.start]
    places = {hit[0]: Span(*hit.span()) for hit in reversed(before) if hit[0] in called}
    return named_organisation(draft, *places.values()) if len(places) == 1 else None


def _campaigns_before(draft: DraftedRecords, head: Span) -> list[Span]:
    """Return the places of words such as "Orr campaign" before some words."""
    found = re.compile(r"[A-Z][\w’'-]*(?<!The) campaign\b").finditer(draft.text, 0, head.start)
    return [Span(*each.span()) for each in found]


def _sentence_before(draft: DraftedRecords, head: Span) -> int:
    """Return the start of the sentence before the one that contains some words."""
    paragraph = draft.text.rfind("\n", 0, head.start) + 1
    ends = [hit.end() for hit in _ENDS.finditer(draft.text, paragraph, head.start)]
    return ([paragraph, paragraph, *ends])[-2]


def _is_organisation(draft: DraftedRecords, name: str, known: Container[str]) -> bool:
    """Return whether a name is that of an institution in the draft, or certainly of one."""
    if name in known or name.endswith(" campaign"):
        return True
    if name in draft.names.introduced or any(name == each.name for each in draft.speakers):
        return False
    return evidence_of_name(draft.text, name).is_organisation


def _is_of_authority(token: Token) -> bool:
    return token.word in _AUTHORITIES or (
        "institution" in token.classes and not token.is_capitalized
    )


def is_country(words: str) -> bool:
    """Return whether words are the name of a country, which is the name of its government, too."""
    return _DETERMINER.sub("", words) in known_names()["countries"]


def _can_be(noun: str, name: str) -> bool:
    """Return whether a name can be that of a company, or of a group, and of no department."""
    words = name.casefold().replace("-", " ").replace(".", "").split()
    nouns = COMPANIES if noun in COMPANIES else ORGANISATIONS
    is_institution = any(
        "institution" in token.classes for token in tokens(" ".join(words), 0, len(name))
    )
    return not is_institution or not nouns.isdisjoint(words)
