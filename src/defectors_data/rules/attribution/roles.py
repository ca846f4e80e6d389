"""What shows that a name in an attribution is not its source, or that its verb reports nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.text.attributions import FoundAttribution, verbs
from defectors_data.text.attributions.cues import is_surely_verb
from defectors_data.text.english import means_person, reporting_verbs, writings
from defectors_data.text.english.sentences import tokens
from defectors_data.text.english.sources import phrase_at
from defectors_data.text.offsets import Span, SpanIndex, SpanLike, is_inside, sentences_around
from defectors_data.text.wording_differences import NEGATION

_TITLES = r"(?:the |[A-Z][\w.]* ){0,3}"
_ADDRESSED = re.compile(rf" {_TITLES}")
_REPORTED = re.compile(rf" (?:that )?{_TITLES}")
_OF_SPEAKER = re.compile(r"\w*(?:accus|quot|cit)(?:ed?|es|ing)")
"""A verb of which an object is reported to have spoken: "accused Ada of saying"."""
_SPOKEN_OF = re.compile(rf" (?:of|to|about|against) {_TITLES}")
_OF = re.compile(rf" (?:of|for|to|against) {_TITLES}")
_PASSIVE = re.compile(
    r" (?:(?:has|have|had) been|is|are|was|were) (?:\w+ly |also |not )?(?!\w+ing\b)(\w+)\b(?! by\b)"
)
_EXCLUDED = re.compile(
    r"(?i:\b(?:not|(?:un)?like|contrary to|in contrast (?:to|with)|as opposed to|other than"
    rf"|apart from|instead of|rather than)) {_TITLES}$"
)
"""What precedes the name of one who is compared with the speaker: "unlike Ada, the miller said"."""
_LONGEST = 60
"""Number of characters in which such words or a condition are looked for."""


def has_other_role(
    text: str, named: SpanLike, found: FoundAttribution | None, *, is_person: bool
) -> bool:
    """Return whether a name is certainly not the source of an attribution.

    Args:
        text: the text.
        named: the name.
        found: the attribution of the words, as the program reads it; None if it reads none.
        is_person: whether the name is that of a person. The words of a person are not those of a
            brother; those of an institution can be those of its spokesman.
    """
    sentence = sentences_around(text, Span(named.start, named.end))
    if _EXCLUDED.search(text, max(sentence.start, named.start - _LONGEST), named.start):
        return True
    if is_person and is_owner(text, named):
        return True
    if found is None or found.source is None:
        return False
    source = found.source.span
    end = max(source.end, found.cue.end)
    if end <= named.start:
        return _is_object(text[end : named.start], found)
    return is_person and is_inside(named, [source]) and _is_related(text, named, found.source.head)


def is_told(text: str, named: SpanLike, found: FoundAttribution | None) -> bool:
    """Return whether a name is the subject of a passive that addresses it: "Ada was asked"."""
    hit = _PASSIVE.match(text, named.end)
    verb = reporting_verbs().get(hit[1].lower()) if hit else None
    if hit is None or verb is None or found is None:
        return False
    return "person" in verb.takes and found.cue.start < hit.end(1) <= found.cue.end


def _is_object(between: str, found: FoundAttribution) -> bool:
    """Return whether a name is addressed or spoken of, from the words between a verb and it."""
    verb = reporting_verbs().get(found.verb)
    takes_person = verb is not None and "person" in verb.takes
    is_addressed = takes_person and _ADDRESSED.fullmatch(between) is not None
    return is_addressed or _SPOKEN_OF.fullmatch(between) is not None


def is_relayed(text: str, named: SpanLike, found: FoundAttribution | None) -> bool:
    """Return whether a named person speaks only in what another one is read to say.

    That is, the name directly follows the verb of the other source: "Ben said that Ada said", "Ben
    accused Ada of saying".
    """
    if found is None or found.source is None or found.cue.end > named.start:
        return False
    if is_inside(named, [found.source.span]):
        return False  # "accused by Ada"
    verb = reporting_verbs().get(found.verb)
    is_speech = verb is not None and verb.kind == "speech"
    between = text[found.cue.end : named.start]
    if _OF_SPEAKER.fullmatch(found.verb):
        return _ADDRESSED.fullmatch(between) is not None
    is_content = is_speech and is_inside(named, found.content)
    return is_content and _REPORTED.fullmatch(between) is not None


def is_owner(text: str, named: SpanLike) -> bool:
    """Return whether a name only says whose others are: "Orr's allies", but not "Orr's letter"."""
    if text[named.end : named.end + 2] not in ("’s", "'s"):
        return False
    line = [*tokens(text, named.end + 2, sentences_around(text, Span(named.start, named.end)).end)]
    ends = [i for i in range(1, len(line)) if is_surely_verb(line, i)]
    phrase = phrase_at(line, 0, min(ends, default=len(line)))
    if phrase is None or line[phrase.head_end - 1].is_capitalized:
        return False
    noun = line[phrase.head_end - 1]
    is_person = means_person(noun.word) or "institution" in noun.classes
    return is_person and noun.word not in writings()


def _is_related(text: str, named: SpanLike, head: Span) -> bool:
    """Return whether a source is described by a name after it: "a critic of Orr"."""
    words = text[slice(*head)].split()
    if not words or not means_person(words[-1].lower()) or named.start < head.end:
        return False
    return _OF.fullmatch(text[head.end : named.start]) is not None


_OBJECTIVE = re.compile(r"\b(?:him|her|them)$")


def objective_pronouns(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the pronouns at the end of words that cannot be a subject: "asked him"."""
    found: list[Span] = []
    for start, end in spans:
        hit = _OBJECTIVE.search(text, start, end)
        if hit:
            found.append(Span(*hit.span()))
    return found


