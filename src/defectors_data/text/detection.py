"""Detection of the quotations and numbers in a text, and of ages among them.

A quotation ends with its paragraph at the latest. It is found even if one of its quotation marks is
missing, if it continues in the next paragraph or sentence after a repeated opening mark or in the
next lines without one, or if it opens in one style and closes in another. A paragraph that begins
with a dash or > counts as a quotation. Apostrophes are distinguished from closing marks by the
letters around them.

Detection prefers false positives, which can be waived, to omissions; docs/annotators/detecting.md
lists what cannot be detected.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.text import non_quantities, quantities
from defectors_data.text.english import (
    UNITS,
    ReportingVerb,
    is_plural,
    means_person,
    reporting_verbs,
)
from defectors_data.text.offsets import Span, on_word_boundaries, overlaps, sentences_around
from defectors_data.text.quantities import Quantity

DetectionKind: TypeAlias = Literal[
    "quotation", "quantity", "ordinal", "date", "clock_time", "list_number", "name"
]


class Detection(NamedTuple):
    """A quotation or a number in a text, in code points: zero-based start, exclusive end.

    The span of a quotation excludes its quotation marks; `unclosed` and `unopened` say which of
    them is missing. The span of a number consists of whole words, and includes its currency or
    percent sign.
    """

    start: int
    end: int
    kind: DetectionKind
    unclosed: bool = False
    unopened: bool = False
    quantity: Quantity | None = None

    @property
    def span(self) -> Span:
        """The place of the words."""
        return Span(self.start, self.end)


def detect(text: str, units: Mapping[str, str] = UNITS) -> list[Detection]:
    """Return every quotation and number of a text in reading order, each in one paragraph.

    `units` maps nouns, in lower case, to their units.
    """
    found = [*quotations(text)]
    for paragraph in _PARAGRAPH.finditer(text):
        words, at = paragraph[0], paragraph.start()
        # Many paragraphs contain no number, and checking this is much faster than parsing them.
        if quantities.may_contain_numbers(words):
            found += _numbers(text, at, *quantities.analyse(words, units))
    # At the same start, an outer quotation comes before the one that is nested in it.
    return sorted(found, key=lambda item: (item.start, -item.end, item.kind))


def _numbers(
    text: str,
    at: int,
    readings: Iterable[quantities.LocatedQuantity],
    others: Iterable[tuple[int, int, quantities.OtherKind]],
) -> Iterator[Detection]:
    """Yield the numbers of a paragraph that starts at an offset, extended to whole words.

    A number can be read inside a word, as in "9mm". Evidence contains only whole words, and so does
    what is published. In a word with several quantities, as in "4x4", the first is yielded.
    """
    reached = at
    for start, end, quantity in readings:
        span = on_word_boundaries(text, at + start, at + end)
        if span.start >= reached:
            yield Detection(*span, "quantity", quantity=quantity)
        reached = span.end
    for start, end, kind in others:
        yield Detection(*on_word_boundaries(text, at + start, at + end), kind)


# ---- quotations ----------------------------------------------------------------------------------

_DOUBLE = '"“”„‟«»＂〝〞❝❞「」『』《》″'
_SINGLE = "'‘’‚‛‹›`´"
# An acute accent by itself is far more often an accent than a quotation mark.
MARKS = frozenset(_DOUBLE + _SINGLE) - set("´")
"""All quotation marks that are recognised, double and single."""
_OPENING = "“„‟«‘‚‛‹〝❝「『《"
_CLOSING = "”»’›〞❞」』》"
_PARAGRAPH = re.compile(r"[^\n]+")
_BRACKETS = "([{<—–-/:…"
_SPACES = " \t\u00a0\u202f\u2009\u200a\u3000"
_BEFORE_OPENING = frozenset(_SPACES + _BRACKETS + _OPENING + "\"'")
_ANY = re.compile(f"[{re.escape(_DOUBLE + _SINGLE)}]")
# a mark that can close; the mark is matched first, as it is rare
_PARTNER = re.compile(r"['’‛›‹‘](?<!\s.)(?![^\W_])")

DEEPEST = 50
"""Maximum number of open quotations; deeper ones are inside detected ones anyway."""


class _QuotationMark(NamedTuple):
    at: int
    double: bool
    opens: bool
    closes: bool


def quotations(text: str) -> Iterator[Detection]:
    """Yield every quotation, including nested ones, ordered by paragraph and start."""
    between: list[tuple[int, int]] | None = (
        None  # lines without marks, directly after a quotation that did not close
    )
    last = 0
    for paragraph in _PARAGRAPH.finditer(text):
        start, end = paragraph.span()
        # A blank line ends the search: a quotation continues only in the lines that follow
        # directly.
        between = between if start == last + 1 else None
        last = end
        found = sorted(_in_paragraph(text, start, end))
        if not found and text[start] in DASHES and (hit := _SPEECH.match(text, start, end)):
            found = [*_run(text, hit.end(), end, unclosed=True)]
        if between is not None and found and found[0].unopened:
            for middle in between:
                yield from _run(text, *middle, unclosed=True, unopened=True)
        yield from found
        if found:
            between = [] if found[-1].unclosed else None
        # The limit keeps one stray mark from claiming the rest of an article.
        elif between is not None and len(between) < DEEPEST:
            between.append((start, end))


def outermost_quotations(text: str) -> list[Span]:
    """Return the quotations of a text that are not inside another one."""
    return outermost(quotations(text))


def outermost(found: Iterable[Detection]) -> list[Span]:
    """Return the quotations, given in any order, that are not inside another one."""
    spans: list[Span] = []
    for each in sorted(found, key=lambda item: (item.start, -item.end)):
        if not spans or each.start >= spans[-1].end:
            spans.append(Span(each.start, each.end))
    return spans


def _in_paragraph(text: str, start: int, end: int) -> Iterator[Detection]:
    """Yield the quotations of a paragraph; without a mark, one ends it or starts a sentence."""
    stack: list[_QuotationMark] = []
    last_closed = start
    marks = _marks(text, start, end)
    apostrophes = _apostrophes(text, marks)
    for mark in marks:
        matching = next(
            (i for i in reversed(range(len(stack))) if stack[i].double == mark.double), None
        )
        if matching is not None and mark.at in apostrophes:
            continue
        if matching is not None and mark.double and _CONTINUED.match(text, mark.at):
            yield from _run(text, stack[matching].at + 1, mark.at, unclosed=True)
            stack[matching:] = [mark]
        elif (
            matching is not None
            and mark.closes
            and not (mark.opens and _opens_again(text, mark, stack))
        ):
            # A single mark without a partner inside a quotation is more likely an apostrophe.
            yield from _unclosed(
                text, [inner for inner in stack[matching + 1 :] if inner.double], mark.at
            )
            yield from _run(text, stack[matching].at + 1, mark.at)
            stack, last_closed = stack[:matching], mark.at + 1
        elif mark.opens and len(stack) < DEEPEST:
            stack.append(mark)
        elif mark.opens:
            continue
        elif mark.double or not _plural(text, mark.at) or _said().match(text, mark.at + 1, end):
            sentence = _sentence_start(text, last_closed, mark.at)
            yield from _run(text, sentence, mark.at, unopened=True)
            last_closed = mark.at + 1
    yield from _unclosed(text, stack, end)


_CONTINUED = re.compile(rf"(?<=[.!?][ \u00a0])[{re.escape(_DOUBLE)}](?=[A-Z])")
"""A mark before a sentence, which in an open quotation begins what was its next paragraph."""


def _opens_again(text: str, mark: _QuotationMark, stack: list[_QuotationMark]) -> bool:
    """Return whether a mark between a space and a word opens a nested quotation."""
    return (
        bool(stack)
        and (not mark.at or text[mark.at - 1] in _SPACES)
        and text[mark.at + 1 : mark.at + 2].isalnum()
    )


def _apostrophes(text: str, marks: list[_QuotationMark]) -> set[int]:
    """Return the offsets of apostrophes after a plural or dropped g: keepers' boats, goin' home.

    A mark in such a place is an apostrophe if the next mark in any other place is a single one that
    can only close.
    """
    found: set[int] = set()
    following: _QuotationMark | None = None
    # From the end, because only what follows shows whether a mark is an apostrophe.
    for mark in reversed(marks):
        if mark.double or not _POSSESSIVE.match(text, mark.at - 1):
            following = mark
        elif following and not following.double and following.closes and not following.opens:
            found.add(mark.at)
    return found


def _marks(text: str, start: int, end: int) -> list[_QuotationMark]:
    """Return the quotation marks of a paragraph, without apostrophes."""
    marks = list(_ANY.finditer(text, start, end))
    if not marks:
        return []
    closing = [found.start() for found in _PARTNER.finditer(text, start + 1, end)]
    last = closing[-1] if closing else -1
    # After s, x or z a mark may belong to a possessive, so it does not prove that a quotation is
    # open.
    sure = next((at for at in reversed(closing) if text[at - 1] not in _PLURAL_ENDS), -1)
    # In a paragraph with ‘, a ’ before a word is an apostrophe: ‘You cross it quickly, ’less you
    # stop.’
    curly = "‘" in text[start:end]
    doubles = [
        hit.start() for hit in marks if hit[0] in _DOUBLE and not text[hit.start() - 1].isdigit()
    ]
    found: list[_QuotationMark] = []
    for at in (hit.start() for hit in marks):
        if _is_foot_or_inch(text, at, end, doubles) or (curly and _ELIDED.match(text, at)):
            continue
        mark = _mark(text, at, start, end, last_partner=last, last_sure_partner=sure)
        if mark:
            found.append(mark)
    return found


def _mark(
    text: str, at: int, start: int, end: int, *, last_partner: int, last_sure_partner: int
) -> _QuotationMark | None:
    character = text[at]
    before = text[at - 1] if at > start else " "
    after = text[at + 1] if at + 1 < end else " "
    if character not in _DOUBLE:
        if (before.isalnum() and after.isalnum()) or character == "´":
            return None
        if before in _SIGNS_BEFORE_POSSESSIVE and at > start and _OWNED.match(text, at, end):
            return None
        if _is_apostrophe(text, at, end, before, has_partner=last_sure_partner > at + 1):
            return None
        return _single(text, at, before, after, has_partner=last_partner > at + 1)
    opens = before in _BEFORE_OPENING and after not in _SPACES
    closes = before not in _SPACES or after in _SPACES
    # A straight mark between two spaces gives no hint of its direction, so the pairing decides.
    if character == '"' and before in _SPACES and after in _SPACES:
        opens = closes = True
    elif character in _OPENING:
        opens, closes = True, closes and not opens
    elif character in _CLOSING:
        closes = True
    elif opens and closes and before in _BRACKETS:
        closes = before not in "([{<"  # a dash can end a quotation that breaks off
    return _QuotationMark(at, double=True, opens=opens, closes=closes)


def _is_foot_or_inch(text: str, at: int, end: int, doubles: list[int]) -> bool:
    """Return whether a mark after a digit means feet, inches or minutes, as in 12' x 8'.

    `doubles` are the offsets of the paragraph's double quotation marks that do not follow a digit.
    """
    if not (number := _NUMBER_BEFORE.search(text, max(0, at - 12), at)):
        return False
    if text[at] not in '"”″':
        return text[at] in "'’" and bool(number["times"] or _FEET.match(text, at, end))
    if number["feet"] or text[at + 1 : at + 2].isalnum():
        return True
    # If a quotation is open, this mark means inches only if the next one closes it: "It is a 5"
    # pipe, not 4"."
    i = bisect_left(doubles, at)
    is_open = i > 0 and _may_open(text, doubles[i - 1])
    closes = i < len(doubles) and not _may_open(text, doubles[i])
    if is_open:
        return closes
    return bool(_OF_INCHES.match(text, at + 1, end) and not _said().match(text, at + 1, end))


def _may_open(text: str, at: int) -> bool:
    return text[at] in _OPENING or not at or text[at - 1] in _BEFORE_OPENING


def _is_apostrophe(text: str, at: int, end: int, before: str, *, has_partner: bool) -> bool:
    """Return whether a mark replaces letters or digits, as in '90s, rock 'n' roll or 'tis."""
    if before in "nN" and text[at - 2 : at - 1] in _APOSTROPHES:
        return True
    if _CLIPPED.search(text, max(0, at - 4), at) and text[at + 1 : at + 2] == " ":
        return True
    if text[at] not in _APOSTROPHES or before not in _BEFORE_OPENING:
        return False
    if _ALWAYS_DROPPED.match(text, at + 1, end):
        return True
    year = _YEAR.match(text, at + 1, end) and _BEFORE_YEAR.search(text, max(0, at - 10), at)
    return bool(year or (text[at] != "‘" and not has_partner and _DROPPED.match(text, at + 1, end)))


def _single(
    text: str, at: int, before: str, after: str, *, has_partner: bool
) -> _QuotationMark | None:
    """Return a single mark, or None if it can only be an apostrophe."""
    character, can_open = text[at], after not in _SPACES
    # Backticks only open: where writers use them, an apostrophe closes.
    if character == "`":
        opens = after.isalnum() and has_partner and (before in _BEFORE_OPENING or before == "`")
        if not opens:
            return None
        return _QuotationMark(at, double=False, opens=True, closes=False)
    if character in "‹‚" or (character == "‘" and can_open):
        return _QuotationMark(
            at, double=False, opens=True, closes=character != "‚" and before not in _BEFORE_OPENING
        )
    if before in _BEFORE_OPENING and can_open:
        # ''Tis so,' she said
        dropped = after in _APOSTROPHES and _ALWAYS_DROPPED.match(text, at + 2)
        opens = (after.isalnum() or after in _BEFORE_WORDS or bool(dropped)) and (
            has_partner or not after.isdigit()
        )
        if opens or character == "'":
            return _QuotationMark(at, double=False, opens=opens, closes=character in "'›")
        return None
    return _QuotationMark(at, double=False, opens=False, closes=True)


_APOSTROPHES = "'’‘"
_BEFORE_WORDS = "$£€#@¿¡…"
"""Signs with which the words of a quotation can begin."""
_SIGNS_BEFORE_POSSESSIVE = '.)]!?%"”'
_PLURAL_ENDS = "sSxXzZ"
_DROPPED = re.compile(
    r"(?:tis|twas|twere|em|cause|til|till|bout|round|cuz|hood|burbs|ndrangheta|n|s)\b",
    re.IGNORECASE,
)
"""Words with an apostrophe in front, which may also open a quotation."""
_ALWAYS_DROPPED = re.compile(
    r"(?:[0-9]0s|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)\b"
    r"|n['’‘]|tw?(?:is|as|ere|ould)\b"
    r"|(?-i:em|im|ave|uns?|til|t)\b(?!-)|(?-i:s-(?=[A-Z]))",
    re.IGNORECASE,
)
_ELIDED = re.compile(r"(?<=[\s(‘—–-])’(?=[^\W_])")
"""A closing single mark at the beginning of a word."""
_CLIPPED = re.compile(r"\b(?:an|o|wi|ol|th)\Z|(?<=\s)[Od]\Z")
"""Words that are written with an apostrophe at the end, and cannot end a quotation, as in thirty
years o' watching and O' Keeper.
"""
_NUMBER_BEFORE = re.compile(
    r"(?:(?P<feet>[0-9]['’′] ?)|(?P<times>[0-9]['’′] ?[x×] ?)|(?<![0-9.,]))[0-9]{1,3}(?:\.[0-9])?\Z"
)
"""A short number before a mark, and whether a number of feet precedes it."""
_FEET = re.compile(
    r"['’](?= ?[0-9]{1,2}[\"”″]| ?[x×] ?[0-9]| (?:by [0-9]|tall|wide|long|high|deep)\b)"
)
_OF_INCHES = re.compile(r" [a-z]")
_YEAR = re.compile(r"[0-9]{2}\b")
_BEFORE_YEAR = re.compile(r"\b(?:of|in|since|from|until|till|by|to|and|before|the)\s$")
_POSSESSIVE = re.compile(r"(?:[sSxXzZ]|(?<=i)n)['’] ?(?=[ \u00a0][A-Za-z0-9])")
"""A single mark that may be an apostrophe, as in keepers' boats or goin' home."""
_OWNED = re.compile(r"['’]s\b")
"""The possessive after a sign: "Washington D.C.'s", "(NATO)'s"."""


@cache
def _said() -> re.Pattern[str]:
    """Return the pattern of text that shows that a mark before it closes a quotation, even after a
    plural: the end of a paragraph, or a verb of speech in the past or in the singular.

    A name does not show this: "the Bakers' Guild said".
    """
    forms = [form for form, verb in reporting_verbs().items() if _follows_quotation(form, verb)]
    return re.compile(
        rf"[.!?]?$|[ \u00a0](?:(?:he|she|they|it|I|we) )?(?:{'|'.join(sorted(forms))})\b"
    )


def _follows_quotation(form: str, verb: ReportingVerb) -> bool:
    is_speech = verb.kind == "speech" and "clause" in verb.takes
    return is_speech and not (verb.is_base or verb.may_be_noun or form.endswith("ing"))


DASHES = frozenset("—―–>")
"""Signs that open direct speech or a block quotation at the beginning of a paragraph."""
_SPEECH = re.compile(
    rf"[{''.join(sorted(DASHES))}][ \t\u00a0]*[> ]*(?=[^\W\d_a-z])(?=.*[.!?…])(?!.*[–—]\.?$)"
)


def _plural(text: str, at: int) -> bool:
    """Return whether a mark may be an apostrophe: after a plural, a dropped g or a space."""
    return (
        text[at - 1 : at] in "sSxXzZ"
        or text[max(0, at - 2) : at].casefold() == "in"
        or not text[at - 1 : at].strip()
    )


def _unclosed(text: str, marks: list[_QuotationMark], end: int) -> Iterator[Detection]:
    for mark in marks:
        yield from _run(text, mark.at + 1, end, unclosed=True)


def _run(
    text: str, start: int, end: int, *, unclosed: bool = False, unopened: bool = False
) -> Iterator[Detection]:
    """Yield the quotation between two offsets, without outer space, if it has a letter or digit."""
    words = text[start:end]
    start += len(words) - len(words.lstrip())
    end -= len(words) - len(words.rstrip())
    if any(character.isalnum() for character in text[start:end]):
        yield Detection(start, end, "quotation", unclosed, unopened)


def _sentence_start(text: str, start: int, end: int) -> int:
    """Return the start of the sentence that ends at a closing mark without an opening one."""
    # Without the last two characters: the full stop before the mark ends this sentence, not the one
    # before it.
    before = max(start, end - 2)
    return max(start, sentences_around(text, Span(before, before)).start)


# ---- ages ----------------------------------------------------------------------------------------

_OLD = re.compile(
    r"(?: (?:and|or) \d{1,3})?[\s\u2010-]?(?:years?)?"
    r"(?:(?:[\u2010-]|\s(?:(?<=year.)|(?<=years.)))olds?|[\s\u2010-]?of age)\b| (?:and|or) (?:older|younger)\b"
)
_OF_THING = re.compile(
    r"[- ]years?[- ]old (?:[a-z]+ ){0,2}?(?:agreement|alliance|ban|blockade|bridge|building|church|company|conflict"
    r"|constitution|deal|dispute|embargo|feud|firm|house|institution|law|monarchy|policy|record|regime|rivalry|rule"
    r"|ship|system|tradition|treaty|tree|war)s?"
    r"(?=[.,;:)]| (?:against|at|between|by|for|from|had|has|in|is|of|on|that|to|was|were|which|with)\b)"
)
"""What follows the age of what is no person: "the 40[-year-old mill ban] on", not "church member"."""
AGED = re.compile(r"\b(?:aged|ages?|age of)\s+(?:between\s+)?$")


_OF_PARENT = re.compile(r"(?i:\b(?:(?:grand)?(?:father|mother|parent)|dad|mom|mum) of $)")


def counts_children(text: str, found: Detection) -> bool:
    """Return whether a number is that of the children of a parent: "a mother of [three]"."""
    before = max(0, found.start - _LONGEST_BEFORE)
    return _OF_PARENT.search(text, before, found.start) is not None


def is_age(text: str, found: Detection) -> bool:
    """Return whether a number can be an age, as in `28,`, `28 years old` or `aged 28 years`."""
    if found.quantity is None or _OF_THING.match(text, found.end):
        return False
    if counts_children(text, found) or _CHANNEL.search(text, 0, found.start):
        return False
    if (found.quantity.unit or found.quantity.likely_unit) in (
        None,
        "person",
    ) or found.quantity.likely_unit == "year":
        return True
    number = re.match(r"[\w.,]+", text[found.start : found.end])
    after = found.start + (number.end() if number else 0)
    return bool(
        _OLD.match(text, after)
        or _OLD.match(text, found.end)
        or AGED.search(text, max(0, found.start - 30), found.start)
    )


_CHANNEL = re.compile(r"\b(?:Canal|Channel|France|News|Radio|TV) \Z")
"""Words before the number of a channel: "the News [24] reporter"."""
_STATED = re.compile(
    r"\b(?:who(?:['’]s| is| was)(?: now| then| only| just| about)?|aged|ages?|age of"
    r"|(?i:adults|anyone|everyone|people|those|voters) (?:over|under)|(?:older|younger) than|adults? at)\s+"
    r"(?:between\s+)?$"
    r"|[A-Z][\w’'-]+, (?:now|then) $"
)
_IN_LIFE = re.compile(
    r"\bin (?:his|her|their|my|our|your)(?: (?:early|late|mid))?[ -](?:\d0s(?:,? and |,? or |, ))*$"
)
"""Words before a decade of a life: "in her early [30s]", "in their 30s, 40s and [50s]"."""
_OF_NAMED = re.compile(r"\b([a-z]+)(?: [A-Z][\w.’'-]*){0,4}, (?:at )?$")
"""A noun, with or without a name, before an age: "activist Ada Orr, at "."""
_AFTER_AGE = re.compile(r"[,.;)]|$| the (?:young|old|eld)est\b")
_LONGEST_BEFORE = 80
"""Maximum length of the words before an age that are read, in code points."""


def states_age(text: str, found: Detection) -> bool:
    """Return whether a number is almost certainly an age, as in `a 28-year-old`, `aged 28`, `who
    is now 28`, `a nine-month-old child`, `the keeper Ada Orr, at 15 the youngest` or `in her 30s`.
    """
    if found.kind == "date":
        start = max(0, found.start - _LONGEST_BEFORE)
        is_decade = re.fullmatch(r"\d0s", text[found.start : found.end])
        return bool(is_decade and _IN_LIFE.search(text, start, found.start))
    if infant := _INFANT.match(text, found.end):
        return not infant[1] or means_person(infant[1])
    before = _STATED.search(text, max(0, found.start - 30), found.start)
    is_in_years = found.quantity is not None and found.quantity.unit == "year"
    is_stated = bool(before) or is_in_years or _follows_person(text, found)
    is_stated |= bool(_OLD.match(text, found.end))
    return is_stated and is_age(text, found)


_AGES_OF_GROUP = re.compile(
    r"\b(?:over|under)[ -]\d+s\b|\b\d+(?:-? to |[-–])\d+[ -]years?[ -]olds?\b"
    r"|\b(?:adults|men|people|those|women) aged between \d+ and \d+",
    re.IGNORECASE,
)
_OF_SOME = re.compile(
    r"\b(?:\d+|an?|her|his|its|my|one|our|their|three|two|your)(?: [\w-]+)? $", re.IGNORECASE
)
"""Words before the ages of some persons: "her 12 to 14-year-old sons", "two women"."""
_REACH_OF_AGES = 30
"""Number of code points around an age that may say that it is that of a group."""


def is_age_of_group(text: str, words: Span) -> bool:
    """Return whether some words are the age of a group, which is nobody's: "over 65s", "18 to
    24-year-old men". "The 16-year-olds" may be two persons.
    """
    begin, end = max(0, words.start - _REACH_OF_AGES), words.end + _REACH_OF_AGES
    for found in _AGES_OF_GROUP.finditer(text, begin, end):
        if overlaps(words, [Span(*found.span())]):
            return not _OF_SOME.search(text, max(0, begin - _REACH_OF_AGES), found.start())
    return False


def _follows_person(text: str, found: Detection) -> bool:
    """Return whether a number alone follows a noun, or a name with a noun, of one person."""
    named = _OF_NAMED.search(text, max(0, found.start - _LONGEST_BEFORE), found.start)
    is_alone = text[found.start : found.end].isdigit() and _AFTER_AGE.match(text, found.end)
    return bool(named and is_alone and means_person(named[1]) and not is_plural(named[1]))


_ISSUERS = (
    r"Treasury|U\.S\.|US|United|States|British|German|Japanese|government|corporate|fixed-rate"
)
_SECURITIES = r"notes?|bonds?|bills?|gilts?|bunds?|mortgages?|Treasur(?:y|ies)"
_WEAPONS = (
    r"(?:hand|machine |shot)?guns?|pistols?|revolvers?|(?:fire|small )arms?|rifles?|carbines?"
)
_AMMUNITION = r"ammunition|bullets?|cartridges?|rounds?|shells?|slugs?"
_NAMED_KIND = re.compile(
    rf"[-\u2010\u2011](?:year (?:(?:{_ISSUERS}) ){{0,3}}(?:{_SECURITIES})"
    r"|(?:stock|share|company) (?:index|average))\b"
    r"|[ \u00a0-]?(?:mm|millimet(?:er|re)|cal(?:iber|ibre)?|gau?ge) (?:semi-?automatic )?"
    rf"(?:{_WEAPONS}|{_AMMUNITION})\b"
)


_DIGITS = re.compile(r"\d*\.?\d+")


def is_in_name_of_kind(text: str, found: Detection) -> bool:
    """Return whether a number is a part of what a security, an index or a weapon is called, as in
    `10-year Treasury note`, `500-stock index` and `9mm pistol`.
    """
    if found.kind != "quantity":
        return False
    # A unit that is written together with the number, as in "9mm", is a part of what was found.
    digits = _DIGITS.match(text, found.start, found.end)
    ends = {found.end, digits.end() if digits else found.end}
    return any(_NAMED_KIND.match(text, end) for end in ends)


_STREET = re.compile(
    r"[ \u00a0](?:Avenue|Boulevard|Drive|Lane|Place|Road|Street|Ave\.|Blvd\.|St\.)"
)


def reason_of_number(text: str, found: Detection) -> str:
    """Return the reason to waive a number that is a part of what something is called, or that is no
    quantity; "" for others.
    """
    is_street = found.kind == "ordinal" and _STREET.match(text, found.end)
    if is_street or is_in_name_of_kind(text, found):
        return "name"
    if text.endswith("&#", 0, found.start):
        return "detector_error"  # a character reference: "caf&#233;"
    if found.kind in ("quantity", "quotation"):
        return ""
    is_result = found.kind == "name" and non_quantities.is_result(text, found.start, found.end)
    return "not_a_quantity" if is_result else found.kind


_INFANT = re.compile(r"[ -](?:months?|weeks?|days?)[ -]olds?\b(?: ([a-z]+))?")


# ---- marks next to words --------------------------------------------------------------------------

APOSTROPHES = "'’"
_NEXT_TO_MARKS = " \u00a0\u202f"
_REACH_OF_MARKS = 100
"""Number of code points before and after words that are searched for quotation marks."""


def marks_around(text: str, span: Span) -> tuple[bool, bool]:
    """Return whether quotation marks are directly before and after a span, ignoring spaces.

    Apostrophes do not count; a dash at the beginning of a paragraph counts as an opening quotation
    mark.
    """
    before = text[max(0, span.start - _REACH_OF_MARKS) : span.start].rstrip(_NEXT_TO_MARKS)
    after = text[span.end : span.end + _REACH_OF_MARKS].lstrip(_NEXT_TO_MARKS)
    # After a letter or digit, one of these characters is an apostrophe or a closing mark, so it
    # opens nothing.
    opened = before[-1:] in MARKS and not (before[-1:] in APOSTROPHES and before[-2:-1].isalnum())
    opened |= before[-1:] in DASHES and before[-2:-1] in {"", "\n"}
    closed = after[:1] in MARKS and not (after[:1] in APOSTROPHES and after[1:2].isalnum())
    return opened, closed
