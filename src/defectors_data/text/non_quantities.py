"""Detection of numbers that are not quantities: dates, clock times, list numbers, and numbers in names and addresses.

Every pattern is a fixed sequence of short pieces, so that none is slow on any text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from string import ascii_letters
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.text.numerals import NUMBERS, SCALES, Numeral, Tokens, is_digits
from defectors_data.text.quantity_words import CODES, LETTERS, ROUND, is_plural

LabelKind: TypeAlias = Literal["date", "clock_time", "list_number", "name"]
Beginning: TypeAlias = Literal["start", "line", "digit", "word", "any", "number", "numeral"]
"""Where a match can start: at the start of the text (`start`) or of a line (`line`); at a digit (`digit`); at the word
before a digit or a number word (`word`); at a digit or the word before it (`any`); at a number word from two to
thirteen (`number`); or at any number (`numeral`)."""


class Label(NamedTuple):
    """A number that is not a quantity, with its span in code points: zero-based start, exclusive end."""

    start: int
    end: int
    kind: LabelKind


# Any capitalised word: `_hits` looks it up in `MONTHS`, because long alternations are slow.
_MONTH = r"(?P<month>[A-Z][a-z]{2,8})\.?"
MONTHS = frozenset(
    "January February March April May June July August September October November December "
    "Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec".split()
)
_DAY = r"(?:[12][0-9]|3[01]|0?[1-9])(?:st|nd|rd|th)?"
_YEAR = r"(?:1[0-9]|20)[0-9]{2}"
_NAMES = frozenset("two three four five six seven eight nine ten eleven twelve thirteen".split())
_SERIES_IN_SMALL = (
    "room|page|pages|flight|route|platform|gate|chapter|article|section|paragraph|clause|aisle|ward|cell|apartment|flat"
    "|suite|unit|bus|tram|track|lane|exit|junction|channel|verse|item|lot|question|slide|level|category|type|grade"
    "|phase|stage|round|version|step|reference|ref|extension|code|bib|table|figure|exhibit|appendix|building|block"
    "|pier|berth|marker|update|incident|count|day|week|game|part|volume|episode|line|studio|hut|dormitory|locker|plot|tier|zone|sector|district"
    "|precinct|year|season|series|size|cloud"
)
_SERIES = (
    "War|Title|Act|Book|Group|Number|Squadron|Area|Class|Camp|Form|Radio|Schedule|Formula|Terminal|FTSE|CAC|Nikkei"
    "|Nasdaq|Fortune|UPDATE|Court|Courtroom|Tower|Hall|Platoon|Reactor|Boat|Car|Dock|Shed|Station"
    f"|{_SERIES_IN_SMALL.title()}"
)
_NUMBERED = (
    r"Nos?\.?|Art\.|Resolution|Decree|Law|Highway|Boeing|Airbus|Vol\.|Apollo|Annex|Group of|Battalion|Brigade|Bill"
    rf"|Psalm|IMO|Case|Proposition|Amendment|Mk|Mach|Rule|Regulation|Windows|Interstate|Avenue|Box|Agenda|Eps?\.|Figs?\.|Ch\.|{_SERIES}"
)
_SMALL_WORDS = (
    "of|off|in|on|at|to|for|and|or|is|was|has|had|from|says|said|with|by|before|after|when|that|which|where|who|as|but|will"
    "|would|could|until|through|near|if|because|a|the"
)
_ENDS = rf"(?=[^\w ]| (?:{_SMALL_WORDS})\b|$)(?![.,/-][0-9]|%)"
"""What may follow a number that is part of a name and counts nothing, as in "room 14 of"."""
_SCALED = "| (?i:hundred|thousand|million|billion|trillion|dozen|lakh|crore)"
_NOT_THIS = "".join(f"(?<!{before} )" for before in "that That this This last Last next same each one".split())
"""Assertions that none of these words precedes a noun: in "that week 12 of them died", 12 is not the week's number."""
_AMOUNT = (
    rf"(?i:{'|'.join(CODES)})(?:[0-9]{{3}}|[0-9]+(?:[.,][0-9]|[a-z]| [a-z]+(?:illion|akh|rore)))"
    rf"|(?:{'|'.join(f'{each[0].upper()}(?i:{each[1:]})' for each in sorted(LETTERS))})[0-9]+"
    r"(?:,[0-9]|(?:\.[0-9]+)?(?:[ -][a-z]+illion|[mM]\b|[bm]n\b))"
    rf"|(?<![Tt]he )[{''.join(sorted(ROUND)).upper()}][0-9]+0(?![\w-])(?! (?:road|motorway|highway|route|bus)\b)"
)
"""The beginning of an amount of money, such as COP300, but not COP26, which is a name."""
_LIST = r"[0-9]+[A-Za-z]?(?:(?:[-–]|, | to | or |,? and )[0-9]+[A-Za-z]?){1,6}"
"""Numbers after a plural noun, as in "rooms 12, 14 and 16" or "chapters 3 to 5"."""
_MARK = (
    r"(?<![\w/.,$€£])(?!(?:1/[234]|2/3|3/4)(?![0-9]))[0-9]{1,3}/[0-9]{1,3}(?![\w/]|[.,][0-9]| of\b)"
    r"|1:[0-9]{1,3}(?:[,    ][0-9]{3})+(?![\w:])|(?<![\w.,$€£–-])[1-9](?:-[1-9]){2,4}(?![\w-]|[.,][0-9])"
    r"|(?<=#)[0-9]+(?![\w,.]?[0-9])|(?<![\w.,$€£])[0-9]{1,3}(?:\.[0-9]{1,2}){2,3}(?!\w|[.,][0-9])|9-to-5(?!\w)"
    r"|(?:(?<=[^\s(]\[)|(?<=^\[)(?=[0-9]+\] [A-Z]))[0-9]{1,3}(?=\])"
    r"|[0-9]{1,4}-to-(?:1|one)\b|(?<![\w.,])[0-9]{1,2}[x×][0-9]{1,3}(?!\w)"
    r"|(?<![\w.,$€£:/'’-])(?<![0-9]\s)0[0-9]+(?![\w:/-]|[.,][0-9])"
)
"""Grades, odds, scales, versions and similar forms, such as 8/10, 7/2, 24/7, 100-to-1, 4x4, 007, 1:25,000, 4-4-2, #12,
2.0.1, 9-to-5, and the [1] in "today.[1]"."""
_CALL = r"(?:[Cc]all(?:s|ed|ing)?|[Dd]ial(?:s|l?ed|l?ing)?|[Rr]ang|[Rr]ing|[Pp]honed?|[Tt]ext)"
_UNITS = "Brigade|Battalion|Regiment|Division|Squadron|Company|Aircraft|aircraft"
_PLACES = "Islands?|Dam|Beach|Hills|Lakes|Mountains?|Street|Road|Bridges?|Gorges|Corners|Rivers|Kingdoms"
_HOUR = (
    r"(?i)(?<!\w)(?:[0-9]{1,2}|[a-z]{3,6}) ?(?:o['’]clock|noon\b|midnight\b)|(?:five|ten|twenty(?:-five)?) past \w+\b"
    rf"|(?<=day at )(?:1[0-2]|[1-9]|{'|'.join(sorted(_NAMES - {'thirteen'} | {'one'}))})"
    r"(?=[^\w .:]|\. |\.?$| (?:and|or|in|on|for|when|as|with|sharp)\b)"
    r"|(?:(?<=half past )|(?<=quarter past )|(?<=quarter to ))(?!an? )\w+"
    r"|(?<=\bat )(?:[0-9]{1,2}|[a-z]{3,6}) to (?:[0-9]{1,2}|[a-z]{3,6})(?= (?:on|in|when|the|they|s?he)\b|[,;.]|$)"
    r"|(?:(?<=\bat )|(?<=around )|(?<=about )|(?<=until )|(?<=after )|(?<=\bby ))\w+ in the "
    r"(?:morning|afternoon|evening)\b"
)
_PHONE = (
    r"(?:(?<=\+)[0-9]{1,3}(?:[ .-]?[0-9]{2,4}){2,4}|(?<=\()[0-9]{3}\) ?[0-9]{3}[-. ][0-9]{4})(?!\w)"
    r"|(?<![\w.,-])0[0-9]{2,4}(?:[ -][0-9]{3,8}){1,3}(?!\w)|(?<![\w.,$€£-])[0-9]{5} [0-9]{5}(?![\w-]|[.,][0-9])"
    r"|(?<![\w.,-])(?:1-)?[0-9]{3}-[0-9]{3}-[A-Z]{4}(?!\w)|(?<![\w.,$€£-])1[38]00[ -][0-9]{3}[ -][0-9]{3,4}(?![\w-])"
    r"|(?<![\w.,-])(?:1[-. ])?(?:[0-9]{3}[-. ])?[0-9]{3}-[0-9]{4}(?![\w-]|,[0-9]| ?(?!(?:or|and|to)\b)[a-z])"
)
_STREET = (
    r"(?<![\w.,-])[0-9]{1,5}(?:[A-Za-z]|[-–][0-9]{1,5})? (?:[A-Z][a-z’']+ ){1,2}"
    r"(?:Street|Road|Avenue|Lane|Square|Close|Drive|Terrace|Crescent|Boulevard|Row|Way|Court|Place|Gardens|Hill|Mews"
    r"|Parade|Quay|Grove|Walk|Wharf|Alley|Highway|Embankment|Yard|St|Rd|Ave|Blvd|Dr|Ln)(?!\w| [a-z]{3,}s\b)"
    r"|(?:(?<=\bat )|(?<=\bof ))[0-9]{1,4}[A-Z]? (?:[A-Z][a-z’']+ ){1,2}[A-Z][a-z’']*[a-rt-z](?=[,.])"
)
_EXPRESSIONS: tuple[tuple[LabelKind, Beginning, str], ...] = (
    # the number of a list item, such as 1. or (1)
    ("list_number", "line", r"(?m)^[ \t]{0,12}(?P<n>\(?[0-9]{1,3}[.)](?=[ \t])(?![ \t][0-9]{3}[-. ]))"),
    ("list_number", "digit", r"(?<=[:.!?] )[0-9]{1,2}\.(?= [A-Z])"),
    # 3 of 12, on a line of its own or before a caption
    ("list_number", "start", r"[0-9]{1,3} of [0-9]{1,3}(?=[ \t]*(?:$|[:\n]))"),
    # the time of an entry, such as 18.42 BREAKING
    ("clock_time", "start", r"[0-2]?[0-9]\.[0-5][0-9](?= [A-Z]| ?[—–:-])"),
    # 2019-03-04; 4/3/2019; 5 de Julio; 2010-11; 9/11; March 4-6, 2019; the 4th of March; March 2019; the 1990s; by 2100
    (
        "date",
        "digit",
        (
            rf"(?<!\w){_YEAR}-[0-9]{{2}}-[0-9]{{2}}(?!\w)"
            r"|(?<![\w/])[0-9]{1,2}(?:[/.][0-9]{1,2}[/.](?:[0-9]{4}|[0-9]{2})|-[0-9]{1,2}-(?:19|20)[0-9]{2})(?![\w/-])"
            r"|(?<![\w.,])[0-9]{1,2} de [A-Za-z]{4,10}(?: del? [0-9]{4})?(?!\w)"
            rf"|(?<![\w.,$€£/-])(?:{_YEAR}[-–/][0-9]{{2}}|9/11|[01]?[0-9]/{_YEAR})(?![\w%/-]|[,.][0-9])"
            r"|(?<![\w.,])(?:[0-9]{1,5}|[0-9]{1,2},[0-9]{3}) (?:BCE?|CE|AD)\b"
            rf"|(?<![\w.,$€£]){_YEAR}[a-e](?!\w)"
            r"|(?:(?<=\b[Bb]y )|(?<=\b[Ii]n ))2[12][0-9]0(?=[^\w%.,]|[.,](?![0-9])|$)(?! [a-z]+s\b)"
        ),
    ),
    ("date", "word", rf"(?<!\w){_MONTH} {_DAY}(?:(?:[-–]| and | to ){_DAY})?(?:(?:,? |,){_YEAR})?(?!\w)"),
    ("date", "any", rf"(?<!\w)(?:the )?{_DAY}[ -](?:of )?{_MONTH}(?:,? {_YEAR})?(?!\w)"),
    ("date", "word", rf"(?<!\w){_MONTH},? (?:of )?{_YEAR}(?!\w)"),
    ("date", "any", r"(?<![\w$€£])(?:(?:1[0-9]|20)?[0-9]0['’]?s|['’‘][0-9]0s)(?!\w)"),
    # 10:30 p.m.; 10.30am; 10 pm; 10 o'clock; half past ten; at six in the morning; 12 noon
    (
        "clock_time",
        "digit",
        r"(?i)(?<![\w:.])[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?: ?[ap]\.?m\b\.?|UTC|GMT|Z)?(?!\w|:\S)",
    ),
    (
        "clock_time",
        "digit",
        (
            r"(?i)(?<![\w.])(?:[0-9]{1,2}(?:[.:][0-9]{2})?(?: ?[-–] ?| to | and | or ))?"
            r"[0-9]{1,2}(?:[.:][0-9]{2})? ?(?:[ap]\.m\.|[ap]m\b)"
        ),
    ),
    ("clock_time", "numeral", _HOUR),
    (
        "name",
        "numeral",
        r"six of one(?:,| and)? half[ -]a[ -]dozen of the other|nineteen to the dozen|two to tango|(?<=\bcloud )nine",
    ),
    # 0600 hours; at 7 on Friday; at 9.15 this; At 19.45 he; the 9.15 to the coast
    (
        "clock_time",
        "digit",
        (
            r"(?<![\w.,])(?:[0-2][0-9][0-5][0-9] (?:hours|GMT|UTC|[A-Z]{1,2}[SD]T)|[0-2]?[0-9]h[0-5][0-9])\b"
            r"|(?<=\bat )[0-2]?[0-9](?:\.[0-5][0-9])?(?= (?:to(?:day|morrow|night)|this [a-z]+ing|on [A-Z][a-z]+day)\b)"
            r"|(?<=\bat )[0-2]?[0-9]\.[0-5][0-9](?= (?:on|this)\b|[;.]?$)"
            r"|(?<=\bAt )[0-2]?[0-9]\.[0-5][0-9](?![\w%]| (?:per|[a-z]+ion|[a-z]+s)\b)"
            r"|(?<=\b[Tt]he )[0-2]?[0-9][.:][0-5][0-9](?= (?:to|from|at|train|bus|ferry|flight|service|start|kick)\b)"
        ),
    ),
    # No. 5; Rovers 3, Albion 1; War Two; Ranger 12 Battalion
    (
        "name",
        "word",
        (
            rf"(?<!\w)(?:(?:{_NUMBERED}) [0-9]+"
            r"(?: of [0-9]+|(?:\([0-9a-z]{1,3}\)){1,4}|(?:[-–.][0-9]+)?[A-Za-z]{0,3})"
            rf"(?!\w| ?%| per ?cent{_SCALED})"
            rf"|(?:{_SERIES}) [A-Z][a-z]+(?!\w)"
            r"|[A-Z][a-z]+ [0-9]{1,2},? [A-Z][a-z]+ [0-9]{1,2}(?=[:.;]|$)"
            rf"|(?!(?:The|All|Some|About|Around|Nearly|Only|Another|Of|In) )[A-Z][a-z]+ [0-9]{{1,4}} (?:{_UNITS}))"
        ),
    ),
    (
        "name",
        "word",
        # B-52, H5N1, A320neo; "mid-1990" and "pre-1958" are years.
        (
            rf"(?<![\w$€£])(?!(?:mid|pre|post|late|early|to|by|and|or|than|magnitude)-|{_AMOUNT})"
            r"[A-Za-z]{1,12}[-‑]?[0-9]{1,12}(?:\.[0-9](?![0-9])|(?:[A-Z][0-9]{1,6}){0,3}[A-Za-z]{0,4})(?![\w,.][0-9])(?!\w)"
        ),
    ),
    # XB.4.2; s.36; WC2A 2LL
    (
        "name",
        "word",
        (
            r"(?<![\w.])(?:[A-Z]{1,3}(?:\.[0-9]{1,2}){2,4}|ss?\.[0-9]{1,3})(?![\w%])"
            r"|(?<!\w)[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}(?!\w)"
        ),
    ),
    # an iPhone 14, a PlayStation 5, but not "McKay 12 points"
    (
        "name",
        "word",
        (
            r"(?<!\w)(?:[a-z]{1,9}[A-Z][A-Za-z]{1,9} [0-9]{1,4}"
            r"|(?:[A-Z][a-z]{1,9}[A-Z][A-Za-z]{1,9}|(?<=[A-Z]&)[A-Z]) [0-9]{1,4}(?! [a-z]{3,}s\b))"
            r"(?![\w%]|[.,][0-9])"
        ),
    ),
    # page 12, room 14B, but not "seat 12 men"; flight BA 249; a category 4 storm; called 999; a Peugeot 308
    (
        "name",
        "word",
        (
            rf"(?<!\w){_NOT_THIS}"
            rf"(?:(?:(?:{_SERIES_IN_SMALL}) [0-9]+(?:[-–.][0-9]+|[A-Za-z]|(?:\([0-9a-z]{{1,3}}\)){{1,4}})?"
            rf"|(?!UK|US|EU|UN)[A-Z]{{2}} [0-9]{{1,4}}){_ENDS}"
            rf"|(?i:{_SERIES_IN_SMALL}) (?:{'|'.join(sorted(_NAMES))})"
            r"(?=[,.;:!?)]|$| (?:is|was|has|will|began|begins|starts)\b)"
            r"|(?:category|type|grade|stage|tier|phase|level) [0-9]{1,2}(?= [a-z])"
            rf"|Nos\.? {_LIST}(?![\w%]|[.,-][0-9])"
            rf"|(?!days|weeks|years|games|items)(?i:{_SERIES_IN_SMALL}|highway)s {_LIST}"
            rf"(?:{_ENDS}|(?= (?:were|are|have)\b))"
            rf"|{_CALL} [0-9]{{3,6}}(?![\w%]|[,. -][0-9]| (?:[a-z]+s|people|million|men|women)\b)"
            rf"|(?:(?<=\ba )|(?<=\ban )|(?<=\bhis )|(?<=\bher ))[A-Z][a-z]+ [0-9]{{1,4}}{_ENDS}"
            r"|(?:(?<=[,(] )|(?<=\bat )|(?<=\ba )|(?<=\b[Tt]he ))[Nn]umber [0-9]{1,4}(?![\w%]|[.,-][0-9]))"
        ),
    ),
    # "and number two, I was", but not "the rebels number two"
    ("name", "number", r"(?:(?<=\band number )|(?<=, number )|(?<=\bthe number ))[a-z]+(?=[^\w ])"),
    ("name", "number", rf"(?<!\w)[A-Z][a-z]+ (?:[A-Z][a-z]+ ){{0,2}}(?:{_PLACES})(?!\w)"),
    # 4G, but B, K, M and T after digits are scales: 5M, 10K; a 3:1 ratio; 911, what is; the 23F; 24/7;
    # kestrel_77; 14 Harbour Street; +57 300 555 0134; (202) 555-0176; 1-800-555-0199; 555-0134; the 38 bus; 4-H
    (
        "name",
        "digit",
        (
            r"(?<=[A-Za-z]_)[0-9]+(?:\.[0-9]+)?(?!\w)|(?<!\w)[0-9]+_[a-z]\w*"
            r"|(?<![\w.,$€£])[0-9]{1,2}(?:[GD]|[AC-JLN-SU-Z](?= [A-Z]))(?!\w)"
            r"|(?<![\w:.,])[0-9]{1,3}(?::[0-9]){1,3}(?![\w:])"
            r"|(?:(?<=[Cc]allers to )|(?<=[Cc]alls to ))(?:911|999|112)\b"
            r"|(?<![\w.,$€£])(?:911|999|112)(?=, what\b| (?:call|operator|dispatch|emergency))"
            rf"|(?<=\b[Tt]he )[0-9]{{1,3}}[A-Z](?![\w°])|{_PHONE}|{_STREET}|{_MARK}"
            r"|(?<=\b[Tt]he )[0-9]{1,3}(?= (?:tram|bus|train|ferry)\b(?! [a-z]{3,}s\b))"
            r"|(?<![\w.,$€£-])[0-9]{2,5}(?= block of\b)"
            r"|(?<![\w.,$€£-])[0-9]{1,2}(?:-[A-Z](?![\w-])|[A-Z][a-z]{3,}(?!\w))"
        ),
    ),
)
_ADDRESS = re.compile(r"(?:https?://|www\.|\bdoi:|\b10\.[0-9]{4,5}/)[^\s“”\"<>]+|(?<![\w.+-])[\w.+-]+@[\w.-]+")
_PATTERNS = [(kind, beginning, re.compile(expression)) for kind, beginning, expression in _EXPRESSIONS]
_YEAR_ALONE = re.compile(rf"(?<![\w.,$€£])(?:{_YEAR}(?![\w%]|[,.][0-9])|(?<=['’‘])[0-9]{{2}}(?![\w'’%]))")
_BEFORE_YEAR = set(
    (
        "in between since by until till from before after during of to late early mid year years and copyright © "
        "( [ / - – — through around about circa spring summer autumn fall winter elections class pre post"
    ).split()
)
_THE = {"the", "a", "its", "his", "her", "their", "this", "that", "s"}
_AFTER_YEAR = set(") ] , . ; : / - – — ” \" ’ ' ! ? as was is when that had has with but by for in on at to".split())
_TIMES = {
    f"{word}{plural}"
    for word in ("second", "minute", "hour", "day", "week", "month", "year", "decade", "night", "morning")
    for plural in ("", "s")
}
RELATIVE = {"ago", "earlier", "later", "before", "after", "previously", "hence"}


