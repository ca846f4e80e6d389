"""Runs of a text: where words stand in it, and runs put together; strings and numbers only."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

Run: TypeAlias = tuple[int, int]
"""Its first code point, and the first behind it."""

_REPEAT_WORDS = 3
"""Words that a passage has at least whose repeats are looked for: fewer are nobody's own."""


def meet(spans: Iterable[Run], runs: list[Run]) -> bool:
    """Tell whether any span, an empty one aside, has a code point in common with a run."""
    return any(start < end and run[0] < end and start < run[1] for start, end in spans for run in runs)


def repeats(text: str, words: str) -> set[Run]:
    """Return where a passage stands that is long enough to be printed again; of a shorter one nothing."""
    return occurrences(text, words) if len(words.split()) >= _REPEAT_WORDS else set()


def occurrences(text: str, words: str) -> set[Run]:
    """Return where words stand in a text, whole words alone, however they are spelled.

    Capitals make no difference, nor whether an accent is a character of its own, nor which white space, hyphens or
    underscores stand between two words.
    """
    sought = _sought(words)
    if not _has_piece(text.encode("utf-8", "surrogatepass"), sought):
        return set()
    hits = sought.whole.finditer(text) if sought.whole else ()
    return {hit.span() for hit in hits if not _accented(text, hit.end())}


def may_hold(data: bytes, words: str) -> bool:
    """Tell by the bytes of a text, or of JSON that escapes no letter, whether words may stand in it; none is missed."""
    sought = _sought(words)
    if not _has_piece(data, sought):
        return False
    return bool(sought.longest and sought.longest.search(data.decode("utf-8", "replace")))


def merged(found: Iterable[Run]) -> list[Run]:
    """Return runs in order, those that touch or overlap as one."""
    apart: list[Run] = []
    for start, end in sorted(found):
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def with_parts(runs: list[Run], parts: Iterable[Run]) -> list[Run]:
    """Return runs that hold in full every part which they touch."""
    whole = merged([*runs, *(part for part in parts if meet([part], runs))])
    return runs if whole == runs else with_parts(whole, parts)


# ---- spellings ---------------------------------------------------------------------------------------------------


class _Sought(NamedTuple):
    """By what words are found; nothing where there is no word."""

    whole: re.Pattern[str] | None
    longest: re.Pattern[str] | None
    """The longest word, wherever it stands."""
    piece: bytes
    """What every spelling of the words holds, as `_plain` writes it; may be empty."""
    foreign: bool
    """Whether every spelling has a letter that is not ASCII."""


_BETWEEN = r"[\s_\-\u00ad\u200b-\u200d\u2010-\u2015\u2060\u2212\ufeff]+"
"""What may stand between two words: white space, seen or not, hyphens, dashes and underscores."""

_BEFORE, _BEHIND = r"(?<![^\W_])(?<![\u0300-\u036f])", r"(?![^\W_])"
"""No letter or digit, with or without an accent."""

_ALIKE = {letter: group for group in (frozenset(("ss", "ß", "ẞ")), frozenset("'’‘ʼ")) for letter in group}
"""Letters and marks that are written for each other."""

_PLAINLY = (
    (b"\xc4", "ı", b"i"),
    (b"\xc4", "\u0130", b"i"),
    (b"\xc5", "ſ", b"s"),
    (b"\x84", "\u212a", b"k"),
    (b"\x9f", "ß", b"ss"),
    (b"\xe1", "ẞ", b"ss"),
)
"""Letters that `re` takes for these when capitals make no difference, and the two that are written for a double s.

Before each its rarest byte, by which most texts are seen to have none at once.
"""


@lru_cache(maxsize=4096)
def _sought(words: str) -> _Sought:
    composed = unicodedata.normalize("NFC", words)
    lettered = [list(_spellings(run)) for run in re.findall(r"[^\W_]+", composed)]
    if not lettered:
        return _Sought(None, None, b"", foreign=False)
    spelled = [_pattern(list(_spellings(word))) for word in re.split(_BETWEEN, composed) if word]
    return _Sought(
        re.compile(f"{_BEFORE}{_BETWEEN.join(spelled)}{_BEHIND}", re.IGNORECASE),
        re.compile(_pattern(max(lettered, key=len)), re.IGNORECASE),
        max((piece for run in lettered for piece in _pieces(run)), key=len),
        any(
            not any(_plain(each.encode("utf-8", "surrogatepass")).isascii() for each in letter)
            for run in lettered
            for letter in run
        ),
    )


def _spellings(word: str) -> Iterator[frozenset[str]]:
    """Give the spellings of each letter of a word."""
    for letter in re.findall("ss|.", word, re.IGNORECASE | re.DOTALL):
        cases = {letter, letter.upper(), letter.lower(), letter.casefold()}
        forms = frozenset(unicodedata.normalize(form, case) for form in ("NFC", "NFD") for case in cases)
        yield _ALIKE.get(letter.casefold(), forms)


def _pattern(word: list[frozenset[str]]) -> str:
    """Return a pattern of a word, for which capitals make no difference already."""
    any_of = ({spelling.lower() if spelling.isascii() else spelling for spelling in letter} for letter in word)
    return "".join(
        f"(?:{'|'.join(sorted(map(re.escape, each)))})" if len(each) > 1 else re.escape(*each) for each in any_of
    )


def _pieces(word: list[frozenset[str]]) -> Iterator[bytes]:
    """Give the runs of letters in a word that are ASCII in every spelling."""
    piece = b""
    for spellings in word:
        plain = {_plain(spelling.encode("utf-8", "surrogatepass")) for spelling in spellings}
        if len(plain) == 1 and min(plain).isascii():
            piece += min(plain)
        else:
            yield piece
            piece = b""
    yield piece


def _plain(data: bytes) -> bytes:
    """Return UTF-8 with ASCII letters small, and what is taken for one of them as such."""
    data = data.lower()
    if not data.isascii():
        for byte, letter, plain in _PLAINLY:
            if byte in data:
                data = data.replace(letter.encode(), plain)
    return data


def _has_piece(data: bytes, sought: _Sought) -> bool:
    return not (sought.foreign and data.isascii()) and sought.piece in _plain(data)


def _accented(text: str, end: int) -> bool:
    """Tell whether an accent follows that makes the last letter another one."""
    mark = text[end : end + 1]
    return (
        bool(mark and unicodedata.combining(mark)) and len(unicodedata.normalize("NFC", text[end - 1 : end + 1])) == 1
    )
