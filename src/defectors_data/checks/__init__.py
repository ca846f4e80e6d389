"""The rules that annotations keep: one function for each fault, and `CHECKS`, which lists them.

A check gets the proof of a corpus (its records and where their evidence stands) and returns findings; its name is the
code of the finding, its docstring the published rule. None prints, none changes anything, none needs another to have
run; what is only the consequence of another fault stays unsaid. A message repeats nothing that was typed about a
protected person: it names the field and leaves the place to speak.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from defectors_data.checks import (
    attributes,
    claims,
    comparisons,
    doubles,
    figures,
    places,
    protection,
    references,
    sources,
    speakers,
    testimonies,
    units,
    waivers,
    withdrawals,
)
from defectors_data.checks.seen import SEEN
from defectors_data.findings import Finding, in_order
from defectors_data.proving import Proof

Check: TypeAlias = Callable[[Proof], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    references.duplicate_id,
    references.id_of_another_form,
    references.dangling_reference,
    references.unknown_term,
    references.duplicate_term,
    references.protected_referred_to,
    protection.protected_free_text,
    protection.protected_linked,
    protection.protected_attribute_shown,
    speakers.name_in_two_sources,
    speakers.speaker_without_mention,
    speakers.speaker_never_heard,
    speakers.name_not_in_mention,
    attributes.attribute_not_in_mention,
    attributes.attribute_without_licence,
    attributes.attribute_of_another_kind,
    attributes.gender_of_other_words,
    attributes.licence_not_needed,
    sources.same_article_twice,
    sources.inferred_without_note,
    sources.not_printed,
    sources.title_not_a_line,
    sources.outlet_not_cited,
    testimonies.direct_without_marks,
    testimonies.balanced_after_all,
    testimonies.unbalanced_cut,
    testimonies.testimony_across_paragraphs,
    testimonies.about_the_speaker,
    claims.indirect_without_verb,
    claims.narrated_with_verb,
    claims.theme_without_words,
    claims.because_not_needed,
    figures.bounds_not_of_hedge,
    figures.bounds_out_of_order,
    figures.figure_not_its_words,
    figures.override_not_needed,
    figures.testimony_not_around_figure,
    units.unit_of_another_measure,
    units.relation_of_other_units,
    units.age_as_figure,
    units.date_not_printed,
    doubles.words_told_twice,
    doubles.printed_again,
    comparisons.conflict_without_note,
    comparisons.note_of_no_conflict,
    comparisons.relation_of_nothing,
    comparisons.relation_fails,
    waivers.repeat_of_nothing,
    waivers.repeat_of_other_words,
    waivers.quotation_unaccounted,
    waivers.quantity_unaccounted,
    waivers.waiver_of_another_kind,
    waivers.waiver_unused,
    waivers.waiver_not_needed,
    withdrawals.withdrawn_words,
    withdrawals.withdrawn_id,
    withdrawals.withdrawn_out_of_text,
    withdrawals.title_missing,
)


BESIDE: tuple[Check, ...] = (
    comparisons.conflict_without_note,
    comparisons.note_of_no_conflict,
    comparisons.relation_fails,
)
"""Checks that put figures beside each other: while anything else is wrong they wait, so that one fault is told once."""


RESTING_ON_LEDGER: tuple[Check, ...] = (
    attributes.attribute_of_another_kind,
    testimonies.direct_without_marks,
    testimonies.unbalanced_cut,
    figures.figure_not_its_words,
    figures.override_not_needed,
    units.unit_of_another_measure,
    units.age_as_figure,
    doubles.words_told_twice,
    waivers.repeat_of_other_words,
    waivers.quotation_unaccounted,
    waivers.quantity_unaccounted,
    waivers.waiver_of_another_kind,
    waivers.waiver_unused,
    waivers.waiver_not_needed,
)
"""Checks that ask what stands in a seed and what accounts for it; without a ledger they are not run."""


CORE: tuple[Check, ...] = (
    references.duplicate_id,
    references.id_of_another_form,
    references.dangling_reference,
    references.unknown_term,
    references.duplicate_term,
    references.protected_referred_to,
    protection.protected_free_text,
    protection.protected_linked,
    protection.protected_attribute_shown,
    speakers.name_in_two_sources,
    sources.same_article_twice,
    comparisons.relation_of_nothing,
    withdrawals.withdrawn_words,
    withdrawals.withdrawn_id,
    withdrawals.withdrawn_out_of_text,
    withdrawals.title_missing,
)
"""Checks without which nothing is published: of ids and what refers to them, and of protected persons."""


class Seen(NamedTuple):
    """A check as it was run: what it judges, how much of that there was, and how often it found a fault."""

    code: str
    what: str
    seen: int | None
    """None where it was not asked for."""
    findings: int | None
    """None for a check that was skipped, which shows nothing."""


def run(proof: Proof) -> list[Finding]:
    """Apply every check; returns all findings, those of the proof with them, in order."""
    return in_order([*proof.findings, *chain.from_iterable(_found(proof).values())])


def examine(proof: Proof, *, skip: Collection[str] = (), count: bool = True) -> tuple[list[Finding], list[Seen]]:
    """Apply every check but those whose codes are to be skipped; returns what `run` does, and what each check saw.

    What a check saw is left out where nothing is to be counted.
    """
    asked = [check for check in CHECKS if code_of(check) not in skip]
    found = _found(proof, asked)
    known: dict[places.Places, int] = {}
    counts = {check: places.counted(SEEN[check].places, proof, known) for check in asked if count}
    seen = [_seen(check, counts.get(check), found.get(check)) for check in CHECKS]
    return in_order([*proof.findings, *chain.from_iterable(found.values())]), seen


def _found(proof: Proof, asked: Sequence[Check] = CHECKS) -> dict[Check, list[Finding]]:
    """Return what each check finds that is run."""
    found = {check: list(check(proof)) for check in asked if check not in BESIDE}
    if not proof.findings and not any(found.values()):
        found |= {check: list(check(proof)) for check in BESIDE if check in asked}
    return found


def _seen(check: Check, count: int | None, found: list[Finding] | None) -> Seen:
    return Seen(code_of(check), SEEN[check].what, count, None if found is None else len(found))


def code_of(fault: Callable[..., object]) -> str:
    """Return the code of the findings of a function: its name."""
    return fault.__name__.replace("_", "-")
