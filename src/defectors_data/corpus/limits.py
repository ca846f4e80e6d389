"""What a seed may hold at most, so that whatever it holds is checked soon: no article comes near.

Strings only. A million letters of prose, with paragraphs of twenty thousand, are well within; so is a page in a script
that is written without spaces.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from defectors_data.text import numerals

LARGEST = 2 * 1024 * 1024
"""Bytes that a seed may have."""

MOST_WORDS = 300_000
"""Runs without white space that a seed may have."""

MOST_SIGNS = 400_000
"""Characters of a seed that are no letter, digit or white space."""

MOST_LINES = 100_000
"""Lines that a seed may have; each is a paragraph."""

MOST_FOUND = 30_000
"""Numbers and quotation marks that a seed may have, each of which has to be accounted for."""

LONGEST_LINE = 100_000
"""Code points that a line of a seed may have."""

LONGEST_RUN = 50_000
"""Code points that a seed may have without white space: much for a paragraph without spaces, little for a data file."""


SMALLEST = min(MOST_WORDS, MOST_SIGNS, MOST_LINES, MOST_FOUND, LONGEST_LINE, LONGEST_RUN)
"""Characters up to which a text cannot hold too much of anything."""


class Excess(NamedTuple):
    """What a text holds more of than a seed may, in words, and the offset from which on it is too much."""

    what: str
    at: int


_NUMBERS = "|".join(sorted(sorted({*numerals.WORDS, "decade", "decades"}), key=len, reverse=True))
_FOUND = rf"[0-9]+|\b(?:{_NUMBERS})\b|[\"“”„«»]|(?<!\w)['‘’‚‛‹›]"
_LINE = rf"(?m)^.{{{LONGEST_LINE}}}(?=.)"
_RUN = rf"(?<!\S)\S{{{LONGEST_RUN}}}(?=\S)"
_COUNTED = (
    (MOST_LINES, "lines", r"\n"),
    (MOST_WORDS, "words", r"(?<!\S)\S"),
    (MOST_FOUND, "numbers and quotation marks", f"(?i){_FOUND}"),
    (MOST_SIGNS, "signs that are neither letters nor digits", r"[^\w\s]|_"),
)


def excess(text: str) -> Excess | None:
    """Return what a text holds too much of to be the seed of anybody's annotations, or None.

    A text with fewer characters than it may have of something is not searched for that.
    """
    if len(text) > LONGEST_LINE and (found := re.search(_LINE, text)):
        return Excess(f"{LONGEST_LINE:,} characters in a line", found.end())
    if len(text) > LONGEST_RUN and (found := re.search(_RUN, text)):
        return Excess(f"{LONGEST_RUN:,} characters without white space", found.end())
    for most, what, pattern in _COUNTED:
        if len(text) > most and (beyond := next(islice(re.finditer(pattern, text), most, None), None)):
            return Excess(f"{most:,} {what}", beyond.start())
    return None
