"""The numbers of an article: what they count, and the words that say so."""

from __future__ import annotations

import re
from itertools import takewhile

from defectors_data.evidence.anchors import contains_words
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.completeness_ledger import LedgerEntry, ledger_of, number_in
from defectors_data.text import quantities
from defectors_data.text.detection import AGED, Detection, is_in_name_of_kind
from defectors_data.text.english import is_plural, means_person
from defectors_data.text.english.counted_words import (
    CountedWords,
    NumberInClause,
    counted_candidates,
    counted_words,
    says_nothing,
)
from defectors_data.text.english.counted_words.number_context import AGES, is_verb_form
from defectors_data.text.english.numbered_names import is_in_repeated_name
from defectors_data.text.english.sentences import tokens
from defectors_data.text.non_quantities import MONTHS
from defectors_data.text.offsets import Span, is_inside, overlaps, sentences_around


def is_in_name(text: str, found: Detection) -> bool:
    """Return whether a number is part of a name, as in "Channel 4"."""
    number = found.span
    is_repeated = found.kind == "quantity" and is_in_repeated_name(text, number)
    return is_repeated or is_in_name_of_kind(text, found)


def in_words(counted: str, words: str) -> str:
    """Return the first words of what is counted that are among some words; "" if they say nothing."""
    printed = {*words.split(), *_LINKING}
    printed |= {word.strip(',.;:”"') for word in printed}
    kept = counted.split()
    while kept and (kept[-1] in _LINKING or not printed.issuperset(kept)):
        kept.pop()
    said = " ".join(kept)
    return "" if says_nothing(said) else said


_LINKING = frozenset(("that", "who"))
"""Words that what is counted can have, although the article does not print them."""


def possibly_counted(document: Document, span: Span) -> list[CountedWords]:
    """Return at most four guesses at what the figure in some words counts, the likeliest first."""
    entry = number_in(document, span)
    if entry is None:
        return []
    entry = converted_by(document, entry) or entry
    number, others, dates, before, _ = _in_sentence(document, entry)
    units = {_unit(each.detection.quantity) for each in (before, entry)}
    known = counted_by(document, before).counted if before != entry and len(units) == 1 else ""
    return counted_candidates(document.text, number, others, dates, known)


def _in_sentence(
    document: Document, entry: LedgerEntry
) -> tuple[NumberInClause, list[Span], list[Span], LedgerEntry, LedgerEntry]:
    """Return a number, the others and the dates of its sentence, and the numbers before and after."""
    text, found = document.text, entry.detection
    said = found.quantity
    unit = said and (said.unit or said.likely_unit)
    number = NumberInClause(found.start, found.end, hedge_start(text, found), unit or "")
    sentence = sentences_around(text, found.span)
    others, dates, before, following = list[Span](), list[Span](), entry, entry
    for each in ledger_of(document).entries:
        other = each.detection
        if other == found or other.kind == "quotation" or not overlaps(other, [sentence]):
            continue
        if AGES.match(text, other.start) or AGED.search(text, 0, other.start):
            continue  # "9,000 under-18s" are counted
        if other.kind == "name" and text.startswith(("top ", "Top ", "Six Nations"), other.start):
            continue  # and so are "two top 20 hits", "10 Six Nations titles"
        if other.kind != "quantity":
            dates.append(other.span)
        elif not is_in_name(text, other):
            others.append(Span(hedge_start(text, other), other.end))
            before = each if other.end <= found.start else before
            following = each if other.start >= found.end and following is entry else following
    return number, others, dates, before, following


