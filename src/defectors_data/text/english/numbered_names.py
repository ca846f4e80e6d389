"""Numbers in the names of works, firms and persons that a text repeats: "Lamp 2", "50 Mill"."""

from __future__ import annotations

import re

from defectors_data.text.english.sentences import tokens
from defectors_data.text.offsets import Span

_BEFORE, _AFTER = re.compile(r"(?<![\w’'-])[A-Z][\w’'-]+ $"), re.compile(r" [A-Z][\w-]+")
_INSIDE = re.compile(r"\b(?!(?:against|and|at|beat|from|in|near|or|to) )[a-z]+,? $")
"""Words before a name inside a sentence, in which a number follows no place: "in Rome 2 left"."""
_ENDS_NAME = re.compile(
    r"[.,;)](?!\d)| (?:and|are|as|can|could|did|does|for|had|has|have|in|is|of|on|or|should|that|to|was|were|which|will"
    r"|with|would)\b"
)
_COUNTED = r" (?!(?:as|has|is|was)\b)[a-z]+s\b"
"""A noun after a number, which it may count."""
_VERSION = re.compile(
    rf"\d{{1,2}}\.0(?![\d%]|{_COUNTED}| ?(?:per|percent|[bmt]n|[bmt]r?illion|m)\b)"
)


def is_in_repeated_name(text: str, number: Span) -> bool:
    """Return whether a number is in a name that the text has elsewhere without a noun that the number
    may count: "Lamp 2 sells well" after "Pelt bought Lamp 2"; or, inside a sentence, surely in one.
    The number of a version is in a name: "Lamp 1.0".
    """
    printed = text[slice(*number)]
    digits = printed.split()[0]
    if digits.istitle() and digits == printed:
        return bool(re.search(rf"[a-z] {digits}\b(?!{_COUNTED}| [A-Z])", text))
    before = _BEFORE.search(text, max(0, number.start - _LONGEST), number.start)
    if not digits.isdecimal():
        return bool(before and _VERSION.match(text, number.start))
    after = _AFTER.match(text, number.start + len(digits))
    if before and not next(tokens(text, before.start(), before.end())).classes:
        start = number.start - len(before[0])
        is_inside = _INSIDE.search(text, max(0, start - _LONGEST), start)
        is_sure = is_inside and digits in _OF_SEQUELS and _ENDS_NAME.match(text, number.end)
        return bool(is_sure) or _is_repeated(text, before[0] + digits)
    return after is not None and _is_repeated(text, digits + after[0])


_OF_SEQUELS = frozenset("23456789")
_LONGEST = 40
"""Maximum length of the word before a number, in code points."""


def _is_repeated(text: str, name: str) -> bool:
    places = [hit.end() for hit in re.finditer(rf"\b{re.escape(name)}(?![\w-]|[.,]\d)", text)]
    counted = [at for at in places if re.match(_COUNTED, text[at:])]
    return len(places) > 1 and len(counted) < len(places)
