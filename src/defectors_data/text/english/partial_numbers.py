"""Numbers of which the program reads only a part: misspelt, or with a letter in place of a digit."""

from __future__ import annotations

import re
import unicodedata

from defectors_data.text.numerals import NUMBERS, SCALES
from defectors_data.text.offsets import Span

_LETTER_AS_DIGIT = re.compile(r"\dO|O\d|\d[lI]\d")
_SHORT_SCALE = re.compile(r"\s?K\b(?!\s?[.\-/])")
_BAKERS = re.compile(r"(?i)\bbaker['’]s\s$")
_NEXT = re.compile(r"(?:[\s-]|\sand\s)([a-z]{5,})\b", re.IGNORECASE)
_PREVIOUS = re.compile(r"\b([a-z]{5,})[\s-]$", re.IGNORECASE)
_KNOWN = frozenset([*NUMBERS, *SCALES])
_NAMES = [name for name in sorted(_KNOWN - {"score"}) if len(name) > 4]  # noqa: PLR2004


def unread_part(text: str, number: Span) -> str | None:
    """Return what next to a number, or in it, the program cannot read as a part of it, or None."""
    start, end = number
    touching = text[max(0, start - 1) : end + 1]
    if any(unicodedata.category(character) == "Cf" for character in touching):
        return "an invisible character"
    found = _LETTER_AS_DIGIT.search(touching) or _SHORT_SCALE.match(text, end)
    found = found or _BAKERS.search(text, max(0, start - 10), start)
    if found:
        return f"`{found[0].strip()}`"
    following = _NEXT.match(text, end)
    previous = _PREVIOUS.search(text, max(0, start - 20), start)
    for each in (following, previous):
        if each and _is_misspelt_number(each[1].casefold()):
            return f"`{each[1]}`"
    return None


def _is_misspelt_number(word: str) -> bool:
    """Return whether a word has one letter more or less than a number word."""
    singular = word.removesuffix("s")
    if {word, singular} & _KNOWN:
        return False
    return any(_lacks_one_letter(*sorted((word, name), key=len)) for name in _NAMES)


def _lacks_one_letter(shorter: str, longer: str) -> bool:
    if len(longer) - len(shorter) != 1 or shorter[0] != longer[0]:
        return False
    return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
