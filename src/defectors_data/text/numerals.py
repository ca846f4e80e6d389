"""Parser of English numbers: digits, number words, shares, vague plurals and ordinals.

`numerals` returns every number with its place and its kind; `quantities` adds the hedge and the unit. The text is read
once from left to right, and each step looks a bounded number of tokens ahead.
"""

from __future__ import annotations

import re
from operator import methodcaller
from typing import Literal, NamedTuple, TypeAlias

NumeralKind: TypeAlias = Literal["cardinal", "vague", "share", "multiple", "ordinal"]


class Numeral(NamedTuple):
    """A number in a text, at zero-based, end-exclusive code points; the value of a vague one is its lowest meaning."""

    start: int
    end: int
    value: float
    kind: NumeralKind


class Tokens(NamedTuple):
    """The tokens of a text as columns: words, numbers in digits, and other single characters."""

    texts: list[str]
    words: list[str]
    """The texts, casefolded."""
    starts: list[int]
    ends: list[int]


_TOKEN = re.compile(
    r"[^\W\d_½¼¾⅓⅔][^\W\d_]*"  # words first, as they are the most frequent
    r"|[0-9]{1,3}(?:[,\u00a0\u202f\u2009][0-9]{3})+(?![0-9])(?:\.[0-9]+)?"  # 1,400
    r"|[0-9]+(?:\.[0-9]+)?"
    r"|(?<![\w.])\.[0-9]+"  # .5, but not in "word.5" or "...5"
    r"|[½¼¾⅓⅔]"
    r"|\S"
)

