"""Comparison of the figures of all sources: pairs, dependent sources, measure summaries.

Two figures of a measure may allow the same numbers (`same`); one may allow only numbers that the
other allows (`entails`); they may have some numbers in common (`compatible`), have some in common
only if they are read as rounded (`agrees_rounded`), or have none (`conflicts`, or `differs_undated`
if one or both are undated). Figures with different units, populations or dates are not
compared. Numbers are never merged or ranked.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple
from zlib import crc32

from defectors_data.corpus.seed_limits import MOST_PAIRS, SOURCES_COMPARED
from defectors_data.corpus.shared_context import Context
from defectors_data.evidence.annotated_document import Document
from defectors_data.evidence.relation_arithmetic import (
    ComparedFigure,
    Conventions,
    allowed_interval,
    conventions,
    printed,
)
from defectors_data.models.annotation import Figure, Speaker
from defectors_data.models.closed_vocabularies import Times, Verdict
from defectors_data.models.fields import edtf_bounds
from defectors_data.text.intervals import Interval, hedged, number, rounded

SHARED_WORDS = 8
"""Minimum number of consecutive words that two articles must share to count as dependent."""


def is_compared(sources: int, figures: Iterable[ComparedFigure]) -> bool:
    """Return whether sources and pairs of figures are few enough to be compared."""
    numbers = Counter(figure.measure for figure in figures)
    pairs = sum(math.comb(number, 2) for number in numbers.values())
    return sources <= SOURCES_COMPARED and pairs <= MOST_PAIRS


class SourceTies(NamedTuple):
    """Properties of a source that show whether it depends on another."""

    source_id: str
    outlet: str | None
    cited_outlets: tuple[str, ...]
    runs: array[int]
    """The 64-bit hash of each run of `SHARED_WORDS` words in its text."""


class ComparableFigure(NamedTuple):
    """The properties of a figure that are compared."""

    words: str
    """Its number with its hedge, such as `nearly 40`."""
    hedge: str
    interval: Interval
    unit: str
    rounded: Interval | None = None
    """The numbers that it allows if it is read as rounded; None for one reading only."""
    population: str | None = None
    as_of: str | None = None
    first: date | None = None
    """First possible day of `as_of`."""
    last: date | None = None
    """Last possible day of `as_of`."""


class ComparisonResult(NamedTuple):
    """The verdict on two figures, and the reason in words."""

    verdict: Verdict
    explanation: str
    times: Times = "constant"
    """How the dates of the figures relate; `a` is the first figure."""


class FigurePair(NamedTuple):
    """The comparison of two figures of one measure, in the order of their ids."""

    measure: str
    figures: tuple[str, str]
    sources: tuple[str, str]
    intervals: tuple[Interval, Interval]
    """The intervals on which the verdict is based: the numbers that each figure allows."""
    compared: ComparisonResult
    common_origin: str | None
    """Why two figures from different sources have a common origin; None if nothing shows one."""
    nameless: str | None
    """Which figures have no named source, so that they are not known to be independent; None if
    both have one, or both are from the same article."""
    note: str | None

    @property
    def same_source(self) -> bool:
        """Whether both figures are from the same source."""
        return self.sources[0] == self.sources[1]


class SourceLink(NamedTuple):
    """Two dependent sources and the reason, such as a citation or shared words."""

    sources: tuple[str, str]
    explanation: str


def compared_figures(document: Document) -> list[ComparedFigure]:
    """Return the figures of a document that are compared, with the properties that matter for it."""
    shared = ComparedFigure._fields[4:]  # the first four are not fields of a figure
    found = []
    for _, figure in document.figures:
        if figure.is_compared:
            values = [getattr(figure, name) for name in shared]
            speaker = document.speakers_by_id.get(figure.attributed_to or "")
            origin = _origin(document.context, speaker)
            source = document.source.id
            found.append(ComparedFigure(figure.id, source, origin, _is_named(speaker), *values))
    return found


def _origin(context: Context, speaker: Speaker | None) -> str | None:
    """Return the origin of a speaker's figures: the role if it has a body, or else the id."""
    if speaker is None:
        return None
    if speaker.role in _bodies(context):
        return speaker.role
    return speaker.id


def _is_named(speaker: Speaker | None) -> bool:
    """Return whether a speaker is an institution or a person with a printed name."""
    if speaker is None:
        return False
    has_name = speaker.kind == "person" and getattr(speaker, "name", None) is not None
    return speaker.kind == "institution" or has_name