def counted_by(document: Document, entry: LedgerEntry) -> CountedWords:
    """Return what a number counts, and the words around it that say so."""
    text, found = document.text, entry.detection
    said = found.quantity
    number, others, dates, before, following = _in_sentence(document, entry)
    counted = counted_words(text, number, others, dates)
    inserted = _IN_PARENTHESES.match(text, found.end)
    if inserted and (not counted.counted or _OF_CLAUSE.match(counted.counted)):
        after = number._replace(end=inserted.end())
        beyond = counted_words(text, after, others, dates)
        is_more = beyond.counted not in ("", counted.counted)
        counted = beyond if is_more else counted
    if following is not entry and (joined := _with_clause_of_both(document, counted, following)):
        return joined
    earlier = before.detection.quantity
    if converted := converted_by(document, entry):
        return counted._replace(counted=counted_by(document, converted).counted)
    is_same = earlier is not None and said is not None and _unit(earlier) == _unit(said)
    is_same &= before is not entry
    is_compared = _COMPARED.search(text, 0, number.first) and not _WHOLE.match(text, found.end)
    if is_same and not counted.counted and _is_parallel(text, before.detection.end, entry):
        return counted._replace(counted=counted_by(document, before).counted)
    if is_compared and (not counted.counted or counted.counted.endswith(" compared")):
        known = _counted_of_same_unit(document, before, entry)
        if known.startswith("share of ") and _OTHER_WHOLE.match(text, found.end):
            known = _CLAUSES.split(known)[0]
        return counted._replace(counted=known.replace("level to which", "level from which"))
    whole = _OF_BEFORE.match(text, found.end)
    noun = ""
    if whole and is_same:
        noun = _CLAUSES.split(counted_by(document, before).counted)[0]
    is_share = (
        found.quantity is not None and found.quantity.unit == "percent" and before is not entry
    )
    if whole and is_share and not counted.counted and _unit(earlier) in _COUNTED:
        noun = f"share of {_CLAUSES.split(counted_by(document, before).counted)[0]}"
    if whole and noun and not noun.startswith(text[slice(*before.detection[:2])]):
        is_person = _unit(earlier) == "person" or means_person(noun.rpartition(" ")[2])
        pronoun = "who" if is_person else "that"
        words = text[whole.start("verb") : counted.span.end] if whole["verb"] else ""
        restriction = words and f" {pronoun}{words}"
        return counted._replace(counted=noun + restriction)
    if not counted.counted and _THE_FIGURE.search(text, 0, number.first):
        return counted._replace(counted=_of_same_unit_before(document, entry))
    is_count = number.unit in ("", "item", "other", "person") and text[found.start].isalnum()
    is_count &= said is not None and said.value is not None
    if is_count and not counted.counted and _IS_ALONE.match(text, found.end):
        noun = _counted_before(document, entry)
        return counted._replace(counted=noun and noun + _adjunct(text, found.end, counted.span.end))
    return counted


_THE_FIGURE = re.compile(
    r"\b[Tt]he (?:figure|proportion|share) (?:is|was|were|st(?:oo|an)ds? at|rose to|fell to)"
    r"(?: now| just| only| still)? $"
)
"""Words before a number of what was counted before: "In May [the figure was] 12%"."""


def _of_same_unit_before(document: Document, entry: LedgerEntry) -> str:
    """Return what the last number with the unit of a number counts before it in its paragraph."""
    found = entry.detection
    start = document.text.rfind("\n", 0, found.start) + 1
    for each in reversed(ledger_of(document).entries):
        is_before = start <= each.detection.start and each.detection.end <= found.start
        if is_before and _unit(each.detection.quantity) == _unit(found.quantity):
            return counted_by(document, each).counted
    return ""


_LONGEST_ADJUNCT = 5


def _adjunct(text: str, start: int, end: int) -> str:
    """Return the words after a number without a noun if they say where: "14 [on boats]"; "" for others."""
    line = [*tokens(text, start, end)]
    is_place = bool(line) and line[0].word in ("across", "at", "from", "in", "on")
    is_place &= len(line) <= _LONGEST_ADJUNCT and all(each.is_word for each in line)
    is_other = any(
        is_verb_form(each) or each.classes & {"date", "time", "auxiliary"} for each in line
    )
    is_other |= any(text[each.start : each.end] in MONTHS for each in line)
    return f" {text[line[0].start : line[-1].end]}" if is_place and not is_other else ""


def _is_parallel(text: str, end: int, entry: LedgerEntry) -> bool:
    """Return whether a percentage is of what the one that ends at an offset counts: "fell by 12% in
    Rome and by [14%] in May".
    """
    found = entry.detection
    if _unit(found.quantity) != "percent" or not _PARALLEL.search(text, end, found.start):
        return False
    verbs = {"auxiliary", "pronoun", "subordinator"}
    between, after = tokens(text, end, found.start), next(tokens(text, found.end, len(text)), None)
    is_adjunct = (
        after is None or not after.is_word or after.word in ("last", "next", "respectively")
    )
    is_adjunct |= after is not None and "preposition" in after.classes and after.word != "of"
    following = tokens(text, found.end, sentences_around(text, found.span).end)
    rest = takewhile(lambda t: t.is_word and t.word not in ("and", "but"), following)
    is_adjunct &= not any(is_verb_form(t) or t.classes & verbs for t in rest)
    return is_adjunct and not any(is_verb_form(t) or t.classes & verbs for t in between)


