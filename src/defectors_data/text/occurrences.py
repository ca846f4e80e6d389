"""Occurrences of words in a text in any spelling, words as ids, and runs of a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

Run: TypeAlias = tuple[int, int]
"""Start and exclusive end of a run of a text, in code points."""

SHORTEST_PASSAGE = 3
"""Minimum number of words of a passage whose repeats are no chance."""


def unaccented(words: str) -> str:
    """Return words without accents, and without the letters that have no counterpart in ASCII."""
    if words.isascii():
        return words
    return unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()


def slug(words: str) -> str:
    """Return words as an id: digits and lower-case letters without accents, with hyphens."""
    # Folding comes first, because it spells ß as ss.
    return "-".join(re.findall(r"[a-z0-9]+", unaccented(words.casefold()).casefold()))


_WORD = re.compile(r"\w+(?:['’]\w+)*")


def says_the_same(text: str, words: str) -> bool:
    """Return whether a text contains words in the same order, regardless of case and punctuation.

    Words that are no letter or digit are contained in no text.
    """
    sought = _words_alone(words)
    return bool(sought) and f" {sought} " in f" {_words_alone(text)} "


@lru_cache(maxsize=4096)
def _words_alone(text: str) -> str:
    return " ".join(_WORD.findall(text)).replace("’", "'").casefold()


def overlap(spans: Iterable[Run], runs: list[Run]) -> bool:
    """Return whether any non-empty span overlaps any run."""
    return any(
        start < end and run[0] < end and start < run[1] for start, end in spans for run in runs
    )


def repeats(text: str, words: str) -> set[Run]:
    """Return the occurrences of a passage of three words or more; none for a shorter one."""
    if len(words.split()) >= SHORTEST_PASSAGE:
        return occurrences(text, words)
    return set()


def occurrences(text: str, words: str) -> set[Run]:
    """Return the occurrences of words in a text, as whole words in any spelling.

    Case, the Unicode normalization of accents, the style of apostrophes, the choice of ß or ss, and
    the kind of white space, hyphens or underscores between two words make no difference.
    """
    sought = _sought(words)
    # Most texts do not contain the words, and a search for bytes shows this faster than a regular
    # expression.
    if not _has_piece(text.encode("utf-8", "surrogatepass"), sought):
        return set()
    hits = sought.whole.finditer(text) if sought.whole else ()
    return {hit.span() for hit in hits if not _accented(text, hit.end())}


def may_contain(data: bytes, words: str) -> bool:
    """Return whether words may occur in a text in bytes, or in JSON without escaped letters.

    If the result is False, they certainly do not occur.
    """
    sought = _sought(words)
    if not _has_piece(data, sought):
        return False
    return bool(sought.longest and sought.longest.search(data.decode("utf-8", "replace")))


def merged(found: Iterable[Run]) -> list[Run]:
    """Return runs in order, with those that touch or overlap merged."""
    apart: list[Run] = []
    for start, end in sorted(found):
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def with_parts(runs: list[Run], parts: Iterable[Run]) -> list[Run]:
    """Return runs extended so that they contain every part that they overlap."""
    whole = merged([*runs, *(part for part in parts if overlap([part], runs))])
    # A longer run may overlap further parts, so this is repeated until nothing changes.
    return runs if whole == runs else with_parts(whole, parts)


# ---- spellings -----------------------------------------------------------------------------------


class _WordPatterns(NamedTuple):
    """The patterns that find words; None if the words contain no letter or digit."""

    whole: re.Pattern[str] | None
    longest: re.Pattern[str] | None
    """The pattern of the longest word, which also matches inside another word."""
    piece: bytes
    """Bytes of every spelling of the words after `_plain`; may be empty."""
    foreign: bool
    """Whether every spelling contains a letter outside ASCII."""


_BETWEEN = r"[\s_\-\u00ad\u200b-\u200d\u2010-\u2015\u2060\u2212\ufeff]+"
"""Separators of words: white space, zero-width characters, hyphens, dashes, underscores."""

_BEFORE, _AFTER = r"(?<![^\W_])(?<![\u0300-\u036f])", r"(?![^\W_])"
"""Assertions that no letter or digit, accented or not, precedes or follows."""

_SS, _APOSTROPHES = frozenset(("ss", "ß", "ẞ")), frozenset("'’‘ʼ")
_ALIKE = dict.fromkeys(_SS, _SS) | dict.fromkeys(_APOSTROPHES, _APOSTROPHES)
"""Letters and marks that are used interchangeably."""

_EQUIVALENTS = (
    (b"\xc4", "ı", b"i"),
    (b"\xc4", "\u0130", b"i"),
    (b"\xc5", "ſ", b"s"),
    (b"\x84", "\u212a", b"k"),
    (b"\x9f", "ß", b"ss"),
    (b"\xe1", "ẞ", b"ss"),
)
"""Letters that `re` treats as ASCII letters if case is ignored, and ß and ẞ, which can replace ss.

