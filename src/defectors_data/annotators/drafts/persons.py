"""The person whom a name or a description means, and what the text shows about the person."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.annotators.drafts.drafted_records import DraftedRecords, DraftSpeaker, Person
from defectors_data.annotators.drafts.organisations import named_organisation
from defectors_data.annotators.drafts.printed_names import TitledName
from defectors_data.annotators.introductions import Introduction, introduction
from defectors_data.annotators.kinds_of_names import evidence_of_name, is_full_name_of_institution
from defectors_data.annotators.proposals.mentions import likely_role, pseudonym_possible
from defectors_data.annotators.record_ids import id_of_name
from defectors_data.evidence.completeness_ledger import quotations_of
from defectors_data.text.english.sentences import tokens, without_titles
from defectors_data.text.english.sources import descriptive_words
from defectors_data.text.offsets import Span, is_inside
from defectors_data.text.similar_words import has_surname, may_be_one_person, surname_of

_MALE = frozenset(
    "mr sir lord king prince brother father son husband man spokesman congressman".split()
)
_FEMALE = frozenset(
    "mrs ms miss lady dame queen princess sister mother daughter wife woman spokeswoman"
    " chairwoman congresswoman".split()
)
_CONTRASTS = frozenset(
    "acting assistant deputy elder first former junior late new next older other second senior vice"
    " younger".split()
)
"""Words by which a person differs from another one with the same title."""
_OF_FIELDS = frozenset("minister ministers secretaries secretary".split())
"""Nouns of posts that differ by their fields: "the foreign secretary" is not the home secretary."""
_LOWER = frozenset(("acting", "assistant", "deputy", "vice", "vice-presidential"))
POSSESSIVES = ("’s", "'s")
_REACH = 20
"""Number of characters before a name in which words for a gender are sought."""


def fits_pronoun(draft: DraftedRecords, pronoun: str, person: Person) -> bool:
    """Return whether no title, noun or given name shows the other gender: "Mrs. Orr"."""
    start = max(0, person.mention.start - _REACH)
    said = re.split(r"\n| and ", draft.text[start : person.mention.end])[-1]
    titles = draft.names.titles_of(surname_of(person.name) or person.name)
    words = [*re.findall(r"\w+", said), *titles]
    lower = {word.casefold() for word in words}
    described, _ = words_for(draft, person)
    if described.isdisjoint(_MALE) or described.isdisjoint(_FEMALE):
        lower |= described  # "representative" may be a man or a woman
    other, given = _MALE, "male"
    if pronoun == "he":
        other, given = _FEMALE, "female"
    first = next(tokens(person.name, 0, len(person.name))).classes
    is_other = person.is_named and given in first
    return lower.isdisjoint(other) and not is_other


def words_for(draft: DraftedRecords, person: Person) -> tuple[frozenset[str], set[str]]:
    """Return the words that describe a person at any place of the name, and all words there."""
    described = descriptive_words(draft.text, person.mention)
    printed = {token.word for token in tokens(draft.text, *person.mention)}
    if person.is_named:
        for titled in draft.names.titled:
            if _is_name_of(draft, titled, person):
                described |= titled.described
                printed |= titled.printed
    return described, printed | described


def _is_name_of(draft: DraftedRecords, titled: TitledName, person: Person) -> bool:
    """Return whether a name with a title is another form of a person's full name, or the
    surname after it, which nobody else has.
    """
    name = titled.name
    if may_be_one_person(name, person.name):
        return True
    is_after = person.mention.start < titled.words.start
    return is_after and name == surname_of(person.name) and draft.names.surnames[name] <= 1


def person_named(draft: DraftedRecords, head: Span) -> DraftSpeaker:
    """Return the person with a name, which may be part of the name of a known speaker; a name
    of one word may be that of an organisation.
    """
    name = draft.names.without_first_word(without_titles(draft.text, head))
    words = draft.words(name)
    known = [
        each for each in draft.speakers if each.kind == "person" and has_part(each.name, words)
    ]
    bearers = full_names(draft, name)
    if bearers:
        full = draft.words(bearers[-1])
        known = [each for each in known if _is_form(each.name, full, words)]
    if known:
        return known[0]
    name = next(reversed(bearers), draft.names.full_name(name)) or name
    words = draft.words(name)
    evidence = evidence_of_name(draft.text, words)
    is_whole = " " in words
    is_organisation = evidence.kind == "institution"
    if is_whole:
        is_organisation = is_full_name_of_institution(draft.text, name)
    if is_organisation:
        return named_organisation(draft, name, is_shown=is_whole or evidence.is_shown)
    found = draft.names.introduced.get(words) or _first_with_title(draft, name)
    is_public = is_whole or not _may_be_at_risk(draft, found.span, words)
    one = (draft.shared(words) or id_of_name(words)) if is_public else ""
    added = draft.added(one or draft.next("speaker-"), found.span, words)
    if one:
        added.affiliation = found.affiliation
    return added


def _first_with_title(draft: DraftedRecords, name: Span) -> Introduction:
    """Return the first introduction of a name with a title, such as "Pope Ada", up to its place."""
    words = draft.words(name)
    for place, found in draft.names.introductions.items():
        is_before = place.start < name.start and found.span != place
        if is_before and draft.words(place) == words:
            return found
    return introduction(draft.text, name)


def as_speaker(draft: DraftedRecords, person: Person) -> DraftSpeaker:
    """Return a person who was introduced, or is only a surname with a title, as a speaker."""
    if person.speaker:
        return person.speaker
    introduced = [
        each.name for each in draft.names.introduced.values() if each.span == person.mention
    ]
    placed = [name for name in draft.names.places if is_inside(name, [person.mention])]
    return person_named(draft, [*introduced, *reversed(placed)][0])


def _may_be_at_risk(draft: DraftedRecords, mention: Span, name: str) -> bool:
    role = likely_role(draft.document, mention)
    return pseudonym_possible(draft.document, role, name) == "true"


def full_names(draft: DraftedRecords, surname: Span) -> list[Span]:
    """Return the full names that a surname can be short for: of those before it, or else the
    first after it. Only one is left if the words show it: the one whose surname was printed
    alone before others were named, unless another one is near (`_last_of`).
    """
    words = draft.words(surname)
    bearers = dict[str, Span]()
    usual = ""
    for name in draft.names.places:
        full = draft.words(name)
        is_before = name.start < surname.start or not bearers
        if is_before and full == words and len(bearers) == 1:
            [usual] = bearers
        if is_before and has_surname(full, words) and not draft.names.is_of_organisation(name):
            forms = [each for each in bearers if may_be_one_person(each, full)]
            bearers[[*forms, full][0]] = name
    meant = [each for each in bearers.values() if _has_title(draft, surname, each)]
    if len(meant) == 1:
        return meant
    last, known = _last_of(draft, meant, surname), bearers.get(usual)
    is_open = last and known and last != known
    found = last or known
    return [found] if found in meant and not is_open else meant


def _has_title(draft: DraftedRecords, surname: Span, name: Span) -> bool:
    """Return whether the title before a surname, such as "Mrs.", fits a full name."""
    title = re.search(r"\b(Mr|Mrs|Ms|Miss)\.? $", draft.text[: surname.start][-_REACH:])
    pronoun = {"Mr": "he", None: ""}.get(title and title[1], "she")
    named = Person(draft.words(name), name, None)
    return not pronoun or fits_pronoun(draft, pronoun, named)


def _last_of(draft: DraftedRecords, bearers: Sequence[Span], surname: Span) -> Span | None:
    """Return the last of several persons who was named or spoke before a surname, if this was
    in its paragraph or in the last statement; a possessive does not count as naming.
    """
    places = []
    sources = [(each.source and each.source.head, each.speaker.name) for each in draft.statements]
    for name in bearers:
        full = draft.words(name)
        if not draft.text.startswith(POSSESSIVES, name.end):
            places.append((name, name))
        said = [place for place, who in sources if place and may_be_one_person(who, full)]
        places += [(place, name) for place in said]
    before = [(place, name) for place, name in places if place.end <= surname.start]
    place, last = max(before, default=(surname, None))
    is_near = "\n" not in draft.text[place.start : surname.start]
    is_near |= place in [source for source, _ in sources[-1:]]
    return last if is_near else None


def persons_called(
    draft: DraftedRecords, whole: Span, head: Span, *, is_group: bool
) -> list[Person]:
    """Return whom a description such as "the senator" can mean: those whose mention or title
    has its noun, and the names and words such as "former" in it.

    If only one of them has all its words, it means this one.
    """
    line = [token for token in tokens(draft.text, *head) if token.word != "the"]
    noun = line[-1]
    if not noun.means_person or noun.word in _CONTRASTS:
        return []
    needed = [each.word for each in line if each.is_capitalized or each.word in _CONTRASTS]
    after = {each.word for each in tokens(draft.text, head.end, whole.end)} - {"the"}
    all_words = {each.word for each in line} | after
    kind = "group" if is_group else "person"
    possible = []
    for person in _mentioned(draft):
        is_kind = person.speaker is None or person.speaker.kind == kind
        described, printed = words_for(draft, person)
        rest = [word for word in needed if word not in described | printed]
        is_kind &= (described & _LOWER) <= all_words
        is_kind &= noun.word not in _OF_FIELDS or len(line) == 1 or len(all_words & printed) > 1
        if is_kind and noun.word in described and not rest and after <= printed:
            possible.append((all_words <= printed, person))
    introduced = [each for each in possible if each[1].mention.start < head.start]
    possible = introduced or possible
    best = [person for is_whole, person in possible if is_whole]
    persons = [person for _, person in possible]
    return best if len(best) == 1 else persons


def _mentioned(draft: DraftedRecords) -> list[Person]:
    """Return the speakers, the persons with a full name, and surnames with titles of others."""
    found = [draft.as_person(each) for each in draft.speakers if each.kind == "group"]
    found += draft.persons()
    known = {surname_of(each.name) or each.name for each in found}
    for titled in draft.names.titled:
        if " " not in titled.name and titled.name not in known:
            found.append(Person(titled.name, titled.words, None))
    return found


def place_before(draft: DraftedRecords, person: Person, pronoun: Span) -> Span | None:
    """Return the last place of part of a name, or of an introduction, before a pronoun in its
    paragraph.
    """
    places = places_before(draft, person, pronoun)
    return places[-1] if places else None


def places_before(draft: DraftedRecords, person: Person, pronoun: Span) -> list[Span]:
    """Return all places of part of a name, or of an introduction, before a pronoun in its
    paragraph.
    """
    is_whole = not person.is_named or (person.speaker and person.speaker.kind != "person")
    parts = {person.name}
    if not is_whole:
        parts = {person.name.split()[0], surname_of(person.name) or person.name}
    pattern = rf"\b(?:{'|'.join(re.escape(part) for part in parts)})\b"
    start = draft.text.rfind("\n", 0, pronoun.start) + 1
    hits = re.compile(pattern).finditer(draft.text, start, pronoun.start)
    places = [Span(*hit.span()) for hit in hits]
    others = [each.mention for each in draft.speakers if each is not person.speaker]
    apart = [*quotations_of(draft.document), *(others if is_whole else ())]
    spoken = [each for each in places if not is_inside(each, apart)]
    return [each for each in spoken if is_whole or _is_of(draft, each, person)]


def _is_of(draft: DraftedRecords, surname: Span, person: Person) -> bool:
    """Return whether part of a name can mean a person: it is in no name of another person, and
    if it is a surname, it is not that of another one alone.
    """
    around = [each for each in draft.names.places if is_inside(surname, [each]) and each != surname]
    names = [draft.words(each) for each in around or full_names(draft, surname)]
    is_theirs = (
        _is_form(person.name, name, "") or has_surname(person.name, name) for name in names
    )
    return not names or any(is_theirs)


def has_part(name: str, words: str) -> bool:
    """Return whether words are a name, part of it or another form: "Bin Laden", "Ada J. Orr"."""
    is_part = words == name or words in name.split()
    is_end = name.casefold().endswith(f" {words.casefold()}")
    return is_part or is_end or may_be_one_person(words, name)


def _is_form(name: str, full: str, words: str) -> bool:
    """Return whether the name of a person is a full name, another form of it or certain words."""
    return name in (full, words) or may_be_one_person(name, full)
