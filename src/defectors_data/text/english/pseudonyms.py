"""Words that say that a printed name is not a person's own: "asked to be called Iven"."""

from __future__ import annotations

import re

_ASKED = (
    r"\b(?:agree[ds]?|ask(?:s|ed|ing)?|cho(?:se|oses)|prefer(?:s|red)?|request(?:s|ed|ing)?"
    r"|want(?:s|ed)?|wish(?:es|ed)?) to be (?:called|identified|known|named|quoted|referred to)"
    r"(?: (?:here|only|simply)){0,2}(?: (?:as|by))?(?: the (?:alias|name|pseudonym))?(?: of)?"
)
_CALLED = r"\bcall(?:ed|ing)? (?:her|him|them)"
_FALSE = r"(?:alias|assumed name|nom de guerre|pseudonym)"
_CHANGED = re.compile(
    r"(?:\b(?:all|both|certain|her|his|some|the|their|these|whose) |^|[.!?:*([]\s*)"
    r"names? (?:has|have) been changed\b",
    re.IGNORECASE | re.MULTILINE,
)
"""Not "the street names have been changed"."""


def may_be_pseudonym(text: str, name: str) -> bool:
    """Return whether a text says that a name in it is, or may be, not the person's own."""
    if not name:
        return False
    printed = re.escape(name)
    before = rf"(?i:{_ASKED}|{_CALLED}|\b{_FALSE}) [“\"‘']?{printed}\b"
    after = rf"\b{printed}\b\W{{1,3}}(?:(?:which |that )?is )?(?:not (?:her|his|their) (?:own|real)|an? {_FALSE})\b"
    return bool(_CHANGED.search(text) or re.search(rf"{before}|{after}", text))