_TEXT = (
    r"(?:account|article|audio|book|clip|confession|diary|document|e-?mail|interview|letter|memo"
    r"|message|post|quotation|quote|recording|release|report|speech|statement|story|tweet|video)s?"
)
_FAKE = rf"(?:bogus|doctored|fabricated|faked?|fictitious|forged|invented) (?:\w+ )?{_TEXT}"
_FALSELY = r"(?<!who )\b(?:erroneous|false|inaccurate|incorrect|mistaken|wrong)ly"
_DENIES = r"den(?:y|ies|ied|ying)"
_WORDS = r"(?:(?!(?:and|but|who|because|while|when|after|until)\b)[\w’'-]+\s+){0,8}"
"""Words of the same clause."""
_NEAR = r"(?:[\w’'-]+\s+){1,4}?"
"""A name or another short phrase."""
_NEGATED = (
    rf"\b(?:not|never|cannot|no longer|without|stop\w* short of|avoid\w*|{_DENIES}(?: having)?"
    r"|(?:refus|declin|fail)\w+ to|(?:could|might|should|would) have)"
)
_DENIALS = (
    # "did not say", "without saying", "denied having said"
    rf"(?:{_NEGATED}|n[’']t)\s+(?:\w+ly\s+)?$",
    # "falsely quoted Ada as saying", "misquoted as saying"
    rf"(?:\b(?:not|never|{_FALSELY}) (?:quot|cit)|\bmisquot)\w+\s+{_WORDS}as\s+$",
    # "falsely reported that Ada said", "wrongly reported to have said"
    rf"{_FALSELY}\s+\w+\s+(?:that\s+{_WORDS}|to have\s+)$",
    # "denied reports that Ada said", "It is false that Ada said"
    rf"\b(?:{_DENIES}\s+(?:{_NEAR})?|false |untrue |not true |misreport\w+ )that\s+{_WORDS}$",
    # "Neither Ada nor Ben said", "No one at the mill said"
    rf"\b(?:neither\s+{_NEAR}nor\s+{_NEAR}|(?:nobody|no one)\s+(?:(?:at|from|in|of)\s+{_NEAR})?)$",
    # "a fake letter in which Ada says", "In a fake letter, Ada says"
    rf"\b{_FAKE} (?:in which|where|quoting|saying)\s+{_WORDS}$|\bin an? {_FAKE},? {_WORDS}$",
)
_NOT_SAID = re.compile("|".join(_DENIALS), re.IGNORECASE)
"""What precedes a verb of speech if nothing is said."""
_CONDITION = re.compile(r"\b(?:if|whether|unless)\s+$", re.IGNORECASE)
_REFUSED = re.compile(r"\b(?:refus|declin)\w+ to $", re.IGNORECASE)
_INVERTED = re.compile(rf"(?:Did|Do|Does|Had|Has|Have|Should|Were)\s+{_NEAR}$")
"""The beginning of a question or a condition: "Did Ada say", "Had Ada said"."""


