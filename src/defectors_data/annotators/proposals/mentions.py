"""Mentions of persons proposed from the words of an article, with their roles."""

from __future__ import annotations

import re
from collections.abc import Collection

from defectors_data.annotators.introductions import introduction, names
from defectors_data.annotators.kinds_of_names import (
    follows_preposition,
    kind_and_name,
    names_others,
)
from defectors_data.annotators.proposals.ages import years
from defectors_data.annotators.proposals.likely_terms import most_alike
from defectors_data.annotators.proposals.proposal import Proposal
from defectors_data.evidence.anchors import contains_words
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.evidence.consistency import triggered
from defectors_data.models.annotation import NamedPerson, SharedPerson
from defectors_data.models.fields import LONGEST_SERVICE, OLDEST
from defectors_data.text.detection import is_age, states_age
from defectors_data.text.english import PARTY_NAME, expanded, means_person, rows
from defectors_data.text.english.pseudonyms import may_be_pseudonym
from defectors_data.text.english.sentences import tokens, without_titles
from defectors_data.text.offsets import Span, paragraphs_around
from defectors_data.text.similar_words import may_be_one_person, surname_of


def proposed_mention(document: Document, span: Span) -> Proposal:
    """Return the mention of a person in some words, with what they show about the speaker.

    The words of a ledger entry are replaced with the nearest introduction of a person.
    """
    span = nearest_introduction(document, span) or span
    text = document.text
    kind, name = kind_and_name(text, span)
    speaker = _known_speaker(document, span, name)
    known = document.speakers_by_id.get(speaker)
    if known and not name:
        kind = known.kind  # "Orr died aged 73"
    anonymity = anonymity_of(name) if kind == "person" else ""
    shown = _shown(document, span)
    if kind == "person":
        shown |= numbers_of_person(document, span)
    values = {
        "role": likely_role(document, span, kind),
        "speaker": speaker,
        "kind": kind,
        "anonymity": anonymity,
        "name": name,
    }
    for key in ("rank_class", "branch", "rank", "age", "years_of_service"):
        values[key] = shown.get(key, "")
    places = [each for each in names(text, span) if text[slice(*each)] == name]
    said = introduction(text, places[0]) if kind == "person" and places else None
    # Also of words that are a part of the introduction.
    is_printed = said is not None and contains_words(text[slice(*span)], said.affiliation)
    values["affiliation"] = said.affiliation if said and is_printed else ""
    return Proposal("mentions", (span,), values)


def anonymity_of(name: str) -> str:
    """Return how far a person with a printed name is named; a single name is part of one."""
    if not name:
        return "unnamed"
    return "named" if " " in name else "partial"


def pseudonym_possible(document: Document, role: str, name: str) -> str:
    """Return whether the only printed name of a person in a role may be a pseudonym, as YAML."""
    is_possible = role in document.context.roles_at_risk or may_be_pseudonym(document.text, name)
    return "true" if is_possible else "false"


def _known_speaker(document: Document, span: Span, name: str) -> str:
    """Return the id of the speaker with a name, or with the surname that words are; else ""."""
    known_name = without_titles(document.text, span)
    first = next(iter(names(document.text, span)), known_name)
    if first.start == known_name.start and not name:
        known_name = first
    words = document.text[slice(*known_name)]
    is_of_others = names_others(document.text, known_name, span)
    if not name:
        is_of_others |= follows_preposition([*tokens(document.text, *span)], known_name)
    for known, speaker in {**document.context.shared, **document.speakers_by_id}.items():
        called = getattr(speaker, "name", None) or ""
        is_person = isinstance(speaker, NamedPerson | SharedPerson)
        if is_person and is_of_others:
            continue
        is_surname = is_person and words == surname_of(called)
        is_name = called.casefold() in (name.casefold(), words.casefold())
        if called and (is_surname or is_name or may_be_one_person(called, name)):
            return known
    return ""


def _shown(document: Document, span: Span) -> dict[str, str]:
    """Return the attributes that triggers in some words show, by key."""
    shown = {}
    for key, options in document.context.triggers_by_attribute.items():
        for value, triggers in options.items():
            if triggered(document.text, [span], triggers):
                shown[key] = value
    return shown


def numbers_of_person(document: Document, span: Span) -> dict[str, str]:
    """Return the age and the years of service that some words state, by key."""
    found: dict[str, str] = {}
    for entry in ledger_of(document).within([span]):
        said = entry.detection.quantity
        if said and said.unit == "year" and not states_age(document.text, entry.detection):
            key, number = "years_of_service", years(entry.detection, LONGEST_SERVICE)
        elif is_age(document.text, entry.detection):
            key, number = "age", years(entry.detection, OLDEST)
        else:
            continue
        if number is not None:
            found.setdefault(key, str(number))
    return found


