"""Detection of numbers that are no quantities: dates, times, numbers in lists and names.

`english/labels.csv` has a pattern for each form; what depends on the words around a number is in
the functions below. Every pattern is a fixed sequence of short pieces, so that none is slow on any
text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache
from string import ascii_letters
from typing import Literal, NamedTuple, TypeAlias, cast

from defectors_data.text.english import CODES, UNITS, expanded, is_plural, rows
from defectors_data.text.numerals import (
    HYPHENS,
    MEASURES,
    NUMBERS,
    SCALES,
    Numeral,
    Tokens,
    is_digits,
    narrow,
    numerals,
    tokens,
    with_parts,
)

LabelKind: TypeAlias = Literal["date", "clock_time", "list_number", "name"]
Beginning: TypeAlias = Literal["line", "digit", "word", "any", "numeral"]
"""Where a match can start: at a digit at the start of a line (`line`); at any digit (`digit`); at
the word before a digit or a number word (`word`); at a digit or the word before it (`any`); or at
any number (`numeral`).
"""


class Label(NamedTuple):
    """A number that is not a quantity, with its span."""

    start: int
    end: int
    kind: LabelKind


@cache
def _patterns() -> tuple[tuple[LabelKind, Beginning, re.Pattern[str]], ...]:
    """Return one pattern for each kind and beginning: the rows of the table, in its order."""
    together: dict[tuple[str, str], list[str]] = {}
    for row in rows("labels"):
        together.setdefault((row["kind"], row["beginning"]), []).append(expanded(row["pattern"]))
    return tuple(
        (cast(LabelKind, kind), cast(Beginning, beginning), re.compile("|".join(patterns)))
        for (kind, beginning), patterns in together.items()
    )


MONTH_NAMES = (
    "January February March April May June July August September October November December"
).split()
MONTHS = frozenset((*MONTH_NAMES, *(name[:3] for name in MONTH_NAMES), "Sept"))
_NUMBER_WORDS = frozenset(
    "two three four five six seven eight nine ten eleven twelve thirteen".split()
)
_DIGITS = re.compile("[0-9]+")


def labels(text: str, found: Tokens, numbers: list[Numeral]) -> list[Label]:
    """Return the numbers that are not quantities, in order.

    Where labels overlap, the first one is kept, and where several begin together, the longest. A
    label never contains only a part of the digits of a number.
    """
    # one kind of space; the offsets stay the same
    even = text.replace("\u00a0", " ").replace("\u202f", " ")
    begin = _beginnings(even, found, numbers)
    candidates = list[Label]()
    for kind, beginning, pattern in _patterns():
        hits = _hits(pattern, even, begin[beginning])
        candidates += [Label(hit.start(), hit.end(), kind) for hit in hits]
    candidates += [
        *_years(even, found, numbers, begin["digit"]),
        *_scores(even, begin["digit"]),
        *_spoken_scores(even, begin["digit"]),
        *_names(found, numbers),
        *_relative_dates(found, numbers),
        *_titles(text, found, numbers),
        *_odds(found, numbers),
        *_orders_of_magnitude(found, numbers),
        *_addresses(text),
        *_line_up(even),
    ]
    kept: list[Label] = []
    for label in sorted(candidates, key=lambda label: (label.start, -label.end)):
        if (not kept or label.start >= kept[-1].end) and not _cuts_number(label, found):
            kept.append(label)
    return kept


def _cuts_number(label: Label, found: Tokens) -> bool:
    """Return whether a label contains only a part of a number, as "Nasdaq 1" in "Nasdaq 1.2" and
    "hotels-40" in "hotels-40-thousand"; spaces may be cut.
    """
    if _is_inside_number(label.start, found) or _is_inside_number(label.end, found):
        return True
    first, end = bisect_left(found.starts, label.start), bisect_left(found.starts, label.end)
    if end - first > 1 and found.words[first] in SCALES:
        return True  # "million-7" in "300-million-7"
    following = [word for word in found.words[end : end + 2] if word not in HYPHENS]
    scaled = bool(following) and following[0] in SCALES
    return scaled and not _YEAR.fullmatch(found.words[end - 1])  # "in 2018 million-dollar homes"


def _is_inside_number(at: int, found: Tokens) -> bool:
    i = bisect_left(found.ends, at + 1)
    inside = i < len(found.starts) and found.starts[i] < at
    return inside and is_digits(found.texts[i]) and " " not in found.texts[i]


# ---- where labels can begin ----------------------------------------------------------------------


def _hits(pattern: re.Pattern[str], text: str, begin: list[int]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern at the given offsets, without overlaps."""
    end = 0
    for at in begin:
        if at >= end and (hit := pattern.match(text, at)):
            end = hit.end()
            yield hit