def denied_verb(text: str, spans: Sequence[Span], quoted: SpanIndex) -> Span | None:
    """Return the first verb of speech in words that is denied or in a condition, or another verb
    that is refused, with what shows this; words in the quotations of the text are left out.
    """
    for span in spans:
        for verb in _verbs_of_speech(text, span, quoted):
            start = _not_said_from(text, verb, span)
            if start is not None:
                return Span(start, verb.end)
    return None


_ACTS = re.compile(
    r"\b(?:allud|apologi[sz]|clarif|elaborat|object|retract|volunteer)(?:e[ds]?|ied|ies|ing|s|y)?\b",
    re.IGNORECASE,
)
"""Verbs that say what a speaker does by speaking, and so nothing if they are denied."""


def _verbs_of_speech(text: str, span: Span, quoted: SpanIndex) -> list[Span]:
    """Return the verbs outside quotations that report speech, or what a speaker refuses to think."""
    hits = [Span(*hit.span()) for hit in _ACTS.finditer(text, *span)]
    found = [hit for hit in hits if not quoted.contains(*hit)]
    for verb in verbs(text, span, quoted):
        known = reporting_verbs().get(text[slice(*verb)].lower())
        if known and (known.kind == "speech" or _is_refused(text, verb)):
            found.append(verb)
    return sorted(set(found))


def _is_refused(text: str, verb: Span) -> bool:
    """Return whether a verb follows a refusal: "refused to believe"."""
    return _REFUSED.search(text, max(0, verb.start - _LONGEST), verb.start) is not None


_OF_DENIAL = re.compile(
    rf"(?i:\b(?:{NEGATION}|contradict\w*|un(?:true|founded|real)|(?:base|ground)less|absurd\w*"
    r"|ridiculous\w*|nonsense|laughable|hoax|jokes?|myths?|fabricat\w+|fake|fictions?|invent\w+"
    r"|l(?:ie|ies|ied|ying)|propaganda|rumou?rs?|innocent|impossib\w+|incorrect\w*|mistake\w*"
    r"|misl(?:ead|ed)\w*|rul(?:e[sd]?|ing) out|question\w*|object\w*|oppos\w+|brush\w+|wav\w+"
    r"|reject\w*|dismiss\w*|disput\w+|disagree\w*|refut\w+|rebut\w*|denial|denounc\w+|false\w*"
    r"|wrong\w*|nothing|nowhere|without|hardly|refus\w+|fail\w*|no one|instead|rather|only)\b"
    r"|n['’]t\b|\bnon-|\bun)"
)
"""Words with which something may be denied. The list is long, so that no denial is missed."""


def may_deny(words: str) -> bool:
    """Return whether words have one with which something may be denied."""
    return _OF_DENIAL.search(words) is not None


def _not_said_from(text: str, verb: Span, words: Span) -> int | None:
    """Return the start of what shows that a verb in words reports nothing, or None."""
    start = sentences_around(text, verb).start
    hit = _NOT_SAID.search(text, start, verb.start)
    hit = hit or _CONDITION.search(text, max(start, words.start - _LONGEST), words.start)
    hit = hit or _INVERTED.match(text, start, verb.start)
    return hit.start() if hit else None