@lru_cache(maxsize=1)
def _bodies(context: Context) -> dict[str, str]:
    """Return the body for which all speakers in a role speak, by role."""
    return {role.term: role.body for role in context.vocabulary.content.roles if role.body}


_MULTIPLIER = 0x9E3779B97F4A7C15
"""An irregular odd 64-bit number: the hash of a run is a polynomial in it, with the hashes of words
as coefficients."""


def source_ties(document: Document) -> SourceTies:
    """Return the properties of a document that show whether its source depends on another."""
    import numpy as np  # noqa: PLC0415  # only a build needs it

    source = document.source
    # Python's own hashes of strings differ from process to process.
    words = np.array([*map(crc32, map(str.encode, document.text.split()))], np.uint64)
    hashes = np.zeros(max(0, len(words) - SHARED_WORDS + 1), np.uint64)
    for i in range(SHARED_WORDS):
        hashes = (
            hashes * _MULTIPLIER + words[i : i + len(hashes)]
        )  # the overflow is intended: modulo 2 ** 64
    outlet = source.outlet.value if source.outlet else None
    return SourceTies(source.id, outlet, source.cited_outlets, array("Q", hashes.tobytes()))


# ---- pairs ---------------------------------------------------------------------------------------


def figure_pairs(figures: Iterable[ComparedFigure], context: Context) -> list[FigurePair]:
    """Return the comparison of every pair of figures of one measure, ordered by measure and ids."""
    notes = {}
    for entry in context.comparisons:
        for two in combinations(entry.figures, 2):
            notes[frozenset(two)] = entry.note
    measures = context.vocabulary.content.measures
    incomparable = {measure.term for measure in measures if not measure.comparable}
    constant = {measure.term for measure in measures if measure.constant}
    declared, found = conventions(context), []
    for measure, same in by_measure(figures).items():
        in_order = sorted(same, key=lambda figure: figure.id)
        properties = [(figure, comparable(figure, declared)) for figure in in_order]
        for (one, a), (other, b) in combinations(properties, 2):
            compared = compare(a, b, constant=measure in constant)
            if measure in incomparable:
                # `times` is kept, because the dates can be compared nevertheless.
                compared = compared._replace(verdict="not_comparable", explanation=_DIFFERENT)
            ids = one.id, other.id
            intervals = a.interval, b.interval
            if compared.verdict == "agrees_rounded":
                intervals = a.rounded or a.interval, b.rounded or b.interval
            origin = _common_origin(one, other, context)
            sources = one.source_id, other.source_id
            nameless = _nameless(one, other)
            note = notes.get(frozenset(ids))
            pair = FigurePair(measure, ids, sources, intervals, compared, origin, nameless, note)
            found.append(pair)
    return found


_DIFFERENT = "The figures of this measure have different subjects."


def _common_origin(one: ComparedFigure, other: ComparedFigure, context: Context) -> str | None:
    """Return why two figures from different sources have a common origin, or None."""
    if one.source_id == other.source_id or one.origin is None or one.origin != other.origin:
        return None
    if body := _bodies(context).get(one.origin):
        return f"Both are attributed to the same {body}."
    shared = context.shared.get(one.origin)
    name = shared.name if shared else one.origin
    return f"Both are attributed to {name}."


def _nameless(one: ComparedFigure, other: ComparedFigure) -> str | None:
    """Return which of two figures from different articles have no named source, or None."""
    if one.source_id == other.source_id:
        return None
    found = [_without_name(each) for each in (one, other) if not each.named]
    return " ".join(found) or None


def _without_name(figure: ComparedFigure) -> str:
    """Return the sentence on a figure without a source, or with one that has no name."""
    if figure.origin is None:
        return f"{figure.source_id} names no source of its figure."
    return f"{figure.source_id} gives no name of its source."


def by_measure(figures: Iterable[ComparedFigure]) -> dict[str, list[ComparedFigure]]:
    """Return the figures grouped by measure, with the measures in alphabetical order."""
    found = defaultdict(list)
    for figure in figures:
        found[figure.measure].append(figure)
    return dict(sorted(found.items()))


def comparable(figure: Figure | ComparedFigure, declared: Conventions) -> ComparableFigure:
    """Return the numbers and dates of a figure that comparisons use."""
    bounds = edtf_bounds(figure.as_of) if figure.as_of else (None, None)
    numbers = allowed_interval(figure, declared)
    counted = figure.unit in declared.whole_units
    return ComparableFigure(
        hedged(figure.hedge, figure.value, figure.low, figure.high),
        figure.hedge,
        numbers,
        figure.unit,
        rounded(figure.hedge, figure.value, numbers, counted=counted),
        figure.population,
        figure.as_of,
        *bounds,
    )