def _beginnings(text: str, found: Tokens, numbers: list[Numeral]) -> dict[Beginning, list[int]]:
    """Return the offsets at which labels can start, by kind of beginning."""
    digits = [hit.start() for hit in _DIGITS.finditer(text)]
    named = [
        start
        for start, word in zip(found.starts, found.words, strict=True)
        if word in _NUMBER_WORDS
    ]
    before_digits = {at for digit in digits for at in _before(text, digit)}
    before_words = {at for name in named for at in _before(text, name)}
    lines = [at - (text[at - 1 : at] == "(") for at in digits]
    first_in_line = [at for at in lines if not text[text.rfind("\n", 0, at) + 1 : at].strip()]
    starts = [number.start for number in numbers]
    return {
        "line": first_in_line,
        "digit": digits,
        "word": sorted(before_digits | before_words),
        "any": sorted({*digits, *before_digits}),
        "numeral": starts,
    }


def _before(text: str, digit: int) -> Iterator[int]:
    """Yield where a label with this digit can start: apostrophe, word, or the word before "of"."""
    if text[digit - 1 : digit] in _APOSTROPHES:
        yield digit - 1
    end = digit - (text[digit - 1 : digit] in {*HYPHENS, "."})
    if end == digit:
        end = _word_end(text, digit)
    start = _word_start(text, end)
    yield start
    if (
        text[end - 1 : end].islower()
        and text[start:end] in {"of", "Bowl", "Cup"}
        and text[end:digit] == " "
    ):
        yield _word_start(text, _word_end(text, start))


_APOSTROPHES = ("'", "’", "‘")


def _word_end(text: str, at: int) -> int:
    """Return the end of the word before an offset, skipping a space, a comma and a full stop."""
    if text[at - 1 : at] == " ":
        at -= 1
        at -= text[at - 1 : at] == ","
        at -= text[at - 1 : at] == "."
    return at


def _word_start(text: str, end: int) -> int:
    """Return the start of the run of ASCII letters that ends at an offset."""
    return len(text[:end].rstrip(ascii_letters))


# ---- years ---------------------------------------------------------------------------------------

_YEAR = re.compile(
    r"(?<![\w.,$€£])(?:(?:(?:1[0-9]|20)[0-9]{2}|2100)(?![\w%]|[,.][0-9])|(?<=['’‘])[0-9]{2}(?![\w'’%]))"
)
_BEFORE_YEAR = set(
    "in between since by until till from before after during of to late early mid year years and copyright © "
    "( [ / - – — through around about circa spring summer autumn fall winter elections class fiscal pre post".split()
)
_DASHES = {"-", "–", "—", "to"}
_THE = {"the", "a", "its", "his", "her", "their", "this", "that", "s"}
_AFTER_YEAR = set(
    ") ] , . ; : / - – — ” \" ’ ' ! ? as was is when that had has with but by for in on at to from".split()
)
_OF_A_YEAR = set(
    "sales earnings revenues profits levels elections figures results prices terms olympics games".split()
)
"""Plurals that a year before them dates: "below 2005 levels"."""
_UNITS = MEASURES | set(
    "g kg km m cm mm sq square cubic lb lbs euros dollars pounds people men".split()
)
_RECENT = range(1900, 2040)
_MODERN = range(1990, 2040)
_COUNTING = set(
    "than over under some least nearly almost approximately roughly another only just all total".split()
)
"""Words before a number of four digits that counts, as in "more than 1900 boats"."""