def labels(text: str, found: Tokens, numbers: list[Numeral]) -> list[Label]:
    """Return the numbers that are not quantities, in order.

    Where labels overlap, the first one is kept, and where several begin together, the longest.
    """
    even = text.replace("\u00a0", " ").replace("\u202f", " ")  # one kind of space; the offsets stay the same
    begin = _beginnings(even, found, numbers)
    candidates = [
        Label(hit.start("n") if beginning == "line" else hit.start(), hit.end(), kind)
        for kind, beginning, pattern in _PATTERNS
        if begin[beginning]
        for hit in (pattern.finditer(text) if beginning == "line" else _hits(pattern, even, begin[beginning]))
    ]
    candidates += [
        *_years(even, found, numbers, begin["digit"]),
        *_scores(even, begin["digit"]),
        *_relative_dates(found, numbers),
        *_titles(text, found, numbers),
        *_odds(found, numbers),
        *_orders_of_magnitude(found, numbers),
        *_addresses(text),
    ]
    kept: list[Label] = []
    for label in sorted(candidates, key=lambda label: (label.start, -label.end)):
        if (not kept or label.start >= kept[-1].end) and not _cuts_number(label, found):
            kept.append(label)
    return kept


def _cuts_number(label: Label, found: Tokens) -> bool:
    """Return whether a label contains only a part of a number, as "Nasdaq 1" in "Nasdaq 1.2"; spaces may be cut."""
    return any(_is_inside_number(at, found) for at in label[:2])