The first column is the rarest byte of the letter: most texts do not contain it, which is fast to
check.
"""


@lru_cache(maxsize=4096)
def _sought(words: str) -> _WordPatterns:
    composed = unicodedata.normalize("NFC", words)
    runs = [_spellings(run) for run in re.findall(r"[^\W_]+", composed)]
    if not runs:
        return _WordPatterns(None, None, b"", foreign=False)
    words_between = re.split(_BETWEEN, composed)
    spelled = _BETWEEN.join(_pattern(_spellings(word)) for word in words_between if word)
    letters = chain.from_iterable(runs)
    pieces = chain.from_iterable(_pieces(run) for run in runs)
    return _WordPatterns(
        whole=re.compile(f"{_BEFORE}{spelled}{_AFTER}", re.IGNORECASE),
        longest=re.compile(_pattern(max(runs, key=len)), re.IGNORECASE),
        piece=max(pieces, key=len),
        foreign=any(_is_foreign(letter) for letter in letters),
    )


def _spellings(word: str) -> list[frozenset[str]]:
    """Return, for each letter of a word, the set of its spellings; ss counts as one letter."""
    letters = re.findall("ss|.", word, re.IGNORECASE | re.DOTALL)
    return [_spellings_of_letter(letter) for letter in letters]


def _spellings_of_letter(letter: str) -> frozenset[str]:
    folded = letter.casefold()
    if folded in _ALIKE:
        return _ALIKE[folded]
    # `casefold` and `upper` give different letters for ß and ſ.
    cases = (letter, letter.upper(), letter.lower(), folded)
    composed = {unicodedata.normalize("NFC", case) for case in cases}
    decomposed = {unicodedata.normalize("NFD", case) for case in cases}
    return frozenset(composed | decomposed)


def _pattern(word: list[frozenset[str]]) -> str:
    """Return a pattern of a word, to be compiled with `re.IGNORECASE`."""
    return "".join(_pattern_of_letter(spellings) for spellings in word)


def _pattern_of_letter(spellings: frozenset[str]) -> str:
    patterns = set()
    for spelling in spellings:
        # With `re.IGNORECASE`, one case of an ASCII letter matches both; a shorter pattern is
        # faster.
        shortest = spelling.lower() if spelling.isascii() else spelling
        patterns.add(re.escape(shortest))
    if len(patterns) == 1:
        return patterns.pop()
    return f"(?:{'|'.join(sorted(patterns))})"


def _pieces(word: list[frozenset[str]]) -> Iterator[bytes]:
    """Yield the runs of letters in a word that are ASCII in every spelling."""
    piece = b""
    for spellings in word:
        plain = _plain_spellings(spellings)
        if len(plain) == 1 and min(plain).isascii():
            piece += min(plain)
        else:
            yield piece
            piece = b""
    yield piece


def _is_foreign(letter: frozenset[str]) -> bool:
    """Return whether no spelling of a letter is ASCII."""
    return not any(spelling.isascii() for spelling in _plain_spellings(letter))


def _plain_spellings(letter: frozenset[str]) -> set[bytes]:
    return {_plain(spelling.encode("utf-8", "surrogatepass")) for spelling in letter}


def _plain(data: bytes) -> bytes:
    """Return UTF-8 with ASCII letters in lower case, and their equivalents as ASCII."""
    data = data.lower()
    if not data.isascii():
        for byte, letter, plain in _EQUIVALENTS:
            if byte in data:
                data = data.replace(letter.encode(), plain)
    return data


def _has_piece(data: bytes, sought: _WordPatterns) -> bool:
    return not (sought.foreign and data.isascii()) and sought.piece in _plain(data)


def _accented(text: str, end: int) -> bool:
    """Return whether an accent after the letter before an offset makes it another letter."""
    mark = text[end : end + 1]
    if not mark or not unicodedata.combining(mark):
        return False
    return len(unicodedata.normalize("NFC", text[end - 1 : end + 1])) == 1
