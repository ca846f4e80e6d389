"""What words show of the speaker for whom they are written, and which speakers they fit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from defectors_data.evidence.anchors import contains_words
from defectors_data.models.annotation import Speaker
from defectors_data.text.english import bodies, is_plural, likely_unit, means_person, rows, writings
from defectors_data.text.english.sentences import tokens
from defectors_data.text.similar_words import may_be_misspelt, surname_of


class Features(NamedTuple):
    """What words show of a speaker: number, sex, rank class and surname; empty if they do not."""

    is_plural: bool | None = None
    is_person: bool = False
    gender: str | None = None
    ranks: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    """The ids of the speakers whose surname is in the words."""


PRONOUNS = {
    **dict.fromkeys(("he", "him", "his"), Features(is_plural=False, is_person=True, gender="male")),
    **dict.fromkeys(("she", "her"), Features(is_plural=False, is_person=True, gender="female")),
    **dict.fromkeys(("they", "them", "their"), Features(is_plural=True)),
    "it": Features(is_plural=False),
}
_VERBS = dict.fromkeys(("is", "was", "has", "does"), False) | dict.fromkeys(
    ("are", "were", "have", "do"), True
)
_IRREGULAR = {"man": "men", "woman": "women", "person": "people"}


def features(text: str, ranks: frozenset[str], named: frozenset[str]) -> Features:
    """Return what words show of the speaker for whom they are written.

    `ranks` are the rank classes that the words show, and `named` the ids of the speakers whose
    surname is in them.
    """
    words = re.findall(r"[^\W\d_]+", text)
    pronoun = next((word.lower() for word in words if word.lower() in PRONOUNS), None)
    if pronoun and not named:
        return PRONOUNS[pronoun]
    # A word with a capital, such as "Reuters", is a name, unless it is the first one.
    nouns = [word.lower() for i, word in enumerate(words) if not i or word.islower()]
    if _mean_writing(nouns):
        return Features(ranks=ranks, named=named)
    numbers = {_is_plural_person(word) for word in nouns} - {None}
    if len(numbers) != 1:
        # The infinitive in "the miller to ask" shows no number.
        finite = re.sub(r"\bto \w+", "", " ".join(nouns)).split()
        numbers = {_number_of_verb(word) for word in finite} - {None}
    is_plural = None
    if len(numbers) == 1:
        [is_plural] = numbers
    return Features(is_plural, ranks=ranks, named=named)


def _mean_writing(words: Sequence[str]) -> bool:
    """Return whether words mean a writing, which one person or several wrote: "the letter reads",
    but not "the officers wrote in a letter" or "the review board said".
    """
    found = [i for i, word in enumerate(words) if word in writings()]
    found = [i for i in found if bodies().isdisjoint(words[i + 1 : i + 2])]
    others = [word for word in words if word not in writings()]
    has_person = any(_is_plural_person(word) is not None for word in others)
    is_place = any(not _IN.isdisjoint(words[max(0, i - 2) : i]) for i in found)
    return bool(found) and not has_person and not is_place


_IN = frozenset(("in", "on", "by", "with", "through"))


def _is_plural_person(word: str) -> bool | None:
    """Return whether a noun means several persons; None if it does not mean any, or is no noun: not
    "another" in "another complaint".
    """
    is_determiner = any("determiner" in token.classes for token in tokens(word, 0, len(word)))
    if word in _VERBS or word in _forms() or is_determiner:
        return None
    if is_plural(word):
        return True if likely_unit(word) else None
    return False if likely_unit(_IRREGULAR.get(word, f"{word}s")) else None


def _number_of_verb(word: str) -> bool | None:
    return _VERBS.get(word, _forms().get(word))


@cache
def _forms() -> dict[str, bool | None]:
    """Return the forms of reporting verbs: whether they have a plural subject, if they show it."""
    found = dict[str, bool | None]()
    for row in rows("verbs"):
        forms = row["forms"].split()
        for form in forms:
            found[form] = None
            if f"{form}s" in forms:
                found[form] = True
            elif form.endswith("s") and form[:-1] in forms:
                found[form] = False
    return found


def difference(shown: Features, speaker: Speaker) -> str:
    """Return in what a speaker differs from what words show: "number"; "" if they fit."""
    is_body = shown == PRONOUNS["they"] and speaker.kind == "institution"  # "they" for the police
    if shown.is_plural not in (None, speaker.kind == "group") and not is_body:
        return "number"
    if shown.named and speaker.id not in shown.named:
        return "surname"
    if shown.is_person and speaker.kind not in ("person", "writer"):
        return "kind of speaker"
    if shown.gender and getattr(speaker, "gender", None) not in (None, shown.gender):
        return "sex"
    has_other_rank = speaker.rank_class and shown.ranks and speaker.rank_class not in shown.ranks
    return "rank" if has_other_rank else ""


def can_rival(words: str, speaker: Speaker, other: Speaker) -> bool:
    """Return whether words for a speaker could be written for another one.

    A surname that is only misspelt means nobody else. The other one is of the same kind, unless the
    words are for an institution and have a noun or pronoun for persons. A word of the institution's
    name, as in "the Sun-Times", means an institution with this word in its name. A writing, as in
    "the letter reads", is that of its writer, even if others are mentioned. A given name of the
    other sex does not fit "he" or "she".
    """
    found = [word for word in re.findall(r"[^\W\d_]+", words) if word.lower() != "the"]
    lower = [word.lower() for word in found]
    surname = surname_of(getattr(speaker, "name", None) or "")
    if _mean_writing(lower) or any(may_be_misspelt(word, surname) for word in found):
        return False
    name = getattr(other, "name", None) or ""
    if speaker.kind != "institution":
        is_alike = (speaker.kind == "group") == (other.kind == "group")
        return is_alike and other.kind != "institution" and not _is_of_other_sex(lower, name)
    named = [word for word in found if word[0].isupper() and contains_words(speaker.name, word)]
    if other.kind != "institution":
        pronouns = _OF_GROUPS if other.kind == "group" else _OF_PERSONS
        nouns = [word.lower() for word in found if word not in named]
        return any(word in pronouns or means_person(word) for word in nouns)
    return not named or any(contains_words(name, word) for word in named)


def _is_of_other_sex(words: Sequence[str], name: str) -> bool:
    """Return whether words have "he" or "she", and the first word of a name is a given name of the
    other sex.
    """
    shown = next((PRONOUNS[word].gender for word in words if word in PRONOUNS), None)
    given = next(iter(tokens(name, 0, len(name))), None)
    others = {"male": "female", "female": "male"}
    return bool(shown and given and others[shown] in given.classes)


_OF_PERSONS = {word for word, shown in PRONOUNS.items() if shown.is_person}
_OF_GROUPS = {word for word, shown in PRONOUNS.items() if shown.is_plural}
