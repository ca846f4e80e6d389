"""Terms of the vocabulary that have words in common with an article."""

from __future__ import annotations

import re
from collections.abc import Sequence

from defectors_data.evidence.annotated_document import Document
from defectors_data.models.project import VocabularyTerm

_WORDS = re.compile(r"[^\W\d_]{3,}")
_COMMON = frozenset(("the", "who", "that", "were", "have"))


def likely_measure(document: Document, counted: str, unit: str) -> str:
    """Return the measure with most words in common with what is counted; "" if none has any."""
    measures = document.context.vocabulary.content.measures
    possible = [each for each in measures if not each.units or unit in each.units]
    return most_alike(_stems(counted), possible)


def most_alike(said: set[str], terms: Sequence[VocabularyTerm]) -> str:
    """Return the term whose name and definition share the most words with what is said, or ""."""
    best, most = "", 0
    for each in terms:
        # What follows a semicolon is often what the term does not mean.
        meant = _stems(f"{each.term.replace('_', ' ')} {each.definition.partition(';')[0]}")
        common = len(said & meant)
        if common > most:
            best, most = each.term, common
    return best


def _stems(words: str) -> set[str]:
    return {word.casefold().rstrip("s") for word in _WORDS.findall(words)} - _COMMON
