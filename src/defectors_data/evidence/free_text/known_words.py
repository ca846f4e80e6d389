"""English words, and names that identify nobody: tables in `evidence/english/`."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "english"


@cache
def english() -> frozenset[str]:
    """Return the lower-case English words that are not names, with those of annotators.

    The file evidence/english/LICENSE names their source.
    """
    words = (_FOLDER / "words.txt").read_text("ascii").split()
    return frozenset([*words, *known_names()["jargon"]])


def table(name: str) -> dict[str, list[str]]:
    """Return the entries of a table of words, by class."""
    found: dict[str, list[str]] = {}
    for line in (_FOLDER / name).read_text("utf-8").splitlines():
        if not line.startswith("#"):
            of_class, _, entries = line.partition(": ")
            found.setdefault(of_class, []).extend(entries.split(", "))
    return found


@cache
def known_names() -> dict[str, list[str]]:
    """Return months, countries, organisations, formats and other names of nobody, by class."""
    return table("known_names.txt")


@cache
def _by_first_word() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for of_class in known_names().values():
        for name in of_class:
            found.setdefault(_LETTERS_OR_DIGITS.findall(name)[0], []).append(name)
    return found


_LETTERS_OR_DIGITS = re.compile(r"[^\W_]+")


@lru_cache(maxsize=1 << 12)
def _pattern_of(names: frozenset[str]) -> re.Pattern[str]:
    # The longest first: `White House` is known, `White` is not.
    alternatives = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(rf"(?<![^\W_])(?:{alternatives})(?:(?<=[A-Z])s|['’]s)?(?![^\W_])")


def without_known_names(text: str) -> str:
    """Return a text with each known name replaced by a space."""
    # A pattern of all names would be slow to compile, so only those that can match are in it.
    words = set(_LETTERS_OR_DIGITS.findall(text))
    words |= {word.removesuffix("s") for word in words}
    first = words & _by_first_word().keys()
    names = frozenset(name for word in first for name in _by_first_word()[word] if name in text)
    return _pattern_of(names).sub(" ", text) if names else text


_CONTRACTION = re.compile(r"(?:['’](?:s|d|m|re|ve|ll)|(?:(?<!ca)(?<!wo)n)?['’]t)$", re.IGNORECASE)


def without_contraction(word: str) -> str:
    """Return a word without the rest of another: `it` for `it's`, `is` for `isn't`."""
    return _CONTRACTION.sub("", word)
