"""Which language a text is in, as far as its most frequent words show it."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from defectors_data.text.offsets import Span

_FUNCTION_WORDS = {
    "en": "the of and to that with they said from who by at but not be been were is are has had have he she it we "
    "you i his her their our my its this these those there which what when while would could will can did "
    "than or if up out about into after before because for was",
    "es": "el la los las una lo de del al en y que con por para su sus se le les mi ni más pero como porque "
    "cuando muy ya fue había hay dijo este esta sin sobre entre todo nos",
    "pt": "o os as um uma de da dos das em na nas que com por para seu sua se lhe me meu não nem mais mas "
    "como porque quando muito já é foi havia há disse este esta sem sobre entre todo ao à",
    "fr": "le la les une de du des au aux en et que qu qui avec par pour dans sur sa ses se ne pas mais "
    "comme quand très est était avait dit ce cette ou où sans je il elle nous vous",
    "de": "der das den dem des ein eine einen einer und oder im zu zum zur mit von vom für auf aus bei nach "
    "nicht nie kein ich er sie es wir ihr sich dass wenn weil als wie ist hatte sagte auch noch nur aber "
    "mehr uns",
}
"""Frequent function words by language (BCP 47); none of another language is a frequent English
word."""
UNDETERMINED = "und"
"""The BCP 47 tag of an unknown language."""
_ENOUGH_WORDS, _FEWEST, _USUAL = 100, 0.06, 0.15
"""Minimum number of words, and shares of function words: in English news, it is above `_USUAL`."""
_ENOUGH_IN_LINE, _FEWEST_OTHER = 15, 0.1


def is_english(language: str) -> bool:
    """Return whether a BCP 47 tag is that of English, such as `en-GB`."""
    return language.partition("-")[0] == "en"


def lacks_english(text: str) -> bool:
    """Return whether a text is certainly not English: long, with hardly any frequent word."""
    counted = _counted(text)
    english = _function_words(counted, "en")
    return counted.total() >= _ENOUGH_WORDS and english < _FEWEST * counted.total()


def is_surely_english(text: str) -> bool:
    """Return whether a text is certainly English: long, with as many frequent words as usual."""
    counted = _counted(text)
    return (
        counted.total() >= _ENOUGH_WORDS
        and _function_words(counted, "en") > _USUAL * counted.total()
    )


def lines_in_other_languages(text: str) -> list[Span]:
    """Return the lines that are almost certainly not in English.

    They have at least 15 words, most of them without a capital, and more than twice as many function
    words of another language, or words with letters outside ASCII, as English function words.
    """
    lines = [Span(*hit.span()) for hit in _LONG_LINE.finditer(text)]
    return [line for line in lines if _is_in_other_language(_WORD.findall(text, *line))]


_LONG_LINE = re.compile(r"[^\n]{30,}")
"""A line in which 15 words have room."""


def _is_in_other_language(words: list[str]) -> bool:
    # Lists of names have words such as "de la", but few of them.
    small = [word for word in words if not word[0].isupper()]
    if len(words) < _ENOUGH_IN_LINE or 2 * len(small) <= len(words):
        return False
    english, *others = _sets().values()
    known = _number(small, english)
    if 3 * known >= len(small):
        return False  # the other words are too few
    accented = [word for word in small if not word.isascii()]
    most = max(len(accented), *[_number(small, other) for other in others])
    return most > 2 * known and most >= _FEWEST_OTHER * len(words)


@cache
def _sets() -> dict[str, frozenset[str]]:
    return {language: frozenset(words.split()) for language, words in _FUNCTION_WORDS.items()}


def _number(words: list[str], of: frozenset[str]) -> int:
    return sum(map(of.__contains__, words))


def likely_language(text: str) -> str:
    """Return the language with the most frequent function words, or `UNDETERMINED`."""
    counted = _counted(text)
    scores = {language: _function_words(counted, language) for language in _FUNCTION_WORDS}
    best = max(scores, key=lambda language: scores[language])
    if not scores[best] or (best == "en" and lacks_english(text)):
        return UNDETERMINED
    return best


def _function_words(counted: Counter[str], language: str) -> int:
    """Return the number of function words of a language in a text whose words were counted."""
    return sum(counted[word] for word in _sets()[language])


_WORD = re.compile(r"[^\W\d_]+")


def _counted(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text.casefold()))
