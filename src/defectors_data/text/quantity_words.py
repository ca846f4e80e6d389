"""Words by which `quantities` recognises hedges, units and currencies, and contexts in which they mean something else.

A noun in `UNITS` gives the unit of a number; for other nouns, the unit is guessed from their form and from lists made
from WordNet. `UNITS` contains only nouns that are frequent enough for a wrong annotation to matter. The
vocabulary of a corpus adds the nouns of its subject.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from typing import TypeAlias

Phrase: TypeAlias = tuple[tuple[str, ...], str]
"""The words of a phrase, and the hedge that they express."""


def _phrases(table: dict[str, str]) -> list[Phrase]:
    """Return the words and the hedge of each phrase, given the phrases of each hedge as a list separated by `; `."""
    pairs = [(tuple(phrase.split()), hedge) for hedge, listed in table.items() for phrase in listed.split("; ")]
    # The longest first, so that "no more than" is found before "more than".
    return sorted(pairs, key=lambda pair: -len(pair[0]))


def _by_word(phrases: list[Phrase], at: int) -> dict[str, list[Phrase]]:
    """Return the phrases by their word at the index `at`, 0 (first) or -1 (last), without changing their order."""
    found: dict[str, list[Phrase]] = {}
    for phrase in phrases:
        found.setdefault(phrase[0][at], []).append(phrase)
    return found


# ---- hedges ------------------------------------------------------------------------------------------------

_FROM = [f"{verb} {of}" for verb in ("start", "starts", "starting") for of in ("at", "from")]
_FROM += ["cost from", "costs from", "priced from", "prices from"]
LOWEST = {tuple(phrase.split()) for phrase in _FROM}
"""Phrases before the lowest of several prices, or before the first of two: "rooms cost from £90"."""

# By the last word, which is next to the number; `HEDGES_AFTER` is by the first word for the same reason.
HEDGES_BEFORE = _by_word(
    _phrases(
        {
            "nearly": "nearly; almost; close to; close on; approaching; nearing; not quite; just short of; "
            "just shy of; shy of; virtually; practically; getting on for; "
            "best part of; better part of; not far short of; not far off; little short of",
            # "less then" and "more then" are misspellings that are often printed.
            "less_than": "<; less than; fewer than; under; below; without; without a full; just under; well under; "
            "not even; smaller than; lower than; younger than; shorter than; cheaper than; lighter than; less then; "
            "under the age of; below the age of; hardly; scarcely",
            "up_to": "up to; upto; as many as; as much as; as high as; as long as; as far as; as old as; "
            "at most; no more than; not more than; within; maximum of; a maximum; ≤; "
            "at the most; no greater than; no longer than; no older than; not exceeding",
            "more_than": "more than; over; above; upwards of; upward of; in excess of; exceeding; exceeded; exceeds; "
            "topped; topping; tops; surpassed; surpassing; past; passed; just over; well over; greater than; "
            "longer than; older than; larger than; bigger than; higher than; taller than; heavier than; better than; "
            "crossed; crossing; more then; over the age of; above the age of; north of; beyond; >; not just; not only",
            "at_least": "at least; no fewer than; no less than; not less than; not fewer than; as few as; "
            "as little as; as low as; as young as; minimum of; a minimum; ≥; at the least; at the very least; "
            f"a good; no younger than; {'; '.join(_FROM)}",
            # "ca." and "c." are two tokens each.
            "about": "about; around; some; roughly; approximately; an estimated; estimated; circa; ca .; c .; "
            "in the region of; on the order of; in the order of; more like; somewhere around; something like; "
            "more or less; give or take; "
            "probably; probably like; maybe like; ~; ≈; perhaps; maybe",
        }
    ),
    -1,
)
HEDGES_AFTER = _by_word(
    _phrases(
        {
            "about": "or so; - odd; odd; - ish; ish; - some; - something; or thereabouts; more or less; or thereabout; "
            "give or take; , give or take; ( give or take; — give or take; – give or take; "
            ", or so; , or thereabouts; , or thereabout",
            "at_least": "or more; +; plus; - plus; or above; and more; and up; and above; and counting; at least; "
            "at the least; at the very least; , at least; , at the least; , at the very least; , or more; or over; "
            "or older; and older; and over; at a minimum; minimum",
            "up_to": "or less; or fewer; or under; or younger; and under; and younger; "
            "at most; at the most; , at most; , at the most; maximum; max; tops",
        }
    ),
    0,
)
SKIPPED = {"the", "a", "an", "another", "his", "her", "their", "its", "our", "my", "only", "just", "these", "those"}
SKIPPED |= {"us", "first", "last", "past", "next", "other", "additional", "total", "combined", "full", "even"}
"""Words that may come between a hedge and its number."""
SIMILES = {("as", word, "as") for word in ("high", "low", "long", "far", "old", "young")}
"""Phrases that compare, and do not hedge, before an article: "as high as a three-storey house"."""
AS_MUCH = {("as", word, "as") for word in ("much", "many")}
ALIKE = {"about", "nearly", "almost", "roughly", "just", "times", "twice", "half"}
"""Words before "as much as" that make it a comparison: "weighs about as much as two elephants"."""
LOOSE = {
    (word,) for word in "some without perhaps maybe probably beyond below above past passed hardly scarcely".split()
}
"""Phrases that hedge a number, but mean something else before an article."""

_SAT = "sat sit sits sitting stood slept lived living hid hidden hiding held buried trapped crushed found put kept"
_WENT = (
    "walked walk walking went ran run running drove drive driving flew fly flying rode marched sailed rowed climbed "
    "jumped crossed stepped stumbled travelled traveled wandered"
)
_TOPIC = (
    "film films book books novel story stories report article song play documentary talk talks talked talking spoke "
    "speak speaking asked ask asking worried worry worries thought think cared care complained complaints concerned "
    "concerns told tell heard knew know wrote written question questions news information rumours rumors joke jokes"
)
_QUARREL = "quarrel quarrels quarrelled fight fought dispute disputes argue argued argument war control rule power"
ELSEWHERE = {
    # "all over" and "all around" mean a place.
    word: frozenset(f"all {before}".split())
    for word, before in {
        "about": _TOPIC,
        "around": f"{_SAT} {_WENT} gathered built wrapped centered centred",
        "over": f"{_SAT} {_WENT} {_QUARREL} fell leaning hung swept jailed "
        "arrested sued fined charged convicted row probe handed handing hand hands turned took take taken taking gave",
        "under": f"{_SAT} served serve serving worked working suffered law laws which",
        "above": f"{_SAT} {_WENT}",
        "below": f"{_SAT} {_WENT}",
        "north of": "lies lie lay due miles km kilometres kilometers",
        **dict.fromkeys(("beyond", "within", "crossed", "crossing"), ""),
        "past": f"{_WENT}",
        "passed": "he she they we i have had has",
    }.items()
}
"""Prepositions and verbs that can hedge a number, each with the words after which it probably does not.

