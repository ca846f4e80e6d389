"""Waivers proposed from the words of an article, with the reasons that these suggest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.annotators.proposals.ages import aged, may_state_age
from defectors_data.annotators.proposals.attributions import reason_of_quotation
from defectors_data.annotators.proposals.counted_numbers import (
    is_in_name,
    repeats_number,
    with_counted,
)
from defectors_data.annotators.proposals.proposal import Proposal
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import ledger_of
from defectors_data.text.detection import (
    Detection,
    is_age_of_group,
    reason_of_number,
    states_age,
)
from defectors_data.text.english import cue_words
from defectors_data.text.english.counted_words.number_context import is_verb_form
from defectors_data.text.english.sentences import Token, tokens
from defectors_data.text.occurrences import says_the_same
from defectors_data.text.offsets import Span, overlaps, sentences_around


def proposed_waiver(document: Document, span: Span) -> Proposal:
    """Return the waiver for some words, with the reason that they suggest, or none: what is counted
    or said needs a record, and only a person can say why it has none.
    """
    found = _left_at(document, span)
    repeated = repeated_by(document, span)
    reason, repeats = "", ""
    of_quotation = reason_of_quotation(document, span)
    if of_quotation:
        reason = of_quotation
    elif found and _is_age(document.text, found):
        reason = "protected_attribute"
    elif found and (of_number := reason_of_number(document.text, found)):
        reason = of_number
    elif found and is_in_name(document.text, found):
        reason = "name"
    elif found and counts_nothing(document.text, found):
        reason = "not_a_quantity"
    elif found and (aged(document.text, found) or may_state_age(document.text, found)):
        reason = "protected_attribute"
    elif repeated:
        reason, repeats = "repeat", repeated
    values = {"reason": reason, "repeats": repeats, "every_occurrence": ""}
    return Proposal("waivers", (span,), values)


def _is_age(text: str, found: Detection) -> bool:
    """Return whether words that are no quantity state an age: "over 65s", "in her 30s"."""
    is_of_group = found.kind == "name" and is_age_of_group(text, found.span)
    return is_of_group or (found.kind == "date" and states_age(text, found))


_UNCOUNTED = re.compile(
    r" things?\b| (?:facts|options|points|questions|reasons|sides|ways)(?=:)", re.IGNORECASE
)


def counts_nothing(text: str, found: Detection) -> bool:
    """Return whether a number only announces a list, as in "for two reasons:", is what a rate is
    for, as in "$3 per thousand cubic feet", or a pronoun, as in "the two left".
    """
    is_of_rate = text.endswith("per ", 0, found.start)
    is_nothing = is_of_rate or _is_pronoun(text, found) or _UNCOUNTED.match(text, found.end)
    return found.quantity is not None and bool(is_nothing)


_BEFORE_PRONOUN = re.compile(r"\b(?:the|these|those) $", re.IGNORECASE)


def _is_pronoun(text: str, found: Detection) -> bool:
    """Return whether a number word means what was counted before: "the two", "those three"."""
    is_word = text[found.start : found.end].isalpha() and not text.startswith("-", found.end)
    if not (is_word and _BEFORE_PRONOUN.search(text, 0, found.start)):
        return False
    end = sentences_around(text, found.span).end
    after = [*tokens(text, found.end, end)][:2]
    if after and after[0].word in ("least", "most"):
        return False  # "the two most important mills"
    if not after or after[0].word == "of":
        return not after or text.startswith(" of them", found.end)
    if after[0].word.endswith("ed") and after[-1].is_plural:
        return False  # "the two armed men"
    return not after[0].is_noun or is_verb_form(after[0]) or _is_reporting_verb(after)


def _is_reporting_verb(after: Sequence[Token]) -> bool:
    """Return whether words after "the two" begin with a verb such as "claim", and not with a noun, as
    in "the two claim forms".
    """
    verb = cue_words().get(after[0].word)
    if verb is None or verb.kind == "adjective" or after[0].is_capitalized:
        return False
    if not verb.may_be_noun:
        return not after[0].word.endswith("ing")
    return verb.is_base and not (after[-1].is_plural and after[-1].is_noun)


def _left_at(document: Document, span: Span) -> Detection | None:
    """Return the open ledger entry with a span, or else the first that overlaps with it."""
    left = [each.detection for each in ledger_of(document).left()]
    near = [each for each in left if overlaps(span, [each])]
    same = [each for each in near if each.span == span]
    return next(iter([*same, *near]), None)


def repeated_by(document: Document, span: Span) -> str:
    """Return the id of the first testimony elsewhere that contains some words, or ""; a number is
    repeated only with what it counts.
    """
    left = _left_at(document, span)
    is_number = left is not None and left.quantity is not None
    words = with_counted(document.text, span) if is_number else document.text[slice(*span)]
    is_repeated = repeats_number if is_number else says_the_same
    for path, found in document.testimonies:
        is_elsewhere = not overlaps(span, document.evidence_of(path))
        if is_elsewhere and is_repeated(document.words((*path, "evidence")) or "", words):
            return found.id
    return ""
