"""Words that change the meaning of those next to them if they are left out."""

from __future__ import annotations

import re

from defectors_data.text import english
from defectors_data.text.offsets import Span

_COORDINATE = re.compile(
    r"[,;:.!?—–\"“”()\n]|''|-\s|\b(?:and|but|or|nor|while|because|when|although|though|since|if|as|only|just|merely)\b"
)
"""Signs and words after which a negation before them denies nothing."""
_NEGATED_NEXT = re.compile(r"(?i)(?:\b(?:not|never|cannot|nobody|neither)|n['’]t)\s+(?:\w+ly\s+)?$")
_NEGATED_AFTER = re.compile(
    r"(?i)\s+(?:\w+ly\s+)?(?:not?|never|nobody|none|nothing|nowhere|no[ -]one)\b(?:\s+(?:longer|more)\b)?"
)
_LONGEST = 30
"""Number of code points in which a negation directly before words is looked for."""
_DEPENDENT = re.compile(r"\b(\w+)\s+that\s+$")
_UNCERTAIN = re.compile(
    r"(?i)\b(?:allegations?|assumptions?|beliefs?|chances?|claims?|fears?|hopes?|ideas?|impressions?"
    r"|likelihood|notions?|possibilit(?:y|ies)|risks?|rumou?rs?|speculations?|suggestions?"
    r"|suspicions?) that\s+$"
    r"|\b(?:allegedly|apparently|maybe|perhaps|possibly|presumably|purportedly|reportedly|supposedly)"
    r",?\s+$"
)
"""What leaves open whether the words after it are so: "rumors that", "allegedly"."""
_CONDITION = re.compile(r"(?i)(?:that\s+)?((?:if|unless)\b[^,;:.!?—–-]+,?\s+)$")


def before_in_clause(text: str, words: Span, clause: Span | None) -> int:
    """Return the start of the words that precede some words in their clause.

    If it is not known where the clause starts, only a few words are searched.
    """
    start = clause.start if clause else max(0, words.start - _LONGEST)
    breaks = list(_COORDINATE.finditer(text, start, words.start))
    start = breaks[-1].end() if breaks else start
    before = text[start : words.start]
    return words.start - len(before.lstrip())


def is_negated_next(before: str) -> bool:
    """Return whether words end with a negation, which denies what follows them."""
    return _NEGATED_NEXT.search(before) is not None


def negation_after(text: str, words: Span) -> str | None:
    """Return a negation directly after some words, which denies what they say, or None."""
    hit = _NEGATED_AFTER.match(text, words.end)
    return hit[0].strip() if hit else None


def condition_before(text: str, words: Span, clause: Span) -> Span | None:
    """Return the condition directly before some words of a clause, or None."""
    hit = _CONDITION.match(text, clause.start, words.start)
    return Span(*hit.span(1)) if hit else None


def governing(text: str, start: int, words: Span) -> Span | None:
    """Return the words that leave open whether some words are so, or the reporting verb on which
    they depend, if these follow `start`: "rumors that", "allegedly", "hoped that".
    """
    end = words.start
    if text.startswith("that ", end):
        end += len("that ")
    if hit := _UNCERTAIN.search(text, start, end):
        return Span(*hit.span())
    hit = _DEPENDENT.search(text, start, end)
    if hit is None or hit[1].lower() not in english.reporting_verbs():
        return None
    return Span(*hit.span(1))