def _counted_before(document: Document, entry: LedgerEntry) -> str:
    """Return the noun that the last number before counts in its sentence or the one before: "[lamps]" in
    "Orr sold 12 lamps and Pelt 14"; "" for amounts and times.
    """
    text, at = document.text, entry.detection.start
    entries = [each for each in ledger_of(document).entries if each.detection.end <= at]
    earlier = [each for each in entries if _unit(each.detection.quantity) in _COUNTED]
    if not earlier or "\n" in text[earlier[-1].detection.end : at]:
        return ""
    between = text[earlier[-1].detection.end : at]
    noun = _CLAUSES.split(counted_by(document, earlier[-1]).counted)[0]
    head = noun.partition(" of ")[0]
    is_noun = is_plural(head.split(" ")[-1].casefold()) and noun.islower()
    is_near = len(re.findall(r"[.!?] ", between)) <= 1
    return noun if is_noun and is_near and not _MEASURED.match(noun) else ""


def _counted_of_same_unit(document: Document, at: LedgerEntry, entry: LedgerEntry) -> str:
    """Return what the last number of its sentence up to `at` counts that has the unit of an entry."""
    before = at
    while at is not entry and _unit(at.detection.quantity) != _unit(entry.detection.quantity):
        *_, before, _ = _in_sentence(document, at)
        at = before if before is not at else entry
    return "" if at is entry else counted_by(document, at).counted


def _with_clause_of_both(
    document: Document, counted: CountedWords, following: LedgerEntry
) -> CountedWords | None:
    """Return what a number counts with the clause that restricts it and the next one: "12 [boats] and
    14 lamps [that were sold]"; None for other words.
    """
    start = hedge_start(document.text, following.detection)
    is_next = document.text[counted.span.end : start] in (" and ", ", and ")
    noun = counted.counted.removeprefix("share of ")
    is_next &= document.text.endswith(noun, 0, counted.span.end)  # not "12 boats sank and"
    if not is_next or not noun or _CLAUSES.search(noun):
        return None
    number, others, dates, _, _ = _in_sentence(document, following)
    # Not what `counted_by` says, which may be said by the number before.
    other = counted_words(document.text, number, others, dates)
    clause = _CLAUSES.search(other.counted)
    if not clause or not document.text.endswith(other.counted[clause.end() :], 0, other.span.end):
        return None
    said = counted.counted + other.counted[clause.start() :]
    return CountedWords(said, counted.span._replace(end=other.span.end))


def converted_by(document: Document, entry: LedgerEntry) -> LedgerEntry | None:
    """Return the entry of the amount that a number states in another currency or measure; None if
    there is none.
    """
    entries = [each for each in ledger_of(document).entries if each.detection.quantity]
    before = [each for each in entries if each.detection.end <= entry.detection.start]
    found = _CONVERTS.match(document.text, before[-1].detection.end) if before else None
    is_converted = found and is_inside(entry.detection, [Span(*found.span())])
    if not is_converted:
        is_next = before and _NEXT_CONVERTED.match(document.text, before[-1].detection.end)
        return converted_by(document, before[-1]) if is_next else None
    units = [_unit(each.detection.quantity) for each in (before[-1], entry)]
    is_other_whole = units[1] == "percent" != units[0]  # "300 boats (12%)"
    return None if is_other_whole else before[-1]


def _unit(said: quantities.Quantity | None) -> str:
    return (said and (said.unit or said.likely_unit)) or ""


