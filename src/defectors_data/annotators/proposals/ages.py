"""Numbers that state the age of a person."""

from __future__ import annotations

import re

from defectors_data.annotators.introductions import NAME
from defectors_data.models.fields import OLDEST
from defectors_data.text.detection import Detection, is_age, states_age
from defectors_data.text.offsets import Span

_BEFORE_AGE = re.compile(rf"(?:{NAME}), $")
_AT_AGE = re.compile(rf"(?:{NAME}), at $")
_AFTER_AGE = re.compile(r"[,.;]|$")
_IS_AGE = re.compile(r"\b(?:[Hh]e|[Ss]he) (?:is|was|turned|turns) $|\b(?:dies|died|dead) at $")
_AFTER_AT_AGE = re.compile(r"[,.;]|$| the (?:young|old|eld)est\b")
_LONGEST_NAME = 80
"""Maximum length of a name before an age, in code points."""


def aged(text: str, found: Detection) -> Span | None:
    """Return the span of a name and its age, as in `Milo Arden, 31`, if `found` is the age.

    If it states an age without a name, return its own span; if it is not an age, return None.
    """
    words = text[max(0, found.start - _LONGEST_NAME) : found.start]
    before = _BEFORE_AGE.search(words)
    is_possible = years(found, OLDEST) is not None and is_age(text, found)
    if before and is_possible and _AFTER_AGE.match(text, found.end):
        return Span(found.start - len(before[0]), found.end)
    # "Ada Orr, at 15 the youngest"
    is_at = _AT_AGE.search(words) and _AFTER_AT_AGE.match(text, found.end)
    is_so = _IS_AGE.search(words) and _AFTER_AGE.match(text, found.end)
    is_limit = found.quantity is not None and not found.quantity.unit
    is_limit &= bool(_LIMIT.search(text, max(0, found.start - _LONGEST_LIMIT), found.start))
    is_stated = is_possible and bool(is_at or is_so or is_limit)
    return found.span if is_stated or states_age(text, found) else None


_LIMIT = re.compile(r"\b(?:over|under)[\u2010\u2011-]$", re.IGNORECASE)
_LONGEST_LIMIT = 6
_LIMIT_AFTER = re.compile(r"(?<=\ds) (?:and|or) (?:older|over|under|younger)\b")
_OF_AGES = re.compile(
    r"\b(?:adult(?:hood|s)?|ages?|child(?:hood|ren)?|legal(?:ly)?|majority|minors?)\b[^.,;:!?\n]{0,40}"
    r"\b(?:at|before|from|is|over|than|till|to|under|until|was)\s$|\bage (?:limit )?of $",
    re.IGNORECASE,
)
_LONGEST_BEFORE_AGE = 60
"""Maximum length of the words before an age that are read, in code points."""


def may_state_age(text: str, found: Detection) -> bool:
    """Return whether a number that is no figure is likely an age, as in `under-18 team`, `adults at
    18` or `the legal age is 18`. `aged` asks for more, as what it finds is drafted.
    """
    said, begin = found.quantity, max(0, found.start - _LONGEST_BEFORE_AGE)
    if said is None or said.unit or years(found, OLDEST) is None:
        return False
    is_limit = _LIMIT.search(text, begin, found.start) or _LIMIT_AFTER.match(text, found.end)
    is_of_ages = said.likely_unit is None and _OF_AGES.search(text, begin, found.start)
    return said.likely_unit == "year" or bool(is_limit or is_of_ages)


def years(found: Detection, most: int) -> int | None:
    """Return a number as an age or a time of service, or None if it cannot be one."""
    value = found.quantity.value if found.quantity else None
    if value is None or not value.is_integer() or not 0 <= value <= most:
        return None
    return int(value)