def _years(text: str, found: Tokens, numbers: list[Numeral], begin: list[int]) -> Iterator[Label]:
    """Find years without a month, as after "since" or where nothing counted follows."""
    ratios = [number for number in numbers if number.kind == "share"]
    for hit in _hits(_YEAR, text, begin):
        i = bisect_left(found.starts, hit.start())
        if found.starts[i : i + 1] != [hit.start()] or any(
            ratio.start < hit.start() < ratio.end for ratio in ratios
        ):
            continue  # these digits are part of a longer number
        short = text[hit.start() - 1 : hit.start()] in _APOSTROPHES  # '98
        if _is_year(hit[0], found, i, short=short):
            yield Label(hit.start() - short, hit.end(), "date")


def _is_year(year: str, found: Tokens, i: int, *, short: bool) -> bool:
    """Return whether the words around a token of two or four digits show that it is a year."""
    before, before_that = found.word_before(i - short), found.word_before(i - short - 1)
    after = found.text_after(i)
    if (
        before in _DASHES
        and is_digits(before_that)
        and not _YEAR.fullmatch(before_that)
        and not short
    ):
        return False  # "from 100 to 1000 g"
    if after in _DASHES and i + 2 < len(found.texts):
        other = found.texts[i + 2]
        if other.isdecimal() and len(other) == len(year) and not _YEAR.fullmatch(other):
            return False  # "1000 – 5000"
    plural = is_plural(after.casefold())
    if after.casefold() in _UNITS or (before == "(" and plural):
        return False  # "the 1520 sq m centre", "(1671 incidents in 2021)"
    if before in {",", "and", "or"} and _YEAR.fullmatch(before_that) and not short:
        return True  # "2003, 2004 and 2005"
    if before in _BEFORE_YEAR:
        return True
    if short:
        return False
    if after in _AFTER_YEAR or after.casefold() in _OF_A_YEAR:
        return True
    return _names_year(year, found, i, after, plural=plural)


def _names_year(year: str, found: Tokens, i: int, after: str, *, plural: bool) -> bool:
    """Return whether a year qualifies what follows: "the 2016 Olympics", "a 2016 spree"."""
    before = found.word_before(i)
    if before in _COUNTING:
        return False
    # "Obama's 2012 bundlers", "compared with 2014 numbers": most counts have a comma
    modern = int(year) in _MODERN and not year.endswith("00")
    if modern and ((plural and not _counts_persons(after)) or after in {"[", "(", "•"}):
        return True
    if before in {"the", "a", "this", "that"} and after[:1].isupper():
        return True
    # "the 1968 floods", but not "the 1950 soldiers": most counts of four digits have a comma
    if before == "the" and after.islower() and plural:
        return year[-1] != "0"
    one = after[:1].isalpha() and not plural
    if one and (
        int(year) in _RECENT
        or before in _THE
        or (before.isalpha() and i > 1 and found.words[i - 2] in _THE)
    ):
        return True
    # "his 1994 “Contract”"
    return before in _THE - {"a"} and after in {"“", '"', "‘", "'"}


def _counts_persons(noun: str) -> bool:
    """Return whether a noun is listed as one for persons, as in "2016 soldiers"."""
    return UNITS.get(noun.casefold()) == "person"


# ---- results and odds ----------------------------------------------------------------------------

