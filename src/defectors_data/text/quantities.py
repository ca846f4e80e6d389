"""Parser of quantities: number, bounds, hedge and unit, by the grammar of docs/annotators/quantities.md.

The words around a number give its hedge (before or after it) and its unit (mostly after it). A unit that the words do
not give is None. Dates, clock times, ordinals, list numbers and numbers in names are not quantities, and neither is
"one" as a pronoun or an article.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import Literal, NamedTuple, TypeAlias

from defectors_data.text.non_quantities import Label, LabelKind, labels
from defectors_data.text.numerals import MEASURES, SCALES, WORDS, Numeral, Tokens, numerals, tokens

OtherKind: TypeAlias = LabelKind | Literal["ordinal"]


class Quantity(NamedTuple):
    """A quantity as its words state it; None is unknown."""

    value: float | None
    low: float | None
    high: float | None
    hedge: str
    unit: str | None


class Reading(NamedTuple):
    """A quantity in a text, at the code points of its number with its currency or percent sign."""

    start: int
    end: int
    quantity: Quantity


def numbers(words: str) -> frozenset[float]:
    """Return every number in words, regardless of its unit; "decade" is 10."""
    found = {numeral.value for numeral in numerals(tokens(words))}
    return frozenset(found | ({10.0} if "decade" in words.casefold() else set()))


def read(words: str) -> Quantity | None:
    """Return the first quantity of a phrase, or None if it contains none."""
    found = readings(words)
    return found[0].quantity if found else None


def readings(text: str) -> list[Reading]:
    """Return the quantities of a text, in order."""
    return _Phrase(text).readings()


def analyse(text: str) -> tuple[list[Reading], list[tuple[int, int, OtherKind]]]:
    """Return the quantities of a text, and the start, end and kind of every other number."""
    phrase = _Phrase(text)
    ordinals = [n for n in phrase.numerals if n.kind == "ordinal" and not phrase.labelled(n)]
    others: list[tuple[int, int, OtherKind]] = [(n.start, n.end, "ordinal") for n in ordinals]
    others += [(label.start, label.end, label.kind) for label in phrase.labels]
    return phrase.readings(), sorted(others)


def may_contain_numbers(text: str) -> bool:
    """Return whether a text has a digit or a word without which no number is found; `analyse` finds none otherwise."""
    return bool(_DIGIT.search(text)) or not _NEEDED.isdisjoint(_LETTERS.findall(text.casefold()))


# ---- the words ---------------------------------------------------------------------------------------------


def _phrases(table: dict[str, str]) -> list[tuple[tuple[str, ...], str]]:
    """Return phrases as words with their hedge, the longest first."""
    pairs = [(tuple(phrase.split()), hedge) for hedge, listed in table.items() for phrase in listed.split(", ")]
    return sorted(pairs, key=lambda pair: -len(pair[0]))


def _by_word(phrases: list[tuple[tuple[str, ...], str]], at: int) -> dict[str, list[tuple[tuple[str, ...], str]]]:
    """Return phrases by their first word (0) or their last one (-1), in the same order."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for phrase in phrases:
        found.setdefault(phrase[0][at], []).append(phrase)
    return found


_BEFORE = _phrases(
    {
        "nearly": "nearly, almost, close to, approaching, not quite, just short of, just shy of",
        "less_than": "less than, fewer than, under, below, without, without a full, just under, well under, "
        "not even, smaller than, lower than",
        "up_to": "up to, as many as, as much as, at most, no more than, not more than, within, a maximum of, "
        "maximum of, at the most, no greater than, not exceeding",
        "more_than": "more than, over, above, upwards of, upward of, in excess of, exceeding, just over, well over, "
        "greater than, beyond, not just, not only",
        "at_least": "at least, no fewer than, no less than, not less than, not fewer than, a minimum of, minimum of, "
        "at the least, at the very least",
        "about": "about, around, some, roughly, approximately, an estimated, estimated, circa, ca ., c ., "
        "in the region of, on the order of, somewhere around, ~, ≈, perhaps, maybe",
    }
)
_AFTER = _phrases(
    {
        "about": "or so, - odd, odd, or thereabouts, more or less, or thereabout",
        "at_least": "or more, +, plus, or above, and more, and up, and above, at least, at the least, or over",
        "up_to": "or less, or fewer, or under, at most, at the most, maximum, max",
    }
)
_BEFORE_BY_LAST, _AFTER_BY_FIRST = _by_word(_BEFORE, -1), _by_word(_AFTER, 0)
_SKIPPED = {"the", "a", "an", "another", "his", "her", "their", "its", "our", "my", "only", "just", "these", "those"}
_SKIPPED |= {"us", "first", "last", "past", "next", "other", "additional", "total", "combined", "full", "even"}
_CURRENCIES = {"$": "usd", "€": "other", "£": "other", "¥": "other"}
_NEGATORS = {"not", "t", "never", "no", "nor", "without", "cannot", "nobody", "neither", "hardly"}
_STOPS = set('.,;:!?()[]“”"«»—–…')

