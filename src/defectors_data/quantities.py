"""The numbers that words name: digits with separators, number words to twenty, and the words that scale them.

Strings only. A reading of hedges, bounds and units is not made here: `numbers` returns every number that the words
can be said to hold, so that a number which they do not hold can be told.
"""

from __future__ import annotations

import re

_WORDS = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"),
]
_SCALES = {
    "dozen": 12,
    "score": 20,
    "hundred": 100,
    "thousand": 1_000,
    "million": 1_000_000,
    "billion": 1_000_000_000,
}
_PLAIN = {word: float(number) for number, word in enumerate(_WORDS)}
# What stands for a number of its own: an article before what is counted, shares, multiples.
_OTHER = {"a": 1.0, "an": 1.0, "half": 50.0, "third": 33.33, "quarter": 25.0, "twice": 2.0, "decade": 10.0}
_VAGUE_TENS = {"tens": 10}

_TOKEN = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?|[^\W\d_]+")


def numbers(words: str) -> frozenset[float]:
    """Return every number that the words hold.

    "1.2 million" holds 1.2 and 1200000; "hundreds" and "a few hundred" hold 200 (twice the unit word, the least
    that a vague plural means in the codebook) and 100; "a third" holds 33.33 (percent).
    """
    tokens = [token.casefold() for token in _TOKEN.findall(words)]
    held = {value for token in tokens if (value := _plain(token)) is not None}
    for i, token in enumerate(tokens):
        held |= _scaled(tokens, i, token)
    return frozenset(held)


def _plain(token: str) -> float | None:
    if token[0].isdigit():
        return float(token.replace(",", ""))
    return _PLAIN.get(token, _OTHER.get(token))


def _scaled(tokens: list[str], i: int, token: str) -> set[float]:
    scale = _SCALES.get(token) or _SCALES.get(token.removesuffix("s"))
    if not scale:
        return set()
    before = _plain(tokens[i - 1]) if i else None
    tens = _VAGUE_TENS.get(tokens[i - 2], 1) if i > 1 and tokens[i - 1] == "of" else 1
    return {float(scale), 2.0 * scale * tens, (before or 1.0) * scale}