_SCORE = re.compile(
    r"(?<![\w.,$€£/–-])([0-9]{1,3})(?:[-–]| [–-] )([0-9]{1,3})(?![\w%/–-]|[.,][0-9])"
)
_COUNTED = re.compile(r" [a-z]+s\b")
_PLAYED = re.compile(
    r"\b(?:w[io]n|winning|wins|lost|lose|loses|losing|drew|draw|beat|beaten|defeat|ruled|voted?|led|trailed|trailing"
    r"|split|score|tied|deadlocked|confirmed|condemned|approved|rejected)\b"
)
_RESULT = re.compile(
    r" (?:win|victory|defeat|loss|draw|lead|vote|ruling|decision|score|scoreline|majority|deficit|tie|split|record)s?\b"
)
_LONG_RESULT = re.compile(
    r"(?: [\w’'-]+){1,3} (?:win|victory|defeat|loss|draw|lead|success|thrashing|triumph)\b"
)
"""Words after a score: "a 2-0 World Cup qualifying win"."""
_SPOKEN_SCORE = re.compile(
    r"(?<![\w.,$€£/–-])([0-9]{1,3})(?: to |-to-)([0-9]{1,3})(?![\w%-]|[.,][0-9])"
)
_GOES_ON = re.compile(
    r" (?!(?:in|at|on|to|for|and|but|against|by|when|before|after|last|this)\b)\w"
)
"""A word after two numbers that they may count: "5 to 4 of them"."""
_TEAM, _OTHER_TEAM = re.compile(r"\b[A-Z][a-z]+ \Z"), re.compile(r" [A-Z][a-z]")
_LEFT_BEHIND = re.compile("[.;]")


def _scores(text: str, begin: list[int]) -> Iterator[Label]:
    """Find results of games and votes, such as 3-1; 1-3 only near a word such as "won"."""
    if "-" not in text and "–" not in text:
        return
    for hit in _hits(_SCORE, text, begin):
        near = text[max(0, hit.start() - 40) : hit.start()]
        ascends = 0 < int(hit[1]) < int(hit[2]) or near.endswith("from ")  # "on a scale from 0-11"
        counted = _COUNTED.match(text, hit.end())
        played = _PLAYED.search(_LEFT_BEHIND.split(near)[-1]) and not counted
        spaced = " " in hit[0] and counted
        # "Tunisia 1 – 2 England"
        teams = " " in hit[0] and _TEAM.search(near) and _OTHER_TEAM.match(text, hit.end())
        won = played or teams or _RESULT.match(text, hit.end())
        if (not ascends and not spaced) or won:
            yield Label(hit.start(), hit.end(), "name")


def _spoken_scores(text: str, begin: list[int]) -> Iterator[Label]:
    """Find results with "to" that do not ascend, as in "confirmed 92 to 0" and "a 5-to-4 vote"."""
    if "to" not in text:
        return
    for hit in _hits(_SPOKEN_SCORE, text, begin):
        near = _LEFT_BEHIND.split(text[max(0, hit.start() - 40) : hit.start()])[-1]
        counts = " " in hit[0] and text.startswith(" votes", hit.end())  # "by 54 to 40 votes"
        won = bool(_PLAYED.search(near)) and not _GOES_ON.match(text, hit.end())
        result = won or bool(_RESULT.match(text, hit.end()))
        if int(hit[1]) >= int(hit[2]) and result and not counts and not near.endswith("from "):
            yield Label(hit.start(), hit.end(), "name")


def is_result(text: str, start: int, end: int) -> bool:
    """Return whether words that are no quantity, from `start` to `end` in code points, are the
    numbers of a game, a vote or odds, such as "3-2" or "5-to-4", rather than in a name.
    """
    words = text[start:end]
    if _WITH_TO.fullmatch(words):
        return True
    near = _LEFT_BEHIND.split(text[max(0, start - 40) : start])[-1]
    is_near_word = _PLAYED.search(near) or _RESULT.match(text, end) or _LONG_RESULT.match(text, end)
    is_headline = _TEAM.search(near) and _OTHER_TEAM.match(text, end)  # "Harrow 2-1 Rome"
    is_score = _SCORE.fullmatch(words) and (is_near_word or is_headline)
    return bool(is_score) or (words.isdecimal() and _is_minute(text, start, end))


