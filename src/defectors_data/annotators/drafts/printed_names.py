"""The names that a text prints, and the persons whom it introduces."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from typing import NamedTuple

from defectors_data.annotators.introductions import Introduction, introduction, names
from defectors_data.annotators.kinds_of_names import institution_in, is_given
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.free_text.known_words import known_names
from defectors_data.text.english.sentences import tokens
from defectors_data.text.english.sources import descriptive_words
from defectors_data.text.offsets import Span, is_inside
from defectors_data.text.similar_words import has_surname, may_be_one_person, surname_of

_ADDRESSED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Gov|Governor|President|Rep|Sen|Senator)\.? ([A-Z][\w’'-]+)\b(?! [A-Z])"
)
_TITLE, _GIVEN = re.compile(r"\b(Mr|Mrs|Ms|Miss|Sir|Lady)\b\.? "), re.compile(r"\w+ ")
_BOUNDARY = re.compile(r"\b")
_OWNED = re.compile(r".*['’]s (.+)")
"""An owner and what they own: "New Harrow’s Ada Orr"."""


class TitledName(NamedTuple):
    """A place of a name with a title or a description."""

    name: str
    words: Span
    """The name with the title and the description."""
    described: frozenset[str]
    """The words that describe the person, in lower case."""
    printed: frozenset[str]
    """All words, in lower case."""


class PrintedNames:
    """The places of all names in a text, and the introductions of persons with a full name."""

    def __init__(self, document: Document) -> None:
        """Read the names in a document, outside its title, subtitle and boilerplate."""
        self.text = document.text
        elsewhere = list[Span]()
        for key in ("title", "subtitle", "boilerplate"):
            elsewhere += document.at(("source", key))
        named = [each for each in names(self.text) if not is_inside(each, elsewhere)]
        self._printed = {self.text[slice(*each)] for each in named}
        self.places = [self.without_first_word(each) for each in named]
        alone = {self.text[slice(*each)] for each in self.places if not self._has_article(each)}
        addressed = set(_ADDRESSED.findall(self.text))
        self.introductions = {name: introduction(self.text, name) for name in self.places}
        """The introduction with each name, by the place of the name."""
        self.introduced: dict[str, Introduction] = {}
        for name, found in self.introductions.items():
            words = self.text[slice(*name)]
            is_known = found.span != name or surname_of(words) in alone
            # "A keeper at the mill, Alice Orr, left."
            is_apart = self.text[name.start - 2 : name.start] == ", " == self.text[name.end :][:2]
            is_known |= is_apart and is_given(words.partition(" ")[0])
            if " " not in words or not is_known or self.is_of_organisation(name):
                continue
            if self._is_post(name):
                continue
            # "Orr Speech" is no person if the text has "Mr. Orr".
            is_new = words.split()[0] not in addressed or surname_of(words) in alone
            is_new &= not any(may_be_one_person(words, each) for each in self.introduced)
            if is_new:
                self.introduced[words] = found

    def without_first_word(self, name: Span) -> Span:
        """Return the name of a person without an owner, "Orr's Ada Pelt", or a word that is no part
        of it, since the rest is printed alone: "Crooked Ada Orr", "Did Orr leave?", "Joining Orr".
        """
        words = self.text[slice(*name)]
        if owned := _OWNED.fullmatch(words):
            rest = owned[1]
            is_country = words.removesuffix(rest)[:-3] in known_names()["countries"]
            is_alone, is_owner = rest in self._printed, " " in rest or is_country
        else:
            rest = words.partition(" ")[2]
            is_alone = rest in self._printed and " " in rest
            is_owner = False
        if institution_in(self.text, name) or not (is_alone or is_owner):
            return name
        return Span(name.end - len(rest), name.end)

    def _has_article(self, name: Span) -> bool:
        return self.text[: name.start].endswith(("the ", "The "))

    def _is_post(self, name: Span) -> bool:
        """Return whether what looks like a name is a post: "The Lamp Commissioner, Ada Orr"."""
        first, *_, last = [*tokens(self.text, *name)] * 2
        return "title" in last.classes and not first.classes & {"female", "male"}

    def is_of_organisation(self, name: Span) -> bool:
        """Return whether a name follows an article or has a noun of an organisation."""
        words = [*tokens(self.text, *name)]
        has_noun = any("institution" in token.classes for token in words)
        return has_noun or self._has_article(name)

    @cached_property
    def surnames(self) -> Counter[str]:
        """The number of introduced persons by their surname."""
        return Counter(surname_of(name) for name in self.introduced)

    @cached_property
    def titled(self) -> list[TitledName]:
        """The names with titles or descriptions at their places."""
        found = []
        for name, introduced in self.introductions.items():
            words = introduced.span
            is_post = self._is_post(name) and self.text[: words.start].endswith(("the ", "The "))
            if words != name and not is_post:
                printed = frozenset(token.word for token in tokens(self.text, *words))
                described = descriptive_words(self.text, words)
                found.append(TitledName(self.text[slice(*name)], words, described, printed))
        return found

    @cached_property
    def _after_titles(self) -> list[tuple[str, int]]:
        """The titles that show a gender, and the offsets after them and after one more word."""
        found = []
        for title in _TITLE.finditer(self.text):
            found.append((title[1], title.end()))
            if given := _GIVEN.match(self.text, title.end()):
                found.append((title[1], given.end()))
        return found

    def titles_of(self, name: str) -> list[str]:
        """Return the titles before a name or before its first name: "Mr", "Miss"."""
        found = []
        for title, at in self._after_titles:
            end = at + len(name)
            if self.text.startswith(name, at) and _BOUNDARY.match(self.text, end):
                found.append(title)
        return found

    @cached_property
    def _of_persons(self) -> list[Span]:
        return [each for each in self.places if not self.is_of_organisation(each)]

    def full_name(self, surname: Span) -> Span | None:
        """Return the last full name with a surname before its place, or else the first after it; a
        first name means a person who is introduced.
        """
        words = self.text[slice(*surname)]
        full = []
        for name in self._of_persons:
            printed = self.text[slice(*name)]
            if has_surname(printed, words):
                full.append(name)
        for known in self.introduced:
            if known.startswith(f"{words} ") and not full:
                full = [each for each in self._of_persons if self.text[slice(*each)] == known]
        before = [each for each in full if each.start < surname.start]
        return next(iter([*before[-1:], *full]), None)
