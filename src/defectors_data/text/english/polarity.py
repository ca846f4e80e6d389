"""Words near a number that may deny it or only suppose it.

They do not show what the words mean: in "he did not see the 40 boats" the number is affirmed. So
they decide nothing, but an annotator must; a draft has what is likely.
"""

from __future__ import annotations

import re

from defectors_data.text.english import reporting_verbs
from defectors_data.text.offsets import Span, sentences_around
from defectors_data.text.wording_differences import NEGATION

_DENIAL = (
    rf"{NEGATION}|n['’]t|denial|refut\w+"
    r"|rebut\w*|disput(?:e[sd]?|ing)|reject(?:s|ed|ing)?|dismiss(?:es|ed|ing)?|false(?:ly)?|untrue"
    r"|wrong(?:ly)?|nowhere near"
)
_NOT_THIS = "instead of|rather than|far from"
_SUPPOSITION = (
    r"if|unless|unlikely|whether|could|might|would|(?-i:may)|possibly|planned|hop(?:es|ed|ing) to|wants? to"
    r"|plan(?:s|ning)? (?:for|to)|(?:aim|intend)(?:s|ed|ing)? to|proposals? to"
)
_PLAN = re.compile(rf"(?i)\b(?:{_SUPPOSITION}|plan(?:s|ning)?|propos(?:als?|e[sd]?|ing)|should)\b")
_SUPPOSED = re.compile(rf"(?i:{_SUPPOSITION})")
_PROMISE = r"promis(?:e[sd]?|ing)|pledg(?:e[sd]?|ing)|guarantee[sd]?|vow(?:s|ed|ing)?"
_BEFORE = re.compile(
    rf"(?i)(?:\b|(?<=\w)(?=n['’]t))(?:{_DENIAL}|{_NOT_THIS}|{_SUPPOSITION}|{_PROMISE})\b"
)
_AUXILIARY = (
    "are|be|been|can|could|did|do|does|had|has|have|is|may|might|must|should|was|were|will|would"
)
_AFTER = re.compile(
    rf"(?i)\b(?:{_AUXILIARY}) (?:\w+ )?(?!no\b)"
    rf"(?P<cue>{_DENIAL}|(?:{_PROMISE})(?= (?:by|in|last|on|so|this|to)\b|[.,;:!?]))\b"
    r"|(?:\b|(?<=\w)(?=n['’]t))(?:n['’]t|cannot|never|falsely|wrong(?:ly)?|if|unless)\b"
)
"""A denial after a number is the predicate of its clause: "40 houses were not flooded"."""
_INVERTED = re.compile(r"\W*((?:Were|Had|Should)\b)")
"""A verb at the beginning of a sentence, as in "Were the water to reach 40 houses"."""
_NO_DENIAL = re.compile(
    r"(?i)\b(?:no|not|never) (?:more|less|fewer|longer|only|just|even|quite|exceeding|later|earlier"
    r"|merely|simply|solely|counting|including|to mention|the (?:first|last) time|un\w+|surpris\w+)\b"
    r"|(?:\b(?:not|never)|n['’]t) (?:doubt|mind|wonder)\b"
    r"|\bno (?:one|doubt|matter|secret|sooner|surprise|wonder)\b|\bin no time\b"
    r"|\bif (?:not|anything|any)\b"
    r"|(?:\b(?:not|never|no)|n['’]t)\b(?: [\w’'-]+){0,5} (?:before|until|till|after|far from)\b"
)
"""Phrases with such a word that do not deny the number: "not before 40 had left"."""
_BREAK = re.compile(
    r"[.!?;:\n\"“”—]|,(?!\d)|\s[-–]\s|--|\b(?:but|because|while|when|although|though|who|which)\b"
    r"|\bso (?:$|(?=(?:he|it|she|that|the|they|we)\b))"
)
"""Signs and words beyond which a word concerns something else."""
_DEFINITE = re.compile(r"(?i)(?:\b(?:the|this|that|these|those|its|his|her|their|our)|['’]s) $")
_OF_KNOWN = re.compile(r"(?i)\b(?:the|these|those|its|his|her|their|our|[a-z]+['’]s) (?:\w+ )?$")
_NEGATION = re.compile(r"(?i)not?|never|n['’]t")
_QUOTED = re.compile(r":\s*[\"“'‘]")
"""What precedes quoted words: a question in them is not about a number before them."""
_COMPOUND = re.compile(r"-[^\W\d_]")
_COUNTED = re.compile(r"(?i)^(?:%|per ?cent)? ?(?:false|untrue|wrong)\b")
"""What is counted, as in "90 percent wrong"."""
_LABEL = re.compile(r"\bNos?\.\s?(?=\d)")
_OF_NEXT = re.compile(
    rf"\b(?:and|or) (?:(?:he|I|she|we|you) (?:\w+ly )?)?(?:{_AUXILIARY}|can(?=['’]t)|never|not)\b.*"
)
"""A further predicate: "40 are red or have never met", "40 lamps and we can't see"."""
_WORDS_BEFORE, _WORDS_AFTER = 12, 6
_REACH = 120
"""Number of code points that are searched on each side."""


