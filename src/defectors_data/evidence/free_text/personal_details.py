"""Details about one person who is not publicly named, in any free text.

The rule in one sentence: **a sentence that means one such person, and gives a detail about them, is
a finding**. It applies to all free text, also to text without a list of permitted words.

A sentence means one person (`_mentions`) by

- a role with a definite article: `the keeper`, `that young man`, `the one who`, `one of them`,
- the words with which the article introduces the person, after `the`: `the pump attendant`,
- a person of any kind whose name it says is withheld: `a keeper who asked not to be named`,
- an id, or a name that may be a pseudonym,
- `he` or `she`, unless they mean a person whom the articles name, or the writer of the text.

A detail (`_details`) is a name, an age, an address or telephone number, or a word of a class in the
table `personal_words.txt`: relatives, illnesses, places, units, appearance, work, traits. Saying
that a person *is the keeper* is one too. A sentence that only asks, as in `the article does not say
where the keeper lives`, states no place.

`a keeper` means nobody in particular, so only a name, an age or an address after it is a finding.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from defectors_data.evidence.free_text.known_words import (
    english,
    known_names,
    table,
    without_contraction,
    without_known_names,
)
from defectors_data.text.numerals import NUMBERS
from defectors_data.text.offsets import sentences


class Persons(NamedTuple):
    """What is known about the persons whom a text can mean."""

    nouns: frozenset[str] = frozenset()
    """Words for persons in the corpus, in addition to those of the table."""
    pseudonyms: frozenset[str] = frozenset()
    """Printed names of protected persons."""
    introductions: frozenset[str] = frozenset()
    """The words with which the article introduces protected persons, without the article `the`."""
    public: frozenset[str] = frozenset()
    """Names of outlets and places that identify nobody."""
    ids: frozenset[str] = frozenset()
    """The ids of records of protected persons."""
    is_named: bool = False
    """Whether the text is about a publicly named person, whom `he` or `she` means."""
    is_general: bool = False
    """Whether the text is about no article, so that `the speaker` means any speaker."""
    is_definition: bool = False
    """Whether the text defines a term, so that `a relative of the keeper` is any relative."""


class PersonalDetail(NamedTuple):
    """A detail about one person; it does not contain the words."""

    kind: str
    """What is stated, such as `a relative`."""
    sentence: int
    """The number of the sentence in the text, from 1."""


RELATIVE = "a relative or friend"
_KINDS = {
    "name": "a name",
    "age": "an age",
    "address": "an address, a number or a name",
    "identity": "who it is",
    "relatives": RELATIVE,
    "illnesses": "an illness or injury",
    "place": "a place",
    "unit": "a unit or a rank",
    "appearance": "the appearance",
    "work": "the work",
    "traits": "a personal trait",
}
"""What a finding says about each kind of detail, in the order in which they are searched."""

# ---- patterns ------------------------------------------------------------------------------------

# These are strings, which `re` compiles when they are first used: most texts need few of them.
_PRONOUN = r"(?i)\b(?:he|she|him|her|hers|his|himself|herself)\b"
_RECORD = r"(?i)\b(?:[a-z0-9]+-)*(?:speaker-|[mtfwre])[0-9]+\b"
_PERSON_ID = r"(?i)\b(?:[a-z0-9]+-)*speaker-[0-9]+\b"
_WHO = r"(?i)\b(?:one|someone|somebody|who|whose|whom)\b"
_INDIRECT_QUESTION = (
    r"(?i)\b(?:not|no|nothing|nobody|nowhere|never|unclear|unknown|without|open|asks?|whether)\b"
    r"[^.;:]*?\b(?:who|whom|whose|what|where|when|why|how|whether|which|if)\b[^,;:.]*"
)
"""What a sentence does not state, as in `the article does not say where the keeper lives`."""
_QUESTION = r"^\W*(?:Whether|What|How|Where|Why|When|Which|Who|Whose)\b[^:;]*"
_NO_RELATIVES = (
    r"(?i)\b(?:family|first|last|middle|given) names?\b|\brelative (?:clause|pronoun|size)s?\b"
    r"|\b(?:sister|parent|brother) (?:paper|outlet|site|article|company|magazine|channel)s?\b"
)
_TENS = "|".join(word for word, number in NUMBERS.items() if 10 <= number < 100)  # noqa: PLR2004
_YEARS = rf"(?:[1-9][0-9]|(?:{_TENS})(?:[-\s]?(?:one|two|three|four|five|six|seven|eight|nine))?)"
"""A number that can be an age, in digits or words."""
_AGE = (
    r"(?i)\b(?:is|was|turn(?:s|ed)|aged?|being|be)\s+"
    rf"(?:(?:only|just|about|now|barely|nearly|over|under|almost|around)\s+)?{_YEARS}"
    r"(?=\s*(?:[.,;:)!]|$|\b(?:and|or|years|when|at|that|this|then|now|but|today|in)\b))"
    r"|[,(]\s*[1-9][0-9]\s*(?=[,.);])"
)
_AGE_OF_ANYONE = (
    rf"(?i),\s*{_YEARS}\s*[,.]|\bin (?:his|her|the) (?:\w+ )?(?:teens|[a-z]+ties|[2-9]0s)\b"
)
_MAY_STATE_AGE = r"(?i)\bage|old\b|\bold|who|\b[1-9]0s\b"
_MAY_STATE_ORIGIN = r"\b(?:from|is|was|an?)\s+(?:(?:the|an?)\s+)?[A-Z]"
_PHONE = r"\+?\(?[0-9](?:[ ()/-]{0,2}[0-9]){6,}"
_DATE_OR_YEARS = r"[0-9]{4}[-/ ][0-9]{1,2}[-/ ][0-9]{1,2}|[0-9]{4}[-/][0-9]{4}"
_ADDRESS = r"\S@\S+\.\S|\b[0-9]+\s+(?:[A-Z]\w+\s+)+(?:Street|Road|Lane|Avenue|Way|Row)\b"
"""An e-mail address, or a house number with its street."""
_NAMING = (
    r"\b(?:called|named|calls? (?:him|her)self|known as|alias|nicknamed|name (?:is|was))\s+"
    r"[\"'“‘]?(?:only\s+)?[A-Z][a-z]"
)
_WORD = r"[^\W\d_]+(?:['’][^\W\d_]+)*"
_PLACE_NAME = r"\b(?:[Ii]n|[Aa]t|[Nn]ear|[Ff]rom|to|of|on|for)\s+(?:the\s+)?(?:[A-Z]\w*\s*)+"
_OPENING = r"(?:^[\s\-*#>]*|[.!?][\"'”’)]*\s+|[\"'“‘(:*]\s*)$"
"""What is before the first word of a sentence, which has a capital letter."""


@cache
def _words() -> dict[str, list[str]]:
    return table("personal_words.txt")


def _any_of(entries: Iterable[str]) -> str:
    """Return a pattern for any of these entries of the table; `*` matches any ending."""
    ordered = sorted(entries, key=len, reverse=True)
    return "|".join(re.escape(entry).replace(r"\*", r"[\w-]*") for entry in ordered)


@cache
def _entries(of_class: str) -> tuple[tuple[str, str], ...]:
    """Return the entries of a class, each with what every match of it contains, in lower case."""
    return tuple((entry, entry.partition("*")[0].lower()) for entry in _words()[of_class])


@cache
def _pattern_of(entry: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_any_of([entry])})(?!\w)", re.IGNORECASE)


_AS_ASCII = str.maketrans({"İ": "i", "ı": "i", "ſ": "s"})
"""Letters that match ASCII letters without regard to case, but are no capitals of them."""


def _matching(of_class: str, text: str) -> Iterator[re.Pattern[str]]:
    """Yield the patterns of the entries of a class that can match a text."""
    # Most entries are in no text, and their patterns need not be compiled.
    lower = text.translate(_AS_ASCII).lower()
    return (_pattern_of(entry) for entry, needed in _entries(of_class) if needed in lower)


def _has(of_class: str, text: str) -> bool:
    """Return whether a text contains an entry of a class."""
    return any(pattern.search(text) for pattern in _matching(of_class, text))


@cache
def _defined_relatives() -> re.Pattern[str]:
    """Return a pattern for the relatives with whom a definition begins: `A relative or friend of`.

    `The sister of` is one person, and `A keeper whose sister` states a relative of one.
    """
    words = _words()
    modifier = rf"(?:(?!(?:{_any_of(words['no modifier'])})\b)[a-z-]+\s+)?"
    relative = rf"(?:{_any_of(words['relatives'])})"
    more = rf"(?:(?:,|,?\s+or|,?\s+and)\s+{modifier}{relative})*"
    beginning = rf"^\W*(?:(?:an?|any|one|another)\s+)?{modifier}{relative}{more}"
    return re.compile(rf"{beginning}\s+(?=of\b)", re.IGNORECASE)


def _has_origin(text: str) -> bool:
    """Return whether a text says from which country or city a person is, or of which nation."""
    if not re.search(_MAY_STATE_ORIGIN, text):
        return False
    names = known_names()
    places = [name for name in (*names["countries"], *names["cities"]) if name in text]
    nations = [name for name in names["nationalities"] if name in text]
    from_place = rf"\bfrom\s+(?:the\s+)?(?:{_any_of(places)})\b"
    of_nation = rf"\b(?:is|was|an?)\s+(?:an?\s+)?(?:{_any_of(nations)})\b"
    return bool(
        (places and re.search(from_place, text)) or (nations and re.search(of_nation, text))
    )


class _PersonPatterns(NamedTuple):
    """Patterns of the words that mean persons in a corpus, compiled when they are first used."""

    definite: str
    """One person, by a role: `the keeper`, `keeper:`, `one of the keepers`."""
    generic: str
    """One person, by a word for any person: `the speaker`."""
    generic_that_asserts: str
    """The same in a definition, where `the speaker` alone is any speaker: `the speaker lives`."""
    others: str
    """One person, without a role: `the one who`, `the latter is`."""
    indefinite: str
    """Any person: `a keeper`."""
    is_person: str
    """The statement that someone is a person: `is the keeper`."""
    apposed: str
    """A name after a role: `a keeper, Rosa`."""
    noun: str
    """A word for a person."""
    writer: str
    """A word for someone who made the text: `the editor`."""


@lru_cache(maxsize=4)
def _patterns(nouns: frozenset[str]) -> _PersonPatterns:
    """Return the patterns of mentions in a corpus with these words for persons."""
    words = _words()
    # A relative can be a protected person, too: `the daughter`.
    roles = _any_of({*words["roles"], *words["kin"], *nouns})
    generic = _any_of(words["generic"])
    of_age = "[1-9][0-9]-year-old"
    anyone = f"{generic}|person|individual|{of_age}"
    verbs = _any_of(words["verbs"])
    no_modifier = rf"(?!(?:{_any_of(words['no modifier'])})\b)"
    modifiers = rf"(?:{no_modifier}[^\W_][\w'’.-]*,?\s+){{0,3}}?"
    the = rf"\b(?:(?:the|our)\s+{modifiers}|(?:this|that)\s+(?:{no_modifier}[a-z]+\s+)?)"
    is_ = rf"\b(?:{_any_of(words['is'])})\s+(?:(?:{_any_of(words['hedges'])})\s+)*"
    bare = rf"^\W*(?P<bare>{roles})(?:\s*[:=]|\s+(?:{verbs}|number|called|named|known)\b)"
    of_several = rf"\bone of (?:the|our) {modifiers}(?P<plural>(?:{roles})s|men|women)\b"
    one = rf"\bthe\s+(?:[\w-]+\s+){{0,2}}?one\s+(?:{verbs}|{_any_of(words['after one'])})\b"
    last_one = r"\bthe\s+[\w-]+\s+one\s*(?:[.,;:!)]|$)"
    ordinal = rf"\bthe (?:[\w-]+ )?(?:{_any_of(words['ordinals'])})"
    ordinal += rf"(?:,|\s+(?:{verbs}|called|named|of them)\b)"
    several = r"\bone of (?:them|these|those)\b|\bwhoever\b"
    names = r"\b(?:real|true|withheld|full) names?\b"
    apposed = r"(?:,|:|=|\(|—|–|,? namely|,? in truth|,? that is,?)\s*(?P<name>[A-Z]\w+)"

    return _PersonPatterns(
        # A capital letter is that of an institution: `the National Guard`.
        definite=rf"(?i){the}(?P<noun>(?-i:{roles}))\b(?!-)|{bare}|{of_several}",
        generic=rf"(?i){the}(?P<noun>{anyone})\b(?!-)",
        generic_that_asserts=(
            rf"(?i){the}(?P<noun>{generic}|{of_age})\b(?:\s+[\w-]+){{0,5}}?\s+(?:{verbs})\b"
        ),
        others=f"(?i){one}|{last_one}|{ordinal}|{several}|{names}",
        indefinite=(rf"(?i)\b(?:an?|one|another)\s+{modifiers}(?P<noun>{roles}|{anyone})\b(?!-)"),
        is_person=rf"(?i){is_}(?:the|that|this|(?P<any>an?))\s+{modifiers}(?:{roles})\b(?!['’-])",
        apposed=rf"\b(?:{roles}|{generic})\s*{apposed}",
        noun=rf"(?i)\b(?:{roles}|{anyone})\b",
        writer=rf"(?i)\b(?:{_any_of(words['writers'])})\b",
    )


# ---- mentions ------------------------------------------------------------------------------------


class _Meant(NamedTuple):
    is_definite: bool
    spans: tuple[tuple[int, int], ...]
    """The places of the words that mean the person; they are no details."""


def _mentions(sentence: str, persons: Persons, *, before: str, is_continued: bool) -> _Meant | None:
    """Return how a sentence means one person, or None if it means none.

    `before` are the sentences before it, and `is_continued` says whether one of them meant a
    person, whom a pronoun then means.
    """
    patterns = _patterns(persons.nouns)
    spans = [found.span(found.lastgroup or 0) for found in re.finditer(patterns.definite, sentence)]
    generic = patterns.generic
    if persons.is_general:
        generic = patterns.generic_that_asserts
    spans += [found.span("noun") for found in re.finditer(generic, sentence)]
    spans += [found.span() for found in re.finditer(_PERSON_ID, sentence)]
    for found in re.finditer(_RECORD, sentence):
        if found[0].casefold() in persons.ids:
            spans.append(found.span())
    for words in persons.introductions:
        if words.casefold() in sentence.casefold():
            pattern = rf"\b(?:the|this|that) {re.escape(words)}\b"
            spans += [found.span() for found in re.finditer(pattern, sentence, re.IGNORECASE)]
    for name in persons.pseudonyms:
        if name in sentence:
            spans += [found.span() for found in re.finditer(rf"\b{re.escape(name)}\b", sentence)]
    # `the daughter` is a person, but `the daughter of Iven` is a relative of one.
    others = [span for span in spans if not _is_relative(sentence[slice(*span)])]
    spans = others or spans
    indefinite = re.search(patterns.indefinite, sentence)
    is_relative_of_any = persons.is_general and indefinite and not others
    if spans and not is_relative_of_any:
        return _Meant(is_definite=True, spans=tuple(spans))
    if re.search(patterns.others, sentence) or _is_of_withheld_name(sentence, patterns):
        return _Meant(is_definite=True, spans=())
    pronoun = re.search(_PRONOUN, sentence)
    if pronoun and (is_continued or _means_someone(before + sentence[: pronoun.start()], persons)):
        return _Meant(is_definite=True, spans=())
    if indefinite:
        return _Meant(is_definite=False, spans=(indefinite.span("noun"),))
    return None


def _is_relative(words: str) -> bool:
    return any(pattern.fullmatch(words) for pattern in _matching("relatives", words))


def _means_someone(before: str, persons: Persons) -> bool:
    """Return whether a pronoun after these words of a text means a person without a name.

    `the writer says that she` means the writer, and `Salt and his boat` means Salt. In a text about
    no article, `a keeper and his boat` means any keeper.
    """
    patterns = _patterns(persons.nouns)
    if persons.is_named or re.search(patterns.writer, before):
        return False
    is_of_anyone = persons.is_general and re.search(patterns.noun, before)
    return not (is_of_anyone or _has_name(re.sub(_PLACE_NAME, " ", before)))


def _is_of_withheld_name(sentence: str, patterns: _PersonPatterns) -> bool:
    if not _has("withheld", sentence):
        return False
    return bool(re.search(patterns.noun, sentence) or re.search(_WHO, sentence))


# ---- details -------------------------------------------------------------------------------------


def _details(sentence: str, mention: _Meant, persons: Persons) -> Iterator[str]:
    """Yield the kinds of details that a sentence with a mention states."""
    rest = sentence
    for start, end in mention.spans:
        # Spaces of the same length, so that the other spans stay valid.
        rest = rest[:start] + " " * (end - start) + rest[end:]
    rest = re.sub(_RECORD, " ", rest)
    for words in (*persons.introductions, *persons.public):
        if words in rest:
            rest = re.sub(rf"(?<!\w){re.escape(words)}(?!\w)", " ", rest)
    if not mention.is_definite:
        yield from _details_of_anyone(sentence, rest, persons)
        return
    if re.search(_NAMING, sentence) or _has_name(rest):
        yield "name"
    if has_age(sentence) or re.search(_AGE, rest):
        yield "age"
    if _has_address(rest):
        yield "address"
    if _says_who(sentence, persons):
        yield "identity"
    stated = re.sub(_INDIRECT_QUESTION, " ", re.sub(_QUESTION, " ", rest))
    if _has_origin(stated):
        yield "place"
    for kind in _KINDS:
        if kind in _words():
            words = stated
            if kind == "relatives":
                words = re.sub(_NO_RELATIVES, " ", stated)
            if _has(kind, words) or (kind == "place" and _is_near(words)):
                yield kind


def _details_of_anyone(sentence: str, rest: str, persons: Persons) -> Iterator[str]:
    """Yield the details that identify even `a keeper`."""
    apposed = re.search(_patterns(persons.nouns).apposed, sentence)
    if re.search(_NAMING, sentence) or (apposed and _has_name(f"a {apposed['name']}")):
        yield "name"
    if has_age(sentence) or re.search(_AGE_OF_ANYONE, rest):
        yield "age"
    if _has_address(rest):
        yield "address"


def _is_near(sentence: str) -> bool:
    """Return whether a sentence names a building as a place, such as `near the church`."""
    buildings = _any_of(_words()["buildings"])
    near = rf"\b(?:{_any_of(_words()['near'])})\s+(?:an?|the)\s+(?:\w+\s+){{0,2}}?"
    return bool(re.search(rf"{near}(?:{buildings})\b", sentence, re.IGNORECASE))


def _says_who(sentence: str, persons: Persons) -> bool:
    """Return whether a sentence says who the person is, as in `the clerk is the keeper`.

    The one before the verb must be a person: `the second quotation is the keeper's` says nothing,
    nor does `the speaker is the keeper`.
    """
    patterns = _patterns(persons.nouns)
    for found in re.finditer(patterns.is_person, sentence):
        before = sentence[: found.start()]
        nouns = [noun[0].casefold() for noun in re.finditer(patterns.noun, before)]
        generic = () if found["any"] else _words()["generic"]
        is_person = any(noun not in generic for noun in nouns)
        if (
            is_person
            or re.search(_PRONOUN, before)
            or re.search(_PERSON_ID, before)
            or _has_name(before)
        ):
            return True
    return False


def _has_name(sentence: str) -> bool:
    """Return whether a sentence contains a word that is neither English nor a known name."""
    sentence = without_known_names(sentence)
    for found in re.finditer(_WORD, sentence):
        word = without_contraction(found[0])
        is_unknown = len(word) > 1 and word.casefold() not in english()
        # "I" is the only English word that is always written as a capital.
        is_capital = word[:1].isupper() and word != "I"
        if is_unknown or (is_capital and not re.search(_OPENING, sentence[: found.start()])):
            return True
    return False


@lru_cache(maxsize=1 << 12)
def has_age(text: str) -> bool:
    """Return whether a text states an age, such as `aged 28` or `a 28-year-old`."""
    # The pattern comes first: few texts match it, and detection takes much longer.
    if not re.search(_MAY_STATE_AGE, text):
        return False
    from defectors_data.text.detection import detect, is_age_of_group, states_age  # noqa: PLC0415

    ages = [found.span for found in detect(text) if states_age(text, found)]
    return any(not is_age_of_group(text, each) for each in ages)


def phone_in(text: str) -> str:
    """Return the first telephone number in a text, or an empty string."""
    numbers = [found[0] for found in re.finditer(_PHONE, text)]
    return next((number for number in numbers if not re.fullmatch(_DATE_OR_YEARS, number)), "")


def _has_address(text: str) -> bool:
    """Return whether a text contains a telephone number, an e-mail address or a house number."""
    return bool(phone_in(text) or re.search(_ADDRESS, text))


# ---- texts ---------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)  # the texts of the shared files recur, and so do notes
def details_in(text: str, persons: Persons) -> tuple[PersonalDetail, ...]:
    """Return the details about one person in a text, at most one for each kind and sentence."""
    found = []
    is_continued = False
    before = ""
    for number, sentence in enumerate(sentences(text), start=1):
        may_define = persons.is_definition and number == 1
        # This first, because the pattern for definitions is slow to compile.
        if may_define and _has("relatives", sentence):
            sentence = _defined_relatives().sub("", sentence)  # noqa: PLW2901
        mention = _mentions(sentence, persons, before=before, is_continued=is_continued)
        before += f"{sentence} "
        if mention:
            is_continued = is_continued or mention.is_definite
            kinds = dict.fromkeys(_details(sentence, mention, persons))
            found += [PersonalDetail(_KINDS[kind], number) for kind in kinds]
    return tuple(found)


def nouns_in(definitions: Collection[str]) -> frozenset[str]:
    """Return the words for persons with which definitions of roles begin: `A keeper who left`."""
    found = (
        re.match(r"(?:An?|The|One) (?:[\w-]+ )??([a-z]{3,})\b(?= |[.,;]|$)", d) for d in definitions
    )
    return frozenset(match[1] for match in found if match)