_LINE_UP = re.compile(r"\b(?:Subs(?:titutes)?(?: [Nn]ot [Uu]sed)?|Booked|Goals|Scorers): ")
_LONGEST_PLAYER = 33
_CAME_ON = re.compile(r"\([A-Z][\w.'’ -]{1,30} ([0-9]{1,3})\)")
"""A player who came on, and when, in a line-up: "Orr (Pelt [77])"."""
_SCORED = re.compile(r"(?<=[a-z] )[0-9]{1,3}(?=[,.;]| (?:og|pen)\b| [A-Z]|\s*$)")
"""When a player scored: "Orr [35], Pelt [69]."."""
_SCORERS = re.compile(r"(?:Goals|Scorers): ([^.:\n]*)")


_LONGEST_SCORERS = 300
"""Number of code points before a minute in which the list of scorers begins."""


def _is_minute(text: str, start: int, end: int) -> bool:
    """Return whether a number that `_line_up` yields in some text is a minute of play."""
    came_on = _CAME_ON.search(text, max(0, start - _LONGEST_PLAYER), end + 1)
    if came_on and came_on.span(1) == (start, end):
        return True
    lists = _SCORERS.finditer(text, max(0, start - _LONGEST_SCORERS), end)
    return any(goals.end() == end for goals in lists)


def _line_up(text: str) -> Iterator[Label]:
    """Yield the minutes of play that a line-up prints after the names of players."""
    if not _LINE_UP.search(text):
        return
    for hit in _CAME_ON.finditer(text):
        yield Label(*hit.span(1), "name")
    for goals in _SCORERS.finditer(text):
        for hit in _SCORED.finditer(text, goals.start(1), goals.end(1) + 1):
            yield Label(*hit.span(), "name")


_WITH_TO = re.compile(r"\w+(?: to |-to-)\w+")


def _odds(found: Tokens, numbers: list[Numeral]) -> Iterator[Label]:
    """Find ratios and odds in words, as in "a three-to-one majority", but not after "from"."""
    for number in (number for number in numbers if number.kind == "cardinal"):
        i = bisect_left(found.starts, number.start)
        end = bisect_left(found.starts, number.end)
        words = [word for word in found.words[end : end + 4] if word not in HYPHENS][:2]
        if words == ["to", "one"] and "from" not in found.words[max(0, i - 3) : i]:
            yield Label(number.start, found.ends[found.words.index("one", end)], "name")


_SIZES = ("something", "figure", "digit")


def _orders_of_magnitude(found: Tokens, numbers: list[Numeral]) -> Iterator[Label]:
    """Find numbers of the size of another: "a six-figure sum", "two 40-somethings"."""
    for number in (number for number in numbers if number.kind == "cardinal"):
        i = bisect_left(found.starts, number.end)
        if found.words[i : i + 1] in (["-"], ["‑"]) and "".join(
            found.words[i + 1 : i + 2]
        ).startswith(_SIZES):
            yield Label(number.start, found.ends[i + 1], "name")


# ---- names ---------------------------------------------------------------------------------------

_BEFORE_NAME = {"the", "a", "an", "his", "her", "its", "their", "this", "s", "my", "your", "our"}
_AFTER_NAME = set(
    "of off in on at to for and or is was has had from says said with by before after when that which where who as but "
    "will would could until through near if because a the".split()
)
_LONGEST_NAME = 4
_AFTER_PLAIN_NAME = _AFTER_NAME & set(
    "in on for from with and but by before after when that which where who as while".split()
)
_NOT_BEFORE_NAME = set("in at to from near into of across around outside inside and or".split())
"""Words before a place or a person that a number may follow: "in Example 12, elsewhere 20"."""
_OPENING = {"“", '"', "‘"}
_DAYS = set("monday tuesday wednesday thursday friday saturday sunday".split())


