"""Detection of reporting verbs that no testimony accounts for, which suggest indirect speech.

A verb is accounted for if it is inside the evidence of a testimony, or if it attributes direct
speech: the first verb after the quotation, or else the last one before it, in the same sentence. A
verb inside quotation marks belongs to the quotation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from defectors_data.text.detection import quotations
from defectors_data.text.english import rows
from defectors_data.text.offsets import SENTENCE_END, Span, SpanIndex

VERBS = [form for row in rows("verbs") for form in row["forms"].split()]
"""The forms of verbs that report speech or thought; docs/annotators/codebook.md lists them."""
_FORMS = frozenset(VERBS)
_LETTERS = re.compile(r"[a-z]+", re.IGNORECASE)


def verbs(text: str, within: Span | None = None, quoted: SpanIndex | None = None) -> list[Span]:
    """Return the reporting verbs outside quotation marks in a text, or in a span of it, in order.

    `quoted` is an index of the quotations of the text; if it is not given, they are detected.
    """
    quoted = quoted or SpanIndex((found.start, found.end, 0) for found in quotations(text))
    letters = _LETTERS.finditer(text, *(within or ()))
    found = (Span(*hit.span()) for hit in letters if hit[0].casefold() in _FORMS)
    return [verb for verb in found if _is_word(text, verb) and not quoted.contains(*verb)]


def _is_word(text: str, letters: Span) -> bool:
    """Return whether letters are a whole word: not next to a letter, digit or underscore, and not
    in `so-called`.
    """
    before, after = (
        text[max(0, letters.start - 3) : letters.start],
        text[letters.end : letters.end + 1],
    )
    # An underscore joins words in addresses and account names, but `isalnum` does not count it as a
    # letter.
    around = f"{before[-1:]}{after}".replace("_", "a")
    return before.casefold() != "so-" and not any(character.isalnum() for character in around)


def unaccounted(text: str, evidence: Iterable[Span], direct: Sequence[Span]) -> list[Span]:
    """Return the reporting verbs that no testimony accounts for.

    `evidence` contains the parts of testimonies that are not direct speech, and waived words;
    `direct` contains the parts that are direct speech.
    """
    inside = SpanIndex((*span, 0) for span in evidence)
    left = [verb for verb in verbs(text) if not inside.contains(*verb)]
    for part in direct:
        attributing = _attributing(text, part, left)
        if attributing:
            left.remove(attributing)
    return left


def _attributing(text: str, part: Span, candidates: Sequence[Span]) -> Span | None:
    """Return the verb that attributes direct speech: in the same sentence, the first after it or
    the last before it.
    """
    # A quotation that ends in a stop also ends the sentence, so only a verb before it can attribute
    # it.
    ends = SENTENCE_END.search(text, part.end + 1)
    last = ends.start() if ends and text[part.end - 1] not in ".!?" else part.end
    after = [verb for verb in candidates if part.end <= verb.start and verb.end <= last]
    if after:
        return after[0]
    # To stay fast, only 400 code points are searched for the end of the sentence before; if there
    # is none, any earlier verb counts.
    first = max(
        (hit.end() for hit in SENTENCE_END.finditer(text, max(0, part.start - 400), part.start)),
        default=0,
    )
    before = [verb for verb in candidates if first <= verb.start and verb.end <= part.start]
    return before[-1] if before else None
