"""The figures of all sources compared: every pair of one measure, and which sources depend on each other."""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple
from zlib import crc32

from defectors_data.corpus.context import Context
from defectors_data.evidence.document import Document
from defectors_data.evidence.relations import ComparedFigure, allowed, tolerances
from defectors_data.models.fields import edtf_bounds
from defectors_data.models.tables import MOST_PAIRS, SOURCES_COMPARED
from defectors_data.text.intervals import Compared, Stated, compare

SHARED_WORDS = 8
"""Words in a row that two articles have to share for one to be taken to have them from the other, or from a third."""


def is_compared(sources: int, used: Mapping[tuple[str, str], int]) -> bool:
    """Tell whether figures are compared; `used` says by table and term how often sources use each."""
    return sources <= SOURCES_COMPARED and number_of_pairs(used) <= MOST_PAIRS


def number_of_pairs(used: Mapping[tuple[str, str], int]) -> int:
    """Return how many pairs of figures of one measure there are; `used` says how often each term is used."""
    return sum(number * (number - 1) // 2 for (table, _), number in used.items() if table == "measures")


class SourceTies(NamedTuple):
    """What shows that a source depends on another."""

    source_id: str
    outlet: str | None
    cited_outlets: tuple[str, ...]
    runs: array[int]
    """Hashes (64 bits) of its runs of `SHARED_WORDS` words, each once."""


class Pair(NamedTuple):
    """Two figures of one measure, in the order of their ids, and how they compare."""

    measure: str
    figures: tuple[str, str]
    compared: Compared
    note: str | None


class Link(NamedTuple):
    """Two sources of which one depends on the other, or both on a third."""

    sources: tuple[str, str]
    explanation: str


class Summary(NamedTuple):
    """A measure with the figures that the sources give for it; no number here is better than another."""

    measure: str
    figures: list[ComparedFigure]
    sources: set[str]
    independent: int
    lowest: float | None
    highest: float | None
    verdicts: Mapping[str, int]


def compared_figures(document: Document) -> list[ComparedFigure]:
    """Return what is compared of the figures of a document."""
    shared = ComparedFigure._fields[2:]
    return [
        ComparedFigure(figure.id, document.source.id, *(getattr(figure, name) for name in shared))
        for _, figure in document.figures
    ]


_64_BITS = (1 << 64) - 1


def source_ties(document: Document) -> SourceTies:
    """Return what shows that the source of a document depends on another."""
    source = document.source
    words = [crc32(word.encode()) for word in document.text.split()]
    # Unlike those of texts, hashes of numbers are the same in every process.
    hashes = {hash(run) & _64_BITS for run in zip(*(words[i:] for i in range(SHARED_WORDS)), strict=False)}
    outlet = source.outlet.value if source.outlet else None
    return SourceTies(source.id, outlet, source.cited_outlets, array("Q", hashes))


# ---- pairs -------------------------------------------------------------------------------------------------------


def pairs(figures: Iterable[ComparedFigure], context: Context) -> list[Pair]:
    """Return every pair of figures of one measure, ordered by measure and ids."""
    notes = {frozenset(entry.figures): entry.note for entry in context.comparisons}
    alone = {measure.term for measure in context.vocabulary.content.measures if not measure.comparable}
    reach, found = tolerances(context), []
    for measure, same in by_measure(figures).items():
        stated = [(figure.id, _stated(figure, reach)) for figure in sorted(same)]
        for (one, of_one), (other, of_other) in combinations(stated, 2):
            compared = _ALONE if measure in alone else compare(of_one, of_other)
            found.append(Pair(measure, (one, other), compared, notes.get(frozenset((one, other)))))
    return found


_ALONE = Compared("not_comparable", "Every figure of this measure is about something of its own.")


def by_measure(figures: Iterable[ComparedFigure]) -> dict[str, list[ComparedFigure]]:
    """Return figures by measure, in the order of the terms."""
    found = defaultdict(list)
    for figure in figures:
        found[figure.measure].append(figure)
    return dict(sorted(found.items()))


def _stated(figure: ComparedFigure, reach: Mapping[str, float]) -> Stated:
    bounds = edtf_bounds(figure.as_of) if figure.as_of else (None, None)
    return Stated(allowed(figure, reach), figure.unit, figure.population, figure.as_of, *bounds)


# ---- which sources depend on each other --------------------------------------------------------------------------


def links(ties: Sequence[SourceTies]) -> list[Link]:
    """Return the pairs of sources that are not independent, each with the first reason that is found."""
    sharing = _sharing_words(ties)
    found = []
    for i, j in sorted(sharing | _sharing_outlets(ties)):
        if reason := _dependence(ties[i], ties[j]) or (_SHARED if (i, j) in sharing else None):
            one, other = sorted((ties[i].source_id, ties[j].source_id))
            found.append(Link((one, other), reason))
    return sorted(found)


_SHARED = f"They share {SHARED_WORDS} words in a row or more."


def _sharing_outlets(ties: Sequence[SourceTies]) -> set[tuple[int, int]]:
    """Return the pairs of sources, by their positions, that are of, or cite, an outlet in common."""
    groups: dict[str, set[int]] = defaultdict(set)
    for i, tie in enumerate(ties):
        for outlet in (*tie.cited_outlets, *([tie.outlet] if tie.outlet else [])):
            groups[outlet].add(i)
    return _pairs_within(groups.values())


def _sharing_words(ties: Sequence[SourceTies]) -> set[tuple[int, int]]:
    """Return the pairs of sources, by their positions, that have a run of words in common."""
    import numpy as np  # noqa: PLC0415  # of all commands, only a build compares texts

    hashes = np.concatenate([np.zeros(0, np.uint64), *(np.asarray(tie.runs, np.uint64) for tie in ties)])
    owners = np.repeat(np.arange(len(ties)), [len(tie.runs) for tie in ties])
    order = np.argsort(hashes, kind="stable")
    hashes, owners = hashes[order], owners[order]
    again = np.flatnonzero(hashes[1:] == hashes[:-1])
    groups: dict[int, set[int]] = defaultdict(set)
    for at in again.tolist():
        groups[int(hashes[at])] |= {int(owners[at]), int(owners[at + 1])}
    return _pairs_within(groups.values())


def _pairs_within(groups: Iterable[Collection[int]]) -> set[tuple[int, int]]:
    distinct = {frozenset(group) for group in groups}
    return {pair for group in distinct for pair in combinations(sorted(group), 2)}


def _dependence(one: SourceTies, other: SourceTies) -> str | None:
    """Return by which outlet two sources depend on each other."""
    for a, b in ((one, other), (other, one)):
        if a.outlet and a.outlet in b.cited_outlets:
            return f"{b.source_id} cites {a.outlet}."
    common = set(one.cited_outlets) & set(other.cited_outlets)
    return f"Both cite {min(common)}." if common else None


def independent(sources: set[str], found: Iterable[Link]) -> int:
    """Return how many of these sources are independent: sources that depend on each other count as one."""
    group = {source: {source} for source in sources}
    for link in found:
        if set(link.sources) <= sources:
            merged = group[link.sources[0]] | group[link.sources[1]]
            group.update(dict.fromkeys(merged, merged))
    return len({frozenset(members) for members in group.values()})


# ---- one summary for each measure --------------------------------------------------------------------------------


def summaries(
    figures: Iterable[ComparedFigure], compared: Iterable[Pair], found: Sequence[Link], reach: Mapping[str, float]
) -> Iterator[Summary]:
    """Give each measure that figures have, in order; `reach` are the tolerances of the vocabulary.

    `lowest` and `highest` are the ends of what the figures allow together; null where they are of several units, and
    `highest` where one of them has no upper end.
    """
    verdicts: dict[str, Counter[str]] = defaultdict(Counter)
    for pair in compared:
        verdicts[pair.measure][pair.compared.verdict] += 1
    for measure, same in by_measure(figures).items():
        ranges = [allowed(figure, reach) for figure in same]
        one_unit = len({figure.unit for figure in same}) == 1
        highest = max(one.high for one in ranges)
        sources = {figure.source_id for figure in same}
        yield Summary(
            measure=measure,
            figures=same,
            sources=sources,
            independent=independent(sources, found),
            lowest=min(one.low for one in ranges) if one_unit else None,
            highest=highest if one_unit and highest != float("inf") else None,
            verdicts=verdicts[measure],
        )
