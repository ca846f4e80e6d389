"""Tables of English words and patterns, as CSV files, and what the form of a word says about it.

`labels.csv` has patterns of numbers that are not quantities, `units.csv` the nouns of units,
`hedges.csv` the phrases that hedge a number, `verbs.csv` the verbs that attribute words or thoughts
to a source, `attitudes.csv` other words that do so in some of their uses, by what follows them,
`possible_cues.csv` points of words that may do so,
`word_classes.csv` the classes of other words, and `roles.csv` titles by the role that a new corpus
has for them. Each row has an example and, where words can mislead,
a counter-example; tests/test_english_tables.py tests row by row.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

_FOLDER = Path(__file__).parent


@cache
def rows(name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of a table."""
    lines = (_FOLDER / f"{name}.csv").read_text(encoding="utf-8").splitlines()
    return tuple(csv.DictReader(lines, strict=True))


CODES = {
    **dict.fromkeys(
        "eur gbp cop bs bsf rs ksh kshs shs ush tsh brl ves vef mxn cad aud chf jpy rub cny rmb tk inr pkr "
        "ngn zar krw php idr myr sgd hkd nzd".split(),
        "other",
    ),
    "usd": "usd",
}
"""Codes that precede an amount in place of a currency sign, as in "USD 300" or "Bs 12,000"."""
STATES = set(
    "dead wounded injured missing killed arrested detained displaced ill hurt homeless hospitalised".split()
)
STATES |= {"hospitalized"}
"""Participles and adjectives that mean persons if they are counted, unless a noun follows."""
UNITS = {row["noun"]: row["unit"] for row in rows("units")} | dict.fromkeys(STATES, "person")
"""The unit of each listed noun, in lower case; a noun may have several words."""


class ReportingVerb(NamedTuple):
    """A form of a verb that attributes words or thoughts to a source."""

    takes: frozenset[str]
    """What can follow it as content: `clause`, `that`, `object`, `to`, `person` (the one addressed),
    `quotation`, or a preposition.
    """
    kind: str
    """`speech`, `thought`, `stance` ("denounced"), `act` ("sought"), `shows` ("the report found") or
    `attitude`, with
    `adjective` and `noun` for other words of an attitude ("confident that", "his plan to").
    """
    stance: str
    """The stance of the source that the verb alone shows, such as `denies`; "" if it shows none."""
    is_base: bool
    """Whether it is the base form, which has no subject in the singular."""
    may_be_noun: bool


@cache
def verbs_of_mode() -> frozenset[str]:
    """Return the words that show that a testimony is indirect, at any place in it."""
    forms = [row["mode"].split() for row in rows("verbs")]
    return frozenset(("according", *chain.from_iterable(forms)))


_SAME_IN_PAST = frozenset(("put", "read", "forecast"))


@cache
def reporting_verbs() -> dict[str, ReportingVerb]:
    """Return the forms of the verbs in `verbs.csv`, in lower case."""
    found = {}
    for row in rows("verbs"):
        takes, forms = frozenset(row["takes"].split()), row["forms"].split()
        nouns = row["nouns"].split()
        for form in forms:
            is_base = form == forms[0] and form not in _SAME_IN_PAST
            found[form] = ReportingVerb(takes, row["kind"], row["stance"], is_base, form in nouns)
    return found


@cache
def cue_words() -> dict[str, ReportingVerb]:
    """Return the reporting verbs, and the verbs and adjectives of `attitudes.csv`."""
    found = dict[str, ReportingVerb]()
    for row in rows("attitudes"):
        if row["class"] == "noun":
            continue
        takes = frozenset(row["takes"].split())
        for word in row["words"].split():
            if row["class"] == "adjective":
                adjective = ReportingVerb(takes, "adjective", "", is_base=False, may_be_noun=False)
                found.setdefault(word, adjective)
                continue
            forms = inflected(word)
            for form in forms:
                before = found[form].takes if form in found else frozenset(("quotation",))
                # "debates" may be a noun, "debated" not.
                may_be_noun = not form.endswith(("ed", "ing"))
                is_base = form == forms[0] and len(forms) >= _WITH_PAST
                found[form] = ReportingVerb(before | takes, "attitude", "", is_base, may_be_noun)
    return {**found, **reporting_verbs()}


@cache
def narrating_words() -> frozenset[str]:
    """Return the cues of an act or an inner state, of which the source says nothing: "sought to",
    "realized", "is confident that". Testimonies with them are narrated, but not those with verbs for
    what is wanted or rejected: "wants", "opposed".
    """
    found, said = set[str](cue_nouns()), set[str](verbs_of_mode())
    for row in rows("verbs"):
        takes = row["takes"].split()
        is_state = row["kind"] == "thought" and takes == ["that"]
        is_act = row["kind"] == "act" and "to" in takes
        forms = found if is_act or is_state else said
        forms.update(row["forms"].split())
    for row in rows("attitudes"):
        forms = said if row["class"] == "verb" else found
        for word in row["words"].split():
            forms.update(inflected(word))
    return frozenset(found - said)


