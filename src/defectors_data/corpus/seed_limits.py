"""Limits on the text of a seed and the comparison of sources, to bound the time of a check.

Articles stay far below these limits: even a million letters of prose in paragraphs of twenty
thousand letters pass, and so does a page in a script that is written without spaces.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from defectors_data.text import numerals

SOURCES_COMPARED = 2_000
"""Maximum number of sources whose figures are compared, and with an HTML page."""

MOST_PAIRS = 200_000
"""Maximum number of pairs of figures of one measure that are compared."""

LARGEST = 2 * 1024 * 1024
"""Maximum size of a seed in bytes."""

MOST_WORDS = 300_000
"""Maximum number of words, that is, runs of characters without white space."""

MOST_SIGNS = 400_000
"""Maximum number of characters that are not letters, digits or white space."""

MOST_LINES = 100_000
"""Maximum number of lines, each of which is a paragraph."""

MOST_FOUND = 30_000
"""Maximum number of numbers and quotation marks, because the ledger has an entry for each number
and quotation."""

LONGEST_LINE = 100_000
"""Maximum length of a line in code points."""

LONGEST_RUN = 50_000
"""Maximum length of a word in code points: long enough for a paragraph without spaces, too short
for a data file."""


class Excess(NamedTuple):
    """A limit that a text exceeds: its description, and the offset where the text exceeds it."""

    what: str
    at: int


# Sorted, because the order of a set differs from process to process.
_NUMBERS = "|".join(sorted(sorted({*numerals.WORDS, "decade", "decades"}), key=len, reverse=True))
_FOUND = rf"[0-9]+|\b(?:{_NUMBERS})\b|[\"“”„«»]|(?<!\w)['‘’‚‛‹›]"
_LINE = rf"(?m)^.{{{LONGEST_LINE}}}(?=.)"
_RUN = rf"(?<!\S)\S{{{LONGEST_RUN}}}(?=\S)"
_COUNTED = (
    (MOST_LINES, "lines", r"\n"),
    (MOST_WORDS, "words", r"(?<!\S)\S"),
    (MOST_FOUND, "numbers and quotation marks", f"(?i){_FOUND}"),
    (MOST_SIGNS, "characters that are neither letters nor digits", r"[^\w\s]|_"),
)


def excess(text: str) -> Excess | None:
    """Return the first limit that a text exceeds, or None."""
    # A text with fewer characters than a limit cannot exceed it, so most texts are not searched at
    # all.
    if len(text) > LONGEST_LINE and (found := re.search(_LINE, text)):
        return Excess(f"{LONGEST_LINE:,} characters in a line", found.end())
    if len(text) > LONGEST_RUN and (found := re.search(_RUN, text)):
        return Excess(f"{LONGEST_RUN:,} characters without white space", found.end())
    for most, what, pattern in _COUNTED:
        if len(text) > most and (
            beyond := next(islice(re.finditer(pattern, text), most, None), None)
        ):
            return Excess(f"{most:,} {what}", beyond.start())
    return None
