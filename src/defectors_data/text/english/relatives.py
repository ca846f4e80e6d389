"""Words for the relatives of someone."""

from __future__ import annotations

import re

_KIN = (
    r"(?:(?:grand|step|half-)?(?:brother|sister|mother|father|son|daughter|parent)s?(?:-in-law)?"
    r"|in-laws|wife|wives|husbands?|spouses?|partners?|fianc[ée]+s?|girlfriends?|boyfriends?"
    r"|child|children|grandchild(?:ren)?|kids?|bab(?:y|ies)|uncles?|aunts?|cousins?|nephews?|nieces?"
    r"|loved ones|next of kin)"
)
_RELATIVES = re.compile(
    r"(?i)\b(?:relatives|family members?|(?:a|the) relative|famil(?:y|ies))\b"
    rf"|(?:\b(?:my|our|your|his|her|their)|\w['’]s?) (?:[\w’'-]+ ){{0,2}}?{_KIN}\b"
    rf"|\b{_KIN} of (?!one|two|three|four|five|six|seven|eight|nine|ten|\d)"
)


def are_relatives(words: str) -> bool:
    """Return whether words name relatives of someone: "his mother", but not "a father of two"."""
    return _RELATIVES.search(words) is not None