_SMALL = {
    word: float(number)
    for number, word in enumerate(
        [
            *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"),
            *("twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
        ]
    )
}
_TENS = {
    word: 10.0 * number
    for number, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
NUMBERS = {**_SMALL, **_TENS}
"""Numbers in one word, below a hundred."""
SCALES = {
    "dozen": 12.0,
    "score": 20.0,
    "hundred": 100.0,
    "thousand": 1_000.0,
    "million": 1_000_000.0,
    "billion": 1_000_000_000.0,
    "trillion": 1_000_000_000_000.0,
}
MEASURES = set("year month week day hour minute mile kilogram kilo kg liter litre ton tonne acre".split())
"""Units that can be halved."""
_SHORT = {"k": 1_000.0, "m": 1_000_000.0, "bn": 1_000_000_000.0, "mn": 1_000_000.0}
_PLURALS = {"tens": 10.0, **{f"{word}s": value for word, value in SCALES.items()}}
_VAGUE = {"few", "several", "many", "couple"}
_ORDINALS = {
    word: float(number)
    for number, word in enumerate(
        [
            *("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
            *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"),
            *("eighteenth", "nineteenth", "twentieth"),
        ],
        start=1,
    )
} | {"thirtieth": 30.0, "fortieth": 40.0, "fiftieth": 50.0, "hundredth": 100.0, "thousandth": 1000.0}
_PARTS = {"half": 2.0, "halves": 2.0, "quarter": 4.0, "quarters": 4.0} | {
    form: value for word, value in _ORDINALS.items() if value not in (1, 2) for form in (word, f"{word}s")
}
_WHOLES = {3, 4, 5, 10, 20, 50, 100}
_MULTIPLES = {"twice": 2.0, "thrice": 3.0}
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 0.333333, "⅔": 0.666667}
_ARTICLES = {"a", "an"}
_STARTS = {*_ARTICLES, "half", *_FRACTIONS, *SCALES, *_SMALL, *_TENS, *_PLURALS, *_VAGUE, *_ORDINALS, *_MULTIPLES}
"""Words with which a number can start."""
WORDS = _STARTS - _ARTICLES
"""Words that can be a number on their own."""
_JOINERS = {"-", "\u2010", "\u2011"}
_AFTER_ARTICLE = {*SCALES, *MEASURES, *_VAGUE, *_PARTS, *_JOINERS}
"""Words of which one follows an article that begins a number: "a hundred", "a year and a half", "a few", "a third"."""
_AFTER_THE_END = [""] * 10
_DIGITS = frozenset("0123456789")


def tokens(text: str) -> Tokens:
    """Return the tokens of a text, in order."""
    found = list(_TOKEN.finditer(text))
    texts = [token[0] for token in found]
    return Tokens(texts, list(map(str.casefold, texts)), [*map(_start, found)], [*map(_end, found)])


_start, _end = methodcaller("start"), methodcaller("end")


def numerals(found_tokens: Tokens) -> list[Numeral]:
    """Return the numbers among the tokens of a text, in order and without overlap.

    "1.2 million", "twenty-seven" and "a hundred and ten" are one number each; "hundreds of thousands" and "a few dozen"
    are vague; "a third of", "half of" and "nine out of ten" are shares, in percent with two decimals.
    """
    reader = _Reader(found_tokens)
    found, end = [], 0
    for i in [i for i, word in enumerate(reader.words) if word in _STARTS or word[-1:] in _DIGITS]:
        begins = reader.words[i] not in _ARTICLES or reader.words[i + 1] in _AFTER_ARTICLE
        if i >= end and begins and (read := reader.at(i)):
            value, kind, end = read
            found.append(Numeral(reader.starts[i], reader.ends[end - 1], value, kind))
    return found


Read: TypeAlias = tuple[float, NumeralKind, int] | None
"""A number, its kind, and the index of the token after it."""


class _Reader:
    """Recursive descent parser; each method reads at a token and returns a result, or None if nothing matches."""

    def __init__(self, found: Tokens) -> None:
        _, words, self.starts, self.ends = found
        self.words = [*words, *_AFTER_THE_END]
        """The words, and empty ones, so that no step looks beyond the list; index -1 is also empty."""

    def touches(self, i: int) -> bool:
        """Return whether there is no space before a token."""
        return 0 < i < len(self.starts) and self.ends[i - 1] == self.starts[i]

    def at(self, i: int) -> Read:
        return (
            self.vague(i) or self.ratio(i) or self.share(i) or self.ordinal(i) or self.multiple(i) or self.cardinal(i)
        )

    def vague(self, i: int) -> Read:
        """Read "hundreds", "tens of thousands", "a few hundred", "several dozen": at least twice the unit word."""
        start = i + 1 if self.words[i] == "a" else i
        if self.words[start] in _VAGUE:
            at = start + 2 if self.words[start + 1] == "of" else start + 1
            scale, end = self.scale(at)
            return (2 * scale, "vague", end) if end > at else None
        if self.words[i] in _PLURALS:
            scale, end = _PLURALS[self.words[i]], i + 1
            while self.words[end] == "of" and self.words[end + 1] in _PLURALS:
                scale, end = scale * _PLURALS[self.words[end + 1]], end + 2
            return 2 * scale, "vague", end
        return None

    def ratio(self, i: int) -> Read:
        """Read "one in ten" and "nine out of ten" as a share."""
        part = self.plain(i)
        if not part:
            return None
        at = part[1]
        after = (
            at + 2 if (self.words[at], self.words[at + 1]) == ("out", "of") else at + 1 if self.words[at] == "in" else 0
        )
        whole = self.plain(after + (self.words[after] == "every")) if after else None
        if whole and (self.words[at] == "out" or self.words[after] == "every" or part[0] == 1 or whole[0] in _WHOLES):
            next_is_noun_of_time = self.words[whole[1]] in {"days", "weeks", "months", "years", "hours", "minutes"}
            if part[0] < whole[0] and not next_is_noun_of_time:  # not "three in ten days"
                return round(100 * part[0] / whole[0], 2), "share", whole[1]
        return None

    def share(self, i: int) -> Read:
        """Read "half of", "a third of", "two-thirds", "three quarters"; "half a million" is a cardinal."""
        word = self.words[i]
        if word == "half":
            at = i + 2 if self.words[i + 1] in _ARTICLES else i + 1
            scale, end = self.scale(at)
            if end > at:
                return 0.5 * scale, "cardinal", end
            if at == i + 2 and self.words[at] in MEASURES:
                return 0.5, "cardinal", at
            if self.words[i - 1] in {"first", "second", "latter", "other", "last", "better"}:
                return None
            if (self.words[i - 2], self.words[i - 1]) == ("and", "a"):
                return None  # "a year and a half" is read at its start
            return (50.0, "share", i + 1) if self.words[i + 1] in {"of", "the", "its", "their", "his", "her"} else None
        count = {"a": 1.0, "one": 1.0}.get(word, _SMALL.get(word, 0.0))
        at = i + 2 if self.words[i + 1] in _JOINERS else i + 1
        part = self.words[at]
        if not count or part not in _PARTS or count > _PARTS[part]:
            return None
        joined = self.words[at + 1] in {"and", "to"} and self.words[i - 1] in {"between", "from"}
        if self.words[at + 1] == "of" and self.words[at + 2] == "a" and self.words[at + 3] in SCALES:
            scale, end = self.scale(at + 3)
            return round(count / _PARTS[part] * scale, 2), "cardinal", end
        is_share = part.endswith("s") or self.words[at + 1] == "of" or joined or self.words[i + 1] in _JOINERS
        return (round(100 * count / _PARTS[part], 2), "share", at + 1) if is_share else None

    def ordinal(self, i: int) -> Read:
        """Read "third", "23rd", "twenty-first"."""
        word = self.words[i]
        if is_digits(word) and self.touches(i + 1) and self.words[i + 1] in {"st", "nd", "rd", "th"}:
            return _digits(word), "ordinal", i + 2
        if word in _TENS and self.words[i + 1] in _JOINERS and self.words[i + 2] in _ORDINALS:
            return _TENS[word] + _ORDINALS[self.words[i + 2]], "ordinal", i + 3
        return (_ORDINALS[word], "ordinal", i + 1) if word in _ORDINALS else None

    def multiple(self, i: int) -> Read:
        return (_MULTIPLES[self.words[i]], "multiple", i + 1) if self.words[i] in _MULTIPLES else None

    def cardinal(self, i: int) -> Read:
        """Read digits and number words, with scale words."""
        if self.words[i] in _ARTICLES and self.words[i + 1] in MEASURES:
            half = [self.words[at] for at in (i + 2, i + 3, i + 4)] == ["and", "a", "half"]
            return (1.5, "cardinal", i + 1) if half else None
        if self.words[i] == "a":
            scale, end = self.scale(i + 1)
            if end == i + 1:
                return None
            rest = self.after_and(end, below=scale)
            if rest:
                return scale + rest[0], "cardinal", rest[1]
            total, end = self.and_a_half(scale, end, of=scale)
            return total, "cardinal", end
        if self.words[i] in _FRACTIONS:
            of_all = self.words[i + 1] in {"of", "the"}
            value = _FRACTIONS[self.words[i]]
            return (round(100 * value, 2), "share", i + 1) if of_all else (value, "cardinal", i + 1)
        if self.words[i] in SCALES:
            scale, end = self.scale(i)
            return scale, "cardinal", end
        plain = self.plain(i)
        return (plain[0], "cardinal", plain[1]) if plain else None

    def plain(self, i: int) -> tuple[float, int] | None:
        """Read a number of digits or words: "1.2 million", "one hundred and sixty thousand", "two and a half"."""
        first = self.below_hundred(i)
        if not first:
            return None
        total, end = first
        total, end = self.and_a_half(total, end, of=1.0)
        if self.touches(end) and self.words[end] in _FRACTIONS:
            total, end = total + _FRACTIONS[self.words[end]], end + 1
        if self.touches(end) and self.words[end] in _SHORT and is_digits(self.words[i]):
            return total * _SHORT[self.words[end]], end + 1
        # "two million three hundred thousand and ten": a scale of a thousand or more closes a group, and the scale of
        # the next group must be lower; `done` is the sum of the closed groups.
        highest = float("inf")
        done = 0.0
        while True:
            scale, after = self.scale(end)
            if after == end or (scale >= highest and done):
                break
            total, end = self.and_a_half(total * scale, after, of=scale)
            if scale >= SCALES["thousand"]:
                done, total, highest = done + total, 0.0, scale
            rest = self.after_and(end, below=scale)
            if not rest:
                if not total and done:
                    return done, end
                continue
            total, end = total + rest[0], rest[1]
        return done + total, end

    def and_a_half(self, total: float, i: int, *, of: float) -> tuple[float, int]:
        """Read "and a half" after a number, with or without hyphens: half of its scale."""
        words: list[str] = []
        at = i
        while len(words) < 3 and at < i + 6:  # noqa: PLR2004  # three words, a hyphen before each
            at += self.words[at] in _JOINERS
            words.append(self.words[at])
            at += 1
        return (total + 0.5 * of, at) if words == ["and", "a", "half"] else (total, i)

    def after_and(self, i: int, *, below: float) -> tuple[float, int] | None:
        """Read the rest of a number after a scale word: "(two hundred) and ten", "(a thousand) two hundred"."""
        at = i + 1 if self.words[i] == "and" else i
        if is_digits(self.words[at]) or below < SCALES["hundred"]:
            return None
        rest = self.below_hundred(at)
        if not rest or rest[0] >= below:
            return None
        scale, end = self.scale(rest[1])
        if end > rest[1] and rest[0] * scale < below:
            return rest[0] * scale, end
        return rest

    def below_hundred(self, i: int) -> tuple[float, int] | None:
        """Read digits, or a number word below one hundred."""
        word = self.words[i]
        if is_digits(word):
            return _digits(word), i + 1
        if word in _TENS:
            at = i + 2 if self.words[i + 1] in _JOINERS else i + 1
            unit = _SMALL.get(self.words[at], 0.0)
            return (_TENS[word] + unit, at + 1) if 0 < unit < 10 else (_TENS[word], i + 1)  # noqa: PLR2004
        return (_SMALL[word], i + 1) if word in _SMALL else None

    def scale(self, i: int) -> tuple[float, int]:
        """Read scale words, multiplied, such as "hundred thousand"; return 1 and the same index if there are none."""
        scale, end = 1.0, i
        while self.words[end] in SCALES or (self.words[end] in _JOINERS and self.words[end + 1] in SCALES and end == i):
            at = end if self.words[end] in SCALES else end + 1
            scale, end = scale * SCALES[self.words[at]], at + 1
        return scale, end


def is_digits(token: str) -> bool:
    """Return whether a token is a number in digits: only the ten ASCII digits count, and no other token ends in one."""
    return token[-1:] in _DIGITS


def _digits(word: str) -> float:
    return float(re.sub(r"[^0-9.]", "", word))
