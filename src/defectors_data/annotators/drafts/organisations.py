"""The organisation that a name or a description such as "the company" means."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.annotators.drafts.drafted_records import DraftedRecords, DraftSpeaker
from defectors_data.annotators.kinds_of_names import (
    COMPANIES,
    ORGANISATIONS,
    is_acronym,
    without_article,
)
from defectors_data.annotators.record_ids import id_of_name
from defectors_data.evidence.free_text.known_words import known_names
from defectors_data.text.english import bodies
from defectors_data.text.offsets import Span

_DESCRIBED = re.compile(r"^(?:.*['’]s )?(?:[a-z][\w-]* )+(?=[A-Z])")
"""Words before the name of an institution: "the oil giant Harrow", "Orr’s old Lamp Union"."""
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
    for each in known:
        if each.name.casefold() == words.casefold() or _is_short_form(draft, words, each.name):
            return each
    short = noun if words == words.lower() else words.casefold()
    ends, begins = f" {short}", f"{short} of "
    folded = [(each, each.name.casefold()) for each in known]
    longer = [each for each, name in folded if name.endswith(ends) or name.startswith(begins)]
    if longer and not is_acronym(words):
        return longer[0] if len(longer) == 1 else None
    is_any = noun in _ANY_COMPANY and words.endswith(noun)
    if is_any and not draft.text.startswith((" of ", " that "), head.end):
        return _only_company(known)
    if is_any or (words == words.lower() and noun in COMPANIES | ORGANISATIONS):
        return None
    one = draft.shared(words) or id_of_name(words)
    return draft.added(one or draft.next("speaker-"), named, words, kind="institution")


_ANY_COMPANY = ("company", "firm", "giant", "retailer")


def _only_company(known: Sequence[DraftSpeaker]) -> DraftSpeaker | None:
    """Return the only one of some organisations that may be a company; None if there are several."""
    companies = []
    for each in known:
        last = each.name.split()[-1]
        if each.name[0].isupper() and last.casefold() not in bodies() - COMPANIES:
            companies.append(each)
    return companies[0] if len(companies) == 1 else None


def _is_short_form(draft: DraftedRecords, words: str, name: str) -> bool:
    """Return whether a text gives an acronym of a name: "the Alliance for Mills (AFM)"."""
    return bool(name) and is_acronym(words) and f"{name} ({words})" in draft.text


def named_organisation(draft: DraftedRecords, name: Span, *, is_shown: bool = True) -> DraftSpeaker:
    """Return the organisation with a name, which is not in its id if it may be that of a person."""
    words = draft.words(name)
    for each in draft.speakers:
        is_named = each.name == words or _is_short_form(draft, words, each.name)
        if each.kind == "institution" and is_named:
            return each
    one = draft.shared(words) or (id_of_name(words) if is_shown else "")
    return draft.added(one or draft.next("speaker-"), name, words, kind="institution")


def is_country(words: str) -> bool:
    """Return whether words are the name of a country, which is the name of its government, too."""
    return _DETERMINER.sub("", words) in known_names()["countries"]