_CURRENCIES = (
    "(?:[Ee]uros|francs|kroner|lira|pesos|pounds|rand|rials|roubles|rupees|rupiah|yen|yuan)"
)
_MEASURES = (
    "(?:[ck]?m|mm|k?g|ft|in|lbs?|st|acres?|feet|hectares?|inch(?:es)?|kilo(?:gram|metre)s?|litres?|"
    "met(?:er|re)s?|miles?|pints?|pounds?|stone|tonnes?|tons?)"
)
_OF_CLAUSE = re.compile(r"(?:amount|level) ")
"""What is counted by the clause before an amount, and not by a noun."""
_CONVERTS = re.compile(
    rf"(?: {_CURRENCIES}| ?{_MEASURES})?(?: an? \w+)?(?: \(|; )(?:about |or |some )?"
    rf"(?:[A-Z]{{0,2}}[$£€][\w,.]+(?: (?:m|b|tr)illion)?|[\d,.]+\w*(?: \w+)? {_CURRENCIES}|"
    rf"[\d,.]+ ?{_MEASURES})[);,]"
    r"|(?: of [^().;]{1,60})? \([\d.]+(?:%| per ?cent)\)"
)
"""What follows an amount that is also stated in another currency or measure: "$14 [(£10; €12)]",
"30 [feet (9m)]".
"""
_NEXT_CONVERTED = re.compile(rf"(?: {_CURRENCIES})?[,;] [A-Z]{{0,2}}[$£€][\w,.]+\)")
"""What follows an amount in another currency if a further one follows: "($12[, £10)]"."""
_IN_PARENTHESES = re.compile(
    rf"(?: {_CURRENCIES})? \((?:about )?[A-Z]{{0,2}}[$£€\d][^()]*\)(?= [a-z])"
)
"""The same before what both amounts count: "a $14 [(£10)] lamp"."""
_COMPARED = re.compile(
    r"(?:\b(?:compar(?:ed|es) (?:with|to)|as opposed to|against|(?:up|down) from)|, from)"
    r"(?: (?:an?|just|only|the))* $"
)
"""Words before a number that is compared with the one before it: "12 lamps, [up from] 10"."""
_WHOLE = re.compile(r"\w* of ")
_OTHER_WHOLE = re.compile(r" (?:among|at|from|in) (?:the )?[A-Z]")
"""What follows a share of another whole: "compared to 12% [from R]ome"."""
_PARALLEL = re.compile(r"(?:,|\band|\bbut)(?: as well as)?(?: (?:by|down to|just|only|to))* $")
"""Words before a percentage of what the one before it counts: "fell 12% in Rome [and by] 14% in May"."""
_COUNTED = ("country", "item", "other", "person")
_IS_ALONE = re.compile(
    r"(?: (?:will|would|are|were|have|had|has|could|may|can|in|from|at|on|by|across|more|and|or)\b|[.,;:]\B)"
)
"""What follows a number without a noun."""
_MEASURED = re.compile(r"(?:amount|level|members|months|percentage|points|share|time|years)\b")
_OF_BEFORE = re.compile(
    r"(?: of (?:them|whom|which))?(?P<verb> (?:are|were|have|had) )|"
    r" of (?:them|whom|which)\b"
)
"""What follows a part of a number before: "14 lamps, two of which are red"."""

_CLAUSES = re.compile(r" (?:who|that|(?:\w+ )?which) ")


_WORD_BEFORE = re.compile(r"[^\s\"“„«(\[]+[ \u00a0]$")
_WORD = re.compile(r",?[ \u00a0][\w-]+")
_FOLLOWING = re.compile(r"\S*(?:[ \u00a0]\S+){0,3}")
_LONGEST_HEDGE = 5
"""Maximum number of words before a number among which its hedge is searched for."""
_REACH = 40
"""Maximum length of one of these words, in code points."""


def hedge_start(text: str, found: Detection) -> int:
    """Return the offset from which the words of a number have its hedge, which may depend on the
    words after it: "around a third [of the mills]", "within three [weeks]".
    """
    start, end = found.start, found.end
    following = _FOLLOWING.match(text, end)
    if following and found.quantity and found.quantity.hedge != "exact":
        end = following.end()
    for _ in range(_LONGEST_HEDGE + 1):
        if _is_read_in(text[start:end], found.quantity):
            return start
        before = _WORD_BEFORE.search(text, max(0, start - _REACH), start)
        if not before:
            break
        start = before.start()
    return found.start


def with_rest(text: str, span: Span, found: Detection) -> Span:
    """Return the words of a number with the rest of it, or a hedge, after what it counts: "an hour
    [and a half]", "12 lamps [or so]".
    """
    start, end = hedge_start(text, found), span.end
    for _ in range(_LONGEST_HEDGE):
        if _is_read_in(text[start:end], found.quantity):
            return Span(span.start, end)
        following = _WORD.match(text, end)
        if not following:
            break
        end = following.end()
    return span


def _is_read_in(words: str, quantity: quantities.Quantity | None) -> bool:
    """Return whether the first number in some words has the same value, hedge and polarity."""
    said = quantities.read_quantity(words)
    if said is None or quantity is None:
        return False
    return (said[:4], said.polarity) == (quantity[:4], quantity.polarity)


def with_counted(text: str, span: Span) -> str:
    """Return the words of a number with the noun or pronoun of what it counts, if this follows: "four
    cases", "four of them".
    """
    words = text[slice(*span)]
    following = re.match(r"[ -](of them\b|[a-z]+)", text[span.end : span.end + 40])
    if following and (following[1] == "of them" or is_plural(following[1])):
        return words + following[0]
    return words


def repeats_number(words: str, number: str) -> bool:
    """Return whether words print a number again with what it counts or measures, as `with_counted`
    returns it: "four months" does not repeat "four cases", and "four" or "18" alone nothing.
    """
    is_alone = re.fullmatch(r"[\w.,]+", number) is not None
    return not is_alone and contains_words(words.casefold(), number.casefold())