def likely_polarity(text: str, number: Span) -> str:
    """Return `supposed` or `promised` if the words before a number say so; "" if they may not.

    A reported "would" can mean "will": "he said that it would cost $5".
    """
    cue = polarity_cue(text, number) or ""
    before = _words_before(text, number)
    is_reported = cue == "would" and not reporting_verbs().keys().isdisjoint(before.split())
    if re.fullmatch(_PROMISE, cue, re.IGNORECASE):
        return "promised"
    is_supposed = _SUPPOSED.fullmatch(cue) and not is_reported
    is_before = re.search(rf"\b{re.escape(cue)}\b(?! ?n[o'’]t\b)", before)
    return "supposed" if is_supposed and is_before else ""


def may_be_planned(text: str, words: Span) -> bool:
    """Return whether the sentence of some words speaks of a plan, a wish or a condition."""
    return _PLAN.search(text, *sentences_around(text, words)) is not None


_EXPECTED = re.compile(
    rf"(?i:(?:\b|(?<=\w)(?=['’]))(?:{_SUPPOSITION}|{_PROMISE}|will|won|shall|should|must|can|cannot"
    r"|let|['’](?:ll|d)|what if|how|to be|in case|except|but for|without|until|ought|owe[ds]?|due"
    r"|(?:agree|aim|alleg|allocat|allow|anticipat|appeal|appl[iy]|ask|assum|attempt|bid|budget|call"
    r"|claim|commit|consider|demand|earmark|entitl|estimat|expect|fear|forecast|goal|hope|hoping"
    r"|hypothe|imagin|inten[dt]|invest|invit|likel|maybe|need|offer|order|perhaps|plan|possib|potential"
    r"|pretend|probabl|projec|propos|prospect|request|requir|risk|rumou?r|schedul|seek|suggest|suppos"
    r"|target|theor|think|threat|tr(?:y|ie)|want|warn|wish)\w*)\b)|\?|\bto [a-z]"
)
"""Words with which a quantity may be expected. The list is long, so that none is missed."""


def may_be_expected(words: str) -> bool:
    """Return whether words have one with which a quantity may be supposed or promised."""
    return _EXPECTED.search(words) is not None


def _words_before(text: str, number: Span) -> str:
    """Return the words of the clause before a number."""
    return _BREAK.split(text[max(0, number.start - _REACH) : number.start])[-1]


def polarity_cue(text: str, number: Span) -> str | None:
    """Return a word in the clause of a number that may deny or suppose it, or "?", or None.

    Nobody doubts the number in the description of what is known: "would leave the 28-nation union".
    """
    before = _words_before(text, number)
    if _DEFINITE.search(before) and _COMPOUND.match(text, number.end):
        return None
    after = _BREAK.split(_LABEL.sub("", text[number.end : number.end + _REACH]))[0]
    inverted = _INVERTED.match(before)
    if inverted:
        return inverted[1]
    near_before = " ".join(before.split()[-_WORDS_BEFORE:])
    near_after = " ".join(after.split()[:_WORDS_AFTER])
    found = _BEFORE.search(_NO_DENIAL.sub(" ", near_before))
    # "It does not punish the 40 keepers", who exist, nor would it.
    is_known = _OF_KNOWN.search(before) is not None
    is_of_predicate = found and (_NEGATION.fullmatch(found[0]) or _SUPPOSED.fullmatch(found[0]))
    if found and not (is_known and is_of_predicate):
        return found[0]
    near_after = _OF_NEXT.sub("", near_after)
    near_after = _NO_DENIAL.sub(" ", _COUNTED.sub(" ", near_after))
    found = _AFTER.search(near_after)
    # "40 said that they would not leave" denies no number, and neither does "40 have not said whom".
    said = found and [*near_after[: found.start()].split(), *near_after[found.end() :].split()[:1]]
    if found and said and reporting_verbs().keys().isdisjoint(said):
        return found["cue"] or found[0]
    sentence = text[number.start : sentences_around(text, number).end]
    is_question = sentence.rstrip("\"'”’) ").endswith("?") and not _QUOTED.search(sentence)
    return "?" if is_question and not is_known else None
