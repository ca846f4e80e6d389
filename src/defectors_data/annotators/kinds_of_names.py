"""Whether a name in a text means a person or an organisation, as far as the words around it show."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from defectors_data.annotators.introductions import introduction
from defectors_data.text.english import UNITS, is_plural, means_person
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.offsets import Span

COMPANIES = frozenset(
    "airline bank broadcaster carrier chain company corp corporation firm giant inc insurer lender"
    " maker manufacturer network newspaper publisher retailer startup".split()
)
"""Nouns of companies, which are also in words such as "the retailer Harrow"."""
ORGANISATIONS = frozenset(
    "alliance association campaign club coalition federation foundation group institution"
    " league movement organisation organization network union".split()
)
"""Nouns of other organisations that a text can mean by "the group"."""
_OFFICES = frozenset(
    "president vice minister prime secretary governor gov senator sen representative rep mayor"
    " chancellor ambassador judge justice king queen pope prince princess archbishop cardinal".split()
)
_PRONOUN = re.compile(
    r",? who\b|[^.!?\n“\"A-Z]*(?: (?:he|she|his|her|him)\b|[.] (?:He|She|His|Her)\b)"
)
_PLACE = re.compile(r"\b(?:in|from) \Z", re.IGNORECASE)
_DESCRIPTION = re.compile(
    rf", (?:an?|the) (?:[\w’'-]+ ){{0,5}}(?:agency|{'|'.join(COMPANIES | ORGANISATIONS)})"
    r"(?:,| (?:based|for|of|that|which)\b)"
)
"""An organisation after a name: ", the official news agency, "."""
_REACH = 80
"""Number of characters around a name that are read."""


class NameEvidence(NamedTuple):
    """What a text shows about a name of one word."""

    kind: Literal["person", "institution"]
    is_shown: bool
    """Whether words show the kind; without such words, an institution is more likely."""
    is_organisation: bool = False
    """Whether the words show an organisation and not only a place."""
    has_office: bool = False
    """Whether the title of a public office comes before the name."""


def evidence_of_name(text: str, name: str) -> NameEvidence:
    """Return what the places of a name of one word show about it."""
    places = [Span(*hit.span()) for hit in re.finditer(rf"\b{re.escape(name)}\b", text)]
    titles = [_title_before(text, place) for place in places]
    if any(title and title.word.rstrip(".") in _OFFICES for title in titles):
        return NameEvidence("person", is_shown=True, has_office=True)
    if any(titles) or any(_describes_person(text, place) for place in places):
        return NameEvidence("person", is_shown=True)
    is_organisation = any(_is_organisation(text, place) for place in places)
    is_place = any(_PLACE.search(text, max(0, each.start - 6), each.start) for each in places)
    is_person = any(_PRONOUN.match(text, each.end) for each in places)
    if is_person and not (is_organisation or is_place):
        return NameEvidence("person", is_shown=True)
    return NameEvidence("institution", is_organisation or is_place, is_organisation)


def is_name_of_group(name: str) -> bool:
    """Return whether a name has a plural of persons in the middle: "Old Soldiers Matter"."""
    inner = name.casefold().split()[1:-1]
    return any(
        is_plural(word) and (word == "lives" or UNITS.get(word) == "person") for word in inner
    )


def _title_before(text: str, place: Span) -> Token | None:
    """Return the title or the noun of a person directly before a name: "President", "miller"."""
    before = [*tokens(text, max(0, text.rfind("\n", 0, place.start)), place.start)]
    if not before or text[before[-1].end : place.start] != " ":
        return None
    last = before[-1]
    is_noun = means_person(last.word) and not is_plural(last.word)
    is_person = is_noun and last.word not in COMPANIES
    return last if "title" in last.classes or is_person else None


def _describes_person(text: str, place: Span) -> bool:
    """Return whether an age or the description of a person follows a name."""
    [*described] = tokens(text, place.end, introduction(text, place).span.end)
    words = {token.word for token in described}
    is_name = len(described) > 1 and described[1].is_capitalized
    is_list = is_name and "title" not in described[1].classes
    return bool(words) and not is_list and words.isdisjoint(COMPANIES | ORGANISATIONS | {"agency"})


def _is_organisation(text: str, place: Span) -> bool:
    """Return whether the words around a name show an organisation: "at Harrow", "a Harrow clerk"."""
    before = [*tokens(text, max(0, place.start - _REACH), place.start)][-1:]
    after = [*tokens(text, place.end, place.end + _REACH)][:1]
    is_owner = text.startswith(("'s", "’s"), place.end)
    is_at = before and before[-1].word == "at" and not is_owner
    is_called = before and before[-1].word in COMPANIES
    is_staff = after and text[place.end] == " " and means_person(after[0].word)
    is_described = _DESCRIPTION.match(text, place.end)
    return bool(is_at or is_called or is_described or (is_staff and not after[0].is_capitalized))
