"""English words, and names that identify nobody: tables in `evidence/english/`."""

from __future__ import annotations

import re
from functools import cache
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
def _known() -> re.Pattern[str]:
    names = [name for of_class in known_names().values() for name in of_class]
    # The longest first: `White House` is known, `White` is not.
    names.sort(key=len, reverse=True)
    return re.compile(
        rf"(?<![^\W_])(?:{'|'.join(map(re.escape, names))})(?:(?<=[A-Z])s)?(?![^\W_])"
    )


def without_known_names(text: str) -> str:
    """Return a text with each known name replaced by a space."""
    return _known().sub(" ", text)


_CONTRACTION = re.compile(r"(?:['’](?:s|d|m|re|ve|ll)|(?:(?<!ca)(?<!wo)n)?['’]t)$", re.IGNORECASE)


def without_contraction(word: str) -> str:
    """Return a word without the rest of another: `it` for `it's`, `is` for `isn't`."""
    return _CONTRACTION.sub("", word)