def _is_inside_number(at: int, found: Tokens) -> bool:
    i = bisect_left(found.ends, at + 1)
    inside = i < len(found.starts) and found.starts[i] < at
    return inside and is_digits(found.texts[i]) and " " not in found.texts[i]


def _hits(pattern: re.Pattern[str], text: str, begin: list[int]) -> Iterator[re.Match[str]]:
    """Yield the matches of a pattern that start at the given offsets, without overlaps, as `finditer` does."""
    end = 0
    for at in begin:
        # A pattern without a month passes the last test, because "May" is in `MONTHS`.
        if at >= end and (hit := pattern.match(text, at)) and hit.groupdict().get("month", "May") in MONTHS:
            end = hit.end()
            yield hit


_DIGITS = re.compile("[0-9]+")


def _beginnings(text: str, found: Tokens, numbers: list[Numeral]) -> dict[Beginning, list[int]]:
    """Return the offsets at which labels can start, by kind of beginning, so that patterns are tried only there."""
    digits = [hit.start() for hit in _DIGITS.finditer(text)]
    words = sorted({at for digit in digits for at in _before(text, digit)})
    names = [start for start, token in zip(found.starts, found.words, strict=True) if token in _NAMES]
    series = {at for name in names for at in _before(text, name)}
    return {
        "start": [0] if digits[:1] == [0] else [],
        "line": digits,
        "digit": digits,
        "word": sorted({*words, *series}),
        "any": sorted({*digits, *words}),
        "number": names,
        "numeral": [number.start for number in numbers],
    }