def _names(found: Tokens, numbers: list[Numeral]) -> Iterator[Label]:
    """Find names with a number, such as "the Galaxy Note 20 Ultra" or "a Boeing 757"."""
    for number in numbers:
        i = bisect_left(found.starts, number.start)
        if number.kind != "cardinal" or i < 2:  # noqa: PLR2004
            continue  # a name needs a word before it
        word = found.words[i]
        if not word.isdecimal() or found.ends[i] != number.end or _YEAR.fullmatch(word):
            continue  # "the Climate Action 2016" has a year
        if _begins_name(found, i):
            yield Label(number.start, number.end, "name")
            continue
        first = i
        while first and i - first < _LONGEST_NAME and _is_name(found, first - 1):
            first -= 1
        after = found.text_after(i)
        goes_on = after[:1].isupper() or (i - first > 1 and after.islower() and after not in _UNITS)
        goes_on &= not is_plural(after.casefold())
        ends = not after[:1].isalnum() and after not in {"%", "-", "‑", "$"}
        determined = first < i and first and found.words[first - 1] in _BEFORE_NAME
        named = determined and (goes_on or ends or after in _AFTER_NAME)
        # "he called Lamp 3 old", but "he gave Orr 3 new lamps"
        alone = after.isalpha() and not any(
            _may_be_counted(each) for each in found.words[i + 1 : i + 4]
        )
        plain = first < i and (ends or after in _AFTER_PLAIN_NAME or alone)
        if named or (plain and _is_plain(found, first, i)):
            yield Label(found.starts[i - 1], number.end, "name")


def _may_be_counted(noun: str) -> bool:
    return is_plural(noun) or noun in UNITS or noun in _UNITS


def _begins_name(found: Tokens, i: int) -> bool:
    """Return whether a number begins a name, such as "the 5-Star Movement", outside a headline."""
    hyphen, word = [*found.texts[i + 1 : i + 3], "", ""][:2]
    if hyphen not in HYPHENS or not word.istitle() or found.texts[i - 1] in _OPENING:
        return False
    return any(each.islower() and len(each) >= _NO_PREPOSITION for each in found.texts)


_NO_PREPOSITION = 8
"""Number of letters of a word that has a small letter in no headline."""


def _is_plain(found: Tokens, first: int, i: int) -> bool:
    """Return whether a name without an article before it may end in a number, as in "called Ginbot
    7": no place, day or currency, and not one of several results ("Cruz 300 and Kasich 37").
    """
    name, apart = found.texts[i - 1], found.starts[i] - found.ends[i - 1] == 1
    if not apart or found.words[i - 1] in _DAYS | CODES.keys() or len(found.texts[i]) > 3:  # noqa: PLR2004
        return False
    before = found.texts[first - 1] if first else ""
    if before in _OPENING and not {"”", '"', "’"}.isdisjoint(found.texts[i + 1 : i + 3]):
        return True  # a class called “Perceptions 301,”
    near = range(max(1, i - 5), min(i + 7, len(found.texts)))
    numbered = [found.texts[at - 1] for at in near if at != i and is_digits(found.texts[at])]
    if name in numbered or found.texts[i + 1 : i + 2] in (["has"], ["is"], ["was"]):
        return True  # "Arrow 2 and soon Arrow 3", "Arrow 2 is"
    plain = before.islower() and before not in _NOT_BEFORE_NAME and len(name) > 2  # noqa: PLR2004
    return plain and set(numbered) <= {","}