_NOUNS = {
    "percent": "percent percentage pct",
    "country": "country countries nation nations governments states",
    "usd": "dollar dollars usd bucks",
    "year": "year years yr yrs",
    "month": "month months",
    "week": "week weeks",
    "day": "day days night nights",
    "hour": "hour hours",
    "minute": "minute minutes",
    "mile": "mile miles",
    "hotel": "hotel hotels inn inns motel motels hostel hostels guesthouses",
    "meal_per_day": "meal meals",
    "kilogram": "kilogram kilograms kilo kilos kg",
    "event": "time times occasions airstrikes strikes bombings battles explosions shootings kidnappings executions "
    "riots wars interrogations attacks protests demonstrations attempts raids clashes incidents uprisings "
    "elections marches arrests killings visits meetings rounds",
    "person": "people person persons man men woman women child children kid kids boy boys girl girls son sons "
    "daughter daughters brother brothers sister sisters soldier soldiers troop troops member members "
    "officer officers guardsman guardsmen guard guards servicemen servicewomen defectors deserters "
    "sergeants lieutenants generals admirals captains colonels police policemen officials official "
    "protesters demonstrators civilians migrants refugees residents students prisoners detainees victims "
    "relatives analysts journalists activists agents personnel staff veterans citizens inhabitants "
    "passengers patients doctors nurses volunteers villagers fighters rebels combatants militiamen "
    "militants leaders figures experts workers employees voters candidates lawmakers interviewees "
    "respondents witnesses dead wounded injured missing killed arrested detained displaced strong lives "
    "youths teenagers adults infants babies newborns guests colleagues comrades parents mothers fathers "
    "husbands wives spouses siblings cousins friends forces recruits conscripts cadets sailors marines "
    "pilots commanders deputies diplomats ministers mayors priests teachers farmers fishermen traders "
    "drivers escorts exiles asylum seekers expatriates foreigners nationals natives survivors hostages "
    "captives convicts suspects thugs gunmen snipers mercenaries spies informants insurgents guerrillas "
    "heads souls dissidents nomads peasants laborers labourers pilgrims commandos cooks monks widows "
    "midwives schoolchildren orphans heirs chefs porters dependents dependants evacuees returnees "
    "absentees delegates envoys judges lawyers prosecutors bishops nuns clerks keepers crewmen "
    "participants attendees supporters opponents followers critics neighbours neighbors",
    "item": "word words item items copies pieces boxes",
    "other": "families households kilometer kilometers kilometre kilometres km meters metres feet acres hectares "
    "tons tonnes liters litres gallons pounds barrels euros rubles roubles rupees yen yuan francs lira "
    "liras pesos bolivars seconds degrees points seats votes",
}
_UNITS = {noun: unit for unit, nouns in _NOUNS.items() for noun in nouns.split()}
_PERSONS = re.compile(r".{2,}(?:ers|ors|ists|ees|ians|[^eo]ans|men|women|people|ants)")
_NO_PERSONS = set(
    (
        "towers flowers powers numbers papers letters rivers orders borders computers containers helicopters "
        "trailers shelters centers boilers freighters tankers cruisers destroyers banners posters summers winters "
        "chapters counters corners fingers shoulders ladders layers matters offers servers sweaters tigers others "
        "orders rubbers covers masters doors floors factors sectors motors tractors errors colors reactors "
        "corridors sensors mirrors harbors fees trees knees committees degrees rupees loans plans fans cans vans "
        "pans clans organs plants restaurants pants grants variants warrants giants lanterns"
    ).split()
)
_PRONOUNS = {"them", "us", "you", "whom", "which", "it"}
_LOOSE = {("some",), ("without",), ("perhaps",), ("maybe",), ("beyond",), ("below",), ("above",)}
"""Phrases that hedge a number, but mean something else before an article."""
_PLACES = {("over",), ("about",), ("around",)}
"""Phrases that can be prepositions of place or of topic."""
_PREPOSITIONS = set("of in on at for with from to and who that were was".split())
_PLURAL = re.compile(r"(?=.{4})(?:.*[^s]s|.*men|.*people|.*children)")
_DECADES = {"decade", "decades"}
_OF_PERSONS = {"army", "force", "crowd", "group", "team", "population", "father", "mother", "parent", "family", "unit"}
_OF_PERSONS |= {"convoy", "crew", "band", "contingent", "militia", "garrison", "battalion", "brigade"}
_MEASURED = {"year", "month", "week", "hour", "minute", "mile", "kilogram", "usd", "percent", "meal_per_day"}
_DIGIT = re.compile("[0-9½¼¾⅓⅔]")
_LETTERS = re.compile(r"[^\W\d_]+")
_NEEDED = {
    *WORDS,
    *MEASURES,
    *_DECADES,
    "single",
    "full",
    "even",
    *(n for n, unit in _UNITS.items() if unit in _MEASURED),
}


