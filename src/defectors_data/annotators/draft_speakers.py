"""The speakers of a first draft: who says each statement, as far as the words show it.

A name, an organisation, a group or the description of a person becomes a speaker. A pronoun means a
person who was named or spoke before. Where the words leave open who speaks, so does the draft.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from defectors_data.annotators.introductions import (
    Introduction,
    introduction,
    names,
    without_titles,
)
from defectors_data.annotators.kinds_of_names import (
    COMPANIES,
    ORGANISATIONS,
    evidence_of_name,
    institution_in,
    is_acronym,
    is_described_organisation,
    is_name_of_group,
    with_description,
    without_article,
)
from defectors_data.annotators.proposals import (
    Proposal,
    aged,
    anonymity_of,
    attributed_words,
    likely_role,
    role_of_title,
    years,
)
from defectors_data.annotators.record_yaml import UnusedIds, entry_yaml, id_of_name, record_yaml
from defectors_data.corpus.yaml_reader import scalar
from defectors_data.evidence.anchors import chosen_in_yaml, contains_words
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of, quotations_of
from defectors_data.evidence.free_text.known_words import known_names
from defectors_data.models.fields import OLDEST
from defectors_data.text.attributions import FoundAttribution
from defectors_data.text.attributions.proposed import writer_of
from defectors_data.text.detection import Detection, is_age
from defectors_data.text.english import is_plural, means_person, writings
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.english.sources import SourceWords, descriptive_words
from defectors_data.text.offsets import Span, is_inside, overlaps
from defectors_data.text.similar_words import may_be_one_person, surname_of


@dataclass
class DraftSpeaker:
    """A speaker of a draft."""

    id: str
    mention: Span
    mention_id: str
    name: str = ""
    kind: str = "person"
    affiliation: str = ""
    is_public: bool = False
    """Whether the title of a public office comes before the only name, as in "President Vane"."""
    others: list[tuple[str, Span]] = field(default_factory=list)
    """The ids and words of further mentions."""


class DraftStatement(NamedTuple):
    """A statement of a known speaker."""

    id: str
    speaker: DraftSpeaker
    spans: Sequence[Span]


class _Person(NamedTuple):
    """A person whom a pronoun can mean."""

    name: str
    """The name, or the words that introduce a person without a name."""
    mention: Span
    speaker: DraftSpeaker | None
    """None for a person who was introduced but has not spoken yet."""


_ADDRESSED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Gov|Governor|President|Rep|Sen|Senator)\.? ([A-Z][\w’'-]+)\b(?! [A-Z])"
)
_COLLECTIVES = frozenset(("audience", "crowd", "jury"))
_BODIES = _COLLECTIVES | frozenset(
    "agencies authorities companies groups organisations organizations".split()
)
_MALE = frozenset(
    "mr sir lord king prince brother father son husband man spokesman chairman congressman".split()
)
_FEMALE = frozenset(
    "mrs ms miss lady dame queen princess sister mother daughter wife woman spokeswoman"
    " chairwoman congresswoman".split()
)
_ENDS = re.compile(r"[.!?…][”\"’)]* ")
_STARTS = re.compile(r"(?:^|\n|[.!?…][”\"’)]?)\s*$")
_ABBREVIATED = re.compile(
    r"[DIR]-[A-Z]|(?:[A-Z][a-z]{0,2}|Ariz|Calif|Colo|Conn|Mass|Mich|Minn|Miss|Okla|Penn|Tenn|Wash)"
    r"\.(?:\W|$)|[A-Z]\b(?!\.)"
)
"""A party with a state, a state, or a letter: "R-Ohio", "Del."."""
_PARTIES = {"D": "democratic", "R": "republican", "I": "independent"}
_STATE = re.compile(
    r"(?:,? \(?(?P<party>[DRI])-| \(| of )(?P<state>[A-Z][a-z.A-Z]+(?: [A-Z][a-z]+)*)"
)
"""The state after a name, and the party: "Ada Orr (D-Ohio)", "Ada Orr of Ohio"."""
_AFTER_NAME = re.compile(r" \([DRI]-[A-Z][^()\n]{0,20}\)")
_NOT_NAMES = frozenset(
    "date determiner pronoun preposition conjunction subordinator adverb".split()
)
_SUBJECT_FORMS = {
    "his": "he",
    "him": "he",
    "her": "she",
    "its": "it",
    "their": "they",
    "them": "they",
}
_DOCUMENTS = frozenset("data document documents records report reports statistics".split())
_AUTHORITIES = frozenset("census federal government national official state".split())
_ROLES_OF_OFFICE = ("official", "politician")
_NOBODY = frozenset("no each every any neither".split())
_OF_NOBODY = ("appear", "seem", "turn", "happen", "is ", "was ", "has been ", "had been ")
_OF_NEWSPAPER = frozenset(("the article", "the editorial", "the paper", "the website", "the site"))
_QUOTES = frozenset('"“”')
_CONTRASTS = frozenset(
    "acting assistant deputy elder first former junior late new next older other second senior vice"
    " younger".split()
)
"""Words by which a person differs from another one with the same title."""
_LOWER = frozenset(("acting", "assistant", "deputy", "vice", "vice-presidential"))
_COMPLEMENT = re.compile(r" (?:of|for) ")
_ACRONYM = re.compile(r" \([A-Z]\w*[A-Z]\)")
_DESCRIBED = re.compile(r"^(?:[a-z][\w-]* )+(?=[A-Z])")
"""Words before the name of an institution: "the oil giant Harrow"."""
_WHOLE = frozenset(("Congress", "House", "Senate"))
"""Names of one word that are no short forms: the House is not the White House."""
_DETERMINER = re.compile(r"^(?:the|its|their|his|her|an?) ", re.IGNORECASE)
_POSSESSIVES = ("’s", "'s")
_REACH = 20
"""Number of characters before a name in which words for a gender are sought."""


class DraftSpeakers:
    """The speakers of a draft and their statements, which are added in reading order."""

    def __init__(self, document: Document, ids: UnusedIds) -> None:
        """Read the names in a document."""
        self.document, self.text, self.ids = document, document.text, ids
        self.found: list[DraftSpeaker] = []
        self.statements: list[DraftStatement] = []
        elsewhere = [*document.at(("source", "title")), *document.at(("source", "boilerplate"))]
        named = [each for each in names(self.text) if not is_inside(each, elsewhere)]
        self._printed = {self.text[slice(*each)] for each in named}
        self._names = [self._without_first_word(each) for each in named]
        alone = {self.text[slice(*each)] for each in self._names if not self._has_article(each)}
        addressed = set(_ADDRESSED.findall(self.text))
        self._introduced: dict[str, Introduction] = {}
        for name in self._names:
            words, found = self.text[slice(*name)], introduction(self.text, name)
            titles = [*tokens(self.text, found.span.start, name.start)]
            if titles and titles[-1].word in COMPANIES:
                continue  # "the oil giant Harrow Oil"
            has_nickname = not _QUOTES.isdisjoint(words)
            is_known = has_nickname or found.span != name or surname_of(words) in alone
            is_new = not any(may_be_one_person(words, each) for each in self._introduced)
            is_new &= not is_described_organisation(self.text, words)
            # "Orr Speech" is no person if the text has "Mr. Orr".
            is_new &= words.split()[0] not in addressed or surname_of(words) in alone
            if " " in words and is_known and is_new and not self._is_of_organisation(name):
                self._introduced[words] = found

    def _without_first_word(self, name: Span) -> Span:
        """Return the name of a person without an owner, "Orr's Ada Pelt", or a word that is no part
        of it, since the rest is printed alone: "Crooked Ada Orr", "Did Orr leave?", "Joining Orr".
        """
        words = self.text[slice(*name)]
        first, _, rest = words.partition(" ")
        is_alone = rest in self._printed and (" " in rest or self._is_no_name(first, words))
        is_owner = " " in rest and first.endswith(("’s", "'s"))
        if institution_in(self.text, name) or not (is_alone or is_owner):
            return name
        return Span(name.end - len(rest), name.end)

    def _is_no_name(self, first: str, words: str) -> bool:
        return self.text.count(words) == 1 and _is_verb_or_adverb(first)

    def next(self, beginning: str) -> str:
        """Return an unused id in its short form."""
        return self.ids.next(beginning).removeprefix(f"{self.document.source.id}-")

    def values(self, name: str, spans: Sequence[Span]) -> dict[str, str]:
        """Return the speaker of a statement, and the record that shows a speaker who is not named.

        The speaker is "" if the words leave it open.
        """
        found = attributed_words(self.document).attribution_of(spans[0])
        speaker = self._meant(found) if found else self._continued(spans[0])
        if speaker is None:
            return {"speaker": ""}
        links = {} if found else {"continues": self.statements[-1].id}
        if found and found.source:
            links = self._antecedent(found.source, speaker)
        self.statements.append(DraftStatement(name, speaker, spans))
        return {"speaker": speaker.id, **links}

    def _continued(self, span: Span) -> DraftSpeaker | None:
        """Return the last speaker if words without an attribution follow directly."""
        if not self.statements:
            return None
        last = self.statements[-1]
        attributed = attributed_words(self.document)
        before = attributed.before(span)
        if before:
            is_item = attributed.before(last.spans[0]) == before
            return last.speaker if is_item or overlaps(before.sentence, last.spans) else None
        # A quotation that fills the next paragraph continues a speech.
        found = attributed.attribution_of(last.spans[0])
        reached = last.spans[-1].end
        if found:
            reached = max(reached, found.sentence.end)
        between = self.text[reached : span.start]
        after = self.text[span.end :].partition("\n")[0]
        is_alone = "\n" in between and not re.search(r"\w", between + after)
        return last.speaker if is_alone else None

    def _meant(self, found: FoundAttribution) -> DraftSpeaker | None:
        """Return the speaker whom the source of an attribution means; None if it is open."""
        source = found.source
        if source is None:
            return None
        words = self.text[slice(*source.head)]
        last = words.split()[-1]
        noun = last.casefold()
        is_person = means_person(noun) and noun not in COMPANIES | ORGANISATIONS and " " in words
        if source.kind == "institution" and is_person and words.startswith(("the ", "The ")):
            return self._described(source, noun, is_group=False)  # "the Ohio Democrat"
        is_body = is_acronym(last) and source.kind != "group"  # not "Orr and the SVP"
        if source.kind == "institution" or is_body or noun in COMPANIES:
            if "." in last and self.text[: source.head.start].endswith(", "):
                return None  # "Washington, D.C."
            if noun in writings() or noun == "news":
                line = [*tokens(self.text, *source.head)]
                return self._writer(found, source.head) or self._document(source.head, line)
            if noun in ORGANISATIONS and words.startswith(("a ", "A ")):
                known = [each for each in self.found if overlaps(each.mention, [source.span])]
                return known[0] if known else self._new_group(source.span)
            return self._institution(source.head)
        if last in _COLLECTIVES:
            return self._described(source, noun, is_group=True)
        if source.kind == "pronoun":
            return self._of_pronoun(words.casefold(), source.head, found)
        if _is_country(words):
            return self._institution(source.head)
        is_group = source.kind == "group" or self._is_plural(source.head)
        if source.kind == "name" and not is_group:
            is_open = len(self._bearers(without_titles(self.text, source.head))) > 1
            return self._person(source.head) if self._is_name(source) and not is_open else None
        return self._described(source, noun, is_group=is_group)

    def _writer(self, found: FoundAttribution, writing: Span) -> DraftSpeaker | None:
        """Return who wrote a text: "a Harrow Times article", "a letter" that Orr sent, or "the
        article" of the newspaper that was quoted last.
        """
        words = self.text[slice(*writing)]
        named = [each for each in names(self.text, writing) if institution_in(self.text, each)]
        if named and words[-1].islower():
            return self._institution(named[-1])
        if writer := writer_of(self.text, writing):
            return self._meant(found._replace(source=writer))
        near = self._near_speakers(writing)
        is_last = bool(near) and near[-1].kind == "institution"
        return near[-1] if is_last and words.casefold() in _OF_NEWSPAPER else None

    def _document(self, head: Span, line: Sequence[Token]) -> DraftSpeaker | None:
        """Return what an authority publishes as a speaker: "federal data", but not "new data" or
        "the federal data", of which the text says elsewhere whose they are.
        """
        determiner = line[0].word if "determiner" in line[0].classes else ""
        [*shown] = filter(_is_of_authority, line[:-1])
        is_one = line[-1].word in _DOCUMENTS and determiner in ("", "a", "an")
        return self._institution(head) if is_one and shown else None

    def _new_group(self, words: Span) -> DraftSpeaker:
        return self._added(self.next("speaker-"), words, kind="group")

    def _is_plural(self, head: Span) -> bool:
        """Return whether what looks like a name is a plural noun: "Fishermen say"."""
        words = self.text[slice(*head)]
        noun = words.casefold()
        is_written_small = bool(re.search(rf"\b{re.escape(noun)}\b", self.text))
        is_noun = words.isalpha() and is_plural(noun) and (means_person(noun) or is_written_small)
        is_body = words.casefold() in _BODIES
        return is_body or (is_noun and not self._full_name(head))

    def _is_name(self, source: SourceWords) -> bool:
        """Return whether words are more than the first word of a sentence, as in "Writing"."""
        words = self.text[slice(*source.head)]
        if _ABBREVIATED.match(self.text, source.head.start):
            return False
        [*first] = tokens(self.text, source.head.start, source.head.end)
        if " " not in words and first[0].classes & _NOT_NAMES:
            return False
        if is_described_organisation(self.text, words):
            return True
        elsewhere = [each for each in self._names if each.start != source.head.start]
        named = [self.text[slice(*each)] for each in elsewhere]
        surnames = {surname_of(name) or name for name in named}
        verb, _, rest = words.partition(" ")
        if verb.endswith("ing") and rest in surnames and self.text.count(words) == 1:
            return False  # "Joining Orr"
        before = self.text[max(0, source.span.start - 5) : source.span.start]
        if " " in words or source.head.start > source.span.start or not _STARTS.search(before):
            return True
        return words in surnames

    # ---- kinds of sources ------------------------------------------------------------------------

    def _described(self, source: SourceWords, noun: str, *, is_group: bool) -> DraftSpeaker | None:
        """Return the person or group of a description such as "one keeper"; None if it is open."""
        head = source.head
        words = self.text[slice(*head)]
        # "members of the crew"
        whole = source.span if _COMPLEMENT.match(self.text, head.end) else head
        line = [*tokens(self.text, *head)]
        first, last = line[0], line[-1]
        if last.classes & _NOT_NAMES or first.word in _NOBODY:
            return None  # "What’s more", "no leader"
        if noun in _DOCUMENTS:
            return self._document(head, line)
        for found in self._introduced.values():
            if found.span.start == head.start and not is_group:
                return self._person(found.name)  # "the keeper, Ada Orr, said"
        is_definite = words.startswith(("the ", "The "))
        for each in reversed(self.found):
            mention = _COMPLEMENT.split(self.text[slice(*each.mention)])[0]
            if words.casefold() == mention.casefold():
                return each
        meant = self._called(whole, head, is_group=is_group) if is_definite else []
        if meant:
            return self._speaker_of(meant[0]) if len(meant) == 1 else None
        is_person = means_person(noun)
        if is_group and (is_person or noun in _BODIES or words.split()[-1][0].isupper()):
            return self._new_group(whole)
        # "the keeper" may be a person who spoke under a name.
        spoke = any(each.speaker.kind == "person" for each in self.statements)
        # A title without an article is that of a headline.
        is_definite |= not first.classes & {"determiner", "number"}
        is_new = is_person and not is_group and not (is_definite and spoke)
        return self._added(self.next("speaker-"), whole) if is_new else None

    def _called(self, whole: Span, head: Span, *, is_group: bool) -> list[_Person]:
        """Return whom a description such as "the senator" can mean: those whose mention or title
        has its noun, and the names and words such as "former" in it.

        If only one of them has all its words, it means this one.
        """
        line = [token for token in tokens(self.text, *head) if token.word != "the"]
        noun = line[-1]
        is_person = means_person(noun.word) or "title" in noun.classes
        if not is_person or noun.word in _CONTRASTS:
            return []
        needed = [each.word for each in line if each.is_capitalized or each.word in _CONTRASTS]
        after = {each.word for each in tokens(self.text, head.end, whole.end)} - {"the"}
        all_words = {each.word for each in line} | after
        kind = "group" if is_group else "person"
        possible = []
        for person in self._mentioned():
            is_kind = person.speaker is None or person.speaker.kind == kind
            described, printed = self._words_for(person)
            rest = [word for word in needed if word not in described]
            is_kind &= (described & _LOWER) <= all_words
            is_theirs = not rest or self._is_of_state(person, rest)
            if is_kind and noun.word in described and is_theirs and after <= printed:
                possible.append((all_words <= printed, person))
        best = [person for is_whole, person in possible if is_whole]
        return best if len(best) == 1 else [person for _, person in possible]

    def _mentioned(self) -> list[_Person]:
        """Return the speakers, the persons with a full name, and surnames with titles of others."""
        found = [self._as_person(each) for each in self.found if each.kind == "group"]
        found += self._persons()
        known = {surname_of(each.name) or each.name for each in found}
        for name, words in self._titled:
            if " " not in name and name not in known:
                found.append(_Person(name, words, None))
        return found

    def _words_for(self, person: _Person) -> tuple[frozenset[str], set[str]]:
        """Return the words that describe a person at any place of the name, and all words there."""
        places = [person.mention]
        if person.speaker is None or person.speaker.name:
            places += [span for name, span in self._titled if self._is_name_of(name, span, person)]
        described = frozenset[str]()
        printed = set[str]()
        for place in places:
            described |= descriptive_words(self.text, place)
            printed.update(token.word for token in tokens(self.text, *place))
        return described, printed | described

    def _is_name_of(self, name: str, words: Span, person: _Person) -> bool:
        """Return whether a name with a title is another form of a person's full name, or the
        surname after it, which nobody else has.
        """
        if may_be_one_person(name, person.name):
            return True
        surnames = [surname_of(each) for each in self._introduced]
        is_after = person.mention.start < words.start
        return is_after and name == surname_of(person.name) and surnames.count(name) <= 1

    def _is_of_state(self, person: _Person, words: Sequence[str]) -> bool:
        """Return whether words are the party or the state after a name: "the Ohio senator" for "Sen.
        Ada Orr (D-Ohio)".
        """
        for hit in _STATE.finditer(self.text):
            if self.text.endswith(person.name, 0, hit.start()):
                party = _PARTIES.get(hit["party"], "")
                state = " ".join(word for word in words if word != party)
                return not state or _abbreviates(hit["state"], state)
        return False

    @cached_property
    def _titled(self) -> list[tuple[str, Span]]:
        """The names with titles or descriptions at their places, and all these words."""
        found = []
        for name in self._names:
            words = introduction(self.text, name).span
            if words != name:
                found.append((self.text[slice(*name)], words))
        return found

    def _institution(self, head: Span) -> DraftSpeaker | None:
        """Return the organisation with a name, or the one that "the ministry" means; None if it is
        open.
        """
        words = without_article(self.text, head)
        if words.split()[-1][0].isupper():
            words = _DESCRIBED.sub("", words)
        named = Span(head.end - len(words), head.end)
        noun = words.split()[-1].casefold()
        known = [each for each in self.found if each.kind == "institution" and each.name]
        for each in known:
            is_acronym_of = f"{each.name} ({words})" in self.text  # "the Lamp Fund (LF)"
            if is_acronym_of or each.name.casefold() == words.casefold():
                return each
        short = noun if words == words.lower() else words.casefold()
        longer = [each for each in known if each.name.casefold().endswith(f" {short}")]
        if longer and not is_acronym(words):
            return longer[0] if len(longer) == 1 else None
        if words == words.lower() and noun in COMPANIES | ORGANISATIONS:
            return self._organisation_before(noun, head)
        named = self._longest_form(named)
        words = self.text[slice(*named)]
        one = self._shared(words) or id_of_name(words)
        acronym = _ACRONYM.match(self.text, named.end)
        mention = with_description(self.text, named)
        if acronym:
            mention = Span(mention.start, acronym.end())
        return self._added(one or self.next("speaker-"), mention, words, kind="institution")

    def _longest_form(self, named: Span) -> Span:
        """Return the name that a text shortens to one word, such as "Times", where it is printed in
        whole; the words as they are if it prints none or several.
        """
        words = self.text[slice(*named)].removeprefix("The ")
        longer: dict[str, Span] = {}
        for each in self._names:
            name = self.text[slice(*each)]
            if name.endswith(f" {words}") and institution_in(self.text, each):
                longer.setdefault(name, each)
        is_short = words.isalpha() and words.istitle() and words not in _WHOLE
        return next(iter(longer.values())) if is_short and len(longer) == 1 else named

    def _organisation_before(self, noun: str, head: Span) -> DraftSpeaker | None:
        """Return the organisation that "the company" can mean: the only one named in the paragraph
        before it, or else in the text before it; None if there are several or none.
        """
        spoken = quotations_of(self.document)
        outside = [each for each in self._names if not is_inside(each, spoken)]
        before = [each for each in outside if each.end <= head.start]
        paragraph = self.text.rfind("\n", 0, head.start)
        earlier = self.text.rfind("\n", 0, len(self.text[:paragraph].rstrip()))
        known = {each.name for each in self.found if each.kind == "institution"}
        for start in (self._sentence_before(head), paragraph, earlier, 0):
            possible = {}
            for name in before:
                words = self.text[slice(*name)]
                is_near = name.start >= max(start, 0) and (start > 0 or words in known)
                if is_near and _can_be(noun, words) and self._is_organisation(words, known):
                    possible[words] = name
            if possible:
                return self._named_organisation(*possible.values()) if len(possible) == 1 else None
        return None

    def _sentence_before(self, head: Span) -> int:
        """Return the start of the sentence before the one that contains some words."""
        paragraph = self.text.rfind("\n", 0, head.start) + 1
        ends = [hit.end() for hit in _ENDS.finditer(self.text, paragraph, head.start)]
        return ([paragraph, paragraph, *ends])[-2]

    def _is_organisation(self, name: str, known: Container[str]) -> bool:
        """Return whether a name is that of an institution in the draft, or certainly of one."""
        if name in known:
            return True
        if name in self._introduced or any(name == each.name for each in self.found):
            return False
        return evidence_of_name(self.text, name).is_organisation

    def _named_organisation(self, name: Span, *, is_shown: bool = True) -> DraftSpeaker:
        words = self.text[slice(*name)]
        for each in self.found:
            if each.kind == "institution" and each.name == words:
                return each
        # The id of what may be a person does not have the name.
        one = self._shared(words) or (id_of_name(words) if is_shown else "")
        mention = with_description(self.text, name)
        return self._added(one or self.next("speaker-"), mention, words, kind="institution")

    def _has_article(self, name: Span) -> bool:
        return self.text[: name.start].endswith(("the ", "The "))

    def _is_of_organisation(self, name: Span) -> bool:
        """Return whether a name follows an article or has a noun of an organisation."""
        words = [*tokens(self.text, *name)]
        has_noun = any("institution" in token.classes for token in words)
        return has_noun or self._has_article(name)

    def _person(self, head: Span) -> DraftSpeaker:
        """Return the person with a name, which may be part of the name of a known speaker; a name
        of one word may be that of an organisation.
        """
        name = self._without_first_word(without_titles(self.text, head))
        words = self.text[slice(*name)]
        known = [
            each for each in self.found if each.kind == "person" and _has_part(each.name, words)
        ]
        if bearers := self._bearers(name):
            full = self.text[slice(*bearers[-1])]
            known = [each for each in known if _is_form(each.name, full, words)]
        if known:
            return known[0]
        name = next(reversed(bearers), self._full_name(name)) or name
        words = self.text[slice(*name)]
        evidence = evidence_of_name(self.text, words)
        is_whole = " " in words
        is_organisation = is_name_of_group(words) or is_described_organisation(self.text, words)
        is_organisation |= not is_whole and evidence.kind == "institution"
        if is_organisation:
            return self._named_organisation(name, is_shown=is_whole or evidence.is_shown)
        found = self._introduced.get(words) or introduction(self.text, name)
        is_public = not is_whole and evidence.has_office and not self._may_be_at_risk(found.span)
        one = (self._shared(words) or id_of_name(words)) if is_whole or is_public else ""
        added = self._added(one or self.next("speaker-"), found.span, words)
        added.is_public = is_public
        if one:
            added.affiliation = found.affiliation
        return added

    def _may_be_at_risk(self, mention: Span) -> bool:
        return likely_role(self.document, mention) in self.document.context.roles_at_risk

    def _full_name(self, surname: Span) -> Span | None:
        """Return the last full name with a surname before its place, or else the first after it; a
        first name means a person who is introduced.
        """
        words = self.text[slice(*surname)]
        persons = [each for each in self._names if not self._is_of_organisation(each)]
        full = []
        for name in persons:
            printed = self.text[slice(*name)]
            if surname_of(printed) == words or printed.endswith(f" {words}"):
                full.append(name)
        for known in self._introduced:
            if known.startswith(f"{words} ") and not full:
                full = [each for each in persons if self.text[slice(*each)] == known]
        before = [each for each in full if each.start < surname.start]
        return next(iter([*before[-1:], *full]), None)

    def _bearers(self, surname: Span) -> list[Span]:
        """Return the full names that a surname can be short for: of those before it, or else the
        first after it. Only one is left if the words show it: the one whose surname was printed
        alone before others were named, unless another one is near (`_last_of`).
        """
        words = self.text[slice(*surname)]
        bearers = dict[str, Span]()
        usual = ""
        for name in self._names:
            full = self.text[slice(*name)]
            is_before = name.start < surname.start or not bearers
            if is_before and full == words and len(bearers) == 1:
                [usual] = bearers
            if is_before and surname_of(full) == words and not self._is_of_organisation(name):
                forms = [each for each in bearers if may_be_one_person(each, full)]
                bearers[[*forms, full][0]] = name
        meant = [each for each in bearers.values() if self._has_title(surname, each)]
        if len(meant) == 1:
            return meant
        last, known = self._last_of(meant, surname), bearers.get(usual)
        is_open = last and known and last != known
        found = last or known
        return [found] if found in meant and not is_open else meant

    def _has_title(self, surname: Span, name: Span) -> bool:
        """Return whether the title before a surname, such as "Mrs.", fits a full name."""
        title = re.search(r"\b(Mr|Mrs|Ms|Miss)\.? $", self.text[: surname.start][-_REACH:])
        pronoun = {"Mr": "he", None: ""}.get(title and title[1], "she")
        named = _Person(self.text[slice(*name)], name, None)
        return not pronoun or self._fits(pronoun, named)

    def _last_of(self, bearers: Sequence[Span], surname: Span) -> Span | None:
        """Return the last of several persons who was named or spoke before a surname, if this was
        in its paragraph or in the last statement; a possessive does not count as naming.
        """
        places = []
        sources = [(self._source_of(each), each.speaker.name) for each in self.statements]
        for name in bearers:
            full = self.text[slice(*name)]
            if not self.text.startswith(_POSSESSIVES, name.end):
                places.append((name, name))
            said = [place for place, who in sources if place and may_be_one_person(who, full)]
            places += [(place, name) for place in said]
        before = [(place, name) for place, name in places if place.end <= surname.start]
        place, last = max(before, default=(surname, None))
        is_near = "\n" not in self.text[place.start : surname.start]
        is_near |= place in [source for source, _ in sources[-1:]]
        return last if is_near else None

    def _shared(self, name: str) -> str:
        """Return the id of the shared speaker with a name, or ""."""
        for speaker in self.document.context.shared.values():
            if speaker.name == name or may_be_one_person(speaker.name, name):
                return speaker.id
        return ""

    def _added(
        self, name: str, mention: Span, printed: str = "", *, kind: str = "person"
    ) -> DraftSpeaker:
        self.found.append(DraftSpeaker(name, mention, self.next("m"), printed, kind))
        return self.found[-1]

    # ---- pronouns --------------------------------------------------------------------------------

    def _of_pronoun(self, word: str, pronoun: Span, found: FoundAttribution) -> DraftSpeaker | None:
        """Return the speaker whom a pronoun means; None if it is open."""
        word = _SUBJECT_FORMS.get(word, word)
        if word in ("he", "she"):
            told = self._addressed(found)
            persons = [each for each in self._persons() if self._fits(word, each)]
            if told:
                persons = [each for each in persons if not _has_part(each.name, told)]
            named = self._named_before(persons, pronoun)
            last = named or self._last(persons, pronoun, found.sentence)
            return last or self._only_one(persons, pronoun, found.sentence)
        near = self._near_speakers(pronoun)
        if not near:
            return None
        last = near[-1]
        if word == "they":
            between = self.text[self.statements[-1].spans[-1].end : pronoun.start]
            is_first = "\n" not in between or between.endswith("\n")
            is_near = is_first or self._is_quoted(found)
            return last if is_near and last.kind in ("group", "institution") else None
        if word != "it" or self.text[slice(*found.cue)].casefold().startswith(_OF_NOBODY):
            return None
        spoke = [each for each in near if each.kind == "institution"]
        is_only = all(each is spoke[0] for each in spoke) and self._is_quoted(found)
        return spoke[-1] if spoke and (last is spoke[-1] or is_only) else None

    def _addressed(self, found: FoundAttribution) -> str:
        """Return the name directly after a verb, as in "he asked Orr", who is not "he"; else ""."""
        after = names(self.text, Span(found.cue.end, found.sentence.end))[:1]
        is_next = bool(after) and self.text[found.cue.end : after[0].start].isspace()
        return self.text[slice(*after[0])] if is_next else ""

    def _near_speakers(self, words: Span) -> list[DraftSpeaker]:
        """Return the speakers of the statements before some words in their paragraph and in the one
        before it, in order.
        """
        ends = [(each.spans[-1].end, each.speaker) for each in self.statements]
        between = [(self.text[end : words.start], speaker) for end, speaker in ends]
        return [speaker for part, speaker in between if len(re.findall(r"\n+", part)) <= 1]

    def _is_quoted(self, found: FoundAttribution) -> bool:
        return any(overlaps(each, found.content) for each in quotations_of(self.document))

    def _as_person(self, speaker: DraftSpeaker) -> _Person:
        name = speaker.name or self.text[slice(*speaker.mention)]
        return _Person(name, speaker.mention, speaker)

    def _persons(self) -> Iterator[_Person]:
        known = [each for each in self.found if each.kind == "person"]
        yield from map(self._as_person, known)
        for name, found in self._introduced.items():
            if not any(may_be_one_person(each.name, name) for each in known):
                yield _Person(name, found.span, None)

    def _fits(self, pronoun: str, person: _Person) -> bool:
        """Return whether no title, noun or given name shows the other gender: "Mrs. Orr"."""
        start = max(0, person.mention.start - _REACH)
        said = re.split(r"\n| and ", self.text[start : person.mention.end])[-1]
        surname = re.escape(surname_of(person.name) or person.name)
        titles = re.findall(rf"\b(Mr|Mrs|Ms|Miss|Sir|Lady)\b\.? (?:\w+ )?{surname}\b", self.text)
        words = [*re.findall(r"\w+", said), *titles]
        lower = {word.casefold() for word in words}
        described, _ = self._words_for(person)
        if described.isdisjoint(_MALE) or described.isdisjoint(_FEMALE):
            lower |= described  # "representative" may be a man or a woman
        other, given = _MALE, "male"
        if pronoun == "he":
            other, given = _FEMALE, "female"
        first = next(tokens(person.name, 0, len(person.name))).classes
        is_other = bool(person.speaker is None or person.speaker.name) and given in first
        return lower.isdisjoint(other) and not is_other

    def _named_before(self, persons: Sequence[_Person], pronoun: Span) -> DraftSpeaker | None:
        """Return the person who is named last before a pronoun in its paragraph."""
        places = [(self._place_before(each, pronoun), each) for each in persons]
        found = []
        for i, (place, _) in enumerate(places):
            if place:
                is_subject = not self.text.startswith(_POSSESSIVES, place.end)
                found.append((is_subject, place.start, i))
        return self._speaker_of(persons[max(found)[-1]]) if found else None

    def _speaker_of(self, person: _Person) -> DraftSpeaker:
        """Return a person who was introduced, or is only a surname with a title, as a speaker."""
        if person.speaker:
            return person.speaker
        introduced = [
            each.name for each in self._introduced.values() if each.span == person.mention
        ]
        placed = [name for name in self._names if is_inside(name, [person.mention])]
        return self._person([*introduced, *reversed(placed)][0])

    def _only_one(
        self, persons: Sequence[_Person], pronoun: Span, sentence: Span
    ) -> DraftSpeaker | None:
        """Return the person who alone is named in the paragraph before that of a pronoun."""
        start = self.text.rfind("\n", 0, pronoun.start)
        end = len(self.text[: max(start, 0)].rstrip())
        near = [each for each in persons if self._place_before(each, Span(end, end))]
        spoke = [each for each in self._near_speakers(pronoun) if each.kind != "group"]
        fitting = [each.speaker for each in persons]
        said = [each for each in spoke if each in fitting or each.kind != "person"]
        [only] = near if len(near) == 1 else [None]
        is_open = self._has_person(Span(sentence.start, pronoun.start))
        if only is None or is_open or any(each is not only.speaker for each in said):
            return None
        return self._speaker_of(only)

    def _has_person(self, words: Span) -> bool:
        """Return whether words outside quotation marks have a noun for a person."""
        found = [Span(*hit.span()) for hit in re.compile(r"\w+").finditer(self.text, *words)]
        outside = [each for each in found if not is_inside(each, quotations_of(self.document))]
        return any(means_person(self.text[slice(*each)].casefold()) for each in outside)

    def _place_before(self, person: _Person, pronoun: Span) -> Span | None:
        """Return the last place of part of a name, or of an introduction, before a pronoun in its
        paragraph.
        """
        is_named = person.speaker is None or person.speaker.name
        is_whole = not is_named or (person.speaker and person.speaker.kind != "person")
        parts = {person.name}
        if not is_whole:
            parts = {person.name.split()[0], surname_of(person.name) or person.name}
        pattern = rf"\b(?:{'|'.join(re.escape(part) for part in parts)})\b"
        start = self.text.rfind("\n", 0, pronoun.start) + 1
        hits = re.compile(pattern).finditer(self.text, start, pronoun.start)
        places = [Span(*hit.span()) for hit in hits]
        spoken = [each for each in places if not is_inside(each, quotations_of(self.document))]
        meant = [each for each in spoken if is_whole or self._is_of(each, person)]
        return meant[-1] if meant else None

    def _is_of(self, surname: Span, person: _Person) -> bool:
        """Return whether part of a name can mean a person: it is in no name of another person, and
        if it is a surname, it is not that of another one alone.
        """
        around = [each for each in self._names if is_inside(surname, [each]) and each != surname]
        names = [self.text[slice(*each)] for each in around or self._bearers(surname)]
        return not names or any(_is_form(person.name, name, "") for name in names)

    def _last(
        self, persons: Sequence[_Person], pronoun: Span, sentence: Span
    ) -> DraftSpeaker | None:
        """Return the last speaker, unless another person is mentioned before the pronoun."""
        if not self.statements:
            return None
        last = self.statements[-1]
        since = Span(last.spans[-1].end, pronoun.start)
        named = [each.name for each in persons if each.speaker is not last.speaker]
        places = [self._introduced[name].name for name in named if name in self._introduced]
        is_open = any(is_inside(place, [since]) for place in places)
        is_open |= self._has_person(Span(sentence.start, pronoun.start))
        is_possible = any(each.speaker is last.speaker for each in persons)
        return last.speaker if is_possible and not is_open else None

    def _antecedent(self, source: SourceWords, speaker: DraftSpeaker) -> dict[str, str]:
        """Return the mention or the testimony that shows the speaker of words without a name."""
        words = self.text[slice(*source.head)]
        if speaker.name and contains_words(words, speaker.name):
            return {}
        if self._is_short_form(source, speaker):
            return {}
        is_near = words.casefold() in ("he", "she", "his", "her")
        if is_near or (speaker.name and words.startswith(("the ", "The "))):
            named = self._place_before(self._as_person(speaker), source.head)
            for other, place in speaker.others:
                if place == named:
                    return {"antecedent": other}
            if named and not self._is_in_records(named, speaker):
                mention = self.next("m")
                speaker.others.append((mention, named))
                return {"antecedent": mention}
        if source.kind != "pronoun" and not words.startswith(("the ", "The ")):
            return {}
        for statement in reversed(self.statements):
            if statement.speaker is speaker and statement.spans[-1].end <= source.head.start:
                return {"antecedent": statement.id}
        if speaker.mention.end <= source.head.start:
            return {"antecedent": speaker.mention_id}
        return {}

    def antecedent_of_surname(self, name: str) -> str:
        """Return the last mention or testimony before the words of a testimony in which only the
        surname of two speakers is written; "" for other testimonies.
        """
        found = [each for each in self.statements if each.id == name]
        head = self._source_of(found[0]) if found else None
        if head is None:
            return ""
        speaker, words = found[0].speaker, self.text[slice(*head)]
        surname = surname_of(speaker.name)
        namesakes = [each for each in self.found if surname and surname_of(each.name) == surname]
        is_named = contains_words(words, speaker.name) or is_inside(head, [speaker.mention])
        is_shared = namesakes not in ([], [speaker])
        if not is_shared or is_named or not contains_words(words, surname):
            return ""
        places = [(speaker.mention.end, speaker.mention_id)]
        places += [(place.end, mention) for mention, place in speaker.others]
        for each in self.statements:
            source = self._source_of(each) if each.speaker is speaker else None
            if source and source != head:
                places.append((source.end, each.id))
        return max([(end, each) for end, each in places if end <= head.start], default=(0, ""))[1]

    def _source_of(self, statement: DraftStatement) -> Span | None:
        found = attributed_words(self.document).attribution_of(statement.spans[0])
        return found.source.head if found and found.source else None

    def _is_short_form(self, source: SourceWords, speaker: DraftSpeaker) -> bool:
        """Return whether words are a short form of the name of an organisation, such as "the Times",
        and no other speaker is mentioned so. Its first place becomes a mention.
        """
        words = without_article(self.text, source.head).removeprefix("The ")
        is_name = words[0].isupper() and speaker.name.endswith(f" {words}")
        if speaker.kind != "institution" or not is_name:
            return False
        others = [each for each in self.found if each is not speaker]
        if any(contains_words(self.text[slice(*each.mention)], words) for each in others):
            return False
        short = Span(source.head.end - len(words), source.head.end)
        if not any(self.text[slice(*place)] == words for _, place in speaker.others):
            speaker.others.append((self.next("m"), short))
        return True

    def _is_in_records(self, span: Span, speaker: DraftSpeaker) -> bool:
        """Return whether words are in the mention, a testimony or an attribution of a speaker."""
        places = [speaker.mention]
        for statement in self.statements:
            found = attributed_words(self.document).attribution_of(statement.spans[0])
            if statement.speaker is speaker:
                places += statement.spans
                places += [found.source.span] if found and found.source else []
        return overlaps(span, places)

    # ---- entries ---------------------------------------------------------------------------------

    def age(self, speaker: DraftSpeaker) -> Detection | None:
        """Return the number that states the age in a mention; None for a protected speaker."""
        return self._age_in(speaker.mention) if self._is_named(speaker) else None

    def _is_named(self, speaker: DraftSpeaker) -> bool:
        return bool(speaker.name) and not speaker.id.startswith("speaker-")

    def _age_in(self, mention: Span) -> Detection | None:
        for entry in ledger_of(self.document).within([mention]):
            found = entry.detection
            if years(found, OLDEST) is not None and is_age(self.text, found):
                return found
        return None

    def add_age(self, found: Detection) -> bool:
        """Add the mention of a named speaker with an age, as in "Arden, 31"; return whether the
        number is one.
        """
        mention = aged(self.text, found)
        if not mention or mention.start == found.start:
            return False
        surname = self.text[mention.start : found.start].rstrip(", ").split()[-1]
        for speaker in self.found:
            if self._is_named(speaker) and surname in (surname_of(speaker.name), speaker.name):
                speaker.others.append((self.next("m"), mention))
                return True
        return False

    def _role(self, speaker: DraftSpeaker) -> tuple[str, str]:
        """Return the role of a speaker, and the words elsewhere that show it, as `attested_by`."""
        roles = {each.term for each in self.document.context.vocabulary.content.roles}
        if speaker.kind == "institution" and _is_country(speaker.name) and "official" in roles:
            return "official", ""
        role = likely_role(self.document, speaker.mention, speaker.kind)
        if role != "other" or speaker.kind != "person" or not self._is_named(speaker):
            return role, ""
        for words in self._introductions(speaker):
            shown = likely_role(self.document, words)
            if shown != "other":
                return shown, f"{{role: {chosen_in_yaml(words, self.text)}}}"
        return role, ""

    def may_accuse(self, speaker: str) -> bool:
        """Return whether a speaker is an organisation, or a title shows an office or a party."""
        found = next((each for each in self.found if each.id == speaker), None)
        if found is None or found.kind == "institution":
            return found is not None
        places = [found.mention, *self._introductions(found)]
        return any(role_of_title(self.text, place, _ROLES_OF_OFFICE) for place in places)

    def _introductions(self, speaker: DraftSpeaker) -> Iterator[Span]:
        """Yield the introductions of a person, with the party after the name, and what the text
        calls their campaign and, before a verb of speech, themselves.
        """
        surname = surname_of(speaker.name) or speaker.name
        namesakes = {self.text[slice(*each)] for each in self._names} - {speaker.name, surname}
        theirs = {speaker.name}
        if all(name.split()[-1] != surname for name in namesakes):
            theirs.add(surname)
        called = "|".join(re.escape(name) for name in sorted(theirs, reverse=True))
        campaigns = rf"\b(?:{called})(?:['’]s)?(?: presidential)? campaign\b"
        yield from (Span(*hit.span()) for hit in re.finditer(campaigns, self.text))
        for place in self._names:
            if self.text[slice(*place)] in theirs:
                yield introduction(self.text, place).span
                if party := _AFTER_NAME.match(self.text, place.end):
                    yield Span(place.start, party.end())
        for statement in self.statements:
            found = attributed_words(self.document).attribution_of(statement.spans[0])
            if statement.speaker is speaker and found and found.source:
                yield found.source.head  # "the GOP nominee"

    def entry(self, speaker: DraftSpeaker) -> str:
        """Return the entry of a speaker as YAML."""
        role, attested = self._role(speaker)
        mentions = []
        for name, words in [(speaker.mention_id, speaker.mention), *speaker.others]:
            found = self._age_in(words) if self._is_named(speaker) else None
            stated = {"age": str(years(found, OLDEST))} if found else {}
            if words == speaker.mention:
                stated["affiliation"] = speaker.affiliation
                stated["attested_by"] = attested
            proposal = Proposal("mentions", (words,), stated)
            mentions.append(record_yaml(self.document, proposal, name))
        if speaker.id in self.document.context.shared:
            return entry_yaml({"use": speaker.id, "draft": "true"}, *mentions)
        values = {"id": speaker.id, "draft": "true", "kind": speaker.kind}
        values["role"] = role
        if speaker.kind == "person":
            values["anonymity"] = anonymity_of(speaker.name)
        if speaker.name:
            values["name"] = scalar(speaker.name)
            if speaker.kind == "person" and values["anonymity"] == "partial":
                values["pseudonym_possible"] = "false" if speaker.is_public else "true"
        return entry_yaml(values, *mentions)


def _has_part(name: str, words: str) -> bool:
    """Return whether words are a name, part of it or another form: "Bin Laden", "Ada J. Orr"."""
    is_part = words == name or words in name.split()
    is_end = name.casefold().endswith(f" {words.casefold()}")
    return is_part or is_end or may_be_one_person(words, name)


def _is_of_authority(token: Token) -> bool:
    return token.word in _AUTHORITIES or (
        "institution" in token.classes and not token.is_capitalized
    )


def _is_form(name: str, full: str, words: str) -> bool:
    """Return whether the name of a person is a full name, another form of it or certain words."""
    return name in (full, words) or may_be_one_person(name, full)


_ADVERB = re.compile(r"\w{3,}(?:ing|al|nt|ate|ed|ab|ous|ive|ful|ar)ly")


def _is_verb_or_adverb(word: str) -> bool:
    """Return whether a word may be a verb or an adverb: "Did", "Joining", "Interestingly"."""
    first = next(tokens(word.lower(), 0, len(word)))
    is_verb = "auxiliary" in first.classes or word.endswith("ing")
    return is_verb or _ADVERB.fullmatch(word) is not None


def _abbreviates(short: str, words: str) -> bool:
    """Return whether letters such as "N.Y.", "Vt." and "Ohio" can be short for words in lower case."""
    letters = re.findall(r"[a-z]", short.casefold())
    first = [word[0] for word in words.split()]
    if len(first) > 1 and len(letters) == len(first):
        return letters == first
    rest = iter(words)
    return letters[0] == words[0] and all(letter in rest for letter in letters)


def _is_country(words: str) -> bool:
    """Return whether words are the name of a country, which is the name of its government, too."""
    return _DETERMINER.sub("", words) in known_names()["countries"]


def _can_be(noun: str, name: str) -> bool:
    """Return whether a name can be that of a company, or of a group: no department, no workers."""
    words = name.casefold().replace("-", " ").replace(".", "").split()
    nouns = COMPANIES if noun in COMPANIES else ORGANISATIONS
    classes = {word for token in tokens(" ".join(words), 0, len(name)) for word in token.classes}
    is_other = "institution" in classes and nouns.isdisjoint(words)
    is_of_persons = noun in COMPANIES and is_plural(words[-1]) and means_person(words[-1])
    return not (is_other or is_of_persons)
