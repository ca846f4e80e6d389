"""The words around a number, and where the clause of the number ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from defectors_data.text.english import reporting_verbs
from defectors_data.text.english.sentences import Token, sentences, tokens
from defectors_data.text.numerals import PRESENT_VERBS
from defectors_data.text.offsets import Span, extent, overlaps, paragraphs_around

LONGEST = 14
"""Maximum number of words of a clause that says what is counted."""
_ARTICLE = re.compile(r"(?:the|an?|these|those|its|their|his|her) ", re.IGNORECASE)
_PLUS_OR_MINUS = frozenset(("minus", "or", "plus"))
MEASURES = frozenset(
    "cent cents percent percentage point points % dollar dollars euro euros francs kroner lira pence peso pesos"
    " pound pounds rand rials riyals rouble roubles rupee rupees rupiah yen yuan".split()
)
TIMES = frozenset("year month week day hour minute".split())
SINGULARS = TIMES | frozenset(
    "acre bedroom digit foot inch litre man metre mile night page point pound room second star tonne track".split()
)
"""Nouns that form an adjective with a number: "a two [year] deal"."""
_VERBS = frozenset(
    "beat bought built chose cost costs cut donated earn earned earns fallen fell froze gained gave get gets give"
    " gives gone got grew grown hit hits holds hovers kept knew known leads lost made make makes"
    " need needs paid pay pays put raise received risen rose sell sells send sends sent set shot sits"
    " sold spend spends spent stands take takes took trails win wins won wrote".split()
)
"""Frequent verbs before numbers; other words in -s may be nouns."""
RATE = re.compile(
    r" (?:an?|per|each) (?!(?:hundred|thousand|million)\b)(?:square )?[a-z]+(?: of [a-z]+(?: [a-z]+)?)?\b"
    r"|-an?-[a-z]+| (?:apiece|each)\b"
)
"""What an amount is for: "$8 [a share]", "$5 [per ton of coal]"."""
STOPS = frozenset(",;:()[]—–-.!?…")
LEVELS = frozenset(("to", "at", "from"))
NO_NOUNS = frozenset(
    "ahead apart behind deep down early fewer last late less mark more next ready seen short shy tall "
    "thick this wide worldwide".split()
)
_HEDGE_AFTER = re.compile(r" or (?:more|less|fewer|so)\b")
TERM = re.compile(r"[“\"][\w-]+(?: [\w-]+)?[”\"]")
QUOTE = re.compile(r"[\"“”«»]|''|``")
NOMINATIVE = frozenset("he i it she they we you".split())
PRONOUNS = NOMINATIVE | frozenset(("that", "there", "this"))
PRESENT = PRESENT_VERBS | frozenset(
    "buy favor favour feel live need oppose own see spend support use watch work".split()
)
"""Verbs of shares in polls: "49 percent [live] with others"."""
AGES = re.compile(
    r"(?:over|under)[- ]\d+s\b|\d+(?: ?(?:to|-|–|or|and) ?\d+)?[- ]years?(?:[- ]olds|-old)\b",
    re.IGNORECASE,
)
"""Words for persons by their age: "over 65s", "18 to 24-year-olds"."""
_INSERTED = re.compile(r"\([^()]*\d[^()]*\)")
_UNIT = 3
"""Maximum number of words of a unit such as "United States dollars"."""
BE = frozenset("be is are was were been".split())
FUNCTION_WORDS = frozenset(("preposition", "determiner", "auxiliary", "conjunction"))
_BEFORE_NUMBER = frozenset("as coming entire first last next past so than whole".split())
_COLLECTIVE = frozenset("crew personnel police staff".split())


class NumberInClause(NamedTuple):
    """A number in a text."""

    start: int
    end: int
    first: int
    """The offset from which its hedge is included."""
    unit: str
    """Its unit, or the likely one; "" if neither is known."""


class CountedWords(NamedTuple):
    """What a number counts, and the words around the number that say it."""

    counted: str
    """ "" if the order of the words does not show it."""
    span: Span


def is_verb_form(token: Token) -> bool:
    """Return whether a word is probably a verb in the past, or a frequent one in the present."""
    if token.is_capitalized or "-" in token.word:
        return False
    is_past = "past" in token.classes or (
        token.word.endswith("ed") and len(token.word) > len("need")
    )
    return is_past or token.word in _VERBS


def begins_clause_after(token: Token) -> bool:
    """Return whether a clause can begin after a word or sign."""
    starts = {"subordinator", "conjunction", "date", "time", "adverb"}
    is_said = token.word in reporting_verbs()  # "he said he paid"
    return token.word in STOPS or is_said or bool(token.classes & starts)


class NumberContext:
    """A number in its sentence, with the other numbers and the dates around it."""

    def __init__(
        self, text: str, number: NumberInClause, others: Sequence[Span], dates: Sequence[Span]
    ) -> None:
        """Find the sentence of the number, and where its clause ends."""
        if hedge := _HEDGE_AFTER.match(text, number.end):
            number = number._replace(end=hedge.end())
        self.text, self.number = text, number
        self.dates = dates
        self.others = [each for each in others if not overlaps(each, [number])]
        around = Span(number.start, number.end)
        lines = sentences(text, (), within=around)
        self.line = next((line for line in lines if line[-1].end > number.start), [])
        self.at = sum(token.end <= number.first for token in self.line)
        """The first token of the number, with its hedge, but after "within" two years."""
        self.at += self.word_at(self.at) == "within"
        self.after = sum(token.start < number.end for token in self.line)
        """The first token after the number."""
        self.is_cut = False
        """Whether another number ends its clause, and not a phrase: "men who sold [12 lamps]"."""
        self.rest = Span(number.end, self.end_of_clause())
        self.span = Span(number.first, max(self.rest.end, number.end))

    def words(self, start: int, end: int) -> str:
        """Return the words of the tokens from `start` up to `end`; "" if there are none."""
        if start >= end:
            return ""
        return self.text[self.line[start].start : self.line[end - 1].end]

    def paragraph(self) -> Span:
        """Return the paragraph of the number."""
        return paragraphs_around(self.text, Span(self.number.start, self.number.end))

    def with_end_of(self, words: str) -> Span:
        """Return the words of the number up to the end of words that follow it."""
        at = self.text.find(words, self.number.end)
        return Span(self.number.first, at + len(words))

    def reaching(self, words: str) -> Span:
        """Return the words of the number at least up to the last of some words: "12% of the 14 [boats]"."""
        last = words.rsplit(maxsplit=1)[-1]
        at = self.text.find(last, self.number.end, self.line[-1].end)
        beyond = Span(self.span.end, max(self.span.end, at + len(last)))
        return self.span if self.has_mark(beyond) else self.span._replace(end=beyond.end)

    def words_to_end(self, i: int) -> tuple[str, int]:
        """Return the words from a token to the end of its clause, and where they end."""
        end = i + 1
        while end < len(self.line) and end < i + LONGEST and not self.ends_clause(end):
            end += 1
        span = extent(self.line[i:end])
        words = self.without_numbers(span) if end > i + 1 else ""
        return words, span.end

    def is_start(self) -> bool:
        """Return whether the number begins a clause, so that it counts its subject."""
        return not self.at or begins_clause_after(self.line[self.at - 1])

    def is_determined(self) -> bool:
        """Return whether an article or a possessive is directly before the number: "a $12 hit"."""
        return self.at > 0 and "determiner" in self.line[self.at - 1].classes

    def word_at(self, i: int) -> str:
        """Return the word of a token; "" after the end of the sentence."""
        return self.line[i].word if i < len(self.line) else ""

    def is_points(self) -> bool:
        """Return whether the number counts points."""
        return self.word_at(self.after) in ("point", "points")

    def is_measure(self, i: int) -> bool:
        """Return whether a token is a unit of amounts, such as "percent" or "dollars"."""
        return self.word_at(i) in MEASURES

    def after_measure(self) -> int:
        """Return the token after the unit of an amount, such as "Canadian dollars"."""
        end = i = self.after
        i += self.word_at(i) == "of"  # "thousands of dollars"
        while i < len(self.line) and (self.line[i].is_capitalized or self.is_measure(i)):
            i += 1
            if self.is_measure(i - 1):
                end = i
        return end

    def start_of(self, i: int) -> int:
        """Return the end of the token before `i`, or of the number."""
        return self.line[i - 1].end if i > self.after else self.number.end

    def before_number(self) -> int:
        """Return the last token before the number, without "the last" and the like."""
        i = self.at - 1
        if i > 0 and self._is_adjective(i) and self.line[i - 1].word in ("a", "an", "another"):
            i -= 1  # "a record $12"
        while i >= 0 and (
            self.line[i].classes & {"determiner", "adverb"}
            or self.line[i].word in _PLUS_OR_MINUS
            or (self.line[i].word in ("last", "next", "past") and self.line[i - 1].word == "the")
        ):
            i -= 1
        return i

    def _is_adjective(self, i: int) -> bool:
        token = self.line[i]
        return token.is_noun and not (token.classes or token.is_capitalized or token.is_plural)

    def without_numbers(self, span: Span) -> str:
        """Return words without the numbers in them; "" if they are amounts or several."""
        inserted = [Span(*hit.span()) for hit in _INSERTED.finditer(self.text, *span)]
        inside = [each for each in self.others if overlaps(each, [span])]
        inside = [
            each
            for each in inside
            if not (overlaps(each, inserted) or self.text.startswith("-", each.end))
        ]
        inside = [
            each for each in inside if not self.text[slice(*each)].endswith("ed")
        ]  # "doubled"
        if not inside and not inserted:
            return " ".join(self.text[slice(*span)].split())
        if len(inside) != 1:
            return ""
        cut = inside[0]
        if inserted:
            cut = Span(cut.start, inserted[-1].end)  # "a $12 (£10) [loss]"
        after = [*tokens(self.text, cut.end, span.end)]
        is_amount = any(token.word in MEASURES for token in after[:_UNIT])
        if not after or not after[0].is_noun or is_amount:
            return ""
        words = self.text[span.start : max(cut.start, span.start)] + self.text[cut.end : span.end]
        return " ".join(words.split())

    def as_subject(self, words: str) -> str:
        """Return a subject within a sentence: "the mill" for "The mill"."""
        first, lower = words.split(maxsplit=1)[0], words[0].lower() + words[1:]
        token = next(tokens(words, 0, len(words)))
        is_common = bool(token.classes & {"determiner", "pronoun"})
        if first not in ("The", "A", "An") and re.search(
            rf"[a-z,] {re.escape(first)}\b", self.text
        ):
            return words  # a name: "by Our Mill"
        is_common |= bool(re.search(rf"\b{re.escape(first.lower())}\b", self.text))
        is_common |= bool(re.match(r"[A-Z][a-z]+ (?:from|in|of) ", words))  # "Sales of lamps"
        return lower if is_common and first[:2] not in ("I", "I’", "I'") else words

    def with_start(self, start: int) -> Span:
        """Return the words of the number from an offset, if no number or quotation is between."""
        before = Span(start, self.span.start)
        is_clear = not overlaps(before, self.others) and not self.has_mark(before)
        return Span(start, self.span.end) if is_clear and start < self.span.start else self.span

    def last(self) -> int:
        """Return the token after the clause of the number."""
        return sum(token.start < self.rest.end for token in self.line)

    def end_of_clause(self) -> int:
        """Return where the clause of the number ends, or another number begins."""
        i = self.after
        while i < len(self.line) and not (self.ends_clause(i) or self.begins_another(i)):
            i += 1
        end = self.start_of(i)
        starts = [each.start for each in (*self.others, *self.dates)]
        following = min((start for start in starts if start >= self.number.end), default=end)
        if following < end:
            kept = self.without_function_words(Span(self.number.end, following))
            left_out = [*tokens(self.text, kept, following)]
            is_phrase = any(t.classes & {"conjunction", "preposition"} for t in left_out)
            is_number = any(each.start == following for each in self.others)
            is_infinitive = any(a.word == "to" and b.is_noun for a, b in pairwise(left_out))
            self.is_cut = is_infinitive or (is_number and not is_phrase)
            return kept
        return end

    def has_mark(self, span: Span) -> bool:
        """Return whether a quotation begins or ends in a span; a short one is a term."""
        marks = [hit.start() for hit in QUOTE.finditer(self.text, *span)]
        line = Span(self.line[0].start, self.line[-1].end)
        terms = [Span(*hit.span()) for hit in TERM.finditer(self.text, *line)]
        return any(not overlaps(Span(at, at + 1), terms) for at in marks)

    def ends_clause(self, i: int) -> bool:
        """Return whether the clause of the number ends before a token."""
        token = self.line[i]
        if token.word in STOPS or self.has_mark(Span(self.start_of(i), token.start)):
            return True
        if token.word in ("but", "while", "when", "because", "after", "compared"):
            return True
        return token.word in ("and", "or") and not self.is_joined(i)

    def begins_another(self, i: int) -> bool:
        """Return whether a clause begins directly after an amount, and does not restrict it: "rose
        to 5% [she said]", but "the $5 she earned".
        """
        is_pronoun = self.line[i].word in NOMINATIVE and i == self.after_measure()
        before = self.line[self.at - 1].classes if self.at else ()
        return is_pronoun and "determiner" not in before

    def is_joined(self, i: int) -> bool:
        """Return whether "and" joins words within what is counted: "uniformed and plainclothes
        officers", but not "14 bells were melted and sold".
        """
        stops = (
            k
            for k in range(i + 1, len(self.line))
            if self.line[k].word in STOPS or self.line[k].word in ("and", "but", "or", "while")
        )
        stop = next(stops, len(self.line))
        before, after = self.line[self.after : i], self.line[i + 1 : stop]
        if before and after and before[-1].word.isdigit() and after[0].word.isdigit():
            return True  # "aged between 18 and 34"
        if before and after and before[-1].is_capitalized and after[0].is_capitalized:
            return True  # "the Trade and Investment Pact"
        if not before or not after or after[0].is_capitalized:
            return False
        counted = [overlaps(Span(t.start, t.end), self.others) for t in after]
        if any(counted[:2]):
            return False  # "12 lamps and runs 14 mills"
        has_verb = any(is_verb_form(t) or t.classes & {"auxiliary", "pronoun"} for t in after)
        is_restricted = any(
            is_verb_form(t) or "auxiliary" in t.classes or t.word in ("who", "that") for t in before
        )
        if is_restricted and not (any(counted) or has_verb) and self.line[i - 1].is_plural:
            return after[0].is_plural or (len(after) > 1 and after[0].is_noun)
        nouns = [*takewhile(lambda t: t.is_noun and "determiner" not in t.classes, after)]
        is_adjective = not (before[-1].is_plural or before[-1].is_capitalized or before[-1].classes)
        is_adjective &= all(t.word not in ("a", "an") for t in before[-2:-1])
        if is_adjective and len(nouns) > 1 and nouns[1].is_plural:
            return True  # "in old or new mills"
        is_noun_phrase = all(t.is_noun or t.word == "of" for t in before)
        are_several = any(t.is_plural or t.word in _COLLECTIVE for t in nouns)
        return is_noun_phrase and are_several

    def without_function_words(self, before: Span) -> int:
        """Return where words before another number end without "in the next", "totaling", "to build"
        and the like.
        """
        words = [*tokens(self.text, *before)]
        if words and words[-1].word.endswith("ing"):
            words.pop()
        while words:
            is_verb = len(words) > 1 and words[-2].word == "to" and words[-1].is_noun
            is_verb &= not words[-1].is_capitalized and words[-1].word.isalpha()
            is_empty = words[-1].classes & FUNCTION_WORDS or words[-1].word in _BEFORE_NUMBER
            if not (is_empty or is_verb):
                break
            words.pop()
        return words[-1].end if words else before.start


def without_article(words: str) -> str:
    """Return words without the article or pronoun that begins them."""
    found = _ARTICLE.match(words)
    return words[found.end() :] if found else words