# ---- dependent sources ---------------------------------------------------------------------------


def links(ties: Sequence[SourceTies]) -> list[SourceLink]:
    """Return the pairs of dependent sources, each with the first reason that is found."""
    sharing = _sharing_words(ties)
    found = []
    # Pairs with only their own outlet in common have no reason, and so are left out.
    for i, j in sorted(sharing | _sharing_outlets(ties)):
        reason = _dependence(ties[i], ties[j])
        if not reason and (i, j) in sharing:
            reason = _SHARED
        if reason:
            one, other = sorted((ties[i].source_id, ties[j].source_id))
            found.append(SourceLink((one, other), reason))
    return sorted(found)


_SHARED = f"They share {SHARED_WORDS} or more words in a row."


def _sharing_outlets(ties: Sequence[SourceTies]) -> set[tuple[int, int]]:
    """Return the pairs of sources, by position, that come from or cite a common outlet."""
    groups: dict[str, set[int]] = defaultdict(set)
    for i, tie in enumerate(ties):
        for outlet in (*tie.cited_outlets, *([tie.outlet] if tie.outlet else [])):
            groups[outlet].add(i)
    return _pairs_within(groups.values())


def _sharing_words(ties: Sequence[SourceTies]) -> set[tuple[int, int]]:
    """Return the pairs of sources, by position, that have a run of words in common."""
    import numpy as np  # noqa: PLC0415  # only a build needs it

    # The empty array comes first because `concatenate` requires at least one array.
    hashes = np.concatenate(
        [np.zeros(0, np.uint64), *(np.asarray(tie.runs, np.uint64) for tie in ties)]
    )
    owners = np.repeat(np.arange(len(ties)), [len(tie.runs) for tie in ties])
    order = np.argsort(hashes, kind="stable")  # equal hashes stay in the order of the sources
    hashes, owners = hashes[order], owners[order]
    # A run that is repeated only within one text forms a group of one source, which has no pairs.
    again = np.flatnonzero(hashes[1:] == hashes[:-1])
    groups: dict[int, set[int]] = defaultdict(set)
    for at in again.tolist():
        groups[int(hashes[at])] |= {int(owners[at]), int(owners[at + 1])}
    return _pairs_within(groups.values())


def _pairs_within(groups: Iterable[Collection[int]]) -> set[tuple[int, int]]:
    # The same sources often share many runs of words, so each group is expanded only once.
    distinct = {frozenset(group) for group in groups}
    return {pair for group in distinct for pair in combinations(sorted(group), 2)}


def _dependence(one: SourceTies, other: SourceTies) -> str | None:
    """Return why two sources are dependent, or None.

    They are if one cites the other's outlet, or both cite the same outlet.
    """
    for a, b in ((one, other), (other, one)):
        if a.outlet and a.outlet in b.cited_outlets:
            return f"{b.source_id} cites {a.outlet}."
    common = set(one.cited_outlets) & set(other.cited_outlets)
    return f"Both cite {min(common)}." if common else None


def independent(sources: set[str], found: Iterable[SourceLink]) -> int:
    """Return the number of independent sources; connected dependent ones count as one."""
    group = {source: {source} for source in sources}
    for link in found:
        if set(link.sources) <= sources:
            merged = group[link.sources[0]] | group[link.sources[1]]
            group.update(dict.fromkeys(merged, merged))
    return len({frozenset(members) for members in group.values()})


# ---- summaries of measures -----------------------------------------------------------------------


def dependence(pair: FigurePair, found: Mapping[tuple[str, str], str]) -> str | None:
    """Return why the figures of a pair are not independent.

    `found` has the reasons for pairs of dependent sources.
    """
    linked = found.get((min(pair.sources), max(pair.sources)))
    return pair.common_origin or linked or pair.nameless


