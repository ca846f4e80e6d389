"""The sentences of an English text as tokens: words with their classes, signs, whole quotations.

The classes are those of `word_classes.csv`, such as `determiner`; a word may have several.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from defectors_data.text.english import OF_PARTIES, is_plural, means_person, reporting_verbs, rows
from defectors_data.text.offsets import Span

QUOTED = '"'
"""The word of a token that is a whole quotation."""


class Token(NamedTuple):
    """A word, a sign or a whole quotation of a text."""

    start: int
    end: int
    word: str
    """In lower case, with ’ as apostrophe; a sign as it is; `QUOTED` for a quotation."""
    is_capitalized: bool
    classes: frozenset[str]
    """The classes of a word; empty for a sign."""

    @property
    def is_word(self) -> bool:
        """Whether it is a word or a number."""
        return self.word != QUOTED and (self.word[0].isalnum() or self.word[0] in "$€£_’")

    @property
    def is_noun(self) -> bool:
        """Whether it can be in a noun phrase: no function word and no adverb."""
        if self.word == QUOTED:
            return True
        if self.is_capitalized and "pronoun" not in self.classes:
            return True
        return self.is_word and not self.classes & _NOT_IN_PHRASES

    @property
    def is_plural(self) -> bool:
        """Whether it looks like a plural, or is a number."""
        return is_plural(self.word) or "number" in self.classes

    @property
    def means_person(self) -> bool:
        """Whether it is a title, or a noun that probably means persons."""
        return "title" in self.classes or means_person(self.word)


_NOT_IN_PHRASES = frozenset(
    ("preposition", "auxiliary", "subordinator", "conjunction", "adverb", "pronoun")
)
_NO_CLASS: frozenset[str] = frozenset()


@cache
def _classes() -> dict[str, frozenset[str]]:
    """Return the classes of each word that has any."""
    found: dict[str, set[str]] = {}
    for row in rows("word_classes"):
        for word in row["words"].split():
            found.setdefault(word, set()).add(row["class"])
    return {word: frozenset(names) for word, names in found.items()}


def _classes_of(word: str, *, is_capitalized: bool) -> frozenset[str]:
    known = _classes().get(word, _NO_CLASS)
    stem, apostrophe, ending = word.partition("’")
    if apostrophe and ending in _CONTRACTED and "pronoun" in _classes().get(stem, _NO_CLASS):
        return _classes()[stem]  # he’s
    if is_capitalized:
        return known - _NOT_IN_NAMES  # Will Orr, Ada Kelly
    is_adverb = word.endswith("ly") and word not in _NO_ADVERBS
    return _ADVERB if not known and is_adverb else known


_NO_ADVERBS = frozenset(
    "ally daily elderly family friendly hourly monopoly monthly quarterly rally reply supply weekly yearly".split()
)
_CONTRACTED = frozenset("s d ll ve re m".split())
_NOT_IN_NAMES = frozenset(("auxiliary", "be"))


_ADVERB = frozenset(("adverb",))
_SAME_SIGNS = str.maketrans("'―", "’—")
_TYPED = ("", "-", "—", "—")
"""The dashes that a number of hyphens means."""
_ABBREVIATED = (
    "Mr|Mrs|Ms|Dr|Gen|Maj|Capt|Col|Sgt|Lt|Cpl|Pvt|Cmdr|Adm|Brig|Sen|Sens|Rep|Reps|Gov|Rev|Prof|St"
    "|Jr|Sr|Inc|Corp|Ltd|Co|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec"
)
_TOKEN = re.compile(
    r"(?=[Ii'’‘])(?:[Ii]n )?['’‘]t [A-Z][\w'’-]*"  # Ada in 't Orr, 't Orr
    r"|[a-z]++(?![-\w'’.&/@])"  # most words
    r"|[^\W\d_]\.(?:[^\W\d_]\.)+(?:-\w+)*"  # U.S., U.S.-Mexico
    rf"|(?:then-)?(?=[A-Z])(?:{_ABBREVIATED})\.(?=[\s,])"
    r"|[DIR]-[A-Z][A-Za-z.]{0,4}\.(?=[\s,)])"  # Rep. Ada Orr, R-Ky., said
    r"|[^\W\d_a-z]\.(?=\s[^\W\d_a-z])"  # the initial of a name
    r"|[$€£]?\d[\d.,]*\d(?:%|bn|m|tn|p|k)?(?![-\w])"
    r"|\w+(?:[-'’.&/@]\w+)*"
    r"|-{1,3}|[.!?…,;:()\[\]―—–]"
)
_PREFIXED = re.compile(r"(?:(?:in )?['’‘]t |(?:al|ash|el|ul|ibn|bin)-|(?:d|dell|l)['’])[A-Z]")
"""The beginning of a name in small letters: in 't Orr, al-Orr, d'Orr."""
NAME_PARTICLES = frozenset("de del la las los van von der den di da dos bin al el ibn".split())
"""Words of the names of persons without a capital letter."""
IN_TITLES = frozenset(
    "acting elected founding managing presiding ranking retired sitting supervising visiting".split()
)
"""Participles in titles: "the council's ranking member"."""
_PAIRED = frozenset(
    "current former present past local state federal national foreign domestic senior junior old new"
    " young military civilian political public private male female elected appointed affairs culture"
    " defence economy education environment families finance food health housing industry innovation labour"
    " media pensions regions safety science skills sport technology trade transport work".split()
)
"""Words that "and" joins before a noun: "current and former officials", "Work and Pensions Secretary"."""
_WORDS = re.compile(r"\w+(?:-\w+)*")
_ENDS = ".!?…"
_LINE = re.compile(r"[^\n]+(?:(?<=:)\n+(?=[\"“«‘])[^\n]+)*")
"""A line, or several if a quotation follows a colon on the next."""


def tokens(text: str, start: int, end: int) -> Iterator[Token]:
    """Yield the words and signs in a part of a text."""
    before = ""  # the word before, if it is capitalized
    for hit in _TOKEN.finditer(text, start, end):
        word, is_capitalized, classes = _read(hit[0])
        if is_capitalized and "title" in classes:
            is_surname = before in _BEFORE_SURNAME and not _NEXT_NAME.match(text, hit.end())
            if is_surname or _is_in_name(text, hit.end(), word, classes):
                classes -= {"title"}
        if word == "first" and is_capitalized and _NEXT_NAME.match(text, hit.end()):
            classes -= {"adverb"}  # "First Minister"
        if before and is_capitalized and "company" in classes:
            classes |= {"institution"}  # Harrow Airlines, but not "Airlines said"
        yield Token(*hit.span(), word, is_capitalized, classes)
        before = word if is_capitalized else ""


_BEFORE_SURNAME = frozenset("dr dr. miss mr mr. mrs mrs. ms ms.".split())
_NEXT_NAME = re.compile(r" ([A-Z][\w-]*)(?: ([A-Z][\w-]*))?")


def _is_in_name(text: str, end: int, title: str, classes: frozenset[str]) -> bool:
    """Return whether a title is part of a name such as "General Motors" and "Lord Orr": it is before
    a word for a company, or, if it is one of `name_or_title`, before one word that the text prints
    with it only. It is none before another title: "Chief Technology Officer", "Prime Minister".
    """
    words = _NEXT_NAME.match(text, end)
    following = [_read(word)[2] for word in words.groups() if word] if words else []
    if words is None or any("title" in each for each in following):
        return False
    if "name_or_title" not in classes or following[0] & {"company", "institution"}:
        return "company" in following[0]
    before = rf"\b{title.capitalize()} "
    is_whole = re.search(rf"{before}{re.escape(words[1])}\b(?! [A-Z])", text)
    return is_whole is not None and not re.search(rf"(?<!{before})\b{re.escape(words[1])}\b", text)


@lru_cache(maxsize=1 << 14)
def _read(printed: str) -> tuple[str, bool, frozenset[str]]:
    """Return the word of a token, whether it is capitalized, and its classes."""
    word = printed.lower().translate(_SAME_SIGNS) if printed.strip("-") else _TYPED[len(printed)]
    is_capitalized = printed[0].isupper() or bool(_PREFIXED.match(printed))
    return word, is_capitalized, _classes_of(word, is_capitalized=is_capitalized)


def sentences(
    text: str,
    quoted: Sequence[Span],
    cues: frozenset[str] | None = None,
    within: Span | None = None,
) -> Iterator[list[Token]]:
    """Yield the sentences of a text, or of the lines of a span of it.

    A quotation is one token of any length, so that the sentence around it stays whole.

    Args:
        text: the text.
        quoted: its outermost quotations.
        cues: words in lower case; a line without any of them and without a quotation is left out.
            None for all lines.
        within: the span of which the lines are read; None for all.
    """
    start, end = 0, len(text)
    if within:
        start = text.rfind("\n", 0, within.start) + 1
        stop = text.find("\n", within.end)
        end = stop if stop >= 0 else end
    i = bisect_left(quoted, (start, start))
    for line in _LINE.finditer(text, start, end):
        has_quotation = i < len(quoted) and quoted[i].start < line.end()
        if cues and not has_quotation and cues.isdisjoint(_WORDS.findall(line[0].lower())):
            continue
        at, found = line.start(), list[Token]()
        while i < len(quoted) and quoted[i].start < line.end():
            span = quoted[i]
            found += tokens(text, at, span.start)
            found.append(_quoted_verb(text, span, found) or _as_quotation(span))
            at = span.end
            i += 1
        found += tokens(text, at, line.end())
        yield from _split(text, found)


def _as_quotation(span: Span) -> Token:
    return Token(*span, QUOTED, is_capitalized=False, classes=_NO_CLASS)


_VERB = re.compile(r"[\"“«‘]([a-z]+ed)[\"”»’]")


def _quoted_verb(text: str, span: Span, before: Sequence[Token]) -> Token | None:
    """Return the verb of a clause that is between quotation marks: 'The miller "praised" Orr'."""
    word = _VERB.fullmatch(text, max(0, span.start - 1), span.end + 1)
    is_after_subject = bool(before) and before[-1].is_noun and before[-1].word != QUOTED
    if word is None or not is_after_subject or "determiner" in before[-1].classes:
        return None
    verb, is_capitalized, classes = _read(word[1])
    return Token(word.start(), word.end(), verb, is_capitalized, classes)


LONGEST_SENTENCE = 200
"""Maximum number of tokens of a sentence; a longer one is read in pieces, to stay fast."""


def _split(text: str, line: list[Token]) -> Iterator[list[Token]]:
    start = 0
    for i, token in enumerate(line):
        after = line[i + 1].word if i + 1 < len(line) else ""
        is_end = i - start >= LONGEST_SENTENCE - 1
        is_end |= token.word in _ENDS and after not in (",", ")")  # Rep. Orr (D-Calif.)
        is_closed = token.word == ")" and i > 0 and line[i - 1].word in _ENDS
        is_end |= is_closed and after != "" and line[i + 1].is_capitalized
        is_end |= token.word[-1] == "." and _starts_with_pronoun(line, i + 1)  # at 7 p.m. She
        if is_end or (token.word == QUOTED and _ends_with(text, line, i)):
            yield line[start : i + 1]
            start = i + 1
    if start < len(line):
        yield line[start:]


def _starts_with_pronoun(line: list[Token], i: int) -> bool:
    """Return whether a token is a pronoun with a capital letter, as at the start of a sentence."""
    return i < len(line) and line[i].is_capitalized and line[i].word in _SUBJECTS


_SUBJECTS = frozenset("he she they it we".split())


_REACH = 5
"""Maximum number of words between a quotation and the verb that attributes it."""


def _ends_with(text: str, line: list[Token], i: int) -> bool:
    """Return whether a sentence ends with a quotation: `"I left." He` but not `"Why?" he asked`."""
    last = text[line[i].end - 1]
    if last not in _ENDS:
        return False
    after = line[i + 1 : i + 1 + _REACH]
    if not after:
        return True
    if not after[0].is_word:
        return after[0].word in (QUOTED, "(", "[")
    if _starts_with_pronoun(line, i + 1):
        return True
    if after[0].is_capitalized or after[0].classes & {"pronoun", "determiner"}:
        is_other = not any(each.word in reporting_verbs() for each in after[1:])
        return last == "." or (after[0].is_capitalized and is_other)
    return False


# ---- names without titles ------------------------------------------------------------------------

FUNCTION_WORDS = frozenset(
    "preposition subordinator conjunction adverb determiner pronoun auxiliary date".split()
)
"""Classes of words that are not part of a name."""


def without_titles(text: str, words: Span) -> Span:
    """Return a name without the titles before it; the words as they are if nothing else is left."""
    return next(names_in_run([*tokens(text, *words)]), words)


_PARTIES = frozenset(name.split()[-1].lower() for name in (*OF_PARTIES, "Labour", "Lib Dems"))
_LETTERS = frozenset("cbe kc mbe mep mp msp obe qc".split())
"""Letters after a name that are no part of it: "Ada Orr MSP"."""


def names_in_run(run: Sequence[Token]) -> Iterator[Span]:
    """Yield the span of a name without titles before it and without words that are not capitalized
    at its end, if anything is left.
    """
    end = len(run)
    while end and (not run[end - 1].is_capitalized or run[end - 1].word in _LETTERS):
        end -= 1
    start = 0
    for i, token in enumerate(run[:end]):
        is_title = "title" in token.classes and i + 1 < end
        is_company = any("company" in each.classes for each in run[i + 1 : i + 2])
        # "Democrat Ada Orr", but not "Taylor Orr" and "General Motors Europe"
        is_several = i == 0 and is_plural(token.word)  # "Consultants Lamp Analytics"
        is_person = means_person(token.word) and i + 2 - is_several < end and not is_company
        is_given = any(each.classes & {"male", "female"} for each in run[i + 1 : i + 2])
        is_of_party = token.word in _PARTIES and is_given  # "Tory David Orr"
        is_place = token.word.endswith("-based") and i + 1 < end  # "Rome-based Lamps"
        if token.classes & FUNCTION_WORDS or is_title or is_person or is_of_party or is_place:
            start = i + 1
    if start < end:
        last = run[end - 1]
        yield Span(run[start].start, last.end - 2 * last.word.endswith("’s"))


def are_paired(first: Token, second: Token) -> bool:
    """Return whether "and" joins two words into one description of the noun after them, such as two
    posts: "Mill president and chief executive Ada Orr".
    """
    return {first.word, second.word} <= _PAIRED or "title" in first.classes & second.classes
