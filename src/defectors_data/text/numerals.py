"""Parser of English numbers: digits, number words, shares, vague plurals and ordinals.

`numerals` returns every number with its place and its kind; `quantities` adds the hedge and the
unit. The text is read once from left to right, and each step looks a bounded number of tokens
ahead.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate
from typing import Literal, NamedTuple, TypeAlias

NumeralKind: TypeAlias = Literal["cardinal", "vague", "share", "multiple", "factor", "ordinal"]


class Numeral(NamedTuple):
    """A number in a text; the value of a vague one is the lowest that it can mean."""

    start: int
    end: int
    value: float
    kind: NumeralKind


class Tokens(NamedTuple):
    """The tokens of a text as parallel lists: words, numbers in digits, other characters."""

    texts: list[str]
    words: list[str]
    """The texts, casefolded."""
    starts: list[int]
    ends: list[int]

    def word_before(self, i: int) -> str:
        """Return the word before a token; "" at the start of the text."""
        return self.words[i - 1] if i > 0 else ""

    def text_after(self, i: int) -> str:
        """Return the text of the token after one; a full stop at the end of the text."""
        return self.texts[i + 1] if i + 1 < len(self.texts) else "."


_TOKEN = re.compile(
    r"([A-Za-z]++[^\W\d_]*|[^\W\d_½¼¾⅓⅔][^\W\d_]*"  # words first, as they are the most frequent, most in ASCII
    r"|(?=[0-9])(?:[0-9]{1,3}(?:[,'’\u00a0\u202f\u2009][0-9]{3})+(?![0-9])(?:\.[0-9]+)?"  # 1,400
    r"|[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}(?![0-9])(?:\.[0-9]+)?"  # 1,25,000
    r"|[1-9][0-9]{0,2}(?: [0-9]{3})+(?![0-9])"  # 10 000
    r"|[0-9]{1,3}(?:\.[0-9]{3}){2,}(?![0-9])"  # 1.250.000
    r"|[0-9]{1,3}(?: [,.][0-9]{3})+(?![0-9])"  # 3 ,000
    r"|(?<=[$€£])[0-9]{1,3}(?:\.[0-9]{3})*,[0-9]{2}(?![0-9,])"  # €4,80
    r"|[0-9]{1,3}(?:\.[0-9]{3})*,[0-9]{2}(?=[ \u00a0\u202f]?(?:[€£]|euros?\b))"  # 4,80 €
    r"|[0-9]+,[0-9]{1,2}(?= ?%| (?:percent|per cent)\b|[ -](?:million|billion)\b|(?:km|kg|ha|m|bn)\b)"  # 7,2 percent
    r"|[0-9]+(?:\.[0-9]+)?)"
    r"|(?<![\w.])\.[0-9]+"  # .5, but not in "word.5" or "...5"
    r"|[½¼¾⅓⅔]"
    r"|\S)"
)

_SMALL = {
    word: float(number)
    for number, word in enumerate(
        [
            *"zero one two three four five six seven eight nine ten eleven".split(),
            *"twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(),
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
    "lakh": 100_000.0,
    "million": 1_000_000.0,
    "crore": 10_000_000.0,
    "billion": 1_000_000_000.0,
    "trillion": 1_000_000_000_000.0,
}
MEASURES = set(
    "century decade year month week day hour minute second mile kilogram kilo kg liter litre ton tonne acre percent "
    "percentage inch foot metre meter gram centimetre centimeter millimetre millimeter kilometre "
    "kilometer pound ounce pint gallon".split()
)
"""Units that can be halved."""
SHORT = {
    "k": SCALES["thousand"],
    **dict.fromkeys(("m", "mn", "mln", "mil"), SCALES["million"]),
    **dict.fromkeys(("b", "bn", "bln"), SCALES["billion"]),
    **dict.fromkeys(("tn", "trn"), SCALES["trillion"]),
}
_LETTER = 1
"""Length of abbreviated scales that must follow the digits without a space: 5k, but 5 bn."""
_BELOW_A_THOUSAND = {"dozen": 12.0, "score": 20.0, "hundred": 100.0}
_MOST_SCALES = 3
"""Maximum number of scale words in a row, as in "a hundred thousand million"."""
_PLURALS = {"tens": 10.0, **{f"{word}s": value for word, value in SCALES.items()}}
_COUNTED = {
    **SCALES,
    **{f"{word}s": SCALES[word] for word in ("lakh", "crore", "million", "billion", "trillion")},
}
"""Scales after a number, including some plurals, as in "2 lakhs" and "three billions"."""
_VAGUE = {"few", "several", "many", "couple"}
_ORDINALS = {
    word: float(number)
    for number, word in enumerate(
        [
            *"first second third fourth fifth sixth seventh eighth ninth tenth".split(),
            *"eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth".split(),
            *("eighteenth", "nineteenth", "twentieth"),
        ],
        start=1,
    )
} | {
    "thirtieth": 30.0,
    "fortieth": 40.0,
    "fiftieth": 50.0,
    "hundredth": 100.0,
    "thousandth": 1000.0,
}
# "first" and "second" do not name fractions.
_FRACTIONS = {word: value for word, value in _ORDINALS.items() if value not in (1, 2)}
_PARTS = {"half": 2.0, "halves": 2.0, "quarter": 4.0, "quarters": 4.0, **_FRACTIONS}
_PARTS |= {f"{word}s": value for word, value in _FRACTIONS.items()}
_ORDINAL_END = re.compile(r"(?:1[0-9]th|(?<!1)(?:1st|2nd|3rd)|[04-9]th)\Z")
"""The end of an ordinal in digits; "12st" is a weight in stone."""
_MIXED_PARTS = {"half", "third", "thirds", "quarter", "quarters"}
_TIMES = {"days", "weeks", "months", "years", "hours", "minutes"}
_WHOLES = {3, 4, 5, 10, 20, 50, 100, 200, 500, 1000}
_MULTIPLES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_MULTIPLIED = {
    "double": 2.0,
    "triple": 3.0,
    "treble": 3.0,
    "quadruple": 4.0,
    "quintuple": 5.0,
    "halve": 0.5,
}
_CHANGED = {f"{verb}d": value for verb, value in _MULTIPLIED.items()}
_CHANGED |= {f"{verb[:-1]}ing": value for verb, value in _MULTIPLIED.items()}
"""Verb forms that state a factor unless they mean a movement, without infinitives."""
_FOLD = {f"{word}fold": value for word, value in {**_SMALL, **_TENS, **SCALES}.items() if value > 1}
_DOUBLES = {f"{verb}s": value for verb, value in _MULTIPLIED.items() if verb != "halve"}
_FACTORS = {**_MULTIPLIED, **_DOUBLES, **_CHANGED, **_FOLD}
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 0.333333, "⅔": 0.666667}
_MIXED = {"1/2", "1/3", "2/3", "1/4", "3/4"}
_ARTICLES = {"a", "an"}
_STARTS = {
    *_ARTICLES,
    "half",
    *_FRACTIONS,
    *SCALES,
    *_SMALL,
    *_TENS,
    *_PLURALS,
    *_VAGUE,
    *_ORDINALS,
    *_MULTIPLES,
}
_STARTS |= _FACTORS.keys() | {"quarter"}
"""Words with which a number can start."""
WORDS = _STARTS - _ARTICLES
"""Words that can be a number on their own."""
HYPHENS = {"-", "\u2010", "\u2011"}
"""Signs that join words; dashes do not."""
_AFTER_ARTICLE = {*SCALES, *MEASURES, *_VAGUE, *_PARTS, *HYPHENS}
"""Words after an article that begins a number: "a hundred", "a year and a half", "a third"."""
_OF_ALL = set("of the its their his her my our your these those".split())
"""Words after a share that name the whole."""
_QUOTES = frozenset("'’\"”")
PRESENT_VERBS = frozenset(
    "agree approve believe consider depend disagree disapprove expect intend know listen prefer rely say think"
    " want".split()
)
"""Verbs that are not also nouns: "a fifth rely on it"."""
_PLURAL_VERBS = {"were", "are", "have"}
_VERBS = _PLURAL_VERBS | set(
    "was is had has did do does said say would will could can might may must".split()
)
_IRREGULAR = set(
    "became began bought broke brought came caught chose died drove fell felt fled flew forgot fought gave got grew "
    "kept knew left lost met paid quit ran rose sank sent slept sold sought spent spoke stood stuck swore took thought "
    "went withdrew woke won wore wrote".split()
)
"""Frequent irregular past tenses that "half" seldom modifies, unlike "half made"."""
_NO_SHARE = {*_ARTICLES, "he", "she", "it", "i", "we", "they", "who"}
"""Words before "half" as an adverb: "he half rose"."""
_HEDGED = set(
    "than least most nearly almost about around roughly only barely over under to by".split()
)
"""Words before a share that does not name its whole, as in "more than half" or "by half"."""
_COMPARED = {"than", "least", "most", "nearly", "almost", "roughly", "by"}
"""Words before a share that ends its clause: "at most a third."."""
_PAY = {"pay", "pays", "paid", "paying"}
_COMPARATIVES = set("less more fewer higher lower smaller larger bigger cheaper".split())
_PERCENT = {"percent", "per", "percentage"}
_PERIODS_BEFORE = set("last past first next previous following consecutive straight".split())
"""Words before quarters of a year: "the last two quarters"."""
_AFTER_SHARE = set(
    "and but or by to in since from after before when while last this within over on as for again".split()
)
"""Words that begin a new phrase after a share: "cut by a third since May"."""
_REDUCED = {"cut", "discount", "reduction"}
_NOT_HALVES = {"first", "second", "latter", "last", "better"}
_TO_A_FACTOR = set("to will would could can may might should must than nearly almost".split())
"""Words before an infinitive that states a factor: "is expected to double", "more than double"."""
_WHERE = {"in", "at", "since", "to", "from", "after", "every", "each"}
"""Words after a verb whose subject is a plural: "seizures triple at the port"."""
_BODILY = {"over", "back", "up", "down", "as", "for"}
"""Words that show that the verb before them is no factor: "doubled over", "doubled as"."""
PERIODS = {
    *MEASURES,
    "day",
    "night",
    "decade",
    "century",
    "season",
    "generation",
    "fortnight",
    "quarter",
    "term",
}
"""Words after "a" or "every" that say how often something happens."""
_EACH = {"a", "an", "every", "each", "per"}
_REGULARLY = {"hourly", "daily", "nightly", "weekly", "monthly", "yearly", "annually"}
_LONG = set(
    "wide long tall high deep thick away apart race sprint dash relay hurdles freestyle butterfly backstroke "
    "breaststroke medley pool".split()
)
"""Words after a number of metres."""
_ACROSS = {"length", "width", "height", "depth", "diameter"}
_RACES = set("50 60 100 110 200 400 800 1500 1,500 3000 3,000 5000 5,000 10000 10,000".split())
"""Lengths of races in metres."""
_MONEY = frozenset("$€£¥₽₹₩₺₴₪₦₫₱₡₲฿")
_MINUS = {"-", "−", "–", "minus"}
_LISTS = {":", ";", ".", "-"}
"""Signs before a hyphen that can mark an item of a list."""
_DEGREES = {"degrees", "degree", "°", "%", "percent", "per", "c", "f"}
_WIDE = {0xFF01 + i: 0x21 + i for i in range(94)}  # full-width forms are in the order of ASCII
_ANY_WIDE = re.compile("[！-～]")
_AFTER_THE_END = [""] * 10
_DIGITS = frozenset("0123456789")
_YEAR = re.compile("(?:1[0-9]|20)[0-9]{2}")


_OTHER_DIGIT = re.compile(r"(?![0-9])\d")  # of any script


def narrow(text: str) -> str:
    """Return a text with digits of all scripts and full-width signs as ASCII, at the same offsets."""
    # The cheap tests come first: few texts have such signs, and `translate` is slow.
    if text.isascii():
        return text
    if _ANY_WIDE.search(text):
        text = text.translate(_WIDE)
    return _OTHER_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)


def tokens(text: str) -> Tokens:
    """Return the tokens of a text, in order."""
    return _placed(_TOKEN.split(text))


def with_parts(text: str, cut: set[int]) -> Tokens:
    """Return the tokens, those in `cut` split into groups of digits: "12 300" is two numbers."""
    pieces = _TOKEN.split(text)
    # From the end, so that the indexes of the tokens before stay valid.
    for i in sorted(cut, reverse=True):
        pieces[2 * i + 1 : 2 * i + 2] = re.split(r"(\S+)", pieces[2 * i + 1])[1:-1]
    return _placed(pieces)


def _placed(pieces: list[str]) -> Tokens:
    """Return tokens from pieces of a text: white space and tokens in turn."""
    offsets = list(accumulate(map(len, pieces)))
    texts = pieces[1::2]
    return Tokens(texts, list(map(str.casefold, texts)), offsets[:-1:2], offsets[1::2])


def numerals(found_tokens: Tokens) -> list[Numeral]:
    """Return the numbers among the tokens of a text, in order and without overlap.

    "1.2 million", "twenty-seven" and "a hundred and ten" are one number each; "hundreds of
    thousands" and "a few dozen" are vague; "a third of", "half of" and "nine out of ten" are
    shares, in percent with two decimals; "doubled" and "tenfold" are factors.
    """
    reader = _NumeralParser(found_tokens)
    words = reader.words
    found, end = list[Numeral](), 0
    for i, word in enumerate(found_tokens.words):
        if word not in _STARTS and word[-1] not in _DIGITS:
            continue
        begins = (
            words[i] not in _ARTICLES or words[i + 1] in _AFTER_ARTICLE or reader.and_half_of_it(i)
        )
        zero = words[i] == "zero" and end > 0 and reader.below_zero(end)
        if i >= end and begins and not zero and (read := reader.at(i)):
            value, kind, end = read
            sign = i
            if kind == "cardinal" and reader.negative(i, end):
                sign = i - 1
            sign -= sign < i and words[sign] == "-" and words[sign - 1] == "minus"
            negative = sign < i or (kind == "cardinal" and reader.below_zero(end))
            if kind == "vague" and reader.is_multiplied(i):
                sign = i - 2
            start, last = reader.starts[sign], reader.ends[end - 1]
            value = -value if negative else value
            found.append(Numeral(start, last, value, kind))
    return found


Read: TypeAlias = tuple[float, NumeralKind, int] | None
"""A number, its kind, and the index of the token after it."""


class _NumeralParser:
    """Recursive descent parser; each method reads from a token on, or returns None."""

    def __init__(self, found: Tokens) -> None:
        _, words, self.starts, self.ends = found
        self.words = [*words, *_AFTER_THE_END]
        """The words, followed by empty ones, so that every step and index -1 find one."""

    def touches(self, i: int) -> bool:
        """Return whether there is no space before a token."""
        return 0 < i < len(self.starts) and self.ends[i - 1] == self.starts[i]

    def after_hyphen(self, i: int) -> int:
        """Return the given index, or the next one if the token there is a hyphen."""
        return i + 1 if self.words[i] in HYPHENS else i

    def at(self, i: int) -> Read:
        if self.words[i] in _FACTORS:
            return self.factor(i)
        if self.is_part(i):
            return None
        if self.is_multiplied(i):
            scale, end = self.scale(i)
            return 2 * scale, "vague", end
        is_joined = i > 1 and self.words[i - 1] in HYPHENS and self.touches(i)
        if is_joined and self.words[i] == "half" and self.words[i - 2].isalpha():
            return None  # "the fly-half"; "one-half" is read at its start
        # The order decides: "two thirds of" is a share before "two" is a cardinal.
        return (
            self.vague(i)
            or self.ratio(i)
            or self.share(i)
            or self.ordinal(i)
            or self.multiple(i)
            or self.cardinal(i)
        )

    def is_multiplied(self, i: int) -> bool:
        """Return whether a token is the scale of "a multi-million pound mill"."""
        return self.words[i] in SCALES and self.words[i - 2 : i] in (["multi", "-"], ["multi", "‑"])

    def and_half_of_it(self, i: int) -> bool:
        """Return whether a token begins a phrase such as "a bottle and a half"."""
        article, noun, *joined, after = self.words[i : i + 6]
        ends = after in {"of", *_AFTER_SHARE} or not (after.isalpha() or after in HYPHENS)
        counted = article in _ARTICLES and noun not in {*_PARTS, *SCALES, *NUMBERS}
        return joined == ["and", "a", "half"] and counted and ends

    def is_part(self, i: int) -> bool:
        """Return whether a token begins a last part, as in "an hour and three quarters"."""
        if not i or self.words[i - 1] != "and":
            return False
        part = self.words[self.after_hyphen(i + 1)]
        measured = self.words[i - 2] in MEASURES and part in _MIXED_PARTS - {"thirds"}
        return measured or self.and_half_of_it(max(0, i - 3))

    def negative(self, i: int, end: int) -> bool:
        """Return whether a number follows a minus, as in "-5 yards", not the dash of a range."""
        if not i or self.words[i - 1] not in _MINUS:
            return False
        # "plus or minus 3" and ", minus 3" are not negative numbers.
        if i > 1 and (is_digits(self.words[i - 2]) or self.words[i - 2] in {"or", ","}):
            return False
        if self.words[i - 1] == "minus":
            return True
        signed = is_digits(self.words[i]) and self.touches(i) and not self.touches(i - 1)
        degrees = self.words[end] in _DEGREES or self.words[end : end + 2] in (
            ["to", "-"],
            ["to", "−"],
        )
        # At the beginning of a paragraph, a hyphen can mark an item of a list.
        return signed and (degrees or (i > 1 and self.words[i - 2] not in _LISTS))

    def below_zero(self, i: int) -> bool:
        """Return whether the words after a number make it negative: "12 degrees below freezing"."""
        while self.words[i] in _DEGREES | {"celsius", "fahrenheit"}:
            i += 1
        return self.words[i] == "below" and self.words[i + 1] in {"zero", "freezing"}

    def vague(self, i: int) -> Read:
        """Read a vague number, such as "tens of thousands", as twice the scale."""
        start = i + 1 if self.words[i] == "a" else i
        if self.words[start] in _VAGUE:
            at = start + 2 if self.words[start + 1] == "of" else start + 1
            scale, end = self.scale(at)
            if end > at:
                return 2 * scale, "vague", end
            return None
        counts = self.words[i] != "scores" or self.words[i + 1] in {"of", "more", "and"}
        if self.words[i] in _PLURALS and counts:
            scale, end = _PLURALS[self.words[i]], i + 1
            while self.words[end] in {"and", "upon", "on"} and self.words[end + 1] == self.words[i]:
                end += 2  # "hundreds and hundreds", "thousands upon thousands"
            while self.words[end] == "of" and self.words[end + 1] in _PLURALS:
                scale, end = scale * _PLURALS[self.words[end + 1]], end + 2
            return 2 * scale, "vague", end
        return None

    def ratio(self, i: int) -> Read:
        """Read a ratio as a share: "one in ten", "two of every five", "nine out of ten"."""
        part = self.plain(i)
        if not part:
            return None
        count, at = part[0], self.after_hyphen(part[1])
        part_of = count == 1 and self.words[at] == "part"  # "one part in 40,000"
        named = self.words[at].isalpha() and self.words[at + 1] == "in" and self.words[at] != "out"
        at += named  # "one soldier in ten"
        preposition = self.words[at : at + 2]
        if preposition == ["out", "of"]:
            after = at + 2
        elif preposition[0] == "in" or preposition == ["of", "every"]:
            after = self.after_hyphen(at + 1)
        else:
            return None
        every = self.words[after] == "every"
        scaled = self.after_hyphen(after + 1)
        # "one in a hundred"
        round_number = self.words[after] in _ARTICLES and self.words[scaled] in SCALES
        whole = self.scale(scaled) if round_number else self.plain(after + every)
        if not whole or not (every or preposition[0] == "out" or count == 1 or whole[0] in _WHOLES):
            return None
        next_word = self.words[whole[1]]
        counted = self.is_counted(next_word)
        # "seven out of 11 old states" has two counts, "nine out of ten old soldiers" has a share
        if preposition[0] == "out" and whole[0] not in _WHOLES and counted:
            return None
        if _YEAR.fullmatch(self.words[after + every]) and (named or not next_word.endswith("s")):
            return None  # "1 death in 2017", "$1 in 2010", but "1 in 2000 births"
        one_of_many = whole[0] in _WHOLES and count == 1
        likely = part_of or one_of_many or not counted or next_word.endswith("ed")
        if next_word in _TIMES or (named and not likely):
            return None  # "three in ten days", "two schools in three towns"
        if count < whole[0]:
            return _percent(count, whole[0]), "share", whole[1]
        return None

    def is_counted(self, word: str) -> bool:
        """Return whether a word after a number may be what it counts."""
        return word.isalpha() and word not in _VERBS and word not in _OF_ALL

    def share(self, i: int) -> Read:
        """Read a share: "half of", "Half were", "two-thirds"; "half a million" is a cardinal."""
        if self.words[i] == "half":
            return self.half(i)
        if self.words[i] == "quarter":
            return self.quarter(i)
        if self.words[i + 1] == "/":
            return self.with_slash(i)
        count = 1.0 if self.words[i] == "a" else _SMALL.get(self.words[i], 0.0)
        at = self.after_hyphen(i + 1)
        part = self.words[at]
        if (
            not count
            or part not in _PARTS
            or count >= _PARTS[part]
            or self.words[i - 1] in _PERIODS_BEFORE
        ):
            return None
        if measured := self.part_of_a_scale(count / _PARTS[part], at):
            return measured
        if self.is_share(i, at):
            return round(100 * count / _PARTS[part], 2), "share", at + 1
        return None

    def quarter(self, i: int) -> Read:
        """Read "quarter" without a number: "a quarter of a million", "the past quarter century"."""
        if self.words[i + 1 : i + 3] == ["of", "a"]:
            scale, end = self.scale(i + 3)
            if end > i + 3:
                return 0.25 * scale, "cardinal", end
            return None
        measured = self.after_hyphen(i + 1)
        # "the quarter-century since"
        joined = self.words[measured] in MEASURES and measured > i + 1
        joined |= self.words[measured] == "century"
        if joined:
            return 0.25, "cardinal", measured
        return None

    def with_slash(self, i: int) -> Read:
        """Read two numbers with a slash: "3/5 of" is a share, "1/4 point" a part of a unit."""
        count, whole, after = self.words[i], self.words[i + 2], self.words[i + 3]
        if not (count.isdecimal() and whole.isdecimal()):
            return None
        of_a = after == "of" and self.words[i + 4] in _ARTICLES
        at = i + 5 if of_a else i + 3
        unit = self.words[at]
        counts = unit.isalpha() and unit not in _VERBS | _OF_ALL and not unit.endswith("s")
        if f"{count}/{whole}" in _MIXED and self.touches(i + 2) and counts:
            return int(count) / int(whole), "cardinal", at
        is_part = after == "of" and int(count) < int(whole)
        if is_part:
            return round(100 * int(count) / int(whole), 2), "share", i + 3
        return None

    def part_of_a_scale(self, fraction: float, at: int) -> Read:
        """Read the scale or unit after a part: "a quarter of a million", "a third of an hour"."""
        after = self.after_hyphen(at + 1)
        article = self.after_hyphen(after + 1)
        of_a = self.words[after] == "of" and self.words[article] in _ARTICLES | {"one", "1"}
        scaled = self.after_hyphen(article + 1) if of_a else after
        scale, end = self.scale(scaled)
        if end > scaled:
            return round(fraction * scale, 2), "cardinal", end
        joined = self.words[at + 1] in HYPHENS and self.words[after] in MEASURES
        measured = of_a and self.words[scaled] in MEASURES | {"per"}  # "of one per cent"
        if joined or measured:
            return round(fraction, 2), "cardinal", scaled
        return None

    def is_share(self, i: int, at: int) -> bool:
        """Return whether a part at `at`, counted from `i`, is a share of a whole."""
        before = self.words[i - 1]
        part, after = self.words[at], self.words[at + 1]
        if (
            part.endswith("s")
            or after == "of"
            or self.words[i + 1] in HYPHENS
            or after in _PLURAL_VERBS | PRESENT_VERBS
        ):
            return True
        if after in _COMPARATIVES | {"full", "empty"}:
            return True  # "a fifth less than last year"
        if after in {"and", "to"} and before in {"between", "from"}:
            return True
        if before in {"and", "to"} and self.words[i - 2] in _PARTS:
            return True  # "between a quarter and a third"
        if after == "to" and self.words[at + 2] in _ARTICLES and self.words[at + 3] in _PARTS:
            return True  # "a quarter to a third"
        if before in {"with", "and", *_COMPARED} and after.endswith("ing"):
            return True  # "with a quarter coming from abroad"
        is_one = self.words[i] == "one"
        if is_one and (after in _REDUCED or not (after.isalpha() or after in HYPHENS)):
            return True  # "a one third discount"
        if before in _COMPARED and (not after.isalpha() or after in _AFTER_SHARE):
            return True
        return (part == "quarter" or is_one or before in _HEDGED) and self.is_all(at + 1)

    def half(self, i: int) -> Read:
        """Read "half" as a share, a number in "half a million", or a factor in "half as much"."""
        if self.words[i + 1] == "as" and (
            self.words[i + 2] in {"much", "many"} or self.words[i + 3] == "as"
        ):
            return 0.5, "factor", i + 1
        at = self.after_hyphen(i + 1)
        if (
            self.words[at] == "of"
            and self.words[at + 1] in {"a", "one", "1"}
            and self.words[at + 2] in _PERCENT
        ):
            return 0.5, "cardinal", at + 2  # "half of 1 percent"
        at = self.after_hyphen(at + 1) if self.words[at] in _ARTICLES else at
        scale, end = self.scale(at)
        if end > at:
            return 0.5 * scale, "cardinal", end
        if self.words[at] in MEASURES or self.words[at : at + 2] == ["per", "cent"]:
            return 0.5, "cardinal", at
        before = self.words[i - 1]
        if before == "a" and self.words[i + 1 : i + 3] == ["or", "more"]:
            return 50.0, "share", i + 1  # "a half or more of voters"
        if before in _NOT_HALVES or (before == "a" and i > 1 and self.words[i - 2] == "and"):
            return None  # "a year and a half" is read at its start
        if self.words[self.after_hyphen(i + 1)] == "price":
            return 50.0, "share", i + 1
        hedged = (
            before in _HEDGED | _PAY
            and not self.words[i + 1].isalpha()
            and self.words[i + 1] not in HYPHENS
        )
        hedged |= before in _COMPARED and self.words[i + 1] in _AFTER_SHARE
        adverb = before in _NO_SHARE and self.words[i + 1] in _IRREGULAR
        if hedged or (self.is_all(i + 1) and not adverb):
            return 50.0, "share", i + 1
        return None

    def is_all(self, i: int) -> bool:
        """Return whether a token after "half" shows a share: the whole, or a verb."""
        word = self.words[i + (self.words[i] in _QUOTES)]
        # "half what they had"; a past tense follows a subject: "half died". The length excludes
        # "need" and "feed".
        past = (word.endswith("ed") and len(word) > len("need")) or word in _IRREGULAR
        return word in _OF_ALL | _VERBS | {"what", "that"} or past

    def factor(self, i: int) -> Read:
        """Read a factor: "doubled", "tenfold", "will double", but not "doubled over"."""
        word, after = self.words[i], self.words[i + 1]
        before = self.words[i - 1]
        if after in HYPHENS and self.words[i + 2].startswith("digit"):
            return None  # "double-digit growth"
        if word in _FOLD:
            said = True
        elif word in _CHANGED:
            said = after not in _BODILY
        else:
            said = after not in _BODILY and (
                before in _TO_A_FACTOR or after in _OF_ALL - {"of"} | {"what", "that"}
            )
            said |= (
                word in _MULTIPLIED
                and before.endswith("s")
                and (after in _WHERE or not after.isalpha())
            )
        if said:
            return _FACTORS[word], "factor", i + 1
        return None

    def ordinal(self, i: int) -> Read:
        """Read an ordinal, such as "third", "23rd" or "twenty-first"."""
        word = self.words[i]
        if (
            is_digits(word)
            and self.touches(i + 1)
            and _ORDINAL_END.search(word + self.words[i + 1])
        ):
            return _digits(word), "ordinal", i + 2
        if word in _TENS and self.words[i + 1] in HYPHENS and self.words[i + 2] in _ORDINALS:
            return _TENS[word] + _ORDINALS[self.words[i + 2]], "ordinal", i + 3
        is_unit = word == "second" and i > 1 and self.words[i - 1] in HYPHENS
        if is_unit and is_digits(self.words[i - 2]):
            return None  # "a 30-second film"
        if word in _ORDINALS:
            return _ORDINALS[word], "ordinal", i + 1
        return None

    def multiple(self, i: int) -> Read:
        """Read "twice", and "once" if it counts: "once a week", "more than once"."""
        if self.words[i] == "once" and not (
            (i and self.words[i - 1] in {"than", "least", "only", "not", "just"})
            or (
                self.words[i + 1] in _EACH
                and (self.words[i + 2] in PERIODS or self.words[i + 1] == "every")
            )
            or self.words[i + 1] in _REGULARLY
        ):
            return None
        if self.words[i] in _MULTIPLES:
            return _MULTIPLES[self.words[i]], "multiple", i + 1
        return None

    def cardinal(self, i: int) -> Read:
        """Read digits and number words, with scale words."""
        if (self.words[i] in _ARTICLES and self.words[i + 1] in MEASURES) or self.and_half_of_it(i):
            total, end = self.and_a_half(1.0, i + 2, of=1.0)
            # "half its value in a day and two-thirds in a week"
            parts = self.words[end - 1] == "thirds"
            if end > i + 2 and not parts:
                return total, "cardinal", i + 1
            return None
        if self.words[i] == "a":
            _, end = self.scale(i + 1)
            result = self.words[i + 1] == "score" and (
                self.words[end] != "of"
                or is_digits(self.words[end + 1])
                or self.words[end + 1] in _MINUS
            )
            if end == i + 1 or result:
                return None
            value, end = self.spoken_decimals(*self.grouped(1.0, i, i + 1))
            fold = self.words[self.after_hyphen(end)] == "fold"  # "a thousand fold"
            if fold:
                return value, "factor", self.after_hyphen(end) + 1
            return value, "cardinal", end
        if self.words[i] in _FRACTIONS:
            of_all = self.words[i + 1] in {"of", "the"}
            value = _FRACTIONS[self.words[i]]
            if of_all:
                return round(100 * value, 2), "share", i + 1
            return value, "cardinal", i + 1
        if self.words[i] in SCALES and self.words[i] != "score":
            value, end = self.grouped(1.0, i, i)
            return value, "cardinal", end
        plain = self.plain(i)
        if plain and self.words[at := self.after_hyphen(plain[1])] == "fold":  # "a 10-fold rise"
            return plain[0], "factor", at + 1
        if plain:
            return plain[0], "cardinal", plain[1]
        return None

    def plain(self, i: int) -> tuple[float, int] | None:
        """Read a number in digits or words: "1.2 million", "sixty thousand", "two and a half"."""
        first = self.below_hundred(i)
        if not first:
            return None
        total, end = self.spoken_decimals(*first)
        total, end = self.and_a_half(total, end, of=1.0)
        if self.words[end] == "grand" and (
            self.words[end + 1] in _AFTER_SHARE | _EACH or not self.is_counted(self.words[end + 1])
        ):
            return total * SCALES["thousand"], end + 1
        # "5½ years", "5 ½ years"
        if self.words[end] in _FRACTIONS and (self.touches(end) or is_digits(self.words[i])):
            total, end = total + _FRACTIONS[self.words[end]], end + 1
        at = self.after_hyphen(end)
        if (
            self.words[at + 1] == "/"
            and self.touches(at + 1)
            and f"{self.words[at]}/{self.words[at + 2]}" in _MIXED
        ):
            # "2 1/2", "2-1/2"
            total += int(self.words[at]) / int(self.words[at + 2])
            end = at + 3
        near = self.touches(end) or len(self.words[end]) > _LETTER
        if (
            near
            and self.words[end] in SHORT
            and is_digits(self.words[i])
            and not self.is_metres(i, end)
        ):
            return round(total * SHORT[self.words[end]], 6), end + 1
        return self.grouped(total, i, end)

    def grouped(self, first: float, i: int, end: int) -> tuple[float, int]:
        """Read the rest of a number such as "hundred and fifty thousand" after its first words.

        A number consists of groups below a thousand with falling scales: "two million, three
        hundred thousand, ten".
        """
        total, highest = 0.0, float("inf")
        value, end = self.hundreds(first, i, end)
        while True:
            scale, after = self.scale(end)
            if after == end or scale >= highest:
                return total + value, end
            total += round(value * scale, 6)
            total, end = self.and_a_half(total, after, of=scale)
            value, highest = 0.0, scale
            following = self.next_group(i, end, below=scale)
            if not following:
                return total, end
            value, end = following

    def hundreds(self, value: float, i: int, end: int) -> tuple[float, int]:
        """Read "hundred and ten" after a number below a hundred, but no larger scale."""
        at = self.after_hyphen(end)
        word = self.words[at]
        if word not in _BELOW_A_THOUSAND or (at > end and word not in SCALES):
            return value, end
        scale, end = _BELOW_A_THOUSAND[word], at + 1
        value, after = self.and_a_half(round(value * scale, 6), end, of=scale)
        rest = self.after_and(i, end, below=scale) if after == end else None
        if rest:
            return value + rest[0], rest[1]
        return value, after

    def next_group(self, i: int, end: int, *, below: float) -> tuple[float, int] | None:
        """Read the next group of a number that began at `i`, if its scale is smaller."""
        if rest := self.after_and(i, end, below=below, scaled=True):
            value, after = self.hundreds(*rest[:1], i, rest[1])
            scale, _ = self.scale(after)
            if value * scale < below:
                return value, after
            return None
        return None

    def is_metres(self, i: int, end: int) -> bool:
        """Return whether "m" after digits means metres, as in "200m away" or "a 2m-tall statue"."""
        after = self.words[self.after_hyphen(end + 1)]
        long = after in _LONG or (after == "in" and self.words[end + 2] in _ACROSS)
        race = i and self.words[i - 1] in {"the", "s"} and self.words[i] in _RACES
        counts = after == "people" or (
            after.endswith("s") and after not in {"hurdles", "is", "was", "has"}
        )
        return (
            self.words[end] == "m"
            and self.words[i - 1] not in _MONEY
            and (long or bool(race and not counts))
        )

    def spoken_decimals(self, total: float, i: int) -> tuple[float, int]:
        """Read the decimals after a number, such as "point seven five" after "two"."""
        digits, at = "", i + 1
        while self.words[i] == "point" and _SMALL.get(self.words[at], 10.0) <= 9:  # noqa: PLR2004
            digits, at = f"{digits}{_SMALL[self.words[at]]:.0f}", at + 1
        if digits:
            return float(f"{total:.0f}.{digits}"), at
        return total, i

    def and_a_half(self, total: float, i: int, *, of: float) -> tuple[float, int]:
        """Read "and a half" or "and three quarters" after a number, as a part of its scale."""
        words: list[str] = []
        at = i
        while len(words) < 3 and at < i + 6:  # noqa: PLR2004  # three words, a hyphen before each
            at += self.words[at] in HYPHENS
            words.append(self.words[at])
            at += 1
        joiner, count, part = words
        share = self.words[at] == "of" and part != "half"  # "300 and a third of them"
        mixed = joiner == "and" and part in _MIXED_PARTS and not share
        parts = {"a": 1, "two": 2, "three": 3}.get(count, 0) if mixed else 0
        if parts:
            return total + round(parts / _PARTS[part] * of, 6), at
        return total, i

    def after_and(
        self, i: int, end: int, *, below: float, scaled: bool = False
    ) -> tuple[float, int] | None:
        """Read the end of a number below a hundred, such as "and ten" after "two hundred".

        If a scale follows, it is part of the number only with `scaled`: "a hundred and two hundred"
        is two numbers.
        """
        at = self.after_hyphen(end)
        at = self.after_hyphen(at + (self.words[at] == "and"))
        # Digits do not continue a number in words, nor words a number in digits: "two hundred 15"
        # is two numbers.
        if is_digits(self.words[at]) or is_digits(self.words[i]) or below < SCALES["hundred"]:
            return None
        rest = self.below_hundred(at)
        if not rest or rest[0] >= below:
            return None
        if not scaled and self.words[self.after_hyphen(rest[1])] in _BELOW_A_THOUSAND:
            return None
        return rest

    def below_hundred(self, i: int) -> tuple[float, int] | None:
        """Read digits, or a number word below one hundred."""
        word = self.words[i]
        if is_digits(word):
            return _digits(word, self.words[i + 1]), i + 1
        if word in _TENS:
            at = i + 2 if self.words[i + 1] in HYPHENS else i + 1
            unit = _SMALL.get(self.words[at], 0.0)
            if 0 < unit < 10:  # noqa: PLR2004
                return _TENS[word] + unit, at + 1
            return _TENS[word], i + 1
        if word in _SMALL:
            return _SMALL[word], i + 1
        return None

    def scale(self, i: int) -> tuple[float, int]:
        """Read scale words as their product: "hundred thousand"; 1 and the index without any."""
        scale, end = 1.0, i
        for _ in range(_MOST_SCALES):
            hyphen = end == i and self.words[end] in HYPHENS and self.words[end + 1] in SCALES
            at = end + hyphen
            if self.words[at] not in _COUNTED:
                break
            scale, end = scale * _COUNTED[self.words[at]], at + 1
        return scale, end


def plain_value(word: str) -> float:
    """Return the value of a token in digits, or of one number word."""
    if is_digits(word):
        return _digits(word)
    return {**NUMBERS, **SCALES}[word]


def is_digits(token: str) -> bool:
    """Return whether a token is a number in ASCII digits; no other token ends in one of them."""
    return token[-1:] in _DIGITS


def _percent(count: float, whole: float) -> float:
    """Return a share in percent with two decimals, or two significant digits below 0.1."""
    share = 100 * count / whole
    return round(share, 2) if share >= 0.1 else float(f"{share:.2g}")  # noqa: PLR2004


def _digits(word: str, after: str = "%") -> float:
    """Return the value of digits; thousands have points in 18.000, but not in 18.000 percent."""
    if (
        word[-3:-2] == "," or word[-2:-1] == ","
    ):  # a decimal comma; points before it group thousands
        return float(word.replace(".", "").replace(",", "."))
    grouped = (
        word.count(".") > 1
        or " ." in word
        or (after not in _DEGREES and after not in SCALES and _GROUPED.fullmatch(word))
    )
    dropped = r"[^0-9]" if grouped else r"[^0-9.]"
    return float(re.sub(dropped, "", word))


_GROUPED = re.compile(r"[1-9][0-9]{0,2}\.[0-9]{2}0")
"""A number with a point before three digits that end in zero, unlike printed decimals."""
