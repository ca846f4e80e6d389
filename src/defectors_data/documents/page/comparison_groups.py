"""What agrees, what contradicts, what is compatible, and what cannot be compared."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from defectors_data.documents.page.lookups import Lookups
from defectors_data.documents.readme import (
    GROUP_OF_VERDICT,
    UNJUDGED,
    compared_figures,
    noted_by,
    numbers_with_verbs,
)
from defectors_data.models.counts import counted
from defectors_data.rows.labels import Row

_GROUP_OF_RELATION = {
    "confirms": "agree",
    "contradicts": "contradict",
    "compatible": "compatible",
    "same_event": "event",
}
_REASONS = {
    "same": "They give the same number; whether of one count is not known.",
    "entails": "If the narrower is right, so is the wider.",
    "agrees_rounded": "They agree if round numbers are read as rounded.",
    "conflicts": "They have no number in common.",
    "differs_undated": "They have no number in common; whether at one time is not known.",
    "compatible": "They have a number in common; neither confirms the other.",
}


class NumberGroup(NamedTuple):
    """Figures of one measure that agree, contradict each other, or cannot be compared."""

    measure: str
    figures: tuple[Row, ...]
    reason: str
    across: bool
    """Whether they are from different articles."""
    note: str | None = None


class StatementPair(NamedTuple):
    """Two testimonies that are related, and the reason."""

    first: Row
    second: Row
    reason: str

    @property
    def across(self) -> bool:
        """Whether they are from different articles."""
        return bool(self.first["source_id"] != self.second["source_id"])


class Groups(NamedTuple):
    """The groups of one kind."""

    numbers: list[NumberGroup]
    statements: list[StatementPair]


def grouped(look: Lookups) -> dict[str, Groups]:
    """Return the comparisons by group: those of `GROUP_OF_VERDICT` and `event`."""
    names = (*GROUP_OF_VERDICT.values(), "event")
    found = {name: Groups([], []) for name in names}
    pairs = defaultdict[tuple[str, str], list[Row]](list)
    for pair in look.rows["comparisons"]:
        pairs[GROUP_OF_VERDICT[pair["verdict"]], pair["measure"]].append(pair)
    for (name, measure), of_measure in pairs.items():
        found[name].numbers.extend(_number_groups(look, name, measure, of_measure))
    for row in look.rows["statement_relations"]:
        first, second = look.testimonies[row["first"]], look.testimonies[row["second"]]
        found[_GROUP_OF_RELATION[row["kind"]]].statements.append(
            StatementPair(first, second, row["reason"])
        )
    for group in found.values():
        group.numbers.sort(key=_across_first)
        group.statements[:] = _varied(sorted(group.statements, key=_across_and_short_first))
    return found


def summary(look: Lookups, groups: Mapping[str, Groups], kinds: Collection[str]) -> str:
    """Return how many pairs of numbers and statements of different articles agree, and so on.

    `kinds` are those of the readers, who noted the pairs of statements.
    """
    numbers = compared_figures(look.rows["comparisons"])
    between = _statements(groups, kinds, across=True)
    if not between:
        return numbers
    return f"{numbers} Between articles, {between} {UNJUDGED}".strip()


def summary_within(groups: Mapping[str, Groups], kinds: Collection[str]) -> str:
    """Return how many pairs of statements within one article agree and so on, or an empty text."""
    within = _statements(groups, kinds, across=False)
    if not within:
        return ""
    said = f"Within one article, {within}"
    if _statements(groups, kinds, across=True):
        return said
    return f"{said} {UNJUDGED}"


def _statements(groups: Mapping[str, Groups], kinds: Collection[str], *, across: bool) -> str:
    """Return how many pairs of statements agree, contradict each other, and so on."""
    pairs = dict[str, list[StatementPair]]()
    for name, group in groups.items():
        pairs[name] = [pair for pair in group.statements if pair.across == across]
    total = sum(map(len, pairs.values()))
    if not total:
        return ""
    agree, event = pairs["agree"], pairs["event"]
    said = numbers_with_verbs(
        (len(agree), "agrees", "agree", _of_one_authority(agree)),
        (len(pairs["contradict"]), "contradicts", "contradict", ""),
        (len(pairs["compatible"]), "is", "are", _compatible(pairs["compatible"])),
        (len(event), "is", "are", f" about the same event{_events(event)}"),
    )
    return f"{noted_by(kinds)} noted {counted(total, 'pair')} of statements: {said}."


def _compatible(pairs: Iterable[StatementPair]) -> str:
    """Return what compatible pairs are, and how many of them take opposite positions."""
    said = "no words show that one excludes the other"
    number = sum(pair.reason == "opposite_positions" for pair in pairs)
    if number:
        verb = "takes" if number == 1 else "take"
        said += f"; {number} {verb} opposite positions"
    return f" compatible ({said})"


def _of_one_authority(pairs: Iterable[StatementPair]) -> str:
    """Return how many pairs that agree may be one source."""
    number = sum(pair.reason == "same_authority" for pair in pairs)
    return f" ({number} perhaps from one source)" if number else ""


def _events(pairs: Iterable[StatementPair]) -> str:
    """Return how many events pairs are about, so that nobody takes each pair for an event."""
    events = list[set[str]]()
    for pair in pairs:
        event = {pair.first["testimony_id"], pair.second["testimony_id"]}
        joined = [other for other in events if not event.isdisjoint(other)]
        events = [other for other in events if event.isdisjoint(other)]
        events.append(event.union(*joined))
    if not events:
        return ""
    number = counted(len(events), "event")
    return f" ({sum(map(len, events))} passages on {number})"


def _across_and_short_first(pair: StatementPair) -> tuple[bool, int, str]:
    length = len(pair.first["text"]) + len(pair.second["text"])
    return not pair.across, length, pair.first["testimony_id"]


def _varied(pairs: Iterable[StatementPair]) -> list[StatementPair]:
    """Return pairs in their order, but those with a testimony of an earlier pair last."""
    seen = set[str]()
    new, repeated = list[StatementPair](), list[StatementPair]()
    for pair in pairs:
        ids = {pair.first["testimony_id"], pair.second["testimony_id"]}
        if seen.isdisjoint(ids):
            new.append(pair)
        else:
            repeated.append(pair)
        seen |= ids
    return [*new, *repeated]


def _across_first(group: NumberGroup) -> tuple[bool, str, bool]:
    is_weaker = not group.reason.startswith(_REASONS["same"])
    return not group.across, group.measure, is_weaker


def _number_groups(
    look: Lookups, name: str, measure: str, pairs: Sequence[Row]
) -> Iterator[NumberGroup]:
    """Yield the pairs of a measure: as one group if all of its figures are pairs, else by pair."""
    ids = sorted({pair[end] for pair in pairs for end in ("figure_a", "figure_b")})
    paired = {frozenset((pair["figure_a"], pair["figure_b"])) for pair in pairs}
    complete = all(frozenset(each) in paired for each in combinations(ids, 2))
    verdicts = {pair["verdict"] for pair in pairs}
    notes = {pair["note"] for pair in pairs}
    if name == "cannot":
        figures = sorted((look.figures[each] for each in ids), key=_by_population)
        yield _group(measure, figures, _difference(figures))
    elif complete and len(verdicts) == 1 and len(notes) == 1:
        figures = [look.figures[each] for each in ids]
        reason = " ".join([_REASONS[verdicts.pop()], *caveats(look, pairs)])
        yield _group(measure, figures, reason, notes.pop())
    else:
        for pair in pairs:
            two = [look.figures[pair["figure_a"]], look.figures[pair["figure_b"]]]
            reason = " ".join([_REASONS[pair["verdict"]], *caveats(look, [pair])])
            yield _group(measure, two, reason, pair["note"])


_CAVEATS = {
    "undated": "At least one is undated.",
    "a_undated": "At least one is undated.",
    "b_undated": "At least one is undated.",
    "a_within_b": "Their periods differ.",
    "b_within_a": "Their periods differ.",
    "overlap": "Their periods differ.",
}
"""Relations between times because of which two figures can be about different times."""


def caveats(look: Lookups, pairs: Iterable[Row]) -> list[str]:
    """Return why figures may be about different times, and why those that agree are not independent."""
    found = dict[str, None]()
    for pair in pairs:
        group = GROUP_OF_VERDICT[pair["verdict"]]
        if group != "cannot":
            found[_CAVEATS.get(pair["times"], "")] = None
        if group != "agree":
            continue
        dependence = pair["dependence"] or ""
        for end in ("figure_a", "figure_b"):
            source = look.figures[pair[end]]["source_id"]
            words = rf"(?<![\w-]){re.escape(source)}(?![\w-])"
            dependence = re.sub(words, lambda _, name=source: look.article(name), dependence)
        found[dependence] = None
    return [sentence for sentence in found if sentence]


def _group(
    measure: str, figures: Sequence[Row], reason: str, note: str | None = None
) -> NumberGroup:
    sources = {figure["source_id"] for figure in figures}
    return NumberGroup(measure, tuple(figures), reason, len(sources) > 1, note)


def _by_population(figure: Row) -> tuple[str, str]:
    return figure.get("population") or "", figure["figure_id"]


def _difference(figures: Sequence[Row]) -> str:
    """Return why figures of one measure cannot be compared."""
    if len({figure.get("population") for figure in figures}) > 1:
        return "They count different groups or places, as recorded."
    if len({figure["unit"] for figure in figures}) > 1:
        return "They are in different units."
    if len({figure.get("as_of") for figure in figures}) > 1:
        return "They are from different times."
    return "They have different subjects."