def _is_name(found: Tokens, i: int) -> bool:
    """Return whether a token can be in a name: capitalised, or a number ("Boeing 737 Max")."""
    word = found.texts[i]
    if word.isdecimal():
        return i > 0 and found.texts[i - 1][:1].isupper()
    return word[:1].isupper() and word.isalpha() and word not in MONTHS and word not in _NO_NAMES


_NO_NAMES = set("A An The US UK EU UN Another Nearly Some About Only All".split())


def _titles(text: str, found: Tokens, numbers: list[Numeral]) -> Iterator[Label]:
    """Find capitalised number words in names: "Formula One cars", "in Twelve Angry Men"."""
    for number in (number for number in numbers if text[number.start].isupper()):
        i = bisect_left(found.starts, number.start)
        before, end = found.texts[i - 1] if i else "", number.end
        if number.kind == "share" and before[:1].isupper():
            end = found.ends[i]  # "Uranium One in three transactions"
        elif number.kind != "cardinal":
            continue
        after = text[end : end + 2]
        named = before.islower() or (before.isalpha() and (after[:1] != " " or after[1:].islower()))
        named |= before in {"BBC", "Channel", "Radio"}  # "BBC Four World Award"
        named &= not found.texts[i].isupper()  # "fights off THREE robbers"
        if (
            named
            and text[found.ends[i - 1] : number.start] == " "
            and found.words[i] in NUMBERS.keys() | SCALES.keys()
        ):
            yield Label(number.start, end, "name")


_ADDRESS = re.compile(
    r"(?:https?://|www\.|\bdoi:|\b10\.[0-9]{4,5}/|pic\.twitter\.com/)[^\s“”\"<>]+|(?<![\w.+-])[\w.+-]+@[\w.-]+"
    r"|(?<!\w)@\w+|#(?=\w*[A-Za-z])\w+"
)
_IN_ADDRESSES = ("@", "://", "www.", "doi:", "10.", "pic.", "#")


def _addresses(text: str) -> Iterator[Label]:
    """Find web, mail and account addresses and hashtags that contain a digit."""
    if any(sign in text for sign in _IN_ADDRESSES):
        for hit in _ADDRESS.finditer(text):
            if _DIGITS.search(hit[0]):
                yield Label(hit.start(), hit.end(), "name")


# ---- relative dates ------------------------------------------------------------------------------

_TIMES = frozenset(
    "second seconds minute minutes hour hours day days week weeks month months year years decade"
    " decades night nights morning mornings".split()
)
_LONG_TIMES = frozenset("day days week weeks month months year years decade decades".split())
RELATIVE = {"ago", "earlier", "later", "before", "after", "previously", "hence"}


def _relative_dates(found: Tokens, numbers: list[Numeral]) -> Iterator[Label]:
    """Find relative dates: "two months ago", "three days later", "Two days before", "a month away"."""
    previous: Numeral | None = None
    for number in (number for number in numbers if number.kind != "ordinal"):
        previous, first = number, previous
        i = bisect_left(found.starts, number.start)
        while found.ends[i] < number.end:
            i += 1
        if not _is_relative(found, i):
            continue
        # "two or three days ago", but not "In May 2013 - two days after the vote"
        word = found.word_before(i)
        touches = i > 0 and found.ends[i - 1] == found.starts[i]
        joined = word in ("or", "to") or (touches and word in ("-", "–"))
        start = number.start
        if first and joined and first.end == found.ends[i - 2]:
            start = first.start
        yield Label(start, found.ends[i + 2], "date")