def _before(text: str, digit: int) -> Iterator[int]:
    """Yield where a label with this first digit can start: at an apostrophe, at a word, or at the word before "of"."""
    if text[digit - 1 : digit] in _APOSTROPHES:
        yield digit - 1
    end = digit - (text[digit - 1 : digit] in {*_HYPHENS, "."})
    if end == digit:
        end = _word_end(text, digit)
    start = _word_start(text, end)
    yield start
    if text[start:end] == "of" and text[end:digit] == " ":
        yield _word_start(text, _word_end(text, start))


_APOSTROPHES, _HYPHENS = ("'", "’", "‘"), ("-", "‑")


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


def _years(text: str, found: Tokens, numbers: list[Numeral], begin: list[int]) -> Iterator[Label]:
    """Find years without a month: after a word such as "since", or where nothing that could be counted follows."""
    ratios = [number for number in numbers if number.kind == "share"]
    for hit in _hits(_YEAR_ALONE, text, begin):
        i = bisect_left(found.starts, hit.start())
        if found.starts[i : i + 1] != [hit.start()] or any(ratio.start < hit.start() < ratio.end for ratio in ratios):
            continue  # these digits are part of a longer number
        apostrophe = text[hit.start() - 1 : hit.start()] in _APOSTROPHES  # '98
        before = found.words[i - 1 - apostrophe] if i > apostrophe else ""
        if before in {",", "and", "or"} and _YEAR_ALONE.fullmatch(found.words[i - 2]) and not apostrophe:
            before = "years"  # "2003, 2004 and 2005"
        after = found.texts[i + 1] if i + 1 < len(found.texts) else "."
        one = after[:1].isalpha() and not is_plural(after.casefold())
        # "the 2016 Olympics", "its 2025 budget", "a white 2017 Kia"
        named = before in {"the", "a", "this", "that"} and after[:1].isupper()
        # "the 1968 floods", but not "the 1950 soldiers": most counts of four digits have a comma
        named |= before == "the" and after.islower() and is_plural(after) and hit[0][-1] != "0"
        named |= one and (before in _THE or (i > 1 and before.isalpha() and found.words[i - 2] in _THE))
        named |= (
            before in {"was", "is", "s"} and "it" in found.words[max(0, i - 3) : i - 1]
        )  # "It was 1974 all over again"
        counted = before == "(" and is_plural(after)  # "(1671 incidents in 2021)"
        if (before in _BEFORE_YEAR and not counted) or (not apostrophe and (after in _AFTER_YEAR or named)):
            yield Label(hit.start() - apostrophe, hit.end(), "date")