Before a small number of countable units, any of them may mean a place or a topic, so the hedge is only a guess.
"""
INSIDE = {"within", "beyond"}
"""Prepositions that probably mean a place before a small number: "within two camps"."""
PASSED = {"crossed", "crossing"}
"""Verbs that usually precede what was crossed ("crossed two rivers"), but are a hedge in "crossed 70 percent"."""
CLIMBS = set("climbed climbs rose risen grew grown soared surged jumped swelled crept went moved pushed gone".split())
"""Words after which "past" hedges a number."""
TOTALS = set("number toll total count figure tally population".split())
"""Nouns after which "past" also hedges a number: "the toll past 900"."""
MOVES = CLIMBS | set(
    "rise rising fell fall fallen falling growing growth climb climbing dropped drop dropping increased increase "
    "increasing decreased decrease up down going jump raised raise cut reduced swell shrank shrunk declined decline "
    "go goes rises climbs edged edges edging inched inches ticked ticks crept creeps shot nudged "
    "expanded doubled moved changed change boosted lowered slipped slid surge plunged improved slumped cutting".split()
)
"""Words that make "from A to B" a movement between two numbers instead of a range."""
SMALL = 20
"""The number below which the hedge that a preposition expresses is only a guess."""

# ---- currencies --------------------------------------------------------------------------------------------

CURRENCIES = {"$": "usd", **dict.fromkeys("€£¥₽₹₩₺₴₪₦₫₱₡₲฿", "other")}
CODES = dict.fromkeys(
    "eur gbp cop bs bsf rs ksh kshs shs ush tsh brl ves vef mxn cad aud chf jpy rub cny".split(), "other"
) | {"usd": "usd"}
"""Codes that precede an amount in place of a currency sign, as in "USD 300" or "Bs 12,000"."""
LETTERS = set("r n p q k sh ksh ush tsh dh dhs rm".split())
"""Letters that precede an amount without a space, if it has a comma, a point or a scale, as in "R2.7m" or "N25,000"."""
ROUND = {"r", "n"}
"""The letters in `LETTERS` that can also precede a round amount: "R350"."""
AMERICAN = {"us", "u", "s"}
"""Letters before a dollar sign that mean the US dollar; others, such as C and MX, mean another currency."""

# ---- units -------------------------------------------------------------------------------------------------

_NOUNS = {
    "percent": "percent percentage pct pc",
    "country": "country countries nation nations",
    "usd": "dollar dollars usd bucks",
    "year": "year years yr yrs",
    "month": "month months",
    "week": "week weeks",
    "day": "day days night nights",
    "hour": "hour hours hr hrs",
    "minute": "minute minutes min mins",
    "mile": "mile miles",
    "kilogram": "kilogram kilograms kilo kilos kg",
    "event": "time times occasions airstrikes bombings battles explosions shootings kidnappings executions riots wars "
    "interrogations attacks protests demonstrations attempts raids clashes incidents uprisings elections marches "
    "arrests killings visits meetings",
    "person": "people person persons man men woman women child children kid kids boy boys girl girls son sons daughter "
    "daughters brother brothers sister sisters soldier soldiers troop troops member members officer officers "
    "guardsman guardsmen guard guards servicemen servicewomen defectors deserters sergeants lieutenants generals "
    "admirals captains colonels police policemen officials official protesters demonstrators civilians migrants "
    "refugees residents students prisoners detainees victims relatives journalists activists personnel staff veterans "
    # "strong" counts persons, as in "300 strong".
    "citizens inhabitants passengers patients doctors volunteers fighters rebels strong recruits conscripts sailors "
    "individuals pilots teenagers adults infants babies parents mothers fathers husbands wives grandchildren grandkids",
    "other": "families households kilometer kilometers kilometre kilometres km meters metres feet acres hectares tons "
    "foot inch inches centimetres centimeters millimetres millimeters yards grams ounces g mg kw mw sec secs "
    "cents pence kroner "
    "tonnes liter liters litre litres gallons quid p m ft cm mm ml lb lbs oz mph kph "
    "milligram milligrams millilitre millilitres milliliter milliliters gram litre liter metre meter tonne acre gallon "
    "pint pints pounds barrels euros rubles roubles rupees yen yuan francs lira liras "
    "pesos bolivars bolívares bolívars seconds degrees celsius fahrenheit teaspoons tablespoons eur cad aud gbp",
}
STATES = set("dead wounded injured missing killed arrested detained displaced ill hurt homeless hospitalised".split())
STATES |= {"hospitalized"}
"""Participles and adjectives that mean persons if they are counted, unless a noun follows."""
HARMED = STATES | set("killing kills wounding wounds injuring injures arresting detaining".split())
"""Words after which a number without a noun probably counts persons: "killed 12"."""
UNITS = {noun: unit for unit, nouns in _NOUNS.items() for noun in nouns.split()} | dict.fromkeys(STATES, "person")
# `[^eo]ans` leaves out jeans, beans, oceans and loans.
_PERSONS = re.compile(r".{2,}(?:ers|ors|ists|ees|ians|[^eo]ans|men|women|people|children|ants)")
_PLURALS = ("men", "people", "children", "craft")
_SAME_AS_SINGULAR = {"sheep", "cattle", "deer"}
_SHORTEST_PLURAL = 4
"""Number of letters below which a word in -s, such as "was" or "his", is rarely a plural."""
DECADES = {"decade": 10.0, "decades": 10.0, "century": 100.0, "centuries": 100.0}
"""The lengths in years of the periods that are converted to years."""
AGED = {"aged", "age", "ages"}
ANYONE = {"anyone", "anybody", "everyone", "everybody", "those", "nobody"}
"""Words that, like nouns for persons, precede "over" or "under" and an age: "anyone under 12"."""
LIVED = set("died dies dead age still retired retires married joined published born".split())
"""Words that come before "at" and an age: "died at 91"."""
OLDEST = 120
"""The highest number that is guessed to be an age."""
LIKELY_OF_PERSONS = {"father", "mother", "parent", "group", "unit", "convoy", "band"}
OF_PERSONS = {*LIKELY_OF_PERSONS, "army", "force", "crowd", "team", "population", "family"}
OF_PERSONS |= {"household", "crew", "contingent", "militia", "garrison", "battalion", "brigade"}
MEASURED = {"year", "month", "week", "hour", "minute", "mile", "kilogram", "usd", "percent"}
NEVER_PLACES = MEASURED | {"day", "usd_per_month", "factor"}
"""Units with which a preposition always hedges the number, even a small one, and never means a place."""
LENGTHS = {"mile", "other"}
PERIODS = {"minute", "hour", "day", "week", "month", "year"}
DURATIONS = PERIODS - {"minute"}
LASTING = set("for than by aged lasted lasts lasting took take takes taken spent waited lived served just well".split())
"""Words after which "over" means a longer duration: "for over five years", but not "paid over five years"."""
COMPARED = re.compile(r"normal|usual|average|(?!over|after|under|her|either|whether|however|later|earlier)\w{3,}er")
"""Words after "times" that probably state a factor: comparatives in -er, and standards of comparison."""
COMPARATIVES = set("more higher larger bigger greater less lower longer better heavier costlier faster".split())
WHOLES = set("the its their his her what that".split())
"""Words after "twice" and "three times" that may begin the quantity that is multiplied."""


@cache
def _listed(name: str) -> frozenset[str]:
    """Return plurals whose ending misleads about whether they mean persons; english/LICENSE names the source."""
    return frozenset(resources.files("defectors_data.text").joinpath(f"english/{name}.txt").read_text("ascii").split())


def is_plural(word: str) -> bool:
    """Return whether a word in lower case looks like a plural noun."""
    if word.endswith(_PLURALS) or word in _SAME_AS_SINGULAR:
        return True
    # A word in -ss, such as "glass", is a singular.
    return len(word) >= _SHORTEST_PLURAL and word[-1] == "s" != word[-2]


def likely_unit(noun: str) -> str | None:
    """Return `person` if a plural noun probably means persons, or None."""
    listed = _listed("things" if (formed := _PERSONS.fullmatch(noun)) else "persons")
    return "person" if bool(formed) != (noun in listed) else None
