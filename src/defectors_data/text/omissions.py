"""Words that change the meaning of those next to them if they are left out."""

from __future__ import annotations

import re

from defectors_data.text import english
from defectors_data.text.offsets import Span

_COORDINATE = re.compile(
    r"[,;:.!?—–\"“”()\n]|''|-\s|\b(?:and|but|or|nor|while|because|when|although|though|since|if|as|only|just|merely)\b"
)
"""Signs and words after which a negation before them denies nothing."""
_NEGATOR = r"(?:\b(?:not|never|cannot|nobody|no one|neither|none)|n['’]t)"
_BETWEEN = (
    r"(?:(?!(?:on|mere|sole|simp|main)ly\b)(?:\w+ly|ever|even|yet|be|been|being|have|has|had|is|are"
    r"|was|were|did|do|does)\s+){0,3}"
)
"""Adverbs and auxiliary verbs between a negation and the word that it denies."""
_NEGATED_NEXT = re.compile(
    rf"(?i)(?:{_NEGATOR}\s+{_BETWEEN}|\bno(?:\s+longer)?\s+"
    r"|\b(?:false|hoax|lie|myth|not the case|not true|untrue|wrong)\s+(?:to say\s+)?that\s+)$"
)
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
IN_DOUBT = re.compile(
    r"(?i)\b(?:allegedly|apparently|maybe|perhaps|possibly|presumably|purportedly|reportedly|"
    r"reputedly|supposedly)\b"
)
"""A word that doubts what it is next to."""
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


# ---- who did not leave ---------------------------------------------------------------------------

_LEAVING = (
    r"(?:le(?:ave|aves|aving|ft)|quit(?:s|ting)?|fle(?:e|es|eing|d)|desert(?:s|ed|ing)?"
    r"|defect(?:s|ed|ing)?|resign(?:s|ed|ing)?|depart(?:s|ed|ing)?|escap(?:e[sd]?|ing)"
    r"|emigrat(?:e[sd]?|ing)|ris(?:e|es|en|ing)|rose|rebel(?:s|led|ling)?|revolt(?:s|ed|ing)?)"
)
_LEFT = re.compile(rf"(?i)\b{_LEAVING}\b")
_NOT_LEFT = re.compile(
    rf"(?i){_NEGATOR}\s+{_BETWEEN}{_LEAVING}\b"
    r"(?![^.;!?]*\b(?:after|before|only|just|merely|till|unless|until|without)\b)"
)
"""A denial that someone left or rose; "did not leave until May" says that they left."""
_REASON = r"\b(?:because(?: of)?|due to|for|from|on account of|out of|over|owing to|thanks to)\b"
_OF_REASON = re.compile(rf"(?i){_REASON}\s+$")
_NOT_LEFT_FOR = re.compile(rf"{_NOT_LEFT.pattern}[^,;:.!?]*?{_REASON}")
_SUPPOSED = re.compile(r"(?i)\b(?:if|unless)\b\W*$|\W*(?:if|unless|had)\b")
"""What ends before a clause, or begins one, that only supposes: "if he had not left"."""


def denies_leaving(text: str, words: Span, clause: Span) -> bool:
    """Return whether the words before some words, in their clause, say that someone did not leave.

    "If he had not left" says that he did.
    """
    start = before_in_clause(text, words, clause)
    supposed = _SUPPOSED.search(text, clause.start, start) or _SUPPOSED.match(text, start)
    hit = _NOT_LEFT.search(text, start, words.end)
    return not supposed and hit is not None and hit.start() < words.start


def denies_all_leaving(words: str) -> bool:
    """Return whether words say that someone did not leave, and not that anyone did."""
    denied = len(_NOT_LEFT.findall(words))
    return 0 < denied == len(_LEFT.findall(words))


def denies_reason(text: str, words: Span, clause: Span) -> bool:
    """Return whether words are denied as a reason to leave: "did not leave because of the fog"."""
    whole = _with_reason(text, words, clause)
    for hit in _NOT_LEFT_FOR.finditer(text, before_in_clause(text, whole, clause), words.end):
        # The word for a reason must be in the words, or directly before them.
        if hit.end() > whole.start:
            return True
    return False


def negation_next(text: str, words: Span, clause: Span, *, of_reason: bool = False) -> str:
    """Return the words before some words in their clause if they end with a negation, otherwise "".

    If `of_reason`, "because of" may be between them.
    """
    first = words.start
    if of_reason:
        words = _with_reason(text, words, clause)
    start = before_in_clause(text, words, clause)
    is_negated = is_negated_next(text[start : words.start])
    return text[start:first].strip() if is_negated else ""


def _with_reason(text: str, words: Span, clause: Span) -> Span:
    """Return words with "because of" or the like directly before them."""
    hit = _OF_REASON.search(text, clause.start, words.start)
    return words._replace(start=hit.start()) if hit else words