def _is_relative(found: Tokens, i: int) -> bool:
    """Return whether the words after a number make it a date, as in "months ago"."""
    words = found.words[i + 1 : i + 3]
    if len(words) < 2:  # noqa: PLR2004  # a noun and "ago"
        return False
    if words[1] == "away":  # "two hours away" is a distance
        return words[0] in _LONG_TIMES
    passed = words[1] == "ago" or found.words[i + 2 : i + 4] in (["from", "now"], ["on", ","])
    if passed:
        return True
    # "jailed for two years after", "delayed by an hour", "more than a day before they came", "it
    # was a day before"
    before = found.word_before(i)
    lasting = before in {"for", "by", "of"} or (
        before == "than" and words[1] in {"before", "after"}
    )
    lasting |= found.words[max(0, i - 2) : i] == ["it", "was"] and words[1] == "before"
    lasting |= before == "first"  # "in the first two weeks after the fire"
    lasting |= not _LASTING.isdisjoint(found.words[max(0, i - 3) : i])  # "lasted only an hour"
    lasting |= found.words[i + 2 : i + 4] == ["after", "which"]
    return words[0] in _TIMES and words[1] in RELATIVE and not lasting


_LASTING = frozenset("last lasted lasting lasts take taken takes took".split())


# ---- a text with its labels ----------------------------------------------------------------------

_LABELLED = "\0"
"""The word that replaces each word of a label when the numbers around it are read again."""


class ParsedText:
    """The tokens of a text, its numbers and its labels, for the questions of the grammar."""

    def __init__(self, text: str) -> None:
        """Parse a text; full-width digits are read like others."""
        text = narrow(text)
        self._read(text, tokens(text))
        cut = {i for label in self.labels for at in label[:2] if (i := self._cut(at)) is not None}
        if cut:
            self._read(text, with_parts(text, cut))  # "On May 12 300 soldiers left"
        self.number_starts = {number.start for number in self.numerals}
        self.number_ends = {number.end for number in self.numerals}

    def _read(self, text: str, found: Tokens) -> None:
        self.texts, self.words, self.starts, self.ends = found
        self.numerals: list[Numeral] = numerals(found)
        self.labels: list[Label] = labels(text, found, self.numerals)
        self._label_ends = [label.end for label in self.labels]
        if any(self._crosses(number) for number in self.numerals):
            # A number and a label do not share digits, and what is outside the label is read on its
            # own.
            masked = list(map(self._masked, found.words, found.starts, found.ends))
            self.numerals = numerals(found._replace(words=masked))

    def _crosses(self, number: Numeral) -> bool:
        """Return whether a number is partly inside a label."""
        i = bisect_left(self._label_ends, number.start + 1)
        label = self.labels[i] if i < len(self.labels) else None
        return bool(
            label
            and label.start < number.end
            and not (label.start <= number.start and number.end <= label.end)
        )

    def _masked(self, word: str, start: int, end: int) -> str:
        return _LABELLED if self.within_label(start, end) else word

    def _cut(self, at: int) -> int | None:
        """Return the token in which a label starts or ends, if it is a number with a space."""
        i = bisect_left(self.starts, at) - 1
        if i >= 0 and at < self.ends[i] and " " in self.words[i]:
            return i
        return None

    def within_label(self, start: int, end: int) -> bool:
        """Return whether a label overlaps a span."""
        i = bisect_left(self._label_ends, start + 1)
        return i < len(self.labels) and self.labels[i].start < end

    def word(self, i: int) -> str:
        """Return a word in lower case, or "" outside the text."""
        return self.words[i] if 0 <= i < len(self.words) else ""

    def touches(self, i: int) -> bool:
        """Return whether there is no space before a token."""
        return 0 < i < len(self.words) and self.ends[i - 1] == self.starts[i]

    def index(self, offset: int) -> int:
        """Return the index of the first token at or after an offset."""
        return bisect_left(self.starts, offset)

    def ends_number(self, i: int) -> bool:
        """Return whether a number ends with a token."""
        return 0 <= i < len(self.ends) and self.ends[i] in self.number_ends

    def starts_number(self, i: int) -> bool:
        """Return whether a number starts at a token."""
        return i < len(self.starts) and self.starts[i] in self.number_starts

    def numeral_at(self, i: int) -> Numeral:
        """Return the number that starts at a token."""
        return self.numerals[bisect_left(self.numerals, (self.starts[i],))]
