"""The organisation that a name or a description such as "the company" means."""

from __future__ import annotations

import re
from collections.abc import Callable

from defectors_data.annotators.drafts.drafted_records import DraftedRecords, DraftSpeaker
from defectors_data.annotators.kinds_of_names import (
    COMPANIES,
    ORGANISATIONS,
    is_acronym,
    is_document,
    is_plural_noun,
    spelt_out,
    without_article,
)
from defectors_data.annotators.record_ids import id_of_name
from defectors_data.evidence.free_text.known_words import known_names
from defectors_data.text.english import PARTIES, bodies
from defectors_data.text.offsets import Span

_DESCRIBED = re.compile(
    r"^(?:\S+ )*(?!(?:and|de|du|for|in|la|le|of|on|the|to) )[a-z][\w-]* (?=[A-Z])"
)
"""Words before the name of an institution: "the oil giant Harrow", "Rival local club Harrow"."""
_DETERMINER = re.compile(r"^(?:the|its|their|his|her|an?) ", re.IGNORECASE)


def institution_named(draft: DraftedRecords, head: Span) -> DraftSpeaker | None:
    """Return the organisation with a name, or the one that "the ministry" means; None if it is
    open, as for "the company" if no speaker has a name with this noun.
    """
    words = without_article(draft.text, head)
    if words.split()[-1][0].isupper():
        words = _DESCRIBED.sub("", words)
    named = Span(head.end - len(words), head.end)
    noun = words.split()[-1].casefold()
    known = [each for each in draft.speakers if each.kind == "institution" and each.name]
    same = {words.casefold(), *next((forms for forms in _SAME_PARTY if words in forms), ())}
    for each in known:
        if {each.name, each.name.casefold()} & same or _is_short_form(draft, words, each.name):
            return each
    short = noun if words == words.lower() else words.casefold()
    ends, begins = f" {short}", f"{short} of "
    folded = [(each, each.name.casefold()) for each in known]
    longer = [each for each, name in folded if name.endswith(ends) or name.startswith(begins)]
    if longer and not is_acronym(words):
        return longer[0] if len(longer) == 1 else None
    is_any = noun in _ANY_COMPANY and words.endswith(noun)
    if is_any or (words == words.lower() and noun in COMPANIES | ORGANISATIONS):
        is_other = draft.text.startswith((" of ", " that ", " which "), head.end)
        return None if is_other else _organisation_meant(draft, noun, head)
    return named_organisation(draft, named)


_SAME_PARTY = (("Conservatives", "Tories"), ("Lib Dems", "Liberal Democrats"))
_ANY_COMPANY = ("company", "firm", "giant", "retailer")
_ANY_BODY = ("body", "group", "institution", "organisation", "organization", *_ANY_COMPANY)


def _organisation_meant(draft: DraftedRecords, noun: str, head: Span) -> DraftSpeaker | None:
    """Return the organisation that "the firm" means: the last speaker near it, the only name that a
    noun describes ("the lamp firm Harrow") or the only one that speaks; None if there are several.
    """
    is_any = noun in _ANY_BODY
    near = [each for each in draft.near_speakers(head) if each.kind != "person"][-1:]
    is_object = bool(near) and near[0].name in draft.text[head.end : head.end + _REACH]
    if near and _fits(near[0], noun) and (is_any or noun == "party") and not is_object:
        return near[0]
    nouns = _ANY_BODY if is_any else (noun,)
    called = _called(f"(?:{'|'.join(nouns)})")
    places = [each for each in draft.names.places if each.end <= head.start]
    described = {draft.words(each): each for each in places if called(draft.text, each)}
    if len(described) == 1:
        return named_organisation(draft, *described.values())
    if described or not (is_any or noun == "party"):
        return None
    fitting = [each for each in draft.speakers if _fits(each, noun)]
    is_plain = _PLAIN.fullmatch(draft.words(head)) and not draft.text.startswith(" named", head.end)
    if not fitting and is_any and is_plain and (subject := _subject_of_article(draft)):
        return named_organisation(draft, subject)
    return fitting[0] if len(fitting) == 1 else None


_PLAIN = re.compile(r"[Tt]he (?:[\w-]+ )?\w+")
_REACH = 50
"""Number of characters after a noun that are read."""


def _subject_of_article(draft: DraftedRecords) -> Span | None:
    """Return the first name in an article if it is probably that of a company: "Shares in Harrow have",
    or "the operator Harrow has", if it is printed again and again; None for others.
    """
    for name in draft.names.places[:_FIRST]:
        if draft.text.endswith(_SHARES, 0, name.start):
            return name
    for name in draft.names.places[: _FIRST * 2]:
        words = draft.words(name)
        is_subject = _SUBJECT.match(draft.text, name.end) and draft.text.count(words) >= _FIRST
        is_other = words in draft.names.introduced or is_country(words) or words in PARTIES
        is_other |= f" in {words}" in draft.text or is_plural_noun(draft.text, name)
        if is_subject and not is_other:
            return name
    return None


_FIRST = 3
"""Number of names at the start of an article that are read."""
_SHARES = ("hares in ", "take in ")
_SUBJECT = re.compile(r"['’]s |,? (?:ha[sd]|is|was|will|plans|said|says) ")


def _fits(speaker: DraftSpeaker, noun: str) -> bool:
    """Return whether a speaker is a named organisation that no noun shows to be of another kind."""
    last = speaker.name.rpartition(" ")[2].casefold()
    is_other = is_document(last) or is_country(speaker.name)
    is_other |= last in bodies() - {*(COMPANIES if noun in _ANY_BODY else ()), noun}
    is_party = speaker.name.removesuffix(" Party") in PARTIES
    is_named = speaker.kind == "institution" and speaker.name[:1].isupper()
    return is_named and not is_other and is_party == (noun == "party")


def _called(noun: str) -> Callable[[str, Span], bool]:
    """Return a function that says whether a noun describes a name: "the firm Harrow", "Harrow, a lamp
    firm,".
    """
    before = re.compile(rf"\b{noun} \Z")
    after = re.compile(
        rf", (?:an?|the) (?:[\w’'-]+ ){{0,5}}{noun}(?:[,.;]| (?:based|for|of|that|which)\b)"
    )
    return lambda text, name: bool(
        before.search(text, max(0, name.start - _LONGEST_NOUN), name.start)
        or after.match(text, name.end)
    )


_LONGEST_NOUN = 15


def _is_short_form(draft: DraftedRecords, words: str, name: str) -> bool:
    """Return whether a text gives an acronym of a name: "the Alliance for Mills (AFM)"."""
    return bool(name) and is_acronym(words) and f"{name} ({words})" in draft.text


def named_organisation(draft: DraftedRecords, name: Span, *, is_shown: bool = True) -> DraftSpeaker:
    """Return the organisation with a name, which is not in its id if it may be that of a person."""
    words = draft.words(name)
    if words.isupper() and (long := spelt_out(draft.text, words)):
        name, words = long, draft.words(long)  # "HML" before "Harrow Mill Lamps (HML)"
    for each in draft.speakers:
        is_named = each.name == words or _is_short_form(draft, words, each.name)
        if is_named and (each.kind == "institution" or each.name == words):
            return each
    one = draft.shared(words) or (id_of_name(words) if is_shown else "")
    return draft.added(one or draft.next("speaker-"), name, words, kind="institution")


def is_country(words: str) -> bool:
    """Return whether words are the name of a country, which is the name of its government, too."""
    return _DETERMINER.sub("", words) in known_names()["countries"]