_SCORE = re.compile(r"(?<![\w.,$€£/–-])([0-9]{1,3})[-–]([0-9]{1,3})(?![\w%/–-]|[.,][0-9])")
_COUNTED = re.compile(r" [a-z]+s\b")
_PLAYED = re.compile(
    r"\b(?:w[io]n|wins|lost|lose|loses|losing|drew|draw|beat|beaten|defeat|ruled|voted|led|trailed|trailing|split|score)\b"
)
_RESULT = re.compile(r" (?:win|victory|defeat|loss|draw|lead|vote|ruling|decision|score|scoreline|majority|deficit)\b")


def _scores(text: str, begin: list[int]) -> Iterator[Label]:
    """Find results of games and votes, such as 3-1; if one ascends, such as 1-3, a word such as "won" must be near."""
    for hit in _hits(_SCORE, text, begin) if "-" in text or "–" in text else ():
        ascends = 0 < int(hit[1]) < int(hit[2])
        near = text[max(0, hit.start() - 40) : hit.start()]
        ascends |= near.endswith("from ")  # "on a scale from 0-11"
        played = _PLAYED.search(re.split("[.;]", near)[-1]) and not _COUNTED.match(text, hit.end())
        if not ascends or played or _RESULT.match(text, hit.end()):
            yield Label(hit.start(), hit.end(), "name")