_BEFORE_PLACE = re.compile(
    r"\bthe \Z|"
    r"\b(?:in|from|near) (?:(?:downtown|central|nearby|(?:north|south|east|west)(?:ern)?) )?\Z",
    re.IGNORECASE,
)
"""Words before the name of a place or an organisation, and not before that of a person."""

_DATELINE = re.compile(r" ?[―—–] | - ")
"""What follows the place in a dateline."""


def nearest_introduction(document: Document, span: Span) -> Span | None:
    """Return the nearest introduction of a person in the paragraph, or None if there is none.

    A span that is not exactly that of a ledger entry is returned unchanged.
    """
    # The span of a ledger entry was usually selected with the key `n`; the annotator chose any
    # other span on purpose.
    entries = ledger_of(document).entries
    if not any(each.detection.span == span for each in entries):
        return span
    paragraph = paragraphs_around(document.text, span)
    full = [each for each in names(document.text, paragraph) if " " in document.text[slice(*each)]]
    quoted = ledger_of(document).quoted
    found = []
    for name in full:
        is_place = bool(_BEFORE_PLACE.search(document.text, paragraph.start, name.start))
        is_place |= name.start == paragraph.start and bool(_DATELINE.match(document.text, name.end))
        if not is_place and not quoted.contains(*name):
            found.append(introduction(document.text, name).span)
    return min(
        found, key=lambda each: max(each.start - span.end, span.start - each.end), default=None
    )


def likely_role(document: Document, span: Span, kind: str = "person") -> str:
    """Return the likely role; an organisation without a title in its name represents itself."""
    found = _role_in(document, span)
    known = {each.term for each in document.context.vocabulary.content.roles}
    is_itself = found == "other" and kind == "institution" and _ITSELF in known
    return _ITSELF if is_itself else found


_ITSELF = "representative"


def _role_in(document: Document, span: Span) -> str:
    """Return the role that a trigger in the words of a mention shows, or else a title in them: by
    the table of titles, or by the definitions of the roles. `other` if there is none.
    """
    triggers = document.context.triggers_by_attribute.get("role", {})
    shown = [role for role, words in triggers.items() if triggered(document.text, [span], words)]
    if shown:
        return shown[0] if len(shown) == 1 else "other"
    roles = document.context.vocabulary.content.roles
    known = {each.term for each in roles}
    if shown_by_title := role_of_title(document.text, span, known):
        return shown_by_title
    words = tokens(document.text, *_without_others(document.text, span))
    titles = {each.word for each in words if "title" in each.classes or each.word in _OFFICES}
    if any(word.startswith("spokes") for word in titles):
        titles |= {"spokesman", "spokeswoman", "spokesperson"}
    return most_alike(titles, roles) or "other"


def role_of_title(text: str, span: Span, known: Collection[str]) -> str:
    """Return the role, of those that are known, that a title in a mention shows; "" if none does."""
    mention = _OWNER.sub("", text[slice(*_without_others(text, span))])
    for row in rows("roles"):
        if row["role"] in known and re.search(expanded(row["pattern"]), mention, re.IGNORECASE):
            return row["role"]
    return ""


_OWNER = re.compile(rf"(?<!\S)(?!(?:{PARTY_NAME}|Cymru|Party)['’])\S+['’]s\b")
_OF_UNIVERSITY = re.compile(r"of (?:the )?[A-Z][^,]*\bUniversity\b")
_MEMBERS = frozenset("member members leader leaders founder founders head heads".split())


def _without_others(text: str, span: Span) -> Span:
    """Return a mention up to the person for whom its speaker works or to whom it is related: "a
    spokesman [for the governor]", but "a member of parliament", "a spokesman for the police".
    """
    last = None
    for token in tokens(text, *span):
        is_person = last is not None and means_person(last.word) and last.word not in _MEMBERS
        is_director = last is not None and last.word == "director"
        is_person &= not (is_director and _OF_UNIVERSITY.match(text, token.start, span.end))
        if is_person and token.word in ("for", "of", "to"):
            is_of_authority = _OF_AUTHORITY.match(text, token.start, span.end)
            if not (is_of_authority and last and last.word.startswith(_POSTS)):
                return Span(span.start, token.start)
        last = token
    return span


_POSTS = ("spokes", "director", "chair", "chief")
_OF_AUTHORITY = re.compile(
    r"(?:for|of) (?:the )?(?:[A-Z][\w’'.-]* )*(?:(?i:department|ministry|police|government|court"
    r"|embassy|(?:cabinet|foreign|home) office|treasury)|FBI|CIA|NSA"
    r"|Federal Reserve|White House|Pentagon|Kremlin)\b(?! [A-Z]| union)"
)
"""A public authority for which a person speaks: "for the Lamp Department"."""
_OFFICES = frozenset("lawyer official prosecutor".split())
