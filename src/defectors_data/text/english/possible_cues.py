"""Words that may attribute something to a source, although no pattern of words shows it.

`possible_cues.csv` has points for the word, for its ending, for what directly follows it, for the
pair of both, such as "support/for", and for the two words before and after these. tools/learn_cues.py
writes it. Only proposals use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from defectors_data.text.english import rows
from defectors_data.text.english.sentences import QUOTED, Token

FEWEST_POINTS = 10
"""Minimum sum of points with which a word is a possible cue: 4 of 10 of them are cues."""
FEWEST_OF_DRAFT = 26
"""Minimum sum of points for a draft of a known cue: 7 of 10 of these drafts are right."""

_NO_CUES = frozenset(
    ("determiner", "preposition", "conjunction", "auxiliary", "pronoun", "adverb", "subordinator")
) | {"date", "time"}
_CLASSES = (
    "pronoun",
    "be",
    "auxiliary",
    "determiner",
    "preposition",
    "subordinator",
    "conjunction",
    "adverb",
    "institution",
    "title",
)
_ENDINGS = ("ed", "ing", "ly", "s")


def points_of(line: Sequence[Token], i: int) -> int:
    """Return the points of a word; the more, the likelier it attributes what follows it."""
    return sum(_points().get(each, 0) for each in features_of(line, i))


def possible_cues(line: Sequence[Token]) -> list[int]:
    """Return the words that may attribute what follows them, the likeliest first."""
    points = [points_of(line, i) for i in range(len(line))]
    found = [i for i in range(len(line)) if points[i] >= FEWEST_POINTS]
    return sorted(found, key=points.__getitem__, reverse=True)


def features_of(line: Sequence[Token], i: int) -> list[tuple[str, str]]:
    """Return what points are given for at a word; empty if it cannot be a cue."""
    token = line[i]
    is_name = token.is_capitalized and i > 0
    if is_name or not token.word.isalpha() or token.classes & _NO_CUES or i + 2 >= len(line):
        return []
    after = line[i + 1]
    is_sign = not after.is_word
    if is_sign or after.classes & {"conjunction", "auxiliary"}:
        return []
    if i and line[i - 1].word == "and" and any(each.word == "between" for each in line[:i]):
        return []  # "between the mill and support for Orr"
    following = _word_or_class(line, i + 1, _NAMED_AFTER)
    return [
        ("word", stem(token.word)),
        ("ending", token.word[-_ENDING:]),
        ("earlier", _word_or_class(line, i - 2)),
        ("before", _word_or_class(line, i - 1)),
        ("after", following),
        ("pair", f"{stem(token.word)}/{following}"),
        ("second", _word_or_class(line, i + 2, _FUNCTION_WORDS)),
        ("third", _word_or_class(line, i + 3)),
    ]


_ENDING = 3
"""Number of letters of the ending of a word."""
_NAMED_AFTER = frozenset(("preposition", "subordinator"))
_FUNCTION_WORDS = _NAMED_AFTER | {"auxiliary", "be", "pronoun", "determiner", "conjunction"}


def _word_or_class(line: Sequence[Token], i: int, named: frozenset[str] = frozenset()) -> str:
    """Return a word of one of the classes named, or else the class of any other word."""
    if not 0 <= i < len(line):
        return "none"
    is_named = bool(line[i].classes & named) and not line[i].is_capitalized
    return line[i].word if is_named else _class_of(line[i])


def _class_of(token: Token) -> str:
    """Return the class of a word, its ending, or "word"; "sign" for a sign."""
    if token.word == QUOTED:
        return "quotation"
    if not token.is_word:
        return "sign"
    if token.is_capitalized:
        return "capital"
    known = next((each for each in _CLASSES if each in token.classes), "")
    return known or next((each for each in _ENDINGS if token.word.endswith(each)), "word")


_SHORTEST_STEM = 4


def stem(word: str) -> str:
    """Return what the forms of a word have in common: "endors" for "endorse" and "endorsing"."""
    if word.endswith("ies"):
        word = f"{word[:-3]}y"
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word[: -len(ending)]
            break
    word = word.removesuffix("e")
    is_doubled = len(word) > _SHORTEST_STEM and word[-1] == word[-2]
    return word[:-1] if is_doubled else word


@cache
def _points() -> dict[tuple[str, str], int]:
    """Return the points of each feature."""
    found = {}
    for row in rows("possible_cues"):
        for value in row["values"].split():
            word, slash, following = value.partition("/")
            is_word = slash or row["feature"] == "word"
            key = f"{stem(word)}{slash}{following}" if is_word else value
            found[row["feature"], key] = int(row["points"])
    return found