def measure_summaries(
    figures: Iterable[ComparedFigure],
    compared: Iterable[FigurePair],
    found: Sequence[SourceLink],
    declared: Conventions,
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each measure that has figures, with the columns of `measures` that summarise them."""
    pairs = defaultdict[str, list[FigurePair]](list)
    for pair in compared:
        pairs[pair.measure].append(pair)
    for measure, same in by_measure(figures).items():
        comparable = [pair for pair in pairs[measure] if pair.compared.verdict != "not_comparable"]
        across = [pair for pair in comparable if not pair.same_source]
        names = {name for pair in across for name in pair.figures}
        summarised = [figure for figure in same if figure.id in names]
        links = [(pair.sources, pair.common_origin) for pair in across]
        origins = [SourceLink(sources, origin) for sources, origin in links if origin]
        # A range is computed only if it covers every figure, and all figures can be compared with
        # each other.
        are_alike = len(names) == len(same) and len(comparable) == math.comb(len(same), 2)
        ranges = []
        if are_alike:
            ranges = [_range(figure, declared) for figure in summarised]
        bounds = [edtf_bounds(figure.as_of) for figure in summarised if figure.as_of]
        between = defaultdict[frozenset[str], set[str]](set)
        for pair in across:
            between[frozenset(pair.sources)].add(pair.compared.verdict)
        verdicts = Counter[str]()
        for of_two_sources in between.values():
            verdicts.update(_counted(of_two_sources))
        numbers = [f"{verdict} {number}" for verdict, number in sorted(verdicts.items())]
        naming = {figure.source_id for figure in summarised if figure.named}
        # Articles that name no source are not known to be independent of any other.
        least = min(1, len(summarised))
        lowest = [low for low, _ in ranges]
        highest = [high for _, high in ranges]
        first = [bound.first for bound in bounds if bound.first]
        last = [bound.last for bound in bounds if bound.last]
        summary = {
            "figures": len(same),
            "sources": len({figure.source_id for figure in same}),
            "compared_figures": len(summarised),
            "independent_sources": max(least, independent(naming, [*found, *origins])),
            "lowest": _end(min, lowest),
            "highest": _end(max, highest),
            "earliest": min(first, default=None),
            "latest": max(last, default=None),
            "verdicts": ";".join(numbers) or None,
        }
        yield measure, summary


_AGREEMENTS = ("same", "entails", "compatible", "agrees_rounded")
"""The verdicts on figures that agree, the strongest first."""


def _counted(verdicts: set[str]) -> set[str]:
    """Return the verdicts on the figures of two sources, of agreements only the strongest.

    An article's headline often rounds a number in its body, which would otherwise count as another
    agreement.
    """
    agreements = [each for each in _AGREEMENTS if each in verdicts]
    return verdicts - set(agreements[1:])


def _end(of: Callable[..., float], ends: Sequence[float | None]) -> float | None:
    """Return the end that `of` (min or max) chooses, or None if one is None or there are none."""
    if not ends or None in ends:
        return None
    return of(ends)


_NO_LOWEST = ("less_than", "up_to", "vague")
"""Hedges whose lowest number is neither printed nor determined by a tolerance."""


def _range(figure: ComparedFigure, declared: Conventions) -> tuple[float | None, float | None]:
    """Return the lower and upper ends of a figure.

    An end that is neither printed nor set by a tolerance is None.
    """
    ends = printed(figure, declared)
    low = None if figure.hedge in _NO_LOWEST else ends.low
    high = None if math.isinf(ends.high) else ends.high
    return low, high


# ---- two figures ---------------------------------------------------------------------------------


def compare(
    one: ComparableFigure, other: ComparableFigure, *, constant: bool = False
) -> ComparisonResult:
    """Return the verdict on two figures of one measure; it does not depend on their order.

    `constant` says that the measure does not change with time, so that dates do not matter.
    """
    times: Times = "constant" if constant else _times(one, other)
    if reason := _incomparability(one, other, times):
        return ComparisonResult("not_comparable", reason, times)
    verdict, explanation = _verdict(one, other, times)
    if times in _UNDATED and verdict != "differs_undated":
        explanation = f"{explanation} {_capital(_UNDATED[times])}."
    return ComparisonResult(verdict, explanation, times)


_A_IMPLIES_B = {"constant", "equal", "undated", "a_within_b", "b_undated"}
_B_IMPLIES_A = {"constant", "equal", "undated", "b_within_a", "a_undated"}
"""Relations between the times of two figures under which a can imply b, and those under which b can
imply a.

What is true at some time of a day is also true at some time of its month, and an undated figure
says only that it is true at some time.
"""


def _verdict(one: ComparableFigure, other: ComparableFigure, times: Times) -> tuple[Verdict, str]:
    a, b = one.interval, other.interval
    # Before `same`: two vague plurals allow equal intervals, but do not state the same number.
    if one.hedge == other.hedge == "vague":
        return (
            "compatible",
            "Both are plurals without a number: neither confirms or excludes the other.",
        )
    if a == b:
        if one.words == other.words:
            return "same", f"Both say {one.words}."
        return "same", f"{_both(one, other)} allow the same numbers."
    if a.within(b) and times in _A_IMPLIES_B:
        return "entails", f"If {one.words} is right, so is {other.words}."
    if b.within(a) and times in _B_IMPLIES_A:
        return "entails", f"If {other.words} is right, so is {one.words}."
    if a.meets(b):
        more = ""
        if a.within(b) or b.within(a):
            more = "; neither implies the other: they may apply to different times or places"
        return "compatible", f"{_capital(_numbers(a.common(b)))} would satisfy both{more}."
    if (one.rounded or a).meets(other.rounded or b):
        return "agrees_rounded", _rounding(one, other)
    differ = f"{_both(one, other)} have no number in common"
    if times in _UNDATED:
        return (
            "differs_undated",
            f"{differ}; {_UNDATED[times]}, so whether they apply to the same time is not known.",
        )
    if times == "constant":
        return "conflicts", f"{differ}, and the measure does not change with time."
    dates = f"({one.as_of} and {other.as_of})"
    return "conflicts", f"{differ}, and their dates overlap {dates}."


_UNDATED = {
    "undated": "neither is dated",
    "a_undated": "the first is undated",
    "b_undated": "the second is undated",
}


def _both(one: ComparableFigure, other: ComparableFigure) -> str:
    return _capital(f"{one.words} and {other.words}")


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


def _numbers(common: Interval) -> str:
    """Return the numbers of an interval in words, such as `950 to 999`."""
    if common.low == common.high:
        return number(common.low)
    low = number(common.low)
    if common.low_open:
        low = f"more than {low}"
    if math.isinf(common.high):
        return low if common.low_open else f"{low} or more"
    high = number(common.high)
    if common.high_open:
        high = f"less than {high}"
    return f"{low} to {high}"


def _rounding(one: ComparableFigure, other: ComparableFigure) -> str:
    """Return why two figures agree only if they are read as rounded."""
    for figure, against in ((one, other), (other, one)):
        if figure.hedge == "exact" and figure.rounded and figure.rounded.meets(against.interval):
            common = _numbers(figure.rounded.common(against.interval))
            rounds = f"{figure.words} is a round number; {against.words} rounds to it"
            return f"{rounds}: both can be {common}."
    for figure, against in ((one, other), (other, one)):
        if figure.hedge == "nearly" and figure.rounded and figure.rounded.meets(against.interval):
            words = _capital(figure.words)
            return f"{words} may mean the number itself; then {against.words} agrees with it."
    common = _numbers((one.rounded or one.interval).common(other.rounded or other.interval))
    return f"{_both(one, other)} are round; both can mean {common}."


def _incomparability(one: ComparableFigure, other: ComparableFigure, times: Times) -> str | None:
    """Return the reason why two figures cannot be compared, or None if they can."""
    if one.unit != other.unit:
        return f"Their units differ: {one.unit} and {other.unit}."
    if one.population != other.population:
        mine, its = one.population or "not given", other.population or "not given"
        return f"Their populations differ: {mine} and {its}."
    if times == "apart":
        return f"Their dates differ: {one.as_of} and {other.as_of}."
    return None


# ---- times ---------------------------------------------------------------------------------------


def _times(one: ComparableFigure, other: ComparableFigure) -> Times:
    """Return how the dates of two figures relate."""
    if not one.as_of and not other.as_of:
        return "undated"
    if not one.as_of:
        return "a_undated"
    if not other.as_of:
        return "b_undated"
    if not _same_time(one, other):
        return "apart"
    inside, around = _during(one, other), _during(other, one)
    if inside and around:
        return "equal"
    if inside:
        return "a_within_b"
    return "b_within_a" if around else "overlap"


def _same_time(one: ComparableFigure, other: ComparableFigure) -> bool:
    """Return whether two dates have a day in common; a date without a year only with itself."""
    if "XXXX" in f"{one.as_of} {other.as_of}":
        return one.as_of == other.as_of
    return (one.first or date.min) <= (other.last or date.max) and (other.first or date.min) <= (
        one.last or date.max
    )


def _during(one: ComparableFigure, other: ComparableFigure) -> bool:
    """Return whether every day that one date can mean is a day that the other can mean."""
    begins_within = (other.first or date.min) <= (one.first or date.min)
    ends_within = (one.last or date.max) <= (other.last or date.max)
    return begins_within and ends_within