def _relative_dates(found: Tokens, numbers: list[Numeral]) -> Iterator[Label]:
    """Find relative dates, such as "two months ago", "three days later" and "Two days before"."""
    previous: Numeral | None = None
    for number in (number for number in numbers if number.kind != "ordinal"):
        previous, first = number, previous
        i = bisect_left(found.starts, number.start)
        while found.ends[i] < number.end:
            i += 1
        words = found.words[i + 1 : i + 3]
        before = found.words[i - 1] if i else ""
        # "jailed for two years after", "delayed by an hour", "more than a day before they came", "it was a day before"
        passed = words[1:] == ["ago"] or found.words[i + 2 : i + 4] in (["from", "now"], ["on", ","])
        lasting = before in {"for", "by", "of"} and not passed
        lasting |= before == "than" and words[1:] in (["before"], ["after"])
        lasting |= found.words[max(0, i - 2) : i] == ["it", "was"] and words[1:] == ["before"]
        if len(words) == 2 and (words[0] in _TIMES or passed) and (words[1] in RELATIVE or passed) and not lasting:  # noqa: PLR2004
            joined = first and found.words[max(0, i - 1) : i] in (
                ["or"],
                ["to"],
                ["-"],
                ["–"],
            )  # "two or three days ago"
            start = first.start if first and joined and first.end == found.ends[i - 2] else number.start
            yield Label(start, found.ends[i + 2], "date")


