"""Units of numbers, from `english/units.csv` and the form of other nouns nearby.

A listed noun states the unit of a number; for other nouns, the unit is guessed from their form and
from lists made from WordNet. The vocabulary of a corpus adds the nouns of its subject, which may be
phrases of up to three words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from defectors_data.text.english import CODES, STATES, UNITS, is_plural, likely_unit
from defectors_data.text.numerals import HYPHENS, PERIODS, SCALES, SHORT, WORDS, Numeral, is_digits

if TYPE_CHECKING:
    from defectors_data.text.non_quantities import ParsedText

Units: TypeAlias = tuple[str | None, str | None]
"""The unit that words state, and a guess at it if they state none; either may be None."""

CURRENCIES = {"$": "usd", **dict.fromkeys("€£¥₽₹₩₺₴₪₦₫₱₡₲฿", "other")}
_LETTERS = set("r n p q k sh ksh ush tsh dh dhs rm".split())
"""Letters directly before an amount with a comma, point or scale: "R2.7m", "N25,000"."""
_ROUND = {"r", "n"}
"""The letters in `_LETTERS` that can also precede a round amount: "R350"."""
_AMERICAN_SIGNS = {"us", "u", "s"}
"""Letters before a dollar sign that mean the US dollar, unlike C and MX."""
_AMERICAN = {"us", "u", "american", "dollar", "dollars"}
_LETTERS_OF_SIGN = 3
"""Maximum number of letters in a currency sign such as US$ and MX$, and in the sign of a unit."""

_HARMED = STATES | set("killing kills wounding wounds injuring injures arresting detaining".split())
"""Words after which a number without a noun probably counts persons: "killed 12"."""
DECADES = {"decade": 10.0, "decades": 10.0, "century": 100.0, "centuries": 100.0}
"""The lengths in years of the periods that are converted to years."""
MEASURED = {"year", "month", "week", "hour", "minute", "mile", "kilogram", "usd", "percent"}
NEVER_PLACES = MEASURED | {"day", "usd_per_month", "factor"}
"""Units with which a preposition always hedges the number, and never means a place."""
UNCOUNTED = {"percent", "factor", "event", "minute", "hour", "day", "week", "month", "year"}
"""Units that a number without a noun rarely takes over from a number before it."""
_LIKELY_OF_PERSONS = {"father", "mother", "parent", "group", "unit", "convoy", "band"}
_OF_PERSONS = _LIKELY_OF_PERSONS | set(
    "army force crowd team population family household crew contingent militia garrison battalion brigade".split()
)
_AGED = {"aged", "age", "ages"}
_ANYONE = {"anyone", "anybody", "everyone", "everybody", "those", "nobody"}
"""Words that, like nouns for persons, precede "over" or "under" and an age: "anyone under 12"."""
_LIVED = set("died dies dead age still retired retires married joined published born".split())
"""Words that come before "at" and an age: "died at 91"."""
_WAS = set("was is were are be being when until turned turns turning till now".split())
"""Words before an age that ends its clause: "until she was eighteen"."""
_SOMEONE = {"he", "she", "i", "who", "they", "you"}
_OLDEST, _CHILD, _INFANT = 120, 12, 5
"""The highest age, the highest one that is not after "at", and the lowest one after "was"."""

COMPARATIVES = set(
    "more higher larger bigger greater less lower longer better heavier costlier faster".split()
)
_ADJECTIVES_IN_ER = (
    "over after under her either whether however later earlier former other another per".split()
)
_STANDARDS = {"normal", "usual", "average"}
_WHOLES = set("the its their his her what that".split())
"""Words after "twice" and "three times" that may begin the quantity that is multiplied."""

ARTICLES = {"a", "an"}
EACH = {*ARTICLES, "per", "each", "every", "/"}
"""Words between a number and the period in which it occurs: "five a day"."""
THE = set("the this that these those his her its their our my your a an".split())
"""Words that begin another noun phrase: "up from a few hundred the week before"."""
PRONOUNS = {"them", "us", "you", "whom", "which", "it", "others", "he", "she", "they", "we", "i"}
PREPOSITIONS = set("of in on at for with from to and who that were was".split())
CLAUSES = (PREPOSITIONS - {"of", "and"}) | set(
    "whose is are had has have as by but when after before while said than thereabouts".split()
)
"""Words that end the noun phrase of a number, even without a noun: "of the 14 who crossed"."""
STOPS = set('.,;:!?()[]“”"«»—–…')
_APOSTROPHES = {"'", "’"}
_PLUS = {"plus", "odd", "some", "ish"}
_NO_NOUNS = THE | CLAUSES | _PLUS | set("something strong square cubic to old".split())
"""Words after a number and a hyphen that do not name what is counted."""
_ADVERBS = set(
    "towards besides perhaps always sometimes afterwards overseas does times hours days weeks".split()
)
"""Words after a noun that look like plurals, but do not form a compound with it."""
_DEICTIC = {"last", "this", "next", "that", "past", "previous"}
"""Words before a period that names a time and is not counted: "11 trams broke down last week"."""
_WEEKDAYS = set("monday tuesday wednesday thursday friday saturday sunday".split())
_SUBJECT = 12
"""Maximum number of words before a number in which its subject is sought."""
_REACH = 7
"""Number of tokens after a number in which its noun is sought."""
_LONGEST_NOUN = 3
"""Maximum number of words in a noun of several words."""

Found: TypeAlias = tuple[Units, int]
"""The units of a noun, and the index of the token after it."""


def units_by_noun(listed: Iterable[tuple[str, Sequence[str]]]) -> dict[str, str]:
    """Return the unit of each noun, from the terms of a corpus for units, each with its nouns.

    They take precedence over built-in ones. A unit for which no nouns are listed is named by its
    term.
    """
    units = dict(UNITS)
    for term, listed_nouns in listed:
        units.update(dict.fromkeys(nouns_of(term, listed_nouns), term))
    return units


def nouns_of(term: str, listed: Sequence[str]) -> list[str]:
    """Return the nouns of a unit, from its term and its listed nouns, as the detector joins them."""
    name = term.replace("_", " ")
    return [noun.casefold().replace("-", " ") for noun in listed or (name, f"{name}s")]


def unit_of(noun: str, units: Mapping[str, str]) -> str | None:
    """Return the unit of a noun in the singular or plural, if it is listed."""
    return units.get(noun) or units.get(f"{noun}s")


def units_after(text: ParsedText, number: Numeral, end: int, units: Mapping[str, str]) -> Units:
    """Return the unit of a number that ends before a token, and a guess if it is not stated."""
    first = text.index(number.start)
    if number.kind in {"share", "factor"}:
        return ("percent" if number.kind == "share" else "factor"), None
    if number.kind == "multiple":
        return multiplied(text, end) or ("event", None)
    if money := money_before(text, first):
        paid = units.get(text.word(first - 1), money[1])
        return per_month(text, end, paid, before=money[0]), None
    word = text.word(end)
    listed = units.get(word) if word in CURRENCIES else None
    if text.touches(end) and (sign := listed or CURRENCIES.get(word) or CODES.get(word)):
        return per_month(text, end + 1, sign, before=first), None
    if text.word(first - 1) in HYPHENS and text.word(first - 2) == "foot":
        return "other", None  # the inches of "a 6-foot-4 guard"
    if noun := noun_after(text, end, units, one=number.value == 1):
        (unit, likely), after = noun
        if "event" in (unit, likely) and number.value % 1:
            return "factor", None  # "2.5 times over the limit"
        return (per_month(text, after, unit, before=first) if unit else None), likely
    if is_age(text, number, first, end, units):
        return None, "year"
    return noun_before(text, first, units)


# ---- the noun after a number ---------------------------------------------------------------------


def noun_after(
    text: ParsedText, end: int, units: Mapping[str, str], *, one: bool = False
) -> Found | None:
    """Return the unit of the noun that a number counts, and the index of the token after it.

    The first listed noun gives the unit. If none is within reach, the unit of the first plural is
    guessed.
    """
    joined = text.word(end) in HYPHENS or text.word(end) == "+"
    at = end + joined
    if joined and (found := _hyphenated(text, at, units)):
        return found
    at += text.word(at) in _PLUS
    if text.word(at) == "of" and text.word(at + 1) in {"us", "you"}:
        return ("person", None), at + 2
    if at == end and _abbreviates(text, at, units):
        return (None, "factor" if text.word(at) == "x" else "other"), at + 1  # "2l", "16GB", "4x"
    if text.word(at) in EACH and text.word(at + 1) in PERIODS:
        return None  # "five a day"
    found = _first_noun(text, _after_measure(text, at), units)
    if not found and one and text.word(at).isalpha() and text.word(at) not in _NO_NOUNS | PRONOUNS:
        return (None, likely_unit(f"{text.word(at)}s") or "item"), at + 1  # "1 death"
    return found


def _hyphenated(text: ParsedText, at: int, units: Mapping[str, str]) -> Found | None:
    """Return the unit of the word that a hyphen joins to a number, as in "a 14-room hotel"."""
    if found := _listed_phrase(text, at, units):
        return found
    noun = text.word(at)
    if text.touches(at) and text.touches(at - 1) and noun.isalpha() and noun not in _NO_NOUNS:
        unit = unit_of(noun, units)
        if unit:
            return (unit, None), at + 1
        return (None, likely_unit(f"{noun}s") or "item"), at + 1
    return None


def _first_noun(text: ParsedText, first: int, units: Mapping[str, str]) -> Found | None:
    """Return the unit of the first listed noun from a token on, or of the first plural."""
    plural: Found | None = None
    for i in range(first, min(first + _REACH, len(text.words))):
        word = text.words[i]
        if text.within_label(text.starts[i], text.ends[i]):
            named = word == "s" or (word.endswith("s") and text.touches(i))
            if named and not plural:
                plural = (None, "item"), i + 1
            continue  # "two F-16s", "three AK-47 rifles"
        if word == "%":
            return ("percent", None), i + 1
        if _is_skipped(text, i, first, plural):
            continue
        if _ends_phrase(text, i, first, plural):
            return plural
        if found := _listed_phrase(text, i, units):
            return found
        if word == "times":
            return multiplied(text, i + 1) or _occurred(text, i + 1), i + 1
        if word in units and not _qualifies(text, i):
            return _compound(text, i, first, units)
        if plural and not (is_plural(word) or text.word(i - 1).endswith("ous")):
            return plural  # "two bombs [killed] soldiers", but "two previous [by-elections]"
        if plural is None and is_plural(word):
            plural = (None, _guess(text, i)), i + 1
            # A guess that persons are counted suffices; after other plurals a listed noun may still
            # follow.
            # "two teachers unions": the second plural is what is counted.
            is_compound = is_plural(text.word(i + 1)) and text.word(i + 1) not in _ADVERBS
            if plural[0][1] == "person":
                if not is_compound:
                    return plural
                return ((None, _guess(text, i + 1)), i + 2)
    return plural


def _is_skipped(text: ParsedText, i: int, first: int, plural: Found | None) -> bool:
    """Return whether a token can come between a number and its noun."""
    word = text.words[i]
    if i > first and (
        (word == "," and plural is None) or (word == "." and len(text.word(i - 1)) == 1)
    ):
        return True  # between two adjectives; "300 U.S. dollars"
    if i == first and word in {"“", '"'}:
        return True  # "four “loopholes”"
    possessor = (
        text.word(i + 1) in _APOSTROPHES and text.word(i + 2) == "s" and text.word(i - 1) in THE
    )
    return possessor and word.isalpha()  # "19 of the month's 31 days"


def _ends_phrase(text: ParsedText, i: int, first: int, plural: Found | None) -> bool:
    """Return whether a token ends the noun phrase of a number."""
    word = text.words[i]
    if (
        word in STOPS
        or (word in PRONOUNS and text.texts[i] != "US")
        or (i > first and text.starts_number(i))
        or _dates(text, i)
    ):
        return True
    ending = PREPOSITIONS if plural else CLAUSES
    if word in ending or (word in THE and text.word(i - 1) != "of"):
        return True
    # "20 governments' soldiers", "40,000 vehicles a day"
    return plural is not None and (
        word in _APOSTROPHES or (word in EACH and text.word(i + 1) in PERIODS)
    )


def _dates(text: ParsedText, i: int) -> bool:
    """Return whether a token begins words for a date, such as "last year" or "this past week"."""
    if text.texts[i][:1].isupper() and text.words[i] in _WEEKDAYS:
        return True
    following = i + 1 + (text.word(i + 1) in _DEICTIC)
    return text.word(i) in _DEICTIC and text.word(following) in PERIODS


def _listed_phrase(text: ParsedText, i: int, units: Mapping[str, str]) -> Found | None:
    """Return the unit of a noun of several words, such as "parking spaces" or "parking-spaces"."""
    words: list[str] = []
    found: Found | None = None
    for at in range(i, min(i + 2 * _LONGEST_NOUN, len(text.words))):
        if text.words[at] in HYPHENS and words:
            continue
        words.append(text.words[at])
        phrase = " ".join(words)
        unit = units.get(phrase) or units.get(f"{phrase}s")
        if unit and len(words) > 1:
            found = (unit, None), at + 1
        if len(words) == _LONGEST_NOUN:
            break
    return found


def _after_measure(text: ParsedText, at: int) -> int:
    """Return the index after a measure of a noun: "two 5kg bags", "four 12-hour shifts"."""
    if not text.starts_number(at):
        return at
    i = text.index(text.numeral_at(at).end)
    if text.word(i) not in HYPHENS and not text.touches(i):
        return at
    last = i + _REACH  # a chain of hyphens can be as long as the text
    while i < last and (text.word(i) in HYPHENS or text.touches(i)) and text.word(i) != "olds":
        i += 1
    return i


def _abbreviates(text: ParsedText, i: int, units: Mapping[str, str]) -> bool:
    """Return whether a token that touches digits is likely an unlisted unit."""
    word = text.word(i)
    short = word.isalpha() and len(word) <= _LETTERS_OF_SIGN and word not in units
    return (
        short
        and word not in PREPOSITIONS - {"in"}
        and text.touches(i)
        and is_digits(text.words[i - 1])
    )


def _qualifies(text: ParsedText, i: int) -> bool:
    """Return whether a participle qualifies the counted noun: "three missing boats"."""
    return text.words[i] in STATES and is_plural(text.word(i + 1))


def _guess(text: ParsedText, i: int) -> str:
    """Return the likely unit of a plural: persons with a capital, or before "who"."""
    after, next_after = text.word(i + 1), text.word(i + 2)
    human = after in {"who", "whose"} or (after in {"were", "was", "are"} and next_after in STATES)
    human |= text.words[i] == "olds"  # "two 18-year-olds"
    # In "Two House Committees", the capitals are those of a name.
    capital = text.texts[i][0].isupper() and not text.texts[i - 1][0].isupper()
    capital &= not text.texts[i][:2].isupper()  # "12 PDAs"
    return likely_unit(text.words[i]) or ("person" if human or capital else "item")


def _compound(text: ParsedText, i: int, first: int, units: Mapping[str, str]) -> Found:
    """Return the unit of a noun, or of the noun that it qualifies, as in "member countries"."""
    while (
        text.word(i + 1) in units
        and text.word(i + 1).endswith("s")
        and units[text.words[i]] == "person"
    ):
        i += 1
    word, following = text.words[i], text.word(i + 1)
    unit, plural = units[word], is_plural(word)
    qualified = is_plural(following) and following not in _ADVERBS
    if unit in {"person", "event"} and not plural and qualified:
        return (None, _guess(text, i + 1)), i + 2  # "12 police stations"
    named = text.texts[i][0].isupper() and text.texts[i + 1 : i + 2] == [following]
    if named and qualified:
        return (None, _guess(text, i + 1)), i + 2  # "300 United Nations observers"
    if word in STATES and following.isalpha() and following not in {*CLAUSES, "and", "or"}:
        return (None, unit), i + 1  # "12 dead fish"
    if unit == "person" and following in _APOSTROPHES and text.word(i + 2).isalpha():
        return (None, unit), i + 1  # "two soldiers' rifles"
    if (
        unit == "usd"
        and i > first
        and text.texts[first][0].isupper()
        and text.word(first) not in _AMERICAN
    ):
        unit = "other"  # "Canadian dollars"
    return (unit, None), i + 1


# ---- events and factors --------------------------------------------------------------------------


def multiplied(text: ParsedText, i: int) -> Units | None:
    """Return the unit after "twice" or "times" if they may state a factor: "twice as many"."""
    word = text.word(i)
    if word == "as" and (text.word(i + 1) in {"many", "much"} or text.word(i + 2) == "as"):
        return "factor", None
    if word in COMPARATIVES:
        again = word == "more" and not text.word(i + 1).isalpha()
        return None if again else ("factor", None)  # "expelled twice more, before"
    if word in EACH and text.word(i + 1) in PERIODS:
        return None  # "twice a night"
    owned = any(text.word(at) in _APOSTROPHES and text.word(at + 1) == "s" for at in (i + 1, i + 2))
    # "ten times a teacher's pay", "ten times hotter", "twice the rate", "twice last year's figure"
    likely = word in ARTICLES or _is_comparative(word) or word in {"as", *_WHOLES} or owned
    if likely:
        return None, "factor"
    return None


def _is_comparative(word: str) -> bool:
    """Return whether a comparative or standard after "times" probably makes it a factor."""
    return word in _STANDARDS or (
        word.endswith("er") and len(word) > len("over") and word not in _ADJECTIVES_IN_ER
    )


def _occurred(text: ParsedText, i: int) -> Units:
    """Return the unit of "times" that is no factor: an event, guessed before a noun."""
    word = text.word(i)
    ends = (
        not word.isalpha()
        or word in PREPOSITIONS | CLAUSES | EACH | _DEICTIC | _ADVERBS
        or word[-2:] == "ly"
    )
    # "three times yesterday", "12 times earnings"
    return ("event", None) if ends else (None, "event")


# ---- ages, and nouns before a number -------------------------------------------------------------


def is_age(
    text: ParsedText, number: Numeral, first: int, end: int, units: Mapping[str, str]
) -> bool:
    """Return whether a number is likely an age: "Her son, 12, left", "anyone under 12"."""
    if number.value % 1 or not 0 < number.value <= _OLDEST:
        return False
    before, after = text.word(first - 1), text.word(end)
    if after in {"and", "or"} and text.word(end + 1) in {"older", "younger"}:
        return True  # "voters 45 and older"
    if before in {",", "(", "now"}:
        i = first - 2 - (before == "now") - (text.word(first - 2) == ".")
        named = i >= 0 and (text.texts[i][0].isupper() or unit_of(text.words[i], units) == "person")
        return named and not after.isalnum()
    if before in {"over", "under"}:
        return text.word(first - 2) in _ANYONE or unit_of(text.word(first - 2), units) == "person"
    closes = after in {"and", "in", "on", "when", "so", *_DEICTIC} or not after.isalnum()
    if before in _WAS and text.word(first - 2) in _SOMEONE:
        return number.value > _INFANT and closes  # "until she was eighteen"
    lived = before == "at" and not _LIVED.isdisjoint(text.words[max(0, first - _SUBJECT) : first])
    lived |= before == "just" and text.word(first - 2) == "at"
    lived |= text.words[max(0, first - 2) : first] == ["to", "be"] or before.startswith("turn")
    return lived and number.value > _CHILD and closes


def noun_before(text: ParsedText, first: int, units: Mapping[str, str]) -> Units:
    """Return the unit that the words before a number state, as in "an army of 300,000"."""
    if text.word(first - 1) in _HARMED:
        return None, "person"
    if text.word(first - 1) == "population":
        return "person", None  # "Rome, population 12,000"
    # Two words may be between: "an army of about 300,000".
    for of in range(first - 1, max(-1, first - 4), -1):
        whole = text.word(of - 1 - (text.word(of - 1) in HYPHENS)).removeprefix("grand")
        if text.word(of) == "of" and whole in _OF_PERSONS:
            if whole in _LIKELY_OF_PERSONS:
                return None, "person"
            return "person", None
        if text.word(of) in _AGED:
            return None, "year"  # "aged between 12 and 15"
    if text.word(first - 1) == "the" and text.word(first - 2) == "by":
        return None, _first_unit(text, range(first - 3, max(-1, first - 9), -1), units)
    subject = text.words[max(0, first - _SUBJECT) : first]
    if "number" in subject:
        i = max(0, first - _SUBJECT) + subject.index("number") + 1
        if text.word(i) == "of":  # "the number of prisoners rose to 300"
            return None, _first_unit(text, range(i + 1, first), units)
    return None, None


def _first_unit(text: ParsedText, among: Iterable[int], units: Mapping[str, str]) -> str | None:
    """Return the unit of the first noun among some words that has one or is likely to have one."""
    found = (unit_of(text.words[i], units) or likely_unit(text.words[i]) for i in among)
    return next(filter(None, found), None)


# ---- money ---------------------------------------------------------------------------------------


def money_before(text: ParsedText, first: int) -> tuple[int, str] | None:
    """Return the first token of a currency before a number, and the unit, or None."""
    at = first - 1
    # "20€ 12 men"
    after = at > 0 and text.starts[at] in text.number_ends and not text.touches(first)
    if text.word(at) in CURRENCIES and not after:
        letters = text.word(at - 1)
        # "ten$50", "4US$50"
        inside = letters in WORDS or (text.touches(at - 1) and text.word(at - 2) != ".")
        if (
            letters.isalpha()
            and len(letters) <= _LETTERS_OF_SIGN
            and text.touches(at)
            and not inside
        ):
            # not "S$40"
            american = letters in _AMERICAN_SIGNS and (letters != "s" or text.word(at - 2) == ".")
            return at - 1, "usd" if american else "other"
        return at, CURRENCIES[text.word(at)]
    if text.words[max(0, at - 1) : first] == ["$", "us"] and text.touches(at):
        return at - 1, "usd"
    at -= text.word(at) == "."
    if at < 0 or not text.texts[at][0].isupper():
        return None
    if text.word(at) in CODES:
        return at, CODES[text.words[at]]
    if text.word(at) in _LETTERS and _is_amount(text, first, text.words[at]):
        return at, "other"
    return None


def _is_amount(text: ParsedText, first: int, letters: str) -> bool:
    """Return whether letters touch an amount of money: it has a scale, a comma or a point."""
    scaled = (
        text.word(first + 1 + (text.word(first + 1) in HYPHENS)) in SCALES.keys() | SHORT.keys()
    )
    rounded = letters in _ROUND and text.word(first).endswith("0")
    return text.touches(first) and (scaled or rounded or not text.word(first).isdecimal())


def per_month(text: ParsedText, at: int, unit: str, *, before: int) -> str:
    """Return `usd_per_month` for dollars that words around them pay monthly."""
    if unit != "usd":
        return unit
    # Hyphens are dropped before the words are counted: "$5-a-month".
    after = [word for word in text.words[at : at + 6] if word not in HYPHENS][:4]
    monthly = "monthly" in after or "monthly" in text.words[max(0, before - 4) : before]
    monthly |= any(first in EACH and second == "month" for first, second in pairwise(after))
    return "usd_per_month" if monthly else unit
