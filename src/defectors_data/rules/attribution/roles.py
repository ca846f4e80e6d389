"""What shows that a name in an attribution is not its source, or that its verb reports nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.text.attributions import FoundAttribution, verbs
from defectors_data.text.english import means_person, reporting_verbs
from defectors_data.text.offsets import Span, SpanLike, is_inside

_TITLES = r"(?:the |[A-Z][\w.]* ){0,3}"
_ADDRESSED = re.compile(rf" {_TITLES}")
_SPOKEN_OF = re.compile(rf" (?:of|to|about|against) {_TITLES}")
_OF = re.compile(rf" (?:of|for|to|against) {_TITLES}")
_EXCLUDED = re.compile(r"\bnot $")
_LONGEST = 30
"""Number of characters in which a negation before a name or a verb is looked for."""


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
    if _EXCLUDED.search(text, max(0, named.start - _LONGEST), named.start):
        return True
    if found is None or found.source is None:
        return False
    source = found.source.span
    end = max(source.end, found.cue.end)
    if end <= named.start:
        return _is_object(text[end : named.start], found)
    return is_person and is_inside(named, [source]) and _is_related(text, named, found.source.head)


def _is_object(between: str, found: FoundAttribution) -> bool:
    """Return whether a name is addressed or spoken of, from the words between a verb and it."""
    verb = reporting_verbs().get(found.verb)
    takes_person = verb is not None and "person" in verb.takes
    is_addressed = takes_person and _ADDRESSED.fullmatch(between) is not None
    return is_addressed or _SPOKEN_OF.fullmatch(between) is not None


def _is_related(text: str, named: SpanLike, head: Span) -> bool:
    """Return whether a source is described by a name: "a critic of Orr"."""
    words = text[slice(*head)].split()
    if not words or not means_person(words[-1].lower()):
        return False
    is_owner = text[named.end : named.end + 2] in ("’s", "'s") and named.end < head.end
    is_after = head.end <= named.start and _OF.fullmatch(text[head.end : named.start])
    return is_owner or bool(is_after)


_OBJECTIVE = re.compile(r"\b(?:him|her|them)$")


def objective_pronouns(text: str, spans: Sequence[Span]) -> list[Span]:
    """Return the pronouns at the end of words that cannot be a subject: "asked him"."""
    found: list[Span] = []
    for start, end in spans:
        hit = _OBJECTIVE.search(text, start, end)
        found += [Span(*hit.span())] if hit else []
    return found


_NOT_SAID = re.compile(
    r"(?:\b(?:not|never|cannot|(?:refus|declin)\w+ to)|n[’']t)\s+(?:\w+ly\s+)?$", re.IGNORECASE
)
_CONDITION = re.compile(r"\b(?:if|whether|unless)\s+$", re.IGNORECASE)


def denied_verb(text: str, spans: Sequence[Span]) -> Span | None:
    """Return the first verb of speech in words that is denied or in a condition, with what shows
    this.
    """
    for span in spans:
        for verb in verbs(text, span):
            known = reporting_verbs().get(text[slice(*verb)].lower())
            hit = _NOT_SAID.search(text, max(0, verb.start - _LONGEST), verb.start)
            if not hit:
                hit = _CONDITION.search(text, max(0, span.start - _LONGEST), span.start)
            if hit and known and known.kind == "speech":
                return Span(hit.start(), verb.end)
    return None
