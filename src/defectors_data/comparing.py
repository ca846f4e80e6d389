"""The figures of a corpus beside each other: every pair of one measure, and who depends on whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from defectors_data.corpus import Corpus, Shard
from defectors_data.models import Figure
from defectors_data.reconciling import Compared, Stated, compare
from defectors_data.relations import allowed
from defectors_data.values import edtf_bounds

SHARED_WORDS = 8
"""Words in a row that two articles have to share for one to be taken to have them from the other, or from a third."""


class Pair(NamedTuple):
    """Two figures of one measure, in the order of their ids, and what they are to each other."""

    measure: str
    figures: tuple[str, str]
    compared: Compared
    note: str | None


class Link(NamedTuple):
    """Two sources of which one depends on the other, or both on a third."""

    sources: tuple[str, str]
    because: str


@lru_cache(maxsize=1)
def pairs(corpus: Corpus) -> tuple[Pair, ...]:
    """Return every pair of figures of one measure, ordered by measure and ids."""
    notes = {frozenset(entry.figures): entry.note for entry in corpus.comparisons.content.comparisons}
    alone = {measure.term for measure in corpus.vocabulary.content.measures if measure.each_its_own}
    found = []
    for measure, figures in sorted(by_measure(corpus).items()):
        said = [(figure.id, stated(corpus, figure)) for figure in sorted(figures, key=lambda figure: figure.id)]
        for (one, of_one), (other, of_other) in combinations(said, 2):
            compared = _ALONE if measure in alone else compare(of_one, of_other)
            found.append(Pair(measure, (one, other), compared, notes.get(frozenset((one, other)))))
    return tuple(found)


_ALONE = Compared("not_comparable", "Every figure of this measure is about something of its own.")


def by_measure(corpus: Corpus) -> dict[str, list[Figure]]:
    """Return the figures of a corpus by measure."""
    figures = defaultdict(list)
    for shard in corpus.shards:
        for _, figure in shard.figures():
            figures[figure.measure].append(figure)
    return figures


def stated(corpus: Corpus, figure: Figure) -> Stated:
    """Return a figure as it is compared."""
    bounds = edtf_bounds(figure.as_of) if figure.as_of else (None, None)
    return Stated(allowed(figure, _tolerances(corpus)), figure.unit, figure.population, figure.as_of, *bounds)


def _tolerances(corpus: Corpus) -> dict[str, float]:
    return {entry.hedge: entry.percent for entry in corpus.vocabulary.content.tolerances}


# ---- who has it from whom --------------------------------------------------------------------------------------


def links(corpus: Corpus) -> list[Link]:
    """Return the pairs of sources that are not independent, each with the first reason that is found."""
    found = []
    for i, j in sorted(_perhaps(corpus.shards)):
        one, other = corpus.shards[i], corpus.shards[j]
        if reason := _dependence(one, other):
            ids = sorted((one.content.source.id, other.content.source.id))
            found.append(Link((ids[0], ids[1]), reason))
    return sorted(found)


def _perhaps(shards: Sequence[Shard]) -> set[tuple[int, int]]:
    """Return the pairs of sources, by their places, that have an outlet or words in a row in common, and few more."""
    first: dict[object, int] = {}
    several: dict[object, set[int]] = {}
    for i, shard in enumerate(shards):
        source = shard.content.source
        outlets = (*source.cited_outlets, *([source.outlet.value] if source.outlet else []))
        for telling in (*outlets, *map(hash, _runs(shard.text))):
            before = first.setdefault(telling, i)
            if before != i:
                several.setdefault(telling, {before}).add(i)
    groups = {frozenset(group) for group in several.values()}
    return {pair for group in groups for pair in combinations(sorted(group), 2)}


def independent(sources: set[str], found: list[Link]) -> int:
    """Return how many of these sources are independent: sources that depend on each other count as one."""
    group = {source: {source} for source in sources}
    for link in found:
        if set(link.sources) <= sources:
            merged = group[link.sources[0]] | group[link.sources[1]]
            group.update(dict.fromkeys(merged, merged))
    return len({frozenset(members) for members in group.values()})


def _dependence(one: Shard, other: Shard) -> str | None:
    for a, b in ((one, other), (other, one)):
        outlet = a.content.source.outlet.value if a.content.source.outlet else None
        if outlet and outlet in b.content.source.cited_outlets:
            return f"{b.content.source.id} cites {outlet}."
    if common := set(one.content.source.cited_outlets) & set(other.content.source.cited_outlets):
        return f"Both cite {min(common)}."
    if _runs(one.text) & _runs(other.text):
        return f"They share {SHARED_WORDS} words in a row or more."
    return None


@lru_cache(maxsize=32)
def _runs(text: str) -> frozenset[tuple[str, ...]]:
    words = text.split()
    return frozenset(tuple(words[i : i + SHARED_WORDS]) for i in range(len(words) - SHARED_WORDS + 1))


# ---- one row for each measure ----------------------------------------------------------------------------------


class Summary(NamedTuple):
    """A measure with the figures that the sources give for it; no number here is better than another."""

    measure: str
    figures: list[Figure]
    sources: set[str]
    independent: int
    lowest: float | None
    highest: float | None
    verdicts: Mapping[str, int]


def summaries(corpus: Corpus) -> Iterator[Summary]:
    """Give each measure that figures have, in order.

    `lowest` and `highest` are the ends of what the figures allow together; null where they are of several units, and
    `highest` where one of them has no upper end.
    """
    where = {figure.id: shard.content.source.id for shard in corpus.shards for _, figure in shard.figures()}
    found, compared = links(corpus), pairs(corpus)
    for measure, figures in sorted(by_measure(corpus).items()):
        ranges = [allowed(figure, _tolerances(corpus)) for figure in figures]
        one_unit = len({figure.unit for figure in figures}) == 1
        highest = max(one.high for one in ranges)
        sources = {where[figure.id] for figure in figures}
        verdicts: dict[str, int] = defaultdict(int)
        for pair in compared:
            if pair.measure == measure:
                verdicts[pair.compared.verdict] += 1
        yield Summary(
            measure=measure,
            figures=figures,
            sources=sources,
            independent=independent(sources, found),
            lowest=min(one.low for one in ranges) if one_unit else None,
            highest=highest if one_unit and highest != float("inf") else None,
            verdicts=verdicts,
        )