class _Phrase:
    """A text with its tokens, numbers and labels, which is parsed for quantities."""

    def __init__(self, text: str) -> None:
        self.tokens: Tokens = tokens(text)
        self.words, self.starts, self.ends = self.tokens[1:]
        self.numerals: list[Numeral] = numerals(self.tokens)
        self.labels: list[Label] = labels(text, self.tokens, self.numerals)
        self._number_starts = {number.start for number in self.numerals}
        self._label_ends = [label.end for label in self.labels]

    def labelled(self, number: Numeral) -> bool:
        i = bisect_left(self._label_ends, number.start + 1)
        return i < len(self.labels) and self.labels[i].start < number.end

    def word(self, i: int) -> str:
        return self.words[i] if 0 <= i < len(self.words) else ""

    def index(self, offset: int) -> int:
        """Return the index of the first token at or after an offset."""
        return bisect_left(self.starts, offset)

    def readings(self) -> list[Reading]:
        counted = [n for n in self.numerals if n.kind != "ordinal" and not self.labelled(n)]
        found: list[Reading] = []
        taken = 0
        for number, following in zip(counted, [*counted[1:], None], strict=False):
            if number.start < taken:
                continue
            reading = self.range(number, following) or self.single(number)
            if reading:
                found.append(reading)
                taken = reading.end
        ends = [reading.end for reading in found]
        for reading in [*self.articles(), *self.decades()]:
            i = bisect_left(ends, reading.start + 1)
            if i == len(ends) or found[i].start >= reading.end:
                found.insert(i, reading)
                ends.insert(i, reading.end)
        return found

    def of_decades(self, number: Numeral) -> bool:
        return self.word(self.index(number.end)) in _DECADES

    # ---- ranges ----

    def range(self, number: Numeral, following: Numeral | None) -> Reading | None:
        """Read "between 5 and 7", "5-7", "5 to 7 million", "two or three"."""
        if not following or number.kind != following.kind or number.kind not in {"cardinal", "share"}:
            return None
        first, last = self.index(number.start), self.index(number.end)
        sign = self.word(self.index(following.start) - 1) in _CURRENCIES
        joiner = self.words[last : self.index(following.start) - sign]
        if self.word(last) in {"%", "percent"}:
            joiner = joiner[1:]  # "5% to 7%"
        low = number.value * self.scale_of(following, unless=number)
        before = self.word(first - 1) if self.word(first - 1) not in _CURRENCIES else self.word(first - 2)
        joined = (
            (joiner == ["and"] and before == "between")
            or (joiner in (["to"], ["through"], ["till"]))
            or (joiner in (["-"], ["–"], ["—"], ["‑"], ["-", "to"], ["-", "to", "-"]))
            or (joiner == ["or"] and following.value <= 3 * number.value)  # "two or three", but not "two or 500"
        )
        if not joined or low >= following.value or (number.value == 1 and joiner == ["or"] and following.value > 2):  # noqa: PLR2004
            return None
        end = self.index(following.end)
        if self.of_decades(following):
            quantity = Quantity(None, 10 * low, 10 * following.value, "range", "year")
            return Reading(number.start, self.ends[end], quantity)
        unit = self.unit(number.start, end, share=number.kind == "share")
        signed_end = self.signed_end(following)
        return Reading(self.signed_start(number), signed_end, Quantity(None, low, following.value, "range", unit))

    def scale_of(self, number: Numeral, *, unless: Numeral) -> float:
        """Return the scale of the last number of a range if the first has none: "5 to 7 million"."""

        def scale(of: Numeral) -> float:
            product = 1.0
            for word in self.words[self.index(of.start) : self.index(of.end)]:
                product *= SCALES.get(word, 1.0)
            return product

        return scale(number) if scale(unless) == 1 and unless.value < number.value / scale(number) else 1.0

    # ---- single numbers ----

    def single(self, number: Numeral) -> Reading | None:
        first, end = self.index(number.start), self.index(number.end)
        if self.of_decades(number):
            return None  # `decades` reads it
        hedge, has_hedge = self.hedge(first, end, number)
        unit = self.unit(number.start, end, share=number.kind == "share", multiple=number.kind == "multiple")
        if number.value == 1 and self.words[first:end] == ["one"] and not self.one_counts(first, end, hedged=has_hedge):
            return None
        return Reading(self.signed_start(number), self.signed_end(number), _quantity(number, hedge, unit))

    def one_counts(self, first: int, end: int, *, hedged: bool) -> bool:
        """Return whether "one" is a quantity: hedged, negated, or before a unit of measurement."""
        after = _UNITS.get(self.word(end)) or ("percent" if self.word(end) == "%" else None)
        return hedged or after in _MEASURED or (self.negated(first, reach=4) and self.noun(self.word(end)) is not None)

    def hedge(self, first: int, end: int, number: Numeral) -> tuple[str, bool]:
        """Return the hedge of a number, and whether words give it."""
        if number.kind == "vague":
            return "vague", True
        hedge = self.hedge_before(first) or self.hedge_after(end)
        if hedge is None and self.words[first:end] == ["one"] and self.negated(first, reach=4):
            return "less_than", False
        return hedge or "exact", hedge is not None

    def hedge_before(self, first: int) -> str | None:
        """Return the hedge before a number, skipping articles and currency signs."""
        at = first
        for _ in range(4):
            if found := self.phrase_before(at):
                return found[1]
            if self.word(at - 1) not in _SKIPPED and self.word(at - 1) not in _CURRENCIES:
                return None
            at -= 1
        return None

    def phrase_before(self, end: int) -> tuple[tuple[str, ...], str | None] | None:
        """Return the hedging phrase before a token, and its hedge; None for "all over", "talk about" and the like."""
        for phrase, hedge in _BEFORE_BY_LAST.get(self.word(end - 1), ()):
            start = end - len(phrase)
            if tuple(self.words[max(0, start) : end]) == phrase:
                other = phrase in _PLACES and self.word(start - 1) in {"all", "talk", "talked", "talking"}
                return phrase, None if other else hedge
        return None

    def hedge_after(self, end: int) -> str | None:
        """Return the hedge after a number, or after the noun that it counts."""
        for at in (end, end + 1, end + 2):
            for phrase, hedge in _AFTER_BY_FIRST.get(self.word(at), ()):
                if tuple(self.words[at : at + len(phrase)]) == phrase:
                    return hedge
            if self.word(at) in _STOPS:
                return None
        return None

    def negated(self, first: int, *, reach: int) -> bool:
        return any(word in _NEGATORS for word in self.words[max(0, first - reach) : first])

    # ---- what is counted ----

    def unit(self, start: int, end: int, *, share: bool = False, multiple: bool = False) -> str | None:
        """Return the unit of a number that starts at an offset and ends before a token."""
        if share:
            return "percent"
        if multiple:
            return "event"
        sign = self.word(self.index(start) - 1)
        if sign in _CURRENCIES:
            return self.per_month(end, _CURRENCIES[sign], before=self.index(start) - 1)
        noun = self.noun_after(end)
        if noun:
            return self.per_month(noun[1], noun[0], before=self.index(start))
        return self.noun_before(self.index(start))

    def noun_after(self, end: int) -> tuple[str, int] | None:
        """Return the unit of the first known noun after a number, and the index of the token after it."""
        plural: tuple[str, int] | None = None
        at = end + 1 if self.word(end) in {"-", "‑", "+"} else end
        for i in range(at, min(at + 7, len(self.words))):
            word = self.words[i]
            if word == "%" or (word == "per" and self.word(i + 1) == "cent"):
                return "percent", i + 1
            if word == "," and i > at and plural is None:
                continue  # between two adjectives
            if word in _STOPS or word in _PRONOUNS or (i > at and self.starts[i] in self._number_starts):
                break
            if word in _UNITS:
                return self.compound(i)
            if plural and word in _PREPOSITIONS:
                break
            if plural is None and _PLURAL.fullmatch(word):
                plural = (self.noun(word) or ("person" if self.tokens.texts[i][0].isupper() else "item"), i + 1)
                if plural[0] == "person":
                    return plural
        return plural

    def compound(self, i: int) -> tuple[str, int]:
        """Return the unit of a noun, or of the noun that it qualifies: "member countries", "displaced families"."""
        while self.word(i + 1) in _UNITS and self.word(i + 1).endswith("s") and _UNITS[self.words[i]] == "person":
            i += 1
        return _UNITS[self.words[i]], i + 1

    def noun_before(self, first: int) -> str | None:
        """Return the unit given before a number: "an army of 300,000", "they came by the thousands"."""
        for of in range(first - 1, max(0, first - 4), -1):
            if self.word(of) == "of" and self.word(of - 1) in _OF_PERSONS:
                return "person"
        if self.word(first - 1) == "the" and self.word(first - 2) == "by":
            known = (self.noun(word) for word in reversed(self.words[max(0, first - 8) : first - 2]))
            return next((unit for unit in known if unit), None)
        return None

    def noun(self, word: str) -> str | None:
        """Return the unit of a noun in the singular or plural."""
        known = _UNITS.get(word) or _UNITS.get(f"{word}s")
        return known or ("person" if _PERSONS.fullmatch(word) and word not in _NO_PERSONS else None)

    def per_month(self, at: int, unit: str, *, before: int) -> str:
        """Return `usd_per_month` for dollars if the words around them say that they are paid monthly."""
        after = self.words[at : at + 4]
        monthly = "monthly" in after or "monthly" in self.words[max(0, before - 4) : before]
        monthly |= any(
            first in {"a", "per", "each", "every", "/"} and second == "month" for first, second in pairwise(after)
        )
        return "usd_per_month" if unit == "usd" and monthly else unit

    def signed_start(self, number: Numeral) -> int:
        """Return the start of a number with its currency sign."""
        i = self.index(number.start)
        return self.starts[i - 1] if self.word(i - 1) in _CURRENCIES else number.start

    def signed_end(self, number: Numeral) -> int:
        """Return the end of a number with its percent sign."""
        i = self.index(number.end)
        return self.ends[i] if self.word(i) == "%" else number.end

    # ---- quantities without a number word ----

    def articles(self) -> Iterator[Reading]:
        """Yield articles that mean one: "not even a kilo", "not a single soldier", "more than a year"."""
        for i, word in enumerate(self.words):
            if word not in {"a", "an"}:
                continue
            single = self.word(i + 1) in {"single", "full"}
            noun = self.word(i + 1 + single)
            if not noun.isalpha() or noun in SCALES or noun in _DECADES:
                continue
            hedge = self.article_hedge(i, single=single)
            measured = _UNITS.get(noun) in _MEASURED
            if hedge == "less_than" or (hedge and measured):
                found = Numeral(self.starts[i], self.ends[i + 1 + single], 1.0, "cardinal")
                yield Reading(found.start, found.end, _quantity(found, hedge, self.noun(noun) or "item"))

    def article_hedge(self, i: int, *, single: bool) -> str | None:
        """Return the hedge of an article: a negation of "even a" or "a single", or a hedge of a unit of measurement."""
        even = any(self.word(i - back) == "even" and self.negated(i - back, reach=4) for back in (1, 2, 3))
        if even or (single and self.negated(i, reach=2)):
            return "less_than"
        found = self.phrase_before(i) if _UNITS.get(self.word(i + 1)) in _MEASURED else None
        return found[1] if found and found[0] not in _LOOSE else None

    def decades(self) -> Iterator[Reading]:
        """Yield "a decade", "two decades" and "decades" in years."""
        ends = {number.end: number for number in self.numerals}
        for i, word in enumerate(self.words):
            if word not in _DECADES or self.word(i - 1) in {"last", "past", "this", "next", "per"}:
                continue
            number = ends.get(self.ends[i - 1]) if i else None
            if number and number.kind == "cardinal":
                counted = number._replace(end=self.ends[i], value=10 * number.value)
            elif self.word(i - 1) == "a":
                counted = Numeral(self.starts[i - 1], self.ends[i], 10.0, "cardinal")
            elif word == "decades":
                counted = Numeral(self.starts[i], self.ends[i], 20.0, "vague")
            else:
                continue
            hedge, _ = self.hedge(self.index(counted.start), i + 1, counted)
            yield Reading(counted.start, counted.end, _quantity(counted, hedge, "year"))


def _quantity(number: Numeral, hedge: str, unit: str | None) -> Quantity:
    """Return a quantity with the bounds that its hedge implies."""
    n = number.value
    if hedge == "vague":
        return Quantity(None, n, None, "vague", unit)
    low = n if hedge in {"more_than", "at_least"} else None
    high = n if hedge in {"nearly", "less_than", "up_to"} else None
    return Quantity(n, low, high, hedge, unit)