def _odds(found: Tokens, numbers: list[Numeral]) -> Iterator[Label]:
    """Find ratios and odds in words, such as "three to one" and "a three-to-one majority", but not after "from"."""
    for number in (number for number in numbers if number.kind == "cardinal"):
        i = bisect_left(found.starts, number.start)
        end = bisect_left(found.starts, number.end)
        words = [word for word in found.words[end : end + 4] if word not in _HYPHENS][:2]
        if words == ["to", "one"] and "from" not in found.words[max(0, i - 3) : i]:
            at = found.words.index("one", end)
            yield Label(number.start, found.ends[at], "name")


_FIGURES = ("something", "figure", "digit")


def _orders_of_magnitude(found: Tokens, numbers: list[Numeral]) -> Iterator[Label]:
    """Find numbers that say of what size another is, as in "a six-figure sum" or "two 40-somethings"."""
    for number in (number for number in numbers if number.kind == "cardinal"):
        i = bisect_left(found.starts, number.end)
        if found.words[i : i + 1] in (["-"], ["‑"]) and "".join(found.words[i + 1 : i + 2]).startswith(_FIGURES):
            yield Label(number.start, found.ends[i + 1], "name")


def _titles(text: str, found: Tokens, numbers: list[Numeral]) -> Iterator[Label]:
    """Find number words that are capitalised as part of a name, as in "Formula One cars" or "in Twelve Angry Men"."""
    for number in (number for number in numbers if text[number.start].isupper() and number.kind == "cardinal"):
        i = bisect_left(found.starts, number.start)
        before, after = found.texts[i - 1] if i else "", text[number.end : number.end + 2]
        named = before.islower() or (before.isalpha() and after[:1] == " " and after[1:].islower())
        named &= not found.texts[i].isupper()  # "fights off THREE robbers"
        if named and text[found.ends[i - 1] : number.start] == " " and found.words[i] in NUMBERS.keys() | SCALES.keys():
            yield Label(number.start, number.end, "name")


def _addresses(text: str) -> Iterator[Label]:
    """Find web, mail and account addresses that contain a digit."""
    if "@" in text or "://" in text or "www." in text or "doi:" in text or "10." in text:
        for hit in _ADDRESS.finditer(text):
            if _DIGITS.search(hit[0]):
                yield Label(hit.start(), hit.end(), "name")
