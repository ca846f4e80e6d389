"""Detection of ages among the numbers of a text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from defectors_data.text.detection import Detection

_OLD = re.compile(r"[\s\u2010-]?(?:years?)?[\s\u2010-]?(?:olds?|of age)\b")
_AGED = re.compile(r"\b(?:aged|age|age of)\s+$")


def is_age(text: str, found: Detection) -> bool:
    """Return whether a detected number can be an age: `28,`, `28 years old`, `a 28-year-old`, `aged 28 years`."""
    if found.quantity is None or found.quantity.unit in (None, "person"):
        return found.quantity is not None
    number = re.match(r"[\w.,]+", text[found.start : found.end])
    after = found.start + (number.end() if number else 0)
    return bool(
        _OLD.match(text, after)
        or _OLD.match(text, found.end)
        or _AGED.search(text, max(0, found.start - 30), found.start)
    )


_STATED = re.compile(r"\b(?:who(?:['’]s| is| was)(?: now| then| only| just| about)?|aged|age of)\s+$")


def states_age(text: str, found: Detection) -> bool:
    """Return whether a number is almost certainly an age: `a 28-year-old`, `aged 28`, `who is now 28`."""
    before = _STATED.search(text, max(0, found.start - 30), found.start)
    return is_age(text, found) and bool(before or (found.quantity and found.quantity.unit == "year"))