@cache
def cue_nouns() -> dict[str, ReportingVerb]:
    """Return the nouns of `attitudes.csv` in both numbers."""
    found = dict[str, ReportingVerb]()
    for row in rows("attitudes"):
        if row["class"] == "noun":
            takes = frozenset(row["takes"].split())
            noun = ReportingVerb(takes, "noun", "", is_base=False, may_be_noun=True)
            for word in row["words"].split():
                found |= dict.fromkeys(inflected(word)[:2], noun)
    return found


_DOUBLED = re.compile(r"[^aeiou]+[aeiou][bdgmnprt]")
"""A verb of one syllable that doubles its last letter: "spar"."""


_WITH_PAST = 4
"""Minimum number of forms of a verb whose base is not also its past, as that of "forecast" is."""


def inflected(word: str) -> list[str]:
    """Return the forms of a verb: those that are listed, or the regular ones of its base."""
    if "/" in word:
        return word.split("/")
    stem = word
    if word.endswith("e"):
        return [word, f"{word}s", f"{word}d", f"{word[:-1]}ing"]
    if re.search(r"[^aeiou]y$", word):
        return [word, f"{word[:-1]}ies", f"{word[:-1]}ied", f"{word}ing"]
    if _DOUBLED.fullmatch(word):
        stem += word[-1]
    plural = "es" if word.endswith(("s", "sh", "ch", "x", "z")) else "s"
    return [word, word + plural, f"{stem}ed", f"{stem}ing"]


PARTIES = (
    *"Conservatives DUP Labour SNP Tories UKIP Veritas".split(),
    *("Lib Dems", "Liberal Democrats", "Plaid Cymru", "Scottish National Party", "Sinn Fein"),
    "UK Independence Party",
)
"""Names of parties as bodies."""
OF_PARTIES = ("Conservative", "Democrat", "Lib Dem", "Liberal Democrat", "Republican", "Tory")
"""Names of parties before a noun or the name of a member."""
PARTY_NAME = rf"(?:(?:Scottish|Welsh) )?(?:{'|'.join(sorted((*PARTIES, *OF_PARTIES), key=len, reverse=True))})"
"""The pattern of the name of a party."""


def expanded(pattern: str) -> str:
    """Return a pattern of `labels.csv` or `roles.csv` with its `<NAME>`s replaced from
    `label_parts.csv`, and `<PARTY>` by names of parties.
    """
    parts = {row["name"]: row["pattern"] for row in rows("label_parts")} | {"PARTY": PARTY_NAME}
    while (inner := _PART.sub(lambda hit: parts[hit[1]], pattern)) != pattern:
        pattern = inner
    return pattern


_PART = re.compile(r"<([A-Z_]{3,})>")


@cache
def _listed(name: str) -> frozenset[str]:
    """Return plurals whose ending misleads about whether they mean persons (see LICENSE)."""
    return frozenset((_FOLDER / f"{name}.txt").read_text("ascii").split())


# `[^eo]ans` leaves out jeans, beans, oceans and loans.
_PERSONS = re.compile(r".{2,}(?:ers|ors|ists|ees|ians|[^eo]ans|men|women|people|children|ants)")
_PLURALS = ("men", "people", "children", "craft")
_SAME_AS_SINGULAR = {"sheep", "cattle", "deer", "crew", "mps"}
_SHORTEST_PLURAL = 4
"""Number of letters below which a word in -s, such as "was" or "his", is rarely a plural."""


def is_plural(word: str) -> bool:
    """Return whether a word in lower case looks like a plural noun."""
    if word.endswith(_PLURALS) or word in _SAME_AS_SINGULAR:
        return True
    # A word in -ss, such as "glass", is a singular.
    return len(word) >= _SHORTEST_PLURAL and word[-1] == "s" != word[-2]


def likely_unit(noun: str) -> str | None:
    """Return `person` if a plural noun probably means persons, `other` for points, or None."""
    if noun == "points":
        return "other"
    formed = bool(_PERSONS.fullmatch(noun))
    exceptions = _listed("things") if formed else _listed("persons")
    return "person" if formed != (noun in exceptions) else None


def writings() -> frozenset[str]:
    """Return nouns of what persons write, such as "letter" and "polls", which mean their writers."""
    return _of_class("writing")


def bodies() -> frozenset[str]:
    """Return nouns of bodies that speak, such as "board", which are not also writings."""
    return _of_class("institution") - writings()


@cache
def _of_class(name: str) -> frozenset[str]:
    return next(
        frozenset(row["words"].split()) for row in rows("word_classes") if row["class"] == name
    )


_PERSON = frozenset("person wife witness ally allies boss enemy enemies fan host mp source".split())


_ADJECTIVES = frozenset(
    "abundant blatant brilliant constant distant dominant elegant extravagant ignorant important instant"
    " pleasant pregnant redundant relevant reluctant significant vacant vibrant".split()
)
"""Adjectives that end as nouns of persons do."""


def means_person(noun: str) -> bool:
    """Return whether a noun in lower case, in the singular or plural, probably means persons."""
    if noun in _ADJECTIVES:
        return False
    units = (likely_unit(noun), likely_unit(f"{noun}s"))
    return noun in _PERSON or noun.removesuffix("s") in _PERSON or "person" in units
